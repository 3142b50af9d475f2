//! Which class inherits from which, and which method a call runs, as far as the trace knows.

use std::collections::{HashMap, HashSet};

use jinsi_trace::model::MemberRef;
use jinsi_trace::reader::Trace;

use crate::code::{Method, MethodNo, Program};
use crate::jdk;

/// Which class inherits from which, and which methods they have, as far as the trace knows.
#[derive(Debug)]
pub struct Hierarchy<'p> {
    /// By class: itself and all that it inherits from.
    above: HashMap<&'p str, HashSet<&'p str>>,
    /// By class: itself and all that inherit from it.
    below: HashMap<&'p str, Vec<&'p str>>,
    /// By name and descriptor.
    named: HashMap<String, Vec<(MethodNo, &'p Method)>>,
    recorded: HashSet<&'p str>,
    trace: &'p Trace,
}

impl<'p> Hierarchy<'p> {
    /// Of the classes of a trace.
    pub fn of(trace: &'p Trace, program: &'p Program) -> Self {
        let mut above: HashMap<&str, HashSet<&str>> = HashMap::new();
        for class in trace.classes() {
            let mut seen = HashSet::new();
            let mut pending = vec![class.name.as_str()];
            while let Some(name) = pending.pop() {
                if !seen.insert(name) {
                    continue;
                }
                if let Some(class) = trace.class_by_name(name) {
                    pending.extend(class.super_name.as_deref());
                    pending.extend(class.interfaces.iter().map(String::as_str));
                }
                pending.extend(jdk::above(name).unwrap_or_default());
            }
            above.insert(&class.name, seen);
        }
        let mut below: HashMap<&str, Vec<&str>> = HashMap::new();
        for (class, all) in &above {
            for name in all {
                below.entry(name).or_default().push(class);
            }
        }
        let mut named: HashMap<String, Vec<(MethodNo, &Method)>> = HashMap::new();
        let mut recorded = HashSet::new();
        for (no, method) in program.methods().iter().enumerate() {
            let key = format!("{}{}", method.name, method.desc);
            named
                .entry(key)
                .or_default()
                .push((MethodNo::from_index(no), method));
            recorded.insert(method.owner.as_str());
        }
        Self {
            above,
            below,
            named,
            recorded,
            trace,
        }
    }

    /// Has the trace code of the class?
    pub fn is_recorded(&self, class: &str) -> bool {
        self.recorded.contains(class)
    }

    fn of_name(&self, target: &MemberRef) -> &[(MethodNo, &'p Method)] {
        let known = self.named.get(&format!("{}{}", target.name, target.desc));
        known.map_or(&[], Vec::as_slice)
    }

    /// The method that the class of `target` has, or inherits from the nearest superclass.
    pub fn declared(&self, target: &MemberRef) -> Option<MethodNo> {
        let of_name = self.of_name(target);
        let mut at = Some(target.owner.as_str());
        for _ in 0..=self.above.len() {
            let class = at?;
            if let Some((no, _)) = of_name.iter().find(|(_, method)| method.owner == class) {
                return Some(*no);
            }
            at = self.trace.class_by_name(class)?.super_name.as_deref();
        }
        None
    }

    /// All methods that may run if `target` is called on an object: those of classes below, and those that these inherit.
    pub fn overriding(&self, target: &MemberRef) -> Vec<MethodNo> {
        let Some(below) = self.below.get(target.owner.as_str()) else {
            return Vec::new();
        };
        let may_run = |method: &Method| {
            let has = |class: &&str| self.above[class].contains(method.owner.as_str());
            below.iter().any(has)
        };
        let of_name = self.of_name(target).iter();
        let may_run = of_name.filter(|(_, method)| may_run(method));
        may_run.map(|(no, _)| *no).collect()
    }

    /// Is the class this one, or does it inherit from it? False also where nothing is known of it.
    pub fn is_below(&self, class: &str, ancestor: &str) -> bool {
        class == ancestor
            || ancestor == "java/lang/Object"
            || (self.above.get(class)).is_some_and(|above| above.contains(ancestor))
    }

    /// Does the trace say all that the class inherits from?
    pub fn is_known(&self, class: &str) -> bool {
        let known = |name: &&str| {
            *name == "java/lang/Object"
                || self.above.contains_key(*name)
                || jdk::above(name).is_some()
        };
        (self.above.get(class)).is_some_and(|above| above.iter().all(known))
    }

    /// May an object of this class be used as one of the other, as far as is known?
    pub fn may_be(&self, class: &str, wanted: &str) -> bool {
        if self.is_below(class, wanted) {
            return true;
        }
        let is_array = |name: &str| name.starts_with('[');
        let is_jdks = |name: &str| name.starts_with("java");
        match (is_array(class), is_array(wanted)) {
            (true, true) => true,
            (true, false) => matches!(wanted, "java/lang/Cloneable" | "java/io/Serializable"),
            (false, true) => false,
            (false, false) => {
                !self.is_known(class)
                    && !jdk::is_final(wanted)
                    && (is_jdks(wanted) || !is_jdks(class))
            }
        }
    }

    /// The method that runs if `target` is called on an object of this class; `None`: it is not recorded.
    pub fn runs(&self, class: &str, target: &MemberRef) -> Option<MethodNo> {
        let of_class = MemberRef {
            owner: class.into(),
            ..target.clone()
        };
        if let Some(method) = self.declared(&of_class) {
            return Some(method);
        }
        // An interface may have code, too.
        let above = self.above.get(class)?;
        let of_name = self.of_name(target).iter();
        let mut found = of_name.filter(|(_, method)| above.contains(method.owner.as_str()));
        found.next().map(|(no, _)| *no)
    }
}
