//! Asks all that the page can ask of a small run: it goes wherever a click leads.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Map, Value, json};

use super::error::StillError;
use crate::Answers;
use crate::query::Query;

/// Steps as the page's buttons name them.
const STEPS: [&str; 6] = ["into", "over", "out", "back-into", "back-over", "back-out"];
/// So deep objects are opened.
const DEEP: usize = 4;
/// Rows of a list that are kept: arrays may be of any length.
const ROWS: usize = 2_000;
/// Lines of source that are asked for at a time, as the page does.
const PART: usize = 200;

/// All answers, as the page's `still.js` reads them: `{"keys": {key: place}, "answers": […], "names": […], "report": …}`. A key is the question and its
/// parts, a line each.
pub(super) fn all(
    answers: &Answers<'_, '_>,
    report: Option<&str>,
    most: usize,
) -> Result<String, StillError> {
    let mut crawl = Crawl {
        answers,
        most,
        bytes: 0,
        keys: Map::new(),
        places: HashMap::new(),
        texts: Vec::new(),
        met: HashSet::new(),
        left: VecDeque::new(),
    };
    crawl.run()?;
    while let Some(place) = crawl.left.pop_front() {
        crawl.visit(place)?;
    }
    let names = answers.names();
    let (keys, texts) = (Value::Object(crawl.keys), crawl.texts.join(","));
    let report = json!(report);
    Ok(format!(
        "{{\"keys\":{keys},\"names\":{names},\"report\":{report},\"answers\":[{texts}]}}"
    ))
}

/// Where a click leads.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Place {
    Call(String),
    Moment(String),
    /// A call at a moment.
    Focus(String, String),
    /// A variable that has a name of its own, at a moment.
    Variable(String, String),
    /// An expression of a call at a moment.
    Expression(String, String, String),
    Method([String; 3]),
    Line(String),
    Source(String, String),
}

struct Crawl<'q, 'a, 't> {
    answers: &'q Answers<'a, 't>,
    most: usize,
    bytes: usize,
    keys: Map<String, Value>,
    /// Where an answer is that has been given before.
    places: HashMap<String, usize>,
    texts: Vec<String>,
    met: HashSet<Place>,
    left: VecDeque<Place>,
}

type Parts<'p> = [(&'p str, &'p str)];

impl Crawl<'_, '_, '_> {
    fn go(&mut self, place: Place) {
        if self.met.insert(place.clone()) {
            self.left.push_back(place);
        }
    }

    /// Asks, keeps the answer, and gives it.
    fn ask(&mut self, question: &str, parts: &Parts<'_>) -> Result<Value, StillError> {
        let answer = self.answer(question, parts);
        self.keep(question, parts, &answer)?;
        Ok(answer)
    }

    fn answer(&self, question: &str, parts: &Parts<'_>) -> Value {
        match self.answers.answer(question, &Query::of(parts)) {
            Ok(answer) => answer,
            Err(refusal) => json!({ "error": refusal.why }),
        }
    }

    fn keep(
        &mut self,
        question: &str,
        parts: &Parts<'_>,
        answer: &Value,
    ) -> Result<(), StillError> {
        let lines = parts
            .iter()
            .map(|(name, value)| format!("\n{name}={value}"));
        let key = format!("{question}{}", lines.collect::<String>());
        let text = answer.to_string();
        let next = self.texts.len();
        let place = *self.places.entry(text.clone()).or_insert(next);
        if place == next {
            self.bytes += text.len();
            self.texts.push(text);
        }
        self.bytes += key.len();
        self.keys.insert(key, json!(place));
        match self.bytes > self.most {
            true => Err(StillError::Bytes),
            false => Ok(()),
        }
    }

    /// Asks for a list to its end, or as much of it as is kept, of which the page asks for parts by `next`. It is kept as one.
    fn list(&mut self, question: &str, parts: &Parts<'_>, next: &str) -> Result<Value, StillError> {
        let mut whole = self.answer(question, parts);
        while let Some(more) = text(&whole["more"]) {
            if rows(&whole["rows"]).len() >= ROWS {
                whole["more"] = Value::Null;
                whole["note"] = json!(format!(
                    "what is behind these {ROWS} is in no page that is one file"
                ));
                break;
            }
            let parts = [parts, &[(next, more.as_str())]].concat();
            let mut part = self.answer(question, &parts);
            let rows = part["rows"].as_array_mut().map(std::mem::take);
            let (Some(rows), Some(all)) = (rows, whole["rows"].as_array_mut()) else {
                break;
            };
            all.extend(rows);
            whole["more"] = part["more"].take();
        }
        self.keep(question, parts, &whole)?;
        Ok(whole)
    }

    fn run(&mut self) -> Result<(), StillError> {
        let run = self.ask("run", &[])?;
        if let Some(error) = run["error"].as_str() {
            return Err(StillError::Run(error.to_owned()));
        }
        for begin in ["begin", "failure"] {
            self.moment(&run[begin]);
        }
        if text(&run["failure"]).is_some() {
            let undone = self.ask("undone", &[("what", "failure")])?;
            for balloon in rows(&undone["balloons"]) {
                self.moment(&balloon["at"]);
            }
        }
        for thread in rows(&run["threads"]) {
            let no = thread["no"].to_string();
            let line = self.ask("timeline", &[("thread", &no)])?;
            for mark in rows(&line["marks"]) {
                self.moment(&mark["moment"]);
            }
            // The time line can be dragged to each event.
            for event in 0..thread["events"].as_u64().unwrap_or(0) {
                self.go(Place::Moment(format!("{no}:{event}")));
            }
            let outermost = self.list("calls", &[("thread", &no)], "skip")?;
            self.follow(&outermost);
        }
        Ok(())
    }

    fn visit(&mut self, place: Place) -> Result<(), StillError> {
        match place {
            Place::Call(call) => self.call(&call),
            Place::Moment(at) => self.stand(&at),
            Place::Focus(call, at) => self.focus(&call, &at),
            Place::Variable(what, at) => {
                let history = self.list("history", &[("what", &what)], "skip")?;
                for entry in rows(&history["rows"]) {
                    if let Some(after) = text(&entry["after"]) {
                        self.go(Place::Variable(what.clone(), after));
                    }
                }
                self.follow(&history);
                let origin = self.ask("origin", &[("what", &what), ("at", &at)])?;
                self.steps(&origin);
                Ok(())
            }
            Place::Expression(what, call, at) => {
                let parts = [("what", what.as_str()), ("call", &call), ("at", &at)];
                let history = self.list("history", &parts, "skip")?;
                self.follow(&history);
                let origin = self.ask("origin", &parts)?;
                self.steps(&origin);
                Ok(())
            }
            Place::Method([class, name, desc]) => {
                let parts = [("class", class.as_str()), ("name", &name), ("desc", &desc)];
                let all = self.list("activations", &parts, "skip")?;
                self.follow(&all);
                Ok(())
            }
            Place::Line(line) => {
                let hits = self.ask("hits", &[("line", &line)])?;
                self.follow(&hits);
                Ok(())
            }
            Place::Source(class, file) => self.source(&class, &file),
        }
    }

    fn call(&mut self, call: &str) -> Result<(), StillError> {
        let of = self.ask("call", &[("call", call)])?;
        if let (Some(class), Some(file)) = (text(&of["method"]["class"]), text(&of["file"])) {
            self.go(Place::Source(class, file));
        }
        self.row(&of);
        let calls = self.list("calls", &[("call", call)], "from")?;
        self.follow(&calls);
        let activation_events = self.list("happenings", &[("call", call)], "from")?;
        self.follow(&activation_events);
        for one in rows(&activation_events["rows"]) {
            if let Some(after) = text(&one["after"]) {
                self.go(Place::Focus(call.to_owned(), after));
            }
        }
        Ok(())
    }

    /// At a moment, with all open calls.
    fn stand(&mut self, at: &str) -> Result<(), StillError> {
        let stack = self.ask("stack", &[("at", at)])?;
        let Some(moment) = text(&stack["moment"]) else {
            return Ok(());
        };
        for frame in rows(&stack["frames"]) {
            if let Some(call) = text(&frame["call"]) {
                self.go(Place::Focus(call, moment.clone()));
            }
        }
        // Right behind a write, the page stands at the write, not at what comes next.
        if moment != at {
            self.go(Place::Moment(moment));
        }
        for how in STEPS {
            let to = self.ask("step", &[("at", at), ("how", how)])?;
            self.moment(&to["moment"]);
        }
        Ok(())
    }

    fn focus(&mut self, call: &str, at: &str) -> Result<(), StillError> {
        self.go(Place::Call(call.to_owned()));
        self.go(Place::Moment(at.to_owned()));
        let course = self.ask("course", &[("call", call), ("at", at)])?;
        let of = self.answer("call", &[("call", call)]);
        let owner = of["method"]["owner"].as_str().unwrap_or_default();
        let simple = owner.rsplit('.').next().unwrap_or(owner);
        for line in rows(&course["lines"]) {
            if let Some(last) = text(&line["last"]) {
                self.go(Place::Focus(call.to_owned(), last));
            }
            for owner in [owner, simple] {
                self.go(Place::Line(format!("{owner}:{}", line["line"])));
            }
        }
        let variables = self.ask("variables", &[("call", call), ("until", at)])?;
        let span = [&variables["from"], &variables["until"]].map(text);
        let [Some(from), Some(until)] = span else {
            return Ok(());
        };
        for row in rows(&variables["rows"]) {
            match (text(&row["variable"]), text(&row["name"])) {
                (Some(variable), _) => self.go(Place::Variable(variable, at.to_owned())),
                (None, Some(name)) => {
                    self.go(Place::Expression(name, call.to_owned(), at.to_owned()));
                }
                _ => {}
            }
            let path = text(&row["name"]).unwrap_or_default();
            self.inside(&row["new"], [&from, &until], (call, at, &path), DEEP)?;
        }
        let returned = &variables["outcome"]["value"];
        self.inside(returned, [&from, &until], (call, at, ""), DEEP)
    }

    /// What is in an object, if that is one, which is the value of `path` in a call at a moment.
    fn inside(
        &mut self,
        shown: &Value,
        [old, new]: [&str; 2],
        (call, at, path): (&str, &str, &str),
        deep: usize,
    ) -> Result<(), StillError> {
        if !path.is_empty() {
            self.ask("value", &[("at", at), ("call", call), ("path", path)])?;
        }
        let (Some(object), true) = (shown["object"].as_u64(), deep > 0) else {
            return Ok(());
        };
        let object = object.to_string();
        let parts = [("object", object.as_str()), ("old", old), ("new", new)];
        let inside = self.list("inside", &parts, "from")?;
        for row in rows(&inside["rows"]) {
            if let Some(variable) = text(&row["variable"]) {
                self.go(Place::Variable(variable, at.to_owned()));
            }
            let path = match (path, row["name"].as_str()) {
                ("", _) | (_, None) => String::new(),
                (path, Some(link)) => format!("{path}{link}"),
            };
            self.inside(&row["new"], [old, new], (call, at, &path), deep - 1)?;
        }
        Ok(())
    }

    fn source(&mut self, class: &str, file: &str) -> Result<(), StillError> {
        let most = PART.to_string();
        let mut from = 1;
        loop {
            let begin = from.to_string();
            let parts = [
                ("class", class),
                ("file", file),
                ("from", &begin),
                ("most", &most),
            ];
            let source = self.ask("source", &parts)?;
            from += PART;
            if source["count"].as_u64().unwrap_or(0) < from as u64 {
                return Ok(());
            }
        }
    }

    /// Where the rows of a list lead.
    fn follow(&mut self, list: &Value) {
        for row in rows(&list["rows"]) {
            self.row(row);
        }
    }

    fn steps(&mut self, origin: &Value) {
        for step in rows(&origin["steps"]) {
            self.row(step);
            for input in rows(&step["inputs"]) {
                self.moment(&input["made"]);
            }
        }
    }

    fn row(&mut self, row: &Value) {
        let method = ["class", "name", "desc"].map(|part| text(&row["method"][part]));
        if let [Some(class), Some(name), Some(desc)] = method {
            self.go(Place::Method([class, name, desc]));
        }
        let moments = ["after", "at", "moment"].map(|name| text(&row[name]));
        for at in moments.into_iter().flatten() {
            self.go(Place::Moment(at.clone()));
            if let Some(call) = text(&row["call"]) {
                self.go(Place::Focus(call, at));
            }
        }
    }

    fn moment(&mut self, at: &Value) {
        if let Some(at) = text(at) {
            self.go(Place::Moment(at));
        }
    }
}

fn rows(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}

/// A text, or a number as a text: lists say with either where they go on.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
