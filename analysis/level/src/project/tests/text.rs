//! Levels as text.

use std::collections::BTreeSet;
use std::fmt::Write;

use jinsi_trace::model::{Content, Prim, Value};

use crate::project::project;
use crate::{Effect, Interaction, Level, Operation, Outcome, Outgoing};
use jinsi_history::script::history;
use jinsi_natural::Natural;

/// The level of `observed` (space-separated) as text: `in` driven, `back` call-backs, `out` outgoing, indented by nesting; effects
/// in brackets, in front of what they precede.
fn level(script: &str, observed: &str) -> String {
    text(&projected(script, observed))
}

pub(super) fn projected(script: &str, observed: &str) -> Level {
    let h = history(script);
    assert_eq!(h.anomalies(), 0, "the script does not balance");
    let observed: BTreeSet<String> = observed.split_whitespace().map(str::to_owned).collect();
    project(&h, &Natural::default(), &observed)
}

pub(super) fn text(level: &Level) -> String {
    let mut out = String::new();
    for (no, interaction) in level.interactions.iter().enumerate() {
        assert_eq!(interaction.no as usize, no);
        incoming(&mut out, "in", 0, interaction);
    }
    for (class, all) in &level.class_inits {
        writeln!(out, "init {class}").unwrap();
        all.iter().for_each(|o| outgoing(&mut out, 1, o));
    }
    out.trim_end().to_owned()
}

fn incoming(out: &mut String, word: &str, depth: usize, i: &Interaction) {
    let target = if i.op == Operation::Construct {
        i.target_class.as_str()
    } else {
        i.member.owner.as_str()
    };
    let line = format!(
        "{:depth$}{}{word} {}{}.{}{}{}",
        "",
        effects(&i.before),
        receiver(&i.receiver),
        target,
        i.member.name,
        list(&i.args),
        outcome(&i.outcome),
        depth = 2 * depth
    );
    writeln!(out, "{line}").unwrap();
    i.outgoing.iter().for_each(|o| outgoing(out, depth + 1, o));
}

fn outgoing(out: &mut String, depth: usize, o: &Outgoing) {
    let natural = if o.site.is_none() { "~" } else { "" };
    let line = format!(
        "{:depth$}out{natural} {}{}.{}{}{}{}",
        "",
        receiver(&o.receiver),
        o.member.owner,
        o.member.name,
        list(&o.args),
        outcome(&o.outcome),
        format!(" {}", effects(&o.effects)).trim_end(),
        depth = 2 * depth
    );
    writeln!(out, "{line}").unwrap();
    o.callbacks
        .iter()
        .for_each(|c| incoming(out, "back", depth + 1, c));
}

fn effects(effects: &[Effect]) -> String {
    effects
        .iter()
        .map(|e| match e {
            Effect::Content { id, content } => format!("[#{id}:={}] ", held(content)),
            Effect::Store {
                array,
                index,
                value,
            } => format!("[#{array}[{index}]={}] ", show(value)),
            Effect::Natural {
                op,
                member,
                receiver,
                args,
                result,
            } => {
                let result = result
                    .as_ref()
                    .map_or(String::new(), |v| format!("={}", show(v)));
                let new = if *op == Operation::Construct {
                    "new "
                } else {
                    ""
                };
                format!(
                    "[{new}{}.{}{}{result}] ",
                    show(receiver),
                    member.name,
                    list(args)
                )
            }
        })
        .collect()
}

fn receiver(value: &Value) -> String {
    if *value == Value::Null {
        String::new()
    } else {
        format!("{}:", show(value))
    }
}

fn list(values: &[Value]) -> String {
    format!(
        "({})",
        values.iter().map(show).collect::<Vec<_>>().join(",")
    )
}

fn held(content: &Content) -> String {
    match content {
        Content::Text(text) => text.to_string(),
        _ => list(content.values()),
    }
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Return(None) => String::new(),
        Outcome::Return(Some(value)) => format!(" = {}", show(value)),
        Outcome::Throw(id) => format!(" ! #{id}"),
        Outcome::Open => " ?".to_owned(),
    }
}

fn show(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Object(id) => format!("#{id}"),
        Value::Str(s) => format!("\"{s}\""),
        Value::Class(no) => format!("class {no}"),
        Value::Boxed(p) | Value::Prim(p) => match p {
            Prim::Boolean(b) => b.to_string(),
            other => (other.to_word() as i64).to_string(),
        },
    }
}

/// Compares by line, without the indentation that the test's source has.
pub(super) fn assert_level(script: &str, observed: &str, expected: &str) {
    let expected = expected.trim_matches('\n').trim_end();
    let margin = expected.len() - expected.trim_start().len();
    let expected: Vec<&str> = expected
        .lines()
        .map(|l| l.get(margin..).unwrap_or(""))
        .collect();
    let actual = level(script, observed);
    assert_eq!(actual.lines().collect::<Vec<_>>(), expected, "\n{actual}");
}
