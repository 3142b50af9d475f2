//! What another recorded run says of a call: there, the same method was given the same.

use std::collections::BTreeSet;

use jinsi_classfile::text::Text;
use jinsi_classfile::{ClassFile, insn, opcode};
use jinsi_inspect::{InspectError, Inspector};
use jinsi_trace::model::{EventId, MemberRef};
use jinsi_trace::reader::Trace;

use crate::Judgement;
use crate::call::Call;
use crate::compare::{Basis, compare, given_the_same};
use crate::past::Source;
use crate::printed::Prints;
use crate::recorded::{self, Statics};

/// Calls of the method that are looked at.
const MOST: usize = 200;

/// What another run says of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Precedent {
    /// A call there was given the same, and gave the same.
    Same(EventId),
    /// A call there was given the same, and gave something else: the first difference.
    Other(EventId, String),
    /// There is no such call, or it is not known.
    None,
}

/// The calls of another run.
#[derive(Debug)]
pub struct Precedents<'a, 't> {
    ours: &'a Inspector<'t>,
    theirs: &'a Inspector<'t>,
    /// Only these calls count, if not all.
    among: Option<BTreeSet<EventId>>,
    prints: [Prints; 2],
}

impl<'a, 't> Precedents<'a, 't> {
    /// What the run of `theirs` says of calls of that of `ours`.
    pub fn new(ours: &'a Inspector<'t>, theirs: &'a Inspector<'t>) -> Self {
        Self {
            ours,
            theirs,
            among: None,
            prints: Default::default(),
        }
    }

    /// Only these calls of the other run count.
    pub fn among(self, calls: impl IntoIterator<Item = EventId>) -> Self {
        Self {
            among: Some(calls.into_iter().collect()),
            ..self
        }
    }

    /// What it says of a call. `statics` are the names of the static fields that count: what runs within may access no others.
    ///
    /// # Errors
    /// A recording cannot be read.
    pub fn of(
        &mut self,
        activation: EventId,
        statics: &BTreeSet<String>,
    ) -> Result<Precedent, InspectError> {
        let method = self.ours.activation(activation)?.method;
        if !is_same_code([self.ours.trace(), self.theirs.trace()], &method) {
            return Ok(Precedent::None);
        }
        let candidates = self.calls_of(&method)?;
        if candidates.is_empty() {
            return Ok(Precedent::None);
        }
        let which = Statics::Named(statics);
        let Ok(ours) = recorded::call(Source::plain(self.ours), activation, which)? else {
            return Ok(Precedent::None);
        };
        let mut other = Precedent::None;
        for candidate in candidates {
            let Ok(theirs) = recorded::call(Source::plain(self.theirs), candidate, which)? else {
                continue;
            };
            match self.compare([&ours, &theirs], which)? {
                Some(Judgement::Right) => return Ok(Precedent::Same(candidate)),
                Some(Judgement::Wrong(differs)) if other == Precedent::None => {
                    other = Precedent::Other(candidate, differs.text);
                }
                _ => {}
            }
        }
        Ok(other)
    }

    /// The calls of a method that count, oldest first; not all, if there are many.
    fn calls_of(&self, method: &MemberRef) -> Result<Vec<EventId>, InspectError> {
        let Some(among) = &self.among else {
            let all = self.theirs.activations_of(method, 0, MOST)?;
            return Ok(all.into_iter().map(|call| call.name).collect());
        };
        let mut all = Vec::new();
        for name in among {
            if self.theirs.activation(*name)?.method == *method {
                all.push(*name);
            }
        }
        Ok(all)
    }

    /// Did the second call give what the first gave? Nothing if they were not given the same.
    fn compare(
        &mut self,
        [ours, theirs]: [&Call; 2],
        which: Statics<'_>,
    ) -> Result<Option<Judgement>, InspectError> {
        let Some(same) = given_the_same(ours, theirs) else {
            return Ok(None);
        };
        let sides = [(self.ours, ours), (self.theirs, theirs)];
        let came = sides.into_iter().zip(&mut self.prints);
        let came = came.map(|((inspector, call), prints)| {
            let printed = prints.within(inspector, call.activation)?;
            recorded::exit(Source::plain(inspector), call, which, printed)
        });
        let came: Result<Vec<_>, InspectError> = came.collect();
        let came = came?;
        let basis = Basis {
            same,
            ..Basis::default()
        };
        Ok(Some(compare(&came[0].0, &came[1].0, basis)))
    }
}

/// Has a method the same instructions in both runs? Yes where the recordings do not know.
fn is_same_code(traces: [&Trace; 2], method: &MemberRef) -> bool {
    let [ours, theirs] = traces.map(|trace| {
        let class = class(trace, &method.owner)?;
        let at = class.find_method(&method.name, &method.desc)?;
        Text::of(&class, &class.methods[at]).ok()
    });
    ours.is_none() || theirs.is_none() || ours == theirs
}

fn class(trace: &Trace, name: &str) -> Option<ClassFile> {
    ClassFile::parse(&trace.class_by_name(name)?.bytes).ok()
}

/// The names of the static fields that methods access: class, name, descriptor of each.
pub fn static_fields<'m>(
    trace: &Trace,
    methods: impl IntoIterator<Item = [&'m str; 3]>,
) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for [owner, name, desc] in methods {
        let Some(class) = class(trace, owner) else {
            continue;
        };
        let at = class.find_method(name, desc);
        let code = at.and_then(|at| class.methods[at].code(&class.pool).ok()?);
        let Some(code) = code else {
            continue;
        };
        for at in insn::iter(&code.bytes).map_while(Result::ok) {
            if ![opcode::GETSTATIC, opcode::PUTSTATIC].contains(&at.opcode) {
                continue;
            }
            let named = at.pool_index().map(|index| class.pool.member_ref(index));
            if let Some(Ok(named)) = named {
                names.insert(named.name.into_owned());
            }
        }
    }
    names
}
