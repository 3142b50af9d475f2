//! What a test looks at behind its calls, where the failure is no exception: the state of an object, what a predicate of the user's says of
//! one, what was written, and the status with which the program was ended.

use jinsi_trace::model::{ObjectId, Prim};

use super::access::Throws;
use super::claim::{Claim, Kind};
use super::classes::field_holder;
use super::java::{JavaExpr, JavaType, package_of};
use super::writer::{Expr, Writer, run};
use super::{Form, Inexpressible};
use jinsi_oracle::chain::literal as shown;
use jinsi_oracle::chain::state::{FieldPlace, Inner, Test};
use jinsi_oracle::predicate::UserPredicate;
use jinsi_oracle::{Oracle, Writing, WrongOutput, WrongState};

impl Writer<'_> {
    /// Asserts that `call` does not end the program with this status, but with 0, if that is not it.
    pub(super) fn assert_status(&mut self, call: Expr, status: i32) -> Result<(), Inexpressible> {
        let (zero, actual) = (JavaExpr::int(0), self.status_of(call)?);
        self.claim(match status {
            0 => Claim::Different {
                from: zero,
                actual,
                kind: Kind::Primitive,
            },
            _ => Claim::Equal {
                expected: zero,
                actual,
            },
        });
        Ok(())
    }

    /// The status with which `call` ends the program, as an expression.
    pub(super) fn status_of(&mut self, call: Expr) -> Result<JavaExpr, Inexpressible> {
        if self.form != Form::Replay {
            return Err(Inexpressible(
                "without the recording, the tests would end with the program".into(),
            ));
        }
        let call = vec![run(call.into())];
        Ok(JavaExpr::call(
            self.recording(),
            "exitStatus",
            call,
            JavaType::INT,
        ))
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
            let (class, about) = (&info.class, predicate.about());
            let (class, about) = (JavaType::class(class), JavaType::class(about));
            self.scope.is_subtype(&class, &about)
        })
    }

    /// Asserts that the predicate holds of no object: of none that can be reached, or, without the recording, of none that has a variable.
    pub(super) fn assert_none(&mut self, predicate: &UserPredicate) -> Result<(), Inexpressible> {
        if self.form == Form::Replay {
            let class = vec![JavaExpr::text(&predicate.class)];
            let ty = JavaType::BOOLEAN;
            let condition = JavaExpr::call(self.recording(), "holdsOfAny", class, ty);
            self.claim(Claim::Holds {
                condition,
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
        for object in objects {
            let predicate = JavaExpr::make(JavaType::class(&class), Vec::new());
            let object = vec![self.bound[&object].code.clone()];
            self.claim(Claim::Holds {
                condition: JavaExpr::call(predicate, "test", object, JavaType::BOOLEAN),
                wanted: false,
            });
        }
        Ok(())
    }

    /// Asserts that an object which the test has made, or a class, is in another state. The field may well be private.
    pub(super) fn assert_state(&mut self, wrong: &WrongState) -> Result<(), Inexpressible> {
        let further = || Inexpressible("the wrong state is in an object further away".into());
        let field = wrong.predicate.field().ok_or_else(further)?;
        let value = vec![self.field_value(wrong, &field)?];
        let string = JavaType::string();
        let value = JavaExpr::call(string.clone(), "valueOf", value, string.clone());
        match &wrong.predicate.test {
            Test::Contains(part) => {
                let value = self.declare(None, string, value.into()).code;
                self.assert_not_in(value, part);
            }
            Test::Is(was) => {
                let was = shown::value_of(was).ok_or_else(further)?;
                self.claim(Claim::Different {
                    from: JavaExpr::text(&was),
                    actual: value,
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
    ) -> Result<JavaExpr, Inexpressible> {
        let unseen =
            || Inexpressible("the test does not make the object with the wrong state".into());
        let (class, object) = match wrong.object {
            None => (wrong.class.replace('.', "/"), JavaExpr::null()),
            Some(id) => {
                let info = self.request.level.objects.get(&id).ok_or_else(unseen)?;
                let object = self.bound.get(&id).ok_or_else(unseen)?;
                (info.class.clone(), object.code.clone())
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
        self.throws = self.throws.max(Throws::Exception);
        let reflect = JavaType::class("java/lang/reflect/Field");
        let name = vec![JavaExpr::text(&place.name)];
        let class = JavaExpr::class(JavaType::class(holder));
        let found = JavaExpr::call(class, "getDeclaredField", name, reflect.clone());
        let field = self.declare(None, reflect, found.into()).code;
        let open = vec![JavaExpr::literal(Prim::Boolean(true))];
        let open = JavaExpr::call(field.clone(), "setAccessible", open, JavaType::Void);
        self.code(open);
        let value = JavaExpr::call(field, "get", vec![object], JavaType::object());
        let any = JavaType::Wildcard;
        Ok(match &place.inner {
            None => value,
            Some(Inner::Entry(key)) => {
                let map = JavaType::class("java/util/Map").with(vec![any.clone(), any]);
                let key = vec![JavaExpr::text(key)];
                JavaExpr::call(value.cast(map), "get", key, JavaType::object())
            }
            Some(Inner::Element(index)) => {
                let index = JavaExpr::int(i32::try_from(*index).unwrap_or(i32::MAX));
                match is_array {
                    true => {
                        let array = JavaType::class("java/lang/reflect/Array");
                        JavaExpr::call(array, "get", vec![value, index], JavaType::object())
                    }
                    false => {
                        let list = JavaType::class("java/util/List").with(vec![any]);
                        JavaExpr::call(value.cast(list), "get", vec![index], JavaType::object())
                    }
                }
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
        let string = JavaType::string();
        let written = JavaExpr::call(self.recording(), "written", Vec::new(), string.clone());
        let written = self.declare(None, string.clone(), written.into()).code;
        match (&wrong.wrong, &wrong.expected) {
            (Writing::Text(line), Some(expected)) => {
                let texts = vec![JavaExpr::text(line), JavaExpr::text(expected)];
                self.claim(Claim::Equal {
                    expected: JavaExpr::call(written.clone(), "replace", texts, string),
                    actual: written,
                });
            }
            (Writing::Text(part), None) => self.assert_not_in(written, part),
            (Writing::Pattern(pattern), _) => {
                let class = JavaType::class("java/util/regex/Pattern");
                let matcher = JavaType::class("java/util/regex/Matcher");
                let regex = vec![JavaExpr::text(pattern.as_str())];
                let compiled = JavaExpr::factory(class, "compile", regex);
                let matched = vec![written.clone()];
                let matcher = JavaExpr::call(compiled, "matcher", matched, matcher);
                let found = JavaExpr::call(matcher, "find", Vec::new(), JavaType::BOOLEAN);
                let expected = format!("nothing that matches {}", pattern.as_str());
                self.assert_false(found, &expected, written);
            }
        }
        Ok(())
    }

    /// Asserts that `part` is not in the text `actual`.
    fn assert_not_in(&mut self, actual: JavaExpr, part: &str) {
        let args = vec![JavaExpr::text(part)];
        let found = JavaExpr::call(actual.clone(), "contains", args, JavaType::BOOLEAN);
        self.assert_false(found, &format!("no {part:?} in it"), actual);
    }

    /// Asserts that `condition` does not hold of the text `actual`, and says so if it does.
    fn assert_false(&mut self, condition: JavaExpr, expected: &str, actual: JavaExpr) {
        let begin = JavaExpr::text(&format!("expected: <{expected}> but was: <"));
        let message = begin.concat(actual).concat(JavaExpr::text(">"));
        self.claim(Claim::HoldsNot { condition, message });
    }
}
