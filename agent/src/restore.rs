//! Has classes rewritten that are loaded already: to take the probes out of the program when its recording has ended and it has not, and
//! to put them in where a recording begins in the middle of it.
//!
//! A probe that finds no buffer does nothing, but compilers cannot know: code that is called millions of times would go on as slowly as
//! while it was recorded. So its classes are retransformed, once, to what they were but for the fields that objects carry.
//! Methods that run at that moment keep their probes until they return.

use std::ffi::CStr;

use jvmti_bindings::prelude::*;

use crate::ancestors::internal_name;
use crate::caller::{Attached, Caller};
use crate::globals::recorder;
use crate::recorder::Recorder;

/// As which the encoder thread shows itself to the program for that time.
const NAME: &CStr = c"jinsi-encoder";
/// References to classes that there may be at a time; no JVM promises more.
const REFERENCES: jni::jint = 1 << 16;

/// Takes the probes out of all classes that have some. What the JVM does not want to give back stays: it does no harm. Call it on a
/// thread that the JVM does not know.
pub(crate) fn classes() {
    if let (Some(recorder), Some(attached)) = (recorder(), Attached::daemon(NAME)) {
        let caller = attached.caller();
        retransform(caller, usize::MAX, &|name| has_probes(recorder, name));
    }
}

/// Has the JVM ask the class hook again for all loaded classes with such internal names, so many at a time: all threads stand still meanwhile. The
/// classes; those that the JVM refuses are left as they are. Call it once for each attachment of a thread.
pub(crate) fn retransform(
    caller: Caller<'_>,
    at_a_time: usize,
    wanted: &dyn Fn(&str) -> bool,
) -> Vec<jni::jclass> {
    let Some(jni) = caller.jni() else {
        return Vec::new();
    };
    // Else a JVM that checks its natives says on standard output how many references there are.
    let _ = jni.ensure_local_capacity(REFERENCES);
    let all = caller.jvmti().get_loaded_classes().unwrap_or_default();
    let (mine, others): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|&class| internal_name(caller, class).is_some_and(|name| wanted(&name)));
    for class in others {
        // SAFETY: a local reference of this thread that is not used again.
        unsafe { jni.delete_local_ref(class) };
    }
    for some in mine.chunks(at_a_time) {
        // SAFETY: live local references of this thread.
        if unsafe { caller.jvmti().retransform_classes(some) }.is_err() {
            // One of them cannot be had, say because another agent has changed it; which is not said.
            for &class in some {
                // SAFETY: as above.
                let _ = unsafe { caller.jvmti().retransform_classes(&[class]) };
            }
        }
    }
    mine
}

/// Has the class with this internal name probes of ours?
pub(crate) fn has_probes(recorder: &Recorder, name: &str) -> bool {
    let no = recorder.tables.known_class(name);
    no.is_some_and(|no| recorder.numbers.past.has(no))
}
