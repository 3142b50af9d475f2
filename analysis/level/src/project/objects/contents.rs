//! What recorded contents tell: whether code outside has changed an object that inside can see.

use std::collections::HashSet;

use jinsi_trace::model::{Content, ObjectId, Value};

use super::Pool;
use crate::{Effect, Role};
use jinsi_history::{Moment, NodeNo, Snapshot};

/// Methods of containers that give iterators and views, and change nothing.
const WALKED_BY: [&str; 5] = ["entrySet", "iterator", "keySet", "listIterator", "values"];
/// Methods of these that change nothing in the container.
const STEPS: [&str; 4] = ["iterator", "next", "nextElement", "previous"];

impl Pool<'_> {
    /// The change by the environment that a recorded content shows, if it shows one. `away`: the environment or the driver had the object.
    pub(in crate::project) fn changed(
        &mut self,
        snapshot: &Snapshot,
        away: bool,
        effects: &mut Vec<Effect>,
    ) {
        let history = self.history;
        let changed = match self.met.known.get(&snapshot.id).map(|o| &o.role) {
            Some(Role::Array { .. }) => !snapshot.explained,
            Some(Role::Observed | Role::Restored { .. }) => {
                matches!(snapshot.content, Content::Fields(_)) && !snapshot.explained
            }
            Some(Role::Natural { .. }) => {
                let before = snapshot
                    .moment
                    .before()
                    .and_then(|at| history.snapshot_at(snapshot.id, at));
                let from = before.map_or(Moment::BEGINNING, |s| s.moment);
                let ops = history.natural_ops(self.natural, snapshot.id, from, snapshot.moment);
                let touched = ops
                    .iter()
                    .any(|&n| !self.is_pure(n) && !self.only_walks(n, snapshot.id));
                if touched { away } else { !snapshot.explained }
            }
            _ => false,
        };
        if changed
            && !matches!(snapshot.content, Content::TooLarge { .. })
            && !self.is_of_inside(&snapshot.content, snapshot.moment)
        {
            for value in snapshot.content.values() {
                self.may_be_from_inside(value);
                self.admit_in(value, snapshot.moment, effects);
            }
            effects.push(Effect::Content {
                id: snapshot.id,
                content: snapshot.content.clone(),
            });
        }
    }

    /// Does the operation `n` only look through the container `id`: does it give something to look through it, or a step of that?
    fn only_walks(&self, n: NodeNo, id: ObjectId) -> bool {
        let history = self.history;
        let names: &[&str] = match *history.receiver(n) == Value::Object(id) {
            true => &WALKED_BY,
            false => &STEPS,
        };
        let site = history.site(n).filter(|_| history.has_receiver(n));
        site.is_some_and(|site| names.contains(&site.target.name.as_str()))
    }

    /// `value` is in a container that observed code has. If it is natural and its content was not recorded, it is taken for an object that
    /// observed code put there: replay could not make one of the environment's without a content.
    fn may_be_from_inside(&mut self, value: &Value) {
        let Value::Object(id) = value else { return };
        let history = self.history;
        if history.snapshot_at(*id, Moment::END).is_none()
            && self.is_natural(history.class_of(*id).unwrap_or(""))
        {
            self.had_inside(value);
        }
    }

    /// Does a recorded content lead to an observed object that no event has named yet? At the boundary, observed code made such an object. Then
    /// it also made the change, because its own operations are not recorded there.
    fn is_of_inside(&self, content: &Content, at: Moment) -> bool {
        let history = self.history;
        if !history.tables().at_boundary() {
            return false;
        }
        let mut seen = HashSet::new();
        let mut work = content.values().to_vec();
        while let Some(value) = work.pop() {
            let Value::Object(id) = value else { continue };
            if self.met.known.contains_key(&id) || !seen.insert(id) {
                continue;
            }
            let observed = self.observed.contains(history.class_of(id).unwrap_or(""));
            if observed && !history.made_without_constructor(id) && history.value_text(id).is_none()
            {
                return true;
            }
            if let Some(held) = history.snapshot_at(id, at) {
                work.extend(held.content.values().iter().cloned());
            }
        }
        false
    }
}
