//! What code that is not recorded wrote into the arrays that it was given: it shows only when an element is read again, or is reported.

use jinsi_steps::moment::At;
use jinsi_steps::seen::{Seen, Why};
use jinsi_steps::walk::Location;
use jinsi_trace::model::{EventId, EventKind, ObjectId, ThreadNo, Value};

use crate::Inspector;
use crate::entries::Escape;
use crate::error::InspectError;
use crate::escaped_arrays::element;
use crate::index::StretchNo;
use crate::memory::{Horizon, Variable, Written};
use crate::replay_cache::ReplayedStretch;
use crate::state::of_type;

/// A place in the order of all threads.
pub(crate) type Rank = (u64, At);

/// Which of an array's elements an event read.
fn element_read(kind: EventKind, operands: &[Value]) -> Option<Location> {
    (kind == EventKind::ArrayLoad).then(|| element(operands))?
}

impl<'t> Inspector<'t> {
    /// The last read of an array's element before the horizon, if the array was ever given away.
    pub(crate) fn last_read(
        &self,
        variable: &Variable,
        horizon: &Horizon<'_, 't>,
    ) -> Result<Option<Written>, InspectError> {
        let mut latest: Option<Written> = None;
        let location = variable.location();
        for (thread, stretch) in self.index.read(location).into_iter().rev() {
            let known = latest
                .as_ref()
                .is_some_and(|(_, entry)| entry.before.thread() == thread);
            let limit = horizon.limit(thread);
            if known || self.index.threads[&thread].begin(stretch) > limit {
                continue;
            }
            let replayed = self.player().stretch(thread, stretch)?;
            let reads = self.reads(&replayed, location);
            let before = reads.into_iter().rfind(|(index, _)| *index < limit.events);
            if let Some((index, value)) = before {
                let entry = self.read_entry(variable, EventId { thread, index }, value);
                if latest.as_ref().is_none_or(|(rank, _)| *rank < entry.0) {
                    latest = Some(entry);
                }
            }
        }
        Ok(latest)
    }

    /// All reads of an array's element, if the array was ever given away.
    pub(crate) fn all_reads(&self, variable: &Variable) -> Result<Vec<Written>, InspectError> {
        let location = variable.location();
        let mut all = Vec::new();
        for (thread, stretch) in self.index.read(location) {
            let replayed = self.player().stretch(thread, stretch)?;
            for (index, value) in self.reads(&replayed, location) {
                all.push(self.read_entry(variable, EventId { thread, index }, value));
            }
        }
        Ok(all)
    }

    /// What an element holds if its array was given away since it was known, at `known`, what it held: what is read or reported of it next, unless
    /// it is written before that, or given away once more. Nothing if it was not.
    pub(crate) fn changed_unseen(
        &self,
        variable: &Variable,
        known: Option<Rank>,
        horizon: &Horizon<'_, 't>,
    ) -> Result<Option<Seen>, InspectError> {
        let Variable::Element(array, _) = variable else {
            return Ok(None);
        };
        let Some(last) = self.last_escape(*array, horizon)? else {
            return Ok(None);
        };
        if known.is_some_and(|known| known >= self.rank_of(&last)) {
            return Ok(None);
        }
        let rank = self.rank_of(&last);
        let unknown = Some(Seen::Unknown(Why::CodeNotRecorded));
        if horizon.limit(last.thread) < last.to {
            return Ok(unknown);
        }
        let reported = self.reported_first(variable, *array, rank)?;
        Ok(reported.or(unknown))
    }

    /// What an element held when its array was made, if the JVM may have put another array there: what is read or reported of it first, unless it is
    /// written before that, or the array given away.
    pub(crate) fn put_by_jvm(
        &self,
        variable: &Variable,
        array: ObjectId,
    ) -> Result<Seen, InspectError> {
        let reported = self.reported_first(variable, array, Rank::default())?;
        Ok(reported.unwrap_or(Seen::Unknown(Why::Unreported)))
    }

    /// What is read or reported of an element next behind a place, unless it is written before that, or its array given away.
    fn reported_first(
        &self,
        variable: &Variable,
        array: ObjectId,
        rank: Rank,
    ) -> Result<Option<Seen>, InspectError> {
        let Some((reported, value)) = self.reported_next(variable, rank)? else {
            return Ok(None);
        };
        let others = [
            self.next_escape(array, rank)?,
            self.written_next(variable, rank)?,
        ];
        let is_first = others.into_iter().flatten().all(|other| reported < other);
        Ok(is_first.then_some(value))
    }

    /// When the array was given away last before the horizon.
    fn last_escape(
        &self,
        array: ObjectId,
        horizon: &Horizon<'_, 't>,
    ) -> Result<Option<Escape>, InspectError> {
        let is_before = |escape: &Escape| escape.from < horizon.limit(escape.thread);
        let mut all = self.index.long_escapes(array);
        all.retain(is_before);
        let mut done = None;
        for (thread, stretch) in self.index.escape(array).into_iter().rev() {
            let begin = self.index.threads[&thread].begin(stretch);
            if done == Some(thread) || begin >= horizon.limit(thread) {
                continue;
            }
            let replayed = self.player().stretch(thread, stretch)?;
            let last = replayed.escapes_of(array).rfind(is_before);
            done = last.map(|_| thread).or(done);
            all.extend(last);
        }
        Ok(all.into_iter().max_by_key(|escape| self.rank_of(escape)))
    }

    /// When it is given away first behind a place.
    fn next_escape(&self, array: ObjectId, rank: Rank) -> Result<Option<Rank>, InspectError> {
        let places = self.index.escape(array);
        let first = self.first_behind(&places, rank, |replayed, _| {
            let all = replayed.escapes_of(array);
            all.map(|escape| (self.rank_of(&escape), ())).collect()
        })?;
        let long = self.index.long_escapes(array);
        let long = long.iter().map(|escape| self.rank_of(escape));
        let behind = long.filter(|at| *at > rank);
        Ok(behind.chain(first.map(|(at, ())| at)).min())
    }

    fn rank_of(&self, escape: &Escape) -> Rank {
        let last = EventId {
            thread: escape.thread,
            index: escape.to.events.saturating_sub(1),
        };
        (self.index.order.rank(last), escape.to)
    }

    /// The first read or content behind this.
    fn reported_next(
        &self,
        variable: &Variable,
        rank: Rank,
    ) -> Result<Option<(Rank, Seen)>, InspectError> {
        let location = variable.location();
        let read = self.first_behind(&self.index.read(location), rank, |replayed, thread| {
            let reads = self.reads(replayed, location);
            let reads = reads
                .into_iter()
                .map(|(index, value)| self.read_entry(variable, EventId { thread, index }, value));
            reads.map(|(rank, entry)| (rank, entry.value)).collect()
        })?;
        let contents = variable
            .object()
            .map_or_else(Vec::new, |id| self.facts.objects.contents(id));
        let behind = (contents.into_iter()).filter(|at| self.index.order.rank(*at) > rank.0);
        let first = behind.min_by_key(|at| self.index.order.rank(*at));
        let content = match first {
            Some(at) => self.reported(variable, at)?,
            None => None,
        };
        let content = content.map(|(rank, entry)| (rank, entry.value));
        Ok(match (read, content) {
            (Some(read), Some(content)) if content.0 < read.0 => Some(content),
            (read, content) => read.or(content),
        })
    }

    fn written_next(&self, variable: &Variable, rank: Rank) -> Result<Option<Rank>, InspectError> {
        let location = variable.location();
        let first =
            self.first_behind(&self.index.written(location), rank, |replayed, thread| {
                let writes = replayed.writes_of(location);
                let ranked = writes.map(|write| (self.entry(variable, thread, write).0, ()));
                ranked.collect()
            })?;
        Ok(first.map(|(rank, ())| rank))
    }

    /// The first of what is found in these stretches that lies behind a place.
    fn first_behind<T>(
        &self,
        places: &[(ThreadNo, StretchNo)],
        rank: Rank,
        found: impl Fn(&ReplayedStretch, ThreadNo) -> Vec<(Rank, T)>,
    ) -> Result<Option<(Rank, T)>, InspectError> {
        let mut first: Option<(Rank, T)> = None;
        let mut done = None;
        for &(thread, stretch) in places {
            let end = self.index.threads[&thread].begin(stretch + 1);
            let before = self.index.order.count_before(thread, rank.0);
            let is_before = end.events < before;
            if done == Some(thread) || is_before {
                continue;
            }
            let replayed = self.player().stretch(thread, stretch)?;
            let next = found(&replayed, thread)
                .into_iter()
                .find(|(at, _)| *at > rank);
            if let Some(next) = next {
                done = Some(thread);
                if first.as_ref().is_none_or(|(at, _)| next.0 < *at) {
                    first = Some(next);
                }
            }
        }
        Ok(first)
    }

    /// The reads of an element in a stretch, oldest first: index of the event, value.
    fn reads(&self, replayed: &ReplayedStretch, location: Location) -> Vec<(u64, Value)> {
        let events = replayed.tape.events();
        let read =
            events.filter(|(event, operands)| element_read(event.kind, operands) == Some(location));
        read.filter_map(|(event, operands)| Some((event.index, operands.get(2)?.clone())))
            .collect()
    }

    fn read_entry(&self, variable: &Variable, at: EventId, value: Value) -> Written {
        let value = of_type(Seen::Known(value), &self.desc(variable));
        self.reported_at(at, value)
    }
}
