//! The writer's promises to the agent.

use jinsi_platform::{files, space};

use super::*;
use crate::model::{ClassNo, Event, EventKind, Meta, Payload};
use crate::raw;
use crate::reader::Trace;

mod spilling;

fn options() -> WriterOptions {
    WriterOptions {
        buffer_bytes: 16 << 10,
        buffers_per_zone: 2,
        ..WriterOptions::default()
    }
}

struct Fixture {
    directory: tempfile::TempDir,
    writer: TraceWriter,
}

fn fixture() -> Fixture {
    let directory = tempfile::tempdir().unwrap();
    let writer = TraceWriter::create(&directory.path().join("t.jinsi"), options()).unwrap();
    writer.record(&Record::Meta(Meta::default())).unwrap();
    Fixture { directory, writer }
}

impl Fixture {
    fn read(&self) -> Trace {
        Trace::open(&self.writer.path).unwrap()
    }

    fn len(&self) -> u64 {
        std::fs::metadata(&self.writer.path).unwrap().len()
    }

    fn acquire(&self, thread: ThreadNo) -> *mut u8 {
        self.writer.acquire(thread, 0).unwrap()
    }
}

/// An event that carries a number.
fn event(id: u64) -> Event {
    Event {
        kind: EventKind::Define,
        site: None,
        payload: Payload::Define {
            id,
            class: ClassNo::FIRST,
            length: None,
        },
    }
}

fn raw_event(id: u64) -> Vec<u8> {
    let mut out = Vec::new();
    raw::encode(&event(id), "", &mut out).unwrap();
    out
}

/// The numbers in a thread's events.
fn ids(trace: &Trace, thread: ThreadNo) -> Vec<u64> {
    let id = |event: Event| match event.payload {
        Payload::Define { id, .. } => id,
        _ => 0,
    };
    trace.events(thread).map(|e| id(e.unwrap())).collect()
}

#[test]
fn a_trace_is_private_and_never_overwritten() {
    let f = fixture();
    let path = f.writer.path.clone();
    let mode = |path: &Path| files::mode(&std::fs::metadata(path).unwrap());
    assert_eq!(mode(&path), 0o600);
    let again = TraceWriter::create(&path, options()).unwrap_err();
    assert!(matches!(&again, WriteError::Exists(p) if *p == path));
    f.writer.finish(End::default()).unwrap();
    assert_eq!(mode(&path), 0o600);
    assert_eq!(std::fs::read_dir(f.directory.path()).unwrap().count(), 1);
}

#[test]
fn errors_name_file_and_reason() {
    let error = TraceWriter::create(Path::new("/no/such/place/t.jinsi"), options()).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("cannot write /no/such/place/t.jinsi: No such file"),
        "{text}"
    );
}

#[test]
fn a_closed_trace_has_no_zone() {
    for rewrite_limit in [u64::MAX, 0] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.jinsi");
        let writer = TraceWriter::create(
            &path,
            WriterOptions {
                rewrite_limit,
                ..options()
            },
        )
        .unwrap();
        writer.record(&Record::Meta(Meta::default())).unwrap();
        let buffers: Vec<_> = (0..5)
            .map(|thread| writer.acquire(thread, 0).unwrap())
            .collect();
        for (&buffer, id) in buffers.iter().zip(1..) {
            assert!(writer.store(buffer, &raw_event(id)));
        }
        writer.finish(End::default()).unwrap();
        let len = std::fs::metadata(&path).unwrap().len();
        assert_eq!(len == writer.written_bytes(), rewrite_limit > 0);
        // Threads that were not stopped store on; neither they nor the trace take harm.
        assert!(writer.store(buffers[0], &raw_event(99)));
        let trace = Trace::open(&path).unwrap();
        assert_eq!(trace.damage(), &[]);
        assert!(trace.end().is_some());
        assert!((0..5).all(|thread| ids(&trace, thread) == [u64::from(thread) + 1]));
    }
}

/// A number that compresses badly.
fn noise(n: u64) -> u64 {
    let mixed = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 4
}

/// Writes `count` buffers of 600 events with noise into a trace of at most 40,000 bytes.
fn bounded(directory: &Path, at_max: AtMax, rewrite_limit: u64, count: u64) -> TraceWriter {
    let sizes = WriterOptions {
        max_bytes: Some(40_000),
        at_max,
        rewrite_limit,
        ..options()
    };
    let writer = TraceWriter::create(&directory.join("t.jinsi"), sizes).unwrap();
    writer.record(&Record::Meta(Meta::default())).unwrap();
    for n in 0..count {
        let buffer = writer.acquire(0, 0).unwrap();
        (600 * n..600 * (n + 1))
            .for_each(|id| assert!(writer.store(buffer, &raw_event(noise(id)))));
        writer.hand_over(buffer);
        writer.encode(buffer, Effort::Fast).unwrap();
    }
    writer
}

#[test]
fn the_oldest_events_make_room() {
    for rewrite_limit in [u64::MAX, 0] {
        let directory = tempfile::tempdir().unwrap();
        let writer = bounded(directory.path(), AtMax::Oldest, rewrite_limit, 40);
        assert!(writer.written_bytes() <= 40_000);
        assert!(!writer.is_full());
        let check = |trace: &Trace| {
            assert_eq!(trace.damage(), &[]);
            let left = trace.event_count(0);
            assert!(left > 1200, "{left}");
            assert_eq!(trace.events_dropped() + left, 40 * 600);
            let newest: Vec<u64> = (40 * 600 - left..40 * 600).map(noise).collect();
            assert_eq!(ids(trace, 0), newest);
        };
        let path = directory.path().join("t.jinsi");
        check(&Trace::open(&path).unwrap());
        writer.finish(End::default()).unwrap();
        let trace = Trace::open(&path).unwrap();
        check(&trace);
        assert!(trace.end().is_some());
        if rewrite_limit > 0 {
            assert!(trace.file_bytes() < 50_000, "{}", trace.file_bytes());
        }
    }
}

#[test]
fn buffers_that_are_encoded_late_leave_no_hole() {
    let directory = tempfile::tempdir().unwrap();
    let writer = bounded(directory.path(), AtMax::Oldest, u64::MAX, 0);
    let buffers: Vec<*mut u8> = (0..40)
        .map(|n| {
            let buffer = writer.acquire(0, 0).unwrap();
            (600 * n..600 * (n + 1))
                .for_each(|id| assert!(writer.store(buffer, &raw_event(noise(id)))));
            buffer
        })
        .collect();
    // The newest first, but for a few.
    for &buffer in buffers[38..].iter().chain(buffers[..38].iter().rev()) {
        writer.hand_over(buffer);
        writer.encode(buffer, Effort::Fast).unwrap();
    }
    writer.finish(End::default()).unwrap();
    let trace = Trace::open(&directory.path().join("t.jinsi")).unwrap();
    let left = trace.event_count(0);
    let newest: Vec<u64> = (40 * 600 - left..40 * 600).map(noise).collect();
    assert_eq!(ids(&trace, 0), newest);
    assert_eq!(trace.events_dropped() + left, 40 * 600);
}

/// Writes `count` buffers of 600 events with noise on two threads, with what is said of threads and throwables, and cuts the recording
/// whenever that is wanted; the number of cuts.
fn windows(writer: &TraceWriter, count: u64) -> u64 {
    let (mut cuts, mut said) = (0, u64::MAX);
    writer.record(&Record::Meta(Meta::default())).unwrap();
    for n in 0..count {
        if said != cuts {
            let threads = [0, 1].map(|no| Record::Thread {
                no,
                name: format!("worker {no}"),
            });
            threads.iter().for_each(|t| writer.record(t).unwrap());
            said = cuts;
        }
        let throwable = crate::model::ThrowableDef {
            id: n + 1,
            class: "x".into(),
            message: None,
            text: None,
            cause: 0,
            frames: Vec::new(),
        };
        writer.record(&Record::Throwable(throwable)).unwrap();
        let buffer = writer.acquire((n % 2) as ThreadNo, 0).unwrap();
        (600 * n..600 * (n + 1))
            .for_each(|id| assert!(writer.store(buffer, &raw_event(noise(id)))));
        writer.hand_over(buffer);
        writer.encode(buffer, Effort::Fast).unwrap();
        if writer.wants_cut() {
            let seconds = cuts as f64;
            writer
                .cut(seconds, |first| assert_eq!(first, n + 2))
                .unwrap();
            cuts += 1;
        }
    }
    cuts
}

#[test]
fn what_is_left_of_a_recording_begins_at_a_cut() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.jinsi");
    let sizes = WriterOptions {
        max_bytes: Some(60_000),
        at_max: AtMax::Window,
        ..options()
    };
    let writer = TraceWriter::create(&path, sizes).unwrap();
    let cuts = windows(&writer, 200);
    assert!(cuts > 5, "{cuts}");
    assert!(!writer.is_full());
    let check = |trace: &Trace| {
        assert_eq!(trace.damage(), &[]);
        let window = trace.window().unwrap();
        assert_eq!(window.seconds, (cuts - 2) as f64);
        let left = trace.event_count(0) + trace.event_count(1);
        assert_eq!(trace.events_dropped() + left, 200 * 600);
        // It begins with a buffer, of which each thread has every second.
        assert_eq!(left % 600, 0);
        let first = 200 - left / 600;
        let of_thread = |no: u64| (first..200).filter(move |n| n % 2 == no);
        for no in [0, 1] {
            let newest = of_thread(no).flat_map(|n| 600 * n..600 * (n + 1));
            assert_eq!(
                ids(trace, no as ThreadNo),
                newest.map(noise).collect::<Vec<_>>()
            );
        }
        let names: Vec<&str> = trace.threads().iter().map(|t| t.name.as_str()).collect();
        assert_eq!(names, ["worker 0", "worker 1"]);
        assert!((first..200).all(|n| trace.throwable(n + 1).is_some()));
        // What went with the events that were dropped.
        assert!(trace.throwables().len() as u64 <= left / 600 + 2);
    };
    check(&Trace::open(&path).unwrap());
    let taken = space::taken(&std::fs::metadata(&path).unwrap());
    let zones = 2 * (2 * (16 << 10)) + 8192;
    assert!(taken < 60_000 + zones + 16_384, "{taken}");
    let copy = directory.path().join("copy.jinsi");
    crate::compact::compact(&Trace::open(&path).unwrap(), &copy).unwrap();
    check(&Trace::open(&copy).unwrap());
    writer.finish(End::default()).unwrap();
    check(&Trace::open(&path).unwrap());
    assert!(std::fs::metadata(&path).unwrap().len() < 80_000);
}

#[test]
fn a_recording_begins_in_the_middle() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.jinsi");
    let sizes = WriterOptions {
        max_bytes: Some(1 << 30),
        at_max: AtMax::Window,
        ..options()
    };
    let writer = TraceWriter::create(&path, sizes).unwrap();
    let meta = Record::Meta(crate::model::Meta::default());
    writer.record(&meta).unwrap();
    let fill = |n: u64| {
        let buffer = writer.acquire(0, 0).unwrap();
        (600 * n..600 * (n + 1))
            .for_each(|id| assert!(writer.store(buffer, &raw_event(noise(id)))));
        writer.hand_over(buffer);
        buffer
    };
    // One buffer is encoded before the recording begins, and one only behind that.
    writer.encode(fill(0), Effort::Fast).unwrap();
    let late = fill(1);
    writer.begin(7.0, |first| assert_eq!(first, 3)).unwrap();
    writer.encode(late, Effort::Fast).unwrap();
    writer.encode(fill(2), Effort::Fast).unwrap();
    let check = |trace: &Trace| {
        assert_eq!(trace.damage(), &[]);
        let window = trace.window().map(|w| (w.first, w.seconds));
        assert_eq!(window, Some((3, 7.0)));
        assert_eq!(ids(trace, 0), (1200..1800).map(noise).collect::<Vec<_>>());
    };
    check(&Trace::open(&path).unwrap());
    writer.finish(End::default()).unwrap();
    check(&Trace::open(&path).unwrap());
}

#[test]
fn a_full_trace_says_so_and_can_be_finished() {
    let directory = tempfile::tempdir().unwrap();
    let writer = bounded(directory.path(), AtMax::Stop, u64::MAX, 3);
    assert!(!writer.is_full());
    drop(writer);
    let directory = tempfile::tempdir().unwrap();
    let writer = bounded(directory.path(), AtMax::Stop, u64::MAX, 20);
    assert!(writer.is_full());
    writer.finish(End::default()).unwrap();
    let trace = Trace::open(&directory.path().join("t.jinsi")).unwrap();
    assert_eq!(trace.event_count(0), 20 * 600);
    assert_eq!(trace.events_dropped(), 0);
}

#[test]
fn nothing_is_taken_after_the_end() {
    let f = fixture();
    let buffer = f.acquire(0);
    f.writer.finish(End::default()).unwrap();
    let len = f.len();
    let ended = |r: Result<(), WriteError>| matches!(r, Err(WriteError::Ended(_)));
    assert!(ended(f.writer.record(&Record::Meta(Meta::default()))));
    assert!(ended(f.writer.acquire(0, 0).map(|_| ())));
    assert!(ended(f.writer.encode(buffer, Effort::Best)));
    assert!(ended(f.writer.finish(End::default())));
    assert!(ended(f.writer.discard()));
    f.writer.hand_over(buffer);
    assert_eq!(f.len(), len);
}

#[test]
fn discarding_deletes() {
    let f = fixture();
    let buffer = f.acquire(0);
    f.writer.discard().unwrap();
    assert!(!f.writer.path.exists());
    assert!(f.writer.store(buffer, &raw_event(1)));
    assert!(matches!(f.writer.acquire(0, 0), Err(WriteError::Ended(_))));
}

#[test]
fn buffers_go_round_and_grow_in_number() {
    let f = fixture();
    let buffers: Vec<_> = (0..5).map(|_| f.acquire(0)).collect();
    let different: std::collections::HashSet<_> = buffers.iter().collect();
    assert_eq!(different.len(), 5);
    for (&buffer, id) in buffers.iter().zip(0..) {
        f.writer.store(buffer, &raw_event(id));
        f.writer.hand_over(buffer);
        f.writer.encode(buffer, Effort::Best).unwrap();
        f.writer.encode(buffer, Effort::Best).unwrap();
    }
    let len = f.len();
    for _ in 0..5 {
        assert!(buffers.contains(&f.acquire(1)));
    }
    assert_eq!(f.len(), len);
    assert_eq!(f.writer.events(), 5);
    assert_eq!(f.writer.raw_bytes(), 5 * 24);
    assert_eq!(ids(&f.read(), 0), [0, 1, 2, 3, 4]);
}

#[test]
fn an_event_larger_than_a_buffer_gets_one_of_its_own() {
    let f = fixture();
    let large = f.writer.acquire(0, 100_000).unwrap();
    let count = 100_000 / 24;
    assert!((0..count).all(|id| f.writer.store(large, &raw_event(id))));
    assert_eq!(ids(&f.read(), 0).len() as u64, count);
    f.writer.hand_over(large);
    f.writer.encode(large, Effort::Best).unwrap();
    assert_eq!(f.writer.acquire(0, 90_000).unwrap(), large);
    assert_ne!(f.writer.acquire(0, 90_000).unwrap(), large);
    assert!(f.writer.acquire(0, usize::MAX).is_err());
}

#[test]
fn foreign_addresses_are_refused() {
    let f = fixture();
    let buffer = f.acquire(0);
    let inside = buffer.wrapping_add(64);
    for address in [std::ptr::null_mut(), inside] {
        f.writer.hand_over(address);
        assert!(matches!(
            f.writer.encode(address, Effort::Best),
            Err(WriteError::Buffer(_))
        ));
    }
}

#[test]
fn a_buffer_partly_encoded_at_the_kill_is_read_once() {
    let f = fixture();
    f.writer
        .record(&Record::Thread {
            no: 0,
            name: "main".into(),
        })
        .unwrap();
    let buffer = f.acquire(0);
    (0..40).for_each(|id| assert!(f.writer.store(buffer, &raw_event(id))));
    // The first chunk of a buffer that is cut into several.
    let taken = f.writer.buffers.lock().take(buffer).flatten().unwrap();
    let front = &taken.buffer.events()[..15 * 24];
    let encoded = crate::chunk::Encoder::default()
        .encode(
            (0, taken.buffer.ordinal()),
            front,
            0,
            &f.writer.sites,
            Effort::Best,
        )
        .unwrap();
    f.writer
        .append(SegmentKind::Events, &encoded.payload)
        .unwrap();
    let trace = f.read();
    assert_eq!(ids(&trace, 0), (0..40).collect::<Vec<_>>());
    assert_eq!(trace.kind_stats()[&EventKind::Define].events, 40);
}

#[test]
fn a_reader_of_a_running_trace_notices_a_recycled_buffer() {
    let f = fixture();
    let buffer = f.acquire(0);
    f.writer.store(buffer, &raw_event(1));
    let trace = f.read();
    assert_eq!(ids(&trace, 0), [1]);
    f.writer.hand_over(buffer);
    f.writer.encode(buffer, Effort::Best).unwrap();
    assert_eq!(f.acquire(1), buffer);
    let changed = trace.events(0).next().unwrap().unwrap_err();
    assert!(
        changed
            .to_string()
            .ends_with("is still being written: open it again")
    );
}

#[test]
fn the_first_write_error_is_reported_and_ends_the_recording() {
    let f = fixture();
    let buffer = f.acquire(0);
    f.writer.store(buffer, &raw_event(1));
    // A handle that cannot write stands for a full disk.
    f.writer.appender.lock().file = std::fs::File::open(&f.writer.path).unwrap().into();
    let thread = Record::Thread {
        no: 0,
        name: "main".into(),
    };
    let error = f.writer.record(&thread).unwrap_err();
    assert!(matches!(&error, WriteError::Io { path, .. } if *path == f.writer.path));
    assert!(matches!(
        f.writer.record(&thread),
        Err(WriteError::Ended(_))
    ));
    assert!(matches!(
        f.writer.encode(buffer, Effort::Best),
        Err(WriteError::Ended(_))
    ));
    assert!(matches!(
        f.writer.finish(End::default()),
        Err(WriteError::Ended(_))
    ));
    assert_eq!(ids(&f.read(), 0), [1]);
}

#[test]
fn threads_record_at_the_same_time() {
    let f = fixture();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let writer = &f.writer;
            scope.spawn(move || {
                writer
                    .record(&Record::Thread {
                        no: thread,
                        name: format!("t{thread}"),
                    })
                    .unwrap();
                let mut buffer = writer.acquire(thread, 0).unwrap();
                for id in 0..3000 {
                    let event = raw_event(id);
                    if !writer.store(buffer, &event) {
                        writer.hand_over(buffer);
                        writer.encode(buffer, Effort::Best).unwrap();
                        buffer = writer.acquire(thread, 0).unwrap();
                        assert!(writer.store(buffer, &event));
                    }
                }
            });
        }
    });
    let all: Vec<u64> = (0..3000).collect();
    let before = f.read();
    assert!((0..4).all(|thread| ids(&before, thread) == all));
    f.writer.finish(End::default()).unwrap();
    let after = f.read();
    assert_eq!(after.damage(), &[]);
    assert!((0..4).all(|thread| ids(&after, thread) == all));
    assert_eq!(after.threads().len(), 4);
}

#[test]
fn a_truncated_file_ends_the_recording() {
    for left in [0, 100, 5000] {
        let f = fixture();
        let file = std::fs::OpenOptions::new()
            .write(true)
            .open(&f.writer.path)
            .unwrap();
        file.set_len(left).unwrap();
        let first = f.writer.record(&Record::Meta(Meta::default()));
        assert!(matches!(first, Err(WriteError::Io { .. })), "{first:?}");
        assert!(first.unwrap_err().to_string().contains("truncated"));
        let second = f.writer.record(&Record::Meta(Meta::default()));
        assert!(matches!(second, Err(WriteError::Ended(_))), "{second:?}");
        assert_eq!(f.len(), left, "nothing is written behind a hole");
    }
}

#[test]
fn a_file_that_was_truncated_and_grew_again_ends_the_recording() {
    let f = fixture();
    let file = std::fs::OpenOptions::new()
        .write(true)
        .open(&f.writer.path)
        .unwrap();
    let len = f.len();
    file.set_len(0).unwrap();
    file.set_len(len).unwrap();
    let error = f.writer.record(&Record::Meta(Meta::default()));
    assert!(error.unwrap_err().to_string().contains("truncated"));
}

#[test]
fn pages_that_are_gone_are_replaced() {
    let f = fixture();
    let (one, other) = (f.acquire(0), f.acquire(1));
    assert!(f.writer.store(other, &raw_event(1)));
    let file = std::fs::OpenOptions::new()
        .write(true)
        .open(&f.writer.path)
        .unwrap();
    file.set_len(0).unwrap();
    // What a handler of SIGBUS does: any access to these pages would raise it now.
    assert!(heal(other.addr() + 16));
    assert!(heal(other.addr() + 5000));
    assert!(!heal(0x1000), "no page of a buffer");
    assert!(f.writer.store(other, &raw_event(2)));
    let error = f.writer.acquire(0, 0).unwrap_err();
    assert!(error.to_string().contains("truncated"), "{error}");
    // Closing takes all buffers, and must not touch what is gone.
    assert!(f.writer.finish(End::default()).is_err());
    assert!(heal(one.addr()));
}

/// What fits where a longer segment did not must not hide that one's events.
#[test]
fn nothing_is_appended_behind_a_segment_that_failed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.jinsi");
    std::fs::write(&path, [0; 64]).unwrap();
    let open = |write| {
        OpenOptions::new()
            .read(true)
            .write(write)
            .open(&path)
            .unwrap()
    };
    let mut appender = super::append::Appender::new(open(false).into());
    assert!(
        appender
            .append(SegmentKind::Table, &[1; 100], false)
            .is_err()
    );
    appender.file = open(true).into();
    assert!(appender.append(SegmentKind::Table, &[1], false).is_err());
    assert_eq!(path.metadata().unwrap().len(), 64);
}
