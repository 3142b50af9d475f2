//! The projection of a run that is read a stretch at a time ([`jinsi_history::Stretches`]).

use std::collections::{BTreeMap, BTreeSet};

use jinsi_history::{Stretches, Tables, TooLong};
use jinsi_natural::Natural;
use jinsi_trace::model::{Event, ObjectId};

use super::objects::Met;
use super::streams::{GivenAway, is_stream};
use super::walk::{Walk, Walked};
use crate::{Effect, Level, ObjectInfo};

/// Projects one stretch after another, and keeps what later ones need to know: the objects that observed code has got hold of.
#[derive(Debug)]
pub struct Stretched<'n> {
    natural: &'n Natural,
    observed: BTreeSet<String>,
    met: Met,
    /// Changes by the environment since the last interaction.
    pending: Vec<Effect>,
    /// Interactions so far.
    interactions: u32,
}

impl<'n> Stretched<'n> {
    /// For a run of which `stretches` read all, from its beginning. They are read to their end if the run has streams in memory.
    ///
    /// # Errors
    /// There are more events than can be numbered.
    pub fn new<E: Iterator<Item = Event>>(
        tables: &Tables,
        natural: &'n Natural,
        observed: &BTreeSet<String>,
        mut stretches: Stretches<E>,
    ) -> Result<Self, TooLong> {
        let mut observed = observed.clone();
        observed.extend(tables.observed_throwable_classes());
        let mut given_away = GivenAway::default();
        if tables.classes().any(|c| is_stream(&c.name, natural)) {
            while stretches.read()? {
                given_away.read(stretches.history(), natural);
                stretches.forget(|_| false);
            }
        }
        Ok(Self {
            natural,
            observed,
            met: given_away.into_met(),
            pending: Vec::new(),
            interactions: 0,
        })
    }

    /// Internal names of the observed classes.
    pub fn observed(&self) -> &BTreeSet<String> {
        &self.observed
    }

    /// How many interactions there were so far.
    pub fn interactions(&self) -> u32 {
        self.interactions
    }

    /// What crossed the edge in the stretch that was read last: the interactions, numbered behind those of earlier stretches, and what class initializers asked.
    /// It has no objects: of these more is known with each stretch.
    pub fn project<E: Iterator<Item = Event>>(&mut self, stretches: &Stretches<E>) -> Level {
        let met = std::mem::take(&mut self.met);
        let pending = std::mem::take(&mut self.pending);
        let walk = Walk::new(stretches.history(), self.natural, &self.observed, met)
            .behind(stretches.first_content(), pending);
        let Walked {
            mut level,
            pending,
            met,
        } = walk.run(stretches.first());
        self.met = met;
        self.pending = pending;
        for interaction in &mut level.interactions {
            interaction.no = self.interactions;
            self.interactions += 1;
        }
        level
    }

    /// Forgets the stretch that was projected, but for what the projection of later ones asks.
    pub fn forget<E: Iterator<Item = Event>>(&self, stretches: &mut Stretches<E>) {
        stretches.forget(|class| self.natural.is_natural_class(class));
    }

    /// Every object that a value of the run has named so far.
    pub fn objects(&self) -> &BTreeMap<ObjectId, ObjectInfo> {
        &self.met.known
    }

    /// The same at the end.
    pub fn into_objects(self) -> BTreeMap<ObjectId, ObjectInfo> {
        self.met.known
    }
}

#[cfg(test)]
mod tests;
