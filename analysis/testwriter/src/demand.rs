//! The assertion of the recorded test, about the value that the written test gets.

use jinsi_classfile::ACC_VARARGS;
use jinsi_trace::model::{MemberRef, Prim, Value};

use super::Inexpressible;
use super::access::{Scope, desc_of, params, result};
use super::claim::Claim;
use super::framework::Framework;
use super::line::Line;
use super::writer::{Expr, NULL_TYPE, Writer};
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
                        let array = actual.ty.starts_with('[');
                        let ty = actual.ty.clone();
                        let expected = &self.term(expected, &call, Some(&ty))?.text;
                        let actual = &actual;
                        self.claim(&match array {
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
            Demand::Throws(exception) => self.assert_thrown(&call, exception),
            simple => self.simple_demand(call, simple),
        }
    }

    /// One that says itself what is wrong.
    fn simple_demand(&mut self, call: Expr, demand: &Demand) -> Result<(), Inexpressible> {
        match demand {
            Demand::Holds { actual, wanted } => {
                let condition = &self.term(actual, &call, None)?.text;
                let wanted = *wanted;
                self.claim(&Claim::Holds { condition, wanted });
                Ok(())
            }
            Demand::Null { actual, wanted } => {
                let actual = &self.term(actual, &call, None)?;
                let wanted = *wanted;
                self.claim(&Claim::Null { actual, wanted });
                Ok(())
            }
            Demand::InstanceOf { actual, wanted } => self.instance_of(actual, wanted, &call),
            Demand::Stated(statement) => self.stated(statement, &call),
            Demand::Equal { .. } | Demand::Differs { .. } | Demand::Throws(_) => {
                Err(Inexpressible("it takes the value that is wrong".into()))
            }
        }
    }

    fn instance_of(
        &mut self,
        actual: &Term,
        wanted: &str,
        call: &Expr,
    ) -> Result<(), Inexpressible> {
        let actual = &self.term(actual, call, None)?;
        let class = &self.named(wanted)?;
        self.claim(&Claim::InstanceOf { actual, class });
        Ok(())
    }

    fn stated(&mut self, statement: &Term, call: &Expr) -> Result<(), Inexpressible> {
        let is_call = matches!(statement, Term::Call { .. });
        let statement = self.term(statement, call, None)?;
        match is_call {
            true => self.code(statement.text + ";"),
            // Java has no statement that is a mere expression.
            false => {
                let ty = self.imports.descriptor(&statement.ty);
                self.declare(None, &ty, statement);
            }
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
        call: &Expr,
        exception: &WantedException,
    ) -> Result<(), Inexpressible> {
        if !self.demands {
            let why = "the exception that the test expected cannot be written";
            return Err(Inexpressible(why.into()));
        }
        let class = &self.named(&exception.class)?;
        let call = &self.with_those_before(call);
        if exception.further.is_empty() {
            let call = &call.text;
            self.claim(&Claim::Throws { class, call });
            return Ok(());
        }
        let thrown = self.thrown_by(call, &exception.class)?;
        for demand in &exception.further {
            self.demand_of_exception(thrown.clone(), demand)?;
        }
        Ok(())
    }

    /// The call as the last statement of a block, if calls before it may throw what is expected, too.
    fn with_those_before(&mut self, call: &Expr) -> Expr {
        let from = self.thrown_from.take().unwrap_or(self.lines.len());
        // JUnit 3 has no assertion that takes a block.
        let is_plain = |line: &Line| matches!(line, Line::Code(_) | Line::Declare { .. });
        let before = &self.lines[from.min(self.lines.len())..];
        if before.is_empty() || !before.iter().all(is_plain) || self.framework == Framework::Junit3
        {
            return call.clone();
        }
        let statements = self
            .lines
            .split_off(from)
            .into_iter()
            .map(|line| match line {
                Line::Declare { ty, name, init, .. } => format!("{ty} {name} = {init};"),
                other => other.code().to_owned(),
            });
        let statements: Vec<String> = statements.collect();
        let text = format!("{{ {} {}; }}", statements.join(" "), call.text);
        Expr::new(text, call.ty.as_str())
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
                let actual = &self.term(actual, &exception, None)?;
                let ty = actual.ty.clone();
                let expected = &self.term(expected, &exception, Some(&ty))?.text;
                self.claim(&Claim::Equal { expected, actual });
                Ok(())
            }
            Demand::Differs { .. } | Demand::Throws(_) => {
                let why = "what the test expected of the exception cannot be written";
                Err(Inexpressible(why.into()))
            }
            simple => self.simple_demand(exception, simple),
        }
    }

    /// The expression; what was delivered is `call`. `wanted`: the type that is expected of it, if one is.
    fn term(
        &mut self,
        term: &Term,
        call: &Expr,
        wanted: Option<&str>,
    ) -> Result<Expr, Inexpressible> {
        match term {
            Term::Delivered => Ok(call.clone()),
            Term::Literal(value @ (Value::Prim(_) | Value::Boxed(_))) => {
                self.value(value, wanted.unwrap_or_default())
            }
            Term::Literal(value) => self.value(value, wanted.unwrap_or("Ljava/lang/Object;")),
            Term::Text { class, text } => self.text(class, text),
            Term::Element { array, index } => {
                let array = self.term(array, call, None)?;
                let element = array.ty.strip_prefix('[').map(str::to_owned);
                let element = element.filter(|ty| self.scope.type_accessible(ty));
                let ty = element.ok_or_else(|| cannot_name(&self.scope, &array.ty))?;
                Ok(Expr::new(format!("{}[{index}]", array.text), ty))
            }
            Term::Static { field } => {
                let class = self.named(&field.owner)?;
                Ok(Expr::new(
                    format!("{class}.{}", field.name),
                    field.desc.as_str(),
                ))
            }
            Term::Function { function, captured } => {
                let (function, _) = self.function(function, captured)?;
                Ok(function)
            }
            Term::Array { class, items } => {
                if !self.scope.type_accessible(class) {
                    return Err(cannot_name(&self.scope, class));
                }
                let items = self.terms(items, call)?.join(", ");
                let name = self.imports.descriptor(class);
                Ok(Expr::new(format!("new {name} {{{items}}}"), class.as_str()))
            }
            Term::Elements { class, items } => self.elements_of(class, items, call),
            Term::Entries { items, .. } => {
                if items.len() > 2 * ENTRIES || items.iter().any(is_null) {
                    return Err(Inexpressible("a map cannot be written in one".into()));
                }
                let items = self.terms(items, call)?.join(", ");
                let map = self.imports.class("java/util/Map");
                Ok(Expr::new(format!("{map}.of({items})"), "Ljava/util/Map;"))
            }
            Term::Call {
                member,
                receiver,
                args,
            } => self.call_of(member, receiver.as_deref(), args, call),
        }
    }

    fn terms(&mut self, items: &[Term], call: &Expr) -> Result<Vec<String>, Inexpressible> {
        let texts = items.iter().map(|t| Ok(self.term(t, call, None)?.text));
        texts.collect()
    }

    /// A collection that is equal to the recorded one.
    fn elements_of(
        &mut self,
        class: &str,
        items: &[Term],
        call: &Expr,
    ) -> Result<Expr, Inexpressible> {
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
        let items = self.terms(items, call)?.join(", ");
        let (factory, ty) = match (set, null) {
            (true, false) => ("java/util/Set", "java/util/Set"),
            (false, false) => ("java/util/List", "java/util/List"),
            (false, true) => ("java/util/Arrays", "java/util/List"),
            (true, true) => return Err(Inexpressible("a set holds null".into())),
        };
        let method = if null { "asList" } else { "of" };
        let factory = self.imports.class(factory);
        Ok(Expr::new(
            format!("{factory}.{method}({items})"),
            desc_of(ty),
        ))
    }

    fn call_of(
        &mut self,
        member: &MemberRef,
        receiver: Option<&Term>,
        args: &[Term],
        call: &Expr,
    ) -> Result<Expr, Inexpressible> {
        let types = params(&member.desc);
        if types.len() != args.len() {
            return Err(Inexpressible(format!(
                "{} has other arguments",
                member.name
            )));
        }
        let mut texts = Vec::new();
        for (index, (arg, ty)) in args.iter().zip(&types).enumerate() {
            let spread = match arg {
                Term::Array { items, .. } if index + 1 == types.len() => {
                    self.takes_any_number(member).then_some(items)
                }
                _ => None,
            };
            match spread {
                Some(items) => texts.extend(self.terms(items, call)?),
                None => {
                    let arg = self.term(arg, call, Some(ty))?;
                    texts.push(self.as_argument(arg, ty));
                }
            }
        }
        let args = texts.join(", ");
        if member.name == "<init>" {
            let class = self.named(&member.owner)?;
            let diamond = if super::member::is_generic_container(&member.owner) {
                "<>"
            } else {
                ""
            };
            let text = format!("new {class}{diamond}({args})");
            return Ok(Expr::new(text, desc_of(&member.owner)));
        }
        let target = match receiver {
            Some(receiver) => {
                let receiver = self.term(receiver, call, None)?;
                self.as_receiver(receiver, member)?
            }
            None => self.named(&member.owner)?,
        };
        self.throws = self.throws.max(self.scope.throws(member));
        let ty = result(&member.desc).unwrap_or_else(|| "V".into());
        Ok(Expr::new(format!("{target}.{}({args})", member.name), ty))
    }

    /// Frameworks and the JDK take what they show by `...`; of recorded methods it is known.
    fn takes_any_number(&self, member: &MemberRef) -> bool {
        match self.scope.find(member) {
            Some((_, method)) => method.access & ACC_VARARGS != 0,
            None => true,
        }
    }

    /// The recorded program had given it with a cast, if the types do not fit.
    fn as_argument(&mut self, arg: Expr, ty: &str) -> String {
        let loses = arg.ty == "Ljava/lang/Object;" && ty != arg.ty && ty.starts_with(['L', '[']);
        if loses && self.scope.type_accessible(ty) {
            return format!("({}) {}", self.imports.descriptor(ty), arg.text);
        }
        arg.text
    }

    fn as_receiver(&mut self, receiver: Expr, member: &MemberRef) -> Result<String, Inexpressible> {
        if receiver.ty == NULL_TYPE {
            return Err(Inexpressible("the receiver was null".into()));
        }
        let own = desc_of(&member.owner);
        if receiver.ty == "Ljava/lang/Object;" && own != receiver.ty && !is_of_object(member) {
            let class = self.named(&member.owner)?;
            return Ok(format!("(({class}) {})", receiver.text));
        }
        Ok(match receiver.text.starts_with("new ") {
            true => format!("({})", receiver.text),
            false => receiver.text,
        })
    }

    /// The class as the test names it.
    fn named(&mut self, class: &str) -> Result<String, Inexpressible> {
        if !self.scope.class_accessible(class) {
            return Err(cannot_name(&self.scope, class));
        }
        Ok(self.imports.class(class))
    }
}

/// A whole number as one of the primitive type `ty`: an assertion widens or boxes both.
fn as_type(value: &Value, ty: &str) -> Value {
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
    let narrowed = match ty {
        "B" => i8::try_from(number).ok().map(Prim::Byte),
        "S" => i16::try_from(number).ok().map(Prim::Short),
        "I" => i32::try_from(number).ok().map(Prim::Int),
        "J" => Some(Prim::Long(number)),
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

fn cannot_name(scope: &Scope<'_>, class: &str) -> Inexpressible {
    let why = scope.not_importable(class);
    Inexpressible(why.unwrap_or_else(|| format!("the type {class} is not accessible")))
}
