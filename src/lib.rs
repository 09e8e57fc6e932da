//! Crescendo, an engine for progressive chess, where turn n is a series of n moves.
//!
//! ```text
//! tools       the subcommands: play, ics, xboard, solve, perft, batch, check, study, match, bench, book
//! protocol    UCI, extended to series: lines in, lines out
//! engine      jobs on a thread of their own
//! book        series chosen beforehand for the first turns
//! search      counting, winning series, choosing a series
//! notation    how people write moves and games
//! position    a state of the game: legal moves, making them, position text
//! rules       what a variant is; the catalogue of all
//! board       squares and men
//! ```
//!
//! Each layer uses those below it and none above. `docs/architecture.md` tells more.
//!
//! A short game, and the series that ends it:
//!
//! ```
//! use crescendo::notation::Letters;
//! use crescendo::rules::variants;
//! use crescendo::search::Control;
//! use crescendo::search::solver::{Solver, Verdict};
//! use crescendo::{Game, Position};
//!
//! let rules = variants::find("italian").ok_or("no such variant")?;
//! let letters = Letters::find("english").ok_or("no such language")?;
//! let mut game = Game::new(Position::start(rules));
//! game.play_score("1.e4 2.e5 Nf6", letters)?;
//! assert_eq!(game.position().moves_left(), 3);
//!
//! let verdict = Solver::new(16).find(game.position(), &Control::unlimited());
//! let Verdict::Found(series) = verdict else { return Err("no mate".into()) };
//! for mv in series {
//!     game.play(mv)?;
//! }
//! let outcome = game.outcome(|_| false).ok_or("the game goes on")?;
//! assert_eq!(outcome.to_string(), "white-checkmate");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod board;
pub mod book;
pub mod engine;
pub mod notation;
pub mod position;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod tools;

pub use position::{Game, Move, Position, Setup};
