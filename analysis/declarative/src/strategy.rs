//! Which call is asked about next.

use crate::counting::{Counting, right};
use crate::likely;
use crate::session::{Next, Session};
use crate::tree::{Covered, NodeNo};

/// How the next question is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// A call, and if it is wrong what it called, in that order.
    TopDown,
    /// The call below which half of the suspected calls are (Shapiro 1982).
    Divide,
    /// The call that leaves as many to be asked about either way (Insa and Silva 2011).
    Optimal,
    /// Half by covered edges of the control flow, those that right calls covered counting less (Hermanns and Kuchen).
    Edges,
    /// Half by covered def-use chains, in the same way.
    Chains,
    /// The call after whose answer least is left to be found out, to be expected. In trees too large for that, as by edges.
    Likely,
}

/// What the weights of edges and chains are made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// An edge counts so much less for each right call that covered it.
    pub edges: f64,
    /// The same of def-use chains.
    pub chains: f64,
    /// Which calls are right.
    pub counting: Counting,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            edges: 0.5,
            chains: 0.6,
            counting: Counting::Answered,
        }
    }
}

impl Strategy {
    /// All of them, with their names.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::TopDown, "top-down"),
        (Self::Divide, "divide"),
        (Self::Optimal, "optimal"),
        (Self::Edges, "edges"),
        (Self::Chains, "chains"),
        (Self::Likely, "likely"),
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(strategy, _)| *strategy == self);
        found.map_or("", |(_, name)| name)
    }

    /// How a session goes on.
    pub fn next(self, session: &Session<'_>, weights: &Weights) -> Next {
        if session.suspected() == 0 {
            return Next::Nothing;
        }
        if let Some(verdict) = session.verdict() {
            return Next::Found(verdict);
        }
        match self.choose(session, weights) {
            Some(node) => Next::Ask(node),
            None => Next::Undecided,
        }
    }

    /// The call to ask about; none if each that is suspected was asked about.
    fn choose(self, session: &Session<'_>, weights: &Weights) -> Option<NodeNo> {
        if self == Self::TopDown {
            return session.open().next();
        }
        let tree = session.tree();
        let own = match self {
            Self::Edges | Self::Likely => {
                Own::by_entities(session, &tree.edges, weights.edges, weights.counting)
            }
            Self::Chains => {
                Own::by_entities(session, &tree.chains, weights.chains, weights.counting)
            }
            Self::TopDown | Self::Divide | Self::Optimal => Own::Same,
        };
        let total: f64 = session.suspects().map(|node| own.of(node)).sum();
        let known = session.wrong().filter(|node| session.is_suspected(*node));
        let known = known.map_or(0.0, |wrong| own.of(wrong));
        let distance = |(node, below): (NodeNo, f64)| match self {
            // What is below it and not itself, against what is not below it and not known to be wrong.
            Self::Optimal => (2.0 * below - own.of(node) - (total - known)).abs(),
            _ => (below - total / 2.0).abs(),
        };
        if self == Self::Likely && session.suspected() <= likely::LARGEST {
            let mut near = Vec::new();
            sums(session, &own, |node, below| {
                near.push((distance((node, below)), node));
            });
            near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let near: Vec<NodeNo> = near.into_iter().map(|(_, node)| node).collect();
            return likely::choose(session, weights.edges, &near);
        }
        // The first in preorder of those that are equally good.
        let mut best: Option<(f64, NodeNo)> = None;
        sums(session, &own, |node, below| {
            let new = distance((node, below));
            if best.is_none_or(|(old, at)| new < old || new == old && node < at) {
                best = Some((new, node));
            }
        });
        best.map(|(_, node)| node)
    }
}

/// What suspected calls weigh by themselves.
enum Own<'t> {
    /// All the same.
    Same,
    /// By sets of entities: which each has, and what they weigh.
    Sets(&'t [u32], Vec<f64>),
}

impl<'t> Own<'t> {
    fn by_entities(
        session: &Session<'t>,
        covered: &'t Covered,
        p: f64,
        counting: Counting,
    ) -> Self {
        let counts = right(session, covered, counting);
        let weight = |entity: &u32| p.powi(counts[*entity as usize].min(1_000) as i32);
        let sum = |set: &[u32]| set.iter().map(weight).sum();
        let weights = covered.sets.iter().map(|set| sum(set));
        Self::Sets(&covered.set, weights.collect())
    }

    fn of(&self, node: NodeNo) -> f64 {
        match self {
            Self::Same => 1.0,
            Self::Sets(sets, weights) => weights[sets[node as usize] as usize],
        }
    }
}

/// Tells of each suspected call that may be asked about what it and the suspected calls below it weigh, in the order of their ends. Only calls
/// that are open are kept meanwhile, so a tree of any size takes no room.
fn sums(session: &Session<'_>, own: &Own<'_>, mut each: impl FnMut(NodeNo, f64)) {
    let tree = session.tree();
    let mut open: Vec<(NodeNo, NodeNo, f64)> = Vec::new();
    let mut sum = 0.0;
    let mut close = |node: NodeNo, below: f64| {
        if session.is_unsaid(node) {
            each(node, below);
        }
    };
    for node in session.suspects() {
        while let Some((last, _, before)) = open.pop_if(|(_, end, _)| *end <= node) {
            close(last, sum - before);
        }
        open.push((node, tree.below(node).end, sum));
        sum += own.of(node);
    }
    while let Some((last, _, before)) = open.pop() {
        close(last, sum - before);
    }
}
