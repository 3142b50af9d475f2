//! Walks a way through the code of a method with symbols instead of values, and asserts what the way needs.

use std::io;

use easy_smt::{Context, SExpr};
use jinsi_classfile::cfg::{BlockNo, Ending};
use jinsi_classfile::effect::{Access, StackEffect};
use jinsi_classfile::opcode as op;
use jinsi_steps::code::{Body, Constant, Instruction};
use jinsi_steps::compute::compute;
use jinsi_trace::model::{Prim, Value as Constants};
use rustc_hash::{FxHashMap, FxHashSet};

/// Bits of an `int`; a reference is one, too, of which 0 is `null`.
const INT: usize = 32;
/// Bits of a `long`.
const LONG: usize = 64;

/// A value on the way.
#[derive(Clone, Copy)]
enum Value {
    /// An expression of so many bits.
    Is(SExpr, usize),
    /// Anything. How wide it is tells the instruction that uses it.
    Any(u32),
}

/// The walk.
pub(super) struct Walk<'c> {
    context: &'c mut Context,
    body: &'c Body,
    locals: FxHashMap<u16, Value>,
    stack: Vec<Value>,
    symbols: u32,
    declared: FxHashSet<(u32, usize)>,
    /// Local variables that were read before they were written, with their symbols.
    read: Vec<(u16, u32)>,
}

impl<'c> Walk<'c> {
    /// Nothing is known yet.
    pub(super) fn new(context: &'c mut Context, body: &'c Body) -> Self {
        Self {
            context,
            body,
            locals: FxHashMap::default(),
            stack: Vec::new(),
            symbols: 0,
            declared: FxHashSet::default(),
            read: Vec::new(),
        }
    }

    /// The local variables that the way reads before it writes them, as far as they matter.
    pub(super) fn read(&self) -> Vec<(u16, SExpr)> {
        let widths = [INT, LONG].into_iter();
        let all = self.read.iter().flat_map(|(slot, symbol)| {
            let declared = widths
                .clone()
                .filter(|w| self.declared.contains(&(*symbol, *w)));
            declared.map(|width| (*slot, self.context.atom(name(*symbol, width))))
        });
        all.collect()
    }

    /// Goes this way; `false` if its code is not understood.
    pub(super) fn go(&mut self, way: &[BlockNo]) -> io::Result<bool> {
        let Some((&first, _)) = way.split_first() else {
            return Ok(true);
        };
        let begin = self.body.cfg.block(first).first;
        let depth = self.body.instructions[begin].depth;
        self.stack = (0..depth).map(|_| self.any()).collect();
        for (at, &block) in way.iter().enumerate() {
            let next = way.get(at + 1).copied();
            let throws =
                next.is_some_and(|next| !self.body.cfg.block(block).successors.contains(&next));
            let understood = match throws {
                true => self.thrown(block),
                false => self.block(block, next)?,
            };
            if !understood {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn any(&mut self) -> Value {
        self.symbols += 1;
        Value::Any(self.symbols)
    }

    /// An exception leaves the block somewhere: what it writes may be written or not.
    fn thrown(&mut self, block: BlockNo) -> bool {
        let block = self.body.cfg.block(block);
        for instruction in &self.body.instructions[block.first..=block.last] {
            if let Access::Store(slot) | Access::Increment(slot) = instruction.effect.access {
                let any = self.any();
                self.locals.insert(slot, any);
            }
        }
        self.stack = vec![self.any()];
        true
    }

    fn block(&mut self, no: BlockNo, next: Option<BlockNo>) -> io::Result<bool> {
        let body = self.body;
        let block = body.cfg.block(no);
        for instruction in &body.instructions[block.first..=block.last] {
            if self.stack.len() != usize::from(instruction.depth) {
                return Ok(false);
            }
            let jumps = match (block.ending, block.successors.as_slice(), next) {
                (Ending::Branch, [to, other], Some(next)) if to != other => Some(next == *to),
                _ => None,
            };
            self.step(instruction, jumps)?;
        }
        Ok(true)
    }

    /// `jumps`: of the conditional jump that ends the block.
    fn step(&mut self, of: &Instruction, jumps: Option<bool>) -> io::Result<()> {
        let pops = usize::from(of.effect.stack.pops());
        let taken = self.stack.split_off(self.stack.len().saturating_sub(pops));
        if let StackEffect::Shuffle { leaves, .. } = of.effect.stack {
            let left = leaves.iter().map(|at| taken[usize::from(*at)]);
            self.stack.extend(left);
            return Ok(());
        }
        match of.effect.access {
            Access::Load(slot) => {
                let held = self.local(slot);
                self.stack.push(held);
                return Ok(());
            }
            Access::Store(slot) => {
                self.locals
                    .extend(taken.first().map(|value| (slot, *value)));
                return Ok(());
            }
            Access::Increment(slot) => {
                let held = self.local(slot);
                let held = self.wide(held, INT)?;
                let by = match of.constant {
                    Constant::Number(by) => by,
                    _ => 0,
                };
                let by = self.bits(i64::from(by), INT);
                let sum = self.context.bvadd(held, by);
                self.locals.insert(slot, Value::Is(sum, INT));
                return Ok(());
            }
            Access::Branch(_) => {
                if let (Some(jumps), Some(condition)) = (jumps, self.condition(of.opcode, &taken)?)
                {
                    let holds = match jumps {
                        true => condition,
                        false => self.context.not(condition),
                    };
                    self.context.assert(holds)?;
                }
            }
            _ => {}
        }
        let StackEffect::Compute { pushes: true, .. } = of.effect.stack else {
            return Ok(());
        };
        let left = match of.effect.access {
            Access::None => self.computed(of, &taken)?,
            _ => None,
        };
        let left = left.unwrap_or_else(|| self.any());
        self.stack.push(left);
        Ok(())
    }

    fn local(&mut self, slot: u16) -> Value {
        if let Some(held) = self.locals.get(&slot) {
            return *held;
        }
        let any = self.any();
        self.read.push((slot, self.symbols));
        self.locals.insert(slot, any);
        any
    }

    /// The value, of so many bits.
    fn wide(&mut self, value: Value, width: usize) -> io::Result<SExpr> {
        let symbol = match value {
            Value::Is(expression, known) if known == width => return Ok(expression),
            Value::Any(symbol) => symbol,
            // No verified code does so.
            Value::Is(..) => {
                self.symbols += 1;
                self.symbols
            }
        };
        let name = name(symbol, width);
        if self.declared.insert((symbol, width)) {
            let width = self.context.numeral(width);
            let sort = self.context.bit_vec_sort(width);
            self.context.declare_const(&name, sort)?;
        }
        Ok(self.context.atom(name))
    }

    fn bits(&self, value: i64, width: usize) -> SExpr {
        match width {
            INT => self.context.atom(format!("#x{:08x}", value as u32)),
            _ => self.context.atom(format!("#x{value:016x}")),
        }
    }

    /// What a conditional jump asks; `None`: it is none, or a switch.
    fn condition(&mut self, opcode: u8, taken: &[Value]) -> io::Result<Option<SExpr>> {
        let Some(&first) = taken.first() else {
            return Ok(None);
        };
        let one = self.wide(first, INT)?;
        let other = match taken.get(1) {
            Some(other) => self.wide(*other, INT)?,
            None => self.bits(0, INT),
        };
        let c = &*self.context;
        Ok(Some(match opcode {
            op::IFEQ | op::IF_ICMPEQ | op::IF_ACMPEQ | op::IFNULL => c.eq(one, other),
            op::IFNE | op::IF_ICMPNE | op::IF_ACMPNE | op::IFNONNULL => c.not(c.eq(one, other)),
            op::IFLT | op::IF_ICMPLT => c.bvslt(one, other),
            op::IFGE | op::IF_ICMPGE => c.bvsge(one, other),
            op::IFGT | op::IF_ICMPGT => c.bvsgt(one, other),
            op::IFLE | op::IF_ICMPLE => c.bvsle(one, other),
            _ => return Ok(None),
        }))
    }

    /// What an instruction leaves that reads no memory; `None`: anything.
    fn computed(&mut self, of: &Instruction, taken: &[Value]) -> io::Result<Option<Value>> {
        if taken.is_empty() {
            let known = compute(of.opcode, &of.constant, 0, |_| None);
            return Ok(match known {
                Some(Constants::Prim(Prim::Int(n))) => {
                    Some(Value::Is(self.bits(n.into(), INT), INT))
                }
                Some(Constants::Prim(Prim::Long(n))) => Some(Value::Is(self.bits(n, LONG), LONG)),
                Some(Constants::Null) => Some(Value::Is(self.bits(0, INT), INT)),
                _ => None,
            });
        }
        match taken {
            [value] => self.converted(of.opcode, *value),
            [one, other] => self.combined(of.opcode, *one, *other),
            _ => Ok(None),
        }
    }

    fn converted(&mut self, opcode: u8, value: Value) -> io::Result<Option<Value>> {
        let (from, to) = match opcode {
            op::INEG | op::I2B | op::I2C | op::I2S => (INT, INT),
            op::LNEG => (LONG, LONG),
            op::I2L => (INT, LONG),
            op::L2I => (LONG, INT),
            _ => return Ok(None),
        };
        let value = self.wide(value, from)?;
        let c = &*self.context;
        let extended = |how: &str, by: u32, of: SExpr| {
            let extend = c.list(vec![c.atom("_"), c.atom(how), c.numeral(by)]);
            c.list(vec![extend, of])
        };
        let result = match opcode {
            op::INEG | op::LNEG => c.bvneg(value),
            op::I2B => extended("sign_extend", 24, c.extract(7, 0, value)),
            op::I2C => extended("zero_extend", 16, c.extract(15, 0, value)),
            op::I2S => extended("sign_extend", 16, c.extract(15, 0, value)),
            op::I2L => extended("sign_extend", 32, value),
            _ => c.extract(31, 0, value),
        };
        Ok(Some(Value::Is(result, to)))
    }

    fn combined(&mut self, opcode: u8, one: Value, other: Value) -> io::Result<Option<Value>> {
        let (width, shifts) = match opcode {
            op::IADD
            | op::ISUB
            | op::IMUL
            | op::IDIV
            | op::IREM
            | op::IAND
            | op::IOR
            | op::IXOR => (INT, false),
            op::LADD
            | op::LSUB
            | op::LMUL
            | op::LDIV
            | op::LREM
            | op::LAND
            | op::LOR
            | op::LXOR
            | op::LCMP => (LONG, false),
            op::ISHL | op::ISHR | op::IUSHR => (INT, true),
            op::LSHL | op::LSHR | op::LUSHR => (LONG, true),
            _ => return Ok(None),
        };
        let one = self.wide(one, width)?;
        let other = match shifts {
            true => self.shifted_by(other, width)?,
            false => self.wide(other, width)?,
        };
        let (less, same, more) = (self.bits(-1, INT), self.bits(0, INT), self.bits(1, INT));
        let c = &*self.context;
        let result = match opcode {
            op::IADD | op::LADD => c.bvadd(one, other),
            op::ISUB | op::LSUB => c.bvsub(one, other),
            op::IMUL | op::LMUL => c.bvmul(one, other),
            // By zero an exception would have come, and SMT-LIB has some value: more is possible than is.
            op::IDIV | op::LDIV => c.bvsdiv(one, other),
            op::IREM | op::LREM => c.bvsrem(one, other),
            op::IAND | op::LAND => c.bvand(one, other),
            op::IOR | op::LOR => c.bvor(one, other),
            op::IXOR | op::LXOR => c.bvxor(one, other),
            op::ISHL | op::LSHL => c.bvshl(one, other),
            op::ISHR | op::LSHR => c.bvashr(one, other),
            op::IUSHR | op::LUSHR => c.bvlshr(one, other),
            _ => {
                let otherwise = c.ite(c.eq(one, other), same, more);
                return Ok(Some(Value::Is(
                    c.ite(c.bvslt(one, other), less, otherwise),
                    INT,
                )));
            }
        };
        Ok(Some(Value::Is(result, width)))
    }

    /// Java shifts by the low bits of an `int` only (JLS §15.19).
    fn shifted_by(&mut self, by: Value, width: usize) -> io::Result<SExpr> {
        let by = self.wide(by, INT)?;
        let low = self.bits(width as i64 - 1, INT);
        let low = self.context.bvand(by, low);
        Ok(match width {
            INT => low,
            _ => self.context.concat(self.bits(0, INT), low),
        })
    }
}

fn name(symbol: u32, width: usize) -> String {
    format!("v{symbol}w{width}")
}
