//! Buffers that are encoded later.

use super::*;

/// Has thread 7 fill buffers with one event each, numbered from 1, and hand them over.
fn fill(f: &Fixture, count: u64) -> Vec<*mut u8> {
    let fill = |id| {
        let buffer = f.acquire(7);
        assert!(f.writer.store(buffer, &raw_event(id)));
        f.writer.hand_over(buffer);
        buffer
    };
    (1..=count).map(fill).collect()
}

fn spill(f: &Fixture, buffers: &[*mut u8]) {
    assert!(buffers.iter().all(|b| f.writer.spill(*b).unwrap()));
}

/// The events of thread 7 as they are read now, as of a process that is killed.
fn events(f: &Fixture) -> Vec<u64> {
    let trace = f.read();
    assert_eq!(trace.damage(), &[]);
    ids(&trace, 7)
}

#[test]
fn spilled_events_are_read_like_others_and_free_their_buffer() {
    let f = fixture();
    let buffers = fill(&f, 3);
    spill(&f, &buffers[..2]);
    assert_eq!(events(&f), [1, 2, 3]);
    let again = f.acquire(7);
    assert!(buffers[..2].contains(&again));
    assert!(f.writer.store(again, &raw_event(4)));
    f.writer.hand_over(again);
    assert!(f.writer.encode_spilled(Effort::Best).unwrap());
    assert_eq!(events(&f), [1, 2, 3, 4]);
    f.writer.finish(End::default()).unwrap();
    assert_eq!(f.writer.events(), 4);
    assert_eq!(f.len(), f.writer.written_bytes());
    assert_eq!(events(&f), [1, 2, 3, 4]);
}

#[test]
fn what_is_encoded_waits_no_more() {
    let f = fixture();
    assert!(!f.writer.encode_spilled(Effort::Fast).unwrap());
    spill(&f, &fill(&f, 2));
    assert!(f.writer.encode_spilled(Effort::Fast).unwrap());
    assert!(f.writer.encode_spilled(Effort::Fast).unwrap());
    assert!(!f.writer.encode_spilled(Effort::Fast).unwrap());
    assert_eq!(events(&f), [1, 2]);
}

#[test]
fn many_are_encoded_at_the_end() {
    for rewrite_limit in [u64::MAX, 0] {
        let directory = tempfile::tempdir().unwrap();
        let sizes = WriterOptions {
            rewrite_limit,
            ..options()
        };
        let writer = TraceWriter::create(&directory.path().join("t.jinsi"), sizes).unwrap();
        writer.record(&Record::Meta(Meta::default())).unwrap();
        let f = Fixture { directory, writer };
        spill(&f, &fill(&f, 100));
        let rest = fill(&f, 30);
        assert!(f.writer.store(f.acquire(7), &raw_event(31)));
        assert_eq!(rest.len(), 30);
        f.writer.finish(End::default()).unwrap();
        let expected: Vec<u64> = (1..=100).chain(1..=31).collect();
        assert_eq!(events(&f), expected);
    }
}

#[test]
fn without_room_nothing_is_spilled() {
    let spills = |sizes: WriterOptions| {
        let directory = tempfile::tempdir().unwrap();
        let writer = TraceWriter::create(&directory.path().join("t.jinsi"), sizes).unwrap();
        writer.record(&Record::Meta(Meta::default())).unwrap();
        let f = Fixture { directory, writer };
        let buffers = fill(&f, 65);
        let spilled = buffers.iter().map(|b| f.writer.spill(*b).unwrap());
        let spilled = spilled.filter(|spilled| *spilled).count();
        // What is not spilled stays in its buffer.
        let expected: Vec<u64> = (1..=65).collect();
        assert_eq!(events(&f), expected);
        assert_eq!(f.writer.spills(), spilled > 0);
        spilled
    };
    let zone = 64 * (16 << 10);
    let of = |spill_bytes| WriterOptions {
        spill_bytes,
        ..options()
    };
    let bounded = |max_bytes, at_max| WriterOptions {
        max_bytes: Some(max_bytes),
        at_max,
        ..of(zone)
    };
    assert_eq!(spills(of(zone - 1)), 0);
    assert_eq!(spills(of(zone)), 64);
    assert_eq!(spills(of(2 * zone)), 65);
    // What ends at its bound spills within it; what drops old events never spills.
    assert_eq!(spills(bounded(zone, AtMax::Stop)), 64);
    assert_eq!(spills(bounded(zone - 1, AtMax::Stop)), 0);
    assert_eq!(spills(bounded(1 << 40, AtMax::Oldest)), 0);
    assert_eq!(spills(bounded(1 << 40, AtMax::Window)), 0);
}

#[test]
fn large_buffers_and_what_is_none_are_left_alone() {
    let f = fixture();
    let large = f.writer.acquire(7, 100 << 10).unwrap();
    assert!(f.writer.store(large, &vec![0; 40 << 10]));
    f.writer.hand_over(large);
    assert!(!f.writer.spill(large).unwrap());
    assert!(!f.writer.spill(large.wrapping_add(8)).unwrap());
}

#[test]
fn a_buffer_that_is_in_two_places_is_read_once() {
    let f = fixture();
    let buffers = fill(&f, 2);
    spill(&f, &buffers);
    // Killed before the buffer was free again.
    let buffer = f.writer.buffers.lock().at(buffers[0]).unwrap();
    buffer.set_state(raw::STATE_FULL);
    assert_eq!(events(&f), [1, 2]);
}

#[test]
fn spilled_events_that_somebody_damaged_end_the_recording() {
    let f = fixture();
    spill(&f, &fill(&f, 1));
    let file = std::fs::OpenOptions::new().write(true).open(&f.writer.path);
    let file = file.unwrap();
    let len = file.metadata().unwrap().len();
    file.set_len(4096).unwrap();
    file.set_len(len).unwrap();
    let error = f.writer.encode_spilled(Effort::Fast).unwrap_err();
    assert!(
        error.to_string().contains("a part of it is gone"),
        "{error}"
    );
    assert!(matches!(
        f.writer.encode_spilled(Effort::Fast),
        Err(WriteError::Ended(_))
    ));
}

#[test]
fn a_zone_that_is_not_finished_is_no_damage() {
    let f = fixture();
    spill(&f, &fill(&f, 1));
    let range = f.writer.appender.lock().zones.last().unwrap().range.clone();
    let file = std::fs::OpenOptions::new().write(true).open(&f.writer.path);
    let file = file.unwrap();
    jinsi_platform::files::write_all_at(
        &file,
        &[0; 8],
        range.start + crate::segment::COMMIT_OFFSET,
    )
    .unwrap();
    assert!(events(&f).is_empty());
    for len in [range.end, range.start + 70, range.start + 40] {
        file.set_len(len).unwrap();
        assert!(events(&f).is_empty());
    }
}
