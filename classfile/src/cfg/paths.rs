//! Numbers of acyclic paths (Ball and Larus, "Efficient path profiling", 1996), chosen so that straight-line code can count them.
//!
//! A method's execution is cut into *segments* at its *cuts*: loop heads, targets of switches, beginnings and returns of subroutines,
//! handlers. A segment begins at the method's beginning or at a cut, and ends where the next cut begins or where the method is left.
//! Every segment has a number of its own, from which its start and all its blocks follow. A local variable holds the number while the
//! segment runs: it gets the start's base, and wherever a conditional jump is *not* taken its [`Paths::increment`] is added.
//! So nothing has to be inserted on the way of a jump that is taken.
//!
//! If an exception ends a segment, the number and the instruction that threw tell how far it got: what a segment that went on, and took
//! every further jump, would have as its number.

use super::{BlockNo, Cfg, Ending};

/// A block from which more ways than this lead becomes a cut. Twice as many fit a 16-bit increment.
const MOST: u32 = 1 << 13;

/// Where a segment begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The method's beginning.
    Entry,
    /// A cut.
    Cut(BlockNo),
}

/// The segment with a certain number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Where it begins.
    pub start: Start,
    /// Its blocks in order; none if the method begins with a cut.
    pub blocks: Vec<BlockNo>,
}

/// The numbers of a method's segments. The same code always has the same.
#[derive(Clone, Debug)]
pub struct Paths {
    cut: Vec<bool>,
    /// By block: how many ways there are from its beginning to the next cut or the method's end.
    ways: Vec<u32>,
    /// Start and its first number, by number.
    starts: Vec<(Start, u32)>,
    total: u32,
}

impl Paths {
    /// Of a method.
    pub fn of(cfg: &Cfg) -> Self {
        let mut paths = Self {
            cut: vec![false; cfg.blocks().len()],
            ways: vec![0; cfg.blocks().len()],
            starts: Vec::new(),
            total: 0,
        };
        let order = paths.find_cuts(cfg);
        for &no in &order {
            let ways = paths.ways_from(cfg, no);
            paths.ways[no as usize] = ways;
            paths.cut[no as usize] |= ways > MOST;
        }
        let ways = match paths.cut[0] {
            true => 1,
            false => paths.ways[0],
        };
        paths.add_start(Start::Entry, ways);
        for no in 0..cfg.blocks().len() as BlockNo {
            if paths.cut[no as usize] && cfg.is_reachable(no) {
                paths.add_start(Start::Cut(no), paths.ways[no as usize]);
            }
        }
        paths
    }

    fn add_start(&mut self, start: Start, ways: u32) {
        self.starts.push((start, self.total));
        self.total += ways;
    }

    /// Marks the cuts that the code asks for; the reachable blocks, each behind all that can follow it within a segment.
    fn find_cuts(&mut self, cfg: &Cfg) -> Vec<BlockNo> {
        for (no, block) in cfg.blocks().iter().enumerate() {
            self.cut[no] |= cfg.is_handler(no as BlockNo);
            let many = block.ending == Ending::Switch && block.successors.len() > 1;
            if many || matches!(block.ending, Ending::Jsr | Ending::Ret) {
                for &next in &block.successors {
                    self.cut[next as usize] = true;
                }
            }
        }
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            No,
            Open,
            Done,
        }
        let mut seen = vec![Seen::No; cfg.blocks().len()];
        let mut order = Vec::new();
        let handlers = (0..cfg.blocks().len() as BlockNo).filter(|&no| cfg.is_handler(no));
        for root in std::iter::once(0).chain(handlers) {
            if seen[root as usize] != Seen::No || !cfg.is_reachable(root) {
                continue;
            }
            seen[root as usize] = Seen::Open;
            let mut stack = vec![(root, 0)];
            while let Some((no, at)) = stack.last_mut() {
                let Some(&next) = cfg.block(*no).successors.get(*at) else {
                    seen[*no as usize] = Seen::Done;
                    order.push(*no);
                    stack.pop();
                    continue;
                };
                *at += 1;
                match seen[next as usize] {
                    Seen::No => {
                        seen[next as usize] = Seen::Open;
                        stack.push((next, 0));
                    }
                    Seen::Open => self.cut[next as usize] = true,
                    Seen::Done => {}
                }
            }
        }
        order
    }

    fn ways_from(&self, cfg: &Cfg, no: BlockNo) -> u32 {
        let block = cfg.block(no);
        match (block.ending, block.successors.as_slice()) {
            (Ending::Branch, &[taken, next]) => self.ways_to(taken) + self.ways_to(next),
            (Ending::Next, &[next]) | (Ending::Switch, &[next]) => self.ways_to(next),
            _ => 1,
        }
    }

    fn ways_to(&self, no: BlockNo) -> u32 {
        match self.cut[no as usize] {
            true => 1,
            false => self.ways[no as usize],
        }
    }

    /// How many segments the method has. If one, its number need not be counted.
    pub fn total(&self) -> u32 {
        self.total
    }

    /// Does a new segment begin with the block?
    pub fn is_cut(&self, no: BlockNo) -> bool {
        self.cut[no as usize]
    }

    /// The number with which a segment begins; `None` if none begins there.
    pub fn base(&self, start: Start) -> Option<u32> {
        let found = self.starts.iter().find(|(known, _)| *known == start);
        found.map(|(_, base)| *base)
    }

    /// What is added to the number if the conditional jump at the end of `block` is not taken; at most 16,384.
    pub fn increment(&self, cfg: &Cfg, block: BlockNo) -> Option<u32> {
        let block = cfg.block(block);
        match (block.ending, block.successors.first()) {
            (Ending::Branch, Some(&taken)) => Some(self.ways_to(taken)),
            _ => None,
        }
    }

    /// The segment with this number; `None` if there is none.
    pub fn segment(&self, cfg: &Cfg, number: u32) -> Option<Segment> {
        if number >= self.total {
            return None;
        }
        let behind = self.starts.partition_point(|(_, base)| *base <= number);
        let (start, base) = self.starts[behind.checked_sub(1)?];
        let mut blocks = Vec::new();
        let mut left = number - base;
        let mut at = match start {
            Start::Entry if self.cut[0] => None,
            Start::Entry => Some(0),
            Start::Cut(no) => Some(no),
        };
        while let Some(no) = at {
            blocks.push(no);
            let block = cfg.block(no);
            let next = match (block.ending, block.successors.as_slice()) {
                (Ending::Branch, &[taken, next]) => {
                    let ways = self.ways_to(taken);
                    if left < ways {
                        taken
                    } else {
                        left -= ways;
                        next
                    }
                }
                (Ending::Next, &[next]) | (Ending::Switch, &[next]) => next,
                _ => break,
            };
            at = Some(next).filter(|&next| !self.cut[next as usize]);
        }
        Some(Segment { start, blocks })
    }
}
