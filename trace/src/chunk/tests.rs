//! Chunks against the raw events they were made of.

use proptest::prelude::*;

use super::*;
use crate::model::{Content, Event, JavaString, Payload, Prim, Value};
use crate::raw::{self, Walker, operand_letters};
use jinsi_events::arbitrary::{arrays, event, shapes, shortened};

fn raw(events: &[Event]) -> Vec<u8> {
    let shapes = shapes();
    let mut out = Vec::new();
    for event in events {
        let letters = operand_letters(event.kind, event.site, &shapes).unwrap();
        raw::encode(event, letters.as_deref().unwrap_or_default(), &mut out).unwrap();
    }
    out
}

fn encode(raw: &[u8], from: usize, effort: Effort) -> encode::Encoded {
    Encoder::default()
        .encode((3, 5), raw, from, &shapes(), effort)
        .unwrap()
}

/// The chunk of all of `raw`, made with this effort by an encoder that has made another before.
fn chunk_with(raw: &[u8], effort: Effort) -> Vec<u8> {
    let mut encoder = Encoder::default();
    let mut again = || encoder.encode((3, 5), raw, 0, &shapes(), effort).unwrap();
    // The first teaches it which columns are linked.
    again();
    let second = again();
    assert_eq!(second.to, raw.len());
    second.payload
}

/// The chunk of all of `raw`.
fn chunk(raw: &[u8]) -> Vec<u8> {
    let encoded = encode(raw, 0, Effort::Best);
    assert_eq!(encoded.to, raw.len());
    encoded.payload
}

fn header(payload: &[u8]) -> ChunkHeader {
    ChunkHeader::read(&mut Reader::new(payload)).unwrap()
}

fn decode(payload: &[u8], direction: Direction) -> Result<Vec<Event>, ChunkError> {
    Chunk::read(payload)?
        .events(direction, &shapes())?
        .collect()
}

fn text(id: u64, text: &str) -> Event {
    let content = Content::Text(JavaString::new(text));
    let payload = Payload::Content { id, content };
    Event {
        kind: EventKind::Content,
        site: None,
        payload,
    }
}

fn exit() -> Event {
    Event {
        kind: EventKind::Exit,
        site: SiteNo::new(2),
        payload: Payload::Operands(vec![]),
    }
}

#[test]
fn elements_of_primitive_arrays_can_be_left_out() {
    let array = |id: u64| {
        let chars = "jinsi".chars().map(|c| Value::Prim(Prim::Char(c as u16)));
        let content = Content::Array(chars.collect());
        let payload = Payload::Content { id, content };
        Event {
            kind: EventKind::Content,
            site: None,
            payload,
        }
    };
    let events = [array(7), exit(), text(1, "x"), array(8), exit()];
    let payload = chunk(&raw(&events));
    for direction in [Direction::Forward, Direction::Backward] {
        let read = Chunk::read(&payload).unwrap().events(direction, &shapes());
        let brief: Vec<Event> = read.unwrap().elements(4).map(Result::unwrap).collect();
        let mut expected = decode(&payload, direction).unwrap();
        for event in &mut expected {
            if let Payload::Content { content, .. } = &mut event.payload
                && matches!(content, Content::Array(_))
            {
                *content = Content::TooLarge { len: 5 };
            }
        }
        assert_eq!(brief, expected);
    }
}

#[test]
fn a_chunk_does_not_patch_what_another_has() {
    let array = |last: i64| {
        let values = (0..100).chain([last]);
        let content = Content::Array(values.map(|n| Value::Prim(Prim::Long(n))).collect());
        let payload = Payload::Content { id: 7, content };
        Event {
            kind: EventKind::Content,
            site: None,
            payload,
        }
    };
    let events = [array(1), array(2), array(3)];
    let [short, whole] = shortened(&events);
    assert!(2 * short.len() < whole.len());
    let first = raw(&events[..1]).len();
    let rest = encode(&short, first, Effort::Best);
    assert_eq!(rest.to, short.len());
    assert_eq!(header(&rest.payload).malformed, 2);
    assert_eq!(
        decode(&chunk(&short), Direction::Forward),
        Ok(events.into())
    );
}

#[test]
fn equal_strings_are_stored_once() {
    let long: String = ('a'..='z')
        .cycle()
        .map(|c| char::from((c as u8).wrapping_mul(7) | 32))
        .take(3000)
        .collect();
    let events: Vec<Event> = (0..100).map(|id| text(id, &long)).collect();
    let payload = chunk(&raw(&events));
    let decoded = decode(&payload, Direction::Forward).unwrap();
    assert_eq!(decoded, events);
    let place = |event: &Event| match &event.payload {
        Payload::Content {
            content: Content::Text(text),
            ..
        } => text.0.as_ptr(),
        _ => std::ptr::null(),
    };
    assert!(decoded.iter().all(|e| place(e) == place(&decoded[0])));
}

/// Results, array stores of every third of them, and, with every second, a static field that gets a number.
fn repeating(from: u64, to: u64, with_fields: bool) -> Vec<Event> {
    let noise = |n: u64| {
        let mixed = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 12
    };
    let operands = |kind, site, values| Event {
        kind,
        site: SiteNo::new(site),
        payload: Payload::Operands(values),
    };
    let events = (from..to).flat_map(|n| {
        let object = Value::Object(noise(n));
        let index = Value::Prim(Prim::Int(n as i32));
        let result = operands(EventKind::CallExit, 4, vec![object.clone()]);
        let store = operands(
            EventKind::ArrayStore,
            5,
            vec![object.clone(), index, object],
        );
        let field = operands(
            EventKind::PutStatic,
            6,
            vec![Value::Prim(Prim::Double(n as f64))],
        );
        std::iter::once(result)
            .chain((n % 3 == 0).then_some(store))
            .chain((with_fields && n % 2 == 0).then_some(field))
    });
    events.collect()
}

#[test]
fn what_is_repeated_costs_little() {
    let mut encoder = Encoder::default();
    let mut chunk = |events: &[Event], effort| {
        let raw = raw(events);
        let encoded = encoder.encode((0, 1), &raw, 0, &shapes(), effort).unwrap();
        let payload = encoded.payload;
        let mut backward = decode(&payload, Direction::Backward).unwrap();
        backward.reverse();
        assert_eq!(backward, events);
        assert_eq!(decode(&payload, Direction::Forward).unwrap(), events);
        payload.len()
    };
    let first = chunk(&repeating(0, 1000, true), Effort::Fast);
    let second = chunk(&repeating(1000, 2000, true), Effort::Fast);
    assert!(second * 10 < first * 8, "{second} after {first}");
    // The source of the stores is not there: they are compared with nothing.
    let stores: Vec<Event> = repeating(2000, 3000, false)
        .into_iter()
        .filter(|event| event.kind == EventKind::ArrayStore)
        .collect();
    chunk(&stores, Effort::Best);
    chunk(&repeating(3000, 4000, false), Effort::Best);
}

#[test]
fn runs_of_equal_events_cost_nothing() {
    let payload = chunk(&raw(&vec![exit(); 100_000]));
    assert!(payload.len() < 100, "{}", payload.len());
    assert_eq!(header(&payload).events, 100_000);
    assert_eq!(
        decode(&payload, Direction::Backward).unwrap().len(),
        100_000
    );
}

#[test]
fn malformed_events_are_left_out_and_counted() {
    let good = raw(&[exit(), text(1, "x")]);
    let unknown_site = (99 | (EventKind::Exit as u64) << 32).to_le_bytes();
    let short_catch = (7 | (EventKind::Catch as u64) << 32).to_le_bytes();
    let mixed = [&good[..], &unknown_site, &good, &short_catch, &good].concat();
    let payload = chunk(&mixed);
    let header = header(&payload);
    assert_eq!((header.events, header.malformed), (6, 2));
    assert_eq!((header.from, header.to), (0, mixed.len() as u64));
    let expected: Vec<Event> = [exit(), text(1, "x")].into_iter().cycle().take(6).collect();
    assert_eq!(decode(&payload, Direction::Forward).unwrap(), expected);
}

#[test]
fn large_buffers_are_cut_at_events() {
    let long = "y".repeat(MAX_RAW_BYTES / 3);
    let mut events: Vec<Event> = (0..5).map(|id| text(id, &long)).collect();
    events.push(text(9, &"z".repeat(2 * MAX_RAW_BYTES)));
    events.push(exit());
    let raw = raw(&events);
    let (mut from, mut found, mut sizes) = (0, Vec::new(), Vec::new());
    while from < raw.len() {
        let encoded = encode(&raw, from, Effort::Best);
        let header = header(&encoded.payload);
        assert_eq!((header.from, header.to), (from as u64, encoded.to as u64));
        sizes.push(header.events);
        found.extend(decode(&encoded.payload, Direction::Forward).unwrap());
        from = encoded.to;
    }
    assert_eq!(sizes, [2, 2, 1, 1, 1]);
    assert!(found == events);
}

#[test]
fn numbers_by_kind_add_up() {
    let raw = raw(&[exit(), text(1, "x"), exit()]);
    let header = header(&chunk(&raw));
    let events: Vec<_> = header.kinds.iter().map(|(k, s)| (*k, s.events)).collect();
    assert_eq!(events, [(EventKind::Exit, 2), (EventKind::Content, 1)]);
    let raw_bytes: u64 = header.kinds.values().map(|s| s.raw_bytes).sum();
    assert_eq!(raw_bytes, raw.len() as u64);
}

#[test]
fn impossible_headers_are_refused() {
    let payload = chunk(&raw(&[exit()]));
    let broken = |at: usize, byte: u8| {
        let mut payload = payload.clone();
        payload[at] = byte;
        Chunk::read(&payload).map(|_| ())
    };
    assert_eq!(broken(4, 2), Err(ChunkError::Header), "flags");
    assert_eq!(broken(4, 1), Err(ChunkError::Block), "a grammar");
    assert_eq!(broken(16, 99), Err(ChunkError::Header), "range");
    assert_eq!(broken(35, 1), Err(ChunkError::Header), "too many events");
    assert!(
        matches!(broken(32, 2), Err(ChunkError::Header)),
        "wrong number of events"
    );
    assert_eq!(broken(payload.len() - 6, 0xff), Err(ChunkError::Zstd));
}

/// Events of two sites that have the same object and number as the event before, but for those of which `odd` says what they have instead.
fn linked(odd: &[(u8, Value)]) -> Vec<Event> {
    let of = |kind, site, values| Event {
        kind,
        site: SiteNo::new(site),
        payload: Payload::Operands(values),
    };
    let events = (0..).zip(odd).flat_map(|(n, (which, odd))| {
        let object = |place: u8| match which % 16 == place {
            true => odd.clone(),
            false => Value::Object(100 + n * 7919 % 1000),
        };
        let int = Value::Prim(Prim::Int(n as i32 * 31 % 777 + 64));
        let long = Value::Prim(Prim::Long(n as i64 * n as i64));
        let mut events = vec![
            of(EventKind::Call, 9, vec![object(0), int.clone(), long]),
            of(EventKind::ArrayStore, 5, vec![object(1), int, object(2)]),
            of(EventKind::Catch, 7, vec![object(3)]),
            of(
                EventKind::Exit,
                10,
                vec![if which % 16 == 5 {
                    odd.clone()
                } else {
                    Value::Null
                }],
            ),
        ];
        if which % 16 == 4 {
            events.remove(0);
        }
        events
    });
    events.collect()
}

proptest! {
    #[test]
    fn operands_that_wait_come_to_the_right_columns(odd in prop::collection::vec((any::<u8>(), jinsi_events::arbitrary::reference()), 20..120)) {
        let teaching = raw(&linked(&vec![(9, Value::Null); 200]));
        // Now and then something is odd, and then all the time: then nothing waits any more.
        let mut events = linked(&vec![(9, Value::Null); 50]);
        events.extend(odd.iter().flat_map(|one| linked(&[(9, Value::Null), one.clone(), one.clone(), (9, Value::Null)])));
        events.extend(linked(&odd));
        let bytes = raw(&events);
        let mut encoder = Encoder::default();
        let mut encode = |raw: &[u8]| encoder.encode((3, 5), raw, 0, &shapes(), Effort::Fast).unwrap().payload;
        // From the third chunk on nothing is learnt.
        encode(&teaching);
        encode(&teaching);
        for _ in 0..2 {
            let payload = encode(&bytes);
            prop_assert_eq!(&decode(&payload, Direction::Forward).unwrap(), &events);
            let mut backward = decode(&payload, Direction::Backward).unwrap();
            backward.reverse();
            prop_assert_eq!(&backward, &events);
        }
    }

    #[test]
    fn both_directions(events in prop::collection::vec(event(), 0..60), repeat in 1usize..20) {
        let all: Vec<Event> = events.iter().cycle().take(events.len() * repeat).cloned().collect();
        let raw = raw(&all);
        for effort in [Effort::Fast, Effort::Best] {
            let payload = chunk_with(&raw, effort);
            prop_assert_eq!(decode(&payload, Direction::Forward), Ok(all.clone()));
            let mut backward = decode(&payload, Direction::Backward).unwrap();
            backward.reverse();
            prop_assert_eq!(backward, all.clone());
        }
    }

    /// Whoever skims a chunk meets the same events, whichever operands are asked for.
    #[test]
    fn skimming_tells_the_same(
        events in prop::collection::vec((event(), 0usize..4), 0..60),
        asked in prop::collection::vec(any::<bool>(), 1..40),
        fast: bool,
    ) {
        let mut bytes = Vec::new();
        let mut all = Vec::new();
        for (event, echoes) in events {
            bytes.extend(raw(std::slice::from_ref(&event)));
            let (kind, site) = (event.kind, event.site);
            let repeatable = site.is_some() && matches!(event.payload, Payload::Operands(_));
            all.push(event.clone());
            for no in (0..echoes).filter(|_| repeatable) {
                match no % 2 {
                    0 => bytes.extend((symbol(kind, site) | REPEATS).to_le_bytes()),
                    _ => bytes.extend(raw(std::slice::from_ref(&event))),
                }
                all.push(event.clone());
            }
        }
        let effort = if fast { Effort::Fast } else { Effort::Best };
        let payload = chunk_with(&bytes, effort);
        let mut skim = Skim::new(Chunk::read(&payload).unwrap(), &shapes()).unwrap();
        let mut asked = asked.iter().cycle();
        for event in all.iter().rev() {
            prop_assert_eq!(skim.advance(), Some(Ok((event.kind, event.site))));
            let values = match &event.payload {
                Payload::Operands(values) => values.as_slice(),
                _ => &[],
            };
            prop_assert_eq!(skim.count(), values.len());
            for (at, value) in values.iter().enumerate().filter(|_| *asked.next().unwrap()) {
                prop_assert_eq!(skim.value(at), Some(value.clone()));
                let object = if let Value::Object(id) = value { Some(*id) } else { None };
                prop_assert_eq!(skim.object(at), object);
            }
            prop_assert_eq!(skim.value(values.len()), None);
        }
        prop_assert_eq!(skim.advance(), None);
    }

    /// What a method gets from its call, and the call from the method, is stored once, whether the probes said so or not.
    #[test]
    fn repeated_payloads(events in prop::collection::vec((event(), 0..4), 0..60)) {
        let (mut all, mut short) = (Vec::new(), Vec::new());
        for (event, echoes) in events {
            short.extend(raw(std::slice::from_ref(&event)));
            let echo = match event.site.map(SiteNo::get) {
                Some(9) => (EventKind::Enter, SiteNo::new(1)),
                Some(10) => (EventKind::CallExit, SiteNo::new(4)),
                _ => (event.kind, None),
            };
            all.push(event);
            let (kind, site) = echo;
            let payload = all[all.len() - 1].payload.clone();
            for no in (0..echoes).filter(|_| site.is_some()) {
                let event = Event { kind, site, payload: payload.clone() };
                // What repeats an event has none that could be repeated, and the probes do not always see that one does.
                match (echoes - no) % 2 {
                    0 => short.extend(raw(std::slice::from_ref(&event))),
                    _ => short.extend((symbol(kind, site) | REPEATS).to_le_bytes()),
                }
                all.push(event);
            }
        }
        for raw in [short, raw(&all)] {
            let payload = chunk_with(&raw, Effort::Best);
            prop_assert_eq!(decode(&payload, Direction::Forward), Ok(all.clone()));
            let mut backward = decode(&payload, Direction::Backward).unwrap();
            backward.reverse();
            prop_assert_eq!(backward, all.clone());
        }
    }

    #[test]
    fn what_has_changed_in_an_array_is_enough(events in arrays(), fast: bool) {
        let effort = if fast { Effort::Fast } else { Effort::Best };
        let [short, whole] = shortened(&events);
        for raw in [short, whole] {
            let payload = chunk_with(&raw, effort);
            prop_assert_eq!(header(&payload).malformed, 0);
            prop_assert_eq!(decode(&payload, Direction::Forward), Ok(events.clone()));
            let mut backward = decode(&payload, Direction::Backward).unwrap();
            backward.reverse();
            prop_assert_eq!(&backward, &events);
        }
    }

    /// Bytes that are not raw events at all are counted, and what is between them survives.
    #[test]
    fn any_bytes_can_be_encoded(words: Vec<u64>, events in prop::collection::vec(event(), 0..5)) {
        let words: Vec<u8> = words.iter().flat_map(|w| (w & 0x0003_011f_0000_000f).to_le_bytes()).collect();
        let raw = [raw(&events), words].concat();
        let payload = chunk(&raw);
        let walked: Vec<Event> =
            Walker::new(&raw).filter_map(|e| e.and_then(|e| e.to_event(&shapes())).ok()).collect();
        prop_assert_eq!(decode(&payload, Direction::Forward), Ok(walked));
    }

    #[test]
    fn damaged_chunks_never_panic(
        events in prop_oneof![prop::collection::vec(event(), 1..20), arrays()],
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        body: bool,
        fast: bool,
    ) {
        let effort = if fast { Effort::Fast } else { Effort::Best };
        let [short, _] = shortened(&events);
        let mut payload = chunk_with(&short, effort);
        if body {
            payload = unpacked(&payload);
        }
        for (at, byte) in flips {
            let at = at.index(payload.len());
            payload[at] = byte;
        }
        let payload = if body { packed(&payload) } else { payload };
        let forward = decode(&payload, Direction::Forward);
        let backward = decode(&payload, Direction::Backward);
        if let (Ok(forward), Ok(backward)) = (&forward, &backward) {
            prop_assert_eq!(forward.len(), backward.len());
        }
        let skim = Chunk::read(&payload).and_then(|chunk| Skim::new(chunk, &shapes()));
        let Ok(mut skim) = skim else { return Ok(()) };
        while let Some(Ok(_)) = skim.advance() {
            for at in 0..skim.count() {
                skim.value(at);
            }
        }
    }
}

/// A chunk taken apart: what is before its body, and the parts of that.
fn split(payload: &[u8]) -> (&[u8], [Vec<u8>; 2]) {
    let mut reader = Reader::new(payload);
    ChunkHeader::read(&mut reader).unwrap();
    let control = reader.count().unwrap();
    reader.bytes(control).unwrap();
    let front = &payload[..payload.len() - reader.rest().len()];
    let parts = [(); 2].map(|()| {
        let size = reader.number().unwrap() as usize;
        let stored = reader.number().unwrap();
        assert_eq!(stored & 1, 0, "compressed");
        let frame = reader.bytes(stored as usize >> 1).unwrap();
        let part = zstd::stream::decode_all(frame).unwrap();
        assert_eq!(part.len(), size);
        part
    });
    (front, parts)
}

/// The chunk with its body not compressed, behind eight bytes that say where its parts begin.
fn unpacked(payload: &[u8]) -> Vec<u8> {
    let (front, [first, second]) = split(payload);
    let places = [front.len() as u32, first.len() as u32].map(u32::to_le_bytes);
    [places.as_flattened(), front, &first, &second].concat()
}

/// Undoes `unpacked`; damaged positions are cut to size.
fn packed(unpacked: &[u8]) -> Vec<u8> {
    let (places, mut rest) = unpacked.split_at(8);
    let mut take = |at: usize| {
        let size = u32::from_le_bytes(places[at..at + 4].try_into().unwrap()) as usize;
        let (taken, left) = rest.split_at(size.min(rest.len()));
        rest = left;
        taken
    };
    let (front, first) = (take(0), take(4));
    let mut payload = front.to_vec();
    for part in [first, rest] {
        let frame = zstd::bulk::compress(part, 1).unwrap();
        varint::write(&mut payload, part.len() as u64);
        varint::write(&mut payload, (frame.len() as u64) << 1);
        payload.extend(frame);
    }
    payload
}
