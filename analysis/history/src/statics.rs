//! What static fields held where the history begins, as the recording tells it: at the beginning of a window, and where a replay that is
//! recorded has set them. They are reported as fields of the class object (`java-harness/runtime`, `JinsiStatics`).

use std::collections::BTreeMap;

use jinsi_trace::model::{Content, Fields, ObjectId, Prim, Value};

use super::{History, Moment, Tables};

/// Internal name of the class of class objects. Nothing else that is reported has fields, and is of it.
const CLASS: &str = "java/lang/Class";
/// The name of the field that stands for the number of the window.
const WINDOW: &str = "";

/// Its value where a replay has set the fields.
const REPLAY: i64 = 0;

/// The static fields of a class that was initialized before the history begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Statics {
    /// When they were reported.
    pub at: Moment,
    /// All of them.
    pub fields: Fields,
}

/// Those of all such classes.
#[derive(Debug, Default)]
pub(super) struct ReportedStatics {
    /// The window in which they were reported, the first of the history.
    window: i64,
    /// By internal name.
    classes: BTreeMap<String, Statics>,
}

impl History {
    /// Is `id` a class object? Then the content that was recorded of it is what its static fields hold, and is kept as such.
    pub(super) fn tells_statics(&mut self, id: ObjectId, at: Moment, content: &Content) -> bool {
        let tells = self.class_of(id) == Some(CLASS);
        if tells {
            self.statics.tell(&self.tables, at, content);
        }
        tells
    }
}

impl ReportedStatics {
    pub(super) fn classes(&self) -> &BTreeMap<String, Statics> {
        &self.classes
    }

    /// The fields of a class object were reported. What is reported when a later window begins is no news: replay has come to it by itself.
    fn tell(&mut self, tables: &Tables, at: Moment, content: &Content) {
        let Content::Fields(reported) = content else {
            return;
        };
        let Some((window, class, fields)) = parts(tables, reported) else {
            return;
        };
        // A history that begins with the program knows what static fields hold by what was done to them.
        if window != REPLAY && !tables.is_window() {
            return;
        }
        if self.classes.is_empty() || window < self.window {
            self.window = window;
            self.classes.clear();
        }
        if window == self.window {
            let statics = Statics { at, fields };
            self.classes.entry(class).or_insert(statics);
        }
    }
}

/// The number of the window, the class, and its fields.
fn parts(tables: &Tables, reported: &Fields) -> Option<(i64, String, Fields)> {
    let (window, number) = reported.iter().find(|(field, _)| field.name == WINDOW)?;
    let Value::Prim(Prim::Long(number)) = number else {
        return None;
    };
    let class = tables.class_name(window.class).to_owned();
    let fields = reported.iter().filter(|(field, _)| field.name != WINDOW);
    let fields = fields.map(|(field, value)| (field.clone(), value.clone()));
    Some((*number, class, fields.collect()))
}

#[cfg(test)]
mod tests {
    use jinsi_trace::model::{ClassNo, FieldName};

    use super::*;

    fn reported(count: i32, window: i64) -> Content {
        let field = |name: &str, value| {
            let class = ClassNo::FIRST;
            let name = name.to_owned();
            (FieldName { class, name }, Value::Prim(value))
        };
        let fields = [
            field("count", Prim::Int(count)),
            field("", Prim::Long(window)),
        ];
        Content::Fields(fields.into_iter().collect())
    }

    #[test]
    fn the_first_window_counts() {
        let tables = Tables::default().of_window(true);
        let mut all = ReportedStatics::default();
        let mut count = |count, window| {
            all.tell(&tables, Moment::BEGINNING, &reported(count, window));
            let fields = &all.classes().values().next().unwrap().fields;
            assert_eq!(fields.len(), 1);
            fields.values()[0].clone()
        };
        let int = |value| Value::Prim(Prim::Int(value));
        assert_eq!(count(5, 3), int(5));
        assert_eq!(count(6, 4), int(5), "what follows is computed again");
        assert_eq!(count(4, 2), int(4), "threads come in any order");
        assert_eq!(count(7, 2), int(4), "reported once more by another thread");
    }
}
