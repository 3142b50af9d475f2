//! What the command says on stderr: problems, remarks, and ways on. Answers on stdout are tables and documents, and stand with their commands.

#![expect(missing_docs, reason = "the text of each says what it is")]

use std::path::{Display, Path};

jinsi_wording::messages! {
    /// A file or a directory cannot be used.
    pub enum Cannot<'a> {
        Read { path: Display<'a> } => "cannot read {path}",
        Write { path: Display<'a> } => "cannot write {path}",
        Create { path: Display<'a> } => "cannot create {path}",
        Replace { path: Display<'a> } => "cannot replace {path}",
        Clear { path: Display<'a> } => "cannot clear {path}",
        Find { path: Display<'a> } => "cannot find {path}",
        Start { path: Display<'a> } => "cannot start {path}",
        Temporary => "cannot create a temporary directory",
        ReadDirectory { path: Display<'a> } => "{path} is a directory, and a trace is a file",
        Stdout => "cannot write to stdout",
    }
}

/// That a file cannot be read.
pub fn unread(path: &Path) -> String {
    let path = path.display();
    Cannot::Read { path }.to_string()
}

/// That a file cannot be written.
pub fn unwritten(path: &Path) -> String {
    let path = path.display();
    Cannot::Write { path }.to_string()
}

/// That a directory cannot be created.
pub fn uncreated(path: &Path) -> String {
    let path = path.display();
    Cannot::Create { path }.to_string()
}

jinsi_wording::messages! {
    /// A call that does nothing, and why.
    pub enum Usage<'a> {
        Patterns { option: &'a str, fixed: &'a str } => "{option}: patterns are joined by ':', as in {option} {fixed}",
        NoDashes { name: &'a str } => "'--' is missing before '{name}': what stands behind it is the program, what stands before it is for jinsi",
        NoProgram { command: &'a str } => "jinsi {command} runs a program, and none is named: it stands behind '--'",
        FailureOfOne => "--failure counts the failures of one trace: name only one trace",
        WholeRun { option: &'a str } => "{option} is about a whole run and cannot stand beside --test; only --wrong can",
        OneRun { option: &'a str } => "{option} is about one run, and you named several traces: name one, or a test with --test",
        Levels { count: &'a str } => "--levels takes a number from 1, not '{count}'",
        NotReplayed { option: &'a str } => "{option} is about a replay: add --replayed",
        FactsForm => "name a form: --prolog is so far the only one",
        WhyNot => "name what did not happen: --call, --field, --line, --object, --output or --failure",
        Queries => "name the runs: jinsi query FILE, or a directory of 'jinsi export'",
    }
}

jinsi_wording::messages! {
    /// Why a program is not recorded, or left no trace.
    pub enum NotRecorded<'a> {
        TraceIsDirectory { path: Display<'a> } => "{path} is a directory, and the trace is a file; nothing was run",
        NoPlace { path: Display<'a>, error: String } => "no trace can be written in {path}: {error}; nothing was run",
        ReportIsFile { path: Display<'a> } => "--out {path} is a file, and the report is a directory; nothing was run",
        NoJar { path: Display<'a> } => "java -jar {path}: there is no such file; nothing was run",
        NoCommand => "no command to run: it stands behind --",
        NotFound { program: Display<'a> } => "command `{program}` not found",
        NotRun { program: Display<'a>, why: String } => "cannot run `{program}`: {why}",
        FileName { output: &'a str } => "{output} is no name for a file; choose another one (-o)",
        Comma { path: Display<'a> } => "{path}: the agent's options cannot hold a comma; choose another directory",
        NoAgent { library: &'a str, directory: Display<'a> } => "the agent is missing: {library} is not in {directory}, nor in ../lib/jinsi (build it with cargo build)",
        NoSelf => "cannot find out where jinsi itself is; call it by its whole path",
        Unconfined => "nothing was run; --unconfined runs it all the same, with your own rights",

        Interrupted => "interrupted before recording began: there is no trace",
        NoJvm { ended: String } => "no trace was written, and {ended}: java did not reach the program, or the agent could not record it",
        NoJava { ended: String, program: Display<'a> } => "no trace was written, and {ended}: {program} started no java, or one that does not read JAVA_TOOL_OPTIONS",
        Killed => "the program was killed",
        Ended { status: i32 } => "the program ended with status {status}",
    }
}

jinsi_wording::messages! {
    /// Why there is nothing to minimize.
    pub enum NoFailure<'a> {
        NoEngine { ended: String, jar: &'a str } => "no failure was recorded: {ended}{jar} is on its class path, but no test engine that jinsi knows ran a test",
        NoTest { ended: String } => "no failure was recorded: {ended}none of its tests failed",
        NoException { ended: String } => "no failure was recorded: {ended}no exception ended a thread, and no test failed",
        /// A part of the others.
        Ended { status: i32 } => "the program ended with status {status}, ",
        NoEnd { path: Display<'a> } => "no failure was recorded, but the end of {path} is missing: the program was killed or still runs, or the file was cut off",
        NoClass => "java loaded no class of the program: nothing was recorded",
        NoClassBy { status: i32 } => "java loaded no class of the program, and ended with status {status}: nothing was recorded",
        NoMatch { observe: &'a str } => "no class matched {observe}, so nothing was recorded",
        OthersLoaded { observe: &'a str, loaded: String } => "no class matched {observe}, so nothing was recorded; loaded were {loaded}",
        NoMain { name: &'a str, why: String } => "java did not find the main class {name}: {why}; nothing was recorded",
        /// A part of [`NoFailure::NoMain`].
        NotThere => "the class path does not have it",
        /// A part of [`NoFailure::NoMain`].
        NoEntry { entry: &'a str } => "of the class path, {entry} is not there",
        /// A part of [`NoFailure::NoMain`].
        NoEntries { entries: &'a str } => "of the class path, {entries} are not there",
        OfJdk { class: &'a str } => "the failure, {class}, has no frame of the program: the JDK threw it on a thread of its own",
        NotObserved { class: &'a str, place: &'a str, observe: &'a str } => "the failure passed through nothing that was observed: {class} at {place}; observed was {observe}",
        NoFailedTest => "no test failed in what was recorded",
    }
}

jinsi_wording::messages! {
    /// Why a question about a trace has no answer.
    pub enum NoAnswer<'a> {
        NoReportIn { path: Display<'a> } => "{path} is a directory without a report: it has no report.html",
        NoReport { path: Display<'a> } => "{path} is no directory of a report: nothing was removed",
        Unreadable { path: Display<'a> } => "{path} is no report of 'jinsi debug' or 'jinsi minimize'",
        NoThread { thread: u32 } => "there is no thread {thread}; 'jinsi info FILE' lists the threads",
        Wrong { part: &'a str, why: String } => "--wrong {part}: {why}",
        NotMinimized => "what is left cannot be asked about; leave out --minimized to ask about the whole run",
        Failed { path: Display<'a> } => "the run in {path} did not pass; name a passing one",
        NoAnswers { path: Display<'a> } => "{path} is no file of answers: 'jinsi ask' writes them to FILE.ask",
        NotCompacted { events: u64, of: u64, path: Display<'a> } => "only {events} of {of} events were copied to {path}; the original trace is unchanged",
        OfSuite => "'jinsi where' needs each instruction of the tests, and this trace does not have them",
        NothingPasses => "no run with other arguments passes",
        NothingRan { path: Display<'a> } => "nothing of the program ran in {path}; record it again",
        NoSuite { path: Display<'a> } => "{path} is of no test suite: leave out --test",
        NoLine { at: String } => "after {at}, this thread runs no further line of recorded code",
        Local { path: String } => "{path} is a local variable there: 'jinsi origin' says what set it",
        NoMcp => "this jinsi was built without the Model Context Protocol: cargo build --release --features mcp",
        NoEditor => "the editor does not speak the Debug Adapter Protocol, or the connection broke; start it again",
        NoAssistant => "the assistant does not speak the Model Context Protocol, or the connection broke; start it again",
        Port { port: u16 } => "cannot serve on port {port} of this machine; choose another one with --port",
        NoFailure => "the trace has no failure; name a moment, THREAD:EVENT",
        Unseen => "the exception of the failure never reached recorded code; name a moment, THREAD:EVENT",
        NotMoment { typed: &'a str } => "'{typed}' is no moment: write THREAD:EVENT, THREAD:EVENT+STEPS or 'failure', and the expression behind it",
        NoEvents => "no event matches; leave out an option, or see all with 'jinsi events FILE'",
        NoExpression => "name the expression whose value you ask about, such as total or this.next",
        OneVariable { expression: &'a str } => "{expression} is not one variable: name one of its fields or elements",
        NoPage => "the page cannot be served any longer; start 'jinsi view' again",
        NoInteraction { bad: u32, total: usize } => "--only: there is no interaction {bad}; they go from 1 to {total}",
        OtherCall => "the whole run has no call with the same arguments and the same result; leave out --minimized",
        OnlyReturned => "a test is written only for what a call returns to another class; choose such a call",
        NothingLeft => "nothing is left of it; leave out --minimized",
        NotReplayable { detail: &'a str, why: String } => "the trace has no instructions (detail={detail}), and a replay cannot record them: {why}. Record with --detail states",
        Replayed => "this trace is itself a replay; name the original recording",
        NoFlip => "--no-flip",
        NoEngineAt { variable: &'a str, path: Display<'a> } => "{variable} names {path}, and there is no such program",
        NoEngine { program: &'a str } => "queries are answered by another program, {program}, and it is neither beside this one nor on the PATH",
    }
}

jinsi_wording::messages! {
    /// A line on stderr beside the answer.
    pub enum Remark<'a> {
        Left { left: usize, of: usize, callers: &'a str, path: Display<'a> } => "{left} of {of} calls of {callers} are left; they were run again, and recorded to {path}",
        NoStates { path: Display<'a> } => "{path} was not recorded with --detail states, so many answers are missing",
        Answers { path: Display<'a> } => "your answers are kept in {path}; the same command continues",
        Versions { classes: &'a str } => "the program loads several versions of {classes}, and the failure is in a later one. The program is run once more, to record the last",
        OnceMore { why: &'a str } => "the light recording could not be replayed: {why}. The program is run once more, with --detail interactions",
        FirstUsed { why: String } => "{why}. The first recording is used",
        NotTurned { why: String } => "no branch was turned: {why}",
        NoOtherPasses { why: String } => "no run with other arguments passes: {why}",
        NoSolver { why: String } => "{why}; so nobody checked whether a turned branch can happen",
        FirstOf { count: usize, test: &'a str } => "{count} tests failed; this is about the first, {test}: --test chooses another",
        Comment { link: &'a str } => "a comment for a pull request, of all failed tests, is in {link}",
        Interrupted { path: Display<'a> } => "interrupted while the program ran; its trace is kept: {path}",
        Waiting { address: String } => "waiting on {address}",
        ReplayedFirst { path: Display<'a> } => "replayed first, to see each instruction; the replay is kept in {path}",
        ReplayNotKept { path: Display<'a>, why: String } => "replayed first, to see each instruction. The replay is not kept, so the next question replays again: cannot write {path}: {why}",
        OwnNumbers => "'at', 'origin' and 'tree' number the events of a replay; --replayed shows these numbers",
        SomeUnknown => "recorded with detail=instructions, so some values are not known; --replayed finds them",
        NoBrowser { why: String } => "no browser was opened ({why}): open the address",
        Traces { count: usize } => "{count} traces were written; jinsi takes the last one with a failure",
        Signals { why: String } => "signals cannot be handled, so temporary directories may stay: {why}",
        Replay => "This is a replay in the recorded order.",
    }
}

jinsi_wording::messages! {
    /// What a way on is for. The command stands behind it.
    pub enum Way<'a> {
        OneException => "if a caught exception is the failure",
        Engines => "test engines that jinsi knows",
        WrongValue => "a call returned the wrong value",
        Wrote => "it wrote something wrong",
        Exited => "its exit status is wrong",
        Caught => "an exception was caught",
        WhileRunning => "you see it while it runs",
        Hung => "it hung",
        StillRuns => "it still runs, and something is wrong",
        HowFar => "to see how far the recording goes",
        WithoutJinsi => "its own message is above; to run it without jinsi",
        RecordThese => "to record these",
        ClassIn => "the class is in",
        WouldCatch => "to observe it",
        Calls => "to list the calls of a class",
        Classes => "to list the observed classes",
        FileInIt => "name a file in it",
        Elsewhere => "name another place",
        ThereIs => "there is",
        WhatIsThere => "to list what is there",
        Nearest => "the nearest name",
        Another => "name another one",
        WhichJava => "to see which Java this machine has",
        HowGiven => "the program stands behind --",
        Machine => "the reason is above; to check this machine",
        Daemon => "if a daemon does the work",
        NameJava => "otherwise, run java itself",
        SoItIs => "write",
        SuchAs => "for example",
        FailedByThen => "to see what failed by then",
        HungWhere => "if it hung, to see where it was",
        Usual => "to remove the usual ones",
        RecordedAnew => "to record them",
        OfReport => "the lines of a failed test are in its report",
        FromBeginning => "to record that from the beginning",
        InSources => "to build it, in jinsi's sources",
        LiesElsewhere => "if it is elsewhere",
        InRelease => "take it from the archive of a release, where it is in bin",
        Newer => "a newer jinsi wrote it",
        Older => "an older jinsi wrote it",
        Damaged => "a part is damaged; what can be read",
        NoRoom => "the disk is full",
        NoRights => "you lack the rights",
        EndedBefore => "the JVM ended before it ran the program",
        TracesBy => "to record a trace",
        NoTraceIn { path: Display<'a> } => "no trace is in {path}; to record one",
        NoTraceHere => "no trace is here; to record one",
        TraceIs => "this is a trace",
        ReportBy => "to write a report",
    }
}
