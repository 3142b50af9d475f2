//! What Java source in a given package may name (JLS §6.6), and from where.

use std::collections::{BTreeMap, HashSet};

use jinsi_classfile::{ACC_BRIDGE, ACC_PRIVATE, ACC_PUBLIC, ACC_STATIC, ACC_SYNTHETIC};
use jinsi_trace::model::MemberRef;

use super::classes::{ClassInfo, ClassLookup, MemberInfo, Nesting, guess_nesting};
use super::java::{JavaType, method_type, package_of};

/// From where a class or member can be named. Ordered by restriction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// From every package.
    Everywhere,
    /// From its own package. `protected` counts as this: a test is no subclass.
    Package,
    /// From no other source file.
    Nowhere,
}

/// Was the class made by `java.lang.reflect.Proxy`? It has another name in each run.
fn is_made_by_proxy(internal: &str) -> bool {
    let simple = internal.rsplit('/').next().unwrap_or_default();
    let number = simple.strip_prefix("$Proxy").unwrap_or_default();
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
}

/// The class whose visibility decides about a type; `None` for primitive types.
fn deciding(ty: &JavaType) -> Option<&str> {
    ty.core().class_name()
}

/// Questions about classes, answered from one package.
pub(super) struct Scope<'a> {
    pub(super) classes: &'a dyn ClassLookup,
    /// Package of the test, internal form.
    pub(super) package: String,
}

impl<'a> Scope<'a> {
    /// From where `class` (internal name) can be named.
    pub(super) fn class_reach(&self, class: &str) -> Reach {
        if is_made_by_proxy(class) {
            return Reach::Nowhere;
        }
        let (access, nesting) = match self.classes.class(class) {
            Some(info) => (info.access, info.nesting.clone()),
            // Only the JDK's own classes may be missing from the tables: of everything else the trace has a skeleton.
            None => (ACC_PUBLIC, guess_nesting(class)),
        };
        if self
            .classes
            .class(class)
            .is_none_or(|info| info.members.is_none())
            && (!is_exported(class) || is_hidden_in_util(class))
        {
            return Reach::Nowhere;
        }
        let own = flags_reach(access);
        match nesting {
            Nesting::TopLevel => own,
            Nesting::Local => Reach::Nowhere,
            Nesting::Member { outer, .. } => own.max(self.class_reach(&outer)),
        }
    }

    /// Can the test name this class?
    pub(super) fn class_accessible(&self, class: &str) -> bool {
        self.type_accessible(&JavaType::class(class))
    }

    /// Why the test cannot name this class, if that is so because the class is in the unnamed package and the test is not (JLS §7.5).
    pub(super) fn not_importable(&self, class: &str) -> Option<String> {
        let ty = JavaType::class(class);
        let class = deciding(&ty)?;
        let is_unnamed = package_of(class).is_empty() && !self.package.is_empty();
        is_unnamed.then(|| {
            format!("{class} is in the unnamed package, from which nothing can be imported")
        })
    }

    /// Can the test name this type?
    pub(super) fn type_accessible(&self, ty: &JavaType) -> bool {
        deciding(ty).is_none_or(|class| {
            self.not_importable(class).is_none()
                && self.within(self.class_reach(class), package_of(class))
        })
    }

    fn within(&self, reach: Reach, package: &str) -> bool {
        match reach {
            Reach::Everywhere => true,
            Reach::Package => package == self.package,
            Reach::Nowhere => false,
        }
    }

    /// `class` and all its supertypes that are known, nearest first.
    pub(super) fn supertypes(&self, class: &str) -> Vec<String> {
        let mut list = vec![class.to_owned()];
        let mut seen: HashSet<String> = list.iter().cloned().collect();
        let mut at = 0;
        while at < list.len() {
            if let Some(info) = self.classes.class(&list[at]) {
                let (class, interfaces) = (info.super_name.iter(), info.interfaces.iter());
                // What a proxy is good for is its interfaces.
                let supers: Vec<&String> = match is_made_by_proxy(&list[at]) {
                    true => interfaces.chain(class).collect(),
                    false => class.chain(interfaces).collect(),
                };
                let new = supers.into_iter().filter(|s| seen.insert((*s).clone()));
                list.extend(new.cloned().collect::<Vec<_>>());
            }
            at += 1;
        }
        list
    }

    /// Is `sub` surely assignable to `sup`? What is not known is not assignable.
    pub(super) fn is_subtype(&self, sub: &JavaType, sup: &JavaType) -> bool {
        match (sub, sup) {
            _ if sub == sup || (sup.is_object() && sub.is_reference()) => true,
            (JavaType::Array(a), JavaType::Array(b)) => a.is_reference() && self.is_subtype(a, b),
            (JavaType::Class(a, _), JavaType::Class(b, _)) => {
                self.supertypes(a).iter().any(|s| s == b)
            }
            _ => false,
        }
    }

    /// The declaration that `owner.name desc` resolves to, with the class that holds it.
    pub(super) fn find(&self, member: &MemberRef) -> Option<(&'a ClassInfo, &'a MemberInfo)> {
        self.supertypes(&member.owner).iter().find_map(|class| {
            let info = self.classes.class(class)?;
            let found = info.members.as_ref()?.iter();
            found
                .clone()
                .find(|m| m.name == member.name && m.desc == member.desc)
                .map(|m| (info, m))
        })
    }

    /// From where a member can be named, apart from the class it is named through. What is not known is the JDK's and public.
    pub(super) fn member_reach(&self, member: &MemberRef) -> Reach {
        match self.find(member) {
            Some((class, m)) if m.access & ACC_SYNTHETIC != 0 => {
                match m.access & ACC_BRIDGE != 0 && self.has_written(class, m) {
                    true => flags_reach(m.access),
                    false => Reach::Nowhere,
                }
            }
            Some((_, m)) => flags_reach(m.access),
            None if self.inherits_from_jdk(member) => Reach::Everywhere,
            None if self
                .classes
                .class(&member.owner)
                .is_some_and(|c| c.members.is_some()) =>
            {
                Reach::Nowhere
            }
            None => Reach::Everywhere,
        }
    }

    /// Does the source have a method in the place of this one, which the compiler has made? It may be one of a superclass that is less visible
    /// than `class`.
    fn has_written(&self, class: &ClassInfo, made: &MemberInfo) -> bool {
        let twin = |m: &MemberInfo| {
            m.name == made.name
                && m.access & ACC_SYNTHETIC == 0
                && params(&m.desc).len() == params(&made.desc).len()
        };
        let inherited = |m: &MemberInfo| twin(m) && m.desc == made.desc;
        let mut above = self.supertypes(&class.name).into_iter().skip(1);
        class.members.iter().flatten().any(twin)
            || above.any(|name| {
                let class = self.classes.class(&name);
                class.is_some_and(|c| c.members.iter().flatten().any(inherited))
            })
    }

    /// The method that the source has in the place of this one, if the compiler has made this one: it implements a method of a generic
    /// supertype, or one with another result, and calls that of the source (JVMS table 4.6-A, `ACC_BRIDGE`). `None` also if several could be it.
    pub(super) fn written(&self, member: &MemberRef) -> Option<MemberRef> {
        let (class, bridge) = self.find(member)?;
        if bridge.access & ACC_BRIDGE == 0 || !bridge.desc.starts_with('(') {
            return None;
        }
        let erased = params(&bridge.desc);
        let is_it = |m: &&MemberInfo| {
            let own = params(&m.desc);
            let fits = |(own, erased): (&JavaType, &JavaType)| {
                own == erased || own.is_reference() && self.may_narrow(own, erased)
            };
            m.name == bridge.name
                && m.access & ACC_SYNTHETIC == 0
                && m.desc.starts_with('(')
                && own.len() == erased.len()
                && own.iter().zip(&erased).all(fits)
        };
        let mut all = class.members.iter().flatten().filter(is_it);
        let found = all.next()?;
        all.next().is_none().then(|| MemberRef {
            desc: found.desc.as_str().into(),
            ..member.clone()
        })
    }

    /// Could the type `own` stand for a type variable whose erasure is `erased`? Of what is not known it could.
    fn may_narrow(&self, own: &JavaType, erased: &JavaType) -> bool {
        let known = |ty: &JavaType| deciding(ty).is_none_or(|c| self.classes.class(c).is_some());
        erased.is_reference() && (self.is_subtype(own, erased) || !known(own) || !known(erased))
    }

    /// Is it a method that the class has of a superclass of the JDK's, as `getMessage` of exceptions?
    fn inherits_from_jdk(&self, member: &MemberRef) -> bool {
        let of_jdk = |class: &String| is_exported(class) && !self.members_known(class);
        // Whether it is public is not known: the compiler will say.
        let inherited = self.supertypes(&member.owner);
        let mut inherited = inherited.iter().filter(|c| *c != "java/lang/Object");
        member.desc.starts_with('(') && member.name != "<init>" && inherited.any(of_jdk)
    }

    /// Can the test name the member, and every type that it takes? A type whose class was never loaded is taken for one that can be named: only
    /// `null` was passed as it, and the compiler will say.
    pub(super) fn member_accessible(&self, member: &MemberRef) -> bool {
        let package = self
            .find(member)
            .map_or(package_of(&member.owner), |(c, _)| package_of(&c.name));
        let types = taken(member);
        let never_loaded = |ty: &JavaType| {
            deciding(ty).is_some_and(|c| self.classes.class(c).is_none() && !is_exported(c))
        };
        self.within(self.member_reach(member), package)
            && types
                .iter()
                .all(|t| self.type_accessible(t) || never_loaded(t))
    }

    /// The nearest supertype of `class` through which the test can name all `members`.
    pub(super) fn view(&self, class: &str, members: &[&MemberRef]) -> Option<String> {
        let mut candidates = self.supertypes(class).into_iter();
        candidates.find(|candidate| self.sees(candidate, members))
    }

    /// Can the test name the class `candidate`, and all `members` through it?
    pub(super) fn sees(&self, candidate: &str, members: &[&MemberRef]) -> bool {
        self.class_accessible(candidate)
            && members.iter().all(|m| {
                let through = MemberRef {
                    owner: candidate.into(),
                    ..(*m).clone()
                };
                let declared = *candidate == *m.owner || self.find(&through).is_some();
                declared && self.member_accessible(&through)
            })
    }

    /// Parameter lists of the other methods that a call of `member` with as many arguments could mean.
    pub(super) fn overloads(&self, member: &MemberRef) -> Vec<Vec<JavaType>> {
        let arity = params(&member.desc).len();
        let owners = if member.name == "<init>" {
            vec![member.owner.to_string()]
        } else {
            self.supertypes(&member.owner)
        };
        let members = owners
            .iter()
            .filter_map(|c| self.classes.class(c)?.members.as_ref())
            .flatten();
        members
            .filter(|m| {
                m.name == member.name && m.access & ACC_SYNTHETIC == 0 && m.desc.starts_with('(')
            })
            .map(|m| params(&m.desc))
            .filter(|p| p.len() == arity && *p != params(&member.desc))
            .collect()
    }

    /// Are the members of the class known?
    pub(super) fn members_known(&self, class: &str) -> bool {
        self.classes
            .class(class)
            .is_some_and(|c| c.members.is_some())
    }

    /// What has to be declared of a call of the member. Unknown members may throw any exception, unless they are those of the JDK's containers
    /// and values.
    pub(super) fn throws(&self, member: &MemberRef) -> Throws {
        let harmless = ["java/lang", "java/math", "java/time", "java/util"]
            .contains(&package_of(&member.owner));
        if !member.desc.starts_with('(') || (harmless && !self.members_known(&member.owner)) {
            return Throws::Nothing;
        }
        let Some((_, declared)) = self.find(member) else {
            return Throws::Exception;
        };
        let kind = |exception: &String| match exception.as_str() {
            "java/lang/Throwable" => Throws::Throwable,
            unchecked if self.is_unchecked(unchecked) => Throws::Nothing,
            _ => Throws::Exception,
        };
        let kinds = declared.exceptions.iter().map(kind);
        kinds.max().unwrap_or_default()
    }

    fn is_unchecked(&self, exception: &str) -> bool {
        const ROOTS: [&str; 2] = ["java/lang/RuntimeException", "java/lang/Error"];
        // The JDK's classes carry their superclasses in the table if they were seen; the usual ones are known by name.
        self.supertypes(exception)
            .iter()
            .any(|s| ROOTS.contains(&s.as_str()) || COMMON_UNCHECKED.contains(&s.as_str()))
    }

    /// Is the class a nested one that needs an instance of its enclosing class?
    pub(super) fn is_inner(&self, class: &str) -> bool {
        self.classes.class(class).is_some_and(|info| {
            matches!(info.nesting, Nesting::Member { .. }) && info.access & ACC_STATIC == 0
        })
    }
}

/// The parameters of a method.
pub(super) fn params(desc: &str) -> Vec<JavaType> {
    method_type(desc).0
}

/// The type of what a method gives, or of a field; `None` for `void`.
pub(super) fn result(desc: &str) -> Option<JavaType> {
    match desc.starts_with('(') {
        true => method_type(desc).1,
        false => Some(JavaType::of(desc)),
    }
}

/// The types of what a member is given when it is accessed: a method's parameters, or what a field holds.
pub(super) fn taken(member: &MemberRef) -> Vec<JavaType> {
    match member.desc.starts_with('(') {
        true => params(&member.desc),
        false => vec![JavaType::of(&member.desc)],
    }
}

/// What a method that makes certain calls has to declare, the least first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Throws {
    /// None of them throws a checked exception.
    #[default]
    Nothing,
    /// One may throw a checked exception.
    Exception,
    /// One may throw anything.
    Throwable,
}

const COMMON_UNCHECKED: [&str; 6] = [
    "java/lang/IllegalArgumentException",
    "java/lang/IllegalStateException",
    "java/lang/NullPointerException",
    "java/lang/IndexOutOfBoundsException",
    "java/lang/UnsupportedOperationException",
    "java/lang/ArithmeticException",
];

fn flags_reach(access: u16) -> Reach {
    if access & ACC_PUBLIC != 0 {
        Reach::Everywhere
    } else if access & ACC_PRIVATE != 0 {
        Reach::Nowhere
    } else {
        Reach::Package
    }
}

/// Packages of the JDK that its modules export to everybody.
fn is_exported(class: &str) -> bool {
    ["java/", "javax/", "org/w3c/dom/", "org/xml/sax/"]
        .iter()
        .any(|p| class.starts_with(p))
}

/// Is it one of the classes in `java.util` with which the JDK makes its collections, and which only it can name?
fn is_hidden_in_util(class: &str) -> bool {
    const HIDDEN: [&str; 4] = [
        "ImmutableCollections",
        "RegularEnumSet",
        "JumboEnumSet",
        "KeyValueHolder",
    ];
    const PUBLIC: [&str; 11] = [
        "AbstractMap$SimpleEntry",
        "AbstractMap$SimpleImmutableEntry",
        "Base64$Decoder",
        "Base64$Encoder",
        "Calendar$Builder",
        "Locale$Builder",
        "Locale$Category",
        "Map$Entry",
        "ResourceBundle$Control",
        "PrimitiveIterator$OfInt",
        "PrimitiveIterator$OfLong",
    ];
    let Some(simple) = class.strip_prefix("java/util/") else {
        return false;
    };
    let nested = simple.contains('$') && !simple.contains('/') && !PUBLIC.contains(&simple);
    nested || HIDDEN.contains(&simple)
}

/// The package a test is best put into: the one that most of what is only reachable within its package asks for, else
/// `default`, or, where that is a package of the JDK's, that of the first class that is not the JDK's. The unnamed package wins if any class is in it, since
/// it cannot be imported from.
pub(super) fn choose_package<'m>(
    classes: &dyn ClassLookup,
    named: impl IntoIterator<Item = &'m str>,
    members: impl IntoIterator<Item = &'m MemberRef>,
    default: &str,
) -> String {
    let scope = Scope {
        classes,
        package: String::new(),
    };
    let mut votes: BTreeMap<String, usize> = BTreeMap::new();
    let mut vote = |reach: Reach, package: &str| {
        // Nobody may add classes to the JDK's packages.
        if reach == Reach::Package && !is_exported(&format!("{package}/")) {
            *votes.entry(package.to_owned()).or_default() += 1;
        }
    };
    let mut unnamed = default.is_empty();
    let mut of_program = None;
    let mut meet = |package: &str| {
        if of_program.is_none() && !is_exported(&format!("{package}/")) {
            of_program = Some(package.to_owned());
        }
    };
    for class in named {
        let ty = JavaType::class(class);
        let Some(class) = deciding(&ty) else {
            continue;
        };
        unnamed |= package_of(class).is_empty();
        vote(scope.class_reach(class), package_of(class));
        meet(package_of(class));
    }
    for member in members {
        vote(scope.member_reach(member), package_of(&member.owner));
        meet(package_of(&member.owner));
    }
    if unnamed {
        return String::new();
    }
    let best = votes
        .iter()
        .rev()
        .max_by_key(|(_, n)| **n)
        .map_or(default, |(p, _)| p);
    match is_exported(&format!("{best}/")) {
        true => of_program.unwrap_or_else(|| "tests".into()),
        false => best.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_jdk_makes_collections_with_cannot_be_named() {
        for class in [
            "java/util/ImmutableCollections",
            "java/util/ImmutableCollections$ListN",
            "java/util/Collections$UnmodifiableList",
            "java/util/RegularEnumSet",
        ] {
            assert!(is_hidden_in_util(class), "{class}");
        }
        for class in [
            "java/util/ArrayList",
            "java/util/Map$Entry",
            "java/util/stream/Stream$Builder",
            "a/util/B$C",
        ] {
            assert!(!is_hidden_in_util(class), "{class}");
        }
    }
}
