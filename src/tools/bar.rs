//! What bars of progress look like: on stderr if that is a terminal, and gone when dropped.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of this form, a template of indicatif.
pub fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.progress_chars("=> ")),
        Err(_) => bar,
    }
}
