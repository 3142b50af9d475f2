//! A dependence graph of source lines, from the class files: how much code has to be looked at from a report until one comes to the fault.
//!
//! As in the framework of Renieris and Reiss, lines are looked at by their distance to those of the report: first these, then what depends on
//! them or what they depend on, and so on.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jinsi_classfile::effect::Access;
use jinsi_locate::Place;
use jinsi_steps::code::{Body, Method, Program};

/// Which line depends on which.
#[derive(Debug, Default)]
pub(super) struct LineGraph {
    numbers: BTreeMap<Place, usize>,
    /// By line: the lines that depend on it, and those that it depends on.
    edges: [Vec<BTreeSet<usize>>; 2],
}

/// Defined before the method began.
const ENTRY: usize = usize::MAX;
/// Opcodes of the first array load, and of the first array store.
const LOADS: u8 = 0x2e;
const STORES: u8 = 0x4f;

impl LineGraph {
    /// Of the methods that count.
    pub(super) fn of(program: &Program, counts: impl Fn(&Method) -> bool) -> Self {
        let methods: Vec<&Method> = (program.methods().iter())
            .map(AsRef::as_ref)
            .filter(|method| method.body.is_some() && counts(method))
            .collect();
        let mut graph = Self::default();
        for method in &methods {
            for instruction in method.body.iter().flat_map(|body| &body.instructions) {
                graph.number(method, instruction.line);
            }
        }
        for method in &methods {
            if let Some(body) = &method.body {
                graph.control(method, body);
                graph.locals(method, body);
                graph.calls(method, body, &methods);
            }
        }
        graph.memory(&methods);
        graph
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// All lines.
    pub(super) fn places(&self) -> impl Iterator<Item = &Place> {
        self.numbers.keys()
    }

    /// How many lines are looked at from these until one of the wanted ones is among them; `None` if none is ever.
    pub(super) fn looked_at(&self, from: &[Place], wanted: &[Place]) -> Option<usize> {
        let number = |places: &[Place]| -> BTreeSet<usize> {
            let known = places.iter().filter_map(|place| self.numbers.get(place));
            known.copied().collect()
        };
        let (from, wanted) = (number(from), number(wanted));
        let mut reached = [from.clone(), from];
        let mut size = 0;
        loop {
            let all: BTreeSet<usize> = reached.iter().flatten().copied().collect();
            if !all.is_disjoint(&wanted) {
                return Some(all.len());
            }
            if all.len() == size {
                return None;
            }
            size = all.len();
            for (reached, edges) in reached.iter_mut().zip(&self.edges) {
                let next: Vec<usize> = reached.iter().flat_map(|at| &edges[*at]).copied().collect();
                reached.extend(next);
            }
        }
    }

    fn number(&mut self, method: &Method, line: u16) -> Option<usize> {
        if line == 0 {
            return None;
        }
        let place = Place {
            class: method.owner.replace('/', "."),
            line,
        };
        let next = self.numbers.len();
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.edges
                .iter_mut()
                .for_each(|edges| edges.push(BTreeSet::new()));
        }
        Some(number)
    }

    /// The second depends on the first.
    fn edge(&mut self, on: (&Method, u16), of: (&Method, u16)) {
        let [on, of] = [on, of].map(|(method, line)| self.number(method, line));
        if let (Some(on), Some(of)) = (on, of)
            && on != of
        {
            self.edges[0][on].insert(of);
            self.edges[1][of].insert(on);
        }
    }

    fn control(&mut self, method: &Method, body: &Body) {
        for (no, block) in (0..).zip(body.cfg.blocks()) {
            for branch in body.control.controllers(no) {
                let decides = body.instructions[body.cfg.block(*branch).last].line;
                for instruction in &body.instructions[block.first..=block.last] {
                    self.edge((method, decides), (method, instruction.line));
                }
            }
        }
    }

    fn locals(&mut self, method: &Method, body: &Body) {
        for (set, used) in uses(body) {
            if set != ENTRY {
                let [set, used] = [set, used].map(|at| body.instructions[at].line);
                self.edge((method, set), (method, used));
            }
        }
    }

    /// A call decides that the callee runs, gives what its parameters hold, and takes what it returns.
    fn calls(&mut self, method: &Method, body: &Body, methods: &[&Method]) {
        for call in &body.instructions {
            let Some(target) = &call.target else {
                continue;
            };
            let is_it = |m: &&&Method| {
                m.owner == target.owner && m.name == target.name && m.desc == target.desc
            };
            let Some(callee) = methods.iter().find(is_it) else {
                continue;
            };
            let Some(of) = &callee.body else {
                continue;
            };
            for (no, block) in (0..).zip(of.cfg.blocks()) {
                let runs = of.control.controllers(no).is_empty();
                for inner in &of.instructions[block.first..=block.last] {
                    if runs {
                        self.edge((method, call.line), (callee, inner.line));
                    }
                    if inner.effect.access == Access::Return {
                        self.edge((callee, inner.line), (method, call.line));
                    }
                }
            }
            for (set, used) in uses(of) {
                if set == ENTRY {
                    self.edge((method, call.line), (callee, of.instructions[used].line));
                }
            }
        }
    }

    /// Fields by their names, elements by the kind of array.
    fn memory(&mut self, methods: &[&Method]) {
        type Lines<'m> = Vec<(&'m Method, u16)>;
        let mut fields: HashMap<_, [Lines<'_>; 2]> = HashMap::new();
        let mut elements: HashMap<u8, [Lines<'_>; 2]> = HashMap::new();
        for method in methods {
            for i in method.body.iter().flat_map(|body| &body.instructions) {
                let place = (*method, i.line);
                match (i.effect.access, i.field) {
                    (Access::PutField(_) | Access::PutStatic(_), Some(field)) => {
                        fields.entry(field).or_default()[0].push(place);
                    }
                    (Access::GetField(_) | Access::GetStatic(_), Some(field)) => {
                        fields.entry(field).or_default()[1].push(place);
                    }
                    (Access::ArrayStore, _) => {
                        elements.entry(i.opcode - STORES).or_default()[0].push(place);
                    }
                    (Access::ArrayLoad, _) => {
                        elements.entry(i.opcode - LOADS).or_default()[1].push(place);
                    }
                    _ => {}
                }
            }
        }
        let all = fields.into_values().chain(elements.into_values());
        for [set, used] in all {
            for set in &set {
                for used in &used {
                    self.edge(*set, *used);
                }
            }
        }
    }
}

/// Uses of local variables: what set it, and what uses it.
fn uses(body: &Body) -> BTreeSet<(usize, usize)> {
    type Sets = BTreeMap<u16, BTreeSet<usize>>;
    let blocks = body.cfg.blocks();
    let mut begin: Vec<Sets> = vec![Sets::new(); blocks.len()];
    let parameters = body
        .parameters
        .iter()
        .map(|slot| (*slot, BTreeSet::from([ENTRY])));
    begin[0] = parameters.collect();
    let mut found = BTreeSet::new();
    let mut pending: Vec<usize> = vec![0];
    let mut visited = vec![false; blocks.len()];
    while let Some(no) = pending.pop() {
        visited[no] = true;
        let mut sets = begin[no].clone();
        // A handler may follow any of them.
        let mut any = sets.clone();
        for at in blocks[no].first..=blocks[no].last {
            let access = body.instructions[at].effect.access;
            if let Access::Load(slot) | Access::Increment(slot) = access {
                let known = sets.get(&slot).into_iter().flatten();
                found.extend(known.map(|set| (*set, at)));
            }
            if let Access::Store(slot) | Access::Increment(slot) = access {
                sets.insert(slot, BTreeSet::from([at]));
                any.entry(slot).or_default().insert(at);
            }
        }
        let after = blocks[no].successors.iter().map(|next| (*next, &sets));
        let thrown = blocks[no].handlers.iter().map(|next| (*next, &any));
        for (next, sets) in after.chain(thrown) {
            let into = &mut begin[next as usize];
            let mut grown = !visited[next as usize];
            for (slot, set) in sets {
                let known = into.entry(*slot).or_default();
                let before = known.len();
                known.extend(set);
                grown |= known.len() > before;
            }
            if grown {
                pending.push(next as usize);
            }
        }
    }
    found
}
