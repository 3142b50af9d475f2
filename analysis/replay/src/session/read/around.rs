//! What a session has besides its interactions: classes and what was put into them, settings, the failure.

use super::{Read, Reader};
use crate::codes;
use crate::session::{Bridge, ClassKind, Part, SessionClass, Today, Trap};
use jinsi_level::CrashPredicate;
use jinsi_level::surroundings::Setting;
use jinsi_rewrite::ClassRole;

impl Reader<'_> {
    pub(super) fn class(&mut self) -> Read<SessionClass> {
        let name = self.name()?;
        let kind = match self.u8()? {
            codes::CLASS_CODE => ClassKind::Code,
            codes::CLASS_ENVIRONMENT => ClassKind::Environment,
            codes::CLASS_PLACEHOLDER => ClassKind::Placeholder,
            _ => return Err(self.error("unknown kind of class")),
        };
        let n = self.small()?;
        let bytes = self.take(n)?.to_vec();
        Ok(SessionClass { name, kind, bytes })
    }

    pub(super) fn bridge(&mut self) -> Read<Bridge> {
        let (no, op, member) = (self.small()?, self.operation()?, self.member()?);
        let holder = self.member()?;
        Ok(Bridge {
            no,
            op,
            member,
            class: holder.owner.into(),
            method: holder.name.into(),
            desc: holder.desc.into(),
            bci: self.small()?,
            line: self.small()?,
            site: self.site()?,
        })
    }

    pub(super) fn trap(&mut self) -> Read<Trap> {
        Ok(Trap {
            no: self.small()?,
            op: self.operation()?,
            member: self.member()?,
        })
    }

    pub(super) fn predicate(&mut self) -> Read<CrashPredicate> {
        let predicate = CrashPredicate {
            class: self.name()?,
            message: self.optional_str()?,
            message_of_jdk: match self.small()? {
                0 => None,
                release => Some(release),
            },
            at_class: self.name()?,
            at_method: self.name()?,
            at_line: self.i32()?,
        };
        // It follows from the class, and what comes then is a constant of the writer's.
        self.boolean()?;
        self.list(Reader::name)?;
        Ok(predicate)
    }

    pub(super) fn setting(&mut self) -> Read<Setting> {
        let kind = self.u8()?;
        let first = self.str()?;
        Ok(match kind {
            codes::SETTING_TIME_ZONE => Setting::TimeZone(first),
            codes::SETTING_LOCALE => Setting::Locale(first),
            codes::SETTING_PROPERTY => Setting::Property {
                name: first,
                value: self.str()?,
            },
            _ => return Err(self.error("unknown kind of setting")),
        })
    }

    pub(super) fn today(&mut self) -> Read<Today> {
        Ok(Today {
            rules: self.str()?,
            parts: self.list(Reader::part)?,
        })
    }

    fn part(&mut self) -> Read<Part> {
        let name = self.name()?;
        let role = match self.u8()? {
            codes::PART_OBSERVED => ClassRole::Observed,
            codes::PART_INHERITED => ClassRole::Inherited,
            codes::PART_NATURAL => ClassRole::Natural,
            codes::PART_ENVIRONMENT => ClassRole::Environment,
            _ => return Err(self.error("unknown part of a class")),
        };
        let flags = self.u8()?;
        let all = codes::PART_OF_OTHERS | codes::PART_ONLY_INHERITED | codes::PART_INITIALIZED;
        if flags > all {
            return Err(self.error("unknown flags of a class"));
        }
        Ok(Part {
            name,
            role,
            of_others: flags & codes::PART_OF_OTHERS != 0,
            only_inherited: flags & codes::PART_ONLY_INHERITED != 0,
            initialized: flags & codes::PART_INITIALIZED != 0,
            length: self.small()?,
            checksum: self.u32()?,
        })
    }
}
