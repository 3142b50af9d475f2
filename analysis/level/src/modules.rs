//! Options of the recorded JVM that open modules of the JDK: what runs for real may need them, too.

use jinsi_trace::model::Surroundings;

/// With one of these before it, what follows is one word of names.
const WITH_NAMES: [&str; 5] = [
    "--add-exports=",
    "--add-modules=",
    "--add-opens=",
    "--add-reads=",
    "--enable-native-access=",
];
const PREVIEW: &str = "--enable-preview";
/// More are not taken over.
const MOST: usize = 200;

/// Those of the recorded options that another JVM can be given. A trace may come from anybody: nothing else gets through, and none that names a
/// file.
pub fn options(recorded: &Surroundings) -> Vec<String> {
    let all = recorded.jvm_options.iter();
    let mut options: Vec<String> = Vec::new();
    for option in all.filter(|option| is_sound(option)) {
        if !options.contains(option) && options.len() < MOST {
            options.push(option.clone());
        }
    }
    options
}

/// Has what is compiled for this JVM to say that it uses what is only a preview?
pub fn has_preview(options: &[String]) -> bool {
    options.iter().any(|option| option == PREVIEW)
}

fn is_sound(option: &str) -> bool {
    let names = WITH_NAMES.iter().find_map(|name| option.strip_prefix(name));
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._$-,/=".contains(c);
    option == PREVIEW || names.is_some_and(|names| !names.is_empty() && names.chars().all(is_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_options_about_modules_get_through() {
        let all = [
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--enable-preview",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-modules=java.sql,jdk.jfr",
            "--add-opens=",
            "--add-opens",
            "--patch-module=java.base=/tmp/x",
            "-javaagent:/tmp/x.jar",
            "--add-modules=a b",
            "--enable-preview=x",
        ];
        let recorded = Surroundings {
            jvm_options: all.map(str::to_owned).into(),
            ..Surroundings::default()
        };
        let options = options(&recorded);
        assert_eq!(
            options,
            [
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--enable-preview",
                "--add-modules=java.sql,jdk.jfr",
            ]
        );
        assert!(has_preview(&options) && !has_preview(&options[..1]));
    }
}
