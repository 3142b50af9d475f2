//! A class file on its way into the JVM.

/// A class file as it comes through the hook.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<'a> {
    /// Internal name.
    pub name: &'a str,
    /// Identity hash code of the loader; 0 of the boot loader.
    pub loader: i32,
    /// The class file.
    pub bytes: &'a [u8],
}
