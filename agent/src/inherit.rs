//! Which classes hand their code down to observed ones, and how far their rewriting is.
//!
//! A superclass that is loaded on behalf of an observed class comes through the class hook right behind it and is rewritten there.
//! One that was loaded before is rewritten when the observed class is prepared, which is before it has any instance: see
//! `ancestors`.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use jinsi_trace::model::{ClassDef, ClassOrigin};
use parking_lot::{Condvar, Mutex};

use jinsi_instrument::selection::Selection;

/// How long a thread waits for another one that is rewriting the superclass it needs. That one may load classes meanwhile, by the
/// program's own loaders, so it could in turn wait for this one.
const PATIENCE: Duration = Duration::from_secs(2);

/// How far a class is that observed ones inherit from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// To be rewritten when it loads.
    Wanted,
    /// Being retransformed by some thread.
    Busy,
    /// Rewritten, or left alone for good.
    Done,
}

/// Whether the caller has to rewrite a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It has.
    Mine,
    /// It is done.
    Done,
    /// Another thread is at it, and takes too long.
    Busy,
}

#[derive(Debug, Default)]
struct State {
    /// Observed classes that were rewritten, by binary name.
    observed: HashSet<String>,
    /// Classes they inherit from, by internal name.
    stages: HashMap<String, Stage>,
    /// Classes whose superclasses have to be looked at when they are prepared, by internal name.
    unprepared: HashSet<String>,
}

/// The inheritance of observed classes, by name.
#[derive(Debug, Default)]
pub struct Inheritance {
    state: Mutex<State>,
    settled: Condvar,
}

impl Inheritance {
    /// The class was rewritten, because it is observed or inherited from: what it inherits from itself is wanted from now on.
    pub fn rewritten(&self, class: &ClassDef, selection: &Selection) {
        let name = &class.name;
        let wanted: Vec<&String> = class
            .super_name
            .iter()
            .chain(&class.interfaces)
            .filter(|s| selection.may_be_inherited(s, false))
            .collect();
        let mut state = self.state.lock();
        if class.origin == ClassOrigin::Inherited {
            // What is being retransformed is not done before the JVM has exchanged the code.
            let stage = state.stages.entry(name.clone()).or_insert(Stage::Done);
            if *stage == Stage::Wanted {
                *stage = Stage::Done;
            }
        } else {
            state.observed.insert(name.replace('/', "."));
        }
        if !wanted.is_empty() {
            state.unprepared.insert(name.clone());
        }
        for name in wanted {
            let stage = state.stages.entry(name.clone());
            stage.or_insert(Stage::Wanted);
        }
        drop(state);
        self.settled.notify_all();
    }

    /// The class has its probes, or is to stay as it is.
    pub fn settle(&self, name: &str) {
        self.state.lock().stages.insert(name.into(), Stage::Done);
        self.settled.notify_all();
    }

    /// Was the observed class with this binary name rewritten?
    pub fn is_observed(&self, binary: &str) -> bool {
        self.state.lock().observed.contains(binary)
    }

    /// Was the class with this internal name rewritten, because it is observed or because observed ones inherit from it?
    pub fn has_probes(&self, name: &str) -> bool {
        let state = self.state.lock();
        state.stages.get(name) == Some(&Stage::Done)
            || state.observed.contains(&name.replace('/', "."))
    }

    /// Is the class, which is being loaded, to be rewritten because observed ones inherit from it?
    pub fn wants(&self, name: &str) -> bool {
        self.state.lock().stages.get(name) == Some(&Stage::Wanted)
    }

    /// Is the class, which is being retransformed, one that observed ones inherit from? Then whether this is the first time.
    pub fn retransforms(&self, name: &str) -> Option<bool> {
        match self.state.lock().stages.get(name)? {
            Stage::Wanted => None,
            Stage::Busy => Some(true),
            Stage::Done => Some(false),
        }
    }

    /// Is there any class of which [`Self::prepared`] is true?
    pub fn waits(&self) -> bool {
        !self.state.lock().unprepared.is_empty()
    }

    /// The class is prepared. Are its superclasses to be looked at?
    pub fn prepared(&self, name: &str) -> bool {
        self.state.lock().unprepared.remove(name)
    }

    /// Asks to rewrite a class that is loaded already.
    pub fn claim(&self, name: &str) -> Claim {
        let mut state = self.state.lock();
        loop {
            match state.stages.get(name) {
                None | Some(Stage::Wanted) => {
                    state.stages.insert(name.into(), Stage::Busy);
                    return Claim::Mine;
                }
                Some(Stage::Done) => return Claim::Done,
                Some(Stage::Busy) => {
                    if self.settled.wait_for(&mut state, PATIENCE).timed_out() {
                        return Claim::Busy;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_rewritten_once() {
        let inheritance = Inheritance::default();
        assert_eq!(inheritance.claim("a/A"), Claim::Mine);
        assert_eq!(inheritance.retransforms("a/A"), Some(true));
        std::thread::scope(|scope| {
            let other = scope.spawn(|| inheritance.claim("a/A"));
            inheritance.settle("a/A");
            assert_eq!(other.join().unwrap(), Claim::Done);
        });
        assert_eq!(inheritance.retransforms("a/A"), Some(false));
        assert!(!inheritance.wants("a/A"));
    }
}
