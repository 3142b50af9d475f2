//! Which objects an instruction may work on, and which methods it may call.
//!
//! [`PointsTo`] is what the finder asks; [`Solved`] is the usual answer, and [`ByType`] a coarser one: whatever fits the declared type.

mod circles;
mod constraints;
mod filters;
mod solver;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::effect::Access;
use jinsi_classfile::opcode;
use jinsi_steps::classes::Hierarchy;
use jinsi_steps::code::{Constant, Instruction, MethodNo};

use crate::births::{Birth, Births};
use crate::code::Code;
use crate::gather::Gathered;
use crate::place::Place;

pub use constraints::Solved;

/// Which objects an instruction may work on, and which methods it may call.
pub trait PointsTo {
    /// May the operand of an instruction be an object that was born there?
    fn may_be(&self, place: Place, operand: usize, birth: Birth) -> bool;

    /// The recorded methods that a call instruction may run.
    fn callees(&self, place: Place) -> &[MethodNo];
}

/// Whatever fits the declared types.
#[derive(Debug)]
pub struct ByType<'c, 't> {
    code: &'c Code<'t>,
    hierarchy: &'c Hierarchy<'c>,
    /// By place of birth: the classes of those born there.
    classes: BTreeMap<Birth, BTreeSet<&'c str>>,
    callees: BTreeMap<Place, Vec<MethodNo>>,
}

impl<'c, 't> ByType<'c, 't> {
    /// Of a run.
    pub fn new(
        code: &'c Code<'t>,
        hierarchy: &'c Hierarchy<'c>,
        births: &Births,
        gathered: &Gathered,
    ) -> Self {
        let mut callees: BTreeMap<Place, Vec<MethodNo>> = BTreeMap::new();
        for (method, body) in code.bodies() {
            for (at, instruction) in body.instructions.iter().enumerate() {
                let place = Place { method, at };
                let mut all: BTreeSet<MethodNo> = BTreeSet::new();
                if let Some(target) = instruction.target.as_deref() {
                    match instruction.opcode {
                        opcode::INVOKESTATIC | opcode::INVOKESPECIAL => {
                            all.extend(hierarchy.declared(target));
                        }
                        _ => all.extend(hierarchy.overriding(target)),
                    }
                }
                all.extend(gathered.called.get(&place).into_iter().flatten());
                if !all.is_empty() {
                    callees.insert(place, all.into_iter().collect());
                }
            }
        }
        Self {
            code,
            hierarchy,
            classes: classes_by_birth(code, births),
            callees,
        }
    }
}

impl PointsTo for ByType<'_, '_> {
    fn may_be(&self, place: Place, operand: usize, birth: Birth) -> bool {
        let instruction = self.code.instruction(place);
        let Some(declared) = instruction.and_then(|i| declared_type(i, operand)) else {
            return true;
        };
        let classes = self.classes.get(&birth);
        classes.is_none_or(|classes| {
            let mut classes = classes.iter();
            classes.any(|class| self.hierarchy.may_be(class, &declared))
        })
    }

    fn callees(&self, place: Place) -> &[MethodNo] {
        self.callees.get(&place).map_or(&[], Vec::as_slice)
    }
}

/// The class that an operand of an instruction is declared as; `None`: nothing is said of it.
fn declared_type(instruction: &Instruction, operand: usize) -> Option<String> {
    let receivers = Code::receivers(instruction);
    match instruction.effect.access {
        Access::Invoke(_) => {
            let target = instruction.target.as_deref()?;
            if operand < receivers {
                return Some(target.owner.to_string());
            }
            let parsed = MethodType::parse(&target.desc).ok()?;
            let desc = parsed.params.get(operand - receivers)?.desc().to_owned();
            class_of(&desc)
        }
        _ => None,
    }
}

/// The class, or the descriptor of the array, that a type is; `None` if it is neither.
pub(crate) fn class_of(desc: &str) -> Option<String> {
    match desc.as_bytes().first()? {
        b'L' => Some(desc[1..].trim_end_matches(';').to_owned()),
        b'[' => Some(desc.to_owned()),
        _ => None,
    }
}

/// Of each place of birth: the classes of those that were born there, and what stands in the code.
pub(crate) fn classes_by_birth<'c>(
    code: &'c Code<'_>,
    births: &Births,
) -> BTreeMap<Birth, BTreeSet<&'c str>> {
    let mut classes: BTreeMap<Birth, BTreeSet<&str>> = BTreeMap::new();
    for (_, object) in births.all() {
        let class = object.class.and_then(|no| code.trace.class(no));
        if let (Some(birth), Some(class)) = (object.birth, class) {
            classes.entry(birth).or_default().insert(&class.name);
        }
    }
    for (method, body) in code.bodies() {
        for (at, instruction) in body.instructions.iter().enumerate() {
            if let (opcode::NEW, Constant::Class(class), Some(value)) = (
                instruction.opcode,
                &instruction.constant,
                code.values(method).results[at],
            ) {
                let birth = Birth { method, value };
                classes.entry(birth).or_default().insert(class);
            }
        }
    }
    classes
}
