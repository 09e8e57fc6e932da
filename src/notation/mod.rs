//! How people write moves: short (algebraic) notation in several languages, and whole games as
//! progressive scores such as `1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#`.

mod letters;
mod pattern;
pub mod pgn;
mod read;
mod san;
mod score;

pub use letters::{ALL, Letters};
pub use read::MoveError;
pub use score::{ScoreError, ScoreFault, Style, quoted};
