//! One failed test, run once more by itself with all interactions recorded, in a JVM of the kind that it failed in.
//!
//! This is no replay: the test does what it does, with the rights of whoever calls. So it is for whoever asked for it, and for traces of his own.

use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jinsi_files::{private, temporary};
use jinsi_jdk::maven::{self, FetchError};
use jinsi_jdk::process::{self, Finished, ProcessError};
use jinsi_jdk::{Jdk, argument_file};
use jinsi_level::chance::without_chance;
use jinsi_level::program::{is_the_jdks, is_the_programs};
use jinsi_trace::model::{Frame, Launch, ObjectId, Surroundings, ThrowableDef};
use jinsi_trace::reader::{ReadError, Trace};

use super::root_cause::causes;
use super::suite::FailedTest;

/// Runs the test: `java-harness/rerun`.
const RUNNER: &str = "jinsi.rerun.TestRunner";
/// Classes that are never observed there.
const NOT_OBSERVED: &str = "jinsi.rerun.*";
/// Options that are about the program that was started, or about a debugger that is gone.
const NOT_REPEATED: [&str; 6] = [
    "-Djava.class.path=",
    "-Djdk.module.main",
    "-Dsun.java.command=",
    "-Dsun.java.launcher",
    "-agentlib:jdwp",
    "-Xrunjdwp",
];
/// What the names of the properties begin with that Surefire and Failsafe set before the tests.
const OF_SUREFIRE: &str = "surefire.";
/// Enables assertions in all classes but the JDK's.
const ENABLE_ASSERTIONS: &str = "-ea";
/// What the name of JUnit's engines begins with, before their version.
const ENGINE: &str = "junit-platform-engine-";
/// Jars with JUnit's launcher in them.
const LAUNCHERS: [&str; 2] = ["junit-platform-launcher", "junit-platform-console"];
/// Longest part of what the JVM said that is quoted, in characters.
const QUOTED: usize = 200;

/// What is needed to run tests once more.
#[derive(Clone, Copy, Debug)]
pub struct SecondTry<'a> {
    /// The Java, if that of the trace is gone.
    pub jdk: &'a Jdk,
    /// The agent library.
    pub agent: &'a Path,
    /// Directory of the classes that run a test.
    pub runner: &'a Path,
    /// Longest that the test may take, the start of the JVM included.
    pub limit: Duration,
}

/// What came of a second try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Again {
    /// The test failed in the same way.
    Same,
    /// It failed by the same exception at the same place, with another message: this one. What it works on is another thing in each run: it is
    /// drawn by chance, or listed in the order of hash codes.
    OtherMessage(String),
    /// It failed, but otherwise: by this exception.
    Otherwise(String),
    /// It ran, and did not fail.
    Passed,
}

/// Why a test was not run once more, or nothing is known of it.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum NotRun {
    #[error("an older version of jinsi recorded it, and did not note how its JVM was started")]
    OldTrace,
    #[error("the recording does not name the class of the test")]
    NoClass,
    #[error("its working directory {} is gone", .0.display())]
    NoDirectory(PathBuf),
    #[error("no test engine on its class path finds it by this name")]
    Unknown,
    #[error("it did not end within {} s", .0.as_secs_f64())]
    TimedOut(Duration),
    #[error("the JVM left no recording, and {0}")]
    NoTrace(String),
    #[error("JUnit's launcher is missing: {0}")]
    Fetch(#[from] FetchError),
    #[error(transparent)]
    Process(ProcessError),
    #[error("its recording cannot be read: {0}")]
    Read(#[from] ReadError),
    #[error("its files cannot be written: {0}")]
    File(#[from] io::Error),
}

impl SecondTry<'_> {
    /// Runs a failed test of `first` by itself, and has all interactions recorded to `to`, which is replaced. How long that took, too.
    ///
    /// # Errors
    /// See [`NotRun`].
    pub fn run(
        &self,
        first: &Trace,
        test: &FailedTest,
        to: &Path,
    ) -> (Duration, Result<Again, NotRun>) {
        let began = Instant::now();
        let result = self.again(first, test, to);
        (began.elapsed(), result)
    }

    fn again(&self, first: &Trace, test: &FailedTest, to: &Path) -> Result<Again, NotRun> {
        let surroundings = first.surroundings().ok_or(NotRun::OldTrace)?;
        let launch = surroundings.launch.as_ref().ok_or(NotRun::OldTrace)?;
        let mark = first.test_of(&test.failure).ok_or(NotRun::NoClass)?;
        let directory = PathBuf::from(&launch.directory);
        if !directory.is_dir() {
            return Err(NotRun::NoDirectory(directory));
        }
        if to.exists() {
            fs::remove_file(to)?;
        }
        let to = std::path::absolute(to)?;
        let mut class_path = class_path(surroundings);
        class_path.extend(launcher(&class_path)?);
        class_path.push(self.runner.display().to_string());
        let mut arguments = vec![agent_option(self.agent, &first.meta().options, &to)];
        let properties = first.test_properties().into_iter().flatten();
        arguments.extend(assertions(properties.map(|(name, _)| name.as_str())));
        arguments.extend(jvm_options(launch));
        arguments.extend(["-cp".into(), class_path.join(":"), RUNNER.into()]);
        arguments.extend([mark.class.clone(), mark.name.clone()]);
        let set = first.test_properties().into_iter().flatten();
        arguments.extend(set.map(|(name, value)| format!("{name}={value}")));

        let own = temporary::directory()?;
        let file = own.path().join("arguments");
        private::write(&file, argument_file::text(&arguments))?;
        let java = Jdk::find(Some(Path::new(&launch.java_home)));
        let mut command = java.as_ref().unwrap_or(self.jdk).command();
        command
            .arg(argument_file::argument(&file))
            .current_dir(directory);
        let ended = process::run_with_descendants(&mut command, self.limit);
        let ended = ended.map_err(|error| match error {
            ProcessError::TimedOut { limit, .. } => NotRun::TimedOut(limit),
            error => NotRun::Process(error),
        })?;
        if !to.is_file() {
            return Err(NotRun::NoTrace(said(&ended)));
        }
        compared(first, test, &Trace::open(&to)?)
    }
}

/// What became of the test in the second recording.
fn compared(first: &Trace, test: &FailedTest, second: &Trace) -> Result<Again, NotRun> {
    let failed = FailedTest::all(second);
    let again = failed.iter().filter(|other| other.name == test.name);
    let again: Vec<&FailedTest> = again.collect();
    let of_first = chain(first, test.failure.throwable);
    let of = |other: &FailedTest| chain(second, other.failure.throwable);
    if again.iter().any(|other| is_alike(&of_first, &of(other))) {
        return Ok(Again::Same);
    }
    let at_place = again.iter().map(|other| of(other));
    if let Some(other) = at_place
        .into_iter()
        .find(|other| is_at_same_place(&of_first, other))
    {
        return Ok(Again::OtherMessage(
            other.first().map_or_else(String::new, |def| shown(def)),
        ));
    }
    let other = again.first().copied().or(failed.first());
    if let Some(other) = other {
        let thrown = second.throwable(other.failure.throwable);
        return Ok(Again::Otherwise(thrown.map_or_else(String::new, shown)));
    }
    match second.marks().is_empty() {
        true => Err(NotRun::Unknown),
        false => Ok(Again::Passed),
    }
}

/// The option that loads the agent, with what it was given before, and all interactions recorded to `to`. What comes later replaces what came
/// before.
fn agent_option(agent: &Path, options: &str, to: &Path) -> String {
    format!(
        "-agentpath:{}={options},exclude={NOT_OBSERVED},detail=interactions,on=exit,out={}",
        agent.display(),
        to.display().to_string().replace('%', "%%")
    )
}

/// The option that enables assertions, for a JVM in which these properties were set before the tests. Surefire and Failsafe enable assertions from
/// within the JVM, where no option tells of it. Options of the first JVM come behind it, and prevail.
fn assertions<'a>(mut properties: impl Iterator<Item = &'a str>) -> Option<String> {
    let is_of_surefire = properties.any(|name| name.starts_with(OF_SUREFIRE));
    is_of_surefire.then(|| ENABLE_ASSERTIONS.to_owned())
}

/// The options of the first JVM, for one that runs another main class.
fn jvm_options(launch: &Launch) -> impl Iterator<Item = String> + '_ {
    let all = launch.arguments.iter();
    let is_repeated =
        |option: &&String| !NOT_REPEATED.iter().any(|begin| option.starts_with(begin));
    all.filter(is_repeated).cloned()
}

/// The class path as far as it is still there: builds delete the jar that they have made for it.
fn class_path(surroundings: &Surroundings) -> Vec<String> {
    let all = surroundings.class_path.iter();
    all.filter(|entry| Path::new(entry).exists())
        .cloned()
        .collect()
}

/// JUnit's launcher, if there is an engine on the class path, and none beside it: Gradle brings its own.
fn launcher(class_path: &[String]) -> Result<Option<String>, FetchError> {
    let Some(coordinates) = missing_launcher(class_path) else {
        return Ok(None);
    };
    let jars = maven::fetch(&[&coordinates])?;
    Ok(jars.first().map(|jar| jar.display().to_string()))
}

/// Coordinates of the launcher that is missing, in the version of the engine.
fn missing_launcher(class_path: &[String]) -> Option<String> {
    let names = || {
        let names = class_path.iter().map(|entry| Path::new(entry).file_name());
        names.filter_map(|name| name?.to_str())
    };
    if names().any(|name| LAUNCHERS.iter().any(|begin| name.starts_with(begin))) {
        return None;
    }
    let version = names().find_map(|name| name.strip_prefix(ENGINE)?.strip_suffix(".jar"))?;
    Some(format!(
        "org.junit.platform:junit-platform-launcher:{version}"
    ))
}

/// How a JVM ended, with the end of what it said.
fn said(ended: &Finished) -> String {
    let status = match ended.status.code() {
        Some(code) => format!("it ended with status {code}"),
        None => "it was killed".to_owned(),
    };
    let all = format!("{}{}", ended.stdout, ended.stderr);
    let last = all.lines().rev().find(|line| !line.trim().is_empty());
    last.map_or_else(
        || status.clone(),
        |line| {
            let line: String = line.trim().chars().take(QUOTED).collect();
            format!("{status}: {line}")
        },
    )
}

fn chain(trace: &Trace, throwable: ObjectId) -> Vec<&ThrowableDef> {
    let all = causes(trace, throwable).into_iter();
    all.filter_map(|id| trace.throwable(id)).collect()
}

/// Are these two exceptions, each with its causes, the same failure?
fn is_alike(first: &[&ThrowableDef], second: &[&ThrowableDef]) -> bool {
    let have_same_messages = first
        .iter()
        .zip(second)
        .all(|(a, b)| has_same_message(a, b));
    let are_at_same_place = is_at_same_place(first, second)
        || are_of_same_classes(first, second)
            && first
                .iter()
                .zip(second)
                .all(|(a, b)| have_same_frames(a, b) || is_cleaned(a, b) || is_cleaned(b, a));
    have_same_messages && are_at_same_place
}

/// Are these two exceptions, each with its causes, of the same classes, and were they thrown at the same places of the program?
fn is_at_same_place(first: &[&ThrowableDef], second: &[&ThrowableDef]) -> bool {
    are_of_same_classes(first, second)
        && first
            .iter()
            .zip(second)
            .all(|(a, b)| have_same_frames(a, b))
}

fn are_of_same_classes(first: &[&ThrowableDef], second: &[&ThrowableDef]) -> bool {
    first.len() == second.len()
        && !first.is_empty()
        && first.iter().zip(second).all(|(a, b)| a.class == b.class)
}

/// The JDK words its own messages as it likes.
fn has_same_message(a: &ThrowableDef, b: &ThrowableDef) -> bool {
    let is_jdks = |def: &ThrowableDef| def.frames.first().is_some_and(|f| is_the_jdks(&f.class));
    let text = |def: &ThrowableDef| {
        let message = def.message.as_deref();
        message.map(|message| without_order(&without_chance(&without_frames(message))))
    };
    is_jdks(a) && is_jdks(b) || text(a) == text(b)
}

/// A message without frames of stack traces that it quotes.
fn without_frames(message: &str) -> String {
    let is_frame = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("at ") && line.ends_with(')')
            || line.starts_with("... ") && line.ends_with(" more")
    };
    let lines: Vec<&str> = message.lines().filter(|line| !is_frame(line)).collect();
    lines.join("\n")
}

/// A message with what is listed in brackets in alphabetical order: `Set.of` and `Map.of` have another order in every run.
fn without_order(message: &str) -> String {
    let mut text = String::new();
    // The lists that are open: what is before each, and its elements.
    let mut lists: Vec<(String, Vec<String>)> = Vec::new();
    for c in message.chars() {
        match (c, lists.last_mut()) {
            ('{' | '[', _) => {
                text.push(c);
                lists.push((mem::take(&mut text), Vec::new()));
            }
            (',', Some((_, elements))) => elements.push(mem::take(&mut text).trim().to_owned()),
            ('}' | ']', Some((before, elements))) => {
                elements.push(text.trim().to_owned());
                elements.sort_unstable();
                text = format!("{before}{}{c}", elements.join(", "));
                lists.pop();
            }
            _ => text.push(c),
        }
    }
    let unfinished = lists.into_iter().rev();
    unfinished.fold(text, |text, (before, elements)| {
        format!("{before}{}{text}", elements.concat())
    })
}

/// Do the program's own frames agree? Below the test, one may have been called by a program that the other was not called by.
fn have_same_frames(a: &ThrowableDef, b: &ThrowableDef) -> bool {
    let (a, b) = (own_frames(a), own_frames(b));
    let common = a.len().min(b.len());
    a[..common] == b[..common] && (common > 0 || a.len() == b.len())
}

/// Is the one the other, after the program has taken frames out of its stack trace? The recordings may have seen it before that, and after.
fn is_cleaned(cleaned: &ThrowableDef, whole: &ThrowableDef) -> bool {
    let (of_cleaned, of_whole) = (own_frames(cleaned), own_frames(whole));
    let mut rest = of_whole.iter();
    cleaned.message == whole.message
        && !of_cleaned.is_empty()
        && of_cleaned.iter().all(|frame| rest.any(|f| f == frame))
}

/// Class, method and line of the program's own frames.
fn own_frames(def: &ThrowableDef) -> Vec<(&str, &str, i32)> {
    let all = def.frames.iter().filter(|f| is_own(f));
    all.map(|f| (&*f.class, &*f.method, f.line)).collect()
}

/// Is this a frame of the program, in a class that has the same name in each run?
fn is_own(frame: &Frame) -> bool {
    let class = frame.class.as_str();
    is_the_programs(class)
        && !class.starts_with("jinsi.")
        && !class.contains("$$")
        && !class.contains("$Proxy")
}

fn shown(thrown: &ThrowableDef) -> String {
    let text = thrown.text.as_deref().or(thrown.message.as_deref());
    let line = text.and_then(|text| text.lines().find(|line| !line.trim().is_empty()));
    match line {
        Some(line) => format!("{}: {line}", thrown.class),
        None => thrown.class.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(all: &[&str]) -> Vec<String> {
        all.iter().map(|&one| one.to_owned()).collect()
    }

    fn thrown(class: &str, message: Option<&str>, frames: &[(&str, &str, i32)]) -> ThrowableDef {
        ThrowableDef {
            id: 1,
            class: class.into(),
            message: message.map(str::to_owned),
            text: message.map(str::to_owned),
            cause: 0,
            frames: frames
                .iter()
                .map(|&(class, method, line)| Frame {
                    class: class.into(),
                    method: method.into(),
                    file: None,
                    line,
                })
                .collect(),
        }
    }

    #[test]
    fn the_agent_gets_its_options_again() {
        let option = agent_option(
            Path::new("/t/libjinsi.so"),
            "config=/t/agent.options",
            Path::new("/t/50%/second-try.jinsi"),
        );
        assert_eq!(
            option,
            "-agentpath:/t/libjinsi.so=config=/t/agent.options,exclude=jinsi.rerun.*,detail=interactions,on=exit,out=/t/50%%/second-try.jinsi"
        );
    }

    #[test]
    fn the_program_and_its_debugger_are_not_started_again() {
        let launch = Launch {
            arguments: strings(&[
                "-Xmx64m",
                "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=5005",
                "-Djdk.module.main=app",
                "-Dmode=test",
            ]),
            ..Launch::default()
        };
        let options: Vec<String> = jvm_options(&launch).collect();
        assert_eq!(options, ["-Xmx64m", "-Dmode=test"]);
    }

    #[test]
    fn assertions_are_on_as_surefire_has_them() {
        let of = |names: &[&'static str]| assertions(names.iter().copied());
        assert_eq!(
            of(&["basedir", "surefire.test.class.path"]),
            Some("-ea".into())
        );
        assert_eq!(of(&["basedir", "org.gradle.test.worker"]), None);
    }

    #[test]
    fn the_launcher_is_that_of_the_engine() {
        let engine = "/m2/org/junit/platform/junit-platform-engine-1.10.2.jar";
        let jupiter = "/m2/org/junit/jupiter/junit-jupiter-engine-5.10.2.jar";
        let launcher = "/m2/org/junit/platform/junit-platform-launcher-1.10.2.jar";
        let missing = missing_launcher(&strings(&["/p/classes", jupiter, engine]));
        let expected = "org.junit.platform:junit-platform-launcher:1.10.2";
        assert_eq!(missing.as_deref(), Some(expected));
        assert_eq!(missing_launcher(&strings(&[engine, launcher])), None);
        assert_eq!(missing_launcher(&strings(&["/m2/junit-4.13.2.jar"])), None);
        let console = "/m2/junit-platform-console-standalone-1.10.2.jar";
        assert_eq!(missing_launcher(&strings(&[console])), None);
    }

    #[test]
    fn the_order_of_what_is_listed_does_not_count() {
        assert_eq!(
            without_order("expected: <{b=[2, 1], a=1}> but was: <[c, a]>"),
            "expected: <{a=1, b=[1, 2]}> but was: <[a, c]>"
        );
        assert_ne!(without_order("{a=1, b=2}"), without_order("{a=2, b=1}"));
        assert_eq!(without_order("no list, b, a]"), "no list, b, a]");
        assert_eq!(without_order("cut [b, a"), "cut [b a");
    }

    #[test]
    fn the_same_failure_is_known_by_the_programs_own_part() {
        let frames = [
            ("java.util.Objects", "requireNonNull", 233),
            ("com.farm.Herd", "count", 12),
            ("com.farm.HerdTest", "counts", 7),
        ];
        let first = thrown("a.E", Some("no cow Cow@1f2a in 1712345678901"), &frames);
        let by_main = [&frames[..], &[("com.farm.RunTests", "main", 3)]].concat();
        for (same, second) in [
            (true, thrown("a.E", Some("x"), &by_main)),
            (false, thrown("a.F", Some("x"), &frames)),
            (false, thrown("a.E", Some("x"), &frames[..1])),
            (
                false,
                thrown(
                    "a.E",
                    Some("x"),
                    &[frames[0], ("com.farm.Herd", "count", 13), frames[2]],
                ),
            ),
        ] {
            assert_eq!(is_alike(&[&first], &[&second]), same, "{second:?}");
        }
        let own = thrown(
            "a.E",
            Some("no cow Cow@1f2a in 1712345678901"),
            &frames[1..],
        );
        for (same, message) in [
            (true, "no cow Cow@77 in 1712345999999"),
            (false, "no cow Pig@77 in 1712345999999"),
            (false, "no cow Cow@77 in 17"),
            (
                true,
                "no cow Cow@77 in 1712345999999\n\tat junit.Runner.run(Runner.java:8)\n\t... 9 more",
            ),
        ] {
            let second = thrown("a.E", Some(message), &frames[1..]);
            assert_eq!(is_alike(&[&own], &[&second]), same, "{message}");
        }
        let other = thrown("a.E", Some("no hen"), &frames[1..]);
        assert!(is_at_same_place(&[&own], &[&other]));
        let elsewhere = thrown("a.E", Some("no hen"), &frames[2..]);
        let cleaned = thrown("a.E", own.message.as_deref(), &frames[2..]);
        assert!(is_alike(&[&cleaned], &[&own]), "frames were taken out");
        assert!(is_alike(&[&own], &[&cleaned]), "frames were taken out");
        assert!(!is_alike(&[&own], &[&elsewhere]), "another message");
        let twice = [&elsewhere, &elsewhere];
        assert!(!is_at_same_place(&[&own, &own], &twice), "another line");
        assert!(!is_alike(&[&own, &own], &[&own]), "it has a cause");
        assert!(!is_alike(&[], &[]));
    }
}
