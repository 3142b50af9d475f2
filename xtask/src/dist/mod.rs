//! `cargo xtask dist`: what a user installs. `xtask/RELEASES.md` says how a release is made of it.

mod archive;
mod check;
mod commit;
mod debian;
mod licences;
mod maven;
mod natives;
mod packages;
mod sbom;
mod tree;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use commit::Commit;
use jinsi_repository::{self as repository, doctor};
use natives::Natives;
use tree::{DATA, PROGRAM, Tree};

/// The version of everything that is packed.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Documents that go with it.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
/// Checksums of all other files.
const SUMS: &str = "SHA256SUMS";

/// Options of the command.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Install it into an empty Debian and use it there, and resolve the plugins from the repository alone
    ///
    /// Needs root, `debootstrap` and `unshare`. Leaves target/dist-check. Exit status 1 if a line says VIOLATED.
    #[arg(long)]
    check: bool,
    /// Only that check, of what an earlier run left
    #[arg(long)]
    only_check: bool,
    /// Pack although files differ from the commit
    #[arg(long)]
    changed: bool,
}

/// Where everything is left.
struct Packed {
    directory: PathBuf,
}

impl Packed {
    fn place() -> Packed {
        let directory = repository::root().join("target/distribution");
        Packed { directory }
    }

    /// Name of the archive without its ending, and of the directory in it.
    fn name() -> String {
        format!("jinsi-{VERSION}-linux-x86_64")
    }

    fn archive(&self) -> PathBuf {
        self.directory.join(format!("{}.tar.gz", Packed::name()))
    }

    fn package(&self) -> PathBuf {
        let name = format!("jinsi_{VERSION}_{}.deb", debian::ARCHITECTURE);
        self.directory.join(name)
    }

    /// The repository of Maven and Gradle.
    fn repository(&self) -> PathBuf {
        self.directory.join("maven")
    }
}

/// Builds, packs, and checks if asked to; `false` if a check does not hold.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let jdk = doctor::check(None, &doctor::FOR_DEMO)?;
    let packed = Packed::place();
    if !arguments.only_check {
        pack(&packed, arguments.changed)?;
    }
    if arguments.check || arguments.only_check {
        return check::run(&packed, &jdk);
    }
    Ok(true)
}

fn pack(packed: &Packed, changed: bool) -> Result<()> {
    let commit = Commit::checked_out(changed)?;
    let natives = Natives::build()?;
    let files = files(&natives)?;
    let prefix = format!("{}/", Packed::name());
    let archive = archive::tar_gz(&files, &prefix, commit.epoch)?;
    let package = debian::package(&files, VERSION, commit.epoch)?;
    let repository = maven::repository(natives.directory()?, VERSION)?;

    let directory = &packed.directory;
    if directory.exists() {
        fs::remove_dir_all(directory)
            .with_context(|| format!("cannot remove {}", directory.display()))?;
    }
    let mut all = Tree::default();
    all.add(name(&packed.archive()), DATA, archive);
    all.add(name(&packed.package()), DATA, package);
    for (path, file) in repository.files() {
        all.add(format!("maven/{path}"), DATA, file.bytes.as_slice());
    }
    all.add(SUMS, DATA, sums(&all)?);
    write(&all, directory)?;
    for path in [packed.archive(), packed.package()] {
        println!("{:>10} bytes  {}", fs::metadata(&path)?.len(), name(&path));
    }
    println!("{:>10} bytes  maven/", repository.bytes());
    println!("all of it is in {}", directory.display());
    Ok(())
}

fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// What is installed, as it lies below `/usr` or in the archive.
fn files(natives: &Natives) -> Result<Tree> {
    let mut files = Tree::default();
    files.add_file("bin/jinsi", PROGRAM, &natives.command)?;
    files.add_file("bin/jinsi-query", PROGRAM, &natives.query)?;
    files.add_file("lib/jinsi/libjinsi.so", DATA, &natives.agent)?;
    let share = tempfile::tempdir()?;
    let mut generate = Command::new(&natives.command);
    generate.arg("generate").arg(share.path());
    // The list of files is of no interest here.
    repository::run(generate.stdout(std::process::Stdio::null()))?;
    files.add_directory("share", share.path())?;
    for document in DOCUMENTS {
        let from = repository::root().join(document);
        files.add_file(format!("share/doc/jinsi/{document}"), DATA, &from)?;
    }
    let packages = packages::linked()?;
    let licences = licences::text(&packages)?;
    files.add("share/doc/jinsi/THIRD-PARTY-LICENSES", DATA, licences);
    let materials = sbom::document(&packages, VERSION, &said(&natives.command)?);
    let materials = serde_json::to_string_pretty(&materials)? + "\n";
    files.add("share/doc/jinsi/sbom.cdx.json", DATA, materials);
    Ok(files)
}

/// What the command says of its version.
fn said(command: &Path) -> Result<String> {
    let output = Command::new(command).arg("--version").output()?;
    ensure!(
        output.status.success(),
        "{} --version fails",
        command.display()
    );
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Checksums in the form that `sha256sum --check` reads.
fn sums(tree: &Tree) -> Result<String> {
    let mut text = String::new();
    for (path, file) in tree.files() {
        writeln!(text, "{}  {path}", maven::hex(&Sha256::digest(&file.bytes)))?;
    }
    Ok(text)
}

fn write(tree: &Tree, directory: &Path) -> Result<()> {
    for (path, file) in tree.files() {
        let to = directory.join(path);
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent)
                .with_context(|| format!("cannot create {}", parent.display()))?;
        }
        fs::write(&to, &file.bytes).with_context(|| format!("cannot write {}", to.display()))?;
    }
    Ok(())
}
