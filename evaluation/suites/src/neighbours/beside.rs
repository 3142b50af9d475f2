//! The neighbours: what each adds to the command line, and how one sees that it was at work.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_ground::files::unpack;
use jinsi_ground::repository;
use jinsi_jdk::{Jdk, compile, maven, process};

/// Our own parts of the neighbours.
const JAVA: &str = "evaluation/suites/java/neighbours";
/// Time for a tool of theirs.
const LIMIT: Duration = Duration::from_secs(120);
const JACOCO_CORE: &str = "org.jacoco:org.jacoco.core:0.8.14";
const WEAVER: &str = "org.aspectj:aspectjweaver:1.9.24";

/// Something that runs in the JVM of the tests.
pub(super) struct Neighbour {
    pub(super) name: &'static str,
    /// Maven coordinates of what it is made of.
    jars: &'static [&'static str],
    /// The command line can name it before our agent and behind it.
    pub(super) is_agent: bool,
    /// With its jars and a directory for what it writes.
    prepare: fn(&Kit<'_>, &[PathBuf], &Path) -> Result<Beside>,
}

/// Not here: Hibernate's enhancer, which works when a build compiles, and CRaC, which no JDK of Debian's has.
pub(super) const NEIGHBOURS: [Neighbour; 11] = [
    Neighbour {
        name: "jacoco",
        jars: &["org.jacoco:org.jacoco.agent:0.8.14:runtime"],
        is_agent: true,
        prepare: |_, jars, place| {
            Ok(Beside::covering(place).agent(&jars[0], &format!("destfile={}", exec(place))))
        },
    },
    Neighbour {
        name: "jacoco-offline",
        jars: &[
            "org.jacoco:org.jacoco.agent:0.8.14:runtime",
            "org.jacoco:org.jacoco.cli:0.8.14:nodeps",
        ],
        is_agent: false,
        prepare: jacoco_offline,
    },
    Neighbour {
        name: "mockito",
        jars: &[maven::MOCKITO[0]],
        is_agent: true,
        prepare: |_, jars, _| Ok(Beside::default().agent(&jars[0], "")),
    },
    Neighbour {
        name: "opentelemetry",
        jars: &["io.opentelemetry.javaagent:opentelemetry-javaagent:2.16.0"],
        is_agent: true,
        prepare: opentelemetry,
    },
    Neighbour {
        name: "bytebuddy",
        jars: &[],
        is_agent: true,
        prepare: |kit, _, place| kit.own_agent("Advised", place),
    },
    Neighbour {
        name: "aspectj",
        jars: &[WEAVER],
        is_agent: true,
        prepare: aspectj,
    },
    Neighbour {
        name: "byteman",
        jars: &["org.jboss.byteman:byteman:4.0.25"],
        is_agent: true,
        prepare: byteman,
    },
    Neighbour {
        name: "reloading",
        jars: &[],
        is_agent: true,
        prepare: |kit, _, place| kit.own_agent("Reloading", place),
    },
    Neighbour {
        name: "jfr",
        jars: &[],
        is_agent: false,
        prepare: |_, _, place| {
            let file = place.join("recording.jfr");
            let option = format!(
                "-XX:StartFlightRecording=settings=profile,filename={}",
                file.display()
            );
            Ok(Beside {
                options: vec![option],
                sign: Some((file, "")),
                ..Beside::default()
            })
        },
    },
    Neighbour {
        name: "jdwp",
        jars: &[],
        is_agent: true,
        prepare: |_, _, _| {
            let option =
                "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0,quiet=y";
            Ok(Beside {
                options: vec![option.to_owned()],
                ..Beside::default()
            })
        },
    },
    Neighbour {
        name: "async-profiler",
        jars: &["tools.profiler:async-profiler:4.0"],
        is_agent: true,
        prepare: async_profiler,
    },
];

impl Neighbour {
    /// Fetches and makes what it needs.
    pub(super) fn prepare(&self, kit: &Kit<'_>, place: &Path) -> Result<Beside> {
        fs::create_dir_all(place)?;
        let jars = maven::fetch(self.jars)?;
        (self.prepare)(kit, &jars, place).with_context(|| self.name.to_owned())
    }
}

/// A neighbour as a JVM is started with it; by default none.
#[derive(Default)]
pub(super) struct Beside {
    /// Options of the JVM.
    pub(super) options: Vec<String>,
    /// In front of the class path of the tests.
    pub(super) first: Vec<PathBuf>,
    /// Behind it.
    pub(super) last: Vec<PathBuf>,
    /// A file with this in it is there once it was at work. What is not an agent of Java's stops the JVM if it cannot work.
    sign: Option<(PathBuf, &'static str)>,
    /// The sign is JaCoCo's, and says what was covered.
    covers: bool,
}

impl Beside {
    fn agent(mut self, jar: &Path, arguments: &str) -> Self {
        let arguments = match arguments {
            "" => String::new(),
            some => format!("={some}"),
        };
        self.options
            .push(format!("-javaagent:{}{arguments}", jar.display()));
        self
    }

    fn covering(place: &Path) -> Self {
        Self {
            sign: Some((exec(place).into(), "")),
            covers: true,
            ..Self::default()
        }
    }

    /// Removes the sign.
    pub(super) fn forget(&self) -> Result<()> {
        match &self.sign {
            Some((file, _)) if file.exists() => Ok(fs::remove_file(file)?),
            _ => Ok(()),
        }
    }

    /// Whether the sign is there; `None` without one.
    pub(super) fn was_at_work(&self) -> Option<bool> {
        let (file, text) = self.sign.as_ref()?;
        let bytes = fs::read(file).unwrap_or_default();
        Some(!bytes.is_empty() && String::from_utf8_lossy(&bytes).contains(text))
    }

    /// What JaCoCo says was covered of the program; `None` of other neighbours.
    pub(super) fn coverage(&self, kit: &Kit<'_>) -> Result<Option<String>> {
        let Some((file, _)) = self.sign.as_ref().filter(|_| self.covers) else {
            return Ok(None);
        };
        let mut class_path = vec![kit.classes.clone(), kit.jacoco.clone()];
        class_path.extend_from_slice(&kit.program);
        let mut command = kit.java(&class_path)?;
        command.arg("neighbour.Coverage").arg(file);
        Ok(Some(finished(&mut command)?))
    }
}

/// What neighbours are made with.
pub(super) struct Kit<'a> {
    jdk: &'a Jdk,
    /// Our own parts, compiled.
    classes: PathBuf,
    jacoco: PathBuf,
    /// Classes of the program, and of its tests.
    program: [PathBuf; 2],
}

impl<'a> Kit<'a> {
    /// Compiles our own parts into a directory below `out`.
    pub(super) fn compile(
        jdk: &'a Jdk,
        libraries: &[PathBuf],
        program: [PathBuf; 2],
        out: &Path,
    ) -> Result<Self> {
        let classes = out.join("neighbour");
        fs::create_dir_all(&classes)?;
        let theirs = maven::fetch(&[JACOCO_CORE, WEAVER])?;
        let class_path = [libraries, &theirs].concat();
        let sources = repository::java_sources(JAVA)?;
        compile::javac_for(jdk, Some(11), &sources, &class_path, &classes)?;
        Ok(Self {
            jdk,
            classes,
            jacoco: theirs[0].clone(),
            program,
        })
    }

    fn java(&self, class_path: &[PathBuf]) -> Result<Command> {
        let mut command = self.jdk.command();
        command.arg("-cp").arg(std::env::join_paths(class_path)?);
        Ok(command)
    }

    /// One of our agents: its class lies on the class path, and the jar only names it.
    fn own_agent(&self, class: &str, place: &Path) -> Result<Beside> {
        let (jar, manifest) = (place.join("agent.jar"), place.join("manifest"));
        fs::write(
            &manifest,
            format!(
                "Premain-Class: neighbour.{class}\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n"
            ),
        )?;
        let mut command = Command::new(self.jdk.home().join("bin/jar"));
        repository::run(command.arg("cfm").args([&jar, &manifest]))?;
        Ok(self.signing(place).agent(&jar, ""))
    }

    /// What our parts need: their classes, and a file for the sign.
    fn signing(&self, place: &Path) -> Beside {
        let sign = place.join("sign");
        Beside {
            options: vec![format!("-Dneighbour.sign={}", sign.display())],
            last: vec![self.classes.clone()],
            sign: Some((sign, "")),
            ..Beside::default()
        }
    }
}

/// Where JaCoCo writes.
fn exec(place: &Path) -> String {
    place.join("jacoco.exec").display().to_string()
}

/// The program's classes are changed before the JVM starts.
fn jacoco_offline(kit: &Kit<'_>, jars: &[PathBuf], place: &Path) -> Result<Beside> {
    let into = place.join("classes");
    let mut command = kit.java(&jars[1..])?;
    command.args(["org.jacoco.cli.internal.Main", "instrument"]);
    finished(command.arg(&kit.program[0]).arg("--dest").arg(&into))?;
    Ok(Beside {
        options: vec![format!("-Djacoco-agent.destfile={}", exec(place))],
        first: vec![into],
        last: vec![jars[0].clone()],
        ..Beside::covering(place)
    })
}

/// All methods of the program are spans, which it logs to a file.
fn opentelemetry(_: &Kit<'_>, jars: &[PathBuf], place: &Path) -> Result<Beside> {
    let log = place.join("log");
    let methods = "parcels.Route[to,after];parcels.Tariff[cents,kilograms];parcels.Manifest[load,towns];\
                   parcels.Depot[store,from];parcels.Dispatcher[send,left];parcels.Parcel[number,town,grams]";
    let options = [
        "otel.traces.exporter=logging".to_owned(),
        "otel.metrics.exporter=none".to_owned(),
        "otel.logs.exporter=none".to_owned(),
        format!("otel.instrumentation.methods.include={methods}"),
        format!(
            "io.opentelemetry.javaagent.slf4j.simpleLogger.logFile={}",
            log.display()
        ),
    ];
    let beside = Beside {
        options: options.map(|option| format!("-D{option}")).into(),
        sign: Some((log, "Route.after")),
        ..Beside::default()
    };
    Ok(beside.agent(&jars[0], ""))
}

fn aspectj(kit: &Kit<'_>, jars: &[PathBuf], place: &Path) -> Result<Beside> {
    let file = place.join("aop.xml");
    fs::write(
        &file,
        "<aspectj><weaver><include within=\"parcels..*\"/><include within=\"neighbour.Watch\"/></weaver>\
         <aspects><aspect name=\"neighbour.Watch\"/></aspects></aspectj>\n",
    )?;
    let mut beside = kit.signing(place).agent(&jars[0], "");
    beside.options.push(format!(
        "-Dorg.aspectj.weaver.loadtime.configuration=file:{}",
        file.display()
    ));
    Ok(beside)
}

/// A rule at the begin of methods of the program.
fn byteman(kit: &Kit<'_>, jars: &[PathBuf], place: &Path) -> Result<Beside> {
    let file = place.join("rules.btm");
    let methods = [
        "Route.after",
        "Tariff.cents",
        "Manifest.towns",
        "Depot.from",
        "Dispatcher.send",
    ];
    let rule = |name: &str| {
        let (class, method) = name.split_once('.').unwrap_or_default();
        format!(
            "RULE {name}\nCLASS parcels.{class}\nMETHOD {method}\nAT ENTRY\nIF true\nDO neighbour.Sign.give()\nENDRULE\n"
        )
    };
    fs::write(&file, methods.map(rule).concat())?;
    Ok(kit
        .signing(place)
        .agent(&jars[0], &format!("script:{}", file.display())))
}

fn async_profiler(kit: &Kit<'_>, jars: &[PathBuf], place: &Path) -> Result<Beside> {
    let library = format!(
        "linux-{}/libasyncProfiler.so",
        match std::env::consts::ARCH {
            "aarch64" => "arm64",
            _ => "x64",
        }
    );
    unpack(kit.jdk, &jars[0], &[&library], place)?;
    let (library, file) = (place.join(library), place.join("profile.txt"));
    let option = format!(
        "-agentpath:{}=start,event=itimer,interval=1ms,collapsed,file={}",
        library.display(),
        file.display()
    );
    Ok(Beside {
        options: vec![option],
        sign: Some((file, "")),
        ..Beside::default()
    })
}

/// What a program prints that has to end well.
fn finished(command: &mut Command) -> Result<String> {
    let finished = process::run(command, LIMIT)?;
    ensure!(finished.status.success(), "{}", finished.stderr);
    Ok(finished.stdout)
}
