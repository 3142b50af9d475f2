//! The shapes of a trace's sites, by number.

use rustc_hash::FxHashMap;

use crate::model::SiteNo;
use crate::raw::{SiteShape, SiteShapes};

/// So many places there may be in a row for none or few sites.
const SLACK: usize = 1024;

/// Shapes of sites. They are numbered one after the other, so most lie in a row, in the order in which a chunk asks for them.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    /// How many there are.
    count: usize,
    in_a_row: Vec<Option<SiteShape>>,
    /// Those far behind the others, as a damaged trace may have them.
    others: FxHashMap<SiteNo, SiteShape>,
}

impl Shapes {
    /// Adds that of a site. Of two with one number the first counts.
    pub(super) fn add(&mut self, no: SiteNo, shape: SiteShape) {
        if self.get(no).is_some() {
            return;
        }
        let place = no.get() as usize;
        let is_far = place > 2 * self.count + SLACK;
        self.count += 1;
        if is_far {
            self.others.insert(no, shape);
            return;
        }
        if self.in_a_row.len() <= place {
            self.in_a_row.resize(place + 1, None);
        }
        self.in_a_row[place] = Some(shape);
    }

    fn get(&self, no: SiteNo) -> Option<&SiteShape> {
        let there = self
            .in_a_row
            .get(no.get() as usize)
            .and_then(Option::as_ref);
        there.or_else(|| self.others.get(&no))
    }
}

impl SiteShapes for Shapes {
    fn shape(&self, no: SiteNo) -> Option<SiteShape> {
        self.get(no).cloned()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::model::EventKind;

    proptest! {
        #[test]
        fn the_first_of_each_number_is_found(
            numbers in prop::collection::vec(prop_oneof![1..4000_u32, 1..u32::MAX], 0..200),
        ) {
            let (mut shapes, mut naive) = (Shapes::default(), HashMap::new());
            for (at, number) in numbers.into_iter().enumerate() {
                let Some(no) = SiteNo::new(number) else { continue };
                let shape = SiteShape {
                    kind: EventKind::Path,
                    operands: "I".repeat(at).into(),
                    parts: Default::default(),
                };
                shapes.add(no, shape.clone());
                naive.entry(no).or_insert(shape);
            }
            prop_assert!(shapes.in_a_row.len() <= 2 * naive.len() + SLACK);
            for (no, shape) in naive {
                prop_assert_eq!(shapes.shape(no), Some(shape));
            }
        }
    }
}
