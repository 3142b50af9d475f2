//! What was covered of methods, instruction by instruction.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_classfile::cfg::BlockNo;
use jinsi_steps::code::{Body, Method};

/// What was covered of a method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodCoverage {
    /// Internal name of the class.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub desc: String,
    /// Source file, if known.
    pub file: Option<String>,
    /// By instruction: its line, 0 if unknown, and whether it ran.
    pub instructions: Vec<(u16, bool)>,
    /// By branch: its line, how many ways it has, and those that were gone.
    pub branches: BTreeMap<BlockNo, Branch>,
}

/// What was covered of a branch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// Its line.
    pub line: u16,
    /// How many ways it has.
    pub ways: usize,
    /// Those that were gone.
    pub gone: BTreeSet<BlockNo>,
}

impl MethodCoverage {
    /// Of a method of which nothing ran yet.
    pub(crate) fn of(method: &Method, body: &Body) -> Self {
        let lines = body.instructions.iter().map(|i| (i.line, false));
        let branches = (0..).zip(body.cfg.blocks());
        let branches = branches.filter(|(_, block)| block.successors.len() > 1);
        Self {
            class: method.owner.clone(),
            name: method.name.clone(),
            desc: method.desc.clone(),
            file: method.file.clone(),
            instructions: lines.collect(),
            branches: branches
                .map(|(no, block)| {
                    let branch = Branch {
                        line: body.instructions[block.last].line,
                        ways: block.successors.len(),
                        gone: BTreeSet::new(),
                    };
                    (no, branch)
                })
                .collect(),
        }
    }

    /// These instructions ran, and these blocks followed on each other.
    pub(crate) fn ran(&mut self, instructions: &[usize], blocks: &[BlockNo]) {
        for at in instructions {
            if let Some((_, ran)) = self.instructions.get_mut(*at) {
                *ran = true;
            }
        }
        for pair in blocks.windows(2) {
            if let Some(branch) = self.branches.get_mut(&pair[0]) {
                branch.gone.insert(pair[1]);
            }
        }
    }

    /// Did anything of it run?
    pub fn has_run(&self) -> bool {
        self.instructions.iter().any(|(_, ran)| *ran)
    }

    /// Its first line, 0 if unknown.
    pub fn line(&self) -> u16 {
        let lines = self.instructions.iter().map(|(line, _)| *line);
        lines.filter(|line| *line != 0).min().unwrap_or(0)
    }
}
