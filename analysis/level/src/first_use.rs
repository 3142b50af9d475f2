//! The first use of a class whose initializer fails (JVMS §5.5). Whatever it was, `Class.forName` is one, too: that is how it is repeated and written.

use jinsi_history::{History, NodeNo};
use jinsi_trace::model::{JavaString, MemberRef, Value};

use crate::{Interaction, Operation};

const OWNER: &str = "java/lang/Class";
const NAME: &str = "forName";
const DESC: &str = "(Ljava/lang/String;)Ljava/lang/Class;";

impl Interaction {
    /// The first use of `class` (internal name), whose initializer `n` ran.
    pub(crate) fn first_use(history: &History, n: NodeNo, class: &str) -> Self {
        Self {
            no: 0,
            node: n,
            thread: history.thread_of(n),
            turn: None,
            op: Operation::CallStatic,
            member: MemberRef {
                owner: OWNER.into(),
                name: NAME.into(),
                desc: DESC.into(),
            },
            target_class: class.to_owned(),
            receiver: Value::Null,
            args: vec![Value::Str(JavaString::new(&class.replace('/', ".")))],
            outcome: history.outcome(n),
            before: Vec::new(),
            outgoing: Vec::new(),
        }
    }

    /// Is it the first use of a class whose initializer fails?
    pub fn is_first_use(&self) -> bool {
        self.op == Operation::CallStatic && *self.member.owner == *OWNER && self.member.name == NAME
    }
}
