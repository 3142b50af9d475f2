//! What of a trace is damaged, and whether the damage may lie before the failure. If it does, every answer about the failure rests on a
//! part of what led to it.

use std::fmt;
use std::io::{self, Write};

use jinsi_trace::model::{DamageDef, EventKind, LostKind, ObjectId, Payload, ThreadNo, Value};
use jinsi_trace::reader::{Damage, Lost, Stretch, Trace};
use serde::{Deserialize, Serialize};

use crate::Gap;

/// A damage, as reports and JSON documents have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// One line: what it is, and where.
    pub what: String,
    /// What it may have taken: `events`, a `record` of a table (a class, sites, a thread, …), `unknown` if it is one of these, or `nothing`.
    pub lost: String,
    /// Number of the segment in the file, from 0; `null` if it is none.
    #[serde(default)]
    pub segment: Option<u64>,
    /// Its offset in the file, in bytes.
    #[serde(default)]
    pub offset: Option<u64>,
    /// The thread whose events are lost; `null` if it is not known, or there are none.
    #[serde(default)]
    pub thread: Option<ThreadNo>,
    /// Where the lost events are, seen from the failure: `before`, `after` or `unknown`; `null` if no events are lost, or none was asked about.
    #[serde(default)]
    pub position: Option<String>,
}

/// All of it, and what follows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damaged {
    /// In the order in which it was found.
    pub entries: Vec<Entry>,
    /// Something may be missing before the failure, on a thread that counts.
    pub incomplete: bool,
}

/// Where lost events are, seen from the failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    Before,
    After,
    Unknown,
}

impl Position {
    fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
            Self::Unknown => "unknown",
        }
    }
}

/// The failure that is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The thread that failed.
    pub thread: ThreadNo,
    /// Its exception; 0 if it is none.
    pub throwable: ObjectId,
    /// Do the events of other threads count?
    pub all_threads: bool,
}

impl Damaged {
    /// The damage of a trace, and what could not be read of its events, seen from no failure.
    pub fn of(trace: &Trace, gaps: &[Gap]) -> Self {
        Self::seen(trace, gaps, None)
    }

    /// The same, seen from a failure.
    pub fn seen_from(trace: &Trace, gaps: &[Gap], asked: Asked) -> Self {
        Self::seen(trace, gaps, Some(asked))
    }

    fn seen(trace: &Trace, gaps: &[Gap], asked: Option<Asked>) -> Self {
        let mut all = Self::default();
        if trace.damage().is_empty() && gaps.is_empty() {
            return all;
        }
        let failure = asked.and_then(|asked| failure_of(trace, asked));
        for damage in trace.damage() {
            let entry = entry(damage);
            all.add(entry, damage.lost(), asked, |lost| position(lost, failure));
        }
        for gap in gaps {
            let entry = Entry {
                what: gap.error.clone(),
                lost: "events".into(),
                segment: gap.place.map(|place| place.index as u64),
                offset: gap.place.map(|place| place.offset),
                thread: gap.thread,
                position: None,
            };
            // It ends the thread's events: a failure that is among them comes before it.
            let known = failure.filter(|f| Some(f.thread) == gap.thread);
            let at = known.map_or(Position::Unknown, |_| Position::After);
            all.add(entry, Lost::Events(gap.thread, None), asked, |_| at);
        }
        all
    }

    fn add(
        &mut self,
        mut entry: Entry,
        lost: Lost,
        asked: Option<Asked>,
        position: impl Fn(Lost) -> Position,
    ) {
        let elsewhere = |thread| asked.is_some_and(|a| !a.all_threads && a.thread != thread);
        self.incomplete |= match lost {
            Lost::Nothing => false,
            Lost::Record | Lost::Unknown => true,
            Lost::Events(thread, _) => {
                let at = position(lost);
                entry.position = asked.map(|_| at.name().into());
                at != Position::After && !thread.is_some_and(elsewhere)
            }
        };
        self.entries.push(entry);
    }

    /// What a trace that is made of the damaged one says of it.
    pub fn defs(trace: &Trace, gaps: &[Gap]) -> Vec<DamageDef> {
        let known = trace.damage().iter().map(Damage::def);
        let gaps = gaps.iter().map(|gap| DamageDef {
            what: gap.error.clone(),
            lost: LostKind::Events,
            thread: gap.thread,
        });
        known.chain(gaps).collect()
    }

    /// The same for people, a line each.
    ///
    /// # Errors
    /// Those of `to`.
    pub fn write_text(entries: &[Entry], to: &mut dyn Write) -> io::Result<()> {
        for entry in entries {
            writeln!(to, "damaged    {entry}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match self.position.as_deref() {
            Some("before") => f.write_str(", before the failure"),
            Some("after") => f.write_str(", behind the failure"),
            _ => Ok(()),
        }
    }
}

fn entry(damage: &Damage) -> Entry {
    let lost = damage.lost();
    Entry {
        what: damage.to_string(),
        lost: lost.name().into(),
        segment: damage.place().map(|place| place.index as u64),
        offset: damage.place().map(|place| place.offset),
        thread: match lost {
            Lost::Events(thread, _) => thread,
            _ => None,
        },
        position: None,
    }
}

/// Where lost events are. Threads are not compared; and what is known of a damaged segment is believed only as far as its place in the file
/// says the same.
fn position(lost: Lost, failure: Option<Stretch>) -> Position {
    let (Lost::Events(_, Some(lost)), Some(failure)) = (lost, failure) else {
        return Position::Unknown;
    };
    if lost.thread != failure.thread {
        return Position::Unknown;
    }
    let by_position = lost.position.cmp(&failure.position);
    match (by_position, lost.offset.cmp(&failure.offset)) {
        (std::cmp::Ordering::Less, _) => Position::Before,
        (std::cmp::Ordering::Greater, std::cmp::Ordering::Greater) => Position::After,
        _ => Position::Unknown,
    }
}

/// Where the exception was seen last on its thread.
fn failure_of(trace: &Trace, asked: Asked) -> Option<Stretch> {
    let thrown = Value::Object(asked.throwable);
    let shows = |kind, payload: &Payload| {
        let kinds = [EventKind::ExitThrow, EventKind::Catch, EventKind::Uncaught];
        kinds.contains(&kind)
            && matches!(payload, Payload::Operands(values) if values.contains(&thrown))
    };
    let events = trace.events(asked.thread).brief();
    // Where they cannot be read further, it is not known to have been seen behind that.
    let events = (0..).zip(events.map_while(Result::ok));
    let seen = events.filter(|(_, event)| shows(event.kind, &event.payload));
    let (last, _) = seen.last().filter(|_| asked.throwable != 0)?;
    trace.stretch_of(asked.thread, last)
}
