//! What was loaded while no class matched `observe=`: whoever mistypes a pattern sees what there is.

use std::sync::atomic::{AtomicBool, Ordering};

use jinsi_natural::packages::Packages;
use jinsi_natural::pattern::Pattern;
use parking_lot::Mutex;

/// Packages of the program's classes, until one is matched.
#[derive(Debug, Default)]
pub(crate) struct Unmatched {
    packages: Mutex<Packages>,
    matched: AtomicBool,
}

impl Unmatched {
    /// A class of the program that is not observed is being loaded.
    pub(crate) fn meet(&self, class: &str) {
        if !self.matched.load(Ordering::Relaxed) {
            self.packages.lock().meet(class);
        }
    }

    /// A class is observed: nobody is going to ask.
    pub(crate) fn matched(&self) {
        if !self.matched.swap(true, Ordering::Relaxed) {
            *self.packages.lock() = Packages::default();
        }
    }

    /// The packages in words, the nearest to these patterns first; empty if there is none.
    pub(crate) fn text(&self, observe: &str) -> String {
        let patterns: Vec<Pattern> = observe.split(':').map(Pattern::new).collect();
        self.packages.lock().text(&patterns)
    }
}
