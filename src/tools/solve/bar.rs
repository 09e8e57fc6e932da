//! The progress bar of a long solve: on stderr if that is a terminal, and gone at the end.

use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::search::solver::Progress;

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
        let template = "{prefix} [{bar:30}] {pos} of {len} first moves, {msg} positions, {elapsed}";
        let bar = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        Bar { bar, progress }
    }

    /// Shows how far the solver has come.
    pub fn show(&self) {
        let stage = self.progress.stage();
        self.bar.set_prefix(format!("series of {}", stage.length));
        self.bar.set_length(stage.all.into());
        self.bar.set_message(stage.nodes.to_string());
        self.bar.set_position(stage.done.into());
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
