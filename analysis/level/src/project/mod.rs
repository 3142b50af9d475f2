//! Projection: from the history of a run to the run as one observed set S sees it (Burger 2011, Section 3.1).
//!
//! The walk goes through the history once, in time order, and knows at every moment in which *region* it is:
//!
//! * *driver*: nothing observed is on the stack;
//! * *inside*: code of S runs, or natural code that it called;
//! * *environment*: code runs that was called from inside, and is neither of S nor natural.
//!
//! Interactions are the crossings: driver → inside is *driven*, inside → environment is *outgoing*, environment → inside is a
//! *call-back*. Interactions between objects of S are none of these: replay does them again by itself. The run-time class of an object
//! decides. So inherited methods and constructor chains belong to the object they run on.
//!
//! The environment may change arrays and natural objects that the code of S has got hold of. Each change becomes an
//! [`crate::Effect`] of the next crossing inwards:
//!
//! * Arrays are exact. A recorded content is a change if the recorded stores do not explain it.
//! * The recorded operations on natural objects are done again. A recorded content is a change if no recorded operation lies between
//!   it and the content before, or if it was recorded while the environment had the object.
//!
//! Each thread has its own stack of regions and crossings. The threads share the objects. `turns` says in which order replay lets
//! them go on.
//!
//! The code of S may trigger the initializer of a class that is not in S. What that does to S belongs to the outgoing interaction that
//! follows it.

mod copies;
mod crossing;
mod defaults;
mod frame;
mod identity;
mod objects;
mod real;
mod statics;
mod streams;
pub mod stretches;
#[cfg(test)]
mod tests;
mod threads;
mod turns;
mod walk;

use std::collections::BTreeSet;

use crate::Level;
use crate::coroutines::{MadeClasses, end_calls};
use jinsi_history::{History, NodeNo};
use jinsi_natural::Natural;

use streams::GivenAway;
use walk::{Walk, Walked};

/// The run as the classes `observed` (internal names) see it. Recorded throwable classes join the set: exceptions run for real.
pub fn project(history: &History, natural: &Natural, observed: &BTreeSet<String>) -> Level {
    project_with(history, natural, observed, Besides::default())
}

/// What else a projection goes by.
#[derive(Clone, Debug, Default)]
pub struct Besides {
    /// Calls in which the driver looks at an object of its own, and which are to be interactions, too. The last one failed, or gave what is wrong; those
    /// before it made what it is called on.
    pub looks: Vec<NodeNo>,
    /// An activation that drives, as those around it do, although their classes are observed: that of `main`, where what it calls is in its own
    /// class.
    pub driver: Option<NodeNo>,
}

/// The same, and more.
pub fn project_with(
    history: &History,
    natural: &Natural,
    observed: &BTreeSet<String>,
    besides: Besides,
) -> Level {
    let mut observed = observed.clone();
    observed.extend(history.tables().observed_throwable_classes());
    let mut given_away = GivenAway::default();
    given_away.read(history, natural);
    // Where the environment is answered for, what resumes a coroutine is a call by it.
    let coroutines = natural.is_all().then(|| MadeClasses::of(history.tables()));
    let walk = Walk::new(history, natural, &observed, given_away.into_met()).with(besides);
    let mut walk = walk.knowing(coroutines.as_ref());
    let statics = statics::written(history, &observed, &mut walk.pool);
    let Walked { mut level, met, .. } = walk.run(NodeNo::FIRST);
    if let Some(coroutines) = &coroutines {
        end_calls(history, coroutines, &mut level);
    }
    turns::assign(history, &observed, &mut level);
    level.observed = observed;
    level.objects = met.known;
    level.statics = statics;
    level
}
