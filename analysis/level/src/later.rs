//! Functions that observed code handed to its environment, which called them later, maybe on another thread. A failure in one belongs to the call that
//! handed it over: where everything runs for real, that call is made, and what it gave is waited for.

use std::collections::{BTreeMap, HashMap};

use jinsi_trace::model::{CallOp, MemberRef, ObjectId, Operation, SiteNo, Value};

use crate::coroutines::{MadeClasses, SUSPENDS};
use crate::function::{self, is_body};
use crate::{Interaction, Level, Outcome};
use jinsi_history::{History, Moment, NodeKind, NodeNo};

/// Functions that make functions, one inside the other, that are followed.
const DEEPEST: usize = 16;

/// Ways to wait for what an object gives once its functions have run.
struct Waiting {
    /// Internal names of types of such objects.
    types: &'static [&'static str],
    /// Method of the type that waits, and throws what went wrong.
    method: &'static str,
    /// Internal name of the class of what it throws in place of that, which is the cause then.
    wraps: Option<&'static str>,
    by: By,
}

const WAITING: [Waiting; 8] = [
    Waiting {
        types: &["java/util/concurrent/CompletableFuture"],
        method: "join",
        wraps: Some("java/util/concurrent/CompletionException"),
        by: By::Method,
    },
    Waiting {
        types: &[
            "com/google/common/util/concurrent/ListenableFuture",
            "java/util/concurrent/Future",
            "java/util/concurrent/FutureTask",
            "java/util/concurrent/ScheduledFuture",
        ],
        method: "get",
        wraps: Some("java/util/concurrent/ExecutionException"),
        by: By::Method,
    },
    Waiting {
        types: &["reactor/core/publisher/Mono"],
        method: "block",
        wraps: None,
        by: By::Method,
    },
    Waiting {
        types: &["reactor/core/publisher/Flux"],
        method: "blockLast",
        wraps: None,
        by: By::Method,
    },
    Waiting {
        types: &[
            "io/reactivex/rxjava3/core/Maybe",
            "io/reactivex/rxjava3/core/Single",
        ],
        method: "blockingGet",
        wraps: None,
        by: By::Method,
    },
    Waiting {
        types: &[
            "io/reactivex/rxjava3/core/Flowable",
            "io/reactivex/rxjava3/core/Observable",
        ],
        method: "blockingLast",
        wraps: None,
        by: By::Method,
    },
    Waiting {
        types: &["kotlinx/coroutines/Deferred"],
        method: "await",
        wraps: None,
        by: By::SuspendFunction,
    },
    Waiting {
        types: &["kotlinx/coroutines/flow/Flow"],
        method: "collect",
        wraps: None,
        by: By::SuspendFunctionOf("kotlinx/coroutines/flow/FlowKt"),
    },
];

/// What is called to wait.
#[derive(Clone, Copy)]
enum By {
    /// A method of the type that needs nothing.
    Method,
    /// A suspend function of the type that needs nothing.
    SuspendFunction,
    /// A static suspend function of this class (internal name), which takes the object.
    SuspendFunctionOf(&'static str),
}

impl Waiting {
    /// The way to wait for an object of this class or declared type, and the type that has it.
    fn of(class: &str) -> Option<(&'static Self, &'static str)> {
        WAITING.iter().find_map(|waiting| {
            let owner = waiting.types.iter().find(|ty| **ty == class)?;
            Some((waiting, *owner))
        })
    }

    /// The call that waits for the object `id` of the type `owner`: what it does, its receiver, and its arguments.
    fn call(&self, owner: &str, id: ObjectId) -> (Operation, MemberRef, Value, Vec<Value>) {
        let object = Value::Object(id);
        let (op, of, desc, receiver, args) = match self.by {
            By::Method => {
                let desc = "()Ljava/lang/Object;".to_owned();
                (Operation::Call, owner, desc, object, vec![])
            }
            By::SuspendFunction => {
                let desc = format!("({SUSPENDS}");
                (Operation::Call, owner, desc, object, vec![Value::Null])
            }
            By::SuspendFunctionOf(of) => {
                let desc = format!("(L{owner};{SUSPENDS}");
                let args = vec![object, Value::Null];
                (Operation::CallStatic, of, desc, Value::Null, args)
            }
        };
        let member = MemberRef {
            owner: of.into(),
            name: self.method.into(),
            desc: desc.as_str().into(),
        };
        (op, member, receiver, args)
    }

    /// The object that the interaction waits for, if it waits in this way.
    fn waited_for(&self, i: &Interaction) -> Option<ObjectId> {
        let object = match self.by {
            By::SuspendFunctionOf(_) => i.args.first()?,
            _ => &i.receiver,
        };
        let &Value::Object(id) = object else {
            return None;
        };
        let mut types = self.types.iter();
        let is_it = types.any(|owner| {
            let (op, member, _, args) = self.call(owner, id);
            op == i.op && member == i.member && args == i.args
        });
        is_it.then_some(id)
    }
}

/// What an interaction waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// What a call before it gave.
    pub object: ObjectId,
    /// Internal name of the class of what it throws in place of what went wrong, if that is not thrown itself.
    pub wraps: Option<&'static str>,
}

/// Does the driven interaction wait for what one before gave, as [`awaited`] has it?
pub fn waits(i: &Interaction) -> Option<Waits> {
    WAITING.iter().find_map(|waiting| {
        let object = waiting.waited_for(i)?;
        let wraps = waiting.wraps;
        Some(Waits { object, wraps })
    })
}

/// The function objects that recorded code made, by the method that a call of one runs.
pub struct Makers<'h> {
    history: &'h History,
    /// When each was made, and by which node, in time order.
    of_body: HashMap<MemberRef, Vec<(Moment, NodeNo)>>,
    /// All these nodes, and those that made objects by which coroutines go on, ascending.
    nodes: Vec<NodeNo>,
}

impl<'h> Makers<'h> {
    /// Those of a history. Takes time linear in its nodes.
    pub fn of(history: &'h History) -> Self {
        let mut of_site: HashMap<SiteNo, Option<MemberRef>> = HashMap::new();
        let mut of_body: HashMap<MemberRef, Vec<(Moment, NodeNo)>> = HashMap::new();
        for (n, node) in history.nodes() {
            let links = history.site(n).is_some_and(|s| s.op == CallOp::Dynamic);
            if node.kind != NodeKind::Call || !links {
                continue;
            }
            let body = of_site
                .entry(node.site)
                .or_insert_with(|| function::of_node(history, n).map(|f| f.target));
            if let Some(body) = body.as_ref().filter(|body| is_body(&body.name)) {
                let made = of_body.entry(body.clone()).or_default();
                made.push((node.begin, n));
            }
        }
        of_body.values_mut().for_each(|made| made.sort_unstable());
        let coroutines = MadeClasses::of(history.tables());
        let made = history.numbers().filter(|&n| {
            history.node(n).kind == NodeKind::Activation
                && history.is_constructor(n)
                && coroutines.contains(history.entity_class(n))
        });
        let lambdas = of_body.values().flatten().map(|&(_, n)| n);
        let mut nodes: Vec<NodeNo> = lambdas.chain(made).collect();
        nodes.sort_unstable();
        Self {
            history,
            of_body,
            nodes,
        }
    }

    /// Was a function object made during the node `n`?
    fn make_during(&self, n: NodeNo) -> bool {
        let from = self.nodes.partition_point(|&made| made <= n);
        let first = self.nodes.get(from);
        first.is_some_and(|&made| made < self.history.node(n).end)
    }

    /// The node that made the function object of which the activation `body` is a call: of several with the same captured values, the last one
    /// before. `None` if it is no body of a lambda, or recorded code did not make it.
    pub fn maker(&self, body: NodeNo) -> Option<NodeNo> {
        let history = self.history;
        let made = self.of_body.get(&history.member(body)?)?;
        let receiver = history.has_receiver(body).then(|| history.receiver(body));
        let given: Vec<&Value> = receiver.into_iter().chain(history.args(body)).collect();
        let before = made.partition_point(|(begin, _)| *begin < history.node(body).begin);
        let mut latest = made[..before].iter().rev().map(|&(_, n)| n);
        latest.find(|&n| {
            let captured = history.args(n);
            given.iter().copied().take(captured.len()).eq(captured)
        })
    }
}

/// `level` with what waits for the functions that were called later, in the place of these: of those that one call handed over, the last one, or that of
/// the driven interaction `criterion`. The interactions are numbered anew. Functions of a call that gave nothing to wait for stay, and so do those that
/// `can_be_done`.
///
/// `caught`: an exception is looked for. Then what a call gave is waited for behind it, if functions were made during it that nobody is seen to call later: a
/// function is called at once if what it waits for is there, and what other threads call may not be in the history.
pub fn awaited(
    history: &History,
    mut level: Level,
    criterion: u32,
    caught: bool,
    can_be_done: &dyn Fn(&Interaction) -> bool,
) -> Level {
    let later = |i: &&Interaction| is_body(&i.member.name) && !can_be_done(i);
    let gives = |i: &Interaction| caught && given(&level, i).is_some();
    let failing = level.interaction(criterion);
    let concerned = failing.is_some_and(|i| later(&i) || gives(i));
    if !concerned && !level.interactions.iter().any(|i| later(&i)) {
        return level;
    }
    let calls = Calls::of(history, &level);
    let mut places: HashMap<ObjectId, u32> = HashMap::new();
    let mut waiting: BTreeMap<u32, Option<Interaction>> = BTreeMap::new();
    for i in level.interactions.iter().filter(later) {
        let Some((id, waits)) = calls.awaiting(i, i.no == criterion) else {
            continue;
        };
        let place = places.entry(id).or_insert(i.no);
        if *place != i.no {
            let (last, before) = match *place == criterion {
                true => (criterion, i.no),
                false => (i.no, *place),
            };
            *place = last;
            waiting.insert(before, None);
        }
        if *place == i.no {
            waiting.insert(i.no, Some(waits));
        }
    }
    let unseen = level.interactions.iter().filter(|i| {
        let makes = || i.no == criterion || calls.makers.make_during(i.node);
        concerned && !later(i) && gives(i) && makes()
    });
    let behind = unseen.filter_map(|i| {
        let (id, waits) = calls.waiting_for(i)?;
        (!places.contains_key(&id)).then_some((i.no, waits))
    });
    let behind: BTreeMap<u32, Interaction> = behind.collect();
    put(&mut level, waiting, behind);
    level
}

/// The object that `call` gave, if it can be waited for, and how.
fn given(level: &Level, call: &Interaction) -> Option<(ObjectId, &'static Waiting, &'static str)> {
    let Outcome::Return(Some(Value::Object(id))) = call.outcome else {
        return None;
    };
    let made_of = level.objects.get(&id).map(|o| o.class.as_str());
    let declared = call.member.desc.rsplit(')').next()?;
    let declared = declared
        .strip_prefix('L')
        .and_then(|ty| ty.strip_suffix(';'));
    // As a program would have it: what is declared can be called without a cast.
    let mut types = [declared, made_of].into_iter().flatten();
    let (waiting, owner) = types.find_map(Waiting::of)?;
    Some((id, waiting, owner))
}

/// Puts interactions in the place of those with the same numbers, which are left out where there is none, and others behind those with these numbers.
fn put(
    level: &mut Level,
    mut waiting: BTreeMap<u32, Option<Interaction>>,
    mut behind: BTreeMap<u32, Interaction>,
) {
    let mut effects = Vec::new();
    let mut interactions = Vec::with_capacity(level.interactions.len() + behind.len());
    for mut i in std::mem::take(&mut level.interactions) {
        effects.append(&mut i.before);
        let no = i.no;
        let i = match waiting.remove(&no) {
            // What changed outside before it has changed for the next one.
            Some(None) => continue,
            Some(Some(waits)) => waits,
            None => i,
        };
        let before = std::mem::take(&mut effects);
        interactions.push(Interaction { before, ..i });
        interactions.extend(behind.remove(&no));
    }
    for (no, i) in (0..).zip(&mut interactions) {
        i.no = no;
    }
    level.interactions = interactions;
}

/// The calls of a level, as what made functions is found in them.
struct Calls<'l> {
    makers: Makers<'l>,
    level: &'l Level,
    /// Places of the interactions, by node.
    by_node: Vec<(NodeNo, usize)>,
}

impl<'l> Calls<'l> {
    fn of(history: &'l History, level: &'l Level) -> Self {
        let nodes = level.interactions.iter().map(|i| i.node);
        let mut by_node: Vec<(NodeNo, usize)> = nodes.zip(0..).collect();
        by_node.sort_unstable();
        Self {
            makers: Makers::of(history),
            level,
            by_node,
        }
    }

    /// What waits for the function `later`, and for which object; `fails`: its failure is the one that is looked for.
    fn awaiting(&self, later: &Interaction, fails: bool) -> Option<(ObjectId, Interaction)> {
        let mut body = later.node;
        for _ in 0..DEEPEST {
            let call = self.around(self.makers.maker(body)?)?;
            if is_body(&call.member.name) {
                body = call.node;
                continue;
            }
            let (id, waits) = self.waiting_for(call)?;
            let outcome = match fails {
                true => later.outcome.clone(),
                false => Outcome::Return(None),
            };
            let waits = Interaction {
                no: later.no,
                node: later.node,
                turn: later.turn.clone(),
                outcome,
                ..waits
            };
            return Some((id, waits));
        }
        None
    }

    /// What waits for what `call` gave, and for which object.
    fn waiting_for(&self, call: &Interaction) -> Option<(ObjectId, Interaction)> {
        let (id, waiting, owner) = given(self.level, call)?;
        let (op, member, receiver, args) = waiting.call(owner, id);
        let waits = Interaction {
            op,
            target_class: match op {
                Operation::CallStatic => member.owner.to_string(),
                _ => owner.into(),
            },
            member,
            receiver,
            args,
            outgoing: Vec::new(),
            before: Vec::new(),
            outcome: Outcome::Return(None),
            ..call.clone()
        };
        Some((id, waits))
    }

    /// The interaction during which the node `n` happened.
    fn around(&self, n: NodeNo) -> Option<&'l Interaction> {
        let begun = self.by_node.partition_point(|(node, _)| *node <= n);
        let (node, place) = self.by_node[..begun].last()?;
        let contains = n < self.makers.history.node(*node).end;
        contains.then(|| &self.level.interactions[*place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::interaction;

    #[test]
    fn what_waits_is_known_by_its_type() {
        let of = |owner: &str, name: &str| {
            let mut i = interaction(0, Operation::Call, 1, &[], 0);
            i.member.owner = owner.into();
            i.member.name = name.into();
            i.member.desc = "()Ljava/lang/Object;".into();
            waits(&i).map(|waits| (waits.object, waits.wraps))
        };
        let future = "java/util/concurrent/CompletableFuture";
        let wrapped = "java/util/concurrent/CompletionException";
        assert_eq!(of(future, "join"), Some((1, Some(wrapped))));
        assert_eq!(of(WAITS, "block"), Some((1, None)));
        assert_eq!(of(future, "isDone"), None);
        assert_eq!(of("a/CompletableFuture", "join"), None);
    }

    #[test]
    fn a_suspend_function_waits_for_what_it_is_called_on_or_given() {
        for (class, op, owner) in [
            (
                "kotlinx/coroutines/Deferred",
                Operation::Call,
                "kotlinx/coroutines/Deferred",
            ),
            (
                "kotlinx/coroutines/flow/Flow",
                Operation::CallStatic,
                "kotlinx/coroutines/flow/FlowKt",
            ),
        ] {
            let (waiting, ty) = Waiting::of(class).unwrap();
            let (found, member, receiver, args) = waiting.call(ty, 7);
            assert_eq!((found, &*member.owner), (op, owner));
            let i = Interaction {
                op,
                member,
                receiver,
                args,
                ..interaction(0, op, 0, &[], 0)
            };
            assert_eq!(waits(&i).map(|waits| waits.object), Some(7));
            let passed = Interaction {
                args: vec![Value::Object(7), Value::Object(8)],
                ..i
            };
            assert_eq!(waits(&passed), None);
        }
    }

    const WAITS: &str = "reactor/core/publisher/Mono";

    fn waiting(no: u32, on: u64) -> Interaction {
        let mut i = interaction(no, Operation::Call, on, &[], 0);
        i.member.owner = WAITS.into();
        i.member.name = "block".into();
        i
    }

    #[test]
    fn what_changed_before_what_is_left_out_has_changed_for_the_next() {
        let change = |id| crate::Effect::Store {
            array: id,
            index: 0,
            value: Value::Null,
        };
        let call = |no| Interaction {
            before: vec![change(u64::from(no))],
            ..interaction(no, Operation::Call, 1, &[], 0)
        };
        let mut level = Level {
            interactions: (0..4).map(call).collect(),
            ..Level::default()
        };
        let replaced = BTreeMap::from([(1, None), (2, Some(waiting(2, 7)))]);
        put(&mut level, replaced, BTreeMap::from([(3, waiting(3, 8))]));
        let numbers: Vec<u32> = level.interactions.iter().map(|i| i.no).collect();
        assert_eq!(numbers, [0, 1, 2, 3]);
        let receivers: Vec<&Value> = level.interactions.iter().map(|i| &i.receiver).collect();
        assert_eq!(
            receivers,
            [1, 7, 1, 8].map(Value::Object).iter().collect::<Vec<_>>()
        );
        assert_eq!(level.interactions[1].before, [change(1), change(2)]);
        assert_eq!(level.interactions[2].before, [change(3)]);
        assert!(level.interactions[3].before.is_empty());
    }

    #[test]
    fn the_last_function_with_these_captured_values_is_called() {
        let history = jinsi_history::script::history(
            "class A
             obj #1 A
             > A.m()V #1
             dyn A.run()V #1 5
             ret
             dyn A.run()V #1 6
             ret
             dyn A.run()V #1 5
             ret
             <
             > A.lambda$m$0(IJ)V #1 5 7L
             <
             > A.lambda$m$0(IJ)V #1 4 7L
             <",
        );
        let of_name = |name: &str| -> Vec<NodeNo> {
            let named = |n: &NodeNo| history.member(*n).is_some_and(|m| m.name == name);
            history.numbers().filter(named).collect()
        };
        let made = of_name("run");
        let bodies = of_name("lambda$m$0");
        let by_time = made.iter().map(|&n| (history.node(n).begin, n));
        let makers = Makers {
            history: &history,
            of_body: HashMap::from([(history.member(bodies[0]).unwrap(), by_time.collect())]),
            nodes: made.clone(),
        };
        assert_eq!(makers.maker(bodies[0]), Some(made[2]));
        assert_eq!(makers.maker(bodies[1]), None);
        assert_eq!(makers.maker(made[0]), None);
        let around = history.parent(made[0]).unwrap();
        assert!(makers.make_during(around) && !makers.make_during(bodies[0]));
    }

    #[test]
    fn a_level_without_functions_stays_as_it_is() {
        let call = |no| interaction(no, Operation::Call, 1, &[], 0);
        let level = Level {
            interactions: vec![call(0), call(1)],
            ..Level::default()
        };
        let history = jinsi_history::script::history("class A\ns> A.m()V\n<");
        let awaited = awaited(&history, level.clone(), 1, true, &|_| false);
        assert_eq!(awaited, level);
    }
}
