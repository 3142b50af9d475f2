//! Questions about calls until one method is to blame: the session of the page. Its answers are all that the page changes, and they are kept
//! where `jinsi ask` keeps them.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jinsi_asked::{Asked, AskedError, Asserted, By, Options, thread};
use jinsi_declarative::{About, Answer, Next, NodeNo, Standing, Strategy, Tree};
use jinsi_inspect::{Inspector, Moment};
use jinsi_trace::model::EventId;
use serde_json::{Value, json};

use crate::http::Reply;
use crate::query::Query;
use crate::refusal::Refusal;

/// Calls that are asked for at a time.
const CALLS: usize = 500;
/// What a request is made with that changes something.
const CHANGES: &str = "POST";

/// The session of a page.
pub(crate) struct Asking<'a, 't> {
    inspector: &'a Inspector<'t>,
    /// Read once somebody asks.
    tree: &'a OnceCell<Tree>,
    /// Where answers are kept.
    place: PathBuf,
    session: RefCell<Option<Open<'a, 't>>>,
}

struct Open<'a, 't> {
    asked: Asked<'a, 't>,
    /// Calls whose answers were taken back: they are asked of the user.
    by_user: BTreeSet<NodeNo>,
    /// The file as it was left: somebody else may answer in a terminal.
    left: Option<(SystemTime, u64)>,
}

impl<'a, 't> Asking<'a, 't> {
    pub(crate) fn new(
        inspector: &'a Inspector<'t>,
        tree: &'a OnceCell<Tree>,
        place: PathBuf,
    ) -> Self {
        Self {
            inspector,
            tree,
            place,
            session: RefCell::default(),
        }
    }

    /// The document, or why there is none.
    pub(crate) fn reply(&self, method: &str, question: &str, query: &Query) -> Reply {
        let answer = match (question, method) {
            ("next", _) => self.next(query),
            ("standing", _) => self.standing(query),
            ("answer", CHANGES) => self.answer(query),
            ("back", CHANGES) => self.back(),
            ("answer" | "back", _) => Err(Refusal {
                status: 405,
                why: "That changes something: it is sent, not asked for.".to_owned(),
            }),
            _ => Err(Refusal::none(format!("no such question: {question}"))),
        };
        Reply::document(answer)
    }

    /// Does something with the session, which begins where it was left.
    fn with<T>(
        &self,
        work: impl FnOnce(&mut Open<'a, 't>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut session = self.session.borrow_mut();
        let now = stamp(&self.place);
        let strategy = session.as_ref().map(|open| open.asked.strategy());
        let open = match session.take().filter(|open| open.left == now) {
            Some(open) => open,
            None => Open {
                asked: self.begin(strategy.unwrap_or(Strategy::Likely))?,
                by_user: BTreeSet::new(),
                left: now,
            },
        };
        let open = session.insert(open);
        let done = work(open);
        open.left = stamp(&self.place);
        done
    }

    fn begin(&self, strategy: Strategy) -> Result<Asked<'a, 't>, Refusal> {
        let tree = match self.tree.get() {
            Some(tree) => tree,
            None => {
                let trace = self.inspector.trace();
                let thread = thread(trace).map_err(failed)?;
                let read = jinsi_asked::tree(self.inspector, thread).map_err(failed)?;
                self.tree.get_or_init(|| read)
            }
        };
        let options = Options {
            strategy,
            trust: Vec::new(),
            exact: false,
            together: true,
            place: Some(self.place.clone()),
            fresh: false,
            is_left: false,
        };
        Asked::new(self.inspector, tree, &options).map_err(failed)
    }

    /// The next question, or what is to blame; what was answered.
    fn next(&self, query: &Query) -> Result<Value, Refusal> {
        let strategy = query.get("strategy").map(|name| {
            let found = Strategy::ALL.iter().find(|(_, of)| *of == name);
            found.map(|(strategy, _)| *strategy)
        });
        let bad = || Refusal::bad("there is no such strategy".to_owned());
        let strategy = strategy.map(|found| found.ok_or_else(bad)).transpose()?;
        self.with(|open| {
            if let Some(strategy) = strategy {
                open.asked.choose_by(strategy);
            }
            self.document(open)
        })
    }

    /// How it goes on, with the answers that assertions of the run give.
    fn go_on(&self, open: &mut Open<'a, 't>) -> Result<Next, AskedError> {
        let mut asserted = Asserted::new(self.inspector);
        loop {
            let next = open.asked.next();
            let asked = match next {
                Next::Ask(node) if !open.by_user.contains(&node) => node,
                _ => return Ok(next),
            };
            if open.asked.is_shared(asked)? {
                return Ok(next);
            }
            let Some((answer, by)) = asserted.says(open.asked.name(asked))? else {
                return Ok(next);
            };
            open.asked.take(asked, answer, by)?;
        }
    }

    fn document(&self, open: &mut Open<'a, 't>) -> Result<Value, Refusal> {
        let next = self.go_on(open).map_err(failed)?;
        let asked = &mut open.asked;
        let reported = asked.document(next, true).map_err(failed)?;
        let about = reported
            .question
            .as_ref()
            .map(|question| question.call.clone());
        let about = about.or_else(|| reported.verdict.as_ref().map(|blame| blame.call.clone()));
        let last = reported
            .question
            .as_ref()
            .and_then(|question| question.last.clone());
        let about = last
            .or(about)
            .map(|call| self.place_of(&call))
            .transpose()?;
        let method = match next {
            Next::Ask(node) => Some(asked.method(node)),
            Next::Together(_) | Next::Found(_) | Next::Undecided | Next::Nothing => None,
        };
        let mut document = json!(reported);
        document["about"] = json!(about);
        document["name"] = json!(method);
        document["strategies"] = Strategy::ALL.iter().map(|(_, name)| *name).collect();
        document["kept"] = json!(self.place.display().to_string());
        Ok(document)
    }

    /// A call, and the moment at which what came of it is seen.
    fn place_of(&self, call: &str) -> Result<Value, Refusal> {
        let name: EventId = call.parse().map_err(|why| Refusal::bad(format!("{why}")))?;
        let end = self.inspector.activation(name)?.end;
        let after = end.unwrap_or(Moment::after(name));
        Ok(json!({ "call": call, "after": after.to_string() }))
    }

    fn answer(&self, query: &Query) -> Result<Value, Refusal> {
        let name: EventId = query.need("call")?;
        let answer = match query.get("answer") {
            Some("valid") => Answer::Valid,
            Some("invalid") => Answer::Invalid,
            Some("trusted") => Answer::Trusted,
            Some("unknown") => Answer::Unknown,
            _ => return Err(Refusal::bad("that is no answer".to_owned())),
        };
        let part = query
            .get("part")
            .map(str::trim)
            .filter(|part| !part.is_empty());
        let last: Option<EventId> = query.read("last")?;
        self.with(|open| {
            let asked = &mut open.asked;
            let none = || Refusal::none(format!("no call {name} is asked about"));
            if let Some(last) = last {
                let stretch = asked.stretch(name, last).ok_or_else(none)?;
                asked.take_together(stretch, answer).map_err(failed)?;
                return self.document(open);
            }
            let node: NodeNo = asked.node(name).ok_or_else(none)?;
            match part {
                Some(part) => {
                    let taken = asked.take_part(node, part, By::User).map_err(failed)?;
                    taken.map_err(|why| Refusal::none(why.to_string()))?;
                }
                None => asked.take(node, answer, By::User).map_err(failed)?,
            }
            self.document(open)
        })
    }

    fn back(&self) -> Result<Value, Refusal> {
        self.with(|open| {
            if let Some(About::Call(node)) = open.asked.back().map_err(failed)? {
                open.by_user.insert(node);
            }
            self.document(open)
        })
    }

    /// What is known of calls.
    fn standing(&self, query: &Query) -> Result<Value, Refusal> {
        let calls = query.get("calls").unwrap_or_default();
        let calls = calls.split(',').filter(|call| !call.is_empty()).take(CALLS);
        self.with(|open| {
            let standing = calls.map(|call| {
                let name: Option<EventId> = call.parse().ok();
                name.and_then(|name| open.asked.standing(name)).map(text)
            });
            Ok(json!({ "standing": standing.collect::<Vec<_>>() }))
        })
    }
}

fn text(standing: Standing) -> &'static str {
    match standing {
        Standing::Valid => "valid",
        Standing::Invalid => "invalid",
        Standing::Trusted => "trusted",
        Standing::Suspected => "suspected",
        Standing::Apart => "apart",
        Standing::Elsewhere => "elsewhere",
    }
}

fn failed(why: AskedError) -> Refusal {
    Refusal::failed(why.to_string())
}

/// When the file was written last, and how long it is.
fn stamp(place: &Path) -> Option<(SystemTime, u64)> {
    let meta = std::fs::metadata(place).ok()?;
    Some((meta.modified().ok()?, meta.len()))
}
