//! The table of crates in ARCHITECTURE.md.

use std::fmt::Write as _;

use anyhow::{Context, Result};

use super::crates::Crate;

const BEGIN: &str = "<!-- begin: cargo xtask layers --write -->\n";
const END: &str = "<!-- end -->";

/// A row for each crate: where it is, what it is, and which others it needs beside what these need themselves.
pub(super) fn of(crates: &[Crate]) -> String {
    let mut table = String::from("| crate | what it is | knows |\n| --- | --- | --- |\n");
    for one in crates {
        let place = if one.place.is_empty() {
            "src"
        } else {
            &one.place
        };
        let _ = writeln!(
            table,
            "| `{place}` | {} | {} |",
            one.what,
            knows(one, crates)
        );
    }
    table
}

/// Without those that another one of them brings along.
fn knows(one: &Crate, crates: &[Crate]) -> String {
    let direct: Vec<&Crate> = crates
        .iter()
        .filter(|c| one.knows.contains(&c.name))
        .collect();
    let brought = |name: &str| direct.iter().any(|other| reaches(other, name, crates));
    let left = direct.iter().filter(|c| !brought(&c.name));
    let names = left.map(|c| c.name.strip_prefix("jinsi-").unwrap_or(&c.name));
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.is_empty() {
        true => "–".into(),
        false => names.join(", "),
    }
}

fn reaches(from: &Crate, name: &str, crates: &[Crate]) -> bool {
    from.knows.contains(name)
        || crates
            .iter()
            .filter(|c| from.knows.contains(&c.name))
            .any(|c| reaches(c, name, crates))
}

/// The page with the table in its place.
pub(super) fn with(page: &str, table: &str) -> Result<String> {
    let (before, rest) = page
        .split_once(BEGIN)
        .context("ARCHITECTURE.md has no place for the table of crates")?;
    let (_, after) = rest
        .split_once(END)
        .context("the table of crates in ARCHITECTURE.md has no end")?;
    Ok(format!("{before}{BEGIN}{table}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn named(name: &str, knows: &[&str]) -> Crate {
        Crate {
            name: name.into(),
            what: format!("What {name} is."),
            place: name.into(),
            directory: PathBuf::new(),
            knows: knows.iter().map(|name| (*name).into()).collect(),
        }
    }

    #[test]
    fn what_others_bring_along_is_left_out() {
        let crates = [named("a", &[]), named("b", &["a"]), named("c", &["a", "b"])];
        let table = of(&crates);
        let rows: Vec<_> = table.lines().skip(2).collect();
        assert_eq!(
            rows,
            [
                "| `a` | What a is. | – |",
                "| `b` | What b is. | `a` |",
                "| `c` | What c is. | `b` |",
            ]
        );
    }

    #[test]
    fn only_the_table_is_written_anew() {
        let page = format!("before\n{BEGIN}old\n{END}\nafter\n");
        assert_eq!(
            with(&page, "new\n").unwrap(),
            format!("before\n{BEGIN}new\n{END}\nafter\n")
        );
        assert!(with("no table", "new").is_err());
    }
}
