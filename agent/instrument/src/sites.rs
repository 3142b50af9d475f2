//! What is recorded at which instruction.

use std::collections::HashMap;
use std::sync::LazyLock;

use jinsi_classfile::descriptor::{MethodType, Type};
use jinsi_trace::model::{CallOp, MemberRef};
use parking_lot::RwLock;

use super::coverage;
use super::naturals::natural_classes;

/// Where the JDK's streams are.
const STREAMS: &str = "java/util/stream/";

/// A call site as the probes treat it.
pub(super) struct CallSite {
    pub(super) target: MemberRef,
    pub(super) op: CallOp,
    /// The callee is surely observed and records everything itself.
    pub(super) light: bool,
    /// The callee is surely not observed.
    pub(super) outside: bool,
}

impl CallSite {
    /// Is there a receiver to be recorded before the call?
    pub(super) fn has_receiver(&self) -> bool {
        matches!(
            self.op,
            CallOp::Virtual | CallOp::Special | CallOp::Interface
        ) && self.target.name != "<init>"
    }

    /// Can content of this static type have changed hands, or come back changed? Operations on natural objects are run again at
    /// replay instead; what an `invokedynamic` makes holds its arguments and does not change them.
    /// `at_boundary`: these have events only where their receivers come from the environment.
    pub(super) fn may_change(&self, value: Type<'_>, at_boundary: bool) -> bool {
        let runs_again = || !at_boundary && !value.is_array() && self.runs_again();
        self.op != CallOp::Dynamic && may_hold_content(value) && !runs_again()
    }

    /// Can what the call returns have such content? What a stream gathers may come from a container of the environment's, and is recorded even
    /// where replay runs the call again.
    pub(super) fn returns_content(&self, value: Type<'_>, at_boundary: bool) -> bool {
        let gathers = self.op == CallOp::Interface && self.target.owner.starts_with(STREAMS);
        gathers && may_hold_content(value) || self.may_change(value, at_boundary)
    }

    /// Is what the call is given to be looked at again when it returns? Where the callee may well be recorded, only arrays and builders of texts
    /// are, which are there to be filled. `at_boundary`: see [`Self::may_change`].
    pub(super) fn exchanges(&self, param: Type<'_>, at_boundary: bool) -> bool {
        if is_builder(param) {
            return self.op != CallOp::Dynamic && !self.runs_again();
        }
        self.may_change(param, at_boundary) && (self.outside || param.is_array())
    }

    /// Does the call change what its natural receiver holds, and is all the same answered in a replay?
    pub(super) fn fills_receiver(&self) -> bool {
        let MemberRef { owner, name, desc } = &self.target;
        owner.starts_with("java/util/") && natural_classes().is_answered(owner, name, desc)
    }

    /// Does replay run the call again?
    fn runs_again(&self) -> bool {
        static KNOWN: LazyLock<RwLock<HashMap<MemberRef, bool>>> = LazyLock::new(RwLock::default);
        let target = &self.target;
        if !natural_owner(&target.owner) {
            return false;
        }
        // The list is long, and most call sites name the same few members.
        if let Some(&known) = KNOWN.read().get(target) {
            return known;
        }
        let natural = natural_classes();
        let natural = match self.op {
            CallOp::Dynamic => natural.is_natural_class(&target.owner),
            _ => natural.is_natural_member(&target.owner, &target.name, &target.desc),
        };
        KNOWN.write().insert(target.clone(), natural);
        natural
    }

    /// The probe that records such content: at once where the callee is surely not observed, else only if it turned out not to be
    /// (native, implemented by a class that is not recorded).
    pub(super) fn content_probe(&self) -> &'static str {
        if self.outside { "content" } else { "crossed" }
    }

    /// The same for what the callee returns. One that is not recorded may call back.
    pub(super) fn result_probe(&self) -> &'static str {
        if self.outside { "content" } else { "returned" }
    }
}

/// May replay run operations of this class again? What it makes of streams and reflection depends on others.
fn natural_owner(owner: &str) -> bool {
    let natural = ["java/lang/", "java/util/", "java/math/", "java/time/"]
        .iter()
        .any(|p| owner.starts_with(p));
    // What these call or fill is anybody's.
    let reflective = ["java/lang/reflect/", "java/lang/invoke/"]
        .iter()
        .any(|p| owner.starts_with(p));
    natural && !reflective && owner != "java/lang/Class"
}

/// The classes that box, by their simple names, and how they do.
const BOXES: &[(&str, &str)] = &[
    ("Boolean", "(Z)Ljava/lang/Boolean;"),
    ("Byte", "(B)Ljava/lang/Byte;"),
    ("Character", "(C)Ljava/lang/Character;"),
    ("Double", "(D)Ljava/lang/Double;"),
    ("Float", "(F)Ljava/lang/Float;"),
    ("Integer", "(I)Ljava/lang/Integer;"),
    ("Long", "(J)Ljava/lang/Long;"),
    ("Short", "(S)Ljava/lang/Short;"),
];

/// Is the member one of a class that boxes?
pub(super) fn is_box(target: &MemberRef) -> bool {
    let class = target.owner.strip_prefix("java/lang/");
    class.is_some_and(|class| BOXES.iter().any(|(known, _)| *known == class))
}

/// Does the call compute a primitive or a box from primitives and boxes, and nothing else, or is it about coverage? Replay can do that again, so it is no event.
pub(super) fn only_computes(target: &MemberRef) -> bool {
    if coverage::is_init(&target.name, &target.desc) {
        return true;
    }
    let Some(class) = target.owner.strip_prefix("java/lang/") else {
        return false;
    };
    let (name, desc) = (target.name.as_str(), target.desc.as_str());
    if matches!(class, "Math" | "StrictMath") {
        return name != "random";
    }
    let of_box = BOXES.iter().find(|(known, _)| *known == class);
    of_box.is_some_and(|(_, boxing)| match name {
        "valueOf" => desc == *boxing,
        _ => name.ends_with("Value") && desc.starts_with("()"),
    })
}

/// Can a value of this static type be an array or a natural object with content?
pub(super) fn may_hold_content(value: Type<'_>) -> bool {
    value.is_array()
        || value.class_name().is_some_and(|name| {
            name == "java/lang/Object"
                || name == "java/lang/Iterable"
                || ["java/util/", "java/math/", "java/time/"]
                    .iter()
                    .any(|p| name.starts_with(p))
        })
}

/// Is a value of this static type a builder of texts, which whoever gets it appends to? (Of a `StringBuffer` the lock would have to be taken.)
pub(super) fn is_builder(value: Type<'_>) -> bool {
    matches!(
        value.class_name(),
        Some("java/lang/StringBuilder" | "java/lang/Appendable")
    )
}

/// Letters of the parameters.
pub(super) fn letters(method: &MethodType<'_>) -> String {
    method.params.iter().map(|p| p.letter()).collect()
}

/// Order of the array instructions in the opcode table (JVMS §6.5): int, long, float, double, reference, byte/boolean, char, short.
pub(super) fn element_letter(n: u8) -> char {
    ['I', 'J', 'F', 'D', 'L', 'B', 'C', 'S'][usize::from(n & 7)]
}
