//! Questions until one method is to blame, as a user puts and answers them.

mod pointed;
mod threads;

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use jinsi_declarative::{Answer, Next, Session, Strategy, Tree, Verdict, Weights};
use jinsi_inspect::Inspector;
use jinsi_jdk::{Jdk, compile, maven};
use jinsi_trace::reader::Trace;
use tempfile::TempDir;

use super::support::{has, jdks, jinsi, json, record_in, recorded, stderr, stdout, tried_jdks};

/// Runs the command with these answers.
pub(crate) fn ask(trace: &Path, options: &[&str], answers: &str) -> Output {
    let mut command = jinsi();
    command.arg("ask").arg(trace).args(options);
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // It may have ended before it has read all.
    let _ = stdin.write_all(answers.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn merge_sort(directory: &Path) -> (Jdk, std::path::PathBuf) {
    let jdk = jdks().remove(0);
    let main = "mergesort.MergeSort";
    let trace = record_in(&jdk, directory, main, ("mergesort.*", "states"));
    (jdk, trace)
}

/// Hermanns and Kuchen's example, from a recording: the same tree and weights, as many questions, and the calls are those of the inspector.
#[test]
fn merge_sort_takes_as_many_questions_as_published() {
    let directory = TempDir::new().unwrap();
    let (_, file) = merge_sort(directory.path());
    let trace = Trace::open(&file).unwrap();
    let main = trace.threads().iter().find(|thread| thread.name == "main");
    let tree = Tree::read(&trace, main.unwrap().no).unwrap();
    let nodes = 0..tree.len() as u32;
    let method = |node| tree.method(tree.method_of(node)).name.as_str();
    let names: Vec<&str> = nodes.clone().map(method).collect();
    let expected = [
        "main",
        "sort",
        "distribute",
        "merge",
        "merge",
        "distribute",
        "merge",
    ];
    assert_eq!(names, expected);
    // Branches, and one for the method; published are 10 of the last, where this counts 9.
    let covered: Vec<usize> = nodes.clone().map(|node| tree.edges_covered(node)).collect();
    assert_eq!(covered, [1, 5, 7, 8, 8, 7, 9]);
    let inspector = Inspector::new(&trace).unwrap();
    for node in nodes {
        let activation = inspector.activation(tree.name(node)).unwrap();
        assert_eq!(activation.method.name, method(node));
        let parent = tree.parent(node).map(|parent| tree.name(parent));
        assert_eq!(activation.caller, parent);
    }
    let asked = |strategy: Strategy| {
        let mut session = Session::new(&tree, |_| false);
        for asked in 0.. {
            match strategy.next(&session, &Weights::default()) {
                Next::Ask(node) => {
                    let wrong = [0, 1, 6].contains(&node);
                    let answer = [Answer::Valid, Answer::Invalid][usize::from(wrong)];
                    session.answer(node, answer);
                }
                next => {
                    assert_eq!(next, Next::Found(Verdict::Call(6)));
                    return asked;
                }
            }
        }
        unreachable!()
    };
    assert_eq!(asked(Strategy::TopDown), 7);
    assert_eq!(asked(Strategy::Divide), 6);
    assert_eq!(asked(Strategy::Edges), 1);
}

/// What a user sees, answers, takes back, and finds again the next time.
#[test]
fn a_session_is_put_answered_and_resumed() {
    let directory = TempDir::new().unwrap();
    let (_, trace) = merge_sort(directory.path());
    let top_down = ["--strategy", "top-down"];
    let first = ask(&trace, &top_down, "n\nwhat\nn\ny\nb\nq\n");
    let text = stdout(&first);
    assert_eq!(first.status.code(), Some(1), "{}", stderr(&first));
    assert!(text.contains("MergeSort.main(args)"), "{text}");
    assert!(text.contains("MergeSort.sort(a)"), "{text}");
    assert!(text.contains("given    a = {4, 9, 1, 7}"), "{text}");
    assert!(text.contains("! a[1]: 9 -> 4"), "{text}");
    assert!(text.contains("That is no answer."), "{text}");
    assert!(text.contains("The last answer is taken back."), "{text}");
    assert!(stderr(&first).contains("the same command continues"));
    let second = ask(&trace, &top_down, "y\ny\ny\ny\nn\n");
    let text = stdout(&second);
    assert_eq!(second.status.code(), Some(0), "{text}");
    assert!(text.starts_with("Question 3."), "{text}");
    let blamed = "The defect is in mergesort.MergeSort.merge, MergeSort.java:9.";
    assert!(text.contains(blamed), "{text}");
    assert!(text.contains("jinsi at "), "{text}");

    // A document for scripts, begun anew.
    let json_of = |answers| {
        let options = ["--json", "--fresh", "--strategy", "edges"];
        json(&ask(&trace, &options, answers))
    };
    let asking = json_of("");
    assert_eq!(asking["state"], "asking");
    assert_eq!(asking["question"]["method"], "mergesort.MergeSort.merge");
    let found = json_of("n\n");
    assert_eq!(found["verdict"]["exact"], true);
    assert_eq!(found["answers"][0]["by"], "user");
    let trusted = json_of("t\n");
    assert_eq!(trusted["suspected"], 4);
}

/// Ninety times three calls in a loop: halves of them are asked about, then one call. What the program says itself is asked of nobody.
#[test]
fn calls_of_a_loop_are_asked_about_together() {
    let jdk = jdks().remove(0);
    let directory = TempDir::new().unwrap();
    let main = "postings.Main";
    let trace = record_in(&jdk, directory.path(), main, ("postings.*", "states"));
    let options = ["--strategy", "divide"];
    let first = stdout(&ask(&trace, &options, "q\n"));
    let made = "calls that postings.Main.main made, one behind the other";
    for part in [
        made,
        "the first: ",
        "before   ",
        "Main.java:8 to 13",
        "! ledger.fees: 0 -> ",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }
    assert!(first.contains("Is what they came to right"), "{first}");
    // Somebody who knows what the fees have to be after so many of them.
    let mut answers = String::new();
    let found = loop {
        let mut options = options.to_vec();
        options.extend(["--json", "--fresh", "--call"]);
        let reported = json(&ask(&trace, &options, &answers));
        if reported["state"] != "asking" {
            break reported;
        }
        let question = &reported["question"];
        answers.push_str(if is_right(question) { "y\n" } else { "n\n" });
    };
    assert_eq!(
        found["verdict"]["method"], "postings.Rates.fee",
        "{found:#}"
    );
    let given = found["answers"].as_array().unwrap();
    let of = |by: &str| given.iter().filter(|answer| answer["by"] == by).count();
    assert!(of("user") <= 12, "{found:#}");
    let together = given.iter().filter(|answer| answer["last"].is_string());
    assert!(together.count() >= 4, "{found:#}");

    // Kept, and found again; each call alone, if that is wanted.
    let again = json(&ask(&trace, &["--json"], ""));
    assert_eq!(again["verdict"], found["verdict"]);
    let alone = json(&ask(&trace, &["--json", "--fresh", "--alone"], "n\n"));
    assert!(alone["question"]["last"].is_null(), "{alone:#}");
    let top_down = ["--json", "--fresh", "--strategy", "top-down"];
    let top_down = json(&ask(
        &trace,
        &top_down,
        &format!("y\nn\n{}", "y\n".repeat(300)),
    ));
    let by_contract = top_down["answers"].as_array().unwrap();
    let by_contract = by_contract
        .iter()
        .filter(|answer| answer["by"] == "contract");
    let methods: Vec<&str> = by_contract.map(|a| a["method"].as_str().unwrap()).collect();
    assert!(methods.contains(&"postings.Ledger.size"), "{methods:?}");
}

/// Is that what it should be? The fees of the amount 610 are not, and what was counted since.
fn is_right(question: &serde_json::Value) -> bool {
    if question["last"].is_null() {
        return !question["text"].as_str().unwrap().contains("610");
    }
    let of = |list: &str, name: &str, field: &str| -> Option<i64> {
        let all = question[list].as_array()?;
        let one = all.iter().find(|one| one["name"] == name)?;
        one[field].as_str()?.parse().ok()
    };
    // So many fees were counted, the first of which may have been there before.
    let calls = question["calls"].as_array().unwrap();
    let calls: Vec<&str> = calls.iter().map(|call| call.as_str().unwrap()).collect();
    let times = |name: &str| -> i64 {
        let found = calls.iter().find_map(|call| call.strip_prefix(name));
        found.map_or(0, |times| {
            times.trim_end_matches(" times").trim().parse().unwrap()
        })
    };
    let begin = of("given", "no", "value").unwrap_or(1);
    let mut right: i64 = (begin..begin + times("postings.Ledger.count")).sum();
    if !calls[0].contains("fee(") && begin > 1 {
        right += of("given", "fee", "value").unwrap() - begin;
    }
    let fees = |field: &str| of("changed", "ledger.fees", field).unwrap_or(0);
    fees("new") - fees("old") == right
}

/// A repaired version answers all of it.
#[test]
fn another_version_answers() {
    let directory = TempDir::new().unwrap();
    let (jdk, trace) = merge_sort(directory.path());
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/mergesort");
    let text = std::fs::read_to_string(source.join("MergeSort.java")).unwrap();
    let repaired = text.replace("c[lb++] = a[la++];", "c[lc++] = a[la++];");
    assert_ne!(text, repaired);
    let file = directory.path().join("MergeSort.java");
    std::fs::write(&file, repaired).unwrap();
    let classes = directory.path().join("right");
    compile::javac(&jdk, &[file], &[], &classes).unwrap();
    let right = classes.to_str().unwrap();
    for (strategy, _) in Strategy::ALL {
        let options = ["--fresh", "--strategy", strategy.name(), "--right", right];
        // Of main it is asked, if at all: what it was given is from before the recording.
        let output = ask(&trace, &options, "n\n");
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
        let blamed = "The defect is in mergesort.MergeSort.merge, MergeSort.java:9.";
        assert!(text.contains(blamed), "{text}");
        assert!(text.contains("the other version says"), "{text}");
    }
}

/// Arrays that a constructor makes for itself have no name until somebody accesses them; what is built again has them, too.
#[test]
fn what_a_constructor_makes_is_built_again() {
    let directory = TempDir::new().unwrap();
    let jdk = jdks().remove(0);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/questions/btree");
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    for name in ["BTree.java", "Page.java", "Main.java"] {
        right.push(source.join(name));
        let text = std::fs::read_to_string(source.join(name)).unwrap();
        let text = text.replace("if (key > page.keys[at]) {", "if (key < page.keys[at]) {");
        let file = directory.path().join(name);
        std::fs::write(&file, text).unwrap();
        wrong.push(file);
    }
    let [good, bad] = ["good", "bad"].map(|name| directory.path().join(name));
    compile::javac(&jdk, &right, &[], &good).unwrap();
    compile::javac(&jdk, &wrong, &[], &bad).unwrap();
    let how = ("btree.*", "states");
    let trace = recorded(&jdk, directory.path(), bad.as_os_str(), "btree.Main", how);
    let output = ask(&trace, &["--right", good.to_str().unwrap()], "");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(!text.contains("cannot say"), "{text}");
    has(&text, "The defect is in btree.BTree.insert, BTree.java:");
}

/// Constants of an enum, and a map in a static field: the other version answers nevertheless.
#[test]
fn what_nobody_knows_of_static_fields_is_left_to_the_other_version() {
    let directory = TempDir::new().unwrap();
    let jdk = jdks().remove(0);
    let how = ("shelves.*", "states");
    let trace = record_in(&jdk, directory.path(), "shelves.Shelves", how);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/shelves/Shelves.java");
    let text = std::fs::read_to_string(source).unwrap();
    let whole = "count / size.boxes";
    for (was, is, blamed) in [
        (
            whole,
            "(count + size.boxes - 1) / size.boxes",
            "Shelves.shelves, Shelves.java:31",
        ),
        (
            "this.size = size;",
            "this.size = Size.LARGE;",
            "Shelves$Box.<init>, Shelves.java:22",
        ),
    ] {
        let file = directory.path().join("Shelves.java");
        std::fs::write(&file, text.replace(was, is)).unwrap();
        let right = directory.path().join(is.len().to_string());
        compile::javac(&jdk, &[file], &[], &right).unwrap();
        let right = right.to_str().unwrap();
        let options = ["--fresh", "--strategy", "top-down", "--right", right];
        // Of class initializers it is asked.
        let output = ask(&trace, &options, "y\ny\n");
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
        has(&text, &format!("The defect is in shelves.{blamed}."));
        assert!(text.contains("answers: 2 of yours"), "{text}");
    }
}

/// Lists, maps, builders, and what inherits from them: what they hold is made again by the calls that made it.
#[test]
fn containers_are_made_again() {
    let directory = TempDir::new().unwrap();
    let jdk = jdks().remove(0);
    let how = ("baskets.*", "states");
    let trace = record_in(&jdk, directory.path(), "baskets.Baskets", how);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/baskets/Baskets.java");
    let text = std::fs::read_to_string(source).unwrap();
    for (was, is, blamed) in [
        ("all.get(all.size() - 1)", "all.get(0)", "Baskets.cheapest"),
        ("append(';')", "append(',')", "Baskets$Basket.list"),
        ("size() < limit", "size() <= limit", "Baskets$Basket.put"),
        ("paid.push", "paid.addLast", "nothing"),
    ] {
        assert!(text.contains(was));
        let file = directory.path().join("Baskets.java");
        std::fs::write(&file, text.replace(was, is)).unwrap();
        let right = directory.path().join(is.len().to_string());
        compile::javac(&jdk, &[file], &[], &right).unwrap();
        let options = ["--fresh", "--strategy", "top-down", "--right"];
        let options = [&options[..], &[right.to_str().unwrap()]].concat();
        // Of main it is asked, if at all.
        let output = ask(&trace, &options, "n\n");
        let text = stdout(&output);
        let said = format!("{text}{}", stderr(&output));
        assert!(text.matches("cannot say").count() <= 1, "{said}");
        match blamed {
            // One basket more or less at either end of none is the same.
            "nothing" => assert!(text.contains("No call is suspected"), "{said}"),
            _ => assert!(
                text.contains(&format!("The defect is in baskets.{blamed}")),
                "{said}"
            ),
        }
    }
}

/// An array that was put into a map is written later, as it holds; a file that the other version has beside its classes, and a hash code that its JVM
/// draws, make no call wrong.
#[test]
fn what_lies_beside_the_classes_blames_nobody() {
    let directory = TempDir::new().unwrap();
    let jdk = jdks().remove(0);
    let how = ("notices.*", "states");
    let trace = record_in(&jdk, directory.path(), "notices.Notices", how);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/notices/Notices.java");
    let text = std::fs::read_to_string(source).unwrap();
    let file = directory.path().join("Notices.java");
    std::fs::write(&file, text.replace("sum / 3", "sum / 2")).unwrap();
    let right = directory.path().join("right");
    compile::javac(&jdk, &[file], &[], &right).unwrap();
    std::fs::write(right.join("notices/motto.txt"), "be kind").unwrap();
    let options = ["--fresh", "--strategy", "top-down", "--right"];
    let options = [&options[..], &[right.to_str().unwrap()]].concat();
    // It is asked of the class initializer, of main, which is wrong, of who reads the file, and twice of the hash code.
    let output = ask(&trace, &options, "y\nn\ny\ny\ny\n");
    let said = format!("{}{}", stdout(&output), stderr(&output));
    has(&said, "The defect is in notices.Notices.mean");
    assert!(said.contains("reads a file beside the classes"), "{said}");
    assert!(said.contains("hash codes, which the JVM draws"), "{said}");
}

/// What comes to something else each time makes no call wrong, nor what another thread does, which members a class has, or what was copied out of a
/// buffer that is too large to be kept.
#[test]
fn chance_blames_nobody() {
    let directory = TempDir::new().unwrap();
    let jdk = jdks().remove(0);
    let how = ("chances.*", "states");
    let trace = record_in(&jdk, directory.path(), "chances.Chances", how);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/chances/Chances.java");
    let text = std::fs::read_to_string(source).unwrap();
    let text = text.replace("sum / rounds", "sum / 2");
    let text = text.replace("chances.state = 1", "chances.state = 2");
    let text = text.replace(
        "private int state;",
        "private int state;\n    static int more;",
    );
    let file = directory.path().join("Chances.java");
    std::fs::write(&file, text).unwrap();
    let right = directory.path().join("right");
    compile::javac(&jdk, &[file], &[], &right).unwrap();
    let options = ["--fresh", "--strategy", "top-down", "--right"];
    let options = [&options[..], &[right.to_str().unwrap()]].concat();
    // It is asked of the class initializer, of main, which is wrong, of who reads, twice of the time, of the file, the members, and the thread: of
    // that one only the user, since other versions know nothing of what threads did.
    let output = ask(&trace, &options, "y\nn\ny\ny\ny\ny\ny\ny\n");
    let said = format!("{}{}", stdout(&output), stderr(&output));
    has(&said, "The defect is in chances.Chances.mean");
    for why in [
        "called again, the other version gives something else",
        "asks a class for its members",
    ] {
        assert!(said.contains(why), "{why}: {said}");
    }
    // Of the buffer only the element is known that was read.
    assert!(said.contains("cannot say: result[1]"), "{said}");
}

const STACK: &str = "
package stacks;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;

public final class Stack {
    private final int[] items = new int[8];
    private final List<Integer> log = new ArrayList<>();
    private int size;

    void push(int item) {
        items[size++] = item;
        log.add(item);
    }

    /** Changes what nobody tells of. */
    int logged() {
        return log.remove(log.size() - 1);
    }

    int lines() {
        return log.size();
    }

    int size() {
        return size;
    }

    boolean has(int item) {
        return items[0] == item || items[1] == item;
    }

    /** Wrong: it is the first one. */
    int top() {
        return items[0];
    }

    public static void main(String[] args) {
        Stack stack = new Stack();
        assertEquals(0, stack.size());
        stack.push(4);
        stack.push(5);
        assertEquals(2, stack.size());
        assertTrue(stack.has(4));
        assertEquals(5, stack.logged());
        assertEquals(1, stack.lines());
        assertEquals(5, stack.top());
    }
}
";

/// Nobody is asked about what an assertion that held has compared with a constant.
#[test]
fn assertions_that_held_answer() {
    let directory = TempDir::new().unwrap();
    let jdk = jdks().remove(0);
    let jars = maven::fetch(&["junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3"]).unwrap();
    let file = directory.path().join("Stack.java");
    std::fs::write(&file, STACK).unwrap();
    let classes = directory.path().join("classes");
    compile::javac(&jdk, &[file], &jars, &classes).unwrap();
    let class_path = std::env::join_paths([&[classes], &jars[..]].concat()).unwrap();
    let (main, how) = ("stacks.Stack", ("stacks.*", "states"));
    let trace = recorded(&jdk, directory.path(), &class_path, main, how);
    // Of main, the constructor, two pushes, what is taken off the log, and what is on top.
    let output = ask(&trace, &["--strategy", "top-down"], "n\ny\ny\ny\ny\nn\n");
    let text = stdout(&output);
    assert!(text.contains("The defect is in stacks.Stack.top"), "{text}");
    has(&text, "6 of yours, 0 of the other version, 4 of assertions");
}

/// A run is minimized, and what is left of it is run again to be asked about; each question can be had as a test.
#[test]
fn what_is_left_of_a_run_is_asked_about() {
    for jdk in tried_jdks() {
        let directory = TempDir::new().unwrap();
        let how = ("fares.*", "interactions");
        let trace = record_in(&jdk, directory.path(), "fares.Main", how);
        let options = ["--minimized"];
        let home = ["--java-home", jdk.home().to_str().unwrap()];
        let options = [&options[..], &home].concat();
        let json_options = [&options[..], &["--json"]].concat();
        // A counter, a zone or two, and what the zone has.
        let asking = json(&ask(&trace, &json_options, ""));
        assert!(asking["calls"].as_u64().unwrap() <= 8, "{asking:#}");
        // The failure showed in the last of the outermost calls; which is wrong is not known.
        assert_eq!(asking["answers"].as_array().unwrap().len(), 0);
        assert_eq!(asking["question"]["method"], "fares.Counter.share");
        let left = trace.with_extension("left.jinsi");
        let kept = std::fs::read(&left).unwrap();
        let output = ask(&trace, &options, "n\ns\nn\ns\n");
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
        has(&text, "The defect is in fares.Zone.weight");
        assert!(text.contains("answers: 2 of yours"), "{text}");
        let test = "assertNotEquals(0, new Zone(9).weight())";
        assert_eq!(text.matches(test).count(), 2, "{text}");
        // It was not run again; but if half of it is missing, it is.
        assert_eq!(std::fs::read(&left).unwrap(), kept);
        std::fs::write(&left, &kept[..kept.len() / 2]).unwrap();
        let again = json(&ask(&trace, &json_options, ""));
        assert_eq!(again["calls"], asking["calls"], "{again:#}");
    }
}
