//! Natural classes: values, builders and collections of the JDK, whose instances run for real in replay because
//! they consult nothing outside themselves.
//!
//! What is natural is data: `natural.txt` beside this file, which a user can read and extend. The same rules decide which
//! static members and constructors run for real and which are *environment*, answered from the trace (clocks, properties,
//! default locale, entropy). Recording at the boundary, projection and replay must ask the same list, or they disagree on what goes out.

use hashbrown::HashSet;

use crate::pattern::glob;

/// The embedded rules.
const BUILT_IN: &str = include_str!("natural.txt");

/// A rule that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}: `{text}`")]
pub struct PatternError {
    /// Line in the text given, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: &'static str,
    /// The line.
    pub text: String,
}

/// A wildcard pattern over internal class names.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Glob(Vec<u8>);

/// A member of the classes that `class` matches; without a descriptor, all of that name.
#[derive(Clone, Debug)]
struct MemberRule {
    class: Glob,
    name: Glob,
    desc: Option<String>,
}

/// The list of natural classes and of the members that are exceptions to it.
#[derive(Clone, Debug)]
pub struct Natural {
    classes: Classes,
    not_classes: Classes,
    excluded: Vec<MemberRule>,
    included: Vec<MemberRule>,
    /// The rules that were added to the built-in ones.
    added: String,
}

/// Class patterns. Most have no wildcard, and all calls of recorded code are looked up.
#[derive(Clone, Debug, Default)]
struct Classes {
    exact: HashSet<Vec<u8>>,
    wild: Vec<Glob>,
}

impl Classes {
    fn add(&mut self, class: Glob) {
        match class.0.iter().any(|c| matches!(c, b'*' | b'?')) {
            true => self.wild.push(class),
            false => drop(self.exact.insert(class.0)),
        }
    }

    /// Does one match?
    fn matches(&self, internal: &str) -> bool {
        self.exact.contains(internal.as_bytes()) || self.wild.iter().any(|g| g.matches(internal))
    }
}

impl Default for Natural {
    /// The built-in list.
    fn default() -> Self {
        let mut natural = Self::empty();
        // A bad line in the embedded text is left out here; a test keeps it from being committed.
        for (no, line) in BUILT_IN.lines().enumerate() {
            let _ = natural.add_line(no + 1, line);
        }
        natural
    }
}

impl Natural {
    /// No class is natural.
    fn empty() -> Self {
        Self {
            classes: Classes::default(),
            not_classes: Classes::default(),
            excluded: Vec::new(),
            included: Vec::new(),
            added: String::new(),
        }
    }

    /// Everything is natural but these classes (internal names), and no member is an exception: what holds where nothing is answered, since
    /// all code runs for real.
    pub fn all_but<'c>(classes: impl Iterator<Item = &'c str>) -> Self {
        let mut natural = Self::empty();
        natural.classes.add(Glob::new("*"));
        classes.for_each(|class| natural.not_classes.add(Glob::new(class)));
        natural
    }

    /// Is nothing answered: is it [`Natural::all_but`]?
    pub fn is_all(&self) -> bool {
        self.classes.wild.iter().any(|glob| glob.0 == b"*")
    }

    /// The same list with the rules of `text` added (syntax: head of `natural.txt`).
    ///
    /// # Errors
    /// The first line that is no rule.
    pub fn with_extra(mut self, text: &str) -> Result<Self, PatternError> {
        for (no, line) in text.lines().enumerate() {
            self.add_line(no + 1, line)?;
            self.added.push_str(line);
            self.added.push('\n');
        }
        Ok(self)
    }

    /// The rules that [`Natural::with_extra`] has added, as it takes them.
    pub fn added(&self) -> &str {
        &self.added
    }

    /// Do instances of the class `internal` (`java/util/ArrayList`; arrays by descriptor, `[I`) run for real?
    pub fn is_natural_class(&self, internal: &str) -> bool {
        internal.starts_with('[')
            || (self.classes.matches(internal) && !self.not_classes.matches(internal))
    }

    /// Does a call of this member run for real?
    ///
    /// Static members and constructors: `owner` is natural and the member is not excluded, or it is one of the few that are included
    /// all the same. Instance methods: whether `owner` is natural and the member is not excluded; for receivers that may be stand-ins, what
    /// decides in the end is their run-time class. (Of `invokedynamic`, the class of the bootstrap method decides.)
    pub fn is_natural_member(&self, owner: &str, name: &str, desc: &str) -> bool {
        let hit = |rules: &[MemberRule]| rules.iter().any(|r| r.matches(owner, name, desc));
        self.is_natural_class(owner) && !hit(&self.excluded) || hit(&self.included)
    }

    /// Is this call on an instance of a natural class answered from the trace all the same (`Class.getClassLoader`, `Method.invoke`)?
    pub fn is_answered(&self, owner: &str, name: &str, desc: &str) -> bool {
        !owner.starts_with('[')
            && self.is_natural_class(owner)
            && !self.is_natural_member(owner, name, desc)
    }

    /// Does an instance of this natural class run for real only if all that it is made of does, and if no code gets it that is neither
    /// recorded nor natural? Such code reads, writes or moves them, and no content of theirs is recorded.
    pub fn depends_on_others(owner: &str) -> bool {
        owner.starts_with("java/io/")
            || [
                "java/lang/StringBuffer",
                "java/text/FieldPosition",
                "java/text/ParsePosition",
            ]
            .contains(&owner)
    }

    /// May objects of classes that are not natural be of this natural type, and do something where it is called? A method reference that
    /// names it can lead to the environment; of containers and functions, that is for what stands in for them to say.
    pub fn has_other_instances(owner: &str) -> bool {
        owner.starts_with("java/io/")
            || [
                "java/lang/Appendable",
                "java/lang/AutoCloseable",
                "java/lang/Comparable",
                "java/lang/Object",
                "java/lang/Runnable",
                "java/util/concurrent/Callable",
            ]
            .contains(&owner)
    }

    /// Is a read of the static field `owner.name` done for real (`Locale.ENGLISH`, `BigDecimal.ZERO`)?
    pub fn is_natural_field(&self, owner: &str, name: &str, desc: &str) -> bool {
        self.is_natural_member(owner, name, desc)
    }

    fn add_line(&mut self, line: usize, text: &str) -> Result<(), PatternError> {
        let rule = strip_comment(text);
        if rule.is_empty() {
            return Ok(());
        }
        let error = |reason| PatternError {
            line,
            reason,
            text: text.trim().to_owned(),
        };
        let (sign, body) = match rule.as_bytes()[0] {
            sign @ (b'-' | b'+') => (sign, rule[1..].trim_start()),
            _ => (b' ', rule),
        };
        if body.is_empty() || body.contains(char::is_whitespace) {
            return Err(error("expected one class pattern"));
        }
        match (sign, body.split_once('#')) {
            (b'-', None) => self.not_classes.add(Glob::new(body)),
            (b'+', None) => return Err(error("`+` needs a member")),
            (_, None) => self.classes.add(Glob::new(body)),
            (b'-', Some(_)) => return Err(error("`-` takes no member")),
            (sign, Some((class, member))) => {
                let rule = MemberRule::parse(class, member)
                    .ok_or_else(|| error("expected class#member"))?;
                if sign == b'+' {
                    self.included.push(rule)
                } else {
                    self.excluded.push(rule)
                }
            }
        }
        Ok(())
    }
}

impl MemberRule {
    fn parse(class: &str, member: &str) -> Option<Self> {
        let (name, desc) = match member.find('(') {
            Some(at) => (&member[..at], Some(member[at..].to_owned())),
            None => (member, None),
        };
        let empty = class.is_empty() || name.is_empty();
        (!empty).then(|| Self {
            class: Glob::new(class),
            name: Glob(name.as_bytes().to_vec()),
            desc,
        })
    }

    fn matches(&self, owner: &str, name: &str, desc: &str) -> bool {
        self.desc.as_deref().is_none_or(|d| d == desc)
            && self.name.matches(name)
            && self.class.matches(owner)
    }
}

impl Glob {
    /// From a dotted or internal class pattern.
    fn new(pattern: &str) -> Self {
        Self(pattern.replace('.', "/").into_bytes())
    }

    /// Does the whole of `text` match?
    fn matches(&self, text: &str) -> bool {
        glob(&self.0, text.as_bytes())
    }
}

/// The rule on a line: `#` begins a comment at the start of the line or behind a blank (elsewhere it separates class and member).
fn strip_comment(line: &str) -> &str {
    let bytes = line.as_bytes();
    let comment = (0..bytes.len())
        .find(|&i| bytes[i] == b'#' && (i == 0 || bytes[i - 1].is_ascii_whitespace()));
    line[..comment.unwrap_or(line.len())].trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn where_all_code_runs_everything_is_natural_but_what_was_recorded() {
        let natural = Natural::all_but(["a/Recorded"].into_iter());
        assert!(natural.is_natural_class("b/Library") && natural.is_natural_class("java/io/File"));
        assert!(!natural.is_natural_class("a/Recorded"));
        // What asks the machine asks it.
        assert!(natural.is_natural_member("java/lang/System", "nanoTime", "()J"));
        assert!(!Natural::default().is_natural_member("java/lang/System", "nanoTime", "()J"));
    }

    #[test]
    fn every_built_in_line_is_a_rule() {
        assert_eq!(Natural::empty().with_extra(BUILT_IN).map(|_| ()), Ok(()));
    }

    #[test]
    fn values_and_collections_are_natural() {
        let natural = Natural::default();
        for class in [
            "java/lang/String",
            "java/lang/Integer",
            "java/util/ArrayList",
            "java/util/ArrayList$Itr",
            "java/util/HashMap$EntrySet",
            "java/util/Collections$UnmodifiableList",
            "java/util/concurrent/ConcurrentHashMap",
            "java/util/concurrent/atomic/AtomicInteger",
            "java/math/BigDecimal",
            "java/time/LocalDate",
            "java/time/zone/ZoneRules",
            "java/lang/ref/SoftReference",
            "java/lang/IllegalStateException",
            "java/util/concurrent/ExecutionException",
            "java/io/IOException",
            "java/lang/StackOverflowError",
            "java/util/Locale",
            "[I",
            "[[Lcom/foo/Bar;",
        ] {
            assert!(natural.is_natural_class(class), "{class}");
        }
    }

    #[test]
    fn what_is_taken_out_can_be_taken_back() {
        let rules = "java.lang.reflect.Thing#go\n+java.lang.reflect.*#go";
        for (rules, runs) in [(rules, true), ("java.lang.reflect.Thing#go", false)] {
            let natural = Natural::default().with_extra(rules).unwrap();
            let owner = "java/lang/reflect/Thing";
            let call = natural.is_natural_member(owner, "go", "()V");
            assert_eq!(call, runs, "{rules}");
            assert_eq!(natural.is_answered(owner, "go", "()V"), !runs, "{rules}");
        }
    }

    #[test]
    fn classes_of_the_machine_are_environment() {
        let natural = Natural::default();
        for class in [
            "java/lang/System",
            "java/lang/Thread",
            "java/lang/Runtime",
            "java/util/TimeZone",
            "java/util/GregorianCalendar",
            "java/util/Date",
            "java/util/Scanner",
            "java/time/Clock",
            "java/time/Clock$SystemClock",
            "java/text/SimpleDateFormat",
            "java/lang/ClassLoader",
            "java/io/File",
            "java/lang/ref/ReferenceQueue",
            "java/util/concurrent/ThreadPoolExecutor",
            "java/util/concurrent/locks/ReentrantLock",
            "com/foo/Bar",
            "com/foo/BarException",
        ] {
            assert!(!natural.is_natural_class(class), "{class}");
        }
    }

    #[test]
    fn members_that_ask_the_machine_are_environment() {
        let natural = Natural::default();
        for member in [
            "java/lang/System.currentTimeMillis()J",
            "java/lang/System.getProperty(Ljava/lang/String;)Ljava/lang/String;",
            "java/util/Locale.getDefault()Ljava/util/Locale;",
            "java/util/Locale.getDefault(Ljava/util/Locale$Category;)Ljava/util/Locale;",
            "java/util/TimeZone.getDefault()Ljava/util/TimeZone;",
            "java/time/LocalDate.now()Ljava/time/LocalDate;",
            "java/time/chrono/JapaneseDate.now()Ljava/time/chrono/JapaneseDate;",
            "java/lang/Math.random()D",
            "java/util/Random.<init>()V",
            "java/util/UUID.randomUUID()Ljava/util/UUID;",
            "java/lang/Integer.getInteger(Ljava/lang/String;)Ljava/lang/Integer;",
            "java/lang/Class.forName(Ljava/lang/String;)Ljava/lang/Class;",
            "com/foo/Bar.make()V",
            "java/lang/System.identityHashCode(Ljava/lang/Object;)I",
        ] {
            let (owner, rest) = member.split_once('.').unwrap();
            let (name, desc) = rest.split_at(rest.find('(').unwrap());
            let runs = natural.is_natural_member(owner, name, desc);
            assert!(!runs, "{member}");
        }
        assert!(!natural.is_natural_field("java/lang/System", "out", "Ljava/io/PrintStream;"));
    }

    #[test]
    fn members_that_run_for_real() {
        let natural = Natural::default();
        let real = |owner, name, desc| {
            assert!(
                natural.is_natural_member(owner, name, desc),
                "{owner}.{name}{desc}"
            )
        };
        real(
            "java/lang/System",
            "arraycopy",
            "(Ljava/lang/Object;ILjava/lang/Object;II)V",
        );
        real("java/util/Random", "<init>", "(J)V");
        real("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;");
        for factory in ["StringConcatFactory", "LambdaMetafactory"] {
            let factory = format!("java/lang/invoke/{factory}");
            assert!(natural.is_natural_class(&factory), "{factory}");
        }
        real(
            "java/util/Collections",
            "shuffle",
            "(Ljava/util/List;Ljava/util/Random;)V",
        );
        assert!(natural.is_natural_field("java/util/Locale", "ENGLISH", "Ljava/util/Locale;"));
    }

    #[test]
    fn what_reflection_does_is_answered_and_what_it_says_is_real() {
        let natural = Natural::default();
        let method = "java/lang/reflect/Method";
        let invoke = "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";
        assert!(natural.is_answered(method, "invoke", invoke));
        assert!(!natural.is_answered(method, "getName", "()Ljava/lang/String;"));
        assert!(natural.is_answered(
            "java/lang/Class",
            "getClassLoader",
            "()Ljava/lang/ClassLoader;"
        ));
        // What is no natural class is answered anyway, by way of its stand-ins.
        assert!(!natural.is_answered("com/foo/Bar", "make", "()V"));
        assert!(!natural.is_answered("[I", "clone", "()Ljava/lang/Object;"));
    }

    #[test]
    fn rules_of_a_user() {
        let natural = Natural::default()
            .with_extra("com.foo.Money   # immutable\n\n-java.util.Random\ncom/foo/Money#today\n+com.foo.Util#clamp(II)I\n")
            .unwrap();
        assert!(natural.is_natural_class("com/foo/Money"));
        assert!(!natural.is_natural_class("java/util/Random"));
        assert!(!natural.is_natural_member("java/util/Random", "<init>", "(J)V"));
        assert!(natural.is_natural_member("com/foo/Money", "of", "(J)V"));
        assert!(!natural.is_natural_member("com/foo/Money", "today", "()V"));
        assert!(natural.is_natural_member("com/foo/Util", "clamp", "(II)I"));
        assert!(!natural.is_natural_member("com/foo/Util", "clamp", "(III)I"));
    }

    #[test]
    fn bad_rules_are_named() {
        let error = |text: &str| Natural::default().with_extra(text).err().map(|e| e.line);
        assert_eq!(error("a.B\n+a.B"), Some(2));
        assert_eq!(error("-a.B#c"), Some(1));
        assert_eq!(error("a.B c.D"), Some(1));
        assert_eq!(error("#only a comment\n \n+"), Some(3));
        assert_eq!(error("a.B#(I)V"), Some(1));
    }

    /// Wildcards by definition, without bookkeeping.
    fn naive(pattern: &[u8], text: &[u8]) -> bool {
        match pattern.first() {
            None => text.is_empty(),
            Some(b'*') => (0..=text.len()).any(|n| naive(&pattern[1..], &text[n..])),
            Some(&c) => {
                text.first().is_some_and(|&t| c == b'?' || c == t)
                    && naive(&pattern[1..], &text[1..])
            }
        }
    }

    proptest! {
        #[test]
        fn wildcards_match_by_definition(pattern in "[ab*?]{0,8}", text in "[ab]{0,10}") {
            prop_assert_eq!(Glob::new(&pattern).matches(&text), naive(pattern.as_bytes(), text.as_bytes()));
        }
    }
}
