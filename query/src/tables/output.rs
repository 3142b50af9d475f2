//! The table `output`: what recorded code printed.

use jinsi_history::NodeKind;

use crate::error::QueryError;
use crate::rows::Rows;
use crate::run::Run;
use crate::values::list;

/// The class whose calls print.
const PRINTS: &str = "java/io/PrintStream";
/// Its methods that do.
const PRINTING: [&str; 6] = ["print", "println", "printf", "format", "append", "write"];

pub(crate) fn tell(run: &Run, rows: &mut Rows<'_>) -> Result<(), QueryError> {
    let shape = run.shape()?;
    let history = &shape.history;
    for (no, node) in history.nodes() {
        let site = history.site(no).filter(|_| node.kind == NodeKind::Call);
        let Some(site) = site.filter(|site| {
            site.target.owner == PRINTS && PRINTING.iter().any(|name| site.target.name == *name)
        }) else {
            continue;
        };
        if !rows.more() {
            break;
        }
        rows.push([
            run.name.as_str().into(),
            shape.key(no).into(),
            history.thread_of(no).into(),
            rows.cell("event", || shape.event(node.begin).map(|e| e.to_string())),
            shape.around(no).0.map(|no| shape.key(no)).into(),
            site.target.name.as_str().into(),
            list(&run.trace, history.args(no)).into(),
        ]);
    }
    Ok(())
}
