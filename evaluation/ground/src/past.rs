//! What a recording says of the past, beside what a debugger has seen of the same program (`evaluation/java/past`).
//!
//! The debugger steps through another run of it, so only programs are compared that do the same each time. Objects have other
//! identities there: each has to be one object here, all the time, and the other way round.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use jinsi_inspect::{Frame, Holds, Inspector, Moment, Seen, State};
use jinsi_jdk::Jdk;
use jinsi_jdk::process;
use jinsi_trace::model::{Prim, ThreadNo, Value};
use jinsi_trace::reader::Trace;

use crate::repository;

/// Time for a program to be stepped through.
const LIMIT: Duration = Duration::from_secs(900);
/// Elements of an array that the debugger looks at.
const ELEMENTS: u32 = 64;
/// Differences that are reported one by one.
const REPORTED: usize = 12;

/// A program to step through.
#[derive(Clone, Debug)]
pub struct Program<'a> {
    /// Its classes.
    pub class_path: &'a str,
    /// Main class and arguments, with blanks.
    pub main: &'a str,
    /// What the names of the classes begin with that are stepped through.
    pub prefix: &'a str,
    /// Instructions at most.
    pub most: u64,
    /// Options of the JVM.
    pub options: &'a [String],
}

/// What came of a comparison.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Compared {
    /// Instructions, which were the same ones on both sides.
    pub instructions: u64,
    /// Values that were compared.
    pub values: u64,
    /// Of these, values that the recording does not know, by the reason that it gives.
    pub unknown: BTreeMap<String, u64>,
    /// Values that differed. None may.
    pub different: u64,
    /// Where they differed: the first ones.
    pub differences: Vec<String>,
    /// Moments that were asked again, out of order.
    pub jumps: u64,
    /// Of these, moments at which the answer was another one.
    pub jumped_wrong: u64,
}

impl Compared {
    /// Was everything equal that was known?
    pub fn is_equal(&self) -> bool {
        self.different == 0 && self.jumped_wrong == 0
    }
}

/// What a debugger saw before an instruction.
#[derive(Clone, Debug, Default)]
struct Point {
    frames: Vec<SeenFrame>,
    objects: Vec<SeenObject>,
}

impl Point {
    /// Are the frames at the same instructions?
    fn is_at(&self, state: &State) -> bool {
        let mut frames = self.frames.iter().zip(&state.frames);
        self.frames.len() == state.frames.len() && frames.all(|(f, s)| f.place == place(s))
    }
}

#[derive(Clone, Debug, Default)]
struct SeenFrame {
    /// Class, method, descriptor, bytecode index, line.
    place: [String; 5],
    this: Option<String>,
    locals: Vec<(String, String)>,
}

#[derive(Clone, Debug, Default)]
struct SeenObject {
    name: String,
    /// Class and name of a field, or nothing and an index.
    holds: Vec<((String, String), String)>,
}

/// Compiles the debugger, by this JDK, into a directory.
///
/// # Errors
/// There is no compiler, or it fails.
pub fn compile_dump(jdk: &Jdk, into: &Path) -> Result<()> {
    let source = repository::root().join("evaluation/java/past/StepDump.java");
    let mut javac = std::process::Command::new(jdk.require_javac()?);
    javac
        .args(["--add-modules", "jdk.jdi", "-d"])
        .arg(into)
        .arg(source);
    let done = process::run(&mut javac, LIMIT)?;
    if !done.status.success() {
        bail!("javac: {}", done.stderr);
    }
    Ok(())
}

/// Has a debugger step through the program; the file with what it saw.
///
/// # Errors
/// The JVM does not start, or the program takes too long.
pub fn dump(jdk: &Jdk, debugger: &Path, program: &Program<'_>, into: &Path) -> Result<PathBuf> {
    let file = into.join("steps.txt");
    let mut java = std::process::Command::new(jdk.java());
    java.current_dir(into)
        .args(["--add-modules", "jdk.jdi", "-cp"])
        .arg(debugger)
        .args(["StepDump", program.class_path, program.main, program.prefix])
        .arg(&file)
        .arg(program.most.to_string())
        .args(program.options);
    let done = process::run(&mut java, LIMIT)?;
    if !done.status.success() {
        bail!("the debugger: {}", done.stderr);
    }
    Ok(file)
}

/// Compares what the recording says with what a debugger saw, step by step, and then at so many moments again, out of order.
///
/// # Errors
/// A file cannot be read, or the instructions are not the same ones.
pub fn compare(trace: &Trace, seen: &Path, jumps: u64) -> Result<Compared> {
    let text = fs::read_to_string(seen).with_context(|| format!("{}", seen.display()))?;
    let points = points(&text);
    let inspector = Inspector::new(trace)?;
    let thread = main_thread(trace).context("no thread 'main'")?;
    let mut comparison = Comparison {
        inspector: &inspector,
        done: Compared::default(),
        there: HashMap::new(),
        here: HashMap::new(),
    };
    let mut moments = Vec::new();
    // A debugger may have come a little late.
    let mut next = inspector.first(thread)?;
    while let (Some(moment), Some(first)) = (next, points.first()) {
        let state = inspector.state(moment)?;
        if first.is_at(&state) {
            break;
        }
        next = inspector.next(state.moment)?;
    }
    for point in &points {
        let Some(state) = outside_initializers(&inspector, next)? else {
            bail!("the recording ends after {} instructions", moments.len());
        };
        comparison.point(point, &state)?;
        moments.push(state.moment);
        next = inspector.next(state.moment)?;
    }
    comparison.jump(&moments, &points, jumps)?;
    comparison.back(&moments)?;
    Ok(comparison.done)
}

/// The state there, or at the next instruction at which no class initializer is running: of what is around one, a debugger knows an instruction that
/// has begun, and a recording the one before it.
fn outside_initializers(
    inspector: &Inspector<'_>,
    mut next: Option<Moment>,
) -> Result<Option<State>> {
    while let Some(moment) = next {
        let state = inspector.state(moment)?;
        if !in_initializer(&state) {
            return Ok(Some(state));
        }
        next = inspector.next(state.moment)?;
    }
    Ok(None)
}

/// Is a class initializer running?
fn in_initializer(state: &State) -> bool {
    let mut methods = state.frames.iter().map(|frame| &frame.method.name);
    methods.any(|name| &**name == "<clinit>")
}

/// Class, method, descriptor, bytecode index and line, as the debugger writes them.
fn place(frame: &Frame) -> [String; 5] {
    [
        frame.method.owner.replace('/', "."),
        frame.method.name.to_string(),
        frame.method.desc.to_string(),
        frame.bci.map_or(String::new(), |bci| bci.to_string()),
        frame.line.to_string(),
    ]
}

fn main_thread(trace: &Trace) -> Option<ThreadNo> {
    let threads = trace.threads().iter();
    threads.filter(|t| t.name == "main").map(|t| t.no).next()
}

fn points(text: &str) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    for line in text.lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        if line == "P" {
            points.push(Point::default());
            continue;
        }
        let Some(point) = points.last_mut() else {
            continue;
        };
        let text = |at: usize| parts.get(at).copied().unwrap_or_default().to_owned();
        match parts[0] {
            "F" => point.frames.push(SeenFrame {
                place: [text(1), text(2), text(3), text(4), text(5)],
                ..SeenFrame::default()
            }),
            "T" => {
                if let Some(frame) = point.frames.last_mut() {
                    frame.this = Some(text(1));
                }
            }
            "L" => {
                if let Some(frame) = point.frames.last_mut() {
                    frame.locals.push((text(1), text(2)));
                }
            }
            "O" => point.objects.push(SeenObject {
                name: text(1),
                holds: Vec::new(),
            }),
            "f" | "e" => {
                if let Some(object) = point.objects.last_mut() {
                    let (place, value) = match parts[0] {
                        "f" => ((text(1), text(2)), text(3)),
                        _ => ((String::new(), text(1)), text(2)),
                    };
                    object.holds.push((place, value));
                }
            }
            _ => {}
        }
    }
    points
}

struct Comparison<'a, 't> {
    inspector: &'a Inspector<'t>,
    done: Compared,
    /// Objects of the debugger's, and which they are here; and the other way round.
    there: HashMap<String, u64>,
    here: HashMap<u64, String>,
}

impl Comparison<'_, '_> {
    fn point(&mut self, point: &Point, state: &State) -> Result<()> {
        self.done.instructions += 1;
        let at = state.moment;
        if point.frames.len() != state.frames.len() {
            bail!(
                "{at}: {} frames, not {}",
                state.frames.len(),
                point.frames.len()
            );
        }
        for (theirs, ours) in point.frames.iter().zip(&state.frames) {
            let place = place(ours);
            if theirs.place != place {
                bail!("{at}: at {place:?}, not {:?}", theirs.place);
            }
            match (&theirs.this, &ours.this) {
                (Some(theirs), Some(ours)) => self.value(theirs, ours, at, || "this".into()),
                (None, None) => {}
                // A debugger shows no object that a constructor has not made yet, or does.
                _ => {}
            }
            for (name, theirs) in &theirs.locals {
                let what = || format!("{}.{name}", place[1]);
                match ours.locals.iter().find(|local| local.name == *name) {
                    Some(local) => self.value(theirs, &local.value, at, what),
                    None => self.differ(at, format!("no local variable {name}")),
                }
            }
        }
        for object in &point.objects {
            self.object(object, at)?;
        }
        Ok(())
    }

    fn object(&mut self, object: &SeenObject, at: Moment) -> Result<()> {
        let Some(&id) = self.there.get(identity(&object.name)) else {
            return Ok(());
        };
        let ours = self.inspector.object(id, at, 0..ELEMENTS)?;
        for ((class, name), theirs) in &object.holds {
            let what = || format!("{}.{name}", object.name);
            let held = match &ours.holds {
                Holds::Fields(fields, _) => fields.iter().find_map(|(field, seen)| {
                    let same = field.class.replace('/', ".") == *class && *field.name == **name;
                    same.then(|| seen.clone())
                }),
                Holds::Elements(elements, _) => elements
                    .iter()
                    .find_map(|(index, seen)| (index.to_string() == *name).then(|| seen.clone())),
                _ => None,
            };
            match held {
                Some(seen) => self.value(theirs, &seen, at, what),
                None => self.differ(at, format!("{}: not there", what())),
            }
        }
        Ok(())
    }

    fn value(&mut self, theirs: &str, ours: &Seen, at: Moment, what: impl Fn() -> String) {
        self.done.values += 1;
        let equal = match ours {
            Seen::Unknown(why) => {
                *self.done.unknown.entry(why.to_string()).or_default() += 1;
                return;
            }
            Seen::Fresh { class, .. } => class_named(theirs) == class.replace('/', "."),
            Seen::Known(Value::Object(id)) => self.same_object(theirs, *id),
            Seen::Known(value) => text(self.inspector.trace(), value) == theirs,
        };
        if !equal {
            self.differ(at, format!("{}: {ours:?}, not {theirs}", what()));
        }
    }

    fn same_object(&mut self, theirs: &str, ours: u64) -> bool {
        if !theirs.starts_with("o:") {
            return false;
        }
        let name = identity(theirs).to_owned();
        let there = self.there.entry(name.clone()).or_insert(ours);
        let here = self.here.entry(ours).or_insert_with(|| name.clone());
        *there == ours && *here == name
    }

    fn differ(&mut self, at: Moment, what: String) {
        self.done.different += 1;
        if self.done.differences.len() < REPORTED {
            self.done.differences.push(format!("{at}: {what}"));
        }
    }

    /// Asks again, out of order: by a generator of its own, so that each run does the same.
    fn jump(&mut self, moments: &[Moment], points: &[Point], jumps: u64) -> Result<()> {
        let mut random = 0x2545_f491_4f6c_dd1d_u64;
        for _ in 0..jumps.min(moments.len() as u64) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let at = (random % moments.len() as u64) as usize;
            let before = self.done.different;
            let state = self.inspector.state(moments[at])?;
            self.point(&points[at], &state)?;
            self.done.instructions -= 1;
            self.done.jumps += 1;
            let wrong = state.moment != moments[at] || self.done.different != before;
            self.done.jumped_wrong += u64::from(wrong);
        }
        Ok(())
    }

    /// Backward, each instruction comes behind the one that comes before it.
    fn back(&mut self, moments: &[Moment]) -> Result<()> {
        for pair in moments.windows(2).rev() {
            let mut before = self.inspector.back(pair[1])?;
            while let Some(moment) = before.filter(|moment| *moment != pair[0]) {
                if !in_initializer(&self.inspector.state(moment)?) {
                    break;
                }
                before = self.inspector.back(moment)?;
            }
            self.done.jumped_wrong += u64::from(before != Some(pair[0]));
        }
        Ok(())
    }
}

/// `o:17:com.foo.Bar` without the class.
fn identity(value: &str) -> &str {
    let behind = value.strip_prefix("o:").unwrap_or(value);
    behind.split(':').next().unwrap_or(behind)
}

/// The class in `o:17:com.foo.Bar`, as a class file names it if it is an array.
fn class_named(value: &str) -> String {
    let class = value.splitn(3, ':').nth(2).unwrap_or_default();
    let element = class.trim_end_matches("[]");
    let dimensions = (class.len() - element.len()) / 2;
    if dimensions == 0 {
        return class.to_owned();
    }
    let letter = match element {
        "boolean" => "Z".into(),
        "byte" => "B".into(),
        "char" => "C".into(),
        "short" => "S".into(),
        "int" => "I".into(),
        "long" => "J".into(),
        "float" => "F".into(),
        "double" => "D".into(),
        class => format!("L{class};"),
    };
    format!("{}{letter}", "[".repeat(dimensions))
}

/// As the debugger writes it.
fn text(trace: &Trace, value: &Value) -> String {
    match value {
        Value::Null => "n".into(),
        Value::Prim(prim) => number(*prim),
        Value::Boxed(prim) => format!("b:{}", number(*prim)),
        Value::Str(text) => {
            let chars = text.0.iter().map(|&c| match c {
                0x20..=0x7e if c != u16::from(b'\\') => char::from(c as u8).to_string(),
                c => format!("\\u{c:04x}"),
            });
            format!("s:{}", chars.collect::<String>())
        }
        Value::Class(no) => {
            let name = trace.class(*no).map_or("?", |class| &class.name);
            format!("c:{}", name.replace('/', "."))
        }
        Value::Object(id) => format!("o:{id}"),
    }
}

fn number(prim: Prim) -> String {
    let letter = prim.letter();
    match prim {
        Prim::Float(v) if v.is_nan() => format!("F:{}", f32::NAN.to_bits()),
        Prim::Double(v) if v.is_nan() => format!("D:{}", f64::NAN.to_bits()),
        Prim::Float(_) | Prim::Double(_) => format!("{letter}:{}", prim.to_word()),
        _ => format!("{letter}:{}", prim.to_word() as i64),
    }
}
