//! Types.

use jinsi_classfile::descriptor::{MethodType, Type};
use jinsi_trace::model::Prim;

/// A primitive type (JLS §4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Primitive {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
}

impl Primitive {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Boolean,
        Self::Byte,
        Self::Char,
        Self::Short,
        Self::Int,
        Self::Long,
        Self::Float,
        Self::Double,
    ];

    /// The type that a descriptor names by this letter.
    pub fn of_letter(letter: char) -> Option<Self> {
        let at = "ZBCSIJFD".find(letter)?;
        Self::ALL.get(at).copied()
    }

    /// Its keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Byte => "byte",
            Self::Char => "char",
            Self::Short => "short",
            Self::Int => "int",
            Self::Long => "long",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// Simple name of the class of its boxes.
    pub fn box_name(self) -> &'static str {
        match self {
            Self::Boolean => "Boolean",
            Self::Byte => "Byte",
            Self::Char => "Character",
            Self::Short => "Short",
            Self::Int => "Integer",
            Self::Long => "Long",
            Self::Float => "Float",
            Self::Double => "Double",
        }
    }

    /// The class of its boxes.
    pub fn boxed(self) -> JavaType {
        JavaType::class(&format!("java/lang/{}", self.box_name()))
    }
}

/// A type. That of an expression is an erasure; type arguments are for what a source names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum JavaType {
    /// Of a call without result.
    Void,
    /// Of `null` (JLS §4.1).
    Null,
    /// A primitive type.
    Primitive(Primitive),
    /// A class or interface by its internal name, with its type arguments.
    Class(String, Vec<JavaType>),
    /// An array of such elements.
    Array(Box<JavaType>),
    /// `?`, as a type argument only.
    Wildcard,
}

impl JavaType {
    /// `int`.
    pub const INT: Self = Self::Primitive(Primitive::Int);
    /// `boolean`.
    pub const BOOLEAN: Self = Self::Primitive(Primitive::Boolean);

    /// The type that a class constant names: `java/util/List`, `[I`.
    pub fn class(name: &str) -> Self {
        match name.starts_with('[') {
            true => Self::of(name),
            false => Self::Class(name.to_owned(), Vec::new()),
        }
    }

    /// The type that a class object stands for: those of primitive types and `void` are named by their keywords (JLS §15.8.2).
    pub fn of_class_object(name: &str) -> Self {
        let mut primitives = Primitive::ALL.into_iter();
        match primitives.find(|primitive| primitive.keyword() == name) {
            Some(primitive) => Self::Primitive(primitive),
            None if name == "void" => Self::Void,
            None => Self::class(name),
        }
    }

    /// The type of a field descriptor; that of a broken one is taken for `Object`.
    pub fn of(desc: &str) -> Self {
        if let Some(element) = desc.strip_prefix('[') {
            return Self::of(element).array();
        }
        let ty = Type::parse(desc).ok();
        let primitive = ty.and_then(|ty| Primitive::of_letter(ty.letter()));
        match (primitive, ty.and_then(Type::class_name)) {
            (Some(primitive), _) => Self::Primitive(primitive),
            (None, Some(name)) => Self::Class(name.to_owned(), Vec::new()),
            (None, None) => Self::object(),
        }
    }

    /// The type of a primitive value.
    pub fn of_value(value: Prim) -> Self {
        Primitive::of_letter(value.letter()).map_or(Self::Void, Self::Primitive)
    }

    /// `java.lang.Object`.
    pub fn object() -> Self {
        Self::class("java/lang/Object")
    }

    /// `java.lang.String`.
    pub fn string() -> Self {
        Self::class("java/lang/String")
    }

    /// The same class with these type arguments.
    pub fn with(self, arguments: Vec<JavaType>) -> Self {
        match self {
            Self::Class(name, _) => Self::Class(name, arguments),
            other => other,
        }
    }

    /// An array of it.
    pub fn array(self) -> Self {
        Self::Array(Box::new(self))
    }

    /// Internal name of a class; `None` for arrays.
    pub fn class_name(&self) -> Option<&str> {
        match self {
            Self::Class(name, _) => Some(name),
            _ => None,
        }
    }

    /// The type of an array's elements.
    pub fn element(&self) -> Option<&JavaType> {
        match self {
            Self::Array(element) => Some(element),
            _ => None,
        }
    }

    /// The type without its dimensions.
    pub fn core(&self) -> &JavaType {
        match self {
            Self::Array(element) => element.core(),
            other => other,
        }
    }

    /// Dimensions of an array.
    pub fn dimensions(&self) -> usize {
        self.element().map_or(0, |element| 1 + element.dimensions())
    }

    /// The primitive type that it is.
    pub fn primitive(&self) -> Option<Primitive> {
        match self {
            Self::Primitive(primitive) => Some(*primitive),
            _ => None,
        }
    }

    /// The primitive type of which it has the boxes.
    pub fn unboxed(&self) -> Option<Primitive> {
        let simple = self.class_name()?.strip_prefix("java/lang/")?;
        Primitive::ALL.into_iter().find(|p| p.box_name() == simple)
    }

    /// A class or array?
    pub fn is_reference(&self) -> bool {
        matches!(self, Self::Class(..) | Self::Array(_))
    }

    /// An array?
    pub fn is_array(&self) -> bool {
        matches!(self, Self::Array(_))
    }

    /// Is it this class (internal name)?
    pub fn is_class(&self, name: &str) -> bool {
        self.class_name() == Some(name)
    }

    /// `Object` itself?
    pub fn is_object(&self) -> bool {
        self.is_class("java/lang/Object")
    }

    /// Has it type arguments?
    pub fn has_arguments(&self) -> bool {
        matches!(self, Self::Class(_, arguments) if !arguments.is_empty())
    }

    /// Slots of a local variable.
    pub fn slots(&self) -> u16 {
        match self.primitive() {
            Some(Primitive::Long | Primitive::Double) => 2,
            _ => 1,
        }
    }
}

/// Parameters and result of a method descriptor; a broken one has no parameters, and no result.
pub fn method_type(desc: &str) -> (Vec<JavaType>, Option<JavaType>) {
    let Ok(method) = MethodType::parse(desc) else {
        return (Vec::new(), None);
    };
    let params = method.params.iter().map(|p| JavaType::of(p.desc()));
    let result = method.result.map(|ty| JavaType::of(ty.desc()));
    (params.collect(), result)
}

/// Internal form of the package of a class: `java/util`, empty for the unnamed package.
pub fn package_of(internal: &str) -> &str {
    internal.rfind('/').map_or("", |at| &internal[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_objects_of_primitive_types_have_their_names() {
        let of = JavaType::of_class_object;
        assert_eq!([of("int"), of("void")], [JavaType::INT, JavaType::Void]);
        assert_eq!(of("[[I"), JavaType::INT.array().array());
        for class in ["Int", "java/lang/Integer"] {
            assert!(of(class).is_class(class));
        }
    }

    #[test]
    fn descriptors_are_types() {
        let (params, result) = method_type("(J[La/B;)[[Z");
        let long = JavaType::Primitive(Primitive::Long);
        assert_eq!(params, [long, JavaType::class("a/B").array()]);
        assert_eq!(result, Some(JavaType::BOOLEAN.array().array()));
        assert_eq!(method_type("()V"), (Vec::new(), None));
        // A damaged recording is no reason to panic.
        assert_eq!(method_type("(J"), (Vec::new(), None));
        assert_eq!(JavaType::of("La/B"), JavaType::object());
    }
}
