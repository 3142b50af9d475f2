//! Takes the probes out of the program when its recording has ended and it has not.
//!
//! A probe that finds no buffer does nothing, but compilers cannot know: code that is called millions of times would go on as slowly as
//! while it was recorded. So its classes are retransformed, once, to what they were but for the fields that objects carry.
//! Methods that run at that moment keep their probes until they return.

use std::ffi::{CStr, c_void};
use std::ptr;

use jvmti_bindings::prelude::*;

use crate::globals::{jvmti, recorder, vm};
use crate::recorder::Recorder;

/// As which the encoder thread shows itself to the program for that time.
const NAME: &CStr = c"jinsi-encoder";
/// References to classes that there may be at a time; no JVM promises more.
const REFERENCES: jni::jint = 1 << 16;

/// Takes the probes out of all classes that have some. What the JVM does not want to give back stays: it does no harm. Call it on a
/// thread that the JVM does not know.
pub(crate) fn classes() {
    let (Some(vm), Some(jvmti), Some(recorder)) = (vm(), jvmti(), recorder()) else {
        return;
    };
    let Some(attached) = Attached::daemon(vm) else {
        return;
    };
    // Else a JVM that checks its natives says on standard output how many references there are.
    let _ = attached.jni.ensure_local_capacity(REFERENCES);
    let all = jvmti.get_loaded_classes().unwrap_or_default();
    let (mine, others): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|&class| has_probes(recorder, &jvmti, class));
    for class in others {
        // SAFETY: a local reference of this thread that is not used again.
        unsafe { attached.jni.delete_local_ref(class) };
    }
    // SAFETY: live local references of this thread.
    if !mine.is_empty() && unsafe { jvmti.retransform_classes(&mine) }.is_err() {
        // One of them cannot be had, say because another agent has changed it; which is not said.
        for class in mine {
            // SAFETY: as above.
            let _ = unsafe { jvmti.retransform_classes(&[class]) };
        }
    }
}

/// Has the class with this reference probes of ours?
fn has_probes(recorder: &Recorder, jvmti: &Jvmti, class: jni::jclass) -> bool {
    // SAFETY: a live local reference of this thread.
    let Ok((signature, _)) = (unsafe { jvmti.get_class_signature(class) }) else {
        return false;
    };
    let name = signature
        .strip_prefix('L')
        .and_then(|s| s.strip_suffix(';'));
    let no = name.and_then(|name| recorder.tables.known_class(name));
    no.is_some_and(|no| recorder.past.has(no))
}

/// The calling thread, as long as it is one of the JVM's.
struct Attached {
    vm: *mut jni::JavaVM,
    jni: JniEnv,
}

impl Attached {
    fn daemon(vm: *mut jni::JavaVM) -> Option<Self> {
        let mut arguments = jni::JavaVMAttachArgs {
            version: jni::JNI_VERSION_1_6,
            name: NAME.as_ptr().cast_mut(),
            group: ptr::null_mut(),
        };
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: the JVM is alive as long as this thread, for which its end waits; the arguments live for the call, and name is only read.
        let attached = unsafe {
            ((**vm).AttachCurrentThreadAsDaemon)(
                vm,
                &raw mut env,
                (&raw mut arguments).cast::<c_void>(),
            )
        };
        if attached != jni::JNI_OK || env.is_null() {
            return None;
        }
        // SAFETY: the environment of this thread, as the JVM has just given it.
        let jni = unsafe { JniEnv::from_raw(env.cast()) };
        Some(Self { vm, jni })
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        // SAFETY: this thread was attached above, and has no Java frames. Its local references go with it.
        unsafe { ((**self.vm).DetachCurrentThread)(self.vm) };
    }
}
