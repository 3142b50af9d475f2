//! Expressions that name a value: variables, their fields and elements.

use std::fmt;
use std::str::FromStr;

use jinsi_trace::model::{EventId, Prim, Value};

use crate::Inspector;
use crate::error::{BadPath, InspectError};
use crate::facts::Field;
use crate::machine::Activation;
use crate::memory::{Horizon, Variable};
use crate::point::Stop;
use crate::state::{frame, seen};
use jinsi_steps::cell::{Cell, stacked};
use jinsi_steps::moment::Moment;
use jinsi_steps::seen::{Seen, Why};

/// An expression: `x`, `this.next.size`, `a[i]`, `table[0].length`, `com.foo.Bar.count`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    names: Vec<Link>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Link {
    Name(String),
    Index(Index),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Index {
    Number(u32),
    Path(Path),
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, link) in self.names.iter().enumerate() {
            match link {
                Link::Name(name) if place == 0 => f.write_str(name)?,
                Link::Name(name) => write!(f, ".{name}")?,
                Link::Index(Index::Number(index)) => write!(f, "[{index}]")?,
                Link::Index(Index::Path(path)) => write!(f, "[{path}]")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Path {
    type Err = BadPath;

    fn from_str(text: &str) -> Result<Self, BadPath> {
        let mut rest = text.trim();
        let path = parse(&mut rest, 0).filter(|_| rest.is_empty());
        path.ok_or_else(|| BadPath(text.to_owned()))
    }
}

impl Path {
    /// The name that it begins with.
    pub(crate) fn first(&self) -> &str {
        match self.names.first() {
            Some(Link::Name(name)) => name,
            _ => "",
        }
    }

    /// How many names and indices it has.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// Is the link at this place the length of an array, if what is before it is one?
    pub(crate) fn is_length(&self, at: usize) -> bool {
        matches!(&self.names[at], Link::Name(name) if name == "length")
    }
}

/// Indices within indices.
const DEEPEST: usize = 16;

fn parse(rest: &mut &str, depth: usize) -> Option<Path> {
    let mut names = vec![Link::Name(name(rest)?)];
    loop {
        *rest = rest.trim_start();
        if let Some(behind) = rest.strip_prefix('.') {
            *rest = behind;
            names.push(Link::Name(name(rest)?));
        } else if let Some(behind) = rest.strip_prefix('[') {
            *rest = behind.trim_start();
            let digits = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            let index = match digits {
                0 if depth < DEEPEST => Index::Path(parse(rest, depth + 1)?),
                0 => return None,
                _ => {
                    let (number, behind) = rest.split_at(digits);
                    *rest = behind;
                    Index::Number(number.parse().ok()?)
                }
            };
            *rest = rest.trim_start().strip_prefix(']')?;
            names.push(Link::Index(index));
        } else {
            return Some(Path { names });
        }
    }
}

fn name(rest: &mut &str) -> Option<String> {
    *rest = rest.trim_start();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let (name, behind) = rest.split_at(end);
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    *rest = behind;
    Some(name.to_owned())
}

/// What a path leads to.
pub(crate) enum Target {
    /// A local variable, or `this`.
    Local(Cell, String),
    /// A variable in memory.
    Memory(Variable),
    /// No variable: the length of an array, or how a call ended.
    Value(Seen),
}

impl Inspector<'_> {
    /// The value of an expression at a moment, in the activation that so many others are nested in; 0: the innermost.
    ///
    /// # Errors
    /// There is no such variable there; the trace cannot be read.
    pub fn evaluate(
        &self,
        moment: Moment,
        depth: usize,
        path: &Path,
    ) -> Result<Seen, InspectError> {
        let stop = Stop::at(self.player(), moment)?;
        self.path_at(&stop, depth, path)
    }

    /// The variable in memory that an expression names at a moment; `None` if it names a local variable.
    ///
    /// # Errors
    /// There is no such variable there; the trace cannot be read.
    pub fn variable(
        &self,
        moment: Moment,
        depth: usize,
        path: &Path,
    ) -> Result<Option<Variable>, InspectError> {
        let stop = Stop::at(self.player(), moment)?;
        Ok(match self.target(&stop, depth, path)? {
            Target::Memory(variable) => Some(variable),
            _ => None,
        })
    }

    /// A static field by its name, `com.foo.Bar.count` or `Bar.count`; one of an object has to be asked of that.
    pub fn static_field(&self, name: &str) -> Option<Field> {
        let (class, field) = name.rsplit_once('.')?;
        let fields = self.fields_named(class, field);
        fields.into_iter().find(|field| field.is_static)
    }

    /// The fields of this name in the classes that are called so, with or without their package.
    pub fn fields_named(&self, class: &str, field: &str) -> Vec<Field> {
        let internal = class.replace('.', "/");
        let classes = self.trace().classes().iter();
        let named = classes.filter(|c| {
            let simple = c.name.rsplit('/').next();
            c.name == internal || simple == Some(internal.as_str())
        });
        let fields = named.flat_map(|class| self.facts.declared(class.no).to_vec());
        fields.filter(|f| *f.name == *field).collect()
    }

    pub(crate) fn path_at(
        &self,
        stop: &Stop<'_, '_>,
        depth: usize,
        path: &Path,
    ) -> Result<Seen, InspectError> {
        match self.target(stop, depth, path)? {
            Target::Local(cell, desc) => Ok(seen(&stop.machine.bindings, &cell, &desc)),
            Target::Value(seen) => Ok(seen),
            Target::Memory(variable) => Ok(self.value(&variable, stop.moment())?.value),
        }
    }

    /// What the path leads to.
    pub(crate) fn target(
        &self,
        stop: &Stop<'_, '_>,
        depth: usize,
        path: &Path,
    ) -> Result<Target, InspectError> {
        let (mut target, used) = self.rooted(stop, depth, path)?;
        for at in used..path.names.len() {
            let holder = self.seen_of(stop, &target)?;
            target = self.follow(stop, (&holder, depth), path, at)?;
        }
        Ok(target)
    }

    /// What the path begins with in the activation that so many others are nested in, and how many of its links that are.
    pub(crate) fn rooted(
        &self,
        stop: &Stop<'_, '_>,
        depth: usize,
        path: &Path,
    ) -> Result<(Target, usize), InspectError> {
        let frames = &stop.machine.frames;
        let activation = frames.len().checked_sub(depth + 1).map(|at| &frames[at]);
        let activation = activation.ok_or(InspectError::NoFrame(depth))?;
        self.root(stop, activation, depth, path)
    }

    /// Where the link at this place leads from what holds it; indices are those of the activation that so many others are nested in.
    pub(crate) fn follow(
        &self,
        stop: &Stop<'_, '_>,
        (holder, depth): (&Seen, usize),
        path: &Path,
        at: usize,
    ) -> Result<Target, InspectError> {
        Ok(match &path.names[at] {
            Link::Name(name) => self.field_in(holder, name, path)?,
            Link::Index(index) => {
                let index = match index {
                    Index::Number(index) => *index,
                    Index::Path(path) => self.index(stop, depth, path)?,
                };
                let array = object(holder, path)?;
                Target::Memory(Variable::Element(array, index))
            }
        })
    }

    fn index(&self, stop: &Stop<'_, '_>, depth: usize, path: &Path) -> Result<u32, InspectError> {
        let seen = self.path_at(stop, depth, path)?;
        let value = seen.known().cloned().map(stacked);
        match value {
            Some(Value::Prim(Prim::Int(index))) if index >= 0 => Ok(index as u32),
            _ => Err(InspectError::NotAnIndex(path.to_string())),
        }
    }

    fn seen_of(&self, stop: &Stop<'_, '_>, target: &Target) -> Result<Seen, InspectError> {
        Ok(match target {
            Target::Local(cell, desc) => seen(&stop.machine.bindings, cell, desc),
            Target::Value(seen) => seen.clone(),
            Target::Memory(variable) => {
                let horizon = Horizon::of(self, stop.moment());
                self.value_within(variable, &horizon)?.value
            }
        })
    }

    fn field_in(&self, holder: &Seen, name: &str, path: &Path) -> Result<Target, InspectError> {
        let id = object(holder, path)?;
        let is_array = self
            .class_of(id)
            .is_some_and(|class| class.starts_with('['));
        if name == "length" && is_array {
            let length = self
                .length(id)
                .and_then(|length| i32::try_from(length).ok());
            return Ok(Target::Value(match length {
                Some(length) => Seen::Known(Value::Prim(Prim::Int(length))),
                None => Seen::Unknown(Why::Earlier),
            }));
        }
        // A subclass' field hides those of the same name above.
        let field = self
            .fields(id)
            .into_iter()
            .rfind(|field| *field.name == *name);
        let field = field.ok_or_else(|| {
            let class = self.class_of(id).unwrap_or("?").replace('/', ".");
            InspectError::NoField {
                class,
                name: name.to_owned(),
            }
        })?;
        Ok(Target::Memory(Variable::Field(id, field)))
    }

    /// What the path begins with, and how many of its links that are.
    fn root(
        &self,
        stop: &Stop<'_, '_>,
        activation: &Activation,
        depth: usize,
        path: &Path,
    ) -> Result<(Target, usize), InspectError> {
        let Some(Link::Name(first)) = path.names.first() else {
            return Err(BadPath(path.to_string()).into());
        };
        if first == "this"
            && let Some(this) = &activation.this
        {
            return Ok((Target::Local(this.clone(), String::new()), 1));
        }
        let at = match depth {
            0 => stop.machine.point(&stop.replayed.tape.items[stop.item]),
            _ => activation.call.as_ref().map(|call| call.at),
        };
        let frame = frame(activation, at, &stop.machine.bindings, stop.thread);
        if let Some(local) = frame.locals.iter().find(|local| local.name == *first) {
            let cell = activation.local(local.slot).clone();
            return Ok((Target::Local(cell, local.desc.clone()), 1));
        }
        if let Some(this) = &activation.this {
            let this = stop.machine.bindings.seen(this);
            if let Ok(target) = self.field_in(&this, first, path) {
                return Ok((target, 1));
            }
        }
        let own = self.fields_of(&activation.code.owner).into_iter();
        if let Some(field) = own.filter(|f| f.is_static).find(|f| *f.name == **first) {
            return Ok((Target::Memory(Variable::Static(field)), 1));
        }
        self.static_root(path)
            .ok_or_else(|| InspectError::NoVariable {
                path: path.to_string(),
                name: first.clone(),
            })
    }

    fn static_root(&self, path: &Path) -> Option<(Target, usize)> {
        let names: Vec<&str> = path
            .names
            .iter()
            .map_while(|link| match link {
                Link::Name(name) => Some(name.as_str()),
                Link::Index(_) => None,
            })
            .collect();
        (2..=names.len()).find_map(|count| {
            let field = self.static_field(&names[..count].join("."))?;
            Some((Target::Memory(Variable::Static(field)), count))
        })
    }

    /// The activation with this name, as the number of those nested in it at a moment.
    pub fn depth_of(&self, moment: Moment, activation: EventId) -> Result<usize, InspectError> {
        let stop = Stop::at(self.player(), moment)?;
        let mut frames = stop.machine.frames.iter().rev();
        let found = frames.position(|frame| frame.began == activation.index);
        found.ok_or(InspectError::NoActivation(activation))
    }
}

fn object(holder: &Seen, path: &Path) -> Result<u64, InspectError> {
    let path = path.to_string();
    Err(match holder {
        Seen::Known(Value::Object(id)) => return Ok(*id),
        Seen::Known(Value::Null) => InspectError::ThroughNull(path),
        Seen::Known(_) => InspectError::ThroughValue(path),
        Seen::Fresh { .. } => InspectError::ThroughNew(path),
        Seen::Unknown(why) => InspectError::NotKnown { path, why: *why },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        for text in [
            "x",
            "this.next.size",
            "a[i]",
            "t[0].u[b[3].c].length",
            "Foo.count",
        ] {
            assert_eq!(text.parse::<Path>().unwrap().to_string(), text);
        }
        for bad in ["", "1", "a.", "a[", "a[]", "a[1", "a b", "a[1]]", ".a"] {
            assert!(bad.parse::<Path>().is_err(), "{bad}");
        }
    }

    #[test]
    fn indices_end_somewhere() {
        let deep = format!("{}0{}", "a[".repeat(100_000), "]".repeat(100_000));
        assert!(deep.parse::<Path>().is_err());
    }
}
