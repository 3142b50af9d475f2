//! Bugs of the corpus: who answers is the release in which the bug is repaired. Does the method that is blamed hold the repair?

mod repair;
mod sums;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use jinsi_asked::{expected, had_a_part};
use jinsi_counterpart::{Counterpart, Setting};
use jinsi_declarative::{Answer, Next, NodeNo, Session, Strategy, Tree, Verdict, Weights};
use jinsi_ground::bugs::{BLIND, Bug, CHOSEN};
use jinsi_inspect::Inspector;
use jinsi_jdk::{Walls, maven};
use jinsi_trace::reader::Trace;
use serde::Serialize;

use super::play::{User, method_of};
use super::{Arguments, EvaluationSetup};
use crate::omissions::corpus::list::{Entry, List};
use crate::recorded::Recorded;
use jinsi_ground::child::{self, Limits};
use repair::Repair;
use sums::CorpusFigures;

/// Of a recording.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(120),
    disk: 8 << 30,
};
/// Questions, answered or not, and time after which a session is given up.
const MOST: usize = 150;
const TIME: Duration = Duration::from_secs(90);
/// Questions that are reported.
const REPORTED: usize = 200;

/// What came of a bug.
#[derive(Clone, Debug, Default, Serialize)]
struct Row {
    id: String,
    calls: usize,
    /// Methods of these calls, and those that have other instructions where the bug is repaired.
    methods: usize,
    changed_methods: usize,
    /// Nobody says what is wrong.
    plain: Led,
    /// It is said what is wrong of the run, and of each wrong call.
    pointed: Led,
    /// The same of what is left of the run when it is minimized; if nothing smaller fails as recorded, the same session.
    minimized: Led,
    /// Calls of what is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    calls_left: Option<usize>,
    /// Why it was not minimized.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_minimized: Option<String>,
    seconds: f64,
    /// Why nothing came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// What came of a session.
#[derive(Clone, Debug, Default, Serialize)]
struct Led {
    /// Questions that the repaired release answered, and that it could not.
    questions: usize,
    unanswered: usize,
    /// `found`, `undecided`: nothing but what it cannot answer is left; `nothing`; or `given up`.
    end: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    blamed: Option<String>,
    /// Has that method other instructions where the bug is repaired?
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<bool>,
    /// Is it where the repair is, by what was written down of it?
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<bool>,
    /// How often something was pointed at.
    parts: usize,
    /// The questions: method, answer, reason.
    asked: Vec<String>,
}

/// Measures and prints; `false` if a goal is missed.
pub(super) fn run(arguments: &Arguments) -> Result<bool> {
    let place = if arguments.blind { BLIND } else { CHOSEN };
    let bugs = Bug::wanted(place, &arguments.only)?;
    let list = List::read()?;
    let ground = EvaluationSetup::new(arguments)?;
    let feature = ground.jdk.version().feature;
    let mut rows = Vec::new();
    for bug in bugs.iter().filter(|bug| !bug.repaired.is_empty()) {
        if !bug.java.has(feature) {
            eprintln!("{:<22} does not show on this Java", bug.id);
            continue;
        }
        let entry = list.all().map(|(entry, _)| entry);
        let entry = entry.into_iter().find(|entry| entry.id == bug.id);
        let begun = Instant::now();
        let mut row = one(&ground, bug, entry).unwrap_or_else(|error| Row {
            error: Some(format!("{error:#}")),
            ..Row::default()
        });
        row.id.clone_from(&bug.id);
        row.seconds = begun.elapsed().as_secs_f64();
        eprintln!("{}", jinsi_ground::report::brief(&row));
        rows.push(row);
    }
    let figures = CorpusFigures::of(ground.jdk.version().to_string(), rows);
    jinsi_ground::report::print(&figures, arguments.json)
}

fn one(ground: &EvaluationSetup, bug: &Bug, entry: Option<&Entry>) -> Result<Row> {
    let place = ground.work.path().join(bug.package());
    let of = (ground.jinsi.as_path(), &ground.jdk);
    let recorded = Recorded::of(bug, of, (&place, LIMITS), "states")?;
    let mut class_path = maven::fetch(&bug.repaired)?;
    let repair = Repair::of(&ground.jdk, &place, [&recorded.jars, &class_path])?;
    // The driver is no part of the library.
    class_path.push(recorded.driver.clone());
    class_path.extend(maven::fetch(&bug.beside_repaired())?);
    let setting = Setting {
        jdk: ground.jdk.clone(),
        harness: ground.harness.clone(),
        class_path,
        walls: Walls::Confined,
    };
    let of = Of {
        setting,
        repair: &repair,
        entry: entry.filter(|entry| entry.names_methods()),
    };
    let mut row = of.whole(&recorded.trace)?;
    match left(ground, &recorded.trace, &place) {
        Ok(left) => {
            let (led, calls) = of.left(&left)?;
            (row.minimized, row.calls_left) = (led, Some(calls));
        }
        Err(why) => {
            row.minimized = row.pointed.clone();
            row.not_minimized = Some(format!("{why:#}"));
        }
    }
    fs::remove_dir_all(&place).context("cannot empty the place")?;
    Ok(row)
}

/// The trace of what is left of a run.
fn left(ground: &EvaluationSetup, trace: &Path, place: &Path) -> Result<PathBuf> {
    let mut ask = Command::new(&ground.jinsi);
    ask.env("JAVA_HOME", ground.jdk.home())
        .arg("ask")
        .arg(trace)
        .args(["--minimized", "--unsaved", "--json"]);
    let run = child::run(&mut ask, place, LIMITS)?;
    let left = trace.with_extension("left.jinsi");
    let last = run.stderr.lines().last().unwrap_or_default();
    ensure!(left.exists(), "{last}");
    Ok(left)
}

/// A bug, and who knows of it.
struct Of<'a> {
    setting: Setting,
    repair: &'a Repair,
    /// Where the repair is, as it was written down.
    entry: Option<&'a Entry>,
}

impl Of<'_> {
    /// The sessions about the whole run.
    fn whole(&self, trace: &Path) -> Result<Row> {
        let trace = Trace::open(trace)?;
        let main = trace.threads().iter().find(|thread| thread.name == "main");
        let inspector = Inspector::new(&trace)?;
        let tree = jinsi_asked::tree(&inspector, main.context("no thread main")?.no)?;
        let ran = (0..tree.len() as NodeNo).map(|node| tree.method_of(node));
        let ran: BTreeSet<u32> = ran.collect();
        let mut row = Row {
            calls: tree.len(),
            methods: ran.len(),
            ..Row::default()
        };
        for method in ran {
            row.changed_methods += usize::from(self.repair.changed(tree.method(method))?);
        }
        let counterpart = Counterpart::new(&inspector, self.setting.clone());
        let mut user = User::new((&tree, &inspector), counterpart);
        let is_main = |no: &NodeNo| tree.method(tree.method_of(*no)).name == "main";
        let leading = Leading {
            tree: &tree,
            inspector: &inspector,
            points: false,
            is_left: false,
            failed: tree.roots().find(is_main),
            wrong: Some("exception"),
        };
        row.plain = self.led(leading, &mut user)?;
        let leading = Leading {
            points: true,
            ..leading
        };
        row.pointed = self.led(leading, &mut user)?;
        Ok(row)
    }

    /// That about what is left of it, and how many calls that has.
    fn left(&self, trace: &Path) -> Result<(Led, usize)> {
        let trace = Trace::open(trace)?;
        let inspector = Inspector::new(&trace)?;
        let tree = jinsi_asked::tree(&inspector, jinsi_asked::thread(&trace)?)?;
        let counterpart = Counterpart::new(&inspector, self.setting.clone());
        let mut user = User::new((&tree, &inspector), counterpart);
        // As `jinsi ask --minimized` begins: an outermost call is wrong, and of what it gave nothing is said.
        let leading = Leading {
            tree: &tree,
            inspector: &inspector,
            points: true,
            is_left: true,
            failed: tree.roots().last(),
            wrong: None,
        };
        Ok((self.led(leading, &mut user)?, tree.len()))
    }

    fn led(&self, leading: Leading<'_, '_>, user: &mut User<'_, '_>) -> Result<Led> {
        let (mut led, verdict) = leading.lead(user)?;
        if let Some(verdict) = verdict {
            let blamed = leading.tree.method(method_of(leading.tree, verdict));
            led.changed = Some(self.repair.changed(blamed)?);
            led.place = self.entry.map(|entry| entry.is_in_method(&blamed.dotted()));
            led.blamed = Some(blamed.dotted());
        }
        Ok(led)
    }
}

/// How a session is led.
#[derive(Clone, Copy)]
struct Leading<'a, 't> {
    tree: &'a Tree,
    inspector: &'a Inspector<'t>,
    /// Is it said what is wrong?
    points: bool,
    /// Is it what is left of a run?
    is_left: bool,
    /// The call in which the failure showed, and the part of what it gave that shows it.
    failed: Option<NodeNo>,
    wrong: Option<&'a str>,
}

impl Leading<'_, '_> {
    /// A session, as it is led if nobody says how. That the run failed is known.
    fn lead(self, user: &mut User<'_, '_>) -> Result<(Led, Option<Verdict>)> {
        let mut led = Led::default();
        let expected = expected(self.inspector, self.tree, self.failed)?;
        let mut session = Session::new(self.tree, |_| false).expecting(expected);
        let is_alone = self.tree.roots().nth(1).is_none();
        if self.is_left && !is_alone {
            session = session.failed();
        } else if let Some(failed) = self.failed {
            self.is_wrong(&mut session, &mut led, (failed, self.wrong));
        }
        let begun = Instant::now();
        let weights = Weights::default();
        loop {
            let next = Strategy::Likely.next(&session, &weights);
            let Next::Ask(node) = next else {
                led.end = match next {
                    Next::Found(_) => "found",
                    Next::Nothing => "nothing",
                    _ => "undecided",
                };
                break;
            };
            if led.questions + led.unanswered >= MOST || begun.elapsed() > TIME {
                led.end = "given up";
                break;
            }
            let said = user.answer(node)?;
            let (method, answer) = (self.tree.method(self.tree.method_of(node)), said.answer);
            match answer {
                Answer::Unknown => led.unanswered += 1,
                _ => led.questions += 1,
            }
            if led.asked.len() < REPORTED {
                let reported = format!("{}: {answer:?} {}", method.dotted(), said.why);
                led.asked.push(reported.trim_end().to_owned());
            }
            match answer {
                Answer::Invalid => {
                    self.is_wrong(&mut session, &mut led, (node, said.part.as_deref()));
                }
                Answer::Unknown if said.is_of_method => self.is_unknown(&mut session, node),
                answer => session.answer(node, answer),
            }
        }
        Ok((led, session.verdict()))
    }

    /// Nothing is known of any call of a call's method: it is asked once.
    fn is_unknown(self, session: &mut Session<'_>, node: NodeNo) {
        let method = self.tree.method_of(node);
        let suspects: Vec<NodeNo> = session.suspects().collect();
        let same = suspects
            .into_iter()
            .filter(|no| self.tree.method_of(*no) == method);
        same.for_each(|no| session.answer(no, Answer::Unknown));
    }

    /// A call is wrong, and this of what it gave.
    fn is_wrong(
        self,
        session: &mut Session<'_>,
        led: &mut Led,
        (node, part): (NodeNo, Option<&str>),
    ) {
        let mut part = part.filter(|_| self.points).map(str::to_owned);
        // What is in a container of the JDK has no name: then it is the container.
        while let Some(named) = &part {
            if let Ok(had_one) = had_a_part(self.inspector, self.tree, node, named) {
                led.parts += 1;
                return session.answer_part(node, had_one);
            }
            let shorter = named.rfind(['.', '[']).map(|at| named[..at].to_owned());
            part = shorter;
        }
        session.answer(node, Answer::Invalid);
    }
}
