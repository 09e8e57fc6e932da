//! The protocol on stdin and stdout: UCI, extended to series. `protocol.md` describes it in full.
//!
//! A line becomes a command, the session acts on it, and what
//! it has to say is a [`Reply`], which becomes one line or a few.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod command;
mod input;
mod options;
mod position;
mod reply;
mod session;
mod thinking;

pub use input::{Found, LONGEST_LINE, listen, next_line};
pub use position::play_moves;
pub use reply::{Reply, SAFE};
pub use session::run;
