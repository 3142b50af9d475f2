//! Breakpoints: where the client wants to stop. Each is looked up when it is set: the run is over, so how often it is met is known at once.

use jinsi_answers::{dotted, named};
use jinsi_inspect::{Found, Line, Path};
use jinsi_trace::model::MemberRef;
use serde_json::{Value, json};

use super::Session;
use crate::arguments::{
    DataBreakpointInfo, SetBreakpoints, SetDataBreakpoints, SetExceptionBreakpoints,
    SetFunctionBreakpoints, SourceBreakpoint,
};
use crate::error::DapError;
use crate::expression::Expression;
use crate::session::variables::Thing;

/// Lines behind one without code that are tried instead of it.
const FURTHER: i64 = 5;
/// Methods of a name.
const METHODS: usize = 100;
/// What a log point writes at most.
const LOGGED: usize = 1000;

/// Which of its hits count.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    pub(super) condition: Option<Expression>,
    hits: Option<Hits>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hits {
    Exactly(u64),
    Behind(u64),
    Every(u64),
}

impl Filter {
    fn read(condition: Option<&str>, hits: Option<&str>) -> Result<Self, DapError> {
        let text = |text: Option<&'_ str>| {
            text.map(str::trim)
                .filter(|t| !t.is_empty())
                .map(str::to_owned)
        };
        Ok(Self {
            condition: text(condition).map(|text| text.parse()).transpose()?,
            hits: text(hits).map(|text| Hits::read(&text)).transpose()?,
        })
    }

    /// May the hit count that is the how-manieth of its thread?
    pub(super) fn counts(&self, number: u64) -> bool {
        match self.hits {
            None => true,
            Some(Hits::Exactly(n)) => number == n,
            Some(Hits::Behind(n)) => number > n,
            Some(Hits::Every(n)) => number.is_multiple_of(n),
        }
    }
}

impl Hits {
    /// `5`, `== 5`, `> 5`, `>= 5`, `% 5`.
    fn read(text: &str) -> Result<Self, DapError> {
        let wrong = || DapError::HitCount {
            text: text.to_owned(),
        };
        let number = |digits: &str| digits.trim().parse::<u64>().map_err(|_| wrong());
        for (sign, kind) in [
            (">=", Self::from as fn(u64) -> Self),
            (">", Self::Behind),
            ("==", Self::Exactly),
            ("=", Self::Exactly),
            ("%", Self::Every),
            ("", Self::Exactly),
        ] {
            if let Some(digits) = text.strip_prefix(sign) {
                let number = number(digits)?;
                return match (sign, number) {
                    ("%", 0) => Err(wrong()),
                    _ => Ok(kind(number)),
                };
            }
        }
        Err(wrong())
    }

    fn from(number: u64) -> Self {
        Self::Behind(number.saturating_sub(1))
    }
}

/// Where to stop.
#[derive(Clone, Debug)]
pub(super) enum Point {
    Line(Line),
    Call(MemberRef),
    /// A variable in memory, as it is named without a moment.
    Written(String),
    Thrown {
        caught: bool,
    },
}

#[derive(Debug, Default)]
pub(super) struct Points {
    /// With the source's path.
    lines: Vec<(String, Point, Filter)>,
    calls: Vec<(Point, Filter)>,
    written: Vec<(Point, Filter)>,
    thrown: Vec<(Point, Filter)>,
}

impl Points {
    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Point, &Filter)> {
        let lines = self.lines.iter().map(|(_, point, filter)| (point, filter));
        let others = [&self.calls, &self.written, &self.thrown];
        let others = others.into_iter().flatten();
        lines.chain(others.map(|(point, filter)| (point, filter)))
    }
}

/// A breakpoint as the client is informed of it.
fn breakpoint_reply(set: Result<String, DapError>) -> Value {
    match set {
        Ok(message) => json!({ "verified": true, "message": message }),
        Err(why) => json!({ "verified": false, "message": why.to_string() }),
    }
}

fn times(count: u64) -> String {
    match count {
        1 => "met once".to_owned(),
        count => format!("met {count} times"),
    }
}

impl Session<'_, '_> {
    pub(super) fn set_breakpoints(&mut self, asked: &SetBreakpoints) -> Result<Value, DapError> {
        let path = asked.source.path.as_deref();
        let path = path.ok_or(DapError::NoPath)?.to_owned();
        self.points.lines.retain(|(of, ..)| *of != path);
        let mut all = Vec::new();
        for one in &asked.breakpoints {
            all.push(match self.set_line(&path, one) {
                Ok((line, message)) => {
                    let mut set = breakpoint_reply(Ok(message));
                    set["line"] = line.into();
                    set["source"] = json!({ "path": path });
                    set
                }
                Err(why) => breakpoint_reply(Err(why)),
            });
        }
        Ok(json!({ "breakpoints": all }))
    }

    fn set_line(&mut self, path: &str, one: &SourceBreakpoint) -> Result<(i64, String), DapError> {
        let filter = Filter::read(one.condition.as_deref(), one.hit_condition.as_deref())?;
        let further = one.line..=one.line.saturating_add(FURTHER);
        let found = further
            .map(|line| (line, self.lines_at(path, line)))
            .find(|(_, lines)| !lines.is_empty());
        let (at, lines) = found.ok_or(DapError::NoCode {
            line: one.line,
            further: FURTHER,
        })?;
        let mut count = 0;
        for line in &lines {
            count += self.inspector.count_of_line(line)?;
        }
        match one.log_message.as_deref().filter(|m| !m.is_empty()) {
            Some(message) => self.log(&lines, message, &filter)?,
            None => {
                for line in lines {
                    let point = (path.to_owned(), Point::Line(line), filter.clone());
                    self.points.lines.push(point);
                }
            }
        }
        Ok((at, times(count)))
    }

    /// The lines of classes that stand in this file; none if there is no code.
    pub(super) fn lines_at(&self, path: &str, line: i64) -> Vec<Line> {
        let Ok(line) = u16::try_from(line) else {
            return Vec::new();
        };
        let path = std::path::Path::new(path);
        let Some(file) = path.file_name().and_then(|name| name.to_str()) else {
            return Vec::new();
        };
        let classes = self.inspector.trace().classes().iter();
        let classes = classes.filter(|class| class.source_file.as_deref() == Some(file));
        let mut all: Vec<(bool, String)> = classes
            .map(|class| {
                let package = class
                    .name
                    .rsplit_once('/')
                    .map_or("", |(package, _)| package);
                let fits = path
                    .parent()
                    .is_some_and(|parent| parent.ends_with(package));
                let outermost = class.name.split('$').next().unwrap_or(&class.name);
                (fits, dotted(outermost))
            })
            .collect();
        // Who does not keep packages as directories has one file of the name.
        if all.iter().any(|(fits, _)| *fits) {
            all.retain(|(fits, _)| *fits);
        }
        all.sort();
        all.dedup();
        let lines = all.into_iter().map(|(_, class)| Line { class, line });
        let code = lines.filter(|line| self.inspector.count_of_line(line).is_ok());
        code.collect()
    }

    /// Writes what a log point says, for all of the run at once.
    fn log(&mut self, lines: &[Line], message: &str, filter: &Filter) -> Result<(), DapError> {
        let parts = parts(message)?;
        let mut paths: Vec<Path> = Vec::new();
        let expressions = parts
            .iter()
            .filter_map(|(_, expression)| expression.as_ref());
        for expression in expressions.chain(&filter.condition) {
            expression.paths(&mut paths);
        }
        let mut left = LOGGED;
        for line in lines {
            let all = self.inspector.log(line, &paths, 0, left)?;
            left -= all.len();
            for (number, logged) in (1..).zip(&all) {
                let mut of = |path: &Path| {
                    let place = paths.iter().position(|p| p == path).unwrap_or(0);
                    match &logged.values[place] {
                        Ok(seen) => Ok(seen.clone()),
                        // Asked again, it fails in the same way.
                        Err(_) => Ok(self.inspector.evaluate(logged.moment, 0, path)?),
                    }
                };
                let holds = filter.condition.as_ref().is_none_or(|condition| {
                    condition.value(&mut of).is_ok_and(|seen| is_true(&seen))
                });
                if !(holds && filter.counts(number)) {
                    continue;
                }
                let mut text = String::new();
                for (words, expression) in &parts {
                    text.push_str(words);
                    if let Some(expression) = expression {
                        text += &match expression.value(&mut of) {
                            Ok(seen) => self.writer.seen(&seen).to_string(),
                            Err(why) => format!("? ({why})"),
                        };
                    }
                }
                self.note(&format!("{}  {line}  {text}", logged.moment));
            }
        }
        if left == 0 {
            self.note(&format!("only the first {LOGGED} times are written"));
        }
        Ok(())
    }

    pub(super) fn set_function_breakpoints(
        &mut self,
        asked: &SetFunctionBreakpoints,
    ) -> Result<Value, DapError> {
        self.points.calls.clear();
        let mut all = Vec::new();
        for one in &asked.breakpoints {
            let filter = Filter::read(one.condition.as_deref(), one.hit_condition.as_deref());
            let name = one.name.trim().trim_end_matches("()");
            all.push(breakpoint_reply(
                filter.and_then(|filter| self.set_call(name, &filter)),
            ));
        }
        Ok(json!({ "breakpoints": all }))
    }

    fn set_call(&mut self, name: &str, filter: &Filter) -> Result<String, DapError> {
        let mut count = 0;
        let mut found = false;
        for one in self.inspector.find(name, METHODS) {
            let Found::Method(method, calls) = one else {
                continue;
            };
            let full = format!("{}.{}", dotted(&method.owner), method.name);
            let is_it = full == name || full.ends_with(&format!(".{name}"));
            if is_it {
                found = true;
                count += calls;
                self.points
                    .calls
                    .push((Point::Call(method), filter.clone()));
            }
        }
        match found {
            true => Ok(times(count)),
            false => Err(DapError::NoMethod {
                name: name.to_owned(),
            }),
        }
    }

    pub(super) fn set_exception_breakpoints(
        &mut self,
        asked: &SetExceptionBreakpoints,
    ) -> Result<Value, DapError> {
        self.points.thrown.clear();
        let mut all = Vec::new();
        for filter in &asked.filters {
            let caught = match filter.as_str() {
                "caught" => true,
                "uncaught" => false,
                other => {
                    let name = other.to_owned();
                    all.push(breakpoint_reply(Err(DapError::NoFilter { name })));
                    continue;
                }
            };
            let point = (Point::Thrown { caught }, Filter::default());
            self.points.thrown.push(point);
            all.push(json!({ "verified": true }));
        }
        Ok(json!({ "breakpoints": all }))
    }

    pub(super) fn data_breakpoint_info(
        &mut self,
        asked: &DataBreakpointInfo,
    ) -> Result<Value, DapError> {
        let id = match asked
            .variables_reference
            .filter(|reference| *reference != 0)
        {
            Some(reference) => match self.things.get(reference)?.clone() {
                Thing::Object(id, ..) if asked.name.starts_with('[') => {
                    Some(format!("#{id}{}", asked.name))
                }
                Thing::Object(id, ..) => Some(format!("#{id}.{}", asked.name)),
                Thing::Statics(frame) => {
                    let owner = dotted(&frame.frame.method.owner);
                    Some(format!("{owner}.{}", asked.name))
                }
                _ => None,
            },
            None => {
                let frame = self.frame_or_now(asked.frame_id)?;
                let path: Path = asked.name.parse()?;
                let variable = self.inspector.variable(frame.moment, frame.depth, &path);
                variable?.map(|variable| variable.to_string())
            }
        };
        let known = id.filter(|id| named(self.inspector, id).is_ok());
        Ok(match known {
            Some(id) => json!({
                "dataId": id,
                "description": format!("{} ({id})", asked.name),
                "accessTypes": ["write"],
                "canPersist": false,
            }),
            None => json!({
                "dataId": null,
                "description": "only fields and elements are watched; a local variable is the method's own",
            }),
        })
    }

    pub(super) fn set_data_breakpoints(
        &mut self,
        asked: &SetDataBreakpoints,
    ) -> Result<Value, DapError> {
        self.points.written.clear();
        let mut all = Vec::new();
        for one in &asked.breakpoints {
            let filter = Filter::read(one.condition.as_deref(), one.hit_condition.as_deref());
            all.push(breakpoint_reply(filter.and_then(|filter| {
                let variables = named(self.inspector, &one.data_id)?;
                let mut count = 0;
                for (_, variable) in &variables {
                    count += self.inspector.history(variable)?.len() as u64;
                }
                let point = Point::Written(one.data_id.clone());
                self.points.written.push((point, filter));
                Ok(match count {
                    1 => "written once".to_owned(),
                    count => format!("written {count} times"),
                })
            })));
        }
        Ok(json!({ "breakpoints": all }))
    }
}

pub(super) fn is_true(seen: &jinsi_inspect::Seen) -> bool {
    use jinsi_trace::model::{Prim, Value};
    matches!(
        seen.known(),
        Some(Value::Prim(Prim::Boolean(true)) | Value::Prim(Prim::Int(1)))
    )
}

/// A message as words, each with the expression in braces that follows it.
fn parts(message: &str) -> Result<Vec<(String, Option<Expression>)>, DapError> {
    let mut parts = Vec::new();
    let mut rest = message;
    while let Some((words, behind)) = rest.split_once('{') {
        let (expression, behind) = behind.split_once('}').ok_or_else(|| DapError::LogMessage {
            message: message.to_owned(),
        })?;
        parts.push((words.to_owned(), Some(expression.parse()?)));
        rest = behind;
    }
    parts.push((rest.to_owned(), None));
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_counted_as_editors_write_it() {
        let counted = |text: &str| {
            let filter = Filter::read(None, Some(text)).unwrap();
            (1..=6).filter(|n| filter.counts(*n)).collect::<Vec<u64>>()
        };
        assert_eq!(counted("3"), [3]);
        assert_eq!(counted("== 3"), [3]);
        assert_eq!(counted("> 3"), [4, 5, 6]);
        assert_eq!(counted(">=3"), [3, 4, 5, 6]);
        assert_eq!(counted("%2"), [2, 4, 6]);
        assert_eq!(counted(" "), [1, 2, 3, 4, 5, 6]);
        for wrong in ["x", "%0", "< 3", "> ", "-1"] {
            assert!(Filter::read(None, Some(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn messages_have_expressions_in_braces() {
        let all = parts("i is {i}, twice {i * 2}").unwrap();
        let words: Vec<&str> = all.iter().map(|(words, _)| words.as_str()).collect();
        assert_eq!(words, ["i is ", ", twice ", ""]);
        assert!(all[0].1.is_some() && all[2].1.is_none());
        assert!(parts("{i").is_err() && parts("{}").is_err());
    }
}
