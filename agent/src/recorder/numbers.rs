//! Numbers that outlive a recording.
//!
//! The probes' runtime asks for the number of a class once, and a frame may run code with the sites of an earlier recording. So all recordings
//! of a process number classes and sites alike, and each puts into its own tables what the process knows by number already.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

use jinsi_trace::model::{ClassDef, ClassNo, Site, SiteNo};
use parking_lot::Mutex;

use crate::rewritten::Rewritten;

/// A class that was put into the tables without having been rewritten.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    /// What is known of it: its name at least, its bytes at most.
    pub(crate) class: ClassDef,
    /// Do its objects have identity hash codes?
    pub(crate) identity_hashed: bool,
}

/// Numbers of classes and sites; shared by all recordings of the process.
#[derive(Default)]
pub struct Numbers {
    /// What was done to the classes that have probes.
    pub past: Rewritten,
    classes: Mutex<HashMap<String, ClassNo>>,
    sites: AtomicU32,
    /// Is there more than one recording?
    recurring: bool,
    plain: Mutex<Vec<Plain>>,
    /// Sites that no class has.
    indirect: Mutex<Vec<Site>>,
}

impl Numbers {
    /// Of a process that is recorded again and again.
    pub(crate) fn recurring() -> Self {
        Self {
            recurring: true,
            ..Self::default()
        }
    }

    /// Number of the class with this internal name.
    pub(super) fn class(&self, internal: &str) -> ClassNo {
        let mut classes = self.classes.lock();
        if let Some(&no) = classes.get(internal) {
            return no;
        }
        let no = ClassNo::checked(classes.len() as u64).unwrap_or(ClassNo::MAX);
        classes.insert(internal.into(), no);
        no
    }

    /// Number of the class with this internal name, if it has one.
    pub(super) fn known_class(&self, internal: &str) -> Option<ClassNo> {
        self.classes.lock().get(internal).copied()
    }

    /// A number that no other site has.
    pub(super) fn reserve_site(&self) -> SiteNo {
        let before = self.sites.fetch_add(1, Ordering::Relaxed);
        SiteNo::FIRST.behind(before as usize)
    }

    /// Later recordings have to know this class, too.
    pub(super) fn keep_class(&self, class: &ClassDef, identity_hashed: bool) {
        if self.recurring {
            self.plain.lock().push(Plain {
                class: class.clone(),
                identity_hashed,
            });
        }
    }

    /// Later recordings have to know this site, too.
    pub(super) fn keep_site(&self, site: &Site) {
        if self.recurring {
            self.indirect.lock().push(site.clone());
        }
    }

    /// What earlier recordings had to know.
    pub(super) fn kept(&self) -> (Vec<Plain>, Vec<Site>) {
        (self.plain.lock().clone(), self.indirect.lock().clone())
    }
}
