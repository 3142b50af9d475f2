//! Events and values of a trace as text for people.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use jinsi_trace::model::{
    ClassNo, Content, Event, EventKind, MarkDef, ObjectId, Payload, Phase, Prim, Site, Value,
};
use jinsi_trace::order::Stamp;
use jinsi_trace::reader::{ReadError, Trace};

/// Strings and contents are cut after so many characters or elements.
const CUT: usize = 60;

/// Objects whose classes are remembered: a trace of any length is read in bounded memory.
const REMEMBERED: usize = 1 << 20;

/// What is known of objects: their classes, and the texts of enum constants and of values of the JDK's.
#[derive(Debug, Default)]
pub struct Objects {
    classes: HashMap<ObjectId, ClassNo>,
    texts: HashMap<ObjectId, String>,
}

impl Objects {
    /// These objects of a trace.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn of(trace: &Trace, wanted: &BTreeSet<ObjectId>) -> Result<Self, ReadError> {
        let mut objects = Self::default();
        for thread in trace.threads() {
            for event in trace.events(thread.no) {
                // What an object holds comes right behind its definition.
                let event = event?;
                let is_content = matches!(event.payload, Payload::Content { .. });
                if objects.classes.len() == wanted.len() && !is_content {
                    return Ok(objects);
                }
                objects.learn(&event, |id| wanted.contains(&id));
            }
        }
        Ok(objects)
    }

    /// Takes what an event says of objects that are wanted.
    fn learn(&mut self, event: &Event, is_wanted: impl Fn(ObjectId) -> bool) {
        match &event.payload {
            Payload::Define { id, class, .. }
                if is_wanted(*id) && self.classes.len() < REMEMBERED =>
            {
                self.classes.entry(*id).or_insert(*class);
            }
            Payload::Content {
                id,
                content: Content::Text(text),
            } if self.classes.contains_key(id) => {
                self.texts.insert(*id, cut(&text.to_string()));
            }
            _ => {}
        }
    }

    /// The class of an object, without its package.
    fn class(&self, trace: &Trace, id: ObjectId) -> Option<String> {
        let class = trace.class(*self.classes.get(&id)?)?;
        Some(simple(&class.name))
    }

    /// These objects as a person would write them: numbers stand only behind different ones that look the same.
    pub fn names(&self, trace: &Trace) -> BTreeMap<ObjectId, String> {
        let mut names = BTreeMap::new();
        let mut same: BTreeMap<String, usize> = BTreeMap::new();
        for id in self.classes.keys() {
            let Some(class) = self.class(trace, *id) else {
                continue;
            };
            let text = self.texts.get(id);
            if text.is_none() {
                *same.entry(class.clone()).or_default() += 1;
            }
            names.insert(*id, text.cloned().unwrap_or(class));
        }
        for (id, name) in &mut names {
            let several = same.get(name.as_str()).is_some_and(|count| *count > 1);
            if several && !self.texts.contains_key(id) {
                name.push_str(&format!(" #{id}"));
            }
        }
        names
    }
}

/// Writes events of one trace.
pub struct Describer<'a> {
    trace: &'a Trace,
    /// What the events have said of objects, of those that it was told of.
    objects: RefCell<Objects>,
}

impl<'a> Describer<'a> {
    /// For events of `trace`.
    pub fn new(trace: &'a Trace) -> Self {
        Self {
            trace,
            objects: RefCell::default(),
        }
    }

    /// Takes what an event says of objects: from there on their names say what they are.
    pub fn learn(&self, event: &Event) {
        self.objects.borrow_mut().learn(event, |_| true);
    }

    /// Where a site is: `pkg.Class.method(File.java:12)`.
    pub fn location(&self, site: &Site) -> String {
        let class = self.trace.class(site.class);
        let name = class.map_or_else(|| "?".into(), |c| dotted(&c.name));
        let file = class
            .and_then(|c| c.source_file.as_deref())
            .unwrap_or("Unknown Source");
        match site.line {
            0 => format!("{name}.{}({file})", site.method),
            line => format!("{name}.{}({file}:{line})", site.method),
        }
    }

    /// One event: what was called or accessed, with which values.
    pub fn event(&self, event: &Event) -> String {
        let site = self.trace.site_of(event);
        match &event.payload {
            Payload::Define { id, class, length } => {
                let name = self
                    .trace
                    .class(*class)
                    .map_or_else(|| "?".into(), |c| dotted(&c.name));
                match length {
                    Some(n) => format!("#{id} = {name} of length {n}"),
                    None => format!("#{id} = {name}"),
                }
            }
            Payload::Content { id, content } => format!("#{id} holds {}", self.content(content)),
            Payload::Operands(values) => match site {
                None if event.kind == EventKind::Order => order(event),
                None if event.kind == EventKind::Mark => self.mark(values),
                Some(site) => self.operands(event.kind, site, values),
                None => self.list(values),
            },
        }
    }

    fn mark(&self, values: &[Value]) -> String {
        let word = match values {
            [Value::Prim(word)] => Phase::of_word(word.to_word()),
            _ => None,
        };
        let Some((test, phase)) = word else {
            return self.list(values);
        };
        let name = self
            .trace
            .mark(test)
            .map_or_else(|| format!("test {test}"), MarkDef::full_name);
        let what = match phase {
            Phase::Begin => "begins",
            Phase::End => "has ended",
            Phase::Failed => "has failed",
        };
        format!("{name} {what}")
    }

    fn operands(&self, kind: EventKind, site: &Site, values: &[Value]) -> String {
        let owner = dotted(&site.target.owner);
        let name = &site.target.name;
        match (kind, values) {
            (EventKind::Enter | EventKind::Call, values) => {
                format!("{owner}.{name}({})", self.list(values))
            }
            (EventKind::Path, [path, at @ Value::Prim(_), ..]) => format!(
                "{owner}.{name} by path {}, thrown at {}",
                self.value(path),
                self.value(at)
            ),
            (EventKind::Path, [path, ..]) => {
                format!("{owner}.{name} by path {}", self.value(path))
            }
            (EventKind::Exit | EventKind::CallExit, []) => format!("{owner}.{name} returns"),
            (EventKind::Exit | EventKind::CallExit, [v]) => {
                format!("{owner}.{name} returns {}", self.value(v))
            }
            (EventKind::GetField, [object, v]) => {
                format!("{}.{name} gives {}", self.value(object), self.value(v))
            }
            (EventKind::PutField, [object, v]) => {
                format!("{}.{name} = {}", self.value(object), self.value(v))
            }
            (EventKind::Given, [v]) if name.is_empty() => format!("gives {}", self.value(v)),
            (EventKind::GetStatic | EventKind::Given, [v]) => {
                format!("{owner}.{name} gives {}", self.value(v))
            }
            (EventKind::PutStatic, [v]) => format!("{owner}.{name} = {}", self.value(v)),
            (EventKind::ArrayLoad, [array, i, v]) => {
                format!(
                    "{}[{}] gives {}",
                    self.value(array),
                    self.value(i),
                    self.value(v)
                )
            }
            (EventKind::ArrayStore, [array, i, v]) => {
                format!(
                    "{}[{}] = {}",
                    self.value(array),
                    self.value(i),
                    self.value(v)
                )
            }
            (_, values) => format!("{owner}.{name} {}", self.list(values)),
        }
    }

    fn content(&self, content: &Content) -> String {
        match content {
            Content::Text(text) => quoted(&text.to_string()),
            Content::Fields(fields) => {
                let all = fields.iter().map(|(field, value)| {
                    let class = self.trace.class(field.class);
                    let class = class.map_or_else(|| "?".into(), |c| dotted(&c.name));
                    format!("{class}.{} = {}", field.name, self.value(value))
                });
                format!("{{{}}}", all.collect::<Vec<_>>().join(", "))
            }
            Content::TooLarge { len } => format!("{len} elements, too many to be recorded"),
            Content::Entries(values) => {
                let pairs = values.chunks(2).take(CUT / 4).map(|p| {
                    p.iter()
                        .map(|v| self.value(v))
                        .collect::<Vec<_>>()
                        .join("=")
                });
                format!(
                    "{{{}{}}}",
                    pairs.collect::<Vec<_>>().join(", "),
                    more(values.len() / 2, CUT / 4)
                )
            }
            Content::Array(values) | Content::Elements(values) => {
                let shown: Vec<_> = values.iter().take(CUT / 4).map(|v| self.value(v)).collect();
                format!("[{}{}]", shown.join(", "), more(values.len(), CUT / 4))
            }
        }
    }

    fn list(&self, values: &[Value]) -> String {
        values
            .iter()
            .map(|v| self.value(v))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// One value: literals as in Java, objects by identity.
    pub fn value(&self, value: &Value) -> String {
        match value {
            Value::Null => "null".into(),
            Value::Prim(p) | Value::Boxed(p) => prim(*p),
            Value::Str(s) => quoted(&s.to_string()),
            Value::Class(no) => self.trace.class(*no).map_or_else(
                || "?.class".into(),
                |c| format!("{}.class", dotted(&c.name)),
            ),
            Value::Object(id) => self.object(*id),
        }
    }

    /// An enum constant, or a value of the JDK's, as it is; another object by its number, and its class if that is known.
    fn object(&self, id: ObjectId) -> String {
        let objects = self.objects.borrow();
        let known = objects.texts.get(&id).cloned();
        known.unwrap_or_else(|| {
            let class = objects.class(self.trace, id).unwrap_or_default();
            format!("{class}#{id}")
        })
    }
}

fn order(event: &Event) -> String {
    Stamp::of(event).map_or_else(String::new, |stamp| {
        let what = if stamp.is_acquire() {
            "acquire"
        } else {
            "release"
        };
        format!("{what} {}", stamp.value())
    })
}

fn more(len: usize, shown: usize) -> String {
    if len > shown {
        format!(", … {} more", len - shown)
    } else {
        String::new()
    }
}

fn dotted(internal: &str) -> String {
    internal.replace('/', ".")
}

fn prim(value: Prim) -> String {
    match value {
        Prim::Boolean(v) => v.to_string(),
        Prim::Byte(v) => v.to_string(),
        Prim::Short(v) => v.to_string(),
        Prim::Int(v) => v.to_string(),
        Prim::Long(v) => format!("{v}L"),
        Prim::Float(v) => format!("{v}f"),
        Prim::Double(v) => format!("{v:?}"),
        Prim::Char(v) => char::from_u32(u32::from(v))
            .map_or_else(|| format!("'\\u{v:04x}'"), |c| format!("{c:?}")),
    }
}

/// The name of a class without its package, and without the class that it is in; of an array, of its elements with `[]`. The class of a lambda
/// has none: `lambda`.
pub fn simple(internal: &str) -> String {
    let element = internal.trim_start_matches('[');
    let dimensions = internal.len() - element.len();
    if element.contains("$$Lambda") {
        return "lambda".to_owned() + &"[]".repeat(dimensions);
    }
    // The address of a hidden class is another one in each run.
    let element = element.split("/0x").next().unwrap_or_default();
    let name = match (dimensions, element) {
        (0, class) => class,
        (_, "Z") => "boolean",
        (_, "B") => "byte",
        (_, "C") => "char",
        (_, "S") => "short",
        (_, "I") => "int",
        (_, "J") => "long",
        (_, "F") => "float",
        (_, "D") => "double",
        // Once: a class may be called `Lock`, in no package.
        (_, class) => class
            .strip_prefix('L')
            .unwrap_or(class)
            .trim_end_matches(';'),
    };
    let name = name.rsplit('/').next().unwrap_or_default();
    let inner = name.rsplit('$').next().unwrap_or_default();
    // `Outer$1` has no name of its own.
    let named = match inner.starts_with(|c: char| c.is_ascii_digit()) || inner.is_empty() {
        true => name,
        false => inner,
    };
    named.to_owned() + &"[]".repeat(dimensions)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(CUT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn quoted(text: &str) -> String {
    let cut: String = text.chars().take(CUT).collect();
    if cut.len() < text.len() {
        format!("{cut:?}…")
    } else {
        format!("{cut:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_without_their_packages() {
        for (internal, name) in [
            ("shop/Product", "Product"),
            ("java/util/Map$Entry", "Entry"),
            ("shop/Cart$1", "Cart$1"),
            ("Main", "Main"),
            ("[Ljava/lang/String;", "String[]"),
            ("[[I", "int[][]"),
            ("[LLock;", "Lock[]"),
            ("shop/Cart$$Lambda$25/0x00007f337c08c6c8", "lambda"),
            ("shop/Cart$$Lambda/0x00007f337c08c6c8", "lambda"),
            ("shop/Made/0x0000000801000000", "Made"),
        ] {
            assert_eq!(simple(internal), name);
        }
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(cut("ü"), "ü");
        assert_eq!(cut(&"ü".repeat(CUT + 1)), format!("{}…", "ü".repeat(CUT)));
    }
}
