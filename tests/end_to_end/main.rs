//! End to end: real JVMs, the command as a user has it.

mod bad_input;
mod coexist;
mod fields;
mod golden;
mod inheritance;
mod minimizing;
mod numberwriter;
mod recording;
mod support;
mod threads;
mod transparency;
