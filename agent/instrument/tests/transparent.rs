//! Rewritten classes behave as the originals: programs run with every class rewritten, against the real probes, fully verified. No agent
//! is there, so that the probes record nothing; what is looked at is the inserted code.

mod support;

use std::fs;
use std::path::Path;
use std::thread;

use jinsi_instrument::selection::Selection;
use jinsi_instrument::{ProbeSet, instrument};
use jinsi_natural::pattern::Pattern;
use jinsi_trace::model::{ClassNo, SiteNo};

use support::{compile_probes, jdks, run, stderr, stdout, succeed, text, tool};

/// Programs by the release whose language they use, and what the end of their error output has to say.
const PROGRAMS: [(&str, u32, &str); 3] = [
    (
        "Constructs",
        17,
        "because the return value of \"Constructs.find(int)\" is null",
    ),
    ("Constructs21", 21, "Exception in thread"),
    ("Constructs25", 25, "Exception in thread"),
];

#[test]
fn a_rewritten_program_prints_what_the_original_prints() {
    thread::scope(|threads| {
        for jdk in jdks() {
            threads.spawn(move || compare_all(&jdk));
        }
    });
}

fn compare_all(jdk: &Path) {
    let work = tempfile::tempdir().unwrap();
    let probes = work.path().join("probes");
    compile_probes(jdk, &probes);
    for (name, release, message) in PROGRAMS {
        if release <= feature(jdk) {
            compare(
                jdk,
                &probes,
                &work.path().join(name),
                (name, release, message),
            );
        }
    }
}

fn compare(jdk: &Path, probes: &Path, work: &Path, (name, release, message): (&str, u32, &str)) {
    let [plain, rewritten] = ["plain", "rewritten"].map(|n| work.join(n));
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let classes = text(&plain);
    succeed(
        tool(jdk, "javac")
            .args(["--release", &release.to_string(), "-g", "-d", classes])
            .arg(programs.join(format!("{name}.java"))),
    );

    let expected = run(jdk, probes, &plain, name);
    let end = stderr(&expected);
    assert!(end.contains(message), "{}: {end}", jdk.display());
    // The ways classes are rewritten: calls among observed classes are recorded otherwise than calls of the environment, and the
    // program's classes may be those that observed ones inherit from.
    for (observe, probe_set) in [
        ("*", ProbeSet::Observed),
        (name, ProbeSet::Observed),
        ("nothing", ProbeSet::Inherited),
    ] {
        let sites = rewrite(&plain, &rewritten, observe, probe_set);
        assert!(sites > 40, "{name}: {sites} sites with observe={observe}");
        let actual = run(jdk, probes, &rewritten, name);
        let context = format!("{} {name} observe={observe}", jdk.display());
        assert_eq!(stderr(&actual), stderr(&expected), "{context}");
        assert_eq!(stdout(&actual), stdout(&expected), "{context}");
        assert_eq!(actual.status.code(), expected.status.code(), "{context}");
    }
}

/// Rewrites all classes below `from` into `to`; the number of sites in them.
fn rewrite(from: &Path, to: &Path, observe: &str, probe_set: ProbeSet) -> usize {
    let selection = Selection::new(vec![Pattern::new(observe)], vec![]);
    fs::create_dir_all(to).unwrap();
    let mut sites = 0;
    for (no, file) in fs::read_dir(from).unwrap().enumerate() {
        let file = file.unwrap().path();
        let mut next = 0;
        let mut next_site = || {
            next += 1;
            SiteNo::FIRST.behind(next - 1)
        };
        let bytes = fs::read(&file).unwrap();
        let done = instrument(
            ClassNo::from_index(no),
            probe_set,
            &bytes,
            &selection,
            &mut next_site,
        )
        .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        assert_eq!(done.thinned, Vec::<String>::new());
        assert_eq!(done.left_out, Vec::<String>::new());
        sites += done.sites.len();
        fs::write(to.join(file.file_name().unwrap()), done.bytes).unwrap();
    }
    sites
}

/// Feature release of a JDK.
fn feature(jdk: &Path) -> u32 {
    let release = fs::read_to_string(jdk.join("release")).unwrap();
    let line = release
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_VERSION=\""));
    let digits = line.unwrap().split(|c: char| !c.is_ascii_digit()).next();
    digits.unwrap().parse().unwrap()
}
