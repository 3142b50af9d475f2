//! Answers, and what is still suspected.

use std::cell::{Ref, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use crate::answer::{About, Answer};
use crate::counting::Counted;
use crate::expected::Expected;
use crate::set::Set;
use crate::stretch::Stretch;
use crate::tree::{NodeNo, Tree};

/// What the answers come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This call is wrong, and what it called is not: its method has the defect.
    Call(NodeNo),
    /// The defect is in a call of this method, whichever of those that are left; this one, which is wrong, led to it. If no call is known to be
    /// wrong but that the run failed, it is the first of those that are left.
    Method(u32, NodeNo),
}

/// How it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Is this call right?
    Ask(NodeNo),
    /// Is what these calls came to together?
    Together(Stretch),
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
    answers: Vec<(About, Answer)>,
    /// By answer: the calls that alone have to do with what is wrong, in their order.
    parts: Vec<Option<Rc<[NodeNo]>>>,
    /// Is one call looked for, not only its method?
    exact: bool,
    /// May calls of a loop be asked about together?
    balanced: bool,
    /// Is one of the outermost calls known to be wrong?
    failed: bool,
    /// Where the defect rather is than elsewhere.
    expected: Vec<Expected>,
    /// What right calls covered of the edges, and those below them.
    counted: RefCell<Counted>,
    state: State,
}

/// What is known of a call, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was said to be right, or a call was in which it was made.
    Valid,
    /// It was said to be wrong.
    Invalid,
    /// Its method is trusted.
    Trusted,
    /// The defect may be in it.
    Suspected,
    /// It had no part in what somebody pointed at as wrong.
    Apart,
    /// It is not within the wrong call.
    Elsewhere,
}

/// What follows from the answers.
#[derive(Clone, Debug, Default)]
struct State {
    suspected: Set,
    /// The wrong call in which the defect is.
    wrong: Option<NodeNo>,
    /// The call whose wrong part decided what within it is suspected.
    pointed: Option<NodeNo>,
    said: BTreeMap<NodeNo, Answer>,
    /// Calls of stretches that were said to be right.
    right: Vec<Range<NodeNo>>,
    /// Calls of whose stretches somebody could not say it.
    unsure: BTreeSet<NodeNo>,
    /// Methods that were trusted meanwhile.
    trusted: Vec<bool>,
}

impl<'t> Session<'t> {
    /// In which the methods for which `trusts` says so are trusted from the beginning.
    pub fn new(tree: &'t Tree, trusts: impl Fn(&crate::Method) -> bool) -> Self {
        let methods = tree.methods().iter();
        let trusted = methods.map(|method| method.is_bridge || trusts(method));
        let mut session = Self {
            tree,
            trusted: trusted.collect(),
            answers: Vec::new(),
            parts: Vec::new(),
            exact: false,
            balanced: false,
            failed: false,
            expected: Vec::new(),
            counted: RefCell::default(),
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

    /// Calls of a loop may be asked about together, where that spares questions.
    pub fn balanced(self) -> Self {
        Self {
            balanced: true,
            ..self
        }
    }

    /// One of the outermost calls is wrong, nobody knows which: the run failed, and what made these calls is right. The last one may be right
    /// though the failure showed in it, for what the others left.
    pub fn failed(self) -> Self {
        Self {
            failed: true,
            ..self
        }
    }

    pub(crate) fn is_balanced(&self) -> bool {
        self.balanced
    }

    /// The defect is rather there than elsewhere. That only says what is asked about first.
    pub fn expecting(self, expected: Vec<Expected>) -> Self {
        Self { expected, ..self }
    }

    /// What right calls covered of the edges, by all answers so far.
    pub(crate) fn counted(&self) -> Ref<'_, Counted> {
        self.counted.borrow_mut().go_on(self.tree, &self.answers);
        self.counted.borrow()
    }

    pub(crate) fn expected(&self) -> &[Expected] {
        &self.expected
    }

    /// The tree.
    pub fn tree(&self) -> &'t Tree {
        self.tree
    }

    /// The answers that were given, oldest first, without those taken back.
    pub fn answers(&self) -> &[(About, Answer)] {
        &self.answers
    }

    /// What was said last of a call.
    pub fn said(&self, node: NodeNo) -> Option<Answer> {
        self.state.said.get(&node).copied()
    }

    /// Is the defect still suspected in this call?
    pub fn is_suspected(&self, node: NodeNo) -> bool {
        self.state.suspected.has(node)
    }

    /// In how many calls.
    pub fn suspected(&self) -> usize {
        self.state.suspected.count()
    }

    /// Of how many methods these are.
    pub fn suspected_methods(&self) -> usize {
        let mut met = vec![false; self.tree.methods().len()];
        for node in self.suspects() {
            met[self.tree.method_of(node) as usize] = true;
        }
        met.into_iter().filter(|met| *met).count()
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
        self.state.suspected.within(self.range())
    }

    /// The suspected calls among these nodes.
    pub(crate) fn suspects_of(&self, nodes: Range<NodeNo>) -> impl Iterator<Item = NodeNo> + '_ {
        self.state.suspected.within(nodes)
    }

    /// How many these are.
    pub(crate) fn suspected_of(&self, nodes: Range<NodeNo>) -> usize {
        self.state.suspected.count_within(nodes)
    }

    /// Is there none?
    pub(crate) fn has_no_suspect(&self, nodes: Range<NodeNo>) -> bool {
        self.state.suspected.has_none(nodes)
    }

    /// Where they all are.
    pub(crate) fn range(&self) -> Range<NodeNo> {
        match self.state.wrong {
            Some(wrong) => self.tree.below(wrong),
            None => 0..self.tree.len() as NodeNo,
        }
    }

    /// Was nothing said of this call, which is suspected?
    pub(crate) fn is_unsaid(&self, node: NodeNo) -> bool {
        !self.state.said.contains_key(&node)
    }

    /// The suspected calls that may be asked about.
    pub(crate) fn open(&self) -> impl Iterator<Item = NodeNo> + '_ {
        self.suspects().filter(|node| self.is_unsaid(*node))
    }

    /// What is known of a call.
    pub fn standing(&self, node: NodeNo) -> Standing {
        let within = |around: Option<NodeNo>| {
            around.is_some_and(|around| self.tree.below(around).contains(&node))
        };
        let said = self.said(node);
        if said == Some(Answer::Invalid) {
            return Standing::Invalid;
        }
        if self.is_suspected(node) {
            return Standing::Suspected;
        }
        let mut around = Some(node);
        while let Some(one) = around {
            match self.said(one) {
                None if self.state.right.iter().any(|of| of.contains(&one)) => {
                    return Standing::Valid;
                }
                Some(Answer::Valid) => return Standing::Valid,
                // What was said further out does not count any more.
                Some(Answer::Invalid) => break,
                _ => around = self.tree.parent(one),
            }
        }
        if self.is_trusted(self.tree.method_of(node)) {
            return Standing::Trusted;
        }
        match within(self.state.wrong) && within(self.state.pointed) {
            true => Standing::Apart,
            false => Standing::Elsewhere,
        }
    }

    /// How many calls within the wrong one are not suspected only because they had no part in what was pointed at.
    pub fn apart(&self) -> usize {
        let (Some(_), Some(wrong)) = (self.state.pointed, self.state.wrong) else {
            return 0;
        };
        let below = self.tree.below(wrong);
        let mut all = self.below_unreported(&self.state, wrong);
        all.keep(below.clone());
        all.within(below)
            .filter(|node| !self.is_suspected(*node))
            .count()
    }

    /// Takes an answer, to a question or not.
    pub fn answer(&mut self, node: NodeNo, answer: Answer) {
        self.give(About::Call(node), answer, None);
    }

    /// Takes whether calls that followed one another are right together: whether what was there after the last of them is right for what was there
    /// before the first. If not, the defect is in one of them, or in the call that made them. No stretch is "trusted": that is as "unknown".
    pub fn answer_stretch(&mut self, stretch: Stretch, answer: Answer) {
        self.give(About::Stretch(stretch), answer, None);
    }

    /// Could nobody say whether a stretch of this call is right?
    pub(crate) fn is_unsure_within(&self, node: NodeNo) -> bool {
        self.state.unsure.contains(&node)
    }

    /// The call is wrong, and of what was called in it only these calls have to do with what is wrong of it: they stay suspected, and itself.
    /// Which these are, others know. If the one to blame is not among them, the verdict may be wrong.
    pub fn answer_part(&mut self, node: NodeNo, had_a_part: impl IntoIterator<Item = NodeNo>) {
        let below = self.tree.below(node);
        let part = had_a_part.into_iter().filter(|no| below.contains(no));
        let part: BTreeSet<NodeNo> = part.chain([node]).collect();
        let part = Some(part.into_iter().collect());
        self.give(About::Call(node), Answer::Invalid, part);
    }

    fn give(&mut self, about: About, answer: Answer, part: Option<Rc<[NodeNo]>>) {
        let mut state = std::mem::take(&mut self.state);
        self.take(&mut state, (about, answer), part.as_deref());
        self.state = state;
        self.answers.push((about, answer));
        self.parts.push(part);
    }

    /// Takes the last answer back, if there is one.
    pub fn back(&mut self) -> Option<(About, Answer)> {
        let last = self.answers.pop()?;
        self.parts.pop();
        self.renew();
        Some(last)
    }

    /// Takes back whatever was said of a call.
    pub fn forget(&mut self, node: NodeNo) {
        let all = self.answers.drain(..).zip(self.parts.drain(..));
        let left: Vec<_> = all
            .filter(|((of, _), _)| *of != About::Call(node))
            .collect();
        (self.answers, self.parts) = left.into_iter().unzip();
        self.renew();
    }

    fn renew(&mut self) {
        self.counted.take();
        let mut state = State {
            suspected: Set::full(self.tree.len()),
            trusted: self.trusted.clone(),
            ..State::default()
        };
        if self.trusted.contains(&true) {
            self.clear_trusted(&mut state.suspected, &self.trusted);
        }
        for (answer, part) in self.answers.iter().zip(&self.parts) {
            self.take(&mut state, *answer, part.as_deref());
        }
        self.state = state;
    }

    /// The calls of methods for which that is so leave.
    fn clear_trusted(&self, suspected: &mut Set, trusted: &[bool]) {
        for node in 0..self.tree.len() as NodeNo {
            if trusted[self.tree.method_of(node) as usize] {
                suspected.remove(node);
            }
        }
    }

    fn take(&self, state: &mut State, said: (About, Answer), part: Option<&[NodeNo]>) {
        let (node, answer) = match said {
            (About::Call(node), answer) => (node, answer),
            (About::Stretch(stretch), answer) => return self.take_stretch(state, stretch, answer),
        };
        state.said.insert(node, answer);
        match answer {
            Answer::Unknown => {}
            Answer::Valid => state.suspected.remove_all(self.tree.below(node)),
            Answer::Trusted => {
                let method = self.tree.method_of(node);
                state.trusted[method as usize] = true;
                let mut only = vec![false; state.trusted.len()];
                only[method as usize] = true;
                self.clear_trusted(&mut state.suspected, &only);
            }
            Answer::Invalid => {
                let innermost = self.only_below(state, node);
                // A call further in may be wrong in another way than this one.
                if let Some(part) = part.filter(|_| innermost) {
                    self.only_part(state, node, part);
                }
            }
        }
    }

    fn take_stretch(&self, state: &mut State, stretch: Stretch, answer: Answer) {
        let calls = stretch.calls(self.tree);
        match answer {
            Answer::Valid => {
                state.suspected.remove_all(calls.clone());
                state.right.push(calls);
            }
            Answer::Invalid => {
                state.said.insert(stretch.within, answer);
                if self.only_below(state, stretch.within) {
                    let within = state.suspected.has(stretch.within);
                    state.suspected.keep(calls);
                    if within {
                        state.suspected.insert(stretch.within);
                    }
                }
            }
            Answer::Trusted | Answer::Unknown => {
                state.unsure.insert(stretch.within);
            }
        }
    }

    /// What is below stays suspected, and nothing else. If nothing of it was, what had been said of a call around it does not count any more. The
    /// same is so of what was pointed at further out: this call may be wrong in another way. Is it the call that is now known to be wrong, rather
    /// than one around that?
    fn only_below(&self, state: &mut State, node: NodeNo) -> bool {
        let below = self.tree.below(node);
        let none = state.suspected.has_none(below.clone());
        let around = state
            .wrong
            .is_some_and(|wrong| below.contains(&wrong) && wrong != node);
        if !none && around {
            state.suspected.keep(below);
            return false;
        }
        if none || state.pointed.is_some() {
            state.suspected = self.below_unreported(state, node);
            state.pointed = None;
        } else {
            state.suspected.keep(below);
        }
        state.wrong = Some(node);
        true
    }

    /// What is below a call, of methods that are not trusted, without what was said to be right.
    fn below_unreported(&self, state: &State, node: NodeNo) -> Set {
        let below = self.tree.below(node);
        let mut left = Set::full(self.tree.len());
        left.keep(below.clone());
        if state.trusted.contains(&true) {
            for no in below.clone() {
                if state.trusted[self.tree.method_of(no) as usize] {
                    left.remove(no);
                }
            }
        }
        for (no, answer) in state.said.range(node + 1..below.end.max(node + 1)) {
            if *answer == Answer::Valid {
                left.remove_all(self.tree.below(*no));
            }
        }
        let inside = |of: &&Range<NodeNo>| node < of.start && of.end <= below.end;
        for right in state.right.iter().filter(inside) {
            left.remove_all(right.clone());
        }
        left
    }

    /// Of what is suspected below, only these calls stay so.
    fn only_part(&self, state: &mut State, node: NodeNo, part: &[NodeNo]) {
        let mut left = Set::full(self.tree.len());
        left.remove_all(0..self.tree.len() as NodeNo);
        for no in part {
            if state.suspected.has(*no) {
                left.insert(*no);
            }
        }
        state.suspected = left;
        state.pointed = Some(node);
    }

    /// The verdict, as soon as there is one: some call is known to be wrong, and all that are suspected are of one method.
    pub fn verdict(&self) -> Option<Verdict> {
        if self.state.wrong.is_none() && !self.failed {
            return None;
        }
        let mut suspects = self.suspects();
        let first = suspects.next()?;
        let method = self.tree.method_of(first);
        let mut others = suspects.peekable();
        if others.peek().is_none() {
            return Some(Verdict::Call(first));
        }
        let same = !self.exact && others.all(|node| self.tree.method_of(node) == method);
        same.then_some(Verdict::Method(method, self.state.wrong.unwrap_or(first)))
    }
}
