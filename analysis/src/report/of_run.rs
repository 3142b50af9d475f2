//! The form of a minimized run.

use super::json::{
    Capture, Explanation, Failure, LevelReport, Link, Report, Sentence, StackFrame, WallTime,
};
use jinsi_level::program::is_the_programs;

use super::suspects::suspects;
use crate::minimized::{
    self, ChainEnd, ChainLink, MinimizedLevel, MinimizedRun, RecordedFailure, Timing,
};

impl Report {
    /// The whole of it.
    pub fn of(run: &MinimizedRun) -> Self {
        let incomplete = run.damage.incomplete;
        let level = |level: &MinimizedLevel| LevelReport {
            incomplete,
            ..LevelReport::of(level)
        };
        let link = |link: &ChainLink| Link {
            predicate: link.predicate.clone(),
            object: link.object.clone(),
            class: link.class.clone(),
            by: link.by.clone(),
            level: level(&link.level),
        };
        let mut levels: Vec<LevelReport> = run.levels.iter().map(level).collect();
        let expansion = run.capture.expansion.as_ref();
        let sliced = expansion.and_then(|expansion| expansion.sliced.as_ref());
        for known in run.of_window.iter().chain(sliced) {
            let levels = levels.iter_mut();
            levels.for_each(|level| level.notes.push(known.clone()));
        }
        let failure = Failure::of(&run.failure);
        Self {
            suspects: suspects(&failure, &levels),
            failure,
            capture: Capture::of(&run.capture),
            levels,
            keep: run.keep().map(|(_, test)| test.file.clone()),
            keep_why: run.keep_why(),
            keep_words: run.keep().map(|(_, test)| test.words()),
            keep_level: run.keep().map(|(level, _)| level.result.spec.level),
            keep_why_not: run.not_kept().map(|why| why.to_string()),
            chain: run.chain.links.iter().map(link).collect(),
            chain_end: run.chain.end.map(|end| end.to_string()),
            chain_undone: undone(run),
            explanation: run.explanation.as_ref().map(|one| explanation(run, one)),
            second_try: None,
            seconds: run.seconds,
            trace: run.trace.display().to_string(),
            parts: run.timings.iter().map(WallTime::of).collect(),
            damage: run.damage.entries.clone(),
            recording_cut: run.recording_cut.clone(),
            stopped: run.stopped.map(|reason| reason.name().into()),
            other_failures: run.others.clone(),
        }
    }
}

/// The states of the chain stand between the failure and the decision: that is the order in which one looks for it.
fn explanation(run: &MinimizedRun, found: &minimized::Explanation) -> Explanation {
    let state = |link: &ChainLink| {
        let (object, by) = (link.object.as_ref()?, link.by.as_ref()?);
        Some(Sentence {
            kind: "state".into(),
            text: format!("Before that, `{object}`: {}, since `{by}`.", link.predicate),
            ..Sentence::default()
        })
    };
    let states: Vec<Sentence> = run.chain.links.iter().filter_map(state).collect();
    let (failure, rest): (Vec<&Sentence>, Vec<&Sentence>) = found
        .sentences
        .iter()
        .partition(|one| one.kind == "failure");
    let all = failure.into_iter().chain(&states).chain(rest);
    let level = found.level.and_then(|index| run.levels.get(index));
    Explanation {
        level: level.map(|level| level.result.spec.level),
        sentences: all.cloned().collect(),
    }
}

/// A chain ends where no run that passes has another state, so also where something was not done. If a decision is known after which that is
/// done, and the failure gone, it goes on there.
fn undone(run: &MinimizedRun) -> Option<Sentence> {
    let ends = run.chain.end == Some(ChainEnd::NoOtherState) && !run.chain.links.is_empty();
    let sentences = &run.explanation.as_ref().filter(|_| ends)?.sentences;
    sentences.iter().find(|one| one.kind == "jump").cloned()
}

impl Failure {
    pub(super) fn of(failure: &RecordedFailure) -> Self {
        let (expected, actual) = failure.oracle.compared();
        let stack = failure.stack.iter();
        let own = stack.clone().find(|(text, _)| is_the_programs(text));
        Self {
            kind: failure.oracle.name().into(),
            class: failure.class.clone(),
            message: failure.message.clone(),
            at: failure.at.clone(),
            in_program: own.map(|(text, _)| short_frame(text).to_owned()),
            stack: stack
                .map(|(text, level)| StackFrame {
                    text: text.clone(),
                    level: *level,
                })
                .collect(),
            test: failure.test.clone(),
            expected,
            actual,
            found: failure
                .oracle
                .value()
                .map(|wrong| wrong.found.name().into()),
        }
    }
}

/// `Class.method(File.java:348)` of a frame's text: the class without its package.
fn short_frame(text: &str) -> &str {
    let name = text.split('(').next().unwrap_or(text);
    let class = name.rfind('.').and_then(|method| name[..method].rfind('.'));
    &text[class.map_or(0, |dot| dot + 1)..]
}

impl Capture {
    /// Of an expanded trace: what was recorded is in the place of what that was expanded to.
    fn of(capture: &minimized::Capture) -> Self {
        let expansion = capture.expansion.as_ref();
        let from = expansion.filter(|expansion| expansion.failed.is_none());
        Self {
            events: from.map_or(capture.events, |from| from.events),
            bytes: from.map_or(capture.bytes, |from| from.bytes),
            seconds: capture.seconds,
            classes_rewritten: capture.classes_rewritten,
            classes_skipped: capture.classes_skipped.clone(),
            exit_status: capture.exit_status,
            expanded_events: from.map(|_| capture.events),
            not_expanded: expansion.and_then(|expansion| expansion.failed.clone()),
            recorded_once_more: capture.once_more.clone(),
        }
    }
}

impl WallTime {
    fn of(timing: &Timing) -> Self {
        Self {
            name: timing.part.clone(),
            seconds: timing.seconds,
        }
    }
}
