//! Made-up code, edited in made-up ways.

use proptest::prelude::*;

use super::*;
use crate::insn::decode;

/// One instruction of a made-up method; jumps go to the instruction with this number, modulo how many there are.
#[derive(Clone, Debug)]
enum Made {
    Plain(u8),
    Jump(u8, usize),
    Switch(Vec<usize>, bool),
}

/// What is done around it: sizes of snippets.
#[derive(Clone, Debug, Default)]
struct Around {
    before: usize,
    after: usize,
}

fn made() -> impl Strategy<Value = (Made, Around)> {
    let jump = prop_oneof![
        Just(GOTO),
        Just(JSR),
        Just(IFEQ),
        Just(IFNONNULL),
        Just(IF_ICMPLT),
        Just(GOTO_W)
    ];
    let insn = prop_oneof![
        3 => prop_oneof![Just(ICONST_1), Just(POP), Just(RETURN)].prop_map(Made::Plain),
        2 => (jump, any::<usize>()).prop_map(|(op, to)| Made::Jump(op, to)),
        1 => (proptest::collection::vec(any::<usize>(), 2..5), any::<bool>()).prop_map(|(to, table)| Made::Switch(to, table)),
    ];
    let size = || prop_oneof![6 => Just(0usize), 3 => 1usize..9, 1 => 6_000usize..12_000];
    (insn, size(), size()).prop_map(|(insn, before, after)| (insn, Around { before, after }))
}

/// Assembles made-up instructions, the slow way: sizes first, then jumps. Offsets of all come back, and of the end.
fn assemble(insns: &[Made]) -> (Vec<u8>, Vec<usize>) {
    let mut offsets = vec![0];
    for insn in insns {
        let at = *offsets.last().unwrap();
        offsets.push(
            at + match insn {
                Made::Plain(_) => 1,
                Made::Jump(GOTO_W, _) => 5,
                Made::Jump(..) => 3,
                Made::Switch(to, true) => 4 - at % 4 + 12 + 4 * (to.len() - 1),
                Made::Switch(to, false) => 4 - at % 4 + 8 + 8 * (to.len() - 1),
            },
        );
    }
    let mut bytes = Vec::new();
    for (insn, at) in insns.iter().zip(&offsets) {
        let jump = |to: &usize| (offsets[to % insns.len()] as i32 - *at as i32).to_be_bytes();
        match insn {
            Made::Plain(op) => bytes.push(*op),
            Made::Jump(GOTO_W, to) => {
                bytes.push(GOTO_W);
                bytes.extend(jump(to));
            }
            Made::Jump(op, to) => {
                bytes.push(*op);
                bytes.extend(&jump(to)[2..]);
            }
            Made::Switch(to, table) => {
                bytes.push(if *table { TABLESWITCH } else { LOOKUPSWITCH });
                bytes.resize(at + 4 - at % 4, 0);
                bytes.extend(jump(&to[0]));
                let cases = to.len() as i32 - 1;
                if *table {
                    bytes.extend([0i32.to_be_bytes(), (cases - 1).to_be_bytes()].concat());
                } else {
                    bytes.extend(cases.to_be_bytes());
                }
                for (key, to) in to[1..].iter().enumerate() {
                    if !table {
                        bytes.extend((key as i32).to_be_bytes());
                    }
                    bytes.extend(jump(to));
                }
            }
        }
    }
    (bytes, offsets)
}

/// Checks that the edited code has this instruction, or has it inverted with a long jump behind it. Says where it jumps to there, and to
/// which instructions it has to.
fn check_insn<'i>(
    insn: &Made,
    found: &Insn<'_>,
    rest: &mut std::slice::Iter<'i, Insn<'i>>,
) -> Result<(Vec<u32>, Vec<usize>), TestCaseError> {
    Ok(match insn {
        Made::Plain(op) => {
            prop_assert_eq!(found.opcode, *op);
            (vec![], vec![])
        }
        Made::Jump(op, to) if Some(found.opcode) == inverted(*op) => {
            let goto = rest.next().unwrap();
            prop_assert_eq!(goto.opcode, GOTO_W);
            prop_assert_eq!(found.target(), Some(goto.end()));
            (vec![goto.target().unwrap()], vec![*to])
        }
        Made::Jump(op, to) => {
            let [found_name, wanted] = [found.name(), name(*op).unwrap()];
            prop_assert_eq!(
                found_name.trim_end_matches("_w"),
                wanted.trim_end_matches("_w")
            );
            (found.targets(), vec![*to])
        }
        Made::Switch(to, _) => {
            let cases = found.switch().unwrap();
            let keys: Vec<_> = cases.cases().map(|(key, _)| key).collect();
            prop_assert_eq!(keys, (0..to.len() as i32 - 1).collect::<Vec<_>>());
            (found.targets(), to.clone())
        }
    })
}

/// Walks through the edited code instruction by instruction, and checks that it is the original with the snippets between.
fn check_edited(
    insns: &[(Made, Around)],
    offsets: &[usize],
    edited: &Edited,
) -> Result<(), TestCaseError> {
    let new = decode(&edited.code.bytes).unwrap();
    let mut rest = new.iter();
    let mut labels = Vec::new();
    let mut jumps = Vec::new();
    let skip = |rest: &mut std::slice::Iter<'_, Insn<'_>>, count: usize| {
        rest.by_ref().take(count).all(|insn| insn.opcode == NOP)
    };
    for (index, (insn, around)) in insns.iter().enumerate() {
        labels.push(rest.as_slice()[0].offset);
        prop_assert!(skip(&mut rest, around.before));
        let found = rest.next().unwrap();
        prop_assert_eq!(
            edited.offsets.insn(offsets[index] as u32),
            Some(found.offset)
        );
        prop_assert_eq!(
            edited.offsets.original(found.offset),
            Some(offsets[index] as u32)
        );
        jumps.push(check_insn(insn, found, &mut rest)?);
        if found.falls_through() {
            prop_assert!(skip(&mut rest, around.after));
        }
    }
    prop_assert!(rest.as_slice().is_empty());
    for (found, wanted) in jumps {
        let wanted: Vec<_> = wanted.iter().map(|to| labels[to % labels.len()]).collect();
        prop_assert_eq!(found, wanted);
    }
    Ok(())
}

proptest! {
    #[test]
    fn edits_keep_the_instructions(mut insns in proptest::collection::vec(made(), 0..25)) {
        insns.push((Made::Plain(RETURN), Around::default()));
        let plain: Vec<_> = insns.iter().map(|(insn, _)| insn.clone()).collect();
        let (bytes, offsets) = assemble(&plain);
        let code = code(&bytes);
        let mut editor = Editor::new(&code, 48).unwrap();
        for (at, (_, around)) in offsets.iter().zip(&insns) {
            editor.before(*at as u32, &nops(around.before)).unwrap();
            let _ = editor.after(*at as u32, &nops(around.after));
        }
        match editor.finish(&mut ConstantPool::new()) {
            Ok(edited) => check_edited(&insns, &offsets, &edited)?,
            Err(EditError::TooLarge(bytes)) => prop_assert!(bytes > 65_535),
            Err(error) => prop_assert!(false, "{error}"),
        }
    }

    #[test]
    fn any_code_is_edited_or_refused(bytes in proptest::collection::vec(any::<u8>(), 1..60), table in proptest::collection::vec(any::<u8>(), 0..40)) {
        let mut code = code(&bytes);
        let mut pool = ConstantPool::new();
        with_attribute(&mut code, &mut pool, "StackMapTable", &table);
        with_attribute(&mut code, &mut pool, "LineNumberTable", &table);
        if let Ok(mut editor) = Editor::new(&code, 52) {
            editor.entry(&nops(1)).unwrap();
            let _ = editor.finish(&mut pool);
        }
    }
}
