//! Calls that tell an identity hash code, which is another one in each JVM.

use std::collections::BTreeSet;

use jinsi_trace::model::{MemberRef, Value};

use jinsi_history::{History, NodeNo, Outcome};

/// Is `n` a call of `hashCode` that gives an identity hash code, or one of `toString` that tells it?
/// `jinsi.replay.Engine` has the same rule for the first.
pub(super) fn asks_identity_hash(
    history: &History,
    observed: &BTreeSet<String>,
    n: NodeNo,
    target: &MemberRef,
) -> bool {
    if target.name == "toString" && target.desc == "()Ljava/lang/String;" {
        return tells_identity_hash(history, n);
    }
    if target.name != "hashCode" || target.desc != "()I" || !history.has_receiver(n) {
        return false;
    }
    let class = match history.receiver(n) {
        Value::Class(_) => return true,
        Value::Object(id) if history.is_identity_hashed(*id) => return true,
        Value::Object(id) => history.class_of(*id).unwrap_or(""),
        _ => return false,
    };
    // Of observed classes, the callee is recorded unless it is inherited from the JDK.
    class.starts_with('[')
        || class == "java/lang/Object"
        || observed.contains(class) && history.tables().inherits_identity(class)
}

/// Does the call `n` give what `Object.toString` does?
fn tells_identity_hash(history: &History, n: NodeNo) -> bool {
    let Outcome::Return(Some(Value::Str(text))) = history.outcome(n) else {
        return false;
    };
    let class = history.class_of_value(history.receiver(n)).unwrap_or("");
    let text = text.to_string();
    let is_hex = |h: &str| !h.is_empty() && h.bytes().all(|b| b.is_ascii_hexdigit());
    text.split_once('@')
        .is_some_and(|(name, hash)| name.replace('.', "/") == class && is_hex(hash))
}
