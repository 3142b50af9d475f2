//! The manual says what the programs say of themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::tempdir;

use super::support::{agent, jdks, jinsi, run, stderr, stdout, succeed};

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

/// Exit statuses and what they say, as the help has them.
fn statuses() -> Vec<(String, String)> {
    let help = stdout(&run(jinsi().arg("--help")));
    let behind = help.split("Exit status:\n").nth(1).expect("exit statuses");
    let lines = behind.lines().take_while(|l| l.starts_with("  "));
    let parts = lines.map(|l| l.trim().split_once("  ").expect("status and text"));
    parts
        .map(|(n, says)| (n.to_owned(), says.to_owned()))
        .collect()
}

/// One table says how the command ends: the manual has it as the help has, and so has the man page.
#[test]
fn exit_statuses_are_said_alike() {
    let statuses = statuses();
    assert_eq!(statuses.len(), 3, "{statuses:?}");
    let manual = manual();
    let share = tempdir().unwrap();
    run(jinsi().arg("generate").arg(share.path()));
    let page = fs::read_to_string(share.path().join("man/man1/jinsi.1")).unwrap();
    let page = page.replace("\\-", "-");
    for (status, says) in &statuses {
        let row = format!("| `{status}` | {says} |");
        assert!(manual.contains(&row), "docs/options.md has not: {row}");
        assert!(page.contains(says), "jinsi.1 has not: {says}");
    }
    let section = manual.split("### Exit statuses").nth(1).unwrap();
    let rows = section.lines().take_while(|l| !l.starts_with("### "));
    assert_eq!(
        rows.filter(|l| l.starts_with("| `")).count(),
        statuses.len()
    );
}

/// The man pages have the options that the manual has.
#[test]
fn every_option_of_the_manual_is_in_the_man_pages() {
    let share = tempdir().unwrap();
    succeed(jinsi().arg("generate").arg(share.path()));
    let tables = tables(&manual());
    for command in commands() {
        let file = share.path().join(format!("man/man1/jinsi-{command}.1"));
        let page = fs::read_to_string(&file).unwrap().replace("\\-", "-");
        let heads = page.lines().filter(|l| l.starts_with("\\fB-"));
        let names = heads.filter_map(|head| {
            let long = head.split("\\fB").find(|part| part.starts_with("--"))?;
            Some(long.split("\\f").next()?.trim_end().to_owned())
        });
        let named: BTreeSet<String> = names.filter(|n| !COMMON.contains(&n.as_str())).collect();
        let documented = tables.get(&format!("jinsi {command}"));
        assert_eq!(named, documented.cloned().unwrap_or_default(), "{command}");
    }
}

/// The parameters of the Maven plugin are those of its page.
#[test]
fn every_parameter_of_the_maven_plugin_is_on_its_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = root.join("java-harness/maven-plugin/src/main/java/jinsi/maven");
    let mut named = BTreeSet::new();
    for entry in fs::read_dir(sources).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let found = text.split("property = \"").skip(1);
        named.extend(found.filter_map(|rest| Some(rest.split('"').next()?.to_owned())));
    }
    let page = fs::read_to_string(root.join("docs/maven.md")).unwrap();
    let second = page.lines().filter_map(|line| line.split('|').nth(2));
    let documented: BTreeSet<String> = second
        .filter_map(|cell| cell.trim().strip_prefix('`')?.strip_suffix('`'))
        .filter(|name| name.starts_with("jinsi."))
        .map(str::to_owned)
        .collect();
    assert_eq!(documented, named, "docs/maven.md");
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
