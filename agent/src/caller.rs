//! On whose behalf the agent asks the JVM: that of a callback, or of a thread of its own.

use std::ffi::{CStr, c_void};
use std::ptr;

use jvmti_bindings::prelude::*;

use crate::globals::{jvmti, vm};

/// Both interfaces of the JVM, as one thread may use them.
#[derive(Clone, Copy)]
pub(crate) struct Caller<'a> {
    jvmti: &'a Jvmti,
    jni: Option<&'a JniEnv>,
}

impl<'a> Caller<'a> {
    /// The thread of a callback.
    pub(crate) fn of(context: &'a CallbackContext<'_>) -> Self {
        Self {
            jvmti: context.jvmti(),
            jni: context.jni().map(|jni| &**jni),
        }
    }

    /// JVMTI.
    pub(crate) fn jvmti(self) -> &'a Jvmti {
        self.jvmti
    }

    /// JNI, if the thread is one of the JVM's.
    pub(crate) fn jni(self) -> Option<&'a JniEnv> {
        self.jni
    }
}

/// The calling thread, as long as it is one of the JVM's.
pub(crate) struct Attached {
    vm: *mut jni::JavaVM,
    jni: JniEnv,
    jvmti: Jvmti,
}

impl Attached {
    /// As a daemon that shows itself to the program by this name. `None` if the JVM does not want it, or there is none.
    pub(crate) fn daemon(name: &CStr) -> Option<Self> {
        let (vm, jvmti) = (vm()?, jvmti()?);
        let mut arguments = jni::JavaVMAttachArgs {
            version: jni::JNI_VERSION_1_6,
            name: name.as_ptr().cast_mut(),
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
        Some(Self { vm, jni, jvmti })
    }

    /// The thread.
    pub(crate) fn caller(&self) -> Caller<'_> {
        Caller {
            jvmti: &self.jvmti,
            jni: Some(&self.jni),
        }
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        // SAFETY: this thread was attached above, and has no Java frames. Its local references go with it.
        unsafe { ((**self.vm).DetachCurrentThread)(self.vm) };
    }
}
