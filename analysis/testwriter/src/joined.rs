//! Statements as a person joins them: what is made for the next statement alone is made in it.

use std::collections::HashSet;

use super::java::{JavaExpr, JavaStmt, Local, Names, Node, Operator, Target, Variable, extent};

/// Columns of a statement that was joined, without its indentation.
const WIDTH: usize = 92;
/// Brackets inside each other in such a statement.
const DEEPEST: usize = 3;

/// The same statements, joined where the order in which things happen stays.
pub(super) fn joined(lines: Vec<JavaStmt>, names: &Names<'_>) -> Vec<JavaStmt> {
    let names = &mut names.clone();
    // How long a statement is depends on the classes that are named before it.
    for line in &lines {
        extent(line, names);
    }
    let mut out: Vec<JavaStmt> = Vec::new();
    // From the last to the first: what one statement takes in may take in another itself.
    for (at, line) in lines.iter().enumerate().rev() {
        let next = out.last();
        let one = next.and_then(|next| one_of(line, next, &lines[at + 1..], names));
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
fn renumber(lines: &mut [JavaStmt]) {
    let mut used = HashSet::new();
    each_variable(lines, &mut |variable| used.extend([variable.to_string()]));
    for at in 0..lines.len() {
        let JavaStmt::Local(Local { variable: old, .. }) = &lines[at] else {
            continue;
        };
        let old = old.clone();
        let numbers = (1..old.number).map(|number| Variable {
            number,
            ..old.clone()
        });
        let mut free = numbers.filter(|new| !used.contains(&new.to_string()));
        let Some(new) = free.next() else {
            continue;
        };
        used.remove(&old.to_string());
        used.insert(new.to_string());
        each_variable(lines, &mut |variable| {
            if *variable == old {
                *variable = new.clone();
            }
        });
    }
}

fn each_variable(lines: &mut [JavaStmt], change: &mut dyn FnMut(&mut Variable)) {
    for line in lines {
        line.declared().into_iter().for_each(&mut *change);
        let parts = line.parts_mut().into_iter();
        parts.for_each(|part| part.each_variable(change));
    }
}

/// Both statements as one, if the first is made for the `next` alone. `rest`: what is behind the first, not joined.
fn one_of(
    first: &JavaStmt,
    next: &JavaStmt,
    rest: &[JavaStmt],
    names: &mut Names<'_>,
) -> Option<JavaStmt> {
    let JavaStmt::Local(Local {
        variable,
        init,
        movable: true,
        ..
    }) = first
    else {
        return None;
    };
    let mentions: usize = rest.iter().map(|line| line.mentions(variable)).sum();
    // A cast would need brackets, and what the compiler infers depends on the place.
    let infers = |part: &JavaExpr| matches!(part.node, Node::New { diamond: true, .. });
    if mentions != 1 || begins_with_cast(init) || init.any(&mut |part| infers(part)) {
        return None;
    }
    let mut one = next.clone();
    let (width, depth) = match &mut one {
        // What has to throw is followed by what says so.
        JavaStmt::Try { body, .. } if body.len() > 1 => {
            put_into(body.first_mut()?, variable, init)?;
            extent(body.first()?, names)
        }
        stmt => {
            put_into(stmt, variable, init)?;
            extent(stmt, names)
        }
    };
    (width <= WIDTH && depth <= DEEPEST).then_some(one)
}

fn begins_with_cast(expr: &JavaExpr) -> bool {
    match &expr.node {
        Node::Cast(..) => true,
        Node::Call(Target::Of(of), ..) | Node::Field(Target::Of(of), _) => begins_with_cast(of),
        _ => false,
    }
}

fn put_into(stmt: &mut JavaStmt, variable: &Variable, init: &JavaExpr) -> Option<()> {
    match stmt {
        JavaStmt::Expression(expr) | JavaStmt::Local(Local { init: expr, .. }) => {
            put(expr, variable, init)
        }
        _ => None,
    }
}

/// Puts `init` in the place of the variable, if it is a receiver or an argument there, and nothing is called before it.
fn put(expr: &mut JavaExpr, variable: &Variable, init: &JavaExpr) -> Option<()> {
    // What is called later, or by somebody else, is called in this order only as it stands.
    let at_once = match &expr.node {
        Node::Lambda(..) | Node::Cast(..) => 0,
        Node::Choice(_) | Node::Binary(_, Operator::And | Operator::Or, _) => 1,
        _ => usize::MAX,
    };
    let receives = matches!(
        &expr.node,
        Node::Call(Target::Of(_), ..) | Node::Field(Target::Of(_), _)
    );
    let takes = matches!(&expr.node, Node::Call(..) | Node::New { .. });
    for (at, part) in expr.parts_mut().into_iter().enumerate().take(at_once) {
        if part.variable() == Some(variable) {
            let is_receiver = receives && at == 0;
            let fits = if is_receiver {
                !has_braces(init)
            } else {
                takes
            };
            return fits.then(|| *part = init.clone());
        }
        if part.mentions(variable) > 0 {
            return put(part, variable, init);
        }
        if !is_quiet(part) {
            return None;
        }
    }
    None
}

fn has_braces(init: &JavaExpr) -> bool {
    init.any(&mut |part| matches!(part.node, Node::ArrayOf(_)))
}

/// Does nothing happen when it is evaluated?
fn is_quiet(expr: &JavaExpr) -> bool {
    !expr.any(&mut |part| {
        matches!(
            part.node,
            Node::Call(..)
                | Node::New { .. }
                | Node::Cast(..)
                | Node::Choice(_)
                | Node::Lambda(..)
                | Node::Assign(..)
                | Node::Binary(_, Operator::And | Operator::Or, _)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::classes::ClassTable;
    use super::super::java::{JavaType, LambdaBody};
    use super::*;

    fn name(name: &str) -> JavaExpr {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = name[stem.len()..].parse().unwrap_or(1);
        let variable = Variable {
            stem: stem.into(),
            number,
        };
        JavaExpr::name(variable, JavaType::object())
    }

    fn class(name: &str) -> JavaType {
        JavaType::class(name)
    }

    fn call(of: impl Into<Target>, name: &str, args: &[JavaExpr]) -> JavaExpr {
        JavaExpr::call(of, name, args.to_vec(), JavaType::object())
    }

    fn new(of: &str) -> JavaExpr {
        JavaExpr::make(class(of), vec![])
    }

    fn declare(variable: &str, init: JavaExpr) -> JavaStmt {
        JavaStmt::Local(Local {
            is_final: false,
            ty: Some(JavaType::object()),
            variable: name(variable).variable().unwrap().clone(),
            init,
            movable: true,
        })
    }

    fn joined(lines: Vec<JavaStmt>) -> Vec<JavaStmt> {
        let table = ClassTable::default();
        super::joined(lines, &Names::new(&table, "", "Test"))
    }

    #[test]
    fn builders_are_chains() {
        let months = [JavaExpr::int(15)];
        let lines = vec![
            declare("period", new("Period")),
            declare("period2", call(name("period"), "withMonths", &months)),
            declare("type", call(class("PeriodType"), "months", &[])),
            JavaStmt::Expression(call(name("period2"), "normalized", &[name("type")])),
        ];
        let months = call(new("Period"), "withMonths", &months);
        let ty = call(class("PeriodType"), "months", &[]);
        let chain = call(months, "normalized", &[ty]);
        assert_eq!(joined(lines), [JavaStmt::Expression(chain)]);
    }

    #[test]
    fn names_have_no_gaps() {
        let of = |n| call(class("Big"), "of", &[JavaExpr::int(n)]);
        let left = |n| call(name("big"), "left", &[JavaExpr::int(n)]);
        let compare = |a: &str, b: &str| {
            let text = JavaExpr::text("big3");
            JavaStmt::Expression(call(name(a), "compare", &[name(b), name(b), name(a), text]))
        };
        let lines = vec![
            declare("big", of(1)),
            declare("big2", left(64)),
            declare("big3", call(name("big2"), "add", &[name("big")])),
            declare("big4", left(96)),
            compare("big4", "big3"),
        ];
        assert_eq!(
            joined(lines),
            [
                declare("big", of(1)),
                declare("big2", call(left(64), "add", &[name("big")])),
                declare("big3", left(96)),
                compare("big3", "big2"),
            ]
        );
    }

    #[test]
    fn what_is_used_twice_or_later_stays() {
        let add = JavaStmt::Expression(call(name("list"), "add", &[name("list")]));
        let twice = vec![declare("list", new("List")), add];
        assert_eq!(joined(twice.clone()), twice);
        let later = vec![
            declare("set", new("Set")),
            JavaStmt::Expression(call(class("Other"), "reset", &[])),
            JavaStmt::Expression(call(name("set"), "clear", &[])),
        ];
        assert_eq!(joined(later.clone()), later);
    }

    #[test]
    fn the_order_stays() {
        let run = call(name("made"), "run", &[]);
        let body = LambdaBody::Value(Box::new(run.clone()));
        let lambda = JavaExpr::new(JavaType::object(), Node::Lambda(Vec::new(), body));
        let either =
            call(class("Other"), "is", &[]).binary(Operator::Or, run.clone(), JavaType::BOOLEAN);
        for args in [
            vec![call(class("Other"), "first", &[]), name("made")],
            vec![lambda],
            vec![either],
            vec![run.choose(name("a"), name("b"), JavaType::object())],
        ] {
            let taken = args
                .last()
                .is_some_and(|arg| matches!(arg.node, Node::Choice(_)));
            let second = JavaStmt::Expression(call(class("Other"), "take", &args));
            let lines = vec![declare("made", new("Made")), second];
            assert_eq!(joined(lines.clone()) != lines, taken, "{args:?}");
        }
    }

    #[test]
    fn what_needs_its_type_or_is_too_long_stays() {
        let get = call(class("Other"), "get", &[]);
        let diamond = JavaExpr::make_generic(class("ArrayList"), true, vec![]);
        let long = call(class("Other"), &"x".repeat(80), &[]);
        for init in [get.cast(class("List")), diamond, long] {
            let clear = JavaStmt::Expression(call(name("list"), "clear", &[]));
            let lines = vec![declare("list", init), clear];
            assert_eq!(joined(lines.clone()), lines);
        }
        // A member of what holds an array in braces is hard to find.
        let ints = JavaExpr::array_of(JavaType::INT.array(), vec![JavaExpr::int(1)]);
        let boxed = JavaExpr::make(class("Box"), vec![ints]);
        let taken = JavaStmt::Expression(call(class("A"), "a", &[name("made")]));
        let called = JavaStmt::Expression(call(name("made"), "a", &[]));
        for (next, stays) in [(taken, false), (called, true)] {
            let lines = vec![declare("made", boxed.clone()), next];
            assert_eq!(joined(lines.clone()) == lines, stays);
        }
        let deep = |inner: JavaExpr| call(class("A"), "a", &[inner]);
        let lines = vec![
            declare("made", deep(deep(new("Made")))),
            JavaStmt::Expression(deep(deep(name("made")))),
        ];
        assert_eq!(joined(lines.clone()), lines);
    }
}
