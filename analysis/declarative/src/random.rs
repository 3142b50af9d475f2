//! Random trees, and somebody who knows everything about them.

use proptest::prelude::*;
use proptest::strategy::Strategy as _;

use crate::counting::right;
use crate::{
    About, Answer, Builder, Counting, Expected, Method, Next, NodeNo, Session, Standing, Strategy,
    Tree, Verdict, Weights,
};

/// A tree with what is wrong in it.
#[derive(Clone, Debug)]
struct Case {
    /// By node: so many steps up from the node before it is its parent.
    up: Vec<u8>,
    method: Vec<u8>,
    covered: Vec<Vec<u32>>,
    /// Has the node a defect of its own?
    buggy: Vec<bool>,
    /// Does what is wrong below it show?
    shows: Vec<bool>,
    trusted: Vec<bool>,
    /// Which nodes are answered "unknown" at first.
    unsure: Vec<bool>,
    /// Of which, if they are wrong, it is said what is wrong of them.
    points: Vec<bool>,
    /// Which nodes have to do with that beside what is to blame for it.
    beside: Vec<bool>,
}

const METHODS: u8 = 6;

fn cases() -> impl proptest::strategy::Strategy<Value = Case> {
    (1usize..40).prop_flat_map(|n| {
        (
            prop::collection::vec(0u8..4, n),
            prop::collection::vec(0..METHODS, n),
            prop::collection::vec(prop::collection::vec(0u32..20, 0..6), n),
            prop::collection::vec(prop::bool::weighted(0.1), n),
            prop::collection::vec(prop::bool::weighted(0.8), n),
            prop::collection::vec(prop::bool::weighted(0.2), METHODS as usize),
            prop::collection::vec(prop::bool::weighted(0.1), n),
            prop::collection::vec(prop::bool::weighted(0.5), n),
            prop::collection::vec(prop::bool::weighted(0.2), n),
        )
            .prop_map(
                |(up, method, covered, buggy, shows, trusted, unsure, points, beside)| Case {
                    up,
                    method,
                    covered,
                    buggy,
                    shows,
                    trusted,
                    unsure,
                    points,
                    beside,
                },
            )
    })
}

/// The parents of a tree in preorder.
pub(crate) fn parents(up: &[u8]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut parents = Vec::new();
    for (no, up) in up.iter().enumerate() {
        let left = open
            .len()
            .saturating_sub(usize::from(*up))
            .max(usize::from(no > 0));
        open.truncate(left);
        parents.push(open.last().copied());
        open.push(no);
    }
    parents
}

/// The tree with these parents.
pub(crate) fn tree(parents: &[Option<usize>], methods: &[u8], covered: &[Vec<u32>]) -> Tree {
    tree_of(0, parents, methods, covered)
}

/// The same, of a thread.
pub(crate) fn tree_of(
    thread: u32,
    parents: &[Option<usize>],
    methods: &[u8],
    covered: &[Vec<u32>],
) -> Tree {
    fn build_call(no: usize, of: &(&[Option<usize>], &[u8], &[Vec<u32>]), to: &mut Builder) {
        to.ended();
        let below = (no + 1..of.0.len()).filter(|child| of.0[*child] == Some(no));
        for child in below.rev() {
            build_call(child, of, to);
        }
        let method = u32::from(of.1[no]);
        let edges = &mut of.2[no].clone();
        to.began(no as u64, method, edges, &mut of.2[no].clone());
    }
    let mut builder = Builder::new(thread);
    let all = (parents, methods, covered);
    for root in (0..parents.len()).rev().filter(|no| parents[*no].is_none()) {
        build_call(root, &all, &mut builder);
    }
    let count = methods
        .iter()
        .max()
        .map_or(0, |most| *most + 1)
        .max(METHODS);
    let method = |no: u8| Method {
        name: no.to_string(),
        ..Method::default()
    };
    builder.finish((0..count).map(method).collect(), [20, 20])
}

impl Case {
    fn is_trusted(&self, node: usize) -> bool {
        self.trusted[usize::from(self.method[node])]
    }

    fn trusts(&self, method: &Method) -> bool {
        let no: usize = method.name.parse().unwrap_or(0);
        self.trusted.get(no).copied().unwrap_or(false)
    }

    /// Has it a defect of its own?
    fn is_to_blame_itself(&self, node: usize) -> bool {
        self.buggy[node] && !self.is_trusted(node)
    }

    /// Is it wrong, and is it to blame?
    fn judged(&self, parents: &[Option<usize>]) -> (Vec<bool>, Vec<bool>) {
        let n = self.up.len();
        let (mut wrong, mut below) = (vec![false; n], vec![false; n]);
        for no in (0..n).rev() {
            let own = self.is_to_blame_itself(no);
            wrong[no] = own || (below[no] && self.shows[no]);
            if let Some(parent) = parents[no].filter(|_| wrong[no]) {
                below[parent] = true;
            }
        }
        // A trusted one that is wrong is not to blame for what is wrong below it.
        let blame = (0..n).map(|no| wrong[no] && !self.is_trusted(no) && !below[no]);
        let blame = blame.collect();
        (wrong, blame)
    }

    /// The nodes that had a part in what is wrong of one: those that are wrong down to one that is to blame, and some others.
    fn part(&self, parents: &[Option<usize>], wrong: &[bool], node: usize) -> Vec<NodeNo> {
        let mut part: Vec<NodeNo> = (0..self.up.len())
            .filter(|no| self.beside[*no])
            .map(|no| no as NodeNo)
            .collect();
        let mut at = Some(node);
        while let Some(no) = at {
            part.push(no as NodeNo);
            at = (no..parents.len()).find(|below| parents[*below] == Some(no) && wrong[*below]);
        }
        part
    }
}

/// What else does the user do than to say of each call whether it is right?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Points {
    Never,
    /// Says what is wrong of a call, sometimes.
    Sometimes,
    /// And takes answers back to give them again.
    Back,
    /// Says it of several calls together.
    Together,
}

impl Points {
    fn of_parts(self) -> bool {
        matches!(self, Self::Sometimes | Self::Back)
    }
}

/// Says what is wrong of a call.
fn point(
    session: &mut Session<'_>,
    node: NodeNo,
    part: Vec<NodeNo>,
    points: Points,
) -> Result<(), TestCaseError> {
    if points == Points::Back {
        let before: Vec<NodeNo> = session.suspects().collect();
        session.answer_part(node, part.iter().copied());
        session.back();
        prop_assert_eq!(session.suspects().collect::<Vec<_>>(), before);
    }
    session.answer_part(node, part);
    Ok(())
}

fn play(
    case: &Case,
    tree: &Tree,
    strategy: Strategy,
    (counting, points): (Counting, Points),
) -> Result<(), TestCaseError> {
    let parents = parents(&case.up);
    let (wrong, blame) = case.judged(&parents);
    let weights = Weights {
        counting,
        ..Weights::default()
    };
    // What is expected, right or not, only says what is asked about first.
    let all = 0..case.up.len();
    let beside: Vec<NodeNo> = all
        .filter(|no| case.beside[*no])
        .map(|no| no as NodeNo)
        .collect();
    let session = Session::new(tree, |method| case.trusts(method));
    let mut session = session.expecting(vec![
        Expected::part(tree, &beside),
        Expected::running(tree, &[0]),
    ]);
    // That the run failed is known of some cases.
    let mut roots = (0..case.up.len()).filter(|no| parents[*no].is_none());
    let failed = case.beside[0] && roots.any(|root| wrong[root]);
    if failed {
        session = session.failed();
    }
    let mut unsure = case.unsure.clone();
    if points == Points::Together {
        session = session.balanced();
    }
    for _ in 0..3 * case.up.len() + 1 {
        let anew = right(tree, session.answers(), &tree.edges, Counting::Below);
        prop_assert_eq!(session.counted().right_below(tree), anew);
        match strategy.next(&session, &weights) {
            Next::Ask(node) => {
                prop_assert!(session.is_suspected(node) && session.said(node).is_none());
                let no = node as usize;
                if std::mem::take(&mut unsure[no]) {
                    session.answer(node, Answer::Unknown);
                } else if wrong[no] && points.of_parts() && case.points[no] {
                    let part = case.part(&parents, &wrong, no);
                    point(&mut session, node, part, points)?;
                } else if wrong[no] {
                    session.answer(node, Answer::Invalid);
                } else {
                    // Taking back changes nothing.
                    session.answer(node, Answer::Invalid);
                    session.back();
                    session.answer(node, Answer::Valid);
                }
            }
            Next::Together(stretch) => {
                prop_assert!(points == Points::Together);
                let within = stretch.within as usize;
                let mut calls = stretch.outermost(tree);
                // A call that is to blame itself may be so anywhere.
                let is_wrong = calls.any(|no| wrong[no as usize])
                    || case.is_to_blame_itself(within) && case.points[within];
                if std::mem::take(&mut unsure[within]) {
                    session.answer_stretch(stretch, Answer::Unknown);
                    continue;
                }
                let suspected = session.suspected();
                let answer = [Answer::Valid, Answer::Invalid][usize::from(is_wrong)];
                session.answer_stretch(stretch, answer);
                prop_assert!(session.suspected() < suspected);
            }
            Next::Undecided => {
                let unknown = session.suspects();
                let unknown = unknown.filter(|node| session.said(*node) == Some(Answer::Unknown));
                let unknown: Vec<NodeNo> = unknown.collect();
                prop_assert!(!unknown.is_empty());
                unknown.into_iter().for_each(|node| session.forget(node));
            }
            Next::Found(Verdict::Call(node)) => {
                let itself = points == Points::Together && case.is_to_blame_itself(node as usize);
                let is_to_blame = blame[node as usize] || itself;
                prop_assert!(is_to_blame, "{strategy:?} blames {node}");
                return Ok(());
            }
            Next::Found(Verdict::Method(method, led)) => {
                let together = points == Points::Together;
                prop_assert!(wrong[led as usize] || together || failed);
                let left = if failed {
                    0..tree.len() as NodeNo
                } else {
                    tree.below(led)
                };
                let mut of_method = left.filter(|no| tree.method_of(*no) == method);
                let itself = |no: NodeNo| together && case.is_to_blame_itself(no as usize);
                prop_assert!(
                    of_method.any(|no| blame[no as usize] || itself(no)),
                    "{strategy:?} blames {method}"
                );
                return Ok(());
            }
            Next::Nothing => {
                let mut roots = (0..case.up.len()).filter(|no| parents[*no].is_none());
                let missed = roots.any(|root| wrong[root] && !case.is_trusted(root));
                prop_assert!(!missed, "{strategy:?} finds nothing");
                return Ok(());
            }
        }
    }
    Err(TestCaseError::fail("it does not end"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Whatever is wrong in a tree, and by whatever strategy: what is blamed is to blame.
    #[test]
    fn no_wrong_verdict(case in cases()) {
        let tree = tree(&parents(&case.up), &case.method, &case.covered);
        for (strategy, _) in Strategy::ALL {
            for counting in [Counting::Answered, Counting::Below] {
                play(&case, &tree, strategy, (counting, Points::Never))?;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// The same where the user says what is wrong of a call, as long as what is to blame for that is among the calls that had a part in it; other
    /// calls that had one may be wrong in other ways, which others are to blame for.
    #[test]
    fn no_wrong_verdict_of_parts(case in cases()) {
        let tree = tree(&parents(&case.up), &case.method, &case.covered);
        for (strategy, _) in Strategy::ALL {
            for points in [Points::Sometimes, Points::Back] {
                play(&case, &tree, strategy, (Counting::Answered, points))?;
            }
        }
    }

    /// The same where several calls are asked about together.
    #[test]
    fn no_wrong_verdict_of_stretches(case in cases()) {
        let tree = tree(&parents(&case.up), &case.method, &case.covered);
        for (strategy, _) in Strategy::ALL {
            play(&case, &tree, strategy, (Counting::Below, Points::Together))?;
        }
    }
}

/// A loop of a thousand calls of different methods: half of them, and half of those.
#[test]
fn a_loop_takes_as_many_questions_as_it_has_halves() {
    let parents: Vec<Option<usize>> = [None]
        .into_iter()
        .chain((0..1_000).map(|_| Some(0)))
        .collect();
    let methods: Vec<u8> = (0..=1_000)
        .map(|no| if no == 0 { 0 } else { 1 + (no % 5) as u8 })
        .collect();
    let covered: Vec<Vec<u32>> = methods
        .iter()
        .map(|method| vec![u32::from(*method)])
        .collect();
    let tree = tree(&parents, &methods, &covered);
    for (strategy, name) in Strategy::ALL {
        let mut session = Session::new(&tree, |_| false).exactly().balanced();
        let (mut asked, blamed) = (0, 777);
        let verdict = loop {
            match strategy.next(&session, &Weights::default()) {
                Next::Ask(node) => {
                    let answer =
                        [Answer::Valid, Answer::Invalid][usize::from(node == 0 || node == blamed)];
                    session.answer(node, answer);
                }
                Next::Together(stretch) => {
                    let has_it = stretch.calls(&tree).contains(&blamed);
                    session.answer_stretch(
                        stretch,
                        [Answer::Valid, Answer::Invalid][usize::from(has_it)],
                    );
                }
                next => break next,
            }
            asked += 1;
        };
        assert_eq!(verdict, Next::Found(Verdict::Call(blamed)), "{name}");
        let most = match strategy {
            // It asks about one call after the other, and only so.
            Strategy::TopDown => 1_000,
            // The more calls of a method are right, the less it expects that one of them is not.
            Strategy::Likely => 40,
            _ => 14,
        };
        assert!(asked <= most, "{name} asks {asked} times");
    }
}

/// The published tree: main, sort, distribute, merge, merge, distribute, merge, of which the last is wrong.
#[test]
fn merge_sort_takes_as_many_questions_as_published() {
    let parents = [None, Some(0), Some(1), Some(1), Some(1), Some(1), Some(1)];
    let methods = [0, 1, 2, 3, 3, 2, 3];
    // As many edges as the published weights have.
    let count = [1, 5, 7, 8, 8, 7, 10];
    let from = [0, 1, 6, 13, 13, 6, 13];
    let covered = (0..7).map(|no| (from[no]..from[no] + count[no]).collect());
    let covered: Vec<Vec<u32>> = covered.collect();
    let mut builder_tree = tree(&parents, &methods, &covered);
    builder_tree.edges.entities = 23;
    builder_tree.chains.entities = 23;
    let asked = |strategy: Strategy| {
        let mut session = Session::new(&builder_tree, |_| false);
        let mut asked = 0;
        loop {
            match strategy.next(&session, &Weights::default()) {
                Next::Ask(node) => {
                    asked += 1;
                    let wrong = [0, 1, 6].contains(&node);
                    session.answer(
                        node,
                        if wrong {
                            Answer::Invalid
                        } else {
                            Answer::Valid
                        },
                    );
                }
                next => {
                    assert_eq!(next, Next::Found(Verdict::Call(6)));
                    return asked;
                }
            }
        }
    };
    assert_eq!(asked(Strategy::TopDown), 7);
    assert_eq!(asked(Strategy::Divide), 6);
    assert_eq!(asked(Strategy::Edges), 1);
}

/// A trusted method leaves, what it called stays; a right call takes all below with it.
#[test]
fn suspects_are_as_defined() {
    let parents = [None, Some(0), Some(1), Some(0), Some(3), Some(3)];
    let tree = tree(&parents, &[0, 1, 2, 3, 4, 5], &vec![Vec::new(); 6]);
    let mut session = Session::new(&tree, |_| false);
    let left = |session: &Session<'_>| session.suspects().collect::<Vec<_>>();
    session.answer(1, Answer::Trusted);
    assert_eq!(left(&session), [0, 2, 3, 4, 5]);
    session.answer(3, Answer::Invalid);
    assert_eq!(left(&session), [3, 4, 5]);
    session.answer(4, Answer::Valid);
    assert_eq!(left(&session), [3, 5]);
    session.answer(5, Answer::Unknown);
    assert_eq!(left(&session), [3, 5]);
    assert_eq!(
        Strategy::Divide.next(&session, &Weights::default()),
        Next::Undecided
    );
    assert_eq!(session.back(), Some((About::Call(5), Answer::Unknown)));
    session.answer(5, Answer::Valid);
    assert_eq!(session.verdict(), Some(Verdict::Call(3)));
    // Said of a call that was not suspected any more: the wrong call counts.
    session.answer(4, Answer::Invalid);
    assert_eq!(session.verdict(), Some(Verdict::Call(4)));
}

/// Who points at what is wrong of a call keeps what had a part in it; who says no more of a call further in suspects all of that again.
#[test]
fn only_what_had_a_part_stays() {
    let parents = [None, Some(0), Some(1), Some(1), Some(0), Some(4), Some(4)];
    let tree = tree(&parents, &[0, 1, 2, 3, 4, 5, 5], &vec![Vec::new(); 7]);
    let mut session = Session::new(&tree, |method| method.name == "1");
    let left = |session: &Session<'_>| session.suspects().collect::<Vec<_>>();
    assert_eq!(left(&session), [0, 2, 3, 4, 5, 6]);
    session.answer_part(0, [1, 2, 5, 4]);
    assert_eq!(left(&session), [0, 2, 4, 5]);
    assert_eq!(session.apart(), 2);
    let standing =
        |session: &Session<'_>| (0..7).map(|no| session.standing(no)).collect::<Vec<_>>();
    use Standing::*;
    assert_eq!(
        standing(&session),
        [
            Invalid, Trusted, Suspected, Apart, Suspected, Suspected, Apart
        ]
    );
    session.answer(2, Answer::Valid);
    session.answer(4, Answer::Invalid);
    assert_eq!((left(&session), session.apart()), (vec![4, 5, 6], 0));
    assert_eq!(
        standing(&session),
        [
            Invalid, Trusted, Valid, Elsewhere, Invalid, Suspected, Suspected
        ]
    );
    session.back();
    session.answer_part(4, [6]);
    assert_eq!((left(&session), session.apart()), (vec![4, 6], 1));
    // Of a call further out it is nothing new.
    session.answer_part(0, [5]);
    assert_eq!(left(&session), [4, 6]);
    while session.back().is_some() {}
    assert_eq!((left(&session).len(), session.apart()), (6, 0));
}
