//! Tests that one would keep: levels that are run for real, and what makes them plain Java.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use jinsi_jdk::{Jdk, maven};
use serde_json::Value;
use tempfile::tempdir;

use super::support::{
    compile_programs, has, in_turn, is_plain, jdks, jinsi, json, one_line, programs, record,
    record_in, run, stderr, stdout, succeed, tried_jdks,
};

/// Details of recordings that are enough for all levels.
const DETAILS: [&str; 2] = ["interactions", "boundary"];
/// What the invoices' program needs.
const INVOICES: [&str; 4] = [
    "com.h2database:h2:2.2.224",
    "com.fasterxml.jackson.core:jackson-databind:2.17.2",
    "com.fasterxml.jackson.core:jackson-core:2.17.2",
    "com.fasterxml.jackson.core:jackson-annotations:2.17.2",
];

/// The report of all levels, below `out`.
fn minimized(trace: &Path, out: &Path) -> Value {
    let output = run(jinsi()
        .args(["--json", "minimize", "--levels", "--out"])
        .arg(out)
        .arg(trace));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    json(&output)
}

/// The statements of a level's test, without its remarks.
fn statements(level: &Value, out: &Path) -> Vec<String> {
    let file = level["test_file"].as_str().unwrap_or_default();
    let source = fs::read_to_string(out.join(file)).unwrap_or_default();
    let (_, test) = source.split_once("@Test").unwrap_or_default();
    let (mut statements, mut begun) = (Vec::new(), String::new());
    for line in test.lines().map(str::trim) {
        match line {
            line if line.starts_with("//") => {}
            line if line.ends_with(['{', '}']) => begun.clear(),
            line => begun += &format!(" {line}"),
        }
        if begun.ends_with(';') {
            statements.push(begun.trim_start().to_owned());
            begun.clear();
        }
    }
    statements
}

/// Each JDK, and each detail that is enough for all levels: in pairs, not each with each, for each is a run of some seconds.
fn recordings() -> Vec<(Jdk, &'static str)> {
    let jdks = jdks();
    let pairs = jdks.len().max(DETAILS.len());
    let details = DETAILS.into_iter().cycle();
    in_turn(jdks.into_iter().cycle().zip(details).take(pairs).collect())
}

/// The exception of a pool's thread, wrapped twice on its way out of `main`, is the failure; arguments are made as the program made them.
#[test]
#[ignore = "long: several reports"]
fn the_root_cause_has_tests_in_plain_java() {
    for (jdk, detail) in recordings() {
        let directory = tempdir().unwrap();
        let trace = record_in(&jdk, directory.path(), "jobs.Main", ("jobs.*", detail));
        let out = directory.path().join("report");
        let report = minimized(&trace, &out);
        assert_eq!(
            report["failure"]["type"], "java.lang.NumberFormatException",
            "{report:#}"
        );
        let levels = report["levels"].as_array().unwrap();
        levels[..2].iter().for_each(is_plain);
        assert_eq!(
            statements(&levels[0], &out),
            ["new Parser().number(\"x\");"]
        );
        assert_eq!(
            statements(&levels[1], &out),
            ["new Importer(new Registry()).load(\"row-17;x\");"]
        );
        // What the parser is given, the importer had made: the defect might be there.
        assert_eq!(report["keep"], levels[1]["test_file"]);
    }
}

/// A failure that was wrapped has levels beyond the wrapper. Its parser is reached by a reader that was given an object of a class which was not
/// recorded, and that looks for where its own class is from; and a failed cast tells of loaders.
#[test]
#[ignore = "long: all levels"]
fn wrappers_are_further_levels_with_objects_that_were_not_recorded() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let observe = "wrapped.Main:wrapped.Reader:wrapped.Parser*";
        let trace = record(&jdk, directory.path(), "wrapped.Main", observe);
        let out = directory.path().join("report");
        let report = minimized(&trace, &out);
        assert_eq!(report["failure"]["type"], "java.lang.ClassCastException");
        let levels = report["levels"].as_array().unwrap();
        assert_eq!(levels.len(), 3, "{report:#}");
        levels.iter().for_each(is_plain);
        let reader = statements(&levels[1], &out);
        assert!(
            reader.iter().any(|s| s.contains("new Options(\";\")")),
            "{reader:?}"
        );
        assert_eq!(report["keep"], levels[1]["test_file"]);
        // Who keeps a level below it is informed that the defect may be above.
        let claims = |level: &Value| {
            let file = out.join(level["test_file"].as_str().unwrap());
            one_line(&fs::read_to_string(file).unwrap()).contains("unless that is in the code")
        };
        assert!(claims(&levels[0]) && !claims(&levels[1]));
    }
}

/// Records, streams and lambdas: what the service was given is made as the program made it.
#[test]
fn a_service_is_set_up_as_the_program_did() {
    for (jdk, detail) in recordings() {
        let directory = tempdir().unwrap();
        let trace = record_in(&jdk, directory.path(), "shop.Main", ("shop.*", detail));
        let out = directory.path().join("report");
        let report = minimized(&trace, &out);
        let levels = report["levels"].as_array().unwrap();
        assert_eq!(levels.len(), 3, "{report:#}");
        levels.iter().for_each(is_plain);
        assert_eq!(report["keep"], levels[1]["test_file"]);
        assert_eq!(
            statements(&levels[1], &out),
            [
                "Catalog catalog = new Catalog();",
                "catalog.add(new Product(\"C3\", \"Gift card\", new BigDecimal(\"50.00\"), null));",
                "Customers customers = new Customers();",
                "customers.register(\"bob\", \"Bob\", LocalDate.parse(\"2024-01-31\"));",
                "var map = Map.of(Category.FOOD, new BigDecimal(\"0.07\"), Category.KITCHEN, new BigDecimal(\"0.19\"));",
                "OrderService service = new OrderService(catalog, customers, new TaxTable(map));",
                "service.place(\"bob\", List.of(new Line(\"C3\", 1)));",
                "service.report(YearMonth.parse(\"2026-11\"));",
            ]
        );
    }
}

/// A dynamic proxy and an annotation are got as the program got them, and named by what they are good for.
#[test]
fn proxies_and_annotations_are_got_as_the_program_did() {
    let directory = tempdir().unwrap();
    let jdk = jdks().remove(0);
    let observed = ("proxied.*", "interactions");
    let trace = record_in(&jdk, directory.path(), "proxied.Main", observed);
    let out = directory.path().join("report");
    let report = minimized(&trace, &out);
    let level = &report["levels"][0];
    is_plain(level);
    assert_eq!(
        statements(level, &out),
        [
            "ClassLoader loader = Main.Rate.class.getClassLoader();",
            "Main.Rate rate = (Main.Rate) Proxy.newProxyInstance(loader, new Class[] {Main.Rate.class}, (object, method, objects) -> ((String) objects[0]).length() - 3);",
            "Main.Limit limit = (Main.Limit) Main.Desk.class.getAnnotation(Main.Limit.class);",
            "new Main.Desk(rate, limit).total(\"EURO\", 7);",
        ]
    );
}

/// Each of several failures has its own tests.
/// The trace of a till at which two coupons in three fail, each in its own way, in this directory.
fn recorded_till(jdk: &Jdk, directory: &Path, detail: &str) -> PathBuf {
    let trace = directory.join("t.jinsi");
    let recorded = run(jinsi()
        .args(["record", "--observe", "till.*", "--detail", detail])
        .args(["--fail", "java.lang.RuntimeException", "-o"])
        .arg(&trace)
        .arg("--")
        .arg(jdk.java())
        .arg("-cp")
        .arg(programs())
        .arg("till.Main"));
    assert!(recorded.status.success(), "{}", stderr(&recorded));
    trace
}

fn minimized_till(trace: &Path, options: &[&str]) -> Output {
    run(jinsi()
        .args(["--json", "minimize", "--out"])
        .arg(trace.with_file_name("report"))
        .args(options)
        .arg(trace))
}

#[test]
#[ignore = "long: several reports"]
fn each_failure_of_a_recording_can_be_chosen() {
    let directory = tempdir().unwrap();
    let trace = recorded_till(&jdks()[0], directory.path(), "interactions");
    for (number, class, call) in [
        (
            "1",
            "java.lang.NullPointerException",
            r#"new Coupons().before("SPRING", 0L);"#,
        ),
        (
            "2",
            "java.lang.ArithmeticException",
            r#"new Coupons().before("ALL", 0L);"#,
        ),
    ] {
        let report = json(&minimized_till(&trace, &["--failure", number]));
        assert_eq!(report["failure"]["type"], class);
        assert_eq!(report["other_failures"], Value::Null);
        let level = &report["levels"][0];
        assert_eq!(level["test_outcome"], "reproduces", "{level:#}");
        let statements = statements(level, &directory.path().join("report"));
        assert_eq!(statements, [call]);
    }
    let none = minimized_till(&trace, &["--failure", "3"]);
    assert_eq!(none.status.code(), Some(1));
    assert!(stderr(&none).contains("there is no failure 3: the trace has 2"));
    let info = stdout(&run(jinsi().arg("info").arg(&trace)));
    has(&info, "failure 1  java.lang.NullPointerException");
}

#[test]
#[ignore = "long: several reports"]
fn a_failure_of_another_kind_is_minimized_into_a_directory_of_its_own() {
    let directory = tempdir().unwrap();
    let trace = recorded_till(&jdks()[0], directory.path(), "interactions");
    let report = json(&minimized_till(&trace, &[]));
    assert_eq!(report["failure"]["type"], "java.lang.ArithmeticException");
    let others = report["other_failures"].as_array().unwrap();
    let [other] = &others[..] else {
        panic!("{others:#?}");
    };
    assert_eq!(other["number"], 1);
    assert_eq!(other["type"], "java.lang.NullPointerException");
    let out = directory.path().join("report");
    let test = fs::read_to_string(out.join(other["keep"].as_str().unwrap())).unwrap();
    has(&test, r#"new Coupons().before("SPRING", 0L);"#);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains(r#"<a href="failure-1/report.html">NullPointerException</a>"#));
    assert!(out.join("failure-1/report.html").exists());
}

/// What `jinsi debug` makes of the invoices' program, all of whose libraries are observed; below `out`.
fn debugged_invoices(jdk: &Jdk, options: &[&str], arguments: &[&str], out: &Path) -> Value {
    let jars = maven::fetch(&INVOICES).expect("libraries from Maven Central");
    let classes = compile_programs(&["invoices"], &jars);
    let path = [vec![classes.path().to_path_buf()], jars].concat();
    let output = run(jinsi()
        .args(["--json", "debug", "--out"])
        .arg(out)
        .args(options)
        .arg("--")
        .arg(jdk.java())
        .arg("-cp")
        .arg(std::env::join_paths(path).unwrap())
        .arg("invoices.Main")
        .args(arguments));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    json(&output)
}

/// Only the program's own classes, in this detail.
fn observing(detail: &str) -> &'static [&'static str] {
    match detail {
        "boundary" => &["--observe", "invoices.*", "--detail", "boundary"],
        _ => &["--observe", "invoices.*"],
    }
}

/// The JDK makes the connection, by a driver that it looks for on behalf of who asks. Libraries may be recorded, too.
#[test]
#[ignore = "long: a database at all levels"]
fn a_database_is_asked_for_real() {
    let all: (Jdk, &[&str]) = (jdks().remove(0), &[]);
    let few = recordings()
        .into_iter()
        .map(|(jdk, detail)| (jdk, observing(detail)));
    for (jdk, options) in few.chain([all]) {
        let out = tempdir().unwrap();
        let report = debugged_invoices(&jdk, options, &[], out.path());
        let levels = report["levels"].as_array().unwrap();
        assert_eq!(levels.len(), 2, "{report:#}");
        levels.iter().for_each(is_plain);
        assert_eq!(
            statements(&levels[0], out.path()),
            [
                "Store store = new Store(DriverManager.getConnection(\"jdbc:h2:mem:invoices\"));",
                "store.init();",
                "new Invoices(store).total(\"bob\");"
            ]
        );
    }
}

/// A handler catches what fails, so it drives the level; and the body of the request stays one, for another exception on that line is
/// another failure. At the boundary nothing of that is seen but that it failed.
#[test]
#[ignore = "long: a server with a database"]
fn a_request_that_failed_is_its_handlers_call() {
    let all: (Jdk, &[&str]) = (jdks().remove(0), &["--detail", "boundary"]);
    let few = recordings()
        .into_iter()
        .map(|(jdk, detail)| (jdk, observing(detail)));
    for (jdk, observe) in few.chain([all]) {
        let out = tempdir().unwrap();
        let options = [observe, &["--fail", "java.lang.RuntimeException"]].concat();
        let report = debugged_invoices(&jdk, &options, &["web"], out.path());
        let level = &report["levels"][0];
        is_plain(level);
        let statements = statements(level, out.path());
        let call = statements.last().unwrap();
        let whole = call.contains(".handle(\"{\\\"items\\\":[{")
            && call.ends_with("}]}\".getBytes(StandardCharsets.UTF_8));");
        assert!(whole, "{statements:?}");
    }
}

/// The trace of a till in which two coupons in three fail is at the boundary, and what fails is caught inside.
#[test]
#[ignore = "long: several recordings"]
fn what_is_caught_inside_is_a_failure_at_the_boundary() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = recorded_till(&jdk, directory.path(), "boundary");
        let report = json(&minimized_till(&trace, &[]));
        assert_eq!(report["failure"]["type"], "java.lang.ArithmeticException");
        let other = &report["other_failures"][0];
        assert_eq!(other["type"], "java.lang.NullPointerException");
        let out = directory.path().join("report");
        let level = &report["levels"][0];
        let call = r#"new Coupons().before("ALL", 0L);"#;
        assert_eq!(statements(level, &out), [call]);
    }
}

/// Where nothing shuts the JVM in, nothing is run for real.
#[test]
fn nothing_runs_for_real_unconfined() {
    let directory = tempdir().unwrap();
    let trace = record(&jdks()[0], directory.path(), "xmltree.Main", "xmltree.*");
    let out = directory.path().join("report");
    let output = run(jinsi()
        .args(["--json", "minimize", "--unconfined", "--out"])
        .arg(&out)
        .arg(&trace));
    let report = json(&output);
    let levels = report["levels"].as_array().unwrap();
    assert!(!levels.is_empty());
    assert!(levels.iter().all(|l| l["engine"] == "replay"), "{report:#}");
}

/// The wrapped program's levels once its class path is gone, by `jinsi debug` with these further options; and what `jinsi info` says of its trace.
fn without_libraries(jdk: &Jdk, options: &[&str]) -> (Value, String) {
    let classes = compile_programs(&["wrapped"], &[]);
    let directory = tempdir().unwrap();
    let out = directory.path().join("there");
    let observe = "wrapped.Main:wrapped.Reader:wrapped.Parser*";
    let output = run(jinsi()
        .args(["debug", "--observe", observe, "--out"])
        .arg(&out)
        .args(options)
        .arg("--")
        .arg(jdk.java())
        .arg("-cp")
        .arg(classes.path())
        .arg("wrapped.Main"));
    assert!(output.status.success(), "{}", stderr(&output));
    classes.close().unwrap();
    let trace = out.join("trace.jinsi");
    let info = stdout(&run(jinsi().arg("info").arg(&trace)));
    // A trace that is mailed has them, too.
    let packed = directory.path().join("packed.jinsi");
    succeed(jinsi().arg("pack").arg(&trace).arg("--out").arg(&packed));
    (minimized(&packed, &directory.path().join("here")), info)
}

/// Classes that are not observed come out of the trace where the program's class path is not.
#[test]
#[ignore = "long: several recordings"]
fn a_trace_has_the_classes_of_libraries() {
    for jdk in tried_jdks() {
        let (report, info) = without_libraries(&jdk, &[]);
        let levels = report["levels"].as_array().unwrap();
        assert_eq!(levels.len(), 3, "{report:#}");
        levels.iter().for_each(is_plain);
        let kept = info.lines().find(|l| l.starts_with("libraries ")).unwrap();
        assert!(kept.contains(" 0 left out"), "{kept}");
    }
}

/// Without them, what needs them is replayed, and the trace says that it has none.
#[test]
#[ignore = "long: all levels without the libraries"]
fn a_trace_without_classes_of_libraries_is_replayed() {
    let (report, info) = without_libraries(&jdks()[0], &["--keep-classes", "0"]);
    let levels = report["levels"].as_array().unwrap();
    assert!(levels.iter().any(|l| l["engine"] == "replay"), "{report:#}");
    assert!(!info.contains("libraries "), "{info}");
}

/// What the program's JVM let it look into, the JVM of the test has to.
#[test]
fn options_about_modules_are_given_again() {
    const OPENS: &str = "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED";
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = directory.path().join("t.jinsi");
        let output = run(jinsi()
            .args(["record", "--observe", "opened.*", "-o"])
            .arg(&trace)
            .arg("--")
            .arg(jdk.java())
            .args(["--add-opens", OPENS.split_once('=').unwrap().1, "-cp"])
            .arg(programs())
            .arg("opened.Main"));
        assert!(output.status.success(), "{}", stderr(&output));
        let out = directory.path().join("report");
        let report = minimized(&trace, &out);
        assert_eq!(report["failure"]["message"], "made for 1", "{report:#}");
        for level in report["levels"].as_array().unwrap() {
            assert_eq!(level["engine"], "direct", "{level:#}");
            assert_eq!(level["test_form"], "plain", "{level:#}");
            assert_eq!(level["test_outcome"], "reproduces", "{level:#}");
            let file = out.join(level["test_file"].as_str().unwrap());
            let source = fs::read_to_string(file).unwrap();
            assert!(source.contains(&format!("     * {OPENS}\n")), "{source}");
        }
    }
}
