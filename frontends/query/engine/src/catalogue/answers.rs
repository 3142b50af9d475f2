//! Questions whose answer is yes or no; and how often it is yes.

use super::state::named;
use super::{CLASS, FIELD, Kind, METHOD, Named, Parameter, THREAD, parameter};

const FILE: Parameter = parameter("file", Kind::Text);
const LINE: Parameter = parameter("line", Kind::Number);
const VALUE: Parameter = parameter("value", Kind::Text);

/// One row a run.
macro_rules! yes_or_no {
    ($from:literal) => {
        concat!(
            "select r.run, count(f.run) > 0 as answer, count(f.run) as times from runs r\nleft join (",
            $from,
            ") f on f.run = r.run group by r.run order by r.run"
        )
    };
}

pub(super) const ALL: &[Named] = &[
    named!(
        "statement_executed",
        "H9.1",
        &[FILE, LINE],
        "was the line of a source file come to?",
        yes_or_no!(
            "select run from lines where file = $file and line = $line and moment between $from and $to"
        )
    ),
    named!(
        "method_called",
        "H9.2",
        &[CLASS, METHOD],
        "was the method called?",
        yes_or_no!(
            "select run from calls where class = $class and method = $method and call between $from and $to"
        )
    ),
    named!(
        "field_assigned",
        "H9.3",
        &[CLASS, FIELD, VALUE],
        "was the field given the value?",
        yes_or_no!(
            "select run from writes where class = $class and field = $field and (value = $value or value = concat('\"', $value, '\"')) and moment between $from and $to"
        )
    ),
    named!(
        "instance_exists",
        "H9.4",
        &[CLASS],
        "is there an object of the class?",
        yes_or_no!("select run from objects where class = $class and moment between $from and $to")
    ),
    named!(
        "exception_caught",
        "H9.5",
        &[CLASS],
        "did recorded code catch an exception of the class?",
        yes_or_no!(
            "select run from exceptions where class = $class and caught between $from and $to"
        )
    ),
    named!(
        "thread_running",
        "H9.6",
        &[THREAD],
        "does the thread of this name still run where the recording ends?",
        yes_or_no!("select run from threads where name = $thread and status = 'running'")
    ),
    named!(
        "thread_exited",
        "H9.7",
        &[THREAD],
        "has the thread of this name ended?",
        yes_or_no!("select run from threads where name = $thread and status <> 'running'")
    ),
];
