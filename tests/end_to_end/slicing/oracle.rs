//! A slicer that keeps the whole dynamic dependence graph, built forward, by the definitions (digest `jslice-thesis.md` §3.1): what the
//! real one finds going backward must be what can be reached in it.
//!
//! It shares with that one the sequence of executed instructions, what each uses and defines, and the table of summaries. Its own are the
//! operand stacks, which here hold what made each value, the last definitions of all variables, and the search for the branch that
//! decided.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use jinsi_analysis::slice::code::{Body, MethodNo, Program};
use jinsi_analysis::slice::criterion::Seeds;
use jinsi_analysis::slice::summaries::Summaries;
use jinsi_analysis::slice::walk::{Ended, Location, Opening, Role, Step, Visitor};
use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::cfg::control::BlockSet;
use jinsi_classfile::effect::{Access, StackEffect};
use jinsi_classfile::opcode;
use jinsi_trace::model::{Event, ObjectId, Prim, Value};

/// One thing that was told, newest first.
enum Seen {
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
    seen: Vec<Seen>,
    /// Where the open activations were opened, and whose they are.
    open: Vec<(usize, MethodNo)>,
    /// Where the open calls ended, one an activation at most, with what they made and what threw.
    calls: Vec<Option<usize>>,
    facts: HashMap<usize, Facts>,
    methods: HashMap<usize, MethodNo>,
    /// The exception on its way.
    thrown: ObjectId,
    /// Instructions that ran.
    pub(super) ran: BTreeSet<(MethodNo, usize)>,
    /// What could not be walked instruction by instruction.
    pub(super) unknown: Vec<String>,
}

/// What is known of a call at its end, by where that is.
#[derive(Clone, Copy, Default)]
struct Facts {
    made: ObjectId,
    entered: bool,
    thrown: ObjectId,
    seed: bool,
}

impl Recorder {
    pub(super) fn new(seeds: Seeds) -> Self {
        Self {
            seeds,
            seen: Vec::new(),
            open: Vec::new(),
            calls: Vec::new(),
            facts: HashMap::new(),
            methods: HashMap::new(),
            thrown: 0,
            ran: BTreeSet::new(),
            unknown: Vec::new(),
        }
    }
}

impl Visitor for Recorder {
    fn opened(&mut self, opening: &Opening) {
        if let (Role::Callee, Some(Some(end))) = (opening.role, self.calls.last()) {
            self.facts.entry(*end).or_default().entered = true;
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
            location: step.location,
            threw: step.threw,
            seed,
            thrown: self.thrown,
        });
    }

    fn call_ended(&mut self, step: &Step<'_>) {
        let seed = self.seeds.takes(self.open.len(), step);
        let end = self.seen.len();
        let facts = Facts {
            made: step.made,
            seed,
            thrown: self.thrown,
            entered: false,
        };
        self.facts.insert(end, facts);
        if let Some(call) = self.calls.last_mut() {
            *call = Some(end);
        }
        self.seen.push(Seen::CallEnded {
            at: step.at,
            threw: step.threw,
        });
    }

    fn call_began(&mut self, at: usize, operands: Option<&[Value]>) {
        let end = self.calls.last_mut().and_then(Option::take).unwrap();
        let operands = operands.unwrap_or_default().to_vec();
        self.seen.push(Seen::CallBegan { at, operands, end });
    }

    fn caught(&mut self, handler: BlockNo, from: usize, throwable: ObjectId) {
        let failed = self.seeds.failed(throwable);
        self.thrown = throwable;
        self.seen.push(Seen::Caught {
            handler,
            from,
            failed,
        });
    }

    fn began(&mut self, _arguments: &[Value]) {
        self.calls.pop();
        if let Some((end, _)) = self.open.pop() {
            self.seen.push(Seen::Began { end });
        }
    }

    fn lost(&mut self, why: &'static str) {
        self.unknown.push(why.to_owned());
    }

    fn unexplained(&mut self, event: &Event, _location: Option<Location>) {
        self.unknown.push(format!("{event:?}"));
    }

    fn resumed(&mut self, at: usize) {
        self.unknown.push(format!("resumed at {at}"));
    }

    fn outside(&mut self, event: &Event, _location: Location) {
        self.unknown.push(format!("{event:?}"));
    }
}

type NodeNo = usize;
/// What made a value.
type Makers = BTreeSet<NodeNo>;

/// An occurrence of an instruction, with what it depends on.
struct Node {
    method: MethodNo,
    at: usize,
    depends: Makers,
}

/// A call that has begun.
struct Call {
    node: NodeNo,
    facts: Facts,
    result: Makers,
    threw: Makers,
}

struct Frame {
    method: MethodNo,
    body: Rc<Body>,
    role: Role,
    stack: Vec<Makers>,
    locals: HashMap<u16, Makers>,
    /// What has decided so far which blocks run, oldest first.
    decided: Vec<(BlockSet, Makers)>,
    /// The call that led here.
    entry: Makers,
    call: Option<Call>,
    result: Makers,
    thrower: Makers,
}

/// What is known of an object of which only unrecorded code knows what it holds, and of an array's elements all together.
#[derive(Default)]
struct Holds {
    changed: Makers,
    stored: Makers,
}

/// The dynamic dependence graph.
pub(super) struct Graph<'p> {
    program: &'p Program,
    summaries: Summaries,
    nodes: Vec<Node>,
    seeds: Makers,
    frames: Vec<Frame>,
    variables: HashMap<Location, Makers>,
    holds: HashMap<ObjectId, Holds>,
}

/// What is in the slice: instructions, and how many occurrences.
pub(super) type Reached = (BTreeSet<(MethodNo, usize)>, u64);

impl<'p> Graph<'p> {
    /// Builds the graph of what was written down, and follows it from the seeds.
    pub(super) fn slice(program: &'p Program, recorded: &Recorder) -> Reached {
        let mut graph = Self {
            program,
            summaries: Summaries::default(),
            nodes: Vec::new(),
            seeds: Makers::new(),
            frames: Vec::new(),
            variables: HashMap::new(),
            holds: HashMap::new(),
        };
        for seen in recorded.seen.iter().rev() {
            graph.take(seen, recorded);
        }
        graph.reached()
    }

    fn reached(&self) -> Reached {
        let mut seen = Makers::new();
        let mut pending: Vec<NodeNo> = self.seeds.iter().copied().collect();
        while let Some(node) = pending.pop() {
            if seen.insert(node) {
                pending.extend(&self.nodes[node].depends);
            }
        }
        let instructions = seen
            .iter()
            .map(|&n| (self.nodes[n].method, self.nodes[n].at));
        (instructions.collect(), seen.len() as u64)
    }

    fn take(&mut self, seen: &Seen, recorded: &Recorder) {
        match seen {
            Seen::Began { end } => self.begin(&recorded.seen[*end], recorded.methods[end]),
            Seen::Stepped {
                at,
                location,
                threw,
                seed,
                thrown,
            } => {
                let node = self.step(*at, *location, threw.then_some(*thrown));
                if *seed {
                    self.seeds.insert(node);
                }
            }
            Seen::CallBegan { at, operands, end } => {
                let facts = recorded.facts[end];
                let Seen::CallEnded { threw, .. } = recorded.seen[*end] else {
                    panic!("a call that does not end");
                };
                self.call(*at, operands, facts, threw);
            }
            Seen::CallEnded { at, threw } => self.end_call(*at, *threw),
            Seen::Caught {
                handler,
                from,
                failed,
            } => self.catch(*handler, *from, *failed),
            Seen::Opened { ended, failed, .. } => self.end(*ended, *failed),
        }
    }

    fn begin(&mut self, end: &Seen, method: MethodNo) {
        let Seen::Opened { role, .. } = end else {
            panic!("an activation that does not end");
        };
        let body = self.program.get(method).body.clone().unwrap();
        let called = matches!(role, Role::Callee | Role::Callback);
        let caller = self.frames.last().and_then(|frame| frame.call.as_ref());
        let entry: Makers = caller
            .filter(|_| called)
            .map(|call| call.node)
            .into_iter()
            .collect();
        let locals = body.parameters.iter().map(|slot| (*slot, entry.clone()));
        self.frames.push(Frame {
            method,
            role: *role,
            stack: Vec::new(),
            locals: locals.collect(),
            decided: Vec::new(),
            entry,
            call: None,
            result: Makers::new(),
            thrower: Makers::new(),
            body,
        });
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().unwrap()
    }

    /// A new occurrence; it depends on what decided that it runs.
    fn node(&mut self, at: usize) -> NodeNo {
        let frame = self.frames.last().unwrap();
        let block = frame.body.cfg.block_of(at);
        let decided = frame
            .decided
            .iter()
            .rev()
            .find(|(blocks, _)| blocks.contains(block));
        let depends = decided.map_or(&frame.entry, |(_, by)| by).clone();
        self.nodes.push(Node {
            method: frame.method,
            at,
            depends,
        });
        self.nodes.len() - 1
    }

    fn depend(&mut self, node: NodeNo, on: impl IntoIterator<Item = NodeNo>) {
        let on = on.into_iter().filter(|other| *other != node);
        self.nodes[node].depends.extend(on);
    }

    /// All that unrecorded code may read of an object.
    fn all_of(&self, object: ObjectId) -> Makers {
        let held = self.holds.get(&object);
        held.map_or_else(Makers::new, |h| {
            h.changed.union(&h.stored).copied().collect()
        })
    }

    /// What defined a variable last.
    fn definition(&self, location: Location) -> Makers {
        if let Some(makers) = self.variables.get(&location) {
            return makers.clone();
        }
        match location {
            // It was never stored to, but unrecorded code may have done so.
            Location::Element(array, _) => {
                let held = self.holds.get(&array);
                held.map_or_else(Makers::new, |held| held.changed.clone())
            }
            _ => Makers::new(),
        }
    }

    fn step(&mut self, at: usize, location: Option<Location>, threw: Option<ObjectId>) -> NodeNo {
        let node = self.node(at);
        let effect = self.frame().body.instructions[at].effect;
        let depth = usize::from(self.frame().body.instructions[at].depth);
        let stack = &mut self.frame().stack;
        assert_eq!(
            stack.len(),
            depth,
            "the stack is as deep as the verifier has it"
        );
        let taken = stack.split_off(depth - usize::from(effect.stack.pops()));
        if let StackEffect::Shuffle { leaves, .. } = effect.stack {
            if threw.is_some() {
                self.depend(node, taken.into_iter().flatten());
                self.frame().thrower = Makers::from([node]);
                return node;
            }
            for &source in leaves {
                let mut copy = taken[usize::from(source)].clone();
                copy.insert(node);
                self.frame().stack.push(copy);
            }
            return node;
        }
        self.depend(node, taken.into_iter().flatten());
        if let Some(thrown) = threw {
            // What its constructor put into the exception.
            let all = self.all_of(thrown);
            self.depend(node, all);
            self.frame().thrower = Makers::from([node]);
            return node;
        }
        self.access(node, effect.access, location);
        if effect.stack.pushes() > 0 {
            self.frame().stack.push(Makers::from([node]));
        }
        node
    }

    fn access(&mut self, node: NodeNo, access: Access, location: Option<Location>) {
        let me = Makers::from([node]);
        match access {
            Access::Load(slot) | Access::Increment(slot) | Access::Branch(Some(slot)) => {
                let makers = self.frame().locals.get(&slot).cloned().unwrap_or_default();
                self.depend(node, makers);
                if matches!(access, Access::Increment(_)) {
                    self.frame().locals.insert(slot, me.clone());
                }
            }
            Access::Store(slot) => drop(self.frame().locals.insert(slot, me.clone())),
            Access::GetField(_) | Access::GetStatic(_) | Access::ArrayLoad => {
                let makers = location.map(|at| self.definition(at));
                self.depend(node, makers.unwrap_or_default());
            }
            Access::PutField(_) | Access::PutStatic(_) | Access::ArrayStore => {
                if let Some(location) = location {
                    self.variables.insert(location, me.clone());
                }
                if let Some(Location::Element(array, _)) = location {
                    self.holds.entry(array).or_default().stored.insert(node);
                }
            }
            Access::Return => self.frame().result = me.clone(),
            _ => {}
        }
        if let Access::Branch(_) = access {
            let at = self.nodes[node].at;
            let frame = self.frame();
            let block = frame.body.cfg.block_of(at);
            let blocks = frame.body.control.dependents(block).clone();
            frame.decided.push((blocks, me));
        }
    }

    fn call(&mut self, at: usize, operands: &[Value], facts: Facts, threw: bool) {
        let node = self.node(at);
        let instruction = self.frame().body.instructions[at].clone();
        let pops = usize::from(instruction.effect.stack.pops());
        let left = self.frame().stack.len() - pops;
        let taken = self.frame().stack.split_off(left);
        self.depend(node, taken.into_iter().flatten());
        if facts.seed {
            self.seeds.insert(node);
        }
        if !facts.entered {
            let target = instruction.target.clone().unwrap();
            let copies = target.owner == "java/lang/System" && target.name == "arraycopy";
            if copies && !threw {
                self.copy(node, operands);
            } else {
                self.bridge(node, &instruction, operands, facts);
            }
        }
        let (result, threw) = (Makers::new(), Makers::new());
        self.frame().call = Some(Call {
            node,
            facts,
            result,
            threw,
        });
    }

    /// A call of code that is not recorded: it uses all that its operands hold, and changes what the table says.
    fn bridge(
        &mut self,
        node: NodeNo,
        instruction: &jinsi_analysis::slice::code::Instruction,
        operands: &[Value],
        facts: Facts,
    ) {
        let target = instruction.target.clone().unwrap();
        let dynamic = instruction.opcode == opcode::INVOKEDYNAMIC;
        let summary = self.summaries.of(&target, dynamic);
        for operand in operands {
            if let Value::Object(id) = operand {
                let all = self.all_of(*id);
                self.depend(node, all);
            }
        }
        if facts.made != 0 {
            let holds = self.holds.entry(facts.made).or_default();
            *holds = Holds {
                changed: Makers::from([node]),
                stored: Makers::new(),
            };
        }
        let is_static = dynamic || instruction.opcode == opcode::INVOKESTATIC;
        let has_receiver = !is_static && target.name != "<init>";
        for (place, operand) in operands.iter().enumerate() {
            let changes = match has_receiver && place == 0 {
                true => summary.receiver,
                false => summary.arguments,
            };
            if let (Value::Object(id), true) = (operand, changes) {
                let holds = self.holds.entry(*id).or_default();
                holds.changed.insert(node);
                for (location, makers) in &mut self.variables {
                    if matches!(location, Location::Element(array, _) if array == id) {
                        makers.insert(node);
                    }
                }
            }
        }
    }

    fn copy(&mut self, node: NodeNo, operands: &[Value]) {
        let [Value::Object(from), at, Value::Object(into), to, count] = operands else {
            return;
        };
        let index = |value: &Value| match value {
            Value::Prim(Prim::Int(n)) => *n as u32,
            _ => panic!("{value:?} is no index"),
        };
        let (at, to, count) = (index(at), index(to), index(count));
        let copies: Vec<Makers> = (0..count)
            .map(|n| {
                let mut makers = self.definition(Location::Element(*from, at + n));
                makers.insert(node);
                makers
            })
            .collect();
        for (n, makers) in (0..).zip(copies) {
            self.holds.entry(*into).or_default().stored.extend(&makers);
            self.variables
                .insert(Location::Element(*into, to + n), makers);
        }
    }

    fn end_call(&mut self, at: usize, threw: bool) {
        let frame = self.frame();
        let call = frame.call.take().unwrap();
        let pushes = frame.body.instructions[at].effect.stack.pushes() > 0;
        let me = Makers::from([call.node]);
        if threw {
            frame.thrower = if call.facts.entered { call.threw } else { me };
            if !call.facts.entered {
                let all = self.all_of(call.facts.thrown);
                self.depend(call.node, all);
            }
        } else if pushes {
            frame
                .stack
                .push(if call.facts.entered { call.result } else { me });
        }
    }

    fn catch(&mut self, handler: BlockNo, from: usize, failed: bool) {
        let frame = self.frame();
        let thrower = frame.thrower.clone();
        frame.stack = vec![thrower.clone()];
        let blocks = frame
            .body
            .control
            .on_throw(frame.body.cfg.block_of(from), handler);
        frame.decided.push((blocks, thrower.clone()));
        if failed {
            self.seeds.extend(thrower);
        }
    }

    fn end(&mut self, ended: Ended, failed: bool) {
        let frame = self.frames.pop().unwrap();
        if failed {
            self.seeds.extend(&frame.thrower);
        }
        let Some(call) = self
            .frames
            .last_mut()
            .and_then(|caller| caller.call.as_mut())
        else {
            return;
        };
        let threw = ended != Ended::Returned;
        let made = if threw { frame.thrower } else { frame.result };
        match (frame.role, threw) {
            (Role::Callee, true) => call.threw = made,
            (Role::Callee, false) => call.result = made,
            (Role::Callback, _) => {
                let node = call.node;
                self.depend(node, made);
            }
            _ => {}
        }
    }
}
