//! Numbers of things as types, so that the number of a site is no number of a class, and "none" is `None`.

/// Makes a type of numbers that count things of one kind, from 0. It takes four bytes, and so does an `Option` of it. Its text and its
/// form in JSON are those of the number.
#[macro_export]
macro_rules! number {
    ($(#[$doc:meta])* $visible:vis struct $Name:ident;) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        // The number and one more: zero is left to stand for `None`.
        $visible struct $Name(::std::num::NonZeroU32);

        #[allow(dead_code)]
        impl $Name {
            /// The first number.
            $visible const FIRST: Self = Self(::std::num::NonZeroU32::MIN);
            /// The last number that there can be, 2^32 - 2.
            $visible const MAX: Self = Self(::std::num::NonZeroU32::MAX);

            /// The number `n`; `None` if that is 2^32 - 1 or more.
            $visible const fn checked(n: u64) -> ::std::option::Option<Self> {
                if n >= u32::MAX as u64 {
                    return None;
                }
                match ::std::num::NonZeroU32::new(n as u32 + 1) {
                    Some(behind) => Some(Self(behind)),
                    None => None,
                }
            }

            /// The number of what has this index among all of its kind.
            ///
            /// # Panics
            /// If the index is 2^32 - 1 or more.
            $visible const fn from_index(index: usize) -> Self {
                match Self::checked(index as u64) {
                    Some(number) => number,
                    None => panic!("more things than can be numbered"),
                }
            }

            /// The number as an index.
            $visible const fn index(self) -> usize {
                self.0.get() as usize - 1
            }

            /// The number itself.
            $visible const fn get(self) -> u32 {
                self.0.get() - 1
            }

            /// The number behind this one.
            ///
            /// # Panics
            /// Behind the last number that there can be.
            $visible const fn next(self) -> Self {
                Self::from_index(self.index() + 1)
            }

            /// The number before this one; `None` before the first.
            $visible const fn before(self) -> ::std::option::Option<Self> {
                match self.index().checked_sub(1) {
                    Some(index) => Some(Self::from_index(index)),
                    None => None,
                }
            }

            /// The first `count` numbers, in order.
            $visible fn first(
                count: usize,
            ) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
                (0..count).map(Self::from_index)
            }

            /// The numbers from this one to before `end`, in order.
            $visible fn until(
                self,
                end: Self,
            ) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
                (self.index()..end.index()).map(Self::from_index)
            }

            /// The first number from this one to before `end` of which `comes_before` is not true; `end` if there is none. True must
            /// not come behind false.
            $visible fn partition_point(
                self,
                end: Self,
                comes_before: impl Fn(Self) -> bool,
            ) -> Self {
                let (mut low, mut high) = (self.index(), end.index());
                while low < high {
                    let middle = low + (high - low) / 2;
                    if comes_before(Self::from_index(middle)) {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                Self::from_index(low)
            }
        }

        impl ::std::fmt::Debug for $Name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Debug::fmt(&self.get(), f)
            }
        }

        impl ::std::fmt::Display for $Name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.get(), f)
            }
        }

        impl $crate::number::serde::Serialize for $Name {
            fn serialize<S: $crate::number::serde::Serializer>(
                &self,
                to: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                to.serialize_u32(self.get())
            }
        }

        impl<'de> $crate::number::serde::Deserialize<'de> for $Name {
            fn deserialize<D: $crate::number::serde::Deserializer<'de>>(
                from: D,
            ) -> ::std::result::Result<Self, D::Error> {
                let n = <u32 as $crate::number::serde::Deserialize>::deserialize(from)?;
                Self::checked(n.into()).ok_or_else(|| {
                    $crate::number::serde::de::Error::custom("number out of range")
                })
            }
        }
    };
}

#[doc(hidden)]
pub use serde;

#[cfg(test)]
mod tests {
    number! {
        /// Numbers of nothing.
        struct No;
    }

    #[test]
    fn a_number_and_none_take_four_bytes() {
        assert_eq!(size_of::<No>(), 4);
        assert_eq!(size_of::<Option<No>>(), 4);
    }

    #[test]
    fn numbers_are_from_zero_in_order() {
        let numbers: Vec<No> = No::first(3).collect();
        let indexes: Vec<usize> = numbers.iter().map(|no| no.index()).collect();
        assert_eq!((indexes, No::FIRST), (vec![0, 1, 2], numbers[0]));
        assert!(numbers.is_sorted());
        let between: Vec<No> = No::from_index(1).until(No::from_index(3)).collect();
        assert_eq!(between, numbers[1..]);
        assert_eq!(numbers[0].next(), numbers[1]);
        for at in 0..5 {
            let found = No::FIRST.partition_point(No::from_index(4), |no| no.index() < at);
            assert_eq!(found.index(), at.min(4));
        }
        assert_eq!(
            (numbers[1].before(), No::FIRST.before()),
            (Some(numbers[0]), None)
        );
        assert_eq!(No::checked(u64::from(u32::MAX)), None);
        assert_eq!(No::checked(u64::from(u32::MAX) - 1), Some(No::MAX));
    }

    #[test]
    fn text_and_json_are_those_of_the_number() {
        let no = No::from_index(7);
        assert_eq!(format!("{no} {no:?}"), "7 7");
        assert_eq!(serde_json::to_string(&no).unwrap(), "7");
        assert_eq!(serde_json::from_str::<No>("7").unwrap(), no);
        assert!(serde_json::from_str::<No>("4294967295").is_err());
    }
}
