//! The statements of a program, numbered alike for all of its recordings: basic blocks, by class and method.

use std::rc::Rc;

use jinsi_classfile::cfg::BlockNo;
use jinsi_steps::code::{Method, MethodNo, Program};
use rustc_hash::FxHashMap;

use crate::place::{Place, Source};
use crate::run::StatementNo;

/// A method, known by its name in all recordings.
type MethodKey = (String, String, String);

/// First lines of a method's blocks, by number; `None` if its code is not known.
type FirstLines = Option<Rc<[u16]>>;

/// A basic block, or all of a method whose code is not known.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Where it stands: its last line, on which it decides.
    pub source: Rc<Source>,
    /// That line.
    pub line: u16,
    lines: FirstLines,
}

impl Statement {
    /// The place in the source.
    pub fn place(&self) -> Place {
        Place {
            class: self.source.class.clone(),
            line: self.line,
        }
    }

    /// The line to which an outcome led, of a branch within its method.
    pub(crate) fn line_of(&self, block: BlockNo) -> Option<u16> {
        let line = *self.lines.as_ref()?.get(block as usize)?;
        (line != 0).then_some(line)
    }
}

/// A block that no method has: a method whose code is not known.
const UNKNOWN: BlockNo = BlockNo::MAX;

/// All statements met so far.
#[derive(Debug, Default)]
pub struct Statements {
    methods: FxHashMap<MethodKey, u32>,
    sources: Vec<(Rc<Source>, FirstLines)>,
    numbers: FxHashMap<(u32, BlockNo), StatementNo>,
    all: Vec<Statement>,
}

impl Statements {
    /// Statement `no`, which must be one.
    pub fn get(&self, no: StatementNo) -> &Statement {
        &self.all[no as usize]
    }

    /// The number of a block of a method with this number; `None`: the method itself, whose code is not known.
    pub(crate) fn number(
        &mut self,
        method: &Method,
        of: u32,
        block: Option<BlockNo>,
    ) -> StatementNo {
        let key = (of, block.unwrap_or(UNKNOWN));
        if let Some(known) = self.numbers.get(&key) {
            return *known;
        }
        let (source, lines) = self.sources[of as usize].clone();
        let body = method.body.as_ref().zip(block);
        let line = body.map_or(0, |(body, block)| {
            body.instructions[body.cfg.block(block).last].line
        });
        let number = self.all.len() as StatementNo;
        self.all.push(Statement {
            source,
            line,
            lines,
        });
        self.numbers.insert(key, number);
        number
    }

    /// The number of a method.
    pub(crate) fn method(&mut self, method: &Method) -> u32 {
        let key = (
            method.owner.clone(),
            method.name.clone(),
            method.desc.clone(),
        );
        let next = self.sources.len() as u32;
        let number = *self.methods.entry(key).or_insert(next);
        if number == next {
            let lines = method.body.as_ref().map(|body| {
                let blocks = body.cfg.blocks().iter();
                blocks.map(|b| body.instructions[b.first].line).collect()
            });
            self.sources.push((Rc::new(Source::of(method)), lines));
        }
        number
    }

    /// The numbers of a program's methods.
    pub(crate) fn methods_of(&mut self, program: &Program) -> Vec<u32> {
        let all = program.methods().iter();
        all.map(|method| self.method(method)).collect()
    }
}

/// Is it the method of a class of this binary name, or of one within it?
pub(crate) fn is_of_class(program: &Program, method: MethodNo, class: &str) -> bool {
    let owner = program.get(method).owner.replace('/', ".");
    let rest = owner.strip_prefix(class);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
}
