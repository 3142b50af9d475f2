//! Findings as GitLab's code quality report: a list of issues, which a merge request shows beside its lines.

use jinsi_slice::sarif::path;
use serde_json::{Value, json};

use super::{SHOWN, why};
use crate::look::{Findings, FoundLine};

/// The findings as a code quality report. Paths are below `root`, the directory above the packages as the project has it.
pub fn document(findings: &Findings, root: &str) -> Value {
    let lines = findings.lines.iter().take(SHOWN);
    lines.map(|line| issue(findings, line, root)).collect()
}

fn issue(findings: &Findings, line: &FoundLine, root: &str) -> Value {
    let place = &line.ranked.place;
    let below = path(&place.class, line.file.as_deref());
    let path = match root.trim_end_matches('/') {
        "" => below,
        root => format!("{root}/{below}"),
    };
    let severity = match line.ranked.rank {
        1 => "major",
        2..=5 => "minor",
        _ => "info",
    };
    json!({
        "description": format!("look here for {} (rank {}): {}", findings.run, line.ranked.rank, why(line)),
        "check_name": "jinsi-where",
        "fingerprint": fingerprint(&[&findings.run, &place.class, &place.line.to_string()]),
        "severity": severity,
        "location": { "path": path, "lines": { "begin": place.line } },
    })
}

/// The same for the same texts, another one for others: FNV-1a of 64 bits.
fn fingerprint(parts: &[&str]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in parts.iter().flat_map(|part| part.bytes().chain([0])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms::testing::findings;

    #[test]
    fn issues_have_what_gitlab_needs() {
        let document = document(&findings(), "src/main/java/");
        assert_eq!(document[0]["location"]["path"], "src/main/java/a/b/C.java");
        assert_eq!(document[0]["location"]["lines"]["begin"], 12);
        assert_eq!(document[0]["severity"], "major");
        assert_eq!(document[1]["severity"], "minor");
        assert_ne!(document[0]["fingerprint"], document[1]["fingerprint"]);
        let description = document[0]["description"].as_str().unwrap();
        assert!(description.starts_with("look here for a.b.CTest.works (rank 1): the failure"));
    }
}
