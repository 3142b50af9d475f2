//! The pages of the repository: their links lead somewhere, and their prose is plain English.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

mod links;
mod markdown;
mod prose;

/// The directory that has the whole repository in it.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files below the repository's directory with one of these extensions. Skipped are hidden directories and what builds leave.
fn files(extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut directories = vec![root().to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                let skipped = name.starts_with('.') || name == "target" || name == "node_modules";
                if !skipped && !path.is_symlink() {
                    directories.push(path);
                }
            } else if extensions
                .iter()
                .any(|e| path.extension() == Some(OsStr::new(e)))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Pages outside of the manual that follow its rules: what a newcomer opens first, and what stands beside the code that it is about.
const OUTSIDE: [&str; 10] = [
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "GLOSSARY.md",
    "REFERENCES.md",
    "evaluation/CHECKS.md",
    "java-harness/SESSION.md",
    "platform/README.md",
    "trace/README.md",
    "xtask/RELEASES.md",
];

/// The manual, and the pages outside of it.
fn manual() -> Vec<PathBuf> {
    let outside = OUTSIDE.map(|page| root().join(page));
    assert!(outside.iter().all(|page| page.exists()));
    let docs = root().join("docs");
    let pages = files(&["md"]).into_iter();
    pages
        .filter(|page| page.starts_with(&docs) || outside.contains(page))
        .collect()
}

/// A page's place, for people.
fn shown(page: &Path) -> String {
    page.strip_prefix(root())
        .unwrap_or(page)
        .display()
        .to_string()
}

#[test]
fn links_lead_somewhere() {
    let broken: Vec<String> = files(&["md"])
        .iter()
        .flat_map(|page| links::broken(page))
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn decisions_are_linked_by_their_numbers() {
    for page in manual() {
        let text = fs::read_to_string(&page).unwrap();
        let wrong = links::misnumbered(&text);
        assert!(wrong.is_empty(), "{}: {wrong:?}", shown(&page));
    }
}

/// Code and pages name pages of the manual by their path.
#[test]
fn pages_that_are_named_exist() {
    let mut missing = Vec::new();
    let mut named = 0;
    let these = root().join("tests/pages");
    let files = files(&["rs", "java", "md", "toml"]).into_iter();
    for file in files.filter(|file| !file.starts_with(&these)) {
        let text = fs::read_to_string(&file).unwrap();
        for page in links::pages_named(&text) {
            named += 1;
            if !root().join(&page).exists() {
                missing.push(format!("{}: {page}", shown(&file)));
            }
        }
    }
    assert!(named > 20, "only {named} names of pages found");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn tables_of_contents_have_every_page() {
    for directory in ["docs", "docs/decisions"] {
        let index = root().join(directory).join("README.md");
        let linked: BTreeSet<PathBuf> = links::targets(&index)
            .into_iter()
            .filter_map(|(file, _)| file.canonicalize().ok())
            .collect();
        for page in manual() {
            if page.parent() == index.parent() && page != index {
                let there = linked.contains(&page.canonicalize().unwrap());
                assert!(there, "{} is not in {}", shown(&page), shown(&index));
            }
        }
    }
}

/// Source files that a page names in backticks are there.
#[test]
fn source_files_that_are_named_exist() {
    let top: BTreeSet<_> = fs::read_dir(root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    let mut named = 0;
    for page in manual() {
        let text = fs::read_to_string(&page).unwrap();
        for quoted in text.split('`').skip(1).step_by(2) {
            let source = [".rs", ".txt", ".java"].iter().any(|e| quoted.ends_with(e));
            let first = quoted.split('/').next().unwrap_or_default();
            if source && quoted.contains('/') && top.contains(OsStr::new(first)) {
                assert!(root().join(quoted).exists(), "{}: {quoted}", shown(&page));
                named += 1;
            }
        }
    }
    assert!(named > 20, "only {named} names of source files found");
}

#[test]
fn a_decision_has_its_four_parts() {
    let directory = root().join("docs/decisions");
    let decisions = manual()
        .into_iter()
        .filter(|page| page.starts_with(&directory));
    for page in decisions.filter(|page| !page.ends_with("README.md")) {
        let text = fs::read_to_string(&page).unwrap();
        let headings: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("## ")).collect();
        let parts = ["Situation", "Decision", "Consequences", "Figures"];
        assert_eq!(headings, parts, "{}", shown(&page));
    }
}

/// The page of `report.json` has every key that its structures have.
#[test]
fn keys_of_the_report_are_in_the_manual() {
    let page = fs::read_to_string(root().join("docs/report-json.md")).unwrap();
    let code = fs::read_to_string(root().join("analysis/src/report/json.rs")).unwrap();
    let fields = code.lines().filter_map(|line| {
        let (name, _) = line.strip_prefix("    pub ")?.split_once(": ")?;
        name.bytes()
            .all(|b| b.is_ascii_lowercase() || b == b'_')
            .then_some(name)
    });
    let fields: BTreeSet<&str> = fields.collect();
    assert!(fields.len() > 80, "only {} keys found", fields.len());
    let missing = fields
        .iter()
        .filter(|name| !page.contains(&format!("`{name}`")));
    let missing: Vec<_> = missing.collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// What a newcomer reads first stays short, and so does the manual.
#[test]
fn pages_stay_short() {
    let size = |page: &Path| fs::metadata(page).unwrap().len();
    for (page, most) in [("README.md", 5 << 10), ("ARCHITECTURE.md", 12 << 10)] {
        let bytes = size(&root().join(page));
        assert!(bytes <= most, "{page} has {bytes} bytes");
    }
    let docs = root().join("docs");
    let guides = manual().into_iter().filter(|p| p.parent() == Some(&docs));
    let bytes: u64 = guides.map(|page| size(&page)).sum();
    assert!(bytes <= 200 << 10, "the manual has {bytes} bytes");
    let decisions = manual()
        .into_iter()
        .filter(|p| p.starts_with(docs.join("decisions")));
    let decisions = decisions.count();
    assert!(
        decisions <= 31,
        "{decisions} pages of decisions, the list included"
    );
}

#[test]
fn prose_is_plain() {
    let pages = manual();
    let findings: Vec<String> = pages
        .iter()
        .flat_map(|page| {
            let text = fs::read_to_string(page).unwrap();
            let findings = prose::findings(&text);
            findings.into_iter().map(|f| format!("{}:{f}", shown(page)))
        })
        .collect();
    assert!(pages.len() > 50, "only {} pages found", pages.len());
    assert!(
        findings.is_empty(),
        "{} findings\n{}",
        findings.len(),
        findings.join("\n")
    );
}
