//! The test to keep goes into a project.

use std::fs;

use jinsi_jdk::{compile, maven};
use tempfile::tempdir;

use super::support::{jdks, jinsi, programs, record, run, stderr, stdout};

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
    let output = run(jinsi()
        .args(["minimize", "--observe", "xmltree.XMLElement", "--into"])
        .arg(&root)
        .arg("--out")
        .arg(&out)
        .arg(&trace));
    assert!(output.status.success(), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(
        said.contains("It needs nothing but JUnit; no other written test fails as recorded.\n"),
        "{said}"
    );
    let written = out.join("tests/xmltree/XMLElementLevel1Test.java");
    assert!(said.contains(fs::read_to_string(written).unwrap().trim_end()));
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
    assert!(
        said.contains("no such directory; it is the one above the packages"),
        "{said}"
    );
    assert!(!out.exists());
}
