//! Puts all probes into whatever comes; nothing may panic, and what comes out is a class file.
//!
//! `cargo +nightly fuzz run instrument`, best with a corpus of small class files.
#![no_main]

use jinsi_instrument::{ProbeSet, instrument};
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
    for (probe_set, only) in [
        (ProbeSet::Observed, None),
        (ProbeSet::Observed, Some(&*name)),
        (ProbeSet::Inherited, Some("")),
    ] {
        let selection = Selection::for_checking(only);
        let mut next = 0;
        let mut next_site = || {
            next += 1;
            SiteNo::FIRST.behind(next - 1)
        };
        if let Ok(done) = instrument(ClassNo::FIRST, probe_set, bytes, &selection, &mut next_site) {
            assert!(ClassFile::parse(&done.bytes).is_ok());
        }
    }
});
