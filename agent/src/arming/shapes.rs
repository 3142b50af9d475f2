//! What observed classes are while nothing is recorded: as they are later in all that the JVM lets no class change, and without probes.
//!
//! That is the field with the identity, and the bodies of method references. Retransformation can put probes in, but cannot add these.

use std::collections::{HashMap, HashSet};

use jinsi_classfile::ClassFile;
use jinsi_classfile::references::{Reference, add_bodies};
use jinsi_classfile::scan;
use jinsi_instrument as instrument;
use jinsi_instrument::selection::Selection;
use parking_lot::Mutex;

use crate::incoming::Incoming;

/// A class that can be recorded, as one loader has it.
#[derive(Debug)]
struct Shaped {
    /// The loader's identity hash code.
    loader: i32,
    /// What the class has bodies for.
    references: Vec<Reference>,
}

/// The classes that can be recorded.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    /// By internal name.
    shaped: Mutex<HashMap<String, Vec<Shaped>>>,
    /// Names of classes that are not observed and access fields of observed ones, or are handed to them: they get probes of their own, or a place in the tables.
    beside: Mutex<HashSet<String>>,
}

impl Shapes {
    /// An observed class is loaded; `probed` has its shape already, if there is one. What the JVM gets.
    pub(super) fn load(
        &self,
        class: Incoming<'_>,
        probed: Option<Vec<u8>>,
        selection: &Selection,
    ) -> Option<Vec<u8>> {
        let parsed = ClassFile::parse(class.bytes).ok()?;
        self.neighbours(class.bytes, selection);
        let references = instrument::leading_out(&parsed, selection).unwrap_or_default();
        let bytes = match probed {
            Some(bytes) => bytes,
            None => shaped(parsed, &references, selection)?,
        };
        let mut all = self.shaped.lock();
        let loaders = all.entry(class.name.into()).or_default();
        if !loaders.iter().any(|shaped| shaped.loader == class.loader) {
            loaders.push(Shaped {
                loader: class.loader,
                references,
            });
        }
        Some(bytes)
    }

    /// A class that is not observed, nor the JDK's, is loaded.
    pub(super) fn load_beside(&self, class: Incoming<'_>, selection: &Selection) {
        let Ok(references) = scan::references(class.bytes) else {
            return;
        };
        let touches = |owner: &str| selection.observes(owner, false);
        if references.var_handles || references.field_owners.iter().any(|owner| touches(owner)) {
            self.beside.lock().insert(class.name.into());
        }
    }

    /// A class comes again, and `probed` if it gets probes; it keeps the shape that it was loaded with. What the JVM gets.
    pub(super) fn reload(
        &self,
        class: Incoming<'_>,
        probed: Option<Vec<u8>>,
        selection: &Selection,
    ) -> Option<Vec<u8>> {
        if probed.is_some() {
            return probed;
        }
        let references = {
            let all = self.shaped.lock();
            let mut loaders = all.get(class.name)?.iter();
            let shaped = loaders.find(|shaped| shaped.loader == class.loader)?;
            shaped.references.clone()
        };
        let parsed = ClassFile::parse(class.bytes).ok()?;
        shaped(parsed, &references, selection)
    }

    /// Is this class of this loader one that can be recorded?
    pub(super) fn has(&self, class: Incoming<'_>) -> bool {
        let all = self.shaped.lock();
        let loaders = all.get(class.name);
        loaders.is_some_and(|all| all.iter().any(|shaped| shaped.loader == class.loader))
    }

    /// Is a class of this internal name one that can be recorded?
    pub(super) fn has_name(&self, internal: &str) -> bool {
        self.shaped.lock().contains_key(internal)
    }

    /// Is there no class that can be recorded?
    pub(super) fn are_none(&self) -> bool {
        self.shaped.lock().is_empty()
    }

    /// Is a class of this internal name to come again when recording begins?
    pub(super) fn wants(&self, internal: &str) -> bool {
        self.has_name(internal) || self.beside.lock().contains(internal)
    }

    /// Classes that observed code calls are described in the tables.
    fn neighbours(&self, bytes: &[u8], selection: &Selection) {
        let Ok(owners) = scan::method_owners(bytes) else {
            return;
        };
        let mut beside = self.beside.lock();
        for owner in owners {
            if !selection.observes(&owner, false) && selection.may_be_inherited(&owner, false) {
                beside.insert(owner.into_owned());
            }
        }
    }
}

/// The class with what the JVM lets it never lose. Without room for the bodies there are none; so it is when it gets probes.
fn shaped(
    mut class: ClassFile,
    references: &[Reference],
    selection: &Selection,
) -> Option<Vec<u8>> {
    if !references.is_empty() {
        let mut changed = class.clone();
        if let Ok(true) = add_bodies(&mut changed, references) {
            class = changed;
        }
    }
    instrument::add_field(&mut class, selection).ok()?;
    class.to_bytes().ok()
}

#[cfg(test)]
mod tests {
    use jinsi_natural::pattern::Pattern;

    use super::*;

    /// `interface a.I { }`, the least that a class file can be.
    const INTERFACE: &[u8] = &[
        0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 0, 5, 7, 0, 2, 1, 0, 3, b'a', b'/', b'I', 7, 0, 4, 1,
        0, 16, b'j', b'a', b'v', b'a', b'/', b'l', b'a', b'n', b'g', b'/', b'O', b'b', b'j', b'e',
        b'c', b't', 6, 0, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0,
    ];

    #[test]
    fn what_was_shaped_once_is_shaped_again() {
        let selection = Selection::new(vec![Pattern::new("a.*")], vec![]);
        let shapes = Shapes::default();
        let class = |loader| Incoming {
            name: "a/I",
            loader,
            bytes: INTERFACE,
        };
        assert!(shapes.reload(class(1), None, &selection).is_none());
        let loaded = shapes.load(class(1), None, &selection).unwrap();
        assert_eq!(shapes.reload(class(1), None, &selection), Some(loaded));
        assert!(shapes.has(class(1)) && !shapes.has(class(2)));
        assert!(shapes.reload(class(2), None, &selection).is_none());
        let probed = Some(vec![1]);
        assert_eq!(shapes.reload(class(1), probed.clone(), &selection), probed);
        assert!(shapes.wants("a/I") && !shapes.wants("a/J"));
    }
}
