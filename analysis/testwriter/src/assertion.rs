//! The end of a test whose failure is no exception: an assertion about a value, or that a call ends. See [`super::behind`] for what a test
//! looks at behind its calls.

use jinsi_trace::model::{JavaString, Prim, Value};

use super::junit::PATIENCE;
use super::writer::{Expr, Writer};
use super::{Form, Inexpressible, Junit, literal};
use jinsi_oracle::{Expected, FoundBy, WrongValue};

/// Part of the difference between two numbers with a point that does not count.
const TOLERANCE: f64 = 1e-3;

impl Writer<'_> {
    /// Asserts that `call` gives what was expected, or, if that is not known, that it does not give the wrong value.
    pub(super) fn assert_not(
        &mut self,
        call: Expr,
        wrong: &WrongValue,
    ) -> Result<(), Inexpressible> {
        if let (true, Some(demand)) = (self.demands, &wrong.demand) {
            return self.demand(call, wrong, demand);
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
                let actual = as_text(&actual);
                self.assertion(&format!("assertEquals({expected}, {actual})"));
                Ok(())
            }
            Expected::Unknown => self.differs(value, actual, wrong),
        }
    }

    /// Asserts that `call` ends. With JUnit 4, the annotation of the test does.
    pub(super) fn assert_end(&mut self, call: Expr) -> Result<(), Inexpressible> {
        if self.request.junit == Junit::Four {
            if self.form == Form::Replay {
                return Err(Inexpressible(
                    "jinsi's runner for JUnit 4 does not look at the time".into(),
                ));
            }
            self.code(call.text + ";");
            return Ok(());
        }
        let duration = self.imports.class("java/time/Duration");
        let text = &call.text;
        self.assertion(&format!(
            "assertTimeoutPreemptively({duration}.ofSeconds({PATIENCE}), () -> {text})"
        ));
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
        let text = actual.text.as_str();
        let four = self.request.junit == Junit::Four;
        let assertion = match (expected, actual.ty.as_str()) {
            (Value::Null, _) => format!("assertNull({text})"),
            (Value::Prim(Prim::Boolean(wanted)), "Z") => match wanted {
                true => format!("assertTrue({text})"),
                false => format!("assertFalse({text})"),
            },
            (Value::Prim(wanted @ (Prim::Float(_) | Prim::Double(_))), "F" | "D") => {
                let tolerance = literal::primitive(tolerance(*wanted, value));
                let wanted = literal::primitive(*wanted);
                format!("assertEquals({wanted}, {text}, {tolerance})")
            }
            // JUnit 4 would compare numbers.
            (Value::Prim(Prim::Char(unit)), "C") if four => {
                let wanted = literal::string(&JavaString([*unit].into()));
                format!("assertEquals({wanted}, String.valueOf({text}))")
            }
            (Value::Prim(wanted), "B" | "C" | "S" | "I" | "J") => {
                format!("assertEquals({}, {text})", literal::primitive(*wanted))
            }
            (Value::Prim(wanted) | Value::Boxed(wanted), _) => {
                format!("assertEquals({}, {text})", boxed(*wanted))
            }
            _ => {
                let wanted = self.value(expected, &actual.ty)?.text;
                format!("assertEquals({wanted}, {text})")
            }
        };
        self.assertion(&assertion);
        Ok(())
    }

    /// That it is something else than the recorded value.
    pub(super) fn differs(
        &mut self,
        value: &Value,
        actual: Expr,
        wrong: &WrongValue,
    ) -> Result<(), Inexpressible> {
        let text = &actual.text;
        let assertion = match value {
            Value::Null => format!("assertNotNull({text})"),
            Value::Object(_) => return self.differs_from_text(actual, wrong),
            Value::Prim(Prim::Boolean(recorded)) if actual.ty == "Z" => {
                format!("assert{}({text})", if *recorded { "False" } else { "True" })
            }
            Value::Prim(recorded) if "BSIJ".contains(&actual.ty) => {
                format!("assertNotEquals({}, {text})", literal::primitive(*recorded))
            }
            Value::Prim(recorded) | Value::Boxed(recorded) => {
                format!("assertNotEquals((Object) {}, {text})", boxed(*recorded))
            }
            _ => {
                let recorded = self.value(value, &actual.ty)?.text;
                format!("assertNotEquals({recorded}, {text})")
            }
        };
        self.assertion(&assertion);
        Ok(())
    }

    fn differs_from_text(&mut self, actual: Expr, wrong: &WrongValue) -> Result<(), Inexpressible> {
        let recorded = wrong
            .text
            .as_deref()
            .ok_or_else(|| Inexpressible("the wrong value has no text to compare".into()))?;
        let recorded = literal::string(&JavaString::new(recorded));
        let actual = match actual.ty.starts_with('[') {
            true => format!(
                "{}.toString({})",
                self.imports.class("java/util/Arrays"),
                actual.text
            ),
            false => as_text(&actual),
        };
        self.assertion(&format!("assertNotEquals({recorded}, {actual})"));
        Ok(())
    }

    pub(super) fn assertion(&mut self, call: &str) {
        let class = self.request.junit.assertions().replace('.', "/");
        let class = self.imports.class(&class);
        self.code(format!("{class}.{call};"));
    }
}

fn is_array_of_values(ty: &str) -> bool {
    ty.starts_with('[')
}

/// The text that Java makes of it. An array of characters would be taken for its contents.
fn as_text(actual: &Expr) -> String {
    let cast = if actual.ty == "[C" { "(Object) " } else { "" };
    format!("String.valueOf({cast}{})", actual.text)
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
