//! Failed assertions: what they say of the values compared.

use std::collections::BTreeSet;

use jinsi_level::frameworks::{is_assertion, is_framework};
use jinsi_level::program::is_the_jdks;
use jinsi_trace::model::ThrowableDef;

/// What a failed assertion says, as its framework shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assertion {
    /// The value that should have been.
    pub expected: Option<String>,
    /// The value that was.
    pub actual: Option<String>,
    /// It asserts a condition, of which it says no more than that it does not hold.
    pub condition: bool,
    /// Both are elements of containers, at this index.
    pub index: Option<usize>,
}

/// What the exception says, if it is that of an assertion of a test: thrown by a framework, or by one of the classes `callers` (internal
/// names) that drove the rest.
pub fn of(def: &ThrowableDef, callers: &BTreeSet<String>) -> Option<Assertion> {
    // AssertJ makes its errors by reflection, and takes its own frames off their stack.
    let frames = def.frames.iter().skip_while(|f| is_the_jdks(&f.class));
    let thrower = &frames.clone().next()?.class;
    let by_framework = is_framework(thrower);
    let by_caller = callers.contains(&thrower.replace('.', "/"));
    if !is_assertion(&def.class) || !by_framework && !by_caller {
        return None;
    }
    Some(says(
        def.text.as_deref().unwrap_or_default(),
        frames.map(|f| (f.class.as_str(), f.method.as_str())),
    ))
}

/// What an assertion with this message says that was made by these methods (binary name of the class, method), innermost first.
pub fn says<'f>(text: &str, frames: impl Iterator<Item = (&'f str, &'f str)>) -> Assertion {
    let by_framework = frames.take_while(|(class, _)| is_framework(class));
    let method = by_framework.last().map_or("", |(_, method)| method);
    let (expected, actual) = match values(text) {
        Some((expected, actual)) => (Some(expected), Some(actual)),
        None => by_method(method, text),
    };
    Assertion {
        expected,
        actual,
        condition: ["assertTrue", "assertFalse"].contains(&method),
        index: index(text),
    }
}

/// Does an assertion with this message, made by these methods, find that a value is `actual`? Line ends are as reports leave them.
pub fn is_about<'f>(
    text: &str,
    frames: impl Iterator<Item = (&'f str, &'f str)>,
    actual: &str,
) -> bool {
    let plain = |text: &str| text.replace('\r', "");
    let actual = plain(actual);
    let Assertion {
        actual: said,
        index,
        ..
    } = says(&plain(text), frames);
    let is_element = |said: &String| {
        let element = index.and_then(|index| elements(&actual)?.nth(index));
        element.is_some_and(|element| fits(said, element))
    };
    plain(text).contains(&actual)
        || said.is_some_and(|said| fits(&said, &actual) || is_element(&said))
        || is_about_length(text, &actual)
}

/// The elements of an array or a list that reads so, as far as none of them has a comma of its own.
fn elements(text: &str) -> Option<impl Iterator<Item = &str>> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    Some(inner.split(", ").filter(|element| !element.is_empty()))
}

/// Is it about the number of elements of an array that reads so? `array lengths differ, expected: <3> but was: <2>`.
fn is_about_length(text: &str, actual: &str) -> bool {
    let about = text.contains("rray length")
        || text.contains("rrays have not the same size")
        || text.contains("rrays don't have the same size");
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    let count = elements(actual).map(Iterator::count);
    about && count.is_some_and(|count| numbers.any(|n| n == count.to_string()))
}

/// Can `shown` stand for the text `full`? JUnit 4 shows of long strings only the surroundings of what differs, `...with[in] bra...`.
fn fits(shown: &str, full: &str) -> bool {
    let parts = || {
        let (before, rest) = shown.split_once('[')?;
        let (differs, after) = rest.rsplit_once(']')?;
        Some((before, differs, after))
    };
    let compact = parts().is_some_and(|(before, differs, after)| {
        let start = before.strip_prefix("...");
        let end = after.strip_suffix("...");
        let text = [start.unwrap_or(before), differs, end.unwrap_or(after)].concat();
        match (start.is_some(), end.is_some()) {
            (false, false) => full == text,
            (false, true) => full.starts_with(&text),
            (true, false) => full.ends_with(&text),
            (true, true) => full.contains(&text),
        }
    });
    shown == full || compact
}

/// Assertions that need not show the values.
fn by_method(method: &str, text: &str) -> (Option<String>, Option<String>) {
    let some = |text: &str| Some(text.to_owned());
    match method {
        "assertTrue" => (some("true"), some("false")),
        "assertFalse" => (some("false"), some("true")),
        "assertNotNull" => (None, some("null")),
        "assertNull" => {
            let was = text
                .split_once("but was:<")
                .and_then(|(_, was)| was.strip_suffix('>'));
            (some("null"), was.map(str::to_owned))
        }
        _ => (None, None),
    }
}

/// Expected and actual value out of a message of JUnit, TestNG, AssertJ or Hamcrest.
fn values(text: &str) -> Option<(String, String)> {
    bracketed(text).or_else(|| on_lines(text))
}

/// `expected:<a> but was:<b>`, `expected: <a> but was: <b>`, `expected [a] but found [b]`; a class name may stand before a bracket.
fn bracketed(text: &str) -> Option<(String, String)> {
    for (between, open, close) in [(" but was:", '<', '>'), (" but found ", '[', ']')] {
        let starts = text
            .match_indices("expected")
            .map(|(at, word)| at + word.len());
        for start in starts {
            let Some(expected) = behind(&text[start..], open) else {
                continue;
            };
            let separator = format!("{close}{between}");
            let Some((expected, rest)) = expected.split_once(&separator) else {
                continue;
            };
            let actual = behind(rest, open).and_then(|a| a.trim_end().strip_suffix(close));
            if let Some(actual) = actual {
                return Some((expected.to_owned(), actual.to_owned()));
            }
        }
    }
    None
}

/// What follows the bracket, if only a colon, blanks and a class name precede it.
fn behind(text: &str, open: char) -> Option<&str> {
    let (before, rest) = text.split_once(open)?;
    let is_name = |c: char| c.is_alphanumeric() || ".$_".contains(c);
    let name = before.trim_start_matches(':').trim();
    name.chars().all(is_name).then_some(rest)
}

/// Two lines: of AssertJ (`expected: "a"`, ` but was: "b"`), of Hamcrest (`Expected: is "a"`, `     but: was "b"`).
fn on_lines(text: &str) -> Option<(String, String)> {
    let after = |keys: [&str; 2]| {
        text.lines()
            .find_map(|l| keys.iter().find_map(|k| l.trim_start().strip_prefix(k)))
    };
    let expected = after(["expected: ", "Expected: "])?;
    let actual = after(["but was: ", "but: was "])?;
    let expected = expected.strip_prefix("is ").unwrap_or(expected);
    Some((unquoted(expected), unquoted(actual)))
}

fn unquoted(text: &str) -> String {
    let pairs = [('"', '"'), ('<', '>')];
    let inner = pairs
        .iter()
        .find_map(|&(open, close)| text.strip_prefix(open)?.strip_suffix(close));
    inner.unwrap_or(text).to_owned()
}

/// `arrays first differed at element [3]; …`, `array contents differ at index [3], …`.
fn index(text: &str) -> Option<usize> {
    let (_, rest) = text
        .split_once("differed at element [")
        .or_else(|| text.split_once("differ firstly at element ["))
        .or_else(|| text.split_once("contents differ at index ["))?;
    let (number, _) = rest.split_once(']')?;
    number.parse().ok()
}

#[cfg(test)]
mod tests {
    use jinsi_trace::model::Frame;

    use super::*;

    fn said(text: &str) -> Option<(String, String)> {
        values(text)
    }

    fn pair(expected: &str, actual: &str) -> Option<(String, String)> {
        Some((expected.into(), actual.into()))
    }

    #[test]
    fn messages_of_the_frameworks_are_understood() {
        assert_eq!(said("expected:<1> but was:<2>"), pair("1", "2"));
        assert_eq!(
            said("as expected: no; expected:<1> but was:<2>"),
            pair("1", "2")
        );
        assert_eq!(said("x ==> expected: <a> but was: <b>"), pair("a", "b"));
        assert_eq!(
            said("expected: java.lang.Integer<1> but was: java.lang.Long<1>"),
            pair("1", "1")
        );
        assert_eq!(said("sizes expected [3] but found [4]"), pair("3", "4"));
        assert_eq!(said("expected: <a>b> but was: <c>d>"), pair("a>b", "c>d"));
        assert_eq!(said("\nexpected: \"a\"\n but was: \"b\""), pair("a", "b"));
        assert_eq!(
            said("\nExpected: is \"a\"\n     but: was \"b\""),
            pair("a", "b")
        );
        assert_eq!(said("\nExpected: <1>\n     but: was <2>"), pair("1", "2"));
        assert_eq!(said("expected something else"), None);
        assert_eq!(said(""), None);
    }

    #[test]
    fn who_threw_is_behind_the_reflection_by_which_an_error_was_made() {
        let frames = [
            "java.lang.reflect.Constructor",
            "jdk.internal.reflect.DirectConstructorHandleAccessor",
            "a.BTest",
            "a.Runner",
        ];
        let frame = |class: &&str| Frame {
            class: (*class).to_owned(),
            method: "adds".to_owned(),
            file: None,
            line: 1,
        };
        let def = ThrowableDef {
            id: 1,
            class: "org.opentest4j.AssertionFailedError".to_owned(),
            message: None,
            text: Some("\nexpected: 1\n but was: 2".to_owned()),
            cause: 0,
            frames: frames.iter().map(frame).collect(),
        };
        let by = |class: &str| of(&def, &BTreeSet::from([class.to_owned()]));
        let says = by("a/BTest").unwrap();
        assert_eq!((says.expected, says.actual), pair("1", "2").unzip());
        assert_eq!(by("a/Runner"), None);
    }

    #[test]
    fn elements_have_an_index() {
        let text = "arrays first differed at element [3]; expected:<1> but was:<2>";
        assert_eq!((index(text), said(text)), (Some(3), pair("1", "2")));
        let text = "array contents differ at index [0], expected: <1> but was: <2>";
        assert_eq!(index(text), Some(0));
        assert_eq!(index("expected:<[1]> but was:<[2]>"), None);
    }

    #[test]
    fn an_assertion_about_an_element_is_one_about_its_array() {
        let about = |text: &str, actual: &str| is_about(text, std::iter::empty(), actual);
        let text = "array contents differ at index [1], expected: <6> but was: <12>";
        assert!(about(text, "[1, 12]") && !about(text, "[12, 1]") && !about(text, "[12]"));
        let text = "arrays first differed at element [0]; expected:<[a]> but was:<[b]>";
        assert!(about(text, "[b]") && !about(text, "[c, b]"));
        let text = "array lengths differ, expected: <3> but was: <2>";
        assert!(about(text, "[a, b]") && !about(text, "[a]") && about(text, "[a, b, c]"));
    }

    #[test]
    fn compact_texts_fit_what_they_stand_for() {
        assert!(fits("a[b]c", "abc") && fits("[]", "") && fits("[1, 2]", "[1, 2]"));
        assert!(fits("...x[y]z...", "axyzb") && fits("...x[y]", "axy"));
        assert!(!fits("a[b]c", "abd") && !fits("...x[y]", "xyz") && !fits("x", "y"));
    }

    fn thrown(class: &str, frames: &[(&str, &str)]) -> ThrowableDef {
        let frame = |(class, method): &(&str, &str)| Frame {
            class: (*class).into(),
            method: (*method).into(),
            file: None,
            line: 1,
        };
        ThrowableDef {
            id: 1,
            class: class.into(),
            message: None,
            text: None,
            cause: 0,
            frames: frames.iter().map(frame).collect(),
        }
    }

    #[test]
    fn only_assertions_of_tests_count() {
        let test = BTreeSet::from(["a/ATest".to_owned()]);
        let junit = [
            ("org.junit.Assert", "fail"),
            ("org.junit.Assert", "assertTrue"),
            ("a.ATest", "t"),
        ];
        let is_true = of(&thrown("java.lang.AssertionError", &junit), &test).unwrap();
        assert_eq!(is_true.actual.as_deref(), Some("false"));
        assert_eq!(is_true.expected.as_deref(), Some("true"));
        let by_test = [("a.ATest", "t")];
        assert!(of(&thrown("java.lang.AssertionError", &by_test), &test).is_some());
        let by_library = [("a.A", "f"), ("a.ATest", "t")];
        assert!(of(&thrown("java.lang.AssertionError", &by_library), &test).is_none());
        assert!(of(&thrown("java.lang.IllegalStateException", &junit), &test).is_none());
        assert!(of(&thrown("java.lang.AssertionError", &[]), &test).is_none());
    }
}
