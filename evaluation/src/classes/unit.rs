//! One JDK or one artifact: all its classes are rewritten, loaded and linked.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::bundle::{self, Entry, Writer};
use super::corpus::Artifact;
use super::jvm::{Harness, Line, Worker};
use super::report::{Problem, Seen, Totals};
use super::rewrite::{self, Outcome, View};

/// Where classes come from.
pub(crate) enum Unit {
    /// All modules of the JDK with this index.
    Jdk(usize),
    /// A jar.
    Artifact(Artifact),
}

impl Unit {
    /// Name in reports.
    pub(crate) fn name(&self, harnesses: &[Harness]) -> String {
        match self {
            Unit::Jdk(index) => harnesses[*index].name(),
            Unit::Artifact(artifact) => artifact.coordinates.clone(),
        }
    }
}

/// What one thread works with.
pub(crate) struct Bench<'a> {
    harnesses: &'a [Harness],
    /// A worker for each of them, started when needed.
    workers: Vec<Option<Worker>>,
    seen: &'a Seen,
    every: usize,
}

impl<'a> Bench<'a> {
    pub(crate) fn new(harnesses: &'a [Harness], seen: &'a Seen, every: usize) -> Self {
        Bench {
            harnesses,
            workers: harnesses.iter().map(|_| None).collect(),
            seen,
            every,
        }
    }

    fn worker(&mut self, index: usize) -> Result<&mut Worker> {
        if self.workers[index].is_none() {
            self.workers[index] = Some(self.harnesses[index].worker()?);
        }
        self.workers[index].as_mut().context("no worker")
    }

    /// Gives an order; a JVM that did not survive it is started anew for the next.
    fn order(&mut self, index: usize, words: &[&OsStr]) -> Result<Vec<Line>> {
        let answer = self.worker(index)?.order(words);
        if answer.is_err() {
            self.workers[index] = None;
        }
        answer
    }

    /// Takes one unit from end to end; leaves its original classes in `directory`/original.
    pub(crate) fn run(&mut self, unit: &Unit, directory: &Path) -> Result<Totals> {
        fs::create_dir_all(directory)?;
        let raw = directory.join("raw");
        match unit {
            Unit::Jdk(index) => self.order(*index, &["modules".as_ref(), raw.as_ref()])?,
            Unit::Artifact(artifact) => {
                self.order(0, &["jar".as_ref(), artifact.jar.as_ref(), raw.as_ref()])?
            }
        };
        let mut entries = bundle::read(&raw)?;
        fs::remove_file(&raw)?;
        let every = self.every;
        let mut n = 0;
        entries.retain(|_| {
            n += 1;
            (n - 1) % every == 0
        });
        for entry in &mut entries {
            name_by_content(entry, matches!(unit, Unit::Artifact(_)));
        }
        let mut totals = Totals::default();
        let from = unit.name(self.harnesses);
        let original = directory.join("original");
        write(&original, &entries)?;
        let fresh: Vec<bool> = entries.iter().map(|e| self.seen.insert(&e.bytes)).collect();
        for view in View::EACH {
            let file = directory.join("rewritten");
            let rewritten = rewrite_all(&entries, &fresh, view, &from, &mut totals);
            write(&file, &rewritten)?;
            drop(rewritten);
            let linked = match unit {
                Unit::Jdk(index) => self.link_own(*index, &original, &file)?,
                Unit::Artifact(artifact) => self.link_jar(artifact, &original, &file)?,
            };
            for (java, line) in linked {
                let problem = Problem {
                    class: line.name,
                    from: from.clone(),
                    view: view.name(),
                    java,
                    message: line.why,
                };
                match line.what.as_str() {
                    "unlinkable" => totals.unlinkable(problem),
                    "kept" => totals.kept(problem),
                    _ => totals.errors.push(problem),
                }
            }
            fs::remove_file(&file)?;
        }
        Ok(totals)
    }

    fn link_jar(
        &mut self,
        artifact: &Artifact,
        original: &Path,
        rewritten: &Path,
    ) -> Result<Vec<(String, Line)>> {
        let jars: Vec<&PathBuf> = [&artifact.jar]
            .into_iter()
            .chain(&artifact.class_path)
            .collect();
        let jars = std::env::join_paths(jars)?;
        let mut all = Vec::new();
        for index in 0..self.harnesses.len() {
            let words: [&OsStr; 4] = [
                "link".as_ref(),
                original.as_ref(),
                rewritten.as_ref(),
                jars.as_ref(),
            ];
            let mut lines = self.order(index, &words)?;
            lines.pop();
            let java = self.harnesses[index].name();
            all.extend(lines.into_iter().map(|line| (java.clone(), line)));
        }
        Ok(all)
    }

    /// Links the classes of a JDK in that JDK; what is refused there is tried as it was.
    fn link_own(
        &mut self,
        index: usize,
        original: &Path,
        rewritten: &Path,
    ) -> Result<Vec<(String, Line)>> {
        let harness = &self.harnesses[index];
        let mut lines = harness.link_own("rewritten", rewritten)?;
        lines.pop();
        let refused = |line: &Line| line.what == "refused";
        if lines.iter().any(refused) {
            let also = harness.link_own("original", original)?;
            for line in lines.iter_mut().filter(|line| refused(line)) {
                let known = also.iter().any(|o| refused(o) && o.name == line.name);
                line.what = if known { "unlinkable" } else { "error" }.to_owned();
            }
        }
        let java = harness.name();
        Ok(lines.into_iter().map(|line| (java.clone(), line)).collect())
    }
}

/// Names an entry by what the class file says, the rest of its path being its place.
pub(crate) fn name_by_content(entry: &mut Entry, in_jar: bool) {
    let path = entry.name.strip_suffix(".class").unwrap_or(&entry.name);
    let name = rewrite::class_name(&entry.bytes).unwrap_or_else(|| path.to_owned());
    if in_jar {
        // A place of its own where the path does not fit the name.
        let place = path.strip_suffix(name.as_str());
        let place = place.filter(|place| place.is_empty() || place.ends_with('/'));
        entry.place = place.map_or_else(|| format!("{path}!"), str::to_owned);
    }
    entry.name = name;
}

/// Module descriptors are no classes and cannot be loaded as such.
fn is_module(entry: &Entry) -> bool {
    entry.name == "module-info"
}

fn write(path: &Path, entries: &[Entry]) -> Result<()> {
    let mut writer = Writer::new(path)?;
    for entry in entries.iter().filter(|entry| !is_module(entry)) {
        writer.add(&entry.place, &entry.name, &entry.bytes)?;
    }
    writer.finish()
}

/// Rewrites all, and counts those that are `fresh`; what cannot be rewritten stays as it is.
fn rewrite_all(
    entries: &[Entry],
    fresh: &[bool],
    view: View,
    from: &str,
    totals: &mut Totals,
) -> Vec<Entry> {
    let mut all = Vec::with_capacity(entries.len());
    for (entry, fresh) in entries.iter().zip(fresh) {
        let mut entry = entry.clone();
        let outcome = rewrite::rewrite(&entry.name, &entry.bytes, view);
        if *fresh {
            totals.count(&entry, &outcome, view, from);
        }
        if let Outcome::Rewritten { bytes, .. } = outcome {
            if is_module(&entry) && bytes != entry.bytes {
                totals.errors.push(Problem {
                    class: entry.name.clone(),
                    from: from.to_owned(),
                    view: view.name(),
                    java: String::new(),
                    message: "a module descriptor was changed".to_owned(),
                });
            }
            entry.bytes = bytes;
        }
        all.push(entry);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_classfile::pool::ConstantPool;

    fn entry(name: &str, class: &str) -> Entry {
        let mut pool = ConstantPool::new();
        let this_class = pool.add_class(class).unwrap();
        let class = jinsi_classfile::ClassFile {
            minor: 0,
            major: 52,
            pool,
            access: 0x21,
            this_class,
            super_class: 0,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            attributes: Vec::new(),
        };
        Entry {
            place: String::new(),
            name: name.to_owned(),
            bytes: class.to_bytes().unwrap(),
        }
    }

    #[test]
    fn classes_are_grouped_by_where_they_lie() {
        for (path, class, place) in [
            ("a/B.class", "a/B", ""),
            (
                "META-INF/versions/9/a/B.class",
                "a/B",
                "META-INF/versions/9/",
            ),
            ("xa/B.class", "a/B", "xa/B!"),
            ("other/C.class", "a/B", "other/C!"),
        ] {
            let mut entry = entry(path, class);
            name_by_content(&mut entry, true);
            assert_eq!((entry.place.as_str(), entry.name.as_str()), (place, class));
        }
        let mut broken = entry("a/B.class", "a/B");
        broken.bytes.truncate(9);
        name_by_content(&mut broken, true);
        assert_eq!((broken.place.as_str(), broken.name.as_str()), ("", "a/B"));
    }
}
