//! Sockets within a machine, which are files: who may open the file may connect.

pub use std::os::unix::net::{UnixListener as Listener, UnixStream as Stream};
