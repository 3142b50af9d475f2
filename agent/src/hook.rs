//! What happens to a class when it loads.

use jinsi_trace::model::{ClassDef, ClassNo, ClassOrigin, Record, SiteNo};

use crate::class_def::class_def;
use crate::instrument::{self, InstrumentError, Instrumented};
use crate::recorder::Recorder;
use crate::rewritten::Known;

/// A class is being loaded by the loader with this identity hash code; new bytes if it is observed and could be rewritten.
pub fn load(
    recorder: &Recorder,
    name: &str,
    loader: i32,
    bytes: &[u8],
    jdk: bool,
) -> Option<Vec<u8>> {
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
    rewrite(recorder, no, name, loader, bytes)
}

/// A class is being retransformed by somebody: if it has probes they go in again, with the same sites if the bytes are the same.
pub fn reload(recorder: &Recorder, name: &str, loader: i32, bytes: &[u8]) -> Option<Vec<u8>> {
    if !recorder.selection.observes(name, false) {
        return None;
    }
    let (no, new) = recorder.class_no(name);
    if new {
        // Loaded before the probes worked; its frames on the stack would be half recorded.
        recorder.note_loss(name, "loaded before recording began".into());
        return None;
    }
    let old = match recorder.past.known(no, loader, bytes) {
        Known::Not => return None,
        Known::Changed => {
            let reason = "another agent changed it after it was loaded: it is recorded as changed, but in the trace as loaded";
            recorder.note_loss(name, reason.into());
            None
        }
        Known::Numbers(numbers) => Some(numbers),
    };
    match instrumented(recorder, no, loader, bytes, old.as_deref()) {
        Ok(done) => {
            if old.is_none() {
                recorder.record(&Record::Sites(done.sites));
            }
            Some(done.bytes)
        }
        Err(e) => {
            recorder.note_loss(name, e.to_string());
            None
        }
    }
}

/// The class with probes, which have the numbers `old` if there are some, else new ones, which are remembered.
fn instrumented(
    recorder: &Recorder,
    no: ClassNo,
    loader: i32,
    bytes: &[u8],
    old: Option<&[SiteNo]>,
) -> Result<Instrumented, InstrumentError> {
    let mut taken = Vec::new();
    let mut next_site = || {
        let known = old.and_then(|numbers| numbers.get(taken.len()));
        let site = known.copied().unwrap_or_else(|| recorder.reserve_sites(1));
        taken.push(site);
        site
    };
    let done = instrument::instrument(no, bytes, &recorder.selection, &mut next_site)?;
    if old.is_none() {
        recorder.past.remember(no, loader, bytes, taken);
    }
    Ok(done)
}

/// `Thread` with the probe that tells of uncaught exceptions.
pub fn watch_uncaught(bytes: &[u8]) -> Option<Vec<u8>> {
    instrument::watch_uncaught(bytes).ok().flatten()
}

fn rewrite(
    recorder: &Recorder,
    no: ClassNo,
    name: &str,
    loader: i32,
    bytes: &[u8],
) -> Option<Vec<u8>> {
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
    match instrumented(recorder, no, loader, bytes, None) {
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
