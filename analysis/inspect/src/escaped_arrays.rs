//! Arrays that are given to code which is not recorded, and which may write into them.

use jinsi_steps::walk::Location;
use jinsi_trace::model::{MemberRef, ObjectId, Prim, Value};

use crate::facts::Facts;
use crate::machine::{Call, Machine};

/// Methods of the JDK that only read the arrays they are given: class, and what its methods must not be called.
const READERS: [(&str, &[&str]); 5] = [
    (
        "java/util/Arrays",
        &[
            "asList",
            "fill",
            "parallelPrefix",
            "parallelSetAll",
            "parallelSort",
            "setAll",
            "sort",
        ],
    ),
    ("java/lang/String", &["getBytes", "getChars"]),
    ("java/lang/StringBuilder", &["getChars"]),
    ("java/lang/StringBuffer", &["getChars"]),
    ("java/io/PrintStream", &[]),
];

/// May a method that is not recorded write into arrays that it is given?
fn may_write(method: &MemberRef) -> bool {
    let of = READERS.iter().find(|(owner, _)| method.owner == *owner);
    of.is_none_or(|(_, writers)| writers.iter().any(|name| method.name == *name))
}

/// The parameter into which a method writes that is given several arrays, if that is known.
fn written_parameter(method: &MemberRef) -> Option<usize> {
    let is_copy = method.owner == "java/lang/System" && method.name == "arraycopy";
    is_copy.then_some(2)
}

/// The arrays that a call of code that is not recorded, which has come back just now, gave to it, and into which it may have written.
pub(crate) fn escaped_by(
    facts: &Facts<'_>,
    machine: &Machine<'_, Facts<'_>>,
    call: &Call,
) -> Vec<ObjectId> {
    let body = machine.top().and_then(|top| top.body());
    let instruction = body.and_then(|body| body.instructions.get(call.at as usize));
    let callee = instruction.and_then(|instruction| instruction.target.as_deref());
    let Some(callee) = callee.filter(|callee| may_write(callee)) else {
        return Vec::new();
    };
    let only = written_parameter(callee);
    let arguments = call.arguments.iter().enumerate();
    let arguments = arguments.filter(|(at, _)| only.is_none_or(|only| only == *at));
    let values = arguments.filter_map(|(_, cell)| machine.bindings.value(cell));
    let objects = values.filter_map(|value| match value {
        Value::Object(id) => Some(*id),
        _ => None,
    });
    objects.filter(|id| facts.is_array(*id)).collect()
}

/// Which of an array's elements an event is about, if it is about one.
pub(crate) fn element(operands: &[Value]) -> Option<Location> {
    match operands {
        [Value::Object(array), Value::Prim(Prim::Int(index)), ..] => {
            Some(Location::Element(*array, u32::try_from(*index).ok()?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_writes_into_arrays_is_distinguished_from_what_reads_them() {
        let writes = |owner: &str, name: &str| {
            may_write(&MemberRef {
                owner: owner.into(),
                name: name.into(),
                desc: "()V".into(),
            })
        };
        assert!(writes("java/lang/System", "arraycopy"));
        assert!(writes("java/util/Arrays", "sort"));
        assert!(writes("java/lang/String", "getChars"));
        assert!(!writes("java/lang/String", "valueOf"));
        assert!(!writes("java/util/Arrays", "toString"));
    }
}
