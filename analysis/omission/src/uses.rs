//! What is missed: the instructions that a question is about.

use std::collections::BTreeSet;

use jinsi_classfile::effect::Access;
use jinsi_classfile::opcode;
use jinsi_slice::may::MayDefine;
use jinsi_slice::summaries::Summaries;
use jinsi_steps::classes::Hierarchy;
use jinsi_steps::code::{Constant, Instruction};
use jinsi_trace::model::{ObjectId, Value};

use crate::births::{Birth, Births};
use crate::code::Code;
use crate::error::OmissionError;
use crate::place::Place;
use crate::points::PointsTo;
use crate::question::Question;

/// Texts shorter than this are in too many others.
const SHORT: usize = 3;

/// An instruction that did not run, or might have run more often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    /// The instruction.
    pub place: Place,
    /// Which of its operands the object is; `None`: no object is asked about.
    pub operand: Option<usize>,
    /// May it change the object? True if none is asked about.
    pub writes: bool,
}

/// Finds the instructions that a question is about.
pub(crate) struct Uses<'a, 't> {
    pub(crate) code: &'a Code<'t>,
    pub(crate) hierarchy: &'a Hierarchy<'a>,
    pub(crate) points: &'a dyn PointsTo,
    pub(crate) may: &'a MayDefine<'a>,
    pub(crate) summaries: &'a Summaries,
    pub(crate) births: &'a Births,
}

impl Uses<'_, '_> {
    /// The instructions.
    pub(crate) fn of(&self, question: &Question) -> Result<Vec<Target>, OmissionError> {
        let targets = match question {
            Question::Object(id) => self.of_object(self.birth(*id)?),
            Question::Field {
                class,
                name,
                object,
            } => self.of_field(class.as_deref(), name, *object)?,
            Question::Call { class, name } => self.of_call(class, name),
            Question::Line { class, line } => self.of_line(class, *line),
            Question::Output(text) => self.of_output(text),
        };
        match targets.is_empty() && !matches!(question, Question::Object(_)) {
            true => Err(OmissionError::Nowhere(question.clone())),
            false => Ok(targets),
        }
    }

    /// Where an object came from.
    pub(crate) fn birth(&self, id: ObjectId) -> Result<Birth, OmissionError> {
        let object = self.births.get(id).ok_or(OmissionError::NoObject(id))?;
        object.birth.ok_or(OmissionError::NeverMet(id))
    }

    fn each(&self, mut each: impl FnMut(Place, &Instruction)) {
        for (method, body) in self.code.bodies() {
            for (at, instruction) in body.instructions.iter().enumerate() {
                each(Place { method, at }, instruction);
            }
        }
    }

    /// The use sites of what was born there: accesses to it, calls on it or with it. The construction of the object itself is none.
    fn of_object(&self, birth: Birth) -> Vec<Target> {
        let mut targets = Vec::new();
        self.each(|place, instruction| {
            let operands = match instruction.effect.access {
                Access::Invoke(_) => 0..usize::from(instruction.effect.stack.pops()),
                Access::GetField(_)
                | Access::PutField(_)
                | Access::ArrayLoad
                | Access::ArrayStore => 0..1,
                _ => return,
            };
            let target = instruction.target.as_deref();
            let constructs = target.is_some_and(|target| target.name == "<init>");
            for operand in operands {
                if (constructs && operand == 0) || !self.points.may_be(place, operand, birth) {
                    continue;
                }
                targets.push(Target {
                    place,
                    operand: Some(operand),
                    writes: self.writes(place, instruction, operand),
                });
            }
        });
        targets
    }

    /// May the instruction change what this operand of it is?
    fn writes(&self, place: Place, instruction: &Instruction, operand: usize) -> bool {
        match instruction.effect.access {
            Access::PutField(_) | Access::ArrayStore => true,
            Access::Invoke(_) if instruction.opcode == opcode::INVOKEDYNAMIC => false,
            Access::Invoke(_) => {
                let callees = self.points.callees(place);
                if callees.iter().any(|no| !self.may.called(*no).is_empty()) {
                    return true;
                }
                let Some(target) = instruction.target.as_deref() else {
                    return false;
                };
                if !callees.is_empty() || self.hierarchy.is_recorded(&target.owner) {
                    return false;
                }
                let summary = self.summaries.of(target, false);
                match operand < Code::receivers(instruction) {
                    true => summary.receiver,
                    false => summary.arguments,
                }
            }
            _ => false,
        }
    }

    fn of_field(
        &self,
        class: Option<&str>,
        name: &str,
        object: Option<ObjectId>,
    ) -> Result<Vec<Target>, OmissionError> {
        let birth = object.map(|id| self.birth(id)).transpose()?;
        let fields: BTreeSet<_> = self
            .code
            .trace
            .sites()
            .iter()
            .filter_map(|site| {
                use jinsi_trace::model::EventKind::{GetField, GetStatic, PutField, PutStatic};
                let accesses = matches!(site.kind, GetField | PutField | GetStatic | PutStatic);
                let fits = accesses
                    && site.target.name == name
                    && class.is_none_or(|class| is_class(&site.target.owner, class));
                fits.then(|| self.code.program.field_at(self.code.trace, site.no))
                    .flatten()
            })
            .collect();
        let mut targets = Vec::new();
        self.each(|place, instruction| {
            let writes = matches!(
                instruction.effect.access,
                Access::PutField(_) | Access::PutStatic(_)
            );
            let is_it = |no| {
                fields.contains(&no)
                    || (self.code.program.field_name(no) == name && self.is_own_field(place, class))
            };
            if !writes || !instruction.field.is_some_and(is_it) {
                return;
            }
            let of_object = birth.is_none_or(|birth| {
                matches!(instruction.effect.access, Access::PutField(_))
                    && self.points.may_be(place, 0, birth)
            });
            if of_object {
                let operand = birth.map(|_| 0);
                targets.push(Target {
                    place,
                    operand,
                    writes: true,
                });
            }
        });
        Ok(targets)
    }

    /// Is the code that of the class, so that a field of this name in it is its own? Accesses to own fields have no site.
    fn is_own_field(&self, place: Place, class: Option<&str>) -> bool {
        let owner = &self.code.method(place.method).owner;
        class.is_none_or(|class| is_class(owner, class))
    }

    fn of_call(&self, class: &str, name: &str) -> Vec<Target> {
        let mut targets = Vec::new();
        self.each(|place, instruction| {
            let Some(target) = instruction.target.as_deref() else {
                return;
            };
            let named = target.name == name && is_class(&target.owner, class);
            let runs = self.points.callees(place).iter().any(|no| {
                let callee = self.code.method(*no);
                callee.name == name && is_class(&callee.owner, class)
            });
            if named || runs {
                targets.push(Target {
                    place,
                    operand: None,
                    writes: true,
                });
            }
        });
        targets
    }

    fn of_line(&self, class: &str, line: u16) -> Vec<Target> {
        let mut targets = Vec::new();
        for (method, body) in self.code.bodies() {
            let code = self.code.method(method);
            let there = code.file.as_deref() == Some(class) || is_class(&code.owner, class);
            let first = body.instructions.iter().position(|i| i.line == line);
            if let (true, Some(at)) = (there, first) {
                targets.push(Target {
                    place: Place { method, at },
                    operand: None,
                    writes: true,
                });
            }
        }
        targets
    }

    /// Where texts are used that are in the wanted one, or it in them.
    fn of_output(&self, wanted: &str) -> Vec<Target> {
        let fits = |text: &str| {
            let bare = text.trim();
            bare.len() >= SHORT.min(wanted.len())
                && (text.contains(wanted) || wanted.contains(bare))
        };
        let mut targets = Vec::new();
        self.each(|place, instruction| {
            let stands = match &instruction.constant {
                Constant::Value(Value::Str(text)) => fits(&text.to_string()),
                _ => false,
            };
            let dynamic = self.code.dynamic(place);
            if stands || dynamic.is_some_and(|d| d.texts.iter().any(|text| fits(text))) {
                targets.push(Target {
                    place,
                    operand: None,
                    writes: true,
                });
            }
        });
        targets
    }
}

/// Is the class, by its internal name, called so: by its dotted name, or that without the package, or of a nested class without the outer one?
pub(crate) fn is_class(internal: &str, wanted: &str) -> bool {
    let wanted = wanted.replace('.', "/");
    let ends = |separator: char| {
        internal
            .strip_suffix(wanted.as_str())
            .is_some_and(|before| before.ends_with(separator))
    };
    internal == wanted || ends('/') || ends('$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_named_in_part() {
        assert!(is_class("com/foo/Bar", "com.foo.Bar"));
        assert!(is_class("com/foo/Bar", "Bar"));
        assert!(is_class("com/foo/Bar$Baz", "Baz"));
        assert!(is_class("com/foo/Bar$Baz", "Bar$Baz"));
        assert!(!is_class("com/foo/Bar", "ar"));
        assert!(!is_class("com/foo/Bar$Baz", "Bar"));
    }
}
