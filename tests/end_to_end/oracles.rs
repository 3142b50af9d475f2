//! Failures that are no exception: what the user names, and the chain back to where the state first went wrong.

use std::path::Path;
use std::process::Output;

use jinsi_jdk::junit::{self, JunitResult};
use jinsi_jdk::{compile, maven};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use super::support::{has, jdks, jinsi, json, one_line, run, stderr};

/// Compiles the sources of a directory, with a library beside them, and has `jinsi debug` look for what `options` name.
fn debug(sources: &str, main: &str, library: &str, options: &[&str]) -> (TempDir, Output) {
    let jdk = &jdks()[0];
    let directory = tempdir().unwrap();
    let jars = maven::fetch(&[library]).expect("a library from Maven Central");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join(sources);
    let files: Vec<_> = std::fs::read_dir(sources)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "java"))
        .collect();
    let classes = directory.path().join("classes");
    compile::javac(jdk, &files, &jars, &classes).unwrap();
    let class_path = std::env::join_paths([&classes].into_iter().chain(&jars)).unwrap();
    let output = run(jinsi()
        .args([
            "--json",
            "debug",
            "--observe",
            "*",
            "--exclude",
            "java*:jdk*:sun*",
        ])
        .args(options)
        .arg("--out")
        .arg(directory.path().join("report"))
        .arg("--")
        .arg(jdk.java())
        .arg("-cp")
        .arg(class_path)
        .arg(main));
    (directory, output)
}

/// The trace of a run of [`debug`] once more, for another failure.
fn minimize(directory: &TempDir, options: &[&str]) -> Output {
    run(jinsi()
        .args(["--json", "minimize"])
        .arg(directory.path().join("report/trace.jinsi"))
        .args(options)
        .arg("--out")
        .arg(directory.path().join("again")))
}

/// The test of a level in this directory, which must have been run and have failed as recorded.
fn test_of(report: &Path, level: &Value) -> String {
    assert_eq!(level["test_outcome"], "reproduces", "{level}");
    let file = level["test_file"].as_str().unwrap();
    std::fs::read_to_string(report.join(file)).unwrap()
}

fn texts<'r>(chain: &'r Value, key: &str) -> Vec<&'r str> {
    let links = chain.as_array().unwrap();
    links
        .iter()
        .map(|l| l[key].as_str().unwrap_or(""))
        .collect()
}

/// NAN-6 (Burger 2011, Table 9.2): from the output by way of the element's content to the entity that is escaped twice. Which field and which object
/// it is, nobody has said.
#[test]
#[ignore = "long: several levels and links"]
fn a_wrong_output_is_followed_back_to_the_resolver() {
    let nanoxml = "be.cyberelf.nanoxml:nanoxml:2.2.3";
    let options = ["--output-contains", "#38;"];
    let (directory, output) = debug("tests/programs/nan6", "nan6.Nan6", nanoxml, &options);
    let report = json(&output);
    assert_eq!(report["failure"]["kind"], "output", "{}", stderr(&output));
    assert_eq!(report["failure"]["at"], "PrintWriter.print");
    let chain = &report["chain"];
    let predicates = texts(chain, "predicate");
    assert_eq!(
        predicates[..2],
        ["\"#38;\" was written", "field content contains \"#38;\""]
    );
    assert_eq!(
        predicates.last(),
        Some(&"entry \"amp\" of field entities is \"&#38;#38;\"")
    );
    let classes = texts(chain, "class");
    assert_eq!(classes[1], "net.n3.nanoxml.XMLElement");
    assert_eq!(classes.last(), Some(&"nan6.Entities"));
    let by = texts(chain, "by");
    assert!(by.last().unwrap().contains("addInternalEntity"), "{by:?}");
    // Each link has its own test, and so has the output.
    let last = &chain.as_array().unwrap().last().unwrap()["level"];
    assert_eq!(last["minimized"], 2);
    // The library has no line numbers; what is left to look at has, and is less than the 75 lines of Burger 2011.
    assert_eq!(chain[1]["level"]["lines_executed"], Value::Null);
    assert!(last["lines_executed"].as_u64().unwrap() < 75, "{last}");
    let tests = [&report["levels"][0], &chain[1]["level"], last];
    let report = directory.path().join("report");
    let [of_output, of_element, test] = tests.map(|level| test_of(&report, level));
    has(&of_output, "string.contains(\"#38;\")");
    assert!(of_element.contains(".contains(\"#38;\")"), "{of_element}");
    assert!(
        one_line(&test).contains("assertNotEquals(\"&#38;#38;\", String.valueOf(((Map<?, ?>) field.get(entities)).get(\"amp\")));"),
        "{test}"
    );
    let page = std::fs::read_to_string(report.join("report.html")).unwrap();
    assert!(page.contains("<svg class=\"chain\"") && page.contains("EntitiesLink3Test"));
}

/// An endless loop is stopped, minimized, and asserted to end.
#[test]
#[ignore = "long: each run that hangs has to be waited for"]
fn a_hang_is_minimized_as_such() {
    let lang = "commons-lang:commons-lang:2.3";
    let options = ["--time-limit", "3"];
    let (directory, output) = debug("tests/corpus/lang380", "lang380.Lang380", lang, &options);
    let report = json(&output);
    assert_eq!(report["failure"]["kind"], "hang", "{}", stderr(&output));
    let level = &report["levels"][0];
    assert_eq!(level["minimized"], 2);
    let test = test_of(&directory.path().join("report"), level);
    has(
        &test,
        "assertTimeoutPreemptively(Duration.ofSeconds(2), () -> fraction.reduce());",
    );
    let report = json(&minimize(&directory, &["--hang", "--junit", "4"]));
    let test = test_of(&directory.path().join("again"), &report["levels"][0]);
    assert!(test.contains("@Test(timeout = 2000)"), "{test}");
}

/// An object of recorded code has no literal. The test had it from the program, and so has the written one.
#[test]
fn an_object_is_asserted_as_the_test_had_it() {
    let junit = "junit:junit:4.13.2";
    let (directory, output) = debug("tests/programs/purse", "purse.Main", junit, &[]);
    let report = json(&output);
    assert_eq!(report["failure"]["expected"], "5 EUR", "{report:#}");
    let level = &report["levels"][0];
    assert_eq!(level["test_form"], "plain", "{level:#}");
    let test = test_of(&directory.path().join("report"), level);
    let assertion =
        "assertEquals(new Money(2, \"EUR\").plus(new Money(3, \"EUR\")), purse.total());";
    assert!(one_line(&test).contains(assertion), "{test}");
}

/// Stubs of static methods would stay behind in what Joda-Time keeps of their answers, and the tests behind would fail otherwise.
#[test]
#[ignore = "long: all levels of a real crash"]
fn written_tests_do_not_disturb_each_other() {
    let joda = "joda-time:joda-time:2.1";
    let (directory, output) = debug("tests/corpus/joda79", "joda79.Joda79", joda, &[]);
    let report = json(&output);
    let levels = report["levels"].as_array().unwrap();
    let files: Vec<_> = levels
        .iter()
        .filter(|l| l["test_form"] == "plain" || l["test_form"] == "mockito")
        .map(|l| l["test_file"].as_str().unwrap())
        .collect();
    assert!(files.len() >= 2, "{report:#}");
    let jdk = &jdks()[0];
    let mut class_path = maven::fetch(&[joda, maven::JUNIT]).unwrap();
    class_path.extend(maven::fetch(&maven::MOCKITO).unwrap());
    class_path.push(directory.path().join("classes"));
    let sources: Vec<_> = files
        .iter()
        .map(|file| directory.path().join("report").join(file))
        .collect();
    let compiled = directory.path().join("tests");
    compile::javac(jdk, &sources, &class_path, &compiled).unwrap();
    class_path.push(compiled);
    let names: Vec<String> = files
        .iter()
        .map(|file| file["tests/".len()..file.len() - ".java".len()].replace('/', "."))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let outcomes = junit::run(jdk, &class_path, &names, &[]).unwrap();
    assert_eq!(outcomes.len(), names.len());
    for outcome in outcomes {
        let JunitResult::Failed(failure) = &outcome.result else {
            panic!("{outcome:?}");
        };
        let wanted = "java.lang.UnsupportedOperationException";
        assert_eq!(failure.exception, wanted, "{}", outcome.class);
    }
}

/// `--wrong` names a call and what it should have returned.
#[test]
#[ignore = "long: several reports"]
fn a_value_that_is_named_is_minimized() {
    let codec = "commons-codec:commons-codec:1.10";
    let options = ["--wrong", "Sounds.code#2=>\"Y330\""];
    let (directory, output) = debug("tests/programs/sounds", "sounds.Main", codec, &options);
    let report = json(&output);
    assert_eq!(report["failure"]["kind"], "value", "{}", stderr(&output));
    assert_eq!(report["failure"]["expected"], "Y330");
    let level = &report["levels"][0];
    // The coding of another name stays, too: the receiver counts them, and is to be as it was.
    assert_eq!(level["minimized"], 3);
    // The nearest line is the one that returns the value, not that on which the method begins.
    let nearest = &level["slice_lines"][0];
    assert_eq!(
        (&nearest["line"], &nearest["distance"]),
        (&Value::from(15), &Value::from(0)),
        "{level:#}"
    );
    assert!(level["lines_in_slice"].as_u64() > Some(1), "{level:#}");
    let test = test_of(&directory.path().join("report"), level);
    has(&test, "assertEquals(\"Y330\", sounds.code(\"yhwdyt\"));");

    // The same call by its event, as `jinsi events` has it.
    let trace = directory.path().join("report/trace.jinsi");
    let events = json(&run(jinsi().args(["--json", "events"]).arg(&trace)));
    let events = events.as_array().unwrap().iter();
    let mut calls = events.filter(|e| {
        let text = e["text"].as_str().unwrap();
        text.contains("Sounds.code(") && text.contains("yhwdyt")
    });
    let event = calls.next().expect("the call");
    let event = format!("{}:{}=>Y330", event["thread"], event["index"]);
    let again = json(&minimize(&directory, &["--wrong", &event]));
    assert_eq!(again["failure"], report["failure"]);

    // A field.
    let report = json(&minimize(&directory, &["--wrong", "Sounds.last=>R160"]));
    let test = test_of(&directory.path().join("again"), &report["levels"][0]);
    has(&test, "assertEquals(\"R160\", sounds.last);");

    let output = minimize(&directory, &["--wrong", "Sounds.code#9"]);
    assert_eq!(output.status.code(), Some(1));
    has(&stderr(&output), "no recorded call or output matches");
}

/// What a recorded program wrote, to standard output, to standard error and to a file.
#[test]
#[ignore = "long: a report for each way to write"]
fn wrong_outputs_are_asserted_not_to_be_written() {
    let codec = "commons-codec:commons-codec:1.10";
    let options = ["--output-matches", "yhwdyt Y3[0-9]0"];
    let (directory, output) = debug("tests/programs/sounds", "sounds.Main", codec, &options);
    let report = json(&output);
    assert_eq!(report["failure"]["kind"], "output", "{}", stderr(&output));
    let level = &report["levels"][0];
    assert_eq!(
        (&level["strict_replay"], &level["minimized"]),
        (&Value::from("reproduced"), &Value::from(1))
    );
    let test = test_of(&directory.path().join("report"), level);
    let asserted = "Pattern.compile(\"yhwdyt Y3[0-9]0\").matcher(string).find()";
    assert!(test.contains(asserted), "{test}");

    let expected = directory.path().join("expected.txt");
    std::fs::write(&expected, "Robert R163\nyhwdyt Y330\nRupert R163\n").unwrap();
    let options = ["--output-differs", expected.to_str().unwrap()];
    let report = json(&minimize(&directory, &options));
    assert_eq!(report["failure"]["message"], "\"yhwdyt Y300\" was written");
    let compared = (&report["failure"]["expected"], &report["failure"]["actual"]);
    let lines = (&Value::from("yhwdyt Y330"), &Value::from("yhwdyt Y300"));
    assert_eq!(compared, lines);
    let test = test_of(&directory.path().join("again"), &report["levels"][0]);
    let asserted = "assertEquals(string.replace(\"yhwdyt Y300\", \"yhwdyt Y330\"), string);";
    assert!(test.contains(asserted), "{test}");

    for (text, at) in [
        ("last: R163", "PrintStream.printf"),
        ("Y300;yhwdyt", "PrintWriter.println"),
        ("at last R163", "Files.writeString"),
    ] {
        let report = json(&minimize(&directory, &["--output-contains", text]));
        assert_eq!(report["failure"]["at"], at);
        let test = test_of(&directory.path().join("again"), &report["levels"][0]);
        // The program ends in the call.
        has(&test, "JinsiReplay.exitStatus(() -> Main.main(");
        assert!(test.contains(&format!("contains(\"{text}\")")), "{test}");
    }
}

/// With which status a recorded program ended, and in which state it left its objects.
#[test]
#[ignore = "long: several reports"]
fn exit_status_and_predicates_of_the_users_are_asserted() {
    let codec = "commons-codec:commons-codec:1.10";
    let options = ["--exit-status", "3"];
    let (directory, output) = debug("tests/programs/sounds", "sounds.Main", codec, &options);
    let report = json(&output);
    assert_eq!(report["failure"]["kind"], "exit", "{}", stderr(&output));
    let level = &report["levels"][0];
    assert_eq!(
        (&level["minimized"], &level["strict_replay"]),
        (&Value::from(1), &Value::from("reproduced"))
    );
    let test = test_of(&directory.path().join("report"), level);
    let asserted = "assertEquals(0, JinsiReplay.exitStatus(() -> Main.main(";
    assert!(test.contains(asserted), "{test}");

    let output = minimize(&directory, &["--predicate", "sounds.Absent"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let classes = directory.path().join("classes");
    let predicate = format!("sounds.Busy@{}", classes.display());
    let report = json(&minimize(&directory, &["--predicate", &predicate]));
    assert_eq!(report["failure"]["kind"], "predicate");
    let levels = report["levels"].as_array().unwrap();
    // An object, and two of the three names.
    assert_eq!(levels[0]["minimized"], 3);
    let test = test_of(&directory.path().join("again"), &levels[0]);
    assert!(
        test.contains("assertFalse(new Busy().test(sounds));")
            && one_line(&test)
                .contains("The predicate {@code sounds.Busy} has to be on its class path."),
        "{test}"
    );
    // At the outermost level the object is in a static field: it has no name in the test.
    let test = test_of(&directory.path().join("again"), levels.last().unwrap());
    let asserted = "assertFalse(JinsiReplay.holdsOfAny(\"sounds.Busy\"));";
    assert!(test.contains(asserted), "{test}");
}

/// A chain ends where no run that passes has another state. If that is because something was not done, it goes on with the decision.
#[test]
fn a_chain_goes_on_where_something_was_left_undone() {
    let (_directory, output) = debug(
        "tests/programs/traded",
        "traded.Main",
        "junit:junit:4.13.2",
        &[],
    );
    let report = json(&output);
    assert_eq!(
        texts(&report["chain"], "predicate")[1],
        "entry \"USD\" of static field CENTS is 0",
        "{report}"
    );
    let undone = &report["chain_undone"];
    assert_eq!(
        (&undone["class"], &undone["line"]),
        (&"traded.Tariff".into(), &15.into())
    );
    let sentences = texts(&report["explanation"]["sentences"], "text");
    let division = "`… / of(…)` failed in traded.Bill.in:12: `of(…)` was 0";
    assert!(sentences[0].starts_with(division), "{sentences:?}");
    let state = "Before that, `Tariff`: entry \"USD\" of static field CENTS is 0";
    assert!(sentences[1].starts_with(state), "{sentences:?}");
    assert_eq!(sentences[2], undone["text"]);
}

/// A crash whose cause is in a static field of a class that is not on the stack.
#[test]
fn a_crash_is_followed_back_to_a_static_field() {
    let (directory, output) = debug(
        "tests/programs/tariff",
        "tariff.Main",
        "junit:junit:4.13.2",
        &[],
    );
    let report = json(&output);
    assert_eq!(
        report["failure"]["kind"],
        "exception",
        "{}",
        stderr(&output)
    );
    let chain = &report["chain"];
    assert_eq!(
        (texts(chain, "predicate")[1], texts(chain, "object")[1]),
        ("entry \"USD\" of static field CENTS is 0", "Tariff"),
        "{report}"
    );
    assert!(
        texts(chain, "by")[1].contains("read(\"USD=0.92\")"),
        "{chain}"
    );
    let test = test_of(&directory.path().join("report"), &chain[1]["level"]);
    let asserted =
        "assertNotEquals(\"0\", String.valueOf(((Map<?, ?>) field.get(null)).get(\"USD\")));";
    assert!(test.contains(asserted), "{test}");
}
