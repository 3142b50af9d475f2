//! Variables by a text: `#42.size`, `#17[3]`, `com.foo.Bar.count`.

use jinsi_inspect::{Inspector, Variable};

/// Elements of an array that are named one by one.
const ELEMENTS: u32 = 1000;

/// A text that names no variable of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuch(String);

impl std::fmt::Display for NoSuch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoSuch {}

/// The variables that a text names without a moment.
///
/// # Errors
/// There is none.
pub fn named(inspector: &Inspector<'_>, what: &str) -> Result<Vec<(String, Variable)>, NoSuch> {
    let none = |why: String| Err(NoSuch(why));
    let Some(object) = what.strip_prefix('#') else {
        return fields(inspector, what);
    };
    let end = object
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(object.len());
    let (id, rest) = object.split_at(end);
    let Ok(id) = id.parse() else {
        return none(format!("{what}: no number of an object"));
    };
    if let Some(field) = rest.strip_prefix('.') {
        let all = inspector.variables_of(id, 0);
        let found = all.into_iter().rfind(|(name, _)| name == field);
        return match found {
            Some((_, variable)) => Ok(vec![(what.to_owned(), variable)]),
            None => none(format!("#{id} has no recorded field {field}")),
        };
    }
    if let Some(index) = rest.strip_prefix('[').and_then(|r| r.strip_suffix(']')) {
        return match index.parse() {
            Ok(index) => Ok(vec![(what.to_owned(), Variable::Element(id, index))]),
            Err(_) => none(format!("{what}: no index")),
        };
    }
    if !rest.is_empty() {
        return none(format!("{what}: #OBJECT, #OBJECT.FIELD or #ARRAY[INDEX]"));
    }
    let all = inspector.variables_of(id, ELEMENTS).into_iter();
    Ok(all
        .map(|(name, variable)| match name.starts_with('[') {
            true => (format!("#{id}{name}"), variable),
            false => (format!("#{id}.{name}"), variable),
        })
        .collect())
}

fn fields(inspector: &Inspector<'_>, what: &str) -> Result<Vec<(String, Variable)>, NoSuch> {
    let Some((class, name)) = what.rsplit_once('.') else {
        return Err(NoSuch(format!(
            "{what}: CLASS.FIELD, #OBJECT, #OBJECT.FIELD or #ARRAY[INDEX]"
        )));
    };
    let mut all = Vec::new();
    for field in inspector.fields_named(class, name) {
        if field.is_static {
            all.push((what.to_owned(), Variable::Static(field)));
            continue;
        }
        let written = inspector.objects_written(&field);
        for id in written.map_err(|e| NoSuch(e.to_string()))? {
            all.push((format!("#{id}.{name}"), Variable::Field(id, field.clone())));
        }
    }
    match all.is_empty() {
        true => Err(NoSuch(format!(
            "no recorded class {class} has a field {name} that was written"
        ))),
        false => Ok(all),
    }
}
