//! Gathers what speaks for the lines of a failing run, and ranks them.

mod compared;
mod gathered;
mod handed;
mod possible;

use jinsi_slice::SliceError;
use jinsi_slice::criterion::Criterion;
use jinsi_trace::reader::{ReadError, Trace};
use serde::Serialize;

use crate::coverage::{Coverage, first_ran};
use crate::covered::MethodCoverage;
use crate::rank::{Clue, Ranked, Weights};
use crate::record::RunError;
use crate::solver::Solver;
use crate::spans::Span;
use crate::spectra::Spectra;
use compared::{Compared, Known};
use gathered::Gathered;
pub use possible::Asked;

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
    #[error("the run was recorded without instructions; record it with --detail instructions")]
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
    /// Knows which of the decisions that were turned no state of the program turns.
    pub solver: Option<Solver>,
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
    /// What a solver said of turned decisions, if one was asked.
    pub solver: Option<Asked>,
    /// What the slice did not follow.
    pub not_followed: Vec<String>,
    /// Why there is no slice, if there is none.
    pub without_slice: Option<String>,
    /// Spectra of all runs, for those who go on with them.
    #[serde(skip)]
    pub spectra: Spectra,
    /// What all runs together have covered; nothing if the spectra are from elsewhere.
    #[serde(skip)]
    pub methods: Vec<MethodCoverage>,
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
    let all = std::iter::once(&question.failing).chain(&question.others);
    let known: Vec<Known<'_>> = all.map(Known::of).collect();
    if !known[0].has_code() {
        return Err(LookError::Nothing);
    }
    let mut gathered = Gathered::new(&failing, question.clues);
    gathered.slice(question.failing.trace, question.criterion)?;
    let asked = match question.solver {
        Some(solver) => Some(gathered.ask(solver, question.failing.trace, &known[0].program)?),
        None => None,
    };
    gathered.weigh_flips();
    gathered.frames(question.failing.trace);
    gathered.thrown(question.failing.trace, &known[0].program);
    let first = first_ran(question.failing.trace, &known[0].program, &failing)?;
    gathered.covered(&first);
    gathered.handed(question.failing.trace, &known[0].program, &first);
    let mut methods = Vec::new();
    let spectra = match question.spectra {
        Some(spectra) => spectra,
        None => {
            let mut coverage = Coverage::new();
            for known in &known {
                coverage.add(known.trace, &known.program, known.spans)?;
            }
            let (spectra, covered) = coverage.finish();
            methods = covered;
            spectra
        }
    };
    let tests = gathered.spectrum(&spectra);
    let difference = match Compared::of(&known, question.which)? {
        Some(compared) => {
            gathered.difference(&compared);
            Some(gathered.report(&compared))
        }
        None => None,
    };
    gathered.without_bridges(&known[0].program);
    let (lines, rest) = gathered.finish(&question.weights);
    Ok(Findings {
        run: failing.name.clone(),
        failure: rest.failure,
        lines,
        difference,
        tests,
        solver: asked,
        not_followed: rest.not_followed,
        without_slice: rest.without_slice,
        spectra,
        methods,
    })
}
