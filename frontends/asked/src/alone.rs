//! A question about one call.

use jinsi_answers::dotted;
use jinsi_declarative::NodeNo;
use jinsi_inspect::{Mark, Outcome};

use crate::error::Result;
use crate::others::{self, Changes};
use crate::show::{DEPTH, Given, Question, Show, known};
use crate::span::Span;

impl Show<'_, '_> {
    /// A call as a question.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn question(&mut self, node: NodeNo) -> Result<Question> {
        let name = self.tree.name(node);
        let activation = self.inspector.activation(name)?;
        let span = Span::of(self.inspector, self.tree, node)?;
        let Span { begin, end, .. } = span;
        let (given, place) = self.given(name)?;
        let constructs = activation.method.name == "<init>";
        let shown = given
            .iter()
            .filter(|(name, _)| !(constructs && name == "this"));
        let shown = shown.map(|(name, seen)| Given {
            name: name.clone(),
            value: self.deep(seen, begin, DEPTH),
        });
        let shown: Vec<Given> = shown.collect();
        let outcome = self.inspector.outcome(name)?;
        let meant = match &outcome {
            Outcome::Returned(Some(_)) => Some("result"),
            Outcome::Returned(None) if constructs => Some("result"),
            Outcome::Threw(_) => Some("exception"),
            Outcome::Returned(None) | Outcome::Open => None,
        };
        let gave = match outcome {
            Outcome::Returned(Some(seen)) => self.deep(&seen, end, DEPTH),
            Outcome::Returned(None) if constructs => match given.first() {
                Some((_, this)) => self.deep(this, end, DEPTH),
                None => "an object".to_owned(),
            },
            Outcome::Returned(None) => "nothing: it is void".to_owned(),
            Outcome::Threw(id) => self.thrown(name, id)?,
            Outcome::Open => "not known: the recording ended first".to_owned(),
        };
        let mut changes = Changes::default();
        if !constructs {
            let all = known(self.inspector.changes(name, None))?.unwrap_or_default();
            let seen_by_caller = all
                .iter()
                .filter(|c| given.iter().any(|(n, _)| *n == c.name));
            for change in seen_by_caller {
                // A parameter that is assigned is nobody else's.
                if !change.below.is_empty() && change.mark == Mark::Below {
                    changes.add(self, &span, change);
                }
            }
        }
        let mut others = others::given(self, &span)?;
        others.extend(changes.by_others);
        Ok(Question {
            call: name.to_string(),
            last: None,
            calls: Vec::new(),
            text: self.line(name, &given)?,
            method: format!(
                "{}.{}",
                dotted(&activation.method.owner),
                activation.method.name
            ),
            place,
            given: shown,
            others,
            gave,
            outcome: meant,
            changed: changes.own,
            tasks: others::tasks(self, &span)?,
            printed: self.printed(&span)?,
        })
    }
}
