//! The part of jinsi that lives inside the JVM.
