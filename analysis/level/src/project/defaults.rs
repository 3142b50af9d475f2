//! Kotlin's default arguments: a call that leaves some out goes to a method of the compiler's (`name$default`, or a constructor that takes a
//! `DefaultConstructorMarker`), which fills them in and calls the method itself. No Java can call the former, so what crosses is the latter.

use jinsi_history::{History, NodeKind};
use jinsi_trace::model::MemberRef;

use crate::NodeNo;

const SUFFIX: &str = "$default";
/// The last parameters: which arguments are left out, a bit each, and one that tells the method from others.
const OF_METHOD: &str = "ILjava/lang/Object;)";
const OF_CONSTRUCTOR: &str = "Lkotlin/jvm/internal/DefaultConstructorMarker;)V";

/// Does the activation `n` fill in what its caller left out, and has it called the method itself?
pub(super) fn fills_in(history: &History, n: NodeNo) -> bool {
    let Some(member) = history.member(n) else {
        return false;
    };
    let Some(name) = filled_in(&member) else {
        return false;
    };
    history.children(n).any(|child| {
        history.node(child).kind == NodeKind::Activation
            && history.member(child).is_some_and(|m| m.name == name)
    })
}

/// Is the activation `n` the method itself, called by one that has filled in arguments?
pub(super) fn is_filled_in(history: &History, n: NodeNo) -> bool {
    let parent = history.parent(n);
    parent.is_some_and(|parent| {
        history.node(parent).kind == NodeKind::Activation && fills_in(history, parent)
    })
}

/// The name of the method that it fills arguments in for, if it is of that kind.
fn filled_in(member: &MemberRef) -> Option<&str> {
    match member.name.as_str() {
        "<init>" if member.desc.ends_with(OF_CONSTRUCTOR) => Some("<init>"),
        name if member.desc.contains(OF_METHOD) => name.strip_suffix(SUFFIX),
        _ => None,
    }
}
