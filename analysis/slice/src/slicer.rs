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

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use jinsi_trace::model::ObjectId;
use jinsi_trace::reader::Trace;
use rustc_hash::FxHashMap;

use super::activation::Activation;
pub use super::content::SliceContent;
use super::criterion::Seeds;
use super::division::Division;
use super::drawing::Drawing;
use super::foreseen::Foreseen;
use super::included::Included;
use super::memory::Memory;
use super::others::Used;
use super::part::{CallResult, Part};
use super::relevance::Relevance;
use super::summaries::{Summaries, Summary};
use super::using::{FAR, Mark, PhaseNo, Use};
use super::watch::Watch;
use jinsi_steps::code::{MethodNo, Program};
use jinsi_steps::walk::Step;

/// Collects a slice.
#[derive(Clone)]
pub struct Slicer<'t> {
    pub(super) trace: &'t Trace,
    pub(super) program: &'t Program,
    pub(super) summaries: Rc<Summaries>,
    /// By call instruction, of those whose summary has been asked for.
    pub(super) known_summaries: FxHashMap<(MethodNo, usize), Summary>,
    pub(super) seeds: Seeds,
    pub(super) memory: Memory,
    pub(super) activations: Vec<Activation>,
    /// Of a relevant slice.
    pub(super) relevance: Option<Rc<Relevance<'t>>>,
    /// What is looked out for.
    pub(super) watch: Option<Box<Watch>>,
    /// Of a slice by phases.
    pub(super) division: Option<Division>,
    /// Which calls have a part in it, if that is looked for.
    pub(super) part: Option<Box<Part>>,
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
    pub(super) late: HashSet<u64>,
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
            part: None,
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

    /// What is looked for are the calls that had a part in this.
    pub(super) fn for_part(mut self, call_result: CallResult) -> Self {
        self.part = Some(Box::new(Part::of(call_result)));
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
        if let Some(activation) = self.activations.last_mut() {
            activation.has_part = true;
        }
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
}
