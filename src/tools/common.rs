//! What several subcommands share: where a game starts, the ten-quiet-turns rule, taking back, memory
//! and interrupts.

use clap::Args;

use crate::board::Color;
use crate::engine::Tables;
use crate::notation::{self, Letters};
use crate::rules::{RuleSet, variants};
use crate::search::Control;
use crate::search::solver::{Solver, Verdict};
use crate::{Game, Position, Setup};

/// A position, and the variant it is played in.
#[derive(Args, Clone, Debug)]
pub struct PositionArgs {
    /// The variant: scottish, italian, english, … (an unknown name lists them all)
    #[arg(long, value_name = "NAME", default_value = "scottish", value_parser = parse_variant)]
    pub variant: &'static RuleSet,
    /// The first position in place of the normal array, as position text or an ordinary FEN
    #[arg(long)]
    pub fen: Option<String>,
    /// The number of the first turn, for a FEN that does not tell it
    #[arg(long, value_name = "N")]
    pub series: Option<u16>,
}

/// From where a game starts, and how its moves are written.
#[derive(Args, Clone, Debug)]
pub struct StartArgs {
    #[command(flatten)]
    pub at: PositionArgs,
    /// The letters of the moves: english, spanish, italian, german, french or greek
    #[arg(long, value_name = "LANGUAGE", default_value = "english", value_parser = parse_letters)]
    pub notation: &'static Letters,
}

impl PositionArgs {
    /// The position in its variant.
    ///
    /// # Errors
    /// As for [`PositionArgs::under`].
    pub fn position(&self) -> Result<Position, String> {
        self.under(self.variant)
    }

    /// The position under `rules`.
    ///
    /// # Errors
    /// One sentence saying what is wrong with the text, or which rule the position breaks.
    pub fn under(&self, rules: &'static RuleSet) -> Result<Position, String> {
        let setup = match &self.fen {
            Some(fen) => fen.parse().map_err(|error| format!("--fen: {error}"))?,
            None => Setup::start(),
        };
        let setup = Setup { turn: self.series.unwrap_or(setup.turn), ..setup };
        Position::from_setup(&setup, rules)
            .map_err(|error| format!("the position is illegal in {}: {error}", rules.name))
    }
}

/// The variant of this name.
///
/// # Errors
/// One sentence that lists the names.
pub fn parse_variant(name: &str) -> Result<&'static RuleSet, String> {
    let names = || variants::ALL.iter().map(|rules| rules.name).collect::<Vec<_>>().join(", ");
    variants::find(name).ok_or_else(|| format!("the variants are {}", names()))
}

fn parse_letters(name: &str) -> Result<&'static Letters, String> {
    let names = || notation::ALL.iter().map(|one| one.language).collect::<Vec<_>>().join(", ");
    Letters::find(name).ok_or_else(|| format!("the languages are {}", names()))
}

/// Whether the side to move is proved to win in this turn, within a fixed amount of work: what
/// [`Game::outcome`](crate::Game::outcome) asks after ten quiet turns.
pub fn wins_now(position: &Position) -> bool {
    const TABLE_MEGABYTES: usize = 16;
    const NODES: u64 = 5_000_000;
    let control = Control::unlimited().within_nodes(NODES);
    matches!(Solver::new(TABLE_MEGABYTES).find(position, &control), Verdict::Found(_))
}

/// The game at the last turn that `color` began and has something to take back of, if there is one.
pub fn earlier_turn(game: &Game, color: Color) -> Option<Game> {
    let mut earlier = game.clone();
    while earlier.undo_turn() {
        if earlier.position().side() == color {
            return Some(earlier);
        }
    }
    None
}

/// Whether there is memory for the tables that `--hash` asks for, in MiB.
///
/// # Errors
/// One sentence: there is not so much.
pub fn check_hash(megabytes: usize) -> Result<(), String> {
    match Tables::would_fit(megabytes) {
        true => Ok(()),
        false => Err(format!("--hash: there is no memory for {megabytes} MiB")),
    }
}

/// The first interrupt of the process calls `first`, which says whether somebody listens; the
/// second one, or the first to which nobody listens, ends the process.
///
/// # Errors
/// One sentence: the system does not tell of interrupts.
pub fn listen_for_interrupts(first: impl FnOnce() -> bool + Send + 'static) -> Result<(), String> {
    let mut first = Some(first);
    let interrupt = move || {
        if !first.take().is_some_and(|first| first()) {
            std::process::exit(2);
        }
    };
    ctrlc::set_handler(interrupt).map_err(|error| format!("no interrupts: {error}"))
}
