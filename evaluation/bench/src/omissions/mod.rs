//! `cargo xtask bench omissions`: is the branch found that kept a real program from doing what it should?
//!
//! Ant's bug 40722, the example of Sakurai and Masuhara: a file set whose only `include` does not apply takes every file. No release at Maven
//! Central has it: it was brought in and repaired between 1.6.5 and 1.7.0. So the repaired line of 1.7.0 is made as it was, in the
//! sources that Maven Central has; nothing else differs in what is run.

pub(crate) mod corpus;
mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;
use jinsi_ground::{doctor, repository};
use jinsi_inspect::{Inspector, Variable};
use jinsi_jdk::{Jdk, compile, maven};
use jinsi_trace::model::{ObjectId, Value};
use jinsi_trace::reader::Trace;

use super::slice::LIMITS;
use jinsi_ground::child::{self, Ending};
use jinsi_ground::commands::record;
use jinsi_ground::files::unpack;
use jinsi_ground::report::Judged;
use report::{Asked, OmissionFigures};

/// Options of the benchmark.
#[derive(Args)]
pub struct Arguments {
    /// Print one JSON document on stdout instead of text
    #[arg(long)]
    json: bool,
    /// Keep the recording in this directory
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Ask of the bugs of the corpus instead, knowing only that they fail
    #[arg(long)]
    corpus: bool,
    /// Only these bugs (repeat it for several)
    #[arg(long, value_name = "BUG", requires = "corpus")]
    only: Vec<String>,
    /// Ask this jinsi, with its agent beside it, instead of building one
    #[arg(long, value_name = "PATH", requires = "corpus")]
    jinsi: Option<PathBuf>,
}

const JARS: [&str; 3] = [
    "org.apache.ant:ant:1.7.0",
    "org.apache.ant:ant-launcher:1.7.0",
    "org.apache.ant:ant:1.7.0:sources",
];
/// The class whose line was repaired.
const SOURCE: &str = "org/apache/tools/ant/types/AbstractFileSet.java";
const REPAIRED: &str = "PatternSet ps = (PatternSet) defaultPatterns.clone();";
const DEFECT: &str = "PatternSet ps = new PatternSet(); ps.append(defaultPatterns, p);";

const BUILD: &str = r#"<project default="all">
  <target name="all">
    <fileset id="f" dir="."><include if="unset.property" name="build.xml"/></fileset>
    <pathconvert refid="f" property="p"/>
    <echo>files: ${p}</echo>
  </target>
</project>
"#;

/// Measures and prints; `false` if a figure is not what it has to be.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    if arguments.corpus {
        return corpus::run(&arguments.only, arguments.jinsi.as_deref(), arguments.json);
    }
    let jdk = doctor::check(None, &doctor::FOR_DEMO)?;
    let jinsi = repository::build_jinsi()?;
    let place = tempfile::tempdir()?;
    let directory = arguments.keep.as_deref().unwrap_or(place.path());
    fs::create_dir_all(directory)?;
    let subject = Subject::new(&jdk, directory)?;
    let right = subject.files(&[])?;
    ensure!(
        !right.contains("build.xml"),
        "Ant 1.7.0 is not right: {right}"
    );
    let recording = directory.join("ant.jinsi");
    let wrong = subject.record(&jinsi, &recording)?;
    ensure!(
        wrong.contains("build.xml"),
        "the defect does not show: {wrong}"
    );
    let trace = Trace::open(&recording)?;
    let objects = Objects::of(&trace)?;
    let mut figures = OmissionFigures::new(&jdk, &trace);
    let questions = [
        ("the files that were not included", objects.not_included),
        (
            "the include patterns that were put together",
            objects.includes,
        ),
    ];
    for (what, object) in questions {
        let asked = ask(&jinsi, &recording, directory, what, object)?;
        figures.asked.push(asked);
    }
    jinsi_ground::report::print(&Judged::of(figures), arguments.json)
}

/// Ant, with the defect in front of it.
struct Subject {
    jdk: Jdk,
    directory: PathBuf,
    defect: PathBuf,
    ant: Vec<PathBuf>,
}

impl Subject {
    fn new(jdk: &Jdk, directory: &Path) -> Result<Self> {
        let mut jars = maven::fetch(&JARS)?;
        let sources = jars.pop().context("the sources")?;
        let unpacked = directory.join("sources");
        unpack(jdk, &sources, &[SOURCE], &unpacked)?;
        let source = unpacked.join(SOURCE);
        let text = fs::read_to_string(&source)?;
        ensure!(text.contains(REPAIRED), "{SOURCE} has not: {REPAIRED}");
        fs::write(&source, text.replace(REPAIRED, DEFECT))?;
        let defect = directory.join("classes");
        compile::javac_for(jdk, Some(8), &[source], &jars, &defect)?;
        fs::write(directory.join("build.xml"), BUILD)?;
        Ok(Self {
            jdk: jdk.clone(),
            directory: directory.to_owned(),
            defect,
            ant: jars,
        })
    }

    fn command(&self, defect: bool) -> Result<Vec<std::ffi::OsString>> {
        let own = defect.then(|| self.defect.clone());
        let path = std::env::join_paths(own.iter().chain(&self.ant))?;
        let build = self.directory.join("build.xml");
        Ok(vec![
            self.jdk.java().into_os_string(),
            "-cp".into(),
            path,
            "org.apache.tools.ant.Main".into(),
            "-q".into(),
            "-f".into(),
            build.into_os_string(),
        ])
    }

    /// What the repaired program says.
    fn files(&self, before: &[&str]) -> Result<String> {
        let words = self.command(false)?;
        let mut command = Command::new(&words[0]);
        command
            .args(before)
            .args(&words[1..])
            .current_dir(&self.directory);
        let said = command.output()?;
        ensure!(said.status.success(), "Ant: {}", said.status);
        Ok(String::from_utf8_lossy(&said.stdout).into_owned())
    }

    /// What the one with the defect says, recorded.
    fn record(&self, jinsi: &Path, to: &Path) -> Result<String> {
        let mut command = record(jinsi, ("org.apache.tools.ant.*", "states"), to);
        command.args(self.command(true)?);
        let said = command.current_dir(&self.directory).output()?;
        ensure!(
            said.status.success(),
            "recording Ant: {}",
            String::from_utf8_lossy(&said.stderr)
        );
        Ok(String::from_utf8_lossy(&said.stdout).into_owned())
    }
}

/// The objects that are asked about.
struct Objects {
    not_included: ObjectId,
    includes: ObjectId,
}

impl Objects {
    fn of(trace: &Trace) -> Result<Self> {
        let inspector = Inspector::new(trace)?;
        let last = |class: &str, field: &str| -> Result<ObjectId> {
            let fields = inspector.fields_named(class, field);
            let field = fields
                .first()
                .with_context(|| format!("no field {field}"))?;
            let owners = inspector.objects_written(field)?;
            let owner = *owners.last().with_context(|| format!("no {class}"))?;
            let variable = Variable::Field(owner, field.clone());
            let entries = inspector.history(&variable)?;
            let held = entries
                .iter()
                .rev()
                .find_map(|entry| match entry.value.known() {
                    Some(Value::Object(id)) => Some(*id),
                    _ => None,
                });
            held.with_context(|| format!("nothing in {class}.{}", field.name))
        };
        Ok(Self {
            not_included: last("org.apache.tools.ant.DirectoryScanner", "filesNotIncluded")?,
            // The last pattern set is the one into which the others were put together.
            includes: last("org.apache.tools.ant.types.PatternSet", "includeList")?,
        })
    }
}

fn ask(
    jinsi: &Path,
    recording: &Path,
    directory: &Path,
    what: &'static str,
    object: ObjectId,
) -> Result<Asked> {
    eprintln!("{what}: #{object}");
    let mut command = Command::new(jinsi);
    command
        .args([
            "--json",
            "why-not",
            "--no-flip",
            "--limit",
            "1000",
            "--object",
        ])
        .arg(object.to_string())
        .arg(recording);
    let run = child::run(&mut command, directory, LIMITS)?;
    let answered =
        matches!(&run.end, Ending::Exited(status) if matches!(status.code(), Some(0 | 1)));
    ensure!(answered, "why-not: {}", run.stderr);
    let document: serde_json::Value = serde_json::from_str(&run.stdout)?;
    Ok(Asked::of(what, &document, &run))
}
