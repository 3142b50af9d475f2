//! Classes of the environment whose instances carry their identity in a field, as those of observed classes do.
//!
//! Observed code is handed objects of other classes, a servlet four a request. In the weak table each of them costs an allocation, a
//! lock, and work of the collector when it dies. So the classes that are loaded after observed ones have named what they inherit from get
//! the field, too; and all, once observed code deals with reflection, by which a mapper of objects is handed those of any class. That is all
//! that is done to them here.
//!
//! The JVM lets no class change its fields after it is loaded: what was decided of a class once is decided for good.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use jinsi_classfile::scan::{self, References};
use jinsi_classfile::{ACC_INTERFACE, ACC_MODULE};
use parking_lot::Mutex;

use crate::incoming::Incoming;
use crate::options::Arm;
use jinsi_instrument as instrument;

/// Every object is one.
const OBJECT: &str = "java/lang/Object";
/// What can be cloned is in the table, whatever fields it has.
const CLONEABLE: &str = "java/lang/Cloneable";

/// Who calls their methods may be handed objects of any class.
const REFLECTIVE: [&str; 3] = [
    "java/lang/reflect/Constructor",
    "java/lang/reflect/Field",
    "java/lang/reflect/Method",
];

/// Which classes carry identities.
#[derive(Default)]
pub(crate) struct Carriers {
    /// No class is to: recordings come and go, and what a class got has to stay.
    none: bool,
    /// Internal names of the types whose methods observed code calls.
    met: Mutex<HashSet<String>>,
    /// What was decided, by a hash of the class' name and its loader's identity hash code.
    decided: Mutex<HashMap<u64, bool>>,
    hasher: RandomState,
}

impl Carriers {
    /// None where recording does not begin with the program.
    pub(crate) fn new(arm: Arm) -> Self {
        Self {
            none: arm != Arm::Start,
            ..Self::default()
        }
    }

    /// An observed class with these bytes is loaded.
    pub(crate) fn meet(&self, bytes: &[u8]) {
        let Ok(owners) = scan::method_owners(bytes) else {
            return;
        };
        let mut met = self.met.lock();
        for owner in owners {
            if owner != OBJECT && !owner.starts_with('[') && !met.contains(owner.as_ref()) {
                met.insert(owner.into_owned());
            }
        }
    }

    /// A class that is not observed, nor the JDK's, is loaded; `bytes` are its bytes if they are new already. Gives what the JVM gets.
    pub(crate) fn load(
        &self,
        class: Incoming<'_>,
        references: &References<'_>,
        bytes: Option<Vec<u8>>,
    ) -> Option<Vec<u8>> {
        match self.decides(class, references) {
            true => carry(class, bytes),
            false => bytes,
        }
    }

    /// ... is retransformed or redefined.
    pub(crate) fn reload(&self, class: Incoming<'_>, bytes: Option<Vec<u8>>) -> Option<Vec<u8>> {
        match self.is_one(class) {
            true => carry(class, bytes),
            false => bytes,
        }
    }

    /// A class that is not observed is loaded: does it get the field? One that extends another class of the program may inherit it, or
    /// that of an observed class, and what that does is not known before it is loaded.
    fn decides(&self, class: Incoming<'_>, references: &References<'_>) -> bool {
        let wanted = !self.none
            && references.access & (ACC_INTERFACE | ACC_MODULE) == 0
            && references
                .super_name
                .as_ref()
                .is_some_and(|name| is_of_the_jdk(name))
            && !references.interfaces.iter().any(|i| i == CLONEABLE)
            && self.is_met(references);
        *self.decided.lock().entry(self.key(class)).or_insert(wanted)
    }

    /// Does observed code call methods of the class, of its superclass, or of an interface of it, or may it be by reflection? Interfaces
    /// of the JDK count not: its collections and functions are everywhere.
    fn is_met(&self, references: &References<'_>) -> bool {
        let met = self.met.lock();
        let interfaces = references.interfaces.iter();
        let mut types = interfaces
            .filter(|i| !is_of_the_jdk(i))
            .chain(&references.super_name)
            .chain([&references.name])
            .map(AsRef::as_ref)
            .chain(REFLECTIVE);
        types.any(|name| met.contains(name))
    }

    fn is_one(&self, class: Incoming<'_>) -> bool {
        self.decided.lock().get(&self.key(class)) == Some(&true)
    }

    fn key(&self, class: Incoming<'_>) -> u64 {
        self.hasher.hash_one((class.name, class.loader))
    }
}

/// Are there no fields of ours in it?
fn is_of_the_jdk(internal: &str) -> bool {
    internal.starts_with("java/")
}

fn carry(class: Incoming<'_>, bytes: Option<Vec<u8>>) -> Option<Vec<u8>> {
    let carrying = instrument::carry(bytes.as_deref().unwrap_or(class.bytes));
    // What has no room for a field has none when it comes again.
    carrying.ok().or(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class<'a>(name: &'a str, super_name: &'a str, interfaces: &[&'a str]) -> References<'a> {
        References {
            name: name.into(),
            access: 0,
            super_name: Some(super_name.into()),
            interfaces: interfaces.iter().map(|&name| name.into()).collect(),
            field_owners: Vec::new(),
            var_handles: false,
        }
    }

    fn having_met(types: &[&str]) -> Carriers {
        let carriers = Carriers::default();
        let mut met = carriers.met.lock();
        met.extend(types.iter().map(ToString::to_string));
        drop(met);
        carriers
    }

    fn decides(carriers: &Carriers, references: &References<'_>) -> bool {
        let class = Incoming {
            name: &references.name,
            loader: 1,
            bytes: &[],
        };
        carriers.decides(class, references)
    }

    #[test]
    fn classes_that_observed_code_calls_carry() {
        let carriers = having_met(&["app/Request", "java/util/List"]);
        assert!(decides(
            &carriers,
            &class("app/Facade", OBJECT, &["app/Request"])
        ));
        assert!(decides(&carriers, &class("app/Request", OBJECT, &[])));
        assert!(!decides(
            &carriers,
            &class("app/Page", OBJECT, &["java/util/List"])
        ));
        assert!(!decides(&carriers, &class("app/Bean", OBJECT, &[])));
    }

    #[test]
    fn all_carry_that_reflection_may_hand_to_observed_code() {
        let carriers = having_met(&["java/lang/reflect/Field"]);
        assert!(decides(&carriers, &class("app/Bean", OBJECT, &[])));
        assert!(!decides(&carriers, &class("app/Big", "app/Bean", &[])));
        assert!(!decides(
            &carriers,
            &class("app/Copied", OBJECT, &[CLONEABLE])
        ));
    }

    #[test]
    fn what_was_decided_stays() {
        let carriers = Carriers::default();
        let bean = class("app/Bean", OBJECT, &[]);
        assert!(!decides(&carriers, &bean));
        carriers
            .met
            .lock()
            .insert("java/lang/reflect/Method".to_owned());
        assert!(!decides(&carriers, &bean));
    }
}
