//! Files and directories that are their owner's only: those that stay, and temporary ones that go with the process.

pub mod private;
pub mod temporary;
