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

/// Functions that the JVM looks up by name and calls as static JNI methods. Each hands on what it gets. An unsafe one is called by the JVM only, with
/// what that gives to a JNI method.
macro_rules! jni {
    () => {};
    ($(#[$doc:meta])* unsafe fn $name:ident($env:ident $(, $arg:ident: $type:ty)*) $(-> $result:ty)? $body:block $($rest:tt)*) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// Called by the JVM as a JNI method.
        #[unsafe(no_mangle)]
        pub unsafe extern "system" fn $name($env: *mut JNIEnv, _: jclass $(, $arg: $type)*) $(-> $result)? {
            // SAFETY: forwarded.
            unsafe { $body }
        }
        jni! { $($rest)* }
    };
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) $(-> $result:ty)? $body:block $($rest:tt)*) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "system" fn $name(_: *mut JNIEnv, _: jclass $(, $arg: $type)*) $(-> $result)? $body
        jni! { $($rest)* }
    };
}

jni! {
    /// `JinsiBuffer.open0`.
    unsafe fn Java_java_lang_JinsiBuffer_open0(env, tid: jlong, name: jstring) -> jlong {
        natives::open(env, tid, name)
    }

    /// `JinsiBuffer.roll0`.
    fn Java_java_lang_JinsiBuffer_roll0(tid: jlong, bytes: jlong) -> jlong {
        natives::roll(tid, bytes)
    }

    /// `JinsiWindow.windows0`.
    fn Java_java_lang_JinsiWindow_windows0() -> jboolean {
        jboolean::from(natives::windows())
    }

    /// `JinsiOutgoing.boundary0`.
    fn Java_java_lang_JinsiOutgoing_boundary0() -> jboolean {
        jboolean::from(natives::at_boundary())
    }

    /// `JinsiUnobservedSubclasses.table0`.
    fn Java_java_lang_JinsiUnobservedSubclasses_table0() -> jlong {
        natives::unobserved_subclasses()
    }

    /// `JinsiWindow.await0`.
    unsafe fn Java_java_lang_JinsiWindow_await0(env, tid: jlong) -> jboolean {
        jboolean::from(natives::await_window(env, tid))
    }

    /// `JinsiWindow.room0`.
    fn Java_java_lang_JinsiWindow_room0() -> jlong {
        natives::room()
    }

    /// `JinsiWindow.open0`.
    fn Java_java_lang_JinsiWindow_open0() {
        natives::open_barrier();
    }

    /// `JinsiWindow.beginTelling0`.
    fn Java_java_lang_JinsiWindow_beginTelling0(tid: jlong) {
        natives::telling(tid, true);
    }

    /// `JinsiWindow.endTelling0`.
    fn Java_java_lang_JinsiWindow_endTelling0(tid: jlong) {
        natives::telling(tid, false);
    }

    /// `JinsiProbe.class0`.
    unsafe fn Java_java_lang_JinsiProbe_class0(
        env, hashing: jclass, name: jstring, super_name: jstring, interfaces: jstring, flags: jint
    ) -> jint {
        natives::class(env, hashing, [name, super_name, interfaces], flags)
    }

    /// `JinsiThrowables.throwable0`.
    unsafe fn Java_java_lang_JinsiThrowables_throwable0(
        env, tid: jlong, id: jlong, text: jstring, uncaught: jboolean
    ) -> jboolean {
        let brief = natives::throwable(env, tid, id, text, uncaught != JNI_FALSE);
        jboolean::from(brief)
    }

    /// `JinsiThrowables.failed0`.
    fn Java_java_lang_JinsiThrowables_failed0(tid: jlong, id: jlong, test: jint) {
        natives::failed(tid, id, test);
    }

    /// `JinsiMark.test0`.
    unsafe fn Java_java_lang_JinsiMark_test0(env, class: jstring, name: jstring) -> jint {
        natives::test(env, class, name)
    }

    /// `JinsiMark.ended0`.
    fn Java_java_lang_JinsiMark_ended0(test: jint) {
        natives::test_ended(test);
    }

    /// `JinsiRedact.mode0`.
    fn Java_java_lang_JinsiRedact_mode0() -> jint {
        natives::redact_mode()
    }

    /// `JinsiRedact.key0`.
    fn Java_java_lang_JinsiRedact_key0() -> jlong {
        natives::redact_key()
    }

    /// `JinsiRedact.redacts0`.
    unsafe fn Java_java_lang_JinsiRedact_redacts0(
        env, class: jstring, member: jstring
    ) -> jboolean {
        jboolean::from(natives::redacts(env, class, member))
    }

    /// `JinsiInherited.observed0`.
    unsafe fn Java_java_lang_JinsiInherited_observed0(env, name: jstring) -> jboolean {
        jboolean::from(natives::observed(env, name))
    }

    /// `JinsiArmed.on0`.
    fn Java_java_lang_JinsiArmed_on0() -> jboolean {
        jboolean::from(natives::begins_with_a_failure())
    }

    /// `JinsiArmed.failed0`.
    unsafe fn Java_java_lang_JinsiArmed_failed0(env, text: jstring) {
        natives::seen(env, text);
    }

    /// `JinsiThrowables.fails0`.
    unsafe fn Java_java_lang_JinsiThrowables_fails0(env, classes: jstring) -> jboolean {
        jboolean::from(natives::fails(env, classes))
    }

    /// `JinsiProbe.quiet0`.
    unsafe fn Java_java_lang_JinsiProbe_quiet0(env, name: jstring, boot: jboolean) -> jboolean {
        jboolean::from(natives::quiet(env, name, boot != JNI_FALSE))
    }

    /// `JinsiProbe.natural0`.
    unsafe fn Java_java_lang_JinsiProbe_natural0(env, name: jstring) -> jboolean {
        jboolean::from(natives::natural(env, name))
    }

    /// `JinsiThrowables.part0`.
    unsafe fn Java_java_lang_JinsiThrowables_part0(
        env, throwable: jthrowable, part: jint
    ) -> jobject {
        natives::part(env, throwable, part)
    }

    /// `JinsiProbe.loss0`.
    fn Java_java_lang_JinsiProbe_loss0(what: jint) {
        natives::loss(what);
    }

    /// `JinsiReflection.observed0`.
    unsafe fn Java_java_lang_JinsiReflection_observed0(
        env, name: jstring, jdk: jboolean
    ) -> jboolean {
        jboolean::from(reflection::observed(env, name, jdk != JNI_FALSE))
    }

    /// `JinsiReflection.site0`.
    unsafe fn Java_java_lang_JinsiReflection_site0(
        env, class: jstring, field: jstring, desc: jstring, kind: jint, handle: jboolean
    ) -> jint {
        reflection::site(env, [class, field, desc], kind, handle != JNI_FALSE)
    }

    /// `JinsiNames.fields0`.
    unsafe fn Java_java_lang_JinsiNames_fields0(
        env, class: jclass, desc: jstring, is_static: jboolean
    ) -> jstring {
        reflection::fields(env, class, desc, is_static != JNI_FALSE)
    }

    /// `JinsiShape.declares0`.
    unsafe fn Java_java_lang_JinsiShape_declares0(env, class: jclass, name: jstring) -> jboolean {
        jboolean::from(reflection::declares(env, class, name))
    }

    /// `JinsiFields.fields0`.
    unsafe fn Java_java_lang_JinsiFields_fields0(
        env, class: jclass, is_static: jboolean
    ) -> jstring {
        fields::declared(env, class, is_static != JNI_FALSE)
    }

    /// `JinsiFields.get0`. Needs an id that `fields0` gave for the object's class or a superclass.
    unsafe fn Java_java_lang_JinsiFields_get0(
        env, object: jobject, field: jlong, letter: jchar
    ) -> jlong {
        fields::primitive(env, object, field, letter)
    }

    /// `JinsiFields.reference0`. Needs an id that `fields0` gave for the object's class or a superclass.
    unsafe fn Java_java_lang_JinsiFields_reference0(env, object: jobject, field: jlong) -> jobject {
        fields::reference(env, object, field)
    }

    /// `JinsiFields.static0`. Needs an id that `fields0` gave for a static field of the class.
    unsafe fn Java_java_lang_JinsiFields_static0(
        env, owner: jclass, field: jlong, letter: jchar
    ) -> jlong {
        fields::primitive_static(env, owner, field, letter)
    }

    /// `JinsiFields.staticReference0`. Needs an id that `fields0` gave for a static field of the class.
    unsafe fn Java_java_lang_JinsiFields_staticReference0(
        env, owner: jclass, field: jlong
    ) -> jobject {
        fields::static_reference(env, owner, field)
    }

    /// `JinsiStatics.initialized0`.
    unsafe fn Java_java_lang_JinsiStatics_initialized0(env, none: jboolean) -> jobject {
        match none {
            JNI_FALSE => fields::initialized(env),
            _ => std::ptr::null_mut(),
        }
    }
}
