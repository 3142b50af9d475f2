//! Neighbours in the same JVM: five failing tests beside other agents and tools, named before jinsi's agent and behind it, and what comes of them.
//!
//! Each neighbour (`beside`) first runs alone with the tests: so they end, and so much JaCoCo covers. Then it runs with jinsi, which minimizes the failed
//! tests. The recommended tests run without any neighbour, with the defects and with the repaired classes.

mod beside;
mod report;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use jinsi_ground::report::{Judged, print, write};
use jinsi_ground::repository;
use jinsi_jdk::{Jdk, compile, maven};
use jinsi_trace::model::Detail;

use crate::answer::Keep;
use crate::jvm::{Request, Runner};
use crate::kept::{Compiled, Refused};
use crate::measured::complaint;
use crate::minimized::Jinsi;
use crate::outcomes::Ran;
use crate::site::{Site, Tools};
use beside::{Beside, Kit, NEIGHBOURS, Neighbour};
use report::{Case, NeighbourFigures, Order, TestRow};

/// The program with defects, the same repaired, and its tests.
const PROGRAM: &str = "evaluation/suites/java/parcels";
/// A crash, a wrong number, a wrong list, a lambda in a stream, and a collaborator that is mocked.
const TESTS: [&str; 5] = ["Route", "Tariff", "Manifest", "Depot", "Dispatcher"];
const DETAILS: [Detail; 2] = [Detail::Boundary, Detail::Interactions];
/// Seconds for a test class.
const LIMIT: u64 = 120;
/// For `jinsi minimize` of all failed tests.
const LIMIT_OF_MINIMIZE: Duration = Duration::from_secs(600);

/// What is measured, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print one JSON document on stdout, and nothing else there
    #[arg(long)]
    json: bool,
    /// Only these neighbours (repeat it for several)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// How much is recorded (repeat it for several; default: boundary and interactions)
    #[arg(long, value_name = "D")]
    detail: Vec<Detail>,
    /// JDK for all of it (default: the oldest found): its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
    /// A `jinsi` command with `libjinsi.so` beside it (default: the release profile is built)
    #[arg(long, value_name = "FILE")]
    jinsi: Option<PathBuf>,
}

/// Measures; false if a goal is missed.
///
/// # Errors
/// No neighbour is called so, a tool is missing, or the tests do not end as they have to without jinsi.
pub fn run(arguments: &Arguments) -> Result<bool> {
    print(&measure(arguments)?, arguments.json)
}

fn measure(arguments: &Arguments) -> Result<Judged<NeighbourFigures>> {
    let is_wanted =
        |n: &&Neighbour| arguments.only.is_empty() || arguments.only.iter().any(|o| o == n.name);
    let wanted: Vec<&Neighbour> = NEIGHBOURS.iter().filter(is_wanted).collect();
    ensure!(
        !wanted.is_empty(),
        "no neighbour is called so: there are {}",
        NEIGHBOURS.map(|n| n.name).join(", ")
    );
    let jdk = match &arguments.java {
        Some(path) => Jdk::find(Some(path))?,
        None => crate::oldest()?,
    };
    let command = match &arguments.jinsi {
        Some(command) => command.canonicalize().context("the jinsi command")?,
        None => repository::build_jinsi()?,
    };
    let out = repository::root().join("target/neighbours");
    if out.exists() {
        fs::remove_dir_all(&out).with_context(|| format!("cannot empty {}", out.display()))?;
    }
    fs::create_dir_all(&out)?;
    let details = match &arguments.detail[..] {
        [] => &DETAILS,
        some => some,
    };
    let mut bench = Bench::new(&jdk, (command, details), &out)?;
    let mut cases = bench.alone()?;
    let alone = cases.len();
    for neighbour in wanted {
        for case in bench.beside(neighbour)? {
            cases.push(case.compared_with(&cases[..alone]));
            let so_far = NeighbourFigures::of(&jdk, cases.clone());
            write(&so_far, &out.join("report.json"))?;
        }
    }
    Ok(Judged::of(NeighbourFigures::of(&jdk, cases)))
}

/// What all cases share.
struct Bench<'a> {
    jdk: &'a Jdk,
    tools: Tools,
    kit: Kit<'a>,
    broken: Site,
    repaired: Site,
    details: Vec<(Detail, Jinsi)>,
    out: &'a Path,
    /// Why a written test does not flip, by its source, of those that need nothing else.
    judged: HashMap<String, Option<String>>,
}

/// One run of the tests beside a neighbour.
struct Setting<'a> {
    name: &'static str,
    order: Option<Order>,
    beside: &'a Beside,
    /// How the tests end without jinsi.
    plain: &'a BTreeMap<String, Ran>,
    /// What JaCoCo covers without jinsi.
    covered: Option<&'a str>,
}

impl<'a> Bench<'a> {
    fn new(jdk: &'a Jdk, (command, details): (PathBuf, &[Detail]), out: &'a Path) -> Result<Self> {
        let tools = Tools::compile(jdk, &out.join("tools"))?;
        let mut libraries = maven::fetch(&[maven::JUNIT])?;
        libraries.extend(maven::fetch(&maven::MOCKITO)?);
        let [broken, repaired] = ["broken", "repaired"].map(|part| out.join(part));
        for (part, into) in [("broken", &broken), ("repaired", &repaired)] {
            compiled(jdk, &["same", part], &libraries, into)?;
        }
        let tests = out.join("tests");
        let against = [std::slice::from_ref(&broken), &libraries].concat();
        compiled(jdk, &["tests"], &against, &tests)?;
        let root = out.join("module");
        let site = |classes| Site::of(&root, classes, tests.clone(), libraries.clone());
        let details = details.iter().map(|&detail| {
            let jinsi = Jinsi::of(command.clone(), &detail.to_string(), LIMIT_OF_MINIMIZE)?;
            Ok((detail, jinsi))
        });
        Ok(Self {
            kit: Kit::compile(jdk, &libraries, [broken.clone(), tests.clone()], out)?,
            broken: site(broken)?,
            repaired: site(repaired)?,
            details: details.collect::<Result<_>>()?,
            judged: HashMap::new(),
            jdk,
            tools,
            out,
        })
    }

    /// The cases without a neighbour.
    fn alone(&mut self) -> Result<Vec<Case>> {
        let beside = Beside::default();
        let repaired = self.run(&self.repaired, vec![], &beside)?;
        let green = |ran: &Ran| ran.tests.iter().all(|test| test.passed());
        ensure!(
            repaired.len() == TESTS.len() && repaired.values().all(green),
            "not all tests pass on the repaired program"
        );
        let plain = self.run(&self.broken, vec![], &beside)?;
        self.cases(&Setting {
            name: "none",
            order: None,
            beside: &beside,
            plain: &plain,
            covered: None,
        })
    }

    /// The cases of a neighbour.
    fn beside(&mut self, neighbour: &Neighbour) -> Result<Vec<Case>> {
        let beside = neighbour.prepare(&self.kit, &self.out.join(neighbour.name))?;
        let plain = self.run(&self.broken, beside.options.clone(), &beside)?;
        let covered = beside.coverage(&self.kit)?;
        ensure!(
            beside.was_at_work() != Some(false),
            "{} does nothing without jinsi",
            neighbour.name
        );
        let orders: &[Option<Order>] = match neighbour.is_agent {
            true => &[Some(Order::Before), Some(Order::After)],
            false => &[None],
        };
        let mut cases = Vec::new();
        for &order in orders {
            cases.extend(self.cases(&Setting {
                name: neighbour.name,
                order,
                beside: &beside,
                plain: &plain,
                covered: covered.as_deref(),
            })?);
        }
        Ok(cases)
    }

    /// A setting in each detail.
    fn cases(&mut self, setting: &Setting<'_>) -> Result<Vec<Case>> {
        let mut cases = Vec::new();
        for at in 0..self.details.len() {
            let case = self.case(setting, at)?;
            eprintln!("{}", jinsi_ground::report::brief(&case));
            cases.push(case);
        }
        Ok(cases)
    }

    fn case(&mut self, setting: &Setting<'_>, detail: usize) -> Result<Case> {
        let start = Instant::now();
        let (detail, jinsi) = &self.details[detail];
        let order = setting
            .order
            .map_or_else(String::new, |order| format!("-{order}"));
        let traces = self
            .out
            .join("runs")
            .join(format!("{}{order}-{detail}", setting.name));
        let mut options = setting.beside.options.clone();
        let at = match setting.order {
            Some(Order::After) => 0,
            _ => options.len(),
        };
        options.insert(at, jinsi.option(&self.broken, &traces)?);
        let recorded = self.run(&self.broken, options, setting.beside)?;
        let failed = setting
            .plain
            .values()
            .flat_map(|ran| &ran.tests)
            .filter(|test| test.failed());
        let failed: Vec<&str> = failed.map(|test| test.name.as_str()).collect();
        ensure!(
            failed.len() == TESTS.len(),
            "{}: {} tests fail without jinsi",
            setting.name,
            failed.len()
        );
        let minimized = jinsi.minimize_all(self.jdk, &self.broken.root, &traces, &failed)?;
        let mut case = Case::begun(setting.name, setting.order, *detail);
        case.at_work = setting.beside.was_at_work();
        if let Some(covered) = setting.covered {
            let now = setting.beside.coverage(&self.kit)?;
            case.coverage_same = Some(now.as_deref() == Some(covered));
        }
        for (test, minimized) in failed.iter().zip(minimized) {
            let class = test.rsplit_once('.').map_or(*test, |(class, _)| class);
            let different =
                setting.plain[class].differences(recorded.get(class).unwrap_or(&Ran::default()));
            let mut row = TestRow::of(test, different, &minimized);
            if let Some(keep) = &minimized.keep {
                row.why_not = self.flips(keep, class, &traces)?;
                row.flips = row.why_not.is_none();
            }
            case.tests.push(row);
        }
        Ok(case.finished(start.elapsed()))
    }

    /// Runs all test classes in one JVM; how each ended, by its name.
    fn run(
        &self,
        site: &Site,
        options: Vec<String>,
        beside: &Beside,
    ) -> Result<BTreeMap<String, Ran>> {
        beside.forget()?;
        let classes = TESTS.map(|name| format!("parcels.{name}Test"));
        let classes = classes.each_ref().map(String::as_str);
        let mut request = Request::new(&classes, LIMIT);
        request.options = options;
        request.first.clone_from(&beside.first);
        request.last.clone_from(&beside.last);
        let ran = self.runner(site).run(&request)?;
        Ok(ran
            .into_iter()
            .map(|ran| (ran.class.clone(), ran))
            .collect())
    }

    fn runner<'s>(&'s self, site: &'s Site) -> Runner<'s> {
        Runner {
            site,
            tools: &self.tools,
            jdk: self.jdk,
        }
    }

    /// Runs a recommended test without neighbours; why it does not flip, if it does not.
    fn flips(&mut self, keep: &Keep, failed: &str, traces: &Path) -> Result<Option<String>> {
        let source = fs::read_to_string(&keep.source)?;
        if let Some(known) = self.judged.get(&source) {
            return Ok(known.clone());
        }
        let runner = self.runner(&self.broken);
        let why = match Compiled::of(keep, &runner, failed, traces)? {
            Err(Refused { complaint }) => Some(format!(
                "the recommended test does not compile: {complaint}"
            )),
            Ok(test) => complaint(
                &test.run(&runner)?,
                &test.run(&self.runner(&self.repaired))?,
            ),
        };
        if matches!(keep.form.as_str(), "plain" | "mockito") {
            self.judged.insert(source, why.clone());
        }
        Ok(why)
    }
}

/// Compiles parts of the program into a directory.
fn compiled(jdk: &Jdk, parts: &[&str], libraries: &[PathBuf], into: &Path) -> Result<()> {
    let mut sources = Vec::new();
    for part in parts {
        sources.extend(repository::java_sources(&format!("{PROGRAM}/{part}"))?);
    }
    fs::create_dir_all(into)?;
    Ok(compile::javac_for(
        jdk,
        Some(11),
        &sources,
        libraries,
        into,
    )?)
}
