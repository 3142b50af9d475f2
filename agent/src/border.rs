//! Texts that come over the border from Java.

use jvmti_bindings::prelude::*;

/// A Java string; what is no text in it is replaced.
///
/// # Safety
/// `env` is the JNI environment of the current thread and `text` null or a live string reference of it.
pub(crate) unsafe fn string(env: *mut jni::JNIEnv, text: jni::jstring) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: forwarded.
    unsafe { JniEnv::from_raw(env).get_string_lossy(text) }
}
