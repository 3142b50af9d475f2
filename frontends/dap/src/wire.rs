//! Messages on the wire: a header with the length, an empty line, and a JSON document.

use std::io::{self, BufRead, Read, Write};

use crate::error::{DapError, WireError};
use serde::Deserialize;
use serde_json::{Value, json};

/// A longer message is not from an editor.
const LONGEST: u64 = 16 << 20;
/// A longer line of a header is not either.
const LONGEST_LINE: u64 = 1024;

/// What the client asks for.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    pub(crate) seq: i64,
    pub(crate) command: String,
    #[serde(default)]
    pub(crate) arguments: Value,
}

/// What comes from the client.
#[derive(Debug)]
pub(crate) enum Incoming {
    Request(Request),
    /// Something else, or no request at all: it has no answer.
    Other,
    /// The connection has ended.
    End,
}

/// The next message.
///
/// # Errors
/// The connection is broken, or what comes is not the protocol: the beginning of a next message cannot be found.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Incoming> {
    let Some(length) = header(input)? else {
        return Ok(Incoming::End);
    };
    let mut body = vec![0; length as usize];
    input.read_exact(&mut body)?;
    let Ok(document) = serde_json::from_slice::<Value>(&body) else {
        return Ok(Incoming::Other);
    };
    if document.get("type").and_then(Value::as_str) != Some("request") {
        return Ok(Incoming::Other);
    }
    Ok(match serde_json::from_value(document) {
        Ok(request) => Incoming::Request(request),
        Err(_) => Incoming::Other,
    })
}

/// The length that the header says; `None`: there is no further message.
fn header(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let read = (&mut *input)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?;
        if read == 0 {
            return match length {
                None => Ok(None),
                Some(_) => Err(io::ErrorKind::UnexpectedEof.into()),
            };
        }
        let line = String::from_utf8_lossy(&line);
        let Some(line) = line.strip_suffix('\n') else {
            return Err(WireError::LongHeader.into());
        };
        let line = line.trim_end_matches('\r');
        if line.is_empty() {
            let length = length.ok_or(WireError::NoLength)?;
            return match length <= LONGEST {
                true => Ok(Some(length)),
                false => Err(WireError::LongMessage {
                    length,
                    limit: LONGEST,
                }
                .into()),
            };
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("Content-Length")
        {
            let value = value.trim().parse();
            length = Some(value.map_err(|_| WireError::BadLength)?);
        }
    }
}

/// Writes messages, numbered.
pub(crate) struct Out<W> {
    to: W,
    seq: i64,
}

impl<W: Write> Out<W> {
    pub(crate) fn new(to: W) -> Self {
        Self { to, seq: 0 }
    }

    /// The answer to a request: what it gives, or why there is none.
    pub(crate) fn respond(
        &mut self,
        request: &Request,
        answer: Result<Value, DapError>,
    ) -> io::Result<()> {
        let mut message = json!({
            "type": "response",
            "request_seq": request.seq,
            "command": request.command,
            "success": answer.is_ok(),
        });
        match answer {
            Ok(Value::Null) => {}
            Ok(body) => message["body"] = body,
            Err(error) => {
                let why = error.to_string();
                message["message"] = why.clone().into();
                message["body"] = json!({ "error": { "id": 1, "format": why, "showUser": true } });
            }
        }
        self.write(message)
    }

    /// Says that something has happened.
    pub(crate) fn event(&mut self, event: &str, body: Value) -> io::Result<()> {
        let mut message = json!({ "type": "event", "event": event });
        if !body.is_null() {
            message["body"] = body;
        }
        self.write(message)
    }

    fn write(&mut self, mut message: Value) -> io::Result<()> {
        self.seq += 1;
        message["seq"] = self.seq.into();
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(text: &str) -> Vec<u8> {
        format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes()
    }

    #[test]
    fn requests_are_read_one_after_the_other() {
        let mut bytes = framed(r#"{"seq":1,"type":"request","command":"threads"}"#);
        bytes.extend(framed("no JSON"));
        bytes.extend(b"content-length: 47\nX-More: 1\n\n{\"seq\":2,\"type\":\"request\",\"command\":\"\xc3\xa4\xc3\xb6\xc3\xbc\"}  ");
        let mut input = io::Cursor::new(bytes);
        let Incoming::Request(first) = read(&mut input).unwrap() else {
            panic!("no request")
        };
        assert_eq!((first.seq, first.command.as_str()), (1, "threads"));
        assert!(matches!(read(&mut input).unwrap(), Incoming::Other));
        let Incoming::Request(third) = read(&mut input).unwrap() else {
            panic!("no request")
        };
        assert_eq!(third.command, "äöü");
        assert!(matches!(read(&mut input).unwrap(), Incoming::End));
    }

    #[test]
    fn what_is_not_the_protocol_is_an_error() {
        for bytes in [
            "GET / HTTP/1.1\r\n\r\n",
            "Content-Length: many\r\n\r\n",
            "Content-Length: 99999999999\r\n\r\n{}",
            "Content-Length: 10\r\n\r\n{}",
            "Content-Length: 2\r\n",
            &"x".repeat(5000),
        ] {
            assert!(read(&mut bytes.as_bytes()).is_err(), "{bytes}");
        }
    }

    #[test]
    fn answers_are_numbered() {
        let mut bytes = Vec::new();
        let mut out = Out::new(&mut bytes);
        let request = Request {
            seq: 7,
            command: "next".to_owned(),
            arguments: Value::Null,
        };
        out.respond(&request, Ok(Value::Null)).unwrap();
        out.respond(&request, Err(DapError::OpenAlready)).unwrap();
        out.event("stopped", json!({ "reason": "step" })).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text.matches("Content-Length: ").count(), 3);
        assert!(
            text.contains(r#""request_seq":7"#) && text.contains(r#""seq":3"#),
            "{text}"
        );
        assert!(
            text.contains(r#""message":"a trace is open already"#),
            "{text}"
        );
    }
}
