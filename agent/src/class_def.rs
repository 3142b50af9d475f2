//! What the class table says of a class file.

use std::sync::Arc;

use jinsi_classfile::ClassFile;
use jinsi_trace::model::{ClassDef, ClassNo, ClassOrigin};

/// The class table entry of a class file; `None` if it is not understood.
pub(crate) fn class_def(no: ClassNo, bytes: &[u8], origin: ClassOrigin) -> Option<ClassDef> {
    let class = ClassFile::parse(bytes).ok()?;
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
    match class_def(def.no, &bytes, ClassOrigin::Skeleton) {
        Some(described) => described,
        None => ClassDef {
            bytes: Arc::default(),
            ..def
        },
    }
}
