//! Values as Java source (JLS §3.10). Everything is ASCII, so that the compiler's encoding does not matter.

use std::fmt::Write;

use jinsi_trace::model::{JavaString, Prim};

/// A primitive as an expression of exactly its type.
pub fn primitive(value: Prim) -> String {
    match value {
        Prim::Boolean(v) => v.to_string(),
        Prim::Byte(v) => format!("(byte) {v}"),
        Prim::Short(v) => format!("(short) {v}"),
        Prim::Char(v) => character(v),
        Prim::Int(i32::MIN) => "Integer.MIN_VALUE".into(),
        Prim::Int(i32::MAX) => "Integer.MAX_VALUE".into(),
        Prim::Int(v) => v.to_string(),
        Prim::Long(i64::MIN) => "Long.MIN_VALUE".into(),
        Prim::Long(i64::MAX) => "Long.MAX_VALUE".into(),
        Prim::Long(v) => format!("{v}L"),
        Prim::Float(v) => float(v),
        Prim::Double(v) => double(v),
    }
}

/// A string literal.
pub fn string(text: &JavaString) -> String {
    let mut out = String::from('"');
    for &unit in text.0.iter() {
        escape(&mut out, unit, '"');
    }
    out.push('"');
    out
}

fn character(unit: u16) -> String {
    let mut out = String::from('\'');
    escape(&mut out, unit, '\'');
    out.push('\'');
    out
}

fn escape(out: &mut String, unit: u16, quote: char) {
    match char::from_u32(u32::from(unit)) {
        Some('\n') => out.push_str("\\n"),
        Some('\r') => out.push_str("\\r"),
        Some('\t') => out.push_str("\\t"),
        Some('\\') => out.push_str("\\\\"),
        Some(c) if c == quote => {
            out.push('\\');
            out.push(c);
        }
        Some(c @ ' '..='~') => out.push(c),
        _ => {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
}

fn float(v: f32) -> String {
    if v.is_nan() {
        return if v.to_bits() == 0x7fc0_0000 {
            "Float.NaN".into()
        } else {
            format!(
                "Float.intBitsToFloat({})",
                primitive(Prim::Int(v.to_bits() as i32))
            )
        };
    }
    if v == f32::MAX {
        return "Float.MAX_VALUE".into();
    }
    infinity("Float", v.into()).unwrap_or_else(|| format!("{v:?}f"))
}

fn double(v: f64) -> String {
    if v.is_nan() {
        return if v.to_bits() == 0x7ff8_0000_0000_0000 {
            "Double.NaN".into()
        } else {
            format!(
                "Double.longBitsToDouble({})",
                primitive(Prim::Long(v.to_bits() as i64))
            )
        };
    }
    if v == f64::MAX {
        return "Double.MAX_VALUE".into();
    }
    infinity("Double", v).unwrap_or_else(|| format!("{v:?}"))
}

fn infinity(class: &str, v: f64) -> Option<String> {
    let sign = if v > 0.0 { "POSITIVE" } else { "NEGATIVE" };
    v.is_infinite().then(|| format!("{class}.{sign}_INFINITY"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primitives_read_well() {
        let text: Vec<String> = [
            Prim::Boolean(true),
            Prim::Byte(-1),
            Prim::Short(7),
            Prim::Char(u16::from(b'w')),
            Prim::Char(u16::from(b'\'')),
            Prim::Char(u16::from(b'"')),
            Prim::Char(0),
            Prim::Int(i32::MIN),
            Prim::Int(-28_378_000),
            Prim::Long(-2_717_640_422_000),
            Prim::Long(i64::MIN),
            Prim::Float(1.5),
            Prim::Float(f32::NAN),
            Prim::Float(f32::from_bits(0x7fc0_0001)),
            Prim::Float(1e-45),
            Prim::Double(-0.0),
            Prim::Double(1e300),
            Prim::Double(f64::NEG_INFINITY),
            Prim::Double(f64::MAX),
        ]
        .map(primitive)
        .into();
        assert_eq!(
            text,
            [
                "true",
                "(byte) -1",
                "(short) 7",
                "'w'",
                "'\\''",
                "'\"'",
                "'\\u0000'",
                "Integer.MIN_VALUE",
                "-28378000",
                "-2717640422000L",
                "Long.MIN_VALUE",
                "1.5f",
                "Float.NaN",
                "Float.intBitsToFloat(2143289345)",
                "1e-45f",
                "-0.0",
                "1e300",
                "Double.NEGATIVE_INFINITY",
                "Double.MAX_VALUE",
            ]
        );
    }

    #[test]
    fn strings_are_escaped() {
        assert_eq!(
            string(&JavaString::new("a\"b\\c\n\u{e9}'\u{1f600}")),
            r#""a\"b\\c\n\u00e9'\ud83d\ude00""#
        );
        assert_eq!(
            string(&JavaString([0xd800, 0x41].into())),
            r#""\ud800A""#,
            "unpaired surrogates survive"
        );
        assert_eq!(
            string(&JavaString::new("\\u0041")),
            r#""\\u0041""#,
            "a backslash before u is no escape of the compiler's"
        );
    }
}
