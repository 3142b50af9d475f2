//! The table `output`: what recorded code printed.

use crate::rows::Rows;
use crate::told::Told;
use crate::values::list;

/// The class whose calls print.
const PRINTS: &str = "java/io/PrintStream";
/// Its methods that do.
const PRINTING: [&str; 6] = ["print", "println", "printf", "format", "append", "write"];

/// A call of code that is not recorded.
pub(crate) fn push(told: &Told<'_>, rows: &mut Rows<'_>) {
    let no = told.over.node;
    let Some(target) = told.history.site(no).map(|site| &site.target) else {
        return;
    };
    if target.owner != PRINTS || !PRINTING.iter().any(|name| target.name == *name) {
        return;
    }
    rows.push([
        told.run.name.as_str().into(),
        told.key().into(),
        told.over.thread.into(),
        rows.cell("event", || told.event()),
        told.around().0.into(),
        target.name.as_str().into(),
        list(&told.run.trace, told.history.args(no)).into(),
    ]);
}
