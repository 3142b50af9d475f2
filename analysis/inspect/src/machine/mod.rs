//! The state of a thread, computed forward over a tape.
//!
//! Constants, copies and what is computed of them are computed again. All other values are operands of events: what is read, what calls
//! give, arguments. Where an event names a value that was not known when it was made, such as an object that a constructor was just called
//! for, that is noted ([`Bindings`]), and holds for all copies.

mod handles;
mod quick;
mod saved;
mod steps;
mod stored;

use std::rc::Rc;

use jinsi_steps::code::{Body, FieldNo, Method, MethodNo, Program};
use jinsi_steps::parked::ParkedFrame;
use jinsi_steps::walk::{Ended, Location, Role};
use jinsi_trace::model::{EventKind, ObjectId, Value};

use jinsi_steps::cell::{Binding, Bindings, Cell, Datum, stacked};
use jinsi_steps::moment::At;
use jinsi_steps::seen::{Seen, Why};
use jinsi_steps::tape::{EventNo, Item, Tape};
use stored::Stored;

/// What a machine has to know beside the tape.
pub(crate) trait World {
    /// The methods.
    fn program(&self) -> &Program;
    /// Length of an array.
    fn length(&self, array: ObjectId) -> Option<u32>;
    /// Has the recording the values of own fields, and of what only computes?
    fn has_states(&self) -> bool;
    /// Is there one thread only, so that nobody else writes?
    fn is_alone(&self) -> bool;
    /// The field that a `VarHandle` or field updater stands for, if it is one of objects, and that is recorded.
    fn field_of_handle(&self, handle: ObjectId) -> Option<FieldNo>;
}

/// A call instruction that runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Call {
    /// Which instruction.
    pub(crate) at: u32,
    /// Where the call began.
    pub(crate) began: At,
    /// Receiver and arguments.
    pub(crate) arguments: Vec<Cell>,
    /// Did the callee turn out to be recorded?
    pub(crate) entered: bool,
    /// What the callee returned.
    result: Option<Cell>,
    /// The field that it wrote for the caller, of which no event tells; known when it has ended.
    pub(crate) wrote: Option<Write>,
}

/// An open activation.
#[derive(Clone, Debug)]
pub(crate) struct Activation {
    pub(crate) method: MethodNo,
    pub(crate) code: Rc<Method>,
    pub(crate) role: Role,
    /// Are its instructions known?
    pub(crate) stepwise: bool,
    /// Where it began: so many events of the thread lie before its first.
    pub(crate) began: u64,
    /// The object whose method it is.
    pub(crate) this: Option<Cell>,
    pub(crate) locals: Vec<Cell>,
    pub(crate) stack: Vec<Cell>,
    pub(crate) call: Option<Box<Call>>,
    /// The instruction that ran last, and where.
    pub(crate) at: Option<(u32, At)>,
    /// Line of that instruction; 0 before the first.
    pub(crate) line: u16,
    result: Option<Cell>,
}

impl Activation {
    fn new(world: &impl World, method: MethodNo, role: Role, began: u64) -> Self {
        Self {
            method,
            code: Rc::clone(world.program().get(method)),
            role,
            stepwise: false,
            began,
            this: None,
            locals: Vec::new(),
            stack: Vec::new(),
            call: None,
            at: None,
            line: 0,
            result: None,
        }
    }

    pub(crate) fn body(&self) -> Option<&Rc<Body>> {
        self.code.body.as_ref()
    }

    /// What it returned.
    pub(crate) fn result(&self) -> Option<&Cell> {
        self.result.as_ref()
    }

    /// The cell of a local variable.
    pub(crate) fn local(&self, slot: u16) -> &Cell {
        self.locals.get(usize::from(slot)).unwrap_or(&Cell::UNSET)
    }
}

/// A variable in memory that is written.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    pub(crate) target: Target,
    pub(crate) value: Cell,
}

/// Which variable in memory.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Known(Location),
    /// A field of an object that may get its identity later.
    FieldOf(Cell, FieldNo),
}

impl Target {
    pub(crate) fn is_element(&self) -> bool {
        matches!(self, Self::Known(Location::Element(..)))
    }
}

/// What an item did that others may want to know.
#[derive(Clone, Debug)]
pub(crate) enum Done {
    Nothing,
    Wrote(Write),
    /// An activation ended, and how.
    Closed(Box<Activation>, Ended),
    /// A call ended; its result.
    Returned(Box<Call>, Option<Cell>),
}

/// The state of a thread.
#[derive(Clone)]
pub(crate) struct Machine<'w, W> {
    world: &'w W,
    /// Outermost first.
    pub(crate) frames: Vec<Activation>,
    pub(crate) bindings: Bindings,
    pub(crate) now: At,
    /// New objects that were put into fields before any event named them: what is read there is they.
    stored: Vec<Stored>,
    /// What numbers of open values begin with.
    base: u64,
    /// The item that is gone through.
    item: u64,
    /// Open values that it has made.
    made: u64,
    /// What an instruction took, while it runs: memory that each uses again.
    taken: Vec<Cell>,
    /// Memory of activations that have ended, for those that begin.
    spare: Vec<[Vec<Cell>; 2]>,
    /// The same of calls.
    #[expect(clippy::vec_box, reason = "they go into activations as they are")]
    spare_calls: Vec<Box<Call>>,
}

/// So much of it is kept.
const SPARE: usize = 32;

/// The state of a thread between two stretches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    frames: Vec<Activation>,
    open: Vec<(u64, Binding)>,
    now: At,
}

impl Snapshot {
    /// Of a thread in which these activations were open, of which nothing else is known.
    pub(crate) fn of_lost(world: &impl World, frames: &[ParkedFrame]) -> Self {
        let frames = frames.iter().map(|frame| Activation {
            stepwise: frame.stepwise(),
            ..Activation::new(world, frame.method, frame.role, 0)
        });
        Self {
            frames: frames.collect(),
            ..Self::default()
        }
    }
}

impl<'w, W: World> Machine<'w, W> {
    /// At the beginning of the stretch with this number.
    pub(crate) fn new(world: &'w W, from: &Snapshot, stretch: u32) -> Self {
        let mut bindings = Bindings::default();
        for (number, binding) in &from.open {
            bindings.set(*number, binding.clone());
        }
        Self {
            world,
            frames: from.frames.clone(),
            bindings,
            now: from.now,
            stored: Vec::new(),
            base: (u64::from(stretch) + 1) << 36,
            item: 0,
            made: 0,
            taken: Vec::new(),
            spare: Vec::new(),
            spare_calls: Vec::new(),
        }
    }

    /// Is from now on as [`Self::new`] would be; the snapshot is that of this machine now.
    pub(crate) fn go_on(&mut self, from: &Snapshot, stretch: u32) {
        self.bindings.clear();
        for (number, binding) in &from.open {
            self.bindings.set(*number, binding.clone());
        }
        self.stored.clear();
        self.enter(stretch);
        (self.item, self.made) = (0, 0);
    }

    /// Uses the memory of an activation again that has ended.
    pub(crate) fn reuse(&mut self, ended: Activation) {
        if self.spare.len() < SPARE {
            let mut memory = [ended.locals, ended.stack];
            memory.iter_mut().for_each(Vec::clear);
            self.spare.push(memory);
        }
    }

    /// Uses the memory of a call again that has ended.
    pub(crate) fn reuse_call(&mut self, mut ended: Box<Call>) {
        if self.spare_calls.len() < SPARE {
            ended.arguments.clear();
            self.spare_calls.push(ended);
        }
    }

    /// Goes on with the next stretch.
    pub(crate) fn enter(&mut self, stretch: u32) {
        self.base = (u64::from(stretch) + 1) << 36;
    }

    /// The state now, for whoever goes on from here.
    pub(crate) fn snapshot(&mut self) -> Snapshot {
        let mut open = Vec::new();
        let Self {
            frames, bindings, ..
        } = self;
        for cell in frames.iter_mut().flat_map(cells) {
            if !bindings.settle(cell)
                && let Datum::Open(number, why) = cell.datum
            {
                let seen = Seen::Unknown(why);
                let binding = bindings.get(number).cloned();
                open.push((number, binding.unwrap_or(Binding { seen })));
            }
        }
        open.sort_unstable_by_key(|(number, _)| *number);
        open.dedup_by_key(|(number, _)| *number);
        Snapshot {
            frames: frames.clone(),
            open,
            now: self.now,
        }
    }

    /// The instruction that the item begins, if it does, of the innermost activation: the state is that before it.
    pub(crate) fn point(&self, item: &Item) -> Option<u32> {
        match item {
            Item::Step { at, .. } | Item::CallBegan { at, .. } => Some(*at),
            _ => None,
        }
    }

    pub(crate) fn top(&self) -> Option<&Activation> {
        self.frames.last()
    }

    /// Goes through the item with this number.
    pub(crate) fn go(&mut self, tape: &Tape, no: usize) -> Done {
        (self.item, self.made) = (no as u64, 0);
        match &tape.items[no] {
            Item::Began {
                method,
                role,
                stepwise,
            } => self.began(*method, *role, *stepwise, tape, no),
            Item::Ended(ended) => return self.ended(tape.ending(*ended)),
            Item::Event(event) => self.event(tape, *event),
            Item::Step { at, threw, event } => return self.step(*at, *threw, tape, *event),
            Item::CallBegan { at, event } => self.call_began(*at, tape, *event),
            Item::CallEnded {
                at,
                threw,
                event,
                made,
            } => {
                let made = made.map(|made| tape.made(made));
                return self.call_ended(*at, *threw, (tape, *event), made);
            }
            Item::Caught(throwable) => self.caught(*throwable),
            Item::Found => self.forget(true),
            Item::Lost => self.forget(false),
            Item::Accessed { location, event } => {
                self.stored.clear();
                return accessed(tape.location(*location), tape, *event, self.now);
            }
        }
        Done::Nothing
    }

    /// A value of which this is known.
    fn open(&mut self, seen: Seen) -> Cell {
        let number = self.base | self.item << 8 | self.made.min(0xff);
        self.made += 1;
        Cell {
            datum: self.bindings.open(number, seen),
            made: self.here(),
        }
    }

    fn unknown(&mut self, why: Why) -> Cell {
        self.open(Seen::Unknown(why))
    }

    /// Where the instruction is that runs.
    fn here(&self) -> At {
        self.top()
            .and_then(|top| top.at)
            .map_or(self.now, |(_, at)| at)
    }

    fn began(&mut self, method: MethodNo, role: Role, stepwise: bool, tape: &Tape, no: usize) {
        // What its first event says comes with it.
        let event = match tape.items.get(no + 1) {
            Some(Item::Event(event)) if tape.event(*event).kind == EventKind::Enter => Some(*event),
            _ => None,
        };
        let began = event.map_or(self.now.events, |event| tape.event(event).index);
        let given = self.arguments(role);
        let reported = event.map_or(&[][..], |event| tape.operands(event));
        let [locals, stack] = self.spare.pop().unwrap_or_default();
        let mut activation = Activation {
            stepwise,
            locals,
            stack,
            ..Activation::new(self.world, method, role, began)
        };
        let code = Rc::clone(&activation.code);
        let unknown: Vec<u16>;
        let parameters = match &code.body {
            Some(body) => &body.parameters,
            None => {
                unknown = (0..reported.len() as u16).collect();
                &unknown
            }
        };
        // The receiver of a constructor is not reported: it is nothing yet.
        let unreported = parameters.len().saturating_sub(reported.len());
        for (place, slot) in parameters.iter().enumerate() {
            let value = place
                .checked_sub(unreported)
                .and_then(|at| reported.get(at));
            let argument = given.as_ref().and_then(|given| given.get(place)).cloned();
            let cell = match (argument, value) {
                (Some(cell), Some(value)) => {
                    self.bindings.bind(&cell, value);
                    Cell::known(stacked(value.clone()), cell.made)
                }
                (Some(cell), None) => cell,
                (None, Some(value)) => Cell::known(stacked(value.clone()), self.now),
                (None, None) => self.unknown(Why::Unreported),
            };
            set(&mut activation.locals, *slot, cell);
        }
        if activation.is_of_object() {
            activation.this = activation.locals.first().cloned();
        }
        let call = self.frames.last_mut().and_then(|top| top.call.as_mut());
        if let (Some(call), Some(given)) = (call, given) {
            call.arguments = given;
        }
        self.frames.push(activation);
    }

    /// What the innermost call gives to its callee, taken from it for a moment.
    fn arguments(&mut self, role: Role) -> Option<Vec<Cell>> {
        let call = self.frames.last_mut()?.call.as_mut()?;
        if role != Role::Callee {
            return None;
        }
        call.entered = true;
        Some(std::mem::take(&mut call.arguments))
    }

    fn ended(&mut self, ended: Ended) -> Done {
        let Some(closed) = self.frames.pop() else {
            return Done::Nothing;
        };
        if closed.role == Role::Callee
            && let Some(call) = self.frames.last_mut().and_then(|f| f.call.as_mut())
        {
            call.result = closed.result.clone();
        }
        Done::Closed(Box::new(closed), ended)
    }

    fn event(&mut self, tape: &Tape, no: EventNo) {
        let event = tape.event(no);
        self.now = At {
            events: event.index + 1,
            step: 0,
        };
        let value = tape.operands(no).first();
        let Some(top) = self.frames.last() else {
            return;
        };
        let cell = match event.kind {
            EventKind::This => top.this.clone(),
            EventKind::Exit => top.result.clone(),
            _ => return,
        };
        if let (Some(cell), Some(value)) = (cell, value) {
            if let (EventKind::This, Value::Object(id)) = (event.kind, value) {
                self.bindings.named.push(*id);
            }
            self.bindings.bind(&cell, value);
        }
    }

    fn caught(&mut self, throwable: ObjectId) {
        let cell = match throwable {
            0 => self.unknown(Why::Unreported),
            id => Cell::known(Value::Object(id), self.here()),
        };
        if let Some(top) = self.frames.last_mut() {
            top.call = None;
            top.stack = vec![cell];
        }
    }

    /// From here on nothing is known of what the innermost activation has.
    fn forget(&mut self, found: bool) {
        let slots = self.top().map_or(0, |top| top.locals.len());
        let parameters = self
            .top()
            .and_then(Activation::body)
            .map_or(0, |body| body.parameters.len());
        let unknown: Vec<Cell> = (parameters..slots.max(parameters))
            .map(|_| self.unknown(Why::Lost))
            .collect();
        let Some(top) = self.frames.last_mut() else {
            return;
        };
        for (slot, cell) in (parameters..).zip(unknown) {
            top.locals[slot] = cell;
        }
        top.stack.clear();
        top.call = None;
        top.stepwise = found;
    }
}

impl Activation {
    /// Is it an instance method or constructor?
    pub(crate) fn is_of_object(&self) -> bool {
        self.body().is_some_and(|body| body.is_of_object)
    }
}

/// All cells of an activation.
fn cells(activation: &mut Activation) -> impl Iterator<Item = &mut Cell> {
    let call = activation.call.iter_mut();
    let arguments = call.flat_map(|call| call.arguments.iter_mut().chain(&mut call.result));
    (activation.this.iter_mut())
        .chain(&mut activation.locals)
        .chain(&mut activation.stack)
        .chain(&mut activation.result)
        .chain(arguments)
}

/// Writes a local variable.
fn set(locals: &mut Vec<Cell>, slot: u16, cell: Cell) {
    let slot = usize::from(slot);
    if locals.len() <= slot {
        locals.resize(slot + 1, Cell::UNSET);
    }
    locals[slot] = cell;
}

/// What code has done that is not stepped through.
fn accessed(location: Location, tape: &Tape, no: EventNo, now: At) -> Done {
    let event = tape.event(no);
    let writes = matches!(
        event.kind,
        EventKind::PutField | EventKind::PutStatic | EventKind::ArrayStore
    );
    match tape.operands(no).last() {
        Some(value) if writes => Done::Wrote(Write {
            target: Target::Known(location),
            value: Cell::known(stacked(value.clone()), now),
        }),
        _ => Done::Nothing,
    }
}
