//! A slicer that keeps the whole dynamic dependence graph, built forward, by the definitions (Wang 2007, Definitions 2.1 to 2.3 and 4.2): what
//! the real one finds going backward must be what can be reached in it.
//!
//! It shares with that one the sequence of executed instructions, what each uses and defines, the table of summaries, and the sets of what
//! may be defined. Its own are the operand stacks, which here hold what made each value, the last definitions of all variables, the
//! search for the branch that decided, and for those that might have. [`Memory`](super::memory::Memory) has the variables in memory.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use jinsi_classfile::bits::Bits;
use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::effect::{Access, StackEffect};
use jinsi_classfile::opcode;
use jinsi_slice::may::May;
use jinsi_slice::relevant::Relevance;
use jinsi_slice::summaries::Summaries;
use jinsi_steps::code::{Body, FieldNo, MethodNo, Program};
use jinsi_steps::walk::{Ended, Location, Role};
use jinsi_trace::model::{ObjectId, Prim, Value};

use super::memory::{Makers, Memory, NodeNo};
use super::recorder::{Facts, Recorder, Seen};

/// An occurrence of an instruction, with what it depends on.
struct Node {
    method: MethodNo,
    at: usize,
    /// The activation.
    frame: usize,
    block: BlockNo,
    /// What decided that it runs.
    control: Makers,
    /// What made its operands; the lowest operand.
    operands: Makers,
    lowest: Makers,
    /// What defined the variables that it used.
    data: Makers,
    /// Those variables, and when each was defined.
    uses: Vec<(Variable, NodeNo)>,
}

/// What a branch might have defined.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Variable {
    Local(usize, u16),
    Field(FieldNo),
    Kind(usize),
}

/// How a node can be reached: the less, the less it leads on to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    No,
    /// A call that might have called another method: for its receiver.
    Receiver,
    /// Part of a statement that might have gone another way (the dummy nodes of Wang 2007).
    Statement,
    Whole,
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
    /// Its number.
    no: usize,
    stack: Vec<Makers>,
    /// What defined each local variable, and when.
    locals: HashMap<u16, (Makers, NodeNo)>,
    /// What has decided so far which blocks run, oldest first.
    decided: Vec<(Bits, Makers)>,
    /// The call that led here.
    entry: Makers,
    call: Option<Call>,
    result: Makers,
    thrower: Makers,
}

/// The dynamic dependence graph.
pub(super) struct Graph<'p> {
    program: &'p Program,
    summaries: Summaries,
    nodes: Vec<Node>,
    seeds: Makers,
    frames: Vec<Frame>,
    opened: usize,
    memory: Memory,
    relevance: &'p Relevance<'p>,
    /// Branches and calls that might have defined a variable, oldest first.
    might: HashMap<Variable, Vec<(NodeNo, How)>>,
}

/// What is in the slice: instructions, and how many occurrences.
pub(super) type Reached = (BTreeSet<(MethodNo, usize)>, u64);

impl<'p> Graph<'p> {
    /// Builds the graph of what was written down.
    pub(super) fn of(
        program: &'p Program,
        recorded: &Recorder,
        relevance: &'p Relevance<'p>,
    ) -> Self {
        let mut graph = Self {
            program,
            summaries: Summaries::default(),
            nodes: Vec::new(),
            seeds: Makers::new(),
            frames: Vec::new(),
            opened: 0,
            memory: Memory::default(),
            relevance,
            might: HashMap::new(),
        };
        for seen in recorded.seen.iter().rev() {
            graph.take(seen, recorded);
        }
        graph
    }

    /// Follows it from the seeds; also potential dependences?
    pub(super) fn reached(&self, relevant: bool) -> Reached {
        let mut known = vec![How::No; self.nodes.len()];
        let mut pending: Vec<(NodeNo, How)> =
            self.seeds.iter().map(|seed| (*seed, How::Whole)).collect();
        while let Some((no, how)) = pending.pop() {
            if known[no] >= how {
                continue;
            }
            known[no] = how;
            let node = &self.nodes[no];
            let part = |maker: &NodeNo| {
                let other = &self.nodes[*maker];
                let same = (other.frame, other.block) == (node.frame, node.block);
                let how = if same { How::Statement } else { How::Whole };
                (*maker, how)
            };
            match how {
                How::Whole => {
                    let all = node.control.iter().chain(&node.operands);
                    pending.extend(all.map(|maker| (*maker, How::Whole)));
                }
                How::Statement => pending.extend(node.operands.iter().map(part)),
                _ => pending.extend(node.lowest.iter().map(part)),
            }
            if how == How::Receiver {
                continue;
            }
            pending.extend(node.data.iter().map(|maker| (*maker, How::Whole)));
            for (variable, since) in node.uses.iter().filter(|_| relevant) {
                let might = self.might.get(variable).map_or(&[][..], Vec::as_slice);
                let first = might.partition_point(|(branch, _)| branch <= since);
                let behind = might.partition_point(|(branch, _)| *branch < no);
                pending.extend(might.get(first..behind).unwrap_or_default());
            }
        }
        let reached = || (0..).zip(&known).filter(|(_, how)| **how != How::No);
        let instructions =
            reached().map(|(n, _): (NodeNo, _)| (self.nodes[n].method, self.nodes[n].at));
        (instructions.collect(), reached().count() as u64)
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
                went,
            } => {
                let node = self.step(*at, *location, threw.then_some(*thrown));
                self.log_branch(node, *went);
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
        let locals = body
            .parameters
            .iter()
            .map(|slot| (*slot, (entry.clone(), 0)));
        self.opened += 1;
        self.frames.push(Frame {
            no: self.opened,
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
        let control = decided.map_or(&frame.entry, |(_, by)| by).clone();
        self.nodes.push(Node {
            method: frame.method,
            at,
            frame: frame.no,
            block,
            control,
            operands: Makers::new(),
            lowest: Makers::new(),
            data: Makers::new(),
            uses: Vec::new(),
        });
        self.nodes.len() - 1
    }

    fn depend(&mut self, node: NodeNo, on: impl IntoIterator<Item = NodeNo>) {
        let on = on.into_iter().filter(|other| *other != node);
        self.nodes[node].data.extend(on);
    }

    /// These are the node's operands, the lowest first.
    fn take_operands(&mut self, node: NodeNo, taken: Vec<Makers>) {
        self.nodes[node].lowest = taken.first().cloned().unwrap_or_default();
        self.nodes[node].operands = taken.into_iter().flatten().collect();
    }

    /// The node uses all that unrecorded code may read of an object.
    fn use_all_of(&mut self, node: NodeNo, object: ObjectId) {
        let all = self.memory.all_of(object);
        self.depend(node, all);
        let since = self.memory.made(object);
        let kinds = self.relevance.objects.holds(object).numbers();
        let uses = kinds.map(|kind| (Variable::Kind(kind), since));
        self.nodes[node].uses.extend(uses);
    }

    /// The node uses a variable in memory.
    fn use_location(&mut self, node: NodeNo, location: Location) {
        let (makers, since) = self.memory.definition(location);
        self.depend(node, makers);
        let uses = &mut self.nodes[node].uses;
        match location {
            Location::Static(field) | Location::Field(_, field) => {
                uses.push((Variable::Field(field), since));
            }
            Location::Element(array, _) => {
                let kinds = self.relevance.objects.holds(array).numbers();
                uses.extend(kinds.map(|kind| (Variable::Kind(kind), since)));
            }
        }
    }

    /// The node might have defined these variables.
    fn log(&mut self, node: NodeNo, may: &May, how: How) {
        let frame = self.nodes[node].frame;
        let locals = may.locals.iter().map(|slot| Variable::Local(frame, *slot));
        let fields = may
            .fields
            .iter()
            .map(|no| Variable::Field(FieldNo::from_index(no as usize)));
        let kinds = may.kinds.numbers().map(Variable::Kind);
        for variable in locals.chain(fields).chain(kinds) {
            self.might.entry(variable).or_default().push((node, how));
        }
    }

    fn log_branch(&mut self, node: NodeNo, went: Option<usize>) {
        let (at, method) = (self.nodes[node].at, self.nodes[node].method);
        let body = Rc::clone(&self.frame().body);
        if let Access::Branch(_) = body.instructions[at].effect.access {
            let (block, went) = (
                body.cfg.block_of(at),
                went.map(|next| body.cfg.block_of(next)),
            );
            let may = self.relevance.may.otherwise(method, &body, block, went);
            if let Some(may) = may {
                self.log(node, &may, How::Statement);
            }
        }
    }

    fn log_dispatch(&mut self, node: NodeNo, callee: Option<MethodNo>) {
        let (at, method) = (self.nodes[node].at, self.nodes[node].method);
        let instruction = self.frame().body.instructions[at].clone();
        let others = self.relevance.may.dispatched(method, at, &instruction);
        for other in others.iter().flat_map(|others| others.methods.iter()) {
            if Some(*other) != callee {
                let may = self.relevance.may.called(*other).clone();
                self.log(node, &may, How::Receiver);
            }
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
                self.take_operands(node, taken);
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
        self.take_operands(node, taken);
        if let Some(thrown) = threw {
            // What its constructor put into the exception.
            self.use_all_of(node, thrown);
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
                let local = self.frame().locals.get(&slot).cloned();
                let (makers, since) = local.unwrap_or_default();
                let variable = Variable::Local(self.frame().no, slot);
                self.depend(node, makers);
                self.nodes[node].uses.push((variable, since));
                if matches!(access, Access::Increment(_)) {
                    self.frame().locals.insert(slot, (me.clone(), node));
                }
            }
            Access::Store(slot) => drop(self.frame().locals.insert(slot, (me.clone(), node))),
            Access::GetField(_) | Access::GetStatic(_) | Access::ArrayLoad => {
                if let Some(location) = location {
                    self.use_location(node, location);
                }
            }
            Access::PutField(_) | Access::PutStatic(_) | Access::ArrayStore => {
                if let Some(location) = location {
                    self.memory.store(location, node);
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
        self.take_operands(node, taken);
        self.log_dispatch(node, facts.callee);
        if facts.seed {
            self.seeds.insert(node);
        }
        if facts.callee.is_none() {
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
        instruction: &jinsi_steps::code::Instruction,
        operands: &[Value],
        facts: Facts,
    ) {
        let target = instruction.target.clone().unwrap();
        let dynamic = instruction.opcode == opcode::INVOKEDYNAMIC;
        let summary = self.summaries.of(&target, dynamic);
        for operand in operands {
            if let Value::Object(id) = operand {
                self.use_all_of(node, *id);
            }
        }
        if facts.made != 0 {
            self.memory.make(facts.made, node);
        }
        let is_static = dynamic || instruction.opcode == opcode::INVOKESTATIC;
        let has_receiver = !is_static && target.name != "<init>";
        for (place, operand) in operands.iter().enumerate() {
            let changes = match has_receiver && place == 0 {
                true => summary.receiver,
                false => summary.arguments,
            };
            if let (Value::Object(id), true) = (operand, changes) {
                self.memory.change(*id, node);
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
        self.memory.copy(node, (*from, at), (*into, to), count);
    }

    fn end_call(&mut self, at: usize, threw: bool) {
        let frame = self.frame();
        let call = frame.call.take().unwrap();
        let pushes = frame.body.instructions[at].effect.stack.pushes() > 0;
        let me = Makers::from([call.node]);
        if threw {
            let entered = call.facts.callee.is_some();
            frame.thrower = if entered { call.threw } else { me };
            if !entered {
                self.use_all_of(call.node, call.facts.thrown);
            }
        } else if pushes {
            frame.stack.push(if call.facts.callee.is_some() {
                call.result
            } else {
                me
            });
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
