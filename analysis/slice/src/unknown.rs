//! Activations whose instructions are not known: they are taken for a single instruction that used all it read, once it has defined
//! anything that was used. And what code outside defined.

use jinsi_classfile::effect::Access;
use jinsi_trace::model::EventKind;

use super::slicer::Slicer;
use super::using::Use;
use jinsi_steps::walk::{Location, Met};

impl Slicer<'_> {
    /// See [`jinsi_steps::walk::Visitor::lost`].
    pub(super) fn lose(&mut self, why: &'static str) {
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        let call = activation.call.take().unwrap_or_default();
        let used = activation.stack.iter().any(|value| value.any())
            || activation.locals.any()
            || activation.unexplained.all().any()
            || [
                call.wanted,
                call.result,
                activation.returns,
                activation.throws,
            ]
            .iter()
            .any(|used| used.any());
        let method = activation.method;
        activation.body = None;
        self.doubt(method);
        if used {
            let name = self.name(method);
            self.cross(format!("{name}: its events do not fit its code ({why})"));
            self.taint();
        }
    }

    /// See [`jinsi_steps::walk::Visitor::unexplained`].
    pub(super) fn take_event(&mut self, event: Met<'_>, location: Option<Location>) {
        let Some(activation) = self.activations.last() else {
            return;
        };
        let (method, mut tainted) = (activation.method, activation.tainted);
        let writes = matches!(
            event.kind,
            EventKind::PutField | EventKind::PutStatic | EventKind::ArrayStore
        );
        let operands = event.operands;
        let objects = || (0..operands.count()).filter_map(|at| operands.object(at));
        let site = event.site.and_then(|site| self.trace.site(site));
        let mark = self.vague();
        let mut relevant = false;
        match (location, event.kind) {
            (Some(location), _) if writes => {
                relevant = self.memory.found(location).any() || self.elsewhere.has(location);
            }
            (Some(location), _) if tainted => self.memory.seek(location, mark),
            (None, EventKind::Call) => {
                if let Some(site) = site {
                    let summary = self.summaries.of(&site.target, false);
                    let changed =
                        |id| self.memory.seeks_any_of(id).any() || self.elsewhere.has_any_of(id);
                    let changes = summary.receiver || summary.arguments;
                    relevant = changes && objects().any(changed);
                }
            }
            _ => {}
        }
        if relevant {
            self.taint();
            tainted = true;
        }
        if tainted && event.kind == EventKind::Call {
            for id in objects() {
                self.memory.seek_all_of(id, mark);
            }
        }
        if let (true, Some(line)) = (tainted, site.map(|s| s.line).filter(|line| *line != 0)) {
            self.found.lines.insert((method, line));
        }
    }

    /// See [`jinsi_steps::walk::Visitor::resumed`].
    pub(super) fn resume(&mut self, at: usize) {
        let mark = self.vague();
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        let body = self.program.get(activation.method).body.clone();
        if let Some(body) = &body {
            let depth = usize::from(body.instructions[at].depth);
            let used = match activation.tainted {
                true => Use::by(mark),
                false => Use::NONE,
            };
            activation.stack.clear();
            activation.stack.resize(depth, used);
            if activation.tainted {
                // What is not known used any of them.
                for instruction in &body.instructions {
                    if let Access::Store(slot) | Access::Increment(slot) = instruction.effect.access
                    {
                        activation.locals.seek(slot, mark);
                    }
                }
                for &slot in &body.parameters {
                    activation.locals.seek(slot, mark);
                }
            }
        }
        activation.fresh = false;
        activation.next = None;
        activation.body = body;
    }

    /// See [`jinsi_steps::walk::Visitor::outside`].
    pub(super) fn take_outside(&mut self, event: Met<'_>, location: Location) {
        if !matches!(event.kind, EventKind::PutField | EventKind::PutStatic) {
            return;
        }
        if self.memory.found(location).any() {
            let site = event.site.and_then(|site| self.trace.site(site));
            let what = site.map_or_else(String::new, |site| {
                let owner = site.target.owner.replace('/', ".");
                format!(
                    "{owner}.{}: written by code that is not recorded",
                    site.target.name
                )
            });
            self.cross(what);
        }
    }
}
