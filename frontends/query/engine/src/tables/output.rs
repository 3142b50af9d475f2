//! The table `output`: what recorded code printed.

use crate::ended_node::EndedNode;
use crate::rows::Rows;
use crate::values::list;

/// The class whose calls print.
const PRINTS: &str = "java/io/PrintStream";
/// Its methods that do.
const PRINTING: [&str; 6] = ["print", "println", "printf", "format", "append", "write"];

/// A call of code that is not recorded.
pub(crate) fn push(ended: &EndedNode<'_>, rows: &mut Rows<'_>) {
    let no = ended.over.node;
    let Some(target) = ended.history.site(no).map(|site| &site.target) else {
        return;
    };
    if target.owner != PRINTS || !PRINTING.iter().any(|name| target.name == *name) {
        return;
    }
    rows.push([
        ended.run.name.as_str().into(),
        ended.key().into(),
        ended.over.thread.into(),
        rows.cell("event", || ended.event()),
        ended.around().0.into(),
        target.name.as_str().into(),
        list(&ended.run.trace, ended.history.args(no)).into(),
    ]);
}
