//! `report.html`: the same as `report.json`, for people. One file, nothing is loaded from elsewhere, and one script, which copies a
//! test.

mod chain;
mod code;
mod damage;
mod explained;
mod figures;
pub mod index;
mod keep;
mod others;
mod slice;
mod stack;
mod suspects;

use std::fmt::Write;

use code::{Code, SCRIPT, SCRIPT_HASH};

use super::escape::escape;
use super::json::{Kept, LevelReport, RemovedRange, Report, TestOutcome};

const STYLE: &str = include_str!("html/style.css");

/// Left-out interactions that are listed one by one.
const LISTED: usize = 50;

/// The page. `tests` holds the unit test's source for each of the report's levels, and behind them for the links of its chain, as far as
/// there is one.
pub fn render(report: &Report, tests: &[Option<String>]) -> String {
    let mut page = Page { out: String::new() };
    page.head(report);
    page.summary(report);
    page.keep(report, tests);
    page.explanation(report.explanation.as_ref());
    page.chain(report, tests.get(report.levels.len()..).unwrap_or_default());
    page.stack(report);
    page.suspects(report);
    page.raw("<h2>All levels</h2>\n");
    page.raw("<p class=\"dim\">Level 1 tests the class that failed. Each further level adds the next class on the stack trace.</p>\n");
    for (i, level) in report.levels.iter().enumerate() {
        page.level(level, tests.get(i).and_then(Option::as_deref));
    }
    page.others(report);
    page.recording(report);
    page.figures(report);
    page.end();
    page.out
}

/// The attribute by which `jinsi view` leads from here to a moment of the run.
fn past(what: &str, which: &str) -> String {
    format!(" data-past=\"{what}={}\"", escape(which))
}

/// A qualified name or path as HTML, in elements: it may be broken where a part of it ends.
fn breakable(name: &str) -> String {
    let mut out = String::new();
    for part in name.split_inclusive(['.', '$', '/', '(']) {
        if !out.is_empty() {
            out.push_str("<wbr>");
        }
        out.push_str(&escape(part));
    }
    out
}

/// `14629` → `14,629`.
fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `1 test`, `2 tests`.
fn counted(n: u64, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {what}{plural}", number(n))
}

/// Seconds with a sensible number of digits.
fn seconds(s: f64) -> String {
    if s < 0.0995 {
        format!("{:.0} ms", s * 1000.0)
    } else if s < 10.0 {
        format!("{s:.1} s")
    } else {
        format!("{s:.0} s")
    }
}

fn bytes(n: u64) -> String {
    match n {
        0..10_000 => format!("{} bytes", number(n)),
        10_000..10_000_000 => format!("{} kB", number(n / 1000)),
        _ => format!("{} MB", number(n / 1_000_000)),
    }
}

fn simple(class: &str) -> &str {
    class
        .rsplit(['.', '$'])
        .find(|s| !s.is_empty())
        .unwrap_or(class)
}

/// What a stable name of `report.json` means: what happens without a call, or why a call is left out.
fn situation(name: &str) -> String {
    let text = match name {
        "passing" => "the failure is gone",
        // What belongs to a failure stays, so that the test expects what a right program gives.
        "failing" => "it still fails; kept, since it had a part in the failure",
        "stopped" => "not tried, the search was stopped",
        "receiver_missing" => "the object to call is missing",
        "argument_missing" => "an object to pass is missing",
        "other_exception" => "another exception is thrown",
        "never_recorded" => "a call is made that was not recorded",
        "no_alternative" => "a call is made more often than recorded",
        "null_receiver" => "a method is called on null",
        "other_receiver" => "another object is called than recorded",
        "other_array" => "another array is used than recorded",
        "harness" => "the replay could not be finished",
        "budget" => "the replay takes too many steps",
        "divergence" => "something else happens than recorded",
        "event_slice" => "shares no object with the failure",
        "minimization" => "the failure shows without it",
        other => return other.replace('_', " "),
    };
    text.to_owned()
}

struct Page {
    out: String,
}

impl Page {
    fn raw(&mut self, html: &str) {
        self.out.push_str(html);
    }

    fn line(&mut self, html: std::fmt::Arguments) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "{html}");
    }

    fn head(&mut self, report: &Report) {
        self.begin(&format!(
            "{}: {}",
            simple(report.failure.name()),
            report.failure.place()
        ));
    }

    fn begin(&mut self, title: &str) {
        let title = escape(title);
        self.line(format_args!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
        ));
        self.line(format_args!(
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
        ));
        let policy =
            format!("default-src 'none'; style-src 'unsafe-inline'; script-src '{SCRIPT_HASH}'");
        self.line(format_args!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">"
        ));
        self.line(format_args!(
            "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>"
        ));
    }

    fn end(&mut self) {
        self.line(format_args!("</main>\n<script>{SCRIPT}</script>"));
        self.raw("</body>\n</html>\n");
    }

    fn summary(&mut self, report: &Report) {
        let failure = &report.failure;
        self.line(format_args!(
            "<p class=\"kicker\">jinsi · reproduction of a recorded failure</p>"
        ));
        self.line(format_args!("<h1>{}</h1>", breakable(failure.name())));
        if let Some(message) = &failure.message {
            self.line(format_args!("<p class=\"message\">{}</p>", escape(message)));
        }
        self.line(format_args!(
            "<p class=\"dim mono\">{}</p>",
            breakable(failure.place())
        ));
        if let Some(test) = &failure.test {
            self.line(format_args!(
                "<p class=\"dim\">in the test <span class=\"mono\">{}</span></p>",
                breakable(test)
            ));
        }
        if let Some(why) = &report.stopped {
            let why = match why.as_str() {
                "interrupted" => "when it was interrupted",
                _ => "when its time was over",
            };
            self.line(format_args!(
                "<p class=\"stopped\">The search ended {why}: further levels are missing, and of the last one more could perhaps go.</p>"
            ));
        }
        self.damage(report);
    }

    fn level(&mut self, level: &LevelReport, test: Option<&str>) {
        let n = level.level;
        self.line(format_args!(
            "<details class=\"card level\"><summary class=\"head\"><span class=\"h3\">Level {n}: {}</span>",
            breakable(&level.name)
        ));
        self.badges(level);
        // A link to what is inside opens it.
        self.line(format_args!("</summary>\n<section id=\"level-{n}\">"));
        if level.minimized > 0 {
            self.outcome(level);
        } else if level.stopped.is_some() {
            self.raw("<p>The search was stopped before it began.</p>\n");
        } else {
            self.line(format_args!(
                "<p>Not replayable: {}</p>",
                escape(&level.strict_replay)
            ));
        }
        if let Some(test) = test {
            let file = level.test_file.as_deref().unwrap_or_default();
            self.line(format_args!(
                "<h3 class=\"small\">Unit test <code>{}</code></h3>",
                breakable(file)
            ));
            let id = format!("level-{n}-test");
            self.code(&Code {
                source: test,
                id: Some(&id),
            });
        }
        self.kept(&level.kept);
        self.left_out(level);
        self.details(level);
        self.raw("</section>\n</details>\n");
    }

    /// What is left of a minimized level, and what that needs.
    fn outcome(&mut self, level: &LevelReport) {
        let (left, all) = (number(level.minimized), number(level.interactions));
        let time = seconds(level.seconds);
        self.line(format_args!(
            "<p><b>{left}</b> of {all} recorded {} left, after {} in {time}: {} failed as recorded, {} passed, {} could not be judged.</p>",
            if level.interactions == 1 { "call is" } else { "calls are" },
            counted(level.tests, "replay"),
            number(level.failing),
            number(level.passing),
            number(level.unresolved)
        ));
        let mut needs = match level.answers {
            None => Vec::new(),
            Some(0) => vec!["It needs no recorded answers.".to_owned()],
            Some(n) => vec![format!(
                "{} for code outside of these classes.",
                match n {
                    1 => "It needs 1 recorded answer".to_owned(),
                    _ => format!("It needs {} recorded answers", number(n)),
                }
            )],
        };
        if let (Some(before), Some(after)) = (level.lines_recorded, level.lines_executed) {
            needs.push(format!(
                "It runs {} of these classes; the recorded run ran {}.",
                counted(after, "line"),
                number(before)
            ));
        }
        if !needs.is_empty() {
            self.line(format_args!("<p class=\"dim\">{}</p>", needs.join(" ")));
        }
        self.slice(level, false);
    }

    fn badges(&mut self, level: &LevelReport) {
        let mut badge = |class: &str, text: &str| {
            self.line(format_args!(
                "<span class=\"badge {class}\">{}</span>",
                escape(text)
            ));
        };
        match level.test_outcome {
            Some(TestOutcome::Reproduces) => badge("good", "test fails as recorded"),
            Some(TestOutcome::FailsOtherwise) => badge("bad", "test fails otherwise"),
            Some(TestOutcome::Passes) => badge("bad", "test passes"),
            Some(TestOutcome::DoesNotCompile) => badge("bad", "test does not compile"),
            Some(TestOutcome::NotRun) => badge("warn", "test not run"),
            None if level.stopped.is_some() => badge("warn", "no time"),
            None if level.minimized == 0 => badge("bad", "not replayable"),
            None => badge("bad", "no test"),
        }
        if let Some(form) = &level.test_form {
            badge("", form);
        }
        if level.widened {
            badge("", "more classes observed");
        }
        if level.stopped.is_some() {
            badge("warn", "stopped: more could perhaps go");
        }
        if level.resynchronized {
            badge("warn", "answers out of order");
        }
        if level.incomplete {
            badge("warn", "incomplete");
        }
    }

    /// The kept interactions. Those without which the failure is gone stand out, for that is where to look first (Burger 2011, chapter 5); the
    /// last one always is such a one, since it lets the failure out, and tells nothing.
    fn kept(&mut self, kept: &[Kept]) {
        if kept.is_empty() {
            return;
        }
        self.raw("<h3 class=\"small\">Calls left</h3>\n<table class=\"left\">\n<tr><th>no.</th><th>call</th><th>without it</th></tr>\n");
        for (i, k) in kept.iter().enumerate() {
            let passes = k.without == "passing";
            let look = passes && (i + 1 < kept.len() || kept.len() == 1);
            let class = if look { " class=\"look\"" } else { "" };
            let without = situation(&k.without);
            let past = k
                .call
                .as_ref()
                .map_or_else(String::new, |call| past("method", call));
            self.line(format_args!(
                "<tr{class}><td class=\"num\">{}</td><td><code{past}>{}</code></td><td class=\"fit\">{}</td></tr>",
                number(k.number),
                escape(&k.text),
                escape(&without)
            ));
        }
        self.raw("</table>\n");
    }

    /// The left-out interactions: a short list as it is, of a long one the beginning, and where the rest is.
    fn left_out(&mut self, level: &LevelReport) {
        if level.removed.is_empty() {
            return;
        }
        // Reports of earlier versions have no ranges, but list everything.
        let in_ranges: u64 = level.removed_ranges.iter().map(RemovedRange::count).sum();
        let count = in_ranges.max(level.removed.len() as u64);
        self.line(format_args!(
            "<details><summary>{} left out</summary>\n<table>",
            counted(count, "call")
        ));
        for removed in level.removed.iter().take(LISTED) {
            self.line(format_args!(
                "<tr><td class=\"num\">{}</td><td><code>{}</code></td><td class=\"fit dim\">{}</td></tr>",
                number(removed.number),
                escape(&removed.text),
                escape(&situation(&removed.by))
            ));
        }
        self.raw("</table>\n");
        let more = count.saturating_sub(LISTED as u64);
        if more > 0 {
            self.line(format_args!(
                "<p class=\"dim\">… and {} more: report.json has all their numbers, <code>jinsi events</code> shows them.</p>",
                number(more)
            ));
        }
        self.raw("</details>\n");
    }

    fn details(&mut self, level: &LevelReport) {
        if !level.unresolved_by_reason.is_empty() {
            self.line(format_args!(
                "<details><summary>Why replays could not be judged</summary>\n<table>"
            ));
            for (reason, n) in &level.unresolved_by_reason {
                let (reason, n) = (escape(&situation(reason)), number(*n));
                self.line(format_args!(
                    "<tr><td class=\"num\">{n}</td><td>{reason}</td></tr>"
                ));
            }
            self.raw("</table>\n</details>\n");
        }
        let observed = level
            .observed
            .iter()
            .map(|c| format!("<code>{}</code>", escape(c)));
        let observed: Vec<String> = observed.collect();
        let what = if observed.len() == 1 {
            "class"
        } else {
            "classes"
        };
        self.line(format_args!(
            "<details><summary>{} observed {what}</summary>\n<p>{}</p>\n</details>",
            observed.len(),
            observed.join(", ")
        ));
        if !level.shrunk.is_empty() {
            self.raw("<p>Values smaller than recorded:</p>\n<ul class=\"notes\">\n");
            for s in &level.shrunk {
                let line = format!(
                    "call {}, argument {}: {} instead of {}",
                    s.number, s.argument, s.shrunk, s.recorded
                );
                self.line(format_args!("<li>{}</li>", escape(&line)));
            }
            self.raw("</ul>\n");
        }
        if !level.notes.is_empty() {
            self.raw("<ul class=\"notes\">\n");
            for note in &level.notes {
                self.line(format_args!("<li>{}</li>", escape(note)));
            }
            self.raw("</ul>\n");
        }
    }
}

#[cfg(test)]
mod tests;
