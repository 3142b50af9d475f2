//! What happens to a class of the environment when it loads: it goes into the class table as a skeleton, and has probes where it
//! accesses fields of observed classes.

use jinsi_classfile::scan::References;
use jinsi_trace::model::Record;

use crate::incoming::Incoming;
use crate::message::Missing;
use crate::recorder::Recorder;
use crate::rewritten::EarlierForm;
use jinsi_instrument::instrument_outside;

/// A class that is not observed, nor the JDK's, is being loaded or retransformed; new bytes if it has got probes. `references`: what its
/// constants say, if it is well-formed.
pub fn load(
    recorder: &Recorder,
    class: Incoming<'_>,
    references: Option<&References<'_>>,
) -> Option<Vec<u8>> {
    let Incoming {
        name,
        loader,
        bytes,
    } = class;
    let form = references.and_then(|references| form(recorder, class, references));
    let Some(form) = form else {
        recorder.tables.skeleton(name, bytes);
        return None;
    };
    let (no, new) = recorder.tables.class_no(name);
    let old = match recorder.numbers.past.known(no, loader, &form) {
        EarlierForm::Numbers(numbers) => Some(numbers),
        EarlierForm::Unprobed | EarlierForm::Changed => None,
    };
    let mut taken = Vec::new();
    let mut next_site = || {
        let known = old.as_ref().and_then(|numbers| numbers.get(taken.len()));
        let site = known
            .copied()
            .unwrap_or_else(|| recorder.tables.reserve_site());
        taken.push(site);
        site
    };
    let touches = |owner: &str| recorder.reaches_observed(owner);
    let done = instrument_outside(no, bytes, &recorder.selection, &touches, &mut next_site);
    if new {
        recorder.tables.environment(no, name, bytes);
    }
    match done {
        Ok(Some(done)) => {
            if old.is_none() {
                recorder.numbers.past.remember(no, loader, &form, taken);
            }
            if old.is_none() || new {
                recorder.tables.record(&Record::Sites(done.sites));
                for what in done.thinned {
                    let reason = Missing::NoRoom { what: &what }.to_string();
                    recorder.tables.note_loss(name, reason);
                }
            }
            Some(done.bytes)
        }
        Ok(None) => None,
        Err(e) => {
            let reason = Missing::Accesses {
                why: &e.to_string(),
            }
            .to_string();
            recorder.tables.note_loss(name, reason);
            None
        }
    }
}

/// What the class's sites depend on, so that the same gets the same numbers: its bytes, and the classes in it known to be observed or to
/// inherit from an observed one. `None` if there can be nothing to record.
fn form(recorder: &Recorder, class: Incoming<'_>, references: &References<'_>) -> Option<Vec<u8>> {
    recorder
        .tables
        .inherits(class.name, references.super_name.as_deref());
    let owners = references.field_owners.iter();
    let touched: Vec<_> = owners.filter(|o| recorder.reaches_observed(o)).collect();
    if touched.is_empty() && !references.var_handles {
        return None;
    }
    let mut form = class.bytes.to_vec();
    for owner in touched {
        form.extend_from_slice(owner.as_bytes());
    }
    if references.var_handles {
        // Whose fields the handles access is not looked up here: all that can change is how much is known of superclasses.
        form.extend_from_slice(&recorder.tables.known_parents().to_le_bytes());
    }
    Some(form)
}
