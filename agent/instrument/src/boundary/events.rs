//! Events that are written if a gate is open.

use jinsi_classfile::Asm;
use jinsi_classfile::opcode as op;
use jinsi_probes::value_probe;
use jinsi_trace::model::{EventKind, SiteNo};

use crate::emitter::Probes;
use crate::events::{KIND, Operand, THEN, Then};
use crate::refs::{MOST_VALUES, Whole};

impl Probes<'_, '_> {
    /// The number that says what event it is, or 0 if the gate is shut.
    pub(super) fn what(
        &mut self,
        asm: &mut Asm,
        gate: Option<u16>,
        then: Then,
        site: SiteNo,
        kind: EventKind,
    ) {
        let what = site.get() | u32::from(kind as u8) << KIND | (then as u32) << THEN;
        asm.int(self.pool, what as i32);
        if let Some(gate) = gate {
            asm.load('I', gate).op(op::IAND);
        }
    }

    /// Writes an event if the gate is open; without a gate it is.
    pub(crate) fn gated(
        &mut self,
        asm: &mut Asm,
        operands: &[Operand],
        gate: Option<u16>,
        then: Then,
        site: SiteNo,
        kind: EventKind,
    ) {
        let Some(local) = gate else {
            return self.event(asm, operands, then, site, kind);
        };
        if operands.len() > MOST_VALUES || !self.has_event_of(operands.len(), site) {
            return self.gated_by_parts(asm, operands, local, then, site, kind);
        }
        self.stacked(asm, operands);
        self.what(asm, gate, then, site, kind);
        let letters: Vec<char> = operands.iter().map(|o| o.letter()).collect();
        self.refs.call_event(asm, self.pool, Whole::Gated, &letters);
    }

    pub(super) fn gated_by_parts(
        &mut self,
        asm: &mut Asm,
        operands: &[Operand],
        gate: u16,
        then: Then,
        site: SiteNo,
        kind: EventKind,
    ) {
        asm.load('I', gate);
        self.probe(asm, "begin", "(I)V");
        for operand in operands {
            operand.push(asm, self.pool);
            asm.load('I', gate);
            let add = value_probe(operand.letter());
            self.probe(asm, add.name, add.gated);
        }
        match operands.first() {
            Some(Operand::Local('L', local)) => asm.load('L', *local),
            _ => asm.op(op::ACONST_NULL),
        };
        asm.load('I', gate)
            .int(self.pool, site.get() as i32)
            .int(self.pool, i32::from(kind as u8))
            .int(self.pool, then as i32);
        self.probe(asm, "end", "(Ljava/lang/Object;IIII)V");
    }
}
