//! Defects that let a test fail, as a run leaves them for another one.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jinsi_classfile::ClassFile;
use serde::{Deserialize, Serialize};

use crate::operators::Operator;

const FILE: &str = "defect.json";
const CLASS: &str = "defect.class";

/// A defect that lets a test fail.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Left {
    /// Binary name of the class with the defect.
    pub(crate) class: String,
    pub(crate) operator: Operator,
    pub(crate) place: String,
    /// The class whose test fails.
    pub(crate) test_class: String,
}

impl Left {
    /// All that are left below a directory, each with its own, in the order of their numbers.
    pub(crate) fn below(work: &Path) -> Result<Vec<(PathBuf, Left)>> {
        let numbered = (1..).map(|number: u32| work.join(number.to_string()));
        let all = numbered
            .take_while(|directory| directory.is_dir())
            .map(|directory| Ok((directory.clone(), Left::read(&directory)?)))
            .collect::<Result<Vec<_>>>()?;
        ensure!(
            !all.is_empty(),
            "no earlier run with --keep-work left a failure of it"
        );
        Ok(all)
    }

    fn read(directory: &Path) -> Result<Left> {
        let file = directory.join(FILE);
        let text = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        serde_json::from_slice(&text).with_context(|| format!("{} is damaged", file.display()))
    }

    /// The class with the defect that was left in a directory.
    pub(crate) fn defective(directory: &Path) -> Result<ClassFile> {
        Ok(ClassFile::parse(&fs::read(directory.join(CLASS))?)?)
    }

    /// Leaves it in a directory, with the class.
    pub(crate) fn write(&self, class: &ClassFile, directory: &Path) -> Result<()> {
        fs::write(directory.join(FILE), serde_json::to_vec_pretty(self)?)?;
        fs::write(directory.join(CLASS), class.to_bytes()?)?;
        Ok(())
    }
}
