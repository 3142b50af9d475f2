//! Any sequence comes back from its grammar, forward, backward and through bytes, at a cost linear in its length.
//!
//! An input byte below 128 is a symbol, one above repeats the symbol before it: long runs come from few bytes.
#![no_main]

use jinsi_rlese::{Builder, Grammar};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut symbols = Vec::new();
    for &byte in bytes {
        match byte.checked_sub(128) {
            None => symbols.push(u64::from(byte)),
            Some(times) => symbols.extend(std::iter::repeat_n(
                symbols.last().copied().unwrap_or(0),
                times.into(),
            )),
        }
    }
    let mut builder = Builder::new();
    symbols.iter().for_each(|&symbol| builder.push(symbol));
    assert!(builder.digram_checks() <= 33 * symbols.len() as u64);
    let mut written = Vec::new();
    builder.take().write_to(&mut written);
    let (grammar, used) =
        Grammar::read_from(&written, symbols.len() as u64).expect("what was written is read");
    assert_eq!(used, written.len());
    assert!(grammar.iter().eq(symbols.iter().copied()));
    assert!(grammar.iter_backward().eq(symbols.iter().rev().copied()));
    // The builder is as new.
    symbols.iter().for_each(|&symbol| builder.push(symbol));
    assert_eq!(builder.finish(), grammar);
});
