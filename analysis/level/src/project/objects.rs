//! The objects that the observed code of a level has got hold of: how replay makes each, and how the environment changed it.

mod contents;
mod functions;
mod met;
mod usual;

use std::collections::{BTreeMap, BTreeSet};

use jinsi_trace::model::{ClassOrigin, Content, Fields, MemberRef, ObjectId, Value};

use crate::loaders::Loader;
use crate::{Effect, NodeNo, ObjectInfo, Operation, Outcome, Role};
use jinsi_history::{History, Moment, NodeKind, Snapshot};
use jinsi_natural::Natural;

pub(super) use met::Met;

/// Methods of natural classes that change nothing; running them again is in vain, unless they take out what nobody has named yet.
const PURE: &[&str] = &[
    "charAt",
    "compareTo",
    "contains",
    "containsAll",
    "containsKey",
    "containsValue",
    "equals",
    "forEach",
    "get",
    "getClass",
    "getFirst",
    "getKey",
    "getLast",
    "getOrDefault",
    "getValue",
    "hasMoreElements",
    "hasNext",
    "hashCode",
    "indexOf",
    "intValue",
    "isEmpty",
    "lastIndexOf",
    "length",
    "longValue",
    "parallelStream",
    "peek",
    "peekFirst",
    "peekLast",
    "size",
    "spliterator",
    "stream",
    "toArray",
    "toString",
];

/// The same of files alone.
const PURE_OF_FILES: &[&str] = &[
    "canExecute",
    "canRead",
    "canWrite",
    "exists",
    "getAbsolutePath",
    "getName",
    "getParent",
    "getPath",
    "isAbsolute",
    "isDirectory",
    "isFile",
    "isHidden",
    "lastModified",
];

/// Where the JDK's pipelines are.
const STREAMS: &str = "java/util/stream/";
/// Where the JDK's charsets are.
const CHARSETS: &str = "sun/nio/cs/";

/// The objects that observed code has got hold of so far.
pub(super) struct Pool<'h> {
    pub(super) history: &'h History,
    natural: &'h Natural,
    observed: &'h BTreeSet<String>,
    met: Met,
}

impl<'h> Pool<'h> {
    pub(super) fn new(
        history: &'h History,
        natural: &'h Natural,
        observed: &'h BTreeSet<String>,
        met: Met,
    ) -> Self {
        Self {
            history,
            natural,
            observed,
            met,
        }
    }

    /// What is left when the history is over.
    pub(super) fn into_met(self) -> Met {
        self.met
    }

    /// Has observed code got hold of the object?
    pub(super) fn knows(&self, id: ObjectId) -> bool {
        self.met.known.contains_key(&id)
    }

    /// A crossing ends and passes `value` on: one within a driven interaction (`nested`), or a driven one.
    pub(super) fn passes(&mut self, value: &Value, nested: bool) {
        let Value::Object(id) = value else { return };
        if !nested {
            self.met.only_within.remove(id);
        } else if self.natural.is_all() && !self.knows(*id) {
            self.met.only_within.insert(*id);
        }
    }

    /// Is `class` natural? Remembers the answer.
    pub(super) fn is_natural(&mut self, class: &str) -> bool {
        if let Some(&known) = self.met.natural_classes.get(class) {
            return known;
        }
        let natural = self.natural.is_natural_class(class);
        self.met.natural_classes.insert(class.to_owned(), natural);
        natural
    }

    /// Does a call on `id` run for real, though its callee was not recorded?
    pub(super) fn runs_for_real(&mut self, id: ObjectId) -> bool {
        let history = self.history;
        let class = history.class_of(id).unwrap_or("");
        if self.observed.contains(class) || self.met.made_inside.contains(&id) {
            return true;
        }
        match self.met.known.get(&id).map(|o| &o.role) {
            Some(Role::Mock | Role::Hidden) => false,
            Some(Role::Throwable) | None => self.is_natural(class),
            // A constant of the JDK's is the real one; one of the environment's enums is a stand-in.
            Some(Role::Text(_)) => self.is_natural(class) || is_jdk(history, class),
            Some(
                Role::Observed
                | Role::Given
                | Role::Restored { .. }
                | Role::Array { .. }
                | Role::Natural { .. }
                | Role::Function { .. },
            ) => true,
        }
    }

    /// The element of an array is `value` at the moment `at`. Is that news, because the array held too much to be recorded?
    pub(super) fn finds(&mut self, array: ObjectId, index: u32, value: &Value, at: Moment) -> bool {
        let recorded = self.history.snapshot_at(array, at).map(|s| &s.content);
        matches!(recorded, Some(Content::TooLarge { .. }))
            && self
                .met
                .elements
                .insert((array, index), value.clone())
                .as_ref()
                != Some(value)
    }

    /// Does replay construct the stream that the call `n` makes for real?
    pub(super) fn constructs_for_real(&mut self, n: NodeNo) -> bool {
        let history = self.history;
        let kept = match returned(history, n) {
            Some(Value::Object(id)) => self.met.keeps(id),
            _ => true,
        };
        kept && history.args(n).iter().all(|value| match value {
            Value::Object(id) => self.runs_for_real(*id) || self.length(*id).is_some(),
            _ => true,
        })
    }

    /// Natural code, called by observed code, returned `value`. If the object did not come from outside, replay gets it the same way.
    pub(super) fn made_inside(&mut self, value: &Value) {
        let Value::Object(id) = value else { return };
        let history = self.history;
        let observed = self.observed.contains(history.class_of(*id).unwrap_or(""));
        if !self.met.known.contains_key(id) && (!observed || history.made_without_constructor(*id))
        {
            self.met.made_inside.insert(*id);
        }
    }

    /// Observed code has `value`. At the boundary, whatever comes in leaves an event. So an object without such an event came from natural code.
    pub(super) fn had_inside(&mut self, value: &Value) {
        if self.history.tables().at_boundary() {
            self.made_inside(value);
        }
    }

    /// `value` goes out at `at`: observed code had it before.
    pub(super) fn admit_out(&mut self, value: &Value, at: Moment) {
        self.had_inside(value);
        if let Value::Object(id) = value
            && !self.met.known.contains_key(id)
        {
            let role = match self.simple_role(*id) {
                Some(role) => role,
                None if self.runs_for_real(*id) && self.length(*id).is_some() => Role::Array {
                    initial: self.held_at_boundary(*id, at),
                },
                None if self.runs_for_real(*id) => Role::Natural {
                    initial: match self.met.captured.remove(id) {
                        Some(captured) => Some(Content::Elements(captured)),
                        None => self.held_at_boundary(*id, at),
                    },
                },
                None => Role::Mock,
            };
            let held = match &role {
                Role::Array { initial } | Role::Natural { initial } => initial.clone(),
                _ => None,
            };
            // Known before what it holds, which may lead back to it.
            self.insert(*id, role);
            for value in held.iter().flat_map(Content::values) {
                self.admit_out(value, at);
            }
        }
    }

    /// What an object that observed code made holds when it goes out: replay finds the objects in it by that. A recording of all
    /// interactions has the operations that put them there instead.
    fn held_at_boundary(&self, id: ObjectId, at: Moment) -> Option<Content> {
        let at_boundary = self.history.tables().at_boundary();
        let held = self.history.snapshot_at(id, at).filter(|_| at_boundary)?;
        Some(held.content.clone())
    }

    /// Observed code has made the lambda `value` with these captured values.
    pub(super) fn captures(&mut self, value: &Value, captured: &[Value]) {
        if let Value::Object(id) = value
            && self.met.made_inside.contains(id)
        {
            self.met.captured.insert(*id, captured.to_vec());
        }
    }

    /// `value` comes in at `at`. What replay must do to make it goes to `effects`.
    pub(super) fn admit_in(&mut self, value: &Value, at: Moment, effects: &mut Vec<Effect>) {
        let mut work = vec![value.clone()];
        while let Some(value) = work.pop() {
            let Value::Object(id) = value else { continue };
            if self.met.known.contains_key(&id) {
                continue;
            }
            if self.met.made_inside.contains(&id) {
                self.admit_out(&value, at);
                continue;
            }
            let role = match self.simple_role(id) {
                Some(Role::Observed) if self.history.made_without_constructor(id) => {
                    let initial = self.history.snapshot_at(id, at);
                    let content = initial.map(|s| s.content.clone());
                    // It may have no fields that could be recorded.
                    let initial = content.or_else(|| Some(Content::Fields(Fields::default())));
                    Role::Restored { initial }
                }
                Some(Role::Hidden) => self.function(id).unwrap_or(Role::Hidden),
                Some(role) => role,
                None if self.length(id).is_some() => Role::Array {
                    initial: self.history.array_at(id, at),
                },
                None if self.natural.is_all()
                    && self.history.class_of(id).and_then(Loader::of).is_some() =>
                {
                    Role::Natural { initial: None }
                }
                None if self.is_natural(self.history.class_of(id).unwrap_or(""))
                    || self.is_handle_of_inside(id) =>
                {
                    // Its operations may name it, so it must be known before they are looked at.
                    self.insert(id, Role::Natural { initial: None });
                    self.derive(id, at, effects)
                }
                None => self.fixture(id, effects).unwrap_or(Role::Mock),
            };
            if let Role::Array {
                initial: Some(content),
            }
            | Role::Natural {
                initial: Some(content),
            }
            | Role::Restored {
                initial: Some(content),
            }
            | Role::Function {
                initial: Some(content),
                ..
            } = &role
            {
                work.extend(
                    content
                        .values()
                        .iter()
                        .filter(|v| matches!(v, Value::Object(_)))
                        .cloned(),
                );
            }
            self.insert(id, role);
        }
    }

    /// The role, if it does not depend on what the object holds.
    fn simple_role(&mut self, id: ObjectId) -> Option<Role> {
        let history = self.history;
        let class = history.class_of(id).unwrap_or("");
        if self.observed.contains(class) {
            // A constant of an enum is found by its name.
            let is_enum = history.tables().is_subclass(class, "java/lang/Enum");
            let name = history.value_text(id).filter(|_| is_enum);
            return Some(name.map_or(Role::Observed, Role::Text));
        }
        if history.tables().throwable(id).is_some() {
            return Some(Role::Throwable);
        }
        if let Some(text) = history.value_text(id)
            && !self.is_better_made_again(id)
        {
            return Some(Role::Text(text));
        }
        (is_hidden(class) && !self.met.made_inside.contains(&id) && !self.can_be_made_again(id))
            .then_some(Role::Hidden)
    }

    /// Is it a method or variable handle of a member of an observed class? It does to that what replay has to do.
    fn is_handle_of_inside(&self, id: ObjectId) -> bool {
        let history = self.history;
        let class = history.class_of(id).unwrap_or("");
        let member = history.member_text(id);
        let member = member.filter(|_| class.starts_with("java/lang/invoke/"));
        let owner = member.as_deref().and_then(|text| {
            let (member, _) = text.split_once(':')?;
            let (owner, _) = member.rsplit_once('.')?;
            Some(owner.replace('.', "/"))
        });
        owner.is_some_and(|owner| self.observed.contains(&owner))
    }

    fn length(&self, id: ObjectId) -> Option<u32> {
        self.history.object(id)?.length
    }

    fn insert(&mut self, id: ObjectId, role: Role) {
        let usual = self.met.usual.get(&id).copied();
        let class = usual.or_else(|| self.history.class_of(id));
        let class = class.unwrap_or("java/lang/Object").to_owned();
        let info = ObjectInfo {
            id,
            class,
            length: self.length(id),
            role,
        };
        self.met.known.insert(id, info);
    }

    /// Finds how to bring the natural object `id` to its state at `at`: from a recorded content and the operations since, or
    /// from its recorded construction on. Answers come from the trace if neither is there.
    fn derive(&mut self, id: ObjectId, at: Moment, effects: &mut Vec<Effect>) -> Role {
        let class = self.history.class_of(id).unwrap_or("");
        if class.starts_with(STREAMS) && !self.natural.is_all() {
            // What they lead to is some code's business, and they are used once.
            return Role::Mock;
        }
        let plan = match self.plan(id, at) {
            Some(plan) if self.natural.is_all() || !class.starts_with(CHARSETS) => plan,
            // There is one of each class, which the worker finds.
            _ if class.starts_with(CHARSETS) => return Role::Natural { initial: None },
            _ => return self.usual(id, effects).unwrap_or(Role::Mock),
        };
        let stream = |n: &NodeNo| {
            let made = self.history.member(*n).filter(|m| m.name == "<init>");
            made.is_some_and(|m| Natural::depends_on_others(&m.owner))
        };
        let ops = plan.ops.iter().map(|&(_, n)| n);
        let streams: Vec<NodeNo> = ops.filter(stream).collect();
        if !streams
            .into_iter()
            .all(|n| self.rebuilds_for_real(n, &plan))
        {
            return Role::Mock;
        }
        let mut initial = None;
        for (member, content) in plan.bases {
            for value in content.iter().flat_map(Content::values) {
                self.admit_in(value, at, effects);
            }
            if member == id {
                initial = content;
            } else if plan.usual.contains(&member) {
                if let Some(role) = self.usual(member, effects) {
                    self.insert(member, role);
                }
            } else {
                self.insert(member, Role::Natural { initial: content });
            }
        }
        for (_, n) in plan.ops {
            self.reenact(n, effects);
        }
        Role::Natural { initial }
    }

    /// Can the stream that the operation `n` of a plan makes be made of what is there?
    fn rebuilds_for_real(&mut self, n: NodeNo, plan: &Plan) -> bool {
        let history = self.history;
        let kept = match returned(history, n) {
            Some(Value::Object(id)) => self.met.keeps(id),
            _ => true,
        };
        kept && history.args(n).iter().all(|value| match value {
            Value::Object(id) => {
                plan.bases.contains_key(id) || self.length(*id).is_some() || self.runs_for_real(*id)
            }
            _ => true,
        })
    }

    /// The natural objects that take part in making `id`, each with the content it starts from (none: it is constructed), and the
    /// operations on them, in order.
    fn plan(&mut self, id: ObjectId, at: Moment) -> Option<Plan> {
        // A view made anew shows also what changes behind it later.
        let made_anew = match self.shows_another(id) {
            true => self.plan_from(id, at, true),
            false => None,
        };
        made_anew.or_else(|| self.plan_from(id, at, false))
    }

    /// The same; with `anew` the object itself is made, whatever was recorded of what it holds.
    fn plan_from(&mut self, id: ObjectId, at: Moment, anew: bool) -> Option<Plan> {
        let history = self.history;
        let mut plan = Plan {
            bases: BTreeMap::new(),
            usual: BTreeSet::new(),
            ops: BTreeSet::new(),
        };
        let mut work = vec![(id, at)];
        while let Some((member, needed)) = work.pop() {
            if plan.bases.contains_key(&member) {
                continue;
            }
            let recorded = history
                .snapshot_at(member, needed)
                .filter(|_| !(anew && member == id || self.is_better_made_again(member)));
            let (from, content) = match recorded {
                Some(Snapshot {
                    content: Content::TooLarge { .. },
                    ..
                }) => return None,
                Some(snapshot) => (snapshot.moment, Some(snapshot.content.clone())),
                None => (Moment::BEGINNING, None),
            };
            let ops = history.natural_ops(self.natural, member, from, at);
            if content.is_none() && !ops.iter().any(|&n| makes(history, n, member)) {
                if member == id || !self.has_like(member) {
                    return None;
                }
                plan.usual.insert(member);
            }
            plan.bases.insert(member, content);
            for n in ops {
                if self.is_pure(n) && !makes(history, n, member) {
                    continue;
                }
                if self.runs_foreign_code(n) {
                    return None;
                }
                let begin = history.node(n).begin;
                plan.ops.insert((begin, n));
                for value in history.args(n).iter().chain([history.receiver(n)]) {
                    if let Value::Object(other) = value
                        && *other != member
                        && !self.met.known.contains_key(other)
                        && self.simple_role(*other).is_none()
                        && self.length(*other).is_none()
                        && self.is_natural(history.class_of(*other).unwrap_or(""))
                    {
                        work.push((*other, begin));
                    }
                }
            }
        }
        Some(plan)
    }

    /// Is the call `n` an operation of the environment on something that observed code has got hold of, so that replay must do it, too?
    pub(super) fn must_reenact(&self, n: NodeNo) -> bool {
        let history = self.history;
        let sees = |value: &Value| match value {
            Value::Object(id) => self
                .met
                .known
                .get(id)
                .is_some_and(|o| matches!(o.role, Role::Natural { .. })),
            _ => false,
        };
        let concerned = if history.has_receiver(n) {
            sees(history.receiver(n))
        } else {
            !history.is_constructor(n) && history.args(n).iter().any(sees)
        };
        concerned
            && (!self.is_pure(n) || self.takes_out(n))
            && history.is_natural_op(self.natural, n)
    }

    /// Does the call `n` take an object out that observed code had made and nobody has named yet? Where all runs for real, there is no other way to it:
    /// `fleet.lightest().get()`.
    fn takes_out(&self, n: NodeNo) -> bool {
        let Some(Value::Object(id)) = returned(self.history, n) else {
            return false;
        };
        let class = self.history.class_of(id).unwrap_or("");
        let unnamed = !self.knows(id) || self.met.only_within.contains(&id);
        self.natural.is_all() && self.observed.contains(class) && unnamed
    }

    /// Does the operation `n` need code, or an object, that replay does not have: a lambda or a stand-in, or methods of recorded classes
    /// outside S that it called? (A stand-in's `hashCode` and `equals` are answered by its identity.)
    fn runs_foreign_code(&self, n: NodeNo) -> bool {
        let history = self.history;
        let foreign =
            |value: &Value| matches!(value, Value::Object(id) if self.is_foreign_function(*id));
        let away = match history.receiver(n) {
            Value::Object(id) => {
                let role = self.met.known.get(id).map(|o| &o.role);
                matches!(role, Some(Role::Mock | Role::Hidden))
            }
            _ => false,
        };
        let calls_back = |m: NodeNo| {
            let of_object = ["equals", "hashCode", "toString"];
            history.node(m).kind == NodeKind::Activation
                && !self.observed.contains(history.entity_class(m))
                && history
                    .member(m)
                    .is_some_and(|member| !of_object.contains(&member.name.as_str()))
        };
        away || history.args(n).iter().any(foreign) || history.below(n).any(calls_back)
    }

    /// The effect that repeats the operation `n`.
    pub(super) fn reenact(&mut self, n: NodeNo, effects: &mut Vec<Effect>) {
        let history = self.history;
        if let Some(copied) = history.copied(n) {
            return self.write_copied(n, copied, effects);
        }
        let Some(member) = history.member(n) else {
            return;
        };
        let node = history.node(n);
        for value in history.args(n) {
            self.admit_in(value, node.begin, effects);
        }
        let (op, result) = (operation(history, n), returned(history, n));
        if let Some(value @ Value::Object(id)) = &result {
            let class = history.class_of(*id).unwrap_or("");
            self.met.only_within.remove(id);
            if !self.met.known.contains_key(id) {
                if self.is_natural(class)
                    && self.length(*id).is_none()
                    && self.simple_role(*id).is_none()
                {
                    self.insert(*id, Role::Natural { initial: None });
                } else {
                    self.admit_in(value, node.close, effects);
                }
            }
        }
        let receiver = match (&result, op) {
            (Some(object), Operation::Construct) => object.clone(),
            _ => history.receiver(n).clone(),
        };
        let args = history.args(n).to_vec();
        effects.push(Effect::Natural {
            op,
            member,
            receiver,
            args,
            result,
        });
    }

    fn is_pure(&self, n: NodeNo) -> bool {
        if self.history.node(n).kind == NodeKind::GetStatic {
            return true;
        }
        let is_pure = |target: &MemberRef| {
            let name = target.name.as_str();
            PURE.binary_search(&name).is_ok()
                || *target.owner == *"java/io/File" && PURE_OF_FILES.binary_search(&name).is_ok()
        };
        let site = self.history.site(n);
        self.history.has_receiver(n) && site.is_some_and(|site| is_pure(&site.target))
    }
}

/// How to make a natural object.
struct Plan {
    bases: BTreeMap<ObjectId, Option<Content>>,
    /// Those of which nothing is known, and one like them takes their place.
    usual: BTreeSet<ObjectId>,
    /// In time order.
    ops: BTreeSet<(Moment, NodeNo)>,
}

/// Does the operation `n` return or construct `id`, without having had it before?
fn makes(history: &History, n: NodeNo, id: ObjectId) -> bool {
    let object = Value::Object(id);
    let node = history.node(n);
    // What is read gets its identity before the read is reported.
    let had_before = node.kind != NodeKind::GetStatic
        && history.object(id).is_none_or(|o| o.defined < node.begin);
    !had_before && *history.receiver(n) != object && returned(history, n) == Some(object)
}

fn returned(history: &History, n: NodeNo) -> Option<Value> {
    match history.outcome(n) {
        Outcome::Return(value) => value,
        _ => None,
    }
}

/// How node `n` touches its target.
pub(super) fn operation(history: &History, n: NodeNo) -> Operation {
    match history.node(n).kind {
        NodeKind::GetField | NodeKind::ArrayLoad => Operation::GetField,
        NodeKind::PutField | NodeKind::ArrayStore => Operation::PutField,
        NodeKind::GetStatic => Operation::GetStatic,
        NodeKind::PutStatic => Operation::PutStatic,
        _ if history.is_constructor(n) => Operation::Construct,
        _ if history.has_receiver(n) => Operation::Call,
        _ => Operation::CallStatic,
    }
}

fn is_jdk(history: &History, class: &str) -> bool {
    let class = history.tables().class_by_name(class);
    class.is_some_and(|c| c.origin == ClassOrigin::Jdk)
}

/// Is `class` a hidden class, such as a lambda's?
pub(super) fn is_hidden(class: &str) -> bool {
    class.contains("$$Lambda") || class.contains("/0x")
}
