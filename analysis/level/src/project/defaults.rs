//! Kotlin's default arguments: a call that leaves some out goes to a method of the compiler's (`name$default`, or a constructor that takes a
//! `DefaultConstructorMarker`), which fills them in and calls the method itself. No Java can call the former, so what crosses is the latter.
//! So it is with a `main` without parameters, which the JVM is given one with them for.

use jinsi_classfile::{ACC_SYNTHETIC, ClassFile};
use jinsi_history::{History, NodeKind};
use jinsi_trace::model::MemberRef;

use crate::NodeNo;

const SUFFIX: &str = "$default";
/// The last parameters: which arguments are left out, a bit each, and one that tells the method from others.
const OF_METHOD: &str = "ILjava/lang/Object;)";
const MAIN: (&str, &str) = ("main", "([Ljava/lang/String;)V");
const OF_CONSTRUCTOR: &str = "Lkotlin/jvm/internal/DefaultConstructorMarker;)V";

/// Does the activation `n` fill in what its caller left out, and has it called the method itself?
pub(super) fn fills_in(history: &History, n: NodeNo) -> bool {
    let Some(member) = history.member(n) else {
        return false;
    };
    let is_main = (member.name.as_str(), member.desc.as_str()) == MAIN;
    let name = match filled_in(&member) {
        Some(name) => name,
        None if is_main && is_synthetic(history, &member) => MAIN.0,
        None => return false,
    };
    history.children(n).any(|child| {
        history.node(child).kind == NodeKind::Activation
            && history.member(child).is_some_and(|m| m.name == name)
    })
}

fn is_synthetic(history: &History, member: &MemberRef) -> bool {
    let class = history.tables().class_by_name(&member.owner);
    let parsed = class.and_then(|class| ClassFile::parse(&class.bytes).ok());
    parsed.is_some_and(|class| {
        let at = class.find_method(&member.name, &member.desc);
        at.is_some_and(|at| class.methods[at].access & ACC_SYNTHETIC != 0)
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
