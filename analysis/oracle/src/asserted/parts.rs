//! A text that the test made itself of what it was given, and compared as a whole: which part of it is wrong.

use jinsi_trace::model::{CallOp, Content, Value};

use super::Asserted;
use super::dialect::Check;
use super::operands::Origin;
use crate::assertion::Assertion;
use crate::delivery::Seen;
use crate::term::{Demand, Term};
use crate::text;
use crate::wrong::Expected;
use jinsi_history::NodeKind;
use jinsi_level::NodeNo;

impl Seen<'_> {
    /// The text in doubt, `actual`, that `call` compares: its first part that is another one in the expected text, if what the test was given stands there
    /// as it is. `None` if that is not known. `origin`: where the test had the text from.
    pub(super) fn part_of_text(
        &self,
        call: NodeNo,
        check: &Check,
        origin: &Origin,
        actual: &Value,
    ) -> Option<Asserted> {
        let Check::Equal { expected, .. } = *check else {
            return None;
        };
        let (Value::Str(text), Value::Str(expected)) =
            (actual, self.history.args(call).get(expected)?)
        else {
            return None;
        };
        let made = match *origin {
            Origin::Given(made) => made,
            Origin::Unknown => {
                let begin = self.history.node(call).begin;
                self.returned(begin).find(|(_, value)| value == actual)?.0
            }
            _ => return None,
        };
        let at = self.history.node(made).begin;
        let values = self.made_of(made)?;
        let texts: Option<Vec<String>> = values
            .iter()
            .map(|v| text::of(self.history, v, at))
            .collect();
        let texts = texts?;
        let wanted = aligned(&text.to_string(), &expected.to_string(), &texts)?;
        let (index, wanted) = (0..)
            .zip(wanted)
            .find(|(index, wanted)| texts[*index] != *wanted)?;
        let value = &values[index];
        let (node, term) = self.given_in(made, value)?;
        let says = Assertion {
            expected: Some(wanted),
            ..Assertion::default()
        };
        let Expected::Value(expected) = text::expected(value, &says) else {
            return None;
        };
        Some(Asserted {
            node,
            demand: term.map(|actual| Demand::Equal {
                actual,
                expected: Term::Literal(expected.clone()),
            }),
            compared: (value.clone(), at),
            expected: Some(expected),
        })
    }

    /// What a concatenation or `String.format` makes a text of; `None` if the call does something else.
    fn made_of(&self, made: NodeNo) -> Option<Vec<Value>> {
        let site = self.history.site(made)?;
        let args = self.history.args(made);
        match (site.target.owner.as_str(), site.target.name.as_str()) {
            (_, name) if site.op == CallOp::Dynamic && name.starts_with("makeConcat") => {
                Some(args.to_vec())
            }
            ("java/lang/String", "format" | "formatted") => {
                let Some(Value::Object(array)) = args.last() else {
                    return None;
                };
                match self
                    .history
                    .array_at(*array, self.history.node(made).begin)?
                {
                    Content::Array(values) => Some(values),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What delivered the value that the activation of `made` put into a text, and the expression that the test made of it.
    fn given_in(&self, made: NodeNo, value: &Value) -> Option<(NodeNo, Option<Term>)> {
        let parent = self.history.parent(made);
        let is_box = |n: NodeNo| {
            let site = self
                .history
                .site(n)
                .filter(|_| self.history.node(n).kind == NodeKind::Call);
            site.is_some_and(|site| site.target.name == "valueOf")
        };
        self.returned(self.history.node(made).begin)
            .take_while(|(n, _)| parent.is_none_or(|p| *n > p))
            .filter(|(n, v)| {
                self.history.parent(*n) == parent && unboxed(v) == unboxed(value) && !is_box(*n)
            })
            .find_map(|(n, _)| self.subject_of(n))
    }
}

/// A box for what it holds.
fn unboxed(value: &Value) -> Value {
    match value {
        Value::Boxed(prim) => Value::Prim(*prim),
        other => other.clone(),
    }
}

/// What stands in the text `expected` in place of the `parts` of the text `actual`, which has them in this order, if there is one way to read both.
fn aligned(actual: &str, expected: &str, parts: &[String]) -> Option<Vec<String>> {
    let mut between = Vec::new();
    let mut rest = actual;
    for part in parts {
        // A part that stands there twice could be either.
        let (before, behind) = rest.split_once(part.as_str())?;
        let last = between.len() + 1 == parts.len();
        if part.is_empty() || last && behind.contains(part.as_str()) {
            return None;
        }
        between.push(before);
        rest = behind;
    }
    let (first, further) = between.split_first()?;
    let mut left = expected.strip_prefix(first)?.strip_suffix(rest)?;
    let mut wanted = Vec::new();
    for separator in further {
        if separator.is_empty() {
            return None;
        }
        let (part, behind) = left.split_once(separator)?;
        wanted.push(part.to_owned());
        left = behind;
    }
    wanted.push(left.to_owned());
    let single = wanted
        .iter()
        .zip(further)
        .all(|(part, separator)| !part.contains(separator));
    let no_more = further.iter().all(|separator| !left.contains(separator));
    (single && no_more).then_some(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(actual: &str, expected: &str, parts: &[&str]) -> Option<Vec<String>> {
        let parts: Vec<String> = parts.iter().map(|&part| part.to_owned()).collect();
        aligned(actual, expected, &parts)
    }

    #[test]
    fn a_text_of_parts_says_what_each_should_be() {
        let wanted = |all: &[&str]| Some(all.iter().map(|&one| one.to_owned()).collect());
        assert_eq!(parts("RE1: 6 min", "RE1: 3 min", &["6"]), wanted(&["3"]));
        assert_eq!(
            parts("2/1593", "3/1620", &["2", "1593"]),
            wanted(&["3", "1620"])
        );
        assert_eq!(parts("a=", "a=", &[]), None);
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_not_read() {
        // Nothing between them.
        assert_eq!(parts("21", "34", &["2", "1"]), None);
        // Twice there.
        assert_eq!(parts("6 of 6", "3 of 6", &["6"]), None);
        assert_eq!(parts("1/2", "1/2/3", &["1", "2"]), None);
        // Written in another way.
        assert_eq!(parts("06", "03", &["6.0"]), None);
        assert_eq!(parts("x 6", "y 3", &["6"]), None);
    }
}
