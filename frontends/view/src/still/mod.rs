//! The page as one file: what it can ask is asked beforehand, so it needs no server, and can be sent to somebody.
//!
//! `crawl` asks, `bundle` makes one script of the page's modules. The answers lie packed in the page; its module `still.js` finds them.

mod bundle;
mod crawl;
mod error;

use std::cell::OnceCell;
use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use jinsi_answers::Sources;
use jinsi_inspect::Inspector;

pub use error::StillError;

use crate::{Answers, Subject, assets};
use error::{MOST_BYTES, MOST_EVENTS};

/// The page of a run, whole.
///
/// # Errors
/// The run is too large, or cannot be read.
pub fn page(
    inspector: &Inspector<'_>,
    subject: &Subject,
    sources: Sources,
) -> Result<String, StillError> {
    let trace = inspector.trace();
    let threads = trace.threads().iter();
    let events = threads.map(|thread| trace.event_count(thread.no)).sum();
    if events > MOST_EVENTS {
        return Err(StillError::Events { events });
    }
    let code = OnceCell::new();
    let answers = Answers::new(inspector, subject, sources, &code);
    let document = crawl::all(&answers, subject.report.as_deref(), MOST_BYTES)?;
    Ok(assembled(&packed(document.as_bytes())))
}

/// As the page has it.
fn packed(bytes: &[u8]) -> String {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    // A vector takes all that is written.
    let _ = gzip.write_all(bytes);
    STANDARD.encode(gzip.finish().unwrap_or_default())
}

/// Nothing is loaded from elsewhere, and nothing is sent.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">";

fn assembled(answers: &str) -> String {
    let icon = format!(
        "data:image/svg+xml;base64,{}",
        STANDARD.encode(assets::text("icon.svg"))
    );
    let style = format!("<style>\n{}</style>", assets::text("style.css"));
    let data = format!("<script type=\"application/gzip\" id=\"answers\">{answers}</script>");
    let script = format!(
        "{data}\n<script type=\"module\">\n{}</script>",
        bundle::script()
    );
    let parts = [
        (
            "<link rel=\"stylesheet\" href=\"style.css\">",
            style.as_str(),
        ),
        ("<script type=\"module\" src=\"main.js\"></script>", POLICY),
        ("\"icon.svg\"", &format!("\"{icon}\"")),
        ("</body>", &format!("{script}\n</body>")),
    ];
    let mut page = assets::text("").to_owned();
    for (place, part) in parts {
        page = page.replace(place, part);
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_in_one_file_names_no_other() {
        let page = assembled("abc");
        for name in ["style.css", "main.js", "icon.svg", "from \"./"] {
            assert!(!page.contains(name), "{name}");
        }
        assert!(page.contains(">abc</script>"));
        assert!(page.find("Content-Security-Policy") < page.find("<script"));
    }
}
