//! The text in which the probe describes a throwable: parts separated by U+0000.

use jinsi_trace::model::{Frame, ObjectId, ThrowableDef};

/// The throwable, and the names of its class and superclasses. `None` if the text is not of the probe's form.
///
/// Parts: class and superclasses joined by `,`; cause's identity; stored message; shown message; then a frame at a time class, method,
/// file, line. Optional parts are empty or begin with `=`.
pub fn parse(id: ObjectId, text: &str) -> Option<(ThrowableDef, Vec<&str>)> {
    let mut parts = text.split('\0');
    let classes: Vec<&str> = parts.next()?.split(',').collect();
    let cause = parts.next()?.parse().ok()?;
    let message = optional(parts.next()?);
    let text = optional(parts.next()?);
    let mut frames = Vec::new();
    while let Some(class) = parts.next() {
        frames.push(Frame {
            class: class.into(),
            method: parts.next()?.into(),
            file: optional(parts.next()?),
            line: parts.next()?.parse().ok()?,
        });
    }
    let class = (*classes.first()?).into();
    Some((
        ThrowableDef {
            id,
            class,
            message,
            text,
            cause,
            frames,
        },
        classes,
    ))
}

fn optional(part: &str) -> Option<String> {
    part.strip_prefix('=').map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_probe_writes() {
        let text = "a.E,java.lang.Exception,java.lang.Throwable\u{0}0\u{0}=m=1\u{0}\u{0}a.B\u{0}run\u{0}=B.java\u{0}7\u{0}a.C\u{0}x\u{0}\u{0}-2";
        let (def, classes) = parse(5, text).unwrap();
        assert_eq!(def.class, "a.E");
        assert_eq!(classes.len(), 3);
        assert_eq!(
            (def.message.as_deref(), def.text.as_deref()),
            (Some("m=1"), None)
        );
        assert_eq!(def.frames.len(), 2);
        assert_eq!(
            (def.frames[1].file.as_deref(), def.frames[1].line),
            (None, -2)
        );
        assert!(parse(5, "a.E\u{0}x").is_none());
    }
}
