//! As much of HTTP as the page needs: requests without a body, one a connection.
//!
//! Each connection is read by a thread of its own, for browsers open some that they say nothing on. What was read waits in one line for the
//! thread that has the run.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// Bytes of a request at most, and headers.
const LONGEST: usize = 16 << 10;
const HEADERS: usize = 64;
/// Connections at a time.
const CONNECTIONS: usize = 64;
/// How long one may say nothing, or not take what it is sent.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long what it still says is listened to, once it has its answer.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// What is sent back.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    /// What a page may load and do.
    pub(crate) policy: &'static str,
    pub(crate) body: Vec<u8>,
}

/// Nothing is loaded from elsewhere.
pub(crate) const OWN: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The same, for a page that has its style in it.
pub(crate) const OWN_STYLED: &str = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

impl Reply {
    pub(crate) fn text(status: u16, text: &str) -> Self {
        Self {
            status,
            kind: "text/plain; charset=utf-8",
            policy: OWN,
            body: text.as_bytes().to_vec(),
        }
    }
}

/// What a request says before its body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) method: String,
    pub(crate) target: String,
    headers: Vec<(String, String)>,
}

impl Head {
    /// The head that begins these bytes; `None`: it is not whole yet. `Err`: it is none.
    fn parse(bytes: &[u8]) -> Result<Option<Self>, httparse::Error> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        if request.parse(bytes)?.is_partial() {
            return Ok(None);
        }
        let headers = request.headers.iter().map(|header| {
            let value = String::from_utf8_lossy(header.value).into_owned();
            (header.name.to_owned(), value)
        });
        Ok(Some(Self {
            method: request.method.unwrap_or_default().to_owned(),
            target: request.path.unwrap_or_default().to_owned(),
            headers: headers.collect(),
        }))
    }

    /// The header of this name, if there is one.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut all = self.headers.iter();
        let found = all.find(|(of, _)| of.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// A connection; one less when it is gone.
struct Connection {
    stream: TcpStream,
    open: Arc<AtomicUsize>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A request that waits for its answer.
pub(crate) struct Request {
    pub(crate) head: Head,
    connection: Connection,
}

/// A port of loopback, and what is asked there.
pub(crate) struct Server {
    listener: TcpListener,
    pub(crate) port: u16,
}

impl Server {
    pub(crate) fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port })
    }

    /// Begins to listen. What is asked comes out of the channel.
    pub(crate) fn listen(&self) -> io::Result<Receiver<Request>> {
        let listener = self.listener.try_clone()?;
        let (sender, receiver) = sync_channel(CONNECTIONS);
        let open = Arc::new(AtomicUsize::new(0));
        thread::Builder::new()
            .name("jinsi-view".to_owned())
            .spawn(move || accept(&listener, &sender, &open))?;
        Ok(receiver)
    }
}

fn accept(listener: &TcpListener, sender: &SyncSender<Request>, open: &Arc<AtomicUsize>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Too many files are open, or the like: that passes.
            thread::sleep(LAST_WORDS);
            continue;
        };
        let before = open.fetch_add(1, Ordering::Relaxed);
        let connection = Connection {
            stream,
            open: Arc::clone(open),
        };
        if before >= CONNECTIONS {
            continue;
        }
        let sender = sender.clone();
        // Without a thread the connection is dropped.
        let _ = thread::Builder::new().spawn(move || read(connection, &sender));
    }
}

fn read(mut connection: Connection, sender: &SyncSender<Request>) {
    let stream = &mut connection.stream;
    let patient = stream
        .set_read_timeout(Some(PATIENCE))
        .and_then(|()| stream.set_write_timeout(Some(PATIENCE)));
    if patient.is_err() {
        return;
    }
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        match stream.read(&mut part) {
            Ok(0) | Err(_) => return,
            Ok(count) => bytes.extend_from_slice(&part[..count]),
        }
        match Head::parse(&bytes) {
            Ok(Some(head)) => {
                // Who would answer is gone.
                let _ = sender.send(Request { head, connection });
                return;
            }
            Ok(None) if bytes.len() < LONGEST => {}
            _ => {
                let reply = Reply::text(400, "That is no request.\n");
                let _ = write(stream, &reply, &[], false);
                hear_out(stream);
                return;
            }
        }
    }
}

impl Request {
    /// Answers.
    pub(crate) fn respond(mut self, reply: &Reply, headers: &[(&str, &str)]) -> io::Result<()> {
        let without_body = self.head.method == "HEAD";
        write(&mut self.connection.stream, reply, headers, without_body)?;
        // What has a body is heard out, or the answer would be lost with the connection.
        if !matches!(self.head.method.as_str(), "GET" | "HEAD") {
            thread::Builder::new().spawn(move || hear_out(&mut self.connection.stream))?;
        }
        Ok(())
    }
}

fn write(
    stream: &mut TcpStream,
    reply: &Reply,
    headers: &[(&str, &str)],
    without_body: bool,
) -> io::Result<()> {
    let reason = match reply.status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        _ => "Internal Server Error",
    };
    let mut text = format!(
        "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n",
        reply.status,
        reply.kind,
        reply.body.len()
    );
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    stream.write_all(text.as_bytes())?;
    if !without_body {
        stream.write_all(&reply.body)?;
    }
    stream.flush()
}

fn hear_out(stream: &mut TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.set_read_timeout(Some(LAST_WORDS));
    let mut left = 1 << 20;
    let mut part = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut part) {
        left -= count.min(left);
        if left == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read() {
        let text = b"GET /a?b=c HTTP/1.1\r\nHost: here\r\nX: y\r\n\r\n";
        for end in 0..text.len() {
            assert_eq!(Head::parse(&text[..end]).unwrap(), None, "{end}");
        }
        let head = Head::parse(text).unwrap().unwrap();
        assert_eq!(
            (head.method.as_str(), head.target.as_str()),
            ("GET", "/a?b=c")
        );
        assert_eq!(head.header("host"), Some("here"));
        assert_eq!(head.header("other"), None);
        assert!(Head::parse(b"\x16\x03\x01 no request\r\n\r\n").is_err());
    }

    #[test]
    fn silent_connections_keep_nobody_waiting() {
        let server = Server::bind(0).unwrap();
        let requests = server.listen().unwrap();
        let connect = || TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).unwrap();
        let silent: Vec<TcpStream> = (0..8).map(|_| connect()).collect();
        let mut asking = connect();
        asking
            .write_all(b"GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
            .unwrap();
        let request = requests.recv().unwrap();
        assert_eq!(request.head.target, "/x");
        let reply = Reply::text(200, "well");
        request.respond(&reply, &[("A", "b")]).unwrap();
        let mut answer = String::new();
        asking.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.ends_with("A: b\r\n\r\nwell"), "{answer}");
        drop(silent);
    }
}
