//! LEB128 varints (seven bits a byte, low bits first, the top bit set on all bytes but the last) and zigzag numbers.
//!
//! The top bit marks the *last* byte of a number by being clear, so a row of varints can be read from its end as well.

use thiserror::Error;

/// Longest varint of 64 bits.
const MAX_BYTES: usize = 10;

/// Why there is no number at the front of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum VarintError {
    /// The bytes end before it does.
    #[error("cut")]
    Cut,
    /// It has more than 64 bits.
    #[error("more than 64 bits")]
    TooLarge,
}

/// Appends `n`, in the fewest bytes that it can have.
#[inline]
pub fn write(out: &mut Vec<u8>, n: u64) {
    if n < 0x80 {
        return out.push(n as u8);
    }
    // All bytes at once, and then as many as there are: a loop costs more than what else is done for a value.
    let size = (u64::BITS - n.leading_zeros()).div_ceil(7) as usize;
    let spread = spread(n) | CONTINUED & !u64::MAX.unbounded_shl(8 * (size as u32 - 1));
    let last = n >> 56 & 0x7f | u64::from(size == MAX_BYTES) << 7 | n >> 63 << 8;
    let bytes = (u128::from(last) << 64 | u128::from(spread)).to_le_bytes();
    let len = out.len();
    out.extend_from_slice(&bytes);
    out.truncate(len + size);
}

/// The top bits of eight bytes.
const CONTINUED: u64 = 0x8080_8080_8080_8080;

/// The low 56 bits, seven to a byte.
#[inline]
fn spread(n: u64) -> u64 {
    let n = n & 0x0fff_ffff | (n & 0x00ff_ffff_f000_0000) << 4;
    let n = n & 0x0000_3fff_0000_3fff | (n & 0x0fff_c000_0fff_c000) << 2;
    n & 0x007f_007f_007f_007f | (n & 0x3f80_3f80_3f80_3f80) << 1
}

/// The number at the front of `bytes` and its size. It may have more bytes than it needs.
///
/// # Errors
/// It is cut, or has more than 64 bits.
pub fn read(bytes: &[u8]) -> Result<(u64, usize), VarintError> {
    let mut n = 0u64;
    for (i, &byte) in bytes.iter().enumerate().take(MAX_BYTES) {
        let bits = u64::from(byte & 0x7f);
        if i == MAX_BYTES - 1 && bits > 1 {
            return Err(VarintError::TooLarge);
        }
        n |= bits << (7 * i);
        if byte < 0x80 {
            return Ok((n, i + 1));
        }
    }
    Err(match bytes.len() < MAX_BYTES {
        true => VarintError::Cut,
        false => VarintError::TooLarge,
    })
}

/// The number at the end of `bytes` and its size.
pub(crate) fn read_last(bytes: &[u8]) -> Option<(u64, usize)> {
    let (last, before) = bytes.split_last()?;
    if *last >= 0x80 {
        return None;
    }
    let more = before.iter().rev().take_while(|&&b| b >= 0x80);
    let size = 1 + more.take(MAX_BYTES).count();
    match read(&bytes[bytes.len() - size..]) {
        Ok((n, read)) if read == size => Some((n, size)),
        _ => None,
    }
}

/// Signed numbers of small magnitude as small unsigned ones.
pub(crate) fn zigzag(n: i64) -> u64 {
    (n << 1 ^ n >> 63) as u64
}

/// Inverse of [`zigzag`].
pub(crate) fn unzigzag(n: u64) -> i64 {
    (n >> 1) as i64 ^ -((n & 1) as i64)
}

/// Takes numbers and byte strings off the front of some bytes.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// What is not read yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let (n, size) = read(self.rest).ok()?;
        self.rest = &self.rest[size..];
        Some(n)
    }

    /// A count of things that take at least one byte each of what follows.
    pub(crate) fn count(&mut self) -> Option<usize> {
        let n = self.number()?;
        usize::try_from(n).ok().filter(|&n| n <= self.rest.len())
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sizes_and_cuts() {
        let powers = (1..10).flat_map(|size| {
            let least = 1u64 << (7 * size);
            [
                (least - 1, size),
                (least, size + 1),
                (least | least >> 1, size + 1),
            ]
        });
        let numbers = powers.chain([(0, 1), (1, 1), (u64::MAX, 10)]);
        for (n, size) in numbers {
            let mut out = Vec::new();
            write(&mut out, n);
            assert_eq!(out.len(), size, "{n:#x}");
            assert!(
                out[..size - 1].iter().all(|byte| byte & 0x80 != 0),
                "{n:#x}"
            );
            assert_eq!(read(&out), Ok((n, size)));
            assert_eq!(read_last(&out), Some((n, size)));
            assert_eq!(read(&out[..size - 1]), Err(VarintError::Cut));
        }
        assert_eq!(read(&[0xff; 10]), Err(VarintError::TooLarge));
        assert_eq!(
            read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]),
            Err(VarintError::TooLarge)
        );
        assert_eq!(read_last(&[0x80]), None);
    }

    proptest! {
        #[test]
        fn rows_read_from_both_ends(numbers: Vec<i64>, shift in 0u32..64) {
            let numbers: Vec<i64> = numbers.into_iter().map(|n| n >> shift).collect();
            let mut out = Vec::new();
            numbers.iter().for_each(|&n| write(&mut out, zigzag(n)));
            let mut reader = Reader::new(&out);
            let forward: Option<Vec<i64>> = numbers.iter().map(|_| reader.number().map(unzigzag)).collect();
            prop_assert_eq!(forward.as_deref(), Some(&*numbers));
            let mut rest = &out[..];
            for &n in numbers.iter().rev() {
                let (word, size) = read_last(rest).unwrap();
                prop_assert_eq!(unzigzag(word), n);
                rest = &rest[..rest.len() - size];
            }
            prop_assert!(rest.is_empty());
        }
    }
}
