//! Natives of `JinsiReflection` and `JinsiNames`: sites of accesses that no instruction names, and names of fields.

use jinsi_trace::model::{CallOp, ClassDef, ClassOrigin, EventKind, MemberRef, Site, SiteNo};
use jvmti_bindings::prelude::*;

use crate::border::string;
use crate::contained::contained;
use crate::globals::{jvmti, recorder, selection};
use crate::recorder::Recorder;
use jinsi_instrument::IDENTITY;

/// Internal name of the class whose methods access fields by reflection; it is rewritten to tell of them.
pub const FIELD: &str = "java/lang/reflect/Field";
/// Internal name of the class that leaves out what reflection must not show; it is rewritten to leave out what is added to classes.
pub const FILTERS: &str = "jdk/internal/reflect/Reflection";
/// Internal name of the class that makes the frames of stack traces; it is rewritten to leave out those of added methods.
pub const FRAMES: &str = "java/lang/StackTraceElement";
/// Internal name of the class that makes the objects which deserialization reads; it is rewritten to tell of them.
pub const STREAM_CLASS: &str = "java/io/ObjectStreamClass";
/// Internal name of the class whose methods access fields by handle.
const VAR_HANDLE: &str = "java/lang/invoke/VarHandle";

/// Flag of static fields (JVMS table 4.5-A).
const ACC_STATIC: jni::jint = 0x0008;

impl Recorder {
    /// A new site at which unobserved code accesses `target` by way of the JDK's class `by`.
    pub fn indirect_site(&self, by: &str, target: MemberRef, kind: EventKind) -> SiteNo {
        let def = |no| ClassDef {
            no,
            name: by.into(),
            super_name: Some("java/lang/Object".into()),
            interfaces: vec![],
            access: 1,
            origin: ClassOrigin::Jdk,
            source_file: None,
            bytes: std::sync::Arc::default(),
        };
        let class = self.tables.runtime_class(by, false, def);
        let value = target
            .desc
            .chars()
            .next()
            .map_or('L', |letter| match letter {
                '[' => 'L',
                letter => letter,
            });
        let write = matches!(kind, EventKind::PutField | EventKind::PutStatic);
        let receiver = matches!(kind, EventKind::GetField | EventKind::PutField);
        let no = self.tables.reserve_site();
        self.tables.indirect_site(Site {
            no,
            kind,
            class,
            method: if write { "set" } else { "get" }.into(),
            desc: "".into(),
            access: 1,
            bci: 0,
            line: 0,
            target,
            op: CallOp::None,
            operands: format!("{}{value}", if receiver { "L" } else { "" }).into(),
            light: false,
            outside: true,
            stepwise: false,
            parts: Vec::new(),
        });
        no
    }
}

/// `JinsiReflection.observed0`: is the class of this binary name observed?
///
/// # Safety
/// Called by the JVM.
pub unsafe fn observed(env: *mut jni::JNIEnv, name: jni::jstring, jdk: bool) -> bool {
    contained(false, || {
        // SAFETY: forwarded.
        let name = unsafe { string(env, name) };
        match (selection(), name) {
            (Some(selection), Some(name)) => selection.observes(&name.replace('.', "/"), jdk),
            _ => false,
        }
    })
}

/// `JinsiReflection.site0`: a new site of accesses to the field; 0 if there is none to be had.
///
/// # Safety
/// Called by the JVM.
pub unsafe fn site(
    env: *mut jni::JNIEnv,
    [class, field, desc]: [jni::jstring; 3],
    kind: jni::jint,
    handle: bool,
) -> jni::jint {
    contained(0, || {
        // SAFETY: forwarded.
        let [class, field, desc] = [class, field, desc].map(|text| unsafe { string(env, text) });
        let kind = u8::try_from(kind).ok().and_then(EventKind::from_u8);
        let (Some(class), Some(name), Some(desc), Some(kind), Some(recorder)) =
            (class, field, desc, kind, recorder())
        else {
            return 0;
        };
        let target = MemberRef {
            owner: class.replace('.', "/").into(),
            name: name.into(),
            desc: desc.into(),
        };
        let by = if handle { VAR_HANDLE } else { FIELD };
        recorder.indirect_site(by, target, kind).get() as i32
    })
}

/// `JinsiNames.fields0`: names of the fields that a class itself declares with a descriptor, each followed by a slash.
///
/// # Safety
/// Called by the JVM.
pub unsafe fn fields(
    env: *mut jni::JNIEnv,
    class: jni::jclass,
    desc: jni::jstring,
    is_static: bool,
) -> jni::jstring {
    contained(std::ptr::null_mut(), || {
        // SAFETY: forwarded.
        let desc = unsafe { string(env, desc) };
        let (Some(desc), Some(jvmti), false) = (desc, jvmti(), class.is_null()) else {
            return std::ptr::null_mut();
        };
        // SAFETY: `class` is live, and the fields are its own.
        unsafe {
            let mut names = String::new();
            for field in jvmti.get_class_fields(class).unwrap_or_default() {
                let flags = jvmti.get_field_modifiers(class, field).unwrap_or(0);
                if let Ok((name, its, _)) = jvmti.get_field_name(class, field)
                    && its == desc
                    && name != IDENTITY
                    && (flags & ACC_STATIC != 0) == is_static
                {
                    names.push_str(&name);
                    names.push('/');
                }
            }
            JniEnv::from_raw(env)
                .new_string_utf(&names)
                .unwrap_or(std::ptr::null_mut())
        }
    })
}

/// `JinsiShape.declares0`: does a class itself declare an instance field of that name?
///
/// # Safety
/// Called by the JVM.
pub unsafe fn declares(env: *mut jni::JNIEnv, class: jni::jclass, name: jni::jstring) -> bool {
    contained(false, || {
        // SAFETY: forwarded.
        let wanted = unsafe { string(env, name) };
        let (Some(wanted), Some(jvmti), false) = (wanted, jvmti(), class.is_null()) else {
            return false;
        };
        // SAFETY: `class` is live, and the fields are its own.
        unsafe {
            let mut fields = jvmti
                .get_class_fields(class)
                .unwrap_or_default()
                .into_iter();
            fields.any(|field| {
                let is = |(name, ..): (String, String, _)| name == wanted;
                jvmti.get_field_name(class, field).is_ok_and(is)
                    && jvmti
                        .get_field_modifiers(class, field)
                        .is_ok_and(|flags| flags & ACC_STATIC == 0)
            })
        }
    })
}
