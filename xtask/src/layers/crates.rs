//! The crates of the workspace, and which of them depend on which.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// The rooms, and which others each may know. A crate lies in the room whose directory it is below; the root is the command line.
const ROOMS: [(&str, &[&str]); 9] = [
    ("classfile", &[]),
    ("platform", &[]),
    ("trace", &["platform"]),
    ("agent", &["classfile", "platform", "trace"]),
    ("analysis", &["classfile", "platform", "trace"]),
    ("frontends", &["analysis", "classfile", "platform", "trace"]),
    (
        "",
        &[
            "agent",
            "analysis",
            "classfile",
            "frontends",
            "platform",
            "trace",
        ],
    ),
    ("xtask", &["analysis", "platform"]),
    (
        "evaluation",
        &[
            "",
            "agent",
            "analysis",
            "classfile",
            "frontends",
            "platform",
            "trace",
            "xtask",
        ],
    ),
];

/// A crate of the workspace.
pub(super) struct Crate {
    pub(super) name: String,
    /// What its manifest says that it is.
    pub(super) what: String,
    /// Below the root, `""` for the root's own.
    pub(super) place: String,
    pub(super) directory: PathBuf,
    /// Names of the workspace's crates that it depends on, but for its tests.
    pub(super) knows: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    #[serde(default)]
    description: Option<String>,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
    path: Option<PathBuf>,
}

/// Asks `cargo metadata`.
pub(super) fn all(root: &Path) -> Result<Vec<Crate>> {
    let output = Command::new("cargo")
        .current_dir(root)
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .output()
        .context("cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata fails");
    let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    let mut crates = Vec::new();
    for package in metadata.packages {
        let directory = package.manifest_path.parent().context("a manifest")?;
        let place = directory.strip_prefix(root)?;
        let inner = |d: &Dependency| d.path.is_some() && d.kind.is_none();
        crates.push(Crate {
            name: package.name,
            what: package.description.unwrap_or_default(),
            place: place.display().to_string(),
            directory: directory.to_owned(),
            knows: package
                .dependencies
                .into_iter()
                .filter(inner)
                .map(|d| d.name)
                .collect(),
        });
    }
    crates.sort_by(|a, b| a.place.cmp(&b.place));
    Ok(crates)
}

/// The room that a crate lies in.
fn room(place: &str) -> &str {
    place.split('/').next().unwrap_or_default()
}

/// Dependences that lead out of a room to one that it may not know.
pub(super) fn upward(crates: &[Crate]) -> Vec<String> {
    let mut wrong = Vec::new();
    for one in crates {
        let own = room(&one.place);
        let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == own) else {
            wrong.push(format!("{} lies in no room of the plan", one.place));
            continue;
        };
        for other in crates
            .iter()
            .filter(|other| one.knows.contains(&other.name))
        {
            let theirs = room(&other.place);
            if theirs != own && !allowed.contains(&theirs) {
                wrong.push(format!("{} depends upward, on {}", one.name, other.name));
            }
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(place: &str, knows: &[&str]) -> Crate {
        Crate {
            name: place.replace('/', "-"),
            what: String::new(),
            place: place.into(),
            directory: PathBuf::new(),
            knows: knows.iter().map(|name| (*name).into()).collect(),
        }
    }

    #[test]
    fn a_lower_room_knows_no_upper_one() {
        let crates = [
            named("trace", &[]),
            named("trace/events", &["trace"]),
            named("analysis/level", &["trace-events", "frontends-view"]),
            named("frontends/view", &["analysis-level"]),
            named("cellar", &[]),
        ];
        assert_eq!(
            upward(&crates),
            [
                "analysis-level depends upward, on frontends-view",
                "cellar lies in no room of the plan",
            ]
        );
    }

    #[test]
    fn rooms_know_only_rooms_before_them() {
        for (at, (_, knows)) in ROOMS.iter().enumerate() {
            let before: Vec<_> = ROOMS[..at].iter().map(|(name, _)| *name).collect();
            assert!(knows.iter().all(|name| before.contains(name)));
        }
    }
}
