//! Where a failure began: of an exception and its causes the innermost one that came out of recorded code.

use jinsi_history::failures::NoCrash;
use jinsi_history::{History, Tables};
use jinsi_level::program::is_the_programs;
use jinsi_oracle::failure::Crash;
use jinsi_oracle::{FoundBy, Oracle};
use jinsi_trace::model::{ClassOrigin, MarkNo, ObjectId, ThrowableDef};
use jinsi_trace::reader::Trace;

/// A test by its number, and the internal name of its class.
pub(super) type TestMark = (MarkNo, String);

/// Causes may form a circle in a damaged trace.
const CAUSES: usize = 16;

/// A throwable and its causes.
pub(super) fn causes(trace: &Trace, throwable: ObjectId) -> Vec<ObjectId> {
    chain(|id| trace.throwable(id), throwable)
}

fn chain<'a>(
    known: impl Fn(ObjectId) -> Option<&'a ThrowableDef>,
    throwable: ObjectId,
) -> Vec<ObjectId> {
    let cause = |&id: &ObjectId| Some(known(id)?.cause).filter(|&cause| cause != 0);
    std::iter::successors(Some(throwable), cause)
        .take(CAUSES)
        .collect()
}

/// The failure by this exception: its root cause, if that came out of recorded code. `test` is the test that it ended, if it ended one.
///
/// # Errors
/// Nothing of it was recorded.
pub(super) fn crash_by(
    history: &History,
    throwable: ObjectId,
    test: Option<&TestMark>,
) -> Result<Crash, NoCrash> {
    let outer = jinsi_oracle::failure(history, throwable, test.cloned());
    if let Ok(outer) = &outer
        && is_asked_for(outer)
    {
        return Ok(outer.clone());
    }
    // Coroutines throw copies of an error, with that as the cause.
    if outer.is_err()
        && let Some(copied) = causes_in(history, throwable).get(1)
        && let Ok(crash) = jinsi_oracle::failure(history, *copied, test.cloned())
        && is_asked_for(&crash)
    {
        return Ok(crash);
    }
    // An assertion may say of which exception it complains: the causes are those of that one then.
    let from = outer.as_ref().map_or(throwable, |outer| outer.throwable);
    match (root_cause(history, from, test), outer) {
        (Some(root), Ok(outer)) => Ok(root.wrapped_in(history, &outer)),
        (Some(root), Err(_)) => Ok(root),
        (None, outer) => outer,
    }
}

/// A throwable of a recorded run and its causes.
fn causes_in(history: &History, throwable: ObjectId) -> Vec<ObjectId> {
    chain(|id| history.tables().throwable(id), throwable)
}

/// Does the test ask for something that no cause tells of: a value, or another exception at this very place?
fn is_asked_for(crash: &Crash) -> bool {
    let asserted =
        matches!(&crash.oracle, Oracle::Value(wrong) if wrong.found == FoundBy::Asserted);
    asserted || crash.wanted.is_some()
}

/// Of the causes of an exception the innermost one that came out of a recorded method: there the program failed, and the others only pass
/// it on. `None` if there is no such cause.
fn root_cause(history: &History, throwable: ObjectId, test: Option<&TestMark>) -> Option<Crash> {
    let tables = history.tables();
    if tables.at_boundary() {
        return None;
    }
    let inner = by_recorded(tables, throwable, test);
    inner
        .into_iter()
        .find_map(|id| jinsi_oracle::failure(history, id, test.cloned()).ok())
}

/// The causes of an exception that recorded methods threw, innermost first.
///
/// What the code of the failed test made is no such cause: with it a test only acts as if something outside had failed.
pub(super) fn by_recorded(
    tables: &Tables,
    throwable: ObjectId,
    test: Option<&TestMark>,
) -> Vec<ObjectId> {
    let is_recorded = |class: &str| {
        let class = tables.class_by_name(&class.replace('.', "/"));
        class.is_some_and(|c| {
            let of_test = test.is_some_and(|(_, test)| is_of_test(tables, &c.name, test));
            c.origin == ClassOrigin::Observed && !of_test
        })
    };
    let thrown_by_recorded = |id: &ObjectId| {
        let frames = tables.throwable(*id).map(|def| &def.frames);
        let own = frames.and_then(|all| all.iter().find(|f| is_the_programs(&f.class)));
        own.is_some_and(|frame| is_recorded(&frame.class))
    };
    let all = chain(|id| tables.throwable(id), throwable);
    let inner = all[1..].iter().rev();
    inner.copied().filter(thrown_by_recorded).collect()
}

/// Is `class` that of the test, one around it or inside it, or one that it inherits from? Both are internal names.
pub(super) fn is_of_test(tables: &Tables, class: &str, test: &str) -> bool {
    let own = file_of(class);
    tables.superclasses(test).any(|name| file_of(name) == own)
}

/// The outermost class around this one, which names the file.
fn file_of(class: &str) -> &str {
    class.split('$').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use jinsi_history::script::history;

    use super::*;

    /// A library calls the program for a test, and wraps what that throws, or what the test's own code throws.
    const WRAPPED: &str = "
        class z/ZooTest
        class z/ZooTest$Fake
        class z/Zoo
        class z/Hungry
        env lib/Pipe
        throwable #9 java.lang.IllegalStateException at lib.Pipe.push cause #8
        throwable #8 z.Hungry at CREATOR.feed
        obj #1 z/ZooTest
        obj #2 z/Zoo
        > z/ZooTest.feeds()V #1
          call lib/Pipe.push()V
            > z/Zoo.feed()V #2
            <! #8
        <! #9
        uncaught #9";

    #[test]
    fn a_copy_of_an_error_asks_for_what_the_error_asks_for() {
        let crash = crash(
            "class z/ZooTest
             class z/Zoo
             env org/junit/jupiter/api/Assertions
             env org/opentest4j/AssertionFailedError
             throwable #9 org.opentest4j.AssertionFailedError at z.ZooTest.feeds cause #8
             throwable #8 org.opentest4j.AssertionFailedError at org.junit.jupiter.api.AssertThrows.assertThrows cause #7
             throwable #7 java.lang.IllegalStateException at z.Zoo.feed
             obj #2 z/Zoo
             s> z/ZooTest.main()V
             calls org/junit/jupiter/api/Assertions.assertThrows(Ljava/lang/Class;Lorg/junit/jupiter/api/function/Executable;)Ljava/lang/Throwable; class:java/lang/IllegalArgumentException null
               s> z/ZooTest.lambda$main$0()V
                 light z/Zoo.feed()V
                   > z/Zoo.feed()V #2
                   <! #7
               <! #7
             <! #8
             uncaught #8",
            true,
        );
        let wanted = crash.wanted.expect("an exception that was expected");
        assert_eq!(wanted.exception.class, "java/lang/IllegalArgumentException");
    }

    fn crash(script: &str, test: bool) -> Crash {
        let history = history(script);
        let test = test.then(|| (0, "z/ZooTest".to_owned()));
        crash_by(&history, 9, test.as_ref()).unwrap()
    }

    #[test]
    fn what_a_library_wrapped_is_the_failure() {
        let crash = crash(&WRAPPED.replace("CREATOR", "z.Zoo"), true);
        assert_eq!(crash.throwable, 8);
        let levels: Vec<&str> = crash.levels.iter().map(|l| l.class.as_str()).collect();
        // The levels of the wrapper stand behind those of its cause.
        assert_eq!(levels, ["z/Zoo", "z/ZooTest"]);
    }

    #[test]
    fn what_a_test_made_is_not() {
        for creator in ["z.ZooTest", "z.ZooTest$Fake"] {
            let script = WRAPPED.replace("CREATOR", creator);
            assert_eq!(crash(&script, true).throwable, 9, "{creator}");
            // Of a program that is no test it is code like all other.
            assert_eq!(crash(&script, false).throwable, 8, "{creator}");
        }
    }

    #[test]
    fn an_assertion_with_a_cause_leads_to_it() {
        let script = WRAPPED.replace("CREATOR", "z.Zoo").replace(
            "java.lang.IllegalStateException",
            "java.lang.AssertionError",
        );
        assert_eq!(crash(&script, true).throwable, 8);
    }
}
