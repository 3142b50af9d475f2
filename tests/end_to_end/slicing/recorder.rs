//! Writes down what a walk over a run tells, for the oracle.

use std::collections::{BTreeSet, HashMap};

use jinsi_classfile::cfg::BlockNo;
use jinsi_slice::criterion::Seeds;
use jinsi_steps::code::MethodNo;
use jinsi_steps::walk::{Ended, EventOperands, Location, Met, Opening, Role, Step, Visitor};
use jinsi_trace::model::{ObjectId, Value};

/// One thing that was reported, newest first.
pub(super) enum Seen {
    Opened {
        ended: Ended,
        role: Role,
        failed: bool,
    },
    Stepped {
        at: usize,
        location: Option<Location>,
        threw: bool,
        seed: bool,
        thrown: ObjectId,
        went: Option<usize>,
    },
    CallEnded {
        at: usize,
        threw: bool,
    },
    CallBegan {
        at: usize,
        operands: Vec<Value>,
        end: usize,
    },
    Caught {
        handler: BlockNo,
        from: usize,
        failed: bool,
    },
    Began {
        end: usize,
    },
}

/// Writes down all that the walker tells.
pub(super) struct Recorder {
    seeds: Seeds,
    pub(super) seen: Vec<Seen>,
    /// Where the open activations were opened, and whose they are.
    open: Vec<(usize, MethodNo)>,
    /// Where the open calls ended, one an activation at most, with what they made and what threw.
    calls: Vec<Option<usize>>,
    /// The instruction of each that ran next.
    next: Vec<Option<usize>>,
    pub(super) facts: HashMap<usize, Facts>,
    pub(super) methods: HashMap<usize, MethodNo>,
    /// The exception on its way.
    thrown: ObjectId,
    /// Instructions that ran.
    pub(super) ran: BTreeSet<(MethodNo, usize)>,
    /// What could not be walked instruction by instruction.
    pub(super) unknown: Vec<String>,
}

/// What is known of a call at its end, by where that is.
#[derive(Clone, Copy, Default)]
pub(super) struct Facts {
    pub(super) made: ObjectId,
    pub(super) callee: Option<MethodNo>,
    pub(super) thrown: ObjectId,
    pub(super) seed: bool,
}

impl Recorder {
    pub(super) fn new(seeds: Seeds) -> Self {
        Self {
            seeds,
            seen: Vec::new(),
            open: Vec::new(),
            calls: Vec::new(),
            next: Vec::new(),
            facts: HashMap::new(),
            methods: HashMap::new(),
            thrown: 0,
            ran: BTreeSet::new(),
            unknown: Vec::new(),
        }
    }

    /// The instruction that ran next, of the open activation, if known.
    fn ran_next(&mut self, at: Option<usize>) {
        if let Some(next) = self.next.last_mut() {
            *next = at;
        }
    }
}

impl Visitor for Recorder {
    fn opened(&mut self, opening: &Opening) {
        if let (Role::Callee, Some(Some(end))) = (opening.role, self.calls.last()) {
            self.facts.entry(*end).or_default().callee = Some(opening.method);
        }
        let failed = match opening.ended {
            Ended::Threw(id) => {
                self.thrown = id;
                self.seeds.failed(id)
            }
            _ => false,
        };
        if !opening.stepwise {
            self.unknown.push(format!("{opening:?}"));
        }
        self.open.push((self.seen.len(), opening.method));
        self.calls.push(None);
        self.next.push(None);
        self.methods.insert(self.seen.len(), opening.method);
        self.seeds.opened(self.open.len(), opening.method);
        let (ended, role) = (opening.ended, opening.role);
        self.seen.push(Seen::Opened {
            ended,
            role,
            failed,
        });
    }

    fn stepped(&mut self, step: &Step<'_>) {
        let seed = self.seeds.takes(self.open.len(), step);
        self.ran
            .extend(self.open.last().map(|(_, method)| (*method, step.at)));
        self.seen.push(Seen::Stepped {
            at: step.at,
            location: step.location(),
            threw: step.threw,
            seed,
            thrown: self.thrown,
            went: self.next.last_mut().and_then(|next| next.replace(step.at)),
        });
    }

    fn call_ended(&mut self, step: &Step<'_>) {
        let seed = self.seeds.takes(self.open.len(), step);
        let end = self.seen.len();
        let facts = Facts {
            made: step.made,
            seed,
            thrown: self.thrown,
            callee: None,
        };
        self.ran_next(Some(step.at));
        self.facts.insert(end, facts);
        if let Some(call) = self.calls.last_mut() {
            *call = Some(end);
        }
        self.seen.push(Seen::CallEnded {
            at: step.at,
            threw: step.threw,
        });
    }

    fn call_began(&mut self, at: usize, operands: EventOperands<'_>) {
        let end = self.calls.last_mut().and_then(Option::take).unwrap();
        let operands = operands.values();
        self.seen.push(Seen::CallBegan { at, operands, end });
    }

    fn caught(&mut self, handler: BlockNo, from: usize, throwable: ObjectId) {
        let failed = self.seeds.failed(throwable);
        self.thrown = throwable;
        self.ran_next(None);
        self.seen.push(Seen::Caught {
            handler,
            from,
            failed,
        });
    }

    fn began(&mut self) {
        self.calls.pop();
        self.next.pop();
        if let Some((end, _)) = self.open.pop() {
            self.seen.push(Seen::Began { end });
        }
    }

    fn lost(&mut self, why: &'static str) {
        self.unknown.push(why.to_owned());
    }

    fn unexplained(&mut self, event: Met<'_>, _location: Option<Location>) {
        self.unknown.push(format!("{event:?}"));
    }

    fn resumed(&mut self, at: usize) {
        self.unknown.push(format!("resumed at {at}"));
    }

    fn outside(&mut self, event: Met<'_>, _location: Location) {
        self.unknown.push(format!("{event:?}"));
    }
}
