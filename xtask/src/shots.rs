//! Pictures of the pages, made by a real browser, which also checks them: is the recommended test on the first screen, is anything cut off, does
//! axe-core find anything?

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use jinsi_repository as repository;

use super::report_check::find as find_browser;

/// What is run, by Node.js.
const SCRIPT: &str = include_str!("shots/shots.mjs");
/// What it needs of npm.
const PACKAGE: &str = include_str!("shots/package.json");

/// What is pictured.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A page of a failure (default: that of the demonstration, `cargo xtask demo`)
    #[arg(value_name = "FILE")]
    report: Option<PathBuf>,
    /// A page over the failed tests of a suite
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,
    /// Directory for the pictures (default: docs)
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
}

/// Makes the pictures; whether the pages are good.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let root = repository::root();
    let Some(browser) = find_browser() else {
        println!("skipped: there is no Chromium or Chrome on the PATH");
        return Ok(true);
    };
    let report = arguments.report.clone();
    let report = report.unwrap_or_else(|| root.join("target/demo/report.html"));
    if !report.is_file() {
        bail!(
            "{} is not there: 'cargo xtask demo' makes it",
            report.display()
        );
    }
    let pictures = arguments.pictures.clone();
    let pictures = pictures.unwrap_or_else(|| root.join("docs"));
    let tools = root.join("target/shots");
    fs::create_dir_all(&tools)?;
    fs::write(tools.join("package.json"), PACKAGE)?;
    fs::write(tools.join("shots.mjs"), SCRIPT)?;
    let mut npm = Command::new("npm");
    npm.current_dir(&tools)
        .args(["install", "--no-audit", "--no-fund", "--silent"]);
    let installed = npm
        .status()
        .context("cannot run npm, which is of Node.js")?;
    ensure!(installed.success(), "npm install: {installed}");

    let mut node = Command::new("node");
    node.current_dir(&tools)
        .arg("shots.mjs")
        .arg(browser)
        .arg(fs::canonicalize(pictures)?)
        .arg("report")
        .arg(fs::canonicalize(report)?);
    if let Some(index) = &arguments.index {
        node.arg("index").arg(fs::canonicalize(index)?);
    }
    Ok(node.status().context("cannot run node")?.success())
}
