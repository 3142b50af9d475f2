//! Links between pages, and names of pages.

use std::fs;
use std::path::{Path, PathBuf};

use super::markdown;

/// Files that a page links to, each with the heading behind `#`, if there is one. Addresses of other sites are not among them.
pub(super) fn targets(page: &Path) -> Vec<(PathBuf, Option<String>)> {
    let text = fs::read_to_string(page).unwrap();
    targets_in(&text)
        .into_iter()
        .map(|(file, heading)| {
            let file = match file.as_str() {
                "" => page.to_owned(),
                file => page.with_file_name("").join(file),
            };
            (file, heading)
        })
        .collect()
}

fn targets_in(text: &str) -> Vec<(String, Option<String>)> {
    let text = markdown::without_code(text);
    let links = text.split("](").skip(1).filter_map(|rest| {
        let target = rest.split(')').next().unwrap_or_default();
        let (file, heading) = target.split_once('#').unwrap_or((target, ""));
        let heading = Some(heading.to_owned()).filter(|h| !h.is_empty());
        (!target.contains("://")).then(|| (file.to_owned(), heading))
    });
    links.collect()
}

/// The links of a page that lead nowhere.
pub(super) fn broken(page: &Path) -> Vec<String> {
    let shown = super::shown(page);
    let mut broken = Vec::new();
    for (file, heading) in targets(page) {
        if !file.exists() {
            broken.push(format!("{shown}: no file {}", file.display()));
        } else if let Some(heading) = heading {
            let text = fs::read_to_string(&file).unwrap_or_default();
            if !has_heading(&text, &heading) {
                broken.push(format!(
                    "{shown}: no heading {}#{heading}",
                    super::shown(&file)
                ));
            }
        }
    }
    broken
}

fn has_heading(text: &str, wanted: &str) -> bool {
    let text = markdown::without_code(text);
    text.lines()
        .filter(|line| line.starts_with('#'))
        .any(|line| anchor(line) == wanted)
}

/// The name under which a heading can be linked to.
fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    let kept: String = heading.chars().filter(kept).collect();
    kept.replace(' ', "-")
}

/// Links to decisions of which the text says another number than the page has: `[decision 7](decisions/0008-…)`.
pub(super) fn misnumbered(text: &str) -> Vec<String> {
    let links = text.split("ecision ").skip(1).filter_map(|rest| {
        let (said, rest) = rest.split_once("](")?;
        let said: u32 = said.parse().ok()?;
        let target = rest.split(')').next()?;
        let page = target.rsplit('/').next()?.split('-').next()?;
        (page.parse() != Ok(said)).then(|| format!("decision {said}: {target}"))
    });
    links.collect()
}

/// Pages below `docs` that a text names by their path from the top: `docs/NAME.md`.
pub(super) fn pages_named(text: &str) -> Vec<String> {
    let mut named = Vec::new();
    for (at, _) in text.match_indices("docs/") {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|c| c == '/' || c.is_alphanumeric()) {
            continue;
        }
        let in_a_name = |c: char| c.is_ascii_alphanumeric() || "-_/.".contains(c);
        let rest = &text[at..];
        let end = rest.find(|c| !in_a_name(c)).unwrap_or(rest.len());
        if let Some(end) = rest[..end].rfind(".md") {
            named.push(rest[..end + 3].to_owned());
        }
    }
    named
}

#[test]
fn links_are_found() {
    let text = "See [a](a.md), [b](b.md#two-words) and [c](#here).\n\n```\n[no](code.md)\n```\n[out](https://example.org/x.md)\n";
    let found = targets_in(text);
    let of = |file: &str, heading: Option<&str>| (file.to_owned(), heading.map(str::to_owned));
    let expected = [
        of("a.md", None),
        of("b.md", Some("two-words")),
        of("", Some("here")),
    ];
    assert_eq!(found, expected);
}

#[test]
fn headings_are_found() {
    let text = "# A page\n\n```\n# not one\n```\n## `jinsi at`: when?\n";
    assert!(has_heading(text, "a-page") && has_heading(text, "jinsi-at-when"));
    assert!(!has_heading(text, "not-one"));
}

#[test]
fn wrong_numbers_of_decisions_are_found() {
    let text = "[decision 7](decisions/0007-a.md), [Decision 8](0009-b.md#c), a decision 9](x.";
    let found = misnumbered(text);
    assert_eq!(found, ["decision 8: 0009-b.md#c", "decision 9: x."]);
}

#[test]
fn names_of_pages_are_found() {
    let text = "`docs/a.md` and docs/decisions/0001-b.md. Not ../docs/c.md, docs/d or mydocs/e.md.";
    assert_eq!(pages_named(text), ["docs/a.md", "docs/decisions/0001-b.md"]);
}
