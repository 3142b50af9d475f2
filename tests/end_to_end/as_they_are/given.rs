//! What the program was given: by a library's containers, by an interface that a library implements, by itself, by a test framework, and by a class
//! loader.

use jinsi_jdk::{compile, maven};
use serde_json::Value;

use crate::support::{jinsi, run, stderr};

use super::{Done, Program, jdk};

/// A stream over a library's collection runs the program's comparator, in the test as in the program.
#[test]
fn a_stream_over_a_collection_of_a_library_runs() {
    let lib = r#"package log;

import java.util.AbstractCollection;
import java.util.ArrayDeque;
import java.util.Iterator;

public class Finishers extends AbstractCollection<String> {
    private final ArrayDeque<String> all = new ArrayDeque<>();
    public void crosses(String boat) { all.add(boat); }
    @Override
    public Iterator<String> iterator() { return all.iterator(); }
    @Override
    public int size() { return all.size(); }
}
"#;
    let source = r#"package regatta;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

public class Podium {
    private final Collection<String> boats;
    public Podium(Collection<String> boats) { this.boats = boats; }
    List<String> ordered() {
        return boats.stream().sorted(Comparator.comparing(String::length).reversed()).collect(Collectors.toList());
    }
    public String shortest() {
        String first = ordered().get(0);
        if (first.length() > 5) {
            throw new IllegalStateException(first + " is no short name");
        }
        return first;
    }
}
"#;
    let main = r#"package start;

import log.Finishers;
import regatta.Podium;

public class Main {
    public static void main(String[] args) {
        for (String[] names : new String[][] {{"Ann"}, {"Ann", "Victoria"}}) {
            Finishers finishers = new Finishers();
            for (String name : names) {
                finishers.crosses(name);
            }
            System.out.println(new Podium(finishers).shortest());
        }
    }
}
"#;
    let sources = [
        ("log/Finishers.java", lib),
        ("regatta/Podium.java", source),
        ("start/Main.java", main),
    ];
    let program = Program::new(jdk(), &sources);
    let done = program.debug("regatta.*", "start.Main");
    done.calls("shortest()");
    assert!(!done.code().contains("mock("), "{}", done.code());
    program.flips(&done, "String::length).reversed()", "String::length)");
}

/// A proxy implements an interface of the program, calls back to make objects of the program, and gives a list of them.
#[test]
fn a_list_that_a_proxy_gives_is_a_list() {
    let source = r#"package kiosk;

import java.util.List;

public class Counter {
    public interface Orders { List<Paper> all(); }
    public static class Paper {
        private final int price;
        public Paper(int price) { this.price = price; }
        public int price() { return price; }
    }
    private final Orders orders;
    public Counter(Orders orders) { this.orders = orders; }
    public int share(int people) {
        int sum = 0;
        for (Paper paper : orders.all()) {
            sum += paper.price();
        }
        return sum / people;
    }
}
"#;
    let main = r#"package start;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import kiosk.Counter;

public class Main {
    public static void main(String[] args) {
        Class<?>[] types = {Counter.Orders.class};
        Counter.Orders orders = (Counter.Orders) Proxy.newProxyInstance(Main.class.getClassLoader(), types, (proxy, method, given) -> {
            List<Counter.Paper> papers = new ArrayList<>();
            papers.add(new Counter.Paper(3));
            papers.add(new Counter.Paper(4));
            return papers;
        });
        System.out.println(new Counter(orders).share(7));
        System.out.println(new Counter(orders).share(0));
    }
}
"#;
    let sources = [("kiosk/Counter.java", source), ("start/Main.java", main)];
    let program = Program::new(jdk(), &sources);
    let done = program.debug("kiosk.*", "start.Main");
    done.calls("share(0)");
    assert!(!done.code().contains("terator"), "{}", done.code());
    program.flips(&done, "sum / people", "people == 0 ? sum : sum / people");
}

/// The text that a call cannot read was made by the program: the test has it made, and passes when the program makes another one.
#[test]
fn a_text_that_the_program_made_is_made_in_the_test() {
    let source = r#"package freight;

class Label {
    String of(int crate) { return "C" + Integer.toHexString(crate); }
    int crate(String label) { return Integer.parseInt(label.substring(1)); }
}

class Main {
    public static void main(String[] args) {
        Label label = new Label();
        for (int crate : new int[] {7, 9, 31}) {
            System.out.println(label.crate(label.of(crate)));
        }
    }
}
"#;
    let program = Program::new(jdk(), &[("freight/Main.java", source)]);
    let done = program.debug("freight.*", "freight.Main");
    done.calls("label.crate(label.of(31))");
    program.flips(&done, "Integer.toHexString(crate)", "crate");
}

/// A test writes into a directory that its framework has made: the written test makes one, and writes there.
#[test]
fn a_directory_for_a_test_is_made_again() {
    let source = r#"package attic;

import java.io.FileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

public class Inventory {
    private final Path file;
    public Inventory(Path directory) { file = directory.resolve("boxes.txt"); }
    public void put(String box) throws IOException {
        try (FileWriter writer = new FileWriter(file.toFile())) {
            writer.write(box + "\n");
        }
    }
    public int boxes() throws IOException { return Files.readAllLines(file).size(); }
}
"#;
    let test = r#"package attic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InventoryTest {
    @TempDir
    Path attic;
    @Test
    void keepsAll() throws IOException {
        Inventory inventory = new Inventory(attic);
        inventory.put("lamps");
        inventory.put("rugs");
        assertEquals(2, inventory.boxes());
    }
}
"#;
    let program = Program::new(jdk(), &[("attic/Inventory.java", source)]);
    let (file, tests) = (program.at("InventoryTest.java"), program.at("tests"));
    std::fs::write(&file, test).unwrap();
    let mut class_path = maven::fetch(&[maven::JUNIT]).unwrap();
    class_path.push(program.at("classes"));
    compile::javac(&program.jdk, &[file], &class_path, &tests).unwrap();
    class_path.push(tests);
    let output = run(jinsi()
        .current_dir(program.directory.path())
        .args(["debug", "--out", "report", "--observe", "attic.*", "--"])
        .arg(program.jdk.java())
        .arg("-cp")
        .arg(std::env::join_paths(&class_path).unwrap())
        .args(["org.junit.platform.console.ConsoleLauncher", "execute"])
        .args(["-c", "attic.InventoryTest"]));
    let report = std::fs::read_to_string(program.at("report/tests.json"));
    let report: Value = serde_json::from_str(&report.unwrap()).unwrap();
    let keep = report["tests"][0]["keep"].as_str();
    let keep = keep.unwrap_or_else(|| panic!("{}\n{report:#}", stderr(&output)));
    let done = Done {
        test: program.at("report").join(keep),
        said: stderr(&output),
        report: Value::Null,
    };
    done.calls("Files.createTempDirectory(\"test\")")
        .calls("inventory.put(\"rugs\")");
    program.flips(
        &done,
        "FileWriter(file.toFile())",
        "FileWriter(file.toFile(), true)",
    );
}

/// A second class loader has another version of a class, which fails: that one is recorded when the program is run once more.
#[test]
fn a_failure_in_a_later_version_of_a_class_has_its_test() {
    let source = r#"package meter;

import java.util.function.IntUnaryOperator;

public class Gauge implements IntUnaryOperator {
    @Override
    public int applyAsInt(int litres) { return 60 / (litres - 3); }
}
"#;
    let host = r#"package host;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.function.IntUnaryOperator;

public class Main {
    public static void main(String[] versions) throws Exception {
        for (String version : versions) {
            URL[] there = {Path.of(version).toUri().toURL()};
            Class<?> gauge = new URLClassLoader(there, null).loadClass("meter.Gauge");
            IntUnaryOperator made = (IntUnaryOperator) gauge.getConstructor().newInstance();
            System.out.println(made.applyAsInt(3));
        }
    }
}
"#;
    let sources = [("meter/Gauge.java", source), ("host/Main.java", host)];
    let program = Program::new(jdk(), &sources);
    program.compiled("first", |text| text.replace("(litres - 3)", "litres"));
    let main = ["-cp", "classes", "host.Main", "first/", "classes/"];
    let done = program.debugged("meter.*", &[], &main);
    let said = "several versions of meter.Gauge, and the failure is in a later one";
    assert!(done.said.contains(said), "{}", done.said);
    assert!(done.code().contains("applyAsInt(3)"), "{}", done.code());
    program.flips(
        &done,
        "60 / (litres - 3)",
        "litres == 3 ? 0 : 60 / (litres - 3)",
    );
}
