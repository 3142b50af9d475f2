//! Messages that are parts of others, with what stands around them when a user reads them.

use std::collections::BTreeSet;

/// A message, all messages of an enum (`::*`), or those of one crate (its name stands before); and the whole, with `{}` where the message stands.
const WHOLES: &[(&str, &str)] = &[
    (
        "Against::*",
        "plain Java: keep it. It needs nothing but JUnit 5. {}.",
    ),
    ("AsmError::*", CLASS),
    ("BadEventId", "error: invalid value '12' for '<MOMENT>': {}"),
    (
        "BadValue::*",
        "error: invalid value 'x' for '--size <SIZE>': {}",
    ),
    ("BadMoment::*", "jinsi at FILE 0:12+few: {}, as in 0:1234+5"),
    (
        "Cannot::*",
        "jinsi: {}: Permission denied (os error 13)\n  you lack the rights  ask the owner of the file, or choose another directory",
    ),
    (
        "Cannot::ReadDirectory",
        "jinsi: {}\n  this is a trace  report/trace.jinsi",
    ),
    ("CfgError::*", CLASS),
    ("Check::*", "1. shop.Cart.total:20  i < n was false; {}"),
    ("ChunkError::*", DAMAGED),
    ("CompileError::*", COMPILED),
    (
        "ConfineError::*",
        "jinsi: {}: nothing was run; --unconfined runs it all the same, with your own rights",
    ),
    ("CounterpartError::*", "jinsi ask --right CLASSPATH: {}"),
    ("Damage::*", "damaged    {}"),
    ("DescriptorError", CLASS),
    ("Doubt::*", "The other version cannot say: {}."),
    ("Doubt::CalledBack", GIVEN),
    ("Doubt::Class", GIVEN),
    ("Doubt::Environment", GIVEN),
    ("Doubt::GivenLargeArray", GIVEN),
    ("Doubt::Lambda", GIVEN),
    ("Doubt::LargeArray", GIVEN),
    ("Doubt::LargeArrays", GIVEN),
    ("Doubt::Machine", GIVEN),
    ("Doubt::Midst", GIVEN),
    ("Doubt::Nameless", GIVEN),
    ("Doubt::NestedArray", GIVEN),
    ("Doubt::NotBorn", GIVEN),
    ("Doubt::NotMade", GIVEN),
    ("Doubt::Now", GIVEN),
    ("Doubt::Object", GIVEN),
    ("Doubt::OfMachine", GIVEN),
    ("Doubt::TooManyCalls", GIVEN),
    ("EditError::*", CLASS),
    ("EffectError::*", CLASS),
    ("EncodeError::*", STOPPED),
    ("ExpandError::*", EXPANDED),
    ("FetchError::*", RUN_TESTS),
    ("FlowError::*", CLASS),
    ("FrameError::*", CLASS),
    ("GrammarError::*", DAMAGED),
    ("InsnError::*", CLASS),
    ("InstrumentError::*", "not recorded  shop.Cart: {}"),
    ("JunitError::*", RUN_TESTS),
    ("Kept::Mockito", FOR),
    ("Kept::NeedsMockito", NEEDS),
    ("Kept::NeedsNothing", NEEDS),
    ("Kept::NeedsRecording", NEEDS),
    ("Kept::Plain", FOR),
    ("Kept::Replay", FOR),
    ("LoadError", LEVEL),
    (
        "Message::LeftAlone",
        "jinsi: 41200 events of 12 classes{} recorded in run.jinsi (1048576 bytes)",
    ),
    (
        "Message::CutShort",
        "jinsi: 41200 events of 12 classes recorded in run.jinsi (2147483648 bytes); {}",
    ),
    ("Message::ARG_LINE", BUILD),
    ("Message::INSIDE_MAVEN", BUILD),
    ("Message::NOTHING_TO_RECORD", BUILD),
    ("Message::NOT_PREPARED", BUILD),
    ("Message::NO_START", BUILD),
    (
        "Message::NO_TRACE",
        "[jinsi] tests of shop failed, but nothing was recorded: {}",
    ),
    ("Message::OTHER_SYSTEM", BUILD),
    ("Message::USER_ARG_LINE", BUILD),
    ("Missing::*", "not recorded  shop.Cart: {}"),
    ("Missing::Faults", "not recorded  {}"),
    ("Missing::MaxSize", "not recorded  {}"),
    ("Missing::Repeated", "not recorded  {}"),
    ("Missing::Threads", "not recorded  {}"),
    ("NoAnswer::NoFlip", "Branch check skipped: {}"),
    (
        "NoFailure::Ended",
        "no failure was recorded: {}no exception ended a thread, and no test failed",
    ),
    ("NoFailure::NoEntries", MAIN),
    ("NoFailure::NoEntry", MAIN),
    ("NoFailure::NotThere", MAIN),
    ("NoTest::*", "no test  level 2: {}"),
    (
        "NotLeft::*",
        "what is left cannot be asked about; leave out --minimized to ask about the whole run: {}",
    ),
    ("NotRecorded::Ended", WITHOUT_TRACE),
    ("NotRecorded::Killed", WITHOUT_TRACE),
    ("NotReproduced::*", LEVEL),
    (
        "NotRun::*",
        "jinsi could not run this test a second time: {}.",
    ),
    ("NotSliced::*", "level 2: its lines are not known, for {}"),
    ("Note::*", "level 2: {}"),
    ("ParseError::*", CLASS),
    ("PoolError::*", CLASS),
    ("PatternError", "--natural natural.txt: {}"),
    (
        "JvmError::*",
        "jinsi: {}\n  to see which Java this machine has  jinsi doctor",
    ),
    (
        "NoAnswer::NoEngine",
        "jinsi: {}\n  if it is elsewhere  JINSI_QUERY=/path/to/jinsi-query",
    ),
    (
        "NoAnswer::NoReport",
        "jinsi: {}\n  to remove the usual ones  jinsi clean",
    ),
    (
        "NoAnswer::NotMinimized",
        "{}: run again, no part of the program fails as recorded",
    ),
    (
        "NoAnswer::OfSuite",
        "jinsi: {}\n  the lines of a failed test are in its report  jinsi minimize run.jinsi",
    ),
    (
        "NoCrash::NoFailure",
        "jinsi: {}\n  a call returned the wrong value  jinsi minimize run.jinsi --wrong CLASS.METHOD",
    ),
    (
        "NoCrash::NotRecorded",
        "jinsi: {}\n  to list the calls of a class  jinsi events run.jinsi --class 'CLASS'",
    ),
    (
        "NoFailure::NoClass",
        "jinsi: {}\n  its own message is above; to run it without jinsi  java -cp app.jar shop.Main",
    ),
    (
        "NoFailure::NoClassBy",
        "jinsi: {}\n  its own message is above; to run it without jinsi  java -cp app.jar shop.Main",
    ),
    (
        "NoFailure::NoEnd",
        "jinsi: {}\n  it hung  jinsi minimize run.jinsi --hang",
    ),
    (
        "NoFailure::NoEngine",
        "jinsi: {}\n  if a caught exception is the failure  jinsi debug --fail EXCEPTION -- java …",
    ),
    (
        "NoFailure::NoException",
        "jinsi: {}\n  a call returned the wrong value  jinsi minimize run.jinsi --wrong CLASS.METHOD",
    ),
    (
        "NoFailure::NoMain",
        "jinsi: {}\n  the nearest name  shop.Main",
    ),
    (
        "NoFailure::NoMatch",
        "jinsi: {}\n  to record these  jinsi debug --observe PATTERN -- java …",
    ),
    (
        "NoFailure::NoTest",
        "jinsi: {}\n  if a caught exception is the failure  jinsi debug --fail EXCEPTION -- java …",
    ),
    (
        "NoFailure::NotObserved",
        "jinsi: {}\n  to observe it  jinsi debug --observe 'shop.*:org.acme.*' -- java …",
    ),
    (
        "NoFailure::OfJdk",
        "jinsi: {}\n  a call returned the wrong value  jinsi minimize run.jinsi --wrong CLASS.METHOD",
    ),
    (
        "NoFailure::OthersLoaded",
        "jinsi: {}\n  to record these  jinsi debug --observe 'org.acme.*' -- java …",
    ),
    (
        "NoSuchPlace::*",
        "jinsi: {}\n  the nearest name  shop.Cart:21",
    ),
    (
        "NotNamed::*",
        "jinsi: {}\n  there is  jinsi minimize run.jinsi --test shop.CartTest.total",
    ),
    ("NotExpanded::Diverged", EXPANDED),
    ("NotExpanded::Ended", EXPANDED),
    (
        "NotRecorded::NoJar",
        "jinsi: {}\n  to list what is there  ls .",
    ),
    (
        "NotRecorded::NoJava",
        "jinsi: {}\n  if a daemon does the work  gradle --no-daemon …, mvn …\n  otherwise, run java itself  jinsi debug -- java …",
    ),
    (
        "NotRecorded::NoPlace",
        "jinsi: {}\n  name another place  -o run.jinsi",
    ),
    (
        "NotRecorded::NotFound",
        "jinsi: {}\n  the program stands behind --  jinsi debug -- java …",
    ),
    (
        "NotRecorded::TraceIsDirectory",
        "jinsi: {}\n  name a file in it  -o target/run.jinsi",
    ),
    (
        "trace ReadError::Empty",
        "jinsi: {}\n  the JVM ended before it ran the program  record again: jinsi record -o run.jinsi -- java …",
    ),
    (
        "trace ReadError::Foreign",
        "jinsi: {}\n  to record a trace  jinsi record -o run.jinsi -- java …",
    ),
    (
        "trace ReadError::Version",
        "jinsi: {}\n  a newer jinsi wrote it  install that one, or record again with this one",
    ),
    (
        "trace ReadError::Io",
        "jinsi: {}\n  no trace is here; to record one  jinsi record -o run.jinsi -- java …",
    ),
    (
        "trace ReadError::Chunk",
        "jinsi: {}\n  a part is damaged; what can be read  jinsi info run.jinsi",
    ),
    ("RawError::*", DAMAGED),
    ("Reason::*", "1  shop.Cart.total:20\n      {}"),
    ("Reason::Covered", SPECTRUM),
    ("Reason::Pair", SPECTRUM),
    ("Reason::Value", SPECTRUM),
    ("Reason::Way", SPECTRUM),
    ("RecordError::*", STOPPED),
    ("Refused::*", REWRITTEN),
    ("Remark::NoException", "without slice: {}"),
    ("Remark::Failure", "44 lines for {} of run.jinsi"),
    ("Remark::NotFollowed", "not followed: {}"),
    ("Remark::Solver", "solver: {}"),
    ("RewriteError::*", LEVEL),
    ("ServerError::*", RUN_TESTS),
    ("SessionError::*", "the replay cannot be prepared: {}"),
    ("SiteError::*", REWRITTEN),
    ("SubstError::*", CLASS),
    ("Unresolved::*", LEVEL),
    (
        "UnknownDetail",
        "error: invalid value 'all' for '--detail <DETAIL>': {}",
    ),
    ("VarintError::*", DAMAGED),
    ("Way::Another", "{}  --out report"),
    ("Way::Calls", "{}  jinsi events run.jinsi --class 'CLASS'"),
    ("Way::Caught", "{}  jinsi debug --fail EXCEPTION -- java …"),
    ("Way::ClassIn", "{}  target/classes"),
    ("Way::Classes", "{}  jinsi info run.jinsi"),
    ("Way::Daemon", "{}  gradle --no-daemon …, mvn …"),
    ("Way::Damaged", "{}  jinsi info run.jinsi"),
    ("Way::Elsewhere", "{}  -o /tmp/run.jinsi"),
    (
        "Way::EndedBefore",
        "{}  record again: jinsi record -o run.jinsi -- java …",
    ),
    ("Way::Engines", "{}  docs/junit.md"),
    (
        "Way::Exited",
        "{}  jinsi minimize run.jinsi --exit-status 1",
    ),
    ("Way::FailedByThen", "{}  jinsi minimize run.jinsi"),
    ("Way::FileInIt", "{}  -o target/run.jinsi"),
    (
        "Way::FromBeginning",
        "{}  jinsi record --observe 'shop.*' -o run.jinsi -- java …",
    ),
    ("Way::HowFar", "{}  jinsi info run.jinsi"),
    ("Way::HowGiven", "{}  jinsi debug -- java …"),
    ("Way::Hung", "{}  jinsi minimize run.jinsi --hang"),
    ("Way::HungWhere", "{}  jinsi minimize run.jinsi --hang"),
    ("Way::InRelease", "otherwise  {}"),
    (
        "Way::InSources",
        "{}  cargo build --release --manifest-path frontends/query/engine/Cargo.toml",
    ),
    ("Way::LiesElsewhere", "{}  JINSI_QUERY=/path/to/jinsi-query"),
    ("Way::Machine", "{}  jinsi doctor"),
    ("Way::NameJava", "{}  jinsi debug -- java …"),
    ("Way::Nearest", "{}  shop.Cart"),
    (
        "Way::Newer",
        "{}  install that one, or record again with this one",
    ),
    (
        "Way::NoRights",
        "{}  ask the owner of the file, or choose another directory",
    ),
    (
        "Way::NoRoom",
        "{}  free some, or choose another directory (--out, -o; TMPDIR for temporary files)",
    ),
    (
        "Way::NoTraceHere",
        "{}  jinsi record -o run.jinsi -- java …",
    ),
    ("Way::NoTraceIn", "{}  jinsi record -o run.jinsi -- java …"),
    ("Way::OfReport", "{}  jinsi minimize run.jinsi"),
    (
        "Way::Older",
        "{}  read it with that one, or record again with this one",
    ),
    (
        "Way::OneException",
        "{}  jinsi debug --fail EXCEPTION -- java …",
    ),
    (
        "Way::RecordThese",
        "{}  jinsi debug --observe 'org.acme.*' -- java …",
    ),
    (
        "Way::RecordedAnew",
        "{}  mvn test -Djinsi.detail=instructions",
    ),
    ("Way::ReportBy", "{}  jinsi minimize run.jinsi --out report"),
    (
        "Way::SoItIs",
        "{}  jinsi debug --observe 'shop.*' -- java …",
    ),
    ("Way::StillRuns", "{}  jinsi mark PID"),
    (
        "Way::SuchAs",
        "{}  jinsi debug -- java -cp app.jar com.foo.Main",
    ),
    (
        "Way::ThereIs",
        "{}  jinsi where run.jinsi --test shop.CartTest.total",
    ),
    ("Way::TraceIs", "{}  report/trace.jinsi"),
    ("Way::TracesBy", "{}  jinsi record -o run.jinsi -- java …"),
    ("Way::Usual", "{}  jinsi clean"),
    ("Way::WhatIsThere", "{}  ls lib"),
    ("Way::WhichJava", "{}  jinsi doctor"),
    ("Way::WhileRunning", "{}  jinsi mark PID"),
    ("Way::WithoutJinsi", "{}  java -cp app.jar shop.Main"),
    (
        "Way::WouldCatch",
        "{}  jinsi debug --observe 'shop.*:org.acme.*' -- java …",
    ),
    (
        "Way::WrongValue",
        "{}  jinsi minimize run.jinsi --wrong CLASS.METHOD",
    ),
    (
        "Way::Wrote",
        "{}  jinsi minimize run.jinsi --output-contains TEXT",
    ),
    ("classfile WriteError::TooMany", CLASS),
    ("trace WriteError::Buffer", STOPPED),
    ("trace WriteError::Ended", STOPPED),
    ("Whence::*", "0:1234  shop.Cart.total:20  {}"),
    ("Why::*", "total = ? ({})"),
];

const BUILD: &str = "[jinsi] tests are not recorded: {}";
const CLASS: &str = "not recorded  shop.Cart: {}";
const COMPILED: &str = "no test  level 2: the plain test does not compile: {}";
const DAMAGED: &str = "run.jinsi: segment 3 at offset 4096: {}\n  a part is damaged; what can be read  jinsi info run.jinsi";
const EXPANDED: &str = "the light recording could not be replayed: {}. The program is run once more, with --detail interactions";
const FOR: &str = "keep     tests/shop/CartLevel1Test.java\n         {}.";
const GIVEN: &str = "The other version cannot say: it is given {}.";
const LEVEL: &str = "no test  level 2: not replayable: {}";
const MAIN: &str = "java did not find the main class shop.Mian: {}; nothing was recorded";
const NEEDS: &str = "plain Java: keep it. {}.";
const REWRITTEN: &str = "no test  level 2: the replay test fails otherwise: {}";
const RUN_TESTS: &str =
    "no test  level 2: the plain test was not run: {}\n  to run the written tests  jinsi doctor";
const SPECTRUM: &str = "1  shop.Cart.total:20\n      7 of 7 failing and 2 of 9 passing runs {}";
const STOPPED: &str = "jinsi: recording stopped: {}; the trace holds what was recorded before";
const WITHOUT_TRACE: &str = "no trace was written, and {}: java did not reach the program, or the agent could not record it";

/// The message as a part of the whole in which a user reads it; the same, if it stands alone.
pub(crate) fn whole(of: &str, name: &str, text: &str) -> String {
    let found = keys(of, name).iter().find_map(|key| find(key));
    found.map_or_else(|| text.to_owned(), |whole| whole.replace("{}", text))
}

/// Under which keys a message may be found, the closest first.
fn keys(of: &str, name: &str) -> Vec<String> {
    let mut keys = vec![format!("{of} {name}"), name.to_owned()];
    keys.extend(
        name.split_once("::")
            .map(|(holder, _)| format!("{holder}::*")),
    );
    keys
}

fn find(key: &str) -> Option<&'static str> {
    let found = WHOLES.iter().find(|(part, _)| *part == key);
    found.map(|(_, whole)| *whole)
}

/// The parts that are no message: crates and names.
pub(crate) fn unknown(messages: &[(String, String)]) -> Vec<&'static str> {
    let known = messages.iter().flat_map(|(of, name)| keys(of, name));
    let known: BTreeSet<String> = known.collect();
    let parts = WHOLES.iter().map(|(part, _)| *part);
    parts.filter(|part| !known.contains(*part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_may_have_another_whole_than_its_enum() {
        let text = whole("agent", "Missing::Faults", "7 probes failed");
        assert_eq!(text, "not recorded  7 probes failed");
        let text = whole("agent", "Missing::Early", "loaded early");
        assert!(text.contains("shop.Cart: loaded early"), "{text}");
        let text = whole("analysis/replay", "WriteError::TooMany", "too many");
        assert_eq!(text, "too many");
        let text = whole("classfile", "WriteError::TooMany", "too many");
        assert!(text.contains("shop.Cart: too many"), "{text}");
    }

    #[test]
    fn a_part_that_is_gone_is_found() {
        assert!(unknown(&[]).contains(&"Whence::*"));
        let made = ("analysis/answers".to_owned(), "Whence::Made".to_owned());
        assert!(!unknown(&[made]).contains(&"Whence::*"));
    }
}
