//! Control flow, stack effects and numbers of paths of real classes, checked against what the data flow analysis says.

use jinsi_classfile::ClassFile;
use jinsi_classfile::cfg::control::ControlDependence;
use jinsi_classfile::cfg::paths::{Paths, Start};
use jinsi_classfile::cfg::{BlockNo, Cfg, Ending};
use jinsi_classfile::effect::{self, Access};
use jinsi_classfile::flow;
use jinsi_classfile::insn;

/// What was looked at.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) methods: usize,
    pub(crate) branches: usize,
    /// Numbers of paths looked up.
    paths: usize,
    /// Methods whose control flow is one path.
    straight: usize,
}

/// Checks all methods of a class.
pub(crate) fn check(name: &str, bytes: &[u8], tally: &mut Tally) {
    let class = ClassFile::parse(bytes).unwrap();
    for member in &class.methods {
        let Some(code) = member.code(&class.pool).unwrap() else {
            continue;
        };
        let insns = insn::decode(&code.bytes).unwrap();
        let flow = flow::analyze_insns(&class, member, &code, &insns).unwrap();
        let cfg = Cfg::new(&insns, &code.handlers).unwrap();
        let control = ControlDependence::of(&cfg);
        tally.methods += 1;
        for (no, block) in (0..).zip(cfg.blocks()) {
            let reached = flow.at(insns[block.first].offset).is_some();
            assert_eq!(cfg.is_reachable(no), reached, "{name}: block {no}");
            if !reached {
                continue;
            }
            let mut depth = None;
            for at in &insns[block.first..=block.last] {
                let before = flow.at(at.offset).unwrap();
                let effect = effect::effect(at, &class.pool, before).unwrap();
                assert_eq!(*depth.get_or_insert(before.stack.len()), before.stack.len());
                let left = before.stack.len() - usize::from(effect.stack.pops());
                depth = Some(left + usize::from(effect.stack.pushes()));
                let decides = matches!(effect.access, Access::Branch(_));
                let ending = matches!(block.ending, Ending::Branch | Ending::Switch | Ending::Ret);
                assert_eq!(decides, ending && at.offset == insns[block.last].offset);
            }
            for &next in &block.successors {
                let begins = flow.at(insns[cfg.block(next).first].offset).unwrap();
                assert_eq!(Some(begins.stack.len()), depth, "{name}: to block {next}");
            }
            tally.branches += usize::from(block.ending == Ending::Branch);
            assert!(
                control
                    .controllers(no)
                    .iter()
                    .all(|b| cfg.block(*b).successors.len() > 1)
            );
        }
        check_paths(&cfg, tally);
    }
}

/// Every block is on a path, and a path's blocks follow one another.
fn check_paths(cfg: &Cfg, tally: &mut Tally) {
    let paths = Paths::of(cfg);
    tally.straight += usize::from(paths.total() == 1);
    let step = 1 + paths.total() / 500;
    for number in (0..paths.total()).step_by(step as usize) {
        let segment = paths.segment(cfg, number).unwrap();
        let base = paths.base(segment.start).unwrap();
        assert!(base <= number);
        for pair in segment.blocks.windows(2) {
            assert!(cfg.block(pair[0]).successors.contains(&pair[1]));
            assert!(!paths.is_cut(pair[1]));
        }
        tally.paths += 1;
    }
    for no in (0..cfg.blocks().len() as BlockNo).filter(|&no| cfg.is_reachable(no)) {
        assert_eq!(paths.is_cut(no), paths.base(Start::Cut(no)).is_some());
        assert!(paths.increment(cfg, no).is_none_or(|n| n <= 16_384));
    }
}
