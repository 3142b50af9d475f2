//! Lambdas and method references, as the program has them.

use std::collections::HashMap;

use jinsi_classfile::references::{INVOKE_STATIC, NEW_INVOKE_SPECIAL};
use jinsi_trace::model::{MemberRef, Value};

use super::Inexpressible;
use super::access::{params, result};
use super::body::Fields;
use super::generic;
use super::java::{JavaExpr, JavaType, Node, Parameter, Target};
use super::writer::{Expr, Writer};
use jinsi_level::function::Function;

/// What the type arguments of the JDK's usual interfaces are: of the types of its parameters (`0`, `1`) and of its result (`r`).
const ARGUMENTS: [(&str, &str); 16] = [
    ("java/util/Comparator", "0"),
    ("java/util/concurrent/Callable", "r"),
    ("java/util/function/BiConsumer", "01"),
    ("java/util/function/BiFunction", "01r"),
    ("java/util/function/BiPredicate", "01"),
    ("java/util/function/BinaryOperator", "r"),
    ("java/util/function/Consumer", "0"),
    ("java/util/function/Function", "0r"),
    ("java/util/function/IntFunction", "r"),
    ("java/util/function/LongFunction", "r"),
    ("java/util/function/Predicate", "0"),
    ("java/util/function/Supplier", "r"),
    ("java/util/function/ToDoubleFunction", "0"),
    ("java/util/function/ToIntFunction", "0"),
    ("java/util/function/ToLongFunction", "0"),
    ("java/util/function/UnaryOperator", "r"),
];

impl Writer<'_> {
    /// The function object, and how to declare a variable of it.
    pub(super) fn function(
        &mut self,
        function: &Function,
        captured: &[Value],
    ) -> Result<(Expr, Option<JavaType>), Inexpressible> {
        let node = match function.is_lambda() {
            true => self.lambda(function, captured)?,
            false => self.reference(function, captured)?,
        };
        let interface = function.interface();
        if !self.scope.class_accessible(interface) {
            let name = interface.replace('/', ".");
            return Err(Inexpressible(format!(
                "the interface {name} is not accessible"
            )));
        }
        let code = JavaExpr::new(JavaType::class(interface), node);
        Ok((code.into(), Some(self.function_type(function))))
    }

    /// `Type::method`, `object::method` or `Type::new`.
    fn reference(
        &mut self,
        function: &Function,
        captured: &[Value],
    ) -> Result<Node, Inexpressible> {
        let target = &function.target;
        if !self.scope.class_accessible(&target.owner) || !self.scope.member_accessible(target) {
            return Err(inaccessible(target));
        }
        let owner = JavaType::class(&target.owner);
        let of = match (captured, function.kind) {
            ([receiver], kind) if kind != INVOKE_STATIC && kind != NEW_INVOKE_SPECIAL => {
                Target::from(self.kept(receiver, &owner)?)
            }
            ([], _) => Target::Static(owner),
            _ => return Err(inaccessible(target)),
        };
        let name = match function.kind {
            NEW_INVOKE_SPECIAL => "new",
            _ => &target.name,
        };
        Ok(Node::Reference(of, name.to_owned()))
    }

    /// `x -> body`. In a raw interface, parameters have the types that its method declares.
    fn lambda(&mut self, function: &Function, captured: &[Value]) -> Result<Node, Inexpressible> {
        let types = params(&function.target.desc);
        let is_static = function.kind == INVOKE_STATIC;
        let (this, rest) = match (is_static, captured) {
            (true, captured) => (None, captured),
            (false, [this, rest @ ..]) => (Some(this), rest),
            (false, []) => return Err(inaccessible(&function.target)),
        };
        let mut locals = Vec::new();
        if let Some(this) = this {
            let ty = JavaType::class(&function.target.owner);
            locals.push(self.kept(this, &ty)?);
        }
        for (value, ty) in rest.iter().zip(&types) {
            locals.push(self.kept(value, ty)?);
        }
        let types = &types[rest.len().min(types.len())..];
        self.arrow(function, types, locals, HashMap::new())
    }

    /// The lambda that does what a method of an object does, which has these fields; and how to declare a variable of it.
    pub(super) fn with_fields(
        &mut self,
        function: &Function,
        fields: Fields,
    ) -> Result<(Expr, JavaType), Inexpressible> {
        let types = params(&function.target.desc);
        let this = JavaExpr::new(JavaType::class(&function.target.owner), Node::This);
        let node = self.arrow(function, &types, vec![this], fields)?;
        let code = JavaExpr::new(JavaType::class(function.interface()), node);
        Ok((code.into(), self.function_type(function)))
    }

    /// `x -> body`, with parameters of these `types` behind the locals that are known.
    fn arrow(
        &mut self,
        function: &Function,
        types: &[JavaType],
        mut locals: Vec<JavaExpr>,
        fields: Fields,
    ) -> Result<Node, Inexpressible> {
        let mut parameters = Vec::new();
        // A raw interface's method takes what its type parameters are erased to.
        let taken = match self.raw_functions {
            true => params(&function.erased),
            false => types.to_vec(),
        };
        for (ty, taken) in types.iter().zip(taken) {
            let variable = self.variables.of(ty);
            let parameter = JavaExpr::name(variable.clone(), taken.clone());
            locals.push(match taken == *ty {
                true => parameter,
                false => parameter.cast(ty.clone()),
            });
            parameters.push(Parameter {
                variable,
                ty: self.raw_functions.then_some(taken),
            });
        }
        let body = self.body(&function.target, locals, fields)?;
        Ok(Node::Lambda(parameters, body))
    }

    /// What a function has captured, as something that is the same each time.
    pub(super) fn kept(&mut self, value: &Value, ty: &JavaType) -> Result<JavaExpr, Inexpressible> {
        let expr = self.value(value, ty)?;
        match value {
            Value::Object(id) if expr.code.variable().is_none() => {
                let declared = expr.ty().clone();
                Ok(self.declare(Some(*id), declared, expr).code)
            }
            _ => Ok(expr.code),
        }
    }

    /// The type of a variable for it.
    fn function_type(&mut self, function: &Function) -> JavaType {
        let ty = JavaType::class(function.interface());
        let arguments = self.arguments(function).filter(|_| !self.raw_functions);
        let Some(arguments) = arguments else {
            self.untyped |= function.erased != function.instantiated;
            return ty;
        };
        let named = |ty: JavaType| match ty.is_reference() && self.scope.type_accessible(&ty) {
            true => ty,
            false => JavaType::object(),
        };
        ty.with(arguments.into_iter().map(named).collect())
    }

    /// The interface's type arguments; `None`: they are not known.
    fn arguments(&self, function: &Function) -> Option<Vec<JavaType>> {
        let interface = function.interface();
        let Some((_, arguments)) = ARGUMENTS.iter().find(|(of, _)| *of == interface) else {
            let class = self.request.classes.class_file(interface)?;
            return generic::arguments(&class, function);
        };
        let parameters = params(&function.instantiated);
        let stands_for = |argument| match argument {
            b'r' => result(&function.instantiated),
            at => parameters.get(usize::from(at - b'0')).cloned(),
        };
        arguments.bytes().map(stands_for).collect()
    }
}

fn inaccessible(target: &MemberRef) -> Inexpressible {
    let owner = target.owner.replace('/', ".");
    Inexpressible(format!(
        "a function calls {owner}.{}, which is not accessible to a test",
        target.name
    ))
}
