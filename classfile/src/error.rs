//! Why bytes are no class file.

/// Why bytes are no class file that can be read. Positions are byte offsets in the item being parsed: the file, or the
/// attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The data end too early.
    #[error("truncated at byte {at}")]
    Truncated {
        /// Where reading failed.
        at: usize,
    },
    /// More data than the structure has.
    #[error("unexpected data at byte {at}")]
    Trailing {
        /// Where the structure ended.
        at: usize,
    },
    /// Not `CAFEBABE`.
    #[error("no class file: magic number {0:#010x}")]
    Magic(u32),
    /// A version before 45.3.
    #[error("class file version {major}.{minor} is not supported")]
    Version {
        /// Major version.
        major: u16,
        /// Minor version.
        minor: u16,
    },
    /// A constant of unknown kind.
    #[error("constant {index} has the unknown tag {tag}")]
    ConstantTag {
        /// Its index.
        index: usize,
        /// Its tag.
        tag: u8,
    },
    /// A structure breaks a rule of its own.
    #[error("{what} (at byte {at})")]
    Malformed {
        /// The rule.
        what: &'static str,
        /// Where.
        at: usize,
    },
}
