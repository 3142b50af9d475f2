//! Numbers of the session file and of the worker's protocol. `java-harness/replay/jinsi/replay/Codes.java` has them, and `build.rs` makes
//! these constants of it.

include!(concat!(env!("OUT_DIR"), "/codes.rs"));
