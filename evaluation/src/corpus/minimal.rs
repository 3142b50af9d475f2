//! Is what is left really minimal? Each interaction is taken out once more, by a worker that knows nothing of the search.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_analysis::pipeline::{Config, Run};
use jinsi_analysis::report::json::{LevelReport, Report};
use jinsi_ground::bugs::Bug;
use jinsi_jdk::{Jdk, Walls, compile};
use jinsi_level::Engine;
use jinsi_level::verdict::TestOutcome;
use jinsi_natural::Natural;
use jinsi_natural::pattern::Pattern;
use tempfile::TempDir;

use jinsi_ground::repository;

/// The replay worker.
const HARNESS: &str = "java-harness/replay/jinsi";

/// What replays.
pub(super) struct Checker {
    config: Config,
    /// Holds the worker's classes.
    _classes: TempDir,
}

impl Checker {
    /// With a worker of its own.
    pub(super) fn new(jdk: &Jdk, compiler: &Jdk) -> Result<Self> {
        let classes = tempfile::tempdir()?;
        let sources = repository::java_sources(HARNESS)?;
        compile::javac(compiler, &sources, &[], classes.path())?;
        Ok(Self {
            config: Config {
                jdk: jdk.clone(),
                compiler: compiler.clone(),
                harness: classes.path().to_owned(),
                test_server: PathBuf::new(),
                junit_sources: Vec::new(),
                natural: Natural::default(),
                walls: Walls::Confined,
            },
            _classes: classes,
        })
    }

    /// For each level of the bug: is it 1-minimal? `None` where nothing was minimized.
    pub(super) fn check(
        &self,
        bug: &Bug,
        trace: &Path,
        report: &Report,
    ) -> Result<Vec<Option<bool>>> {
        let Some(first) = report.levels.first() else {
            return Ok(Vec::new());
        };
        let mut run = Run::open(trace)?;
        if let Some(given) = bug.given() {
            run.look_for(&given)?;
        }
        let patterns: Vec<Pattern> = first.observed.iter().map(|c| Pattern::new(c)).collect();
        let mut replay = run.replay(&self.config, Some(&patterns))?;
        let mut results = Vec::new();
        for level in &report.levels {
            if level.kept.is_empty() {
                results.push(None);
                continue;
            }
            if level.engine == Engine::Direct.name() {
                let callers: Vec<String> = internal(&level.further_callers).collect();
                replay.load_for_real(level.level, &callers)?;
            } else {
                let observed: BTreeSet<String> = internal(&level.observed).collect();
                replay.load(&observed)?;
            }
            let minimal = is_minimal(level, |numbers| {
                let result = replay
                    .subset(numbers)
                    .with_context(|| format!("level {}", level.level))?;
                Ok(matches!(result.outcome, TestOutcome::Failing))
            })?;
            results.push(Some(minimal));
        }
        Ok(results)
    }
}

/// The internal names of classes with these binary names.
fn internal(binary: &[String]) -> impl Iterator<Item = String> {
    binary.iter().map(|class| class.replace('.', "/"))
}

/// Does the level fail with all that is left, and not without any one of it? `fails` takes indices, from 0.
fn is_minimal(level: &LevelReport, mut fails: impl FnMut(&[u32]) -> Result<bool>) -> Result<bool> {
    let mut kept: Vec<u32> = level
        .kept
        .iter()
        .map(|k| u32::try_from(k.number).map(|n| n - 1))
        .collect::<Result<_, _>>()?;
    kept.sort_unstable();
    if !fails(&kept)? {
        return Ok(false);
    }
    // What belongs to a wrong value stays, although it fails without that, too.
    let belongs = |at: usize| level.kept[at].without == "failing";
    for (_, left_out) in kept.iter().enumerate().filter(|(at, _)| !belongs(*at)) {
        let rest: Vec<u32> = kept.iter().copied().filter(|n| n != left_out).collect();
        if fails(&rest)? {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use jinsi_analysis::report::json::Kept;

    use super::*;

    fn level(numbers: &[u64]) -> LevelReport {
        let kept = |&number| Kept {
            number,
            ..Kept::default()
        };
        LevelReport {
            kept: numbers.iter().map(kept).collect(),
            ..LevelReport::default()
        }
    }

    #[test]
    fn minimal_is_what_fails_only_whole() {
        // Indices 0 and 2 are needed, together.
        let fails = |numbers: &[u32]| Ok(numbers.contains(&0) && numbers.contains(&2));
        assert!(is_minimal(&level(&[1, 3]), fails).unwrap());
        assert!(!is_minimal(&level(&[1, 2, 3]), fails).unwrap());
        assert!(!is_minimal(&level(&[1]), fails).unwrap());
    }
}
