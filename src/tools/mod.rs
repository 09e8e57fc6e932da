//! The subcommands: one file each, with a clap `Args` struct and a `run` that answers an error in
//! one sentence.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod alternation;
mod bar;
pub mod batch;
pub mod bench;
pub mod book;
pub mod check;
mod common;
mod games;
pub mod ics;
mod lines;
pub mod matches;
pub mod perft;
pub mod play;
mod print;
pub mod solve;
pub mod study;
mod thinker;
mod times;
pub mod xboard;

use clap::Subcommand;

pub use common::{PositionArgs, StartArgs, wins_now};

/// What `crescendo` does besides speaking its protocol.
#[derive(Subcommand)]
pub enum Tool {
    /// Play a game in the terminal
    Play(play::Args),
    /// Count move sequences exactly
    Perft(perft::Args),
    /// Find winning series, or prove that there is none
    Solve(solve::Args),
    /// Check games: scores, lines of JSON, or PGN
    Check(check::Args),
    /// Find the mates of games, and those that were missed
    Study(study::Args),
    /// Play games between engines
    Match(Box<matches::Args>),
    /// Answer lines of JSON, many positions in one go
    Batch(batch::Args),
    /// Measure the speed on a fixed amount of work
    Bench(bench::Args),
    /// Make the opening book of a variant
    Book(book::Args),
    /// Play with clients of chess servers, such as XBoard, on this machine
    Ics(ics::Args),
    /// Be an engine of XBoard or WinBoard
    Xboard(xboard::Args),
}

impl Tool {
    /// Runs the tool.
    ///
    /// # Errors
    /// One sentence: which argument or file is wrong.
    pub fn run(self) -> Result<(), String> {
        match self {
            Tool::Play(args) => play::run(args),
            Tool::Perft(args) => perft::run(args),
            Tool::Solve(args) => solve::run(args),
            Tool::Check(args) => check::run(args),
            Tool::Study(args) => study::run(args),
            Tool::Match(args) => matches::run(*args),
            Tool::Batch(args) => batch::run(args),
            Tool::Bench(args) => bench::run(args),
            Tool::Book(args) => book::run(args),
            Tool::Ics(args) => ics::run(args),
            Tool::Xboard(args) => xboard::run(args),
        }
    }
}
