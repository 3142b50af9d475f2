//! Several accesses to arrays, and the end of a path, told of by one event (`detail=instructions`).
//!
//! A *run* is a stretch of a basic block in which nothing but elements of primitive arrays is accessed, and nothing runs that could make
//! events of its own. What its accesses have to say is gathered in fresh locals, as words, and becomes one event behind the last of them
//! ([`EventKind::Run`]). Words that follow from others are not said again: an array or an index that comes from the same local variable, or
//! from an index to which a constant was added. The site says which access has which words.
//!
//! Where a local variable is an array all through a loop, its word is found once, where the variable gets it.
//!
//! The locals are there in the whole method. So where an exception ends a run, the handler tells, access by access, of those that were
//! done; the table that says which they are is a constant of the class (`JinsiGather.interrupted`).

use std::collections::{BTreeMap, HashMap};

use jinsi_classfile::cfg::loops::loops;
use jinsi_classfile::cfg::{BlockNo, Cfg};
use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::effect::{Access, StackEffect, effect};
use jinsi_classfile::flow::{Kind, Value};
use jinsi_classfile::frames::VType;
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;
use jinsi_classfile::{ACC_FINAL, ACC_STATIC, Asm};
use jinsi_trace::model::{ALWAYS, CallOp, EventKind, Part, SiteNo};

use super::InstrumentError;
use super::accesses::{element_letter, element_target};
use super::events::dup;
use super::method::{LAST_INFERRED, Probes};
use super::refs::PROBE;
use super::sites::only_computes;

/// Most words of a run: as many as `JinsiGather` has probes for.
const MOST_WORDS: usize = 16;
/// Most locals of a method whose words are kept.
const MOST_HELD: usize = 8;
/// Least events that one of a run stands for: a single one is an event of its own.
const LEAST_PARTS: usize = 2;
/// What a table adds to numbers, which may be negative, and the bits that one of its characters has; as in `JinsiGather`.
const BIAS: i32 = 1 << 14;
const BITS: u32 = 15;

/// A value of which it is known how it differs from others: its difference to what the number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    base: u32,
    add: i32,
}

/// What all constants differ from.
const ZERO: u32 = 0;

/// A word of a run.
#[derive(Clone, Copy, Debug)]
struct Word {
    letter: char,
    /// What is in it; nothing is known of elements.
    known: Option<Known>,
    source: Source,
}

/// Where a word is when the event is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// In this one of the locals for words.
    Gathered(usize),
    /// In the local for the word of what this local has.
    Held(u16),
    /// In the local with the path's number, which is an `int`.
    Number(u16),
}

/// An access of a run.
#[derive(Clone, Debug)]
struct Element {
    /// Place of the instruction.
    at: usize,
    letter: char,
    stores: bool,
    /// Words of array, index and element, and what is added to the index. An index without a word is always the same.
    array: usize,
    index: (Option<usize>, i32),
    element: usize,
    /// Do array and index have to be put into their words?
    takes: (bool, bool),
}

/// Where a path ends behind a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathEnd {
    /// Place of the block's last instruction.
    pub(super) last: usize,
    /// Site of the path's event.
    pub(super) site: SiteNo,
    /// The local with the number, and what that is from then on.
    pub(super) number: u16,
    pub(super) next: u32,
    /// The number, if it is always the same.
    pub(super) known: Option<i32>,
}

/// A run.
#[derive(Clone, Debug, Default)]
struct Run {
    words: Vec<Word>,
    elements: Vec<Element>,
    /// How many words are in locals of their own.
    gathered: usize,
    /// Of its event.
    site: SiteNo,
    path: Option<PathEnd>,
}

impl Run {
    fn word(&mut self, letter: char, known: Option<Known>) -> usize {
        self.words.push(Word {
            letter,
            known,
            source: Source::Gathered(self.gathered),
        });
        self.gathered += 1;
        self.words.len() - 1
    }

    /// The word for what is known as `known`, and how much that is more than what is in it; and whether it is a new word.
    fn word_of(&mut self, letter: char, known: Known) -> ((usize, i32), bool) {
        let same = |word: &Word| {
            let alike = |other: &Known| word.letter == letter && other.base == known.base;
            let add = known.add.wrapping_sub(word.known.filter(alike)?.add);
            (-BIAS < add && add < BIAS).then_some(add)
        };
        let mut words = self.words.iter().enumerate();
        match words.find_map(|(no, word)| Some((no, same(word)?))) {
            Some(found) => (found, false),
            None => ((self.word(letter, Some(known)), 0), true),
        }
    }

    /// Adds an access. `held`: the local that has the array, if its word is kept.
    fn access(&mut self, at: usize, code: u8, (array, held): (Known, Option<u16>), index: Known) {
        let stores = code >= op::IASTORE;
        let letter = element_letter(code - if stores { op::IASTORE } else { op::IALOAD });
        let ((array, _), mut takes_array) = self.word_of('L', array);
        if let (true, Some(local)) = (takes_array, held) {
            self.words[array].source = Source::Held(local);
            self.gathered -= 1;
            takes_array = false;
        }
        let is_short = -BIAS < index.add && index.add < BIAS;
        let (index, takes_index) = match index.base == ZERO && is_short {
            true => ((None, index.add), false),
            false => {
                let ((word, add), is_new) = self.word_of('I', index);
                ((Some(word), add), is_new)
            }
        };
        let element = self.word(letter, None);
        self.elements.push(Element {
            at,
            letter,
            stores,
            array,
            index,
            element,
            takes: (takes_array, takes_index),
        });
    }

    fn parts(&self) -> usize {
        self.elements.len() + usize::from(self.path.is_some())
    }
}

/// The runs of a method.
#[derive(Debug)]
pub(super) struct Runs {
    runs: Vec<Run>,
    /// Locals of the words.
    words: Vec<u16>,
    /// Locals whose words are kept, and the locals of these.
    held: BTreeMap<u16, u16>,
    /// The table of accesses, for handlers.
    table: String,
}

impl Runs {
    /// Is the instruction at this place an access of a run?
    pub(super) fn has(&self, at: usize) -> bool {
        let mut elements = self.runs.iter().flat_map(|run| &run.elements);
        elements.any(|element| element.at == at)
    }

    /// Is there a run that ends with the path of the block with this last instruction?
    pub(super) fn end_path(&self, last: usize) -> bool {
        let mut ends = self.runs.iter().filter_map(|run| run.path);
        ends.any(|end| end.last == last)
    }

    /// Place of a word among the arguments of `JinsiGather.interrupted`.
    fn argument(held: &BTreeMap<u16, u16>, source: Source) -> usize {
        match source {
            Source::Gathered(no) => no,
            Source::Held(local) => MOST_WORDS + held.range(..local).count(),
            // Where a path has ended no exception can come between.
            Source::Number(_) => 0,
        }
    }
}

/// Finds the runs of a block.
struct Finder<'p, 'a, 'c> {
    probes: &'p Probes<'a, 'c>,
    next_base: u32,
    stack: Vec<Known>,
    locals: HashMap<u16, Known>,
    /// The receiver's final fields.
    fields: HashMap<u16, Known>,
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
    fn unknown(&mut self) -> Known {
        self.next_base += 1;
        Known {
            base: self.next_base,
            add: 0,
        }
    }

    fn pop(&mut self) -> Known {
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
                let mut taken: Vec<Known> = (0..pops).map(|_| self.pop()).collect();
                taken.reverse();
                let left = leaves.iter().map(|&no| taken[usize::from(no)]);
                self.stack.extend(left);
            }
            StackEffect::Compute { pops, pushes } => {
                let mut taken: Vec<Known> = (0..pops).map(|_| self.pop()).collect();
                taken.reverse();
                let made = self.compute(at, effect.access, &taken);
                if pushes {
                    self.stack.push(made);
                }
            }
        }
    }

    /// What the instruction makes of the values that it takes.
    fn compute(&mut self, at: usize, access: Access, taken: &[Known]) -> Known {
        let insn = &self.probes.insns[at];
        let constant = |add| Known { base: ZERO, add };
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
            (op::IADD, &[a, b]) if b.base == ZERO => Known {
                base: a.base,
                add: a.add.wrapping_add(b.add),
            },
            (op::IADD, &[a, b]) if a.base == ZERO => Known {
                base: b.base,
                add: a.add.wrapping_add(b.add),
            },
            (op::ISUB, &[a, b]) if b.base == ZERO => Known {
                base: a.base,
                add: a.add.wrapping_sub(b.add),
            },
            _ => self.unknown(),
        }
    }

    fn store(&mut self, insn: &Insn<'_>, slot: u16, known: Known) {
        self.locals.insert(slot, known);
        if matches!(
            insn.opcode,
            op::LSTORE | op::DSTORE | op::LSTORE_0..=op::LSTORE_3 | op::DSTORE_0..=op::DSTORE_3
        ) {
            self.locals.remove(&slot.saturating_add(1));
        }
    }

    fn access(&mut self, at: usize, array: Known, index: Known) {
        let code = self.probes.insns[at].opcode;
        if matches!(code, op::AALOAD | op::AASTORE) {
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

impl Probes<'_, '_> {
    /// May the instruction make events other than those of its access to an element of a primitive array, or run code that does?
    fn may_make_events(&self, insn: &Insn<'_>) -> bool {
        match insn.opcode {
            op::AALOAD | op::AASTORE => true,
            op::GETFIELD | op::PUTFIELD => {
                let receiver = self.flow.receiver(insn.offset);
                let own = matches!(receiver, Some(Value::This | Value::UninitThis));
                !own || self
                    .access_target(insn)
                    .map_or(true, |target| self.orders(&target))
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
    pub(super) fn find_runs(
        &mut self,
        cfg: &Cfg,
        initial: &[VType],
        paths: &BTreeMap<BlockNo, PathEnd>,
    ) -> Result<Option<Runs>, InstrumentError> {
        // At the beginning of an epoch the trace knows nothing of an object whose word is in a local.
        if self.context.selection.has_epochs() {
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
            run.site = self.run_site(run, parts);
        }
        Ok(Some(Runs {
            runs,
            words,
            held,
            table,
        }))
    }

    /// A local for a word: that of the array in `local`, if there is one to begin with.
    fn kept_word(&mut self, initial: &[VType], local: Option<u16>) -> Result<u16, InstrumentError> {
        let word = self.editor.kept_long(initial)?;
        let mut asm = Asm::new();
        match local {
            Some(local) => self.array_word(&mut asm, local),
            None => _ = asm.long(self.pool, 0),
        }
        asm.store('J', word);
        self.editor.entry(&asm)?;
        Ok(word)
    }

    fn array_word(&mut self, asm: &mut Asm, local: u16) {
        asm.load('L', local);
        asm.invokestatic(self.pool, PROBE, "array", "(Ljava/lang/Object;)J");
    }

    /// Keeps the word of the array in `local`; the local where it is.
    fn hold(&mut self, local: u16, initial: &[VType]) -> Result<u16, InstrumentError> {
        let is_array = self.array_parameters()?.contains(&local);
        let word = self.kept_word(initial, is_array.then_some(local))?;
        let stores =
            (self.insns.iter()).filter(|at| is_reference_store(at) && at.local() == Some(local));
        for at in stores {
            if self.flow.at(at.offset).is_some() {
                let mut asm = Asm::new();
                // If the stack overflows in the probe, it is not known which array it is.
                asm.long(self.pool, 0).store('J', word);
                self.array_word(&mut asm, local);
                asm.store('J', word);
                self.editor.after(at.offset, &asm)?;
            }
        }
        Ok(word)
    }

    /// Locals of the parameters that are arrays.
    fn array_parameters(&self) -> Result<Vec<u16>, InstrumentError> {
        let method = MethodType::parse(&self.desc)?;
        let mut next = u16::from(self.access & ACC_STATIC == 0);
        let mut arrays = Vec::new();
        for param in &method.params {
            if param.is_array() {
                arrays.push(next);
            }
            next += param.slots();
        }
        Ok(arrays)
    }

    /// For each block the locals that are the same all through a loop that it is in, and whose values can be looked at.
    fn holdable(&self, cfg: &Cfg) -> Vec<Vec<u16>> {
        let mut holdable = vec![Vec::new(); cfg.blocks().len()];
        if self.context.class.major <= LAST_INFERRED {
            // What else than objects is stored there is known of newer classes only.
            return holdable;
        }
        let loads = self.insns.iter().filter(|at| is_reference_load(at));
        let mut locals: Vec<u16> = loads.filter_map(Insn::local).collect();
        locals.sort_unstable();
        locals.dedup();
        locals.retain(|&local| self.holds_objects(local));
        let loops = loops(cfg);
        let mut count = 0;
        for local in locals {
            let mut is_held = false;
            for found in &loops {
                let blocks = found.blocks.iter().map(|no| cfg.block(no));
                let mut insns = blocks.flat_map(|block| &self.insns[block.first..=block.last]);
                if insns.any(|at| stores(at, local)) {
                    continue;
                }
                for no in found.blocks.iter() {
                    holdable[no as usize].push(local);
                }
                is_held = true;
            }
            count += usize::from(is_held);
            if count == MOST_HELD {
                break;
            }
        }
        holdable
    }

    /// Is what is stored into the local as an object always an initialized one?
    fn holds_objects(&self, local: u16) -> bool {
        let mut stores =
            (self.insns.iter()).filter(|at| is_reference_store(at) && at.local() == Some(local));
        stores.all(|at| match self.flow.at(at.offset) {
            Some(state) => {
                matches!(
                    state.stack.last(),
                    Some(Value::Other(Kind::Ref) | Value::This)
                )
            }
            None => true,
        })
    }

    /// Inserts the probes of the runs.
    pub(super) fn insert_runs(&mut self, runs: &Runs) -> Result<(), InstrumentError> {
        for run in &runs.runs {
            let last = run.elements.last().map(|last| last.at);
            let words = |no: usize| match run.words[no].source {
                Source::Gathered(no) => runs.words[no],
                Source::Held(local) => runs.held[&local],
                Source::Number(local) => local,
            };
            for element in &run.elements {
                let mut after = self.gather(element, &words)?;
                if last == Some(element.at) && run.path.is_none() {
                    self.run_event(&mut after, run, runs);
                }
                self.editor.after(self.insns[element.at].offset, &after)?;
            }
            if let Some(end) = run.path {
                let mut asm = Asm::new();
                self.run_event(&mut asm, run, runs);
                self.begin_path(&mut asm, end);
                self.at_end_of_block(end.last, &asm)?;
            }
        }
        Ok(())
    }

    /// The next path begins.
    pub(super) fn begin_path(&mut self, asm: &mut Asm, end: PathEnd) {
        asm.int(self.pool, end.next as i32).store('I', end.number);
    }

    /// Inserts on the only way out of the block with this last instruction.
    pub(super) fn at_end_of_block(
        &mut self,
        last: usize,
        asm: &Asm,
    ) -> Result<(), InstrumentError> {
        let last = &self.insns[last];
        match last.targets().is_empty() {
            true => self.editor.after(last.offset, asm)?,
            false => self.editor.before(last.offset, asm)?,
        }
        Ok(())
    }

    /// The events that one of the run stands for.
    fn parts(&mut self, run: &Run) -> Vec<Part> {
        let part = |element: &Element| {
            let kind = match element.stores {
                true => EventKind::ArrayStore,
                false => EventKind::ArrayLoad,
            };
            let bci = self.insns[element.at].offset;
            let target = element_target(element.letter);
            let operands = format!("LI{}", element.letter);
            let site = self.site(kind, bci, target, CallOp::None, operands, false);
            let (index, add) = element.index;
            let index = index.unwrap_or(usize::from(ALWAYS));
            // There are few words.
            let words = [(element.array, 0), (index, add), (element.element, 0)];
            Part {
                kind,
                site,
                operands: words.map(|(word, add)| (word as u8, add)).to_vec(),
            }
        };
        let mut parts: Vec<Part> = run.elements.iter().map(part).collect();
        parts.extend(run.path.map(|end| Part {
            kind: EventKind::Path,
            site: end.site,
            operands: vec![match end.known {
                Some(number) => (ALWAYS, number),
                None => (run.words.len() as u8 - 1, 0),
            }],
        }));
        parts
    }

    fn run_site(&mut self, run: &Run, parts: Vec<Part>) -> SiteNo {
        let last = run.elements.last().map_or(0, |element| element.at);
        let bci = self.insns[last].offset;
        let letters = run.words.iter().map(|word| word.letter).collect();
        let target = self.own();
        let site = self.site(EventKind::Run, bci, target, CallOp::None, letters, false);
        self.parts_of_last_site(parts);
        site
    }

    /// Gathers what an access has to say; what is to come behind it, which may be nothing.
    fn gather(
        &mut self,
        element: &Element,
        words: &dyn Fn(usize) -> u16,
    ) -> Result<Asm, InstrumentError> {
        let offset = self.insns[element.at].offset;
        let letter = element.letter;
        let element_word = words(element.element);
        let (mut before, mut after) = (Asm::new(), Asm::new());
        if element.stores {
            let value = self.spill;
            if element.takes.0 || element.takes.1 {
                before.store(letter, value);
                self.take_address(&mut before, element, words);
                before.load(letter, value);
            }
            dup(&mut before, letter);
            self.as_value(&mut before, letter);
            before.store('J', element_word);
        } else {
            self.take_address(&mut before, element, words);
            dup(&mut after, letter);
            self.as_value(&mut after, letter);
            after.store('J', element_word);
        }
        self.editor.before(offset, &before)?;
        Ok(after)
    }

    /// Puts array and index, which are on the stack and stay there, into their words, where they are the first.
    fn take_address(&mut self, asm: &mut Asm, element: &Element, words: &dyn Fn(usize) -> u16) {
        let (array, index) = element.takes;
        if let (Some(word), true) = (element.index.0, index) {
            asm.op(op::DUP).op(op::I2L).store('J', words(word));
        }
        if array {
            asm.op(op::DUP2).op(op::POP);
            asm.invokestatic(self.pool, PROBE, "id", "(Ljava/lang/Object;)J");
            asm.store('J', words(element.array));
        }
    }

    fn run_event(&mut self, asm: &mut Asm, run: &Run, runs: &Runs) {
        for word in &run.words {
            match word.source {
                Source::Gathered(no) => asm.load('J', runs.words[no]),
                Source::Held(local) => asm.load('J', runs.held[&local]),
                Source::Number(local) => asm.load('I', local).op(op::I2L),
            };
        }
        asm.int(self.pool, run.site as i32);
        let desc = format!("({}I)V", "J".repeat(run.words.len()));
        asm.invokestatic(self.pool, PROBE, "r", &desc);
    }

    /// In a handler: what a run has done that an exception has ended. `at` has the bytecode index of what threw.
    pub(super) fn interrupted(&mut self, asm: &mut Asm, runs: &Runs, at: u16) {
        let zeros = |count: usize| std::iter::repeat_n(None, count);
        let words = runs.words.iter().copied().map(Some);
        let held = runs.held.values().copied().map(Some);
        let words = words.chain(zeros(MOST_WORDS - runs.words.len()));
        let held = held.chain(zeros(MOST_HELD - runs.held.len()));
        for word in words.chain(held) {
            match word {
                Some(word) => asm.load('J', word),
                None => asm.long(self.pool, 0),
            };
        }
        asm.load('I', at).string(self.pool, &runs.table);
        let desc = format!(
            "({}ILjava/lang/String;)V",
            "J".repeat(MOST_WORDS + MOST_HELD)
        );
        asm.invokestatic(self.pool, PROBE, "interrupted", &desc);
    }
}

/// Does the instruction change the local, or what it is the second half of?
fn stores(at: &Insn<'_>, local: u16) -> bool {
    let is_store = matches!(at.opcode, op::ISTORE..=op::ASTORE_3 | op::IINC | op::RET);
    let wide = matches!(
        at.opcode,
        op::LSTORE | op::DSTORE | op::LSTORE_0..=op::LSTORE_3 | op::DSTORE_0..=op::DSTORE_3
    );
    let changed = at.local().filter(|_| is_store);
    changed.is_some_and(|changed| changed == local || wide && changed.checked_add(1) == Some(local))
}

fn is_reference_store(at: &Insn<'_>) -> bool {
    matches!(at.opcode, op::ASTORE | op::ASTORE_0..=op::ASTORE_3)
}

fn is_reference_load(at: &&Insn<'_>) -> bool {
    matches!(at.opcode, op::ALOAD | op::ALOAD_0..=op::ALOAD_3)
}

/// Appends the accesses of a run to the table that `JinsiGather.interrupted` reads. Those before the one that threw are done.
fn tell_of(
    run: &Run,
    insns: &[Insn<'_>],
    held: &BTreeMap<u16, u16>,
    parts: &[Part],
    table: &mut String,
) {
    let last = run.path.map(|end| end.last);
    let Some(last) = last.or(run.elements.last().map(|last| last.at)) else {
        return;
    };
    let two = |number: u32| [number >> BITS, number & ((1 << BITS) - 1)];
    for (element, part) in run.elements.iter().zip(parts) {
        let mut numbers = Vec::new();
        numbers.extend(two(insns[element.at].offset + 1));
        numbers.extend(two(insns[last].offset));
        numbers.push(part.kind as u32);
        numbers.extend(two(part.site));
        numbers.push(part.operands.len() as u32);
        for &(word, add) in &part.operands {
            let argument = match word {
                ALWAYS => u32::from(ALWAYS),
                _ => Runs::argument(held, run.words[usize::from(word)].source) as u32,
            };
            numbers.extend([argument, (add + BIAS) as u32]);
        }
        // Numbers of so few bits are no surrogates.
        table.extend(numbers.into_iter().filter_map(char::from_u32));
    }
}
