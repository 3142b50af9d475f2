//! How large a trace may become, and what the last line on stderr says if it became that large.

use std::fmt;
use std::path::Path;

use jinsi_platform::space::free_at;

use crate::message::{Message, Missing};

/// What a trace may have if nothing is said. What is longer is hardly ever analysed whole, and all disks of today have room for it.
const DEFAULT: u64 = 2 << 30;
/// ... but no more than such a part of what is free where it is written.
const PART_OF_FREE: u64 = 8;
/// Least that it can be: tables of a small program fit.
pub const LEAST: u64 = 1 << 20;

/// `max-size=`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MaxSize {
    /// Nothing was said.
    #[default]
    Default,
    /// There is no bound.
    Unbounded,
    /// So many bytes.
    Bytes(u64),
}

impl MaxSize {
    /// The bound of a trace in the directory of `path`.
    pub(crate) fn bound(self, path: &Path) -> Option<Bound> {
        let (bytes, by_default) = match self {
            Self::Unbounded => return None,
            Self::Bytes(bytes) => (bytes, false),
            Self::Default => (by_default(free_beside(path)), true),
        };
        Some(Bound { bytes, by_default })
    }
}

/// The default, if so many bytes are free; `None`: nobody knows.
fn by_default(free: Option<u64>) -> u64 {
    let part = free.map_or(DEFAULT, |free| free / PART_OF_FREE);
    part.clamp(LEAST, DEFAULT)
}

/// What is free for this user on the disk where the file is going to be.
fn free_beside(path: &Path) -> Option<u64> {
    free_at(path.parent()?)
}

/// What a trace may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Bytes.
    pub bytes: u64,
    /// Because nothing was said.
    pub by_default: bool,
}

/// A recording that ended because of its bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutShort {
    /// The bound.
    pub bound: Bound,
    /// When it ended, in seconds after its beginning.
    pub after: f64,
    /// When the program ended.
    pub of: f64,
    /// Failures that were seen after it had ended.
    pub late: u32,
}

impl CutShort {
    /// What the last line on stderr says of it.
    pub fn line(&self) -> String {
        Message::CutShort {
            max_size: self.bound.bytes,
            when: &self.to_string(),
        }
        .to_string()
    }

    /// What the trace says is not in it.
    pub fn loss(&self) -> String {
        Missing::MaxSize {
            bytes: self.bound.bytes,
            when: &self.to_string(),
        }
        .to_string()
    }
}

impl fmt::Display for CutShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.bound.by_default {
            write!(f, " (the default)")?;
        }
        let share = 100.0 * self.after / self.of.max(f64::MIN_POSITIVE);
        write!(
            f,
            ", {:.1} s after its beginning, which is {:.0} % of the {:.1} s that the program ran",
            self.after,
            share.min(100.0),
            self.of
        )?;
        match self.late {
            0 => Ok(()),
            1 => write!(f, "; a failure came after that"),
            n => write!(f, "; {n} failures came after that"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_depends_on_the_disk() {
        assert_eq!(by_default(None), DEFAULT);
        assert_eq!(by_default(Some(u64::MAX)), DEFAULT);
        assert_eq!(by_default(Some(8 << 30)), 1 << 30);
        assert_eq!(by_default(Some(0)), LEAST);
        let place = std::env::temp_dir().join("t.jinsi");
        let bound = MaxSize::Default.bound(&place).unwrap();
        assert!(bound.by_default && (LEAST..=DEFAULT).contains(&bound.bytes));
        assert!(free_beside(&place).is_some());
        assert_eq!(free_beside(Path::new("/no/such/place")), None);
    }

    #[test]
    fn what_was_said_counts() {
        let place = Path::new("/t.jinsi");
        let bytes = 3 << 20;
        let said = Bound {
            bytes,
            by_default: false,
        };
        assert_eq!(MaxSize::Bytes(bytes).bound(place), Some(said));
        assert_eq!(MaxSize::Unbounded.bound(place), None);
    }

    #[test]
    fn what_is_missing_is_said_in_one_line() {
        let mut cut = CutShort {
            bound: Bound {
                bytes: 1 << 20,
                by_default: true,
            },
            after: 3.04,
            of: 12.0,
            late: 0,
        };
        assert_eq!(
            cut.loss(),
            "everything after the trace reached its max-size of 1048576 bytes (the default), 3.0 s after its beginning, which is \
             25 % of the 12.0 s that the program ran"
        );
        cut.late = 2;
        cut.bound.by_default = false;
        assert_eq!(
            cut.line(),
            "recording ended when the trace reached max-size=1048576, 3.0 s after its beginning, which is 25 % of the 12.0 s that the \
             program ran; 2 failures came after that; a larger max-size, or max-size=none, records more"
        );
    }
}
