//! What is recorded, by name.

use jinsi_trace::model::MemberRef;

use crate::Inspector;
use crate::calls::Activation;
use crate::error::InspectError;
use crate::facts::Field;

/// Something that a name fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A method, and how often it was called.
    Method(MemberRef, u64),
    /// A field of a recorded class.
    Field(Field),
}

impl Inspector<'_> {
    /// Methods that were called and fields of recorded classes of whose full name, with dots, this is a part; case does not matter. Those
    /// whose own name begins so come first. At most so many.
    pub fn find(&self, text: &str, most: usize) -> Vec<Found> {
        let wanted = text.trim().to_lowercase();
        if wanted.is_empty() {
            return Vec::new();
        }
        let mut all: Vec<((bool, String), Found)> = Vec::new();
        let mut add = |owner: &str, name: &str, found: &dyn Fn() -> Found| {
            let full = format!("{}.{name}", owner.replace('/', "."));
            if full.to_lowercase().contains(&wanted) {
                let begins = name.to_lowercase().starts_with(&wanted);
                all.push(((!begins, full), found()));
            }
        };
        for (no, count) in self.index.counts() {
            let method = self.method(no);
            add(&method.owner, &method.name, &|| {
                Found::Method(method.clone(), count)
            });
        }
        for class in self.trace().classes() {
            if self.facts.is_recorded(class.no) {
                for field in self.facts.declared(class.no).iter() {
                    add(&field.class, &field.name, &|| Found::Field(field.clone()));
                }
            }
        }
        all.sort_by(|one, other| one.0.cmp(&other.0));
        let found = all.into_iter().map(|(_, found)| found);
        found.take(most).collect()
    }

    /// The activations of a method, by thread, oldest first; without the first `skip`, at most so many.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn activations_of(
        &self,
        method: &MemberRef,
        skip: usize,
        most: usize,
    ) -> Result<Vec<Activation>, InspectError> {
        let mut skip = skip as u64;
        let mut all = Vec::new();
        let methods = self.methods_of(method);
        for &thread in self.index.threads.keys() {
            for (no, count) in self.begun(thread, &methods) {
                if count <= skip {
                    skip -= count;
                    continue;
                }
                let replayed = self.player().stretch(thread, no)?;
                let rows = replayed.rows.iter();
                let rows = rows.filter(|row| methods.contains(&row.method));
                let left = most - all.len();
                let rows = rows.skip(skip as usize).take(left);
                all.extend(rows.map(|row| self.activation_of(thread, row)));
                skip = 0;
                if all.len() >= most {
                    return Ok(all);
                }
            }
        }
        Ok(all)
    }
}
