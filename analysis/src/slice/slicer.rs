//! Dynamic slicing: the closure of control and data dependences, backward from a criterion (digest `jslice-thesis.md` §3.3).
//!
//! As in the digest an occurrence of an instruction joins the slice if one that is in it depends on it: because it decided that the
//! other ran, or because it defined what the other used. What is on the simulated operand stack is, of each value, whether its consumer
//! is in the slice. An instruction in the slice uses all that it takes; a call all of its arguments.
//!
//! Beyond the digest:
//! * A handler ran because something threw: the instruction that did is in the slice if one is that ran only therefore, or if the
//!   exception is used. It used what it took, but defined nothing.
//! * Calls of code that is not recorded are bridged ([`super::summaries`]): the result depends on receiver and arguments, and on all that
//!   objects among these hold; code that may change an object defines all that it holds. What it calls back is sliced.
//! * What the JVM runs by itself, class initializers, depends on nothing.
//! * Activations whose instructions are not known are taken for a single instruction that used all it read, once it has defined
//!   anything that was used.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::cfg::control::BlockSet;
use jinsi_classfile::effect::{Access, StackEffect};
use jinsi_classfile::opcode;
use jinsi_trace::model::{Event, EventKind, MemberRef, ObjectId, Value};
use jinsi_trace::reader::Trace;

use super::activation::{Activation, Call};
use super::code::{MethodNo, Program};
use super::criterion::Seeds;
use super::frame::{number, operands};
use super::memory::Memory;
use super::summaries::Summaries;
use super::walk::{Ended, Location, Opening, Role, Step, Visitor};

/// What of a run is in a slice.
#[derive(Debug, Default)]
pub struct Found {
    /// Instructions in the slice, by method and index.
    pub instructions: BTreeSet<(MethodNo, usize)>,
    /// Lines of methods whose instructions are not known.
    pub lines: BTreeSet<(MethodNo, u16)>,
    /// How many occurrences of instructions are in it.
    pub occurrences: u64,
    /// The value that an instruction had to do with last, where recorded.
    pub values: HashMap<(MethodNo, usize), Value>,
    /// Code without a record that the slice goes through, and how often.
    pub crossings: BTreeMap<String, u64>,
    /// Was there anything to begin with?
    pub seeded: bool,
}

/// Collects a slice.
pub struct Slicer<'t> {
    trace: &'t Trace,
    program: &'t Program,
    summaries: Summaries,
    seeds: Seeds,
    memory: Memory,
    activations: Vec<Activation>,
    found: Found,
    calls: u64,
    /// Calls that are known to be in the slice before they are met.
    foreseen: HashSet<u64>,
    /// Calls that turned out to be in the slice when what they had called back was over.
    late: HashSet<u64>,
}

impl<'t> Slicer<'t> {
    /// From these seeds. A call of unrecorded code that calls recorded code back uses what that returns, but may be found to be in the
    /// slice only when that has been walked over. `foreseen` are calls of which an earlier walk found so ([`Self::late`]).
    pub fn new(
        trace: &'t Trace,
        program: &'t Program,
        seeds: Seeds,
        foreseen: HashSet<u64>,
    ) -> Self {
        Self {
            calls: 0,
            foreseen,
            late: HashSet::new(),
            trace,
            program,
            summaries: Summaries::default(),
            seeds,
            memory: Memory::default(),
            activations: Vec::new(),
            found: Found::default(),
        }
    }

    /// What was found; `alone`: no other thread was recorded.
    pub fn finish(mut self, alone: bool) -> Found {
        self.found.seeded = self.seeds.met();
        if !alone && self.memory.seeks_anything() {
            self.cross("other threads: what they may have written is not looked into".into());
        }
        self.found
    }

    /// Calls that should have been foreseen.
    pub fn late(&self) -> &HashSet<u64> {
        &self.late
    }

    /// How often the line of the criterion was run.
    pub fn runs(&self) -> u64 {
        self.seeds.runs()
    }

    fn top(&mut self) -> Option<&mut Activation> {
        self.activations.last_mut()
    }

    /// Puts an occurrence into the slice.
    fn include(&mut self, method: MethodNo, at: usize, value: Option<&Value>) {
        self.found.occurrences += 1;
        self.found.instructions.insert((method, at));
        if let Some(value) = value {
            let values = &mut self.found.values;
            values.entry((method, at)).or_insert_with(|| value.clone());
        }
        if let Some(activation) = self.activations.last_mut()
            && let Some(body) = &activation.body
        {
            let block = body.cfg.block_of(at);
            activation.unexplained.insert(block);
        }
    }

    fn cross(&mut self, what: String) {
        *self.found.crossings.entry(what).or_default() += 1;
    }

    /// Name of a method, for people.
    fn name(&self, method: MethodNo) -> String {
        let method = self.program.get(method);
        format!("{}.{}", method.owner.replace('/', "."), method.name)
    }

    /// The activation whose instructions are not known is in the slice from here on.
    fn taint(&mut self) {
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        if !std::mem::replace(&mut activation.tainted, true) {
            let method = activation.method;
            let name = self.name(method);
            self.cross(format!("{name}: which way it went is not recorded"));
        }
    }

    /// Is what the instruction defines sought? It is not any more.
    fn defines(&mut self, step: &Step<'_>) -> bool {
        let Some(activation) = self.activations.last_mut() else {
            return false;
        };
        match step.instruction.effect.access {
            Access::Store(slot) => activation.locals.remove(&slot),
            Access::Increment(slot) => activation.locals.contains(&slot),
            Access::PutField(_) | Access::PutStatic(_) | Access::ArrayStore => {
                step.location.is_some_and(|at| self.memory.found(at))
            }
            Access::Branch(_) => {
                let Some(body) = &activation.body else {
                    return false;
                };
                let block = body.cfg.block_of(step.at);
                let dependents = body.control.dependents(block);
                activation.unexplained.remove_all(dependents)
            }
            Access::Return => {
                step.instruction.effect.stack.pops() > 0 && std::mem::take(&mut activation.returns)
            }
            _ => false,
        }
    }

    /// The instruction is in the slice: seeks what it used of variables.
    fn uses(&mut self, step: &Step<'_>) {
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        match step.instruction.effect.access {
            Access::Load(slot) | Access::Increment(slot) | Access::Branch(Some(slot)) => {
                activation.locals.insert(slot);
            }
            Access::GetField(_) | Access::GetStatic(_) | Access::ArrayLoad if !step.threw => {
                if let Some(location) = step.location {
                    self.memory.seek(location);
                }
            }
            _ if step.threw && activation.thrown != 0 => {
                // What its constructor put into the exception.
                self.memory.seek_all_of(activation.thrown);
            }
            _ => {}
        }
    }

    fn shuffle(&mut self, step: &Step<'_>, pops: u8, leaves: &[u8]) {
        let seed = self.seeds.takes(self.activations.len(), step);
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        let thrown = step.threw && std::mem::take(&mut activation.throws);
        let method = activation.method;
        let mut used = vec![thrown || seed; usize::from(pops)];
        if !step.threw {
            for &source in leaves.iter().rev() {
                used[usize::from(source)] |= activation.stack.pop().unwrap_or(false);
            }
        }
        let wanted = used.contains(&true);
        activation.stack.extend(used);
        if wanted {
            self.include(method, step.at, None);
        }
    }

    /// What a call of code that is not recorded did to objects: is any of it sought?
    fn bridge(
        &mut self,
        target: &MemberRef,
        dynamic: bool,
        receiver: bool,
        call: &Call,
        values: &[Value],
    ) -> bool {
        if is_array_copy(target) && !call.threw {
            return self.copy_elements(values);
        }
        let summary = self.summaries.of(target, dynamic);
        let constructor = target.name == "<init>";
        let mut sought = call.made != 0 && self.memory.made(call.made);
        let mut objects = values.iter().map(object);
        // A constructor's receiver is not among its operands.
        if receiver
            && !constructor
            && let Some(Some(receiver)) = objects.next()
        {
            sought |= summary.receiver && self.memory.seeks_any_of(receiver);
        }
        for argument in objects.flatten() {
            sought |= summary.arguments && self.memory.seeks_any_of(argument);
        }
        sought
    }

    /// `System.arraycopy`: are elements sought that it wrote?
    fn copy_elements(&mut self, values: &[Value]) -> bool {
        let [Value::Object(from), at, Value::Object(into), to, count] = values else {
            return false;
        };
        let index = |value| u32::try_from(number(value).unwrap_or(0)).unwrap_or(0);
        let (at, to, count) = (index(at), index(to), index(count));
        let sought = self.memory.seeks_in(*into, to, count);
        if sought {
            self.memory.copied((*from, at), (*into, to), count);
        }
        sought
    }

    /// A call of code that is not recorded is in the slice: it used all that its operands hold.
    fn use_operands(&mut self, target: &MemberRef, dynamic: bool, values: &[Value]) {
        if is_array_copy(target) {
            return;
        }
        for id in values.iter().filter_map(object) {
            self.memory.seek_all_of(id);
        }
        if !self.summaries.of(target, dynamic).known {
            let owner = target.owner.replace('/', ".");
            self.cross(format!("{owner}.{}: not recorded", target.name));
        }
    }

    /// The activation that began was in the slice, or its arguments are used in it: so is the code that called it.
    fn called(&mut self, role: Role) {
        let Some(caller) = self.activations.last_mut() else {
            return;
        };
        match (role, &mut caller.call) {
            (Role::Callee | Role::Callback, Some(call)) => call.wanted = true,
            (Role::Unknown, _) => self.taint(),
            _ => {}
        }
    }
}

impl Visitor for Slicer<'_> {
    fn opened(&mut self, opening: &Opening) {
        let thrown = match opening.ended {
            Ended::Threw(id) => id,
            _ => 0,
        };
        let mut used = false;
        if let Some(caller) = self.activations.last_mut() {
            used = match (opening.role, &mut caller.call) {
                (Role::Callee, Some(call)) => {
                    call.entered = true;
                    call.result
                }
                (Role::Callback, Some(call)) => {
                    let used = call.result || call.wanted || self.foreseen.contains(&call.no);
                    call.missed |= !used;
                    used
                }
                (Role::Initializer, _) => caller.throws,
                _ => caller.tainted,
            };
        }
        used |= thrown != 0 && self.seeds.failed(thrown);
        let body = &self.program.get(opening.method).body;
        let body = body.clone().filter(|_| opening.stepwise);
        let known = body.is_some();
        self.activations.push(Activation {
            method: opening.method,
            role: opening.role,
            stack: Vec::new(),
            locals: BTreeSet::new(),
            unexplained: BlockSet::default(),
            returns: used && opening.ended == Ended::Returned,
            throws: used && thrown != 0,
            thrown,
            call: None,
            tainted: false,
            fresh: true,
            body,
        });
        self.seeds.opened(self.activations.len(), opening.method);
        if used && !known {
            self.taint();
        }
    }

    fn stepped(&mut self, step: &Step<'_>) {
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        activation.settle(step.at, step.threw);
        let (pops, pushes) = match step.instruction.effect.stack {
            StackEffect::Shuffle { pops, leaves } => return self.shuffle(step, pops, leaves),
            StackEffect::Compute { pops, pushes } => (pops, pushes),
        };
        let mut wanted = match step.threw {
            true => std::mem::take(&mut activation.throws),
            false => pushes && activation.stack.pop().unwrap_or(false),
        };
        let method = activation.method;
        if !step.threw {
            wanted |= self.defines(step);
        }
        wanted |= self.seeds.takes(self.activations.len(), step);
        if wanted {
            self.include(method, step.at, step.value);
            self.uses(step);
        }
        if let Some(activation) = self.activations.last_mut() {
            let depth = activation.stack.len() + usize::from(pops);
            activation.stack.resize(depth, wanted);
        }
    }

    fn call_ended(&mut self, step: &Step<'_>) {
        let seed = self.seeds.takes(self.activations.len(), step);
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        activation.settle(step.at, step.threw);
        let pushes = step.instruction.effect.stack.pushes() > 0;
        let result = match step.threw {
            true => std::mem::take(&mut activation.throws),
            false => pushes && activation.stack.pop().unwrap_or(false),
        };
        let method = activation.method;
        self.calls += 1;
        activation.call = Some(Call {
            wanted: seed,
            result,
            threw: step.threw,
            entered: false,
            missed: false,
            made: step.made,
            no: self.calls,
        });
        if let (true, Some(value)) = (result && !step.threw, step.value) {
            let values = &mut self.found.values;
            let known = values.entry((method, step.at));
            known.or_insert_with(|| value.clone());
        }
    }

    fn call_began(&mut self, at: usize, operands: Option<&[Value]>) {
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        let call = activation.call.take().unwrap_or_default();
        let (method, thrown) = (activation.method, activation.thrown);
        let Some(body) = activation.body.clone() else {
            return;
        };
        let instruction = &body.instructions[at];
        let values = operands.unwrap_or_default();
        let mut wanted = call.wanted;
        if let (false, Some(target)) = (call.entered, instruction.target.as_deref()) {
            let dynamic = instruction.opcode == opcode::INVOKEDYNAMIC;
            let receiver = !dynamic && instruction.opcode != opcode::INVOKESTATIC;
            wanted |= call.result | self.bridge(target, dynamic, receiver, &call, values);
            if wanted {
                self.use_operands(target, dynamic, values);
                if call.threw && thrown != 0 {
                    self.memory.seek_all_of(thrown);
                }
            }
        }
        if wanted {
            if call.missed {
                self.late.insert(call.no);
            }
            self.include(method, at, None);
        }
        if let Some(activation) = self.activations.last_mut() {
            let depth = activation.stack.len() + usize::from(instruction.effect.stack.pops());
            activation.stack.resize(depth, wanted);
        }
    }

    fn caught(&mut self, handler: BlockNo, from: usize, throwable: ObjectId) {
        let failed = throwable != 0 && self.seeds.failed(throwable);
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        let Some(body) = activation.body.clone() else {
            return;
        };
        let used = activation.stack.pop().unwrap_or(false);
        let ran = body.on_throw(body.cfg.block_of(from), handler);
        activation.throws = activation.unexplained.remove_all(&ran) || used || failed;
        activation.thrown = throwable;
    }

    fn began(&mut self, _arguments: &[Value]) {
        let Some(activation) = self.activations.pop() else {
            return;
        };
        let parameters = activation.body.as_ref().map(|body| &body.parameters);
        let passed = parameters
            .into_iter()
            .flatten()
            .any(|slot| activation.locals.contains(slot));
        if passed || activation.tainted || !activation.unexplained.is_empty() {
            self.called(activation.role);
        }
    }

    fn lost(&mut self, why: &'static str) {
        let Some(activation) = self.top() else { return };
        let used = activation.stack.contains(&true)
            || !activation.locals.is_empty()
            || !activation.unexplained.is_empty()
            || (activation.call.take()).is_some_and(|call| call.wanted || call.result)
            || activation.returns
            || activation.throws;
        let method = activation.method;
        activation.body = None;
        if used {
            let name = self.name(method);
            self.cross(format!("{name}: its events do not fit its code ({why})"));
            self.taint();
        }
    }

    fn unexplained(&mut self, event: &Event, location: Option<Location>) {
        let Some(activation) = self.activations.last() else {
            return;
        };
        let (method, mut tainted) = (activation.method, activation.tainted);
        let writes = matches!(
            event.kind,
            EventKind::PutField | EventKind::PutStatic | EventKind::ArrayStore
        );
        let values = operands(event);
        let site = self.trace.site(event.site);
        let mut relevant = false;
        match (location, event.kind) {
            (Some(location), _) if writes => relevant = self.memory.found(location),
            (Some(location), _) if tainted => self.memory.seek(location),
            (None, EventKind::Call) => {
                if let Some(site) = site {
                    let summary = self.summaries.of(&site.target, false);
                    let changed = |id| self.memory.seeks_any_of(id);
                    let changes = summary.receiver || summary.arguments;
                    relevant = changes && values.iter().filter_map(object).any(changed);
                }
            }
            _ => {}
        }
        if relevant {
            self.taint();
            tainted = true;
        }
        if tainted && event.kind == EventKind::Call {
            for id in values.iter().filter_map(object) {
                self.memory.seek_all_of(id);
            }
        }
        if let (true, Some(line)) = (tainted, site.map(|s| s.line).filter(|line| *line != 0)) {
            self.found.lines.insert((method, line));
        }
    }

    fn resumed(&mut self, at: usize) {
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        let body = self.program.get(activation.method).body.clone();
        if let Some(body) = &body {
            let depth = usize::from(body.instructions[at].depth);
            activation.stack.clear();
            activation.stack.resize(depth, activation.tainted);
            if activation.tainted {
                // What is not known used any of them.
                let slots = body
                    .instructions
                    .iter()
                    .filter_map(|i| match i.effect.access {
                        Access::Store(slot) | Access::Increment(slot) => Some(slot),
                        _ => None,
                    });
                activation
                    .locals
                    .extend(slots.chain(body.parameters.iter().copied()));
            }
        }
        activation.fresh = false;
        activation.body = body;
    }

    fn outside(&mut self, event: &Event, location: Location) {
        if !matches!(event.kind, EventKind::PutField | EventKind::PutStatic) {
            return;
        }
        if self.memory.found(location) {
            let site = self.trace.site(event.site);
            let what = site.map_or_else(String::new, |site| {
                let owner = site.target.owner.replace('/', ".");
                format!(
                    "{owner}.{}: written by code that is not recorded",
                    site.target.name
                )
            });
            self.cross(what);
        }
    }
}

fn object(value: &Value) -> Option<ObjectId> {
    match value {
        Value::Object(id) => Some(*id),
        _ => None,
    }
}

fn is_array_copy(target: &MemberRef) -> bool {
    target.owner == "java/lang/System" && target.name == "arraycopy"
}
