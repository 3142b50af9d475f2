//! One script of the page's modules: each becomes a function that gives what it exports, in an order in which what is imported is there.
//!
//! It reads no JavaScript, only the two forms that the page's files have: imports that are a line each, and `export` before a declaration.

use crate::assets;

/// The page's script.
pub(super) fn script() -> String {
    let mut script = String::new();
    let mut done = Vec::new();
    add("main.js", &mut done, &mut script);
    script
}

fn add(name: &'static str, done: &mut Vec<&'static str>, script: &mut String) {
    if done.contains(&name) {
        return;
    }
    done.push(name);
    let mut body = String::new();
    let mut exported = Vec::new();
    for line in assets::text(name).lines() {
        if let Some((what, from)) = imported(line) {
            add(from, done, script);
            body.push_str(&match what {
                None => String::new(),
                Some(what) => format!("const {what} = {};\n", variable(from)),
            });
            continue;
        }
        let declaration = line.strip_prefix("export ");
        exported.extend(declaration.and_then(declared));
        body.push_str(declaration.unwrap_or(line));
        body.push('\n');
    }
    let exported = exported.join(", ");
    script.push_str(&format!(
        "const {} = (() => {{\n{body}return {{ {exported} }};\n}})();\n",
        variable(name)
    ));
}

/// What a line imports, as the left side of a declaration, and from which file.
fn imported(line: &str) -> Option<(Option<String>, &'static str)> {
    let rest = line.strip_prefix("import ")?;
    let (what, from) = match rest.split_once(" from ") {
        None => (None, rest),
        Some((all, from)) => {
            let all = all.strip_prefix("* as ").unwrap_or(all);
            (Some(all.replace(" as ", ": ")), from)
        }
    };
    let name = from.trim_end_matches(';').trim_matches('"');
    let name = assets::name_of(name.strip_prefix("./")?)?;
    Some((what, name))
}

/// The name that a declaration gives.
fn declared(declaration: &str) -> Option<&str> {
    let words = declaration.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    let mut names =
        words.filter(|word| !matches!(*word, "async" | "function" | "class" | "const" | ""));
    names.next()
}

/// What a module is called in the script.
fn variable(name: &str) -> String {
    format!("_{}", name.trim_end_matches(".js"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_one_script() {
        let script = script();
        for line in script.lines() {
            assert!(
                !line.starts_with("import ") && !line.starts_with("export "),
                "{line}"
            );
        }
        assert!(!script.contains("</script"));
        // What is imported comes first, once.
        let place = |name: &str| {
            script
                .match_indices(&format!("const {name} = (()"))
                .collect::<Vec<_>>()
        };
        assert_eq!(place("_words").len(), 1);
        assert!(place("_words")[0].0 < place("_rows")[0].0);
        assert!(script.contains("return { say, ask, fetched, latest };"));
    }

    #[test]
    fn names_of_declarations() {
        assert_eq!(declared("async function ask(question) {"), Some("ask"));
        assert_eq!(
            declared("const entries = () => told.rows;"),
            Some("entries")
        );
        assert_eq!(declared("class Rows {"), Some("Rows"));
    }
}
