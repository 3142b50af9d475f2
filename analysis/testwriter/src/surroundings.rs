//! Sets up what a failure needs of the program's surroundings, and puts it back behind the test.

use super::Framework;
use super::java::{Annotation, Doc, JavaExpr, JavaMethod, JavaStmt, JavaType, Local, Variable};
use super::writer::Writer;
use jinsi_level::surroundings::Setting;

/// What is said of the fields that keep what was there.
pub(super) const REMARK: &str =
    "The failure needs this of what the recorded program had around it.";

/// Of one kind of settings: what keeps what was there, and the statement that puts it back.
struct Kept {
    field: Local,
    back: JavaExpr,
}

/// Fields of the test class, and what is done before and after the test; none if the failure needs nothing.
pub(super) fn around(writer: &Writer) -> (Vec<Local>, Vec<JavaMethod>) {
    let settings = &writer.request.level.surroundings;
    let mut kept: Vec<Kept> = Vec::new();
    let mut set = Vec::new();
    for setting in settings {
        let (one, statement) = of_setting(setting);
        set.push(JavaStmt::Expression(statement));
        if kept.iter().all(|k| k.field.variable != one.field.variable) {
            kept.push(one);
        }
    }
    if kept.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let (fields, back): (Vec<_>, Vec<_>) = kept.into_iter().map(|k| (k.field, k.back)).unzip();
    let back = back.into_iter().map(JavaStmt::Expression).collect();
    (fields, methods(writer.framework, set, back))
}

/// What is kept of what the setting changes, and the statement that sets it.
fn of_setting(setting: &Setting) -> (Kept, JavaExpr) {
    let text = |text: &str| vec![JavaExpr::text(text)];
    match setting {
        Setting::TimeZone(zone) => {
            let class = JavaType::class("java/util/TimeZone");
            let zone = JavaExpr::factory(class.clone(), "getTimeZone", text(zone));
            of_default(class, "timeZone", zone)
        }
        Setting::Locale(tag) => {
            let class = JavaType::class("java/util/Locale");
            let locale = JavaExpr::factory(class.clone(), "forLanguageTag", text(tag));
            of_default(class, "locale", locale)
        }
        Setting::Property { name, value } => {
            let class = JavaType::class("java/util/Properties");
            let system = JavaType::class("java/lang/System");
            let all = JavaExpr::call(system.clone(), "getProperties", vec![], class.clone());
            let copy = JavaExpr::call(all, "clone", Vec::new(), JavaType::object());
            let field = field(class.clone(), "properties", copy.cast(class.clone()));
            let kept = vec![JavaExpr::name(field.variable.clone(), class)];
            let back = JavaExpr::call(system.clone(), "setProperties", kept, JavaType::Void);
            let args = vec![JavaExpr::text(name), JavaExpr::text(value)];
            let set = JavaExpr::call(system, "setProperty", args, JavaType::string());
            (Kept { field, back }, set)
        }
    }
}

/// Of a class that has a default which can be set.
fn of_default(class: JavaType, name: &str, value: JavaExpr) -> (Kept, JavaExpr) {
    let set = |value| {
        let ty = JavaType::Void;
        JavaExpr::call(class.clone(), "setDefault", vec![value], ty)
    };
    let default = JavaExpr::factory(class.clone(), "getDefault", Vec::new());
    let field = field(class.clone(), name, default);
    let back = set(JavaExpr::name(field.variable.clone(), class.clone()));
    (Kept { field, back }, set(value))
}

fn field(ty: JavaType, name: &str, init: JavaExpr) -> Local {
    Local {
        is_final: true,
        ty: Some(ty),
        variable: Variable::new(name),
        init,
        movable: false,
    }
}

/// What is run before and after the test.
fn methods(framework: Framework, set: Vec<JavaStmt>, back: Vec<JavaStmt>) -> Vec<JavaMethod> {
    let method = |doc: &str, annotation: &str, modifiers, name: &str, body| JavaMethod {
        // What others can see has a comment.
        doc: (modifiers == "public ").then(|| Doc::Short(doc.to_owned())),
        annotations: vec![Annotation {
            class: JavaType::class(annotation),
            values: Vec::new(),
        }],
        modifiers,
        name: name.to_owned(),
        throws: None,
        body,
    };
    let Some([before, after]) = framework.around() else {
        let of = |name, body| method("", "java/lang/Override", "protected ", name, body);
        return vec![of("setUp", set), of("tearDown", back)];
    };
    let modifier = framework.modifier();
    let says = "Sets up what the failure needs.";
    let restores = "Puts back what was there.";
    vec![
        method(says, before, modifier, "surround", set),
        method(restores, after, modifier, "restore", back),
    ]
}
