//! Failures that other processes met before: the first traces are kept, the later ones only counted.
//!
//! A program that fails, is started again and fails in the same way a thousand times leaves a few traces and a list of what happened how
//! often: the file [`LIST`] beside them, a line a kind of failure, tabulators between the number of failures, the exception's class,
//! the place where it was thrown, and the names of the traces. Whoever removes a trace makes room for another one.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use jinsi_platform::files::{owners_only, untrusted_name};

use crate::repeats::Kind;

/// Name of the list.
pub const LIST: &str = "jinsi-failures.tsv";

/// Longest list that is read.
const MAX_BYTES: u64 = 16 << 20;
/// How long the end of the JVM may wait for other processes that enter something.
const PATIENCE: Duration = Duration::from_secs(1);

/// Failures of one kind, of all processes whose traces go to the directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Entry {
    count: u64,
    /// File names of the traces kept.
    traces: Vec<String>,
}

/// A failure of which there are traces enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownFailure {
    /// What failed.
    pub kind: Kind,
    /// How often by now.
    pub count: u64,
}

/// Enters the failures of the trace `trace` into the list beside it. If of each kind `keep` traces are there already, this one is
/// not needed: the kind that happened most often.
///
/// # Errors
/// The list cannot be read or written, is no ordinary file, or another process does not let go of it.
pub fn enter(
    trace: &Path,
    failures: &[(Kind, u64)],
    keep: u64,
) -> io::Result<Option<KnownFailure>> {
    let directory = trace.parent().unwrap_or(Path::new("."));
    let mut file = open(&directory.join(LIST))?;
    let mut list = read(&mut file)?;
    for entry in list.values_mut() {
        entry.traces.retain(|name| directory.join(name).exists());
    }
    for (kind, count) in failures {
        list.entry(kind.clone()).or_default().count += count;
    }
    let is_known = |(kind, _): &(Kind, u64)| list[kind].traces.len() as u64 >= keep;
    let known = (!failures.is_empty() && failures.iter().all(is_known))
        .then(|| failures.iter().max_by_key(|(kind, _)| list[kind].count))
        .flatten()
        .map(|(kind, _)| KnownFailure {
            kind: kind.clone(),
            count: list[kind].count,
        });
    if known.is_none()
        && let Some(name) = trace.file_name()
    {
        for (kind, _) in failures {
            let entry = list.entry(kind.clone()).or_default();
            entry.traces.push(name.to_string_lossy().into_owned());
        }
    }
    write(&mut file, &list)?;
    Ok(known)
}

/// The list, which is ours until it is closed; another process that ends just now waits.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    // Traces may go to a directory where others may write: what they put there is neither followed nor waited for.
    let file = untrusted_name(owners_only(&mut options)).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let began = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(e)) => return Err(e),
            Err(TryLockError::WouldBlock) if began.elapsed() > PATIENCE => {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// What the file says; lines that are none of ours are dropped.
fn read(file: &mut File) -> io::Result<BTreeMap<Kind, Entry>> {
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().filter_map(parse).collect())
}

fn parse(line: &str) -> Option<(Kind, Entry)> {
    let mut fields = line.split('\t');
    let count = fields.next()?.parse().ok()?;
    let kind = Kind {
        class: fields.next()?.into(),
        place: fields.next()?.into(),
    };
    let traces = fields.map(Into::into).collect();
    Some((kind, Entry { count, traces }))
}

fn write(file: &mut File, list: &BTreeMap<Kind, Entry>) -> io::Result<()> {
    let mut text = String::new();
    for (kind, entry) in list {
        let count = entry.count.to_string();
        let fields = [count.as_str(), &kind.class, &kind.place].into_iter();
        let fields = fields.chain(entry.traces.iter().map(String::as_str));
        // Class files may name classes and methods as they like.
        let clean: Vec<_> = fields.map(|f| f.replace(['\t', '\n', '\r'], " ")).collect();
        text += &(clean.join("\t") + "\n");
    }
    file.rewind()?;
    file.set_len(0)?;
    file.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(class: &str) -> Kind {
        Kind {
            class: class.into(),
            place: "a.B.m:7".into(),
        }
    }

    #[test]
    fn the_first_traces_are_kept_and_the_others_counted() {
        let directory = tempfile::tempdir().unwrap();
        let trace = |n: u32| directory.path().join(format!("{n}.jinsi"));
        let failures = [(kind("a.E"), 2)];
        for n in 0..2 {
            std::fs::write(trace(n), "").unwrap();
            assert_eq!(enter(&trace(n), &failures, 2).unwrap(), None);
        }
        let known = enter(&trace(2), &failures, 2).unwrap().unwrap();
        assert_eq!((known.kind, known.count), (kind("a.E"), 6));
        // Another failure beside it is worth a trace, which then is one of the first, too.
        let two = [(kind("a.E"), 1), (kind("a.F"), 1)];
        std::fs::write(trace(3), "").unwrap();
        assert_eq!(enter(&trace(3), &two, 2).unwrap(), None);
        let list = std::fs::read_to_string(directory.path().join(LIST)).unwrap();
        assert_eq!(
            list,
            "7\ta.E\ta.B.m:7\t0.jinsi\t1.jinsi\t3.jinsi\n1\ta.F\ta.B.m:7\t3.jinsi\n"
        );
        // What somebody took away makes room.
        for n in [0, 1] {
            std::fs::remove_file(trace(n)).unwrap();
        }
        std::fs::write(trace(4), "").unwrap();
        assert_eq!(enter(&trace(4), &failures, 2).unwrap(), None);
        assert!(enter(&trace(5), &failures, 2).unwrap().is_some());
    }

    #[test]
    fn a_list_that_somebody_wrote_into_is_no_obstacle() {
        let directory = tempfile::tempdir().unwrap();
        let trace = directory.path().join("1.jinsi");
        std::fs::write(
            directory.path().join(LIST),
            b"x\n3\ta.E\n\xff\n9\ta\tb\tc\n",
        )
        .unwrap();
        assert_eq!(enter(&trace, &[(kind("a\tE"), 1)], 1).unwrap(), None);
        let list = std::fs::read_to_string(directory.path().join(LIST)).unwrap();
        assert_eq!(list, "9\ta\tb\n1\ta E\ta.B.m:7\t1.jinsi\n");
    }

    #[test]
    fn what_others_put_there_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let (trace, list) = (
            directory.path().join("1.jinsi"),
            directory.path().join(LIST),
        );
        let failures = [(kind("a.E"), 1)];
        let precious = directory.path().join("precious");
        std::fs::write(&precious, "x").unwrap();
        jinsi_platform::files::symbolic_link(&precious, &list).unwrap();
        assert!(enter(&trace, &failures, 1).is_err());
        assert_eq!(std::fs::read_to_string(&precious).unwrap(), "x");
        std::fs::remove_file(&list).unwrap();
        std::fs::create_dir(&list).unwrap();
        assert!(enter(&trace, &failures, 1).is_err());
        std::fs::remove_dir(&list).unwrap();
        // A process that was stopped while it had the list.
        let stopped = File::create(&list).unwrap();
        stopped.lock().unwrap();
        let refused = enter(&trace, &failures, 1).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::WouldBlock);
    }

    #[test]
    fn processes_that_end_at_the_same_time_wait_for_each_other() {
        let directory = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for n in 0..8 {
                let trace = directory.path().join(format!("{n}.jinsi"));
                std::fs::write(&trace, "").unwrap();
                scope.spawn(move || enter(&trace, &[(kind("a.E"), 1)], 3).unwrap());
            }
        });
        let list = std::fs::read_to_string(directory.path().join(LIST)).unwrap();
        assert!(list.starts_with("8\ta.E\t"), "{list}");
        assert_eq!(list.matches(".jinsi").count(), 3, "{list}");
    }
}
