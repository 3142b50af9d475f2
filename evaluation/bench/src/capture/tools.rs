//! What the programs are run with: nothing, jinsi, and its peers. Each says how it is loaded, and counts what it wrote.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use jinsi_jdk::{Jdk, maven};
use serde::Serialize;
use serde_json::Value;

use super::programs::Program;
use jinsi_ground::child::{self, Ending, Limits};
use jinsi_ground::commands::{agent, info};
use jinsi_ground::files::{bytes_below, files_below};

/// Directory for what a tool writes, below the working directory of a run.
const OUTPUT: &str = "recorded";
/// Name of jinsi's trace there.
const TRACE: &str = "t.jinsi";
/// Name of what is made of it by replay.
const EXPANDED: &str = "whole.jinsi";

/// Java agents that are measured beside jinsi.
const JACOCO: &str = "org.jacoco:org.jacoco.agent:0.8.14:runtime";
const APPMAP: &str = "com.appland:appmap-agent:1.28.0";
const KIEKER: &str = "net.kieker-monitoring:kieker:2.0.2:aspectj";

/// Peers that are asked for, and would be measured if they were to be had.
pub(super) const WANTED: &[(&str, &str)] = &[("selogger", "jp.naist.se.selogger:selogger:0.6.0")];
/// Peers that are to be had, but not as an agent.
pub(super) const UNFIT: &[(&str, &str, &str)] = &[(
    "unlogged",
    "video.bug:unlogged-sdk:0.7.2",
    "its jar is no agent (no Premain-Class): it works inside javac, on sources, not on the classes of libraries",
)];

const AT_BOUNDARY: &str = ",detail=boundary";
/// A failure that none of the programs has, so that exceptions are looked at and recording never begins.
const ARMED: &str = ",arm=failure,fail=java.lang.ThreadDeath";

/// What a program is run with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    /// Nothing.
    Plain,
    /// jinsi, `detail=boundary`, the whole application observed.
    Boundary,
    /// jinsi, `arm=failure`, the whole application observed, and no failure.
    Armed,
    /// jinsi, `detail=interactions`, the whole application observed.
    Whole,
    /// jinsi, `detail=interactions`, one package observed.
    Package,
    /// jinsi, `detail=boundary`, one package observed.
    PackageBoundary,
    /// JaCoCo's agent on the whole application.
    Jacoco,
    /// Java Flight Recorder, `settings=profile`.
    Jfr,
    /// AppMap's agent on the whole application.
    AppMap,
    /// Kieker's agent, every method's execution, on the whole application.
    Kieker,
}

/// What a tool left behind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Recorded {
    /// Size of all files.
    pub(super) bytes: u64,
    /// Events; `None` of tools that record none, or another kind of thing.
    pub(super) events: Option<u64>,
    /// Events that the tool says it left out, and what of its files cannot be read.
    pub(super) lost: Vec<String>,
}

/// What a replay makes of a recording at the boundary: one with all interactions.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Expanded {
    /// Why there is none.
    pub(super) failed: Option<String>,
    /// Time of the replay, once, when somebody wants to know.
    pub(super) seconds: f64,
    /// Events of the whole recording.
    pub(super) events: Option<u64>,
    /// Its size.
    pub(super) bytes: Option<u64>,
    /// What each of these has cost the application's thread: the difference of `work_seconds` of the recording at the boundary over
    /// `events`, times the threads that work.
    pub(super) ns_per_event_on_thread: Option<f64>,
}

impl Tool {
    /// All, in the order in which they run.
    pub(super) const ALL: [Tool; 9] = [
        Tool::Plain,
        Tool::Boundary,
        Tool::Whole,
        Tool::Package,
        Tool::PackageBoundary,
        Tool::Jacoco,
        Tool::Jfr,
        Tool::AppMap,
        Tool::Kieker,
    ];

    /// Name in the report.
    pub(super) fn name(self) -> &'static str {
        match self {
            Tool::Plain => "plain",
            Tool::Boundary => "jinsi boundary",
            Tool::Armed => "jinsi, waiting for a failure",
            Tool::Whole => "jinsi interactions",
            Tool::Package => "jinsi interactions, one package",
            Tool::PackageBoundary => "jinsi boundary, one package",
            Tool::Jacoco => "jacoco",
            Tool::Jfr => "jfr profile",
            Tool::AppMap => "appmap",
            Tool::Kieker => "kieker",
        }
    }

    /// By how much the work is divided: some keep all that they record in memory, or need a microsecond and more for an event.
    pub(super) fn divisor(self) -> u64 {
        match self {
            Tool::AppMap => 100,
            Tool::Kieker => 20,
            _ => 1,
        }
    }

    /// Is it run with the program? Where there are threads, only jinsi is: the question is how it scales.
    pub(super) fn is_for(self, program: &Program) -> bool {
        match self {
            Tool::Plain | Tool::Boundary | Tool::Armed | Tool::Whole => true,
            Tool::Package | Tool::PackageBoundary => {
                program.threads == 1 && program.package != program.application
            }
            Tool::Jacoco | Tool::Jfr | Tool::AppMap | Tool::Kieker => program.threads == 1,
        }
    }

    /// Does it record at the boundary, so that replay makes the whole of it?
    pub(super) fn is_at_boundary(self) -> bool {
        matches!(self, Tool::Boundary | Tool::PackageBoundary)
    }

    /// Coordinates of its jar.
    fn coordinates(self) -> Option<&'static str> {
        match self {
            Tool::Jacoco => Some(JACOCO),
            Tool::AppMap => Some(APPMAP),
            Tool::Kieker => Some(KIEKER),
            _ => None,
        }
    }
}

/// What tools there are on this machine.
pub(super) struct Toolbox {
    /// The command, with the agent beside it.
    pub(super) jinsi: PathBuf,
}

impl Toolbox {
    /// Options of the JVM that load the tool for the packages of the program; makes in `directory` what the tool needs there.
    pub(super) fn options(
        &self,
        tool: Tool,
        program: &Program,
        directory: &Path,
    ) -> Result<Vec<String>> {
        let output = directory.join(OUTPUT);
        fs::create_dir(&output)?;
        let jar = match tool.coordinates() {
            Some(coordinates) => maven::fetch(&[coordinates])?
                .remove(0)
                .display()
                .to_string(),
            None => String::new(),
        };
        let shown = output.display();
        let application = program.application;
        Ok(match tool {
            Tool::Plain => vec![],
            Tool::Boundary => vec![self.option(application, AT_BOUNDARY, &output)],
            Tool::Armed => vec![self.option(application, ARMED, &output)],
            Tool::Whole => vec![self.option(application, "", &output)],
            Tool::Package => vec![self.option(program.package, "", &output)],
            Tool::PackageBoundary => vec![self.option(program.package, AT_BOUNDARY, &output)],
            Tool::Jacoco => vec![format!(
                "-javaagent:{jar}=destfile={shown}/jacoco.exec,includes={application}.*"
            )],
            Tool::Jfr => vec![
                "-Xlog:jfr*=off".to_owned(),
                format!("-XX:StartFlightRecording=settings=profile,filename={shown}/profile.jfr"),
            ],
            Tool::AppMap => {
                let config = directory.join("appmap.yml");
                fs::write(&config, appmap_config(application))?;
                vec![
                    format!("-javaagent:{jar}"),
                    format!("-Dappmap.config.file={}", config.display()),
                    format!("-Dappmap.output.directory={shown}"),
                    "-Dappmap.recording.auto=true".to_owned(),
                ]
            }
            Tool::Kieker => {
                let config = directory.join("aop.xml");
                fs::write(&config, kieker_config(application))?;
                let writer = "kieker.monitoring.writer.filesystem.FileWriter";
                vec![
                    format!("-javaagent:{jar}"),
                    format!(
                        "-Dorg.aspectj.weaver.loadtime.configuration=file:{}",
                        config.display()
                    ),
                    format!("-Dkieker.monitoring.writer={writer}"),
                    format!("-D{writer}.customStoragePath={shown}"),
                ]
            }
        })
    }

    fn option(&self, packages: &str, more: &str, output: &Path) -> String {
        let options = format!("observe={packages}.*{more}");
        agent(&self.jinsi, &options, &output.join(TRACE))
    }

    /// What the tool recorded in `directory`.
    pub(super) fn recorded(&self, tool: Tool, directory: &Path) -> Result<Recorded> {
        let output = directory.join(OUTPUT);
        let mut recorded = Recorded {
            bytes: bytes_below(&output),
            ..Recorded::default()
        };
        match tool {
            Tool::Boundary | Tool::Whole | Tool::Package | Tool::PackageBoundary => {
                let info = info(&self.jinsi, &output.join(TRACE))?;
                recorded.events = info["events"].as_u64();
                recorded.lost = lost(&info);
            }
            Tool::AppMap => {
                // Every call and every return is an object of its own.
                recorded.events = Some(occurrences(&files_below(&output), b"\"event\":\"")?);
            }
            Tool::Kieker => {
                // One line an execution, with the times of the call and of the return; the first number tells the kind.
                let files = files_below(&output);
                let data = files
                    .into_iter()
                    .filter(|f| f.extension().is_some_and(|e| e == "dat"));
                recorded.events = Some(2 * occurrences(&data.collect::<Vec<_>>(), b"\n$1;")?);
            }
            Tool::Plain | Tool::Armed | Tool::Jacoco | Tool::Jfr => {}
        }
        Ok(recorded)
    }

    /// Replays what was recorded at the boundary into a recording with all interactions.
    pub(super) fn expand(&self, jdk: &Jdk, directory: &Path, limits: Limits) -> Result<Expanded> {
        let whole = directory.join(EXPANDED);
        let mut command = Command::new(&self.jinsi);
        command
            .arg("expand")
            .arg(directory.join(OUTPUT).join(TRACE))
            .arg("-o")
            .arg(&whole)
            .env("JAVA_HOME", jdk.home());
        let run = child::run(&mut command, directory, limits)?;
        let failed = match &run.end {
            Ending::Exited(status) if status.success() => None,
            // Killed for want of memory, it has said nothing.
            Ending::Exited(status) => Some(format!("{status}: {}", run.stderr.trim())),
            Ending::Stopped(why) => Some(why.clone()),
        };
        let mut expanded = Expanded {
            seconds: run.whole.as_secs_f64(),
            ..Expanded::default()
        };
        if failed.is_none() {
            expanded.events = info(&self.jinsi, &whole)?["events"].as_u64();
            expanded.bytes = Some(fs::metadata(&whole)?.len());
        }
        Ok(Expanded { failed, ..expanded })
    }
}

/// What `jinsi info` says is missing.
fn lost(info: &Value) -> Vec<String> {
    let damage = info["damage"].as_array().into_iter().flatten();
    let dropped = ["events_dropped", "contents_dropped"]
        .into_iter()
        .filter_map(|key| {
            let number = info["end"][key].as_u64().filter(|n| *n > 0)?;
            Some(format!("{key}: {number}"))
        });
    let unfinished = info["end"].is_null().then(|| "no end".to_owned());
    damage
        .map(|d| d.as_str().unwrap_or_default().to_owned())
        .chain(dropped)
        .chain(unfinished)
        .collect()
}

fn appmap_config(packages: &str) -> String {
    format!("name: bench\npackages:\n  - path: {packages}\n")
}

fn kieker_config(packages: &str) -> String {
    format!(
        "<aspectj><weaver><include within=\"{packages}..*\"/></weaver><aspects>\
         <aspect name=\"kieker.monitoring.probe.aspectj.operationExecution.OperationExecutionAspectFull\"/>\
         </aspects></aspectj>\n"
    )
}

/// How often a text is in the files.
fn occurrences(files: &[PathBuf], text: &[u8]) -> Result<u64> {
    let mut found = 0;
    for file in files {
        found += occurrences_in(File::open(file)?, text)?;
    }
    Ok(found)
}

/// How often a text is in what is read; a line's end is thought before the first line.
fn occurrences_in(mut reader: impl Read, text: &[u8]) -> Result<u64> {
    let mut found = 0;
    let mut block = vec![0; 1 << 20];
    // What a text may begin with that ends in the next block.
    let mut kept = 1;
    block[0] = b'\n';
    loop {
        let read = reader.read(&mut block[kept..])?;
        if read == 0 {
            return Ok(found);
        }
        let filled = kept + read;
        let windows = block[..filled].windows(text.len());
        found += windows.filter(|window| *window == text).count() as u64;
        kept = filled.min(text.len() - 1);
        block.copy_within(filled - kept..filled, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ() {
        let mut names = Tool::ALL.map(Tool::name);
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn texts_are_counted_across_blocks() {
        /// Gives little at a time.
        struct Slow<'a>(&'a [u8]);
        impl Read for Slow<'_> {
            fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
                let length = self.0.len().min(to.len()).min(3);
                to[..length].copy_from_slice(&self.0[..length]);
                self.0 = &self.0[length..];
                Ok(length)
            }
        }
        let text = b"$1;a$1;b\n$1;c\n$0;d\n\n$1;";
        assert_eq!(occurrences_in(Slow(text), b"\n$1;").unwrap(), 3);
        assert_eq!(occurrences_in(&text[..], b"\n$1;").unwrap(), 3);
        assert_eq!(occurrences_in(Slow(b"aaaa"), b"aa").unwrap(), 3);
        let long = [vec![b'x'; 3 << 20], b"end".to_vec()].concat();
        assert_eq!(occurrences_in(&long[..], b"xend").unwrap(), 1);
        assert_eq!(occurrences_in(&long[..], b"xxend,").unwrap(), 0);
    }

    #[test]
    fn what_is_lost_is_named() {
        let whole = serde_json::json!({"damage": [], "end": {"events_dropped": 0}});
        assert_eq!(lost(&whole), [""; 0]);
        let part = serde_json::json!({"damage": ["a hole"], "end": {"events_dropped": 7}});
        assert_eq!(lost(&part), ["a hole", "events_dropped: 7"]);
        assert_eq!(lost(&serde_json::json!({"end": null})), ["no end"]);
    }
}
