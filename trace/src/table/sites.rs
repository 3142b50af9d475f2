//! The form of a record of sites: texts, then numbers that name them. Neighbouring sites have most in common, so numbers are differences
//! to those of the site before where that makes them small. All numbers are varints, differences zigzag.
//!
//! ```text
//! count of texts; each: length, bytes
//! count of sites; each:
//!   no (difference)  kind  class (difference)  access  bci (difference)  line (difference)
//!   texts: method, its descriptor, owner, name, descriptor, operands
//!   op, and bits above it: light, outside, stepwise
//!   count of parts; each: kind, site (difference to the site's number), count of operands; each: position, what is added (zigzag)
//! ```

use hashbrown::HashMap;

use crate::model::{CallOp, ClassNo, EventKind, MemberRef, RunPart, Site, SiteNo, Text};
use crate::varint::{Reader, unzigzag, write, zigzag};

/// Texts of a site.
const TEXTS: usize = 6;
/// Memory that a reader needs for a text besides its bytes.
const TEXT_BYTES: usize = 32;

const OPS: [CallOp; 7] = [
    CallOp::None,
    CallOp::Virtual,
    CallOp::Special,
    CallOp::New,
    CallOp::Static,
    CallOp::Interface,
    CallOp::Dynamic,
];
const OP_BITS: u32 = 3;
const LIGHT: u64 = 1 << OP_BITS;
const OUTSIDE: u64 = 2 << OP_BITS;
const STEPWISE: u64 = 4 << OP_BITS;

/// The numbers that the next site's are reported as differences to.
#[derive(Default)]
struct Before {
    no: u32,
    class: u32,
    bci: u16,
    line: u16,
}

impl Before {
    fn of(site: &Site) -> Self {
        Self {
            no: site.no.get(),
            class: site.class.get(),
            bci: site.bci,
            line: site.line,
        }
    }
}

/// Texts, each once, in the order in which they are first named.
#[derive(Default)]
struct Texts<'a> {
    numbers: HashMap<&'a str, u64>,
    all: Vec<u8>,
    /// Those of the site before: it mostly has the same.
    last: [Option<(&'a Text, u64)>; TEXTS],
}

impl<'a> Texts<'a> {
    fn number(&mut self, place: usize, text: &'a Text) -> u64 {
        if let Some((last, number)) = self.last[place]
            && last.is_same(text)
        {
            return number;
        }
        let next = self.numbers.len() as u64;
        let number = *self.numbers.entry(text.as_str()).or_insert_with(|| {
            write(&mut self.all, text.len() as u64);
            self.all.extend_from_slice(text.as_bytes());
            next
        });
        self.last[place] = Some((text, number));
        number
    }
}

/// The memory of a site, not counting texts, of which there is one copy for all.
fn memory(site: &Site) -> usize {
    let operands = site.parts.iter().map(|part| size_of_val(&*part.operands));
    size_of_val(site) + size_of_val(&*site.parts) + operands.sum::<usize>()
}

/// The sites in this form, and how much memory a reader needs for them.
pub(super) fn encode(sites: &[Site]) -> (Vec<u8>, usize) {
    let mut texts = Texts::default();
    let mut rows = Vec::with_capacity(sites.len() * 16);
    let mut before = Before::default();
    for site in sites {
        difference(&mut rows, site.no.get(), before.no);
        rows.push(site.kind as u8);
        difference(&mut rows, site.class.get(), before.class);
        write(&mut rows, site.access.into());
        difference(&mut rows, site.bci, before.bci);
        difference(&mut rows, site.line, before.line);
        let target = &site.target;
        let named: [&Text; TEXTS] = [
            &site.method,
            &site.desc,
            &target.owner,
            &target.name,
            &target.desc,
            &site.operands,
        ];
        for (place, text) in named.into_iter().enumerate() {
            write(&mut rows, texts.number(place, text));
        }
        write(&mut rows, flags(site));
        write(&mut rows, site.parts.len() as u64);
        for part in &site.parts {
            rows.push(part.kind as u8);
            difference(&mut rows, part.site.get(), site.no.get());
            write(&mut rows, part.operands.len() as u64);
            for &(position, add) in &part.operands {
                rows.push(position);
                difference(&mut rows, add, 0);
            }
        }
        before = Before::of(site);
    }
    let mut out = Vec::with_capacity(texts.all.len() + rows.len() + 16);
    write(&mut out, texts.numbers.len() as u64);
    out.extend_from_slice(&texts.all);
    write(&mut out, sites.len() as u64);
    out.extend_from_slice(&rows);
    let texts = texts.numbers.keys().map(|text| TEXT_BYTES + text.len());
    let memory = texts.sum::<usize>() + sites.iter().map(memory).sum::<usize>();
    (out, memory)
}

fn flags(site: &Site) -> u64 {
    let op = OPS.iter().position(|op| *op == site.op).unwrap_or(0) as u64;
    let bits = [
        (site.light, LIGHT),
        (site.outside, OUTSIDE),
        (site.stepwise, STEPWISE),
    ];
    bits.iter()
        .filter(|(is, _)| *is)
        .fold(op, |flags, (_, bit)| flags | bit)
}

fn difference(out: &mut Vec<u8>, n: impl Into<i64>, before: impl Into<i64>) {
    write(out, zigzag(n.into() - before.into()));
}

/// The sites; `None` if these are none, or would take more than `most` bytes of memory.
pub(super) fn decode(bytes: &[u8], most: usize) -> Option<Vec<Site>> {
    let mut reader = Reader::new(bytes);
    let mut left = most;
    let mut take = |bytes: usize| {
        left = left.checked_sub(bytes)?;
        Some(())
    };
    let mut texts = Vec::new();
    for _ in 0..reader.count()? {
        let len = reader.count()?;
        take(TEXT_BYTES + len)?;
        let text = std::str::from_utf8(reader.bytes(len)?).ok()?;
        texts.push(Text::from(text));
    }
    let mut sites = Vec::new();
    let mut before = Before::default();
    for _ in 0..reader.count()? {
        let site = site(&mut reader, &before, &texts)?;
        take(memory(&site))?;
        before = Before::of(&site);
        sites.push(site);
    }
    reader.rest().is_empty().then_some(sites)
}

fn site(reader: &mut Reader<'_>, before: &Before, texts: &[Text]) -> Option<Site> {
    let no = SiteNo::new(behind(reader, before.no)?)?;
    let kind = kind(reader)?;
    let class = ClassNo::checked(behind(reader, before.class)?)?;
    let access = reader.number()?.try_into().ok()?;
    let bci = behind(reader, before.bci)?;
    let line = behind(reader, before.line)?;
    let mut text = || {
        let number = usize::try_from(reader.number()?).ok()?;
        texts.get(number).cloned()
    };
    let (method, desc) = (text()?, text()?);
    let target = MemberRef {
        owner: text()?,
        name: text()?,
        desc: text()?,
    };
    let operands = text()?;
    let flags = reader.number()?;
    let op = *OPS.get((flags & ((1 << OP_BITS) - 1)) as usize)?;
    let mut parts = Vec::new();
    for _ in 0..reader.count()? {
        parts.push(part(reader, no)?);
    }
    Some(Site {
        no,
        kind,
        class,
        method,
        desc,
        access,
        bci,
        line,
        target,
        op,
        operands,
        light: flags & LIGHT != 0,
        outside: flags & OUTSIDE != 0,
        stepwise: flags & STEPWISE != 0,
        parts,
    })
}

fn part(reader: &mut Reader<'_>, no: SiteNo) -> Option<RunPart> {
    let kind = kind(reader)?;
    let site = SiteNo::new(behind(reader, no.get())?)?;
    let mut operands = Vec::new();
    for _ in 0..reader.count()? {
        let [position] = reader.array()?;
        operands.push((position, behind(reader, 0)?));
    }
    Some(RunPart {
        kind,
        site,
        operands,
    })
}

fn kind(reader: &mut Reader<'_>) -> Option<EventKind> {
    let [kind] = reader.array()?;
    EventKind::from_u8(kind)
}

/// The number that is reported as a difference to `before`.
fn behind<N: TryFrom<i64>>(reader: &mut Reader<'_>, before: impl Into<i64>) -> Option<N> {
    let difference = unzigzag(reader.number()?);
    N::try_from(difference.checked_add(before.into())?).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::MAX_RATIO;
    use super::*;

    fn class_no() -> impl Strategy<Value = ClassNo> {
        any::<u32>().prop_filter_map("a number", |no| ClassNo::checked(no.into()))
    }

    fn site_no() -> impl Strategy<Value = SiteNo> {
        any::<u32>().prop_filter_map("a number", SiteNo::new)
    }

    fn site() -> impl Strategy<Value = Site> {
        let text = || prop_oneof!["[a-c]{0,3}", ".{0,4}"];
        let kind = || prop::sample::select(EventKind::ALL.to_vec());
        let operands = prop::collection::vec(any::<(u8, i32)>(), 0..4);
        let part = (kind(), site_no(), operands).prop_map(|(kind, site, operands)| RunPart {
            kind,
            site,
            operands,
        });
        let place = (
            site_no(),
            kind(),
            class_no(),
            any::<(u16, u16, u16)>(),
            any::<[bool; 3]>(),
        );
        let rest = (
            prop::array::uniform6(text()),
            prop::sample::select(OPS.to_vec()),
            prop::collection::vec(part, 0..4),
        );
        (place, rest).prop_map(|((no, kind, class, numbers, bits), (texts, op, parts))| {
            let (access, bci, line) = numbers;
            let [light, outside, stepwise] = bits;
            let [method, desc, owner, name, target_desc, operands] = texts;
            Site {
                no,
                kind,
                class,
                method: method.into(),
                desc: desc.into(),
                access,
                bci,
                line,
                target: MemberRef {
                    owner: owner.into(),
                    name: name.into(),
                    desc: target_desc.into(),
                },
                op,
                operands: operands.into(),
                light,
                outside,
                stepwise,
                parts,
            }
        })
    }

    #[test]
    fn who_has_no_memory_for_them_does_not_get_them() {
        let sites = jinsi_events::arbitrary::sites();
        let (encoded, memory) = encode(&sites);
        assert_eq!(decode(&encoded, memory), Some(sites));
        assert_eq!(decode(&encoded, memory - 1), None);
    }

    proptest! {
        #[test]
        fn what_is_encoded_decodes(sites in prop::collection::vec(site(), 0..20)) {
            let (encoded, memory) = encode(&sites);
            prop_assert!(memory <= MAX_RATIO * (encoded.len() - 1));
            prop_assert_eq!(decode(&encoded, memory), Some(sites));
        }

        #[test]
        fn any_bytes_are_sites_or_none(sites in prop::collection::vec(site(), 0..5), cut in any::<prop::sample::Index>(), to in any::<u8>()) {
            let (mut encoded, memory) = encode(&sites);
            let at = cut.index(encoded.len());
            encoded[at] = to;
            decode(&encoded, memory);
            decode(&encoded[..at], memory);
        }
    }
}
