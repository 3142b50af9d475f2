//! Named queries over `writes`, `locals` and `lines`, of random rows: only a recording of instructions has these tables, and that is not made
//! of a few numbers. Calls and moments are those of a random run.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::naive::{Folded, fold};
use super::random::{Step, steps, written};
use super::{asked, cases, cell, columns};
use crate::catalogue::{Interval, Kind, all};
use crate::cell::Cell;
use crate::schema::Table;
use crate::{Run, Session};

/// Objects and their classes.
const OBJECTS: [(i64, &str); 4] = [(1, "a.One"), (2, "a.One"), (3, "a.Two"), (4, "a.Two")];
/// Fields: the class that declares it, its name, whether it is static, and what it holds first. The second class inherits those of the first.
const FIELDS: [(&str, &str, bool, &str); 4] = [
    ("a.One", "x", false, "0"),
    ("a.One", "made", true, "0"),
    ("a.Two", "x", false, "null"),
    ("a.Two", "y", false, "false"),
];
const VARIABLES: [&str; 2] = ["i", "total"];

/// A write, a variable, or a line; the numbers choose.
#[derive(Clone, Copy, Debug)]
struct Done {
    moment: i64,
    step: i64,
    one: usize,
    other: usize,
    value: i64,
}

fn done() -> impl Strategy<Value = Vec<Done>> {
    let done = (1i64..30, 0i64..3, 0usize..8, 0usize..8, 0i64..4);
    let done = done.prop_map(|(moment, step, one, other, value)| Done {
        moment,
        step,
        one,
        other,
        value,
    });
    prop::collection::vec(done, 0..40)
}

/// A written field.
#[derive(Clone, Debug)]
struct Write {
    moment: i64,
    step: i64,
    call: Option<i64>,
    class: &'static str,
    field: &'static str,
    object: Option<i64>,
    value: String,
}

/// A variable at a line.
#[derive(Clone, Debug)]
struct Local {
    moment: i64,
    step: i64,
    call: i64,
    class: String,
    method: String,
    line: i64,
    name: &'static str,
    value: String,
}

/// A run whose states are random rows.
struct States {
    session: Session,
    /// The trace is read while it is asked.
    _directory: tempfile::TempDir,
    folded: Folded,
    writes: Vec<Write>,
    locals: Vec<Local>,
}

/// Rows of a table: those of its columns that are named here.
fn rows(table: Table, named: &[Vec<(&str, Cell<'static>)>]) -> Vec<Vec<Cell<'static>>> {
    let row = |cells: &Vec<(&str, Cell<'static>)>| {
        let cell = |name: &str| cells.iter().find(|(of, _)| *of == name);
        let names = table.columns().iter().map(|column| column.name);
        names
            .map(|name| match (name, cell(name)) {
                ("run", _) => Cell::from("r"),
                (_, Some((_, cell))) => cell.clone(),
                _ => Cell::Null,
            })
            .collect()
    };
    named.iter().map(row).collect()
}

impl States {
    fn new(steps: &[Step], done: &[Done]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let file = written(directory.path(), steps);
        let trace = jinsi_trace::reader::Trace::open(&file).unwrap();
        let folded = fold(&trace);
        let session = Session::of(vec![Run::of(trace, &file, "r".to_owned())]).unwrap();
        let mut states = Self {
            session,
            _directory: directory,
            folded,
            writes: Vec::new(),
            locals: Vec::new(),
        };
        let mut seen = BTreeSet::new();
        for done in done {
            // Two things never happen at once.
            if seen.insert((done.moment, done.step)) {
                states.write(*done);
                states.line(*done);
            }
        }
        states.register();
        states
    }

    fn write(&mut self, done: Done) {
        let (object, class) = OBJECTS[done.one % OBJECTS.len()];
        let fields = FIELDS.iter().filter(|f| f.0 == class || f.0 == "a.One");
        let fields: Vec<_> = fields.collect();
        let (declared, field, is_static, _) = fields[done.other % fields.len()];
        let opened = self.folded.opened(done.moment);
        self.writes.push(Write {
            moment: done.moment,
            step: done.step,
            call: opened.last().map(|call| call.call),
            class: declared,
            field,
            object: (!is_static).then_some(object),
            value: done.value.to_string(),
        });
    }

    fn line(&mut self, done: Done) {
        let opened = self.folded.opened(done.moment);
        let Some(call) = opened.last() else { return };
        for (no, name) in VARIABLES.iter().enumerate().take(done.other % 3) {
            self.locals.push(Local {
                moment: done.moment,
                step: done.step,
                call: call.call,
                class: call.class.clone(),
                method: call.method.clone(),
                line: 10 + done.one as i64,
                name,
                value: (done.value + no as i64).to_string(),
            });
        }
    }

    fn register(&self) {
        let objects = OBJECTS.map(|(id, class)| {
            vec![
                ("object", id.into()),
                ("class", class.into()),
                ("moment", id.into()),
            ]
        });
        let members = ["a.One", "a.Two"].iter().flat_map(|class| {
            let fields = FIELDS
                .iter()
                .filter(move |f| f.0 == *class || f.0 == "a.One");
            fields.map(move |(declared, name, is_static, initial)| {
                vec![
                    ("class", Cell::from(*class)),
                    ("declared", (*declared).into()),
                    ("kind", "field".into()),
                    ("name", (*name).into()),
                    ("static", (*is_static).into()),
                    ("initial", (*initial).into()),
                ]
            })
        });
        let members: Vec<_> = members.collect();
        let writes: Vec<_> = self.writes.iter().map(Write::cells).collect();
        let locals: Vec<_> = self.locals.iter().map(Local::cells).collect();
        let lines: BTreeMap<_, _> = self
            .locals
            .iter()
            .map(|l| ((l.moment, l.step), l))
            .collect();
        let lines: Vec<_> = lines.values().map(|local| local.of_line()).collect();
        for (table, named) in [
            (Table::Objects, &objects[..]),
            (Table::Members, &members[..]),
            (Table::Writes, &writes[..]),
            (Table::Locals, &locals[..]),
            (Table::Lines, &lines[..]),
        ] {
            self.session.replace(table, &rows(table, named)).unwrap();
        }
    }

    fn ask(&self, name: &str, arguments: &[&str], wanted: &[&str]) -> Vec<Vec<String>> {
        columns(&self.session, name, arguments, wanted)
    }

    /// What an object's fields hold at a moment, by going through the writes.
    fn held(
        &self,
        (object, class): (i64, &str),
        moment: i64,
    ) -> BTreeMap<(String, String), String> {
        let fields = FIELDS.iter().filter(|f| f.0 == class || f.0 == "a.One");
        let mut held = BTreeMap::new();
        for (declared, name, _, initial) in fields {
            let key = (declared.to_string(), name.to_string());
            held.insert(key, initial.to_string());
        }
        let mut writes: Vec<&Write> = self.writes.iter().collect();
        writes.sort_by_key(|w| (w.moment, w.step));
        for write in writes {
            let by_then = (write.moment, write.step) <= (moment, 0);
            let own = write.object.is_none_or(|of| of == object);
            let key = (write.class.to_owned(), write.field.to_owned());
            if by_then && own && held.contains_key(&key) {
                held.insert(key, write.value.clone());
            }
        }
        held
    }
}

impl Write {
    fn cells(&self) -> Vec<(&'static str, Cell<'static>)> {
        vec![
            ("moment", self.moment.into()),
            ("step", self.step.into()),
            ("thread", 0i64.into()),
            ("call", self.call.into()),
            ("class", self.class.into()),
            ("field", self.field.into()),
            ("static", self.object.is_none().into()),
            ("object", self.object.into()),
            ("value", self.value.clone().into()),
        ]
    }
}

impl Local {
    fn of_line(&self) -> Vec<(&'static str, Cell<'static>)> {
        vec![
            ("moment", self.moment.into()),
            ("step", self.step.into()),
            ("thread", 0i64.into()),
            ("call", self.call.into()),
            ("class", self.class.clone().into()),
            ("method", self.method.clone().into()),
            ("file", "A.java".into()),
            ("line", self.line.into()),
        ]
    }

    fn cells(&self) -> Vec<(&'static str, Cell<'static>)> {
        let mut cells = self.of_line();
        cells.retain(|(name, _)| *name != "file");
        cells.push(("name", self.name.into()));
        cells.push(("value", self.value.clone().into()));
        cells
    }
}

fn fields(states: &States) -> Result<(), TestCaseError> {
    let mut writes: Vec<&Write> = states.writes.iter().collect();
    writes.sort_by_key(|w| (w.moment, w.step));
    let row = |w: &&Write| vec![w.moment.to_string(), w.value.clone()];
    let wanted = ["moment", "value"];
    for (object, class) in OBJECTS {
        let number = object.to_string();
        for (declared, field, is_static, _) in FIELDS {
            let own = |w: &&&Write| w.object == Some(object) && w.field == field;
            let expected: Vec<_> = writes.iter().filter(own).map(row).collect();
            let found = states.ask("instance_field_history", &[class, &number, field], &wanted);
            prop_assert_eq!(found, expected);
            let of_class = |w: &&&Write| w.class == declared && w.field == field;
            if is_static {
                let expected: Vec<_> = writes.iter().filter(of_class).map(row).collect();
                let found = states.ask("class_field_history", &[declared, field], &wanted);
                prop_assert_eq!(found, expected);
            }
            let given = writes.iter().filter(of_class).filter(|w| w.value == "2");
            let times = given.count();
            let found = states.ask(
                "field_assigned",
                &[declared, field, "2"],
                &["answer", "times"],
            );
            prop_assert_eq!(found, [[(times > 0).to_string(), times.to_string()]]);
            let set = writes.iter().filter(of_class);
            let set = set.map(|w| vec![w.moment.to_string(), cell(w.call)]);
            let found = states.ask("where_field_set", &[declared, field], &["moment", "call"]);
            prop_assert_eq!(found, set.collect::<Vec<_>>());
        }
    }
    Ok(())
}

fn objects(states: &States, moment: i64) -> Result<(), TestCaseError> {
    let at = moment.to_string();
    for (object, class) in OBJECTS {
        let found = states.ask(
            "object_state",
            &[&object.to_string(), &at],
            &["class", "field", "value"],
        );
        let found: BTreeMap<_, _> = found
            .into_iter()
            .map(|row| ((row[0].clone(), row[1].clone()), row[2].clone()))
            .collect();
        prop_assert_eq!(found, states.held((object, class), moment));
    }
    for class in ["a.One", "a.Two"] {
        let mut expected = Vec::new();
        let of_class = OBJECTS
            .iter()
            .filter(|(id, of)| *of == class && *id <= moment);
        for (object, class) in of_class {
            for ((declared, name), value) in states.held((*object, class), moment) {
                let found = FIELDS.iter().find(|f| f.0 == declared && f.1 == name);
                if !found.unwrap().2 {
                    expected.push(vec![object.to_string(), name, value]);
                }
            }
        }
        let mut found = states.ask(
            "class_instances",
            &[class, &at],
            &["object", "field", "value"],
        );
        // Two fields of one name have no order.
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected);
    }
    Ok(())
}

fn variables(states: &States, moment: i64) -> Result<(), TestCaseError> {
    let at = moment.to_string();
    let inner = states.folded.opened(moment).last().map(|call| call.call);
    let own: Vec<&Local> = states
        .locals
        .iter()
        .filter(|l| Some(l.call) == inner)
        .collect();
    let when = |l: &&Local| (l.moment, l.step);
    let last = own.iter().map(when).filter(|w| w.0 < moment).max();
    let next = own.iter().map(when).filter(|w| w.0 >= moment).min();
    for (name, wanted) in [("locals_before", last), ("locals_after", next)] {
        let at_line = own.iter().filter(|l| Some(when(l)) == wanted);
        let mut expected: Vec<_> = at_line
            .map(|l| vec![l.line.to_string(), l.name.to_owned(), l.value.clone()])
            .collect();
        expected.sort_by(|one, other| one[1].cmp(&other[1]));
        let found = states.ask(name, &[&at], &["line", "name", "value"]);
        prop_assert_eq!(found, expected, "{} at {}", name, moment);
    }
    Ok(())
}

fn lines(states: &States) -> Result<(), TestCaseError> {
    let mut locals: Vec<&Local> = states.locals.iter().collect();
    locals.sort_by_key(|l| (l.moment, l.step));
    let interval = Interval {
        from: Some("4".into()),
        to: Some("20".into()),
    };
    for class in ["a.One", "a.Two"] {
        for method in super::METHODS {
            let own = |l: &&&Local| l.class == class && l.method == method && l.name == "i";
            let row = |l: &&Local| vec![l.moment.to_string(), l.line.to_string(), l.value.clone()];
            let wanted = ["moment", "line", "value"];
            let expected: Vec<_> = locals.iter().filter(own).map(row).collect();
            let arguments = [class, method, "i"];
            let found = states.ask("local_variable_history", &arguments, &wanted);
            prop_assert_eq!(found, expected);
            let within = |l: &&&Local| (4..=20).contains(&l.moment);
            let expected: Vec<_> = locals.iter().filter(own).filter(within).map(row).collect();
            let name = "local_variable_history";
            let found = asked(&states.session, name, &arguments, &interval, &wanted);
            prop_assert_eq!(found, expected);
        }
    }
    let came: BTreeMap<_, _> = locals
        .iter()
        .map(|l| ((l.moment, l.step), l.line))
        .collect();
    for line in 10..18 {
        let times = came.values().filter(|of| **of == line).count();
        let arguments = ["A.java", &line.to_string()];
        let found = states.ask("statement_executed", &arguments, &["answer", "times"]);
        prop_assert_eq!(found, [[(times > 0).to_string(), times.to_string()]]);
    }
    if states.folded.threads.contains_key(&0) {
        let expected: Vec<_> = came.values().map(|line| vec![line.to_string()]).collect();
        let found = states.ask("lines_of_thread", &["main"], &["line"]);
        prop_assert_eq!(found, expected);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(3))]

    #[test]
    fn states_are_as_a_fold_of_their_rows(steps in steps(), done in done()) {
        let states = States::new(&steps, &done);
        fields(&states)?;
        lines(&states)?;
        let last = states.folded.moments.len() as i64;
        for moment in [1, last / 2, last] {
            objects(&states, moment)?;
            variables(&states, moment)?;
        }
    }

    /// What a structure held: contents, and elements written.
    #[test]
    fn structures_are_reported_by_both_tables(done in done()) {
        let states = States::new(&[], &[]);
        let is_content = |done: &&Done| done.one.is_multiple_of(2);
        let event = |done: &Done| vec![
            ("moment", Cell::from(done.moment)),
            ("kind", if done.other.is_multiple_of(2) { "Content" } else { "Exit" }.into()),
            ("object", done.value.into()),
            ("value", done.step.to_string().into()),
        ];
        let access = |done: &Done| vec![
            ("moment", Cell::from(done.moment)),
            ("kind", if done.other.is_multiple_of(2) { "write" } else { "read" }.into()),
            ("field", if done.other < 6 { Cell::Null } else { "x".into() }),
            ("object", done.value.into()),
            ("element", done.step.into()),
            ("value", done.step.to_string().into()),
        ];
        let events: Vec<_> = done.iter().filter(is_content).map(event).collect();
        let accesses: Vec<_> = done.iter().filter(|d| !is_content(d)).map(access).collect();
        states.session.replace(Table::Events, &rows(Table::Events, &events)).unwrap();
        states.session.replace(Table::Accesses, &rows(Table::Accesses, &accesses)).unwrap();
        let reported = done.iter().filter(|d| d.value == 1 && d.other.is_multiple_of(2));
        let reported = reported.filter(|d| is_content(d) || d.other < 6);
        let mut expected: Vec<_> = reported.map(|d| {
            let element = if is_content(&d) { "NULL".to_owned() } else { d.step.to_string() };
            vec![d.moment.to_string(), element, d.step.to_string()]
        }).collect();
        let mut found = states.ask("structure_history", &["1"], &["moment", "element", "value"]);
        expected.sort();
        found.sort();
        prop_assert_eq!(found, expected);
    }
}

/// Each of them can be computed, also of several runs.
#[test]
fn all_named_queries_have_answers() {
    let states = States::new(&[], &[]);
    for named in all() {
        let argument = |kind: Kind| match kind {
            Kind::Moment => "2",
            Kind::Class => "a.One",
            Kind::Object | Kind::Number => "1",
            Kind::Text => "x",
        };
        let arguments = named.parameters.iter().map(|p| argument(p.kind).to_owned());
        let arguments: Vec<String> = arguments.collect();
        let answer = named.ask(&states.session, &arguments, &Interval::default());
        let answer = answer.unwrap_or_else(|e| panic!("{}: {e}", named.name));
        assert!(!answer.columns().is_empty(), "{}", named.name);
    }
}
