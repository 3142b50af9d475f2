//! What others notice of a run: what it printed, and its exceptions.

use std::collections::BTreeSet;

use jinsi_trace::model::{EventId, EventKind, MemberRef, ObjectId, Site, SiteNo, ThreadNo, Value};
use jinsi_trace::reader::Trace;

use crate::Inspector;
use crate::error::InspectError;
use jinsi_steps::moment::Moment;
use jinsi_steps::tape::Item;

/// The class whose calls print.
const PRINTS: &str = "java/io/PrintStream";
/// Its methods that do.
const PRINTING: [&str; 6] = ["print", "println", "printf", "format", "append", "write"];

/// Something that recorded code printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The call.
    pub event: EventId,
    /// The method: `println`, `print`, ….
    pub method: String,
    /// What it was given.
    pub arguments: Vec<Value>,
}

/// An exception that went through recorded code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thrown {
    /// Where it was seen first: right behind the event.
    pub moment: Moment,
    /// Its identity.
    pub throwable: ObjectId,
    /// Binary name of its class, if known.
    pub class: String,
    /// Its message, if it has one.
    pub message: Option<String>,
    /// Was it caught there, in the method that it was thrown in or called from?
    pub caught: bool,
}

impl Inspector<'_> {
    /// What recorded code of a thread printed, oldest first, at most so many.
    ///
    /// # Errors
    /// There is no such thread; the trace cannot be read.
    pub fn output(&self, thread: ThreadNo, most: usize) -> Result<Vec<Printed>, InspectError> {
        let index = self.index.threads.get(&thread);
        let index = index.ok_or(InspectError::NoThread(thread))?;
        let mut all = Vec::new();
        for &no in &index.prints {
            let replayed = self.player().stretch(thread, no)?;
            for item in &replayed.tape.items {
                let Item::Event(event) = item else { continue };
                let met = replayed.tape.event(*event);
                let Some(site) = met.site.filter(|_| met.kind == EventKind::Call) else {
                    continue;
                };
                let Some(site) = prints(self.trace(), site) else {
                    continue;
                };
                if all.len() >= most {
                    return Ok(all);
                }
                all.push(Printed {
                    event: EventId {
                        thread,
                        index: met.index,
                    },
                    method: site.target.name.to_string(),
                    arguments: replayed
                        .tape
                        .operands(*event)
                        .iter()
                        .skip(1)
                        .cloned()
                        .collect(),
                });
            }
        }
        Ok(all)
    }

    /// The exceptions of a thread, each where it was seen first.
    ///
    /// # Errors
    /// There is no such thread.
    pub fn exceptions(&self, thread: ThreadNo) -> Result<Vec<Thrown>, InspectError> {
        let index = self.index.threads.get(&thread);
        let index = index.ok_or(InspectError::NoThread(thread))?;
        let mut seen = BTreeSet::new();
        let first = index.thrown.iter().filter(|t| seen.insert(t.throwable));
        let all = first.map(|thrown| {
            let def = self.trace().throwable(thrown.throwable);
            Thrown {
                moment: Moment::after(EventId {
                    thread,
                    index: thrown.index,
                }),
                throwable: thrown.throwable,
                class: match def {
                    Some(def) => def.class.clone(),
                    None => self
                        .class_of(thrown.throwable)
                        .unwrap_or("?")
                        .replace('/', "."),
                },
                message: def.and_then(|def| def.text.clone().or_else(|| def.message.clone())),
                caught: thrown.caught,
            }
        });
        Ok(all.collect())
    }

    /// The instruction that threw an exception, or that called what threw it: the last one before recorded code of the thread saw the exception.
    ///
    /// # Errors
    /// There is no such thread; the trace cannot be read.
    pub fn thrown_at(
        &self,
        thread: ThreadNo,
        throwable: ObjectId,
    ) -> Result<Option<Moment>, InspectError> {
        let index = self.index.threads.get(&thread);
        let index = index.ok_or(InspectError::NoThread(thread))?;
        let first = index.thrown.iter().find(|t| t.throwable == throwable);
        let seen = first.map(|thrown| EventId {
            thread,
            index: thrown.index,
        });
        seen.map_or(Ok(None), |event| self.back(Moment::after(event)))
    }
}

impl Inspector<'_> {
    /// The methods that were running when an exception was seen first, innermost first: those of recorded code.
    ///
    /// # Errors
    /// There is no such thread; the trace cannot be read.
    pub fn thrown_in(
        &self,
        thread: ThreadNo,
        throwable: ObjectId,
    ) -> Result<Vec<MemberRef>, InspectError> {
        let Some(thrown) = self.thrown_at(thread, throwable)? else {
            return Ok(Vec::new());
        };
        let frames = self.state(thrown)?.frames;
        Ok(frames.into_iter().map(|frame| frame.method).collect())
    }
}

/// The site with this number, if what is called there prints.
pub(crate) fn prints(trace: &Trace, no: SiteNo) -> Option<&Site> {
    let site = trace.site(no)?;
    let prints =
        site.target.owner == PRINTS && PRINTING.iter().any(|name| site.target.name == *name);
    prints.then_some(site)
}
