//! Arrays that a test makes itself.

use jinsi_trace::model::{Content, Prim, Value};

use super::Inexpressible;
use super::content::{MAX_ELEMENTS, cannot};
use super::java::{JavaExpr, JavaType, Primitive};
use super::writer::{Expr, Writer, at};
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
    ) -> Result<(Expr, Option<JavaType>), Inexpressible> {
        let ty = JavaType::class(&info.class);
        if !self.scope.type_accessible(&ty) {
            return Err(cannot(
                info,
                "has elements of a class that is not accessible",
            ));
        }
        let zero: fn(&Value) -> bool = |v| match v {
            Value::Prim(p) => p.to_word() == 0,
            v => *v == Value::Null,
        };
        let element = ty.element().cloned().unwrap_or_else(JavaType::object);
        let code = match content {
            Some(Content::Array(values)) if is_sparse(values, zero) => {
                return Ok((self.sparse(info, values, ty, zero)?, None));
            }
            Some(Content::Array(values)) if let Some(text) = text(values, &element) => {
                of_text(&text, ty)
            }
            Some(Content::Array(values)) if !values.is_empty() && !values.iter().all(zero) => {
                let items = self.elements(info, values, &element)?;
                JavaExpr::array_of(ty, items)
            }
            Some(Content::TooLarge { .. }) => {
                return Err(cannot(info, "was too large to be recorded"));
            }
            Some(Content::Array(values)) => JavaExpr::new_array(ty, values.len()),
            _ => JavaExpr::new_array(ty, info.length.unwrap_or(0) as usize),
        };
        Ok((code.into(), None))
    }

    /// An array of which few elements are set, one by one.
    fn sparse(
        &mut self,
        info: &ObjectInfo,
        values: &[Value],
        ty: JavaType,
        zero: fn(&Value) -> bool,
    ) -> Result<Expr, Inexpressible> {
        let element = ty.element().cloned().unwrap_or_else(JavaType::object);
        let set = |(_, v): &(u32, &Value)| !zero(v);
        let mut items = Vec::new();
        for (index, value) in (0..).zip(values).filter(set) {
            items.push((index, self.element(value, &element)?));
        }
        let made = JavaExpr::new_array(ty.clone(), values.len());
        let array = self.declare(Some(info.id), ty, made.into());
        for (index, item) in items {
            self.code(at(array.code.clone(), index).assign(item));
        }
        Ok(array)
    }

    /// The elements of an array or container, each as it is written down.
    pub(super) fn elements(
        &mut self,
        info: &ObjectInfo,
        values: &[Value],
        ty: &JavaType,
    ) -> Result<Vec<JavaExpr>, Inexpressible> {
        if values.len() > MAX_ELEMENTS {
            return Err(cannot(info, "has too many elements"));
        }
        values.iter().map(|v| self.element(v, ty)).collect()
    }

    /// What is assigned to an element; a constant that fits needs no cast for that (JLS §5.2).
    fn element(&mut self, value: &Value, ty: &JavaType) -> Result<JavaExpr, Inexpressible> {
        match (value, ty.primitive()) {
            (Value::Prim(Prim::Byte(v)), Some(Primitive::Byte)) => Ok(JavaExpr::int((*v).into())),
            (Value::Prim(Prim::Short(v)), Some(Primitive::Short)) => Ok(JavaExpr::int((*v).into())),
            _ => Ok(self.value(value, ty)?.code),
        }
    }
}

/// The characters of a text, or its bytes.
fn of_text(text: &str, ty: JavaType) -> JavaExpr {
    let literal = JavaExpr::text(text);
    if ty.element().and_then(JavaType::primitive) == Some(Primitive::Char) {
        return JavaExpr::call(literal, "toCharArray", Vec::new(), ty);
    }
    let charsets = JavaType::class("java/nio/charset/StandardCharsets");
    let charset = JavaType::class("java/nio/charset/Charset");
    let utf_8 = JavaExpr::field(charsets, "UTF_8", charset);
    JavaExpr::call(literal, "getBytes", vec![utf_8], ty)
}

/// Would a person rather set the few elements that are not zero? In so short an array each is seen at a glance.
fn is_sparse(values: &[Value], zero: fn(&Value) -> bool) -> bool {
    let set = values.iter().filter(|v| !zero(v)).count();
    (1..=FEW).contains(&set) && values.len() >= LONG.max(4 * set)
}

/// The text whose bytes (UTF-8) or characters these are, if a person would take them for one.
fn text(values: &[Value], element: &JavaType) -> Option<String> {
    if values.len() < TEXT {
        return None;
    }
    let text = match element.primitive()? {
        Primitive::Byte => {
            let byte = |v: &Value| match v {
                Value::Prim(Prim::Byte(b)) => Some(b.to_ne_bytes()[0]),
                _ => None,
            };
            let bytes: Option<Vec<u8>> = values.iter().map(byte).collect();
            String::from_utf8(bytes?).ok()?
        }
        Primitive::Char => {
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
