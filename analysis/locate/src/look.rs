//! Gathers what speaks for the lines of a failing run, and ranks them.

use std::collections::{BTreeMap, HashMap};

use jinsi_slice::criterion::Criterion;
use jinsi_slice::{Kind as SliceKind, Slice, SliceError};
use jinsi_steps::code::Program;
use jinsi_trace::model::ObjectId;
use jinsi_trace::reader::{ReadError, Trace};
use serde::Serialize;

use crate::align::{Aligner, Difference};
use crate::coverage::Coverage;
use crate::place::Place;
use crate::rank::{Clue, Kind, Ranked, Weights, by_distance, rank};
use crate::record::{RunError, block_of, runs};
use crate::run::{EventNo, Run};
use crate::spans::Span;
use crate::spectra::{Formula, Spectra};
use crate::statements::Statements;

/// Passing runs of which the run is compared with the nearest; the first ones.
const MOST_COMPARED: usize = 2_000;

/// Why it cannot be said where to look.
#[derive(Debug, thiserror::Error)]
pub enum LookError {
    /// A trace cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A run cannot be compared.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The failing run cannot be sliced.
    #[error(transparent)]
    Slice(#[from] SliceError),
    /// There is no code that could be looked at.
    #[error("nothing of the run has its instructions recorded")]
    Nothing,
}

/// A recording, or some parts of it.
pub struct Recording<'t> {
    /// The trace, with instructions.
    pub trace: &'t Trace,
    /// The parts.
    pub spans: Vec<Span>,
}

/// What is asked.
pub struct Question<'t> {
    /// The recording that has the failing run.
    pub failing: Recording<'t>,
    /// Which of its parts that is.
    pub which: usize,
    /// What went wrong; `None`: the failure of the part.
    pub criterion: Option<Criterion>,
    /// Recordings of other runs.
    pub others: Vec<Recording<'t>>,
    /// What others have found: lines that what is left of the run depends on, omissions, flips.
    pub clues: Vec<Clue>,
    /// Spectra from elsewhere.
    pub spectra: Option<Spectra>,
    /// How much the kinds of clues count.
    pub weights: Weights,
}

/// A branch that decided otherwise than in the nearest passing run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BranchReport {
    /// Binary name of the class.
    pub class: String,
    /// Method.
    pub method: String,
    /// Source file, if known.
    pub file: Option<String>,
    /// Line, 0 if unknown.
    pub line: u16,
    /// Which time the branch was come to, from 1.
    pub occurrence: u64,
    /// Where it led.
    pub went: String,
    /// Where it led in the passing run.
    pub passing: String,
    /// What its line used, where that is known.
    pub values: Vec<String>,
}

/// What the failing run did otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DifferenceReport {
    /// The nearest passing run.
    pub run: String,
    /// Passing runs that were compared.
    pub compared: usize,
    /// Did no branch decide otherwise?
    pub same: bool,
    /// The branches, in order; nearer to the end says more.
    pub branches: Vec<BranchReport>,
}

/// How many tests there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tests {
    /// Failed ones.
    pub failed: usize,
    /// Passed ones.
    pub passed: usize,
}

/// Where to look.
#[derive(Debug, Serialize)]
pub struct Findings {
    /// The failing run.
    pub run: String,
    /// What is explained.
    pub failure: String,
    /// The lines, the most suspicious first.
    pub lines: Vec<FoundLine>,
    /// What the run did otherwise than the nearest passing one, if there is one.
    pub difference: Option<DifferenceReport>,
    /// Of the spectra, if there are any.
    pub tests: Option<Tests>,
    /// What the slice did not follow.
    pub not_followed: Vec<String>,
    /// Why there is no slice, if there is none.
    pub without_slice: Option<String>,
    /// Spectra of all runs, for those who go on with them.
    #[serde(skip)]
    pub spectra: Spectra,
}

/// A line, with what is known of it.
#[derive(Clone, Debug, Serialize)]
pub struct FoundLine {
    /// Its place in the ranking, and why.
    #[serde(flatten)]
    pub ranked: Ranked,
    /// Method, if known.
    pub method: Option<String>,
    /// Source file, if known.
    pub file: Option<String>,
    /// What its variables held.
    pub values: Vec<String>,
}

/// Says where to look.
///
/// # Errors
/// See [`LookError`].
pub fn look(question: Question<'_>) -> Result<Findings, LookError> {
    let failing = question.failing.spans.get(question.which);
    let failing = failing.cloned().ok_or(LookError::Nothing)?;
    let program = Program::of(question.failing.trace);
    if program.methods().iter().all(|method| method.body.is_none()) {
        return Err(LookError::Nothing);
    }
    let mut gathered = Gathered {
        failing: &failing,
        clues: question.clues,
        known: HashMap::new(),
        not_followed: Vec::new(),
        failure: String::new(),
        without_slice: None,
    };
    gathered.slice(question.failing.trace, question.criterion)?;
    gathered.frames(question.failing.trace);
    let mut coverage = Coverage::new();
    let all = std::iter::once(&question.failing).chain(&question.others);
    for recording in all {
        let program = Program::of(recording.trace);
        coverage.add(recording.trace, &program, &recording.spans)?;
    }
    let spectra = question.spectra.unwrap_or_else(|| coverage.finish());
    let tests = gathered.spectrum(&spectra);
    let statements = Statements::default();
    let runs = Runs::of(
        &question.failing,
        question.which,
        &question.others,
        statements,
    )?;
    let difference = runs.nearest().map(|(at, difference)| {
        gathered.difference(&runs, &difference);
        gathered.report(&runs, at, &difference)
    });
    let ranked = rank(std::mem::take(&mut gathered.clues), &question.weights);
    let known = gathered.known;
    let lines = ranked.into_iter().map(|ranked| {
        let of = known.get(&ranked.place).cloned().unwrap_or_default();
        FoundLine {
            ranked,
            method: of.method,
            file: of.file,
            values: of.values,
        }
    });
    Ok(Findings {
        run: failing.name.clone(),
        failure: gathered.failure,
        lines: lines.collect(),
        difference,
        tests,
        not_followed: gathered.not_followed,
        without_slice: gathered.without_slice,
        spectra,
    })
}

/// The failing run and the passing ones.
struct Runs {
    statements: Statements,
    failing: Run,
    passing: Vec<(String, Run)>,
}

impl Runs {
    fn of(
        failing: &Recording<'_>,
        which: usize,
        others: &[Recording<'_>],
        mut statements: Statements,
    ) -> Result<Self, RunError> {
        let program = Program::of(failing.trace);
        let mut wanted = vec![failing.spans[which].clone()];
        let passing = failing.spans.iter().filter(|span| span.failed.is_none());
        wanted.extend(passing.take(MOST_COMPARED).cloned());
        let names: Vec<String> = wanted.iter().map(|span| span.name.clone()).collect();
        let made = runs(failing.trace, &program, &wanted, &mut statements)?;
        let mut named = names.into_iter().zip(made);
        let failing = named.next().map(|(_, run)| run).unwrap_or_default();
        let mut passing: Vec<(String, Run)> = named.collect();
        for other in others {
            let program = Program::of(other.trace);
            let left = MOST_COMPARED.saturating_sub(passing.len());
            let spans = other.spans.iter().filter(|span| span.failed.is_none());
            let spans: Vec<Span> = spans.take(left).cloned().collect();
            let made = runs(other.trace, &program, &spans, &mut statements)?;
            passing.extend(spans.into_iter().map(|span| span.name).zip(made));
        }
        Ok(Self {
            statements,
            failing,
            passing,
        })
    }

    /// The nearest passing run and the difference to it. Of tests that have little in common with the failing run none is the nearest: at least half
    /// as much of it has to be aligned as of the one that has most.
    fn nearest(&self) -> Option<(usize, Difference)> {
        let aligner = Aligner::new(&self.failing);
        let passing = self.passing.iter();
        let all: Vec<Difference> = passing.map(|(_, run)| aligner.difference(run)).collect();
        let most = all.iter().map(Difference::aligned).max()?;
        let near = |difference: &Difference| 2 * difference.aligned() >= most && most > 0;
        let candidates = all.into_iter().enumerate().filter(|(_, d)| near(d));
        candidates.min_by(|(a, one), (b, other)| {
            let by_difference = one.is_same().cmp(&other.is_same());
            by_difference
                .then_with(|| one.compare(other))
                .then(a.cmp(b))
        })
    }

    fn place(&self, event: EventNo) -> Place {
        self.statements
            .get(self.failing.event(event).statement)
            .place()
    }
}

/// What is known of a line beside its rank.
#[derive(Clone, Default)]
struct Known {
    method: Option<String>,
    file: Option<String>,
    values: Vec<String>,
}

/// What speaks for the lines.
struct Gathered<'s> {
    failing: &'s Span,
    clues: Vec<Clue>,
    known: HashMap<Place, Known>,
    not_followed: Vec<String>,
    failure: String,
    without_slice: Option<String>,
}

impl Gathered<'_> {
    fn is_of_test(&self, class: &str) -> bool {
        let test = self.failing.test_class.as_deref();
        test.and_then(|test| class.strip_prefix(test))
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    }

    fn add(&mut self, place: Place, kind: Kind, strength: f64, why: String) {
        if place.line != 0 && !self.is_of_test(&place.class) {
            self.clues.push(Clue {
                place,
                kind,
                strength,
                why,
            });
        }
    }

    /// The dynamic and the relevant slice from the failure.
    fn slice(&mut self, trace: &Trace, criterion: Option<Criterion>) -> Result<(), LookError> {
        let of_part = self.failing.failed.filter(|thrown| *thrown != 0);
        let criterion = criterion.or(of_part.map(Criterion::Failure));
        if criterion.is_none() && self.failing.test_class.is_some() {
            self.failure = format!("the failure of {}", self.failing.name);
            self.without_slice = Some("the test ended by no exception".into());
            return Ok(());
        }
        let dynamic = match jinsi_slice::slice(trace, criterion.clone(), SliceKind::Dynamic) {
            Ok(slice) => slice,
            Err(why @ SliceError::NotReached(_)) => {
                self.failure = format!("the failure of {}", self.failing.name);
                self.without_slice = Some(why.to_string());
                return Ok(());
            }
            Err(why) => return Err(why.into()),
        };
        self.failure = dynamic.criterion.clone();
        let crossings = dynamic.crossings.iter();
        self.not_followed = crossings
            .map(|c| format!("{} ({} times)", c.what, c.times))
            .collect();
        self.take(&dynamic, Kind::Slice);
        let relevant = jinsi_slice::slice(trace, criterion, SliceKind::Relevant)?;
        self.take(&relevant, Kind::Relevant);
        Ok(())
    }

    fn take(&mut self, slice: &Slice, kind: Kind) {
        for line in &slice.lines {
            let place = Place {
                class: line.class.clone(),
                line: line.line,
            };
            let known = self.known.entry(place.clone()).or_default();
            known.method = line.methods.iter().next().cloned();
            known.file.clone_from(&line.file);
            if known.values.is_empty() {
                known.values.clone_from(&line.values);
            }
            let why = match (kind, line.distance) {
                (_, None) => "the failure depends on it".to_owned(),
                (Kind::Slice, Some(distance)) => {
                    format!("the failure depends on it, {distance} dependences away")
                }
                (_, Some(distance)) => {
                    format!("it might have changed the failure, {distance} dependences away")
                }
            };
            self.add(place, kind, by_distance(line.distance), why);
        }
    }

    /// The lines that were being executed when the exception was thrown.
    fn frames(&mut self, trace: &Trace) {
        let thrown = self.failing.failed.filter(|thrown| *thrown != 0);
        let Some(throwable) = thrown.and_then(|id: ObjectId| trace.throwable(id)) else {
            return;
        };
        let recorded = |class: &str| {
            let known = trace.class_by_name(&class.replace('.', "/"));
            known.is_some_and(|known| {
                trace
                    .sites()
                    .iter()
                    .any(|s| s.class == known.no && !s.outside)
            })
        };
        let mut known: HashMap<&str, bool> = HashMap::new();
        let mut depth = 0_u32;
        let frames = throwable.frames.iter();
        let frames: Vec<(Place, u32)> = frames
            .filter_map(|frame| {
                let line = u16::try_from(frame.line).ok().filter(|line| *line > 0)?;
                let of_program = *known
                    .entry(frame.class.as_str())
                    .or_insert_with(|| recorded(&frame.class));
                let class = frame.class.replace('/', ".");
                if !of_program || self.is_of_test(&class) {
                    return None;
                }
                depth += 1;
                Some((Place { class, line }, depth - 1))
            })
            .collect();
        for (place, depth) in frames {
            let why = match depth {
                0 => "the exception was thrown here".to_owned(),
                depth => format!("the exception went through here, frame {depth}"),
            };
            self.add(place, Kind::Frame, 1.0 / f64::from(1 + depth), why);
        }
    }

    /// Suspicion by what tests covered; nothing if none passed.
    fn spectrum(&mut self, spectra: &Spectra) -> Option<Tests> {
        let failed = spectra.tests.iter().filter(|test| test.failed).count();
        let passed = spectra.tests.len() - failed;
        let tests = Tests { failed, passed };
        let counts = spectra.counts();
        for (element, counts) in spectra.elements.iter().zip(&counts) {
            let place = Place {
                class: element.class.to_string(),
                line: element.line,
            };
            let known = self.known.entry(place.clone()).or_default();
            if known.method.is_none() {
                let name = element.method.split('(').next().unwrap_or_default();
                known.method = Some(name.to_owned());
                known.file = element.file.as_deref().map(str::to_owned);
            }
            let suspicion = Formula::Ochiai.of(*counts);
            if suspicion > 0.0 && passed > 0 {
                let why = format!(
                    "{} of {failed} failing and {} of {passed} passing runs {} it",
                    counts.failed,
                    counts.passed,
                    if element.branch.is_some() {
                        "went one way at"
                    } else {
                        "covered"
                    },
                );
                self.add(place, Kind::Spectrum, suspicion, why);
            }
        }
        (passed > 0).then_some(tests)
    }

    /// The branches that decided otherwise, and what ran because of them.
    fn difference(&mut self, runs: &Runs, difference: &Difference) {
        if difference.is_same() {
            return;
        }
        let branches = difference.events();
        for (back, event) in branches.iter().rev().enumerate() {
            let why = "it decided otherwise than in the nearest passing run".to_owned();
            let strength = 1.0 / (1.0 + back as f64);
            self.add(runs.place(*event), Kind::Difference, strength, why);
        }
        let mut guarded = vec![false; runs.failing.len()];
        for event in branches {
            guarded[*event as usize] = true;
        }
        let mut lines: BTreeMap<Place, ()> = BTreeMap::new();
        for (no, event) in runs.failing.events().iter().enumerate() {
            let because = event.on().is_some_and(|on| guarded[on as usize]);
            if because && !guarded[no] {
                guarded[no] = true;
                lines.insert(runs.place(no as EventNo), ());
            }
        }
        for place in lines.into_keys() {
            let why = "it ran because of a branch that decided otherwise".to_owned();
            self.add(place, Kind::Guarded, 1.0, why);
        }
    }

    fn report(&self, runs: &Runs, nearest: usize, difference: &Difference) -> DifferenceReport {
        let (name, passing) = &runs.passing[nearest];
        let partners = Aligner::new(&runs.failing).partners(passing);
        let mut other: HashMap<EventNo, usize> = HashMap::new();
        for (at, partner) in partners.iter().enumerate() {
            other.extend(partner.map(|partner| (partner, at)));
        }
        let mut times: HashMap<u32, u64> = HashMap::new();
        let mut wanted = difference.events().iter().peekable();
        let mut branches = Vec::new();
        for (no, event) in (0..).zip(runs.failing.events()) {
            let time = times.entry(event.statement).or_default();
            *time += 1;
            if wanted.next_if(|wanted| **wanted == no).is_none() || difference.is_same() {
                continue;
            }
            let statement = runs.statements.get(event.statement);
            let led = |outcome: Option<crate::run::Outcome>| match outcome.map(block_of) {
                None => "not known".to_owned(),
                Some(Err(what)) => what.to_owned(),
                Some(Ok(block)) => match statement.line_of(block) {
                    Some(line) => format!("to line {line}"),
                    None => "another way".to_owned(),
                },
            };
            let partner = other.get(&no).map(|at| &passing.events()[*at]);
            let known = self.known.get(&statement.place());
            branches.push(BranchReport {
                class: statement.source.class.clone(),
                method: statement.source.method.clone(),
                file: statement.source.file.clone(),
                line: statement.line,
                occurrence: *time,
                went: led(event.outcome),
                passing: led(partner.and_then(|partner| partner.outcome)),
                values: known.map(|known| known.values.clone()).unwrap_or_default(),
            });
        }
        DifferenceReport {
            run: name.clone(),
            compared: runs.passing.len(),
            same: difference.is_same(),
            branches,
        }
    }
}
