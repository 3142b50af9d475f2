//! Which methods two releases do not have in common: by their instructions, whatever lines and numbers of constants they have.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use jinsi_classfile::ClassFile;
use jinsi_classfile::text::Text;
use jinsi_declarative::Method;
use jinsi_ground::files::unpack;
use jinsi_jdk::Jdk;

/// A faulty release, and the one in which the bug is repaired, unpacked.
pub(super) struct Repair {
    faulty: PathBuf,
    repaired: PathBuf,
}

impl Repair {
    /// Unpacks the jars of both.
    pub(super) fn of(jdk: &Jdk, place: &Path, [faulty, repaired]: [&[PathBuf]; 2]) -> Result<Self> {
        let unpacked = |name: &str, jars: &[PathBuf]| -> Result<PathBuf> {
            let to = place.join(name);
            // What stands first on a class path counts.
            for jar in jars.iter().rev() {
                unpack(jdk, jar, &[], &to)?;
            }
            Ok(to)
        };
        Ok(Self {
            faulty: unpacked("faulty", faulty)?,
            repaired: unpacked("repaired", repaired)?,
        })
    }

    /// Has a method of the faulty release other instructions in the repaired one, or is it not there?
    ///
    /// # Errors
    /// A class is malformed.
    pub(super) fn changed(&self, method: &Method) -> Result<bool> {
        let [here, there] = [&self.faulty, &self.repaired].map(|release| text(release, method));
        let (here, there) = (here?, there?);
        Ok(here.is_some() && here != there)
    }
}

/// A method in a release, if it is there.
fn text(release: &Path, method: &Method) -> Result<Option<Text>> {
    let file = release.join(format!("{}.class", method.owner));
    let Ok(bytes) = fs::read(file) else {
        return Ok(None);
    };
    let class = ClassFile::parse(&bytes)?;
    let at = class.find_method(&method.name, &method.desc);
    let text = at.map(|at| Text::of(&class, &class.methods[at]));
    Ok(text.transpose()?)
}
