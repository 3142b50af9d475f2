//! What the code says about which objects get where, as constraints.
//!
//! Objects are distinguished by their places of birth, calls are not distinguished, fields are by object, and an array, container or other object of
//! code that is not recorded has one content. A call of such code does what `jinsi-slice`'s summaries say: its result may be, or hold, all that
//! it was given or that this holds. What the run has met where is there in any case.

mod declared;
mod outside;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use jinsi_classfile::bits::Bits;
use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::effect::Access;
use jinsi_classfile::opcode;
use jinsi_slice::summaries::Summaries;
use jinsi_steps::classes::Hierarchy;
use jinsi_steps::code::{Constant, FieldNo, Instruction, MethodNo};
use jinsi_trace::model::{MemberRef, is_string_or_box};
use rustc_hash::{FxHashMap, FxHashSet};

use super::filters::{ClassNo, Filters, Passing};
use super::solver::{ALL, FilterNo, NodeNo, ObjectNo, Rules, Solver};
use super::{PointsTo, class_of, classes_by_birth, declared_type};
use crate::births::{Birth, Births};
use crate::code::Code;
use crate::gather::Gathered;
use crate::place::Place;

/// Has an object of the class no identity that matters?
fn is_value(class: &str) -> bool {
    is_string_or_box(class) || class == "java/lang/Class"
}

/// Which objects may get where in a run, solved.
#[derive(Debug)]
pub struct Solved {
    solver: Solver,
    /// By method: the node of its first value.
    first: Vec<NodeNo>,
    objects: HashMap<Birth, ObjectNo>,
    /// By method and instruction: the values of operands, and what they are declared as.
    operands: FxHashMap<(Place, usize), (NodeNo, FilterNo)>,
    filters: Passing,
    callees: BTreeMap<Place, Vec<MethodNo>>,
}

impl Solved {
    /// Of a run.
    pub fn of(
        code: &Code<'_>,
        hierarchy: &Hierarchy<'_>,
        births: &Births,
        gathered: &Gathered,
    ) -> Self {
        let mut solver = Solver::default();
        let mut constraints = Constraints::new(code, hierarchy, births, gathered, &mut solver);
        constraints.declare();
        constraints.generate(gathered, &mut solver);
        solver.solve(&mut constraints);
        constraints.called_from_outside(&mut solver);
        solver.solve(&mut constraints);
        constraints.solved(solver, gathered)
    }

    /// How many sets, and how many arrows between them.
    pub fn size(&self) -> (usize, usize) {
        self.solver.size()
    }

    /// May the value be an object that was born there?
    pub fn value_may_be(&self, value: Birth, birth: Birth) -> bool {
        let node = self.first[value.method.index()] + value.value;
        let object = self.objects.get(&birth);
        object.is_some_and(|object| self.solver.set(node).contains(*object))
    }
}

impl PointsTo for Solved {
    fn may_be(&self, place: Place, operand: usize, birth: Birth) -> bool {
        let known = self.operands.get(&(place, operand));
        let object = self.objects.get(&birth);
        known.zip(object).is_some_and(|((node, filter), object)| {
            self.solver.set(*node).contains(*object) && self.filters.pass(*object, *filter)
        })
    }

    fn callees(&self, place: Place) -> &[MethodNo] {
        self.callees.get(&place).map_or(&[], Vec::as_slice)
    }
}

/// What is to be done for each object that comes to a node.
#[derive(Clone, Copy, Debug)]
enum Wait {
    /// What it holds in the variable goes there.
    Read(Holds, NodeNo),
    /// That gets into its variable.
    Write(Holds, NodeNo),
    /// The instruction calls a method of it.
    Call(Place),
}

/// What of an object holds others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holds {
    Field(FieldNo),
    /// Elements of arrays and containers, and all else that code which is not recorded may keep.
    Content,
}

struct Constraints<'c, 't> {
    code: &'c Code<'t>,
    hierarchy: &'c Hierarchy<'c>,
    summaries: Summaries,
    classes: BTreeMap<Birth, BTreeSet<&'c str>>,
    births: Vec<Birth>,
    objects: HashMap<Birth, ObjectNo>,
    first: Vec<NodeNo>,
    returns: NodeNo,
    statics: HashMap<FieldNo, NodeNo>,
    held: FxHashMap<(ObjectNo, Holds), NodeNo>,
    filters: Filters<'c>,
    /// Of parameters and results: what their declared types let through.
    declared: FxHashMap<NodeNo, FilterNo>,
    /// What fits into fields, and into the elements of arrays of a class.
    of_fields: FxHashMap<FieldNo, FilterNo>,
    of_elements: FxHashMap<ClassNo, FilterNo>,
    waits: Vec<Wait>,
    /// Functions that `invokedynamic` makes, and the methods that may be their bodies.
    functions: HashMap<ObjectNo, Vec<(MethodNo, usize)>>,
    callees: BTreeMap<Place, BTreeSet<MethodNo>>,
    linked: FxHashSet<(Place, MethodNo)>,
    outside: FxHashSet<Place>,
    /// By call: what runs on an object of a class, and on one of which nothing is known.
    runs: FxHashMap<(ClassNo, Place), Option<MethodNo>>,
    overriding: FxHashMap<Place, Rc<Vec<MethodNo>>>,
}

impl<'c, 't> Constraints<'c, 't> {
    fn new(
        code: &'c Code<'t>,
        hierarchy: &'c Hierarchy<'c>,
        births: &Births,
        gathered: &Gathered,
        solver: &mut Solver,
    ) -> Self {
        let count = code.program.methods().len();
        let methods = (0..count).map(MethodNo::from_index);
        let first = methods
            .map(|no| solver.make(code.values(no).born.len()))
            .collect();
        let returns = solver.make(count);
        let called = gathered.called.iter();
        Self {
            code,
            hierarchy,
            summaries: Summaries::default(),
            classes: classes_by_birth(code, births),
            births: Vec::new(),
            objects: HashMap::new(),
            first,
            returns,
            statics: HashMap::new(),
            held: FxHashMap::default(),
            filters: Filters::new(hierarchy),
            declared: FxHashMap::default(),
            of_fields: FxHashMap::default(),
            of_elements: FxHashMap::default(),
            waits: Vec::new(),
            functions: HashMap::new(),
            callees: called.map(|(at, all)| (*at, all.clone())).collect(),
            linked: FxHashSet::default(),
            outside: FxHashSet::default(),
            runs: FxHashMap::default(),
            overriding: FxHashMap::default(),
        }
    }

    fn solved(mut self, solver: Solver, gathered: &Gathered) -> Solved {
        let mut operands = FxHashMap::default();
        let code = self.code;
        for (method, body) in code.bodies() {
            for (at, instruction) in body.instructions.iter().enumerate() {
                let place = Place { method, at };
                for index in 0..code.values(method).operands[at].len() {
                    let Some(node) = self.operand(place, index) else {
                        continue;
                    };
                    let declared = declared_type(instruction, index);
                    let filter = declared.map_or(ALL, |class| self.filters.of(&class));
                    if filter != ALL {
                        self.filters.passing(solver.set(node), filter);
                    }
                    operands.insert((place, index), (node, filter));
                }
            }
        }
        debug_assert!(gathered.met.iter().all(|(birth, value)| {
            let node = self.node(value.method, value.value);
            (self.objects.get(birth)).is_some_and(|object| solver.set(node).contains(*object))
        }));
        let callees = self.callees.into_iter();
        Solved {
            solver,
            first: self.first,
            objects: self.objects,
            operands,
            filters: self.filters.into_passing(),
            callees: callees
                .map(|(place, all)| (place, all.into_iter().collect()))
                .collect(),
        }
    }

    fn node(&self, method: MethodNo, value: u32) -> NodeNo {
        self.first[method.index()] + value
    }

    fn operand(&self, place: Place, index: usize) -> Option<NodeNo> {
        let value = self.code.operand(place, index)?.value?;
        Some(self.node(place.method, value))
    }

    fn result(&self, place: Place) -> Option<NodeNo> {
        let value = self
            .code
            .values(place.method)
            .results
            .get(place.at)
            .copied()??;
        Some(self.node(place.method, value))
    }

    fn parameter(&self, method: MethodNo, index: usize) -> Option<NodeNo> {
        let value = self.code.values(method).parameter(index)?;
        Some(self.node(method, value))
    }

    fn object(&mut self, birth: Birth) -> ObjectNo {
        *self.objects.entry(birth).or_insert_with(|| {
            self.births.push(birth);
            let classes = self.classes.get(&birth);
            self.filters
                .add_object(classes.into_iter().flatten().copied());
            self.births.len() as ObjectNo - 1
        })
    }

    fn held(&mut self, object: ObjectNo, holds: Holds, solver: &mut Solver) -> NodeNo {
        *self
            .held
            .entry((object, holds))
            .or_insert_with(|| solver.node())
    }

    fn wait(&mut self, node: Option<NodeNo>, wait: Wait, solver: &mut Solver) {
        if let Some(node) = node {
            self.waits.push(wait);
            solver.then(node, self.waits.len() as u32 - 1, self);
        }
    }

    fn arrow(&mut self, from: Option<NodeNo>, to: Option<NodeNo>, solver: &mut Solver) {
        if let (Some(from), Some(to)) = (from, to) {
            let filter = self.declared.get(&to).copied().unwrap_or(ALL);
            solver.arrow(from, to, filter, self);
        }
    }

    fn generate(&mut self, gathered: &Gathered, solver: &mut Solver) {
        let code = self.code;
        for (method, body) in code.bodies() {
            for &(from, to) in &code.values(method).meetings {
                let (from, to) = (self.node(method, from), self.node(method, to));
                solver.arrow(from, to, ALL, self);
            }
            for (at, instruction) in body.instructions.iter().enumerate() {
                self.instruction(Place { method, at }, instruction, solver);
            }
        }
        let known: Vec<Birth> = self.classes.keys().copied().collect();
        for birth in known {
            let object = self.object(birth);
            solver.put(self.node(birth.method, birth.value), object);
        }
        for (birth, value) in &gathered.met {
            let object = self.object(*birth);
            solver.put(self.node(value.method, value.value), object);
        }
    }

    /// What nothing is known to call may be called all the same, by code that is not recorded: on any object of its class.
    fn called_from_outside(&mut self, solver: &mut Solver) {
        let code = self.code;
        for (method, body) in code.bodies() {
            let described = code.method(method);
            let parsed = MethodType::parse(&described.desc);
            let is_static = parsed.is_ok_and(|p| p.params.len() == body.parameters.len());
            let this = self.parameter(method, 0).filter(|_| !is_static);
            let Some(this) = this.filter(|this| solver.set(*this).is_empty()) else {
                continue;
            };
            for (no, birth) in (0..).zip(&self.births) {
                let classes = self.classes.get(birth).into_iter().flatten();
                let mut fits =
                    classes.map(|class| self.hierarchy.is_below(class, &described.owner));
                if fits.any(|fits| fits) {
                    solver.put(this, no);
                }
            }
        }
    }

    fn instruction(&mut self, place: Place, instruction: &Instruction, solver: &mut Solver) {
        let operand = |index| self.operand(place, index);
        let (one, two, three) = (operand(0), operand(1), operand(2));
        let result = self.result(place);
        match (instruction.effect.access, instruction.opcode) {
            (Access::GetField(_), _) => {
                if let (Some(field), Some(to)) = (instruction.field, result) {
                    self.wait(one, Wait::Read(Holds::Field(field), to), solver);
                }
            }
            (Access::PutField(_), _) => {
                if let (Some(field), Some(from)) = (instruction.field, two) {
                    self.wait(one, Wait::Write(Holds::Field(field), from), solver);
                }
            }
            (Access::GetStatic(_) | Access::PutStatic(_), _) => {
                let Some(field) = instruction.field else {
                    return;
                };
                let node = *self.statics.entry(field).or_insert_with(|| solver.node());
                match result {
                    Some(_) => self.arrow(Some(node), result, solver),
                    None => self.arrow(one, Some(node), solver),
                }
            }
            (Access::ArrayLoad, opcode::AALOAD) => {
                if let Some(to) = result {
                    self.wait(one, Wait::Read(Holds::Content, to), solver);
                }
            }
            (Access::ArrayStore, opcode::AASTORE) => {
                if let Some(from) = three {
                    self.wait(one, Wait::Write(Holds::Content, from), solver);
                }
            }
            (Access::Allocate, _) => self.allocate(place, instruction, solver),
            (Access::Return, opcode::ARETURN) => {
                let to = self.returns + place.method.index() as NodeNo;
                self.arrow(one, Some(to), solver);
            }
            (Access::Invoke(_), _) => self.call(place, instruction, solver),
            (_, opcode::CHECKCAST) => {
                let class = match &instruction.constant {
                    Constant::Class(class) => Rc::clone(class),
                    _ => "java/lang/Object".into(),
                };
                let filter = self.filters.of(&class);
                if let (Some(from), Some(to)) = (one, result) {
                    solver.arrow(from, to, filter, self);
                }
            }
            _ => {}
        }
    }

    fn allocate(&mut self, place: Place, instruction: &Instruction, solver: &mut Solver) {
        let Some(value) = self.code.values(place.method).results[place.at] else {
            return;
        };
        let birth = Birth {
            method: place.method,
            value,
        };
        let object = self.object(birth);
        solver.put(self.node(place.method, value), object);
        if instruction.opcode == opcode::MULTIANEWARRAY {
            // Its elements are arrays, born at the same place.
            let content = self.held(object, Holds::Content, solver);
            solver.put(content, object);
        }
    }

    fn call(&mut self, place: Place, instruction: &Instruction, solver: &mut Solver) {
        let Some(target) = instruction.target.clone() else {
            return;
        };
        match instruction.opcode {
            opcode::INVOKEDYNAMIC => self.function(place, &target, solver),
            opcode::INVOKESTATIC | opcode::INVOKESPECIAL => {
                match self.hierarchy.declared(&target) {
                    Some(callee) => {
                        self.link(place, callee, solver);
                        if Code::receivers(instruction) == 1 {
                            let (from, to) = (self.operand(place, 0), self.parameter(callee, 0));
                            self.arrow(from, to, solver);
                        }
                    }
                    None => self.not_recorded(place, &target, solver),
                }
            }
            _ => {
                if !self.hierarchy.is_recorded(&target.owner) {
                    self.not_recorded(place, &target, solver);
                }
                let receiver = self.operand(place, 0);
                self.wait(receiver, Wait::Call(place), solver);
            }
        }
    }

    /// The instruction may call this method: arguments and result.
    fn link(&mut self, place: Place, callee: MethodNo, solver: &mut Solver) {
        if !self.linked.insert((place, callee)) {
            return;
        }
        self.callees.entry(place).or_default().insert(callee);
        let instruction = self.code.instruction(place);
        let first = instruction.map_or(0, Code::receivers);
        let count = self.code.values(place.method).operands[place.at].len();
        for index in first..count {
            let (from, to) = (self.operand(place, index), self.parameter(callee, index));
            self.arrow(from, to, solver);
        }
        let given = self.returns + callee.index() as NodeNo;
        self.arrow(Some(given), self.result(place), solver);
    }

    /// `invokedynamic` makes a function, or something else.
    fn function(&mut self, place: Place, target: &MemberRef, solver: &mut Solver) {
        let (Some(result), Ok(parsed)) = (self.result(place), MethodType::parse(&target.desc))
        else {
            return;
        };
        let gives = parsed.result.as_ref().and_then(|r| class_of(r.desc()));
        if gives.is_none_or(|class| is_value(&class)) {
            return;
        }
        let value = result - self.first[place.method.index()];
        let object = self.object(Birth {
            method: place.method,
            value,
        });
        solver.put(result, object);
        let body = self.code.dynamic(place).and_then(|d| d.body.as_ref());
        let recorded = body.map(|(member, makes)| {
            // Where it is called on an object that is given, any override may run.
            let mut all = self.hierarchy.overriding(member);
            all.extend(self.hierarchy.declared(member));
            all.sort_unstable();
            all.dedup();
            (all, usize::from(*makes))
        });
        let Some((bodies, makes)) = recorded.filter(|(bodies, _)| !bodies.is_empty()) else {
            return;
        };
        let given = parsed.params.len();
        for body in &bodies {
            self.callees.entry(place).or_default().insert(*body);
            for index in 0..given {
                let (from, to) = (
                    self.operand(place, index),
                    self.parameter(*body, index + makes),
                );
                self.arrow(from, to, solver);
            }
        }
        let bodies = bodies.into_iter().map(|body| (body, given + makes));
        self.functions.insert(object, bodies.collect());
    }

    /// The instruction calls a method of an object.
    fn call_of(&mut self, place: Place, object: ObjectNo, solver: &mut Solver) {
        let Some(target) = self
            .code
            .instruction(place)
            .and_then(|i| i.target.as_deref())
        else {
            return;
        };
        if let Some(bodies) = self.functions.get(&object).cloned() {
            for (body, given) in bodies {
                self.call_function(place, body, given, solver);
            }
            return;
        }
        let classes = Rc::clone(self.filters.classes(object));
        let mut others = classes.is_empty();
        if others {
            let known = self.overriding.entry(place);
            let all = known.or_insert_with(|| Rc::new(self.hierarchy.overriding(target)));
            for callee in Rc::clone(all).iter() {
                self.call_on(place, *callee, object, solver);
            }
        }
        for &class in classes.iter() {
            let known = self.runs.entry((class, place));
            let name = self.filters.class(class);
            match *known.or_insert_with(|| self.hierarchy.runs(name, target)) {
                Some(callee) => self.call_on(place, callee, object, solver),
                None => others = true,
            }
        }
        if others {
            self.not_recorded(place, target, solver);
        }
    }

    /// The instruction calls this method on an object.
    fn call_on(&mut self, place: Place, callee: MethodNo, object: ObjectNo, solver: &mut Solver) {
        self.link(place, callee, solver);
        if let Some(this) = self.parameter(callee, 0) {
            solver.put(this, object);
        }
    }

    fn call_function(&mut self, place: Place, body: MethodNo, given: usize, solver: &mut Solver) {
        if !self.linked.insert((place, body)) {
            return;
        }
        self.callees.entry(place).or_default().insert(body);
        let count = self.code.values(place.method).operands[place.at].len();
        for index in 1..count {
            let to = self.parameter(body, given + index - 1);
            self.arrow(self.operand(place, index), to, solver);
        }
        let returned = self.returns + body.index() as NodeNo;
        self.arrow(Some(returned), self.result(place), solver);
    }
}

impl Rules for Constraints<'_, '_> {
    fn passing(&mut self, objects: &Bits, filter: FilterNo) -> &Bits {
        self.filters.passing(objects, filter)
    }

    fn came(&mut self, solver: &mut Solver, what: u32, object: ObjectNo) {
        match self.waits[what as usize] {
            Wait::Read(holds, to) => {
                let node = self.held(object, holds, solver);
                solver.arrow(node, to, ALL, self);
            }
            Wait::Write(holds, from) => {
                let node = self.held(object, holds, solver);
                let filter = self.variable(object, holds);
                solver.arrow(from, node, filter, self);
            }
            Wait::Call(place) => self.call_of(place, object, solver),
        }
    }
}
