//! Places in the code: source lines, which of them ran, and what a name fits.

use jinsi_answers::dotted;
use jinsi_inspect::{Found, Line, Moment};
use serde_json::{Value, json};

use super::{Answer, Answers, Refusal, asked_call, method};
use crate::query::Query;

/// Lines of source in an answer at most.
const LINES: usize = 400;
/// Hits of a line, or of a name, in an answer at most.
const HITS: usize = 100;

impl Answers<'_, '_> {
    /// Which lines of a call ran, seen from a moment.
    pub(super) fn course(&self, query: &Query) -> Answer {
        let call = asked_call(query)?;
        let at: Moment = query.need("at")?;
        let course = self.inspector.course(call, at)?;
        let lines = course.lines.iter().map(|ran| {
            let wrote = ran.wrote.iter();
            let wrote = wrote.map(|(name, value)| json!([name, self.shown(value).to_string()]));
            json!({
                "line": ran.line,
                "times": ran.times,
                "round": ran.in_round,
                "last": ran.last.to_string(),
                "wrote": wrote.collect::<Vec<_>>(),
            })
        });
        Ok(json!({
            "lines": lines.collect::<Vec<_>>(),
            "ran": course.ran,
            "next": course.next,
            "whole": course.whole,
        }))
    }

    /// A part of the source of a class.
    pub(super) fn source(&self, query: &Query) -> Answer {
        let class: String = query.need("class")?;
        let file: String = query.need("file")?;
        let from: usize = query.read("from")?.unwrap_or(1).max(1);
        let most = query.most(LINES)?;
        // Other files are nobody's business.
        let of = self.inspector.trace().class_by_name(&class);
        let is_recorded = of.is_some_and(|of| of.source_file.as_deref() == Some(file.as_str()));
        let code = of.map_or(&[][..], |of| &of.bytes);
        let found = self.sources.find(&class, &file, code);
        let path = found.filter(|_| is_recorded);
        let lines = path.and_then(|path| self.sources.lines(path));
        let (Some(path), Some(lines)) = (path, lines) else {
            return Err(Refusal::none(format!(
                "{file} was not found: jinsi view --source DIR says where it is"
            )));
        };
        let part: Vec<&String> = lines.iter().skip(from - 1).take(most).collect();
        Ok(json!({
            "path": path.display().to_string(),
            "count": lines.len(),
            "from": from,
            "lines": part,
        }))
    }

    /// What a text fits: methods and fields by name.
    pub(super) fn find(&self, query: &Query) -> Answer {
        let text: String = query.need("text")?;
        let most = query.most(HITS)?;
        let rows = self.inspector.find(&text, most + 1);
        let more = rows.len() > most;
        let rows: Vec<Value> = rows.iter().take(most).map(found_row).collect();
        Ok(json!({ "rows": rows, "more": more }))
    }

    /// All methods that were called, and all fields.
    pub(crate) fn names(&self) -> Value {
        // Each full name has a dot.
        let all = self.inspector.find(".", usize::MAX);
        all.iter().map(found_row).collect()
    }

    /// When a line was come to.
    pub(super) fn hits(&self, query: &Query) -> Answer {
        let line: Line = query.need("line")?;
        let most = query.most(HITS)?;
        let times = self.inspector.count_of_line(&line)?;
        // Without a number the last ones are reported: the failure is behind them.
        let skip: u64 = match query.read("skip")? {
            Some(skip) => skip,
            None => times.saturating_sub(most as u64),
        };
        let hits = self.inspector.log(&line, &[], skip, most)?;
        let rows = hits.iter().map(|hit| {
            json!({
                "moment": hit.moment.to_string(),
                "call": hit.activation.to_string(),
            })
        });
        Ok(json!({
            "line": line.to_string(),
            "times": times,
            "skip": skip,
            "rows": rows.collect::<Vec<_>>(),
        }))
    }
}

fn found_row(found: &Found) -> Value {
    match found {
        Found::Method(member, calls) => json!({
            "kind": "method",
            "method": method(member),
            "calls": calls,
        }),
        Found::Field(field) => json!({
            "kind": "field",
            "name": format!("{}.{}", dotted(&field.class), field.name),
            "static": field.is_static,
        }),
    }
}
