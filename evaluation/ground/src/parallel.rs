//! Some work at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::Result;

/// Does the work of each number below `count`, `at_a_time` of them at a time.
///
/// # Errors
/// Those of the work: no thread goes on that met one.
pub fn each(
    count: usize,
    at_a_time: usize,
    work: impl Fn(usize) -> Result<()> + Sync,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let worker = || -> Result<()> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return Ok(());
            }
            work(number)?;
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..at_a_time).map(|_| scope.spawn(worker)).collect();
        let mut workers = workers.into_iter();
        workers.try_for_each(|worker| worker.join().expect("does not panic"))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use anyhow::ensure;

    use super::*;

    #[test]
    fn each_number_is_worked_on_once() {
        let done = Mutex::new(Vec::new());
        each(100, 3, |number| {
            done.lock().unwrap().push(number);
            Ok(())
        })
        .unwrap();
        let mut done = done.into_inner().unwrap();
        done.sort_unstable();
        assert_eq!(done, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn an_error_ends_it() {
        let failed = each(9, 1, |number| {
            ensure!(number < 2, "number {number}");
            Ok(())
        });
        assert_eq!(failed.unwrap_err().to_string(), "number 2");
    }
}
