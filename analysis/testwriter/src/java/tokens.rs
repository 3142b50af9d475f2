//! From trees to the tokens of a line: names, brackets where precedence needs them, and the places where a long line may be broken.

use std::cmp::Ordering;

use jinsi_trace::model::{JavaString, Prim};

use super::names::Names;
use super::tree::{
    JavaExpr, JavaStmt, LambdaBody, Local, Node, Operator, Parameter, Target, Variable,
};
use super::types::JavaType;
use crate::literal;

/// A part of a line that cannot be broken, or a place where it can.
#[derive(Clone, Debug)]
pub(super) enum Token<'t> {
    /// Names and keywords.
    Word(String),
    /// A literal with characters, and these; `free`: it stands alone where a sum could as well.
    Literal {
        code: String,
        units: JavaString,
        free: bool,
    },
    Open(char),
    Close(char),
    Comma,
    Dot,
    /// Of a declaration or assignment.
    Assign,
    /// Of a lambda.
    Arrow,
    /// Between operands.
    Sign(&'static str),
    /// Of a statement.
    End,
    /// Statements in braces.
    Block(&'t [JavaStmt]),
}

/// How an expression holds together, the loosest first (JLS §15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binds {
    Assignment,
    Lambda,
    Choice,
    Or,
    And,
    Equality,
    Relation,
    Sum,
    Product,
    Unary,
    /// An array that is made: an index behind it would be a dimension.
    Creation,
    Primary,
}

impl Binds {
    fn of(expr: &JavaExpr) -> Self {
        match &expr.node {
            Node::Literal(value) if is_signed(*value) => Self::Unary,
            Node::Literal(Prim::Byte(_) | Prim::Short(_)) | Node::Not(_) => Self::Unary,
            // What is cast reaches as far as the body of the lambda does.
            Node::Cast(_, operand) if Self::of(operand) == Self::Lambda => Self::Lambda,
            Node::Cast(..) => Self::Unary,
            Node::Assign(..) => Self::Assignment,
            Node::Lambda(..) => Self::Lambda,
            Node::Choice(_) => Self::Choice,
            Node::InstanceOf(..) => Self::Relation,
            Node::Binary(_, sign, _) => Self::of_sign(*sign),
            Node::NewArray(_) | Node::ArrayOf(_) => Self::Creation,
            _ => Self::Primary,
        }
    }

    fn of_sign(sign: Operator) -> Self {
        use Operator::*;
        match sign {
            Multiply | Divide | Remainder => Self::Product,
            Plus | Minus => Self::Sum,
            Less | LessOrEqual | Greater | GreaterOrEqual => Self::Relation,
            Equal | Unequal => Self::Equality,
            And => Self::And,
            Or => Self::Or,
        }
    }

    /// The next closer one.
    fn closer(self) -> Self {
        match self {
            Self::Or => Self::And,
            Self::And => Self::Equality,
            Self::Equality => Self::Relation,
            Self::Relation => Self::Sum,
            Self::Sum => Self::Product,
            _ => Self::Unary,
        }
    }
}

/// Is it written with a sign?
fn is_signed(value: Prim) -> bool {
    match value {
        Prim::Int(v) => v < 0 && v != i32::MIN,
        Prim::Long(v) => v < 0 && v != i64::MIN,
        Prim::Float(v) => v.is_sign_negative() && v.is_finite(),
        Prim::Double(v) => v.is_sign_negative() && v.is_finite(),
        Prim::Boolean(_) | Prim::Byte(_) | Prim::Short(_) | Prim::Char(_) => false,
    }
}

/// Puts the tokens of one statement together.
pub(super) struct Tokens<'t, 'n, 'a> {
    names: &'n mut Names<'a>,
    out: Vec<Token<'t>>,
}

impl<'t, 'n, 'a> Tokens<'t, 'n, 'a> {
    /// The tokens that `put` puts.
    pub(super) fn of(
        names: &'n mut Names<'a>,
        put: impl FnOnce(&mut Tokens<'t, 'n, 'a>),
    ) -> Vec<Token<'t>> {
        let out = Vec::new();
        let mut tokens = Self { names, out };
        put(&mut tokens);
        tokens.out
    }

    fn word(&mut self, text: impl Into<String>) {
        self.out.push(Token::Word(text.into()));
    }

    /// A statement that is no remark.
    pub(super) fn statement(&mut self, stmt: &'t JavaStmt) {
        match stmt {
            JavaStmt::Expression(expr) => self.free(expr),
            JavaStmt::Local(local) => self.local(local),
            JavaStmt::Return(value) => {
                self.word("return ");
                self.free(value);
            }
            JavaStmt::Try {
                resources,
                body,
                catch,
            } => {
                self.word("try ");
                if !resources.is_empty() {
                    self.out.push(Token::Open('('));
                    for (at, resource) in resources.iter().enumerate() {
                        if at > 0 {
                            self.word("; ");
                        }
                        self.local(resource);
                    }
                    self.out.push(Token::Close(')'));
                    self.word(" ");
                }
                self.out.push(Token::Block(body));
                if let Some((ty, variable, handler)) = catch {
                    self.word(" catch (");
                    self.ty(ty);
                    self.word(format!(" {variable}) "));
                    self.out.push(Token::Block(handler));
                }
                return;
            }
            JavaStmt::Comment(text) => return self.word(format!("/* {text} */")),
            JavaStmt::Blank | JavaStmt::Disabled(_) => return,
        }
        self.out.push(Token::End);
    }

    /// A declaration, without a semicolon.
    pub(super) fn local(&mut self, local: &'t Local) {
        if local.is_final {
            self.word("final ");
        }
        match &local.ty {
            Some(ty) => self.ty(ty),
            None => self.word("var"),
        }
        self.word(format!(" {}", local.variable));
        self.out.push(Token::Assign);
        self.free(&local.init);
    }

    pub(super) fn ty(&mut self, ty: &JavaType) {
        match ty {
            JavaType::Void => self.word("void"),
            // No source can name it: the type of a variable for it is that of all.
            JavaType::Null => self.word("Object"),
            JavaType::Wildcard => self.word("?"),
            JavaType::Primitive(primitive) => self.word(primitive.keyword()),
            JavaType::Array(element) => {
                self.ty(element);
                self.word("[]");
            }
            JavaType::Class(name, arguments) => {
                let name = self.names.class(name);
                self.word(name);
                for (at, argument) in arguments.iter().enumerate() {
                    match at {
                        0 => self.word("<"),
                        _ => self.out.push(Token::Comma),
                    }
                    self.ty(argument);
                }
                if !arguments.is_empty() {
                    self.word(">");
                }
            }
        }
    }

    /// An expression where any may stand.
    pub(super) fn free(&mut self, expr: &'t JavaExpr) {
        let at = self.out.len();
        self.operand(expr, Binds::Assignment);
        if let (Node::Text(_), Some(Token::Literal { free, .. })) =
            (&expr.node, self.out.get_mut(at))
        {
            *free = true;
        }
    }

    fn all(&mut self, exprs: &'t [JavaExpr]) {
        for (at, expr) in exprs.iter().enumerate() {
            if at > 0 {
                self.out.push(Token::Comma);
            }
            self.free(expr);
        }
    }

    fn arguments(&mut self, args: &'t [JavaExpr]) {
        self.out.push(Token::Open('('));
        self.all(args);
        self.out.push(Token::Close(')'));
    }

    /// Where only what binds so closely may stand without brackets.
    fn operand(&mut self, expr: &'t JavaExpr, least: Binds) {
        match Binds::of(expr).cmp(&least) {
            Ordering::Less => {
                self.out.push(Token::Open('('));
                self.node(expr);
                self.out.push(Token::Close(')'));
            }
            _ => self.node(expr),
        }
    }

    fn node(&mut self, expr: &'t JavaExpr) {
        match &expr.node {
            Node::Literal(value) => self.literal(*value),
            Node::Text(text) => self.out.push(Token::Literal {
                code: literal::string(text),
                units: text.clone(),
                free: false,
            }),
            Node::Null => self.word("null"),
            Node::This => self.word("this"),
            Node::ClassLiteral(ty) => {
                self.ty(ty);
                self.word(".class");
            }
            Node::Name(variable) => self.word(variable.to_string()),
            Node::Field(of, name) => self.member(of, name),
            Node::Call(of, name, args) => {
                self.member(of, name);
                self.arguments(args);
            }
            Node::New {
                outer,
                diamond,
                args,
            } => self.making(&expr.ty, outer.as_deref(), *diamond, args),
            Node::NewArray(length) => self.new_array(&expr.ty, length),
            Node::ArrayOf(items) => {
                self.word("new ");
                self.ty(&expr.ty);
                self.word(" ");
                self.out.push(Token::Open('{'));
                self.all(items);
                self.out.push(Token::Close('}'));
            }
            Node::Element(array, index) => {
                self.operand(array, Binds::Primary);
                self.out.push(Token::Open('['));
                self.operand(index, Binds::Assignment);
                self.out.push(Token::Close(']'));
            }
            Node::Cast(ty, operand) => self.cast(ty, operand),
            Node::Assign(place, value) => {
                self.operand(place, Binds::Primary);
                self.out.push(Token::Assign);
                self.free(value);
            }
            Node::Not(operand) => {
                self.word("!");
                self.operand(operand, Binds::Unary);
            }
            Node::Binary(left, sign, right) => {
                let binds = Binds::of_sign(*sign);
                self.operand(left, binds);
                self.out.push(Token::Sign(sign.sign()));
                // In which order conditions are joined makes no difference.
                let least = match sign {
                    Operator::And | Operator::Or => binds,
                    _ => binds.closer(),
                };
                self.operand(right, least);
            }
            Node::InstanceOf(operand, class) => {
                self.operand(operand, Binds::Sum);
                self.word(" instanceof ");
                self.ty(class);
            }
            Node::Choice(parts) => {
                let [condition, yes, no] = &**parts;
                self.operand(condition, Binds::Or);
                self.out.push(Token::Sign("?"));
                self.operand(yes, Binds::Assignment);
                self.out.push(Token::Sign(":"));
                self.operand(no, Binds::Lambda);
            }
            Node::Lambda(parameters, body) => self.lambda(parameters, body),
            Node::Reference(of, name) => {
                self.target(of);
                self.word(format!("::{name}"));
            }
        }
    }

    fn literal(&mut self, value: Prim) {
        let code = literal::primitive(value);
        match value {
            Prim::Char(unit) => self.out.push(Token::Literal {
                code,
                units: JavaString([unit].into()),
                free: false,
            }),
            _ => self.word(code),
        }
    }

    /// The object or class whose member is named.
    fn target(&mut self, of: &'t Target) {
        match of {
            Target::Of(receiver) => self.operand(receiver, Binds::Primary),
            Target::Static(class) => self.ty(class),
            Target::Imported(_) | Target::Own => {}
        }
    }

    fn member(&mut self, of: &'t Target, name: &str) {
        match of {
            Target::Of(_) | Target::Static(_) => {
                self.target(of);
                self.out.push(Token::Dot);
                self.word(name);
            }
            Target::Imported(class) => {
                let name = self.names.member(class, name);
                self.word(name);
            }
            Target::Own => self.word(name),
        }
    }

    fn making(
        &mut self,
        ty: &JavaType,
        outer: Option<&'t JavaExpr>,
        diamond: bool,
        args: &'t [JavaExpr],
    ) {
        match outer {
            // Its class is found in that of the enclosing instance (JLS §15.9.1).
            Some(outer) => {
                self.operand(outer, Binds::Primary);
                self.out.push(Token::Dot);
                let simple = self.names.simple(ty.class_name().unwrap_or_default());
                self.word(format!("new {simple}"));
            }
            None => {
                self.word("new ");
                self.ty(ty);
            }
        }
        if diamond {
            self.word("<>");
        }
        self.arguments(args);
    }

    /// `new Type[length][]`: the known dimension comes first.
    fn new_array(&mut self, ty: &JavaType, length: &'t JavaExpr) {
        self.word("new ");
        self.ty(ty.core());
        self.out.push(Token::Open('['));
        self.operand(length, Binds::Assignment);
        self.out.push(Token::Close(']'));
        for _ in 1..ty.dimensions() {
            self.word("[]");
        }
    }

    fn cast(&mut self, ty: &JavaType, operand: &'t JavaExpr) {
        self.out.push(Token::Open('('));
        self.ty(ty);
        self.out.push(Token::Close(')'));
        self.word(" ");
        // `(Integer) -5` would be a subtraction.
        let signed = matches!(operand.node, Node::Literal(value) if is_signed(value));
        let least = match Binds::of(operand) {
            Binds::Lambda => Binds::Lambda,
            _ if signed && ty.primitive().is_none() => Binds::Creation,
            _ => Binds::Unary,
        };
        self.operand(operand, least);
    }

    fn lambda(&mut self, parameters: &[Parameter], body: &'t LambdaBody) {
        match parameters {
            [Parameter { variable, ty: None }] => self.word(variable.to_string()),
            all => {
                self.out.push(Token::Open('('));
                for (at, Parameter { variable, ty }) in all.iter().enumerate() {
                    if at > 0 {
                        self.out.push(Token::Comma);
                    }
                    self.parameter(variable, ty.as_ref());
                }
                self.out.push(Token::Close(')'));
            }
        }
        self.out.push(Token::Arrow);
        match body {
            LambdaBody::Value(value) => self.free(value),
            LambdaBody::Block(statements) => self.out.push(Token::Block(statements)),
        }
    }

    fn parameter(&mut self, variable: &Variable, ty: Option<&JavaType>) {
        if let Some(ty) = ty {
            self.ty(ty);
            self.word(" ");
        }
        self.word(variable.to_string());
    }
}
