//! What is the same at all moments: code, classes, identities.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use jinsi_classfile::ACC_STATIC;
use jinsi_classfile::class::ClassFile;
use jinsi_classfile::opcode;
use jinsi_steps::code::{Constant, FieldNo, MethodNo, Program};
use jinsi_trace::model::{ClassNo, ClassOrigin, Content, MemberRef, ObjectId, Payload, Value};
use jinsi_trace::reader::Trace;
use rustc_hash::FxHashMap;

use crate::machine::World;
use crate::objects::Objects;

/// A field as its class declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Internal name of the class that declares it.
    pub class: Rc<str>,
    /// Its name.
    pub name: Rc<str>,
    /// Descriptor of its type.
    pub desc: Rc<str>,
    /// Has the class one of it, or each of its objects?
    pub is_static: bool,
    pub(crate) no: FieldNo,
    /// What a static field holds from the beginning, if it is a constant.
    pub(crate) constant: Option<Value>,
}

/// Classes of arrays that are made with arrays in them, and of those.
#[derive(Debug, Default)]
struct AtOnce {
    filled: BTreeSet<Rc<str>>,
    rows: BTreeSet<Rc<str>>,
}

/// What is the same at all moments.
#[derive(Debug)]
pub(crate) struct Facts<'t> {
    pub(crate) trace: &'t Trace,
    pub(crate) program: Program,
    pub(crate) objects: Objects,
    states: bool,
    fields: RefCell<FxHashMap<ClassNo, Rc<[Field]>>>,
    starts: RefCell<FxHashMap<MethodNo, Rc<[u16]>>>,
    /// The classes that have methods whose instructions are not recorded.
    unseen: OnceCell<BTreeSet<ClassNo>>,
    at_once: OnceCell<AtOnce>,
    handles: RefCell<FxHashMap<ObjectId, Option<FieldNo>>>,
}

impl World for Facts<'_> {
    fn program(&self) -> &Program {
        &self.program
    }

    fn length(&self, array: ObjectId) -> Option<u32> {
        self.objects.get(array)?.length
    }

    fn has_states(&self) -> bool {
        self.states
    }

    fn is_alone(&self) -> bool {
        self.trace.threads().len() == 1
    }

    fn field_of_handle(&self, handle: ObjectId) -> Option<FieldNo> {
        if let Some(known) = self.handles.borrow().get(&handle) {
            return *known;
        }
        let field = self.named_by(handle);
        self.handles.borrow_mut().insert(handle, field);
        field
    }
}

/// The code of a trace, with the same numbers each time: an index names fields by them.
pub(crate) fn program(trace: &Trace) -> Program {
    let program = Program::of(trace);
    program.number_fields(trace);
    program
}

impl<'t> Facts<'t> {
    pub(crate) fn new(trace: &'t Trace, program: Program, objects: Objects) -> Self {
        Self {
            program,
            objects,
            states: trace.meta().detail >= jinsi_trace::model::Detail::States,
            trace,
            fields: RefCell::default(),
            starts: RefCell::default(),
            unseen: OnceCell::new(),
            at_once: OnceCell::new(),
            handles: RefCell::default(),
        }
    }

    /// The trace, and its code.
    pub(crate) fn code(&self) -> (&'t Trace, &Program) {
        (self.trace, &self.program)
    }

    /// The field that the content of a handle names, `com.foo.Bar.name:I`.
    fn named_by(&self, handle: ObjectId) -> Option<FieldNo> {
        let reported = self.objects.contents(handle);
        let at = reported.first()?;
        let event = self.trace.events_from(at.thread, at.index).next()?.ok()?;
        let Payload::Content {
            content: Content::Text(text),
            ..
        } = event.payload
        else {
            return None;
        };
        let text = text.to_string();
        let (member, desc) = text.split_once(':')?;
        let (owner, name) = member.rsplit_once('.')?;
        let member = MemberRef {
            owner: owner.replace('.', "/").into(),
            name: name.into(),
            desc: desc.into(),
        };
        Some(self.program.field(self.trace, &member))
    }

    /// Name of a class.
    pub(crate) fn class_name(&self, no: ClassNo) -> &'t str {
        self.trace
            .class(no)
            .map_or("?", |class| class.name.as_str())
    }

    /// Is the object an array?
    pub(crate) fn is_array(&self, id: ObjectId) -> bool {
        let object = self.objects.get(id);
        object.is_some_and(|object| self.class_name(object.class).starts_with('['))
    }

    /// Is the code of the class recorded?
    pub(crate) fn is_recorded(&self, no: ClassNo) -> bool {
        let class = self.trace.class(no);
        class.is_some_and(|c| matches!(c.origin, ClassOrigin::Observed | ClassOrigin::Inherited))
    }

    /// Are all accesses to the class's fields recorded, but those by reflection?
    pub(crate) fn is_observed(&self, no: ClassNo) -> bool {
        let class = self.trace.class(no);
        class.is_some_and(|c| c.origin == ClassOrigin::Observed)
    }

    /// Has the class methods whose instructions are not recorded? They may write its fields unseen.
    pub(crate) fn has_unseen_code(&self, no: ClassNo) -> bool {
        let unseen = self.unseen.get_or_init(|| {
            let methods = self.program.methods().iter();
            let unseen = methods.filter(|method| method.body.is_none());
            unseen.map(|method| method.class).collect()
        });
        unseen.contains(&no)
    }

    /// May the JVM have put arrays into a new array of this class, as of `new int[2][3]`? No event tells of them (JVMS §6.5 `multianewarray`).
    pub(crate) fn may_be_filled(&self, class: &str) -> bool {
        self.made_at_once().filled.contains(class)
    }

    /// The same of an array.
    pub(crate) fn is_perhaps_filled(&self, array: ObjectId) -> bool {
        let is_any = !self.made_at_once().filled.is_empty();
        let known = is_any.then(|| self.objects.get(array)).flatten();
        known.is_some_and(|known| self.may_be_filled(self.class_name(known.class)))
    }

    /// May the JVM have made an array of this class so, to put it into another?
    pub(crate) fn may_be_row(&self, class: &str) -> bool {
        self.made_at_once().rows.contains(class)
    }

    fn made_at_once(&self) -> &AtOnce {
        self.at_once.get_or_init(|| {
            let mut at_once = AtOnce::default();
            let bodies = self.program.methods().iter();
            let bodies = bodies.filter_map(|method| method.body.as_ref());
            let made = bodies.flat_map(|body| &body.instructions);
            for made in made.filter(|made| made.opcode == opcode::MULTIANEWARRAY) {
                let Constant::Class(class) = &made.constant else {
                    continue;
                };
                let depth = usize::from(made.effect.stack.pops());
                let rows = (1..depth).filter_map(|level| class.get(level..));
                at_once.rows.extend(rows.map(Rc::from));
                at_once.filled.extend((depth > 1).then(|| Rc::clone(class)));
            }
            at_once
        })
    }

    /// The fields that a class declares, in its order; none if its class file is not in the trace.
    pub(crate) fn declared(&self, no: ClassNo) -> Rc<[Field]> {
        if let Some(known) = self.fields.borrow().get(&no) {
            return Rc::clone(known);
        }
        let fields: Rc<[Field]> = self.read_fields(no).unwrap_or_default().into();
        self.fields.borrow_mut().insert(no, Rc::clone(&fields));
        fields
    }

    fn read_fields(&self, no: ClassNo) -> Option<Vec<Field>> {
        let class = self.trace.class(no).filter(|c| !c.bytes.is_empty())?;
        let file = ClassFile::parse(&class.bytes).ok()?;
        let fields = file.fields.iter().filter_map(|field| {
            let name = field.name(&file.pool).ok()?;
            let desc = field.desc(&file.pool).ok()?;
            let member = MemberRef {
                owner: class.name.as_str().into(),
                name: name.as_ref().into(),
                desc: desc.as_ref().into(),
            };
            let constant = field.attribute(&file.pool, "ConstantValue");
            let index = constant.and_then(|a| a.data.first_chunk().copied());
            let index = index.map(u16::from_be_bytes);
            Some(Field {
                class: class.name.as_str().into(),
                name: name.as_ref().into(),
                desc: desc.as_ref().into(),
                is_static: field.access & ACC_STATIC != 0,
                no: self.program.field(self.trace, &member),
                constant: index
                    .and_then(|index| jinsi_steps::constant::value(&file.pool, index, self.trace)),
            })
        });
        Some(fields.collect())
    }

    /// The field with this number, if a class of the trace declares it.
    pub(crate) fn field(&self, no: FieldNo) -> Option<Field> {
        let classes = self.trace.classes().iter();
        let mut fields = classes.flat_map(|class| self.declared(class.no).to_vec());
        fields.find(|field| field.no == no)
    }

    /// The instance fields of an object of this class, superclasses' first, and whether some are missing because a class is not recorded.
    pub(crate) fn instance_fields(&self, class: ClassNo) -> (Vec<Field>, bool) {
        let mut chain = Vec::new();
        let mut missing = false;
        let mut next = Some(class);
        while let Some(no) = next {
            let Some(def) = self.trace.class(no) else {
                missing = true;
                break;
            };
            if def.name == "java/lang/Object" {
                break;
            }
            match self.is_recorded(no) {
                true => chain.push(no),
                false => missing = true,
            }
            if chain.len() > self.trace.classes().len() {
                break;
            }
            let above = def.super_name.as_deref();
            missing |= def.super_name.is_none() && def.bytes.is_empty();
            next = above
                .filter(|name| *name != "java/lang/Object")
                .and_then(|name| match self.trace.class_by_name(name) {
                    Some(class) => Some(class.no),
                    None => {
                        missing = true;
                        None
                    }
                });
        }
        let declared = chain
            .iter()
            .rev()
            .flat_map(|no| self.declared(*no).to_vec());
        (declared.filter(|f| !f.is_static).collect(), missing)
    }

    /// For each instruction of a method, the line whose first instruction it is; 0 if it is not the first of any.
    pub(crate) fn line_starts(&self, method: MethodNo) -> Rc<[u16]> {
        if let Some(known) = self.starts.borrow().get(&method) {
            return Rc::clone(known);
        }
        let body = self.program.get(method).body.clone();
        let mut seen = std::collections::BTreeSet::new();
        let instructions = body.as_ref().map_or(&[][..], |b| &b.instructions);
        let starts: Rc<[u16]> = (instructions.iter())
            .map(|i| match i.line != 0 && seen.insert(i.line) {
                true => i.line,
                false => 0,
            })
            .collect();
        self.starts.borrow_mut().insert(method, Rc::clone(&starts));
        starts
    }
}
