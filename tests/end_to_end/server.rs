//! Web servers that are recorded and killed: a sample of `cargo xtask bench server`, and Spring.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use jinsi_jdk::{Jdk, compile, maven};
use tempfile::tempdir;

use crate::support::{agent, is_plain, jdks, jinsi, json, minimize, run, tried_jdks};

/// As `cargo xtask bench server` has them.
const ARTIFACTS: [&str; 3] = [
    "org.apache.tomcat.embed:tomcat-embed-core:10.1.13",
    "org.apache.tomcat:tomcat-annotations-api:10.1.13",
    "commons-lang:commons-lang:2.3",
];
const OBSERVE: &str = "shop.*:org.apache.commons.lang.*";

/// What Spring MVC is made of.
const SPRING: [&str; 12] = [
    "org.apache.tomcat.embed:tomcat-embed-core:10.1.13",
    "org.apache.tomcat:tomcat-annotations-api:10.1.13",
    "org.springframework:spring-webmvc:6.1.14",
    "org.springframework:spring-web:6.1.14",
    "org.springframework:spring-context:6.1.14",
    "org.springframework:spring-beans:6.1.14",
    "org.springframework:spring-aop:6.1.14",
    "org.springframework:spring-expression:6.1.14",
    "org.springframework:spring-core:6.1.14",
    "org.springframework:spring-jcl:6.1.14",
    "io.micrometer:micrometer-observation:1.12.11",
    "io.micrometer:micrometer-commons:1.12.11",
];

/// What Spring Boot adds to that, with the Tomcat that it wants and what reads JSON.
const BOOT: [&str; 7] = [
    "org.apache.tomcat.embed:tomcat-embed-core:10.1.31",
    "org.apache.tomcat:tomcat-annotations-api:10.1.31",
    "org.springframework.boot:spring-boot:3.3.5",
    "org.springframework.boot:spring-boot-autoconfigure:3.3.5",
    "com.fasterxml.jackson.core:jackson-databind:2.17.2",
    "com.fasterxml.jackson.core:jackson-core:2.17.2",
    "com.fasterxml.jackson.core:jackson-annotations:2.17.2",
];

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

    /// The first line of the answer.
    fn get(&self, target: &str) -> String {
        self.ask(&format!(
            "GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        ))
    }

    /// The first line of the answer to this JSON document.
    fn post(&self, target: &str, document: &str) -> String {
        let length = document.len();
        self.ask(&format!(
            "POST {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{document}"
        ))
    }

    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.lines().next().unwrap_or_default().to_owned()
    }

    fn order(&self, lines: &str) -> String {
        self.get(&format!("/order?customer=ann&lines={lines}"))
    }
}

/// Starts the server whose sources are in `tests/server/NAME`, in the package of that name, with the agent.
fn start(
    jdk: &Jdk,
    name: &str,
    artifacts: &[&str],
    directory: &Path,
    options: &str,
) -> (Server, PathBuf) {
    let classes = directory.join(name);
    let jars = maven::fetch(artifacts).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server");
    let sources = std::fs::read_dir(root.join(name)).unwrap();
    let sources: Vec<PathBuf> = sources.map(|entry| entry.unwrap().path()).collect();
    compile::javac(&jdks()[0], &sources, &jars, &classes).unwrap();
    let trace = directory.join("t.jinsi");
    let options = format!(
        "{options},on=failure,max-size=8M,at-max=window,out={}",
        trace.display()
    );
    let server = Server::start(
        Command::new(jdk.java())
            .arg(format!("-agentpath:{}={options}", agent().display()))
            .arg("-cp")
            .arg(std::env::join_paths(std::iter::once(&classes).chain(&jars)).unwrap())
            .arg(format!("{name}.Server")),
    );
    (server, trace)
}

#[test]
fn a_failed_request_of_a_killed_server_gives_a_test() {
    let directory = tempdir().unwrap();
    let options = format!(
        "observe={OBSERVE},exclude=shop.Server,detail=boundary,fail=java.lang.RuntimeException:jakarta.servlet.ServletException"
    );
    let (server, trace) = start(&jdks()[0], "shop", &ARTIFACTS, directory.path(), &options);
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

/// The manual's recipe for answers with status 500: what a controller lets pass, which Spring then wraps where nothing is recorded.
#[test]
#[ignore = "long: Spring"]
fn a_failed_request_of_spring_gives_a_test() {
    const OBSERVE: &str = "quotes.*:org.apache.commons.lang.*";
    let artifacts: Vec<&str> = SPRING
        .into_iter()
        .chain(["commons-lang:commons-lang:2.3"])
        .collect();
    let directory = tempdir().unwrap();
    let options = format!(
        "observe={OBSERVE},exclude=quotes.Server,detail=boundary,fail=java.lang.RuntimeException"
    );
    let (server, trace) = start(&jdks()[0], "quotes", &artifacts, directory.path(), &options);
    for quantity in ["1", "2.5", "0x10"] {
        let answer = server.get(&format!("/quote?quantity={quantity}"));
        assert!(answer.contains(" 200"), "{answer}");
    }
    let answer = server.get("/quote?quantity=l");
    assert!(answer.contains(" 500"), "{answer}");
    drop(server);
    let report = minimize(&trace, OBSERVE);
    let failure = &report["failure"]["type"];
    assert_eq!(failure, "java.lang.StringIndexOutOfBoundsException");
    let level = &report["levels"][0];
    assert_eq!(level["test_outcome"], "reproduces", "{level:#}");
    // The prices, the controller, and the request.
    assert!(level["minimized"].as_u64() <= Some(3), "{level:#}");

    // The server cannot be started once more where nothing may open a socket; what it made, the test makes.
    let out = directory.path().join("levels");
    let levels = run(jinsi()
        .args(["--json", "minimize", "--out"])
        .arg(&out)
        .arg(&trace));
    let report = json(&levels);
    report["levels"]
        .as_array()
        .unwrap()
        .iter()
        .for_each(is_plain);
}

#[test]
#[ignore = "long: the same with a recording of all interactions"]
fn each_failed_request_of_spring_boot_has_tests_without_the_server() {
    for jdk in tried_jdks() {
        failed_requests_of_spring_boot(&jdk, "interactions");
    }
}

/// Beans are made on one thread and used on others.
#[test]
#[ignore = "long: Spring Boot"]
fn failed_requests_of_spring_boot_that_were_recorded_cheaply_have_the_same_tests() {
    for jdk in tried_jdks() {
        failed_requests_of_spring_boot(&jdk, "boundary");
    }
}

/// The report on a service of which two requests failed, each in its own way. The one that failed last has tests in plain Java on all levels, and
/// the other has one to keep.
fn failed_requests_of_spring_boot(jdk: &Jdk, detail: &str) {
    let artifacts = [&BOOT[..], &SPRING[2..]].concat();
    let directory = tempdir().unwrap();
    let options = format!("observe=orders.*,detail={detail},fail=java.lang.RuntimeException");
    let (server, trace) = start(jdk, "orders", &artifacts, directory.path(), &options);
    for (coupon, status) in [("TEN", "200"), ("SPRING", "500"), ("ALL", "500")] {
        let items = r#"[{"sku":"tea","quantity":1}]"#;
        let order = format!(r#"{{"customer":"dan","items":{items},"coupon":"{coupon}"}}"#);
        let answer = server.post("/orders", &order);
        assert!(answer.contains(status), "{answer}");
    }
    drop(server);
    let out = directory.path().join("report");
    let output = run(jinsi()
        .args(["--json", "minimize", "--out"])
        .arg(&out)
        .arg(&trace));
    let report = json(&output);
    assert_eq!(report["failure"]["type"], "java.lang.ArithmeticException");
    let levels = report["levels"].as_array().unwrap();
    levels.iter().for_each(is_plain);
    let joins: Vec<&str> = levels.iter().filter_map(|l| l["name"].as_str()).collect();
    assert_eq!(
        joins,
        [
            "orders.CouponService",
            "orders.OrderService",
            "orders.OrderController"
        ]
    );
    let others = report["other_failures"].as_array().unwrap();
    assert_eq!(others.len(), 1, "{others:#?}");
    assert_eq!(others[0]["type"], "java.lang.NullPointerException");
    for (keep, coupon) in [(&report["keep"], "ALL"), (&others[0]["keep"], "SPRING")] {
        let test = std::fs::read_to_string(out.join(keep.as_str().unwrap())).unwrap();
        assert!(test.contains("new PriceRepository()"), "{test}");
        let order = format!(r#"new OrderRequest("dan", new ArrayList<>(), "{coupon}")"#);
        assert!(test.contains(&order), "{test}");
    }
}
