//! How it was recorded, and what it came to in numbers: behind all that says what to do.

use super::{LevelReport, Page, Report, TestOutcome, bytes, escape, number, seconds, simple};

impl Page {
    /// The numbers.
    pub(super) fn figures(&mut self, report: &Report) {
        self.raw("<h2>In figures</h2>\n");
        let done: Vec<&LevelReport> = report.levels.iter().filter(|l| l.minimized > 0).collect();
        // The one that is headlined: of the test to keep, if there is one.
        let best = done
            .iter()
            .max_by_key(|l| (l.interactions, std::cmp::Reverse(l.minimized)));
        let best = report.kept_level().or(best.copied());
        self.raw("<ul class=\"big\">\n");
        if let Some(level) = best {
            let text = format!(
                "{} → {}",
                number(level.interactions),
                number(level.minimized)
            );
            self.figure(&text, &format!("calls, level {}", level.level));
        }
        self.figure(
            &format!("{} of {}", done.len(), report.levels.len()),
            "levels minimized",
        );
        let reproducing = report
            .levels
            .iter()
            .filter(|l| l.test_outcome == Some(TestOutcome::Reproduces))
            .count();
        self.figure(&reproducing.to_string(), "unit tests that fail as recorded");
        self.figure(
            &number(report.levels.iter().map(|l| l.tests).sum()),
            "replays while minimizing",
        );
        self.figure(&seconds(report.seconds), "in all");
        self.raw("</ul>\n");
        self.staircase(report);
        self.times(report);
    }

    fn figure(&mut self, figure: &str, what: &str) {
        self.line(format_args!(
            "<li><b>{}</b><span>{}</span></li>",
            escape(figure),
            escape(what)
        ));
    }

    /// Recorded, sliced, minimal, a row a level. The bars are logarithmic: the numbers span four orders of magnitude.
    fn staircase(&mut self, report: &Report) {
        let largest = report
            .levels
            .iter()
            .map(|l| l.interactions)
            .max()
            .unwrap_or(0);
        let width = |n: u64| 75.0 * ((n + 1) as f64).ln() / ((largest + 1) as f64).ln().max(1.0);
        self.raw("<h3>Levels</h3>\n<p class=\"dim\">");
        self.raw("Bars are logarithmic: calls recorded, those that share objects with the failure, those left.</p>\n");
        self.raw("<div class=\"card stairs\">\n");
        for level in &report.levels {
            let n = level.level;
            let name = escape(simple(&level.name));
            self.line(format_args!(
                "<a class=\"badge\" href=\"#level-{n}\">{n}</a><span class=\"name\">{name}</span>"
            ));
            self.raw("<div class=\"bars\">\n");
            if level.minimized == 0 {
                self.line(format_args!(
                    "<div class=\"bar\"><span>{}</span></div>",
                    if level.stopped.is_some() {
                        "stopped"
                    } else {
                        "not replayable"
                    }
                ));
            } else {
                let rows = [
                    (level.interactions, "b1", "recorded"),
                    (
                        level.after_event_slice,
                        "b2",
                        "share objects with the failure",
                    ),
                    (level.minimized, "b3", "left"),
                ];
                for (n, class, what) in rows {
                    let (width, n) = (width(n), number(n));
                    self.line(format_args!(
                        "<div class=\"bar\"><i class=\"{class}\" style=\"width:{width:.1}%\"></i><b>{n}</b><span>{what}</span></div>"
                    ));
                }
            }
            self.raw("</div>\n");
        }
        self.raw("</div>\n");
    }

    fn times(&mut self, report: &Report) {
        if report.parts.is_empty() {
            return;
        }
        let longest = report
            .parts
            .iter()
            .map(|p| p.seconds)
            .fold(0.0, f64::max)
            .max(f64::MIN_POSITIVE);
        self.raw("<h3>Time</h3>\n<div class=\"card\">\n<table>\n");
        for part in &report.parts {
            let width = 75.0 * part.seconds / longest;
            self.line(format_args!(
                "<tr><td class=\"fit\">{}</td><td><div class=\"bar\"><i class=\"b2\" style=\"width:{width:.1}%\"></i><b>{}</b></div></td></tr>",
                escape(&part.name),
                seconds(part.seconds)
            ));
        }
        self.raw("</table>\n</div>\n");
    }

    /// How it was recorded.
    pub(super) fn recording(&mut self, report: &Report) {
        let c = &report.capture;
        self.line(format_args!(
            "<h2>How it was recorded</h2>\n<div class=\"card recorded\">\n<p>Recorded {} events in {} ({} on disk); {} classes rewritten. Trace: <code>{}</code></p>",
            number(c.events),
            seconds(c.seconds),
            bytes(c.bytes),
            number(c.classes_rewritten),
            escape(&report.trace)
        ));
        self.raw(
            "<p>To click through the run: <code>jinsi view</code> and the directory of this page.</p>\n",
        );
        if let Some(events) = c.expanded_events {
            self.line(format_args!(
                "<p>The program was recorded lightly: only calls into and out of the observed classes. A replay computed the rest, {} events in all.</p>",
                number(events)
            ));
        }
        if let Some(why) = &c.not_expanded {
            self.line(format_args!(
                "<p>The program was recorded lightly: only calls into and out of the observed classes. A replay could not compute the rest, so there is one level: {}</p>",
                escape(why)
            ));
        }
        if let Some(why) = &c.recorded_once_more {
            self.line(format_args!(
                "<p>The program was run twice. The first, light recording could not be replayed: {}</p>",
                escape(why)
            ));
        }
        if let Some(second) = &report.second_try {
            self.line(format_args!("<p>{}</p>", escape(&second.sentence())));
        }
        if !c.classes_skipped.is_empty() {
            let list: Vec<String> = c
                .classes_skipped
                .iter()
                .map(|s| format!("<code>{}</code>", escape(s)))
                .collect();
            self.line(format_args!(
                "<p>Could not be observed: {}</p>",
                list.join(", ")
            ));
        }
        self.raw("</div>\n");
    }
}
