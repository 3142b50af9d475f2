//! What is left to look at: the slices of what is left of each level, beside the library's source lines, and whether they hold what was
//! repaired.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Result;
use jinsi_analysis::report::json::{LevelReport, Report};
use jinsi_classfile::ClassFile;
use jinsi_ground::bugs::Bug;
use jinsi_ground::files::{files_below, unpack};
use jinsi_jdk::{Jdk, maven};
use serde::Serialize;

/// What the slices of a bug hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Slices {
    /// Source lines with code, of the library; `null`: it is a program of our own.
    pub(super) source_lines: Option<u64>,
    /// By level: lines in the slice of what is left; `null`: not sliced.
    pub(super) lines: Vec<Option<u64>>,
    /// Lines that the repair changed, if that is known.
    pub(super) fixed: Vec<String>,
    /// Levels, from 1, whose slices hold one of them.
    pub(super) held_at: Vec<u32>,
    /// If none does: what the slices could not follow.
    pub(super) lost_by: Vec<String>,
}

impl Slices {
    /// Of a bug that was minimized.
    pub(super) fn of(bug: &Bug, report: &Report, source_lines: Option<u64>) -> Self {
        let holds = |level: &&LevelReport| {
            (level.slice_lines.iter()).any(|line| {
                let file = line.file.as_deref().unwrap_or_default();
                bug.fixed.contains(&format!("{file}:{}", line.line))
            })
        };
        let held_at: Vec<u32> = (report.levels.iter())
            .filter(holds)
            .map(|l| l.level)
            .collect();
        let crossings = report
            .levels
            .iter()
            .flat_map(|level| &level.slice_crossings);
        let lost_by: BTreeSet<String> = match held_at.is_empty() && !bug.fixed.is_empty() {
            true => crossings.cloned().collect(),
            false => BTreeSet::new(),
        };
        Self {
            source_lines,
            lines: report
                .levels
                .iter()
                .map(|level| level.lines_in_slice)
                .collect(),
            fixed: bug.fixed.clone(),
            held_at,
            lost_by: lost_by.into_iter().collect(),
        }
    }

    /// The repair is known, but in no slice, and nothing says why.
    pub(super) fn is_lost_silently(&self) -> bool {
        !self.fixed.is_empty() && self.held_at.is_empty() && self.lost_by.is_empty()
    }

    /// For people: lines by level, and what became of the repair.
    pub(super) fn text(&self) -> String {
        let lines: Vec<String> = (self.lines.iter())
            .map(|lines| lines.map_or_else(|| "-".into(), |n| n.to_string()))
            .collect();
        let fixed = match (self.fixed.is_empty(), self.held_at.as_slice()) {
            (true, _) => String::new(),
            (false, []) => format!("; the repair is in none: {}", self.lost_by.join(", ")),
            (false, levels) => {
                let levels: Vec<String> = levels.iter().map(u32::to_string).collect();
                format!("; the repair is in those of {}", levels.join(", "))
            }
        };
        format!("    lines in the slices: {}{fixed}\n", lines.join(" "))
    }
}

/// Source lines with code of the library of a bug: the first of its coordinates.
///
/// # Errors
/// The jar cannot be had, or not be unpacked.
pub(super) fn source_lines(jdk: &Jdk, bug: &Bug) -> Result<Option<u64>> {
    let Some(library) = bug.coordinates.first() else {
        return Ok(None);
    };
    let jar = maven::fetch(&[library])?.remove(0);
    let place = tempfile::tempdir()?;
    unpack(jdk, &jar, &[], place.path())?;
    Ok(Some(lines_of(place.path())?.len() as u64))
}

/// Lines of all class files below a directory, by package and source file.
fn lines_of(directory: &Path) -> Result<BTreeSet<(String, u16)>> {
    let mut lines = BTreeSet::new();
    let mut files = files_below(directory);
    files.retain(|file| file.extension().is_some_and(|it| it == "class"));
    for path in files {
        // What is no class file that we read has no lines.
        let Ok(class) = ClassFile::parse(&fs::read(&path)?) else {
            continue;
        };
        let file = path.with_file_name(&*class.source_file().unwrap_or_default());
        let file = file.display().to_string();
        for method in &class.methods {
            if let Ok(Some(code)) = method.code(&class.pool) {
                let of_code = code.lines(&class.pool).into_iter();
                lines.extend(of_code.map(|(_, line)| (file.clone(), line)));
            }
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use jinsi_analysis::report::json::SliceLine;

    use super::*;

    fn report(line: u64, crossing: &str) -> Report {
        let level = LevelReport {
            level: 1,
            lines_in_slice: Some(1),
            slice_lines: vec![SliceLine {
                file: Some("A.java".into()),
                line,
                ..SliceLine::default()
            }],
            slice_crossings: vec![crossing.into()],
            ..LevelReport::default()
        };
        Report {
            levels: vec![level],
            ..Report::default()
        }
    }

    #[test]
    fn a_repair_is_in_a_slice_or_something_was_not_followed() {
        let mut bug = Bug::wanted(jinsi_ground::bugs::CHOSEN, &["jod3".into()])
            .unwrap()
            .remove(0);
        bug.fixed = vec!["A.java:7".into(), "A.java:9".into()];
        let held = Slices::of(&bug, &report(9, "x"), Some(100));
        assert_eq!((held.held_at.as_slice(), held.lost_by.len()), (&[1][..], 0));
        let lost = Slices::of(&bug, &report(8, "x"), Some(100));
        assert_eq!(
            (lost.held_at.len(), lost.lost_by.as_slice()),
            (0, &["x".to_owned()][..])
        );
        assert!(!lost.is_lost_silently() && lost.text().contains("in none: x"));
        bug.fixed.clear();
        assert!(
            !Slices::of(&bug, &report(8, "x"), None)
                .text()
                .contains("repair")
        );
    }
}
