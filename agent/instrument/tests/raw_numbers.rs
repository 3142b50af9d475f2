//! The runtime's numbers of the raw form are those of the trace's reader.

mod support;

use std::collections::BTreeMap;
use std::fs;

use jinsi_classfile::ClassFile;
use jinsi_trace::model::{EventKind, Phase};
use jinsi_trace::raw;

use support::{compile_probes, jdks};

#[test]
fn the_runtime_has_the_numbers_of_the_raw_form() {
    let work = tempfile::tempdir().unwrap();
    let probes = work.path().join("probes");
    compile_probes(&jdks()[0], &probes);
    let class = fs::read(probes.join("java/lang/JinsiRaw.class")).unwrap();
    let written = constants(&ClassFile::parse(&class).unwrap());
    assert!(written.len() > 30, "{written:?}");
    let read = numbers();
    for (name, value) in &written {
        assert_eq!(read.get(name), Some(value), "{name}");
    }
}

/// The numbers as the trace's reader has them, by their Java names.
fn numbers() -> BTreeMap<String, u64> {
    let kind = |kind: EventKind| (format!("KIND_{}", upper(&format!("{kind:?}"))), kind as u64);
    let phase = |word| {
        let (_, phase) = Phase::of_word(word)?;
        Some((format!("PHASE_{}", upper(&format!("{phase:?}"))), word))
    };
    let others = [
        // The tag of `null`, all zeros, is the first of the eight that there are bits for.
        ("TAG_BITS", 3),
        ("TAG_OBJECT", raw::TAG_OBJECT),
        ("TAG_STRING", raw::TAG_STRING),
        ("TAG_CLASS", raw::TAG_CLASS),
        ("TAG_BOX", raw::TAG_BOX),
        ("TAG_PRIM", raw::TAG_PRIM),
        ("FORM_PRIMITIVES", raw::FORM_PRIMITIVES),
        ("FORM_ARRAY", raw::FORM_ARRAY),
        ("FORM_ELEMENTS", raw::FORM_ELEMENTS),
        ("FORM_ENTRIES", raw::FORM_ENTRIES),
        ("FORM_TEXT", raw::FORM_TEXT),
        ("FORM_TOO_LARGE", raw::FORM_TOO_LARGE),
        ("FORM_FIELDS", raw::FORM_FIELDS),
        ("FORM_PATCHED", raw::FORM_PATCHED),
        ("HEADER_BYTES", raw::HEADER_BYTES as u64),
        ("OFFSET_CURSOR", raw::OFFSET_CURSOR as u64),
        ("OFFSET_LIMIT", raw::OFFSET_LIMIT as u64),
        ("OFFSET_ORDINAL", raw::OFFSET_ORDINAL as u64),
        ("OFFSET_SCRATCH", raw::OFFSET_SCRATCH as u64),
        ("LONG_EVENT", raw::LONG_EVENT),
        ("REPEATS_BIT", raw::REPEATS.trailing_zeros().into()),
        ("MET_BIT", raw::MET_BIT.into()),
        ("MEETINGS_BIT", raw::MEETINGS_BIT.into()),
        ("TAIL_BYTES", raw::TAIL_BYTES as u64),
        ("USUAL_BYTES", raw::USUAL_BYTES as u64),
    ];
    EventKind::ALL
        .into_iter()
        .map(kind)
        .chain((0..3).filter_map(phase))
        .chain(others.map(|(name, value)| (name.to_owned(), value)))
        .collect()
}

/// A Rust name as Java names constants.
fn upper(name: &str) -> String {
    let mut upper = String::new();
    for (at, c) in name.char_indices() {
        if at > 0 && c.is_ascii_uppercase() {
            upper.push('_');
        }
        upper.push(c.to_ascii_uppercase());
    }
    upper
}

/// The constants of a class: what its fields are initialized with (JVMS §4.7.2).
fn constants(class: &ClassFile) -> BTreeMap<String, u64> {
    let constant = |field: &jinsi_classfile::Member| {
        let value = field.attribute(&class.pool, "ConstantValue").unwrap();
        let index = u16::from_be_bytes(value.data[..].try_into().unwrap());
        let value = class.pool.integer(index).unwrap() as u64;
        (field.name(&class.pool).unwrap().into_owned(), value)
    };
    class.fields.iter().map(constant).collect()
}
