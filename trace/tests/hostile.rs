//! Damaged and hostile traces: no panic, no endless loop, and no more memory than there is reason for.
//!
//! `JINSI_FLIPS` says how many bits are flipped, one a reading (1,000 if it is not set); `JINSI_TRACES` lists trace files, joined
//! by `:`, that are damaged beside those made here. The long form is
//! `JINSI_FLIPS=100000 cargo test --release -p jinsi-trace --test hostile`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::env;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use jinsi_trace::model::{
    CallOp, ClassNo, Content, Event, EventKind, JavaString, MemberRef, Payload, Prim, Record, Site,
    SiteNo, Value,
};
use jinsi_trace::reader::Trace;
use jinsi_trace::synthetic::TraceBuilder;
use jinsi_trace::varint;
use jinsi_trace::writer::WriterOptions;

/// Keeps count of what is allocated. (What zstd allocates for itself is not in it.)
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// One test at a time counts.
static TURN: Mutex<()> = Mutex::new(());

// SAFETY: the system's allocator does all the work; the counters hold nothing that it depends on.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: `memory` came from `alloc` above, so from the system's allocator, with this layout.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What is allocated at most while `work` runs, beyond what there was.
fn peak_of(work: impl FnOnce()) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    work();
    PEAK.load(Ordering::Relaxed).saturating_sub(before)
}

/// Opens a trace and reads all of it, in both directions; number of events that could be read.
fn read(bytes: &[u8]) -> usize {
    let Ok(trace) = Trace::from_bytes(bytes.to_vec()) else {
        return 0;
    };
    let threads = trace.threads().iter().map(|thread| {
        let forward = trace.events(thread.no).map_while(Result::ok).count();
        forward
            + trace
                .events_backward(thread.no)
                .map_while(Result::ok)
                .count()
    });
    threads.sum()
}

fn site(no: u32, kind: EventKind, operands: &str) -> Site {
    Site {
        no: SiteNo::new(no).unwrap(),
        kind,
        class: ClassNo::FIRST,
        method: "method".into(),
        desc: "(I)V".into(),
        access: 1,
        bci: no as u16,
        line: 10,
        target: MemberRef {
            owner: "some/Owner".into(),
            name: "name".into(),
            desc: "(I)V".into(),
        },
        op: CallOp::Virtual,
        operands: operands.into(),
        light: false,
        outside: false,
        stepwise: false,
        parts: Vec::new(),
    }
}

fn events(count: u64) -> impl Iterator<Item = Event> {
    let operands = |kind, site, values| Event {
        kind,
        site: SiteNo::new(site),
        payload: Payload::Operands(values),
    };
    (0..count).map(move |n| match n % 7 {
        0 => Event {
            kind: EventKind::Define,
            site: None,
            payload: Payload::Define {
                id: n,
                class: ClassNo::FIRST,
                length: Some(n as u32 % 5),
            },
        },
        1 => Event {
            kind: EventKind::Content,
            site: None,
            payload: Payload::Content {
                id: n,
                content: Content::Array(
                    (0..n as i32 % 40)
                        .map(|i| Value::Prim(Prim::Int(i)))
                        .collect(),
                ),
            },
        },
        2 => operands(
            EventKind::Catch,
            2,
            vec![Value::Str(JavaString::new(&"text ".repeat(n as usize % 9)))],
        ),
        3 => operands(
            EventKind::Catch,
            2,
            vec![Value::Boxed(Prim::Long(n as i64 * 77))],
        ),
        _ => operands(
            EventKind::Enter,
            1,
            vec![Value::Object(n % 12), Value::Prim(Prim::Int(n as i32))],
        ),
    })
}

/// A closed trace and one of a killed process, and those of the environment.
fn traces() -> Vec<Vec<u8>> {
    let directory = tempfile::tempdir().unwrap();
    let made = [false, true].map(|killed| {
        let path = directory.path().join(format!("{killed}.jinsi"));
        let options = WriterOptions {
            buffer_bytes: 16 << 10,
            buffers_per_zone: 2,
            ..WriterOptions::default()
        };
        let sites = vec![
            site(1, EventKind::Enter, "LI"),
            site(2, EventKind::Catch, "L"),
        ];
        let builder = TraceBuilder::with_options(&path, options)
            .record(Record::Sites(sites))
            .events(0, events(3000))
            .events(1, events(300));
        if killed {
            builder.kill()
        } else {
            builder.finish()
        }
        .unwrap();
        fs::read(path).unwrap()
    });
    let list = env::var("JINSI_TRACES").unwrap_or_default();
    let listed = list.split(':').filter(|path| !path.is_empty());
    made.into_iter()
        .chain(listed.map(|path| fs::read(path).unwrap()))
        .collect()
}

/// Offsets of the segments and sizes of their payloads, as far as they can be followed.
fn segments(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 64;
    while let Some(header) = bytes.get(at..at + 40) {
        let len = u64::from_le_bytes(header[8..16].try_into().unwrap());
        let Some(end) = usize::try_from(len)
            .ok()
            .and_then(|len| (at + 40).checked_add(len))
        else {
            break;
        };
        if &header[..4] != b"jseg" || end > bytes.len() {
            break;
        }
        found.push((at, len as usize));
        at = end.next_multiple_of(8);
    }
    found
}

/// Makes all checksums right.
fn seal(bytes: &mut [u8]) {
    for (at, len) in segments(bytes) {
        let is_zone = bytes[at + 4] == 3;
        let checked = if is_zone { len.min(24) } else { len };
        let crc = crc32fast::hash(&bytes[at + 40..at + 40 + checked]);
        bytes[at + 24..at + 28].copy_from_slice(&crc.to_le_bytes());
        let crc = crc32fast::hash(&bytes[at..at + 28]);
        bytes[at + 28..at + 32].copy_from_slice(&crc.to_le_bytes());
    }
}

#[test]
fn flipped_bits_do_no_harm() {
    let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let flips = env::var("JINSI_FLIPS").map_or(1000, |n| n.parse().expect("a number"));
    let traces = traces();
    let wholes: Vec<(usize, usize)> = traces
        .iter()
        .map(|bytes| {
            let mut events = 0;
            let peak = peak_of(|| events = read(bytes));
            assert!(events > 0);
            (events, peak)
        })
        .collect();
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut fewer = 0;
    for flip in 0..flips {
        let which = flip % traces.len();
        let mut bytes = traces[which].clone();
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let bit = (seed >> 16) as usize % (bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        // Every other time the checksums do not tell.
        let sealed = flip / traces.len() % 2 == 1;
        if sealed {
            seal(&mut bytes);
        }
        let mut events = 0;
        let peak = peak_of(|| events = read(&bytes));
        let (all, usual) = wholes[which];
        fewer += usize::from(events < all);
        assert!(
            peak <= 2 * usual,
            "trace {which}, bit {bit}, sealed {sealed}: {peak} bytes instead of {usual}"
        );
    }
    assert!(fewer > 0, "nothing was damaged");
}

/// A trace with a segment more at its end.
fn with_segment(kind: u32, payload: &[u8]) -> Vec<u8> {
    let mut bytes = traces().swap_remove(0);
    let last = segments(&bytes).len() as u64;
    let start = bytes.len();
    bytes.extend(b"jseg");
    bytes.extend(kind.to_le_bytes());
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(last.to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend(0x6465_7474_696d_6d6f_u64.to_le_bytes());
    bytes.extend(payload);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    assert!(bytes.len() > start + 40);
    seal(&mut bytes);
    bytes
}

/// The front of a chunk of one event of site 1, that says how many raw bytes it was made of.
fn chunk(raw_bytes: u64, events: u32) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend([9, 0, 0, 0, 0, 0, 0, 0]);
    out.extend(1_000_000u64.to_le_bytes());
    out.extend(0u64.to_le_bytes());
    out.extend(raw_bytes.to_le_bytes());
    out.extend(events.to_le_bytes());
    out.extend([0; 4]);
    varint::write(&mut out, 0);
    out
}

/// Memory for what a chunk without large events may have: body, directory and strings.
const CHUNK_BYTES: usize = 48 << 20;

#[test]
fn bombs_do_not_go_off() {
    let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let zeros = zstd::bulk::compress(&vec![0; 256 << 20], 3).unwrap();
    let mut bombs = Vec::new();

    // A table that unpacks to 256 MiB.
    let mut table = vec![1, 0, 0, 0];
    table.extend((256u32 << 20).to_le_bytes());
    table.extend(&zeros);
    bombs.push(("table", with_segment(1, &table)));

    // A chunk whose body does, of one event and of many.
    for (name, raw, events) in [
        ("event", 1u64 << 40, 1),
        ("events", 1 << 40, 2),
        ("body", 1 << 20, 9),
    ] {
        let mut bomb = chunk(raw, events);
        // Alphabet of Enter of site 1; one rule, one node, so many copies of it.
        let mut control = vec![1];
        varint::write(&mut control, 1 << 32 | 1);
        control.extend([0, 1]);
        if events == 1 {
            control.push(0);
        } else {
            control.extend([1, events as u8 - 2]);
        }
        varint::write(&mut bomb, control.len() as u64);
        bomb.extend(control);
        varint::write(&mut bomb, 256 << 20);
        bomb.extend(&zeros);
        bombs.push((name, with_segment(2, &bomb)));
    }

    // A grammar with more symbols than the sequence has, each of which would have a group of columns.
    let mut bomb = chunk(1 << 20, 9);
    let mut control = Vec::new();
    varint::write(&mut control, 8 << 20);
    control.resize(control.len() + (8 << 20), 0);
    control.extend([0, 1, 1, 7]);
    varint::write(&mut bomb, control.len() as u64);
    bomb.extend(control);
    varint::write(&mut bomb, 0);
    bombs.push(("alphabet", with_segment(2, &bomb)));

    let usual = read(&traces()[0]);
    for (name, bytes) in bombs {
        let mut events = 0;
        let peak = peak_of(|| events = read(&bytes));
        assert_eq!(events, usual, "{name}: all else is still there");
        let most = 4 * bytes.len() + CHUNK_BYTES;
        assert!(
            peak < most,
            "{name}: {peak} bytes for a file of {}",
            bytes.len()
        );
    }
}

#[test]
fn a_length_that_lies_costs_no_memory() {
    let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    const FILE_BYTES: u64 = 256 << 20;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.jinsi");
    let whole = traces().swap_remove(0);
    let (first, _) = segments(&whole)[0];
    // Within the file and beyond its end; of a segment that was written whole, and of one that was being written.
    let within = FILE_BYTES - first as u64 - 40;
    for (len, committed) in [
        (within, true),
        (within, false),
        (1 << 34, true),
        (1 << 34, false),
    ] {
        let mut bytes = whole.clone();
        bytes[first + 8..first + 16].copy_from_slice(&u64::to_le_bytes(len));
        let crc = crc32fast::hash(&bytes[first..first + 28]);
        bytes[first + 28..first + 32].copy_from_slice(&crc.to_le_bytes());
        if !committed {
            bytes[first + 32..first + 40].fill(0);
        }
        fs::write(&path, &bytes).unwrap();
        let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(FILE_BYTES).unwrap();
        let mut is_whole = true;
        // Without its first record it may be refused.
        let peak =
            peak_of(|| is_whole = Trace::open(&path).is_ok_and(|trace| trace.damage().is_empty()));
        assert!(!is_whole, "{len}, {committed}");
        assert!(peak < 8 << 20, "{len}, {committed}: {peak} bytes");
    }
}
