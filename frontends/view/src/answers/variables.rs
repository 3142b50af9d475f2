//! Variables: what a call changed, what is in an object, what a variable ever held, and where a value came from.

use jinsi_answers::named;
use jinsi_inspect::{Change, Entry, Holds, Mark, Moment, Path, Seen, Variable, What};
use jinsi_trace::model::{EventId, ObjectId, Value as Recorded};
use serde_json::{Value, json};

use super::{Answer, Answers, Refusal, asked_call};
use crate::query::Query;

/// Rows of an answer at most.
const ROWS: usize = 200;
/// Objects that are looked into for changes: a page is not waited for.
const LOOKED_INTO: usize = 400;
/// Changed variables that are reported in all.
const CHANGES: usize = 2000;
/// What a call did that is looked at for a local variable.
const DEEDS: usize = 100_000;
/// Steps back to where a value came from.
const STEPS: usize = 20;

/// All that a variable ever held.
pub(super) struct VariableHistory {
    rows: Vec<Value>,
    variable: Option<String>,
}

impl Answers<'_, '_> {
    /// The variables of a call, with what they held when it began and at a moment, or at its end.
    pub(super) fn variables(&self, query: &Query) -> Answer {
        let call = asked_call(query)?;
        let until: Option<Moment> = query.read("until")?;
        let activation = self.inspector.activation(call)?;
        // Of a moment outside of the call what it has done by its end is reported.
        let until = until.filter(|until| {
            *until >= Moment::after(call) && activation.end.is_none_or(|end| *until < end)
        });
        let mut changes = self.inspector.changes_among(call, until, LOOKED_INTO)?;
        changes.extend(self.inspector.changes_of_statics(call, until)?);
        let mut left = CHANGES;
        let rows: Vec<Value> = changes
            .iter()
            .map(|change| self.change(change, None, &mut left))
            .collect();
        let outcome = match until {
            None => self.outcome(&activation)?,
            Some(_) => Value::Null,
        };
        Ok(json!({
            "from": Moment::after(call).to_string(),
            "until": until.or(activation.end).map(|until| until.to_string()),
            "whole": until.is_none(),
            "rows": rows,
            "outcome": outcome,
            "cut": left == 0,
        }))
    }

    fn change(&self, change: &Change, parent: Option<&Change>, left: &mut usize) -> Value {
        let mut below = Vec::new();
        for inner in &change.below {
            if *left == 0 {
                break;
            }
            *left -= 1;
            below.push(self.change(inner, Some(change), left));
        }
        // Below an object variables have names of their own.
        let variable = parent.and_then(|parent| {
            let object = object(&parent.new)?;
            let link = change.name.strip_prefix(parent.name.as_str())?;
            Some(format!("#{object}{link}"))
        });
        let is_static = parent.is_none() && change.name.contains('.');
        json!({
            "name": change.name,
            "variable": variable.or_else(|| is_static.then(|| change.name.clone())),
            "old": self.shown(&change.old),
            "new": self.shown(&change.new),
            "mark": mark(change.mark),
            "why": (change.mark == Mark::Unknown && change.old == change.new)
                .then_some("too many objects to look through below it"),
            "below": below,
        })
    }

    /// What an object holds at two moments: fields or elements, a part of them.
    pub(super) fn inside(&self, query: &Query) -> Answer {
        let id: ObjectId = query.need("object")?;
        let (old, new): (Moment, Moment) = (query.need("old")?, query.need("new")?);
        let from: u32 = query.read("from")?.unwrap_or(0);
        let most = query.most(ROWS)? as u32;
        let range = from..from.saturating_add(most);
        let now = self.inspector.object(id, new, range.clone())?;
        let then = self.inspector.object(id, old, range)?;
        let (links, more, note) = match &now.holds {
            Holds::Fields(fields, missing) => {
                let links = fields.iter();
                let links = links.map(|(field, seen)| (format!(".{}", field.name), seen.clone()));
                let note = missing.then_some("other fields are of classes that are not recorded");
                (links.collect::<Vec<_>>(), None, note.map(str::to_owned))
            }
            Holds::Elements(elements, length) => {
                let links = elements.iter();
                let links = links.map(|(index, seen)| (format!("[{index}]"), seen.clone()));
                let links: Vec<_> = links.collect();
                let next = from.saturating_add(links.len() as u32);
                let more = length.filter(|length| *length > next).map(|_| next);
                (links, more, None)
            }
            Holds::Content(content, at) => {
                let values = content.values().iter().skip(from as usize);
                let values = values.take(most as usize).enumerate();
                let links = values.map(|(place, value)| {
                    let place = from as usize + place;
                    (format!("({place})"), Seen::Known(value.clone()))
                });
                let note = format!("as recorded at {at}; it may have changed since");
                (links.collect(), None, Some(note))
            }
            Holds::Opaque => (
                Vec::new(),
                None,
                Some("nothing is recorded of it".to_owned()),
            ),
        };
        let before = held_then(&then.holds);
        let rows = links.iter().enumerate().map(|(place, (link, new))| {
            let old = before.get(place).cloned();
            let old = old.unwrap_or_else(|| new.clone());
            let is_variable = !link.starts_with('(');
            json!({
                "name": link,
                "variable": is_variable.then(|| format!("#{id}{link}")),
                "old": self.shown(&old),
                "new": self.shown(new),
                "mark": if old == *new { "same" } else { "changed" },
                "below": [],
            })
        });
        Ok(json!({
            "class": jinsi_answers::dotted(&now.class),
            "rows": rows.collect::<Vec<_>>(),
            "more": more,
            "note": note,
        }))
    }

    /// The value of an expression at a moment, in a call or the innermost one.
    pub(super) fn value(&self, query: &Query) -> Answer {
        let at: Moment = query.need("at")?;
        let path: Path = query.need("path")?;
        let depth = match query.read::<EventId>("call")? {
            Some(call) => self.inspector.depth_of(at, call)?,
            None => 0,
        };
        let seen = self.inspector.evaluate(at, depth, &path)?;
        Ok(json!({ "name": path.to_string(), "value": self.shown(&seen) }))
    }

    /// All that a variable ever held: one by its own name, or an expression of a call.
    pub(super) fn history(&self, query: &Query) -> Answer {
        let most = query.most(ROWS)?;
        let skip: usize = query.read("skip")?.unwrap_or(0);
        let what: String = query.need("what")?;
        let part = |name: &str| query.get(name).unwrap_or_default().to_owned();
        let key = format!("{what} {} {}", part("call"), part("at"));
        let kept = self.history.borrow().clone();
        let reported = match kept.filter(|(of, _)| *of == key) {
            Some((_, reported)) => reported,
            None => std::rc::Rc::new(self.reported(&what, query)?),
        };
        *self.history.borrow_mut() = Some((key, std::rc::Rc::clone(&reported)));
        let rows: Vec<&Value> = reported.rows.iter().skip(skip).take(most).collect();
        let next = skip.saturating_add(rows.len());
        Ok(json!({
            "what": what,
            "variable": reported.variable,
            "count": reported.rows.len(),
            "rows": rows,
            "more": (reported.rows.len() > next).then(|| next.to_string()),
        }))
    }

    fn reported(&self, what: &str, query: &Query) -> Result<VariableHistory, Refusal> {
        if query.get("call").is_none() {
            let mut rows = Vec::new();
            let all = named(self.inspector, what)?;
            let only = (all.len() == 1).then(|| all[0].1.to_string());
            for (name, variable) in all {
                rows.extend(self.entries(&name, &variable)?);
            }
            return Ok(VariableHistory {
                rows,
                variable: only,
            });
        }
        let call = asked_call(query)?;
        let until: Option<Moment> = query.read("at")?;
        let local = self.local(call, what)?;
        if !local.is_empty() {
            return Ok(VariableHistory {
                rows: local,
                variable: None,
            });
        }
        let at = self.inspector.last_of_activation(call, until)?;
        let depth = self.inspector.depth_of(at, call)?;
        let path: Path = what.parse()?;
        let Some(variable) = self.inspector.variable(at, depth, &path)? else {
            return Ok(VariableHistory {
                rows: Vec::new(),
                variable: None,
            });
        };
        Ok(VariableHistory {
            rows: self.entries(what, &variable)?,
            variable: Some(variable.to_string()),
        })
    }

    /// What a call wrote into a local variable: it is nobody else's.
    fn local(&self, call: EventId, name: &str) -> Result<Vec<Value>, Refusal> {
        let activation = self.inspector.activation(call)?;
        let all = self
            .inspector
            .activation_events(call, Moment::after(call), DEEDS)?;
        let rows = all.iter().filter_map(|one| match &one.what {
            What::Wrote {
                name: of,
                variable: None,
                value,
            } if of == name => Some(json!({
                "name": name,
                "value": self.shown(value),
                "before": one.before.to_string(),
                "after": one.after.to_string(),
                "call": call.to_string(),
                "method": super::method(&activation.method),
                "line": one.line,
            })),
            _ => None,
        });
        Ok(rows.collect())
    }

    fn entries(&self, name: &str, variable: &Variable) -> Result<Vec<Value>, Refusal> {
        let all = self.inspector.history(variable)?;
        Ok(all.iter().map(|entry| self.entry(name, entry)).collect())
    }

    fn entry(&self, name: &str, entry: &Entry) -> Value {
        let by = entry.by.as_ref();
        json!({
            "name": name,
            "value": self.shown(&entry.value),
            "before": entry.before.to_string(),
            "after": entry.after.to_string(),
            "call": by.map(|by| by.activation.to_string()),
            "method": by.map(|by| super::method(&by.method)),
            "line": by.map(|by| by.line),
            "told": entry.reported,
        })
    }

    /// Where the value of a variable came from, step by step.
    pub(super) fn origin(&self, query: &Query) -> Answer {
        let what: String = query.need("what")?;
        let origin = match (query.read::<EventId>("call")?, query.read::<Moment>("at")?) {
            (_, None) => return Err(Refusal::bad("at= is missing".to_owned())),
            (None, Some(at)) => {
                let mut all = named(self.inspector, &what)?;
                match (all.pop(), all.is_empty()) {
                    (Some((_, variable)), true) => {
                        self.inspector.origin_in_memory(&variable, at)?
                    }
                    _ => return Err(Refusal::bad(format!("{what}: one field or element"))),
                }
            }
            (Some(call), Some(at)) => {
                let path: Path = what.parse()?;
                let at = match self.inspector.depth_of(at, call) {
                    Ok(_) => at,
                    Err(_) => self.inspector.last_of_activation(call, Some(at))?,
                };
                let depth = self.inspector.depth_of(at, call)?;
                self.inspector.origin(at, depth, &path)?
            }
        };
        let steps = jinsi_answers::origin::steps(&self.writer, origin, STEPS)?;
        Ok(json!({ "what": what, "steps": steps }))
    }
}

fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Same => "same",
        Mark::Below => "below",
        Mark::Changed => "changed",
        Mark::Unknown => "unknown",
    }
}

fn object(seen: &Seen) -> Option<ObjectId> {
    match seen {
        Seen::Known(Recorded::Object(id)) => Some(*id),
        _ => None,
    }
}

/// The values, in the order of fields or elements.
fn held_then(holds: &Holds) -> Vec<Seen> {
    match holds {
        Holds::Fields(fields, _) => fields.iter().map(|(_, seen)| seen.clone()).collect(),
        Holds::Elements(elements, _) => elements.iter().map(|(_, seen)| seen.clone()).collect(),
        // Which element was which is not known.
        Holds::Content(..) | Holds::Opaque => Vec::new(),
    }
}
