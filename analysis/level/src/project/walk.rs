//! The walk through the history. It decides of each node in which region it begins, and so what it is: driven, outgoing, a call-back, or
//! nothing that crosses. [`super::threads`] says how the walk goes from thread to thread.

use std::collections::{BTreeSet, HashMap};

use jinsi_trace::model::{CallOp, MemberRef, Site, SiteNo, ThreadNo, Value};

use super::Besides;
use super::crossing::{Crossing, Crossings};
use super::defaults;
use super::frame::{Frame, Region};
use super::identity::asks_identity_hash;
use super::objects::{Met, Pool, is_hidden, operation};
use super::real::{gives_what_it_made, runs_for_real};
use super::threads::{Interleaving, in_time_order};
use crate::coroutines::{self, MadeClasses};
use crate::frameworks::is_framework;
use crate::{Effect, Interaction, Level, NodeNo, Operation, Outcome, Outgoing};
use jinsi_history::{History, Moment, NodeKind};
use jinsi_natural::{MACHINES, Natural, is_of_machine};

/// Methods of `Object` that unrecorded code implements and that change nothing: asking an observed object for them is no interaction.
/// `clone` is one, as it makes an object.
const CHANGE_NOTHING: &[&str] = &[
    "equals",
    "getClass",
    "hashCode",
    "notify",
    "notifyAll",
    "toString",
    "wait",
];

/// A projection in the making.
pub(super) struct Walk<'h> {
    history: &'h History,
    natural: &'h Natural,
    observed: &'h BTreeSet<String>,
    /// What is open in the current thread.
    frames: Vec<Frame>,
    crossings: Crossings,
    threads: Interleaving,
    pub(super) pool: Pool<'h>,
    /// Next snapshot to be looked at.
    snapshot: usize,
    /// Declaring classes of the static fields accessed and the static methods called, by site.
    declaring: HashMap<SiteNo, String>,
    /// Calls of the driver's that are interactions whatever they ask.
    looks: Vec<NodeNo>,
    /// Activations that drive whatever their class is.
    drivers: BTreeSet<NodeNo>,
    /// Classes of coroutines, where these run for real.
    coroutines: Option<&'h MadeClasses<'h>>,
}

/// What comes of a walk.
pub(super) struct Walked {
    /// What crossed the edge; nothing else is in it yet.
    pub(super) level: Level,
    /// Changes by the environment since the last crossing.
    pub(super) pending: Vec<Effect>,
    pub(super) met: Met,
}

impl<'h> Walk<'h> {
    /// A walk by someone who has `met` objects before.
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
            frames: Vec::new(),
            crossings: Crossings::default(),
            threads: Interleaving::new(history),
            pool: Pool::new(history, natural, observed, met),
            snapshot: 0,
            declaring: HashMap::new(),
            looks: Vec::new(),
            drivers: BTreeSet::new(),
            coroutines: None,
        }
    }

    /// The same; the looks are interactions if the driver makes them, and `driver` and what is around that are the driver's.
    pub(super) fn with(self, besides: Besides) -> Self {
        let history = self.history;
        let around = std::iter::successors(besides.driver, |n| history.parent(*n));
        Self {
            looks: besides.looks,
            drivers: around.collect(),
            ..self
        }
    }

    /// The same; these classes are known if coroutines run for real.
    pub(super) fn knowing(self, coroutines: Option<&'h MadeClasses<'h>>) -> Self {
        Self { coroutines, ..self }
    }

    /// The same. The contents before this one were looked at before, and these changes then made by the environment.
    pub(super) fn behind(mut self, snapshot: usize, pending: Vec<Effect>) -> Self {
        self.snapshot = snapshot;
        self.crossings.pending = pending;
        self
    }

    /// Walks through the nodes from `first` on.
    pub(super) fn run(mut self, first: NodeNo) -> Walked {
        for n in in_time_order(self.history).filter(|n| *n >= first) {
            self.go_to(n);
            while self
                .frames
                .last()
                .is_some_and(|f| self.history.node(f.node).end <= n)
            {
                self.pop();
            }
            self.snapshots_until(self.history.node(n).begin);
            match self.history.node(n).kind {
                NodeKind::Activation => self.activation(n),
                NodeKind::Call => self.call(n),
                NodeKind::ArrayLoad => self.array_load(n),
                NodeKind::ArrayStore => self.array_store(n),
                _ => self.field(n),
            }
        }
        self.leave_all();
        Walked {
            level: self.crossings.level,
            pending: self.crossings.pending,
            met: self.pool.into_met(),
        }
    }

    /// The node `n` comes next. Nodes that were closed before it, in whatever thread, are left first.
    fn go_to(&mut self, n: NodeNo) {
        if self.threads.are_several() {
            self.close_until(self.history.node(n).begin);
            self.switch(self.history.thread_of(n));
        }
    }

    /// Goes on with `thread`.
    fn switch(&mut self, thread: ThreadNo) {
        let Self {
            threads,
            frames,
            crossings,
            ..
        } = self;
        threads.switch(thread, frames, crossings);
    }

    /// Closes what is closed before `until`, in time order.
    fn close_until(&mut self, until: Moment) {
        while let Some((close, thread)) = self.threads.next_closed(until) {
            self.switch(thread);
            let top = self.frames.last().map(|f| self.history.node(f.node).close);
            if top.is_some_and(|top| top <= close) {
                self.pop();
            }
        }
    }

    /// The end of the history: closes everything.
    fn leave_all(&mut self) {
        self.close_until(Moment::END);
        for thread in self.threads.all() {
            self.switch(thread);
            while !self.frames.is_empty() {
                self.pop();
            }
        }
    }

    fn region(&self) -> Region {
        self.frames.last().map_or(Region::Driver, |f| f.region)
    }

    /// Is the innermost open call one that returns its argument and does nothing with it?
    fn only_keeps(&self) -> bool {
        let site = self.frames.last().and_then(|f| self.history.site(f.node));
        site.is_some_and(|site| site.target.owner == "java/lang/ThreadLocal")
    }

    /// Is the innermost open call one of natural code?
    fn in_natural(&self) -> bool {
        self.frames.last().is_some_and(|f| f.natural)
    }

    fn is_observed(&self, class: &str) -> bool {
        self.observed.contains(class)
    }

    fn push(&mut self, node: NodeNo, region: Region) -> &mut Frame {
        self.frames.push(Frame {
            node,
            region,
            natural: false,
            crosses: false,
            reenact: false,
            gives: false,
        });
        self.threads.opened(self.history.node(node).close);
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn pop(&mut self) {
        let Some(node) = self.frames.last().map(|f| f.node) else {
            return;
        };
        self.snapshots_until(self.history.node(node).close);
        let Some(frame) = self.frames.pop() else {
            return;
        };
        if frame.gives
            && let Outcome::Return(Some(value)) = self.history.outcome(node)
        {
            self.pool.made_inside(&value);
        }
        if frame.reenact {
            self.pool.reenact(node, &mut self.crossings.pending);
        }
        if frame.crosses {
            self.close(node);
        }
    }

    fn close(&mut self, n: NodeNo) {
        let close = self.history.node(n).close;
        let answer = matches!(self.crossings.innermost(), Some(Crossing::Outgoing(_)));
        let value = match self.history.outcome(n) {
            Outcome::Return(Some(value)) => value,
            Outcome::Throw(id) if id != 0 => Value::Object(id),
            _ => Value::Null,
        };
        self.pool.passes(&value, self.crossings.is_nested());
        if answer {
            self.pool
                .admit_in(&value, close, &mut self.crossings.pending);
        } else {
            self.pool.admit_out(&value, close);
        }
        self.crossings.close();
    }

    /// Looks at the contents recorded before `until`: changes by the environment become effects.
    fn snapshots_until(&mut self, until: Moment) {
        let history = self.history;
        let current = self.threads.current();
        while let Some(snapshot) = history
            .snapshots()
            .get(self.snapshot)
            .filter(|s| s.moment <= until)
        {
            self.snapshot += 1;
            self.switch(snapshot.thread);
            let region = self.region();
            if region != Region::Inside {
                let away = !self.only_keeps();
                self.pool
                    .changed(snapshot, away, &mut self.crossings.pending);
            } else if !self.in_natural() {
                let mut effects = Vec::new();
                self.pool.changed(snapshot, false, &mut effects);
                self.crossings.changed_behind_the_back(effects);
            }
        }
        self.switch(current);
    }

    fn activation(&mut self, n: NodeNo) {
        let history = self.history;
        let class = history.entity_class(n);
        let observed = self.is_observed(class) && !self.drivers.contains(&n);
        let region = self.region();
        if history.site(n).is_some_and(|s| s.method == "<clinit>") {
            return self.class_initializer(n, class, observed);
        }
        if self.is_of_coroutine(class) {
            return self.coroutine(n, observed);
        }
        if history.continues_construction(n) && !defaults::is_filled_in(history, n) {
            self.push(n, region);
            return;
        }
        match (region, observed) {
            (Region::Driver | Region::Environment, true) if !defaults::fills_in(history, n) => {
                let class = class.to_owned();
                let Some(member) = history.member(n) else {
                    return;
                };
                if self.natural.is_all() && is_framework(&member.owner.replace('/', ".")) {
                    self.push(n, region);
                    return;
                }
                self.incoming(n, member, class);
                self.push(n, Region::Inside).crosses = true;
            }
            (Region::Inside, false)
                if !self.pool.is_natural(class) && !self.runs_default_method(n) =>
            {
                let opened = self.outgoing(n, class.to_owned());
                self.push(n, Region::Environment).crosses = opened;
            }
            _ => {
                self.push(n, region);
            }
        }
    }

    /// Does the activation `n` run a method that an observed interface has by itself, on a lambda of observed code? Nobody recorded the lambda's
    /// class, but replay makes the lambda, and runs its method.
    fn runs_default_method(&mut self, n: NodeNo) -> bool {
        let history = self.history;
        let Value::Object(id) = history.receiver(n) else {
            return false;
        };
        let declared = history.member(n).map(|member| member.owner);
        is_hidden(history.entity_class(n))
            && declared.is_some_and(|owner| self.is_observed(&owner))
            && self.pool.runs_for_real(*id)
    }

    /// Is the class one that the compiler made for a suspend function or lambda?
    fn is_of_coroutine(&self, class: &str) -> bool {
        self.coroutines.is_some_and(|made| made.contains(class))
    }

    /// An activation of an object by which a coroutine goes on. It crosses no edge: it belongs to the call that began the coroutine.
    fn coroutine(&mut self, n: NodeNo, observed: bool) {
        let declared = self.history.member(n).map(|member| member.owner);
        let of_library = declared.is_none_or(|owner| !self.is_of_coroutine(&owner));
        let region = match (self.region(), observed) {
            // It goes on with whatever waits for its result, too.
            (region, _) if of_library => region,
            (_, true) => Region::Inside,
            (Region::Inside, false) => Region::Environment,
            (region, false) => region,
        };
        self.push(n, region);
    }

    fn class_initializer(&mut self, n: NodeNo, class: &str, observed: bool) {
        let fails = matches!(self.history.outcome(n), Outcome::Throw(_));
        if observed && fails && self.region() == Region::Driver && self.natural.is_all() {
            self.crossings
                .enter(Interaction::first_use(self.history, n, class));
            self.push(n, Region::Inside).crosses = true;
        } else if observed {
            self.crossings.begin_class_init(class.to_owned());
            self.push(n, Region::Inside).crosses = true;
        } else {
            let region = match self.region() {
                Region::Driver => Region::Driver,
                Region::Inside | Region::Environment => Region::Environment,
            };
            self.push(n, region);
        }
    }

    /// A call whose callee was not recorded.
    fn call(&mut self, n: NodeNo) {
        let history = self.history;
        let region = self.region();
        let on_observed = matches!(history.receiver(n), Value::Object(id)
            if history.class_of(*id).is_some_and(|c| self.is_observed(c)));
        let on_coroutine = history
            .class_of_value(history.receiver(n))
            .is_some_and(|class| self.is_of_coroutine(class));
        let Some(site) = history.site(n) else { return };
        if region == Region::Inside {
            if !self.in_natural() {
                self.pool.had_inside(history.receiver(n));
            }
            if self.is_inner_call(n, site) {
                // A function that it calls may have got the object from outside.
                let calls_back = history.below(n).len() > 0;
                if let (Outcome::Return(Some(value)), false) = (history.outcome(n), calls_back) {
                    self.pool.made_inside(&value);
                    if site.op == CallOp::Dynamic {
                        self.pool.captures(&value, history.args(n));
                    }
                }
                let frame = self.push(n, region);
                frame.natural = true;
                frame.gives = calls_back;
            } else {
                let class = match history.receiver(n) {
                    Value::Object(id) => history.class_of(*id).unwrap_or(&site.target.owner),
                    _ => &site.target.owner,
                };
                let opened = self.outgoing(n, class.to_owned());
                self.push(n, Region::Environment).crosses = opened;
            }
        } else if self.is_look(n)
            || on_observed
                && !on_coroutine
                && !CHANGE_NOTHING.contains(&site.target.name.as_str())
                && !self.is_of_machine(n, &site.target)
                && !self.is_of_framework(&site.target.owner)
        {
            // Inherited from a class that was not recorded, on an observed object; or what the failure shows in.
            let class = history
                .class_of_value(history.receiver(n))
                .unwrap_or(&site.target.owner)
                .to_owned();
            self.incoming(n, site.target.clone(), class);
            let frame = self.push(n, Region::Inside);
            frame.crosses = true;
            frame.natural = true;
        } else if region == Region::Driver
            && self.natural.is_all()
            && gives_what_it_made(history, self.observed, n)
        {
            self.incoming(n, site.target.clone(), site.target.owner.to_string());
            let frame = self.push(n, Region::Inside);
            frame.crosses = true;
            frame.natural = true;
        } else {
            let reenact = self.pool.must_reenact(n) || self.pool.copies_into_known(n);
            self.push(n, region).reenact = reenact;
        }
    }

    /// Is it a call in which the driver looks at an object of its own?
    fn is_look(&self, n: NodeNo) -> bool {
        if !self.looks.contains(&n) || self.region() != Region::Driver {
            return false;
        }
        let begins_chain = self.looks.last() != Some(&n);
        let throws = matches!(self.history.outcome(n), Outcome::Throw(_));
        // Nothing is asked of an object in a static call, but it may be an assertion, or begin one.
        self.history.has_receiver(n) || throws || begins_chain
    }

    /// Does an object have what it inherits from classes that were not recorded from a framework for tests, as those of JUnit 3 have their names? Run for
    /// real, a test needs none of that.
    fn is_of_framework(&self, owner: &str) -> bool {
        let tables = self.history.tables();
        let mut inherited = std::iter::once(owner).chain(tables.superclasses(owner));
        let first = inherited.find(|class| !tables.observed_classes().any(|c| c == *class));
        let of_framework = first.is_some_and(|class| is_framework(&class.replace('/', ".")));
        self.natural.is_all() && of_framework
    }

    /// Does replay run this call by observed code for real?
    fn is_inner_call(&mut self, n: NodeNo, site: &Site) -> bool {
        let target = &site.target;
        if asks_identity_hash(self.history, self.observed, n, target)
            || self.is_of_machine(n, target)
        {
            return false;
        }
        // `super(…)` of a class that was not recorded: part of an observed object's construction.
        if site.op == CallOp::Special && target.name == "<init>" {
            return true;
        }
        if self.history.has_receiver(n) {
            return match self.history.receiver(n) {
                // Real, but some of what it can be asked depends on the machine, or does something to others.
                Value::Object(_) | Value::Class(_)
                    if self
                        .natural
                        .is_answered(&target.owner, &target.name, &target.desc) =>
                {
                    false
                }
                Value::Object(id) => self.pool.runs_for_real(*id),
                // Strings and boxes; `null` throws by itself.
                _ => true,
            };
        }
        let owner = match site.op {
            // A subclass may be named, but static members belong to the class that declares them.
            CallOp::Static => self.declaring_class_of_method(site),
            _ => target.owner.to_string(),
        };
        if self.is_observed(&owner) {
            return true;
        }
        let real = runs_for_real(self.natural, site.op, &owner, target);
        let depends = site.op == CallOp::New && Natural::depends_on_others(&owner);
        real && (!depends || self.pool.constructs_for_real(n))
    }

    /// Is this a call on a thread of what `Thread` itself does, or the like?
    fn is_of_machine(&self, n: NodeNo, target: &MemberRef) -> bool {
        let class = self.history.class_of_value(self.history.receiver(n));
        let tables = self.history.tables();
        is_of_machine(&target.name)
            && class.is_some_and(|c| MACHINES.iter().any(|m| tables.is_subclass(c, m)))
    }

    /// An element was read from an array that was too large to be recorded. Replay must find it there when it is read again.
    fn array_load(&mut self, n: NodeNo) {
        let history = self.history;
        let (Value::Object(array), [Value::Prim(index)], Outcome::Return(Some(value))) =
            (history.receiver(n), history.args(n), history.outcome(n))
        else {
            return;
        };
        let (array, index, at) = (*array, index.to_word() as u32, history.node(n).begin);
        if self.region() != Region::Inside || !self.pool.finds(array, index, &value, at) {
            return;
        }
        let mut effects = Vec::new();
        self.pool.admit_in(&value, at, &mut effects);
        effects.push(crate::Effect::Store {
            array,
            index,
            value,
        });
        self.crossings.changed_behind_the_back(effects);
    }

    fn array_store(&mut self, n: NodeNo) {
        let history = self.history;
        let (Value::Object(array), [index, value]) = (history.receiver(n), history.args(n)) else {
            return;
        };
        if let (Value::Prim(index), Region::Inside) = (index, self.region()) {
            let at = history.node(n).begin;
            self.pool.finds(*array, index.to_word() as u32, value, at);
        }
        let known = self.pool.knows(*array);
        if let (Value::Prim(index), true, true) = (index, known, self.region() != Region::Inside) {
            let (array, index) = (*array, index.to_word() as u32);
            self.pool
                .admit_in(value, history.node(n).begin, &mut self.crossings.pending);
            let value = value.clone();
            self.crossings.pending.push(crate::Effect::Store {
                array,
                index,
                value,
            });
        }
    }

    fn field(&mut self, n: NodeNo) {
        let history = self.history;
        let Some(site) = history.site(n) else { return };
        let is_static = matches!(
            history.node(n).kind,
            NodeKind::GetStatic | NodeKind::PutStatic
        );
        let class = if is_static {
            self.declaring_class(site)
        } else {
            match history.class_of_value(history.receiver(n)) {
                Some(class) => class.to_owned(),
                None => return,
            }
        };
        let observed = self.is_observed(&class);
        let region = match self.region() {
            // Natural code runs in replay, and does it there.
            Region::Inside if history.by_outside(n) && self.in_natural() => return,
            // The environment's class initializers are not recorded, but observed code has triggered one.
            Region::Inside if history.by_outside(n) => Region::Environment,
            region => region,
        };
        match (region, observed) {
            (Region::Inside, true) | (Region::Driver | Region::Environment, false) => {}
            (Region::Inside, false) if self.is_inner_field(n, site, is_static) => {}
            (Region::Inside, false) => {
                if self.outgoing(n, class) {
                    self.close(n);
                }
            }
            (Region::Driver | Region::Environment, true) if self.is_of_coroutine(&class) => {}
            (Region::Driver | Region::Environment, true) => {
                let owner = if is_static {
                    class.as_str().into()
                } else {
                    site.target.owner.clone()
                };
                let member = MemberRef {
                    owner,
                    ..site.target.clone()
                };
                self.incoming(n, member, class);
                self.close(n);
            }
        }
    }

    /// Does replay access this field of the JDK's for real?
    fn is_inner_field(&mut self, n: NodeNo, site: &Site, is_static: bool) -> bool {
        let target = &site.target;
        let inner = match self.history.receiver(n) {
            Value::Object(id) => self.pool.runs_for_real(*id),
            _ => {
                is_static
                    && self
                        .natural
                        .is_natural_field(&target.owner, &target.name, &target.desc)
            }
        };
        if let (true, Outcome::Return(Some(value))) = (inner, self.history.outcome(n)) {
            self.pool.made_inside(&value);
        }
        inner
    }

    fn declaring_class_of_method(&mut self, site: &Site) -> String {
        let tables = self.history.tables();
        self.declaring
            .entry(site.no)
            .or_insert_with(|| tables.declaring_class_of_method(&site.target).to_owned())
            .clone()
    }

    fn declaring_class(&mut self, site: &Site) -> String {
        let tables = self.history.tables();
        self.declaring
            .entry(site.no)
            .or_insert_with(|| tables.declaring_class(&site.target))
            .clone()
    }

    /// Opens the driven interaction or call-back that node `n` is.
    fn incoming(&mut self, n: NodeNo, member: MemberRef, target_class: String) {
        let history = self.history;
        let begin = history.node(n).begin;
        let mut args = history.args(n).to_vec();
        // A test passes none of its own.
        if self.coroutines.is_some()
            && coroutines::suspends(&member)
            && let Some(continuation) = args.last_mut()
        {
            *continuation = Value::Null;
        }
        for value in args.iter().chain([history.receiver(n)]) {
            self.pool
                .admit_in(value, begin, &mut self.crossings.pending);
        }
        self.crossings.enter(Interaction {
            no: 0,
            node: n,
            thread: history.thread_of(n),
            turn: None,
            op: operation(history, n),
            member,
            target_class,
            receiver: history.receiver(n).clone(),
            args,
            outcome: history.outcome(n),
            before: Vec::new(),
            outgoing: Vec::new(),
        });
    }

    /// Opens the outgoing interaction that node `n` is; false if the trace does not say which member it is.
    fn outgoing(&mut self, n: NodeNo, target_class: String) -> bool {
        let history = self.history;
        // The contents of arrays are recorded when they come back.
        let close = history.node(n).close;
        for value in history.args(n).iter().chain([history.receiver(n)]) {
            self.pool.admit_out(value, close);
        }
        let by_natural = self.frames.last().is_some_and(|f| f.natural);
        let site = history.call_site(n).filter(|_| !by_natural);
        let member = site.map(|s| s.target.clone()).or_else(|| history.member(n));
        let Some(member) = member else { return false };
        let op = operation(history, n);
        let target_class = match op {
            Operation::CallStatic => member.owner.to_string(),
            _ => target_class,
        };
        self.crossings.leave(Outgoing {
            node: n,
            turn: None,
            op,
            member,
            target_class,
            site: site.map(|s| s.no),
            bci: site.map_or(0, |s| s.bci),
            line: site.map_or(0, |s| s.line),
            receiver: history.receiver(n).clone(),
            args: history.args(n).to_vec(),
            outcome: history.outcome(n),
            callbacks: Vec::new(),
            effects: Vec::new(),
        });
        true
    }
}
