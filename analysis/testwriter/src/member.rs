//! Member accesses: calls, constructions, field reads and writes.

use jinsi_trace::model::{MemberRef, ObjectId, Prim, Text, Value};

use super::access::{Scope, Throws, params, result};
use super::chained::is_fluent;
use super::classes::is_hidden;
use super::java::{JavaExpr, JavaType, LambdaBody, Node, Parameter, Primitive, Target};
use super::plan::object;
use super::writer::{Expr, Writer};
use super::{Form, Inexpressible};
use jinsi_level::{Operation, Role, coroutines};

impl Writer<'_> {
    /// The expression of an access, without what happens to its result.
    pub(super) fn access(
        &mut self,
        op: Operation,
        member: &MemberRef,
        target_class: &str,
        receiver: &Value,
        args: &[Value],
    ) -> Result<Expr, Inexpressible> {
        self.asked.note(op, member);
        let direct = self.attempt(|w| w.direct(op, member, target_class, receiver, args));
        match direct {
            Err(_) if self.form == Form::Replay => {
                self.by_name(op, member, target_class, receiver, args)
            }
            other => other,
        }
    }

    fn direct(
        &mut self,
        op: Operation,
        member: &MemberRef,
        target_class: &str,
        receiver: &Value,
        args: &[Value],
    ) -> Result<Expr, Inexpressible> {
        match op {
            Operation::Construct => self.construct(member, target_class, args),
            Operation::CallStatic | Operation::GetStatic | Operation::PutStatic => {
                let through = MemberRef {
                    owner: self.through(member, target_class)?.into(),
                    ..member.clone()
                };
                let class = JavaType::class(&through.owner);
                self.select(op, class.into(), &through, args)
            }
            Operation::Call | Operation::GetField | Operation::PutField => {
                let (receiver, through) = self.receiver(member, receiver)?;
                let meant = self.scope.written(&through);
                self.select(
                    op,
                    receiver.into(),
                    meant.as_ref().unwrap_or(&through),
                    args,
                )
            }
        }
    }

    /// `target.member(args)`, `target.field` or `target.field = arg`.
    fn select(
        &mut self,
        op: Operation,
        target: Target,
        member: &MemberRef,
        args: &[Value],
    ) -> Result<Expr, Inexpressible> {
        let ty = result(&member.desc).unwrap_or(JavaType::Void);
        Ok(match op {
            Operation::GetField | Operation::GetStatic => JavaExpr::field(target, &member.name, ty),
            Operation::PutField | Operation::PutStatic => {
                let value = args
                    .first()
                    .ok_or_else(|| Inexpressible("a write without a value".into()))?;
                let value = self.value(value, &ty)?;
                let value = self.fitted(value, &ty, false)?;
                JavaExpr::field(target, &member.name, ty).assign(value)
            }
            _ if coroutines::is_waited_for(op, member, args) => {
                return self.run_blocking(target, member, args);
            }
            _ => JavaExpr::call(target, &member.name, self.args(member, args)?, ty),
        }
        .into())
    }

    /// The call of a suspend function: `BuildersKt.runBlocking(EmptyCoroutineContext.INSTANCE, (scope, done) -> target.member(args, done))`.
    fn run_blocking(
        &mut self,
        target: Target,
        member: &MemberRef,
        args: &[Value],
    ) -> Result<Expr, Inexpressible> {
        let mut args = self.args(member, args)?;
        args.pop();
        let scope = self.variables.named("scope");
        let done = self.variables.named("done");
        args.push(JavaExpr::name(
            done.clone(),
            JavaType::class("kotlin/coroutines/Continuation"),
        ));
        let call = JavaExpr::call(target, &member.name, args, JavaType::object());
        let parameters = [scope, done].map(|variable| Parameter { variable, ty: None });
        let body = LambdaBody::Value(Box::new(call));
        let block = JavaExpr::new(
            JavaType::class("kotlin/jvm/functions/Function2"),
            Node::Lambda(parameters.into(), body),
        );
        let context = JavaType::class("kotlin/coroutines/EmptyCoroutineContext");
        let context = JavaExpr::field(context.clone(), "INSTANCE", context);
        // It may be interrupted.
        self.throws = self.throws.max(Throws::Exception);
        let builders = JavaType::class("kotlinx/coroutines/BuildersKt");
        let ty = JavaType::object();
        Ok(JavaExpr::call(builders, "runBlocking", vec![context, block], ty).into())
    }

    fn construct(
        &mut self,
        member: &MemberRef,
        class: &str,
        args: &[Value],
    ) -> Result<Expr, Inexpressible> {
        let member = MemberRef {
            owner: class.into(),
            ..member.clone()
        };
        if !self.scope.class_accessible(class) || !self.scope.member_accessible(&member) {
            let function = match self.form {
                Form::Replay => None,
                _ => (self.attempt(|w| w.as_function(class, &member, args))).ok(),
            };
            if let Some((lambda, declared)) = function {
                self.made_function = Some(declared);
                return Ok(lambda);
            }
            return self
                .attempt(|w| w.by_reflection(&member, args))
                .map_err(|_| inaccessible(&self.scope, "constructor", class));
        }
        let mut args = self.args(&member, args)?;
        // The enclosing instance is the first parameter of the constructor and the qualifier of `new` (JLS §15.9.2).
        let is_inner = self.scope.is_inner(class) && !args.is_empty();
        let outer = is_inner.then(|| Box::new(args.remove(0)));
        let diamond = !is_inner && is_generic_container(class) && !self.raw;
        let made = Node::New {
            outer,
            diamond,
            args,
        };
        Ok(JavaExpr::new(JavaType::class(class), made).into())
    }

    /// The class to name a static member through.
    pub(super) fn through(
        &self,
        member: &MemberRef,
        target_class: &str,
    ) -> Result<String, Inexpressible> {
        let candidates = [member.owner.as_str(), target_class];
        let found = candidates.into_iter().find(|c| {
            self.scope.class_accessible(c)
                && self.scope.member_accessible(&MemberRef {
                    owner: (*c).into(),
                    ..member.clone()
                })
        });
        found
            .map(str::to_owned)
            .ok_or_else(|| inaccessible(&self.scope, &member.name, &member.owner))
    }

    /// The receiver as an expression on which the member can be named, and the member as seen through its type.
    pub(super) fn receiver(
        &mut self,
        member: &MemberRef,
        receiver: &Value,
    ) -> Result<(JavaExpr, MemberRef), Inexpressible> {
        let own = JavaType::class(&member.owner);
        let expr = self.value(receiver, &own)?;
        if *expr.ty() == JavaType::Null {
            return Err(Inexpressible("the receiver was null".into()));
        }
        let named = |w: &Self, through: &MemberRef| {
            let known = through.owner == member.owner || w.scope.find(through).is_some();
            // A variable of a JDK type whose members are not known was declared with the object's own class.
            let known = known || (expr.exact && !w.scope.members_known(&through.owner));
            let hidden = is_hidden(w.scope.classes, member, &through.owner);
            known
                && !hidden
                && w.scope.class_accessible(&through.owner)
                && w.scope.member_accessible(through)
        };
        // What is called of an array is a method of `Object`.
        let through = MemberRef {
            owner: match expr.ty().class_name() {
                Some(class) => class.into(),
                None => member.owner.clone(),
            },
            ..member.clone()
        };
        if named(self, &through) {
            return Ok((expr.code, through));
        }
        let class = match object(receiver).and_then(|id| self.request.level.objects.get(&id)) {
            Some(info) => self.scope.view(&info.class, &[member]),
            None => None,
        }
        .filter(|class| !is_hidden(self.scope.classes, member, class));
        let through = MemberRef {
            owner: class.map_or_else(|| member.owner.clone(), Text::from),
            ..member.clone()
        };
        if !self.scope.class_accessible(&through.owner) || !self.scope.member_accessible(&through) {
            return Err(inaccessible(&self.scope, &member.name, &member.owner));
        }
        let class = JavaType::class(&through.owner);
        Ok((expr.code.cast(class), through))
    }

    /// The arguments of a call, with the casts that make it mean this method.
    pub(super) fn args(
        &mut self,
        member: &MemberRef,
        args: &[Value],
    ) -> Result<Vec<JavaExpr>, Inexpressible> {
        self.throws = self.throws.max(self.scope.throws(member));
        let types = params(&member.desc);
        if types.len() != args.len() {
            return Err(Inexpressible(format!(
                "{} was recorded with {} arguments",
                member.name,
                args.len()
            )));
        }
        let written = match self.ends_with_nothing(member, args) {
            true => args.len() - 1,
            false => args.len(),
        };
        let given = self.given_on(args);
        let values = args[..written].iter().zip(&types).enumerate();
        let exprs: Vec<Expr> = values
            .map(
                |(index, (value, ty))| match given.iter().find(|given| given.index == index) {
                    Some(given) => self.result_given(&given.term, ty),
                    None => self.value(value, ty),
                },
            )
            .collect::<Result<_, _>>()?;
        let mut overloads = self.scope.overloads(member);
        overloads.retain(|o| {
            let mut pairs = exprs.iter().zip(&types).zip(o);
            pairs.all(|((expr, ty), other)| may_be_meant(expr.ty(), ty, other))
                && !self.is_out(o, &types, &exprs, &member.owner)
        });
        let mut all = Vec::new();
        for (i, (expr, ty)) in exprs.into_iter().zip(&types).enumerate() {
            let contested = overloads.iter().any(|o| o[i] != *ty)
                || (!self.scope.members_known(&member.owner)
                    && CONTESTED.contains(&member.name.as_str())
                    && *expr.ty() != JavaType::string());
            all.push(self.fitted(expr, ty, contested)?);
        }
        self.spread(member, &mut all);
        Ok(all)
    }

    /// Is the last argument an array without elements, where the method takes any number of them?
    fn ends_with_nothing(&self, member: &MemberRef, args: &[Value]) -> bool {
        let last = params(&member.desc).pop();
        let element = last.as_ref().and_then(JavaType::element);
        let is_array = element.is_some_and(|ty| ty.class_name().is_some());
        let info = args.last().and_then(object);
        let info = info.and_then(|id| self.request.level.objects.get(&id));
        is_array
            && TAKES_MORE.contains(&member.owner.as_str())
            && info.is_some_and(|array| array.length == Some(0))
    }

    /// The expression as an operand of the type `ty`. `contested`: another overload has another type here.
    pub(super) fn fitted(
        &mut self,
        expr: Expr,
        ty: &JavaType,
        contested: bool,
    ) -> Result<JavaExpr, Inexpressible> {
        let ambiguous = contested && expr.ty() != ty;
        let narrower = !expr.exact && !self.scope.is_subtype(expr.ty(), ty);
        if !ambiguous && !narrower {
            return Ok(expr.code);
        }
        match self.scope.type_accessible(ty) {
            true => Ok(expr.code.cast(ty.clone())),
            false => Err(cannot_name(&self.scope, ty)),
        }
    }

    /// The access by the name of its member, through the JUnit extension.
    fn by_name(
        &mut self,
        op: Operation,
        member: &MemberRef,
        target_class: &str,
        receiver: &Value,
        args: &[Value],
    ) -> Result<Expr, Inexpressible> {
        let types = params(&member.desc);
        let mut given = Vec::new();
        for (value, ty) in args.iter().zip(&types) {
            given.push(self.value(value, ty)?);
        }
        // A lone array or null would be taken for the array of variable arguments itself, and so would a result of any type.
        if let [only] = given.as_mut_slice()
            && (*only.ty() == JavaType::Null
                || only.inferred
                || only.ty().element().is_some_and(JavaType::is_reference))
        {
            only.code = only.code.clone().cast(JavaType::object());
        }
        let binary = |class: &str| JavaExpr::text(&class.replace('/', "."));
        let desc = JavaExpr::text(&member.desc);
        let (method, mut list, ty) = match op {
            Operation::Construct => {
                let list = vec![binary(target_class), desc];
                ("construct", list, JavaType::class(target_class))
            }
            Operation::Call | Operation::CallStatic => {
                let receiver = match op {
                    Operation::Call => self.value(receiver, &JavaType::class(&member.owner))?.code,
                    _ => JavaExpr::null(),
                };
                let name = JavaExpr::text(&member.name);
                let list = vec![binary(&member.owner), name, desc, receiver];
                let ty = result(&member.desc).unwrap_or(JavaType::Void);
                ("call", list, ty)
            }
            _ => return Err(inaccessible(&self.scope, &member.name, &member.owner)),
        };
        list.extend(given.into_iter().map(|expr| expr.code));
        Ok(Expr {
            code: JavaExpr::call(self.recording(), method, list, ty),
            exact: false,
            inferred: true,
        })
    }

    /// The class whose static methods say what source cannot.
    pub(super) fn recording(&self) -> JavaType {
        JavaType::class(self.framework.recording())
    }

    /// Ends a statement whose result nobody needs.
    fn needless(&mut self, call: Expr, op: Operation) {
        if self.made_function.take().is_some() {
            return;
        }
        // A field read alone is no statement (JLS §14.8).
        if matches!(op, Operation::GetField | Operation::GetStatic) {
            self.declare(None, call.ty().clone(), call);
        } else {
            self.code(call.code);
        }
    }

    /// The same call, whose result the script is told, if that has to be.
    pub(super) fn reported(&self, mut call: Expr, made: Option<ObjectId>) -> Expr {
        if let Some(id) = made.filter(|id| self.must_be_reported(*id)) {
            let ty = call.ty().clone();
            let args = vec![number_of(id), call.code];
            call.code = JavaExpr::call(self.recording(), "made", args, ty);
        }
        call
    }

    /// Ends the statement; keeps the result in a variable if a later step needs the object.
    pub(super) fn finish(&mut self, call: Expr, made: Option<ObjectId>, op: Operation) {
        let call = self.reported(call, made);
        let kept = made.filter(|id| self.is_needed(*id) && !self.bound.contains_key(id));
        let Some(id) = kept else {
            let is_chained = made.is_some_and(|id| self.chain(&call, id));
            if !is_chained {
                self.needless(call, op);
            }
            return;
        };
        if let Some(declared) = self.made_function.take() {
            match self.is_used_once(id) {
                true => drop(self.bound.insert(id, call)),
                false => drop(self.declare(Some(id), declared, call)),
            }
            return;
        }
        if op == Operation::Construct && is_literal(&call.code) && self.is_used_once(id) {
            self.bound.insert(id, call);
            return;
        }
        let info = self.request.level.objects.get(&id);
        let run_time = info.map_or_else(|| call.ty().clone(), |o| JavaType::class(&o.class));
        let ty = self.variable_type(id, call.ty(), &run_time);
        let class = ty.class_name();
        let declared = match class.filter(|c| op == Operation::Construct && is_generic_container(c))
        {
            Some(class) => self.filled_type(id, class),
            None => ty.clone(),
        };
        let exact = ty == run_time;
        let is_same = ty == *call.ty();
        let infers = self.request.infers_types && !self.raw && !call.inferred && is_same;
        let is_generic = class.is_some_and(is_generic);
        let declared = match infers && op != Operation::Construct && is_generic {
            true => None,
            false => Some(declared),
        };
        let cast = !call.inferred && !is_same && !self.scope.is_subtype(call.ty(), &ty);
        // What a raw type hides from the compiler may be an error where it is not hidden; fluent assertions are meant to be.
        let typed = declared
            .as_ref()
            .is_none_or(|ty| !is_generic && !ty.has_arguments() || !self.raw && is_fluent(ty));
        let movable = is_same && !call.inferred && typed;
        let code = match cast {
            true => call
                .code
                .cast(declared.clone().unwrap_or_else(|| ty.clone())),
            false => call.code,
        };
        let init = Expr {
            code,
            exact,
            inferred: false,
        };
        self.declare_as(Some(id), declared, ty, init, movable);
    }

    /// Is the object mentioned only once behind the step that makes it?
    fn is_used_once(&self, id: ObjectId) -> bool {
        self.plan.usage(id).is_some_and(|u| u.count == 1)
    }

    /// Does the script know this observed object, which the test has just made, by its identity only?
    fn must_be_reported(&self, id: ObjectId) -> bool {
        let info = self.request.level.objects.get(&id);
        self.named.contains(&id)
            && !self.bound.contains_key(&id)
            && info.is_some_and(|o| matches!(o.role, Role::Observed | Role::Given))
    }

    /// The type of a variable for an object that came from an expression of type `declared`: that type if it is all later
    /// steps ask for, else the object's own class, else the nearest supertype that will do.
    fn variable_type(&self, id: ObjectId, declared: &JavaType, run_time: &JavaType) -> JavaType {
        let Some(usage) = self.plan.usage(id) else {
            return JavaType::object();
        };
        let declared_does = declared.class_name().is_some_and(|class| {
            let sees = |m: &&MemberRef| {
                let through = MemberRef {
                    owner: class.into(),
                    ..(**m).clone()
                };
                self.scope.find(&through).is_some()
            };
            let passes = |ty: &JavaType| self.scope.is_subtype(declared, ty);
            usage.members.iter().all(sees) && usage.passed_as.iter().all(passes)
        });
        let preferred = match declared == run_time || declared_does {
            true => declared,
            false => run_time,
        };
        if self.scope.type_accessible(preferred) {
            return preferred.clone();
        }
        let Some(info) = self.request.level.objects.get(&id) else {
            return JavaType::object();
        };
        let supertypes = self.scope.supertypes(&info.class);
        let passed = supertypes.iter().find(|class| {
            let ty = JavaType::class(class);
            let passes = |wanted: &JavaType| self.scope.is_subtype(&ty, wanted);
            self.scope.sees(class, &usage.members) && usage.passed_as.iter().all(passes)
        });
        let passed = passed.map(|class| JavaType::class(class));
        let view = || self.scope.view(&info.class, &usage.members);
        let seen = passed.or_else(|| Some(JavaType::class(&view()?)));
        seen.unwrap_or_else(JavaType::object)
    }
}

/// The number of an object, as the extension takes it.
pub(super) fn number_of(id: ObjectId) -> JavaExpr {
    match i32::try_from(id) {
        Ok(number) => JavaExpr::int(number),
        Err(_) => JavaExpr::literal(Prim::Long(id as i64)),
    }
}

/// Methods of the JDK whose overloads differ in meaning for a box, `null` or an array, where the class file is not at hand.
const CONTESTED: [&str; 6] = ["remove", "append", "insert", "valueOf", "print", "println"];

/// Could an expression of the type `own`, which is passed as a `ty`, also be passed where an overload has an `other`? By strict invocation,
/// before which others do not come (JLS §15.12.2), a reference is no primitive, unless it is a box, and a primitive no reference.
fn may_be_meant(own: &JavaType, ty: &JavaType, other: &JavaType) -> bool {
    let is_boolean = |primitive| primitive == Primitive::Boolean;
    match (own.primitive(), other.primitive()) {
        (None, Some(_)) => own.unboxed().is_some(),
        (Some(_), None) => ty.primitive().is_none(),
        (Some(own), Some(other)) => is_boolean(own) == is_boolean(other),
        // A box has no classes below it.
        (None, None) => own == other || *own == JavaType::Null || other.unboxed().is_none(),
    }
}

pub(super) fn cannot_name(scope: &Scope<'_>, ty: &JavaType) -> Inexpressible {
    let name = ty.core().class_name().unwrap_or_default();
    let why = scope.not_importable(name);
    Inexpressible(why.unwrap_or_else(|| format!("the type {name} is not accessible")))
}

fn inaccessible(scope: &Scope<'_>, member: &str, class: &str) -> Inexpressible {
    Inexpressible(match scope.not_importable(class) {
        Some(why) => why,
        None => {
            let class = class.replace('/', ".");
            let unnamed = scope.package.is_empty();
            let place = if unnamed {
                " in the unnamed package"
            } else {
                ""
            };
            format!("{member} of {class} is not accessible from a test{place}")
        }
    })
}

/// Classes of the JDK whose methods take any number of what is in their last parameter, if that is an array of objects.
const TAKES_MORE: [&str; 3] = [
    "java/nio/file/Files",
    "java/nio/file/Path",
    "java/nio/file/Paths",
];

/// Is `new C<>(…)` right for this class of the JDK?
pub(super) fn is_generic_container(class: &str) -> bool {
    const GENERIC: [&str; 18] = [
        "ArrayList",
        "LinkedList",
        "Vector",
        "Stack",
        "ArrayDeque",
        "PriorityQueue",
        "HashSet",
        "LinkedHashSet",
        "TreeSet",
        "HashMap",
        "LinkedHashMap",
        "TreeMap",
        "Hashtable",
        "IdentityHashMap",
        "WeakHashMap",
        "concurrent/ConcurrentHashMap",
        "concurrent/CopyOnWriteArrayList",
        "concurrent/ConcurrentLinkedQueue",
    ];
    class
        .strip_prefix("java/util/")
        .is_some_and(|simple| GENERIC.contains(&simple))
}

/// The types of `java.util`, by their simple names, that say of an object that it holds others, and not how.
pub(super) const HOLDERS: [&str; 15] = [
    "Collection",
    "Deque",
    "Enumeration",
    "Iterator",
    "List",
    "ListIterator",
    "Map",
    "Map$Entry",
    "NavigableMap",
    "NavigableSet",
    "Optional",
    "Queue",
    "Set",
    "SortedMap",
    "SortedSet",
];

/// Does this type of the JDK's have type arguments, as the result of a call?
pub(super) fn is_generic(class: &str) -> bool {
    const FURTHER: [&str; 3] = [
        "concurrent/CompletableFuture",
        "concurrent/ConcurrentMap",
        "stream/Stream",
    ];
    let simple = class.strip_prefix("java/util/");
    is_generic_container(class)
        || simple.is_some_and(|s| {
            HOLDERS.contains(&s) || FURTHER.contains(&s) || s.starts_with("function/")
        })
}

/// Is this a number of the JDK's made of a literal alone, which reads well wherever it is used?
fn is_literal(made: &JavaExpr) -> bool {
    let of_numbers = ["java/math/BigDecimal", "java/math/BigInteger"];
    let is_number = |class: &str| of_numbers.contains(&class);
    let alone = match &made.node {
        Node::New { args, .. } => matches!(&args[..], [arg] if matches!(arg.node, Node::Text(_))),
        _ => false,
    };
    made.ty.class_name().is_some_and(is_number) && alone
}
