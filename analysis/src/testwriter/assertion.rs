//! The end of a test whose failure is no exception: an assertion about a value, a state or what was written.

use jinsi_trace::model::{JavaString, ObjectId, Prim, Value};

use super::access::{desc_of, package_of};
use super::classes::field_holder;
use super::writer::{Expr, Writer};
use super::{Form, Inexpressible, Junit, literal};
use crate::chain::literal as shown;
use crate::chain::state::Test;
use crate::oracle::predicate::UserPredicate;
use crate::oracle::{Expected, Oracle, Writing, WrongOutput, WrongState, WrongValue};

/// Part of the difference between two numbers with a point that does not count.
const TOLERANCE: f64 = 1e-3;

/// Seconds after which a call counts as endless.
pub(super) const PATIENCE: u32 = 2;

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

    /// Asserts that `call` does not end the program with this status, but with 0, if that is not it.
    pub(super) fn assert_status(&mut self, call: &Expr, status: i32) -> Result<(), Inexpressible> {
        let ends = self.status_of(call)?;
        self.assertion(&match status {
            0 => format!("assertNotEquals(0, {ends})"),
            _ => format!("assertEquals(0, {ends})"),
        });
        Ok(())
    }

    /// The status with which `call` ends the program, as an expression.
    pub(super) fn status_of(&mut self, call: &Expr) -> Result<String, Inexpressible> {
        if self.form != Form::Replay {
            return Err(Inexpressible(
                "without the recording, the tests would end with the program".into(),
            ));
        }
        let recording = self.imports.class(self.request.junit.recording());
        Ok(format!("{recording}.exitStatus(() -> {})", call.text))
    }

    /// Is the object used after the current step?
    pub(super) fn is_needed(&self, id: ObjectId) -> bool {
        let asserted = match self.request.oracle {
            Oracle::State(wrong) => wrong.object == id,
            Oracle::Predicate(wrong) => self.is_for(&wrong.predicate, id),
            _ => false,
        };
        asserted || self.plan.needed_after(id, self.step)
    }

    /// Can the predicate be asked about the object, without the recording?
    fn is_for(&self, predicate: &UserPredicate, id: ObjectId) -> bool {
        let info = self.request.level.objects.get(&id);
        let class = info.filter(|_| self.form != Form::Replay);
        class.is_some_and(|info| {
            let (class, about) = (desc_of(&info.class), desc_of(predicate.about()));
            self.scope.is_subtype(&class, &about)
        })
    }

    /// Asserts that the predicate holds of no object: of none that can be reached, or, without the recording, of none that has a variable.
    pub(super) fn assert_none(&mut self, predicate: &UserPredicate) -> Result<(), Inexpressible> {
        if self.form == Form::Replay {
            let recording = self.imports.class(self.request.junit.recording());
            let class = literal::string(&JavaString::new(&predicate.class));
            self.assertion(&format!("assertFalse({recording}.holdsOfAny({class}))"));
            return Ok(());
        }
        let class = predicate.class.replace('.', "/");
        let package = package_of(&class);
        let named = predicate.is_public() && !package.is_empty();
        if package != self.scope.package && !named {
            let why = format!("{} cannot be named", predicate.class);
            return Err(Inexpressible(why));
        }
        let all = self.bound.keys().filter(|id| self.is_for(predicate, **id));
        let mut objects: Vec<ObjectId> = all.copied().collect();
        objects.sort_unstable();
        if objects.is_empty() {
            return Err(Inexpressible(
                "the test makes no object for the predicate".into(),
            ));
        }
        let class = self.imports.class(&class);
        for object in objects {
            let object = self.bound[&object].text.clone();
            self.assertion(&format!("assertFalse(new {class}().test({object}))"));
        }
        Ok(())
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
        match &wrong.predicate.test {
            Test::Contains(part) => {
                let value = Expr::new(format!("String.valueOf({value})"), "Ljava/lang/String;");
                let value = self.declare(None, "String", value).text;
                let found = format!("{value}.contains({})", text(part));
                self.assert_false(&found, &format!("no {part:?} in it"), &value);
            }
            Test::Is(was) => {
                let was = shown::value_of(was).ok_or_else(path)?;
                let was = text(&was);
                self.assertion(&format!("assertNotEquals({was}, String.valueOf({value}))"));
            }
        }
        Ok(())
    }

    /// Asserts that nothing of the kind was written, but, if that is known, what should have been. Only the recording knows what was: the
    /// environment does not run.
    pub(super) fn assert_not_written(&mut self, wrong: &WrongOutput) -> Result<(), Inexpressible> {
        if self.form != Form::Replay {
            return Err(Inexpressible(
                "what is written is not in the reach of a test without the recording".into(),
            ));
        }
        let recording = self.imports.class(self.request.junit.recording());
        let written = Expr::new(format!("{recording}.written()"), "Ljava/lang/String;");
        let written = self.declare(None, "String", written).text;
        let text = |text: &str| literal::string(&JavaString::new(text));
        match (&wrong.wrong, &wrong.expected) {
            (Writing::Text(line), Some(expected)) => {
                let (line, expected) = (text(line), text(expected));
                let right = format!("{written}.replace({line}, {expected})");
                self.assertion(&format!("assertEquals({right}, {written})"));
            }
            (Writing::Text(part), None) => {
                let found = format!("{written}.contains({})", text(part));
                self.assert_false(&found, &format!("no {part:?} in it"), &written);
            }
            (Writing::Pattern(pattern), _) => {
                let class = self.imports.class("java/util/regex/Pattern");
                let regex = text(pattern.as_str());
                let found = format!("{class}.compile({regex}).matcher({written}).find()");
                let expected = format!("nothing that matches {}", pattern.as_str());
                self.assert_false(&found, &expected, &written);
            }
        }
        Ok(())
    }

    /// Asserts that `condition` does not hold of the text `actual`, and says so if it does.
    fn assert_false(&mut self, condition: &str, expected: &str, actual: &str) {
        let message = format!("expected: <{expected}> but was: <");
        let message = literal::string(&JavaString::new(&message));
        let message = format!("{message} + {actual} + \">\"");
        self.assertion(&match self.request.junit {
            Junit::Four => format!("assertFalse({message}, {condition})"),
            Junit::Five => format!("assertFalse({condition}, {message})"),
        });
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
