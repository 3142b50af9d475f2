//! Calls of code that is not recorded.

use jinsi_classfile::descriptor::MethodType;
use jinsi_trace::model::MemberRef;

use super::{Constraints, Holds, VALUES, Wait};
use crate::births::Birth;
use crate::code::{Code, Place};
use crate::points::class_of;
use crate::points::solver::{ALL, NodeNo, Solver};

impl Constraints<'_, '_> {
    /// The instruction calls code that is not recorded.
    pub(super) fn not_recorded(&mut self, place: Place, target: &MemberRef, solver: &mut Solver) {
        if !self.outside.insert(place) {
            return;
        }
        let (Some(instruction), Ok(parsed)) = (
            self.code.instruction(place),
            MethodType::parse(&target.desc),
        ) else {
            return;
        };
        let summary = self.summaries.of(target, false);
        let copies = target.owner == "java/lang/System" && target.name == "arraycopy";
        let first = Code::receivers(instruction);
        let hub = solver.node();
        let receiver = (first == 1).then(|| self.operand(place, 0)).flatten();
        let mut fill = Vec::new();
        let mut given = Vec::new();
        if receiver.is_some() {
            given.push(receiver);
            if summary.receiver || target.name == "<init>" {
                fill.push(receiver);
            }
            if !summary.known || summary.holds {
                self.arrow(receiver, Some(hub), solver);
            }
        }
        for (index, param) in parsed.params.iter().enumerate() {
            let class = class_of(param.desc());
            if class.is_none_or(|class| VALUES.contains(&class.as_str())) {
                continue;
            }
            let argument = self.operand(place, first + index);
            self.arrow(argument, Some(hub), solver);
            given.push(argument);
            if summary.arguments || copies {
                fill.push(argument);
            }
        }
        self.gives(place, &parsed, (hub, receiver), solver);
        for node in given {
            self.wait(node, Wait::Read(Holds::Content, hub), solver);
        }
        for node in fill {
            self.wait(node, Wait::Write(Holds::Content, hub), solver);
        }
    }

    /// What a call of code that is not recorded gives: something new that holds what the hub has, or that itself.
    fn gives(
        &mut self,
        place: Place,
        parsed: &MethodType<'_>,
        (hub, receiver): (NodeNo, Option<NodeNo>),
        solver: &mut Solver,
    ) {
        let class = parsed.result.as_ref().and_then(|r| class_of(r.desc()));
        let (Some(result), Some(class)) = (self.result(place), class) else {
            return;
        };
        if VALUES.contains(&class.as_str()) {
            return;
        }
        let value = result - self.first[place.method.index()];
        let object = self.object(Birth {
            method: place.method,
            value,
        });
        solver.put(result, object);
        let content = self.held(object, Holds::Content, solver);
        solver.arrow(hub, content, ALL, self);
        let filter = self.filter(&class);
        solver.arrow(hub, result, filter, self);
        if let Some(receiver) = receiver {
            solver.arrow(receiver, result, filter, self);
            solver.arrow(receiver, content, ALL, self);
        }
    }
}
