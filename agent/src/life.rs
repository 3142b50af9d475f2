//! The agent's life inside the JVM: load, start, class hook, thread end, death.

use std::ffi::{CStr, c_char};
use std::fmt::Display;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jinsi_trace::model::Record;
use jvmti_bindings::prelude::*;

use crate::ancestors;
use crate::armed_recordings;
use crate::arming::Arming;
use crate::bus;
use crate::caller::Caller;
use crate::contained::contained;
use crate::globals::{self, arming, recorder, selection};
use crate::hook;
use crate::incoming::Incoming;
use crate::jvm_options;
use crate::message::Message;
use crate::natives;
use crate::options::{Arm, HELP, OptionError, Options};
use crate::recorder::{Listeners, Process, Recorder};
use crate::reflection::{FIELD, FILTERS, FRAMES, STREAM_CLASS};
use crate::report::{self, Summary};
use crate::restore;
use crate::start_error::StartError;
use crate::surroundings;
use crate::unobserved_subclasses;

/// Internal name and class file.
type ClassFiles = &'static [(&'static str, &'static [u8])];

static RUNTIME_CLASSES: OnceLock<ClassFiles> = OnceLock::new();

/// Gives the agent the classes of `java-harness/runtime`, which the library that exports it embeds. Later calls change nothing.
pub fn embed(classes: ClassFiles) {
    let _ = RUNTIME_CLASSES.set(classes);
}

/// The library is loaded into a program that runs already. If it is recorded, somebody has something to say (`jinsi mark`): `mark=TEXT`. If it waits
/// for a failure, somebody may want a recording now (`jinsi arm`): `arm=SECONDS`. In a program that runs without the agent recording cannot begin so late.
///
/// # Safety
/// `options` is null or a C string.
pub unsafe fn attached(options: *const c_char) -> jni::jint {
    contained(jni::JNI_ERR, || {
        let text = match options.is_null() {
            true => Default::default(),
            // SAFETY: forwarded.
            false => unsafe { CStr::from_ptr(options) }.to_string_lossy(),
        };
        told(&text)
    })
}

fn told(options: &str) -> jni::jint {
    if let Some(seconds) = options.strip_prefix("arm=") {
        return armed_by(seconds);
    }
    let Some(recorder) = recorder() else {
        return match arming() {
            Some(_) => refuse(&Message::NotRecording),
            None => refuse(&Message::TooLate),
        };
    };
    match options.strip_prefix("mark=") {
        Some(text) => {
            recorder.failures.marked(text);
            jni::JNI_OK
        }
        None => refuse(&Message::OnlyMark { options }),
    }
}

/// Somebody wants a recording, for so many seconds if they are given.
fn armed_by(seconds: &str) -> jni::jint {
    let Some(arming) = arming() else {
        return refuse(&match recorder() {
            Some(_) => Message::NotArming,
            None => Message::TooLate,
        });
    };
    let lasts = match seconds {
        "" => Some(arming.lasts()),
        _ => seconds
            .parse()
            .ok()
            .filter(|&s| s > 0)
            .map(Duration::from_secs),
    };
    match lasts.map(|lasts| arming.by_hand(lasts)) {
        Some(true) => jni::JNI_OK,
        Some(false) => refuse(&Message::ArmedAlready),
        None => refuse(&Message::BadTime { seconds }),
    }
}

/// The JVMTI agent.
#[derive(Default)]
pub struct JinsiAgent {
    /// Set when the probes work; until then no class is rewritten.
    ready: AtomicBool,
    /// Set when the JVM is about to end, which takes as long as the trace takes to be closed. No class gets probes any more, but those that
    /// another agent redefines meanwhile have to keep their shape.
    ending: AtomicBool,
    platform_loader: OnceLock<usize>,
    /// Field `tid` of `java.lang.Thread`, by which the probes index the thread table.
    tid_field: OnceLock<usize>,
}

/// The probes' class.
const PROBE: &str = "java/lang/JinsiProbe";
/// Class that shows stack traces; it is rewritten to show no frames of probes.
const THROWABLE: &str = "java/lang/Throwable";
/// Class whose `dispatchUncaughtException` tells of threads that die of an exception.
const THREAD: &str = "java/lang/Thread";

impl Agent for JinsiAgent {
    fn on_load(&self, context: AgentLoadContext<'_>) -> jni::jint {
        let text = context.options_lossy().unwrap_or_default().into_owned();
        let options = match Options::parse(&text) {
            Ok(options) => options,
            Err(OptionError::Help) => {
                eprint!("{HELP}");
                std::process::exit(0);
            }
            Err(e) => return refuse(&e),
        };
        if arming().is_some() {
            report::line(&Message::TwiceArmed { options: &text });
            return jni::JNI_OK;
        }
        if let Some(recorder) = recorder() {
            // Usual where JAVA_TOOL_OPTIONS names the agent as well as the command line: no reason to stop the program.
            report::line(&Message::Twice {
                options: &text,
                path: recorder.path().display(),
            });
            return jni::JNI_OK;
        }
        if jvm_options::make_a_cache() {
            return without(&StartError::AotCache);
        }
        let Ok(jvmti) = context.vm().jvmti() else {
            return without(&StartError::NoJvmti);
        };
        let capable = jvmti.add_capabilities_with(|c| {
            c.set_can_generate_all_class_hook_events(true);
            c.set_can_retransform_classes(true);
        });
        if capable.is_err() || jvmti.set_default_agent_callbacks().is_err() {
            return without(&StartError::NoRewriting);
        }
        globals::keep(&jvmti, context.vm().raw());
        let arm = options.arm;
        match begin(&jvmti, options, text).and_then(|()| enable_events(&jvmti, arm)) {
            Ok(()) => jni::JNI_OK,
            Err(why) => without(&why),
        }
    }

    fn vm_start(&self, context: CallbackContext<'_>) {
        let Some(jni) = context.jni() else { return };
        for (name, bytes) in RUNTIME_CLASSES.get().copied().unwrap_or_default() {
            // SAFETY: called on a thread of the JVM in its start phase; a null loader is the boot loader.
            let defined = unsafe { jni.define_class(name, std::ptr::null_mut(), bytes) };
            let Some(class) = defined else {
                jni.exception_clear();
                without(&StartError::Define { name });
                return;
            };
            // There are more of them than a native method may have references.
            // SAFETY: it was just made, and nobody else has it.
            unsafe { jni.delete_local_ref(class) };
        }
    }

    fn vm_init(&self, context: CallbackContext<'_>, _event: ThreadEvent) {
        let (Some(jni), Some(table), Some(selection)) =
            (context.jni(), thread_table(), selection())
        else {
            return;
        };
        let platform_loader = platform_loader(jni);
        if let Some(loader) = platform_loader {
            let _ = self.platform_loader.set(loader as usize);
        }
        let probes_work = init_probe(jni, table);
        let tid_field = tid_field(jni);
        if !probes_work || tid_field.is_none() {
            jni.exception_clear();
            without(&StartError::Probes);
            return;
        }
        if let Some(field) = tid_field {
            let _ = self.tid_field.set(field as usize);
        }
        self.ready.store(true, Ordering::Release);
        if let (true, Some(recorder)) = (natives::at_boundary(), recorder()) {
            unobserved_subclasses::loaded(recorder, Caller::of(&context));
        }
        let surroundings = surroundings::of(context.jvmti(), jni, selection.redacts_anything());
        let salt = salt(jni).map(Record::Salt);
        let preamble = salt.into_iter().chain([Record::Surroundings(surroundings)]);
        match (arming(), recorder()) {
            (Some(arming), _) => {
                arming.begins_with(preamble.collect());
                armed_recordings::begin(arming, platform_loader);
            }
            (None, Some(recorder)) => preamble.for_each(|record| recorder.tables.record(&record)),
            (None, None) => {}
        }
        let watched: Option<Vec<_>> = [THREAD, THROWABLE, FIELD, FILTERS, FRAMES, STREAM_CLASS]
            .into_iter()
            .map(|name| jni.find_class(name))
            .collect();
        // SAFETY: all are live local references of this callback.
        let done = watched.map(|all| unsafe { context.jvmti().retransform_classes(&all) });
        if !matches!(done, Some(Ok(()))) {
            jni.exception_clear();
            report::line(&Message::BlindSpots);
        }
    }

    fn class_file_load_hook<'c>(
        &self,
        context: CallbackContext<'c>,
        mut event: ClassFileLoadHookEvent<'c>,
    ) {
        if !self.ready.load(Ordering::Acquire) {
            return;
        }
        let Ok(Some(name)) = event.name_str() else {
            return;
        };
        let class = Incoming {
            name: &name,
            loader: loader_hash(&context, event.loader()),
            bytes: event.class_data(),
        };
        let again = !event.class_being_redefined().is_null();
        let is_jdk = || self.is_jdk(&context, event.loader());
        let new_bytes = match (arming(), recorder()) {
            (None, None) => return,
            (None, Some(recorder)) => self.new_bytes(recorder, class, again, &is_jdk),
            (Some(arming), recorder) => {
                let recorder = recorder.filter(|recorder| !recorder.has_ended());
                let probed = match recorder {
                    Some(recorder) => self.new_bytes(recorder, class, again, &is_jdk),
                    None => watched(class, again),
                };
                match again {
                    true => arming.reload(class, probed),
                    false => arming.load(class, is_jdk(), probed),
                }
            }
        };
        let new_bytes = match jinsi_instrument::is_engine(&name) {
            true => hook::watch_engine(class, new_bytes),
            false => new_bytes,
        };
        if let Some(bytes) = new_bytes {
            // On failure the original bytes stay, which is what is wanted.
            let _ = event.set_transformed_class(&context, &bytes);
        }
    }

    fn class_prepare(&self, context: CallbackContext<'_>, event: ClassEvent) {
        if let (true, Some(recorder)) = (self.records(), recorder()) {
            let is_jdk = |loader| self.is_jdk(&context, loader);
            let caller = Caller::of(&context);
            ancestors::prepared(recorder, caller, event.class(), &is_jdk);
            if natives::at_boundary() {
                unobserved_subclasses::prepared(recorder, caller, event.class());
            }
        }
    }

    fn thread_end(&self, context: CallbackContext<'_>, event: ThreadEvent) {
        self.close(context, event);
    }

    fn virtual_thread_end(&self, context: CallbackContext<'_>, event: ThreadEvent) {
        self.close(context, event);
    }

    fn vm_death(&self, _context: CallbackContext<'_>) {
        let armed = arming().map(Arming::end);
        self.ending.store(true, Ordering::Release);
        let Some(recorder) = recorder() else {
            if let Some(ended) = armed {
                report::line(&ended);
            }
            return;
        };
        let summary: Summary = recorder.finish();
        report::line(&report::text(&summary, &recorder.observed_patterns()));
    }
}

/// Not the fault of how an option is written, but of where the program runs: it does as it would without us.
fn without(why: &StartError) -> jni::jint {
    report::line(&Message::NotRecorded { why });
    jni::JNI_OK
}

/// Who is informed of a recording that begins with the program.
const LISTENERS: Listeners = Listeners {
    ended: restore::classes,
    failed: |_| {},
};

/// Begins to record, or to wait for a failure; or why that cannot be.
fn begin(jvmti: &Jvmti, options: Options, text: String) -> Result<(), StartError> {
    let property = |name| jvmti.get_system_property(name).unwrap_or_default();
    let jvm = ["java.vm.version", "java.vm.name"].map(property);
    let arm = options.arm;
    let process = Process::new(options, text, jvm).map_err(StartError::Memory)?;
    let begun = match arm {
        Arm::Start => globals::begin(Recorder::start(&process, &LISTENERS)?),
        Arm::Failure => globals::arm(Arming::new(process)),
    };
    if !begun {
        return Err(StartError::Twice);
    }
    bus::watch();
    Ok(())
}

/// Address and size of the table of threads.
fn thread_table() -> Option<(u64, u64)> {
    let waiting = arming().map(|arming| arming.process().thread_table());
    waiting.or_else(|| recorder().map(Recorder::thread_table))
}

/// Is it a class of the JDK's that is always watched, or hides what is added to others?
fn is_watched(name: &str) -> bool {
    [THREAD, THROWABLE, FILTERS, FRAMES].contains(&name)
}

/// Such a class as it is while nothing is recorded.
fn watched(class: Incoming<'_>, again: bool) -> Option<Vec<u8>> {
    match class.name {
        _ if !again => None,
        THREAD => hook::watch_uncaught(class.bytes),
        THROWABLE => hook::hide_frames_of_probes(class.bytes),
        FILTERS => hook::hide_members(class.bytes),
        FRAMES => hook::hide_frames(class.bytes),
        _ => None,
    }
}

/// Has the JVM tell the agent what it has to know; or why that cannot be.
fn enable_events(jvmti: &Jvmti, arm: Arm) -> Result<(), StartError> {
    // Java 21 and later only. Without it, virtual threads keep their buffers to the end. But they are slower with it, also while nothing is
    // recorded.
    if arm == Arm::Start
        && jvmti
            .add_capabilities_with(|c| c.set_can_support_virtual_threads(true))
            .is_ok()
    {
        let _ = jvmti.enable_events_global(&[jvmti::JVMTI_EVENT_VIRTUAL_THREAD_END]);
    }
    let events = [
        jvmti::JVMTI_EVENT_VM_START,
        jvmti::JVMTI_EVENT_VM_INIT,
        jvmti::JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
        jvmti::JVMTI_EVENT_CLASS_PREPARE,
        jvmti::JVMTI_EVENT_THREAD_END,
        jvmti::JVMTI_EVENT_VM_DEATH,
    ];
    let enabled = jvmti.enable_events_global(&events);
    enabled.map_err(|e| StartError::Events {
        why: format!("{e:?}"),
    })
}

/// The options are wrong: better known at once than after the run.
fn refuse(why: &dyn Display) -> jni::jint {
    report::line(why);
    jni::JNI_ERR
}

impl JinsiAgent {
    /// What the JVM gets for a class, if that is not what it has. `again`: it is loaded already.
    fn new_bytes(
        &self,
        recorder: &Recorder,
        class: Incoming<'_>,
        again: bool,
        is_jdk: &dyn Fn() -> bool,
    ) -> Option<Vec<u8>> {
        if self.ending.load(Ordering::Acquire) {
            again.then(|| hook::in_shape(recorder, class)).flatten()
        } else if class.name == FIELD && again {
            hook::watch_fields(class.bytes)
        } else if class.name == STREAM_CLASS {
            hook::watch_deserialization(class.bytes)
        } else if is_watched(class.name) && again {
            watched(class, again)
        } else if again {
            // A class is retransformed: the JVM starts from the original bytes again, so the probes go in again.
            hook::reload(recorder, class, is_jdk())
        } else {
            hook::load(recorder, class, is_jdk())
        }
    }

    /// Do probes work, and does the JVM go on?
    fn records(&self) -> bool {
        self.ready.load(Ordering::Acquire) && !self.ending.load(Ordering::Acquire)
    }

    /// A thread is about to end: its buffer goes to the encoder. Runs no Java code, which could be observed.
    fn close(&self, context: CallbackContext<'_>, event: ThreadEvent) {
        if let (Some(jni), Some(recorder), Some(&field)) =
            (context.jni(), recorder(), self.tid_field.get())
            && self.records()
        {
            // SAFETY: the event's thread is live in this callback; the field is a long of `java.lang.Thread`, whose class is
            // never unloaded.
            let tid = unsafe { jni.get_long_field(event.thread(), field as jni::jfieldID) };
            recorder.threads.close(tid);
        }
    }

    fn is_jdk(&self, context: &CallbackContext<'_>, loader: jni::jobject) -> bool {
        if loader.is_null() {
            return true;
        }
        match (context.jni(), self.platform_loader.get()) {
            // SAFETY: `loader` is live in this callback, the platform loader's reference is global.
            (Some(jni), Some(&platform)) => unsafe {
                jni.is_same_object(loader, platform as jni::jobject)
            },
            _ => false,
        }
    }
}

/// Identity hash code of a loader; 0 of the boot loader.
fn loader_hash(context: &CallbackContext<'_>, loader: jni::jobject) -> i32 {
    if loader.is_null() {
        return 0;
    }
    // SAFETY: `loader` is live in this callback.
    unsafe { context.jvmti().get_object_hash_code(loader) }.unwrap_or(0)
}

fn platform_loader(jni: &JniEnv) -> Option<jni::jobject> {
    let class = jni.find_class("java/lang/ClassLoader")?;
    // SAFETY: the class was just found and the signature is the documented one of Java 9 and later.
    unsafe {
        let method =
            jni.get_static_method_id(class, "getPlatformClassLoader", "()Ljava/lang/ClassLoader;")?;
        let loader = jni.call_static_object_method(class, method, &[]);
        if jni.exception_check() {
            jni.exception_clear();
            return None;
        }
        if loader.is_null() {
            None
        } else {
            Some(jni.new_global_ref(loader))
        }
    }
}

fn init_probe(jni: &JniEnv, (address, entries): (u64, u64)) -> bool {
    let Some(class) = jni.find_class(PROBE) else {
        return false;
    };
    // SAFETY: the class was just found; `init` takes two longs and returns nothing.
    unsafe {
        let Some(init) = jni.get_static_method_id(class, "init", "(JJ)V") else {
            return false;
        };
        let args = [
            jni::jvalue { j: address as i64 },
            jni::jvalue { j: entries as i64 },
        ];
        jni.call_static_void_method(class, init, &args);
    }
    !jni.exception_check()
}

/// What the JVM has drawn for the order of its immutable sets and maps; Java 11 has another field for it.
fn salt(jni: &JniEnv) -> Option<u32> {
    let class = jni.find_class("java/util/ImmutableCollections")?;
    // SAFETY: the class was just found, and the field is a static long of it.
    let salt = unsafe {
        let field = jni.get_static_field_id(class, "SALT32L", "J");
        field.map(|field| jni.get_static_long_field(class, field))
    };
    if jni.exception_check() {
        jni.exception_clear();
    }
    u32::try_from(salt?).ok()
}

fn tid_field(jni: &JniEnv) -> Option<jni::jfieldID> {
    let class = jni.find_class(THREAD)?;
    // SAFETY: the class was just found.
    unsafe { jni.get_field_id(class, "tid", "J") }
}
