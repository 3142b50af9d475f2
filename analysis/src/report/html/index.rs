//! The page over the failed tests of a suite: what failed, and the test to keep of each.

use super::{Page, breakable, counted, escape};
use crate::report::suite::{SuiteReport, TestReport};

/// The page. What it links to is beside it.
pub fn render(report: &SuiteReport) -> String {
    let mut page = Page { out: String::new() };
    let own = report.tests.iter().filter(|t| t.same_as.is_none());
    let kept = own.filter(|t| t.keep.is_some()).count() as u64;
    let failed = counted(report.tests.len() as u64, "failed test");
    page.begin(&failed);
    page.line(format_args!(
        "<p class=\"kicker\">jinsi · minimal tests of a test suite</p>\n<h1>{failed}</h1>"
    ));
    page.line(format_args!(
        "<p class=\"dim\">{} to keep.</p>",
        counted(kept, "test")
    ));
    for entry in &report.damage {
        let what = escape(&entry.to_string());
        page.line(format_args!("<p class=\"stopped\">Damaged: {what}</p>"));
    }
    for test in &report.tests {
        page.test(test);
    }
    page.end();
    page.out
}

impl Page {
    fn test(&mut self, test: &TestReport) {
        let name = breakable(&test.test);
        self.raw("<section class=\"card\">\n");
        match (&test.directory, &test.same_as) {
            (Some(own), None) => {
                let own = escape(own);
                self.line(format_args!(
                    "<h2 class=\"test\"><a href=\"{own}/report.html\">{name}</a></h2>"
                ));
            }
            _ => self.line(format_args!("<h2 class=\"test\">{name}</h2>")),
        }
        if let Some(failure) = &test.failure {
            let failure = escape(failure);
            self.line(format_args!("<p class=\"message\">{failure}</p>"));
        }
        if let Some(first) = &test.same_as {
            let first = breakable(first);
            self.line(format_args!(
                "<p class=\"dim\">Fails like <span class=\"mono\">{first}</span>.</p>"
            ));
        } else if let Some(keep) = &test.keep {
            let (href, keep) = (escape(keep), breakable(keep));
            let words = escape(test.keep_words.as_deref().unwrap_or_default());
            self.line(format_args!(
                "<p>{words}</p>\n<p><a href=\"{href}\"><code>{keep}</code></a></p>"
            ));
        } else if let Some(why) = &test.keep_why_not {
            let why = escape(why);
            self.line(format_args!("<p>{why}</p>"));
        }
        if let Some(second) = test.second_try.as_ref().filter(|_| test.same_as.is_none()) {
            let sentence = escape(&second.sentence());
            self.line(format_args!("<p class=\"dim\">{sentence}</p>"));
        }
        if let Some(why) = &test.why_not {
            let why = escape(why);
            self.line(format_args!("<p>{why}</p>"));
        }
        if test.incomplete {
            self.raw(
                "<p class=\"stopped\">Incomplete: something may be missing before the failure.</p>\n",
            );
        }
        self.raw("</section>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::second_try::SecondTry;

    #[test]
    fn each_test_is_on_the_page() {
        let kept = TestReport {
            test: "a.BTest.fails".into(),
            failure: Some("a.E: 1 < 2, at B.go(B.java:3)".into()),
            keep: Some("a.BTest.fails/tests/a/BLevel1Test.java".into()),
            keep_words: Some("plain Java: keep it".into()),
            directory: Some("a.BTest.fails".into()),
            ..TestReport::default()
        };
        let like = TestReport {
            test: "a.BTest.fails[2]".into(),
            same_as: Some(kept.test.clone()),
            ..kept.clone()
        };
        let small = TestReport {
            test: "a.DTest.fails".into(),
            keep_why_not: Some("It is <small>.".into()),
            directory: Some("a.DTest.fails".into()),
            ..TestReport::default()
        };
        let without = TestReport {
            second_try: Some(SecondTry {
                ran: true,
                ..SecondTry::default()
            }),
            ..TestReport::without("a.CTest.fails", "it is <lost>".into())
        };
        let page = render(&SuiteReport {
            tests: vec![kept, like, small, without],
            ..SuiteReport::default()
        });
        for part in [
            "<h1>4 failed tests</h1>",
            "1 test to keep.",
            "href=\"a.BTest.fails/report.html\"",
            "a.E: 1 &lt; 2, at B.go(B.java:3)",
            "plain Java: keep it",
            "Fails like",
            "<p>It is &lt;small&gt;.</p>",
            "it is &lt;lost&gt;",
            "Run alone, this test passes: the failure depends on the order of the tests, or on chance.",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert_eq!(page.matches("<section").count(), 4);
    }
}
