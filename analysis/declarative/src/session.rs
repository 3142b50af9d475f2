//! Answers, and what is still suspected.

use std::collections::BTreeMap;

use crate::tree::{NodeNo, Tree};

/// What somebody who knows says of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It gave what it should, for what it was given: result and all that it changed.
    Valid,
    /// It did not.
    Invalid,
    /// Its method has no defect. What it calls may have.
    Trusted,
    /// Not now.
    Unknown,
}

/// What the answers come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This call is wrong, and what it called is not: its method has the defect.
    Call(NodeNo),
    /// The defect is in a call of this method, whichever of those that are left; this one, which is wrong, led to it.
    Method(u32, NodeNo),
}

/// How it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Is this call right?
    Ask(NodeNo),
    /// Nothing more need be asked.
    Found(Verdict),
    /// No answer but "unknown" is left for what is still suspected.
    Undecided,
    /// Nothing is suspected any more: no call is wrong, or only trusted methods are left.
    Nothing,
}

/// The answers of a session.
#[derive(Clone, Debug)]
pub struct Session<'t> {
    tree: &'t Tree,
    /// By method.
    trusted: Vec<bool>,
    answers: Vec<(NodeNo, Answer)>,
    /// Is one call looked for, not only its method?
    exact: bool,
    state: State,
}

/// What follows from the answers.
#[derive(Clone, Debug, Default)]
struct State {
    suspected: Vec<bool>,
    left: usize,
    /// The wrong call in which the defect is.
    wrong: Option<NodeNo>,
    said: BTreeMap<NodeNo, Answer>,
    /// Methods that were trusted meanwhile.
    trusted: Vec<bool>,
}

impl<'t> Session<'t> {
    /// In which the methods for which `trusts` says so are trusted from the beginning.
    pub fn new(tree: &'t Tree, trusts: impl Fn(&crate::Method) -> bool) -> Self {
        let mut session = Self {
            tree,
            trusted: tree.methods().iter().map(trusts).collect(),
            answers: Vec::new(),
            exact: false,
            state: State::default(),
        };
        session.renew();
        session
    }

    /// Until one call is left, even if it is known before of which method it is.
    pub fn exactly(self) -> Self {
        Self {
            exact: true,
            ..self
        }
    }

    /// The tree.
    pub fn tree(&self) -> &'t Tree {
        self.tree
    }

    /// The answers that were given, oldest first, without those taken back.
    pub fn answers(&self) -> &[(NodeNo, Answer)] {
        &self.answers
    }

    /// What was said last of a call.
    pub fn said(&self, node: NodeNo) -> Option<Answer> {
        self.state.said.get(&node).copied()
    }

    /// Is the defect still suspected in this call?
    pub fn is_suspected(&self, node: NodeNo) -> bool {
        self.state.suspected[node as usize]
    }

    /// In how many calls.
    pub fn suspected(&self) -> usize {
        self.state.left
    }

    /// The innermost call that is known to be wrong.
    pub fn wrong(&self) -> Option<NodeNo> {
        self.state.wrong
    }

    /// Is the method trusted?
    pub fn is_trusted(&self, method: u32) -> bool {
        self.state.trusted[method as usize]
    }

    /// The suspected calls.
    pub fn suspects(&self) -> impl Iterator<Item = NodeNo> + '_ {
        self.range().filter(|node| self.is_suspected(*node))
    }

    /// Where they all are.
    pub(crate) fn range(&self) -> std::ops::Range<NodeNo> {
        match self.state.wrong {
            Some(wrong) => self.tree.below(wrong),
            None => 0..self.tree.len() as NodeNo,
        }
    }

    /// May this call be asked about?
    pub(crate) fn is_open(&self, node: NodeNo) -> bool {
        self.is_suspected(node) && !self.state.said.contains_key(&node)
    }

    /// Takes an answer, to a question or not.
    pub fn answer(&mut self, node: NodeNo, answer: Answer) {
        self.answers.push((node, answer));
        let mut state = std::mem::take(&mut self.state);
        self.take(&mut state, node, answer);
        self.state = state;
    }

    /// Takes the last answer back, if there is one.
    pub fn back(&mut self) -> Option<(NodeNo, Answer)> {
        let last = self.answers.pop()?;
        self.renew();
        Some(last)
    }

    /// Takes back whatever was said of a call.
    pub fn forget(&mut self, node: NodeNo) {
        self.answers.retain(|(of, _)| *of != node);
        self.renew();
    }

    fn renew(&mut self) {
        let mut state = State {
            suspected: vec![true; self.tree.len()],
            left: self.tree.len(),
            trusted: self.trusted.clone(),
            ..State::default()
        };
        for node in 0..self.tree.len() as NodeNo {
            if state.trusted[self.tree.method_of(node) as usize] {
                state.clear(node);
            }
        }
        for (node, answer) in &self.answers {
            self.take(&mut state, *node, *answer);
        }
        self.state = state;
    }

    fn take(&self, state: &mut State, node: NodeNo, answer: Answer) {
        state.said.insert(node, answer);
        match answer {
            Answer::Unknown => {}
            Answer::Valid => self.tree.below(node).for_each(|below| state.clear(below)),
            Answer::Trusted => {
                let method = self.tree.method_of(node);
                state.trusted[method as usize] = true;
                let same = |no: &NodeNo| self.tree.method_of(*no) == method;
                let all = (0..self.tree.len() as NodeNo).filter(same);
                all.for_each(|of_method| state.clear(of_method));
            }
            Answer::Invalid => self.only_below(state, node),
        }
    }

    /// What is below stays suspected, and nothing else. If nothing of it was, what had been said of a call around it does not count any more.
    fn only_below(&self, state: &mut State, node: NodeNo) {
        let below = self.tree.below(node);
        let any = below.clone().any(|no| state.suspected[no as usize]);
        if !any {
            for no in below.clone() {
                state.suspected[no as usize] = !state.trusted[self.tree.method_of(no) as usize];
            }
            let valid = state.said.range(node + 1..below.end);
            let valid: Vec<NodeNo> = valid
                .filter(|(_, answer)| **answer == Answer::Valid)
                .map(|(no, _)| *no)
                .collect();
            for no in valid.into_iter().flat_map(|no| self.tree.below(no)) {
                state.suspected[no as usize] = false;
            }
        }
        let inside = state.wrong.is_some_and(|wrong| below.contains(&wrong));
        let deepest = match state.wrong {
            // It is around what is known to be wrong: nothing new.
            Some(wrong) if inside && any => wrong,
            _ => node,
        };
        for no in 0..self.tree.len() as NodeNo {
            state.suspected[no as usize] &= below.contains(&no);
        }
        state.left = state.suspected.iter().filter(|s| **s).count();
        state.wrong = Some(deepest);
    }

    /// The verdict, as soon as there is one: some call is known to be wrong, and all that are suspected are of one method.
    pub fn verdict(&self) -> Option<Verdict> {
        let wrong = self.state.wrong?;
        let mut suspects = self.suspects();
        let first = suspects.next()?;
        let method = self.tree.method_of(first);
        let mut others = suspects.peekable();
        if others.peek().is_none() {
            return Some(Verdict::Call(first));
        }
        let same = !self.exact && others.all(|node| self.tree.method_of(node) == method);
        same.then_some(Verdict::Method(method, wrong))
    }
}

impl State {
    fn clear(&mut self, node: NodeNo) {
        let suspected = &mut self.suspected[node as usize];
        self.left -= usize::from(*suspected);
        *suspected = false;
    }
}
