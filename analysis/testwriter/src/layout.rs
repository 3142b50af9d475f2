//! From statements to a source file: indentation, line length, the comment.

use super::access::{Throws, desc_of};
use super::joined::joined;
use super::junit::PATIENCE;
use super::line::Line;
use super::surroundings;
use super::writer::Writer;
use super::{Form, Junit, Request};
use jinsi_level::{Operation, Outcome};
use jinsi_oracle::Oracle;

/// Columns of a line.
const WIDTH: usize = 120;
/// What each line of the comment begins with.
const MARGIN: &str = "     * ";
/// And each line of a remark among the statements.
const REMARK: &str = "// ";

/// The source file of a finished test.
pub(super) fn source(mut writer: Writer) -> String {
    if writer.form == Form::Plain {
        writer.lines = joined(std::mem::take(&mut writer.lines));
    }
    if writer.form != Form::Replay {
        let pinned = pinned(&writer);
        writer.lines.extend(pinned);
    }
    let request = writer.request;
    let junit = request.junit;
    let test = writer.imports.class(junit.test());
    let mut annotation = String::new();
    if writer.form == Form::Replay {
        let [with, replay] = junit.replay().map(|class| writer.imports.class(class));
        annotation = format!("@{with}({replay}.class)\n");
        if writer.recorded {
            let mode = writer.imports.class("jinsi/junit/ReplayMode");
            annotation += &format!("@{mode}(recorded = true)\n");
        }
    }
    let surroundings = match writer.form {
        Form::Plain => surroundings::methods(&mut writer),
        Form::Mockito | Form::Replay => String::new(),
    };
    let package = writer.scope.package.replace('/', ".");
    let package = if package.is_empty() {
        package
    } else {
        format!("package {package};\n\n")
    };
    let throws = match writer.throws {
        Throws::Nothing => "",
        Throws::Exception => " throws Exception",
        Throws::Throwable => " throws Throwable",
    };
    let comment = comment(&writer);
    let class = format!(
        "{annotation}{modifier}class {class} {{\n\n{surroundings}{comment}    @{test}{limit}\n{suppress}    {modifier}void {method}(){throws} {{\n{body}    }}\n}}\n",
        modifier = junit.modifier(),
        class = request.class_name,
        limit = match (junit, request.oracle) {
            (Junit::Four, Oracle::Endless { .. }) => format!("(timeout = {PATIENCE}000)"),
            _ => String::new(),
        },
        suppress = if writer.untyped {
            "    @SuppressWarnings({\"rawtypes\", \"unchecked\"})\n"
        } else {
            ""
        },
        method = method_name(&writer),
        body = body(&writer.lines),
    );
    // Types of variables are gone that were joined into the statements which use them.
    let used = class.replace(&comment, "");
    format!("{package}{}{class}", writer.imports.render(&used))
}

fn body(lines: &[Line]) -> String {
    let mut out = String::new();
    let mut indent = 8;
    for line in lines {
        let margin = " ".repeat(indent);
        match line {
            Line::Code(code) => out.push_str(&wrapped(code, indent)),
            Line::Declare { ty, name, init, .. } => {
                out.push_str(&wrapped(&format!("{ty} {name} = {init};"), indent));
            }
            Line::Try {
                code,
                exception,
                variable,
            } => {
                out.push_str(&format!("{margin}try {{\n"));
                out.push_str(&wrapped(code, indent + 4));
                out.push_str(&format!("{margin}}} catch ({exception} {variable}) {{\n"));
                out.push_str(&format!("{margin}    // The recorded program went on after this exception.\n{margin}}}\n"));
            }
            Line::Blank => out.push('\n'),
            Line::Remark { text, code } => {
                let commented = format!("{margin}{REMARK}");
                out.push_str(&format!("{commented}{text}\n"));
                for line in wrapped(code, commented.len()).lines() {
                    out.push_str(&format!("{commented}{}\n", &line[commented.len()..]));
                }
            }
            Line::Open(head) => {
                out.push_str(&wrapped(&format!("{head} {{"), indent));
                indent += 4;
            }
        }
    }
    while indent > 8 {
        indent -= 4;
        out.push_str(&format!("{}}}\n", " ".repeat(indent)));
    }
    out
}

/// A statement, broken behind commas where it is too long: behind those of the outermost list if that is enough.
fn wrapped(code: &str, indent: usize) -> String {
    let outer = filled(pieces(code, 1), indent);
    if outer.lines().all(|l| l.len() <= WIDTH) {
        outer
    } else {
        filled(pieces(code, usize::MAX), indent)
    }
}

/// Puts as many pieces on a line as fit.
fn filled(parts: Vec<&str>, indent: usize) -> String {
    let mut out = String::new();
    let mut line = " ".repeat(indent);
    let mut parts = parts.into_iter().peekable();
    while let Some(part) = parts.next() {
        let part = if line.trim().is_empty() {
            part.trim_start()
        } else {
            part
        };
        // A line that something follows loses the blank behind its last comma.
        let needed = if parts.peek().is_some() {
            part.trim_end().len()
        } else {
            part.len()
        };
        if !line.trim().is_empty() && line.len() + needed > WIDTH {
            out.push_str(line.trim_end());
            out.push('\n');
            line = " ".repeat(indent + 8);
        }
        line.push_str(part);
    }
    out + line.trim_end() + "\n"
}

/// Cuts a statement behind each comma that is in at most `deepest` brackets and not inside a literal.
fn pieces(code: &str, deepest: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    let mut depth = 0usize;
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in code.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if "([{".contains(c) => depth += 1,
            None if ")]}".contains(c) => depth = depth.saturating_sub(1),
            None if c == ' ' && depth <= deepest && code[..at].ends_with(',') => {
                parts.push(&code[from..=at]);
                from = at + 1;
            }
            None => {}
        }
    }
    parts.push(&code[from..]);
    parts
}

/// What a passing test shows: `toDateTimeZoneDoesNotThrowArithmeticException`.
fn method_name(writer: &Writer) -> String {
    let request = writer.request;
    let simple = |name: &str| {
        let last = name.rsplit(['.', '/', '$']).next().unwrap_or_default();
        last.chars()
            .filter(|c| c.is_alphanumeric() || *c == '_')
            .collect::<String>()
    };
    let exception = simple(&request.predicate.class);
    let last = request
        .kept
        .last()
        .and_then(|&no| request.level.interaction(no));
    let subject = match last {
        Some(i) if i.op == Operation::Construct => format!("new{}", simple(&i.target_class)),
        Some(i) => simple(&i.member.name),
        None => String::new(),
    };
    let subject = if subject.is_empty() {
        "run".into()
    } else {
        subject
    };
    if let (Oracle::Exception, Some(wanted)) = (request.oracle, writer.wanted()) {
        return format!("{subject}Throws{}", simple(wanted));
    }
    match request.oracle {
        Oracle::Value(_) => format!("{subject}GivesWhatIsExpected"),
        Oracle::Endless { .. } => format!("{subject}Ends"),
        Oracle::State(_) => format!("{subject}LeavesARightState"),
        Oracle::Output(_) => format!("{subject}WritesNothingWrong"),
        Oracle::Predicate(_) => format!("{subject}LeavesARightState"),
        Oracle::Exit { .. } => format!("{subject}EndsTheProgramRightly"),
        _ => format!("{subject}DoesNotThrow{exception}"),
    }
}

fn comment(writer: &Writer) -> String {
    let (request, form) = (writer.request, writer.form);
    let mut lines = claim(request, form, writer.recorded);
    lines.extend(extent(request));
    lines.extend(how_to_run(request, form, writer.recorded));
    let lines: String = lines
        .iter()
        .map(|l| format!("{MARGIN}{l}").trim_end().to_owned() + "\n")
        .collect();
    format!("    /**\n{lines}     */\n")
}

/// What the test shows: the recorded failure.
fn claim(request: &Request, form: Form, recorded: bool) -> Vec<String> {
    let p = request.predicate;
    let parts = [Some(p.class.as_str()), request.message];
    let parts: Vec<&str> = parts
        .into_iter()
        .flatten()
        .filter(|p| !p.is_empty())
        .collect();
    let failure = parts.join(": ");
    let line = if *request.oracle != Oracle::Exception {
        String::new()
    } else if p.at_line > 0 {
        format!(", line {}", p.at_line)
    } else {
        String::new()
    };
    let place = match p.at_class.as_str() {
        _ if matches!(request.oracle, Oracle::State(_)) => {
            "    of an object, after these calls".to_owned()
        }
        _ if *request.oracle != Oracle::Exception => {
            "    shown by the last of these calls".to_owned()
        }
        "" => "    wherever the limit is reached".to_owned(),
        class => format!("    in {class}.{}{line}", p.at_method),
    };
    let promise = match form {
        // The calls that bring it about are part of the test, and may be what is wrong.
        _ if matches!(request.oracle, Oracle::State(_)) => {
            "Fails since an object gets into the same wrong state as in the recorded run:"
        }
        Form::Plain | Form::Mockito if request.by_test => {
            "Fails as the recorded run did, and passes once the defect is repaired:"
        }
        Form::Plain | Form::Mockito => {
            "Fails as the recorded run did, and passes once the defect is repaired, unless that is in the code which had called this:"
        }
        // The recorded classes know nothing of a repair.
        Form::Replay if recorded => "Fails as the recorded run did:",
        Form::Replay if request.by_test => {
            "Fails as the recorded run did, and no longer once the defect is repaired:"
        }
        Form::Replay => {
            "Fails as the recorded run did, and no longer once the defect is repaired, unless that is in the code which had called this:"
        }
    };
    let mut lines = vec![promise.to_owned(), "<pre>".into()];
    lines.extend(failure.lines().map(escaped));
    lines.push(escaped(&place));
    lines.push("</pre>".into());
    lines
}

/// Binary name of the class of what the last call throws: the failure, or an exception that was made of it on the way.
fn thrown(request: &Request) -> String {
    let last = request
        .kept
        .last()
        .and_then(|&no| request.level.interaction(no));
    let recorded = match last.map(|i| &i.outcome) {
        Some(Outcome::Throw(id)) => request.level.objects.get(id),
        _ => None,
    };
    recorded.map_or_else(
        || request.predicate.class.clone(),
        |object| object.class.replace('/', "."),
    )
}

/// The last statement as an assertion of the recorded failure, for builds that must pass before the repair.
fn pinned(writer: &Writer) -> Option<Line> {
    // What it asserts is in the test itself.
    if *writer.request.oracle != Oracle::Exception || writer.wanted().is_some() {
        return None;
    }
    let last = writer.lines.iter().rfind(|l| **l != Line::Blank);
    let Some(Line::Code(code)) = last else {
        return None;
    };
    let class = &thrown(writer.request);
    let desc = desc_of(&class.replace('.', "/"));
    if !writer.scope.type_accessible(&desc) {
        return None;
    }
    let class = class.replace('$', ".");
    let class = match class.strip_prefix("java.lang.") {
        Some(simple) if !simple.contains('.') => simple,
        _ => class.as_str(),
    };
    Some(Line::Remark {
        text: "Until the defect is repaired, a build that must pass has this in place of the last statement:"
            .to_owned(),
        code: format!(
            "{}.assertThrows({class}.class, () -> {});",
            writer.request.junit.assertions(),
            code.trim_end_matches(';')
        ),
    })
}

/// How much of the recorded run is left, and as what.
fn extent(request: &Request) -> Vec<String> {
    let (kept, all) = (request.kept.len(), request.level.interactions.len());
    let (no, of) = request.level_no;
    let place = match request.oracle {
        Oracle::State(_) => format!("link {no} of the chain"),
        _ => format!("level {no} of {of}"),
    };
    let are = if kept == 1 { "is" } else { "are" };
    let mut lines = vec![if all == 1 {
        format!("It is the only recorded interaction at {place}.")
    } else {
        format!("Of the {all} recorded interactions at {place}, {kept} {are} left.")
    }];
    for s in &request.level.shrunk {
        let argument = s.argument + 1;
        let place = request
            .kept
            .binary_search(&s.interaction)
            .map_or(0, |at| at + 1);
        lines.push(escaped(&format!(
            "Smaller than recorded: argument {argument} of interaction {place}, {} instead of {}.",
            s.shrunk, s.recorded
        )));
    }
    lines
}

fn how_to_run(request: &Request, form: Form, recorded: bool) -> Vec<String> {
    let test = request.class_name;
    let junit = request.junit.number();
    let mut lines = match form {
        Form::Plain => {
            let run = format!("Run it with JUnit {junit}, for example {{@code mvn test -Dtest={test}}}.");
            let real = "Everything that these calls use runs for real; the recording is not needed.".to_owned();
            let answered = !request.answers.is_empty();
            answered.then_some(real).into_iter().chain([run]).collect()
        }
        Form::Mockito => vec![
            "The stand-ins give the answers that this run needed, and no others.".to_owned(),
            format!("Run it with JUnit {junit} and Mockito, for example {{@code mvn test -Dtest={test}}}."),
        ],
        Form::Replay if !recorded => vec![
            format!("The classes on the class path run, and get the recorded answers out of {{@code {test}.jinsi}} beside"),
            "this class. Where they ask what was not recorded, the test is aborted, with the question in the message.".to_owned(),
            format!("Run it with JUnit {junit} and jinsi's extension, for example {{@code mvn test -Dtest={test}}}."),
        ],
        Form::Replay => vec![
            format!("The recorded classes run and get the recorded answers, both out of {{@code {test}.jinsi}}"),
            "beside this class. That shows the failure in a debugger; a change of the source changes nothing here.".to_owned(),
            "To check a repair, record the repaired program, or use the test of a level that needs no such file.".to_owned(),
            format!("Run it with JUnit {junit} and jinsi's extension, for example {{@code mvn test -Dtest={test}}}."),
        ],
    };
    if let Oracle::Predicate(wrong) = request.oracle {
        let class = &wrong.predicate.class;
        lines.push(format!(
            "The predicate {{@code {class}}} has to be on its class path."
        ));
    }
    lines
}

/// Text in a documentation comment. The compiler reads `\u` even there (JLS §3.3).
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '@' => out.push_str("&#64;"),
            '\\' => out.push_str("&#92;"),
            '/' => out.push_str(if out.ends_with('*') { "&#47;" } else { "/" }),
            '{' => out.push_str("&#123;"),
            ' '..='~' => out.push(c),
            c => out.push_str(&format!("&#{};", u32::from(c))),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_statements_are_broken_behind_commas_outside_literals() {
        let code = format!(
            "object.method(\"{}, {}\", 1, 'x', {});",
            "a".repeat(40),
            "b".repeat(40),
            "c".repeat(30)
        );
        let text = wrapped(&code, 8);
        assert_eq!(text.lines().count(), 2);
        assert!(text.lines().all(|l| l.len() <= WIDTH));
        assert_eq!(
            text.split_whitespace().collect::<Vec<_>>(),
            code.split_whitespace().collect::<Vec<_>>()
        );
        assert!(
            text.lines()
                .nth(1)
                .unwrap()
                .starts_with("                c")
        );
        assert_eq!(wrapped("a(',', \", \");", 8), "        a(',', \", \");\n");
    }

    #[test]
    fn comments_cannot_be_ended_or_escaped_from() {
        assert_eq!(
            escaped("*/ <b> \\u000a @x {@code}"),
            "*&#47; &lt;b&gt; &#92;u000a &#64;x &#123;&#64;code}"
        );
    }
}
