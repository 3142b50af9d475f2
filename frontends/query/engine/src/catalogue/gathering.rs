//! What happened over a part of the history.

use super::state::named;
use super::{CLASS, FIELD, Kind, METHOD, MOMENT, Named, OBJECT, Parameter, parameter};

const VARIABLE: Parameter = parameter("variable", Kind::Text);
const CALL: Parameter = parameter("call", Kind::Moment);

pub(super) const ALL: &[Named] = &[
    named!(
        "instance_field_history",
        "H1",
        &[CLASS, OBJECT, FIELD],
        "all that a field of an object ever held",
        "select w.run, w.moment, w.event, w.thread, w.class, w.field, w.value, w.value_object, w.code, w.line, w.call\nfrom writes w join objects o on o.run = w.run and o.object = w.object\nwhere w.object = $object and w.field = $field and (o.class = $class or w.class = $class) and w.moment between $from and $to\norder by w.run, w.moment, w.step"
    ),
    named!(
        "class_field_history",
        "H1",
        &[CLASS, FIELD],
        "all that a static field of a class ever held",
        "select run, moment, event, thread, value, value_object, code, line, call from writes\nwhere static and class = $class and field = $field and moment between $from and $to order by run, moment, step"
    ),
    named!(
        "local_variable_history",
        "H2",
        &[CLASS, METHOD, VARIABLE],
        "what a local variable held at each line that its method came to",
        "select run, moment, step, event, thread, call, line, value, value_object from locals\nwhere class = $class and method = $method and name = $variable and moment between $from and $to order by run, moment, step"
    ),
    named!(
        "argument_history",
        "H3",
        &[CLASS, METHOD],
        "what each call of a method was given",
        "select run, call, event, thread, receiver, arguments from calls\nwhere class = $class and method = $method and call between $from and $to order by run, call"
    ),
    named!(
        "return_history",
        "H4",
        &[CLASS, METHOD],
        "what each call of a method gave",
        "select run, ended as moment, call, event, thread, receiver, ending, result, result_object, threw from calls\nwhere class = $class and method = $method and ended between $from and $to order by run, ended"
    ),
    named!(
        "structure_history",
        "H5",
        &[OBJECT],
        "what an array or a container held whenever that was recorded, and the elements that were written",
        "select run, moment, event, thread, null as element, value from events\nwhere kind = 'Content' and object = $object and moment between $from and $to\nunion all\nselect run, moment, event, thread, element, value from accesses\nwhere kind = 'write' and object = $object and field is null and moment between $from and $to\norder by run, moment"
    ),
    named!(
        "class_instances",
        "H6",
        &[CLASS, MOMENT],
        "all objects of a class at a moment, and what their fields held",
        "with ranked as (select w.run, w.class, w.field, w.object, w.moment, w.value,\n  row_number() over (partition by w.run, w.class, w.field, w.object order by w.moment desc, w.step desc) as nth\n  from writes w where (w.moment < $event or w.moment = $event and (w.step <= $step or w.step = 0))\n  and w.field is not null and not w.static)\nselect o.run, o.object, o.event, m.name as field, case when r.nth is null then m.initial else r.value end as value\nfrom objects o left join members m on m.run = o.run and m.class = o.class and m.kind = 'field' and not m.static\nleft join ranked r on r.run = o.run and r.object = o.object and r.class = m.declared and r.field = m.name and r.nth = 1\nwhere o.class = $class and o.moment <= $moment order by o.run, o.object, m.name"
    ),
    named!(
        "call_tree",
        "H8",
        &[CALL],
        "a call, by a moment with which it begins, and all calls within it; callers first",
        "select c.run, c.call, c.event, c.depth - p.depth as depth, c.recorded, c.class, c.method, c.receiver, c.arguments, c.ending, c.result\nfrom calls p join calls c on c.run = p.run and c.thread = p.thread and c.call >= p.call and (p.ended is null or c.call < p.ended)\nwhere p.call = $call order by c.run, c.call"
    ),
];
