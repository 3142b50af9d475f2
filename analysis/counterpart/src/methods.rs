//! What methods of the JDK do, as far as it matters for repeating calls of them.

use jinsi_trace::model::MemberRef;

/// How a call is about an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// It does not matter for it.
    None,
    /// It is called on it.
    Receives,
    /// It gives it.
    Gives,
    /// It is given it, and may change or keep it.
    IsGiven,
}

/// Packages and classes whose objects are more than memory: what they do is not repeated.
const MACHINE: [&str; 20] = [
    "java/lang/Thread",
    "java/lang/Runtime",
    "java/lang/Process",
    "java/lang/ClassLoader",
    "java/lang/Module",
    "java/lang/invoke/",
    "java/lang/reflect/Proxy",
    "java/nio/channels/",
    "java/nio/file/Files",
    "java/net/Socket",
    "java/net/ServerSocket",
    "java/net/URLClassLoader",
    "java/security/",
    "java/sql/DriverManager",
    "java/util/Timer",
    "java/util/ServiceLoader",
    "java/util/concurrent/Executor",
    "java/util/concurrent/ForkJoin",
    "java/util/concurrent/ThreadPool",
    "java/util/concurrent/CompletableFuture",
];

/// Is what a class does more than memory?
pub(crate) fn is_of_machine(owner: &str) -> bool {
    // A value for each thread is memory.
    let is_local = owner.starts_with("java/lang/ThreadLocal");
    !is_local && MACHINE.iter().any(|prefix| owner.starts_with(prefix))
}

/// Does it open something that lies beside the program's classes?
pub(crate) fn is_resource(owner: &str, name: &str) -> bool {
    matches!(owner, "java/lang/Class" | "java/lang/ClassLoader") && name == "getResourceAsStream"
}

/// Does it look for something that lies beside the program's classes, and that may be another thing in another version?
pub(crate) fn looks_beside(owner: &str, name: &str) -> bool {
    match owner {
        "java/lang/Class" | "java/lang/ClassLoader" => {
            name.starts_with("getResource") || name.starts_with("getSystemResource")
        }
        "java/util/ResourceBundle" => name == "getBundle",
        _ => false,
    }
}

/// Does it ask a class for its members?
pub(crate) fn asks_for_members(owner: &str, name: &str) -> bool {
    let of_members = ["Field", "Method", "Constructor", "Class", "RecordComponent"];
    let what = name.strip_prefix("get").unwrap_or_default();
    let what = what.strip_prefix("Declared").unwrap_or(what);
    owner == "java/lang/Class"
        && of_members
            .iter()
            .any(|member| matches!(what.strip_prefix(member), Some("s" | "es")))
}

/// Does it have another thread do something?
pub(crate) fn hands_to_a_thread(owner: &str, name: &str) -> bool {
    match owner {
        "java/lang/Thread" => name == "start" || name == "startVirtualThread",
        "java/util/Timer" => name.starts_with("schedule"),
        _ => {
            owner.starts_with("java/util/concurrent/")
                && (name.ends_with("Async")
                    || matches!(name, "execute" | "submit" | "fork")
                    || name.starts_with("invoke")
                    || name.starts_with("schedule"))
        }
    }
}

/// Does it read or write fields and elements as memory?
pub(crate) fn is_memory(owner: &str, name: &str) -> bool {
    const ACCESSES: [&str; 4] = ["get", "put", "compareAnd", "weakCompareAnd"];
    let is_unsafe = matches!(owner, "sun/misc/Unsafe" | "jdk/internal/misc/Unsafe");
    is_unsafe && name != "getUnsafe" && ACCESSES.iter().any(|verb| name.starts_with(verb))
}

/// Does a static method ask for what the JVM with the other version has as the recorded one had it?
pub(crate) fn is_set_up(owner: &str, name: &str) -> bool {
    matches!(
        (owner, name),
        ("java/util/Locale" | "java/util/TimeZone", "getDefault")
            | ("java/nio/charset/Charset", "defaultCharset")
    )
}

/// Methods that ask an object what it is, and change nothing.
const PURE: [&str; 12] = [
    "charAt",
    "compare",
    "compareTo",
    "equals",
    "hashCode",
    "length",
    "name",
    "ordinal",
    "subSequence",
    "toString",
    "getComparator",
    "values",
];

/// Does a method of this name change nothing, as one may expect?
pub(crate) fn is_pure(name: &str) -> bool {
    PURE.contains(&name)
}

/// Calls that change nothing, and that need not be repeated: what they give may depend on the JVM, or they call recorded code for each element.
pub(crate) fn is_idle(target: &MemberRef) -> bool {
    matches!(
        target.name.as_str(),
        "forEach" | "toString" | "hashCode" | "equals" | "identityHashCode"
    )
}

/// Methods of containers that compute an element by a function, as `put` and `remove` of what they gave.
pub(crate) fn puts_what_it_gives(target: &MemberRef) -> bool {
    target.owner.starts_with("java/util/")
        && matches!(
            target.name.as_str(),
            "computeIfAbsent" | "computeIfPresent" | "compute" | "merge"
        )
}

/// May a method, called on another object, change or keep an argument of this class?
pub(crate) fn may_change_arguments(target: &MemberRef, class: &str) -> bool {
    let is_element = class.starts_with("java/util/") && !class.starts_with("java/util/regex/");
    match is_element {
        true => matches!(target.name.as_str(), "copyInto" | "drainTo"),
        // What a container gets it holds, and changes nothing in.
        false => {
            let holds = target.owner.starts_with("java/util/")
                && !target.owner.starts_with("java/util/regex/");
            !holds && !is_pure(&target.name)
        }
    }
}

/// Does a call keep an array that it is given, so that it may read or write it later?
pub(crate) fn keeps_array(target: &MemberRef) -> bool {
    let owner = target.owner.as_str();
    let makes = target.name == "<init>"
        && (owner.starts_with("java/io/")
            || owner.starts_with("javax/")
            || owner.starts_with("java/awt/"));
    let name = target.name.as_str();
    makes
        || matches!(name, "asList" | "wrap" | "of" | "stream")
        || owner.starts_with("java/util/") && PUTS.iter().any(|verb| name.starts_with(verb))
}

/// With these begin names of methods by which a container gets an element: `putIfAbsent`, `addLast`, `replaceAll`.
const PUTS: [&str; 8] = [
    "add", "insert", "merge", "offer", "push", "put", "replace", "set",
];

/// May a call keep an array that it is given, and write it later?
pub(crate) fn writes_later(target: &MemberRef) -> bool {
    !target.owner.starts_with(['j', '[']) || matches!(target.name.as_str(), "asList" | "wrap")
}

/// Does a call only write arrays that it is given, whatever they held?
pub(crate) fn fills_array(target: &MemberRef) -> bool {
    matches!(
        target.name.as_str(),
        "read" | "readFully" | "getChars" | "toArray" | "getBytes"
    )
}

/// Can what a call gave change what it was called on: is it a view?
pub(crate) fn is_apart(class: &str) -> bool {
    class.starts_with("java/util/stream/") || class.contains("Spliterator")
}

/// Is it the class of an iterator? One changes what it goes through only by methods of these names.
pub(crate) fn is_iterator(class: &str) -> bool {
    ["Itr", "Iterator", "Enumerat"]
        .iter()
        .any(|part| class.contains(part))
}

/// Does an iterator change what it goes through by this method?
pub(crate) fn changes_by_iterator(name: &str) -> bool {
    matches!(name, "remove" | "set" | "add")
}

/// Does it make something that holds the time?
pub(crate) fn asks_clock(target: &MemberRef) -> bool {
    let (name, desc) = (target.name.as_str(), target.desc.as_str());
    match target.owner.as_str() {
        "java/util/Date" => name == "<init>" && desc == "()V",
        "java/util/Calendar" => name == "getInstance",
        "java/util/GregorianCalendar" => name == "<init>" && !desc.starts_with("(III"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(owner: &str, name: &str) -> MemberRef {
        MemberRef {
            owner: owner.into(),
            name: name.into(),
            desc: "()V".into(),
        }
    }

    #[test]
    fn containers_keep_what_they_get_and_readers_use_it() {
        let add = member("java/util/List", "add");
        assert!(!may_change_arguments(&add, "java/lang/StringBuilder"));
        assert!(!may_change_arguments(&add, "java/util/ArrayList"));
        let drain = member("java/util/Queue", "drainTo");
        assert!(may_change_arguments(&drain, "java/util/ArrayList"));
        let append = member("java/util/regex/Matcher", "appendTail");
        assert!(may_change_arguments(&append, "java/lang/StringBuffer"));
        let wrapped = member("java/io/BufferedReader", "<init>");
        assert!(may_change_arguments(&wrapped, "java/io/StringReader"));
    }

    #[test]
    fn what_is_not_the_programs_doing_is_known_by_its_name() {
        for name in [
            "getFields",
            "getDeclaredMethods",
            "getDeclaredConstructors",
            "getClasses",
        ] {
            assert!(asks_for_members("java/lang/Class", name), "{name}");
        }
        // Which there is by this name is asked, and not which there are.
        for name in ["getField", "getDeclaredMethod", "getClassLoader", "getName"] {
            assert!(!asks_for_members("java/lang/Class", name), "{name}");
        }
        assert!(hands_to_a_thread(
            "java/util/concurrent/ExecutorService",
            "submit"
        ));
        assert!(!hands_to_a_thread("java/lang/Thread", "currentThread"));
        assert!(is_memory("sun/misc/Unsafe", "putOrderedObject"));
        assert!(!is_memory("sun/misc/Unsafe", "objectFieldOffset"));
    }

    #[test]
    fn what_is_more_than_memory_is_distinguished_from_what_is_not() {
        assert!(
            is_of_machine("java/lang/Thread")
                && is_of_machine("java/util/concurrent/ExecutorService")
        );
        assert!(
            !is_of_machine("java/lang/ThreadLocal")
                && !is_of_machine("java/util/concurrent/ConcurrentHashMap")
        );
        assert!(
            asks_clock(&member("java/util/Date", "<init>"))
                && !asks_clock(&member("java/util/Date", "getTime"))
        );
    }
}
