//! What methods of `VarHandle`s and field updaters leave in a field (`java.lang.invoke.VarHandle`, `java.util.concurrent.atomic`).

use jinsi_classfile::opcode as op;
use jinsi_trace::model::{MemberRef, Prim, Value};

use crate::cell::stacked;
use crate::code::Constant;
use crate::compute::{compute, converted};

const VAR_HANDLE: &str = "java/lang/invoke/VarHandle";
const UPDATERS: &str = "java/util/concurrent/atomic/Atomic";

/// What a method leaves in the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// This argument, from 0.
    Argument(usize),
    /// The second argument behind the object, if its result is `true`.
    IfDone,
    /// The same, if its result is what was expected.
    IfExpected,
    /// Its result.
    Result,
    /// The result and an argument, by the instruction for `int` with this opcode.
    Computed(u8),
    /// The result, with so much added.
    Added(i32),
    /// It is not reported.
    Unknown,
}

/// May a call of this method write a field of the object that it is given?
pub fn is_access(method: &MemberRef) -> bool {
    let is_updater =
        || method.owner.starts_with(UPDATERS) && method.owner.ends_with("FieldUpdater");
    method.owner == VAR_HANDLE || is_updater()
}

/// What a method of this name leaves; `None` if it only reads.
pub fn leaves(name: &str) -> Option<Leaves> {
    let mode = ["Volatile", "Opaque", "Release", "Acquire", "Plain"];
    let name = mode
        .iter()
        .fold(name, |name, mode| name.strip_suffix(mode).unwrap_or(name));
    Some(match name {
        "get" | "toString" | "coordinateTypes" | "varType" => return None,
        "set" | "lazySet" | "getAndSet" => Leaves::Argument(2),
        "compareAndSet" | "weakCompareAndSet" => Leaves::IfDone,
        "compareAndExchange" => Leaves::IfExpected,
        "addAndGet" | "incrementAndGet" | "decrementAndGet" | "updateAndGet"
        | "accumulateAndGet" => Leaves::Result,
        "getAndAdd" => Leaves::Computed(op::IADD),
        "getAndBitwiseOr" => Leaves::Computed(op::IOR),
        "getAndBitwiseAnd" => Leaves::Computed(op::IAND),
        "getAndBitwiseXor" => Leaves::Computed(op::IXOR),
        "getAndIncrement" => Leaves::Added(1),
        "getAndDecrement" => Leaves::Added(-1),
        _ => Leaves::Unknown,
    })
}

/// As a field of this type holds what it is given (JLS §5.3), as values lie on the stack.
pub fn as_held(value: &Value, desc: &str) -> Option<Value> {
    let is_primitive = desc.len() == 1;
    let prim = match value {
        Value::Prim(prim) | Value::Boxed(prim) if is_primitive => *prim,
        Value::Prim(prim) => return Some(Value::Boxed(*prim)),
        other => return Some(other.clone()),
    };
    match (stacked(Value::Prim(prim)), desc.chars().next()?) {
        (held, 'Z' | 'C') => Some(held),
        (Value::Prim(prim), letter) => converted(prim, letter),
        _ => None,
    }
}

/// Of two values of one type, by an instruction for `int`, or what stands for it with this type (JVMS §6.5: `int`, `long`, `float`, `double`).
pub fn computed(opcode: u8, a: &Value, b: &Value) -> Option<Value> {
    let behind = match (a, opcode) {
        (Value::Prim(Prim::Int(_)), _) => 0,
        (Value::Prim(Prim::Long(_)), _) => 1,
        (Value::Prim(Prim::Float(_)), op::IADD) => 2,
        (Value::Prim(Prim::Double(_)), op::IADD) => 3,
        _ => return None,
    };
    let values = [a, b];
    compute(opcode + behind, &Constant::Nothing, 2, |at| {
        values.get(at).copied()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_left() {
        assert_eq!(leaves("getVolatile"), None);
        assert_eq!(leaves("setRelease"), Some(Leaves::Argument(2)));
        assert_eq!(leaves("getAndSetAcquire"), Some(Leaves::Argument(2)));
        assert_eq!(leaves("weakCompareAndSetPlain"), Some(Leaves::IfDone));
        assert_eq!(
            leaves("compareAndExchangeRelease"),
            Some(Leaves::IfExpected)
        );
        assert_eq!(leaves("getAndUpdate"), Some(Leaves::Unknown));
    }

    #[test]
    fn values_are_as_the_field_holds_them() {
        let (int, long) = (
            |n| Value::Prim(Prim::Int(n)),
            |n| Value::Prim(Prim::Long(n)),
        );
        assert_eq!(as_held(&int(7), "J"), Some(long(7)));
        assert_eq!(as_held(&Value::Boxed(Prim::Int(7)), "I"), Some(int(7)));
        let boxed = Some(Value::Boxed(Prim::Int(7)));
        assert_eq!(as_held(&int(7), "Ljava/lang/Object;"), boxed);
        assert_eq!(
            as_held(&Value::Prim(Prim::Boolean(true)), "Z"),
            Some(int(1))
        );
        assert_eq!(computed(op::IADD, &long(132), &long(1)), Some(long(133)));
        assert_eq!(computed(op::IXOR, &long(133), &long(1)), Some(long(132)));
        let half = Value::Prim(Prim::Double(0.5));
        assert_eq!(computed(op::IXOR, &half, &half), None);
        assert_eq!(
            computed(op::IADD, &half, &half),
            Some(Value::Prim(Prim::Double(1.0)))
        );
    }
}
