//! What a run of the search leaves behind for machines ([`json`]).

pub mod json;
