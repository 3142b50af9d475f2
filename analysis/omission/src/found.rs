//! What a question about omissions found.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_steps::code::MethodNo;
use jinsi_trace::model::EventId;

use crate::code::Code;
use crate::jumps::Kind;
use crate::place::Place;
use crate::reach::Source;
use crate::uses::Target;

/// Something that an instruction kept from being done.
#[derive(Clone, Debug)]
pub struct Omission {
    /// How.
    pub kind: Kind,
    /// The instruction that ran and went another way.
    pub jump: Place,
    /// The first instruction of the way that it did not go; of a call, that instruction.
    pub other_way: u32,
    /// What was to be come to in the same method: the target, or a call on the way to it.
    pub wanted: Place,
    /// Which of the targets.
    pub target: usize,
    /// Where the jump's method has the object from that is asked about, if it hands it on to the target.
    pub source: Option<Source>,
    /// The methods from the jump's to the target's.
    pub chain: Vec<MethodNo>,
    /// The activations in which that was so, oldest first.
    pub activations: Vec<EventId>,
    /// Has the target run nowhere?
    pub never: bool,
}

impl Omission {
    /// Calls between the jump and the target.
    pub fn calls(&self) -> usize {
        self.chain.len() - 1
    }
}

/// What a question found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// What was looked for.
    pub targets: Vec<Target>,
    /// Chains from methods that ran to those of the targets.
    pub chains: Vec<Vec<MethodNo>>,
    /// Were there more chains than are listed?
    pub chains_cut: bool,
    /// What could have been done, and was not.
    pub omissions: Vec<Omission>,
    /// Omissions that only read the object, and are not among these.
    pub hidden: usize,
    /// Activations of which it is not known what ran in them.
    pub lost: u64,
    /// Is it what might have kept the run from failing?
    pub of_failure: bool,
    /// Then: how far jumps are from the failure, in its relevant slice.
    pub near: BTreeMap<Place, u32>,
    /// Then: all decisions that the failure depends on, or might have depended on, of whichever both ways were gone, too, with how far they are;
    /// without those of [`Found::of_asker`].
    pub decisions: BTreeMap<Place, Option<u32>>,
    /// Then: the places by which the exception left recorded methods, by how far from the innermost one they are.
    pub frames: BTreeMap<Place, usize>,
    /// Then: the innermost of all, be it that of the outermost activation, with the activation.
    pub innermost: Option<(Place, EventId)>,
    /// Then: decisions that only the outermost activation made, which is who asked for all of it, or its assertion.
    pub of_asker: BTreeSet<Place>,
    /// Then: omissions that would do no more than to throw something.
    pub throwing: BTreeSet<usize>,
}

impl Found {
    /// Takes out calls that nobody misses: those of methods of which `hidden` holds, by the internal name of the class, `/` and the name.
    pub fn hide(&mut self, code: &Code<'_>, hidden: impl Fn(&str) -> bool) {
        let targets = &self.targets;
        self.omissions.retain(|omission| {
            let instruction = code.instruction(targets[omission.target].place);
            let called = instruction.and_then(|i| i.target.as_deref());
            !called.is_some_and(|called| hidden(&format!("{}/{}", called.owner, called.name)))
        });
    }
}
