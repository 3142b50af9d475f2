//! Ten of the tests that are best kept, for people to judge: which ones, a seed decides.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use jinsi_analysis::report::json::Report;
use jinsi_ground::bugs::Bug;
use jinsi_ground::files;

use super::debug::Debugger;
use super::table::BugRow;

/// Tests in the gallery.
const SHOWN: usize = 10;
/// What draws them.
const SEED: u64 = 31;

const HEAD: &str = "\
# Gallery

Ten of the tests that jinsi recommends (`keep` in `report.json`), as they were written. A seed drew the bugs among those of [a list that a rule drew](README.md) of which a
repaired release is known: `cargo xtask corpus --blind --gallery tests/blind/GALLERY.md` writes this page. The comments and imports of the tests are left out.
";

/// Draws of the bugs of which a repaired release is known.
pub(super) fn draw(bugs: Vec<Bug>) -> Vec<Bug> {
    let mut bugs: Vec<Bug> = bugs
        .into_iter()
        .filter(|b| !b.repaired.is_empty())
        .collect();
    bugs.sort_by_cached_key(|bug| mixed(&bug.id));
    bugs.truncate(SHOWN);
    bugs
}

/// FNV-1a over the seed and the name, and the last step of SplitMix64 (Steele, Lea, Flood 2014) for its upper bits.
fn mixed(name: &str) -> u64 {
    let bytes = SEED.to_le_bytes().into_iter().chain(name.bytes());
    let hash = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^ (hash >> 31)
}

/// Writes the page of the bugs that were drawn and run.
pub(super) fn write<'a>(
    file: &Path,
    drawn: impl Iterator<Item = (&'a Bug, &'a BugRow)>,
    debugger: &Debugger,
) -> Result<()> {
    let mut page = HEAD.to_owned();
    for (bug, row) in drawn {
        let directory = debugger.out.join(bug.package()).join("report");
        page.push_str(&entry(bug, row, &directory)?);
    }
    fs::write(file, page).with_context(|| format!("cannot write {}", file.display()))
}

fn entry(bug: &Bug, row: &BugRow, directory: &Path) -> Result<String> {
    let mut text = format!("\n## {}: {}\n\n", bug.library, bug.id);
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{} ({})\n", bug.summary, bug.report);
    if let Some(error) = &row.error {
        let _ = writeln!(text, "It was not minimized: {error}");
        return Ok(text);
    }
    let report: Report = files::document(&directory.join("report.json"))?;
    let Some(keep) = &report.keep else {
        let _ = writeln!(text, "No written test fails as recorded.");
        return Ok(text);
    };
    let source = files::text(&directory.join(keep))?;
    let _ = writeln!(text, "```java\n{}```\n", body(&source));
    let passes = match row.keep.as_ref().and_then(|keep| keep.flips) {
        Some(true) => "passes",
        Some(false) => "does not pass",
        None => "was not run",
    };
    let released = bug.repaired.first().map_or("", String::as_str);
    let lines = match bug.fixed.as_slice() {
        [] => String::new(),
        lines => format!(" The repair is in {}.", lines.join(", ")),
    };
    let _ = writeln!(
        text,
        "Before the repair: `{}`{}. With the repaired release, {released}, it {passes}.{lines}",
        report.failure.name(),
        report
            .failure
            .message
            .as_ref()
            .map_or_else(String::new, |m| format!(", “{}”", one_line(m))),
    );
    Ok(text)
}

/// The class without imports and comment.
fn body(source: &str) -> String {
    let mut out = String::new();
    let mut in_comment = false;
    for line in source.lines() {
        let text = line.trim_start();
        let left_out =
            text.starts_with("import ") || text.starts_with("package ") || text.starts_with("// ");
        in_comment |= text.starts_with("/**");
        let blank =
            text.is_empty() && (out.is_empty() || out.ends_with("{\n") || out.ends_with("\n\n"));
        if !in_comment && !left_out && !blank {
            out.push_str(line);
            out.push('\n');
        }
        in_comment &= !text.ends_with("*/");
    }
    out
}

fn one_line(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides() {
        let mut names = ["JOD-1", "JOD-2", "JOD-3", "LANG-281"];
        names.sort_by_key(|name| mixed(name));
        assert_eq!(names, ["JOD-1", "LANG-281", "JOD-3", "JOD-2"]);
    }

    #[test]
    fn a_test_is_shown_without_what_surrounds_it() {
        let source = "package a;\n\nimport b.C;\n\nclass ATest {\n\n    /**\n     * Text.\n     */\n    @Test\n    void a() {\n        b();\n        // Until\n        // c();\n    }\n}\n";
        assert_eq!(
            body(source),
            "class ATest {\n    @Test\n    void a() {\n        b();\n    }\n}\n"
        );
    }
}
