//! Dynamic slicing: the closure of control and data dependences, backward from a criterion (Wang 2007, Section 3.2).
//!
//! As published, an occurrence of an instruction joins the slice if one in the slice is control-dependent or data-dependent on it. The
//! simulated operand stack has for each value whether its consumer is in the slice. An instruction in the slice uses all its operands,
//! and a call all its arguments.
//!
//! Beyond what is published:
//! * A handler ran because an instruction threw. That instruction is in the slice if one that ran only for this reason is, or if the
//!   exception is used. It used its operands, but defined nothing.
//! * Calls of code that is not recorded are bridged ([`super::summaries`]): the result depends on receiver and arguments, and on all that
//!   objects among these hold; code that may change an object defines all that it holds. What it calls back is sliced.
//! * What the JVM runs by itself, class initializers, depends on nothing.
//! * Activations whose instructions are not known are taken for a single instruction that used all it read, once it has defined
//!   anything that was used.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use jinsi_classfile::effect::Access;
use jinsi_classfile::opcode;
use jinsi_trace::model::{MemberRef, ObjectId, Value};
use jinsi_trace::reader::Trace;
use rustc_hash::FxHashMap;

use super::activation::Activation;
use super::criterion::Seeds;
use super::drawing::{Dependence, Drawing};
use super::hierarchy::user::Watch;
use super::hierarchy::{Crossed, Division, Own};
use super::included::Included;
use super::memory::Memory;
use super::others::Used;
use super::relevant::Relevance;
use super::settling::Foreseen;
use super::summaries::{Summaries, Summary};
use super::using::{FAR, Mark, PhaseNo, Use};
use jinsi_steps::code::{MethodNo, Program};
use jinsi_steps::walk::{EventOperands, Role, Step};

/// Most values that an instruction takes from the stack which only moves them (`dup2_x2`).
const MOST_SHUFFLED: usize = 4;

/// What of a run is in a slice.
#[derive(Clone, Debug, Default)]
pub struct SliceContent {
    /// Instructions in the slice, by method and index.
    pub instructions: BTreeSet<(MethodNo, usize)>,
    /// Lines of methods whose instructions are not known.
    pub lines: BTreeSet<(MethodNo, u16)>,
    /// How many dependences they are away from the criterion, or [`FAR`](super::using::FAR) and more.
    pub(super) distances: FxHashMap<(MethodNo, usize), u32>,
    /// How many occurrences of instructions are in it.
    pub occurrences: u64,
    /// The value that an instruction had to do with last, where recorded.
    pub values: HashMap<(MethodNo, usize), Value>,
    /// Code without a record that the slice goes through, and how often.
    pub crossings: BTreeMap<String, u64>,
    /// Was there anything to begin with?
    pub seeded: bool,
    /// In a slice by phases: the phase that it begins in.
    pub seeded_in: Option<PhaseNo>,
    /// In a slice by phases: dependences between these, the newest first.
    pub crossed: Vec<Crossed>,
    /// In a slice by phases: where they are.
    pub phases: Vec<Own>,
    /// Which line depends on which, if that was to be drawn.
    pub dependences: Vec<Dependence>,
}

impl SliceContent {
    /// Adds what was found in another thread.
    pub(super) fn join(&mut self, other: Self) {
        self.instructions.extend(other.instructions);
        self.lines.extend(other.lines);
        for (at, distance) in other.distances {
            self.distances.entry(at).or_insert(distance);
        }
        self.occurrences += other.occurrences;
        for (at, value) in other.values {
            self.values.entry(at).or_insert(value);
        }
        for (what, times) in other.crossings {
            *self.crossings.entry(what).or_default() += times;
        }
        self.dependences.extend(other.dependences);
    }
}

/// Collects a slice.
#[derive(Clone)]
pub struct Slicer<'t> {
    pub(super) trace: &'t Trace,
    pub(super) program: &'t Program,
    pub(super) summaries: Rc<Summaries>,
    /// By call instruction, of those whose summary has been asked for.
    known_summaries: FxHashMap<(MethodNo, usize), Summary>,
    pub(super) seeds: Seeds,
    pub(super) memory: Memory,
    pub(super) activations: Vec<Activation>,
    /// Of a relevant slice.
    pub(super) relevance: Option<Rc<Relevance<'t>>>,
    /// What is looked out for.
    pub(super) watch: Option<Box<Watch>>,
    /// Of a slice by phases.
    pub(super) division: Option<Division>,
    /// Instructions met.
    pub(super) clock: u64,
    pub(super) phase: PhaseNo,
    pub(super) found: SliceContent,
    /// Memory that slices of other threads use: what writes it is in the slice.
    pub(super) elsewhere: Rc<Used>,
    /// Dependences between lines, if these are to be drawn. Then marks have another form.
    drawing: Option<Box<Drawing>>,
    included: Included,
    pub(super) calls: u64,
    /// Has a call called back what it was not known to use?
    pub(super) missed: bool,
    /// What is known before it is met.
    pub(super) foreseen: Foreseen,
    /// Objects that hold others, of which that was not known.
    pub(super) held: Vec<(ObjectId, ObjectId)>,
    /// Calls that turned out to be in the slice when what they had called back was over.
    late: HashSet<u64>,
}

impl<'t> Slicer<'t> {
    /// From these seeds.
    pub fn new(trace: &'t Trace, program: &'t Program, seeds: Seeds) -> Self {
        Self {
            calls: 0,
            missed: false,
            foreseen: Foreseen::default(),
            held: Vec::new(),
            late: HashSet::new(),
            trace,
            program,
            summaries: Rc::default(),
            known_summaries: HashMap::default(),
            seeds,
            memory: Memory::default(),
            activations: Vec::new(),
            relevance: None,
            watch: None,
            division: None,
            clock: 0,
            phase: 0,
            found: SliceContent::default(),
            elsewhere: Rc::default(),
            drawing: None,
            included: Included::default(),
        }
    }

    /// The slice is to be the relevant one.
    pub fn relevant(mut self, relevance: Rc<Relevance<'t>>) -> Self {
        self.memory = Memory::counting(Rc::clone(&relevance.objects));
        self.relevance = Some(relevance);
        self
    }

    /// Other threads were recorded, too, and their slices use `elsewhere`: what writes that is in the slice, and it is noted which memory
    /// this one uses.
    pub(super) fn among_threads(mut self, elsewhere: Rc<Used>) -> Self {
        self.memory.note();
        self.elsewhere = elsewhere;
        self
    }

    /// It is noted which line depends on which.
    pub(super) fn drawn(mut self, draws: bool) -> Self {
        self.drawing = draws.then(Box::default);
        self
    }

    /// What was found, and which memory the slice used, if that was noted.
    pub(super) fn finish(mut self) -> (SliceContent, Used) {
        self.found.seeded = self.seeds.met();
        for (instruction, distance) in self.included.all() {
            self.found.instructions.insert(instruction);
            self.found.distances.insert(instruction, distance);
        }
        if let Some(drawing) = &self.drawing {
            let get = |method| Rc::clone(self.program.get(method));
            self.found.dependences = drawing.finish(get);
        }
        let used = self.memory.noted();
        (self.found, used)
    }

    /// A call of unrecorded code that calls recorded code back uses what that returns, but may be found to be in the slice only when that
    /// has been walked over. These are calls of which that was found ([`Self::late`]) in a walk up to here, or further; and objects that
    /// hold others.
    pub(super) fn foresee(&mut self, foreseen: &Foreseen) {
        self.foreseen.clone_from(foreseen);
        self.memory.link(&foreseen.links);
    }

    /// What was foreseen.
    pub(super) fn foreseen(&self) -> &Foreseen {
        &self.foreseen
    }

    /// Objects that hold others, and should have been foreseen.
    pub(super) fn held(&self) -> &[(ObjectId, ObjectId)] {
        &self.held
    }

    /// How many calls have been met.
    pub(super) fn calls(&self) -> u64 {
        self.calls
    }

    /// Has there been a call that might have turned out late to be in the slice?
    pub(super) fn may_be_late(&self) -> bool {
        self.missed
    }

    /// Calls that should have been foreseen.
    pub fn late(&self) -> &HashSet<u64> {
        &self.late
    }

    /// How often the line of the criterion was run.
    pub fn runs(&self) -> u64 {
        self.seeds.runs()
    }

    /// Puts an occurrence into the slice, for it is used so.
    pub(super) fn include(
        &mut self,
        method: MethodNo,
        at: usize,
        how: Use,
        step: Option<&Step<'_>>,
    ) {
        self.found.occurrences += 1;
        let mut distance = match self.division {
            Some(_) => FAR,
            None => how.mark().unwrap_or(FAR),
        };
        if let Some(drawing) = &mut self.drawing {
            distance = Drawing::distance(distance);
            let body = self.activations.last().and_then(|open| open.body.as_ref());
            let line = body.map_or(0, |body| body.instructions[at].line);
            drawing.join((method, line), how);
        }
        self.included.insert(method, at, distance);
        if let Some(watch) = &mut self.watch {
            let body = self.activations.last().and_then(|open| open.body.as_ref());
            let line = body.map_or(0, |body| body.instructions[at].line);
            watch.include(method, at, line, (self.clock, self.activations.len()));
        }
        if let Some(step) = step {
            self.keep_value(method, step);
        }
        let mark = self.mark(how);
        if let (Some(activation), Some(_)) = (self.activations.last_mut(), how.mark())
            && let Some(body) = &activation.body
        {
            let block = body.cfg.block_of(at);
            activation.unexplained.insert(block, mark);
        }
    }

    /// The value of an instruction, of which the newest counts.
    pub(super) fn keep_value(&mut self, method: MethodNo, step: &Step<'_>) {
        let at = step.at;
        if step.event.count() > 0
            && self.included.value(method, at)
            && let Some(value) = step.value()
        {
            self.found.values.insert((method, at), value);
        }
    }

    /// What a call instruction does whose callee is not recorded.
    fn summary(
        &mut self,
        (method, at): (MethodNo, usize),
        target: &MemberRef,
        dynamic: bool,
    ) -> Summary {
        let known = self.known_summaries.entry((method, at));
        *known.or_insert_with(|| self.summaries.of(target, dynamic))
    }

    /// The mark of what an occurrence uses that is used so itself.
    pub(super) fn mark(&self, how: Use) -> Mark {
        if let Some(drawing) = &self.drawing {
            return drawing.mark(how);
        }
        match (&self.division, how.mark()) {
            (Some(_), _) => self.phase,
            (None, Some(distance)) => (distance + 1).min(FAR),
            (None, None) => FAR,
        }
    }

    /// The mark of what is used by something, it is not known what.
    pub(super) fn vague(&self) -> Mark {
        match self.division {
            Some(_) => self.phase,
            None => FAR,
        }
    }

    /// How that is used with which the slice begins.
    pub(super) fn criterion(&self) -> Use {
        Use::by(self.phase)
    }

    pub(super) fn cross(&mut self, what: String) {
        *self.found.crossings.entry(what).or_default() += 1;
    }

    /// Name of a method, for people.
    pub(super) fn name(&self, method: MethodNo) -> String {
        let method = self.program.get(method);
        format!("{}.{}", method.owner.replace('/', "."), method.name)
    }

    /// The activation whose instructions are not known is in the slice from here on.
    pub(super) fn taint(&mut self) {
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        if !std::mem::replace(&mut activation.tainted, true) {
            let method = activation.method;
            let name = self.name(method);
            self.cross(format!("{name}: which way it went is not recorded"));
        }
    }

    /// How is what the instruction defines used? It is not sought any more.
    fn defines(&mut self, step: &Step<'_>) -> Use {
        let Some(activation) = self.activations.last_mut() else {
            return Use::NONE;
        };
        match step.instruction.effect.access {
            Access::Store(slot) | Access::Increment(slot) => activation.locals.found(slot),
            Access::PutField(_) | Access::PutStatic(_) | Access::ArrayStore => {
                match self.memory.seeks_anything() {
                    true => (step.location()).map_or(Use::NONE, |at| self.memory.found(at)),
                    false => Use::NONE,
                }
            }
            Access::Branch(_) => {
                let Some(body) = &activation.body else {
                    return Use::NONE;
                };
                let block = body.cfg.block_of(step.at);
                let dependents = body.control.dependents(block);
                activation.unexplained.explain(dependents)
            }
            Access::Return if step.instruction.effect.stack.pops() > 0 => {
                std::mem::take(&mut activation.returns)
            }
            _ => Use::NONE,
        }
    }

    /// The instruction is in the slice: seeks what it used of variables.
    fn uses(&mut self, step: &Step<'_>, how: Use) {
        let mark = self.mark(how);
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        match step.instruction.effect.access {
            Access::Load(slot) | Access::Increment(slot) | Access::Branch(Some(slot)) => {
                activation.locals.seek(slot, mark);
            }
            Access::GetField(_) | Access::GetStatic(_) | Access::ArrayLoad if !step.threw => {
                if let Some(location) = step.location() {
                    self.memory.seek(location, mark);
                }
            }
            _ if step.threw && activation.thrown != 0 => {
                // What its constructor put into the exception.
                self.memory.seek_all_of(activation.thrown, mark);
            }
            _ => {}
        }
    }

    /// How the occurrence's operands are used, if it is used so.
    fn operands_of(&self, at: usize, how: Use) -> Use {
        let body = self.activations.last().and_then(|open| open.body.as_ref());
        match (how.any(), how.mark(), body) {
            (false, ..) => Use::NONE,
            (true, None, Some(body)) => Use::by_statement(body.cfg.block_of(at)),
            _ => Use::by(self.mark(how)),
        }
    }

    pub(super) fn shuffle(&mut self, step: &Step<'_>, pops: u8, leaves: &[u8]) {
        let seed = self.seed(step);
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        let mut how = seed;
        if step.threw {
            how = how.or(std::mem::take(&mut activation.throws));
        }
        let method = activation.method;
        let block = activation.block_of(step.at);
        let mut used = [how; MOST_SHUFFLED];
        let used = &mut used[..usize::from(pops)];
        if !step.threw {
            for &source in leaves.iter().rev() {
                let one = activation.stack.pop().unwrap_or_default();
                let one = one.computed_in(block);
                let source = &mut used[usize::from(source)];
                *source = source.or(one);
                how = how.or(one);
            }
        }
        activation.stack.extend_from_slice(used);
        if how.any() {
            self.include(method, step.at, how, None);
        }
    }

    /// An instruction other than a call or a shuffle.
    pub(super) fn compute(
        &mut self,
        step: &Step<'_>,
        (pops, pushes): (u8, bool),
        went: Option<usize>,
    ) {
        let seed = self.seed(step);
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        let mut how = match step.threw {
            true => std::mem::take(&mut activation.throws),
            false if pushes => activation.stack.pop().unwrap_or_default(),
            false => Use::NONE,
        };
        how = how.computed_in(activation.block_of(step.at));
        let method = activation.method;
        if !step.threw {
            how = how.or(self.defines(step));
        }
        how = how.or(seed);
        if !how.any() && self.relevance.is_some() {
            how = self.branch_otherwise(step, went);
        }
        if how.any() {
            self.include(method, step.at, how, Some(step));
            self.note((method, step.at), how, Some(step));
            self.uses(step, how);
        }
        let operands = self.operands_of(step.at, how);
        if let Some(activation) = self.activations.last_mut() {
            let depth = activation.stack.len() + usize::from(pops);
            activation.stack.resize(depth, operands);
        }
    }

    /// Does the slice begin with the occurrence?
    pub(super) fn seed(&mut self, step: &Step<'_>) -> Use {
        let takes = self.seeds.takes(self.activations.len(), step);
        if takes {
            self.begun();
        }
        let calls = matches!(step.instruction.effect.access, Access::Invoke(_));
        match takes || (!calls && self.begins()) {
            true => self.criterion(),
            false if self.is_used_elsewhere(step) => Use::by(self.vague()),
            false => Use::NONE,
        }
    }

    /// Does it write what the slice of another thread uses?
    fn is_used_elsewhere(&self, step: &Step<'_>) -> bool {
        let access = step.instruction.effect.access;
        let writes = matches!(
            access,
            Access::PutField(_) | Access::PutStatic(_) | Access::ArrayStore
        );
        writes
            && !step.threw
            && !self.elsewhere.is_empty()
            && step.location().is_some_and(|at| self.elsewhere.has(at))
    }

    /// Does the slice begin with this exception?
    pub(super) fn failed(&mut self, throwable: ObjectId) -> bool {
        let failed = throwable != 0 && self.seeds.failed(throwable);
        if failed {
            self.begun();
        }
        failed
    }

    /// The beginning of a call.
    pub(super) fn begin_call(&mut self, at: usize, operands: EventOperands<'_>) {
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        let call = activation.call.take().unwrap_or_default();
        let (method, thrown) = (activation.method, activation.thrown);
        let Some(body) = activation.body.clone() else {
            return;
        };
        let instruction = &body.instructions[at];
        let mut how = call.wanted;
        if self.begins() {
            how = how.or(self.criterion());
        }
        if let (None, Some(target)) = (call.callee, instruction.target.as_deref()) {
            let dynamic = instruction.opcode == opcode::INVOKEDYNAMIC;
            let receiver = !dynamic && instruction.opcode != opcode::INVOKESTATIC;
            let summary = self.summary((method, at), target, dynamic);
            let since = match summary.holds {
                true => self.hold(&call, operands),
                false => None,
            };
            let changed = self.bridge((target, summary), receiver, &call, operands);
            how = how.or(call.result).or(changed);
            if how.any() {
                let mark = self.mark(how);
                self.use_operands((target, summary), operands, mark, since);
                if call.threw && thrown != 0 {
                    self.memory.seek_all_of(thrown, mark);
                }
            }
        }
        if how.any() {
            if call.missed {
                self.late.insert(call.no);
            }
            self.include(method, at, how, None);
            self.note((method, at), how, None);
        } else if self.might_have_called(method, (at, instruction), call.callee) {
            return self.include_dispatch(method, &body, at);
        }
        let used = self.operands_of(at, how);
        if let Some(activation) = self.activations.last_mut() {
            let depth = activation.stack.len() + usize::from(instruction.effect.stack.pops());
            activation.stack.resize(depth, used);
        }
    }

    /// The activation that began was in the slice, or its arguments are used in it: so is the code that called it.
    pub(super) fn called(&mut self, role: Role, how: Use) {
        let Some(caller) = self.activations.last_mut() else {
            return;
        };
        match (role, &mut caller.call) {
            (Role::Callee | Role::Callback, Some(call)) => call.wanted = call.wanted.or(how),
            (Role::Unknown, _) => self.taint(),
            _ => {}
        }
    }
}
