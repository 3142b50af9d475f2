//! A build's project: its files, and what Maven is called with.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_jdk::Jdk;
use jinsi_platform::files;

use super::choices::{Choice, Switch};
use super::{plugins, sources};

/// A project that is written.
pub(super) struct Project {
    /// Where its pom is.
    pub(super) root: PathBuf,
    /// Where the tests are: the same, or a module.
    pub(super) tests: PathBuf,
    /// Where the program is: the same, or a module.
    pub(super) program: PathBuf,
}

/// Writes the project of a build into an empty directory. `plugin`: with jinsi's declaration.
pub(super) fn write(choice: &Choice, jdk: &Jdk, root: &Path, plugin: bool) -> Result<Project> {
    let in_modules = matches!(choice.switch, Switch::Modules | Switch::Threads);
    let module = |name: &str| {
        if in_modules {
            root.join(name)
        } else {
            root.to_owned()
        }
    };
    let project = Project {
        root: root.to_owned(),
        tests: module("checks"),
        program: module("program"),
    };
    let packaging = if in_modules { "pom" } else { "jar" };
    let modules = if in_modules {
        "<modules><module>program</module><module>checks</module><module>nothing</module></modules>\n"
    } else {
        ""
    };
    let pom = format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\n\
         <groupId>shop</groupId><artifactId>shop</artifactId><version>1</version><packaging>{packaging}</packaging>\n{modules}\
         <properties>\n<maven.compiler.release>17</maven.compiler.release>\n<kotlin.compiler.jvmTarget>17</kotlin.compiler.jvmTarget>\n\
         {KOTLIN_BY_ITSELF}\
         <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>\n{}</properties>\n\
         <dependencies>\n{}</dependencies>\n<build><plugins>\n{}</plugins></build></project>\n",
        properties(choice.switch),
        plugins::dependencies(choice.framework),
        plugins::all(choice, plugin),
    );
    put(&root.join("pom.xml"), &pom)?;
    if in_modules {
        put(&root.join("program/pom.xml"), &child("program", ""))?;
        let program = "<dependencies><dependency><groupId>shop</groupId><artifactId>program</artifactId><version>1</version>\
                       </dependency></dependencies>";
        put(&root.join("checks/pom.xml"), &child("checks", program))?;
        put(&root.join("nothing/pom.xml"), &child("nothing", ""))?;
    }
    let main = project.program.join("src/main/java");
    put(&main.join("shop/Cart.java"), sources::PROGRAM)?;
    let class = match choice.switch {
        Switch::Failsafe => "CartIT",
        _ => "CartTest",
    };
    let (directory, suffix) = sources::language(choice.framework);
    let tests = project
        .tests
        .join(format!("src/test/{directory}/shop/{class}.{suffix}"));
    put(&tests, &sources::tests(choice.framework, class))?;
    match choice.switch {
        Switch::ModulePath => put(
            &main.join("module-info.java"),
            "module shop {\n    exports shop;\n}\n",
        )?,
        Switch::Toolchain => put(&root.join("toolchains.xml"), &toolchains(jdk))?,
        Switch::BuildCache => {
            put(&root.join(".mvn/extensions.xml"), EXTENSIONS)?;
            put(
                &root.join(".mvn/maven-build-cache-config.xml"),
                &build_cache(root),
            )?;
        }
        Switch::OtherJvm => other_jvm(jdk, &root.join("jdk"))?,
        _ => {}
    }
    Ok(project)
}

fn properties(switch: Switch) -> &'static str {
    match switch {
        Switch::LateArguments | Switch::EarlyArguments => "<argLine>-Dshop=1</argLine>\n",
        _ => "",
    }
}

fn child(name: &str, more: &str) -> String {
    format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\n\
         <parent><groupId>shop</groupId><artifactId>shop</artifactId><version>1</version></parent>\n\
         <artifactId>{name}</artifactId>{more}</project>\n"
    )
}

/// What Maven is called with, but for the program.
pub(super) fn words(choice: &Choice) -> Vec<&'static str> {
    let mut words = vec!["-B", "-Dstyle.color=never"];
    match choice.switch {
        Switch::Skipped => words.push("-Djinsi.skip"),
        Switch::ArgumentsOfCommandLine => words.push("-DargLine=-Xmx300m"),
        Switch::Threads => words.extend(["-T", "2C"]),
        Switch::Toolchain => words.extend(["-t", "toolchains.xml"]),
        Switch::Offline => words.push("-o"),
        Switch::OtherPlatform => words.push("-Dos.arch=riscv64"),
        _ => {}
    }
    words.push(match choice.switch {
        Switch::Failsafe => "verify",
        _ => "test",
    });
    words
}

fn toolchains(jdk: &Jdk) -> String {
    format!(
        "<toolchains><toolchain><type>jdk</type><provides><version>{}</version></provides>\n\
         <configuration><jdkHome>{}</jdkHome></configuration></toolchain></toolchains>\n",
        jdk.version().feature,
        jdk.home().display()
    )
}

/// A daemon that another build left may see other files by the same names, as in a container.
const KOTLIN_BY_ITSELF: &str = "<kotlin.compiler.daemon>false</kotlin.compiler.daemon>\n";

const EXTENSIONS: &str = "<extensions><extension><groupId>org.apache.maven.extensions</groupId>\
<artifactId>maven-build-cache-extension</artifactId><version>1.2.0</version></extension></extensions>\n";

fn build_cache(root: &Path) -> String {
    format!(
        "<cache xmlns=\"http://maven.apache.org/BUILD-CACHE-CONFIG/1.0.0\"><configuration><enabled>true</enabled>\
         <local><location>{}</location></local></configuration></cache>\n",
        root.join("cache").display()
    )
}

/// A JDK whose `java` starts no JVM with an agent in machine code, as one of another platform.
fn other_jvm(jdk: &Jdk, home: &Path) -> Result<()> {
    let link = |from: &Path, to: &Path| {
        std::os::unix::fs::symlink(from, to)
            .with_context(|| format!("cannot link {}", to.display()))
    };
    fs::create_dir_all(home.join("bin"))?;
    for entry in fs::read_dir(jdk.home())? {
        let entry = entry?;
        if entry.file_name() != "bin" {
            link(&entry.path(), &home.join(entry.file_name()))?;
        }
    }
    let script = format!(
        "#!/bin/sh\nfor word; do case $word in -agentpath:*) echo 'wrong ELF class' >&2; exit 1 ;; esac; done\nexec '{}' \"$@\"\n",
        jdk.java().display()
    );
    let java = home.join("bin/java");
    put(&java, &script)?;
    files::set_mode(&java, 0o755)?;
    Ok(())
}

fn put(file: &Path, text: &str) -> Result<()> {
    let parent = file.parent().context("a file is in a directory")?;
    fs::create_dir_all(parent)
        .and_then(|()| fs::write(file, text))
        .with_context(|| format!("cannot write {}", file.display()))
}
