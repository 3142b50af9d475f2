//! May a program go a way? A solver of satisfiability modulo theories is asked, which is a program of its own (z3, or another that reads SMT-LIB 2
//! from its standard input).
//!
//! As in Wang 2007, Section 6.4.3, a way is walked forward and what it needs is collected; if that cannot be, no state of the program goes
//! that way. What is not modelled (memory, what calls return, numbers with a point) may have any value, so *no* is certain, and *yes* is not.

mod symbolic;

use std::io;

use easy_smt::{Context, ContextBuilder, Response};
use jinsi_classfile::cfg::BlockNo;
use jinsi_steps::code::Body;
use rustc_hash::FxHashMap;

use crate::generate::Judge;
use symbolic::Walk;

/// Milliseconds for a question.
const PATIENCE: u32 = 1_000;

/// What is known of a way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum May {
    /// There is a state from which it may be gone: what the local variables hold that it reads before it writes them, by slot.
    Go(FxHashMap<u16, i64>),
    /// No state goes there.
    Not,
    /// The solver has not said, or the code is not understood.
    Unknown,
}

/// Why no solver can be asked.
#[derive(Debug, thiserror::Error)]
#[error("the solver {program} does not answer: {why}")]
pub struct NoSolver {
    program: String,
    why: io::Error,
}

/// A solver that runs.
pub struct Solver {
    context: Context,
    /// It has not answered as it should: nothing more is asked.
    broken: bool,
}

impl Solver {
    /// Starts this program, which is z3 or takes its options.
    ///
    /// # Errors
    /// It is not there, or answers nothing that can be read.
    pub fn start(program: &str) -> Result<Self, NoSolver> {
        let limit = format!("-t:{PATIENCE}");
        let mut builder = ContextBuilder::new();
        builder
            .solver(program)
            .solver_args(["-smt2", "-in", &limit]);
        let failed = |why| NoSolver {
            program: program.to_owned(),
            why,
        };
        let mut context = builder.build().map_err(failed)?;
        context.set_logic("QF_BV").map_err(failed)?;
        Ok(Self {
            context,
            broken: false,
        })
    }

    /// May these blocks be run one behind the other, begun in any state? Where the last one leads is not asked.
    pub fn may_go(&mut self, body: &Body, way: &[BlockNo]) -> May {
        if self.broken {
            return May::Unknown;
        }
        self.ask(body, way).unwrap_or_else(|_| {
            self.broken = true;
            May::Unknown
        })
    }

    fn ask(&mut self, body: &Body, way: &[BlockNo]) -> io::Result<May> {
        self.context.push()?;
        let mut walk = Walk::new(&mut self.context, body);
        let walked = walk.go(way)?;
        let read = walk.read();
        let answer = match walked {
            false => May::Unknown,
            true => match self.context.check()? {
                Response::Unsat => May::Not,
                Response::Unknown => May::Unknown,
                Response::Sat => May::Go(self.values(&read)?),
            },
        };
        self.context.pop()?;
        Ok(answer)
    }

    fn values(&mut self, read: &[(u16, easy_smt::SExpr)]) -> io::Result<FxHashMap<u16, i64>> {
        let mut values = FxHashMap::default();
        for (slot, symbol) in read {
            let found = self.context.get_value(vec![*symbol])?;
            let text = found
                .first()
                .and_then(|(_, value)| self.context.get_atom(*value));
            values.extend(text.and_then(number).map(|value| (*slot, value)));
        }
        Ok(values)
    }
}

/// A number as SMT-LIB writes bits: `#x0000002a`, `#b101`; signed, if it is as wide as an `int` or a `long`.
fn number(text: &str) -> Option<i64> {
    let (digits, radix, width) = match text.strip_prefix("#x") {
        Some(digits) => (digits, 16, 4 * digits.len()),
        None => (text.strip_prefix("#b")?, 2, text.len() - 2),
    };
    let value = u64::from_str_radix(digits, radix).ok()?;
    Some(match width {
        32 => i64::from(value as u32 as i32),
        _ => value as i64,
    })
}

/// Judges ways through one method, for [`crate::generate`]: a solver says which may be gone, and with which values; `succeeds` runs the program with
/// these, and says whether what comes out is right.
pub struct ByRunning<'s, R> {
    /// The solver.
    pub solver: &'s mut Solver,
    /// The method.
    pub body: &'s Body,
    /// Given what local variables hold when the method begins, by slot: goes the program that way, and is what comes out right?
    pub run: R,
}

impl<R: FnMut(&FxHashMap<u16, i64>) -> bool> Judge for ByRunning<'_, R> {
    fn may_go(&mut self, part: &[BlockNo]) -> bool {
        self.solver.may_go(self.body, part) != May::Not
    }

    fn succeeds(&mut self, path: &[BlockNo]) -> bool {
        match self.solver.may_go(self.body, path) {
            May::Go(values) => (self.run)(&values),
            May::Not | May::Unknown => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        assert_eq!(number("#x0000002a"), Some(42));
        assert_eq!(number("#xffffffff"), Some(-1));
        assert_eq!(number("#xffffffffffffffff"), Some(-1));
        assert_eq!(number("#b101"), Some(5));
        assert_eq!(number("true"), None);
    }

    #[test]
    fn a_solver_that_is_not_there_is_said_to_be_missing() {
        let Err(why) = Solver::start("no-such-solver") else {
            panic!("it runs");
        };
        assert!(
            why.to_string()
                .starts_with("the solver no-such-solver does not answer")
        );
    }
}
