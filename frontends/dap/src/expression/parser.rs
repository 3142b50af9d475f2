//! Reads expressions.

use jinsi_inspect::Path;
use jinsi_trace::model::{JavaString, Prim, Value};

use super::Expression;
use crate::error::DapError;

/// Operators by precedence, those that bind loosest first. Longer ones before those that begin like them.
const LEVELS: [&[&str]; 6] = [
    &["||"],
    &["&&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["+", "-"],
    &["*", "/", "%"],
];
/// Brackets and signs within each other.
const DEEPEST: usize = 64;

pub(super) fn parse(text: &str) -> Result<Expression, DapError> {
    let mut parser = Parser { rest: text };
    let expression = parser.level(0, 0)?;
    match parser.rest.trim() {
        "" => Ok(expression),
        rest => Err(DapError::Rest {
            rest: rest.to_owned(),
        }),
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn level(&mut self, level: usize, depth: usize) -> Result<Expression, DapError> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary(depth);
        };
        let mut left = self.level(level + 1, depth)?;
        while let Some(operator) = self.operator(operators) {
            let right = self.level(level + 1, depth)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        self.rest = self.rest.trim_start();
        let found = operators.iter().find(|one| self.rest.starts_with(**one))?;
        self.rest = &self.rest[found.len()..];
        Some(found)
    }

    fn unary(&mut self, depth: usize) -> Result<Expression, DapError> {
        if depth >= DEEPEST {
            return Err(DapError::TooDeep { most: DEEPEST });
        }
        self.rest = self.rest.trim_start();
        for operator in ['!', '-'] {
            if let Some(rest) = self.rest.strip_prefix(operator) {
                if operator == '-' && rest.starts_with(|c: char| c.is_ascii_digit()) {
                    break;
                }
                self.rest = rest;
                let operand = self.unary(depth + 1)?;
                return Ok(Expression::Unary(operator, Box::new(operand)));
            }
        }
        self.primary(depth)
    }

    fn primary(&mut self, depth: usize) -> Result<Expression, DapError> {
        if let Some(rest) = self.rest.strip_prefix('(') {
            self.rest = rest;
            let inner = self.level(0, depth + 1)?;
            self.rest = self.rest.trim_start();
            let rest = self.rest.strip_prefix(')');
            self.rest = rest.ok_or(DapError::Missing { character: ')' })?;
            return Ok(inner);
        }
        match self.rest.chars().next() {
            None => Err(DapError::End),
            Some('"') => self
                .quoted('"')
                .map(|text| Expression::Literal(Value::Str(JavaString::new(&text)))),
            Some('\'') => {
                let text = self.quoted('\'')?;
                let units: Vec<u16> = text.encode_utf16().collect();
                match units.as_slice() {
                    [unit] => Ok(Expression::Literal(Value::Prim(Prim::Char(*unit)))),
                    _ => Err(DapError::Character),
                }
            }
            Some(c) if c.is_ascii_digit() || c == '-' => self.number(),
            Some(_) => self.name(),
        }
    }

    /// What stands between two quotes.
    fn quoted(&mut self, quote: char) -> Result<String, DapError> {
        let mut text = String::new();
        let mut characters = self.rest.char_indices().skip(1);
        while let Some((at, c)) = characters.next() {
            match c {
                '\\' => match characters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, 'r')) => text.push('\r'),
                    Some((_, c @ ('\\' | '"' | '\''))) => text.push(c),
                    _ => return Err(DapError::Escape),
                },
                c if c == quote => {
                    self.rest = &self.rest[at + c.len_utf8()..];
                    return Ok(text);
                }
                c => text.push(c),
            }
        }
        Err(DapError::Missing { character: quote })
    }

    fn number(&mut self) -> Result<Expression, DapError> {
        let digits = self.rest.strip_prefix('-').unwrap_or(self.rest);
        let sign = self.rest.len() - digits.len();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.';
        let end = digits.find(|c| !is_part(c)).unwrap_or(digits.len());
        let (word, rest) = self.rest.split_at(sign + end);
        let long = word.strip_suffix(['l', 'L']);
        let value = match (long, word.parse::<i32>(), word.parse::<f64>()) {
            (Some(long), ..) => long.parse().ok().map(Prim::Long),
            (None, Ok(int), _) => Some(Prim::Int(int)),
            (None, Err(_), Ok(double)) if word.contains('.') => Some(Prim::Double(double)),
            _ => None,
        };
        let value = value.ok_or_else(|| DapError::Number {
            word: word.to_owned(),
        })?;
        self.rest = rest;
        Ok(Expression::Literal(Value::Prim(value)))
    }

    /// A word of Java's, or a variable with what is in it.
    fn name(&mut self) -> Result<Expression, DapError> {
        let end = path_ends(self.rest);
        let (text, rest) = self.rest.split_at(end);
        if text.is_empty() {
            return Err(DapError::Rest {
                rest: self.rest.to_owned(),
            });
        }
        if rest.trim_start().starts_with('(') {
            return Err(DapError::Call);
        }
        self.rest = rest;
        Ok(match text {
            "null" => Expression::Literal(Value::Null),
            "true" => Expression::Literal(Value::Prim(Prim::Boolean(true))),
            "false" => Expression::Literal(Value::Prim(Prim::Boolean(false))),
            text => Expression::Path(text.parse::<Path>()?),
        })
    }
}

/// Where a path ends that the text begins with.
fn path_ends(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            c if c.is_alphanumeric() || matches!(c, '_' | '$' | '.') => {}
            _ => return at,
        }
    }
    text.len()
}
