//! What rules find, beside what queries find.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use jinsi_ground::repository;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The rules as they are printed.
const RULES: &str = "tests/programs/javata/rules.pl";
/// What is reported of a run beside this.
const DIFFERENCES: usize = 5;

/// Calls that an exception left which was caught, and those that never ended: the printed rules know neither.
const LEFT: &str = "select c.call from calls c where c.recorded and (c.ending = 'open' or c.threw is not null and not exists (select 1 from exceptions x where x.run = c.run and x.thread = c.thread and x.uncaught and x.moment <= c.ended))";
const CALLS: &str =
    "select call, caller, thread, method from calls where recorded order by thread, call";

/// Who is asked.
pub(super) struct Engines {
    pub(super) jinsi: PathBuf,
    pub(super) query: PathBuf,
    /// Moments that are asked about.
    pub(super) moments: usize,
}

/// What was the same, and what was not.
#[derive(Default, Serialize)]
pub(super) struct Compared {
    pub(super) facts: usize,
    /// Call chains.
    pub(super) chains: usize,
    /// What a call had called before.
    pub(super) before: usize,
    /// Histories of fields.
    pub(super) fields: usize,
    /// Where exceptions were thrown that ended threads.
    pub(super) thrown: usize,
    /// Calls that are not compared.
    pub(super) left: usize,
    pub(super) differences: Vec<String>,
}

impl Compared {
    pub(super) fn is_equal(&self) -> bool {
        self.differences.is_empty() && self.chains > 0
    }

    fn same<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, rules: &T, queries: &T) -> bool {
        let same = rules == queries;
        if !same && self.differences.len() < DIFFERENCES {
            let text = format!("{what}: by the rules {rules:?}, by the query {queries:?}");
            self.differences.push(text);
        }
        same
    }
}

#[derive(Deserialize)]
struct Fact {
    event: String,
    moment: String,
}

impl Fact {
    fn is(&self, kind: &str) -> bool {
        self.event
            .strip_prefix(kind)
            .is_some_and(|rest| rest.starts_with('('))
    }

    /// The moment as a query takes it. A line is come to behind the event that its moment names, of which a query looks at what was before it.
    fn asked(&self) -> String {
        match self.is("step") && !self.moment.contains('+') {
            true => format!("{}+1", self.moment),
            false => self.moment.clone(),
        }
    }

    /// The moment's event.
    fn place(&self) -> &str {
        self.moment.split('+').next().unwrap_or_default()
    }
}

#[derive(Deserialize)]
struct Call {
    call: i64,
    caller: Option<i64>,
    thread: u32,
    method: String,
}

/// A run: its facts, and which call each `methodcall` is.
struct Run {
    facts: Vec<Fact>,
    calls: BTreeMap<usize, i64>,
    callers: BTreeMap<i64, Option<i64>>,
    left: BTreeSet<i64>,
}

impl Run {
    /// The call that a fact is an end of, which queries say is open there.
    fn own(&self, fact: usize) -> Option<i64> {
        let of = self.facts[fact].event.strip_prefix("methodexit(");
        let begin = of.and_then(|rest| rest.split(',').next()?.parse().ok());
        self.calls.get(&begin.unwrap_or(fact)).copied()
    }

    fn known(&self, facts: &[usize]) -> Vec<i64> {
        facts
            .iter()
            .filter_map(|fact| self.calls.get(fact).copied())
            .collect()
    }
}

/// What the rules find.
#[derive(Default)]
struct Found {
    chains: BTreeMap<usize, Vec<usize>>,
    before: BTreeMap<usize, Vec<(usize, usize)>>,
    /// Class, object and field, and the facts of its history.
    fields: Vec<([String; 3], Vec<usize>)>,
    thrown: Vec<usize>,
}

impl Engines {
    /// Compares what is found of a run.
    pub(super) fn compare(&self, trace: &Path, place: &Path) -> Result<Compared> {
        let run = self.run(trace, place)?;
        let reported = ["step", "methodcall", "methodexit", "setfield", "exception"];
        let chosen =
            (0..run.facts.len()).filter(|no| reported.iter().any(|kind| run.facts[*no].is(kind)));
        let chosen: Vec<usize> = chosen.collect();
        let chosen: Vec<usize> = chosen
            .iter()
            .copied()
            .step_by(chosen.len().div_ceil(self.moments.max(1)).max(1))
            .collect();
        let found = self.found(&chosen, trace, place)?;
        let mut compared = Compared {
            facts: run.facts.len(),
            left: run.left.len(),
            ..Compared::default()
        };
        self.moments(&run, &chosen, &found, (trace, place), &mut compared)?;
        self.fields(&run, &found, (trace, place), &mut compared)?;
        if run.left.is_empty() {
            let rows = self.ask(trace, place, &["where_exception".to_owned()])?;
            let queries: BTreeSet<i64> = numbers(&rows[0], "call").into_iter().collect();
            let rules: BTreeSet<i64> = run.known(&found.thrown).into_iter().collect();
            if compared.same("where_exception", &rules, &queries) {
                compared.thrown = rules.len();
            }
        }
        Ok(compared)
    }

    fn run(&self, trace: &Path, place: &Path) -> Result<Run> {
        let mut command = Command::new(&self.jinsi);
        let said = command
            .args(["--json", "facts", "--prolog"])
            .arg(trace)
            .output()?;
        ensure!(
            said.status.success(),
            "jinsi facts: {}",
            String::from_utf8_lossy(&said.stderr)
        );
        let facts: Vec<Fact> = serde_json::from_slice(&said.stdout)?;
        let rows = self.ask(trace, place, &[CALLS.to_owned(), LEFT.to_owned()])?;
        let all: Vec<Call> = serde_json::from_value(Value::Array(rows[0].clone()))?;
        // Both have the calls of a thread in the order in which they began.
        let mut begun: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (no, fact) in facts
            .iter()
            .enumerate()
            .filter(|(_, fact)| fact.is("methodcall"))
        {
            let thread = fact
                .moment
                .split(':')
                .next()
                .and_then(|thread| thread.parse().ok());
            begun
                .entry(thread.context("a moment without thread")?)
                .or_default()
                .push(no);
        }
        let mut calls = BTreeMap::new();
        let reported = &facts;
        for (thread, facts) in &begun {
            let own: Vec<&Call> = all.iter().filter(|call| call.thread == *thread).collect();
            ensure!(
                own.len() == facts.len(),
                "{} calls, and {} facts of calls",
                own.len(),
                facts.len()
            );
            // Before a method begins, class initializers may: its call came first, its fact comes later.
            let mut own: Vec<&Call> = own;
            for fact in facts {
                let name = facts_method(&reported[*fact].event);
                let at = own.iter().position(|call| call.method == name);
                let at = at.with_context(|| format!("no call of {name}"))?;
                calls.insert(*fact, own.remove(at).call);
            }
        }
        Ok(Run {
            facts,
            calls,
            callers: all.iter().map(|call| (call.call, call.caller)).collect(),
            left: numbers(&rows[1], "call").into_iter().collect(),
        })
    }

    /// Chains, and what was called before.
    fn moments(
        &self,
        run: &Run,
        chosen: &[usize],
        found: &Found,
        (trace, place): (&Path, &Path),
        compared: &mut Compared,
    ) -> Result<()> {
        let both = |no: &usize| {
            let moment = run.facts[*no].asked();
            ["call_chain", "pre_event_called_methods"].map(|name| format!("{name} {moment}"))
        };
        let asked: Vec<String> = chosen.iter().flat_map(both).collect();
        let rows = self.ask(trace, place, &asked)?;
        for (no, answers) in chosen.iter().zip(rows.chunks(2)) {
            let what = format!("{} {}", run.facts[*no].moment, run.facts[*no].event);
            let own = run.own(*no);
            // A call of which only its caller has reported so far, while a class is initialized for it.
            let to_come: BTreeSet<i64> = run.calls.range(*no..).map(|(_, call)| *call).collect();
            let opened = numbers(&answers[0], "call");
            let chain = run.known(&found.chains[no]);
            let compare = |calls: &[i64]| -> BTreeSet<i64> {
                let kept = calls.iter().copied();
                kept.filter(|call| {
                    !run.left.contains(call) && !to_come.contains(call) && own != Some(*call)
                })
                .collect()
            };
            if compared.same(
                &format!("chain at {what}"),
                &compare(&chain),
                &compare(&opened),
            ) {
                compared.chains += 1;
            }
            // The rules take the last call of the chain for the innermost one, which it is not where an exception will end outer ones.
            let innermost = opened.iter().max().copied();
            let is_left = chain
                .iter()
                .chain(&opened)
                .any(|call| run.left.contains(call));
            if own.is_some() || is_left || chain.last().copied() != innermost {
                continue;
            }
            // They also find what was called within these calls.
            let pairs = found.before[no]
                .iter()
                .filter_map(|(begin, _)| run.calls.get(begin).copied());
            let direct = |call: &i64| run.callers.get(call).copied().flatten() == innermost;
            let rules: BTreeSet<i64> = pairs.filter(direct).collect();
            let returned = answers[1]
                .iter()
                .filter(|row| row["recorded"] == true && row["threw"].is_null());
            let queries: BTreeSet<i64> = returned.filter_map(|row| row["call"].as_i64()).collect();
            if compared.same(&format!("called before {what}"), &rules, &queries) {
                compared.before += 1;
            }
        }
        Ok(())
    }

    /// Histories of the fields of objects.
    fn fields(
        &self,
        run: &Run,
        found: &Found,
        (trace, place): (&Path, &Path),
        compared: &mut Compared,
    ) -> Result<()> {
        let asked = found.fields.iter();
        let asked: Vec<String> = asked
            .map(|(of, _)| format!("instance_field_history {}", of.join(" ")))
            .collect();
        let rows = self.ask(trace, place, &asked)?;
        for ((of, facts), rows) in found.fields.iter().zip(&rows) {
            let [_, _, field] = of;
            let written = facts.iter().map(|no| {
                let fact = &run.facts[*no];
                let value = fact
                    .event
                    .split_once(&format!(",{field},"))
                    .map_or("", |(_, value)| value);
                (
                    fact.place().to_owned(),
                    as_query(value.strip_suffix(')').unwrap_or(value)),
                )
            });
            let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
            let queried = rows.iter().map(|row| {
                let event = text(row, "event");
                let place = event.split('+').next().unwrap_or_default().to_owned();
                let value = text(row, "value");
                (
                    place,
                    if value.starts_with('"') {
                        "text".to_owned()
                    } else {
                        value
                    },
                )
            });
            let (rules, queries): (Vec<_>, Vec<_>) = (written.collect(), queried.collect());
            if compared.same(&format!("history of {of:?}"), &rules, &queries) {
                compared.fields += 1;
            }
        }
        Ok(())
    }

    /// What the rules find about these facts, and about all fields.
    fn found(&self, chosen: &[usize], trace: &Path, place: &Path) -> Result<Found> {
        let facts = place.join("facts.pl");
        let mut command = Command::new(&self.jinsi);
        let said = command.args(["facts", "--prolog"]).arg(trace).output()?;
        fs::write(&facts, &said.stdout)?;
        let goal = format!(
            "forall(member(I, {chosen:?}), (call_chain(I, L), writeq(chain(I, L)), nl, pre_event_called_methods(I, P), findall([A, B], member([event(A, _, _), event(B, _, _)], P), X), writeq(before(I, X)), nl)), \
             findall(f(N, O, F), (event(_, _, setfield(_, o(N, O), F, _)), integer(O)), Fs), sort(Fs, Ss), \
             forall(member(f(N, O, F), Ss), (instance_field_history(0, 1000000000, N, O, F, H), findall(J, member([J, _, _], H), Js), format(\"field(~w ~w ~w ~w~n\", [N, O, F, Js]))), \
             forall(where_exception_is_thrown(_, event(W, _, _)), (writeq(thrown(W)), nl)), halt"
        );
        let mut swipl = Command::new("swipl");
        swipl
            .args(["-q", "-g", &goal])
            .arg(&facts)
            .arg(repository::root().join(RULES));
        let said = swipl.output().context("cannot start swipl")?;
        ensure!(
            said.status.success(),
            "swipl: {}",
            String::from_utf8_lossy(&said.stderr)
        );
        let mut found = Found::default();
        for line in String::from_utf8(said.stdout)?.lines() {
            found
                .line(line)
                .with_context(|| format!("what is {line}?"))?;
        }
        Ok(found)
    }

    /// The rows of each of these questions.
    fn ask(&self, trace: &Path, place: &Path, questions: &[String]) -> Result<Vec<Vec<Value>>> {
        let file = place.join("asked.sql");
        let text: String = questions
            .iter()
            .map(|question| format!("{question};\n"))
            .collect();
        fs::write(&file, text)?;
        let mut command = Command::new(&self.query);
        command
            .args(["--json", "query"])
            .arg(trace)
            .stdin(File::open(&file)?);
        let said = command.output().context("cannot start jinsi-query")?;
        ensure!(
            said.status.success(),
            "jinsi query: {}",
            String::from_utf8_lossy(&said.stderr)
        );
        let documents = serde_json::Deserializer::from_slice(&said.stdout).into_iter();
        let rows: Vec<Vec<Value>> = documents.collect::<Result<_, _>>()?;
        ensure!(
            rows.len() == questions.len(),
            "{} answers of {}",
            rows.len(),
            questions.len()
        );
        Ok(rows)
    }
}

impl Found {
    /// A line that the goal wrote.
    fn line(&mut self, line: &str) -> Result<()> {
        let (kind, rest) = line.split_once('(').context("no term")?;
        let rest = rest.strip_suffix(')').unwrap_or(rest);
        if kind == "thrown" {
            self.thrown.push(rest.parse()?);
            return Ok(());
        }
        if kind == "field" {
            let words: Vec<&str> = rest.splitn(4, ' ').collect();
            let [class, object, field, facts] = words.as_slice() else {
                anyhow::bail!("no field");
            };
            let of = [*class, *object, *field].map(str::to_owned);
            self.fields.push((of, serde_json::from_str(facts)?));
            return Ok(());
        }
        let (fact, list) = rest.split_once(',').context("no list")?;
        let fact = fact.parse()?;
        match kind {
            "chain" => _ = self.chains.insert(fact, serde_json::from_str(list)?),
            _ => _ = self.before.insert(fact, serde_json::from_str(list)?),
        }
        Ok(())
    }
}

/// The method of a `methodcall`.
fn facts_method(event: &str) -> String {
    let name = event
        .split("),")
        .nth(2)
        .and_then(|rest| rest.split(',').next());
    name.unwrap_or_default().trim_matches('\'').to_owned()
}

fn numbers(rows: &[Value], name: &str) -> Vec<i64> {
    rows.iter().filter_map(|row| row[name].as_i64()).collect()
}

/// A value of a fact as queries say it; of texts, that it is one.
fn as_query(value: &str) -> String {
    let object = value
        .strip_prefix("o(")
        .and_then(|rest| rest.strip_suffix(')')?.rsplit_once(','));
    match object {
        Some((_, number)) => format!("#{number}"),
        None if value.starts_with('"') => "text".to_owned(),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rules_write_is_read() {
        let mut found = Found::default();
        for line in [
            "chain(7,[1,2])",
            "before(7,[[3,4],[5,6]])",
            "field(a.B 3 c [9]",
            "thrown(8)",
        ] {
            found.line(line).unwrap();
        }
        assert_eq!(found.chains[&7], [1, 2]);
        assert_eq!(found.before[&7], [(3, 4), (5, 6)]);
        assert_eq!(found.fields[0].1, [9]);
        assert_eq!(found.thrown, [8]);
        assert_eq!(as_query("o('a.B',4)"), "#4");
        assert_eq!(
            (as_query("\"x\"").as_str(), as_query("-3").as_str()),
            ("text", "-3")
        );
    }
}
