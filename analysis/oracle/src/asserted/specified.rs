//! Exceptions that a specification of Spock's demands by `thrown(E)`, as that is compiled since Spock 2.4.

use jinsi_trace::model::Value;

use super::spock::demanded_since_2_4;
use super::thrown::{Exceptional, Stretch};
use crate::delivery::Seen;
use crate::term::WantedException;
use jinsi_level::NodeNo;

impl Seen<'_> {
    /// What became of the exception that a specification demands of the block before, if the failure is that none came.
    pub(crate) fn specified(&self) -> Option<Exceptional> {
        let history = self.history;
        let threw = |&n: &NodeNo| history.threw(n, self.throwable);
        let (call, wanted) = (history.numbers().rev().filter(threw))
            .find_map(|n| Some((n, demanded_since_2_4(history, n)?)))?;
        // A block begins with none.
        let begins = |&n: &NodeNo| {
            let is_reset = history
                .member(n)
                .is_some_and(|m| m.name == "setThrownException");
            is_reset && history.args(n).last() == Some(&Value::Null)
        };
        let begun = history
            .numbers()
            .rev()
            .skip_while(|n| *n >= call)
            .find(begins)?;
        let stretch = Stretch {
            from: history.node(begun).close,
            to: history.node(call).begin,
            runs_code: true,
        };
        self.missing(
            self.handed_within(&stretch),
            WantedException::of(wanted.to_owned()),
        )
    }
}
