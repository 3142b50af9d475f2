//! Makes runs of recordings.
//!
//! An event of a run is the execution of a basic block. It depends on the last of the branches of its method that decide about it, on the instruction
//! that threw if it ran because an exception was caught, else on what called the method. Where a block leads is its outcome: to
//! which block, out of the method, or to an exception. What unrecorded code calls, and class initializers, depend on the block in
//! whose course they ran.

use std::rc::Rc;

use jinsi_classfile::bits::Bits;
use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::effect::Access;
use jinsi_steps::code::{Body, Instruction, MethodNo, Program};
use jinsi_steps::visitor::EventOperands;
use jinsi_steps::walk::{Location, Met, Opening, Step, Visitor, Walker};
use jinsi_trace::model::{ObjectId, ThreadNo};
use jinsi_trace::reader::{ReadError, Trace};

use crate::run::{Event, EventNo, Outcome, Run};
use crate::spans::Span;
use crate::statements::{Statements, is_of_class};

/// It led to whatever follows in any case.
const ON: u32 = 1;
/// An exception left it.
const THROWN: u32 = 2;
/// The numbers of blocks begin here.
const BLOCKS: u32 = 3;

/// Most blocks of a run.
const LONGEST: usize = 1 << 26;

/// Why there is no run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The trace cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It does not fit into memory.
    #[error(
        "the run is too long to compare: it has more than {LONGEST} basic blocks; observe fewer classes"
    )]
    TooLong,
}

/// Where a block led, for people.
pub(crate) fn block_of(outcome: Outcome) -> Result<BlockNo, &'static str> {
    match outcome.get() {
        ON => Err("went on"),
        THROWN => Err("threw"),
        block => Ok(block - BLOCKS),
    }
}

/// The runs of these parts of a recording, in their order. Parts do not overlap.
///
/// # Errors
/// See [`RunError`].
pub fn runs(
    trace: &Trace,
    program: &Program,
    spans: &[Span],
    statements: &mut Statements,
) -> Result<Vec<Run>, RunError> {
    let mut made = vec![Run::new(); spans.len()];
    each(trace, program, spans, statements, &mut |at, run| {
        made[at] = run;
    })?;
    Ok(made)
}

/// Gives each run with the place of its part, the last ones first; of parts in which nothing ran none. Only one is in memory at a time.
///
/// # Errors
/// See [`RunError`].
pub fn each(
    trace: &Trace,
    program: &Program,
    spans: &[Span],
    statements: &mut Statements,
    take: &mut dyn FnMut(usize, Run),
) -> Result<(), RunError> {
    let mut threads: Vec<ThreadNo> = spans.iter().map(|span| span.thread).collect();
    threads.dedup();
    threads.sort_unstable();
    threads.dedup();
    let methods = statements.methods_of(program);
    for thread in threads {
        let own = spans.iter().enumerate();
        let mut own: Vec<(usize, &Span)> = own.filter(|(_, span)| span.thread == thread).collect();
        own.sort_by_key(|(_, span)| span.from);
        let mut reader = Reader {
            program,
            spans: &own,
            current: own.len(),
            index: 0,
            open: Vec::new(),
            raw: Vec::new(),
            take: &mut *take,
            forward: Forward {
                program,
                methods: &methods,
                statements: &mut *statements,
            },
            too_long: false,
        };
        Walker::new(trace, program, thread).run(&mut reader)?;
        reader.close();
        if reader.too_long {
            return Err(RunError::TooLong);
        }
    }
    Ok(())
}

/// What happened in a run, newest first.
#[derive(Clone, Copy, Debug)]
enum Raw {
    /// A method was left.
    Ended,
    Began(MethodNo),
    Block(BlockNo),
    /// An exception left the block.
    Thrown(BlockNo),
    /// An exception went from the block that comes before to this handler.
    Caught(BlockNo),
}

/// An activation that is open in the walk.
struct Open {
    method: MethodNo,
    body: Option<Rc<Body>>,
    /// Is what it does part of a run?
    counts: bool,
    /// The instruction that ran next, if known.
    next: Option<usize>,
    /// Was it left by an exception in its block?
    threw: bool,
}

struct Reader<'a> {
    program: &'a Program,
    /// Of the thread.
    spans: &'a [(usize, &'a Span)],
    /// The one that is being collected; there is none behind the last.
    current: usize,
    index: u64,
    open: Vec<Open>,
    raw: Vec<Raw>,
    take: &'a mut dyn FnMut(usize, Run),
    forward: Forward<'a>,
    too_long: bool,
}

impl Reader<'_> {
    /// Which part the event belongs to that was met last.
    fn span(&self) -> usize {
        let before = self
            .spans
            .partition_point(|(_, span)| span.from <= self.index);
        let found = before.checked_sub(1);
        let found = found.filter(|at| self.index < self.spans[*at].1.to);
        found.unwrap_or(self.spans.len())
    }

    /// The part is over.
    fn close(&mut self) {
        let raw = std::mem::take(&mut self.raw);
        if let Some((at, _)) = self.spans.get(self.current) {
            let run = self.forward.run(&raw);
            (self.take)(*at, run);
        }
    }

    fn put(&mut self, raw: Raw) {
        if self.open.last().is_some_and(|open| open.counts) {
            self.too_long |= self.raw.len() >= LONGEST;
            if !self.too_long {
                self.raw.push(raw);
            }
        }
    }

    /// An instruction of the innermost activation was met.
    fn ran(&mut self, at: usize, threw: bool) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        let Some(body) = &open.body else {
            return;
        };
        let next = open.next.replace(at);
        let block = next.map(|next| body.cfg.block_of(next));
        let is_new = next.is_none_or(|next| at >= next || block != Some(body.cfg.block_of(at)));
        if !is_new {
            return;
        }
        let left = std::mem::replace(&mut open.threw, threw);
        if let Some(block) = block {
            self.put(match left {
                true => Raw::Thrown(block),
                false => Raw::Block(block),
            });
        }
    }

    /// What comes before is not known to follow.
    fn cut(&mut self) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        let block = open.next.take().zip(open.body.as_ref());
        let block = block.map(|(next, body)| body.cfg.block_of(next));
        let threw = std::mem::take(&mut open.threw);
        if let Some(block) = block {
            self.put(match threw {
                true => Raw::Thrown(block),
                false => Raw::Block(block),
            });
        }
    }
}

impl Visitor for Reader<'_> {
    fn took(&mut self, _: Met<'_>, index: u64) {
        self.index = index;
    }

    fn opened(&mut self, opening: &Opening) {
        let span = self.span();
        if span != self.current && !self.open.iter().any(|open| open.counts) {
            self.close();
            self.current = span;
        }
        let span = self
            .spans
            .get(self.current)
            .filter(|_| span == self.current);
        let is_test = |class: &String| is_of_class(self.program, opening.method, class);
        let test_class = span.and_then(|(_, span)| span.test_class.as_ref());
        let counts = span.is_some() && !test_class.is_some_and(is_test);
        let body = self.program.get(opening.method).body.clone();
        self.open.push(Open {
            method: opening.method,
            body: body.filter(|_| opening.stepwise),
            counts,
            next: None,
            threw: false,
        });
        self.put(Raw::Ended);
    }

    fn stepped(&mut self, step: &Step<'_>) {
        self.ran(step.at, step.threw);
    }

    fn call_ended(&mut self, step: &Step<'_>) {
        self.ran(step.at, step.threw);
    }

    fn call_began(&mut self, _: usize, _: EventOperands<'_>) {}

    fn caught(&mut self, handler: BlockNo, _: usize, _: ObjectId) {
        self.cut();
        self.put(Raw::Caught(handler));
    }

    fn began(&mut self) {
        self.cut();
        if let Some(method) = self.open.last().map(|open| open.method) {
            self.put(Raw::Began(method));
        }
        self.open.pop();
    }

    fn lost(&mut self, _: &'static str) {
        self.cut();
    }

    fn unexplained(&mut self, _: Met<'_>, _: Option<Location>) {}

    fn resumed(&mut self, _: usize) {
        if let Some(open) = self.open.last_mut() {
            open.next = None;
        }
    }

    fn outside(&mut self, _: Met<'_>, _: Location) {}

    fn is_indifferent(&self, instruction: &Instruction) -> bool {
        !matches!(instruction.effect.access, Access::Invoke(_))
    }

    fn passed(&mut self, at: usize, _: u64) {
        self.ran(at, false);
    }

    fn done(&self) -> bool {
        self.too_long
    }
}

/// An activation in the course of the run.
struct Active {
    body: Option<Rc<Body>>,
    method: MethodNo,
    /// What it depends on.
    called: Option<EventNo>,
    latest: Vec<Option<EventNo>>,
    /// The block that runs, and whether an exception leaves it.
    last: Option<(EventNo, BlockNo, bool)>,
    /// What threw last, and the blocks that ran because of that.
    caught: Option<(EventNo, Rc<Bits>)>,
}

impl Active {
    /// What a block depends on now.
    fn on(&self, block: BlockNo) -> Option<EventNo> {
        let body = self.body.as_ref()?;
        let controllers = body.control.controllers(block).iter();
        let branch = controllers.filter_map(|branch| self.latest[*branch as usize]);
        let thrown = self.caught.as_ref();
        let thrown = thrown.filter(|(_, ran)| ran.contains(block));
        let on = branch.chain(thrown.map(|(event, _)| *event)).max();
        on.or(self.called)
    }
}

/// Makes a run of what was met.
struct Forward<'a> {
    program: &'a Program,
    methods: &'a [u32],
    statements: &'a mut Statements,
}

impl Forward<'_> {
    fn run(&mut self, raw: &[Raw]) -> Run {
        let mut run = Run::new();
        let mut open: Vec<Active> = Vec::new();
        for raw in raw.iter().rev() {
            match *raw {
                Raw::Began(method) => {
                    let active = self.begin(method, open.last(), &mut run);
                    open.push(active);
                }
                Raw::Ended => {
                    if let Some((event, _, threw)) = open.pop().and_then(|active| active.last)
                        && let Some(outcome) = Outcome::new(if threw { THROWN } else { ON })
                    {
                        run.went(event, outcome);
                    }
                }
                Raw::Block(block) => self.block(block, false, &mut open, &mut run),
                Raw::Thrown(block) => self.block(block, true, &mut open, &mut run),
                Raw::Caught(handler) => {
                    if let Some(active) = open.last_mut()
                        && let (Some((event, from, _)), Some(body), Some(thrown)) = (
                            active.last.take(),
                            active.body.as_ref(),
                            Outcome::new(THROWN),
                        )
                    {
                        run.went(event, thrown);
                        active.caught = Some((event, body.on_throw(from, handler)));
                    }
                }
            }
        }
        run
    }

    fn begin(&mut self, method: MethodNo, caller: Option<&Active>, run: &mut Run) -> Active {
        let called = caller.and_then(|caller| match caller.last {
            Some((event, ..)) => Some(event),
            None => caller.called,
        });
        let code = self.program.get(method);
        let mut active = Active {
            body: code.body.clone(),
            method,
            called,
            latest: vec![None; code.body.as_ref().map_or(0, |b| b.cfg.blocks().len())],
            last: None,
            caught: None,
        };
        if code.body.is_none() {
            let number = (self.statements).number(code, self.methods[method.index()], None);
            active.called = Some(run.push(Event::new(number, called, None)));
        }
        active
    }

    fn block(&mut self, block: BlockNo, threw: bool, open: &mut [Active], run: &mut Run) {
        let Some(active) = open.last_mut() else {
            return;
        };
        let Some(body) = active.body.clone() else {
            return;
        };
        if let Some((event, from, _)) = active.last {
            let to = match body.cfg.block(from).successors.len() {
                0 | 1 => ON,
                _ => block + BLOCKS,
            };
            if let Some(to) = Outcome::new(to) {
                run.went(event, to);
            }
        }
        let method = self.methods[active.method.index()];
        let code = self.program.get(active.method);
        let statement = self.statements.number(code, method, Some(block));
        let event = run.push(Event::new(statement, active.on(block), None));
        active.latest[block as usize] = Some(event);
        active.last = Some((event, block, threw));
    }
}
