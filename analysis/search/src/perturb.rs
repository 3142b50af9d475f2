//! Runs near a failing one that do not fail: one value of its arguments is another, a little.

use jinsi_trace::model::{Content, JavaString, Prim, Value};

use jinsi_level::Level;
use jinsi_level::change::Change;

use super::shrink::{arguments, content};

/// Elements of a container that are tried.
const MOST_ELEMENTS: usize = 16;

/// Changes to the arguments of the interactions `kept`, one value each, with which the run `passes`: at most `most` of them, of at most `budget` that are
/// asked about. All that is done to one value comes behind what is done to others first, so that no value uses up the budget.
pub fn perturb(
    level: &Level,
    kept: &[u32],
    (budget, most): (usize, usize),
    passes: &mut dyn FnMut(&Change) -> bool,
) -> Vec<Change> {
    let arguments = arguments(level, kept).into_iter();
    let mut by_value: Vec<_> = arguments
        .map(|(no, index, value)| {
            let changes = match &value {
                Value::Object(id) => contents(level, *id),
                _ => {
                    let place = |value| Change::Argument { no, index, value };
                    near(&value).into_iter().map(place).collect()
                }
            };
            changes.into_iter()
        })
        .collect();
    let mut found = Vec::new();
    let mut left = budget;
    loop {
        let mut asked = false;
        for change in by_value.iter_mut().filter_map(Iterator::next) {
            if left == 0 || found.len() == most {
                return found;
            }
            (left, asked) = (left - 1, true);
            if passes(&change) {
                found.push(change);
            }
        }
        if !asked {
            return found;
        }
    }
}

/// A container without one of its elements, or with another one.
fn contents(level: &Level, id: u64) -> Vec<Change> {
    let Some(recorded) = content(level, id) else {
        return Vec::new();
    };
    let (unit, values) = match recorded {
        Content::Entries(values) => (2, values.as_slice()),
        other => (1, other.values()),
    };
    let form = |values: Vec<Value>| Change::Content {
        id,
        content: match recorded {
            Content::Array(_) => Content::Array(values),
            Content::Entries(_) => Content::Entries(values),
            _ => Content::Elements(values),
        },
    };
    let mut changes = Vec::new();
    for (at, _) in values.iter().enumerate().take(MOST_ELEMENTS) {
        if at % unit == 0 {
            let to = (at + unit).min(values.len());
            changes.push(form([&values[..at], &values[to..]].concat()));
        }
        for other in near(&values[at]) {
            let mut values = values.to_vec();
            values[at] = other;
            changes.push(form(values));
        }
    }
    changes
}

/// Values that are a little different.
fn near(value: &Value) -> Vec<Value> {
    match value {
        Value::Prim(Prim::Boolean(is)) => vec![Value::Prim(Prim::Boolean(!is))],
        Value::Prim(prim) => numbers(*prim).into_iter().map(Value::Prim).collect(),
        Value::Boxed(prim) => numbers(*prim).into_iter().map(Value::Boxed).collect(),
        Value::Str(text) => texts(&text.0),
        _ => Vec::new(),
    }
}

fn numbers(prim: Prim) -> Vec<Prim> {
    let Some(recorded) = number(prim) else {
        return Vec::new();
    };
    let all = [
        recorded.wrapping_add(1),
        recorded.wrapping_sub(1),
        0,
        1,
        recorded.wrapping_neg(),
        recorded / 2,
        recorded.wrapping_mul(2),
    ];
    let mut near: Vec<i64> = Vec::new();
    for other in all {
        if other != recorded && !near.contains(&other) {
            near.push(other);
        }
    }
    near.into_iter().filter_map(|n| with(prim, n)).collect()
}

/// A whole number as such.
fn number(prim: Prim) -> Option<i64> {
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
fn with(prim: Prim, n: i64) -> Option<Prim> {
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

fn texts(units: &[u16]) -> Vec<Value> {
    let last = units.len().saturating_sub(1);
    let mut near: Vec<&[u16]> = vec![&[]];
    if !units.is_empty() {
        let half = units.len() / 2;
        near.extend([&units[..last], &units[1..], &units[..half], &units[half..]]);
    }
    near.dedup();
    near.retain(|other| *other != units);
    let texts = near.into_iter();
    texts
        .map(|other| Value::Str(JavaString(other.into())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_is_another_value() {
        let ints = |n| numbers(Prim::Int(n));
        let near: Vec<i64> = ints(10).into_iter().filter_map(number).collect();
        assert_eq!(near, [11, 9, 0, 1, -10, 5, 20]);
        // A byte has no 128.
        let bytes = numbers(Prim::Byte(127)).into_iter().filter_map(number);
        assert!(bytes.clone().all(|n| n != 128) && bytes.count() >= 4);
        let texts: Vec<String> = texts(&JavaString::new("ab").0)
            .iter()
            .map(|text| match text {
                Value::Str(text) => text.to_string(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(texts.contains(&String::new()) && texts.contains(&"a".to_owned()));
        assert!(!texts.contains(&"ab".to_owned()));
        let turned = super::near(&Value::Prim(Prim::Boolean(true)));
        assert!(matches!(turned[..], [Value::Prim(Prim::Boolean(false))]));
    }
}
