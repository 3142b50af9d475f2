//! What the class table says of a class file.

use std::sync::Arc;

use jinsi_classfile::ClassFile;
use jinsi_trace::model::{ClassDef, ClassNo, ClassOrigin};

/// The class table entry of a class file, whose bytes are `bytes`; `None` if it is not understood.
pub(crate) fn class_def(
    no: ClassNo,
    class: &ClassFile,
    bytes: &[u8],
    origin: ClassOrigin,
) -> Option<ClassDef> {
    Some(ClassDef {
        no,
        name: class.name().ok()?.into_owned(),
        super_name: class.super_name().ok()?.map(|n| n.into_owned()),
        interfaces: class
            .interface_names()
            .ok()?
            .into_iter()
            .map(|n| n.into_owned())
            .collect(),
        access: class.access,
        origin,
        source_file: class.source_file().map(|n| n.into_owned()),
        bytes: bytes.into(),
    })
}

/// Replaces the class file by its skeleton; a file that is not understood is named without bytes.
pub(crate) fn with_skeleton(def: ClassDef) -> ClassDef {
    let Ok(bytes) = jinsi_classfile::skeleton::skeleton(&def.bytes) else {
        return ClassDef {
            bytes: Arc::default(),
            ..def
        };
    };
    let described = ClassFile::parse(&bytes)
        .ok()
        .and_then(|class| class_def(def.no, &class, &bytes, ClassOrigin::Skeleton));
    match described {
        Some(described) => described,
        None => ClassDef {
            bytes: Arc::default(),
            ..def
        },
    }
}
