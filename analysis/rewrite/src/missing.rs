//! Classes that the program asked for and did not have.

use std::collections::BTreeSet;

/// Where an instruction is: internal name of the class, name and descriptor of the method, bytecode index.
pub type Place = (String, String, String, u16);

/// These classes, and what the recording has of them.
#[derive(Clone, Debug, Default)]
pub struct Missing {
    classes: BTreeSet<String>,
    called: BTreeSet<Place>,
}

impl Missing {
    /// `classes`: their internal names. `called`: instructions with members of theirs whose events are written before it turns out that
    /// there is no such class.
    pub fn new(classes: BTreeSet<String>, called: BTreeSet<Place>) -> Self {
        Self { classes, called }
    }

    /// Is this one of them?
    pub fn has(&self, class: &str) -> bool {
        self.classes.contains(class)
    }

    /// Does an instruction with a member of one of them fail again by itself? Else the recording has an event of it, and so has the
    /// answer: that it failed.
    pub fn fails_again(&self, place: &Place) -> bool {
        !self.called.contains(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_an_event_is_answered() {
        let place = |bci| -> Place { ("a/User".into(), "m".into(), "()V".into(), bci) };
        let missing = Missing::new(
            BTreeSet::from(["b/Missing".to_owned()]),
            BTreeSet::from([place(3)]),
        );
        assert!(missing.has("b/Missing") && !missing.has("b/There"));
        assert!(missing.fails_again(&place(0)));
        assert!(!missing.fails_again(&place(3)));
    }
}
