//! Which classes have unobserved subclasses: classes that inherit from them and are not observed themselves.
//!
//! Observed code that names an observed class in a call mostly reaches observed code, of which the boundary records nothing. To be sure it
//! would have to ask each receiver. But the JVM prepares a class before it has an instance, and tells; so as long as no unobserved subclass of a class
//! was prepared, no receiver of a call that names the class can be one, and the probe asks one byte of [`TABLE`] alone.
//!
//! Observed classes by which the machine runs something ([`MACHINES`]) count as unobserved subclasses: what they inherit from the JDK is answered.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU8, Ordering};

use jinsi_probes::owners;
use jvmti_bindings::prelude::*;

use crate::ancestors::{internal_name, parents, release};
use crate::border::MANY_REFERENCES;
use crate::caller::Caller;
use crate::recorder::Recorder;

/// 1 in the place of each class that has one.
static TABLE: [AtomicU8; owners::SLOTS] = [const { AtomicU8::new(0) }; owners::SLOTS];

/// The same classes as in `JinsiShape.isMachine`.
const MACHINES: [&str; 2] = ["java/lang/Thread", "java/util/concurrent/ForkJoinTask"];

/// Address of the table, which is there for as long as the process is.
pub(crate) fn table() -> usize {
    TABLE.as_ptr().expose_provenance()
}

/// Classes that were prepared before the agent was informed of each are looked at. If the JVM does not tell of them, any may be an unobserved subclass.
pub(crate) fn loaded(recorder: &Recorder, caller: Caller<'_>) {
    let frame = caller
        .jni()
        .map(|jni| jni.push_local_frame(MANY_REFERENCES));
    match caller.jvmti().get_loaded_classes() {
        Ok(classes) if matches!(frame, Some(Ok(_))) => {
            for class in classes {
                prepared(recorder, caller, class);
                release(caller, class);
            }
        }
        _ => TABLE
            .iter()
            .for_each(|slot| slot.store(1, Ordering::Release)),
    }
}

/// `class` is prepared: if it is an unobserved subclass, those that it inherits from have one.
pub(crate) fn prepared(recorder: &Recorder, caller: Caller<'_>, class: jni::jclass) {
    // Those of the JDK's core inherit from their like only.
    let name = internal_name(caller, class).filter(|name| !name.starts_with("java/"));
    let Some(name) = name else { return };
    // A callback is only promised room for 16 references, and a class may have many interfaces.
    let _frame = caller
        .jni()
        .map(|jni| jni.push_local_frame(MANY_REFERENCES));
    let mut names = HashSet::from([name.clone()]);
    collect(caller, class, &mut names);
    let observed = |name: &&String| recorder.selection.observes(name, false);
    if !names.iter().any(|name| observed(&name)) {
        return;
    }
    let is_machine = MACHINES.iter().any(|machine| names.contains(*machine));
    let is_known = recorder.inheritance.is_observed(&name.replace('/', "."));
    if is_machine || !is_known || is_of_boot_loader(caller, class) {
        for name in names.iter().filter(observed) {
            TABLE[owners::slot(name)].store(1, Ordering::Release);
        }
    }
}

/// Adds the names of the classes and interfaces that `class` inherits from.
fn collect(caller: Caller<'_>, class: jni::jclass, names: &mut HashSet<String>) {
    for parent in parents(caller, class) {
        if internal_name(caller, parent).is_some_and(|name| names.insert(name)) {
            collect(caller, parent, names);
        }
        release(caller, parent);
    }
}

/// Probes take such a class for the environment's, whatever its name.
fn is_of_boot_loader(caller: Caller<'_>, class: jni::jclass) -> bool {
    // SAFETY: `class` is a live local reference of this callback.
    match unsafe { caller.jvmti().get_class_loader(class) } {
        Ok(loader) => {
            release(caller, loader);
            loader.is_null()
        }
        Err(_) => true,
    }
}
