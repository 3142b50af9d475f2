//! Which call is asked about next.

use crate::counting::Counting;
use crate::likely;
use crate::session::{Next, Session};
use crate::stretch::{HARDER, Stretch};
use crate::tree::NodeNo;
use crate::weighed::{Own, Weighed};

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

/// How much an answer tells, in bits, that is yes with this probability.
fn information(share: f64) -> f64 {
    let of = |p: f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
    of(share) + of(1.0 - share)
}

/// As many calls that followed one another as have half of the suspected ones, if that may be asked.
fn half_of_loop(session: &Session<'_>) -> Option<Stretch> {
    let half = session.suspected() as f64 / 2.0;
    let of_loop = session
        .is_balanced()
        .then(|| Weighed::new(session, Own::Same).stretch(half));
    of_loop.flatten()
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
        self.choose(session, weights).unwrap_or(Next::Undecided)
    }

    /// What to ask; nothing if each call that is suspected was asked about.
    fn choose(self, session: &Session<'_>, weights: &Weights) -> Option<Next> {
        if self == Self::TopDown {
            return session.open().next().map(Next::Ask);
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
        let weighed = Weighed::new(session, own);
        let half = match self {
            // What is below it and not itself, against what is not below it and not known to be wrong.
            Self::Optimal => {
                let known = session.wrong().filter(|node| session.is_suspected(*node));
                (weighed.all() - known.map_or(0.0, |_| 1.0) + 1.0) / 2.0
            }
            _ => weighed.all() / 2.0,
        };
        if self == Self::Likely && session.suspected() <= likely::LARGEST {
            let mut near = weighed.open();
            near.sort_by(|a, b| {
                let distance = |below: f64| (below - half).abs();
                let [of_a, of_b] = [distance(a.1), distance(b.1)];
                of_a.total_cmp(&of_b).then(a.0.cmp(&b.0))
            });
            let near: Vec<NodeNo> = near.into_iter().map(|(node, _)| node).collect();
            return likely::choose(session, weights.edges, (&near, half_of_loop(session)));
        }
        let nearest = weighed.nearest(half);
        let tells =
            |nodes| information(session.suspected_of(nodes) as f64 / session.suspected() as f64);
        let of_nearest = nearest.map_or(0.0, |node| tells(session.tree().below(node)));
        let stretch = half_of_loop(session);
        let stretch = stretch.filter(|s| tells(s.calls(session.tree())) > HARDER * of_nearest);
        match stretch {
            Some(stretch) => Some(Next::Together(stretch)),
            None => nearest.map(Next::Ask),
        }
    }
}
