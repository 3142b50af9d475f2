//! Exceptions that a test demands by functions which Kotlin's compiler puts into the code of the test: all that is left of the demand is the call that makes
//! the error of what it says.

use jinsi_trace::model::{JavaString, Value};

use super::declared;
use super::thrown::{Exceptional, Stretch};
use crate::delivery::Seen;
use crate::term::{Demand, Term, WantedException};
use jinsi_level::{NodeNo, Outcome};

/// What makes the errors of Kotest.
const MAKER: &str = "io/kotest/assertions/FailuresKt";

/// What the text of such an error says was expected.
#[derive(Debug, PartialEq)]
enum Said<'t> {
    /// An exception of this class (binary name).
    Class(&'t str),
    /// Any.
    Any,
    /// One with this message.
    Message(&'t str),
}

fn said(text: &str) -> Option<Said<'_>> {
    if let Some(rest) = text.strip_prefix("Expected exception ") {
        return rest
            .split_once(" but ")
            .map(|(class, _)| Said::Class(class));
    }
    let rest = text.strip_prefix("Expected a throwable")?;
    if let Some(rest) = rest.strip_prefix(" with message \"") {
        // The message itself may have quotes.
        return rest
            .split_once("\" but ")
            .map(|(message, _)| Said::Message(message));
    }
    rest.starts_with(", but ").then_some(Said::Any)
}

fn wanted(said: &Said) -> WantedException {
    let any = || WantedException::of("java/lang/Throwable".to_owned());
    match said {
        Said::Class(class) => WantedException::of(class.replace('.', "/")),
        Said::Any => any(),
        Said::Message(text) => WantedException {
            further: vec![Demand::Equal {
                actual: super::thrown::message(),
                expected: Term::Literal(Value::Str(JavaString::new(text))),
            }],
            ..any()
        },
    }
}

impl Seen<'_> {
    /// What became of the exception that a function demands which is part of the test's code.
    pub(crate) fn inlined(&self) -> Option<Exceptional> {
        let history = self.history;
        let error = Outcome::Return(Some(Value::Object(self.throwable)));
        let makes = |&n: &NodeNo| {
            history.member(n).is_some_and(|m| m.owner == MAKER) && history.outcome(n) == error
        };
        let made = history.numbers().rev().find(makes)?;
        let Value::Str(text) = history.args(made).first()? else {
            return None;
        };
        let text = text.to_string();
        let wanted = wanted(&said(&text)?);
        match history.tables().throwable(self.throwable)?.cause {
            0 => self.missing(self.tried_before(made)?.into_iter(), wanted),
            thrown => Some(self.thrown(thrown, wanted, made)),
        }
    }

    /// What was handed to the test in the last `try` before the call `made` in the same method.
    fn tried_before(&self, made: NodeNo) -> Option<Vec<NodeNo>> {
        let site = self.history.call_site(made)?;
        let file = self.class_file(self.history.tables().class_name(site.class))?;
        let stretch = Stretch {
            from: self.from,
            to: self.history.node(made).begin,
            runs_code: true,
        };
        let here: Vec<(NodeNo, u16)> = self
            .handed_within(&stretch)
            .filter_map(|n| Some((n, self.history.call_site(n)?)))
            .filter(|(_, from)| {
                from.class == site.class && from.method == site.method && from.desc == site.desc
            })
            .map(|(n, from)| (n, from.bci))
            .collect();
        let (_, last) = here.last()?;
        let (range, _) = declared::caught_at(&file, (&site.method, &site.desc), *last)?;
        let tried = here.into_iter().filter(|(_, bci)| range.contains(bci));
        Some(tried.map(|(n, _)| n).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_what_was_expected() {
        for (text, expected) in [
            (
                "Expected exception a.Refused but no exception was thrown.",
                Some(Said::Class("a.Refused")),
            ),
            (
                "Expected exception a.Refused but a IllegalStateException was thrown instead.",
                Some(Said::Class("a.Refused")),
            ),
            (
                "Expected a throwable, but nothing was thrown.",
                Some(Said::Any),
            ),
            (
                "Expected a throwable with message \"is \"full\"\" but got a throwable with message \"full\"",
                Some(Said::Message("is \"full\"")),
            ),
            ("No exception expected, but a Refused was thrown.", None),
            ("expected:<3> but was:<4>", None),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }
}
