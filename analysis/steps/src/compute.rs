//! What instructions compute (JVMS §6.5).

use jinsi_classfile::opcode as op;
use jinsi_trace::model::{MemberRef, Prim, Value};

use crate::cell::{declared, stacked};
use crate::code::Constant;

/// What an instruction that neither calls nor accesses memory leaves of so many values; `None` if it leaves nothing, or fails, or one of them
/// is not known.
pub fn compute<'v>(
    opcode: u8,
    constant: &Constant,
    count: usize,
    value: impl Fn(usize) -> Option<&'v Value>,
) -> Option<Value> {
    let prim = |at| match value(at)? {
        Value::Prim(prim) => Some(*prim),
        _ => None,
    };
    let result = match count {
        0 => return leaves(opcode, constant),
        1 => unary(opcode, prim(0)?)?,
        2 => binary(opcode, prim(0)?, prim(1)?)?,
        _ => return None,
    };
    Some(Value::Prim(result))
}

fn binary(opcode: u8, a: Prim, b: Prim) -> Option<Prim> {
    Some(match (a, b) {
        (Prim::Int(a), Prim::Int(b)) => Prim::Int(int(opcode, a, b)?),
        (Prim::Long(a), Prim::Int(b)) => Prim::Long(shift(opcode, a, b)?),
        (Prim::Long(a), Prim::Long(b)) => long(opcode, a, b)?,
        (Prim::Float(a), Prim::Float(b)) => float(opcode, a, b)?,
        (Prim::Double(a), Prim::Double(b)) => double(opcode, a, b)?,
        _ => return None,
    })
}

/// What an instruction leaves that takes nothing.
fn leaves(opcode: u8, constant: &Constant) -> Option<Value> {
    let small = |first: u8| i32::from(opcode) - i32::from(first);
    Some(match opcode {
        op::ACONST_NULL => Value::Null,
        op::ICONST_M1..=op::ICONST_5 => Value::Prim(Prim::Int(small(op::ICONST_0))),
        op::LCONST_0..=op::LCONST_1 => Value::Prim(Prim::Long(i64::from(small(op::LCONST_0)))),
        op::FCONST_0..=op::FCONST_2 => Value::Prim(Prim::Float(small(op::FCONST_0) as f32)),
        op::DCONST_0..=op::DCONST_1 => Value::Prim(Prim::Double(f64::from(small(op::DCONST_0)))),
        op::BIPUSH | op::SIPUSH => match constant {
            Constant::Number(n) => Value::Prim(Prim::Int(*n)),
            _ => return None,
        },
        op::LDC..=op::LDC2_W => match constant {
            Constant::Value(value) => value.clone(),
            _ => return None,
        },
        _ => return None,
    })
}

fn unary(opcode: u8, value: Prim) -> Option<Prim> {
    Some(match (opcode, value) {
        (op::INEG, Prim::Int(v)) => Prim::Int(v.wrapping_neg()),
        (op::LNEG, Prim::Long(v)) => Prim::Long(v.wrapping_neg()),
        (op::FNEG, Prim::Float(v)) => Prim::Float(-v),
        (op::DNEG, Prim::Double(v)) => Prim::Double(-v),
        (op::I2L, Prim::Int(v)) => Prim::Long(v.into()),
        (op::I2F, Prim::Int(v)) => Prim::Float(v as f32),
        (op::I2D, Prim::Int(v)) => Prim::Double(v.into()),
        (op::L2I, Prim::Long(v)) => Prim::Int(v as i32),
        (op::L2F, Prim::Long(v)) => Prim::Float(v as f32),
        (op::L2D, Prim::Long(v)) => Prim::Double(v as f64),
        // Rust's conversions saturate, and make zero of what is no number, as Java's do.
        (op::F2I, Prim::Float(v)) => Prim::Int(v as i32),
        (op::F2L, Prim::Float(v)) => Prim::Long(v as i64),
        (op::F2D, Prim::Float(v)) => Prim::Double(v.into()),
        (op::D2I, Prim::Double(v)) => Prim::Int(v as i32),
        (op::D2L, Prim::Double(v)) => Prim::Long(v as i64),
        (op::D2F, Prim::Double(v)) => Prim::Float(v as f32),
        (op::I2B, Prim::Int(v)) => Prim::Int((v as i8).into()),
        (op::I2C, Prim::Int(v)) => Prim::Int((v as u16).into()),
        (op::I2S, Prim::Int(v)) => Prim::Int((v as i16).into()),
        _ => return None,
    })
}

fn int(opcode: u8, a: i32, b: i32) -> Option<i32> {
    Some(match opcode {
        op::IADD => a.wrapping_add(b),
        op::ISUB => a.wrapping_sub(b),
        op::IMUL => a.wrapping_mul(b),
        op::IDIV if b != 0 => a.wrapping_div(b),
        op::IREM if b != 0 => a.wrapping_rem(b),
        op::ISHL => a.wrapping_shl(b as u32),
        op::ISHR => a.wrapping_shr(b as u32),
        op::IUSHR => (a as u32).wrapping_shr(b as u32) as i32,
        op::IAND => a & b,
        op::IOR => a | b,
        op::IXOR => a ^ b,
        _ => return None,
    })
}

fn shift(opcode: u8, a: i64, b: i32) -> Option<i64> {
    Some(match opcode {
        op::LSHL => a.wrapping_shl(b as u32),
        op::LSHR => a.wrapping_shr(b as u32),
        op::LUSHR => (a as u64).wrapping_shr(b as u32) as i64,
        _ => return None,
    })
}

fn long(opcode: u8, a: i64, b: i64) -> Option<Prim> {
    Some(Prim::Long(match opcode {
        op::LADD => a.wrapping_add(b),
        op::LSUB => a.wrapping_sub(b),
        op::LMUL => a.wrapping_mul(b),
        op::LDIV if b != 0 => a.wrapping_div(b),
        op::LREM if b != 0 => a.wrapping_rem(b),
        op::LAND => a & b,
        op::LOR => a | b,
        op::LXOR => a ^ b,
        op::LCMP => return Some(Prim::Int(a.cmp(&b) as i32)),
        _ => return None,
    }))
}

fn float(opcode: u8, a: f32, b: f32) -> Option<Prim> {
    Some(Prim::Float(match opcode {
        op::FADD => a + b,
        op::FSUB => a - b,
        op::FMUL => a * b,
        op::FDIV => a / b,
        op::FREM => a % b,
        op::FCMPL | op::FCMPG => {
            let nan = if opcode == op::FCMPG { 1 } else { -1 };
            let order = a.partial_cmp(&b).map_or(nan, |order| order as i32);
            return Some(Prim::Int(order));
        }
        _ => return None,
    }))
}

fn double(opcode: u8, a: f64, b: f64) -> Option<Prim> {
    Some(Prim::Double(match opcode {
        op::DADD => a + b,
        op::DSUB => a - b,
        op::DMUL => a * b,
        op::DDIV => a / b,
        op::DREM => a % b,
        op::DCMPL | op::DCMPG => {
            let nan = if opcode == op::DCMPG { 1 } else { -1 };
            let order = a.partial_cmp(&b).map_or(nan, |order| order as i32);
            return Some(Prim::Int(order));
        }
        _ => return None,
    }))
}

/// What a call gives that makes a box of a primitive, or the other way round; `None` if the member does neither.
pub fn boxing(target: &MemberRef, taken: &[&Value]) -> Option<Value> {
    let [value] = taken else { return None };
    let class = target.owner.strip_prefix("java/lang/")?;
    match (target.name.as_str(), value) {
        ("valueOf", Value::Prim(_)) => {
            let letter = target.desc.get(1..2)?;
            match declared((*value).clone(), letter) {
                Value::Prim(prim) => Some(Value::Boxed(prim)),
                _ => None,
            }
        }
        (name, Value::Boxed(prim)) if name.ends_with("Value") => {
            let _ = class;
            let result = target.desc.rsplit(')').next()?;
            let letter = prim.letter();
            if letter.to_string() == result {
                return Some(stacked(Value::Prim(*prim)));
            }
            converted(*prim, result.chars().next()?)
        }
        _ => None,
    }
}

/// A number as one of another type, which a letter names as descriptors do (JLS §5.1); `None` if one of them is no number.
pub fn converted(prim: Prim, letter: char) -> Option<Value> {
    let to = |long: i64, double: f64| {
        Some(match letter {
            'B' => Prim::Int((long as i8).into()),
            'S' => Prim::Int((long as i16).into()),
            'I' => Prim::Int(long as i32),
            'J' => Prim::Long(long),
            'F' => Prim::Float(double as f32),
            'D' => Prim::Double(double),
            _ => return None,
        })
    };
    let result = match prim {
        Prim::Byte(v) => to(v.into(), v.into()),
        Prim::Short(v) => to(v.into(), v.into()),
        Prim::Int(v) => to(v.into(), v.into()),
        // From a `long` Java goes straight to a `float`.
        Prim::Long(v) if letter == 'F' => Some(Prim::Float(v as f32)),
        Prim::Long(v) => to(v, v as f64),
        Prim::Float(v) => of_floating(f64::from(v), letter),
        Prim::Double(v) => of_floating(v, letter),
        Prim::Boolean(_) | Prim::Char(_) => None,
    };
    result.map(Value::Prim)
}

/// `byte` and `short` go by way of `int` (JLS §5.1.3).
fn of_floating(v: f64, letter: char) -> Option<Prim> {
    Some(match letter {
        'B' => Prim::Int(((v as i32) as i8).into()),
        'S' => Prim::Int(((v as i32) as i16).into()),
        'I' => Prim::Int(v as i32),
        'J' => Prim::Long(v as i64),
        'F' => Prim::Float(v as f32),
        'D' => Prim::Double(v),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(opcode: u8, taken: &[Prim]) -> Option<Prim> {
        let values: Vec<Value> = taken.iter().copied().map(Value::Prim).collect();
        let taken: Vec<&Value> = values.iter().collect();
        let value = |at: usize| taken.get(at).copied();
        match compute(opcode, &Constant::Nothing, taken.len(), value)? {
            Value::Prim(prim) => Some(prim),
            _ => None,
        }
    }

    #[test]
    fn numbers_are_javas() {
        use Prim::{Double, Float, Int, Long};
        let min = Int(i32::MIN);
        assert_eq!(of(op::IDIV, &[min, Int(-1)]), Some(min));
        assert_eq!(of(op::IREM, &[min, Int(-1)]), Some(Int(0)));
        assert_eq!(of(op::IDIV, &[min, Int(0)]), None);
        assert_eq!(of(op::ISHL, &[Int(1), Int(33)]), Some(Int(2)));
        assert_eq!(of(op::IUSHR, &[Int(-1), Int(28)]), Some(Int(15)));
        assert_eq!(of(op::LSHR, &[Long(-8), Int(65)]), Some(Long(-4)));
        assert_eq!(of(op::D2I, &[Double(1e99)]), Some(Int(i32::MAX)));
        assert_eq!(of(op::F2L, &[Float(f32::NAN)]), Some(Long(0)));
        assert_eq!(of(op::I2C, &[Int(-1)]), Some(Int(65535)));
        assert_eq!(of(op::FCMPG, &[Float(f32::NAN), Float(1.0)]), Some(Int(1)));
        assert_eq!(
            of(op::DCMPL, &[Double(f64::NAN), Double(1.0)]),
            Some(Int(-1))
        );
        assert_eq!(
            of(op::DREM, &[Double(-7.0), Double(3.0)]),
            Some(Double(-1.0))
        );
    }

    #[test]
    fn boxes_are_opened_and_closed() {
        let member = |owner: &str, name: &str, desc: &str| MemberRef {
            owner: owner.into(),
            name: name.into(),
            desc: desc.into(),
        };
        let close = member("java/lang/Character", "valueOf", "(C)Ljava/lang/Character;");
        let boxed = boxing(&close, &[&Value::Prim(Prim::Int(97))]);
        assert_eq!(boxed, Some(Value::Boxed(Prim::Char(97))));
        let open = member("java/lang/Character", "charValue", "()C");
        assert_eq!(
            boxing(&open, &[&boxed.unwrap()]),
            Some(Value::Prim(Prim::Int(97)))
        );
        let narrow = member("java/lang/Double", "byteValue", "()B");
        assert_eq!(
            boxing(&narrow, &[&Value::Boxed(Prim::Double(300.7))]),
            Some(Value::Prim(Prim::Int(44)))
        );
    }
}
