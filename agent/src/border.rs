//! What comes over the border from Java: texts, and references.

use jvmti_bindings::prelude::*;

/// As many references as a JVM lets a native method have at a time (HotSpot's `MaxJNILocalCapacity`): for what is reported of all classes. There may be
/// more; then `-Xcheck:jni` complains, and nothing else comes of it.
pub(crate) const MANY_REFERENCES: jni::jint = 1 << 16;

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
