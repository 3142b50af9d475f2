//! The tables `writes`, `locals` and `lines`: what only a recording of instructions tells.

use std::collections::HashMap;

use jinsi_inspect::{Deed, Inspector, Local, Moment, Seen, ThreadAct, Variable};
use jinsi_trace::model::{EventId, MemberRef};

use crate::cell::Cell;
use crate::error::QueryError;
use crate::rows::Rows;
use crate::run::{Begun, Run};
use crate::schema::Table;
use crate::values::{dotted, seen};

pub(crate) fn tell(run: &Run, table: Table, rows: &mut Rows<'_>) -> Result<(), QueryError> {
    let begun = run.begun()?;
    let inspector = run.inspector()?;
    for thread in run.trace.threads() {
        if !rows.wanted.has("thread", thread.no.into()) {
            continue;
        }
        let mut calls = Calls {
            begun: &begun,
            inspector: &inspector,
            known: HashMap::new(),
        };
        inspector.thread_acts(thread.no, &mut |act| {
            let moment = inspector.rank(act.at.event) + 1;
            let number = i64::try_from(moment).unwrap_or(i64::MAX);
            if rows.wanted.has("moment", number) {
                let done = Done {
                    run,
                    begun: &begun,
                    moment,
                    at: act.at,
                };
                done.tell(table, &act, &mut calls, rows);
            }
            // Other threads come later: the moment of this one says nothing of theirs.
            rows.more()
        })?;
    }
    Ok(())
}

/// The call that an activation is, and its method.
#[derive(Clone)]
struct Of {
    call: Cell<'static>,
    method: MemberRef,
    file: Option<String>,
}

struct Calls<'a, 't> {
    begun: &'a Begun,
    inspector: &'a Inspector<'t>,
    known: HashMap<EventId, Of>,
}

impl Calls<'_, '_> {
    fn of(&mut self, activation: EventId) -> Option<Of> {
        if let Some(known) = self.known.get(&activation) {
            return Some(known.clone());
        }
        let found = self.inspector.activation(activation).ok()?;
        let of = Of {
            call: self.begun.key(activation).into(),
            method: found.method,
            file: found.file,
        };
        self.known.insert(activation, of.clone());
        Some(of)
    }
}

/// Something that was done, and when.
struct Done<'a> {
    run: &'a Run,
    begun: &'a Begun,
    moment: u64,
    at: Moment,
}

impl Done<'_> {
    fn tell(&self, table: Table, act: &ThreadAct, calls: &mut Calls<'_, '_>, rows: &mut Rows<'_>) {
        if let Deed::Ended(_) = act.deed {
            calls.known.retain(|name, _| Some(*name) != act.activation);
        }
        let of = act.activation.and_then(|name| calls.of(name));
        match (table, &act.deed, of) {
            (Table::Writes, Deed::Wrote(variable, value), of) => {
                self.wrote(variable, value, (act.line, of), rows);
            }
            (Table::Lines, Deed::Began { .. } | Deed::Came(_), Some(of)) if act.line != 0 => {
                self.line(act.line, of, rows);
            }
            (Table::Locals, Deed::Came(locals), Some(of)) => {
                for local in locals {
                    self.local(local, act.line, &of, rows);
                }
            }
            _ => {}
        }
    }

    fn event(&self) -> Cell<'static> {
        self.at.event.to_string().into()
    }

    fn wrote(
        &self,
        variable: &Variable,
        value: &Seen,
        (line, of): (u16, Option<Of>),
        rows: &mut Rows<'_>,
    ) {
        let (class, field, object, element) = match variable {
            Variable::Field(id, f) => (Some(dotted(&f.class)), Some(&*f.name), Some(*id), None),
            Variable::Static(f) => (Some(dotted(&f.class)), Some(&*f.name), None, None),
            Variable::Element(id, index) => {
                let class = self.begun.history.class_of(*id).map(dotted);
                (class, None, Some(*id), Some(*index))
            }
        };
        let (value, value_object) = seen(&self.run.trace, value);
        let method = of.as_ref().map(|of| of.method.clone());
        rows.push([
            self.run.name.as_str().into(),
            self.moment.into(),
            self.at.step.into(),
            self.at.event.thread.into(),
            self.event(),
            of.map_or(Cell::Null, |of| of.call),
            class.into(),
            field.into(),
            matches!(variable, Variable::Static(_)).into(),
            object.into(),
            element.into(),
            value,
            value_object,
            method
                .map(|m| format!("{}.{}", dotted(&m.owner), m.name))
                .into(),
            line.into(),
        ]);
    }

    fn line(&self, line: u16, of: Of, rows: &mut Rows<'_>) {
        rows.push([
            self.run.name.as_str().into(),
            self.moment.into(),
            self.at.step.into(),
            self.at.event.thread.into(),
            self.event(),
            of.call,
            dotted(&of.method.owner).into(),
            of.method.name.as_str().into(),
            of.file.into(),
            line.into(),
        ]);
    }

    fn local(&self, local: &Local, line: u16, of: &Of, rows: &mut Rows<'_>) {
        let (value, value_object) = seen(&self.run.trace, &local.value);
        rows.push([
            self.run.name.as_str().into(),
            self.moment.into(),
            self.at.step.into(),
            self.at.event.thread.into(),
            self.event(),
            of.call.clone(),
            dotted(&of.method.owner).into(),
            of.method.name.as_str().into(),
            line.into(),
            local.name.as_str().into(),
            value,
            value_object,
        ]);
    }
}
