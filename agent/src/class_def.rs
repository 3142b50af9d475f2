//! What the class table says of a class file.

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
