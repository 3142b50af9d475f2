//! One failure explained.

use super::super::json::{Explanation, Sentence};
use super::{Page, escape, past};

impl Page {
    /// Nothing, if there is no explanation.
    pub(super) fn explanation(&mut self, explanation: Option<&Explanation>) {
        let Some(explanation) = explanation else {
            return;
        };
        // There is more to see in the page of the run.
        let undone = past("undone", "failure");
        self.line(format_args!("<h2><span{undone}>Why it failed</span></h2>"));
        self.raw("<div class=\"card\">\n");
        for sentence in &explanation.sentences {
            self.sentence(sentence);
        }
        let tried = match explanation.level {
            Some(level) => format!("what is left at level {level}"),
            None => "the whole run".to_owned(),
        };
        self.line(format_args!(
            "<p class=\"dim\">Tried with {tried}, in a sandbox. This is evidence, not proof: the program may never \
             come into that state.</p>\n</div>"
        ));
    }

    pub(super) fn sentence(&mut self, sentence: &Sentence) {
        let (at, text) = (at(sentence), with_code(&sentence.text));
        self.line(format_args!("<p><span{at}>{text}</span></p>"));
    }
}

fn at(sentence: &Sentence) -> String {
    let place = sentence.class.as_ref().zip(sentence.line);
    place.map_or_else(String::new, |(class, line)| {
        past("line", &format!("{class}:{line}"))
    })
}

/// What stands between backticks is code.
fn with_code(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(no, part)| match no % 2 {
        1 => format!("<code>{}</code>", escape(part)),
        _ => escape(part),
    });
    parts.collect()
}
