//! May the interactions of a test run for real, environment included, on the machine of whoever minimizes?
//!
//! Replay touches nothing outside the worker. A test without stand-ins does what the recorded run did. It cannot do that while jinsi tries
//! it, because its JVM is shut in (`jinsi_jdk::confined`); but it can in the build of whoever keeps it. So such a test is written only where
//! the recording shows that it is harmless. Everything that was called below the kept interactions, and by class initializers, must be
//! recorded itself, natural, or on a list of the JDK's classes that change nothing outside the JVM and wait for nobody. What cannot be known,
//! such as the target of a reflective call, is not harmless.

use std::collections::{BTreeSet, HashMap};

use jinsi_trace::model::{CallOp, MemberRef, SiteNo};

use jinsi_history::{History, NodeKind};
use jinsi_level::frameworks::is_framework;
use jinsi_level::{Level, NodeNo};
use jinsi_natural::Natural;

/// Packages and classes (internal names, by prefix) that change nothing outside the JVM; the longest prefix of both lists decides.
const HARMLESS: &[&str] = &[
    "java/io/BufferedInputStream",
    "java/io/BufferedOutputStream",
    "java/io/BufferedReader",
    "java/io/BufferedWriter",
    "java/io/ByteArray",
    "java/io/CharArray",
    "java/io/Closeable",
    "java/io/DataInputStream",
    "java/io/DataOutputStream",
    "java/io/FilterInputStream",
    "java/io/FilterOutputStream",
    "java/io/InputStream",
    "java/io/ObjectInputStream",
    "java/io/ObjectOutputStream",
    "java/io/OutputStream",
    "java/io/PrintStream",
    "java/io/PrintWriter",
    "java/io/Pushback",
    "java/io/Reader",
    "java/io/String",
    "java/io/Writer",
    "java/lang/",
    "java/math/",
    "java/net/URI",
    "java/net/URLDecoder",
    "java/net/URLEncoder",
    "java/nio/charset/",
    "java/security/MessageDigest",
    "java/text/",
    "java/time/",
    "java/util/",
    "org/w3c/dom/",
];
/// What is excepted from [`HARMLESS`]: classes, and members as `Class.name`.
const HARMFUL: &[&str] = &[
    "java/io/PrintStream.<init>",
    "java/io/PrintWriter.<init>",
    "java/lang/ClassLoader",
    "java/lang/Compiler",
    "java/lang/Module",
    "java/lang/Object.wait",
    "java/lang/Process",
    "java/lang/Runtime.",
    "java/lang/Shutdown",
    "java/lang/System.clearProperty",
    "java/lang/System.console",
    "java/lang/System.exit",
    "java/lang/System.in",
    "java/lang/System.load",
    "java/lang/System.set",
    "java/lang/Thread.",
    "java/lang/ThreadGroup",
    "java/lang/invoke/",
    "java/lang/reflect/Constructor.newInstance",
    "java/lang/reflect/Method.invoke",
    "java/lang/reflect/Proxy",
    "java/util/Locale.setDefault",
    "java/util/Scanner",
    "java/util/ServiceLoader",
    "java/util/TimeZone.setDefault",
    "java/util/Timer",
    "java/util/concurrent/",
    "java/util/jar/",
    "java/util/logging/",
    "java/util/prefs/",
    "java/util/zip/ZipFile",
];
/// What is excepted from [`HARMFUL`] again.
const HARMLESS_AFTER_ALL: &[&str] = &[
    "java/lang/ClassLoader.get",
    "java/lang/Thread.currentThread",
    "java/lang/Thread.getContextClassLoader",
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/concurrent/CopyOnWrite",
    "java/util/concurrent/atomic/",
    "java/util/concurrent/locks/",
];

/// May the interactions `kept` of a level run for real?
pub(super) fn may_run(
    history: &History,
    natural: &Natural,
    recorded: &BTreeSet<String>,
    level: &Level,
    kept: &[u32],
) -> bool {
    let mut judge = Judge {
        history,
        natural,
        recorded,
        known: HashMap::new(),
    };
    let interactions = level
        .interactions
        .iter()
        .filter(|i| kept.binary_search(&i.no).is_ok());
    interactions.map(|i| i.node).all(|n| judge.below(n)) && judge.class_initializers()
}

/// May what the node of the history did be done for real, wherever that is?
pub(super) fn is_harmless(
    history: &History,
    natural: &Natural,
    recorded: &BTreeSet<String>,
    node: NodeNo,
) -> bool {
    let mut judge = Judge {
        history,
        natural,
        recorded,
        known: HashMap::new(),
    };
    judge.below(node)
}

struct Judge<'a> {
    history: &'a History,
    natural: &'a Natural,
    recorded: &'a BTreeSet<String>,
    /// By site and class of the receiver.
    known: HashMap<(SiteNo, Option<String>), bool>,
}

impl Judge<'_> {
    /// Is all harmless that the node and its subtree do?
    fn below(&mut self, n: NodeNo) -> bool {
        n.until(self.history.node(n).end).all(|n| self.node(n))
    }

    /// The test may be the first to use a class.
    fn class_initializers(&mut self) -> bool {
        let history = self.history;
        history
            .nodes()
            .filter(|(n, node)| {
                node.kind == NodeKind::Activation
                    && history.site(*n).is_some_and(|s| s.method == "<clinit>")
            })
            .all(|(n, _)| self.below(n))
    }

    fn node(&mut self, n: NodeNo) -> bool {
        let history = self.history;
        let kind = history.node(n).kind;
        let foreign = matches!(
            kind,
            NodeKind::Call | NodeKind::GetStatic | NodeKind::PutStatic
        );
        let Some(site) = history.site(n).filter(|_| foreign) else {
            return true;
        };
        let receiver = match kind {
            NodeKind::Call if history.has_receiver(n) => history
                .class_of_value(history.receiver(n))
                .map(str::to_owned),
            _ => None,
        };
        let key = (site.no, receiver);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let asserts =
            site.op == CallOp::Static && is_framework(&site.target.owner.replace('/', "."));
        let harmless = site.op == CallOp::Dynamic
            || asserts
            || history.is_natural_op(self.natural, n)
            || self.member(&site.target, key.1.as_deref(), kind == NodeKind::PutStatic);
        self.known.insert(key, harmless);
        harmless
    }

    /// `receiver`: its class, if there is one.
    fn member(&self, target: &MemberRef, receiver: Option<&str>, writes: bool) -> bool {
        let owner = target.owner.as_str();
        if owner.starts_with('[') || self.recorded.contains(owner) {
            return true;
        }
        // Classes of the JDK that have no name of their own do what the class says by which they are called.
        let inside = |c: &&str| !c.starts_with("sun/") && !c.starts_with("jdk/");
        let class = receiver.filter(inside).unwrap_or(owner);
        !writes
            && [owner, class]
                .into_iter()
                .all(|class| self.recorded.contains(class) || is_listed(class, &target.name))
    }
}

fn is_listed(class: &str, name: &str) -> bool {
    let text = format!("{class}.{name}");
    let has = |list: &[&str]| list.iter().any(|prefix| text.starts_with(prefix));
    has(HARMLESS) && (!has(HARMFUL) || has(HARMLESS_AFTER_ALL))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_history::script::history;

    /// May all of a script's `A.main` run?
    fn judged(body: &str) -> bool {
        let history = history(&format!(
            "class A\nenv lib/Other\nobj #5 java/io/FileOutputStream\nobj #6 java/util/ArrayList\ns> A.main()V\n{body}\n<"
        ));
        let recorded = BTreeSet::from(["A".to_owned()]);
        let natural = Natural::default();
        let mut judge = Judge {
            history: &history,
            natural: &natural,
            recorded: &recorded,
            known: HashMap::new(),
        };
        judge.below(NodeNo::FIRST) && judge.class_initializers()
    }

    #[test]
    fn printing_and_asking_are_harmless() {
        assert!(judged(
            "gets java/lang/System.out:Ljava/io/PrintStream; null"
        ));
        assert!(judged("calls java/lang/System.nanoTime()J\nret 5L"));
        assert!(judged("call java/util/List.size()I #6\nret 5"));
    }

    #[test]
    fn what_changes_the_world_is_not() {
        assert!(!judged("calls java/lang/System.exit(I)V 3\nret"));
        assert!(!judged(
            "gets java/lang/System.in:Ljava/io/InputStream; null"
        ));
        assert!(!judged("call java/io/OutputStream.write(I)V #5 3\nret"));
        assert!(!judged(
            "calls java/nio/file/Files.delete(Ljava/nio/file/Path;)V null\nret"
        ));
        assert!(!judged("calls lib/Other.m()V\nret"));
        assert!(!judged("s> A.<clinit>()V\ncalls lib/Other.m()V\nret\n<"));
    }

    #[test]
    fn the_lists_know_members_and_exceptions_of_exceptions() {
        assert!(is_listed("java/lang/Thread", "currentThread"));
        assert!(!is_listed("java/lang/Thread", "start"));
        assert!(!is_listed("java/lang/Runtime", "exec"));
        assert!(is_listed("java/util/concurrent/atomic/AtomicLong", "get"));
        assert!(!is_listed(
            "java/util/concurrent/Executors",
            "newCachedThreadPool"
        ));
        assert!(!is_listed("com/example/Thing", "get"));
    }
}
