//! Tests that expect what was right at one moment, or for one draw, alone: they stay red after the repair.

use jinsi_level::Operation;
use jinsi_oracle::{Demand, Oracle, Term};
use jinsi_trace::model::{MemberRef, Prim, Value};

use super::Request;

/// What a test asks the JVM for that is another thing in each run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    time: bool,
    draw: bool,
}

/// Constructors without parameters, and static methods, that look at the clock. An owner that ends with a slash is a package.
const CLOCK: [(&str, &str); 6] = [
    ("java/lang/System", "currentTimeMillis"),
    ("java/lang/System", "nanoTime"),
    ("java/util/Calendar", "getInstance"),
    ("java/util/Date", "<init>"),
    ("java/util/GregorianCalendar", "<init>"),
    ("java/time/", "now"),
];
/// Those that draw.
const DRAWS: [(&str, &str); 6] = [
    ("java/lang/Math", "random"),
    ("java/security/SecureRandom", "<init>"),
    ("java/util/Random", "<init>"),
    ("java/util/SplittableRandom", "<init>"),
    ("java/util/UUID", "randomUUID"),
    ("java/util/concurrent/ThreadLocalRandom", "current"),
];
/// The smallest number that is taken for a time, in seconds or less: that of 2001-09-09.
const TIME: f64 = 1e9;

impl Asked {
    /// Takes note of an access of the test's.
    pub(super) fn note(&mut self, op: Operation, member: &MemberRef) {
        let bare = op == Operation::CallStatic || member.desc.starts_with("()");
        let is_one = |(owner, name): &(&str, &str)| {
            let of_owner = match owner.ends_with('/') {
                true => member.owner.starts_with(owner),
                false => *member.owner == **owner,
            };
            of_owner && member.name == *name
        };
        if bare && matches!(op, Operation::CallStatic | Operation::Construct) {
            self.time |= CLOCK.iter().any(is_one);
            self.draw |= DRAWS.iter().any(is_one);
        }
    }

    /// Is what the test expects made of what it asked for, as far as that can be read from it?
    pub(super) fn decides(self, request: &Request<'_>) -> bool {
        let Oracle::Value(wrong) = request.oracle else {
            return false;
        };
        match &wrong.demand {
            Some(Demand::Equal { expected, .. } | Demand::Stated(expected)) => self.is_in(expected),
            _ => false,
        }
    }

    fn is_in(self, expected: &Term) -> bool {
        match expected {
            Term::Literal(value) => self.is_of(value),
            Term::Text { text, .. } => self.is_of_text(text),
            Term::Array { items, .. }
            | Term::Elements { items, .. }
            | Term::Entries { items, .. } => items.iter().any(|item| self.is_in(item)),
            Term::Call { receiver, args, .. } => {
                let receiver = receiver.iter().map(|term| &**term);
                receiver.chain(args).any(|term| self.is_in(term))
            }
            _ => false,
        }
    }

    fn is_of(self, value: &Value) -> bool {
        let number = match value {
            Value::Str(text) => return self.is_of_text(&text.to_string()),
            Value::Prim(prim) | Value::Boxed(prim) => match *prim {
                Prim::Int(v) => f64::from(v),
                Prim::Long(v) => v as f64,
                Prim::Float(v) => f64::from(v),
                Prim::Double(v) => v,
                _ => return false,
            },
            _ => return false,
        };
        self.draw || self.time && number.abs() >= TIME
    }

    fn is_of_text(self, text: &str) -> bool {
        self.draw && !text.is_empty() || self.time && reads_like_a_time(text)
    }
}

/// Has the text a year of this century, a time of the day, or a number as large as a time in it?
fn reads_like_a_time(text: &str) -> bool {
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    let is_year = |digits: &str| digits.len() == 4 && digits.starts_with("20");
    let mut numbers = numbers.filter(|digits| !digits.is_empty());
    let is_clock = text.as_bytes().windows(8).any(|window| {
        let digit = |at: usize| window[at].is_ascii_digit();
        window[2] == b':' && window[5] == b':' && [0, 1, 3, 4, 6, 7].into_iter().all(digit)
    });
    is_clock || numbers.any(|digits| is_year(digits) || digits.len() >= 10)
}

#[cfg(test)]
mod tests {
    use jinsi_trace::model::JavaString;

    use super::*;

    fn asked(op: Operation, owner: &str, name: &str, desc: &str) -> Asked {
        let mut asked = Asked::default();
        let member = MemberRef {
            owner: owner.into(),
            name: name.into(),
            desc: desc.into(),
        };
        asked.note(op, &member);
        asked
    }

    #[test]
    fn a_time_in_what_is_expected_is_known() {
        let date = asked(Operation::Construct, "java/util/Date", "<init>", "()V");
        let text = |text: &str| Term::Literal(Value::Str(JavaString::new(text)));
        assert!(date.is_in(&text("made on Mon Nov 30 17:16:25 UTC 2026")));
        assert!(date.is_in(&text("stamp-1796058985000")));
        assert!(!date.is_in(&text("3 eggs for 12:30")));
        assert!(!date.is_in(&Term::Literal(Value::Prim(Prim::Int(7)))));
        assert!(date.is_in(&Term::Literal(Value::Prim(Prim::Long(1_796_058_985_000)))));
        let of_parts = asked(Operation::Construct, "java/util/Date", "<init>", "(J)V");
        assert_eq!(of_parts, Asked::default());
        let zoned = "(Ljava/time/ZoneId;)Ljava/time/LocalDate;";
        let today = asked(Operation::CallStatic, "java/time/LocalDate", "now", zoned);
        assert!(today.is_in(&text("due 2026-12-01")));
        let contains = Term::Call {
            member: MemberRef {
                owner: "org/assertj/core/api/StringAssert".into(),
                name: "contains".into(),
                desc: "(Ljava/lang/String;)V".into(),
            },
            receiver: None,
            args: vec![text("2026-12-01")],
        };
        assert!(today.is_in(&contains));
    }

    #[test]
    fn what_is_drawn_decides_about_all_but_conditions() {
        let drawn = asked(Operation::Construct, "java/util/Random", "<init>", "()V");
        let literal = |value| Term::Literal(Value::Prim(value));
        assert!(drawn.is_in(&literal(Prim::Int(3))));
        assert!(!drawn.is_in(&literal(Prim::Boolean(true))));
        let seeded = asked(Operation::Construct, "java/util/Random", "<init>", "(J)V");
        assert_eq!(seeded, Asked::default());
    }
}
