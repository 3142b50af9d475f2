//! The worker's protocol: requests on its standard input, replies on its standard output, binary, big-endian; `str` is
//! that of the session format.
//!
//! | bytes | direction | meaning |
//! | --- | --- | --- |
//! | `h` u32 | ← | greeting: version of the protocol |
//! | `L` str | → | load the session file at this path; answered by `k` or `e` |
//! | `T` u8 mode, u8 0, u32 n + n u32 | → | run these interactions; mode 0 strict, 1 re-synchronizing; answered by `r` or `e` |
//! | `V` u32 n + n bytes | → | tests run with these changes ([`crate::session::changes`]) until the next `V` or `L`; answered by `k` or `e` |
//! | `W` u8 what, u64 of which, str class (null: none), str directory (null: none) | → | tests tell what this was ([`Watch`]) until the next `W` or `L`; answered by `k` |
//! | `Q` | → | end |
//! | `k` | ← | done |
//! | `e` str | ← | refused: why |
//! | `r` … | ← | result, see [`read_result`] |

use std::io::{self, Read, Write};
use std::path::Path;

use super::Watch;
use crate::codes;
use jinsi_level::verdict::{Escaped, Mode, TestOutcome, TestResult, Unresolved};

/// Longest text and longest list taken for credible in a reply.
const MAX_COUNT: u32 = 1 << 26;

/// What the worker is asked.
pub(super) enum Request<'a> {
    Load { path: &'a Path },
    Test { mode: Mode, interactions: &'a [u32] },
    Vary { changes: &'a [u8] },
    Watch(&'a Watch),
    Quit,
}

/// What the worker says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Hello(u32),
    Loaded,
    Refused(String),
    Result(Box<TestResult>),
}

impl Reply {
    /// For diagnosis.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Reply::Hello(_) => "a greeting",
            Reply::Loaded => "an acknowledgement",
            Reply::Refused(_) => "a refusal",
            Reply::Result(_) => "a result",
        }
    }
}

impl Request<'_> {
    /// Writes the request and flushes.
    pub(super) fn send(&self, out: &mut impl Write) -> io::Result<()> {
        let mut bytes = Vec::new();
        match self {
            Request::Load { path } => {
                let path = path.to_str().ok_or_else(|| {
                    io::Error::new(
                        io::ErrorKind::InvalidInput,
                        "the session's path is no Unicode",
                    )
                })?;
                bytes.push(codes::REQUEST_LOAD);
                push_str(&mut bytes, path)?;
            }
            Request::Test { mode, interactions } => {
                let mode = match mode {
                    Mode::Strict => codes::MODE_STRICT,
                    Mode::Resynchronizing => codes::MODE_RESYNCHRONIZING,
                };
                bytes.extend_from_slice(&[codes::REQUEST_TEST, mode, 0]);
                bytes.extend_from_slice(&count(interactions.len())?.to_be_bytes());
                bytes.extend(interactions.iter().flat_map(|n| n.to_be_bytes()));
            }
            Request::Vary { changes } => {
                bytes.push(codes::REQUEST_VARY);
                bytes.extend_from_slice(&count(changes.len())?.to_be_bytes());
                bytes.extend_from_slice(changes);
            }
            Request::Watch(watch) => {
                let (what, which) = watched(watch);
                bytes.extend_from_slice(&[codes::REQUEST_WATCH, what]);
                bytes.extend_from_slice(&which.to_be_bytes());
                let (class, directory) = match watch {
                    Watch::State { class, .. } => (class.as_deref(), None),
                    Watch::Class(class) => (Some(class.as_str()), None),
                    Watch::Predicate { class, directory } => {
                        (Some(class.as_str()), Some(directory.as_str()))
                    }
                    _ => (None, None),
                };
                push_nullable(&mut bytes, class)?;
                push_nullable(&mut bytes, directory)?;
                let beside: &[u32] = match watch {
                    Watch::Result { beside, .. } => beside,
                    _ => &[],
                };
                bytes.extend_from_slice(&count(beside.len())?.to_be_bytes());
                bytes.extend(beside.iter().flat_map(|no| no.to_be_bytes()));
            }
            Request::Quit => bytes.push(codes::REQUEST_QUIT),
        }
        out.write_all(&bytes)?;
        out.flush()
    }
}

/// What is watched, and which: the code, and a number.
fn watched(watch: &Watch) -> (u8, u64) {
    match watch {
        Watch::Nothing => (codes::WATCH_NOTHING, 0),
        Watch::Result { interaction, .. } => (codes::WATCH_RESULT, u64::from(*interaction)),
        Watch::State { object, .. } => (codes::WATCH_STATE, *object),
        Watch::Output => (codes::WATCH_OUTPUT, 0),
        Watch::Exit(status) => (codes::WATCH_EXIT, i64::from(*status) as u64),
        Watch::Steps(most) => (codes::WATCH_STEPS, *most),
        Watch::Predicate { .. } => (codes::WATCH_PREDICATE, 0),
        Watch::Class(_) => (codes::WATCH_CLASS, 0),
        Watch::Flip { site, time } => {
            let site = u64::from(*site) << codes::FLIP_SITE_SHIFT;
            let below = (1u64 << codes::FLIP_SITE_SHIFT) - 1;
            (codes::WATCH_FLIP, site | (time & below))
        }
    }
}

fn push_nullable(bytes: &mut Vec<u8>, text: Option<&str>) -> io::Result<()> {
    match text {
        Some(text) => push_str(bytes, text),
        None => {
            bytes.extend_from_slice(&u32::MAX.to_be_bytes());
            Ok(())
        }
    }
}

fn push_str(bytes: &mut Vec<u8>, text: &str) -> io::Result<()> {
    let units: Vec<u16> = text.encode_utf16().collect();
    bytes.extend_from_slice(&count(units.len())?.to_be_bytes());
    bytes.extend(units.iter().flat_map(|u| u.to_be_bytes()));
    Ok(())
}

fn count(n: usize) -> io::Result<u32> {
    u32::try_from(n).map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "list too long"))
}

/// The next reply; `None` at an orderly end of the stream.
pub(super) fn read_reply(input: &mut impl Read) -> io::Result<Option<Reply>> {
    let mut tag = [0];
    if input.read(&mut tag)? == 0 {
        return Ok(None);
    }
    Ok(Some(match tag[0] {
        codes::REPLY_HELLO => Reply::Hello(read_u32(input)?),
        codes::REPLY_DONE => Reply::Loaded,
        codes::REPLY_REFUSED => Reply::Refused(read_str(input)?.unwrap_or_default()),
        codes::REPLY_RESULT => Reply::Result(Box::new(read_result(input)?)),
        other => return Err(malformed(format!("unknown reply {other:#04x}"))),
    }))
}

/// u8 outcome (0 failing, 1 passing, 2 unresolved), u8 reason, str detail, u8 re-synchronized, u32 n + n str notes, u32
/// n + n u32 answers used, str class of the exception (null: none), str its message, u64 back edges, u32 number of the interaction in which the test ended
/// (all ones: it ran through), u32 lines executed, u64 the way, u32 n + n × (str, str) classes of stand-ins, str what was watched (null: nothing).
fn read_result(input: &mut impl Read) -> io::Result<TestResult> {
    let [outcome, why] = read_array(input)?;
    let outcome = match (outcome, unresolved(why)) {
        (codes::RESULT_FAILING, _) => TestOutcome::Failing,
        (codes::RESULT_PASSING, _) => TestOutcome::Passing,
        (codes::RESULT_UNRESOLVED, Some(why)) => TestOutcome::Unresolved(why),
        _ => return Err(malformed(format!("unknown outcome {outcome}/{why}"))),
    };
    let detail = read_str(input)?.unwrap_or_default();
    let [resynchronized] = read_array(input)?;
    let notes = read_list(input, |input| Ok(read_str(input)?.unwrap_or_default()))?;
    let used_answers = read_list(input, read_u32)?;
    let class = read_str(input)?;
    let message = read_str(input)?;
    let back_edges = u64::from_be_bytes(read_array(input)?);
    let ended_in = Some(read_u32(input)?).filter(|&no| no != u32::MAX);
    let lines = read_u32(input)?;
    let way = u64::from_be_bytes(read_array(input)?);
    let stand_ins = read_list(input, |input| {
        let mut name = || Ok::<_, io::Error>(read_str(input)?.unwrap_or_default());
        Ok((name()?, name()?))
    })?;
    let watched = read_str(input)?;
    Ok(TestResult {
        blocked_on: blocked_on(outcome, &detail),
        outcome,
        detail,
        resynchronized: resynchronized != 0,
        notes,
        used_answers,
        exception: class.map(|class| Escaped { class, message }),
        back_edges,
        ended_in,
        lines,
        way,
        stand_ins: stand_ins.into_iter().collect(),
        watched,
    })
}

fn unresolved(why: u8) -> Option<Unresolved> {
    Some(match why {
        codes::WHY_OTHER_EXCEPTION => Unresolved::OtherException,
        codes::WHY_RECEIVER_MISSING => Unresolved::ReceiverMissing,
        codes::WHY_ARGUMENT_MISSING => Unresolved::ArgumentMissing,
        codes::WHY_NEVER_RECORDED => Unresolved::NeverRecorded,
        codes::WHY_NO_ALTERNATIVE => Unresolved::NoAlternative,
        codes::WHY_NULL_RECEIVER => Unresolved::NullReceiver,
        codes::WHY_OTHER_RECEIVER => Unresolved::OtherReceiver,
        codes::WHY_OTHER_ARRAY => Unresolved::OtherArray,
        codes::WHY_HARNESS => Unresolved::Harness,
        codes::WHY_BUDGET => Unresolved::Budget,
        codes::WHY_DIVERGENCE => Unresolved::Divergence,
        codes::WHY_NONE => return None,
        _ => return None,
    })
}

/// The detail of a missing answer begins with `owner.name`, the owner as internal name.
fn blocked_on(outcome: TestOutcome, detail: &str) -> Option<String> {
    let TestOutcome::Unresolved(Unresolved::NeverRecorded | Unresolved::NoAlternative) = outcome
    else {
        return None;
    };
    let member = detail.split_whitespace().next()?;
    let (owner, _) = member.split_once('.')?;
    (!owner.is_empty()).then(|| owner.to_owned())
}

fn malformed(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn read_array<const N: usize>(input: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn read_u32<R: Read>(input: &mut R) -> io::Result<u32> {
    read_array(input).map(u32::from_be_bytes)
}

fn read_str(input: &mut impl Read) -> io::Result<Option<String>> {
    let n = read_u32(input)?;
    if n == u32::MAX {
        return Ok(None);
    }
    if n > MAX_COUNT {
        return Err(malformed(format!("a text of {n} characters")));
    }
    let mut units = Vec::new();
    for _ in 0..n {
        units.push(u16::from_be_bytes(read_array(input)?));
    }
    Ok(Some(String::from_utf16_lossy(&units)))
}

fn read_list<R: Read, T>(
    input: &mut R,
    item: impl Fn(&mut R) -> io::Result<T>,
) -> io::Result<Vec<T>> {
    let n = read_u32(input)?;
    if n > MAX_COUNT {
        return Err(malformed(format!("a list of {n}")));
    }
    let mut items = Vec::new();
    for _ in 0..n {
        items.push(item(input)?);
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn str_bytes(text: &str) -> Vec<u8> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut out = (units.len() as u32).to_be_bytes().to_vec();
        out.extend(units.iter().flat_map(|u| u.to_be_bytes()));
        out
    }

    fn result_bytes(outcome: u8, why: u8, detail: &str) -> Vec<u8> {
        let mut out = vec![b'r', outcome, why];
        out.extend(str_bytes(detail));
        out.push(1);
        out.extend(1u32.to_be_bytes());
        out.extend(str_bytes("näher"));
        out.extend(2u32.to_be_bytes());
        out.extend(7u32.to_be_bytes());
        out.extend(9u32.to_be_bytes());
        out.extend(str_bytes("a.B"));
        out.extend(u32::MAX.to_be_bytes());
        out.extend(123_456_789_012_u64.to_be_bytes());
        out.extend(77u32.to_be_bytes());
        out.extend(12u32.to_be_bytes());
        out.extend(34u64.to_be_bytes());
        out.extend(1u32.to_be_bytes());
        out.extend(str_bytes("jinsi/replay/StandIn1"));
        out.extend(str_bytes("a/b/C"));
        out.extend(str_bytes("\t7\n"));
        out
    }

    #[test]
    fn a_result_is_read_whole() {
        let bytes = result_bytes(2, 4, "a/b/C.<init> was never recorded");
        let mut input = bytes.as_slice();
        let Some(Reply::Result(result)) = read_reply(&mut input).unwrap() else {
            panic!("no result");
        };
        assert_eq!(
            result.outcome,
            TestOutcome::Unresolved(Unresolved::NeverRecorded)
        );
        assert_eq!(result.blocked_on.as_deref(), Some("a/b/C"));
        assert_eq!(result.notes, ["näher"]);
        assert_eq!(result.used_answers, [7, 9]);
        assert_eq!(
            result.exception,
            Some(Escaped {
                class: "a.B".into(),
                message: None
            })
        );
        assert!(result.resynchronized);
        assert_eq!(result.back_edges, 123_456_789_012);
        assert_eq!((result.ended_in, result.lines), (Some(77), 12));
        assert_eq!(result.way, 34);
        assert_eq!(result.stand_ins["jinsi/replay/StandIn1"], "a/b/C");
        assert_eq!(result.watched.as_deref(), Some("\t7\n"));
        assert_eq!(read_reply(&mut input).unwrap(), None);
    }

    #[test]
    fn only_missing_answers_block() {
        let read = |bytes: Vec<u8>| match read_reply(&mut bytes.as_slice()).unwrap() {
            Some(Reply::Result(result)) => result.blocked_on,
            _ => panic!("no result"),
        };
        assert_eq!(
            read(result_bytes(2, 5, "a/B.c(I)V is used up")).as_deref(),
            Some("a/B")
        );
        assert_eq!(read(result_bytes(2, 9, "a/B.c")), None);
        assert_eq!(read(result_bytes(0, 0, "a/B.c")), None);
    }

    /// They are in reports.
    #[test]
    fn names_of_reasons_are_stable() {
        let names: Vec<_> = (0..=u8::MAX)
            .filter_map(|code| Some((code, unresolved(code)?.name())))
            .collect();
        assert_eq!(
            names,
            [
                (1, "other_exception"),
                (2, "receiver_missing"),
                (3, "argument_missing"),
                (4, "never_recorded"),
                (5, "no_alternative"),
                (6, "null_receiver"),
                (7, "other_receiver"),
                (8, "other_array"),
                (9, "harness"),
                (10, "budget"),
                (11, "divergence")
            ]
        );
    }

    #[test]
    fn damage_is_an_error_not_a_panic() {
        let whole = result_bytes(2, 4, "detail");
        for n in 1..whole.len() {
            assert!(read_reply(&mut &whole[..n]).is_err(), "{n} bytes");
        }
        assert!(read_reply(&mut result_bytes(2, 12, "").as_slice()).is_err());
        assert!(read_reply(&mut result_bytes(3, 0, "").as_slice()).is_err());
        assert!(read_reply(&mut [b'x'].as_slice()).is_err());
        let huge = [b'e', 0xff, 0xff, 0xff, 0xfe];
        assert!(read_reply(&mut huge.as_slice()).is_err());
    }

    #[test]
    fn requests_have_their_form() {
        let mut out = Vec::new();
        let test = Request::Test {
            mode: Mode::Resynchronizing,
            interactions: &[1, 258],
        };
        test.send(&mut out).unwrap();
        assert_eq!(out, [b'T', 1, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 1, 2]);
        out.clear();
        let load = Request::Load {
            path: Path::new("ä"),
        };
        load.send(&mut out).unwrap();
        assert_eq!(out, [b'L', 0, 0, 0, 1, 0, 0xe4]);
        out.clear();
        let result = Watch::Result {
            interaction: 258,
            beside: vec![259],
        };
        Request::Watch(&result).send(&mut out).unwrap();
        let mut expected = vec![b'W', 1, 0, 0, 0, 0, 0, 0, 1, 2];
        expected.extend([255; 8]);
        expected.extend([0, 0, 0, 1, 0, 0, 1, 3]);
        assert_eq!(out, expected);
    }
}
