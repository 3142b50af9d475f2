//! Interactions for tests.

use jinsi_trace::model::{MemberRef, Value};

use crate::{Interaction, NodeNo, Operation, Outcome};

/// Number `no`, a member of class `C`: the receiver (0: none), the arguments and the returned object (0: none) by their identities.
pub fn interaction(
    no: u32,
    op: Operation,
    receiver: u64,
    args: &[u64],
    returned: u64,
) -> Interaction {
    let object = |id: u64| match id {
        0 => Value::Null,
        id => Value::Object(id),
    };
    Interaction {
        no,
        node: NodeNo::from_index(no as usize),
        thread: 0,
        turn: None,
        op,
        member: MemberRef {
            owner: "C".into(),
            name: "m".into(),
            desc: "()V".into(),
        },
        target_class: "C".into(),
        receiver: object(receiver),
        args: args.iter().map(|&a| object(a)).collect(),
        outcome: Outcome::Return((returned != 0).then(|| object(returned))),
        before: Vec::new(),
        outgoing: Vec::new(),
    }
}
