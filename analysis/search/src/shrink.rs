//! Simpler values in what is left: texts, numbers, arrays and collections that driven interactions get, as long as the failure stays.
//!
//! One value after another is made simpler as a person would: a number becomes 0 or 1, of a long text whole clauses go, then words and
//! signs, halves first, of containers elements. What is short says something to the reader, and stays as it was recorded. The failure is the
//! whole predicate, its message included. Which changes are tried follows from the values alone, so the result is the same each time.

mod text;

use std::collections::HashSet;
use std::ops::Range;

use jinsi_trace::model::{Content, JavaString, ObjectId, Prim, Value};

use jinsi_level::change::Change;
use jinsi_level::{Level, Role, Shrunk};
use text::{clauses, is_short, parts, picked, units};

/// Clauses of a text that are tried, one after the other.
const MOST_CLAUSES: usize = 32;
/// Of longer texts, in UTF-16 units, clauses are too many to be tried one by one.
const LONG: usize = 500;
/// Numbers no farther from 0 stay as they are.
const SMALL: u64 = 1;

/// Makes values in the arguments of the interactions `kept` smaller, in `level` itself, with at most `budget` questions to `fails`: does
/// the failure stay with these changes? What was changed is in [`Level::shrunk`]. Gives the changes, all together.
pub fn shrink(
    level: &mut Level,
    kept: &[u32],
    budget: usize,
    fails: &mut dyn FnMut(&[Change]) -> bool,
) -> Vec<Change> {
    let mut shrinking = Shrinking {
        changes: Vec::new(),
        left: budget,
        fails,
    };
    for (no, index, value) in arguments(level, kept) {
        let recorded = shown(level, &value);
        let before = shrinking.changes.len();
        match &value {
            Value::Object(id) => shrinking.content(level, *id),
            _ => {
                let mut place = |value| Change::Argument { no, index, value };
                shrinking.value(&value, &mut place);
            }
        }
        let Some(change) = shrinking.changes.get(before).cloned() else {
            continue;
        };
        apply(level, &change);
        let now = match &change {
            Change::Argument { value, .. } => value,
            Change::Content { .. } => &value,
        };
        let shrunk = Shrunk {
            interaction: no,
            argument: index,
            recorded,
            shrunk: shown(level, now),
        };
        level.shrunk.push(shrunk);
    }
    shrinking.changes
}

/// Is there anything in the arguments of `kept` that could be smaller?
pub fn can_shrink(level: &Level, kept: &[u32]) -> bool {
    !arguments(level, kept).is_empty()
}

/// Arguments that can be smaller; each container once.
pub(super) fn arguments(level: &Level, kept: &[u32]) -> Vec<(u32, u32, Value)> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for &no in kept {
        let Some(interaction) = level.interactions.get(no as usize) else {
            continue;
        };
        for (index, value) in interaction.args.iter().enumerate() {
            let wanted = match value {
                Value::Object(id) => content(level, *id).is_some() && seen.insert(*id),
                Value::Prim(_) | Value::Boxed(_) | Value::Str(_) => true,
                Value::Null | Value::Class(_) => false,
            };
            if wanted {
                found.push((no, index as u32, value.clone()));
            }
        }
    }
    found
}

/// What a container holds, if that can be changed.
pub(super) fn content(level: &Level, id: ObjectId) -> Option<&Content> {
    let content = match &level.objects.get(&id)?.role {
        Role::Array { initial } | Role::Natural { initial } => initial.as_ref()?,
        _ => return None,
    };
    let simple = content
        .values()
        .iter()
        .all(|v| !matches!(v, Value::Class(_)));
    (simple
        && !matches!(
            content,
            Content::Text(_) | Content::Fields(_) | Content::TooLarge { .. }
        ))
    .then_some(content)
}

fn apply(level: &mut Level, change: &Change) {
    match change {
        Change::Argument { no, index, value } => {
            if let Some(argument) = level
                .interactions
                .get_mut(*no as usize)
                .and_then(|i| i.args.get_mut(*index as usize))
            {
                *argument = value.clone();
            }
        }
        Change::Content { id, content } => {
            if let Some(object) = level.objects.get_mut(id) {
                if object.length.is_some() {
                    object.length = Some(content.values().len() as u32);
                }
                if let Role::Array { initial } | Role::Natural { initial } = &mut object.role {
                    *initial = Some(content.clone());
                }
            }
        }
    }
}

/// A value as a person reads it, in short.
fn shown(level: &Level, value: &Value) -> String {
    const LONG: usize = 40;
    let text = match value {
        Value::Prim(p) | Value::Boxed(p) => {
            number(*p).map_or_else(|| format!("{p:?}"), |n| n.to_string())
        }
        Value::Str(text) => format!("\"{}\"", readable(text)),
        Value::Object(id) => match content(level, *id).map(|c| c.values()) {
            Some(values) if values.len() == 1 => "1 element".into(),
            values => format!("{} elements", values.map_or(0, <[Value]>::len)),
        },
        Value::Null | Value::Class(_) => String::new(),
    };
    if text.chars().count() <= LONG {
        return text;
    }
    let begin: String = text.chars().take(LONG).collect();
    format!("{begin}… ({} characters)", text.chars().count())
}

/// The text; what is left of a pair of surrogates as Java source has it.
fn readable(text: &JavaString) -> String {
    char::decode_utf16(text.0.iter().copied())
        .map(|c| {
            c.map_or_else(
                |lone| format!("\\u{:04x}", lone.unpaired_surrogate()),
                String::from,
            )
        })
        .collect()
}

struct Shrinking<'f> {
    changes: Vec<Change>,
    left: usize,
    fails: &'f mut dyn FnMut(&[Change]) -> bool,
}

impl Shrinking<'_> {
    /// Does the failure stay with `change` as well? Then it replaces what was done to the same place before.
    fn keeps(&mut self, change: Change, at: usize) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let replaced = (at < self.changes.len()).then(|| self.changes[at].clone());
        self.changes.truncate(at);
        self.changes.push(change);
        let stays = (self.fails)(&self.changes);
        if !stays {
            self.changes.pop();
            self.changes.extend(replaced);
        }
        stays
    }

    /// Makes one value smaller; `place` says where it stands.
    fn value(&mut self, value: &Value, place: &mut dyn FnMut(Value) -> Change) -> Value {
        let at = self.changes.len();
        self.value_at(value, place, at)
    }

    fn value_at(
        &mut self,
        value: &Value,
        place: &mut dyn FnMut(Value) -> Change,
        at: usize,
    ) -> Value {
        match value {
            Value::Str(text) if is_short(&text.0) => value.clone(),
            Value::Str(text) => {
                let joined = |parts: &[Range<usize>]| text_of(&picked(&text.0, parts));
                let left = self.text(&text.0, at, &mut |parts| place(joined(parts)));
                joined(&left)
            }
            Value::Prim(prim) => self
                .number(*prim, at, &mut |p| place(Value::Prim(p)))
                .map_or_else(|| value.clone(), Value::Prim),
            Value::Boxed(prim) => self
                .number(*prim, at, &mut |p| place(Value::Boxed(p)))
                .map_or_else(|| value.clone(), Value::Boxed),
            other => other.clone(),
        }
    }

    /// 0, 1, or -1 for a negative number, if the failure stays with it.
    fn number(
        &mut self,
        prim: Prim,
        at: usize,
        place: &mut dyn FnMut(Prim) -> Change,
    ) -> Option<Prim> {
        let recorded = number(prim)?;
        if recorded.unsigned_abs() <= SMALL {
            return None;
        }
        let simple = [0, 1, -1].into_iter().filter(|&n| n >= recorded.min(0));
        let mut simple = simple.filter_map(|n| with(prim, n));
        simple.find(|&p| self.keeps(place(p), at))
    }

    /// Leaves out clauses, then words and signs, until the text is short. Gives the parts that are left, ranges of its units.
    fn text(
        &mut self,
        units: &[u16],
        at: usize,
        place: &mut dyn FnMut(&[Range<usize>]) -> Change,
    ) -> Vec<Range<usize>> {
        let mut left = parts(units);
        let enough = |parts: &[Range<usize>]| is_short(&picked(units, parts));
        let mut refused = 0;
        while units.len() <= LONG && !enough(&left) && self.left > 0 {
            let clauses = clauses(units, &left);
            let Some(clause) = clauses.into_iter().take(MOST_CLAUSES).nth(refused) else {
                break;
            };
            let rest = [&left[..clause.start], &left[clause.end..]].concat();
            match self.keeps(place(&rest), at) {
                true => (left, refused) = (rest, 0),
                false => refused += 1,
            }
        }
        self.list(&left, 1, at, &enough, place)
    }

    /// Leaves out runs of `unit` items each, the longest runs first, until there is `enough` left. Gives what is left.
    fn list<T: Clone>(
        &mut self,
        items: &[T],
        unit: usize,
        at: usize,
        enough: &dyn Fn(&[T]) -> bool,
        place: &mut dyn FnMut(&[T]) -> Change,
    ) -> Vec<T> {
        let mut items = items.to_vec();
        let mut run = items.len() / unit;
        while run > 0 && self.left > 0 {
            let mut from = 0;
            while from < items.len() && !enough(&items) {
                let to = (from + run * unit).min(items.len());
                let rest = [&items[..from], &items[to..]].concat();
                if self.keeps(place(&rest), at) {
                    items = rest;
                } else {
                    from = to;
                }
            }
            run /= 2;
        }
        items
    }

    fn content(&mut self, level: &Level, id: ObjectId) {
        let Some(recorded) = content(level, id) else {
            return;
        };
        let at = self.changes.len();
        let (values, unit): (&[Value], usize) = match recorded {
            Content::Entries(values) => (values, 2),
            other => (other.values(), 1),
        };
        let form = |values: Vec<Value>| match recorded {
            Content::Array(_) => Content::Array(values),
            Content::Entries(_) => Content::Entries(values),
            _ => Content::Elements(values),
        };
        let place = |values: Vec<Value>| Change::Content {
            id,
            content: form(values),
        };
        if let Some(text) = units(values) {
            self.text(&text, at, &mut |parts| place(picked(values, parts)));
            return;
        }
        let never = |_: &[Value]| false;
        let mut values = self.list(values, unit, at, &never, &mut |rest| place(rest.to_vec()));
        for i in 0..values.len() {
            let others = values.clone();
            values[i] = self.value_at(
                &others[i],
                &mut |value| {
                    let mut values = others.clone();
                    values[i] = value;
                    place(values)
                },
                at,
            );
        }
    }
}

fn text_of(units: &[u16]) -> Value {
    Value::Str(JavaString(units.into()))
}

/// A whole number as such.
pub(super) fn number(prim: Prim) -> Option<i64> {
    match prim {
        Prim::Byte(n) => Some(n.into()),
        Prim::Short(n) => Some(n.into()),
        Prim::Int(n) => Some(n.into()),
        Prim::Long(n) => Some(n),
        Prim::Float(n) if n.fract() == 0.0 && n.abs() < 1e6 => Some(n as i64),
        Prim::Double(n) if n.fract() == 0.0 && n.abs() < 1e15 => Some(n as i64),
        Prim::Boolean(_) | Prim::Char(_) | Prim::Float(_) | Prim::Double(_) => None,
    }
}

/// `n` as a value of the type of `prim`.
pub(super) fn with(prim: Prim, n: i64) -> Option<Prim> {
    Some(match prim {
        Prim::Byte(_) => Prim::Byte(n.try_into().ok()?),
        Prim::Short(_) => Prim::Short(n.try_into().ok()?),
        Prim::Int(_) => Prim::Int(n.try_into().ok()?),
        Prim::Long(_) => Prim::Long(n),
        Prim::Float(_) => Prim::Float(n as f32),
        Prim::Double(_) => Prim::Double(n as f64),
        Prim::Boolean(_) | Prim::Char(_) => return None,
    })
}

#[cfg(test)]
mod tests;
