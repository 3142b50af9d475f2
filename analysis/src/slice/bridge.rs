//! Calls of code that is not recorded: what they use and change.

use jinsi_trace::model::{MemberRef, ObjectId, Value};

use super::activation::Call;
use super::frame::number;
use super::slicer::Slicer;
use super::using::{Mark, Use};

impl Slicer<'_> {
    /// What a call of code that is not recorded did to objects: how is that used?
    pub(super) fn bridge(
        &mut self,
        target: &MemberRef,
        dynamic: bool,
        receiver: bool,
        call: &Call,
        values: &[Value],
    ) -> Use {
        if is_array_copy(target) && !call.threw {
            return self.copy_elements(values);
        }
        let summary = self.summaries.of(target, dynamic);
        let constructor = target.name == "<init>";
        let mut used = match call.made {
            0 => Use::NONE,
            made => self.memory.made(made),
        };
        let mut objects = values.iter().map(object);
        // A constructor's receiver is not among its operands.
        if receiver
            && !constructor
            && let Some(Some(receiver)) = objects.next()
            && summary.receiver
        {
            used = used.or(self.memory.seeks_any_of(receiver));
        }
        for argument in objects.flatten().filter(|_| summary.arguments) {
            used = used.or(self.memory.seeks_any_of(argument));
        }
        used
    }

    /// `System.arraycopy`: how are the elements used that it wrote?
    fn copy_elements(&mut self, values: &[Value]) -> Use {
        let [Value::Object(from), at, Value::Object(into), to, count] = values else {
            return Use::NONE;
        };
        let index = |value| u32::try_from(number(value).unwrap_or(0)).unwrap_or(0);
        let (at, to, count) = (index(at), index(to), index(count));
        let used = self.memory.seeks_in(*into, to, count);
        if used.any() {
            let mark = self.mark(used);
            self.memory.copied((*from, at), (*into, to), count, mark);
        }
        used
    }

    /// A call of code that is not recorded is in the slice: it used all that its operands hold.
    pub(super) fn use_operands(
        &mut self,
        target: &MemberRef,
        dynamic: bool,
        values: &[Value],
        mark: Mark,
    ) {
        if is_array_copy(target) {
            return;
        }
        for id in values.iter().filter_map(object) {
            self.memory.seek_all_of(id, mark);
        }
        if !self.summaries.of(target, dynamic).known {
            let owner = target.owner.replace('/', ".");
            self.cross(format!("{owner}.{}: not recorded", target.name));
        }
    }
}

/// The object that a value is, if any.
pub(super) fn object(value: &Value) -> Option<ObjectId> {
    match value {
        Value::Object(id) => Some(*id),
        _ => None,
    }
}

fn is_array_copy(target: &MemberRef) -> bool {
    target.owner == "java/lang/System" && target.name == "arraycopy"
}
