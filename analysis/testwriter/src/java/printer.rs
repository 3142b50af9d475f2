//! From trees to a source file.

use super::lines::{FURTHER, WIDTH, broken, columns, inline, paragraph};
use super::names::Names;
use super::tokens::{Token, Tokens};
use super::tree::{Annotation, Doc, JavaClass, JavaMethod, JavaStmt, Local, Paragraph};

/// Blanks of a level of indentation.
const LEVEL: usize = 4;

/// Columns of a statement on one line, and round brackets that are open in it at a time, at most.
pub fn extent(stmt: &JavaStmt, names: &mut Names<'_>) -> (usize, usize) {
    let tokens = Tokens::of(names, |t| t.statement(stmt));
    let tokens = flat(&tokens, names);
    let (mut depth, mut deepest) = (0usize, 0);
    for token in &tokens {
        match token {
            Token::Open('(') => depth += 1,
            Token::Close(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    (columns(&inline(&tokens)), deepest)
}

/// Statements, each on lines of its own.
pub fn statements(statements: &[JavaStmt], indent: usize, names: &mut Names<'_>) -> String {
    let mut printer = Printer {
        names,
        out: String::new(),
    };
    printer.all(statements, indent);
    printer.out
}

/// The source file of a class in `package` (internal form).
pub fn source(class: &JavaClass, package: &str, names: &mut Names<'_>) -> String {
    let mut printer = Printer {
        names,
        out: String::new(),
    };
    // The simple names belong to what the test is about, before what runs it.
    let bodies = class.methods.iter().rev().map(|m| printer.body(m));
    let mut bodies: Vec<String> = bodies.collect();
    printer.class(class, &mut bodies);
    let text = std::mem::take(&mut printer.out);
    let package = match package {
        "" => String::new(),
        package => format!("package {};\n\n", package.replace('/', ".")),
    };
    format!("{package}{}{text}", names.imports())
}

/// The tokens with the statements of blocks on the same line.
fn flat<'t>(tokens: &[Token<'t>], names: &mut Names<'_>) -> Vec<Token<'t>> {
    let mut out = Vec::new();
    for token in tokens {
        let Token::Block(statements) = token else {
            out.push(token.clone());
            continue;
        };
        out.push(Token::Word("{ ".into()));
        for stmt in *statements {
            let inner = Tokens::of(names, |t| t.statement(stmt));
            out.extend(flat(&inner, names));
            out.push(Token::Word(" ".into()));
        }
        out.push(Token::Word("}".into()));
    }
    out
}

/// A source in the making.
struct Printer<'n, 'a> {
    names: &'n mut Names<'a>,
    out: String,
}

impl Printer<'_, '_> {
    fn all(&mut self, statements: &[JavaStmt], indent: usize) {
        for stmt in statements {
            self.statement(stmt, indent);
        }
    }

    fn statement(&mut self, stmt: &JavaStmt, indent: usize) {
        match stmt {
            JavaStmt::Blank => self.out.push('\n'),
            JavaStmt::Comment(text) => {
                let margin = " ".repeat(indent) + "// ";
                self.out.push_str(&paragraph(text, &margin));
            }
            JavaStmt::Disabled(all) => self.disabled(all, indent),
            stmt => {
                let tokens = Tokens::of(self.names, |t| t.statement(stmt));
                let is_block = matches!(stmt, JavaStmt::Try { .. });
                match is_block || reads_like_a_block(&tokens, indent) {
                    true => self.with_blocks(&tokens, indent),
                    false => self.in_links(&tokens, indent),
                }
            }
        }
    }

    /// Statements as a comment.
    fn disabled(&mut self, all: &[JavaStmt], indent: usize) {
        let margin = " ".repeat(indent) + "// ";
        let names = &mut self.names.clone();
        names.complete = true;
        for line in statements(all, margin.len(), names).lines() {
            let code = line.get(margin.len()..).unwrap_or_default();
            self.out.push_str(&margin);
            self.out.push_str(code);
            self.out.push('\n');
        }
    }

    /// The tokens without blocks, broken where they are too long.
    fn broken(&mut self, tokens: &[Token<'_>], indent: usize) {
        let tokens = flat(tokens, self.names);
        self.out.push_str(&broken(&tokens, indent));
    }

    /// Blocks are indented like those of a statement.
    fn with_blocks(&mut self, tokens: &[Token<'_>], indent: usize) {
        let is_block = |token: &Token<'_>| matches!(token, Token::Block(_));
        let mut head: Vec<Token<'_>> = Vec::new();
        for part in tokens.split_inclusive(is_block) {
            match part.split_last() {
                Some((Token::Block(statements), before)) => {
                    head.extend_from_slice(before);
                    head.push(Token::Word("{".into()));
                    self.broken(&head, indent);
                    self.all(statements, indent + LEVEL);
                    head = vec![Token::Word("}".into())];
                }
                _ => head.extend_from_slice(part),
            }
        }
        self.broken(&head, indent);
    }

    /// A chain of calls of which some are given a lambda with a block, link by link.
    fn in_links(&mut self, tokens: &[Token<'_>], indent: usize) {
        let is_block = |token: &Token<'_>| matches!(token, Token::Block(_));
        if !tokens.iter().any(is_block) {
            return self.broken(tokens, indent);
        }
        for (number, link) in links(tokens).into_iter().enumerate() {
            let begin = if number == 0 {
                indent
            } else {
                indent + FURTHER
            };
            let block = link.iter().position(is_block);
            let bracket = block.and_then(|block| bracket_around(link, block));
            let (Some(block), Some(bracket)) = (block, bracket) else {
                match block {
                    Some(_) => self.with_blocks(link, begin),
                    None => self.broken(link, begin),
                }
                continue;
            };
            let deep = indent + 2 * FURTHER;
            self.broken(&link[..=bracket], begin);
            let mut lambda = link[bracket + 1..=block].to_vec();
            // What is behind the block stays with its brace.
            lambda.extend(flat(&link[block + 1..], self.names));
            self.with_blocks(&lambda, deep);
        }
    }

    fn body(&mut self, method: &JavaMethod) -> String {
        let before = std::mem::take(&mut self.out);
        self.all(&method.body, 2 * LEVEL);
        std::mem::replace(&mut self.out, before)
    }

    /// The class; the last of the `bodies` is that of the first method.
    fn class(&mut self, class: &JavaClass, bodies: &mut Vec<String>) {
        self.head(class.doc.as_ref(), &class.annotations, 0);
        self.out += &format!("{}class {}", class.modifiers, class.name);
        if let Some(superclass) = &class.extends {
            self.out += " extends ";
            self.out += &inline(&Tokens::of(self.names, |t| t.ty(superclass)));
        }
        self.out += " {\n\n";
        let margin = " ".repeat(LEVEL);
        if let Some(remark) = class.remark {
            self.out += &paragraph(remark, &format!("{margin}// "));
        }
        for field in &class.fields {
            self.field(field);
        }
        if !class.fields.is_empty() {
            self.out.push('\n');
        }
        for (at, method) in class.methods.iter().enumerate() {
            if at > 0 {
                self.out.push('\n');
            }
            self.head(method.doc.as_ref(), &method.annotations, LEVEL);
            self.out += &format!("{margin}{}void {}()", method.modifiers, method.name);
            if let Some(exception) = &method.throws {
                self.out += " throws ";
                self.out += &inline(&Tokens::of(self.names, |t| t.ty(exception)));
            }
            let body = bodies.pop().unwrap_or_default();
            self.out += &format!(" {{\n{body}{margin}}}\n");
        }
        self.out += "}\n";
    }

    fn field(&mut self, field: &Local) {
        let mut tokens = vec![Token::Word("private ".into())];
        tokens.extend(Tokens::of(self.names, |t| t.local(field)));
        tokens.push(Token::End);
        self.broken(&tokens, LEVEL);
    }

    /// What stands over a declaration.
    fn head(&mut self, doc: Option<&Doc>, annotations: &[Annotation], indent: usize) {
        let margin = " ".repeat(indent);
        match doc {
            Some(Doc::Short(text)) => self.out += &format!("{margin}/** {text} */\n"),
            Some(Doc::Long(paragraphs)) => self.doc(paragraphs, &margin),
            None => {}
        }
        for annotation in annotations {
            self.annotation(annotation, indent);
        }
    }

    fn doc(&mut self, paragraphs: &[Paragraph], margin: &str) {
        self.out += &format!("{margin}/**\n");
        for (at, paragraph) in paragraphs.iter().enumerate() {
            if at > 0 {
                self.out += &format!("{margin} *\n");
            }
            match paragraph {
                Paragraph::Words(text) => {
                    self.out += &super::lines::paragraph(text, &format!("{margin} * "));
                }
                Paragraph::Lines(lines) => {
                    for line in lines {
                        self.out += format!("{margin} * {line}").trim_end();
                        self.out.push('\n');
                    }
                }
            }
        }
        self.out += &format!("{margin} */\n");
    }

    fn annotation(&mut self, annotation: &Annotation, indent: usize) {
        let mut tokens = vec![Token::Word("@".into())];
        tokens.extend(Tokens::of(self.names, |t| t.ty(&annotation.class)));
        if !annotation.values.is_empty() {
            tokens.push(Token::Open('('));
        }
        for (at, (name, values)) in annotation.values.iter().enumerate() {
            if at > 0 {
                tokens.push(Token::Comma);
            }
            if !name.is_empty() {
                tokens.push(Token::Word((*name).into()));
                tokens.push(Token::Assign);
            }
            let braces = values.len() > 1;
            tokens.extend(braces.then_some(Token::Open('{')));
            for (at, value) in values.iter().enumerate() {
                tokens.extend((at > 0).then_some(Token::Comma));
                tokens.extend(Tokens::of(self.names, |t| t.free(value)));
            }
            tokens.extend(braces.then_some(Token::Close('}')));
        }
        if !annotation.values.is_empty() {
            tokens.push(Token::Close(')'));
        }
        self.broken(&tokens, indent);
    }
}

/// Is the only block that of a lambda without parameters, behind which only brackets close? It reads like that of a statement.
fn reads_like_a_block(tokens: &[Token<'_>], indent: usize) -> bool {
    let is_block = |token: &Token<'_>| matches!(token, Token::Block(_));
    let Some(at) = tokens.iter().position(is_block) else {
        return false;
    };
    let (head, behind) = (&tokens[..at], &tokens[at + 1..]);
    let of_nothing = matches!(
        head,
        [.., Token::Open('('), Token::Close(')'), Token::Arrow]
    );
    let closes = |token: &Token<'_>| matches!(token, Token::Close(_) | Token::End);
    of_nothing && behind.iter().all(closes) && indent + columns(&inline(head)) < WIDTH
}

/// The first call, and each call of what the one before gave.
fn links<'p, 't>(tokens: &'p [Token<'t>]) -> Vec<&'p [Token<'t>]> {
    let mut links = Vec::new();
    let (mut from, mut depth) = (0, 0usize);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open(_) => depth += 1,
            Token::Close(_) => depth = depth.saturating_sub(1),
            Token::Dot if depth == 0 && at > 0 && matches!(tokens[at - 1], Token::Close(')')) => {
                links.push(&tokens[from..at]);
                from = at;
            }
            _ => {}
        }
    }
    links.push(&tokens[from..]);
    links
}

/// The innermost bracket that is open at this place.
fn bracket_around(tokens: &[Token<'_>], place: usize) -> Option<usize> {
    let mut depth = 0usize;
    (0..place).rev().find(|&at| match tokens[at] {
        Token::Close(_) => {
            depth += 1;
            false
        }
        Token::Open(_) if depth == 0 => true,
        Token::Open(_) => {
            depth -= 1;
            false
        }
        _ => false,
    })
}
