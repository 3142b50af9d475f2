//! What a run of the search leaves behind for machines ([`json`]) and for people ([`html`]).

pub mod html;
pub mod java;
pub mod json;
pub mod outputs;
pub mod suite;
pub mod suspects;
