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
        let tree = session.tree();
        let open = || session.range().filter(|node| session.is_open(*node));
        if self == Self::TopDown {
            return open().next();
        }
        let range = session.range();
        let own = match self {
            Self::Edges | Self::Likely => {
                by_entities(session, &tree.edges, weights.edges, weights.counting)
            }
            Self::Chains => by_entities(session, &tree.chains, weights.chains, weights.counting),
            Self::TopDown | Self::Divide | Self::Optimal => range
                .clone()
                .map(|node| f64::from(u8::from(session.is_suspected(node))))
                .collect(),
        };
        let sums = Sums::of(range.start, &own);
        let total = sums.all();
        let below = |node: NodeNo| sums.within(tree.below(node));
        let at = |node: NodeNo| (node - range.start) as usize;
        let known = session.wrong().map_or(0.0, |wrong| own[at(wrong)]);
        let distance = |node: NodeNo| match self {
            // What is below it and not itself, against what is not below it and not known to be wrong.
            Self::Optimal => (2.0 * below(node) - own[at(node)] - (total - known)).abs(),
            _ => (below(node) - total / 2.0).abs(),
        };
        if self == Self::Likely && own.len() <= likely::LARGEST {
            let mut near: Vec<NodeNo> = open().collect();
            near.sort_by(|a, b| distance(*a).total_cmp(&distance(*b)).then(a.cmp(b)));
            near.truncate(likely::candidates(own.len()));
            return likely::choose(session, weights.edges, near);
        }
        // The first in preorder of those that are equally good.
        open()
            .fold(None, |best: Option<(f64, NodeNo)>, node| {
                let new = distance(node);
                match best {
                    Some(old) if old.0 <= new => Some(old),
                    _ => Some((new, node)),
                }
            })
            .map(|(_, node)| node)
    }
}

/// Sums of the weights of nodes that follow each other, as those below a node do.
struct Sums {
    first: NodeNo,
    /// Of all before each, and of all.
    before: Vec<f64>,
}

impl Sums {
    fn of(first: NodeNo, own: &[f64]) -> Self {
        let mut before = Vec::with_capacity(own.len() + 1);
        let mut sum = 0.0;
        before.push(sum);
        for weight in own {
            sum += weight;
            before.push(sum);
        }
        Self { first, before }
    }

    fn within(&self, nodes: std::ops::Range<NodeNo>) -> f64 {
        let at = |node: NodeNo| self.before[(node - self.first) as usize];
        at(nodes.end) - at(nodes.start)
    }

    fn all(&self) -> f64 {
        self.before.last().copied().unwrap_or(0.0)
    }
}

/// By set of entities: what it weighs.
fn of_sets(covered: &Covered, weight: impl Fn(u32) -> f64) -> Vec<f64> {
    let sum = |set: &[u32]| set.iter().map(|entity| weight(*entity)).sum();
    covered.sets.iter().map(|set| sum(set)).collect()
}

fn by_entities(session: &Session<'_>, covered: &Covered, p: f64, counting: Counting) -> Vec<f64> {
    let counts = right(session, covered, counting);
    let weight = |entity: u32| p.powi(counts[entity as usize].min(1_000) as i32);
    let weights = of_sets(covered, weight);
    own_weights(session, covered, &weights)
}

fn own_weights(session: &Session<'_>, covered: &Covered, weights: &[f64]) -> Vec<f64> {
    let own = |node: NodeNo| match session.is_suspected(node) {
        true => weights[covered.set[node as usize] as usize],
        false => 0.0,
    };
    session.range().map(own).collect()
}
