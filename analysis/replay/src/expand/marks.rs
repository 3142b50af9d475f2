//! Where tests began and ended: the first recording says it, and it is the same place among the calls by which the environment came in.
//!
//! When a test framework marks something, no observed code runs. So a mark is behind the end of a call from outside, or in front of the next one.
//! Class initializers are left aside.

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
    for (no, event) in (0..).zip(trace.events(thread)) {
        let event = event?;
        if let Some(site) = trace.site_of(&event).filter(|site| !site.outside) {
            walk.event((no, &event), site, at_boundary);
        }
    }
    Ok(walk.incoming)
}

/// The marks of a thread of the first recording, each with the number of the event of the replay's thread in front of which it belongs.
/// `None`: there are some, but the calls from outside are not the same, so it is not known where.
pub(super) fn placed(
    (first, of): (&Trace, ThreadNo),
    (replayed, thread): (&Trace, ThreadNo),
) -> Result<Option<Vec<(u64, Event)>>, ReadError> {
    let mut marks = Vec::new();
    for (no, event) in (0..).zip(first.events(of)) {
        let event = event?;
        if event.kind == EventKind::Mark {
            marks.push((no, event));
        }
    }
    if marks.is_empty() {
        return Ok(Some(marks));
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
