//! Scopes, and what is in variables.

use std::rc::Rc;

use jinsi_answers::{dotted, place};
use jinsi_inspect::{Change, Entry, Holds, Mark, Moment, Outcome, Seen, Variable};
use jinsi_trace::model::{MemberRef, ObjectId, Value as Recorded};
use serde_json::{Value, json};

use super::{FrameAt, Session};
use crate::arguments::{OfFrame, Variables};
use crate::error::DapError;

/// Variables in an answer at most.
const ROWS: u32 = 200;
/// Objects that are looked into for changes.
const LOOKED_INTO: usize = 400;

/// Something with variables in it.
#[derive(Clone, Debug)]
pub(super) enum Thing {
    Locals(Rc<FrameAt>),
    /// The static fields of the method's class.
    Statics(Rc<FrameAt>),
    /// What the call has changed by now.
    Changes(Rc<FrameAt>),
    /// What changed below a variable.
    Below(Vec<Change>),
    /// An object at a moment; the expression that leads to it, if one does.
    Object(ObjectId, Option<String>, Moment),
    /// All values that an object's fields or elements ever got.
    History(ObjectId),
}

impl Session<'_, '_> {
    pub(super) fn scopes(&mut self, asked: &OfFrame) -> Result<Value, DapError> {
        let frame = self.frame(asked.frame_id)?;
        let owner = &frame.frame.method.owner;
        let has_statics = self.inspector.fields_of(owner).iter().any(|f| f.is_static);
        let statics = format!("Statics of {}", dotted(owner));
        let locals = self.things.add(Thing::Locals(Rc::clone(&frame)));
        let mut scopes = vec![json!({
            "name": "Locals",
            "presentationHint": "locals",
            "variablesReference": locals,
            "expensive": false,
        })];
        if has_statics {
            let reference = self.things.add(Thing::Statics(Rc::clone(&frame)));
            scopes.push(json!({
                "name": statics,
                "variablesReference": reference,
                "expensive": false,
            }));
        }
        let changes = self.things.add(Thing::Changes(frame));
        scopes.push(json!({
            "name": "Changed in this call",
            "variablesReference": changes,
            "expensive": true,
        }));
        Ok(json!({ "scopes": scopes }))
    }

    pub(super) fn variables(&mut self, asked: &Variables) -> Result<Value, DapError> {
        let start = asked.start.unwrap_or(0);
        let most = match asked.count {
            None | Some(0) => ROWS,
            Some(count) => count.min(ROWS),
        };
        let rows = match self.things.get(asked.variables_reference)?.clone() {
            Thing::Locals(frame) => self.locals(&frame),
            Thing::Statics(frame) => self.statics(&frame)?,
            Thing::Changes(frame) => self.changes(&frame)?,
            Thing::Below(changes) => changes.iter().map(|c| self.change(c)).collect(),
            Thing::History(id) => self.history_of(id)?,
            Thing::Object(id, path, at) => {
                let named = asked.filter.as_deref() == Some("named");
                return self.inside(id, path.as_deref(), at, (start, most), named);
            }
        };
        let rows = rows.into_iter().skip(start as usize).take(most as usize);
        Ok(json!({ "variables": rows.collect::<Vec<_>>() }))
    }

    fn locals(&mut self, frame: &FrameAt) -> Vec<Value> {
        let mut rows = Vec::new();
        if let Some(this) = &frame.frame.this {
            rows.push(self.variable("this", this, Some("this"), frame.moment));
        }
        for local in &frame.frame.locals {
            let path = Some(local.name.as_str());
            rows.push(self.variable(&local.name, &local.value, path, frame.moment));
        }
        rows
    }

    fn statics(&mut self, frame: &FrameAt) -> Result<Vec<Value>, DapError> {
        let owner = &frame.frame.method.owner;
        let fields = self.inspector.fields_of(owner).into_iter();
        let mut rows = Vec::new();
        for field in fields.filter(|f| f.is_static) {
            let path = format!("{}.{}", dotted(&field.class), field.name);
            let name = field.name.to_string();
            let held = self.inspector.value(&Variable::Static(field), frame.moment);
            let held = held?;
            let mut row = self.variable(&name, &held.value, Some(&path), frame.moment);
            self.written(&mut row, held.since.as_ref());
            rows.push(row);
        }
        Ok(rows)
    }

    /// A variable with this value; the expression that names it, if one does.
    pub(super) fn variable(
        &mut self,
        name: &str,
        seen: &Seen,
        path: Option<&str>,
        at: Moment,
    ) -> Value {
        let mut row = self.value(seen, path, at);
        row["name"] = name.into();
        row["value"] = row["result"].take();
        if let Some(row) = row.as_object_mut() {
            row.remove("result");
            if let Some(path) = path {
                row.insert("evaluateName".to_owned(), path.into());
            }
        }
        row
    }

    /// A value as the answer to an expression.
    pub(super) fn value(&mut self, seen: &Seen, path: Option<&str>, at: Moment) -> Value {
        let shown = self.writer.seen_at(seen, at);
        let mut row = json!({ "result": shown.to_string(), "variablesReference": 0 });
        let Seen::Known(Recorded::Object(id)) = seen else {
            return row;
        };
        let Some(class) = self.inspector.class_of(*id) else {
            return row;
        };
        row["type"] = dotted(class).into();
        let is_array = class.starts_with('[');
        let thing = Thing::Object(*id, path.map(str::to_owned), at);
        row["variablesReference"] = self.things.add(thing).into();
        if is_array {
            let length = self.inspector.object(*id, at, 0..0);
            if let Ok(Holds::Elements(_, Some(length))) = length.map(|state| state.holds) {
                row["indexedVariables"] = length.into();
            }
        }
        row
    }

    /// Says who wrote the value.
    fn written(&mut self, row: &mut Value, entry: Option<&Entry>) {
        let Some(by) = entry.and_then(|entry| entry.by.as_ref()) else {
            return;
        };
        let class = self.inspector.trace().class_by_name(&by.method.owner);
        let source = self.source(
            &by.method.owner,
            class.and_then(|c| c.source_file.as_deref()),
        );
        if source["path"].is_string() && by.line > 0 {
            let place = json!({ "source": source, "line": by.line, "column": 1 });
            row["valueLocationReference"] = self.places.add(place).into();
        }
    }

    /// What is in an object.
    fn inside(
        &mut self,
        id: ObjectId,
        path: Option<&str>,
        at: Moment,
        (start, most): (u32, u32),
        named: bool,
    ) -> Result<Value, DapError> {
        let state = self.inspector.object(id, at, 0..0)?;
        let links: Vec<(String, Variable)> = match &state.holds {
            Holds::Fields(fields, _) => {
                let all = fields.iter().skip(start as usize).take(most as usize);
                all.map(|(field, _)| {
                    let variable = Variable::Field(id, field.clone());
                    (format!(".{}", field.name), variable)
                })
                .collect()
            }
            Holds::Elements(..) if named => Vec::new(),
            Holds::Elements(_, length) => {
                let end = start.saturating_add(most);
                let end = length.map_or(end, |length| length.min(end));
                (start..end)
                    .map(|index| (format!("[{index}]"), Variable::Element(id, index)))
                    .collect()
            }
            Holds::Content(content, reported) => {
                let rows = self.content(content.values(), *reported, (start, most));
                return Ok(json!({ "variables": rows }));
            }
            Holds::Opaque => {
                let row = json!({
                    "name": "⟨nothing is recorded of it⟩",
                    "value": "",
                    "variablesReference": 0,
                    "presentationHint": { "kind": "virtual" },
                });
                return Ok(json!({ "variables": [row] }));
            }
        };
        let mut rows = Vec::new();
        for (link, variable) in links {
            let held = self.inspector.value(&variable, at)?;
            let path = path.map(|path| format!("{path}{link}"));
            let name = link.trim_start_matches('.');
            let mut row = self.variable(name, &held.value, path.as_deref(), at);
            self.written(&mut row, held.since.as_ref());
            rows.push(row);
        }
        if matches!(state.holds, Holds::Fields(..)) && start == 0 && !rows.is_empty() {
            let reference = self.things.add(Thing::History(id));
            rows.push(json!({
                "name": "⟨history⟩",
                "value": "all values that these ever held",
                "variablesReference": reference,
                "presentationHint": { "kind": "virtual", "lazy": true },
            }));
        }
        Ok(json!({ "variables": rows }))
    }

    /// What was recorded of an object of the JDK's.
    fn content(
        &mut self,
        values: &[Recorded],
        reported: Moment,
        (start, most): (u32, u32),
    ) -> Vec<Value> {
        let all = values.iter().enumerate();
        let rows = all.skip(start as usize).take(most as usize);
        rows.map(|(at, value)| {
            let name = format!("({at})");
            let mut row = self.variable(&name, &Seen::Known(value.clone()), None, reported);
            row["presentationHint"] = json!({ "kind": "virtual" });
            row
        })
        .collect()
    }

    fn history_of(&mut self, id: ObjectId) -> Result<Vec<Value>, DapError> {
        let mut rows = Vec::new();
        for (name, variable) in self.inspector.variables_of(id, ROWS) {
            let entries = self.inspector.history(&variable)?;
            for entry in entries.iter().take(ROWS as usize) {
                rows.push(self.entry(&name, entry));
            }
        }
        Ok(rows)
    }

    /// That a variable got a value.
    pub(super) fn entry(&mut self, name: &str, entry: &Entry) -> Value {
        let mut row = self.variable(name, &entry.value, None, entry.after);
        let by = match &entry.by {
            Some(by) => place(&by.method, by.line),
            None => "code that is not recorded".to_owned(),
        };
        row["value"] = format!(
            "{} · {} · {by}",
            row["value"].as_str().unwrap_or_default(),
            entry.after
        )
        .into();
        row["presentationHint"] = json!({ "kind": "virtual" });
        self.written(&mut row, Some(entry));
        row
    }

    fn changes(&mut self, frame: &FrameAt) -> Result<Vec<Value>, DapError> {
        let call = frame.frame.activation;
        let until = Some(frame.moment);
        let mut changes = self.inspector.changes_among(call, until, LOOKED_INTO)?;
        let statics = self.inspector.changes_of_statics(call, until);
        changes.extend(statics?);
        let changed = changes.iter().filter(|change| change.mark != Mark::Same);
        let mut rows: Vec<Value> = changed.map(|change| self.change(change)).collect();
        rows.extend(self.outcome(&frame.frame.method, call)?);
        Ok(rows)
    }

    /// What the call gave in the end: the run is over, so that is known.
    fn outcome(
        &mut self,
        method: &MemberRef,
        call: jinsi_trace::model::EventId,
    ) -> Result<Option<Value>, DapError> {
        let (name, seen) = match self.inspector.outcome(call)? {
            Outcome::Returned(None) | Outcome::Open => return Ok(None),
            Outcome::Returned(Some(seen)) => ("⟨will return⟩", seen),
            Outcome::Threw(0) => return Ok(None),
            Outcome::Threw(id) => ("⟨will throw⟩", Seen::Known(Recorded::Object(id))),
        };
        let end = self.inspector.activation(call)?.end;
        let at = end.unwrap_or(self.now);
        let mut row = self.variable(name, &seen, None, at);
        row["presentationHint"] = json!({ "kind": "virtual" });
        row["type"] = place(method, 0).into();
        Ok(Some(row))
    }

    fn change(&mut self, change: &Change) -> Value {
        let shown = |session: &Self, seen: &Seen| session.writer.seen(seen).to_string();
        let value = match change.mark {
            Mark::Changed => format!(
                "{} → {}",
                shown(self, &change.old),
                shown(self, &change.new)
            ),
            Mark::Below => format!("{} (something below it changed)", shown(self, &change.new)),
            Mark::Same => shown(self, &change.new),
            Mark::Unknown => format!(
                "{} (whether it changed is not known)",
                shown(self, &change.new)
            ),
        };
        let reference = match change.below.is_empty() {
            true => 0,
            false => self.things.add(Thing::Below(change.below.clone())),
        };
        json!({
            "name": change.name,
            "value": value,
            "variablesReference": reference,
            "evaluateName": change.name,
        })
    }
}
