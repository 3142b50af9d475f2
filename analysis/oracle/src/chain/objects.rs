//! Which objects an object's state can have come from: the object dependence graph of the recorded run (Burger 2011, Section 6.2.1).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use jinsi_trace::model::{ClassNo, ObjectId, Value};

use jinsi_history::NodeNo;
use jinsi_history::{Entity, History, NodeKind};

/// An object, or a class with its static members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// An object.
    Object(ObjectId),
    /// A class, by its number.
    Class(ClassNo),
}

impl Source {
    /// The object, if it is one.
    pub fn object(self) -> Option<ObjectId> {
        match self {
            Source::Object(id) => Some(id),
            Source::Class(_) => None,
        }
    }
}

/// Who gave something to whom, up to a moment of the run.
pub struct Dependences {
    edges: HashMap<Source, BTreeMap<Source, NodeNo>>,
}

impl Dependences {
    /// Of everything that had begun when `last` did. A call gives arguments to the callee and a result to the caller; and to both, what is
    /// among the arguments or is the result.
    pub fn until(history: &History, last: NodeNo) -> Self {
        let mut all = Self {
            edges: HashMap::new(),
        };
        for n in history.numbers().take_while(|&n| n <= last) {
            if history.node(n).kind != NodeKind::Activation {
                continue;
            }
            let (Some(callee), caller) = (source(history.entity(n)), source(history.source(n)))
            else {
                continue;
            };
            if let Some(caller) = caller {
                all.edge(callee, caller, n);
                all.edge(caller, callee, n);
            }
            for id in history.args(n).iter().filter_map(object) {
                all.edge(callee, Source::Object(id), n);
            }
            if let jinsi_history::Outcome::Return(Some(Value::Object(id))) = history.outcome(n) {
                caller
                    .iter()
                    .for_each(|&c| all.edge(c, Source::Object(id), n));
            }
        }
        all
    }

    fn edge(&mut self, of: Source, from: Source, n: NodeNo) {
        if of != from {
            self.edges.entry(of).or_default().insert(from, n);
        }
    }

    /// What the state of `first` can have come from, nearest first; of those at the same distance what was at work last comes first. What is
    /// `excluded`, by its class, is none of it, and gives nothing on unless it is looked `through`.
    pub fn by_distance(
        &self,
        history: &History,
        first: &[Source],
        excluded: &BTreeSet<String>,
        through: bool,
    ) -> Vec<Source> {
        // There may be a million edges.
        let observed: HashSet<&str> = history.tables().observed_classes().collect();
        let mut seen: BTreeSet<Source> = first.iter().copied().collect();
        let mut found = Vec::new();
        let mut todo: VecDeque<Source> = first.iter().copied().collect();
        while let Some(at) = todo.pop_front() {
            let Some(edges) = self.edges.get(&at) else {
                continue;
            };
            let mut next: Vec<(NodeNo, Source)> = edges.iter().map(|(s, n)| (*n, *s)).collect();
            next.sort_by(|a, b| b.cmp(a));
            for (_, source) in next {
                let class = class_of(history, source);
                let known = observed.contains(class);
                let counts = !excluded.contains(class);
                if known && (counts || through) && seen.insert(source) {
                    found.extend(Some(source).filter(|_| counts));
                    todo.push_back(source);
                }
            }
        }
        found
    }
}

/// Internal name of its class.
pub fn class_of(history: &History, source: Source) -> &str {
    match source {
        Source::Object(id) => history.class_of(id).unwrap_or(""),
        Source::Class(no) => history.tables().class_name(no),
    }
}

/// The object or class behind an end of an interaction.
pub fn source(entity: Entity) -> Option<Source> {
    match entity {
        Entity::Object(id) => Some(Source::Object(id)),
        Entity::Class(no) => Some(Source::Class(no)),
        Entity::Outside | Entity::Unborn(_) => None,
    }
}

fn object(value: &Value) -> Option<ObjectId> {
    match value {
        Value::Object(id) => Some(*id),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_history::script::history;

    const RUN: &str = "
        class Main
        class Writer
        class Element
        class Builder
        obj #1 Writer
        obj #2 Element
        obj #3 Builder
        s> Main.main()V
          > Builder.build()LElement; #3
            > Element.set(I)V #2 5
            <
          < #2
          > Writer.write(LElement;)V #1 #2
            > Element.get()I #2
            < 5
          <
        <";

    #[test]
    fn nearer_sources_come_first_and_the_driver_not_at_all() {
        let h = history(RUN);
        let all = Dependences::until(&h, h.numbers().next_back().unwrap());
        let excluded = BTreeSet::from(["Main".to_owned()]);
        let found = all.by_distance(&h, &[Source::Object(1)], &excluded, false);
        assert_eq!(found, [Source::Object(2), Source::Object(3)]);
        // The builder is known from the element and from the driver.
        let both = BTreeSet::from(["Main".to_owned(), "Element".to_owned()]);
        let found_past = |through| all.by_distance(&h, &[Source::Object(1)], &both, through);
        assert_eq!(found_past(false), []);
        assert_eq!(found_past(true), [Source::Object(3)]);
        let classes: Vec<&str> = found.iter().map(|s| class_of(&h, *s)).collect();
        assert_eq!(classes, ["Element", "Builder"]);
    }

    #[test]
    fn what_came_later_is_no_source() {
        let h = history(RUN);
        let writes = h
            .numbers()
            .find(|&n| h.member(n).is_some_and(|m| m.name == "build"))
            .unwrap();
        let early = Dependences::until(&h, writes);
        let found = early.by_distance(&h, &[Source::Object(2)], &BTreeSet::new(), false);
        assert!(found.is_empty());
    }
}
