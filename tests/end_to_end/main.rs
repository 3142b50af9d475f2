//! End to end: real JVMs, the command as a user has it.

mod arrays;
mod bad_input;
mod boundary;
mod coexist;
mod construction;
mod fields;
mod golden;
mod hosts;
mod inheritance;
mod loaders;
mod losses;
mod manual;
mod maven;
mod minimizing;
mod numberwriter;
mod recording;
mod redacting;
mod replaying;
mod slicing;
mod suites;
mod support;
mod threads;
mod transparency;
