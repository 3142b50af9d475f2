//! Why the agent does not record.

use jinsi_trace::writer::WriteError;

/// Why the agent does not record. The program runs as it would without the agent.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("no memory for the table of threads: {0}")]
    Memory(std::io::Error),
    #[error("two copies of the agent start at the same time; name it once")]
    Twice,
    #[error("this JVM writes an AOT cache, which cannot hold rewritten classes; record without it")]
    AotCache,
    #[error("this JVM has no interface for agents (JVMTI); record with another JDK")]
    NoJvmti,
    #[error("this JVM does not let agents rewrite classes; record with another JDK")]
    NoRewriting,
    #[error("this JVM refuses the events that the agent needs ({why}); record with another JDK")]
    Events { why: String },
    #[error("this JVM refuses the agent's class {name}; record with another JDK")]
    Define { name: &'static str },
    #[error("the agent's probes do not work on this JVM; record with another JDK")]
    Probes,
}
