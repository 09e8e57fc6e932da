//! A game: a position, how it came about, and the draws that need its history.

use super::{IllegalMove, Move, Position};
use crate::rules::{DrawReason, DrawRule, Outcome};

/// A game from its first position to the current one.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    position: Position,
    /// Where the current turn began, and how many moves had been made before it.
    boundary: Position,
    boundary_index: usize,
    /// The keys of all turn starts so far, for repetition.
    boundary_keys: Vec<u64>,
}

impl Game {
    /// A game that begins with `start`, the start of a turn.
    pub fn new(start: Position) -> Game {
        let (moves, boundary_keys) = (Vec::new(), vec![start.key()]);
        Game { start, moves, position: start, boundary: start, boundary_index: 0, boundary_keys }
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The first position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// All moves made, flat.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position in which the current turn began.
    pub fn boundary(&self) -> &Position {
        &self.boundary
    }

    /// The moves made in the current turn.
    pub fn series(&self) -> &[Move] {
        &self.moves[self.boundary_index..]
    }

    /// Makes a move if it is legal.
    ///
    /// # Errors
    /// Why the move is illegal; the game is then as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.position.play(mv)?;
        self.moves.push(mv);
        if self.position.at_boundary() {
            self.boundary = self.position;
            self.boundary_index = self.moves.len();
            self.boundary_keys.push(self.position.key());
        }
        Ok(())
    }

    /// Takes back the moves of the current turn, or if it has none those of the turn before.
    /// Returns whether there was anything to take back.
    pub fn undo_turn(&mut self) -> bool {
        let mut kept = self.boundary_index;
        if kept == self.moves.len() {
            let mut replay = Game::new(self.start);
            kept = 0;
            for &mv in &self.moves[..self.moves.len().saturating_sub(1)] {
                replay.replay(mv);
                if replay.position.at_boundary() {
                    kept = replay.moves.len();
                }
            }
        }
        let changed = kept < self.moves.len();
        let moves = std::mem::take(&mut self.moves);
        *self = Game::new(self.start);
        moves[..kept].iter().for_each(|&mv| self.replay(mv));
        changed
    }

    /// Makes a move that was legal when it was first made.
    fn replay(&mut self, mv: Move) {
        let replayed = self.play(mv);
        debug_assert!(replayed.is_ok());
    }

    /// How the game has ended, if it has.
    ///
    /// Ten quiet turns are a draw unless the side to move wins in this very turn; `wins_now` is
    /// asked, only then, whether it does.
    pub fn outcome(&self, wins_now: impl FnOnce(&Position) -> bool) -> Option<Outcome> {
        self.position.outcome().or_else(|| self.adjudicated(wins_now).map(Outcome::Draw))
    }

    fn adjudicated(&self, wins_now: impl FnOnce(&Position) -> bool) -> Option<DrawReason> {
        let (position, draws) = (&self.position, self.position.rules().draws);
        if position.is_dead() {
            return Some(DrawReason::Dead);
        }
        let quiet = position.at_boundary() && position.quiet_turns() >= draws.quiet_limit();
        match draws {
            DrawRule::TenQuietTurns => (quiet && !wins_now(position)).then_some(DrawReason::Quiet),
            DrawRule::RepetitionOrFifty if position.at_boundary() && self.repeated() => {
                Some(DrawReason::Repetition)
            }
            DrawRule::RepetitionOrFifty => quiet.then_some(DrawReason::Fifty),
        }
    }

    /// Whether the current turn start has occurred three times.
    fn repeated(&self) -> bool {
        let key = self.position.key();
        self.boundary_keys.iter().filter(|&&other| other == key).count() >= 3
    }
}
