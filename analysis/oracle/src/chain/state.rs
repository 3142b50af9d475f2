//! States of objects as the replay worker tells them, what differs between two, and the predicates that say so (Burger
//! 2011, Section 6.2.2). Graphs are compared by access path from the root; no common subgraph is searched for.

use std::collections::BTreeMap;
use std::fmt;

use super::literal;

/// What can be reached from an object: by access path, what is there ([`jinsi_level::verdict::TestResult::watched`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    values: BTreeMap<String, String>,
}

impl State {
    /// Reads the worker's text.
    pub fn parse(text: &str) -> Self {
        let values = text
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .map(|(path, value)| (path.to_owned(), value.to_owned()))
            .collect();
        Self { values }
    }

    /// Reads a text with the states of several objects, one behind the other: each begins with the object itself, at the empty path.
    pub fn parse_all(text: &str) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for (path, value) in text.lines().filter_map(|line| line.split_once('\t')) {
            if path.is_empty() {
                all.push(Self::default());
            }
            if let Some(last) = all.last_mut() {
                last.values.insert(path.to_owned(), value.to_owned());
            }
        }
        all
    }

    /// What is at the path.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.values.get(path).map(String::as_str)
    }

    /// Leaves out what is reached by way of objects of the `classes` (binary names): they are looked at by themselves.
    #[must_use]
    pub fn without(mut self, classes: &[String]) -> Self {
        let others: Vec<String> = self
            .values
            .iter()
            .filter(|(path, value)| !path.is_empty() && classes.contains(value))
            .map(|(path, _)| path.clone())
            .collect();
        self.values
            .retain(|path, _| !others.iter().any(|other| path.starts_with(other.as_str())));
        self
    }
}

/// What must hold of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// It is this.
    Is(String),
    /// It is a text with this in it.
    Contains(String),
}

/// A predicate on the state of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// Access path from the object.
    pub path: String,
    /// What must be there.
    pub test: Test,
}

impl Predicate {
    /// Does it hold of the state?
    pub fn holds(&self, state: &State) -> bool {
        state.get(&self.path).is_some_and(|value| match &self.test {
            Test::Is(wanted) => value == wanted,
            Test::Contains(part) => literal::text(value).is_some_and(|text| text.contains(part)),
        })
    }

    /// Does it tell a value, and not only of which class something is, or how many elements it has?
    pub fn tells_a_value(&self) -> bool {
        match &self.test {
            Test::Is(value) => literal::value_of(value).is_some(),
            Test::Contains(_) => true,
        }
    }

    /// Does it tell how often a container was changed, as those of the JDK's count it? That is no state that anything is wrong with.
    pub fn counts_changes(&self) -> bool {
        self.path.ends_with(".modCount")
    }

    /// The field in which it is, if it is in one of the object itself, or in a container that is.
    pub fn field(&self) -> Option<FieldPlace> {
        let (field, inner) = self.path.split_at(step_end(&self.path));
        let name = field.strip_prefix('.')?;
        let of_class = name.strip_prefix(STATIC);
        let place = |inner| FieldPlace {
            name: of_class.unwrap_or(name).to_owned(),
            of_class: of_class.is_some(),
            inner,
        };
        if inner.is_empty() {
            return Some(place(None));
        }
        let one = step_end(inner) == inner.len();
        let key = inner
            .strip_prefix("{\"")
            .and_then(|k| k.strip_suffix("\"}"));
        let index = inner.strip_prefix('[').and_then(|i| i.strip_suffix(']'));
        let inner = match (key, index) {
            (Some(key), _) => Inner::Entry(literal::unescaped(key)),
            (_, Some(index)) => Inner::Element(index.parse().ok()?),
            _ => return None,
        };
        one.then(|| place(Some(inner)))
    }
}

/// What a static field's name begins with in a path.
const STATIC: &str = "static ";

/// A field, or a place in the container that it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPlace {
    /// Its name.
    pub name: String,
    /// It is a static one.
    pub of_class: bool,
    /// The place in it.
    pub inner: Option<Inner>,
}

/// A place in a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inner {
    /// What a map has for this text.
    Entry(String),
    /// The element of a list or array with this index.
    Element(usize),
}

/// `field content contains "#38;"`, `entry "amp" of field entities is "&#38;"`.
impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match steps(&self.path)
            .iter()
            .rev()
            .collect::<Vec<_>>()
            .as_slice()
        {
            [] => f.write_str("it")?,
            [first, rest @ ..] => {
                f.write_str(first)?;
                rest.iter().try_for_each(|step| write!(f, " of {step}"))?;
            }
        }
        match &self.test {
            Test::Is(value) => write!(f, " is {value}"),
            Test::Contains(part) => write!(f, " contains \"{}\"", literal::escaped(part)),
        }
    }
}

/// The steps of an access path in words, from the root.
fn steps(path: &str) -> Vec<String> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let end = step_end(rest);
        let (step, after) = rest.split_at(end);
        steps.push(if let Some(name) = step.strip_prefix('.') {
            match name.strip_prefix(STATIC) {
                Some(name) => format!("static field {name}"),
                None => format!("field {name}"),
            }
        } else if let Some(index) = step.strip_prefix('[') {
            format!("element {}", index.trim_end_matches(']'))
        } else {
            format!(
                "entry {}",
                step.trim_start_matches('{').trim_end_matches('}')
            )
        });
        rest = after;
    }
    steps
}

/// Where the first step of a path ends. Keys in braces are literals, in which anything may stand.
fn step_end(path: &str) -> usize {
    let mut quoted = false;
    let mut escape = false;
    for (at, c) in path.char_indices().skip(1) {
        if escape {
            escape = false;
        } else if quoted {
            match c {
                '\\' => escape = true,
                '"' => quoted = false,
                _ => {}
            }
        } else if c == '"' {
            quoted = true;
        } else if path.starts_with('{') && c == '}' {
            return at + 1;
        } else if !path.starts_with('{') && ".[{".contains(c) {
            return at;
        }
    }
    path.len()
}

/// Characters of a value that a predicate shows, steps of its path, and characters of that: more, nobody reads.
const SHOWN: usize = 60;
const STEPS: usize = 6;
const PATH: usize = 120;

/// The predicates that hold of the failing state and not of the passing one, by the length of their path. If `parts` are given, texts that were
/// wrong further on, only those of texts that have one of them: what is wrong was handed on, and much else depends on how far the run went.
/// What cannot be said in a line that a person reads is left out.
pub fn predicates(failing: &State, passing: &State, parts: &[String]) -> Vec<Predicate> {
    let mut found: Vec<(usize, Predicate)> = Vec::new();
    for (path, value) in &failing.values {
        let other = passing.get(path);
        let length = steps(path).len();
        let unreadable = length > STEPS || path.chars().count() > PATH;
        // Where two paths meet says nothing by itself.
        if other == Some(value) || value.starts_with('@') || unreadable {
            continue;
        }
        let text = literal::text(value);
        let part = parts
            .iter()
            .find(|part| text.as_ref().is_some_and(|text| text.contains(*part)));
        if part.is_none() && !parts.is_empty() {
            continue;
        }
        let contains = |part: &str| Test::Contains(part.chars().take(SHOWN).collect());
        let short = value.chars().count() <= SHOWN;
        let tests = [
            part.map(|part| contains(part)),
            short.then(|| Test::Is(value.clone())),
            literal::difference(value, other).map(|part| contains(&part)),
        ];
        let candidates = tests.into_iter().flatten().map(|test| Predicate {
            path: path.clone(),
            test,
        });
        let mut telling = candidates.filter(|p| p.holds(failing) && !p.holds(passing));
        found.extend(telling.next().map(|predicate| (length, predicate)));
    }
    found.sort_by(|a, b| (a.0, &a.1.path).cmp(&(b.0, &b.1.path)));
    found.into_iter().map(|(.., predicate)| predicate).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn state(text: &str) -> State {
        State::parse(text)
    }

    #[test]
    fn the_text_that_was_wrong_is_found_in_a_field() {
        let failing = state("\tn.XMLElement\n.name\t\"FOO\"\n.content\t\"<#38;>\"\n.line\t15\n");
        let passing = state("\tn.XMLElement\n.name\t\"FOO\"\n.content\tnull\n.line\t0\n");
        let found = predicates(&failing, &passing, &["#38;".into()]);
        let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["field content contains \"#38;\""]);
        let any = predicates(&failing, &passing, &[]);
        let texts: Vec<String> = any.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["field content is \"<#38;>\"", "field line is 15"]);
    }

    #[test]
    fn a_part_that_is_in_both_does_not_tell_them_apart() {
        let failing =
            state("\tR\n.entities{\"amp\"}\t\"&#38;#38;\"\n.entities\tjava.util.Properties of 5\n");
        let passing =
            state("\tR\n.entities{\"amp\"}\t\"&#38;\"\n.entities\tjava.util.Properties of 5\n");
        let found = predicates(&failing, &passing, &["#38;".into()]);
        let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["entry \"amp\" of field entities is \"&#38;#38;\""]);
    }

    #[test]
    fn objects_of_their_own_are_left_out() {
        let whole = state("\tB\n.root\tn.E\n.root.content\t\"x\"\n.depth\t3\n");
        let rest = whole.without(&["n.E".to_owned()]);
        assert_eq!(
            (rest.get(".root.content"), rest.get(".depth")),
            (None, Some("3"))
        );
    }

    #[test]
    fn several_states_are_distinguished() {
        let all = State::parse_all("\tE\n.a\t1\n\tE\n.a\t2\n");
        let values: Vec<Option<&str>> = all.iter().map(|s| s.get(".a")).collect();
        assert_eq!(values, [Some("1"), Some("2")]);
    }

    #[test]
    fn fields_and_entries_can_be_named() {
        let named = |path: &str| {
            let test = Test::Is("1".into());
            let path = path.into();
            Predicate { path, test }.field()
        };
        let place = |of_class, inner| FieldPlace {
            name: "a".into(),
            of_class,
            inner,
        };
        assert_eq!(named(".a"), Some(place(false, None)));
        assert_eq!(named(".static a"), Some(place(true, None)));
        let entry = Inner::Entry("k\"}".into());
        assert_eq!(named(".a{\"k\\\"}\"}"), Some(place(false, Some(entry))));
        let element = Some(Inner::Element(3));
        assert_eq!(named(".static a[3]"), Some(place(true, element)));
        for other in ["", ".a.b", ".a{\"k\"}.b", ".a[0].b", "[0]", ".a{1}"] {
            assert_eq!(named(other), None, "{other}");
        }
    }

    #[test]
    fn long_texts_are_distinguished_by_what_differs() {
        let long = |middle: &str| {
            let text = format!("\tE\n.a\t\"{0}{middle}{0}\"\n", "x".repeat(100));
            state(&text)
        };
        let found = predicates(&long("<1>"), &long("<2>"), &[]);
        let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["field a contains \"1\""]);
    }

    #[test]
    fn paths_are_read_in_words() {
        assert_eq!(steps(".a[3].b"), ["field a", "element 3", "field b"]);
        assert_eq!(steps(".static a.b"), ["static field a", "field b"]);
        assert_eq!(steps("{\"x.y}\\\"\"}.z"), ["entry \"x.y}\\\"\"", "field z"]);
        assert!(steps("").is_empty());
    }

    fn any_state() -> impl Strategy<Value = State> {
        let path = "(\\.[ab]|\\[[01]\\]|\\{\"[kl.]\"\\}){0,8}";
        let value = prop_oneof![
            "(null|[0-9]|@|n\\.E)".prop_map(|plain| plain),
            "[xy#\\\\\n\u{7}]{0,3}".prop_map(|text| format!("\"{}\"", literal::escaped(&text))),
            "x{40}[xy#]{0,3}x{40}".prop_map(|text| format!("\"{text}\"")),
        ];
        proptest::collection::btree_map(path, value, 0..12).prop_map(|values| State { values })
    }

    proptest! {
        /// A predicate is true of the failing run and false of the passing one, always; and it is a line that a person reads.
        #[test]
        fn predicates_tell_failing_from_passing(failing in any_state(), passing in any_state(), part in "[xy#]{0,2}") {
            let parts: Vec<String> = Some(part).into_iter().filter(|p| !p.is_empty()).collect();
            for predicate in predicates(&failing, &passing, &parts) {
                prop_assert!(predicate.holds(&failing));
                prop_assert!(!predicate.holds(&passing));
                let text = predicate.to_string();
                prop_assert!(!text.is_empty() && text.chars().count() < 200, "{}", text);
                prop_assert!(!text.contains(char::is_control), "{}", text);
            }
        }

        /// Different states have a predicate, unless they differ only in what is missing, in where paths meet, or far from the object; or in a
        /// long text of which the other has all.
        #[test]
        fn a_difference_is_found(failing in any_state(), passing in any_state()) {
            let short = |p: &str, v: &str| steps(p).len() <= STEPS && v.len() <= SHOWN;
            let differs = failing.values.iter().any(|(p, v)| !v.starts_with('@') && short(p, v) && passing.get(p) != Some(v));
            prop_assert!(!differs || !predicates(&failing, &passing, &[]).is_empty());
        }
    }
}
