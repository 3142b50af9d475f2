//! Arbitrary bytes as raw events: errors, or events that are written back as they were read.
#![no_main]

use std::collections::HashMap;

use jinsi_trace::model::{EventKind, SiteNo};
use jinsi_trace::raw::{SiteShape, Walker, encode, operand_letters};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let operands = ["", "L", "I", "LIJ", "ZBCSIJFDL"];
    let shapes: HashMap<SiteNo, SiteShape> = (0..128)
        .filter_map(|no| {
            let kind = EventKind::from_u8((no % 16 + 1) as u8)?;
            Some((
                no,
                SiteShape {
                    kind,
                    operands: operands[no as usize / 16 % operands.len()].into(),
                    parts: [].into(),
                },
            ))
        })
        .collect();
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
