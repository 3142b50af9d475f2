//! Files as the process sees them: all are read-only but those in the directories that it may write into.
//!
//! Landlock does not know modes and times of files. In a mount namespace of its own, where the mounts themselves are read-only, a process can change
//! both in its own directories and nowhere else, so these calls need not be taken away (`calls`). Not every machine lets its users have such a
//! namespace; there these calls stay taken away.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Says that entering worked where that was only tried, by the way of an error: the process goes no further.
const TRIED: i32 = libc::ECANCELED;

/// `/dev/null` (`null(4)`).
const NULL_DEVICE: libc::dev_t = libc::makedev(1, 3);

/// A view, ready to be entered.
pub(crate) struct View {
    writable: Vec<CString>,
    /// Room for the mounts of [`Self::writable`]: between fork and exec nothing is allocated.
    mounts: Vec<OwnedFd>,
    /// The user and group that the process keeps (`user_namespaces(7)`).
    user: String,
    group: String,
}

impl View {
    /// The view in which only these directories can be changed; `None` if this machine does not let this user have one.
    pub(crate) fn of(writable: &[PathBuf]) -> Option<Self> {
        static WORKS: OnceLock<bool> = OnceLock::new();
        let view = Self::new(writable)?;
        let works = || Self::new(writable).is_some_and(Self::can_be_entered);
        WORKS.get_or_init(works).then_some(view)
    }

    fn new(writable: &[PathBuf]) -> Option<Self> {
        let named = |path: &PathBuf| CString::new(path.as_os_str().as_bytes()).ok();
        // SAFETY: these calls have no argument, and cannot fail.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        Some(Self {
            writable: writable.iter().map(named).collect::<Option<_>>()?,
            mounts: Vec::with_capacity(writable.len()),
            user: format!("{user} {user} 1"),
            group: format!("{group} {group} 1"),
        })
    }

    /// Can a process enter it? One is made to try, which becomes no program.
    fn can_be_entered(mut self) -> bool {
        let mut command = Command::new(Path::new("/"));
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let enter = move || {
            let why_not = match self.enter()? {
                true => TRIED,
                false => libc::EPERM,
            };
            Err(io::Error::from_raw_os_error(why_not))
        };
        // SAFETY: between fork and exec the closure makes system calls, and reads and writes memory of its own.
        let tried = unsafe { command.pre_exec(enter).spawn() };
        matches!(tried, Err(error) if error.raw_os_error() == Some(TRIED))
    }

    /// Gives this process the view. False if it cannot have one of its own just now, or a stream is a way to files outside, nevertheless. Allocates
    /// nothing.
    ///
    /// # Errors
    /// What the system answered; the process may have some of the view then.
    pub(crate) fn enter(&mut self) -> io::Result<bool> {
        if !self.leave_others()? {
            return Ok(false);
        }
        let nothing = std::ptr::null();
        // SAFETY: the path is a string with its end, all else may be missing.
        checked(unsafe {
            let private = libc::MS_REC | libc::MS_PRIVATE;
            libc::mount(nothing, c"/".as_ptr(), nothing, private, nothing.cast()).into()
        })?;
        for directory in &self.writable {
            let flags = libc::OPEN_TREE_CLONE
                | libc::OPEN_TREE_CLOEXEC
                | libc::AT_RECURSIVE.cast_unsigned();
            // SAFETY: the path is a string with its end, and the call gives a descriptor that nobody else owns.
            self.mounts.push(unsafe {
                let path = directory.as_ptr();
                let mount = libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, path, flags);
                OwnedFd::from_raw_fd(checked(mount)?)
            });
        }
        let read_only = libc::mount_attr {
            attr_set: libc::MOUNT_ATTR_RDONLY,
            attr_clr: 0,
            propagation: 0,
            userns_fd: 0,
        };
        // SAFETY: the path is a string with its end; the structure lives as long as the call, which is told its size.
        checked(unsafe {
            libc::syscall(
                libc::SYS_mount_setattr,
                libc::AT_FDCWD,
                c"/".as_ptr(),
                libc::AT_RECURSIVE,
                &raw const read_only,
                size_of::<libc::mount_attr>(),
            )
        })?;
        for (directory, mount) in self.writable.iter().zip(&self.mounts) {
            // SAFETY: both paths are strings with their ends.
            checked(unsafe {
                libc::syscall(
                    libc::SYS_move_mount,
                    mount.as_raw_fd(),
                    c"".as_ptr(),
                    libc::AT_FDCWD,
                    directory.as_ptr(),
                    libc::MOVE_MOUNT_F_EMPTY_PATH,
                )
            })?;
        }
        self.mounts.clear();
        go_to_where_it_is()?;
        for stream in 0..=2 {
            if !is_own_stream(stream)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes the process one that sees mounts of its own. Who may not do that may do it as a user of its own, who is the same outside. False if neither
    /// can be had, as where there are too many already.
    fn leave_others(&self) -> io::Result<bool> {
        // SAFETY: the calls take a number, and change nothing but this process, which has one thread.
        unsafe {
            if libc::unshare(libc::CLONE_NEWNS) == 0 {
                return Ok(true);
            }
            if libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS) != 0 {
                return Ok(false);
            }
        }
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", &self.user)?;
        fs::write("/proc/self/gid_map", &self.group)?;
        Ok(true)
    }
}

/// The current directory is one of the mounts from before; it has to be the same one in the new view.
fn go_to_where_it_is() -> io::Result<()> {
    let mut path = [0 as libc::c_char; libc::PATH_MAX as usize];
    // SAFETY: the first call writes a string with its end into the array, whose length it is told, and the second one reads it.
    checked(unsafe {
        if libc::getcwd(path.as_mut_ptr(), path.len()).is_null() {
            return Err(io::Error::last_os_error());
        }
        libc::chdir(path.as_ptr()).into()
    })?;
    Ok(())
}

/// A descriptor from before the view can still change what it stands for, whatever is read-only now. A pipe, and a file that has no name any more, are
/// nobody else's; `/dev/null` is opened anew. False if it is something else.
fn is_own_stream(stream: libc::c_int) -> io::Result<bool> {
    // SAFETY: all zeroes are a `stat`, which the call writes to.
    let is = unsafe {
        let mut is: libc::stat = std::mem::zeroed();
        checked(libc::fstat(stream, &raw mut is).into())?;
        is
    };
    match is.st_mode & libc::S_IFMT {
        libc::S_IFIFO | libc::S_IFSOCK => Ok(true),
        libc::S_IFREG if is.st_nlink == 0 => Ok(true),
        libc::S_IFCHR if is.st_rdev == NULL_DEVICE => {
            // SAFETY: the path is a string with its end, and nobody else owns the descriptor that is opened.
            let opened = unsafe {
                let flags = libc::O_RDWR | libc::O_CLOEXEC;
                OwnedFd::from_raw_fd(checked(libc::open(c"/dev/null".as_ptr(), flags).into())?)
            };
            // SAFETY: the call takes two numbers, and the second is one of the three streams of the process.
            checked(unsafe { libc::dup2(opened.as_raw_fd(), stream).into() })?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// The result of a system call, or what went wrong.
fn checked(result: libc::c_long) -> io::Result<libc::c_int> {
    match libc::c_int::try_from(result) {
        Ok(result) if result >= 0 => Ok(result),
        _ => Err(io::Error::last_os_error()),
    }
}
