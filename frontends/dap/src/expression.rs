//! What a person asks of a moment: variables, fields and elements, literals, and Java's operators between them. Nothing is called, and
//! nothing is written. Texts are compared by what they say.

mod operators;
mod parser;

use crate::error::DapError;
use jinsi_inspect::{Path, Seen};
use jinsi_trace::model::{Prim, Value};

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    /// A variable, field or element.
    Path(Path),
    /// A literal.
    Literal(Value),
    /// `!`, `-`.
    Unary(char, Box<Expression>),
    /// Two with an operator between.
    Binary(&'static str, Box<Expression>, Box<Expression>),
}

impl std::str::FromStr for Expression {
    type Err = DapError;

    fn from_str(text: &str) -> Result<Self, DapError> {
        parser::parse(text)
    }
}

impl Expression {
    /// The path, if it is nothing else.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Expression::Path(path) => Some(path),
            _ => None,
        }
    }

    /// Adds the paths in it that are not yet there.
    pub(crate) fn paths(&self, all: &mut Vec<Path>) {
        match self {
            Expression::Path(path) if !all.contains(path) => all.push(path.clone()),
            Expression::Path(_) | Expression::Literal(_) => {}
            Expression::Unary(_, operand) => operand.paths(all),
            Expression::Binary(_, one, other) => {
                one.paths(all);
                other.paths(all);
            }
        }
    }

    /// Its value, with that of each path. What hangs on something that is not known is not known.
    ///
    /// # Errors
    /// A path has no value; an operator does not go with its operands.
    pub(crate) fn value(
        &self,
        of: &mut dyn FnMut(&Path) -> Result<Seen, DapError>,
    ) -> Result<Seen, DapError> {
        match self {
            Expression::Path(path) => of(path),
            Expression::Literal(value) => Ok(Seen::Known(value.clone())),
            Expression::Unary(operator, operand) => match operand.value(of)? {
                Seen::Known(value) => operators::unary(*operator, &value).map(Seen::Known),
                other => Ok(other),
            },
            Expression::Binary(operator @ ("&&" | "||"), one, other) => {
                either(*operator == "||", &one.value(of)?, || other.value(of))
            }
            Expression::Binary(operator, one, other) => match (one.value(of)?, other.value(of)?) {
                (Seen::Known(one), Seen::Known(other)) => {
                    operators::binary(operator, &one, &other).map(Seen::Known)
                }
                // An object that has no name yet is no other one, and not null.
                (Seen::Fresh { .. }, Seen::Known(_)) | (Seen::Known(_), Seen::Fresh { .. })
                    if matches!(*operator, "==" | "!=") =>
                {
                    Ok(boolean(*operator == "!="))
                }
                (Seen::Known(_), unknown) | (unknown, _) => Ok(unknown),
            },
        }
    }
}

/// `||` if `decisive`, else `&&`. The second operand may decide what the first, which is not known, cannot.
fn either(
    decisive: bool,
    one: &Seen,
    other: impl FnOnce() -> Result<Seen, DapError>,
) -> Result<Seen, DapError> {
    let truth = |seen: &Seen| match seen {
        Seen::Known(Value::Prim(Prim::Boolean(truth))) => Ok(Some(*truth)),
        Seen::Known(Value::Prim(Prim::Int(number @ 0..=1))) => Ok(Some(*number == 1)),
        Seen::Known(_) | Seen::Fresh { .. } => Err(DapError::TruthValues),
        Seen::Unknown(_) => Ok(None),
    };
    let first = truth(one)?;
    if first == Some(decisive) {
        return Ok(boolean(decisive));
    }
    let other = other()?;
    let second = truth(&other)?;
    Ok(match (first, second) {
        (_, Some(second)) if second == decisive => boolean(decisive),
        (None, _) => one.clone(),
        (_, None) => other,
        _ => boolean(!decisive),
    })
}

fn boolean(truth: bool) -> Seen {
    Seen::Known(Value::Prim(Prim::Boolean(truth)))
}

#[cfg(test)]
mod tests {
    use jinsi_inspect::{BadPath, Why};
    use jinsi_trace::model::JavaString;

    use super::*;

    fn value(text: &str) -> Result<Seen, DapError> {
        let expression: Expression = text.parse()?;
        expression.value(&mut |path| match path.to_string().as_str() {
            "i" => Ok(Seen::Known(Value::Prim(Prim::Int(7)))),
            "this.size" => Ok(Seen::Known(Value::Prim(Prim::Long(3)))),
            "flag" => Ok(Seen::Known(Value::Prim(Prim::Boolean(true)))),
            "name" => Ok(Seen::Known(Value::Str(JavaString::new("bob")))),
            "next" => Ok(Seen::Known(Value::Null)),
            "a[i].b" => Ok(Seen::Known(Value::Object(42))),
            "lost" => Ok(Seen::Unknown(Why::Lost)),
            other => Err(BadPath(other.to_owned()).into()),
        })
    }

    fn is(text: &str, expected: Value) {
        assert_eq!(value(text).unwrap(), Seen::Known(expected), "{text}");
    }

    #[test]
    fn operators_are_javas() {
        let int = |n| Value::Prim(Prim::Int(n));
        let truth = |b| Value::Prim(Prim::Boolean(b));
        is("i + 2 * 3", int(13));
        is("(i + 2) * 3", int(27));
        is("-i % 4", int(-3));
        is("i - 1 - 1", int(5));
        is("i / 2", int(3));
        is("i + this.size", Value::Prim(Prim::Long(10)));
        is("i / 2.0", Value::Prim(Prim::Double(3.5)));
        is("2147483647 + 1", int(i32::MIN));
        is("-2147483648", int(i32::MIN));
        is("i > 3 && name == \"bob\"", truth(true));
        is("i <= 3 || next != null", truth(false));
        is("!flag", truth(false));
        is("next == null", truth(true));
        is("a[i].b != null", truth(true));
        is("'a' + 1", int(98));
        is("'a' == 97", truth(true));
        is("1L == 1", truth(true));
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        let unknown = Seen::Unknown(Why::Lost);
        assert_eq!(value("lost + 1").unwrap(), unknown);
        assert_eq!(value("lost == null").unwrap(), unknown);
        assert_eq!(value("lost && flag").unwrap(), unknown);
        assert_eq!(value("flag && lost").unwrap(), unknown);
        is("flag || lost", Value::Prim(Prim::Boolean(true)));
        is("lost && !flag", Value::Prim(Prim::Boolean(false)));
    }

    #[test]
    fn what_makes_no_sense_is_said() {
        for text in [
            "",
            "i +",
            "(i",
            "i)",
            "i = 3",
            "f(i)",
            "1 / 0",
            "name * 2",
            "!i",
            "i && flag",
            "\"open",
            "99999999999",
            "1 2",
            "nothing",
            "i ++ 1",
            "flag < flag",
        ] {
            assert!(value(text).is_err(), "{text}: {:?}", value(text));
        }
        let deep = "(".repeat(100_000);
        assert!(deep.parse::<Expression>().is_err());
        assert!("!".repeat(100_000).parse::<Expression>().is_err());
    }
}
