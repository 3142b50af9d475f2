//! The browser of this machine.

use std::io;
use std::process::{Command, Stdio};

use jinsi_files::{private, temporary};

/// Opens the browser, which needs the directory that is given. The address goes through a file that only its owner can read: arguments can be read by everybody on the machine.
///
/// # Errors
/// There is no browser, or the file cannot be written.
pub fn open(address: &str) -> io::Result<temporary::Directory> {
    let directory = temporary::directory()?;
    let page = directory.path().join("view.html");
    let text = format!(
        "<!doctype html><meta charset=\"utf-8\"><title>jinsi</title><meta http-equiv=\"refresh\" content=\"0;url={address}\"><a href=\"{address}\">jinsi view</a>\n"
    );
    private::write(&page, text)?;
    let mut browser = Command::new("xdg-open");
    browser.arg(&page);
    let quiet = browser.stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = quiet.stderr(Stdio::null()).spawn()?;
    // It ends as soon as the browser has its answer.
    std::thread::spawn(move || child.wait());
    Ok(directory)
}
