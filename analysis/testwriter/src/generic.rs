//! What the type parameters of a functional interface stand for in one function object (JVMS §4.7.9.1).

use jinsi_classfile::ClassFile;
use jinsi_classfile::class::Attribute;

use super::access::{params, result};
use super::java::JavaType;
use jinsi_level::function::Function;

/// By type parameter of the interface: what stands for it. `None`: its method does not say it.
pub(super) fn arguments(interface: &ClassFile, function: &Function) -> Option<Vec<JavaType>> {
    let pool = &interface.pool;
    let text = |attribute: &Attribute| {
        let index = u16::from_be_bytes(attribute.data.get(..2)?.try_into().ok()?);
        Some(pool.utf8(index).ok()?.into_owned())
    };
    let Some(attribute) = interface.attribute("Signature") else {
        return Some(Vec::new());
    };
    let names = type_parameters(&text(attribute)?)?;
    let at = interface.find_method(&function.method, &function.erased)?;
    let signature = text(interface.methods[at].attribute(pool, "Signature")?)?;
    let (declared, returned) = of_method(&signature)?;
    let stands_for = |name: &String| {
        let variable = format!("T{name};");
        let at = declared.iter().position(|ty| *ty == variable);
        match at {
            Some(at) => params(&function.instantiated).get(at).cloned(),
            None if returned == variable => result(&function.instantiated),
            None => None,
        }
    };
    names.iter().map(stands_for).collect()
}

/// The names of a class' type parameters, out of its signature.
fn type_parameters(signature: &str) -> Option<Vec<String>> {
    let Some(mut rest) = signature.strip_prefix('<') else {
        return Some(Vec::new());
    };
    let mut names = Vec::new();
    while !rest.starts_with('>') {
        let (name, bounds) = rest.split_once(':')?;
        names.push(name.to_owned());
        rest = bounds;
        // A bound by a class may be left out; those by interfaces follow with colons of their own.
        loop {
            rest = rest.strip_prefix(':').unwrap_or(rest);
            if rest.starts_with(['L', 'T', '[']) && (rest.starts_with('[') || is_bound(rest)) {
                rest = &rest[type_len(rest)?..];
            }
            if !rest.starts_with(':') {
                break;
            }
        }
    }
    Some(names)
}

/// Does a type begin here? Else it is the name of the next type parameter.
fn is_bound(rest: &str) -> bool {
    let name = rest.find([':', ';', '<', '>', '/', '.']);
    name.is_some_and(|at| rest.as_bytes()[at] != b':')
}

/// The types of a method's parameters and of its result, out of its signature.
fn of_method(signature: &str) -> Option<(Vec<String>, String)> {
    let (_, rest) = signature.split_once('(')?;
    let (mut rest, returned) = rest.split_once(')')?;
    let mut types = Vec::new();
    while !rest.is_empty() {
        let (ty, more) = rest.split_at_checked(type_len(rest)?)?;
        types.push(ty.to_owned());
        rest = more;
    }
    let returned = returned.split('^').next()?;
    Some((types, returned.to_owned()))
}

/// Length of the type that a signature begins with.
fn type_len(signature: &str) -> Option<usize> {
    let mut nested = 0;
    let dimensions = signature.len() - signature.trim_start_matches('[').len();
    let bytes = &signature.as_bytes()[dimensions..];
    if !matches!(bytes.first()?, b'L' | b'T') {
        return Some(dimensions + 1);
    }
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' => nested += 1,
            b'>' => nested -= 1,
            b';' if nested == 0 => return Some(dimensions + at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_parameters_are_named() {
        for (signature, wanted) in [
            ("Ljava/lang/Object;", &[][..]),
            (
                "<P1:Ljava/lang/Object;R:Ljava/lang/Object;>Ljava/lang/Object;Lkotlin/Function<TR;>;",
                &["P1", "R"],
            ),
            (
                "<T::Ljava/lang/Comparable<-TT;>;L:TT;>Ljava/lang/Object;",
                &["T", "L"],
            ),
            (
                "<A:[I:Lx/Y;B:Ljava/util/Map<TA;[J>;>Ljava/lang/Object;",
                &["A", "B"],
            ),
        ] {
            assert_eq!(type_parameters(signature).unwrap(), wanted, "{signature}");
        }
        assert_eq!(type_parameters("<T"), None);
    }

    #[test]
    fn types_of_methods_are_taken_apart() {
        let (types, returned) = of_method("<X:TY;>(TP1;I[[JLa/B<TC;>.D;)TR;^TE;").unwrap();
        assert_eq!(types, ["TP1;", "I", "[[J", "La/B<TC;>.D;"]);
        assert_eq!(returned, "TR;");
        assert_eq!(of_method("(La/B"), None);
    }
}
