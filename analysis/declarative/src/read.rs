//! Reads the tree of a thread from a trace, in one pass over its instructions.

use std::rc::Rc;

use jinsi_classfile::cfg::BlockNo;
use jinsi_steps::code::{Body, Program};
use jinsi_steps::visitor::EventOperands;
use jinsi_steps::walk::{Location, Met, Opening, Step, Visitor, Walker};
use jinsi_trace::model::{ObjectId, ThreadNo};
use jinsi_trace::reader::{ReadError, Trace};

use crate::coverage::{Coverage, Entities};
use crate::tree::{Builder, Method, Tree};

impl Tree {
    /// The calls of a thread. Without recorded instructions they cover nothing.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn read(trace: &Trace, thread: ThreadNo) -> Result<Self, ReadError> {
        let program = Program::of(trace);
        let mut entities = Entities::default();
        let builder = read(trace, &program, thread, &mut entities)?;
        Ok(finish(builder, methods(&program), &entities))
    }

    /// The calls of several threads, a tree each. What they cover has the same numbers in all of them.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn read_all(trace: &Trace, threads: &[ThreadNo]) -> Result<Vec<Self>, ReadError> {
        let program = Program::of(trace);
        let mut entities = Entities::default();
        let mut read = |thread: &ThreadNo| read(trace, &program, *thread, &mut entities);
        let builders: Result<Vec<Builder>, ReadError> = threads.iter().map(&mut read).collect();
        let trees = builders?.into_iter();
        Ok(trees
            .map(|builder| finish(builder, methods(&program), &entities))
            .collect())
    }
}

fn read(
    trace: &Trace,
    program: &Program,
    thread: ThreadNo,
    entities: &mut Entities,
) -> Result<Builder, ReadError> {
    let mut reader = Reader {
        program,
        builder: Builder::new(thread),
        entities,
        open: Vec::new(),
        index: 0,
    };
    Walker::new(trace, program, thread).run(&mut reader)?;
    Ok(reader.builder)
}

fn finish(builder: Builder, methods: Vec<Method>, entities: &Entities) -> Tree {
    let counts = [entities.edges.count(), entities.chains.count()];
    builder.finish(methods, counts)
}

fn methods(program: &Program) -> Vec<Method> {
    let methods = program.methods().iter().map(|method| {
        let body = method.body.as_ref();
        let lines = body.map_or(&[][..], |body| &body.instructions);
        let lines = lines.iter().map(|i| i.line).filter(|line| *line != 0);
        Method {
            owner: method.owner.clone(),
            name: method.name.clone(),
            desc: method.desc.clone(),
            file: method.file.clone(),
            line: lines.min().unwrap_or(0),
            is_bridge: body.is_some_and(|body| body.is_bridge),
        }
    });
    methods.collect()
}

struct Reader<'p, 'e> {
    program: &'p Program,
    builder: Builder,
    entities: &'e mut Entities,
    open: Vec<(Coverage, Option<Rc<Body>>)>,
    /// Of the event that was met last.
    index: u64,
}

impl Reader<'_, '_> {
    fn ran(&mut self, at: usize, location: Option<Location>) {
        if let Some((coverage, Some(body))) = self.open.last_mut() {
            coverage.ran(body, at, location, self.entities);
        }
    }

    fn lose(&mut self) {
        if let Some((coverage, _)) = self.open.last_mut() {
            coverage.lost();
        }
    }
}

impl Visitor for Reader<'_, '_> {
    fn took(&mut self, _: Met<'_>, index: u64) {
        self.index = index;
    }

    fn opened(&mut self, opening: &Opening) {
        self.builder.ended();
        let body = self.program.get(opening.method).body.clone();
        self.open.push((Coverage::new(opening.method), body));
    }

    fn stepped(&mut self, step: &Step<'_>) {
        self.ran(step.at, step.location());
    }

    fn call_ended(&mut self, step: &Step<'_>) {
        self.ran(step.at, None);
    }

    fn call_began(&mut self, _: usize, _: EventOperands<'_>) {}

    fn caught(&mut self, handler: BlockNo, from: usize, _: ObjectId) {
        if let Some((coverage, Some(body))) = self.open.last_mut() {
            coverage.caught(body, handler, from, self.entities);
        }
    }

    fn began(&mut self) {
        let Some((coverage, _)) = self.open.pop() else {
            return;
        };
        let method = coverage.method().index() as u32;
        let (mut edges, mut chains) = coverage.began(self.entities);
        self.builder
            .began(self.index, method, &mut edges, &mut chains);
    }

    fn lost(&mut self, _: &'static str) {
        self.lose();
    }

    fn unexplained(&mut self, _: Met<'_>, _: Option<Location>) {}

    fn resumed(&mut self, _: usize) {
        self.lose();
    }

    fn outside(&mut self, _: Met<'_>, _: Location) {}
}
