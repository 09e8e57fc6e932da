//! The subcommands: one file each, which knows its arguments and what to do with them.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod perft;
mod print;
mod solve;

use clap::{Args, Subcommand};

use crate::position::{Position, Setup};
use crate::rules::{RuleSet, variants};

/// What `crescendo` does besides speaking its protocol.
#[derive(Subcommand)]
pub enum Tool {
    /// Count move sequences exactly
    Perft(perft::Args),
    /// Find winning series, or prove that there is none
    Solve(solve::Args),
}

impl Tool {
    /// Runs the tool.
    ///
    /// # Errors
    /// One sentence: which argument or file is wrong.
    pub fn run(self) -> Result<(), String> {
        match self {
            Tool::Perft(args) => perft::run(args),
            Tool::Solve(args) => solve::run(args),
        }
    }
}

/// Which position a tool works on.
#[derive(Args)]
pub struct PositionArgs {
    /// The variant; a wrong name is answered by a list of all
    #[arg(long, value_name = "NAME", default_value = "scottish", value_parser = variant)]
    pub variant: &'static RuleSet,
    /// The position as PFEN; the normal array if missing
    #[arg(long, value_name = "PFEN")]
    pub fen: Option<Setup>,
    /// The number of the turn, which is the length of its series in progressive chess
    #[arg(long, value_name = "N")]
    pub series: Option<u16>,
}

impl PositionArgs {
    /// The position that the arguments describe.
    ///
    /// # Errors
    /// Which rule of the variant it breaks.
    pub fn position(&self) -> Result<Position, String> {
        let mut setup = self.fen.clone().unwrap_or_else(Setup::start);
        setup.turn = self.series.unwrap_or(setup.turn);
        Position::from_setup(&setup, self.variant).map_err(|error| error.to_string())
    }
}

/// Finds a variant for an argument.
fn variant(name: &str) -> Result<&'static RuleSet, String> {
    variants::find(name).ok_or_else(|| {
        let names: Vec<&str> = variants::ALL.iter().map(|rules| rules.name).collect();
        format!("the variants are {}", names.join(", "))
    })
}
