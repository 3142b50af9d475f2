//! What the program has around it when it begins: class path, time zone, language, properties of the command line, what it may do with modules,
//! and how its JVM was started.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf, absolute};

use jinsi_trace::model::{Launch, Surroundings};
use jvmti_bindings::prelude::*;

/// Finds out what the manifest of a jar puts on the class path.
const CLASS_PATH: &str = "java/lang/JinsiClassPath";
/// Finds out which properties were set since the JVM began.
const PROPERTIES: &str = "java/lang/JinsiProperties";
/// Properties that every JVM has, by their beginnings. Few of them matter to a program, and most say where something lies on this machine.
const OF_EVERY_JVM: [&str; 16] = [
    "awt.", "file.", "ftp.", "http.", "ide.", "java.", "jdk.", "jinsi.", "line.", "native.", "os.",
    "path.", "stderr.", "stdout.", "sun.", "user.",
];
/// Those among them that say how the program reads and writes.
const OF_TEXTS: [&str; 5] = [
    "file.encoding",
    "user.country",
    "user.language",
    "user.script",
    "user.variant",
];
/// A property that has one of these in its name, in whatever case, may be a secret.
const SECRETS: [&str; 7] = [
    "auth",
    "credential",
    "key",
    "passphrase",
    "passw",
    "secret",
    "token",
];
/// Options that say what of the JDK's modules a program may use.
const OF_MODULES: [&str; 6] = [
    "--add-exports",
    "--add-modules",
    "--add-opens",
    "--add-reads",
    "--enable-native-access",
    "--enable-preview",
];
/// Options that load an agent, ours among them.
const AGENTS: [&str; 3] = ["-agentpath:", "-agentlib:", "-javaagent:"];
/// How the library of our agent is named.
const OWN_AGENT: &str = "libjinsi";
/// Properties whose changes say nothing of what a test needs: where the program began, and what it was started with.
const OF_THE_START: [&str; 5] = [
    "java.class.path",
    "java.home",
    "jdk.module.path",
    "surefire.real.class.path",
    "user.dir",
];
/// Longest value of a property that is recorded, in bytes.
const LONGEST: usize = 4_096;
/// Where a system says which time zone it is in.
const ZONE_FILE: &str = "/etc/timezone";
const ZONE_LINK: &str = "/etc/localtime";
/// In the target of [`ZONE_LINK`], a zone's identifier follows this.
const ZONES: &str = "zoneinfo/";

/// What can be recorded of the surroundings. To be asked when the JVM has been initialized. Where texts are `redacted`, properties of the command
/// line are left out: nobody knows yet which of them is one that has to stay out of the trace.
pub(crate) fn of(jvmti: &Jvmti, jni: &JniEnv, redacted: bool) -> Surroundings {
    let property = |name: &str| jvmti.get_system_property(name).ok();
    let names = jvmti.get_system_properties().unwrap_or_default();
    let arguments = jvm_arguments(jni);
    let properties: BTreeMap<String, String> = names
        .into_iter()
        .filter(|name| is_recorded(name) && (!redacted || OF_TEXTS.contains(&name.as_str())))
        .filter_map(|name| Some((property(&name)?, name)))
        .filter(|(value, _)| value.len() <= LONGEST)
        .map(|(value, name)| (name, value))
        .collect();
    Surroundings {
        class_path: class_path(&property("java.class.path").unwrap_or_default(), jni),
        time_zone: property("user.timezone")
            .filter(|zone| !zone.is_empty())
            .or_else(time_zone),
        properties,
        launch: Some(Launch {
            java_home: property("java.home").unwrap_or_default(),
            directory: env::current_dir().map_or_else(
                |_| String::new(),
                |directory| directory.display().to_string(),
            ),
            arguments: arguments
                .iter()
                .filter(|option| is_repeated(option, redacted))
                .cloned()
                .collect(),
        }),
        jvm_options: arguments
            .into_iter()
            .filter(|option| is_about_modules(option))
            .collect(),
    }
}

/// The properties that were set since the JVM began. To be asked when the first test begins: those that run tests set properties for them.
/// None where texts are redacted, as with [`of`].
pub(crate) fn set_since(jni: &JniEnv) -> BTreeMap<String, String> {
    let texts = jni.find_class(PROPERTIES).and_then(|class| {
        // SAFETY: the class was just found; `later` is a static method of it that takes nothing and returns an array of strings, or null.
        unsafe { texts(jni, class, "later") }
    });
    if jni.exception_check() {
        jni.exception_clear();
    }
    let texts = texts.unwrap_or_default();
    let (pairs, _) = texts.as_chunks::<2>();
    pairs
        .iter()
        .filter(|[name, value]| {
            !may_be_secret(name) && !OF_THE_START.contains(&name.as_str()) && value.len() <= LONGEST
        })
        .cloned()
        .map(|[name, value]| (name, value))
        .collect()
}

/// Is this option one that a second JVM of the kind is to have? Not ours, and none that may hold a secret.
fn is_repeated(option: &str, redacted: bool) -> bool {
    if let Some((name, _)) = option
        .strip_prefix("-D")
        .map(|rest| rest.split_once('=').unwrap_or((rest, "")))
    {
        return !redacted && !may_be_secret(name);
    }
    let Some(agent) = AGENTS.iter().find_map(|begin| option.strip_prefix(begin)) else {
        return true;
    };
    let (library, options) = agent.split_once('=').unwrap_or((agent, ""));
    let is_own = Path::new(library)
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with(OWN_AGENT));
    !is_own && (options.is_empty() || !redacted && !may_be_secret(options))
}

/// The options of the JVM, wherever it has them from.
fn jvm_arguments(jni: &JniEnv) -> Vec<String> {
    let all = arguments(jni).unwrap_or_default();
    if jni.exception_check() {
        // This JVM tells them to nobody.
        jni.exception_clear();
    }
    all
}

/// The JVM's options, each in the form of one word.
fn arguments(jni: &JniEnv) -> Option<Vec<String>> {
    let class = jni.find_class("jdk/internal/misc/VM")?;
    // SAFETY: the class was just found; the method is a static one of it that takes nothing and returns an array of strings.
    unsafe { texts(jni, class, "getRuntimeArguments") }
}

/// What a static method gives that takes nothing and returns an array of strings; `None` if it returns null or throws.
///
/// # Safety
/// `class` is a live reference to a class.
unsafe fn texts(jni: &JniEnv, class: jni::jclass, method: &str) -> Option<Vec<String>> {
    // SAFETY: the class is live, as the caller says; the elements of the array are asked for within its length.
    unsafe {
        let all = jni.get_static_method_id(class, method, "()[Ljava/lang/String;")?;
        let array = jni.call_static_object_method(class, all, &[]);
        if jni.exception_check() || array.is_null() {
            return None;
        }
        let texts = (0..jni.get_array_length(array)).filter_map(|at| {
            let text = jni.get_object_array_element(array, at);
            if jni.exception_check() || text.is_null() {
                return None;
            }
            let read = jni.get_string(text);
            jni.delete_local_ref(text);
            read
        });
        Some(texts.collect())
    }
}

fn is_about_modules(option: &str) -> bool {
    let names = |name: &&str| {
        option
            .strip_prefix(*name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    OF_MODULES.iter().any(names)
}

fn is_recorded(name: &str) -> bool {
    OF_TEXTS.contains(&name)
        || !OF_EVERY_JVM.iter().any(|begin| name.starts_with(begin)) && !may_be_secret(name)
}

/// Says this name, or this text with names in it, that there may be a secret?
fn may_be_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    SECRETS.iter().any(|secret| lower.contains(secret))
}

/// The entries of the class path, absolute. A single jar may have more in its manifest, as those have with which builds start their tests.
fn class_path(text: &str, jni: &JniEnv) -> Vec<String> {
    let entries: Vec<PathBuf> = env::split_paths(text)
        .filter(|entry| !entry.as_os_str().is_empty())
        .filter_map(|entry| absolute(entry).ok())
        .collect();
    let mut all: Vec<String> = entries.iter().map(|e| e.display().to_string()).collect();
    if let [jar] = &*entries
        && jar.extension().is_some_and(|e| e == "jar")
        && let Some(further) = of_manifest(jar, jni)
    {
        all.extend(further.lines().map(str::to_owned));
    }
    all
}

/// What a jar's manifest puts on the class path, a line an entry.
fn of_manifest(jar: &Path, jni: &JniEnv) -> Option<String> {
    let class = jni.find_class(CLASS_PATH);
    let found = class.and_then(|class| {
        let path = jni.new_string_utf(&jar.display().to_string())?;
        // SAFETY: the class was just found; `further` is a static method of it that takes a string and returns one.
        unsafe {
            let desc = "(Ljava/lang/String;)Ljava/lang/String;";
            let further = jni.get_static_method_id(class, "further", desc)?;
            let result = jni.call_static_object_method(class, further, &[jni::jvalue { l: path }]);
            (!result.is_null()).then(|| jni.get_string(result))?
        }
    });
    if jni.exception_check() {
        jni.exception_clear();
    }
    found
}

/// The time zone as the JVM finds it where no option names one: from the environment, else from the system's settings.
fn time_zone() -> Option<String> {
    let given = env::var("TZ").ok().filter(|zone| !zone.is_empty());
    let named = || std::fs::read_to_string(ZONE_FILE).ok();
    let linked = || {
        let target = std::fs::read_link(ZONE_LINK).ok()?;
        let (_, zone) = target.to_str()?.split_once(ZONES)?;
        Some(zone.to_owned())
    };
    let zone = given
        .map(|zone| zone.trim_start_matches(':').to_owned())
        .or_else(linked)
        .or_else(named)?;
    let zone = zone.trim();
    (!zone.is_empty() && !zone.starts_with('/')).then(|| zone.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_about_modules_are_recorded() {
        for option in [
            "--enable-preview",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-modules=jdk.incubator.vector",
        ] {
            assert!(is_about_modules(option), "{option}");
        }
        for option in [
            "-Xmx1g",
            "-Dpassword=x",
            "--add-opensaysme=1",
            "--patch-module=a=b",
        ] {
            assert!(!is_about_modules(option), "{option}");
        }
    }

    #[test]
    fn a_second_jvm_gets_all_options_but_ours_and_secrets() {
        for option in [
            "-Xmx64m",
            "-ea",
            "-Dapp.mode=test",
            "-Dempty",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "-javaagent:/m2/keycloak/jacocoagent.jar=destfile=/t/jacoco.exec",
            "-agentpath:/usr/lib/libprofiler.so",
        ] {
            assert!(is_repeated(option, false), "{option}");
        }
        for option in [
            "-agentpath:/t/native/libjinsi.so=observe=a.*",
            "-Ddb.password=x",
            "-javaagent:/m2/agent.jar=licenseKey=x",
        ] {
            assert!(!is_repeated(option, false), "{option}");
        }
        for (option, expected) in [
            ("-Xmx64m", true),
            ("-javaagent:/m2/agent.jar", true),
            ("-javaagent:/m2/agent.jar=a=b", false),
            ("-Dapp.mode=test", false),
        ] {
            assert_eq!(is_repeated(option, true), expected, "{option}");
        }
    }

    #[test]
    fn properties_of_the_command_line_are_recorded_and_secrets_are_not() {
        for name in ["app.mode", "user.language", "file.encoding", "com.foo.size"] {
            assert!(is_recorded(name), "{name}");
        }
        for name in [
            "java.home",
            "user.home",
            "sun.boot.library.path",
            "db.password",
            "apiKey",
            "AUTH_HEADER",
        ] {
            assert!(!is_recorded(name), "{name}");
        }
    }
}
