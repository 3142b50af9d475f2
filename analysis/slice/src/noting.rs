//! A slicer that tells the dependences between phases.

use super::division::{Crossed, Division, Own};
use super::slicer::Slicer;
use super::using::Use;
use super::watch::Watch;
use jinsi_steps::code::MethodNo;
use jinsi_steps::visitor::Step;

impl Slicer<'_> {
    /// The slice is to be reported by phases.
    pub fn divided(mut self, division: Division) -> Self {
        self.found.phases = vec![Own::default(); division.bounds.len()];
        self.division = Some(division);
        self
    }

    /// Is the instruction that is met the one that the slice of a phase begins with?
    pub(crate) fn begins(&mut self) -> bool {
        let seed = self.division.as_ref().and_then(|division| division.seed);
        let begins = seed == Some(self.clock);
        if begins {
            self.begun();
        }
        begins
    }

    /// The slice begins here.
    pub(crate) fn begun(&mut self) {
        self.found.seeded_in.get_or_insert(self.phase);
    }

    /// The instruction `at` is met, or a call from its end: which phase is it in?
    pub(crate) fn enter_phase(&mut self, at: usize) {
        let Some(division) = &self.division else {
            return;
        };
        let last = division.bounds.len() - 1;
        while (self.phase as usize) < last && division.bounds[self.phase as usize] <= self.clock {
            self.phase += 1;
        }
        let own = &mut self.found.phases[self.phase as usize];
        let inside = (division.from..division.bounds[last]).contains(&self.clock);
        if !inside || division.depths[self.phase as usize] != self.activations.len() {
            return;
        }
        let Some(activation) = self.activations.last() else {
            return;
        };
        own.method.get_or_insert(activation.method);
        let line = (activation.body.as_ref()).map_or(0, |body| body.instructions[at].line);
        if line != 0 && own.method == Some(activation.method) {
            let (first, last) = own.lines.unwrap_or((line, line));
            own.lines = Some((first.min(line), last.max(line)));
        }
    }

    /// The occurrence is in the slice, for it is used so: by a later phase?
    pub(crate) fn note(
        &mut self,
        (method, at): (MethodNo, usize),
        how: Use,
        step: Option<&Step<'_>>,
    ) {
        let depth = self.division.as_ref().map(|division| division.depth);
        // The call that all of the phases are in is none of their instructions.
        if depth.is_none_or(|depth| self.activations.len() < depth) {
            return;
        }
        if let Some(user) = how.mark().filter(|user| *user != self.phase) {
            self.found.crossed.push(Crossed {
                method,
                at,
                no: self.clock,
                phase: self.phase,
                user,
                location: step.and_then(Step::location),
                value: step.and_then(Step::value),
            });
        }
    }

    /// Has all of the phases been met?
    pub(crate) fn is_behind(&self) -> bool {
        let end = self
            .division
            .as_ref()
            .and_then(|division| division.bounds.last());
        end.is_some_and(|end| self.clock >= *end)
    }
}

impl<'t> Slicer<'t> {
    /// Looks out for instructions.
    pub(crate) fn watching(mut self, watch: Watch) -> Self {
        self.watch = Some(Box::new(watch));
        self
    }

    pub(crate) fn watch(&self) -> Option<&Watch> {
        self.watch.as_deref()
    }
}
