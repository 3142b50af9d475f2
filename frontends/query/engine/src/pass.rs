//! One pass over the events of a run tells all the tables that are made of events, in memory that does not grow with the number of calls.

use std::collections::BTreeSet;

use jinsi_history::{History, NodeKind, Outcome, Over, Rolling};
use jinsi_trace::model::ThreadNo;

use crate::ended_node::{ELEMENTS, EndedNode};
use crate::error::QueryError;
use crate::places::Places;
use crate::rows::Rows;
use crate::run::Run;
use crate::schema::Table;
use crate::tables::{accesses, alone, calls, events, exceptions, objects, output, threads};

/// After so many events it is asked whether more rows are wanted.
const ASKED: u32 = 4096;

/// Is the table made of events?
pub(crate) fn tells(table: Table) -> bool {
    matches!(
        table,
        Table::Events
            | Table::Calls
            | Table::Accesses
            | Table::Objects
            | Table::Exceptions
            | Table::Threads
            | Table::Output
    )
}

/// Tells these tables, which must be such.
///
/// # Errors
/// The run cannot be read. What only calls and accesses are wanted of goes on behind events that cannot be read.
pub(crate) fn tell(run: &Run, tables: &mut [Rows<'_>]) -> Result<(), QueryError> {
    if let [rows] = tables
        && rows.table() == Table::Events
    {
        return alone::tell(run, rows);
    }
    let needs_all = |rows: &Rows<'_>| matches!(rows.table(), Table::Events | Table::Exceptions);
    let needs_all = tables.iter().any(needs_all);
    let places = Places::new(&run.trace, run.tables());
    let mut telling = Telling {
        run,
        places: &places,
        tables,
        open: BTreeSet::new(),
    };
    let mut flights = exceptions::Flights::default();
    let mut rolling: Option<Rolling> = None;
    let mut moment = 0;
    for merged in run.trace.merged_with_elements(ELEMENTS) {
        let merged = match merged {
            Ok(merged) => merged,
            Err(error) if needs_all => return Err(error.into()),
            // It ends the thread that it is in.
            Err(error) => {
                run.gap(&error);
                continue;
            }
        };
        moment += 1;
        let thread = merged.thread;
        let rolling = rolling.get_or_insert_with(|| Rolling::new(run.tables(), thread));
        for rows in &mut *telling.tables {
            match rows.table() {
                Table::Events => events::push(run, &places, rows, moment, &merged),
                Table::Exceptions => {
                    flights.event((run, &places), rolling, (moment, &merged), rows)
                }
                _ => {}
            }
        }
        rolling.event(merged, &mut |history, over| telling.over(history, over))?;
        if (moment as u32).is_multiple_of(ASKED) && !telling.wants_more() {
            break;
        }
    }
    let mut rolling = rolling.unwrap_or_else(|| Rolling::new(run.tables(), 0));
    rolling.finish(&mut |history, over| telling.over(history, over));
    telling.finish(rolling.history(), flights)
}

/// Where the rows go.
struct Telling<'t, 'r> {
    run: &'t Run,
    places: &'t Places<'t>,
    tables: &'t mut [Rows<'r>],
    /// Threads whose calls did not all end.
    open: BTreeSet<ThreadNo>,
}

impl Telling<'_, '_> {
    fn wants_more(&self) -> bool {
        self.tables.iter().any(Rows::more)
    }

    /// A call or access is over.
    fn over(&mut self, history: &History, over: Over) {
        let kind = history.node(over.node).kind;
        let is_call = matches!(kind, NodeKind::Activation | NodeKind::Call);
        if is_call && history.outcome(over.node) == Outcome::Open {
            self.open.insert(over.thread);
        }
        let ended = EndedNode {
            run: self.run,
            places: self.places,
            history,
            over,
        };
        for rows in self.tables.iter_mut() {
            match rows.table() {
                Table::Calls if is_call => calls::push(&ended, rows),
                Table::Accesses if !is_call => accesses::push(&ended, rows),
                Table::Output if kind == NodeKind::Call => output::push(&ended, rows),
                _ => {}
            }
        }
    }

    /// All events were read.
    fn finish(
        &mut self,
        history: &History,
        flights: exceptions::Flights,
    ) -> Result<(), QueryError> {
        let (run, places) = (self.run, self.places);
        let mut flights = Some(flights);
        for rows in self.tables.iter_mut() {
            match rows.table() {
                Table::Exceptions => {
                    if let Some(flights) = flights.take() {
                        flights.finish((run, places), history, rows);
                    }
                }
                Table::Objects => objects::tell(run, places, history, rows),
                Table::Threads => threads::tell(run, history, &self.open, rows),
                _ => {}
            }
            rows.flush();
        }
        Ok(())
    }
}
