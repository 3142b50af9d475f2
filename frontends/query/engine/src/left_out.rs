//! Runs that could not be read among others: each is left out, named, and the query asked again without it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::QueryError;
use crate::schema::Table;

/// What a session left out, and why, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeftOut(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    all: BTreeMap<String, String>,
    /// What nobody was informed of yet.
    news: Vec<String>,
    /// What was said besides.
    said: BTreeSet<String>,
}

impl LeftOut {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves something out from now on.
    pub(crate) fn add(&self, name: &str, why: &str) {
        let mut inner = self.inner();
        let note = format!("left out: {name}: {why}");
        if inner.all.insert(name.to_owned(), why.to_owned()).is_none() {
            inner.news.push(note);
        }
    }

    /// Says something, once.
    pub(crate) fn say(&self, note: String) {
        let mut inner = self.inner();
        if inner.said.insert(note.clone()) {
            inner.news.push(note);
        }
    }

    /// Says which part of the runs has a table.
    ///
    /// # Errors
    /// None of them has.
    pub(crate) fn having(&self, table: Table, having: usize, all: usize) -> Result<(), QueryError> {
        let name = table.name();
        match having {
            _ if having == all => Ok(()),
            0 => Err(QueryError::Lacking(name)),
            _ => {
                self.say(format!(
                    "{having} of {all} runs have the table {name}: the others were recorded without every instruction"
                ));
                Ok(())
            }
        }
    }

    /// Is it left out?
    pub(crate) fn has(&self, name: &str) -> bool {
        self.inner().all.contains_key(name)
    }

    /// How many are.
    pub(crate) fn count(&self) -> usize {
        self.inner().all.len()
    }

    /// What was left out since this was asked last.
    pub(crate) fn news(&self) -> Vec<String> {
        std::mem::take(&mut self.inner().news)
    }
}
