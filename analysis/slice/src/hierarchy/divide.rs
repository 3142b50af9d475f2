//! Dividing a run into phases (Wang 2007, Section 5.1.2): at loops, else at calls, else into rounds of a loop, else into statements.
//!
//! Instructions are numbered in the order in which a walk meets them, the newest first. A phase is a range of these numbers. The places
//! where phases may begin are kept, not what was executed.

use std::collections::HashMap;
use std::rc::Rc;

use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::cfg::loops::{self, Loop};
use jinsi_trace::model::ObjectId;

use jinsi_steps::code::{Body, MethodNo, Program};
use jinsi_steps::visitor::{EventOperands, Location, Met, Opening, Step, Visitor};

/// Rounds of a loop, and statements, are cut into so many phases at most, of the same length (Wang 2007 leaves open how many).
const PARTS: u64 = 10;

/// What a phase is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Everything.
    Run,
    /// Instructions of one method, with all that they call.
    Code,
    /// A call of this method.
    Call(MethodNo),
    /// All rounds of the loop with this head.
    Loop(BlockNo),
    /// So many rounds of the loop with this head.
    Rounds(BlockNo, u64),
}

/// A part of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phase {
    pub(super) what: What,
    /// Number of its newest instruction.
    pub(super) from: u64,
    /// That of the newest before it.
    pub(super) to: u64,
    /// How many activations are open where its own instructions run.
    pub(super) depth: usize,
    /// Heads of the loops around, of which it is no more than a round.
    pub(super) within: Vec<BlockNo>,
}

impl Phase {
    /// All of a run.
    pub(super) fn run() -> Self {
        Self {
            what: What::Run,
            from: 0,
            to: u64::MAX,
            depth: 1,
            within: Vec::new(),
        }
    }
}

/// A part of a phase that was met.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    what: What,
    from: u64,
    to: u64,
}

/// Where each of many things ends, of which fewer are kept the more there are.
#[derive(Debug)]
struct Ends {
    kept: Vec<u64>,
    /// How many there were.
    count: u64,
    /// The last of so many is kept.
    step: u64,
}

const MOST_ENDS: usize = 4096;

impl Default for Ends {
    fn default() -> Self {
        Self {
            kept: Vec::new(),
            count: 0,
            step: 1,
        }
    }
}

impl Ends {
    fn add(&mut self, end: u64) {
        self.count += 1;
        if self.count.is_multiple_of(self.step) {
            self.kept.push(end);
        }
        if self.kept.len() > MOST_ENDS {
            self.step *= 2;
            self.kept = self.kept.iter().copied().skip(1).step_by(2).collect();
        }
    }

    /// Ends of groups, of the same number each, and that number; what is left is fewer.
    fn groups(&self) -> (Vec<u64>, u64) {
        let wanted = self.count.div_ceil(PARTS).max(1);
        let apart = wanted.div_ceil(self.step);
        let ends = self
            .kept
            .iter()
            .copied()
            .skip(apart as usize - 1)
            .step_by(apart as usize);
        (ends.collect(), apart * self.step)
    }
}

/// Finds where a phase can be divided.
pub(super) struct Divider<'p> {
    program: &'p Program,
    phase: Phase,
    /// Instructions met.
    clock: u64,
    depth: usize,
    methods: HashMap<MethodNo, Rc<Vec<Loop>>>,
    /// Of the open activation at the phase's depth.
    home: Option<Home>,
    activations: Vec<Stretch>,
    loops: Vec<Stretch>,
    calls: Vec<Stretch>,
    rounds: Ends,
    statements: Ends,
}

struct Home {
    method: MethodNo,
    from: u64,
    body: Option<Rc<Body>>,
    loops: Rc<Vec<Loop>>,
    /// The loop that is being met, by its place among the method's.
    open: Option<usize>,
    /// The call that has ended and not begun, and what it called.
    call: Option<(u64, Option<MethodNo>)>,
    line: u16,
}

impl<'p> Divider<'p> {
    pub(super) fn new(program: &'p Program, phase: Phase) -> Self {
        Self {
            program,
            phase,
            clock: 0,
            depth: 0,
            methods: HashMap::new(),
            home: None,
            activations: Vec::new(),
            loops: Vec::new(),
            calls: Vec::new(),
            rounds: Ends::default(),
            statements: Ends::default(),
        }
    }

    fn is_inside(&self) -> bool {
        (self.phase.from..self.phase.to).contains(&self.clock)
    }

    /// The activation, if the instruction that is met is one of the phase's own.
    fn own(&mut self) -> Option<&mut Home> {
        let own = self.depth == self.phase.depth && self.is_inside();
        self.home.as_mut().filter(|_| own)
    }

    /// An instruction is met. What matters is whether it is one of the phase's own.
    fn instruction_met(&mut self, at: usize) {
        if self.depth != self.phase.depth || !self.is_inside() {
            return;
        }
        let (Some(home), clock) = (&mut self.home, self.clock) else {
            return;
        };
        let Some(body) = &home.body else { return };
        let (block, line) = (body.cfg.block_of(at), body.instructions[at].line);
        if let What::Loop(head) | What::Rounds(head, _) = self.phase.what
            && body.cfg.block(head).first == at
        {
            self.rounds.add(clock + 1);
        }
        if line != 0 && line != home.line {
            if home.line != 0 {
                self.statements.add(clock);
            }
            home.line = line;
        }
        let within = &self.phase.within;
        let met = (home.loops.iter())
            .position(|known| known.blocks.contains(block) && !within.contains(&known.head));
        match (met, self.loops.last_mut()) {
            (Some(_), Some(open)) if met == home.open => open.to = clock + 1,
            (Some(place), _) => self.loops.push(Stretch {
                what: What::Loop(home.loops[place].head),
                from: clock,
                to: clock + 1,
            }),
            (None, _) => {}
        }
        home.open = met;
    }

    /// The phases, newest first; one alone if it cannot be divided.
    pub(super) fn phases(mut self) -> Vec<Phase> {
        self.phase.to = self.phase.to.min(self.clock);
        let depth = self.phase.depth;
        if self.activations.len() > 1 {
            let within = Vec::new();
            return self.around(&self.activations, depth, &within);
        }
        if let What::Loop(head) | What::Rounds(head, _) = self.phase.what
            && self.rounds.count > 1
        {
            return self.rounds_of(head);
        }
        let within = self.phase.within.clone();
        if !self.loops.is_empty() {
            return self.around(&self.loops, depth, &within);
        }
        if !self.calls.is_empty() {
            return self.around(&self.calls, depth, &within);
        }
        self.statements()
    }

    /// These parts, and what is between them.
    fn around(&self, parts: &[Stretch], depth: usize, within: &[BlockNo]) -> Vec<Phase> {
        let mut phases = Vec::new();
        let mut from = self.phase.from;
        let between = |phases: &mut Vec<Phase>, from: u64, to: u64| {
            if from < to {
                phases.push(Phase {
                    what: What::Code,
                    from,
                    to,
                    depth,
                    within: within.to_vec(),
                });
            }
        };
        for part in parts {
            between(&mut phases, from, part.from);
            from = part.to;
            let mut phase = Phase {
                what: part.what,
                from: part.from,
                to: part.to,
                depth,
                within: within.to_vec(),
            };
            match part.what {
                What::Loop(head) => phase.within.push(head),
                What::Call(_) if self.activations.len() <= 1 => {
                    phase.depth += 1;
                    phase.within.clear();
                }
                _ => {}
            }
            phases.push(phase);
        }
        between(&mut phases, from, self.phase.to);
        phases
    }

    /// Groups of rounds.
    fn rounds_of(&self, head: BlockNo) -> Vec<Phase> {
        let (ends, each) = self.rounds.groups();
        let mut left = self.rounds.count;
        let rounds = |phase: Phase| {
            let rounds = each.min(left);
            left -= rounds;
            Phase {
                what: What::Rounds(head, rounds),
                ..phase
            }
        };
        self.cut(&ends).into_iter().map(rounds).collect()
    }

    fn statements(&self) -> Vec<Phase> {
        let (ends, _) = self.statements.groups();
        let code = |phase: Phase| Phase {
            what: What::Code,
            ..phase
        };
        self.cut(&ends).into_iter().map(code).collect()
    }

    /// The phase in pieces with these ends.
    fn cut(&self, ends: &[u64]) -> Vec<Phase> {
        let mut from = self.phase.from;
        let mut pieces = Vec::new();
        let inside = ends.iter().copied().filter(|end| *end < self.phase.to);
        for to in inside.chain([self.phase.to]) {
            pieces.push(Phase {
                from,
                to,
                ..self.phase.clone()
            });
            from = to;
        }
        pieces
    }
}

impl Visitor for Divider<'_> {
    fn opened(&mut self, opening: &Opening) {
        self.depth += 1;
        if self.depth == self.phase.depth + 1
            && self.is_inside()
            && let Some(Home {
                call: Some((_, callee)),
                ..
            }) = &mut self.home
        {
            *callee = Some(opening.method);
        }
        if self.depth != self.phase.depth {
            return;
        }
        let body = self.program.get(opening.method).body.clone();
        let found = self.methods.entry(opening.method).or_insert_with(|| {
            Rc::new(
                body.as_ref()
                    .map_or_else(Vec::new, |body| loops::loops(&body.cfg)),
            )
        });
        self.home = Some(Home {
            method: opening.method,
            from: self.clock,
            loops: Rc::clone(found),
            body,
            open: None,
            call: None,
            line: 0,
        });
    }

    fn stepped(&mut self, step: &Step<'_>) {
        self.instruction_met(step.at);
        self.clock += 1;
    }

    fn call_ended(&mut self, _step: &Step<'_>) {
        let clock = self.clock;
        if let Some(home) = self.own() {
            home.call = Some((clock, None));
        }
    }

    fn call_began(&mut self, at: usize, _operands: EventOperands<'_>) {
        self.instruction_met(at);
        let to = self.clock + 1;
        let call = self
            .own()
            .and_then(|home| Some((home.call.take()?, home.open.is_some())));
        match call {
            // Calls within loops are part of these.
            Some(((from, Some(callee)), false)) => {
                self.calls.push(Stretch {
                    what: What::Call(callee),
                    from,
                    to,
                });
            }
            // The loop was met where the call ended.
            Some(((from, _), true)) => {
                if let Some(open) = self.loops.last_mut() {
                    open.from = open.from.min(from);
                }
            }
            _ => {}
        }
        self.clock += 1;
    }

    fn caught(&mut self, _handler: BlockNo, _from: usize, _throwable: ObjectId) {}

    fn began(&mut self) {
        if self.depth == self.phase.depth
            && let Some(home) = self.home.take()
            && home.from < self.phase.to
            && self.clock > self.phase.from
        {
            self.activations.push(Stretch {
                what: What::Call(home.method),
                from: home.from.max(self.phase.from),
                to: self.clock.min(self.phase.to),
            });
        }
        self.depth -= 1;
    }

    fn lost(&mut self, _why: &'static str) {}

    fn unexplained(&mut self, _event: Met<'_>, _location: Option<Location>) {}

    fn resumed(&mut self, _at: usize) {}

    fn outside(&mut self, _event: Met<'_>, _location: Location) {}

    fn done(&self) -> bool {
        self.clock >= self.phase.to
    }
}
