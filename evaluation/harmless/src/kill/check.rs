//! Is all in a trace that a program says it did? The program keeps the number of each thread's last step in a file of its own.

use std::collections::{BTreeMap, HashMap, HashSet};

use anyhow::{Result, bail};
use jinsi_trace::model::{
    Event, EventKind, JavaString, ObjectId, Payload, Prim, SiteNo, Text, Value,
};
use jinsi_trace::reader::{ThreadDef, Trace};

/// The method that takes a step: number, text and array are its parameters.
const STEP: &str = "step";
/// The field that each step sets to its number.
const CELL: &str = "value";
/// Complaints that are kept of one trace.
const COMPLAINTS: usize = 10;
/// Steps whose numbers differ by this do the same: some things are done by each fifth, others by each seventh.
const PERIOD: u64 = 35;

/// What an event of a step is: kind, method, and the member that is called or accessed.
type What = (EventKind, Text, Text);

/// The events of one step, as numbers that stand for each [`What`]. Objects that get their identity, contents and the order between
/// threads are left out: they depend on what was before.
type Shape = Vec<u32>;

/// Of a [`What`] that no undisturbed run has.
const STRANGE: u32 = u32::MAX;

/// Shapes of steps as an undisturbed run has them.
#[derive(Default)]
pub(super) struct Reference {
    whats: HashMap<What, u32>,
    /// By what kind of thread takes the step, and its number modulo [`PERIOD`].
    shapes: BTreeMap<(&'static str, u64), Shape>,
}

/// What was found in a trace.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Events that were read.
    pub(super) events: u64,
    /// Steps that were begun.
    pub(super) steps: u64,
    /// Steps that the program had behind it, and that are not in the trace as they have to be.
    pub(super) lost: u64,
    /// What is missing or wrong.
    pub(super) wrong: Vec<String>,
}

/// What is known of a site while a trace is read.
struct SiteInfo {
    kind: EventKind,
    what: u32,
    is_step: bool,
    is_cell: bool,
}

/// A trace being read.
struct Reading<'a> {
    trace: &'a Trace,
    sites: HashMap<SiteNo, SiteInfo>,
    /// Objects that got their identity.
    defined: HashSet<ObjectId>,
    /// Objects that events name.
    named: HashSet<ObjectId>,
    found: Found,
}

/// A step, as its thread's stream shows it.
struct Step {
    number: u64,
    shape: Shape,
    /// Returned, or ended by an exception.
    ended: bool,
}

impl Reference {
    /// Learns from the trace of a run that came to its end.
    pub(super) fn learn(trace: &Trace) -> Result<Reference> {
        let mut reference = Reference::default();
        for site in trace.sites() {
            let next = reference.whats.len() as u32;
            let what = (site.kind, site.method.clone(), site.target.name.clone());
            reference.whats.entry(what).or_insert(next);
        }
        let mut shapes: BTreeMap<(&'static str, u64), Shape> = BTreeMap::new();
        let mut reading = Reading::new(trace, &reference);
        for thread in trace.threads() {
            for step in reading.steps(thread) {
                let class = class_of(thread, step.number);
                let shape = shapes.entry(class).or_insert_with(|| step.shape.clone());
                if *shape != step.shape {
                    let (name, number) = (&thread.name, step.number);
                    bail!("step {number} of {name} is not as those before");
                }
            }
        }
        match reading.found.wrong.into_iter().next() {
            Some(wrong) => bail!(wrong),
            None => Ok(Reference {
                shapes,
                ..reference
            }),
        }
    }

    /// Compares a trace with what the program says it did.
    pub(super) fn check(&self, trace: &Trace, progress: &[u64]) -> Found {
        let mut reading = Reading::new(trace, self);
        for damage in trace.damage() {
            reading.found.complain(|| damage.to_string());
        }
        // Steps of each place that are there as they have to be, from the first on.
        let mut behind: BTreeMap<usize, u64> = BTreeMap::new();
        for thread in trace.threads() {
            let place = place_of(thread);
            let promised = place.and_then(|p| progress.get(p)).copied().unwrap_or(0);
            let steps = reading.steps(thread);
            let whole = self.whole(thread, &steps, promised, &mut reading.found);
            if let Some(place) = place {
                behind.insert(place, whole);
            }
        }
        reading.objects();
        let mut found = reading.found;
        for (place, &promised) in progress.iter().enumerate() {
            let whole = behind.get(&place).copied().unwrap_or(0);
            if whole < promised {
                found.lost += promised - whole;
                found.complain(|| format!("thread {place}: {whole} steps of {promised} are there"));
            }
        }
        found
    }

    /// How many steps of a thread, from the first on, are whole and in order.
    fn whole(&self, thread: &ThreadDef, steps: &[Step], promised: u64, found: &mut Found) -> u64 {
        let mut whole = 0;
        for (at, step) in (1..).zip(steps) {
            let expected = self.shapes.get(&class_of(thread, step.number));
            // The last one may have been interrupted, if the program did not note that it was done.
            let right = step.number == at
                && expected.is_some_and(|expected| {
                    if step.ended || at <= promised {
                        step.ended && *expected == step.shape
                    } else {
                        expected.starts_with(&step.shape)
                    }
                });
            if !right {
                found.complain(|| {
                    let name = &thread.name;
                    format!(
                        "{name}: step {} comes as the {at}th, or not whole",
                        step.number
                    )
                });
                break;
            }
            whole += u64::from(step.ended);
        }
        whole
    }
}

impl Found {
    fn complain(&mut self, what: impl FnOnce() -> String) {
        if self.wrong.len() < COMPLAINTS {
            self.wrong.push(what());
        }
    }
}

/// Place of a thread in the file of progress: the number in its name.
fn place_of(thread: &ThreadDef) -> Option<usize> {
    thread.name.rsplit_once('-')?.1.parse().ok()
}

/// What kind of thread takes the step, and what kind of step it is.
fn class_of(thread: &ThreadDef, number: u64) -> (&'static str, u64) {
    // Only what workers and short threads do depends on the number.
    if thread.name.starts_with("loader") {
        ("loader", 0)
    } else {
        ("worker", number % PERIOD)
    }
}

impl<'a> Reading<'a> {
    fn new(trace: &'a Trace, reference: &Reference) -> Self {
        let mut found = Found::default();
        let mut sites = HashMap::new();
        for site in trace.sites() {
            if trace.class(site.class).is_none() {
                found.complain(|| format!("the class of site {} is not in the trace", site.no));
            }
            let what = (site.kind, site.method.clone(), site.target.name.clone());
            let info = SiteInfo {
                kind: site.kind,
                what: reference.whats.get(&what).copied().unwrap_or(STRANGE),
                is_step: site.method == STEP,
                is_cell: site.kind == EventKind::PutField && site.target.name == CELL,
            };
            sites.insert(site.no, info);
        }
        Self {
            trace,
            sites,
            defined: HashSet::new(),
            named: HashSet::new(),
            found,
        }
    }

    /// The steps of a thread; complains of events that are not well formed.
    fn steps(&mut self, thread: &ThreadDef) -> Vec<Step> {
        let trace = self.trace;
        let mut steps: Vec<Step> = Vec::new();
        for event in trace.events(thread.no) {
            let event = match event {
                Ok(event) => event,
                Err(e) => {
                    self.found.complain(|| format!("{}: {e}", thread.name));
                    break;
                }
            };
            self.found.events += 1;
            if let Err(wrong) = self.event(&event, &mut steps) {
                let name = &thread.name;
                self.found
                    .complain(|| format!("{name}: {wrong}: {event:?}"));
            }
        }
        self.found.steps += steps.len() as u64;
        steps
    }

    /// Is everything there that the event names, and does it hold what it has to?
    fn event(&mut self, event: &Event, steps: &mut Vec<Step>) -> Result<(), &'static str> {
        self.names(event)?;
        if !event.kind.has_site() {
            return Ok(());
        }
        let site = event.site.and_then(|site| self.sites.get(&site));
        let site = site.ok_or("its site is not in the trace")?;
        if site.kind != event.kind {
            return Err("its site is of another kind");
        }
        if site.is_step && site.kind == EventKind::Enter {
            steps.push(Step {
                number: number_of(event)?,
                shape: Shape::new(),
                ended: false,
            });
        }
        let Some(step) = steps.last_mut().filter(|step| !step.ended) else {
            return Ok(());
        };
        step.shape.push(site.what);
        if site.is_step && matches!(site.kind, EventKind::Exit | EventKind::ExitThrow) {
            step.ended = true;
        }
        // A step that returns gives twice its number and the length of its text.
        let expected = match site.kind {
            EventKind::Exit if site.is_step => 2 * step.number + text_of(step.number).len() as u64,
            EventKind::PutField if site.is_cell => step.number,
            _ => return Ok(()),
        };
        match last_of(event) {
            Some(Value::Prim(Prim::Long(n))) if *n == expected as i64 => Ok(()),
            _ => Err("it holds another number"),
        }
    }

    /// Notes the objects that the event defines or names. An object may be defined by a thread that is read later.
    fn names(&mut self, event: &Event) -> Result<(), &'static str> {
        let values = match &event.payload {
            Payload::Define { id, class, .. } => {
                self.defined.insert(*id);
                let known = self.trace.class(*class);
                return known.map(drop).ok_or("its class is not in the trace");
            }
            Payload::Content { content, .. } => content.values(),
            Payload::Operands(values) => values,
        };
        for value in values {
            match value {
                Value::Object(id) => {
                    self.named.insert(*id);
                }
                Value::Class(no) if self.trace.class(*no).is_none() => {
                    return Err("a class that it names is not in the trace");
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Is every object defined that is named?
    fn objects(&mut self) {
        for id in self.named.difference(&self.defined) {
            // Of throwables that code outside made there is a description only.
            if self.trace.throwable(*id).is_none() {
                self.found
                    .complain(|| format!("object {id} is named, but never defined"));
            }
        }
    }
}

fn text_of(number: u64) -> String {
    format!("step {number}")
}

fn last_of(event: &Event) -> Option<&Value> {
    match &event.payload {
        Payload::Operands(values) => values.last(),
        _ => None,
    }
}

/// Number of the step that begins with this event; its text and its array are looked at, too.
fn number_of(event: &Event) -> Result<u64, &'static str> {
    let Payload::Operands(values) = &event.payload else {
        return Err("no operands");
    };
    let [
        Value::Object(_),
        Value::Prim(Prim::Long(number)),
        Value::Str(text),
        Value::Object(_),
    ] = values.as_slice()
    else {
        return Err("not the operands of a step");
    };
    let number = u64::try_from(*number).map_err(|_| "a number below zero")?;
    if *text == JavaString::new(&text_of(number)) {
        Ok(number)
    } else {
        Err("text and number differ")
    }
}
