//! What was found out about the constants of a class, kept so that it is found out once.

use std::cell::RefCell;

use jinsi_classfile::class::ClassFile;

/// Something of each constant, as far as it was asked for: most are named by several instructions.
#[derive(Debug)]
pub(super) struct PerConstant<T>(RefCell<Vec<Option<T>>>);

impl<T: Clone> PerConstant<T> {
    /// Nothing yet of the constants of `class`.
    pub(super) fn of(class: &ClassFile) -> Self {
        Self(RefCell::new(vec![None; class.pool.count().into()]))
    }

    /// What is known of the constant at `index`.
    pub(super) fn get(&self, index: u16) -> Option<T> {
        self.0.borrow().get(usize::from(index))?.clone()
    }

    /// Keeps it.
    pub(super) fn set(&self, index: u16, known: T) {
        if let Some(place) = self.0.borrow_mut().get_mut(usize::from(index)) {
            *place = Some(known);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_that_are_not_there_are_forgotten() {
        let some = PerConstant(RefCell::new(vec![None; 2]));
        some.set(1, 'a');
        some.set(2, 'b');
        assert_eq!(
            (some.get(0), some.get(1), some.get(2)),
            (None, Some('a'), None)
        );
    }
}
