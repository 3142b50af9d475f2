//! A model of Java: types, expressions, statements and a class as trees, and the printer that makes a source of them.
//!
//! Whoever writes a test builds trees and never looks at text. The printer alone knows precedence and brackets, imports, the width of a line
//! and indentation.
//!
//! A printer for another language takes the same trees. It has tokens of its own (`tokens`: operators, casts, how an object is made) and
//! heads of its own for the class and its methods (`printer`); names, lines and trees stay as they are.

mod lines;
mod names;
mod printer;
mod tokens;
mod tree;
mod types;

#[cfg(test)]
mod tests;

pub use lines::{WIDTH, paragraph};
pub use names::{Names, source_path};
pub use printer::{extent, source, statements};
pub use tree::{
    Annotation, Doc, JavaClass, JavaExpr, JavaMethod, JavaStmt, LambdaBody, Local, Node, Operator,
    Paragraph, Parameter, Target, Variable,
};
pub use types::{JavaType, Primitive, method_type, package_of};
