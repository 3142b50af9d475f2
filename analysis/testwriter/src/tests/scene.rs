//! Builds levels by hand, so that a test reads like the recorded run.

use std::collections::BTreeMap;

use jinsi_trace::model::{
    ClassDef, ClassNo, ClassOrigin, Content, JavaString, MemberRef, ObjectId, Prim, SiteNo,
    ThrowableDef, Value,
};

use super::super::classes::{ClassInfo, ClassTable, MemberInfo, Nesting, guess_nesting};
use super::super::{Dialect, Request, Written, class_name, write};
use jinsi_level::*;
use jinsi_oracle::Oracle;

pub(super) const PUBLIC: u16 = 1;
pub(super) const PRIVATE: u16 = 2;
pub(super) const STATIC: u16 = 8;
pub(super) const ENUM: u16 = 0x4000;

/// A level in the making, with what is known of its classes.
pub(super) struct Scene {
    pub(super) level: Level,
    pub(super) table: ClassTable,
    pub(super) answers: Vec<Outgoing>,
    pub(super) real_environment: bool,
    pub(super) dialect: Dialect,
    pub(super) infers_types: bool,
    pub(super) oracle: Oracle,
    pub(super) sources: Vec<(ObjectId, MemberRef)>,
    throwables: Vec<ThrowableDef>,
    classes: Vec<ClassDef>,
    pub(super) declared: Vec<ClassInfo>,
    pending: Vec<Effect>,
}

pub(super) fn int(v: i32) -> Value {
    Value::Prim(Prim::Int(v))
}
pub(super) fn long(v: i64) -> Value {
    Value::Prim(Prim::Long(v))
}
pub(super) fn ch(v: char) -> Value {
    Value::Prim(Prim::Char(v as u16))
}
pub(super) fn boolean(v: bool) -> Value {
    Value::Prim(Prim::Boolean(v))
}
pub(super) fn text(v: &str) -> Value {
    Value::Str(JavaString::new(v))
}
pub(super) fn boxed(v: i32) -> Value {
    Value::Boxed(Prim::Int(v))
}
pub(super) fn obj(id: ObjectId) -> Value {
    Value::Object(id)
}

impl Scene {
    pub(super) fn new() -> Self {
        Self {
            level: Level::default(),
            table: ClassTable::default(),
            answers: vec![],
            real_environment: false,
            dialect: Dialect::default(),
            infers_types: false,
            oracle: Oracle::Exception,
            sources: vec![],
            throwables: vec![],
            classes: vec![],
            declared: vec![],
            pending: vec![],
        }
    }

    /// A class with members `name desc` or `name desc throws exception`, each with flags.
    pub(super) fn class(
        &mut self,
        name: &str,
        access: u16,
        extends: &str,
        members: &[(u16, &str)],
    ) -> &mut Self {
        let members = members.iter().map(|(access, text)| {
            let parts: Vec<&str> = text.split(' ').collect();
            MemberInfo {
                name: parts[0].into(),
                desc: parts[1].into(),
                access: *access,
                exceptions: parts.get(3).map(|e| (*e).to_owned()).into_iter().collect(),
            }
        });
        self.declared.push(ClassInfo {
            name: name.into(),
            access,
            super_name: Some(extends.into()),
            interfaces: vec![],
            nesting: match guess_nesting(name) {
                Nesting::Local => Nesting::Local,
                other => other,
            },
            members: Some(members.collect()),
        });
        self
    }

    /// A class of the JDK, as the class table of a trace has it.
    pub(super) fn jdk(&mut self, name: &str, access: u16, extends: &str) -> &mut Self {
        let no = ClassNo::from_index(self.classes.len());
        self.classes.push(ClassDef {
            no,
            name: name.into(),
            super_name: Some(extends.into()),
            interfaces: vec![],
            access,
            origin: ClassOrigin::Jdk,
            source_file: None,
            bytes: [].into(),
        });
        self
    }

    /// A class whose code was recorded.
    pub(super) fn recorded(&mut self, name: &str, bytes: &[u8]) -> &mut Self {
        let no = ClassNo::from_index(self.classes.len());
        self.classes.push(ClassDef {
            no,
            name: name.into(),
            super_name: Some("java/lang/Object".into()),
            interfaces: vec![],
            access: PUBLIC,
            origin: ClassOrigin::Observed,
            source_file: None,
            bytes: bytes.into(),
        });
        self
    }

    pub(super) fn object(&mut self, id: ObjectId, class: &str, role: Role) -> &mut Self {
        let length = match &role {
            Role::Array {
                initial: Some(Content::Array(v)),
            } => Some(v.len() as u32),
            Role::Array { .. } => Some(3),
            _ => None,
        };
        self.level.objects.insert(
            id,
            ObjectInfo {
                id,
                class: class.into(),
                length,
                role,
            },
        );
        self
    }

    pub(super) fn mock(&mut self, id: ObjectId, class: &str) -> &mut Self {
        self.object(id, class, Role::Mock)
    }

    pub(super) fn list(&mut self, id: ObjectId, class: &str, values: Vec<Value>) -> &mut Self {
        self.object(
            id,
            class,
            Role::Natural {
                initial: Some(Content::Elements(values)),
            },
        )
    }

    pub(super) fn array(&mut self, id: ObjectId, class: &str, values: Vec<Value>) -> &mut Self {
        self.object(
            id,
            class,
            Role::Array {
                initial: Some(Content::Array(values)),
            },
        )
    }

    pub(super) fn throwable(
        &mut self,
        id: ObjectId,
        class: &str,
        message: Option<&str>,
    ) -> &mut Self {
        self.throwables.push(ThrowableDef {
            id,
            class: class.replace('/', "."),
            message: message.map(str::to_owned),
            text: None,
            cause: 0,
            frames: vec![],
        });
        self.object(id, class, Role::Throwable)
    }

    /// A change from outside before the next interaction.
    pub(super) fn change(&mut self, effect: Effect) -> &mut Self {
        self.pending.push(effect);
        self
    }

    pub(super) fn interact(
        &mut self,
        op: Operation,
        target: &str,
        receiver: Value,
        args: Vec<Value>,
        outcome: Outcome,
    ) -> &mut Self {
        let (owner, rest) = target.split_once('.').unwrap();
        let (name, desc) = rest.split_once(' ').unwrap();
        let no = self.level.interactions.len() as u32;
        self.level.observed.insert(owner.to_owned());
        let before = std::mem::take(&mut self.pending);
        self.level.interactions.push(Interaction {
            no,
            node: jinsi_level::NodeNo::from_index(no as usize),
            thread: 0,
            turn: None,
            op,
            member: member(owner, name, desc),
            target_class: owner.into(),
            receiver,
            args,
            outcome,
            before,
            outgoing: vec![],
        });
        self
    }

    /// `id = new class(args)`.
    pub(super) fn make(
        &mut self,
        id: ObjectId,
        class: &str,
        desc: &str,
        args: Vec<Value>,
    ) -> &mut Self {
        self.object(id, class, Role::Observed);
        let outcome = Outcome::Return(Some(obj(id)));
        self.interact(
            Operation::Construct,
            &format!("{class}.<init> {desc}"),
            Value::Null,
            args,
            outcome,
        )
    }

    /// A constructor call that throws.
    pub(super) fn make_fails(&mut self, class: &str, desc: &str, args: Vec<Value>) -> &mut Self {
        self.interact(
            Operation::Construct,
            &format!("{class}.<init> {desc}"),
            Value::Null,
            args,
            Outcome::Throw(999),
        )
    }

    pub(super) fn call(&mut self, id: ObjectId, target: &str, args: Vec<Value>) -> &mut Self {
        self.interact(
            Operation::Call,
            target,
            obj(id),
            args,
            Outcome::Return(None),
        )
    }

    pub(super) fn call_gives(
        &mut self,
        id: ObjectId,
        target: &str,
        args: Vec<Value>,
        result: Value,
    ) -> &mut Self {
        self.interact(
            Operation::Call,
            target,
            obj(id),
            args,
            Outcome::Return(Some(result)),
        )
    }

    pub(super) fn call_throws(
        &mut self,
        id: ObjectId,
        target: &str,
        args: Vec<Value>,
        throwable: ObjectId,
    ) -> &mut Self {
        self.interact(
            Operation::Call,
            target,
            obj(id),
            args,
            Outcome::Throw(throwable),
        )
    }

    /// The call that lets the failure out.
    pub(super) fn call_fails(&mut self, id: ObjectId, target: &str, args: Vec<Value>) -> &mut Self {
        self.call_throws(id, target, args, 999)
    }

    /// The environment was asked.
    pub(super) fn answer(
        &mut self,
        op: Operation,
        target: &str,
        receiver: Value,
        args: Vec<Value>,
        outcome: Outcome,
    ) -> &mut Self {
        let (owner, rest) = target.split_once('.').unwrap();
        let (name, desc) = rest.split_once(' ').unwrap();
        self.answers.push(Outgoing {
            node: jinsi_level::NodeNo::FIRST,
            turn: None,
            op,
            member: member(owner, name, desc),
            target_class: owner.into(),
            site: SiteNo::new(1),
            bci: 0,
            line: 0,
            receiver,
            args,
            outcome,
            callbacks: vec![],
            effects: vec![],
        });
        self
    }

    /// An object of the environment was asked, and gave something.
    pub(super) fn answer_gives(
        &mut self,
        id: ObjectId,
        target: &str,
        args: Vec<Value>,
        result: Value,
    ) -> &mut Self {
        let outcome = Outcome::Return(Some(result));
        self.answer(Operation::Call, target, obj(id), args, outcome)
    }

    /// A static method of the environment was asked, and gave something.
    pub(super) fn static_answer_gives(
        &mut self,
        target: &str,
        args: Vec<Value>,
        result: Value,
    ) -> &mut Self {
        let outcome = Outcome::Return(Some(result));
        self.answer(Operation::CallStatic, target, Value::Null, args, outcome)
    }

    /// Writes the test of the interactions `kept`, counted from 1.
    pub(super) fn write(
        &mut self,
        kept: &[u32],
        failure: (&str, Option<&str>, &str, &str, i32),
    ) -> Written {
        self.table = ClassTable::new(&self.classes, &self.throwables)
            .with_sources(self.sources.iter().cloned());
        for class in &self.declared {
            self.table.insert(class.clone());
        }
        let kept: Vec<u32> = kept.iter().map(|n| n - 1).collect();
        let joins = self
            .level
            .interactions
            .last()
            .map_or(String::new(), |i| i.target_class.clone());
        let answers: Vec<&Outgoing> = self.answers.iter().collect();
        write(&Request {
            level: &self.level,
            kept: &kept,
            answers: &answers,
            real_environment: self.real_environment,
            predicate: &CrashPredicate {
                message_of_jdk: None,
                class: failure.0.into(),
                message: failure.1.map(str::to_owned),
                at_class: failure.2.into(),
                at_method: failure.3.into(),
                at_line: failure.4,
            },
            oracle: &self.oracle,
            wanted: None,
            message: failure.1,
            classes: &self.table,
            class_name: &class_name(&joins, 2),
            by_test: true,
            dialect: self.dialect,
            infers_types: self.infers_types,
        })
    }
}

pub(super) fn member(owner: &str, name: &str, desc: &str) -> MemberRef {
    MemberRef {
        owner: owner.into(),
        name: name.into(),
        desc: desc.into(),
    }
}

/// An operation on an object of the JDK outside the observed code.
pub(super) fn natural(
    op: Operation,
    target: &str,
    receiver: Value,
    args: Vec<Value>,
    result: Option<Value>,
) -> Effect {
    let (owner, rest) = target.split_once('.').unwrap();
    let (name, desc) = rest.split_once(' ').unwrap();
    Effect::Natural {
        op,
        member: member(owner, name, desc),
        receiver,
        args,
        result,
    }
}

/// Kept out of the way of `Level`'s derive: an empty map reads better than `Default::default()`.
pub(super) fn entries(pairs: &[(Value, Value)]) -> Content {
    let ordered: BTreeMap<usize, &(Value, Value)> = pairs.iter().enumerate().collect();
    Content::Entries(
        ordered
            .values()
            .flat_map(|(k, v)| [k.clone(), v.clone()])
            .collect(),
    )
}
