//! What there is one of in a process: the recording, and the JVM. Set once, when the agent is loaded; the JVM's callbacks and natives find them
//! here.

use std::sync::OnceLock;

use jvmti_bindings::prelude::*;

use crate::recorder::Recorder;

static RECORDER: OnceLock<Recorder> = OnceLock::new();
/// JVMTI environment and JVM, as addresses; both live as long as the process.
static JVMTI: OnceLock<usize> = OnceLock::new();
static VM: OnceLock<usize> = OnceLock::new();

/// The recording, once it has begun.
pub(crate) fn recorder() -> Option<&'static Recorder> {
    RECORDER.get()
}

/// The recording begins. False if there is one already.
pub(crate) fn begin(recorder: Recorder) -> bool {
    RECORDER.set(recorder).is_ok()
}

/// JVMTI, once the agent is loaded.
pub(crate) fn jvmti() -> Option<Jvmti> {
    // SAFETY: the pointer is that of an environment which is never disposed of.
    JVMTI
        .get()
        .map(|&env| unsafe { Jvmti::from_raw(env as *mut jvmti::jvmtiEnv) })
}

/// The JVM, once the agent is loaded.
pub(crate) fn vm() -> Option<*mut jni::JavaVM> {
    VM.get().map(|&vm| vm as *mut jni::JavaVM)
}

/// Keeps the agent's JVMTI environment and the JVM.
pub(crate) fn keep(jvmti: &Jvmti, vm: *mut jni::JavaVM) {
    let _ = JVMTI.set(jvmti.raw() as usize);
    let _ = VM.set(vm as usize);
}
