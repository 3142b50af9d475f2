//! The test to keep goes into a project.

use std::collections::BTreeMap;
use std::env::split_paths;
use std::fs;
use std::path::{Path, PathBuf};

use jinsi_jdk::junit::{self, JunitResult};
use jinsi_jdk::{compile, maven};
use tempfile::tempdir;

use super::suites;
use super::support::{has, in_turn, jdks, jinsi, programs, record, run, stderr, stdout, succeed};

#[test]
fn the_recommended_test_is_put_among_those_of_a_project() {
    let directory = tempdir().unwrap();
    let trace = record(&jdks()[0], directory.path(), "xmltree.Main", "xmltree.*");
    let root = directory.path().join("project/src/test/java");
    fs::create_dir_all(root.join("xmltree")).unwrap();
    let neighbour = "package xmltree;\n\nimport org.junit.Test;\n\npublic class XMLElementRegressionTest {\n  @Test\n  public void none() { }\n}\n";
    let taken = root.join("xmltree/XMLElementRegressionTest.java");
    fs::write(&taken, neighbour).unwrap();
    let out = directory.path().join("report");
    let output = succeed(
        jinsi()
            .args(["minimize", "--observe", "xmltree.XMLElement", "--into"])
            .arg(&root)
            .arg("--out")
            .arg(&out)
            .arg(&trace),
    );
    let said = stdout(&output);
    has(
        &said,
        "It needs nothing but JUnit. There is no other test to choose from.\n",
    );
    let written = out.join("tests/xmltree/XMLElementLevel1Test.java");
    let written = fs::read_to_string(written).unwrap();
    let statement = written.lines().find(|l| l.contains(".addChild("));
    assert!(said.contains(statement.unwrap()), "{said}");
    // Under another name, for JUnit 4, and by two blanks, as its neighbour.
    assert_eq!(fs::read_to_string(&taken).unwrap(), neighbour);
    let placed = root.join("xmltree/XMLElementRegression2Test.java");
    assert!(stderr(&output).contains(&placed.display().to_string()));
    let source = fs::read_to_string(&placed).unwrap();
    assert!(
        source.contains("\npublic class XMLElementRegression2Test {\n")
            && source.contains("\n  @Test\n  public void ")
            && source.contains("-Dtest=XMLElementRegression2Test}"),
        "{source}"
    );
    let mut class_path = maven::fetch(&[maven::JUNIT]).unwrap();
    class_path.extend(maven::fetch(&maven::JUNIT_4).unwrap());
    class_path.push(programs().to_path_buf());
    let compiled = tempdir().unwrap();
    compile::javac(&jdks()[0], &[placed], &class_path, compiled.path()).unwrap();
}

#[test]
fn a_project_that_is_not_there_is_named_before_anything_is_done() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("report");
    let root = directory.path().join("src/test/java");
    let output = run(jinsi()
        .args(["debug", "--into"])
        .arg(&root)
        .arg("--out")
        .arg(&out)
        .args(["--", "java", "-version"]));
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    has(
        &said,
        "no such directory; name the root of your test sources",
    );
    assert!(!out.exists());
}

/// The tests that are put into a project whose tests look like `neighbour`, of a recorded suite in which one test is failed by an exception,
/// one by another than it expects, and one by a wrong value: name of the class, and source.
/// With `test`, of the one with this name alone.
fn put_beside(neighbour: &str, trace: &Path, test: Option<&str>) -> BTreeMap<String, String> {
    let directory = tempdir().unwrap();
    let root = directory.path().join("src/test/java");
    fs::create_dir_all(root.join("suite")).unwrap();
    fs::write(root.join("suite/NeighbourTest.java"), neighbour).unwrap();
    let output = run(jinsi()
        .args(["minimize", "--no-slice", "--into"])
        .arg(&root)
        .arg("--out")
        .arg(directory.path().join("report"))
        .args(test.iter().flat_map(|name| ["--test", name]))
        .arg(trace));
    assert!(output.status.success(), "{}", stderr(&output));
    let mut sources = BTreeMap::new();
    for entry in fs::read_dir(root.join("suite")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        sources.insert(name, fs::read_to_string(&path).unwrap());
    }
    assert!(sources.remove("NeighbourTest").is_some());
    sources
}

/// Compiles and runs the tests as the project would: each fails, by what was recorded or by an assertion.
fn fail_as_recorded(sources: &BTreeMap<String, String>) {
    let jdk = &jdks()[0];
    let mut class_path: Vec<PathBuf> = split_paths(suites::class_path()).collect();
    let engine = maven::TESTNG[3];
    class_path.extend(maven::fetch(&[maven::JUNIT_4[1], maven::ASSERTJ, engine]).unwrap());
    let (written, compiled) = (tempdir().unwrap(), tempdir().unwrap());
    let files: Vec<PathBuf> = sources
        .iter()
        .map(|(name, source)| {
            let file = written.path().join(format!("{name}.java"));
            fs::write(&file, source).unwrap();
            file
        })
        .collect();
    compile::javac(jdk, &files, &class_path, compiled.path()).unwrap();
    class_path.insert(0, compiled.path().to_path_buf());
    let names: Vec<String> = sources.keys().map(|name| format!("suite.{name}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let outcomes = junit::run(jdk, &class_path, &names, &[]).unwrap();
    assert_eq!(outcomes.len(), sources.len(), "{outcomes:?}");
    let failures: Vec<&str> = outcomes
        .iter()
        .map(|outcome| match &outcome.result {
            JunitResult::Failed(failure) => failure.exception.as_str(),
            other => panic!("{other:?}"),
        })
        .collect();
    // The one that was expected to be another is in the way of the expectation.
    let recorded = |name: &&str| {
        name.ends_with("AssertionError")
            || name.ends_with("AssertionFailedError")
            || name.ends_with("IllegalArgumentException")
            || name.ends_with("IllegalStateException")
    };
    assert!(failures.iter().all(recorded), "{failures:?}");
}

/// The traces of a recorded suite, as a build leaves them.
#[test]
#[ignore = "long: projects of each kind"]
fn tests_are_written_as_those_of_the_project() {
    let directory = tempdir().unwrap();
    let trace = directory.path().join("t.jinsi");
    let observe = "suite.Stock:suite.StockTest";
    suites::record_observing(&jdks()[0], &trace, observe, &suites::JUNIT5);
    let three = "package suite;\n\nimport junit.framework.TestCase;\n\npublic class NeighbourTest extends TestCase {\n    public void testNone() { }\n}\n";
    let ng = "package suite;\n\nimport org.testng.annotations.Test;\n\npublic class NeighbourTest {\n    @Test\n    public void none() { }\n}\n";
    let assertj = "package suite;\n\nimport static org.assertj.core.api.Assertions.assertThat;\n\nimport org.junit.jupiter.api.Test;\n\nclass NeighbourTest {\n    @Test\n    void none() { }\n}\n";
    let neighbours = vec![
        (
            three,
            Some("refusesNobody"),
            "        } catch (NullPointerException expected) {",
        ),
        (
            ng,
            Some("refusesNobody"),
            "        Assert.assertThrows(NullPointerException.class, () -> ",
        ),
        (
            assertj,
            Some("countsCustomers"),
            "        assertThat(stock.pack()).isEqualTo(1);",
        ),
    ];
    for (neighbour, test, wanted) in in_turn(neighbours) {
        let sources = put_beside(neighbour, &trace, test);
        assert_eq!(sources.len(), 1, "{sources:?}");
        let all: String = sources.values().map(String::as_str).collect();
        assert!(all.contains(wanted), "{all}");
        let frameworks = ["org.junit.jupiter", "org.testng", "junit.framework"];
        for framework in frameworks.iter().filter(|name| !neighbour.contains(**name)) {
            assert!(!all.contains(framework), "{all}");
        }
        fail_as_recorded(&sources);
    }
}

/// What is not Java has its tests in Java beside it.
#[test]
fn a_directory_of_kotlin_tests_has_one_for_java_beside_it() {
    let directory = tempdir().unwrap();
    let trace = record(&jdks()[0], directory.path(), "xmltree.Main", "xmltree.*");
    let root = directory.path().join("src/test/kotlin");
    fs::create_dir_all(root.join("xmltree")).unwrap();
    let neighbour = "package xmltree\n\nimport org.junit.Test\n\nclass NoneTest {\n    @Test\n    fun none() { }\n}\n";
    fs::write(root.join("xmltree/NoneTest.kt"), neighbour).unwrap();
    let output = succeed(
        jinsi()
            .args(["minimize", "--observe", "xmltree.XMLElement", "--into"])
            .arg(&root)
            .arg("--out")
            .arg(directory.path().join("report"))
            .arg(&trace),
    );
    let said = stderr(&output);
    assert!(said.contains("are Kotlin, and jinsi writes Java"), "{said}");
    let placed = directory
        .path()
        .join("src/test/java/xmltree/XMLElementRegressionTest.java");
    let source = fs::read_to_string(placed).unwrap();
    assert!(source.contains("import org.junit.Test;"), "{source}");
}
