//! Seeded faults: which lines of a source are replaced by which.

use anyhow::{Context, Result, bail, ensure};

/// A fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fault {
    /// Its number, as `v1`.
    pub(super) id: String,
    pub(super) about: String,
    changes: Vec<Change>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Change {
    /// Is looked for behind the first line that has this.
    behind: Option<String>,
    was: Vec<String>,
    is: Vec<String>,
}

/// A source with a fault in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Faulty {
    pub(super) text: String,
    /// The lines that are wrong; where something is missing, those around it.
    pub(super) lines: Vec<u16>,
}

/// Reads faults: `# ID: ABOUT`, then the lines that were there behind `-`, and those that are instead behind `+`. `@ TEXT` is the place
/// from which on they are looked for.
pub(super) fn parse(text: &str) -> Result<Vec<Fault>> {
    let mut all: Vec<Fault> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (sign, rest) = line.split_at(1);
        let rest = rest.trim().to_owned();
        if sign == "#" {
            let (id, about) = rest.split_once(':').context("a fault has a number")?;
            all.push(Fault {
                id: id.trim().to_owned(),
                about: about.trim().to_owned(),
                changes: Vec::new(),
            });
            continue;
        }
        let changes = &mut all.last_mut().context("a change before any fault")?.changes;
        let begins = match (sign, changes.last()) {
            (_, None) | ("@", _) => true,
            ("-", Some(last)) => !last.is.is_empty(),
            _ => false,
        };
        if begins {
            changes.push(Change::default());
        }
        let change = changes.last_mut().context("a change")?;
        match sign {
            "@" => change.behind = Some(rest),
            "-" => change.was.push(rest),
            "+" => change.is.push(rest),
            _ => bail!("no line of a fault: {line}"),
        }
    }
    Ok(all)
}

impl Fault {
    /// The source with the fault.
    pub(super) fn apply(&self, text: &str) -> Result<Faulty> {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut wrong: Vec<usize> = Vec::new();
        for change in &self.changes {
            let at = change.place(&lines).with_context(|| self.id.clone())?;
            let (removed, added) = (change.was.len(), change.is.len());
            for line in &mut wrong {
                if *line >= at + removed {
                    *line = *line + added - removed;
                }
            }
            let same = change
                .was
                .iter()
                .zip(&change.is)
                .take_while(|(a, b)| a == b)
                .count();
            let rest = change.was.iter().rev().zip(change.is.iter().rev());
            let most = removed.min(added) - same;
            let same_end = rest.take(most).take_while(|(a, b)| a == b).count();
            let differing = at + same..at + added - same_end;
            match differing.is_empty() {
                // Something is missing here.
                true => wrong.extend([(at + same).saturating_sub(1), at + same]),
                false => wrong.extend(differing),
            }
            lines.splice(at..at + removed, change.is.iter().cloned());
        }
        let numbers = wrong.iter().map(|line| u16::try_from(line + 1));
        Ok(Faulty {
            text: lines.join("\n") + "\n",
            lines: numbers.collect::<Result<_, _>>()?,
        })
    }
}

impl Change {
    /// Where its lines begin: at one place only.
    fn place(&self, lines: &[String]) -> Result<usize> {
        let from = match &self.behind {
            None => 0,
            Some(text) => {
                let found = lines.iter().position(|line| line.contains(text.as_str()));
                found.with_context(|| format!("there is no '{text}'"))?
            }
        };
        let is_here = |at: &usize| {
            let here = lines[*at..].iter().map(|line| line.trim());
            here.take(self.was.len())
                .eq(self.was.iter().map(String::as_str))
        };
        let mut found = (from..lines.len()).filter(is_here);
        let first = found
            .next()
            .with_context(|| format!("not there: {:?}", self.was))?;
        ensure!(
            self.behind.is_some() || found.next().is_none(),
            "there twice: {:?}",
            self.was
        );
        Ok(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "f() {\n    a();\n    b();\n}\ng() {\n    b();\n    c();\n}\n";

    #[test]
    fn faults_are_put_where_they_belong() {
        let faults = "# v1: wrong\n- a();\n+ d();\n# v2: there twice\n@ g()\n- b();\n+ e();\n# v3: missing\n- a();\n# v4: both\n- a();\n- b();\n+ a();\n+ x();\n- c();\n+ y();\n# v5: nowhere\n- z();\n# v6: where\n- b();\n";
        let faults = parse(faults).unwrap();
        let of = |at: usize| faults[at].apply(TEXT);
        let first = of(0).unwrap();
        assert_eq!((first.lines, first.text.contains("d();")), (vec![2], true));
        assert_eq!(of(1).unwrap().lines, [6]);
        let missing = of(2).unwrap();
        assert_eq!(missing.lines, [1, 2]);
        assert_eq!(missing.text.lines().count(), 7);
        assert_eq!(of(3).unwrap().lines, [3, 7]);
        assert!(of(4).is_err() && of(5).is_err());
        assert!(parse("- a").is_err() && parse("# v1: x\n* a").is_err());
    }

    #[test]
    fn all_seeded_faults_fit() {
        for program in crate::siemens::PROGRAMS {
            let (source, faults) = program.read().unwrap();
            let faults = parse(&faults).unwrap();
            assert!(faults.len() >= 7, "{}", program.package);
            for fault in &faults {
                let faulty = fault.apply(&source);
                let faulty = faulty.unwrap_or_else(|e| panic!("{}: {e:#}", program.package));
                assert_ne!(faulty.text, source, "{} {}", program.package, fault.id);
            }
        }
    }
}
