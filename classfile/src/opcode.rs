//! The instruction set (JVMS §6.5): numbers, names, operand formats and what each instruction does to the stack.

/// How the operands of an instruction are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// None.
    Plain,
    /// One byte: an immediate value, or an array type.
    Byte,
    /// A signed 16-bit immediate value.
    Short,
    /// A pool index of one byte.
    PoolByte,
    /// A pool index of two bytes.
    Pool,
    /// A local variable index: one byte, two behind `wide`.
    Local,
    /// The local variable index is part of the opcode.
    LocalImplicit,
    /// A local variable index and an increment: one byte each, two behind `wide`.
    Iinc,
    /// A signed 16-bit branch offset.
    Branch,
    /// A signed 32-bit branch offset.
    BranchWide,
    /// `tableswitch`.
    TableSwitch,
    /// `lookupswitch`.
    LookupSwitch,
    /// A pool index, a count, a zero byte.
    InvokeInterface,
    /// A pool index, two zero bytes.
    InvokeDynamic,
    /// A pool index and a byte: dimensions.
    MultiNewArray,
    /// The prefix `wide`.
    Wide,
}

macro_rules! opcodes {
    ($($name:ident = $value:literal, $text:literal, $format:ident, $effect:literal;)*) => {
        $(
            #[doc = concat!("`", $text, "`")]
            pub const $name: u8 = $value;
        )*
        /// By opcode: name, format, effect.
        const TABLE: [(&str, Format, &str); COUNT] = [$(($text, Format::$format, $effect)),*];
    };
}

/// Opcodes run from 0 up to this, exclusively.
pub const COUNT: usize = 202;

// The effect is what is popped (bottom first) and, behind `>`, what is pushed; letters I J F D and A for references. Nothing at
// all marks instructions whose effect depends on operands or on the stack itself.
opcodes! {
    NOP = 0, "nop", Plain, ">";
    ACONST_NULL = 1, "aconst_null", Plain, ">A";
    ICONST_M1 = 2, "iconst_m1", Plain, ">I";
    ICONST_0 = 3, "iconst_0", Plain, ">I";
    ICONST_1 = 4, "iconst_1", Plain, ">I";
    ICONST_2 = 5, "iconst_2", Plain, ">I";
    ICONST_3 = 6, "iconst_3", Plain, ">I";
    ICONST_4 = 7, "iconst_4", Plain, ">I";
    ICONST_5 = 8, "iconst_5", Plain, ">I";
    LCONST_0 = 9, "lconst_0", Plain, ">J";
    LCONST_1 = 10, "lconst_1", Plain, ">J";
    FCONST_0 = 11, "fconst_0", Plain, ">F";
    FCONST_1 = 12, "fconst_1", Plain, ">F";
    FCONST_2 = 13, "fconst_2", Plain, ">F";
    DCONST_0 = 14, "dconst_0", Plain, ">D";
    DCONST_1 = 15, "dconst_1", Plain, ">D";
    BIPUSH = 16, "bipush", Byte, ">I";
    SIPUSH = 17, "sipush", Short, ">I";
    LDC = 18, "ldc", PoolByte, "";
    LDC_W = 19, "ldc_w", Pool, "";
    LDC2_W = 20, "ldc2_w", Pool, "";
    ILOAD = 21, "iload", Local, ">I";
    LLOAD = 22, "lload", Local, ">J";
    FLOAD = 23, "fload", Local, ">F";
    DLOAD = 24, "dload", Local, ">D";
    ALOAD = 25, "aload", Local, ">A";
    ILOAD_0 = 26, "iload_0", LocalImplicit, ">I";
    ILOAD_1 = 27, "iload_1", LocalImplicit, ">I";
    ILOAD_2 = 28, "iload_2", LocalImplicit, ">I";
    ILOAD_3 = 29, "iload_3", LocalImplicit, ">I";
    LLOAD_0 = 30, "lload_0", LocalImplicit, ">J";
    LLOAD_1 = 31, "lload_1", LocalImplicit, ">J";
    LLOAD_2 = 32, "lload_2", LocalImplicit, ">J";
    LLOAD_3 = 33, "lload_3", LocalImplicit, ">J";
    FLOAD_0 = 34, "fload_0", LocalImplicit, ">F";
    FLOAD_1 = 35, "fload_1", LocalImplicit, ">F";
    FLOAD_2 = 36, "fload_2", LocalImplicit, ">F";
    FLOAD_3 = 37, "fload_3", LocalImplicit, ">F";
    DLOAD_0 = 38, "dload_0", LocalImplicit, ">D";
    DLOAD_1 = 39, "dload_1", LocalImplicit, ">D";
    DLOAD_2 = 40, "dload_2", LocalImplicit, ">D";
    DLOAD_3 = 41, "dload_3", LocalImplicit, ">D";
    ALOAD_0 = 42, "aload_0", LocalImplicit, ">A";
    ALOAD_1 = 43, "aload_1", LocalImplicit, ">A";
    ALOAD_2 = 44, "aload_2", LocalImplicit, ">A";
    ALOAD_3 = 45, "aload_3", LocalImplicit, ">A";
    IALOAD = 46, "iaload", Plain, "AI>I";
    LALOAD = 47, "laload", Plain, "AI>J";
    FALOAD = 48, "faload", Plain, "AI>F";
    DALOAD = 49, "daload", Plain, "AI>D";
    AALOAD = 50, "aaload", Plain, "AI>A";
    BALOAD = 51, "baload", Plain, "AI>I";
    CALOAD = 52, "caload", Plain, "AI>I";
    SALOAD = 53, "saload", Plain, "AI>I";
    ISTORE = 54, "istore", Local, "I>";
    LSTORE = 55, "lstore", Local, "J>";
    FSTORE = 56, "fstore", Local, "F>";
    DSTORE = 57, "dstore", Local, "D>";
    ASTORE = 58, "astore", Local, "A>";
    ISTORE_0 = 59, "istore_0", LocalImplicit, "I>";
    ISTORE_1 = 60, "istore_1", LocalImplicit, "I>";
    ISTORE_2 = 61, "istore_2", LocalImplicit, "I>";
    ISTORE_3 = 62, "istore_3", LocalImplicit, "I>";
    LSTORE_0 = 63, "lstore_0", LocalImplicit, "J>";
    LSTORE_1 = 64, "lstore_1", LocalImplicit, "J>";
    LSTORE_2 = 65, "lstore_2", LocalImplicit, "J>";
    LSTORE_3 = 66, "lstore_3", LocalImplicit, "J>";
    FSTORE_0 = 67, "fstore_0", LocalImplicit, "F>";
    FSTORE_1 = 68, "fstore_1", LocalImplicit, "F>";
    FSTORE_2 = 69, "fstore_2", LocalImplicit, "F>";
    FSTORE_3 = 70, "fstore_3", LocalImplicit, "F>";
    DSTORE_0 = 71, "dstore_0", LocalImplicit, "D>";
    DSTORE_1 = 72, "dstore_1", LocalImplicit, "D>";
    DSTORE_2 = 73, "dstore_2", LocalImplicit, "D>";
    DSTORE_3 = 74, "dstore_3", LocalImplicit, "D>";
    ASTORE_0 = 75, "astore_0", LocalImplicit, "A>";
    ASTORE_1 = 76, "astore_1", LocalImplicit, "A>";
    ASTORE_2 = 77, "astore_2", LocalImplicit, "A>";
    ASTORE_3 = 78, "astore_3", LocalImplicit, "A>";
    IASTORE = 79, "iastore", Plain, "AII>";
    LASTORE = 80, "lastore", Plain, "AIJ>";
    FASTORE = 81, "fastore", Plain, "AIF>";
    DASTORE = 82, "dastore", Plain, "AID>";
    AASTORE = 83, "aastore", Plain, "AIA>";
    BASTORE = 84, "bastore", Plain, "AII>";
    CASTORE = 85, "castore", Plain, "AII>";
    SASTORE = 86, "sastore", Plain, "AII>";
    POP = 87, "pop", Plain, "";
    POP2 = 88, "pop2", Plain, "";
    DUP = 89, "dup", Plain, "";
    DUP_X1 = 90, "dup_x1", Plain, "";
    DUP_X2 = 91, "dup_x2", Plain, "";
    DUP2 = 92, "dup2", Plain, "";
    DUP2_X1 = 93, "dup2_x1", Plain, "";
    DUP2_X2 = 94, "dup2_x2", Plain, "";
    SWAP = 95, "swap", Plain, "";
    IADD = 96, "iadd", Plain, "II>I";
    LADD = 97, "ladd", Plain, "JJ>J";
    FADD = 98, "fadd", Plain, "FF>F";
    DADD = 99, "dadd", Plain, "DD>D";
    ISUB = 100, "isub", Plain, "II>I";
    LSUB = 101, "lsub", Plain, "JJ>J";
    FSUB = 102, "fsub", Plain, "FF>F";
    DSUB = 103, "dsub", Plain, "DD>D";
    IMUL = 104, "imul", Plain, "II>I";
    LMUL = 105, "lmul", Plain, "JJ>J";
    FMUL = 106, "fmul", Plain, "FF>F";
    DMUL = 107, "dmul", Plain, "DD>D";
    IDIV = 108, "idiv", Plain, "II>I";
    LDIV = 109, "ldiv", Plain, "JJ>J";
    FDIV = 110, "fdiv", Plain, "FF>F";
    DDIV = 111, "ddiv", Plain, "DD>D";
    IREM = 112, "irem", Plain, "II>I";
    LREM = 113, "lrem", Plain, "JJ>J";
    FREM = 114, "frem", Plain, "FF>F";
    DREM = 115, "drem", Plain, "DD>D";
    INEG = 116, "ineg", Plain, "I>I";
    LNEG = 117, "lneg", Plain, "J>J";
    FNEG = 118, "fneg", Plain, "F>F";
    DNEG = 119, "dneg", Plain, "D>D";
    ISHL = 120, "ishl", Plain, "II>I";
    LSHL = 121, "lshl", Plain, "JI>J";
    ISHR = 122, "ishr", Plain, "II>I";
    LSHR = 123, "lshr", Plain, "JI>J";
    IUSHR = 124, "iushr", Plain, "II>I";
    LUSHR = 125, "lushr", Plain, "JI>J";
    IAND = 126, "iand", Plain, "II>I";
    LAND = 127, "land", Plain, "JJ>J";
    IOR = 128, "ior", Plain, "II>I";
    LOR = 129, "lor", Plain, "JJ>J";
    IXOR = 130, "ixor", Plain, "II>I";
    LXOR = 131, "lxor", Plain, "JJ>J";
    IINC = 132, "iinc", Iinc, ">";
    I2L = 133, "i2l", Plain, "I>J";
    I2F = 134, "i2f", Plain, "I>F";
    I2D = 135, "i2d", Plain, "I>D";
    L2I = 136, "l2i", Plain, "J>I";
    L2F = 137, "l2f", Plain, "J>F";
    L2D = 138, "l2d", Plain, "J>D";
    F2I = 139, "f2i", Plain, "F>I";
    F2L = 140, "f2l", Plain, "F>J";
    F2D = 141, "f2d", Plain, "F>D";
    D2I = 142, "d2i", Plain, "D>I";
    D2L = 143, "d2l", Plain, "D>J";
    D2F = 144, "d2f", Plain, "D>F";
    I2B = 145, "i2b", Plain, "I>I";
    I2C = 146, "i2c", Plain, "I>I";
    I2S = 147, "i2s", Plain, "I>I";
    LCMP = 148, "lcmp", Plain, "JJ>I";
    FCMPL = 149, "fcmpl", Plain, "FF>I";
    FCMPG = 150, "fcmpg", Plain, "FF>I";
    DCMPL = 151, "dcmpl", Plain, "DD>I";
    DCMPG = 152, "dcmpg", Plain, "DD>I";
    IFEQ = 153, "ifeq", Branch, "I>";
    IFNE = 154, "ifne", Branch, "I>";
    IFLT = 155, "iflt", Branch, "I>";
    IFGE = 156, "ifge", Branch, "I>";
    IFGT = 157, "ifgt", Branch, "I>";
    IFLE = 158, "ifle", Branch, "I>";
    IF_ICMPEQ = 159, "if_icmpeq", Branch, "II>";
    IF_ICMPNE = 160, "if_icmpne", Branch, "II>";
    IF_ICMPLT = 161, "if_icmplt", Branch, "II>";
    IF_ICMPGE = 162, "if_icmpge", Branch, "II>";
    IF_ICMPGT = 163, "if_icmpgt", Branch, "II>";
    IF_ICMPLE = 164, "if_icmple", Branch, "II>";
    IF_ACMPEQ = 165, "if_acmpeq", Branch, "AA>";
    IF_ACMPNE = 166, "if_acmpne", Branch, "AA>";
    GOTO = 167, "goto", Branch, ">";
    JSR = 168, "jsr", Branch, "";
    RET = 169, "ret", Local, ">";
    TABLESWITCH = 170, "tableswitch", TableSwitch, "I>";
    LOOKUPSWITCH = 171, "lookupswitch", LookupSwitch, "I>";
    IRETURN = 172, "ireturn", Plain, "I>";
    LRETURN = 173, "lreturn", Plain, "J>";
    FRETURN = 174, "freturn", Plain, "F>";
    DRETURN = 175, "dreturn", Plain, "D>";
    ARETURN = 176, "areturn", Plain, "A>";
    RETURN = 177, "return", Plain, ">";
    GETSTATIC = 178, "getstatic", Pool, "";
    PUTSTATIC = 179, "putstatic", Pool, "";
    GETFIELD = 180, "getfield", Pool, "";
    PUTFIELD = 181, "putfield", Pool, "";
    INVOKEVIRTUAL = 182, "invokevirtual", Pool, "";
    INVOKESPECIAL = 183, "invokespecial", Pool, "";
    INVOKESTATIC = 184, "invokestatic", Pool, "";
    INVOKEINTERFACE = 185, "invokeinterface", InvokeInterface, "";
    INVOKEDYNAMIC = 186, "invokedynamic", InvokeDynamic, "";
    NEW = 187, "new", Pool, "";
    NEWARRAY = 188, "newarray", Byte, "I>A";
    ANEWARRAY = 189, "anewarray", Pool, "I>A";
    ARRAYLENGTH = 190, "arraylength", Plain, "A>I";
    ATHROW = 191, "athrow", Plain, "A>";
    CHECKCAST = 192, "checkcast", Pool, "";
    INSTANCEOF = 193, "instanceof", Pool, "A>I";
    MONITORENTER = 194, "monitorenter", Plain, "A>";
    MONITOREXIT = 195, "monitorexit", Plain, "A>";
    WIDE = 196, "wide", Wide, "";
    MULTIANEWARRAY = 197, "multianewarray", MultiNewArray, "";
    IFNULL = 198, "ifnull", Branch, "A>";
    IFNONNULL = 199, "ifnonnull", Branch, "A>";
    GOTO_W = 200, "goto_w", BranchWide, ">";
    JSR_W = 201, "jsr_w", BranchWide, "";
}

/// Mnemonic; `None` for numbers that are no instruction.
pub fn name(opcode: u8) -> Option<&'static str> {
    TABLE.get(usize::from(opcode)).map(|row| row.0)
}

/// Operand format; `None` for numbers that are no instruction.
pub fn format(opcode: u8) -> Option<Format> {
    TABLE.get(usize::from(opcode)).map(|row| row.1)
}

/// What the instruction pops (bottom first) and pushes, one of `I J F D A` a value. `None` where that depends on operands or
/// on the stack: `ldc`, `pop`, `dup` and their families, field access, calls, `new`, `checkcast`, `jsr`, `multianewarray`.
pub fn effect(opcode: u8) -> Option<(&'static str, &'static str)> {
    TABLE.get(usize::from(opcode))?.2.split_once('>')
}

/// Can execution go on at the next instruction? A `jsr` counts: its subroutine comes back there.
pub fn falls_through(opcode: u8) -> bool {
    !matches!(
        opcode,
        GOTO | GOTO_W | RET | TABLESWITCH | LOOKUPSWITCH | IRETURN..=RETURN | ATHROW
    )
}

/// Is it one of the six return instructions?
pub fn is_return(opcode: u8) -> bool {
    (IRETURN..=RETURN).contains(&opcode)
}

/// Is it a call: `invokevirtual`, `invokespecial`, `invokestatic`, `invokeinterface`, `invokedynamic`?
pub fn is_invoke(opcode: u8) -> bool {
    (INVOKEVIRTUAL..=INVOKEDYNAMIC).contains(&opcode)
}

/// The conditional jump with the opposite condition; `None` for everything that is no conditional jump.
pub fn inverted(opcode: u8) -> Option<u8> {
    match opcode {
        IFEQ..=IF_ACMPNE => Some(((opcode + 1) ^ 1) - 1),
        IFNULL | IFNONNULL => Some(opcode ^ 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_of_the_table() {
        let anchors = [
            (0x12, "ldc"),
            (0x2a, "aload_0"),
            (0x59, "dup"),
            (0x60, "iadd"),
            (0x84, "iinc"),
            (0x94, "lcmp"),
            (0xa7, "goto"),
            (0xb1, "return"),
            (0xb9, "invokeinterface"),
            (0xbf, "athrow"),
            (0xc4, "wide"),
            (0xc9, "jsr_w"),
        ];
        for (opcode, text) in anchors {
            assert_eq!(name(opcode), Some(text));
        }
        assert_eq!(name(0xca), None);
    }

    #[test]
    fn inversion_is_its_own_inverse() {
        assert_eq!(inverted(IFEQ), Some(IFNE));
        assert_eq!(inverted(IF_ICMPGT), Some(IF_ICMPLE));
        assert_eq!(inverted(IFNONNULL), Some(IFNULL));
        for opcode in 0..=255 {
            if let Some(other) = inverted(opcode) {
                assert_eq!(inverted(other), Some(opcode));
                assert_ne!(other, opcode);
                assert_eq!(effect(other), effect(opcode));
            }
        }
        assert_eq!(inverted(GOTO), None);
    }
}
