//! How a run tells the rows of each table.

pub(crate) mod accesses;
pub(crate) mod calls;
pub(crate) mod classes;
pub(crate) mod events;
pub(crate) mod exceptions;
pub(crate) mod instructions;
pub(crate) mod members;
pub(crate) mod objects;
pub(crate) mod output;
pub(crate) mod runs;
pub(crate) mod threads;

use jinsi_trace::model::Site;
use jinsi_trace::reader::Trace;

use crate::values::dotted;

/// Name of the class whose code a site is in.
pub(crate) fn class_of(trace: &Trace, site: &Site) -> Option<String> {
    trace.class(site.class).map(|class| dotted(&class.name))
}

/// `com.foo.Bar.m`.
pub(crate) fn method_of(trace: &Trace, site: &Site) -> Option<String> {
    class_of(trace, site).map(|class| format!("{class}.{}", site.method))
}
