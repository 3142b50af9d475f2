//! Smaller values in what is left: long texts, arrays and collections that driven interactions get, where it is provable that this does no harm.
//!
//! Recorded values stay. They are what the program is used with: a repaired program may refuse `0` where there was `10`, and half a document.
//! Only a text of more than `LONG_TEXT` units and a container of more than `LONG_CONTENT` elements are made shorter, and only if the run with
//! the rest fails as recorded and goes the same way through the program, each branch and line of it. A text loses what its form allows
//! (`form`), so that a document stays one. What lies behind the last part that was read stays as it was: it is what a repaired program goes on
//! with. Which changes are tried follows from the values alone, so the result is the same each time.

mod form;

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use jinsi_trace::model::{Content, JavaString, ObjectId, Value};

use form::{pieces, units};
use jinsi_level::change::Change;
use jinsi_level::{Level, Role, Shrunk};

/// UTF-16 units that a text may have and stay as it is: some five lines of a page.
const LONG_TEXT: usize = 400;
/// Elements that an array or a collection may have and stay as it is.
const LONG_CONTENT: usize = 40;

/// Makes long values in the arguments of the interactions `kept` smaller, in `level` itself, with at most `budget` questions to `same`: with
/// these changes, does the run fail as recorded and go the same way? What was changed is in [`Level::shrunk`]. Gives the changes, all together.
pub fn shrink(
    level: &mut Level,
    kept: &[u32],
    budget: usize,
    same: &mut dyn FnMut(&[Change]) -> bool,
) -> Vec<Change> {
    let mut shrinking = Shrinking {
        changes: Vec::new(),
        left: budget,
        same,
    };
    for (no, index, value) in arguments(level, kept) {
        let recorded = shown(level, &value);
        let change = match &value {
            Value::Object(id) => shrinking.content(level, *id),
            Value::Str(text) => shrinking.text(&text.0, &mut |units| Change::Argument {
                no,
                index,
                value: Value::Str(JavaString(units.into())),
            }),
            _ => None,
        };
        let Some(change) = change else { continue };
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
    arguments(level, kept)
        .iter()
        .any(|(_, _, value)| match value {
            Value::Str(text) => text.0.len() > LONG_TEXT,
            Value::Object(id) => {
                content(level, *id).is_some_and(|c| c.values().len() > LONG_CONTENT)
            }
            _ => false,
        })
}

/// Arguments that can be other ones; each container once.
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
        Value::Str(text) => format!("\"{}\"", readable(text)),
        Value::Object(id) => {
            let values = content(level, *id).map_or(0, |c| c.values().len());
            format!("{values} elements")
        }
        _ => String::new(),
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
    /// One for each value that is smaller.
    changes: Vec<Change>,
    left: usize,
    same: &'f mut dyn FnMut(&[Change]) -> bool,
}

impl Shrinking<'_> {
    /// Is the run the same with `change` as well?
    fn keeps(&mut self, change: Change) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.changes.push(change);
        let stays = (self.same)(&self.changes);
        self.changes.pop();
        stays
    }

    fn text(&mut self, units: &[u16], place: &mut dyn FnMut(Vec<u16>) -> Change) -> Option<Change> {
        if units.len() <= LONG_TEXT {
            return None;
        }
        self.cut(&pieces(units)?, &mut |without| place(rest(units, without)))
    }

    fn content(&mut self, level: &Level, id: ObjectId) -> Option<Change> {
        let recorded = content(level, id)?;
        let (values, unit): (&[Value], usize) = match recorded {
            Content::Entries(values) => (values, 2),
            other => (other.values(), 1),
        };
        if values.len() <= LONG_CONTENT {
            return None;
        }
        let place = |without: &[Range<usize>]| {
            let values = rest(values, without);
            let content = match recorded {
                Content::Array(_) => Content::Array(values),
                Content::Entries(_) => Content::Entries(values),
                _ => Content::Elements(values),
            };
            Change::Content { id, content }
        };
        let pieces = match units(values) {
            Some(text) => pieces(&text)?,
            None => (0..values.len() / unit)
                .map(|at| at * unit..(at + 1) * unit)
                .collect(),
        };
        self.cut(&pieces, &mut |without| place(without))
    }

    /// Leaves out what can be of the `pieces`, which are in the order in which they begin; one may lie within another. Gives the change that
    /// leaves out most, which is among the changes then.
    fn cut(
        &mut self,
        pieces: &[Range<usize>],
        place: &mut dyn FnMut(&[Range<usize>]) -> Change,
    ) -> Option<Change> {
        let mut read = pieces[..self.read(pieces, place)].to_vec();
        read.sort_by_key(|piece| (Reverse(piece.len()), piece.start));
        let mut without: Vec<Range<usize>> = Vec::new();
        for piece in read {
            let inside = |out: &Range<usize>| out.start <= piece.start && piece.end <= out.end;
            if without.iter().any(inside) {
                continue;
            }
            without.push(piece);
            if !self.keeps(place(&without)) {
                without.pop();
            }
        }
        let change = (!without.is_empty()).then(|| place(&without))?;
        self.changes.push(change.clone());
        Some(change)
    }

    /// How many of the pieces begin up to where the last one does that was read: without it the run is another one. What is behind was not.
    fn read(
        &mut self,
        pieces: &[Range<usize>],
        place: &mut dyn FnMut(&[Range<usize>]) -> Change,
    ) -> usize {
        let (mut least, mut most) = (0, pieces.len());
        while least < most {
            let middle = least + (most - least) / 2;
            match self.keeps(place(&pieces[middle..])) {
                true => most = middle,
                false => least = middle + 1,
            }
        }
        least
    }
}

/// What is left of `all` without these.
fn rest<T: Clone>(all: &[T], without: &[Range<usize>]) -> Vec<T> {
    let mut stays = vec![true; all.len()];
    without
        .iter()
        .for_each(|range| stays[range.clone()].fill(false));
    let left = all.iter().zip(stays).filter(|(_, stays)| *stays);
    left.map(|(item, _)| item.clone()).collect()
}

#[cfg(test)]
mod tests;
