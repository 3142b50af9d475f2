//! What other threads wrote of the memory that a slice used. It is not known which of the writes was read, so all are taken for read
//! ([`super::threads`]), and each variable that other threads wrote as well is named.

use std::collections::BTreeMap;

use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::effect::Access;
use jinsi_trace::model::{EventKind, ObjectId};
use jinsi_trace::reader::{ReadError, ThreadDef, Trace};
use rustc_hash::FxHashSet;

use jinsi_steps::code::{FieldNo, Program};
use jinsi_steps::walk::{EventOperands, Location, Met, Opening, Step, Visitor, Walker};

/// Memory that a slice used.
#[derive(Clone, Debug, Default)]
pub(super) struct Used {
    variables: FxHashSet<Location>,
    /// Objects of which all that they hold was used.
    objects: FxHashSet<ObjectId>,
    /// Those of the variables.
    owners: FxHashSet<ObjectId>,
}

impl Used {
    /// The variable is used.
    pub(super) fn insert(&mut self, location: Location) {
        if self.variables.insert(location)
            && let Location::Field(owner, _) | Location::Element(owner, _) = location
        {
            self.owners.insert(owner);
        }
    }

    /// All that the object holds is used.
    pub(super) fn insert_all_of(&mut self, object: ObjectId) {
        self.objects.insert(object);
    }

    /// And what another slice used.
    pub(super) fn extend(&mut self, other: &Self) {
        self.variables.extend(&other.variables);
        self.objects.extend(&other.objects);
        self.owners.extend(&other.owners);
    }

    /// Is the variable used?
    pub(super) fn has(&self, location: Location) -> bool {
        self.variables.contains(&location)
            || match location {
                Location::Field(owner, _) | Location::Element(owner, _) => {
                    self.objects.contains(&owner)
                }
                Location::Static(_) => false,
            }
    }

    /// Is anything used that the object holds?
    pub(super) fn has_any_of(&self, object: ObjectId) -> bool {
        self.objects.contains(&object) || self.owners.contains(&object)
    }

    /// How much is used: it grows with that.
    pub(super) fn len(&self) -> usize {
        self.variables.len() + self.objects.len()
    }

    /// Is it nothing?
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a slice has to say of other threads: by variable and thread, how often that wrote it.
///
/// # Errors
/// The trace cannot be read.
pub(super) fn written<'t>(
    trace: &Trace,
    program: &Program,
    used: &Used,
    others: impl Iterator<Item = &'t ThreadDef>,
) -> Result<BTreeMap<String, u64>, ReadError> {
    let mut crossings = BTreeMap::new();
    for thread in others.filter(|_| !used.is_empty()) {
        let mut writes = Writes {
            used,
            found: BTreeMap::new(),
        };
        Walker::new(trace, program, thread.no).run(&mut writes)?;
        for (variable, times) in writes.found {
            let variable = match variable {
                Some(field) => program.field_name(field),
                None => "elements of arrays".into(),
            };
            let what = format!(
                "{variable}: written by thread {}, too; which write was read is not looked into",
                thread.name
            );
            *crossings.entry(what).or_default() += times;
        }
    }
    Ok(crossings)
}

/// The writes of a thread to what is used.
struct Writes<'a> {
    used: &'a Used,
    /// By field, `None` for elements of arrays.
    found: BTreeMap<Option<FieldNo>, u64>,
}

impl Writes<'_> {
    fn wrote(&mut self, location: Option<Location>) {
        let Some(location) = location.filter(|location| self.used.variables.contains(location))
        else {
            return;
        };
        let variable = match location {
            Location::Static(field) | Location::Field(_, field) => Some(field),
            Location::Element(..) => None,
        };
        *self.found.entry(variable).or_default() += 1;
    }

    fn reported(&mut self, event: Met<'_>, location: Option<Location>) {
        use EventKind::{ArrayStore, PutField, PutStatic};
        if matches!(event.kind, PutField | PutStatic | ArrayStore) {
            self.wrote(location);
        }
    }
}

impl Visitor for Writes<'_> {
    fn opened(&mut self, _opening: &Opening) {}

    fn stepped(&mut self, step: &Step<'_>) {
        let access = step.instruction.effect.access;
        let stores = matches!(
            access,
            Access::PutField(_) | Access::PutStatic(_) | Access::ArrayStore
        );
        if stores && !step.threw {
            self.wrote(step.location());
        }
    }

    fn call_ended(&mut self, _step: &Step<'_>) {}

    fn call_began(&mut self, _at: usize, _operands: EventOperands<'_>) {}

    fn caught(&mut self, _handler: BlockNo, _from: usize, _throwable: ObjectId) {}

    fn began(&mut self) {}

    fn lost(&mut self, _why: &'static str) {}

    fn unexplained(&mut self, event: Met<'_>, location: Option<Location>) {
        self.reported(event, location);
    }

    fn resumed(&mut self, _at: usize) {}

    fn outside(&mut self, event: Met<'_>, location: Location) {
        self.reported(event, Some(location));
    }

    fn is_indifferent(&self, _instruction: &jinsi_steps::code::Instruction) -> bool {
        true
    }
}
