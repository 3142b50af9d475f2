//! What a command did outside: what is looked at when it has ended, and what of that may not be.

use std::fs;
use std::io::Read;
use std::net::{TcpListener, UdpSocket};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_platform::local;

use super::canaries::{Place, Snapshot};
use super::files::{files_below, fillers};
use super::run::{Bounds, Watched};

/// First bytes of a frame of zstd, in which traces and resources of tests hold texts.
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// Of one frame so much is looked at.
const FRAME: u64 = 64 << 20;

/// Whoever could be called by a program: all of it on the loopback, or in a directory of ours.
pub(super) struct Listeners {
    tcp: TcpListener,
    udp: UdpSocket,
    unix: local::Listener,
    unix_path: PathBuf,
}

impl Listeners {
    /// The Unix socket is in `directory`.
    pub(super) fn new(directory: &Path) -> Result<Self> {
        let unix_path = directory.join("unix");
        let tcp = TcpListener::bind("127.0.0.1:0")?;
        let udp = UdpSocket::bind("127.0.0.1:0")?;
        let unix = local::Listener::bind(&unix_path)?;
        tcp.set_nonblocking(true)?;
        udp.set_nonblocking(true)?;
        unix.set_nonblocking(true)?;
        Ok(Self {
            tcp,
            udp,
            unix,
            unix_path,
        })
    }

    /// Arguments of the program that say where they are.
    pub(super) fn arguments(&self) -> Result<[String; 3]> {
        Ok([
            self.tcp.local_addr()?.port().to_string(),
            self.udp.local_addr()?.port().to_string(),
            self.unix_path.display().to_string(),
        ])
    }

    /// Who has called since this was asked last, one line each.
    pub(super) fn called(&self) -> Vec<String> {
        let mut called = Vec::new();
        while self.tcp.accept().is_ok() {
            called.push("a TCP connection".to_owned());
        }
        let mut datagram = [0; 2048];
        while self.udp.recv_from(&mut datagram).is_ok() {
            called.push("a datagram".to_owned());
        }
        while self.unix.accept().is_ok() {
            called.push("a connection to the Unix socket".to_owned());
        }
        called
    }
}

/// Where a command may leave something, and how it was before.
pub(super) struct Scene<'a> {
    pub(super) place: &'a Place,
    pub(super) before: Snapshot,
    pub(super) listeners: &'a Listeners,
    /// Its temporary files.
    pub(super) temporary: &'a Path,
    /// Its working directory.
    pub(super) work: &'a Path,
    /// What it prints and writes: here a secret must not be.
    pub(super) written: &'a Path,
    pub(super) bounds: Bounds,
}

impl Scene<'_> {
    /// What is outside that was not there before, or what became of the command itself.
    pub(super) fn effects(&self, watched: &Watched) -> Result<Vec<String>> {
        let mut effects = self.before.differences(&self.place.snapshot()?);
        effects.extend(self.listeners.called());
        effects.extend(watched.effects(self.bounds));
        // One that was stopped could not tidy up.
        let tidy = !watched.stopped(self.bounds);
        for directory in [self.temporary, self.work].into_iter().filter(|_| tidy) {
            for left in names_in(directory)? {
                let name = directory.file_name().unwrap_or_default();
                effects.push(format!("{left} is left in {}", name.display()));
            }
        }
        for file in self.fillers() {
            effects.push(format!("{} is left", file.display()));
            fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
        }
        for file in files_below(self.written)? {
            if tells(&fs::read(&file)?, &self.place.secret) {
                effects.push(format!("the secret is in {}", self.name_of(&file)));
            }
        }
        Ok(effects)
    }

    /// Of a file that the command wrote.
    fn name_of(&self, file: &Path) -> String {
        let below = file.strip_prefix(self.written).unwrap_or(file);
        below.display().to_string()
    }

    /// Files of the canary that fills the disk which are outside of directories that are ours.
    fn fillers(&self) -> Vec<PathBuf> {
        fillers(&self.place.filler)
    }
}

fn names_in(directory: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Is the text somewhere in the bytes: as it is, with two bytes a character, or packed?
pub(super) fn tells(bytes: &[u8], text: &str) -> bool {
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide_big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let forms = [text.as_bytes(), &wide, &wide_big];
    let has = |bytes: &[u8]| forms.iter().any(|form| contains(bytes, form));
    has(bytes) || frames(bytes).any(|frame| has(&frame))
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

/// What is in the frames of zstd that begin anywhere.
fn frames(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let starts = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(&ZSTD));
    starts.filter_map(|at| {
        let decoder = zstd::stream::read::Decoder::new(&bytes[at..]).ok()?;
        let mut text = Vec::new();
        // What comes before an error counts, too; a frame that needs a dictionary has none.
        let _ = decoder.single_frame().take(FRAME).read_to_end(&mut text);
        Some(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_in_all_its_forms() {
        let text = "secret-1";
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let packed = zstd::encode_all(format!("a {text} b").as_bytes(), 3).unwrap();
        assert!(tells(b"the secret-1", text));
        assert!(tells(&[b"x", &wide[..]].concat(), text));
        assert!(tells(&[b"head", &packed[..], b"tail"].concat(), text));
        assert!(!tells(&[b"head secret-2", &packed[..3]].concat(), text));
    }

    #[test]
    fn callers_are_counted() {
        let directory = tempfile::tempdir().unwrap();
        let listeners = Listeners::new(directory.path()).unwrap();
        let [tcp, udp, unix] = listeners.arguments().unwrap();
        assert!(listeners.called().is_empty());
        drop(std::net::TcpStream::connect(format!("127.0.0.1:{tcp}")).unwrap());
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.send_to(b"x", format!("127.0.0.1:{udp}")).unwrap();
        drop(local::Stream::connect(unix).unwrap());
        assert_eq!(listeners.called().len(), 3);
        assert!(listeners.called().is_empty());
    }
}
