//! The two versions of JUnit, and the assertion that a test can be turned into.

use super::super::{Framework, Written};
use super::compile::assert_compiles;
use super::scene::obj;
use super::{Form, OVERFLOW, first, jod3};

/// The statement that the remark offers, as source.
fn pinned(source: &str) -> String {
    let lines = source.lines().map(str::trim_start);
    let mut remark = lines.skip_while(|l| !l.contains("in place of the last statement"));
    remark.next();
    let code: Vec<&str> = remark
        .map_while(|l| l.strip_prefix("// ").map(str::trim_start))
        .collect();
    code.join(" ")
}

#[test]
fn junit_4_needs_public_methods_of_a_public_class() {
    let mut s = jod3();
    s.dialect.framework = Framework::Junit4;
    let written = s.write(&[1, 3, 4], OVERFLOW);
    insta::assert_snapshot!(first(&written, Form::Plain).source);
    assert_compiles(&written, 0);

    let zone = "org/joda/time/DateTimeZone.getDefault ()Lorg/joda/time/DateTimeZone;";
    s.mock(40, "org/joda/time/DateTimeZone");
    s.static_answer_gives(zone, vec![], obj(40));
    let written = s.write(&[1, 3, 4], OVERFLOW);
    let replay = first(&written, Form::Replay);
    assert!(
        replay
            .source
            .contains("@RunWith(JinsiReplayRunner.class)\npublic class ")
    );
    assert!(!replay.source.contains("jupiter"));
    assert_compiles(&written, 0);
    // The last resort shows the recorded classes, and promises nothing.
    let last = written.candidates.last().unwrap();
    assert!(
        last.source.contains(
            "@RunWith(JinsiReplayRunner.class)\n@ReplayMode(recorded = true)\npublic class "
        ) && !last.source.contains("once the defect is repaired")
            && last
                .source
                .contains("a change of the source changes nothing here")
    );
}

#[test]
fn the_assertion_in_the_comment_compiles_in_place_of_the_last_statement() {
    for framework in [Framework::Junit4, Framework::Junit5] {
        let mut s = jod3();
        s.dialect.framework = framework;
        let mut written = s.write(&[1, 3, 4], OVERFLOW);
        let candidate = &mut written.candidates[0];
        let last = "builder.toDateTimeZone(\"America/Los_Angeles\", false);";
        let assertion = pinned(&candidate.source);
        assert!(assertion.contains("assertThrows(ArithmeticException.class, () -> builder."));
        let at = candidate.source.rfind(last).unwrap();
        candidate
            .source
            .replace_range(at..at + last.len(), &assertion);
        let written = Written {
            candidates: vec![candidate.clone()],
            refused: vec![],
        };
        assert_compiles(&written, 0);
    }
}

#[test]
fn what_cannot_be_repaired_in_the_source_is_not_pinned_either() {
    let mut s = jod3();
    let zone = "org/joda/time/DateTimeZone.getDefault ()Lorg/joda/time/DateTimeZone;";
    s.mock(40, "org/joda/time/DateTimeZone");
    s.static_answer_gives(zone, vec![], obj(40));
    let written = s.write(&[1, 3, 4], OVERFLOW);
    assert!(
        !first(&written, Form::Replay)
            .source
            .contains("assertThrows")
    );
}
