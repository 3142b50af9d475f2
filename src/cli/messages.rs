//! What the command says on stderr: the console has the texts.

pub(crate) use jinsi_console::messages::*;
