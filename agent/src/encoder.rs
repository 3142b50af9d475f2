//! The thread that encodes full buffers, and what happens when it falls behind.
//!
//! Recorded threads hand full buffers over through a lock-free channel and go on. If events come faster than they are encoded,
//! first less trouble is taken over each buffer; if that is not enough, recorded threads encode the buffers they have filled
//! themselves. So nobody waits for anybody, and the staging area is bounded: [`BACKLOG`] buffers, and one or two for every
//! thread.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, unbounded};
use jinsi_trace::model::{ClassDef, Record};
use jinsi_trace::writer::{Effort, TraceWriter, WriteError};
use parking_lot::Mutex;

use crate::buffers::Buffer;
use crate::class_def::with_skeleton;
use crate::stop::Stop;
use crate::windows::{Cut, Windows};

/// Buffers that may wait before threads encode their own.
const BACKLOG: usize = 96;

/// Buffers that may wait before the encoder hurries.
const HURRY: usize = 12;

/// Work for the encoder thread.
enum Job {
    Encode(Buffer),
    Skeleton(Box<ClassDef>),
    Stop,
}

/// What a recorder knows of its encoder thread.
pub(crate) struct Encoder {
    writer: Arc<TraceWriter>,
    stop: Arc<Stop>,
    windows: Option<Arc<Windows>>,
    jobs: Sender<Job>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Encoder {
    /// Starts the thread. A write error, or a full trace, ends the recording.
    ///
    /// # Errors
    /// There can be no thread.
    pub(crate) fn start(
        writer: Arc<TraceWriter>,
        stop: Arc<Stop>,
        windows: Option<Arc<Windows>>,
    ) -> io::Result<Self> {
        let (jobs, todo) = unbounded();
        let thread = {
            let (writer, stop, windows) = (writer.clone(), stop.clone(), windows.clone());
            std::thread::Builder::new()
                .name("jinsi-encoder".into())
                .spawn(move || {
                    interrupt_nobody();
                    work(&writer, &todo, &stop, windows.as_deref());
                })?
        };
        Ok(Self {
            writer,
            stop,
            windows,
            jobs,
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Takes a buffer into which nobody writes any more.
    pub(crate) fn take(&self, buffer: Buffer) {
        self.writer.hand_over(buffer.address());
        if self.jobs.len() < BACKLOG {
            // The channel has no bound, so sending fails only after the thread is gone; then `TraceWriter::finish` takes the buffer.
            let _ = self.jobs.send(Job::Encode(buffer));
        } else {
            let done = self.writer.encode(buffer.address(), Effort::Fast);
            // The encoder may be so far behind that it would see too late that the trace is full.
            written(&self.writer, done, &self.stop, self.windows.as_deref());
        }
    }

    /// Makes the skeleton of the class and puts it into the table, some time.
    pub(crate) fn skeleton(&self, class: ClassDef) {
        let _ = self.jobs.send(Job::Skeleton(Box::new(class)));
    }

    /// Does all that was given to do, and ends the thread.
    pub(crate) fn finish(&self) {
        let _ = self.jobs.send(Job::Stop);
        if let Some(thread) = self.thread.lock().take() {
            let _ = thread.join();
        }
    }
}

/// The thread gets its share of the processors, but takes none from a thread that runs when it wakes up: there is no hurry. (With a lower
/// priority instead it would fall behind on a busy machine, and the application's threads would have to encode.)
fn interrupt_nobody() {
    // SAFETY: all zeros are parameters that the policy takes.
    let parameters: libc::sched_param = unsafe { std::mem::zeroed() };
    // SAFETY: a system call about the calling thread (0) that reads `parameters`. That it may fail is no harm.
    unsafe { libc::sched_setscheduler(0, libc::SCHED_BATCH, &raw const parameters) };
}

fn work(writer: &TraceWriter, todo: &Receiver<Job>, stop: &Stop, windows: Option<&Windows>) {
    for job in todo {
        let done = match job {
            // What is mostly going to be dropped is not worth the best that can be done, beside a server that is to be fast.
            Job::Encode(buffer) if todo.len() < HURRY && windows.is_none() => {
                writer.encode(buffer.address(), Effort::Best)
            }
            Job::Encode(buffer) => writer.encode(buffer.address(), Effort::Fast),
            Job::Skeleton(class) => writer.record(&Record::Class(with_skeleton(*class))),
            Job::Stop => break,
        };
        written(writer, done, stop, windows);
    }
}

/// Something was written, or could not be: ends the recording if it has to end, and has it cut if it is time.
fn written(
    writer: &TraceWriter,
    done: Result<(), WriteError>,
    stop: &Stop,
    windows: Option<&Windows>,
) {
    match done.and_then(|()| windows.map_or(Ok(Cut::GoOn), Windows::look)) {
        Err(e) => stop.failed(&e),
        Ok(Cut::End) => stop.now(),
        Ok(Cut::GoOn) if writer.is_full() => stop.now(),
        Ok(Cut::GoOn) => {}
    }
}
