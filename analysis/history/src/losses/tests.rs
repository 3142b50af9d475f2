use jinsi_trace::model::{Record, Skipped};
use jinsi_trace::synthetic::TraceBuilder;

use super::*;

#[test]
fn records_go_where_they_belong() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.jinsi");
    let skipped = |kind, class: &str| {
        Record::Skipped(Skipped {
            class: class.into(),
            reason: "why".into(),
            kind,
        })
    };
    TraceBuilder::new(&path)
        .record(skipped(LossKind::Class, "a/B"))
        .record(skipped(LossKind::Early, "a/C"))
        .record(skipped(LossKind::Part, "a/D"))
        .record(skipped(LossKind::Threads, "(threads)"))
        .finish()
        .unwrap();
    let losses = Losses::of(&Trace::open(&path).unwrap(), false);
    let loss = |class: &str| Loss {
        class: class.into(),
        reason: "why".into(),
    };
    assert_eq!(losses.classes_skipped, [loss("a.B")]);
    assert_eq!(losses.classes_early, ["a.C"]);
    assert_eq!(losses.methods_thinned, [loss("a.D")]);
    assert_eq!(losses.threads_refused, ["why"]);
    assert_eq!(losses.callers, Some(Callers::default()));
}
