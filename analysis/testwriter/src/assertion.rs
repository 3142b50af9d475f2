//! The end of a test whose failure is no exception: an assertion about a value, or that a call ends. See [`super::behind`] for what a test
//! looks at behind its calls.

use jinsi_trace::model::{JavaString, Prim, Value};

use super::claim::{Claim, Kind, contents};
use super::java::{JavaExpr, JavaType, Primitive};
use super::writer::{Expr, Writer, at};
use super::{Form, Framework, Inexpressible};
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
            Some(Demand::Throws(exception)) => return self.assert_thrown(call, exception),
            Some(demand) if self.demands => return self.demand(call, wrong, demand),
            _ => {}
        }
        if wrong.is_compared_with_results() {
            let why = "what the test compared with another result cannot be written";
            return Err(Inexpressible(why.into()));
        }
        if wrong.found == FoundBy::Used {
            let why = "what the test did with the value cannot be written";
            return Err(Inexpressible(why.into()));
        }
        let call = match call.inferred {
            // Its type would be that of a parameter, of which there are many.
            true => call.code.cast(JavaType::object()),
            false => call.code,
        };
        let (actual, value) = match &wrong.element {
            Some(element) if call.ty.is_array() => {
                let index = wrong.assertion.index.unwrap_or_default();
                (at(call, index), element)
            }
            Some(_) => return self.differs_from_text(call, wrong),
            None => (call, &wrong.value),
        };
        match &wrong.expected {
            Expected::Value(expected) => self.equals(expected, value, actual),
            Expected::Text(text) => {
                let (expected, actual) = (JavaExpr::text(text), as_text(actual));
                self.claim(Claim::Equal { expected, actual });
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

    pub(super) fn equals(
        &mut self,
        expected: &Value,
        value: &Value,
        actual: JavaExpr,
    ) -> Result<(), Inexpressible> {
        use Primitive::{Boolean, Byte, Char, Double, Float, Int, Long, Short};
        // JUnit 4 would compare numbers.
        let as_text = self.framework == Framework::Junit4 && !self.assertj;
        let claim = match (expected, actual.ty.primitive()) {
            (Value::Null, _) => Claim::Null {
                actual,
                wanted: true,
            },
            (Value::Prim(Prim::Boolean(wanted)), Some(Boolean)) => Claim::Holds {
                condition: actual,
                wanted: *wanted,
            },
            (Value::Prim(wanted @ (Prim::Float(_) | Prim::Double(_))), Some(Float | Double)) => {
                Claim::Near {
                    expected: JavaExpr::literal(*wanted),
                    actual,
                    tolerance: JavaExpr::literal(tolerance(*wanted, value)),
                }
            }
            (Value::Prim(Prim::Char(unit)), Some(Char)) if as_text => Claim::Equal {
                expected: JavaExpr::string(JavaString([*unit].into())),
                actual: self::as_text(actual),
            },
            (Value::Prim(wanted), Some(Byte | Char | Short | Int | Long)) => Claim::Equal {
                expected: JavaExpr::literal(*wanted),
                actual,
            },
            (Value::Prim(wanted) | Value::Boxed(wanted), _) => Claim::Equal {
                expected: boxed(*wanted),
                actual,
            },
            _ => Claim::Equal {
                expected: self.value(expected, &actual.ty)?.code,
                actual,
            },
        };
        self.claim(claim);
        Ok(())
    }

    /// That it is something else than the recorded value.
    pub(super) fn differs(
        &mut self,
        value: &Value,
        actual: JavaExpr,
        wrong: &WrongValue,
    ) -> Result<(), Inexpressible> {
        use Primitive::{Boolean, Byte, Int, Long, Short};
        let claim = match (value, actual.ty.primitive()) {
            (Value::Null, _) => Claim::Null {
                actual,
                wanted: false,
            },
            (Value::Object(_), _) => return self.differs_from_text(actual, wrong),
            (Value::Prim(Prim::Boolean(recorded)), Some(Boolean)) => Claim::Holds {
                condition: actual,
                wanted: !recorded,
            },
            (Value::Prim(recorded), Some(Byte | Short | Int | Long)) => Claim::Different {
                from: JavaExpr::literal(*recorded),
                actual,
                kind: Kind::Primitive,
            },
            (Value::Prim(recorded) | Value::Boxed(recorded), _) => Claim::Different {
                from: boxed(*recorded),
                actual,
                kind: Kind::Boxed,
            },
            _ => Claim::Different {
                from: self.value(value, &actual.ty)?.code,
                actual,
                kind: Kind::Object,
            },
        };
        self.claim(claim);
        Ok(())
    }

    fn differs_from_text(
        &mut self,
        actual: JavaExpr,
        wrong: &WrongValue,
    ) -> Result<(), Inexpressible> {
        let recorded = wrong
            .text
            .as_deref()
            .ok_or_else(|| Inexpressible("the wrong value has no text to compare".into()))?;
        self.claim(Claim::Different {
            from: JavaExpr::text(recorded),
            actual: match actual.ty.is_array() {
                true => contents(actual),
                false => as_text(actual),
            },
            kind: Kind::Object,
        });
        Ok(())
    }
}

/// The text that Java makes of it. An array of characters would be taken for its contents.
fn as_text(actual: JavaExpr) -> JavaExpr {
    let is_letters = actual.ty == JavaType::Primitive(Primitive::Char).array();
    let actual = match is_letters {
        true => actual.cast(JavaType::object()),
        false => actual,
    };
    JavaExpr::call(
        JavaType::string(),
        "valueOf",
        vec![actual],
        JavaType::string(),
    )
}

/// `Integer.valueOf(value)`
fn boxed(value: Prim) -> JavaExpr {
    let value = JavaExpr::literal(value);
    let class = value
        .ty
        .primitive()
        .map_or(JavaType::Void, Primitive::boxed);
    JavaExpr::factory(class, "valueOf", vec![value])
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
