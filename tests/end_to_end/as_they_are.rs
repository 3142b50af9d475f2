//! Programs as they are: a first recording at the boundary is enough, and what is recommended calls the program's own method, fails on the program
//! as it is, and passes on the repaired one.

use std::fs;
use std::path::{Path, PathBuf};

use jinsi_jdk::junit::{self, JunitResult};
use jinsi_jdk::{Jdk, compile, maven};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use super::support::{jdks, jinsi, json, run, stderr, tried_jdks};

mod given;

/// A program in one source file or more.
struct Program {
    jdk: Jdk,
    directory: TempDir,
    sources: Vec<(&'static str, &'static str)>,
}

/// What came of it.
struct Done {
    report: Value,
    /// What the program and jinsi wrote.
    said: String,
    /// The recommended test.
    test: PathBuf,
}

impl Program {
    /// From its sources: paths, and texts.
    fn new(jdk: Jdk, sources: &[(&'static str, &'static str)]) -> Self {
        let program = Self {
            jdk,
            directory: tempdir().unwrap(),
            sources: sources.to_vec(),
        };
        program.compiled("classes", |text| text.to_owned());
        program
    }

    fn at(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Its classes in the directory `name`, from sources that are changed so.
    fn compiled(&self, name: &str, changed: impl Fn(&str) -> String) -> PathBuf {
        let (source, out) = (self.at(&format!("{name}-src")), self.at(name));
        let written = self.sources.iter().map(|(path, text)| {
            let file = source.join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, changed(text)).unwrap();
            file
        });
        let files: Vec<PathBuf> = written.collect();
        compile::javac(&self.jdk, &files, &[], &out).unwrap();
        out
    }

    /// What `jinsi debug` makes of a run of `main`.
    fn debugged(&self, observe: &str, options: &[&str], main: &[&str]) -> Done {
        let output = run(jinsi()
            .current_dir(self.directory.path())
            .args(["--json", "debug", "--out", "report", "--observe", observe])
            .args(options)
            .arg("--")
            .arg(self.jdk.java())
            .args(main));
        let report = json(&output);
        let keep = report["keep"].as_str();
        let keep = keep.unwrap_or_else(|| panic!("{}\n{report:#}", stderr(&output)));
        Done {
            test: self.at("report").join(keep),
            said: stderr(&output),
            report,
        }
    }

    /// The same, on the class path `classes`, with nothing else said.
    fn debug(&self, observe: &str, main: &str) -> Done {
        self.debugged(observe, &[], &["-cp", "classes", main])
    }

    /// Does the test pass with these classes?
    fn passes(&self, done: &Done, classes: &Path) -> bool {
        let mut class_path = vec![classes.to_owned()];
        if done.code().contains("Mockito") {
            class_path.extend(maven::fetch(&maven::MOCKITO).unwrap());
        }
        passes(&self.jdk, &done.test, &class_path)
    }

    /// The recommended test fails with the program as it is, and passes with the repaired one.
    fn flips(&self, done: &Done, wrong: &str, right: &str) {
        let repaired = self.compiled("repaired", |text| text.replace(wrong, right));
        assert!(!self.passes(done, &self.at("classes")), "{}", done.code());
        assert!(self.passes(done, &repaired), "{}", done.code());
    }
}

impl Done {
    fn code(&self) -> String {
        fs::read_to_string(&self.test).unwrap()
    }

    /// The recommended test has this in it, and the program ran once.
    fn calls(&self, text: &str) -> &Self {
        assert!(self.code().contains(text), "{}\n{}", self.said, self.code());
        self.ran_once()
    }

    fn ran_once(&self) -> &Self {
        assert!(!self.said.contains("run once more"), "{}", self.said);
        self
    }
}

/// Does the written test pass on this class path?
pub(super) fn passes(jdk: &Jdk, test: &Path, class_path: &[PathBuf]) -> bool {
    let out = tempdir().unwrap();
    let mut class_path = class_path.to_vec();
    class_path.extend(maven::fetch(&[maven::JUNIT]).unwrap());
    compile::javac(jdk, &[test.to_owned()], &class_path, out.path()).unwrap();
    class_path.push(out.path().to_owned());
    let test = test.with_extension("").display().to_string();
    let (_, name) = test.rsplit_once("/tests/").unwrap();
    let outcomes = junit::run(jdk, &class_path, &[&name.replace('/', ".")], &[]);
    let outcomes = outcomes.unwrap();
    assert_eq!(outcomes.len(), 1, "{outcomes:?}");
    outcomes[0].result == JunitResult::Passed
}

fn jdk() -> Jdk {
    tried_jdks().remove(0)
}

/// A class of the program implements a generic interface, and the JDK calls it by the method that the compiler has put in.
#[test]
fn what_the_compiler_put_between_is_called_as_in_the_source() {
    let source = r#"package mill;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

class Grain {
    final String kind;
    Grain(String kind) { this.kind = kind; }
}

class Sieve implements Comparator<Grain> {
    int compared;
    @Override
    public int compare(Grain a, Grain b) {
        compared++;
        return a.kind.length() - b.kind.length();
    }
}

class Main {
    public static void main(String[] args) {
        List<Grain> grains = new ArrayList<>(List.of(new Grain("rye"), new Grain(null)));
        grains.sort(new Sieve());
    }
}
"#;
    let program = Program::new(jdk(), &[("mill/Main.java", source)]);
    let done = program.debug("mill.*", "mill.Main");
    done.calls(".compare(");
    let right =
        "return Comparator.nullsFirst(Comparator.<String>naturalOrder()).compare(a.kind, b.kind);";
    program.flips(&done, "return a.kind.length() - b.kind.length();", right);
}

/// The failure of a task is that of the task, also where its exception is wrapped in the thread that waits for it.
#[test]
fn a_task_that_fails_is_called_by_itself() {
    let source = r#"package kiln;

import java.util.concurrent.CompletableFuture;

class Oven {
    int minutes(int degrees) { return 4800 / degrees; }
}

class Main {
    public static void main(String[] args) {
        Oven oven = new Oven();
        System.out.println(CompletableFuture.supplyAsync(() -> oven.minutes(60)).thenApply(n -> n + 1).join());
        System.out.println(CompletableFuture.supplyAsync(() -> oven.minutes(0)).thenApply(n -> n + 1).join());
    }
}
"#;
    let program = Program::new(jdk(), &[("kiln/Main.java", source)]);
    let done = program.debug("kiln.*", "kiln.Main");
    done.calls("new Oven().minutes(0)");
    program.flips(&done, "4800 / degrees", "degrees == 0 ? 0 : 4800 / degrees");
}

/// Code that runs for real in a replay asks for the default language: by the command line, and as the program sets it itself.
#[test]
fn a_program_in_another_language_runs_once() {
    let source = r#"package index;

import java.util.Locale;
import java.util.Map;

class Titles {
    private final Map<String, Integer> pages = Map.of("title", 1, "index", 2);
    int page(String word) { return pages.get(word.toLowerCase()); }
}

class Main {
    public static void main(String[] args) {
        if (args.length > 0) {
            Locale.setDefault(new Locale("tr", "TR"));
        }
        Titles titles = new Titles();
        System.out.println("one".toUpperCase().length());
        System.out.println(titles.page("TITLE"));
    }
}
"#;
    let program = Program::new(jdk(), &[("index/Main.java", source)]);
    let given = ["-Duser.language=tr", "-Duser.country=TR"];
    let main = ["-cp", "classes", "index.Main"];
    let by_option = program.debugged("index.*", &[], &[&given[..], &main].concat());
    by_option
        .calls("page(\"TITLE\")")
        .calls("Locale.setDefault(");
    program.flips(
        &by_option,
        "toLowerCase()",
        "toLowerCase(java.util.Locale.ROOT)",
    );
    let by_itself = program.debugged("index.*", &[], &[&main[..], &["x"]].concat());
    by_itself.ran_once();
}

/// An interface of the program has a method of its own, and a lambda implements the other one.
#[test]
fn a_method_that_an_interface_has_itself_runs_on_a_lambda() {
    let source = r#"package lock;

interface Gauge {
    int level(int basin);
    default int drop(int upper, int lower) { return level(upper) - level(lower); }
}

interface Sluice extends Gauge {
    default int steps(int basin) { return 12 / Gauge.super.drop(basin, basin + 1); }
}

class Main {
    public static void main(String[] args) {
        Sluice sluice = basin -> 8 - basin * basin;
        System.out.println(sluice.drop(1, 2));
        System.out.println(new Chain(sluice).all(3));
    }
}

class Chain {
    private final Sluice sluice;
    Chain(Sluice sluice) { this.sluice = sluice; }
    int all(int last) {
        int all = 0;
        for (int i = -2; i < last; i++) {
            all += sluice.steps(i) + 1 / (i + 2 - all);
        }
        return all;
    }
}
"#;
    let program = Program::new(jdk(), &[("lock/Main.java", source)]);
    program.debug("lock.*", "lock.Main").ran_once();
}

/// A library runs a method of its interface on an object that overrides it, as the static methods of Scala's traits do.
#[test]
fn a_method_that_is_overridden_runs_itself() {
    let part = r#"package fair;

import java.lang.invoke.MethodHandles;

public interface Stand {
    default int open() { return 1; }
    static int opened(Stand stand) {
        try {
            return (int) MethodHandles.privateLookupIn(Stand.class, MethodHandles.lookup())
                .unreflectSpecial(Stand.class.getMethod("open"), Stand.class).bindTo(stand).invoke();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
"#;
    let source = r#"package market;

import fair.Stand;

public class Booth implements Stand {
    private int opened;
    @Override
    public int open() { opened += Stand.opened(this); return opened; }
    int share(int all) { return all / (opened - 2); }
    public static class Day {
        public static void main(String[] args) {
            Booth booth = new Booth();
            System.out.println(booth.open() + booth.open());
            System.out.println(booth.share(9));
        }
    }
}
"#;
    let sources = [("fair/Stand.java", part), ("market/Booth.java", source)];
    let program = Program::new(jdk(), &sources);
    let done = program.debug("market.*", "market.Booth$Day");
    done.calls("share(9)");
    program.flips(&done, "all / (opened - 2)", "opened");
}

/// What the JVM says of a null names the program's methods, wherever it is asked.
#[test]
fn messages_of_nulls_are_in_the_words_of_the_program() {
    let lib = r#"package post;

public class Letter {
    public String street() { return null; }
    public static void log(String text) { System.out.println(text); }
}
"#;
    let source = r#"package round;

import post.Letter;

public class Carrier {
    int missed;
    int length(Letter letter) { return letter.street().length(); }
    void deliver(Letter letter) {
        try {
            missed += length(letter);
        } catch (NullPointerException e) {
            missed++;
            Letter.log("not delivered: " + e.getMessage());
        }
    }
    public static void main(String[] args) {
        Carrier carrier = new Carrier();
        carrier.deliver(new Letter());
        carrier.deliver(null);
        System.out.println(4 / (carrier.missed - 2));
    }
}
"#;
    let sources = [("post/Letter.java", lib), ("round/Carrier.java", source)];
    let program = Program::new(jdk(), &sources);
    program.debug("round.*", "round.Carrier").ran_once();
}

/// Of a program in one class, what `main` calls is tested, and not the whole program.
#[test]
fn what_main_calls_of_its_own_class_is_a_level() {
    let source = r#"package toll;

public class Bridge {
    private final int lanes;
    Bridge(int lanes) { this.lanes = lanes; }
    int wait(int cars) { return perLane(cars) * 2; }
    private int perLane(int cars) { return cars / lanes; }
    static int fee(String axles) { return 3 * Integer.parseInt(axles); }
    public static void main(String[] args) {
        System.out.println(new Bridge(2).wait(8));
        if (args.length > 0) {
            System.out.println(fee("two"));
        }
        System.out.println(new Bridge(0).wait(8));
    }
}
"#;
    let program = Program::new(jdk(), &[("toll/Bridge.java", source)]);
    let done = program.debug("toll.*", "toll.Bridge");
    done.calls("new Bridge(0).wait(8)");
    program.flips(&done, "cars / lanes", "lanes == 0 ? 0 : cars / lanes");
    assert_eq!(done.report["levels"].as_array().unwrap().len(), 2);
    let main = ["-cp", "classes", "toll.Bridge", "x"];
    let of_static = program.debugged("toll.*", &["--detail", "interactions"], &main);
    of_static.calls("Bridge.fee(\"two\")");
}

/// A library does without an optional class, and does so in tests.
#[test]
fn what_was_absent_stays_so() {
    let lib = r#"package scale;

public class Scale {
    public static Scale best() {
        try {
            Class.forName("fine.Balance");
            return new Fine();
        } catch (ClassNotFoundException e) {
            return new Scale();
        }
    }
    public int weigh(String thing) { return thing.length(); }
    public static Class<?> finest() { return Fine.class; }
}

class Fine extends Scale {
    private final fine.Balance balance = new fine.Balance();
    @Override
    public int weigh(String thing) { return balance.grams(thing); }
}
"#;
    let optional = r#"package fine;

public class Balance {
    public int grams(String thing) { return 1000 * thing.length(); }
}
"#;
    let source = r#"package stall;

import scale.Scale;

public class Stall {
    private final Scale scale = Scale.best();
    int price(String thing) { return 60 / scale.weigh(thing); }
}

class Main {
    public static void main(String[] args) {
        System.out.println(Scale.finest().getSimpleName());
        Stall stall = new Stall();
        System.out.println(stall.price("pear"));
        System.out.println(stall.price(""));
    }
}
"#;
    let sources = [
        ("scale/Scale.java", lib),
        ("fine/Balance.java", optional),
        ("stall/Stall.java", source),
    ];
    let program = Program::new(jdk(), &sources);
    fs::remove_dir_all(program.at("classes/fine")).unwrap();
    let done = program.debug("stall.*", "stall.Main");
    done.calls("price(\"\")");
    assert!(!done.code().contains("JinsiReplay"), "{}", done.code());
    assert!(
        !program.passes(&done, &program.at("classes")),
        "{}",
        done.code()
    );
}

/// A main class that is not found is the mistake, and not what is observed.
#[test]
fn a_class_path_with_a_mistake_is_named() {
    let source = "package mill; class Main { public static void main(String[] args) { } }";
    let program = Program::new(jdk(), &[("mill/Main.java", source)]);
    let debug = |main: &[&str]| {
        let output = run(jinsi()
            .current_dir(program.directory.path())
            .args(["debug", "--observe", "mill.*", "--"])
            .arg(program.jdk.java())
            .args(main));
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        stderr(&output)
    };
    let missing = debug(&["-cp", "clases", "mill.Main"]);
    let said = "java did not find the main class mill.Main: of the class path, clases is not there";
    assert!(missing.contains(said), "{missing}");
    assert!(missing.contains("the class is in  classes"), "{missing}");
    let other = debug(&["-cp", "classes", "mill.Mian"]);
    let said = "java did not find the main class mill.Mian: the class path does not have it";
    assert!(other.contains(said), "{other}");
    assert!(
        !other.contains("PATTERN") && !missing.contains("PATTERN"),
        "{other}"
    );
}

/// What a library hands out behind wrappers and as views of its containers has contents, and stays what it is when it comes back.
#[test]
fn wrappers_and_views_have_contents() {
    let lib = r#"package yard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

public class Yard {
    private final List<String> cranes = new ArrayList<>(List.of("north", "south", "west"));
    private final Map<String, Integer> tons = new TreeMap<>(Map.of("north", 3, "south", 5));
    private final SortedSet<String> names = new TreeSet<>((a, b) -> b.compareTo(a));
    public Yard() { names.addAll(cranes); }
    public List<String> cranes() { return Collections.unmodifiableList(cranes); }
    public List<String> some() { return cranes.subList(1, 3); }
    public Set<String> keys() { return tons.keySet(); }
    public Collection<Integer> tons() { return Collections.synchronizedCollection(tons.values()); }
    public SortedSet<String> sorted() { return Collections.unmodifiableSortedSet(names); }
    public List<String> checked() { return Collections.checkedList(cranes, String.class); }
    public Map<String, Integer> map() { return Collections.synchronizedMap(tons); }
    public void add(String crane, int ton) { cranes.add(crane); tons.put(crane, ton); }
    public int load(List<String> some) { return some.size(); }
}
"#;
    let source = r#"package dock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import yard.Yard;

class Loads {
    private final List<String> own = new ArrayList<>();
    List<String> shown() { return Collections.unmodifiableList(own); }
    int all(Yard yard) {
        List<String> all = new ArrayList<>(yard.cranes());
        all.addAll(yard.some());
        all.addAll(yard.keys());
        all.addAll(yard.sorted());
        for (int ton : yard.tons()) { all.add("t" + ton); }
        yard.checked().forEach(all::add);
        yard.map().forEach((crane, ton) -> all.add(crane + ton));
        own.addAll(all);
        return yard.load(shown());
    }
}

class Main {
    public static void main(String[] args) {
        Yard yard = new Yard();
        Loads loads = new Loads();
        int before = loads.all(yard);
        yard.add("east", 0);
        int behind = loads.all(yard);
        System.out.println(100 / (behind - before - 22));
    }
}
"#;
    let sources = [("yard/Yard.java", lib), ("dock/Main.java", source)];
    let program = Program::new(jdk(), &sources);
    program.debug("dock.*", "dock.Main").ran_once();
}

/// Options without which a JVM does not load the program are those of its replay, too.
#[test]
fn a_program_that_uses_what_is_a_preview_runs_once() {
    let newest = jdks().into_iter().max_by_key(|jdk| jdk.version().feature);
    let jdk = newest.filter(|jdk| (23..=25).contains(&jdk.version().feature));
    let Some(jdk) = jdk else { return };
    let source = r#"package grade;

class Scores {
    String of(int points) {
        return switch (points) {
            case byte small when small < 0 -> throw new IllegalStateException("below zero: " + small);
            case int any -> "points " + any;
        };
    }
}

class Main {
    public static void main(String[] args) {
        Scores scores = new Scores();
        System.out.println(scores.of(3));
        System.out.println(scores.of(-3));
    }
}
"#;
    let directory = tempdir().unwrap();
    let file = directory.path().join("Main.java");
    fs::write(&file, source).unwrap();
    let release = jdk.version().feature.to_string();
    let compiled = run(std::process::Command::new(jdk.require_javac().unwrap())
        .args(["--enable-preview", "--release", &release, "-d"])
        .arg(directory.path().join("classes"))
        .arg(&file));
    assert!(compiled.status.success(), "{}", stderr(&compiled));
    let program = Program {
        jdk,
        directory,
        sources: Vec::new(),
    };
    let main = ["--enable-preview", "-cp", "classes", "grade.Main"];
    let done = program.debugged("grade.*", &[], &main);
    done.calls("new Scores().of(-3)");
}

/// Who answers over the network cannot be asked again: a mock gives the one answer that matters.
#[test]
fn who_answers_over_the_network_becomes_a_mock() {
    let radio = r#"package radio;

import java.io.*;
import java.net.Socket;

public class Radio {
    private final Socket station;
    public Radio(int port) throws IOException { station = new Socket("localhost", port); }
    public Integer depth(String port) throws IOException {
        new PrintStream(station.getOutputStream()).println(port);
        String answer = new BufferedReader(new InputStreamReader(station.getInputStream())).readLine();
        return answer.equals("?") ? null : Integer.valueOf(answer);
    }
}
"#;
    let station = r#"package radio;

import java.io.*;
import java.net.*;

public class Station implements Runnable {
    public final ServerSocket door;
    public Station() throws IOException { door = new ServerSocket(0); }
    public void run() {
        try (Socket ship = door.accept()) {
            BufferedReader asked = new BufferedReader(new InputStreamReader(ship.getInputStream()));
            PrintStream answer = new PrintStream(ship.getOutputStream());
            for (String port; (port = asked.readLine()) != null;) {
                answer.println(port.equals("Atlantis") ? "?" : String.valueOf(port.length()));
            }
        } catch (IOException gone) {
            // The ship has left.
        }
    }
}
"#;
    let ship = r#"package harbour;

import radio.*;

public class Ship {
    private final Radio radio;
    private final int draught;
    private int visited;
    public Ship(Radio radio, int draught) { this.radio = radio; this.draught = draught; }
    public boolean enter(String port) throws Exception {
        Integer depth = radio.depth(port);
        boolean deep = depth > draught;
        if (deep) { visited++; }
        return deep;
    }
    public static class Journey {
        public static void main(String[] args) throws Exception {
            Station station = new Station();
            Thread thread = new Thread(station);
            thread.setDaemon(true);
            thread.start();
            Ship ship = new Ship(new Radio(station.door.getLocalPort()), 5);
            System.out.println(ship.enter("Rotterdam"));
            System.out.println(ship.enter("Ulm"));
            System.out.println(ship.enter("Atlantis"));
        }
    }
}
"#;
    let sources = [
        ("radio/Radio.java", radio),
        ("radio/Station.java", station),
        ("harbour/Ship.java", ship),
    ];
    let program = Program::new(jdk(), &sources);
    let done = program.debug("harbour.*", "harbour.Ship$Journey");
    done.calls("mock(Radio.class)")
        .calls("ship.enter(\"Atlantis\")");
    program.flips(&done, "depth > draught", "depth != null && depth > draught");
}
