//! Names of local variables.

use std::collections::HashMap;

use super::java::{JavaType, Variable};

/// Names for local variables, distinct within one method.
#[derive(Clone, Default)]
pub(super) struct Variables {
    /// Name → type of the variable; of those that are named after something else: none.
    used: HashMap<String, Option<JavaType>>,
}

impl Variables {
    /// A variable of this type: the last word of the class name (`DateTimeZoneBuilder` → `builder`). If a
    /// variable of another type has it, the whole class name (`dateTimeZoneBuilder`); numbered from the second on.
    pub(super) fn of(&mut self, ty: &JavaType) -> Variable {
        let short = base_name(ty);
        let base = match self.used.get(&short) {
            Some(other) if other.as_ref() != Some(ty) => long_name(ty).unwrap_or(short),
            _ => short,
        };
        self.free(&base, Some(ty))
    }

    /// A variable with this name, numbered from the second on.
    pub(super) fn named(&mut self, stem: &str) -> Variable {
        self.free(stem, None)
    }

    fn free(&mut self, stem: &str, ty: Option<&JavaType>) -> Variable {
        let mut variable = Variable::new(stem);
        while self.used.contains_key(&variable.to_string()) {
            variable.number += 1;
        }
        self.used.insert(variable.to_string(), ty.cloned());
        variable
    }
}

fn base_name(ty: &JavaType) -> String {
    let array = ty.is_array();
    let class = match ty.core() {
        JavaType::Class(name, _) => name,
        JavaType::Primitive(primitive) if array => return format!("{}s", primitive.keyword()),
        _ => return "value".into(),
    };
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
fn long_name(ty: &JavaType) -> Option<String> {
    let simple = ty.class_name()?.rsplit(['/', '$']).next()?;
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
        .map(|d| names.of(&JavaType::of(d)).to_string());
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
}
