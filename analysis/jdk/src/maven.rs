//! Gets jars by their Maven coordinates: from the local repository if they are there, else with `mvn`.

use std::collections::BTreeSet;
use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jinsi_files::{private, temporary};

use super::process::{self, ProcessError};

/// JUnit 5 with its console launcher in one jar: what compiles and runs a written test.
pub const JUNIT: &str = "org.junit.platform:junit-platform-console-standalone:1.10.2";

/// JUnit 4; the console launcher brings what runs its tests along.
pub const JUNIT_4: [&str; 2] = ["junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3"];

/// TestNG with all it needs, and what makes JUnit's launcher run its tests.
pub const TESTNG: [&str; 4] = [
    "org.testng:testng:7.10.2",
    "com.beust:jcommander:1.82",
    "org.slf4j:slf4j-api:1.7.36",
    "org.junit.support:testng-engine:1.0.5",
];

/// AssertJ, which needs nothing for what written tests ask of it.
pub const ASSERTJ: &str = "org.assertj:assertj-core:3.27.3";

/// Mockito with all it needs, in versions that know the class files of Java 17 to 25.
pub const MOCKITO: [&str; 4] = [
    "org.mockito:mockito-core:5.20.0",
    "net.bytebuddy:byte-buddy:1.17.7",
    "net.bytebuddy:byte-buddy-agent:1.17.7",
    "org.objenesis:objenesis:3.3",
];

/// The plugin that downloads, pinned so that every machine runs the same one.
const RESOLVE: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:resolve";

/// Time for one run of Maven: on a new machine it downloads its plugins first.
const LIMIT: Duration = Duration::from_secs(600);

/// Two runs of Maven at a time would write to the same files of the local repository.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Why jars were not to be had. Every variant names the coordinates.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// Not `group:artifact:version`, nor the same with a classifier behind it.
    #[error("`{0}` is not group:artifact:version, as Maven coordinates are written")]
    Coordinates(String),
    /// There is nowhere to put them.
    #[error("cannot find the local Maven repository: this user has no home directory; set HOME")]
    NoHome,
    /// They are not in the local repository, and there is no Maven to fetch them.
    #[error("{coordinates} is not in the local Maven repository {}; install Maven, which fetches it", repository.display())]
    NoMaven {
        /// What was wanted.
        coordinates: String,
        /// Where it was not.
        repository: PathBuf,
    },
    /// No repository has them.
    #[error("Maven finds no {coordinates}: {said}")]
    Missing {
        /// What was wanted.
        coordinates: String,
        /// Maven's own words.
        said: String,
    },
    /// The repository could not be reached.
    #[error("Maven cannot reach its repository to fetch {coordinates}: {said}")]
    Offline {
        /// What was wanted.
        coordinates: String,
        /// Maven's own words.
        said: String,
    },
    /// Maven failed in another way.
    #[error("Maven failed to fetch {coordinates}: {said}")]
    Failed {
        /// What was wanted.
        coordinates: String,
        /// Maven's own words.
        said: String,
    },
    /// The project file for Maven could not be written.
    #[error("cannot write the project file for Maven: {0}")]
    Project(#[from] io::Error),
    /// Maven could not be run to its end.
    #[error("cannot fetch {coordinates}: {source}")]
    Process {
        /// What was wanted.
        coordinates: String,
        /// What went wrong.
        source: ProcessError,
    },
}

/// The jars of the given coordinates (`group:artifact:version`, or `group:artifact:version:classifier`), in their order; nothing they
/// depend on. Looks into the local Maven repository first; what is not there, one run of Maven fetches.
pub fn fetch(coordinates: &[impl AsRef<str>]) -> Result<Vec<PathBuf>, FetchError> {
    let repository = local_repository(&Places::of_process()).ok_or(FetchError::NoHome)?;
    let coordinates: Vec<&str> = coordinates.iter().map(AsRef::as_ref).collect();
    fetch_into(&repository, Path::new("mvn"), &coordinates)
}

fn fetch_into(
    repository: &Path,
    mvn: &Path,
    coordinates: &[&str],
) -> Result<Vec<PathBuf>, FetchError> {
    let wanted: Vec<Coordinates<'_>> = coordinates
        .iter()
        .map(|text| Coordinates::parse(text))
        .collect::<Result<_, _>>()?;
    let missing = || {
        wanted
            .iter()
            .filter(|one| !one.jar_in(repository).is_file())
            .copied()
            .collect::<Vec<_>>()
    };
    if !missing().is_empty() {
        let _running = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        // Once for each version: a Maven project can name an artifact only once.
        for round in distinct_artifacts(missing()) {
            run_maven(repository, mvn, &round)?;
        }
        if let [first, ..] = missing()[..] {
            let said = format!("it is not in {} after all", repository.display());
            return Err(FetchError::Failed {
                coordinates: first.to_string(),
                said,
            });
        }
    }
    Ok(wanted.iter().map(|one| one.jar_in(repository)).collect())
}

/// Runs Maven on a project that depends on just these artifacts.
fn run_maven(repository: &Path, mvn: &Path, wanted: &[Coordinates<'_>]) -> Result<(), FetchError> {
    let names = || {
        wanted
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let directory = temporary::directory()?;
    let project = directory.path().join("pom.xml");
    private::write(&project, project_file(wanted))?;
    let mut command = Command::new(mvn);
    command.args(["-q", "-B", "-f"]).arg(&project).arg(RESOLVE);
    command.arg(format!("-Dmaven.repo.local={}", repository.display()));
    let finished = match process::run(command.current_dir(directory.path()), LIMIT) {
        Err(ProcessError::Start { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            return Err(FetchError::NoMaven {
                coordinates: names(),
                repository: repository.to_owned(),
            });
        }
        other => other.map_err(|source| FetchError::Process {
            coordinates: names(),
            source,
        })?,
    };
    if finished.status.success() {
        return Ok(());
    }
    Err(failure(names(), &(finished.stdout + &finished.stderr)))
}

/// Makes an error of what Maven printed.
fn failure(coordinates: String, output: &str) -> FetchError {
    let errors = output
        .lines()
        .filter_map(|line| line.split_once("ERROR] ").map(|(_, said)| said.trim()));
    let said = errors
        .clone()
        .find(|said| !said.is_empty())
        .unwrap_or("it did not say why")
        .to_owned();
    let says = |needles: &[&str]| {
        errors
            .clone()
            .any(|line| needles.iter().any(|needle| line.contains(needle)))
    };
    if says(&["Could not transfer", "Unknown host", "Cannot access"]) {
        FetchError::Offline { coordinates, said }
    } else if says(&["Could not find artifact", "was not found in"]) {
        FetchError::Missing { coordinates, said }
    } else {
        FetchError::Failed { coordinates, said }
    }
}

/// Splits a list so that no part names an artifact twice.
fn distinct_artifacts(mut wanted: Vec<Coordinates<'_>>) -> Vec<Vec<Coordinates<'_>>> {
    let mut rounds = Vec::new();
    while !wanted.is_empty() {
        let mut seen = BTreeSet::new();
        let (round, rest) = wanted
            .into_iter()
            .partition(|one| seen.insert((one.group, one.artifact, one.classifier)));
        rounds.push(round);
        wanted = rest;
    }
    rounds
}

/// A Maven project whose dependencies are these artifacts and nothing that they depend on.
fn project_file(wanted: &[Coordinates<'_>]) -> String {
    let mut text = String::from(
        "<project><modelVersion>4.0.0</modelVersion><groupId>jinsi</groupId><artifactId>fetch</artifactId>\
         <version>1</version><packaging>pom</packaging><dependencies>\n",
    );
    for Coordinates {
        group,
        artifact,
        version,
        classifier,
    } in wanted
    {
        let classifier = classifier.map_or_else(String::new, |name| {
            format!("<classifier>{name}</classifier>")
        });
        text += &format!(
            "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>\
             {classifier}<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>\n"
        );
    }
    text + "</dependencies></project>\n"
}

/// What names a jar.
#[derive(Clone, Copy)]
struct Coordinates<'a> {
    group: &'a str,
    artifact: &'a str,
    version: &'a str,
    /// What tells this jar from the artifact's main one: `tests`, `runtime`, …
    classifier: Option<&'a str>,
}

impl<'a> Coordinates<'a> {
    fn parse(text: &'a str) -> Result<Self, FetchError> {
        // Such parts need no escaping in XML, and cannot lead out of the repository.
        let is_name = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_alphanumeric())
                && part
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
                && !part.contains("..")
        };
        let parts: Vec<&str> = text.split(':').collect();
        match parts[..] {
            [group, artifact, version, ref rest @ ..]
                if rest.len() < 2 && parts.iter().all(|part| is_name(part)) =>
            {
                Ok(Coordinates {
                    group,
                    artifact,
                    version,
                    classifier: rest.first().copied(),
                })
            }
            _ => Err(FetchError::Coordinates(text.to_owned())),
        }
    }

    /// Where the jar is in a repository of Maven's default layout.
    fn jar_in(&self, repository: &Path) -> PathBuf {
        let directory = repository
            .join(self.group.replace('.', "/"))
            .join(self.artifact)
            .join(self.version);
        let classifier = self
            .classifier
            .map_or_else(String::new, |name| format!("-{name}"));
        directory.join(format!(
            "{}-{}{classifier}.jar",
            self.artifact, self.version
        ))
    }
}

impl fmt::Display for Coordinates<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.group, self.artifact, self.version)?;
        self.classifier.map_or(Ok(()), |name| write!(f, ":{name}"))
    }
}

/// What says where the local repository is.
struct Places {
    /// `MAVEN_ARGS` and `MAVEN_OPTS`, in the order in which they win.
    options: Vec<String>,
    /// The user's home directory.
    home: Option<PathBuf>,
}

impl Places {
    fn of_process() -> Places {
        let options = ["MAVEN_ARGS", "MAVEN_OPTS"]
            .iter()
            .filter_map(|name| env::var(name).ok())
            .collect();
        Places {
            options,
            home: env::home_dir(),
        }
    }
}

/// The local repository as Maven itself finds it: `-Dmaven.repo.local` in its option variables, else `localRepository` of the user's
/// settings, else `~/.m2/repository`.
fn local_repository(places: &Places) -> Option<PathBuf> {
    let option = |text: &String| {
        let value = text
            .split_whitespace()
            .find_map(|word| word.strip_prefix("-Dmaven.repo.local="));
        value.filter(|value| !value.is_empty()).map(PathBuf::from)
    };
    if let Some(repository) = places.options.iter().find_map(option) {
        return Some(repository);
    }
    let maven = places.home.as_ref()?.join(".m2");
    let settings = fs::read_to_string(maven.join("settings.xml")).unwrap_or_default();
    Some(setting(&settings, places.home.as_ref()?).unwrap_or_else(|| maven.join("repository")))
}

/// `localRepository` of a `settings.xml`. The only property that is replaced in it is the home directory.
fn setting(settings: &str, home: &Path) -> Option<PathBuf> {
    let document = roxmltree::Document::parse(settings).ok()?;
    let node = document
        .descendants()
        .find(|node| node.tag_name().name() == "localRepository")?;
    let path = node.text()?.trim().replace("${user.home}", home.to_str()?);
    (!path.is_empty()).then(|| PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_and_paths() {
        let joda = Coordinates::parse("joda-time:joda-time:1.6").unwrap();
        assert_eq!(
            joda.jar_in(Path::new("/r")),
            Path::new("/r/joda-time/joda-time/1.6/joda-time-1.6.jar")
        );
        let tests = Coordinates::parse("g:a:1:tests").unwrap();
        assert_eq!(
            tests.jar_in(Path::new("/r")),
            Path::new("/r/g/a/1/a-1-tests.jar")
        );
        assert_eq!(tests.to_string(), "g:a:1:tests");
        assert!(project_file(&[tests]).contains("<classifier>tests</classifier>"));
        let mockito = Coordinates::parse(MOCKITO[0]).unwrap();
        assert!(
            mockito
                .jar_in(Path::new("/r"))
                .starts_with("/r/org/mockito/mockito-core")
        );
        for bad in [
            "",
            "a:b",
            "a:b:c:d:e",
            "a:b:c:",
            "a::c",
            "a:b:../c",
            "a:b:c d",
            "a:b:<c>",
            "a/b:c:1",
            "..:b:1",
        ] {
            assert!(
                matches!(Coordinates::parse(bad), Err(FetchError::Coordinates(_))),
                "{bad}"
            );
        }
    }

    #[test]
    fn what_is_there_needs_no_maven() {
        let repository = tempfile::tempdir().unwrap();
        let jar = repository.path().join("g/h/a/1/a-1.jar");
        fs::create_dir_all(jar.parent().unwrap()).unwrap();
        fs::write(&jar, "").unwrap();
        let nowhere = Path::new("/nowhere/mvn");
        assert_eq!(
            fetch_into(repository.path(), nowhere, &["g.h:a:1"]).unwrap(),
            [jar]
        );
        let error = fetch_into(repository.path(), nowhere, &["g.h:a:1", "g.h:b:2"])
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("g.h:b:2 is not in the local Maven repository"),
            "{error}"
        );
        assert!(
            error.ends_with("install Maven, which fetches it"),
            "{error}"
        );
    }

    #[test]
    fn what_maven_says_is_understood() {
        let kind = |output: &str| failure("g:a:1".to_owned(), output);
        let missing = "[ERROR] Failed to execute goal x: Could not find artifact g:a:jar:1 in central (https://x) -> [Help 1]\n[ERROR] \n";
        assert!(matches!(kind(missing), FetchError::Missing { .. }));
        let offline = "[\u{1b}[1;31mERROR] x: Could not transfer artifact g:a:pom:1 from/to central: Unknown host\n";
        assert!(matches!(kind(offline), FetchError::Offline { .. }));
        assert!(
            matches!(kind("[ERROR] no memory"), FetchError::Failed { said, .. } if said == "no memory")
        );
        assert!(matches!(kind(""), FetchError::Failed { .. }));
    }

    #[test]
    fn two_versions_of_one_artifact_go_into_two_runs() {
        let wanted = ["g:a:1", "g:a:2", "g:b:1"].map(|text| Coordinates::parse(text).unwrap());
        let rounds = distinct_artifacts(wanted.to_vec());
        let texts: Vec<Vec<String>> = rounds
            .iter()
            .map(|round| round.iter().map(ToString::to_string).collect())
            .collect();
        assert_eq!(texts, [vec!["g:a:1", "g:b:1"], vec!["g:a:2"]]);
    }

    #[test]
    fn the_local_repository_is_where_maven_has_it() {
        let home = tempfile::tempdir().unwrap();
        let places = |options: &[&str]| Places {
            options: options.iter().map(|&option| option.to_owned()).collect(),
            home: Some(home.path().to_owned()),
        };
        assert_eq!(
            local_repository(&places(&[])),
            Some(home.path().join(".m2/repository"))
        );
        assert_eq!(
            local_repository(&places(&["-X", "-Xmx1g -Dmaven.repo.local=/r"])),
            Some(PathBuf::from("/r"))
        );
        fs::create_dir(home.path().join(".m2")).unwrap();
        let settings = "<settings xmlns=\"http://maven.apache.org/SETTINGS/1.0.0\">\
            <localRepository> ${user.home}/repo </localRepository></settings>";
        fs::write(home.path().join(".m2/settings.xml"), settings).unwrap();
        assert_eq!(
            local_repository(&places(&["-X"])),
            Some(home.path().join("repo"))
        );
        assert_eq!(
            local_repository(&Places {
                options: Vec::new(),
                home: None
            }),
            None
        );
    }
}
