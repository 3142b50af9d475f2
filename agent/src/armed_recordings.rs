//! Recordings that a failure begins (`arm=failure`), by a thread of the agent's.
//!
//! Such a recording is one with windows, whose first window begins in the middle of the program. All loaded classes that are observed, or have to do with
//! those that are, get their probes; what objects hold is reported when they are first named. It ends when the failure that it waits for was recorded, or
//! after some time. Then the probes are taken out, and the trace is kept if there is a failure in it.
//!
//! What a recording needed stays in memory, for probes may still be at work with it.

use std::ffi::CStr;
use std::time::{Duration, Instant};

use jvmti_bindings::prelude::*;

use crate::ancestors;
use crate::arming::{Arming, Cause};
use crate::border::MANY_REFERENCES;
use crate::caller::{Attached, Caller};
use crate::contained::contained;
use crate::globals::{self, arming, recorder};
use crate::message::Message;
use crate::recorder::{Listeners, Recorder};
use crate::reflection::{FIELD, STREAM_CLASS};
use crate::repeats::Kind;
use crate::report;
use crate::restore::{has_probes, retransform};
use crate::unobserved_subclasses;

/// As which the thread shows itself to the program while a recording begins or ends.
const NAME: &CStr = c"jinsi-arming";
/// Classes that are rewritten while all threads stand still.
const AT_A_TIME: usize = 64;
/// How long a recording goes on behind the failure that it waited for, so that it is seen how that went on.
const GRACE: Duration = Duration::from_millis(500);
/// Time between two looks at a recording that is to begin.
const PAUSE: Duration = Duration::from_millis(5);
/// How long a recording may take to begin. It is used as it is if that is longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// The probes work: from now on failures are waited for. Classes of the platform's loader are the JDK's.
pub(crate) fn begin(arming: &'static Arming, platform_loader: Option<jni::jobject>) {
    let platform = platform_loader.map(|loader| loader as usize);
    let thread = std::thread::Builder::new().name("jinsi-arming".into());
    let run = move || contained((), || run(arming, platform));
    if let Err(e) = thread.spawn(run) {
        not_armed(&e.to_string());
    }
}

fn not_armed(why: &str) {
    report::line(&Message::NotArmed { why });
}

fn run(arming: &Arming, platform: Option<usize>) {
    while let Some(cause) = arming.wait() {
        let Some(turning) = arming.turn() else { return };
        let began = arm(arming, &cause, platform);
        drop(turning);
        if began {
            let lasts = match cause {
                Cause::Failure(_) => arming.lasts(),
                Cause::Hand(lasts) => lasts,
            };
            let has_ended = || recorder().is_none_or(Recorder::has_ended);
            arming.wait_for_end(lasts, GRACE, &has_ended);
        }
        let Some(_turning) = arming.turn() else {
            return;
        };
        let kept = recorder().is_some_and(disarm);
        arming.has_ended(kept);
    }
}

/// Begins a recording. Whether there is one.
fn arm(arming: &Arming, cause: &Cause, platform: Option<usize>) -> bool {
    let Some(attached) = Attached::daemon(NAME) else {
        return false;
    };
    let caller = attached.caller();
    forget(caller);
    let process = arming.process();
    process.admit_all();
    let listeners = Listeners {
        // The probes are taken out here.
        ended: || {},
        failed,
    };
    match Recorder::start(process, &listeners).map(globals::begin) {
        Ok(true) => {}
        Ok(false) => return false,
        Err(e) => {
            not_armed(&e.to_string());
            return false;
        }
    }
    let Some(recorder) = recorder() else {
        return false;
    };
    arming.has_begun();
    for record in arming.preamble() {
        recorder.tables.record(record);
    }
    put_probes_in(arming, recorder, caller, platform);
    begin_window(recorder);
    report::line(&match cause {
        Cause::Failure(kind) => Message::Armed {
            class: &kind.class,
            place: &kind.place,
            seconds: arming.lasts().as_secs(),
        },
        Cause::Hand(lasts) => Message::ArmedByHand {
            seconds: lasts.as_secs(),
        },
    });
    true
}

/// A failure of this kind, if that is known, was recorded.
fn failed(kind: Option<&Kind>) {
    if let Some(arming) = arming() {
        arming.recorded(kind);
    }
}

/// Do accesses by reflection, and objects that deserialization makes, show in this class of the JDK's?
fn is_by_reflection(name: &str) -> bool {
    [FIELD, STREAM_CLASS].contains(&name)
}

fn put_probes_in(
    arming: &Arming,
    recorder: &Recorder,
    caller: Caller<'_>,
    platform: Option<usize>,
) {
    let wanted = |name: &str| arming.wants(name) || is_by_reflection(name);
    let classes = retransform(caller, AT_A_TIME, &wanted);
    let is_jdk = |loader: jni::jobject| is_jdk(caller, loader, platform);
    for &class in &classes {
        ancestors::prepared(recorder, caller, class, &is_jdk);
    }
    for class in classes {
        ancestors::release(caller, class);
    }
    unobserved_subclasses::loaded(recorder, caller);
}

/// Is it the boot loader, or the platform's, which has this global reference?
fn is_jdk(caller: Caller<'_>, loader: jni::jobject, platform: Option<usize>) -> bool {
    loader.is_null()
        || caller.jni().zip(platform).is_some_and(|(jni, platform)| {
            // SAFETY: `loader` is a live local reference, and the platform loader's is global.
            unsafe { jni.is_same_object(loader, platform as jni::jobject) }
        })
}

/// From here on what happens is part of the recording.
fn begin_window(recorder: &Recorder) {
    let until = Instant::now() + PATIENCE;
    while let Some(windows) = recorder.windows()
        && !windows.have_begun()
        && Instant::now() < until
        && windows.look().is_ok()
    {
        std::thread::sleep(PAUSE);
    }
}

/// Ends the recording. Whether its trace is kept.
fn disarm(recorder: &Recorder) -> bool {
    recorder.stop();
    if let Some(attached) = Attached::daemon(NAME) {
        let wanted = |name: &str| has_probes(recorder, name) || is_by_reflection(name);
        retransform(attached.caller(), AT_A_TIME, &wanted);
    }
    let summary = recorder.finish();
    globals::end();
    report::line(&report::text(&summary, &recorder.observed_patterns()));
    summary.path.is_some()
}

/// What threads have noted of an earlier recording is not true any more.
fn forget(caller: Caller<'_>) {
    let Some(jni) = caller.jni() else { return };
    let Ok(_frame) = jni.push_local_frame(MANY_REFERENCES) else {
        return;
    };
    let Some(class) = jni.find_class("java/lang/JinsiThread") else {
        jni.exception_clear();
        return;
    };
    // SAFETY: the class was just found; its method takes a thread and returns nothing; the threads are live local references of this frame.
    unsafe {
        let method = jni.get_static_method_id(class, "forget", "(Ljava/lang/Thread;)V");
        let Some(method) = method else {
            jni.exception_clear();
            return;
        };
        for thread in caller.jvmti().get_all_threads().unwrap_or_default() {
            jni.call_static_void_method(class, method, &[jni::jvalue { l: thread }]);
            if jni.exception_check() {
                jni.exception_clear();
            }
            jni.delete_local_ref(thread);
        }
    }
}
