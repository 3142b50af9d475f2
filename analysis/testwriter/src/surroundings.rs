//! Sets up what a failure needs of the program's surroundings, and puts it back behind the test.

use jinsi_trace::model::JavaString;

use super::literal;
use super::writer::Writer;
use jinsi_level::surroundings::Setting;

fn string(text: &str) -> String {
    literal::string(&JavaString(text.encode_utf16().collect()))
}

/// Of one kind of settings: type and name of the field that keeps what was there, what is kept, and how it is put back.
struct Kept {
    class: &'static str,
    name: &'static str,
    before: &'static str,
    after: &'static str,
}

const TIME_ZONE: Kept = Kept {
    class: "java/util/TimeZone",
    name: "timeZone",
    before: "TimeZone.getDefault()",
    after: "TimeZone.setDefault(timeZone)",
};
const LOCALE: Kept = Kept {
    class: "java/util/Locale",
    name: "locale",
    before: "Locale.getDefault()",
    after: "Locale.setDefault(locale)",
};
const PROPERTIES: Kept = Kept {
    class: "java/util/Properties",
    name: "properties",
    before: "(Properties) System.getProperties().clone()",
    after: "System.setProperties(properties)",
};

/// Fields and methods of the test class; empty if the failure needs nothing.
pub(super) fn methods(writer: &mut Writer) -> String {
    let settings = &writer.request.level.surroundings;
    if settings.is_empty() {
        return String::new();
    }
    let mut fields = String::new();
    let mut set = String::new();
    let mut restore = String::new();
    let mut known = Vec::new();
    for setting in settings {
        let (kept, statement) = match setting {
            Setting::TimeZone(zone) => {
                let zone = string(zone);
                (
                    &TIME_ZONE,
                    format!("TimeZone.setDefault(TimeZone.getTimeZone({zone}))"),
                )
            }
            Setting::Locale(tag) => {
                let tag = string(tag);
                (
                    &LOCALE,
                    format!("Locale.setDefault(Locale.forLanguageTag({tag}))"),
                )
            }
            Setting::Property { name, value } => {
                let (name, value) = (string(name), string(value));
                (&PROPERTIES, format!("System.setProperty({name}, {value})"))
            }
        };
        set += &format!("        {statement};\n");
        if !known.contains(&kept.name) {
            known.push(kept.name);
            let class = writer.imports.class(kept.class);
            fields += &format!(
                "    private final {class} {} = {};\n",
                kept.name, kept.before
            );
            restore += &format!("        {};\n", kept.after);
        }
    }
    let (before, after) = heads(writer);
    format!(
        "    // The failure needs this of what the recorded program had around it.\n{fields}\n{before} {{\n{set}    }}\n\n{after} {{\n{restore}    }}\n\n"
    )
}

/// The declarations of what is run before and after the test.
fn heads(writer: &mut Writer) -> (String, String) {
    let framework = writer.framework;
    let Some(annotations) = framework.around() else {
        let of = |name: &str| format!("    @Override\n    protected void {name}()");
        return (of("setUp"), of("tearDown"));
    };
    let [before, after] = annotations.map(|class| writer.imports.class(class));
    let modifier = framework.modifier();
    let of = |says: &str, annotation: &str, name: &str| {
        // What others can see has a comment.
        let comment = match modifier {
            "" => String::new(),
            _ => format!("    /** {says} */\n"),
        };
        format!("{comment}    @{annotation}\n    {modifier}void {name}()")
    };
    (
        of("Sets up what the failure needs.", &before, "surround"),
        of("Puts back what was there.", &after, "restore"),
    )
}
