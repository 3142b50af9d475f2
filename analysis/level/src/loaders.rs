//! Class loaders that every JVM has: a replay and a written test have their own in the place of the recorded one.

/// A class loader of the JVM itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loader {
    /// The one that the program's classes are from.
    Program,
    /// That of the JDK's modules that the boot loader does not have.
    Platform,
}

impl Loader {
    /// The loader whose class this is (internal name); none if it is not one of the JVM's.
    pub fn of(class: &str) -> Option<Loader> {
        match class.strip_prefix("jdk/internal/loader/ClassLoaders$")? {
            "AppClassLoader" => Some(Loader::Program),
            "PlatformClassLoader" => Some(Loader::Platform),
            _ => None,
        }
    }
}
