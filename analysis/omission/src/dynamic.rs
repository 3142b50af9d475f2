//! What `invokedynamic` instructions are made by: the body of a function, or the text around what is put together.

use std::collections::HashMap;

use jinsi_classfile::ClassFile;
use jinsi_classfile::effect::Access;
use jinsi_classfile::references::Bootstraps;
use jinsi_steps::code::{MethodNo, Program};
use jinsi_trace::model::MemberRef;
use jinsi_trace::reader::Trace;

use crate::place::Place;

/// Kind of a method handle that makes an object (JVMS table 5.4.3.5-A).
const NEW: u8 = 8;

/// What stands behind an `invokedynamic`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dynamic {
    /// The method that runs when the function is called, and whether that is a constructor of a new object.
    pub body: Option<(MemberRef, bool)>,
    /// Texts that are put together.
    pub texts: Vec<String>,
}

/// Those of a program, by place.
pub(crate) fn all(trace: &Trace, program: &Program) -> HashMap<Place, Dynamic> {
    let mut found = HashMap::new();
    let mut classes: HashMap<_, Option<(ClassFile, Bootstraps)>> = HashMap::new();
    for (no, method) in program.methods().iter().enumerate() {
        let Some(body) = &method.body else { continue };
        for (at, instruction) in body.instructions.iter().enumerate() {
            let (Access::Invoke(index), jinsi_classfile::opcode::INVOKEDYNAMIC) =
                (instruction.effect.access, instruction.opcode)
            else {
                continue;
            };
            let read = || {
                let class = trace.class(method.class)?;
                let file = ClassFile::parse(&class.bytes).ok()?;
                let bootstraps = Bootstraps::of(&file).ok()?;
                Some((file, bootstraps))
            };
            let class = classes.entry(method.class).or_insert_with(read);
            if let Some(dynamic) = class.as_ref().and_then(|class| dynamic(class, index)) {
                let method = MethodNo::from_index(no);
                found.insert(Place { method, at }, dynamic);
            }
        }
    }
    found
}

fn dynamic((file, bootstraps): &(ClassFile, Bootstraps), index: u16) -> Option<Dynamic> {
    let pool = &file.pool;
    let call = pool.invoke_dynamic(index).ok()?;
    let (_, arguments) = bootstraps.get(call.bootstrap)?;
    let texts = arguments.iter().filter_map(|no| pool.string(*no).ok());
    let texts = texts.flat_map(|text| {
        let parts = text.split(['\u{1}', '\u{2}']).map(str::to_owned);
        parts.collect::<Vec<_>>()
    });
    let mut handles = arguments.iter().filter_map(|no| {
        let (kind, member) = pool.method_handle(*no).ok()?;
        let member = pool.member_ref(member).ok()?;
        let member = MemberRef {
            owner: member.owner.into(),
            name: member.name.into(),
            desc: member.desc.into(),
        };
        Some((member, kind == NEW))
    });
    Some(Dynamic {
        body: handles.next(),
        texts: texts.filter(|text| !text.is_empty()).collect(),
    })
}
