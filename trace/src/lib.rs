//! The trace: what was recorded, and the file that holds it. Knows no JVM and no Java program.

pub mod model;
pub mod pattern;
pub mod raw;
pub mod rlese;
