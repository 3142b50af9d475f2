//! Kotlin's coroutines: what the compiler makes of suspend functions, and how they are called where everything runs for real.
//!
//! A suspend function has one more parameter in its class file, the *continuation*: whoever goes on with its result. The call returns early if it has
//! to wait, with a constant that says so. The library resumes it later, maybe on another thread, by an object of a class that the compiler has made for
//! this function. Of each lambda that suspends the compiler makes such a class, too, and further ones of what it puts in the place of a flow's operator.
//!
//! No program names these classes. So each counts as part of the class whose code it is, and what is resumed is no call of its own: it belongs to the
//! call that began it. Nor can a test pass a continuation. It makes the call in a coroutine that it waits for (`runBlocking`), and is given one there.

use std::collections::{BTreeSet, HashMap};

use jinsi_history::{Entity, History, NodeKind, NodeNo, Tables};
use jinsi_trace::model::{MemberRef, ObjectId, Value};

use crate::{Level, Operation, Outcome};

/// Superclasses of the classes that the compiler makes.
const BASES: [&str; 4] = [
    "kotlin/coroutines/jvm/internal/ContinuationImpl",
    "kotlin/coroutines/jvm/internal/RestrictedContinuationImpl",
    "kotlin/coroutines/jvm/internal/RestrictedSuspendLambda",
    "kotlin/coroutines/jvm/internal/SuspendLambda",
];
/// What is in the names of the classes that the compiler makes of an operator of flows.
const INLINED: &str = "$$inlined$";
/// The last parameter of a suspend function, and what it gives.
pub(crate) const SUSPENDS: &str = "Lkotlin/coroutines/Continuation;)Ljava/lang/Object;";
/// The method of the classes that the compiler makes which goes on with a function.
const RESUMES: &str = "invokeSuspend";
/// Class of the constant that a call gives which has to wait.
const WAITS: &str = "kotlin/coroutines/intrinsics/CoroutineSingletons";

/// Is it a suspend function?
pub fn suspends(member: &MemberRef) -> bool {
    member.desc.ends_with(SUSPENDS)
}

/// Is a test to make the call in a coroutine that it waits for? So it is if nobody's continuation is passed to a suspend function.
pub fn is_waited_for(op: Operation, member: &MemberRef, args: &[Value]) -> bool {
    matches!(op, Operation::Call | Operation::CallStatic)
        && suspends(member)
        && args.last() == Some(&Value::Null)
}

/// The classes that the compiler made for suspend functions and lambdas, and for operators of flows.
#[derive(Debug, Default)]
pub struct MadeClasses<'t> {
    /// With each the class whose code it is (internal names).
    hosts: HashMap<&'t str, &'t str>,
}

impl<'t> MadeClasses<'t> {
    /// Those of a trace.
    pub fn of(tables: &'t Tables) -> Self {
        let is_made = |class: &str| {
            let above = tables.class_by_name(class);
            let above = above.and_then(|class| class.super_name.as_deref());
            above.is_some_and(|above| BASES.contains(&above)) || class.contains(INLINED)
        };
        // The name of each begins with that of the class around it.
        let around = |class: &'t str| {
            let ends = class.rmatch_indices('$').map(|(at, _)| &class[..at]);
            ends.map(|name| tables.class_by_name(name))
                .find_map(|found| found.filter(|found| !is_made(&found.name)))
        };
        let classes = tables.classes().map(|class| class.name.as_str());
        let made = classes.filter(|class| is_made(class));
        Self {
            hosts: made
                .filter_map(|class| Some((class, around(class)?.name.as_str())))
                .collect(),
        }
    }

    /// Did the compiler make this class?
    pub fn contains(&self, class: &str) -> bool {
        self.hosts.contains_key(class)
    }

    /// The class whose code `class` is: itself, unless the compiler made it.
    pub fn host<'c>(&self, class: &'c str) -> &'c str
    where
        't: 'c,
    {
        self.hosts.get(class).copied().unwrap_or(class)
    }

    /// Of the classes that the compiler made, exactly those whose code is that of `classes`; and all others of `classes`.
    pub fn beside(&self, classes: &BTreeSet<String>) -> BTreeSet<String> {
        let others = classes.iter().filter(|class| !self.contains(class));
        let made = self.hosts.iter();
        let made = made.filter(|(_, host)| classes.contains(**host));
        let made = made.map(|(made, _)| (*made).to_owned());
        others.cloned().chain(made).collect()
    }
}

/// The activation that made the object whose method the activation `n` is, if that is of a class that the compiler made: who began what `n` goes on with.
pub fn begun_by(history: &History, made: &MadeClasses<'_>, n: NodeNo) -> Option<NodeNo> {
    let Entity::Object(id) = history.entity(n) else {
        return None;
    };
    if !made.contains(history.class_of(id)?) {
        return None;
    }
    let constructs = |&c: &NodeNo| is_construction_of(history, c, id);
    let constructor = history.numbers().find(constructs)?;
    around(history, constructor)
}

fn is_construction_of(history: &History, n: NodeNo, id: ObjectId) -> bool {
    history.node(n).kind == NodeKind::Activation
        && history.is_constructor(n)
        && history.entity(n) == Entity::Object(id)
}

/// The innermost activation around `n` that constructs nothing.
fn around(history: &History, n: NodeNo) -> Option<NodeNo> {
    let activation =
        |n: &NodeNo| history.node(*n).kind == NodeKind::Activation && !history.is_constructor(*n);
    outward(history, n).skip(1).find(activation)
}

/// `n` and what is around it, innermost first.
fn outward(history: &History, n: NodeNo) -> impl Iterator<Item = NodeNo> + '_ {
    std::iter::successors(Some(n), |n| history.parent(*n))
}

/// How a call came to its end behind its return.
#[derive(Default)]
struct Continued {
    /// The continuation of the called function itself.
    own: Option<ObjectId>,
    /// How that went on last.
    ended: Option<Outcome>,
    /// What it was that went wrong last in what the call has begun.
    failed: Option<ObjectId>,
}

/// Gives the calls of suspend functions in `level` that had to wait the end that they came to.
pub(crate) fn end_calls(history: &History, made: &MadeClasses<'_>, level: &mut Level) {
    let waits = |outcome: &Outcome| match outcome {
        Outcome::Return(Some(Value::Object(id))) => history.class_of(*id) == Some(WAITS),
        _ => false,
    };
    let waiting = level.interactions.iter().enumerate();
    let waiting = waiting.filter(|(_, i)| suspends(&i.member) && waits(&i.outcome));
    let calls: HashMap<NodeNo, usize> = waiting.map(|(at, i)| (i.node, at)).collect();
    if calls.is_empty() {
        return;
    }
    let mut order: Vec<NodeNo> = history.numbers().collect();
    order.sort_by_key(|&n| history.node(n).begin);
    let mut begun: HashMap<ObjectId, usize> = HashMap::new();
    let mut continued: HashMap<usize, Continued> = HashMap::new();
    for n in order {
        let (NodeKind::Activation, Entity::Object(id)) = (history.node(n).kind, history.entity(n))
        else {
            continue;
        };
        if !history.class_of(id).is_some_and(|c| made.contains(c)) {
            continue;
        }
        if history.is_constructor(n) {
            // By the call itself, or by what goes on with it.
            let call = outward(history, n).skip(1).find_map(|n| {
                let of_object = match history.entity(n) {
                    Entity::Object(other) => begun.get(&other),
                    _ => None,
                };
                calls.get(&n).or(of_object).copied()
            });
            let Some(call) = call else { continue };
            begun.insert(id, call);
            let node = level.interactions[call].node;
            let is_its_own = around(history, n) == Some(node) && !is_lambda(history, id);
            if is_its_own {
                continued.entry(call).or_default().own = Some(id);
            }
        } else if let Some(&call) = begun.get(&id)
            && history.site(n).is_some_and(|s| s.method == RESUMES)
        {
            let outcome = history.outcome(n);
            let known = continued.entry(call).or_default();
            if let Outcome::Throw(thrown) = outcome {
                known.failed = Some(thrown);
            }
            if known.own == Some(id) {
                known.ended = Some(outcome);
            }
        }
    }
    for (call, known) in continued {
        let outcome = match (known.ended, known.failed) {
            (Some(ended), _) if !waits(&ended) => ended,
            // It passes on what others come to, or did not come to its end itself.
            (_, Some(thrown)) => Outcome::Throw(thrown),
            _ => Outcome::Return(None),
        };
        level.interactions[call].outcome = outcome;
    }
}

fn is_lambda(history: &History, id: ObjectId) -> bool {
    let class = history.class_of(id).unwrap_or_default();
    let class = history.tables().class_by_name(class);
    let above = class.and_then(|class| class.super_name.as_deref());
    above.is_some_and(|above| above.ends_with("SuspendLambda"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interaction;
    use crate::project::project;
    use jinsi_history::script::history;
    use jinsi_natural::Natural;
    use jinsi_trace::model::JavaString;

    const CLASSES: &str = "
        class D
        class D$1 : kotlin/coroutines/jvm/internal/SuspendLambda
        class S
        class S$f$1 : kotlin/coroutines/jvm/internal/ContinuationImpl
        class S$all$1$1 : kotlin/coroutines/jvm/internal/SuspendLambda
        class S$all$$inlined$map$1
        class kotlin/coroutines/jvm/internal/BaseContinuationImpl
        env kotlin/coroutines/intrinsics/CoroutineSingletons
        throwable #9 java.lang.Error at S.f";

    /// `S.f` on #1 has to wait; what #4 of the driver goes on with comes behind `resumed`, in the same call of the library's.
    fn run(resumed: &str) -> Vec<Interaction> {
        let f = "S.f(Lkotlin/coroutines/Continuation;)Ljava/lang/Object; #1";
        let goes_on = "invokeSuspend(Ljava/lang/Object;)Ljava/lang/Object;";
        let history = history(&format!(
            "{CLASSES}
             obj #1 S
             obj #4 D$1
             obj #7 kotlin/coroutines/intrinsics/CoroutineSingletons
             > D$1.{goes_on} #4 null
               > {f} #4
                 lightnew S$f$1(LS;Lkotlin/coroutines/Continuation;)V
                 > S$f$1.<init>(LS;Lkotlin/coroutines/Continuation;)V #1 #4
                   obj #5 S$f$1
                   this #5
                 <
               < #7
             < #7
             > kotlin/coroutines/jvm/internal/BaseContinuationImpl.resumeWith(Ljava/lang/Object;)V #5 null
               > S$f$1.{goes_on} #5 null
                 > {f} #5
                 {resumed}
               {resumed}
               > D$1.{goes_on} #4 null
                 > S.g()V #1
                 <
               < null
             <"
        ));
        let recorded: Vec<&str> = history.tables().observed_classes().collect();
        let natural = Natural::all_but(recorded.into_iter());
        let coroutines = MadeClasses::of(history.tables());
        let observed = coroutines.beside(&BTreeSet::from(["S".into()]));
        project(&history, &natural, &observed).interactions
    }

    #[test]
    fn what_is_resumed_belongs_to_the_call_that_began_it() {
        for (resumed, outcome) in [
            (
                "< \"x\"",
                Outcome::Return(Some(Value::Str(JavaString::new("x")))),
            ),
            ("<! #9", Outcome::Throw(9)),
        ] {
            let interactions = run(resumed);
            let names: Vec<&str> = interactions.iter().map(|i| &*i.member.name).collect();
            assert_eq!(names, ["f", "g"]);
            assert_eq!(interactions[0].args, [Value::Null]);
            assert_eq!(interactions[0].outcome, outcome);
            let first = &interactions[0];
            assert!(is_waited_for(first.op, &first.member, &first.args));
        }
    }

    #[test]
    fn classes_that_the_compiler_made_are_part_of_those_around_them() {
        let history = history(&format!("{CLASSES}\n s> D.main()V\n <"));
        let made = MadeClasses::of(history.tables());
        for (class, host) in [
            ("S", "S"),
            ("S$f$1", "S"),
            ("S$all$1$1", "S"),
            ("S$all$$inlined$map$1", "S"),
            ("D$1", "D"),
        ] {
            assert_eq!(made.host(class), host, "{class}");
            assert_eq!(made.contains(class), class != host, "{class}");
        }
        let beside = made.beside(&BTreeSet::from(["D$1".into(), "S".into()]));
        assert_eq!(beside.len(), 4, "{beside:?}");
        assert!(!beside.contains("D$1"));
    }
}
