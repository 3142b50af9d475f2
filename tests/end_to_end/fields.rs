//! Accesses to fields of observed objects and classes from all sides: instructions, reflection, handles (Burger 2011, Section 8.4).

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use jinsi_history::describe::Describer;
use jinsi_history::{History, Tables};
use jinsi_level::project::project;
use jinsi_level::{Interaction, Level, Operation, Outcome, Outgoing};
use jinsi_natural::Natural;
use jinsi_trace::model::{Event, EventKind, Payload, Value};
use jinsi_trace::reader::Trace;
use tempfile::tempdir;

use super::support::{beans, jinsi, json, minimize, record, record_from, run, stdout, tried_jdks};

const GAUGES: &str = "fields.Gauge:fields.Meter";

fn main_thread(trace: &Trace) -> Vec<Event> {
    let main = trace.threads().iter().find(|t| t.name == "main").unwrap();
    trace.events(main.no).map(Result::unwrap).collect()
}

/// The accesses by code that is not observed: where, which field, and what was read (`->`) or written (`<-`).
fn outside(trace: &Trace) -> Vec<String> {
    let describer = Describer::new(trace);
    let mut lines = Vec::new();
    for event in main_thread(trace) {
        let (Some(site), Payload::Operands(values)) = (trace.site_of(&event), &event.payload)
        else {
            continue;
        };
        if !site.outside {
            continue;
        }
        let by = &trace.class(site.class).unwrap().name;
        let arrow = match event.kind {
            EventKind::GetField | EventKind::GetStatic => "->",
            EventKind::PutField | EventKind::PutStatic => "<-",
            other => panic!("{other:?} by {by}"),
        };
        let value = match values.last().unwrap() {
            Value::Object(_) => "object".to_owned(),
            value => describer.value(value),
        };
        let simple = |name: &str| name.rsplit('/').next().unwrap().to_owned();
        let (by, owner) = (simple(by), simple(&site.target.owner));
        lines.push(format!(
            "{by}: {owner}.{} {arrow} {value}",
            site.target.name
        ));
    }
    lines
}

fn level(trace: &Trace, observed: &[&str]) -> Level {
    let main = trace.threads().iter().find(|t| t.name == "main").unwrap();
    let tables = Tables::new(
        trace.classes().iter().cloned(),
        trace.sites().iter().cloned(),
        trace.throwables().iter().cloned(),
        trace.failures().iter().cloned(),
    );
    let history = History::build(tables, main.no, main_thread(trace)).unwrap();
    assert_eq!(history.anomalies(), 0);
    let observed: BTreeSet<String> = observed.iter().map(ToString::to_string).collect();
    project(&history, &Natural::default(), &observed)
}

/// Method of a driven interaction, and what goes out of it.
fn summary(level: &Level, method: &str) -> Vec<Vec<String>> {
    let all = level.interactions.iter();
    all.filter(|i| i.member.name == method)
        .map(|i| i.outgoing.iter().map(outgoing).collect())
        .collect()
}

fn outgoing(o: &Outgoing) -> String {
    let back: Vec<String> = o.callbacks.iter().map(access).collect();
    let verb = match o.op {
        Operation::GetField => "read ",
        Operation::PutField => "write ",
        Operation::Construct => "new ",
        _ => "",
    };
    let name = format!("{}.{}", o.member.owner, o.member.name);
    format!("{verb}{name}{}", back.concat())
}

fn access(i: &Interaction) -> String {
    let read = matches!(i.outcome, Outcome::Return(Some(_)));
    format!(
        " [{} {}]",
        if read { "read" } else { "write" },
        i.member.name
    )
}

/// What `fields.Main` does to the fields of a gauge and a meter, in this order.
const BY_INSTRUCTIONS: &[&str] = &[
    "Main: Gauge.value <- 10",
    "Main: Meter.value <- 20",
    "Main: Gauge.made -> 0",
    "Main: Gauge.made <- 1",
    "Main: Gauge.limits <- object",
    "Gauge$Hand: Gauge.hidden -> 0",
    "Gauge$Hand: Gauge.hidden <- 5",
    "Main: Gauge.value -> 10",
    "Main: Meter.value -> 20",
];
const BY_REFLECTION: &[&str] = &[
    "Field: Gauge.value <- 30",
    "Field: Meter.value <- 40",
    "Field: Gauge.value -> 30",
    "Field: Meter.value -> 40",
    "Field: Gauge.ticks <- 4611686018427387905L",
    "Field: Gauge.ticks -> 4611686018427387905L",
    "Field: Gauge.made <- 50",
    "Field: Gauge.made -> 50",
    "Field: Gauge.value <- 60",
];
const BY_HANDLES: &[&str] = &[
    "VarHandle: Gauge.ticks <- 101L",
    "VarHandle: Gauge.ticks -> 101L",
    "VarHandle: Gauge.ticks <- 102L",
    "VarHandle: Gauge.ticks -> 102L",
    "VarHandle: Gauge.ticks <- 112L",
    "VarHandle: Gauge.ticks <- 132L",
    "VarHandle: Gauge.ticks -> 132L",
    "VarHandle: Gauge.ticks <- 133L",
    "VarHandle: Gauge.ticks -> 133L",
    "VarHandle: Gauge.ticks -> 133L",
    "VarHandle: Gauge.ticks <- 132L",
    "VarHandle: Gauge.state <- \"idle\"",
    "VarHandle: Gauge.state -> \"idle\"",
    "VarHandle: Gauge.state <- \"busy\"",
    "Main: Gauge.ticks -> 132L",
    "Main: Gauge.state -> \"busy\"",
];

#[test]
fn unobserved_code_accesses_fields_of_observed_objects() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let path = record(&jdk, directory.path(), "fields.Main", GAUGES);
        let trace = Trace::open(&path).unwrap();
        let expected = [BY_INSTRUCTIONS, BY_REFLECTION, BY_HANDLES].concat();
        assert_eq!(outside(&trace), expected, "{}", jdk.version());
    }
}

#[test]
fn accesses_by_unobserved_code_are_driven() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let path = record(&jdk, directory.path(), "fields.Main", GAUGES);
        let trace = Trace::open(&path).unwrap();
        let level = level(&trace, &["fields/Gauge", "fields/Meter"]);
        // The array came from outside: what it held is known.
        let limit = level.interactions.iter().find(|i| i.member.name == "limit");
        assert!(
            matches!(&limit.unwrap().outcome, Outcome::Return(Some(Value::Prim(p))) if p.to_word() == 7)
        );
        // Every access is driven, one by one; but the one by reflection that observed code asked for is inside its call.
        let driven = |name: &str| {
            let all = level.interactions.iter();
            all.filter(|i| i.member.name == name).count()
        };
        assert_eq!(driven("hidden"), 2);
        assert_eq!(driven("made"), 4);
        assert_eq!(
            summary(&level, "setBy"),
            [["java/lang/reflect/Field.set [write value]"]]
        );
    }
}

/// Listings 8.5 and 8.21: reads and writes of unobserved, of other observed objects, and of itself.
#[test]
fn observed_code_accesses_fields_of_others() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let path = record(&jdk, directory.path(), "fields.Listings", GAUGES);
        let trace = Trace::open(&path).unwrap();
        let level = level(&trace, &["fields/Gauge", "fields/Meter"]);
        // Between two observed objects, and with itself, nothing crosses.
        let none: [&str; 0] = [];
        let reads = summary(&level, "readField");
        assert_eq!(reads, [&["read fields/Unit.value"][..], &none, &none]);
        let writes = summary(&level, "writeField");
        assert_eq!(writes, [&["write fields/Unit.value"][..], &none, &none]);
        assert_eq!(
            summary(&level, "divide"),
            [[
                "read fields/Unit.rational",
                "fields/Unit$Rational.getNumerator",
                "read fields/Unit.rational",
                "fields/Unit$Rational.getDenominator",
                "new fields/Unit$Result.<init>",
            ]]
        );
    }
}

#[test]
fn reflective_objects_have_names() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let path = record(&jdk, directory.path(), "fields.Main", GAUGES);
        let rows = json(&run(jinsi().args(["events", "--json"]).arg(&path)));
        let texts: Vec<&str> = rows
            .as_array()
            .unwrap()
            .iter()
            .filter(|r| r["kind"] == "Content")
            .filter_map(|r| r["text"].as_str()?.split_once(" holds \""))
            .map(|(_, text)| text.trim_end_matches('"'))
            .collect();
        let expected = [
            "fields.Gauge.value:I",
            "fields.Gauge.state:Ljava/lang/Object;",
            "fields.Gauge.keep:(Ljava/lang/Object;)Ljava/lang/Object;",
            "fields.Gauge.<init>:(I)V",
            "fields.Gauge.state:Ljava/lang/Object;",
            "fields.Gauge.made:I",
            "fields.Gauge.sum:()I",
            "fields.Gauge.ticks:J",
        ];
        assert_eq!(texts, expected, "{}", jdk.version());
        // To the analysis they are no constants that could be made from a text.
        let level = level(
            &Trace::open(&path).unwrap(),
            &["fields/Gauge", "fields/Meter"],
        );
        let texts = level.objects.values().filter(|o| {
            o.class.starts_with("java/lang/") && matches!(o.role, jinsi_level::Role::Text(_))
        });
        assert_eq!(texts.count(), 0);
    }
}

/// A failure that only accesses to fields bring about: the needed ones stay, those by reflection among them.
#[test]
fn a_failure_caused_by_fields_is_minimized() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = record(&jdk, directory.path(), "fields.Crash", GAUGES);
        let report = minimize(&trace, GAUGES);
        let level = &report["levels"][0];
        assert_eq!(level["interactions"], 106, "{level:#}");
        assert_eq!(level["test_form"], "plain", "{level:#}");
        let left: Vec<&str> = level["kept"]
            .as_array()
            .unwrap()
            .iter()
            .map(|i| i["text"].as_str().unwrap())
            .collect();
        let [made, own, hidden, check] = left[..] else {
            panic!("{left:#?}")
        };
        assert!(made.starts_with("new Gauge(0) → Gauge#"), "{made}");
        assert!(
            own.starts_with("Gauge#") && own.ends_with(".value = 600"),
            "{own}"
        );
        assert!(hidden.starts_with("((Meter) Gauge#"), "{hidden}");
        assert!(hidden.ends_with(").value = 500"), "{hidden}");
        assert!(
            check.ends_with(".check() throws IllegalStateException"),
            "{check}"
        );
    }
}

/// Gson sets and reads the fields of a class of the program.
#[test]
fn a_library_sets_fields_by_reflection() {
    let class_path = beans();
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let path = record_from(
            &jdk,
            directory.path(),
            OsStr::new(&class_path),
            "beans.Main",
            "beans.Order",
        );
        let lines = outside(&Trace::open(&path).unwrap());
        let fields = [
            "customer <- \"Ada\"",
            "count <- 3",
            "number <- 12345678901L",
            "price <- 2.5",
            "urgent <- true",
            "rebate <- 1",
            "codes <- object",
            "notes <- object",
            "customer <- \"Bob\"",
            "codes <- object",
            "notes <- object",
            "previous <- object",
        ];
        let written: Vec<&str> = lines
            .iter()
            .filter_map(|l| l.strip_prefix("Field: Order."))
            .filter(|l| l.contains("<-"))
            .collect();
        assert_eq!(written, fields, "{}", jdk.version());
        let read = lines.iter().filter(|l| l.contains("->")).count();
        assert!(read >= 18, "both orders are written out: {lines:#?}");
    }
}

#[test]
fn programs_whose_fields_are_watched_do_not_notice() {
    let programs = super::support::programs().to_path_buf();
    let class_path = format!("{}:{}", programs.display(), beans());
    for jdk in tried_jdks() {
        for (main, observe) in [
            ("fields.Main", GAUGES),
            ("fields.Listings", GAUGES),
            ("beans.Main", "beans.Order"),
        ] {
            let directory = tempdir().unwrap();
            let arguments = ["-cp", &class_path, main];
            let plain = run(std::process::Command::new(jdk.java()).args(arguments));
            let agent = agent_option(directory.path(), observe);
            let recorded = run(std::process::Command::new(jdk.java())
                .arg(agent)
                .args(arguments));
            assert_eq!(
                stdout(&plain),
                stdout(&recorded),
                "{} {main}",
                jdk.version()
            );
            assert_eq!(plain.status.code(), recorded.status.code());
        }
    }
}

fn agent_option(directory: &Path, observe: &str) -> String {
    let (agent, out) = (super::support::agent(), directory.join("t.jinsi"));
    format!(
        "-agentpath:{}=observe={observe},out={}",
        agent.display(),
        out.display()
    )
}
