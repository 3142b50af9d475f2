//! Recordings without a failure to work on: why, and what can be done.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Error;
use jinsi_analysis::pipeline::{PipelineError, Run};
use jinsi_history::failures::{self, NoCrash};
use jinsi_history::info::frame_text;
use jinsi_jdk::command_line::{self, Target};
use jinsi_jdk::jar;
use jinsi_level::program::{is_the_jdks, is_the_programs};
use jinsi_natural::packages::Packages;
use jinsi_natural::pattern::Pattern;
use jinsi_oracle::given::WrongCall;
use jinsi_trace::model::{ClassOrigin, Frame, ThrowableDef};
use jinsi_trace::reader::Trace;

use crate::advice::{self, Step};
use crate::answer;
use crate::messages::{NoFailure, Way};
use crate::nearest::{self, Names};

/// Longest command line of a program that is said once more.
const LONGEST: usize = 240;

/// Jars of test frameworks, by the beginning of their names.
const FRAMEWORKS: [&str; 3] = ["junit", "testng", "kotest"];

/// Most files that are looked at beside a missing entry of a class path.
const MOST_BESIDE: usize = 100;

/// What is known of a run besides its trace.
#[derive(Clone, Copy, Default)]
pub struct Known<'a> {
    /// What was run, if this command did.
    pub program: Option<&'a [OsString]>,
    /// With which status it ended, if this command ran it.
    pub exit_status: Option<i32>,
    /// The number of the failure that was asked for.
    pub failure: Option<usize>,
    /// Where the report was to go.
    pub out: Option<&'a Path>,
    /// The call that was named as wrong.
    pub wrong: Option<&'a WrongCall>,
}

/// The error; if it is that there is nothing to work on, with the reason and the ways on.
pub fn advised(error: Error, run: &Run, known: Known<'_>) -> Error {
    let none = error.chain().find_map(|cause| {
        let none = cause.downcast_ref::<NoCrash>();
        none.or_else(|| match cause.downcast_ref::<PipelineError>()? {
            PipelineError::NoCrash(none) => Some(none),
            _ => None,
        })
    });
    let nothing = Nothing {
        trace: run.trace(),
        path: run.path(),
        known,
    };
    match none.copied() {
        Some(NoCrash::NoFailure) => nothing.no_failure(),
        Some(NoCrash::NotObserved) => nothing.not_observed(),
        Some(NoCrash::NotRecorded) => nothing.not_recorded(),
        _ => error,
    }
}

/// A trace is empty, since no class matched: the error that says so. `None` of others.
pub fn unmatched(trace: &Trace, path: &Path, known: Known<'_>) -> Option<Error> {
    let nothing = Nothing { trace, path, known };
    nothing.is_empty().then(|| nothing.no_class())
}

struct Nothing<'a> {
    trace: &'a Trace,
    path: &'a Path,
    known: Known<'a>,
}

impl Nothing<'_> {
    /// Has no class been recorded?
    fn is_empty(&self) -> bool {
        let mut classes = self.trace.classes().iter();
        let mut lost = self.trace.skipped().iter();
        !classes.any(|c| c.origin == ClassOrigin::Observed) && lost.next().is_none()
    }

    fn no_failure(&self) -> Error {
        if self.is_empty() {
            return self.no_class();
        }
        if self.trace.end().is_none() {
            return self.no_end();
        }
        let ended = match self.known.exit_status {
            Some(status) => NoFailure::Ended { status }.to_string(),
            None => String::new(),
        };
        if let Some(jar) = self.framework() {
            let what = match self.trace.marks().is_empty() {
                true => NoFailure::NoEngine { ended, jar: &jar },
                false => NoFailure::NoTest { ended },
            };
            let next = vec![
                Step::new(Way::OneException, self.again("--fail EXCEPTION")),
                Step::new(Way::Engines, "docs/junit.md"),
            ];
            return advice::error(what, next);
        }
        let what = NoFailure::NoException { ended };
        advice::error(what, self.other_failures())
    }

    /// How a failure is named that is no exception.
    fn other_failures(&self) -> Vec<Step> {
        let minimize = |option: &str| self.minimize(option);
        let status = match self.known.exit_status {
            Some(status) if status != 0 => status.to_string(),
            _ => "STATUS".into(),
        };
        vec![
            Step::new(Way::WrongValue, minimize("--wrong CLASS.METHOD")),
            Step::new(Way::Wrote, minimize("--output-contains TEXT")),
            Step::new(Way::Exited, minimize(&format!("--exit-status {status}"))),
            Step::new(Way::Caught, self.again("--fail EXCEPTION")),
            Step::new(Way::WhileRunning, "jinsi mark PID"),
        ]
    }

    /// The program was killed, or the file is cut off.
    fn no_end(&self) -> Error {
        let what = NoFailure::NoEnd {
            path: self.path.display(),
        };
        let next = vec![
            Step::new(Way::Hung, self.minimize("--hang")),
            Step::new(Way::StillRuns, "jinsi mark PID"),
            Step::new(
                Way::HowFar,
                format!("jinsi info {}", advice::path(self.path)),
            ),
        ];
        advice::error(what, next)
    }

    fn no_class(&self) -> Error {
        let meta = self.trace.meta();
        let observe = meta.observe.join(":");
        let patterns: Vec<Pattern> = meta.observe.iter().map(|p| Pattern::new(p)).collect();
        if let Some(error) = self.no_main_class() {
            return error;
        }
        let loaded = self.loaded();
        if loaded.is_empty() && observe == "*" {
            let what = match self.known.exit_status {
                Some(status) => NoFailure::NoClassBy { status },
                None => NoFailure::NoClass,
            };
            let step = Step::new(Way::WithoutJinsi, self.plain());
            return advice::error(what, vec![step]);
        }
        let what = match loaded.is_empty() {
            true => NoFailure::NoMatch { observe: &observe },
            false => NoFailure::OthersLoaded {
                observe: &observe,
                loaded: loaded.text(&patterns),
            },
        };
        let nearest = loaded.nearest(&patterns);
        let pattern = nearest.first().map_or("PATTERN", |(pattern, _)| pattern);
        let step = Step::new(Way::RecordThese, self.observing(pattern));
        advice::error(what, vec![step])
    }

    /// The class that `java` was to run is nowhere on the class path, so nothing ran.
    fn no_main_class(&self) -> Option<Error> {
        let arguments = self.known.program?.get(1..)?;
        let Some(Target::Class(name)) = command_line::target(arguments) else {
            return None;
        };
        let paths = &self.trace.surroundings()?.class_path;
        let file = format!("{}.class", name.replace('.', "/"));
        let found = paths
            .iter()
            .any(|path| holds(Path::new(path), &file) != Some(false));
        if self.known.exit_status != Some(1) || found || is_the_jdks(&name) {
            return None;
        }
        let absent: Vec<&Path> = paths
            .iter()
            .map(Path::new)
            .filter(|path| !path.exists())
            .collect();
        let why = match absent.as_slice() {
            [] => NoFailure::NotThere.to_string(),
            [one] => NoFailure::NoEntry { entry: &shown(one) }.to_string(),
            several => {
                let all: Vec<String> = several.iter().map(|path| shown(path)).collect();
                NoFailure::NoEntries {
                    entries: &all.join(", "),
                }
                .to_string()
            }
        };
        let what = NoFailure::NoMain { name: &name, why };
        let moved = absent.iter().find_map(|path| beside(path, &file));
        let all: Vec<&Path> = paths.iter().map(Path::new).collect();
        let near = || nearest::class_on(&all, &name);
        let step = match moved {
            Some(path) => Step::new(Way::ClassIn, shown(&path)),
            None => match near() {
                Some(near) => Step::new(Way::Nearest, near),
                None => Step::new(Way::WithoutJinsi, self.plain()),
            },
        };
        Some(advice::error(what, vec![step]))
    }

    /// Packages of the classes that the trace keeps, and of the frames of its exceptions.
    fn loaded(&self) -> Packages {
        let mut packages = Packages::default();
        for some in self.trace.class_files().flatten() {
            some.files.iter().for_each(|file| packages.meet(&file.name));
        }
        if packages.is_empty() {
            let thrown = self.trace.throwables().iter().flat_map(|t| &t.frames);
            let own = thrown.filter(|frame| is_the_programs(&frame.class));
            let mut classes: Vec<&str> = own.map(|frame| frame.class.as_str()).collect();
            classes.sort_unstable();
            classes.dedup();
            classes.into_iter().for_each(|class| packages.meet(class));
        }
        packages
    }

    fn not_observed(&self) -> Error {
        if self.is_empty() {
            return self.no_class();
        }
        let observe = self.trace.meta().observe.join(":");
        let Some(thrown) = self.thrown() else {
            return NoCrash::NotObserved.into();
        };
        let own = |frame: &&Frame| is_the_programs(&frame.class);
        let frame = thrown.frames.iter().find(own);
        let Some(frame) = frame else {
            let what = NoFailure::OfJdk {
                class: &thrown.class,
            };
            return advice::error(what, self.other_failures());
        };
        let what = NoFailure::NotObserved {
            class: &thrown.class,
            place: &frame_text(frame),
            observe: &observe,
        };
        let package = match frame.class.rfind('.') {
            Some(dot) => format!("{}.*", &frame.class[..dot]),
            None => frame.class.clone(),
        };
        let step = Step::new(
            Way::WouldCatch,
            self.observing(&format!("{observe}:{package}")),
        );
        advice::error(what, vec![step])
    }

    /// The exception that counts.
    fn thrown(&self) -> Option<&ThrowableDef> {
        let all = self.trace.failures();
        let chosen = self.known.failure.and_then(|n| all.get(n.checked_sub(1)?));
        let failure = chosen.or_else(|| failures::pick(all))?;
        self.trace.throwable(failure.throwable)
    }

    /// What was named as wrong does not occur.
    fn not_recorded(&self) -> Error {
        let file = advice::path(self.path);
        let typed = self.known.wrong.and_then(WrongCall::member);
        let near = typed.and_then(|typed| Names::of(self.trace).method(&typed));
        let near = near.map(|near| Step::new(Way::Nearest, near));
        let mut next: Vec<Step> = near.into_iter().collect();
        next.extend([
            Step::new(Way::Calls, format!("jinsi events {file} --class 'CLASS'")),
            Step::new(Way::Classes, format!("jinsi info {file}")),
        ]);
        advice::error(NoCrash::NotRecorded.to_string(), next)
    }

    /// The jar of a test framework on the program's class path.
    fn framework(&self) -> Option<String> {
        let paths = &self.trace.surroundings()?.class_path;
        let names = paths.iter().filter_map(|path| Path::new(path).file_name());
        let mut names = names.map(|name| name.to_string_lossy().into_owned());
        names.find(|name| FRAMEWORKS.iter().any(|f| name.starts_with(f)))
    }

    /// `jinsi minimize` with this option.
    fn minimize(&self, option: &str) -> String {
        let file = advice::path(self.path);
        let out = self.known.out.map_or_else(String::new, answer::out);
        format!("jinsi minimize {file}{out} {option}")
    }

    /// The program recorded again, with this option.
    fn again(&self, option: &str) -> String {
        let observe = self.trace.meta().observe.join(":");
        let observe = match observe.as_str() {
            "*" => String::new(),
            given => format!(" --observe {}", advice::quoted(given.as_ref())),
        };
        format!("jinsi debug{observe} {option} -- {}", self.plain())
    }

    /// The program recorded again, with this observed.
    fn observing(&self, pattern: &str) -> String {
        let pattern = advice::quoted(pattern.as_ref());
        format!("jinsi debug --observe {pattern} -- {}", self.plain())
    }

    /// The program's command line.
    fn plain(&self) -> String {
        let whole = self.known.program.map(advice::command);
        let short = whole.filter(|text| text.len() <= LONGEST);
        short.unwrap_or_else(|| "java …".into())
    }
}

/// Does this entry of a class path have the class file? `None` if it cannot be read.
fn holds(entry: &Path, file: &str) -> Option<bool> {
    if entry.is_dir() {
        return Some(entry.join(file).is_file());
    }
    match entry.is_file() {
        true => jar::names(entry).ok().map(|names| names.contains(file)),
        false => Some(false),
    }
}

/// What stands beside this missing entry of a class path and has the class file.
fn beside(entry: &Path, file: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(entry.parent()?).ok()?;
    let mut others: Vec<PathBuf> = entries
        .filter_map(|other| Some(other.ok()?.path()))
        .filter(|other| other.is_dir() || other.extension().is_some_and(|e| e == "jar"))
        .take(MOST_BESIDE)
        .collect();
    others.sort();
    others
        .into_iter()
        .find(|other| holds(other, file) == Some(true))
}

/// A path as a person in the working directory names it.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let below = here.and_then(|here| Some(path.strip_prefix(here).ok()?.to_owned()));
    let below = below.filter(|path| !path.as_os_str().is_empty());
    below
        .unwrap_or_else(|| path.to_owned())
        .display()
        .to_string()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_has_the_class_is_found_beside_what_is_missing() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::create_dir_all(at("out/mill")).unwrap();
        fs::create_dir(at("empty")).unwrap();
        fs::write(at("out/mill/Grind.class"), "").unwrap();
        assert_eq!(beside(&at("uot"), "mill/Grind.class"), Some(at("out")));
        assert_eq!(beside(&at("uot"), "mill/Sieve.class"), None);
        let has = |name: &str| holds(&at(name), "mill/Grind.class");
        assert_eq!(
            (has("out"), has("empty"), has("none.jar")),
            (Some(true), Some(false), Some(false))
        );
        fs::write(at("torn.jar"), "PK").unwrap();
        assert_eq!(has("torn.jar"), None);
    }
}
