//! Runs a program with the agent, and gives its trace.

mod before;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, anyhow, bail};
use jinsi_console::advice::{self, Step};
use jinsi_console::messages::{NotRecorded, Remark, Usage, Way};
use jinsi_console::output::note;
use jinsi_platform::signals;
use jinsi_trace::model::Detail;
use jinsi_trace::reader::Trace;
use serde::Serialize;

/// How often a program with a time limit is looked after.
const POLL: Duration = Duration::from_millis(20);

/// What is recorded. Patterns are wildcards over dotted names, joined by ':'.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Classes whose interactions are recorded; all that are not the JDK's if nothing is said.
    pub observe: Option<String>,
    /// Classes taken out again.
    pub exclude: Option<String>,
    /// Exception classes that count as a failure when thrown.
    pub fail: Option<String>,
    /// Bytes of class files of what is loaded and not observed that are kept in the trace, as the agent takes them.
    pub keep_classes: Option<String>,
    /// How much of the observed classes is recorded.
    pub detail: Option<Detail>,
    /// Classes of which a later version is recorded, as the agent takes them.
    pub versions: Vec<String>,
}

/// How a program is run.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The agent's library.
    pub agent: &'a Path,
    /// A program that does not end within this time is stopped.
    pub limit: Option<Duration>,
    /// Its standard output goes to standard error.
    pub stdout_to_stderr: bool,
}

/// A finished recording.
#[derive(Serialize)]
pub struct Recording {
    /// The trace file.
    pub trace: PathBuf,
    /// The child's exit status; absent if a signal ended it.
    pub exit_status: Option<i32>,
    /// Seconds from start to end of the child.
    pub seconds: f64,
    /// It did not end in its time.
    #[serde(skip)]
    pub stopped: bool,
    /// An interrupt (Ctrl-C) came while it ran.
    #[serde(skip)]
    pub interrupted: bool,
    /// The `java` that was run, unless the command was something else or was found on the PATH.
    #[serde(skip)]
    pub java: Option<PathBuf>,
}

/// Runs `command` with the agent, and waits for its end. `output` is the trace file; %p is the process id, %t the start time.
///
/// The streams are the child's own. The first interrupt (Ctrl-C) from now on does not end this process.
///
/// # Errors
/// The program cannot be run, or has left no trace.
pub fn record(
    selection: &Selection,
    output: &str,
    command: &[OsString],
    options: &Options<'_>,
) -> Result<Recording> {
    let (program, rest) = command.split_first().context(NotRecorded::NoCommand)?;
    check_patterns(selection)?;
    if is_java(program) {
        before::jar(rest)?;
    }
    let pid_free = absolute(&if is_java(program) {
        output.to_owned()
    } else {
        one_a_process(output)
    })?;
    before::place(&pid_free)?;
    let agent = agent_option(options.agent, selection, &pid_free);

    let before = traces_beside(&pid_free);
    let mut child = Command::new(program);
    if is_java(program) {
        child
            .arg(&agent)
            .args(room_for_probes(rest))
            .args(without_cache_errors(rest))
            .args(rest);
    } else {
        child
            .args(rest)
            .env("JAVA_TOOL_OPTIONS", joined_tool_options(&agent));
    }
    if options.stdout_to_stderr {
        child.stdout(std::io::stderr());
    }
    // Whoever interrupts a program wants to know where its trace is.
    let interrupted = signals::first_interrupt();
    let started = Instant::now();
    let (status, stopped) =
        run_within(&mut child, options.limit).map_err(|e| cannot_run(program, &e))?;
    let seconds = started.elapsed().as_secs_f64();
    let interrupted = interrupted.load(Ordering::Relaxed);
    let trace = find_trace(&pid_free, &before);
    let trace = trace.ok_or_else(|| no_trace(program, status, interrupted))?;
    let java = Path::new(program);
    Ok(Recording {
        trace,
        exit_status: status.code(),
        seconds,
        stopped,
        interrupted,
        java: (is_java(program) && java.is_file()).then(|| java.to_path_buf()),
    })
}

/// Methods with probes take more of a thread's stack. So that a recursion gets as deep as without, threads have half as much again, unless
/// somebody has said how much they are to have.
fn room_for_probes(arguments: &[OsString]) -> Option<&'static str> {
    const SIZES: [&str; 2] = ["-Xss", "ThreadStackSize="];
    const VARIABLES: [&str; 3] = ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"];
    let variables = VARIABLES.iter().filter_map(std::env::var_os);
    let texts = variables.chain(arguments.iter().cloned());
    let is_said = |text: OsString| {
        let text = text.to_string_lossy();
        text.starts_with('@') || SIZES.iter().any(|size| text.contains(size))
    };
    let usual = match std::env::consts::ARCH {
        "aarch64" => "-Xss3m",
        _ => "-Xss1536k",
    };
    (!texts.into_iter().any(is_said)).then_some(usual)
}

/// Beside an agent the JVM cannot use its AOT cache. It goes on without, but says so on stdout, among what the program prints. What the user
/// wants to be logged stands behind this, and counts.
fn without_cache_errors(arguments: &[OsString]) -> Option<&'static str> {
    let has_cache = |argument: &OsString| argument.to_string_lossy().starts_with("-XX:AOTCache=");
    arguments.iter().any(has_cache).then_some("-Xlog:aot=off")
}

/// A comma ends an option of the agent, so no pattern may have one.
fn check_patterns(selection: &Selection) -> Result<()> {
    for (name, value) in [
        ("--observe", &selection.observe),
        ("--exclude", &selection.exclude),
        ("--fail", &selection.fail),
    ] {
        if let Some(value) = value
            && value.contains(',')
        {
            return Err(advice::usage(Usage::Patterns {
                option: name,
                fixed: &advice::quoted(value.replace(',', ":").as_ref()),
            }));
        }
    }
    Ok(())
}

/// The option by which a JVM loads the agent, for a recording to the file `trace`.
fn agent_option(agent: &Path, selection: &Selection, trace: &Path) -> String {
    let observe = selection.observe.as_deref().unwrap_or("*");
    let detail = selection.detail.unwrap_or_default();
    let trace = trace.display();
    let agent = agent.display();
    let mut options = format!("-agentpath:{agent}=observe={observe},detail={detail},out={trace}");
    if let Some(exclude) = &selection.exclude {
        options.push_str(&format!(",exclude={exclude}"));
    }
    if let Some(fail) = &selection.fail {
        options.push_str(&format!(",fail={fail}"));
    }
    if let Some(size) = &selection.keep_classes {
        options.push_str(&format!(",keep-classes={size}"));
    }
    if !selection.versions.is_empty() {
        let versions = selection.versions.join(":");
        options.push_str(&format!(",versions={versions}"));
    }
    options
}

/// Runs the program to its end, or stops it after `limit`; says whether it had to.
fn run_within(command: &mut Command, limit: Option<Duration>) -> io::Result<(ExitStatus, bool)> {
    let Some(limit) = limit else {
        return Ok((command.status()?, false));
    };
    let mut child = command.spawn()?;
    let until = Instant::now() + limit;
    while Instant::now() < until {
        if let Some(status) = child.try_wait()? {
            return Ok((status, false));
        }
        std::thread::sleep(POLL);
    }
    child.kill()?;
    Ok((child.wait()?, true))
}

fn cannot_run(program: &OsString, why: &io::Error) -> Error {
    let name = Path::new(program).display();
    let what = match why.kind() {
        io::ErrorKind::NotFound => NotRecorded::NotFound { program: name },
        _ => NotRecorded::NotRun {
            program: name,
            why: why.to_string(),
        },
    };
    let step = match is_java(program) {
        true => Step::new(Way::WhichJava, "jinsi doctor"),
        false => Step::new(Way::HowGiven, "jinsi debug -- java …"),
    };
    advice::error(what, vec![step])
}

/// No JVM has left a trace: why, as far as that can be told.
fn no_trace(program: &OsString, status: ExitStatus, interrupted: bool) -> Error {
    let ended = status.code().map_or_else(
        || NotRecorded::Killed.to_string(),
        |status| NotRecorded::Ended { status }.to_string(),
    );
    if interrupted {
        return anyhow!(NotRecorded::Interrupted.to_string());
    }
    if is_java(program) {
        let what = NotRecorded::NoJvm { ended };
        let step = Step::new(Way::Machine, "jinsi doctor");
        return advice::error(what, vec![step]);
    }
    let name = Path::new(program).display();
    let what = NotRecorded::NoJava {
        ended,
        program: name,
    };
    let next = vec![
        Step::new(Way::Daemon, "gradle --no-daemon …, mvn …"),
        Step::new(Way::NameJava, "jinsi debug -- java …"),
    ];
    advice::error(what, next)
}

/// A script may start several JVMs, and two never write one file.
fn one_a_process(output: &str) -> String {
    if output.contains("%p") {
        return output.to_owned();
    }
    let path = Path::new(output);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-%p.{}", extension.to_string_lossy()),
        None => format!("{stem}-%p"),
    };
    path.with_file_name(name).to_string_lossy().into_owned()
}

fn is_java(program: &OsString) -> bool {
    Path::new(program).file_name().is_some_and(|n| n == "java")
}

fn joined_tool_options(agent: &str) -> OsString {
    let mut all = std::env::var_os("JAVA_TOOL_OPTIONS").unwrap_or_default();
    if !all.is_empty() {
        all.push(" ");
    }
    all.push(agent);
    all
}

/// The child may change its directory, so the agent gets an absolute path. A comma would end the option.
fn absolute(output: &str) -> Result<PathBuf> {
    let path = std::path::absolute(output)
        .with_context(|| NotRecorded::FileName { output }.to_string())?;
    if path.to_string_lossy().contains(',') {
        let path = path.display();
        bail!(NotRecorded::Comma { path }.to_string());
    }
    Ok(path)
}

/// Traces in the directory that `output` names, whatever its placeholders become.
fn traces_beside(output: &Path) -> Vec<PathBuf> {
    let directory = output.parent().unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(directory) else {
        return vec![];
    };
    entries.filter_map(|e| Some(e.ok()?.path())).collect()
}

/// The trace that came into being. With a fixed name it is the first free one, for JVMs that the program starts in turn come later: `output`,
/// or what the agent took because that was there before, `output` with a number. With placeholders in its name it is the newest; a command that
/// starts several JVMs leaves several, and the last one with a failure is taken.
fn find_trace(output: &Path, before: &[PathBuf]) -> Option<PathBuf> {
    let is_new = |path: &PathBuf| !before.contains(path) && path.is_file();
    if !has_placeholder(output) {
        let numbered = traces_beside(output);
        let numbered = numbered.into_iter().filter(is_new);
        let first = numbered.filter_map(|path| Some((number(output, &path)?, path)));
        return first.min().map(|(_, path)| path);
    }
    let extension = output.extension();
    let mut new: Vec<PathBuf> = traces_beside(output)
        .into_iter()
        .filter(|p| is_new(p) && p.extension() == extension)
        .collect();
    new.sort_by_key(|p| std::fs::metadata(p).and_then(|m| m.modified()).ok());
    if new.len() > 1 {
        note(Remark::Traces { count: new.len() });
    }
    let failed = |p: &&PathBuf| Trace::open(p).is_ok_and(|t| !t.failures().is_empty());
    new.iter().rev().find(failed).or(new.last()).cloned()
}

fn has_placeholder(output: &Path) -> bool {
    output.to_string_lossy().contains('%')
}

/// 1 for `output` itself, n for its n-th of a name (`t-2.jinsi` of `t.jinsi`).
fn number(output: &Path, path: &Path) -> Option<u32> {
    if path == output {
        return Some(1);
    }
    let stem = path.file_stem()?.to_str()?;
    let of = output.file_stem()?.to_str()?;
    let n = stem.strip_prefix(of)?.strip_prefix('-')?.parse().ok()?;
    (path.extension() == output.extension()).then_some(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_free_name_is_the_programs() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let output = at("t.jinsi");
        let write = |names: &[&str]| {
            for name in names {
                std::fs::write(at(name), "").unwrap();
            }
        };
        assert_eq!(find_trace(&output, &[]), None);
        write(&["t.jinsi", "t-2.jinsi", "other.jinsi", "t-x.jinsi"]);
        assert_eq!(find_trace(&output, &[]), Some(at("t.jinsi")));
        let before = traces_beside(&output);
        assert_eq!(find_trace(&output, &before), None);
        write(&["t-10.jinsi", "t-4.jinsi", "t-3.json", "u.jinsi"]);
        assert_eq!(find_trace(&output, &before), Some(at("t-4.jinsi")));
    }
}
