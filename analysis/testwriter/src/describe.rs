//! Interactions as one line of text, for reports. Objects carry their identity: `Period#7.toString()`.

use jinsi_trace::model::{ObjectId, Value};

use super::classes::{ClassLookup, is_hidden};
use super::literal;
use jinsi_level::{Interaction, Level, Operation, Outcome};

/// Characters of a string that are shown.
const SHOWN: usize = 60;

/// The interaction as text that resembles Java.
pub fn describe(interaction: &Interaction, level: &Level, classes: &dyn ClassLookup) -> String {
    let i = interaction;
    let value = |v: &Value| value(v, level, classes);
    let args = || i.args.iter().map(value).collect::<Vec<_>>().join(", ");
    let name = &i.member.name;
    let owner = simple(&i.target_class);
    let holder = || {
        let receiver = value(&i.receiver);
        if is_hidden(classes, &i.member, &i.target_class) {
            format!("(({}) {receiver})", simple(&i.member.owner))
        } else {
            receiver
        }
    };
    let mut text = match i.op {
        Operation::Construct => format!("new {owner}({})", args()),
        Operation::Call => format!("{}.{name}({})", value(&i.receiver), args()),
        Operation::CallStatic if i.is_first_use() => format!("Class.{name}({})", args()),
        Operation::CallStatic => format!("{owner}.{name}({})", args()),
        Operation::GetField => format!("{}.{name}", holder()),
        Operation::PutField => format!("{}.{name} = {}", holder(), args()),
        Operation::GetStatic => format!("{owner}.{name}"),
        Operation::PutStatic => format!("{owner}.{name} = {}", args()),
    };
    match &i.outcome {
        Outcome::Throw(id) => {
            let class = level
                .objects
                .get(id)
                .map_or("an exception", |o| simple(&o.class));
            text.push_str(&format!(" throws {class}"));
        }
        Outcome::Return(Some(v)) => text.push_str(&format!(" → {}", value(v))),
        Outcome::Return(None) => {}
        Outcome::Open => text.push_str(" did not end"),
    }
    text
}

fn value(value: &Value, level: &Level, classes: &dyn ClassLookup) -> String {
    match value {
        Value::Prim(v) | Value::Boxed(v) => literal::primitive(*v),
        Value::Null => "null".into(),
        Value::Str(text) if text.0.len() > SHOWN => {
            let head = jinsi_trace::model::JavaString(text.0[..SHOWN].into());
            format!("{}… ({} characters)", literal::string(&head), text.0.len())
        }
        Value::Str(text) => literal::string(text),
        Value::Class(no) => format!("{}.class", classes.class_name(*no).map_or("?", simple)),
        Value::Object(id) => object(*id, level),
    }
}

fn object(id: ObjectId, level: &Level) -> String {
    let Some(info) = level.objects.get(&id) else {
        return format!("#{id}");
    };
    match (&info.role, info.length) {
        (jinsi_level::Role::Text(text), _) => format!("{} {text}", simple(&info.class)),
        (_, Some(length)) => format!("array of {length} #{id}"),
        _ => format!("{}#{id}", simple(&info.class)),
    }
}

fn simple(class: &str) -> &str {
    class
        .rsplit(['/', '$'])
        .find(|s| !s.is_empty())
        .unwrap_or(class)
}
