//! Which accesses are runs.

use std::collections::{BTreeMap, HashMap};

use jinsi_classfile::ACC_FINAL;
use jinsi_classfile::cfg::{BlockNo, Cfg};
use jinsi_classfile::effect::{Access, StackEffect, effect};
use jinsi_classfile::flow::Value;
use jinsi_classfile::frames::VType;
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;

use jinsi_probes::MOST_WORDS;

use super::tell::tell_of;
use crate::emitter::Probes;
use crate::order::Orders;
use crate::outcome::InstrumentError;
use crate::run::{LEAST_PARTS, PathEnd, Run, Runs, Source, Symbolic, Word, ZERO};
use crate::sites::only_computes;

/// Finds the runs of a block.
struct Finder<'p, 'a, 'c> {
    probes: &'p Probes<'a, 'c>,
    next_base: u32,
    stack: Vec<Symbolic>,
    locals: HashMap<u16, Symbolic>,
    /// The receiver's final fields.
    fields: HashMap<u16, Symbolic>,
    /// The local that had a value when the block began.
    origins: HashMap<u32, u16>,
    /// Locals whose words can be kept, by block.
    holdable: Vec<Vec<u16>>,
    now: BlockNo,
    run: Run,
    /// With the block.
    runs: Vec<(BlockNo, Run)>,
}

impl Finder<'_, '_, '_> {
    fn unknown(&mut self) -> Symbolic {
        self.next_base += 1;
        Symbolic {
            base: self.next_base,
            add: 0,
        }
    }

    fn pop(&mut self) -> Symbolic {
        match self.stack.pop() {
            Some(known) => known,
            // From before the block.
            None => self.unknown(),
        }
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        if run.parts() >= LEAST_PARTS {
            self.runs.push((self.now, run));
        }
    }

    fn block(&mut self, cfg: &Cfg, no: BlockNo, path: Option<PathEnd>) {
        self.now = no;
        self.stack.clear();
        self.locals.clear();
        self.fields.clear();
        self.origins.clear();
        let block = cfg.block(no);
        for at in block.first..=block.last {
            self.instruction(at);
        }
        if let Some(end) = path.filter(|_| !self.run.elements.is_empty()) {
            if end.known.is_none() {
                self.run.words.push(Word {
                    letter: 'I',
                    known: None,
                    source: Source::Number(end.number),
                });
            }
            self.run.path = Some(end);
        }
        self.end_run();
    }

    fn instruction(&mut self, at: usize) {
        let insn = &self.probes.insns[at];
        if self.probes.may_make_events(insn) {
            self.end_run();
        }
        let pool = &self.probes.context.class.pool;
        let state = self.probes.flow.at(insn.offset);
        let Some(effect) = state.and_then(|state| effect(insn, pool, state).ok()) else {
            self.end_run();
            self.stack.clear();
            self.locals.clear();
            return;
        };
        match effect.stack {
            StackEffect::Shuffle { pops, leaves } => {
                let mut taken: Vec<Symbolic> = (0..pops).map(|_| self.pop()).collect();
                taken.reverse();
                let left = leaves.iter().map(|&no| taken[usize::from(no)]);
                self.stack.extend(left);
            }
            StackEffect::Compute { pops, pushes } => {
                let mut taken: Vec<Symbolic> = (0..pops).map(|_| self.pop()).collect();
                taken.reverse();
                let made = self.compute(at, effect.access, &taken);
                if pushes {
                    self.stack.push(made);
                }
            }
        }
    }

    /// What the instruction makes of the values that it takes.
    fn compute(&mut self, at: usize, access: Access, taken: &[Symbolic]) -> Symbolic {
        let insn = &self.probes.insns[at];
        let constant = |add| Symbolic { base: ZERO, add };
        match (access, taken) {
            (Access::Load(slot), _) => {
                let fresh = self.unknown();
                return *self.locals.entry(slot).or_insert_with(|| {
                    self.origins.insert(fresh.base, slot);
                    fresh
                });
            }
            (Access::Store(slot), &[known]) => {
                self.store(insn, slot, known);
            }
            (Access::Increment(slot), _) => {
                let fresh = self.unknown();
                let known = self.locals.entry(slot).or_insert(fresh);
                known.add = known.add.wrapping_add(insn.immediate().unwrap_or(0));
            }
            (Access::GetField(member), _) if self.probes.is_own_final(insn) => {
                let fresh = self.unknown();
                return *self.fields.entry(member).or_insert(fresh);
            }
            (Access::ArrayLoad | Access::ArrayStore, &[array, index, ..]) => {
                self.access(at, array, index);
            }
            _ => {}
        }
        match (insn.opcode, taken) {
            (op::ICONST_M1..=op::ICONST_5, _) => {
                constant(i32::from(insn.opcode) - i32::from(op::ICONST_0))
            }
            (op::BIPUSH | op::SIPUSH, _) => constant(insn.immediate().unwrap_or(0)),
            (op::IADD, &[a, b]) if b.base == ZERO => Symbolic {
                base: a.base,
                add: a.add.wrapping_add(b.add),
            },
            (op::IADD, &[a, b]) if a.base == ZERO => Symbolic {
                base: b.base,
                add: a.add.wrapping_add(b.add),
            },
            (op::ISUB, &[a, b]) if b.base == ZERO => Symbolic {
                base: a.base,
                add: a.add.wrapping_sub(b.add),
            },
            _ => self.unknown(),
        }
    }

    fn store(&mut self, insn: &Insn<'_>, slot: u16, known: Symbolic) {
        self.locals.insert(slot, known);
        if matches!(
            insn.opcode,
            op::LSTORE | op::DSTORE | op::LSTORE_0..=op::LSTORE_3 | op::DSTORE_0..=op::DSTORE_3
        ) {
            self.locals.remove(&slot.saturating_add(1));
        }
    }

    fn access(&mut self, at: usize, array: Symbolic, index: Symbolic) {
        let code = self.probes.insns[at].opcode;
        if !is_access(&self.probes.insns[at]) {
            return;
        }
        let held = self.origins.get(&array.base).copied();
        let held = held.filter(|local| self.holdable[self.now as usize].contains(local));
        let mut longer = self.run.clone();
        longer.access(at, code, (array, held), index);
        // One is left for the path.
        if longer.words.len() < MOST_WORDS {
            self.run = longer;
        } else {
            self.end_run();
            self.run.access(at, code, (array, held), index);
        }
    }
}

/// Does the instruction access an element of a primitive array?
fn is_access(insn: &Insn<'_>) -> bool {
    matches!(
        insn.opcode,
        op::IALOAD..=op::SALOAD | op::IASTORE..=op::SASTORE
    ) && !matches!(insn.opcode, op::AALOAD | op::AASTORE)
}

impl Probes<'_, '_> {
    /// May the instruction make events other than those of its access to an element of a primitive array, or run code that does?
    fn may_make_events(&self, insn: &Insn<'_>) -> bool {
        match insn.opcode {
            _ if self.is_given(insn) => true,
            op::AALOAD | op::AASTORE => true,
            op::GETFIELD | op::PUTFIELD => {
                let receiver = self.flow.receiver(insn.offset);
                let own = matches!(receiver, Some(Value::This | Value::UninitThis));
                !own || self
                    .access_target(insn)
                    .map_or(true, |target| self.orders(&target) != Orders::Never)
            }
            op::INVOKESTATIC => match self.access_target(insn) {
                Ok(target) => !(target.owner == "java/lang/Math" && only_computes(&target)),
                Err(_) => true,
            },
            op::IALOAD..=op::SALOAD | op::IASTORE..=op::SASTORE | op::NEWARRAY => false,
            op::IDIV | op::LDIV | op::IREM | op::LREM | op::ARRAYLENGTH => false,
            op::ATHROW => true,
            _ if op::is_return(insn.opcode) => true,
            _ => !self.is_harmless(insn),
        }
    }

    /// Does the instruction read a field of the receiver that cannot change any more?
    fn is_own_final(&self, insn: &Insn<'_>) -> bool {
        self.name != "<init>"
            && self.flow.receiver(insn.offset) == Some(Value::This)
            && self.access_target(insn).is_ok_and(|target| {
                let class = self.context.class;
                target.owner == self.context.name
                    && class.fields.iter().any(|field| {
                        field.access & ACC_FINAL != 0
                            && field
                                .name(&class.pool)
                                .is_ok_and(|name| name == target.name)
                            && field
                                .desc(&class.pool)
                                .is_ok_and(|desc| desc == target.desc)
                    })
            })
    }

    /// Finds the runs, and makes their locals, with which the method begins. `paths`: the blocks at whose ends paths end.
    pub(crate) fn find_runs(
        &mut self,
        cfg: &Cfg,
        initial: &[VType],
        paths: &BTreeMap<BlockNo, PathEnd>,
    ) -> Result<Option<Runs>, InstrumentError> {
        // At the beginning of an epoch the trace knows nothing of an object whose word is in a local.
        if self.context.selection.has_epochs() || !self.insns.iter().any(is_access) {
            return Ok(None);
        }
        let mut finder = Finder {
            next_base: ZERO,
            stack: Vec::new(),
            locals: HashMap::new(),
            fields: HashMap::new(),
            origins: HashMap::new(),
            holdable: self.holdable(cfg),
            now: 0,
            run: Run::default(),
            runs: Vec::new(),
            probes: self,
        };
        let blocks = 0..cfg.blocks().len() as BlockNo;
        for no in blocks.filter(|&no| cfg.is_reachable(no)) {
            finder.block(cfg, no, paths.get(&no).copied());
        }
        let mut runs: Vec<Run> = finder.runs.into_iter().map(|(_, run)| run).collect();
        if runs.is_empty() {
            return Ok(None);
        }
        let count = runs.iter().map(|run| run.gathered).max().unwrap_or(0);
        let mut words = Vec::new();
        for _ in 0..count {
            words.push(self.kept_word(initial, None)?);
        }
        let mut held = BTreeMap::new();
        let all = runs.iter().flat_map(|run| &run.words);
        for word in all {
            if let Source::Held(local) = word.source
                && !held.contains_key(&local)
            {
                held.insert(local, self.hold(local, initial)?);
            }
        }
        let mut table = String::new();
        for run in &mut runs {
            let parts = self.parts(run);
            tell_of(run, self.insns, &held, &parts, &mut table);
            run.site = Some(self.run_site(run, parts));
        }
        Ok(Some(Runs::new(runs, words, held, table)))
    }
}
