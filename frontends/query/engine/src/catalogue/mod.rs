//! Queries that have names: those of Girgis and Jayaraman's JavaTA, corrected where the paper's rules err, and those about many runs.
//!
//! Each is SQL over the tables of [`crate::schema`], with words that begin with a dollar sign where arguments go. `$from` and `$to` bound
//! the part of the history that is asked.

mod answers;
mod fleet;
mod gathering;
mod state;

use jinsi_inspect::Moment;
use jinsi_trace::model::EventId;

use crate::error::QueryError;
use crate::session::{Answer, Session};

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `THREAD:EVENT`, `THREAD:EVENT+STEPS`, the number of an event, or `failure`.
    Moment,
    /// A class, with or without its package.
    Class,
    /// The number of an object, with or without `#`.
    Object,
    /// A number.
    Number,
    /// Any text.
    Text,
}

impl Kind {
    /// As usage has it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Moment => "MOMENT",
            Kind::Class => "CLASS",
            Kind::Object => "OBJECT",
            Kind::Number => "NUMBER",
            Kind::Text => "TEXT",
        }
    }
}

/// An argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the SQL, without the dollar sign.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
}

/// A query with a name.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// Its name.
    pub name: &'static str,
    /// Its number in JavaTA's catalogue; empty of those about many runs.
    pub number: &'static str,
    /// Its arguments.
    pub parameters: &'static [Parameter],
    /// What it answers.
    pub says: &'static str,
    /// The SQL.
    pub sql: &'static str,
    /// Is it about many runs?
    pub of_many: bool,
}

const fn parameter(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind }
}

const MOMENT: Parameter = parameter("moment", Kind::Moment);
const CLASS: Parameter = parameter("class", Kind::Class);
const OBJECT: Parameter = parameter("object", Kind::Object);
const FIELD: Parameter = parameter("field", Kind::Text);
const METHOD: Parameter = parameter("method", Kind::Text);
const THREAD: Parameter = parameter("thread", Kind::Text);

/// All of them, in the order of the catalogue.
pub fn all() -> impl Iterator<Item = &'static Named> {
    let groups = [state::ALL, gathering::ALL, answers::ALL, fleet::ALL];
    groups.into_iter().flatten()
}

/// The query with this name.
pub fn find(name: &str) -> Option<&'static Named> {
    all().find(|named| named.name == name)
}

/// The part of the history that is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    /// Its first moment.
    pub from: Option<String>,
    /// Its last.
    pub to: Option<String>,
}

impl Named {
    /// How it is called: its name and the names of its arguments.
    pub fn usage(&self) -> String {
        let names = self.parameters.iter().map(|p| p.name.to_uppercase());
        let all: Vec<String> = [self.name.to_owned()].into_iter().chain(names).collect();
        all.join(" ")
    }

    /// Does the interval make a difference?
    pub fn takes_interval(&self) -> bool {
        self.sql.contains("$from")
    }

    /// The SQL with these arguments.
    ///
    /// # Errors
    /// There are too few or too many, or one names nothing.
    pub fn bound(
        &self,
        session: &Session,
        arguments: &[String],
        interval: &Interval,
    ) -> Result<String, QueryError> {
        if arguments.len() != self.parameters.len() {
            return Err(QueryError::Usage(format!("usage: {}", self.usage())));
        }
        let whole = *interval == Interval::default();
        if !whole && !self.takes_interval() {
            let name = self.name;
            return Err(QueryError::Usage(format!(
                "{name} asks one moment, or all of the history: --from and --to make no difference"
            )));
        }
        let mut values = Vec::new();
        for (parameter, argument) in self.parameters.iter().zip(arguments) {
            match parameter.kind {
                Kind::Moment => values.extend(moments(parameter.name, moment(session, argument)?)),
                kind => values.push((parameter.name, literal(session, kind, argument)?)),
            }
        }
        let bound = |text: &Option<String>, otherwise: i64| match text {
            Some(text) => moment(session, text).map(|(event, _)| event),
            None => Ok(otherwise),
        };
        values.push(("from", bound(&interval.from, 0)?.to_string()));
        values.push(("to", bound(&interval.to, i64::MAX)?.to_string()));
        if self.sql.contains("$began") || self.sql.contains("$over") {
            let [began, over] = reach(session, &values)?;
            values.extend([("began", began), ("over", over)]);
        }
        Ok(substituted(self.sql, &values))
    }

    /// Asks it. Of one run, the column that names the run is left out.
    ///
    /// # Errors
    /// The arguments do not fit, or the query cannot be computed.
    pub fn ask(
        &self,
        session: &Session,
        arguments: &[String],
        interval: &Interval,
    ) -> Result<Answer, QueryError> {
        self.ask_first(session, arguments, interval, None)
    }

    /// The same; of the rows, so many at most.
    ///
    /// # Errors
    /// The arguments do not fit, or the query cannot be computed.
    pub fn ask_first(
        &self,
        session: &Session,
        arguments: &[String],
        interval: &Interval,
        most: Option<usize>,
    ) -> Result<Answer, QueryError> {
        let sql = self.bound(session, arguments, interval)?;
        let answer = session.ask_first(&sql, most)?;
        match session.is_of_several() || self.of_many {
            true => Ok(answer),
            false => answer.without("run"),
        }
    }
}

/// An argument as SQL.
fn literal(session: &Session, kind: Kind, text: &str) -> Result<String, QueryError> {
    let number = |text: &str| match text.parse::<i64>() {
        Ok(number) => Ok(number.to_string()),
        Err(_) => Err(QueryError::Usage(format!("not a number: {text}"))),
    };
    match kind {
        Kind::Moment => Ok(moment(session, text)?.0.to_string()),
        Kind::Class => Ok(quoted(&class(session, text)?)),
        Kind::Object => number(text.strip_prefix('#').unwrap_or(text)),
        Kind::Number => number(text),
        Kind::Text => Ok(quoted(text)),
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A moment in SQL: `$event`, the last event that counts, and `$step`, the instructions behind it, or −1 for the event itself; `$moment` lies
/// between two events if there are some.
fn moments(name: &'static str, (event, step): (i64, Option<u32>)) -> Vec<(&'static str, String)> {
    let (moment, step) = match step {
        Some(step) => (format!("{event}.5"), i64::from(step)),
        None => (event.to_string(), -1),
    };
    vec![
        (name, moment),
        ("event", event.to_string()),
        ("step", step.to_string()),
    ]
}

/// When the innermost call began that is open at a moment, and when it was over: the earliest and the latest of all runs. As bounds, they keep all
/// that lies elsewhere from being read.
fn reach(session: &Session, values: &[(&str, String)]) -> Result<[String; 2], QueryError> {
    let rows = session.ask(&substituted(state::REACH, values))?.texts()?;
    let row = rows.into_iter().next().unwrap_or_default();
    let mut row = row.into_iter();
    let mut cell = |otherwise: i64| row.next().flatten().unwrap_or(otherwise.to_string());
    Ok([cell(0), cell(i64::MAX)])
}

/// The number of a moment, and the instructions since, if it is not that of the event itself.
fn moment(session: &Session, text: &str) -> Result<(i64, Option<u32>), QueryError> {
    if let Ok(number) = text.parse() {
        return Ok((number, None));
    }
    let mut step = None;
    let sql = match text {
        "failure" => "select max(moment) from exceptions e join runs r on r.run = e.run \
             where e.class = r.failure and (r.message is null or e.message = r.message)"
            .to_owned(),
        _ => {
            let moment: Moment = text.parse().map_err(|_| {
                QueryError::Usage(format!(
                    "not a moment: {text}; THREAD:EVENT, THREAD:EVENT+STEPS, a number, or 'failure'"
                ))
            })?;
            step = Some(moment.step).filter(|step| *step > 0);
            let EventId { thread, index } = moment.event;
            format!("select max(moment) from events where thread = {thread} and index = {index}")
        }
    };
    let rows = session.ask(&sql)?.texts()?;
    let found = rows
        .first()
        .and_then(|row| row.first()?.as_deref()?.parse().ok());
    let none = || QueryError::Usage(format!("there is no such moment: {text}"));
    Ok((found.ok_or_else(none)?, step))
}

/// The whole name of a class.
fn class(session: &Session, text: &str) -> Result<String, QueryError> {
    let rows = session
        .ask("select distinct class from classes order by class")?
        .texts()?;
    let names: Vec<String> = rows.into_iter().filter_map(|mut row| row.pop()?).collect();
    if names.iter().any(|name| name == text) {
        return Ok(text.to_owned());
    }
    let simple = |name: &&String| {
        let rest = name.strip_suffix(text);
        rest.is_some_and(|rest| rest.ends_with(['.', '$']))
    };
    let found: Vec<&String> = names.iter().filter(simple).collect();
    match found.as_slice() {
        [one] => Ok((*one).clone()),
        [] => Ok(text.to_owned()),
        [one, other, ..] => Err(QueryError::Usage(format!(
            "{text} may be {one} or {other}: give the whole name"
        ))),
    }
}

/// The text with values in the place of `$name`.
fn substituted(sql: &str, values: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = sql;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        let end = behind
            .find(|c: char| !c.is_ascii_lowercase())
            .unwrap_or(behind.len());
        match values.iter().find(|(name, _)| *name == &behind[..end]) {
            Some((_, value)) => out.push_str(value),
            None => out.push_str(&rest[at..at + 1 + end]),
        }
        rest = &behind[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_stay_texts() {
        let values = [("a", quoted("it's; drop")), ("b", "3".to_owned())];
        let sql = substituted("x = $a and y = $b or z = $c", &values);
        assert_eq!(sql, "x = 'it''s; drop' and y = 3 or z = $c");
    }

    /// Queries of the paper, as its catalogue numbers them; what restricts (H0), composes, compares and saves (M1 to M3) are options.
    const OF_THE_PAPER: [&str; 26] = [
        "S1", "S1'", "S2", "S3", "S4a", "S4b", "S4c", "S5a", "S5b", "S5c", "H1", "H2", "H3", "H4",
        "H5", "H6", "H7", "H8", "H9.1", "H9.2", "H9.3", "H9.4", "H9.5", "H9.6", "H9.7", "",
    ];

    #[test]
    fn each_query_of_the_paper_has_a_name() {
        for number in OF_THE_PAPER {
            assert!(all().any(|named| named.number == number), "{number}");
        }
        assert!(all().all(|named| OF_THE_PAPER.contains(&named.number)));
    }

    #[test]
    fn names_are_there_once_and_parameters_are_used() {
        let mut names: Vec<&str> = all().map(|named| named.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for named in all() {
            for parameter in named.parameters {
                let used = |name: &str| named.sql.contains(&format!("${name}"));
                // A moment has more names than its own.
                let is_moment = parameter.kind == Kind::Moment && used("event");
                assert!(used(parameter.name) || is_moment, "{}", named.name);
            }
        }
    }
}
