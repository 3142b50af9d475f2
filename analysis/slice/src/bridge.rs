//! Calls of code that is not recorded: what they use and change.

use jinsi_trace::model::MemberRef;

use super::activation::Call;
use super::slicer::Slicer;
use super::summaries::Summary;
use super::using::{Mark, Use};
use jinsi_steps::visitor::EventOperands;

impl Slicer<'_> {
    /// What a call of code that is not recorded did to objects: how is that used?
    pub(super) fn bridge(
        &mut self,
        (target, summary): (&MemberRef, Summary),
        receiver: bool,
        call: &Call,
        operands: EventOperands<'_>,
    ) -> Use {
        if is_array_copy(target) && !call.threw {
            return self.copy_elements(operands);
        }
        let constructor = target.name == "<init>";
        let mut used = match call.made {
            0 => Use::NONE,
            made => self.memory.made(made),
        };
        let changes = summary.receiver || summary.arguments;
        let alone = self.elsewhere.is_empty();
        if !changes || !self.memory.seeks_objects() && alone {
            return used;
        }
        // A constructor's receiver is not among its operands.
        let has_receiver = usize::from(receiver && !constructor);
        let count = operands.count();
        let first = if summary.receiver { 0 } else { has_receiver };
        let behind = if summary.arguments {
            count
        } else {
            has_receiver.min(count)
        };
        for object in (first..behind).filter_map(|at| operands.object(at)) {
            match self.memory.seeks_any_of(object) {
                sought if sought.any() => used = used.or(sought),
                _ => self.memory.changed(object),
            }
            if !alone && self.elsewhere.has_any_of(object) {
                used = used.or(Use::by(self.vague()));
            }
        }
        used
    }

    /// `System.arraycopy`: how are the elements used that it wrote?
    fn copy_elements(&mut self, operands: EventOperands<'_>) -> Use {
        let (Some(from), Some(into)) = (operands.object(0), operands.object(2)) else {
            return Use::NONE;
        };
        let index = |at| u32::try_from(operands.int(at).unwrap_or(0)).unwrap_or(0);
        let (at, to, count) = (index(1), index(3), index(4));
        let mut used = self.memory.seeks_in(into, to, count);
        if !self.elsewhere.is_empty() && self.elsewhere.has_any_of(into) {
            used = used.or(Use::by(self.vague()));
        }
        if used.any() {
            let mark = self.mark(used);
            self.memory.copied((from, at), (into, to), count, mark);
        }
        used
    }

    /// What the call made, or gave, holds its operands: was the one changed while the other was sought? What was done to the holder then
    /// counts for what that itself holds, and since when it has been sought, too.
    pub(super) fn hold(&mut self, call: &Call, operands: EventOperands<'_>) -> Option<u64> {
        let holder = call.given;
        if holder == 0 {
            return None;
        }
        for held in (0..operands.count()).filter_map(|at| operands.object(at)) {
            let memory = &mut self.memory;
            let matters =
                memory.seeks_since_change(holder, held) || memory.seeks_since_change(held, holder);
            if held != holder && matters && !self.foreseen.links.has(holder, held) {
                self.held.push((holder, held));
            }
            memory.changed_with(held, holder);
        }
        self.memory.sought_since(holder)
    }

    /// A call of code that is not recorded is in the slice: it used all that its operands hold. `since`: of one whose result holds them, from
    /// when that was sought.
    pub(super) fn use_operands(
        &mut self,
        (target, summary): (&MemberRef, Summary),
        operands: EventOperands<'_>,
        mark: Mark,
        since: Option<u64>,
    ) {
        if is_array_copy(target) {
            return;
        }
        for id in (0..operands.count()).filter_map(|at| operands.object(at)) {
            self.memory.seek_all_of(id, mark);
            if let Some(since) = since {
                self.memory.seek_since(id, since);
            }
        }
        if !summary.known {
            let owner = target.owner.replace('/', ".");
            self.cross(format!("{owner}.{}: not recorded", target.name));
        }
    }
}

fn is_array_copy(target: &MemberRef) -> bool {
    target.owner == "java/lang/System" && target.name == "arraycopy"
}
