//! `libjinsi.so`: the symbols that the JVM looks up by name. What they do is in `jinsi-agent`.

use std::ffi::{c_char, c_void};

use jinsi_agent::fields;
use jinsi_agent::jvmti_bindings::sys::jni::{
    JNI_FALSE, JNIEnv, JavaVM, jboolean, jchar, jclass, jint, jlong, jobject, jstring, jthrowable,
};
use jinsi_agent::life::{self, JinsiAgent};
use jinsi_agent::{natives, reflection};

include!(concat!(env!("OUT_DIR"), "/runtime.rs"));

/// Called by the JVM for `-agentpath`.
///
/// # Safety
/// The arguments are the JVM's (JVMTI, "Agent Start-Up").
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnLoad(
    vm: *mut JavaVM,
    options: *mut c_char,
    reserved: *mut c_void,
) -> jint {
    life::embed(RUNTIME_CLASSES);
    // SAFETY: forwarded.
    unsafe { jinsi_agent::jvmti_bindings::__agent_on_load::<JinsiAgent>(vm, options, reserved) }
}

/// Called by the JVM when it is asked to load the library while the program runs.
///
/// # Safety
/// The arguments are the JVM's (JVMTI, "Agent Start-Up").
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnAttach(
    _: *mut JavaVM,
    options: *mut c_char,
    _: *mut c_void,
) -> jint {
    // SAFETY: forwarded.
    unsafe { life::attached(options) }
}

/// `JinsiBuffer.open0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiBuffer_open0(
    env: *mut JNIEnv,
    _: jclass,
    tid: jlong,
    name: jstring,
) -> jlong {
    // SAFETY: forwarded.
    unsafe { natives::open(env, tid, name) }
}

/// `JinsiBuffer.roll0`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_JinsiBuffer_roll0(
    _: *mut JNIEnv,
    _: jclass,
    tid: jlong,
    bytes: jlong,
) -> jlong {
    natives::roll(tid, bytes)
}

/// `JinsiWindow.windows0`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_JinsiWindow_windows0(_: *mut JNIEnv, _: jclass) -> jboolean {
    jboolean::from(natives::windows())
}

/// `JinsiOutgoing.boundary0`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_JinsiOutgoing_boundary0(
    _: *mut JNIEnv,
    _: jclass,
) -> jboolean {
    jboolean::from(natives::at_boundary())
}

/// `JinsiUnobservedSubclasses.table0`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_JinsiUnobservedSubclasses_table0(
    _: *mut JNIEnv,
    _: jclass,
) -> jlong {
    natives::unobserved_subclasses()
}

/// `JinsiWindow.await0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiWindow_await0(
    env: *mut JNIEnv,
    _: jclass,
    tid: jlong,
) -> jboolean {
    // SAFETY: forwarded.
    jboolean::from(unsafe { natives::await_window(env, tid) })
}

/// `JinsiWindow.room0`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_JinsiWindow_room0(_: *mut JNIEnv, _: jclass) -> jlong {
    natives::room()
}

/// `JinsiWindow.open0`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_JinsiWindow_open0(_: *mut JNIEnv, _: jclass) {
    natives::open_barrier();
}

/// `JinsiWindow.beginTelling0`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_JinsiWindow_beginTelling0(
    _: *mut JNIEnv,
    _: jclass,
    tid: jlong,
) {
    natives::telling(tid, true);
}

/// `JinsiWindow.endTelling0`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_JinsiWindow_endTelling0(
    _: *mut JNIEnv,
    _: jclass,
    tid: jlong,
) {
    natives::telling(tid, false);
}

/// `JinsiProbe.class0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiProbe_class0(
    env: *mut JNIEnv,
    _: jclass,
    hashing: jclass,
    name: jstring,
    super_name: jstring,
    interfaces: jstring,
    flags: jint,
) -> jint {
    // SAFETY: forwarded.
    unsafe { natives::class(env, hashing, [name, super_name, interfaces], flags) }
}

/// `JinsiThrowables.throwable0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiThrowables_throwable0(
    env: *mut JNIEnv,
    _: jclass,
    tid: jlong,
    id: jlong,
    text: jstring,
    uncaught: jboolean,
) -> jboolean {
    // SAFETY: forwarded.
    let brief = unsafe { natives::throwable(env, tid, id, text, uncaught != JNI_FALSE) };
    jboolean::from(brief)
}

/// `JinsiThrowables.failed0`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_JinsiThrowables_failed0(
    _: *mut JNIEnv,
    _: jclass,
    tid: jlong,
    id: jlong,
    test: jint,
) {
    natives::failed(tid, id, test);
}

/// `JinsiMark.test0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiMark_test0(
    env: *mut JNIEnv,
    _: jclass,
    class: jstring,
    name: jstring,
) -> jint {
    // SAFETY: forwarded.
    unsafe { natives::test(env, class, name) }
}

/// `JinsiMark.ended0`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_JinsiMark_ended0(_: *mut JNIEnv, _: jclass, test: jint) {
    natives::test_ended(test);
}

/// `JinsiRedact.mode0`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_JinsiRedact_mode0(_: *mut JNIEnv, _: jclass) -> jint {
    natives::redact_mode()
}

/// `JinsiRedact.key0`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_JinsiRedact_key0(_: *mut JNIEnv, _: jclass) -> jlong {
    natives::redact_key()
}

/// `JinsiRedact.redacts0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiRedact_redacts0(
    env: *mut JNIEnv,
    _: jclass,
    class: jstring,
    member: jstring,
) -> jboolean {
    // SAFETY: forwarded.
    jboolean::from(unsafe { natives::redacts(env, class, member) })
}

/// `JinsiInherited.observed0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiInherited_observed0(
    env: *mut JNIEnv,
    _: jclass,
    name: jstring,
) -> jboolean {
    // SAFETY: forwarded.
    jboolean::from(unsafe { natives::observed(env, name) })
}

/// `JinsiThrowables.fails0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiThrowables_fails0(
    env: *mut JNIEnv,
    _: jclass,
    classes: jstring,
) -> jboolean {
    // SAFETY: forwarded.
    jboolean::from(unsafe { natives::fails(env, classes) })
}

/// `JinsiProbe.quiet0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiProbe_quiet0(
    env: *mut JNIEnv,
    _: jclass,
    name: jstring,
    boot: jboolean,
) -> jboolean {
    // SAFETY: forwarded.
    jboolean::from(unsafe { natives::quiet(env, name, boot != JNI_FALSE) })
}

/// `JinsiProbe.natural0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiProbe_natural0(
    env: *mut JNIEnv,
    _: jclass,
    name: jstring,
) -> jboolean {
    // SAFETY: forwarded.
    jboolean::from(unsafe { natives::natural(env, name) })
}

/// `JinsiThrowables.part0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiThrowables_part0(
    env: *mut JNIEnv,
    _: jclass,
    throwable: jthrowable,
    part: jint,
) -> jobject {
    // SAFETY: forwarded.
    unsafe { natives::part(env, throwable, part) }
}

/// `JinsiProbe.loss0`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_java_lang_JinsiProbe_loss0(_: *mut JNIEnv, _: jclass, what: jint) {
    natives::loss(what);
}

/// `JinsiReflection.observed0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiReflection_observed0(
    env: *mut JNIEnv,
    _: jclass,
    name: jstring,
    jdk: jboolean,
) -> jboolean {
    // SAFETY: forwarded.
    jboolean::from(unsafe { reflection::observed(env, name, jdk != JNI_FALSE) })
}

/// `JinsiReflection.site0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiReflection_site0(
    env: *mut JNIEnv,
    _: jclass,
    class: jstring,
    field: jstring,
    desc: jstring,
    kind: jint,
    handle: jboolean,
) -> jint {
    // SAFETY: forwarded.
    unsafe { reflection::site(env, [class, field, desc], kind, handle != JNI_FALSE) }
}

/// `JinsiNames.fields0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiNames_fields0(
    env: *mut JNIEnv,
    _: jclass,
    class: jclass,
    desc: jstring,
    is_static: jboolean,
) -> jstring {
    // SAFETY: forwarded.
    unsafe { reflection::fields(env, class, desc, is_static != JNI_FALSE) }
}

/// `JinsiShape.declares0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiShape_declares0(
    env: *mut JNIEnv,
    _: jclass,
    class: jclass,
    name: jstring,
) -> jboolean {
    // SAFETY: forwarded.
    jboolean::from(unsafe { reflection::declares(env, class, name) })
}

/// `JinsiFields.fields0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiFields_fields0(
    env: *mut JNIEnv,
    _: jclass,
    class: jclass,
    is_static: jboolean,
) -> jstring {
    // SAFETY: forwarded.
    unsafe { fields::declared(env, class, is_static != JNI_FALSE) }
}

/// `JinsiFields.get0`.
///
/// # Safety
/// Called by the JVM as a JNI method, with an id that `fields0` gave for the object's class or a superclass.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiFields_get0(
    env: *mut JNIEnv,
    _: jclass,
    object: jobject,
    field: jlong,
    letter: jchar,
) -> jlong {
    // SAFETY: forwarded.
    unsafe { fields::primitive(env, object, field, letter) }
}

/// `JinsiFields.reference0`.
///
/// # Safety
/// Called by the JVM as a JNI method, with an id that `fields0` gave for the object's class or a superclass.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiFields_reference0(
    env: *mut JNIEnv,
    _: jclass,
    object: jobject,
    field: jlong,
) -> jobject {
    // SAFETY: forwarded.
    unsafe { fields::reference(env, object, field) }
}

/// `JinsiFields.static0`.
///
/// # Safety
/// Called by the JVM as a JNI method, with an id that `fields0` gave for a static field of the class.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiFields_static0(
    env: *mut JNIEnv,
    _: jclass,
    owner: jclass,
    field: jlong,
    letter: jchar,
) -> jlong {
    // SAFETY: forwarded.
    unsafe { fields::primitive_static(env, owner, field, letter) }
}

/// `JinsiFields.staticReference0`.
///
/// # Safety
/// Called by the JVM as a JNI method, with an id that `fields0` gave for a static field of the class.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiFields_staticReference0(
    env: *mut JNIEnv,
    _: jclass,
    owner: jclass,
    field: jlong,
) -> jobject {
    // SAFETY: forwarded.
    unsafe { fields::static_reference(env, owner, field) }
}

/// `JinsiStatics.initialized0`.
///
/// # Safety
/// Called by the JVM as a JNI method.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_JinsiStatics_initialized0(
    env: *mut JNIEnv,
    _: jclass,
    none: jboolean,
) -> jobject {
    match none {
        // SAFETY: forwarded.
        JNI_FALSE => unsafe { fields::initialized(env) },
        _ => std::ptr::null_mut(),
    }
}
