//! The rewriter's speed against ASM's.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use jinsi_jdk::maven;
use serde_json::{Value, json};

use super::bundle;
use super::jvm::Harness;
use super::rewrite::{self, View};

const ASM: [&str; 1] = ["org.ow2.asm:asm:9.9"];

/// Times both on the classes of these bundles, bundle by bundle in turn, one thread each: ASM reads and writes with computed maximums, the
/// rewriter inserts all probes.
pub(super) fn compare(harnesses: &[Harness], bundles: &[PathBuf]) -> Result<Value> {
    let (Some(harness), false) = (harnesses.last(), bundles.is_empty()) else {
        return Ok(Value::Null);
    };
    let mut worker = harness.asm_pass(&maven::fetch(&ASM)?)?;
    let (mut asm_bytes, mut asm_seconds) = (0.0, 0.0);
    let (mut our_bytes, mut our_seconds) = (0.0, 0.0);
    for bundle in bundles {
        worker.write(&[OsStr::new(bundle)])?;
        let line = worker.line()?;
        let (bytes, nanos) = line.trim().split_once('\t').context("no figures of ASM")?;
        asm_bytes += bytes.parse::<f64>()?;
        asm_seconds += nanos.parse::<f64>()? / 1e9;

        let entries = bundle::read(bundle)?;
        let start = Instant::now();
        for entry in &entries {
            rewrite::rewrite(&entry.name, &entry.bytes, View::All);
        }
        our_seconds += start.elapsed().as_secs_f64();
        our_bytes += entries.iter().map(|e| e.bytes.len() as f64).sum::<f64>();
    }
    let asm = asm_bytes / asm_seconds / 1e6;
    let ours = our_bytes / our_seconds / 1e6;
    Ok(json!({
        "version": ASM[0],
        "java": harness.jdk.version().to_string(),
        "bytes": asm_bytes,
        "mb_per_s": asm,
        "ours_mb_per_s": ours,
        "ratio": ours / asm,
    }))
}
