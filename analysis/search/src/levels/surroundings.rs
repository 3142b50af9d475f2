//! What of its surroundings the failure needs, of a level that is run for real: the rest is left out, one thing after the other, and must
//! not matter.

use super::{LevelResult, Mode, Progress, Search};
use crate::ddmin::Verdict;
use jinsi_level::Engine;
use jinsi_level::surroundings::Setting;

/// Time zones and locales that are far from each other, and from most machines. What is left out is one of these instead.
const ELSEWHERE: [(&str, &str); 2] = [("UTC", "en-US"), ("America/St_Johns", "tr-TR")];

impl Search<'_> {
    /// Leaves out what the failure does not need of [`Level::surroundings`](jinsi_level::Level::surroundings). What is left of the level fails
    /// with the rest wherever it runs, as far as two places tell.
    pub(super) fn leave_out_surroundings(
        &mut self,
        result: &mut LevelResult,
        progress: &mut dyn Progress,
    ) {
        if result.level.engine != Engine::Direct || result.kept.is_empty() {
            return;
        }
        let recorded = std::mem::take(&mut result.level.surroundings);
        // Mostly nothing is needed.
        if self.fails_with(result, &[], progress) {
            return;
        }
        let mut needed = recorded;
        let mut at = 0;
        while at < needed.len() && self.stop.reason().is_none() {
            let mut fewer = needed.clone();
            fewer.remove(at);
            match self.fails_with(result, &fewer, progress) {
                true => needed = fewer,
                false => at += 1,
            }
        }
        result.level.surroundings = needed;
    }

    /// Does what is left fail as recorded with these settings, wherever it runs?
    fn fails_with(
        &mut self,
        result: &mut LevelResult,
        settings: &[Setting],
        progress: &mut dyn Progress,
    ) -> bool {
        let before = std::mem::take(&mut result.level.surroundings);
        let fails = ELSEWHERE.iter().all(|(zone, locale)| {
            result.level.surroundings = somewhere(zone, locale, settings);
            if self.replayer.load(&result.level).is_err() {
                return false;
            }
            let run = self.replayer.test(&result.kept, Mode::Resynchronizing);
            progress.tested(result.kept.len(), &run.verdict);
            result.shrink_tests += 1;
            run.verdict == Verdict::Failing
        });
        result.level.surroundings = before;
        fails
    }
}

/// The settings of a place, and `settings` instead of those that are about the same.
fn somewhere(zone: &str, locale: &str, settings: &[Setting]) -> Vec<Setting> {
    let [of_zone, property] = Setting::time_zone(zone);
    let place = [of_zone, property, Setting::Locale(locale.into())];
    let others = |p: &Setting| !settings.iter().any(|s| s.is_about_the_same(p));
    place
        .into_iter()
        .filter(others)
        .chain(settings.iter().cloned())
        .collect()
}
