//! Makes constants of the numbers that the worker and this crate share. `Codes.java` is the table of them.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

const TABLE: &str = "../../java-harness/replay/jinsi/replay/Codes.java";

fn main() {
    println!("cargo:rerun-if-changed={TABLE}");
    let here = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let table = PathBuf::from(here).join(TABLE);
    let text = fs::read_to_string(&table).unwrap_or_else(|e| panic!("{}: {e}", table.display()));
    let mut constants = String::new();
    for line in text.lines() {
        let Some(rest) = line.trim().strip_prefix("static final int ") else {
            continue;
        };
        let code = rest
            .strip_suffix(';')
            .and_then(|rest| rest.split_once(" = "));
        let code = code.and_then(|(name, value)| Some((name, number(value)?)));
        let (name, value) = code.unwrap_or_else(|| panic!("no code in {line:?}"));
        writeln!(constants, "pub(crate) const {name}: u8 = {value};").expect("String");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("codes.rs"), constants).expect("OUT_DIR is writable");
}

/// A number, or a character in quotes.
fn number(value: &str) -> Option<u8> {
    match value.as_bytes() {
        [b'\'', code, b'\''] => Some(*code),
        _ => value.parse().ok(),
    }
}
