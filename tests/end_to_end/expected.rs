//! What a failed test expected, its minimal test expects, too: it fails on the program as it is, and passes on the repaired one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jinsi_jdk::junit::{self, JunitResult};
use jinsi_jdk::{Jdk, compile, maven};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use super::suites::class_path;
use super::support::{agent, jdks, jinsi, run, stderr};

const EMPTY: &str = r#"package cellar;

public class Empty extends Exception {
    public Empty(String message) {
        super(message);
    }
}
"#;

const LOT: &str = r#"package cellar;

public class Lot {
    private final String wine;
    private final int number;

    Lot(String wine, int number) {
        this.wine = wine;
        this.number = number;
    }

    public String wine() {
        return wine;
    }

    public int number() {
        return number;
    }
}
"#;

/// `/* … */` stands for what is done only in the repaired one.
const CELLAR: &str = r#"package cellar;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class Cellar {
    private final Map<String, Integer> bottles = new TreeMap<>();
    private int most = 100;

    public Cellar() {
    }

    public Cellar(Cellar other) {
        bottles.putAll(other.bottles);
        /* most = other.most; */
    }

    public void limit(int number) {
        most = number;
    }

    public void put(String wine, int number) {
        bottles.merge(wine, number, Integer::sum);
    }

    public void empty(String wine) {
        /* bottles.remove(wine); */
    }

    public int room() {
        int all = 0;
        for (int number : bottles.values()) {
            all += number;
        }
        return most - all;
    }

    public int fetch(String wine, int number) throws Empty {
        Integer there = bottles.get(wine);
        if (there == null) {
            throw new Empty("no " + wine/* */.length()/* */);
        }
        /* if (there < number) { throw new Empty("not enough " + wine); } */
        bottles.put(wine, there - number);
        return 100 / number;
    }

    public int after(int years) {
        return years/* + 1 */;
    }

    public List<Lot> lots(int least) {
        List<Lot> lots = new ArrayList<>();
        for (Map.Entry<String, Integer> entry : bottles.entrySet()) {
            if (entry.getValue() >= least/* + 1 */) {
                lots.add(new Lot(entry.getKey(), entry.getValue()));
            }
        }
        return lots;
    }
}
"#;

const TEST: &str = r#"package cellar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class CellarTest {
    private final Cellar cellar = new Cellar();

    @BeforeEach
    void fill() {
        cellar.put("rioja", 2);
        cellar.put("port", 7);
    }

    @Test
    void nothingIsThrown() {
        assertThrows(Empty.class, () -> cellar.fetch("rioja", 3));
    }

    @Test
    void oneOfTwoThrows() {
        assertThrows(Empty.class, () -> {
            cellar.fetch("rioja", 5);
            cellar.put("dao", 1);
        });
    }

    @Test
    void anotherIsThrown() {
        cellar.put("dao", -1);
        assertThrows(Empty.class, () -> cellar.fetch("dao", 0));
    }

    @Test
    void tryGoesOn() {
        try {
            cellar.fetch("port", 8);
            fail("there are seven");
        } catch (Empty e) {
            assertNotNull(e.getMessage());
        }
    }

    @Test
    void messageOfOneCaught() {
        Empty e = assertThrows(Empty.class, () -> cellar.fetch("dao", 1));
        assertEquals("no dao", e.getMessage());
    }

    @Test
    void messageInAChain() {
        assertThatThrownBy(() -> cellar.fetch("dao", 1)).isInstanceOf(Empty.class).hasMessageContaining("dao");
    }

    @Test
    void messageOfType() {
        assertThatExceptionOfType(Empty.class).isThrownBy(() -> cellar.fetch("dao", 1)).withMessage("no dao");
    }

    @Test
    void nothingIsCaught() {
        assertThat(catchThrowable(() -> cellar.fetch("port", 9))).isInstanceOf(Empty.class);
    }

    @Test
    void lambdas() {
        assertThat(cellar.lots(2)).extracting(Lot::wine).containsExactly("port");
    }

    @Test
    void lambdasWithBodies() {
        assertThat(cellar.lots(2)).allSatisfy(lot -> assertThat(lot.number()).isGreaterThan(2));
    }

    @Test
    void copies() {
        cellar.limit(10);
        assertEquals(1, cellar.room());
        assertEquals(1, new Cellar(cellar).room());
    }

    @RepeatedTest(1)
    void grows(RepetitionInfo info) {
        assertTrue(new Cellar().after(info.getCurrentRepetition()) > info.getCurrentRepetition());
    }

    @Test
    void nothingIsDone() {
        cellar.empty("port");
        assertEquals(98, cellar.room());
    }
}
"#;

const OLD_TEST: &str = r#"package cellar;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ExpectedException;

public class OldCellarTest {
    @Rule
    public ExpectedException thrown = ExpectedException.none();

    private final Cellar cellar = new Cellar();

    @Before
    public void fill() {
        cellar.put("rioja", 2);
    }

    @Test(expected = Empty.class)
    public void declaredAndNotThrown() throws Empty {
        cellar.fetch("rioja", 3);
    }

    @Test(expected = Empty.class)
    public void declaredAndAnother() throws Empty {
        cellar.put("dao", -1);
        cellar.fetch("dao", 0);
    }

    @Test
    public void ruleAndNotThrown() throws Empty {
        thrown.expect(Empty.class);
        cellar.fetch("rioja", 4);
    }

    @Test
    public void ruleAndAnotherMessage() throws Empty {
        thrown.expect(Empty.class);
        thrown.expectMessage("dao");
        cellar.fetch("dao", 1);
    }
}
"#;

/// What is asked of the test of each failed one.
const WANTED: [(&str, &str); 17] = [
    (
        "nothingIsThrown",
        "assertThrows(Empty.class, () -> cellar.fetch(\"rioja\", 3))",
    ),
    (
        "oneOfTwoThrows",
        "() -> { cellar.fetch(\"rioja\", 5); cellar.put(\"dao\", 1); }",
    ),
    (
        "anotherIsThrown",
        "assertThrows(Empty.class, () -> cellar.fetch(\"dao\", 0))",
    ),
    (
        "tryGoesOn",
        "assertThrows(Empty.class, () -> cellar.fetch(\"port\", 8))",
    ),
    ("messageOfOneCaught", "assertEquals(\"no dao\", "),
    ("messageInAChain", ".getMessage().contains(\"dao\")"),
    ("messageOfType", "assertEquals(\"no dao\", "),
    (
        "nothingIsCaught",
        "assertThrows(Empty.class, () -> cellar.fetch(\"port\", 9))",
    ),
    ("lambdas", "extracting(Lot::wine)"),
    ("lambdasWithBodies", "allSatisfy(lot -> "),
    ("copies", "cellar.limit(10);"),
    ("grows[1]", "assertNotEquals(1, new Cellar().after(1))"),
    ("nothingIsDone", "cellar.empty(\"port\");"),
    (
        "declaredAndNotThrown",
        "assertThrows(Empty.class, () -> cellar.fetch(\"rioja\", 3))",
    ),
    (
        "declaredAndAnother",
        "assertThrows(Empty.class, () -> cellar.fetch(\"dao\", 0))",
    ),
    (
        "ruleAndNotThrown",
        "assertThrows(Empty.class, () -> cellar.fetch(\"rioja\", 4))",
    ),
    ("ruleAndAnotherMessage", ".getMessage().contains(\"dao\")"),
];

/// The program with its defects, or repaired.
fn program(repaired: bool) -> String {
    match repaired {
        // What stands between two empty comments goes.
        true => {
            let mut parts = CELLAR.split("/* */");
            let (head, tail) = (parts.next().unwrap(), parts.nth(1).unwrap());
            let whole = head.to_owned() + tail;
            let guard = "if (there < number) {";
            let or_none = "if (there < number || number == 0) {";
            whole
                .replace("/* ", "")
                .replace(" */", "")
                .replace(guard, or_none)
        }
        false => CELLAR.to_owned(),
    }
}

struct Suite {
    directory: TempDir,
    jdk: Jdk,
    /// JUnit and AssertJ.
    frameworks: Vec<PathBuf>,
}

impl Suite {
    fn new() -> Self {
        let mut frameworks: Vec<PathBuf> = std::env::split_paths(class_path()).collect();
        frameworks.extend(maven::fetch(&[maven::ASSERTJ, maven::JUNIT_4[1]]).unwrap());
        Self {
            directory: tempdir().unwrap(),
            jdk: jdks().remove(0),
            frameworks,
        }
    }

    fn root(&self) -> &Path {
        self.directory.path()
    }

    /// Compiles these sources beside each other.
    fn compile(&self, name: &str, sources: &[(&str, &str)], further: &[PathBuf]) -> PathBuf {
        let (from, to) = (
            self.root().join(format!("{name}-src")),
            self.root().join(name),
        );
        fs::create_dir_all(&from).unwrap();
        let files: Vec<PathBuf> = sources
            .iter()
            .map(|(name, source)| {
                let file = from.join(format!("{name}.java"));
                fs::write(&file, source).unwrap();
                file
            })
            .collect();
        let all = [further, &self.frameworks].concat();
        compile::javac(&self.jdk, &files, &all, &to).unwrap();
        to
    }

    fn program(&self, repaired: bool) -> PathBuf {
        let name = if repaired { "repaired" } else { "classes" };
        let cellar = program(repaired);
        self.compile(
            name,
            &[("Cellar", &cellar), ("Empty", EMPTY), ("Lot", LOT)],
            &[],
        )
    }

    fn record(&self, all: &[PathBuf]) -> PathBuf {
        let trace = self.root().join("t.jinsi");
        let agent = format!(
            "-agentpath:{}=observe=cellar.*,on=failure,out={}",
            agent().display(),
            trace.display()
        );
        let recorded = run(Command::new(self.jdk.java())
            .current_dir(self.root())
            .arg(agent)
            .arg("-cp")
            .arg(std::env::join_paths(all).unwrap())
            .args(["org.junit.platform.console.ConsoleLauncher", "execute"])
            .args(["-c", "cellar.CellarTest", "-c", "cellar.OldCellarTest"]));
        assert!(trace.is_file(), "{}", stderr(&recorded));
        trace
    }

    /// Does the written test, compiled with the program, fail?
    fn fails(&self, name: &str, source: &str, program: &Path) -> bool {
        let further = [program.to_owned()];
        let class = source
            .split("class ")
            .nth(1)
            .and_then(|rest| rest.split_whitespace().next());
        let class = class.unwrap();
        let compiled = self.compile(name, &[(class, source)], &further);
        let all = [&[compiled][..], &further, &self.frameworks].concat();
        let outcomes = junit::run(&self.jdk, &all, &[&format!("cellar.{class}")], &[]).unwrap();
        assert_eq!(outcomes.len(), 1, "{name}");
        matches!(outcomes[0].result, JunitResult::Failed(_))
    }
}

#[test]
fn what_a_test_expected_is_expected_below_it() {
    let suite = Suite::new();
    let (broken, repaired) = (suite.program(false), suite.program(true));
    let tests = [("CellarTest", TEST), ("OldCellarTest", OLD_TEST)];
    let tests = suite.compile("tests", &tests, std::slice::from_ref(&broken));
    let all = [&[tests, broken.clone()][..], &suite.frameworks].concat();
    let trace = suite.record(&all);
    let out = suite.root().join("report");
    let output = run(jinsi()
        .args(["minimize", "--no-slice", "--out"])
        .arg(&out)
        .arg(&trace));
    assert!(output.status.success(), "{}", stderr(&output));
    let all = fs::read(out.join("tests.json")).unwrap();
    let all: Value = serde_json::from_slice(&all).unwrap();
    let mut wrong = Vec::new();
    for (name, wanted) in WANTED {
        let report = all["tests"].as_array().unwrap().iter().find(|test| {
            let full = test["test"].as_str().unwrap();
            full.split('(')
                .next()
                .unwrap()
                .ends_with(&format!(".{name}"))
        });
        let keep = report.and_then(|test| test["keep"].as_str());
        let Some(source) = keep.map(|keep| fs::read_to_string(out.join(keep)).unwrap()) else {
            wrong.push(format!("{name}: no test is recommended: {report:#?}"));
            continue;
        };
        // Where a statement is broken does not matter.
        let words: Vec<&str> = source.split_whitespace().collect();
        if !words.join(" ").contains(wanted) {
            wrong.push(format!("{name}: {source}"));
        }
        if !suite.fails(&format!("{name}-as-it-is"), &source, &broken) {
            wrong.push(format!("{name} passes on the program as it is: {source}"));
        }
        if suite.fails(&format!("{name}-repaired"), &source, &repaired) {
            wrong.push(format!("{name} fails on the repaired program: {source}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
