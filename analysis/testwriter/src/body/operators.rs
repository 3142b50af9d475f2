//! What operators make of what is on the stack: numbers, and texts that are put together.

use jinsi_classfile::opcode as op;
use jinsi_classfile::references::Bootstraps;
use jinsi_trace::model::JavaString;

use super::{Body, bracketed, is_simple};
use crate::access::params;
use crate::literal;

impl Body<'_, '_, '_> {
    /// A number as one of another type.
    pub(super) fn convert(&mut self, opcode: u8) -> Option<()> {
        const TYPES: [&str; 15] = [
            "J", "F", "D", "I", "F", "D", "I", "J", "D", "I", "J", "F", "B", "C", "S",
        ];
        let ty = TYPES.get(usize::from(opcode - op::I2L))?;
        let (text, _, simple) = self.operand()?;
        let name = self.writer.imports.descriptor(ty);
        self.push(&format!("({name}) {}", bracketed(&text, simple)), ty, false);
        Some(())
    }

    pub(super) fn arithmetic(&mut self, opcode: u8) -> Option<()> {
        const SIGNS: [&str; 5] = ["+", "-", "*", "/", "%"];
        let at = usize::from(opcode - op::IADD);
        let (sign, ty) = (SIGNS.get(at / 4)?, ["I", "J", "F", "D"][at % 4]);
        let (right, _, right_simple) = self.operand()?;
        let (left, _, left_simple) = self.operand()?;
        let text = format!(
            "{} {sign} {}",
            bracketed(&left, left_simple),
            bracketed(&right, right_simple)
        );
        self.push(&text, ty, false);
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
        let types = params(&call.desc);
        let mut operands = Vec::new();
        for ty in types.iter().rev() {
            let text = self.pop_as(ty)?;
            operands.push(match is_simple(&text) {
                true => text,
                false => format!("({text})"),
            });
        }
        let mut parts: Vec<String> = Vec::new();
        for (no, constant) in recipe.split('\u{1}').enumerate() {
            if no > 0 {
                parts.push(operands.pop()?);
            }
            if !constant.is_empty() {
                parts.push(literal::string(&JavaString::new(constant)));
            }
        }
        // The first two decide that it is texts which are put together.
        let is_text = parts.iter().take(2).any(|p| p.starts_with('"'))
            || types.first().is_some_and(|ty| ty == "Ljava/lang/String;");
        if !is_text {
            parts.insert(0, "\"\"".into());
        }
        self.push(&parts.join(" + "), "Ljava/lang/String;", false);
        Some(())
    }
}
