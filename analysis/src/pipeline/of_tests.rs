//! What of a recorded suite certain tests need: only that is replayed, so that what other tests did does not decide whether a failed one can be
//! looked into.

use std::collections::BTreeSet;

use jinsi_history::Moment;
use jinsi_level::event_slice::Slicer;
use jinsi_level::{Interaction, Level, Operation};
use jinsi_trace::model::{FailureKind, MarkNo, ThreadNo};

use super::Run;

impl Run {
    /// Numbers of the tests that failed, ascending.
    pub(super) fn failed_test_numbers(&self) -> Vec<MarkNo> {
        let failures = self.trace.failures().iter();
        let tests = failures.filter(|f| f.kind == FailureKind::Test);
        let numbers: BTreeSet<MarkNo> = tests.filter_map(|f| f.test).collect();
        numbers.into_iter().collect()
    }

    /// Numbers of the interactions that these tests need, ascending: their own, those of their classes' fixtures, and what shares an object with
    /// them. `None` if that is all, or if it is not known where one of the tests ran.
    pub(super) fn needed_by(&self, tests: &[MarkNo], level: &Level) -> Option<Vec<u32>> {
        let own: Vec<Own> = tests
            .iter()
            .map(|no| self.own(*no))
            .collect::<Option<_>>()?;
        let mut slicer = Slicer::default();
        let mut criteria = Vec::new();
        for interaction in &level.interactions {
            slicer.add(&level.objects, interaction);
            let span = self.span(interaction);
            if own.iter().any(|test| test.has(interaction, span)) {
                criteria.push(interaction.no);
            }
        }
        let needed = slicer.slice(&criteria);
        (!needed.is_empty() && needed.len() < level.interactions.len()).then_some(needed)
    }

    /// Those of the tests that need the interaction with the number `no`: whose own it is, or, if it is nobody's, those that cannot do without it.
    pub(super) fn tests_that_need(&self, no: u32, tests: &[MarkNo], level: &Level) -> Vec<MarkNo> {
        let Some(interaction) = level.interaction(no) else {
            return Vec::new();
        };
        let span = self.span(interaction);
        let is_own = |test: &MarkNo| {
            self.own(*test)
                .is_some_and(|own| own.has(interaction, span))
        };
        let own: Vec<MarkNo> = tests.iter().copied().filter(is_own).collect();
        if !own.is_empty() {
            return own;
        }
        let needs = |test: &MarkNo| {
            let needed = self.needed_by(&[*test], level);
            needed.is_none_or(|needed| needed.binary_search(&no).is_ok())
        };
        tests.iter().copied().filter(needs).collect()
    }

    /// Numbers of the interactions that no other test than the failed one did; `None` if there was no other.
    pub(super) fn without_other_tests(&self, level: &Level) -> Option<Vec<u32>> {
        let test = self.own(self.test_no?)?;
        let by_other = |interaction: &Interaction| {
            test.is_of_other(interaction.thread, self.span(interaction))
        };
        let all = level.interactions.iter();
        let own: Vec<u32> = all.filter(|i| !by_other(i)).map(|i| i.no).collect();
        (own.len() < level.interactions.len()).then_some(own)
    }

    /// When the interaction began and ended.
    fn span(&self, interaction: &Interaction) -> (Moment, Moment) {
        let node = self.history.node(interaction.node);
        (node.begin, node.close)
    }

    fn own(&self, test: MarkNo) -> Option<Own> {
        let (begin, end) = self.history.test_span(test)?;
        let mark = self.trace.marks().iter().find(|mark| mark.no == test)?;
        let mut classes = BTreeSet::new();
        let mut class = Some(mark.class.replace('.', "/"));
        while let Some(name) = class.filter(|name| !classes.contains(name)) {
            let def = self.trace.class_by_name(&name);
            class = def.and_then(|def| def.super_name.as_deref().map(String::from));
            classes.insert(name);
        }
        Some(Own {
            begin,
            end,
            thread: self.history.event_at(begin)?.thread,
            others: self.history.other_tests(test),
            classes,
        })
    }
}

/// What belongs to a test.
struct Own {
    begin: Moment,
    end: Moment,
    /// Where it ran.
    thread: ThreadNo,
    /// When other tests began and ended, in the order of their beginnings, and on which thread.
    others: Vec<(Moment, Moment, ThreadNo)>,
    /// Internal names of its class and the superclasses of that.
    classes: BTreeSet<String>,
}

impl Own {
    /// Is the interaction, which lasted from `at` to `close`, one of the test's, or of a fixture of its class? A test of JUnit 3 runs itself, and the
    /// framework, which it asks to, says then that it begins.
    fn has(&self, interaction: &Interaction, span: (Moment, Moment)) -> bool {
        let is_fixture = interaction.op == Operation::CallStatic
            && self.classes.contains(&interaction.target_class);
        self.may_have(interaction.thread, span, is_fixture)
    }

    fn may_have(&self, thread: ThreadNo, span: (Moment, Moment), is_fixture: bool) -> bool {
        let (at, close) = span;
        let is_before = close < self.begin && !is_fixture;
        at <= self.end && !is_before && !self.is_of_other(thread, span)
    }

    /// Is what lasted from `at` to `close` another test's?
    fn is_of_other(&self, thread: ThreadNo, (at, close): (Moment, Moment)) -> bool {
        let begun = self.others.partition_point(|(begin, ..)| *begin <= at);
        let on_thread = |(.., on): &&(Moment, Moment, ThreadNo)| *on == thread;
        let latest = self.others[..begun].iter().rev().find(on_thread);
        if latest.is_some_and(|(_, end, _)| at <= *end) {
            return true;
        }
        if (self.begin..=self.end).contains(&at) {
            return false;
        }
        let around = |moment: Moment| at <= moment && moment <= close;
        let next = self.others[begun..].iter().find(on_thread);
        if next.is_some_and(|(begin, ..)| around(*begin)) && !around(self.begin) {
            return true;
        }
        // A thread that another test started.
        let mut running = self.others[..begun].iter();
        thread != self.thread && running.any(|(begin, end, _)| (*begin..=*end).contains(&at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_has_what_it_does_and_what_runs_it() {
        let at = |position| Moment::of(position).unwrap();
        let span = |begin, end| (at(begin), at(end));
        let (begin, end) = span(20, 30);
        let of_other = |(begin, end)| (begin, end, 0);
        let test = Own {
            begin,
            end,
            thread: 0,
            others: vec![of_other(span(5, 10)), of_other(span(40, 50))],
            classes: BTreeSet::new(),
        };
        let has = |at, close| test.may_have(0, span(at, close), false);
        assert!(has(22, 25) && has(30, 60));
        // A test of JUnit 3 runs itself: it begins within an interaction.
        assert!(has(15, 35));
        assert!(!has(12, 15) && !has(31, 33));
        assert!(!has(7, 9) && !has(7, 25), "another test began it");
        // What another thread did before is nobody's, but a fixture.
        assert!(!test.may_have(1, span(2, 3), false));
        assert!(test.may_have(1, span(2, 3), true));
        assert!(!test.may_have(0, span(7, 8), true));
        // What goes on from before was started by the test in which it began.
        assert!(test.may_have(1, span(12, 25), false));
        assert!(!test.may_have(1, span(7, 25), false));
        assert!(test.may_have(1, span(22, 45), false));
    }
}
