//! What speaks for a line, in words.

jinsi_wording::messages! {
    /// Why a line is looked at first.
    pub(crate) enum Reason<'a> {
        /// It is in the slice; how far away is not known.
        Slice => "the failure depends on it",
        /// It is in the relevant slice; how far away is not known.
        Relevant => "it might have changed the failure",
        /// It is in the slice.
        Fails => "the failure shows here",
        /// It is in the slice.
        SliceAway { steps: &'a str } => "the failure depends on it, {steps} away",
        /// It is in the relevant slice.
        RelevantAway { steps: &'a str } => "it might have changed the failure, {steps} away",
        /// It is on the stack.
        Thrown => "the exception was thrown here",
        /// It is on the stack.
        Frame { depth: u32 } => "the exception went through here, frame {depth}",
        /// It checks something.
        ThrowsItself => "the program throws the exception here itself",
        /// The exception is about a value that it has from elsewhere.
        Passes => "it only passes on the value that the exception is about",
        /// The exception is about a variable that it reads.
        Uses => "it only uses the value that the exception is about; another line has set it",
        /// The exception is about a value from here.
        Origin => "the value that the exception is about is from here",
        /// It is new in the failing run.
        Late => "it first ran near the end of the run",
        /// It is near the line that is on the stack.
        Method => "it ran in a method that the exception left",
        /// What tests covered.
        Spectrum { failing: u32, failed: usize, passing: u32, passed: usize, what: &'a str } => "{failing} of {failed} failing and {passing} of {passed} passing runs {what}",
        /// A part of [`Reason::Spectrum`].
        Covered => "covered it",
        /// A part of [`Reason::Spectrum`].
        Way => "took one of its branches",
        /// A part of [`Reason::Spectrum`].
        Pair { set: u16 } => "used there what line {set} had set",
        /// A part of [`Reason::Spectrum`].
        Value { class: &'a str } => "met a value there that is {class}",
        /// A branch.
        Difference => "its branch went another way than in the nearest passing run",
        /// It depends on such a branch.
        Guarded => "it ran because such a branch went another way",
        /// A solver says so.
        Impossible => "its branch can never go the other way",
    }
}

jinsi_wording::messages! {
    /// What is said beside the lines.
    pub(crate) enum Remark<'a> {
        /// What the lines are about.
        Failure { name: &'a str } => "the failure of {name}",
        /// There is no slice.
        NoException => "the test ended with no exception",
        /// What the slice does not follow.
        NotFollowed { what: &'a str, times: u64 } => "{what} ({times} times)",
        /// What a solver said.
        Solver { ways: usize, impossible: usize, unknown: usize, lines: usize } => "of {ways} turned branches, {impossible} can never happen and {unknown} are open; {lines} lines rank lower",
    }
}
