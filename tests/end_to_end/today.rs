//! Tests of the replay form run the classes of today: red before a repair, green after it, aborted where the recording does not know.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jinsi_jdk::junit::{self, JunitResult};
use jinsi_jdk::{Jdk, compile, maven};
use jinsi_platform::process::heed_signals;
use tempfile::{TempDir, tempdir};

use super::support::{has, jdks, jinsi, jod3, json, record, record_from, run, stdout, succeed};

/// The statement of the program `asked` that fails.
const FAILING: &str = "return units * tariff.price() + name.length();";

/// A report whose test needs the recording, and what it takes to run that.
struct Replayed {
    report: PathBuf,
    /// Path of the test below `tests`, without an ending.
    test: String,
}

impl Replayed {
    /// Of the level of these classes, with tests for this version of JUnit.
    fn of(trace: &Path, observe: &str, junit: &str, report: PathBuf) -> Self {
        let output = succeed(
            jinsi()
                .args(["--json", "minimize", "--form", "replay", "--no-slice"])
                .args(["--junit", junit, "--observe", observe, "--out"])
                .arg(&report)
                .arg(trace),
        );
        let level = &json(&output)["levels"][0];
        assert_eq!(level["test_form"], "replay", "{level:#}");
        assert_eq!(level["test_outcome"], "reproduces", "{level:#}");
        let file = level["test_file"].as_str().unwrap();
        let test = file.strip_prefix("tests/").unwrap();
        let test = test.strip_suffix(".java").unwrap().to_owned();
        Self { report, test }
    }

    fn source(&self) -> String {
        let file = self.report.join("tests").join(&self.test);
        fs::read_to_string(file.with_extension("java")).unwrap()
    }

    /// How the test ends, compiled against and run with these classes; `change` is made to its source.
    fn ends(&self, jdk: &Jdk, classes: &Path, change: impl Fn(String) -> String) -> JunitResult {
        let directory = tempdir().unwrap();
        let source = directory.path().join(&self.test).with_extension("java");
        fs::create_dir_all(source.parent().unwrap()).unwrap();
        fs::write(&source, change(self.source())).unwrap();
        let mut class_path = vec![
            self.report.join("tests"),
            classes.to_owned(),
            self.report.join("lib/jinsi-junit"),
        ];
        class_path.extend(maven::fetch(&[&[maven::JUNIT], &maven::JUNIT_4[..]].concat()).unwrap());
        compile::javac(jdk, &[source], &class_path, directory.path()).unwrap();
        class_path.insert(0, directory.path().to_owned());
        let name = self.test.replace('/', ".");
        let mut outcomes = junit::run(jdk, &class_path, &[&name], &[]).unwrap();
        assert_eq!(outcomes.len(), 1);
        outcomes.remove(0).result
    }
}

/// The program `asked` with something else in the place of the statement that fails.
fn asked(statement: &str, more: &[(&str, &str)]) -> TempDir {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/asked");
    let changed = tempdir().unwrap();
    let mut sources = Vec::new();
    let mut add = |name: &str, text: &str| {
        let file = changed.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        sources.push(file);
    };
    for name in ["app/Bill.java", "out/Tariff.java", "out/Tariffs.java"] {
        let text = fs::read_to_string(programs.join(name)).unwrap();
        assert_eq!(text.contains(FAILING), name == "app/Bill.java");
        add(name, &text.replace(FAILING, statement));
    }
    more.iter().for_each(|(name, text)| add(name, text));
    let classes = tempdir().unwrap();
    compile::javac(&jdks()[0], &sources, &[], classes.path()).unwrap();
    classes
}

fn skipped(result: &JunitResult) -> &str {
    match result {
        JunitResult::Skipped(why) => why,
        other => panic!("not aborted: {other:?}"),
    }
}

fn thrown(result: &JunitResult) -> &str {
    match result {
        JunitResult::Failed(failure) => &failure.exception,
        other => panic!("no failure: {other:?}"),
    }
}

const NULL: &str = "java.lang.NullPointerException";

/// Red as recorded also where lines have moved; green once repaired, also by a class that is new; aborted, with the question, where nothing is known.
#[test]
#[ignore = "long: many versions of a program; one has JUnit 4"]
fn a_replay_test_follows_the_code_of_today() {
    let directory = tempdir().unwrap();
    let jdks = jdks();
    let trace = record(&jdks[0], directory.path(), "asked.app.Main", "asked.app.*");
    let test = Replayed::of(
        &trace,
        "asked.app.Bill",
        "5",
        directory.path().join("report"),
    );
    let source = test.source();
    has(&source, "@ExtendWith(JinsiReplay.class)");
    assert!(source.contains("passes as soon as"), "{source}");
    let newest = jdks.last().unwrap();
    let ends = |statement: &str| test.ends(newest, asked(statement, &[]).path(), |same| same);

    assert_eq!(thrown(&ends(FAILING)), NULL);
    let moved = format!("int letters = 0;\n\n        letters += 1;\n        {FAILING}");
    assert_eq!(thrown(&ends(&moved)), NULL);

    let repaired = "return units * tariff.price() + (name == null ? 0 : name.length());";
    assert_eq!(ends(repaired), JunitResult::Passed);
    let letters = "package asked.app;\n\nclass Letters {\n    static int of(String text) {\n        return text == null ? 0 : text.length();\n    }\n}\n";
    let with_class = asked(
        "return units * tariff.price() + Letters.of(name);",
        &[("app/Letters.java", letters)],
    );
    let passed = test.ends(newest, with_class.path(), |same| same);
    assert_eq!(passed, JunitResult::Passed);

    let fee = ends("return name == null ? tariff.fee() : name.length();");
    let why = skipped(&fee);
    has(why, "asked/out/Tariff.fee: never recorded");
    has(why, "Bill.due");
    // Asked about somebody else: the recorded answer is no answer.
    let other = ends("return name == null && tariff.nameOf(\"x\" + customer) == null ? 0 : 1;");
    assert!(skipped(&other).contains("nameOf"), "{other:?}");

    // The recorded classes stay as they were.
    let recorded = |source: String| {
        let import = "import jinsi.junit.JinsiReplay;\n";
        let annotation = "@ExtendWith(JinsiReplay.class)\n";
        source
            .replace(import, &format!("{import}import jinsi.junit.ReplayMode;\n"))
            .replace(
                annotation,
                &format!("{annotation}@ReplayMode(recorded = true)\n"),
            )
    };
    let red = test.ends(newest, asked(repaired, &[]).path(), recorded);
    assert_eq!(thrown(&red), NULL);
}

/// JUnit 4 has another word for the same.
#[test]
#[ignore = "long: several versions of a program"]
fn a_replay_test_for_junit_4_follows_the_code_of_today() {
    let directory = tempdir().unwrap();
    let jdk = &jdks()[0];
    let trace = record(jdk, directory.path(), "asked.app.Main", "asked.app.*");
    let test = Replayed::of(
        &trace,
        "asked.app.Bill",
        "4",
        directory.path().join("report"),
    );
    let ends = |statement: &str| test.ends(jdk, asked(statement, &[]).path(), |same| same);
    assert_eq!(thrown(&ends(FAILING)), NULL);
    let passed = ends("return units * tariff.price() + (name == null ? 0 : name.length());");
    assert_eq!(passed, JunitResult::Passed);
    let fee = ends("return name == null ? tariff.fee() : name.length();");
    assert!(skipped(&fee).contains("asked/out/Tariff.fee: never recorded"));
}

/// JOD-3 in a project of Maven: its test is red with the release that has the bug, and green with the one in which it is repaired, without
/// another recording.
#[test]
#[ignore = "long: a Maven project"]
fn a_replay_test_of_jod_3_turns_green_with_the_repaired_release() {
    let directory = tempdir().unwrap();
    let jdk = &jdks()[0];
    let trace = record_from(
        jdk,
        directory.path(),
        jod3().as_ref(),
        "-Duser.timezone=America/Los_Angeles jod3.Jod3",
        "org.joda.time.*:jod3.*",
    );
    let test = Replayed::of(
        &trace,
        "org.joda.time.*",
        "5",
        directory.path().join("report"),
    );
    let project = directory.path().join("project");
    for (ending, root) in [("java", "src/test/java"), ("jinsi", "src/test/resources")] {
        let to = project.join(root).join(&test.test).with_extension(ending);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        let from = test.report.join("tests").join(&test.test);
        fs::copy(from.with_extension(ending), to).unwrap();
    }
    let jar = project.join("jinsi-junit.jar");
    let mut pack = Command::new(jdk.home().join("bin/jar"));
    pack.args(["--create", "--file"]).arg(&jar).arg("-C");
    assert!(
        run(pack.arg(test.report.join("lib/jinsi-junit")).arg("."))
            .status
            .success()
    );
    fs::write(project.join("pom.xml"), POM).unwrap();

    let said = surefire(jdk, &project, "1.6");
    has(&said, "Tests run: 1, Failures: 0, Errors: 1, Skipped: 0");
    has(
        &said,
        "ArithmeticException: Adding time zone offset caused overflow",
    );
    let said = surefire(jdk, &project, "1.6.2");
    has(&said, "Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
}

const POM: &str = r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>jod3</groupId>
  <artifactId>jod3</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>11</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>joda-time</groupId><artifactId>joda-time</artifactId><version>${joda}</version></dependency>
    <dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version></dependency>
    <dependency><groupId>jinsi</groupId><artifactId>junit</artifactId><version>1</version><scope>system</scope><systemPath>${project.basedir}/jinsi-junit.jar</systemPath></dependency>
  </dependencies>
</project>
"#;

/// What Maven says when Surefire runs the project's tests with this release of Joda-Time.
fn surefire(jdk: &Jdk, project: &Path, joda: &str) -> String {
    let mut mvn = Command::new("mvn");
    heed_signals(&mut mvn);
    let output = run(mvn
        .current_dir(project)
        .env("JAVA_HOME", jdk.home())
        .env_remove("JAVA_TOOL_OPTIONS")
        .args(["-B", "-Dmaven.test.failure.ignore=true"])
        .arg(format!("-Djoda={joda}"))
        .args([
            "org.apache.maven.plugins:maven-resources-plugin:3.3.1:testResources",
            "org.apache.maven.plugins:maven-compiler-plugin:3.13.0:testCompile",
            "org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test",
        ]));
    stdout(&output)
}
