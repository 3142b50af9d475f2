//! The levels of a failure that is no exception.

use std::collections::BTreeSet;

use crate::delivery::target_class;
use crate::failure::StackLevel;
use crate::groovy;
use crate::looks::touched_under;
use crate::wrong::WrongValue;
use jinsi_history::{History, NodeKind};
use jinsi_level::{NodeNo, Outcome};
use jinsi_trace::model::{CallOp, ObjectId, Value};

/// Recorded steps that are gone back over to find where a value came from.
const STEPS: usize = 200_000;

/// The levels of a failure that shows at `at`: the class that is asked there and those that gave what it is asked with, then all whose code ran for
/// that, then everything but the `callers`, then all that was recorded. Those that add nothing are left out.
pub(crate) fn levels_at(
    history: &History,
    at: NodeNo,
    callers: &BTreeSet<String>,
) -> Vec<StackLevel> {
    // What the test looked at itself is about those who touched that.
    let by = match history.node(at).kind {
        NodeKind::Call => touched_under(history, at, callers).unwrap_or(at),
        _ => at,
    };
    levels_by(history, by, callers)
}

/// The levels of a wrong value. What has a part in it besides is asked there, too.
pub(crate) fn levels_of(history: &History, wrong: &WrongValue) -> Vec<StackLevel> {
    let mut levels = levels_at(history, wrong.node, &wrong.callers);
    let mut further = BTreeSet::new();
    for &node in &wrong.sources.nodes {
        further.insert(history.entity_class(node).to_owned());
        further.append(&mut givers(history, node, &wrong.callers));
    }
    let recorded: BTreeSet<&str> = history.tables().observed_classes().collect();
    further.retain(|class| recorded.contains(class.as_str()));
    for level in &mut levels {
        level.observed.extend(further.iter().cloned());
    }
    levels.dedup_by(|a, b| a.observed == b.observed);
    levels
}

/// The same as [`levels_at`], of what the activation or access `by` did.
pub(crate) fn levels_by(
    history: &History,
    by: NodeNo,
    callers: &BTreeSet<String>,
) -> Vec<StackLevel> {
    let node = history.node(by);
    let class = match node.kind {
        NodeKind::Activation => history.entity_class(by),
        _ => history.member(by).map_or("", |_| target_class(history, by)),
    }
    .to_owned();
    let recorded: BTreeSet<String> = history
        .tables()
        .observed_classes()
        .map(str::to_owned)
        .collect();
    let mut narrow = givers(history, by, callers);
    narrow.retain(|c| recorded.contains(c));
    narrow.insert(class.clone());
    let computing = by
        .until(node.end)
        .filter(|&n| history.node(n).kind == NodeKind::Activation)
        .map(|n| history.entity_class(n).to_owned())
        .filter(|c| recorded.contains(c));
    let computing: BTreeSet<String> = narrow.iter().cloned().chain(computing).collect();
    let all_but_test = recorded.difference(callers).cloned().collect();
    let mut levels: Vec<StackLevel> = Vec::new();
    for observed in [narrow, computing, all_but_test, recorded] {
        if levels.last().is_some_and(|l| l.observed == observed) {
            continue;
        }
        let joins = match observed.intersection(callers).next() {
            Some(caller) => caller.clone(),
            None => class.clone(),
        };
        levels.push(StackLevel {
            entity: history.entity(by),
            class: joins,
            activations: vec![by],
            observed,
        });
    }
    levels
}

/// Classes that gave the `callers` what they asked with at `at`: `fleet.lightest().get().load()` may be wrong because of `load`, or because it is the wrong
/// truck.
fn givers(history: &History, at: NodeNo, callers: &BTreeSet<String>) -> BTreeSet<String> {
    Provenance::of(history, at, callers).classes
}

/// Did the `callers` have what they asked with at `at` out of a container of their own that recorded code had arranged: by comparing its elements, or because it
/// was handed to it? Then it is not only what is asked there that may be wrong, and the call alone does not show that.
pub(crate) fn is_arranged(history: &History, at: NodeNo, callers: &BTreeSet<String>) -> bool {
    Provenance::of(history, at, callers).is_arranged
}

/// Where the `callers` had it from what they asked with.
#[derive(Default)]
struct Provenance {
    /// Classes of recorded code that gave it, or what it was taken out of.
    classes: BTreeSet<String>,
    is_arranged: bool,
    sought: Sought,
    /// Objects of the environment out of which it was taken.
    containers: BTreeSet<ObjectId>,
    /// What code that was not recorded had been given when it handed it to the callers: `x.ifPresent(value -> …)`.
    handing: Sought,
}

impl Provenance {
    fn of(history: &History, at: NodeNo, callers: &BTreeSet<String>) -> Self {
        let mut found = Self::default();
        found.sought.add_all(history, at);
        let before = history.numbers().rev().skip_while(|n| *n >= at);
        for n in before.take(STEPS) {
            let all_found = found.sought.values.is_empty() && found.handing.values.is_empty();
            if all_found && found.containers.is_empty() {
                break;
            }
            if is_by(history, n, callers) && !is_call_of_groovy(history, n) {
                found.step(history, n, callers);
            }
        }
        found
    }

    fn step(&mut self, history: &History, n: NodeNo, callers: &BTreeSet<String>) {
        let is_call = history.node(n).kind == NodeKind::Call;
        let own = history.entity_class(n);
        let is_of_program = history.node(n).kind == NodeKind::Activation && !callers.contains(own);
        let gives = match history.outcome(n) {
            Outcome::Return(Some(value)) => self.sought.take(history, n, &value),
            _ => false,
        };
        if let Outcome::Return(Some(value)) = history.outcome(n)
            && self.handing.take(history, n, &value)
        {
            match is_of_program {
                true if !history.is_constructor(n) => self.is_arranged = true,
                true => {}
                false => self.handing.add_all(history, n),
            }
        }
        if callers.contains(own) && self.sought.has_handed(history, n) {
            let call = history.parent(n);
            call.into_iter()
                .for_each(|call| self.handing.add_all(history, call));
        }
        let mut with = history.args(n).iter().chain([history.receiver(n)]);
        let uses = with.any(|v| matches!(v, Value::Object(id) if self.containers.contains(id)));
        if uses && (is_of_program || is_call && runs_recorded_code(history, n)) {
            self.is_arranged = true;
        }
        if !gives {
            return;
        }
        self.sought.add_all(history, n);
        if is_of_program && !history.is_constructor(n) {
            self.classes.insert(own.to_owned());
        } else if is_call {
            self.is_arranged |= runs_recorded_code(history, n);
            let objects = history.args(n).iter().chain([history.receiver(n)]);
            self.containers
                .extend(objects.filter_map(|value| match value {
                    Value::Object(id) => Some(*id),
                    _ => None,
                }));
        }
        if let Outcome::Return(Some(Value::Object(id))) = history.outcome(n) {
            // What it was before it was given is its giver's affair.
            self.containers.remove(&id);
        }
    }
}

/// Is it only how Groovy calls a method of recorded code? What that did stands for itself.
fn is_call_of_groovy(history: &History, n: NodeNo) -> bool {
    let is_called = |m: NodeNo| {
        let is_activation = history.node(m).kind == NodeKind::Activation;
        let receiver = history.receiver(m);
        is_activation
            && history.parent(m) == Some(n)
            && (history.is_constructor(m) || history.args(n).contains(receiver))
    };
    history.node(n).kind == NodeKind::Call
        && history.member(n).is_some_and(|m| groovy::calls_on(&m))
        && n.until(history.node(n).end).any(is_called)
}

/// Did recorded code run in this call of the environment?
fn runs_recorded_code(history: &History, n: NodeNo) -> bool {
    let mut within = n.until(history.node(n).end);
    within.any(|m| history.node(m).kind == NodeKind::Activation)
}

/// Do the `callers` do this, or code that was not recorded for them?
fn is_by(history: &History, n: NodeNo, callers: &BTreeSet<String>) -> bool {
    let source = history.source_class(n);
    if !source.is_empty() {
        return callers.contains(source);
    }
    let mut around = std::iter::successors(history.parent(n), |&n| history.parent(n))
        .filter(|&n| history.node(n).kind == NodeKind::Activation);
    around
        .next()
        .is_none_or(|n| callers.contains(history.entity_class(n)))
}

/// Values of which it is not known yet where they came from.
#[derive(Default)]
struct Sought {
    /// Each with the line on which it was used. A number or text can come from anywhere, so it counts only there.
    values: Vec<(Value, u16)>,
}

impl Sought {
    /// What the step `n` was done with.
    fn add_all(&mut self, history: &History, n: NodeNo) {
        let line = line(history, n);
        let all = history.args(n).iter().chain([history.receiver(n)]);
        let values = all.filter(|value| !matches!(value, Value::Null | Value::Class(_)));
        for value in values {
            if !self.values.iter().any(|(known, _)| known == value) {
                self.values.push((value.clone(), line));
            }
        }
    }

    /// Was one of them handed to the activation `n` by code that was not recorded? What a lambda has captured comes along with it, and from elsewhere.
    fn has_handed(&self, history: &History, n: NodeNo) -> bool {
        let around = history.parent(n).filter(|&p| {
            let name = |n| history.member(n).map(|member| member.name);
            history.node(p).kind == NodeKind::Call && name(p) != name(n)
        });
        let by_others = history.node(n).kind == NodeKind::Activation && around.is_some();
        let is_captured = |value: &Value| {
            let before = history.numbers().rev().skip_while(|m| *m >= n);
            before.take(STEPS).any(|m| {
                let site = history.site(m);
                site.is_some_and(|site| site.op == CallOp::Dynamic)
                    && history.args(m).contains(value)
            })
        };
        by_others
            && history.args(n).iter().any(|arg| {
                let is_sought = self.values.iter().any(|(known, _)| known == arg);
                matches!(arg, Value::Object(_)) && is_sought && !is_captured(arg)
            })
    }

    /// Did the step `n` give one of them? Then it is not sought any more.
    fn take(&mut self, history: &History, n: NodeNo, value: &Value) -> bool {
        let here = line(history, n);
        let has_identity = matches!(value, Value::Object(_));
        let found = self
            .values
            .iter()
            .position(|(known, line)| known == value && (has_identity || *line == here));
        found.map(|at| self.values.swap_remove(at)).is_some()
    }
}

fn line(history: &History, n: NodeNo) -> u16 {
    history.call_site(n).map_or(0, |site| site.line)
}
