//! Which call is asked about next.

use rustc_hash::FxHashMap;

use crate::session::{Answer, Session};
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
    /// The call whose answer tells most about which method it is. An edge counts once, however many calls covered it.
    Likely,
}

/// Which calls count as seen to be right when edges and chains are weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Those that somebody said it of.
    Answered,
    /// And those below them.
    Below,
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

/// So many calls near the half are looked at more closely, in trees that are no larger than this.
const CANDIDATES: usize = 64;
const SMALL: usize = 1 << 16;

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

    /// The call to ask about; none if each that is suspected was asked about.
    pub(crate) fn choose(self, session: &Session<'_>, weights: &Weights) -> Option<NodeNo> {
        let tree = session.tree();
        let open = || session.range().filter(|node| session.is_open(*node));
        if self == Self::TopDown {
            return open().next();
        }
        let range = session.range();
        let own = match self {
            Self::Edges => by_entities(session, &tree.edges, weights.edges, weights.counting),
            Self::Chains => by_entities(session, &tree.chains, weights.chains, weights.counting),
            Self::Likely => shares(session, weights),
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
        if self == Self::Likely && own.len() <= SMALL {
            return telling(session, &own, &sums, open().collect());
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

/// How many right calls covered each entity.
fn right(session: &Session<'_>, covered: &Covered, counting: Counting) -> Vec<u32> {
    let mut counts = vec![0; covered.entities as usize];
    let mut count = |node: NodeNo| {
        for entity in covered.of(node) {
            counts[*entity as usize] += 1;
        }
    };
    for (node, answer) in session.answers() {
        if *answer == Answer::Valid {
            match counting {
                Counting::Answered => count(*node),
                Counting::Below => session.tree().below(*node).for_each(&mut count),
            }
        }
    }
    counts
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

/// Each edge's weight, shared out among the suspected calls that covered it.
fn shares(session: &Session<'_>, weights: &Weights) -> Vec<f64> {
    let covered = &session.tree().edges;
    let counts = right(session, covered, weights.counting);
    let mut users = vec![0u32; covered.sets.len()];
    for node in session.suspects() {
        users[covered.set[node as usize] as usize] += 1;
    }
    let mut among = vec![0u32; covered.entities as usize];
    for (set, users) in covered.sets.iter().zip(&users) {
        for entity in set {
            among[*entity as usize] += users;
        }
    }
    let share = |entity: u32| {
        let right = counts[entity as usize].min(1_000) as i32;
        weights.edges.powi(right) / f64::from(among[entity as usize].max(1))
    };
    own_weights(session, covered, &of_sets(covered, share))
}

/// The call after whose answer least is open about which method it is, to be expected.
fn telling(
    session: &Session<'_>,
    own: &[f64],
    sums: &Sums,
    mut open: Vec<NodeNo>,
) -> Option<NodeNo> {
    let tree = session.tree();
    let first = session.range().start;
    let at = |node: NodeNo| (node - first) as usize;
    let half = |node: NodeNo| (sums.within(tree.below(node)) - sums.all() / 2.0).abs();
    open.sort_by(|a, b| half(*a).total_cmp(&half(*b)).then(a.cmp(b)));
    open.truncate(CANDIDATES);
    let mut all: FxHashMap<u32, f64> = FxHashMap::default();
    for node in session.suspects() {
        *all.entry(tree.method_of(node)).or_default() += own[at(node)];
    }
    let left = |node: &NodeNo| {
        let mut below: FxHashMap<u32, f64> = FxHashMap::default();
        for node in tree.below(*node).filter(|no| session.is_suspected(*no)) {
            *below.entry(tree.method_of(node)).or_default() += own[at(node)];
        }
        let rest = all
            .iter()
            .map(|(method, mass)| (mass - below.get(method).copied().unwrap_or(0.0)).max(0.0));
        spread(rest) + spread(below.values().copied())
    };
    let best = open.into_iter().map(|node| (left(&node), node));
    best.min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, node)| node)
}

/// The entropy of masses, times their sum.
fn spread(masses: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut logs) = (0.0, 0.0);
    for mass in masses.filter(|mass| *mass > 0.0) {
        sum += mass;
        logs += mass * mass.ln();
    }
    if sum > 0.0 {
        sum * sum.ln() - logs
    } else {
        0.0
    }
}
