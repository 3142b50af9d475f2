//! Several accesses to arrays, told of by one event (`detail=instructions`).
//!
//! A *run* is a stretch of a basic block in which nothing but elements of primitive arrays is accessed, and nothing runs that could make
//! events of its own. What its accesses have to say is gathered in fresh locals, as words, and becomes one event behind the last of them
//! ([`EventKind::Run`]). Words that follow from others are not said again: an array or an index that comes from the same local variable, or
//! from an index to which a constant was added. The site says which access has which words.
//!
//! The locals are there in the whole method. So where an exception ends a run, the handler tells, access by access, of those that were
//! done; the table that says which they are is a constant of the class (`JinsiGather.interrupted`).

use std::collections::HashMap;

use jinsi_classfile::cfg::{BlockNo, Cfg};
use jinsi_classfile::effect::{Access, StackEffect, effect};
use jinsi_classfile::flow::Value;
use jinsi_classfile::frames::VType;
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;
use jinsi_classfile::{ACC_FINAL, Asm};
use jinsi_trace::model::{CallOp, EventKind, Part, SiteNo};

use super::InstrumentError;
use super::accesses::{element_letter, element_target};
use super::events::dup;
use super::method::Probes;
use super::refs::PROBE;
use super::sites::only_computes;

/// Most words of a run: as many as `JinsiGather` has probes for.
const MOST_WORDS: usize = 16;
/// Least accesses of a run: a single one is an event of its own.
const LEAST_ACCESSES: usize = 2;
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
}

/// An access of a run.
#[derive(Clone, Debug)]
struct Element {
    /// Place of the instruction.
    at: usize,
    letter: char,
    stores: bool,
    /// Words of array, index and element, and what is added to the index.
    array: usize,
    index: (usize, i32),
    element: usize,
    /// Are array and index the first to be in their words?
    takes: (bool, bool),
}

/// A run.
#[derive(Debug, Default)]
struct Run {
    words: Vec<Word>,
    elements: Vec<Element>,
    /// Of its event.
    site: SiteNo,
}

impl Run {
    /// The word for what is known as `known`, and how much that is more than what is in it; and whether it is a new word.
    fn word_of(&mut self, letter: char, known: Known) -> ((usize, i32), bool) {
        let same = |word: &Word| {
            let other = word
                .known
                .filter(|other| word.letter == letter && other.base == known.base)?;
            let add = known.add.wrapping_sub(other.add);
            (-BIAS < add && add < BIAS).then_some(add)
        };
        let found = self.words.iter().enumerate();
        let found = found
            .filter_map(|(no, word)| Some((no, same(word)?)))
            .next();
        match found {
            Some(found) => (found, false),
            None => {
                self.words.push(Word {
                    letter,
                    known: Some(known),
                });
                ((self.words.len() - 1, 0), true)
            }
        }
    }

    fn element(&mut self, at: usize, code: u8, array: Known, index: Known) {
        let stores = code >= op::IASTORE;
        let letter = element_letter(code - if stores { op::IASTORE } else { op::IALOAD });
        let ((array, _), takes_array) = self.word_of('L', array);
        let (index, takes_index) = self.word_of('I', index);
        let element = self.words.len();
        self.words.push(Word {
            letter,
            known: None,
        });
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
}

/// The runs of a method.
#[derive(Debug)]
pub(super) struct Runs {
    runs: Vec<Run>,
    /// Locals of the words.
    words: Vec<u16>,
    /// The table of accesses, for handlers.
    table: String,
}

impl Runs {
    /// Is the instruction at this place an access of a run?
    pub(super) fn has(&self, at: usize) -> bool {
        let mut elements = self.runs.iter().flat_map(|run| &run.elements);
        elements.any(|element| element.at == at)
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
    run: Run,
    runs: Vec<Run>,
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
        if run.elements.len() >= LEAST_ACCESSES {
            self.runs.push(run);
        }
    }

    fn block(&mut self, cfg: &Cfg, no: BlockNo) {
        self.stack.clear();
        self.locals.clear();
        self.fields.clear();
        let block = cfg.block(no);
        for at in block.first..=block.last {
            self.instruction(at);
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
                return *self.locals.entry(slot).or_insert(fresh);
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
        /// An access has so many words at most.
        const MOST: usize = 3;
        let code = self.probes.insns[at].opcode;
        if matches!(code, op::AALOAD | op::AASTORE) {
            return;
        }
        if self.run.words.len() + MOST > MOST_WORDS {
            self.end_run();
        }
        self.run.element(at, code, array, index);
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

    /// Finds the runs, and makes their locals, with which the method begins.
    pub(super) fn find_runs(
        &mut self,
        cfg: &Cfg,
        initial: &[VType],
    ) -> Result<Option<Runs>, InstrumentError> {
        // At the beginning of an epoch the trace knows nothing of an object whose word is in a local.
        if self.context.selection.has_epochs() {
            return Ok(None);
        }
        let mut finder = Finder {
            probes: self,
            next_base: ZERO,
            stack: Vec::new(),
            locals: HashMap::new(),
            fields: HashMap::new(),
            run: Run::default(),
            runs: Vec::new(),
        };
        let blocks = 0..cfg.blocks().len() as BlockNo;
        for no in blocks.filter(|&no| cfg.is_reachable(no)) {
            finder.block(cfg, no);
        }
        let mut runs = finder.runs;
        let count = runs.iter().map(|run| run.words.len()).max().unwrap_or(0);
        if count == 0 {
            return Ok(None);
        }
        let mut asm = Asm::new();
        let mut words = Vec::new();
        for _ in 0..count {
            let word = self.editor.kept_long(initial)?;
            asm.long(self.pool, 0).store('J', word);
            words.push(word);
        }
        self.editor.entry(&asm)?;
        let mut table = String::new();
        for run in &mut runs {
            let parts = self.parts(run);
            tell_of(run, self.insns, &parts, &mut table);
            run.site = self.run_site(run, parts);
        }
        Ok(Some(Runs { runs, words, table }))
    }

    /// Inserts the probes of the runs.
    pub(super) fn insert_runs(&mut self, runs: &Runs) -> Result<(), InstrumentError> {
        for run in &runs.runs {
            let last = run.elements.last().map(|last| last.at);
            for element in &run.elements {
                let mut after = self.gather(element, &runs.words)?;
                if last == Some(element.at) {
                    self.run_event(&mut after, &runs.words[..run.words.len()], run.site);
                }
                self.editor.after(self.insns[element.at].offset, &after)?;
            }
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
            // There are few words.
            let words = [(element.array, 0), (index, add), (element.element, 0)];
            Part {
                kind,
                site,
                operands: words.map(|(word, add)| (word as u8, add)).to_vec(),
            }
        };
        run.elements.iter().map(part).collect()
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
    fn gather(&mut self, element: &Element, words: &[u16]) -> Result<Asm, InstrumentError> {
        let offset = self.insns[element.at].offset;
        let letter = element.letter;
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
            before.store('J', words[element.element]);
        } else {
            self.take_address(&mut before, element, words);
            dup(&mut after, letter);
            self.as_value(&mut after, letter);
            after.store('J', words[element.element]);
        }
        self.editor.before(offset, &before)?;
        Ok(after)
    }

    /// Puts array and index, which are on the stack and stay there, into their words, where they are the first.
    fn take_address(&mut self, asm: &mut Asm, element: &Element, words: &[u16]) {
        let (array, index) = element.takes;
        if index {
            asm.op(op::DUP)
                .op(op::I2L)
                .store('J', words[element.index.0]);
        }
        if array {
            asm.op(op::DUP2).op(op::POP);
            asm.invokestatic(self.pool, PROBE, "id", "(Ljava/lang/Object;)J");
            asm.store('J', words[element.array]);
        }
    }

    fn run_event(&mut self, asm: &mut Asm, words: &[u16], site: SiteNo) {
        for &word in words {
            asm.load('J', word);
        }
        asm.int(self.pool, site as i32);
        let desc = format!("({}I)V", "J".repeat(words.len()));
        asm.invokestatic(self.pool, PROBE, "r", &desc);
    }

    /// In a handler: what a run has done that an exception has ended. `at` has the bytecode index of what threw.
    pub(super) fn interrupted(&mut self, asm: &mut Asm, runs: &Runs, at: u16) {
        for no in 0..MOST_WORDS {
            match runs.words.get(no) {
                Some(&word) => asm.load('J', word),
                None => asm.long(self.pool, 0),
            };
        }
        asm.load('I', at).string(self.pool, &runs.table);
        let desc = format!("({}ILjava/lang/String;)V", "J".repeat(MOST_WORDS));
        asm.invokestatic(self.pool, PROBE, "interrupted", &desc);
    }
}

/// Appends the accesses of a run to the table that `JinsiGather.interrupted` reads. Those before the one that threw are done.
fn tell_of(run: &Run, insns: &[Insn<'_>], parts: &[Part], table: &mut String) {
    let Some(last) = run.elements.last().map(|last| insns[last.at].offset) else {
        return;
    };
    let two = |number: u32| [number >> BITS, number & ((1 << BITS) - 1)];
    for (element, part) in run.elements.iter().zip(parts) {
        let mut numbers = Vec::new();
        numbers.extend(two(insns[element.at].offset + 1));
        numbers.extend(two(last));
        numbers.push(part.kind as u32);
        numbers.extend(two(part.site));
        numbers.push(part.operands.len() as u32);
        for &(word, add) in &part.operands {
            numbers.extend([u32::from(word), (add + BIAS) as u32]);
        }
        // Numbers of so few bits are no surrogates.
        table.extend(numbers.into_iter().filter_map(char::from_u32));
    }
}
