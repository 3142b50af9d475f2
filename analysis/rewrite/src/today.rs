//! Rewrites one class as a JVM loads it: a written test runs the classes of today, which no recording has.
//!
//! Question and answer are bytes, so that one native method is enough (`java-harness/replay/jinsi/replay/Rewriter.java` asks). All numbers
//! are big-endian; a text is its length in bytes (`u32`) and UTF-8; `bytes` are a length (`u32`) and as many bytes.
//!
//! | question | |
//! | --- | --- |
//! | text | rules about natural classes, added to the built-in ones |
//! | `u32`, `u32` | numbers of the last bridge and the last trap that there are |
//! | `u32` n, n × | the classes: the one to rewrite first, then all that its constant pool names, and their supertypes, as far as they are not the JDK's |
//! | `u8` | its part: 0 observed, 1 inherited by observed classes, 2 natural, 3 environment |
//! | `u8` | 1: objects of a class that is not observed inherit from it; 2: of its code only what ran on observed objects was recorded; 4: its static fields are set, so its initializer does not run |
//! | bytes | the class file |
//!
//! The answer is 0 and bytes (the new class file), `u32` n + n × bridge, `u32` n + n × trap; or 1 and a text that says why not. A bridge is
//! `u8` operation ([`Operation`], in order), three texts (owner, name, descriptor), two texts (name and descriptor of the method that holds it), `u16` bytecode
//! index, `u16` line. A trap is `u8` operation and three texts.

use std::collections::BTreeSet;

use jinsi_classfile::ClassFile;
use jinsi_events::model::{ClassOrigin, MemberRef, Operation};
use jinsi_natural::Natural;

use crate::{Class, Tables, Universe, World, environment, observed};

/// The parts of classes.
const OBSERVED: u8 = 0;
const INHERITED: u8 = 1;
const NATURAL: u8 = 2;
const ENVIRONMENT: u8 = 3;
/// What else is known of a class.
const OF_OTHERS: u8 = 1;
const ONLY_INHERITED: u8 = 2;
const INITIALIZED: u8 = 4;

/// What the answer begins with.
const DONE: u8 = 0;
const REFUSED: u8 = 1;

/// Why a class is not rewritten.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Refused {
    #[error("the request to rewrite a class is damaged at byte {0}")]
    Damaged(usize),
    #[error("{0}")]
    Natural(#[from] jinsi_natural::PatternError),
    #[error("the class file cannot be read")]
    NoClass,
    #[error("{0}")]
    Rewrite(#[from] crate::RewriteError),
}

/// A class of the question.
struct Given<'q> {
    part: u8,
    flags: u8,
    bytes: &'q [u8],
}

struct Question<'q> {
    rules: &'q str,
    bridges: u32,
    traps: u32,
    classes: Vec<Given<'q>>,
}

/// The answer to a question, whatever that is.
pub fn answer(question: &[u8]) -> Vec<u8> {
    match rewritten(question) {
        Ok(answer) => answer,
        Err(why) => refusal(&why.to_string()),
    }
}

/// The answer that a class is not rewritten, for this reason.
pub fn refusal(why: &str) -> Vec<u8> {
    let mut out = vec![REFUSED];
    text(&mut out, why);
    out
}

fn rewritten(question: &[u8]) -> Result<Vec<u8>, Refused> {
    let question = read(question)?;
    let first = question.classes.first().ok_or(Refused::NoClass)?;
    let mut tables = Tables::behind(question.bridges, question.traps);
    let bytes = match first.part {
        ENVIRONMENT => environment(first.bytes, &mut tables)?,
        _ => {
            let natural = Natural::default().with_extra(question.rules)?;
            observed_in(&question.classes, &natural, &mut tables)?
        }
    };
    Ok(written(&bytes, &tables))
}

/// The first of the classes, rewritten in the world that they make.
fn observed_in(
    classes: &[Given<'_>],
    natural: &Natural,
    tables: &mut Tables,
) -> Result<Vec<u8>, Refused> {
    let origin = |given: &Given<'_>| match given.part {
        ENVIRONMENT => ClassOrigin::Skeleton,
        _ if given.flags & ONLY_INHERITED != 0 => ClassOrigin::Inherited,
        _ => ClassOrigin::Observed,
    };
    let universe = Universe::of_files(classes.iter().map(|c| (c.bytes, origin(c))));
    let name = |given: &Given<'_>| {
        let file = ClassFile::parse(given.bytes).ok()?;
        let name = file.name().ok()?;
        universe.class(&name).map(Class::name)
    };
    let named: Vec<(&Given<'_>, &str)> = classes
        .iter()
        .filter_map(|given| Some((given, name(given)?)))
        .collect();
    let of_part = |part: u8| named.iter().filter(move |(given, _)| given.part == part);
    let observed_names: BTreeSet<String> =
        of_part(OBSERVED).map(|(_, n)| (*n).to_owned()).collect();
    let inherited = of_part(INHERITED).map(|(_, n)| *n).collect();
    let of_others = named
        .iter()
        .filter(|(given, _)| given.flags & OF_OTHERS != 0)
        .map(|(_, n)| *n)
        .collect();
    let initialized = named
        .iter()
        .filter(|(given, _)| given.flags & INITIALIZED != 0)
        .map(|(_, n)| (*n).to_owned())
        .collect();
    let world = World::of_parts(&universe, natural, &observed_names, inherited, of_others)
        .with_initialized(initialized);
    let first = classes.first().ok_or(Refused::NoClass)?;
    Ok(observed(first.bytes, &world, tables)?)
}

fn read(bytes: &[u8]) -> Result<Question<'_>, Refused> {
    let mut reader = Reader { bytes, at: 0 };
    let rules = reader.text()?;
    let (bridges, traps) = (reader.u32()?, reader.u32()?);
    let mut classes = Vec::new();
    for _ in 0..reader.u32()? {
        classes.push(Given {
            part: reader.part()?,
            flags: reader.u8()?,
            bytes: reader.bytes()?,
        });
    }
    if reader.at != bytes.len() || bridges > u32::MAX / 2 || traps > u32::MAX / 2 {
        return Err(Refused::Damaged(reader.at));
    }
    Ok(Question {
        rules,
        bridges,
        traps,
        classes,
    })
}

struct Reader<'q> {
    bytes: &'q [u8],
    at: usize,
}

impl<'q> Reader<'q> {
    fn take(&mut self, count: usize) -> Result<&'q [u8], Refused> {
        let end = self.at.checked_add(count);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or(Refused::Damaged(self.at))?;
        self.at += count;
        Ok(taken)
    }

    fn u8(&mut self) -> Result<u8, Refused> {
        Ok(self.take(1)?[0])
    }

    fn u32(&mut self) -> Result<u32, Refused> {
        let mut number = [0; 4];
        number.copy_from_slice(self.take(4)?);
        Ok(u32::from_be_bytes(number))
    }

    fn bytes(&mut self) -> Result<&'q [u8], Refused> {
        let count = self.u32()?;
        self.take(usize::try_from(count).map_err(|_| Refused::Damaged(self.at))?)
    }

    fn text(&mut self) -> Result<&'q str, Refused> {
        let at = self.at;
        std::str::from_utf8(self.bytes()?).map_err(|_| Refused::Damaged(at))
    }

    fn part(&mut self) -> Result<u8, Refused> {
        match self.u8()? {
            part @ (OBSERVED | INHERITED | NATURAL | ENVIRONMENT) => Ok(part),
            _ => Err(Refused::Damaged(self.at)),
        }
    }
}

fn written(bytes: &[u8], tables: &Tables) -> Vec<u8> {
    let mut out = vec![DONE];
    count(&mut out, bytes.len());
    out.extend_from_slice(bytes);
    count(&mut out, tables.bridges.len());
    for bridge in &tables.bridges {
        out.push(code(bridge.op));
        member(&mut out, &bridge.member);
        text(&mut out, &bridge.method);
        text(&mut out, &bridge.desc);
        out.extend_from_slice(&bridge.bci.to_be_bytes());
        out.extend_from_slice(&bridge.line.to_be_bytes());
    }
    count(&mut out, tables.traps.len());
    for trap in &tables.traps {
        out.push(code(trap.op));
        member(&mut out, &trap.member);
    }
    out
}

fn member(out: &mut Vec<u8>, member: &MemberRef) {
    text(out, &member.owner);
    text(out, &member.name);
    text(out, &member.desc);
}

/// Class files, and with them all that is in them, are smaller than 4 GiB.
fn count(out: &mut Vec<u8>, count: usize) {
    out.extend_from_slice(&(count as u32).to_be_bytes());
}

fn text(out: &mut Vec<u8>, text: &str) {
    count(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

/// Place of the operation among all.
fn code(op: Operation) -> u8 {
    match op {
        Operation::Construct => 0,
        Operation::Call => 1,
        Operation::CallStatic => 2,
        Operation::GetField => 3,
        Operation::PutField => 4,
        Operation::GetStatic => 5,
        Operation::PutStatic => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    use jinsi_classfile::class::Member;
    use jinsi_classfile::{Asm, ConstantPool, opcode};

    /// A class whose static method `ask` calls that of `other`.
    fn asking(name: &str, other: &str) -> Vec<u8> {
        let mut pool = ConstantPool::new();
        let asked = pool.add_method_ref(other, "ask", "()V", false).unwrap();
        let mut asm = Asm::new();
        asm.invoke(opcode::INVOKESTATIC, asked, "()V").ret('V');
        let code = asm.into_code(&mut pool, 0).unwrap();
        let mut ask = Member {
            access: 0x9,
            name: pool.add_utf8("ask").unwrap(),
            desc: pool.add_utf8("()V").unwrap(),
            attributes: Vec::new(),
        };
        ask.set_code(&mut pool, &code).unwrap();
        let file = ClassFile {
            minor: 0,
            major: 52,
            access: 0x21,
            this_class: pool.add_class(name).unwrap(),
            super_class: pool.add_class("java/lang/Object").unwrap(),
            pool,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: vec![ask],
            attributes: Vec::new(),
        };
        file.to_bytes().unwrap()
    }

    fn question(rules: &str, classes: &[(u8, u8, Vec<u8>)]) -> Vec<u8> {
        let mut out = Vec::new();
        text(&mut out, rules);
        out.extend_from_slice(&[0, 0, 0, 40, 0, 0, 0, 7]);
        count(&mut out, classes.len());
        for (part, flags, bytes) in classes {
            out.extend_from_slice(&[*part, *flags]);
            count(&mut out, bytes.len());
            out.extend_from_slice(bytes);
        }
        out
    }

    /// Why a class was not rewritten.
    #[derive(Debug)]
    struct Refused(String);

    /// The class of an answer and how many bridges and traps it has, or why there is none.
    fn understood(answer: &[u8]) -> Result<(ClassFile, u32, u32), Refused> {
        let mut reader = Reader {
            bytes: answer,
            at: 0,
        };
        if reader.u8().unwrap() == REFUSED {
            return Err(Refused(reader.text().unwrap().to_owned()));
        }
        let class = ClassFile::parse(reader.bytes().unwrap()).unwrap();
        let bridges = reader.u32().unwrap();
        for _ in 0..bridges {
            assert!(reader.u8().unwrap() <= 6);
            let texts: Vec<_> = (0..5).map(|_| reader.text().unwrap()).collect();
            assert_eq!(texts[3..], ["ask", "()V"]);
            reader.take(4).unwrap();
        }
        let traps = reader.u32().unwrap();
        for _ in 0..traps {
            reader.u8().unwrap();
            (0..3).for_each(|_| assert!(reader.text().is_ok()));
        }
        assert_eq!(reader.at, answer.len());
        Ok((class, bridges, traps))
    }

    fn methods(class: &ClassFile) -> Vec<String> {
        let names = class.methods.iter().map(|m| m.name(&class.pool));
        names.map(|n| n.unwrap().into_owned()).collect()
    }

    #[test]
    fn what_may_reach_the_environment_is_redirected_and_numbered_behind_what_there_is() {
        let classes = [
            (OBSERVED, 0, asking("p/A", "p/B")),
            (ENVIRONMENT, 0, asking("p/B", "p/A")),
        ];
        let (class, bridges, traps) = understood(&answer(&question("", &classes))).unwrap();
        assert_eq!((bridges, traps), (1, 0));
        assert_eq!(methods(&class), ["ask", "jinsi$41"]);
    }

    #[test]
    fn a_class_that_is_new_runs_as_observed_ones_do() {
        let classes = [
            (OBSERVED, 0, asking("p/A", "p/New")),
            (OBSERVED, 0, asking("p/New", "p/A")),
        ];
        let (class, bridges, _) = understood(&answer(&question("", &classes))).unwrap();
        assert_eq!((methods(&class), bridges), (vec!["ask".to_owned()], 0));
    }

    #[test]
    fn an_environment_class_keeps_its_shape_only() {
        let classes = [(ENVIRONMENT, 0, asking("p/B", "p/A"))];
        let (_, bridges, traps) = understood(&answer(&question("", &classes))).unwrap();
        assert_eq!((bridges, traps), (0, 1));
    }

    #[test]
    fn rules_of_the_user_count() {
        let classes = [
            (OBSERVED, 0, asking("p/A", "p/B")),
            (NATURAL, 0, asking("p/B", "p/A")),
        ];
        let bridges = |rules: &str| understood(&answer(&question(rules, &classes))).unwrap().1;
        assert_eq!((bridges("p.B"), bridges("p.C")), (0, 1));
        let Refused(why) = understood(&answer(&question("p.B p.C", &classes))).unwrap_err();
        assert!(why.contains("expected one class pattern"), "{why}");
    }

    #[test]
    fn what_is_no_class_is_refused_with_a_reason() {
        for classes in [vec![], vec![(OBSERVED, 0, b"no class".to_vec())]] {
            assert!(understood(&answer(&question("", &classes))).is_err());
        }
        assert_eq!(
            understood(&answer(b"")).unwrap_err().0,
            "the request to rewrite a class is damaged at byte 0"
        );
    }

    proptest! {
        #[test]
        fn damage_is_answered_never_a_panic(at in 0usize..700, value: u8, cut in 0usize..700) {
            let classes = [
                (OBSERVED, 0, asking("p/A", "p/B")),
                (ENVIRONMENT, 0, asking("p/B", "p/A")),
            ];
            let mut bytes = question("p.C", &classes);
            let at = at % bytes.len();
            bytes[at] = value;
            answer(&bytes);
            bytes.truncate(cut);
            answer(&bytes);
        }
    }
}
