//! Other agents in the same JVM: JaCoCo's, Byteman's, and Mockito's inline mock maker, which retransforms what it mocks.

use std::path::{Path, PathBuf};
use std::process::Command;

use jinsi_jdk::junit::{self, JunitResult};
use jinsi_jdk::{Jdk, compile, maven};
use jinsi_trace::model::{EventKind, Skipped};
use jinsi_trace::reader::Trace;
use serde_json::Value;
use tempfile::tempdir;

use super::support::{
    jdks, jinsi, json, programs, recording_option, run, stderr, stdout, tried_jdks,
};

/// In a version that knows the class files of Java 17 to 25.
const JACOCO: &str = "org.jacoco:org.jacoco.agent:0.8.14:runtime";
/// In a version that knows them, too.
const BYTEMAN: &str = "org.jboss.byteman:byteman:4.0.25";
/// What JaCoCo adds to every class: it makes the array of booleans in which each probe of JaCoCo's sets an element.
const JACOCO_INIT: &str = "$jacocoInit";

fn ours(observe: &str, trace: &Path) -> String {
    recording_option(&format!("observe={observe}"), trace)
}

/// Both agents in this order, or ours alone, or none: what was printed on stdout and stderr (but our line), and the exit status.
fn vending(jdk: &Jdk, options: &[String]) -> (String, String, Option<i32>) {
    let output = run(Command::new(jdk.java())
        .args(options)
        .arg("-cp")
        .arg(programs())
        .arg("vending.Main"));
    let errors = stderr(&output);
    let theirs = errors.lines().filter(|l| !l.starts_with("jinsi: "));
    let theirs = theirs.collect::<Vec<_>>().join("\n");
    (stdout(&output), theirs, output.status.code())
}

/// The events of the program, numbers of objects counted anew, without those that JaCoCo's code makes.
fn without_jacoco(trace: &Path) -> Vec<String> {
    let rows = json(&run(jinsi().args(["events", "--json"]).arg(trace)));
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let mut names = Vec::new();
    rows.as_array()
        .expect("a list")
        .iter()
        .filter(|row| {
            let kind = text(row, "kind");
            let array = kind.starts_with("Array"); // the program itself accesses none
            let silent = kind == "Define" || kind == "Content";
            let init = text(row, "at").contains(JACOCO_INIT);
            !(array || silent || init || text(row, "text").contains(JACOCO_INIT))
        })
        .map(|row| {
            format!(
                "{} {}",
                text(row, "kind"),
                renamed(&text(row, "text"), &mut names)
            )
        })
        .collect()
}

/// `#17` becomes `#0`, `#1`, …, in the order of first sight.
fn renamed(text: &str, names: &mut Vec<String>) -> String {
    let mut parts = text.split('#');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.chars().take_while(char::is_ascii_digit).count();
        let (name, rest) = part.split_at(digits);
        let no = names.iter().position(|n| n == name).unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        });
        out += &format!("#{no}{rest}");
    }
    out
}

/// JaCoCo's probes sit in the bytes before ours, whichever agent the command line names first: its transformer cannot retransform, and the
/// JVM asks such ones first.
#[test]
fn jacoco_before_and_after() {
    let jacoco = maven::fetch(&[JACOCO]).expect("JaCoCo from Maven Central");
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let plain = vending(&jdk, &[]);
        let alone = at("alone.jinsi");
        assert_eq!(vending(&jdk, &[ours("vending.*", &alone)]), plain);
        let alone = without_jacoco(&alone);
        assert!(alone.len() > 400, "{alone:?}");
        for first in ["jacoco", "jinsi"] {
            let (trace, exec) = (at(&format!("{first}.jinsi")), at(&format!("{first}.exec")));
            let theirs = format!(
                "-javaagent:{}=destfile={}",
                jacoco[0].display(),
                exec.display()
            );
            let mut options = vec![theirs, ours("vending.*", &trace)];
            if first == "jinsi" {
                options.reverse();
            }
            let context = format!("Java {}, {first} first", jdk.version());
            assert_eq!(vending(&jdk, &options), plain, "{context}");
            assert!(std::fs::metadata(&exec).unwrap().len() > 0, "{context}");
            assert_eq!(without_jacoco(&trace), alone, "{context}");
            let info = json(&run(jinsi().args(["info", "--json"]).arg(&trace)));
            assert_eq!(info["skipped"], serde_json::json!([]), "{context}");
            assert_eq!(info["damage"], serde_json::json!([]), "{context}");
            // JaCoCo was there: each of the four classes asked for its array once.
            let arrays = info["kinds"]["ArrayStore"]["events"].as_u64();
            assert!(arrays.is_some_and(|n| n > 100), "{context}: {arrays:?}");
        }
    }
}

/// Classes of a library, and a program that extends one and calls the other.
const GREENHOUSE: [(&str, &str); 3] = [
    (
        "probe/Scale.java",
        "package probe;
public class Scale {
    public static int celsius(int kelvin) {
        return kelvin > 0 ? kelvin - 273 : -273;
    }
}",
    ),
    (
        "probe/Sensor.java",
        "package probe;
public class Sensor {
    private int last;
    private boolean on = true;
    public int read(int value) {
        if (on && value > -50) {
            last = value;
        }
        return last;
    }
}",
    ),
    (
        "greenhouse/Thermometer.java",
        "package greenhouse;
public class Thermometer extends probe.Sensor {
    private int read;
    public int mean(int sum) {
        read(sum);
        return probe.Scale.celsius(sum) / read;
    }
    public static void main(String[] args) {
        new Thermometer().mean(40);
    }
}",
    ),
];

/// JaCoCo counts in the classes of libraries, too. One that a recorded class extends runs without JaCoCo, for real and replayed.
#[test]
fn a_library_in_which_jacoco_counts_is_run_again() {
    let jacoco = maven::fetch(&[JACOCO]).expect("JaCoCo from Maven Central");
    let jdk = jdks().remove(0);
    let directory = tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let sources = GREENHOUSE.map(|(name, text)| {
        let file = at(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    });
    compile::javac(&jdk, &sources, &[], &at("classes")).unwrap();
    for detail in ["boundary", "interactions"] {
        let trace = at(&format!("{detail}.jinsi"));
        let exec = at("jacoco.exec");
        run(Command::new(jdk.java())
            .arg(format!(
                "-javaagent:{}=destfile={}",
                jacoco[0].display(),
                exec.display()
            ))
            .arg(format!("{},detail={detail}", ours("greenhouse.*", &trace)))
            .arg("-cp")
            .arg(at("classes"))
            .arg("greenhouse.Thermometer"));
        for (options, engine) in [(&[][..], "direct"), (&["--replay-only"], "replay")] {
            let out = at(&format!("{detail}-{engine}"));
            let output = run(jinsi()
                .arg("minimize")
                .args(options)
                .arg("--out")
                .arg(&out)
                .arg(&trace));
            let report = std::fs::read(out.join("report.json"));
            let report: Value =
                serde_json::from_slice(&report.unwrap_or_else(|_| panic!("{}", stderr(&output))))
                    .unwrap();
            let level = &report["levels"][0];
            assert_eq!(level["name"], "greenhouse.Thermometer", "{level}");
            assert_eq!(level["engine"], engine, "{detail}: {level}");
            assert_eq!(level["strict_replay"], "reproduced", "{detail}: {level}");
            assert_eq!(level["test_outcome"], "reproduces", "{detail}: {level}");
        }
    }
}

/// What Byteman puts into a class calls Byteman, which is not there when the class runs for real: it runs as it lies on the class path.
#[test]
fn code_of_another_agent_does_not_run_for_real() {
    let byteman = maven::fetch(&[BYTEMAN]).expect("Byteman from Maven Central");
    let directory = tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let (rules, trace, out) = (at("rules.btm"), at("t.jinsi"), at("out"));
    let rule = "RULE r\nCLASS vending.VendingMachine\nMETHOD vend\nAT ENTRY\nIF true\nDO NOTHING\nENDRULE\n";
    std::fs::write(&rules, rule).unwrap();
    let theirs = format!(
        "-javaagent:{}=script:{}",
        byteman[0].display(),
        rules.display()
    );
    let jdk = jdks().remove(0);
    vending(&jdk, &[theirs, ours("vending.*", &trace)]);
    // They are part of the recording …
    let owner = "org.jboss.byteman";
    let events = stdout(&run(jinsi().arg("events").arg(&trace)));
    assert!(events.contains(owner), "{events}");
    // … and of no test.
    let output = run(jinsi().arg("minimize").arg("--out").arg(&out).arg(&trace));
    let report =
        std::fs::read(out.join("report.json")).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    let report: Value = serde_json::from_slice(&report).unwrap();
    let levels = report["levels"].as_array().unwrap();
    // Those of Main are private methods, which only a replay can call.
    let of_objects: Vec<&Value> = levels
        .iter()
        .filter(|level| level["name"] != "vending.Main")
        .collect();
    assert!(!of_objects.is_empty());
    for level in of_objects {
        assert_eq!(level["engine"], "direct", "{level}");
        assert_eq!(level["test_form"], "plain", "{level}");
        assert_eq!(level["test_outcome"], "reproduces", "{level}");
    }
}

/// The jars of JUnit and Mockito, and the compiled tests.
fn mocking(directory: &Path) -> (Vec<PathBuf>, PathBuf) {
    let jars = maven::fetch(&[&[maven::JUNIT], &maven::MOCKITO[..]].concat())
        .expect("JUnit and Mockito from Maven Central");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/mocking");
    let sources: Vec<PathBuf> = std::fs::read_dir(sources)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    let classes = directory.join("classes");
    let oldest = jdks().into_iter().min_by_key(|j| j.version().feature);
    compile::javac(&oldest.unwrap(), &sources, &jars, &classes).unwrap();
    let mockito = jars[1].clone();
    let mut class_path = vec![classes];
    class_path.extend(jars);
    (class_path, mockito)
}

/// Arguments of the real calls of `Till.add` that are in the trace, in their order.
fn real_calls(trace: &Path) -> Vec<String> {
    let rows = json(&run(jinsi()
        .args(["events", "--json", "--class", "mocking.Till"])
        .arg(trace)));
    let argument = |row: &Value| {
        let text = row["text"].as_str()?;
        let arguments = text.strip_prefix("mocking.Till.add(#")?;
        let (_, coin) = arguments.trim_end_matches(')').split_once(", ")?;
        (row["kind"] == "Enter" && coin.len() == 4).then(|| coin.to_owned())
    };
    rows.as_array()
        .unwrap()
        .iter()
        .filter_map(argument)
        .collect()
}

/// Mockito attached by itself, and named on the command line behind and before our agent.
#[test]
#[ignore = "long: two agents"]
fn classes_that_mockito_retransforms() {
    let directory = tempdir().unwrap();
    let (class_path, mockito) = mocking(directory.path());
    for jdk in tried_jdks() {
        for agents in ["ours", "ours theirs", "theirs ours"] {
            let context = format!("Java {}, {agents}", jdk.version());
            let path = directory
                .path()
                .join(format!("{}-{agents}.jinsi", jdk.version().feature));
            let option = |agent| match agent {
                "ours" => ours("mocking.Till", &path),
                _ => format!("-javaagent:{}", mockito.display()),
            };
            let options: Vec<String> = agents.split(' ').map(option).collect();
            let tests = junit::run(&jdk, &class_path, &["mocking.MockingTest"], &options).unwrap();
            assert_eq!(tests.len(), 7, "{context}");
            for test in tests {
                assert_eq!(
                    test.result,
                    JunitResult::Passed,
                    "{context} {}",
                    test.method
                );
            }
            let trace = Trace::open(&path).unwrap();
            // Seven tests call it for real, after whatever was done to the class; one the same class in another loader, too.
            let (elsewhere, here): (Vec<_>, Vec<_>) =
                real_calls(&path).into_iter().partition(|c| c == "1002");
            assert_eq!(here, ["1000", "1001"].repeat(7), "{context}");
            assert_eq!(elsewhere.len(), 1, "{context}");
            let mut sites: Vec<_> = trace
                .sites()
                .iter()
                .map(|s| (s.kind as u8, s.method.clone(), s.bci, s.line))
                .collect();
            sites.sort();
            let before = sites.len();
            sites.dedup();
            if agents == "theirs ours" {
                // Our agent gets Mockito's bytes then, and says so.
                let changed = |s: &Skipped| s.reason.contains("another agent changed it");
                assert!(trace.skipped().iter().any(changed), "{context}");
            } else {
                // However often the class came, its sites are there once.
                assert_eq!(before, sites.len(), "{context}: {sites:?}");
                assert!(trace.skipped().is_empty(), "{context}");
            }
            let entered = trace.sites().iter().any(|s| s.kind == EventKind::Enter);
            assert!(entered, "{context}");
        }
    }
}
