//! Statements as a person joins them: what is made for the next statement alone is made in it.

use super::line::Line;
use super::words;

/// Columns of a statement that was joined, without its indentation.
const WIDTH: usize = 92;
/// Brackets inside each other in such a statement.
const DEEPEST: usize = 3;

/// The same statements, joined where the order in which things happen stays.
pub(super) fn joined(lines: Vec<Line>) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    // From the last to the first: what one statement takes in may take in another itself.
    for (at, line) in lines.iter().enumerate().rev() {
        let next = out.last();
        let one = next.and_then(|next| one_of(line, next, &lines[at + 1..]));
        match one {
            Some(one) => {
                out.pop();
                out.push(one);
            }
            None => out.push(line.clone()),
        }
    }
    out.reverse();
    renumber(&mut out);
    out
}

/// Variables that are left of several of one name are counted without gaps.
fn renumber(lines: &mut [Line]) {
    for at in 0..lines.len() {
        let Line::Declare { name, .. } = &lines[at] else {
            continue;
        };
        let old = name.clone();
        let stem = old.trim_end_matches(|c: char| c.is_ascii_digit());
        let number: u32 = old[stem.len()..].parse().unwrap_or(1);
        let numbers = (1..number).map(|n| match n {
            1 => stem.to_owned(),
            n => format!("{stem}{n}"),
        });
        let free = |new: &String| lines.iter().all(|line| !mentions(line, new));
        let new = numbers.into_iter().find(free);
        // A text that has the name had to be distinguished from a mention.
        let in_texts = lines.iter().any(|line| in_text(line, &old));
        if let Some(new) = new.filter(|_| !in_texts) {
            lines.iter_mut().for_each(|line| rename(line, &old, &new));
        }
    }
}

fn mentions(line: &Line, word: &str) -> bool {
    let declares = match line {
        Line::Declare { name, .. } | Line::Try { variable: name, .. } => name == word,
        _ => false,
    };
    declares || uses(line, word) > 0
}

/// Is the word in a literal of the line?
fn in_text(line: &Line, word: &str) -> bool {
    let code = line.code();
    words::places(code, word).any(|at| without_texts(&code[..at]).is_none())
}

fn rename(line: &mut Line, old: &str, new: &str) {
    if let Line::Declare { name, .. } = line
        && name == old
    {
        new.clone_into(name);
    }
    if let Some(code) = line.code_mut() {
        *code = words::renamed(code, old, new);
    }
}

/// Both statements as one, if the first is made for the `next` alone. `rest`: what is behind the first, not joined.
fn one_of(first: &Line, next: &Line, rest: &[Line]) -> Option<Line> {
    let Line::Declare {
        name,
        init,
        movable: true,
        ..
    } = first
    else {
        return None;
    };
    if rest.iter().map(|line| uses(line, name)).sum::<usize>() != 1 {
        return None;
    }
    match next {
        Line::Code(code) => Some(Line::Code(put(init, name, code)?)),
        Line::Declare {
            ty,
            name: of_next,
            init: next,
            movable,
        } => {
            let init = put(init, name, next)?;
            let whole = ty.len() + of_next.len() + init.len() + " = ;".len();
            (whole < WIDTH).then(|| Line::Declare {
                ty: ty.clone(),
                name: of_next.clone(),
                init,
                movable: *movable,
            })
        }
        Line::Expect { code, exception } => Some(Line::Expect {
            code: put(init, name, code)?,
            exception: exception.clone(),
        }),
        Line::Try { .. } | Line::Blank | Line::Open(_) | Line::Remark { .. } => None,
    }
}

/// The statement with `init` in the place of the variable, if it is a receiver or an argument there, and nothing is called before it.
fn put(init: &str, name: &str, statement: &str) -> Option<String> {
    let at = words::places(statement, name).next()?;
    let (before, rest) = statement.split_at(at);
    let after = &rest[name.len()..];
    let receives = after.starts_with('.');
    let is_argument =
        before.ends_with(['(', ' ']) && before.contains('(') && after.starts_with([',', ')']);
    // What is called before, or later, or by somebody else, is called in this order only as it stands.
    let first = without_texts(before)
        .is_some_and(|b| !b.contains([')', '?', '|', '&']) && !b.contains("->"));
    // A cast would need brackets, and what the compiler infers depends on the place.
    let simple = !(init.starts_with('(') || init.contains("<>") || receives && init.contains('{'));
    let one = format!("{before}{init}{after}");
    let good = (receives || is_argument) && first && simple;
    (good && one.len() <= WIDTH && depth(&one) <= DEEPEST).then_some(one)
}

/// The code without what is in its literals; nothing if it ends in one.
fn without_texts(code: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = code.chars();
    let mut quote = None;
    while let Some(c) = chars.next() {
        match quote {
            None if c == '"' || c == '\'' => quote = Some(c),
            None => out.push(c),
            Some(_) if c == '\\' => drop(chars.next()),
            Some(open) if c == open => quote = None,
            Some(_) => {}
        }
    }
    quote.is_none().then_some(out)
}

fn depth(code: &str) -> usize {
    let mut depth = 0usize;
    let mut deepest = 0;
    for c in code.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// How often the statement has the name, be it in a text.
fn uses(line: &Line, name: &str) -> usize {
    words::places(line.code(), name).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declare(ty: &str, name: &str, init: &str) -> Line {
        Line::Declare {
            ty: ty.into(),
            name: name.into(),
            init: init.into(),
            movable: true,
        }
    }

    fn code(code: &str) -> Line {
        Line::Code(code.into())
    }

    #[test]
    fn builders_are_chains() {
        let lines = vec![
            declare("Period", "period", "new Period()"),
            declare("Period", "period2", "period.withMonths(15)"),
            declare("PeriodType", "type", "PeriodType.months()"),
            code("period2.normalizedStandard(type);"),
        ];
        assert_eq!(
            joined(lines),
            [code(
                "new Period().withMonths(15).normalizedStandard(PeriodType.months());"
            )]
        );
    }

    #[test]
    fn names_have_no_gaps() {
        let lines = vec![
            declare("Big", "big", "Big.of(1)"),
            declare("Big", "big2", "big.left(64)"),
            declare("Big", "big3", "big2.add(big)"),
            declare("Big", "big4", "big.left(96)"),
            code("big4.compare(big3, big3, big4);"),
        ];
        assert_eq!(
            joined(lines.clone()),
            [
                declare("Big", "big", "Big.of(1)"),
                declare("Big", "big2", "big.left(64).add(big)"),
                declare("Big", "big3", "big.left(96)"),
                code("big3.compare(big2, big2, big3);"),
            ]
        );
        // Not one that is in a text.
        let mut named = lines;
        named.push(code("Other.take(\"big3\");"));
        assert_eq!(
            joined(named)[1],
            declare("Big", "big3", "big.left(64).add(big)")
        );
    }

    #[test]
    fn what_is_used_twice_or_later_stays() {
        let twice = vec![
            declare("List", "list", "new ArrayList(3)"),
            code("list.add(list);"),
        ];
        assert_eq!(joined(twice.clone()), twice);
        let later = vec![
            declare("Set", "set", "Sets.of()"),
            code("Other.reset();"),
            code("set.clear();"),
        ];
        assert_eq!(joined(later.clone()), later);
    }

    #[test]
    fn the_order_stays() {
        for second in [
            "Other.make(Other.first(), made);",
            "Assertions.assertThrows(E.class, () -> made.run());",
            "Other.take(\"made\");",
        ] {
            let lines = vec![declare("Made", "made", "new Made()"), code(second)];
            assert_eq!(joined(lines.clone()), lines, "{second}");
        }
    }

    #[test]
    fn assertions_take_in_what_they_look_at() {
        let lines = vec![
            declare("Soundex", "soundex", "new Soundex()"),
            code("Assertions.assertEquals(\"(a) \\\"\", soundex.encode(1));"),
        ];
        assert_eq!(
            joined(lines),
            [code(
                "Assertions.assertEquals(\"(a) \\\"\", new Soundex().encode(1));"
            )]
        );
    }

    #[test]
    fn what_needs_its_type_stays() {
        for init in ["(List) Other.get()", "new ArrayList<>()"] {
            let lines = vec![declare("List", "list", init), code("list.clear();")];
            assert_eq!(joined(lines.clone()), lines);
        }
        let long = "x".repeat(90);
        let lines = vec![declare("A", "a", &long), code("a.b(1234567);")];
        assert_eq!(joined(lines.clone()), lines);
    }
}
