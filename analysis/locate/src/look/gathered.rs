//! What speaks for the lines of a failing run.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use jinsi_classfile::opcode;
use jinsi_slice::criterion::Criterion;
use jinsi_slice::{Kind as SliceKind, Slice, SliceError};
use jinsi_steps::code::{Method, Program};
use jinsi_trace::reader::Trace;

use super::compared::Compared;
use super::handed::handed;
use super::{BranchReport, DifferenceReport, FoundLine, LookError, Tests};
use crate::align::Aligner;
use crate::coverage::FirstRan;
use crate::place::Place;
use crate::rank::{Clue, Kind, Weights, by_distance, rank, steps};
use crate::reason::{Reason, Remark};
use crate::record::block_of;
use crate::run::{EventNo, Outcome};
use crate::spans::Span;
use crate::spectra::{Aspect, Formula, Spectra};

/// What is known of a line beside its rank.
#[derive(Clone, Default)]
struct About {
    method: Option<String>,
    file: Option<String>,
    values: Vec<String>,
}

/// What speaks for the lines.
pub(super) struct Gathered<'s> {
    pub(super) failing: &'s Span,
    pub(super) clues: Vec<Clue>,
    known: HashMap<Place, About>,
    /// Lines of the stack trace, with their depth.
    on_stack: Vec<(Place, u32)>,
    /// How far the nearest line of the program is from the failure.
    nearest: u32,
    rest: Rest,
}

/// What there is to be reported beside the lines.
#[derive(Default)]
pub(super) struct Rest {
    /// What is explained.
    pub(super) failure: String,
    /// What the slice did not follow.
    pub(super) not_followed: Vec<String>,
    /// Why there is no slice, if there is none.
    pub(super) without_slice: Option<String>,
}

/// What the lines are about, if the failure has no place.
fn failure(failing: &Span) -> String {
    let name = &failing.name;
    Remark::Failure { name }.to_string()
}

/// The kind of clue that it is, and what the runs did.
fn aspect(aspect: Aspect) -> (Kind, String) {
    match aspect {
        Aspect::Line => (Kind::Spectrum, Reason::Covered.to_string()),
        Aspect::Way(..) => (Kind::Way, Reason::Way.to_string()),
        Aspect::Pair(_, set) => (Kind::Pair, Reason::Pair { set }.to_string()),
        Aspect::Value(_, _, class) => (
            Kind::Value,
            Reason::Value {
                class: class.name(),
            }
            .to_string(),
        ),
    }
}

impl<'s> Gathered<'s> {
    /// For this failing run, with what others have found.
    pub(super) fn new(failing: &'s Span, clues: Vec<Clue>) -> Self {
        Self {
            failing,
            clues,
            known: HashMap::new(),
            on_stack: Vec::new(),
            nearest: 0,
            rest: Rest::default(),
        }
    }

    /// The lines in their order, and what else is to be reported.
    pub(super) fn finish(self, weights: &Weights) -> (Vec<FoundLine>, Rest) {
        let ranked = rank(self.clues, weights).into_iter();
        let lines = ranked.map(|ranked| {
            let of = self.known.get(&ranked.place).cloned().unwrap_or_default();
            FoundLine {
                ranked,
                method: of.method,
                file: of.file,
                values: of.values,
            }
        });
        (lines.collect(), self.rest)
    }

    fn is_of_test(&self, class: &str) -> bool {
        let test = self.failing.test_class.as_deref();
        test.and_then(|test| class.strip_prefix(test))
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    }

    fn add(&mut self, place: Place, kind: Kind, strength: f64, why: Reason<'_>) {
        if place.line != 0 && !self.is_of_test(&place.class) {
            self.clues.push(Clue {
                place,
                kind,
                strength,
                why: why.to_string(),
            });
        }
    }

    /// Lines that only the compiler's own methods have say nothing: they are of the class, and nobody wrote them.
    pub(super) fn without_bridges(&mut self, program: &Program) {
        let [mut bridged, mut written] = [HashSet::new(), HashSet::new()];
        for method in program.methods() {
            let Some(body) = &method.body else {
                continue;
            };
            let lines = body.instructions.iter().map(|instruction| Place {
                class: method.owner.replace('/', "."),
                line: instruction.line,
            });
            match body.is_bridge {
                true => bridged.extend(lines),
                false => written.extend(lines),
            }
        }
        let kept = |clue: &Clue| !bridged.contains(&clue.place) || written.contains(&clue.place);
        self.clues.retain(kept);
    }

    /// The dynamic and the relevant slice from the failure.
    pub(super) fn slice(
        &mut self,
        trace: &Trace,
        criterion: Option<Criterion>,
    ) -> Result<(), LookError> {
        let of_part = self.failing.failed.filter(|thrown| *thrown != 0);
        let criterion = criterion.or(of_part.map(Criterion::Failure));
        if criterion.is_none() && self.failing.test_class.is_some() {
            self.rest.failure = failure(self.failing);
            self.rest.without_slice = Some(Remark::NoException.to_string());
            return Ok(());
        }
        let dynamic = match jinsi_slice::slice(trace, criterion.clone(), SliceKind::Dynamic) {
            Ok(slice) => slice,
            Err(why @ SliceError::NotReached(_)) => {
                self.rest.failure = failure(self.failing);
                self.rest.without_slice = Some(why.to_string());
                return Ok(());
            }
            Err(why) => return Err(why.into()),
        };
        self.rest.failure = dynamic.criterion.clone();
        let crossings = dynamic.crossings.iter();
        self.rest.not_followed = crossings
            .map(|c| {
                let (what, times) = (&c.what, c.times);
                Remark::NotFollowed { what, times }.to_string()
            })
            .collect();
        self.take(&dynamic, Kind::Slice);
        let mut relevant = jinsi_slice::slice(trace, criterion, SliceKind::Relevant)?;
        let known: BTreeSet<(&str, u16)> = (dynamic.lines.iter())
            .map(|line| (line.class.as_str(), line.line))
            .collect();
        (relevant.lines).retain(|line| !known.contains(&(line.class.as_str(), line.line)));
        self.take(&relevant, Kind::Relevant);
        Ok(())
    }

    /// Distances count from the nearest line that is not the test's own: how far that is from the failure is the test's matter.
    fn take(&mut self, slice: &Slice, kind: Kind) {
        let of_program = slice
            .lines
            .iter()
            .filter(|line| !self.is_of_test(&line.class));
        if let (Kind::Slice, Some(nearest)) =
            (kind, of_program.filter_map(|line| line.distance).min())
        {
            self.nearest = nearest;
        }
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
            let away = line.distance.map_or_else(String::new, steps);
            let why = match (kind, line.distance) {
                (Kind::Slice, None) => Reason::Slice,
                (_, None) => Reason::Relevant,
                (Kind::Slice, Some(0)) => Reason::Fails,
                (Kind::Slice, Some(_)) => Reason::SliceAway { steps: &away },
                (_, Some(_)) => Reason::RelevantAway { steps: &away },
            };
            let distance = line.distance.map(|far| far.saturating_sub(self.nearest));
            self.add(place, kind, by_distance(distance), why);
        }
    }

    /// Of several decisions after which the failure goes the nearest to it say most: others may only lead elsewhere altogether.
    pub(super) fn weigh_flips(&mut self) {
        let mut near: HashMap<Place, f64> = HashMap::new();
        for clue in &self.clues {
            if matches!(clue.kind, Kind::Slice | Kind::Relevant) {
                let strength = near.entry(clue.place.clone()).or_default();
                *strength = strength.max(clue.strength);
            }
        }
        let flips = self.clues.iter_mut().filter(|clue| clue.kind == Kind::Flip);
        let mut flips: Vec<(f64, &mut Clue)> = flips
            .map(|clue| (near.get(&clue.place).copied().unwrap_or(0.0), clue))
            .collect();
        flips.sort_by(|(a, one), (b, other)| {
            b.total_cmp(a).then_with(|| one.place.cmp(&other.place))
        });
        let mut before = 0;
        let mut last: Option<Place> = None;
        for (_, clue) in flips {
            if last.as_ref().is_some_and(|last| *last != clue.place) {
                before += 1;
            }
            last = Some(clue.place.clone());
            clue.strength = by_distance(Some(before));
        }
    }

    /// The lines that were being executed when the exception was thrown.
    pub(super) fn frames(&mut self, trace: &Trace) {
        let thrown = self.failing.failed.filter(|thrown| *thrown != 0);
        let Some(throwable) = thrown.and_then(|id| trace.throwable(id)) else {
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
            self.on_stack.push((place.clone(), depth));
            let why = match depth {
                0 => Reason::Thrown,
                depth => Reason::Frame { depth },
            };
            self.add(place, Kind::Frame, 1.0 / f64::from(1 + depth), why);
        }
    }

    /// Where the program throws the exception itself, it does what it should.
    pub(super) fn thrown(&mut self, trace: &Trace, program: &Program) {
        let thrown = self.failing.failed.filter(|thrown| *thrown != 0);
        let first = thrown.and_then(|id| trace.throwable(id)?.frames.first());
        let line = first.and_then(|frame| Some((frame, u16::try_from(frame.line).ok()?)));
        let Some((frame, line)) = line else {
            return;
        };
        let class = frame.class.replace('/', ".");
        let of_frame = |method: &&Rc<Method>| {
            method.owner.replace('/', ".") == class && method.name == frame.method
        };
        let methods = program.methods().iter().filter(of_frame);
        let mut instructions = methods
            .filter_map(|method| method.body.as_ref())
            .flat_map(|body| &body.instructions);
        if instructions.any(|i| i.line == line && i.opcode == opcode::ATHROW) {
            self.add(
                Place { class, line },
                Kind::Thrown,
                1.0,
                Reason::ThrowsItself,
            );
        }
    }

    /// What the exception is about: lines that only hand it on, and where it came from.
    pub(super) fn handed(&mut self, trace: &Trace, program: &Program, first: &[FirstRan]) {
        let thrown = self.failing.failed.filter(|thrown| *thrown != 0);
        let Some(throwable) = thrown.and_then(|id| trace.throwable(id)) else {
            return;
        };
        let lines: HashSet<&Place> = first.iter().map(|line| &line.place).collect();
        let ran = |place: &Place| lines.contains(place);
        let own: HashSet<&str> = self
            .on_stack
            .iter()
            .map(|(at, _)| at.class.as_str())
            .collect();
        let is_own = |class: &str| own.contains(class.replace('/', ".").as_str());
        let handed = handed(throwable, program, &ran, &is_own);
        for (place, depth) in handed.by {
            let strength = 1.0 / f64::from(1 + depth);
            self.add(place, Kind::Handed, strength, Reason::Passes);
        }
        if let Some(place) = handed.used {
            self.add(place, Kind::Handed, 0.5, Reason::Uses);
        }
        let strength = 1.0 / handed.from.len().max(1) as f64;
        for place in handed.from {
            self.add(place, Kind::Origin, strength, Reason::Origin);
        }
    }

    /// What the failing run covered: in the methods of the stack trace, and late. `first` are the lines with when they ran first.
    pub(super) fn covered(&mut self, first: &[FirstRan]) {
        let mut methods: HashMap<(&str, &str), Vec<(u16, u32)>> = HashMap::new();
        for line in first {
            let on_stack = self.on_stack.iter().filter(|(at, _)| *at == line.place);
            let own = methods.entry((line.place.class.as_str(), line.method.as_str()));
            own.or_default()
                .extend(on_stack.map(|(at, depth)| (at.line, *depth)));
        }
        let ran: BTreeSet<&Place> = first.iter().map(|line| &line.place).collect();
        let may_be = |clue: &Clue| clue.kind != Kind::Because || ran.contains(&clue.place);
        self.clues.retain(may_be);
        let mut found = Vec::new();
        let mut later = 0_u32;
        let mut times: Vec<&FirstRan> = first.iter().collect();
        times.sort_by_key(|line| std::cmp::Reverse(line.when));
        for same in times.chunk_by(|a, b| a.when == b.when) {
            let strength = by_distance(Some(later));
            later += same.len() as u32;
            for line in same {
                found.push((line.place.clone(), Kind::Late, strength));
            }
        }
        for line in first {
            let frames = &methods[&(line.place.class.as_str(), line.method.as_str())];
            let strengths = frames.iter().map(|(at, depth)| {
                let apart = u32::from(at.abs_diff(line.place.line));
                by_distance(Some(apart)) / f64::from(1 + depth)
            });
            if let Some(strength) = strengths.max_by(f64::total_cmp) {
                found.push((line.place.clone(), Kind::Method, strength));
            }
        }
        for (place, kind, strength) in found {
            let why = match kind {
                Kind::Late => Reason::Late,
                _ => Reason::Method,
            };
            self.add(place, kind, strength, why);
        }
    }

    /// Suspicion by what tests covered; nothing if none passed.
    pub(super) fn spectrum(&mut self, spectra: &Spectra) -> Option<Tests> {
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
                let (kind, what) = aspect(element.aspect);
                let why = Reason::Spectrum {
                    failing: counts.failed,
                    failed,
                    passing: counts.passed,
                    passed,
                    what: &what,
                };
                self.add(place, kind, suspicion, why);
            }
        }
        (passed > 0).then_some(tests)
    }

    /// The branches that decided otherwise, and what ran because of them.
    pub(super) fn difference(&mut self, runs: &Compared) {
        let difference = &runs.difference;
        if difference.is_same() {
            return;
        }
        let branches = difference.events();
        for (back, event) in branches.iter().rev().enumerate() {
            let strength = 1.0 / (1.0 + back as f64);
            let why = Reason::Difference;
            self.add(runs.place(*event), Kind::Difference, strength, why);
        }
        let mut guarded = vec![false; runs.failing.len()];
        for event in branches {
            guarded[*event as usize] = true;
        }
        let mut lines = BTreeSet::new();
        for (no, event) in runs.failing.events().iter().enumerate() {
            let because = event.on().is_some_and(|on| guarded[on as usize]);
            if because && !guarded[no] {
                guarded[no] = true;
                lines.insert(runs.place(no as EventNo));
            }
        }
        for place in lines {
            self.add(place, Kind::Guarded, 1.0, Reason::Guarded);
        }
    }

    pub(super) fn report(&self, runs: &Compared) -> DifferenceReport {
        let (passing, difference) = (&runs.passing, &runs.difference);
        let partners = Aligner::new(&runs.failing).partners(passing);
        let mut other: HashMap<EventNo, usize> = HashMap::new();
        for (at, partner) in partners.iter().enumerate() {
            other.extend(partner.map(|partner| (partner, at)));
        }
        let occurrences = occurrences(runs, difference.events());
        let reported = difference.events().iter().filter(|_| !difference.is_same());
        let mut branches = Vec::new();
        for no in reported {
            let event = runs.failing.event(*no);
            let statement = runs.statements.get(event.statement);
            let led = |outcome: Option<Outcome>| match outcome.map(block_of) {
                None => "not known".to_owned(),
                Some(Err(what)) => what.to_owned(),
                Some(Ok(block)) => match statement.line_of(block) {
                    Some(line) => format!("to line {line}"),
                    None => "another way".to_owned(),
                },
            };
            let partner = other.get(no).map(|at| &passing.events()[*at]);
            let known = self.known.get(&statement.place());
            branches.push(BranchReport {
                class: statement.source.class.clone(),
                method: statement.source.method.clone(),
                file: statement.source.file.clone(),
                line: statement.line,
                occurrence: occurrences.get(no).copied().unwrap_or(1),
                went: led(event.outcome),
                passing: led(partner.and_then(|partner| partner.outcome)),
                values: known.map(|known| known.values.clone()).unwrap_or_default(),
            });
        }
        DifferenceReport {
            run: runs.name.clone(),
            compared: runs.among,
            same: difference.is_same(),
            branches,
        }
    }
}

/// By event, which time its statement ran, from 1.
fn occurrences(runs: &Compared, events: &[EventNo]) -> HashMap<EventNo, u64> {
    let wanted: BTreeSet<EventNo> = events.iter().copied().collect();
    let mut times: HashMap<u32, u64> = HashMap::new();
    let mut found = HashMap::new();
    for (no, event) in (0..).zip(runs.failing.events()) {
        let time = times.entry(event.statement).or_default();
        *time += 1;
        if wanted.contains(&no) {
            found.insert(no, *time);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u16) -> Place {
        Place {
            class: "a.B".into(),
            line,
        }
    }

    fn ran(line: u16, method: &str, when: u64) -> FirstRan {
        FirstRan {
            place: place(line),
            method: method.into(),
            when,
        }
    }

    #[test]
    fn the_nearest_flip_says_most() {
        let failing = Span {
            thread: 0,
            from: 0,
            to: 9,
            name: "run".into(),
            failed: None,
            test_class: None,
        };
        let clue = |line, kind, strength| Clue {
            place: place(line),
            kind,
            strength,
            why: String::new(),
        };
        let clues = [3, 4, 4, 5].map(|line| clue(line, Kind::Flip, 1.0));
        let mut gathered = Gathered::new(&failing, clues.to_vec());
        gathered.clues.push(clue(4, Kind::Slice, 0.5));
        gathered.clues.push(clue(5, Kind::Relevant, 0.2));
        gathered.weigh_flips();
        let flips = gathered.clues.iter();
        let flips = flips.filter(|clue| clue.kind == Kind::Flip);
        let strengths: Vec<(u16, f64)> =
            flips.map(|clue| (clue.place.line, clue.strength)).collect();
        let [first, second, third] = [0, 1, 2].map(|before| by_distance(Some(before)));
        assert_eq!(strengths, [(3, third), (4, first), (4, first), (5, second)]);
    }

    #[test]
    fn what_ran_late_and_beside_the_exception_is_found() {
        let failing = Span {
            thread: 0,
            from: 0,
            to: 9,
            name: "run".into(),
            failed: Some(7),
            test_class: None,
        };
        let because = |line| Clue {
            place: place(line),
            kind: Kind::Because,
            strength: 1.0,
            why: String::new(),
        };
        let mut gathered = Gathered::new(&failing, vec![because(3), because(90)]);
        gathered.on_stack = vec![(place(12), 0), (place(31), 1)];
        gathered.covered(&[
            ran(3, "first()V", 1),
            ran(10, "throws()V", 5),
            ran(12, "throws()V", 5),
            ran(30, "calls()V", 2),
            ran(31, "calls()V", 8),
        ]);
        let strength = |line: u16, kind: Kind| {
            let found = gathered.clues.iter();
            let mut found = found.filter(|clue| clue.place.line == line && clue.kind == kind);
            found.next().map(|clue| clue.strength)
        };
        // What never ran is not there because of a decision.
        assert!(strength(3, Kind::Because).is_some() && strength(90, Kind::Because).is_none());
        assert_eq!(strength(12, Kind::Method), Some(by_distance(Some(0))));
        assert_eq!(strength(10, Kind::Method), Some(by_distance(Some(2))));
        assert_eq!(strength(30, Kind::Method), Some(by_distance(Some(1)) / 2.0));
        assert_eq!(strength(3, Kind::Method), None);
        let late = |line| strength(line, Kind::Late);
        assert_eq!(late(31), Some(by_distance(Some(0))));
        assert_eq!((late(10), late(12)), (Some(by_distance(Some(1))), late(10)));
        assert_eq!(late(30), Some(by_distance(Some(3))));
        assert_eq!(late(3), Some(by_distance(Some(4))));
    }
}
