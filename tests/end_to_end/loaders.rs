//! Classes of one name that several loaders define.

use std::path::Path;
use std::process::{Command, Output};

use jinsi_jdk::{Jdk, compile};
use serde_json::Value;
use tempfile::tempdir;

use super::support::{jinsi, json, recording_option, run, succeed, tried_jdks};

const MAIN: &str = "import java.io.File;
    import java.net.URL;
    import java.net.URLClassLoader;
    public class Main {
        public static void main(String[] args) throws Exception {
            for (String directory : args) {
                URL[] path = {new File(directory).toURI().toURL()};
                try (URLClassLoader loader = new URLClassLoader(path, null)) {
                    Runnable thing = (Runnable) loader.loadClass(\"twice.Thing\").getDeclaredConstructor().newInstance();
                    thing.run();
                }
            }
        }
    }";

/// Compiles `source` into `directory`.
fn compiled(jdk: &Jdk, directory: &Path, name: &str, source: &str) -> String {
    std::fs::create_dir_all(directory).unwrap();
    let file = directory.join(name);
    std::fs::write(&file, source).unwrap();
    compile::javac(jdk, &[file], &[], directory).unwrap();
    directory.display().to_string()
}

fn thing(answer: u32) -> String {
    format!(
        "package twice;
        public class Thing implements Runnable {{
            private static int runs;
            public void run() {{ runs += step({answer}); System.out.println(runs); }}
            private static int step(int by) {{ return by; }}
        }}"
    )
}

/// `jinsi info` and the texts of the `Enter` events of a program that is recorded.
fn recorded(jdk: &Jdk, class_path: &str, directories: &[&str]) -> (Output, Value, Vec<String>) {
    let directory = tempdir().unwrap();
    let trace = directory.path().join("t.jinsi");
    let agent = recording_option("observe=twice.*", &trace);
    let output = succeed(
        Command::new(jdk.java())
            .args([&agent, "-cp", class_path, "Main"])
            .args(directories),
    );
    let info = json(&run(jinsi().args(["info", "--json"]).arg(&trace)));
    let events = json(&run(jinsi().args(["events", "--json"]).arg(&trace)));
    let entered = events
        .as_array()
        .unwrap()
        .iter()
        .filter(|e| e["kind"] == "Enter")
        .map(|e| e["text"].as_str().unwrap().to_owned())
        .collect();
    (output, info, entered)
}

#[test]
fn every_loader_of_the_same_class_file_is_recorded() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let main = compiled(&jdk, &at("main"), "Main.java", MAIN);
        let first = compiled(&jdk, &at("first"), "Thing.java", &thing(1));
        let (_, info, entered) = recorded(&jdk, &main, &[&first, &first, &first]);
        let runs = |text: &str| entered.iter().filter(|e| e.starts_with(text)).count();
        assert_eq!(runs("twice.Thing.<init>("), 3, "{entered:?}");
        assert_eq!(runs("twice.Thing.run(#"), 3, "{entered:?}");
        assert_eq!(runs("twice.Thing.step(1)"), 3, "{entered:?}");
        assert_eq!(info["classes"]["observed"], 1);
        assert_eq!(info["losses"]["classes_skipped"], Value::Array(vec![]));
    }
}

#[test]
fn a_different_class_of_a_known_name_is_named() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let main = compiled(&jdk, &at("main"), "Main.java", MAIN);
        let first = compiled(&jdk, &at("first"), "Thing.java", &thing(1));
        let second = compiled(&jdk, &at("second"), "Thing.java", &thing(2));
        let (output, info, entered) = recorded(&jdk, &main, &[&first, &second, &first]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "1\n2\n1\n");
        let steps: Vec<&String> = entered.iter().filter(|e| e.contains(".step(")).collect();
        assert_eq!(steps, ["twice.Thing.step(1)", "twice.Thing.step(1)"]);
        let skipped = &info["losses"]["classes_skipped"];
        assert_eq!(skipped[0]["class"], "twice.Thing");
        let reason = skipped[0]["reason"].as_str().unwrap();
        assert!(reason.contains("different class of this name"), "{reason}");
    }
}
