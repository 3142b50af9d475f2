//! Raw attributes, and what else a class file has lists of (JVMS §4.7).

use crate::bytes::{Reader, put_u16, put_u32};
use crate::error::ParseError;
use crate::pool::{ConstantPool, PoolError};

/// Why a class cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// More of something than its count can say.
    #[error("{count} {what} are too many")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are.
        count: usize,
    },
    /// A name that has to be written does not fit into the constant pool.
    #[error(transparent)]
    Pool(#[from] PoolError),
}

/// An attribute (JVMS §4.7), uninterpreted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Pool index of the name.
    pub name: u16,
    /// Content.
    pub data: Vec<u8>,
}

impl Attribute {
    pub(crate) fn parse(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let name = reader.u16()?;
        let len = reader.u32()?;
        Ok(Attribute {
            name,
            data: reader.take(len as usize)?.to_vec(),
        })
    }
}

/// The first attribute with this name.
pub(crate) fn find<'a>(
    attributes: &'a [Attribute],
    pool: &ConstantPool,
    name: &str,
) -> Option<&'a Attribute> {
    attributes
        .iter()
        .find(|attribute| pool.is_utf8(attribute.name, name))
}

/// A u2 count and as many items. Reserves nothing: what a hostile count announces need not be there.
pub(crate) fn list<'a, T>(
    reader: &mut Reader<'a>,
    mut item: impl FnMut(&mut Reader<'a>) -> Result<T, ParseError>,
) -> Result<Vec<T>, ParseError> {
    let count = reader.u16()?;
    (0..count).map(|_| item(reader)).collect()
}

pub(crate) fn put_count(
    out: &mut Vec<u8>,
    count: usize,
    what: &'static str,
) -> Result<(), WriteError> {
    let value = u16::try_from(count).map_err(|_| WriteError::TooMany { what, count })?;
    put_u16(out, value);
    Ok(())
}

pub(crate) fn write_attributes(
    attributes: &[Attribute],
    out: &mut Vec<u8>,
) -> Result<(), WriteError> {
    put_count(out, attributes.len(), "attributes")?;
    for attribute in attributes {
        let count = attribute.data.len();
        let len = u32::try_from(count).map_err(|_| WriteError::TooMany {
            what: "bytes in an attribute",
            count,
        })?;
        put_u16(out, attribute.name);
        put_u32(out, len);
        out.extend_from_slice(&attribute.data);
    }
    Ok(())
}
