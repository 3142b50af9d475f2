//! The repository, and the programs that are built from it; what the machine has ([`doctor`]), the commands that a program of its own does ([`measures`]), and
//! the plugins for builds ([`plugins`]).

pub mod doctor;
pub mod measures;
pub mod plugins;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// The root directory of the repository.
pub fn root() -> &'static Path {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.expect("this crate lies in the repository")
}

/// The `cargo` that runs this task, in the root directory.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(root());
    command
}

/// Runs a command whose output the user sees; an error if it fails.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", name_of(command)))?;
    ensure!(status.success(), "{} failed ({status})", name_of(command));
    Ok(())
}

/// A command as a person would type it, the program without its directory.
fn name_of(command: &Command) -> String {
    let program = Path::new(command.get_program())
        .file_name()
        .unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Builds the `jinsi` command, and the agent beside it, in the release profile; where the command is.
pub fn build_jinsi() -> Result<PathBuf> {
    build_jinsi_in("release")
}

/// Builds the command and the agent for one look at them, in the profile of this program: what both need is built once, and the rest takes a third of
/// the time of the release profile. What handles events is optimized there, too (`Cargo.toml`). Nothing is prepared for changes, or for backtraces.
pub fn build_jinsi_quickly() -> Result<PathBuf> {
    let mut command = cargo();
    command.envs([("CARGO_INCREMENTAL", "0"), ("CARGO_PROFILE_DEV_DEBUG", "0")]);
    command.args(["build", "--package", "jinsi"]);
    command.args(["--message-format", "json-render-diagnostics"]);
    built(&mut command, "jinsi")
}

/// A package whose libraries take long to build: no test or command of the repository needs it, but for `cargo xtask test --long`.
pub const LONG_TO_BUILD: &str = "jinsi-mcp";

/// The same in a profile; `dev` is the one of `cargo test`, and need not be built again after that.
pub fn build_jinsi_in(profile: &str) -> Result<PathBuf> {
    build_jinsi_with(profile, &[])
}

/// The same with variables of the environment that cargo or the compilers read.
pub fn build_jinsi_with(profile: &str, environment: &[(&str, String)]) -> Result<PathBuf> {
    let mut command = cargo();
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    command.args(["build", "--profile", profile]);
    command.args(["--message-format", "json-render-diagnostics"]);
    if profile == "dev" {
        // The packages of the tests, for their features: else most of them are built once more.
        command.args(["--workspace", "--exclude", LONG_TO_BUILD, "--lib"]);
        command.args(["--bin", "jinsi"]);
    } else {
        command.args(["--package", "jinsi"]);
    }
    built(&mut command, "jinsi")
}

/// Builds `jinsi-messages`, which lists what jinsi says; where it is.
pub fn build_messages() -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["build", "--quiet", "--package", "jinsi-messages"]);
    command.args(["--message-format", "json-render-diagnostics"]);
    built(&mut command, "jinsi-messages")
}

/// Arguments of cargo for the workspace of `jinsi-query`.
pub const QUERY: [&str; 2] = ["--manifest-path", "frontends/query/engine/Cargo.toml"];

/// Builds `jinsi-query`, the engine of queries; where it is: beside the `jinsi` command of the same profile.
pub fn build_query_with(profile: &str, environment: &[(&str, String)]) -> Result<PathBuf> {
    let mut command = cargo();
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    command.arg("build");
    query_in(command, profile)
}

/// The same with what asks a cluster, and starts one.
pub fn build_query_with_cluster(profile: &str) -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["build", "--features", "ballista"]);
    query_in(command, profile)
}

fn query_in(mut command: Command, profile: &str) -> Result<PathBuf> {
    command.args(["--profile", profile]).args(QUERY);
    command.args(["--message-format", "json-render-diagnostics"]);
    built(&mut command, "jinsi-query")
}

/// Runs cargo, which says where it put the program.
fn built(command: &mut Command, program: &str) -> Result<PathBuf> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    ensure!(output.status.success(), "{program} does not build");
    let messages = String::from_utf8_lossy(&output.stdout);
    let place = executable_in(&messages, program);
    place.with_context(|| format!("cargo does not say where it put {program}"))
}

/// The path of a program among cargo's messages, one JSON document a line.
fn executable_in(messages: &str, program: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|message| {
            let is_meant =
                message["reason"] == "compiler-artifact" && message["target"]["name"] == program;
            message["executable"]
                .as_str()
                .filter(|_| is_meant)
                .map(PathBuf::from)
        })
}

/// The Java sources below a directory of the repository, in a fixed order.
pub fn java_sources(directory: &str) -> Result<Vec<PathBuf>> {
    sources_below(&root().join(directory))
}

fn sources_below(directory: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = || format!("cannot read {}", directory.display());
    let mut sources = Vec::new();
    for entry in fs::read_dir(directory).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        if path.is_dir() {
            sources.extend(sources_below(&path)?);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "java")
        {
            sources.push(path);
        }
    }
    sources.sort();
    Ok(sources)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_holds_the_workspace() {
        assert!(root().join("Cargo.toml").is_file());
        assert!(root().join("tests/programs/jod3/Jod3.java").is_file());
    }

    #[test]
    fn the_command_is_found_among_the_messages() {
        let messages = r#"
{"reason":"compiler-artifact","target":{"name":"jinsi"},"executable":null,"filenames":["/t/libjinsi.so"]}
not json
{"reason":"compiler-artifact","target":{"name":"xtask"},"executable":"/t/xtask"}
{"reason":"compiler-artifact","target":{"name":"jinsi"},"executable":"/t/jinsi"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(
            executable_in(messages, "jinsi"),
            Some(PathBuf::from("/t/jinsi"))
        );
        assert_eq!(executable_in("{}", "jinsi"), None);
    }

    #[test]
    fn what_fails_is_named() {
        let error = run(Command::new("/bin/sh").args(["-c", "exit 3"])).unwrap_err();
        assert!(
            error.to_string().starts_with("sh -c exit 3 failed"),
            "{error}"
        );
    }

    #[test]
    fn sources_are_found_below_directories() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir_all(directory.path().join("b/c")).unwrap();
        for file in ["b/c/D.java", "A.java", "b/notes.md"] {
            fs::write(directory.path().join(file), "").unwrap();
        }
        let expected: Vec<PathBuf> = ["A.java", "b/c/D.java"]
            .iter()
            .map(|file| directory.path().join(file))
            .collect();
        assert_eq!(sources_below(directory.path()).unwrap(), expected);
        assert!(sources_below(&directory.path().join("none")).is_err());
    }
}
