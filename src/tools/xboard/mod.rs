//! `crescendo xboard`: the engine as XBoard and WinBoard want one, which know no series.
//!
//! Inside a series the other side passes, and a pass is the move `@@@@`. `command` reads the lines
//! of the interface, `session` acts on them. `docs/gui.md` tells how to use it, and what such
//! interfaces cannot show.

mod command;
mod session;

use std::io::{self, BufWriter};

use super::common::parse_variant;
use crate::rules::{Rebirth, RuleSet};

/// Be an engine of XBoard or WinBoard
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
XBoard starts it and speaks to it. Inside your series it passes by itself; inside its own series you
pass by a click on its clock. 'crescendo ics' is more comfortable, and shows every variant rightly.

Example:
  xboard -fcp 'crescendo xboard --variant italian' -variant progressive -testLegality false")]
pub struct Args {
    /// The variant: scottish, italian, english, … (an unknown name lists them all)
    #[arg(long, value_name = "NAME", default_value = "scottish", value_parser = parse_variant)]
    variant: &'static RuleSet,
    /// Think about the first turns too, in place of playing them from the book
    #[arg(long)]
    no_book: bool,
}

/// Speaks with the interface until it quits, or its lines end.
///
/// # Errors
/// One sentence: the variant cannot be shown, or there is no thread to read with.
pub fn run(args: Args) -> Result<(), String> {
    let rules = args.variant;
    if rules.rebirth != Rebirth::Never {
        return Err(format!(
            "an interface that moves the men itself cannot show {}: use 'crescendo ics'",
            rules.name
        ));
    }
    session::run(rules, !args.no_book, io::stdin(), BufWriter::new(io::stdout()))
        .map_err(|error| format!("cannot read: {error}"))
}
