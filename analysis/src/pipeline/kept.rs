//! Class files that a trace keeps of the program's libraries, as a jar behind all others: where a library is not on this machine, code that runs
//! for real finds its classes there.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use jinsi_files::temporary;
use jinsi_jdk::jar::JarWriter;
use jinsi_trace::model::{ClassDef, ClassOrigin};
use jinsi_trace::reader::Trace;

const JAR: &str = "libraries.jar";

/// The jar; it goes when this is dropped.
#[derive(Debug)]
pub(super) struct KeptClasses {
    jar: PathBuf,
    _directory: temporary::Directory,
}

impl KeptClasses {
    /// `None` if the trace keeps none.
    ///
    /// # Errors
    /// The trace cannot be read, or the jar not be written.
    pub(super) fn of(trace: &Trace) -> io::Result<Option<Self>> {
        if !trace.keeps_class_files() {
            return Ok(None);
        }
        let directory = temporary::directory()?;
        let jar = directory.path().join(JAR);
        write(trace, &jar)?;
        Ok(Some(Self {
            jar,
            _directory: directory,
        }))
    }

    pub(super) fn jar(&self) -> &Path {
        &self.jar
    }
}

/// Is this a path that stays below the directory it is joined to?
pub(super) fn is_plain(internal: &str) -> bool {
    internal
        .split('/')
        .all(|part| !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', '\0']))
}

fn write(trace: &Trace, to: &Path) -> io::Result<()> {
    let mut jar = JarWriter::new(BufWriter::new(File::create_new(to)?));
    let mut add = |name: &str, bytes: &[u8]| match is_plain(name) {
        true => jar.file(&format!("{name}.class"), bytes),
        // A hostile trace may name anything; what is no class has no place on a class path.
        false => Ok(()),
    };
    for some in trace.class_files() {
        for file in some.map_err(io::Error::other)?.files {
            add(&file.name, &file.bytes)?;
        }
    }
    // Those of recorded classes are taken from elsewhere, but programs look where they are.
    let recorded = |c: &&ClassDef| {
        matches!(
            c.origin,
            ClassOrigin::Observed | ClassOrigin::Inherited | ClassOrigin::Skipped
        )
    };
    for class in trace.classes().iter().filter(recorded) {
        add(&class.name, &class.bytes)?;
    }
    jar.finish()?;
    Ok(())
}
