//! What a test looked at of its own: a stream that the code under test wrote to, or an exception that it threw. Nothing returned these to
//! the test, so the call that looks is what delivers.

use std::collections::{BTreeSet, HashSet};

use jinsi_trace::model::{ObjectId, Value};

use jinsi_history::{History, NodeKind, NodeNo, Outcome};

/// Recorded steps that are gone back over to find who filled an object.
const STEPS: usize = 200_000;

/// The test's call under which the code under test last touched what the call `look` asks: had to do with it, or with what wraps it, or threw
/// it. `callers` are the classes of the test.
pub(crate) fn touched_under(
    history: &History,
    look: NodeNo,
    callers: &BTreeSet<String>,
) -> Option<NodeNo> {
    let Value::Object(id) = *history.receiver(look) else {
        return None;
    };
    let touched = match history.tables().throwable(id) {
        Some(_) => thrower(history, id, look, callers),
        None => last_touch(history, id, look, callers),
    }?;
    outermost_around(history, touched, callers)
}

/// The test's call under which the object was last touched before `look`, by the code under test or by what that called back: a function of
/// the test's that gathers what it is given. To be handed to a call is to be touched by it.
pub(crate) fn filled_under(
    history: &History,
    object: &Value,
    look: NodeNo,
    callers: &BTreeSet<String>,
) -> Option<NodeNo> {
    let before = history.numbers().rev().skip_while(|&n| n >= look);
    let touches = |n: &NodeNo| {
        let mut with = history.args(*n).iter().chain([history.receiver(*n)]);
        with.any(|value| value == object)
    };
    before
        .take(STEPS)
        .filter(touches)
        .find_map(|n| outermost_around(history, n, callers))
}

/// Is it done by the test, and not in a function of the test's that code under test calls?
fn is_by_test(history: &History, n: NodeNo, callers: &BTreeSet<String>) -> bool {
    let class = history.source_class(n);
    let of_test = class.is_empty() || callers.contains(class);
    of_test && outermost_around(history, n, callers).is_none()
}

/// The outermost activation of code under test around `n` (which it may be), up to the next of the test's that is not called back.
fn outermost_around(history: &History, n: NodeNo, callers: &BTreeSet<String>) -> Option<NodeNo> {
    let is_of_test = |&n: &NodeNo| callers.contains(history.entity_class(n));
    let mut under = std::iter::successors(Some(n), |&n| history.parent(n))
        .filter(|&n| history.node(n).kind == NodeKind::Activation)
        .skip_while(is_of_test)
        .take_while(|n| !is_of_test(n));
    let first = under.next()?;
    Some(under.last().unwrap_or(first))
}

/// The first activation of the code under test that the exception ended.
fn thrower(
    history: &History,
    id: ObjectId,
    look: NodeNo,
    callers: &BTreeSet<String>,
) -> Option<NodeNo> {
    let before = history.numbers().filter(|&n| n < look);
    let mut ended = before.filter(|&n| {
        history.node(n).kind == NodeKind::Activation
            && history.threw(n, id)
            && !callers.contains(history.entity_class(n))
    });
    ended.next()
}

/// The last call that the code under test made with the object, or with one that the test has made of it: a writer on a stream.
fn last_touch(
    history: &History,
    id: ObjectId,
    look: NodeNo,
    callers: &BTreeSet<String>,
) -> Option<NodeNo> {
    let mut last = None;
    let mut seen = HashSet::from([id]);
    let mut work = vec![id];
    while let Some(id) = work.pop() {
        let mentions = history.object(id).map_or(&[][..], |o| o.mentions());
        for &n in mentions.iter().filter(|&&n| n < look) {
            match history.outcome(n) {
                _ if !is_by_test(history, n, callers) => last = last.max(Some(n)),
                Outcome::Return(Some(Value::Object(made)))
                    if history.args(n).contains(&Value::Object(id)) && seen.insert(made) =>
                {
                    work.push(made);
                }
                _ => {}
            }
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_history::script::history;

    fn under(script: &str) -> Option<String> {
        let h = history(script);
        assert_eq!(h.anomalies(), 0);
        let callers = BTreeSet::from(["Main".to_owned()]);
        let look = h.numbers().last().expect("the look");
        let n = touched_under(&h, look, &callers)?;
        h.member(n).map(|m| m.name.to_string())
    }

    #[test]
    fn what_code_under_test_threw_was_thrown_by_the_call_of_the_test() {
        let thrown = r#"
            class Main
            class P
            throwable #9 java/lang/Error at P.inner
            s> Main.main()V
              s> P.outer()V
                s> P.inner()V
                <! #9
              <! #9
              call java/lang/Error.getMessage()Ljava/lang/String; #9
              ret "text"
            <"#;
        assert_eq!(under(thrown).as_deref(), Some("outer"));
    }

    #[test]
    fn a_stream_was_touched_by_whoever_writes_to_what_wraps_it() {
        let script = |by: &str| {
            format!(
                r#"
            class Main
            class P
            s> Main.main()V
              new java/io/StringWriter()V
              obj #1 java/io/StringWriter
              ret #1
              new java/io/PrintWriter(Ljava/io/Writer;)V #1
              obj #2 java/io/PrintWriter
              ret #2
              {by}
              call java/io/StringWriter.toString()Ljava/lang/String; #1
              ret "text"
            <"#
            )
        };
        let write = "call java/io/PrintWriter.print(I)V #2 5\nret";
        let by_code = format!("s> P.write(Ljava/io/PrintWriter;)V #2\n{write}\n<");
        assert_eq!(under(&script(&by_code)).as_deref(), Some("write"));
        // The test itself.
        assert_eq!(under(&script(write)), None);
    }
}
