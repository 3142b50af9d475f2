use super::super::json::{
    Capture, Explanation, Failure, Link, Removed, Sentence, SliceLine, StackFrame, WallTime,
};
use super::*;

const TEST: &str = r#"package org.joda.time.tz;

import org.junit.jupiter.api.Test;

class DateTimeZoneBuilderLevel5Test {

    /**
     * Fails as recorded; passes as soon as this exception is not thrown.
     */
    @Test
    void toDateTimeZoneDoesNotThrowArithmeticException() {
        DateTimeZoneBuilder builder = new DateTimeZoneBuilder();
        builder.addRecurringSavings("PDT", 3600000, 1987, Integer.MAX_VALUE, 'w', 4, 1, 7, true, 7200000);
        builder.toDateTimeZone("America/Los_Angeles", false);
    }
}
"#;

fn kept(number: u64, text: &str, without: &str) -> Kept {
    Kept {
        call: (number == 1)
            .then(|| format!("org.joda.time.tz.DateTimeZoneBuilder.<init>()V@{number}")),
        number,
        text: text.into(),
        without: without.into(),
    }
}

fn level(level: u32, name: &str, counts: [u64; 3]) -> LevelReport {
    LevelReport {
        level,
        name: name.into(),
        observed: vec![name.into()],
        interactions: counts[0],
        after_event_slice: counts[1],
        minimized: counts[2],
        tests: 29,
        failing: 6,
        passing: 20,
        unresolved: 3,
        seconds: 0.25,
        strict_replay: "reproduced".into(),
        test_outcome: Some(TestOutcome::Reproduces),
        test_form: Some("plain".into()),
        test_file: Some(format!("tests/{}.java", simple(name))),
        ..LevelReport::default()
    }
}

/// The stack of JOD-3: what was called, and its level in the report.
const STACK: [(&str, Option<u32>); 8] = [
    (
        "org.joda.time.chrono.ZonedChronology$ZonedDurationField.getOffsetToAdd(ZonedChronology.java:348)",
        Some(1),
    ),
    (
        "org.joda.time.chrono.ZonedChronology$ZonedDurationField.getDifference(ZonedChronology.java:330)",
        Some(1),
    ),
    (
        "org.joda.time.chrono.BaseChronology.get(BaseChronology.java:260)",
        Some(2),
    ),
    (
        "org.joda.time.base.BasePeriod.<init>(BasePeriod.java:100)",
        Some(3),
    ),
    ("org.joda.time.Period.<init>(Period.java:439)", Some(3)),
    (
        "org.joda.time.tz.DateTimeZoneBuilder$PrecalculatedZone.create(DateTimeZoneBuilder.java:1432)",
        Some(4),
    ),
    (
        "org.joda.time.tz.DateTimeZoneBuilder.toDateTimeZone(DateTimeZoneBuilder.java:395)",
        Some(5),
    ),
    ("Jod3.main(Jod3.java:29)", None),
];

fn failure() -> Failure {
    let frame = |(text, level): (&str, Option<u32>)| StackFrame {
        text: text.into(),
        level,
    };
    Failure {
        kind: "exception".into(),
        class: "java.lang.ArithmeticException".into(),
        message: Some("Adding time zone offset caused overflow".into()),
        at: "ZonedChronology$ZonedDurationField.getOffsetToAdd(ZonedChronology.java:348)".into(),
        stack: STACK.map(frame).into(),
        ..Failure::default()
    }
}

/// A level that was widened, and whose final run needed re-synchronization.
fn widened_level() -> LevelReport {
    LevelReport {
        widened: true,
        resynchronized: true,
        lines_recorded: Some(1_234),
        lines_executed: Some(41),
        answers: Some(1),
        unresolved_by_reason: [("never_recorded", 2), ("receiver_missing", 1)]
            .map(|(reason, tests)| (reason.to_owned(), tests))
            .into(),
        notes: vec!["widened to 12 observed classes: 2 interactions left instead of 5".into()],
        ..level(3, "org.joda.time.Period", [14_629, 1_940, 2])
    }
}

/// A level that says which interactions are left, and which are not.
fn level_with_interactions() -> LevelReport {
    LevelReport {
        kept: vec![
            kept(
                1,
                "new DateTimeZoneBuilder() → DateTimeZoneBuilder#1",
                "receiver_missing",
            ),
            kept(
                22,
                "DateTimeZoneBuilder#1.addRecurringSavings(\"PDT\", 3600000, 1987, Integer.MAX_VALUE, 'w', …)",
                "passing",
            ),
            kept(
                23,
                "DateTimeZoneBuilder#1.toDateTimeZone(\"America/Los_Angeles\", false) throws ArithmeticException",
                "passing",
            ),
        ],
        removed: vec![Removed {
            number: 2,
            text: "DateTimeZoneBuilder#1.addCutover(Integer.MIN_VALUE, 'w', 1, 1, 0, false, 0)"
                .into(),
            by: "minimization".into(),
        }],
        ..level(5, "org.joda.time.tz.DateTimeZoneBuilder", [23, 23, 3])
    }
}

/// A level that could not be replayed, and so has no test.
fn lost_level() -> LevelReport {
    LevelReport {
        strict_replay: "no_alternative: interaction 1 asked System.out".into(),
        test_outcome: None,
        test_form: None,
        ..level(6, "Jod3", [1, 0, 0])
    }
}

fn explanation() -> Explanation {
    let sentence = |kind: &str, text: &str, line| Sentence {
        kind: kind.into(),
        text: text.into(),
        class: Some("org.joda.time.Chronology".into()),
        line,
    };
    Explanation {
        level: Some(3),
        sentences: vec![
            sentence(
                "failure",
                "`a.get(0)` failed in A.m:3: `a` was null.",
                Some(3),
            ),
            sentence(
                "turned",
                "With this turned once, the failure is gone.",
                None,
            ),
        ],
    }
}

fn sample() -> Report {
    Report {
        keep: Some("tests/DateTimeZoneBuilder.java".into()),
        keep_words: Some("plain Java: keep it".into()),
        keep_level: Some(5),
        keep_why_not: None,
        keep_why: Some("It needs nothing but JUnit. The alternative is longer.".into()),
        chain: Vec::new(),
        chain_end: None,
        chain_undone: None,
        explanation: Some(explanation()),
        suspects: Vec::new(),
        failure: failure(),
        capture: Capture {
            events: 484_745,
            bytes: 1_234_567,
            seconds: 1.5,
            classes_rewritten: 136,
            classes_skipped: vec![],
            ..Capture::default()
        },
        levels: vec![
            level(
                1,
                "org.joda.time.chrono.ZonedChronology$ZonedDurationField",
                [45, 12, 2],
            ),
            level(2, "org.joda.time.chrono.ISOChronology", [310, 80, 3]),
            widened_level(),
            level_with_interactions(),
            lost_level(),
        ],
        second_try: None,
        seconds: 7.3,
        trace: "target/demo/jod3.jinsi".into(),
        parts: [
            ("record", 1.9),
            ("read the trace", 0.04),
            ("minimize", 3.8),
            ("write and run the tests", 1.5),
        ]
        .map(|(name, seconds)| WallTime {
            name: name.into(),
            seconds,
        })
        .into(),
        damage: Vec::new(),
        recording_cut: Vec::new(),
        other_failures: Vec::new(),
        stopped: None,
    }
}

#[test]
fn damage_is_said_first_and_of_each_level() {
    let mut report = sample();
    let whole = render(&report, &[]);
    assert!(!whole.contains("damaged") && !whole.contains("incomplete"));
    report.damage = vec![jinsi_history::damage::Entry {
        what: "checksum of <segment> 7 is wrong".into(),
        position: Some("before".into()),
        ..jinsi_history::damage::Entry::default()
    }];
    report.recording_cut = vec!["the disk was full".into()];
    report.levels[0].incomplete = true;
    let page = render(&report, &[]);
    assert!(page.contains("<li>checksum of &lt;segment&gt; 7 is wrong, before the failure</li>"));
    assert!(page.contains("something may be missing before the failure"));
    assert!(page.contains("Not recorded: the disk was full."));
    assert_eq!(
        page.matches("<span class=\"badge warn\">incomplete</span>")
            .count(),
        1
    );
}

#[test]
fn the_page_has_everything() {
    let tests = [None, None, None, Some(TEST.to_owned()), None];
    let page = render(&sample(), &tests);
    insta::assert_snapshot!(page.replace(STYLE, ""));
}

#[test]
fn where_no_test_is_kept_the_lines_lead() {
    let mut report = sample();
    report.keep = None;
    report.keep_why_not = Some("Your test is <small>.".into());
    report.levels[1].slice_lines = vec![SliceLine {
        class: "a.B".into(),
        line: 7,
        text: Some("return a / b;".into()),
        ..SliceLine::default()
    }];
    let page = render(&report, &[]);
    let place = |text: &str| page.find(text).expect(text);
    assert!(place("<h2>No test to keep</h2>") < place("Your test is &lt;small&gt;."));
    assert!(place("is &lt;small&gt;.") < place("<code>return a / b;</code>"));
    assert!(place("<code>return a / b;</code>") < place("<h2>All levels</h2>"));
    assert!(!page.contains("The test to keep"));
}

#[test]
fn nothing_is_loaded_and_only_what_copies_runs() {
    let page = render(&sample(), &[]);
    assert_eq!(page.matches("<script").count(), 1);
    let page = page.replace(&format!("<script>{SCRIPT}</script>"), "");
    let page = page.to_lowercase();
    for word in [
        "<link",
        "<img",
        "<iframe",
        "<object",
        "src=",
        "url(",
        "@import",
        "http:",
        "https:",
        "javascript:",
        "onclick",
        "onload",
        "onerror",
        "<script",
    ] {
        assert!(!page.contains(word), "{word}");
    }
}

/// Every text of the report goes through the escaping: no element appears that the page does not make itself.
#[test]
fn hostile_text_stays_text() {
    const EVIL: &str = "</code></script><script>alert('x')</script>\"&<b>";
    let json = serde_json::to_string(&sample()).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&json).unwrap();
    poison(&mut value, EVIL);
    let report: Report = serde_json::from_value(value).unwrap();
    let tests: Vec<Option<String>> = report
        .levels
        .iter()
        .map(|_| Some(EVIL.to_owned()))
        .collect();
    let page = render(&report, &tests);
    let page = page.replace(&format!("<script>{SCRIPT}</script>"), "");
    assert!(
        !page.contains("<script") && !page.contains("<b>alert") && !page.contains("alert('x')")
    );
    let count = |tag: &str| page.matches(&format!("<{tag}")).count();
    for tag in ["section", "details", "table", "pre", "main", "div"] {
        assert_eq!(
            count(tag),
            page.matches(&format!("</{tag}>")).count(),
            "{tag}"
        );
    }
    assert!(page.contains("&lt;script&gt;alert(&#39;x&#39;)"));
}

fn poison(value: &mut serde_json::Value, text: &str) {
    match value {
        serde_json::Value::String(s) if s != "reproduces" => *s = text.to_owned(),
        serde_json::Value::Array(list) => list.iter_mut().for_each(|v| poison(v, text)),
        serde_json::Value::Object(map) => {
            if map.contains_key("never_recorded") {
                map.insert(text.to_owned(), 1.into());
            }
            map.values_mut().for_each(|v| poison(v, text));
        }
        _ => {}
    }
}

#[test]
fn numbers_read_well() {
    assert_eq!(
        [0, 999, 1000, 14_629, 1_234_567].map(number).join(" "),
        "0 999 1,000 14,629 1,234,567"
    );
    assert_eq!(
        [0.0, 0.0412, 0.0996, 4.25, 97.6].map(seconds).join(" "),
        "0 ms 41 ms 0.1 s 4.2 s 98 s"
    );
    assert_eq!(
        [9_999, 10_000, 12_345_678].map(bytes).join(" "),
        "9,999 bytes 10 kB 12 MB"
    );
}

#[test]
fn a_search_that_was_stopped_says_so() {
    let mut report = sample();
    report.stopped = Some("budget".into());
    let mut begun = level(7, "Main", [10, 0, 0]);
    begun.test_outcome = None;
    begun.stopped = report.stopped.clone();
    report.levels.push(begun);
    let page = render(&report, &[]);
    assert!(page.contains("The search ended when its time was over"));
    assert!(page.contains("The search was stopped before it began."));
    assert!(!render(&sample(), &[]).contains("The search"));
}

/// The failure comes first, then what it came from, escaped as all else.
#[test]
fn a_chain_is_shown_from_the_failure_back() {
    let link = |predicate: &str, object: Option<&str>| Link {
        predicate: predicate.into(),
        object: object.map(str::to_owned),
        by: object.map(|_| "e.set(\"<\")".to_owned()),
        level: level(1, "Element", [10, 5, 2]),
        ..Link::default()
    };
    let mut report = sample();
    report.chain = vec![
        link("\"#38;\" was written", None),
        link("field content contains \"#38;\"", Some("Element#2")),
    ];
    let mut tests = vec![None; report.levels.len() + 1];
    tests.push(Some("class ElementLink2Test {}".to_owned()));
    let page = render(&report, &tests);
    let place = |text: &str| page.find(text).expect(text);
    assert!(place("<svg class=\"chain\"") < place("was written"));
    assert!(place("was written") < place("field content contains"));
    assert!(place(">e.set(&quot;&lt;&quot;)</text>") < place("</svg>"));
    assert!(place("</svg>") < place("ElementLink2Test"));
    assert!(page.contains("before <code>e.set(&quot;&lt;&quot;)</code>"));
    assert!(!render(&sample(), &[]).contains("How it came about"));
}
