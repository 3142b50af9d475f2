//! Lambdas and method references, as the program has them.

use std::collections::HashMap;

use jinsi_classfile::references::{INVOKE_STATIC, NEW_INVOKE_SPECIAL};
use jinsi_trace::model::{MemberRef, Value};

use super::Inexpressible;
use super::access::{desc_of, element_of_desc, params, result};
use super::body::Fields;
use super::generic;
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
    ) -> Result<(Expr, Option<String>), Inexpressible> {
        let text = match function.is_lambda() {
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
        let declared = self.function_type(function);
        Ok((Expr::new(text, desc_of(interface)), Some(declared)))
    }

    /// `Type::method`, `object::method` or `Type::new`.
    fn reference(
        &mut self,
        function: &Function,
        captured: &[Value],
    ) -> Result<String, Inexpressible> {
        let target = &function.target;
        if !self.scope.class_accessible(&target.owner) || !self.scope.member_accessible(target) {
            return Err(inaccessible(target));
        }
        let of = match (captured, function.kind) {
            ([receiver], kind) if kind != INVOKE_STATIC && kind != NEW_INVOKE_SPECIAL => {
                self.kept(receiver, &desc_of(&target.owner))?
            }
            ([], _) => self.imports.class(&target.owner),
            _ => return Err(inaccessible(target)),
        };
        let name = match function.kind {
            NEW_INVOKE_SPECIAL => "new",
            _ => &target.name,
        };
        Ok(format!("{of}::{name}"))
    }

    /// `x -> body`. In a raw interface, parameters have the types that its method declares.
    fn lambda(&mut self, function: &Function, captured: &[Value]) -> Result<String, Inexpressible> {
        let types = params(&function.target.desc);
        let is_static = function.kind == INVOKE_STATIC;
        let (this, rest) = match (is_static, captured) {
            (true, captured) => (None, captured),
            (false, [this, rest @ ..]) => (Some(this), rest),
            (false, []) => return Err(inaccessible(&function.target)),
        };
        let mut locals = Vec::new();
        if let Some(this) = this {
            let ty = desc_of(&function.target.owner);
            locals.push((self.kept(this, &ty)?, ty));
        }
        for (value, ty) in rest.iter().zip(&types) {
            locals.push((self.kept(value, ty)?, ty.clone()));
        }
        let types = &types[rest.len().min(types.len())..];
        self.arrow(function, types, locals, HashMap::new())
    }

    /// The lambda that does what a method of an object does, which has these fields; and how to declare a variable of it.
    pub(super) fn with_fields(
        &mut self,
        function: &Function,
        fields: Fields,
    ) -> Result<(Expr, String), Inexpressible> {
        let types = params(&function.target.desc);
        let this = ("this".to_owned(), desc_of(&function.target.owner));
        let text = self.arrow(function, &types, vec![this], fields)?;
        let declared = self.function_type(function);
        Ok((Expr::new(text, desc_of(function.interface())), declared))
    }

    /// `x -> body`, with parameters of these `types` behind the locals that are known.
    fn arrow(
        &mut self,
        function: &Function,
        types: &[String],
        mut locals: Vec<(String, String)>,
        fields: Fields,
    ) -> Result<String, Inexpressible> {
        let mut names = Vec::new();
        // A raw interface's method takes what its type parameters are erased to.
        let taken = match self.raw {
            true => params(&function.erased),
            false => types.to_vec(),
        };
        for (ty, taken) in types.iter().zip(taken) {
            let name = self.variables.name(ty);
            locals.push(match taken == *ty {
                true => (name.clone(), ty.clone()),
                false => {
                    let cast = self.imports.descriptor(ty);
                    (format!("(({cast}) {name})"), ty.clone())
                }
            });
            names.push((name, taken));
        }
        let body = self.body(&function.target, locals, fields)?;
        let head = match (&names[..], self.raw) {
            ([(name, _)], false) => name.clone(),
            (names, false) => {
                let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
                format!("({})", names.join(", "))
            }
            (names, true) => {
                let mut typed = Vec::new();
                for (name, ty) in names {
                    typed.push(format!("{} {name}", self.imports.descriptor(ty)));
                }
                format!("({})", typed.join(", "))
            }
        };
        Ok(format!("{head} -> {body}"))
    }

    /// What a function has captured, as something that is the same each time.
    pub(super) fn kept(&mut self, value: &Value, ty: &str) -> Result<String, Inexpressible> {
        let expr = self.value(value, ty)?;
        let is_name = expr.text.chars().all(|c| c.is_alphanumeric() || c == '_');
        match value {
            Value::Object(id) if !is_name => {
                let declared = self.imports.descriptor(&expr.ty);
                Ok(self.declare(Some(*id), &declared, expr).text)
            }
            _ => Ok(expr.text),
        }
    }

    /// The type of a variable for it.
    fn function_type(&mut self, function: &Function) -> String {
        let name = self.imports.class(function.interface());
        let arguments = self.arguments(function).filter(|_| !self.raw);
        let Some(arguments) = arguments else {
            self.untyped |= function.erased != function.instantiated;
            return name;
        };
        if arguments.is_empty() {
            return name;
        }
        let mut types = Vec::new();
        for ty in arguments {
            let named = Some(ty).filter(|ty| ty.starts_with(['L', '[']));
            let named = named
                .filter(|ty| element_of_desc(ty).is_none_or(|c| self.scope.class_accessible(c)));
            types.push(named.map_or_else(|| "Object".into(), |ty| self.imports.descriptor(&ty)));
        }
        format!("{name}<{}>", types.join(", "))
    }

    /// Descriptors of the interface's type arguments; `None`: they are not known.
    fn arguments(&self, function: &Function) -> Option<Vec<String>> {
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
