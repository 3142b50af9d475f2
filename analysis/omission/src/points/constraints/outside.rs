//! Calls of code that is not recorded.

use jinsi_classfile::descriptor::MethodType;
use jinsi_trace::model::MemberRef;

use super::{Constraints, Holds, Wait, is_value};
use crate::births::Birth;
use crate::code::Code;
use crate::place::Place;
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
        // Of what is taken out of a container, or stands for a part of it, nothing is the container.
        let is_container = summary.known && is_container(&target.owner);
        let hub = solver.node();
        let receiver = (first == 1).then(|| self.operand(place, 0)).flatten();
        let mut fill = Vec::new();
        let mut given = Vec::new();
        if receiver.is_some() {
            given.push(receiver);
            if summary.receiver || target.name == "<init>" {
                fill.push(receiver);
            }
            if !is_container && (!summary.known || summary.holds) {
                self.arrow(receiver, Some(hub), solver);
            }
        }
        for (index, param) in parsed.params.iter().enumerate() {
            let class = class_of(param.desc());
            if class.is_none_or(|class| is_value(&class)) {
                continue;
            }
            let argument = self.operand(place, first + index);
            self.arrow(argument, Some(hub), solver);
            given.push(argument);
            if summary.arguments || copies {
                fill.push(argument);
            }
        }
        let given_itself = receiver.filter(|_| !is_container);
        let made = self.gives(place, &parsed, (hub, given_itself), solver);
        if let (Some(content), true, true) = (made, is_container, summary.holds) {
            self.wait(receiver, Wait::Write(Holds::Content, content), solver);
        }
        for node in given {
            self.wait(node, Wait::Read(Holds::Content, hub), solver);
        }
        for node in fill {
            self.wait(node, Wait::Write(Holds::Content, hub), solver);
        }
    }

    /// What a call of code that is not recorded gives: something new that holds what the hub has, or that itself; the same of the receiver, if
    /// there is one. The content of what is new.
    fn gives(
        &mut self,
        place: Place,
        parsed: &MethodType<'_>,
        (hub, receiver): (NodeNo, Option<NodeNo>),
        solver: &mut Solver,
    ) -> Option<NodeNo> {
        let class = parsed.result.as_ref().and_then(|r| class_of(r.desc()));
        let (result, class) = self.result(place).zip(class)?;
        if is_value(&class) {
            return None;
        }
        let value = result - self.first[place.method.index()];
        let object = self.object(Birth {
            method: place.method,
            value,
        });
        solver.put(result, object);
        let content = self.held(object, Holds::Content, solver);
        solver.arrow(hub, content, ALL, self);
        let filter = self.filters.of(&class);
        solver.arrow(hub, result, filter, self);
        if let Some(receiver) = receiver {
            solver.arrow(receiver, result, filter, self);
            solver.arrow(receiver, content, ALL, self);
        }
        Some(content)
    }
}

/// Is it a collection, or what goes through one?
fn is_container(class: &str) -> bool {
    let simple = class.strip_prefix("java/util/");
    simple.is_some_and(|simple| !simple.starts_with("stream/") && !simple.starts_with("Optional"))
}
