use jinsi_history::script::history;
use jinsi_trace::model::{JavaString, Value};

use crate::failure::Crash;
use crate::{Demand, Instead, Oracle, Term, failure};

/// The failure of a test that opens a `Gate` and ends by `#9`. `#8` is what the gate may throw.
fn crash(body: &str) -> Crash {
    let text = format!(
        "class GateTest
         class Gate
         class Closed
         env org/junit/jupiter/api/Assertions
         env org/opentest4j/AssertionFailedError
         env org/assertj/core/api/Assertions
         env org/assertj/core/api/AbstractThrowableAssert
         throwable #9 org.opentest4j.AssertionFailedError at org.junit.jupiter.api.Assertions.fail
         throwable #8 java.lang.IllegalStateException at Gate.open
         obj #1 Gate
         s> GateTest.main()V
         {body}
         <! #9
         uncaught #9"
    );
    let history = history(&text);
    assert_eq!(history.anomalies(), 0, "{text}");
    failure(&history, 9, None).expect("a failure")
}

const THROWS: &str = "org/junit/jupiter/api/Assertions.assertThrows(Ljava/lang/Class;Lorg/junit/jupiter/api/function/Executable;)Ljava/lang/Throwable;";
const BY: &str = "org/assertj/core/api/Assertions.assertThatThrownBy(Lorg/assertj/core/api/ThrowableAssert$ThrowingCallable;)Lorg/assertj/core/api/AbstractThrowableAssert;";

/// The lambda of the test, in which the gate is opened, which ends so.
fn opened(end: &str) -> String {
    let outer = if end.starts_with("<!") { end } else { "<" };
    format!(
        "s> GateTest.lambda$main$0()V
           light Gate.open()V
           > Gate.open()V #1
           {end}
         {outer}"
    )
}

fn message() -> Term {
    super::message()
}

fn demand(crash: &Crash) -> Option<(&str, &[Demand])> {
    let Oracle::Value(wrong) = &crash.oracle else {
        return None;
    };
    match wrong.demand.as_ref()? {
        Demand::Throws(wanted) => Some((&wanted.class, &wanted.further)),
        _ => None,
    }
}

fn instead(crash: &Crash) -> Option<(&str, &[Demand])> {
    let Instead { exception, by } = crash.wanted.as_ref()?;
    assert_eq!(by, "GateTest");
    Some((&exception.class, &exception.further))
}

#[test]
fn nothing_is_thrown() {
    let crash = crash(&format!(
        "calls {THROWS} class:Closed null\n{}",
        opened("<")
    ));
    assert_eq!(demand(&crash), Some(("Closed", &[][..])));
    assert_eq!(crash.levels[0].class, "Gate");
}

#[test]
fn another_exception_is_thrown() {
    let crash = crash(&format!(
        "calls {THROWS} class:Closed null\n{}",
        opened("<! #8")
    ));
    assert_eq!((crash.throwable, &crash.oracle), (8, &Oracle::Exception));
    assert_eq!(instead(&crash), Some(("Closed", &[][..])));
}

/// What the gate keeps to itself is not thrown.
#[test]
fn an_exception_that_the_program_caught_is_none() {
    let body = format!(
        "calls {THROWS} class:Closed null
         s> GateTest.lambda$main$0()V
           light Gate.open()V
           > Gate.open()V #1
             light Gate.turn()V
             > Gate.turn()V #1
             <! #8
           catch #8
           <
         <"
    );
    assert_eq!(demand(&crash(&body)), Some(("Closed", &[][..])));
}

#[test]
fn a_message_is_another_one() {
    let equals =
        "org/junit/jupiter/api/Assertions.assertEquals(Ljava/lang/Object;Ljava/lang/Object;)V";
    let body = format!(
        "calls {THROWS} class:java/lang/IllegalStateException null
         {}
         ret #8
         call java/lang/IllegalStateException.getMessage()Ljava/lang/String; #8
         ret \"open\"
         calls {equals} \"closed\" \"open\"",
        opened("<! #8")
    );
    let crash = crash(&body);
    assert_eq!(crash.throwable, 8);
    let (class, further) = instead(&crash).expect("an exception");
    assert_eq!(class, "java/lang/IllegalStateException");
    let Demand::Equal { actual, expected } = &further[0] else {
        panic!("{further:?}")
    };
    assert!(matches!(actual, Term::Call { member, .. } if member.name == "getMessage"));
    let closed = Value::Str(JavaString::new("closed"));
    assert_eq!(*expected, Term::Literal(closed));
}

#[test]
fn a_chain_says_what_is_wrong_of_an_exception() {
    let body = |call: &str| {
        format!(
            "calls {BY} null
             {}
             obj #3 org/assertj/core/api/AbstractThrowableAssert
             ret #3
             call org/assertj/core/api/AbstractThrowableAssert.{call}",
            opened("<! #8")
        )
    };
    let to = "Lorg/assertj/core/api/AbstractThrowableAssert;";
    let of_message = body(&format!("hasMessage(Ljava/lang/String;){to} #3 \"closed\""));
    let crash_of_message = crash(&of_message);
    let closed = Value::Str(JavaString::new("closed"));
    let expected = Demand::Equal {
        actual: message(),
        expected: Term::Literal(closed),
    };
    // Of its class it says nothing.
    let class = "java/lang/Throwable";
    assert_eq!(instead(&crash_of_message), Some((class, &[expected][..])));
    let of_class = body(&format!(
        "isInstanceOf(Ljava/lang/Class;){to} #3 class:Closed"
    ));
    assert_eq!(instead(&crash(&of_class)), Some(("Closed", &[][..])));
    // What cannot be said in Java is no demand.
    let other = body(&format!(
        "hasSuppressedException(Ljava/lang/Throwable;){to} #3 null"
    ));
    assert_eq!(crash(&other).wanted, None);
}

#[test]
fn a_chain_that_nothing_is_thrown_to_demands_any_exception() {
    let crash = crash(&format!("calls {BY} null\n{}", opened("<")));
    assert_eq!(demand(&crash), Some(("java/lang/Throwable", &[][..])));
}

#[test]
fn an_exception_that_should_not_have_come_is_the_failure() {
    let name = "org/junit/jupiter/api/Assertions.assertDoesNotThrow(Lorg/junit/jupiter/api/function/Executable;)V";
    let crash = crash(&format!("calls {name} null\n{}", opened("<! #8")));
    assert_eq!((crash.throwable, &crash.wanted), (8, &None));
}

#[test]
fn of_several_calls_any_may_throw() {
    let crash = crash(&format!(
        "calls {THROWS} class:Closed null
         s> GateTest.lambda$main$0()V
           light Gate.open()V
           > Gate.open()V #1
           <
           light Gate.turn()V
           > Gate.turn()V #1
           <
         <"
    ));
    let Oracle::Value(wrong) = &crash.oracle else {
        panic!("no value")
    };
    let Some(Demand::Throws(wanted)) = &wrong.demand else {
        panic!("{:?}", wrong.demand)
    };
    assert!(wanted.since.is_some_and(|since| since < wrong.node));
}

#[test]
fn a_specification_waits_for_an_exception() {
    let text = "class GateSpec
         class Gate
         env org/spockframework/runtime/SpecInternals
         env org/spockframework/runtime/SpecificationContext
         env org/spockframework/runtime/WrongExceptionThrownError
         env org/codehaus/groovy/vmplugin/v8/IndyInterface
         throwable #9 org.spockframework.runtime.WrongExceptionThrownError at org.spockframework.runtime.SpecInternals.check
         obj #1 Gate
         obj #2 GateSpec
         obj #3 org/spockframework/runtime/SpecificationContext
         > GateSpec.opens()V #2
         light Gate.paint()V
           > Gate.paint()V #1
           <
         call org/spockframework/runtime/SpecificationContext.setThrownException(Ljava/lang/Throwable;)V #3 null
         ret
         dyn org/codehaus/groovy/vmplugin/v8/IndyInterface.invoke(LGate;)V #1
           > Gate.open()V #1
           <
         ret
         dyn org/codehaus/groovy/vmplugin/v8/IndyInterface.invoke(Ljava/lang/Class;LGateSpec;Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Class;)V class:org/spockframework/runtime/SpecInternals #2 null null class:java/lang/IllegalStateException
         <! #9
         uncaught #9";
    let history = history(text);
    assert_eq!(history.anomalies(), 0);
    let crash = failure(&history, 9, None).expect("a failure");
    assert_eq!(
        demand(&crash),
        Some(("java/lang/IllegalStateException", &[][..]))
    );
    let node = crash.oracle.node().expect("a call");
    assert_eq!(history.member(node).expect("a method").name, "open");
}
