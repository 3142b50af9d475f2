//! The manual says what the programs say of themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
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

/// Links between pages lead somewhere.
#[test]
fn pages_link_to_pages_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = std::fs::read_dir(root.join("docs")).unwrap();
    let pages = pages.map(|e| e.unwrap().path());
    for page in pages.chain([root.join("README.md")]) {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let file = page.with_file_name(target);
            assert!(file.exists(), "{}: {target}", page.display());
        }
    }
}
