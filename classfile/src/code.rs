//! The `Code` attribute (JVMS §4.7.3).

use crate::attribute::{self, Attribute, WriteError, list, put_count, write_attributes};
use crate::bytes::{Reader, put_u16, put_u32};
use crate::error::ParseError;
use crate::pool::ConstantPool;

/// Largest `code_length` (JVMS §4.9.1).
pub const MAX_CODE_BYTES: usize = 65_535;

/// A method's code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// Deepest operand stack, in slots.
    pub max_stack: u16,
    /// Local variable slots.
    pub max_locals: u16,
    /// Instructions, 1 to 65,535 bytes.
    pub bytes: Vec<u8>,
    /// Exception table; the first entry that matches wins.
    pub handlers: Vec<Handler>,
    /// Attributes of the code.
    pub attributes: Vec<Attribute>,
}

/// An entry of the exception table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// First bytecode index covered.
    pub start: u16,
    /// First bytecode index behind the covered range.
    pub end: u16,
    /// Bytecode index of the handler.
    pub handler: u16,
    /// Pool index of the class caught; 0 catches everything.
    pub catch_type: u16,
}

impl Handler {
    fn parse(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        Ok(Handler {
            start: reader.u16()?,
            end: reader.u16()?,
            handler: reader.u16()?,
            catch_type: reader.u16()?,
        })
    }
}

impl Code {
    /// Parses the content of a `Code` attribute. Instructions are not looked into.
    pub fn parse(data: &[u8]) -> Result<Self, ParseError> {
        let mut reader = Reader::new(data);
        let max_stack = reader.u16()?;
        let max_locals = reader.u16()?;
        let len = reader.u32()? as usize;
        if len == 0 || len > MAX_CODE_BYTES {
            return Err(ParseError::Malformed {
                what: "code length outside 1 to 65,535",
                at: 4,
            });
        }
        let code = Code {
            max_stack,
            max_locals,
            bytes: reader.take(len)?.to_vec(),
            handlers: list(&mut reader, Handler::parse)?,
            attributes: list(&mut reader, Attribute::parse)?,
        };
        reader.end()?;
        Ok(code)
    }

    /// Content of the `Code` attribute.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        if self.bytes.len() > MAX_CODE_BYTES {
            return Err(WriteError::TooMany {
                what: "bytes of code",
                count: self.bytes.len(),
            });
        }
        let mut out = Vec::with_capacity(self.bytes.len() + 64);
        put_u16(&mut out, self.max_stack);
        put_u16(&mut out, self.max_locals);
        put_u32(&mut out, self.bytes.len() as u32);
        out.extend_from_slice(&self.bytes);
        put_count(&mut out, self.handlers.len(), "exception handlers")?;
        for handler in &self.handlers {
            put_u16(&mut out, handler.start);
            put_u16(&mut out, handler.end);
            put_u16(&mut out, handler.handler);
            put_u16(&mut out, handler.catch_type);
        }
        write_attributes(&self.attributes, &mut out)?;
        Ok(out)
    }

    /// The attribute of the code with this name.
    pub fn attribute(&self, pool: &ConstantPool, name: &str) -> Option<&Attribute> {
        attribute::find(&self.attributes, pool, name)
    }

    /// Source lines: pairs (first bytecode index, line) of all `LineNumberTable` attributes (JVMS §4.7.12), by rising index.
    /// Empty if there is none or it is malformed.
    pub fn lines(&self, pool: &ConstantPool) -> Vec<(u16, u16)> {
        let mut lines = Vec::new();
        for attribute in &self.attributes {
            if pool.is_utf8(attribute.name, "LineNumberTable") {
                let mut reader = Reader::new(&attribute.data);
                let table = list(&mut reader, |r| Ok((r.u16()?, r.u16()?)));
                lines.extend(table.unwrap_or_default());
            }
        }
        lines.sort_by_key(|(start, _)| *start);
        lines
    }
}

/// The line that `lines` (from [`Code::lines`]) gives for a bytecode index; `None` before the first entry.
pub fn line_at(lines: &[(u16, u16)], offset: u32) -> Option<u16> {
    let behind = lines.partition_point(|(start, _)| u32::from(*start) <= offset);
    lines.get(behind.checked_sub(1)?).map(|(_, line)| *line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        let code = Code {
            max_stack: 1,
            max_locals: 2,
            bytes: vec![0, 0xb1],
            handlers: vec![Handler {
                start: 0,
                end: 1,
                handler: 1,
                catch_type: 7,
            }],
            attributes: vec![Attribute {
                name: 3,
                data: vec![1, 2, 3],
            }],
        };
        let bytes = code.to_bytes().unwrap();
        assert_eq!(Code::parse(&bytes), Ok(code));
        for len in 0..bytes.len() {
            assert!(Code::parse(&bytes[..len]).is_err());
        }
    }

    #[test]
    fn sizes_are_checked() {
        let empty = Code::default().to_bytes().unwrap();
        assert!(Code::parse(&empty).is_err());
        let large = Code {
            bytes: vec![0; 65_536],
            ..Code::default()
        };
        assert!(large.to_bytes().is_err());
    }

    #[test]
    fn lines_are_looked_up_by_range() {
        let mut pool = ConstantPool::new();
        let name = pool.add_utf8("LineNumberTable").unwrap();
        let code = Code {
            attributes: vec![Attribute {
                name,
                data: vec![0, 2, 0, 5, 0, 11, 0, 2, 0, 10],
            }],
            ..Code::default()
        };
        let lines = code.lines(&pool);
        assert_eq!(lines, [(2, 10), (5, 11)]);
        let at = |offset| line_at(&lines, offset);
        assert_eq!(
            (at(1), at(2), at(4), at(5), at(900)),
            (None, Some(10), Some(10), Some(11), Some(11))
        );
    }
}
