//! What runs for real in a replay.

use std::collections::BTreeSet;

use jinsi_history::{Entity, History, NodeKind};
use jinsi_natural::Natural;
use jinsi_trace::model::{CallOp, MemberRef, Value};

use crate::{NodeNo, Outcome};

/// Does a call that names this member, of the class `owner`, run for real in replay, if its receiver has no say in it?
pub(super) fn runs_for_real(
    natural: &Natural,
    op: CallOp,
    owner: &str,
    target: &MemberRef,
) -> bool {
    match op {
        // What links it makes what it gives.
        CallOp::Dynamic => natural.is_natural_class(owner),
        _ => natural.is_natural_member(owner, &target.name, &target.desc),
    }
}

/// Does the call `n` of unrecorded code give an object that only `observed` code made meanwhile, as `DriverManager.getConnection` and
/// `Constructor.newInstance` do? Where everything runs for real, the call itself is what a test can do; what it calls is its own affair.
/// Only what an `invokedynamic` links has no name that a test could call: Groovy calls constructors so.
pub(super) fn gives_what_it_made(
    history: &History,
    observed: &BTreeSet<String>,
    n: NodeNo,
) -> bool {
    let Outcome::Return(Some(Value::Object(given))) = history.outcome(n) else {
        return false;
    };
    if history.site(n).is_some_and(|s| s.op == CallOp::Dynamic) {
        return false;
    }
    let mut activations = history
        .below(n)
        .filter(|&m| history.node(m).kind == NodeKind::Activation);
    let only_observed = |m: NodeNo| observed.contains(history.entity_class(m));
    let makes = |m: NodeNo| history.is_constructor(m) && history.entity(m) == Entity::Object(given);
    activations.clone().any(makes) && activations.all(only_observed)
}
