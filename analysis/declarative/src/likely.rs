//! The call after whose answer least is left to be found out, to be expected.
//!
//! Each covered edge may be what is wrong, one as likely as another. A call that covers it is wrong with a probability of `1 - p`, if it is. So an edge
//! that `v` right calls covered is `p^v` times as likely as one that none did, and of `n` calls that cover it one at least is wrong with
//! `1 - p^n`. That gives how likely an answer is. What is left after it are calls, to be halved, and methods, of which some are likelier
//! than others: half of each counts, in bits.
//!
//! Where the run failed by an exception, calls that had a part in that, and methods that were running then, are likelier than others (see
//! [`crate::expected`]).

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::session::{Next, Session};
use crate::stretch::{HARDER, Stretch};
use crate::tree::{NodeNo, Tree};

/// Suspected calls in which it is computed.
pub(crate) const LARGEST: usize = 1 << 16;
/// Calls, and edges of different calls, that may be gone over for a question.
const WORK: usize = 1 << 21;
/// Calls that are compared with each other, however long that takes.
const FEWEST: usize = 16;

/// Calls as far as they matter here: how many there are with each set of edges.
#[derive(Clone, Debug, Default)]
struct Group {
    sets: FxHashMap<u32, (u32, u32)>,
    calls: u32,
}

impl Group {
    fn of(session: &Session<'_>, nodes: impl Iterator<Item = NodeNo>) -> Self {
        let tree = session.tree();
        let mut group = Self::default();
        for node in nodes {
            let set = tree.edges.set[node as usize];
            let of_set = group.sets.entry(set).or_insert((tree.method_of(node), 0));
            of_set.1 += 1;
            group.calls += 1;
        }
        group
    }

    /// Those of both.
    fn with(&self, other: Self) -> Self {
        let mut all = self.clone();
        all.calls += other.calls;
        for (set, (method, count)) in other.sets {
            all.sets.entry(set).or_insert((method, 0)).1 += count;
        }
        all
    }

    /// Those of this one that are not in `other`, which is part of it.
    fn without(&self, other: &Self) -> Self {
        let mut left = self.clone();
        left.calls -= other.calls;
        for (set, (_, count)) in &other.sets {
            if let Some(of_set) = left.sets.get_mut(set) {
                of_set.1 -= count;
                if of_set.1 == 0 {
                    left.sets.remove(set);
                }
            }
        }
        left
    }
}

/// What is known of edges.
struct Model<'t> {
    tree: &'t Tree,
    p: f64,
    /// By edge, how likely it is, compared with one that no right call covered.
    edges: Vec<f64>,
}

impl Model<'_> {
    /// Some edges are likelier than others, as the session expects.
    fn expect(&mut self, session: &Session<'_>, all: &Group) {
        let sets = all
            .sets
            .keys()
            .map(|set| &self.tree.edges.sets[*set as usize]);
        let mut edges: Vec<u32> = sets.flat_map(|set| set.iter().copied()).collect();
        edges.sort_unstable();
        edges.dedup();
        for expected in session.expected() {
            let [mut within, mut others] = [0.0, 0.0];
            for edge in &edges {
                match expected.has(*edge) {
                    true => within += self.edges[*edge as usize],
                    false => others += self.edges[*edge as usize],
                }
            }
            let odds = expected.likely / (1.0 - expected.likely);
            let factor = match within > 0.0 {
                true => (odds * others / within).max(1.0),
                false => continue,
            };
            for edge in edges.iter().filter(|edge| expected.has(**edge)) {
                self.edges[*edge as usize] *= factor;
            }
        }
    }

    /// How likely the defect shows in these calls, compared with others, and how much is left to be found out if it does.
    fn judge(&self, group: &Group) -> (f64, f64) {
        let mut counts: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        for (set, (method, count)) in &group.sets {
            for edge in self.tree.edges.sets[*set as usize].iter() {
                counts.entry(*edge).or_insert((*method, 0)).1 += count;
            }
        }
        let mut methods: FxHashMap<u32, f64> = FxHashMap::default();
        for (method, _) in group.sets.values() {
            methods.entry(*method).or_default();
        }
        for (edge, (method, count)) in counts {
            let shows = 1.0 - self.p.powi(count.min(1_000) as i32);
            *methods.entry(method).or_default() += self.edges[edge as usize] * shows;
        }
        let mass: f64 = methods.values().sum();
        if methods.len() <= 1 {
            return (mass, 0.0);
        }
        let bits = methods.values().filter(|of_method| **of_method > 0.0);
        let bits: f64 = bits.map(|m| -m / mass * (m / mass).log2()).sum();
        (mass, (bits + f64::from(group.calls).log2()) / 2.0)
    }
}

/// The best of these calls, of which the first are the most promising; or the stretch, if that tells as much as several calls.
pub(crate) fn choose(
    session: &Session<'_>,
    p: f64,
    (open, stretch): (&[NodeNo], Option<Stretch>),
) -> Option<Next> {
    let tree = session.tree();
    let counts = session.counted().right_below(session.tree());
    let edges = counts
        .iter()
        .map(|right| p.powi((*right).min(1_000) as i32));
    let mut model = Model {
        tree,
        p,
        edges: edges.collect(),
    };
    let all = Group::of(session, session.suspects());
    model.expect(session, &all);
    let (mass, now) = model.judge(&all);
    let sets = all.sets.keys();
    let edges: usize = sets.map(|set| tree.edges.sets[*set as usize].len()).sum();
    let most = WORK / (all.calls as usize + edges).max(1);
    // What is left if these are right, or if the defect is in these or beside them in one more.
    let left = |below: &Group, more: Option<NodeNo>| {
        let (shows, mut wrong) = model.judge(below);
        if let Some(more) = more {
            let calls = session.suspects_of(more..more + 1);
            wrong = model.judge(&below.with(Group::of(session, calls))).1;
        }
        let (_, right) = model.judge(&all.without(below));
        let likely = match mass > 0.0 {
            true => (shows / mass).min(1.0),
            false => f64::from(below.calls) / f64::from(all.calls.max(1)),
        };
        // What differs by rounding alone is equal, so that the first of equals is asked about.
        ((likely * wrong + (1.0 - likely) * right) * 1e9).round()
    };
    let below = |nodes: Range<NodeNo>| Group::of(session, session.suspects_of(nodes));
    let expected = |node: NodeNo| left(&below(tree.below(node)), None);
    let open = open.iter().take(most.max(FEWEST)).copied();
    let judged = open.map(|node| (expected(node), node));
    let best = judged.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let tells = |left: f64| now - left / 1e9;
    let better = stretch.filter(|stretch| {
        let left = left(&below(stretch.calls(tree)), Some(stretch.within));
        best.is_none_or(|(of_best, _)| tells(left) > HARDER * tells(of_best).max(0.0))
    });
    match better {
        Some(stretch) => Some(Next::Together(stretch)),
        None => best.map(|(_, node)| Next::Ask(node)),
    }
}
