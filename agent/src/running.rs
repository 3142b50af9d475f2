//! Which threads are in observed code, by their stacks.

use std::collections::HashMap;

use jvmti_bindings::prelude::*;

use crate::globals::jvmti;
use crate::recorder::Recorder;
use crate::window_barrier::Running;

/// Frames looked at, from the top. What is deeper down counts as the environment's.
const DEPTH: jni::jint = 4096;

/// All threads in observed code, at one moment. `None` if the JVM does not say.
///
/// # Safety
/// `env` is the JNI environment of the current thread.
pub(crate) unsafe fn running(env: *mut jni::JNIEnv, recorder: &Recorder) -> Option<Vec<Running>> {
    let jvmti = jvmti()?;
    // SAFETY: forwarded.
    let jni = unsafe { JniEnv::from_raw(env) };
    let _frame = jni.push_local_frame(64).ok()?;
    // SAFETY: the class is found and has the field in every JDK.
    let id = unsafe {
        let class = jni.find_class("java/lang/Thread")?;
        jni.get_field_id(class, "tid", "J")?
    };
    let stacks = jvmti.get_all_stack_traces(DEPTH).ok()?;
    let mut known: HashMap<usize, bool> = HashMap::new();
    let mut found = Vec::new();
    for stack in stacks {
        let observed = |method: jni::jmethodID| {
            *known
                .entry(method as usize)
                // SAFETY: the method is on a stack of which the JVM reported just now; its class is not unloaded before its thread goes on, and
                // asking for the class of one that was is an error.
                .or_insert_with(|| unsafe { is_recorded(&jvmti, &jni, method, recorder) })
        };
        let methods = stack.frames.iter().map(|f| f.method).filter({
            let mut observed = observed;
            move |&m| observed(m)
        });
        let methods = methods.count();
        if methods > 0 {
            // SAFETY: the thread is a live local reference, and the field one of its class.
            let tid = unsafe { jni.get_long_field(stack.thread, id) };
            found.push(Running { tid, methods });
        }
        // SAFETY: the reference came with the stack and is not used again.
        unsafe { jni.delete_local_ref(stack.thread) };
    }
    Some(found)
}

/// Does the method belong to a class that has probes because it is observed, or because observed ones inherit from it?
///
/// # Safety
/// `method` is a method's id.
unsafe fn is_recorded(
    jvmti: &Jvmti,
    jni: &JniEnv,
    method: jni::jmethodID,
    recorder: &Recorder,
) -> bool {
    // SAFETY: forwarded; the class is a live local reference until it is deleted.
    unsafe {
        let Ok(class) = jvmti.get_method_declaring_class(method) else {
            return false;
        };
        let signature = jvmti.get_class_signature(class);
        jni.delete_local_ref(class);
        let Ok((signature, _)) = signature else {
            return false;
        };
        let name = signature
            .strip_prefix('L')
            .and_then(|s| s.strip_suffix(';'));
        name.is_some_and(|name| recorder.inheritance.has_probes(name))
    }
}
