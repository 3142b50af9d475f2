//! What operators make of what is on the stack: numbers, and texts that are put together.

use jinsi_classfile::opcode as op;
use jinsi_classfile::references::Bootstraps;

use super::Body;
use crate::access::params;
use crate::java::{JavaExpr, JavaType, Operator};

impl Body<'_, '_, '_> {
    /// A number as one of another type.
    pub(super) fn convert(&mut self, opcode: u8) -> Option<()> {
        const TYPES: [&str; 15] = [
            "J", "F", "D", "I", "F", "D", "I", "J", "D", "I", "J", "F", "B", "C", "S",
        ];
        let ty = TYPES.get(usize::from(opcode - op::I2L))?;
        let value = self.pop()?;
        self.push(value.cast(JavaType::of(ty)));
        Some(())
    }

    pub(super) fn arithmetic(&mut self, opcode: u8) -> Option<()> {
        const SIGNS: [Operator; 5] = [
            Operator::Plus,
            Operator::Minus,
            Operator::Multiply,
            Operator::Divide,
            Operator::Remainder,
        ];
        let at = usize::from(opcode - op::IADD);
        let (sign, ty) = (*SIGNS.get(at / 4)?, ["I", "J", "F", "D"][at % 4]);
        let (right, left) = (self.pop()?, self.pop()?);
        self.push(left.binary(sign, right, JavaType::of(ty)));
        Some(())
    }

    /// Texts that are put together.
    pub(super) fn concatenation(&mut self, index: u16) -> Option<()> {
        let pool = &self.class.pool;
        let call = pool.invoke_dynamic(index).ok()?;
        if call.name != "makeConcatWithConstants" {
            return None;
        }
        let bootstraps = Bootstraps::of(self.class).ok()?;
        let (_, arguments) = bootstraps.get(call.bootstrap)?;
        let [recipe] = *arguments else { return None };
        let recipe = pool.string(recipe).ok()?.into_owned();
        let mut operands = Vec::new();
        for ty in params(&call.desc).iter().rev() {
            operands.push(self.pop_as(ty)?);
        }
        let mut parts: Vec<JavaExpr> = Vec::new();
        for (no, constant) in recipe.split('\u{1}').enumerate() {
            if no > 0 {
                parts.push(operands.pop()?);
            }
            if !constant.is_empty() {
                parts.push(JavaExpr::text(constant));
            }
        }
        // The first two decide that it is texts which are put together.
        let is_text = |part: &JavaExpr| part.ty == JavaType::string();
        if !parts.iter().take(2).any(is_text) {
            parts.insert(0, JavaExpr::text(""));
        }
        self.push(parts.into_iter().reduce(JavaExpr::concat)?);
        Some(())
    }
}
