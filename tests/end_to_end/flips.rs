//! A jump that is turned in a replay does what the program does whose condition is negated in its source.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use jinsi_analysis::pipeline::Run;
use jinsi_classfile::effect::Access;
use jinsi_ground::numbers::Numbers;
use jinsi_jdk::{Jdk, compile};
use jinsi_level::Engine;
use jinsi_level::verdict::TestOutcome;
use jinsi_omission::{Code, Place};
use jinsi_replay::rewrite::{FlipKind, FlipSite};
use jinsi_trace::model::MemberRef;
use jinsi_trace::reader::Trace;
use tempfile::TempDir;

use super::replayed_threads::config;
use super::support::{jdks, recorded, stdout, succeed};

/// Programs that are generated, and the number that they are drawn by.
const PROGRAMS: usize = 4;
const SEED: u64 = 40722;

/// Writes a program twice, line by line alike: as it is, and with each condition given to a method.
struct Source {
    numbers: Numbers,
    plain: String,
    asked: String,
    /// Line of each condition.
    conditions: Vec<u16>,
    line: u16,
    loops: usize,
}

impl Source {
    fn of(no: usize) -> Self {
        let mut source = Self {
            numbers: Numbers::new(SEED + no as u64),
            plain: String::new(),
            asked: String::new(),
            conditions: Vec::new(),
            line: 0,
            loops: 0,
        };
        source.class(no);
        source
    }

    fn put(&mut self, text: &str) {
        for all in [&mut self.plain, &mut self.asked] {
            writeln!(all, "{text}").unwrap();
        }
        self.line += 1;
    }

    /// A line with a condition.
    fn condition(&mut self, before: &str, condition: &str) {
        let no = self.conditions.len();
        writeln!(self.plain, "{before} ({condition}) {{").unwrap();
        writeln!(self.asked, "{before} (T.t({no}, {condition})) {{").unwrap();
        self.line += 1;
        self.conditions.push(self.line);
    }

    fn class(&mut self, no: usize) {
        self.put("package gen;");
        self.put(&format!("public class P{no} {{"));
        self.put("static int a, b = 1, c = 2; static Object o, p = new Object();");
        // The one with negated conditions runs many times in a JVM.
        let reset = "a = 0; b = 1; c = 2; o = null; p = new Object();";
        self.put(&format!("static void reset() {{ {reset} }}"));
        self.put("static int f(int x) {");
        self.block(1);
        self.put("return x + a; }");
        self.put("static void go() {");
        for _ in 0..3 {
            self.block(2);
        }
        self.put("System.out.println(a + \" \" + b + \" \" + c); }");
        self.put("public static void main(String[] args) { go(); }");
        self.put("}");
    }

    fn variable(&mut self) -> &'static str {
        ["a", "b", "c"][self.numbers.below(3)]
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..3 {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        let (one, other) = (self.variable(), self.variable());
        match self.numbers.below(if depth == 0 { 5 } else { 9 }) {
            0 => self.put(&format!("{one} = {other} * 3 + 1;")),
            1 => self.put(&format!("{one} -= {other};")),
            2 => self.put("o = o == null ? p : null;"),
            3 => self.put(&format!("System.out.println(\"{one} \" + {one});")),
            4 => self.put(&format!("{one} = 100 / ({other} == 7 ? 0 : 5);")),
            5 => {
                self.put(&format!("int i{} = 0;", self.loops));
                let counter = format!("i{}", self.loops);
                self.loops += 1;
                self.condition("while", &format!("{counter} < 3"));
                self.put(&format!("{counter}++;"));
                self.block(depth - 1);
                self.put("}");
            }
            6 if depth == 2 => self.put(&format!("{one} = f({other});")),
            no => {
                let condition = match (no, self.numbers.below(6)) {
                    (7, 0) => "o == null".to_owned(),
                    (7, 1) => "o != p".to_owned(),
                    (_, 2) => format!("{one} > 0"),
                    (_, 3) => format!("{one} == {other}"),
                    (_, 4) => format!("{one} != 0"),
                    _ => format!("{one} <= {other}"),
                };
                self.condition("if", &condition);
                self.block(depth - 1);
                self.put("} else {");
                self.block(depth - 1);
                self.put("}");
            }
        }
    }
}

const REPORTED: &str = "package gen;
public class T {
    static int wanted, time, times;
    public static boolean t(int no, boolean condition) {
        return condition != (no == wanted && ++times == time);
    }
    public static void main(String[] args) throws Exception {
        Class<?> program = Class.forName(args[0]);
        for (int i = 1; i < args.length; i += 2) {
            wanted = Integer.parseInt(args[i]);
            time = Integer.parseInt(args[i + 1]);
            times = 0;
            System.out.println(\"##\");
            program.getDeclaredMethod(\"reset\").invoke(null);
            try {
                program.getDeclaredMethod(\"go\").invoke(null);
            } catch (java.lang.reflect.InvocationTargetException e) {
                System.out.println(\"!\" + e.getCause().getClass().getName());
            }
        }
    }
}
";

/// Compiles both versions of all programs.
fn compiled(jdk: &Jdk, directory: &Path, sources: &[Source]) -> [PathBuf; 2] {
    ["plain", "asked"].map(|version| {
        let place = directory.join(version);
        std::fs::create_dir_all(&place).unwrap();
        let mut files = vec![place.join("T.java")];
        std::fs::write(&files[0], REPORTED).unwrap();
        for (no, source) in sources.iter().enumerate() {
            let file = place.join(format!("P{no}.java"));
            let text = if version == "plain" {
                &source.plain
            } else {
                &source.asked
            };
            std::fs::write(&file, text).unwrap();
            files.push(file);
        }
        let out = place.join("classes");
        compile::javac(jdk, &files, &[], &out).unwrap();
        out
    })
}

/// The jumps of the conditions, as sites: numbers from 1.
fn sites(trace: &Trace, source: &Source) -> Vec<FlipSite> {
    let code = Code::of(trace);
    let mut sites = Vec::new();
    for (no, line) in source.conditions.iter().enumerate() {
        for (method, body) in code.bodies() {
            let jumps =
                body.instructions.iter().enumerate().filter(|(_, i)| {
                    i.line == *line && matches!(i.effect.access, Access::Branch(_))
                });
            for (at, instruction) in jumps {
                assert!(code.instruction(Place { method, at }).is_some());
                let method = code.method(method);
                sites.push(FlipSite {
                    no: no as u32 + 1,
                    method: MemberRef {
                        owner: method.owner.as_str().into(),
                        name: method.name.as_str().into(),
                        desc: method.desc.as_str().into(),
                    },
                    bci: instruction.bci as u16,
                    kind: FlipKind::Turn,
                });
            }
        }
    }
    assert_eq!(sites.len(), source.conditions.len(), "{}", source.plain);
    sites
}

/// Of so many times the first, the last, and one in between.
fn some(times: u64) -> impl Iterator<Item = u64> {
    let mut some = vec![1, times.div_ceil(2), times];
    some.retain(|time| *time > 0 && *time <= times);
    some.dedup();
    some.into_iter()
}

/// What the program prints whose source has these conditions negated, each at this time.
fn negated(jdk: &Jdk, asked: &Path, main: &str, asked_for: &[(u32, u64)]) -> String {
    let mut java = std::process::Command::new(jdk.java());
    java.arg("-cp").arg(asked).args(["gen.T", main]);
    let each = asked_for.iter();
    java.args(each.flat_map(|(no, time)| [(no - 1).to_string(), time.to_string()]));
    let output = succeed(&mut java);
    stdout(&output)
}

#[test]
fn turned_jumps_do_what_negated_conditions_do() {
    let directory = TempDir::new().unwrap();
    let jdk = jdks().remove(0);
    let sources: Vec<Source> = (0..PROGRAMS).map(Source::of).collect();
    let [plain, asked] = compiled(&jdk, directory.path(), &sources);
    let config = config(&jdk);
    let (mut compared, mut broken, mut resolved) = (0, 0, 0);
    for (no, source) in sources.iter().enumerate() {
        let place = directory.path().join(no.to_string());
        std::fs::create_dir_all(&place).unwrap();
        let main = format!("gen.P{no}");
        let file = recorded(
            &jdk,
            &place,
            plain.as_os_str(),
            &main,
            ("gen.P*", "instructions"),
        );
        let sites = sites(&Trace::open(&file).unwrap(), source);
        let recording = Run::open(&file).unwrap();
        let mut direct = recording
            .flipping(&config, &sites, &[Engine::Direct])
            .unwrap();
        let mut replay = recording
            .flipping(&config, &sites, &[Engine::Replay])
            .unwrap();
        // Each jump the first time, the last, and one in between.
        let mut asked_for = Vec::new();
        for site in &sites {
            let times = direct.flip(site.no, 0).unwrap().times;
            asked_for.extend(some(times).map(|time| (site.no, time)));
        }
        let text = negated(&jdk, &asked, &main, &asked_for);
        let expected: Vec<&str> = text.split("##\n").skip(1).collect();
        assert_eq!(expected.len(), asked_for.len());
        for ((site, time), expected) in asked_for.into_iter().zip(expected) {
            let (printed, exception) = expected.split_once('!').unwrap_or((expected, ""));
            let flipped = direct.flip(site, time).unwrap();
            let what = format!("{main}, condition {site}, time {time}");
            let context = format!("{what}: {flipped:?}\n{}", source.plain);
            assert!(flipped.turned, "{context}");
            assert_eq!(flipped.printed, printed, "{context}");
            let ended = flipped.exception.as_ref().map_or("", |e| e.class.as_str());
            assert_eq!(ended, exception.trim(), "{context}");
            let passes = flipped.outcome == TestOutcome::Passing;
            assert_eq!(passes, exception.is_empty(), "{context}");
            compared += 1;
            broken += usize::from(!exception.is_empty());
            // With recorded answers it may not be known; if it is, it is that.
            let answered = replay.flip(site, time).unwrap();
            if answered.outcome == TestOutcome::Passing && !answered.resynchronized {
                assert_eq!(answered.printed, printed, "{context}\n{answered:?}");
                resolved += 1;
            }
        }
    }
    assert!(compared > 40, "{compared}");
    assert!(broken > 0 && resolved > 0, "{broken} {resolved}");
}
