//! Variables by a text: `#42.size`, `#17[3]`, `com.foo.Bar.count`.

use jinsi_inspect::{InspectError, Inspector, Variable};
use jinsi_trace::model::ObjectId;

/// Elements of an array that are named one by one.
const ELEMENTS: u32 = 1000;

/// A text that names no variable of the run.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum NoSuch {
    #[error(transparent)]
    Inspect(#[from] InspectError),
    #[error("'{0}' is no variable: write CLASS.FIELD, #OBJECT, #OBJECT.FIELD or #ARRAY[INDEX]")]
    Form(String),
    #[error("the recording has no object #{0}; 'jinsi events FILE' shows the numbers of objects")]
    Object(ObjectId),
    #[error(
        "object #{id} has no recorded field {field}; 'jinsi at FILE MOMENT --object {id}' shows its fields"
    )]
    Field { id: ObjectId, field: String },
    #[error(
        "no recorded class {class} has a field {name} that was written; 'jinsi info FILE' lists the classes"
    )]
    NeverWritten { class: String, name: String },
}

/// The variables that a text names without a moment.
///
/// # Errors
/// There is none.
pub fn named(inspector: &Inspector<'_>, what: &str) -> Result<Vec<(String, Variable)>, NoSuch> {
    let form = || NoSuch::Form(what.to_owned());
    let Some(object) = what.strip_prefix('#') else {
        return fields(inspector, what);
    };
    let end = object
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(object.len());
    let (id, rest) = object.split_at(end);
    let id = id.parse().map_err(|_| form())?;
    if let Some(field) = rest.strip_prefix('.') {
        let all = inspector.variables_of(id, 0);
        let found = all.into_iter().rfind(|(name, _)| name == field);
        return match found {
            Some((_, variable)) => Ok(vec![(what.to_owned(), variable)]),
            None => Err(NoSuch::Field {
                id,
                field: field.to_owned(),
            }),
        };
    }
    if let Some(index) = rest.strip_prefix('[').and_then(|r| r.strip_suffix(']')) {
        return match index.parse() {
            Ok(index) => Ok(vec![(what.to_owned(), Variable::Element(id, index))]),
            Err(_) => Err(form()),
        };
    }
    if !rest.is_empty() {
        return Err(form());
    }
    if inspector.class_of(id).is_none() {
        return Err(NoSuch::Object(id));
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
        return Err(NoSuch::Form(what.to_owned()));
    };
    let mut all = Vec::new();
    for field in inspector.fields_named(class, name) {
        if field.is_static {
            all.push((what.to_owned(), Variable::Static(field)));
            continue;
        }
        let written = inspector.objects_written(&field);
        for id in written? {
            all.push((format!("#{id}.{name}"), Variable::Field(id, field.clone())));
        }
    }
    match all.is_empty() {
        true => Err(NoSuch::NeverWritten {
            class: class.to_owned(),
            name: name.to_owned(),
        }),
        false => Ok(all),
    }
}
