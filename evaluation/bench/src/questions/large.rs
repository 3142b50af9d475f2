//! A tree of ten million calls: how long a question takes, and how much memory. It is made up, so no trace is read.

use std::time::Instant;

use jinsi_declarative::{
    About, Answer, Builder, Method, Next, NodeNo, Session, Strategy, Tree, Weights,
};
use jinsi_ground::numbers::Numbers;
use serde::Serialize;

use jinsi_ground::report::{Goal, goal};

use crate::resident;

/// Seconds that the first question may take, and each further one, with taking the answer before it; bytes that all of it may take.
const FIRST: f64 = 2.0;
const FURTHER: f64 = 0.2;
const BYTES: u64 = 1 << 30;
/// Methods, different sets of edges that a call of one covers, and edges of a set.
const METHODS: usize = 200;
const SETS: usize = 40;
const EDGES: usize = 12;
/// Answers after which a session is no longer followed.
const ANSWERS: usize = 60;

/// What came of a strategy.
#[derive(Debug, Serialize)]
pub(super) struct Timed {
    strategy: &'static str,
    /// Who answers: one call is to blame (`deep`); nearly all are said to be right (`right`).
    user: &'static str,
    first_seconds: f64,
    /// The longest of those after it.
    further_seconds: f64,
    answers: usize,
}

/// What came of all.
#[derive(Debug, Serialize)]
pub(super) struct Large {
    calls: usize,
    build_seconds: f64,
    /// Most that the process had, tree and sessions.
    bytes: u64,
    sessions: Vec<Timed>,
}

impl Large {
    /// Asks about a tree of so many calls, by each strategy.
    pub(super) fn of(calls: usize, seed: u64) -> Self {
        let begun = Instant::now();
        let tree = tree(calls, &mut Numbers::new(seed));
        let build_seconds = begun.elapsed().as_secs_f64();
        let mut sessions = Vec::new();
        for (strategy, name) in Strategy::ALL {
            for user in [User::Deep, User::Right] {
                sessions.push(timed(&tree, (strategy, name), user, seed));
            }
        }
        Self {
            calls: tree.len(),
            build_seconds,
            bytes: resident::most(),
            sessions,
        }
    }

    pub(super) fn goals(&self) -> [Goal; 3] {
        let most = |of: fn(&Timed) -> f64| self.sessions.iter().map(of).fold(0.0, f64::max);
        [
            goal(
                "of ten million calls the first question takes 2 s at most",
                most(|timed| timed.first_seconds) <= FIRST,
            ),
            goal(
                "of ten million calls each further question takes 0.2 s at most",
                most(|timed| timed.further_seconds) <= FURTHER,
            ),
            goal(
                "ten million calls take 1 GiB at most",
                (1..=BYTES).contains(&self.bytes),
            ),
        ]
    }
}

/// Who answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum User {
    /// Knows one call that is to blame, and that all around it are wrong.
    Deep,
    /// Says that all but the outermost call are right.
    Right,
}

/// A tree as programs have it: calls within calls up to some hundred deep, and loops of thousands of small calls.
fn tree(calls: usize, numbers: &mut Numbers) -> Tree {
    let mut builder = Builder::new(0);
    let mut open = 0;
    let (mut ended, mut began) = (0, 0);
    while began < calls {
        // Ends come first, and the outermost call's before all others.
        let opens = open <= 1 || open < 300 && numbers.below(2) == 0;
        if opens && ended < calls {
            builder.ended();
            (open, ended) = (open + 1, ended + 1);
            continue;
        }
        let method = numbers.below(METHODS);
        let set = numbers.below(SETS);
        let mut edges = entities(method, set, EDGES);
        let mut chains = entities(method, set / 2, 2 * EDGES);
        began += 1;
        builder.began(
            (calls - began) as u64,
            method as u32,
            &mut edges,
            &mut chains,
        );
        open -= 1;
    }
    let methods = (0..METHODS).map(|no| Method {
        name: no.to_string(),
        ..Method::default()
    });
    let all = (METHODS * 100) as u32;
    builder.finish(methods.collect(), [all, all])
}

/// Of the hundred that a method has.
fn entities(method: usize, set: usize, count: usize) -> Vec<u32> {
    let own = (0..count).map(|no| (no * (set + 1) * 7 + set) % 100);
    own.map(|no| (method * 100 + no) as u32).collect()
}

fn timed(tree: &Tree, (strategy, name): (Strategy, &'static str), user: User, seed: u64) -> Timed {
    let blamed = Numbers::new(seed).below(tree.len()) as NodeNo;
    let weights = Weights::default();
    let begun = Instant::now();
    let mut session = Session::new(tree, |_| false).exactly().balanced();
    let mut next = strategy.next(&session, &weights);
    let mut timed = Timed {
        strategy: name,
        user: if user == User::Deep { "deep" } else { "right" },
        first_seconds: begun.elapsed().as_secs_f64(),
        further_seconds: 0.0,
        answers: 0,
    };
    while timed.answers < ANSWERS {
        let (about, calls) = match next {
            Next::Ask(node) => (About::Call(node), tree.below(node)),
            Next::Together(stretch) => (About::Stretch(stretch), stretch.calls(tree)),
            _ => break,
        };
        let wrong = match user {
            User::Deep => calls.contains(&blamed),
            User::Right => calls.start == 0,
        };
        let answer = [Answer::Valid, Answer::Invalid][usize::from(wrong)];
        let begun = Instant::now();
        match about {
            About::Call(node) => session.answer(node, answer),
            About::Stretch(stretch) => session.answer_stretch(stretch, answer),
        }
        next = strategy.next(&session, &weights);
        let took = begun.elapsed().as_secs_f64();
        timed.further_seconds = timed.further_seconds.max(took);
        timed.answers += 1;
    }
    timed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_has_one_root_and_all_calls() {
        let tree = tree(5_000, &mut Numbers::new(1));
        assert_eq!(tree.len(), 5_000);
        assert_eq!(tree.below(0), 0..5_000);
        let deepest = (0..5_000).map(|node| {
            let around = std::iter::successors(Some(node), |node| tree.parent(*node));
            around.count()
        });
        assert!(deepest.max() > Some(20));
        let user = timed(&tree, (Strategy::Divide, "divide"), User::Deep, 3);
        assert!(user.answers > 3 && user.answers < ANSWERS);
    }
}
