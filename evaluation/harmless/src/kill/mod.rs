//! Recording programs come to a bad end: they are killed at any instant, the disk is full, the trace goes away under them. All that
//! was recorded before is in the trace, and the program itself notices nothing.

mod check;
mod hostile;
mod victim;

use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};
use jinsi_ground::report::{Findings, print};
use jinsi_ground::{parallel, repository};
use jinsi_jdk::Jdk;
use jinsi_trace::reader::{ReadError, Trace};
use serde::Serialize;

use check::Reference;
use hostile::Scenario;
pub(crate) use hostile::work_until;
pub(crate) use victim::{Start, Victim, trace_of};

/// Programs that run at a time: one for each of two processors, so that being killed is not all that interrupts them.
const AT_A_TIME: usize = 2;
/// Runs that the time to the first steps is the median of.
const CALIBRATION: usize = 3;
/// Steps of a worker in an undisturbed run.
const REFERENCE_STEPS: u64 = 400;
/// Steps of a worker that comes to its end soon after its start.
const SHORT_STEPS: u64 = 300;
/// A program without end.
const FOREVER: u64 = u64::MAX >> 2;
/// Microseconds that most workers pause after each hundred steps.
const PAUSE: u64 = 1000;
/// Failures that are reported in full.
const REPORTED: usize = 20;

/// How often, and how the results are printed.
#[derive(clap::Args)]
pub struct Arguments {
    /// How many programs are killed
    #[arg(long, value_name = "N", default_value_t = 1000)]
    runs: usize,
    /// Print one JSON document on stdout, and nothing else there
    #[arg(long)]
    json: bool,
    /// Where the sequence of random instants begins [default: the time]
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// jinsi as `cargo test` builds it, not optimized
    #[arg(long)]
    dev: bool,
    /// The JDK to use instead of JAVA_HOME or the `java` on the PATH: its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
}

/// What came out. The keys of the JSON document are the names of the fields; they stay as they are.
#[derive(Debug, Default, Serialize)]
struct KillReport {
    /// Version of the JVM.
    java: String,
    /// Where the random instants began.
    seed: u64,
    /// Time from the start of a program to its first steps, undisturbed.
    start_seconds: f64,
    kills: Kills,
    /// Other bad ends.
    scenarios: Vec<Scenario>,
    /// Wall time of everything.
    seconds: f64,
}

/// What became of the programs that were killed.
#[derive(Debug, Default, Serialize)]
struct Kills {
    /// Programs killed, or ended just before.
    runs: usize,
    /// Of these, before there was a trace file.
    before_the_file: usize,
    /// Of these, before the first record of the trace, and before the program did anything.
    before_the_first_record: usize,
    /// Of these, while or after the trace was closed.
    after_the_end: usize,
    /// Events in the traces, all of them looked at.
    events_checked: u64,
    /// Steps that the programs had noted as done, and that are not in the traces as they have to be.
    lost: u64,
    /// Traces that cannot be opened though the program had done something, or for another reason.
    unreadable: usize,
    /// Traces that can be read in which something is missing or wrong.
    incomplete: usize,
    /// Steps of threads that the programs said they had done.
    steps_promised: u64,
    /// Steps in the traces, with those that were interrupted.
    steps_recorded: u64,
    /// What is wrong, of the first such runs.
    failures: Vec<Failure>,
}

/// A run that went wrong.
#[derive(Debug, Serialize)]
struct Failure {
    /// Number of the run.
    run: usize,
    /// When it was killed, after its start.
    milliseconds: f64,
    /// What is wrong.
    wrong: Vec<String>,
}

/// Runs everything; false if anything was lost, or a program noticed.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let begin = Instant::now();
    let jdk = Jdk::find(arguments.java.as_deref())?;
    let profile = if arguments.dev { "dev" } else { "release" };
    let jinsi = repository::build_jinsi_in(profile)?;
    let java = jdk.version().to_string();
    let victim = Victim::new(jdk, &jinsi)?;
    let seed = arguments.seed.unwrap_or_else(seed_of_now);
    let reference = reference(&victim)?;
    let start = calibrate(&victim)?;
    let mut report = KillReport {
        java,
        seed,
        start_seconds: start.as_secs_f64(),
        scenarios: hostile::all(&victim, &reference)?,
        ..KillReport::default()
    };
    report.kills = kill_many(&victim, &reference, arguments.runs, start, seed)?;
    report.seconds = begin.elapsed().as_secs_f64();
    print(&report, arguments.json)
}

fn seed_of_now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |since| since.as_nanos() as u64)
}

/// What steps look like in a run that nothing disturbs.
fn reference(victim: &Victim) -> Result<Reference> {
    let directory = tempfile::tempdir()?;
    let start = Start {
        steps: REFERENCE_STEPS,
        pause: 0,
        agent: true,
    };
    let mut child = victim.spawn(start, directory.path())?;
    let status = child.wait()?;
    ensure!(
        status.success(),
        "the program ends with {status} if nothing disturbs it: {}",
        victim::printed(directory.path())[1]
    );
    let trace = Trace::open(&victim::trace_of(child.id(), directory.path()))?;
    let reference = Reference::learn(&trace).context("the trace of an undisturbed run")?;
    let found = reference.check(&trace, &victim::progress(directory.path()));
    let wrong = found.wrong.first();
    ensure!(
        wrong.is_none(),
        "the trace of an undisturbed run: {}",
        wrong.map_or("", String::as_str)
    );
    Ok(reference)
}

/// Time from a program's start to its first steps.
fn calibrate(victim: &Victim) -> Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..CALIBRATION {
        let directory = tempfile::tempdir()?;
        let begin = Instant::now();
        let start = Start {
            steps: FOREVER,
            pause: PAUSE,
            agent: true,
        };
        let mut child = victim.spawn(start, directory.path())?;
        hostile::work_until(&mut child, directory.path(), 1)?;
        times.push(begin.elapsed());
        child.kill()?;
        child.wait()?;
    }
    times.sort();
    Ok(times[CALIBRATION / 2])
}

/// Kills so many programs, some at a time.
fn kill_many(
    victim: &Victim,
    reference: &Reference,
    runs: usize,
    start: Duration,
    seed: u64,
) -> Result<Kills> {
    let kills = Mutex::new(Kills::default());
    parallel::each(runs, AT_A_TIME, |run| {
        let plan = Plan::of(run, seed, start);
        let one = kill_one(victim, reference, &plan).with_context(|| format!("run {run}"))?;
        let mut kills = kills.lock().expect("no thread panics with it");
        kills.add(run, &plan, one);
        if kills.runs.is_multiple_of(50) {
            eprintln!("{} of {runs} killed", kills.runs);
        }
        Ok(())
    })?;
    Ok(kills.into_inner().expect("no thread panicked"))
}

/// When a program is killed, and what it does.
struct Plan {
    after: Duration,
    start: Start,
}

impl Plan {
    /// A third of the instants are before the first steps or little after, a third soon behind, the others up to eight times as late.
    /// Most programs pause now and then, so that they live to load many classes and start many threads; some fill buffers as fast
    /// as they can, and some come to an end about when they are killed.
    fn of(run: usize, seed: u64, start: Duration) -> Plan {
        let mut random = Random(seed ^ (run as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let fraction = random.next() as f64 / u64::MAX as f64;
        let (from, length) = match random.next() % 3 {
            0 => (0.0, 1.2),
            1 => (0.9, 2.0),
            _ => (1.0, 7.0),
        };
        let (steps, pause) = match random.next() % 8 {
            0 => (FOREVER, 0),
            1 | 2 => (SHORT_STEPS, 0),
            _ => (FOREVER, PAUSE),
        };
        Plan {
            after: start.mul_f64(from + length * fraction),
            start: Start {
                steps,
                pause,
                agent: true,
            },
        }
    }
}

/// Xorshift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.max(1);
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
}

/// What became of one program.
enum Outcome {
    NoFile,
    NoRecord,
    Unreadable(String),
    Read {
        promised: u64,
        closed: bool,
        found: check::Found,
    },
}

fn kill_one(victim: &Victim, reference: &Reference, plan: &Plan) -> Result<Outcome> {
    let directory = tempfile::tempdir()?;
    let path = directory.path();
    let mut child = victim.spawn(plan.start, path)?;
    thread::sleep(plan.after);
    child.kill()?;
    let status = child.wait()?;
    let trace = victim::trace_of(child.id(), path);
    if status.code().is_some_and(|code| code != 0) {
        let why = format!(
            "it ended with {status} before it was killed: {}",
            victim::printed(path)[1]
        );
        return Ok(Outcome::Unreadable(why));
    }
    let progress = victim::progress(path);
    let promised: u64 = progress.iter().sum();
    if !trace.exists() && promised == 0 {
        return Ok(Outcome::NoFile);
    }
    Ok(match Trace::open(&trace) {
        Ok(trace) => Outcome::Read {
            promised,
            closed: trace.end().is_some(),
            found: reference.check(&trace, &progress),
        },
        Err(ReadError::Empty(_)) if promised == 0 => match victim.refuses(&trace) {
            Ok(()) => Outcome::NoRecord,
            Err(why) => Outcome::Unreadable(why.to_string()),
        },
        Err(e) => Outcome::Unreadable(format!("{e}, after {promised} steps")),
    })
}

impl Kills {
    fn add(&mut self, run: usize, plan: &Plan, outcome: Outcome) {
        self.runs += 1;
        let wrong = match outcome {
            Outcome::NoFile => {
                self.before_the_file += 1;
                Vec::new()
            }
            Outcome::NoRecord => {
                self.before_the_first_record += 1;
                Vec::new()
            }
            Outcome::Unreadable(why) => {
                self.unreadable += 1;
                vec![why]
            }
            Outcome::Read {
                promised,
                closed,
                found,
            } => {
                self.after_the_end += usize::from(closed);
                self.steps_promised += promised;
                self.steps_recorded += found.steps;
                self.events_checked += found.events;
                self.lost += found.lost;
                self.incomplete += usize::from(!found.wrong.is_empty());
                found.wrong
            }
        };
        if !wrong.is_empty() && self.failures.len() < REPORTED {
            self.failures.push(Failure {
                run,
                milliseconds: plan.after.as_secs_f64() * 1e3,
                wrong,
            });
        }
    }
}

impl Findings for KillReport {
    fn holds(&self) -> bool {
        self.kills.unreadable == 0
            && self.kills.incomplete == 0
            && self.kills.lost == 0
            && self.scenarios.iter().all(Scenario::holds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_spread() {
        let start = Duration::from_millis(100);
        let plans: Vec<Plan> = (0..1000).map(|run| Plan::of(run, 7, start)).collect();
        let before = |ms: u64| {
            plans
                .iter()
                .filter(|p| p.after < Duration::from_millis(ms))
                .count()
        };
        assert!((80..200).contains(&before(50)), "{}", before(50));
        assert!((300..500).contains(&before(110)), "{}", before(110));
        assert!((650..800).contains(&before(300)), "{}", before(300));
        assert_eq!(before(801), 1000);
        let fast = plans.iter().filter(|p| p.start.pause == 0).count();
        assert!((300..450).contains(&fast), "{fast}");
    }

    #[test]
    fn what_is_lost_does_not_hold() {
        let mut report = KillReport::default();
        assert!(report.holds());
        let plan = Plan::of(0, 1, Duration::from_millis(1));
        let found = check::Found {
            wrong: vec!["thread 0: 3 steps of 4 are there".to_owned()],
            ..check::Found::default()
        };
        let outcome = Outcome::Read {
            promised: 4,
            closed: false,
            found,
        };
        report.kills.add(0, &plan, outcome);
        assert!(!report.holds());
        assert!(report.text().contains("3 steps of 4"), "{}", report.text());
        let mut report = KillReport::default();
        report
            .kills
            .add(0, &plan, Outcome::Unreadable("x".to_owned()));
        assert!(!report.holds());
    }
}
