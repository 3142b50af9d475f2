//! From statements to the class that is printed.

use super::access::Throws;
use super::claim::Claim;
use super::comment::comment;
use super::framework::PATIENCE;
use super::java::{
    Annotation, Doc, JavaClass, JavaExpr, JavaMethod, JavaStmt, JavaType, LambdaBody, Local, Names,
};
use super::joined::joined;
use super::surroundings;
use super::writer::Writer;
use super::{Form, Request};
use jinsi_level::{Interaction, Operation, Outcome, later};
use jinsi_oracle::Oracle;
use jinsi_trace::model::Prim;

/// The class of a finished test.
pub(super) fn class(mut writer: Writer, names: &Names<'_>) -> JavaClass {
    if writer.form == Form::Plain {
        writer.lines = joined(std::mem::take(&mut writer.lines), names);
    }
    if writer.form != Form::Replay {
        let pinned = pinned(&writer);
        writer.lines.extend(pinned);
    }
    let statics = writer.statics.take();
    let mut body = std::mem::take(&mut writer.lines);
    say_what_stays(&mut body, statics.as_ref().map(|(at, _)| *at));
    if let Some((at, resources)) = statics {
        let inner = body.split_off(at);
        body.push(JavaStmt::Try {
            resources,
            body: inner,
            catch: None,
        });
    }
    let (fields, mut methods) = match writer.form {
        Form::Plain => surroundings::around(&writer),
        Form::Mockito | Form::Replay => (Vec::new(), Vec::new()),
    };
    methods.push(method(&writer, body));
    let (request, framework) = (writer.request, writer.framework);
    JavaClass {
        doc: title(&writer),
        annotations: annotations(&writer),
        modifiers: framework.modifier(),
        name: request.class_name.to_owned(),
        extends: framework.extends().map(JavaType::class),
        remark: (!fields.is_empty()).then_some(surroundings::REMARK),
        fields,
        methods,
    }
}

/// What has the class run by jinsi.
fn annotations(writer: &Writer) -> Vec<Annotation> {
    if writer.form != Form::Replay {
        return Vec::new();
    }
    let [with, replay] = writer.framework.replay().map(JavaType::class);
    let mut annotations = vec![Annotation {
        class: with,
        values: vec![("", vec![JavaExpr::class(replay)])],
    }];
    if writer.recorded {
        annotations.push(Annotation {
            class: JavaType::class("jinsi/junit/ReplayMode"),
            values: vec![("recorded", vec![JavaExpr::literal(Prim::Boolean(true))])],
        });
    }
    annotations
}

/// The comment of the class, if others can see it.
fn title(writer: &Writer) -> Option<Doc> {
    let is_public = !writer.framework.modifier().is_empty();
    let subject = subject(writer.request);
    is_public.then(|| Doc::Short(format!("Regression test of {{@code {subject}}}.")))
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

/// The test method.
fn method(writer: &Writer, body: Vec<JavaStmt>) -> JavaMethod {
    let framework = writer.framework;
    let limit = match writer.request.oracle {
        Oracle::Endless { .. } => framework.limit(),
        _ => None,
    };
    let limit = limit.map(|name| (name, vec![JavaExpr::int(1000 * PATIENCE)]));
    let test = framework.test().map(|class| Annotation {
        class: JavaType::class(class),
        values: limit.into_iter().collect(),
    });
    let suppress = writer.untyped.then(|| Annotation {
        class: JavaType::class("java/lang/SuppressWarnings"),
        values: vec![("", ["rawtypes", "unchecked"].map(JavaExpr::text).into())],
    });
    JavaMethod {
        doc: Some(comment(writer)),
        annotations: test.into_iter().chain(suppress).collect(),
        modifiers: framework.modifier(),
        name: framework.method(&method_name(writer)),
        throws: match writer.throws {
            Throws::Nothing => None,
            Throws::Exception => Some(JavaType::class("java/lang/Exception")),
            Throws::Throwable => Some(JavaType::class("java/lang/Throwable")),
        },
        body,
    }
}

/// Where so many statements follow before a variable is used that a reader has to be informed that it stays what it is. Checkstyle asks for
/// that. `opened`: the statement before which a block begins.
fn say_what_stays(lines: &mut [JavaStmt], opened: Option<usize>) {
    for at in 0..lines.len() {
        let (before, behind) = lines.split_at_mut(at + 1);
        let Some(JavaStmt::Local(Local {
            variable, is_final, ..
        })) = before.last_mut()
        else {
            continue;
        };
        let mut statements = 0;
        for (further, line) in behind.iter().enumerate() {
            statements += usize::from(opened == Some(at + 1 + further));
            if line.mentions(variable) > 0 {
                break;
            }
            let counts = matches!(line, JavaStmt::Expression(_) | JavaStmt::Try { .. });
            statements += usize::from(counts);
        }
        *is_final = statements > 2;
    }
}

/// What a passing test shows: `toDateTimeZoneDoesNotThrowArithmeticException`.
fn method_name(writer: &Writer) -> String {
    let request = writer.request;
    let exception = simple(&request.predicate.class);
    let last = request
        .kept
        .last()
        .and_then(|&no| request.level.interaction(no));
    let subject = match last.map(|i| request.is_about(i)) {
        Some(i) if i.op == Operation::Construct => format!("new{}", simple(&i.target_class)),
        Some(i) if i.is_first_use() => format!("initialize{}", simple(&i.target_class)),
        Some(i) => simple(method_around(&i.member.name)),
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
        Oracle::Assertion(_) => format!("{subject}DoesWhatIsExpected"),
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

/// The class of what the last call throws: the failure, or an exception that was made of it on the way.
fn thrown(request: &Request) -> JavaType {
    let last = request
        .kept
        .last()
        .and_then(|&no| request.level.interaction(no));
    let waits = last.and_then(later::waits);
    if let Some(wrapping) = waits.and_then(|waits| waits.wraps) {
        return JavaType::class(wrapping);
    }
    let recorded = match last.map(|i| &i.outcome) {
        Some(Outcome::Throw(id)) => request.level.objects.get(id),
        _ => None,
    };
    let class = match recorded {
        Some(object) => object.class.clone(),
        None => request.predicate.class.replace('.', "/"),
    };
    // An initializer's exception is wrapped, unless it is an error (JLS §12.4.2).
    let is_wrapped = last.is_some_and(Interaction::is_first_use) && !class.ends_with("Error");
    match is_wrapped {
        true => JavaType::class("java/lang/ExceptionInInitializerError"),
        false => JavaType::class(&class),
    }
}

/// The last statement as an assertion of the recorded failure, for builds that must pass before the repair.
fn pinned(writer: &Writer) -> Vec<JavaStmt> {
    // What it asserts is in the test itself.
    if *writer.request.oracle != Oracle::Exception || writer.wanted().is_some() {
        return Vec::new();
    }
    let mut lines = writer.lines.iter().rev();
    let last = lines.find(|l| **l != JavaStmt::Blank);
    let class = thrown(writer.request);
    let Some(JavaStmt::Expression(call)) = last.filter(|_| writer.scope.type_accessible(&class))
    else {
        return Vec::new();
    };
    let call = LambdaBody::Value(Box::new(call.clone()));
    let claim = Claim::Throws { class, call };
    let remark =
        "Until the repair, a build that must pass has this in place of the last statement:";
    vec![
        JavaStmt::Comment(remark.to_owned()),
        JavaStmt::Disabled(vec![
            writer.stated_as(claim, writer.request.dialect.assertj),
        ]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::java::{Target, Variable};

    #[test]
    fn what_is_used_much_later_is_said_to_stay() {
        let name = |name: &str| JavaExpr::name(Variable::new(name), JavaType::object());
        let call = |args: &[JavaExpr]| {
            let call = JavaExpr::call(Target::Own, "f", args.to_vec(), JavaType::Void);
            JavaStmt::Expression(call)
        };
        let local = |variable: &str| {
            JavaStmt::Local(Local {
                is_final: false,
                ty: Some(JavaType::object()),
                variable: Variable::new(variable),
                init: JavaExpr::null(),
                movable: false,
            })
        };
        let stays = |between: usize, opened: Option<usize>| {
            let mut lines = vec![local("a"), local("b")];
            lines.extend(vec![call(&[]); between]);
            lines.push(call(&[name("a"), name("b")]));
            say_what_stays(&mut lines, opened);
            matches!(&lines[0], JavaStmt::Local(Local { is_final: true, .. }))
        };
        assert!(!stays(2, None) && stays(3, None));
        // The head of a block counts as a statement.
        assert!(stays(2, Some(3)) && !stays(1, Some(2)));
    }
}
