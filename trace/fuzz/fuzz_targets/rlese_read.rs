//! Arbitrary bytes as a grammar: an error, or a sequence that is the same from both ends and is written back as it was.
#![no_main]

use jinsi_rlese::Grammar;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok((grammar, used)) = Grammar::read_from(bytes, 100_000) else {
        return;
    };
    let mut symbols: Vec<u64> = grammar.iter().collect();
    assert_eq!(symbols.len() as u64, grammar.len());
    symbols.reverse();
    assert!(grammar.iter_backward().eq(symbols));
    let mut written = Vec::new();
    grammar.write_to(&mut written);
    assert_eq!(written, &bytes[..used]);
});
