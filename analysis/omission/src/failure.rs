//! What might have kept a run from failing: the decisions that its failure depends on, or might have depended on, of which one way was
//! never gone.
//!
//! These are the jumps in the relevant slice of the failure (Wang 2007, chapter 4). Who knows no more than that a run failed need not name
//! an object: whatever the failure is about, and whatever could have been written to it, is what that slice looks for.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use jinsi_classfile::bits::Bits;
use jinsi_classfile::effect::Access;
use jinsi_classfile::opcode as op;
use jinsi_history::failures;
use jinsi_slice::content::SliceContent;
use jinsi_slice::criterion::Criterion;
use jinsi_slice::find;
use jinsi_slice::relevant::Relevance;
use jinsi_steps::code::{Body, Instruction, MethodNo};
use jinsi_steps::walk::Role;
use jinsi_trace::model::{ObjectId, ThreadNo};
use jinsi_trace::reader::Trace;

use crate::births::Births;
use crate::code::Code;
use crate::error::OmissionError;
use crate::found::{Found, Omission};
use crate::gather::{Activation, Gathered, Way};
use crate::jumps::{Kind, Neighbours, decides};
use crate::place::Place;
use crate::uses::Target;

/// How a run failed.
#[derive(Clone, Debug)]
pub struct Failed {
    /// What is followed back.
    pub criterion: Criterion,
    /// Where it shows.
    pub thread: ThreadNo,
    /// The exception, if it is one.
    pub throwable: Option<ObjectId>,
}

impl Failed {
    /// As the trace has it.
    ///
    /// # Errors
    /// Nothing failed.
    pub fn recorded_in(trace: &Trace) -> Result<Self, OmissionError> {
        let failure = failures::pick(trace.failures());
        let failure = failure.ok_or_else(|| failures::none_in(trace))?;
        Ok(Self {
            criterion: Criterion::Failure(failure.throwable),
            thread: failure.thread,
            throwable: Some(failure.throwable),
        })
    }
}

/// What might have kept a run from failing so. A [`crate::Finder`] is not needed for it.
///
/// # Errors
/// The failure cannot be followed back.
pub fn of_failure(code: &Code<'_>, failed: &Failed) -> Result<Found, OmissionError> {
    let gathered = &Gathered::of(code, &Births::of(code)?)?;
    Failing { code, gathered }.found(failed)
}

/// What a run did.
pub(crate) struct Failing<'a, 't> {
    pub(crate) code: &'a Code<'t>,
    pub(crate) gathered: &'a Gathered,
}

/// What assertions ask of the values that they compare.
const COMPARES: [&str; 4] = ["equals", "hashCode", "toString", "compareTo"];

/// A way that a decision did not go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NotGone {
    jump: Place,
    other_way: u32,
}

impl Failing<'_, '_> {
    /// The decisions behind the failure.
    ///
    /// # Errors
    /// It cannot be followed back.
    pub(crate) fn found(&self, failed: &Failed) -> Result<Found, OmissionError> {
        let trace = self.code.trace;
        let program = &self.code.program;
        let relevance = Some(Rc::new(Relevance::of(trace, program)?));
        let content = find(trace, program, &failed.criterion, failed.thread, &relevance)?;
        let ended = self.ended(failed);
        let innermost = ended.first().and_then(|activation| {
            let way = &self.gathered.ways[activation.way as usize];
            let (at, _) = self.left_at(way, None, &content)?;
            let method = way.method;
            Some((Place { method, at }, activation.name()))
        });
        let mut found = Found {
            of_failure: true,
            lost: self.gathered.lost,
            innermost,
            ..Found::default()
        };
        let asked = self.asked(&ended);
        // What the exception decides itself, as what its message says, comes too late.
        let thrown = failed.throwable.and_then(|id| trace.throwable(id));
        let thrown = thrown.map(|thrown| thrown.class.replace('.', "/"));
        let is_late = |jump: Place| thrown.as_ref() == Some(&self.code.method(jump.method).owner);
        for (not_gone, activations) in self.not_gone(&content, failed.thread) {
            if is_late(not_gone.jump) {
                continue;
            }
            self.add((not_gone, activations), &content, &asked, &mut found);
        }
        let decide = content.instructions.iter().filter(|(method, at)| {
            let body = self.code.body(*method);
            body.is_some_and(|body| decides(body, *at))
        });
        let decisions = decide.map(|&(method, at)| Place { method, at });
        let decisions = decisions.filter(|at| !is_late(*at) && !found.of_asker.contains(at));
        found.decisions = decisions
            .map(|at| (at, content.distance((at.method, at.at))))
            .collect();
        self.add_frames(&ended, &content, &mut found);
        Ok(found)
    }

    /// The activations that the exception ended, the innermost first.
    fn ended(&self, failed: &Failed) -> Vec<&Activation> {
        let ended = self.gathered.activations.iter().filter(|activation| {
            let threw = activation
                .threw
                .filter(|threw| Some(*threw) == failed.throwable);
            activation.thread == failed.thread && threw.is_some()
        });
        let mut ended: Vec<&Activation> = ended.collect();
        ended.sort_by_key(|activation| Reverse(activation.began));
        ended
    }

    /// What an assertion asked itself (`equals`, `toString`) before it failed, by first and last event: it is rarely to blame for what it was
    /// given. That is what was called back behind the last call of recorded code, if none of that threw; and what assertions before it asked.
    fn asked(&self, ended: &[&Activation]) -> Vec<(u64, u64)> {
        let [only] = ended else {
            return Vec::new();
        };
        let within = |one: &&Activation| {
            one.thread == only.thread && (only.began..=only.ended).contains(&one.began)
        };
        let by = |role: Role| {
            let all = self.gathered.activations.iter().filter(within);
            all.filter(move |one| one.by_outermost == Some(role))
        };
        let last = by(Role::Callee).map(|one| one.ended).max().unwrap_or(0);
        let compares = |one: &&Activation| {
            let method = self.gathered.ways[one.way as usize].method;
            COMPARES.contains(&self.code.method(method).name.as_str())
        };
        let asked = by(Role::Callback).filter(|one| one.began > last || compares(one));
        asked.map(|one| (one.began, one.ended)).collect()
    }

    /// Where the exception came through, from the inside out: a check in front, or a handler around it, might have kept it from that. The
    /// outermost activation is who asked for all of it, as a test does, and is left out.
    fn add_frames(&self, ended: &[&Activation], content: &SliceContent, found: &mut Found) {
        let mut inner = None;
        for (no, activation) in (0..).zip(ended.iter().filter(|one| !one.outermost)) {
            let way = &self.gathered.ways[activation.way as usize];
            let method = way.method;
            let left = self.left_at(way, inner, content);
            inner = Some(method);
            let Some((at, next)) = left else {
                continue;
            };
            let jump = Place { method, at };
            let target = found.targets.len();
            let wanted = Place { method, at: next };
            found.targets.push(Target {
                place: wanted,
                operand: None,
                writes: true,
            });
            found.frames.entry(jump).or_insert(no);
            found.omissions.push(Omission {
                kind: Kind::Cut,
                jump,
                other_way: next as u32,
                wanted,
                target,
                source: None,
                chain: vec![method],
                activations: vec![activation.name()],
                never: !self.gathered.has_run(wanted),
            });
        }
    }

    /// The instruction by which an exception left a method, out of a call of `inner` if there is one; and what would have come next: itself, if
    /// all of that ran in another round.
    fn left_at(
        &self,
        way: &Way,
        inner: Option<MethodNo>,
        content: &SliceContent,
    ) -> Option<(usize, usize)> {
        let body = self.code.body(way.method)?;
        let distance = |at: usize| content.distance((way.method, at)).unwrap_or(u32::MAX);
        let calls = |at: usize| {
            let method = way.method;
            let called = self.gathered.called.get(&Place { method, at });
            inner.is_none_or(|inner| called.is_some_and(|called| called.contains(&inner)))
        };
        let may_throw = |at: &usize| !decides(body, *at) && may_throw(&body.instructions[*at]);
        let ran = way.ran.iter().map(|at| at as usize).filter(may_throw);
        // A call that threw is not known by what it called. The nearest comes first.
        let at = ran.min_by_key(|at| (!calls(*at), distance(*at), Reverse(*at)))?;
        let neighbours = Neighbours::of(&body.cfg, body.instructions.len());
        let next = neighbours.next(at as u32).iter();
        let next = next.copied().find(|next| !way.ran.contains(*next));
        Some((at, next.map_or(at, |next| next as usize)))
    }

    /// The ways that were not gone at decisions of the slice, with the activations of which that is so, by number.
    fn not_gone(
        &self,
        content: &SliceContent,
        thread: ThreadNo,
    ) -> BTreeMap<NotGone, BTreeSet<usize>> {
        let mut decisions: BTreeMap<MethodNo, Vec<usize>> = BTreeMap::new();
        for &(method, at) in &content.instructions {
            let body = self.code.body(method);
            if body.is_some_and(|body| decides(body, at)) {
                decisions.entry(method).or_default().push(at);
            }
        }
        let gathered = self.gathered;
        let mut by_way: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (no, activation) in gathered.activations.iter().enumerate() {
            let method = gathered.ways[activation.way as usize].method;
            if activation.thread == thread && decisions.contains_key(&method) {
                by_way.entry(activation.way).or_default().push(no);
            }
        }
        let mut all: BTreeMap<NotGone, BTreeSet<usize>> = BTreeMap::new();
        for (no, activations) in by_way {
            let way = &gathered.ways[no as usize];
            for not_gone in self.of_way(way, &decisions[&way.method]) {
                all.entry(not_gone).or_default().extend(&activations);
            }
        }
        all
    }

    fn of_way(&self, way: &Way, decisions: &[usize]) -> Vec<NotGone> {
        let Some(body) = self.code.body(way.method) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for &at in decisions.iter().filter(|at| way.ran.contains(**at as u32)) {
            let block = body.cfg.block(body.cfg.block_of(at));
            let firsts = block.successors.iter();
            let firsts = firsts.map(|no| body.cfg.block(*no).first as u32);
            let others: BTreeSet<u32> = firsts.filter(|first| !way.ran.contains(*first)).collect();
            let method = way.method;
            all.extend(others.into_iter().map(|other_way| NotGone {
                jump: Place { method, at },
                other_way,
            }));
        }
        all
    }

    fn add(
        &self,
        (not_gone, activations): (NotGone, BTreeSet<usize>),
        content: &SliceContent,
        asked: &[(u64, u64)],
        found: &mut Found,
    ) {
        let jump = not_gone.jump;
        let Some(body) = self.code.body(jump.method) else {
            return;
        };
        let all = activations.iter().map(|no| &self.gathered.activations[*no]);
        let Some(last) = all.clone().next_back() else {
            return;
        };
        let ran = &self.gathered.ways[last.way as usize].ran;
        let (at, throws) = first_act(body, ran, not_gone.other_way);
        let place = Place { at, ..jump };
        let target = found.targets.len();
        found.targets.push(Target {
            place,
            operand: None,
            writes: true,
        });
        if throws {
            found.throwing.insert(found.omissions.len());
        }
        let of_asker = |one: &Activation| {
            let is_in = |(began, ended): &(u64, u64)| (*began..=*ended).contains(&one.began);
            one.outermost || asked.iter().any(is_in)
        };
        if all.clone().all(of_asker) {
            found.of_asker.insert(jump);
        }
        if let Some(distance) = content.distance((jump.method, jump.at)) {
            found.near.insert(jump, distance);
        }
        found.omissions.push(Omission {
            kind: Kind::Jump,
            jump,
            other_way: not_gone.other_way,
            wanted: place,
            target,
            source: None,
            chain: vec![jump.method],
            activations: all.map(|activation| activation.name()).collect(),
            never: !self.gathered.has_run(place),
        });
    }
}

/// The first instruction on a way that was not gone that does something, and whether the way does no more than to throw.
fn first_act(body: &Body, ran: &Bits, from: u32) -> (usize, bool) {
    let neighbours = Neighbours::of(&body.cfg, body.instructions.len());
    let mut pending = VecDeque::from([from]);
    let mut seen = BTreeSet::from([from]);
    let (mut act, mut threw, mut went_on) = (None, false, false);
    while let Some(at) = pending.pop_front() {
        let instruction = &body.instructions[at as usize];
        match instruction.effect.access {
            Access::Throw => threw = true,
            Access::Return => went_on = true,
            _ => {}
        }
        let acts = matches!(
            instruction.effect.access,
            Access::Invoke(_)
                | Access::PutField(_)
                | Access::PutStatic(_)
                | Access::ArrayStore
                | Access::Store(_)
                | Access::Return
                | Access::Throw
        );
        if acts && act.is_none() {
            act = Some(at as usize);
        }
        for &next in neighbours.next(at) {
            match ran.contains(next) {
                true => went_on = true,
                false if seen.insert(next) => pending.push_back(next),
                false => {}
            }
        }
    }
    (act.unwrap_or(from as usize), threw && !went_on)
}

/// Can the instruction end by an exception, of those that do something (JVMS 6.5)?
fn may_throw(instruction: &Instruction) -> bool {
    match instruction.effect.access {
        Access::None => matches!(
            instruction.opcode,
            op::IDIV | op::LDIV | op::IREM | op::LREM | op::ARRAYLENGTH | op::CHECKCAST
        ),
        Access::Load(_) | Access::Store(_) | Access::Return => false,
        _ => true,
    }
}
