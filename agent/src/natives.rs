//! Bodies of the probe's native methods. The exported symbols themselves are in `src/lib.rs` of the agent library.
//!
//! A panic must not cross into Java: each body is contained and gives the "nothing is recorded" answer instead.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};

use jinsi_probes::numbers;
use jinsi_trace::model::{ClassDef, ClassOrigin, Record};
use jvmti_bindings::prelude::*;

use crate::border::string;
use crate::contained::contained;
use crate::globals::{arming, jvmti, recorder, selection};
use crate::options::RedactAs;
use crate::running::running;
use crate::surroundings;
use crate::unobserved_subclasses;
use jinsi_instrument::{natural_classes, quiet_jdk};
use jinsi_trace::model::Detail;

/// `open0`: gives the thread a buffer.
///
/// # Safety
/// Called by the JVM.
pub unsafe fn open(env: *mut jni::JNIEnv, tid: jni::jlong, name: jni::jstring) -> jni::jlong {
    contained(0, || {
        if tid < 0 {
            return 0;
        }
        // SAFETY: forwarded.
        let name = unsafe { string(env, name) }.unwrap_or_default();
        recorder().map_or(0, |r| r.threads.open(tid, &name) as i64)
    })
}

/// `roll0`: exchanges the thread's buffer.
pub fn roll(tid: jni::jlong, bytes: jni::jlong) -> jni::jlong {
    contained(0, || {
        if tid < 0 {
            0
        } else {
            recorder().map_or(0, |r| r.threads.roll(tid, bytes as u64) as i64)
        }
    })
}

/// `JinsiWindow.windows0`: is what is old dropped?
pub fn windows() -> bool {
    contained(false, || {
        arming().is_some() || recorder().is_some_and(|r| r.windows().is_some())
    })
}

/// `JinsiArmed.on0`: does recording begin with a failure?
pub fn begins_with_a_failure() -> bool {
    contained(false, || arming().is_some())
}

/// `JinsiArmed.failed0`: there is a failure, in a program that may not be recorded yet.
///
/// # Safety
/// Called by the JVM.
pub unsafe fn seen(env: *mut jni::JNIEnv, text: jni::jstring) {
    contained((), || {
        // SAFETY: forwarded.
        if let (Some(arming), Some(text)) = (arming(), unsafe { string(env, text) }) {
            arming.failed(&text);
        }
    });
}

/// `JinsiOutgoing.boundary0`: is only what crosses the boundary recorded?
pub fn at_boundary() -> bool {
    contained(false, || {
        selection().is_some_and(|all| all.detail() == Detail::Boundary)
    })
}

/// `JinsiUnobservedSubclasses.table0`: address of the table of the classes that have unobserved subclasses, by their numbers.
pub fn unobserved_subclasses() -> jni::jlong {
    unobserved_subclasses::table() as jni::jlong
}

/// `JinsiWindow.await0`: waits until a window has begun. Whether the thread has to open the barrier.
///
/// # Safety
/// Called by the JVM.
pub unsafe fn await_window(env: *mut jni::JNIEnv, tid: jni::jlong) -> bool {
    contained(false, || {
        if let (Some(recorder), 0..) = (recorder(), tid)
            && let Some(windows) = recorder.windows()
        {
            // SAFETY: forwarded.
            return windows.wait(tid, &mut || unsafe { running(env, recorder) });
        }
        false
    })
}

/// `JinsiWindow.room0`: how many elements of contents are reported when a window begins.
pub fn room() -> jni::jlong {
    contained(0, || {
        let windows = recorder().and_then(|r| r.windows());
        windows.map_or(0, |w| i64::try_from(w.room()).unwrap_or(i64::MAX))
    })
}

/// `JinsiWindow.open0`: what a window begins with has been reported.
pub fn open_barrier() {
    contained((), || {
        if let Some(windows) = recorder().and_then(|r| r.windows()) {
            windows.reopen();
        }
    });
}

/// `JinsiWindow.beginTelling0` and `endTelling0`: the thread tells what objects hold.
pub fn telling(tid: jni::jlong, begins: bool) {
    contained((), || {
        if let (Some(recorder), 0..) = (recorder(), tid)
            && let Some(windows) = recorder.windows()
        {
            match begins {
                true => windows.telling().begin(tid),
                false => windows.telling().end(tid),
            }
        }
    });
}

/// `class0`: number of a run-time class; `hashing` is null or the class, initialized.
///
/// # Safety
/// Called by the JVM.
pub unsafe fn class(
    env: *mut jni::JNIEnv,
    hashing: jni::jclass,
    [name, super_name, interfaces]: [jni::jstring; 3],
    flags: jni::jint,
) -> jni::jint {
    contained(0, || {
        // SAFETY: forwarded.
        let [name, super_name, interfaces] =
            [name, super_name, interfaces].map(|text| unsafe { string(env, text) });
        let (Some(name), Some(recorder)) = (name, recorder()) else {
            return 0;
        };
        let internal = |n: &str| n.replace('.', "/");
        let name = internal(&name);
        let def = |no| ClassDef {
            no,
            name: name.clone(),
            super_name: super_name.as_deref().map(internal),
            interfaces: interfaces
                .unwrap_or_default()
                .split(',')
                .filter(|n| !n.is_empty())
                .map(internal)
                .collect(),
            access: (flags & 0xffff) as u16,
            origin: if flags & numbers::OF_THE_JDK != 0 {
                ClassOrigin::Jdk
            } else {
                ClassOrigin::Skeleton
            },
            source_file: None,
            bytes: std::sync::Arc::default(),
        };
        // SAFETY: forwarded.
        let identity = unsafe { has_identity_hash(env, hashing) };
        recorder.tables.runtime_class(&name, identity, def).get() as i32
    })
}

/// Is the `hashCode` of this class that of `Object`?
///
/// # Safety
/// `env` is the JNI environment of the current thread and `class` null or a live reference of it to an initialized class.
unsafe fn has_identity_hash(env: *mut jni::JNIEnv, class: jni::jclass) -> bool {
    let (false, Some(jvmti)) = (class.is_null(), jvmti()) else {
        return false;
    };
    // SAFETY: as the caller says; the method is of the class.
    unsafe {
        let jni = JniEnv::from_raw(env);
        let object = jni.find_class("java/lang/Object");
        let method = jni.get_method_id(class, "hashCode", "()I");
        match (object, method) {
            (Some(object), Some(method)) => jvmti
                .get_method_declaring_class(method)
                .is_ok_and(|declaring| jni.is_same_object(declaring, object)),
            _ => {
                jni.exception_clear();
                false
            }
        }
    }
}

/// `throwable0`: puts a throwable into the table; are further ones wanted without their frames?
///
/// # Safety
/// Called by the JVM.
pub unsafe fn throwable(
    env: *mut jni::JNIEnv,
    tid: jni::jlong,
    id: jni::jlong,
    text: jni::jstring,
    uncaught: bool,
) -> bool {
    contained(false, || {
        let Some(recorder) = recorder() else {
            return false;
        };
        if id > 0 {
            // SAFETY: forwarded.
            let text = unsafe { string(env, text) };
            recorder
                .failures
                .throwable(tid, id as u64, text.as_deref(), uncaught);
        }
        recorder.failures.brief()
    })
}

/// `JinsiThrowables.failed0`: the failure of a test, by a throwable of the table.
pub fn failed(tid: jni::jlong, id: jni::jlong, test: jni::jint) {
    contained((), || match (recorder(), u32::try_from(test)) {
        (Some(recorder), Ok(test)) if id > 0 => recorder.failures.test_failed(tid, id as u64, test),
        (Some(recorder), Err(_)) => recorder.failures.test_failed_late(),
        _ => {}
    });
}

/// Are the properties in the trace that were set before the first test?
static HAS_PROPERTIES: AtomicBool = AtomicBool::new(false);

/// `JinsiMark.test0`: puts a test into the table; its number, negative if there is none.
///
/// # Safety
/// Called by the JVM.
pub unsafe fn test(env: *mut jni::JNIEnv, class: jni::jstring, name: jni::jstring) -> jni::jint {
    contained(-1, || {
        // SAFETY: forwarded.
        let (class, name) = unsafe { (string(env, class), string(env, name)) };
        let (Some(class), Some(name), Some(recorder)) = (class, name, recorder()) else {
            return -1;
        };
        if !HAS_PROPERTIES.swap(true, Ordering::Relaxed) && !recorder.selection.redacts_anything() {
            // SAFETY: the JVM called with it, on this thread.
            let properties = surroundings::set_since(&unsafe { JniEnv::from_raw(env) });
            recorder.tables.record(&Record::TestProperties(properties));
        }
        // The number is shifted into a word's upper part by the probe, which has room for all positive ones.
        let number = recorder.failures.test(&class, &name);
        number.and_then(|no| no.try_into().ok()).unwrap_or(-1)
    })
}

/// `JinsiMark.ended0`: a test ended that did not fail.
pub fn test_ended(test: jni::jint) {
    contained((), || {
        if let (Some(recorder), true) = (recorder(), test >= 0) {
            recorder.failures.test_ended();
        }
    });
}

/// `JinsiRedact.mode0`: what is done with texts that are to be kept out of the trace, one of `numbers::REDACT_…`.
pub fn redact_mode() -> jni::jint {
    contained(numbers::REDACT_NOTHING, || {
        let redact_as = match (arming(), recorder()) {
            (Some(arming), _) => arming.process().options.redact_as,
            (None, Some(recorder)) => recorder.redact_as,
            (None, None) => return numbers::REDACT_NOTHING,
        };
        match (
            selection().is_some_and(|all| all.redacts_anything()),
            redact_as,
        ) {
            (false, _) => numbers::REDACT_NOTHING,
            (true, RedactAs::Hash) => numbers::REDACT_HASH,
            (true, RedactAs::Blank) => numbers::REDACT_BLANK,
        }
    })
}

/// `JinsiRedact.key0`: a number that nobody can know who was not there.
pub fn redact_key() -> jni::jlong {
    contained(0, || RandomState::new().hash_one(std::process::id()) as i64)
}

/// `JinsiRedact.redacts0`: are the values of this member of the class with this binary name kept out?
///
/// # Safety
/// Called by the JVM.
pub unsafe fn redacts(env: *mut jni::JNIEnv, class: jni::jstring, member: jni::jstring) -> bool {
    contained(false, || {
        // SAFETY: forwarded.
        let (class, member) = unsafe { (string(env, class), string(env, member)) };
        match (selection(), class, member) {
            (Some(all), Some(class), Some(member)) => all.redacts(&class, &member),
            _ => false,
        }
    })
}

/// `JinsiInherited.observed0`: is the class with this binary name observed, and rewritten?
///
/// # Safety
/// Called by the JVM.
pub unsafe fn observed(env: *mut jni::JNIEnv, name: jni::jstring) -> bool {
    contained(false, || {
        // SAFETY: forwarded.
        let name = unsafe { string(env, name) };
        match (arming(), recorder(), name) {
            // The answer is asked for once, maybe before the class has probes.
            (Some(arming), _, Some(name)) => arming.observes(&name),
            (None, Some(recorder), Some(name)) => recorder.inheritance.is_observed(&name),
            _ => false,
        }
    })
}

/// `fails0`: does a throwable of these classes, joined by `,`, count as a failure?
///
/// # Safety
/// Called by the JVM.
pub unsafe fn fails(env: *mut jni::JNIEnv, classes: jni::jstring) -> bool {
    contained(false, || {
        // SAFETY: forwarded.
        let classes = unsafe { string(env, classes) };
        match (arming(), recorder(), classes) {
            (Some(arming), _, Some(classes)) => arming.fails(classes.split(',')),
            (None, Some(recorder), Some(classes)) => recorder.failures.fails(classes.split(',')),
            _ => false,
        }
    })
}

/// `part0`: message, cause or stack trace of a throwable as `Throwable` itself has them.
///
/// # Safety
/// Called by the JVM.
pub unsafe fn part(
    env: *mut jni::JNIEnv,
    throwable: jni::jthrowable,
    part: jni::jint,
) -> jni::jobject {
    contained(std::ptr::null_mut(), || {
        if throwable.is_null() {
            return std::ptr::null_mut();
        }
        // SAFETY: `env` is the current thread's; `throwable` is live; names and types are those of java.lang.Throwable in every JDK.
        unsafe {
            let jni = JniEnv::from_raw(env);
            let Some(class) = jni.find_class("java/lang/Throwable") else {
                return std::ptr::null_mut();
            };
            let field = |name, desc| jni.get_field_id(class, name, desc);
            match part {
                numbers::PART_MESSAGE => field("detailMessage", "Ljava/lang/String;"),
                numbers::PART_CAUSE => return cause(&jni, class, throwable),
                _ => {
                    let method = jni.get_method_id(
                        class,
                        "getStackTrace",
                        "()[Ljava/lang/StackTraceElement;",
                    );
                    return method.map_or(std::ptr::null_mut(), |m| {
                        jni.call_nonvirtual_object_method(throwable, class, m, &[])
                    });
                }
            }
            .map_or(std::ptr::null_mut(), |f| jni.get_object_field(throwable, f))
        }
    })
}

/// Throwables of the JDK that keep their cause in a field of their own, and that field. Most do so up to Java 11 only.
const OWN_CAUSES: [(&str, &str); 5] = [
    ("java/lang/reflect/InvocationTargetException", "target"),
    (
        "java/lang/reflect/UndeclaredThrowableException",
        "undeclaredThrowable",
    ),
    ("java/lang/ExceptionInInitializerError", "exception"),
    ("java/lang/ClassNotFoundException", "ex"),
    ("java/security/PrivilegedActionException", "exception"),
];

/// The cause of a throwable, wherever it keeps that; null if it has none. `class` is `java.lang.Throwable`.
///
/// # Safety
/// `throwable` is live, and `jni` the current thread's.
unsafe fn cause(jni: &JniEnv, class: jni::jclass, throwable: jni::jthrowable) -> jni::jobject {
    const DESC: &str = "Ljava/lang/Throwable;";
    // SAFETY: as the caller promises; the fields are those of the classes that are asked for them, of which the throwable is an instance.
    unsafe {
        let common = jni.get_field_id(class, "cause", DESC);
        let common = common.map_or(std::ptr::null_mut(), |f| jni.get_object_field(throwable, f));
        if !common.is_null() {
            return common;
        }
        for (name, field) in OWN_CAUSES {
            let Some(own) = jni.find_class(name) else {
                jni.exception_clear();
                continue;
            };
            if jni.is_instance_of(throwable, own) {
                return match jni.get_field_id(own, field, DESC) {
                    Some(field) => jni.get_object_field(throwable, field),
                    None => {
                        jni.exception_clear();
                        common
                    }
                };
            }
        }
        common
    }
}

/// `quiet0`: do methods of this class neither wait for other threads nor let them go on, or record it if they do?
///
/// # Safety
/// Called by the JVM.
pub unsafe fn quiet(env: *mut jni::JNIEnv, name: jni::jstring, boot: bool) -> bool {
    contained(false, || {
        // SAFETY: forwarded.
        let (Some(name), Some(selection)) = (unsafe { string(env, name) }, selection()) else {
            return false;
        };
        let internal = name.replace('.', "/");
        if boot {
            quiet_jdk(&internal)
        } else {
            selection.observes(&internal, false)
        }
    })
}

/// `natural0`: do instances of this class run for real in replay?
///
/// # Safety
/// Called by the JVM.
pub unsafe fn natural(env: *mut jni::JNIEnv, name: jni::jstring) -> bool {
    contained(false, || {
        // SAFETY: forwarded.
        let name = unsafe { string(env, name) };
        name.is_some_and(|name| natural_classes().is_natural_class(&name.replace('.', "/")))
    })
}

/// `loss0`: counts content that was not recorded.
pub fn loss(what: jni::jint) {
    contained((), || {
        if what == 0
            && let Some(recorder) = recorder()
        {
            recorder.content_dropped();
        }
    });
}
