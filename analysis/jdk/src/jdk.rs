//! Finds JDKs and says what they are.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use super::process::{self, ProcessError};

/// Variables by which a JVM or `javac` takes options that are not on its command line. Our JVMs must not: such options add lines to
/// stderr, agents, or class paths that nobody asked us for.
const OPTION_VARIABLES: [&str; 4] = [
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JDK_JAVAC_OPTIONS",
];

/// Time for `java -version`.
const VERSION_LIMIT: Duration = Duration::from_secs(60);

/// Modules that a replay needs, to make objects without constructors, and JUnit.
const NEEDED_MODULES: [&str; 3] = ["java.logging", "java.xml", "jdk.unsupported"];

/// What can be wrong with a Java installation.
#[derive(Debug, thiserror::Error)]
pub enum JvmError {
    /// There is none in the places that are looked into.
    #[error(
        "no Java found: JAVA_HOME is not set and there is no `java` on the PATH; install a JDK, or name one by --java-home"
    )]
    NoJava,
    /// What was named is none.
    #[error("{} is no Java installation and no `java` program ({named_by})", path.display())]
    NotJava {
        /// What was named.
        path: PathBuf,
        /// Who named it.
        named_by: &'static str,
    },
    /// It cannot compile.
    #[error("the Java {version} in {} has no `javac`; install a JDK of this version or later", home.display())]
    NoCompiler {
        /// Its home.
        home: PathBuf,
        /// Its version.
        version: Version,
    },
    /// It is older than asked for.
    #[error("the Java in {} is version {version}; jinsi needs {needed} or later", home.display())]
    TooOld {
        /// Its home.
        home: PathBuf,
        /// Its version.
        version: Version,
        /// The oldest feature release that would do.
        needed: u32,
    },
    /// It does not say its version.
    #[error("the Java in {} does not say its version: {said}", home.display())]
    NoVersion {
        /// Its home.
        home: PathBuf,
        /// What it said instead.
        said: String,
    },
    /// It could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
}

/// The version of a JDK, ordered by feature release only as far as [`Version::feature`] goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Feature release: 8, 11, 17, …
    pub feature: u32,
    /// As the JDK writes it (`17.0.15`, `1.8.0_292`).
    pub text: String,
}

impl Version {
    /// Understands both the present form (`17.0.15`, `25-ea`) and that of Java 8 and before (`1.8.0_292`).
    fn parse(text: &str) -> Option<Version> {
        let mut parts = text.split(|c: char| !c.is_ascii_digit());
        let first: u32 = parts.next()?.parse().ok()?;
        let feature = if first == 1 {
            parts.next()?.parse().ok()?
        } else {
            first
        };
        Some(Version {
            feature,
            text: text.to_owned(),
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A Java installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    home: PathBuf,
    version: Version,
}

impl Jdk {
    /// Finds the Java to use: `preferred` (a home directory or a `java` program) if given, else `JAVA_HOME`, else the `java` on the
    /// `PATH`. What is named but is no Java is an error, never passed over.
    pub fn find(preferred: Option<&Path>) -> Result<Jdk, JvmError> {
        Self::find_in(
            preferred,
            env::var_os("JAVA_HOME").as_deref(),
            env::var_os("PATH").as_deref(),
        )
    }

    fn find_in(
        preferred: Option<&Path>,
        java_home: Option<&OsStr>,
        path: Option<&OsStr>,
    ) -> Result<Jdk, JvmError> {
        if let Some(preferred) = preferred {
            return Self::at(preferred, "--java-home");
        }
        if let Some(home) = java_home.filter(|home| !home.is_empty()) {
            return Self::at(Path::new(home), "named by JAVA_HOME");
        }
        let java = path
            .into_iter()
            .flat_map(env::split_paths)
            .map(|directory| directory.join("java"))
            .find(|candidate| candidate.is_file())
            .ok_or(JvmError::NoJava)?;
        Self::at(&java, "found on the PATH")
    }

    /// Every Java of this machine that can be found without searching the disk, distinct by version, the one of [`Jdk::find`] first:
    /// its neighbours, and the usual places of Linux distributions, macOS and SDKMAN. For tests on more than one JDK.
    pub fn all() -> Result<Vec<Jdk>, JvmError> {
        let first = Self::find(None)?;
        let mut parents = vec![
            PathBuf::from("/usr/lib/jvm"),
            PathBuf::from("/Library/Java/JavaVirtualMachines"),
        ];
        parents.extend(first.home.parent().map(Path::to_owned));
        parents.extend(env::home_dir().map(|home| home.join(".sdkman/candidates/java")));
        let homes: BTreeSet<PathBuf> = parents
            .iter()
            .flat_map(|parent| homes_below(parent))
            .collect();
        let mut all = vec![first];
        for jdk in homes
            .iter()
            .filter_map(|home| Self::at(home, "found beside others").ok())
        {
            if all.iter().all(|known| known.version != jdk.version) {
                all.push(jdk);
            }
        }
        Ok(all)
    }

    /// The Java in a home directory, or the one that a `java` program belongs to.
    fn at(path: &Path, named_by: &'static str) -> Result<Jdk, JvmError> {
        let not_java = || JvmError::NotJava {
            path: path.to_owned(),
            named_by,
        };
        let real = path.canonicalize().map_err(|_| not_java())?;
        if real.is_dir() {
            return if real.join("bin/java").is_file() {
                Self::of_home(real)
            } else {
                Err(not_java())
            };
        }
        if real.file_name() != Some(OsStr::new("java"))
            && path.file_name() != Some(OsStr::new("java"))
        {
            return Err(not_java());
        }
        match real.parent().and_then(Path::parent) {
            Some(home) if home.join("release").is_file() => Self::of_home(home.to_owned()),
            // A wrapper script, or a Java without a `release` file: only the JVM itself knows its home.
            _ => Self::ask(&real),
        }
    }

    /// The Java in a directory that has `bin/java`.
    fn of_home(home: PathBuf) -> Result<Jdk, JvmError> {
        let release = fs::read_to_string(home.join("release")).unwrap_or_default();
        match release_version(&release) {
            Some(version) => Ok(Jdk { home, version }),
            None => Self::ask(&home.join("bin/java")),
        }
    }

    /// Asks a `java` program for its home and its version.
    fn ask(java: &Path) -> Result<Jdk, JvmError> {
        let mut command = quiet(java);
        command.args(["-XshowSettings:properties", "-version"]);
        let said = process::run(&mut command, VERSION_LIMIT)?.stderr;
        let home = property(&said, "java.home").map(PathBuf::from);
        let version = property(&said, "java.version").and_then(Version::parse);
        match (home, version) {
            (Some(home), Some(version)) => Ok(Jdk { home, version }),
            _ => Err(JvmError::NoVersion {
                home: java.to_owned(),
                said: said.lines().next().unwrap_or("nothing").to_owned(),
            }),
        }
    }

    /// Does a JVM of it start with these options?
    pub fn starts_with(&self, options: &[String]) -> bool {
        let mut command = quiet(&self.java());
        command.args(options).arg("-version");
        let ended = process::run(&mut command, VERSION_LIMIT);
        ended.is_ok_and(|ended| ended.status.success())
    }

    /// Its home directory, symbolic links resolved.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Its version.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// Its `java` program.
    pub fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    /// Its compiler, if it has one.
    pub fn javac(&self) -> Option<PathBuf> {
        // The runtime inside a JDK 8 has its own home, `jre`, below that of the JDK.
        let homes = [
            Some(self.home.as_path()),
            self.home.parent().filter(|_| self.home.ends_with("jre")),
        ];
        homes
            .into_iter()
            .flatten()
            .map(|home| home.join("bin/javac"))
            .find(|javac| javac.is_file())
    }

    /// Its compiler, or the error that says there is none.
    pub fn require_javac(&self) -> Result<PathBuf, JvmError> {
        self.javac().ok_or_else(|| JvmError::NoCompiler {
            home: self.home.clone(),
            version: self.version.clone(),
        })
    }

    /// The JDK whose `javac` compiles what runs on this Java: itself if it can, else another of the machine that is not older.
    pub fn compiler(&self) -> Result<Jdk, JvmError> {
        if self.javac().is_some() {
            return Ok(self.clone());
        }
        let others = Self::all().unwrap_or_default();
        others
            .into_iter()
            .filter(|jdk| jdk.javac().is_some() && jdk.version.feature >= self.version.feature)
            .min_by_key(|jdk| jdk.version.feature)
            .ok_or_else(|| JvmError::NoCompiler {
                home: self.home.clone(),
                version: self.version.clone(),
            })
    }

    /// The Java that replays what ran on this one: itself if it has the modules that a replay and written tests need, else another of the
    /// machine that is not older. A runtime made by `jlink` may have few modules.
    pub fn for_replay(self) -> Jdk {
        if self.has_modules() {
            return self;
        }
        let others = Self::all().unwrap_or_default();
        let fit = others
            .into_iter()
            .filter(|jdk| jdk.version.feature >= self.version.feature && jdk.has_modules());
        fit.min_by_key(|jdk| jdk.version.feature).unwrap_or(self)
    }

    /// Does it have the modules of [`NEEDED_MODULES`]? If it does not say which it has, it has all.
    fn has_modules(&self) -> bool {
        let release = fs::read_to_string(self.home.join("release")).unwrap_or_default();
        has_all_modules(&release)
    }

    /// An error unless this is feature release `needed` or later.
    pub fn require_feature(&self, needed: u32) -> Result<(), JvmError> {
        if self.version.feature >= needed {
            return Ok(());
        }
        Err(JvmError::TooOld {
            home: self.home.clone(),
            version: self.version.clone(),
            needed,
        })
    }

    /// A command that starts this JVM, without options from environment variables. Arguments are the caller's.
    pub fn command(&self) -> Command {
        quiet(&self.java())
    }
}

/// A command for a program of a JDK, without the variables that would add options.
pub(super) fn quiet(program: &Path) -> Command {
    let mut command = Command::new(program);
    for variable in OPTION_VARIABLES {
        command.env_remove(variable);
    }
    command
}

/// Directories directly below `parent` (on macOS, their `Contents/Home`) that hold a `java` program, symbolic links resolved.
fn homes_below(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    entries
        .flat_map(|entry| [entry.path(), entry.path().join("Contents/Home")])
        .filter(|home| home.join("bin/java").is_file())
        .filter_map(|home| home.canonicalize().ok())
        .collect()
}

/// `JAVA_VERSION` of a JDK's `release` file.
fn release_version(release: &str) -> Option<Version> {
    let value = release
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    Version::parse(value.trim().trim_matches('"'))
}

/// Does a JDK with this `release` file have the modules of [`NEEDED_MODULES`]?
fn has_all_modules(release: &str) -> bool {
    let listed = release
        .lines()
        .find_map(|line| line.strip_prefix("MODULES="));
    listed.is_none_or(|listed| {
        let listed: BTreeSet<&str> = listed.trim().trim_matches('"').split(' ').collect();
        NEEDED_MODULES.iter().all(|module| listed.contains(module))
    })
}

/// The value of a property in what `-XshowSettings:properties` prints.
fn property<'a>(said: &'a str, name: &str) -> Option<&'a str> {
    said.lines().find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == name).then(|| value.trim())
    })
}

#[cfg(test)]
mod tests {
    use jinsi_platform::files::{set_mode, symbolic_link};

    use super::*;

    #[test]
    fn versions() {
        let feature = |text| Version::parse(text).map(|version| version.feature);
        assert_eq!(feature("17.0.15"), Some(17));
        assert_eq!(feature("25"), Some(25));
        assert_eq!(feature("26-ea"), Some(26));
        assert_eq!(feature("1.8.0_292"), Some(8));
        assert_eq!(feature("1"), None);
        assert_eq!(feature(""), None);
        assert_eq!(feature("x17"), None);
    }

    #[test]
    fn a_runtime_of_few_modules_is_no_runtime_for_replay() {
        let of = |modules: &str| format!("JAVA_VERSION=\"17\"\nMODULES=\"{modules}\"\n");
        assert!(!has_all_modules(&of("java.base m.app")));
        assert!(has_all_modules(&of(
            "java.base java.logging java.xml jdk.unsupported m.app"
        )));
        assert!(has_all_modules("JAVA_VERSION=\"17\"\n"));
        let jdk = Jdk::find(None).unwrap();
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("bin")).unwrap();
        fs::write(directory.path().join("bin/java"), "").unwrap();
        fs::write(
            directory.path().join("release"),
            of("java.base").replace("17", "11"),
        )
        .unwrap();
        let small = Jdk::at(directory.path(), "asked for").unwrap();
        assert_ne!(small.clone().for_replay(), small);
        assert_eq!(jdk.clone().for_replay(), jdk);
    }

    #[test]
    fn the_java_of_this_machine_is_found() {
        let jdk = Jdk::find(None).unwrap();
        assert!(jdk.java().is_file());
        assert!(jdk.version().feature >= 8);
        let all = Jdk::all().unwrap();
        assert_eq!(all[0], jdk);
        for (i, one) in all.iter().enumerate() {
            assert!(
                all[..i]
                    .iter()
                    .all(|other| other.version() != one.version()),
                "{all:?}"
            );
        }
    }

    #[test]
    fn a_link_to_java_and_a_wrapper_script_lead_to_the_same_home() {
        let jdk = Jdk::find(None).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("java");
        symbolic_link(jdk.java(), &link).unwrap();
        assert_eq!(
            Jdk::find_in(None, None, Some(directory.path().as_os_str())).unwrap(),
            jdk
        );
        fs::remove_file(&link).unwrap();
        fs::write(
            &link,
            format!("#!/bin/sh\nexec {} \"$@\"\n", jdk.java().display()),
        )
        .unwrap();
        set_mode(&link, 0o755).unwrap();
        assert_eq!(
            Jdk::find_in(Some(&link), None, None).unwrap().version(),
            jdk.version()
        );
    }

    #[test]
    fn what_is_named_is_not_passed_over() {
        let jdk = Jdk::find(None).unwrap();
        let path = env::var_os("PATH");
        let error = Jdk::find_in(None, Some(OsStr::new("/nowhere")), path.as_deref()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "/nowhere is no Java installation and no `java` program (named by JAVA_HOME)"
        );
        let error = Jdk::find_in(
            Some(Path::new("/bin/sh")),
            Some(jdk.home().as_os_str()),
            None,
        )
        .unwrap_err();
        assert!(matches!(error, JvmError::NotJava { .. }), "{error}");
        assert!(matches!(
            Jdk::find_in(None, None, Some(OsStr::new("/nowhere"))),
            Err(JvmError::NoJava)
        ));
        assert_eq!(
            Jdk::find_in(None, Some(jdk.home().as_os_str()), None).unwrap(),
            jdk
        );
    }

    #[test]
    fn a_runtime_without_compiler_is_reported_so() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("bin")).unwrap();
        fs::write(directory.path().join("bin/java"), "").unwrap();
        fs::write(
            directory.path().join("release"),
            "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"11.0.2\"\n",
        )
        .unwrap();
        let jdk = Jdk::find_in(Some(directory.path()), None, None).unwrap();
        assert_eq!(jdk.version().feature, 11);
        let error = jdk.require_javac().unwrap_err().to_string();
        assert!(error.contains("has no `javac`; install a JDK"), "{error}");
        // What this runtime is to run, another JDK of the machine compiles; the tests need one anyway.
        let compiler = jdk.compiler().unwrap();
        assert!(compiler.javac().is_some() && compiler.version().feature >= 11);
        assert_eq!(compiler.compiler().unwrap(), compiler);
        let error = jdk.require_feature(17).unwrap_err().to_string();
        assert!(
            error.ends_with("is version 11.0.2; jinsi needs 17 or later"),
            "{error}"
        );
        assert!(jdk.require_feature(11).is_ok());
    }
}
