//! Source files: found by package and name below some directories.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use jinsi_classfile::bridges::Bridges;
use jinsi_classfile::{ACC_SYNTHETIC, ClassFile, Code, Member, insn, opcode};

/// Entries of directories that are looked at, and how deep.
const ENTRIES: usize = 100_000;
const DEEPEST: usize = 24;
/// Larger files are no sources that anybody reads.
const LARGEST: u64 = 4 << 20;
/// Methods that compilers call for loops, boxes, assertions and the like.
const UNWRITTEN: [&str; 14] = [
    "append",
    "booleanValue",
    "byteValue",
    "charValue",
    "close",
    "doubleValue",
    "floatValue",
    "hasNext",
    "intValue",
    "iterator",
    "longValue",
    "next",
    "shortValue",
    "valueOf",
];
/// So many lines a method's head may take, annotations and all.
const HEAD: u16 = 12;
/// Where no sources are.
const PASSED: [&str; 3] = ["node_modules", "target", "build"];

/// Where the sources are.
#[derive(Debug, Default)]
pub struct Sources {
    /// By file name.
    files: HashMap<String, Vec<PathBuf>>,
    read: RefCell<HashMap<PathBuf, Option<Rc<[String]>>>>,
}

impl Sources {
    /// What is below these directories.
    pub fn below(directories: &[PathBuf]) -> Self {
        let mut sources = Self::default();
        let mut left = ENTRIES;
        for directory in directories {
            sources.walk(directory, DEEPEST, &mut left);
        }
        sources
    }

    fn walk(&mut self, directory: &Path, depth: usize, left: &mut usize) {
        let Ok(entries) = fs::read_dir(directory) else {
            return;
        };
        let mut directories = Vec::new();
        for entry in entries.flatten() {
            if *left == 0 {
                return;
            }
            *left -= 1;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type();
            if kind.as_ref().is_ok_and(|kind| kind.is_dir()) {
                if !name.starts_with('.') && !PASSED.contains(&name.as_str()) && depth > 0 {
                    directories.push(entry.path());
                }
            } else if is_source(&name) {
                self.files.entry(name).or_default().push(entry.path());
            }
        }
        directories.sort();
        for directory in directories {
            self.walk(&directory, depth - 1, left);
        }
    }

    /// The file in which a class stands, by the class's internal name and the name of the file. Of several that could be it, as those of a second
    /// working tree or a backup, it is the one in which there is code where the class, of which this is the class file, has some.
    pub fn find(&self, class: &str, file: &str, code: &[u8]) -> Option<&Path> {
        let package = class.rsplit_once('/').map_or("", |(package, _)| package);
        let candidates = self.files.get(file)?;
        let fits = |path: &&PathBuf| {
            let parent = path.parent();
            parent.is_some_and(|parent| parent.ends_with(package))
        };
        // Who does not keep packages as directories has one file of the name.
        let fitting: Vec<&PathBuf> = candidates.iter().filter(fits).collect();
        let found = match fitting.as_slice() {
            [] => candidates.first().filter(|_| candidates.len() == 1),
            [only] => Some(*only),
            several => {
                let ranges = ClassFile::parse(code).map(|class| ranges(&class));
                let ranges = ranges.unwrap_or_default();
                let misfits =
                    |path: &&&PathBuf| self.lines(path).map(|text| misfits(&text, &ranges));
                several
                    .iter()
                    .min_by_key(|path| misfits(path).unwrap_or(usize::MAX))
                    .copied()
            }
        };
        found.map(PathBuf::as_path)
    }

    /// The lines of a file.
    pub fn lines(&self, path: &Path) -> Option<Rc<[String]>> {
        if let Some(known) = self.read.borrow().get(path) {
            return known.clone();
        }
        let lines = read(path);
        let mut read = self.read.borrow_mut();
        read.insert(path.to_owned(), lines.clone());
        lines
    }
}

/// A method, as its class file knows it.
#[derive(Debug)]
struct Range {
    /// Its name, if the source has it.
    name: Option<String>,
    /// Lines with code.
    lines: BTreeSet<u16>,
    /// What is called, and in which line.
    calls: Vec<(u16, String)>,
}

/// The methods of a class that have lines.
fn ranges(class: &ClassFile) -> Vec<Range> {
    let of_method = |method: &Member| {
        let code = method.code(&class.pool).ok()??;
        let lines: BTreeSet<u16> = code
            .lines(&class.pool)
            .iter()
            .map(|(_, line)| *line)
            .collect();
        let name = method.name(&class.pool).ok()?.into_owned();
        let is_written = method.access & ACC_SYNTHETIC == 0 && !name.starts_with('<');
        let calls = calls(class, &code).unwrap_or_default();
        let name = is_written.then_some(name);
        (!lines.is_empty()).then_some(Range { name, lines, calls })
    };
    class.methods.iter().filter_map(of_method).collect()
}

/// The calls of methods that have their names in the source, with their lines; `None` of damaged code.
fn calls(class: &ClassFile, code: &Code) -> Option<Vec<(u16, String)>> {
    let starts = code.lines(&class.pool);
    // A class that a replay has run has bridges in the places of calls.
    let bridges = Bridges::of(class).ok()?;
    let mut calls = Vec::new();
    for at in insn::decode(&code.bytes).ok()? {
        let at = bridges.original(&at);
        let is_call = (opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE).contains(&at.opcode);
        let Some(index) = at.pool_index().filter(|_| is_call) else {
            continue;
        };
        let called = class.pool.member_ref(index).ok()?;
        let is_added = called.owner.starts_with("jinsi/");
        let name = called.name.into_owned();
        let begun = starts.partition_point(|(start, _)| u32::from(*start) <= at.offset);
        let line = begun.checked_sub(1).map(|i| starts[i].1);
        let is_written =
            !is_added && !name.contains(['<', '$']) && !UNWRITTEN.contains(&name.as_str());
        calls.extend(line.filter(|_| is_written).map(|line| (line, name)));
    }
    Some(calls)
}

/// At how many places the text is not that of these methods: where there is code, it has none, or it does not name what is called, or it does not
/// have a method's name before that.
fn misfits(text: &[String], methods: &[Range]) -> usize {
    let line = |no: u16| {
        text.get(usize::from(no).wrapping_sub(1))
            .map(|line| line.trim())
    };
    let mut count = 0;
    for Range { name, lines, calls } in methods {
        let last = lines.last().copied();
        let empty = |no: &&u16| match line(**no) {
            // A method may end there.
            Some(text) => {
                Some(**no) != last && text.chars().all(|c| "{};".contains(c))
                    || text.starts_with("//")
            }
            None => true,
        };
        count += lines.iter().filter(empty).count();
        // A statement may go on in the next line, and so may the name.
        let is_called = |no: u16, name: &str| {
            [no, no.saturating_add(1)]
                .into_iter()
                .any(|no| line(no).is_some_and(|text| text.contains(name)))
        };
        count += calls
            .iter()
            .filter(|(no, name)| !is_called(*no, name))
            .count();
        let first = lines.first().copied().unwrap_or_default();
        let above = first.saturating_sub(HEAD)..=first;
        let is_named = |name: &String| {
            above
                .clone()
                .any(|no| line(no).is_some_and(|text| text.contains(name.as_str())))
        };
        count += usize::from(name.as_ref().is_some_and(|name| !is_named(name)));
    }
    count
}

fn is_source(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|e| {
        ["java", "kt", "scala", "groovy"]
            .iter()
            .any(|known| e == *known)
    })
}

fn read(path: &Path) -> Option<Rc<[String]>> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).ok()?;
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    Some(text.lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_by_its_package() {
        let root = tempfile::tempdir().unwrap();
        for path in [
            "one/a/b/C.java",
            "two/a/c/C.java",
            "two/a/c/D.java",
            "target/E.java",
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "class\n{}\n").unwrap();
        }
        let sources = Sources::below(&[root.path().to_owned()]);
        let found = |class: &str, file: &str| {
            let found = sources.find(class, file, &[])?;
            Some(found.strip_prefix(root.path()).unwrap().to_owned())
        };
        assert_eq!(found("a/b/C", "C.java"), Some("one/a/b/C.java".into()));
        assert_eq!(found("a/c/C$In", "C.java"), Some("two/a/c/C.java".into()));
        assert_eq!(found("x/C", "C.java"), None);
        assert_eq!(found("x/D", "D.java"), Some("two/a/c/D.java".into()));
        assert_eq!(found("E", "E.java"), None);
        assert_eq!(found("E", "../../two/a/c/D.java"), None);
        let lines = sources.lines(sources.find("a/b/C", "C.java", &[]).unwrap());
        assert_eq!(lines.unwrap().len(), 2);
    }

    #[test]
    fn lines_without_code_are_no_lines_of_the_class() {
        let text = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
        let ran = text(
            "class Mill {\n int mean() {\n  int sum = 0;\n  for (int g : all) {\n   sum += g;\n  }\n  return sum / all.length;\n }\n}",
        );
        let other = text(
            "class Mill {\n int mean() {\n  if (all.length == 0) {\n   return 0;\n  }\n  int sum = 0;\n  for (int g : all) {\n   sum += g;\n  }\n  return sum / all.length;\n }\n}",
        );
        let method = |name: &str, calls: &[(u16, &str)]| {
            [Range {
                name: Some(name.to_owned()),
                lines: BTreeSet::from([3, 4, 5, 7]),
                calls: calls
                    .iter()
                    .map(|(line, name)| (*line, (*name).to_owned()))
                    .collect(),
            }]
        };
        let methods = method("mean", &[]);
        assert_eq!(misfits(&ran, &methods), 0);
        assert_eq!(misfits(&other, &methods), 1);
        assert_eq!(misfits(&ran, &method("total", &[])), 1);
        assert_eq!(
            misfits(&ran, &method("mean", &[(7, "length"), (3, "grind")])),
            1
        );
        assert_eq!(misfits(&ran[..4], &methods), 2);
    }
}
