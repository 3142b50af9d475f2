//! Objects that are made as the recorded code got them: lambdas and method references, those that the JDK makes included, and values of
//! which no text makes them.

use jinsi_trace::model::{Content, ObjectId};

use super::{Pool, is_hidden, makes};
use crate::{Role, function};
use jinsi_history::Moment;

/// Ends of the names of values of the JDK's that are made of their text.
const OF_TEXT: [&str; 16] = [
    "/BigDecimal",
    "/BigInteger",
    "/Duration",
    "/Instant",
    "/LocalDate",
    "/LocalDateTime",
    "/LocalTime",
    "/MonthDay",
    "/OffsetDateTime",
    "/OffsetTime",
    "/Period",
    "/Year",
    "/YearMonth",
    "/ZoneOffset",
    "/ZoneRegion",
    "/ZonedDateTime",
];

impl Pool<'_> {
    /// The role of a function object that recorded code made outside, where everything runs for real.
    pub(super) fn function(&self, id: ObjectId) -> Option<Role> {
        if !self.natural.is_all() {
            return None;
        }
        let (n, function) = function::made(self.history, id)?;
        Some(Role::Function {
            function: Box::new(function),
            initial: Some(Content::Elements(self.history.args(n).to_vec())),
        })
    }

    /// Is it what a call of unrecorded code gave, as `Comparator.naturalOrder()` does, where everything runs for real?
    pub(super) fn can_be_made_again(&self, id: ObjectId) -> bool {
        let history = self.history;
        self.natural.is_all()
            && history
                .natural_ops(self.natural, id, Moment::BEGINNING, Moment::END)
                .iter()
                .any(|&n| makes(history, n, id))
    }

    /// Is it a value, or a member of a class, that recorded code got in a way that says more than its text, where everything runs for real?
    pub(super) fn is_better_made_again(&self, id: ObjectId) -> bool {
        let history = self.history;
        let class = history.class_of(id).unwrap_or("");
        let is_value = class.starts_with("java/time/") || class.starts_with("java/math/");
        let by_text = OF_TEXT.iter().any(|name| class.ends_with(name));
        let is_enum = history.tables().is_subclass(class, "java/lang/Enum");
        let has_text = is_value && !by_text && !is_enum || class.starts_with("java/lang/reflect/");
        has_text && self.can_be_made_again(id)
    }

    /// Is it a wrapper or a view of another container (`Collections.unmodifiableList`, `keySet()`)?
    pub(super) fn shows_another(&self, id: ObjectId) -> bool {
        let class = self.history.class_of(id).unwrap_or("");
        let nested = class
            .strip_prefix("java/util/")
            .and_then(|name| name.split_once('$'));
        nested.is_some_and(|(outer, name)| match outer {
            "Collections" => ["Unmodifiable", "Synchronized", "Checked"]
                .iter()
                .any(|begin| name.starts_with(begin)),
            "Arrays" | "ImmutableCollections" => false,
            _ => true,
        })
    }

    /// Is it a function object that is not at hand?
    pub(super) fn is_foreign_function(&self, id: ObjectId) -> bool {
        is_hidden(self.history.class_of(id).unwrap_or(""))
            && !self.met.made_inside.contains(&id)
            && !self.can_be_made_again(id)
            && self.function(id).is_none()
    }
}
