//! What a call covered of its method: branches, and what was used of what was set.

use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::effect::Access;
use jinsi_steps::code::{Body, MethodNo};
use jinsi_steps::walk::Location;
use rustc_hash::FxHashMap;

/// Numbers of things, in the order in which they turn up.
#[derive(Debug)]
pub(crate) struct Numbers<T>(FxHashMap<T, u32>);

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<T: std::hash::Hash + Eq> Numbers<T> {
    fn of(&mut self, thing: T) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(thing).or_insert(next)
    }

    pub(crate) fn count(&self) -> u32 {
        self.0.len() as u32
    }
}

/// An edge: a branch and where it went, or the method's beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Edge {
    Entry(MethodNo),
    Branch(MethodNo, BlockNo, BlockNo),
    /// An exception went from the block to the handler.
    Caught(MethodNo, BlockNo, BlockNo),
}

/// A use, and what set what is used: instructions of a method; nothing: its caller or somebody else did.
pub(crate) type Chain = (MethodNo, Option<u32>, u32);

/// The numbers of all edges and chains.
#[derive(Debug, Default)]
pub(crate) struct Entities {
    pub(crate) edges: Numbers<Edge>,
    pub(crate) chains: Numbers<Chain>,
}

/// A variable within a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Slot(u16),
    Memory(Location),
}

/// A set that is filled with many equal things.
#[derive(Debug, Default)]
struct Many {
    list: Vec<u32>,
    tidy: usize,
}

impl Many {
    fn add(&mut self, thing: u32) {
        if self.list.last() == Some(&thing) {
            return;
        }
        self.list.push(thing);
        if self.list.len() > 64 + 2 * self.tidy {
            self.list.sort_unstable();
            self.list.dedup();
            self.tidy = self.list.len();
        }
    }
}

/// What a call covered, reported backward.
#[derive(Debug)]
pub(crate) struct Coverage {
    method: MethodNo,
    /// The instruction that ran next.
    next: Option<usize>,
    edges: Many,
    chains: Many,
    /// Uses of what was not yet met being set.
    uses: FxHashMap<Place, Many>,
}

impl Coverage {
    pub(crate) fn new(method: MethodNo) -> Self {
        Self {
            method,
            next: None,
            edges: Many::default(),
            chains: Many::default(),
            uses: FxHashMap::default(),
        }
    }

    pub(crate) fn method(&self) -> MethodNo {
        self.method
    }

    /// An instruction ran.
    pub(crate) fn ran(
        &mut self,
        body: &Body,
        at: usize,
        location: Option<Location>,
        entities: &mut Entities,
    ) {
        if let Some(next) = self.next {
            let [from, to] = [body.cfg.block_of(at), body.cfg.block_of(next)];
            let branched = from != to || next <= at;
            if branched && body.cfg.block(from).successors.len() > 1 {
                let edge = Edge::Branch(self.method, from, to);
                self.edges.add(entities.edges.of(edge));
            }
        }
        self.next = Some(at);
        let memory = location.map(Place::Memory);
        match body.instructions[at].effect.access {
            Access::Load(slot) | Access::Branch(Some(slot)) => self.used(Place::Slot(slot), at),
            Access::Store(slot) => self.set(Place::Slot(slot), at, entities),
            Access::Increment(slot) => {
                self.set(Place::Slot(slot), at, entities);
                self.used(Place::Slot(slot), at);
            }
            Access::GetField(_) | Access::GetStatic(_) | Access::ArrayLoad => {
                if let Some(memory) = memory {
                    self.used(memory, at);
                }
            }
            Access::PutField(_) | Access::PutStatic(_) | Access::ArrayStore => {
                if let Some(memory) = memory {
                    self.set(memory, at, entities);
                }
            }
            _ => {}
        }
    }

    fn used(&mut self, place: Place, at: usize) {
        self.uses.entry(place).or_default().add(at as u32);
    }

    fn set(&mut self, place: Place, at: usize, entities: &mut Entities) {
        for used in self.uses.remove(&place).unwrap_or_default().list {
            let chain = (self.method, Some(at as u32), used);
            self.chains.add(entities.chains.of(chain));
        }
    }

    /// An exception went from an instruction, which is reported next, to a handler.
    pub(crate) fn caught(
        &mut self,
        body: &Body,
        handler: BlockNo,
        from: usize,
        entities: &mut Entities,
    ) {
        let edge = Edge::Caught(self.method, body.cfg.block_of(from), handler);
        self.edges.add(entities.edges.of(edge));
        self.next = None;
    }

    /// What runs next is not known.
    pub(crate) fn lost(&mut self) {
        self.next = None;
    }

    /// The call began: edges and chains.
    pub(crate) fn began(mut self, entities: &mut Entities) -> (Vec<u32>, Vec<u32>) {
        self.edges.add(entities.edges.of(Edge::Entry(self.method)));
        for used in std::mem::take(&mut self.uses).into_values() {
            for used in used.list {
                let chain = (self.method, None, used);
                self.chains.add(entities.chains.of(chain));
            }
        }
        (self.edges.list, self.chains.list)
    }
}
