//! Which objects may have changed between two moments.

use jinsi_trace::model::{EventId, ObjectId};
use rustc_hash::FxHashSet;

use crate::Inspector;
use crate::error::InspectError;
use crate::memory::Horizon;
use jinsi_steps::moment::{At, Moment};
use jinsi_steps::walk::Location;

/// So many stretches are gone through for what is written in them; of more the index tells, which is less exact.
const FEW: u32 = 8;

impl Inspector<'_> {
    /// All objects that changed between two horizons, and perhaps others: no object but these needs to be compared.
    pub(crate) fn touched(
        &self,
        before: &Horizon<'_, '_>,
        after: &Horizon<'_, '_>,
    ) -> Result<FxHashSet<ObjectId>, InspectError> {
        let mut touched = FxHashSet::default();
        for (&thread, index) in &self.index.threads {
            let (from, to) = (before.limit(thread), after.limit(thread));
            if from >= to || index.stretches() == 0 {
                continue;
            }
            let (first, last) = (index.stretch_at(from), index.stretch_at(to));
            if last - first > FEW {
                touched.extend(self.index.touched(thread, first..=last));
                continue;
            }
            for no in first..=last {
                let replayed = self.player().stretch(thread, no)?;
                let within = replayed
                    .writes
                    .iter()
                    .filter(|w| from <= w.after && w.at < to);
                touched.extend(within.filter_map(|write| match write.location {
                    Location::Field(id, _) | Location::Element(id, _) => Some(id),
                    Location::Static(_) => None,
                }));
            }
            // What is read of an array that was given away tells what was written there.
            let reads = self.index.touched(thread, first..=last);
            touched.extend(reads.filter(|id| self.index.is_handed(*id)));
        }
        let handed = self.index.handed_within(|thread| {
            let [from, to] = [before, after].map(|horizon| horizon.limit(thread));
            (from, to)
        });
        touched.extend(handed);
        let reported = self.facts.objects.all_contents().filter(|(_, all)| {
            let mut all = all.iter();
            all.any(|at| {
                let events = at.index + 1;
                before.limit(at.thread).events <= events && at.index < after.limit(at.thread).events
            })
        });
        touched.extend(reported.map(|(id, _)| id));
        Ok(touched)
    }

    /// Did recorded code of other threads write a variable while an activation ran? If they did a lot meanwhile, yes.
    ///
    /// # Errors
    /// There is no such activation; the trace cannot be read.
    pub fn others_wrote(&self, activation: EventId) -> Result<bool, InspectError> {
        let row = self.row(activation)?;
        let end = At {
            events: row.ended,
            step: 0,
        };
        let begin = Horizon::of(self, Moment::after(activation));
        let end = Horizon::of(self, end.of(activation.thread));
        for (&thread, index) in &self.index.threads {
            let (from, to) = (begin.limit(thread), end.limit(thread));
            if thread == activation.thread || from >= to || index.stretches() == 0 {
                continue;
            }
            let (first, last) = (index.stretch_at(from), index.stretch_at(to));
            if last - first > FEW {
                return Ok(true);
            }
            for no in first..=last {
                let replayed = self.player().stretch(thread, no)?;
                let mut writes = replayed.writes.iter();
                if writes.any(|write| from <= write.after && write.at < to) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
