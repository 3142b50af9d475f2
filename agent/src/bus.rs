//! Faults on the thread buffers: the trace was truncated while it was being written, or the disk is full on a file system that
//! reserves no space. HotSpot would throw an `InternalError` at the program, or die. Instead the page is replaced by memory, the store
//! is repeated, and the recording ends. Every other fault goes to the handler that was there before, which is the JVM's.

use jinsi_platform::faults::on_lost_page;
use jinsi_trace::writer::heal;

use crate::jvm_options;

/// Handles such faults from now on, unless the JVM would complain.
pub(crate) fn watch() {
    if !jvm_options::check_jni() {
        on_lost_page(heal);
    }
}
