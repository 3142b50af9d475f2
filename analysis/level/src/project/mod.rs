//! Projection: from the history of a run to the run as one observed set S sees it (Burger 2011, Section 3.1).
//!
//! The walk goes through the history once, in time order, and knows at every moment in which *region* it is:
//!
//! * *driver*: nothing observed is on the stack;
//! * *inside*: code of S runs, or natural code on its behalf;
//! * *environment*: something that inside called and that is neither.
//!
//! Interactions are the crossings: driver → inside is *driven*, inside → environment is *outgoing*, environment → inside is a
//! *call-back*. Crossings between objects of S recur by themselves in replay. The run-time class of an object decides, so that
//! inherited methods and constructor chains belong to the object they run on.
//!
//! What happens to arrays and natural objects outside, once inside can see them, becomes [`crate::Effect`]s of the next
//! crossing inwards. Arrays are exact: a recorded content counts as a change if the stores before do not explain it. For
//! natural objects recorded operations are re-enacted; a recorded content counts as a change if no recorded operation lies
//! between it and the one before, or if it was recorded while the environment had the object.
//!
//! Of several threads, each has its own stack of regions and crossings; the objects are common to all. [`turns`] says in which order
//! replay lets them go on.
//!
//! What a class initializer outside S, triggered from inside, does to S is attached to the outgoing interaction that follows it.

mod copies;
mod crossing;
mod objects;
mod streams;
#[cfg(test)]
mod tests;
mod threads;
mod turns;
mod walk;

use std::collections::BTreeSet;

use crate::Level;
use jinsi_history::History;
use jinsi_natural::Natural;
use jinsi_trace::model::{CallOp, MemberRef};

/// Does a call that names this member, of the class `owner`, run for real in replay, if its receiver has no say in it?
fn runs_for_real(natural: &Natural, op: CallOp, owner: &str, target: &MemberRef) -> bool {
    match op {
        // What links it makes what it gives.
        CallOp::Dynamic => natural.is_natural_class(owner),
        _ => natural.is_natural_member(owner, &target.name, &target.desc),
    }
}

/// The run as the classes `observed` (internal names) see it. Recorded throwable classes join the set: exceptions run for real.
pub fn project(history: &History, natural: &Natural, observed: &BTreeSet<String>) -> Level {
    let mut observed = observed.clone();
    observed.extend(history.tables().observed_throwable_classes());
    walk::Walk::new(history, natural, &observed).run()
}
