//! What the slicer needs to know of the recorded program's code: methods by site, their control flow, and what each instruction uses
//! and defines.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use jinsi_classfile::ACC_BRIDGE;
use jinsi_classfile::ClassFile;
use jinsi_classfile::bits::Bits;
use jinsi_classfile::bridges::Bridges;
use jinsi_classfile::cfg::control::ControlDependence;
use jinsi_classfile::cfg::paths::{Paths, Segment};
use jinsi_classfile::cfg::{BlockNo, Cfg};
use jinsi_classfile::class::Member;
use jinsi_classfile::code::{Code, line_at};
use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::effect::{self, Access, Effect, StackEffect};
use jinsi_classfile::flow::{self, Flow, State};
use jinsi_classfile::insn::{self, Insn};
use jinsi_classfile::opcode;
use jinsi_trace::model::{ClassNo, EventKind, MemberRef, Site, SiteNo, Value};
use jinsi_trace::reader::Trace;
use rustc_hash::FxHashMap;

use super::access::is_access;
use super::constant;
pub use super::fields::FieldNo;
use super::fields::Fields;
pub use super::variables::Variable;
use super::variables::variables;

jinsi_trace::number! {
    /// Number of a method among those of the trace.
    pub struct MethodNo;
}

/// What an instruction has beside its opcode, save members and jumps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Constant {
    /// Nothing.
    #[default]
    Nothing,
    /// A number: the value of `bipush`, the step of `iinc`, the type of `newarray`.
    Number(i32),
    /// A value that it leaves.
    Value(Value),
    /// A class that it names, by its internal name, or an array's descriptor.
    Class(Rc<str>),
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Bytecode index.
    pub bci: u32,
    /// Opcode.
    pub opcode: u8,
    /// Source line, 0 if unknown.
    pub line: u16,
    /// What it uses and defines.
    pub effect: Effect,
    /// Values on the operand stack before it.
    pub depth: u16,
    /// Is it an access to a field of the object whose method it is, by the reference the method began with?
    pub own: bool,
    /// Is there a site of it, other than of paths: does it make events?
    pub has_events: bool,
    /// Has its value an event of its own ([`EventKind::Given`])?
    pub given: bool,
    /// What stands in the code beside the opcode.
    pub constant: Constant,
    /// The field that it accesses.
    pub field: Option<FieldNo>,
    /// The member that it calls.
    pub target: Option<Rc<MemberRef>>,
    /// Number of the name and descriptor that it calls; 0: it calls none.
    pub(super) signature: u32,
    /// Does it call a constructor?
    pub(super) constructs: bool,
    /// It neither calls anything nor accesses memory other than local variables, nor can it initialize a class.
    pub(super) plain: bool,
}

/// The code of a method, as far as slicing goes.
#[derive(Debug)]
pub struct Body {
    /// Its instructions; unreachable ones have no effect.
    pub instructions: Vec<Instruction>,
    /// Its control flow.
    pub cfg: Cfg,
    /// What depends on which branch.
    pub control: ControlDependence,
    /// The numbers of its paths.
    pub paths: Paths,
    /// Slots of receiver (if any) and parameters.
    pub parameters: Vec<u16>,
    /// Has it a receiver?
    pub is_of_object: bool,
    /// Has the compiler made it, so that another can be called by an older descriptor? Its line is that of the class.
    pub is_bridge: bool,
    /// Variables of the source, if the class file has them.
    pub variables: Vec<Variable>,
    /// Bytes of code.
    pub end: u32,
    /// Does it access fields of the object whose method it is? Then the events of its ends name that object.
    pub names_this: bool,
    /// Of each instruction that is plain: the first of those that are, up to it, in its block.
    pub(super) plain_from: Vec<u32>,
    /// Those with small numbers, and the others.
    segments: RefCell<Vec<Option<Rc<Segment>>>>,
    rare_segments: RefCell<FxHashMap<u32, Option<Rc<Segment>>>>,
    thrown: RefCell<FxHashMap<(BlockNo, BlockNo), Rc<Bits>>>,
}

/// Numbers of paths below this are found by their place.
const SMALL: u32 = 1 << 10;

impl Body {
    /// The segment with this number.
    pub fn segment(&self, number: u32) -> Option<Rc<Segment>> {
        let make = || self.paths.segment(&self.cfg, number).map(Rc::new);
        if number >= SMALL {
            let mut segments = self.rare_segments.borrow_mut();
            return segments.entry(number).or_insert_with(make).clone();
        }
        let mut segments = self.segments.borrow_mut();
        let at = number as usize;
        if segments.len() <= at {
            segments.resize(at + 1, None);
        }
        if segments[at].is_none() {
            segments[at] = make();
        }
        segments[at].clone()
    }

    /// The blocks that ran because an exception went from block `from` to `handler`.
    pub fn on_throw(&self, from: BlockNo, handler: BlockNo) -> Rc<Bits> {
        let mut thrown = self.thrown.borrow_mut();
        let known = thrown.entry((from, handler));
        Rc::clone(known.or_insert_with(|| Rc::new(self.control.on_throw(from, handler))))
    }

    /// Index of the instruction at this bytecode index.
    pub fn at(&self, bci: u32) -> Option<usize> {
        (self.instructions)
            .binary_search_by_key(&bci, |i| i.bci)
            .ok()
    }
}

/// A method of the recorded program.
#[derive(Debug)]
pub struct Method {
    /// Number of its class.
    pub class: ClassNo,
    /// Internal name of its class.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub desc: String,
    /// Source file, if known.
    pub file: Option<String>,
    /// Its code, if its control flow was recorded.
    pub body: Option<Rc<Body>>,
    /// Number of its name and descriptor.
    pub(super) signature: u32,
    /// Is it a class initializer?
    pub(super) initializes: bool,
}

/// What an event's site says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Kind of the event.
    pub kind: EventKind,
    /// Whose code it is; `None` if code outside.
    pub method: Option<MethodNo>,
    /// Bytecode index.
    pub bci: u32,
}

/// All methods of a trace that have sites.
#[derive(Debug)]
pub struct Program {
    methods: Vec<Rc<Method>>,
    /// By number of site.
    places: Vec<Option<Place>>,
    fields: RefCell<Fields>,
    /// Names and descriptors of methods, by number, from 1 on.
    signatures: RefCell<HashMap<(String, String), u32>>,
}

impl Program {
    /// The methods of `trace`. Code that cannot be analyzed counts as not recorded.
    pub fn of(trace: &Trace) -> Self {
        let mut numbers: HashMap<(ClassNo, &str, &str), MethodNo> = HashMap::new();
        let mut sites: Vec<Vec<&Site>> = Vec::new();
        let mut places = Vec::new();
        for site in trace.sites() {
            let index = site.no.get() as usize;
            if places.len() <= index {
                places.resize(index + 1, None);
            }
            let place = Place {
                kind: site.kind,
                method: None,
                bci: u32::from(site.bci),
            };
            places[index] = Some(place);
            if site.outside {
                continue;
            }
            let key = (site.class, site.method.as_str(), site.desc.as_str());
            let no = *numbers.entry(key).or_insert_with(|| {
                sites.push(Vec::new());
                MethodNo::from_index(sites.len() - 1)
            });
            sites[no.index()].push(site);
            places[index] = Some(Place {
                method: Some(no),
                ..place
            });
        }
        let mut program = Self {
            methods: Vec::new(),
            places,
            fields: RefCell::default(),
            signatures: RefCell::default(),
        };
        let mut classes: HashMap<ClassNo, Option<ClassFile>> = HashMap::new();
        for sites in &sites {
            let method = program.method(trace, sites, &mut classes);
            program.methods.push(Rc::new(method));
        }
        program
    }

    fn method(
        &self,
        trace: &Trace,
        sites: &[&Site],
        classes: &mut HashMap<ClassNo, Option<ClassFile>>,
    ) -> Method {
        let first = sites[0];
        let class = trace.class(first.class);
        let mut method = Method {
            class: first.class,
            owner: class.map(|c| c.name.clone()).unwrap_or_default(),
            name: first.method.to_string(),
            desc: first.desc.to_string(),
            file: class.and_then(|c| c.source_file.clone()),
            body: None,
            signature: self.signature(&first.method, &first.desc),
            initializes: first.method == "<clinit>",
        };
        if !sites.iter().any(|site| site.stepwise) {
            return method;
        }
        let parsed = classes.entry(first.class).or_insert_with(|| {
            let class = class.filter(|c| !c.bytes.is_empty())?;
            ClassFile::parse(&class.bytes).ok()
        });
        if let Some(file) = parsed {
            method.body = Reading {
                trace,
                file,
                program: self,
            }
            .body(sites)
            .map(Rc::new);
        }
        method
    }

    /// What the site with this number says; `None` if there is none.
    pub fn place(&self, site: SiteNo) -> Option<Place> {
        self.places.get(site.get() as usize).copied().flatten()
    }

    /// Method `no`, which must be one.
    pub fn get(&self, no: MethodNo) -> &Rc<Method> {
        &self.methods[no.index()]
    }

    /// The method with this number, if there is one.
    pub fn method_at(&self, number: u64) -> Option<MethodNo> {
        let index = usize::try_from(number).ok()?;
        (index < self.methods.len()).then(|| MethodNo::from_index(index))
    }

    /// Numbers the fields of all sites, in the order of the sites. Whoever does that first of all has the same numbers each time, also in another
    /// process.
    pub fn number_fields(&self, trace: &Trace) {
        for site in trace.sites() {
            use EventKind::{GetField, GetStatic, PutField, PutStatic};
            if matches!(site.kind, GetField | PutField | GetStatic | PutStatic) {
                self.field_at(trace, site.no);
            }
        }
    }

    /// All methods, by number.
    pub fn methods(&self) -> &[Rc<Method>] {
        &self.methods
    }

    /// The `super(…)` or `this(…)` of a constructor whose instructions are known: method, its code, and which instruction.
    pub(super) fn own_constructor_call(
        &self,
        constructor: &MemberRef,
    ) -> Option<(MethodNo, Rc<Body>, usize)> {
        if constructor.name != "<init>" {
            return None;
        }
        let is_it = |method: &&Rc<Method>| {
            method.name == constructor.name
                && method.desc == constructor.desc
                && method.owner == constructor.owner
        };
        let no = self.methods.iter().position(|method| is_it(&method))?;
        let body = Rc::clone(self.methods[no].body.as_ref()?);
        let calls = body.instructions.iter().enumerate().filter(|(_, i)| {
            i.own && (i.target.as_ref()).is_some_and(|target| target.name == "<init>")
        });
        let calls: Vec<usize> = calls.map(|(at, _)| at).collect();
        match calls.as_slice() {
            &[only] => Some((MethodNo::from_index(no), body, only)),
            _ => None,
        }
    }

    /// Does the constructor `called` construct its object by `super(…)` or `this(…)` calls that lead to `nested`?
    pub(super) fn constructs_by(&self, called: &MemberRef, nested: &Method) -> bool {
        let mut at = called.clone();
        // Constructors that call each other in a circle do not compile, but may be in a class file.
        for _ in 0..self.methods.len() {
            let Some((_, body, call)) = self.own_constructor_call(&at) else {
                return false;
            };
            let Some(target) = &body.instructions[call].target else {
                return false;
            };
            if target.owner == nested.owner && target.desc == nested.desc {
                return true;
            }
            at = MemberRef::clone(target);
        }
        false
    }

    /// The field that an instruction or site names so.
    pub fn field(&self, trace: &Trace, member: &MemberRef) -> FieldNo {
        self.fields.borrow_mut().number(trace, member)
    }

    /// The field that is accessed at a site; `None` if there is no such site.
    pub fn field_at(&self, trace: &Trace, site: SiteNo) -> Option<FieldNo> {
        self.fields.borrow_mut().at(trace, site)
    }

    /// The number of a method's name and descriptor.
    fn signature(&self, name: &str, desc: &str) -> u32 {
        let mut known = self.signatures.borrow_mut();
        let next = known.len() as u32 + 1;
        *known
            .entry((name.to_owned(), desc.to_owned()))
            .or_insert(next)
    }

    /// Descriptor of a field.
    pub fn field_desc(&self, no: FieldNo) -> String {
        self.fields.borrow().desc(no).to_owned()
    }

    /// Name of a field.
    pub fn field_name(&self, no: FieldNo) -> String {
        self.fields.borrow().name(no).to_owned()
    }
}

/// Reads the code of a class.
struct Reading<'a> {
    trace: &'a Trace,
    file: &'a ClassFile,
    program: &'a Program,
}

impl Reading<'_> {
    fn body(&self, sites: &[&Site]) -> Option<Body> {
        let pool = &self.file.pool;
        let index = self.file.find_method(&sites[0].method, &sites[0].desc)?;
        let member = &self.file.methods[index];
        let code = member.code(pool).ok()??;
        let insns = insn::decode(&code.bytes).ok()?;
        let bridges = Bridges::of(self.file).ok()?;
        let flow = flow::analyze_insns(self.file, member, &code, &insns).ok()?;
        let cfg = Cfg::new(&insns, &code.handlers).ok()?;
        let instructions = self.instructions(&code, (&insns, &bridges), &flow, sites)?;
        Some(Body {
            names_this: instructions.iter().any(|i| {
                i.own && matches!(i.effect.access, Access::GetField(_) | Access::PutField(_))
            }),
            plain_from: plain_from(&instructions, &cfg),
            instructions,
            control: ControlDependence::of(&cfg),
            paths: Paths::of(&cfg),
            cfg,
            parameters: self.parameters(member)?,
            is_of_object: !member.is_static(),
            is_bridge: member.access & ACC_BRIDGE != 0,
            variables: variables(&code, self.file),
            end: code.bytes.len() as u32,
            segments: RefCell::default(),
            rare_segments: RefCell::default(),
            thrown: RefCell::default(),
        })
    }

    fn instructions(
        &self,
        code: &Code,
        (insns, bridges): (&[Insn<'_>], &Bridges),
        flow: &Flow,
        sites: &[&Site],
    ) -> Option<Vec<Instruction>> {
        let lines = code.lines(&self.file.pool);
        let eventful: std::collections::HashSet<u32> = sites
            .iter()
            .filter(|site| {
                use EventKind::{Catch, Enter, Exit, ExitThrow, Given, Path};
                !matches!(site.kind, Enter | Exit | ExitThrow | Catch | Path | Given)
            })
            .map(|site| u32::from(site.bci))
            .collect();
        let given = sites.iter().filter(|site| site.kind == EventKind::Given);
        let given: std::collections::HashSet<u32> = given.map(|site| u32::from(site.bci)).collect();
        let all = insns.iter().map(|encoded| {
            // Of a replay that was recorded: what was there before a bridge took its place.
            let insn = &bridges.original(encoded);
            let unreachable = Instruction {
                bci: insn.offset,
                opcode: insn.opcode,
                line: line_at(&lines, insn.offset).unwrap_or(0),
                effect: Effect {
                    stack: StackEffect::Compute {
                        pops: 0,
                        pushes: false,
                    },
                    access: Access::None,
                },
                depth: 0,
                own: false,
                has_events: eventful.contains(&insn.offset),
                given: given.contains(&insn.offset),
                constant: Constant::Nothing,
                field: None,
                target: None,
                signature: 0,
                constructs: false,
                plain: true,
            };
            match flow.at(insn.offset) {
                Some(state) => self.reached(unreachable, (encoded, insn), state, flow),
                None => Some(unreachable),
            }
        });
        all.collect()
    }

    /// The instruction, as it is when it is reached with this state; `encoded` is what stands in its place.
    fn reached(
        &self,
        mut instruction: Instruction,
        (encoded, insn): (&Insn<'_>, &Insn<'_>),
        state: State<'_>,
        flow: &Flow,
    ) -> Option<Instruction> {
        let receiver = flow.receiver(insn.offset);
        instruction.own = matches!(receiver, Some(flow::Value::This | flow::Value::UninitThis));
        // The bridge of a constructor leaves the object, instead of initializing one that is there.
        let constructs = encoded.opcode == opcode::INVOKESTATIC && self.is_constructor(insn);
        let moves = if constructs { encoded } else { insn };
        instruction.effect = effect::effect(moves, &self.file.pool, state).ok()?;
        if constructs {
            instruction.effect.access = Access::Invoke(insn.pool_index()?);
        }
        instruction.depth = state.stack.len() as u16;
        self.name_member(&mut instruction)?;
        let access = instruction.effect.access;
        instruction.constant = self.constant(insn);
        instruction.plain = !(instruction.given
            || is_access(access)
            || matches!(access, Access::Invoke(_) | Access::Allocate));
        Some(instruction)
    }

    fn constant(&self, insn: &Insn<'_>) -> Constant {
        let pool = &self.file.pool;
        let Some(index) = insn.pool_index() else {
            return insn.immediate().map_or(Constant::Nothing, Constant::Number);
        };
        match insn.opcode {
            opcode::LDC..=opcode::LDC2_W => {
                let value = constant::value(pool, index, self.trace);
                value.map_or(Constant::Nothing, Constant::Value)
            }
            opcode::NEW | opcode::ANEWARRAY | opcode::MULTIANEWARRAY | opcode::CHECKCAST => {
                let name = pool.class_name(index);
                name.map_or(Constant::Nothing, |name| Constant::Class(name.into()))
            }
            _ => Constant::Nothing,
        }
    }

    fn is_constructor(&self, call: &Insn<'_>) -> bool {
        let target = (call.pool_index()).filter(|_| call.opcode == opcode::INVOKESPECIAL);
        target
            .and_then(|index| self.file.pool.member_ref(index).ok())
            .is_some_and(|target| target.name == "<init>")
    }

    fn name_member(&self, instruction: &mut Instruction) -> Option<()> {
        let pool = &self.file.pool;
        match instruction.effect.access {
            Access::GetField(index)
            | Access::PutField(index)
            | Access::GetStatic(index)
            | Access::PutStatic(index) => {
                let member = self.member(index)?;
                instruction.field = Some(self.program.field(self.trace, &member));
            }
            Access::Invoke(index) => {
                let target = match pool.invoke_dynamic(index) {
                    Ok(site) => MemberRef {
                        owner: "".into(),
                        name: site.name.into(),
                        desc: site.desc.into(),
                    },
                    Err(_) => self.member(index)?,
                };
                instruction.signature = self.program.signature(&target.name, &target.desc);
                instruction.constructs = target.name == "<init>";
                instruction.target = Some(Rc::new(target));
            }
            _ => {}
        }
        Some(())
    }

    fn member(&self, index: u16) -> Option<MemberRef> {
        let member = self.file.pool.member_ref(index).ok()?;
        Some(MemberRef {
            owner: member.owner.into(),
            name: member.name.into(),
            desc: member.desc.into(),
        })
    }

    fn parameters(&self, member: &Member) -> Option<Vec<u16>> {
        let desc = member.desc(&self.file.pool).ok()?;
        let method = MethodType::parse(&desc).ok()?;
        let mut slots = Vec::new();
        let mut next = 0;
        if !member.is_static() {
            slots.push(0);
            next = 1;
        }
        for param in &method.params {
            slots.push(next);
            next += param.slots();
        }
        Some(slots)
    }
}

/// See [`Body::plain_from`].
fn plain_from(instructions: &[Instruction], cfg: &Cfg) -> Vec<u32> {
    let mut from = Vec::with_capacity(instructions.len());
    for (at, instruction) in instructions.iter().enumerate() {
        let goes_on = at > 0
            && instruction.plain
            && instructions[at - 1].plain
            && cfg.block_of(at - 1) == cfg.block_of(at);
        from.push(match goes_on {
            true => from[at - 1],
            false => at as u32,
        });
    }
    from
}
