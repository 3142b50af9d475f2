//! Programs in Kotlin, Scala and Groovy get tests in Java that call them as Java would.

use std::env::join_paths;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use jinsi_jdk::{Jdk, maven};
use serde_json::Value;
use tempfile::tempdir;

use super::support::{agent, has, is_plain, jinsi, json, run, succeed, tried_jdks};

/// A language: its compiler, what compiled code needs of it, and the program.
pub(super) struct Language {
    source: &'static str,
    compiler: &'static [&'static str],
    main: &'static str,
    options: &'static [&'static str],
    library: &'static [&'static str],
    program: &'static str,
}

const KOTLIN: Language = Language {
    source: "Shop.kt",
    compiler: &[
        "org.jetbrains.kotlin:kotlin-compiler-embeddable:2.2.20",
        "org.jetbrains.kotlin:kotlin-stdlib:2.2.20",
        "org.jetbrains.kotlin:kotlin-script-runtime:2.2.20",
        "org.jetbrains.kotlin:kotlin-reflect:1.6.10",
        "org.jetbrains.kotlin:kotlin-daemon-embeddable:2.2.20",
        "org.jetbrains:annotations:13.0",
        "org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.8.0",
    ],
    main: "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
    options: &["-no-stdlib", "-no-reflect", "-jvm-target", "17"],
    library: &["org.jetbrains.kotlin:kotlin-stdlib:2.2.20"],
    program: "shop.ShopKt",
};
/// The same, with coroutines.
pub(super) const COROUTINES: Language = Language {
    source: "Port.kt",
    library: &[
        "org.jetbrains.kotlin:kotlin-stdlib:2.2.20",
        "org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.8.0",
    ],
    program: "port.PortKt",
    ..KOTLIN
};
const SCALA: Language = Language {
    source: "Shop.scala",
    compiler: &[
        "org.scala-lang:scala3-compiler_3:3.3.6",
        "org.scala-lang:scala3-interfaces:3.3.6",
        "org.scala-lang:scala3-library_3:3.3.6",
        "org.scala-lang:tasty-core_3:3.3.6",
        "org.scala-lang:scala-library:2.13.16",
        "org.scala-lang.modules:scala-asm:9.8.0-scala-1",
        "org.scala-sbt:compiler-interface:1.10.4",
        "org.scala-sbt:util-interface:1.10.4",
    ],
    main: "dotty.tools.dotc.Main",
    options: &[],
    library: &[
        "org.scala-lang:scala3-library_3:3.3.6",
        "org.scala-lang:scala-library:2.13.16",
    ],
    program: "shop.run",
};
const GROOVY: Language = Language {
    source: "Shop.groovy",
    compiler: &["org.apache.groovy:groovy:4.0.23"],
    main: "org.codehaus.groovy.tools.FileSystemCompiler",
    options: &[],
    library: &["org.apache.groovy:groovy:4.0.23"],
    program: "shop.Shop",
};

impl Language {
    /// Compiles the program; gives its class path.
    fn compiled(&self, jdk: &Jdk, classes: &Path) -> OsString {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages");
        self.compiled_from(jdk, &sources.join(self.source), classes)
    }

    /// The same from another source file.
    pub(super) fn compiled_from(&self, jdk: &Jdk, source: &Path, classes: &Path) -> OsString {
        let fetched = |jars: &[&str]| join_paths(maven::fetch(jars).unwrap()).unwrap();
        let mut compiler = jdk.command();
        compiler.arg("-XX:TieredStopAtLevel=1").arg("-cp");
        compiler.arg(fetched(self.compiler)).arg(self.main);
        if self.main != GROOVY.main {
            compiler.arg("-classpath").arg(fetched(self.library));
        }
        let compiler = compiler.args(self.options).arg("-d").arg(classes);
        succeed(compiler.arg(source));
        let mut path = vec![classes.to_path_buf()];
        path.extend(maven::fetch(self.library).unwrap());
        join_paths(path).unwrap()
    }

    /// Records and minimizes the program. Each level has to have a test in plain Java that fails as recorded.
    fn minimized(&self, jdk: &Jdk, directory: &Path) -> Value {
        let classes = directory.join("classes");
        fs::create_dir(&classes).unwrap();
        let path = self.compiled(jdk, &classes);
        let trace = directory.join("t.jinsi");
        let option = format!("=observe=shop.*,out={}", trace.display());
        let mut agent_path = OsString::from("-agentpath:");
        agent_path.push(agent());
        agent_path.push(option);
        let failed = run(jdk
            .command()
            .arg(agent_path)
            .arg("-cp")
            .arg(&path)
            .arg(self.program));
        assert!(!failed.status.success());
        let out = directory.join("report");
        let report = json(&run(jinsi()
            .args(["--json", "minimize", "--out"])
            .arg(&out)
            .arg(&trace)));
        for level in report["levels"].as_array().unwrap() {
            is_plain(level);
        }
        report
    }
}

/// The body of a level's test, in one line.
fn body(level: &Value, directory: &Path) -> String {
    let file = level["test_file"].as_str().unwrap();
    let text = fs::read_to_string(directory.join("report").join(file)).unwrap();
    let body = text.split("@Test").nth(1).unwrap();
    let body = body.split("// Until the repair").next().unwrap();
    body.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
#[ignore = "long: gets the compiler of Kotlin"]
fn kotlin_is_called_as_java_would() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let report = KOTLIN.minimized(&jdk, directory.path());
        let levels = report["levels"].as_array().unwrap();
        let lowest = body(&levels[0], directory.path());
        let wanted =
            "Basket.Companion.of(new Item[0]).without(item -> item.getCents() >= 100).mean(0);";
        assert!(lowest.contains(wanted), "{lowest}");
        let register = body(&levels[1], directory.path());
        has(&register, "register.total(Arrays.asList(basket2));");
        assert_eq!(report["keep"], levels[1]["test_file"]);
        // The `main` without parameters, not the one that the JVM is given.
        let whole = body(&levels[2], directory.path());
        assert!(whole.contains("ShopKt.main();"), "{whole}");
    }
}

#[test]
#[ignore = "long: gets the compiler of Scala"]
fn scala_is_called_as_java_would() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let report = SCALA.minimized(&jdk, directory.path());
        let levels = report["levels"].as_array().unwrap();
        let lowest = body(&levels[0], directory.path());
        for wanted in [
            "Basket$ basket = Basket$.MODULE$;",
            ".without(item4 -> item4.cents() >= 100).mean(0);",
        ] {
            assert!(lowest.contains(wanted), "{lowest}");
        }
    }
}

#[test]
#[ignore = "long: gets the compiler of Groovy"]
fn groovy_is_called_as_java_would() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let report = GROOVY.minimized(&jdk, directory.path());
        let levels = report["levels"].as_array().unwrap();
        let lowest = body(&levels[0], directory.path());
        let wanted = "Basket basket = new Basket(new ArrayList<>()); basket.below(0).mean();";
        assert!(lowest.contains(wanted), "{lowest}");
        assert_eq!(report["keep"], levels[0]["test_file"]);
    }
}
