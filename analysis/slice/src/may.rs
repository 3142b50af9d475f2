//! What might have been defined had a branch gone another way, or a call called another method (Wang 2007, Section 4.3: may-define
//! sets). Objects are distinguished by class hierarchy and type alone: any object whose class has the field, any array of the type.
//!
//! The methods of which the trace has code are looked into. A call of unrecorded code does to its arguments what [`super::summaries`]
//! says. What that code would have called back is left out.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use jinsi_classfile::bits::Bits;
use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::effect::Access;
use jinsi_classfile::opcode;
use jinsi_trace::model::MemberRef;
use jinsi_trace::reader::Trace;
use rustc_hash::FxHashMap;

use super::kinds::Kinds;
use super::summaries::Summaries;
use jinsi_steps::classes::Hierarchy;
use jinsi_steps::code::{Body, Instruction, MethodNo, Program};

/// Variables that may be defined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct May {
    /// Slots of local variables.
    pub locals: BTreeSet<u16>,
    /// Fields, static ones among them.
    pub fields: Bits,
    /// What else objects hold.
    pub kinds: Kinds,
}

impl May {
    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.locals.is_empty() && self.fields.is_empty() && self.kinds == Kinds::NONE
    }

    /// Adds what a method may define that is called; was there anything new?
    fn add_callee(&mut self, callee: &May) -> bool {
        let kinds = self.kinds;
        self.kinds = kinds.with(callee.kinds);
        self.fields.add_all(&callee.fields) || self.kinds != kinds
    }
}

/// By branch and where it went.
type Outcomes = FxHashMap<(MethodNo, BlockNo, Option<BlockNo>), Option<Rc<May>>>;
/// By call instruction.
type Dispatches = FxHashMap<(MethodNo, usize), Option<Rc<Dispatch>>>;

/// What a call instruction may call, if that is chosen when it runs.
#[derive(Debug)]
pub struct Dispatch {
    /// The methods that may define anything.
    pub methods: Vec<MethodNo>,
    /// What any of them may define.
    pub any: May,
}

/// The sets of a program, made when they are asked for.
pub struct MayDefine<'p> {
    program: &'p Program,
    summaries: Summaries,
    hierarchy: Hierarchy<'p>,
    /// By method: what a call of it may define.
    methods: Vec<May>,
    outcomes: RefCell<Outcomes>,
    /// By method: what might have been defined had any of its branches gone another way, and more.
    branches: RefCell<FxHashMap<MethodNo, Rc<May>>>,
    /// By member: the methods that a call of it on an object may run.
    virtual_calls: RefCell<HashMap<MemberRef, Rc<Vec<MethodNo>>>>,
    /// By call instruction: methods that it may call which define anything, if it can be more than one.
    dispatched: RefCell<Dispatches>,
}

impl<'p> MayDefine<'p> {
    /// Of all methods in `trace` whose code is known.
    pub fn of(trace: &'p Trace, program: &'p Program) -> Self {
        let mut may = Self {
            program,
            summaries: Summaries::default(),
            hierarchy: Hierarchy::of(trace, program),
            methods: vec![May::default(); program.methods().len()],
            outcomes: RefCell::default(),
            branches: RefCell::default(),
            virtual_calls: RefCell::default(),
            dispatched: RefCell::default(),
        };
        may.solve();
        may
    }

    /// What methods may define, calls included: the least sets that fit their code.
    fn solve(&mut self) {
        let mut calls: Vec<Vec<MethodNo>> = Vec::new();
        for (no, method) in self.program.methods().iter().enumerate() {
            let mut may = May::default();
            let mut called = BTreeSet::new();
            if let Some(body) = &method.body {
                for instruction in &body.instructions {
                    // What a constructor puts into its own object was not there before.
                    if !(method.name == "<init>" && instruction.own) {
                        self.add_own(&mut may, instruction);
                    }
                    called.extend(self.candidates(instruction).iter());
                }
            }
            may.locals.clear();
            self.methods[no] = may;
            calls.push(called.into_iter().collect());
        }
        let mut callers = vec![Vec::new(); calls.len()];
        for (no, called) in calls.iter().enumerate() {
            for &callee in called {
                callers[callee.index()].push(MethodNo::from_index(no));
            }
        }
        let mut pending: BTreeSet<MethodNo> = MethodNo::first(calls.len()).collect();
        while let Some(no) = pending.pop_first() {
            let callee = self.methods[no.index()].clone();
            for &caller in &callers[no.index()] {
                if self.methods[caller.index()].add_callee(&callee) {
                    pending.insert(caller);
                }
            }
        }
    }

    /// What an instruction defines itself.
    fn add_own(&self, may: &mut May, instruction: &Instruction) {
        match instruction.effect.access {
            Access::Store(slot) | Access::Increment(slot) => {
                may.locals.insert(slot);
            }
            Access::PutField(_) | Access::PutStatic(_) => {
                if let Some(field) = instruction.field {
                    may.fields.insert(field.get());
                }
            }
            Access::ArrayStore => {
                may.kinds = may.kinds.with(Kinds::of_element(instruction.opcode));
            }
            Access::Invoke(_) => {
                if let Some(target) = instruction.target.as_deref() {
                    may.kinds = may.kinds.with(self.unrecorded(instruction, target));
                }
            }
            _ => {}
        }
    }

    /// What the call may change if what it calls is not recorded.
    fn unrecorded(&self, instruction: &Instruction, target: &MemberRef) -> Kinds {
        let dynamic = instruction.opcode == opcode::INVOKEDYNAMIC;
        if dynamic || self.hierarchy.is_recorded(&target.owner) {
            return Kinds::NONE;
        }
        let summary = self.summaries.of(target, dynamic);
        let copies = target.owner == "java/lang/System" && target.name == "arraycopy";
        let mut kinds = Kinds::NONE;
        let has_receiver = instruction.opcode != opcode::INVOKESTATIC && target.name != "<init>";
        if has_receiver && summary.receiver {
            kinds = kinds.with(Kinds::of_class(&target.owner));
        }
        if summary.arguments || copies {
            let parsed = MethodType::parse(&target.desc);
            let params = parsed.iter().flat_map(|method| &method.params);
            kinds = params.fold(kinds, |kinds, param| {
                kinds.with(Kinds::of_type(param.desc()))
            });
        }
        kinds
    }

    /// The methods with known code that an instruction may call.
    fn candidates(&self, instruction: &Instruction) -> Rc<Vec<MethodNo>> {
        match (instruction.target.as_deref(), instruction.opcode) {
            (None, _) | (_, opcode::INVOKEDYNAMIC) => Rc::default(),
            (Some(target), opcode::INVOKESTATIC | opcode::INVOKESPECIAL) => {
                Rc::new(self.hierarchy.declared(target).into_iter().collect())
            }
            (Some(target), _) => {
                let mut known = self.virtual_calls.borrow_mut();
                if let Some(methods) = known.get(target) {
                    return Rc::clone(methods);
                }
                let methods = Rc::new(self.hierarchy.overriding(target));
                known.insert(target.clone(), Rc::clone(&methods));
                methods
            }
        }
    }

    /// What might have been defined, had the branch at the end of `block` not gone to `went` (`None`: that is not known). `None` if
    /// nothing.
    pub fn otherwise(
        &self,
        method: MethodNo,
        body: &Body,
        block: BlockNo,
        went: Option<BlockNo>,
    ) -> Option<Rc<May>> {
        if let Some(known) = self.outcomes.borrow().get(&(method, block, went)) {
            return known.clone();
        }
        let mut may = May::default();
        let mut blocks = Bits::default();
        for &to in &body.cfg.block(block).successors {
            if Some(to) != went {
                blocks.add_all(&body.control.reached_by(block, to));
            }
        }
        for no in blocks.iter() {
            let block = body.cfg.block(no);
            for instruction in &body.instructions[block.first..=block.last] {
                self.add_defined(&mut may, instruction);
            }
        }
        let may = Some(may).filter(|may| !may.is_empty()).map(Rc::new);
        let mut outcomes = self.outcomes.borrow_mut();
        outcomes.insert((method, block, went), may.clone());
        may
    }

    /// All that [`Self::otherwise`] may say of branches of this method is in here.
    pub fn of_branches(&self, method: MethodNo, body: &Body) -> Rc<May> {
        if let Some(known) = self.branches.borrow().get(&method) {
            return Rc::clone(known);
        }
        let mut may = May::default();
        for instruction in &body.instructions {
            self.add_defined(&mut may, instruction);
        }
        let may = Rc::new(may);
        (self.branches.borrow_mut()).insert(method, Rc::clone(&may));
        may
    }

    /// What an instruction defines, with what it calls.
    fn add_defined(&self, may: &mut May, instruction: &Instruction) {
        self.add_own(may, instruction);
        for &callee in self.candidates(instruction).iter() {
            may.add_callee(&self.methods[callee.index()]);
        }
    }

    /// The methods that the call instruction `at` might have called instead, if there are any.
    pub fn dispatched(
        &self,
        method: MethodNo,
        at: usize,
        instruction: &Instruction,
    ) -> Option<Rc<Dispatch>> {
        if let Some(known) = self.dispatched.borrow().get(&(method, at)) {
            return known.clone();
        }
        let chosen = matches!(
            instruction.opcode,
            opcode::INVOKEVIRTUAL | opcode::INVOKEINTERFACE
        );
        let candidates = Some(self.candidates(instruction)).filter(|_| chosen);
        let defines = |no: &MethodNo| !self.methods[no.index()].is_empty();
        let all = candidates.map(|all| all.iter().copied().filter(defines).collect::<Vec<_>>());
        let all = all.filter(|all| !all.is_empty()).map(|methods| {
            let mut any = May::default();
            for callee in &methods {
                any.add_callee(self.called(*callee));
            }
            Rc::new(Dispatch { methods, any })
        });
        let mut dispatched = self.dispatched.borrow_mut();
        dispatched.insert((method, at), all.clone());
        all
    }

    /// What a call of this method may define.
    pub fn called(&self, method: MethodNo) -> &May {
        &self.methods[method.index()]
    }
}
