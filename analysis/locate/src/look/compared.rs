//! The failing run beside the nearest passing one.

use jinsi_steps::code::Program;
use jinsi_trace::reader::Trace;

use super::Recording;
use crate::align::{Aligner, Difference};
use crate::place::Place;
use crate::record::{RunError, each, runs};
use crate::run::{EventNo, Run};
use crate::spans::Span;
use crate::statements::Statements;

/// Passing runs that the failing one is compared with; the first ones.
const MOST: usize = 2_000;

/// A recording, and what its code is.
pub(super) struct Known<'q> {
    pub(super) trace: &'q Trace,
    pub(super) spans: &'q [Span],
    pub(super) program: Program,
}

impl<'q> Known<'q> {
    pub(super) fn of(recording: &'q Recording<'_>) -> Self {
        Self {
            trace: recording.trace,
            spans: &recording.spans,
            program: Program::of(recording.trace),
        }
    }

    /// Are instructions known?
    pub(super) fn has_code(&self) -> bool {
        let mut methods = self.program.methods().iter();
        methods.any(|method| method.body.is_some())
    }

    fn run(&self, span: &Span, statements: &mut Statements) -> Result<Run, RunError> {
        let made = runs(
            self.trace,
            &self.program,
            std::slice::from_ref(span),
            statements,
        )?;
        Ok(made.into_iter().next().unwrap_or_default())
    }
}

/// The failing run and the nearest passing one.
pub(super) struct Compared {
    pub(super) statements: Statements,
    pub(super) failing: Run,
    pub(super) passing: Run,
    /// Name of the passing one.
    pub(super) name: String,
    pub(super) difference: Difference,
    /// Passing runs that there were to choose from.
    pub(super) among: usize,
}

impl Compared {
    /// The failing run is part `which` of the first recording. `None` if no run passed.
    pub(super) fn of(known: &[Known<'_>], which: usize) -> Result<Option<Self>, RunError> {
        let mut statements = Statements::default();
        let failing = known[0].run(&known[0].spans[which], &mut statements)?;
        let aligner = Aligner::new(&failing);
        let mut differences = Vec::new();
        for known in known {
            let passing = known.spans.iter().filter(|span| span.failed.is_none());
            let spans: Vec<Span> = passing.take(MOST - differences.len()).cloned().collect();
            let mut found = vec![None; spans.len()];
            let mut take = |at: usize, run: Run| found[at] = Some(aligner.difference(&run));
            each(
                known.trace,
                &known.program,
                &spans,
                &mut statements,
                &mut take,
            )?;
            let found = spans.into_iter().zip(found);
            let found = found.filter_map(|(span, difference)| Some((known, span, difference?)));
            differences.extend(found);
        }
        let among = differences.len();
        // Of tests that have little in common with the failing run none is the nearest.
        let most = differences
            .iter()
            .map(|(.., difference)| difference.aligned())
            .max();
        let most = most.unwrap_or(0);
        differences.retain(|(.., difference)| 2 * difference.aligned() >= most && most > 0);
        let nearest = differences
            .into_iter()
            .enumerate()
            .min_by(|(a, one), (b, other)| {
                let (one, other) = (&one.2, &other.2);
                let by_difference = one.is_same().cmp(&other.is_same());
                by_difference
                    .then_with(|| one.compare(other))
                    .then(a.cmp(b))
            });
        let Some((_, (known, span, difference))) = nearest else {
            return Ok(None);
        };
        let passing = known.run(&span, &mut statements)?;
        Ok(Some(Self {
            statements,
            passing,
            name: span.name,
            difference,
            among,
            failing,
        }))
    }

    /// Where an event of the failing run stands.
    pub(super) fn place(&self, event: EventNo) -> Place {
        let statement = self.failing.event(event).statement;
        self.statements.get(statement).place()
    }
}
