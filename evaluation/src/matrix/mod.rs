//! The support matrix: what jinsi does, it does on Java 11, 17, 21 and 25.

mod checks;
mod runtimes;

use anyhow::Result;
use jinsi_ground::report::print_or;
use jinsi_ground::{doctor, repository};
use serde::Serialize;
use serde_json::{Value, json};

use checks::{Bench, CRASHES, PLATFORM, VIRTUAL};
use runtimes::{Runtime, Source};

/// The first release with virtual threads.
const VIRTUAL_SINCE: u32 = 21;

/// How the result is printed.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print one JSON document on stdout, and nothing else there
    #[arg(long)]
    json: bool,
}

/// One runtime.
#[derive(Serialize)]
struct JdkRow {
    feature: u32,
    version: String,
    source: Source,
    checks: Vec<Check>,
}

/// One check on it.
#[derive(Serialize)]
struct Check {
    name: String,
    ok: bool,
    /// What was found, or why it failed.
    found: Value,
}

impl Check {
    fn of(name: impl Into<String>, result: Result<Value>) -> Check {
        let name = name.into();
        match result {
            Ok(found) => Check {
                name,
                ok: true,
                found,
            },
            Err(error) => Check {
                name,
                ok: false,
                found: json!(format!("{error:#}")),
            },
        }
    }
}

/// Checks every runtime of the matrix; false if something does not hold.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let compiler = doctor::jdk_or_oldest(None)?;
    let bench = Bench::new(&compiler, repository::build_jinsi()?)?;
    let mut rows = Vec::new();
    for runtime in runtimes::all()? {
        let row = row(&bench, &runtime);
        print(&row);
        rows.push(row);
    }
    compare(&mut rows);
    let held = rows.iter().flat_map(|row| &row.checks).all(|c| c.ok);
    let verdict = match held {
        true => "All of it holds on all of them, and what was found is the same.\n",
        false => "NOT all of it holds.\n",
    };
    print_or(&rows, arguments.json, || verdict.to_owned())?;
    Ok(held)
}

fn row(bench: &Bench, runtime: &Runtime) -> JdkRow {
    let jdk = &runtime.jdk;
    let mut checks = vec![Check::of("constructs", bench.constructs(jdk))];
    for crash in &CRASHES {
        checks.push(Check::of(crash.name, bench.minimize(jdk, crash)));
    }
    let threads = bench.threads(jdk, "platform", PLATFORM);
    checks.push(Check::of("platform threads", threads));
    if jdk.version().feature >= VIRTUAL_SINCE {
        let threads = bench.threads(jdk, "virtual", VIRTUAL);
        checks.push(Check::of("virtual threads", threads));
    }
    JdkRow {
        feature: jdk.version().feature,
        version: jdk.version().to_string(),
        source: runtime.source,
        checks,
    }
}

/// What was found on the first runtime has to be found on all; what memory there was may differ.
fn compare(rows: &mut [JdkRow]) {
    let Some((first, rest)) = rows.split_first_mut() else {
        return;
    };
    for row in rest {
        let checks = row.checks.iter_mut().filter(|c| c.ok);
        for check in checks.filter(|c| !c.name.ends_with("threads")) {
            let expected = first.checks.iter().find(|c| c.name == check.name && c.ok);
            if let Some(expected) = expected
                && expected.found != check.found
            {
                eprintln!(
                    "Java {}: {} is not as on Java {}:\n{}\n{}",
                    row.version, check.name, first.version, check.found, expected.found
                );
                check.ok = false;
            }
        }
    }
}

/// For people, on stderr.
fn print(row: &JdkRow) {
    let source = match row.source {
        Source::Installed => "installed",
        Source::Wheel => "out of a wheel",
    };
    eprintln!("Java {} ({source})", row.version);
    for check in &row.checks {
        let text = match (&check.found, check.ok) {
            (Value::String(why), false) => why.clone(),
            (found, _) if check.name.ends_with("threads") => found.to_string(),
            _ => String::new(),
        };
        let verdict = if check.ok { "ok" } else { "FAILED" };
        eprintln!("  {verdict:<6} {:<18} {text}", check.name);
    }
}
