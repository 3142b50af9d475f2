//! What is checked on each runtime.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_ground::commands::{agent, info, without_our_line};
use jinsi_ground::{files, repository};
use jinsi_jdk::process::{self, Finished};
use jinsi_jdk::{Jdk, compile, maven};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Time for one JVM, and for one `jinsi debug`.
const LIMIT: Duration = Duration::from_secs(300);
/// All that is run is compiled for this release.
const RELEASE: u32 = 11;
/// Part of the names of the classes that `java.lang.reflect.Proxy` makes: what is in them differs by release.
const PROXIES: &str = "$Proxy*";
/// Threads of either kind, few and many.
pub(super) const PLATFORM: [u64; 2] = [200, 2_000];
pub(super) const VIRTUAL: [u64; 2] = [2_000, 20_000];
/// Events `Enter` that each thread makes.
const ENTERS: u64 = 4;
/// What the process may have more, in KiB, with ten times the threads than without the agent.
const MEMORY: i64 = 48 * 1024;

/// What all checks need.
pub(super) struct Bench {
    pub(super) jinsi: PathBuf,
    classes: TempDir,
    joda: PathBuf,
}

/// A program that ends by an exception, and how it is run and observed.
pub(super) struct Crash {
    pub(super) name: &'static str,
    observe: &'static str,
    options: &'static [&'static str],
    main: &'static str,
}

pub(super) const CRASHES: [Crash; 2] = [
    Crash {
        name: "vending",
        observe: "vending.*",
        options: &[],
        main: "vending.Main",
    },
    Crash {
        name: "joda-time",
        observe: "org.joda.time.*:jod3.*",
        options: &["-Duser.timezone=America/Los_Angeles"],
        main: "jod3.Jod3",
    },
];

impl Bench {
    /// Compiles the programs, for the oldest release of the matrix.
    pub(super) fn new(compiler: &Jdk, jinsi: PathBuf) -> Result<Bench> {
        let classes = tempfile::tempdir()?;
        let joda = maven::fetch(&["joda-time:joda-time:1.6"])?;
        let sources = [
            "evaluation/java/matrix",
            "tests/programs/vending",
            "tests/programs/jod3",
        ];
        let sources: Result<Vec<_>> = sources.map(repository::java_sources).into_iter().collect();
        let sources = sources?.concat();
        compile::javac_for(compiler, Some(RELEASE), &sources, &joda, classes.path())?;
        Ok(Bench {
            jinsi,
            classes,
            joda: joda[0].clone(),
        })
    }

    fn java(&self, jdk: &Jdk, options: &[String], main: &[&str]) -> Result<Finished> {
        let mut command = jdk.command();
        command.args(options).arg("-cp").arg(self.class_path()?);
        Ok(process::run(command.args(main), LIMIT)?)
    }

    fn class_path(&self) -> Result<std::ffi::OsString> {
        Ok(std::env::join_paths([self.classes.path(), &self.joda])?)
    }

    /// A program with every construct of the language: it does not notice, and what is recorded of it.
    pub(super) fn constructs(&self, jdk: &Jdk) -> Result<Value> {
        let place = tempfile::tempdir()?;
        let trace = place.path().join("t.jinsi");
        let main = ["constructs.Main"];
        let plain = self.java(jdk, &[], &main)?;
        let option = agent(&self.jinsi, "observe=*", &trace) + ",exclude=*" + PROXIES;
        let observed = self.java(jdk, &[option], &main)?;
        let theirs = without_our_line(&observed.stderr);
        ensure!(plain.status == observed.status, "exit status differs");
        ensure!(plain.stdout == observed.stdout, "stdout differs");
        ensure!(plain.stderr == theirs, "stderr differs: {theirs}");
        let info = info(&self.jinsi, &trace)?;
        ensure!(
            info["damage"].as_array().is_some_and(Vec::is_empty),
            "damage: {}",
            info["damage"]
        );
        ensure!(
            info["skipped"].as_array().is_some_and(Vec::is_empty),
            "not recorded: {}",
            info["skipped"]
        );
        let kinds = info["kinds"].as_object().context("kinds")?;
        // How often threads meet is different in each run.
        let kinds = kinds.iter().filter(|(kind, _)| *kind != "Order");
        let counts: BTreeMap<_, _> = kinds.map(|(k, v)| (k, &v["events"])).collect();
        let failure = &info["failures"][0];
        Ok(json!({
            "counts": counts,
            "classes": info["classes"]["observed"],
            "failure": {"type": failure["type"], "message": failure["message"], "stack": failure["stack"]},
        }))
    }

    /// Records and minimizes a crash; what is left of each level.
    pub(super) fn minimize(&self, jdk: &Jdk, crash: &Crash) -> Result<Value> {
        let place = tempfile::tempdir()?;
        let out = place.path().join("report");
        let mut command = Command::new(&self.jinsi);
        command
            .current_dir(place.path())
            .env_remove("JAVA_HOME")
            .args(["--json", "debug", "--observe", crash.observe, "--out"])
            .arg(&out)
            .arg("--java-home")
            .arg(jdk.home())
            .arg("--")
            .arg(jdk.java())
            .args(crash.options)
            .arg("-cp")
            .arg(self.class_path()?)
            .arg(crash.main);
        let done = process::run(&mut command, LIMIT)?;
        ensure!(done.status.success(), "jinsi debug: {}", done.stderr);
        let report: Value = files::document(&out.join("report.json"))?;
        let levels = report["levels"].as_array().context("levels")?;
        let levels: Vec<Value> = levels
            .iter()
            .map(|level| {
                json!({
                    "name": level["name"],
                    "interactions": level["interactions"],
                    "after_event_slice": level["after_event_slice"],
                    "minimized": level["minimized"],
                    "test_outcome": level["test_outcome"],
                })
            })
            .collect();
        for level in &levels {
            ensure!(
                level["test_outcome"] == "reproduces",
                "a written test does not reproduce the failure: {level}"
            );
        }
        Ok(json!({"failure": report["failure"]["at"], "levels": levels}))
    }

    /// Many short-lived threads: every event is there, and memory does not grow with their number.
    pub(super) fn threads(&self, jdk: &Jdk, kind: &str, counts: [u64; 2]) -> Result<Value> {
        let mut anonymous = Vec::new();
        for count in counts {
            let place = tempfile::tempdir()?;
            let trace = place.path().join("t.jinsi");
            let plain = self.threads_once(jdk, kind, count, None)?;
            let observed = self.threads_once(jdk, kind, count, Some(&trace))?;
            ensure!(plain.0 == observed.0, "the program computed something else");
            let info = info(&self.jinsi, &trace)?;
            let enters = info["kinds"]["Enter"]["events"].as_u64().unwrap_or(0);
            ensure!(
                enters == count * ENTERS,
                "{enters} calls recorded of {} by {count} threads: {}",
                count * ENTERS,
                info["skipped"]
            );
            anonymous.push((plain.1, observed.1));
        }
        let growth = |of: fn(&(i64, i64)) -> i64| of(&anonymous[1]) - of(&anonymous[0]);
        let (plain, observed) = (growth(|m| m.0), growth(|m| m.1));
        ensure!(
            observed - plain < MEMORY,
            "from {} to {} threads memory grew by {observed} KiB, without the agent by {plain} KiB",
            counts[0],
            counts[1]
        );
        Ok(json!({
            "threads": counts[1],
            "enters": counts[1] * ENTERS,
            "growth_kib": {"plain": plain, "agent": observed},
        }))
    }

    /// The sum the program prints, and its anonymous memory in KiB. The heap is all there from the beginning.
    fn threads_once(
        &self,
        jdk: &Jdk,
        kind: &str,
        count: u64,
        trace: Option<&Path>,
    ) -> Result<(String, i64)> {
        let mut options: Vec<String> = trace
            .map(|t| agent(&self.jinsi, "observe=threads.Work", t))
            .into_iter()
            .collect();
        options.extend(["-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch"].map(str::to_owned));
        let done = self.java(jdk, &options, &["threads.Main", kind, &count.to_string()])?;
        ensure!(done.status.success(), "threads.Main: {}", done.stderr);
        let (sum, memory) = done
            .stdout
            .trim_end()
            .split_once("\nanonymous ")
            .context("threads.Main printed something else")?;
        Ok((sum.to_owned(), memory.parse()?))
    }
}
