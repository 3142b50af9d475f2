use jinsi_history::script::history;
use jinsi_trace::model::{JavaString, Prim, Value};

use super::{Demand, Term};
use crate::failure::Crash;
use crate::{FoundBy, Oracle, failure};

/// The failure of a test that asks a `Shop` and ends by `#9`, an error of this class.
fn crash(error: &str, body: &str) -> Crash {
    let text = format!(
        "class Test
         class Shop
         env org/junit/jupiter/api/Assertions
         env org/assertj/core/api/Assertions
         env org/assertj/core/api/ListAssert
         env org/opentest4j/AssertionFailedError
         env org/spockframework/runtime/ConditionNotSatisfiedError
         env org/spockframework/runtime/ValueRecorder
         throwable #9 {error} at org.junit.jupiter.api.Assertions.fail
         obj #1 Shop
         s> Test.main()V
         {body}
         <! #9
         uncaught #9"
    );
    let history = history(&text);
    assert_eq!(history.anomalies(), 0, "{text}");
    failure(&history, 9, None).expect("a failure")
}

const FAILED: &str = "org.opentest4j.AssertionFailedError";

fn demanded(body: &str) -> Option<Demand> {
    match crash(FAILED, body).oracle {
        Oracle::Value(wrong) => {
            assert_eq!(wrong.found, FoundBy::Asserted);
            wrong.demand
        }
        other => panic!("{other:?}"),
    }
}

fn int(value: i32) -> Term {
    Term::Literal(Value::Prim(Prim::Int(value)))
}

#[test]
fn equality_is_of_what_was_delivered() {
    let demand = demanded(
        "light Shop.total()I
           > Shop.total()I #1
           < 3
         calls org/junit/jupiter/api/Assertions.assertEquals(II)V 4 3",
    );
    let expected = Demand::Equal {
        actual: Term::Delivered,
        expected: int(4),
    };
    assert_eq!(demand, Some(expected));
}

#[test]
fn a_test_may_inherit_its_assertions() {
    let text = "class Pantry
         class PantryTest : junit/framework/TestCase
         env junit/framework/TestCase
         env junit/framework/AssertionFailedError
         throwable #9 junit.framework.AssertionFailedError at junit.framework.Assert.fail
         obj #1 Pantry
         s> PantryTest.main()V
         light Pantry.jars()I
           > Pantry.jars()I #1
           < 3
         calls PantryTest.assertEquals(II)V 4 3
         <! #9
         uncaught #9";
    let history = history(text);
    assert_eq!(history.anomalies(), 0, "{text}");
    let Oracle::Value(wrong) = failure(&history, 9, None).expect("a failure").oracle else {
        panic!("no value")
    };
    let expected = Demand::Equal {
        actual: Term::Delivered,
        expected: int(4),
    };
    assert_eq!(wrong.demand, Some(expected));
}

#[test]
fn what_groovy_calls_is_called_by_the_test() {
    let invoke = "dyn org/codehaus/groovy/vmplugin/v8/IndyInterface.invoke";
    let demand = demanded(&format!(
        "env org/codehaus/groovy/vmplugin/v8/IndyInterface
         {invoke}(LShop;)LShop; #1
           > Shop.open()LShop; #1
           < #1
         ret #1
         {invoke}(LShop;)I #1
           > Shop.total()I #1
           < 3
         ret 3
         calls org/junit/jupiter/api/Assertions.assertEquals(II)V 4 3"
    ));
    let expected = Demand::Equal {
        actual: Term::Delivered,
        expected: int(4),
    };
    assert_eq!(demand, Some(expected));
}

/// The test's own `Part #2` comes out of the program's optional, and is looked at in a lambda of the test, in the call `of`, which ends by the error.
fn looked_at_in_a_lambda(of: &str, taken: &str) -> Crash {
    crash(
        FAILED,
        &format!(
            "class Part
             env org/assertj/core/api/OptionalAssert
             obj #2 Part
             > Part.<init>()V
             this #2
             <
             obj #3 java/util/Optional
             light Shop.best()Ljava/util/Optional;
               > Shop.best()Ljava/util/Optional; #1
               < #3
             dyn org/assertj/core/api/Consumer.accept()Ljava/util/function/Consumer;
             obj #5 java/util/function/Consumer
             ret #5
             {taken}
             {of}
               s> Test.lambda$main$0(LPart;)V #2
                 light Part.number()I
                   > Part.number()I #2
                   < 3
                 calls org/junit/jupiter/api/Assertions.assertEquals(II)V 4 3
               <! #9"
        ),
    )
}

#[test]
fn what_a_chain_has_looked_at_is_what_it_holds() {
    let crash = looked_at_in_a_lambda(
        "call org/assertj/core/api/OptionalAssert.hasValueSatisfying(Ljava/util/function/Consumer;)V #4 #5",
        "calls org/assertj/core/api/Assertions.assertThat(Ljava/util/Optional;)Lorg/assertj/core/api/OptionalAssert; #3
         obj #4 org/assertj/core/api/OptionalAssert
         ret #4",
    );
    let Oracle::Value(wrong) = crash.oracle else {
        panic!("no value")
    };
    assert_eq!(wrong.value, Value::Object(3));
}

#[test]
fn what_the_program_hands_on_is_not_wrong_by_itself() {
    let crash = looked_at_in_a_lambda(
        "call java/util/Optional.ifPresent(Ljava/util/function/Consumer;)V #3 #5",
        "",
    );
    assert_eq!(crash.oracle, Oracle::Exception);
}

#[test]
fn what_runs_a_test_is_no_assertion_of_it() {
    let text = "class Pantry
         class PantryTest : junit/framework/TestCase
         class junit/framework/TestCase
         throwable #9 java.lang.AssertionError at PantryTest.assertJars
         obj #1 Pantry
         obj #2 PantryTest
         > junit/framework/TestCase.runBare()V #2
         light junit/framework/TestCase.runTest()V
           > junit/framework/TestCase.runTest()V #2
           light PantryTest.testJars()V
             > PantryTest.testJars()V #2
             light Pantry.jars()I
               > Pantry.jars()I #1
               < 3
             s> PantryTest.assertJars(II)V 4 3
             <! #9
             <! #9
           <! #9
         <! #9
         uncaught #9";
    let history = history(text);
    assert_eq!(history.anomalies(), 0, "{text}");
    let Oracle::Value(wrong) = failure(&history, 9, None).expect("a failure").oracle else {
        panic!("no value")
    };
    assert_eq!(wrong.found, FoundBy::Last);
}

#[test]
fn a_part_of_a_text_is_demanded_by_itself() {
    let demand = demanded(
        r#"light Shop.total()I
           > Shop.total()I #1
           < 6
         dyn java/lang/invoke/StringConcatFactory.makeConcatWithConstants(I)Ljava/lang/String; 6
         ret "total=6"
         calls org/junit/jupiter/api/Assertions.assertEquals(Ljava/lang/Object;Ljava/lang/Object;)V "total=3" "total=6""#,
    );
    let expected = Demand::Equal {
        actual: Term::Delivered,
        expected: int(3),
    };
    assert_eq!(demand, Some(expected));
}

#[test]
fn the_same_object_is_the_one_that_the_program_was_given() {
    let member = |demand: Option<Demand>| match demand {
        Some(Demand::Stated(Term::Call { args, .. })) => args,
        other => panic!("{other:?}"),
    };
    let args = member(demanded(
        "new java/lang/Object()V
         obj #7 java/lang/Object
         ret #7
         light Shop.put(Ljava/lang/Object;)V
           > Shop.put(Ljava/lang/Object;)V #1 #7
           <
         light Shop.first()Ljava/lang/Object;
           > Shop.first()Ljava/lang/Object; #1
           obj #8 java/lang/Object
           < #8
         calls org/junit/jupiter/api/Assertions.assertSame(Ljava/lang/Object;Ljava/lang/Object;)V #7 #8",
    ));
    let item = Term::Literal(Value::Object(7));
    assert_eq!(args, [item, Term::Delivered]);
}

#[test]
fn a_text_of_the_error_does_not_matter() {
    let crash = crash(
        FAILED,
        "light Shop.name()Ljava/lang/String;
           > Shop.name()Ljava/lang/String; #1
           < \"b\"
         calls org/junit/jupiter/api/Assertions.assertEquals(Ljava/lang/Object;Ljava/lang/Object;)V \"a\" \"b\"",
    );
    let Oracle::Value(wrong) = crash.oracle else {
        panic!("no value")
    };
    let a = Value::Str(JavaString::new("a"));
    assert_eq!(wrong.assertion.expected.as_deref(), Some("a"));
    assert_eq!(
        wrong.demand,
        Some(Demand::Equal {
            actual: Term::Delivered,
            expected: Term::Literal(a),
        })
    );
}

#[test]
fn a_chain_is_followed_back_to_what_took_the_value() {
    let demand = demanded(
        "light Shop.names()Ljava/util/List;
           > Shop.names()Ljava/util/List; #1
           obj #2 java/util/ArrayList
           < #2
         calls org/assertj/core/api/Assertions.assertThat(Ljava/util/List;)Lorg/assertj/core/api/ListAssert; #2
         obj #3 org/assertj/core/api/ListAssert
         ret #3
         call org/assertj/core/api/ListAssert.isNotEmpty()Lorg/assertj/core/api/ListAssert; #3
         ret #3
         call org/assertj/core/api/ListAssert.hasSize(I)Lorg/assertj/core/api/ListAssert; #3 2",
    );
    let Some(Demand::Stated(Term::Call {
        member,
        receiver,
        args,
    })) = demand
    else {
        panic!("{demand:?}")
    };
    assert_eq!((member.name.as_str(), args), ("hasSize", vec![int(2)]));
    // What passed on the way is left out.
    let Some(Term::Call { member, args, .. }) = receiver.as_deref() else {
        panic!("{receiver:?}")
    };
    assert_eq!(member.name, "assertThat");
    assert_eq!(args, &[Term::Delivered]);
}

#[test]
fn a_condition_without_an_answer_on_its_line_blames_nothing() {
    let crash = crash(
        FAILED,
        "light Shop.total()I
           > Shop.total()I #1
           < 3
         light Shop.limit()I
           > Shop.limit()I #1
           < 2
         calls org/junit/jupiter/api/Assertions.assertTrue(Z)V false",
    );
    assert_eq!(crash.oracle, Oracle::Exception);
}

/// `assertTrue("it is " + total, total > 4)`, where `total` is a variable.
#[test]
fn a_message_says_what_a_condition_of_variables_is_of() {
    let asserted = |then: &str| {
        format!(
            "light Shop.total()I
               > Shop.total()I #1
               < 3
             {then}
             dyn java/lang/invoke/StringConcatFactory.makeConcatWithConstants(I)Ljava/lang/String; 3
             ret \"it\"
             calls org/junit/jupiter/api/Assertions.assertTrue(ZLjava/lang/String;)V false \"it\""
        )
    };
    let differs = Demand::Differs {
        actual: Term::Delivered,
        from: Value::Prim(Prim::Int(3)),
    };
    assert_eq!(demanded(&asserted("")), Some(differs));
    // It may be of what was given since.
    let since = "light Shop.limit()I
           > Shop.limit()I #1
           < 2";
    assert_eq!(crash(FAILED, &asserted(since)).oracle, Oracle::Exception);
}

const UNSATISFIED: &str = "org.spockframework.runtime.ConditionNotSatisfiedError";

/// The failure of the condition `Shop.total() == expected` of Spock, as the compiler writes it; the total is 3.
fn condition_of_spock(expected: &str) -> Oracle {
    let record =
        "org/spockframework/runtime/ValueRecorder.record(ILjava/lang/Object;)Ljava/lang/Object;";
    let equal = "org/codehaus/groovy/runtime/ScriptBytecodeAdapter.compareEqual(Ljava/lang/Object;Ljava/lang/Object;)Z";
    let verify = "org/spockframework/runtime/SpockRuntime.verifyCondition(Ljava/lang/String;Ljava/lang/Object;)V";
    let body = format!(
        "obj #5 org/spockframework/runtime/ValueRecorder
         light Shop.total()I
           > Shop.total()I #1
           < 3
         call {record} #5 1 box:3
         ret box:3
         call {record} #5 2 {expected}
         ret {expected}
         calls {equal} box:3 {expected}
         ret false
         call {record} #5 3 false
         ret false
         calls {verify} \"condition\" false"
    );
    crash(UNSATISFIED, &body).oracle
}

#[test]
fn a_condition_of_spock_is_the_comparison_in_it() {
    let Oracle::Value(wrong) = condition_of_spock("box:4") else {
        panic!("no value")
    };
    let four = Value::Boxed(Prim::Int(4));
    let demand = Demand::Equal {
        actual: Term::Delivered,
        expected: Term::Literal(four),
    };
    assert_eq!(wrong.demand, Some(demand));
}

#[test]
fn what_only_groovy_compares_is_not_demanded_of_java() {
    let Oracle::Value(wrong) = condition_of_spock("\"4\"") else {
        panic!("no value")
    };
    assert_eq!(wrong.demand, None);
}

#[test]
fn a_condition_of_spock_that_is_a_call_blames_nothing() {
    let verify =
        "org/spockframework/runtime/SpockRuntime.verifyMethodCondition(Ljava/lang/Object;)V";
    let body = format!(
        "light Shop.total()I
           > Shop.total()I #1
           < 3
         calls {verify} box:3"
    );
    assert_eq!(crash(UNSATISFIED, &body).oracle, Oracle::Exception);
}

#[test]
fn a_method_that_spock_asks_is_what_has_to_hold() {
    let verify = "org/spockframework/runtime/SpockRuntime.verifyMethodCondition(Ljava/lang/Object;Ljava/lang/String;[Ljava/lang/Object;)V";
    let asked = |answer: &str| {
        let body = format!(
            "calls {verify} #1 \"opens\" null
               > Shop.opens()Z #1
               < {answer}"
        );
        match crash(UNSATISFIED, &body).oracle {
            Oracle::Value(wrong) => wrong.demand,
            _ => None,
        }
    };
    let demand = Demand::Holds {
        actual: Term::Delivered,
        wanted: true,
    };
    assert_eq!(asked("false"), Some(demand));
    assert_eq!(asked("true"), None);
}

/// What the test's own code, which ended by `error` with this message, could not go on with.
fn used(error: &str, body: &str) -> Option<Demand> {
    let text = format!(
        "class ATest : junit/framework/TestCase
         class Shop
         throwable #9 {error} at ATest.main
         obj #1 Shop
         s> ATest.main()V
         {body}
         <! #9
         uncaught #9"
    );
    let history = history(&text);
    assert_eq!(history.anomalies(), 0, "{text}");
    match failure(&history, 9, None).expect("a failure").oracle {
        Oracle::Value(wrong) => {
            assert_eq!(wrong.found, FoundBy::Used);
            wrong.demand
        }
        _ => None,
    }
}

const NAME: &str = "light Shop.name()Ljava/lang/String;
     > Shop.name()Ljava/lang/String; #1
     < null";

#[test]
fn a_call_on_null_demands_that_something_is_there() {
    let null = "java.lang.NullPointerException";
    let body = format!("{NAME}\ncall java/lang/String.length()I null");
    let demand = Demand::Null {
        actual: Term::Delivered,
        wanted: false,
    };
    assert_eq!(used(null, &body), Some(demand));
    // Of two that gave null, nothing tells which it was.
    let body = format!("{NAME}\n{NAME}\ncall java/lang/String.length()I null");
    assert_eq!(used(null, &body), None);
}

#[test]
fn an_exception_that_nothing_was_given_to_blames_nothing() {
    let body = "light Shop.total()I
           > Shop.total()I #1
           < 3";
    assert_eq!(used("java.lang.IllegalStateException", body), None);
}

#[test]
fn what_a_library_reads_for_the_program_is_not_delivered() {
    let demand = demanded(
        "env env/Mapper
         light Shop.left()I
           > Shop.left()I #1
           by env/Mapper get Shop.number:I #1 3
           < 3
         calls org/junit/jupiter/api/Assertions.assertEquals(II)V 2 3",
    );
    let expected = Demand::Equal {
        actual: Term::Delivered,
        expected: int(2),
    };
    assert_eq!(demand, Some(expected));
}
