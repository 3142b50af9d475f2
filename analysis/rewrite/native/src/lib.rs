//! The rewriter for JVMs that run written tests: `jinsi.replay.Rewriter` loads this library and calls its only function.
//!
//! Nothing is kept between calls, and no question can do harm: what is wrong with one is said in the answer ([`jinsi_rewrite::today`]).

use std::panic::{AssertUnwindSafe, catch_unwind};

use jinsi_rewrite::today;
use jvmti_bindings::env::JniEnv;
use jvmti_bindings::sys::jni;

/// Answers a question: both are arrays of bytes, as [`jinsi_rewrite::today`] describes them. Gives `null`, with an `OutOfMemoryError` pending, if the
/// JVM has no room for the answer, and without one if there is no question.
///
/// # Safety
/// For a JVM only: `env` is the calling thread's environment, and `question` is `null` or a local reference to a `byte[]`, as the declaration of the native
/// method in `jinsi.replay.Rewriter` makes sure.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_jinsi_replay_Rewriter_answer(
    env: *mut jni::JNIEnv,
    _class: jni::jclass,
    question: jni::jbyteArray,
) -> jni::jbyteArray {
    if env.is_null() || question.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: the JVM hands over the environment of the calling thread, which is this one until the function returns.
    let env = unsafe { JniEnv::from_raw(env) };
    // SAFETY: `question` is a live local reference to a byte array.
    let question = unsafe { bytes_of(&env, question) };
    let answer = catch_unwind(AssertUnwindSafe(|| today::answer(&question)));
    let answer =
        answer.unwrap_or_else(|_| today::refusal("the rewriter has a defect: it panicked"));
    array_of(&env, &answer).unwrap_or(std::ptr::null_mut())
}

/// What is in an array of bytes.
///
/// # Safety
/// `array` is a live reference to a `byte[]`.
unsafe fn bytes_of(env: &JniEnv, array: jni::jbyteArray) -> Vec<u8> {
    // SAFETY: as the caller says.
    let length = unsafe { env.get_array_length(array) };
    let mut bytes: Vec<jni::jbyte> = vec![0; usize::try_from(length).unwrap_or_default()];
    // SAFETY: the region is the whole array, and `bytes` has as much room.
    unsafe { env.get_byte_array_region(array, 0, length, &mut bytes) };
    bytes.into_iter().map(jni::jbyte::cast_unsigned).collect()
}

/// An array with these bytes; `None` if the JVM has no room for it.
fn array_of(env: &JniEnv, bytes: &[u8]) -> Option<jni::jbyteArray> {
    let length = jni::jsize::try_from(bytes.len()).ok()?;
    let array = env.new_byte_array(length)?;
    let signed: Vec<jni::jbyte> = bytes.iter().map(|b| b.cast_signed()).collect();
    // SAFETY: the array was just made with this length, and belongs to nobody else.
    unsafe { env.set_byte_array_region(array, 0, length, &signed) };
    Some(array)
}
