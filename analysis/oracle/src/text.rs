//! Recorded values and the texts that Java makes of them (`String.valueOf`).

use jinsi_trace::model::{Content, JavaString, ObjectId, Prim, Value};

use super::assertion::Assertion;
use super::wrong::Expected;
use jinsi_history::{History, Moment, NodeKind};

/// Containers in containers that are written out.
const DEPTH: usize = 8;

/// Does the value read so, at this moment?
pub(super) fn shows(history: &History, value: &Value, at: Moment, text: &str) -> bool {
    match value {
        Value::Prim(prim) | Value::Boxed(prim) => prim_shows(*prim, text),
        _ => of(history, value, at).is_some_and(|own| own == text),
    }
}

/// Numbers with a point are compared as numbers: their text depends on the version of Java.
fn prim_shows(prim: Prim, text: &str) -> bool {
    let same = |value: f64, parsed: f64| parsed == value || parsed.is_nan() && value.is_nan();
    match prim {
        Prim::Float(v) => float(text).is_some_and(|t| same(f64::from(v), f64::from(t as f32))),
        Prim::Double(v) => float(text).is_some_and(|t| same(v, t)),
        other => of_prim(other) == text,
    }
}

/// What `Double.parseDouble` makes of it.
fn float(text: &str) -> Option<f64> {
    match text {
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => text.parse().ok(),
    }
}

fn of_prim(prim: Prim) -> String {
    match prim {
        Prim::Boolean(v) => v.to_string(),
        Prim::Byte(v) => v.to_string(),
        Prim::Char(v) => String::from_utf16_lossy(&[v]),
        Prim::Short(v) => v.to_string(),
        Prim::Int(v) => v.to_string(),
        Prim::Long(v) => v.to_string(),
        Prim::Float(v) => of_number(&format!("{v:e}"), v.is_finite()),
        Prim::Double(v) => of_number(&format!("{v:e}"), v.is_finite()),
    }
}

/// A number with a point as `Double.toString` has it, from its shortest digits in Rust's scientific form: with an exponent if it is below a
/// thousandth or from ten millions on.
fn of_number(scientific: &str, finite: bool) -> String {
    let parts = scientific.split_once('e').filter(|_| finite);
    let Some((digits, exponent)) = parts else {
        return scientific.replace("inf", "Infinity");
    };
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits),
    };
    let digits = digits.replace('.', "");
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let is_zero = digits == "0";
    let or_zero = |text: &str| {
        if text.is_empty() {
            "0".to_owned()
        } else {
            text.to_owned()
        }
    };
    match exponent {
        0..7 => {
            let whole = exponent as usize + 1;
            let padded = format!("{digits:0<whole$}");
            format!("{sign}{}.{}", &padded[..whole], or_zero(&padded[whole..]))
        }
        -3..0 if !is_zero => {
            let zeros = "0".repeat((-exponent - 1) as usize);
            format!("{sign}0.{zeros}{digits}")
        }
        _ => format!(
            "{sign}{}.{}E{exponent}",
            &digits[..1],
            or_zero(&digits[1..])
        ),
    }
}

/// The text of a value, of an array that of `Arrays.toString`, if it follows from what was recorded.
pub(super) fn of(history: &History, value: &Value, at: Moment) -> Option<String> {
    within(history, value, at, DEPTH)
}

fn within(history: &History, value: &Value, at: Moment, depth: usize) -> Option<String> {
    match value {
        Value::Null => Some("null".into()),
        Value::Prim(prim) | Value::Boxed(prim) => Some(of_prim(*prim)),
        Value::Str(text) => Some(text.to_string()),
        Value::Class(no) => {
            let name = history.tables().class_name(*no).replace('/', ".");
            Some(format!("class {name}"))
        }
        Value::Object(id) => {
            let depth = depth.checked_sub(1)?;
            let parts = |values: &[Value]| -> Option<Vec<String>> {
                values
                    .iter()
                    .map(|v| within(history, v, at, depth))
                    .collect()
            };
            if let Some(Content::Array(values)) = history.array_at(*id, at) {
                return Some(format!("[{}]", parts(&values)?.join(", ")));
            }
            match content(history, *id, at)? {
                Content::Text(text) => Some(text.to_string()),
                Content::Elements(values) => Some(format!("[{}]", parts(values)?.join(", "))),
                Content::Entries(values) => {
                    let parts = parts(values)?;
                    let entries: Vec<String> = parts.chunks(2).map(|e| e.join("=")).collect();
                    Some(format!("{{{}}}", entries.join(", ")))
                }
                _ => None,
            }
        }
    }
}

/// What a natural object held at this moment, if that was recorded: code that was recorded may have changed it since, and then nobody says what came of it.
pub(super) fn content(history: &History, id: ObjectId, at: Moment) -> Option<&Content> {
    let snapshot = history.snapshot_at(id, at)?;
    let mentions = history.object(id).map_or(&[][..], |o| o.mentions());
    let is_changed = mentions.iter().any(|&n| {
        let node = history.node(n);
        node.kind == NodeKind::Call
            && node.begin > snapshot.moment
            && node.begin < at
            && *history.receiver(n) == Value::Object(id)
            && history.member(n).is_some_and(|m| is_change(&m.name))
    });
    (!is_changed).then_some(&snapshot.content)
}

/// Does a method of this name change the container that it is called on?
fn is_change(name: &str) -> bool {
    CHANGES.iter().any(|verb| name.starts_with(verb))
}

/// How the names of such methods begin: `putIfAbsent`, `addLast`, `removeIf`.
const CHANGES: [&str; 19] = [
    "add", "append", "clear", "compute", "delete", "drain", "fill", "insert", "merge", "offer",
    "poll", "pop", "push", "put", "remove", "replace", "retain", "set", "sort",
];

/// The element of an array or a list.
pub(super) fn element(history: &History, value: &Value, at: Moment, index: usize) -> Option<Value> {
    let Value::Object(id) = value else {
        return None;
    };
    let array = history.array_at(*id, at);
    let content = array.or_else(|| content(history, *id, at).cloned())?;
    match content {
        Content::Array(values) | Content::Elements(values) => values.get(index).cloned(),
        _ => None,
    }
}

/// What the assertion wants in place of `value`.
pub(super) fn expected(value: &Value, assertion: &Assertion) -> Expected {
    let Some(text) = &assertion.expected else {
        return Expected::Unknown;
    };
    let as_text = || Expected::Text(text.clone());
    match value {
        Value::Str(_) if text == "null" => Expected::Value(Value::Null),
        Value::Str(_) => Expected::Value(Value::Str(JavaString::new(text))),
        Value::Prim(prim) => {
            parsed(*prim, text).map_or_else(as_text, |p| Expected::Value(Value::Prim(p)))
        }
        Value::Boxed(_) if text == "null" => Expected::Value(Value::Null),
        Value::Boxed(prim) => {
            parsed(*prim, text).map_or_else(as_text, |p| Expected::Value(Value::Boxed(p)))
        }
        _ => as_text(),
    }
}

/// May an object read otherwise than `expected`, although it is equal to that? Sets and maps have their elements in any order, unless both sort them, and the
/// same number may have more digits.
pub(super) fn may_read_otherwise(
    history: &History,
    value: &Value,
    expected: Option<&Value>,
) -> bool {
    const SORTED: [&str; 4] = ["EnumMap", "EnumSet", "TreeMap", "TreeSet"];
    let class = history.class_of_value(value).unwrap_or_default();
    let is_same = expected.and_then(|e| history.class_of_value(e)) == Some(class);
    if is_same && SORTED.iter().any(|end| class.ends_with(end)) {
        return false;
    }
    let is_unordered = |kind: &str| {
        let of_jdk = class.starts_with("java/util/") && class.contains(kind);
        let kind = format!("java/util/{kind}");
        of_jdk || history.tables().is_subclass(class, &kind)
    };
    class == "java/math/BigDecimal" || is_unordered("Set") || is_unordered("Map")
}

/// How an object reads that the assertion wants in place of another one, if both read otherwise and always so.
pub(super) fn of_other(assertion: &Assertion) -> Option<&str> {
    let (expected, actual) = (assertion.expected.as_deref()?, assertion.actual.as_deref()?);
    // `Object.toString` has the identity hash.
    let is_hash = |text: &str| text.len() > 4 && text.chars().all(|c| c.is_ascii_hexdigit());
    let by_chance = |text: &str| {
        text.split('@').skip(1).any(|behind| {
            let end = behind.find(|c: char| !c.is_ascii_alphanumeric());
            is_hash(&behind[..end.unwrap_or(behind.len())])
        })
    };
    (expected != actual && !by_chance(expected) && !by_chance(actual)).then_some(expected)
}

/// A primitive of the type of `like`.
fn parsed(like: Prim, text: &str) -> Option<Prim> {
    Some(match like {
        Prim::Boolean(_) => Prim::Boolean(text.parse().ok()?),
        Prim::Byte(_) => Prim::Byte(text.parse().ok()?),
        Prim::Char(_) => {
            let mut units = text.encode_utf16();
            let unit = units.next()?;
            units.next().is_none().then_some(Prim::Char(unit))?
        }
        Prim::Short(_) => Prim::Short(text.parse().ok()?),
        Prim::Int(_) => Prim::Int(text.parse().ok()?),
        Prim::Long(_) => Prim::Long(text.parse().ok()?),
        Prim::Float(_) => Prim::Float(float(text)? as f32),
        Prim::Double(_) => Prim::Double(float(text)?),
    })
}

#[cfg(test)]
mod tests {
    use jinsi_history::script::history;

    use super::*;

    #[test]
    fn what_is_equal_may_read_otherwise() {
        let than = |class: &str, expected: &str| {
            let script = format!("class P\nobj #1 {class}\nobj #2 {expected}\ns> P.main()V\n<");
            let history = history(&script);
            may_read_otherwise(&history, &Value::Object(1), Some(&Value::Object(2)))
        };
        let may = |class: &str| than(class, "java/util/HashMap");
        assert!(!than(
            "java/util/RegularEnumSet",
            "java/util/RegularEnumSet"
        ));
        assert!(than("java/util/HashSet", "java/util/HashSet"));
        for class in [
            "java/util/TreeMap",
            "java/util/ImmutableCollections$SetN",
            "java/math/BigDecimal",
        ] {
            assert!(may(class), "{class}");
        }
        assert!(!may("java/util/ArrayList") && !may("P"));
    }

    #[test]
    fn what_recorded_code_put_into_a_map_since_is_not_known() {
        let script = |call: &str| {
            let text = format!(
                r#"
            class P
            s> P.run()V
              obj #1 java/util/TreeMap
              content #1 entries "a" 1
              call java/util/Map.{call}
            <"#
            );
            let h = history(&text);
            assert_eq!(h.anomalies(), 0);
            of(&h, &Value::Object(1), Moment::END)
        };
        assert_eq!(script("size()I #1\nret 1").as_deref(), Some("{a=1}"));
        let put =
            "put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object; #1 \"b\" 2\nret null";
        assert_eq!(script(put), None);
    }

    #[test]
    fn numbers_read_as_java_has_them() {
        for (number, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-2_125_791_896.0, "-2.125791896E9"),
            (2_169_175_400.0, "2.1691754E9"),
            (1e7, "1.0E7"),
            (9_999_999.0, "9999999.0"),
            (1_234_567.5, "1234567.5"),
            (208.33, "208.33"),
            (0.001, "0.001"),
            (0.012_5, "0.0125"),
            (0.000_12, "1.2E-4"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(of_prim(Prim::Double(number)), text);
        }
        assert_eq!(of_prim(Prim::Float(0.1)), "0.1");
        assert_eq!(of_prim(Prim::Float(1e10)), "1.0E10");
    }

    #[test]
    fn an_object_is_known_by_its_text_unless_that_is_chance() {
        let other = |expected: &str, actual: &str| {
            let assertion = Assertion {
                expected: Some(expected.into()),
                actual: Some(actual.into()),
                ..Assertion::default()
            };
            of_other(&assertion).map(str::to_owned)
        };
        assert_eq!(other("PT-1S", "PT1S").as_deref(), Some("PT-1S"));
        assert_eq!(other("a@b.org", "c@xyz").as_deref(), Some("a@b.org"));
        assert_eq!(other("same", "same"), None);
        assert_eq!(other("p.A@1b28cdfa", "p.A@2f92e0f4"), None);
        assert_eq!(other("[p.A@1b28cdfa, 1]", "[]"), None);
    }

    #[test]
    fn primitives_read_as_in_java() {
        assert!(prim_shows(Prim::Int(-3), "-3") && !prim_shows(Prim::Int(3), "3.0"));
        assert!(
            prim_shows(Prim::Double(1e10), "1.0E10") && prim_shows(Prim::Double(f64::NAN), "NaN")
        );
        assert!(
            prim_shows(Prim::Float(0.1), "0.1")
                && prim_shows(Prim::Double(f64::NEG_INFINITY), "-Infinity")
        );
        assert!(prim_shows(Prim::Char(0x61), "a") && prim_shows(Prim::Boolean(true), "true"));
        assert!(!prim_shows(Prim::Double(0.1), "0.2") && !prim_shows(Prim::Double(0.1), "x"));
    }

    #[test]
    fn what_is_expected_has_the_type_of_what_was() {
        let want = |value: Value, text: &str| {
            let assertion = Assertion {
                expected: Some(text.into()),
                ..Assertion::default()
            };
            expected(&value, &assertion)
        };
        let text = |text: &str| Value::Str(JavaString::new(text));
        assert_eq!(
            want(Value::Prim(Prim::Long(2)), "3"),
            Expected::Value(Value::Prim(Prim::Long(3)))
        );
        assert_eq!(
            want(Value::Boxed(Prim::Int(2)), "null"),
            Expected::Value(Value::Null)
        );
        assert_eq!(want(text("a"), "b"), Expected::Value(text("b")));
        assert_eq!(
            want(Value::Prim(Prim::Int(2)), "x"),
            Expected::Text("x".into())
        );
        assert_eq!(want(Value::Null, "x"), Expected::Text("x".into()));
        assert_eq!(
            expected(&Value::Null, &Assertion::default()),
            Expected::Unknown
        );
    }
}
