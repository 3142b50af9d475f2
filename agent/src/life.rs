//! The agent's life inside the JVM: load, start, class hook, thread end, death.

use std::ffi::{CStr, c_char};
use std::fmt::Display;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use jinsi_trace::model::Record;
use jvmti_bindings::prelude::*;

use crate::ancestors;
use crate::bus;
use crate::contained::contained;
use crate::globals::{self, recorder};
use crate::hook;
use crate::incoming::Incoming;
use crate::jvm_options;
use crate::message::Message;
use crate::natives;
use crate::options::{HELP, OptionError, Options};
use crate::recorder::Recorder;
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

/// The library is loaded into a program that runs already. If it is recorded, somebody has something to say (`jinsi mark`): `mark=TEXT`.
/// Recording itself cannot begin so late.
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
        marked_by(&text)
    })
}

fn marked_by(options: &str) -> jni::jint {
    let Some(recorder) = recorder() else {
        return refuse(&Message::TooLate);
    };
    match options.strip_prefix("mark=") {
        Some(text) => {
            recorder.failures.marked(text);
            jni::JNI_OK
        }
        None => refuse(&Message::OnlyMark { options }),
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
        match begin(&jvmti, &options, &text).and_then(|()| enable_events(&jvmti)) {
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
        let (Some(jni), Some(recorder)) = (context.jni(), recorder()) else {
            return;
        };
        if let Some(loader) = platform_loader(jni) {
            let _ = self.platform_loader.set(loader as usize);
        }
        let probes_work = init_probe(jni, recorder.thread_table());
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
        if natives::at_boundary() {
            unobserved_subclasses::loaded(recorder, &context);
        }
        if let Some(salt) = salt(jni) {
            recorder.tables.record(&Record::Salt(salt));
        }
        let surroundings =
            surroundings::of(context.jvmti(), jni, recorder.selection.redacts_anything());
        recorder.tables.record(&Record::Surroundings(surroundings));
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
        let (Some(recorder), Ok(Some(name))) = (recorder(), event.name_str()) else {
            return;
        };
        let class = Incoming {
            name: &name,
            loader: loader_hash(&context, event.loader()),
            bytes: event.class_data(),
        };
        let again = !event.class_being_redefined().is_null();
        let new_bytes = if self.ending.load(Ordering::Acquire) {
            again.then(|| hook::in_shape(recorder, class)).flatten()
        } else if name == THREAD && again {
            hook::watch_uncaught(class.bytes)
        } else if name == FIELD && again {
            hook::watch_fields(class.bytes)
        } else if name == FILTERS && again {
            hook::hide_members(class.bytes)
        } else if name == THROWABLE && again {
            hook::hide_frames_of_probes(class.bytes)
        } else if name == FRAMES && again {
            hook::hide_frames(class.bytes)
        } else if name == STREAM_CLASS {
            hook::watch_deserialization(class.bytes)
        } else if again {
            // A class is retransformed: the JVM starts from the original bytes again, so the probes go in again.
            hook::reload(recorder, class, self.is_jdk(&context, event.loader()))
        } else {
            hook::load(recorder, class, self.is_jdk(&context, event.loader()))
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
            ancestors::prepared(recorder, &context, event.class(), &is_jdk);
            if natives::at_boundary() {
                unobserved_subclasses::prepared(recorder, &context, event.class());
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
        let Some(recorder) = recorder() else { return };
        self.ending.store(true, Ordering::Release);
        let summary: Summary = recorder.finish();
        report::line(&report::text(&summary, &recorder.observed_patterns()));
    }
}

/// Not the fault of how an option is written, but of where the program runs: it does as it would without us.
fn without(why: &StartError) -> jni::jint {
    report::line(&Message::NotRecorded { why });
    jni::JNI_OK
}

/// Begins to record; or why that cannot be.
fn begin(jvmti: &Jvmti, options: &Options, text: &str) -> Result<(), StartError> {
    let property = |name| jvmti.get_system_property(name).unwrap_or_default();
    let recorder = Recorder::start(
        options,
        text,
        property("java.vm.version"),
        property("java.vm.name"),
        restore::classes,
    );
    if !globals::begin(recorder?) {
        return Err(StartError::Twice);
    }
    bus::watch();
    Ok(())
}

/// Has the JVM tell the agent what it has to know; or why that cannot be.
fn enable_events(jvmti: &Jvmti) -> Result<(), StartError> {
    // Java 21 and later only. Without it, virtual threads keep their buffers to the end.
    if jvmti
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
