//! `jinsi query` and `jinsi export`: asked and written by another program, `jinsi-query`, which has the engine. It gets the same words, and this
//! process becomes it: streams, signals and exit status are its own.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use jinsi_platform::process;
use jinsi_query_options::{Export, Query};

use super::advice::{self, Step};
use super::messages::{Cannot, NoAnswer, Usage, Way};

/// The program.
const PROGRAM: &str = "jinsi-query";
/// Names it, if it lies elsewhere.
const VARIABLE: &str = "JINSI_QUERY";

/// Arguments of `query`, which are read again by the other program.
pub(crate) fn query(args: &Query) -> Result<bool> {
    if args.path.is_none() && !args.list && !args.tables {
        return Err(advice::usage(Usage::Queries));
    }
    handed_over()
}

/// The same of `export`.
pub(crate) fn export(_: &Export) -> Result<bool> {
    handed_over()
}

/// The program.
///
/// # Errors
/// There is none, and where to get it.
pub(crate) fn program() -> Result<PathBuf> {
    let own = env::current_exe().ok();
    let beside = own.as_deref().and_then(Path::parent);
    found(env::var_os(VARIABLE), beside, env::var_os("PATH"))
}

fn handed_over() -> Result<bool> {
    let program = program()?;
    let mut command = Command::new(&program);
    // The variable is for us: what is started is found.
    command.args(env::args_os().skip(1)).env_remove(VARIABLE);
    let error = process::replaced_by(&mut command);
    Err(error).with_context(|| {
        Cannot::Start {
            path: program.display(),
        }
        .to_string()
    })
}

/// Where the program is: where it is said to be, beside this one, or on the path.
fn found(said: Option<OsString>, beside: Option<&Path>, path: Option<OsString>) -> Result<PathBuf> {
    if let Some(said) = said.filter(|said| !said.is_empty()) {
        let said = PathBuf::from(said);
        return match said.is_file() {
            true => Ok(said),
            false => Err(missing(NoAnswer::NoEngineAt {
                variable: VARIABLE,
                path: said.display(),
            })),
        };
    }
    let directories = path.as_deref().map(env::split_paths).into_iter().flatten();
    let directories = beside.map(Path::to_owned).into_iter().chain(directories);
    let mut places = directories.map(|directory| directory.join(OsStr::new(PROGRAM)));
    places
        .find(|place| place.is_file())
        .ok_or_else(|| missing(NoAnswer::NoEngine { program: PROGRAM }))
}

fn missing(what: NoAnswer<'_>) -> anyhow::Error {
    let next = vec![
        Step::new(
            Way::InSources,
            "cargo build --release --manifest-path frontends/query/engine/Cargo.toml",
        ),
        Step::new(Way::LiesElsewhere, format!("{VARIABLE}=/path/to/{PROGRAM}")),
        Step::new("otherwise", Way::InRelease.to_string()),
    ];
    advice::error(what, next)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn it_is_where_it_is_said_to_be_or_beside_or_on_the_path() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        for name in ["beside", "path", "none"] {
            fs::create_dir(at(name)).unwrap();
        }
        for name in ["beside/jinsi-query", "path/jinsi-query", "said"] {
            fs::write(at(name), "").unwrap();
        }
        let path = || Some(env::join_paths([at("none"), at("path")]).unwrap());
        let said = found(Some(at("said").into()), Some(&at("beside")), path());
        assert_eq!(said.unwrap(), at("said"));
        let beside = found(None, Some(&at("beside")), path());
        assert_eq!(beside.unwrap(), at("beside/jinsi-query"));
        let on_path = found(Some("".into()), Some(&at("none")), path());
        assert_eq!(on_path.unwrap(), at("path/jinsi-query"));
        let none = found(None, Some(&at("none")), None).unwrap_err();
        assert!(none.to_string().contains("another program"));
        assert!(
            advice::lines(advice::next(&none))
                .contains("--manifest-path frontends/query/engine/Cargo.toml")
        );
        let wrong = found(Some(at("no").into()), Some(&at("beside")), path());
        assert!(wrong.unwrap_err().to_string().contains("JINSI_QUERY names"));
    }
}
