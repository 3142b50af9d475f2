//! Expressions: hovers, watches, and what is typed into the console, which knows two words more: `history x` and `origin x`.

use jinsi_inspect::{Path, Variable};
use jinsi_trace::model::Value as Recorded;
use serde_json::{Value, json};

use super::{FrameAt, Session};
use crate::arguments::{Completions, Evaluate};
use crate::error::DapError;
use crate::expression::Expression;

/// Rows of an answer in the console.
const ROWS: usize = 100;
/// Steps back to where a value came from.
const STEPS: usize = 20;
/// Names that are offered.
const NAMES: u32 = 200;

impl Session<'_, '_> {
    pub(super) fn evaluate(&mut self, asked: &Evaluate) -> Result<Value, DapError> {
        let frame = self.frame_or_now(asked.frame_id)?;
        let text = asked.expression.trim();
        if let Some(what) = text.strip_prefix("history ") {
            return self.history(&frame, what);
        }
        if let Some(what) = text.strip_prefix("origin ") {
            return self.origin(&frame, what);
        }
        let expression: Expression = text.parse()?;
        let mut of = |path: &Path| Ok(self.inspector.evaluate(frame.moment, frame.depth, path)?);
        let seen = expression.value(&mut of)?;
        let path = expression.path().map(ToString::to_string);
        Ok(self.value(&seen, path.as_deref(), frame.moment))
    }

    fn history(&mut self, frame: &FrameAt, what: &str) -> Result<Value, DapError> {
        let path: Path = what.parse()?;
        let variable = self.inspector.variable(frame.moment, frame.depth, &path);
        let variable: Variable = variable?.ok_or(DapError::Local)?;
        let entries = self.inspector.history(&variable)?;
        let mut lines: Vec<String> = Vec::new();
        for entry in entries.iter().take(ROWS) {
            let row = self.entry(what, entry);
            lines.push(row["value"].as_str().unwrap_or_default().to_owned());
        }
        if entries.len() > ROWS {
            lines.push(format!("… and {} more", entries.len() - ROWS));
        }
        Ok(text_result(&lines))
    }

    fn origin(&mut self, frame: &FrameAt, what: &str) -> Result<Value, DapError> {
        let path: Path = what.parse()?;
        let origin = self.inspector.origin(frame.moment, frame.depth, &path);
        let steps = jinsi_answers::origin::steps(&self.writer, origin?, STEPS);
        let steps = steps?;
        let lines = steps.iter().map(|step| match &step.by {
            Some(by) => format!("{} · {} · {by}", step.what, step.at),
            None => format!("{} · {}", step.what, step.at),
        });
        Ok(text_result(&lines.collect::<Vec<_>>()))
    }

    /// Names of variables, fields and statics that what is typed may become.
    pub(super) fn completions(&mut self, asked: &Completions) -> Result<Value, DapError> {
        let frame = self.frame_or_now(asked.frame_id)?;
        let units: Vec<u16> = asked.text.encode_utf16().collect();
        let typed = &units[..asked.column.saturating_sub(1).min(units.len())];
        let typed = String::from_utf16_lossy(typed);
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '[' | ']');
        let begin = typed.rfind(|c| !is_part(c));
        let begin = begin.map_or(0, |at| {
            at + typed[at..].chars().next().map_or(0, char::len_utf8)
        });
        let (holder, begun) = match typed[begin..].rsplit_once('.') {
            Some((holder, begun)) => (Some(holder), begun),
            None => (None, &typed[begin..]),
        };
        let mut names = match holder {
            Some(holder) => self.names_in(&frame, holder),
            None => self.names_at(&frame),
        };
        names.retain(|name| name.starts_with(begun));
        names.sort();
        names.dedup();
        let length = begun.encode_utf16().count();
        let targets = names.iter().map(|name| {
            json!({
                "label": name,
                "type": "variable",
                "start": typed.encode_utf16().count() - length,
                "length": length,
            })
        });
        Ok(json!({ "targets": targets.collect::<Vec<_>>() }))
    }

    fn names_in(&self, frame: &FrameAt, holder: &str) -> Vec<String> {
        let Ok(path) = holder.parse::<Path>() else {
            return Vec::new();
        };
        let seen = self.inspector.evaluate(frame.moment, frame.depth, &path);
        let Some(Recorded::Object(id)) = seen.ok().and_then(|seen| seen.known().cloned()) else {
            return Vec::new();
        };
        let all = self.inspector.variables_of(id, 0).into_iter();
        all.map(|(name, _)| name).collect()
    }

    fn names_at(&self, frame: &FrameAt) -> Vec<String> {
        let mut names: Vec<String> = frame.frame.locals.iter().map(|l| l.name.clone()).collect();
        if let Some(this) = &frame.frame.this {
            names.push("this".to_owned());
            if let Some(Recorded::Object(id)) = this.known() {
                let fields = self.inspector.variables_of(*id, NAMES).into_iter();
                names.extend(fields.map(|(name, _)| name));
            }
        }
        let owner = &frame.frame.method.owner;
        let statics = self.inspector.fields_of(owner).into_iter();
        names.extend(statics.filter(|f| f.is_static).map(|f| f.name.to_string()));
        names
    }
}

/// Lines as a result.
fn text_result(lines: &[String]) -> Value {
    let text = match lines {
        [] => "nothing is recorded of it".to_owned(),
        lines => lines.join("\n"),
    };
    json!({ "result": text, "variablesReference": 0 })
}
