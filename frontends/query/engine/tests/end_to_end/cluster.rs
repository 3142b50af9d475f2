//! Exported runs, asked on a cluster: a scheduler and two executors.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::support::{asked, json, run, stderr};
use super::{bank, query};

/// Processes that end with the test.
struct Cluster {
    address: String,
    processes: Vec<Child>,
}

impl Cluster {
    fn start() -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr();
        let free = free.unwrap();
        let address = free.to_string();
        let start = |words: &[&str]| {
            let mut command = asked();
            command.args(words).stdout(Stdio::null());
            command.stderr(Stdio::null()).spawn().unwrap()
        };
        let mut processes = vec![start(&["scheduler", "--listen", &address])];
        let begin = Instant::now();
        while TcpStream::connect(free).is_err() {
            assert!(begin.elapsed() < Duration::from_secs(60));
            thread::sleep(Duration::from_millis(50));
        }
        for _ in 0..2 {
            processes.push(start(&["executor", "--scheduler", &address]));
        }
        Self { address, processes }
    }

    fn query(&self, runs: &Path, words: &[&str]) -> (Vec<Value>, String) {
        let mut command = asked();
        command.args(["--json", "query"]).arg(runs).args(words);
        let said = run(command.args(["--cluster", &self.address]));
        assert!(said.status.success(), "{words:?}: {}", stderr(&said));
        (json(&said).as_array().unwrap().clone(), stderr(&said))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for process in &mut self.processes {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

fn sorted(mut rows: Vec<Value>) -> Vec<String> {
    let mut rows: Vec<String> = rows.drain(..).map(|row| row.to_string()).collect();
    rows.sort();
    rows
}

/// It gives the rows that this program gives: of joins, of groups, and of plans that cannot be sent. A file that is damaged costs its run.
#[test]
fn a_cluster_gives_the_same_rows() {
    let directory = TempDir::new().unwrap();
    let runs = directory.path().join("runs of a day");
    for version in ["1.0", "2.0 (50 %)", "ü=3"] {
        let own = directory.path().join(version);
        fs::create_dir(&own).unwrap();
        let mut export = asked();
        export.args(["export", "--version", version, "--parquet"]);
        let said = run(export.arg(&runs).arg(bank(&own)));
        assert!(said.status.success(), "{}", stderr(&said));
    }
    let cluster = Cluster::start();
    let questions: [&[&str]; 8] = [
        &[
            "select version, run, count(*) as n from calls join runs using (run) group by version, run",
        ],
        &["select kind, count(*) as n, max(moment) as last from events group by kind"],
        &["select line, name, value from locals order by run, moment, name, value limit 5"],
        &["same_failures"],
        &["suspicious_lines"],
        &["values_of_failing", "queried.Bank", "tried"],
        &["select * from information_schema.tables where table_name = 'calls'"],
        &[
            "with recursive up(n) as (select count(*) from runs union all select n - 1 from up where n > 0) select n from up",
        ],
    ];
    for question in questions {
        let (rows, _) = cluster.query(&runs, question);
        assert!(!rows.is_empty(), "{question:?}");
        assert_eq!(sorted(rows), sorted(query(&runs, question)), "{question:?}");
    }
    damaged(&cluster, &runs);
}

fn damaged(cluster: &Cluster, runs: &Path) {
    let counted = ["select run, max(arguments) as most from calls group by run"];
    let of_version = fs::read_dir(runs).unwrap().next().unwrap().unwrap().path();
    let mut place = of_version;
    while !place.join("calls.parquet").is_file() {
        place = fs::read_dir(&place)
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path();
    }
    let file = place.join("calls.parquet");
    let whole = fs::read(&file).unwrap();
    // Its end is well, but not what it tells of.
    let mut turned = whole.clone();
    turned[4..whole.len() / 2].fill(0x5a);
    for bytes in [&whole[..whole.len() / 2], &turned[..]] {
        fs::write(&file, bytes).unwrap();
        let (rows, said) = cluster.query(runs, &counted);
        assert_eq!(rows.len(), 2, "{said}");
        assert!(said.contains("left out"), "{said}");
    }
}
