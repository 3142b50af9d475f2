//! The end of a test whose failure is no exception: an assertion about a value, or that a call ends. See [`super::behind`] for what a test
//! looks at behind its calls.

use jinsi_trace::model::{JavaString, Prim, Value};

use super::claim::{Claim, Kind};
use super::writer::{Expr, Writer};
use super::{Form, Framework, Inexpressible, literal};
use jinsi_oracle::{Demand, Expected, FoundBy, WrongValue};

/// Part of the difference between two numbers with a point that does not count.
const TOLERANCE: f64 = 1e-3;

impl Writer<'_> {
    /// Asserts that `call` gives what was expected, or, if that is not known, that it does not give the wrong value.
    pub(super) fn assert_not(
        &mut self,
        call: Expr,
        wrong: &WrongValue,
    ) -> Result<(), Inexpressible> {
        match &wrong.demand {
            Some(Demand::Throws(exception)) => return self.assert_thrown(&call, exception),
            Some(demand) if self.demands => return self.demand(call, wrong, demand),
            _ => {}
        }
        if wrong.found == FoundBy::Used {
            let why = "what the test did with the value cannot be written";
            return Err(Inexpressible(why.into()));
        }
        let call = match call.inferred {
            // Its type would be that of a parameter, of which there are many.
            true => Expr::new(format!("(Object) {}", call.text), "Ljava/lang/Object;"),
            false => call,
        };
        let (actual, value) = match &wrong.element {
            Some(element) if is_array_of_values(&call.ty) => {
                (self.wrong_element(call, wrong), element)
            }
            Some(_) => return self.differs_from_text(call, wrong),
            None => (call, &wrong.value),
        };
        match &wrong.expected {
            Expected::Value(expected) => self.equals(expected, value, actual),
            Expected::Text(text) => {
                let expected = literal::string(&JavaString::new(text));
                let actual = &as_text(&actual);
                let expected = &expected;
                self.claim(&Claim::Equal { expected, actual });
                Ok(())
            }
            Expected::Unknown => self.differs(value, actual, wrong),
        }
    }

    /// Asserts that `call` ends.
    pub(super) fn assert_end(&mut self, call: Expr) -> Result<(), Inexpressible> {
        if self.form == Form::Replay && self.framework != Framework::Junit5 {
            return Err(Inexpressible(
                "jinsi's runner for JUnit 4 does not look at the time".into(),
            ));
        }
        self.claim_end(call);
        Ok(())
    }

    fn wrong_element(&self, call: Expr, wrong: &WrongValue) -> Expr {
        let index = wrong.assertion.index.unwrap_or_default();
        Expr::new(format!("{}[{index}]", call.text), &call.ty[1..])
    }

    pub(super) fn equals(
        &mut self,
        expected: &Value,
        value: &Value,
        actual: Expr,
    ) -> Result<(), Inexpressible> {
        // JUnit 4 would compare numbers.
        let as_text = self.framework == Framework::Junit4 && !self.assertj;
        let wanted = match (expected, actual.ty.as_str()) {
            (Value::Null, _) => {
                let (actual, wanted) = (&actual, true);
                self.claim(&Claim::Null { actual, wanted });
                return Ok(());
            }
            (Value::Prim(Prim::Boolean(wanted)), "Z") => {
                let (condition, wanted) = (actual.text.as_str(), *wanted);
                self.claim(&Claim::Holds { condition, wanted });
                return Ok(());
            }
            (Value::Prim(wanted @ (Prim::Float(_) | Prim::Double(_))), "F" | "D") => {
                self.claim(&Claim::Near {
                    expected: &literal::primitive(*wanted),
                    actual: &actual,
                    tolerance: &literal::primitive(tolerance(*wanted, value)),
                });
                return Ok(());
            }
            (Value::Prim(Prim::Char(unit)), "C") if as_text => {
                let expected = &literal::string(&JavaString([*unit].into()));
                let actual = &self::as_text(&actual);
                self.claim(&Claim::Equal { expected, actual });
                return Ok(());
            }
            (Value::Prim(wanted), "B" | "C" | "S" | "I" | "J") => literal::primitive(*wanted),
            (Value::Prim(wanted) | Value::Boxed(wanted), _) => boxed(*wanted),
            _ => self.value(expected, &actual.ty)?.text,
        };
        self.claim(&Claim::Equal {
            expected: &wanted,
            actual: &actual,
        });
        Ok(())
    }

    /// That it is something else than the recorded value.
    pub(super) fn differs(
        &mut self,
        value: &Value,
        actual: Expr,
        wrong: &WrongValue,
    ) -> Result<(), Inexpressible> {
        let actual = &actual;
        let (from, kind) = match value {
            Value::Null => {
                self.claim(&Claim::Null {
                    actual,
                    wanted: false,
                });
                return Ok(());
            }
            Value::Object(_) => return self.differs_from_text(actual.clone(), wrong),
            Value::Prim(Prim::Boolean(recorded)) if actual.ty == "Z" => {
                let (condition, wanted) = (actual.text.as_str(), !recorded);
                self.claim(&Claim::Holds { condition, wanted });
                return Ok(());
            }
            Value::Prim(recorded) if "BSIJ".contains(&actual.ty) => {
                (literal::primitive(*recorded), Kind::Primitive)
            }
            Value::Prim(recorded) | Value::Boxed(recorded) => (boxed(*recorded), Kind::Boxed),
            _ => (self.value(value, &actual.ty)?.text, Kind::Object),
        };
        let from = &from;
        self.claim(&Claim::Different { from, actual, kind });
        Ok(())
    }

    fn differs_from_text(&mut self, actual: Expr, wrong: &WrongValue) -> Result<(), Inexpressible> {
        let recorded = wrong
            .text
            .as_deref()
            .ok_or_else(|| Inexpressible("the wrong value has no text to compare".into()))?;
        let recorded = literal::string(&JavaString::new(recorded));
        let actual = match actual.ty.starts_with('[') {
            true => Expr::new(
                format!(
                    "{}.toString({})",
                    self.imports.class("java/util/Arrays"),
                    actual.text
                ),
                "Ljava/lang/String;",
            ),
            false => as_text(&actual),
        };
        self.claim(&Claim::Different {
            from: &recorded,
            actual: &actual,
            kind: Kind::Object,
        });
        Ok(())
    }
}

fn is_array_of_values(ty: &str) -> bool {
    ty.starts_with('[')
}

/// The text that Java makes of it. An array of characters would be taken for its contents.
fn as_text(actual: &Expr) -> Expr {
    let cast = if actual.ty == "[C" { "(Object) " } else { "" };
    let text = format!("String.valueOf({cast}{})", actual.text);
    Expr::new(text, "Ljava/lang/String;")
}

fn boxed(value: Prim) -> String {
    let class = match value {
        Prim::Boolean(_) => "Boolean",
        Prim::Byte(_) => "Byte",
        Prim::Char(_) => "Character",
        Prim::Short(_) => "Short",
        Prim::Int(_) => "Integer",
        Prim::Long(_) => "Long",
        Prim::Float(_) => "Float",
        Prim::Double(_) => "Double",
    };
    format!("{class}.valueOf({})", literal::primitive(value))
}

/// How near to `expected` is good enough: much nearer than the wrong value is.
fn tolerance(expected: Prim, wrong: &Value) -> Prim {
    let number = |prim: Prim| match prim {
        Prim::Float(v) => f64::from(v),
        Prim::Double(v) => v,
        _ => f64::NAN,
    };
    let wrong = match wrong {
        Value::Prim(prim) | Value::Boxed(prim) => number(*prim),
        _ => f64::NAN,
    };
    let distance = (number(expected) - wrong).abs() * TOLERANCE;
    let usable = distance.is_finite() && distance > 0.0;
    let rounded = if usable {
        10f64.powf(distance.log10().floor())
    } else {
        TOLERANCE
    };
    match expected {
        Prim::Float(_) => Prim::Float((rounded as f32).max(f32::MIN_POSITIVE)),
        _ => Prim::Double(rounded.max(f64::MIN_POSITIVE)),
    }
}
