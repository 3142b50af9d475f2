//! Fields of objects, read for `JinsiFields` by JNI field id: no access check and no class loading.

use std::fmt::Write as _;

use jinsi_classfile::ACC_STATIC;
use jvmti_bindings::prelude::*;

use crate::contained::contained;
use crate::globals::jvmti;
use jinsi_instrument::IDENTITY;

/// `fields0`: the instance fields that a class itself declares; null if that cannot be told.
///
/// # Safety
/// Called by the JVM.
pub unsafe fn declared(env: *mut jni::JNIEnv, class: jni::jclass) -> jni::jstring {
    let body = || {
        if class.is_null() {
            return None;
        }
        // SAFETY: `class` is live. It has an instance, so it is prepared, as GetClassFields demands.
        let text = unsafe { describe(class) }?;
        // SAFETY: `env` is the current thread's.
        unsafe { JniEnv::from_raw(env) }.new_string(&text)
    };
    contained(None, body).unwrap_or(std::ptr::null_mut())
}

/// # Safety
/// `class` is a live reference to a prepared class.
unsafe fn describe(class: jni::jclass) -> Option<String> {
    let jvmti = jvmti()?;
    let mut text = String::new();
    // SAFETY: forwarded; the ids are of this class.
    unsafe {
        for field in jvmti.get_class_fields(class).ok()? {
            if jvmti.get_field_modifiers(class, field).ok()? & i32::from(ACC_STATIC) != 0 {
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
