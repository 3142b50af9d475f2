//! What the agent says: lines on stderr, and what the trace lacks and why.

use std::path::Display;

use crate::start_error::StartError;

jinsi_wording::messages! {
    /// A line on stderr, which begins with `jinsi: `.
    pub(crate) enum Message<'a> {
        /// The agent is attached to a program that runs without it.
        TooLate => "cannot record a program that runs already: start it with -agentpath",
        /// The agent is attached to a program that it records, with other options.
        OnlyMark { options: &'a str } => "a running recording takes only mark=TEXT and arm=SECONDS, not \"{options}\"",
        /// The agent is attached to a program that waits for a failure.
        NotRecording => "nothing is recorded before there was a failure (arm=failure), so there is no trace to keep",
        /// Somebody wants a recording of a program that is recorded from its start.
        NotArming => "the program is recorded from its start; jinsi arm is for programs started with arm=failure",
        /// Somebody wants a recording while there is one.
        ArmedAlready => "a recording goes on already, or the program is about to end",
        /// Somebody wants a recording for a time that is none.
        BadTime { seconds: &'a str } => "arm={seconds}: a running program takes a number of seconds from 1, or nothing",
        /// [`Message::Twice`], where nothing is recorded yet.
        TwiceArmed { options: &'a str } => "the agent is loaded already and waits for a failure; its second options \"{options}\" are ignored",
        /// Usual where JAVA_TOOL_OPTIONS names the agent as well as the command line.
        Twice { options: &'a str, path: Display<'a> } => "the agent is loaded already and records {path}; its second options \"{options}\" are ignored",
        /// The program runs as it would without the agent.
        NotRecorded { why: &'a StartError } => "{why}; nothing is recorded",
        /// The JVM does not let its own classes be changed.
        BlindSpots => "this JVM does not let its own classes be changed; uncaught exceptions and accesses by reflection are not recorded",
        /// `arm=failure`, as the recording begins.
        Armed { class: &'a str, place: &'a str, seconds: u64 } => "{class} at {place}: the next one is recorded, for {seconds} s at most (arm=failure)",
        /// The same where somebody wants it.
        ArmedByHand { seconds: u64 } => "the next failure is recorded, for {seconds} s at most (jinsi arm)",
        /// A recording could not begin; the program runs on.
        NotArmed { why: &'a str } => "{why}; recording does not begin (arm=failure)",
        /// As the JVM ends.
        ArmedEnds { recordings: u32, kept: u32 } => "recordings that a failure began: {recordings}; traces kept: {kept} (arm=failure)",
        /// As the JVM ends, where no class could have been recorded.
        ArmedNoMatch { observe: &'a str } => "no class matched observe={observe} (arm=failure)",
        /// The trace file was there already.
        Exists { wanted: Display<'a>, path: Display<'a> } => "{wanted} exists; recording to {path}",

        /// Without a trace.
        Failed { error: &'a str } => "recording stopped: {error}",
        /// With a trace.
        Stopped { error: &'a str } => "recording stopped: {error}; the trace holds what was recorded before",
        /// `keep-same=`.
        Known { class: &'a str, place: &'a str, count: u64, list: &'a str } => "{class} at {place} is known, {count} times by now ({list}); no trace kept (keep-same)",
        /// `on=failure`.
        NoFailure => "no failure, no trace kept (on=failure)",
        /// Classes matched.
        NotRewritten { count: u32, path: Display<'a> } => "{count} matching classes could not be rewritten; the trace {path} is empty",
        /// No class was loaded that can be named.
        NoMatch { observe: &'a str, path: Display<'a> } => "no class matched observe={observe}; the trace {path} is empty",
        /// With the packages that were loaded.
        OthersLoaded { observe: &'a str, packages: &'a str, path: Display<'a> } => "no class matched observe={observe}: loaded were {packages}; the trace {path} is empty",
        /// All is well. `left_alone` and `cut` may be empty.
        Recorded { events: u64, classes: u32, left_alone: &'a str, path: Display<'a>, bytes: u64, cut: &'a str } => "{events} events of {classes} classes{left_alone} recorded in {path} ({bytes} bytes){cut}",
        /// A part of [`Message::Recorded`].
        LeftAlone { count: u32 } => ", {count} left alone",
        /// A part of [`Message::Recorded`].
        CutShort { max_size: u64, when: &'a str } => "recording ended when the trace reached max-size={max_size}{when}; a larger max-size, or max-size=none, records more",
    }
}

jinsi_wording::messages! {
    /// Why something is not in the trace, as `jinsi info` shows it.
    pub(crate) enum Missing<'a> {
        /// A class.
        Early => "loaded before recording began",
        /// A class that is redefined.
        Changed => "another agent changed it after it was loaded: the recording has its new form, the trace its old one",
        /// A class.
        ClassFile => "jinsi cannot read the class file",
        /// Method handles and lambdas of a class.
        References { why: &'a str } => "method references are not recorded: {why}",
        /// A superclass of observed classes.
        Inherited { why: &'a str } => "what observed classes inherit from it is not recorded: {why}",
        /// A superclass of observed classes.
        Busy => "another thread takes too long to rewrite it",
        /// A superclass of observed classes.
        NotRewritten { why: &'a str } => "it cannot be rewritten ({why})",
        /// Some of what a class does.
        NoRoom { what: &'a str } => "{what} are not recorded, there is no room for probes",
        /// A method of a class.
        LeftOut { what: &'a str } => "{what}, and is not recorded",
        /// A class that is not observed.
        Accesses { why: &'a str } => "its accesses to fields of observed classes are not recorded: {why}",
        /// A fault of jinsi's.
        Faults { count: u64 } => "{count} probes failed by a fault of jinsi's own",
        /// There is no more room for threads.
        Threads { count: u64, most: usize } => "{count} threads, started while {most} others were being recorded",
        /// Failures of one kind.
        Repeated { count: u64, full: u64, place: &'a str } => "{count} more failures like the first {full} at {place}",
        /// What was recorded after the trace was full.
        MaxSize { bytes: u64, when: &'a str } => "everything after the trace reached its max-size of {bytes} bytes{when}",
    }
}
