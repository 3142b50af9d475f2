//! The nearest successful run where none was recorded: runs are made from the failing one by having branches go another way (APG, Wang
//! 2007, Figure 6.4).
//!
//! Branches are turned from the end on, so runs are made in the order of their differences to the failing run (Theorem 6.1). Only acyclic ways
//! are gone where a branch is turned, so the nearest successful run may be missed; and the work grows exponentially with the run.

use jinsi_classfile::cfg::BlockNo;

use crate::graph::Graph;
use crate::run::{EventNo, Run};

/// Knows what the program does.
pub trait Judge {
    /// May the program go this way, begun in any state? `false` only if it surely may not.
    fn may_go(&mut self, part: &[BlockNo]) -> bool;

    /// Does the program go this way from its beginning, and is what comes out right?
    fn succeeds(&mut self, path: &[BlockNo]) -> bool;
}

/// A run that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The statements in order.
    pub path: Vec<BlockNo>,
    /// The branches of the failing run that were turned.
    pub turned: Vec<EventNo>,
}

/// A search for a successful run.
pub struct Generator<'g, J> {
    graph: &'g Graph,
    failing: Vec<BlockNo>,
    run: Run,
    judge: J,
    left: usize,
}

impl<'g, J: Judge> Generator<'g, J> {
    /// From the failing run that goes this way. At most `limit` runs are made.
    pub fn new(graph: &'g Graph, failing: &[BlockNo], judge: J, limit: usize) -> Self {
        Self {
            graph,
            failing: failing.to_vec(),
            run: graph.run(failing),
            judge,
            left: limit,
        }
    }

    /// The first run that succeeds; `None` if none was made that does.
    pub fn search(&mut self) -> Option<Made> {
        let last = self.failing.len().checked_sub(1)?;
        let failing = self.failing.clone();
        self.generate(vec![failing], last, &[])
    }

    /// `paths` are the runs in which the branches of `turned` went another way, of which that at `last` was turned last.
    fn generate(
        &mut self,
        mut paths: Vec<Vec<BlockNo>>,
        last: usize,
        turned: &[EventNo],
    ) -> Option<Made> {
        let branches = (0..last).rev();
        let branches: Vec<usize> = branches
            .filter(|at| self.graph.is_branch(self.failing[*at]))
            .collect();
        for at in branches {
            let branch = at as EventNo;
            if turned.iter().any(|other| self.run.depends(*other, branch)) {
                paths.retain(|path| self.judge.may_go(&path[at..]));
                if paths.is_empty() {
                    return None;
                }
                continue;
            }
            let mut now = vec![branch];
            now.extend(turned);
            let mut made = Vec::new();
            for path in &paths {
                for turned_path in self.turn(path, at) {
                    self.left = self.left.checked_sub(1)?;
                    let run = Made {
                        path: turned_path,
                        turned: now.clone(),
                    };
                    if self.judge.succeeds(&run.path) {
                        return Some(run);
                    }
                    made.push(run.path);
                }
            }
            if !made.is_empty()
                && let Some(found) = self.generate(made, at, &now)
            {
                return Some(found);
            }
            if self.left == 0 {
                return None;
            }
        }
        None
    }

    /// The runs that go another way at the branch, on to the first event that does not depend on it; those of which the rest may be gone.
    fn turn(&mut self, path: &[BlockNo], at: usize) -> Vec<Vec<BlockNo>> {
        let run = self.graph.run(path);
        let events = at as EventNo + 1..path.len() as EventNo;
        let mut behind = events.filter(|event| !run.depends(*event, at as EventNo));
        let Some(behind) = behind.next().map(|event| event as usize) else {
            return Vec::new();
        };
        let taken = path[at + 1];
        let mut ways = Vec::new();
        for &next in self.graph.successors(path[at]) {
            if next != taken {
                self.ways(next, path[behind], &mut vec![path[at]], &mut ways);
            }
        }
        let rest = &path[behind..];
        ways.retain(|way| self.judge.may_go(&[way.as_slice(), rest].concat()));
        ways.iter()
            .map(|way| [&path[..=at], way.as_slice(), rest].concat())
            .collect()
    }

    /// All acyclic ways from `from` on, up to `to` and without it; `gone` has been gone, the branch first.
    fn ways(
        &self,
        from: BlockNo,
        to: BlockNo,
        gone: &mut Vec<BlockNo>,
        found: &mut Vec<Vec<BlockNo>>,
    ) {
        if from == to {
            found.push(gone[1..].to_vec());
            return;
        }
        if gone.contains(&from) || found.len() >= self.left {
            return;
        }
        gone.push(from);
        for &next in self.graph.successors(from) {
            self.ways(next, to, gone, found);
        }
        gone.pop();
    }
}

#[cfg(test)]
mod tests;
