//! From statements to a source file.

use super::access::{Throws, desc_of};
use super::comment::comment;
use super::joined::joined;
use super::line::Line;
use super::surroundings;
use super::wrap::{self, wrapped};
use super::writer::Writer;
use super::{Form, Request};
use jinsi_level::{Operation, Outcome, later};
use jinsi_oracle::Oracle;

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
    let package = writer.scope.package.replace('/', ".");
    let package = match package.as_str() {
        "" => package,
        _ => format!("package {package};\n\n"),
    };
    let head = head(&mut writer);
    let surroundings = match writer.form {
        Form::Plain => surroundings::methods(&mut writer),
        Form::Mockito | Form::Replay => String::new(),
    };
    let (title, comment) = (title(&writer), comment(&writer));
    let method = method(&mut writer);
    // Types of variables are gone that were joined into the statements which use them.
    let imports = writer
        .imports
        .render(&format!("{head}{surroundings}{method}"));
    format!("{package}{imports}{title}{head} {{\n\n{surroundings}{comment}{method}}}\n")
}

/// The declaration of the class.
fn head(writer: &mut Writer) -> String {
    let framework = writer.framework;
    let mut head = String::new();
    if writer.form == Form::Replay {
        let [with, replay] = framework.replay().map(|class| writer.imports.class(class));
        head += &format!("@{with}({replay}.class)\n");
        if writer.recorded {
            let mode = writer.imports.class("jinsi/junit/ReplayMode");
            head += &format!("@{mode}(recorded = true)\n");
        }
    }
    let extends = framework.extends();
    let extends = extends.map_or_else(String::new, |class| {
        format!(" extends {}", writer.imports.class(class))
    });
    let (modifier, name) = (framework.modifier(), writer.request.class_name);
    head + &format!("{modifier}class {name}{extends}")
}

/// The comment of the class, if others can see it.
fn title(writer: &Writer) -> String {
    match writer.framework.modifier() {
        "" => String::new(),
        _ => format!(
            "/** Regression test of {{@code {}}}. */\n",
            subject(writer.request)
        ),
    }
}

/// Simple name of the class whose method shows the failure.
fn subject(request: &Request) -> String {
    let last = request.kept.last();
    let last = last.and_then(|&no| request.level.interaction(no));
    let class = last.map_or("", |i| i.target_class.as_str());
    simple(class)
}

fn simple(name: &str) -> String {
    let last = name.rsplit(['.', '/', '$']).next().unwrap_or_default();
    last.chars()
        .filter(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

/// The test method, without its comment.
fn method(writer: &mut Writer) -> String {
    let framework = writer.framework;
    let limit = match writer.request.oracle {
        Oracle::Endless { .. } => framework.limit().unwrap_or_default(),
        _ => String::new(),
    };
    let test = framework.test().map(|class| writer.imports.class(class));
    let annotation = test.map_or_else(String::new, |test| format!("    @{test}{limit}\n"));
    let suppress = match writer.untyped {
        true => "    @SuppressWarnings({\"rawtypes\", \"unchecked\"})\n",
        false => "",
    };
    let throws = match writer.throws {
        Throws::Nothing => "",
        Throws::Exception => " throws Exception",
        Throws::Throwable => " throws Throwable",
    };
    let name = framework.method(&method_name(writer));
    let (modifier, body) = (framework.modifier(), body(&writer.lines));
    format!("{annotation}{suppress}    {modifier}void {name}(){throws} {{\n{body}    }}\n")
}

fn body(lines: &[Line]) -> String {
    let mut out = String::new();
    let mut indent = 8;
    for (at, line) in lines.iter().enumerate() {
        let margin = " ".repeat(indent);
        match line {
            Line::Code(code) => out.push_str(&wrapped(code, indent)),
            Line::Declare { ty, name, init, .. } => {
                let kept = if is_far(&lines[at + 1..], name) {
                    "final "
                } else {
                    ""
                };
                let declaration = format!("{kept}{ty} {name} = {init};");
                out.push_str(&wrapped(&declaration, indent));
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
            Line::Expect { code, exception } => {
                out.push_str(&format!("{margin}try {{\n"));
                out.push_str(&wrapped(code, indent + 4));
                out.push_str(&format!("{margin}    fail(\"{exception} is expected\");\n"));
                out.push_str(&format!("{margin}}} catch ({exception} expected) {{\n"));
                out.push_str(&format!("{margin}    // That is right.\n{margin}}}\n"));
            }
            Line::Blank => out.push('\n'),
            Line::Remark { text, code } => {
                let commented = format!("{margin}{REMARK}");
                out.push_str(&wrap::comment(text, &commented));
                for line in code.lines() {
                    let (blanks, line) = line.split_at(line.len() - line.trim_start().len());
                    for line in wrapped(line, commented.len()).lines() {
                        out.push_str(&format!(
                            "{commented}{blanks}{}\n",
                            &line[commented.len()..]
                        ));
                    }
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

/// Do so many statements follow before the variable is used that a reader has to be informed that it stays what it is? Checkstyle asks for
/// that.
fn is_far(behind: &[Line], name: &str) -> bool {
    let before = behind.iter().take_while(|line| !line.uses(name));
    let statements = before.filter(|line| match line {
        Line::Declare { .. } | Line::Blank | Line::Remark { .. } => false,
        Line::Code(_) | Line::Try { .. } | Line::Expect { .. } | Line::Open(_) => true,
    });
    statements.count() > 2
}

/// What a passing test shows: `toDateTimeZoneDoesNotThrowArithmeticException`.
fn method_name(writer: &Writer) -> String {
    let request = writer.request;
    let exception = simple(&request.predicate.class);
    let last = request
        .kept
        .last()
        .and_then(|&no| request.level.interaction(no));
    let subject = match last {
        Some(i) if i.op == Operation::Construct => format!("new{}", simple(&i.target_class)),
        Some(i) => simple(method_around(&request.is_about(i).member.name)),
        None => String::new(),
    };
    let subject = match subject.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        true => subject,
        false => "run".into(),
    };
    if let Some(wanted) = writer.wanted() {
        return format!("{subject}Throws{}", simple(&wanted.class));
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

/// The name of the method that the body of a lambda stands in, as compilers name bodies (`lambda$rating$0`); other methods are what they are.
fn method_around(name: &str) -> &str {
    let body = name.strip_prefix("lambda$");
    match body.and_then(|rest| rest.split('$').next()) {
        Some("new" | "static" | "") => "lambda",
        Some(method) => method,
        None => name,
    }
}

/// Binary name of the class of what the last call throws: the failure, or an exception that was made of it on the way.
fn thrown(request: &Request) -> String {
    let last = request
        .kept
        .last()
        .and_then(|&no| request.level.interaction(no));
    if let Some(Some(wrapping)) = last.and_then(later::waits) {
        return wrapping.replace('/', ".");
    }
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
        text: "Until the repair, a build that must pass has this in place of the last statement:"
            .to_owned(),
        code: writer.thrown(class, code.trim_end_matches(';')),
    })
}
