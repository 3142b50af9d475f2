//! The finder: targets, chains and jumps put together (Sakurai and Masuhara 2015, Figure 9).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jinsi_classfile::opcode;
use jinsi_slice::may::MayDefine;
use jinsi_slice::summaries::Summaries;
use jinsi_steps::classes::Hierarchy;
use jinsi_steps::code::{Body, MethodNo};
use jinsi_trace::model::{EventId, MemberRef, ThreadNo};

use crate::births::{Birth, Births};
use crate::chains::{Calls, Chains};
use crate::code::Code;
use crate::error::OmissionError;
use crate::failure::{Failed, Failing};
use crate::found::{Found, Omission};
use crate::gather::{Gathered, Way};
use crate::jumps::{Kind, Neighbours, decides, rounds};
use crate::place::Place;
use crate::points::{ByType, PointsTo, Solved};
use crate::question::Question;
use crate::reach::{Callers, Reach, Source};
use crate::uses::{Target, Uses};

/// How it is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Calls of a chain, at most.
    pub calls: usize,
    /// Are what only reads an object among what is missed?
    pub reads: bool,
    /// Chains that are listed, at most.
    pub chains: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            calls: 5,
            reads: false,
            chains: 1000,
        }
    }
}

/// Answers questions about what a run did not do.
pub struct Finder<'c, 't> {
    code: &'c Code<'t>,
    hierarchy: Hierarchy<'c>,
    may: MayDefine<'c>,
    summaries: Summaries,
    births: Births,
    gathered: Gathered,
    points: Solved,
    /// By method: the activations of each way, in the order of the run.
    by_way: HashMap<u32, Vec<usize>>,
}

impl<'c, 't> Finder<'c, 't> {
    /// Of a run.
    ///
    /// # Errors
    /// The trace has no instructions, or cannot be read.
    pub fn new(code: &'c Code<'t>) -> Result<Self, OmissionError> {
        let detail = code.trace.meta().detail;
        if !detail.has_instructions() {
            return Err(OmissionError::Detail(detail));
        }
        let births = Births::of(code)?;
        let gathered = Gathered::of(code, &births)?;
        let hierarchy = Hierarchy::of(code.trace, &code.program);
        let points = Solved::of(code, &hierarchy, &births, &gathered);
        let mut by_way: HashMap<u32, Vec<usize>> = HashMap::new();
        for (no, activation) in gathered.activations.iter().enumerate() {
            by_way.entry(activation.way).or_default().push(no);
        }
        Ok(Self {
            code,
            hierarchy,
            may: MayDefine::of(code.trace, &code.program),
            summaries: Summaries::default(),
            births,
            gathered,
            points,
            by_way,
        })
    }

    /// The recorded code.
    pub fn code(&self) -> &'c Code<'t> {
        self.code
    }

    /// The objects.
    pub fn births(&self) -> &Births {
        &self.births
    }

    /// What ran.
    pub fn gathered(&self) -> &Gathered {
        &self.gathered
    }

    /// Which objects may get where.
    pub fn points(&self) -> &Solved {
        &self.points
    }

    /// A coarser analysis in the place of that: by declared types alone.
    pub fn by_type(&self) -> ByType<'_, 't> {
        ByType::new(self.code, &self.hierarchy, &self.births, &self.gathered)
    }

    /// What could have been done of what is asked about, and was not.
    ///
    /// # Errors
    /// There is no such object, or no such thing in the code.
    pub fn ask(&self, question: &Question, options: &Options) -> Result<Found, OmissionError> {
        self.ask_with(&self.points, question, options)
    }

    /// [`Self::ask`] of another analysis.
    ///
    /// # Errors
    /// As there.
    pub fn ask_with(
        &self,
        points: &dyn PointsTo,
        question: &Question,
        options: &Options,
    ) -> Result<Found, OmissionError> {
        if *question == Question::Failure {
            let failing = Failing {
                code: self.code,
                gathered: &self.gathered,
            };
            return failing.found(&Failed::recorded_in(self.code.trace)?);
        }
        let uses = Uses {
            code: self.code,
            hierarchy: &self.hierarchy,
            points,
            may: &self.may,
            summaries: &self.summaries,
            births: &self.births,
        };
        let targets = uses.of(question)?;
        let object = match question {
            Question::Object(id) => Some(*id),
            Question::Field { object, .. } => *object,
            _ => None,
        };
        let object = object.and_then(|id| self.births.get(id));
        let mut search = Search {
            finder: self,
            points,
            options,
            targets: &targets,
            birth: object.and_then(|object| object.birth),
            made: object.and_then(|object| object.made),
            found: BTreeMap::new(),
        };
        let chains = search.chains();
        search.run();
        let found = search.found.into_values();
        let (shown, hidden): (Vec<Omission>, Vec<Omission>) =
            found.partition(|o| options.reads || targets[o.target].writes);
        Ok(Found {
            omissions: shown,
            hidden: hidden.len(),
            chains: chains.all.iter().map(|chain| numbers(chain)).collect(),
            chains_cut: chains.cut,
            lost: self.gathered.lost,
            targets,
            ..Found::default()
        })
    }
}

fn numbers(chain: &[u32]) -> Vec<MethodNo> {
    let numbers = chain.iter();
    numbers
        .map(|no| MethodNo::from_index(*no as usize))
        .collect()
}

/// Who calls whom.
fn all_calls(code: &Code<'_>, points: &dyn PointsTo) -> Calls {
    let mut calls = Calls::default();
    for (method, body) in code.bodies() {
        for at in 0..body.instructions.len() {
            for callee in points.callees(Place { method, at }) {
                calls.add(method.index() as u32, callee.index() as u32);
            }
        }
    }
    calls
}

/// Something to be come to in a method.
struct Wanted {
    at: usize,
    target: usize,
    source: Option<Source>,
    chain: Vec<MethodNo>,
}

/// What calls might have run instead.
struct Others<'a> {
    callers: &'a Callers<'a, 'a>,
    reached: &'a [Reach],
    /// The targets that ran nowhere.
    never: Vec<usize>,
    known: HashMap<Place, Vec<Wanted>>,
}

/// What is wanted in a method: targets, and calls that lead to them.
fn wanted_in(
    method: MethodNo,
    targets: &[Target],
    (callers, reached): (&Callers<'_, '_>, &[Reach]),
) -> Vec<Wanted> {
    let mut all = Vec::new();
    for (no, (target, reach)) in targets.iter().zip(reached).enumerate() {
        if target.place.method == method {
            all.push(Wanted {
                at: target.place.at,
                target: no,
                source: (target.operand).and_then(|operand| callers.source(target.place, operand)),
                chain: vec![method],
            });
        }
        for entry in reach.entries.get(&method).into_iter().flatten() {
            all.push(Wanted {
                at: entry.place.at,
                target: no,
                source: entry.source,
                chain: entry.chain.clone(),
            });
        }
    }
    all
}

/// An omission is the same if these are.
type Key = (Kind, Place, u32, usize);

struct Search<'a, 'c, 't> {
    finder: &'a Finder<'c, 't>,
    points: &'a dyn PointsTo,
    options: &'a Options,
    targets: &'a [Target],
    /// Where the object comes from that is asked about, and where it was made.
    birth: Option<Birth>,
    made: Option<(ThreadNo, u64)>,
    found: BTreeMap<Key, Omission>,
}

impl Search<'_, '_, '_> {
    fn chains(&self) -> Chains {
        let methods = self.targets.iter().map(|target| target.place.method);
        let to: BTreeSet<u32> = methods.map(|no| no.index() as u32).collect();
        let ran = |no: u32| {
            let method = MethodNo::from_index(no as usize);
            self.finder.gathered.ran.contains_key(&method)
        };
        let (calls, most) = (self.options.calls, self.options.chains);
        let all = all_calls(self.finder.code, self.points);
        all.chains(&to, ran, calls, most)
    }

    fn run(&mut self) {
        let finder = self.finder;
        let callers = Callers::of(finder.code, self.points);
        let most = self.options.calls;
        let targets = self.targets;
        let reached: Vec<Reach> = targets
            .iter()
            .map(|target| callers.reach(target, self.birth, most))
            .collect();
        let has_run = |no: &usize| finder.gathered.has_run(targets[*no].place);
        let mut others = Others {
            callers: &callers,
            reached: &reached,
            never: (0..targets.len()).filter(|no| !has_run(no)).collect(),
            known: HashMap::new(),
        };
        let mut wanted: HashMap<MethodNo, (Vec<Wanted>, Neighbours)> = HashMap::new();
        for (no, way) in (0..).zip(&finder.gathered.ways) {
            let Some(body) = finder.code.body(way.method) else {
                continue;
            };
            let (wanted, neighbours) = wanted.entry(way.method).or_insert_with(|| {
                let neighbours = Neighbours::of(&body.cfg, body.instructions.len());
                let wanted = wanted_in(way.method, targets, (&callers, &reached));
                (wanted, neighbours)
            });
            for wanted in wanted.iter() {
                self.look(no, (way, body), wanted, neighbours);
            }
            self.dispatches(no, (way, body), &mut others);
        }
    }

    /// What kept the activations of a way from what is wanted?
    fn look(
        &mut self,
        no: u32,
        (way, body): (&Way, &Body),
        wanted: &Wanted,
        neighbours: &Neighbours,
    ) {
        for (jump, other_way) in neighbours.dominant(&way.ran, wanted.at as u32) {
            let kind = match decides(body, jump as usize) {
                true => Kind::Jump,
                false => Kind::Cut,
            };
            self.add((kind, jump, other_way), no, way.method, wanted);
        }
        // Once more would be another time only where it is done itself.
        let own = wanted.chain.len() == 1 && self.targets[wanted.target].operand.is_some();
        if own && way.ran.contains(wanted.at as u32) {
            for (jump, other_way) in rounds(body, &way.ran, wanted.at) {
                self.add((Kind::Round, jump, other_way), no, way.method, wanted);
            }
        }
    }

    /// Calls that ran, and might have run another method that leads to a target which has never run.
    fn dispatches(&mut self, no: u32, (way, body): (&Way, &Body), others: &mut Others<'_>) {
        if others.never.is_empty() {
            return;
        }
        for at in way.ran.iter() {
            let instruction = &body.instructions[at as usize];
            let chosen = matches!(
                instruction.opcode,
                opcode::INVOKEVIRTUAL | opcode::INVOKEINTERFACE
            );
            let (Some(target), true) = (&instruction.target, chosen) else {
                continue;
            };
            let place = Place {
                method: way.method,
                at: at as usize,
            };
            if !others.known.contains_key(&place) {
                let found = self.others(place, target, others);
                others.known.insert(place, found);
            }
            for wanted in &others.known[&place] {
                self.add((Kind::Dispatch, at, at), no, way.method, wanted);
            }
        }
    }

    /// To what a call leads that ran, had it run another method.
    fn others(&self, place: Place, target: &MemberRef, others: &Others<'_>) -> Vec<Wanted> {
        let called = self.finder.gathered.called.get(&place);
        let Some(called) = called.filter(|called| !called.is_empty()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let methods = self.finder.hierarchy.overriding(target).into_iter();
        for other in methods.filter(|other| !called.contains(other)) {
            for &target in &others.never {
                let reach = &others.reached[target];
                let most = self.options.calls;
                let route = (others.callers).way_by(reach, place, other, self.birth, most);
                found.extend(route.map(|route| Wanted {
                    at: place.at,
                    target,
                    source: None,
                    chain: std::iter::once(place.method).chain(route).collect(),
                }));
            }
        }
        found
    }

    fn add(
        &mut self,
        (kind, jump, other_way): (Kind, u32, u32),
        way: u32,
        method: MethodNo,
        wanted: &Wanted,
    ) {
        let activations = self.activations(way);
        if activations.is_empty() {
            return;
        }
        let place = |at: usize| Place { method, at };
        let jump = place(jump as usize);
        let target = self.targets[wanted.target].place;
        let key = (kind, jump, other_way, wanted.target);
        let chain = wanted.chain.clone();
        let never = !self.finder.gathered.has_run(target);
        let omission = self.found.entry(key).or_insert_with(|| Omission {
            kind,
            jump,
            other_way,
            wanted: place(wanted.at),
            target: wanted.target,
            source: wanted.source,
            chain: chain.clone(),
            activations: Vec::new(),
            never,
        });
        if chain.len() < omission.chain.len() {
            omission.chain = chain;
            omission.source = wanted.source;
            omission.wanted = place(wanted.at);
        }
        omission.activations.extend(activations);
        omission.activations.sort_unstable();
        omission.activations.dedup();
    }

    /// The activations that went this way, and were not over when the object was made.
    fn activations(&self, way: u32) -> Vec<EventId> {
        let gathered = &self.finder.gathered;
        let numbers = self.finder.by_way.get(&way).into_iter().flatten();
        let all = numbers.map(|no| &gathered.activations[*no]);
        let there = all.filter(|activation| match self.made {
            Some((thread, made)) => activation.thread != thread || activation.ended > made,
            None => true,
        });
        there.map(|activation| activation.name()).collect()
    }
}
