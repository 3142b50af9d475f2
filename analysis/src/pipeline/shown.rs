//! What a wrong value and the call that gave it look like, but for what changes with the clock.

use std::iter::Peekable;
use std::str::CharIndices;

/// What runs of a level have to show, cut into numbers and what is between them. A number that is another one in each run of the whole level says
/// nothing: a time, or what is computed of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// Is so in each run.
    Same(String),
    /// A number, whichever.
    Any,
}

impl Shown {
    /// As one run has shown it.
    pub(super) fn of(run: &str) -> Self {
        let parts = pieces(run).map(|piece| Part::Same(piece.to_owned()));
        Self {
            parts: parts.collect(),
        }
    }

    /// The same, less the numbers that another run of all of it has shown otherwise. If more than numbers differs, nothing is left out.
    pub(super) fn but_in(mut self, other: &str) -> Self {
        let others: Vec<&str> = pieces(other).collect();
        let alike = self.parts.len() == others.len()
            && self
                .parts
                .iter()
                .zip(&others)
                .all(|(part, other)| part.is(other) || part.is_number() && is_number(other));
        if alike {
            for (part, other) in self.parts.iter_mut().zip(others) {
                if !part.is(other) {
                    *part = Part::Any;
                }
            }
        }
        self
    }

    /// The same, less the numbers in a text that the recording has, where the runs have others in it: the clock has gone on since.
    pub(super) fn but_recorded(mut self, text: &str) -> Self {
        let recorded: Vec<&str> = pieces(text).collect();
        let [first, inner @ .., last] = &*recorded else {
            return self;
        };
        let length = recorded.len();
        let at = self.parts.windows(length).position(|window| {
            let between = window[1..length - 1].iter().zip(inner);
            window[0].ends_with(first)
                && window[length - 1].starts_with(last)
                && between
                    .into_iter()
                    .all(|(part, piece)| part.is(piece) || part.is_number() && is_number(piece))
        });
        if let Some(at) = at {
            for (part, piece) in self.parts[at + 1..].iter_mut().zip(inner) {
                if !part.is(piece) {
                    *part = Part::Any;
                }
            }
        }
        self
    }

    /// Does a run show it?
    pub(super) fn is_in(&self, run: &str) -> bool {
        let mut pieces = pieces(run);
        let all = self.parts.iter().all(|part| {
            let piece = pieces.next();
            piece.is_some_and(|piece| part.is(piece))
        });
        all && pieces.next().is_none()
    }
}

impl Part {
    fn is(&self, piece: &str) -> bool {
        match self {
            Part::Same(text) => text == piece,
            Part::Any => is_number(piece),
        }
    }

    fn is_number(&self) -> bool {
        match self {
            Part::Same(text) => is_number(text),
            Part::Any => true,
        }
    }

    fn starts_with(&self, piece: &str) -> bool {
        matches!(self, Part::Same(text) if text.starts_with(piece))
    }

    fn ends_with(&self, piece: &str) -> bool {
        matches!(self, Part::Same(text) if text.ends_with(piece))
    }
}

fn is_number(piece: &str) -> bool {
    piece.starts_with(|c: char| c.is_ascii_digit())
}

/// Runs of digits, and what is between them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest: Peekable<CharIndices<'_>> = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (from, first) = rest.next()?;
        let digits = first.is_ascii_digit();
        let mut to = from + first.len_utf8();
        while let Some((at, c)) = rest.next_if(|(_, c)| c.is_ascii_digit() == digits) {
            to = at + c.len_utf8();
        }
        Some(&text[from..to])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_the_same() {
        let shown = Shown::of("Lamp{since=1234, watts=60}");
        assert!(shown.is_in("Lamp{since=1234, watts=60}"));
        for other in [
            "Lamp{since=1234, watts=61}",
            "Lamp{since=1234",
            "",
            "Lamp{since=1234, watts=60}9",
        ] {
            assert!(!shown.is_in(other), "{other}");
        }
    }

    #[test]
    fn what_changes_from_run_to_run_does_not_count() {
        let shown = Shown::of("Lamp{since=1234, watts=60}").but_in("Lamp{since=99, watts=60}");
        assert!(shown.is_in("Lamp{since=7, watts=60}"));
        assert!(!shown.is_in("Lamp{since=7, watts=61}"));
        assert!(!shown.is_in("Lamp{since=x, watts=60}"));
        // Another value altogether is none that changes with the clock.
        let shown = Shown::of("red 1").but_in("blue 2");
        assert!(shown.is_in("red 1") && !shown.is_in("red 2"));
    }

    #[test]
    fn what_the_recording_has_otherwise_does_not_count() {
        let shown = Shown::of("#1 \"until 10:35:07, lamp 4\" 60");
        let shown = shown.but_recorded("until 10:34:59, lamp 4");
        assert!(!shown.is_in("#1 \"until 11:02:33, lamp 4\" 60"));
        assert!(shown.is_in("#1 \"until 10:02:33, lamp 4\" 60"));
        assert!(!shown.is_in("#1 \"until 10:35:07, lamp 5\" 60"));
        assert!(!shown.is_in("#1 \"until 10:35:07, lamp 4\" 61"));
    }
}
