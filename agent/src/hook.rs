//! What happens to a class when it loads.

use std::borrow::Cow;

use jinsi_classfile::references::add_bodies;
use jinsi_classfile::{ClassFile, scan};
use jinsi_trace::model::{ClassDef, ClassNo, ClassOrigin, LossKind, OTHER_VERSION, Record, SiteNo};

use crate::class_def::class_def;
use crate::globals::arming;
use crate::incoming::Incoming;
use crate::message::Missing;
use crate::outside;
use crate::recorder::Recorder;
use crate::rewritten::EarlierForm;
use jinsi_instrument::{self as instrument, InstrumentError, Instrumented, ProbeSet};

/// A class is being loaded; new bytes if it is observed, or observed classes inherit from it, and could be rewritten. `jdk`: its loader
/// is one of the JDK's classes.
pub fn load(recorder: &Recorder, class: Incoming<'_>, jdk: bool) -> Option<Vec<u8>> {
    let name = class.name;
    if recorder.has_ended() {
        return None;
    }
    if !recorder.selection.observes(name, jdk) {
        return match jdk {
            true => None,
            false => {
                recorder.unmatched.meet(name);
                load_unobserved(recorder, class)
            }
        };
    }
    recorder.unmatched.matched();
    if recorder.tables.is_earlier_version(name, class.bytes) {
        let reason = OTHER_VERSION.into();
        recorder.tables.note(LossKind::Class, name, reason);
        return None;
    }
    let (no, new) = recorder.tables.class_no(name);
    if new {
        recorder.carriers.meet(class.bytes);
        recorder.tables.will_rewrite(name, class.bytes);
        return rewrite(recorder, no, class);
    }
    if !recorder.tables.has_bytes(name, class.bytes) {
        // The analyses know classes by name: of two different ones they could only take one for the other.
        let reason = OTHER_VERSION.into();
        recorder.tables.note(LossKind::Class, name, reason);
        return None;
    }
    other_loader(recorder, no, class)
}

fn load_unobserved(recorder: &Recorder, class: Incoming<'_>) -> Option<Vec<u8>> {
    let references = scan::references(class.bytes).ok();
    let bytes = if recorder.inheritance.wants(class.name)
        && let number @ (_, true) = recorder.tables.class_no(class.name)
    {
        rewrite_inherited(recorder, number, class)
    } else {
        outside::load(recorder, class, references.as_ref())
    };
    match references {
        Some(references) => recorder.carriers.load(class, &references, bytes),
        None => bytes,
    }
}

/// Another loader defines the same class file: it has the probes, and if they are known by then the sites, of the first.
fn other_loader(recorder: &Recorder, no: ClassNo, class: Incoming<'_>) -> Option<Vec<u8>> {
    let old = recorder.numbers.past.same(no, class.bytes);
    if let Ok(parsed) = ClassFile::parse(class.bytes)
        && recorder.numbers.past.bodies(no).is_empty()
    {
        // The first loader may not have got as far yet.
        let references = instrument::leading_out(&parsed, &recorder.selection);
        recorder
            .numbers
            .past
            .has_bodies(no, references.unwrap_or_default());
    }
    match instrumented(recorder, no, ProbeSet::Observed, class, old.as_deref()) {
        Ok(done) => {
            recorder.numbers.past.joins(no, class.loader);
            if old.is_none() {
                recorder.tables.record(&Record::Sites(done.sites));
            }
            Some(done.bytes)
        }
        Err(e) => {
            recorder.tables.note_loss(class.name, e.to_string());
            None
        }
    }
}

/// A class is being retransformed: by us, because observed classes turn out to inherit from it, or by somebody else; then, if it has
/// probes, they go in again, with the same sites if the bytes are the same.
pub fn reload(recorder: &Recorder, class: Incoming<'_>, jdk: bool) -> Option<Vec<u8>> {
    let name = class.name;
    if recorder.has_ended() {
        return in_shape(recorder, class);
    }
    if recorder.selection.observes(name, false) {
        let waited = arming().is_some_and(|arming| arming.is_shaped(class));
        let (no, new) = recorder.tables.class_no(name);
        if new && waited {
            // It was loaded while nothing was recorded.
            recorder.unmatched.matched();
            recorder.tables.will_rewrite(name, class.bytes);
            return rewrite(recorder, no, class);
        }
        if new {
            // Loaded before the probes worked; its frames on the stack would be half recorded.
            let reason = Missing::Early.to_string();
            recorder.tables.note(LossKind::Early, name, reason);
            return None;
        }
        let past = &recorder.numbers.past;
        if waited && past.known(no, class.loader, class.bytes) == EarlierForm::Unprobed {
            if recorder.tables.has_bytes(name, class.bytes) {
                return other_loader(recorder, no, class);
            }
            let reason = OTHER_VERSION.into();
            recorder.tables.note(LossKind::Class, name, reason);
            return None;
        }
        return again(recorder, no, ProbeSet::Observed, class);
    }
    if jdk && recorder.inheritance.retransforms(name).is_none() {
        return None;
    }
    let bytes = match recorder.inheritance.retransforms(name) {
        None => outside::load(recorder, class, scan::references(class.bytes).ok().as_ref()),
        Some(true) => rewrite_inherited(recorder, recorder.tables.class_no(name), class),
        Some(false) => again(
            recorder,
            recorder.tables.class_no(name).0,
            ProbeSet::Inherited,
            class,
        ),
    };
    recorder.carriers.reload(class, bytes)
}

/// A class that comes again without probes: the recording has ended, or there is no room for them in what it has become. The JVM lets no class
/// lose a field or a method, so it keeps the field with the identity and the bodies of method references, if it has got them.
pub fn in_shape(recorder: &Recorder, class: Incoming<'_>) -> Option<Vec<u8>> {
    if !recorder.selection.observes(class.name, false) {
        return recorder.carriers.reload(class, None);
    }
    let no = recorder.tables.known_class(class.name)?;
    match recorder.numbers.past.known(no, class.loader, class.bytes) {
        EarlierForm::Unprobed => None,
        EarlierForm::Changed | EarlierForm::Numbers(_) => {
            let parsed = ClassFile::parse(class.bytes).ok()?;
            let (mut parsed, has_bodies) = with_bodies(recorder, no, class.name, parsed);
            let has_field = instrument::add_field(&mut parsed, &recorder.selection).ok()?;
            (has_bodies || has_field).then(|| parsed.to_bytes().ok())?
        }
    }
}

/// `Field` with the probes that tell of accesses by reflection.
pub fn watch_fields(bytes: &[u8]) -> Option<Vec<u8>> {
    instrument::watch_fields(bytes).ok()
}

/// `Reflection` such that it does not show what is added to classes.
pub fn hide_members(bytes: &[u8]) -> Option<Vec<u8>> {
    instrument::hide_members(bytes).ok().flatten()
}

/// `StackTraceElement` such that stack traces do not show it either.
pub fn hide_frames(bytes: &[u8]) -> Option<Vec<u8>> {
    instrument::hide_frames(bytes).ok().flatten()
}

/// `Throwable` such that it does not show frames of probes, and tells of exceptions that are made if failures are waited for.
pub fn hide_frames_of_probes(bytes: &[u8]) -> Option<Vec<u8>> {
    let hidden = instrument::hide_frames_of_probes(bytes).ok().flatten();
    match arming() {
        Some(arming) if arming.has_fails() => {
            let watched = instrument::watch_made(hidden.as_deref().unwrap_or(bytes));
            watched.ok().flatten().or(hidden)
        }
        _ => hidden,
    }
}

/// `ObjectStreamClass` with the probe that tells of objects that deserialization has made.
pub fn watch_deserialization(bytes: &[u8]) -> Option<Vec<u8>> {
    instrument::watch_deserialization(bytes).ok().flatten()
}

/// The class of a test engine with the probes where it reports. It may be observed and have other probes by now.
pub fn watch_engine(class: Incoming<'_>, probed: Option<Vec<u8>>) -> Option<Vec<u8>> {
    let bytes = probed.as_deref().unwrap_or(class.bytes);
    let watched = instrument::watch_engine(class.name, bytes).ok().flatten();
    watched.or(probed)
}

/// `Thread` with the probe that tells of uncaught exceptions.
pub fn watch_uncaught(bytes: &[u8]) -> Option<Vec<u8>> {
    instrument::watch_uncaught(bytes).ok().flatten()
}

fn again(
    recorder: &Recorder,
    no: ClassNo,
    probe_set: ProbeSet,
    class: Incoming<'_>,
) -> Option<Vec<u8>> {
    let old = match recorder.numbers.past.known(no, class.loader, class.bytes) {
        EarlierForm::Unprobed => return None,
        EarlierForm::Changed => {
            let reason = Missing::Changed.to_string();
            recorder.tables.note_loss(class.name, reason);
            None
        }
        EarlierForm::Numbers(numbers) => Some(numbers),
    };
    match instrumented(recorder, no, probe_set, class, old.as_deref()) {
        Ok(done) => {
            if old.is_none() {
                recorder.tables.record(&Record::Sites(done.sites));
            }
            Some(done.bytes)
        }
        Err(e) => {
            recorder.tables.note_loss(class.name, e.to_string());
            in_shape(recorder, class)
        }
    }
}

/// The class with probes, which have the numbers `old` if there are some, else new ones, which are remembered.
fn instrumented(
    recorder: &Recorder,
    no: ClassNo,
    probe_set: ProbeSet,
    class: Incoming<'_>,
    old: Option<&[SiteNo]>,
) -> Result<Instrumented, InstrumentError> {
    let parsed = ClassFile::parse(class.bytes)?;
    let parsed = match probe_set {
        ProbeSet::Observed => with_bodies(recorder, no, class.name, parsed).0,
        ProbeSet::Inherited | ProbeSet::Outside => parsed,
    };
    instrumented_class(recorder, no, probe_set, class, parsed, old)
}

/// The observed class with a body for each of its method references to the environment, and whether it got any. Without room for them it
/// stays as it is: what such a reference does is not recorded then, and replay does not do it.
fn with_bodies(
    recorder: &Recorder,
    no: ClassNo,
    name: &str,
    parsed: ClassFile,
) -> (ClassFile, bool) {
    let references = recorder.numbers.past.bodies(no);
    if references.is_empty() {
        return (parsed, false);
    }
    let mut changed = parsed.clone();
    match add_bodies(&mut changed, &references) {
        Ok(true) => (changed, true),
        Ok(false) => (parsed, false),
        Err(e) => {
            recorder.tables.note_loss(
                name,
                Missing::References {
                    why: &e.to_string(),
                }
                .to_string(),
            );
            (parsed, false)
        }
    }
}

/// A new observed class as it is recorded: parsed, its bytes, and what the class table says of it.
fn described_with_bodies<'a>(
    recorder: &Recorder,
    no: ClassNo,
    class: Incoming<'a>,
) -> Option<(ClassFile, ClassDef)> {
    let parsed = ClassFile::parse(class.bytes).ok()?;
    let references = instrument::leading_out(&parsed, &recorder.selection);
    recorder
        .numbers
        .past
        .has_bodies(no, references.unwrap_or_default());
    let (parsed, changed) = with_bodies(recorder, no, class.name, parsed);
    let bytes: Cow<'a, [u8]> = match changed {
        true => parsed.to_bytes().ok()?.into(),
        false => class.bytes.into(),
    };
    let bytes = runs_alone(&parsed, bytes)?;
    let def = class_def(no, &parsed, &bytes, ClassOrigin::Observed)?;
    Some((parsed, def))
}

/// [`instrumented`] for a class that is parsed already.
fn instrumented_class(
    recorder: &Recorder,
    no: ClassNo,
    probe_set: ProbeSet,
    class: Incoming<'_>,
    parsed: ClassFile,
    old: Option<&[SiteNo]>,
) -> Result<Instrumented, InstrumentError> {
    let mut taken = Vec::new();
    let mut next_site = || {
        let known = old.and_then(|numbers| numbers.get(taken.len()));
        let site = known
            .copied()
            .unwrap_or_else(|| recorder.tables.reserve_site());
        taken.push(site);
        site
    };
    let selection = &recorder.selection;
    let done = instrument::instrument_class(no, probe_set, parsed, selection, &mut next_site)?;
    if old.is_none() {
        let (loader, bytes) = (class.loader, class.bytes);
        recorder.numbers.past.remember(no, loader, bytes, taken);
    }
    Ok(done)
}

fn rewrite(recorder: &Recorder, no: ClassNo, class: Incoming<'_>) -> Option<Vec<u8>> {
    let nameless = || ClassDef {
        no,
        name: class.name.into(),
        super_name: None,
        interfaces: vec![],
        access: 0,
        origin: ClassOrigin::Skipped,
        source_file: None,
        bytes: class.bytes.into(),
    };
    let Some((parsed, def)) = described_with_bodies(recorder, no, class) else {
        recorder
            .tables
            .left_alone(nameless(), Missing::ClassFile.to_string());
        return None;
    };
    // An earlier recording of the process may have put the same probes in.
    let old = recorder.numbers.past.same(no, class.bytes);
    let old = old.as_deref();
    match instrumented_class(recorder, no, ProbeSet::Observed, class, parsed, old) {
        Ok(mut done) => {
            recorder.numbers.past.joins(no, class.loader);
            recorder.inheritance.rewritten(&def, &recorder.selection);
            recorder
                .tables
                .rewritten(def, std::mem::take(&mut done.sites));
            note_losses(recorder, class.name, &done);
            Some(done.bytes)
        }
        Err(e) => {
            recorder.tables.left_alone(
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

/// The class file of a class that observed ones inherit from, and what the class table says of it; `None` if it is not understood.
fn described(no: ClassNo, bytes: &[u8]) -> Option<(ClassFile, ClassDef)> {
    let parsed = ClassFile::parse(bytes).ok()?;
    let bytes = runs_alone(&parsed, bytes.into())?;
    let def = class_def(no, &parsed, &bytes, ClassOrigin::Inherited)?;
    Some((parsed, def))
}

/// The class such that it runs where there is no JaCoCo; as it is in `bytes` if JaCoCo has not changed it, `None` if it is not understood.
fn runs_alone<'a>(parsed: &ClassFile, bytes: Cow<'a, [u8]>) -> Option<Cow<'a, [u8]>> {
    match instrument::without_coverage(parsed).ok()? {
        Some(alone) => Some(alone.to_bytes().ok()?.into()),
        None => Some(bytes),
    }
}

/// The class that observed ones inherit from; if it has to stay as it is, it is a library's class like any other.
fn rewrite_inherited(
    recorder: &Recorder,
    (no, new): (ClassNo, bool),
    class: Incoming<'_>,
) -> Option<Vec<u8>> {
    let Incoming { name, bytes, .. } = class;
    let done = described(no, bytes)
        .ok_or_else(|| Missing::ClassFile.to_string())
        .and_then(|(parsed, def)| {
            let old = recorder.numbers.past.same(no, bytes);
            let (inherited, old) = (ProbeSet::Inherited, old.as_deref());
            let done = instrumented_class(recorder, no, inherited, class, parsed, old);
            done.map(|d| (def, d)).map_err(|e| e.to_string())
        });
    match done {
        Ok((def, done)) if done.sites.is_empty() && done.left_out.is_empty() => {
            // An interface without code of its own; those it extends may have some.
            if new {
                recorder.tables.skeleton_of(no, name, bytes);
            }
            recorder.inheritance.rewritten(&def, &recorder.selection);
            None
        }
        Ok((def, mut done)) => {
            recorder.tables.record(&Record::Class(def.clone()));
            recorder
                .tables
                .record(&Record::Sites(std::mem::take(&mut done.sites)));
            recorder.inheritance.rewritten(&def, &recorder.selection);
            note_losses(recorder, name, &done);
            Some(done.bytes)
        }
        Err(e) => {
            if new {
                recorder.tables.skeleton_of(no, name, bytes);
            }
            recorder
                .tables
                .note_loss(name, Missing::Inherited { why: &e }.to_string());
            recorder.inheritance.settle(name);
            None
        }
    }
}

fn note_losses(recorder: &Recorder, name: &str, done: &Instrumented) {
    for what in &done.thinned {
        recorder
            .tables
            .note_loss(name, Missing::NoRoom { what }.to_string());
    }
    for what in &done.left_out {
        recorder
            .tables
            .note_loss(name, Missing::LeftOut { what }.to_string());
    }
}
