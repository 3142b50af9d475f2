//! What a session has besides its interactions: classes and what was put into them, the failure, the answers of a written test.

use jinsi_level::CrashPredicate;
use jinsi_level::frameworks::is_assertion;
use jinsi_level::program::NOT_THE_PROGRAMS;
use jinsi_trace::model::SiteNo;

use super::{Writer, Written};
use crate::codes;
use crate::session::{ClassKind, Part, Script, Today, operation_code, role_code};

impl<'s> Writer<'s> {
    /// Classes, bridges and traps.
    pub(super) fn code(&mut self) {
        let session = self.session;
        self.n(session.classes.len() as u64);
        for class in &session.classes {
            self.name(&class.name);
            self.u8(match class.kind {
                ClassKind::Code => codes::CLASS_CODE,
                ClassKind::Environment => codes::CLASS_ENVIRONMENT,
                ClassKind::Placeholder => codes::CLASS_PLACEHOLDER,
            });
            self.n(class.bytes.len() as u64);
            self.out.extend_from_slice(&class.bytes);
        }
        self.n(session.bridges.len() as u64);
        for bridge in &session.bridges {
            self.n(u64::from(bridge.no));
            self.u8(operation_code(bridge.op));
            self.member(&bridge.member);
            let holder = self
                .names
                .member(&bridge.class, &bridge.method, &bridge.desc);
            self.n(u64::from(holder));
            self.n(u64::from(bridge.bci));
            self.n(u64::from(bridge.line));
            self.n(u64::from(SiteNo::written(bridge.site)));
        }
        self.n(session.traps.len() as u64);
        for trap in &session.traps {
            self.n(u64::from(trap.no));
            self.u8(operation_code(trap.op));
            self.member(&trap.member);
        }
    }

    pub(super) fn predicate(&mut self, p: &'s CrashPredicate) {
        self.name(&p.class);
        self.optional_str(p.message.as_deref());
        self.n(u64::from(p.message_of_jdk.unwrap_or(0)));
        self.name(&p.at_class);
        self.name(&p.at_method);
        self.i32(p.at_line);
        self.u8(u8::from(is_assertion(&p.class)));
        self.n(NOT_THE_PROGRAMS.len() as u64);
        NOT_THE_PROGRAMS.iter().for_each(|begin| self.name(begin));
    }

    pub(super) fn script(&mut self, script: &'s Script) -> Written {
        self.effects(&script.setup)?;
        self.n(script.answers.len() as u64);
        for (no, answer) in &script.answers {
            self.next_outgoing = *no;
            self.outgoing(answer)?;
        }
        self.today(&script.today);
        Ok(())
    }

    fn today(&mut self, today: &'s Today) {
        self.str(&today.rules);
        self.n(today.parts.len() as u64);
        today.parts.iter().for_each(|part| self.part(part));
    }

    fn part(&mut self, part: &'s Part) {
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        self.name(&part.name);
        self.u8(role_code(part.role));
        self.u8(flag(part.of_others, codes::PART_OF_OTHERS)
            | flag(part.only_inherited, codes::PART_ONLY_INHERITED)
            | flag(part.initialized, codes::PART_INITIALIZED));
        self.n(u64::from(part.length));
        self.u32(part.checksum);
    }
}
