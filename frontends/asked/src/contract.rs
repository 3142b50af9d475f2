//! Contracts of the program that held: what it says itself that a call has to give. `assert stack.isEmpty()`, `if (stack.size() != 3) throw new
//! AssertionError()`, `checkState(stack.isEmpty())`.
//!
//! A check of what somebody else hands in (`checkArgument`, `require`) says what *he* has to do, not that the call is right that looks at it.

use jinsi_answers::dotted;
use jinsi_classfile::ClassFile;
use jinsi_classfile::insn::{self, Insn};
use jinsi_classfile::opcode;
use jinsi_classfile::pool::ConstantPool;
use jinsi_inspect::{Call, Inspector, Outcome, Seen};
use jinsi_trace::model::{EventId, Prim, Value};

/// Methods that end by an exception unless their first argument is true, and that check what the program itself has done.
const CHECKS: [(&str, &str); 5] = [
    ("com.google.common.base.Preconditions", "checkState"),
    ("com.google.common.base.Verify", "verify"),
    ("org.apache.commons.lang3.Validate", "validState"),
    ("org.apache.commons.lang.Validate", "validState"),
    ("org.springframework.util.Assert", "state"),
];

/// Did such a method get what a call returned, and end without an exception? `next` is what was called behind the call.
pub(crate) fn is_checked(call_result: &str, next: &Call) -> bool {
    let owner = dotted(&next.method.owner);
    let is_one = CHECKS.contains(&(owner.as_str(), next.method.name.as_str()));
    let yes = Value::Prim(Prim::Boolean(true));
    let is_passed = matches!(next.outcome, Outcome::Returned(_));
    let first = next.arguments.first();
    is_one && is_passed && call_result == "true" && first == Some(&Seen::Known(yes))
}

/// Does the code behind a call throw an `AssertionError` if that gives anything else than it gave? Nothing if that is not known.
pub(crate) fn is_demanded(
    inspector: &Inspector<'_>,
    (caller, call): (EventId, &Call),
    call_result: &str,
) -> Option<bool> {
    let state = inspector.state(call.before).ok()?;
    let mut frames = state.frames.iter();
    let frame = frames.find(|frame| frame.activation == caller)?;
    let class = inspector.trace().class_by_name(&frame.method.owner)?;
    let class = ClassFile::parse(&class.bytes).ok()?;
    let at = class.find_method(&frame.method.name, &frame.method.desc)?;
    let code = class.methods[at].code(&class.pool).ok()??;
    let insns: Vec<Insn<'_>> = insn::iter(&code.bytes).map_while(Result::ok).collect();
    let at = insns.iter().position(|i| Some(i.offset) == frame.bci)?;
    let is_boolean = call.method.desc.ends_with(")Z");
    let demanded = demanded(&insns[at + 1..], &class.pool, is_boolean)?;
    Some(demanded == call_result)
}

/// The only value with which the code goes on instead of throwing an `AssertionError`.
fn demanded(behind: &[Insn<'_>], pool: &ConstantPool, is_boolean: bool) -> Option<String> {
    let throws = |at: usize| {
        let new = behind.get(at).filter(|i| i.opcode == opcode::NEW)?;
        let class = pool.class_name(new.pool_index()?).ok()?;
        // It is thrown, and not returned or kept.
        let leaves = |i: &&Insn<'_>| !i.falls_through() || i.target().is_some();
        let thrown = behind[at..].iter().find(leaves)?.opcode == opcode::ATHROW;
        (thrown && class == "java/lang/AssertionError").then_some(())
    };
    let first = behind.first()?;
    match first.opcode {
        opcode::IFNE if is_boolean => throws(1).map(|()| "true".to_owned()),
        opcode::IFEQ if is_boolean => throws(1).map(|()| "false".to_owned()),
        opcode::IFEQ => throws(1).map(|()| "0".to_owned()),
        opcode::IFNULL => throws(1).map(|()| "null".to_owned()),
        _ => {
            let number = constant(first, pool)?;
            let compares = behind.get(1)?.opcode == opcode::IF_ICMPEQ;
            compares.then(|| throws(2))?.map(|()| number.to_string())
        }
    }
}

/// The whole number that an instruction leaves.
fn constant(insn: &Insn<'_>, pool: &ConstantPool) -> Option<i32> {
    match insn.opcode {
        opcode::ICONST_M1..=opcode::ICONST_5 => {
            Some(i32::from(insn.opcode) - i32::from(opcode::ICONST_0))
        }
        opcode::BIPUSH | opcode::SIPUSH => insn.immediate(),
        opcode::LDC | opcode::LDC_W => pool.integer(insn.pool_index()?).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A jump over `new AssertionError`, which is entry 2 of the pool.
    fn of(before: &[u8], jump: u8) -> Vec<u8> {
        [
            before,
            &[
                jump,
                0,
                8,
                opcode::NEW,
                0,
                2,
                opcode::DUP,
                opcode::ATHROW,
                opcode::RETURN,
            ],
        ]
        .concat()
    }

    fn reported(code: &[u8], is_boolean: bool, class: &str) -> Option<String> {
        let mut pool = ConstantPool::new();
        assert_eq!(pool.add_class(class), Ok(2));
        let insns: Vec<Insn<'_>> = insn::iter(code).map_while(Result::ok).collect();
        demanded(&insns, &pool, is_boolean)
    }

    #[test]
    fn what_an_assertion_demands_is_known() {
        let error = "java/lang/AssertionError";
        let yes = of(&[], opcode::IFNE);
        assert_eq!(reported(&yes, true, error).as_deref(), Some("true"));
        assert_eq!(
            reported(&of(&[], opcode::IFEQ), true, error).as_deref(),
            Some("false")
        );
        assert_eq!(
            reported(&of(&[], opcode::IFEQ), false, error).as_deref(),
            Some("0")
        );
        assert_eq!(
            reported(&of(&[], opcode::IFNULL), false, error).as_deref(),
            Some("null")
        );
        let three = of(&[opcode::ICONST_0 + 3], opcode::IF_ICMPEQ);
        assert_eq!(reported(&three, false, error).as_deref(), Some("3"));
        let minus = of(&[opcode::BIPUSH, 0xf0], opcode::IF_ICMPEQ);
        assert_eq!(reported(&minus, false, error).as_deref(), Some("-16"));
        let mut kept = yes.clone();
        kept[7] = opcode::ARETURN;
        assert_eq!(reported(&kept, true, error), None);
        // Whatever else than 0; whatever else is thrown; less than.
        assert_eq!(reported(&yes, false, error), None);
        assert_eq!(
            reported(&yes, true, "java/lang/IllegalStateException"),
            None
        );
        assert_eq!(
            reported(&of(&[opcode::ICONST_0], opcode::IF_ICMPLT), false, error),
            None
        );
    }
}
