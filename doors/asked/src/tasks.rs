//! What other threads did for a thread: tasks of pools, threads that it started, stages of futures. Each is a call of whoever handed it over.
//!
//! A task is an outermost call of another thread. Its object was handed to code that is not recorded (`submit`, `execute`, `supplyAsync`, the
//! constructor of a thread): the call that did so last had it done. A lambda has no recorded method of its own: its object is one that was made
//! for this body, with what it captured, and of several alike the first that was not yet met.
//!
//! It hangs below the innermost call around that one that had not ended when the task ended. Who says that a call is right has seen what was there
//! at its end, so what was done later is no part of it.

use std::collections::HashMap;

use anyhow::Result;
use jinsi_classfile::ACC_STATIC;
use jinsi_declarative::{NodeNo, Task, Tree};
use jinsi_inspect::Inspector;
use jinsi_level::function::function_at;
use jinsi_trace::model::{
    CallOp, ClassOrigin, EventId, EventKind, MemberRef, ObjectId, Payload, Site, SiteNo, ThreadNo,
    Value,
};
use jinsi_trace::order::Merged;
use jinsi_trace::reader::Trace;

/// Events of a run of several threads that are gone through to find out who had what done.
const EVENTS: u64 = 20_000_000;
/// Methods by which an object of the JDK's has itself done.
const BEGINNINGS: [&str; 2] = ["start", "fork"];

/// The calls of a thread, and what others did for them.
///
/// # Errors
/// The trace cannot be read.
pub fn tree(inspector: &Inspector<'_>, thread: ThreadNo) -> Result<Tree> {
    let trace = inspector.trace();
    let mut others = Vec::new();
    for other in trace.threads().iter().filter(|other| other.no != thread) {
        let has_calls = inspector
            .outermost(other.no)
            .is_ok_and(|all| !all.is_empty());
        others.extend(has_calls.then_some(other.no));
    }
    let events = trace.threads().iter().map(|t| trace.event_count(t.no));
    if others.is_empty() || events.sum::<u64>() > EVENTS {
        return Ok(Tree::read(trace, thread)?);
    }
    let threads = [&[thread], &others[..]].concat();
    let trees = Tree::read_all(trace, &threads)?;
    let placing = Placing {
        inspector,
        trees: &trees,
        handed: handed(trace),
        number: threads.iter().copied().zip(0..).collect(),
    };
    let tasks = placing.all()?;
    let joined = Tree::joined(&trees, &tasks).filter(|_| !tasks.is_empty());
    match joined {
        Some(joined) => Ok(joined),
        None => Ok(Tree::read(trace, thread)?),
    }
}

/// A function object: what it calls, and what it captured.
#[derive(Debug)]
struct Made {
    target: MemberRef,
    captured: Vec<Value>,
}

/// Who handed over which task.
struct Handed<'t> {
    trace: &'t Trace,
    /// What function objects call that are made at a site.
    targets: HashMap<SiteNo, Option<MemberRef>>,
    /// How many calls are open, by thread.
    depth: HashMap<ThreadNo, usize>,
    /// Function objects that are being made, by thread.
    making: HashMap<ThreadNo, Made>,
    functions: HashMap<ObjectId, Made>,
    /// Function objects that were handed over, by what they call: those that were not met yet, and those that were.
    waiting: HashMap<MemberRef, Vec<ObjectId>>,
    met: HashMap<MemberRef, Vec<ObjectId>>,
    /// The event with which an object was handed to code that is not recorded, the last one.
    objects: HashMap<ObjectId, EventId>,
    by_task: HashMap<EventId, EventId>,
}

/// The events by which outermost calls were handed over, by their names.
fn handed(trace: &Trace) -> HashMap<EventId, EventId> {
    let mut handed = Handed {
        trace,
        targets: HashMap::new(),
        depth: HashMap::new(),
        making: HashMap::new(),
        functions: HashMap::new(),
        waiting: HashMap::new(),
        met: HashMap::new(),
        objects: HashMap::new(),
        by_task: HashMap::new(),
    };
    // Of a thread whose recording is damaged what comes before counts.
    let known = trace.merged_with_elements(0).filter_map(Result::ok);
    known.for_each(|merged| handed.take(&merged));
    handed.by_task
}

impl Handed<'_> {
    fn take(&mut self, merged: &Merged) {
        let trace = self.trace;
        let (Some(site), Payload::Operands(values)) =
            (trace.site_of(&merged.event), &merged.event.payload)
        else {
            return;
        };
        let name = EventId {
            thread: merged.thread,
            index: merged.index,
        };
        let depth = self.depth.entry(merged.thread).or_default();
        match merged.event.kind {
            EventKind::Enter => {
                *depth += 1;
                let by = self.by_function(site, values);
                let by = by.or_else(|| self.by_receiver(site, values));
                if let Some(by) = by.filter(|_| self.depth[&merged.thread] == 1) {
                    self.by_task.insert(name, by);
                }
            }
            EventKind::Exit | EventKind::ExitThrow => *depth = depth.saturating_sub(1),
            EventKind::Call if site.op == CallOp::Dynamic => {
                let target = self.targets.entry(site.no).or_insert_with(|| {
                    let function = function_at(trace.class(site.class)?, site);
                    function.map(|function| function.target)
                });
                let made = target.clone().map(|target| Made {
                    target,
                    captured: values.clone(),
                });
                self.making.extend(made.map(|made| (merged.thread, made)));
            }
            EventKind::CallExit if site.op == CallOp::Dynamic => {
                let made = self.making.remove(&merged.thread);
                if let (Some(made), Some(Value::Object(id))) = (made, values.first()) {
                    self.functions.insert(*id, made);
                }
            }
            EventKind::Call if !site.light => self.handed_over(name, site, values),
            _ => {}
        }
    }

    fn handed_over(&mut self, by: EventId, site: &Site, values: &[Value]) {
        let class = self.trace.class_by_name(&site.target.owner);
        let begins = BEGINNINGS.contains(&site.target.name.as_str());
        if !begins && class.is_some_and(|class| class.origin == ClassOrigin::Observed) {
            return;
        }
        // What an object is asked does not hand it to anybody, but for threads and the like that begin.
        let has_receiver = !matches!(site.op, CallOp::Static | CallOp::New);
        for value in values.iter().skip(usize::from(has_receiver && !begins)) {
            let Value::Object(id) = value else { continue };
            self.objects.insert(*id, by);
            if let Some(made) = self.functions.get(id) {
                let waiting = self.waiting.entry(made.target.clone()).or_default();
                if !waiting.contains(id) {
                    waiting.push(*id);
                }
            }
        }
    }

    /// By whom the function object was handed over that calls this method: the first that was not met yet, else the last one again.
    fn by_function(&mut self, site: &Site, values: &[Value]) -> Option<EventId> {
        let functions = &self.functions;
        let is_it = |id: &ObjectId| values.starts_with(&functions[id].captured);
        let waiting = self.waiting.get_mut(&site.target);
        let found = waiting.and_then(|all| Some(all.remove(all.iter().position(is_it)?)));
        let met = self.met.entry(site.target.clone()).or_default();
        met.extend(found);
        let found = found.or_else(|| met.iter().rev().copied().find(is_it))?;
        self.objects.get(&found).copied()
    }

    fn by_receiver(&self, site: &Site, values: &[Value]) -> Option<EventId> {
        let has_receiver = site.access & ACC_STATIC == 0;
        match values.first().filter(|_| has_receiver) {
            Some(Value::Object(id)) => self.objects.get(id).copied(),
            _ => None,
        }
    }
}

/// Finds where tasks hang.
struct Placing<'a, 't> {
    inspector: &'a Inspector<'t>,
    trees: &'a [Tree],
    handed: HashMap<EventId, EventId>,
    /// The number of each thread's tree.
    number: HashMap<ThreadNo, usize>,
}

impl Placing<'_, '_> {
    fn all(&self) -> Result<Vec<Task>> {
        let mut tasks = Vec::new();
        for (no, tree) in self.trees.iter().enumerate().skip(1) {
            for root in tree.roots() {
                if let Some(by) = self.handed.get(&tree.name(root)) {
                    let within = self.within(*by, self.ended(tree.name(root))?)?;
                    tasks.push(Task {
                        call: (no, root),
                        within,
                    });
                }
            }
        }
        Ok(tasks)
    }

    /// When an activation ended, in the order of all threads.
    fn ended(&self, name: EventId) -> Result<u64> {
        let end = self.inspector.activation(name)?.end;
        Ok(end.map_or(u64::MAX, |end| self.inspector.rank(end.event)))
    }

    /// The innermost call around an event that had not ended at a moment, and the event of its thread by which it comes there. If no call of that
    /// thread had, it is one around the task that it was itself.
    fn within(&self, by: EventId, ended: u64) -> Result<Option<((usize, NodeNo), u64)>> {
        let mut by = Some(by);
        while let Some(event) = by.take() {
            let Some(no) = self.number.get(&event.thread) else {
                return Ok(None);
            };
            let tree = &self.trees[*no];
            let mut node = tree.begun_at(event.index);
            while let Some(one) = node {
                let name = tree.name(one);
                let end = self.inspector.activation(name)?.end;
                let was_open = end.is_none_or(|end| end.event.index > event.index);
                if was_open && self.ended(name)? > ended {
                    return Ok(Some(((*no, one), event.index)));
                }
                node = tree.parent(one);
                if node.is_none() && was_open {
                    by = self.handed.get(&name).copied();
                }
            }
        }
        Ok(None)
    }
}
