//! A web server that is recorded and killed: a sample of `cargo xtask bench server`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use jinsi_analysis::jvm::{compile, maven};
use tempfile::tempdir;

use crate::support::{agent, jdks, minimize};

/// As `cargo xtask bench server` has them.
const ARTIFACTS: [&str; 3] = [
    "org.apache.tomcat.embed:tomcat-embed-core:10.1.13",
    "org.apache.tomcat:tomcat-annotations-api:10.1.13",
    "commons-lang:commons-lang:2.3",
];
const OBSERVE: &str = "shop.*:org.apache.commons.lang.*";

/// The server; killed when dropped.
struct Server {
    child: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let output = child.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        let port = line.trim().strip_prefix("port ").map(str::parse);
        let port = port.expect("it says its port").unwrap();
        Self { child, port }
    }

    /// The first line of the answer to an order.
    fn order(&self, lines: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let request = format!(
            "GET /order?customer=ann&lines={lines} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.lines().next().unwrap_or_default().to_owned()
    }
}

#[test]
fn a_failed_request_of_a_killed_server_gives_a_test() {
    let directory = tempdir().unwrap();
    let classes = directory.path().join("shop");
    let jars = maven::fetch(&ARTIFACTS).unwrap();
    let sources = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/shop"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let jdk = &jdks()[0];
    compile::javac(jdk, &sources.collect::<Vec<_>>(), &jars, &classes).unwrap();
    let trace = directory.path().join("t.jinsi");
    let options = format!(
        "observe={OBSERVE},exclude=shop.Server,detail=boundary,on=failure,max-size=1M,at-max=window,\
         fail=java.lang.RuntimeException:jakarta.servlet.ServletException,out={}",
        trace.display()
    );
    let server = Server::start(
        Command::new(jdk.java())
            .arg(format!("-agentpath:{}={options}", agent().display()))
            .arg("-cp")
            .arg(std::env::join_paths(std::iter::once(&classes).chain(&jars)).unwrap())
            .arg("shop.Server"),
    );
    for n in 0..50 {
        let answer = server.order(&format!("apple:{n},pear:3L"));
        assert!(answer.contains(" 200"), "{answer}");
    }
    let answer = server.order("apple:2,pear:l");
    assert!(answer.contains(" 500"), "{answer}");
    drop(server);
    let report = minimize(&trace, OBSERVE);
    assert_eq!(
        report["failure"]["type"],
        "java.lang.StringIndexOutOfBoundsException"
    );
    let level = &report["levels"][0];
    assert_eq!(level["test_outcome"], "reproduces", "{level:#}");
    // The catalog, the servlet, and the order.
    assert!(level["minimized"].as_u64() <= Some(3), "{level:#}");
}
