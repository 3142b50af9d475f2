//! The JVM that stays and compiles and runs tests, on real JDKs.

use std::fs;
use std::path::{Path, PathBuf};

use jinsi_jdk::compile::{self, CompileError};
use jinsi_jdk::junit::{JunitError, JunitResult};
use jinsi_jdk::server::{ServerError, Setting, TestServer};
use jinsi_jdk::{Jdk, Walls, maven};

/// Each test passes only if nothing of an earlier one is left.
const TIDY: &str = r#"
package p;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

class TidyTest {
    static int runs;

    @Test void findsNothing() throws Exception {
        assertEquals(1, ++runs);
        assertEquals(-1, System.in.read());
        assertEquals("UTC", TimeZone.getDefault().getID());
        assertEquals(Locale.US, Locale.getDefault());
        assertEquals(null, System.getProperty("left"));
        assertEquals(TidyTest.class.getClassLoader(), Thread.currentThread().getContextClassLoader());
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
        Locale.setDefault(Locale.GERMANY);
        System.setProperty("left", "behind");
        System.out.println("0\nprinted");
        Thread.currentThread().setContextClassLoader(null);
        List raw = List.of(1);
        throw new IllegalStateException("run " + runs + " of " + raw);
    }
}
"#;
/// Ends the JVM.
const ENDS: &str = "package p;
class EndsTest {
    @org.junit.jupiter.api.Test void ends() { System.err.println(\"last words\"); Runtime.getRuntime().halt(3); }
}
";

/// A place for sources and classes, and what is needed to work on them.
struct Bench {
    directory: tempfile::TempDir,
    jars: Vec<PathBuf>,
    server_classes: PathBuf,
}

impl Bench {
    fn new(jdk: &Jdk) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let server_classes = directory.path().join("server");
        let source = "../java-harness/server/jinsi/server/TestServer.java";
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
        compile::javac(jdk, &[source], &[], &server_classes).unwrap();
        Self {
            directory,
            jars: maven::fetch(&[maven::JUNIT]).unwrap(),
            server_classes,
        }
    }

    fn start(&self, jdk: &Jdk) -> TestServer {
        let options = [
            "-Duser.timezone=UTC",
            "-Duser.language=en",
            "-Duser.country=US",
        ];
        TestServer::start(&Setting {
            jdk,
            classes: &self.server_classes,
            class_path: &self.jars,
            jvm_args: &options.map(str::to_owned),
            walls: Walls::Confined,
            visible: &[],
            read: &[self.directory.path().to_owned()],
        })
        .unwrap()
    }

    /// Compiles a class of the package `p` into a directory of that name; the directory, and the categories of the warnings.
    fn compile(
        &self,
        server: &mut TestServer,
        name: &str,
        source: &str,
    ) -> Result<(PathBuf, Vec<String>), CompileError> {
        let file = self.directory.path().join(format!("{name}.java"));
        fs::write(&file, source).unwrap();
        let out = self.directory.path().join(name);
        let warnings = server.javac(
            &compile::LINT,
            None,
            std::slice::from_ref(&file),
            &self.jars,
            &out,
        )?;
        assert!(warnings.iter().all(|w| w.file == file), "{warnings:?}");
        Ok((out, warnings.into_iter().map(|w| w.category).collect()))
    }
}

#[test]
fn tests_find_nothing_of_earlier_ones() {
    let usable = |jdk: &Jdk| jdk.javac().is_some() && jdk.version().feature >= 17;
    for jdk in Jdk::all().unwrap().into_iter().filter(usable) {
        let bench = Bench::new(&jdk);
        let mut server = bench.start(&jdk);
        let (out, warnings) = bench.compile(&mut server, "TidyTest", TIDY).unwrap();
        assert_eq!(warnings, ["rawtypes"]);
        for _ in 0..3 {
            let path = std::slice::from_ref(&out);
            let outcomes = server.junit(&[], path, &["p.TidyTest"]).unwrap();
            let [outcome] = &*outcomes else {
                panic!("{outcomes:?}")
            };
            let JunitResult::Failed(failure) = &outcome.result else {
                panic!("{outcome:?}")
            };
            let message = failure.message.as_deref();
            assert_eq!(message, Some("run 1 of [1]"), "{}", failure.trace);
            assert_eq!(
                (failure.frames[0].line, outcome.class.as_str()),
                (27, "p.TidyTest")
            );
        }
    }
}

#[test]
fn trouble_is_named_and_does_not_end_the_server() {
    let jdk = Jdk::find(None).unwrap();
    let bench = Bench::new(&jdk);
    let mut server = bench.start(&jdk);
    match bench.compile(&mut server, "Wrong", "class Wrong { int x = y; }") {
        Err(CompileError::Rejected { diagnostics, .. }) => {
            assert!(diagnostics[0].message.starts_with("cannot find symbol"));
            assert!(diagnostics[0].file.ends_with("Wrong.java"));
        }
        other => panic!("{other:?}"),
    }
    let missing = server.junit(&[], &[], &["p.Missing"]).unwrap_err();
    assert!(matches!(missing, JunitError::NoReport { .. }), "{missing}");
    assert!(
        missing
            .to_string()
            .contains("ClassNotFoundException: p.Missing"),
        "{missing}"
    );
    let (none, _) = bench
        .compile(&mut server, "None", "package p; class None { }")
        .unwrap();
    let none = server.junit(&[], &[none], &["p.None"]).unwrap_err();
    assert!(matches!(none, JunitError::NoTests(_)), "{none}");

    let (out, _) = bench.compile(&mut server, "EndsTest", ENDS).unwrap();
    let ended = server.junit(&[], &[out], &["p.EndsTest"]).unwrap_err();
    let text = ended.to_string();
    assert!(
        matches!(ended, JunitError::Server(ServerError::Ended { .. })),
        "{text}"
    );
    assert!(
        text.contains("status: 3") && text.contains("last words"),
        "{text}"
    );
    assert!(
        bench
            .compile(&mut server, "After", "class After { }")
            .is_err()
    );
}
