//! Arbitrary bytes as the chunk of an otherwise sound trace, the parts of its body not compressed: an error, or events that can be read
//! from both ends, with no more memory than a chunk may take.
//!
//! An input begins with two sizes, u16 each, little-endian: of the front of the chunk, control stream included, and of the first part of
//! its body. Then come front, first part, and, to the end, second part.
#![no_main]

use std::sync::OnceLock;

use jinsi_trace::model::{ALWAYS, CallOp, ClassNo, EventKind, MemberRef, RunPart, Record, Site, SiteNo};
use jinsi_trace::reader::Trace;
use jinsi_trace::synthetic::TraceBuilder;
use jinsi_trace::varint;
use libfuzzer_sys::fuzz_target;

/// Size of the sizes that an input begins with.
const SIZES: usize = 4;
const EVENTS_SEGMENT: u32 = 2;
const COMMITTED: u64 = 0x6465_7474_696d_6d6f;

/// What an event of this kind stands for, if it has three operands; if it has fewer, it is malformed.
fn parts(kind: EventKind) -> Vec<RunPart> {
    let part = |kind, operands: &[(u8, i32)]| RunPart {
        kind,
        site: SiteNo::FIRST,
        operands: operands.to_vec(),
    };
    match kind {
        EventKind::Run => vec![
            part(EventKind::ArrayLoad, &[(0, 0), (1, 3), (2, -1)]),
            part(EventKind::Path, &[(ALWAYS, 7)]),
        ],
        _ => Vec::new(),
    }
}

/// A trace with a site of each kind and for several operands, numbered from 1.
fn front() -> &'static [u8] {
    static FRONT: OnceLock<Vec<u8>> = OnceLock::new();
    FRONT.get_or_init(|| {
        let path = std::env::temp_dir().join(format!("jinsi-chunk-read-{}", std::process::id()));
        let kinds = EventKind::ALL.into_iter().cycle();
        let operands = ["", "L", "LI", "LIJ", "ZBCSIJFDL"];
        let kinds = kinds.take(operands.len() * EventKind::ALL.len());
        let sites = kinds.enumerate().map(|(at, kind)| Site {
            no: SiteNo::FIRST.behind(at),
            kind,
            class: ClassNo::FIRST,
            method: "method".into(),
            desc: "(I)V".into(),
            access: 1,
            bci: 0,
            line: 1,
            target: MemberRef {
                owner: "some/Owner".into(),
                name: "name".into(),
                desc: "(I)V".into(),
            },
            op: CallOp::Virtual,
            operands: operands[(at + 1) / EventKind::ALL.len() % operands.len()].into(),
            light: false,
            outside: false,
            stepwise: false,
            parts: parts(kind),
        });
        TraceBuilder::new(&path)
            .record(Record::Sites(sites.collect()))
            .finish()
            .expect("a trace can be written");
        let bytes = std::fs::read(&path).expect("it is there");
        std::fs::remove_file(&path).expect("it is there");
        // Were the form of chunks another one, all inputs would be turned away at once, and nothing found.
        let empty = chunk(&EMPTY).expect("it is whole");
        assert_eq!(trace_of(&bytes, &empty).threads().len(), 1);
        bytes
    })
}

/// The chunk that an input stands for.
fn chunk(input: &[u8]) -> Option<Vec<u8>> {
    let (sizes, rest) = input.split_at_checked(SIZES)?;
    let size = |at: usize| usize::from(u16::from_le_bytes([sizes[at], sizes[at + 1]]));
    let (front, body) = rest.split_at_checked(size(0))?;
    let (first, second) = body.split_at_checked(size(2))?;
    let mut chunk = front.to_vec();
    for part in [first, second] {
        varint::write(&mut chunk, part.len() as u64);
        // Stored as it is.
        varint::write(&mut chunk, (part.len() as u64) << 1 | 1);
        chunk.extend(part);
    }
    Some(chunk)
}

/// A trace with this front and one chunk behind it.
fn trace_of(front: &[u8], chunk: &[u8]) -> Trace {
    let mut trace = front.to_vec();
    trace.extend(b"jseg");
    trace.extend(EVENTS_SEGMENT.to_le_bytes());
    trace.extend((chunk.len() as u64).to_le_bytes());
    trace.extend([0; 16]);
    trace.extend(COMMITTED.to_le_bytes());
    trace.extend(chunk);
    trace.resize(trace.len().next_multiple_of(8), 0);
    Trace::from_bytes(trace).expect("its front is sound")
}

/// A chunk of no events: sizes, and a front of zeros.
const EMPTY: [u8; SIZES + 42] = {
    let mut input = [0; SIZES + 42];
    input[0] = 42;
    input
};

fuzz_target!(|bytes: &[u8]| {
    let Some(chunk) = chunk(bytes) else {
        return;
    };
    let trace = trace_of(front(), &chunk);
    for thread in trace.threads() {
        let forward: Result<Vec<_>, _> = trace.events(thread.no).collect();
        let backward: Result<Vec<_>, _> = trace.events_backward(thread.no).collect();
        // What their values are may differ: a column says what its last word is, true or not.
        if let (Ok(forward), Ok(backward)) = (forward, backward) {
            assert_eq!(forward.len(), backward.len());
        }
    }
});
