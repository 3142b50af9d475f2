//! What `printf` and `String.format` make of a format and its arguments (`java.util.Formatter`), where the recording has all of it.

use jinsi_trace::model::Prim;

/// An argument: a number, `boolean` or `char`, if it is one, and its text.
pub(super) struct Argument {
    pub(super) prim: Option<Prim>,
    /// As `%s` has it.
    pub(super) text: String,
}

/// Longest width and precision that is followed.
const WIDEST: usize = 1 << 16;

/// A format specifier: `%[argument$][flags][width][.precision]conversion`.
#[derive(Debug, Default)]
struct Specifier {
    /// From 1.
    argument: Option<usize>,
    left: bool,
    zeros: bool,
    plus: bool,
    groups: bool,
    width: usize,
    precision: Option<usize>,
    conversion: char,
}

/// The text, in English. `None` if there is a conversion or a flag that is not known here: dates, hash codes, scientific notation and the like;
/// or if an argument is missing or of the wrong type.
pub(super) fn formatted(format: &str, arguments: &[Argument]) -> Option<String> {
    let mut text = String::new();
    let mut rest = format;
    let mut next = 0;
    while let Some((before, behind)) = rest.split_once('%') {
        text.push_str(before);
        let (specifier, behind) = Specifier::parse(behind)?;
        rest = behind;
        match specifier.conversion {
            'n' => text.push('\n'),
            '%' => text.push_str(&specifier.padded("%".into())),
            _ => {
                let at = specifier.argument.unwrap_or_else(|| {
                    next += 1;
                    next
                });
                let argument = arguments.get(at.checked_sub(1)?)?;
                text.push_str(&specifier.padded(specifier.convert(argument)?));
            }
        }
    }
    text.push_str(rest);
    Some(text)
}

impl Specifier {
    /// What follows a percent sign, and what follows that.
    fn parse(text: &str) -> Option<(Self, &str)> {
        let mut specifier = Self::default();
        let mut rest = text;
        if let (Some(argument), behind) = number(rest)
            && let Some(behind) = behind.strip_prefix('$')
        {
            specifier.argument = Some(argument);
            rest = behind;
        }
        while let Some(flag) = rest.chars().next().filter(|c| "-0+,# (<".contains(*c)) {
            match flag {
                '-' => specifier.left = true,
                '0' => specifier.zeros = true,
                '+' => specifier.plus = true,
                ',' => specifier.groups = true,
                _ => return None,
            }
            rest = &rest[1..];
        }
        let (width, behind) = number(rest);
        specifier.width = width.unwrap_or(0);
        rest = behind;
        if let Some(behind) = rest.strip_prefix('.') {
            let (precision, behind) = number(behind);
            specifier.precision = Some(precision?);
            rest = behind;
        }
        specifier.conversion = rest.chars().next()?;
        if specifier.width.max(specifier.precision.unwrap_or(0)) > WIDEST {
            return None;
        }
        let behind = &rest[specifier.conversion.len_utf8()..];
        Some((specifier, behind))
    }

    fn convert(&self, argument: &Argument) -> Option<String> {
        let is_null = argument.prim.is_none() && argument.text == "null";
        let text = match self.conversion {
            's' | 'S' => self.cut(&argument.text),
            'b' | 'B' => match argument.prim {
                Some(Prim::Boolean(value)) => self.cut(&value.to_string()),
                _ => self.cut(&(!is_null).to_string()),
            },
            _ if is_null => "null".into(),
            'c' | 'C' => match argument.prim? {
                Prim::Char(unit) => String::from_utf16_lossy(&[unit]),
                Prim::Int(point) => char::from_u32(u32::try_from(point).ok()?)?.into(),
                _ => return None,
            },
            'd' => self.signed(integer(argument.prim?)?.to_string()),
            'x' | 'X' => hexadecimal(argument.prim?)?,
            'f' => {
                let value = match argument.prim? {
                    Prim::Float(value) => f64::from(value),
                    Prim::Double(value) => value,
                    _ => return None,
                };
                let places = self.precision.unwrap_or(6);
                let finite = value.is_finite().then_some(value)?;
                self.signed(format!("{finite:.places$}"))
            }
            _ => return None,
        };
        let shouts = self.conversion.is_ascii_uppercase();
        Some(if shouts { text.to_uppercase() } else { text })
    }

    /// No longer than the precision.
    fn cut(&self, text: &str) -> String {
        match self.precision {
            Some(precision) => text.chars().take(precision).collect(),
            None => text.to_owned(),
        }
    }

    /// A number with its sign and commas.
    fn signed(&self, digits: String) -> String {
        let (sign, digits) = match digits.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None if self.plus => ("+", digits.as_str()),
            None => ("", digits.as_str()),
        };
        let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
        let mut text = String::from(sign);
        for (at, digit) in whole.chars().enumerate() {
            if self.groups && at > 0 && (whole.len() - at).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        text + fraction
    }

    fn padded(&self, text: String) -> String {
        let missing = self.width.saturating_sub(text.chars().count());
        if self.left {
            return text + &" ".repeat(missing);
        }
        if self.zeros {
            let sign = text.len() - text.trim_start_matches(['-', '+']).len();
            return format!("{}{}{}", &text[..sign], "0".repeat(missing), &text[sign..]);
        }
        " ".repeat(missing) + &text
    }
}

/// The number that the text begins with, if it does, and the rest. One that begins with 0 is none: that is a flag.
fn number(text: &str) -> (Option<usize>, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit());
    let (digits, rest) = text.split_at(end.unwrap_or(text.len()));
    match digits.parse() {
        Ok(number) if !digits.starts_with('0') || digits == "0" => (Some(number), rest),
        _ => (None, text),
    }
}

fn integer(prim: Prim) -> Option<i64> {
    match prim {
        Prim::Byte(value) => Some(value.into()),
        Prim::Short(value) => Some(value.into()),
        Prim::Int(value) => Some(value.into()),
        Prim::Long(value) => Some(value),
        _ => None,
    }
}

/// Negative ones as the type's two's complement.
fn hexadecimal(prim: Prim) -> Option<String> {
    match prim {
        Prim::Byte(value) => Some(format!("{value:x}")),
        Prim::Short(value) => Some(format!("{value:x}")),
        Prim::Int(value) => Some(format!("{value:x}")),
        Prim::Long(value) => Some(format!("{value:x}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(format: &str, arguments: &[Prim]) -> Option<String> {
        let argument = |&prim: &Prim| Argument {
            prim: Some(prim),
            text: "text".into(),
        };
        formatted(format, &arguments.iter().map(argument).collect::<Vec<_>>())
    }

    #[test]
    fn numbers() {
        let is = |format, prim, text: &str| assert_eq!(of(format, &[prim]).unwrap(), text);
        is("<%d>", Prim::Int(-42), "<-42>");
        is("%5d|", Prim::Long(42), "   42|");
        is("%-5d|", Prim::Short(42), "42   |");
        is("%05d", Prim::Int(-42), "-0042");
        is("%+,d", Prim::Int(1_234_567), "+1,234,567");
        is("%,.2f", Prim::Double(-1234.5), "-1,234.50");
        is("%f", Prim::Float(0.5), "0.500000");
        is("%08.3f", Prim::Double(-1.5), "-001.500");
        is("%x %%", Prim::Int(-1), "ffffffff %");
        is("%X%n", Prim::Byte(-1), "FF\n");
        is("%c", Prim::Char(97), "a");
        is("%b", Prim::Boolean(true), "true");
        is("%.1s|%1$6s|%1$S", Prim::Int(1), "t|  text|TEXT");
    }

    #[test]
    fn what_is_not_known_has_no_text() {
        assert_eq!(of("%d%n", &[]), None);
        assert_eq!(of("%e", &[Prim::Double(1.0)]), None);
        assert_eq!(of("%tY", &[Prim::Long(1)]), None);
        assert_eq!(of("%d", &[Prim::Double(1.0)]), None);
        assert_eq!(of("%99999999d", &[Prim::Int(1)]), None);
        assert_eq!(of("%", &[]), None);
        assert_eq!(of("100", &[]).unwrap(), "100");
        let null = [Argument {
            prim: None,
            text: "null".into(),
        }];
        assert_eq!(formatted("%1$d%1$b%1$5s", &null).unwrap(), "nullfalse null");
    }
}
