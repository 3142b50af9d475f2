//! What static fields of observed classes held before the level begins, for their initializers ran before that.

use std::collections::BTreeSet;

use jinsi_history::{History, Statics};
use jinsi_trace::model::Value;

use super::objects::Pool;
use crate::{Effect, Operation};

/// Writes them. What their values need comes first.
pub(super) fn written(
    history: &History,
    observed: &BTreeSet<String>,
    pool: &mut Pool<'_>,
) -> Vec<Effect> {
    let mut effects = Vec::new();
    for (class, statics) in history.statics() {
        if observed.contains(class) {
            write(history, class, statics, pool, &mut effects);
        }
    }
    effects
}

fn write(
    history: &History,
    class: &str,
    statics: &Statics,
    pool: &mut Pool<'_>,
    effects: &mut Vec<Effect>,
) {
    for (field, value) in statics.fields.iter() {
        let Some(member) = history.tables().field(class, &field.name) else {
            continue;
        };
        pool.admit_in(value, statics.at, effects);
        effects.push(Effect::Natural {
            op: Operation::PutStatic,
            member,
            receiver: Value::Null,
            args: vec![value.clone()],
            result: None,
        });
    }
}
