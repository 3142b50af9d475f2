//! Every way to assert: one defect each of several kinds, found by the assertions of every framework, and the tests that come of it. With `--plugin`,
//! every way to fail, in a project of each framework.

mod plugin;
mod styles;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_analysis::report::json::{Report, TestOutcome};
use jinsi_ground::report::print_or;
use jinsi_ground::{doctor, repository};
use jinsi_jdk::{Jdk, compile, maven, process};
use serde::Serialize;

use crate::corpus::fixed;

/// The program with the defects, the same repaired, and what asserts.
const PLACE: &str = "tests/programs/ledger";
/// The style that is written in Groovy.
const GROOVY: &str = "styles/ledgertest/LedgerSpec.groovy";
/// Time for one case, far beyond what any may take.
const LIMIT: Duration = Duration::from_secs(120);

/// A wrong number, a wrong list, an element that is missing, and an exception.
const SITUATIONS: [&str; 4] = ["number", "list", "missing", "exception"];

/// What a test's own code cannot go on with: a `null`, a cast, an element that is not there, an `Optional` that is empty, a text that is no
/// number.
const OWN_CODE: [&str; 6] = ["null", "cast", "element", "get", "orElseThrow", "parse"];

/// The classes that assert, each in its own way. Mockito only looks at calls.
const STYLES: [(&str, &[&str]); 16] = [
    ("JUnit3", &SITUATIONS),
    ("JUnit4", &SITUATIONS),
    ("JUnit5", &SITUATIONS),
    ("JUnit5Groups", &SITUATIONS),
    ("Hamcrest", &SITUATIONS),
    ("AssertJ", &SITUATIONS),
    ("AssertJChains", &SITUATIONS),
    ("AssertJOther", &SITUATIONS),
    ("Truth", &SITUATIONS),
    ("TestNg", &SITUATIONS),
    ("KotlinTest", &SITUATIONS),
    ("Kotest", &SITUATIONS),
    ("Spock", &SITUATIONS),
    ("Mockito", &["number", "missing"]),
    ("Plain", &SITUATIONS),
    ("OwnCode", &OWN_CODE),
];

/// Styles whose failures are read in different ways, by its fields and by its text: the sample of `cargo xtask test`.
const SAMPLE: [&str; 2] = ["JUnit5", "AssertJ"];

/// The frameworks, and what they need.
const FRAMEWORKS: [&str; 28] = [
    "junit:junit:4.13.2",
    "org.junit.jupiter:junit-jupiter-api:5.10.2",
    "org.junit.platform:junit-platform-commons:1.10.2",
    "org.opentest4j:opentest4j:1.3.0",
    "org.hamcrest:hamcrest:2.2",
    "org.assertj:assertj-core:3.26.3",
    "net.bytebuddy:byte-buddy:1.17.7",
    "net.bytebuddy:byte-buddy-agent:1.17.7",
    "org.objenesis:objenesis:3.3",
    "com.google.truth:truth:1.4.4",
    "com.google.guava:guava:33.2.1-android",
    "com.google.guava:failureaccess:1.0.2",
    "org.testng:testng:7.10.2",
    "com.beust:jcommander:1.82",
    "org.slf4j:slf4j-api:1.7.36",
    "org.jetbrains.kotlin:kotlin-test:1.9.24",
    "org.jetbrains.kotlin:kotlin-stdlib:1.9.24",
    "io.kotest:kotest-assertions-core-jvm:5.9.1",
    "io.kotest:kotest-assertions-shared-jvm:5.9.1",
    "io.kotest:kotest-assertions-api-jvm:5.9.1",
    "io.kotest:kotest-common-jvm:5.9.1",
    "org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.8.0",
    "org.spockframework:spock-core:2.3-groovy-4.0",
    "org.apache.groovy:groovy:4.0.23",
    "org.junit.platform:junit-platform-engine:1.10.2",
    "org.junit.platform:junit-platform-launcher:1.10.2",
    "org.mockito:mockito-core:5.20.0",
    "io.github.java-diff-utils:java-diff-utils:4.12",
];

/// What is run, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print one JSON document on stdout, and nothing else there
    #[arg(long)]
    json: bool,
    /// Only this style, or this case of it, as in AssertJ or AssertJ.list (repeat it for several)
    #[arg(long, value_name = "STYLE[.SITUATION]")]
    only: Vec<String>,
    /// Projects of the frameworks, built by Maven with the plugin at its default (installs the plugin; long)
    #[arg(long, conflicts_with = "sample")]
    plugin: bool,
    /// Take the plugin that is in the local Maven repository, instead of building it
    #[arg(long, requires = "plugin")]
    installed: bool,
    /// Only the cases of a list, by five frameworks that have little in common
    #[arg(long, conflicts_with = "only")]
    sample: bool,
    /// JDK to record, replay and test with (default: the oldest found): its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
    /// Use jinsi as `cargo test` has built it, instead of the release profile
    #[arg(long)]
    dev: bool,
}

impl Arguments {
    /// The profile of cargo in which jinsi is built.
    fn profile(&self) -> &'static str {
        if self.dev { "dev" } else { "release" }
    }
}

/// What came of one case.
#[derive(Debug, Default, Serialize)]
struct Case {
    style: String,
    situation: String,
    /// `failure.kind` and `failure.found` of the report.
    kind: String,
    found: Option<String>,
    /// The last statement of the test that is best kept.
    statement: Option<String>,
    /// Tests without a recording that fail on the defect and pass on the repaired program.
    flipping: usize,
    /// The others of them: they demand what no right program gives.
    wrong: Vec<String>,
    /// Why there is no test that flips.
    refused: Option<String>,
}

/// All cases.
#[derive(Default, Serialize)]
struct Matrix {
    java: String,
    cases: Vec<Case>,
    flipping: usize,
    /// Those with a reason in place of a test.
    refused: usize,
    /// Tests that demand what is not right.
    wrong: usize,
    /// Each case flips or is refused, and no test is wrong.
    holds: bool,
}

/// Runs the matrix.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let compiler = doctor::jdk_or_oldest(None)?;
    let jdk = match &arguments.java {
        Some(path) => Jdk::find(Some(path))?,
        None => compiler.clone(),
    };
    if arguments.plugin {
        let profile = (!arguments.installed).then(|| arguments.profile());
        return plugin::run(&jdk, profile, &arguments.only, arguments.json);
    }
    let bench = Bench::new(arguments, compiler, jdk)?;
    let mut matrix = Matrix {
        java: bench.jdk.version().to_string(),
        ..Matrix::default()
    };
    for (style, situation) in wanted(arguments)? {
        let case = bench.case(style, situation)?;
        eprintln!("{}", case.text());
        matrix.cases.push(case);
    }
    let cases = matrix.cases.iter();
    matrix.flipping = cases.clone().filter(|c| c.flipping > 0).count();
    matrix.refused = cases.clone().filter(|c| c.refused.is_some()).count();
    matrix.wrong = cases.map(|c| c.wrong.len()).sum();
    let all = matrix.flipping + matrix.refused == matrix.cases.len();
    matrix.holds = all && matrix.wrong == 0;
    print_or(&matrix, arguments.json, || {
        format!(
            "{} cases: {} have a test that turns green with the repair, {} are refused; {} tests demand what is not right\n",
            matrix.cases.len(),
            matrix.flipping,
            matrix.refused,
            matrix.wrong
        )
    })?;
    Ok(matrix.holds)
}

fn wanted(arguments: &Arguments) -> Result<Vec<(&'static str, &'static str)>> {
    let all = STYLES
        .iter()
        .flat_map(|(style, situations)| situations.iter().map(move |s| (*style, *s)));
    let cases: Vec<_> = all
        .filter(|(style, situation)| {
            let named = |n: &String| *n == *style || *n == format!("{style}.{situation}");
            match arguments.sample {
                true => *situation == "list" && SAMPLE.contains(style),
                false => arguments.only.is_empty() || arguments.only.iter().any(named),
            }
        })
        .collect();
    ensure!(!cases.is_empty(), "no case is called so");
    Ok(cases)
}

/// What the cases are run with.
struct Bench {
    jinsi: PathBuf,
    jdk: Jdk,
    compiler: Jdk,
    out: PathBuf,
    frameworks: Vec<PathBuf>,
}

impl Bench {
    fn new(arguments: &Arguments, compiler: Jdk, jdk: Jdk) -> Result<Self> {
        let out = repository::root().join("target/assertions");
        if out.exists() {
            fs::remove_dir_all(&out).with_context(|| format!("cannot empty {}", out.display()))?;
        }
        let bench = Self {
            jinsi: repository::build_jinsi_in(arguments.profile())?,
            frameworks: maven::fetch(&FRAMEWORKS)?,
            jdk,
            compiler,
            out,
        };
        bench.compile("broken", &["same", "broken"], &[])?;
        bench.compile("repaired", &["same", "repaired"], &[])?;
        let mut libraries = vec![bench.out.join("broken")];
        libraries.extend_from_slice(&bench.frameworks);
        bench.compile("styles", &["styles"], &libraries)?;
        bench.compile_groovy(&libraries)?;
        Ok(bench)
    }

    /// Compiles the styles that are written in Groovy, beside those in Java.
    fn compile_groovy(&self, libraries: &[PathBuf]) -> Result<()> {
        let styles = self.out.join("styles");
        let path = [std::slice::from_ref(&styles), libraries].concat();
        let source = repository::root().join(PLACE).join(GROOVY);
        let mut command = Command::new(self.compiler.java());
        command
            .arg("-cp")
            .arg(std::env::join_paths(path)?)
            .args(["org.codehaus.groovy.tools.FileSystemCompiler", "-d"])
            .args([&styles, &source]);
        let finished = process::run(&mut command, LIMIT)?;
        let compiled = finished.status.success();
        ensure!(
            compiled,
            "{} does not compile: {}",
            source.display(),
            finished.stderr
        );
        Ok(())
    }

    /// Compiles these directories of the program into one of classes.
    fn compile(&self, name: &str, parts: &[&str], libraries: &[PathBuf]) -> Result<()> {
        let mut sources = Vec::new();
        for part in parts {
            sources.extend(repository::java_sources(&format!("{PLACE}/{part}"))?);
        }
        let into = self.out.join(name);
        fs::create_dir_all(&into).with_context(|| format!("cannot create {}", into.display()))?;
        Ok(compile::javac(&self.compiler, &sources, libraries, &into)?)
    }

    /// The class path of the program, `broken` or `repaired`, behind what asserts.
    fn class_path(&self, program: &str) -> Vec<PathBuf> {
        let mut path = vec![self.out.join(program), self.out.join("styles")];
        path.extend_from_slice(&self.frameworks);
        path
    }

    fn case(&self, style: &str, situation: &str) -> Result<Case> {
        let right = self.java("repaired", style, situation)?;
        ensure!(right, "{style}.{situation} fails on the repaired program");
        let report = self.debug(style, situation)?;
        let mut case = Case {
            style: style.into(),
            situation: situation.into(),
            kind: report.1.failure.kind.clone(),
            found: report.1.failure.found.clone(),
            ..Case::default()
        };
        self.judge(&report.0, &report.1, &mut case)?;
        Ok(case)
    }

    fn java(&self, program: &str, style: &str, situation: &str) -> Result<bool> {
        let mut command = Command::new(self.jdk.java());
        command
            .args(["-ea", "-cp"])
            .arg(std::env::join_paths(self.class_path(program))?)
            .args([&format!("ledgertest.{style}"), situation]);
        Ok(process::run(&mut command, LIMIT)?.status.success())
    }

    /// The report of the failing run, and its directory.
    fn debug(&self, style: &str, situation: &str) -> Result<(PathBuf, Report)> {
        let out = self
            .out
            .join("reports")
            .join(format!("{style}.{situation}"));
        let mut command = Command::new(&self.jinsi);
        command
            .env("JAVA_HOME", self.jdk.home())
            .env_remove("CLASSPATH")
            .args(["--json", "debug", "--observe", "ledger.*:ledgertest.*"])
            .arg("--out")
            .arg(&out)
            .arg("--")
            .arg(self.jdk.java())
            .args(["-ea", "-cp"])
            .arg(std::env::join_paths(self.class_path("broken"))?)
            .args([&format!("ledgertest.{style}"), situation]);
        let finished = process::run(&mut command, LIMIT)?;
        let file = out.join("report.json");
        let text = fs::read_to_string(&file).with_context(|| {
            let last = finished.stderr.lines().last().unwrap_or_default();
            format!("{style}.{situation}: {last}")
        })?;
        Ok((out, serde_json::from_str(&text)?))
    }

    fn judge(&self, directory: &Path, report: &Report, case: &mut Case) -> Result<()> {
        let libraries = self.libraries()?;
        for level in &report.levels {
            let plain = matches!(level.test_form.as_deref(), Some("plain" | "mockito"));
            let (true, Some(file)) = (plain, &level.test_file) else {
                continue;
            };
            if level.test_outcome != Some(TestOutcome::Reproduces) {
                continue;
            }
            match fixed::with_libraries(
                directory,
                file,
                &libraries,
                [&self.compiler, &self.jdk],
                &[],
            )? {
                None => case.flipping += 1,
                Some(why) => case.wrong.push(format!("{file}: {why}")),
            }
        }
        if let Some(file) = &report.keep {
            case.statement = last_statement(&fs::read_to_string(directory.join(file))?);
        }
        if case.flipping == 0 {
            let mut reasons = report.levels.iter().filter_map(|l| l.not_direct.clone());
            case.refused = reasons.next_back();
        }
        Ok(())
    }

    fn libraries(&self) -> Result<Vec<PathBuf>> {
        let mut libraries = self.class_path("repaired");
        libraries.extend(maven::fetch(&[maven::JUNIT])?);
        Ok(libraries)
    }
}

/// The last statement of the method of a test.
fn last_statement(source: &str) -> Option<String> {
    let lines = source.lines().map(str::trim);
    let mut code =
        lines.filter(|l| l.ends_with(';') && !l.starts_with("//") && !l.starts_with("import "));
    code.next_back().map(str::to_owned)
}

impl Case {
    fn text(&self) -> String {
        let Self {
            style,
            situation,
            flipping,
            ..
        } = self;
        let name = format!("{style}.{situation}");
        let mut text = match (&self.statement, &self.refused) {
            (_, Some(why)) => format!("{name:<24} refused: {why}"),
            (statement, None) => {
                let statement = statement.as_deref().unwrap_or_default();
                format!("{name:<24} {flipping} flip: {statement}")
            }
        };
        for wrong in &self.wrong {
            text += &format!("\n    WRONG: {wrong}");
        }
        text
    }
}
