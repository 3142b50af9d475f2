//! Messages of Rust: errors with `#[error("…")]`, and enums in `messages! { … }`.

use std::collections::BTreeMap;

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Fields, Generics, Ident, Item, LitStr, Member, Token, Visibility};

use crate::text::{Arguments, Message};

/// The messages that a file declares, but for those of tests.
pub(crate) fn messages(of: &str, source: &str) -> syn::Result<Vec<Message>> {
    let mut all = Vec::new();
    items(of, &syn::parse_file(source)?.items, &mut all)?;
    Ok(all)
}

fn items(of: &str, items: &[Item], all: &mut Vec<Message>) -> syn::Result<()> {
    for item in items {
        match item {
            Item::Mod(inner) if !is_of_tests(&inner.attrs) => {
                if let Some((_, inner)) = &inner.content {
                    self::items(of, inner, all)?;
                }
            }
            Item::Enum(of_enum) => {
                for variant in &of_enum.variants {
                    let error = error(&variant.attrs)?;
                    all.extend(error.map(|(text, arguments)| Message {
                        of: of.to_owned(),
                        holder: of_enum.ident.to_string(),
                        variant: Some(variant.ident.to_string()),
                        text,
                        fields: fields(&variant.fields),
                        arguments,
                    }));
                }
            }
            Item::Struct(of_struct) => {
                let error = error(&of_struct.attrs)?;
                all.extend(error.map(|(text, arguments)| Message {
                    of: of.to_owned(),
                    holder: of_struct.ident.to_string(),
                    variant: None,
                    text,
                    fields: fields(&of_struct.fields),
                    arguments,
                }));
            }
            Item::Macro(called)
                if called.mac.path.is_ident("messages") || is_ours(&called.mac.path) =>
            {
                let declared: Declared = called.mac.parse_body()?;
                all.extend(declared.messages(of));
            }
            _ => {}
        }
    }
    Ok(())
}

fn is_ours(path: &syn::Path) -> bool {
    let last = path.segments.last();
    last.is_some_and(|last| last.ident == "messages")
}

fn is_of_tests(attributes: &[Attribute]) -> bool {
    let is_test = |attribute: &Attribute| {
        attribute.path().is_ident("cfg") && attribute.to_token_stream().to_string().contains("test")
    };
    attributes.iter().any(is_test)
}

/// The text of an error, unless it is that of another one.
fn error(attributes: &[Attribute]) -> syn::Result<Option<(String, Arguments)>> {
    let Some(attribute) = attributes.iter().find(|a| a.path().is_ident("error")) else {
        return Ok(None);
    };
    let format: Format = attribute.parse_args()?;
    Ok(format.text.map(|text| (text, format.arguments)))
}

/// What stands in `#[error(…)]`.
struct Format {
    /// Absent in `transparent`.
    text: Option<String>,
    arguments: Arguments,
}

impl Parse for Format {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut arguments = Arguments::default();
        if !input.peek(LitStr) {
            let _: Ident = input.parse()?;
            return Ok(Self {
                text: None,
                arguments,
            });
        }
        let text: LitStr = input.parse()?;
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let name = match input.peek2(Token![=]) {
                true => {
                    let name: Ident = input.call(Ident::parse_any)?;
                    let _: Token![=] = input.parse()?;
                    Some(name.to_string())
                }
                false => None,
            };
            let key = argument(input)?;
            match name {
                Some(name) => {
                    arguments.named.insert(name, key);
                }
                None => arguments.in_turn.push(key),
            }
        }
        Ok(Self {
            text: Some(text.value()),
            arguments,
        })
    }
}

/// The field, the function or the constant that an argument is made of. `.0` is a field.
fn argument(input: ParseStream<'_>) -> syn::Result<String> {
    if input.parse::<Option<Token![.]>>()?.is_some() {
        let field: Member = input.parse()?;
        // What is done with it.
        while !input.is_empty() && !input.peek(Token![,]) {
            let _: proc_macro2::TokenTree = input.parse()?;
        }
        return Ok(match field {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        });
    }
    // Arguments of functions may be fields as well: `of_thread(.lost)` is no expression of Rust.
    let function = input.fork();
    if let Ok(name) = function.call(Ident::parse_any)
        && function.peek(syn::token::Paren)
    {
        let _: Ident = input.call(Ident::parse_any)?;
        let _: proc_macro2::TokenTree = input.parse()?;
        return Ok(name.to_string());
    }
    let expression: Expr = input.parse()?;
    Ok(key(&expression))
}

fn key(expression: &Expr) -> String {
    match expression {
        Expr::MethodCall(call) => key(&call.receiver),
        Expr::Field(field) => match &field.member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        },
        Expr::Reference(reference) => key(&reference.expr),
        Expr::Unary(unary) => key(&unary.expr),
        Expr::Binary(binary) => key(&binary.left),
        Expr::Path(path) => {
            let last = path.path.segments.last();
            last.map_or_else(String::new, |last| last.ident.to_string())
        }
        Expr::Call(call) => key(&call.func),
        // What is decided on: `if *verdict == …`.
        Expr::If(decision) => key(&decision.cond),
        other => other.to_token_stream().to_string(),
    }
}

fn fields(fields: &Fields) -> BTreeMap<String, String> {
    let typed = fields.iter().enumerate().map(|(at, field)| {
        let name = field.ident.as_ref();
        let name = name.map_or_else(|| at.to_string(), ToString::to_string);
        (name, kind(&field.ty))
    });
    typed.collect()
}

/// The last name of a type, without what it is made of.
fn kind(ty: &syn::Type) -> String {
    match ty {
        syn::Type::Path(path) => {
            let names = path.path.segments.iter().map(|segment| &segment.ident);
            let names: Vec<String> = names.map(ToString::to_string).collect();
            match names.as_slice() {
                // `io::Error` is not any error.
                [.., module, last] if last == "Error" => format!("{module}::{last}"),
                [.., last] if matches!(last.as_str(), "Box" | "Arc" | "Rc" | "Option") => {
                    inner(path).unwrap_or_else(|| last.clone())
                }
                [.., last] => last.clone(),
                [] => String::new(),
            }
        }
        syn::Type::Reference(reference) => kind(&reference.elem),
        other => other.to_token_stream().to_string(),
    }
}

fn inner(path: &syn::TypePath) -> Option<String> {
    let last = path.path.segments.last()?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(kind(ty)),
        _ => None,
    })
}

/// The enum in `messages! { … }`.
struct Declared {
    name: Ident,
    variants: Vec<(Ident, BTreeMap<String, String>, String)>,
}

impl Declared {
    fn messages(self, of: &str) -> impl Iterator<Item = Message> {
        let holder = self.name.to_string();
        let variants = self.variants.into_iter();
        variants.map(move |(variant, fields, text)| Message {
            of: of.to_owned(),
            holder: holder.clone(),
            variant: Some(variant.to_string()),
            text,
            fields,
            arguments: Arguments::default(),
        })
    }
}

impl Parse for Declared {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let _ = input.call(Attribute::parse_outer)?;
        let _: Visibility = input.parse()?;
        let _: Token![enum] = input.parse()?;
        let name = input.parse()?;
        let _: Generics = input.parse()?;
        let body;
        syn::braced!(body in input);
        let mut variants = Vec::new();
        while !body.is_empty() {
            let _ = body.call(Attribute::parse_outer)?;
            let variant: Ident = body.parse()?;
            let mut typed = BTreeMap::new();
            if body.peek(syn::token::Brace) {
                let inside;
                syn::braced!(inside in body);
                let all = Punctuated::<syn::Field, Token![,]>::parse_terminated_with(
                    &inside,
                    syn::Field::parse_named,
                )?;
                for field in all {
                    let name = field
                        .ident
                        .map_or_else(String::new, |name| name.to_string());
                    typed.insert(name, kind(&field.ty));
                }
            }
            let _: Token![=>] = body.parse()?;
            let text: LitStr = body.parse()?;
            variants.push((variant, typed, text.value()));
            if body.parse::<Option<Token![,]>>()?.is_none() {
                break;
            }
        }
        Ok(Self { name, variants })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_and_messages_are_found() {
        let source = r#"
            #[derive(thiserror::Error)]
            enum OneError {
                #[error(transparent)]
                Other(#[from] OtherError),
                #[error("cannot read {}: {source}", path.display())]
                Read { path: PathBuf, source: io::Error },
                #[error("no tests in {}", .0.join(", "))]
                None(Vec<String>),
                #[error("damaged{}", of_thread(.lost))]
                Damaged { lost: Option<u32> },
            }
            mod inner {
                #[derive(thiserror::Error)]
                #[error("not a line: {0}")]
                struct BadLine(String);
            }
            jinsi_wording::messages! {
                /// What is said.
                enum Message<'a> {
                    /// Nothing.
                    Nothing => "nothing",
                    Some { count: usize, name: &'a str } => "{count} of {name}",
                }
            }
            #[cfg(test)]
            mod tests {
                #[error("not listed")]
                struct Hidden;
            }
        "#;
        let all = messages("one", source).unwrap();
        let names: Vec<String> = all.iter().map(Message::name).collect();
        assert_eq!(
            names,
            [
                "OneError::Read",
                "OneError::None",
                "OneError::Damaged",
                "BadLine",
                "Message::Nothing",
                "Message::Some"
            ]
        );
        assert_eq!(all[0].arguments.in_turn, ["path"]);
        assert_eq!(all[0].fields["source"], "io::Error");
        assert_eq!(all[1].arguments.in_turn, ["0"]);
        assert_eq!(all[2].arguments.in_turn, ["of_thread"]);
        assert_eq!(all[5].fields["name"], "str");
    }
}
