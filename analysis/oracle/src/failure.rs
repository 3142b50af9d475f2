//! The failure of the recorded run: which it is, the predicate it gives, and the levels along its stack (Burger 2011, Algorithm 4).

use std::collections::BTreeSet;

use jinsi_trace::model::{ObjectId, ThrowableDef};

use crate::{Instead, Oracle, asserted};
use jinsi_history::failures::NoCrash;
use jinsi_history::{Entity, History, NodeKind};
use jinsi_level::coroutines::{MadeClasses, begun_by};
use jinsi_level::frameworks::is_framework;
use jinsi_level::function;
use jinsi_level::later::Makers;
use jinsi_level::program::is_the_programs;
use jinsi_level::{CrashPredicate, NodeNo};

/// One distinct object on the stack of the failure: successive activations of the same object are one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackLevel {
    /// The object, or the class of static methods.
    pub entity: Entity,
    /// Internal name of its run-time class.
    pub class: String,
    /// Its activations, innermost first.
    pub activations: Vec<NodeNo>,
    /// The observed set of this level: the classes of this and all lower levels.
    pub observed: BTreeSet<String>,
}

/// The failure to be reproduced.
#[derive(Clone, Debug)]
pub struct Crash {
    /// The exception; 0 if there is none.
    pub throwable: ObjectId,
    /// The exception as replay would show it.
    pub predicate: CrashPredicate,
    /// The levels, lowest (closest to the crash) first; of a recording at the boundary there is but the one of all observed classes. Objects that add no class to the observed set are joined to the level below:
    /// they would be the same projection again.
    pub levels: Vec<StackLevel>,
    /// Does every activation it passed through stand in its recorded stack trace, in that order? If not, the trace was
    /// rewritten by the program, or events are missing.
    pub stack_matches: bool,
    /// What a replay must show to count as failing, if it is something else than the exception.
    pub oracle: Oracle,
    /// Internal names of the classes that caught it, and of those further out on the stack: they drive all levels.
    pub catchers: BTreeSet<String>,
    /// The exception that the test expected in its place, or what it expected of this one, if it expected one.
    pub wanted: Option<Instead>,
}

/// Failures that a limit of the JVM causes: their throwing place is chance.
const LIMITS: [&str; 2] = ["java.lang.StackOverflowError", "java.lang.OutOfMemoryError"];

impl Crash {
    /// The crash of the thread that `history` covers, by the exception `throwable`.
    ///
    /// # Errors
    /// See [`NoCrash`].
    pub fn of(history: &History, throwable: ObjectId) -> Result<Self, NoCrash> {
        let def = history
            .tables()
            .throwable(throwable)
            .ok_or(NoCrash::UnknownThrowable(throwable))?;
        let stack = unwound(history, throwable);
        let Some(&innermost) = stack.first() else {
            return Err(NoCrash::NotObserved);
        };
        let handed = handed_over(history, &stack);
        Ok(Self {
            throwable,
            predicate: predicate(history, def, Some(innermost)),
            levels: levels(history, &[stack.as_slice(), &handed].concat()),
            stack_matches: matches_frames(history, &stack, def),
            oracle: Oracle::Exception,
            catchers: catchers(history, &stack),
            wanted: outermost_own(history, &stack)
                .and_then(|outermost| asserted::expected_instead(history, outermost, throwable)),
        })
    }
}

impl Crash {
    /// The activation of `main` with which the stack of the failure begins, if methods of its own class, or of classes on lower levels, are all
    /// that the last level has besides: then the level may also be driven by `main`, as a test would do it.
    pub fn main_above_its_class(&self, history: &History) -> Option<NodeNo> {
        let last = self.levels.last()?;
        let is_main = |n: &NodeNo| {
            history.member(*n).is_some_and(|m| m.name == "main")
                && matches!(history.entity(*n), Entity::Class(_))
        };
        let outermost = last.activations.iter().rev();
        let mains: Vec<NodeNo> = outermost.copied().take_while(is_main).collect();
        // A coroutine of the class is nobody's call.
        let made = MadeClasses::of(history.tables());
        let activations = last.activations.iter();
        let calls = activations.filter(|n| !made.contains(history.entity_class(**n)));
        (mains.len() < calls.count())
            .then(|| mains.last().copied())
            .flatten()
    }

    /// The same failure with further levels: those along the stack of `outer`, an exception that this one caused, where they are on the same
    /// thread.
    pub fn wrapped_in(mut self, history: &History, outer: &Crash) -> Self {
        let thread = |levels: &[StackLevel]| {
            let first = levels.first()?.activations.first()?;
            Some(history.thread_of(*first))
        };
        let crashes = self.oracle == Oracle::Exception && outer.oracle == Oracle::Exception;
        if !crashes || thread(&self.levels) != thread(&outer.levels) {
            return self;
        }
        for level in &outer.levels {
            let below = self.levels.last().map(|l| &l.observed);
            let joined: BTreeSet<String> = below
                .into_iter()
                .flatten()
                .chain(&level.observed)
                .cloned()
                .collect();
            if below.is_some_and(|below| joined.len() > below.len()) {
                self.levels.push(StackLevel {
                    observed: joined,
                    ..level.clone()
                });
            }
        }
        self
    }
}

/// The activations that the exception ended, innermost first: those open when it was thrown, up to where it was handled for
/// good.
pub(crate) fn unwound(history: &History, throwable: ObjectId) -> Vec<NodeNo> {
    let ended =
        |n: NodeNo| history.node(n).kind == NodeKind::Activation && history.threw(n, throwable);
    // Innermost: the first to be ended. Of two that end with one event (an uncaught exception ends all), the deeper one.
    let innermost = history
        .numbers()
        .filter(|&n| ended(n))
        .min_by_key(|&n| (history.node(n).close, std::cmp::Reverse(n)));
    let mut stack = Vec::new();
    let mut at = innermost;
    while let Some(n) = at {
        if history.node(n).kind == NodeKind::Activation {
            if !history.threw(n, throwable) {
                break;
            }
            stack.push(n);
        }
        at = history.parent(n);
    }
    stack
}

/// The outermost activation of a stack, apart from code that a test inherits from its framework and is run by.
fn outermost_own(history: &History, stack: &[NodeNo]) -> Option<NodeNo> {
    let mut own = stack.iter().rev().copied();
    own.find(|&n| !is_of_framework(history, n))
}

/// Does the activation run a framework's code, on whatever object?
pub(crate) fn is_of_framework(history: &History, activation: NodeNo) -> bool {
    let member = history.member(activation);
    member.is_some_and(|member| is_framework(&member.owner.replace('/', ".")))
}

/// What an exception must have to be this one; `innermost` is the activation in which it was thrown, if that was recorded.
pub(crate) fn predicate(
    history: &History,
    def: &ThrowableDef,
    innermost: Option<NodeNo>,
) -> CrashPredicate {
    let own = def.frames.iter().find(|f| is_the_programs(&f.class));
    let (at_class, at_method, at_line) = match own.or(def.frames.first()) {
        Some(frame) => (frame.class.clone(), frame.method.clone(), frame.line),
        // Without a stack trace: where it left observed code.
        None => {
            let member = innermost.and_then(|n| history.member(n));
            let class = member
                .as_ref()
                .map_or(String::new(), |m| m.owner.replace('/', "."));
            (class, member.map_or(String::new(), |m| m.name.into()), -1)
        }
    };
    // Where the limit is hit depends on the size of every frame below: with probes, in replay and in a test it is another place.
    let (at_class, at_method, at_line) = if LIMITS.contains(&def.class.as_str()) {
        (String::new(), String::new(), 0)
    } else {
        (at_class, at_method, at_line)
    };
    CrashPredicate {
        class: def.class.clone(),
        message: def
            .message
            .as_deref()
            .map(|m| wording(&def.class, m).to_owned()),
        message_of_jdk: None,
        at_class,
        at_method,
        at_line,
    }
}

/// The message without what a cast that failed says of loaders: in a replay they are others.
fn wording<'m>(class: &str, message: &'m str) -> &'m str {
    match message.split_once(" (") {
        Some((words, _)) if class == "java.lang.ClassCastException" => words,
        _ => message,
    }
}

/// The levels of a stack of activations, innermost first.
pub(crate) fn levels(history: &History, stack: &[NodeNo]) -> Vec<StackLevel> {
    let mut levels: Vec<StackLevel> = Vec::new();
    if let (true, Some(&innermost)) = (history.tables().at_boundary(), stack.first()) {
        let observed = history.tables().observed_classes().map(str::to_owned);
        levels.push(StackLevel {
            entity: history.entity(innermost),
            class: history.entity_class(innermost).to_owned(),
            activations: stack.to_vec(),
            observed: observed.collect(),
        });
        return levels;
    }
    let made = MadeClasses::of(history.tables());
    for &n in stack {
        let entity = history.entity(n);
        let class = made.host(history.entity_class(n)).to_owned();
        match levels.last_mut() {
            Some(level) if level.entity == entity || level.observed.contains(&class) => {
                level.activations.push(n);
            }
            last => {
                let mut observed = last.map_or_else(BTreeSet::new, |l| l.observed.clone());
                observed.insert(class.clone());
                levels.push(StackLevel {
                    entity,
                    class,
                    activations: vec![n],
                    observed,
                });
            }
        }
    }
    levels
}

/// If the outermost activation of a stack is a function that was handed over and called later, or goes on with a coroutine: the activations in which that
/// was made, innermost first.
fn handed_over(history: &History, unwound: &[NodeNo]) -> Vec<NodeNo> {
    let coroutines = MadeClasses::of(history.tables());
    let mut handed: Vec<NodeNo> = Vec::new();
    while let Some(&outermost) = handed.last().or(unwound.last()) {
        if let Some(begun) = begun_by(history, &coroutines, outermost) {
            handed.extend(stack(history, begun));
            continue;
        }
        let is_inside = history
            .parent(outermost)
            .is_some_and(|n| !stack(history, n).is_empty());
        let is_body = history
            .member(outermost)
            .is_some_and(|m| function::is_body(&m.name));
        if is_inside || !is_body {
            break;
        }
        // Whoever made it began before, so this ends.
        let made = Makers::of(history).maker(outermost);
        let around: Vec<NodeNo> = made.into_iter().flat_map(|n| stack(history, n)).collect();
        if around.is_empty() {
            break;
        }
        handed.extend(around);
    }
    handed
}

/// Is the sequence of activations a subsequence of the recorded frames?
fn matches_frames(history: &History, stack: &[NodeNo], def: &ThrowableDef) -> bool {
    let mut frames = def.frames.iter();
    stack
        .iter()
        .filter_map(|&n| history.member(n))
        .all(|member| {
            let class = member.owner.replace('/', ".");
            frames.any(|f| f.class == class && f.method == member.name)
        })
}

/// The classes whose activations are around those that the exception ended.
pub(super) fn catchers(history: &History, unwound: &[NodeNo]) -> BTreeSet<String> {
    let outermost = unwound.last().and_then(|&n| history.parent(n));
    let around = outermost.into_iter().flat_map(|n| stack(history, n));
    let made = MadeClasses::of(history.tables());
    around
        .map(|n| made.host(history.entity_class(n)).to_owned())
        .collect()
}

/// The activations around `n`, itself included, innermost first.
pub(super) fn stack(history: &History, n: NodeNo) -> Vec<NodeNo> {
    std::iter::successors(Some(n), |&p| history.parent(p))
        .filter(|&n| history.node(n).kind == NodeKind::Activation)
        .collect()
}

#[cfg(test)]
mod tests {
    use jinsi_history::failures::pick;
    use jinsi_history::script::history;

    use super::*;

    const CRASH: &str = "
        class Main
        class P
        class Q : P
        class Z
        throwable #9 java.lang.ArithmeticException at Z.add
        obj #1 Z
        s> Main.main()V
          lightnew Q()V
            > Q.<init>()V
              > P.<init>()V
                obj #2 Q
                this #2
                light Z.diff()V
                  > Z.diff()V #1
                    light Z.add()V
                    > Z.add()V #1
                    <! #9
                  <! #9
              <! #9
            <! #9
        <! #9
        uncaught #9";

    #[test]
    fn levels_along_the_stack() {
        let h = history(CRASH);
        assert_eq!(h.anomalies(), 0);
        let failure = pick(h.tables().failures()).unwrap();
        let crash = Crash::of(&h, failure.throwable).unwrap();
        assert_eq!(crash.predicate.class, "java.lang.ArithmeticException");
        assert_eq!(
            (
                crash.predicate.at_class.as_str(),
                crash.predicate.at_method.as_str()
            ),
            ("Z", "add")
        );
        let levels: Vec<(&str, usize)> = crash
            .levels
            .iter()
            .map(|l| (l.class.as_str(), l.activations.len()))
            .collect();
        assert_eq!(levels, [("Z", 2), ("Q", 2), ("Main", 1)]);
        assert_eq!(
            crash.levels[1].observed.iter().collect::<Vec<_>>(),
            ["Q", "Z"]
        );
        // The table of this script has one frame only.
        assert!(!crash.stack_matches);
    }

    #[test]
    fn no_crash_is_said() {
        let h = history("class A\nthrowable #9 java.lang.Error at A.m\ns> A.main()V\n<");
        assert!(pick(h.tables().failures()).is_none());
        assert_eq!(Crash::of(&h, 9).err(), Some(NoCrash::NotObserved));
        assert_eq!(Crash::of(&h, 8).err(), Some(NoCrash::UnknownThrowable(8)));
    }

    #[test]
    fn a_stack_overflow_is_the_same_wherever_it_happens() {
        let place = |class: &str| {
            let h = history(&format!(
                "class A\nthrowable #9 {class} at A.m\ns> A.main()V\n<! #9\nuncaught #9"
            ));
            let crash = Crash::of(&h, 9).expect("a crash");
            (crash.predicate.class, crash.predicate.at_class)
        };
        assert_eq!(
            place("java.lang.StackOverflowError"),
            ("java.lang.StackOverflowError".into(), String::new())
        );
        assert_eq!(
            place("java.lang.Error"),
            ("java.lang.Error".into(), "A".into())
        );
    }
}
