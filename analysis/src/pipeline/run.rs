//! A recorded run as replay sees it, whether it failed or not: `jinsi replay`.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use jinsi_natural::packages::Packages;
use jinsi_natural::pattern::Pattern;
use jinsi_trace::model::{
    CallOp, ClassOrigin, DamageDef, FailureKind, MarkDef, MarkNo, MemberRef, ObjectId, ThreadNo,
    Value,
};
use jinsi_trace::reader::Trace;

use jinsi_history::damage::{Asked, Damaged};
use jinsi_history::failures;
use jinsi_history::failures::NoCrash;
use jinsi_history::{Gap, History, NodeKind, NodeNo, Tables, TooLong};
use jinsi_jdk::{Jdk, jar, workdir};
use jinsi_level::coroutines::MadeClasses;
use jinsi_level::modules;
use jinsi_level::program::is_the_jdks;
use jinsi_level::project::{Besides, project_with};
use jinsi_level::surroundings::{self, Setting};
use jinsi_level::{CrashPredicate, Engine, Level, Outcome};
use jinsi_natural::Natural;
use jinsi_oracle::failure::Crash;
use jinsi_oracle::given::Given;
use jinsi_oracle::{self, Oracle};
use jinsi_replay::session::{self, ReplayCode, SessionError};
use jinsi_trace::model::Detail;

use super::kept::{KeptClasses, is_plain};
use super::originals::Originals;
use super::root_cause::crash_by;
use super::{Config, PipelineError, room};

/// A recorded run.
pub struct Run {
    pub(super) trace: Trace,
    pub(super) path: PathBuf,
    pub(super) history: History,
    /// The thread that failed, if one did, else the busiest: the one that counts where there can be but one.
    pub(super) thread: ThreadNo,
    /// Its failure, or why there is none to work on.
    pub(super) crash: Result<Crash, NoCrash>,
    /// The test whose failure it is, if one was chosen.
    pub(super) test: Option<String>,
    /// Class files of libraries that the trace keeps, once they were asked for.
    kept: OnceLock<Option<KeptClasses>>,
    /// What other agents changed, once it was looked for.
    pub(super) originals: OnceLock<Originals>,
    /// Options of the program's JVM, once a JDK was asked whether it takes them.
    jvm_options: OnceLock<Vec<String>>,
    /// Its number.
    pub(super) test_no: Option<MarkNo>,
    /// If only the event slice of the failure was read: how many interactions are not in it.
    pub(super) left_out: Option<u32>,
}

/// An observed set that strict replay is tried on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelName {
    /// For people: `all`, `stack N: CLASS`, or `CLASS`, dotted.
    pub name: String,
    /// Internal names of its classes.
    pub observed: BTreeSet<String>,
}

impl Run {
    /// Opens a trace.
    ///
    /// # Errors
    /// The trace cannot be read, or not be replayed.
    pub fn open(path: &Path) -> Result<Self, PipelineError> {
        Self::open_with(path, history)
    }

    /// The same run with the history of all threads, if it is that of one and others were recorded: that one met no object that only others
    /// tell of, but they may have changed what it met.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub(super) fn of_all_threads(&self) -> Result<Option<Self>, PipelineError> {
        if self.history.is_threaded() || !has_several_threads(&self.trace) {
            return Ok(None);
        }
        let all = Self::open_with(&self.path, |trace, thread| {
            merged(trace)?.map_or_else(|| history(trace, thread), Ok)
        });
        all.map(Some)
    }

    pub(super) fn open_with(
        path: &Path,
        mut history_of: impl FnMut(&Trace, ThreadNo) -> Result<History, PipelineError>,
    ) -> Result<Self, PipelineError> {
        let trace = Trace::open(path)?;
        if trace.meta().is_of_rewritten_code() {
            return Err(PipelineError::Rewritten);
        }
        if trace.events_dropped() > 0 && trace.window().is_none() {
            return Err(PipelineError::NoBeginning(trace.events_dropped()));
        }
        let failure = failures::pick(trace.failures()).cloned();
        let busiest = || {
            let threads = trace.threads().iter().map(|t| t.no);
            threads.max_by_key(|&t| (trace.event_count(t), std::cmp::Reverse(t)))
        };
        let failed = failure.as_ref().map(|f| f.thread);
        let mut thread = failed.or_else(busiest).unwrap_or(0);
        let mut history = history_of(&trace, thread)?;
        let crash = failure
            .as_ref()
            .ok_or_else(|| failures::none_in(&trace))
            .and_then(|f| crash_by(&history, f.throwable, None))
            .map(|crash| with_message_of_jdk(crash, &trace));
        // At the boundary, one that is not seen yet may have been caught inside.
        let inside = failure.is_some() && trace.meta().detail == Detail::Boundary;
        if let (Err(_), false, Some(other)) = (&crash, inside, busiest().filter(|&t| t != thread)) {
            history = history_of(&trace, other)?;
            thread = other;
        }
        Ok(Self {
            trace,
            path: path.to_path_buf(),
            history,
            thread,
            crash,
            test: None,
            kept: OnceLock::new(),
            originals: OnceLock::new(),
            jvm_options: OnceLock::new(),
            test_no: None,
            left_out: None,
        })
    }

    /// Puts a failure of the trace in the place of the one that [`Run::open`] chose: the one with this number, as `jinsi info` counts them,
    /// from 1.
    ///
    /// # Errors
    /// There are not so many, or its thread has too many events.
    pub fn turn_to_failure(&mut self, number: usize) -> Result<(), PipelineError> {
        let all = self.trace.failures();
        let chosen = number.checked_sub(1).and_then(|at| all.get(at)).cloned();
        let failure = chosen.ok_or(PipelineError::NoSuchFailure {
            number,
            of: all.len(),
        })?;
        if self.thread != failure.thread {
            self.history = history(&self.trace, failure.thread)?;
            self.thread = failure.thread;
        }
        let crash = crash_by(&self.history, failure.throwable, None);
        self.crash = crash.map(|crash| with_message_of_jdk(crash, &self.trace));
        Ok(())
    }

    /// The trace file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The trace.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// What of the trace is damaged or could not be read, seen from the failure, if there is one to work on.
    pub fn damage(&self) -> Damaged {
        let unread = self.history.gaps();
        let Ok(crash) = &self.crash else {
            return Damaged::of(&self.trace, unread);
        };
        let asked = Asked {
            thread: self.thread,
            throwable: crash.throwable,
            // Of a recording at the boundary one thread may have all that is needed. Else it is the only one that was found.
            all_threads: self.history.is_threaded() || !self.history.tables().at_boundary(),
        };
        Damaged::seen_from(&self.trace, unread, asked)
    }

    /// Events that could not be read.
    pub fn gaps(&self) -> &[Gap] {
        self.history.gaps()
    }

    /// The same for a trace that is made of this one.
    pub(super) fn damage_defs(&self) -> Vec<DamageDef> {
        Damaged::defs(&self.trace, self.history.gaps())
    }

    /// What has to be known of results from the window of a recording of which the beginning was dropped; `None` of others.
    pub(super) fn of_window(&self) -> Option<String> {
        let window = self.trace.window()?;
        let statics = match self.history.statics().is_empty() {
            true => "class initializers and static fields that were set before run anew",
            false => "static fields are as they were when it began",
        };
        Some(format!(
            "the recording begins {:.1} s after the program: {} events before that were dropped, older objects are as they were when first met \
             since, {statics}, and of calls that were running then {} steps are left out",
            window.seconds,
            self.trace.events_dropped(),
            self.history.before_window()
        ))
    }

    /// What a replay must show to count as failing; no exception is that of a run without failure.
    pub(super) fn predicate(&self) -> CrashPredicate {
        match &self.crash {
            Ok(crash) => crash.predicate.clone(),
            Err(_) => CrashPredicate::default(),
        }
    }

    /// Is the failure an exception that was asked for by its class, and that ended no thread?
    pub(super) fn was_handled(&self) -> bool {
        let Ok(crash) = &self.crash else {
            return false;
        };
        let kinds = self.trace.failures().iter();
        let mut kinds = kinds
            .filter(|failure| failure.throwable == crash.throwable)
            .map(|failure| failure.kind)
            .peekable();
        kinds.peek().is_some() && kinds.all(|kind| kind == FailureKind::Listed)
    }

    /// What a replay must show to count as failing.
    pub(super) fn oracle(&self) -> &Oracle {
        self.crash
            .as_ref()
            .map_or(&Oracle::Exception, |c| &c.oracle)
    }

    /// The recorded classes that another agent changed. Only class files in directories are found.
    pub(super) fn originals(&self) -> &Originals {
        self.originals.get_or_init(|| {
            let mut places = self.class_path_here();
            places.retain(|place| place.is_dir());
            Originals::in_directories(&self.trace, &places)
        })
    }

    /// The tables that sessions for an engine are made from.
    pub(super) fn tables(&self, engine: Engine) -> session::TraceTables {
        self.originals().tables(&self.trace, engine)
    }

    /// Puts the failure that the user names in the place of the one that [`Run::open`] chose.
    ///
    /// # Errors
    /// It does not occur in this run.
    pub fn look_for(&mut self, given: &Given) -> Result<(), PipelineError> {
        let crash = given.find(&self.history)?;
        self.crash = Ok(with_message_of_jdk(crash, &self.trace));
        // What does not end may be a test.
        if let (Given::Endless, Some(no)) = (given, self.history.running_test()) {
            let mark = self.trace.marks().iter().find(|mark| mark.no == no);
            self.test = mark.map(MarkDef::full_name);
            self.test_no = Some(no);
        }
        Ok(())
    }

    /// The run as the classes `observed` see it, up to where `oracle` shows. The activation `driver`, and what is around it, drives whatever its class
    /// is.
    pub(super) fn project(
        &self,
        natural: &Natural,
        observed: &BTreeSet<String>,
        oracle: &Oracle,
        driver: Option<NodeNo>,
    ) -> Level {
        let besides = Besides {
            driver,
            ..Besides::default()
        };
        let mut level = project_with(&self.history, natural, observed, besides);
        oracle.cut(&mut level);
        self.originals().leave_out_others(&mut level);
        level
    }

    /// The same where all code runs for real, and nothing is answered.
    pub(super) fn project_for_real(
        &self,
        observed: &BTreeSet<String>,
        oracle: &Oracle,
        driver: Option<NodeNo>,
    ) -> Level {
        let recorded = self.recorded();
        let natural = Natural::all_but(recorded.iter().map(String::as_str));
        let observed = &MadeClasses::of(self.history.tables()).beside(observed);
        let besides = Besides {
            looks: oracle.looks().to_vec(),
            driver,
        };
        let mut level = project_with(&self.history, &natural, observed, besides);
        oracle.cut(&mut level);
        level
    }

    /// Objects that were read from static fields of code which was not recorded, or got from a static method of it that takes nothing, with
    /// these members.
    pub(super) fn members_of_others(&self) -> impl Iterator<Item = (ObjectId, MemberRef)> + '_ {
        let history = &self.history;
        let recorded = self.recorded();
        let gives = |n: &NodeNo| match history.node(*n).kind {
            NodeKind::GetStatic => true,
            NodeKind::Call => {
                let is_static = history.site(*n).is_some_and(|s| s.op == CallOp::Static);
                is_static && history.args(*n).is_empty()
            }
            _ => false,
        };
        let given = history.numbers().filter(gives);
        given.filter_map(move |n| match history.outcome(n) {
            Outcome::Return(Some(Value::Object(id))) => {
                let member = &history.site(n)?.target;
                let others = !recorded.contains(member.owner.as_str());
                others.then(|| (id, member.clone()))
            }
            _ => None,
        })
    }

    /// The session file of a level of this run, with classes that are fit for its engine.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn session(
        &self,
        recording: &session::TraceTables,
        code: &ReplayCode,
        level: &Level,
    ) -> Result<Vec<u8>, SessionError> {
        let predicate = self.predicate();
        match level.engine {
            Engine::Replay => session::level_session(recording, code, level, &predicate),
            Engine::Direct => {
                let libraries = self.class_path();
                session::direct_session(recording, code, level, &predicate, &libraries)
            }
        }
    }

    /// What the program had around it, as far as a test can set it up.
    pub(super) fn settings(&self) -> Vec<Setting> {
        let recorded = self.trace.surroundings();
        recorded.map(Setting::of).unwrap_or_default()
    }

    /// Options of the program's JVM that opened modules to it; none if the JDK that runs it now does not start with them, as one does not that
    /// lacks a module.
    pub(super) fn jvm_options(&self, jdk: &Jdk) -> Vec<String> {
        let found = self.jvm_options.get_or_init(|| {
            let recorded = self.trace.surroundings();
            let options = recorded.map(modules::options).unwrap_or_default();
            match options.is_empty() || jdk.starts_with(&options) {
                true => options,
                false => Vec::new(),
            }
        });
        found.clone()
    }

    /// Options by which a JVM that replays the run as a whole has the language and the encoding that the program had: what runs for real asks for
    /// them, and nobody records it.
    pub(super) fn options_of_texts(&self) -> Vec<String> {
        let recorded = self.trace.surroundings();
        recorded
            .map(surroundings::options_of_texts)
            .unwrap_or_default()
    }

    /// The option by which a worker has the program's language where it replays, which it does not where code runs for real.
    pub(super) fn option_of_language(&self) -> Option<String> {
        let tag = surroundings::language_tag(self.trace.surroundings()?)?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        tag.chars()
            .all(is_name)
            .then(|| format!("-Djinsi.replay.language={tag}"))
    }

    /// Jars and directories of the program's class path that are on this machine; behind them a jar of what the trace keeps of the others.
    ///
    /// What is recorded may read them, and a trace can come from anybody. So it does not open whatever it names: a file has to be a jar, and a
    /// directory has to have a class of the program where that belongs.
    pub(super) fn class_path(&self) -> Vec<PathBuf> {
        let mut all = self.class_path_here();
        // Without them, what needs them is replayed, which says why.
        let kept = self
            .kept
            .get_or_init(|| KeptClasses::of(&self.trace).unwrap_or(None));
        all.extend(kept.as_ref().map(|kept| kept.jar().to_owned()));
        all
    }

    /// Those that are on this machine.
    pub(super) fn class_path_here(&self) -> Vec<PathBuf> {
        let surroundings = self.trace.surroundings();
        let named = surroundings.into_iter().flat_map(|s| &s.class_path);
        let is_opened = |path: &PathBuf| match path.is_dir() {
            true => self.has_a_class(path),
            false => is_jar(path),
        };
        named.map(PathBuf::from).filter(is_opened).collect()
    }

    /// What recorded code finds of the directory that the program ran in: all but the hidden files, if the user is in it, or above it. A trace can come
    /// from anybody, and may name any directory; so it opens no more than what the user is at work on, and never a whole home.
    pub(super) fn visible_files(&self) -> Vec<PathBuf> {
        self.working_directory()
            .as_deref()
            .map_or_else(Vec::new, workdir::visible)
    }

    fn working_directory(&self) -> Option<PathBuf> {
        let launch = self.trace.surroundings()?.launch.as_ref()?;
        let recorded = Path::new(&launch.directory).canonicalize().ok()?;
        let here = std::env::current_dir().and_then(|here| here.canonicalize());
        let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
        let is_project = home.is_none_or(|home| !home.starts_with(&recorded));
        (is_project && recorded.starts_with(here.ok()?)).then_some(recorded)
    }

    /// Is all of the program's class path on this machine, or in the trace, so that a class which cannot be found was not there in the program,
    /// either? Of generated and nested classes nobody asks where they are.
    pub(super) fn has_all_classes(&self) -> bool {
        let named = self.trace.surroundings().map(|s| &s.class_path);
        let is_here = |path: &String| {
            let path = Path::new(path);
            path.is_dir() || is_jar(path)
        };
        if !named.is_some_and(|named| named.iter().all(is_here)) {
            return false;
        }
        let places = self.class_path();
        let jars = places.iter().filter(|place| !place.is_dir());
        let files: BTreeSet<String> = jars
            .filter_map(|place| jar::names(place).ok())
            .flatten()
            .collect();
        let directories: Vec<&PathBuf> = places.iter().filter(|place| place.is_dir()).collect();
        let classes = self.trace.classes().iter();
        let own = classes
            .filter(|c| c.origin != ClassOrigin::Jdk && is_plain(&c.name) && !c.name.contains('$'));
        own.map(|c| format!("{}.class", c.name)).all(|file| {
            files.contains(&file) || directories.iter().any(|d| d.join(&file).is_file())
        })
    }

    /// Is a class of the trace, that is not the JDK's, in this directory of classes?
    fn has_a_class(&self, directory: &Path) -> bool {
        let classes = self.trace.classes().iter();
        // A name that leads out of the directory would find one anywhere.
        let own = classes.filter(|c| c.origin != ClassOrigin::Jdk && is_plain(&c.name));
        own.map(|c| directory.join(format!("{}.class", c.name)))
            .any(|file| file.is_file())
    }

    /// Internal names of the classes that were recorded.
    pub(super) fn recorded(&self) -> BTreeSet<String> {
        recorded(&self.trace)
    }

    /// The recorded classes that match.
    pub(super) fn matching(&self, patterns: &[Pattern]) -> Result<BTreeSet<String>, PipelineError> {
        let matches = |name: &String| patterns.iter().any(|p| p.matches(&name.replace('/', ".")));
        let observed: BTreeSet<String> = self.recorded().into_iter().filter(matches).collect();
        let text = || {
            let texts: Vec<&str> = patterns.iter().map(Pattern::as_str).collect();
            texts.join(":")
        };
        if observed.is_empty() {
            let mut recorded = Packages::default();
            self.recorded()
                .iter()
                .for_each(|class| recorded.meet(class));
            return Err(PipelineError::NothingMatches {
                patterns: text(),
                recorded: recorded.text(patterns),
            });
        }
        if self.history.tables().at_boundary() && observed != self.recorded() {
            return Err(PipelineError::AtBoundary(text()));
        }
        Ok(observed)
    }

    /// The observed sets that stand for all that the recording allows: everything recorded, those along the failure's stack, and each
    /// class of which the thread has an activation, alone.
    pub fn levels(&self) -> Vec<LevelName> {
        let mut levels = vec![LevelName {
            name: "all".into(),
            observed: self.recorded(),
        }];
        if self.history.tables().at_boundary() {
            return levels;
        }
        if let Ok(crash) = &self.crash {
            levels.extend(crash.levels.iter().enumerate().map(|(i, level)| LevelName {
                name: format!("stack {}: {}", i + 1, level.class.replace('/', ".")),
                observed: level.observed.clone(),
            }));
        }
        let active: BTreeSet<&str> = self
            .history
            .numbers()
            .map(|n| self.history.entity_class(n))
            .collect();
        let alone = active
            .into_iter()
            .filter(|c| levels[0].observed.contains(*c));
        let alone: Vec<LevelName> = alone
            .map(|class| LevelName {
                name: class.replace('/', "."),
                observed: BTreeSet::from([class.to_owned()]),
            })
            .collect();
        levels.extend(alone);
        let mut seen = BTreeSet::new();
        levels.retain(|l| !l.observed.is_empty() && seen.insert(l.observed.clone()));
        levels
    }

    /// The release of Java that the program's own code is compiled for; 0 if nothing was recorded.
    pub(super) fn release(&self) -> u32 {
        self.newest_release(|origin| origin == ClassOrigin::Observed)
    }

    /// The newest release of Java that classes of such an origin are compiled for.
    fn newest_release(&self, is_wanted: impl Fn(ClassOrigin) -> bool) -> u32 {
        // Class file version 45 is Java 1.1, 52 is Java 8 (JVMS table 4.1-A); it stands in the bytes 6 and 7 of the file.
        let major = |bytes: &[u8]| {
            Some(u32::from(u16::from_be_bytes([
                *bytes.get(6)?,
                *bytes.get(7)?,
            ])))
        };
        let classes = self.trace.classes().iter();
        let wanted = classes.filter(|c| is_wanted(c.origin));
        let newest = wanted.filter_map(|c| major(&c.bytes)).max();
        newest.unwrap_or(0).saturating_sub(44)
    }

    /// Can the JDK load the program's classes? Of those that are not observed and give no code to observed ones, replay has the shape only,
    /// whatever JVM they were made for.
    pub(super) fn check_jdk(&self, config: &Config) -> Result<(), PipelineError> {
        let needed = self.newest_release(|origin| origin != ClassOrigin::Skeleton);
        let found = config.jdk.version().feature;
        if needed > found {
            return Err(PipelineError::OldJdk { needed, found });
        }
        Ok(())
    }
}

/// Internal names of the classes that were recorded.
pub(super) fn recorded(trace: &Trace) -> BTreeSet<String> {
    let classes = trace.classes().iter();
    let observed = classes.filter(|c| c.origin == ClassOrigin::Observed);
    observed.map(|c| c.name.clone()).collect()
}

/// The history of all threads; of `thread` alone if all together are too much, or if the trace was
/// recorded at the boundary, where the replay of one thread is what is recorded again, and the thread has not met objects that
/// only others can tell of. What cannot be read is named in it.
pub(super) fn history(trace: &Trace, thread: ThreadNo) -> Result<History, PipelineError> {
    let at_boundary = trace.meta().detail == Detail::Boundary;
    let several = has_several_threads(trace);
    let alone = || {
        room::for_thread(trace, thread)?;
        Ok::<_, PipelineError>(History::of(tables(trace), thread, trace)?)
    };
    if several && at_boundary {
        let alone = alone()?;
        if alone.defines_all() {
            return Ok(alone);
        }
    }
    if several && let Some(merged) = merged(trace)? {
        return Ok(merged);
    }
    alone()
}

/// Is this file a jar, by its name and by its first bytes?
fn is_jar(path: &Path) -> bool {
    const BEGINNING: [u8; 2] = *b"PK";
    let mut first = [0; 2];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
    path.extension().is_some_and(|e| e == "jar") && read.is_ok() && first == BEGINNING
}

/// The same failure; if its exception was made by the JDK, it says of which release its message is.
pub(super) fn with_message_of_jdk(mut crash: Crash, trace: &Trace) -> Crash {
    let def = trace.throwable(crash.throwable);
    let top = def.and_then(|d| d.frames.first());
    if top.is_some_and(|frame| is_the_jdks(&frame.class)) {
        let version = &trace.meta().java_version;
        let digits = version.split(|c: char| !c.is_ascii_digit()).next();
        crash.predicate.message_of_jdk = digits.and_then(|d| d.parse().ok());
    }
    crash
}

fn has_several_threads(trace: &Trace) -> bool {
    let active = trace.threads().iter();
    active.filter(|t| trace.event_count(t.no) > 0).count() > 1
}

/// The history of all threads, unless that is too much.
fn merged(trace: &Trace) -> Result<Option<History>, PipelineError> {
    if room::for_all(trace).is_err() {
        return Ok(None);
    }
    match History::of_all(tables(trace), trace) {
        Err(TooLong) => Ok(None),
        history => Ok(Some(history?)),
    }
}

pub(super) fn tables(trace: &Trace) -> Tables {
    Tables::new(
        trace.classes().iter().cloned(),
        trace.sites().iter().cloned(),
        trace.throwables().iter().cloned(),
        trace.failures().iter().cloned(),
    )
    .recorded_at_boundary(trace.meta().detail == Detail::Boundary)
    .with_tests(trace.marks().iter().map(|mark| mark.class.as_str()))
    .of_window(trace.window().is_some())
    .with_identity_hashed(trace.identity_hashed().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_jars_are_opened_as_jars() {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = directory.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        assert!(is_jar(&file("a.jar", b"PK\x03\x04 and so on")));
        assert!(!is_jar(&file("id_rsa", b"PK\x03\x04 and so on")));
        assert!(!is_jar(&file("b.jar", b"-----BEGIN KEY")));
        assert!(!is_jar(&file("c.jar", b"P")));
        assert!(!is_jar(&directory.path().join("none.jar")));
    }
}
