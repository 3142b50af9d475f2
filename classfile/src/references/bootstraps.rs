//! The bootstrap methods of a class (JVMS §4.7.23).

use crate::bytes::{Reader, put_u16};
use crate::class::{Attribute, ClassFile, ParseError, WriteError};

const NAME: &str = "BootstrapMethods";

/// What `invokedynamic` instructions and dynamic constants are made by: a method handle, and the constants that it is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bootstraps(Vec<(u16, Vec<u16>)>);

impl Bootstraps {
    /// Those of a class; none if it has no such attribute.
    ///
    /// # Errors
    /// The attribute is malformed.
    pub fn of(class: &ClassFile) -> Result<Self, ParseError> {
        let Some(attribute) = class.attribute(NAME) else {
            return Ok(Self::default());
        };
        let mut reader = Reader::new(&attribute.data);
        let mut all = Vec::new();
        for _ in 0..reader.u16()? {
            let method = reader.u16()?;
            let count = reader.u16()?;
            let arguments = (0..count).map(|_| reader.u16()).collect::<Result<_, _>>()?;
            all.push((method, arguments));
        }
        match reader.is_empty() {
            true => Ok(Self(all)),
            false => Err(ParseError::Malformed {
                what: "bytes behind the bootstrap methods",
                at: reader.pos(),
            }),
        }
    }

    /// Method handle and arguments of the one with this index.
    pub fn get(&self, index: u16) -> Option<(u16, &[u16])> {
        let (method, arguments) = self.0.get(usize::from(index))?;
        Some((*method, arguments))
    }

    /// All of them: method handle and arguments.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &[u16])> {
        self.0.iter().map(|(method, args)| (*method, &args[..]))
    }

    /// Index of one like that with the index `old`, but for one argument. The old one stays: others may use it.
    pub(super) fn with_argument(
        &mut self,
        old: u16,
        argument: usize,
        constant: u16,
    ) -> Result<u16, WriteError> {
        let mut new = self.0.get(usize::from(old)).cloned().unwrap_or_default();
        if let Some(argument) = new.1.get_mut(argument) {
            *argument = constant;
        }
        let index = match self.0.iter().position(|known| *known == new) {
            Some(known) => known,
            None => {
                self.0.push(new);
                self.0.len() - 1
            }
        };
        u16::try_from(index).map_err(|_| WriteError::TooMany {
            what: "bootstrap methods",
            count: self.0.len(),
        })
    }

    /// Puts them into a class in the place of its own.
    pub(super) fn store(&self, class: &mut ClassFile) -> Result<(), WriteError> {
        let count = u16::try_from(self.0.len()).map_err(|_| WriteError::TooMany {
            what: "bootstrap methods",
            count: self.0.len(),
        })?;
        if count == 0 {
            return Ok(());
        }
        let mut data = Vec::new();
        put_u16(&mut data, count);
        for (method, arguments) in &self.0 {
            put_u16(&mut data, *method);
            // As many as were read, which a `u2` has counted.
            put_u16(&mut data, arguments.len() as u16);
            for argument in arguments {
                put_u16(&mut data, *argument);
            }
        }
        let name = class.pool.add_utf8(NAME)?;
        let known = class
            .attributes
            .iter_mut()
            .find(|a| class.pool.is_utf8(a.name, NAME));
        match known {
            Some(attribute) => attribute.data = data,
            None => class.attributes.push(Attribute { name, data }),
        }
        Ok(())
    }
}
