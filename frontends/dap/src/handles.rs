//! Numbers that the client holds for frames, scopes and objects, as long as it stands at a moment.

use crate::error::DapError;

/// Things that the client has numbers of. After a move the old numbers are good for nothing, and are not given again.
#[derive(Debug)]
pub(crate) struct Handles<T> {
    first: i64,
    all: Vec<T>,
}

impl<T> Default for Handles<T> {
    fn default() -> Self {
        Self {
            first: 1,
            all: Vec::new(),
        }
    }
}

impl<T> Handles<T> {
    /// A number for it.
    pub(crate) fn add(&mut self, thing: T) -> i64 {
        self.all.push(thing);
        self.first + self.all.len() as i64 - 1
    }

    /// What has this number.
    ///
    /// # Errors
    /// Nothing has it now.
    pub(crate) fn get(&self, number: i64) -> Result<&T, DapError> {
        let at = usize::try_from(number.saturating_sub(self.first)).ok();
        let thing = at.and_then(|at| self.all.get(at));
        thing.ok_or(DapError::OtherMoment { number })
    }

    /// The client has moved.
    pub(crate) fn forget(&mut self) {
        // Numbers of the protocol are less than 2³¹.
        self.first += self.all.len() as i64;
        if self.first > i64::from(i32::MAX) / 2 {
            self.first = 1;
        }
        self.all.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_before_are_not_taken_for_others() {
        let mut handles = Handles::default();
        let (a, b) = (handles.add('a'), handles.add('b'));
        assert!(matches!(
            (handles.get(a), handles.get(b)),
            (Ok('a'), Ok('b'))
        ));
        handles.forget();
        assert!(handles.get(a).is_err() && handles.get(0).is_err());
        let c = handles.add('c');
        assert!(c > b && matches!(handles.get(c), Ok('c')));
        assert!(handles.get(i64::MIN).is_err() && handles.get(i64::MAX).is_err());
    }
}
