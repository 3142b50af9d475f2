//! Arbitrary bytes as a trace file, checksums not looked at: an error, or events that can be read from both ends.
#![no_main]

use jinsi_trace::reader::Trace;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(trace) = Trace::from_bytes(bytes.to_vec()) else {
        return;
    };
    for thread in trace.threads() {
        let forward: Result<Vec<_>, _> = trace.events(thread.no).collect();
        let backward: Result<Vec<_>, _> = trace.events_backward(thread.no).collect();
        if let (Ok(forward), Ok(backward)) = (forward, backward) {
            assert_eq!(forward.len(), backward.len());
        }
    }
    trace
        .damage()
        .iter()
        .for_each(|d| assert!(!d.to_string().is_empty()));
});
