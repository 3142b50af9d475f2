//! Thread buffers as the probes see them: the table from thread id to buffer, and the header words that probe and agent share.

use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use jinsi_handover::{Places, REFUSED, Slots, cursor};
use jinsi_platform::memory::reserve_zeros;
use jinsi_trace::model::EventKind;
use jinsi_trace::raw::{
    HEADER_BYTES, MEETINGS_BIT, MET_BIT, OFFSET_CURSOR, OFFSET_LIMIT, OFFSET_ORDINAL,
    OFFSET_SCRATCH,
};

/// Offset of the word in which the probe notes how the open activations were called.
const OFFSET_OPEN: usize = 48;
/// Offset of the word in which the probe keeps how the thread stands to others: its last stamp of order, and how often it has met others since.
const OFFSET_ORDER: usize = 56;
/// The stamp in there.
const STAMP: u64 = (1 << MET_BIT) - 1;
/// Offset of the half word in which the probe notes whose code runs (0: the environment's), and that a call has not reached observed code.
const OFFSET_WHOSE: usize = 36;
/// Nothing is known of activations.
const OPEN_AT_FIRST: u64 = u64::MAX;

/// Size of an event of which no value is written yet.
const EVENT_HEAD: u64 = 8;

/// Thread ids beyond this are not recorded.
const ENTRIES: usize = 1 << 22;

/// The lowest bit of the epoch in an object's word; `JinsiIds.EPOCH` begins there.
const EPOCH_UNIT: u64 = 1 << 6;
/// Epochs that a word can tell apart.
pub const EPOCHS: u64 = 1 << 16;

/// A buffer inside the mapped trace file. Copies name the same memory.
#[derive(Clone, Copy, Debug)]
pub struct Buffer(*mut u8);

// SAFETY: a buffer is mapped for the rest of the process' life. Its words are written by one thread at a time: the owner until it is
// taken out of the table, the encoder afterwards.
unsafe impl Send for Buffer {}

impl Buffer {
    /// From the address the trace writer gave.
    pub fn new(address: *mut u8) -> Self {
        Self(address)
    }

    /// Address for the trace writer.
    pub fn address(self) -> *mut u8 {
        self.0
    }

    /// Address for the probe.
    pub fn as_u64(self) -> u64 {
        self.0 as u64
    }

    fn word(&self, offset: usize) -> &AtomicU64 {
        debug_assert!(offset < HEADER_BYTES && offset.is_multiple_of(8));
        // SAFETY: buffers are page aligned, at least HEADER_BYTES long and never unmapped; all access to header words from Rust is atomic.
        unsafe { AtomicU64::from_ptr(self.0.add(offset).cast()) }
    }

    fn whose(&self) -> &AtomicU32 {
        // SAFETY: as for `word`; the address is a multiple of four, and nobody writes the whole word but before the buffer is handed out.
        unsafe { AtomicU32::from_ptr(self.0.add(OFFSET_WHOSE).cast()) }
    }

    /// Bytes of the event being written.
    pub fn pending(&self) -> u64 {
        let cursor = self.word(OFFSET_CURSOR).load(Ordering::Relaxed);
        self.word(OFFSET_SCRATCH)
            .load(Ordering::Relaxed)
            .saturating_sub(cursor)
    }

    /// A thread's first buffer: no event is being written, and the environment runs.
    pub fn begin_empty(&self) {
        self.word(OFFSET_SCRATCH)
            .store(HEADER_BYTES as u64, Ordering::Relaxed);
        self.word(OFFSET_OPEN)
            .store(OPEN_AT_FIRST, Ordering::Relaxed);
        self.word(OFFSET_ORDER).store(0, Ordering::Relaxed);
        self.whose().store(0, Ordering::Relaxed);
    }

    /// Number of its acquisition.
    pub fn ordinal(&self) -> u64 {
        self.word(OFFSET_ORDINAL).load(Ordering::Relaxed)
    }

    /// Has the thread exchange the buffer as soon as it has so many bytes.
    pub fn fill_to(&self, bytes: u64) {
        self.word(OFFSET_LIMIT).fetch_min(bytes, Ordering::Relaxed);
    }

    /// Has the thread exchange the buffer before it writes the next event.
    pub fn close(&self) {
        cursor::close(self.word(OFFSET_LIMIT));
    }

    /// Begins a window, in place of a buffer that does not belong to it: the order in which the thread's events come among those of others
    /// is recorded again, by an event of its own, which says how often it had met them meanwhile: who reads from an earlier window on counts
    /// further. Call it before [`Self::continue_from`].
    pub fn begin_window(&self, old: &Buffer) {
        let word = old.word(OFFSET_ORDER).load(Ordering::Relaxed);
        if word == 0 {
            return;
        }
        let counted_word = (word & STAMP) | ((word >> MEETINGS_BIT) + 1) << MEETINGS_BIT;
        // SAFETY: no thread has the empty buffer yet, which is at least four pages long and aligned.
        unsafe {
            let event: *mut u64 = self.0.add(HEADER_BYTES).cast();
            event.write((EventKind::Order as u64) << 32 | 1 << 48);
            event.add(1).write(counted_word);
        }
        cursor::publish(self.word(OFFSET_CURSOR), HEADER_BYTES as u64 + 16);
    }

    /// Takes over the event being written, and the probe's state, from the thread's previous buffer. Not the event, if with this a window
    /// begins and values are written already: the window may know nothing of what they name. Then it is as if it had never begun.
    pub fn continue_from(&self, old: &Buffer, begins_window: bool) {
        let begin = self.word(OFFSET_CURSOR).load(Ordering::Relaxed);
        let pending = old.pending();
        let pending = match begins_window && pending > EVENT_HEAD {
            true => 0,
            false => pending,
        };
        let from = old.word(OFFSET_CURSOR).load(Ordering::Relaxed);
        // SAFETY: the pending bytes lie between cursor and scratch of the old buffer; the new one was acquired with room for them; the two
        // are different buffers.
        unsafe {
            std::ptr::copy_nonoverlapping(
                old.0.add(from as usize),
                self.0.add(begin as usize),
                pending as usize,
            );
        }
        self.word(OFFSET_SCRATCH)
            .store(begin + pending, Ordering::Relaxed);
        for offset in [OFFSET_OPEN, OFFSET_ORDER] {
            let word = old.word(offset).load(Ordering::Relaxed);
            self.word(offset).store(word, Ordering::Relaxed);
        }
        if begins_window {
            // Meetings are counted from that event on.
            self.word(OFFSET_ORDER).fetch_and(STAMP, Ordering::Relaxed);
        }
        let whose = old.whose().load(Ordering::Relaxed);
        self.whose().store(whose, Ordering::Relaxed);
    }
}

/// Addresses of the threads' buffers, indexed by Java thread id: reserved address space of which only touched pages exist. Behind the entries are two
/// words that the probes look at, too: the epoch, as the words of objects have it, and whether calls have to wait.
struct Mapped(*mut u8);

// SAFETY: the memory is only accessed through atomics.
unsafe impl Send for Mapped {}
// SAFETY: as above.
unsafe impl Sync for Mapped {}

impl Mapped {
    fn word(&self, index: usize) -> &AtomicU64 {
        debug_assert!(index < ENTRIES + 2);
        // SAFETY: in bounds of the mapping, which is two words longer than its entries, aligned, and lives as long as the process.
        unsafe { AtomicU64::from_ptr(self.0.add(index * 8).cast()) }
    }
}

impl Places for Mapped {
    type Word = AtomicU64;

    fn slot(&self, tid: u64) -> Option<&AtomicU64> {
        let index = usize::try_from(tid).ok().filter(|&i| i < ENTRIES)?;
        Some(self.word(index))
    }

    fn epoch(&self) -> &AtomicU64 {
        self.word(ENTRIES)
    }

    unsafe fn limit(&self, buffer: u64) -> &AtomicU64 {
        // SAFETY: what was given is the address of a buffer, which is mapped for ever, and has its header at the front.
        unsafe { AtomicU64::from_ptr((buffer as *mut u8).add(OFFSET_LIMIT).cast()) }
    }
}

/// The threads' buffers.
pub struct Table(Slots<Mapped>);

impl Table {
    /// Reserves the table.
    ///
    /// # Errors
    /// The address space is not to be had.
    pub fn reserve() -> io::Result<Self> {
        let base = reserve_zeros((ENTRIES + 2) * 8)?;
        Ok(Self(Slots::new(Mapped(base), AtomicU64::new(0))))
    }

    /// Address for the probe.
    pub fn address(&self) -> u64 {
        self.0.places().0 as u64
    }

    /// Number of entries.
    pub fn entries(&self) -> u64 {
        ENTRIES as u64
    }

    /// From now on, or no longer, calls from the environment ask whether they have to wait. Who looks at all threads' stacks afterwards
    /// finds there whoever has not asked.
    pub fn shut_barrier(&self, shut: bool) {
        let barrier = self.0.places().word(ENTRIES + 1);
        barrier.store(u64::from(shut), Ordering::SeqCst);
    }

    /// Ordinal of the thread's buffer, if it has one. It may be that of a later one, if the thread exchanges it just now.
    pub fn ordinal(&self, tid: i64) -> Option<u64> {
        let buffer = self.0.look(tid.try_into().ok()?)?;
        Some(Buffer(buffer as *mut u8).ordinal())
    }

    /// Number of the present epoch.
    pub fn epoch(&self) -> u64 {
        self.0.places().epoch().load(Ordering::Acquire) / EPOCH_UNIT
    }

    /// Begins epoch `no`: all threads exchange their buffers before they write the next event, and whatever events name has to be reported
    /// again.
    pub fn begin_epoch(&self, no: u64) {
        self.0.begin_epoch(no * EPOCH_UNIT);
    }

    /// Sets the thread's buffer.
    pub fn set(&self, tid: i64, buffer: Buffer) {
        self.give(tid, buffer.as_u64());
    }

    /// From now on the thread records nothing. Call it only for a thread without buffer.
    pub fn refuse(&self, tid: i64) {
        self.give(tid, REFUSED);
    }

    fn give(&self, tid: i64, buffer: u64) {
        if let Ok(tid) = tid.try_into() {
            // SAFETY: it is no buffer, or one that is mapped for ever (`Buffer`).
            unsafe { self.0.give(tid, buffer) };
        }
    }

    /// Takes the thread's buffer away from it.
    pub fn take(&self, tid: i64) -> Option<Buffer> {
        let address = self.0.take(tid.try_into().ok()?)?;
        Some(Buffer(address as *mut u8))
    }

    /// From now on no thread records anything that has had a buffer. Who is writing an event may still end it.
    pub fn refuse_all(&self) {
        self.0.refuse_all();
    }

    /// Takes all buffers away; threads that still run record nothing any more.
    pub fn take_all(&self) -> Vec<Buffer> {
        let all = self.0.take_all().into_iter();
        all.map(|address| Buffer(address as *mut u8)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_gives_each_buffer_once() {
        let table = Table::reserve().unwrap();
        let set = |tid, address: u64| table.set(tid, Buffer::new(address as *mut u8));
        set(1, 0x1000);
        set(70_000, 0x2000);
        set(-1, 0x3000);
        set(ENTRIES as i64, 0x4000);
        assert_eq!(table.take(1).map(Buffer::as_u64), Some(0x1000));
        assert!(table.take(1).is_none());
        table.refuse(2);
        assert!(table.take(2).is_none());
        set(3, 0x5000);
        set(4, 0x6000);
        assert_eq!(table.take(4).map(Buffer::as_u64), Some(0x6000));
        table.refuse_all();
        assert!(table.take(3).is_none());
        set(70_000, 0x2000);
        assert_eq!(
            table
                .take_all()
                .iter()
                .map(|b| b.as_u64())
                .collect::<Vec<_>>(),
            [0x2000]
        );
    }

    #[test]
    fn a_pending_event_moves_to_the_next_buffer() {
        let mut old = vec![0u64; 64];
        let mut new = vec![0u64; 64];
        let (a, b) = (
            Buffer::new(old.as_mut_ptr().cast()),
            Buffer::new(new.as_mut_ptr().cast()),
        );
        a.word(OFFSET_CURSOR).store(80, Ordering::Relaxed);
        b.word(OFFSET_CURSOR)
            .store(HEADER_BYTES as u64, Ordering::Relaxed);
        a.word(OFFSET_SCRATCH).store(96, Ordering::Relaxed);
        a.word(OFFSET_OPEN).store(1, Ordering::Relaxed);
        let order = 7 | 5 << MEETINGS_BIT;
        a.word(OFFSET_ORDER).store(order, Ordering::Relaxed);
        old[10] = 7;
        old[11] = 8;
        b.continue_from(&a, false);
        assert_eq!(&new[8..10], [7, 8]);
        assert_eq!(b.pending(), 96 - 80);
        assert_eq!(b.word(OFFSET_OPEN).load(Ordering::Relaxed), 1);
        assert_eq!(b.word(OFFSET_ORDER).load(Ordering::Relaxed), order);
        let mut first = vec![0u64; 64];
        let c = Buffer::new(first.as_mut_ptr().cast());
        c.word(OFFSET_CURSOR)
            .store(HEADER_BYTES as u64, Ordering::Relaxed);
        c.begin_window(&a);
        c.continue_from(&a, true);
        assert_eq!(c.pending(), 0);
        assert_eq!(first[8..11], [17 << 32 | 1 << 48, 7 | 6 << MEETINGS_BIT, 0]);
        assert_eq!(c.word(OFFSET_ORDER).load(Ordering::Relaxed), 7);
        a.word(OFFSET_SCRATCH).store(88, Ordering::Relaxed);
        c.continue_from(&a, true);
        assert_eq!(c.pending(), 8);
        assert_eq!(first[10], 7);
    }

    #[test]
    fn an_epoch_closes_all_buffers() {
        let table = Table::reserve().unwrap();
        let mut words = vec![8u64; 64];
        table.set(3, Buffer::new(words.as_mut_ptr().cast()));
        table.refuse(4);
        table.begin_epoch(2);
        assert_eq!(words[OFFSET_LIMIT / 8], 0);
        let epoch = table.0.places().epoch().load(Ordering::Relaxed);
        assert_eq!(epoch, 2 * EPOCH_UNIT);
        assert_eq!(table.epoch(), 2);
    }
}
