//! The Java side (`evaluation/java/classes`) on one JDK: compiled, started, given orders.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use jinsi_classfile::{Asm, ClassFile, opcode, subst};
use jinsi_ground::repository;
use jinsi_jdk::{Jdk, compile, process};

const SOURCES: [&str; 4] = ["Bundle.java", "Worker.java", "Jdk.java", "Mutants.java"];

/// Time for all classes of a JDK.
const LIMIT: Duration = Duration::from_secs(1800);

/// The Java side, compiled for one JDK.
pub(crate) struct Harness {
    pub(crate) jdk: Jdk,
    classes: PathBuf,
    /// Probes that do nothing.
    probes: PathBuf,
    agent: PathBuf,
}

/// One line of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// What it says.
    pub(crate) what: String,
    /// Of what.
    pub(crate) name: String,
    /// Why.
    pub(crate) why: String,
}

impl Line {
    fn parse(text: &str) -> Line {
        let mut parts = text.trim_end().splitn(3, '\t').map(str::to_owned);
        let mut next = || parts.next().unwrap_or_default();
        Line {
            what: next(),
            name: next(),
            why: next(),
        }
    }
}

impl Harness {
    /// Compiles everything below `directory`.
    pub(crate) fn new(jdk: Jdk, directory: &Path) -> Result<Harness> {
        let directory = directory.join(format!("java-{}", jdk.version().feature));
        let harness = Harness {
            classes: directory.join("classes"),
            probes: directory.join("probes"),
            agent: directory.join("agent.jar"),
            jdk,
        };
        let sources = SOURCES.map(|name| {
            repository::root()
                .join("evaluation/java/classes")
                .join(name)
        });
        compile::javac(&harness.jdk, &sources, &[], &harness.classes)?;
        harness.compile_probes()?;
        harness.write_agent(&directory)?;
        Ok(harness)
    }

    /// The probes of `java-harness/runtime`, emptied: any class can call them at any time, those too that the real ones stand on.
    fn compile_probes(&self) -> Result<()> {
        let runtime = repository::root().join("java-harness/runtime");
        let generated = self.probes.with_extension("generated");
        let mut sources = repository::java_sources("java-harness/runtime")?;
        sources.extend(jinsi_probes::java::write(&generated)?);
        let mut javac = Command::new(self.jdk.require_javac()?);
        javac.args([
            "-nowarn",
            "-Xlint:-options",
            "-source",
            "11",
            "-target",
            "11",
        ]);
        let patch = env::join_paths([&runtime, &generated])?;
        let patch = format!("java.base={}", patch.display());
        javac
            .args(["--patch-module", &patch, "-d"])
            .arg(&self.probes);
        javac.args(sources);
        succeed(&mut javac)?;
        let package = self.probes.join("java/lang");
        for class in fs::read_dir(&package)? {
            let file = class?.path();
            let emptied = emptied(&fs::read(&file)?)?;
            fs::write(&file, emptied)?;
        }
        Ok(())
    }

    fn write_agent(&self, directory: &Path) -> Result<()> {
        let manifest = directory.join("manifest");
        fs::write(
            &manifest,
            "Premain-Class: classes.Jdk\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n",
        )?;
        let mut jar = Command::new(self.jdk.home().join("bin/jar"));
        jar.arg("cfm").arg(&self.agent).arg(&manifest).arg("-C");
        succeed(jar.arg(&self.classes).arg("."))
    }

    /// Name of the JDK in reports.
    pub(crate) fn name(&self) -> String {
        format!("jdk-{}", self.jdk.version().feature)
    }

    /// A JVM that verifies all classes, those of its own modules included.
    fn java(&self) -> Command {
        let mut java = self.jdk.command();
        java.args([
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:+BytecodeVerificationLocal",
            "-XX:+BytecodeVerificationRemote",
            "-XX:+UseSerialGC",
            "-Xshare:off",
            "-Xmx1500m",
            "-Xss4m",
        ]);
        java.arg("--patch-module");
        java.arg(format!("java.base={}", self.probes.display()));
        java
    }

    /// Puts rewritten classes into the JDK itself and links them (`rewritten`), or links those of the same names as they are
    /// (`original`).
    pub(crate) fn link_own(&self, what: &str, bundle: &Path) -> Result<Vec<Line>> {
        let mut java = self.java();
        java.args(["--add-modules", "ALL-SYSTEM"])
            .arg(format!("-javaagent:{}", self.agent.display()))
            .arg("-cp")
            .arg(&self.agent)
            .args(["classes.Jdk", what])
            .arg(bundle);
        let finished = process::run(&mut java, LIMIT)?;
        let lines: Vec<Line> = finished.stdout.lines().map(Line::parse).collect();
        ensure!(
            finished.status.success() && lines.last().is_some_and(|line| line.what == "done"),
            "Java {} ended with {}: {}",
            self.jdk.version(),
            finished.status,
            finished
                .stderr
                .lines()
                .take(5)
                .collect::<Vec<_>>()
                .join(" / ")
        );
        Ok(lines)
    }

    /// Starts a JVM that takes orders.
    pub(crate) fn worker(&self) -> Result<Worker> {
        let mut java = self.java();
        java.arg("-cp").arg(&self.classes).arg("classes.Worker");
        Worker::start(java)
    }

    /// Starts a JVM that links mutants; see `Mutants.java` for what goes through its pipes.
    pub(crate) fn mutants(&self, class_path: &OsStr) -> Command {
        let mut java = self.java();
        java.arg("-cp").arg(&self.classes).arg("classes.Mutants");
        java.arg(class_path);
        java
    }

    /// Starts a JVM that times ASM, which is in these jars; without verification of all classes, as a program has it.
    pub(crate) fn asm_pass(&self, asm: &[PathBuf]) -> Result<Worker> {
        let source = repository::root().join("evaluation/java/classes/AsmPass.java");
        let mut class_path = asm.to_vec();
        class_path.push(self.classes.clone());
        compile::javac(&self.jdk, &[source], &class_path, &self.classes)?;
        let mut java = self.jdk.command();
        java.args(["-Xmx3g", "-cp"]);
        java.arg(std::env::join_paths(class_path)?);
        java.arg("classes.AsmPass");
        Worker::start(java)
    }
}

/// A JVM that takes orders until it is dropped.
pub(crate) struct Worker {
    child: Child,
    stdin: Option<BufWriter<ChildStdin>>,
    stdout: BufReader<ChildStdout>,
}

impl Worker {
    fn start(mut java: Command) -> Result<Worker> {
        let mut child = java
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start Java")?;
        let stdin = child.stdin.take().context("no pipe")?;
        let stdout = child.stdout.take().context("no pipe")?;
        Ok(Worker {
            child,
            stdin: Some(BufWriter::new(stdin)),
            stdout: BufReader::new(stdout),
        })
    }

    /// Gives an order; the lines of the answer, the one of "done" last.
    pub(crate) fn order(&mut self, words: &[&OsStr]) -> Result<Vec<Line>> {
        self.write(words)?;
        let mut lines = Vec::new();
        loop {
            let line = Line::parse(&self.line()?);
            match line.what.as_str() {
                "failed" => bail!("the JVM cannot do {words:?}: {}", line.name),
                "done" => {
                    lines.push(line);
                    return Ok(lines);
                }
                _ => lines.push(line),
            }
        }
    }

    /// Writes one line of words.
    pub(crate) fn write(&mut self, words: &[&OsStr]) -> Result<()> {
        let stdin = self.stdin.as_mut().context("no pipe")?;
        let words: Vec<_> = words.iter().map(|word| word.as_encoded_bytes()).collect();
        stdin.write_all(&words.join(&b'\t'))?;
        stdin.write_all(b"\n")?;
        Ok(stdin.flush()?)
    }

    /// Reads one line.
    pub(crate) fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        let got = self.stdout.read_line(&mut line)?;
        ensure!(got > 0, "the JVM ended");
        Ok(line)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The end of its input ends it.
        self.stdin = None;
        let _ = self.child.wait();
    }
}

/// The class with all its methods doing nothing.
fn emptied(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut class = ClassFile::parse(bytes)?;
    for index in 0..class.methods.len() {
        let method = &class.methods[index];
        let name = method.name(&class.pool)?.into_owned();
        let desc = method.desc(&class.pool)?.into_owned();
        if method.attribute(&class.pool, "Code").is_none() || name == "<init>" {
            continue;
        }
        let mut body = Asm::new();
        let result = desc.rsplit(')').next().unwrap_or("V");
        match result {
            "V" => body.ret('V'),
            "J" => body.long(&mut class.pool, 0).ret('J'),
            "F" => body.op(opcode::FCONST_0).ret('F'),
            "D" => body.op(opcode::DCONST_0).ret('D'),
            "I" | "Z" | "B" | "C" | "S" => body.int(&mut class.pool, 0).ret('I'),
            _ => body.null().ret('L'),
        };
        let body = body.into_code(&mut class.pool, 64)?;
        subst::replace_body(&mut class, index, &body)?;
    }
    Ok(class.to_bytes()?)
}

fn succeed(command: &mut Command) -> Result<()> {
    let finished = process::run(command, LIMIT)?;
    ensure!(
        finished.status.success(),
        "{} failed: {}{}",
        Path::new(command.get_program()).display(),
        finished.stdout,
        finished.stderr
    );
    Ok(())
}
