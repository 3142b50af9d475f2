//! Arrays that a test makes itself.

use jinsi_trace::model::{Content, JavaString, Prim, Value};

use super::content::{MAX_ELEMENTS, cannot};
use super::writer::{Expr, Writer};
use super::{Inexpressible, literal};
use jinsi_level::ObjectInfo;

/// So few elements are set one by one where the others are zero,
const FEW: usize = 8;
/// in an array of so many or more.
const LONG: usize = 16;
/// So long at least is an array that a person takes for a text.
const TEXT: usize = 4;

impl Writer<'_> {
    /// The array, and how to declare a variable of it if not as its class says.
    pub(super) fn array(
        &mut self,
        info: &ObjectInfo,
        content: Option<&Content>,
    ) -> Result<(Expr, Option<String>), Inexpressible> {
        if !self.scope.type_accessible(&info.class) {
            return Err(cannot(
                info,
                "has elements of a class that is not accessible",
            ));
        }
        let element = info.class.get(1..).unwrap_or_default().to_owned();
        let zero: fn(&Value) -> bool = |v| match v {
            Value::Prim(p) => p.to_word() == 0,
            v => *v == Value::Null,
        };
        let text = match content {
            Some(Content::Array(values)) if is_sparse(values, zero) => {
                return Ok((self.sparse(info, values, &element, zero)?, None));
            }
            Some(Content::Array(values)) if let Some(text) = text(values, &element) => {
                self.of_text(&text, &element)
            }
            Some(Content::Array(values)) if !values.is_empty() && !values.iter().all(zero) => {
                let items = self.elements(info, values, &element)?;
                format!(
                    "new {} {{{}}}",
                    self.imports.descriptor(&info.class),
                    items.join(", ")
                )
            }
            Some(Content::TooLarge { .. }) => {
                return Err(cannot(info, "was too large to be recorded"));
            }
            Some(Content::Array(values)) => self.empty(&element, values.len()),
            _ => self.empty(&element, info.length.unwrap_or(0) as usize),
        };
        Ok((Expr::new(text, &info.class), None))
    }

    /// The characters of a text, or its bytes.
    fn of_text(&mut self, text: &str, element: &str) -> String {
        let literal = literal::string(&JavaString(text.encode_utf16().collect()));
        match element {
            "C" => format!("{literal}.toCharArray()"),
            _ => {
                let charsets = self.imports.class("java/nio/charset/StandardCharsets");
                format!("{literal}.getBytes({charsets}.UTF_8)")
            }
        }
    }

    /// An array as it is made.
    fn empty(&mut self, element: &str, length: usize) -> String {
        let core = element.trim_start_matches('[');
        let more = "[]".repeat(element.len() - core.len());
        format!("new {}[{length}]{more}", self.imports.descriptor(core))
    }

    /// An array of which few elements are set, one by one.
    fn sparse(
        &mut self,
        info: &ObjectInfo,
        values: &[Value],
        element: &str,
        zero: fn(&Value) -> bool,
    ) -> Result<Expr, Inexpressible> {
        let set = |(_, v): &(usize, &Value)| !zero(v);
        let mut items = Vec::new();
        for (at, value) in values.iter().enumerate().filter(set) {
            items.push((at, self.element(value, element)?));
        }
        let made = Expr::new(self.empty(element, values.len()), &info.class);
        let declared = self.imports.descriptor(&info.class);
        let array = self.declare(Some(info.id), &declared, made);
        for (at, item) in items {
            self.code(format!("{}[{at}] = {item};", array.text));
        }
        Ok(array)
    }

    /// The elements of an array or container, each as it is written down.
    pub(super) fn elements(
        &mut self,
        info: &ObjectInfo,
        values: &[Value],
        desc: &str,
    ) -> Result<Vec<String>, Inexpressible> {
        if values.len() > MAX_ELEMENTS {
            return Err(cannot(info, "has too many elements"));
        }
        values.iter().map(|v| self.element(v, desc)).collect()
    }

    /// What is assigned to an element; a constant that fits needs no cast for that (JLS §5.2).
    fn element(&mut self, value: &Value, desc: &str) -> Result<String, Inexpressible> {
        match (value, desc) {
            (Value::Prim(Prim::Byte(v)), "B") => Ok(v.to_string()),
            (Value::Prim(Prim::Short(v)), "S") => Ok(v.to_string()),
            _ => Ok(self.value(value, desc)?.text),
        }
    }
}

/// Would a person rather set the few elements that are not zero? In so short an array each is seen at a glance.
fn is_sparse(values: &[Value], zero: fn(&Value) -> bool) -> bool {
    let set = values.iter().filter(|v| !zero(v)).count();
    (1..=FEW).contains(&set) && values.len() >= LONG.max(4 * set)
}

/// The text whose bytes (UTF-8) or characters these are, if a person would take them for one.
fn text(values: &[Value], element: &str) -> Option<String> {
    if values.len() < TEXT {
        return None;
    }
    let text = match element {
        "B" => {
            let byte = |v: &Value| match v {
                Value::Prim(Prim::Byte(b)) => Some(b.to_ne_bytes()[0]),
                _ => None,
            };
            let bytes: Option<Vec<u8>> = values.iter().map(byte).collect();
            String::from_utf8(bytes?).ok()?
        }
        "C" => {
            let unit = |v: &Value| match v {
                Value::Prim(Prim::Char(c)) => Some(*c),
                _ => None,
            };
            let units: Option<Vec<u16>> = values.iter().map(unit).collect();
            String::from_utf16(&units?).ok()?
        }
        _ => return None,
    };
    let is_written = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    text.chars().all(is_written).then_some(text)
}
