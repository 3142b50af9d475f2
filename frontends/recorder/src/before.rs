//! What can be known before a program runs: better said then than an hour later.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::{Error, Result};
use jinsi_files::private;
use jinsi_jdk::command_line::{Target, target};

use jinsi_console::advice::{self, Step};
use jinsi_console::messages::{NotRecorded, Way};

/// Jars that are named in the place of a missing one.
const NAMED: usize = 3;

/// A trace can be written to `output`, as far as is known.
///
/// # Errors
/// It is a directory, or its directory cannot be made or written to.
pub(super) fn place(output: &Path) -> Result<()> {
    if output.is_dir() {
        let inside = output.join("run.jinsi");
        let what = NotRecorded::TraceIsDirectory {
            path: output.display(),
        };
        return Err(advice::error(
            what,
            vec![Step::new(
                Way::FileInIt,
                format!("-o {}", advice::path(&inside)),
            )],
        ));
    }
    let directory = output.parent().unwrap_or(Path::new("."));
    // Where the agent puts something in, it makes the directory, too.
    if directory.to_string_lossy().contains('%') {
        return Ok(());
    }
    let made = private::create_dir_all(directory);
    made.and_then(|()| tempfile::tempfile_in(directory).map(drop))
        .map_err(|error| {
            let what = NotRecorded::NoPlace {
                path: directory.display(),
                error: error.to_string(),
            };
            let file = output.file_name().unwrap_or(OsStr::new("run.jinsi"));
            let elsewhere = std::env::temp_dir().join(file);
            advice::error(
                what,
                vec![Step::new(
                    Way::Elsewhere,
                    format!("-o {}", advice::path(&elsewhere)),
                )],
            )
        })
}

/// The jar that `java` is to run is there.
///
/// # Errors
/// It is not.
pub(super) fn jar(arguments: &[OsString]) -> Result<()> {
    match target(arguments) {
        Some(Target::Jar(jar)) if !Path::new(jar).exists() => Err(missing(Path::new(jar))),
        _ => Ok(()),
    }
}

fn missing(jar: &Path) -> Error {
    let directory = jar.parent().filter(|p| !p.as_os_str().is_empty());
    let directory = directory.unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(directory).into_iter().flatten();
    let is_jar = |path: &PathBuf| path.extension().is_some_and(|e| e == "jar");
    let mut jars: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(is_jar)
        .collect();
    jars.sort();
    let mut next: Vec<Step> = jars
        .iter()
        .take(NAMED)
        .map(|path| path.strip_prefix(".").unwrap_or(path))
        .map(|path| Step::new(Way::ThereIs, format!("-jar {}", advice::path(path))))
        .collect();
    if next.is_empty() {
        let here = directory.canonicalize();
        let here = here.unwrap_or_else(|_| directory.to_owned());
        next.push(Step::new(
            Way::WhatIsThere,
            format!("ls {}", advice::path(&here)),
        ));
    }
    let what = NotRecorded::NoJar {
        path: jar.display(),
    };
    advice::error(what, next)
}
