//! The published tests of a library, and the JVM that runs some of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use jinsi_ground::files::unpack;
use jinsi_ground::{published, repository};
use jinsi_jdk::{Jdk, compile, maven};
use jinsi_platform::files::symbolic_link;
use tempfile::TempDir;

/// The program that runs tests.
const RUNNER: &str = "evaluation/java/transparency/runner";
/// File of the runner in the directory of a run.
pub(crate) const LINES: &str = "lines";
/// Compiles the program that runs tests.
pub(crate) fn compile_runner(compiler: &Jdk) -> Result<TempDir> {
    let classes = tempfile::tempdir()?;
    let launcher = maven::fetch(&[maven::JUNIT])?;
    compile::javac(
        compiler,
        &repository::java_sources(RUNNER)?,
        &launcher,
        classes.path(),
    )?;
    Ok(classes)
}

/// The tests of a library.
pub(crate) struct TestJar {
    tests: PathBuf,
    /// The library and all that its tests need, the runner included.
    class_path: Vec<PathBuf>,
    /// Has the `jar` program.
    compiler: Jdk,
}

impl TestJar {
    /// Fetches a library, its tests (classifier `tests`), and what they need besides JUnit; `runner` is from [`compile_runner`].
    pub(crate) fn fetch(
        library: &str,
        needs: &[String],
        runner: &Path,
        compiler: &Jdk,
    ) -> Result<Self> {
        let tests = maven::fetch(&[&format!("{library}:tests")])?;
        let mut class_path = maven::fetch(&[library, maven::JUNIT])?;
        class_path.extend(maven::fetch(needs)?);
        class_path.push(runner.to_owned());
        Ok(Self {
            tests: tests[0].clone(),
            class_path,
            compiler: compiler.clone(),
        })
    }

    /// The command that runs the test classes whose names match `classes` and not `left_out`, in a directory of its own that is made
    /// to look like that of the library's build. What became of each test goes to [`LINES`] there.
    pub(crate) fn command(
        &self,
        jdk: &Jdk,
        directory: &Path,
        option: Option<&str>,
        classes: &str,
        left_out: &str,
    ) -> Result<Command> {
        let test_classes = self.unpack(directory)?;
        let mut class_path = vec![test_classes.clone()];
        class_path.extend_from_slice(&self.class_path);
        let mut command = jdk.command();
        command.current_dir(directory).args(option);
        command.args(published::options());
        command
            .arg(format!(
                "-Djava.io.tmpdir={}",
                directory.join("tmp").display()
            ))
            .args(["-Xmx1g", "-Duser.language=en", "-Duser.country=US", "-cp"])
            .arg(std::env::join_paths(class_path)?)
            .arg("runner.TestRunner")
            .args([test_classes.as_os_str(), classes.as_ref()])
            .args([left_out.as_ref(), directory.join(LINES).as_os_str()]);
        Ok(command)
    }

    /// Unpacks the tests; where their class files are. Tests read their files from below `src/test/resources`.
    fn unpack(&self, directory: &Path) -> Result<PathBuf> {
        let classes = directory.join("target/test-classes");
        unpack(&self.compiler, &self.tests, &[], &classes)?;
        fs::create_dir_all(directory.join("src/test"))?;
        fs::create_dir(directory.join("tmp"))?;
        symbolic_link(&classes, directory.join("src/test/resources"))?;
        Ok(classes)
    }
}
