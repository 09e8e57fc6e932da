//! The progress bar of a long solve: on stderr if that is a terminal, and gone at the end.

use std::sync::Arc;
use std::time::Duration;

use indicatif::ProgressBar;

use crate::search::solver::{Progress, Stage};
use crate::tools::bar::styled;

/// Shows the progress of a solver; disappears when dropped.
pub(super) struct Bar {
    bar: ProgressBar,
    progress: Arc<Progress>,
}

impl Bar {
    /// How often to show it.
    pub const INTERVAL: Duration = Duration::from_millis(200);

    /// A bar that is not to be seen yet.
    pub fn new(progress: Arc<Progress>) -> Bar {
        Bar { bar: styled(ProgressBar::new(0), "[{bar:20}] {msg}"), progress }
    }

    /// Shows how far the solver has come, if it has got anywhere.
    pub fn show(&self) {
        let Stage { length, done, all, nodes } = self.progress.stage();
        if all == 0 {
            return;
        }
        self.bar.update(|state| {
            state.set_len(all.into());
            state.set_pos(done.into());
        });
        let text = format!("{done}/{all} first moves, series of {length}, {nodes} positions");
        self.bar.set_message(text);
    }
}
