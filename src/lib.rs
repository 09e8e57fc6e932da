//! Crescendo, an engine for progressive chess, where turn n is a series of n moves.
#![forbid(unsafe_code)]

pub mod board;
pub mod engine;
pub mod notation;
pub mod position;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod tools;

pub use position::{Game, Move, Position, Series, Setup};
