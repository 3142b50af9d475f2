//! The figures, as JSON and as text.

use jinsi_ground::report::Findings;
use serde::Serialize;

use super::manifest::Service;
use super::minimized::{LeftOnLevel, Minimized, Recommended};
use super::site::Load;

/// Everything.
#[derive(Serialize)]
pub(super) struct ServicesReport {
    java: String,
    detail: String,
    requests: u32,
    runs: Vec<ServiceReport>,
    pub(super) holds: bool,
}

/// One service.
#[derive(Default, Serialize)]
pub(super) struct ServiceReport {
    name: String,
    pub(super) java: String,
    /// Class of the exception that was recorded as the failure.
    failure: Option<String>,
    /// Good requests.
    requests: u32,
    /// Good requests that were not answered as they should be, in the plain and in the recorded run.
    errors: u32,
    /// Did the bad request fail in both runs, as seen from outside?
    failed: bool,
    pub(super) plain_seconds: f64,
    pub(super) recorded_seconds: f64,
    pub(super) trace_bytes: u64,
    /// Was the recording replayed into a whole one?
    expanded: Option<bool>,
    /// Why not.
    why_not: Option<String>,
    levels: Vec<LeftOnLevel>,
    /// The test that is best kept.
    recommended: Option<Recommended>,
    minimize_seconds: f64,
    /// What is not as it would be in production.
    remark: Option<String>,
    holds: bool,
    /// Why it does not hold.
    pub(super) why: Option<String>,
}

impl ServiceReport {
    pub(super) fn of(run: &Service, requests: u32) -> Self {
        Self {
            name: run.name.clone(),
            remark: run.remark.clone(),
            requests,
            ..Self::default()
        }
    }

    /// Takes over what the clients said.
    pub(super) fn loaded(&mut self, plain: &Load, recorded: &Load) {
        let missing = |load: &Load| {
            load.errors
                .max(load.requests - load.answered.min(load.requests))
        };
        self.errors = missing(plain) + missing(recorded);
        self.failed = plain.failed == 1 && recorded.failed == 1;
    }

    /// Takes over what is left.
    pub(super) fn minimized(&mut self, minimized: Minimized) {
        self.failure = minimized.failure;
        self.why = minimized.said;
        self.expanded = minimized.expanded;
        self.why_not = minimized.why_not;
        self.levels = minimized.levels;
        self.recommended = minimized.recommended;
        self.minimize_seconds = minimized.seconds;
    }

    /// Is it as it has to be?
    pub(super) fn judge(&mut self, run: &Service) {
        let said = self.why.take();
        self.why = said.or_else(|| self.wrong(run));
        self.holds = self.why.is_none();
    }

    /// What is not as it has to be, if anything.
    fn wrong(&self, run: &Service) -> Option<String> {
        if self.errors > 0 {
            return Some(format!("{} good requests went wrong", self.errors));
        }
        if !self.failed {
            return Some("the bad request did not fail".into());
        }
        if self.failure.as_deref() != Some(&run.failure) {
            let failure = self.failure.as_deref().unwrap_or("nothing");
            return Some(format!("{failure} failed, not {}", run.failure));
        }
        let Some(test) = &self.recommended else {
            return Some("no test fails as recorded".into());
        };
        let starts = |class: &&String| {
            let (call, new) = (format!("{class}."), format!("new {class}("));
            let is_start = |c: &String| c.starts_with(&call) || *c == format!("new {class}");
            test.calls.iter().any(is_start)
                || [call.as_str(), &new]
                    .iter()
                    .any(|c| test.source.contains(c))
        };
        if let Some(class) = run.starts.iter().find(starts) {
            return Some(format!("the recommended test starts {class}"));
        }
        let is_called = |call: &String| {
            let method = call.rsplit('.').next().unwrap_or_default();
            test.calls.contains(call) && test.source.contains(&format!(".{method}("))
        };
        (!run.calls.iter().any(is_called)).then(|| {
            let calls = run.calls.join(" or ");
            format!("the recommended test does not call {calls}")
        })
    }
}

impl ServicesReport {
    pub(super) fn new(
        java: String,
        detail: String,
        requests: u32,
        runs: Vec<ServiceReport>,
    ) -> Self {
        Self {
            java,
            detail,
            requests,
            holds: runs.iter().all(|run| run.holds),
            runs,
        }
    }
}

impl Findings for ServicesReport {
    fn holds(&self) -> bool {
        self.holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> Service {
        serde_json::from_str(
            r#"{"name": "r", "sources": [], "needs": [], "main": "client.Main", "observe": "a.*", "fail": "a.E", "failure": "a.E",
                "calls": ["Orders.create"], "starts": ["Server"]}"#,
        )
        .unwrap()
    }

    /// A service of which all is well, but for this recommended test.
    fn with(calls: &[&str], source: &str) -> ServiceReport {
        let mut report = ServiceReport::of(&run(), 1);
        report.failed = true;
        report.failure = Some("a.E".into());
        report.recommended = Some(Recommended {
            level: 1,
            form: "plain".into(),
            calls: calls.iter().map(|&c| c.to_owned()).collect(),
            source: source.into(),
            file: String::new(),
        });
        report.judge(&run());
        report
    }

    #[test]
    fn the_service_is_called_and_not_started() {
        let good = with(&["new Orders", "Orders.create"], "new Orders().create(1);");
        assert!(good.holds, "{:?}", good.why);
        let other = with(&["Prices.find"], "prices.find(1);");
        assert_eq!(
            other.why.as_deref(),
            Some("the recommended test does not call Orders.create")
        );
        for started in [
            "Server.main(a); o.create(1);",
            "new Server(1).orders().create(1);",
        ] {
            let started = with(&["Orders.create"], started);
            assert_eq!(
                started.why.as_deref(),
                Some("the recommended test starts Server")
            );
        }
    }

    #[test]
    fn lost_requests_and_other_failures_are_seen() {
        let mut report = with(&["Orders.create"], "o.create(1);");
        let lost = Load {
            requests: 10,
            answered: 8,
            errors: 0,
            failed: 1,
        };
        report.loaded(&lost, &lost);
        report.judge(&run());
        assert_eq!(report.why.as_deref(), Some("4 good requests went wrong"));
        report.errors = 0;
        report.failure = Some("a.Other".into());
        report.why = None;
        report.judge(&run());
        assert_eq!(report.why.as_deref(), Some("a.Other failed, not a.E"));
    }
}
