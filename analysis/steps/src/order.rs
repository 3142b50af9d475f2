//! The order of the events of several threads.

use std::collections::BTreeMap;

use jinsi_trace::model::{EventId, ThreadNo};
use jinsi_trace::varint::{self, Reader};

/// Which of two events of different threads came first, as far as the trace says: threads that race have no order, and get one.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// By thread: from this index on, this rank.
    runs: BTreeMap<ThreadNo, Vec<(u64, u64)>>,
    /// Thread, next index.
    last: Option<(ThreadNo, u64)>,
    next: u64,
}

impl Order {
    /// The next event in an order that contradicts nothing.
    pub fn meet(&mut self, event: EventId) {
        if self.last != Some((event.thread, event.index)) {
            let runs = self.runs.entry(event.thread).or_default();
            runs.push((event.index, self.next));
        }
        self.last = Some((event.thread, event.index + 1));
        self.next += 1;
    }

    /// Appends it to some bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        varint::write(out, self.runs.len() as u64);
        for (thread, runs) in &self.runs {
            varint::write(out, u64::from(*thread));
            varint::write(out, runs.len() as u64);
            let mut last = (0, 0);
            for (index, rank) in runs {
                varint::write(out, index.wrapping_sub(last.0));
                varint::write(out, rank.wrapping_sub(last.1));
                last = (*index, *rank);
            }
        }
    }

    /// Takes one off the front of some bytes, to which no event is added any more.
    pub fn read(from: &mut Reader<'_>) -> Option<Self> {
        let mut order = Self::default();
        for _ in 0..from.count()? {
            let thread = u32::try_from(from.number()?).ok()?;
            let mut runs: Vec<(u64, u64)> = Vec::new();
            for _ in 0..from.count()? {
                let last = runs.last().copied().unwrap_or_default();
                let index = last.0.wrapping_add(from.number()?);
                runs.push((index, last.1.wrapping_add(from.number()?)));
            }
            order.runs.insert(thread, runs);
        }
        Some(order)
    }

    /// The place of an event among those of all threads.
    pub fn rank(&self, event: EventId) -> u64 {
        let runs = self.runs.get(&event.thread).map_or(&[][..], Vec::as_slice);
        let behind = runs.partition_point(|(from, _)| *from <= event.index);
        match behind.checked_sub(1).map(|at| runs[at]) {
            Some((from, rank)) => rank.saturating_add(event.index - from),
            None => event.index,
        }
    }

    /// So many events of the thread come before this rank.
    pub fn count_before(&self, thread: ThreadNo, rank: u64) -> u64 {
        // There is but one thread.
        if self.runs.is_empty() {
            return rank;
        }
        let runs = self.runs.get(&thread).map_or(&[][..], Vec::as_slice);
        let behind = runs.partition_point(|(_, from)| *from < rank);
        let Some(at) = behind.checked_sub(1) else {
            return 0;
        };
        let (index, from) = runs[at];
        let until = match runs.get(behind) {
            Some((next, _)) => *next,
            None => u64::MAX,
        };
        index.saturating_add(rank - from).min(until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_the_order_of_meeting() {
        let threads = [0, 0, 1, 0, 1, 1, 2, 0];
        let mut order = Order::default();
        let mut counts = [0u64; 3];
        let mut all = Vec::new();
        for thread in threads {
            let event = EventId {
                thread,
                index: counts[thread as usize],
            };
            counts[thread as usize] += 1;
            order.meet(event);
            all.push(event);
        }
        for (rank, event) in (0..).zip(&all) {
            assert_eq!(order.rank(*event), rank);
        }
        for rank in 0..=all.len() {
            for thread in 0..3 {
                let naive = all[..rank].iter().filter(|e| e.thread == thread).count();
                let count = order.count_before(thread, rank as u64);
                assert_eq!(count.min(counts[thread as usize]), naive as u64);
            }
        }
    }
}
