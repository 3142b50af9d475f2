//! The instructions of a method as text, without lines, offsets and numbers of constants.

use std::collections::HashMap;

use crate::class::{ClassFile, Member, ParseError};
use crate::insn::{self, Insn, InsnError};
use crate::pool::{self, ConstantPool};
use crate::references::Bootstraps;
use crate::{ACC_ABSTRACT, ACC_NATIVE, ACC_STATIC, ACC_SYNCHRONIZED};

/// Flags that say how a method runs.
const FLAGS: u16 = ACC_ABSTRACT | ACC_NATIVE | ACC_STATIC | ACC_SYNCHRONIZED;

/// Why there is no text of a method.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum TextError {
    #[error(transparent)]
    Parse(#[from] ParseError),
    #[error(transparent)]
    Insn(#[from] InsnError),
}

/// What a method does, one instruction a line. It is the same for two methods that do the same, whatever else is in their classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(Vec<String>);

impl Text {
    /// Of a method of a class.
    ///
    /// # Errors
    /// The class is malformed.
    pub fn of(class: &ClassFile, method: &Member) -> Result<Self, TextError> {
        let mut lines = vec![format!("{:#x}", method.access & FLAGS)];
        let Some(code) = method.code(&class.pool)? else {
            return Ok(Self(lines));
        };
        let bootstraps = Bootstraps::of(class)?;
        let constants = Constants {
            pool: &class.pool,
            bootstraps: &bootstraps,
        };
        let all = insn::decode(&code.bytes)?;
        let numbers = all.iter().enumerate().map(|(no, at)| (at.offset, no));
        let mut numbers: HashMap<u32, usize> = numbers.collect();
        numbers.insert(code.bytes.len() as u32, all.len());
        let number = |offset: u32| numbers.get(&offset).copied().unwrap_or(usize::MAX);
        lines.extend(all.iter().map(|at| constants.line(at, &number)));
        for handler in &code.handlers {
            let [start, end, to] =
                [handler.start, handler.end, handler.handler].map(|at| number(u32::from(at)));
            let caught = match handler.catch_type {
                0 => "all".to_owned(),
                named => constants.text(named),
            };
            lines.push(format!("{start}..{end} {caught} -> {to}"));
        }
        Ok(Self(lines))
    }
}

struct Constants<'a> {
    pool: &'a ConstantPool,
    bootstraps: &'a Bootstraps,
}

impl Constants<'_> {
    /// An instruction. `number` counts instructions instead of bytes.
    fn line(&self, at: &Insn<'_>, number: &impl Fn(u32) -> usize) -> String {
        // How far away something is says nothing about what is done.
        let mut line = at.name().trim_end_matches("_w").to_owned();
        let mut add = |text: String| line += &format!(" {text}");
        if let Some(local) = at.local() {
            add(format!("v{local}"));
        }
        if let Some(constant) = at.pool_index() {
            add(self.text(constant));
        }
        if let Some(number) = at.immediate() {
            add(number.to_string());
        }
        for target in at.targets() {
            add(format!("-> {}", number(target)));
        }
        if let Some(switch) = at.switch() {
            let keys: Vec<i32> = switch.cases().map(|(key, _)| key).collect();
            add(format!("{keys:?}"));
        }
        line
    }

    /// A constant as what it means. What cannot be read is like nothing else.
    fn text(&self, index: u16) -> String {
        self.meaning(index)
            .unwrap_or_else(|| format!("constant {index}"))
    }

    fn meaning(&self, index: u16) -> Option<String> {
        if let Some(loaded) = self.pool.loaded(index).ok()? {
            return Some(format!("{loaded:?}"));
        }
        match self.pool.tag(index)? {
            pool::METHOD_HANDLE => {
                let (kind, member) = self.pool.method_handle(index).ok()?;
                Some(format!("handle {kind} {}", self.meaning(member)?))
            }
            pool::METHOD_TYPE => Some(self.pool.method_type(index).ok()?.into_owned()),
            pool::INVOKE_DYNAMIC => self.dynamic(&self.pool.invoke_dynamic(index).ok()?),
            pool::DYNAMIC => self.dynamic(&self.pool.dynamic(index).ok()?),
            _ => {
                let named = self.pool.member_ref(index).ok()?;
                let name = without_number(&named.name);
                Some(format!("{}.{name} {}", named.owner, named.desc))
            }
        }
    }

    fn dynamic(&self, of: &pool::DynamicRef<'_>) -> Option<String> {
        let (factory, arguments) = self.bootstraps.get(of.bootstrap)?;
        let arguments = arguments.iter().map(|argument| self.text(*argument));
        let arguments: Vec<String> = arguments.collect();
        let factory = self.text(factory);
        Some(format!(
            "{} {} by {factory} {arguments:?}",
            of.name, of.desc
        ))
    }
}

/// What a compiler numbers in the order of the source, without its number.
fn without_number(name: &str) -> &str {
    match name.starts_with("lambda$") || name.starts_with("access$") {
        true => name.trim_end_matches(|c: char| c.is_ascii_digit()),
        false => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Asm, opcode, subst};

    /// A class with a method `f` that jumps over a call.
    fn class(filler: usize, text: &str) -> ClassFile {
        let bytes = [
            0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 49, 0, 5, 7, 0, 2, 1, 0, 1, b'A', 7, 0, 4, 1, 0, 1,
            b'B', 0, 0x20, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0,
        ];
        let mut class = ClassFile::parse(&bytes).unwrap();
        for no in 0..filler {
            class.pool.add_string(&format!("filler {no}")).unwrap();
        }
        let target = class
            .pool
            .add_method_ref("B", "access$100", "()V", false)
            .unwrap();
        let mut asm = Asm::new();
        let end = asm.label();
        asm.string(&mut class.pool, text).op(opcode::POP);
        asm.null().branch(opcode::IFNULL, end);
        asm.invoke(opcode::INVOKESTATIC, target, "()V");
        asm.bind(end).op(opcode::RETURN);
        let code = asm.into_code(&mut class.pool, 0).unwrap();
        subst::add_private_static(&mut class, "f", "()V", &code).unwrap();
        class
    }

    #[test]
    fn numbers_of_constants_do_not_count_and_values_do() {
        let text = |class: &ClassFile| Text::of(class, &class.methods[0]).unwrap();
        // The constant is loaded by another instruction, which is longer.
        let [few, many] = [class(0, "a"), class(300, "a")];
        let length = |class: &ClassFile| {
            let code = class.methods[0].code(&class.pool).unwrap().unwrap();
            code.bytes.len()
        };
        assert_ne!(length(&few), length(&many));
        assert_eq!(text(&few), text(&many));
        assert_ne!(text(&few), text(&class(0, "b")));
    }
}
