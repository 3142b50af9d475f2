//! Class files: bytes in, bytes out. Knows no JVM.
