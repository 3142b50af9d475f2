//! The end of a test whose failure is no exception: an assertion about a value, a state or what was written.

use jinsi_trace::model::{JavaString, ObjectId, Prim, Value};

use super::classes::field_holder;
use super::writer::{Expr, Writer};
use super::{Form, Inexpressible, Junit, literal};
use crate::chain::literal as shown;
use crate::chain::state::Test;
use crate::oracle::{Expected, Oracle, Writing, WrongState, WrongValue};

/// Part of the difference between two numbers with a point that does not count.
const TOLERANCE: f64 = 1e-3;

/// Seconds after which a call counts as endless.
const PATIENCE: u32 = 2;

impl Writer<'_> {
    /// Asserts that `call` gives what was expected, or, if that is not known, that it does not give the wrong value.
    pub(super) fn assert_not(
        &mut self,
        call: Expr,
        wrong: &WrongValue,
    ) -> Result<(), Inexpressible> {
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

    /// Asserts that `call` ends.
    pub(super) fn assert_end(&mut self, call: &Expr) -> Result<(), Inexpressible> {
        if self.request.junit == Junit::Four {
            return Err(Inexpressible("JUnit 4 has no assertion about time".into()));
        }
        let duration = self.imports.class("java/time/Duration");
        let text = &call.text;
        self.assertion(&format!(
            "assertTimeoutPreemptively({duration}.ofSeconds({PATIENCE}), () -> {text})"
        ));
        Ok(())
    }

    /// Is the object used after the current step?
    pub(super) fn is_needed(&self, id: ObjectId) -> bool {
        let asserted = matches!(self.request.oracle, Oracle::State(wrong) if wrong.object == id);
        asserted || self.plan.needed_after(id, self.step)
    }

    /// Asserts that an object which the test has made is in another state. The field may well be private.
    pub(super) fn assert_state(&mut self, wrong: &WrongState) -> Result<(), Inexpressible> {
        let unseen =
            || Inexpressible("the test does not make the object with the wrong state".into());
        let object = self.bound.get(&wrong.object).cloned().ok_or_else(unseen)?;
        let info = self.request.level.objects.get(&wrong.object);
        let class = info.ok_or_else(unseen)?.class.clone();
        let path = || Inexpressible("the wrong state is in an object further away".into());
        let (field, key) = wrong.predicate.field().ok_or_else(path)?;
        // A class gives only the fields that it declares itself.
        let holder = field_holder(self.scope.classes, &class, &field).unwrap_or(&class);
        if !self.scope.class_accessible(holder) {
            return Err(Inexpressible(format!("{holder} cannot be named")));
        }
        let class = self.imports.class(holder);
        let reflect = self.imports.class("java/lang/reflect/Field");
        self.checked = true;
        self.code(format!(
            "{reflect} field = {class}.class.getDeclaredField(\"{field}\");"
        ));
        self.code("field.setAccessible(true);".into());
        let mut value = format!("field.get({})", object.text);
        if let Some(key) = key {
            let map = self.imports.class("java/util/Map");
            let key = literal::string(&JavaString::new(&key));
            value = format!("(({map}<?, ?>) {value}).get({key})");
        }
        let text = |text: &str| literal::string(&JavaString::new(text));
        let assertion = match &wrong.predicate.test {
            Test::Contains(part) => {
                format!(
                    "assertFalse(String.valueOf({value}).contains({}))",
                    text(part)
                )
            }
            Test::Is(was) => {
                let was = shown::value_of(was).ok_or_else(path)?;
                format!("assertNotEquals({}, String.valueOf({value}))", text(&was))
            }
        };
        self.assertion(&assertion);
        Ok(())
    }

    /// Asserts that nothing of the kind was written. Only the recording knows what was: the environment does not run.
    pub(super) fn assert_not_written(&mut self, wrong: &Writing) -> Result<(), Inexpressible> {
        if self.form != Form::Replay {
            return Err(Inexpressible(
                "what is written is not in the reach of a test without the recording".into(),
            ));
        }
        let recording = self.imports.class(self.request.junit.recording());
        let found = match wrong {
            Writing::Text(text) => {
                let text = literal::string(&JavaString::new(text));
                format!("{recording}.written().contains({text})")
            }
            Writing::Pattern(pattern) => {
                let class = self.imports.class("java/util/regex/Pattern");
                let pattern = literal::string(&JavaString::new(pattern.as_str()));
                format!("{class}.compile({pattern}).matcher({recording}.written()).find()")
            }
        };
        self.assertion(&format!("assertFalse({found})"));
        Ok(())
    }

    fn wrong_element(&self, call: Expr, wrong: &WrongValue) -> Expr {
        let index = wrong.assertion.index.unwrap_or_default();
        Expr::new(format!("{}[{index}]", call.text), &call.ty[1..])
    }

    fn equals(
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
    fn differs(
        &mut self,
        value: &Value,
        actual: Expr,
        wrong: &WrongValue,
    ) -> Result<(), Inexpressible> {
        let text = &actual.text;
        let assertion = match value {
            Value::Null => format!("assertNotNull({text})"),
            Value::Object(_) => return self.differs_from_text(actual, wrong),
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

    fn assertion(&mut self, call: &str) {
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
