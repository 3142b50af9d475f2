//! Control flow of a method: basic blocks, jumps, exception edges, subroutines (`jsr`/`ret`).
//!
//! [`dominance`] has post-dominators, [`control`] control dependence, [`loops`] the loops, [`paths`] the numbers of acyclic paths.

pub mod control;
pub mod dominance;
pub mod loops;
pub mod paths;
#[cfg(test)]
mod tests;

use crate::code::Handler;
use crate::insn::Insn;
use crate::opcode;

/// Number of a block, in the order of the code.
pub type BlockNo = u32;

/// Why code has no control-flow graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CfgError {
    /// There is no instruction at all.
    #[error("the method has no code")]
    Empty,
    /// Execution runs past the last instruction, or jumps or is handled where no instruction begins.
    #[error("no instruction at {0}")]
    Offset(u32),
}

/// How a block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The next block follows, or the one a `goto` names.
    Next,
    /// A conditional jump: the first successor is where it goes, the second the next block. They can be the same.
    Branch,
    /// A switch: its successors are its targets, each once, the default first.
    Switch,
    /// A call of a subroutine: the successor is its first block.
    Jsr,
    /// The return from a subroutine: the successors are the blocks behind its calls.
    Ret,
    /// A return or `athrow`: no successors.
    Leave,
}

/// A run of instructions that is entered at its first only, and left (unless by an exception) behind its last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Index of the first instruction.
    pub first: usize,
    /// Index of the last instruction.
    pub last: usize,
    /// How it ends.
    pub ending: Ending,
    /// The blocks that can follow, in the order that [`Ending`] says.
    pub successors: Vec<BlockNo>,
    /// First blocks of the handlers that cover all its instructions, in the order of the exception table, each once.
    pub handlers: Vec<BlockNo>,
}

/// A control-flow graph.
#[derive(Clone, Debug)]
pub struct Cfg {
    blocks: Vec<Block>,
    /// By index of instruction.
    block_of: Vec<BlockNo>,
    reachable: Vec<bool>,
    is_handler: Vec<bool>,
}

impl Cfg {
    /// The graph of code with these instructions, as [`crate::insn::decode`] gives them, and this exception table.
    ///
    /// # Errors
    /// The code is malformed: execution can get to where no instruction begins.
    pub fn new(insns: &[Insn<'_>], handlers: &[Handler]) -> Result<Self, CfgError> {
        let Some(last) = insns.last() else {
            return Err(CfgError::Empty);
        };
        let end = last.end();
        let mut cfg = Self::split(insns, handlers, end)?;
        for block in 0..cfg.blocks.len() {
            let (ending, successors) = cfg.ending(insns, block)?;
            cfg.blocks[block].ending = ending;
            cfg.blocks[block].successors = successors;
            cfg.blocks[block].handlers = cfg.covering(insns, handlers, block)?;
        }
        for handler in handlers {
            let block = cfg.starting(insns, u32::from(handler.handler))?;
            cfg.is_handler[block as usize] = true;
        }
        cfg.return_from_subroutines();
        cfg.reachable = cfg.reach();
        Ok(cfg)
    }

    /// Blocks without edges.
    fn split(insns: &[Insn<'_>], handlers: &[Handler], end: u32) -> Result<Self, CfgError> {
        // One more: a handler's range may end behind the code.
        let mut leads = vec![false; insns.len() + 1];
        leads[0] = true;
        let mut lead = |offset: u32| {
            let index = match offset == end {
                true => insns.len(),
                false => index_of(insns, offset)?,
            };
            leads[index] = true;
            Ok(())
        };
        for handler in handlers {
            for offset in [handler.start, handler.end, handler.handler] {
                lead(u32::from(offset))?;
            }
        }
        for insn in insns {
            let targets = insn.targets();
            let ends = !targets.is_empty() || !insn.falls_through();
            for target in targets {
                lead(target)?;
            }
            if ends {
                lead(insn.end())?;
            }
        }
        let mut blocks: Vec<Block> = Vec::new();
        let mut block_of = Vec::with_capacity(insns.len());
        for (index, leads) in leads[..insns.len()].iter().enumerate() {
            if *leads {
                blocks.push(Block {
                    first: index,
                    last: index,
                    ending: Ending::Leave,
                    successors: Vec::new(),
                    handlers: Vec::new(),
                });
            }
            let no = blocks.len() - 1;
            blocks[no].last = index;
            block_of.push(no as BlockNo);
        }
        Ok(Self {
            is_handler: vec![false; blocks.len()],
            reachable: Vec::new(),
            blocks,
            block_of,
        })
    }

    fn ending(&self, insns: &[Insn<'_>], block: usize) -> Result<(Ending, Vec<BlockNo>), CfgError> {
        let insn = &insns[self.blocks[block].last];
        let mut successors = Vec::new();
        for target in insn.targets() {
            successors.push(self.starting(insns, target)?);
        }
        let next = || match block + 1 < self.blocks.len() {
            true => Ok(block as BlockNo + 1),
            false => Err(CfgError::Offset(insn.end())),
        };
        let ending = match insn.opcode {
            opcode::TABLESWITCH | opcode::LOOKUPSWITCH => {
                let mut seen = std::collections::HashSet::new();
                successors.retain(|target| seen.insert(*target));
                Ending::Switch
            }
            opcode::JSR | opcode::JSR_W => {
                next()?;
                Ending::Jsr
            }
            opcode::RET => Ending::Ret,
            opcode::GOTO | opcode::GOTO_W => Ending::Next,
            _ if !insn.falls_through() => Ending::Leave,
            _ => {
                let ending = match successors.is_empty() {
                    true => Ending::Next,
                    false => Ending::Branch,
                };
                successors.push(next()?);
                ending
            }
        };
        Ok((ending, successors))
    }

    fn covering(
        &self,
        insns: &[Insn<'_>],
        handlers: &[Handler],
        block: usize,
    ) -> Result<Vec<BlockNo>, CfgError> {
        let offset = insns[self.blocks[block].first].offset;
        let mut covering = Vec::new();
        for handler in handlers {
            if (u32::from(handler.start)..u32::from(handler.end)).contains(&offset) {
                let start = self.starting(insns, u32::from(handler.handler))?;
                if !covering.contains(&start) {
                    covering.push(start);
                }
            }
        }
        Ok(covering)
    }

    /// The block that begins at this bytecode index.
    fn starting(&self, insns: &[Insn<'_>], offset: u32) -> Result<BlockNo, CfgError> {
        Ok(self.block_of[index_of(insns, offset)?])
    }

    /// Every `ret` goes behind the calls of the subroutines it can be reached in (Wang 2007, Figure 8.1, `findNext`).
    fn return_from_subroutines(&mut self) {
        let calls: Vec<(BlockNo, BlockNo)> = (0..)
            .zip(&self.blocks)
            .filter(|(_, block)| block.ending == Ending::Jsr)
            .filter_map(|(no, block)| Some((no, *block.successors.first()?)))
            .collect();
        for &(call, entry) in &calls {
            for ret in self.rets_of(entry) {
                let successors = &mut self.blocks[ret as usize].successors;
                if !successors.contains(&(call + 1)) {
                    successors.push(call + 1);
                }
            }
        }
    }

    /// The `ret`s in the subroutine that begins at `entry`; those of subroutines it calls are not among them.
    fn rets_of(&self, entry: BlockNo) -> Vec<BlockNo> {
        let mut seen = vec![false; self.blocks.len()];
        let mut pending = vec![entry];
        let mut rets = Vec::new();
        while let Some(no) = pending.pop() {
            if std::mem::replace(&mut seen[no as usize], true) {
                continue;
            }
            let block = &self.blocks[no as usize];
            match block.ending {
                Ending::Ret => rets.push(no),
                Ending::Jsr => pending.push(no + 1),
                _ => pending.extend(&block.successors),
            }
            pending.extend(&block.handlers);
        }
        rets
    }

    fn reach(&self) -> Vec<bool> {
        let mut reached = vec![false; self.blocks.len()];
        let mut pending = vec![0];
        while let Some(no) = pending.pop() {
            if !std::mem::replace(&mut reached[no as usize], true) {
                let block = &self.blocks[no as usize];
                pending.extend(block.successors.iter().chain(&block.handlers));
            }
        }
        reached
    }

    /// All blocks, in the order of the code.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Block `no`, which must be one.
    pub fn block(&self, no: BlockNo) -> &Block {
        &self.blocks[no as usize]
    }

    /// The block of the instruction with this index.
    pub fn block_of(&self, insn: usize) -> BlockNo {
        self.block_of[insn]
    }

    /// Can execution get to the block?
    pub fn is_reachable(&self, no: BlockNo) -> bool {
        self.reachable[no as usize]
    }

    /// Does an exception handler begin with the block?
    pub fn is_handler(&self, no: BlockNo) -> bool {
        self.is_handler[no as usize]
    }

    /// The successors of all blocks, exceptions left aside.
    pub fn successors(&self) -> Vec<Vec<BlockNo>> {
        self.blocks.iter().map(|b| b.successors.clone()).collect()
    }
}

/// Index of the instruction at this bytecode index.
fn index_of(insns: &[Insn<'_>], offset: u32) -> Result<usize, CfgError> {
    insns
        .binary_search_by_key(&offset, |insn| insn.offset)
        .map_err(|_| CfgError::Offset(offset))
}
