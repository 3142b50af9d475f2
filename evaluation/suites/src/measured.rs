//! One library: its green tests, defects in what they execute, and what jinsi makes of the tests that fail by these.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use jinsi_jdk::Jdk;

use crate::answer::Minimized;
use crate::jvm::{Request, Runner};
use crate::kept::{Compiled, Outcome, Refused};
use crate::left::Left;
use crate::libraries::Library;
use crate::minimized::Jinsi;
use crate::operators::{self, Operator};
use crate::outcomes::{End, Ran, Test};
use crate::places::{self, Place, Places};
use crate::report::{DefectRun, Defects, KeepRow, LibraryRow};
use crate::resolve;
use crate::site::{Defect, Site, Tools};

/// Test classes that are run for a defect, at most.
const COVERING: usize = 8;
/// Runs without jinsi of a class whose tests ended otherwise with it: what does not always end alike says nothing.
const AGAIN: usize = 2;

/// What all libraries are measured with.
pub(crate) struct Measure<'a> {
    pub(crate) seed: u64,
    /// Defects in each library.
    pub(crate) mutants: usize,
    /// Seconds for a test class.
    pub(crate) limit: u64,
    /// Seconds for the tests of a library, once.
    pub(crate) limit_of_suite: u64,
    pub(crate) jinsi: &'a Jinsi,
    pub(crate) tools: &'a Tools,
    pub(crate) jdk: &'a Jdk,
    /// Has a directory for each library.
    pub(crate) out: &'a Path,
    /// Leaves these directories.
    pub(crate) keep_work: bool,
    /// Takes the defects that an earlier run left there, in the place of drawing new ones.
    pub(crate) again: bool,
}

impl Measure<'_> {
    /// Measures a library. What keeps it from being used is in its row.
    pub(crate) fn library(&self, library: &Library) -> (LibraryRow, Vec<DefectRun>) {
        let place = self
            .out
            .join(format!("{}-{}", library.artifact, library.version));
        let mut measured = Measured::default();
        measured.row.library = library.to_string();
        if let Err(error) = self.measure(library, &place, &mut measured) {
            measured.row.why_not = Some(format!("{error:#}"));
        }
        if !self.keep_work {
            // What stays is in the way of nobody but the disk.
            let _ = fs::remove_dir_all(&place);
        }
        (measured.row, measured.runs)
    }

    fn measure(&self, library: &Library, place: &Path, measured: &mut Measured) -> Result<()> {
        let start = Instant::now();
        let (work, site) = (place.join("runs"), place.join("site"));
        let left = match self.again {
            true => Some(Left::below(&work)?),
            false => None,
        };
        // A run that was killed may have left a defect in place.
        empty(if self.again { &site } else { place })?;
        let resolved = resolve::resolve(library, self.jdk, &place.join("maven"))?;
        measured.row.publisher.clone_from(&resolved.publisher);
        let site = Site::lay_out(&resolved, self.jdk, &site)?;
        let runner = Runner {
            site: &site,
            tools: self.tools,
            jdk: self.jdk,
        };
        let suite = match left {
            Some(_) => Suite::default(),
            None => self.green(&runner, &measured.row.library)?,
        };
        let mut bench = Bench {
            measure: self,
            runner,
            suite: &suite,
            alone: BTreeMap::new(),
            work,
            next: 1,
        };
        match left {
            Some(left) => bench.repeat(left, measured),
            None => {
                let row = &mut measured.row;
                row.classes = suite.classes.len();
                row.green = suite.classes.values().map(|class| class.green.len()).sum();
                row.places = suite.executed.len();
                eprintln!(
                    "{library}: {} green tests of {} classes run {} places ({:.0} s)",
                    row.green,
                    row.classes,
                    row.places,
                    start.elapsed().as_secs_f64()
                );
                ensure!(row.green > 0, "no test passes twice");
                bench.draw(measured)
            }
        }
    }

    /// Runs all tests twice, the second time with probes in the library.
    fn green(&self, runner: &Runner<'_>, library: &str) -> Result<Suite> {
        let mut numbers = places::numbers(self.seed, library, "classes");
        let classes = places::shuffled(runner.site.test_names(), &mut numbers);
        ensure!(!classes.is_empty(), "no class is named as a test is");
        let plain = runner.all(&classes, self.limit, self.limit_of_suite, &[], &[])?;
        let usable = |ran: &&Ran| ran.end == End::Through && !ran.green().is_empty();
        let plain: BTreeMap<&str, &Ran> = plain
            .iter()
            .filter(usable)
            .map(|ran| (ran.class.as_str(), ran))
            .collect();
        let again: Vec<&str> = classes
            .iter()
            .copied()
            .filter(|class| plain.contains_key(class))
            .collect();
        ensure!(!again.is_empty(), "no test class has a test that passes");
        let probed = runner.site.root.join("target/probed-classes");
        let places = Places::probe(runner.site, &probed)?;
        let options = [
            format!("-Xbootclasspath/a:{}", self.tools.hits.display()),
            format!("-Djinsi.suites.places={}", places.len()),
        ];
        let mut with_probes = runner.all(
            &again,
            self.limit * 2,
            self.limit_of_suite * 2,
            &options,
            &[probed],
        )?;
        with_probes.retain(|ran| ran.end == End::Through);
        let mut classes = BTreeMap::new();
        for ran in &with_probes {
            let before = plain[ran.class.as_str()];
            let green: BTreeSet<String> = before
                .green()
                .intersection(&ran.green())
                .map(|&id| id.to_owned())
                .collect();
            if !green.is_empty() {
                let class = GreenClass {
                    green,
                    milliseconds: before.milliseconds,
                };
                classes.insert(ran.class.clone(), class);
            }
        }
        with_probes.retain(|ran| classes.contains_key(&ran.class));
        Ok(Suite {
            executed: places.executed(&with_probes),
            classes,
        })
    }
}

/// What became of a library and its defects.
#[derive(Default)]
struct Measured {
    row: LibraryRow,
    runs: Vec<DefectRun>,
}

impl Measured {
    fn add(&mut self, run: DefectRun) {
        eprintln!("{}", jinsi_ground::report::brief(&run));
        self.runs.push(run);
    }
}

fn empty(directory: &Path) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)
            .with_context(|| format!("cannot empty {}", directory.display()))?;
    }
    Ok(())
}

/// The green tests of a library.
#[derive(Default)]
struct Suite {
    classes: BTreeMap<String, GreenClass>,
    /// Instructions, each with the test classes that execute it.
    executed: Vec<(Place, Vec<String>)>,
}

struct GreenClass {
    /// Ids of its tests.
    green: BTreeSet<String>,
    milliseconds: u64,
}

/// Defects of a library.
struct Bench<'a> {
    measure: &'a Measure<'a>,
    runner: Runner<'a>,
    suite: &'a Suite,
    /// Ids of the tests that pass if their class is run alone, by the class.
    alone: BTreeMap<String, BTreeSet<String>>,
    work: PathBuf,
    /// The number of the next failure.
    next: usize,
}

/// A class of the library with a defect.
struct Mutant<'a> {
    name: &'a str,
    class: jinsi_classfile::ClassFile,
    operator: Operator,
    place: String,
    /// Where what came of it is left.
    work: PathBuf,
}

impl Bench<'_> {
    /// Makes defects in instructions that the seed draws.
    fn draw(&mut self, measured: &mut Measured) -> Result<()> {
        let library = measured.row.library.clone();
        let (seed, mutants) = (self.measure.seed, self.measure.mutants);
        let mut numbers = places::numbers(seed, &library, "places");
        let drawn = places::shuffled(self.suite.executed.iter().collect(), &mut numbers);
        for (place, covering) in drawn.into_iter().take(mutants) {
            let defects = &mut measured.row.defects;
            defects.drawn += 1;
            if let Some(run) = self.defect(&library, place, covering, defects)? {
                measured.add(run);
            }
        }
        Ok(())
    }

    /// Records and minimizes the failures once more that an earlier run left.
    fn repeat(&mut self, left: Vec<(PathBuf, Left)>, measured: &mut Measured) -> Result<()> {
        for (directory, left) in left {
            let mutant = Mutant {
                name: &left.class,
                class: Left::defective(&directory)?,
                operator: left.operator,
                place: left.place.clone(),
                work: directory,
            };
            measured.row.defects.drawn += 1;
            let library = measured.row.library.clone();
            match self.failing(&library, &mutant, &left.test_class, None)? {
                Some(run) => {
                    measured.row.defects.failing += 1;
                    measured.add(run);
                }
                None => measured.row.defects.unstable += 1,
            }
        }
        Ok(())
    }

    /// Makes a defect, and looks for a test that fails by it.
    fn defect(
        &mut self,
        library: &str,
        place: &Place,
        covering: &[String],
        defects: &mut Defects,
    ) -> Result<Option<DefectRun>> {
        let class = self.runner.site.class(&place.class)?;
        let described = operators::described(&class, &place.spot)?;
        let mut numbers = places::numbers(self.measure.seed, library, &described);
        let all = operators::operators(&class, &place.spot)?;
        let operator = places::drawn(&all, &mut numbers).context("no operator applies")?;
        let mutant = Mutant {
            name: &place.class,
            class: operators::apply(&class, &place.spot, operator)?,
            operator,
            place: described,
            work: self.work.join(self.next.to_string()),
        };
        let covering = places::shuffled(covering.to_vec(), &mut numbers);
        let covering: Vec<&str> = covering.iter().take(COVERING).map(String::as_str).collect();
        let found = {
            let _defect = self.in_place(&mutant)?;
            self.first_to_fail(&mutant, &covering)
        };
        let failing = match found {
            Ok(Found::Failing(ran)) => *ran,
            Ok(Found::Endless) => {
                defects.endless += 1;
                return Ok(None);
            }
            Ok(Found::None) => {
                defects.unnoticed += 1;
                return Ok(None);
            }
            Err(error) => {
                eprintln!("  {}: {}: {error:#}", mutant.place, mutant.operator);
                defects.unverified += 1;
                return Ok(None);
            }
        };
        let plain = failing.is_alone.then(|| failing.ran.clone());
        let run = self.failing(library, &mutant, &failing.ran.class, plain)?;
        match &run {
            Some(_) => {
                defects.failing += 1;
                self.next += 1;
            }
            None => defects.unstable += 1,
        }
        Ok(run)
    }

    fn in_place(&self, mutant: &Mutant<'_>) -> Result<Defect> {
        self.runner.site.with_defect(mutant.name, &mutant.class)
    }

    /// Seconds for a test class, in which a loop that was finite may have become endless.
    fn limit(&self, class: &str) -> u64 {
        let milliseconds = self.suite.classes.get(class).map_or(0, |c| c.milliseconds);
        (10 + milliseconds / 250).min(self.measure.limit)
    }

    /// The first class with a test that fails by the defect, which is in place.
    fn first_to_fail(&self, mutant: &Mutant<'_>, covering: &[&str]) -> Result<Found> {
        let green = |class: &str| self.suite.classes.get(class).map(|c| &c.green);
        let decisive: BTreeSet<&str> = covering
            .iter()
            .filter_map(|class| green(class))
            .flatten()
            .map(String::as_str)
            .collect();
        let decisive: Vec<&str> = decisive.into_iter().collect();
        let limit = covering.iter().map(|class| self.limit(class)).max();
        let mut request = Request::new(covering, limit.unwrap_or(self.measure.limit));
        request.link = Some(mutant.name);
        request.decisive = &decisive;
        let ran = self.runner.run(&request)?;
        let failed = |ran: &&Ran| {
            let mut failed = ran.tests.iter().filter(|test| test.failed());
            failed.any(|test| decisive.binary_search(&test.id.as_str()).is_ok())
        };
        let through = ran.iter().filter(|ran| ran.end == End::Through);
        Ok(match through.clone().find(failed) {
            Some(failing) => Found::Failing(Box::new(Failing {
                is_alone: ran[0].class == failing.class,
                ran: failing.clone(),
            })),
            None if ran.iter().any(|ran| ran.end != End::Through) => Found::Endless,
            None => Found::None,
        })
    }

    /// The tests of a class that pass if it is run alone, without a defect.
    fn green_alone(&mut self, class: &str) -> Result<&BTreeSet<String>> {
        if !self.alone.contains_key(class) {
            let ran = self.runner.alone(class, self.measure.limit, &[])?;
            let known = self.suite.classes.get(class).map(|c| &c.green);
            let green = ran.green().into_iter().map(str::to_owned);
            // Without the whole suite, what passes alone is all that is known.
            let green = green.filter(|id| known.is_none_or(|known| known.contains(id)));
            self.alone.insert(class.to_owned(), green.collect());
        }
        Ok(&self.alone[class])
    }

    /// Runs a class with a failing test alone: without jinsi, unless that was done, and recorded; and minimizes it. `None` if it does not
    /// always end alike.
    fn failing(
        &mut self,
        library: &str,
        mutant: &Mutant<'_>,
        class: &str,
        plain: Option<Ran>,
    ) -> Result<Option<DefectRun>> {
        let green = self.green_alone(class)?.clone();
        let defect = self.in_place(mutant)?;
        let plain = match plain {
            Some(plain) => plain,
            None => self.runner.alone(class, self.limit(class), &[])?,
        };
        let mut failed = plain.tests.iter().filter(|test| test.failed());
        let Some(test) = failed.find(|test| green.contains(&test.id)) else {
            return Ok(None);
        };
        let traces = self.work.join("jinsi");
        if traces.exists() {
            fs::remove_dir_all(&traces)?;
        }
        let recorded = self.recorded(class, &traces)?;
        let different = plain.differences(&recorded);
        if !different.is_empty() && !self.always_ends_so(class, &plain)? {
            return Ok(None);
        }
        let measure = self.measure;
        let minimized = measure.jinsi.minimize(
            measure.jdk,
            self.runner.site.root.as_path(),
            &traces,
            &test.name,
        )?;
        let mut run = begun(library, mutant, test, different, &minimized);
        self.judge(&minimized, class, defect, &mut run, &traces)?;
        self.put_by(&traces, mutant, class)?;
        Ok(Some(run))
    }

    fn recorded(&self, class: &str, traces: &Path) -> Result<Ran> {
        let measure = self.measure;
        let classes = [class];
        let mut request = Request::new(&classes, measure.limit * 3);
        request.options = vec![measure.jinsi.option(self.runner.site, traces)?];
        let ran = self.runner.run(&request)?.into_iter().next();
        Ok(ran.unwrap_or_default())
    }

    /// Does the class end so in further runs without jinsi?
    fn always_ends_so(&self, class: &str, plain: &Ran) -> Result<bool> {
        for _ in 0..AGAIN {
            let again = self.runner.alone(class, self.limit(class), &[])?;
            if !plain.differences(&again).is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs the recommended test with the defect, and with the original class once that is back.
    fn judge(
        &self,
        minimized: &Minimized,
        class: &str,
        defect: Defect,
        run: &mut DefectRun,
        traces: &Path,
    ) -> Result<()> {
        let Some(keep) = &minimized.keep else {
            return Ok(());
        };
        let mut row = KeepRow {
            form: keep.form.clone(),
            calls: keep.calls,
            lines: keep.lines,
            only_the_test: false,
        };
        match Compiled::of(keep, &self.runner, class, traces)? {
            Err(Refused { complaint }) => {
                run.why_not = Some(format!(
                    "the recommended test does not compile: {complaint}"
                ));
            }
            Ok(compiled) => {
                row.only_the_test = compiled.only_the_test;
                let with_defect = compiled.run(&self.runner)?;
                drop(defect);
                let with_original = compiled.run(&self.runner)?;
                run.fails = matches!(with_defect, Outcome::Failed(_));
                run.flips = run.fails && with_original == Outcome::Passed;
                run.why_not = complaint(&with_defect, &with_original);
            }
        }
        run.keep = Some(row);
        Ok(())
    }

    /// Leaves what came of a defect, if that is wanted.
    fn put_by(&self, traces: &Path, mutant: &Mutant<'_>, class: &str) -> Result<()> {
        if self.measure.keep_work {
            let into = &mutant.work;
            if into.exists() {
                fs::remove_dir_all(into)?;
            }
            fs::rename(traces, into)?;
            let left = Left {
                class: mutant.name.to_owned(),
                operator: mutant.operator,
                place: mutant.place.clone(),
                test_class: class.to_owned(),
            };
            left.write(&mutant.class, into)?;
        }
        Ok(())
    }
}

/// What comes of the test classes that execute a defect.
enum Found {
    /// A test fails.
    Failing(Box<Failing>),
    /// None fails, but one does not end.
    Endless,
    None,
}

/// A test class with a test that fails.
struct Failing {
    ran: Ran,
    /// No other class was run before it in its JVM.
    is_alone: bool,
}

fn begun(
    library: &str,
    mutant: &Mutant<'_>,
    test: &Test,
    different: Vec<String>,
    minimized: &Minimized,
) -> DefectRun {
    DefectRun {
        library: library.to_owned(),
        place: mutant.place.clone(),
        operator: mutant.operator,
        test: test.name.clone(),
        framework: test.framework.clone(),
        outcome_same: different.is_empty(),
        keep: None,
        fails: false,
        flips: false,
        seconds: minimized.seconds,
        second_try: minimized.second_try,
        why_not: minimized.why_not.clone(),
        different,
    }
}

/// Why a test does not flip, if it does not.
pub(crate) fn complaint(with_defect: &Outcome, with_original: &Outcome) -> Option<String> {
    match (with_defect, with_original) {
        (Outcome::Failed(_), Outcome::Passed) => None,
        (Outcome::Failed(_), Outcome::Failed(thrown)) => Some(format!(
            "the recommended test fails with the original class, too: {thrown}"
        )),
        (Outcome::Failed(_), Outcome::NotRun(why)) => Some(format!(
            "the recommended test is not run with the original class: {why}"
        )),
        (Outcome::Passed, _) => Some("the recommended test passes with the defect".into()),
        (Outcome::NotRun(why), _) => Some(format!(
            "the recommended test is not run with the defect: {why}"
        )),
    }
}
