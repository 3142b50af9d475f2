//! Calls of several threads in one tree: what another thread did is a call of the one that had it done.

use jinsi_trace::model::EventId;
use rustc_hash::FxHashMap;

use crate::tree::{Covered, NOBODY, NodeNo, Tree};

/// A call: the number of its tree, and its node there.
type Call = (usize, NodeNo);
/// What others did for each call: behind which event of its thread.
type Below = FxHashMap<Call, Vec<(u64, Call)>>;

/// An outermost call of one thread, and the call of another in which it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The number of its tree, and its node there.
    pub call: Call,
    /// The same of the call that had it done, and the event of that one's thread behind which it comes; nothing: it is a root of its own.
    pub within: Option<(Call, u64)>,
}

/// A call that is being reported.
struct Open {
    tree: usize,
    /// Its own calls that were not reported yet.
    next: NodeNo,
    end: NodeNo,
    /// What others did for it, the last first.
    tasks: Vec<(u64, Call)>,
    node: NodeNo,
}

impl Tree {
    /// One tree: that of the first thread, with the outermost calls of the others where these tasks say. The other outermost calls are left out.
    /// Tasks that come behind the same event are in the order in which they are given. There is no tree without that of the first thread.
    pub fn joined(trees: &[Tree], tasks: &[Task]) -> Option<Tree> {
        let first = trees.first()?;
        let mut roots: Vec<Call> = first.roots().map(|root| (0, root)).collect();
        let mut below: Below = FxHashMap::default();
        for task in tasks {
            match task.within {
                Some((within, at)) => below.entry(within).or_default().push((at, task.call)),
                None => roots.push(task.call),
            }
        }
        for tasks in below.values_mut() {
            tasks.sort_by_key(|(at, _)| *at);
            tasks.reverse();
        }
        let mut joining = Joining::new(trees, below);
        for root in roots {
            joining.tell(root);
        }
        Some(joining.finish())
    }
}

struct Joining<'t> {
    trees: &'t [Tree],
    below: Below,
    /// The number of the first of each tree's sets.
    edges: Vec<u32>,
    chains: Vec<u32>,
    open: Vec<Open>,
    tree: Tree,
}

impl<'t> Joining<'t> {
    fn new(trees: &'t [Tree], below: Below) -> Self {
        let covered = |of: fn(&Tree) -> &Covered| {
            let sets = trees.iter().flat_map(|tree| of(tree).sets.iter().cloned());
            let covered = Covered {
                set: Vec::new(),
                sets: sets.collect(),
                entities: of(&trees[0]).entities,
            };
            let mut first = 0;
            let firsts = trees.iter().map(|tree| {
                let own = first;
                first += of(tree).sets.len() as u32;
                own
            });
            (covered, firsts.collect())
        };
        let (of_edges, edges) = covered(|tree| &tree.edges);
        let (of_chains, chains) = covered(|tree| &tree.chains);
        Self {
            trees,
            below,
            edges,
            chains,
            open: Vec::new(),
            tree: Tree {
                threads: Vec::new(),
                names: Vec::new(),
                tasks: Vec::new(),
                began: Vec::new(),
                end: Vec::new(),
                parent: Vec::new(),
                method: Vec::new(),
                methods: trees[0].methods.clone(),
                edges: of_edges,
                chains: of_chains,
            },
        }
    }

    /// An outermost call, and all below it.
    fn tell(&mut self, root: Call) {
        self.begin(root);
        while let Some(open) = self.open.last_mut() {
            let own =
                (open.next < open.end).then(|| self.trees[open.tree].began[open.next as usize]);
            let comes_first = |(at, _): &(u64, Call)| own.is_none_or(|own| *at < own);
            if let Some((_, task)) = open.tasks.pop_if(|task| comes_first(task)) {
                self.begin(task);
            } else if own.is_some() {
                let next = (open.tree, open.next);
                open.next = self.trees[open.tree].end[open.next as usize];
                self.begin(next);
            } else {
                self.tree.end[open.node as usize] = self.tree.began.len() as NodeNo;
                self.open.pop();
            }
        }
    }

    fn begin(&mut self, (of, node): Call) {
        let (from, to) = (&self.trees[of], &mut self.tree);
        let no = to.began.len() as NodeNo;
        let thread = from.thread();
        if to.threads.last().is_none_or(|(_, last)| *last != thread) {
            to.threads.push((no, thread));
        }
        if of != 0 && from.parent(node).is_none() {
            to.tasks.push(no);
        }
        let at = node as usize;
        to.began.push(from.began[at]);
        to.end.push(no + 1);
        to.parent
            .push(self.open.last().map_or(NOBODY, |open| open.node));
        to.method.push(from.method[at]);
        to.edges.set.push(self.edges[of] + from.edges.set[at]);
        to.chains.set.push(self.chains[of] + from.chains.set[at]);
        self.open.push(Open {
            tree: of,
            next: node + 1,
            end: from.end[at],
            tasks: self.below.remove(&(of, node)).unwrap_or_default(),
            node: no,
        });
    }

    fn finish(self) -> Tree {
        let mut tree = self.tree;
        let names = (0..tree.len() as NodeNo).map(|no| (tree.name(no), no));
        let mut names: Vec<(EventId, NodeNo)> = names.collect();
        names.sort_unstable();
        tree.names = names;
        tree
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random::{parents, tree_of};

    /// The calls of a call, as the tasks and the trees have them: by name.
    fn naive(
        trees: &[Tree],
        tasks: &[Task],
        (of, node): Call,
        to: &mut Vec<(EventId, Option<EventId>)>,
        parent: Option<EventId>,
    ) {
        let tree = &trees[of];
        let name = tree.name(node);
        to.push((name, parent));
        let mut below: Vec<(u64, bool, (usize, NodeNo))> = (node + 1..tree.below(node).end)
            .filter(|no| tree.parent(*no) == Some(node))
            .map(|no| (tree.name(no).index, true, (of, no)))
            .collect();
        let of_others = tasks.iter().filter_map(|task| {
            let (within, at) = task.within?;
            (within == (of, node)).then_some((at, false, task.call))
        });
        below.extend(of_others);
        // An own call that begins with the event comes before.
        below.sort_by_key(|(at, own, call)| (*at, !own, *call));
        for (_, _, call) in below {
            naive(trees, tasks, call, to, Some(name));
        }
    }

    proptest! {
        /// As it is put together call by call.
        #[test]
        fn tasks_are_where_they_were_done(
            shapes in prop::collection::vec(prop::collection::vec((0u8..4, 0u8..6), 1..20), 1..4),
            places in prop::collection::vec((any::<bool>(), any::<u16>(), 0u64..30), 20),
        ) {
            let trees: Vec<Tree> = (0u32..).zip(&shapes).map(|(thread, shape)| {
                let up: Vec<u8> = shape.iter().map(|(up, _)| *up).collect();
                let methods: Vec<u8> = shape.iter().map(|(_, method)| *method).collect();
                let covered: Vec<Vec<u32>> = shape.iter().map(|(up, method)| vec![u32::from(*up), u32::from(*method)]).collect();
                tree_of(thread, &parents(&up), &methods, &covered)
            }).collect();
            let mut places = places.into_iter();
            let mut tasks = Vec::new();
            for (of, tree) in trees.iter().enumerate().skip(1) {
                for root in tree.roots() {
                    // Of a tree before it, so that no task has itself done.
                    let (is_root, which, at) = places.next().unwrap_or((true, 0, 0));
                    let within = usize::from(which) % of;
                    let node = u32::from(which) % trees[within].len() as u32;
                    tasks.push(Task {
                        call: (of, root),
                        within: (!is_root).then_some(((within, node), at)),
                    });
                }
            }
            let joined = Tree::joined(&trees, &tasks).unwrap();
            let mut expected = Vec::new();
            let mut roots: Vec<Call> = trees[0].roots().map(|root| (0, root)).collect();
            roots.extend(tasks.iter().filter(|task| task.within.is_none()).map(|task| task.call));
            for root in roots {
                naive(&trees, &tasks, root, &mut expected, None);
            }
            let found: Vec<(EventId, Option<EventId>)> = (0..joined.len() as NodeNo)
                .map(|no| (joined.name(no), joined.parent(no).map(|parent| joined.name(parent))))
                .collect();
            prop_assert_eq!(&found, &expected);
            for no in 0..joined.len() as NodeNo {
                prop_assert_eq!(joined.node(joined.name(no)), Some(no));
                let below = (no + 1..joined.len() as NodeNo).take_while(|below| {
                    std::iter::successors(joined.parent(*below), |up| joined.parent(*up)).any(|up| up == no)
                });
                prop_assert_eq!(joined.below(no).end, no + 1 + below.count() as NodeNo);
                let name = joined.name(no);
                let own = &trees[name.thread as usize];
                let there = own.node(name).unwrap();
                prop_assert_eq!(joined.edges.of(no), own.edges.of(there));
                prop_assert_eq!(joined.method_of(no), own.method_of(there));
                let one = joined.below(no).all(|below| joined.thread_of(below) == name.thread);
                prop_assert_eq!(joined.is_of_one_thread(no), one);
                let last = EventId { index: name.index + 1, ..name };
                let begun = joined.node(last).unwrap_or(no);
                prop_assert_eq!(joined.begun_at(last), Some(begun));
            }
        }
    }
}
