//! Counting, solving and choosing series. No input, no output, and no variant by name: what a
//! search may assume it asks the axes of the rules.

mod control;
pub mod eval;
mod limits;
mod move_tree;
pub mod perft;
mod report;
mod searcher;
mod seen;
mod series_gen;
pub mod solver;
mod threads;

pub use control::Control;
pub use limits::{Clock, Limits, TimePlan};
pub use report::{Report, Safety, Score};
pub use searcher::{Choice, Request, Searcher};
