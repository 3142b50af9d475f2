//! Runs through a control-flow graph of one procedure.

use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::cfg::control::ControlDependence;

use crate::run::{Event, Outcome, Run};

/// A control-flow graph of numbered statements.
#[derive(Clone, Debug)]
pub struct Graph {
    successors: Vec<Vec<BlockNo>>,
    control: ControlDependence,
}

impl Graph {
    /// With these successors by statement.
    pub fn new(successors: Vec<Vec<BlockNo>>) -> Self {
        Self {
            control: ControlDependence::of_graph(&successors),
            successors,
        }
    }

    /// Where the statement may lead.
    pub fn successors(&self, statement: BlockNo) -> &[BlockNo] {
        &self.successors[statement as usize]
    }

    /// Does it decide?
    pub fn is_branch(&self, statement: BlockNo) -> bool {
        self.successors(statement).len() > 1
    }

    /// The run that goes this way.
    pub fn run(&self, path: &[BlockNo]) -> Run {
        let mut latest = vec![None; self.successors.len()];
        let mut run = Run::new();
        for (at, &statement) in path.iter().enumerate() {
            let controllers = self.control.controllers(statement).iter();
            let on = controllers.filter_map(|branch| latest[*branch as usize]);
            let next = path.get(at + 1).filter(|_| self.is_branch(statement));
            let outcome = next.and_then(|next| Outcome::new(next + 1));
            let event = Event::new(statement, on.max(), outcome);
            latest[statement as usize] = Some(run.push(event));
        }
        run
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! Random structured programs, and runs of them.

    use proptest::prelude::*;

    use super::*;

    /// A program of statements that are executed one behind the other, alternatives, and loops.
    #[derive(Clone, Debug)]
    pub(crate) enum Code {
        Plain,
        Sequence(Vec<Code>),
        /// The second may be left out.
        If(Box<Code>, Option<Box<Code>>),
        While(Box<Code>),
    }

    pub(crate) fn code(with_loops: bool) -> impl Strategy<Value = Code> {
        Just(Code::Plain).prop_recursive(4, 14, 3, move |inner| {
            let inner_loops = inner.clone().prop_map(|body| Code::While(Box::new(body)));
            let alternative = (inner.clone(), proptest::option::of(inner.clone()));
            let alternative = alternative.prop_map(|(a, b)| Code::If(Box::new(a), b.map(Box::new)));
            let sequence = prop::collection::vec(inner, 1..4).prop_map(Code::Sequence);
            match with_loops {
                true => prop_oneof![sequence, alternative, inner_loops].boxed(),
                false => prop_oneof![sequence, alternative].boxed(),
            }
        })
    }

    /// The graph: one node before all, one behind it.
    pub(crate) fn graph(code: &Code) -> Graph {
        let mut successors = vec![Vec::new()];
        let ends = build(code, &mut successors, vec![0]);
        let last = add(&mut successors, &ends);
        debug_assert!(successors[last as usize].is_empty());
        Graph::new(successors)
    }

    /// A node behind these.
    fn add(successors: &mut Vec<Vec<BlockNo>>, before: &[BlockNo]) -> BlockNo {
        let node = successors.len() as BlockNo;
        successors.push(Vec::new());
        for end in before {
            successors[*end as usize].push(node);
        }
        node
    }

    /// The nodes from which it goes on.
    fn build(
        code: &Code,
        successors: &mut Vec<Vec<BlockNo>>,
        before: Vec<BlockNo>,
    ) -> Vec<BlockNo> {
        match code {
            Code::Plain => vec![add(successors, &before)],
            Code::Sequence(parts) => parts
                .iter()
                .fold(before, |before, part| build(part, successors, before)),
            Code::If(one, other) => {
                let branch = add(successors, &before);
                // A way that begins with a node of its own: both lead somewhere else.
                let first = add(successors, &[branch]);
                let mut ends = build(one, successors, vec![first]);
                match other {
                    None => ends.push(branch),
                    Some(other) => {
                        let second = add(successors, &[branch]);
                        ends.extend(build(other, successors, vec![second]));
                    }
                }
                ends
            }
            Code::While(body) => {
                let branch = add(successors, &before);
                let first = add(successors, &[branch]);
                for end in build(body, successors, vec![first]) {
                    successors[end as usize].push(branch);
                }
                vec![branch]
            }
        }
    }

    /// A way through it: each branch goes as the next of `choices` says; when they are used up, to where it ends soonest, which is the last successor.
    pub(crate) fn path(graph: &Graph, choices: &[bool]) -> Vec<BlockNo> {
        let mut choices = choices.iter();
        let mut path = vec![0];
        while let [first, .., last] | [first @ last] = graph.successors(path[path.len() - 1]) {
            let next = match choices.next() {
                Some(true) => first,
                _ => last,
            };
            path.push(*next);
        }
        path
    }
}
