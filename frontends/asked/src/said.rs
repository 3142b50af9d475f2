//! What is said to a question.

use jinsi_declarative::Answer;

/// What is said to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// An answer.
    Answer(Answer),
    /// It is wrong, and this part of what it gave is what is wrong.
    Part(String),
    /// The test of the call is wanted.
    Test,
    /// The last answer is taken back.
    Back,
    /// That is enough for now.
    Quit,
    /// Something that is no answer.
    Else,
}

impl Said {
    /// As a person writes it.
    pub fn of(line: &str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_ascii_lowercase(), rest.trim());
        match word.as_str() {
            "n" | "no" | "invalid" if !rest.is_empty() => Self::Part(rest.to_owned()),
            _ if !rest.is_empty() => Self::Else,
            "y" | "yes" | "valid" => Self::Answer(Answer::Valid),
            "n" | "no" | "invalid" => Self::Answer(Answer::Invalid),
            "t" | "trust" | "trusted" => Self::Answer(Answer::Trusted),
            "u" | "unknown" | "?" => Self::Answer(Answer::Unknown),
            "s" | "show" | "test" => Self::Test,
            "b" | "back" => Self::Back,
            "q" | "quit" => Self::Quit,
            _ => Self::Else,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_as_people_write_them() {
        let part = |text: &str| Said::Part(text.to_owned());
        for (line, said) in [
            ("y", Said::Answer(Answer::Valid)),
            (" No \n", Said::Answer(Answer::Invalid)),
            ("n c[2]", part("c[2]")),
            ("no  this.next . size ", part("this.next . size")),
            ("TRUST", Said::Answer(Answer::Trusted)),
            ("?", Said::Answer(Answer::Unknown)),
            ("back", Said::Back),
            ("s", Said::Test),
            ("Show", Said::Test),
            ("q", Said::Quit),
            ("y c[2]", Said::Else),
            ("never", Said::Else),
            ("", Said::Else),
        ] {
            assert_eq!(Said::of(line), said, "{line}");
        }
    }
}
