//! The published examples, properties of every grammar, both directions against the plain sequence, hostile bytes.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

fn grammar(symbols: &[u64]) -> Grammar {
    symbols.iter().copied().collect()
}

/// `(symbol, run)` pairs written out.
fn runs(runs: &[(u64, usize)]) -> Vec<u64> {
    runs.iter()
        .flat_map(|&(symbol, run)| std::iter::repeat_n(symbol, run))
        .collect()
}

fn bytes(grammar: &Grammar) -> Vec<u8> {
    let mut out = Vec::new();
    grammar.write_to(&mut out);
    out
}

/// Unfolds a grammar by plain recursion over the rules.
fn unfold(grammar: &Grammar, rule: usize, out: &mut Vec<u64>) {
    for node in &grammar.nodes[grammar.right_side(rule)] {
        for _ in 0..node.run {
            match node.sym.is_rule() {
                true => unfold(grammar, node.sym.index(), out),
                false => out.push(grammar.alphabet[node.sym.index()]),
            }
        }
    }
}

/// The three properties, looked for everywhere.
fn violation(grammar: &Grammar) -> Option<String> {
    let mut digrams = HashSet::new();
    let mut references: HashMap<usize, Vec<u64>> = HashMap::new();
    for rule in 0..grammar.rule_count() {
        let nodes = &grammar.nodes[grammar.right_side(rule)];
        if nodes.iter().any(|node| node.run == 0) {
            return Some(format!("run-length 0 in {grammar}"));
        }
        if rule > 0 && nodes.iter().map(|node| node.run).sum::<u64>() < 2 {
            return Some(format!("rule {rule} is too short in {grammar}"));
        }
        for pair in nodes.windows(2) {
            if pair[0].sym == pair[1].sym {
                return Some(format!("contiguous repeat in rule {rule} of {grammar}"));
            }
            if !digrams.insert((pair[0].sym.0, pair[1].sym.0)) {
                return Some(format!("a digram occurs twice in {grammar}"));
            }
        }
        for node in nodes.iter().filter(|node| node.sym.is_rule()) {
            references
                .entry(node.sym.index())
                .or_default()
                .push(node.run);
        }
    }
    (1..grammar.rule_count())
        .find(|rule| {
            references
                .get(rule)
                .is_none_or(|runs| runs.len() < 2 && runs[0] < 2)
        })
        .map(|rule| format!("rule {rule} is useless in {grammar}"))
}

/// All that must hold for a sequence.
fn check(symbols: &[u64]) -> Result<(), TestCaseError> {
    let mut builder = Builder::new();
    symbols.iter().for_each(|&symbol| builder.push(symbol));
    // 33 n elementary operations (Wang 2007, Appendix A.1).
    prop_assert!(builder.digram_checks() <= 33 * symbols.len() as u64);
    let built = builder.finish();
    prop_assert_eq!(violation(&built), None);
    let mut plain = Vec::new();
    unfold(&built, 0, &mut plain);
    prop_assert_eq!(&plain, symbols);
    prop_assert_eq!(built.len(), symbols.len() as u64);
    prop_assert!(built.node_count() <= symbols.len());

    let encoded = bytes(&built);
    let (read, used) = Grammar::read_from(&encoded, symbols.len() as u64)
        .map_err(|e| TestCaseError::fail(e.to_string()))?;
    prop_assert_eq!(used, encoded.len());
    prop_assert_eq!(&read, &built);
    prop_assert!(read.iter().eq(symbols.iter().copied()));
    prop_assert!(read.iter_backward().eq(symbols.iter().rev().copied()));
    Ok(())
}

#[test]
fn golden_grammars() {
    let cases: [(Vec<u64>, &str); 8] = [
        (vec![], "S→"),
        (vec![7], "S→7:1"),
        (runs(&[(23, 1), (38, 4)]), "S→23:1, 38:4"),
        (
            runs(&[(23, 1), (38, 6), (23, 1), (38, 8)]),
            "S→R1:2, 38:2; R1→23:1, 38:6",
        ),
        (
            vec![1, 2, 2, 1, 2, 2, 3, 1, 2, 2],
            "S→R1:2, 3:1, R1:1; R1→1:1, 2:2",
        ),
        // Indexes 0 1 2 3 as differences.
        (vec![0, 1, 1, 1], "S→0:1, 1:3"),
        (vec![55, 53, 55, 53], "S→R1:2; R1→55:1, 53:1"),
        // SEQUITUR's example (section 2.4), where B B becomes one node.
        (vec![1, 2, 3, 1, 2, 3], "S→R1:2; R1→1:1, 2:1, 3:1"),
    ];
    for (symbols, expected) in cases {
        assert_eq!(grammar(&symbols).to_string(), expected);
    }
}

/// Figure 3.4: `S→A:2,c:1,A:1; A→a:1,b:2`, read from the end.
#[test]
fn golden_backward_walk() {
    let (a, b, c) = (1, 2, 3);
    let built = grammar(&[a, b, b, a, b, b, c, a, b, b]);
    let mut cursor = Cursor::at_end(&built);
    assert_eq!(cursor.backward(), Some(b));
    assert_eq!(cursor.position(), 9);
    assert!(Backward(cursor).eq([b, a, c, b, b, a, b, b, a]));
    assert!(built.iter_backward().eq([b, b, a, c, b, b, a, b, b, a]));
}

#[test]
fn ends_are_stable() {
    let built = grammar(&[1, 2, 2]);
    let mut cursor = Cursor::at_start(&built);
    assert_eq!(cursor.backward(), None);
    assert_eq!(
        [cursor.forward(), cursor.forward(), cursor.forward()],
        [Some(1), Some(2), Some(2)]
    );
    assert_eq!([cursor.forward(), cursor.forward()], [None, None]);
    assert_eq!(cursor.backward(), Some(2));
    let empty = grammar(&[]);
    assert_eq!(
        (
            Cursor::at_end(&empty).forward(),
            Cursor::at_end(&empty).backward()
        ),
        (None, None)
    );
}

/// The deferred form touches the grammar once a run: two runs more cost no lookups more when they are longer.
#[test]
fn long_runs_cost_no_checks() {
    let checks = |length| {
        let mut builder = Builder::new();
        runs(&[(1, length), (2, length), (1, length), (2, length), (3, 1)])
            .into_iter()
            .for_each(|s| builder.push(s));
        builder.digram_checks()
    };
    assert_eq!(checks(2), checks(5000));
}

#[test]
fn loops_compress_to_almost_nothing() {
    // A nest of three loops with a branch that is taken every third time, as control streams are.
    let mut symbols = Vec::new();
    for outer in 0..100 {
        symbols.push(1);
        for inner in 0..60 {
            symbols.push(2 + u64::from(inner % 3 == 0));
            symbols.extend([1 << 32 | 9; 5]);
        }
        symbols.push(4 + u64::from(outer % 2 == 0));
    }
    let encoded = bytes(&grammar(&symbols));
    assert!(
        encoded.len() < 80,
        "{} bytes for {} symbols",
        encoded.len(),
        symbols.len()
    );
}

#[test]
fn every_short_sequence_of_three_symbols() {
    for length in 0..=9u32 {
        for number in 0..3u32.pow(length) {
            let symbols: Vec<u64> = (0..length)
                .map(|place| u64::from(number / 3u32.pow(place) % 3))
                .collect();
            check(&symbols).unwrap();
        }
    }
}

#[test]
fn known_hard_sequences() {
    let fibonacci = (0..20)
        .fold((vec![0], vec![0, 1]), |(a, b), _| {
            (b.clone(), [b, a].concat())
        })
        .1;
    check(&fibonacci).unwrap();
    let thue_morse: Vec<u64> = (0..20_000u64)
        .map(|i| u64::from(i.count_ones() % 2))
        .collect();
    check(&thue_morse).unwrap();
    // Runs of rising length: every digram is similar and none is identical.
    let rising: Vec<(u64, usize)> = (0..400).map(|i| (i % 2, i as usize / 2 + 1)).collect();
    check(&runs(&rising)).unwrap();
    let falling: Vec<(u64, usize)> = rising.into_iter().rev().collect();
    check(&runs(&falling)).unwrap();
    // Doubling with a new end: rules as deep as they get.
    let deep = (0..14).fold(vec![0], |half: Vec<u64>, i| {
        [half.clone(), half, vec![i + 1]].concat()
    });
    check(&deep).unwrap();
    check(&(0..5000).collect::<Vec<u64>>()).unwrap();
    // Triangular loops: rules in rules as deep as there are rows.
    let triangle: Vec<u64> = (0..120)
        .flat_map(|row| [[1, 2, 3].repeat(row % 70), vec![4]].concat())
        .collect();
    check(&triangle).unwrap();
}

fn sequence() -> impl Strategy<Value = Vec<u64>> {
    let symbol = prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), 0..4u64];
    let periodic = (
        vec(0..5u64, 1..12),
        1..40usize,
        vec((any::<usize>(), 0..5u64), 0..6),
    )
        .prop_map(|(period, times, noise)| {
            let mut symbols = period.repeat(times);
            for (place, symbol) in noise {
                let place = place % symbols.len();
                symbols[place] = symbol;
            }
            symbols
        });
    // Blocks from a small stock in any order, stock blocks made of runs: rules of rules with uneven run-lengths.
    let blocks = (
        vec(vec((0..3u64, 1..5usize), 1..6), 1..5),
        vec((any::<usize>(), 1..4usize), 0..60),
    )
        .prop_map(|(stock, order)| {
            order
                .into_iter()
                .flat_map(|(block, times)| runs(&stock[block % stock.len()]).repeat(times))
                .collect()
        });
    prop_oneof![
        vec(symbol, 0..200),
        vec(0..2u64, 0..400),
        vec(0..6u64, 0..400),
        vec((0..3u64, 1..9usize), 0..120).prop_map(|pairs| runs(&pairs)),
        periodic,
        blocks,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// A builder that was used before builds what a new one builds.
    #[test]
    fn a_builder_can_be_used_again(sequences in vec(sequence(), 1..5)) {
        let mut builder = Builder::new();
        for symbols in sequences {
            symbols.iter().for_each(|&symbol| builder.push(symbol));
            prop_assert_eq!(builder.take(), grammar(&symbols));
            prop_assert_eq!(builder.digram_checks(), 0);
        }
    }

    /// A nest of loops that is left at any place and taken up again: guesses of all lengths that turn out wrong.
    #[test]
    fn broken_loops(
        body in vec((0..6u64, 1..3usize), 1..8),
        pieces in vec((0..400usize, 0..400usize, 0..7u64), 1..12),
    ) {
        let inner = runs(&body);
        let outer: Vec<u64> = [vec![9], inner.repeat(5), vec![8], inner.repeat(2)].concat().repeat(4);
        let mut symbols = outer.clone();
        for (from, length, end) in pieces {
            symbols.extend(outer.iter().cycle().skip(from % outer.len()).take(length));
            symbols.push(end);
        }
        check(&symbols)?;
    }

    #[test]
    fn round_trip_and_properties(symbols in sequence()) {
        check(&symbols)?;
    }

    /// A cursor that turns around at any place agrees with an index into the plain sequence.
    #[test]
    fn a_cursor_turns_anywhere(symbols in sequence(), steps in vec((any::<bool>(), 0..30usize), 0..30), at_end: bool) {
        let built = grammar(&symbols);
        let mut cursor = if at_end { Cursor::at_end(&built) } else { Cursor::at_start(&built) };
        let mut place = if at_end { symbols.len() } else { 0 };
        for (forward, count) in steps {
            for _ in 0..count {
                if forward {
                    prop_assert_eq!(cursor.forward(), symbols.get(place).copied());
                    place = (place + 1).min(symbols.len());
                } else {
                    prop_assert_eq!(cursor.backward(), place.checked_sub(1).map(|before| symbols[before]));
                    place = place.saturating_sub(1);
                }
                prop_assert_eq!(cursor.position(), place as u64);
            }
        }
    }

    /// Arbitrary bytes: an error, or a grammar that can be walked and is written back as the same bytes.
    #[test]
    fn arbitrary_bytes(bytes_in in vec(prop_oneof![0..6u8, any::<u8>()], 0..60)) {
        if let Ok((read, used)) = Grammar::read_from(&bytes_in, 10_000) {
            prop_assert_eq!(read.iter().count() as u64, read.len());
            prop_assert_eq!(read.iter_backward().count() as u64, read.len());
            prop_assert_eq!(&bytes(&read)[..], &bytes_in[..used]);
        }
    }

    #[test]
    fn damaged_bytes(symbols in sequence(), place: usize, flip in 1..=255u8, cut: usize) {
        let mut damaged = bytes(&grammar(&symbols));
        let cut = cut % damaged.len();
        let is_error = Grammar::read_from(&damaged[..cut], u64::MAX).is_err();
        prop_assert!(is_error, "a proper prefix was read");
        let place = place % damaged.len();
        damaged[place] ^= flip;
        if let Ok((read, _)) = Grammar::read_from(&damaged, 10_000) {
            prop_assert_eq!(read.iter().count() as u64, read.len());
        }
    }
}

#[test]
fn bytes_behind_the_grammar_are_left_alone() {
    let mut out = bytes(&grammar(&[5, 5, 6]));
    let used = out.len();
    out.extend([0xff; 9]);
    assert_eq!(Grammar::read_from(&out, 3).map(|(_, used)| used), Ok(used));
}

/// Reads a grammar over one terminal; rules as listed: counts, then codes.
fn read(bytes: &[u8], limit: u64) -> Result<String, GrammarError> {
    Grammar::read_from(bytes, limit).map(|(read, _)| read.to_string())
}

#[test]
fn a_sequence_is_read_up_to_the_limit() {
    let three = [1, 0, 0, 1, 0b001, 1];
    assert_eq!(read(&three, 9), Ok("S→0:3".into()));
    assert_eq!(read(&three, 2), Err(GrammarError::TooLong { limit: 2 }));
    assert_eq!(read(&[], 9), Err(GrammarError::Truncated { at: 0 }));
}

/// 200 rules that each double the next one: too long for any limit, and refused without being walked.
#[test]
fn a_sequence_too_long_for_any_limit_is_refused() {
    let mut doubling = vec![1, 0, 200, 1];
    for _ in 0..200 {
        doubling.extend([1, 0b011, 0]);
    }
    doubling.extend([1, 0b001, 0]);
    assert_eq!(
        read(&doubling, u64::MAX),
        Err(GrammarError::TooLong { limit: u64::MAX })
    );
}

#[test]
fn references_to_what_is_not_there_are_refused() {
    let refused = Err(GrammarError::Reference { at: 4 });
    let terminal = read(&[1, 0, 0, 1, 0b100], 9);
    assert_eq!(terminal, refused, "no second terminal");
    let rule = read(&[1, 0, 0, 1, 0b010], 9);
    assert_eq!(rule, refused, "no second rule");
}

#[test]
fn useless_rules_are_refused() {
    let refused = Err(GrammarError::Useless { rule: 1 });
    assert_eq!(read(&[1, 0, 1, 1, 0b010, 1, 0], 9), refused);
    assert_eq!(read(&[1, 0, 1, 1, 0b010, 0], 9), refused);
}

#[test]
fn impossible_numbers_are_refused() {
    let refused = Err(GrammarError::Number { at: 0 });
    assert_eq!(read(&[0x80, 0x00], 9), refused, "not the shortest form");
    assert_eq!(read(&[0xff; 10], 9), refused, "more than 64 bits");
    assert_eq!(
        read(&[1, 0, 9, 0], 9),
        Err(GrammarError::Count { count: 9, at: 2 })
    );
    let past_the_last = [
        2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0, 0,
    ];
    assert_eq!(
        read(&past_the_last, 9),
        Err(GrammarError::Alphabet { at: 11 })
    );
}
