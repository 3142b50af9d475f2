//! The superclasses of a class that is being prepared, as the JVM has them: those loaded before anybody knew that an observed class
//! would inherit from them are rewritten here.
//!
//! A class is prepared before it has an instance, and the preparing thread goes on only when its superclasses have their probes: no
//! method of theirs can run on an observed object unrecorded. Methods that run at that moment do so on other objects.

use std::collections::HashSet;

use jvmti_bindings::prelude::*;

use crate::caller::Caller;
use crate::inherit::Claim;
use crate::message::Missing;
use crate::recorder::Recorder;

/// A superclass or superinterface, with its internal name.
struct Ancestor {
    name: String,
    class: jni::jclass,
}

/// `class` is prepared: if it is one whose superclasses count, those that are loaded and not rewritten are rewritten now.
/// `is_jdk` tells of a loader whether its classes are the JDK's.
pub(crate) fn prepared(
    recorder: &Recorder,
    caller: Caller<'_>,
    class: jni::jclass,
    is_jdk: &dyn Fn(jni::jobject) -> bool,
) {
    if !recorder.inheritance.waits() {
        return;
    }
    let Some(name) = internal_name(caller, class) else {
        return;
    };
    if !recorder.inheritance.prepared(&name) {
        return;
    }
    let mut all = Vec::new();
    collect(caller, class, is_jdk, &mut HashSet::new(), &mut all);
    for ancestor in all {
        rewrite(recorder, caller, &ancestor);
        release(caller, ancestor.class);
    }
}

fn rewrite(recorder: &Recorder, caller: Caller<'_>, ancestor: &Ancestor) {
    let name = &ancestor.name;
    if !recorder.selection.may_be_inherited(name, false) {
        return;
    }
    let lost = match recorder.inheritance.claim(name) {
        Claim::Done => return,
        Claim::Busy => Missing::Busy.to_string(),
        // SAFETY: `ancestor.class` is a live local reference of this callback.
        Claim::Mine => match unsafe { caller.jvmti().retransform_classes(&[ancestor.class]) } {
            // The class hook has done its work, or has said why not.
            Ok(()) => {
                recorder.inheritance.settle(name);
                return;
            }
            Err(e) => {
                recorder.inheritance.settle(name);
                let why = format!("{e:?}");
                Missing::NotRewritten { why: &why }.to_string()
            }
        },
    };
    recorder
        .tables
        .note_loss(name, Missing::Inherited { why: &lost }.to_string());
}

/// Superclass and superinterfaces of `class`, and theirs, each once, but for the JDK's.
fn collect(
    caller: Caller<'_>,
    class: jni::jclass,
    is_jdk: &dyn Fn(jni::jobject) -> bool,
    seen: &mut HashSet<String>,
    all: &mut Vec<Ancestor>,
) {
    for parent in parents(caller, class) {
        let name = internal_name(caller, parent).filter(|_| !of_the_jdk(caller, parent, is_jdk));
        match name {
            Some(name) if seen.insert(name.clone()) => {
                collect(caller, parent, is_jdk, seen, all);
                all.push(Ancestor {
                    name,
                    class: parent,
                });
            }
            _ => release(caller, parent),
        }
    }
}

/// Superclass and superinterfaces of `class`, a live reference of this callback. They are to be released.
pub(crate) fn parents(caller: Caller<'_>, class: jni::jclass) -> Vec<jni::jclass> {
    let Some(jni) = caller.jni() else {
        return Vec::new();
    };
    // SAFETY: `class` is a live local reference of this callback.
    unsafe {
        let interfaces = caller.jvmti().get_implemented_interfaces(class);
        let mut parents = interfaces.unwrap_or_default();
        parents.extend(jni.get_superclass(class));
        parents
    }
}

fn of_the_jdk(
    caller: Caller<'_>,
    class: jni::jclass,
    is_jdk: &dyn Fn(jni::jobject) -> bool,
) -> bool {
    // SAFETY: `class` is a live local reference of this callback, and so is the loader that comes back.
    match unsafe { caller.jvmti().get_class_loader(class) } {
        Ok(loader) => {
            let jdk = is_jdk(loader);
            release(caller, loader);
            jdk
        }
        Err(_) => true,
    }
}

/// A hierarchy may be deep, and callbacks are only promised room for 16 references.
pub(crate) fn release(caller: Caller<'_>, reference: jni::jobject) {
    if let Some(jni) = caller.jni().filter(|_| !reference.is_null()) {
        // SAFETY: the reference came from a JNI or JVMTI function in this callback and is not used again.
        unsafe { jni.delete_local_ref(reference) };
    }
}

/// Internal name of a class, a live reference of this callback; none of an array.
pub(crate) fn internal_name(caller: Caller<'_>, class: jni::jclass) -> Option<String> {
    // SAFETY: `class` is a live local reference of this callback.
    let (signature, _) = unsafe { caller.jvmti().get_class_signature(class) }.ok()?;
    Some(signature.strip_prefix('L')?.strip_suffix(';')?.to_owned())
}
