//! The failed tests of one trace: each has its own failure in the recording of a whole suite.

use std::collections::HashSet;

use jinsi_level::frameworks::is_assertion;
use jinsi_level::program::is_the_programs;
use jinsi_natural::pattern::Pattern;
use jinsi_oracle::given::{Given, endless_in};
use jinsi_oracle::timeout::is_timeout;
use jinsi_trace::model::{Failure, FailureKind, ObjectId, ThreadNo, ThrowableDef};
use jinsi_trace::reader::Trace;

use super::root_cause::{causes, crash_by};
use super::run::{Run, history, with_message_of_jdk};
use super::{Case, Earlier, PipelineError};
use jinsi_history::failures::NoCrash;

/// Longest name of a test's directory.
const NAME: usize = 120;

/// A test that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedTest {
    /// Class and method, `com.foo.BarTest.adds`, and `[2]` behind it of the second run of a test that is run several times.
    pub name: String,
    pub(super) failure: Failure,
}

impl FailedTest {
    /// A name for a directory of its own: one that every file system takes, and that is not `taken`, in any case of letters.
    pub fn directory(&self, taken: &mut HashSet<String>) -> String {
        directory(&self.name, taken)
    }

    /// The name without the number of the run.
    pub fn method(&self) -> &str {
        Self::method_of(&self.name)
    }

    /// The name of a test without the number of its run.
    pub fn method_of(name: &str) -> &str {
        without_number(name)
    }

    /// Is it the same run of the same test, in a recording and the one that was expanded from it?
    pub fn is_same_run(&self, other: &FailedTest) -> bool {
        self.name == other.name && self.failure.test == other.failure.test
    }

    /// What this failure has in common with others for which one test is enough: those of a crash that took the same way through the program, in
    /// whatever tests; those of a class that could not be initialized; else those of other runs of the same test method. Another test fails alike
    /// if the first that it has is among these.
    pub fn alike(&self, trace: &Trace) -> Vec<String> {
        let way = self.way_to_crash(trace);
        if !way.is_empty() {
            return way;
        }
        let thrown = trace.throwable(self.failure.throwable);
        let own = thrown.and_then(|def| def.frames.iter().find(|f| is_the_programs(&f.class)));
        let class = thrown.map_or("", |def| &*def.class);
        let place = own.map(|frame| (&frame.class, &frame.method, frame.line));
        vec![format!("{} {class} {place:?}", self.method())]
    }

    /// The classes that could not be initialized, if that is why the test failed; else the exception with its message, and the program's frames from
    /// the throw down to the test's class. Empty of a failed assertion, and of what the test's own class threw: these say what the test expected, and
    /// other tests expect something else.
    pub fn way_to_crash(&self, trace: &Trace) -> Vec<String> {
        let uninitialized = uninitialized(trace, self.failure.throwable);
        match uninitialized.is_empty() {
            true => self.way_down_to_test(trace).into_iter().collect(),
            false => uninitialized,
        }
    }

    fn way_down_to_test(&self, trace: &Trace) -> Option<String> {
        let thrown = trace.throwable(self.failure.throwable)?;
        if is_assertion(&thrown.class) {
            return None;
        }
        let test = trace.test_of(&self.failure)?;
        let outermost = |class: &str| class.split('$').next().unwrap_or_default().to_owned();
        let test = outermost(&test.class);
        let end = thrown
            .frames
            .iter()
            .position(|frame| outermost(&frame.class) == test)?;
        let way: Vec<_> = thrown.frames[..end]
            .iter()
            .filter(|frame| is_the_programs(&frame.class))
            .map(|frame| (&frame.class, &frame.method, frame.line))
            .collect();
        let message = thrown.text.as_ref().or(thrown.message.as_ref());
        (!way.is_empty()).then(|| format!("{} {message:?} {way:?}", thrown.class))
    }

    /// The failed tests of a trace, in the order of their failures. Empty if no test framework reported tests.
    pub fn all(trace: &Trace) -> Vec<Self> {
        let tests = trace.failures().iter();
        tests
            .filter(|f| f.kind == FailureKind::Test)
            .map(|failure| {
                let name = match (trace.test_of(failure), failure.test) {
                    (Some(mark), _) => mark.full_name(),
                    (None, no) => format!("test {}", no.unwrap_or_default()),
                };
                Self {
                    name,
                    failure: failure.clone(),
                }
            })
            .collect()
    }
}

impl Earlier {
    /// The same for a test that was left out of the expanded recording, so that its report says why.
    pub fn of_left_out(&self, test: &FailedTest) -> Self {
        let mut own = self.clone();
        if let Some(expansion) = &mut own.expansion {
            let why = test
                .failure
                .test
                .and_then(|no| expansion.left_out.get(&no).cloned());
            expansion.failed = expansion.failed.take().or(why);
        }
        own
    }
}

/// The classes that could not be initialized, by an exception or one of its causes. The first who uses such a class is told why; all who come later only
/// hear that it could not be (JVMS §5.5).
fn uninitialized(trace: &Trace, throwable: ObjectId) -> Vec<String> {
    const ALREADY: &str = "Could not initialize class ";
    let chain = causes(trace, throwable);
    let chain: Vec<_> = chain.iter().filter_map(|&id| trace.throwable(id)).collect();
    let already = chain.iter().find_map(|def| {
        let named = def.message.as_deref()?.strip_prefix(ALREADY)?;
        (def.class == "java.lang.NoClassDefFoundError").then(|| named.to_owned())
    });
    if let Some(class) = already {
        return vec![class];
    }
    let is_first = |def: &&ThrowableDef| def.class == "java.lang.ExceptionInInitializerError";
    if !chain.iter().any(is_first) {
        return Vec::new();
    }
    let frames = chain.iter().flat_map(|def| &def.frames);
    let mut classes: Vec<String> = frames
        .filter(|frame| frame.method == "<clinit>")
        .map(|frame| frame.class.clone())
        .collect();
    classes.dedup();
    classes
}

/// Why no test is chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotNamed {
    /// There is no such test.
    #[error("no failed test is named {0}")]
    None(String),
    /// Without its package the name is that of tests of several classes.
    #[error("several failed tests are named {wanted}; add the package")]
    Several {
        /// The name.
        wanted: String,
        /// The classes or methods, with their packages.
        all: Vec<String>,
    },
}

/// Those of the names of failed tests that are meant by `wanted`: a whole name, a class or a method, the number of the run left out or not, with a
/// `#` before the method or a dot; the same without its package, if there is but one; or a pattern with `*` and `?`, with or without package.
///
/// # Errors
/// None is meant, or it is not clear which.
pub fn tests_named<'n>(names: &[&'n str], wanted: &str) -> Result<Vec<&'n str>, NotNamed> {
    let wanted = wanted.replace('#', ".");
    let among = |is_meant: &dyn Fn(&str) -> bool| -> Vec<&'n str> {
        let meant = |name: &&&str| forms(name).iter().any(|form| is_meant(form));
        names.iter().filter(meant).copied().collect()
    };
    let behind = |name: &str| {
        let rest = name.strip_suffix(wanted.as_str());
        rest.is_some_and(|rest| rest.ends_with(['.', '$']))
    };
    let pattern = Pattern::new(&wanted);
    let mut found = match wanted.contains(['*', '?']) {
        true => among(&|form| tails(form).any(|tail| pattern.matches(tail))),
        false => among(&|form| form == wanted),
    };
    if found.is_empty() && !wanted.is_empty() {
        found = among(&behind);
        let whole = found.iter().flat_map(|name| forms(name));
        let mut all: Vec<String> = whole.filter(|f| behind(f)).map(str::to_owned).collect();
        all.sort();
        all.dedup();
        if all.len() > 1 {
            return Err(NotNamed::Several { wanted, all });
        }
    }
    match found.is_empty() {
        true => Err(NotNamed::None(wanted)),
        false => Ok(found),
    }
}

/// What a test goes by: its name, that without the number, its class, its method.
fn forms(name: &str) -> [&str; 4] {
    let plain = without_number(name);
    let (class, method) = plain.rsplit_once('.').unwrap_or(("", plain));
    [name, plain, class, method]
}

/// The name, and what is left of it without packages.
fn tails(name: &str) -> impl Iterator<Item = &str> {
    let behind = name
        .match_indices(['.', '$'])
        .map(|(at, _)| &name[at + 1..]);
    std::iter::once(name).chain(behind)
}

fn without_number(name: &str) -> &str {
    match name.rfind('[') {
        Some(at) if name.ends_with(']') => &name[..at],
        _ => name,
    }
}

impl Run {
    /// The tests that failed, in the order of their failures. Empty if no test framework reported tests.
    pub fn failed_tests(&self) -> Vec<FailedTest> {
        FailedTest::all(&self.trace)
    }

    /// Puts the failure that the user names in the place of that of the test, which [`Run::turn_to`] chose: it is looked for while the test ran.
    ///
    /// # Errors
    /// It does not occur in this test.
    pub fn look_for_in_test(&mut self, given: &Given) -> Result<(), PipelineError> {
        let span = self.test_no.and_then(|no| self.history.test_span(no));
        let crash = given.find_within(&self.history, span)?;
        self.crash = Ok(with_message_of_jdk(crash, &self.trace));
        Ok(())
    }

    /// Puts this test's failure in the place of the one that [`Run::open`] chose. What failed is the innermost cause of the exception with
    /// which the test ended, if recorded code threw that: libraries, and assertions like `assertThrows`, wrap what they did not expect. Else it
    /// is that exception itself, or the first of its causes that went through recorded code. A test that took too long fails by what has not ended.
    ///
    /// # Errors
    /// Its thread has too many events.
    pub fn turn_to(&mut self, test: &FailedTest) -> Result<(), PipelineError> {
        let chain = causes(&self.trace, test.failure.throwable);
        // A framework may run a test on another thread than the one on which it tells of its end.
        let reporting = test.failure.thread;
        let mut threads: Vec<ThreadNo> = self.trace.threads().iter().map(|t| t.no).collect();
        threads.sort_by_key(|&t| (t != reporting, std::cmp::Reverse(self.trace.event_count(t))));
        self.crash = Err(NoCrash::InTest);
        let class = self.trace.test_of(&test.failure);
        let class = class.map(|mark| mark.class.replace('.', "/"));
        let mark = test.failure.test.zip(class);
        let thrown = self.trace.throwable(test.failure.throwable);
        let timed_out = thrown.is_some_and(|def| {
            let message = def.text.as_deref().or(def.message.as_deref());
            is_timeout(&def.class, message.unwrap_or_default())
        });
        for thread in threads {
            if self.thread != thread {
                self.history = history(&self.trace, thread)?;
                self.thread = thread;
            }
            let endless = mark.as_ref().filter(|_| timed_out).and_then(|(_, class)| {
                let method = test.method().split('(').next()?.rsplit('.').next()?;
                endless_in(&self.history, class, method)
            });
            let mut crashes = chain
                .iter()
                .map(|&id| crash_by(&self.history, id, mark.as_ref()));
            if let Some(crash) = endless.or_else(|| crashes.find_map(Result::ok)) {
                self.crash = Ok(with_message_of_jdk(crash, &self.trace));
                break;
            }
        }
        self.test = Some(test.name.clone());
        self.test_no = test.failure.test;
        Ok(())
    }
}

impl<'a> Case<'a> {
    /// The failure of a run, ready to be analysed.
    ///
    /// # Errors
    /// The run has none.
    pub fn of(run: &'a Run) -> Result<Self, PipelineError> {
        match &run.crash {
            Ok(crash) => Ok(Self { run, crash }),
            Err(none) => Err((*none).into()),
        }
    }
}

fn directory(test: &str, taken: &mut HashSet<String>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-$".contains(c);
    let safe: String = test
        .trim_start_matches('.')
        .chars()
        .take(NAME)
        .map(|c| if plain(c) { c } else { '_' })
        .collect();
    let names = (1..).map(|n| match n {
        1 => safe.clone(),
        _ => format!("{safe}-{n}"),
    });
    let mut free = names.skip_while(|name| taken.contains(&name.to_lowercase()));
    let name = free.next().unwrap_or_default();
    taken.insert(name.to_lowercase());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_safe_and_different() {
        let mut taken = HashSet::new();
        let mut name = |test: &str| directory(test, &mut taken);
        assert_eq!(name("a.B.c[2]"), "a.B.c_2_");
        assert_eq!(name("a.B.c(2)"), "a.B.c_2_-2");
        assert_eq!(name("a.b.C[2]"), "a.b.C_2_-3");
        assert_eq!(name("../../etc/passwd"), "_.._etc_passwd");
        assert_eq!(name("a.B.tæst/\n"), "a.B.t_st__");
        assert_eq!(name(&"x".repeat(500)).len(), NAME);
    }

    #[test]
    fn tests_go_by_several_names() {
        let names = ["a.BTest.adds[2]", "a.BTest.takes", "c.d.ETest.adds"];
        for (wanted, expected) in [
            ("a.BTest.adds[2]", &names[..1]),
            ("a.BTest#adds[2]", &names[..1]),
            ("a.BTest.adds", &names[..1]),
            ("BTest.adds", &names[..1]),
            ("BTest#adds[2]", &names[..1]),
            ("a.BTest", &names[..2]),
            ("BTest", &names[..2]),
            ("adds", &[names[0], names[2]]),
            ("d.ETest", &names[2..]),
            ("*Test", &names),
            ("BTest.*", &names[..2]),
            ("a.*", &names[..2]),
            ("BTest#ta?es", &names[1..2]),
        ] {
            assert_eq!(tests_named(&names, wanted).unwrap(), expected, "{wanted}");
        }
        for wanted in ["a.BTest.adds[1]", "Test", "a", "a.BTest.add", "", "x*"] {
            let refused = tests_named(&names, wanted);
            assert_eq!(refused, Err(NotNamed::None(wanted.into())), "{wanted}");
        }
    }

    #[test]
    fn without_package_a_name_has_to_be_unique() {
        let names = ["a.BTest.adds[1]", "a.BTest.adds[2]", "c.BTest.adds"];
        let all = |all: [&str; 2]| all.map(String::from).to_vec();
        for (wanted, expected) in [
            ("BTest", all(["a.BTest", "c.BTest"])),
            ("BTest.adds", all(["a.BTest.adds", "c.BTest.adds"])),
        ] {
            let refused = tests_named(&names, wanted).unwrap_err();
            let wanted = wanted.to_owned();
            assert_eq!(
                refused,
                NotNamed::Several {
                    wanted,
                    all: expected
                }
            );
        }
    }
}
