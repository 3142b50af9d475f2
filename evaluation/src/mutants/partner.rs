//! The JVM that says of class files whether it accepts them (`evaluation/java/classes/Mutants.java`).

use std::ffi::{OsStr, OsString};
use std::io::{BufReader, BufWriter, Read, Write};
use std::process::{Child, ChildStdout, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use anyhow::{Context, Result};

use crate::classes::jvm::Harness;
use crate::classes::rewrite::View;

/// What the JVM says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It refuses the original.
    Refused,
    /// It accepts the original; the numbers of the rewritten forms that it refuses, and why.
    Accepted(Vec<(usize, String)>),
}

/// A running JVM.
pub(super) struct Partner<'a> {
    harness: &'a Harness,
    class_path: OsString,
    running: Running,
}

struct Running {
    child: Child,
    /// What a thread of its own writes to the JVM: it and we would wait for one another when both pipes are full.
    requests: Sender<Vec<u8>>,
    answers: BufReader<ChildStdout>,
}

impl Running {
    fn start(harness: &Harness, class_path: &OsStr) -> Result<Running> {
        let mut java = harness.mutants(class_path);
        let mut child = java
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start Java")?;
        let mut stdin = BufWriter::new(child.stdin.take().context("no pipe")?);
        let stdout = child.stdout.take().context("no pipe")?;
        let (requests, queue) = channel::<Vec<u8>>();
        thread::spawn(move || {
            for request in queue {
                if stdin
                    .write_all(&request)
                    .and_then(|()| stdin.flush())
                    .is_err()
                {
                    break;
                }
            }
        });
        Ok(Running {
            child,
            requests,
            answers: BufReader::new(stdout),
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may be waiting for the rest of a request.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl<'a> Partner<'a> {
    pub(super) fn start(harness: &'a Harness, class_path: &OsStr) -> Result<Partner<'a>> {
        Ok(Partner {
            harness,
            class_path: class_path.to_owned(),
            running: Running::start(harness, class_path)?,
        })
    }

    /// Puts a new JVM in the place of one that has ended.
    pub(super) fn restart(&mut self) -> Result<()> {
        self.running = Running::start(self.harness, &self.class_path)?;
        Ok(())
    }

    /// Asks about a class file and its rewritten forms.
    pub(super) fn send(
        &mut self,
        name: &str,
        bytes: &[u8],
        forms: &[(View, Vec<u8>)],
    ) -> Result<()> {
        let mut request = Vec::new();
        put(&mut request, name.as_bytes());
        put(&mut request, bytes);
        request.extend((forms.len() as u32).to_be_bytes());
        for (_, form) in forms {
            put(&mut request, form);
        }
        self.running.requests.send(request).context("the JVM ended")
    }

    /// The answer to the oldest question without one.
    pub(super) fn receive(&mut self) -> Result<Verdict> {
        let [count] = self.take()?;
        if count == 0 {
            return Ok(Verdict::Refused);
        }
        let mut refusals = Vec::new();
        for _ in 1..count {
            let [form] = self.take()?;
            let len = u32::from_be_bytes(self.take()?);
            let mut why = vec![0; len as usize];
            self.running.answers.read_exact(&mut why)?;
            refusals.push((
                usize::from(form),
                String::from_utf8_lossy(&why).into_owned(),
            ));
        }
        Ok(Verdict::Accepted(refusals))
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        self.running.answers.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

fn put(into: &mut Vec<u8>, bytes: &[u8]) {
    into.extend((bytes.len() as u32).to_be_bytes());
    into.extend(bytes);
}
