//! Rewriting class files with the agent's own code, and what became of them.

use std::collections::BTreeMap;
use std::panic;

use jinsi_classfile::ClassFile;
use jinsi_instrument::selection::Selection;
use jinsi_instrument::{InstrumentError, Instrumented, ProbeSet, instrument, instrument_outside};
use jinsi_trace::model::{ClassNo, Detail, SiteNo};

/// How classes are looked at. The ways make all kinds of probes between them: calls of observed classes are recorded otherwise than
/// calls of the environment, whose content is recorded besides, and inherited code has probes of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// Every class is observed.
    All,
    /// Only the class that is rewritten.
    Alone,
    /// Not this class, but one that inherits from it.
    Inherited,
    /// Not this class, but all whose fields it accesses.
    Outside,
    /// Only the class, and only what crosses its edge.
    Boundary,
    /// The same of code that is inherited.
    BoundaryInherited,
    /// Only the class, and which way its methods go.
    Instructions,
}

impl View {
    pub(crate) const EACH: [View; 7] = [
        View::All,
        View::Alone,
        View::Inherited,
        View::Outside,
        View::Boundary,
        View::BoundaryInherited,
        View::Instructions,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            View::All => "all observed",
            View::Alone => "alone observed",
            View::Inherited => "inherited from",
            View::Outside => "accesses fields",
            View::Boundary => "at its boundary",
            View::BoundaryInherited => "inherited from, at the boundary",
            View::Instructions => "alone, instruction by instruction",
        }
    }

    fn selection(self, class: &str) -> Selection {
        match self {
            View::All => Selection::for_checking(None),
            View::Alone => Selection::for_checking(Some(class)),
            // No class has no name.
            View::Inherited | View::Outside => Selection::for_checking(Some("")),
            View::Boundary => Selection::for_checking(Some(class)).in_detail(Detail::Boundary),
            View::Instructions => {
                Selection::for_checking(Some(class)).in_detail(Detail::Instructions)
            }
            View::BoundaryInherited => {
                Selection::for_checking(Some("")).in_detail(Detail::Boundary)
            }
        }
    }

    /// The class with this view's probes; as it was, if it has none.
    fn instrument(
        self,
        bytes: &[u8],
        selection: &Selection,
        next_site: &mut dyn FnMut() -> SiteNo,
    ) -> Result<Instrumented, InstrumentError> {
        match self {
            View::All | View::Alone | View::Boundary | View::Instructions => instrument(
                ClassNo::FIRST,
                ProbeSet::Observed,
                bytes,
                selection,
                next_site,
            ),
            View::Inherited | View::BoundaryInherited => instrument(
                ClassNo::FIRST,
                ProbeSet::Inherited,
                bytes,
                selection,
                next_site,
            ),
            View::Outside => {
                let done =
                    instrument_outside(ClassNo::FIRST, bytes, selection, &|_| true, next_site)?;
                Ok(done.unwrap_or_else(|| Instrumented {
                    bytes: bytes.to_vec(),
                    sites: Vec::new(),
                    thinned: Vec::new(),
                    left_out: Vec::new(),
                }))
            }
        }
    }
}

/// What became of a class file.
pub(crate) enum Outcome {
    /// It has probes now.
    Rewritten {
        bytes: Vec<u8>,
        /// Methods that have fewer, and what they lack.
        thinned: Vec<String>,
        /// Methods that have none, and why.
        left_out: Vec<String>,
    },
    /// It stays as it was.
    Skipped {
        /// Kind of reason.
        reason: &'static str,
        /// The reason itself.
        text: String,
    },
    /// The rewriter panicked.
    Panicked(String),
}

/// The internal name a class file gives itself, if it can be read.
pub(crate) fn class_name(bytes: &[u8]) -> Option<String> {
    let class = ClassFile::parse(bytes).ok()?;
    Some(class.name().ok()?.into_owned())
}

/// Rewrites the class file of the class with this name.
pub(crate) fn rewrite(name: &str, bytes: &[u8], view: View) -> Outcome {
    let selection = view.selection(name);
    let mut sites = 0;
    let mut next_site = || {
        sites += 1;
        SiteNo::FIRST.behind(sites - 1)
    };
    let done = panic::catch_unwind(panic::AssertUnwindSafe(|| {
        view.instrument(bytes, &selection, &mut next_site)
    }));
    match done {
        Ok(Ok(done)) => Outcome::Rewritten {
            bytes: done.bytes,
            thinned: done.thinned,
            left_out: done.left_out,
        },
        Ok(Err(error)) => Outcome::Skipped {
            reason: reason(&error),
            text: error.to_string(),
        },
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Outcome::Panicked(text.unwrap_or_else(|| "panicked".to_owned()))
        }
    }
}

fn reason(error: &InstrumentError) -> &'static str {
    match error {
        InstrumentError::Parse(_)
        | InstrumentError::Pool(_)
        | InstrumentError::Descriptor(_)
        | InstrumentError::Code(_)
        | InstrumentError::References(_) => "malformed",
        InstrumentError::Flow(_) | InstrumentError::Frames(_) => "control flow",
        InstrumentError::Edit(_) | InstrumentError::Asm(_) | InstrumentError::Write(_) => "no room",
        InstrumentError::Method { source, .. } => reason(source),
    }
}

/// Counts by kind what methods lack, or why they have nothing: the part of a line behind the method's name.
pub(crate) fn count_by_reason(lines: &[String], into: &mut BTreeMap<String, u64>) {
    for line in lines {
        let what = line
            .split_once(": ")
            .map_or(line.as_str(), |(_, what)| what);
        *into.entry(what.to_owned()).or_default() += 1;
    }
}
