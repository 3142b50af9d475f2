//! What rewritten classes call exists: the probes' runtime, as it is compiled, has every method that the rewriter names.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use jinsi_classfile::ClassFile;
use jinsi_instrument::selection::Selection;
use jinsi_instrument::{ProbeSet, instrument, instrument_outside};
use jinsi_natural::pattern::Pattern;
use jinsi_probes::{MOST_WORDS, OWNER, RUN, Whole, run_descriptor, sequences, whole_descriptor};
use jinsi_trace::model::{ClassNo, Detail, SiteNo};

use support::{compile_probes, jdks, succeed, text, tool};

/// Beginning of the internal names of the runtime's classes.
const RUNTIME: &str = "java/lang/Jinsi";

/// The classes of the runtime by internal name.
struct Runtime(BTreeMap<String, ClassFile>);

impl Runtime {
    fn read(directory: &Path) -> Self {
        let classes = classes(directory).into_iter();
        Self(
            classes
                .map(|bytes| {
                    let class = ClassFile::parse(&bytes).unwrap();
                    (class.name().unwrap().into_owned(), class)
                })
                .collect(),
        )
    }

    /// Does a static method of `owner`, or of what it inherits from, have this name and descriptor, and can all classes call it?
    fn has(&self, owner: &str, name: &str, desc: &str) -> bool {
        let Some(class) = self.0.get(owner) else {
            return false;
        };
        let own = class.find_method(name, desc).map(|at| &class.methods[at]);
        own.is_some_and(|method| method.is_static() && method.access & 1 != 0)
            || self.has(&class.super_name().unwrap().unwrap(), name, desc)
    }
}

/// The class files in a directory.
fn classes(directory: &Path) -> Vec<Vec<u8>> {
    let files = fs::read_dir(directory).unwrap().map(|f| f.unwrap().path());
    let classes = files.filter(|file| file.extension().is_some_and(|e| e == "class"));
    classes.map(|file| fs::read(file).unwrap()).collect()
}

#[test]
fn every_probe_that_a_rewritten_class_names_is_there() {
    let work = tempfile::tempdir().unwrap();
    let jdk = &jdks()[0];
    let probes = work.path().join("probes");
    compile_probes(jdk, &probes);
    let runtime = Runtime::read(&probes.join("java/lang"));

    for values in sequences() {
        for probe in Whole::ALL {
            let desc = whole_descriptor(values.iter().copied());
            assert!(runtime.has(OWNER, probe.name(), &desc), "{probe:?} {desc}");
        }
    }
    for words in 1..=MOST_WORDS {
        let desc = run_descriptor(words);
        assert!(runtime.has(OWNER, RUN, &desc), "{desc}");
    }

    let named = named_probes(jdk, work.path());
    // As many as the rewriter names in these ways; another one is welcome.
    assert!(named.len() > 80, "{named:#?}");
    let missing = |(owner, name, desc): &&(String, String, String)| !runtime.has(owner, name, desc);
    let missing: Vec<&(String, String, String)> = named.iter().filter(missing).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Owner, name and descriptor of the probes that a program's classes name after they were rewritten, in whatever way.
fn named_probes(jdk: &Path, work: &Path) -> BTreeSet<(String, String, String)> {
    let program = work.join("program");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/Constructs.java");
    let javac = &mut tool(jdk, "javac");
    succeed(javac.args(["-g", "-d", text(&program)]).arg(source));

    let mut found = BTreeSet::new();
    for bytes in classes(&program) {
        for detail in Detail::ALL {
            for (epochs, observed) in [(false, true), (true, true), (false, false)] {
                let pattern = Pattern::new(if observed { "*" } else { "Constructs" });
                let selection = Selection::new(vec![pattern], vec![])
                    .in_detail(detail)
                    .in_epochs(epochs)
                    .redacting(vec![Pattern::new("*")]);
                for rewritten in in_all_ways(&bytes, &selection) {
                    found.extend(named(&rewritten));
                }
            }
        }
    }
    found
}

/// The class, rewritten for each reason.
fn in_all_ways(bytes: &[u8], selection: &Selection) -> Vec<Vec<u8>> {
    let mut site = 0;
    let mut next_site = || {
        site += 1;
        SiteNo::FIRST.behind(site - 1)
    };
    let done = |probe_set| instrument(ClassNo::FIRST, probe_set, bytes, selection, &mut next_site);
    let mut all: Vec<_> = [ProbeSet::Observed, ProbeSet::Inherited].map(done).into();
    let outside = instrument_outside(ClassNo::FIRST, bytes, selection, &|_| true, &mut next_site);
    all.extend(outside.transpose());
    all.into_iter().map(|done| done.unwrap().bytes).collect()
}

/// The methods of the runtime that a class names.
fn named(bytes: &[u8]) -> Vec<(String, String, String)> {
    let pool = ClassFile::parse(bytes).unwrap().pool;
    let members = (1..pool.count()).filter_map(|index| pool.member_ref(index).ok());
    members
        .filter(|member| member.owner.starts_with(RUNTIME))
        .map(|m| (m.owner.into(), m.name.into(), m.desc.into()))
        .collect()
}
