//! Checks what has to be on the machine before anything is built, and names all that is missing at once.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use jinsi_jdk::Jdk;

/// The oldest Java that builds jinsi.
const FEATURE: u32 = 17;

/// A program that has to be there besides the JDK.
pub struct Tool {
    /// Command that succeeds if it is there.
    probe: &'static [&'static str],
    /// What to say if it does not.
    missing: &'static str,
}

const MAVEN: Tool = Tool {
    probe: &["mvn", "--version"],
    missing: "Maven: no `mvn` on the PATH (Debian, Ubuntu: apt-get install maven)",
};

/// For the demonstration.
pub const FOR_DEMO: [Tool; 1] = [MAVEN];

/// For everything else.
pub const FOR_TESTS: [Tool; 3] = [
    MAVEN,
    Tool {
        probe: &["cargo", "fmt", "--version"],
        missing: "rustfmt (rustup component add rustfmt)",
    },
    Tool {
        probe: &["cargo", "clippy", "--version"],
        missing: "clippy (rustup component add clippy)",
    },
];

/// Finds the JDK to use and looks for `tools`; prints what was found. The error names everything that is missing.
pub fn check(java: Option<&Path>, tools: &[Tool]) -> Result<Jdk> {
    let jdk = find_jdk(java);
    let mut missing: Vec<String> = tools
        .iter()
        .filter(|tool| !succeeds(tool.probe))
        .map(|tool| tool.missing.to_owned())
        .collect();
    match jdk {
        Ok(jdk) if missing.is_empty() => {
            eprintln!("Java {} in {}", jdk.version(), jdk.home().display());
            return Ok(jdk);
        }
        Ok(_) => {}
        Err(error) => missing.insert(
            0,
            format!("a JDK, {FEATURE} or later, with javac: {error:#}"),
        ),
    }
    bail!("missing on this machine:\n  {}", missing.join("\n  "))
}

/// Every JDK of the machine that jinsi can be tested on, the one of [`check`] first.
pub fn usable_jdks() -> Result<Vec<Jdk>> {
    let mut jdks = Jdk::all()?;
    jdks.retain(|jdk| jdk.require_feature(FEATURE).is_ok() && jdk.javac().is_some());
    Ok(jdks)
}

/// The JDK that is asked for, or else the oldest of these: what it compiles runs on all of them.
pub fn jdk_or_oldest(java: Option<&Path>) -> Result<Jdk> {
    if let Some(java) = java {
        return Ok(Jdk::find(Some(java))?);
    }
    let all = usable_jdks()?.into_iter();
    let oldest = all.min_by_key(|jdk| jdk.version().feature);
    oldest.context("no JDK with a compiler")
}

fn find_jdk(java: Option<&Path>) -> Result<Jdk> {
    let jdk = Jdk::find(java)?;
    jdk.require_feature(FEATURE)?;
    jdk.require_javac()?;
    Ok(jdk)
}

fn succeeds(probe: &[&str]) -> bool {
    let [program, arguments @ ..] = probe else {
        return false;
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_missing_is_named_at_once() {
        let absent = [
            Tool {
                probe: &["/nowhere/mvn"],
                missing: "first thing",
            },
            Tool {
                probe: &["true"],
                missing: "nothing",
            },
            Tool {
                probe: &["false"],
                missing: "second thing",
            },
        ];
        let error = check(Some(Path::new("/nowhere")), &absent)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("a JDK, 17 or later, with javac: /nowhere is no Java installation"),
            "{error}"
        );
        assert!(error.contains("\n  first thing\n  second thing"), "{error}");
        assert!(!error.contains("nothing\n"), "{error}");
    }

    #[test]
    fn the_jdk_alone_is_enough_where_no_tool_is_needed() {
        assert!(check(None, &[]).is_ok());
    }
}
