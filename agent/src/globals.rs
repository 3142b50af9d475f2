//! What there is one of in a process: the JVM, and the recording or what waits to begin one. The JVM's callbacks and natives find them here.

use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use jinsi_instrument::selection::Selection;
use jvmti_bindings::prelude::*;

use crate::arming::Arming;
use crate::recorder::Recorder;

static RECORDER: AtomicPtr<Recorder> = AtomicPtr::new(ptr::null_mut());
static ARMING: OnceLock<Arming> = OnceLock::new();
/// JVMTI environment and JVM, as addresses; both live as long as the process.
static JVMTI: OnceLock<usize> = OnceLock::new();
static VM: OnceLock<usize> = OnceLock::new();

/// The recording, while there is one.
pub(crate) fn recorder() -> Option<&'static Recorder> {
    // SAFETY: what is stored there was leaked, and is never freed.
    unsafe { RECORDER.load(Ordering::Acquire).as_ref() }
}

/// The recording begins. It stays in memory: probes may be at work with it that were called while it went on. False if there is one already.
pub(crate) fn begin(recorder: Recorder) -> bool {
    if self::recorder().is_some() {
        return false;
    }
    let recorder = Box::into_raw(Box::new(recorder));
    let began = RECORDER.compare_exchange(
        ptr::null_mut(),
        recorder,
        Ordering::AcqRel,
        Ordering::Acquire,
    );
    if began.is_err() {
        // SAFETY: it was made above, and nobody else has it.
        drop(unsafe { Box::from_raw(recorder) });
    }
    began.is_ok()
}

/// The recording has ended, and another one may begin.
pub(crate) fn end() {
    RECORDER.store(ptr::null_mut(), Ordering::Release);
}

/// What begins recordings, if they do not begin with the program.
pub(crate) fn arming() -> Option<&'static Arming> {
    ARMING.get()
}

/// Recordings begin when this says so. False if that was said already.
pub(crate) fn arm(arming: Arming) -> bool {
    ARMING.set(arming).is_ok()
}

/// Which classes are observed, also while nothing is recorded.
pub(crate) fn selection() -> Option<&'static Selection> {
    arming()
        .map(Arming::selection)
        .or_else(|| recorder().map(|recorder| &recorder.selection))
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
