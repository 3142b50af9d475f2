//! Objects that a test makes itself: containers, values, exceptions; and the stand-ins of the replay form.

use jinsi_classfile::ACC_ENUM;
use jinsi_trace::model::{Content, MemberRef, ObjectId, Value, box_class};

use super::access::{Reach, result};
use super::java::{JavaExpr, JavaType, Node};
use super::member::{is_generic_container, number_of};
use super::plan::PlannedStep;
use super::writer::{Expr, Writer};
use super::{Form, Inexpressible};
use jinsi_level::loaders::Loader;
use jinsi_level::{Effect, ObjectInfo, Role};

/// Elements of an array or container that are written out. More make no readable test, and a method has its limit (JVMS §4.7.3).
pub(super) const MAX_ELEMENTS: usize = 1000;

impl Writer<'_> {
    /// The object where one of type `ty` is expected: its variable, or what makes it.
    pub(super) fn object(&mut self, id: ObjectId, ty: &JavaType) -> Result<Expr, Inexpressible> {
        if let Some(variable) = self.bound.get(&id) {
            return Ok(variable.clone());
        }
        if !self.open.insert(id) {
            return Err(Inexpressible("a container holds itself".into()));
        }
        let made = if self.scripted.contains(&id) {
            Err(Inexpressible("the script hands it out".into()))
        } else {
            self.attempt(|w| w.make(id))
        };
        self.open.remove(&id);
        match made {
            Err(_) if self.form == Form::Replay => self.stand_in(id, ty),
            other => other,
        }
    }

    /// `Type name = JinsiReplay.object(id);`
    fn stand_in(&mut self, id: ObjectId, wanted: &JavaType) -> Result<Expr, Inexpressible> {
        let info = self.request.level.objects.get(&id);
        let own = info.map_or_else(|| wanted.clone(), |o| JavaType::class(&o.class));
        let ty = self.stand_in_types(id).into_iter().next();
        let ty = ty.unwrap_or_else(JavaType::object);
        let code = JavaExpr::call(self.recording(), "object", vec![number_of(id)], ty.clone());
        // Without a type of its own, a variable that is read once tells nothing.
        let is_named = !ty.is_object() || self.plan.usage(id).is_some_and(|u| u.count > 1);
        let object = Expr {
            code,
            exact: is_named && ty == own,
            inferred: true,
        };
        Ok(match is_named {
            true => self.declare(Some(id), ty, object),
            false => object,
        })
    }

    /// What makes the object, in a variable if it is needed again.
    fn make(&mut self, id: ObjectId) -> Result<Expr, Inexpressible> {
        let level = self.request.level;
        let info = level
            .objects
            .get(&id)
            .ok_or_else(|| Inexpressible(format!("nothing is known of object {id}")))?;
        let (made, declared) = match &info.role {
            Role::Array { initial } => {
                let content = self.contents.get(&id).cloned().or_else(|| initial.clone());
                self.array(info, content.as_ref())?
            }
            Role::Function { function, initial } => {
                let captured = initial.as_ref().map_or(&[][..], Content::values);
                self.function(function, captured)?
            }
            Role::Natural { .. } if info.class.contains("$$Lambda") => {
                return Err(cannot(info, "is a lambda"));
            }
            Role::Natural { initial } => {
                let content = self.contents.get(&id).cloned().or_else(|| initial.clone());
                self.natural(info, content.as_ref())?
            }
            Role::Text(text) => (self.constant_or_text(info, text)?, None),
            Role::Throwable => (self.throwable(info)?.into(), None),
            Role::Observed | Role::Given => {
                return Err(cannot(info, "was made by an interaction that is left out"));
            }
            Role::Restored { .. } => return Err(cannot(info, "was made without a constructor")),
            Role::Mock | Role::Hidden => return Err(cannot(info, "belongs to the environment")),
        };
        let usage = self.plan.usage(id);
        // A function has no members before it has a type.
        let is_receiver = matches!(info.role, Role::Function { .. })
            && usage.is_some_and(|u| !u.members.is_empty());
        if usage.is_none_or(|u| u.count < 2) && !is_receiver {
            return Ok(made);
        }
        let declared = declared.unwrap_or_else(|| made.ty().clone());
        Ok(self.declare(Some(id), declared, made))
    }

    /// A container or builder of the JDK, and how to declare a variable of it.
    fn natural(
        &mut self,
        info: &ObjectInfo,
        content: Option<&Content>,
    ) -> Result<(Expr, Option<JavaType>), Inexpressible> {
        match content {
            None => match Loader::of(&info.class) {
                Some(loader) => Ok((class_loader(loader).into(), None)),
                None => Err(cannot(info, "has no recorded content")),
            },
            Some(Content::Text(text)) => {
                Ok((self.text(&info.class, &text.to_string())?.into(), None))
            }
            Some(Content::Elements(values)) => self.collection(info, values),
            Some(Content::Entries(values)) => self.map(info, values),
            Some(Content::Array(_) | Content::Fields(_) | Content::TooLarge { .. }) => {
                Err(cannot(info, "has no recorded content"))
            }
        }
    }

    fn collection(
        &mut self,
        info: &ObjectInfo,
        values: &[Value],
    ) -> Result<(Expr, Option<JavaType>), Inexpressible> {
        let class = info.class.as_str();
        let items = self.elements(info, values, &JavaType::object())?;
        let simple = class.strip_prefix("java/util/").unwrap_or(class);
        let set = JavaType::class("java/util/Set");
        let collections = JavaType::class("java/util/Collections");
        let own = JavaType::class(class);
        let code = match simple {
            "Stack" => return Err(cannot(info, "cannot be made from its elements")),
            _ if is_generic_container(class) => self.filled(own, values, items),
            "Optional" => {
                let factory = if items.is_empty() { "empty" } else { "of" };
                JavaExpr::factory(own, factory, items)
            }
            "Iterator" => JavaExpr::call(listed(values, items), "iterator", vec![], own),
            "stream/Stream" => JavaExpr::factory(own, "of", lone(values, items)),
            "Arrays$ArrayList" => as_list(values, items),
            "ImmutableCollections$List12"
            | "ImmutableCollections$ListN"
            | "ImmutableCollections$SubList" => listed(values, items),
            "ImmutableCollections$Set12" | "ImmutableCollections$SetN" => {
                JavaExpr::factory(set, "of", items)
            }
            _ if let Some((wrapper, of)) = shown(simple) => {
                let made = self.filled(JavaType::class(of), values, items);
                match wrapper {
                    None => made,
                    Some((wrapper, ty)) => {
                        JavaExpr::call(collections, wrapper, vec![made], JavaType::class(ty))
                    }
                }
            }
            _ => {
                let (factory, ty, holds) = collections_factory(simple)
                    .ok_or_else(|| cannot(info, "cannot be made from its elements"))?;
                let args = match holds {
                    Holds::Nothing => Vec::new(),
                    Holds::One => items,
                    Holds::List => vec![listed(values, items)],
                    Holds::Set => vec![JavaExpr::factory(set, "of", items)],
                };
                JavaExpr::call(collections, factory, args, JavaType::class(ty))
            }
        };
        let declared = self.container_type(code.ty.clone(), &[values]);
        Ok((self.untyped(code).into(), Some(declared)))
    }

    /// A new container of this class, with these elements.
    fn filled(&self, class: JavaType, values: &[Value], items: Vec<JavaExpr>) -> JavaExpr {
        let args = match values {
            [] => Vec::new(),
            values => vec![listed(values, items)],
        };
        JavaExpr::make_generic(class, !self.raw, args)
    }

    fn map(
        &mut self,
        info: &ObjectInfo,
        values: &[Value],
    ) -> Result<(Expr, Option<JavaType>), Inexpressible> {
        let class = info.class.as_str();
        let items = self.elements(info, values, &JavaType::object())?;
        // `Map.of` takes ten entries and no null, and has an order of its own.
        let ordered = class == "java/util/LinkedHashMap" && values.len() > 2;
        if values.len() > 20 || values.contains(&Value::Null) || ordered {
            return Err(cannot(info, "cannot be made from its entries"));
        }
        let map = JavaType::class("java/util/Map");
        let of = JavaExpr::factory(map, "of", items);
        let code = if is_generic_container(class) {
            let args = if values.is_empty() { vec![] } else { vec![of] };
            JavaExpr::make_generic(JavaType::class(class), !self.raw, args)
        } else if class.starts_with("java/util/ImmutableCollections$Map") {
            of
        } else {
            return Err(cannot(info, "cannot be made from its entries"));
        };
        let columns: [Vec<Value>; 2] =
            [0, 1].map(|c| values.iter().skip(c).step_by(2).cloned().collect());
        let declared = self.container_type(code.ty.clone(), &[&columns[0], &columns[1]]);
        Ok((self.untyped(code).into(), Some(declared)))
    }

    /// In the form without type arguments a factory's result is cast to its raw type; `new C(…)` is raw already.
    fn untyped(&mut self, code: JavaExpr) -> JavaExpr {
        self.untyped |= self.raw;
        let is_made = matches!(code.node, Node::New { .. });
        match self.raw && !is_made {
            true => {
                let ty = code.ty.clone();
                code.cast(ty)
            }
            false => code,
        }
    }

    /// The declared type of a container whose columns (elements, or keys and values) hold these values: with type arguments if
    /// each column has one class only.
    fn container_type(&mut self, class: JavaType, columns: &[&[Value]]) -> JavaType {
        if self.raw {
            self.untyped = true;
            return class;
        }
        let mut arguments = Vec::new();
        for column in columns {
            let mut classes = column.iter().map(|v| self.class_of(v));
            let common = classes.next().flatten().filter(|first| {
                classes.all(|c| c.as_ref() == Some(first)) && self.scope.class_accessible(first)
            });
            arguments.push(common.map_or_else(JavaType::object, |c| JavaType::class(&c)));
        }
        class.with(arguments)
    }

    /// The declared type of a container that the test makes by a constructor of its own: the type arguments are those of
    /// what later steps put into it.
    pub(super) fn filled_type(&mut self, id: ObjectId, class: &str) -> JavaType {
        let map = class.ends_with("Map") || class.ends_with("Hashtable");
        let mut columns: Vec<Vec<Value>> = vec![Vec::new(); if map { 2 } else { 1 }];
        for step in &self.plan.steps {
            let PlannedStep::Change(Effect::Natural {
                member,
                receiver: Value::Object(receiver),
                args,
                ..
            }) = step
            else {
                continue;
            };
            let puts = PUTS.contains(&member.name.as_str()) && args.len() == columns.len();
            if *receiver == id && puts {
                for (column, value) in columns.iter_mut().zip(args) {
                    column.push(value.clone());
                }
            }
        }
        let columns: Vec<&[Value]> = columns.iter().map(Vec::as_slice).collect();
        self.container_type(JavaType::class(class), &columns)
    }

    fn class_of(&self, value: &Value) -> Option<String> {
        Some(match value {
            Value::Str(_) => "java/lang/String".into(),
            Value::Boxed(v) => box_class(v.letter()).unwrap_or_default().into(),
            Value::Object(id) => self.request.level.objects.get(id)?.class.clone(),
            _ => return None,
        })
    }

    /// An immutable value made from its text, or an enum constant.
    pub(super) fn text(&mut self, class: &str, text: &str) -> Result<JavaExpr, Inexpressible> {
        let quoted = vec![JavaExpr::text(text)];
        let simple = class.rsplit('/').next().unwrap_or(class);
        let (class, factory) = match class {
            "java/math/BigDecimal"
            | "java/math/BigInteger"
            | "java/lang/StringBuilder"
            | "java/lang/StringBuffer" => {
                return Ok(JavaExpr::make(JavaType::class(class), quoted));
            }
            "java/util/Locale" => (class, "forLanguageTag"),
            "java/util/UUID" => (class, "fromString"),
            "java/net/URI" => (class, "create"),
            "java/util/Currency" => (class, "getInstance"),
            "java/time/ZoneRegion" => ("java/time/ZoneId", "of"),
            "java/time/ZoneOffset" => (class, "of"),
            _ if class.starts_with("java/time/") && PARSED.contains(&simple) => (class, "parse"),
            _ => return self.constant(class, text),
        };
        let class = JavaType::class(class);
        Ok(JavaExpr::factory(class, factory, quoted))
    }

    /// An immutable value made from its text, an enum constant, or what a static member gave, if its own class cannot be named.
    fn constant_or_text(&mut self, info: &ObjectInfo, text: &str) -> Result<Expr, Inexpressible> {
        let why = match self.attempt(|w| w.text(&info.class, text)) {
            Err(why) => why,
            Ok(made) => return Ok(made.into()),
        };
        let source = self.request.classes.source_of(info.id);
        let nameable = |member: &&MemberRef| {
            self.scope.class_accessible(&member.owner) && self.scope.member_accessible(member)
        };
        let member = source.filter(nameable).ok_or(why)?;
        let class = JavaType::class(&member.owner);
        let is_method = member.desc.starts_with('(');
        let ty = result(&member.desc).unwrap_or(JavaType::Void);
        Ok(Expr {
            code: match is_method {
                true => JavaExpr::call(class, &member.name, Vec::new(), ty),
                false => JavaExpr::field(class, &member.name, ty),
            },
            exact: true,
            inferred: is_method,
        })
    }

    fn constant(&mut self, class: &str, name: &str) -> Result<JavaExpr, Inexpressible> {
        // A constant with a body has a class of its own, below that of the enum.
        let is_enum = |c: &String| {
            self.scope
                .classes
                .class(c)
                .is_some_and(|i| i.access & ACC_ENUM != 0)
                && self.scope.class_accessible(c)
        };
        if let Some(owner) = self.scope.supertypes(class).into_iter().find(is_enum) {
            let ty = JavaType::class(&owner);
            return Ok(JavaExpr::field(ty.clone(), name, ty));
        }
        let hidden = self.constant_by_reflection(class, name);
        hidden.ok_or_else(|| {
            Inexpressible(format!("{} is not made from text", class.replace('/', ".")))
        })
    }

    /// A new exception with the recorded message.
    pub(super) fn throwable(&mut self, info: &ObjectInfo) -> Result<JavaExpr, Inexpressible> {
        let message = self.request.classes.throwable_message(info.id).flatten();
        let desc = if message.is_some() {
            "(Ljava/lang/String;)V"
        } else {
            "()V"
        };
        let constructor = MemberRef {
            owner: info.class.as_str().into(),
            name: "<init>".into(),
            desc: desc.into(),
        };
        if !self.scope.class_accessible(&info.class) || !self.scope.member_accessible(&constructor)
        {
            return Err(cannot(info, "has no constructor that takes its message"));
        }
        let args = message.into_iter().map(JavaExpr::text).collect();
        Ok(JavaExpr::make(JavaType::class(&info.class), args))
    }

    /// Statements that give an array or container new content.
    pub(super) fn refill(
        &mut self,
        variable: &Expr,
        content: &Content,
    ) -> Result<(), Inexpressible> {
        let ty = variable.ty().clone();
        if !ty.is_array() && !ty.class_name().is_some_and(is_generic_container) {
            let class = ty.class_name().unwrap_or_default().replace('/', ".");
            return Err(Inexpressible(format!(
                "the content of a {class} cannot be replaced"
            )));
        }
        let of = |name: &str, args: Vec<JavaExpr>| {
            JavaExpr::call(variable.code.clone(), name, args, JavaType::Void)
        };
        let element = ty.element().cloned().unwrap_or_else(JavaType::object);
        match content {
            Content::Array(values) if values.len() <= MAX_ELEMENTS => {
                let items = values.iter().map(|v| Ok(self.value(v, &element)?.code));
                let items = items.collect::<Result<Vec<_>, _>>()?;
                let count = values.len();
                let new = JavaExpr::array_of(ty, items);
                self.code(copied(new, variable.code.clone(), 0, count));
            }
            Content::Elements(values) => {
                self.code(of("clear", Vec::new()));
                for value in values {
                    let item = self.value(value, &element)?.code;
                    self.code(of("add", vec![item]));
                }
            }
            Content::Entries(values) => {
                self.code(of("clear", Vec::new()));
                for pair in values.chunks_exact(2) {
                    let key = self.value(&pair[0], &element)?.code;
                    let value = self.value(&pair[1], &element)?.code;
                    self.code(of("put", vec![key, value]));
                }
            }
            _ => return Err(Inexpressible("a changed content was not recorded".into())),
        }
        Ok(())
    }

    /// Is the class one that a test can stand in for?
    pub(super) fn mockable(&self, ty: &JavaType) -> bool {
        const REAL: [&str; 3] = ["java/lang/Class", "java/lang/String", "java/lang/Object"];
        ty.class_name().is_some_and(|class| {
            self.scope.class_reach(class) != Reach::Nowhere
                && self.scope.class_accessible(class)
                && !REAL.contains(&class)
        })
    }
}

/// `System.arraycopy(from, 0, to, at, count)`
pub(super) fn copied(from: JavaExpr, to: JavaExpr, at: u32, count: usize) -> JavaExpr {
    let number = |n: usize| JavaExpr::int(i32::try_from(n).unwrap_or(i32::MAX));
    let args = vec![from, number(0), to, number(at as usize), number(count)];
    let system = JavaType::class("java/lang/System");
    JavaExpr::call(system, "arraycopy", args, JavaType::Void)
}

/// An unmodifiable list of the elements; `List.of` takes no null.
fn listed(values: &[Value], items: Vec<JavaExpr>) -> JavaExpr {
    if values.contains(&Value::Null) || is_taken_for_all(values, &items) {
        return as_list(values, items);
    }
    let list = JavaType::class("java/util/List");
    JavaExpr::factory(list, "of", items)
}

fn as_list(values: &[Value], items: Vec<JavaExpr>) -> JavaExpr {
    let list = JavaType::class("java/util/List");
    let arrays = JavaType::class("java/util/Arrays");
    JavaExpr::call(arrays, "asList", lone(values, items), list)
}

/// The elements as variable arguments.
fn lone(values: &[Value], mut items: Vec<JavaExpr>) -> Vec<JavaExpr> {
    if is_taken_for_all(values, &items) {
        items = items
            .into_iter()
            .map(|i| i.cast(JavaType::object()))
            .collect();
    }
    items
}

/// A single array or null would be taken for the array of variable arguments itself.
fn is_taken_for_all(values: &[Value], items: &[JavaExpr]) -> bool {
    match (values, items) {
        ([Value::Null], [_]) => true,
        ([Value::Object(_)], [item]) => {
            let element = item.ty.element();
            item.is_array_creation() || element.is_some_and(JavaType::is_reference)
        }
        _ => false,
    }
}

/// Of a class of wrappers or views that let themselves be changed: the method of `java.util.Collections` that makes one, with its type, unless
/// the container itself will do; and the class of a container that holds the same.
fn shown(simple: &str) -> Option<(Option<(&'static str, &'static str)>, &'static str)> {
    const LIST: &str = "java/util/ArrayList";
    const SET: &str = "java/util/LinkedHashSet";
    Some(match simple {
        "Collections$SynchronizedList" | "Collections$SynchronizedRandomAccessList" => {
            (Some(("synchronizedList", "java/util/List")), LIST)
        }
        "Collections$SynchronizedSet" => (Some(("synchronizedSet", "java/util/Set")), SET),
        "ArrayList$SubList"
        | "HashMap$Values"
        | "LinkedHashMap$LinkedValues"
        | "TreeMap$Values" => (None, LIST),
        "Collections$SetFromMap" | "HashMap$KeySet" | "LinkedHashMap$LinkedKeySet" => (None, SET),
        _ => return None,
    })
}

/// What a factory takes.
enum Holds {
    Nothing,
    One,
    List,
    Set,
}

/// The method of `java.util.Collections` that makes a container of this class, its declared type, and what it takes.
fn collections_factory(simple: &str) -> Option<(&'static str, &'static str, Holds)> {
    const LIST: &str = "java/util/List";
    const SET: &str = "java/util/Set";
    Some(match simple {
        "Collections$EmptyList" => ("emptyList", LIST, Holds::Nothing),
        "Collections$EmptySet" => ("emptySet", SET, Holds::Nothing),
        "Collections$SingletonList" => ("singletonList", LIST, Holds::One),
        "Collections$SingletonSet" => ("singleton", SET, Holds::One),
        "Collections$UnmodifiableList" | "Collections$UnmodifiableRandomAccessList" => {
            ("unmodifiableList", LIST, Holds::List)
        }
        "Collections$UnmodifiableCollection" => (
            "unmodifiableCollection",
            "java/util/Collection",
            Holds::List,
        ),
        "Collections$UnmodifiableSet" => ("unmodifiableSet", SET, Holds::Set),
        _ => return None,
    })
}

/// Methods that put what they are given, and nothing else, into a container.
const PUTS: [&str; 8] = [
    "add",
    "addFirst",
    "addLast",
    "addElement",
    "push",
    "offer",
    "put",
    "putIfAbsent",
];

/// Classes of `java.time` whose text is read back by a static `parse`.
const PARSED: [&str; 12] = [
    "Duration",
    "Instant",
    "LocalDate",
    "LocalDateTime",
    "LocalTime",
    "MonthDay",
    "OffsetDateTime",
    "OffsetTime",
    "Period",
    "Year",
    "YearMonth",
    "ZonedDateTime",
];

pub(super) fn cannot(info: &ObjectInfo, why: &str) -> Inexpressible {
    Inexpressible(format!(
        "an object of {} {why}",
        info.class.replace('/', ".")
    ))
}
/// What gives a class loader of the JVM: that of the program's classes is the thread's, whoever loads the test.
fn class_loader(loader: Loader) -> JavaExpr {
    let ty = JavaType::class("java/lang/ClassLoader");
    match loader {
        Loader::Program => {
            let thread = JavaType::class("java/lang/Thread");
            let current = JavaExpr::factory(thread, "currentThread", vec![]);
            JavaExpr::call(current, "getContextClassLoader", vec![], ty)
        }
        Loader::Platform => JavaExpr::factory(ty, "getPlatformClassLoader", vec![]),
    }
}
