//! The probes of runs.

use std::collections::BTreeMap;

use jinsi_classfile::Asm;
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;
use jinsi_probes::numbers::TABLE_BIAS as BIAS;
use jinsi_probes::{MOST_HELD, MOST_WORDS};
use jinsi_trace::model::{ALWAYS, CallOp, EventKind, RunPart, SiteNo};

use crate::accesses::element_target;
use crate::emitter::Probes;
use crate::events::dup;
use crate::outcome::InstrumentError;
use crate::refs::PROBE;
use crate::run::{BITS, Element, PathEnd, Run, Runs, Source};

impl Probes<'_, '_> {
    /// Inserts the probes of the runs.
    pub(crate) fn insert_runs(&mut self, runs: &Runs) -> Result<(), InstrumentError> {
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
    pub(crate) fn begin_path(&mut self, asm: &mut Asm, end: PathEnd) {
        asm.int(self.pool, end.next as i32).store('I', end.number);
    }

    /// Inserts on the only way out of the block with this last instruction.
    pub(crate) fn at_end_of_block(
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
    pub(super) fn parts(&mut self, run: &Run) -> Vec<RunPart> {
        let part = |element: &Element| {
            let kind = match element.stores {
                true => EventKind::ArrayStore,
                false => EventKind::ArrayLoad,
            };
            let bci = self.insns[element.at].offset;
            let target = element_target(element.letter);
            let operands = format!("LI{}", element.letter);
            let site = self.site(kind, bci, target, CallOp::None, operands.into(), false);
            let (index, add) = element.index;
            let index = index.unwrap_or(usize::from(ALWAYS));
            // There are few words.
            let words = [(element.array, 0), (index, add), (element.element, 0)];
            RunPart {
                kind,
                site,
                operands: words.map(|(word, add)| (word as u8, add)).to_vec(),
            }
        };
        let mut parts: Vec<RunPart> = run.elements.iter().map(part).collect();
        parts.extend(run.path.map(|end| RunPart {
            kind: EventKind::Path,
            site: end.site,
            operands: vec![match end.known {
                Some(number) => (ALWAYS, number),
                None => (run.words.len() as u8 - 1, 0),
            }],
        }));
        parts
    }

    pub(super) fn run_site(&mut self, run: &Run, parts: Vec<RunPart>) -> SiteNo {
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
        asm.int(self.pool, SiteNo::written(run.site) as i32);
        let desc = jinsi_probes::run_descriptor(run.words.len());
        asm.invokestatic(self.pool, PROBE, jinsi_probes::RUN, &desc);
    }

    /// In a handler: what a run has done that an exception has ended. `at` has the bytecode index of what threw.
    pub(crate) fn interrupted(&mut self, asm: &mut Asm, runs: &Runs, at: u16) {
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

/// Appends the accesses of a run to the table that `JinsiGather.interrupted` reads. Those before the one that threw are done.
pub(super) fn tell_of(
    run: &Run,
    insns: &[Insn<'_>],
    held: &BTreeMap<u16, u16>,
    parts: &[RunPart],
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
        numbers.extend(two(part.site.get()));
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
