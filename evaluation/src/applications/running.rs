//! An application that runs: its answers.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use jinsi_ground::child::spawn;
use jinsi_ground::{files, repository};
use jinsi_platform::process::kill_with_descendants;

/// Time for a run, and for its start.
const LIMIT: Duration = Duration::from_secs(180);
const POLL: Duration = Duration::from_millis(50);

/// A port that nobody listens on.
pub(super) fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// What a program answers: to each request at the port, a status and a text. Without requests, its exit status and what it prints.
pub(super) fn answers(
    command: &mut Command,
    directory: &Path,
    port: u16,
    requests: &[String],
) -> Result<Vec<String>> {
    let mut child = spawn(command, directory)?;
    if requests.is_empty() {
        let status = ended(&mut child)?;
        return Ok(vec![
            status.to_string(),
            files::text(&directory.join("stdout"))?,
        ]);
    }
    let answers = ready(&mut child, port).and_then(|()| {
        let answers = requests.iter().map(|request| answer(request, port));
        answers.collect::<Result<Vec<String>>>()
    });
    match child.try_wait()? {
        Some(status) => bail!("the application ended while it was asked ({status})"),
        None => repository::run(Command::new("kill").arg(child.id().to_string()))?,
    }
    ended(&mut child)?;
    answers
}

/// Waits until somebody listens.
fn ready(child: &mut Child, port: u16) -> Result<()> {
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if child.try_wait()?.is_some() || start.elapsed() > LIMIT {
            bail!("the application does not listen");
        }
        thread::sleep(POLL);
    }
    Ok(())
}

fn ended(child: &mut Child) -> Result<ExitStatus> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() > LIMIT {
            kill_with_descendants(child.id());
            child.wait()?;
            bail!("the application does not end");
        }
        thread::sleep(POLL);
    }
}

/// Status line and text of the answer to a request. By HTTP 1.0, so that the text comes in one piece.
fn answer(request: &str, port: u16) -> Result<String> {
    let (method, rest) = match request.starts_with('/') {
        true => ("GET", request),
        false => request.split_once(' ').context("a request has a path")?,
    };
    let (path, body) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(LIMIT))?;
    write!(
        stream,
        "{method} {path} HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    Ok(format!(
        "{}\n{body}",
        head.lines().next().unwrap_or_default()
    ))
}

/// How answers differ from those of two runs without jinsi. Where these differ (times, ids), only the first line counts.
pub(super) fn difference(plain: &[Vec<String>; 2], recorded: &[String]) -> Option<String> {
    let [first, second] = plain;
    let kept = |own: &String, other: &String| match own == other {
        true => own.clone(),
        false => own.lines().next().unwrap_or_default().to_owned(),
    };
    if recorded.len() != first.len() {
        return Some(format!("{} answers of {}", recorded.len(), first.len()));
    }
    let mut answers = first.iter().zip(second).zip(recorded);
    answers.find_map(|((one, two), recorded)| {
        let wanted = kept(one, two);
        let same = *recorded == wanted || (one != two && recorded.lines().next() == Some(&wanted));
        (!same).then(|| format!("with jinsi the answer is {recorded:?}, without {wanted:?}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_requests_ends_by_itself() {
        let directory = tempfile::tempdir().unwrap();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "echo out; exit 3"]);
        let answers = answers(&mut command, directory.path(), 1, &[]).unwrap();
        assert_eq!(answers, ["exit status: 3", "out\n"]);
    }

    #[test]
    fn what_always_differs_does_not_count() {
        let answers = |texts: [&str; 2]| texts.map(str::to_owned).to_vec();
        let plain = [
            answers(["200\na", "500\n12:01"]),
            answers(["200\na", "500\n12:02"]),
        ];
        assert_eq!(difference(&plain, &answers(["200\na", "500\n12:03"])), None);
        assert!(difference(&plain, &answers(["200\nb", "500\n12:03"])).is_some());
        assert!(difference(&plain, &answers(["200\na", "200\n12:03"])).is_some());
        assert!(difference(&plain, &[]).is_some());
    }
}
