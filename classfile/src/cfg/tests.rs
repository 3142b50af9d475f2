//! Post-dominance, control dependence and numbers of paths against their definitions, on graphs and code of any shape.

use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;

use super::control::ControlDependence;
use super::dominance::PostDominators;
use super::paths::{Paths, Start};
use super::*;
use crate::insn;
use crate::opcode::*;

fn cfg(bytes: &[u8], handlers: &[Handler]) -> Cfg {
    Cfg::new(&insn::decode(bytes).unwrap(), handlers).unwrap()
}

fn handler(start: u16, end: u16, handler: u16) -> Handler {
    Handler {
        start,
        end,
        handler,
        catch_type: 0,
    }
}

/// Can `from` reach a node without successors if `without` is not there? With `without` itself it cannot.
fn leaves(successors: &[Vec<u32>], from: u32, without: u32) -> bool {
    let mut seen = BTreeSet::from([without]);
    let mut pending = vec![from];
    while let Some(node) = pending.pop() {
        if seen.insert(node) {
            if successors[node as usize].is_empty() {
                return true;
            }
            pending.extend(&successors[node as usize]);
        }
    }
    false
}

/// Can every way from `from` go on to the exit? Where one gets into an endless loop, that counts as a way that passes nothing.
fn surely_can_leave(successors: &[Vec<u32>], from: u32) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = vec![from];
    while let Some(node) = pending.pop() {
        if seen.insert(node) {
            pending.extend(&successors[node as usize]);
        }
    }
    (seen.iter()).all(|&node| leaves(successors, node, u32::MAX))
}

fn graphs() -> impl Strategy<Value = Vec<Vec<u32>>> {
    (1..14u32).prop_flat_map(|n| {
        let next = prop::collection::vec(0..n, 0..3);
        prop::collection::vec(next, n as usize)
    })
}

proptest! {
    #[test]
    fn post_dominators_are_what_every_way_passes(graph in graphs()) {
        let post = PostDominators::of(&graph);
        for from in 0..graph.len() as u32 {
            if !surely_can_leave(&graph, from) {
                continue;
            }
            for node in 0..graph.len() as u32 {
                let passes = !leaves(&graph, from, node);
                prop_assert_eq!(post.dominates(node, from), passes, "{} from {}", node, from);
            }
        }
    }

    #[test]
    fn control_dependence_is_that_of_the_definition(graph in graphs()) {
        let control = ControlDependence::of_graph(&graph);
        let post = control.post_dominators();
        for (branch, next) in (0..).zip(&graph) {
            for block in 0..graph.len() as u32 {
                let surely = |from: &u32| post.dominates(block, *from);
                let strictly = block != branch && post.dominates(block, branch);
                let depends = next.len() > 1 && next.iter().any(surely) && !strictly;
                prop_assert_eq!(control.dependents(branch).contains(block), depends);
                prop_assert_eq!(control.controllers(block).contains(&branch), depends);
            }
        }
    }

    #[test]
    fn even_endless_loops_have_a_tree(graph in graphs()) {
        let post = PostDominators::of(&graph);
        for node in 0..graph.len() as u32 {
            prop_assert!(post.dominates(node, node));
            let up = std::iter::successors(post.parent(node), |&at| post.parent(at));
            prop_assert!(up.take(graph.len() + 1).count() < graph.len());
        }
    }

    #[test]
    fn numbers_of_paths_tell_them(code in programs(), choices in prop::collection::vec(any::<u8>(), 200)) {
        let cfg = cfg(&code, &[]);
        let paths = Paths::of(&cfg);
        walk(&cfg, &paths, &choices);
    }

    #[test]
    fn every_number_is_a_path_of_its_own(code in programs()) {
        let cfg = cfg(&code, &[]);
        let paths = Paths::of(&cfg);
        let mut seen = HashMap::new();
        for number in 0..paths.total().min(2_000) {
            let segment = paths.segment(&cfg, number).unwrap();
            let last = segment.blocks.last().map(|no| cfg.block(*no).ending);
            // Where both ways of a jump lead to cuts, the number alone says which.
            let start = format!("{:?}", segment.start);
            let known = seen.entry((start, segment.blocks)).or_insert(0);
            *known += 1;
            prop_assert!(*known == 1 || *known == 2 && last == Some(Ending::Branch));
        }
        prop_assert_eq!(paths.segment(&cfg, paths.total()), None);
    }
}

/// Programs of conditional jumps, jumps, switches and returns, four bytes each but for the switch.
fn programs() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec((0..8u8, any::<u8>()), 1..40).prop_map(|plan| {
        let n = plan.len() + 1;
        let mut code = Vec::new();
        for (at, (what, target)) in plan.iter().enumerate() {
            let target = usize::from(*target) % n;
            let jump = (target as i32 - at as i32) * 20 - 1;
            let begin = code.len();
            match what {
                0..=3 => {
                    code.push(ICONST_0);
                    code.push(IFEQ);
                    code.extend((jump as i16).to_be_bytes());
                }
                4 => {
                    code.push(NOP);
                    code.push(GOTO);
                    code.extend((jump as i16).to_be_bytes());
                }
                5 => {
                    code.extend([ICONST_0, LOOKUPSWITCH]);
                    code.extend(vec![0; insn::padding(begin as u32 + 1)]);
                    let next = 20 - 1;
                    for word in [jump, 1, 7, next] {
                        code.extend(word.to_be_bytes());
                    }
                }
                6 => code.push(RETURN),
                _ => {}
            }
            code.resize(begin + 20, NOP);
        }
        code.push(RETURN);
        code
    })
}

/// Walks through the code as the choices say, counts as the agent's code does, and looks up what it has counted.
fn walk(cfg: &Cfg, paths: &Paths, choices: &[u8]) {
    let mut at = 0;
    let mut start = Start::Entry;
    let mut number = paths.base(start).unwrap();
    let mut blocks = Vec::new();
    let check = |start, number, blocks: &Vec<BlockNo>, whole: bool| {
        let segment = paths.segment(cfg, number).unwrap();
        assert_eq!(segment.start, start);
        assert!(segment.blocks.starts_with(blocks), "{segment:?} {blocks:?}");
        assert!(!whole || segment.blocks.len() == blocks.len());
    };
    for choice in choices {
        if paths.is_cut(at) {
            check(start, number, &blocks, true);
            start = Start::Cut(at);
            number = paths.base(start).unwrap();
            blocks.clear();
        }
        blocks.push(at);
        // An exception here.
        check(start, number, &blocks, false);
        let block = cfg.block(at);
        if block.successors.is_empty() {
            return check(start, number, &blocks, true);
        }
        let chosen = usize::from(*choice) % block.successors.len();
        if block.ending == Ending::Branch && chosen == 1 {
            number += paths.increment(cfg, at).unwrap();
        }
        at = block.successors[chosen];
    }
}

#[test]
fn a_loop_of_two_ways() {
    // 0: iconst_0; 1: ifeq 13; 4: iconst_0; 5: ifeq 0; 8: iinc 0 1; 11: goto... as in `while (a) if (b) i++;`
    let code = [
        ICONST_0, IFEQ, 0, 13, ICONST_0, IFEQ, 0xff, 0xfb, IINC, 0, 1, GOTO, 0xff, 0xf5, RETURN,
    ];
    let cfg = cfg(&code, &[]);
    let ends: Vec<Ending> = cfg.blocks().iter().map(|b| b.ending).collect();
    use Ending::{Branch, Leave, Next};
    assert_eq!(ends, [Branch, Branch, Next, Leave]);
    let paths = Paths::of(&cfg);
    assert!(paths.is_cut(0) && !paths.is_cut(1) && !paths.is_cut(3));
    // The entry, to the head; from the head out, or round in two ways.
    assert_eq!(paths.total(), 4);
    assert_eq!(paths.segment(&cfg, 0).unwrap().blocks, [0u32; 0]);
    assert_eq!(paths.segment(&cfg, 1).unwrap().blocks, [0, 3]);
    assert_eq!(paths.segment(&cfg, 2).unwrap().blocks, [0, 1]);
    assert_eq!(paths.segment(&cfg, 3).unwrap().blocks, [0, 1, 2]);
    let control = ControlDependence::of(&cfg);
    let of = |no| control.dependents(no).iter().collect::<Vec<_>>();
    // Whether the loop goes on decides about its head, too.
    assert_eq!((of(0), of(1)), (vec![0, 1], vec![2]));
    assert_eq!(control.controllers(3), [0u32; 0]);
    // By the one way something runs that by the other need not.
    let by = |no, to| control.reached_by(no, to).iter().collect::<Vec<_>>();
    assert_eq!((by(0, 1), by(0, 3)), (vec![0, 1, 2], vec![]));
    let loops = loops::loops(&cfg);
    let of: Vec<u32> = loops[0].blocks.iter().collect();
    assert_eq!((loops.len(), loops[0].head, of), (1, 0, vec![0, 1, 2]));
}

#[test]
fn loops_within_loops_come_behind_them() {
    // 0: nop; 1: iconst_0; 2: ifne 1; 5: try { nop } 6: goto 1; catch: 9: pop; 10: goto 0
    let code = [
        NOP, ICONST_0, IFNE, 0xff, 0xff, NOP, GOTO, 0xff, 0xfb, POP, GOTO, 0xff, 0xf6,
    ];
    let cfg = cfg(&code, &[handler(5, 6, 9)]);
    let loops = loops::loops(&cfg);
    let heads: Vec<(u32, usize)> = (loops.iter())
        .map(|l| (cfg.block(l.head).first as u32, l.blocks.iter().count()))
        .collect();
    // The exception leads back to the beginning: it is the outer loop's.
    assert_eq!(heads[0], (0, cfg.blocks().len()));
    assert_eq!(heads.len(), 2);
    assert!(heads[1].0 == 1 && heads[1].1 < heads[0].1);
}

#[test]
fn subroutines_return_to_their_callers() {
    // 0: jsr 10; 3: jsr 14; 6: return; 7: nop x3; 10: astore_1; 11: ret 1; 13: nop; 14: astore_2; 15: jsr 10; 18: ret 2
    let code = [
        JSR, 0, 10, JSR, 0, 11, RETURN, NOP, NOP, NOP, ASTORE_1, RET, 1, NOP, ASTORE_2, JSR, 0xff,
        0xfb, RET, 2,
    ];
    let cfg = cfg(&code, &[]);
    let insns = insn::decode(&code).unwrap();
    let block = |offset| cfg.block_of(index_of(&insns, offset).unwrap());
    let ret = |offset| {
        let mut next = cfg.block(block(offset)).successors.clone();
        next.sort_unstable();
        next
    };
    assert_eq!(ret(11), [block(3), block(18)]);
    assert_eq!(ret(18), [block(6)]);
    assert!(!cfg.is_reachable(block(7)) && cfg.is_reachable(block(18)));
}

#[test]
fn handlers_hang_on_what_threw() {
    // try { 0: nop; 1: nop } 2: goto 6; catch: 5: pop; 6: return
    let code = [NOP, NOP, GOTO, 0, 4, POP, RETURN];
    let cfg = cfg(&code, &[handler(0, 2, 5)]);
    assert_eq!(cfg.blocks().len(), 4);
    assert_eq!(cfg.block(0).handlers, [2]);
    assert!(cfg.block(1).handlers.is_empty() && cfg.is_handler(2) && cfg.is_reachable(2));
    let control = ControlDependence::of(&cfg);
    let ran: Vec<_> = control.on_throw(0, 2).iter().collect();
    // What follows in any case does not depend on the exception.
    assert_eq!(ran, [2]);
}

#[test]
fn malformed_code_is_an_error() {
    let insns = insn::decode(&[NOP]).unwrap();
    assert_eq!(Cfg::new(&insns, &[]).unwrap_err(), CfgError::Offset(1));
    let insns = insn::decode(&[SIPUSH, 0, 0, RETURN]).unwrap();
    let inside = Cfg::new(&insns, &[handler(0, 3, 1)]);
    assert_eq!(inside.unwrap_err(), CfgError::Offset(1));
    assert_eq!(Cfg::new(&[], &[]).unwrap_err(), CfgError::Empty);
}
