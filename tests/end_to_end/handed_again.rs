//! A list that the environment hands out again, as a cache does. The program has walked through it meanwhile, which changes nothing in it: stand-ins hand
//! it out, too.

use std::fs;
use std::path::{Path, PathBuf};

use jinsi_jdk::{Jdk, compile, maven};
use tempfile::tempdir;

use super::as_they_are::passes;
use super::support::{jinsi, json, run, stderr, tried_jdks};

const DOG: &str = r#"package kennel;

public class Dog {
    private final String name;
    private final String owner;

    public Dog(String name, String owner) {
        this.name = name;
        this.owner = owner;
    }

    public String name() {
        return name;
    }

    public String owner() {
        return owner;
    }
}
"#;

const DOGS: &str = r#"package kennel;

import java.util.List;

public interface Dogs {
    List<Dog> all();
}
"#;

const WALKS: &str = r#"package kennel;

public class Walks {
    private final Dogs dogs;

    public Walks(Dogs dogs) {
        this.dogs = dogs;
    }

    public int letters(String owner) {
        String found = null;
        for (Dog dog : dogs.all()) {
            if (dog.owner().equals(owner)) {
                found = dog.name();
            }
        }
        return found.length();
    }
}
"#;

/// The framework, which is not observed. What it reads, it has no other way to than one run.
const MAIN: &str = r#"package shop;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import kennel.Dog;
import kennel.Dogs;
import kennel.Walks;

public class Main {
    private static List<Dog> read;

    private static List<Dog> read(String file) throws IOException {
        if (read == null) {
            read = new ArrayList<>();
            for (String line : java.nio.file.Files.readAllLines(java.nio.file.Path.of(file))) {
                read.add(new Dog(line.split(" ")[0], line.split(" ")[1]));
            }
            java.nio.file.Files.delete(java.nio.file.Path.of(file));
        }
        return read;
    }

    public static void main(String[] args) {
        Dogs dogs = (Dogs) Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] {Dogs.class},
                (proxy, method, values) -> read(args[0]));
        Walks walks = new Walks(dogs);
        System.out.println(walks.letters("Ida") + walks.letters("Ole") + walks.letters("Una"));
    }
}
"#;

fn compiled(jdk: &Jdk, directory: &Path, walks: &str) -> Vec<PathBuf> {
    let classes = directory.join("classes");
    fs::create_dir_all(&classes).unwrap();
    let texts = [
        ("Dog", DOG),
        ("Dogs", DOGS),
        ("Walks", walks),
        ("Main", MAIN),
    ];
    let sources = texts.map(|(name, text)| {
        let file = directory.join(format!("{name}.java"));
        fs::write(&file, text).unwrap();
        file
    });
    compile::javac(jdk, &sources, &[], &classes).unwrap();
    let mut class_path = maven::fetch(&maven::MOCKITO).unwrap();
    class_path.insert(0, classes);
    class_path
}

#[test]
fn a_list_that_was_walked_through_is_handed_out_again() {
    let jdk = &tried_jdks()[0];
    let directory = tempdir().unwrap();
    let right = WALKS.replace("found.length()", "found == null ? 0 : found.length()");
    let [broken, repaired] = [("broken", WALKS), ("repaired", right.as_str())]
        .map(|(name, walks)| compiled(jdk, &directory.path().join(name), walks));
    let file = directory.path().join("dogs.txt");
    fs::write(&file, "Rex Ida\nBella Ole\n").unwrap();
    let output = run(jinsi()
        .current_dir(directory.path())
        .args([
            "--json",
            "debug",
            "--out",
            "report",
            "--observe",
            "kennel.*",
        ])
        .args(["--detail", "boundary", "--"])
        .arg(jdk.java())
        .arg("-cp")
        .arg(&broken[0])
        .arg("shop.Main")
        .arg(&file));
    let (report, said) = (json(&output), stderr(&output));
    let keep = report["keep"].as_str();
    let keep = keep.unwrap_or_else(|| panic!("{said}\n{report:#}"));
    let test = directory.path().join("report").join(keep);
    let code = fs::read_to_string(&test).unwrap();
    assert!(code.contains("mock(Dogs.class)"), "{code}");
    assert!(!code.contains("JinsiReplay"), "{code}");
    assert!(!passes(jdk, &test, &broken), "{code}");
    assert!(passes(jdk, &test, &repaired), "{code}");
}
