//! The test that is best kept, and why; or why none is.

use jinsi_level::program::is_generated;
use jinsi_oracle::Oracle;

use super::{KeptInteraction, MinimizedLevel, MinimizedRun, Reproduction, Sides, WrittenTest};
use jinsi_testwriter::measure::Measure;
use jinsi_testwriter::{Form, Promise};

const NULL_POINTER: &str = "java.lang.NullPointerException";

jinsi_wording::messages! {
    /// Why no test is recommended. Those further down say more.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum NotKept {
        /// No written test fails as recorded.
        NotReproduced => "No written test reproduces this failure.",
        /// What fails as recorded gets answers out of the recording. They were given to defective code, so that of 5 such tests of others' suites no
        /// one turned green with the repair.
        NeedsRecording => "No test to keep: what reproduces this failure needs the recording, and may stay red after the repair.",
        /// What fails as recorded runs the recorded classes, whatever becomes of them, or gets the failure as an answer.
        RecordedOnly => "No test to keep: the tests only show the recording, so a repair does not turn them green.",
        /// What fails as recorded hands a `null` over that the program had handed over: it is there whatever becomes of the program.
        NullOfProgram => "No test to keep: what is left passes a null that the program passed, and no repair changes that.",
        /// What fails as recorded is a check, given what the program had found out: it does what it is for, whatever becomes of the program.
        Check => "No test to keep: what is left only calls a check with a value that the program passed, and no repair changes that.",
        /// What fails as recorded expects something of the program that stand-ins for other classes of it would have to do. They do what was recorded.
        StandsIn => "No test to keep: in what reproduces this failure, mocks stand in for classes of the program, and no repair changes what they do.",
        /// What fails as recorded expects a value that was made of the time of the recording, or drawn.
        ByChance => "No test to keep: what is expected holds for the moment of the recording alone, so no repair makes the test pass.",
        /// What fails as recorded only calls the failed test, or calls nothing of the program.
        OnlyTheTest => "Your test is already as small as we can make it.",
    }
}

jinsi_wording::messages! {
    /// What decided against the next best test.
    #[derive(PartialEq, Eq)]
    enum Against {
        Mockito => "The next best test needs Mockito",
        Recording => "The next best test needs the recording",
        Opaque => "The next best test depends more on the recording",
        Everything => "The next best test reruns everything",
        Below => "The next best test may not call the code that has the defect",
        Longer => "The next best test is longer",
        Further => "The next best test starts further from where the failure shows",
        Nothing => "There is no other test to choose from",
    }
}

jinsi_wording::messages! {
    /// What the recommended test needs, and what it is good for.
    enum Kept<'a> {
        NeedsNothing { runs_with: &'a str } => "It needs nothing but {runs_with}",
        NeedsMockito { runs_with: &'a str } => "It needs {runs_with} and Mockito, and no recording",
        NeedsRecording => "It needs the recording and jinsi's JUnit extension",
        Plain => "plain Java: keep it",
        Mockito => "plain Java with Mockito: keep it",
        Replay => "for debugging: it needs jinsi on the test class path",
    }
}

/// What speaks for a test, the strongest first. Less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Merits {
    /// It needs the recording, which a project does not have.
    recorded: bool,
    /// It starts the whole program. Whoever has that test knows no more than before.
    calls_all: bool,
    /// What else it needs.
    form: Form,
    /// What in it is hidden.
    opaque: usize,
    /// The defect may be in code that it does not call.
    below: bool,
    /// What there is to read.
    lines: usize,
    /// How far from the place where the failure shows.
    level: u32,
}

impl Merits {
    fn of((level, written): (&MinimizedLevel, &WrittenTest)) -> Self {
        let Measure { opaque, lines, .. } = written.measure;
        Self {
            recorded: written.form == Form::Replay,
            form: written.form,
            opaque,
            calls_all: level.kept.last().is_some_and(|last| last.is_main),
            below: !level.result.spec.by_test,
            lines,
            level: level.result.spec.level,
        }
    }

    /// What decided against `other`, the best of those that are worse.
    fn against(&self, other: &Self) -> Against {
        if self.recorded != other.recorded {
            Against::Recording
        } else if self.calls_all != other.calls_all {
            Against::Everything
        } else if self.form != other.form {
            Against::Mockito
        } else if self.opaque != other.opaque {
            Against::Opaque
        } else if self.below != other.below {
            Against::Below
        } else if self.lines != other.lines {
            Against::Longer
        } else {
            Against::Further
        }
    }
}

/// What the test needs.
fn need(form: Form, runs_with: &str) -> Kept<'_> {
    match form {
        Form::Plain => Kept::NeedsNothing { runs_with },
        Form::Mockito => Kept::NeedsMockito { runs_with },
        Form::Replay => Kept::NeedsRecording,
    }
}

/// Why a test of which this is left, and that fails as recorded, is not recommended; `None` if it may be. `sides`: of the failed test, if one failed.
fn refused(
    kept: &[KeptInteraction],
    form: Form,
    promise: Promise,
    sides: Option<&Sides>,
) -> Option<NotKept> {
    let only_the_test = sides.is_some_and(|sides| {
        let calls_it = kept
            .last()
            .is_some_and(|last| sides.is_of_failed_test(last));
        calls_it || !kept.iter().any(|kept| sides.is_of_program(kept))
    });
    // No project has such a class, and in the next run it is called otherwise.
    let names_generated = kept.iter().any(|kept| is_generated(&kept.class));
    let shows_recording = promise == Promise::Recording || names_generated;
    match (only_the_test, shows_recording) {
        (true, _) => Some(NotKept::OnlyTheTest),
        (false, true) => Some(NotKept::RecordedOnly),
        // Who has a failed test has a better one already.
        (false, false) => {
            (form == Form::Replay && sides.is_some()).then_some(NotKept::NeedsRecording)
        }
    }
}

/// Is a `null` handed over in the last call of what is left? `by_test`: the failed test made that call itself, and handed over what it had.
fn passes_null_of_program(kept: &[KeptInteraction], by_test: bool) -> bool {
    !by_test && kept.last().is_some_and(|last| last.is_given_null)
}

/// Is a check all that is left, given what the program had found out? `by_test`: the failed test made that call itself.
fn is_check_of_program(kept: &[KeptInteraction], by_test: bool) -> bool {
    !by_test && matches!(kept, [only] if only.is_check)
}

impl WrittenTest {
    /// What it is good for, if it is recommended: its form in words.
    pub fn words(&self) -> String {
        match self.form {
            Form::Plain => Kept::Plain,
            Form::Mockito => Kept::Mockito,
            // It turns green with the repair, but a project then has a recording among its resources.
            Form::Replay => Kept::Replay,
        }
        .to_string()
    }
}

impl MinimizedRun {
    /// The test that is best kept, of those that fail as recorded and call something below the failed test.
    pub fn keep(&self) -> Option<(&MinimizedLevel, &WrittenTest)> {
        self.to_choose_from().min_by_key(|&test| Merits::of(test))
    }

    /// Why it is the best one: a sentence.
    pub fn keep_why(&self) -> Option<String> {
        let (_, kept) = self.keep()?;
        let mut all: Vec<Merits> = self.to_choose_from().map(Merits::of).collect();
        all.sort_unstable();
        let best = all.first()?;
        let against = match all.get(1) {
            None => Against::Nothing,
            Some(next) => best.against(next),
        };
        Some(format!("{}. {against}.", need(kept.form, &kept.runs_with)))
    }

    /// Why no test is best kept; `None` if one is.
    pub fn not_kept(&self) -> Option<NotKept> {
        if self.keep().is_some() {
            return None;
        }
        let refused = self.reproduced().filter_map(|test| self.refused(test));
        Some(refused.max().unwrap_or(NotKept::NotReproduced))
    }

    fn refused(&self, (level, test): (&MinimizedLevel, &WrittenTest)) -> Option<NotKept> {
        let sides = self.failure.sides.as_ref();
        let refused = refused(&level.kept, test.form, test.promise, sides);
        let failure = &self.failure;
        let of_null = failure.oracle == Oracle::Exception && failure.class == NULL_POINTER;
        let passed = of_null && passes_null_of_program(&level.kept, level.result.spec.by_test);
        let passed = sides.is_some() && passed;
        let checks = sides.is_some()
            && failure.oracle == Oracle::Exception
            && is_check_of_program(&level.kept, level.result.spec.by_test);
        // Where something is expected of the whole program, those classes of it that are only stood in for may be what has to give it.
        let stands_in = test.promise == Promise::Expectation
            && sides.is_some_and(|sides| sides.has_of_program(&test.stands_in_for));
        refused
            .max(passed.then_some(NotKept::NullOfProgram))
            .max(checks.then_some(NotKept::Check))
            .max(stands_in.then_some(NotKept::StandsIn))
            .max(test.by_chance.then_some(NotKept::ByChance))
    }

    /// The tests that may be recommended.
    fn to_choose_from(&self) -> impl Iterator<Item = (&MinimizedLevel, &WrittenTest)> {
        self.reproduced()
            .filter(|test| self.refused(*test).is_none())
    }

    /// The levels with a written test that fails as recorded, lowest first.
    pub fn reproduced(&self) -> impl Iterator<Item = (&MinimizedLevel, &WrittenTest)> {
        let tests = self
            .levels
            .iter()
            .filter_map(|l| Some((l, l.test.as_ref()?)));
        tests.filter(|(_, test)| test.outcome == Reproduction::Reproduces)
    }
}

#[cfg(test)]
mod tests {
    use jinsi_history::NodeNo;

    use super::*;

    #[test]
    fn what_decides_is_said() {
        let best = Merits {
            recorded: false,
            form: Form::Plain,
            opaque: 0,
            calls_all: false,
            below: false,
            lines: 3,
            level: 1,
        };
        let longer = Merits { lines: 4, ..best };
        let whole = Merits {
            calls_all: true,
            lines: 1,
            ..best
        };
        let mocked = Merits {
            form: Form::Mockito,
            lines: 1,
            ..best
        };
        let recorded = Merits {
            recorded: true,
            form: Form::Replay,
            ..best
        };
        let mut all = [recorded, mocked, whole, longer, best];
        all.sort_unstable();
        assert_eq!(all, [best, longer, mocked, whole, recorded]);
        assert_eq!(mocked.against(&whole), Against::Everything);
        assert_eq!(best.against(&recorded), Against::Recording);
        assert_eq!(best.against(&longer), Against::Longer);
        assert_eq!(best.against(&whole), Against::Everything);
        assert_eq!(best.against(&mocked), Against::Mockito);
    }

    #[test]
    fn what_stands_in_for_the_program_gives_nothing_that_is_expected() {
        let classes = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        assert!(sides().has_of_program(&classes(&["z.Feed", "z.Animal"])));
        assert!(!sides().has_of_program(&classes(&["z.Feed"])));
        assert!(!sides().has_of_program(&classes(&[])));
    }

    /// A call of `class`, of a method that `declared_in` declares.
    fn call(class: &str, declared_in: &str) -> KeptInteraction {
        KeptInteraction {
            class: class.into(),
            declared_in: declared_in.into(),
            is_call: true,
            number: 1,
            node: NodeNo::from_index(0),
            call: None,
            text: String::new(),
            without: None,
            is_main: false,
            is_of_observed: true,
            is_given_null: false,
            is_check: false,
        }
    }

    fn sides() -> Sides {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Sides {
            own: names(&["z.ZooTest", "z.ZooTest$Cage", "z.AnimalTest"]),
            program: names(&["z.Zoo", "z.Animal"]),
        }
    }

    #[track_caller]
    fn is_refused(kept: &[KeptInteraction], why: Option<NotKept>) {
        let sides = sides();
        for promise in [Promise::Expectation, Promise::Absence] {
            let refused = |form, sides| refused(kept, form, promise, sides);
            assert_eq!(refused(Form::Plain, Some(&sides)), why);
            let needs_recording = why.or(Some(NotKept::NeedsRecording));
            assert_eq!(refused(Form::Replay, Some(&sides)), needs_recording);
            // Of a program that is no test nobody knows what is its test.
            assert_eq!(refused(Form::Plain, None), None);
            assert_eq!(refused(Form::Replay, None), None);
        }
    }

    #[test]
    fn the_failed_test_alone_is_not_recommended() {
        let own = call("z.ZooTest", "z.ZooTest");
        is_refused(&[own.clone(), own.clone()], Some(NotKept::OnlyTheTest));
        // With what the program made for it, as the test of a base class, and in a nested class.
        let inherited = call("z.ZooTest", "z.AnimalTest");
        let nested = call("z.ZooTest$Cage", "z.ZooTest$Cage");
        for last in [own, inherited, nested] {
            is_refused(&[call("z.Zoo", "z.Zoo"), last], Some(NotKept::OnlyTheTest));
        }
    }

    #[test]
    fn what_calls_nothing_of_the_program_is_not_recommended() {
        let jdk = call("java.lang.Exception", "java.lang.Throwable");
        let helper = call("z.Feeds", "z.Feeds");
        let read = KeptInteraction {
            is_call: false,
            ..call("z.Zoo", "z.Zoo")
        };
        for kept in [jdk, helper, read] {
            is_refused(&[kept], Some(NotKept::OnlyTheTest));
        }
        is_refused(&[], Some(NotKept::OnlyTheTest));
    }

    #[test]
    fn what_calls_the_program_is() {
        is_refused(&[call("z.Zoo", "z.Zoo")], None);
        // It makes the program's object, and a class of the JDK's looks at it.
        let jdk = call("java.util.Objects", "java.util.Objects");
        is_refused(&[call("z.Zoo", "z.Zoo"), jdk], None);
        // A stub of the tests inherits what is called.
        is_refused(&[call("z.Feeds$Stub", "z.Animal")], None);
    }

    #[test]
    fn what_names_a_class_that_was_made_at_run_time_is_not() {
        let mock = call("z.Animal$MockitoMock$x7", "z.Animal");
        let zoo = call("z.Zoo", "z.Zoo");
        let refused = |kept: &[KeptInteraction]| {
            refused(kept, Form::Mockito, Promise::Expectation, Some(&sides()))
        };
        assert_eq!(refused(&[mock, zoo.clone()]), Some(NotKept::RecordedOnly));
        assert_eq!(refused(&[zoo]), None);
    }

    #[test]
    fn a_null_of_the_program_is_there_whatever_is_repaired() {
        let given = KeptInteraction {
            is_given_null: true,
            ..call("z.Animal", "z.Animal")
        };
        let other = call("z.Zoo", "z.Zoo");
        let last = [other.clone(), given.clone()];
        assert!(passes_null_of_program(&last, false));
        // The test's own one is as it should be.
        assert!(!passes_null_of_program(&last, true));
        assert!(!passes_null_of_program(&[given, other], false));
        assert!(NotKept::OnlyTheTest > NotKept::NullOfProgram);
    }

    #[test]
    fn a_check_throws_whatever_is_repaired() {
        let check = KeptInteraction {
            is_check: true,
            ..call("z.Checks", "z.Checks")
        };
        assert!(is_check_of_program(std::slice::from_ref(&check), false));
        assert!(!is_check_of_program(std::slice::from_ref(&check), true));
        assert!(!is_check_of_program(
            &[call("z.Zoo", "z.Zoo"), check],
            false
        ));
        assert!(!is_check_of_program(&[call("z.Zoo", "z.Zoo")], false));
    }

    #[test]
    fn what_only_shows_the_recording_stays_red() {
        let promise = Promise::Recording;
        let of_program = [call("z.Zoo", "z.Zoo")];
        for sides in [None, Some(&sides())] {
            let why = refused(&of_program, Form::Plain, promise, sides);
            assert_eq!(why, Some(NotKept::RecordedOnly));
        }
        let why = refused(&[], Form::Plain, promise, Some(&sides()));
        assert_eq!(why, Some(NotKept::OnlyTheTest));
        assert!(NotKept::OnlyTheTest > NotKept::RecordedOnly);
    }
}
