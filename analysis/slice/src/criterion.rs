//! Where a slice begins: `CLASS:LINE[:VAR][#OCCURRENCE]`, or the failure.

use std::fmt;
use std::str::FromStr;

use jinsi_classfile::effect::Access;
use jinsi_trace::model::ObjectId;

use jinsi_steps::code::{Method, MethodNo, Program};
use jinsi_steps::walk::Step;

/// What a slice is to explain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// That an exception was thrown, and which.
    Failure(ObjectId),
    /// What was computed at a line.
    Line {
        /// Class, by binary name, or its simple name if only one class in the trace is called so.
        class: String,
        /// Source line, from 1.
        line: u16,
        /// A local variable or field; all that the line used, if absent.
        variable: Option<String>,
        /// Which time the line ran, from 1; the last time, if absent.
        occurrence: Option<u64>,
    },
}

/// Why a text is no criterion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not CLASS:LINE[:VAR][#OCCURRENCE], such as com.foo.Bar:42 or com.foo.Bar:42:count#3"
)]
pub struct BadCriterion(String);

impl FromStr for Criterion {
    type Err = BadCriterion;

    fn from_str(text: &str) -> Result<Self, BadCriterion> {
        let bad = || BadCriterion(text.to_owned());
        let (place, occurrence) = match text.split_once('#') {
            Some((place, number)) => {
                let number = number.parse().map_err(|_| bad())?;
                (place, Some(number).filter(|n| *n > 0).ok_or_else(bad)?)
            }
            None => (text, 0),
        };
        let mut parts = place.split(':');
        let (class, line) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let variable = parts.next().map(str::to_owned);
        let line: u16 = line.parse().map_err(|_| bad())?;
        let empty = class.is_empty() || line == 0 || variable.as_deref() == Some("");
        if empty || parts.next().is_some() {
            return Err(bad());
        }
        Ok(Self::Line {
            class: class.replace('/', "."),
            line,
            variable,
            occurrence: Some(occurrence).filter(|n| *n > 0),
        })
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failure(id) => write!(f, "the failure (exception #{id})"),
            Self::Line {
                class,
                line,
                variable,
                occurrence,
            } => {
                write!(f, "{class}:{line}")?;
                if let Some(variable) = variable {
                    write!(f, ":{variable}")?;
                }
                occurrence.map_or(Ok(()), |n| write!(f, "#{n}"))
            }
        }
    }
}

/// Why a criterion is met nowhere in the recorded code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchPlace {
    /// No class of that name has recorded instructions.
    #[error(
        "no recorded class is named {0}, or its instructions were not recorded (--detail instructions)"
    )]
    Class(String),
    /// The class has no code at that line.
    #[error("{class} has no recorded code at line {line}")]
    Line {
        /// The class.
        class: String,
        /// The line.
        line: u16,
    },
    /// No variable of that name is used or set there.
    #[error("{class}:{line} uses no variable '{variable}' (or the class was compiled without -g)")]
    Variable {
        /// The class.
        class: String,
        /// The line.
        line: u16,
        /// The name.
        variable: String,
    },
}

/// The instructions of a method that belong to a line.
#[derive(Clone, Debug, Default)]
struct AtLine {
    /// Is the instruction at the line?
    covered: Vec<bool>,
    /// Does the slice begin with it?
    seeds: Vec<bool>,
}

/// Where the line is being run.
#[derive(Clone, Copy, Debug)]
struct LineVisit {
    depth: usize,
    /// The instruction met last.
    at: usize,
}

/// Recognizes the occurrences that a slice begins with, in a walk from the newest on.
#[derive(Clone, Debug, Default)]
pub struct Seeds {
    failure: Option<ObjectId>,
    /// By method.
    lines: Vec<Option<AtLine>>,
    /// Which run of the line, from the last, 0, on; `None`: none is taken, all are counted.
    wanted: Option<u64>,
    runs: u64,
    run: Option<LineVisit>,
    met: bool,
    methods: Vec<MethodNo>,
}

impl Seeds {
    /// The occurrences of a criterion. `wanted`: which run of the line, from the last, 0, on; `None` to count them only.
    ///
    /// # Errors
    /// There is no such place in the recorded code.
    pub fn of(
        program: &Program,
        criterion: &Criterion,
        wanted: Option<u64>,
    ) -> Result<Self, NoSuchPlace> {
        let mut seeds = Self {
            wanted,
            ..Self::default()
        };
        match criterion {
            Criterion::Failure(id) => seeds.failure = Some(*id),
            Criterion::Line {
                class,
                line,
                variable,
                ..
            } => seeds.lines = lines(program, class, *line, variable.as_deref())?,
        }
        Ok(seeds)
    }

    /// Has anything been met?
    pub fn met(&self) -> bool {
        self.met
    }

    /// How often the line was run, as far as it has been walked.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// An exception is met where it was thrown last. Does the slice begin with it?
    pub fn failed(&mut self, throwable: ObjectId) -> bool {
        let first = self.failure == Some(throwable) && !self.met;
        self.met |= first;
        first
    }

    /// An activation is met from its end; it is the open one with this number.
    pub fn opened(&mut self, depth: usize, method: MethodNo) {
        self.methods.truncate(depth - 1);
        self.methods.push(method);
        // Another activation at the same depth: what was run there is over.
        if self.run.is_some_and(|run| run.depth >= depth) {
            self.run = None;
        }
    }

    /// Is the method of the open activation with this number one that has code at the line?
    pub fn is_watching(&self, depth: usize) -> bool {
        of_method(&self.lines, &self.methods, depth).is_some()
    }

    /// An instruction is met, in the open activation with this number. Does the slice begin with it?
    pub fn takes(&mut self, depth: usize, step: &Step<'_>) -> bool {
        if self.lines.is_empty() {
            return false;
        }
        let line = of_method(&self.lines, &self.methods, depth);
        let covered = line.is_some_and(|line| line.covered[step.at]);
        let here = self.run.filter(|run| run.depth == depth);
        if !covered {
            if here.is_some() {
                self.run = None;
            }
            return false;
        }
        if here.is_none_or(|run| step.at > run.at) {
            self.runs += 1;
        }
        self.run = Some(LineVisit { depth, at: step.at });
        let takes = self.wanted.is_some_and(|wanted| self.runs == wanted + 1)
            && line.is_some_and(|line| line.seeds[step.at]);
        self.met |= takes;
        takes
    }
}

/// What of the method of this open activation belongs to the line.
fn of_method<'a>(
    lines: &'a [Option<AtLine>],
    methods: &[MethodNo],
    depth: usize,
) -> Option<&'a AtLine> {
    let method = methods.get(depth.checked_sub(1)?)?;
    lines.get(method.index())?.as_ref()
}

fn lines(
    program: &Program,
    class: &str,
    line: u16,
    variable: Option<&str>,
) -> Result<Vec<Option<AtLine>>, NoSuchPlace> {
    let mut found = Vec::new();
    let mut any_class = false;
    let mut any_line = false;
    for (no, method) in program.methods().iter().enumerate() {
        let Some(body) = method.body.as_ref().filter(|_| is_called(method, class)) else {
            continue;
        };
        any_class = true;
        let covered: Vec<bool> = body.instructions.iter().map(|i| i.line == line).collect();
        any_line |= covered.contains(&true);
        let seeds = match variable {
            None => covered.clone(),
            Some(name) => seeds_of(program, method, &covered, name),
        };
        if seeds.contains(&true) {
            found.resize(no + 1, None);
            found[no] = Some(AtLine { covered, seeds });
        }
    }
    let class = class.to_owned();
    match (any_class, any_line, variable) {
        (false, ..) => Err(NoSuchPlace::Class(class)),
        (_, false, _) => Err(NoSuchPlace::Line { class, line }),
        (_, _, Some(variable)) if found.is_empty() => Err(NoSuchPlace::Variable {
            class,
            line,
            variable: variable.to_owned(),
        }),
        _ => Ok(found),
    }
}

fn is_called(method: &Method, class: &str) -> bool {
    let binary = method.owner.replace('/', ".");
    binary == class || binary.rsplit('.').next() == Some(class)
}

/// The instructions at the line that read the variable; those that write it, if none reads it.
fn seeds_of(program: &Program, method: &Method, covered: &[bool], name: &str) -> Vec<bool> {
    let Some(body) = &method.body else {
        return Vec::new();
    };
    let local = |slot: u16, bci: u32| {
        let of_name = body
            .variables
            .iter()
            .filter(|v| v.slot == slot && v.name == name);
        of_name.into_iter().any(|v| (v.from..v.to).contains(&bci))
    };
    let of_kind = |reads: bool| -> Vec<bool> {
        let instructions = body.instructions.iter().enumerate();
        let is_seed = instructions.map(|(at, instruction)| {
            let end = (body.instructions.get(at + 1)).map_or(body.end, |next| next.bci);
            let (bci, field) = (instruction.bci, instruction.field);
            let named = match instruction.effect.access {
                Access::Load(slot) if reads => local(slot, bci),
                // A variable has its value from behind the instruction on that first stores it.
                Access::Store(slot) if !reads => local(slot, bci) || local(slot, end),
                Access::Increment(slot) => local(slot, bci),
                Access::GetField(_) | Access::GetStatic(_) if reads => {
                    field.is_some_and(|field| program.field_name(field) == name)
                }
                Access::PutField(_) | Access::PutStatic(_) if !reads => {
                    field.is_some_and(|field| program.field_name(field) == name)
                }
                _ => false,
            };
            covered[at] && named
        });
        is_seed.collect()
    };
    let reads = of_kind(true);
    match reads.contains(&true) {
        true => reads,
        false => of_kind(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn criteria_are_read_as_they_are_written() {
        for text in ["com.foo.Bar:42", "Bar:1:count", "a.B$C:65535:x#3", "B:7#1"] {
            let criterion: Criterion = text.parse().unwrap();
            assert_eq!(criterion.to_string(), text);
        }
        for text in [
            "",
            "Bar",
            "Bar:",
            "Bar:0",
            "Bar:x",
            ":3",
            "Bar:3:",
            "Bar:3:a:b",
            "Bar:3#0",
            "Bar:3#x",
        ] {
            assert!(text.parse::<Criterion>().is_err(), "{text}");
        }
    }
}
