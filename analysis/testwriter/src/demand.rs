//! The assertion of the recorded test, about the value that the written test gets.

use jinsi_classfile::ACC_VARARGS;
use jinsi_trace::model::{MemberRef, Prim, Value};

use super::Inexpressible;
use super::access::{params, result};
use super::claim::Claim;
use super::framework::Framework;
use super::java::{JavaExpr, JavaStmt, JavaType, LambdaBody, Primitive, Target};
use super::member::{cannot_name, is_generic_container};
use super::writer::{Expr, Writer};
use jinsi_oracle::{Demand, Oracle, Term, WantedException, WrongValue};

/// Entries that `Map.of` takes.
const ENTRIES: usize = 10;

impl Writer<'_> {
    /// Demands of `call` what the recorded test did.
    pub(super) fn demand(
        &mut self,
        call: Expr,
        wrong: &WrongValue,
        demand: &Demand,
    ) -> Result<(), Inexpressible> {
        match demand {
            Demand::Equal { actual, expected } => {
                let actual = self.term(actual, &call, None)?;
                match expected {
                    Term::Literal(expected) => {
                        let expected = &as_type(expected, &actual.ty);
                        let value = wrong.compared.as_ref().unwrap_or(&wrong.value);
                        self.equals(expected, value, actual)
                    }
                    expected => {
                        let expected = self.term(expected, &call, Some(&actual.ty))?;
                        self.claim(match actual.ty.is_array() {
                            true => Claim::ArrayEqual { expected, actual },
                            false => Claim::Equal { expected, actual },
                        });
                        Ok(())
                    }
                }
            }
            Demand::Differs { actual, from } => {
                let actual = self.term(actual, &call, None)?;
                self.differs(from, actual, wrong)
            }
            Demand::Throws(exception) => self.assert_thrown(call, exception),
            simple => self.simple_demand(call.code, simple),
        }
    }

    /// One that says itself what is wrong.
    fn simple_demand(&mut self, call: JavaExpr, demand: &Demand) -> Result<(), Inexpressible> {
        let call = call.into();
        match demand {
            Demand::Holds { actual, wanted } => {
                let (condition, wanted) = (self.term(actual, &call, None)?, *wanted);
                self.claim(Claim::Holds { condition, wanted });
                Ok(())
            }
            Demand::Null { actual, wanted } => {
                let (actual, wanted) = (self.term(actual, &call, None)?, *wanted);
                self.claim(Claim::Null { actual, wanted });
                Ok(())
            }
            Demand::InstanceOf { actual, wanted } => {
                let actual = self.term(actual, &call, None)?;
                let class = self.named(wanted)?;
                self.claim(Claim::InstanceOf { actual, class });
                Ok(())
            }
            Demand::Stated(statement) => self.stated(statement, &call),
            Demand::Equal { .. } | Demand::Differs { .. } | Demand::Throws(_) => {
                Err(Inexpressible("it takes the value that is wrong".into()))
            }
        }
    }

    fn stated(&mut self, statement: &Term, call: &Expr) -> Result<(), Inexpressible> {
        let is_call = matches!(statement, Term::Call { .. });
        let statement = self.term(statement, call, None)?;
        match is_call {
            true => self.code(statement),
            // Java has no statement that is a mere expression.
            false => drop(self.declare(None, statement.ty.clone(), statement.into())),
        }
        Ok(())
    }

    /// The exception that the test demands: in place of the failure, or of a value.
    pub(super) fn wanted(&self) -> Option<&WantedException> {
        match self.request.oracle {
            Oracle::Exception => self.request.wanted,
            oracle => match &oracle.value()?.demand {
                Some(Demand::Throws(exception)) => Some(exception),
                _ => None,
            },
        }
    }

    /// Demands that the call throw what the recorded test expected. There is no other way to write that: that something is not thrown, or not given,
    /// is not what was asked for.
    pub(super) fn assert_thrown(
        &mut self,
        call: Expr,
        exception: &WantedException,
    ) -> Result<(), Inexpressible> {
        if !self.demands {
            let why = "the exception that the test expected cannot be written";
            return Err(Inexpressible(why.into()));
        }
        let class = self.named(&exception.class)?;
        let call = self.with_those_before(call);
        if exception.further.is_empty() {
            self.claim(Claim::Throws { class, call });
            return Ok(());
        }
        let thrown = self.thrown_by(call, class)?;
        for demand in &exception.further {
            self.demand_of_exception(thrown.clone(), demand)?;
        }
        Ok(())
    }

    /// The call as the last statement of a block, if calls before it may throw what is expected, too.
    fn with_those_before(&mut self, call: Expr) -> LambdaBody {
        let from = self.thrown_from.take().unwrap_or(self.lines.len());
        // JUnit 3 has no assertion that takes a block.
        let is_plain =
            |stmt: &JavaStmt| matches!(stmt, JavaStmt::Expression(_) | JavaStmt::Local(_));
        let before = &self.lines[from.min(self.lines.len())..];
        if before.is_empty() || !before.iter().all(is_plain) || self.framework == Framework::Junit3
        {
            return call.into();
        }
        let mut block = self.lines.split_off(from);
        block.push(JavaStmt::Expression(call.code));
        LambdaBody::Block(block)
    }

    fn demand_of_exception(
        &mut self,
        exception: Expr,
        demand: &Demand,
    ) -> Result<(), Inexpressible> {
        match demand {
            Demand::Equal {
                actual,
                expected: Term::Literal(expected),
            } => {
                let actual = self.term(actual, &exception, None)?;
                self.equals(expected, expected, actual)
            }
            Demand::Equal { actual, expected } => {
                let actual = self.term(actual, &exception, None)?;
                let expected = self.term(expected, &exception, Some(&actual.ty))?;
                self.claim(Claim::Equal { expected, actual });
                Ok(())
            }
            Demand::Differs { .. } | Demand::Throws(_) => {
                let why = "what the test expected of the exception cannot be written";
                Err(Inexpressible(why.into()))
            }
            simple => self.simple_demand(exception.code, simple),
        }
    }

    /// The expression; what was delivered is `call`. `wanted`: the type that is expected of it, if one is.
    pub(super) fn term(
        &mut self,
        term: &Term,
        call: &Expr,
        wanted: Option<&JavaType>,
    ) -> Result<JavaExpr, Inexpressible> {
        let object = JavaType::object();
        match term {
            Term::Delivered => Ok(call.code.clone()),
            Term::Result(node) => self.results.get(node).cloned().ok_or_else(|| {
                Inexpressible("what the test had of another call is not there".into())
            }),
            Term::Literal(value) => Ok(self.value(value, wanted.unwrap_or(&object))?.code),
            Term::Text { class, text } => self.text(class, text),
            Term::Element { array, index } => {
                let array = self.term(array, call, None)?;
                let element = array.ty.element();
                match element.is_some_and(|ty| self.scope.type_accessible(ty)) {
                    true => Ok(array.element(JavaExpr::int(*index))),
                    false => Err(cannot_name(&self.scope, &array.ty)),
                }
            }
            Term::Static { field } => {
                let class = self.named(&field.owner)?;
                Ok(JavaExpr::field(
                    class,
                    &field.name,
                    JavaType::of(&field.desc),
                ))
            }
            Term::Function { function, captured } => {
                let (function, _) = self.function(function, captured)?;
                Ok(function.code)
            }
            Term::Array { class, items } => {
                let ty = self.named(class)?;
                Ok(JavaExpr::array_of(ty, self.terms(items, call)?))
            }
            Term::Elements { class, items } => self.elements_of(class, items, call),
            Term::Entries { items, .. } => {
                if items.len() > 2 * ENTRIES || items.iter().any(is_null) {
                    return Err(Inexpressible("a map cannot be written in one".into()));
                }
                let map = JavaType::class("java/util/Map");
                Ok(JavaExpr::factory(map, "of", self.terms(items, call)?))
            }
            Term::Call {
                member,
                receiver,
                args,
            } => self.call_of(member, receiver.as_deref(), args, call),
        }
    }

    fn terms(&mut self, items: &[Term], call: &Expr) -> Result<Vec<JavaExpr>, Inexpressible> {
        items.iter().map(|t| self.term(t, call, None)).collect()
    }

    /// A collection that is equal to the recorded one.
    fn elements_of(
        &mut self,
        class: &str,
        items: &[Term],
        call: &Expr,
    ) -> Result<JavaExpr, Inexpressible> {
        let simple = class.rsplit('/').next().unwrap_or(class);
        let set = simple.contains("Set");
        if !set
            && !["List", "Vector", "Stack"]
                .iter()
                .any(|n| simple.contains(n))
        {
            return Err(Inexpressible(format!(
                "a {simple} cannot be written in one"
            )));
        }
        let null = items.iter().any(is_null);
        let items = self.terms(items, call)?;
        let (factory, method, ty) = match (set, null) {
            (true, false) => ("java/util/Set", "of", "java/util/Set"),
            (false, false) => ("java/util/List", "of", "java/util/List"),
            (false, true) => ("java/util/Arrays", "asList", "java/util/List"),
            (true, true) => return Err(Inexpressible("a set holds null".into())),
        };
        let (factory, ty) = (JavaType::class(factory), JavaType::class(ty));
        Ok(JavaExpr::call(factory, method, items, ty))
    }

    fn call_of(
        &mut self,
        member: &MemberRef,
        receiver: Option<&Term>,
        args: &[Term],
        call: &Expr,
    ) -> Result<JavaExpr, Inexpressible> {
        let types = params(&member.desc);
        if types.len() != args.len() {
            return Err(Inexpressible(format!(
                "{} has other arguments",
                member.name
            )));
        }
        let mut given = Vec::new();
        for (index, (arg, ty)) in args.iter().zip(&types).enumerate() {
            let spread = match arg {
                Term::Array { items, .. } if index + 1 == types.len() => {
                    self.takes_any_number(member).then_some(items)
                }
                _ => None,
            };
            match spread {
                Some(items) => given.extend(self.terms(items, call)?),
                None => {
                    let arg = self.term(arg, call, Some(ty))?;
                    given.push(self.as_argument(arg, ty));
                }
            }
        }
        let owner = &member.owner;
        if member.name == "<init>" {
            let diamond = is_generic_container(owner);
            return Ok(JavaExpr::make_generic(self.named(owner)?, diamond, given));
        }
        let target = match receiver {
            Some(receiver) => {
                let receiver = self.term(receiver, call, None)?;
                self.as_receiver(receiver, member)?.into()
            }
            None => Target::Static(self.named(owner)?),
        };
        self.throws = self.throws.max(self.scope.throws(member));
        let ty = result(&member.desc).unwrap_or(JavaType::Void);
        Ok(JavaExpr::call(target, &member.name, given, ty))
    }

    /// Frameworks and the JDK take what they show by `...`; of recorded methods it is known.
    fn takes_any_number(&self, member: &MemberRef) -> bool {
        match self.scope.find(member) {
            Some((_, method)) => method.access & ACC_VARARGS != 0,
            None => true,
        }
    }

    /// The recorded program had given it with a cast, if the types do not fit.
    fn as_argument(&self, arg: JavaExpr, ty: &JavaType) -> JavaExpr {
        let loses = arg.ty.is_object() && *ty != arg.ty && ty.is_reference();
        match loses && self.scope.type_accessible(ty) {
            true => arg.cast(ty.clone()),
            false => arg,
        }
    }

    fn as_receiver(
        &self,
        receiver: JavaExpr,
        member: &MemberRef,
    ) -> Result<JavaExpr, Inexpressible> {
        if receiver.ty == JavaType::Null {
            return Err(Inexpressible("the receiver was null".into()));
        }
        let is_other = !JavaType::class(&member.owner).is_object() && !is_of_object(member);
        match receiver.ty.is_object() && is_other {
            true => Ok(receiver.cast(self.named(&member.owner)?)),
            false => Ok(receiver),
        }
    }

    /// The type of a class constant, if the test can name it.
    fn named(&self, class: &str) -> Result<JavaType, Inexpressible> {
        let ty = JavaType::class(class);
        match self.scope.type_accessible(&ty) {
            true => Ok(ty),
            false => Err(cannot_name(&self.scope, &ty)),
        }
    }
}

/// A whole number as one of the primitive type `ty`: an assertion widens or boxes both.
fn as_type(value: &Value, ty: &JavaType) -> Value {
    let (Value::Prim(prim) | Value::Boxed(prim)) = value else {
        return value.clone();
    };
    let number = match *prim {
        Prim::Byte(v) => i64::from(v),
        Prim::Short(v) => i64::from(v),
        Prim::Int(v) => i64::from(v),
        Prim::Long(v) => v,
        _ => return value.clone(),
    };
    let narrowed = match ty.primitive() {
        Some(Primitive::Byte) => i8::try_from(number).ok().map(Prim::Byte),
        Some(Primitive::Short) => i16::try_from(number).ok().map(Prim::Short),
        Some(Primitive::Int) => i32::try_from(number).ok().map(Prim::Int),
        Some(Primitive::Long) => Some(Prim::Long(number)),
        _ => None,
    };
    narrowed.map_or_else(|| value.clone(), Value::Prim)
}

fn is_null(term: &Term) -> bool {
    *term == Term::Literal(Value::Null)
}

fn is_of_object(member: &MemberRef) -> bool {
    ["toString", "hashCode", "equals"].contains(&member.name.as_str())
}
