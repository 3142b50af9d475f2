//! Where tests began and ended: the first recording says it, and the replay has the same place among the calls by which the environment came in.
//!
//! When a test engine marks something, no observed code runs. So a mark is behind the end of a call from outside, or in front of the next one.
//! Which these are is known of the first recording ([`FromOutside`]), and each is looked for in the replay. Of a run that was not projected as a
//! whole it is not known: there they are counted, in both recordings. Class initializers are left aside.

use jinsi_trace::model::{
    CallOp, Event, EventKind, MarkNo, MemberRef, Payload, Phase, Prim, Site, ThreadNo, Value,
};
use jinsi_trace::reader::{ReadError, Trace};

use super::is_bridge;

/// A call from outside: what was called, and the events with which it began and ended.
#[derive(Clone, Debug)]
struct Incoming {
    method: MemberRef,
    began: u64,
    ended: Option<u64>,
}

/// A call from outside that the replay makes again: in the first recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromOutside {
    /// The thread that made it.
    pub thread: ThreadNo,
    /// What was called.
    pub method: MemberRef,
    /// Number of its first event among those of the thread.
    pub began: u64,
    /// Number of its last event; the highest there is if it did not end.
    pub ended: u64,
    /// Is it made while one of the others runs?
    pub is_callback: bool,
}

/// What is open.
#[derive(Debug)]
enum Open<'t> {
    /// An activation: of an incoming call, its number.
    Activation(Option<usize>),
    /// A call, with its receiver; has something been called in it?
    Call(&'t Site, Option<Value>, bool),
}

/// The calls from outside of a thread, in their order.
#[derive(Debug, Default)]
struct Walk<'t> {
    open: Vec<Open<'t>>,
    incoming: Vec<Incoming>,
}

impl<'t> Walk<'t> {
    /// `at_boundary`: of calls between observed methods there are only those that tell what may be an identity.
    fn event(&mut self, (no, event): (u64, &Event), site: &'t Site, at_boundary: bool) {
        let values = match &event.payload {
            Payload::Operands(values) => &values[..],
            _ => &[],
        };
        match event.kind {
            EventKind::Enter => {
                // Which thread initializes a class is not recorded, and replay has it done by any.
                let initializes = site.target.name == "<clinit>";
                let is_incoming = !initializes && self.is_incoming(site, values, at_boundary);
                let number = is_incoming.then_some(self.incoming.len());
                if is_incoming {
                    self.incoming.push(Incoming {
                        method: site.target.clone(),
                        began: no,
                        ended: None,
                    });
                }
                self.open.push(Open::Activation(number));
            }
            EventKind::Exit | EventKind::ExitThrow => {
                self.drop_calls();
                if let Some(Open::Activation(Some(number))) = self.open.pop() {
                    self.incoming[number].ended = Some(no);
                }
            }
            EventKind::Catch => self.drop_calls(),
            EventKind::Call => {
                let has_receiver = !matches!(
                    site.op,
                    CallOp::Static | CallOp::New | CallOp::Dynamic | CallOp::None
                );
                let receiver = values.first().filter(|_| has_receiver).cloned();
                self.open.push(Open::Call(site, receiver, false));
            }
            EventKind::CallExit => {
                if let Some(Open::Call(..)) = self.open.last() {
                    self.open.pop();
                }
            }
            _ => {}
        }
    }

    /// The calls that the innermost activation made have ended.
    fn drop_calls(&mut self) {
        while let Some(Open::Call(..)) = self.open.last() {
            self.open.pop();
        }
    }

    /// Does the environment call, and not observed code?
    fn is_incoming(&mut self, entered: &Site, values: &[Value], at_boundary: bool) -> bool {
        match self.open.last_mut() {
            None => true,
            Some(Open::Activation(_)) => at_boundary,
            Some(Open::Call(site, receiver, called)) => {
                let is_second = std::mem::replace(called, true);
                let is_named = site.target.name == entered.target.name
                    && (site.target.desc == entered.target.desc || is_bridge(&site.target.name));
                let is_same =
                    site.light || receiver.is_none() || receiver.as_ref() == values.first();
                is_second || !(is_named && is_same)
            }
        }
    }
}

fn incoming(
    trace: &Trace,
    thread: ThreadNo,
    at_boundary: bool,
) -> Result<Vec<Incoming>, ReadError> {
    let mut walk = Walk::default();
    for (no, event) in (0..).zip(trace.events(thread).brief()) {
        let event = event?;
        if let Some(site) = trace.site_of(&event).filter(|site| !site.outside) {
            walk.event((no, &event), site, at_boundary);
        }
    }
    Ok(walk.incoming)
}

/// The calls with which a thread of a replay began to do something.
fn outermost(replayed: &Trace, thread: ThreadNo) -> Result<Vec<Incoming>, ReadError> {
    let mut calls: Vec<Incoming> = Vec::new();
    let mut depth = 0_u64;
    for (no, event) in (0..).zip(replayed.events(thread).brief()) {
        let event = event?;
        let Some(site) = replayed.site_of(&event).filter(|site| !site.outside) else {
            continue;
        };
        match event.kind {
            EventKind::Enter => {
                depth += 1;
                if depth == 1 {
                    calls.push(Incoming {
                        method: site.target.clone(),
                        began: no,
                        ended: None,
                    });
                }
            }
            EventKind::Exit | EventKind::ExitThrow => {
                depth = depth.saturating_sub(1);
                if let (0, Some(call)) = (depth, calls.last_mut()) {
                    call.ended = Some(no);
                }
            }
            _ => {}
        }
    }
    calls.retain(|call| call.method.name != "<clinit>");
    Ok(calls)
}

/// Each call from outside with what the replay has of it. One that has no code of its own has left nothing in the replay.
fn paired<'c>(
    recorded: &[&'c FromOutside],
    replayed: &[&'c Incoming],
) -> Vec<(&'c FromOutside, &'c Incoming)> {
    let is_same = |one: &FromOutside, other: &Incoming| {
        let [one, other] = [&one.method, &other.method];
        one.name == other.name && one.desc == other.desc || is_bridge(&other.name)
    };
    let mut pairs = Vec::new();
    let mut rest = replayed;
    for (no, call) in recorded.iter().enumerate() {
        let next = recorded.get(no + 1);
        let is_next = |found: &Incoming| next.is_some_and(|next| is_same(next, found));
        let found = match rest.first() {
            Some(first) if is_same(call, first) => Some(0),
            Some(first) if is_next(first) => None,
            _ => rest.iter().position(|found| is_same(call, found)),
        };
        if let Some(at) = found {
            pairs.push((*call, rest[at]));
            rest = &rest[at + 1..];
        }
    }
    pairs
}

/// The same for all of a thread: first those that nothing observed led to, and within each its call-backs.
fn all_paired<'c>(
    recorded: &[&'c FromOutside],
    outermost: &'c [Incoming],
    within: &'c [Incoming],
) -> Vec<(&'c FromOutside, &'c Incoming)> {
    let driven: Vec<&FromOutside> = recorded
        .iter()
        .copied()
        .filter(|c| !c.is_callback)
        .collect();
    let outermost: Vec<&Incoming> = outermost.iter().collect();
    let mut pairs = Vec::new();
    for (call, replayed) in paired(&driven, &outermost) {
        pairs.push((call, replayed));
        // All are in the order of their beginnings.
        let from = recorded.partition_point(|c| c.began <= call.began);
        let to = recorded.partition_point(|c| c.began < call.ended);
        let inner = recorded.get(from..to).unwrap_or_default();
        if !inner.is_empty() {
            let end = replayed.ended.unwrap_or(u64::MAX);
            let from = within.partition_point(|c| c.began <= replayed.began);
            let to = within.partition_point(|c| c.began < end);
            let candidates: Vec<&Incoming> = within[from..to].iter().collect();
            pairs.extend(paired(inner, &candidates));
        }
    }
    pairs
}

/// Places marks between calls from outside, which are in the order of their beginnings; `last` is behind all events.
fn between(
    marks: Vec<(u64, Event)>,
    pairs: &[(&FromOutside, &Incoming)],
    last: u64,
) -> Vec<(u64, Event)> {
    let in_front_of = |at: u64| pairs.get(pairs.partition_point(|(call, _)| call.began <= at));
    let mut by_end: Vec<_> = pairs.iter().collect();
    by_end.sort_by_key(|(call, _)| call.ended);
    let behind = |at: u64| {
        let ended = by_end.partition_point(|(call, _)| call.ended < at);
        ended.checked_sub(1).map(|no| by_end[no])
    };
    let mut reached = 0;
    let place = |(at, mark): (u64, Event)| {
        let begins = of(&mark).is_some_and(|(_, phase)| phase == Phase::Begin);
        let next = in_front_of(at).map_or(last, |(_, call)| call.began);
        let place = match behind(at) {
            Some((_, call)) if !begins => call.ended.map_or(last, |end| end + 1),
            _ => next,
        };
        // A test without any call ends where it began.
        reached = place.max(reached);
        (reached, mark)
    };
    marks.into_iter().map(place).collect()
}

/// The marks of a thread of the first recording, each with the number of the event of the replay's thread in front of which it belongs.
/// `calls`: what came from outside, if that is known. The result is `None` if there are marks, but the calls from outside are not the
/// same, so that it is not known where they belong.
pub(super) fn placed(
    (first, of): (&Trace, ThreadNo),
    (replayed, thread): (&Trace, ThreadNo),
    calls: Option<&[FromOutside]>,
) -> Result<Option<Vec<(u64, Event)>>, ReadError> {
    let mut marks = Vec::new();
    for (no, event) in (0..).zip(first.events(of).brief()) {
        let event = event?;
        if event.kind == EventKind::Mark {
            marks.push((no, event));
        }
    }
    if marks.is_empty() {
        return Ok(Some(marks));
    }
    if let Some(calls) = calls {
        let own: Vec<&FromOutside> = calls.iter().filter(|call| call.thread == of).collect();
        let outermost = outermost(replayed, thread)?;
        let within = incoming(replayed, thread, false)?;
        let pairs = all_paired(&own, &outermost, &within);
        let last = replayed.event_count(thread);
        return Ok(Some(between(marks, &pairs, last)));
    }
    let recorded = incoming(first, of, true)?;
    let again = incoming(replayed, thread, false)?;
    let is_same = |(one, other): (&Incoming, &Incoming)| {
        let [one, other] = [&one.method, &other.method];
        one == other || is_bridge(&one.name) || is_bridge(&other.name)
    };
    if recorded.len() != again.len() || !recorded.iter().zip(&again).all(is_same) {
        return Ok(None);
    }
    let mut ends: Vec<(u64, usize)> = (0..)
        .zip(&recorded)
        .filter_map(|(number, call)| Some((call.ended?, number)))
        .collect();
    ends.sort_unstable();
    let last = replayed.event_count(thread);
    let place = |at: u64| {
        let begun = recorded.partition_point(|call| call.began < at);
        let ended = ends.partition_point(|(end, _)| *end < at);
        let ended = ended.checked_sub(1).map(|no| ends[no]);
        // Whichever came last before it: nothing of observed code came since.
        match ended {
            Some((end, number)) if begun == 0 || recorded[begun - 1].began < end => {
                again[number].ended.map_or(last, |end| end + 1)
            }
            _ => again.get(begun).map_or(last, |next| next.began),
        }
    };
    let placed = marks.into_iter().map(|(at, mark)| (place(at), mark));
    let mut placed: Vec<(u64, Event)> = placed.collect();
    placed.sort_by_key(|(at, _)| *at);
    Ok(Some(placed))
}

/// Of which test a mark is, and what it says of it.
pub(super) fn of(mark: &Event) -> Option<(MarkNo, Phase)> {
    match &mark.payload {
        Payload::Operands(values) => match values[..] {
            [Value::Prim(Prim::Long(word))] => Phase::of_word(word as u64),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(name: &str) -> MemberRef {
        MemberRef {
            owner: "a/Shop".into(),
            name: name.into(),
            desc: "()V".into(),
        }
    }

    fn call(name: &str, (began, ended): (u64, u64)) -> FromOutside {
        FromOutside {
            thread: 0,
            method: method(name),
            began,
            ended,
            is_callback: false,
        }
    }

    fn callback(name: &str, span: (u64, u64)) -> FromOutside {
        FromOutside {
            is_callback: true,
            ..call(name, span)
        }
    }

    fn entered(name: &str, (began, ended): (u64, u64)) -> Incoming {
        Incoming {
            method: method(name),
            began,
            ended: Some(ended),
        }
    }

    fn mark(test: u64, phase: u64) -> Event {
        Event {
            kind: EventKind::Mark,
            site: None,
            payload: Payload::Operands(vec![Value::Prim(Prim::Long((test << 2 | phase) as i64))]),
        }
    }

    #[test]
    fn calls_are_found_in_the_replay() {
        // `size` is a method that the class inherits from the JDK: it leaves no event. `hashCode` was called by the worker.
        let recorded = [
            call("new", (0, 3)),
            call("size", (5, 5)),
            call("sell", (7, 9)),
            call("sell", (10, 12)),
        ];
        let replayed = [
            entered("new", (0, 9)),
            entered("hashCode", (10, 11)),
            entered("sell", (12, 20)),
            entered("sell", (21, 22)),
        ];
        let recorded: Vec<&FromOutside> = recorded.iter().collect();
        let replayed: Vec<&Incoming> = replayed.iter().collect();
        let pairs = paired(&recorded, &replayed);
        let pairs: Vec<(u64, u64)> = pairs.iter().map(|(d, r)| (d.began, r.began)).collect();
        assert_eq!(pairs, [(0, 0), (7, 12), (10, 21)]);
    }

    #[test]
    fn call_backs_are_found_within_their_call() {
        // In the replay the JDK calls `price`, a lambda, which at the boundary is no event.
        let recorded = [
            call("run", (0, 9)),
            callback("sell", (2, 3)),
            callback("sell", (5, 6)),
            call("sell", (10, 11)),
        ];
        let outermost = [entered("run", (0, 50)), entered("sell", (51, 55))];
        let within = [
            entered("run", (0, 50)),
            entered("price", (3, 4)),
            entered("sell", (10, 15)),
            entered("price", (12, 13)),
            entered("sell", (20, 25)),
            entered("sell", (51, 55)),
        ];
        let recorded: Vec<&FromOutside> = recorded.iter().collect();
        let pairs = all_paired(&recorded, &outermost, &within);
        let pairs: Vec<(u64, u64)> = pairs.iter().map(|(d, r)| (d.began, r.began)).collect();
        assert_eq!(pairs, [(0, 0), (2, 10), (5, 20), (10, 51)]);
        // A test begins in front of the second call-back, and fails behind it.
        let marks = vec![
            (4, mark(1, Phase::Begin as u64)),
            (7, mark(1, Phase::Failed as u64)),
        ];
        let pairs = all_paired(&recorded, &outermost, &within);
        let placed = between(marks, &pairs, 60);
        let places: Vec<u64> = placed.iter().map(|(at, _)| *at).collect();
        assert_eq!(places, [20, 26]);
    }

    #[test]
    fn marks_are_between_calls() {
        let calls = [call("new", (0, 3)), call("sell", (7, 9))];
        let replayed = [entered("new", (0, 9)), entered("sell", (12, 20))];
        let recorded: Vec<&FromOutside> = calls.iter().collect();
        let pairs = all_paired(&recorded, &replayed, &[]);
        let begin = Phase::Begin as u64;
        let end = Phase::End as u64;
        let marks = vec![
            (5, mark(1, begin)),
            (10, mark(1, end)),
            (11, mark(2, begin)),
            (12, mark(2, end)),
        ];
        let placed = between(marks, &pairs, 25);
        let places: Vec<u64> = placed.iter().map(|(at, _)| *at).collect();
        assert_eq!(places, [12, 21, 25, 25]);
    }
}
