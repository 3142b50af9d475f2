//! What a test looks at behind its calls, where the failure is no exception: the state of an object, what a predicate of the user's says of
//! one, what was written, and the status with which the program was ended.

use jinsi_trace::model::{JavaString, ObjectId};

use super::access::{Throws, desc_of, package_of};
use super::claim::{Claim, Kind};
use super::classes::field_holder;
use super::writer::{Expr, Writer};
use super::{Form, Inexpressible, literal};
use jinsi_oracle::chain::literal as shown;
use jinsi_oracle::chain::state::{FieldPlace, Inner, Test};
use jinsi_oracle::predicate::UserPredicate;
use jinsi_oracle::{Oracle, Writing, WrongOutput, WrongState};

impl Writer<'_> {
    /// Asserts that `call` does not end the program with this status, but with 0, if that is not it.
    pub(super) fn assert_status(&mut self, call: &Expr, status: i32) -> Result<(), Inexpressible> {
        let actual = &Expr::new(self.status_of(call)?, "I");
        self.claim(&match status {
            0 => Claim::Different {
                from: "0",
                actual,
                kind: Kind::Primitive,
            },
            _ => Claim::Equal {
                expected: "0",
                actual,
            },
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
        let recording = self.imports.class(self.framework.recording());
        Ok(format!("{recording}.exitStatus(() -> {})", call.text))
    }

    /// Is the object used after the current step?
    pub(super) fn is_needed(&self, id: ObjectId) -> bool {
        let asserted = match self.request.oracle {
            Oracle::State(wrong) => wrong.object == Some(id),
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
            let recording = self.imports.class(self.framework.recording());
            let class = literal::string(&JavaString::new(&predicate.class));
            self.claim(&Claim::Holds {
                condition: &format!("{recording}.holdsOfAny({class})"),
                wanted: false,
            });
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
            self.claim(&Claim::Holds {
                condition: &format!("new {class}().test({object})"),
                wanted: false,
            });
        }
        Ok(())
    }

    /// Asserts that an object which the test has made, or a class, is in another state. The field may well be private.
    pub(super) fn assert_state(&mut self, wrong: &WrongState) -> Result<(), Inexpressible> {
        let further = || Inexpressible("the wrong state is in an object further away".into());
        let field = wrong.predicate.field().ok_or_else(further)?;
        let value = self.field_value(wrong, &field)?;
        let text = |text: &str| literal::string(&JavaString::new(text));
        match &wrong.predicate.test {
            Test::Contains(part) => {
                let value = Expr::new(format!("String.valueOf({value})"), "Ljava/lang/String;");
                let value = self.declare(None, "String", value).text;
                let found = format!("{value}.contains({})", text(part));
                self.assert_false(&found, &format!("no {part:?} in it"), &value);
            }
            Test::Is(was) => {
                let was = shown::value_of(was).ok_or_else(further)?;
                self.claim(&Claim::Different {
                    from: &text(&was),
                    actual: &Expr::new(format!("String.valueOf({value})"), "Ljava/lang/String;"),
                    kind: Kind::Object,
                });
            }
        }
        Ok(())
    }

    /// What the field holds, or the container in it at the place that is meant, as an expression.
    fn field_value(
        &mut self,
        wrong: &WrongState,
        place: &FieldPlace,
    ) -> Result<String, Inexpressible> {
        let unseen =
            || Inexpressible("the test does not make the object with the wrong state".into());
        let (class, object) = match wrong.object {
            None => (wrong.class.replace('.', "/"), "null".to_owned()),
            Some(id) => {
                let info = self.request.level.objects.get(&id).ok_or_else(unseen)?;
                let object = self.bound.get(&id).ok_or_else(unseen)?;
                (info.class.clone(), object.text.clone())
            }
        };
        // A class gives only the fields that it declares itself.
        let holder = field_holder(self.scope.classes, &class, &place.name).unwrap_or(&class);
        if !self.scope.class_accessible(holder) {
            return Err(Inexpressible(format!("{holder} cannot be named")));
        }
        let members = self
            .scope
            .classes
            .class(holder)
            .and_then(|c| c.members.as_ref());
        let declared = members.and_then(|all| all.iter().find(|m| m.name == place.name));
        let is_array = declared.is_some_and(|m| m.desc.starts_with('['));
        let holder = self.imports.class(holder);
        let reflect = self.imports.class("java/lang/reflect/Field");
        self.throws = self.throws.max(Throws::Exception);
        self.code(format!(
            "{reflect} field = {holder}.class.getDeclaredField(\"{}\");",
            place.name
        ));
        self.code("field.setAccessible(true);".into());
        let value = format!("field.get({object})");
        Ok(match &place.inner {
            None => value,
            Some(Inner::Entry(key)) => {
                let map = self.imports.class("java/util/Map");
                let key = literal::string(&JavaString::new(key));
                format!("(({map}<?, ?>) {value}).get({key})")
            }
            Some(Inner::Element(index)) if is_array => {
                let array = self.imports.class("java/lang/reflect/Array");
                format!("{array}.get({value}, {index})")
            }
            Some(Inner::Element(index)) => {
                let list = self.imports.class("java/util/List");
                format!("(({list}<?>) {value}).get({index})")
            }
        })
    }

    /// Asserts that nothing of the kind was written, but, if that is known, what should have been. Only the recording knows what was: the
    /// environment does not run.
    pub(super) fn assert_not_written(&mut self, wrong: &WrongOutput) -> Result<(), Inexpressible> {
        if self.form != Form::Replay {
            return Err(Inexpressible(
                "what is written is not in the reach of a test without the recording".into(),
            ));
        }
        let recording = self.imports.class(self.framework.recording());
        let written = Expr::new(format!("{recording}.written()"), "Ljava/lang/String;");
        let written = self.declare(None, "String", written).text;
        let text = |text: &str| literal::string(&JavaString::new(text));
        match (&wrong.wrong, &wrong.expected) {
            (Writing::Text(line), Some(expected)) => {
                let (line, expected) = (text(line), text(expected));
                self.claim(&Claim::Equal {
                    expected: &format!("{written}.replace({line}, {expected})"),
                    actual: &Expr::new(written, "Ljava/lang/String;"),
                });
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
        let message = &format!("{message} + {actual} + \">\"");
        self.claim(&Claim::HoldsNot { condition, message });
    }
}
