//! Class files of classes that are not observed, kept in the trace (`keep-classes=`): code that runs for real later, where the program's libraries
//! are not, takes them from there.
//!
//! They are gathered, because many together are packed better than each alone.

use std::collections::HashSet;
use std::sync::Arc;

use jinsi_instrument::without_coverage;
use jinsi_trace::model::{ClassDef, ClassFile, ClassFiles};

/// Bytes of class files that make a record.
const RECORD_BYTES: usize = 256 << 10;
/// Beginnings of the internal names of classes that no program needs: jinsi's own, and those by which builds run tests in a JVM.
const NOT_KEPT: [&str; 4] = [
    "jinsi/",
    "org/apache/maven/surefire/",
    "org/gradle/",
    "worker/org/gradle/",
];
/// Beginning of the simple names of proxies: the JDK makes them anew.
const PROXY: &str = "$Proxy";

/// What is in each class file that JaCoCo has changed.
const OF_JACOCO: &[u8] = b"$jacocoInit";

/// What is gathered, and what may still be.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    /// Nothing is to be kept at all.
    nothing: bool,
    /// Bytes that may still be kept.
    left: u64,
    waiting: ClassFiles,
    waiting_bytes: usize,
    /// Names of classes that were looked at: several loaders may have one.
    seen: HashSet<String>,
}

impl Gathered {
    /// At most `most` bytes are kept.
    pub(crate) fn new(most: u64) -> Self {
        Self {
            nothing: most == 0,
            left: most,
            ..Self::default()
        }
    }

    /// A class of the environment, with its whole class file; a record if there is enough for one.
    pub(crate) fn take(&mut self, class: &ClassDef) -> Option<ClassFiles> {
        let is_wanted = !self.nothing && is_kept(&class.name) && !class.bytes.is_empty();
        if !is_wanted || !self.seen.insert(class.name.clone()) {
            return None;
        }
        let size = class.bytes.len();
        let Some(left) = self.left.checked_sub(size as u64) else {
            self.waiting.left_out += 1;
            return None;
        };
        self.left = left;
        self.waiting_bytes += size;
        self.waiting.files.push(ClassFile {
            name: class.name.clone(),
            bytes: runs_alone(&class.bytes),
        });
        (self.waiting_bytes >= RECORD_BYTES).then(|| self.taken())
    }

    /// What is left to be recorded, if anything.
    pub(crate) fn rest(&mut self) -> Option<ClassFiles> {
        let rest = self.taken();
        (rest != ClassFiles::default()).then_some(rest)
    }

    fn taken(&mut self) -> ClassFiles {
        self.waiting_bytes = 0;
        std::mem::take(&mut self.waiting)
    }
}

/// The class file such that it runs where there is no JaCoCo, which counts in the classes of libraries, too.
fn runs_alone(bytes: &Arc<[u8]>) -> Arc<[u8]> {
    let is_changed = bytes.windows(OF_JACOCO.len()).any(|part| part == OF_JACOCO);
    let alone = || {
        let class = jinsi_classfile::ClassFile::parse(bytes).ok()?;
        without_coverage(&class).ok()??.to_bytes().ok()
    };
    let alone = if is_changed { alone() } else { None };
    alone.map_or_else(|| Arc::clone(bytes), Into::into)
}

fn is_kept(internal: &str) -> bool {
    let simple = internal.rsplit('/').next().unwrap_or_default();
    !simple.starts_with(PROXY) && !NOT_KEPT.iter().any(|begin| internal.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use jinsi_trace::model::{ClassNo, ClassOrigin};

    use super::*;

    fn class(name: &str, size: usize) -> ClassDef {
        ClassDef {
            no: ClassNo::checked(0).unwrap(),
            name: name.into(),
            super_name: None,
            interfaces: vec![],
            access: 0,
            origin: ClassOrigin::Skeleton,
            source_file: None,
            bytes: vec![7; size].into(),
        }
    }

    fn names(files: &ClassFiles) -> Vec<&str> {
        files.files.iter().map(|f| &*f.name).collect()
    }

    #[test]
    fn each_class_is_kept_once_until_there_is_no_room() {
        let mut all = Gathered::new(1_000);
        for (name, size) in [
            ("a/A", 400),
            ("a/A", 400),
            ("a/B", 601),
            ("a/C", 600),
            ("a/D", 1),
            ("jinsi/listener/L", 1),
            ("a/$Proxy7", 1),
        ] {
            assert_eq!(all.take(&class(name, size)), None);
        }
        let rest = all.rest().unwrap();
        assert_eq!(names(&rest), ["a/A", "a/C"]);
        assert_eq!(rest.left_out, 2, "B, and D");
        assert_eq!(all.rest(), None);
    }

    #[test]
    fn many_make_a_record() {
        let mut all = Gathered::new(u64::MAX);
        assert_eq!(all.take(&class("a/A", RECORD_BYTES - 1)), None);
        let full = all.take(&class("a/B", 1)).unwrap();
        assert_eq!(names(&full), ["a/A", "a/B"]);
        assert_eq!(all.rest(), None);
    }

    #[test]
    fn nothing_is_kept_unless_asked_for() {
        let mut none = Gathered::new(0);
        assert_eq!(none.take(&class("a/A", 3)), None);
        assert_eq!(none.rest(), None);
    }
}
