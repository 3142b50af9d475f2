//! The manual says what the programs say of themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::support::{agent, jdks, jinsi, run, stderr, stdout};

/// What every command has.
const COMMON: [&str; 2] = ["--json", "--help"];

fn manual() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/options.md");
    std::fs::read_to_string(page).unwrap()
}

/// First cells of the tables of a page, by the heading they stand under.
fn tables(page: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut tables = BTreeMap::<String, BTreeSet<String>>::new();
    let mut heading = String::new();
    for line in page.lines() {
        if let Some(text) = line.strip_prefix('#') {
            heading = text.trim_start_matches('#').trim().to_owned();
        } else if let Some(rest) = line.strip_prefix("| `") {
            let name = rest.split('`').next().unwrap_or_default();
            tables
                .entry(heading.clone())
                .or_default()
                .insert(name.to_owned());
        }
    }
    tables
}

/// Names of options in a help text: what stands first on a line, after a short form if there is one.
fn options(help: &str) -> BTreeSet<String> {
    let option = |line: &str| {
        let line = line.trim_start();
        let long = line.split(", ").find(|part| part.starts_with("--"));
        let long = line.starts_with('-').then_some(long)??;
        let end = long.find([' ', '[', '=']).unwrap_or(long.len());
        Some(long[..end].to_owned())
    };
    let all = help.lines().filter_map(option);
    all.filter(|o| !COMMON.contains(&o.as_str())).collect()
}

/// Commands that `jinsi --help` lists.
fn commands() -> Vec<String> {
    let help = stdout(&run(jinsi().arg("-h")));
    let listed = help.lines().skip_while(|l| *l != "Commands:").skip(1);
    listed
        .take_while(|l| !l.is_empty())
        .filter_map(|l| l.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_version_names_the_commit_and_the_format_of_traces() {
    let said = stdout(&run(jinsi().arg("--version")));
    let (commit, format) = said
        .trim()
        .strip_prefix(concat!("jinsi ", env!("CARGO_PKG_VERSION"), " (commit "))
        .and_then(|rest| rest.strip_suffix(')')?.split_once(", trace format "))
        .unwrap_or_else(|| panic!("{said}"));
    assert!(commit == "unknown" || (commit.len() == 12 && !commit.contains(' ')));
    assert_eq!(format, jinsi_trace::FORMAT_VERSION.to_string());
}

#[test]
fn every_option_of_the_command_is_in_the_manual() {
    let tables = tables(&manual());
    let commands = commands();
    assert!(commands.len() >= 7, "{commands:?}");
    for command in &commands {
        let help = stdout(&run(jinsi().args([command, "-h"])));
        let section = format!("jinsi {command}");
        let documented = tables.get(&section).cloned().unwrap_or_default();
        assert_eq!(documented, options(&help), "docs/options.md, {section}");
    }
    let sections = tables.keys().filter_map(|k| k.strip_prefix("jinsi "));
    for section in sections {
        assert!(
            commands.iter().any(|c| c == section),
            "there is no jinsi {section}"
        );
    }
}

#[test]
fn every_option_of_the_agent_is_in_the_manual() {
    let agent = format!("-agentpath:{}=help", agent().display());
    let help = stderr(&run(Command::new(jdks()[0].java()).arg(agent)));
    let key = |line: &str| {
        // The lines behind a key's first one stand further in.
        let key = line.strip_prefix("  ").filter(|l| !l.starts_with(' '))?;
        key.split(['=', ' ']).next().map(str::to_owned)
    };
    let keys: BTreeSet<String> = help.lines().filter_map(key).collect();
    assert!(keys.len() >= 10, "{help}");
    assert_eq!(
        tables(&manual()).get("The agent"),
        Some(&keys),
        "docs/options.md"
    );
}

/// All pages: those of `docs`, and those beside it.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = ["", "docs", "docs/decisions"].iter().flat_map(|directory| {
        let entries = std::fs::read_dir(root.join(directory)).unwrap();
        entries.map(|entry| entry.unwrap().path())
    });
    pages
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect()
}

/// Files that a page links to, and the headings in them, if any.
fn links(page: &Path) -> Vec<(PathBuf, Option<String>)> {
    let text = std::fs::read_to_string(page).unwrap();
    let links = text.split("](").skip(1).filter_map(|link| {
        let target = link.split(')').next().unwrap_or_default();
        let (file, heading) = target.split_once('#').unwrap_or((target, ""));
        let file = match file {
            "" => page.to_owned(),
            file => page.with_file_name("").join(file),
        };
        let heading = Some(heading.to_owned()).filter(|h| !h.is_empty());
        (!target.contains("://")).then_some((file, heading))
    });
    links.collect()
}

/// The name under which a heading can be linked to.
fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    heading
        .chars()
        .filter(kept)
        .collect::<String>()
        .replace(' ', "-")
}

/// Links between pages lead somewhere.
#[test]
fn pages_link_to_what_exists() {
    for page in pages() {
        for (file, heading) in links(&page) {
            assert!(file.exists(), "{}: {}", page.display(), file.display());
            let Some(heading) = heading else { continue };
            let text = std::fs::read_to_string(&file).unwrap();
            let mut headings = text.lines().filter(|l| l.starts_with('#')).map(anchor);
            assert!(
                headings.any(|h| h == heading),
                "{}: {}#{heading}",
                page.display(),
                file.display()
            );
        }
    }
}

#[test]
fn the_manual_leads_to_every_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for directory in ["docs", "docs/decisions"] {
        let index = root.join(directory).join("README.md");
        let linked = links(&index).into_iter().map(|(file, _)| file);
        let linked: BTreeSet<PathBuf> = linked.map(|f| f.canonicalize().unwrap()).collect();
        for page in pages() {
            if page.parent() == index.parent() && page != index {
                assert!(
                    linked.contains(&page.canonicalize().unwrap()),
                    "{}",
                    page.display()
                );
            }
        }
    }
}

/// Files of the repository that a page names in backticks are there.
#[test]
fn pages_name_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let top: BTreeSet<_> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    let mut named = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for quoted in text.split('`').skip(1).step_by(2) {
            let source = [".rs", ".txt", ".java"].iter().any(|e| quoted.ends_with(e));
            let first = quoted.split('/').next().unwrap_or_default();
            if source && quoted.contains('/') && top.contains(OsStr::new(first)) {
                assert!(root.join(quoted).exists(), "{}: {quoted}", page.display());
                named += 1;
            }
        }
    }
    assert!(named > 20, "{named}");
}

/// What a newcomer reads first stays short.
#[test]
fn the_front_door_is_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (page, most) in [("README.md", 7 << 10), ("ARCHITECTURE.md", 12 << 10)] {
        let bytes = std::fs::metadata(root.join(page)).unwrap().len();
        assert!(bytes <= most, "{page} has {bytes} bytes");
    }
}
