//! What was done to each class before, for when it comes again.
//!
//! Other agents have classes retransformed; a mocking library does so whenever it mocks one. The JVM then begins with the bytes the
//! class was loaded with and asks every agent again. The same bytes get the same probes with the same sites, so that a class can come
//! any number of times without a new site; what frames on the stack still run keeps its meaning, too.

use std::collections::HashMap;
use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;
use jinsi_classfile::references::Reference;
use jinsi_trace::model::{ClassNo, SiteNo};
use parking_lot::Mutex;

/// Classes with probes.
#[derive(Default)]
pub struct Rewritten {
    classes: Mutex<HashMap<ClassNo, Past>>,
    /// What bodies classes got for. A class cannot get or lose a method once it is loaded, whatever somebody changes in it.
    bodies: Mutex<HashMap<ClassNo, Vec<Reference>>>,
    /// Of whole class files, so a quick one.
    hasher: DefaultHashBuilder,
}

struct Past {
    /// Identity hash codes of the loaders whose class it is: tells apart classes of one name.
    loaders: Vec<i32>,
    /// Each form that the class came in, as a hash, and the numbers that rewriting it took, in their order.
    forms: Vec<(u64, Vec<SiteNo>)>,
}

/// What became of a class when it came before.
#[derive(Debug, PartialEq, Eq)]
pub enum EarlierForm {
    /// It has no probes: it was left alone, or has only its name in common with one that has.
    Unprobed,
    /// Its bytes are new: somebody changed them before they came here.
    Changed,
    /// Rewriting these bytes took these numbers.
    Numbers(Vec<SiteNo>),
}

impl Rewritten {
    /// The class with this number gets bodies for these.
    pub fn has_bodies(&self, no: ClassNo, references: Vec<Reference>) {
        if !references.is_empty() {
            self.bodies.lock().insert(no, references);
        }
    }

    /// What the class with this number got bodies for.
    pub fn bodies(&self, no: ClassNo) -> Vec<Reference> {
        self.bodies.lock().get(&no).cloned().unwrap_or_default()
    }

    /// Rewriting these bytes of the class of this loader took these numbers for its sites.
    pub fn remember(&self, no: ClassNo, loader: i32, bytes: &[u8], numbers: Vec<SiteNo>) {
        let form = (self.hasher.hash_one(bytes), numbers);
        let mut classes = self.classes.lock();
        let past = classes.entry(no).or_insert_with(|| Past {
            loaders: vec![loader],
            forms: Vec::new(),
        });
        if !past.loaders.contains(&loader) {
            past.loaders.push(loader);
        }
        past.forms.push(form);
    }

    /// The numbers that rewriting these bytes took for any loader.
    pub fn same(&self, no: ClassNo, bytes: &[u8]) -> Option<Vec<SiteNo>> {
        let wanted = self.hasher.hash_one(bytes);
        let classes = self.classes.lock();
        let forms = &classes.get(&no)?.forms;
        let (_, numbers) = forms.iter().find(|(form, _)| *form == wanted)?;
        Some(numbers.clone())
    }

    /// The class of this loader has got the probes of one that is known, too.
    pub fn joins(&self, no: ClassNo, loader: i32) {
        if let Some(past) = self.classes.lock().get_mut(&no)
            && !past.loaders.contains(&loader)
        {
            past.loaders.push(loader);
        }
    }

    /// Has a class with this number got probes?
    pub fn has(&self, no: ClassNo) -> bool {
        self.classes.lock().contains_key(&no)
    }

    /// Has the class of this loader been here, and in these bytes?
    pub fn known(&self, no: ClassNo, loader: i32, bytes: &[u8]) -> EarlierForm {
        let classes = self.classes.lock();
        let Some(past) = classes
            .get(&no)
            .filter(|past| past.loaders.contains(&loader))
        else {
            return EarlierForm::Unprobed;
        };
        let wanted = self.hasher.hash_one(bytes);
        match past.forms.iter().find(|(form, _)| *form == wanted) {
            Some((_, numbers)) => EarlierForm::Numbers(numbers.clone()),
            None => EarlierForm::Changed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASS: ClassNo = ClassNo::from_index(7);

    fn sites(numbers: &[u32]) -> Vec<SiteNo> {
        let numbers = numbers.iter().copied();
        numbers.filter_map(SiteNo::new).collect()
    }

    #[test]
    fn the_same_bytes_have_the_same_sites() {
        let all = Rewritten::default();
        all.remember(CLASS, 1, b"as loaded", sites(&[3, 4]));
        assert_eq!(
            all.known(CLASS, 1, b"as loaded"),
            EarlierForm::Numbers(sites(&[3, 4]))
        );
        assert_eq!(all.known(CLASS, 1, b"changed"), EarlierForm::Changed);
        all.remember(CLASS, 1, b"changed", sites(&[9]));
        assert_eq!(
            all.known(CLASS, 1, b"changed"),
            EarlierForm::Numbers(sites(&[9]))
        );
        assert_eq!(
            all.known(CLASS, 1, b"as loaded"),
            EarlierForm::Numbers(sites(&[3, 4]))
        );
    }

    #[test]
    fn other_loaders_of_the_same_bytes_share_the_sites() {
        let all = Rewritten::default();
        all.remember(CLASS, 1, b"bytes", sites(&[3]));
        assert_eq!(all.same(CLASS, b"others"), None);
        assert_eq!(all.same(CLASS, b"bytes"), Some(sites(&[3])));
        assert_eq!(all.known(CLASS, 2, b"bytes"), EarlierForm::Unprobed);
        all.joins(CLASS, 2);
        assert_eq!(
            all.known(CLASS, 2, b"bytes"),
            EarlierForm::Numbers(sites(&[3]))
        );
        assert_eq!(all.known(CLASS, 1, b"changed"), EarlierForm::Changed);
    }

    #[test]
    fn another_class_of_the_name_has_none() {
        let all = Rewritten::default();
        all.remember(CLASS, 1, b"bytes", sites(&[3]));
        assert_eq!(all.known(CLASS, 2, b"bytes"), EarlierForm::Unprobed);
        assert_eq!(all.known(CLASS.next(), 1, b"bytes"), EarlierForm::Unprobed);
    }
}
