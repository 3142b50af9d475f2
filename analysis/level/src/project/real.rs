//! What runs for real in a replay.

use jinsi_natural::Natural;
use jinsi_trace::model::{CallOp, MemberRef};

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
