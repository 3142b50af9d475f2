//! Probes that tell which way a method went (`detail=instructions`).
//!
//! A fresh local counts the number of the acyclic path ([`jinsi_classfile::cfg::paths`]): where a conditional jump is not taken, something is
//! added; where the path ends, at a loop head or a return, the number is an event, and the next path begins. A second local holds the
//! bytecode index of the last instruction begun that can throw, and goes into the event of a handler and of the method's end by an
//! exception. Compiled code has both in registers, and of the second not even that, for it is constant wherever it is needed.
//!
//! What else an instruction did is in the events of `detail=interactions`, or follows from the path. Accesses to fields of the object whose
//! method it is are no interactions. Which object that is stands in the event of the method's end, for who reads the trace backward.

use std::collections::BTreeMap;

use jinsi_classfile::Asm;
use jinsi_classfile::cfg::paths::{Paths, Start};
use jinsi_classfile::cfg::{Block, BlockNo, Cfg, Ending};
use jinsi_classfile::flow::Value;
use jinsi_classfile::opcode as op;
use jinsi_trace::model::{CallOp, EventKind};

use super::emitter::Probes;
use super::events::{Operand, Then};
use super::inherited::keeps_receiver;
use super::outcome::InstrumentError;
use super::run::PathEnd;
use super::ways::Ways;

/// What `throws_at` holds where nothing has thrown.
const JUMPED: i32 = -1;

impl Probes<'_, '_> {
    /// Inserts the probes that count paths, in front of all others.
    pub(super) fn count_paths(&mut self, cfg: Cfg) -> Result<(), InstrumentError> {
        self.given = self.find_given(&cfg);
        let paths = Paths::of(&cfg);
        let blocks = 0..cfg.blocks().len() as BlockNo;
        let caught = blocks.clone().any(|no| self.is_handler(&cfg, no));
        let initial = self.initial_locals()?;
        let mut asm = Asm::new();
        let mut number = None;
        if let (2.., Some(base)) = (paths.total(), paths.base(Start::Entry)) {
            let local = self.editor.kept_int(&initial)?;
            asm.int(self.pool, base as i32).store('I', local);
            number = Some(local);
        }
        let mut throws_at = None;
        if caught || !self.never_throws() {
            let local = self.editor.kept_int(&initial)?;
            asm.int(self.pool, JUMPED).store('I', local);
            throws_at = Some(local);
        }
        self.editor.entry(&asm)?;
        let ends = self.path_ends(&cfg, &paths, number);
        let runs = self.find_runs(&cfg, &initial, &ends)?;
        let mut ways = Ways {
            names_this: self.accesses_own_fields(),
            ended: cfg_ends(&cfg, &ends),
            cfg,
            paths,
            number,
            throws_at,
            runs,
            unreported: Vec::new(),
        };
        for no in blocks.filter(|&no| ways.cfg.is_reachable(no)) {
            self.cut(&ways, no)?;
            self.mark_throwing(&ways, no)?;
            self.count_ending(&ways, no)?;
        }
        if let Some(runs) = &ways.runs {
            self.insert_runs(runs)?;
        }
        let reported = |end: &PathEnd| ways.runs.as_ref().is_some_and(|r| r.end_path(end.last));
        ways.unreported = ends.into_values().filter(|end| !reported(end)).collect();
        self.ways = Some(ways);
        Ok(())
    }

    /// Inserts the ends of paths that go on behind the last instruction of a block, behind what that instruction's own events are.
    pub(super) fn end_paths(&mut self) -> Result<(), InstrumentError> {
        let unreported = self
            .ways
            .as_mut()
            .map(|ways| std::mem::take(&mut ways.unreported));
        for end in unreported.unwrap_or_default() {
            let mut asm = Asm::new();
            let number = [Operand::Local('I', end.number)];
            self.event(&mut asm, &number, Then::Same, end.site, EventKind::Path);
            self.begin_path(&mut asm, end);
            self.at_end_of_block(end.last, &asm)?;
        }
        Ok(())
    }

    /// Does the method access fields of its object, other than through another reference to it?
    fn accesses_own_fields(&self) -> bool {
        self.insns.iter().any(|at| {
            let receiver = self.flow.receiver(at.offset);
            matches!(at.opcode, op::GETFIELD | op::PUTFIELD)
                && matches!(receiver, Some(Value::This | Value::UninitThis))
        })
    }

    /// Can the way through the method be recorded?
    pub(super) fn can_count_paths(&self) -> Result<bool, InstrumentError> {
        let (class, member) = (self.context.class, self.member);
        Ok(!self.accesses_own_fields()
            || keeps_receiver(class, member, self.code, self.insns, self.flow)?)
    }

    fn is_handler(&self, cfg: &Cfg, no: BlockNo) -> bool {
        cfg.is_handler(no) && cfg.is_reachable(no)
    }

    /// Where a block begins with which a path begins: the one before it is over.
    fn cut(&mut self, ways: &Ways, no: BlockNo) -> Result<(), InstrumentError> {
        if !ways.paths.is_cut(no) || ways.ended.contains(&no) {
            return Ok(());
        }
        let offset = self.insns[ways.cfg.block(no).first].offset;
        let mut asm = Asm::new();
        let thrown = ways.throws_at.filter(|_| ways.cfg.is_handler(no));
        if let (Some(thrown), Some(runs)) = (thrown, &ways.runs) {
            self.interrupted(&mut asm, runs, thrown);
        }
        self.path_event(&mut asm, ways, offset, thrown, false);
        if let (Some(number), Some(base)) = (ways.number, ways.paths.base(Start::Cut(no))) {
            asm.int(self.pool, base as i32).store('I', number);
        }
        self.editor.before(offset, &asm)?;
        Ok(())
    }

    /// Where paths end that could go nowhere but to a block with which one begins: by the block that they come from. If there are others
    /// that end there, all end in that block.
    fn path_ends(
        &mut self,
        cfg: &Cfg,
        paths: &Paths,
        number: Option<u16>,
    ) -> BTreeMap<BlockNo, PathEnd> {
        let mut ends = BTreeMap::new();
        let Some(number) = number else {
            return ends;
        };
        let blocks = cfg.blocks();
        let numbers = only_numbers(cfg, paths);
        let only_to = |from: &Block, to: BlockNo| {
            let last = &self.insns[from.last];
            let jumps = matches!(last.opcode, op::GOTO | op::GOTO_W);
            from.ending == Ending::Next
                && from.successors == [to]
                && (jumps || last.targets().is_empty() && last.falls_through())
        };
        for (to, block) in (0..).zip(blocks).skip(1) {
            let Some(next) = paths.base(Start::Cut(to)).filter(|_| paths.is_cut(to)) else {
                continue;
            };
            let from = (0..).zip(blocks);
            let from = from.filter(|(no, b)| cfg.is_reachable(*no) && b.successors.contains(&to));
            let from: Vec<(BlockNo, &Block)> = from.collect();
            if cfg.is_handler(to) || !from.iter().all(|(_, block)| only_to(block, to)) {
                continue;
            }
            let bci = self.insns[block.first].offset;
            for (no, block) in from {
                let (kind, target) = (EventKind::Path, self.own());
                let site = self.site(kind, bci, target, CallOp::None, "I".into(), false);
                let last = block.last;
                ends.insert(
                    no,
                    PathEnd {
                        last,
                        site,
                        number,
                        next,
                        known: numbers.get(&no).copied().flatten(),
                    },
                );
            }
        }
        ends
    }

    /// The event of the path that ends before the instruction at `offset`, or was ended by what is in the local `thrown`.
    fn path_event(
        &mut self,
        asm: &mut Asm,
        ways: &Ways,
        offset: u32,
        thrown: Option<u16>,
        leaves: bool,
    ) {
        let mut operands = vec![match ways.number {
            Some(number) => Operand::Local('I', number),
            None => Operand::Int(0),
        }];
        operands.extend(thrown.map(|throws_at| Operand::Local('I', throws_at)));
        if leaves && ways.names_this {
            operands.push(Operand::Local('L', 0));
        }
        let letters = operands.iter().map(|o| o.letter()).collect();
        let target = self.own();
        let kind = EventKind::Path;
        let site = self.site(kind, offset, target, CallOp::None, letters, false);
        self.event(asm, &operands, Then::Same, site, kind);
    }

    /// Before each instruction that may throw its place is noted.
    fn mark_throwing(&mut self, ways: &Ways, no: BlockNo) -> Result<(), InstrumentError> {
        let Some(throws_at) = ways.throws_at else {
            return Ok(());
        };
        let block = ways.cfg.block(no);
        for at in &self.insns[block.first..=block.last] {
            if !self.is_harmless(at) {
                let mut asm = Asm::new();
                asm.int(self.pool, at.offset as i32).store('I', throws_at);
                self.editor.before(at.offset, &asm)?;
            }
        }
        let next = &block.successors;
        if next.iter().any(|&next| ways.cfg.is_handler(next)) {
            // On to a handler without an exception: compilers do not do that, but may.
            let mut asm = Asm::new();
            asm.int(self.pool, JUMPED).store('I', throws_at);
            let last = &self.insns[block.last];
            match last.falls_through() && last.targets().is_empty() {
                true => self.editor.after(last.offset, &asm)?,
                false => self.editor.before(last.offset, &asm)?,
            }
        }
        Ok(())
    }

    fn count_ending(&mut self, ways: &Ways, no: BlockNo) -> Result<(), InstrumentError> {
        let block = ways.cfg.block(no);
        let last = &self.insns[block.last];
        let mut asm = Asm::new();
        let increment = ways.paths.increment(&ways.cfg, no);
        if let (Some(number), Some(increment)) = (ways.number, increment) {
            // At most 16,384.
            asm.iinc(number, increment as i16);
            self.editor.after(last.offset, &asm)?;
        }
        let returns = op::is_return(last.opcode);
        if returns && (ways.number.is_some() || ways.names_this) {
            self.path_event(&mut asm, ways, last.offset, None, true);
            self.editor.before(last.offset, &asm)?;
        }
        Ok(())
    }

    /// At the end of the method by an exception: how far it got. The site's place is behind the code.
    pub(super) fn path_until_thrown(&mut self, asm: &mut Asm) {
        if let Some(ways) = self.ways.take() {
            let end = self.code.bytes.len() as u32;
            if let (Some(thrown), Some(runs)) = (ways.throws_at, &ways.runs) {
                self.interrupted(asm, runs, thrown);
            }
            self.path_event(asm, &ways, end, ways.throws_at, true);
            self.ways = Some(ways);
        }
    }
}

/// Most paths of a method that are looked at one by one.
const MOST_PATHS: u32 = 256;

/// The blocks with which paths end: the path's number, if there is but one such path.
fn only_numbers(cfg: &Cfg, paths: &Paths) -> BTreeMap<BlockNo, Option<i32>> {
    let mut numbers = BTreeMap::new();
    if paths.total() > MOST_PATHS {
        return numbers;
    }
    for number in 0..paths.total() {
        let last = paths
            .segment(cfg, number)
            .and_then(|segment| segment.blocks.last().copied());
        if let Some(last) = last {
            numbers
                .entry(last)
                .and_modify(|known| *known = None)
                .or_insert(Some(number as i32));
        }
    }
    numbers
}

/// The blocks to which the paths go that end with these.
fn cfg_ends(cfg: &Cfg, ends: &BTreeMap<BlockNo, PathEnd>) -> Vec<BlockNo> {
    let successors = ends.keys().flat_map(|&no| &cfg.block(no).successors);
    successors.copied().collect()
}
