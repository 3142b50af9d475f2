//! What a stretch says by itself, whatever the variables hold: lines that ran, elements that were read or written, exceptions, output. So
//! whoever reads the stretch can gather it.

use jinsi_steps::code::MethodNo;
use jinsi_steps::parked::Parked;
use jinsi_trace::model::{EventKind, SiteNo, Value};
use jinsi_trace::reader::Trace;
use rustc_hash::FxHashMap;

use super::{Thrown, bit_of, name_of};
use crate::entries::Elements;
use crate::escaped_arrays::element;
use crate::facts::Facts;
use crate::timeline::prints;
use jinsi_packed::Key;
use jinsi_steps::tape::{EventNo, Item, Tape};

/// What is gathered of a stretch.
#[derive(Default)]
pub(super) struct Gathered {
    /// How often each instruction of these methods ran.
    ran: FxHashMap<MethodNo, Vec<u32>>,
    /// Elements, as events say.
    pub(super) read: FxHashMap<Key, Elements>,
    pub(super) written: FxHashMap<Key, Elements>,
    pub(super) thrown: Vec<Thrown>,
    /// Was something printed?
    pub(super) prints: bool,
}

impl Gathered {
    /// How often each line was come to.
    pub(super) fn lines<'a>(
        &'a self,
        facts: &'a Facts<'_>,
    ) -> impl Iterator<Item = (MethodNo, u16, u32)> + 'a {
        self.ran.iter().flat_map(|(method, counts)| {
            let starts = facts.line_starts(*method);
            let lines = counts.iter().enumerate();
            lines.filter_map(move |(at, count)| {
                let line = *starts.get(at)?;
                (line != 0 && *count != 0).then_some((*method, line, *count))
            })
        })
    }
}

/// Gathers, stretch after stretch.
pub(super) struct Gatherer<'t> {
    trace: &'t Trace,
    /// Does a site print?
    printing: FxHashMap<SiteNo, bool>,
}

impl<'t> Gatherer<'t> {
    pub(super) fn new(trace: &'t Trace) -> Self {
        let printing = FxHashMap::default();
        Self { trace, printing }
    }

    /// What a stretch says that begins here.
    pub(super) fn gather(&mut self, from: &Parked, tape: &Tape) -> Gathered {
        let mut gathered = Gathered::default();
        let mut open: Vec<MethodNo> = from.frames.iter().map(|frame| frame.method).collect();
        let mut counts: Vec<u32> = Vec::new();
        for item in &tape.items {
            match item {
                Item::Step { at, .. } | Item::CallBegan { at, .. } => {
                    let at = *at as usize;
                    if counts.len() <= at {
                        counts.resize(at + 1, 0);
                    }
                    counts[at] += 1;
                }
                Item::Began { method, .. } => {
                    gathered.leave(open.last(), &mut counts);
                    open.push(*method);
                    counts = gathered.ran.remove(method).unwrap_or_default();
                }
                Item::Ended(_) => {
                    gathered.leave(open.pop().as_ref(), &mut counts);
                    let method = open.last();
                    counts = method
                        .and_then(|method| gathered.ran.remove(method))
                        .unwrap_or_default();
                }
                Item::Event(no) => self.event(*no, tape, &mut gathered),
                _ => {}
            }
        }
        gathered.leave(open.last(), &mut counts);
        gathered
    }

    fn event(&mut self, no: EventNo, tape: &Tape, gathered: &mut Gathered) {
        let event = tape.event(no);
        match (event.kind, event.site) {
            (EventKind::ArrayLoad, _) => {
                if let Some(read) = element(tape.operands(no)) {
                    *gathered.read.entry(name_of(read)).or_default() |= bit_of(read);
                }
            }
            (EventKind::ArrayStore, _) => {
                if let Some(written) = element(tape.operands(no)) {
                    *gathered.written.entry(name_of(written)).or_default() |= bit_of(written);
                }
            }
            (EventKind::Call, Some(site)) if !gathered.prints => {
                let printing = self.printing.entry(site);
                gathered.prints = *printing.or_insert_with(|| prints(self.trace, site).is_some());
            }
            (EventKind::Catch | EventKind::ExitThrow, _) => {
                if let Some(Value::Object(throwable)) = tape.operands(no).first() {
                    gathered.thrown.push(Thrown {
                        index: event.index,
                        throwable: *throwable,
                        caught: event.kind == EventKind::Catch,
                    });
                }
            }
            _ => {}
        }
    }
}

impl Gathered {
    /// Another method is counted now.
    fn leave(&mut self, method: Option<&MethodNo>, counts: &mut Vec<u32>) {
        let counts = std::mem::take(counts);
        if let Some(method) = method
            && !counts.is_empty()
        {
            self.ran.insert(*method, counts);
        }
    }
}
