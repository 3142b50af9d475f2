//! Fields of objects and classes, read for `JinsiFields` by JNI field id: no access check and no class loading.

use std::fmt::Write as _;

use jinsi_classfile::ACC_STATIC;
use jvmti_bindings::prelude::*;

use crate::border::MANY_REFERENCES;
use crate::contained::contained;
use crate::globals::{jvmti, recorder};
use jinsi_instrument::IDENTITY;

/// `fields0`: the instance or static fields that a class itself declares; null if that cannot be known.
///
/// # Safety
/// Called by the JVM.
pub unsafe fn declared(env: *mut jni::JNIEnv, class: jni::jclass, is_static: bool) -> jni::jstring {
    let body = || {
        if class.is_null() {
            return None;
        }
        // SAFETY: `class` is live. It has an instance or is initialized, so it is prepared, as GetClassFields demands.
        let text = unsafe { describe(class, is_static) }?;
        // SAFETY: `env` is the current thread's.
        unsafe { JniEnv::from_raw(env) }.new_string(&text)
    };
    contained(None, body).unwrap_or(std::ptr::null_mut())
}

/// # Safety
/// `class` is a live reference to a prepared class.
unsafe fn describe(class: jni::jclass, is_static: bool) -> Option<String> {
    let jvmti = jvmti()?;
    let mut text = String::new();
    // SAFETY: forwarded; the ids are of this class.
    unsafe {
        for field in jvmti.get_class_fields(class).ok()? {
            let modifiers = jvmti.get_field_modifiers(class, field).ok()?;
            if (modifiers & i32::from(ACC_STATIC) != 0) != is_static {
                continue;
            }
            let (name, desc, _) = jvmti.get_field_name(class, field).ok()?;
            if name == IDENTITY {
                continue;
            }
            let letter = match desc.chars().next()? {
                '[' => 'L',
                letter => letter,
            };
            let _ = write!(text, "{:x}\0{letter}\0{name}\0", field as usize);
        }
    }
    Some(text)
}

/// `get0`: a primitive field as an operand word.
///
/// # Safety
/// Called by the JVM; `field` is an id of a field of type `letter` that `object` has.
pub unsafe fn primitive(
    env: *mut jni::JNIEnv,
    object: jni::jobject,
    field: jni::jlong,
    letter: jni::jchar,
) -> jni::jlong {
    if object.is_null() {
        return 0;
    }
    let field = field as usize as jni::jfieldID;
    // SAFETY: `env` is the current thread's; the rest is forwarded.
    unsafe {
        let jni = JniEnv::from_raw(env);
        match u8::try_from(letter).unwrap_or(0) {
            b'Z' => i64::from(jni.get_boolean_field(object, field)),
            b'B' => i64::from(jni.get_byte_field(object, field)),
            b'C' => i64::from(jni.get_char_field(object, field)),
            b'S' => i64::from(jni.get_short_field(object, field)),
            b'I' => i64::from(jni.get_int_field(object, field)),
            b'J' => jni.get_long_field(object, field),
            b'F' => i64::from(jni.get_float_field(object, field).to_bits()),
            b'D' => jni.get_double_field(object, field).to_bits() as i64,
            _ => 0,
        }
    }
}

/// `reference0`: a reference field.
///
/// # Safety
/// Called by the JVM; `field` is an id of a field of reference type that `object` has.
pub unsafe fn reference(
    env: *mut jni::JNIEnv,
    object: jni::jobject,
    field: jni::jlong,
) -> jni::jobject {
    if object.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: `env` is the current thread's; the rest is forwarded.
    unsafe { JniEnv::from_raw(env).get_object_field(object, field as usize as jni::jfieldID) }
}

/// `static0`: a primitive static field as an operand word.
///
/// # Safety
/// Called by the JVM; `field` is an id of a static field of type `letter` that `class`, which is initialized, declares.
pub unsafe fn primitive_static(
    env: *mut jni::JNIEnv,
    class: jni::jclass,
    field: jni::jlong,
    letter: jni::jchar,
) -> jni::jlong {
    if class.is_null() {
        return 0;
    }
    let field = field as usize as jni::jfieldID;
    // SAFETY: `env` is the current thread's; the rest is forwarded.
    unsafe {
        let jni = JniEnv::from_raw(env);
        match u8::try_from(letter).unwrap_or(0) {
            b'Z' => i64::from(jni.get_static_boolean_field(class, field)),
            b'B' => i64::from(jni.get_static_byte_field(class, field)),
            b'C' => i64::from(jni.get_static_char_field(class, field)),
            b'S' => i64::from(jni.get_static_short_field(class, field)),
            b'I' => i64::from(jni.get_static_int_field(class, field)),
            b'J' => jni.get_static_long_field(class, field),
            b'F' => i64::from(jni.get_static_float_field(class, field).to_bits()),
            b'D' => jni.get_static_double_field(class, field).to_bits() as i64,
            _ => 0,
        }
    }
}

/// `staticReference0`: a static reference field.
///
/// # Safety
/// Called by the JVM; `field` is an id of a static field of reference type that `class`, which is initialized, declares.
pub unsafe fn static_reference(
    env: *mut jni::JNIEnv,
    class: jni::jclass,
    field: jni::jlong,
) -> jni::jobject {
    if class.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: `env` is the current thread's; the rest is forwarded.
    unsafe { JniEnv::from_raw(env).get_static_object_field(class, field as usize as jni::jfieldID) }
}

/// `JinsiStatics.initialized0`: the observed classes that are initialized, as an array; null if that cannot be known.
///
/// # Safety
/// Called by the JVM.
pub unsafe fn initialized(env: *mut jni::JNIEnv) -> jni::jobject {
    let body = || {
        let (jvmti, recorder) = (jvmti()?, recorder()?);
        // SAFETY: `env` is the current thread's.
        let jni = unsafe { JniEnv::from_raw(env) };
        let frame = jni.push_local_frame(MANY_REFERENCES).ok()?;
        let mut classes = Vec::new();
        for class in jvmti.get_loaded_classes().ok()? {
            // SAFETY: `class` is a live local reference, which is not used again where it is deleted.
            unsafe {
                if is_initialized_and(&jvmti, class, |name| {
                    recorder.inheritance.is_observed(&name.replace('/', "."))
                }) {
                    classes.push(class);
                } else {
                    jni.delete_local_ref(class);
                }
            }
        }
        let length = jni::jsize::try_from(classes.len()).ok()?;
        let element = jni.find_class("java/lang/Class")?;
        // SAFETY: `element` and `classes` are live local references, and there are as many as the array is long.
        unsafe {
            let array = jni.new_object_array(length, element, std::ptr::null_mut())?;
            for (index, class) in (0..).zip(classes) {
                jni.set_object_array_element(array, index, class);
            }
            Some(frame.pop(array))
        }
    };
    contained(None, body).unwrap_or(std::ptr::null_mut())
}

/// Is the class initialized, and is this true of its internal name?
///
/// # Safety
/// `class` is a live reference.
unsafe fn is_initialized_and(
    jvmti: &Jvmti,
    class: jni::jclass,
    wanted: impl FnOnce(&str) -> bool,
) -> bool {
    // SAFETY: forwarded.
    let signature = unsafe { jvmti.get_class_signature(class) };
    let name = signature.ok().and_then(|(signature, _)| {
        let name = signature.strip_prefix('L')?.strip_suffix(';')?;
        Some(name.to_owned())
    });
    // SAFETY: forwarded.
    name.is_some_and(|name| wanted(&name))
        && unsafe { jvmti.get_class_status(class) }
            .is_ok_and(|status| status & jvmti::JVMTI_CLASS_STATUS_INITIALIZED != 0)
}
