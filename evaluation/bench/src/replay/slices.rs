//! Event slices of a log that is made up while it is read, so that only the slicer's own memory counts.

use std::collections::BTreeMap;
use std::time::Instant;

use jinsi_level::event_slice::Slicer;
use jinsi_level::{Interaction, Operation, Outcome};
use jinsi_trace::model::{MemberRef, Value};
use serde::Serialize;

use crate::resident;

/// What slicing took.
#[derive(Serialize)]
pub(super) struct Slices {
    pub(super) interactions: u32,
    /// Interactions in the slice.
    in_slice: usize,
    pub(super) seconds: f64,
    /// Growth of the resident set, by interaction.
    pub(super) bytes_an_interaction: f64,
}

/// A fifth of the interactions makes objects; each of the others is a call on one, and half of them get another one. Objects fall
/// apart into a thousand groups.
pub(super) fn measure(interactions: u32) -> Slices {
    let objects = BTreeMap::new();
    let before = resident::now();
    let began = Instant::now();
    let mut slicer = Slicer::default();
    let mut interaction = Interaction {
        no: 0,
        node: jinsi_level::NodeNo::FIRST,
        thread: 0,
        turn: None,
        op: Operation::Call,
        member: MemberRef {
            owner: "C".into(),
            name: "m".into(),
            desc: "(LC;)V".into(),
        },
        target_class: "C".into(),
        receiver: Value::Null,
        args: Vec::new(),
        outcome: Outcome::Return(None),
        before: Vec::new(),
        outgoing: Vec::new(),
    };
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for no in 0..interactions {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let group = random % 1_000;
        let made = u64::from(no / 5 / 1_000).max(1);
        let object = |n: u64| Value::Object(1 + group + 1_000 * (n % made));
        interaction.no = no;
        interaction.args.clear();
        if no % 5 == 0 {
            interaction.op = Operation::Construct;
            interaction.receiver = Value::Null;
            interaction.outcome = Outcome::Return(Some(object(made - 1)));
        } else {
            interaction.op = Operation::Call;
            interaction.receiver = object(random >> 20);
            interaction.outcome = Outcome::Return(None);
            if no % 2 == 0 {
                interaction.args.push(object(random >> 40));
            }
        }
        slicer.add(&objects, &interaction);
    }
    let slice = slicer.slice(&[interactions.saturating_sub(1)]);
    let seconds = began.elapsed().as_secs_f64();
    Slices {
        interactions,
        in_slice: slice.len(),
        seconds,
        bytes_an_interaction: resident::now().saturating_sub(before) as f64
            / f64::from(interactions.max(1)),
    }
}
