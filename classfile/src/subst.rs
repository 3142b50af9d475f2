//! Adding, removing and replacing whole methods.

use crate::class::{ClassFile, Member, WriteError};
use crate::code::Code;
use crate::pool::PoolError;
use crate::{ACC_ABSTRACT, ACC_NATIVE, ACC_PRIVATE, ACC_STATIC, ACC_SYNTHETIC};

/// Why a method cannot be added or replaced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubstError {
    /// The class has a method with this name and descriptor already.
    #[error("method {0} exists already")]
    Exists(String),
    /// The class has no method at this index.
    #[error("no method number {0}")]
    NoSuchMethod(usize),
    /// Something does not fit.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl From<PoolError> for SubstError {
    fn from(error: PoolError) -> Self {
        SubstError::Write(error.into())
    }
}

/// Removes a method; says whether there was one.
pub fn remove_method(class: &mut ClassFile, name: &str, desc: &str) -> bool {
    match class.find_method(name, desc) {
        Some(index) => {
            class.methods.remove(index);
            true
        }
        None => false,
    }
}

/// Adds a method with code; its index in `methods` comes back.
pub fn add_method(
    class: &mut ClassFile,
    access: u16,
    name: &str,
    desc: &str,
    code: &Code,
) -> Result<usize, SubstError> {
    if class.find_method(name, desc).is_some() {
        return Err(SubstError::Exists(format!("{name}{desc}")));
    }
    let mut method = Member {
        access,
        name: class.pool.add_utf8(name)?,
        desc: class.pool.add_utf8(desc)?,
        attributes: Vec::new(),
    };
    method.set_code(&mut class.pool, code)?;
    class.methods.push(method);
    Ok(class.methods.len() - 1)
}

/// Adds a private static synthetic method. In an interface, class file version 52 or later has to be given (JVMS §4.6).
pub fn add_private_static(
    class: &mut ClassFile,
    name: &str,
    desc: &str,
    code: &Code,
) -> Result<usize, SubstError> {
    let access = ACC_PRIVATE | ACC_STATIC | ACC_SYNTHETIC;
    add_method(class, access, name, desc, code)
}

/// Gives the method at `index` another body; an abstract or native one becomes an ordinary one.
pub fn replace_body(class: &mut ClassFile, index: usize, code: &Code) -> Result<(), SubstError> {
    let method = class
        .methods
        .get_mut(index)
        .ok_or(SubstError::NoSuchMethod(index))?;
    method.access &= !(ACC_ABSTRACT | ACC_NATIVE);
    method.set_code(&mut class.pool, code)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ACC_PUBLIC;
    use crate::asm::Asm;
    use crate::pool::ConstantPool;

    #[test]
    fn methods_come_and_go() {
        let mut pool = ConstantPool::new();
        let mut class = ClassFile {
            minor: 0,
            major: 52,
            access: 0x21,
            this_class: pool.add_class("T").unwrap(),
            super_class: pool.add_class("java/lang/Object").unwrap(),
            pool,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            attributes: Vec::new(),
        };
        let body = |class: &mut ClassFile, value| {
            let mut asm = Asm::new();
            asm.int(&mut class.pool, value).ret('I');
            asm.into_code(&mut class.pool, 0).unwrap()
        };
        let (one, two) = (body(&mut class, 1), body(&mut class, 2));
        let index = add_private_static(&mut class, "f", "()I", &one).unwrap();
        assert_eq!(class.methods[index].access, 0x100a);
        assert_eq!(
            add_method(&mut class, ACC_PUBLIC, "f", "()I", &two),
            Err(SubstError::Exists("f()I".to_owned()))
        );
        add_method(&mut class, ACC_PUBLIC, "f", "()J", &two).unwrap();

        class.methods[index].access |= ACC_NATIVE;
        class.methods[index].attributes.clear();
        replace_body(&mut class, index, &two).unwrap();
        assert_eq!(class.methods[index].access, 0x100a);
        let read = ClassFile::parse(&class.to_bytes().unwrap()).unwrap();
        assert_eq!(read.methods[index].code(&read.pool), Ok(Some(two.clone())));
        assert_eq!(
            replace_body(&mut class, 9, &two),
            Err(SubstError::NoSuchMethod(9))
        );

        assert!(remove_method(&mut class, "f", "()I"));
        assert!(!remove_method(&mut class, "f", "()I"));
        assert_eq!(class.find_method("f", "()J"), Some(0));
    }
}
