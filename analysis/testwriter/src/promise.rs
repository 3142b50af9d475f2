//! What a test promises, in one sentence that is true by the way in which the test was made.

use jinsi_level::{Outcome, Outgoing};
use jinsi_oracle::{Expected, FoundBy, Oracle, WrongValue};

use super::Form;
use super::containers::STREAMS;
use super::writer::Writer;

/// What a test promises. Only the first two can be recommended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promise {
    /// It expects what the failed test, or the user, expected: a value, or an exception.
    Expectation,
    /// It passes as soon as what was recorded does not come about: an exception, an output, …
    Absence,
    /// It shows the recording, and no repair turns it green.
    Recording,
}

impl Promise {
    /// What a test of this form promises.
    pub(super) fn of(writer: &Writer) -> Self {
        let request = writer.request;
        let stays_red = writer.recorded
            || writer.form == Form::Replay
                && request
                    .answers
                    .iter()
                    .any(|o| answers_failure(writer, o) || is_of_stream(o));
        match request.oracle {
            Oracle::State(_) => Self::Recording,
            _ if stays_red => Self::Recording,
            _ if writer.wanted().is_some() => Self::Expectation,
            Oracle::Value(wrong) if is_expected(writer, wrong) => Self::Expectation,
            Oracle::Assertion(_) => Self::Expectation,
            _ => Self::Absence,
        }
    }

    /// The sentence that stands over the test.
    pub(super) fn sentence(self, writer: &Writer) -> String {
        let comes = match writer.request.oracle {
            Oracle::Exception => "this exception is not thrown",
            Oracle::Value(_) => "this value is another one",
            Oracle::Assertion(_) => "the assertion holds",
            Oracle::Output(_) => "this is not written",
            Oracle::Predicate(_) => "the predicate does not hold",
            Oracle::Exit { .. } => "the program does not end with this status",
            Oracle::Endless { .. } => "the call ends",
            Oracle::State(_) => "no object gets into this state",
        };
        let given = writer.request.oracle.value();
        let (like, whose) = match given.is_some_and(|wrong| wrong.found == FoundBy::Given) {
            true => ("as recorded", "the expectation that you named"),
            false => ("like the failed test", "the expectation of that test"),
        };
        match self {
            Self::Expectation => format!("Fails {like}; passes as soon as {whose} is met."),
            Self::Absence => format!("Fails as recorded; passes as soon as {comes}."),
            Self::Recording => "Shows the recording; for debugging only.".into(),
        }
    }
}

/// Does it say what should have been?
fn is_expected(writer: &Writer, wrong: &WrongValue) -> bool {
    use jinsi_oracle::Demand::Differs;
    let demanded = match &wrong.demand {
        Some(Differs { .. }) | None => false,
        Some(_) => writer.demands,
    };
    demanded || wrong.expected != Expected::Unknown
}

/// Did a stream give the answer? It comes whatever the program's functions do that the stream has been given.
fn is_of_stream(answer: &Outgoing) -> bool {
    answer.member.owner.starts_with(STREAMS)
}

/// Is the answer, or one in a call-back of it, an exception like the failure? It comes whatever the code does that asks.
fn answers_failure(writer: &Writer, answer: &Outgoing) -> bool {
    let request = writer.request;
    let is_failure = |outcome: &Outcome| match outcome {
        Outcome::Throw(id) => {
            let class = request.level.objects.get(id).map(|o| o.class.as_str());
            class.is_some_and(|class| class.replace('/', ".") == request.predicate.class)
        }
        _ => false,
    };
    let of_exception = *request.oracle == Oracle::Exception;
    let in_callbacks = || {
        let mut asked = answer.callbacks.iter().flat_map(|c| &c.outgoing);
        asked.any(|o| answers_failure(writer, o))
    };
    of_exception && (is_failure(&answer.outcome) || in_callbacks())
}
