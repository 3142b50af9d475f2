//! Numbers of classes and of sites.

use std::fmt;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

crate::number! {
    /// Number of a class in the class table, from 0.
    pub struct ClassNo;
}

/// Number of a site in the site table, from 1. It takes four bytes, and so does an `Option` of it. Its text and its form in JSON are
/// those of the number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SiteNo(NonZeroU32);

impl SiteNo {
    /// The first number.
    pub const FIRST: Self = Self(NonZeroU32::MIN);

    /// The number `n`; `None` if that is 0, which in a trace stands for no site.
    pub const fn new(n: u32) -> Option<Self> {
        match NonZeroU32::new(n) {
            Some(n) => Some(Self(n)),
            None => None,
        }
    }

    /// The number itself.
    pub const fn get(self) -> u32 {
        self.0.get()
    }

    /// How a trace writes the number of a site, or that there is none: 0.
    pub fn written(site: Option<Self>) -> u32 {
        site.map_or(0, Self::get)
    }

    /// The number that comes so many behind this one.
    ///
    /// # Panics
    /// Behind the last number that there can be, 2^32 - 1.
    pub fn behind(self, count: usize) -> Self {
        let count = u32::try_from(count).ok();
        let number = count.and_then(|count| self.0.checked_add(count));
        Self(number.expect("more sites than can be numbered"))
    }
}

impl fmt::Debug for SiteNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for SiteNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_numbered_from_one() {
        assert_eq!(SiteNo::new(0), None);
        assert_eq!(SiteNo::new(1), Some(SiteNo::FIRST));
        assert_eq!(SiteNo::FIRST.behind(2).get(), 3);
        assert_eq!(SiteNo::new(u32::MAX).map(SiteNo::get), Some(u32::MAX));
        for n in [0, 1, u32::MAX] {
            assert_eq!(SiteNo::written(SiteNo::new(n)), n);
        }
    }

    #[test]
    fn text_and_json_are_those_of_the_number() {
        let no = SiteNo::new(7).unwrap();
        assert_eq!(format!("{no} {no:?}"), "7 7");
        assert_eq!(serde_json::to_string(&no).unwrap(), "7");
        assert_eq!(serde_json::from_str::<SiteNo>("7").unwrap(), no);
        assert!(serde_json::from_str::<SiteNo>("0").is_err());
    }
}
