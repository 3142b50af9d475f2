//! Puts all probes into whatever comes; nothing may panic, and what comes out is a class file.
//!
//! `cargo +nightly fuzz run instrument`, best with a corpus of small class files.
#![no_main]

use jinsi_instrument::{Part, instrument};
use jinsi_instrument::selection::Selection;
use jinsi_classfile::ClassFile;
use jinsi_trace::model::{ClassNo, SiteNo};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(class) = ClassFile::parse(bytes) else {
        return;
    };
    let Ok(name) = class.name() else {
        return;
    };
    for (part, only) in [
        (Part::Observed, None),
        (Part::Observed, Some(&*name)),
        (Part::Inherited, Some("")),
    ] {
        let selection = Selection::for_checking(only);
        let mut next = 0;
        let mut next_site = || {
            next += 1;
            SiteNo::FIRST.behind(next - 1)
        };
        if let Ok(done) = instrument(ClassNo::FIRST, part, bytes, &selection, &mut next_site) {
            assert!(ClassFile::parse(&done.bytes).is_ok());
        }
    }
});
