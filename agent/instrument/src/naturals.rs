//! The list of natural classes, once a process.

use std::sync::OnceLock;

use jinsi_natural::Natural;

/// The built-in list of natural classes.
pub fn natural_classes() -> &'static Natural {
    static NATURAL: OnceLock<Natural> = OnceLock::new();
    NATURAL.get_or_init(Natural::default)
}
