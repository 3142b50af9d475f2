//! What is open: activations, and calls in them.

use jinsi_trace::model::{EventKind, ObjectId, Site, SiteNo, Value};

use super::{Builder, Open, node_of};
use crate::node::{Ended, Node, NodeKind, NodeNo};

impl Builder {
    /// Is what the thread does part of a call that had begun before the window? Then there is nobody who could do it in replay.
    pub(super) fn began_before(&mut self) -> bool {
        let open = |open: &Open| matches!(open, Open::Activation(_));
        let before = self.history.tables.is_window() && !self.stack.iter().any(open);
        self.history.before_window += u64::from(before);
        before
    }

    /// Where the innermost open activation began.
    pub(super) fn innermost(&self) -> Option<SiteNo> {
        let innermost = self.stack.iter().rev().find_map(|&open| match open {
            Open::Activation(node) | Open::Merged(node) => Some(node),
            Open::Call { .. } | Open::Light { .. } => None,
        });
        innermost.map(|node| self.history.nodes[node.index()].site)
    }

    /// The activation whose code `site` is in, on top of the stack but for calls it has open. Activations above it whose end is
    /// missing are ended; `None` if there is no such activation.
    pub(super) fn frame_of(&mut self, site: &Site, thrown: Option<ObjectId>) -> Option<NodeNo> {
        let ends = matches!(
            site.kind,
            EventKind::Exit | EventKind::ExitThrow | EventKind::This
        );
        // At the boundary most activations are not recorded; whatever else happens, happens in the innermost that is.
        let innermost = self.history.tables.at_boundary() && !ends;
        let is_frame = |b: &Self, open: &Open| match *open {
            Open::Activation(_) if innermost => true,
            Open::Activation(node) => b.history.site(node).is_some_and(|s| {
                s.class == site.class && s.method == site.method && s.desc == site.desc
            }),
            _ => false,
        };
        let Some(at) = (0..self.stack.len())
            .rev()
            .find(|&i| is_frame(self, &self.stack[i]))
        else {
            self.expect(false);
            return None;
        };
        while self.stack[at + 1..]
            .iter()
            .any(|open| matches!(open, Open::Activation(_)))
        {
            self.drop_top(thrown);
        }
        match self.stack[at] {
            Open::Activation(node) => Some(node),
            _ => None,
        }
    }

    /// An event of ordinary code at `site`: no call of that frame can be open any more.
    pub(super) fn in_frame(&mut self, site: &Site) {
        if self.frame_of(site, None).is_some() {
            self.drop_calls(None);
        }
    }

    /// Index of the first entry above the innermost activation.
    pub(super) fn frame_floor(&self) -> usize {
        let at = self
            .stack
            .iter()
            .rposition(|open| matches!(open, Open::Activation(_)));
        at.map_or(0, |at| at + 1)
    }

    /// Ends the calls open in the innermost activation.
    pub(super) fn drop_calls(&mut self, thrown: Option<ObjectId>) {
        let floor = self.frame_floor();
        while self.stack.len() > floor {
            self.drop_top(thrown);
        }
    }

    /// Ends whatever is on top, by `thrown` if given. Only calls may end so without being an anomaly.
    pub(super) fn drop_top(&mut self, thrown: Option<ObjectId>) {
        let Some(open) = self.stack.pop() else { return };
        let balanced = match open {
            Open::Light { .. } => true,
            Open::Call { .. } => thrown.is_some(),
            Open::Merged(node) => thrown.is_some() || self.history.node(node).ended != Ended::Open,
            Open::Activation(_) => false,
        };
        self.expect(balanced);
        if let Some(node) = node_of(open) {
            if let (Some(thrown), Ended::Open) = (thrown, self.history.node(node).ended) {
                self.end_by(node, thrown);
            }
            self.close(node);
        }
    }

    pub(super) fn replace_top(&mut self, open: Open) {
        if let Some(top) = self.stack.last_mut() {
            *top = open;
        }
    }

    pub(super) fn push_node(
        &mut self,
        kind: NodeKind,
        site: SiteNo,
        has_receiver: bool,
        operands: Vec<Value>,
    ) -> NodeNo {
        let history = &mut self.history;
        let no = NodeNo::from_index(history.nodes.len());
        let parent = self.stack.iter().rev().find_map(|&open| node_of(open));
        history.nodes.push(Node {
            kind,
            site,
            call_site: None,
            parent,
            end: self.weaver.node(),
            begin: history.moments,
            close: history.moments,
            object: 0,
            values: history.values.len() as u32,
            count: operands.len() as u32,
            has_receiver,
            ended: Ended::Open,
        });
        history.values.extend(operands);
        no
    }

    pub(super) fn close(&mut self, node: NodeNo) {
        let (end, now) = (self.weaver.behind(), self.history.moments);
        let n = &mut self.history.nodes[node.index()];
        n.end = end;
        n.close = now;
    }

    pub(super) fn set_value(&mut self, node: NodeNo, value: Option<Value>) {
        let ended = match value {
            None => Ended::Void,
            Some(value) => {
                self.history.values.push(value);
                Ended::Value(self.history.values.len() as u32 - 1)
            }
        };
        self.history.nodes[node.index()].ended = ended;
    }

    pub(super) fn end_by(&mut self, node: NodeNo, thrown: ObjectId) {
        self.history.nodes[node.index()].ended = Ended::Throw(thrown);
    }

    /// Counts an anomaly unless `fits`.
    pub(super) fn expect(&mut self, fits: bool) {
        self.history.anomalies += u64::from(!fits);
    }
}
