//! Values of options that are not what they have to be. The command line says before it which option it is, and what was typed.

use std::str::FromStr;

/// A value that is not what it has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadValue {
    #[error("a field is written CLASS.FIELD, or #N.FIELD with N the number of an object")]
    Field,
    #[error("a method is written CLASS.METHOD, such as shop.Cart.total")]
    Method,
    #[error("a moment is written THREAD:EVENT, THREAD:EVENT+STEPS, or 'failure'")]
    Moment,
    #[error(
        "it is a number, such as 12; 'jinsi at' and 'jinsi events' show those of objects, 'jinsi info' those of threads"
    )]
    Number,
    #[error("a size is a number of bytes, such as 500000, 64M or 2G")]
    Size,
    #[error("a time is a number of seconds from 0, such as 30 or 0.5")]
    Seconds,
}

/// The number of an object or a thread, with or without `#` before it.
pub(crate) fn number<N: FromStr>(text: &str) -> Result<N, BadValue> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    digits.parse().map_err(|_| BadValue::Number)
}
