//! Arbitrary bytes as raw events: errors, or events that are written back as they were read.
#![no_main]

use std::collections::HashMap;

use jinsi_trace::model::{ALWAYS, EventKind, RunPart, SiteNo};
use jinsi_trace::raw::{SiteShape, Walker, encode, operand_letters};
use libfuzzer_sys::fuzz_target;

/// More than there are: some sites are of no kind.
const KINDS: u32 = 32;

fuzz_target!(|bytes: &[u8]| {
    let operands = ["", "L", "I", "LIJ", "ZBCSIJFDL"];
    let shapes: HashMap<SiteNo, SiteShape> = (0..5 * KINDS)
        .filter_map(|no| {
            let kind = EventKind::from_u8((no % KINDS + 1) as u8)?;
            let site = SiteNo::new(no)?;
            let part = |kind, operands: &[(u8, i32)]| RunPart {
                kind,
                site,
                operands: operands.to_vec(),
            };
            // Of a run with fewer operands the first names one that is not there.
            let parts = [
                part(EventKind::ArrayLoad, &[(0, 0), (1, 3), (2, -1)]),
                part(EventKind::Path, &[(ALWAYS, 7)]),
            ];
            Some((
                site,
                SiteShape {
                    kind,
                    operands: operands[(no / KINDS) as usize % operands.len()].into(),
                    parts: match kind {
                        EventKind::Run => parts.into(),
                        _ => [].into(),
                    },
                },
            ))
        })
        .collect();
    for event in Walker::new(bytes).flatten() {
        let apart = event.to_events(&shapes);
        let whole = event.to_event(&shapes);
        assert!(apart.is_err() || whole.is_ok());
    }
    for event in Walker::new(bytes)
        .flatten()
        .filter_map(|e| e.to_event(&shapes).ok())
    {
        let letters = operand_letters(event.kind, event.site, &shapes).expect("the site was known");
        let mut written = Vec::new();
        encode(&event, letters.as_deref().unwrap_or_default(), &mut written)
            .expect("it can be written");
        let again = Walker::new(&written)
            .next()
            .expect("an event")
            .expect("a sound one");
        assert_eq!(again.to_event(&shapes).as_ref(), Ok(&event));
    }
});
