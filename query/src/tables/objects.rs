//! The table `objects`.

use crate::error::QueryError;
use crate::rows::Rows;
use crate::run::Run;
use crate::values::dotted;

pub(crate) fn tell(run: &Run, rows: &mut Rows<'_>) -> Result<(), QueryError> {
    let shape = run.shape()?;
    let history = &shape.history;
    // Reading the events again would decode what each array held, which takes far longer.
    let mut all: Vec<_> = history.objects().collect();
    all.sort_unstable_by_key(|(_, record)| record.defined);
    for (id, record) in all {
        if !rows.more() {
            break;
        }
        rows.push([
            run.name.as_str().into(),
            id.into(),
            run.trace
                .class(record.class)
                .map(|c| dotted(&c.name))
                .into(),
            record.length.into(),
            u64::from(record.defined.get()).into(),
            rows.cell("event", || {
                shape.event(record.defined).map(|e| e.to_string())
            }),
            record.constructed.into(),
        ]);
    }
    Ok(())
}
