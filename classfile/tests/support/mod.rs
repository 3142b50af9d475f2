//! What the tests on real JVMs share.

pub(crate) mod flows;
pub(crate) mod jdk;
pub(crate) mod rewrite;
