//! What was the case at a moment.

use super::{CLASS, FIELD, METHOD, MOMENT, Named, OBJECT, THREAD};

/// The thread of the moment; the recorded calls that are open then, and the innermost of them. A call that an exception ends is open when
/// that shows.
macro_rules! enclosing {
    ($rest:literal) => {
        concat!(
            "with here as (select run, thread from events where moment = $event),\n",
            "opened as (select c.* from here join calls c on c.run = here.run and c.thread = here.thread\n",
            "  where c.recorded and c.call < $moment\n",
            "  and (c.ended is null or c.ended > $moment or c.ended = $moment and c.threw is not null)),\n",
            "enclosing as (select run, max(call) as call from opened group by run)\n",
            $rest
        )
    };
}

macro_rules! named {
    ($name:literal, $number:literal, $parameters:expr, $says:literal, $sql:expr) => {
        Named {
            name: $name,
            number: $number,
            parameters: $parameters,
            says: $says,
            sql: $sql,
            of_many: false,
        }
    };
}
pub(super) use named;

/// When the innermost call began that is open at a moment, and when it was over.
pub(super) const REACH: &str = enclosing!(
    "select min(c.call), max(coalesce(c.ended, 9223372036854775807))\nfrom enclosing e join opened c on c.run = e.run and c.call = e.call"
);

pub(super) const ALL: &[Named] = &[
    named!(
        "call_chain",
        "S1",
        &[MOMENT],
        "the calls that are open at a moment, outermost first",
        enclosing!("select run, call, event from opened order by run, call")
    ),
    named!(
        "full_detail_call_chain",
        "S1'",
        &[MOMENT],
        "the same with all that is known of them, innermost first",
        enclosing!(
            "select run, call, event, depth, class, method, file, line, receiver, receiver_class, arguments, ending, result\nfrom opened order by run, call desc"
        )
    ),
    named!(
        "where_exception",
        "S2",
        &[],
        "the call in which each exception was thrown that ended its thread",
        "select x.run, x.thread, x.class as exception, x.message, x.place, c.call, x.event, c.class, c.method, c.receiver, c.arguments\nfrom exceptions x left join calls c on c.run = x.run and c.call = x.call\nwhere x.uncaught and x.moment between $from and $to order by x.run, x.moment"
    ),
    named!(
        "where_field_set",
        "S2",
        &[CLASS, FIELD],
        "the calls in which a field was written",
        "select w.run, w.moment, w.event, w.thread, w.object, w.value, w.line, c.call, c.class, c.method, c.receiver, c.arguments\nfrom writes w left join calls c on c.run = w.run and c.call = w.call\nwhere w.class = $class and w.field = $field and w.moment between $from and $to order by w.run, w.moment, w.step"
    ),
    named!(
        "where_called",
        "S2",
        &[CLASS, METHOD],
        "the calls in which a method was called",
        "select k.run, k.call, k.event, k.thread, k.line, k.arguments, c.call as caller, c.class, c.method, c.receiver\nfrom calls k left join calls c on c.run = k.run and c.call = k.caller\nwhere k.class = $class and k.method = $method and k.call between $from and $to order by k.run, k.call"
    ),
    named!(
        "where_made",
        "S2",
        &[CLASS],
        "the calls in which objects of a class were made",
        "select k.run, k.call, k.event, k.thread, k.line, k.receiver as object, k.arguments, c.call as caller, c.class, c.method\nfrom calls k left join calls c on c.run = k.run and c.call = k.caller\nwhere k.class = $class and k.method = '<init>' and k.call between $from and $to order by k.run, k.call"
    ),
    named!(
        "object_state",
        "S3",
        &[OBJECT, MOMENT],
        "what the fields of an object held at a moment, and the static ones of its classes: inherited ones too, and the initial value of those that nothing had written",
        "with fields as (select o.run, o.object, m.declared, m.name, m.static, m.initial\n  from objects o join members m on m.run = o.run and m.class = o.class and m.kind = 'field'\n  where o.object = $object),\nranked as (select w.run, w.class, w.field, w.object, w.moment, w.event, w.value,\n  row_number() over (partition by w.run, w.class, w.field, w.object order by w.moment desc, w.step desc) as nth\n  from writes w where (w.moment < $event or w.moment = $event and (w.step <= $step or w.step = 0)) and w.field is not null\n  and (w.object = $object or w.static))\nselect f.run, f.declared as class, f.name as field, f.static,\n  case when r.nth is null then f.initial else r.value end as value, r.event as written\nfrom fields f left join ranked r on r.run = f.run and r.class = f.declared and r.field = f.name and r.nth = 1\n  and (f.static and r.object is null or r.object = f.object)\norder by f.run, f.static, f.declared, f.name"
    ),
    named!(
        "enclosing_arguments",
        "S4a",
        &[MOMENT],
        "what the innermost call was given",
        enclosing!(
            "select c.run, c.call, c.event, c.class, c.method, c.receiver, c.arguments\nfrom enclosing e join opened c on c.run = e.run and c.call = e.call order by c.run"
        )
    ),
    named!(
        "pre_event_called_methods",
        "S4b",
        &[MOMENT],
        "the calls that the innermost call had made itself by then, and their results",
        enclosing!(
            "select c.run, c.call, c.event, c.recorded, c.class, c.method, c.receiver, c.arguments, c.ended, c.ending, c.result, c.threw\nfrom enclosing e join calls c on c.run = e.run and c.caller = e.call\nwhere c.call > $began and c.call < $moment and c.ended < $moment order by c.run, c.call"
        )
    ),
    named!(
        "locals_before",
        "S4c",
        &[MOMENT],
        "the variables of the innermost call where its last line before the moment began",
        enclosing!(
            "select l.run, l.event, l.step, l.line, l.name, l.value, l.value_object from (\n  select l.*, rank() over (partition by l.run order by l.moment desc, l.step desc) as nth\n  from enclosing e join locals l on l.run = e.run and l.call = e.call\n  where l.moment < $event or l.moment = $event and l.step < $step) l\nwhere l.nth = 1 order by l.run, l.name"
        )
    ),
    named!(
        "enclosing_return",
        "S5a",
        &[MOMENT],
        "what the innermost call returned in the end",
        enclosing!(
            "select c.run, c.call, c.event, c.class, c.method, c.ended, c.ending, c.result, c.threw\nfrom enclosing e join opened c on c.run = e.run and c.call = e.call where c.ending <> 'open' order by c.run"
        )
    ),
    named!(
        "post_event_called_methods",
        "S5b",
        &[MOMENT],
        "the calls that the innermost call made itself after the moment, and their results",
        enclosing!(
            "select c.run, c.call, c.event, c.recorded, c.class, c.method, c.receiver, c.arguments, c.ended, c.ending, c.result, c.threw\nfrom enclosing e join calls c on c.run = e.run and c.caller = e.call\nwhere c.call > $moment and c.call < $over and c.ended > $moment order by c.run, c.call"
        )
    ),
    named!(
        "locals_after",
        "S5c",
        &[MOMENT],
        "the variables of the innermost call where its next line began",
        enclosing!(
            "select l.run, l.event, l.step, l.line, l.name, l.value, l.value_object from (\n  select l.*, rank() over (partition by l.run order by l.moment, l.step) as nth\n  from enclosing e join locals l on l.run = e.run and l.call = e.call\n  where l.moment > $event or l.moment = $event and l.step > $step) l\nwhere l.nth = 1 order by l.run, l.name"
        )
    ),
    named!(
        "threads_at",
        "H7",
        &[MOMENT],
        "the threads that ran at a moment, and those that had ended",
        "select run, thread, name, began, ended, case when ended < $moment and status <> 'running' then status else 'running' end as status\nfrom threads where began <= $moment order by run, thread"
    ),
    named!(
        "lines_of_thread",
        "",
        &[THREAD],
        "the lines that a thread came to, by its name",
        "select l.run, l.event, l.step, l.class, l.method, l.file, l.line\nfrom threads t join lines l on l.run = t.run and l.thread = t.thread\nwhere t.name = $thread and l.moment between $from and $to order by l.run, l.moment, l.step"
    ),
];
