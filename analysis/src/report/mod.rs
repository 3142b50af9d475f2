//! What a run of the search leaves behind for machines ([`json`]) and for people ([`html`]).

mod escape;
pub mod html;
pub mod java;
pub mod json;
mod of_level;
mod of_run;
pub mod outputs;
pub mod second_try;
pub mod suite;
pub mod suspects;
