//! What happens to a class when it loads.

use jinsi_trace::model::{ClassDef, ClassNo, ClassOrigin};

use crate::class_def::class_def;
use crate::instrument;
use crate::recorder::Recorder;

/// A class is being loaded; new bytes if it is observed and could be rewritten.
pub fn load(recorder: &Recorder, name: &str, bytes: &[u8], jdk: bool) -> Option<Vec<u8>> {
    if !recorder.selection.observes(name, jdk) {
        if !jdk {
            recorder.skeleton(name, bytes);
        }
        return None;
    }
    let (no, new) = recorder.class_no(name);
    if !new {
        recorder.note_loss(
            name,
            "a second class of this name (another loader) is not recorded".into(),
        );
        return None;
    }
    rewrite(recorder, no, name, bytes)
}

/// A class is being retransformed by somebody: if it is observed, the probes go in again with new sites.
pub fn reload(recorder: &Recorder, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    if !recorder.selection.observes(name, false) {
        return None;
    }
    let (no, new) = recorder.class_no(name);
    if new {
        // Loaded before the probes worked; its frames on the stack would be half recorded.
        recorder.note_loss(name, "loaded before recording began".into());
        return None;
    }
    match instrument::instrument(no, bytes, &recorder.selection, &mut || {
        recorder.reserve_sites(1)
    }) {
        Ok(done) => {
            recorder.record(&jinsi_trace::model::Record::Sites(done.sites));
            Some(done.bytes)
        }
        Err(e) => {
            recorder.note_loss(name, e.to_string());
            None
        }
    }
}

/// `Thread` with the probe that tells of uncaught exceptions.
pub fn watch_uncaught(bytes: &[u8]) -> Option<Vec<u8>> {
    instrument::watch_uncaught(bytes).ok().flatten()
}

fn rewrite(recorder: &Recorder, no: ClassNo, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let nameless = || ClassDef {
        no,
        name: name.into(),
        super_name: None,
        interfaces: vec![],
        access: 0,
        origin: ClassOrigin::Skipped,
        source_file: None,
        bytes: bytes.into(),
    };
    let Some(def) = class_def(no, bytes, ClassOrigin::Observed) else {
        recorder.left_alone(nameless(), "class file not understood".into());
        return None;
    };
    match instrument::instrument(no, bytes, &recorder.selection, &mut || {
        recorder.reserve_sites(1)
    }) {
        Ok(done) => {
            recorder.rewritten(def, done.sites);
            for what in done.thinned {
                recorder.note_loss(
                    name,
                    format!("{what} are not recorded, there is no room for probes"),
                );
            }
            Some(done.bytes)
        }
        Err(e) => {
            recorder.left_alone(
                ClassDef {
                    origin: ClassOrigin::Skipped,
                    ..def
                },
                e.to_string(),
            );
            None
        }
    }
}
