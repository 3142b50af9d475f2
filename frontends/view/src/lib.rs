//! The page of a recorded run: a server for the browser of the machine's user, and nobody else.
//!
//! It listens on loopback. `access_guard` lets requests in that know the token of the address and come from the page itself. `assets` are the page,
//! which is made of files as they are, without a build step. `answers` are documents about the run, each of a screen's size: what is long is
//! asked for in parts. `asking` leads a session of questions about calls. `queries` has SQL answered by another program. [`still`] writes the page of a small run as one file, with all answers
//! in it.

mod access_guard;
mod answers;
mod asking;
mod assets;
pub mod browser;
mod http;
mod queries;
mod query;
mod refusal;
mod small;
pub mod still;

use std::cell::OnceCell;
use std::path::PathBuf;
use std::{io, thread};

use jinsi_answers::Sources;
use jinsi_declarative::Tree;
use jinsi_inspect::{Inspector, Moment};

pub use answers::Answers;
pub use queries::{Engine, NoEngine};
pub use small::{NoTest, Tests};

use access_guard::{AccessGuard, QUESTIONS};
use asking::Asking;
use http::{Head, Reply, Request, Server};
use queries::Queries;
use query::Query;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ViewError {
    #[error("cannot serve on port {port}: {why}; choose another one with --port")]
    Port { port: u16, why: io::Error },
    #[error("the system gives no random numbers: {0}")]
    Random(String),
}

/// What a page is about.
#[derive(Debug, Default)]
pub struct Subject {
    /// The trace's file, as the user named it.
    pub name: String,
    /// What else is to be said of it: what is missing, that it is a replay.
    pub remarks: Vec<String>,
    /// Where the page begins; `None`: at the failure, or at the beginning.
    pub begin: Option<Moment>,
    /// Of what is this the past? Notes are kept under this name.
    pub key: String,
    /// The report of the run, if there is one: a page with `data-past` where it leads to a moment.
    pub report: Option<String>,
    /// Who answers SQL; `None`: nobody, the page does not speak of it.
    pub engine: Option<Engine>,
    /// Who writes tests of calls; `None`: nobody.
    pub tests: Option<Tests>,
    /// Where answers to questions about calls are kept; `None`: the page asks none.
    pub kept: Option<PathBuf>,
}

/// A server that has its port and token.
pub struct View {
    server: Server,
    guard: AccessGuard,
}

impl View {
    /// Takes a port of loopback: this one, or one that is free.
    ///
    /// # Errors
    /// The port is taken; there are no random numbers.
    pub fn bind(port: Option<u16>, wish: u16) -> Result<Self, ViewError> {
        let server = match port {
            Some(port) => Server::bind(port),
            // The same port as before keeps what the browser has stored for the page.
            None => Server::bind(wish).or_else(|_| Server::bind(0)),
        };
        let server = server.map_err(|why| ViewError::Port {
            port: port.unwrap_or(0),
            why,
        })?;
        let guard = AccessGuard::new(server.port)?;
        Ok(Self { server, guard })
    }

    /// Where the page is: who knows this may see it.
    pub fn address(&self) -> String {
        self.guard.address()
    }

    /// Answers requests until the process ends.
    ///
    /// # Errors
    /// The connection to the network is lost.
    pub fn serve(
        &self,
        inspector: &Inspector<'_>,
        subject: &Subject,
        sources: Sources,
    ) -> io::Result<()> {
        let code = OnceCell::new();
        let answers = Answers::new(inspector, subject, sources, &code);
        let queries = subject.engine.clone().map(Queries::new);
        let tree: OnceCell<Tree> = OnceCell::new();
        let asking = subject.kept.clone();
        let asking = asking.map(|kept| Asking::new(inspector, &tree, kept));
        for request in self.server.listen()? {
            let answer = self.elsewhere(&request.head, queries.as_ref(), subject.tests.as_ref());
            match answer {
                // Nothing waits for others: who has the run goes on.
                Some(answer) => {
                    // Without a thread the connection is dropped.
                    let _ = thread::Builder::new().spawn(move || respond(request, &answer()));
                }
                None => {
                    let asking = asking.as_ref();
                    let reply = self.reply(&request.head, (&answers, asking), subject);
                    respond(request, &reply);
                }
            }
        }
        Ok(())
    }

    /// What somebody else answers, and how: SQL, and tests of calls.
    fn elsewhere(
        &self,
        head: &Head,
        queries: Option<&Queries>,
        tests: Option<&Tests>,
    ) -> Option<Box<dyn FnOnce() -> Reply + Send>> {
        let path = self.guard.let_in(head).ok()?;
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let query = Query::parse(query);
        if let Some(question) = path.strip_prefix("queries/") {
            let (queries, question) = (queries?.clone(), question.to_owned());
            return Some(Box::new(move || queries.reply(&question, &query)));
        }
        let tests = tests.filter(|_| path.strip_prefix(QUESTIONS) == Some("test"))?;
        let tests = tests.clone();
        Some(Box::new(move || tests.reply(&query)))
    }

    fn reply(
        &self,
        head: &Head,
        (answers, asking): (&Answers<'_, '_>, Option<&Asking<'_, '_>>),
        subject: &Subject,
    ) -> Reply {
        let path = match self.guard.let_in(head) {
            Ok(path) => path,
            Err(refused) => return refused,
        };
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        if let Some(question) = path.strip_prefix("api/") {
            return answers.reply(question, &Query::parse(query));
        }
        if let (Some(asking), Some(question)) = (asking, path.strip_prefix(QUESTIONS)) {
            return asking.reply(&head.method, question, &Query::parse(query));
        }
        if let (Some(report), "report.html") = (&subject.report, path) {
            return assets::report(report);
        }
        assets::find(path).unwrap_or_else(|| Reply::text(404, "There is no such page.\n"))
    }
}

fn respond(request: Request, reply: &Reply) {
    let policy = ("Content-Security-Policy", reply.policy);
    let headers: Vec<(&str, &str)> = HEADERS.into_iter().chain([policy]).collect();
    // A browser that has gone is no reason to stop.
    let _ = request.respond(reply, &headers);
}

/// Nothing is kept, nobody frames it or learns its address.
const HEADERS: [(&str, &str); 6] = [
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
];
