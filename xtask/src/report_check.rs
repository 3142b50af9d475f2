//! `report.html` in a real browser, without a window: light and dark, wide and narrow.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use jinsi_jdk::process::{self, Finished};

use jinsi_repository as repository;

/// Names of browsers that this task knows how to run, in order of preference.
const BROWSERS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
/// Time for one page.
const LIMIT: Duration = Duration::from_secs(60);
/// Widths in pixels; the browser has no window narrower than 500.
const WIDTHS: [u32; 2] = [1200, 500];
/// The policy in the page, under which no other script runs than its own.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\"";
/// Measures the page and leaves the result as attributes of its body: is it dark, how far does it reach beyond the window, what is the worst
/// contrast of a text with its background (WCAG 2.1, §1.4.3 asks for 4.5).
const PROBE: &str = include_str!("report_check/probe.js");
/// What that contrast has to be.
const CONTRAST: f64 = 4.5;

/// What is checked.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The pages (default: that of a small program, made now)
    #[arg(value_name = "FILE")]
    pages: Vec<PathBuf>,
    /// Keep the pictures in this directory
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
}

/// Checks the pages; true without a browser, too, which is said.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let Some(browser) = find() else {
        println!("skipped: none of {} is on the PATH", BROWSERS.join(", "));
        return Ok(true);
    };
    let directory = tempfile::tempdir()?;
    let pages = match arguments.pages.as_slice() {
        [] => vec![small_report(directory.path())?],
        pages => pages.to_vec(),
    };
    let mut good = true;
    for (number, page) in pages.iter().enumerate() {
        for width in WIDTHS {
            for dark in [false, true] {
                let view = View {
                    browser: &browser,
                    profile: directory.path().join("profile"),
                    width,
                    dark,
                };
                let name = format!("{}-{}.png", number + 1, view.name());
                let picture = arguments.pictures.as_ref().map(|d| d.join(name));
                let faults = view.check(page, directory.path(), picture.as_deref())?;
                let verdict = if faults.is_empty() { "good" } else { "BAD" };
                println!("{verdict:<5} {:<10} {}", view.name(), page.display());
                faults.iter().for_each(|fault| println!("      {fault}"));
                good &= faults.is_empty();
            }
        }
    }
    Ok(good)
}

/// A browser on the PATH.
pub(crate) fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let places: Vec<PathBuf> = env::split_paths(&path).collect();
    let all = BROWSERS
        .iter()
        .flat_map(|name| places.iter().map(move |p| p.join(name)));
    all.into_iter().find(|file| file.is_file())
}

/// The report of a small program with several levels.
fn small_report(directory: &Path) -> Result<PathBuf> {
    let jdk = jinsi_jdk::Jdk::find(None)?;
    let jinsi = repository::build_jinsi()?;
    let classes = directory.join("classes");
    let sources = repository::java_sources("tests/programs/vending")?;
    jinsi_jdk::compile::javac(&jdk, &sources, &[], &classes)?;
    let out = directory.join("report");
    let mut command = Command::new(jinsi);
    command
        .args(["debug", "--observe", "vending.*", "--out"])
        .arg(&out)
        .arg("--")
        .arg(jdk.java())
        .arg("-cp")
        .arg(&classes)
        .arg("vending.Main");
    let finished = process::run(&mut command, LIMIT * 2)?;
    ensure!(
        finished.status.success(),
        "jinsi debug: {}",
        finished.stderr
    );
    Ok(out.join("report.html"))
}

/// A window.
struct View<'a> {
    browser: &'a Path,
    profile: PathBuf,
    width: u32,
    dark: bool,
}

impl View<'_> {
    fn name(&self) -> String {
        format!(
            "{}-{}",
            self.width,
            if self.dark { "dark" } else { "light" }
        )
    }

    /// What is wrong with a page.
    fn check(&self, page: &Path, scratch: &Path, picture: Option<&Path>) -> Result<Vec<String>> {
        let page = fs::canonicalize(page).with_context(|| format!("no {}", page.display()))?;
        let html = fs::read_to_string(&page)?;
        let mut faults = Vec::new();
        // As it is: nothing to complain of, and nothing is fetched.
        let shown = match picture {
            Some(file) => {
                fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
                self.open(&page, &format!("--screenshot={}", file.display()))?
            }
            None => self.open(&page, "--dump-dom")?,
        };
        let complaints = shown.stderr.lines().filter(|l| l.contains(":CONSOLE"));
        faults.extend(complaints.map(str::to_owned));
        // A copy that lets a script measure.
        let at = html
            .find(POLICY)
            .context("the page has no content policy")?;
        let end = at + html[at..].find('>').context("the page is cut off")? + 1;
        let body = html.rfind("</body>").context("the page is cut off")?;
        let copy = scratch.join("measured.html");
        let measured = format!(
            "{}{}<script>{PROBE}</script>{}",
            &html[..at],
            &html[end..body],
            &html[body..]
        );
        fs::write(&copy, measured)?;
        faults.extend(self.faults(&self.open(&copy, "--dump-dom")?.stdout)?);
        Ok(faults)
    }

    fn open(&self, page: &Path, what: &str) -> Result<Finished> {
        let mut command = Command::new(self.browser);
        command
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
            ])
            .args(["--enable-logging=stderr", "--v=0"])
            .arg(format!("--user-data-dir={}", self.profile.display()))
            .arg(format!("--window-size={},3000", self.width))
            // 0 is dark, 1 is light.
            .arg(format!(
                "--blink-settings=preferredColorScheme={}",
                u8::from(!self.dark)
            ))
            .arg(what)
            .arg(format!("file://{}", page.display()));
        let finished = process::run(&mut command, LIMIT)?;
        if !finished.status.success() {
            bail!("{}: {}", self.browser.display(), finished.stderr);
        }
        Ok(finished)
    }

    /// What the measured page (its document as the browser has it) says.
    fn faults(&self, document: &str) -> Result<Vec<String>> {
        let value = |name: &str| -> Result<&str> {
            let key = format!("data-{name}=\"");
            let from = document.rfind(&key).context("the page was not measured")? + key.len();
            Ok(document[from..].split('"').next().unwrap_or_default())
        };
        let mut faults = Vec::new();
        if value("dark")? != self.dark.to_string() {
            faults.push("the browser did not take the colours it was asked for".to_owned());
        }
        if value("over")? != "0" {
            faults.push(format!(
                "it reaches {} pixels beyond the window",
                value("over")?
            ));
        }
        if value("contrast")?.parse::<f64>()? < CONTRAST {
            faults.push(format!(
                "the contrast of “{}” is {}",
                value("faintest")?,
                value("contrast")?
            ));
        }
        Ok(faults)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(dark: bool) -> View<'static> {
        View {
            browser: Path::new("no browser"),
            profile: PathBuf::new(),
            width: 500,
            dark,
        }
    }

    #[test]
    fn a_measured_page_is_judged() {
        let page = |dark: bool, over: u32, contrast: f64| {
            format!(
                "<body data-dark=\"{dark}\" data-over=\"{over}\" data-contrast=\"{contrast}\" data-faintest=\"x\">"
            )
        };
        let faults = |text: String| view(true).faults(&text).unwrap().len();
        assert_eq!(faults(page(true, 0, 4.6)), 0);
        assert_eq!(faults(page(true, 3, 4.6)), 1);
        assert_eq!(faults(page(false, 3, 4.4)), 3);
        assert!(view(true).faults("<body>").is_err());
    }
}
