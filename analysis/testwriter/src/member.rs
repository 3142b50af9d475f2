//! Member accesses: calls, constructions, field reads and writes.

use jinsi_trace::model::{MemberRef, ObjectId, Text, Value};

use super::access::{Scope, desc_of, params, result};
use super::classes::is_hidden;
use super::plan::object;
use super::writer::{Expr, NULL_TYPE, Writer};
use super::{Form, Inexpressible};
use jinsi_level::{Operation, Role};

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
                let class = self.imports.class(&through.owner);
                self.select(op, &class, &through, args)
            }
            Operation::Call | Operation::GetField | Operation::PutField => {
                let (receiver, through) = self.receiver(member, receiver)?;
                let meant = self.scope.written(&through);
                self.select(op, &receiver, meant.as_ref().unwrap_or(&through), args)
            }
        }
    }

    /// `target.member(args)`, `target.field` or `target.field = arg`.
    fn select(
        &mut self,
        op: Operation,
        target: &str,
        member: &MemberRef,
        args: &[Value],
    ) -> Result<Expr, Inexpressible> {
        let name = &member.name;
        Ok(match op {
            Operation::GetField | Operation::GetStatic => {
                Expr::new(format!("{target}.{name}"), member.desc.as_str())
            }
            Operation::PutField | Operation::PutStatic => {
                let value = args
                    .first()
                    .ok_or_else(|| Inexpressible("a write without a value".into()))?;
                let value = self.value(value, &member.desc)?;
                let value = self.fitted(value, &member.desc, false)?;
                Expr::new(format!("{target}.{name} = {value}"), "V")
            }
            _ => {
                let args = self.args(member, args)?.join(", ");
                Expr::new(
                    format!("{target}.{name}({args})"),
                    result(&member.desc).unwrap_or_else(|| "V".into()),
                )
            }
        })
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
            return Err(inaccessible(&self.scope, "constructor", class));
        }
        let mut texts = self.args(&member, args)?;
        let text = if self.scope.is_inner(class) && !texts.is_empty() {
            // The enclosing instance is the first parameter of the constructor and the qualifier of `new` (JLS §15.9.2).
            let outer = texts.remove(0);
            let path = self.imports.class(class);
            let simple = path.rsplit('.').next().unwrap_or(&path);
            format!("{outer}.new {simple}({})", texts.join(", "))
        } else {
            let diamond = if is_generic_container(class) && !self.raw {
                "<>"
            } else {
                ""
            };
            format!(
                "new {}{diamond}({})",
                self.imports.class(class),
                texts.join(", ")
            )
        };
        Ok(Expr::new(text, desc_of(class)))
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
    ) -> Result<(String, MemberRef), Inexpressible> {
        let own = desc_of(&member.owner);
        let expr = self.value(receiver, &own)?;
        if expr.ty == NULL_TYPE {
            return Err(Inexpressible("the receiver was null".into()));
        }
        let seen_as = |ty: &str| MemberRef {
            owner: ty
                .strip_prefix('L')
                .and_then(|t| t.strip_suffix(';'))
                .unwrap_or(ty)
                .to_owned()
                .into(),
            ..member.clone()
        };
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
        let through = seen_as(&expr.ty);
        if named(self, &through) {
            let text = if expr.text.starts_with("new ") {
                format!("({})", expr.text)
            } else {
                expr.text
            };
            return Ok((text, through));
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
        let class = self.imports.class(&through.owner);
        Ok((format!("(({class}) {})", expr.text), through))
    }

    /// The arguments of a call, with the casts that make it mean this method.
    pub(super) fn args(
        &mut self,
        member: &MemberRef,
        args: &[Value],
    ) -> Result<Vec<String>, Inexpressible> {
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
        let exprs: Vec<Expr> = args[..written]
            .iter()
            .zip(&types)
            .map(|(value, desc)| self.value(value, desc))
            .collect::<Result<_, _>>()?;
        let mut overloads = self.scope.overloads(member);
        overloads.retain(|o| {
            let mut pairs = exprs.iter().zip(&types).zip(o);
            pairs.all(|((expr, desc), other)| may_be_meant(expr, desc, other))
        });
        let mut texts = Vec::new();
        for (i, (expr, desc)) in exprs.into_iter().zip(&types).enumerate() {
            let contested = overloads.iter().any(|o| o[i] != *desc)
                || (!self.scope.members_known(&member.owner)
                    && CONTESTED.contains(&member.name.as_str())
                    && expr.ty != "Ljava/lang/String;");
            texts.push(self.fitted(expr, desc, contested)?);
        }
        Ok(texts)
    }

    /// Is the last argument an array without elements, where the method takes any number of them?
    fn ends_with_nothing(&self, member: &MemberRef, args: &[Value]) -> bool {
        let last = params(&member.desc).pop();
        let is_array = last.is_some_and(|desc| desc.starts_with("[L"));
        let info = args.last().and_then(object);
        let info = info.and_then(|id| self.request.level.objects.get(&id));
        is_array
            && TAKES_MORE.contains(&member.owner.as_str())
            && info.is_some_and(|array| array.length == Some(0))
    }

    /// The expression as an operand of the type `desc`. `contested`: another overload has another type here.
    fn fitted(&mut self, expr: Expr, desc: &str, contested: bool) -> Result<String, Inexpressible> {
        let ambiguous = contested && expr.ty != desc;
        let narrower = !expr.exact && !self.scope.is_subtype(&expr.ty, desc);
        if !ambiguous && !narrower {
            return Ok(expr.text);
        }
        if !self.scope.type_accessible(desc) {
            return Err(Inexpressible(format!("the type {desc} is not accessible")));
        }
        let class = self.imports.descriptor(desc);
        // `(Integer) -5` would be a subtraction.
        Ok(if expr.text.starts_with('-') {
            format!("({class}) ({})", expr.text)
        } else {
            format!("({class}) {}", expr.text)
        })
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
        let mut texts = Vec::new();
        for (value, desc) in args.iter().zip(&types) {
            texts.push(self.value(value, desc)?);
        }
        // A lone array or null would be taken for the array of variable arguments itself, and so would a result of any type.
        if let [only] = texts.as_mut_slice()
            && (only.ty == NULL_TYPE
                || only.inferred
                || only.ty.starts_with("[L")
                || only.ty.starts_with("[["))
        {
            only.text = format!("(Object) {}", only.text);
        }
        let mut list: Vec<String> = Vec::new();
        let binary = |class: &str| format!("\"{}\"", class.replace('/', "."));
        let (method, ty) = match op {
            Operation::Construct => {
                list.extend([binary(target_class), format!("\"{}\"", member.desc)]);
                ("construct", desc_of(target_class))
            }
            Operation::Call | Operation::CallStatic => {
                let receiver = if op == Operation::Call {
                    self.value(receiver, &desc_of(&member.owner))?.text
                } else {
                    "null".into()
                };
                list.extend([
                    binary(&member.owner),
                    format!("\"{}\"", member.name),
                    format!("\"{}\"", member.desc),
                    receiver,
                ]);
                ("call", result(&member.desc).unwrap_or_else(|| "V".into()))
            }
            _ => return Err(inaccessible(&self.scope, &member.name, &member.owner)),
        };
        list.extend(texts.into_iter().map(|t| t.text));
        let class = self.imports.class(self.framework.recording());
        Ok(Expr {
            text: format!("{class}.{method}({})", list.join(", ")),
            ty,
            exact: false,
            inferred: true,
        })
    }

    /// Ends a statement whose result nobody needs.
    fn needless(&mut self, call: Expr, op: Operation) {
        if self.made_function.take().is_some() {
            return;
        }
        // A field read alone is no statement (JLS §14.8).
        if matches!(op, Operation::GetField | Operation::GetStatic) {
            let declared = self.imports.descriptor(&call.ty);
            self.declare(None, &declared, call);
        } else {
            self.code(call.text + ";");
        }
    }

    /// Ends the statement; keeps the result in a variable if a later step needs the object.
    pub(super) fn finish(&mut self, mut call: Expr, made: Option<ObjectId>, op: Operation) {
        if let Some(id) = made.filter(|id| self.must_be_reported(*id)) {
            let class = self.imports.class(self.framework.recording());
            call.text = format!("{class}.made({id}, {})", call.text);
        }
        let kept = made.filter(|id| self.is_needed(*id) && !self.bound.contains_key(id));
        let Some(id) = kept else {
            return self.needless(call, op);
        };
        if let Some(declared) = self.made_function.take() {
            match self.is_used_once(id) {
                true => drop(self.bound.insert(id, call)),
                false => drop(self.declare(Some(id), &declared, call)),
            }
            return;
        }
        if op == Operation::Construct && is_literal(&call) && self.is_used_once(id) {
            self.bound.insert(id, call);
            return;
        }
        let run_time = self
            .request
            .level
            .objects
            .get(&id)
            .map_or_else(|| call.ty.clone(), |o| desc_of(&o.class));
        let ty = self.variable_type(id, &call.ty, &run_time);
        let class = ty.strip_prefix('L').and_then(|t| t.strip_suffix(';'));
        let declared = match class.filter(|c| op == Operation::Construct && is_generic_container(c))
        {
            Some(class) => self.filled_type(id, class),
            None => self.imports.descriptor(&ty),
        };
        let exact = ty == run_time;
        let infers = self.request.infers_types && !self.raw && !call.inferred && ty == call.ty;
        let declared = match class {
            Some(class) if infers && op != Operation::Construct && is_generic(class) => {
                "var".into()
            }
            _ => declared,
        };
        let cast = !call.inferred && ty != call.ty && !self.scope.is_subtype(&call.ty, &ty);
        // What a raw type hides from the compiler may be an error where it is not hidden.
        let typed = declared == "var" || !class.is_some_and(is_generic);
        let movable = ty == call.ty && !call.inferred && typed && !declared.contains('<');
        let text = if cast {
            format!("({declared}) {}", call.text)
        } else {
            call.text
        };
        let init = Expr {
            text,
            ty,
            exact,
            inferred: false,
        };
        self.declare_as(Some(id), &declared, init, movable);
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
            && info.is_some_and(|o| o.role == Role::Observed)
    }

    /// The type of a variable for an object that came from an expression of type `declared`: that type if it is all later
    /// steps ask for, else the object's own class, else the nearest supertype that will do.
    fn variable_type(&self, id: ObjectId, declared: &str, run_time: &str) -> String {
        let object_type = "Ljava/lang/Object;".to_owned();
        let Some(usage) = self.plan.usage(id) else {
            return object_type;
        };
        let declared_does = declared
            .strip_prefix('L')
            .and_then(|d| d.strip_suffix(';'))
            .is_some_and(|class| {
                let sees = |m: &&MemberRef| {
                    self.scope
                        .find(&MemberRef {
                            owner: class.into(),
                            ..(**m).clone()
                        })
                        .is_some()
                };
                usage.members.iter().all(sees)
                    && usage
                        .passed_as
                        .iter()
                        .all(|p| self.scope.is_subtype(declared, p))
            });
        if declared == run_time || declared_does {
            if self.scope.type_accessible(declared) {
                return declared.to_owned();
            }
        } else if self.scope.type_accessible(run_time) {
            return run_time.to_owned();
        }
        let class = self
            .request
            .level
            .objects
            .get(&id)
            .map_or("", |o| o.class.as_str());
        let view = self
            .scope
            .view(class, &usage.members)
            .filter(|_| !class.is_empty());
        view.map_or(object_type, |class| desc_of(&class))
    }
}

/// Methods of the JDK whose overloads differ in meaning for a box, `null` or an array, where the class file is not at hand.
const CONTESTED: [&str; 6] = ["remove", "append", "insert", "valueOf", "print", "println"];

/// Could `expr`, which is passed as a `desc`, also be passed where an overload has an `other`? By strict invocation, before which others
/// do not come (JLS §15.12.2), a reference is no primitive, unless it is a box, and a primitive no reference.
fn may_be_meant(expr: &Expr, desc: &str, other: &str) -> bool {
    let primitive = |desc: &str| desc.len() == 1;
    match (primitive(&expr.ty), primitive(other)) {
        (false, true) => is_box(&expr.ty),
        (true, false) => !primitive(desc),
        (true, true) => (expr.ty == "Z") == (other == "Z"),
        (false, false) => true,
    }
}

/// Simple names of the classes of boxes.
pub(super) const BOXES: [&str; 8] = [
    "Boolean",
    "Byte",
    "Character",
    "Short",
    "Integer",
    "Long",
    "Float",
    "Double",
];

fn is_box(desc: &str) -> bool {
    let simple = desc
        .strip_prefix("Ljava/lang/")
        .and_then(|d| d.strip_suffix(';'));
    simple.is_some_and(|name| BOXES.contains(&name))
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
fn is_generic(class: &str) -> bool {
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
fn is_literal(made: &Expr) -> bool {
    let of_numbers = ["Ljava/math/BigDecimal;", "Ljava/math/BigInteger;"];
    let quotes = made.text.matches('"').count();
    let alone = quotes == 2 && made.text.ends_with("\")") && !made.text.contains(',');
    of_numbers.contains(&made.ty.as_str()) && made.text.starts_with("new ") && alone
}
