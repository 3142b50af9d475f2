//! Instructions as places to stop at.

use std::rc::Rc;

use jinsi_trace::model::ThreadNo;

use crate::error::InspectError;
use crate::facts::Facts;
use crate::index::StretchNo;
use crate::machine::Machine;
use crate::replay_cache::{Player, ReplayedStretch};
use jinsi_steps::moment::{At, Moment};

/// A thread right before it executes an instruction.
pub(crate) struct Stop<'a, 't> {
    pub(crate) thread: ThreadNo,
    pub(crate) machine: Machine<'a, Facts<'t>>,
    pub(crate) replayed: Rc<ReplayedStretch>,
    /// Which item of the stretch is the instruction.
    pub(crate) item: usize,
    player: Player<'a, 't>,
}

impl<'a, 't> Stop<'a, 't> {
    /// Right before the first instruction at this moment or later.
    ///
    /// # Errors
    /// There is none; there is no such thread; the trace cannot be read.
    pub(crate) fn at(player: Player<'a, 't>, moment: Moment) -> Result<Self, InspectError> {
        let stop = Self::at_or_behind(player, moment.thread(), moment.at())?;
        stop.ok_or(InspectError::NoMoment(moment))
    }

    /// The same; nothing if there is none.
    pub(crate) fn at_or_behind(
        player: Player<'a, 't>,
        thread: ThreadNo,
        at: At,
    ) -> Result<Option<Self>, InspectError> {
        let index = player
            .thread(thread)
            .ok_or(InspectError::NoThread(thread))?;
        if index.stretches() == 0 {
            return Ok(None);
        }
        let mut stop = Self::beginning(player, thread, index.stretch_at(at))?;
        let found = stop.forward(|machine, _| machine.now >= at)?;
        Ok(found.then_some(stop))
    }

    /// How many activations are open, and the line of the innermost.
    pub(crate) fn depth_and_line(&self) -> (usize, u16) {
        let item = &self.replayed.tape.items[self.item];
        let at = self.machine.point(item).unwrap_or(0);
        (self.machine.frames.len(), line_of(&self.machine, at))
    }

    /// At the beginning of a stretch, at no instruction.
    pub(crate) fn beginning(
        player: Player<'a, 't>,
        thread: ThreadNo,
        no: StretchNo,
    ) -> Result<Self, InspectError> {
        let replayed = player.stretch(thread, no)?;
        Ok(Self {
            thread,
            machine: player.machine(&replayed),
            replayed,
            item: 0,
            player,
        })
    }

    /// The moment.
    pub(crate) fn moment(&self) -> Moment {
        self.machine.now.of(self.thread)
    }

    /// Goes on, from this instruction, to the next that is wanted, if there is one; otherwise to the end. The instruction given is the index in its
    /// method.
    pub(crate) fn forward(
        &mut self,
        mut wanted: impl FnMut(&Machine<'a, Facts<'t>>, u32) -> bool,
    ) -> Result<bool, InspectError> {
        loop {
            while let Some(item) = self.replayed.tape.items.get(self.item) {
                if let Some(at) = self.machine.point(item)
                    && wanted(&self.machine, at)
                {
                    return Ok(true);
                }
                self.machine.go(&self.replayed.tape, self.item);
                self.item += 1;
            }
            let next = self.replayed.no + 1;
            let index = &self.player.index.threads[&self.thread];
            if next >= index.stretches() {
                return Ok(false);
            }
            *self = Self::beginning(self.player, self.thread, next)?;
        }
    }

    /// The same, without leaving this stretch.
    pub(crate) fn forward_within(
        &mut self,
        no: StretchNo,
        mut wanted: impl FnMut(&Machine<'a, Facts<'t>>, u32) -> bool,
    ) -> Result<bool, InspectError> {
        let replayed = Rc::clone(&self.replayed);
        if replayed.no != no {
            return Ok(false);
        }
        while let Some(item) = replayed.tape.items.get(self.item) {
            if let Some(at) = self.machine.point(item)
                && wanted(&self.machine, at)
            {
                return Ok(true);
            }
            self.pass();
        }
        Ok(false)
    }

    /// Past this instruction, or whatever is there.
    pub(crate) fn pass(&mut self) {
        let replayed = Rc::clone(&self.replayed);
        if self.item < replayed.tape.items.len() {
            self.machine.go(&replayed.tape, self.item);
            self.item += 1;
        }
    }

    /// The last instruction before `until` that is wanted, if there is one: its place.
    pub(crate) fn last_before(
        player: Player<'a, 't>,
        thread: ThreadNo,
        until: At,
        mut wanted: impl FnMut(&Machine<'a, Facts<'t>>, u32) -> bool,
    ) -> Result<Option<Moment>, InspectError> {
        let Some(index) = player.thread(thread) else {
            return Err(InspectError::NoThread(thread));
        };
        if index.stretches() == 0 {
            return Ok(None);
        }
        let mut no = index.stretch_at(until);
        loop {
            let mut found = None;
            let mut stop = Self::beginning(player, thread, no)?;
            let tape = Rc::clone(&stop.replayed);
            for (at, item) in tape.tape.items.iter().enumerate() {
                if let Some(instruction) = stop.machine.point(item) {
                    if stop.machine.now >= until {
                        break;
                    }
                    if wanted(&stop.machine, instruction) {
                        found = Some(stop.moment());
                    }
                }
                stop.machine.go(&tape.tape, at);
            }
            if found.is_some() || no == 0 {
                return Ok(found);
            }
            no -= 1;
        }
    }
}

/// Line of an instruction of the innermost activation.
pub(crate) fn line_of(machine: &Machine<'_, Facts<'_>>, at: u32) -> u16 {
    let body = machine.top().and_then(|top| top.body());
    let instruction = body.and_then(|body| body.instructions.get(at as usize));
    instruction.map_or(0, |instruction| instruction.line)
}
