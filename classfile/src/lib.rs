//! Class files: bytes in, bytes out. Knows no JVM.
//!
//! [`class::ClassFile`] parses and writes (JVMS chapter 4, versions 45.3 to 69). An untouched class comes back byte for byte:
//! the constant pool is kept verbatim and only appended to, attributes stay raw until somebody asks for them.
//!
//! [`edit::Editor`] inserts and replaces code in one method and repairs everything that names a bytecode offset. It never
//! *computes* stack maps: inserted code is straight-line, so the frames that are there only move.
//!
//! [`flow`] says, for each instruction, which stack entries and locals are the receiver, or an object that `new` made and no
//! constructor has initialized yet.
//!
//! [`mod@cfg`] has a method's control-flow graph, post-dominators, control dependence and numbers of paths, [`effect`] what each
//! instruction defines and uses.
//!
//! [`bits`] are sets of small numbers.
//!
//! [`scan`] reads from a constant pool, without parsing the class, whose fields it may access.
//!
//! [`references`] makes calls of a class' own of the method references in it.
//!
//! [`text`] says what a method does, so that two versions of it can be compared.
//!
//! [`asm`] writes instructions, [`skeleton`] strips a class to its declarations, [`subst`] adds, removes and replaces methods.
//!
//! # Examples
//!
//! A class is made, written and read again. Then its method gets one more instruction, in front of its first one.
//!
//! ```
//! use jinsi_classfile::{ACC_PUBLIC, ACC_STATIC, Asm, ClassFile, ConstantPool, Editor, Member, insn};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // public class Answer { public static int give() { return 42; } }
//! let mut pool = ConstantPool::new();
//! let mut give = Member {
//!     access: ACC_PUBLIC | ACC_STATIC,
//!     name: pool.add_utf8("give")?,
//!     desc: pool.add_utf8("()I")?,
//!     attributes: Vec::new(),
//! };
//! let mut body = Asm::new();
//! body.int(&mut pool, 42).ret('I');
//! let code = body.into_code(&mut pool, 0)?;
//! give.set_code(&mut pool, &code)?;
//! let answer = ClassFile {
//!     minor: 0,
//!     major: 61, // Java 17
//!     access: ACC_PUBLIC,
//!     this_class: pool.add_class("Answer")?,
//!     super_class: pool.add_class("java/lang/Object")?,
//!     interfaces: Vec::new(),
//!     fields: Vec::new(),
//!     methods: vec![give],
//!     attributes: Vec::new(),
//!     pool,
//! };
//! let bytes = answer.to_bytes()?;
//!
//! let mut class = ClassFile::parse(&bytes)?;
//! assert_eq!(class.name()?, "Answer");
//! assert_eq!(class.to_bytes()?, bytes);
//!
//! let at = class.find_method("give", "()I").ok_or("no such method")?;
//! let code = class.methods[at].code(&class.pool)?.ok_or("it has no code")?;
//! let mut snippet = Asm::new();
//! snippet.invokestatic(&mut class.pool, "Log", "called", "()V");
//! let mut editor = Editor::new(&code, class.major)?;
//! editor.entry(&snippet)?;
//! let edited = editor.finish(&mut class.pool)?;
//! class.methods[at].set_code(&mut class.pool, &edited.code)?;
//!
//! let names: Vec<_> = insn::decode(&edited.code.bytes)?.iter().map(|i| i.name()).collect();
//! assert_eq!(names, ["invokestatic", "bipush", "ireturn"]);
//! # Ok(())
//! # }
//! ```

#![warn(missing_docs)]

/// The examples of the page are run, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod annotation;
pub mod asm;
mod attribute;
pub mod bits;
pub mod bridges;
mod bytes;
pub mod cfg;
pub mod class;
pub mod code;
pub mod constants;
pub mod descriptor;
pub mod edit;
pub mod effect;
mod error;
pub mod flow;
pub mod frames;
pub mod insn;
mod mutf8;
mod offsets;
pub mod opcode;
pub mod pool;
pub mod producers;
pub mod references;
pub mod scan;
pub mod skeleton;
pub mod subst;
pub mod text;

pub use asm::Asm;
pub use class::{Attribute, ClassFile, Member, ParseError, WriteError};
pub use code::{Code, Handler};
pub use edit::{EditError, Edited, Editor};
pub use pool::{ConstantPool, PoolError};

/// `ACC_PUBLIC` (JVMS tables 4.1-B, 4.5-A, 4.6-A).
pub const ACC_PUBLIC: u16 = 0x0001;
/// `ACC_PRIVATE`.
pub const ACC_PRIVATE: u16 = 0x0002;
/// `ACC_PROTECTED`.
pub const ACC_PROTECTED: u16 = 0x0004;
/// `ACC_STATIC`.
pub const ACC_STATIC: u16 = 0x0008;
/// `ACC_FINAL`.
pub const ACC_FINAL: u16 = 0x0010;
/// `ACC_SYNCHRONIZED` of a method; of a class, `ACC_SUPER`.
pub const ACC_SYNCHRONIZED: u16 = 0x0020;
/// The field is not to be cached by threads (JVMS table 4.5-A).
pub const ACC_VOLATILE: u16 = 0x0040;
/// `ACC_BRIDGE` of a method.
pub const ACC_BRIDGE: u16 = 0x0040;
/// `ACC_VARARGS`, of methods.
pub const ACC_VARARGS: u16 = 0x0080;
/// `ACC_NATIVE` of a method.
pub const ACC_NATIVE: u16 = 0x0100;
/// `ACC_INTERFACE` of a class.
pub const ACC_INTERFACE: u16 = 0x0200;
/// `ACC_ABSTRACT`.
pub const ACC_ABSTRACT: u16 = 0x0400;
/// `ACC_SYNTHETIC`.
pub const ACC_SYNTHETIC: u16 = 0x1000;
/// `ACC_ENUM`.
pub const ACC_ENUM: u16 = 0x4000;
/// `ACC_MODULE` of a class: `module-info`.
pub const ACC_MODULE: u16 = 0x8000;
