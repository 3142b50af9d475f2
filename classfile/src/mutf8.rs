//! Modified UTF-8 (JVMS §4.4.7): NUL takes two bytes, characters beyond the BMP are two encoded surrogates.

use std::borrow::Cow;

/// Decodes; borrows when the bytes are plain UTF-8, which they nearly always are. What no Rust string can hold (unpaired
/// surrogates, malformed bytes) becomes U+FFFD.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(decode_slow(bytes)),
    }
}

fn decode_slow(bytes: &[u8]) -> String {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((unit, len)) = unit(rest) {
        units.push(unit);
        rest = &rest[len..];
    }
    String::from_utf16_lossy(&units)
}

/// The first UTF-16 code unit of `bytes` and how many bytes it takes; a malformed byte counts as one unit U+FFFD.
fn unit(bytes: &[u8]) -> Option<(u16, usize)> {
    let low = |i: usize| {
        bytes
            .get(i)
            .filter(|b| **b & 0xc0 == 0x80)
            .map(|b| u16::from(b & 0x3f))
    };
    let first = *bytes.first()?;
    let decoded = match first {
        0x00..=0x7f => Some((u16::from(first), 1)),
        0xc0..=0xdf => low(1).map(|a| (u16::from(first & 0x1f) << 6 | a, 2)),
        0xe0..=0xef => low(1)
            .zip(low(2))
            .map(|(a, b)| (u16::from(first & 0x0f) << 12 | a << 6 | b, 3)),
        _ => None,
    };
    Some(decoded.unwrap_or((0xfffd, 1)))
}

/// Encodes.
pub(crate) fn encode(text: &str) -> Cow<'_, [u8]> {
    if text.bytes().all(|b| b != 0 && b < 0xf0) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut out = Vec::with_capacity(text.len() + 2);
    for unit in text.encode_utf16() {
        let tail = 0x80 | (unit & 0x3f) as u8;
        match unit {
            1..=0x7f => out.push(unit as u8),
            0 | 0x80..=0x7ff => out.extend([0xc0 | (unit >> 6) as u8, tail]),
            _ => out.extend([
                0xe0 | (unit >> 12) as u8,
                0x80 | (unit >> 6 & 0x3f) as u8,
                tail,
            ]),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nul_and_supplementary_characters() {
        assert_eq!(&*encode("a\0"), b"a\xc0\x80");
        assert_eq!(&*encode("\u{1F600}"), b"\xed\xa0\xbd\xed\xb8\x80");
        assert_eq!(decode(b"\xed\xa0\xbd\xed\xb8\x80"), "\u{1F600}");
        assert_eq!(decode(b"x\xed\xa0\xbdy"), "x\u{fffd}y");
        assert_eq!(decode(b"\xff\xe0"), "\u{fffd}\u{fffd}");
    }

    proptest! {
        #[test]
        fn what_is_encoded_decodes(text in any::<String>()) {
            let encoded = encode(&text);
            prop_assert_eq!(decode(&encoded), text.as_str());
        }

        #[test]
        fn any_bytes_decode(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            decode(&bytes);
        }
    }
}
