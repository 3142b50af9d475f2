//! The table `classes`.

use jinsi_trace::model::ClassOrigin;

use crate::rows::Rows;
use crate::run::Run;
use crate::values::dotted;

pub(crate) fn tell(run: &Run, rows: &mut Rows<'_>) {
    for class in run.trace.classes() {
        let origin = match class.origin {
            ClassOrigin::Observed => "observed",
            ClassOrigin::Skeleton => "skeleton",
            ClassOrigin::Jdk => "jdk",
            ClassOrigin::Skipped => "skipped",
            ClassOrigin::Inherited => "inherited",
        };
        rows.push([
            run.name.as_str().into(),
            dotted(&class.name).into(),
            class.super_name.as_deref().map(dotted).into(),
            class.source_file.as_deref().into(),
            (class.origin == ClassOrigin::Observed).into(),
            origin.into(),
        ]);
    }
}
