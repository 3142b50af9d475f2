//! The file of a recording.

use std::path::PathBuf;

use jinsi_trace::writer::{TraceWriter, WriteError, WriterOptions};

/// Traces of one name that may stand beside each other.
const MAX_NUMBERED: u32 = 1000;

/// Creates the trace file. A name made from the process id is not the user's choice of a file: in a container every process has the
/// same id, so an earlier trace gets a younger one beside it.
pub(crate) fn create(
    path: PathBuf,
    numbered: bool,
    sizes: &WriterOptions,
) -> Result<(PathBuf, TraceWriter), WriteError> {
    let mut free = path.clone();
    for n in 2..=MAX_NUMBERED {
        match TraceWriter::create(&free, sizes.clone()) {
            Err(WriteError::Exists(_)) if numbered => {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let extension = path.extension().unwrap_or_default().to_string_lossy();
                free = path.with_file_name(format!("{stem}-{n}.{extension}"));
            }
            other => return other.map(|writer| (free, writer)),
        }
    }
    Err(WriteError::Exists(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_of_our_own_making_gives_way() {
        let directory = tempfile::tempdir().unwrap();
        let taken = directory.path().join("jinsi-1.jinsi");
        std::fs::write(&taken, "precious").unwrap();
        let sizes = WriterOptions::default();
        assert!(
            matches!(create(taken.clone(), false, &sizes), Err(WriteError::Exists(p)) if p == taken)
        );
        let (free, _writer) = create(taken.clone(), true, &sizes).unwrap();
        assert_eq!(free, directory.path().join("jinsi-1-2.jinsi"));
        let (next, _writer) = create(taken.clone(), true, &sizes).unwrap();
        assert_eq!(next, directory.path().join("jinsi-1-3.jinsi"));
        assert_eq!(std::fs::read_to_string(&taken).unwrap(), "precious");
    }
}
