//! When an activation ran an instruction.

use jinsi_trace::model::EventId;

use crate::Inspector;
use crate::error::InspectError;
use jinsi_steps::moment::{At, Moment};

impl Inspector<'_> {
    /// Right before each time that an activation ran the instruction at this bytecode index: the last so many of them, oldest first.
    ///
    /// # Errors
    /// There is no such activation; the trace cannot be read.
    pub fn times_of(
        &self,
        activation: EventId,
        bci: u32,
        most: usize,
    ) -> Result<Vec<Moment>, InspectError> {
        let row = self.row(activation)?;
        let code = self.facts.program.get(row.method);
        let wanted = code.body.as_ref().and_then(|body| body.at(bci));
        let Some(wanted) = wanted.map(|at| at as u32) else {
            return Ok(Vec::new());
        };
        let begin = At {
            events: row.began,
            step: 0,
        };
        let mut times = std::collections::VecDeque::new();
        self.each_item(activation, row, begin, |stop| {
            let own = stop.machine.top().map(|top| top.began) == Some(activation.index);
            let at = stop.machine.point(&stop.replayed.tape.items[stop.item]);
            if own && at == Some(wanted) {
                if times.len() == most {
                    times.pop_front();
                }
                times.push_back(stop.moment());
            }
            stop.pass();
            most > 0
        })?;
        Ok(times.into())
    }
}
