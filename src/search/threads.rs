//! The only place below the engine that starts threads: they end before the call that started them
//! does.

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
