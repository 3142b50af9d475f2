//! Calls of code that is not recorded: what they use and change.

use jinsi_trace::model::{MemberRef, ObjectId};

use super::activation::Call;
use super::slicer::Slicer;
use super::summaries::Summary;
use super::using::{Mark, Use};
use super::visitor::Recorded;

impl Slicer<'_> {
    /// What a call of code that is not recorded did to objects: how is that used?
    pub(super) fn bridge(
        &mut self,
        (target, summary): (&MemberRef, Summary),
        receiver: bool,
        call: &Call,
        operands: Recorded<'_>,
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
            used = used.or(self.memory.seeks_any_of(object));
            if !alone && self.elsewhere.has_any_of(object) {
                used = used.or(Use::by(self.vague()));
            }
        }
        used
    }

    /// `System.arraycopy`: how are the elements used that it wrote?
    fn copy_elements(&mut self, operands: Recorded<'_>) -> Use {
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

    /// What the call made, or gave, holds its operands: is anything used of these?
    pub(super) fn hold(&mut self, call: &Call, is_used: bool, operands: Recorded<'_>) {
        if call.given == 0 {
            return;
        }
        let objects = (0..operands.count()).filter_map(|at| operands.object(at));
        let held: Vec<ObjectId> = objects.filter(|held| *held != call.given).collect();
        let is_sought = |object| self.memory.seeks_any_of(object).any();
        if !is_used && !is_sought(call.given) && !held.iter().copied().any(is_sought) {
            return;
        }
        let links = &self.foreseen.links;
        let news = held
            .into_iter()
            .filter(|held| !links.has(call.given, *held));
        self.held.extend(news.map(|held| (call.given, held)));
    }

    /// A call of code that is not recorded is in the slice: it used all that its operands hold.
    pub(super) fn use_operands(
        &mut self,
        (target, summary): (&MemberRef, Summary),
        operands: Recorded<'_>,
        mark: Mark,
    ) {
        if is_array_copy(target) {
            return;
        }
        for id in (0..operands.count()).filter_map(|at| operands.object(at)) {
            self.memory.seek_all_of(id, mark);
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
