//! Members that are nobody's: what `java.lang.Object` has, and what `java.lang.Thread` does whoever inherits it. And those in which threads meet.

/// The methods of `java.lang.Object`.
const OF_OBJECT: [&str; 9] = [
    "clone",
    "equals",
    "finalize",
    "getClass",
    "hashCode",
    "notify",
    "notifyAll",
    "toString",
    "wait",
];

/// Classes of the JDK's (internal names) that have the machine run something, whatever class inherits them: it decides when, and on which thread. Where
/// one of them inherits another, both are here, for the trace need not know.
pub const MACHINES: [&str; 5] = [
    "java/lang/Thread",
    "java/util/concurrent/CountedCompleter",
    "java/util/concurrent/ForkJoinTask",
    "java/util/concurrent/RecursiveAction",
    "java/util/concurrent/RecursiveTask",
];

/// Is a method of this name, called on an instance of one of the [`MACHINES`] and not declared by an observed class, the machine's business? All that
/// these add to `Object` is, so the recording answers it, on observed objects as well. What `Object` has runs for real: `Thread.clone`, for one,
/// does nothing but throw.
pub fn is_of_machine(name: &str) -> bool {
    name != "<init>" && !OF_OBJECT.contains(&name)
}

/// Is this the method that JaCoCo adds to a class, which gives the array that JaCoCo's probes fill? It is no event, and runs wherever its class does.
pub fn is_of_coverage(name: &str, desc: &str) -> bool {
    name == "$jacocoInit" && desc.ends_with(")[Z")
}

/// Interfaces and classes of the JDK's of which natural objects are shared by threads: containers that are made for that, wrapped, or said to be only by the name of
/// an interface; not the iterators of these, which are many.
const SHARED: [&str; 14] = [
    "java/util/Collection",
    "java/util/Deque",
    "java/util/Hashtable",
    "java/util/List",
    "java/util/Map",
    "java/util/NavigableMap",
    "java/util/NavigableSet",
    "java/util/Properties",
    "java/util/Queue",
    "java/util/Set",
    "java/util/SortedMap",
    "java/util/SortedSet",
    "java/util/Stack",
    "java/util/Vector",
];

/// May a call of an instance method of this class or interface (internal name) meet other threads in natural code, which makes no events of its
/// own? The agent and replay count these calls alike, whatever the receiver is.
pub fn meets_others(owner: &str) -> bool {
    match owner.strip_prefix("java/util/concurrent/") {
        Some(class) => {
            class.starts_with("atomic/")
                || class.starts_with("Concurrent")
                || class.starts_with("CopyOnWrite")
        }
        None => SHARED.contains(&owner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_and_atomics_are_shared() {
        for shared in [
            "java/util/Map",
            "java/util/concurrent/ConcurrentHashMap",
            "java/util/concurrent/atomic/AtomicLong",
        ] {
            assert!(meets_others(shared), "{shared}");
        }
        // What waits is the environment's, which makes events.
        for not in [
            "java/util/HashMap",
            "java/util/concurrent/Semaphore",
            "com/foo/Map",
        ] {
            assert!(!meets_others(not), "{not}");
        }
    }

    #[test]
    fn only_the_method_that_gives_an_array_is_of_coverage() {
        assert!(is_of_coverage("$jacocoInit", "()[Z"));
        assert!(!is_of_coverage("$jacocoInit", "()V") && !is_of_coverage("init", "()[Z"));
    }

    #[test]
    fn a_thread_answers_for_what_it_adds_to_an_object() {
        assert!(is_of_machine("start") && is_of_machine("join") && is_of_machine("getName"));
        assert!(!is_of_machine("clone") && !is_of_machine("wait") && !is_of_machine("<init>"));
    }
}
