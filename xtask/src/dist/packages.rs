//! Crates that are linked into the command or the agent, as cargo knows them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use jinsi_repository as repository;

/// The only platform there is.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// What is given away, of one workspace.
struct Given {
    package: &'static str,
    /// Where the workspace has its lock file.
    lock: &'static str,
    /// Says to cargo which workspace.
    workspace: &'static [&'static str],
}

/// The command, with the agent.
const COMMAND: Given = Given {
    package: "jinsi",
    lock: "Cargo.lock",
    workspace: &[],
};
/// The engine of queries.
const QUERY: Given = Given {
    package: "jinsi-query",
    lock: "frontends/query/engine/Cargo.lock",
    workspace: &repository::QUERY,
};

/// One crate.
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// Licence as its manifest has it, but in the form of SPDX.
    pub(super) licence: Option<String>,
    pub(super) repository: Option<String>,
    /// Where its sources lie.
    pub(super) directory: PathBuf,
    /// SHA-256 of the archive on crates.io; `None` if it is of this repository.
    pub(super) checksum: Option<String>,
    /// Names and versions of what it is linked with.
    pub(super) needs: Vec<String>,
}

impl Package {
    /// Name and version, which name it once.
    pub(super) fn id(&self) -> String {
        id(&self.name, &self.version)
    }

    /// Is it somebody else's?
    pub(super) fn is_foreign(&self) -> bool {
        self.checksum.is_some()
    }
}

fn id(name: &str, version: &str) -> String {
    format!("{name}@{version}")
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Described>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Described {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    repository: Option<String>,
    manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

/// The crates, sorted by name and version; those that are given away are among them.
pub(super) fn linked() -> Result<Vec<Package>> {
    let mut all = COMMAND.linked()?;
    all.extend(QUERY.linked()?);
    all.sort_by_key(Package::id);
    all.dedup_by_key(|package| package.id());
    Ok(all)
}

impl Given {
    fn linked(&self) -> Result<Vec<Package>> {
        let mut metadata = vec!["metadata", "--locked", "--format-version", "1"];
        metadata.extend(["--filter-platform", TARGET]);
        metadata.extend(self.workspace);
        let metadata = said(&metadata)?;
        let lock = fs::read_to_string(repository::root().join(self.lock))?;
        of(
            self.package,
            &serde_json::from_slice(&metadata)?,
            &self.in_the_tree()?,
            &checksums(&lock),
        )
    }

    /// The crates that are linked, by name and version. The metadata has more: features that only tests ask for are on in all of it.
    fn in_the_tree(&self) -> Result<BTreeSet<String>> {
        let mut tree = vec!["tree", "--locked", "--package", self.package];
        tree.extend(["--target", TARGET]);
        tree.extend(["--edges", "normal,no-proc-macro", "--prefix", "none"]);
        tree.extend(["--format", "{p}"]);
        tree.extend(self.workspace);
        let text = String::from_utf8(said(&tree)?)?;
        let named = |line: &str| {
            let mut words = line.split_whitespace();
            Some(id(words.next()?, words.next()?.strip_prefix('v')?))
        };
        Ok(text.lines().filter_map(named).collect())
    }
}

/// What cargo writes to its standard output.
fn said(arguments: &[&str]) -> Result<Vec<u8>> {
    let output = repository::cargo()
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    ensure!(
        output.status.success(),
        "cargo does not describe the workspace"
    );
    Ok(output.stdout)
}

fn of(
    root: &str,
    metadata: &Metadata,
    tree: &BTreeSet<String>,
    checksums: &BTreeMap<String, String>,
) -> Result<Vec<Package>> {
    let described: BTreeMap<&str, &Described> = metadata
        .packages
        .iter()
        .map(|p| (p.id.as_str(), p))
        .collect();
    let nodes: BTreeMap<&str, &Node> = metadata
        .resolve
        .nodes
        .iter()
        .map(|n| (n.id.as_str(), n))
        .collect();
    let root = metadata.packages.iter().find(|p| p.name == root);
    let mut open = vec![
        root.context("the workspace has not the package")?
            .id
            .as_str(),
    ];
    let mut seen = BTreeSet::new();
    let mut packages = Vec::new();
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        let package = described[next];
        let needs: Vec<&str> = nodes[next]
            .deps
            .iter()
            .filter(|d| d.dep_kinds.iter().any(|k| k.kind.is_none()))
            .map(|d| d.pkg.as_str())
            .filter(|pkg| !is_macro(described[pkg]))
            .filter(|pkg| tree.contains(&id(&described[pkg].name, &described[pkg].version)))
            .collect();
        open.extend(&needs);
        packages.push(package_of(package, &needs, &described, checksums));
    }
    packages.sort_by_key(Package::id);
    Ok(packages)
}

/// Macros run in the compiler; what they need is not linked.
fn is_macro(package: &Described) -> bool {
    let mut kinds = package.targets.iter().flat_map(|t| &t.kind);
    kinds.any(|kind| kind == "proc-macro")
}

fn package_of(
    package: &Described,
    needs: &[&str],
    described: &BTreeMap<&str, &Described>,
    checksums: &BTreeMap<String, String>,
) -> Package {
    let needs = needs.iter().map(|pkg| described[pkg]);
    let mut needs: Vec<String> = needs.map(|p| id(&p.name, &p.version)).collect();
    needs.sort();
    Package {
        name: package.name.clone(),
        version: package.version.clone(),
        licence: package.license.as_deref().map(spdx),
        repository: package.repository.clone(),
        directory: package.manifest_path.with_file_name(""),
        checksum: checksums.get(&id(&package.name, &package.version)).cloned(),
        needs,
    }
}

/// Old manifests have a slash where SPDX has `OR`.
fn spdx(licence: &str) -> String {
    licence
        .split('/')
        .map(str::trim)
        .collect::<Vec<_>>()
        .join(" OR ")
}

/// Checksums in a lock file, by name and version.
fn checksums(lock: &str) -> BTreeMap<String, String> {
    let value = |block: &str, key: &str| {
        let lines = block.lines();
        let text = lines.filter_map(|l| {
            l.strip_prefix(key)?
                .strip_prefix(" = \"")?
                .strip_suffix('"')
        });
        text.map(str::to_owned).next()
    };
    let blocks = lock.split("[[package]]").skip(1);
    blocks
        .filter_map(|block| {
            let id = id(&value(block, "name")?, &value(block, "version")?);
            Some((id, value(block, "checksum")?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_linked_has_a_licence_and_a_source() {
        let packages = COMMAND.linked().unwrap();
        let named = |name: &str| packages.iter().find(|p| p.name == name);
        let jinsi = named("jinsi").unwrap();
        assert!(!jinsi.is_foreign());
        assert!(jinsi.needs.iter().any(|id| id.starts_with("clap@")));
        assert!(named("zstd-sys").unwrap().is_foreign());
        // A dependency of tests, a macro, and a tool of the build.
        for absent in ["proptest", "serde_derive", "cc", "xtask"] {
            assert!(named(absent).is_none(), "{absent}");
        }
        assert!(packages.iter().all(|p| p.licence.is_some()));
        assert!(packages.iter().all(|p| p.directory.is_dir()));
    }

    #[test]
    fn old_licences_are_written_anew() {
        assert_eq!(spdx("MIT/Apache-2.0"), "MIT OR Apache-2.0");
        assert_eq!(spdx("Unlicense / MIT"), "Unlicense OR MIT");
        assert_eq!(spdx("MIT OR Zlib"), "MIT OR Zlib");
    }

    #[test]
    fn a_lock_file_has_checksums_of_what_is_foreign() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"ff\"\n\n\
                    [[package]]\nname = \"own\"\nversion = \"0.1.0\"\n";
        let found = checksums(lock);
        assert_eq!(found.get("a@1.0.0").map(String::as_str), Some("ff"));
        assert_eq!(found.len(), 1);
    }
}
