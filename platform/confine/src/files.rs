//! Files by their place, and TCP: Landlock.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope, make_bitflags,
};

use crate::{ConfineError, Confinement};

/// The newest interface whose rights are taken away where the kernel has it; older kernels know fewer, and [`crate::calls`] makes up for
/// what they lack.
const NEWEST: ABI = ABI::V9;

/// The rules, but for what only the process itself can name ([`own_process`]).
pub(crate) fn ruleset(confinement: &Confinement) -> Result<RulesetCreated, ConfineError> {
    let error = |e: RulesetError| ConfineError::Rules(e.to_string());
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(NEWEST)))
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create)
        .map_err(error)?;
    for path in &confinement.read {
        rules = allow(rules, path, readable())?;
    }
    for path in &confinement.programs {
        rules = allow(rules, path, readable() | AccessFs::Execute)?;
    }
    for path in &confinement.write {
        if !path.is_dir() {
            let why = format!("{} is no directory", path.display());
            return Err(ConfineError::Rules(why));
        }
        rules = allow(rules, path, writable())?;
    }
    // What is thrown away, and where nothing comes from.
    let void = make_bitflags!(AccessFs::{ReadFile | WriteFile});
    allow(rules, Path::new("/dev/null"), void)
}

/// Lets the process look at itself, below `/proc`: a JVM asks there for its stack and its container. To be called by the process that is shut
/// in, before it is.
///
/// # Errors
/// The system's number of what went wrong.
pub(crate) fn own_process(rules: RulesetCreated) -> Result<RulesetCreated, i32> {
    let directory = PathFd::new("/proc/self").map_err(|_| libc::ENOENT)?;
    rules
        .add_rule(PathBeneath::new(directory, readable()))
        .map_err(|_| libc::EINVAL)
}

fn readable() -> BitFlags<AccessFs> {
    make_bitflags!(AccessFs::{ReadFile | ReadDir})
}

/// No links to elsewhere, no sockets, pipes or devices: whoever reads the directory afterwards finds files and directories.
fn writable() -> BitFlags<AccessFs> {
    readable()
        | make_bitflags!(AccessFs::{WriteFile | RemoveDir | RemoveFile | MakeDir | MakeReg | Truncate})
}

/// Adds a rule for a path, which may be missing. A file gets the rights that files can have.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, ConfineError> {
    let Ok(opened) = PathFd::new(path) else {
        return Ok(rules);
    };
    let access = match path.is_dir() {
        true => access,
        false => access & AccessFs::from_file(NEWEST),
    };
    rules
        .add_rule(PathBeneath::new(opened, access))
        .map_err(|e| ConfineError::Rules(format!("{}: {e}", path.display())))
}
