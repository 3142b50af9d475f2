//! What programs do that nothing may do again, in which ways, and the directory in which they do it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;
use jinsi_platform::files::{Details, details, symbolic_link};
use serde::Serialize;

/// Something harmful that a program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Canary {
    /// Deletes a file.
    Delete,
    /// Writes a new one.
    Write,
    /// Opens one for writing that exists.
    Overwrite,
    /// Renames one.
    Rename,
    /// Makes a hard link.
    Link,
    /// Makes a symbolic link.
    Symlink,
    /// Reads a secret, and has it in the message of the failure.
    Secret,
    /// Connects to a TCP port.
    Tcp,
    /// Sends a datagram.
    Udp,
    /// Connects to a Unix socket.
    Unix,
    /// Starts a process that makes a file.
    Process,
    /// Ends the JVM.
    Exit,
    /// Ends it at once.
    Halt,
    /// Fills the disk through the working directory and that of temporary files.
    Disk,
    /// Takes memory, inside the heap and outside.
    Memory,
    /// Starts threads that sleep.
    Threads,
    /// Does not end.
    Loop,
    /// Loads a native library, which makes a file.
    Load,
    /// Defines a class whose initializer deletes a file.
    Define,
}

/// How the member of the JDK that does it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Way {
    Direct,
    Reference,
    Lambda,
    Handle,
    Reflection,
    Proxy,
    ToString,
    Initializer,
    Thread,
    Pool,
}

/// The name of a value on the command line, for the Java program, and in the JSON document.
pub(super) fn name(value: impl ValueEnum) -> String {
    let named = value.to_possible_value();
    named.map_or_else(String::new, |v| v.get_name().to_owned())
}

/// How large the harm is that a program does: it asks for the length of a file of its directory, so a replay that really asks does more than
/// was recorded. That can be asked even where no file can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// Next to nothing, while it is recorded.
    Recorded,
    /// As much as can be.
    Full,
    /// As much as is seen, and does not hurt.
    Seen,
}

impl Size {
    /// What the secret is while a program is recorded.
    pub(super) const SECRET: &str = "secret that was recorded";
}

impl Canary {
    /// The length of that file: chunks of 256 KiB into each of two directories, pairs of mebibytes, threads, rounds.
    fn size(self, size: Size) -> u64 {
        match (self, size) {
            (_, Size::Recorded) => 3,
            (Canary::Disk, Size::Full) => 6144,
            (Canary::Disk, Size::Seen) => 1400,
            // More than a JVM may have by itself, which is a quarter of the machine's inside the heap, and another outside.
            (Canary::Memory, Size::Full) => 1 << 24,
            (Canary::Memory, Size::Seen) => 600,
            (Canary::Threads, Size::Full) => 20_000,
            (Canary::Threads, Size::Seen) => 500,
            // Without end.
            (Canary::Loop, _) => 0,
            _ => 1,
        }
    }

    /// Is what it does seen outside, if it is done while neither wall stands? The others only harm the JVM in which they run, or start
    /// threads, which no replay does.
    pub(super) fn is_seen(self) -> bool {
        use Canary::{Exit, Halt, Loop, Threads};
        !matches!(self, Exit | Halt | Loop | Threads)
    }

    /// Does it end the JVM in which it runs?
    pub(super) fn ends_the_jvm(self) -> bool {
        matches!(self, Canary::Exit | Canary::Halt)
    }
}

/// The directory that a program harms.
pub(super) struct Place {
    directory: PathBuf,
    /// The native library.
    library: PathBuf,
    /// The class that is defined.
    pub(super) payload: Vec<u8>,
    /// What the secret is when something is replayed; no program was recorded with it.
    pub(super) secret: String,
    /// Beginning of the names of files that fill the disk.
    pub(super) filler: String,
}

/// The text in the payload in whose place the file stands that it deletes.
const PLACEHOLDER: &[u8] = b"@@FILE@@";

impl Place {
    /// `token` makes the secret and the names of files unmistakable.
    pub(super) fn new(
        directory: PathBuf,
        library: &Path,
        payload: &[u8],
        token: &str,
    ) -> Result<Self> {
        let deleted = directory.join("deleted").display().to_string();
        Ok(Self {
            payload: replaced(payload, deleted.as_bytes())
                .context("the payload has no place for the name of a file")?,
            library: library.to_owned(),
            secret: format!("secret-{token}-not-recorded"),
            filler: format!("harm-{token}-"),
            directory,
        })
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Makes it anew.
    pub(super) fn set(&self, canary: Canary, size: Size) -> Result<()> {
        match fs::remove_dir_all(&self.directory) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e)?,
            _ => fs::create_dir(&self.directory)?,
        }
        let secret = match size {
            Size::Recorded => Size::SECRET,
            _ => &self.secret,
        };
        let length = canary.size(size);
        for (name, content) in [
            ("deleted", "to be deleted"),
            ("overwritten", "to be overwritten"),
            ("renamed", "to be renamed"),
            ("linked", "to be linked"),
            ("secret", secret),
        ] {
            fs::write(self.directory.join(name), content)?;
        }
        File::create(self.directory.join("size"))?.set_len(length)?;
        fs::copy(&self.library, self.directory.join("libcanary.so"))?;
        fs::create_dir(self.directory.join("inner"))?;
        symbolic_link("linked", self.directory.join("inner/link"))?;
        Ok(())
    }

    /// What is in it.
    pub(super) fn snapshot(&self) -> Result<Snapshot> {
        let mut files = BTreeMap::new();
        look(&self.directory, Path::new(""), &mut files)
            .with_context(|| format!("cannot read {}", self.directory.display()))?;
        Ok(Snapshot(files))
    }
}

/// A class file with the placeholder replaced (JVMS §4.4.7: two bytes of length, then the text).
fn replaced(class: &[u8], text: &[u8]) -> Option<Vec<u8>> {
    let at = class
        .windows(PLACEHOLDER.len())
        .position(|w| w == PLACEHOLDER)?;
    let length = u16::try_from(text.len()).ok()?;
    let before = class.get(..at.checked_sub(2)?)?;
    Some(
        [
            before,
            &length.to_be_bytes(),
            text,
            &class[at + PLACEHOLDER.len()..],
        ]
        .concat(),
    )
}

/// What is in a directory: by relative path all that can be asked of a file but when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Snapshot(BTreeMap<PathBuf, Entry>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    details: Details,
    /// Content of a file, target of a link.
    content: Vec<u8>,
}

fn look(root: &Path, below: &Path, files: &mut BTreeMap<PathBuf, Entry>) -> io::Result<()> {
    let path = root.join(below);
    let of = fs::symlink_metadata(&path)?;
    let content = match of.file_type() {
        kind if kind.is_file() => fs::read(&path)?,
        kind if kind.is_symlink() => fs::read_link(&path)?.into_os_string().into_encoded_bytes(),
        _ => Vec::new(),
    };
    let entry = Entry {
        details: details(&of),
        content,
    };
    files.insert(below.to_owned(), entry);
    if of.is_dir() {
        for inner in fs::read_dir(&path)? {
            look(root, &below.join(inner?.file_name()), files)?;
        }
    }
    Ok(())
}

impl Snapshot {
    /// What is otherwise than before, one line each.
    pub(super) fn differences(&self, after: &Snapshot) -> Vec<String> {
        let mut said = Vec::new();
        for (path, before) in &self.0 {
            let path_of = match path.as_os_str().is_empty() {
                true => "the directory".into(),
                false => path.to_string_lossy(),
            };
            match after.0.get(path) {
                None => said.push(format!("{path_of} is gone")),
                Some(now) if now != before => {
                    said.push(format!("{path_of}: {}", before.change(now)))
                }
                Some(_) => {}
            }
        }
        let new = after.0.keys().filter(|path| !self.0.contains_key(*path));
        said.extend(new.map(|path| format!("{} is new", path.display())));
        said
    }
}

impl Entry {
    fn change(&self, now: &Entry) -> String {
        let (was, is) = (&self.details, &now.details);
        match () {
            () if self.content != now.content => "other content".into(),
            () if was.number != is.number => "another file".into(),
            () if was.links != is.links => format!("{} links instead of {}", is.links, was.links),
            () if was.mode != is.mode => format!("mode {:o} instead of {:o}", is.mode, was.mode),
            () if was.modified != is.modified => "written".into(),
            () => "changed".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_platform::files::set_mode;

    /// What is done to a place.
    type Change = fn(&Path) -> io::Result<()>;

    fn place(directory: &Path) -> Place {
        let library = directory.join("lib.so");
        fs::write(&library, "").unwrap();
        let payload = [b"\x01\0\x08".as_slice(), PLACEHOLDER, b"\x07"].concat();
        Place::new(directory.join("place"), &library, &payload, "t").unwrap()
    }

    #[test]
    fn each_change_of_a_place_is_seen() {
        let directory = tempfile::tempdir().unwrap();
        let place = place(directory.path());
        let changes: [(&str, Change); 7] = [
            ("deleted is gone", |p| fs::remove_file(p.join("deleted"))),
            ("new is new", |p| fs::write(p.join("new"), "")),
            ("overwritten: other content", |p| {
                fs::write(p.join("overwritten"), "x")
            }),
            ("linked: 2 links instead of 1", |p| {
                fs::hard_link(p.join("linked"), p.join("inner/again"))
            }),
            ("secret: written", |p| {
                fs::write(p.join("secret"), "secret-t-not-recorded")
            }),
            ("size: mode 100700 instead of 100600", |p| {
                set_mode(&p.join("size"), 0o700)
            }),
            ("inner/link is gone", |p| {
                fs::remove_file(p.join("inner/link"))
            }),
        ];
        for (said, change) in changes {
            place.set(Canary::Delete, Size::Full).unwrap();
            let name = place.directory().join("size");
            set_mode(&name, 0o600).unwrap();
            let before = place.snapshot().unwrap();
            assert_eq!(before.differences(&place.snapshot().unwrap()), [""; 0]);
            // The clock of the file system need not tick between two writes.
            std::thread::sleep(std::time::Duration::from_millis(20));
            change(place.directory()).unwrap();
            let found = before.differences(&place.snapshot().unwrap());
            assert!(found.iter().any(|f| f == said), "{said}: {found:?}");
        }
    }

    #[test]
    fn the_payload_names_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let place = place(directory.path());
        let file = directory.path().join("place/deleted");
        let file = file.to_str().unwrap();
        let length = u16::try_from(file.len()).unwrap().to_be_bytes();
        assert_eq!(
            place.payload,
            [b"\x01", &length[..], file.as_bytes(), b"\x07"].concat()
        );
        assert_eq!(replaced(b"no place", b"x"), None);
    }
}
