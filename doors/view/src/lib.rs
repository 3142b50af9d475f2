//! The page of a recorded run: a server for the browser of the machine's user, and nobody else.
//!
//! It listens on loopback. [`gate`] lets requests in that know the token of the address and come from the page itself. [`assets`] are the page,
//! which is made of files as they are, without a build step. [`answers`] are documents about the run, each of a screen's size: what is long is
//! asked for in parts.

mod answers;
mod assets;
mod gate;
mod query;
mod sources;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use jinsi_inspect::{Inspector, Moment};
use tiny_http::{Header, Request, Response, Server};

pub use answers::Answers;
pub use sources::Sources;

use gate::Gate;
use query::Query;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ViewError {
    #[error("no server on port {port} of this machine: {why}")]
    Port { port: u16, why: String },
    #[error("no random numbers: {0}")]
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
}

/// A server that has its port and token.
pub struct View {
    server: Server,
    gate: Gate,
}

/// What is sent back.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn text(status: u16, text: &str) -> Self {
        Self {
            status,
            kind: "text/plain; charset=utf-8",
            body: text.as_bytes().to_vec(),
        }
    }
}

impl View {
    /// Takes a port of loopback: this one, or one that is free.
    ///
    /// # Errors
    /// The port is taken; there are no random numbers.
    pub fn bind(port: Option<u16>, wish: u16) -> Result<Self, ViewError> {
        let at = |port: u16| {
            Server::http(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).map_err(|why| {
                ViewError::Port {
                    port,
                    why: why.to_string(),
                }
            })
        };
        let server = match port {
            Some(port) => at(port)?,
            // The same port as before keeps what the browser has stored for the page.
            None => at(wish).or_else(|_| at(0))?,
        };
        let port = server.server_addr().to_ip().map_or(0, |ip| ip.port());
        let gate = Gate::new(port)?;
        Ok(Self { server, gate })
    }

    /// Where the page is: who knows this may see it.
    pub fn address(&self) -> String {
        self.gate.address()
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
        let answers = Answers::new(inspector, subject, sources);
        loop {
            let request = self.server.recv()?;
            let reply = self.reply(&request, &answers);
            // A browser that has gone is no reason to stop.
            let _ = respond(request, reply);
        }
    }

    fn reply(&self, request: &Request, answers: &Answers<'_, '_>) -> Reply {
        let path = match self.gate.let_in(request) {
            Ok(path) => path,
            Err(refused) => return refused,
        };
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        if let Some(question) = path.strip_prefix("api/") {
            return answers.reply(question, &Query::parse(query));
        }
        assets::find(path).unwrap_or_else(|| Reply::text(404, "There is no such page.\n"))
    }
}

/// Nothing is loaded from elsewhere, nothing is kept, nobody frames it or learns its address.
const HEADERS: [(&str, &str); 7] = [
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
];

fn respond(request: Request, reply: Reply) -> io::Result<()> {
    let mut response = Response::from_data(reply.body).with_status_code(reply.status);
    let kind = [("Content-Type", reply.kind)];
    for (name, value) in kind.iter().chain(&HEADERS) {
        if let Ok(header) = Header::from_bytes(name.as_bytes(), value.as_bytes()) {
            response.add_header(header);
        }
    }
    request.respond(response)
}
