//! The thread that encodes full buffers, and what happens when it falls behind.
//!
//! Recorded threads hand full buffers over through a lock-free channel and go on. If events come faster than they are encoded,
//! first less trouble is taken over each buffer; then buffers are spilled, to be encoded when there is time, at the end of the program
//! if not before. If the encoder does not even come to that, recorded threads spill the buffers they have
//! filled themselves, and encode them if there is no room for more. So nobody waits for anybody, and the staging area is bounded: [`BACKLOG`] buffers, and one or two for every
//! thread.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use jinsi_platform::process::yield_to_others;
use jinsi_trace::model::{ClassDef, ClassFiles, Record};
use jinsi_trace::writer::{Effort, TraceWriter, WriteError};
use parking_lot::Mutex;

use crate::buffers::Buffer;
use crate::class_def::with_skeleton;
use crate::class_files::Gathered;
use crate::stop::Stop;
use crate::windows::{Cut, Windows};

/// Buffers that may wait before threads encode their own, where there is no room to spill them.
const BACKLOG: usize = 96;

/// Buffers that may wait before threads spill their own. Few: a buffer that a thread gets back is in the processor's cache still, and a fresh
/// one costs as much in page faults as spilling does.
const SPILL: usize = 16;

/// Buffers that may wait before the encoder spills.
const LAG: usize = 8;

/// Buffers that may wait before the encoder hurries.
const HURRY: usize = 4;

/// Work for the encoder thread.
enum Job {
    Encode(Buffer),
    Skeleton(Box<ClassDef>),
    /// A class of the environment that is in the table already.
    Keep(Box<ClassDef>),
    /// The recording has ended, and the program has not: its classes need no probes any more.
    Ended,
    Stop,
}

/// What a recorder knows of its encoder thread.
pub(crate) struct Encoder {
    writer: Arc<TraceWriter>,
    stop: Arc<Stop>,
    windows: Option<Arc<Windows>>,
    jobs: Sender<Job>,
    /// The program is to end.
    ends: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Encoder {
    /// Starts the thread, which keeps the class files of what is not observed. A write error, or a full trace, ends the recording; then `restore` takes the probes out of the program's classes.
    ///
    /// # Errors
    /// There can be no thread.
    pub(crate) fn start(
        writer: Arc<TraceWriter>,
        stop: Arc<Stop>,
        windows: Option<Arc<Windows>>,
        kept: Gathered,
        restore: fn(),
    ) -> io::Result<Self> {
        let (jobs, todo) = unbounded();
        let ends = Arc::new(AtomicBool::new(false));
        let ended = jobs.clone();
        stop.tell(Box::new(move || {
            let _ = ended.send(Job::Ended);
        }));
        let thread = {
            let mut worker = Worker {
                writer: writer.clone(),
                todo,
                stop: stop.clone(),
                windows: windows.clone(),
                ends: ends.clone(),
                kept,
                restore,
            };
            std::thread::Builder::new()
                .name("jinsi-encoder".into())
                .spawn(move || {
                    // There is no hurry. Where it can fall behind, it also yields to the JVM's compilers: while these are busy, much of the
                    // program is interpreted, probes and all. (A recording with windows would begin them too late.)
                    yield_to_others(worker.writer.spills());
                    worker.run();
                })?
        };
        Ok(Self {
            writer,
            stop,
            windows,
            jobs,
            ends,
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Takes a buffer into which nobody writes any more.
    pub(crate) fn take(&self, buffer: Buffer) {
        self.writer.hand_over(buffer.address());
        let waiting = self.jobs.len();
        let done = match waiting {
            0..SPILL => Ok(false),
            _ => self.writer.spill(buffer.address()),
        };
        let done = match done {
            Ok(false) if waiting < BACKLOG => {
                // The channel has no bound, so sending fails only after the thread is gone; then `TraceWriter::finish` takes the buffer.
                let _ = self.jobs.send(Job::Encode(buffer));
                return;
            }
            Ok(false) => self.writer.encode(buffer.address(), Effort::Fast),
            done => done.map(drop),
        };
        // The encoder may be so far behind that it would see too late that the trace is full.
        written(&self.writer, done, &self.stop, self.windows.as_deref());
    }

    /// Makes the skeleton of the class and puts it into the table, some time.
    pub(crate) fn skeleton(&self, class: ClassDef) {
        let _ = self.jobs.send(Job::Skeleton(Box::new(class)));
    }

    /// Takes the class file of a class of the environment whose skeleton is in the table already.
    pub(crate) fn keep(&self, class: ClassDef) {
        let _ = self.jobs.send(Job::Keep(Box::new(class)));
    }

    /// Ends the thread. It encodes no more buffers, unless there are windows to be begun: [`TraceWriter::finish`] is faster.
    pub(crate) fn finish(&self) {
        self.ends.store(true, Ordering::Relaxed);
        let _ = self.jobs.send(Job::Stop);
        if let Some(thread) = self.thread.lock().take() {
            let _ = thread.join();
        }
    }
}

/// What the thread works with.
struct Worker {
    writer: Arc<TraceWriter>,
    todo: Receiver<Job>,
    stop: Arc<Stop>,
    windows: Option<Arc<Windows>>,
    ends: Arc<AtomicBool>,
    kept: Gathered,
    restore: fn(),
}

impl Worker {
    fn run(&mut self) {
        while let Some(job) = self.next() {
            let done = match job {
                Job::Encode(buffer) => self.buffer(buffer),
                Job::Skeleton(class) => {
                    let files = self.kept.take(&class);
                    let class = self.writer.record(&Record::Class(with_skeleton(*class)));
                    class.and_then(|()| self.record(files))
                }
                Job::Keep(class) => {
                    let files = self.kept.take(&class);
                    self.record(files)
                }
                Job::Ended => {
                    self.restore();
                    continue;
                }
                Job::Stop => break,
            };
            written(&self.writer, done, &self.stop, self.windows.as_deref());
        }
        let rest = self.kept.rest();
        let done = self.record(rest);
        written(&self.writer, done, &self.stop, None);
    }

    fn record(&self, files: Option<ClassFiles>) -> Result<(), WriteError> {
        let record = files.map(Record::ClassFiles);
        record.map_or(Ok(()), |record| self.writer.record(&record))
    }

    /// The next job. While there is none, what was spilled is encoded.
    fn next(&self) -> Option<Job> {
        loop {
            match self.todo.try_recv() {
                Ok(job) => return Some(job),
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) => {}
            }
            let done = self.writer.encode_spilled(Effort::Best);
            // Whoever has ended the recording says why.
            if let Ok(false) | Err(WriteError::Ended(_)) = done {
                return self.todo.recv().ok();
            }
            written(
                &self.writer,
                done.map(drop),
                &self.stop,
                self.windows.as_deref(),
            );
        }
    }

    /// Takes the probes out of the program's classes, unless it is about to end.
    fn restore(&self) {
        if !self.ends.load(Ordering::Relaxed) {
            (self.restore)();
        }
    }

    fn buffer(&self, buffer: Buffer) -> Result<(), WriteError> {
        // What is mostly going to be dropped is not worth the best that can be done, beside a server that is to be fast.
        if self.windows.is_some() {
            return self.writer.encode(buffer.address(), Effort::Fast);
        }
        if self.ends.load(Ordering::Relaxed) {
            return Ok(());
        }
        match self.todo.len() {
            0..HURRY => self.writer.encode(buffer.address(), Effort::Best),
            LAG.. if self.writer.spill(buffer.address())? => Ok(()),
            _ => self.writer.encode(buffer.address(), Effort::Fast),
        }
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
