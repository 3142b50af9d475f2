//! What a session has besides its interactions: classes and what was put into them, settings, the failure.

use super::{Read, Reader};
use crate::session::{
    Bridge, ClassKind, SETTING_LOCALE, SETTING_PROPERTY, SETTING_TIME_ZONE, SessionClass, Trap,
};
use jinsi_level::CrashPredicate;
use jinsi_level::surroundings::Setting;

impl Reader<'_> {
    pub(super) fn class(&mut self) -> Read<SessionClass> {
        let name = self.name()?;
        let kind = match self.u8()? {
            0 => ClassKind::Code,
            1 => ClassKind::Environment,
            2 => ClassKind::Placeholder,
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
        // A constant of the writer's.
        self.list(Reader::name)?;
        Ok(predicate)
    }

    pub(super) fn setting(&mut self) -> Read<Setting> {
        let kind = self.u8()?;
        let first = self.str()?;
        Ok(match kind {
            SETTING_TIME_ZONE => Setting::TimeZone(first),
            SETTING_LOCALE => Setting::Locale(first),
            SETTING_PROPERTY => Setting::Property {
                name: first,
                value: self.str()?,
            },
            _ => return Err(self.error("unknown kind of setting")),
        })
    }
}
