//! The JVM with the other version.

use std::env;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use jinsi_files::{private, temporary};
use jinsi_jdk::confined::{self, DISK_OF_TESTS, Workplace};
use jinsi_trace::model::Surroundings;

use crate::{CounterpartError, Setting};

/// A longer reply is none.
const LONGEST: usize = 256 << 20;
/// First byte of the reply of a call that did not end.
const ENDLESS: u8 = 2;

/// What came of a request.
pub(crate) enum Asked {
    Reply(Vec<u8>),
    /// It did not end, and the JVM is of no more use.
    Endless,
}

/// The JVM; it is ended when dropped.
#[derive(Debug)]
pub(crate) struct Worker {
    child: Child,
    requests: ChildStdin,
    replies: ChildStdout,
    _directory: temporary::Directory,
}

impl Worker {
    /// Starts it, in the time zone, the language and with the properties of the recorded program.
    pub(crate) fn start(
        setting: &Setting,
        recorded: Option<&Surroundings>,
    ) -> Result<Self, CounterpartError> {
        let directory = temporary::directory()?;
        let work = directory.path().join("work");
        private::create_dir(&work)?;
        let current = env::current_dir()?;
        let harness = current.join(&setting.harness);
        let class_path = setting.class_path.iter().map(|entry| current.join(entry));
        let class_path: Vec<_> = class_path.collect();
        let mut command = setting.jdk.command();
        command
            .args(recorded.map_or_else(Vec::new, properties))
            .args(confined::options(&work))
            // It lives for few calls.
            .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"])
            .arg("-cp")
            .arg(env::join_paths([&harness])?)
            .arg("jinsi.replay.Counterpart")
            .args(&class_path)
            .current_dir(&work)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut read = class_path;
        read.push(harness);
        let workplace = Workplace {
            java: &setting.jdk.java(),
            home: directory.path(),
            write: &[],
            read: &read,
            disk: DISK_OF_TESTS,
        };
        let mut child = confined::spawn(command, setting.walls, &workplace)?;
        let (Some(requests), Some(replies)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("it has no standard input or output").into());
        };
        Ok(Self {
            child,
            requests,
            replies,
            _directory: directory,
        })
    }

    pub(crate) fn ask(&mut self, request: &[u8]) -> io::Result<Asked> {
        let length = i32::try_from(request.len()).map_err(io::Error::other)?;
        self.requests.write_all(&length.to_be_bytes())?;
        self.requests.write_all(request)?;
        self.requests.flush()?;
        let mut length = [0; 4];
        self.replies.read_exact(&mut length)?;
        let length = u32::from_be_bytes(length) as usize;
        if length > LONGEST {
            return Err(io::Error::other("the reply is too long"));
        }
        let mut reply = vec![0; length];
        self.replies.read_exact(&mut reply)?;
        Ok(match reply.first() {
            Some(&ENDLESS) => Asked::Endless,
            _ => Asked::Reply(reply),
        })
    }
}

/// What was recorded of the program's surroundings, as options of a JVM.
fn properties(recorded: &Surroundings) -> Vec<String> {
    let all = recorded.properties.iter();
    let zone = recorded.time_zone.iter();
    let zone = zone.map(|zone| format!("-Duser.timezone={zone}"));
    all.map(|(name, value)| format!("-D{name}={value}"))
        .chain(zone)
        .collect()
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_runs_where_the_program_ran() {
        let language = ("user.language".to_owned(), "fr".to_owned());
        let recorded = Surroundings {
            time_zone: Some("Asia/Kolkata".to_owned()),
            properties: [language].into(),
            ..Surroundings::default()
        };
        let expected = ["-Duser.language=fr", "-Duser.timezone=Asia/Kolkata"];
        assert_eq!(properties(&recorded), expected);
    }
}
