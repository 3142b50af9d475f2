//! Field and method descriptors (JVMS §4.3).

/// A descriptor that follows no rule of JVMS §4.3.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed descriptor {0:?}")]
pub struct DescriptorError(pub String);

/// A field type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type<'a> {
    desc: &'a str,
}

impl<'a> Type<'a> {
    /// Parses a field descriptor.
    pub fn parse(desc: &'a str) -> Result<Self, DescriptorError> {
        match type_len(desc) {
            Some(len) if len == desc.len() => Ok(Type { desc }),
            _ => Err(DescriptorError(desc.to_owned())),
        }
    }

    /// The descriptor.
    pub fn desc(self) -> &'a str {
        self.desc
    }

    /// One of `ZBCSIJFD`, or `L` for references of every kind, arrays included.
    pub fn letter(self) -> char {
        match self.desc.as_bytes()[0] {
            b'L' | b'[' => 'L',
            letter => char::from(letter),
        }
    }

    /// Stack or local variable slots of a value: 2 for `long` and `double`, else 1.
    pub fn slots(self) -> u16 {
        letter_slots(self.letter())
    }

    /// Name as a class constant has it: internal name, array descriptor; `None` for primitives.
    pub fn class_name(self) -> Option<&'a str> {
        match self.desc.as_bytes()[0] {
            b'L' => Some(&self.desc[1..self.desc.len() - 1]),
            b'[' => Some(self.desc),
            _ => None,
        }
    }

    /// Is it an array type?
    pub fn is_array(self) -> bool {
        self.desc.starts_with('[')
    }
}

/// Slots of a value with this descriptor letter; 0 for `V`.
pub fn letter_slots(letter: char) -> u16 {
    match letter {
        'J' | 'D' => 2,
        'V' => 0,
        _ => 1,
    }
}

/// A method's parameters and result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodType<'a> {
    /// Parameters, the receiver not among them.
    pub params: Vec<Type<'a>>,
    /// Result; `None` is `void`.
    pub result: Option<Type<'a>>,
}

impl<'a> MethodType<'a> {
    /// Parses a method descriptor.
    pub fn parse(desc: &'a str) -> Result<Self, DescriptorError> {
        Self::parse_inner(desc).ok_or_else(|| DescriptorError(desc.to_owned()))
    }

    fn parse_inner(desc: &'a str) -> Option<Self> {
        let mut rest = desc.strip_prefix('(')?;
        let mut params = Vec::new();
        while !rest.starts_with(')') {
            let (param, behind) = rest.split_at(type_len(rest)?);
            params.push(Type { desc: param });
            rest = behind;
        }
        let result = match &rest[1..] {
            "V" => None,
            result => Some(Type::parse(result).ok()?),
        };
        Some(MethodType { params, result })
    }

    /// Slots of the parameters, without the receiver.
    pub fn param_slots(&self) -> u16 {
        self.params
            .iter()
            .fold(0, |sum, param| sum.saturating_add(param.slots()))
    }

    /// Letter of the result, `V` for `void`.
    pub fn result_letter(&self) -> char {
        self.result.map_or('V', Type::letter)
    }
}

/// Length of the field descriptor that `text` begins with.
fn type_len(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let dims = bytes.iter().take_while(|b| **b == b'[').count();
    if dims > 255 {
        return None;
    }
    match bytes.get(dims)? {
        b'L' => {
            let name = bytes[dims + 1..].iter().position(|b| *b == b';')?;
            (name > 0).then_some(dims + name + 2)
        }
        b'Z' | b'B' | b'C' | b'S' | b'I' | b'J' | b'F' | b'D' => Some(dims + 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn method_types() {
        let t = MethodType::parse("(IJ[[DLa/B;[La/C;)Z").unwrap();
        let letters: String = t.params.iter().map(|p| p.letter()).collect();
        assert_eq!(letters, "IJLLL");
        assert_eq!(t.param_slots(), 6);
        assert_eq!(t.result_letter(), 'Z');
        let names: Vec<_> = t.params.iter().map(|p| p.class_name()).collect();
        assert_eq!(
            names,
            [None, None, Some("[[D"), Some("a/B"), Some("[La/C;")]
        );
        assert_eq!(MethodType::parse("()V").unwrap().result, None);
    }

    #[test]
    fn malformed_ones() {
        for bad in [
            "", "(", "()", "()VV", "(V)V", "(L;)V", "(La)V", "([)V", "I", "(I", "()II", "(é)V",
        ] {
            assert!(MethodType::parse(bad).is_err(), "{bad}");
        }
        for bad in ["", "V", "II", "L;", "La", "["] {
            assert!(Type::parse(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in "[()\\[;ZJLVaé/]{0,12}") {
            let _ = (MethodType::parse(&text).is_ok(), Type::parse(&text).is_ok());
        }

        #[test]
        fn parts_give_back_the_whole(params in proptest::collection::vec("\\[{0,2}(Z|J|D|I|L[a-z/]{1,5};)", 0..8)) {
            let desc = format!("({})J", params.concat());
            let parsed = MethodType::parse(&desc).unwrap();
            let parts: Vec<_> = parsed.params.iter().map(|p| p.desc().to_owned()).collect();
            prop_assert_eq!(parts, params);
        }
    }
}
