//! Members that are nobody's: what `java.lang.Object` has, and what `java.lang.Thread` does whoever inherits it.

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

/// Is a method of this name, called on a thread and not declared by an observed class, the machine's business? All that `Thread` adds to
/// `Object` is, so the recording answers it, on observed threads as well. What `Object` has runs for real: `Thread.clone`, for one, does
/// nothing but throw.
pub fn is_of_thread(name: &str) -> bool {
    name != "<init>" && !OF_OBJECT.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_answers_for_what_it_adds_to_an_object() {
        assert!(is_of_thread("start") && is_of_thread("join") && is_of_thread("getName"));
        assert!(!is_of_thread("clone") && !is_of_thread("wait") && !is_of_thread("<init>"));
    }
}
