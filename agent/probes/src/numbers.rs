//! Numbers that rewritten classes, the agent and the probes' runtime agree on. Java has them as constants of `JinsiNumbers`.

/// Defines the constants, and the table of all from which the Java class is written.
macro_rules! numbers {
    ($($(#[doc = $doc:literal])* $name:ident = $value:expr;)*) => {
        $($(#[doc = $doc])* pub const $name: i32 = $value;)*

        /// All of them: name, value.
        pub(crate) const ALL: &[(&str, i32)] = &[$((stringify!($name), $name),)*];
    };
}

numbers! {
    /// Bits of the site in the number that says what a whole event is. Above them is the kind, and above that what runs afterwards:
    /// [`SAME`], [`INSIDE`], [`QUIET`], [`OUTSIDE`], [`CALL`] or [`ACCESS`].
    SITE_BITS = 23;
    /// Bits of the kind in that number.
    KIND_BITS = 5;
    /// Whatever ran before runs afterwards, too.
    SAME = 0;
    /// Observed code. The two lowest bits of this and of the others are what `JinsiState.WHOSE` becomes.
    INSIDE = 1;
    /// Something that does not synchronize with other threads, or records it if it does.
    QUIET = 2;
    /// The environment.
    OUTSIDE = 4;
    /// A method of the first value.
    CALL = 8;
    /// Whatever ran before: as [`SAME`], of an access of a field, which is an event where observed code runs on an unobserved subclass, too.
    ACCESS = 12;

    /// What is added to a number in a table of `JinsiGather.interrupted`, whose characters are not negative.
    TABLE_BIAS = 1 << 14;
    /// Bits of a number that one character of such a table has.
    TABLE_BITS = 15;

    /// What a call of a `VarHandle` method does, as `JinsiReflection.handle` is informed: it reads.
    HANDLE_GET = 0;
    /// It writes.
    HANDLE_SET = 1;
    /// It writes if it finds what is expected, and says whether.
    HANDLE_COMPARE_AND_SET = 2;
    /// It writes if it finds what is expected, and gives what it has found.
    HANDLE_COMPARE_AND_EXCHANGE = 3;
    /// It writes, and gives what it has found; so do the following.
    HANDLE_GET_AND_SET = 4;
    /// It adds.
    HANDLE_GET_AND_ADD = 5;
    /// Bitwise.
    HANDLE_GET_AND_OR = 6;
    /// Bitwise.
    HANDLE_GET_AND_AND = 7;
    /// Bitwise.
    HANDLE_GET_AND_XOR = 8;

    /// What of a throwable `JinsiThrowables.part0` is asked for: its message.
    PART_MESSAGE = 0;
    /// Its cause.
    PART_CAUSE = 1;
    /// Its stack trace.
    PART_TRACE = 2;

    /// What `JinsiRedact.mode0` answers: nothing is kept out of the trace.
    REDACT_NOTHING = 0;
    /// Texts are hashed.
    REDACT_HASH = 1;
    /// Texts are blanked.
    REDACT_BLANK = 2;

    /// What a test engine reports to `JinsiEngines.report`: JUnit 3 begins a test.
    JUNIT_3_STARTED = 0;
    /// JUnit 3 has ended a test.
    JUNIT_3_ENDED = 1;
    /// A test of JUnit 3 fails, by a throwable.
    JUNIT_3_FAILED = 2;
    /// JUnit 4 begins a test.
    JUNIT_4_STARTED = 3;
    /// JUnit 4 has ended a test.
    JUNIT_4_ENDED = 4;
    /// JUnit 4 has made a description of a failure.
    JUNIT_4_FAILED = 5;
    /// The JUnit Platform begins a test, or what holds tests.
    PLATFORM_STARTED = 6;
    /// The JUnit Platform has ended one, with a result.
    PLATFORM_FINISHED = 7;
    /// TestNG has a result whose status says whether its test begins or has ended.
    TESTNG_REPORTED = 8;
    /// TestNG has a result of a set-up or tear-down.
    TESTNG_CONFIGURED = 9;

    /// Flag beside a class's access flags: it comes with the JDK.
    OF_THE_JDK = 1 << 16;
}
