//! A document as people read it. Its keys are those that programs read, so both have the same words.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Goal, aligned, cell, goal_lines, heads};

/// Characters of a line; a wider table goes on below, beginning with its first column again.
const WIDTH: usize = 160;
/// Longer texts stand below the table that they belong to.
const CELL: usize = 60;

/// A document whose keys are in the order of the fields.
#[derive(Deserialize)]
#[serde(untagged)]
enum Node {
    Fields(IndexMap<String, Node>),
    List(Vec<Node>),
    Leaf(Value),
}

/// What an object has: figures by key, and lists of objects.
#[derive(Default)]
struct Parts<'d> {
    figures: IndexMap<String, String>,
    lists: Vec<(String, &'d [Node])>,
}

/// Figures a line each, and lists of objects as tables; fields of a field are named as `index.seconds`. What is `null` or empty is left out, and so are
/// the lists with these keys.
pub fn outline(document: &impl Serialize, long: &[&str]) -> String {
    match node(document) {
        Node::List(rows) => table("", "", &rows, long),
        fields => object(&fields, "", long),
    }
}

/// The figures of a row on one line, for those who wait for the others; the first one without its key. Rows within it are lines of their own.
pub fn brief(row: &impl Serialize) -> String {
    line(&node(row))
}

fn line(node: &Node) -> String {
    let parts = Parts::of(node, "", &[]);
    let figures = parts.figures.iter().enumerate();
    let named = figures.map(|(at, (key, figure))| match at {
        0 => figure.clone(),
        _ => format!("{key} {figure}"),
    });
    let lists = parts.lists.iter();
    let inner = lists.flat_map(|(key, rows)| rows.iter().map(move |row| (key, row)));
    let inner = inner.map(|(key, row)| format!("\n    {key}: {}", line(row)));
    named.collect::<Vec<_>>().join(", ") + &inner.collect::<String>()
}

fn node(document: &impl Serialize) -> Node {
    let text = serde_json::to_string(document).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or(Node::Leaf(Value::Null))
}

fn object(node: &Node, key: &str, long: &[&str]) -> String {
    let parts = Parts::of(node, key, long);
    let cut = |text: &String| text.chars().count() > CELL;
    let figures = parts.figures.iter();
    let (texts, figures): (Vec<_>, Vec<_>) = figures.partition(|(_, figure)| cut(figure));
    let figures = figures
        .into_iter()
        .map(|(key, figure)| [key, figure].map(Clone::clone).to_vec());
    let mut text = aligned(&figures.collect::<Vec<_>>());
    for (key, figure) in texts {
        text += &format!("{key}:{}{figure}\n", space(figure));
    }
    for (key, rows) in parts.lists {
        text += &table(&key, &key, rows, long);
    }
    text
}

/// What stands before a text that may begin on a line of its own.
fn space(text: &str) -> &'static str {
    if text.starts_with('\n') { "" } else { " " }
}

/// A list of objects, and below it what they have that no cell holds.
fn table(path: &str, title: &str, rows: &[Node], long: &[&str]) -> String {
    let goals: Vec<Goal> = rows.iter().filter_map(Node::goal).collect();
    if goals.len() == rows.len() {
        return goal_lines(&goals);
    }
    let mut text = format!("\n{title}\n");
    let nodes = rows;
    let rows: Vec<Parts<'_>> = nodes.iter().map(|row| Parts::of(row, "", &[])).collect();
    let mut keys: Vec<&str> = Vec::new();
    for key in rows.iter().flat_map(|row| row.figures.keys()) {
        if !keys.contains(&key.as_str()) {
            keys.push(key);
        }
    }
    let of = |row: &Parts<'_>, key: &str| row.figures.get(key).cloned().unwrap_or_default();
    let widest = |key: &&str| rows.iter().map(|row| of(row, key).chars().count()).max();
    if keys.first().is_some_and(|key| widest(key) > Some(CELL)) {
        let lines = nodes.iter().map(|row| format!("{}\n", line(row)));
        return text + &lines.collect::<String>();
    }
    let (columns, texts): (Vec<&str>, Vec<&str>) =
        keys.into_iter().partition(|key| widest(key) <= Some(CELL));
    let label = |row: &Parts<'_>| columns.first().map_or_else(String::new, |key| of(row, key));
    let head = |key: &str| key.rsplit('.').next().map_or(0, str::len);
    for block in blocks(&columns, |key| widest(&key).unwrap_or(0).max(head(key))) {
        let cells = |row| block.iter().map(|key| of(row, key)).collect();
        let mut lines = vec![heads(&block)];
        lines.extend(rows.iter().map(cells));
        text += &aligned(&lines);
    }
    for row in &rows {
        let label = label(row);
        for key in texts.iter().filter(|key| row.figures.contains_key(**key)) {
            let figure = of(row, key);
            text += &format!("{label}, {key}:{}{figure}\n", space(&figure));
        }
        for (key, rows) in &row.lists {
            let path = format!("{path}.{key}");
            if !long.contains(&path.as_str()) {
                text += &table(&path, &format!("{label}, {key}"), rows, long);
            }
        }
    }
    text
}

/// Columns that stand beside one another; the first one begins each block.
fn blocks<'k>(columns: &[&'k str], width: impl Fn(&str) -> usize) -> Vec<Vec<&'k str>> {
    let Some((&first, others)) = columns.split_first() else {
        return Vec::new();
    };
    let mut blocks = vec![vec![first]];
    let mut used = width(first);
    for &key in others {
        used += width(key) + 2;
        if used > WIDTH {
            blocks.push(vec![first]);
            used = width(first) + width(key) + 2;
        }
        blocks.last_mut().expect("one is there").push(key);
    }
    blocks
}

impl<'d> Parts<'d> {
    fn of(node: &'d Node, key: &str, long: &[&str]) -> Self {
        let mut parts = Self::default();
        match node {
            // A row without keys.
            Node::List(list) if key.is_empty() => {
                let list = list.iter().enumerate();
                list.for_each(|(at, node)| parts.add(node, &at.to_string(), long));
            }
            _ => parts.add(node, key, long),
        }
        parts
    }

    fn add(&mut self, node: &'d Node, key: &str, long: &[&str]) {
        let below = |inner: &str| match key {
            "" => inner.to_owned(),
            _ => format!("{key}.{inner}"),
        };
        match node {
            _ if long.contains(&key) => {}
            Node::Leaf(Value::Null) => {}
            Node::Leaf(value) => _ = self.figures.insert(key.to_owned(), cell(value)),
            Node::Fields(fields) => {
                let fields = fields.iter();
                fields.for_each(|(inner, node)| self.add(node, &below(inner), long));
            }
            Node::List(list) if list.iter().any(|node| !matches!(node, Node::Leaf(_))) => {
                self.lists.push((key.to_owned(), list));
            }
            Node::List(list) if list.is_empty() => {}
            Node::List(list) => {
                let cells = list.iter().map(|node| match node {
                    Node::Leaf(value) => cell(value),
                    _ => String::new(),
                });
                let cells: Vec<String> = cells.collect();
                let mut text = cells.join(", ");
                if text.chars().count() > CELL {
                    text = cells.iter().map(|cell| format!("\n    {cell}")).collect();
                }
                self.figures.insert(key.to_owned(), text);
            }
        }
    }
}

impl Node {
    /// This, if it is a goal.
    fn goal(&self) -> Option<Goal> {
        match self {
            Node::Fields(fields) => match (fields.len(), fields.get("what")?, fields.get("holds")?)
            {
                (2, Node::Leaf(Value::String(what)), Node::Leaf(Value::Bool(holds))) => {
                    Some(super::goal(what.clone(), *holds))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// In the order of its keys, which is that of the alphabet here.
    fn document() -> Value {
        json!({
            "a_jdk": "17",
            "b_found": {"first": 0.25, "none": null},
            "c_left_out": [{"x": 1}],
            "d_rows": [
                {"a": "one", "b": {"n": 12}, "z": "t".repeat(70), "y": ["p", "q"], "x": []},
                {"a": "two", "b": {"n": null}, "u": [{"k": true}], "v": ["w".repeat(30), "x".repeat(30)]},
            ],
            "e_goals": [{"what": "it is so", "holds": false}],
        })
    }

    #[test]
    fn figures_are_lines_and_lists_are_tables() {
        let expected = format!(
            "a_jdk             17\n\
             b_found.first  0.250\n\
             \n\
             d_rows\n\
             a     n     y\n\
             one  12  p, q\n\
             two\n\
             one, z: {}\n\
             two, v:\n    {}\n    {}\n\
             \n\
             two, u\n\
             k\n\
             true\n\
             VIOLATED it is so\n",
            "t".repeat(70),
            "w".repeat(30),
            "x".repeat(30)
        );
        assert_eq!(outline(&document(), &["c_left_out"]), expected);
        let without = outline(&document(), &["c_left_out", "d_rows.u"]);
        assert!(!without.contains("two, u"), "{without}");
    }

    #[test]
    fn a_row_is_a_line() {
        let rows = &document()["d_rows"];
        let expected = format!("one, b.n 12, y p, q, z {}", "t".repeat(70));
        assert_eq!(brief(&rows[0]), expected);
        assert!(brief(&rows[1]).ends_with("\n    u: true"));
    }

    #[test]
    fn rows_that_begin_with_a_long_text_are_lines() {
        let cause = "c".repeat(70);
        let document = json!({"causes": [{"cause": cause, "runs": 2}, {"cause": "d", "runs": 1}]});
        let expected = format!("\ncauses\n{cause}, runs 2\nd, runs 1\n");
        assert_eq!(outline(&document, &[]), expected);
    }

    #[test]
    fn wide_tables_go_on_below() {
        let blocks = blocks(&["a", "b", "c"], |key| if key == "a" { 20 } else { 70 });
        assert_eq!(blocks, [["a", "b"], ["a", "c"]]);
    }
}
