//! Whose the recorded classes are where a test failed: the test's, or the program's under test.

use std::collections::BTreeSet;

use super::KeptInteraction;

/// The two sides of a failed test, by binary names of classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// The class of the failed test, those around it and inside it, and those that it inherits from.
    pub own: BTreeSet<String>,
    /// The recorded classes that are no test's, nor a helper of tests.
    pub program: BTreeSet<String>,
}

impl Sides {
    /// Does a test that ends with this interaction call the failed test?
    pub(super) fn is_of_failed_test(&self, last: &KeptInteraction) -> bool {
        self.own.contains(&last.class)
    }

    /// Is one of the classes the program's?
    pub(super) fn has_of_program(&self, classes: &BTreeSet<String>) -> bool {
        !self.program.is_disjoint(classes)
    }

    /// Is it a call of a method or a constructor of the program? A class of the tests may inherit the method from the program.
    pub(super) fn is_of_program(&self, kept: &KeptInteraction) -> bool {
        let of_program = |class: &String| self.program.contains(class);
        kept.is_call && (of_program(&kept.class) || of_program(&kept.declared_in))
    }
}
