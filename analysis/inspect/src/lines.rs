//! Every run of a source line.

use std::fmt;
use std::str::FromStr;

use jinsi_steps::code::{Method, MethodNo};
use jinsi_trace::model::{EventId, ThreadNo};

use crate::Inspector;
use crate::error::{BadLine, InspectError};
use crate::index::StretchNo;
use crate::path::Path;
use crate::point::Stop;
use jinsi_steps::moment::Moment;
use jinsi_steps::seen::Seen;

/// A source line: `com.foo.Bar:42`, `Bar:42` or `Bar.java:42`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The class, with or without its package, or the source file.
    pub class: String,
    /// The line, from 1.
    pub line: u16,
}

impl FromStr for Line {
    type Err = BadLine;

    fn from_str(text: &str) -> Result<Self, BadLine> {
        let parts = text.rsplit_once(':');
        let parsed = parts.and_then(|(class, line)| Some((class, line.parse().ok()?)));
        match parsed {
            Some((class, line)) if !class.is_empty() && line > 0 => Ok(Self {
                class: class.to_owned(),
                line,
            }),
            _ => Err(BadLine(text.to_owned())),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.class, self.line)
    }
}

impl Line {
    fn is_in(&self, method: &Method) -> bool {
        let dotted = method.owner.replace('/', ".");
        let outer = |name: &str| {
            let simple = name.rsplit('.').next().unwrap_or(name);
            name == self.class || simple == self.class
        };
        let outermost = dotted.split('$').next().unwrap_or(&dotted);
        outer(&dotted) || outer(outermost) || method.file.as_deref() == Some(self.class.as_str())
    }
}

/// What a log point wrote.
#[derive(Debug)]
pub struct Logged {
    /// When.
    pub moment: Moment,
    /// The activation.
    pub activation: EventId,
    /// What the expressions were; why not, where one has no value there.
    pub values: Vec<Result<Seen, InspectError>>,
}

/// Stretches of a thread in which the line ran, and how often.
type Runs = (ThreadNo, Vec<(StretchNo, u64)>);

/// The methods that have code on a line, and the stretches of one thread in which it ran, and how often.
pub(crate) struct LineRuns {
    pub(crate) methods: Vec<MethodNo>,
    pub(crate) stretches: Vec<(StretchNo, u64)>,
}

impl Inspector<'_> {
    /// How often the line was come to: its first instruction ran.
    ///
    /// # Errors
    /// No recorded code is on this line.
    pub fn count_of_line(&self, line: &Line) -> Result<u64, InspectError> {
        let (_, runs) = self.runs(line)?;
        let counts = runs.iter().flat_map(|(_, runs)| runs);
        Ok(counts.map(|(_, count)| count).sum())
    }

    /// Where the line was come to, without the first `skip` times, at most so many; by thread, oldest first.
    ///
    /// # Errors
    /// No recorded code is on this line; the trace cannot be read.
    pub fn runs_of_line(
        &self,
        line: &Line,
        skip: u64,
        most: usize,
    ) -> Result<Vec<Moment>, InspectError> {
        let mut all = Vec::new();
        self.each_run(line, skip, most, |stop| all.push(stop.moment()))?;
        Ok(all)
    }

    /// What these expressions were each time the line was come to; without the first `skip` times, at most so many.
    ///
    /// # Errors
    /// No recorded code is on this line; the trace cannot be read.
    pub fn log(
        &self,
        line: &Line,
        expressions: &[Path],
        skip: u64,
        most: usize,
    ) -> Result<Vec<Logged>, InspectError> {
        let mut all = Vec::new();
        self.each_run(line, skip, most, |stop| {
            let value = |path: &Path| self.path_at(stop, 0, path);
            let index = stop.machine.top().map_or(0, |top| top.began);
            all.push(Logged {
                moment: stop.moment(),
                activation: EventId {
                    thread: stop.thread,
                    index,
                },
                values: expressions.iter().map(value).collect(),
            });
        })?;
        Ok(all)
    }

    fn each_run(
        &self,
        line: &Line,
        mut skip: u64,
        most: usize,
        mut each: impl FnMut(&Stop<'_, '_>),
    ) -> Result<(), InspectError> {
        let (methods, runs) = self.runs(line)?;
        let mut left = most;
        for (thread, stretches) in runs {
            for (no, count) in stretches {
                if count <= skip {
                    skip -= count;
                    continue;
                }
                if left == 0 {
                    return Ok(());
                }
                let mut stop = Stop::beginning(self.player(), thread, no)?;
                while left > 0 && self.forward_to(&mut stop, no, &methods, line.line)? {
                    match skip {
                        0 => {
                            each(&stop);
                            left -= 1;
                        }
                        _ => skip -= 1,
                    }
                    stop.pass();
                }
            }
        }
        Ok(())
    }

    /// Where the line ran in a thread.
    pub(crate) fn line_runs(
        &self,
        line: &Line,
        thread: ThreadNo,
    ) -> Result<LineRuns, InspectError> {
        let (methods, runs) = self.runs(line)?;
        let of_thread = runs.into_iter().find(|(no, _)| *no == thread);
        let (_, stretches) = of_thread.ok_or(InspectError::NoThread(thread))?;
        Ok(LineRuns { methods, stretches })
    }

    /// To the next instruction of this stretch with which the line begins.
    pub(crate) fn forward_to(
        &self,
        stop: &mut Stop<'_, '_>,
        no: StretchNo,
        methods: &[MethodNo],
        line: u16,
    ) -> Result<bool, InspectError> {
        stop.forward_within(no, |machine, at| {
            machine.top().is_some_and(|top| {
                methods.contains(&top.method)
                    && self.facts.line_starts(top.method).get(at as usize) == Some(&line)
            })
        })
    }

    /// The methods that have code on the line, and where it ran.
    fn runs(&self, line: &Line) -> Result<(Vec<MethodNo>, Vec<Runs>), InspectError> {
        let methods = self.facts.program.methods().iter().enumerate();
        let there = methods.filter(|(_, method)| {
            let body = method.body.as_ref().filter(|_| line.is_in(method));
            body.is_some_and(|body| body.instructions.iter().any(|i| i.line == line.line))
        });
        let methods: Vec<MethodNo> = there.map(|(no, _)| MethodNo::from_index(no)).collect();
        if methods.is_empty() {
            return Err(InspectError::NoCode(line.to_string()));
        }
        let mut all = Vec::new();
        for thread in self.index.threads.keys() {
            let runs = self.index.lines(*thread, &methods, line.line);
            all.push((*thread, runs));
        }
        Ok((methods, all))
    }
}
