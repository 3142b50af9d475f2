//! From events to nodes. A stack machine keeps what has begun and not ended. Where a beginning or an end is missing, it supplies one and
//! counts that ([`History::anomalies`]).

pub(super) mod rolling;
mod stack;
pub(super) mod stretches;

use std::sync::Arc;

use jinsi_trace::model::{
    CallOp, ClassOrigin, Content, Event, EventId, EventKind, ObjectId, Payload, Phase, Prim, Site,
    SiteNo, ThreadNo, Value,
};
use jinsi_trace::order::Merged;

use super::arrays::{index, is_array_copy};
use super::moment::Calendar;
use super::node::{Ended, NodeKind, NodeNo, TooLong};
use super::objects::Objects;
use super::repeated::{Held, Repeated};
use super::threads::{Stamped, ThreadBlocks, Weaver};
use super::{History, Moment, Tables};

impl History {
    /// Builds the history of `thread` from its events, in order. Streams that do not balance are repaired and counted
    /// ([`Self::anomalies`]).
    ///
    /// # Errors
    /// Only if the stream is too long to be numbered.
    pub fn build(
        tables: Tables,
        thread: ThreadNo,
        events: impl IntoIterator<Item = Event>,
    ) -> Result<Self, TooLong> {
        let numbered = (0..).zip(events);
        let merged = numbered.map(|(index, event)| Merged {
            thread,
            index,
            event,
        });
        Self::build_merged(tables, merged)
    }

    /// Builds the history of all threads from their merged streams.
    ///
    /// # Errors
    /// Only if there are more events than can be numbered.
    pub fn build_merged(
        tables: Tables,
        events: impl IntoIterator<Item = Merged>,
    ) -> Result<Self, TooLong> {
        let mut events = events.into_iter().peekable();
        let first = events.peek().map_or(0, |merged| merged.thread);
        let mut builder = Builder::new(tables, first);
        for merged in events {
            builder.event(merged)?;
        }
        Ok(builder.finish())
    }
}

/// Flag of static methods (JVMS table 4.6-A).
const ACC_STATIC: u16 = 0x0008;

/// Something that has begun and not ended.
#[derive(Clone, Copy, Debug)]
enum Open {
    /// A run of an observed method.
    Activation(NodeNo),
    /// A call whose operands were recorded. `entered`: an activation other than a class initializer has run directly in it.
    Call { node: NodeNo, entered: bool },
    /// A call that turned out to be one with the activation in it.
    Merged(NodeNo),
    /// A light call: only a location for the activation directly in it, which has come if `entered`.
    Light { site: SiteNo, entered: bool },
}

/// Builds a [`History`], event by event.
#[derive(Debug)]
pub(super) struct Builder {
    history: History,
    /// What is open in the current thread.
    stack: Vec<Open>,
    /// The other threads.
    weaver: Weaver<Vec<Open>>,
    /// Contents that are recorded once more because a window begins.
    repeated: Repeated,
}

impl Builder {
    /// Builds a history of which `thread` has the first event.
    pub(super) fn new(tables: Tables, thread: ThreadNo) -> Self {
        let repeated = Repeated::new(tables.is_window());
        let history = History {
            tables,
            threads: ThreadBlocks::default(),
            calendar: Calendar::default(),
            nodes: Vec::new(),
            values: Vec::new(),
            objects: Objects::default(),
            statics: Default::default(),
            marks: Vec::new(),
            moments: Moment::BEGINNING,
            anomalies: 0,
            before_window: 0,
            gaps: Vec::new(),
        };
        Self {
            history,
            stack: Vec::new(),
            weaver: Weaver::new(thread),
            repeated,
        }
    }

    /// The next events are of `thread`.
    fn switch(&mut self, thread: ThreadNo) {
        if thread != self.weaver.current() {
            self.tell_news();
        }
        self.weaver.switch(thread, &mut self.stack);
    }

    /// Takes the next event.
    pub(super) fn event(&mut self, merged: Merged) -> Result<(), TooLong> {
        let Merged {
            thread,
            index,
            event,
        } = merged;
        self.switch(thread);
        if self.history.values.len() + 0x1_0000 >= u32::MAX as usize {
            return Err(TooLong);
        }
        let now = self.history.moments.next().ok_or(TooLong)?;
        self.history.moments = now;
        let calendar = &mut self.history.calendar;
        calendar.push(EventId { thread, index }, now);
        if !matches!(event.kind, EventKind::Define | EventKind::Content) {
            self.tell_news();
        }
        match event.payload {
            Payload::Define { id, class, length } => {
                let name = self.history.tables.class_name(class).to_owned();
                let first = self.history.objects.define(id, class, &name, length, now);
                if !first && self.history.class_of(id) == Some(&name) {
                    self.repeated.define(id);
                } else {
                    self.expect(first);
                }
            }
            Payload::Content { id, content } => {
                let held = Held {
                    id,
                    content,
                    at: now,
                };
                if let Some(news) = self.repeated.content(held) {
                    self.content(news);
                }
            }
            Payload::Operands(operands) if event.kind == EventKind::Uncaught => {
                self.uncaught(&operands)
            }
            Payload::Operands(_) if event.kind == EventKind::Order => {
                if let Some(stamped) = Stamped::of(&event, now, self.innermost()) {
                    self.weaver.stamped(stamped);
                }
            }
            Payload::Operands(operands) if event.kind == EventKind::Mark => self.mark(&operands),
            Payload::Operands(_)
                if matches!(
                    event.kind,
                    EventKind::Path | EventKind::Run | EventKind::Given
                ) => {}
            Payload::Operands(operands) => match event.site.and_then(|site| self.site(site)) {
                Some(site) if site.kind == event.kind => self.operands(&site, operands),
                _ => self.expect(false),
            },
        }
        Ok(())
    }

    /// A content was recorded. The fields of an object that a constructor in the window made are left out: replay runs that constructor.
    fn content(&mut self, held: Held) {
        let Held { id, content, at } = held;
        if self.history.tells_statics(id, at, &content) {
            return;
        }
        let made = self.history.objects.get(id).is_some_and(|o| o.constructed);
        if made && self.history.tables.is_window() && matches!(content, Content::Fields(_)) {
            return;
        }
        let thread = self.weaver.current();
        let objects = &mut self.history.objects;
        // Something was recorded of it before, so this content is news of now.
        let reported = at == Moment::BEGINNING && objects.snapshot_at(id, Moment::END).is_some();
        let at = if reported { self.history.moments } else { at };
        let known = objects.content(id, content, at, thread);
        self.expect(known);
    }

    fn tell_news(&mut self) {
        for held in self.repeated.end() {
            self.content(held);
        }
    }

    fn mark(&mut self, operands: &[Value]) {
        let [Value::Prim(Prim::Long(word))] = operands else {
            return self.expect(false);
        };
        let mark = Phase::of_word(*word as u64);
        self.expect(mark.is_some());
        let History { marks, moments, .. } = &mut self.history;
        marks.extend(mark.map(|(test, phase)| (*moments, test, phase)));
    }

    /// There are no more events. What is still open stays open: the recording ended before it did.
    fn end(&mut self) {
        self.tell_news();
        for thread in self.weaver.all() {
            self.switch(thread);
            while let Some(open) = self.stack.pop() {
                if let Some(node) = node_of(open) {
                    self.close(node);
                }
            }
        }
    }

    /// Ends the history.
    pub(super) fn finish(mut self) -> History {
        self.end();
        let History { nodes, objects, .. } = &mut self.history;
        let (threads, numbers) = self.weaver.finish(nodes);
        if let Some(numbers) = numbers {
            objects.finish(&numbers);
        }
        self.history.threads = threads;
        self.history
    }

    fn site(&self, no: SiteNo) -> Option<Arc<Site>> {
        self.history.tables.shared_site(no).cloned()
    }

    fn operands(&mut self, site: &Site, mut operands: Vec<Value>) {
        match site.kind {
            EventKind::Enter => self.enter(site, operands),
            EventKind::This => self.this(site, operands.first()),
            EventKind::Exit => self.exit(site, operands.pop()),
            EventKind::ExitThrow => self.exit_throw(site, &operands),
            EventKind::Catch => self.catch(site, &operands),
            EventKind::Call => self.call(site, operands),
            EventKind::CallExit => self.call_exit(site, operands.pop()),
            EventKind::GetField | EventKind::GetStatic | EventKind::ArrayLoad => {
                let value = operands.pop();
                self.access(site, operands, value);
            }
            EventKind::PutField | EventKind::PutStatic | EventKind::ArrayStore => {
                self.access(site, operands, None)
            }
            EventKind::Define
            | EventKind::Content
            | EventKind::Uncaught
            | EventKind::Order
            | EventKind::Mark
            | EventKind::Path
            | EventKind::Run
            | EventKind::Given => self.expect(false),
        }
    }

    fn enter(&mut self, site: &Site, operands: Vec<Value>) {
        let has_receiver =
            site.access & ACC_STATIC == 0 && site.method != "<init>" && site.method != "<clinit>";
        if has_receiver && operands.is_empty() {
            return self.expect(false);
        }
        let initializer = site.method == "<clinit>";
        let mut call_site = None;
        match self.stack.last().copied() {
            Some(Open::Call {
                node,
                entered: false,
            }) if !initializer => {
                if self.same_call(node, site, has_receiver, &operands) {
                    return self.merge(node, site);
                }
                self.replace_top(Open::Call {
                    node,
                    entered: true,
                });
            }
            Some(Open::Light {
                site: light,
                entered: false,
            }) if self.names(light, site) => {
                self.replace_top(Open::Light {
                    site: light,
                    entered: true,
                });
                call_site = Some(light);
            }
            _ => {}
        }
        let node = self.push_node(NodeKind::Activation, site.no, has_receiver, operands);
        let receiver = self.history.receiver(node).clone();
        let n = &mut self.history.nodes[node.index()];
        n.call_site = call_site;
        if let Value::Object(id) = receiver {
            n.object = id;
        }
        self.stack.push(Open::Activation(node));
    }

    /// Does the call site `call` name the method that begins at `enter`?
    fn names(&self, call: SiteNo, enter: &Site) -> bool {
        self.site(call)
            .is_some_and(|c| c.target.name == enter.method && c.target.desc == enter.desc)
    }

    /// Is the activation that begins the callee of the open call `node`?
    fn same_call(
        &mut self,
        node: NodeNo,
        enter: &Site,
        has_receiver: bool,
        operands: &[Value],
    ) -> bool {
        let history = &self.history;
        let Some(call) = history.site(node) else {
            return false;
        };
        let declared = history.tables.class_name(enter.class);
        call.target.name == enter.method
            && call.target.desc == enter.desc
            && (call.target.name != "<init>" || call.target.owner == declared)
            && history.has_receiver(node) == has_receiver
            && (!has_receiver || operands.first() == Some(history.receiver(node)))
            && operands[usize::from(has_receiver)..] == *history.args(node)
    }

    /// Makes the call `node` one with the activation of `enter`.
    fn merge(&mut self, node: NodeNo, enter: &Site) {
        let receiver = self.history.receiver(node).clone();
        let n = &mut self.history.nodes[node.index()];
        n.kind = NodeKind::Activation;
        n.call_site = Some(n.site);
        n.site = enter.no;
        if let Value::Object(id) = receiver {
            n.object = id;
        }
        self.replace_top(Open::Merged(node));
        self.stack.push(Open::Activation(node));
    }

    fn this(&mut self, site: &Site, object: Option<&Value>) {
        let node = self.frame_of(site, None);
        match (node, object) {
            (Some(node), Some(&Value::Object(id))) => {
                let bound = &mut self.history.nodes[node.index()].object;
                let before = std::mem::replace(bound, id);
                // Deserialization runs the constructor of a superclass alone.
                if self.history.class_of(id) == Some(self.history.tables.class_name(site.class)) {
                    self.history.objects.constructed(id);
                }
                self.expect(before == 0 || before == id);
            }
            _ => self.expect(false),
        }
    }

    fn exit(&mut self, site: &Site, value: Option<Value>) {
        if let Some(node) = self.frame_of(site, None) {
            self.drop_calls(None);
            self.stack.pop();
            self.set_value(node, value);
            self.leave(node);
        }
    }

    /// The throwable named by the operands, 0 if there is none. When there are very many, only failures and those that were first
    /// seen as they were thrown are in the table; of the others the class is known.
    fn thrown(&mut self, operands: &[Value]) -> ObjectId {
        let Some(&Value::Object(id)) = operands.first() else {
            return 0;
        };
        if self.history.tables.throwable(id).is_none() {
            let class = self.history.class_of(id).unwrap_or_default();
            let class = class.replace('/', ".");
            self.history.tables.add_throwable(id, class);
        }
        id
    }

    fn exit_throw(&mut self, site: &Site, operands: &[Value]) {
        let thrown = self.thrown(operands);
        if let Some(node) = self.frame_of(site, Some(thrown)) {
            self.drop_calls(Some(thrown));
            self.stack.pop();
            self.end_by(node, thrown);
            self.leave(node);
        }
    }

    fn catch(&mut self, site: &Site, operands: &[Value]) {
        let thrown = self.thrown(operands);
        if self.frame_of(site, Some(thrown)).is_some() {
            self.drop_calls(Some(thrown));
        }
    }

    /// Closes an activation; a constructor hands its object on to the constructor whose `super(…)` or `this(…)` it was, in
    /// case that one never gets so far as to say it itself.
    fn leave(&mut self, node: NodeNo) {
        self.close(node);
        if self.history.is_constructor(node)
            && self.history.continues_construction(node)
            && let Some(parent) = self.history.parent(node)
        {
            let object = self.history.node(node).object;
            let outer = &mut self.history.nodes[parent.index()].object;
            if *outer == 0 {
                *outer = object;
            }
        }
    }

    fn call(&mut self, site: &Site, operands: Vec<Value>) {
        if self.began_before() {
            return;
        }
        self.in_frame(site);
        if site.light {
            self.stack.push(Open::Light {
                site: site.no,
                entered: false,
            });
            return;
        }
        // `super(…)` of an unobserved class is a call without a receiver: the object has no identity yet.
        let has_receiver = site.target.name != "<init>"
            && matches!(
                site.op,
                CallOp::Virtual | CallOp::Special | CallOp::Interface
            );
        if has_receiver && operands.is_empty() {
            return self.expect(false);
        }
        let node = self.push_node(NodeKind::Call, site.no, has_receiver, operands);
        self.stack.push(Open::Call {
            node,
            entered: false,
        });
    }

    fn call_exit(&mut self, site: &Site, value: Option<Value>) {
        if self.frame_of(site, None).is_none() {
            return;
        }
        let floor = self.frame_floor();
        // A site makes events of one kind, so the call's is another one; they share their place in the code.
        let place = |open: &Open, b: &Self| {
            let call = match *open {
                Open::Call { node, .. } => Some(b.history.node(node).site),
                Open::Merged(node) => b.history.node(node).call_site,
                Open::Light { site, .. } => Some(site),
                Open::Activation(_) => None,
            };
            let recorded = |call| b.history.tables.site(call);
            call.is_some_and(|call| {
                call == site.no || recorded(call).is_some_and(|c| c.bci == site.bci)
            })
        };
        let Some(at) = (floor..self.stack.len())
            .rev()
            .find(|&i| place(&self.stack[i], self))
        else {
            return self.expect(site.light);
        };
        while self.stack.len() > at + 1 {
            self.drop_top(None);
        }
        match self.stack.pop() {
            Some(Open::Call { node, .. }) => {
                self.set_value(node, value);
                self.close(node);
                self.after_call(node);
            }
            Some(Open::Merged(node)) => {
                if let (Some(Value::Object(id)), true) = (value, self.history.is_constructor(node))
                {
                    self.history.nodes[node.index()].object = id;
                }
                self.close(node);
            }
            _ => {}
        }
    }

    /// An unrecorded method has returned: indexes what it may have touched.
    fn after_call(&mut self, node: NodeNo) {
        let result = match self.history.node(node).ended {
            Ended::Value(at) => self.history.values[at as usize].clone(),
            _ => Value::Null,
        };
        if let (Value::Object(id), true) = (&result, self.history.is_constructor(node)) {
            self.history.nodes[node.index()].object = *id;
        }
        if self.history.objects.is_bare() {
            return;
        }
        let receiver = self.history.receiver(node).clone();
        let args = self.history.args(node).to_vec();
        let objects = &mut self.history.objects;
        for value in args.iter().chain([&receiver, &result]) {
            objects.mention(value, node);
        }
        if self.history.site(node).is_some_and(is_array_copy) {
            let begin = self.history.node(node).begin;
            self.array_copy(&args, begin);
        }
    }

    /// `System.arraycopy` has returned: a change of the target, unless its content was recorded meanwhile.
    fn array_copy(&mut self, args: &[Value], begin: Moment) {
        if let [Value::Object(src), from, Value::Object(dst), to, count] = args
            && let (Some(from), Some(to), Some(count)) = (index(from), index(to), index(count))
        {
            let now = self.history.moments;
            let objects = &mut self.history.objects;
            if objects
                .snapshot_at(*dst, now)
                .is_some_and(|s| s.moment >= begin)
            {
                return;
            }
            objects.copy((*src, from), (*dst, to), count, now);
        }
    }

    /// A field or array access: a node without duration. One by code outside belongs to no activation: it happens inside
    /// whatever is open, and ends nothing.
    fn access(&mut self, site: &Site, operands: Vec<Value>, value: Option<Value>) {
        if !site.outside && self.began_before() {
            return;
        }
        if !site.outside {
            self.in_frame(site);
        }
        let (kind, has_receiver, count) = match site.kind {
            EventKind::GetField => (NodeKind::GetField, true, 1),
            EventKind::PutField => (NodeKind::PutField, true, 2),
            EventKind::GetStatic => (NodeKind::GetStatic, false, 0),
            EventKind::PutStatic => (NodeKind::PutStatic, false, 1),
            EventKind::ArrayLoad => (NodeKind::ArrayLoad, true, 2),
            _ => (NodeKind::ArrayStore, true, 3),
        };
        let reads = matches!(
            kind,
            NodeKind::GetField | NodeKind::GetStatic | NodeKind::ArrayLoad
        );
        if operands.len() != count || value.is_some() != reads {
            return self.expect(false);
        }
        let stored = match (kind, operands.as_slice()) {
            (NodeKind::ArrayStore, [Value::Object(id), at, value]) => {
                index(at).map(|at| (*id, at, value.clone()))
            }
            _ => None,
        };
        let node = self.push_node(kind, site.no, has_receiver, operands);
        self.set_value(node, value.clone());
        self.close(node);
        let owner = self.history.tables.class_by_name(&site.target.owner);
        let by_others = owner.is_none_or(|c| c.origin != ClassOrigin::Observed);
        if let (NodeKind::GetStatic, true, Some(value)) = (kind, by_others, &value) {
            self.history.objects.mention(value, node);
        }
        if let Some((id, index, value)) = stored {
            let now = self.history.moments;
            self.history.objects.store(id, index, value, now);
        }
    }

    /// The thread died of an exception: whatever is open ended by it.
    fn uncaught(&mut self, operands: &[Value]) {
        let thrown = self.thrown(operands);
        while !self.stack.is_empty() {
            self.drop_top(Some(thrown));
        }
    }
}

fn node_of(open: Open) -> Option<NodeNo> {
    match open {
        Open::Activation(node) | Open::Call { node, .. } | Open::Merged(node) => Some(node),
        Open::Light { .. } => None,
    }
}
