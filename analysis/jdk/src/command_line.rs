//! Command lines of `java`: what they run.

use std::ffi::OsString;

/// Options of `java` that have their value in the next argument.
const WITH_VALUE: [&str; 14] = [
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--add-reads",
    "--add-exports",
    "--add-opens",
    "--patch-module",
    "--limit-modules",
    "--enable-native-access",
    "--source",
];

/// What `java` is to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target<'a> {
    /// A jar, whose manifest names the class.
    Jar(&'a OsString),
    /// The main class, dotted.
    Class(String),
}

/// What `java` runs with these arguments; `None` of a module, a source file, and of what a file of arguments says.
pub fn target(arguments: &[OsString]) -> Option<Target<'_>> {
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy();
        match &*text {
            "-jar" => return rest.next().map(Target::Jar),
            "-m" | "--module" => return None,
            option if WITH_VALUE.contains(&option) => drop(rest.next()),
            option if option.starts_with("--module=") => return None,
            option if option.starts_with('-') => {}
            other if other.starts_with('@') || other.ends_with(".java") => return None,
            class => return Some(Target::Class(class.replace('/', "."))),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_is_what_java_takes_for_it() {
        let named = |text: &str| {
            let arguments: Vec<OsString> = text.split(' ').map(OsString::from).collect();
            target(&arguments).map(|target| match target {
                Target::Jar(jar) => format!("jar {}", jar.to_string_lossy()),
                Target::Class(class) => format!("class {class}"),
            })
        };
        let jar = Some("jar a.jar".to_owned());
        assert_eq!(named("-jar a.jar x"), jar);
        assert_eq!(named("-Xmx1g -cp -jar -jar a.jar"), jar);
        let class = Some("class x.Main".to_owned());
        assert_eq!(named("-cp x.jar x.Main -jar a.jar"), class);
        assert_eq!(named("-ea --add-opens a/b=c x/Main"), class);
        for other in [
            "@file -jar a.jar",
            "-jar",
            "-m a/b.C",
            "--module=a x",
            "Main.java",
        ] {
            assert_eq!(named(other), None, "{other}");
        }
    }
}
