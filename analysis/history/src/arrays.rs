//! What an array held at any moment: contents recorded, and the element stores between them.

use jinsi_trace::model::{Content, Prim, Site, Value};

use super::{Moment, snapshot::Snapshot};

/// Longest array whose content is computed; the agent records no content beyond a far smaller bound.
const MAX_LENGTH: u32 = 1 << 22;
/// Fewest changes between two computed contents.
const MIN_STRIDE: usize = 64;

/// A change of an array.
#[derive(Clone, Debug)]
enum Change {
    /// Content recorded: index into the snapshots.
    Snapshot(u32),
    /// Content computed here, so that no question needs more changes than the array has elements.
    Computed(Vec<Value>),
    /// One element stored.
    Store(u32, Value),
    /// Consecutive elements stored.
    Range(u32, Vec<Value>),
}

/// The changes of one array, in time order.
#[derive(Clone, Debug)]
pub(crate) struct ArrayLog {
    length: u32,
    zero: Value,
    changes: Vec<(Moment, Change)>,
    /// Elements changed since the last whole content.
    pending: usize,
}

impl ArrayLog {
    /// An array of class `class` (`[I`), of zeros.
    pub(crate) fn new(class: &str, length: u32) -> Self {
        let letter = class.chars().nth(1).unwrap_or('L');
        let zero = Prim::from_word(letter, 0).map_or(Value::Null, Value::Prim);
        Self {
            length,
            zero,
            changes: Vec::new(),
            pending: 0,
        }
    }

    /// Content right after `at`; `None` if it is not known.
    pub(crate) fn at(&self, at: Moment, snapshots: &[Snapshot]) -> Option<Vec<Value>> {
        let (whole, since) = self.parts_at(at);
        let mut content = match whole {
            Some(whole) => known(whole, snapshots)?.to_vec(),
            None if self.length <= MAX_LENGTH => vec![self.zero.clone(); self.length as usize],
            None => return None,
        };
        for (_, change) in since {
            match change {
                Change::Store(index, value) => {
                    write(&mut content, *index, std::slice::from_ref(value))
                }
                Change::Range(index, values) => write(&mut content, *index, values),
                Change::Snapshot(_) | Change::Computed(_) => {}
            }
        }
        Some(content)
    }

    /// Are these the elements right after `at`? That is asked whenever a content was recorded, and mostly nothing was stored since the one before.
    pub(crate) fn holds(&self, values: &[Value], at: Moment, snapshots: &[Snapshot]) -> bool {
        match self.parts_at(at) {
            (Some(whole), []) => known(whole, snapshots) == Some(values),
            _ => self.at(at, snapshots).as_deref() == Some(values),
        }
    }

    /// The last whole content until `at`, and the changes between the two.
    fn parts_at(&self, at: Moment) -> (Option<&Change>, &[(Moment, Change)]) {
        let end = self.changes.partition_point(|(moment, _)| *moment <= at);
        let changes = &self.changes[..end];
        let is_whole =
            |(_, c): &(Moment, Change)| matches!(c, Change::Snapshot(_) | Change::Computed(_));
        match changes.iter().rposition(is_whole) {
            Some(whole) => (Some(&changes[whole].1), &changes[whole + 1..]),
            None => (None, changes),
        }
    }

    /// Elements `from..from + count` right after `at`, if known and within the array.
    pub(crate) fn range_at(
        &self,
        at: Moment,
        snapshots: &[Snapshot],
        from: u32,
        count: u32,
    ) -> Option<Vec<Value>> {
        let content = self.at(at, snapshots)?;
        let from = from as usize;
        content
            .get(from..from.checked_add(count as usize)?)
            .map(<[Value]>::to_vec)
    }

    /// The snapshot numbered `no` was recorded at `at`.
    pub(crate) fn snapshot(&mut self, at: Moment, no: u32) {
        self.changes.push((at, Change::Snapshot(no)));
        self.pending = 0;
    }

    /// Element `index` was stored at `at`.
    pub(crate) fn store(&mut self, at: Moment, index: u32, value: Value, snapshots: &[Snapshot]) {
        // One instruction stores bytes and booleans (JVMS §6.5, bastore).
        let value = match (&self.zero, value) {
            (Value::Prim(Prim::Boolean(_)), Value::Prim(Prim::Byte(v))) => {
                Value::Prim(Prim::Boolean(v & 1 != 0))
            }
            (_, value) => value,
        };
        self.changes.push((at, Change::Store(index, value)));
        self.changed(at, 1, snapshots);
    }

    /// Elements from `index` on were stored at `at`.
    pub(crate) fn store_range(
        &mut self,
        at: Moment,
        index: u32,
        values: Vec<Value>,
        snapshots: &[Snapshot],
    ) {
        let count = values.len();
        self.changes.push((at, Change::Range(index, values)));
        self.changed(at, count, snapshots);
    }

    /// Forgets all contents but the last.
    pub(crate) fn forget(&mut self, snapshots: &[Snapshot]) {
        let Some((moment, last)) = self.changes.last() else {
            return;
        };
        let kept = match last {
            Change::Snapshot(no) => Some(Change::Snapshot(*no)),
            _ => self.at(*moment, snapshots).map(Change::Computed),
        };
        let moment = *moment;
        match kept {
            Some(kept) => self.changes = vec![(moment, kept)],
            // The array is too large: its last content says so.
            None => {
                let contents = self.changes.iter().rev();
                let mut contents = contents.filter(|(_, c)| matches!(c, Change::Snapshot(_)));
                self.changes = contents.next().cloned().into_iter().collect();
            }
        }
        self.pending = 0;
    }

    /// The snapshots have new numbers.
    pub(crate) fn renumber(&mut self, number: impl Fn(u32) -> Option<u32>) {
        self.changes.retain_mut(|(_, change)| match change {
            Change::Snapshot(no) => match number(*no) {
                Some(new) => {
                    *no = new;
                    true
                }
                None => false,
            },
            _ => true,
        });
    }

    fn changed(&mut self, at: Moment, count: usize, snapshots: &[Snapshot]) {
        self.pending += count;
        if self.pending > MIN_STRIDE.max(self.length as usize) {
            if let Some(content) = self.at(at, snapshots) {
                self.changes.push((at, Change::Computed(content)));
            }
            self.pending = 0;
        }
    }
}

/// The elements that a whole content says; `None` if there were too many of them.
fn known<'c>(whole: &'c Change, snapshots: &'c [Snapshot]) -> Option<&'c [Value]> {
    match whole {
        Change::Computed(values) => Some(values),
        Change::Snapshot(no) => match &snapshots.get(*no as usize)?.content {
            Content::Array(values) => Some(values),
            _ => None,
        },
        Change::Store(..) | Change::Range(..) => None,
    }
}

/// Writes as the JVM would, leaving out what lies beyond the end.
fn write(content: &mut [Value], index: u32, values: &[Value]) {
    for (slot, value) in content.iter_mut().skip(index as usize).zip(values) {
        slot.clone_from(value);
    }
}

/// Is this a call of `System.arraycopy`?
pub(super) fn is_array_copy(site: &Site) -> bool {
    site.target.owner == "java/lang/System" && site.target.name == "arraycopy"
}

/// An array index or length.
pub(super) fn index(value: &Value) -> Option<u32> {
    match value {
        Value::Prim(Prim::Int(v)) => u32::try_from(*v).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn moment(number: usize) -> Moment {
        let position = number.checked_sub(1);
        position.map_or(Moment::BEGINNING, |at| Moment::of(at as u64).unwrap())
    }

    fn int(v: i32) -> Value {
        Value::Prim(Prim::Int(v))
    }

    #[test]
    fn arrays_start_zeroed_by_component() {
        assert_eq!(
            ArrayLog::new("[I", 2).at(Moment::END, &[]),
            Some(vec![int(0), int(0)])
        );
        assert_eq!(
            ArrayLog::new("[[I", 1).at(Moment::END, &[]),
            Some(vec![Value::Null])
        );
        assert_eq!(
            ArrayLog::new("[J", 1).at(Moment::END, &[]),
            Some(vec![Value::Prim(Prim::Long(0))])
        );
        assert_eq!(ArrayLog::new("[I", u32::MAX).at(Moment::END, &[]), None);
    }

    proptest! {
        /// Against an array that is simply written, at every moment.
        #[test]
        fn equals_a_plain_array(
            length in 1u32..6,
            steps in proptest::collection::vec((0u8..3, 0u32..8, proptest::collection::vec(-9i32..9, 1..4)), 0..300),
        ) {
            let mut log = ArrayLog::new("[I", length);
            let mut snapshots: Vec<Snapshot> = Vec::new();
            let mut plain = vec![int(0); length as usize];
            let mut states = vec![plain.clone()];
            for (step, (kind, index, values)) in steps.iter().enumerate() {
                let at = Moment::of(step as u64).unwrap();
                let values: Vec<Value> = values.iter().map(|&v| int(v)).collect();
                match kind {
                    0 => {
                        write(&mut plain, *index, &values[..1]);
                        log.store(at, *index, values[0].clone(), &snapshots);
                    }
                    1 => {
                        write(&mut plain, *index, &values);
                        log.store_range(at, *index, values, &snapshots);
                    }
                    _ => {
                        plain = vec![values[0].clone(); length as usize];
                        let content = Content::Array(plain.clone());
                        snapshots.push(Snapshot { moment: at, thread: 0, id: 1, content, explained: false });
                        log.snapshot(at, snapshots.len() as u32 - 1);
                    }
                }
                states.push(plain.clone());
            }
            for (at, state) in states.into_iter().enumerate() {
                prop_assert!(log.holds(&state, moment(at), &snapshots));
                let mut other = state.clone();
                other[0] = int(99);
                prop_assert!(!log.holds(&other, moment(at), &snapshots));
                prop_assert_eq!(log.at(moment(at), &snapshots), Some(state));
            }
        }
    }
}
