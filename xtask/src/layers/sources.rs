//! The modules of a crate, and which of them know each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Result;

use super::paths;

/// A source file: the path of its module from the root of the crate, and its text.
pub(super) struct Source {
    module: Vec<String>,
    text: String,
}

/// The source files of a crate's library or program, without those of tests.
pub(super) fn of(directory: &Path) -> Result<Vec<Source>> {
    let mut found = Vec::new();
    let sources = directory.join("src");
    if sources.is_dir() {
        collect(&sources, &[], &mut found)?;
    }
    Ok(found)
}

fn collect(directory: &Path, module: &[String], found: &mut Vec<Source>) -> Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let Some(name) = path.file_stem().and_then(|name| name.to_str()) else {
            continue;
        };
        if name == "tests" {
            continue;
        }
        let mut inner = module.to_vec();
        if path.is_dir() {
            inner.push(name.to_owned());
            collect(&path, &inner, found)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            if !["lib", "main", "mod"].contains(&name) {
                inner.push(name.to_owned());
            }
            found.push(Source {
                module: inner,
                text: fs::read_to_string(&path)?,
            });
        }
    }
    Ok(())
}

/// Circles among modules that lie beside each other, each with all that is below it.
pub(super) fn circles(sources: &[Source]) -> Vec<String> {
    let modules: BTreeSet<&[String]> = sources.iter().map(|s| &*s.module).collect();
    let mut aliases: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for source in sources {
        for (name, path) in paths::re_exported(&source.text) {
            if let Some(target) = absolute(&source.module, &path, &modules) {
                let mut alias = source.module.clone();
                alias.push(name);
                aliases.insert(alias, target);
            }
        }
    }
    // Edges between modules of one directory: (their parent, the one, the other).
    let mut edges: BTreeMap<Vec<String>, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for source in sources {
        for path in paths::named(&source.text) {
            let Some(path) = absolute(&source.module, &path, &modules) else {
                continue;
            };
            let target = resolved(path, &aliases, &modules);
            let common = source
                .module
                .iter()
                .zip(&target)
                .take_while(|(a, b)| a == b)
                .count();
            if let (Some(from), Some(to)) = (source.module.get(common), target.get(common)) {
                let siblings = edges.entry(target[..common].to_vec()).or_default();
                siblings.entry(from.clone()).or_default().insert(to.clone());
            }
        }
    }
    let mut found = Vec::new();
    for (parent, siblings) in &edges {
        for circle in strongly_connected(siblings) {
            let place = match parent.is_empty() {
                true => "the crate's root".to_owned(),
                false => parent.join("::"),
            };
            found.push(format!(
                "in {place} these know each other both ways: {}",
                circle.join(", ")
            ));
        }
    }
    found
}

/// The path from the root of the crate; none if it leads out of the crate.
fn absolute(
    module: &[String],
    path: &[String],
    modules: &BTreeSet<&[String]>,
) -> Option<Vec<String>> {
    let mut at = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "self" => module.to_vec(),
        "super" => module.split_last()?.1.to_vec(),
        // A child of this module, in a `use`.
        child => {
            let mut inner = module.to_vec();
            inner.push(child.to_owned());
            modules.contains(&*inner).then_some(())?;
            inner
        }
    };
    for name in &path[1..] {
        match name.as_str() {
            "super" => {
                at.pop();
            }
            "self" => {}
            name => at.push(name.to_owned()),
        }
    }
    Some(at)
}

/// The module that a path leads to, by what modules make public of others.
fn resolved(
    mut path: Vec<String>,
    aliases: &BTreeMap<Vec<String>, Vec<String>>,
    modules: &BTreeSet<&[String]>,
) -> Vec<String> {
    const MOST: usize = 16;
    for _ in 0..MOST {
        let alias = (1..=path.len()).rev().find_map(|length| {
            let target = aliases.get(&path[..length])?;
            (*target != path[..length]).then(|| [target, &path[length..]].concat())
        });
        match alias {
            Some(next) => path = next,
            None => break,
        }
    }
    while !path.is_empty() && !modules.contains(&*path) {
        path.pop();
    }
    path
}

/// Sets of at least two that all lead to each other.
fn strongly_connected(edges: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let reached = |from: &String| {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(one) = open.pop() {
            for next in edges.get(one).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let all: BTreeMap<&String, BTreeSet<String>> = edges.keys().map(|k| (k, reached(k))).collect();
    let mut found: Vec<Vec<String>> = Vec::new();
    for (one, reach) in &all {
        let mutual = |other: &String| all.get(other).is_some_and(|back| back.contains(*one));
        let circle: Vec<String> = reach.iter().filter(|o| mutual(o)).cloned().collect();
        if circle.len() > 1 && !found.contains(&circle) {
            found.push(circle);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(module: &str, text: &str) -> Source {
        Source {
            module: module
                .split("::")
                .filter(|n| !n.is_empty())
                .map(str::to_owned)
                .collect(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn circles_are_found_through_what_is_made_public() {
        let sources = [
            source("", "mod a; mod b; pub use b::Thing;"),
            source("a", "use crate::Thing;"),
            source("b", "use crate::a::f;"),
            source("b::inner", "use super::g;"),
        ];
        assert_eq!(
            circles(&sources),
            ["in the crate's root these know each other both ways: a, b"]
        );
    }

    #[test]
    fn a_module_and_what_is_below_it_are_one() {
        let sources = [
            source("", ""),
            source("a", "use self::inner::F;"),
            source("a::inner", "use super::G; use crate::b::H;"),
            source("b", ""),
        ];
        assert!(circles(&sources).is_empty());
    }
}
