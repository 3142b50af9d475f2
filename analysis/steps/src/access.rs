//! Which instructions make events of their accesses to memory.

use jinsi_classfile::effect::Access;
use jinsi_trace::model::EventKind;

/// Does the instruction make events of its access to memory?
pub(super) fn is_access(access: Access) -> bool {
    event_kind(access).is_some()
}

/// The kind of event that an instruction makes which accesses memory.
pub(super) fn event_kind(access: Access) -> Option<EventKind> {
    Some(match access {
        Access::GetField(_) => EventKind::GetField,
        Access::PutField(_) => EventKind::PutField,
        Access::GetStatic(_) => EventKind::GetStatic,
        Access::PutStatic(_) => EventKind::PutStatic,
        Access::ArrayLoad => EventKind::ArrayLoad,
        Access::ArrayStore => EventKind::ArrayStore,
        _ => return None,
    })
}
