//! Names in the written source: imports and variables.

use super::{words, wrap};
use std::collections::{BTreeSet, HashMap};

use super::access::package_of;
use super::classes::{ClassLookup, Nesting, guess_nesting};

/// The import declarations of one source file. Naming a class imports it, so that none is unused.
#[derive(Clone)]
pub(super) struct Imports<'a> {
    classes: &'a dyn ClassLookup,
    package: String,
    /// Simple name → the top-level class it stands for (internal).
    simple: HashMap<String, String>,
    imported: BTreeSet<String>,
    members: BTreeSet<String>,
}

impl<'a> Imports<'a> {
    /// For a file in `package` (internal form) that declares the class `own`.
    pub(super) fn new(classes: &'a dyn ClassLookup, package: &str, own: &str) -> Self {
        let full = if package.is_empty() {
            own.to_owned()
        } else {
            format!("{package}/{own}")
        };
        let simple = HashMap::from([(own.to_owned(), full)]);
        Self {
            classes,
            package: package.to_owned(),
            simple,
            imported: BTreeSet::new(),
            members: BTreeSet::new(),
        }
    }

    /// Source name of a class (internal name) or array (descriptor), imported if that is needed and possible.
    pub(super) fn class(&mut self, internal: &str) -> String {
        if internal.starts_with('[') {
            return self.descriptor(internal);
        }
        let (top, path) = self.source_path(internal);
        let package = package_of(&top);
        let simple = top[package.len()..].trim_start_matches('/').to_owned();
        let taken = self.simple.entry(simple).or_insert_with(|| top.clone());
        if *taken != top {
            let package = package.replace('/', ".");
            return if package.is_empty() {
                path
            } else {
                format!("{package}.{path}")
            };
        }
        if package != "java/lang" && package != self.package && !package.is_empty() {
            self.imported.insert(top.replace('/', "."));
        }
        path
    }

    /// Source name of a field descriptor.
    pub(super) fn descriptor(&mut self, desc: &str) -> String {
        let element = desc.trim_start_matches('[');
        let brackets = "[]".repeat(desc.len() - element.len());
        let name = match element.strip_prefix('L').and_then(|e| e.strip_suffix(';')) {
            Some(class) => self.class(class),
            None => primitive_name(element).to_owned(),
        };
        name + &brackets
    }

    /// Imports a static member, `org.mockito.Mockito.mock`, and gives its simple name.
    pub(super) fn member(&mut self, class: &str, name: &str) -> String {
        self.members.insert(format!("{class}.{name}"));
        name.to_owned()
    }

    /// The import declarations of what is `used` in a source, static ones first, each group sorted; with a blank line behind each group.
    pub(super) fn render(&self, used: &str) -> String {
        let code = wrap::code(used);
        let is_used = |name: &&String| {
            let simple = name.rsplit('.').next().unwrap_or_default();
            words::places(&code, simple).next().is_some()
        };
        let group = |names: &BTreeSet<String>, keyword: &str| {
            let lines: String = names
                .iter()
                .filter(is_used)
                .map(|n| format!("import {keyword}{n};\n"))
                .collect();
            if lines.is_empty() {
                lines
            } else {
                lines + "\n"
            }
        };
        group(&self.members, "static ") + &group(&self.imported, "")
    }

    /// The top-level class around a class, and the dotted path from it.
    fn source_path(&self, internal: &str) -> (String, String) {
        let nesting = self
            .classes
            .class(internal)
            .map_or_else(|| guess_nesting(internal), |c| c.nesting.clone());
        match nesting {
            Nesting::Member { outer, name } => {
                let (top, path) = self.source_path(&outer);
                (top, format!("{path}.{name}"))
            }
            _ => {
                let simple = internal[package_of(internal).len()..].trim_start_matches('/');
                (internal.to_owned(), simple.to_owned())
            }
        }
    }
}

fn primitive_name(letter: &str) -> &'static str {
    match letter {
        "Z" => "boolean",
        "B" => "byte",
        "C" => "char",
        "S" => "short",
        "I" => "int",
        "J" => "long",
        "F" => "float",
        "D" => "double",
        _ => "void",
    }
}

/// Names for local variables, distinct within one method.
#[derive(Clone, Default)]
pub(super) struct Variables {
    /// Name → type (field descriptor) of the variable.
    used: HashMap<String, String>,
}

impl Variables {
    /// A name for a variable of the type `desc`: the last word of the class name (`DateTimeZoneBuilder` → `builder`). If a
    /// variable of another type has it, the whole class name (`dateTimeZoneBuilder`); numbered from the second on.
    pub(super) fn name(&mut self, desc: &str) -> String {
        let short = base_name(desc);
        let base = match self.used.get(&short) {
            Some(other) if other != desc => long_name(desc).unwrap_or(short),
            _ => short,
        };
        let mut name = base.clone();
        let mut number = 2;
        while self.used.contains_key(&name) {
            name = format!("{base}{number}");
            number += 1;
        }
        self.used.insert(name.clone(), desc.to_owned());
        name
    }
}

fn base_name(desc: &str) -> String {
    let element = desc.trim_start_matches('[');
    let array = element.len() < desc.len();
    let class = element
        .strip_prefix('L')
        .map_or("", |c| c.trim_end_matches(';'));
    if class.is_empty() {
        return if array {
            format!("{}s", primitive_name(element))
        } else {
            "value".into()
        };
    }
    // Scala's objects have a dollar sign behind their names.
    let class = class.trim_end_matches('$');
    let simple = class.rsplit(['/', '$']).next().unwrap_or_default();
    let word = last_word(simple);
    if array && !word.ends_with('s') {
        return word + "s";
    }
    if array || !KEYWORDS.contains(&word.as_str()) {
        word
    } else {
        format!("{word}1")
    }
}

/// The whole simple name of a class, decapitalized; `None` for arrays and primitives, and where it makes no identifier.
fn long_name(desc: &str) -> Option<String> {
    let class = desc.strip_prefix('L')?.strip_suffix(';')?;
    let simple = class.rsplit(['/', '$']).next()?;
    let plain = simple.starts_with(|c: char| c.is_ascii_alphabetic())
        && simple.chars().all(|c| c.is_ascii_alphanumeric());
    let name = plain.then(|| decapitalized(simple))?;
    (!KEYWORDS.contains(&name.as_str())).then_some(name)
}

/// `XMLElement` → `xmlElement`.
fn decapitalized(simple: &str) -> String {
    let chars: Vec<char> = simple.chars().collect();
    let head = chars.iter().take_while(|c| c.is_uppercase()).count().max(1);
    let head = if head > 1 && head < chars.len() {
        head - 1
    } else {
        head
    };
    chars
        .iter()
        .enumerate()
        .map(|(i, c)| if i < head { c.to_ascii_lowercase() } else { *c })
        .collect()
}

/// The last word of a class name in lower case; the whole name, decapitalized, where that says too little.
fn last_word(simple: &str) -> String {
    let chars: Vec<char> = simple.chars().filter(|c| c.is_alphanumeric()).collect();
    if chars.first().is_none_or(|c| !c.is_alphabetic()) || !chars.iter().all(char::is_ascii) {
        return "object".into();
    }
    // A word begins at a capital that follows a small letter, or that is followed by one.
    let begins = |i: usize| {
        chars[i].is_uppercase()
            && (i == 0
                || !chars[i - 1].is_uppercase()
                || chars.get(i + 1).is_some_and(|c| c.is_lowercase()))
    };
    let start = (0..chars.len()).rev().find(|&i| begins(i)).unwrap_or(0);
    let word: String = chars[start..].iter().collect::<String>().to_lowercase();
    if word.len() > 1 && word != "impl" && !word.starts_with(|c: char| c.is_ascii_digit()) {
        return word;
    }
    decapitalized(&chars.iter().collect::<String>())
}

/// Words that are no identifiers although they end a class name (JLS §3.9).
const KEYWORDS: [&str; 50] = [
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "true",
    "try",
    "void",
];

#[cfg(test)]
mod tests {
    use super::super::classes::ClassTable;
    use super::*;

    #[test]
    fn variables_are_named_by_the_last_word_of_their_type() {
        let mut names = Variables::default();
        let of = [
            "Lorg/joda/time/tz/DateTimeZoneBuilder;",
            "Lxml/XMLElement;",
            "Lxml/XMLElement;",
            "Ljava/io/IOException;",
            "Ljava/net/URL;",
            "La/Point2D;",
            "La/FooImpl;",
            "La/SomeDefault;",
            "La/Foo$1;",
            "La/Outer$Inner;",
            "[I",
            "[Ljava/lang/String;",
            "[[B",
            "La/Address;",
            "[La/Address;",
            "Lb/DurationField;",
            "Lb/ZonedDurationField;",
            "Lb/ZonedDurationField;",
        ]
        .map(|d| names.name(d));
        assert_eq!(
            of,
            [
                "builder",
                "element",
                "element2",
                "exception",
                "url",
                "point2D",
                "fooImpl",
                "default1",
                "object",
                "inner",
                "ints",
                "strings",
                "bytes",
                "address",
                "address2",
                "field",
                "zonedDurationField",
                "zonedDurationField2"
            ]
        );
    }

    #[test]
    fn imports_are_sorted_and_only_what_is_needed() {
        let table = ClassTable::default();
        let mut imports = Imports::new(&table, "a/b", "FooTest");
        assert_eq!(imports.class("java/lang/String"), "String");
        assert_eq!(imports.class("a/b/Beside"), "Beside");
        assert_eq!(imports.class("java/util/Map$Entry"), "Map.Entry");
        assert_eq!(imports.class("java/util/List"), "List");
        assert_eq!(imports.class("java/awt/List"), "java.awt.List");
        assert_eq!(
            imports.class("x/FooTest"),
            "x.FooTest",
            "the test's own name is taken"
        );
        assert_eq!(imports.descriptor("[[Ljava/util/List;"), "List[][]");
        assert_eq!(imports.member("org.mockito.Mockito", "mock"), "mock");
        assert_eq!(
            imports.render("mock(); List<Map.Entry> a;"),
            "import static org.mockito.Mockito.mock;\n\nimport java.util.List;\nimport java.util.Map;\n\n"
        );
        assert_eq!(imports.render("MapLike a;"), "");
        let said = "// A List, or a Map's\ncall(\"Ljava/util/List;\", 'M');";
        assert_eq!(imports.render(said), "");
    }
}
