//! What is missing of a trace.

use jinsi_trace::reader::Trace;

/// What is missing of a trace, in sentences.
pub fn remarks(trace: &Trace) -> Vec<String> {
    let mut remarks = Vec::new();
    if !trace.damage().is_empty() {
        remarks.push(format!(
            "The trace is damaged in {} places: what is there is shown.",
            trace.damage().len()
        ));
    }
    if trace.end().is_none() {
        remarks.push("The recording was cut short: the program's end is not in it.".to_owned());
    }
    if trace.window().is_some() {
        remarks.push("Only the last part of the run was kept.".to_owned());
    }
    if trace.events_dropped() > 0 {
        remarks.push(format!("{} events were dropped.", trace.events_dropped()));
    }
    remarks
}
