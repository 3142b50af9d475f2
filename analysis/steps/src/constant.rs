//! Values that stand in the constant pool.

use jinsi_classfile::pool::{self, ConstantPool};
use jinsi_trace::model::{JavaString, Prim, Value};
use jinsi_trace::reader::Trace;

/// The value that `ldc` and its like leave of the constant at `index`; `None` if it is made when it is first used (a method handle), or is a
/// class that the trace does not name.
pub fn value(pool: &ConstantPool, index: u16, trace: &Trace) -> Option<Value> {
    let entry = pool.entry(index).ok()?;
    let (tag, payload) = entry.split_first()?;
    let word = || payload.first_chunk().copied().map(u32::from_be_bytes);
    let long = || payload.first_chunk().copied().map(u64::from_be_bytes);
    Some(match *tag {
        pool::INTEGER => Value::Prim(Prim::Int(word()? as i32)),
        pool::FLOAT => Value::Prim(Prim::Float(f32::from_bits(word()?))),
        pool::LONG => Value::Prim(Prim::Long(long()? as i64)),
        pool::DOUBLE => Value::Prim(Prim::Double(f64::from_bits(long()?))),
        pool::STRING => Value::Str(JavaString::new(&pool.string(index).ok()?)),
        pool::CLASS => {
            let name = pool.class_name(index).ok()?;
            Value::Class(trace.class_by_name(&name)?.no)
        }
        _ => return None,
    })
}
