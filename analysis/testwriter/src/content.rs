//! Objects that a test makes itself: containers, values, exceptions; and the stand-ins of the replay form.

use jinsi_classfile::ACC_ENUM;
use jinsi_trace::model::{Content, JavaString, MemberRef, ObjectId, Value, box_class};

use super::access::{Reach, desc_of, result};
use super::literal;
use super::member::is_generic_container;
use super::plan::PlannedStep;
use super::writer::{Expr, Writer};
use super::{Form, Inexpressible};
use jinsi_level::{Effect, ObjectInfo, Role};

/// Elements of an array or container that are written out. More make no readable test, and a method has its limit (JVMS §4.7.3).
pub(super) const MAX_ELEMENTS: usize = 1000;

impl Writer<'_> {
    /// The object where one of type `desc` is expected: its variable, or what makes it.
    pub(super) fn object(&mut self, id: ObjectId, desc: &str) -> Result<Expr, Inexpressible> {
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
            Err(_) if self.form == Form::Replay => self.stand_in(id, desc),
            other => other,
        }
    }

    /// `Type name = JinsiReplay.object(id);`
    fn stand_in(&mut self, id: ObjectId, desc: &str) -> Result<Expr, Inexpressible> {
        let own = self
            .request
            .level
            .objects
            .get(&id)
            .map_or_else(|| desc.to_owned(), |o| desc_of(&o.class));
        let ty = self
            .stand_in_types(id)
            .into_iter()
            .next()
            .unwrap_or_else(|| "Ljava/lang/Object;".into());
        let replay = self.imports.class(self.framework.recording());
        let declared = self.imports.descriptor(&ty);
        let number = if i32::try_from(id).is_ok() { "" } else { "L" };
        let text = format!("{replay}.object({id}{number})");
        // Without a type of its own, a variable that is read once tells nothing.
        if ty == "Ljava/lang/Object;" && self.plan.usage(id).is_none_or(|u| u.count < 2) {
            return Ok(Expr {
                text,
                ty,
                exact: false,
                inferred: true,
            });
        }
        let exact = ty == own;
        Ok(self.declare(
            Some(id),
            &declared,
            Expr {
                text,
                ty,
                exact,
                inferred: true,
            },
        ))
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
            Role::Throwable => (self.throwable(info)?, None),
            Role::Observed => {
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
        let declared = declared.unwrap_or_else(|| self.imports.descriptor(&made.ty));
        Ok(self.declare(Some(id), &declared, made))
    }

    /// A container or builder of the JDK, and how to declare a variable of it.
    fn natural(
        &mut self,
        info: &ObjectInfo,
        content: Option<&Content>,
    ) -> Result<(Expr, Option<String>), Inexpressible> {
        match content {
            None => Err(cannot(info, "has no recorded content")),
            Some(Content::Text(text)) => Ok((self.text(&info.class, &text.to_string())?, None)),
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
    ) -> Result<(Expr, Option<String>), Inexpressible> {
        let class = info.class.as_str();
        let items = self.elements(info, values, "Ljava/lang/Object;")?;
        let simple = class.strip_prefix("java/util/").unwrap_or(class);
        let listed = |w: &mut Self, set: bool| w.immutable(values, &items, set);
        let (text, ty) = match simple {
            "Stack" => return Err(cannot(info, "cannot be made from its elements")),
            _ if is_generic_container(class) => {
                let of = if values.is_empty() {
                    String::new()
                } else {
                    listed(self, false)
                };
                let diamond = if self.raw { "" } else { "<>" };
                (
                    format!("new {}{diamond}({of})", self.imports.class(class)),
                    class,
                )
            }
            "Optional" => {
                let factory = if items.is_empty() { "empty" } else { "of" };
                let optional = self.imports.class(class);
                (format!("{optional}.{factory}({})", items.join(", ")), class)
            }
            "Iterator" => (format!("{}.iterator()", listed(self, false)), class),
            "stream/Stream" => {
                let stream = self.imports.class(class);
                (format!("{stream}.of({})", lone(values, &items)), class)
            }
            "Arrays$ArrayList" => {
                let arrays = self.imports.class("java/util/Arrays");
                (
                    format!("{arrays}.asList({})", lone(values, &items)),
                    "java/util/List",
                )
            }
            _ if simple.starts_with("ImmutableCollections$List")
                || simple == "ImmutableCollections$SubList" =>
            {
                (listed(self, false), "java/util/List")
            }
            _ if simple.starts_with("ImmutableCollections$Set") => {
                (listed(self, true), "java/util/Set")
            }
            _ if shown(simple).is_some() => {
                let (factory, class) = shown(simple).unwrap_or_default();
                let of = match values.is_empty() {
                    true => String::new(),
                    false => listed(self, false),
                };
                let diamond = if self.raw { "" } else { "<>" };
                let made = format!("new {}{diamond}({of})", self.imports.class(class));
                match factory {
                    "" => (made, class),
                    wrapper => {
                        let collections = self.imports.class("java/util/Collections");
                        let ty = if wrapper.ends_with("Set") {
                            "java/util/Set"
                        } else {
                            "java/util/List"
                        };
                        (format!("{collections}.{wrapper}({made})"), ty)
                    }
                }
            }
            _ => match collections_factory(simple) {
                Some((factory, ty)) => {
                    let collections = self.imports.class("java/util/Collections");
                    let argument = match factory {
                        f if f.starts_with("empty") => String::new(),
                        f if f.starts_with("singleton") => items.join(", "),
                        f => listed(self, f.ends_with("Set")),
                    };
                    (format!("{collections}.{factory}({argument})"), ty)
                }
                None => return Err(cannot(info, "cannot be made from its elements")),
            },
        };
        let text = self.untyped(text, ty);
        let desc = desc_of(ty);
        let declared = self.container_type(ty, &[values]);
        Ok((Expr::new(text, desc), Some(declared)))
    }

    /// An unmodifiable list (or set) of the elements; `List.of` takes no null.
    fn immutable(&mut self, values: &[Value], items: &[String], set: bool) -> String {
        if set {
            return format!(
                "{}.of({})",
                self.imports.class("java/util/Set"),
                items.join(", ")
            );
        }
        if values.contains(&Value::Null) || (items.len() == 1 && lone(values, items) != items[0]) {
            return format!(
                "{}.asList({})",
                self.imports.class("java/util/Arrays"),
                lone(values, items)
            );
        }
        format!(
            "{}.of({})",
            self.imports.class("java/util/List"),
            lone(values, items)
        )
    }

    fn map(
        &mut self,
        info: &ObjectInfo,
        values: &[Value],
    ) -> Result<(Expr, Option<String>), Inexpressible> {
        let class = info.class.as_str();
        let items = self.elements(info, values, "Ljava/lang/Object;")?;
        // `Map.of` takes ten entries and no null, and has an order of its own.
        let ordered = class.ends_with("LinkedHashMap") && values.len() > 2;
        if values.len() > 20 || values.contains(&Value::Null) || ordered {
            return Err(cannot(info, "cannot be made from its entries"));
        }
        let map = self.imports.class("java/util/Map");
        let of = format!("{map}.of({})", items.join(", "));
        let (text, ty) = if is_generic_container(class) {
            let of = if values.is_empty() { String::new() } else { of };
            let diamond = if self.raw { "" } else { "<>" };
            (
                format!("new {}{diamond}({of})", self.imports.class(class)),
                class,
            )
        } else if class.starts_with("java/util/ImmutableCollections$Map") {
            (of, "java/util/Map")
        } else {
            return Err(cannot(info, "cannot be made from its entries"));
        };
        let text = self.untyped(text, ty);
        let columns: [Vec<Value>; 2] =
            [0, 1].map(|c| values.iter().skip(c).step_by(2).cloned().collect());
        let declared = self.container_type(ty, &[&columns[0], &columns[1]]);
        Ok((Expr::new(text, desc_of(ty)), Some(declared)))
    }

    /// In the form without type arguments a factory's result is cast to its raw type; `new C(…)` is raw already.
    fn untyped(&mut self, text: String, class: &str) -> String {
        self.untyped |= self.raw;
        if self.raw && !text.starts_with("new ") {
            format!("({}) {text}", self.imports.class(class))
        } else {
            text
        }
    }

    /// The declared type of a container whose columns (elements, or keys and values) hold these values: with type arguments if
    /// each column has one class only.
    fn container_type(&mut self, class: &str, columns: &[&[Value]]) -> String {
        let name = self.imports.class(class);
        if self.raw {
            self.untyped = true;
            return name;
        }
        let mut arguments = Vec::new();
        for column in columns {
            let mut classes = column.iter().map(|v| self.class_of(v));
            let common = classes.next().flatten().filter(|first| {
                classes.all(|c| c.as_ref() == Some(first)) && self.scope.class_accessible(first)
            });
            let argument = common.unwrap_or_else(|| "java/lang/Object".into());
            arguments.push(self.imports.class(&argument));
        }
        format!("{name}<{}>", arguments.join(", "))
    }

    /// The declared type of a container that the test makes by a constructor of its own: the type arguments are those of
    /// what later steps put into it.
    pub(super) fn filled_type(&mut self, id: ObjectId, class: &str) -> String {
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
        self.container_type(class, &columns)
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
    pub(super) fn text(&mut self, class: &str, text: &str) -> Result<Expr, Inexpressible> {
        let quoted = literal::string(&JavaString::new(text));
        let simple = class.rsplit('/').next().unwrap_or(class);
        let (class, head) = match class {
            "java/math/BigDecimal"
            | "java/math/BigInteger"
            | "java/lang/StringBuilder"
            | "java/lang/StringBuffer" => (class, "new"),
            "java/util/Locale" => (class, "forLanguageTag"),
            "java/util/UUID" => (class, "fromString"),
            "java/net/URI" => (class, "create"),
            "java/util/Currency" => (class, "getInstance"),
            "java/time/ZoneRegion" => ("java/time/ZoneId", "of"),
            "java/time/ZoneOffset" => (class, "of"),
            _ if class.starts_with("java/time/") && PARSED.contains(&simple) => (class, "parse"),
            _ => return self.constant(class, text),
        };
        let name = self.imports.class(class);
        let text = if head == "new" {
            format!("new {name}({quoted})")
        } else {
            format!("{name}.{head}({quoted})")
        };
        Ok(Expr::new(text, desc_of(class)))
    }

    /// An immutable value made from its text, an enum constant, or what a static member gave, if its own class cannot be named.
    fn constant_or_text(&mut self, info: &ObjectInfo, text: &str) -> Result<Expr, Inexpressible> {
        let why = match self.attempt(|w| w.text(&info.class, text)) {
            Err(why) => why,
            made => return made,
        };
        let source = self.request.classes.source_of(info.id);
        let nameable = |member: &&MemberRef| {
            self.scope.class_accessible(&member.owner) && self.scope.member_accessible(member)
        };
        let member = source.filter(nameable).ok_or(why)?;
        let class = self.imports.class(&member.owner);
        let is_method = member.desc.starts_with('(');
        let brackets = if is_method { "()" } else { "" };
        let ty = result(&member.desc).unwrap_or_else(|| member.desc.to_string());
        Ok(Expr {
            text: format!("{class}.{}{brackets}", member.name),
            ty,
            exact: true,
            inferred: is_method,
        })
    }

    fn constant(&mut self, class: &str, name: &str) -> Result<Expr, Inexpressible> {
        // A constant with a body has a class of its own, below that of the enum.
        let is_enum = |c: &String| {
            self.scope
                .classes
                .class(c)
                .is_some_and(|i| i.access & ACC_ENUM != 0)
                && self.scope.class_accessible(c)
        };
        let found = self.scope.supertypes(class).into_iter().find(is_enum);
        let owner = found.ok_or_else(|| {
            Inexpressible(format!("{} is not made from text", class.replace('/', ".")))
        })?;
        let text = format!("{}.{name}", self.imports.class(&owner));
        Ok(Expr::new(text, desc_of(&owner)))
    }

    /// A new exception with the recorded message.
    pub(super) fn throwable(&mut self, info: &ObjectInfo) -> Result<Expr, Inexpressible> {
        let message = self
            .request
            .classes
            .throwable_message(info.id)
            .flatten()
            .map(str::to_owned);
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
        let argument = message.map_or_else(String::new, |m| literal::string(&JavaString::new(&m)));
        Ok(Expr::new(
            format!("new {}({argument})", self.imports.class(&info.class)),
            desc_of(&info.class),
        ))
    }

    /// Statements that give an array or container new content.
    pub(super) fn refill(
        &mut self,
        variable: &Expr,
        content: &Content,
    ) -> Result<(), Inexpressible> {
        let name = variable.text.clone();
        if !variable.ty.starts_with('[')
            && !variable
                .ty
                .strip_prefix('L')
                .is_some_and(|t| is_generic_container(t.trim_end_matches(';')))
        {
            return Err(Inexpressible(format!(
                "the content of {name} cannot be replaced"
            )));
        }
        let element = variable
            .ty
            .strip_prefix('[')
            .unwrap_or("Ljava/lang/Object;")
            .to_owned();
        match content {
            Content::Array(values) if values.len() <= MAX_ELEMENTS => {
                let items: Result<Vec<_>, _> = values
                    .iter()
                    .map(|v| Ok(self.value(v, &element)?.text))
                    .collect();
                let array = self.imports.descriptor(&variable.ty);
                let items = items?.join(", ");
                self.code(format!(
                    "System.arraycopy(new {array} {{{items}}}, 0, {name}, 0, {});",
                    values.len()
                ));
            }
            Content::Elements(values) => {
                self.code(format!("{name}.clear();"));
                for value in values {
                    let item = self.value(value, &element)?.text;
                    self.code(format!("{name}.add({item});"));
                }
            }
            Content::Entries(values) => {
                self.code(format!("{name}.clear();"));
                for pair in values.chunks_exact(2) {
                    let (key, value) = (
                        self.value(&pair[0], &element)?,
                        self.value(&pair[1], &element)?,
                    );
                    self.code(format!("{name}.put({}, {});", key.text, value.text));
                }
            }
            _ => return Err(Inexpressible("a changed content was not recorded".into())),
        }
        Ok(())
    }

    /// Is the class one that a test can stand in for?
    pub(super) fn mockable(&self, desc: &str) -> bool {
        let class = desc.strip_prefix('L').and_then(|d| d.strip_suffix(';'));
        class.is_some_and(|c| {
            self.scope.class_reach(c) != Reach::Nowhere && self.scope.class_accessible(c)
        }) && ![
            "Ljava/lang/Class;",
            "Ljava/lang/String;",
            "Ljava/lang/Object;",
        ]
        .contains(&desc)
    }
}

/// The elements as variable arguments. A single array or null would be taken for the array of arguments itself.
fn lone(values: &[Value], items: &[String]) -> String {
    match (values, items) {
        ([Value::Null], [item]) => format!("(Object) {item}"),
        ([Value::Object(_)], [item]) if item.starts_with("new ") && item.contains('[') => {
            format!("(Object) {item}")
        }
        _ => items.join(", "),
    }
}

/// Of a class of wrappers or views that let themselves be changed: the method of `java.util.Collections` that makes one, empty if the container
/// itself will do, and the class of a container that holds the same.
fn shown(simple: &str) -> Option<(&'static str, &'static str)> {
    const LIST: &str = "java/util/ArrayList";
    const SET: &str = "java/util/LinkedHashSet";
    Some(match simple {
        "Collections$SynchronizedList" | "Collections$SynchronizedRandomAccessList" => {
            ("synchronizedList", LIST)
        }
        "Collections$SynchronizedSet" => ("synchronizedSet", SET),
        "ArrayList$SubList"
        | "HashMap$Values"
        | "LinkedHashMap$LinkedValues"
        | "TreeMap$Values" => ("", LIST),
        "Collections$SetFromMap" | "HashMap$KeySet" | "LinkedHashMap$LinkedKeySet" => ("", SET),
        _ => return None,
    })
}

/// The method of `java.util.Collections` that makes a container of this class, and its declared type.
fn collections_factory(simple: &str) -> Option<(&'static str, &'static str)> {
    Some(match simple {
        "Collections$EmptyList" => ("emptyList", "java/util/List"),
        "Collections$EmptySet" => ("emptySet", "java/util/Set"),
        "Collections$SingletonList" => ("singletonList", "java/util/List"),
        "Collections$SingletonSet" => ("singleton", "java/util/Set"),
        "Collections$UnmodifiableList" | "Collections$UnmodifiableRandomAccessList" => {
            ("unmodifiableList", "java/util/List")
        }
        "Collections$UnmodifiableCollection" => ("unmodifiableCollection", "java/util/Collection"),
        "Collections$UnmodifiableSet" => ("unmodifiableSet", "java/util/Set"),
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
