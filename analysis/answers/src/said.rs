//! Values, calls and writes as people read them.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_history::describe::Describer;
use jinsi_inspect::{Entry, Inspector, Moment, Seen};
use jinsi_trace::model::{MemberRef, ObjectId, Value};
use serde::Serialize;

use crate::readable::Readable;

/// What is known of a value.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// As a literal, or of an object its number and class; absent if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Of an object, what it held, as a person would write it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Identity of the object that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<u64>,
    /// Why it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.text.as_ref().or(self.value.as_ref()), &self.unknown) {
            (Some(value), _) => f.write_str(value),
            (None, Some(why)) => write!(f, "? ({why})"),
            (None, None) => f.write_str("?"),
        }
    }
}

/// Writes values, with the classes of objects.
pub struct Writer<'a, 't> {
    /// Of whose run.
    pub inspector: &'a Inspector<'t>,
    describer: Describer<'t>,
    readable: Readable<'a, 't>,
}

impl<'a, 't> Writer<'a, 't> {
    /// Of this run.
    pub fn new(inspector: &'a Inspector<'t>) -> Self {
        Self {
            inspector,
            describer: Describer::new(inspector.trace()),
            readable: Readable::new(inspector),
        }
    }

    /// A value; of an object what it held at a moment, too.
    pub fn seen_at(&self, seen: &Seen, moment: Moment) -> Shown {
        let mut shown = self.seen(seen);
        shown.text = shown.object.map(|id| self.readable.object(id, moment));
        shown
    }

    /// A value, or why it is not known.
    pub fn seen(&self, seen: &Seen) -> Shown {
        let mut shown = Shown {
            value: None,
            text: None,
            object: None,
            unknown: None,
        };
        match seen {
            Seen::Known(value) => {
                if let Value::Object(id) = value {
                    shown.object = Some(*id);
                }
                shown.value = Some(self.value(value));
            }
            Seen::Fresh { class, .. } => {
                shown.value = Some(format!("a new {}", dotted(class)));
            }
            Seen::Unknown(why) => shown.unknown = Some(why.to_string()),
        }
        shown
    }

    /// A value; of an object its number and class.
    pub fn value(&self, value: &Value) -> String {
        let text = self.describer.value(value);
        match value {
            Value::Object(id) => match self.inspector.class_of(*id) {
                Some(class) => format!("{text} {}", dotted(class)),
                None => text,
            },
            _ => text,
        }
    }

    /// That a variable got a value.
    pub fn entry(&self, variable: String, entry: &Entry) -> Row {
        Row {
            variable,
            value: self.seen_at(&entry.value, entry.after),
            before: entry.before.to_string(),
            after: entry.after.to_string(),
            by: entry.by.as_ref().map(|by| place(&by.method, by.line)),
        }
    }
}

/// A row of a history.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Which variable.
    pub variable: String,
    /// What it got.
    #[serde(flatten)]
    pub value: Shown,
    /// Right before the write.
    pub before: String,
    /// Right behind.
    pub after: String,
    /// Method and line; `null`: code that is not recorded.
    pub by: Option<String>,
}

impl Row {
    /// As a line.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn print(&self, to: &mut dyn std::io::Write) -> std::io::Result<()> {
        let by = self.by.as_deref().unwrap_or("code that is not recorded");
        writeln!(
            to,
            "{:>12}  {} = {}   {by}",
            self.after, self.variable, self.value
        )
    }
}

/// Puts their numbers behind different objects that look the same.
pub(crate) fn distinguish<'s>(all: impl Iterator<Item = &'s mut Shown>) {
    let mut all: Vec<&mut Shown> = all.collect();
    let mut same: BTreeMap<String, BTreeSet<ObjectId>> = BTreeMap::new();
    for shown in &all {
        if let (Some(text), Some(id)) = (&shown.text, shown.object) {
            same.entry(text.clone()).or_default().insert(id);
        }
    }
    for shown in &mut all {
        let Shown { text, object, .. } = &mut **shown;
        if let (Some(text), Some(id)) = (text, *object)
            && same.get(text.as_str()).is_some_and(|ids| ids.len() > 1)
            && !text.ends_with(&format!(" #{id}"))
        {
            text.push_str(&format!(" #{id}"));
        }
    }
}

/// Method and line.
pub fn place(method: &MemberRef, line: u16) -> String {
    match line {
        0 => format!("{}.{}", dotted(&method.owner), method.name),
        line => format!("{}.{}:{line}", dotted(&method.owner), method.name),
    }
}

/// A class as a person writes it.
pub fn dotted(internal: &str) -> String {
    let element = internal.trim_start_matches('[');
    let dimensions = internal.len() - element.len();
    if dimensions == 0 {
        return internal.replace('/', ".");
    }
    let element = match element {
        "Z" => "boolean".to_owned(),
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "S" => "short".to_owned(),
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "F" => "float".to_owned(),
        "D" => "double".to_owned(),
        class => {
            // Once: a class may be called `Lock`, in no package.
            let name = class.strip_prefix('L').unwrap_or(class);
            name.strip_suffix(';').unwrap_or(name).replace('/', ".")
        }
    };
    element + &"[]".repeat(dimensions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, id: ObjectId) -> Shown {
        Shown {
            value: Some(format!("#{id} x")),
            text: Some(text.to_owned()),
            object: Some(id),
            unknown: None,
        }
    }

    #[test]
    fn numbers_stand_only_where_two_would_be_confused() {
        let mut all = [shown("A[x=1]", 3), shown("A[x=1]", 3), shown("B", 4)];
        distinguish(all.iter_mut());
        assert_eq!(all[0].to_string(), "A[x=1]");
        let mut all = [shown("A[x=1]", 3), shown("A[x=1]", 5), shown("B #4", 4)];
        distinguish(all.iter_mut());
        let texts: Vec<String> = all.iter().map(Shown::to_string).collect();
        assert_eq!(texts, ["A[x=1] #3", "A[x=1] #5", "B #4"]);
    }

    #[test]
    fn classes_as_a_person_writes_them() {
        assert_eq!(dotted("java/util/List"), "java.util.List");
        assert_eq!(dotted("[[I"), "int[][]");
        assert_eq!(dotted("[Ljava/lang/Long;"), "java.lang.Long[]");
        assert_eq!(dotted("[LLock;"), "Lock[]");
    }
}
