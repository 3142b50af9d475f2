//! Corpora: what is measured, by name.

use anyhow::{Result, ensure};
use serde::de::DeserializeOwned;

use crate::{files, repository};

/// The corpus in a JSON file of the repository.
///
/// # Errors
/// There is no such file, or something else is in it.
pub fn read<T: DeserializeOwned>(file: &str) -> Result<T> {
    files::document(&repository::root().join(file))
}

/// Those of a corpus with one of these names; all of it if there are none.
///
/// # Errors
/// A name is that of none.
pub fn wanted<'a, T>(
    all: &'a [T],
    names: &[String],
    name: impl Fn(&T) -> &str,
) -> Result<Vec<&'a T>> {
    let known: Vec<&str> = all.iter().map(&name).collect();
    for asked in names {
        let there_are = known.join(", ");
        ensure!(
            known.contains(&asked.as_str()),
            "nothing is called {asked}: there are {there_are}"
        );
    }
    let wanted = |one: &&T| names.is_empty() || names.iter().any(|asked| asked == name(one));
    Ok(all.iter().filter(wanted).collect())
}
