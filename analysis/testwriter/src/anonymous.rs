//! Objects of anonymous classes that are no more than functions: one method of one interface, and what it captures.

use std::collections::HashMap;

use jinsi_classfile::class::Member;
use jinsi_classfile::insn;
use jinsi_classfile::opcode as op;
use jinsi_classfile::references::INVOKE_INTERFACE;
use jinsi_classfile::{ACC_STATIC, ACC_SYNTHETIC, ClassFile};
use jinsi_trace::model::{MemberRef, Value};

use super::Inexpressible;
use super::access::params;
use super::java::JavaType;
use super::writer::{Expr, Writer};
use jinsi_level::function::Function;

/// An anonymous class that implements one method of an interface.
struct Anonymous {
    function: Function,
    /// By field: which argument of the constructor it holds.
    captures: HashMap<String, usize>,
}

impl Writer<'_> {
    /// The lambda that does what an object of this class does, and how to declare a variable of it. `constructor`: what made the object of
    /// these arguments.
    pub(super) fn as_function(
        &mut self,
        class: &str,
        constructor: &MemberRef,
        args: &[Value],
    ) -> Result<(Expr, JavaType), Inexpressible> {
        let no = || Inexpressible("an anonymous class is more than a function".into());
        let file = self.request.classes.class_file(class).ok_or_else(no)?;
        let anonymous = Anonymous::of(&file, class, constructor).ok_or_else(no)?;
        let types = params(&constructor.desc);
        let mut fields = HashMap::new();
        for (field, at) in anonymous.captures {
            let (value, ty) = args.get(at).zip(types.get(at)).ok_or_else(no)?;
            fields.insert(field, (value.clone(), ty.clone()));
        }
        self.with_fields(&anonymous.function, fields)
    }
}

impl Anonymous {
    fn of(file: &ClassFile, class: &str, constructor: &MemberRef) -> Option<Self> {
        let (_, number) = class.rsplit_once('$')?;
        number.parse::<u32>().ok()?;
        let interfaces = file.interface_names().ok()?;
        let [interface] = &interfaces[..] else {
            return None;
        };
        if file.super_name().ok()?? != "java/lang/Object" {
            return None;
        }
        let (method, desc) = only_method(file)?;
        let bridge = bridge(file, &method, &desc);
        Some(Self {
            captures: captures(file, constructor)?,
            function: Function {
                maker: class.to_owned(),
                factory: format!("()L{interface};"),
                erased: bridge.unwrap_or_else(|| desc.clone()),
                instantiated: desc.clone(),
                kind: INVOKE_INTERFACE,
                target: MemberRef {
                    owner: class.into(),
                    name: method.as_str().into(),
                    desc: desc.into(),
                },
                method,
            },
        })
    }
}

fn named(file: &ClassFile, member: &Member) -> Option<(String, String)> {
    let name = member.name(&file.pool).ok()?.into_owned();
    Some((name, member.desc(&file.pool).ok()?.into_owned()))
}

/// Name and descriptor of the one method that the source has.
fn only_method(file: &ClassFile) -> Option<(String, String)> {
    let mut found = None;
    for member in &file.methods {
        let (name, desc) = named(file, member)?;
        if name == "<init>" || member.access & ACC_SYNTHETIC != 0 {
            continue;
        }
        if found.is_some() || member.access & ACC_STATIC != 0 {
            return None;
        }
        found = Some((name, desc));
    }
    found
}

/// Descriptor of the interface's method, where that differs: the compiler has put one in that calls the other.
fn bridge(file: &ClassFile, name: &str, desc: &str) -> Option<String> {
    let count = params(desc).len();
    let all = file.methods.iter().filter_map(|member| {
        let synthetic = member.access & ACC_SYNTHETIC != 0;
        named(file, member).filter(|_| synthetic)
    });
    let mut bridges = all.filter(|(n, d)| n == name && d != desc && params(d).len() == count);
    let (_, erased) = bridges.next()?;
    bridges.next().is_none().then_some(erased)
}

/// What the fields hold, if the constructor does nothing but fill them.
fn captures(file: &ClassFile, constructor: &MemberRef) -> Option<HashMap<String, usize>> {
    let at = file.find_method("<init>", &constructor.desc)?;
    let code = file.methods[at].code(&file.pool).ok()??;
    let insns = insn::decode(&code.bytes).ok()?;
    let mut slot = 1;
    let mut slots = HashMap::new();
    for (at, ty) in params(&constructor.desc).iter().enumerate() {
        slots.insert(slot, at);
        slot += ty.slots();
    }
    let mut captures = HashMap::new();
    let mut rest = &insns[..];
    while let [this, load, put, more @ ..] = rest
        && put.opcode == op::PUTFIELD
    {
        let field = file.pool.member_ref(put.pool_index()?).ok()?;
        (this.opcode == op::ALOAD_0).then_some(())?;
        captures.insert(field.name.into_owned(), *slots.get(&load.local()?)?);
        rest = more;
    }
    match rest {
        [this, call, end]
            if (this.opcode, call.opcode, end.opcode)
                == (op::ALOAD_0, op::INVOKESPECIAL, op::RETURN) =>
        {
            Some(captures)
        }
        _ => None,
    }
}
