//! The package for Debian and what comes from it.

use anyhow::{Context, Result};

use super::archive::{ar, gz, tar_gz};
use super::tree::{DATA, Tree};

/// Debian's name for x86-64.
pub(super) const ARCHITECTURE: &str = "amd64";

/// The package, of files as they lie in the archive.
pub(super) fn package(files: &Tree, version: &str, epoch: u64) -> Result<Vec<u8>> {
    let mut installed = files.moved(installed_at);
    for (path, file) in files.files() {
        if let Some(path) = compressed_at(path) {
            installed.add(path, DATA, gz(&file.bytes)?);
        }
    }
    let programs = files
        .files()
        .filter(|(path, _)| path.starts_with("bin/") || path.starts_with("lib/"));
    let libc = programs.filter_map(|(_, file)| glibc(&file.bytes)).max();
    let libc = libc.context("the programs do not say which glibc they need")?;
    let mut control = Tree::default();
    control.add(
        "control",
        DATA,
        description(version, libc, installed.bytes()),
    );
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", tar_gz(&control, "./", epoch)?),
        ("data.tar.gz", tar_gz(&installed, "./", epoch)?),
    ];
    let members = members
        .each_ref()
        .map(|(name, bytes)| (*name, bytes.as_slice()));
    ar(&members, epoch)
}

/// Where a file of the archive is installed. `None`: elsewhere, compressed.
fn installed_at(path: &str) -> Option<String> {
    if compressed_at(path).is_some() {
        return None;
    }
    Some(match path {
        // Debian wants the terms under this name.
        "share/doc/jinsi/LICENSE-MIT" => "usr/share/doc/jinsi/copyright".to_owned(),
        _ => format!("usr/{path}"),
    })
}

/// The name of a file that Debian wants compressed.
fn compressed_at(path: &str) -> Option<String> {
    if path == "share/doc/jinsi/CHANGELOG.md" {
        return Some("usr/share/doc/jinsi/changelog.gz".to_owned());
    }
    path.starts_with("share/man/")
        .then(|| format!("usr/{path}.gz"))
}

fn description(version: &str, (major, minor): (u32, u32), bytes: u64) -> String {
    format!(
        "Package: jinsi\n\
         Version: {version}\n\
         Architecture: {ARCHITECTURE}\n\
         Maintainer: The jinsi developers <jinsi@users.noreply.github.com>\n\
         Installed-Size: {}\n\
         Depends: libc6 (>= {major}.{minor}), libgcc-s1\n\
         Recommends: default-jdk-headless | java17-sdk-headless, maven\n\
         Section: devel\n\
         Priority: optional\n\
         Homepage: https://github.com/jinsi/jinsi\n\
         Description: turns a failing Java run into a minimal unit test\n\
         \x20jinsi records one failing run of a Java program with a native agent, replays it\n\
         \x20without its environment, removes all that the failure does not need, and writes\n\
         \x20what is left as a JUnit test.\n",
        bytes.div_ceil(1024)
    )
}

/// The newest version of glibc whose symbols a program names, as the dynamic linker will ask for it.
fn glibc(program: &[u8]) -> Option<(u32, u32)> {
    const MARK: &[u8] = b"GLIBC_2.";
    let places = program.windows(MARK.len()).enumerate();
    let places = places.filter(|(_, window)| *window == MARK);
    places
        .filter_map(|(at, _)| {
            let digits = program[at + MARK.len()..].iter();
            let digits = digits
                .take_while(|b| b.is_ascii_digit())
                .map(|b| *b as char);
            Some((2, digits.collect::<String>().parse().ok()?))
        })
        .max()
}

#[cfg(test)]
mod tests {
    use super::super::tree::PROGRAM;
    use super::*;

    #[test]
    fn the_newest_glibc_counts() {
        let program = b"..\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0GLIBC_PRIVATE\0";
        assert_eq!(glibc(program), Some((2, 34)));
        assert_eq!(glibc(b"static"), None);
    }

    #[test]
    fn files_go_where_debian_has_them() {
        assert_eq!(installed_at("bin/jinsi").unwrap(), "usr/bin/jinsi");
        assert_eq!(installed_at("share/man/man1/jinsi.1"), None);
        let page = compressed_at("share/man/man1/jinsi.1").unwrap();
        assert_eq!(page, "usr/share/man/man1/jinsi.1.gz");
        let terms = installed_at("share/doc/jinsi/LICENSE-MIT").unwrap();
        assert_eq!(terms, "usr/share/doc/jinsi/copyright");
    }

    #[test]
    fn the_same_files_give_the_same_package() {
        let mut files = Tree::default();
        files.add("bin/jinsi", PROGRAM, "GLIBC_2.34\0");
        files.add("share/man/man1/jinsi.1", DATA, "page");
        let once = package(&files, "1.0.0", 9).unwrap();
        assert_eq!(once, package(&files, "1.0.0", 9).unwrap());
        assert!(once.starts_with(b"!<arch>\ndebian-binary   9 "));
        assert!(
            description("1.0.0", (2, 34), 1025)
                .contains("Installed-Size: 2\nDepends: libc6 (>= 2.34)")
        );
    }
}
