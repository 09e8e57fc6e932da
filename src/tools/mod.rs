//! The subcommands: each a clap `Args` struct and a `run` that answers an error in one sentence.

pub mod check;
mod common;
pub mod play;

pub use common::{StartArgs, wins_now};
