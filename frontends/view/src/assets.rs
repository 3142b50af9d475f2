//! The files of the page, as they are.

use crate::http::{OWN, OWN_STYLED, Reply};

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Name, type and text of each file.
const FILES: &[(&str, &str, &str)] = &[
    ("report.js", SCRIPT, include_str!("../page/report.js")),
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
    ("asking.js", SCRIPT, include_str!("../page/asking.js")),
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
    (
        "queries.html",
        "text/html; charset=utf-8",
        include_str!("../page/queries.html"),
    ),
    ("queries.js", SCRIPT, include_str!("../page/queries.js")),
    ("reading.js", SCRIPT, include_str!("../page/reading.js")),
    ("rows.js", SCRIPT, include_str!("../page/rows.js")),
    ("search.js", SCRIPT, include_str!("../page/search.js")),
    ("still.js", SCRIPT, include_str!("../page/still.js")),
    ("source.js", SCRIPT, include_str!("../page/source.js")),
    ("timeline.js", SCRIPT, include_str!("../page/timeline.js")),
    ("undone.js", SCRIPT, include_str!("../page/undone.js")),
    ("variables.js", SCRIPT, include_str!("../page/variables.js")),
    ("words.js", SCRIPT, include_str!("../page/words.js")),
];

/// The file of this name.
pub(crate) fn find(name: &str) -> Option<Reply> {
    let found = FILES.iter().find(|(of, _, _)| *of == name)?;
    Some(Reply {
        status: 200,
        kind: found.1,
        policy: OWN,
        body: found.2.as_bytes().to_vec(),
    })
}

/// The text of a file of the page; nothing if there is none of this name.
pub(crate) fn text(name: &str) -> &'static str {
    let found = FILES.iter().find(|(of, _, _)| *of == name);
    found.map_or("", |(_, _, text)| text)
}

/// The name of a file of the page, if it is one.
pub(crate) fn name_of(name: &str) -> Option<&'static str> {
    let found = FILES.iter().find(|(of, _, _)| *of == name);
    found.map(|(name, _, _)| *name)
}

/// What a report allows itself, in its head; here the server's answer says it.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\"";

/// A report that leads into the run.
pub(crate) fn report(text: &str) -> Reply {
    let script = "<script type=\"module\" src=\"report.js\"></script>\n</head>";
    let mut text = text.replacen("</head>", script, 1);
    if let Some(begin) = text.find(POLICY)
        && let Some(length) = text[begin..].find('>')
    {
        text.replace_range(begin..=begin + length, "");
    }
    Reply {
        status: 200,
        kind: "text/html; charset=utf-8",
        policy: OWN_STYLED,
        body: text.into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_gets_its_links() {
        let page = "<head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">\n</head><body>";
        let reply = String::from_utf8(report(page).body).unwrap();
        let expected = "<head>\n<script type=\"module\" src=\"report.js\"></script>\n</head><body>";
        assert_eq!(reply, expected);
    }

    #[test]
    fn every_module_that_is_named_is_there() {
        for (name, _, text) in FILES {
            let named = text
                .split("from \"./")
                .skip(1)
                .chain(text.split("import \"./").skip(1));
            for rest in named {
                let module = rest.split('"').next().unwrap_or_default();
                assert!(find(module).is_some(), "{name} names {module}");
            }
        }
    }
}
