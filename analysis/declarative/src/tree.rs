//! The computation tree: one node a call, in the order of their beginnings.

use std::ops::Range;

use jinsi_trace::model::{EventId, ThreadNo};
use rustc_hash::FxHashMap;

/// Number of a node: its place in preorder.
pub type NodeNo = u32;

/// Of a node that is in no other.
pub(crate) const NOBODY: u32 = u32::MAX;

/// A method with calls in the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Method {
    /// Internal name of its class.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub desc: String,
    /// Source file, if known.
    pub file: Option<String>,
    /// Its first source line, 0 if not known.
    pub line: u16,
    /// Did the compiler write it, to call another one of that name (JVMS table 4.6-A)? Then it has no defect.
    pub is_bridge: bool,
}

impl Method {
    /// Class and name, as a person writes them.
    pub fn dotted(&self) -> String {
        format!("{}.{}", self.owner.replace('/', "."), self.name)
    }
}

/// Sets of entities, each kept once: calls of one method mostly cover the same.
#[derive(Debug, Default)]
pub(crate) struct Sets {
    numbers: FxHashMap<Box<[u32]>, u32>,
    all: Vec<Box<[u32]>>,
}

impl Sets {
    /// The number of a set; the list is sorted and freed of doubles for that.
    pub(crate) fn number(&mut self, set: &mut Vec<u32>) -> u32 {
        set.sort_unstable();
        set.dedup();
        if let Some(known) = self.numbers.get(set.as_slice()) {
            return *known;
        }
        let number = self.all.len() as u32;
        self.numbers.insert(set.as_slice().into(), number);
        self.all.push(set.as_slice().into());
        number
    }
}

/// What the nodes covered, by one criterion.
#[derive(Debug, Default)]
pub(crate) struct Covered {
    /// By node, a number of a set.
    pub(crate) set: Vec<u32>,
    pub(crate) sets: Vec<Box<[u32]>>,
    /// How many entities there are.
    pub(crate) entities: u32,
}

impl Covered {
    pub(crate) fn of(&self, node: NodeNo) -> &[u32] {
        &self.sets[self.set[node as usize] as usize]
    }
}

/// The calls of a thread, and what others did for them.
#[derive(Debug)]
pub struct Tree {
    /// From which node on they are of which thread.
    pub(crate) threads: Vec<(NodeNo, ThreadNo)>,
    /// All names in their order, if there are several threads: else nodes are in the order of their names.
    pub(crate) names: Vec<(EventId, NodeNo)>,
    /// Outermost calls of the other threads, in their order.
    pub(crate) tasks: Vec<NodeNo>,
    pub(crate) began: Vec<u64>,
    /// Behind the last node below.
    pub(crate) end: Vec<NodeNo>,
    pub(crate) parent: Vec<NodeNo>,
    pub(crate) method: Vec<u32>,
    pub(crate) methods: Vec<Method>,
    pub(crate) edges: Covered,
    pub(crate) chains: Covered,
}

impl Tree {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.end.len()
    }

    /// Is there no call?
    pub fn is_empty(&self) -> bool {
        self.end.is_empty()
    }

    /// The event with which the activation of a node began: its name.
    pub fn name(&self, node: NodeNo) -> EventId {
        EventId {
            thread: self.thread_of(node),
            index: self.began[node as usize],
        }
    }

    /// The thread whose call a node is.
    pub fn thread_of(&self, node: NodeNo) -> ThreadNo {
        let behind = self.threads.partition_point(|(from, _)| *from <= node);
        self.threads[behind.max(1) - 1].1
    }

    /// The thread whose calls these are, beside what others did for them.
    pub fn thread(&self) -> ThreadNo {
        self.threads[0].1
    }

    /// Are all calls below a node, and itself, of one thread?
    pub fn is_of_one_thread(&self, node: NodeNo) -> bool {
        let below = self.below(node);
        self.tasks(node + 1..below.end).is_empty()
    }

    /// Those of these nodes that are outermost calls of other threads than the one whose tree it is.
    pub fn tasks(&self, nodes: Range<NodeNo>) -> &[NodeNo] {
        let from = self.tasks.partition_point(|task| *task < nodes.start);
        let to = self.tasks.partition_point(|task| *task < nodes.end);
        &self.tasks[from..to.max(from)]
    }

    /// The node of an activation.
    pub fn node(&self, name: EventId) -> Option<NodeNo> {
        if self.names.is_empty() {
            let found = self.began.binary_search(&name.index).ok()?;
            return (name.thread == self.thread()).then_some(found as NodeNo);
        }
        let at = self.names.binary_search_by_key(&name, |(name, _)| *name);
        at.ok().map(|at| self.names[at].1)
    }

    /// The last call of a thread that began at an event or before it.
    pub fn begun_at(&self, event: EventId) -> Option<NodeNo> {
        if self.names.is_empty() {
            let behind = self.began.partition_point(|began| *began <= event.index);
            let is_own = event.thread == self.thread();
            return behind
                .checked_sub(1)
                .filter(|_| is_own)
                .map(|at| at as NodeNo);
        }
        let behind = self.names.partition_point(|(name, _)| *name <= event);
        let (name, node) = self.names[behind.checked_sub(1)?];
        (name.thread == event.thread).then_some(node)
    }

    /// The nodes that are in no other.
    pub fn roots(&self) -> impl Iterator<Item = NodeNo> + '_ {
        let behind = |no: &NodeNo| self.end.get(*no as usize).copied();
        let is_node = |no: &NodeNo| (*no as usize) < self.len();
        std::iter::successors(Some(0).filter(is_node), move |no| {
            behind(no).filter(is_node)
        })
    }

    /// The nodes below a node, and itself.
    pub fn below(&self, node: NodeNo) -> Range<NodeNo> {
        node..self.end[node as usize]
    }

    /// The node that it was called in.
    pub fn parent(&self, node: NodeNo) -> Option<NodeNo> {
        let parent = self.parent[node as usize];
        (parent != NOBODY).then_some(parent)
    }

    /// The number of its method.
    pub fn method_of(&self, node: NodeNo) -> u32 {
        self.method[node as usize]
    }

    /// A method by its number.
    pub fn method(&self, number: u32) -> &Method {
        &self.methods[number as usize]
    }

    /// All methods, by number.
    pub fn methods(&self) -> &[Method] {
        &self.methods
    }

    /// The number of a method by its class, name and descriptor.
    pub fn method_no(&self, [owner, name, desc]: [&str; 3]) -> Option<u32> {
        let is_it = |m: &Method| m.owner == owner && m.name == name && m.desc == desc;
        let found = self.methods.iter().position(is_it)?;
        u32::try_from(found).ok()
    }

    /// How many edges of its control flow a call covered.
    pub fn edges_covered(&self, node: NodeNo) -> usize {
        self.edges.of(node).len()
    }
}

/// Makes a tree of calls that are reported from their ends, the last one first.
#[derive(Debug)]
pub struct Builder {
    thread: ThreadNo,
    /// Of the calls that are open: nodes closed below them.
    open: Vec<u32>,
    began: Vec<u64>,
    size: Vec<u32>,
    method: Vec<u32>,
    edges: (Vec<u32>, Sets),
    chains: (Vec<u32>, Sets),
}

impl Builder {
    /// Of a thread's calls.
    pub fn new(thread: ThreadNo) -> Self {
        Self {
            thread,
            open: Vec::new(),
            began: Vec::new(),
            size: Vec::new(),
            method: Vec::new(),
            edges: Default::default(),
            chains: Default::default(),
        }
    }

    /// The end of a call.
    pub fn ended(&mut self) {
        self.open.push(0);
    }

    /// The beginning of the call whose end was reported last among those without beginning: index of its first event, number of its method, and
    /// the edges and def-use chains it covered, as numbers.
    pub fn began(&mut self, index: u64, method: u32, edges: &mut Vec<u32>, chains: &mut Vec<u32>) {
        let size = self.open.pop().unwrap_or(0) + 1;
        if let Some(around) = self.open.last_mut() {
            *around += size;
        }
        self.began.push(index);
        self.size.push(size);
        self.method.push(method);
        let edges = self.edges.1.number(edges);
        self.edges.0.push(edges);
        let chains = self.chains.1.number(chains);
        self.chains.0.push(chains);
    }

    /// The tree; its methods by number, and how many edges and chains there are.
    pub fn finish(self, methods: Vec<Method>, entities: [u32; 2]) -> Tree {
        let Self {
            thread,
            mut began,
            mut size,
            mut method,
            edges,
            chains,
            ..
        } = self;
        began.reverse();
        size.reverse();
        method.reverse();
        let end: Vec<NodeNo> = (0..).zip(&size).map(|(no, size)| no + size).collect();
        let mut parent = vec![NOBODY; size.len()];
        let mut around: Vec<NodeNo> = Vec::new();
        for no in 0..end.len() as NodeNo {
            while around.last().is_some_and(|last| end[*last as usize] <= no) {
                around.pop();
            }
            if let Some(last) = around.last() {
                parent[no as usize] = *last;
            }
            around.push(no);
        }
        let covered = |(mut set, sets): (Vec<u32>, Sets), entities| {
            set.reverse();
            Covered {
                set,
                sets: sets.all,
                entities,
            }
        };
        Tree {
            threads: vec![(0, thread)],
            names: Vec::new(),
            tasks: Vec::new(),
            began,
            end,
            parent,
            method,
            methods,
            edges: covered(edges, entities[0]),
            chains: covered(chains, entities[1]),
        }
    }
}
