//! Messages of Java: the constants of an enum `Message`, each with its text, whose places are written `{name}`.

use std::collections::BTreeMap;

use crate::text::{Arguments, Message};

/// The messages of a file `Message.java`.
pub(crate) fn messages(of: &str, source: &str) -> Vec<Message> {
    let body = source
        .split_once("enum Message")
        .map_or("", |(_, body)| body);
    let body = body.split_once('{').map_or("", |(_, body)| body);
    let mut all = Vec::new();
    for constant in constants(body) {
        let Some((name, value)) = constant.split_once('(') else {
            continue;
        };
        all.push(Message {
            of: of.to_owned(),
            holder: "Message".to_owned(),
            variant: Some(name.trim().to_owned()),
            text: literals(value),
            fields: BTreeMap::new(),
            arguments: Arguments::default(),
        });
    }
    all
}

/// The constants of an enum, up to the semicolon behind the last one.
fn constants(body: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let (mut quoted, mut escaped, mut depth) = (false, false, 0);
    let lines = body.lines().map(str::trim_start);
    let code = lines.filter(|line| !["/*", "*", "//"].iter().any(|c| line.starts_with(c)));
    for c in code.flat_map(|line| line.chars().chain(['\n'])) {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                all.push(String::new());
                continue;
            }
            ';' if !quoted => break,
            _ => {}
        }
        all.last_mut().into_iter().for_each(|last| last.push(c));
    }
    all
}

/// What stands between quotes, one behind the other.
fn literals(code: &str) -> String {
    let mut text = String::new();
    let mut chars = code.chars();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '"' => quoted = !quoted,
            '\\' if quoted => match chars.next() {
                Some('n') => text.push('\n'),
                Some(other) => text.push(other),
                None => {}
            },
            c if quoted => text.push(c),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_found() {
        let source = r#"
            /** What it says. */
            enum Message {
                /** Nothing, said (so). */
                SKIPPED("skipped, by \"skip\""),
                NOT_RECORDED("tests are not recorded: "
                        + "{why}");

                private final String text;
            }"#;
        let all = messages("plugin", source);
        let texts: Vec<_> = all.iter().map(|m| (m.name(), m.text.as_str())).collect();
        assert_eq!(
            texts,
            [
                ("Message::SKIPPED".to_owned(), "skipped, by \"skip\""),
                (
                    "Message::NOT_RECORDED".to_owned(),
                    "tests are not recorded: {why}"
                )
            ]
        );
    }
}
