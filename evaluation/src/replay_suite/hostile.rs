//! Replay elsewhere: the worker runs without network, with another zone, language, character set, user and home than the recorded
//! program, and the files that it opens are looked at.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use jinsi_jdk::Jdk;
use jinsi_platform::files::{set_mode, symbolic_link};

/// The `java` that does it.
const SCRIPT: &str = include_str!("elsewhere.sh");
/// What every JVM opens: devices, what the system says of itself, libraries and their caches, the time zones of the system.
const OF_THE_SYSTEM: [&str; 11] = [
    "/dev/",
    "/etc/",
    "/lib/",
    "/lib64/",
    "/opt/",
    "/proc/",
    "/sys/",
    "/usr/lib",
    "/usr/share/locale/",
    "/usr/share/zoneinfo",
    "/var/lib/",
];

/// A place where replay has nothing of what the program had.
pub(super) struct Elsewhere {
    jdk: Jdk,
    home: tempfile::TempDir,
    /// Is there no network for the worker?
    without_network: bool,
    /// Is it seen which files the worker opens?
    watched: bool,
}

impl Elsewhere {
    /// A place for the worker's JVM, which `jdk` is. What the system does not allow is left out.
    pub(super) fn new(jdk: &Jdk) -> Result<Self> {
        let home = tempfile::tempdir()?;
        let without_network = works(&["unshare", "-n", "true"]);
        let watched = works(&["strace", "-qq", "-e", "trace=openat", "true"]);
        let mut elsewhere = Self {
            jdk: jdk.clone(),
            home,
            without_network,
            watched,
        };
        elsewhere.build(jdk)?;
        elsewhere.jdk = Jdk::find(Some(&elsewhere.home.path().join("jdk")))?;
        Ok(elsewhere)
    }

    fn build(&self, jdk: &Jdk) -> Result<()> {
        let copy = self.home.path().join("jdk");
        fs::create_dir_all(copy.join("bin"))?;
        for entry in fs::read_dir(jdk.home())? {
            let entry = entry?;
            if entry.file_name() != "bin" {
                symbolic_link(entry.path(), copy.join(entry.file_name()))?;
            }
        }
        let watch = format!(
            "strace -f -qq -o {} -e trace=open,openat,connect,bind",
            self.log().display()
        );
        let text = SCRIPT
            .replace("@JAVA@", &jdk.java().display().to_string())
            .replace(
                "@NETWORK@",
                if self.without_network {
                    "unshare -n"
                } else {
                    ""
                },
            )
            .replace("@WATCH@", if self.watched { &watch } else { "" });
        let java = copy.join("bin/java");
        fs::write(&java, text)?;
        set_mode(&java, 0o755)?;
        Ok(())
    }

    /// For people: what it lacks, and what could not be had.
    pub(super) fn text(&self) -> String {
        let network = match self.without_network {
            true => "no network",
            false => "WITH network, for `unshare -n` is not allowed here",
        };
        let files = match self.watched {
            true => "files are watched",
            false => "files are NOT watched, for there is no strace",
        };
        format!(
            "elsewhere: another zone, language, character set, user and home; {network}; {files}"
        )
    }

    /// The JDK whose workers run there.
    pub(super) fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    fn log(&self) -> PathBuf {
        self.home.path().join("opened")
    }

    /// What the worker opened since the last time that is neither the JVM's nor its own, and to whom it connected; nothing, if that
    /// is not seen.
    pub(super) fn touched(&self, real: &Jdk) -> Result<BTreeSet<String>> {
        if !self.watched {
            return Ok(BTreeSet::new());
        }
        let log = fs::read_to_string(self.log()).context("the worker was not watched")?;
        fs::remove_file(self.log())?;
        let of_jdk = format!("{}/", real.home().display());
        Ok(log
            .lines()
            .filter_map(touched)
            .filter(|path| {
                !path.starts_with(&of_jdk)
                    && !OF_THE_SYSTEM.iter().any(|own| path.starts_with(own))
                    && !is_of_worker(path)
            })
            .map(str::to_owned)
            .collect())
    }
}

/// The path that a line of the log says was opened, or the whole line if it is about the network.
fn touched(line: &str) -> Option<&str> {
    // Of the machine's own services, libraries of the system ask some by a local socket.
    if line.contains("connect(") || line.contains("bind(") {
        return line.contains("AF_INET").then_some(line);
    }
    let failed = line.contains(" = -1 ");
    let path = line.split('"').nth(1)?;
    (!failed).then_some(path)
}

/// Is it in a directory that the command made for the worker?
fn is_of_worker(path: &str) -> bool {
    let temporary = std::env::temp_dir();
    Path::new(path)
        .strip_prefix(temporary)
        .is_ok_and(|rest| rest.to_string_lossy().starts_with("jinsi-"))
        || !path.starts_with('/')
}

fn works(command: &[&str]) -> bool {
    let status = Command::new(command[0])
        .args(&command[1..])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_opened_is_read() {
        let opened = r#"12 openat(AT_FDCWD, "/home/a/words", O_RDONLY) = 5"#;
        assert_eq!(touched(opened), Some("/home/a/words"));
        let missed = r#"12 openat(AT_FDCWD, "/home/a/words", O_RDONLY) = -1 ENOENT (No such file or directory)"#;
        assert_eq!(touched(missed), None);
        let connected = "12 connect(5, {sa_family=AF_INET, sin_port=htons(80)}, 16) = 0";
        assert_eq!(touched(connected), Some(connected));
        assert_eq!(
            touched("12 connect(5, {sa_family=AF_UNIX}, 110) = -1"),
            None
        );
        assert_eq!(touched("12 +++ exited with 0 +++"), None);
    }
}
