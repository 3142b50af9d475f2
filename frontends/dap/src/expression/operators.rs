//! Java's operators on recorded values (JLS §15.15 to §15.21), with its promotions.

use crate::error::DapError;
use jinsi_trace::model::{Prim, Value};

/// A number as operators have it.
#[derive(Clone, Copy)]
enum Number {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
}

impl Number {
    fn of(value: &Value) -> Option<Self> {
        let (Value::Prim(prim) | Value::Boxed(prim)) = value else {
            return None;
        };
        Some(match *prim {
            Prim::Boolean(_) => return None,
            Prim::Byte(v) => Self::Int(v.into()),
            Prim::Char(v) => Self::Int(v.into()),
            Prim::Short(v) => Self::Int(v.into()),
            Prim::Int(v) => Self::Int(v),
            Prim::Long(v) => Self::Long(v),
            Prim::Float(v) => Self::Float(v),
            Prim::Double(v) => Self::Double(v),
        })
    }

    fn rank(self) -> u8 {
        match self {
            Self::Int(_) => 0,
            Self::Long(_) => 1,
            Self::Float(_) => 2,
            Self::Double(_) => 3,
        }
    }

    fn long(self) -> i64 {
        match self {
            Self::Int(v) => v.into(),
            Self::Long(v) => v,
            // Not asked for: those have a higher rank.
            Self::Float(_) | Self::Double(_) => 0,
        }
    }

    fn float(self) -> f32 {
        match self {
            Self::Int(v) => v as f32,
            Self::Long(v) => v as f32,
            Self::Float(v) => v,
            Self::Double(v) => v as f32,
        }
    }

    fn double(self) -> f64 {
        match self {
            Self::Int(v) => v.into(),
            Self::Long(v) => v as f64,
            Self::Float(v) => v.into(),
            Self::Double(v) => v,
        }
    }

    fn value(self) -> Value {
        Value::Prim(match self {
            Self::Int(v) => Prim::Int(v),
            Self::Long(v) => Prim::Long(v),
            Self::Float(v) => Prim::Float(v),
            Self::Double(v) => Prim::Double(v),
        })
    }
}

fn truth(value: bool) -> Value {
    Value::Prim(Prim::Boolean(value))
}

pub(super) fn unary(operator: char, value: &Value) -> Result<Value, DapError> {
    match (operator, value, Number::of(value)) {
        ('!', Value::Prim(Prim::Boolean(v)), _) => Ok(truth(!v)),
        ('-', _, Some(number)) => Ok(match number {
            Number::Int(v) => Number::Int(v.wrapping_neg()),
            Number::Long(v) => Number::Long(v.wrapping_neg()),
            Number::Float(v) => Number::Float(-v),
            Number::Double(v) => Number::Double(-v),
        }
        .value()),
        _ => Err(DapError::Operand { operator }),
    }
}

pub(super) fn binary(operator: &str, one: &Value, other: &Value) -> Result<Value, DapError> {
    if let (Some(a), Some(b)) = (Number::of(one), Number::of(other)) {
        return match operator {
            "==" | "!=" | "<" | "<=" | ">" | ">=" => Ok(truth(compared(operator, a, b))),
            _ => computed(operator, a, b).map(Number::value),
        };
    }
    match operator {
        "==" => Ok(truth(same(one, other))),
        "!=" => Ok(truth(!same(one, other))),
        _ => Err(DapError::Numbers {
            operator: operator.to_owned(),
        }),
    }
}

/// The same value; texts by what they say.
fn same(one: &Value, other: &Value) -> bool {
    let open = |value: &Value| match value {
        Value::Boxed(prim) => Value::Prim(*prim),
        other => other.clone(),
    };
    // A truth value is an `int` where the JVM has no other type.
    match (open(one), open(other)) {
        (Value::Prim(Prim::Boolean(v)), Value::Prim(Prim::Int(n)))
        | (Value::Prim(Prim::Int(n)), Value::Prim(Prim::Boolean(v))) => n == i32::from(v),
        (one, other) => one == other,
    }
}

fn compared(operator: &str, a: Number, b: Number) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = match a.rank().max(b.rank()) {
        0 | 1 => Some(a.long().cmp(&b.long())),
        2 => a.float().partial_cmp(&b.float()),
        _ => a.double().partial_cmp(&b.double()),
    };
    match operator {
        "==" => order == Some(Equal),
        "!=" => order != Some(Equal),
        "<" => order == Some(Less),
        "<=" => matches!(order, Some(Less | Equal)),
        ">" => order == Some(Greater),
        _ => matches!(order, Some(Greater | Equal)),
    }
}

/// Java's integers wrap, and have no quotient by zero.
macro_rules! integral {
    ($operator:expr, $a:expr, $b:expr, $number:path) => {{
        let (a, b) = ($a, $b);
        $number(match $operator {
            "+" => a.wrapping_add(b),
            "-" => a.wrapping_sub(b),
            "*" => a.wrapping_mul(b),
            "/" | "%" if b == 0 => return Err(DapError::ByZero),
            "/" => a.wrapping_div(b),
            "%" => a.wrapping_rem(b),
            other => {
                return Err(DapError::Operator {
                    operator: other.to_owned(),
                });
            }
        })
    }};
}

macro_rules! floating {
    ($operator:expr, $a:expr, $b:expr, $number:path) => {{
        let (a, b) = ($a, $b);
        $number(match $operator {
            "+" => a + b,
            "-" => a - b,
            "*" => a * b,
            "/" => a / b,
            "%" => a % b,
            other => {
                return Err(DapError::Operator {
                    operator: other.to_owned(),
                });
            }
        })
    }};
}

fn computed(operator: &str, a: Number, b: Number) -> Result<Number, DapError> {
    Ok(match a.rank().max(b.rank()) {
        0 => integral!(operator, a.long() as i32, b.long() as i32, Number::Int),
        1 => integral!(operator, a.long(), b.long(), Number::Long),
        2 => floating!(operator, a.float(), b.float(), Number::Float),
        _ => floating!(operator, a.double(), b.double(), Number::Double),
    })
}
