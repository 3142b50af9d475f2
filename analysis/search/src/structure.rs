//! What the log of a level says about its interactions before any of them is run: which cannot run without which, and how near
//! each is to the failure.
//!
//! *Needs.* The receiver and the arguments of an interaction that are observed objects must have been made or handed out before, in
//! the same test; in a subset without any interaction during which that happened, the replay ends as unresolved exactly there. Such
//! a subset need not be run: it fails if and only if what comes before that place does.
//!
//! *Rings.* The interactions that share an object with the criterion are the first ring, those that share one with these the
//! second, and so on. What a failure needs is mostly near. Of one ring, those come first that were given a text that the criterion was given, too, for
//! it may be a key: of all that was done to a store, what was done for the article that could not be delivered. Among equals, what is late comes first.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use jinsi_trace::model::{Content, ObjectId, Value};

use jinsi_level::event_slice::Things;
use jinsi_level::{Effect, Engine, Interaction, Level, Outcome, Outgoing, Role, later};

/// Rings that count as near.
const FIRST_RINGS: u32 = 3;
/// Of the objects that an interaction is given, so many are looked into for what they hold.
const MOST_HELD: usize = 256;

/// Position in the list of circumstances.
pub type Position = u32;

/// Lists of numbers, one for each position, in one piece.
#[derive(Clone, Debug, Default)]
struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// From lists in the order of their positions.
    fn push(&mut self, list: &[u32]) {
        self.items.extend_from_slice(list);
        self.ends.push(self.items.len() as u32);
    }

    fn get(&self, at: u32) -> &[u32] {
        let at = at as usize;
        let from = at.checked_sub(1).map_or(0, |p| self.ends[p]);
        &self.items[from as usize..self.ends[at] as usize]
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    /// For each number below `n`, the positions that have it.
    fn inverted(&self, n: usize) -> Lists {
        let mut starts = vec![0u32; n + 1];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut items = vec![0; self.items.len()];
        for position in 0..self.len() as u32 {
            for &item in self.get(position) {
                items[next[item as usize] as usize] = position;
                next[item as usize] += 1;
            }
        }
        starts.remove(0);
        Lists {
            ends: starts,
            items,
        }
    }
}

/// Dependences and nearness of a list of circumstances.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    len: usize,
    /// Objects, by small numbers, that must be there before.
    needs: Lists,
    /// Objects that may be there afterwards.
    gives: Lists,
    /// Positions that give an object, ascending.
    givers: Lists,
    criterion: Option<Position>,
    /// All but the criterion, those that are likely to be needed first.
    order: Vec<Position>,
    /// How many of `order` were named as likely.
    likely: usize,
    /// Where the first rings begin in `order`, and where the last of them ends.
    rings: Vec<usize>,
}

impl Structure {
    /// Of circumstances about which nothing is known; later ones are taken for more relevant.
    pub fn unknown(len: usize) -> Self {
        let mut none = Lists::default();
        (0..len).for_each(|_| none.push(&[]));
        Self {
            len,
            needs: none.clone(),
            gives: none,
            order: (0..len as Position).rev().collect(),
            ..Self::default()
        }
    }

    /// Of the driven interactions `circumstances` (numbers, ascending) of `level`. `criterion` is the one that let the failure out;
    /// `likely` are numbers of interactions that are probably needed, the likeliest first.
    pub fn of(level: &Level, circumstances: &[u32], criterion: u32, likely: &[u32]) -> Self {
        let interactions: Vec<&Interaction> = circumstances
            .iter()
            .filter_map(|&no| level.interactions.get(no as usize))
            .collect();
        let position = |no: &u32| circumstances.binary_search(no).ok().map(|p| p as Position);
        let mut structure = Self {
            len: interactions.len(),
            criterion: position(&criterion),
            ..Self::default()
        };
        let beside: Vec<Position> = level.beside.iter().filter_map(position).collect();
        structure.dependences(level, &interactions, &beside);
        let likely: Vec<Position> = likely.iter().filter_map(position).collect();
        let rings = rings(level, &interactions, structure.criterion);
        structure.order(
            rings,
            &shares_text(&interactions, structure.criterion),
            &likely,
        );
        structure
    }

    /// With these needs and gifts, for each position; for tests.
    #[cfg(test)]
    pub(super) fn with(
        needs: &[Vec<u32>],
        gives: &[Vec<u32>],
        objects: usize,
        criterion: Position,
    ) -> Self {
        let mut structure = Self::unknown(needs.len());
        (structure.needs, structure.gives) = (Lists::default(), Lists::default());
        for (needs, gives) in needs.iter().zip(gives) {
            structure.needs.push(needs);
            structure.gives.push(gives);
        }
        structure.givers = structure.gives.inverted(objects);
        structure.criterion = Some(criterion);
        structure.order.retain(|&p| p != criterion);
        structure
    }

    /// With these named as likely; for tests.
    #[cfg(test)]
    pub(super) fn likely_first(mut self, likely: &[Position]) -> Self {
        let rank = |p: &Position| likely.iter().position(|l| l == p).unwrap_or(usize::MAX);
        self.order.sort_by_key(rank);
        self.likely = likely.len();
        self
    }

    /// Number of circumstances.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The interaction that let the failure out.
    pub fn criterion(&self) -> Option<Position> {
        self.criterion
    }

    /// All positions but the criterion's, those that are likely to be needed first.
    pub fn by_relevance(&self) -> &[Position] {
        &self.order
    }

    /// How many of [`Self::by_relevance`] are there because they were named as likely.
    pub fn likely(&self) -> usize {
        self.likely
    }

    /// Index in `set` (ascending) of the first interaction that cannot run, because nothing before it gives an object that it needs.
    pub fn first_unmet(&self, set: &[Position]) -> Option<usize> {
        let mut there = vec![false; self.givers.len()];
        set.iter().position(|&p| !self.step(p, &mut there))
    }

    /// Those of `set` (ascending) that can run if the others are left out.
    pub fn closed(&self, set: &[Position]) -> Vec<Position> {
        let mut there = vec![false; self.givers.len()];
        set.iter()
            .copied()
            .filter(|&p| self.step(p, &mut there))
            .collect()
    }

    /// Can `p` run? Then what it gives is there.
    fn step(&self, p: Position, there: &mut [bool]) -> bool {
        let met = self.needs.get(p).iter().all(|&o| there[o as usize]);
        if met {
            self.gives
                .get(p)
                .iter()
                .for_each(|&o| there[o as usize] = true);
        }
        met
    }

    /// Those of `set` (ascending) that give an object first which another one needs.
    pub fn makers(&self, set: &[Position]) -> Vec<Position> {
        let mut first: Vec<Option<Position>> = vec![None; self.givers.len()];
        let mut makers = Vec::new();
        for &p in set {
            let needs = self.needs.get(p).iter();
            makers.extend(needs.filter_map(|&o| first[o as usize]));
            for &object in self.gives.get(p) {
                first[object as usize].get_or_insert(p);
            }
        }
        makers.sort_unstable();
        makers.dedup();
        makers
    }

    /// `set` (in any order) and what it needs, ascending. Of several that give an object, the first.
    pub fn closure(&self, set: &[Position]) -> Vec<Position> {
        let mut members: std::collections::HashSet<Position> = set.iter().copied().collect();
        let mut work: Vec<Position> = set.to_vec();
        while let Some(p) = work.pop() {
            for &object in self.needs.get(p) {
                let givers = self.givers.get(object);
                let before = &givers[..givers.partition_point(|&g| g < p)];
                if let Some(&first) = before.first()
                    && !before.iter().any(|g| members.contains(g))
                {
                    members.insert(first);
                    work.push(first);
                }
            }
        }
        let mut closure: Vec<Position> = members.into_iter().collect();
        closure.sort_unstable();
        closure
    }

    /// The criterion, the first `count` by relevance, and what they need; ascending.
    pub fn near(&self, count: usize) -> Vec<Position> {
        let first = self.order.iter().take(count).copied();
        let with_criterion: Vec<Position> = self.criterion.into_iter().chain(first).collect();
        self.closure(&with_criterion)
    }

    /// The criterion, those that are likely to be needed, the first `count` of each of the first rings, and what all these need; ascending. What a failure
    /// needs may be in the second ring, and the first one have thousands: others did to the same object what failed, and the cause was done to one that it
    /// was given.
    pub fn around(&self, count: usize) -> Vec<Position> {
        let rings = self.rings.windows(2);
        let nearest = rings.flat_map(|ring| {
            let end = ring[1].min(ring[0] + count);
            &self.order[ring[0]..end]
        });
        let first = self.criterion.iter().chain(&self.order[..self.likely]);
        let first: Vec<Position> = first.chain(nearest).copied().collect();
        self.closure(&first)
    }

    /// `beside`: positions of those whose results the criterion needs, though they are no objects.
    fn dependences(&mut self, level: &Level, interactions: &[&Interaction], beside: &[Position]) {
        let mut numbers: HashMap<ObjectId, u32> = HashMap::new();
        let awaited = awaited(interactions);
        let observed = |id: &ObjectId| {
            let info = level.objects.get(id);
            info.is_some_and(|o| is_made_inside(&o.role)) || awaited.contains(id)
        };
        let held = Held { level };
        for i in interactions {
            for id in held.needed(i).into_iter().filter(observed) {
                let next = numbers.len() as u32;
                numbers.entry(id).or_insert(next);
            }
        }
        let mut given = vec![false; numbers.len()];
        let mut at_once = Vec::new();
        let mut mentions = Mentions::new(level, &numbers);
        level
            .class_inits
            .values()
            .for_each(|o| mentions.answers(o, &mut at_once));
        at_once.iter().for_each(|&o| given[o as usize] = true);
        let everywhere = given.clone();
        let results = numbers.len() as u32..;
        for (at, i) in interactions.iter().enumerate() {
            let at = at as Position;
            // What nothing gives before is no need that could be known from here.
            let mut needs: Vec<u32> = (held.needed(i).into_iter())
                .filter_map(|id| numbers.get(&id).copied())
                .filter(|&o| given[o as usize] && !everywhere[o as usize])
                .collect();
            needs.sort_unstable();
            needs.dedup();
            if self.criterion == Some(at) {
                let before = results.clone().zip(beside).filter(|(_, p)| **p < at);
                needs.extend(before.map(|(result, _)| result));
            }
            self.needs.push(&needs);
            let mut gives = Vec::new();
            mentions.interaction(i, &mut gives);
            gives.sort_unstable();
            gives.dedup();
            gives.iter().for_each(|&o| given[o as usize] = true);
            let given_on = results.clone().zip(beside).filter(|(_, p)| **p == at);
            gives.extend(given_on.map(|(result, _)| result));
            self.gives.push(&gives);
        }
        self.givers = self.gives.inverted(numbers.len() + beside.len());
    }

    fn order(&mut self, rings: Vec<u32>, shares_text: &[bool], likely: &[Position]) {
        let criterion = self.criterion;
        let rank: HashMap<Position, usize> = likely
            .iter()
            .enumerate()
            .map(|(rank, &p)| (p, rank))
            .collect();
        self.order = (0..self.len as Position)
            .filter(|&p| Some(p) != criterion)
            .collect();
        self.order.sort_by_key(|p| {
            (
                rank.get(p).copied().unwrap_or(usize::MAX),
                rings[*p as usize],
                !shares_text[*p as usize],
                std::cmp::Reverse(*p),
            )
        });
        self.likely = self.order.iter().filter(|p| rank.contains_key(p)).count();
        let rest = &self.order[self.likely..];
        let begin = |ring| self.likely + rest.partition_point(|p| rings[*p as usize] < ring);
        self.rings = (1..=FIRST_RINGS + 1).map(begin).collect();
    }
}

/// What must be there before `i` can run.
fn needed(i: &Interaction) -> impl Iterator<Item = &Value> {
    i.args.iter().chain([&i.receiver])
}

/// What arrays and containers hold.
struct Held<'l> {
    level: &'l Level,
}

impl Held<'_> {
    /// The objects that must be there before `i` can run. For real, what an array or container holds is needed, too: there is nothing that could stand
    /// in for it.
    fn needed(&self, i: &Interaction) -> Vec<ObjectId> {
        let mut all: Vec<ObjectId> = ids(needed(i)).collect();
        if self.level.engine == Engine::Replay {
            return all;
        }
        let mut next = 0;
        while let Some(id) = all.get(next).filter(|_| all.len() < MOST_HELD) {
            next += 1;
            let role = self.level.objects.get(id).map(|o| &o.role);
            if let Some(Role::Array { initial } | Role::Natural { initial }) = role {
                let values = initial.iter().flat_map(Content::values);
                let held = ids(values).take(MOST_HELD);
                let held: Vec<ObjectId> = held.filter(|id| !all.contains(id)).collect();
                all.extend(held);
            }
        }
        all
    }
}

/// Which of the interactions were given a text that the criterion was given, too?
fn shares_text(interactions: &[&Interaction], criterion: Option<Position>) -> Vec<bool> {
    let texts = |i: &Interaction| -> Vec<_> {
        let texts = i.args.iter().filter_map(|v| match v {
            Value::Str(text) if !text.0.is_empty() => Some(text.clone()),
            _ => None,
        });
        texts.collect()
    };
    let of_criterion = criterion.map(|p| texts(interactions[p as usize]));
    let of_criterion: HashSet<_> = of_criterion.into_iter().flatten().collect();
    let shares = |i: &&Interaction| {
        let mut args = i.args.iter();
        args.any(|v| matches!(v, Value::Str(text) if of_criterion.contains(text)))
    };
    interactions.iter().map(shares).collect()
}

/// The first interaction of `list` (numbers, ascending) that makes something which another one needs, and does not return it: it goes to code that
/// was not recorded. Run for real, nothing may show it.
pub fn first_that_hides(level: &Level, list: &[u32]) -> Option<u32> {
    let interactions: Vec<&Interaction> = list
        .iter()
        .filter_map(|&no| level.interaction(no))
        .collect();
    let held = Held { level };
    let needed = interactions.iter().flat_map(|i| held.needed(i));
    let observed = |id: &ObjectId| (level.objects.get(id)).is_some_and(|o| is_made_inside(&o.role));
    let mut numbers = HashMap::new();
    for id in needed.filter(observed) {
        let next = numbers.len() as u32;
        numbers.entry(id).or_insert(next);
    }
    let mut shown = vec![false; numbers.len()];
    let mut mentions = Mentions::new(level, &numbers);
    for i in interactions {
        let mut mentioned = Vec::new();
        mentions.outcome(&i.outcome, &mut mentioned);
        mentioned.drain(..).for_each(|o| shown[o as usize] = true);
        mentions.answers(&i.outgoing, &mut mentioned);
        if mentioned.iter().any(|&o| !shown[o as usize]) {
            return Some(i.no);
        }
    }
    None
}

/// Is an object of this role there only if an interaction has made or given it?
fn is_made_inside(role: &Role) -> bool {
    matches!(role, Role::Observed | Role::Given)
}

/// The objects that some of the interactions wait for.
fn awaited(interactions: &[&Interaction]) -> HashSet<ObjectId> {
    let waits = interactions.iter().filter_map(|i| later::waits(i));
    waits.map(|waits| waits.object).collect()
}

fn ids<'v>(values: impl Iterator<Item = &'v Value>) -> impl Iterator<Item = ObjectId> {
    values.filter_map(|v| match v {
        Value::Object(id) => Some(*id),
        _ => None,
    })
}

/// Distance of each interaction from the criterion, by shared objects; what follows the criterion is farthest. What waits for an object is where the call
/// is that gave it: both together are what was one call to their driver.
fn rings(level: &Level, interactions: &[&Interaction], criterion: Option<Position>) -> Vec<u32> {
    let mut rings = vec![u32::MAX; interactions.len()];
    let Some(criterion) = criterion else {
        return rings;
    };
    let mut things = Things::default();
    let mut touches = Lists::default();
    let mut known = 0;
    let mut list = Vec::new();
    let awaited = awaited(interactions);
    let mut givers: HashMap<ObjectId, Position> = HashMap::new();
    for (position, i) in (0..).zip(interactions) {
        list.clear();
        things.of(&level.objects, i, &mut |thing| list.push(thing));
        match (&i.outcome, &i.receiver) {
            (Outcome::Return(Some(Value::Object(id))), _) if awaited.contains(id) => {
                givers.entry(*id).or_insert(position);
            }
            (_, Value::Object(id)) if let Some(&giver) = givers.get(id) => {
                list.extend(touches.get(giver));
            }
            _ => {}
        }
        list.sort_unstable();
        list.dedup();
        known = known.max(list.last().map_or(0, |last| last + 1));
        touches.push(&list);
    }
    let touching = touches.inverted(known as usize);
    let mut seen = vec![false; known as usize];
    let mut ring = vec![criterion];
    rings[criterion as usize] = 0;
    for distance in 1.. {
        let mut next = Vec::new();
        for &p in &ring {
            for &thing in touches.get(p) {
                if std::mem::replace(&mut seen[thing as usize], true) {
                    continue;
                }
                for &other in touching.get(thing) {
                    if rings[other as usize] == u32::MAX {
                        rings[other as usize] = distance;
                        next.push(other);
                    }
                }
            }
        }
        if next.is_empty() {
            break;
        }
        ring = next;
    }
    rings[criterion as usize + 1..].fill(u32::MAX);
    rings
}

/// Finds the objects that may get their identity while something runs: those that it hands out, or that come back from it.
struct Mentions<'l> {
    level: &'l Level,
    numbers: &'l HashMap<ObjectId, u32>,
}

impl<'l> Mentions<'l> {
    fn new(level: &'l Level, numbers: &'l HashMap<ObjectId, u32>) -> Self {
        Self { level, numbers }
    }

    fn interaction(&mut self, i: &Interaction, found: &mut Vec<u32>) {
        self.outcome(&i.outcome, found);
        self.answers(&i.outgoing, found);
    }

    fn answers(&mut self, outgoing: &[Outgoing], found: &mut Vec<u32>) {
        for o in outgoing {
            o.args
                .iter()
                .chain([&o.receiver])
                .for_each(|v| self.value(v, found));
            self.outcome(&o.outcome, found);
            for effect in &o.effects {
                match effect {
                    Effect::Content { content, .. } => self.content(content, found),
                    Effect::Store { value, .. } => self.value(value, found),
                    Effect::Natural { args, result, .. } => {
                        args.iter().chain(result).for_each(|v| self.value(v, found));
                    }
                }
            }
            for callback in &o.callbacks {
                needed(callback).for_each(|v| self.value(v, found));
                self.interaction(callback, found);
            }
        }
    }

    fn outcome(&mut self, outcome: &Outcome, found: &mut Vec<u32>) {
        match outcome {
            Outcome::Return(Some(value)) => self.value(value, found),
            Outcome::Throw(id) => self.value(&Value::Object(*id), found),
            Outcome::Return(None) | Outcome::Open => {}
        }
    }

    fn content(&mut self, content: &Content, found: &mut Vec<u32>) {
        content.values().iter().for_each(|v| self.value(v, found));
    }

    /// An object, and what a lambda, array or natural object holds.
    fn value(&mut self, value: &Value, found: &mut Vec<u32>) {
        let Value::Object(id) = value else { return };
        if let Some(&number) = self.numbers.get(id) {
            found.push(number);
            return;
        }
        let level = self.level;
        let mut seen = std::collections::HashSet::new();
        let mut work = vec![*id];
        while let Some(id) = work.pop() {
            found.extend(self.numbers.get(&id));
            let content = match level.objects.get(&id).map(|o| &o.role) {
                Some(
                    Role::Array { initial }
                    | Role::Natural { initial }
                    | Role::Restored { initial }
                    | Role::Function { initial, .. },
                ) => initial.as_ref(),
                _ => None,
            };
            let values = content.map_or(&[][..], |c| c.values());
            if !values.is_empty() && seen.insert(id) {
                work.extend(ids(values.iter()));
            }
        }
    }
}
