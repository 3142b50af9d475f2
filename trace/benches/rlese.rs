//! Speed of building RLESe grammars, in symbols a second: `cargo bench -p jinsi-trace`.
//!
//! The sequences are made here. Control streams of recordings come in beside them: `JINSI_TRACES` lists trace files, joined by
//! `:`, whose threads with at least 10,000 events are measured each.

use std::env;
use std::path::Path;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use jinsi_rlese::{Builder, Grammar};
use jinsi_trace::model::SiteNo;
use jinsi_trace::reader::Trace;

/// Length of the sequences that are made.
const LENGTH: usize = 1 << 17;
/// Length of the pieces in which recordings cut their control streams, about.
const CHUNK: usize = 1 << 15;

/// A linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// What a method of a made-up program does, one after the other.
enum Step {
    Event(u64),
    Call(usize),
    /// So many times, one step more or less, as a loop over data has it.
    Loop(u64, Vec<Step>),
    /// One of two, the first in so many of a hundred cases.
    Branch(u64, Vec<Step>, Vec<Step>),
}

/// A program of 60 methods, each of which calls only later ones.
fn program(random: &mut Random) -> Vec<Vec<Step>> {
    fn steps(random: &mut Random, method: usize, depth: u32) -> Vec<Step> {
        let count = 1 + random.below(5);
        let step = |place: u64, random: &mut Random| match random.below(10) {
            0..3 if method < 58 => {
                Step::Call(method + 1 + random.below(59 - method as u64) as usize)
            }
            3 if depth < 2 => Step::Loop(random.below(12), steps(random, method, depth + 1)),
            4..6 if depth < 2 => Step::Branch(
                [5, 50, 95][random.below(3) as usize],
                steps(random, method, depth + 1),
                steps(random, method, depth + 1),
            ),
            _ => Step::Event(6 << 32 | (method as u64) << 8 | u64::from(depth) << 4 | place),
        };
        (0..count).map(|place| step(place, random)).collect()
    }
    (0..60).map(|method| steps(random, method, 0)).collect()
}

/// Runs steps until there are enough symbols.
fn run(program: &[Vec<Step>], steps: &[Step], random: &mut Random, out: &mut Vec<u64>) {
    for step in steps {
        if out.len() >= LENGTH {
            return;
        }
        match step {
            Step::Event(symbol) => out.push(*symbol),
            Step::Call(method) => {
                out.push(1 << 32 | *method as u64);
                run(program, &program[*method], random, out);
                out.push(3 << 32 | *method as u64);
            }
            Step::Loop(times, body) => {
                for _ in 0..times + random.below(3) {
                    run(program, body, random, out);
                }
            }
            Step::Branch(percent, one, other) => {
                let taken = random.below(100) < *percent;
                run(program, if taken { one } else { other }, random, out);
            }
        }
    }
}

fn calls() -> Vec<u64> {
    let mut random = Random(7);
    let program = program(&mut random);
    let mut out = Vec::new();
    while out.len() < LENGTH {
        run(&program, &program[0], &mut random, &mut out);
    }
    out
}

fn nested_loops() -> Vec<u64> {
    let rows = (0..).flat_map(|row| {
        let columns = (0..60).flat_map(|column| [2 + u64::from(column % 3 == 0), 9, 10, 11, 9, 12]);
        std::iter::once(1).chain(columns).chain([4 + row % 2])
    });
    rows.take(LENGTH).collect()
}

fn made() -> Vec<(String, Vec<u64>)> {
    let mut random = Random(1);
    let triangle = (0..).flat_map(|row: u64| (0..row % 400).flat_map(|_| [1, 2, 3]).chain([4]));
    vec![
        ("calls".into(), calls()),
        ("nested loops".into(), nested_loops()),
        ("triangular loops".into(), triangle.take(LENGTH).collect()),
        ("progression as differences".into(), vec![2; LENGTH]),
        (
            "random keys".into(),
            (0..LENGTH).map(|_| random.below(1 << 20)).collect(),
        ),
        (
            "random bits".into(),
            (0..LENGTH).map(|_| random.below(2)).collect(),
        ),
    ]
}

fn recorded() -> Vec<(String, Vec<u64>)> {
    let list = env::var("JINSI_TRACES").unwrap_or_default();
    let mut found = Vec::new();
    for path in list
        .split(':')
        .filter(|path| !path.is_empty())
        .map(Path::new)
    {
        let trace = Trace::open(path).expect("a trace");
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        for thread in trace.threads() {
            let symbols = trace.events(thread.no).map(|event| {
                let event = event.expect("an event");
                (event.kind as u64) << 32 | u64::from(SiteNo::written(event.site))
            });
            let symbols: Vec<u64> = symbols.collect();
            if symbols.len() >= 10_000 {
                found.push((format!("{name}, thread {}", thread.no), symbols));
            }
        }
    }
    found
}

fn build(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build");
    for (name, symbols) in made().into_iter().chain(recorded()) {
        let grammar: Grammar = symbols.iter().copied().collect();
        eprintln!(
            "{name}: {} symbols, {} nodes",
            symbols.len(),
            grammar.node_count()
        );
        group.throughput(Throughput::Elements(symbols.len() as u64));
        group.bench_function(BenchmarkId::new("whole", &name), |b| {
            b.iter(|| symbols.iter().copied().collect::<Grammar>().node_count());
        });
        group.bench_function(BenchmarkId::new("in chunks", &name), |b| {
            let mut builder = Builder::new();
            b.iter(|| {
                let nodes = symbols.chunks(CHUNK).map(|chunk| {
                    chunk.iter().for_each(|&symbol| builder.push(symbol));
                    builder.take().node_count()
                });
                nodes.sum::<usize>()
            });
        });
    }
    group.finish();
}

fn walk(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("walk");
    for (name, symbols) in made() {
        let grammar: Grammar = symbols.iter().copied().collect();
        group.throughput(Throughput::Elements(symbols.len() as u64));
        group.bench_function(BenchmarkId::new("backward", &name), |b| {
            b.iter(|| grammar.iter_backward().fold(0, u64::wrapping_add));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = build, walk
}
criterion_main!(benches);
