//! The only place below the engine that starts threads: they end before the call that started them
//! does.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// The stack of a thread: each move of a series takes some six thousand bytes of it.
const STACK: usize = 8 << 20;

/// Calls `work` with each of `workers` at the same time, the first one on this thread, and returns
/// when all are done.
///
/// Should the system give no thread, that worker does nothing: `work` has to take its tasks from
/// where all take them.
pub(super) fn on_each<W: Send>(workers: &mut [W], work: impl Fn(&mut W) + Sync) {
    let Some((first, others)) = workers.split_first_mut() else { return };
    let work = &work;
    thread::scope(|scope| {
        for worker in others {
            let builder = thread::Builder::new().stack_size(STACK);
            // No thread, no matter: see above.
            let _ = builder.spawn_scoped(scope, move || work(worker));
        }
        work(first);
    });
}

/// Each thread gets at least so many items of a list: to start one takes the time of some.
const LEAST_SHARE: usize = 64;

/// Shares out `items` among `workers`, of which the first works on this thread: each takes a handful
/// after the other, until there are none, or `work` has once said `false`. It is told the place of
/// the first item of the handful.
pub(super) fn share_out<W: Send, T: Sync>(
    workers: &mut [W],
    items: &[T],
    handful: usize,
    work: impl Fn(&mut W, usize, &[T]) -> bool + Sync,
) {
    let taken = AtomicUsize::new(0);
    let most = workers.len().min(items.len().div_ceil(LEAST_SHARE));
    on_each(&mut workers[..most], |worker| {
        loop {
            let from = taken.fetch_add(handful, Relaxed);
            let Some(rest) = items.get(from..).filter(|rest| !rest.is_empty()) else { break };
            if !work(worker, from, &rest[..handful.min(rest.len())]) {
                taken.store(items.len(), Relaxed);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_worked_on_once() {
        let items: Vec<usize> = (0..1000).collect();
        for (threads, handful) in [(1, 1), (1, 1001), (3, 7), (8, 32)] {
            let mut workers = vec![Vec::new(); threads];
            share_out(&mut workers, &items, handful, |done, from, items| {
                assert_eq!(from, items[0]);
                done.extend_from_slice(items);
                true
            });
            let mut done = workers.concat();
            done.sort_unstable();
            assert_eq!(done, items);
        }
    }

    #[test]
    fn who_says_stop_stops_all() {
        let mut workers = vec![0; 2];
        share_out(&mut workers, &[(); 1_000_000], 1, |done, from, _| {
            *done += 1;
            from < 100
        });
        assert!(workers.iter().sum::<usize>() < 1_000_000, "{workers:?}");
    }
    /// A busy machine may start the others when nothing is left to do.
    #[test]
    fn all_workers_take_part() {
        let all = (0..100).any(|_| {
            let mut workers = vec![false; 3];
            share_out(&mut workers, &[(); 3 * LEAST_SHARE], 1, |worked, _, _| {
                *worked = true;
                thread::sleep(std::time::Duration::from_micros(50));
                true
            });
            workers.into_iter().all(|worked| worked)
        });
        assert!(all);
    }
}
