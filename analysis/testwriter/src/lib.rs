//! Writes the unit test of a level (Burger 2011, chapter 5): ordinary Java, one statement an interaction, in
//! recorded order.
//!
//! The test lets the recorded failure out as an exception: it fails as long as the defect is there and passes afterwards. A comment has
//! the assertion that turns this round, for builds that must pass until then.
//! There are three forms. [`Form::Plain`] needs nothing but JUnit (5, or 4 on request): either nothing was asked of the environment, or the caller says
//! that it may run for real; [`Form::Mockito`] stands in for the environment with stubs,
//! and [`Form::Replay`] answers it from a script, the only one that can say what Java source cannot: a replaced static call, a
//! private class. [`write()`] gives all that are possible, best first; the caller compiles and runs them, and keeps the first
//! that fails as recorded.

mod access;
pub mod amend;
mod anonymous;
mod arrays;
mod assertion;
mod behind;
mod beside;
mod body;
mod chained;
mod chance;
mod claim;
pub mod classes;
mod comment;
mod containers;
mod content;
mod demand;
pub mod describe;
mod framework;
mod function;
mod generic;
pub mod java;
mod joined;
mod layout;
pub mod literal;
pub mod measure;
mod member;
mod mockito;
mod names;
pub mod placed;
mod plan;
mod promise;
mod surroundings;
mod unnamed;
pub mod words;
mod writer;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use jinsi_trace::model::{MemberRef, Value};

use classes::ClassLookup;
pub use framework::{Dialect, Framework};
use java::{JavaType, Names, package_of};
use jinsi_level::{CrashPredicate, Interaction, Level, Operation, Outcome, Outgoing, later};
use jinsi_oracle::{Oracle, WantedException};
use measure::Measure;
use plan::Plan;
pub use promise::Promise;
use writer::{Style, Writer};

/// How a test gets along without the recorded environment; in the order in which one would keep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// It needs none.
    Plain,
    /// Stubs made by Mockito.
    Mockito,
    /// A script, replayed by jinsi's JUnit extension.
    Replay,
}

impl Form {
    /// Stable name, as in `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Form::Plain => "plain",
            Form::Mockito => "mockito",
            Form::Replay => "replay",
        }
    }
}

/// What a test is written from.
pub struct Request<'a> {
    /// The level, as minimized.
    pub level: &'a Level,
    /// Numbers of the kept interactions, ascending; the last one lets the failure out.
    pub kept: &'a [u32],
    /// The answers the final run took from the environment, in order.
    pub answers: &'a [&'a Outgoing],
    /// A test may let the environment run for real in place of these answers.
    pub real_environment: bool,
    /// The recorded failure.
    pub predicate: &'a CrashPredicate,
    /// What the failure is: that of a value or of an endless loop shows in the last interaction.
    pub oracle: &'a Oracle,
    /// The exception that the recorded test expected in place of the failure, or what it expected of it, if it expected one.
    pub wanted: Option<&'a WantedException>,
    /// The failure's message as a person reads it.
    pub message: Option<&'a str>,
    /// Knowledge of classes.
    pub classes: &'a dyn ClassLookup,
    /// Simple name of the test class; see [`class_name`].
    pub class_name: &'a str,
    /// The level is driven by the test, or by the class with which the program began, and by nothing else that was recorded.
    pub by_test: bool,
    /// In which words the tests are written.
    pub dialect: Dialect,
    /// The program's Java infers the types of local variables (`var`, Java 10).
    pub infers_types: bool,
}

impl<'a> Request<'a> {
    /// The call of the program's that the test is about, if `last` lets the failure out: the one that gave what it waits for, the one before an assertion, or
    /// itself.
    fn is_about<'i>(&self, last: &'i Interaction) -> &'i Interaction
    where
        'a: 'i,
    {
        let kept = self.kept.iter().rev();
        let mut kept = kept.filter_map(|&no| self.level.interaction(no));
        if let Oracle::Assertion(failed) = self.oracle {
            let asserts = |i: &&Interaction| failed.chain.contains(&i.node);
            return kept.find(|i| !asserts(i)).unwrap_or(last);
        }
        let Some(waits) = later::waits(last) else {
            return last;
        };
        let call_result = Outcome::Return(Some(Value::Object(waits.object)));
        kept.find(|i| i.outcome == call_result).unwrap_or(last)
    }
}

/// A test that was written but not yet tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its form.
    pub form: Form,
    /// The environment runs for real in it, so it may end otherwise on another machine.
    pub real_environment: bool,
    /// Package, dotted; empty for the unnamed one.
    pub package: String,
    /// Simple name of the test class.
    pub class_name: String,
    /// The source file.
    pub source: String,
    /// What it needs in any case, for people: `JUnit`, `TestNG and AssertJ`.
    pub runs_with: String,
    /// What it promises.
    pub promise: Promise,
    /// Binary names of the run-time classes of the recorded objects that something stands in for.
    pub stands_in_for: BTreeSet<String>,
    /// What it expects was right at one moment, or for one draw, alone.
    pub by_chance: bool,
    /// How much of it there is to read, and to understand.
    pub measure: Measure,
    /// It stubs static methods: what the code under test keeps of their answers stays behind the test.
    pub stubs_statics: bool,
}

impl Candidate {
    /// Binary name of the test class.
    pub fn binary_name(&self) -> String {
        if self.package.is_empty() {
            self.class_name.clone()
        } else {
            format!("{}.{}", self.package, self.class_name)
        }
    }

    /// Path of the source file below a source root.
    pub fn source_path(&self) -> String {
        self.binary_name().replace('.', "/") + ".java"
    }

    /// Path of the script below a resource root, if the form needs one.
    pub fn script_path(&self) -> Option<String> {
        (self.form == Form::Replay).then(|| self.binary_name().replace('.', "/") + ".jinsi")
    }
}

/// What [`write()`] gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The possible tests, best first.
    pub candidates: Vec<Candidate>,
    /// Forms that are not possible, and why.
    pub refused: Vec<(Form, String)>,
}

/// Why a form cannot say something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Inexpressible(String);

/// Writes the tests for a level. Without kept interactions there are none.
pub fn write(request: &Request) -> Written {
    let whole = request;
    let mut written = Written::default();
    let Some(last) = request
        .kept
        .last()
        .and_then(|&no| request.level.interaction(no))
    else {
        written
            .refused
            .push((Form::Plain, "no interaction is left".into()));
        return written;
    };
    let real = containers::real(request);
    let with_real = real.as_ref().map(|real| Request {
        level: &real.level,
        answers: &real.answers,
        ..*request
    });
    for form in [Form::Plain, Form::Mockito, Form::Replay] {
        // The script answers for what came from the environment, containers included.
        let request = with_real.as_ref().filter(|_| form != Form::Replay);
        let request = request.unwrap_or(whole);
        let package = package(request, last);
        // Without generic signatures a typed container may not be assignable; a raw one always is, with a compiler warning. What the
        // recorded test demanded may not compile where types are other ones; that the value is another one always does.
        for style in styles(form, request.dialect.assertj) {
            of_style(request, style, &package, &mut written);
        }
    }
    written
}

/// Adds the test of a style to those that are written, or the reason why there is none.
fn of_style(request: &Request, style: Style, package: &str, written: &mut Written) {
    let Style {
        form, raw, demands, ..
    } = style;
    let written_as = Writer::new(request, style, package).write();
    match written_as.map(|writer| test_of(writer, package)) {
        Ok(test) if written.candidates.iter().all(|c| c.source != test.source) => {
            written.candidates.push(test);
        }
        Ok(_) => {}
        Err(reason) if !raw && !demands => written.refused.push((form, reason.to_string())),
        Err(_) => {}
    }
}

/// The test with these statements.
fn test_of(writer: Writer, package: &str) -> Candidate {
    let (request, form) = (writer.request, writer.form);
    let mut names = Names::new(request.classes, package, request.class_name);
    let promise = Promise::of(&writer);
    let family = writer.framework.family();
    let stubs_statics = writer.statics.is_some();
    let by_chance = writer.asked.decides(request);
    let classes = writer.stands_in_for.iter();
    let stands_in_for = classes.map(|class| class.replace('/', ".")).collect();
    let recording = writer.framework.recording();
    let class = layout::class(writer, &names);
    let source = java::source(&class, package, &mut names);
    let measure = Measure::of(&class, recording, &source);
    let assertj = match names.imports_member_of(claim::ASSERTJ) {
        true => " and AssertJ",
        false => "",
    };
    Candidate {
        form,
        real_environment: form == Form::Plain && !request.answers.is_empty(),
        package: package.replace('/', "."),
        class_name: request.class_name.to_owned(),
        source,
        runs_with: family.to_owned() + assertj,
        promise,
        stands_in_for,
        by_chance,
        measure,
        stubs_statics,
    }
}

/// The ways to write a form, best first.
fn styles(form: Form, assertj: bool) -> Vec<Style> {
    let by_assertj = [true, false].into_iter().filter(move |by| assertj || !by);
    let types = [(false, false), (true, false), (true, true)];
    let ways = [true, false]
        .into_iter()
        .flat_map(|demands| types.map(|types| (demands, types)));
    let ways = ways.flat_map(|(demands, (raw, raw_functions))| {
        by_assertj.clone().map(move |assertj| Style {
            form,
            raw,
            raw_functions,
            demands,
            assertj,
            recorded: false,
        })
    });
    let mut styles: Vec<Style> = ways.collect();
    if form == Form::Replay {
        // Where other versions of the classes cannot be rewritten, or do not find their answers, the recorded ones still show the failure.
        let last = styles.last().map(|&style| Style {
            recorded: true,
            ..style
        });
        styles.extend(last);
    }
    styles
}

/// Can plain Java, in the best package for it, do what the interaction does? Whether its arguments can be written is another question.
pub fn can_be_done(classes: &dyn ClassLookup, i: &Interaction) -> bool {
    let scope = access::Scope {
        classes,
        package: package_of(&i.target_class).to_owned(),
    };
    match i.op {
        Operation::Construct
        | Operation::CallStatic
        | Operation::GetStatic
        | Operation::PutStatic => {
            scope.class_accessible(&i.target_class) && scope.member_accessible(&i.member)
        }
        Operation::Call | Operation::GetField | Operation::PutField => {
            scope.view(&i.target_class, &[&i.member]).is_some()
        }
    }
}

/// A name for the test class of a level: the simple name of the class that joins, and the level.
pub fn class_name(joins: &str, level: u32) -> String {
    format!("{}Level{level}Test", clean_name(joins))
}

/// The same for a link of a chain, of the class whose object is in a wrong state.
pub fn link_name(class: &str, link: usize) -> String {
    format!("{}Link{link}Test", clean_name(class))
}

/// The simple name of a class, fit to be part of another.
fn clean_name(joins: &str) -> String {
    let simple = joins
        .rsplit(['/', '$'])
        .find(|s| !s.is_empty() && !s.starts_with(|c: char| c.is_ascii_digit()));
    simple
        .unwrap_or("Recorded")
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

/// The package of the test: that of what can only be named there, else that of the failing interaction.
fn package(request: &Request, last: &Interaction) -> String {
    let kept: Vec<&Interaction> = request
        .kept
        .iter()
        .filter_map(|&no| request.level.interaction(no))
        .collect();
    let plan = Plan::new(request.level, request.kept);
    let types: Vec<JavaType> = kept
        .iter()
        .flat_map(|i| access::params(&i.member.desc))
        .collect();
    let mut classes: Vec<&str> = kept.iter().map(|i| i.target_class.as_str()).collect();
    classes.extend(types.iter().filter_map(|ty| ty.core().class_name()));
    let mocks = plan.mocks(request.level);
    classes.extend(
        mocks
            .iter()
            .filter_map(|id| Some(request.level.objects.get(id)?.class.as_str())),
    );
    let constants = kept.iter().flat_map(|i| &i.args);
    classes.extend(constants.filter_map(|value| match value {
        Value::Class(no) => request.classes.class_name(*no),
        _ => None,
    }));
    let members: Vec<&MemberRef> = kept.iter().map(|i| &i.member).collect();
    access::choose_package(
        request.classes,
        classes,
        members,
        package_of(&request.is_about(last).target_class),
    )
}
