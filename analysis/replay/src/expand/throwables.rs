//! Stack traces of exceptions that a replay made.

use jinsi_trace::model::{Frame, ThrowableDef};

use super::is_bridge;

/// What is between the worker and the code that it calls.
const REFLECTION: [&str; 4] = [
    "java.lang.reflect.",
    "jdk.internal.reflect.",
    "java.lang.invoke.",
    "sun.reflect.",
];

/// The throwable without the frames of replay: its bridges, the worker, and how the worker calls. In its texts the loader of the
/// replay is that of programs.
pub(super) fn cleaned(throwable: &ThrowableDef) -> ThrowableDef {
    ThrowableDef {
        frames: of_program(&throwable.frames),
        message: throwable.message.as_deref().map(with_program_loader),
        text: throwable.text.as_deref().map(with_program_loader),
        ..throwable.clone()
    }
}

/// As the JVM says that classes do not fit: `class A cannot be cast to class B (A and B are in unnamed module of loader 'app')`; of other
/// loaders it gives class and identity hash code.
fn with_program_loader(text: &str) -> String {
    with_hash_codes_of(text, "loader jinsi.replay.ReplayLoader @", "loader 'app'")
}

/// The text with `by` in place of each `what` and the hash code behind it.
fn with_hash_codes_of(text: &str, what: &str, by: &str) -> String {
    let mut parts = text.split(what);
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        replaced.push_str(by);
        replaced.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    replaced
}

/// Is it the same exception?
pub(super) fn are_alike(replayed: &ThrowableDef, recorded: &ThrowableDef) -> bool {
    let [own, other] = [replayed, recorded].map(|t| t.message.as_deref());
    replayed.class == recorded.class && say_the_same(own, other)
}

/// Are the messages alike but for the loaders of classes, for identity hash codes, and for bridges? A replay has one loader for all of the program's
/// classes, and other hash codes. Where the JVM says what gave a null, it says so of the bridge that was called.
pub(super) fn say_the_same(replayed: Option<&str>, recorded: Option<&str>) -> bool {
    let own = |text: Option<&str>| text.map(|t| with_hash_codes_of(without_loaders(t), "@", "@"));
    let names_bridge = |text: &str| {
        let names = text.split(|c: char| !(c.is_alphanumeric() || c == '$'));
        names.into_iter().any(is_bridge)
    };
    let of_null = replayed.is_some_and(names_bridge);
    let compared = |text| match of_null {
        true => own(text).map(without_reason),
        false => own(text),
    };
    compared(replayed) == compared(recorded)
}

/// What the JVM says without what gave the null: `Cannot invoke "Integer.intValue()" because …`.
fn without_reason(text: String) -> String {
    match text.split_once(" because ") {
        Some((what, _)) => what.to_owned(),
        None => text,
    }
}

/// What the JVM says without the end that says of which loaders the classes are.
fn without_loaders(text: &str) -> &str {
    match text.rsplit_once(" (") {
        Some((what, of)) if of.contains(" module of loader ") && of.ends_with(')') => what,
        _ => text,
    }
}

fn of_program(frames: &[Frame]) -> Vec<Frame> {
    let mut kept: Vec<Frame> = Vec::new();
    for frame in frames.iter().filter(|f| !is_bridge(&f.method)) {
        if !frame.class.starts_with("jinsi.replay.") {
            kept.push(frame.clone());
            continue;
        }
        let reflective = |f: &Frame| REFLECTION.iter().any(|p| f.class.starts_with(p));
        while kept.last().is_some_and(reflective) {
            kept.pop();
        }
    }
    // The worker's thread begins in the JDK.
    while frames.len() > kept.len() && kept.last().is_some_and(|f| f.class == "java.lang.Thread") {
        kept.pop();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(of: &[(&str, &str)]) -> Vec<Frame> {
        let frame = |&(class, method): &(&str, &str)| Frame {
            class: class.into(),
            method: method.into(),
            file: None,
            line: 1,
        };
        of.iter().map(frame).collect()
    }

    #[test]
    fn what_gave_a_null_may_be_a_bridge() {
        let of = |gave: &str| {
            format!(
                "Cannot invoke \"java.lang.Integer.intValue()\" because the return value of \"{gave}\" is null"
            )
        };
        let same = |a: &str, b: &str| say_the_same(Some(a), Some(b));
        let (bridge, own) = (
            of("a.B.jinsi$11(java.util.Map, Object)"),
            of("java.util.Map.get(Object)"),
        );
        assert!(same(&bridge, &own) && same(&own, &own));
        assert!(!same(&of("java.util.Map.remove(Object)"), &own));
        assert!(!same(&bridge, &own.replace("intValue", "longValue")));
    }

    #[test]
    fn only_the_program_is_left() {
        let recorded = frames(&[
            ("app.Inner", "f"),
            ("app.Inner", "jinsi$7"),
            ("app.Inner", "g"),
            ("java.lang.reflect.Method", "invoke"),
            ("jinsi.replay.Invoker", "invoke"),
            ("jinsi.replay.Engine", "callBack"),
            ("app.Outer", "h"),
            ("jdk.internal.reflect.DirectMethodHandleAccessor", "invoke"),
            ("jinsi.replay.Driver", "run"),
            ("java.lang.Thread", "run"),
        ]);
        let left = frames(&[("app.Inner", "f"), ("app.Inner", "g"), ("app.Outer", "h")]);
        assert_eq!(of_program(&recorded), left);
    }

    #[test]
    fn the_loader_is_the_programs() {
        let said = "class A cannot be cast to class B (A is in unnamed module of loader jinsi.replay.ReplayLoader @1b2f; B is in module java.base of loader 'bootstrap')";
        let meant = "class A cannot be cast to class B (A is in unnamed module of loader 'app'; B is in module java.base of loader 'bootstrap')";
        assert_eq!(with_program_loader(said), meant);
        assert_eq!(with_program_loader("a loader"), "a loader");
    }

    #[test]
    fn loaders_make_no_other_failure() {
        let what = "class A cannot be cast to class B";
        let replayed = format!(
            "{what} (A and B are in unnamed module of loader jinsi.replay.ReplayLoader @1b2f)"
        );
        for recorded in [
            "(A and B are in unnamed module of loader 'app')",
            "(A is in unnamed module of loader 'app'; B is in unnamed module of loader plugins.Own @77)",
        ] {
            let recorded = format!("{what} {recorded}");
            assert!(say_the_same(Some(&replayed), Some(&recorded)), "{recorded}");
        }
        assert!(!say_the_same(Some("no (a)"), Some("no (b)")));
        let hashed = |code: &str| format!("expected: a.B@{code}<a.B@4> but was: null");
        assert!(say_the_same(Some(&hashed("1f2e")), Some(&hashed("77"))));
        assert!(!say_the_same(Some("a.B@1f"), Some("a.C@1f")));
        assert!(!say_the_same(Some(what), None) && say_the_same(None, None));
    }

    #[test]
    fn a_program_of_threads_and_reflection_stays_as_it_is() {
        let recorded = frames(&[
            ("app.Inner", "f"),
            ("java.lang.reflect.Method", "invoke"),
            ("app.Main", "main"),
            ("java.lang.Thread", "run"),
        ]);
        assert_eq!(of_program(&recorded), recorded);
    }
}
