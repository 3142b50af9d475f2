//! Writing and reading again; damaged, cut and unfinished files.

mod tables;

use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::model::{Event, JavaString, LossKind, Payload, SiteNo, Value};
use crate::segment::{
    FILE_HEADER_BYTES, SEGMENT_HEADER_BYTES, SegmentHeader, SegmentKind, given_up,
};
use crate::synthetic::TraceBuilder;
use crate::writer::WriterOptions;
use jinsi_events::arbitrary::{event, sites};

fn small() -> WriterOptions {
    WriterOptions {
        buffer_bytes: 16 << 10,
        buffers_per_zone: 2,
        ..WriterOptions::default()
    }
}

fn read(path: &Path) -> Trace {
    Trace::open(path).unwrap()
}

fn forward(trace: &Trace, thread: ThreadNo) -> Vec<Event> {
    trace.events(thread).collect::<Result<_, _>>().unwrap()
}

fn backward(trace: &Trace, thread: ThreadNo) -> Vec<Event> {
    let mut events: Vec<Event> = trace
        .events_backward(thread)
        .collect::<Result<_, _>>()
        .unwrap();
    events.reverse();
    events
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_was_written_is_read(
        runs in prop::collection::vec((0u32..3, prop::collection::vec(event(), 0..120)), 0..6),
        repeat in 1usize..12,
        killed: bool,
    ) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.jinsi");
        let mut expected: BTreeMap<ThreadNo, Vec<Event>> = BTreeMap::new();
        let mut builder = TraceBuilder::with_options(&path, small()).record(Record::Sites(sites()));
        for _ in 0..repeat {
            for (thread, events) in &runs {
                expected.entry(*thread).or_default().extend(events.iter().cloned());
                builder = builder.events(*thread, events.iter().cloned());
            }
        }
        if killed { builder.kill() } else { builder.finish() }.unwrap();
        let trace = read(&path);
        prop_assert_eq!(trace.damage(), &[]);
        prop_assert_eq!(trace.end().is_none(), killed);
        for (thread, events) in expected {
            prop_assert_eq!(&forward(&trace, thread), &events);
            prop_assert_eq!(&backward(&trace, thread), &events);
            prop_assert_eq!(trace.event_count(thread), events.len() as u64);
            let brief = (0..).zip(trace.events(thread).brief().map(Result::unwrap));
            let reported = brief.filter(|(_, event)| !matches!(event.payload, Payload::Operands(_)));
            let reported: Vec<(u64, Event)> = reported.collect();
            prop_assert_eq!(&trace.object_events(thread).collect::<Result<Vec<_>, _>>().unwrap(), &reported);
            let mut next = 0;
            let mut of_pieces = Vec::new();
            for piece in trace.pieces(thread) {
                prop_assert_eq!(piece.first(), next);
                let of_piece = &events[next as usize..][..piece.count() as usize];
                let mut skim = piece.skim_backward();
                for event in of_piece.iter().rev() {
                    prop_assert_eq!(skim.advance().unwrap().unwrap(), (event.kind, event.site));
                }
                prop_assert!(skim.advance().is_none());
                of_pieces.extend(piece.object_events(0).map(|reported| {
                    let (index, event) = reported.unwrap();
                    (next + index, event)
                }));
                next += piece.count();
            }
            prop_assert_eq!(next, events.len() as u64);
            prop_assert_eq!(of_pieces, reported);
        }
    }
}

/// A killed and a closed trace of the same events, as bytes.
fn pair(events: &[Event]) -> (Vec<u8>, Vec<u8>) {
    let directory = tempfile::tempdir().unwrap();
    let build = |name: &str| {
        let path = directory.path().join(name);
        let builder = TraceBuilder::with_options(&path, small()).record(Record::Sites(sites()));
        (builder.events(0, events.iter().cloned()), path)
    };
    let (killed, killed_path) = build("killed");
    killed.kill().unwrap();
    let (closed, closed_path) = build("closed");
    closed.finish().unwrap();
    (
        std::fs::read(killed_path).unwrap(),
        std::fs::read(closed_path).unwrap(),
    )
}

/// Events that fill a few of the `small` buffers.
fn some_events() -> Vec<Event> {
    let catch = |n: u64| Event {
        kind: EventKind::Catch,
        site: SiteNo::new(7),
        payload: Payload::Operands(vec![match n % 3 {
            0 => Value::Str(JavaString::new(&"text ".repeat(n as usize % 40))),
            1 => Value::Object(n),
            _ => Value::Null,
        }]),
    };
    (0..1200).map(catch).collect()
}

fn what_can_be_read(trace: &Trace) -> Vec<Event> {
    trace.events(0).map_while(Result::ok).collect()
}

#[test]
fn every_prefix_opens_or_says_why_not() {
    let events = some_events();
    let (killed, closed) = pair(&events);
    for bytes in [killed, closed] {
        let mut longest = 0;
        for len in (0..=bytes.len()).filter(|&n| n % 61 == 0 || bytes.len() - n < 500) {
            let Ok(trace) = Trace::from_bytes(bytes[..len].to_vec()) else {
                assert_eq!(longest, 0, "a longer prefix is worse");
                continue;
            };
            let found = what_can_be_read(&trace);
            let is_prefix = events.starts_with(&found);
            // Behind a hole (a chunk cut off, its buffer's successor still in the staging zone) there may be more.
            if !is_prefix && trace.damage().is_empty() {
                // Unseen if the file ends where a segment does or in the header of one, which is how a killed process may leave it:
                // a few bytes more, and it is noticed.
                let more = Trace::from_bytes(bytes[..len + 64].to_vec()).unwrap();
                assert!(!more.damage().is_empty(), "{len}");
            }
            if is_prefix {
                longest = longest.max(found.len());
            }
            assert_eq!(
                trace.events_backward(0).map_while(Result::ok).count(),
                found.len()
            );
        }
        assert_eq!(longest, events.len());
    }
}

#[test]
fn no_flipped_bit_goes_unnoticed() {
    let events = some_events();
    let (killed, closed) = pair(&events);
    let bits = closed.len() * 8;
    for at in (0..4000usize).map(|n| n * 104_729 % bits) {
        let mut bytes = closed.clone();
        bytes[at / 8] ^= 1 << (at % 8);
        if let Ok(trace) = Trace::from_bytes(bytes) {
            let found = what_can_be_read(&trace);
            let same = found == events && trace.sites() == sites() && trace.end().is_some();
            assert!(same || !trace.damage().is_empty(), "bit {at}");
        }
    }
    // Buffers have no checksum: there, all that is asked for is no panic.
    let bits = killed.len() * 8;
    for at in (0..2000usize).map(|n| n * 104_729 % bits) {
        let mut bytes = killed.clone();
        bytes[at / 8] ^= 1 << (at % 8);
        if let Ok(trace) = Trace::from_bytes(bytes) {
            what_can_be_read(&trace);
            trace.events_backward(0).count();
        }
    }
}

/// Offsets and headers of the segments of a trace.
fn segments(bytes: &[u8]) -> Vec<(usize, SegmentHeader)> {
    let mut found = Vec::new();
    let mut at = FILE_HEADER_BYTES as usize;
    while let Some(header) = bytes.get(at..).and_then(SegmentHeader::read) {
        found.push((at, header));
        at = header.end(at as u64).unwrap() as usize;
    }
    found
}

#[test]
fn a_damaged_chunk_is_skipped_and_named() {
    let events = some_events();
    let (_, mut bytes) = pair(&events);
    let found = segments(&bytes);
    let chunks: Vec<_> = found
        .iter()
        .filter(|(_, h)| h.kind == SegmentKind::Events)
        .collect();
    assert!(chunks.len() > 2);
    let (offset, _) = *chunks[1];
    let index = found.iter().position(|(at, _)| *at == offset).unwrap();
    bytes[offset + SEGMENT_HEADER_BYTES as usize + 50] ^= 1;
    let trace = Trace::from_bytes(bytes).unwrap();
    let place = SegmentPlace {
        index,
        offset: offset as u64,
    };
    let [Damage::Checksum { place: at, lost }] = trace.damage() else {
        panic!("{:?}", trace.damage());
    };
    assert_eq!(*at, place);
    let Lost::Events(Some(0), Some(stretch)) = lost else {
        panic!("{lost:?}");
    };
    assert_eq!(stretch.offset, place.offset);
    let text = trace.damage()[0].to_string();
    assert_eq!(
        text,
        format!(
            "checksum of segment {index} at offset {offset} is wrong, the segment is skipped (events of thread 0)"
        )
    );
    let found = what_can_be_read(&trace);
    let before = events
        .iter()
        .zip(&found)
        .take_while(|(a, b)| a == b)
        .count();
    assert!(before > 0 && before < found.len());
    assert!(events.ends_with(&found[before..]));
}

#[test]
fn what_was_being_appended_at_the_kill_is_no_damage() {
    let events = some_events();
    let (mut bytes, closed) = pair(&events);
    let (_, last) = *segments(&bytes).last().unwrap();
    let mut header = SegmentHeader::new(SegmentKind::Events, 5000, last.sequence + 1, b"")
        .to_bytes()
        .to_vec();
    header.extend([0xaa; 1234]);
    bytes.extend(&header);
    let trace = Trace::from_bytes(bytes).unwrap();
    assert_eq!(trace.damage(), &[]);
    assert_eq!(what_can_be_read(&trace), events);

    let mut bytes = closed;
    bytes.extend(&header);
    let trace = Trace::from_bytes(bytes).unwrap();
    assert!(matches!(trace.damage(), [Damage::Uncommitted { .. }]));
}

#[test]
fn missing_and_repeated_segments_are_noticed() {
    let (_, bytes) = pair(&some_events());
    let found = segments(&bytes);
    let (start, header) = found[2];
    let end = header.end(start as u64).unwrap() as usize;
    let without = [&bytes[..start], &bytes[end..]].concat();
    let trace = Trace::from_bytes(without).unwrap();
    assert!(matches!(
        trace.damage(),
        [Damage::Sequence {
            expected: 3,
            found: 4,
            ..
        }]
    ));
    let cut = found.last().unwrap().0;
    let trace = Trace::from_bytes(bytes[..cut].to_vec()).unwrap();
    assert_eq!(trace.damage(), [Damage::NoEnd]);
}

#[test]
fn what_is_behind_a_damaged_header_is_found_again() {
    let events = some_events();
    let (_, bytes) = pair(&events);
    let found = segments(&bytes);
    for (index, pair) in found.windows(2).enumerate().skip(1) {
        let [(start, header), (next, _)] = pair else {
            panic!("{pair:?}");
        };
        // Of the length, of the sequence number, of the checksum, of the magic.
        for byte in [9, 17, 28, 0] {
            let mut damaged = bytes.clone();
            damaged[start + byte] ^= 4;
            let trace = Trace::from_bytes(damaged).unwrap();
            let [damage] = trace.damage() else {
                panic!("{:?}", trace.damage());
            };
            let expected = Damage::Header {
                place: SegmentPlace {
                    index,
                    offset: *start as u64,
                },
                next: Some(*next as u64),
                segments: 1,
            };
            assert_eq!(*damage, expected);
            assert!(trace.end().is_some());
            let lost_events = header.kind == SegmentKind::Events;
            let all = what_can_be_read(&trace).len() == events.len();
            let sites = trace.sites() == sites();
            assert_eq!(all, !lost_events && sites, "segment {index}");
        }
    }
}

#[test]
fn a_damaged_mark_or_file_header_is_named_and_nothing_is_lost() {
    let events = some_events();
    let (_, bytes) = pair(&events);
    let found = segments(&bytes);
    for (index, (start, _)) in found.iter().enumerate() {
        let mut damaged = bytes.clone();
        damaged[start + 35] ^= 1;
        let trace = Trace::from_bytes(damaged).unwrap();
        let offset = *start as u64;
        let place = SegmentPlace { index, offset };
        assert_eq!(trace.damage(), [Damage::Mark(place)]);
        assert_eq!(what_can_be_read(&trace), events);
    }
    // The flag of a closed trace, another flag, and a byte that is reserved.
    for byte in [16, 17, 40] {
        let mut damaged = bytes.clone();
        damaged[byte] ^= 1;
        let trace = Trace::from_bytes(damaged).unwrap();
        assert_eq!(trace.damage(), [Damage::FileHeader], "byte {byte}");
        assert_eq!(trace.damage()[0].lost(), Lost::Nothing);
        assert_eq!(what_can_be_read(&trace), events);
    }
}

#[test]
fn a_copy_says_what_the_original_had_lost() {
    let (_, mut bytes) = pair(&some_events());
    let found = segments(&bytes);
    let chunk = found.iter().find(|(_, h)| h.kind == SegmentKind::Events);
    bytes[chunk.unwrap().0 + SEGMENT_HEADER_BYTES as usize + 50] ^= 1;
    let directory = tempfile::tempdir().unwrap();
    let mut trace = Trace::from_bytes(bytes).unwrap();
    for copy in ["once", "twice"] {
        let to = directory.path().join(copy);
        crate::compact::compact(&trace, &to).unwrap();
        let copied = read(&to);
        let [Damage::Earlier(def)] = copied.damage() else {
            panic!("{:?}", copied.damage());
        };
        assert_eq!(*def, trace.damage()[0].def());
        assert_eq!(copied.damage()[0].lost(), Lost::Events(Some(0), None));
        trace = copied;
    }
}

/// What the versions before have written is read.
#[test]
fn the_versions_before_are_read() {
    let (_, mut bytes) = pair(&[]);
    assert_eq!(bytes[8], 10);
    for version in 7..10 {
        bytes[8] = version;
        let trace = Trace::from_bytes(bytes.clone()).unwrap();
        assert!(!trace.keeps_class_files() && trace.damage().is_empty());
    }
}

#[test]
fn what_is_no_trace_is_refused_in_one_line() {
    let (_, mut bytes) = pair(&[]);
    let error = |bytes: &[u8]| Trace::from_bytes(bytes.to_vec()).unwrap_err().to_string();
    assert_eq!(
        error(b""),
        "(memory) is empty, cut off or damaged before its first record"
    );
    assert_eq!(
        error(b"PK\x03\x04 and so on, for long enough to be a header of a trace file."),
        "(memory) is not a jinsi trace"
    );
    assert_eq!(
        error(&bytes[..64]),
        "(memory) is empty, cut off or damaged before its first record"
    );
    bytes[8] = 11;
    assert_eq!(
        error(&bytes),
        "(memory) has trace format 11, and this jinsi reads format 10"
    );
    let missing = Trace::open(Path::new("/no/such/file"))
        .unwrap_err()
        .to_string();
    assert!(
        missing.starts_with("cannot read /no/such/file: No such file"),
        "{missing}"
    );
    let directory = tempfile::tempdir().unwrap();
    assert!(matches!(
        Trace::open(directory.path()),
        Err(ReadError::Foreign(_))
    ));
}

#[test]
fn a_trace_is_send_and_sync() {
    fn check<T: Send + Sync>() {}
    check::<Trace>();
}

#[test]
fn a_trace_that_could_not_be_written_says_so() {
    let (killed, closed) = pair(&some_events());
    for (error, said) in [(Some(28), "No space left on device"), (None, "any more")] {
        let (offset, why) = given_up(error);
        let place = offset as usize..offset as usize + why.len();
        let mut bytes = killed.clone();
        bytes[place.clone()].copy_from_slice(&why);
        let trace = Trace::from_bytes(bytes.clone()).unwrap();
        assert_eq!(trace.damage(), &[]);
        let [lost] = trace.skipped() else {
            panic!("{:?}", trace.skipped())
        };
        assert_eq!(lost.kind, LossKind::Unwritten);
        assert!(lost.reason.contains(said), "{}", lost.reason);
        // What a turned bit says is not believed.
        for bit in 0..64 {
            let mut damaged = bytes.clone();
            damaged[place.start + bit / 8] ^= 1 << (bit % 8);
            let trace = Trace::from_bytes(damaged).unwrap();
            assert_eq!(trace.damage(), [Damage::FileHeader], "bit {bit}");
            assert_eq!(trace.skipped(), &[]);
        }
        let mut contradiction = closed.clone();
        contradiction[place].copy_from_slice(&why);
        let trace = Trace::from_bytes(contradiction).unwrap();
        assert_eq!(trace.damage(), [Damage::FileHeader]);
    }
}
