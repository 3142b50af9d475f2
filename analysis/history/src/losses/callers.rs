//! Who called whom, from one thread's events. Only what has begun and not ended is kept.

use std::collections::HashMap;

use jinsi_trace::model::{ClassNo, Event, EventKind, Site, SiteNo};
use jinsi_trace::reader::Trace;
use serde::Serialize;

/// Methods named in [`Callers::missed_methods`].
const MOST: usize = 20;

/// Where the calls came from whose callee was recorded ([`EventKind::Enter`]). The first four add up to `enters` with `missed`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Callers {
    /// Runs of observed methods, constructors and class initializers.
    pub enters: u64,
    /// Called by the call site that was open, or by the constructor whose `super(…)` or `this(…)` it is.
    pub direct: u64,
    /// Nothing observed was running on the thread: its `run`, `main`, a shutdown hook, a finalizer.
    pub driver: u64,
    /// Called back while a recorded call was open to something else: `compareTo` from `TreeMap.put`, a class initializer from
    /// `Class.forName` or from the call that uses the class first.
    pub callbacks: u64,
    /// Observed code was running and had no call open: the JVM called (a class initializer at an access of a field, a class loader
    /// at the first use of a class), or the calls of that method are not recorded for want of room.
    pub missed: u64,
    /// The methods with most calls of unknown caller, most first, at most 20.
    pub missed_methods: Vec<MethodCalls>,
}

/// Calls of a method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MethodCalls {
    /// `pkg.Class.name(descriptor)`.
    pub method: String,
    /// How many.
    pub calls: u64,
}

#[derive(Clone, Copy, Debug)]
enum Open {
    /// An activation: its `Enter` site; has its constructor come back from `super(…)` or `this(…)`?
    Activation { enter: SiteNo, has_this: bool },
    /// A call; has something been entered directly in it?
    Call { site: SiteNo, entered: bool },
}

/// Counts the callers of one trace, thread by thread.
pub(super) struct Counter<'t> {
    trace: &'t Trace,
    stack: Vec<Open>,
    callers: Callers,
    missed: HashMap<(ClassNo, &'t str, &'t str), u64>,
}

impl<'t> Counter<'t> {
    pub(super) fn new(trace: &'t Trace) -> Self {
        Self {
            trace,
            stack: Vec::new(),
            callers: Callers::default(),
            missed: HashMap::new(),
        }
    }

    /// The events that follow are another thread's.
    pub(super) fn next_thread(&mut self) {
        self.stack.clear();
    }

    pub(super) fn event(&mut self, event: &Event) {
        if event.kind == EventKind::Uncaught {
            self.stack.clear();
        }
        let Some(site) = self.trace.site_of(event) else {
            return;
        };
        match event.kind {
            EventKind::Enter => self.enter(site),
            EventKind::This
            | EventKind::Exit
            | EventKind::ExitThrow
            | EventKind::Catch
            | EventKind::Call
            | EventKind::CallExit => self.in_frame(event.kind, site),
            _ => {}
        }
    }

    /// An event of code whose method has begun.
    fn in_frame(&mut self, kind: EventKind, site: &'t Site) {
        if !self.unwind_to(site) {
            return;
        }
        if kind == EventKind::CallExit {
            return self.end_call(site);
        }
        self.drop_calls();
        match (kind, self.stack.last_mut()) {
            (EventKind::This, Some(Open::Activation { has_this, .. })) => *has_this = true,
            (EventKind::Call, _) => self.stack.push(Open::Call {
                site: site.no,
                entered: false,
            }),
            (EventKind::Exit | EventKind::ExitThrow, _) => {
                self.stack.pop();
            }
            _ => {}
        }
    }

    fn enter(&mut self, site: &'t Site) {
        self.callers.enters += 1;
        match self.stack.last().copied() {
            None => self.callers.driver += 1,
            Some(Open::Call {
                site: call,
                entered: false,
            }) if self.names(call, site) => {
                self.callers.direct += 1;
                if let Some(Open::Call { entered, .. }) = self.stack.last_mut() {
                    *entered = true;
                }
            }
            Some(Open::Call { .. }) => self.callers.callbacks += 1,
            Some(Open::Activation {
                enter,
                has_this: false,
            }) if site.method == "<init>"
                && self.trace.site(enter).is_some_and(|s| s.method == "<init>") =>
            {
                self.callers.direct += 1;
            }
            Some(Open::Activation { .. }) => {
                self.callers.missed += 1;
                let method = (site.class, site.method.as_str(), site.desc.as_str());
                *self.missed.entry(method).or_default() += 1;
            }
        }
        self.stack.push(Open::Activation {
            enter: site.no,
            has_this: false,
        });
    }

    /// Does the call site name the method that begins at `enter`? A class initializer is named by none.
    fn names(&self, call: SiteNo, enter: &Site) -> bool {
        self.trace
            .site(call)
            .is_some_and(|c| c.target.name == enter.method && c.target.desc == enter.desc)
    }

    /// Makes the activation whose code `site` is in the innermost one; false if there is none.
    fn unwind_to(&mut self, site: &Site) -> bool {
        let trace = self.trace;
        let is_frame = |open: &Open| match *open {
            Open::Activation { enter, .. } => trace.site(enter).is_some_and(|s| {
                s.class == site.class && s.method == site.method && s.desc == site.desc
            }),
            Open::Call { .. } => false,
        };
        let Some(at) = self.stack.iter().rposition(is_frame) else {
            return false;
        };
        let above = self.stack[at + 1..]
            .iter()
            .position(|open| matches!(open, Open::Activation { .. }));
        if let Some(above) = above {
            // The call that led there goes on, or is ended by the event at hand.
            self.stack.truncate(at + 1 + above);
        }
        true
    }

    /// Calls that are open in the innermost activation have ended.
    fn drop_calls(&mut self) {
        while matches!(self.stack.last(), Some(Open::Call { .. })) {
            self.stack.pop();
        }
    }

    fn end_call(&mut self, exit: &Site) {
        let trace = self.trace;
        let is_call = |open: &Open| match *open {
            Open::Call { site, .. } => trace.site(site).is_some_and(|s| s.bci == exit.bci),
            Open::Activation { .. } => false,
        };
        let calls = self
            .stack
            .iter()
            .rev()
            .take_while(|open| matches!(open, Open::Call { .. }))
            .count();
        let floor = self.stack.len() - calls;
        if let Some(at) = self.stack[floor..].iter().rposition(is_call) {
            self.stack.truncate(floor + at);
        }
    }

    pub(super) fn finish(mut self) -> Callers {
        let mut methods: Vec<MethodCalls> = self
            .missed
            .into_iter()
            .map(|((class, name, desc), calls)| MethodCalls {
                method: method_text(self.trace, class, name, desc),
                calls,
            })
            .collect();
        methods.sort_by(|a, b| b.calls.cmp(&a.calls).then_with(|| a.method.cmp(&b.method)));
        methods.truncate(MOST);
        self.callers.missed_methods = methods;
        self.callers
    }
}

/// `pkg.Class.name(descriptor)`.
fn method_text(trace: &Trace, class: ClassNo, name: &str, desc: &str) -> String {
    let class = trace.class(class).map_or("?", |c| c.name.as_str());
    format!("{}.{name}{desc}", class.replace('/', "."))
}
