//! Which line of a slice is in it for which other: the dependence graph by source lines, as a drawing for Graphviz.
//!
//! A value may be used by many occurrences, but a mark is one number. So of an occurrence the graph has the use that
//! is nearest to the criterion, the one for which its distance counts: every line has a way to the criterion, the shortest.

use std::collections::{BTreeMap, HashMap};

use super::result::{Line, Slice};
use super::sources::Sources;
use super::using::{FAR, Mark, Use};
use jinsi_steps::code::{Method, MethodNo};

/// A line, by the binary name of its class.
pub type Place = (String, u16);

/// A line that is in the slice for another one, or for the criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// What was used, or decided that something ran.
    pub on: Place,
    /// By what; `None`: the criterion.
    pub of: Option<Place>,
    /// How often.
    pub times: u64,
}

/// Bits of a mark that number a line; those above are its distance.
const LINE_BITS: u32 = 16;
/// Number of the criterion, and of lines for which there is no number any more.
const CRITERION: u32 = 0;
const NAMELESS: u32 = (1 << LINE_BITS) - 1;
/// Distances end here.
const FARTHEST: u32 = (FAR >> LINE_BITS) - 1;

/// Dependences that are collected with a slice.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawing {
    numbers: HashMap<(MethodNo, u16), u32>,
    lines: Vec<(MethodNo, u16)>,
    /// By the number of the used line, and of its user.
    dependences: BTreeMap<(u32, u32), u64>,
    /// Number of the line whose occurrence joined the slice last.
    current: u32,
}

impl Drawing {
    /// An occurrence of this line joins the slice, for it is used so.
    pub(super) fn join(&mut self, line: (MethodNo, u16), how: Use) {
        let next = self.lines.len() as u32 + 1;
        self.current = match self.numbers.get(&line) {
            Some(&number) => number,
            None if next < NAMELESS => {
                self.numbers.insert(line, next);
                self.lines.push(line);
                next
            }
            None => NAMELESS,
        };
        let user = how.mark().filter(|mark| *mark < FAR);
        let user = user.map(|mark| mark & NAMELESS);
        if let Some(user) = user.filter(|user| *user != NAMELESS && *user != self.current) {
            *self.dependences.entry((self.current, user)).or_default() += 1;
        }
    }

    /// The mark of what the occurrence uses that joined last, being used so.
    pub(super) fn mark(&self, how: Use) -> Mark {
        match how.mark() {
            Some(mark) if mark < FAR => {
                let distance = ((mark >> LINE_BITS) + 1).min(FARTHEST);
                distance << LINE_BITS | self.current
            }
            _ => FAR,
        }
    }

    /// The distance in a mark.
    pub(super) fn distance(mark: Mark) -> u32 {
        match mark {
            FAR.. => FAR,
            _ => mark >> LINE_BITS,
        }
    }

    /// All dependences, with the methods that `get` gives.
    pub(super) fn finish<M: AsRef<Method>>(&self, get: impl Fn(MethodNo) -> M) -> Vec<Dependence> {
        let place = |number: u32| -> Option<Place> {
            let &(method, line) = self.lines.get((number as usize).checked_sub(1)?)?;
            // Code without line numbers.
            (line != 0).then_some(())?;
            Some((get(method).as_ref().owner.replace('/', "."), line))
        };
        let mut all: BTreeMap<(Place, Option<Place>), u64> = BTreeMap::new();
        for (&(on, of), times) in &self.dependences {
            let (Some(on), user) = (place(on), place(of)) else {
                continue;
            };
            // Methods share lines where a lambda is.
            if user.as_ref() != Some(&on) && (user.is_some() || of == CRITERION) {
                *all.entry((on, user)).or_default() += times;
            }
        }
        let all = all.into_iter();
        all.map(|((on, of), times)| Dependence { on, of, times })
            .collect()
    }
}

/// The slice as a graph in the language of Graphviz: a box for each line, those of a class together, an arrow from each to what used it.
pub fn dot(slice: &Slice, dependences: &[Dependence], sources: &mut Sources<'_>) -> String {
    let mut text = String::from("digraph slice {\n  rankdir=TB;\n  node [shape=box];\n");
    let criterion = quoted(&slice.criterion);
    text.push_str(&format!("  criterion [shape=oval, label={criterion}];\n"));
    for (no, lines) in slice.lines.chunk_by(|a, b| a.class == b.class).enumerate() {
        let class = quoted(&lines[0].class);
        text.push_str(&format!("  subgraph cluster_{no} {{\n    label={class};\n"));
        for line in lines {
            let node = node(&line.class, line.line);
            let label = quoted(&label(line, sources));
            text.push_str(&format!("    {node} [label={label}];\n"));
        }
        text.push_str("  }\n");
    }
    for dependence in dependences {
        let on = node(&dependence.on.0, dependence.on.1);
        let of = match &dependence.of {
            Some((class, line)) => node(class, *line),
            None => "criterion".to_owned(),
        };
        let times = match dependence.times {
            1 => String::new(),
            times => format!(" [label=\"{times}\"]"),
        };
        text.push_str(&format!("  {on} -> {of}{times};\n"));
    }
    text.push_str("}\n");
    text
}

fn node(class: &str, line: u16) -> String {
    quoted(&format!("{class}:{line}"))
}

fn label(line: &Line, sources: &mut Sources<'_>) -> String {
    let methods: Vec<&str> = line.methods.iter().map(String::as_str).collect();
    let methods = methods.join(", ");
    let text = sources.text(line).map_or(methods.as_str(), str::trim);
    match line.values.is_empty() {
        true => format!("{}: {text}", line.line),
        false => format!("{}: {text}\n{}", line.line, line.values.join("\n")),
    }
}

/// A quoted string of the language.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\l"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_use_is_drawn() {
        let mut drawing = Drawing::default();
        drawing.join((MethodNo::FIRST, 10), Use::by(0));
        let near = drawing.mark(Use::by(0));
        drawing.join((MethodNo::FIRST, 11), Use::by(near));
        let far = drawing.mark(Use::by(near));
        drawing.join((MethodNo::FIRST, 12), Use::by(far).or(Use::by(near)));
        drawing.join((MethodNo::FIRST, 12), Use::by(far));
        // What uses itself, and what is used by something that is not known.
        let own = drawing.mark(Use::by(far));
        drawing.join((MethodNo::FIRST, 12), Use::by(own));
        drawing.join((MethodNo::FIRST, 13), Use::by(FAR));
        assert_eq!(drawing.mark(Use::by(FAR)), FAR);
        let found: Vec<((u32, u32), u64)> = drawing.dependences.into_iter().collect();
        assert_eq!(found, [((1, 0), 1), ((2, 1), 1), ((3, 1), 1), ((3, 2), 1)]);
        assert_eq!(Drawing::distance(near), 1);
        assert_eq!(Drawing::distance(far), 2);
        assert_eq!(Drawing::distance(FAR), FAR);
    }

    #[test]
    fn distances_and_lines_end_somewhere() {
        let mut drawing = Drawing::default();
        let mut mark = 0;
        for no in 0..70_000 {
            drawing.join((MethodNo::from_index(no), 1), Use::by(mark));
            mark = drawing.mark(Use::by(mark));
            assert!(mark < FAR);
        }
        assert_eq!(Drawing::distance(mark), FARTHEST);
        assert_eq!(drawing.lines.len() as u32, NAMELESS - 1);
    }

    #[test]
    fn text_is_quoted() {
        assert_eq!(quoted("a \"b\" \\ c\nd"), "\"a \\\"b\\\" \\\\ c\\ld\"");
    }
}
