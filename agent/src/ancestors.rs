//! The superclasses of a class that is being prepared, as the JVM has them: those loaded before anybody knew that an observed class
//! would inherit from them are rewritten here.
//!
//! A class is prepared before it has an instance, and the preparing thread goes on only when its superclasses have their probes: no
//! method of theirs can run on an observed object unrecorded. Methods that run at that moment do so on other objects.

use std::collections::HashSet;

use jvmti_bindings::prelude::*;

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
    context: &CallbackContext<'_>,
    class: jni::jclass,
    is_jdk: &dyn Fn(jni::jobject) -> bool,
) {
    if !recorder.inheritance.waits() {
        return;
    }
    let Some(name) = internal_name(context, class) else {
        return;
    };
    if !recorder.inheritance.prepared(&name) {
        return;
    }
    let mut all = Vec::new();
    collect(context, class, is_jdk, &mut HashSet::new(), &mut all);
    for ancestor in all {
        rewrite(recorder, context, &ancestor);
        release(context, ancestor.class);
    }
}

fn rewrite(recorder: &Recorder, context: &CallbackContext<'_>, ancestor: &Ancestor) {
    let name = &ancestor.name;
    if !recorder.selection.may_be_inherited(name, false) {
        return;
    }
    let lost = match recorder.inheritance.claim(name) {
        Claim::Done => return,
        Claim::Busy => Missing::Busy.to_string(),
        // SAFETY: `ancestor.class` is a live local reference of this callback.
        Claim::Mine => match unsafe { context.jvmti().retransform_classes(&[ancestor.class]) } {
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
    context: &CallbackContext<'_>,
    class: jni::jclass,
    is_jdk: &dyn Fn(jni::jobject) -> bool,
    seen: &mut HashSet<String>,
    all: &mut Vec<Ancestor>,
) {
    for parent in parents(context, class) {
        let name = internal_name(context, parent).filter(|_| !of_the_jdk(context, parent, is_jdk));
        match name {
            Some(name) if seen.insert(name.clone()) => {
                collect(context, parent, is_jdk, seen, all);
                all.push(Ancestor {
                    name,
                    class: parent,
                });
            }
            _ => release(context, parent),
        }
    }
}

/// Superclass and superinterfaces of `class`, a live reference of this callback. They are to be released.
pub(crate) fn parents(context: &CallbackContext<'_>, class: jni::jclass) -> Vec<jni::jclass> {
    let Some(jni) = context.jni() else {
        return Vec::new();
    };
    // SAFETY: `class` is a live local reference of this callback.
    unsafe {
        let interfaces = context.jvmti().get_implemented_interfaces(class);
        let mut parents = interfaces.unwrap_or_default();
        parents.extend(jni.get_superclass(class));
        parents
    }
}

fn of_the_jdk(
    context: &CallbackContext<'_>,
    class: jni::jclass,
    is_jdk: &dyn Fn(jni::jobject) -> bool,
) -> bool {
    // SAFETY: `class` is a live local reference of this callback, and so is the loader that comes back.
    match unsafe { context.jvmti().get_class_loader(class) } {
        Ok(loader) => {
            let jdk = is_jdk(loader);
            release(context, loader);
            jdk
        }
        Err(_) => true,
    }
}

/// A hierarchy may be deep, and callbacks are only promised room for 16 references.
pub(crate) fn release(context: &CallbackContext<'_>, reference: jni::jobject) {
    if let Some(jni) = context.jni().filter(|_| !reference.is_null()) {
        // SAFETY: the reference came from a JNI or JVMTI function in this callback and is not used again.
        unsafe { jni.delete_local_ref(reference) };
    }
}

/// Internal name of a class, a live reference of this callback; none of an array.
pub(crate) fn internal_name(context: &CallbackContext<'_>, class: jni::jclass) -> Option<String> {
    // SAFETY: `class` is a live local reference of this callback.
    let (signature, _) = unsafe { context.jvmti().get_class_signature(class) }.ok()?;
    Some(signature.strip_prefix('L')?.strip_suffix(';')?.to_owned())
}
