//! Expressions, statements and classes as trees.

use std::fmt;

use jinsi_trace::model::{JavaString, Prim};

use super::types::JavaType;

/// A local variable or parameter. Those of one stem are numbered from the second on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// The name without its number.
    pub stem: String,
    /// Which of those with this stem; the first has no number.
    pub number: u32,
}

impl Variable {
    /// The first of its stem.
    pub fn new(stem: &str) -> Self {
        Self {
            stem: stem.to_owned(),
            number: 1,
        }
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            1 => f.write_str(&self.stem),
            number => write!(f, "{}{number}", self.stem),
        }
    }
}

/// An expression with its type, an erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaExpr {
    /// Its static type. That of a call on which nothing depends may be `Object`, or `void`.
    pub ty: JavaType,
    /// What it is.
    pub node: Node,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A primitive value.
    Literal(Prim),
    /// A text.
    Text(JavaString),
    /// `null`.
    Null,
    /// `this`.
    This,
    /// `Type.class`.
    ClassLiteral(JavaType),
    /// A variable.
    Name(Variable),
    /// `of.name`.
    Field(Target, String),
    /// `of.name(args)`.
    Call(Target, String, Vec<JavaExpr>),
    /// `outer.new Type<>(args)`; the type is that of the expression.
    New {
        /// The enclosing instance of an inner class.
        outer: Option<Box<JavaExpr>>,
        /// The compiler infers the type arguments.
        diamond: bool,
        /// The arguments.
        args: Vec<JavaExpr>,
    },
    /// `new Type[length]`.
    NewArray(Box<JavaExpr>),
    /// `new Type[] {…}`.
    ArrayOf(Vec<JavaExpr>),
    /// `array[index]`.
    Element(Box<JavaExpr>, Box<JavaExpr>),
    /// `(Type) operand`; the type may have arguments that the expression's own has not.
    Cast(JavaType, Box<JavaExpr>),
    /// `place = value`.
    Assign(Box<JavaExpr>, Box<JavaExpr>),
    /// `!operand`.
    Not(Box<JavaExpr>),
    /// `left sign right`.
    Binary(Box<JavaExpr>, Operator, Box<JavaExpr>),
    /// `operand instanceof Type`.
    InstanceOf(Box<JavaExpr>, JavaType),
    /// `condition ? yes : no`.
    Choice(Box<[JavaExpr; 3]>),
    /// `(parameters) -> body`.
    Lambda(Vec<Parameter>, LambdaBody),
    /// `of::name`; a constructor's name is `new`.
    Reference(Target, String),
}

/// Whose member is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// That of an object.
    Of(Box<JavaExpr>),
    /// A static one, named by its class.
    Static(JavaType),
    /// A static one of this class (internal name), named by an import of its own.
    Imported(&'static str),
    /// The test's own, inherited.
    Own,
}

/// A parameter of a lambda, with its type unless that is inferred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub variable: Variable,
    /// Its type, where it is written down.
    pub ty: Option<JavaType>,
}

/// What a lambda does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LambdaBody {
    /// It gives, or evaluates, this.
    Value(Box<JavaExpr>),
    /// It runs these statements.
    Block(Vec<JavaStmt>),
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operator {
    Multiply,
    Divide,
    Remainder,
    Plus,
    Minus,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Unequal,
    And,
    Or,
}

impl Operator {
    /// Its sign in Java.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Equal => "==",
            Self::Unequal => "!=",
            Self::And => "&&",
            Self::Or => "||",
        }
    }
}

impl Target {
    fn receiver(&self) -> Option<&JavaExpr> {
        match self {
            Self::Of(receiver) => Some(receiver),
            _ => None,
        }
    }

    fn receiver_mut(&mut self) -> Option<&mut JavaExpr> {
        match self {
            Self::Of(receiver) => Some(receiver),
            _ => None,
        }
    }
}

impl From<JavaExpr> for Target {
    fn from(receiver: JavaExpr) -> Self {
        Self::Of(Box::new(receiver))
    }
}

impl From<JavaType> for Target {
    fn from(class: JavaType) -> Self {
        Self::Static(class)
    }
}

impl JavaExpr {
    /// An expression of this type.
    pub fn new(ty: JavaType, node: Node) -> Self {
        Self { ty, node }
    }

    /// A primitive value.
    pub fn literal(value: Prim) -> Self {
        Self::new(JavaType::of_value(value), Node::Literal(value))
    }

    /// An `int`.
    pub fn int(value: i32) -> Self {
        Self::literal(Prim::Int(value))
    }

    /// A text.
    pub fn text(text: &str) -> Self {
        Self::string(JavaString::new(text))
    }

    /// A text as Java has it.
    pub fn string(text: JavaString) -> Self {
        Self::new(JavaType::string(), Node::Text(text))
    }

    /// `null`.
    pub fn null() -> Self {
        Self::new(JavaType::Null, Node::Null)
    }

    /// `Type.class`.
    pub fn class(ty: JavaType) -> Self {
        Self::new(JavaType::class("java/lang/Class"), Node::ClassLiteral(ty))
    }

    /// A variable.
    pub fn name(variable: Variable, ty: JavaType) -> Self {
        Self::new(ty, Node::Name(variable))
    }

    /// A field of an object or class.
    pub fn field(of: impl Into<Target>, name: &str, ty: JavaType) -> Self {
        Self::new(ty, Node::Field(of.into(), name.to_owned()))
    }

    /// A call of a method of an object or class.
    pub fn call(of: impl Into<Target>, name: &str, args: Vec<JavaExpr>, ty: JavaType) -> Self {
        Self::new(ty, Node::Call(of.into(), name.to_owned(), args))
    }

    /// A call of a static method that gives an object of its own class.
    pub fn factory(class: JavaType, name: &str, args: Vec<JavaExpr>) -> Self {
        Self::call(class.clone(), name, args, class)
    }

    /// `new Type(args)`.
    pub fn make(ty: JavaType, args: Vec<JavaExpr>) -> Self {
        Self::make_generic(ty, false, args)
    }

    /// `new Type<>(args)`, if `diamond` says so.
    pub fn make_generic(ty: JavaType, diamond: bool, args: Vec<JavaExpr>) -> Self {
        let outer = None;
        Self::new(
            ty,
            Node::New {
                outer,
                diamond,
                args,
            },
        )
    }

    /// An array of this type that has these elements.
    pub fn array_of(ty: JavaType, items: Vec<JavaExpr>) -> Self {
        Self::new(ty, Node::ArrayOf(items))
    }

    /// An array of this type as it is made.
    pub fn new_array(ty: JavaType, length: usize) -> Self {
        let length = Self::int(i32::try_from(length).unwrap_or(i32::MAX));
        Self::new(ty, Node::NewArray(Box::new(length)))
    }

    /// The element of this array.
    pub fn element(self, index: JavaExpr) -> Self {
        let ty = self.ty.element().cloned().unwrap_or_else(JavaType::object);
        Self::new(ty, Node::Element(Box::new(self), Box::new(index)))
    }

    /// `(Type) this`.
    pub fn cast(self, ty: JavaType) -> Self {
        let erased = match &ty {
            JavaType::Class(name, _) => JavaType::class(name),
            other => other.clone(),
        };
        Self::new(erased, Node::Cast(ty, Box::new(self)))
    }

    /// `this = value`.
    pub fn assign(self, value: JavaExpr) -> Self {
        let ty = self.ty.clone();
        Self::new(ty, Node::Assign(Box::new(self), Box::new(value)))
    }

    /// `!this`.
    pub fn negated(self) -> Self {
        Self::new(JavaType::BOOLEAN, Node::Not(Box::new(self)))
    }

    /// `this sign right`, of this type.
    pub fn binary(self, sign: Operator, right: JavaExpr, ty: JavaType) -> Self {
        Self::new(ty, Node::Binary(Box::new(self), sign, Box::new(right)))
    }

    /// `this + right`, a text.
    pub fn concat(self, right: JavaExpr) -> Self {
        self.binary(Operator::Plus, right, JavaType::string())
    }

    /// `this instanceof Type`.
    pub fn instance_of(self, class: JavaType) -> Self {
        Self::new(JavaType::BOOLEAN, Node::InstanceOf(Box::new(self), class))
    }

    /// `this ? yes : no`, of this type.
    pub fn choose(self, yes: JavaExpr, no: JavaExpr, ty: JavaType) -> Self {
        Self::new(ty, Node::Choice(Box::new([self, yes, no])))
    }

    /// The variable that it is.
    pub fn variable(&self) -> Option<&Variable> {
        match &self.node {
            Node::Name(variable) => Some(variable),
            _ => None,
        }
    }

    /// The `int` that it is a literal of.
    pub fn as_int(&self) -> Option<i32> {
        match self.node {
            Node::Literal(Prim::Int(value)) => Some(value),
            _ => None,
        }
    }

    /// Does it make an array? As a receiver, that needs brackets.
    pub fn is_array_creation(&self) -> bool {
        matches!(self.node, Node::NewArray(_) | Node::ArrayOf(_))
    }

    /// Can it be a statement (JLS §14.8)?
    pub fn is_statement(&self) -> bool {
        matches!(
            self.node,
            Node::Call(..) | Node::New { .. } | Node::Assign(..)
        )
    }

    /// Does it, or a part of it, have this property?
    pub fn any(&self, property: &mut dyn FnMut(&JavaExpr) -> bool) -> bool {
        property(self) || self.parts().into_iter().any(|part| part.any(property))
    }

    /// How often it mentions the variable.
    pub fn mentions(&self, variable: &Variable) -> usize {
        let parts = self.parts().into_iter();
        usize::from(self.variable() == Some(variable))
            + parts.map(|part| part.mentions(variable)).sum::<usize>()
    }

    /// Changes each variable in it.
    pub fn each_variable(&mut self, change: &mut dyn FnMut(&mut Variable)) {
        match &mut self.node {
            Node::Name(variable) => change(variable),
            Node::Lambda(parameters, _) => {
                let variables = parameters.iter_mut().map(|p| &mut p.variable);
                variables.for_each(&mut *change);
            }
            _ => {}
        }
        let parts = self.parts_mut().into_iter();
        parts.for_each(|part| part.each_variable(change));
    }

    /// The expressions that it is made of, in the order in which they are evaluated.
    pub fn parts(&self) -> Vec<&JavaExpr> {
        match &self.node {
            Node::Literal(_) | Node::Text(_) | Node::Null | Node::This => Vec::new(),
            Node::ClassLiteral(_) | Node::Name(_) => Vec::new(),
            Node::Field(of, _) | Node::Reference(of, _) => of.receiver().into_iter().collect(),
            Node::Call(of, _, args) => of.receiver().into_iter().chain(args).collect(),
            Node::New { outer, args, .. } => outer.as_deref().into_iter().chain(args).collect(),
            Node::ArrayOf(items) => items.iter().collect(),
            Node::NewArray(one) | Node::Cast(_, one) => vec![one],
            Node::Not(one) | Node::InstanceOf(one, _) => vec![one],
            Node::Element(one, other) | Node::Assign(one, other) => vec![one, other],
            Node::Binary(one, _, other) => vec![one, other],
            Node::Choice(all) => all.iter().collect(),
            Node::Lambda(_, LambdaBody::Value(value)) => vec![value],
            Node::Lambda(_, LambdaBody::Block(all)) => {
                all.iter().flat_map(JavaStmt::parts).collect()
            }
        }
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> Vec<&mut JavaExpr> {
        match &mut self.node {
            Node::Literal(_) | Node::Text(_) | Node::Null | Node::This => Vec::new(),
            Node::ClassLiteral(_) | Node::Name(_) => Vec::new(),
            Node::Field(of, _) | Node::Reference(of, _) => of.receiver_mut().into_iter().collect(),
            Node::Call(of, _, args) => of.receiver_mut().into_iter().chain(args).collect(),
            Node::New { outer, args, .. } => outer.as_deref_mut().into_iter().chain(args).collect(),
            Node::ArrayOf(items) => items.iter_mut().collect(),
            Node::NewArray(one) | Node::Cast(_, one) => vec![one],
            Node::Not(one) | Node::InstanceOf(one, _) => vec![one],
            Node::Element(one, other) | Node::Assign(one, other) => vec![one, other],
            Node::Binary(one, _, other) => vec![one, other],
            Node::Choice(all) => all.iter_mut().collect(),
            Node::Lambda(_, LambdaBody::Value(value)) => vec![value],
            Node::Lambda(_, LambdaBody::Block(all)) => {
                all.iter_mut().flat_map(JavaStmt::parts_mut).collect()
            }
        }
    }
}

/// A local variable or field, and what it is at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// It is said that it stays what it is.
    pub is_final: bool,
    /// Its type as it is declared; `None`: `var`.
    pub ty: Option<JavaType>,
    /// Its name.
    pub variable: Variable,
    /// What it is at first.
    pub init: JavaExpr,
    /// Its type says nothing that the initializer does not: wherever the variable stands, the initializer could.
    pub movable: bool,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JavaStmt {
    /// One that is evaluated.
    Expression(JavaExpr),
    /// The declaration of a variable.
    Local(Local),
    /// `return value;`
    Return(JavaExpr),
    /// `try (resources) { body } catch (Exception variable) { handler }`; without a `catch` if there is none.
    Try {
        /// What is closed behind it.
        resources: Vec<Local>,
        /// What is tried.
        body: Vec<JavaStmt>,
        /// The exception's type, its name, and what is done about it.
        catch: Option<(JavaType, Variable, Vec<JavaStmt>)>,
    },
    /// An empty line.
    Blank,
    /// A remark.
    Comment(String),
    /// Statements that are left to the reader, as a remark. Nothing is imported for them.
    Disabled(Vec<JavaStmt>),
}

impl JavaStmt {
    /// The expressions in it, in the order in which they are evaluated.
    pub fn parts(&self) -> Vec<&JavaExpr> {
        match self {
            Self::Expression(one) | Self::Return(one) => vec![one],
            Self::Local(local) => vec![&local.init],
            Self::Try {
                resources,
                body,
                catch,
            } => {
                let handler = catch.iter().flat_map(|(_, _, handler)| handler);
                let inner = body.iter().chain(handler).flat_map(Self::parts);
                resources.iter().map(|r| &r.init).chain(inner).collect()
            }
            Self::Disabled(all) => all.iter().flat_map(Self::parts).collect(),
            Self::Blank | Self::Comment(_) => Vec::new(),
        }
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> Vec<&mut JavaExpr> {
        match self {
            Self::Expression(one) | Self::Return(one) => vec![one],
            Self::Local(local) => vec![&mut local.init],
            Self::Try {
                resources,
                body,
                catch,
            } => {
                let handler = catch.iter_mut().flat_map(|(_, _, handler)| handler);
                let inner = body.iter_mut().chain(handler).flat_map(Self::parts_mut);
                resources
                    .iter_mut()
                    .map(|r| &mut r.init)
                    .chain(inner)
                    .collect()
            }
            Self::Disabled(all) => all.iter_mut().flat_map(Self::parts_mut).collect(),
            Self::Blank | Self::Comment(_) => Vec::new(),
        }
    }

    /// How often it mentions the variable, apart from a declaration.
    pub fn mentions(&self, variable: &Variable) -> usize {
        let parts = self.parts().into_iter();
        parts.map(|part| part.mentions(variable)).sum()
    }

    /// The variables that it declares for the statements behind it, or for its own handler.
    pub fn declared(&mut self) -> Vec<&mut Variable> {
        match self {
            Self::Local(local) => vec![&mut local.variable],
            Self::Try {
                resources, catch, ..
            } => {
                let resources = resources.iter_mut().map(|r| &mut r.variable);
                resources.chain(catch.as_mut().map(|(_, v, _)| v)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// An annotation, with the values of its elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// Its interface.
    pub class: JavaType,
    /// Names and values; a single one without a name is `value`.
    pub values: Vec<(&'static str, Vec<JavaExpr>)>,
}

/// A documentation comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doc {
    /// One line.
    Short(String),
    /// Several paragraphs.
    Long(Vec<Paragraph>),
}

/// A part of a documentation comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Paragraph {
    /// Words that are filled into lines.
    Words(String),
    /// Lines as they are.
    Lines(Vec<String>),
}

/// A method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaMethod {
    /// Its comment.
    pub doc: Option<Doc>,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// `public`, …
    pub modifiers: &'static str,
    /// Its name; it takes and gives nothing.
    pub name: String,
    /// What it may throw.
    pub throws: Option<JavaType>,
    /// What it does.
    pub body: Vec<JavaStmt>,
}

/// A source file with one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaClass {
    /// Its comment.
    pub doc: Option<Doc>,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// `public`, …
    pub modifiers: &'static str,
    /// Its simple name.
    pub name: String,
    /// Its superclass.
    pub extends: Option<JavaType>,
    /// What is said of the fields.
    pub remark: Option<&'static str>,
    /// Its private fields.
    pub fields: Vec<Local>,
    /// Its methods; the test is the last one.
    pub methods: Vec<JavaMethod>,
}
