//! `cargo xtask train-dictionary`: what records of classes are packed with.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use jinsi_trace::model::{ClassDef, Record};
use jinsi_trace::reader::Trace;

use jinsi_ground::repository;

/// Size of the dictionary: with 32 and 48 KiB, classes of Jackson, Joda-Time and H2 come out as large as with 16.
const BYTES: usize = 16 << 10;
/// Where it is.
const FILE: &str = "trace/src/classes.dict";

/// What it is made from.
#[derive(clap::Args)]
pub struct Arguments {
    /// Recordings whose classes are the samples; of programs of our own, because pieces of them end up in the dictionary
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
}

/// Writes the dictionary.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let mut samples = Vec::new();
    for path in &arguments.traces {
        let trace = Trace::open(path)?;
        let classes = trace.classes().iter().map(sample);
        samples.extend(classes.collect::<Result<Vec<_>>>()?);
    }
    ensure!(!samples.is_empty(), "there are no classes in these traces");
    let dictionary =
        zstd::dict::from_samples(&samples, BYTES).context("zstd finds no dictionary")?;
    fs::write(repository::root().join(FILE), &dictionary)
        .with_context(|| format!("cannot write {FILE}"))?;
    println!(
        "{FILE}: {} bytes, from {} classes",
        dictionary.len(),
        samples.len()
    );
    println!("Traces packed with it are of another version: raise it in trace/src/segment.rs");
    Ok(true)
}

/// A class as its record has it, before it is packed (`trace/src/table.rs`).
fn sample(class: &ClassDef) -> Result<Vec<u8>> {
    let json = serde_json::to_vec(&Record::Class(class.clone()))?;
    let size = u32::try_from(json.len())?;
    Ok([&size.to_le_bytes()[..], &json, &class.bytes].concat())
}
