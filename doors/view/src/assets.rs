//! The files of the page, as they are.

use crate::http::Reply;

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Name, type and text of each file.
const FILES: &[(&str, &str, &str)] = &[
    (
        "",
        "text/html; charset=utf-8",
        include_str!("../page/index.html"),
    ),
    (
        "style.css",
        "text/css; charset=utf-8",
        include_str!("../page/style.css"),
    ),
    (
        "icon.svg",
        "image/svg+xml",
        include_str!("../page/icon.svg"),
    ),
    ("main.js", SCRIPT, include_str!("../page/main.js")),
    ("ask.js", SCRIPT, include_str!("../page/ask.js")),
    ("calls.js", SCRIPT, include_str!("../page/calls.js")),
    ("focus.js", SCRIPT, include_str!("../page/focus.js")),
    (
        "happenings.js",
        SCRIPT,
        include_str!("../page/happenings.js"),
    ),
    ("history.js", SCRIPT, include_str!("../page/history.js")),
    ("keys.js", SCRIPT, include_str!("../page/keys.js")),
    ("notes.js", SCRIPT, include_str!("../page/notes.js")),
    ("parts.js", SCRIPT, include_str!("../page/parts.js")),
    ("rows.js", SCRIPT, include_str!("../page/rows.js")),
    ("search.js", SCRIPT, include_str!("../page/search.js")),
    ("source.js", SCRIPT, include_str!("../page/source.js")),
    ("timeline.js", SCRIPT, include_str!("../page/timeline.js")),
    ("variables.js", SCRIPT, include_str!("../page/variables.js")),
    ("words.js", SCRIPT, include_str!("../page/words.js")),
];

/// The file of this name.
pub(crate) fn find(name: &str) -> Option<Reply> {
    let found = FILES.iter().find(|(of, _, _)| *of == name)?;
    Some(Reply {
        status: 200,
        kind: found.1,
        body: found.2.as_bytes().to_vec(),
    })
}
