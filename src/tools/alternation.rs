//! A game as programs see it that have the sides take turns move by move: while the series of one
//! side goes on, the other side passes.

use super::common::earlier_turn;
use crate::board::Color;
use crate::position::{Game, IllegalMove, Move, Position};

/// A game, and the passes between its moves.
#[derive(Clone, Debug)]
pub struct Alternation {
    game: Game,
    /// Every move and every pass (`None`), in their order.
    plies: Vec<Option<Move>>,
}

impl Alternation {
    /// A game that begins with `start`, the start of a turn.
    pub fn new(start: Position) -> Alternation {
        Alternation { game: Game::new(start), plies: Vec::new() }
    }

    /// The game without its passes.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Moves and passes made, in half-moves, from White's first of move 1 on: one more than were
    /// made where Black has begun.
    pub fn half_moves(&self) -> usize {
        self.plies.len() + self.game.start().side() as usize
    }

    /// Who is to move or to pass.
    pub fn side(&self) -> Color {
        Color::ALL[self.half_moves() % 2]
    }

    /// The last move, or `None` inside if it was a pass; `None` where nothing was done yet.
    pub fn last(&self) -> Option<Option<Move>> {
        self.plies.last().copied()
    }

    /// Whether the side to move has to pass, for the series of the other goes on.
    pub fn passes(&self) -> bool {
        self.side() != self.position().side() && self.position().has_legal_move()
    }

    /// Makes a move, if it is legal.
    ///
    /// # Errors
    /// Why the move is illegal; nothing has changed.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.game.play(mv)?;
        self.plies.push(Some(mv));
        Ok(())
    }

    /// Lets the side to move pass.
    pub fn pass(&mut self) {
        self.plies.push(None);
    }

    /// Takes back the last move or pass; whether there was one.
    pub fn undo(&mut self) -> bool {
        match self.plies.pop() {
            None => return false,
            Some(None) => {}
            Some(Some(_)) => self.game = self.without_last_move(),
        }
        true
    }

    /// The position before the last move.
    pub fn before_last_move(&self) -> Position {
        *self.without_last_move().position()
    }

    fn without_last_move(&self) -> Game {
        let mut game = Game::new(*self.game.start());
        let kept = self.game.moves().len().saturating_sub(1);
        for &mv in &self.game.moves()[..kept] {
            let replayed = game.play(mv);
            debug_assert!(replayed.is_ok());
        }
        game
    }

    /// Goes back to the last start of a turn of `color` before the moves of which it has something
    /// to take back; whether there was one.
    pub fn take_back(&mut self, color: Color) -> bool {
        let Some(earlier) = earlier_turn(&self.game, color) else { return false };
        while self.game.moves().len() > earlier.moves().len() || self.last() == Some(None) {
            self.undo();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;

    /// Plays long algebraic moves, passing wherever it has to be.
    fn played(moves: &str) -> Alternation {
        let mut game = Alternation::new(Position::start(variants::default()));
        for mv in moves.split(' ') {
            if game.passes() {
                game.pass();
            }
            game.play(mv.parse().unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn the_other_side_passes_inside_a_series() {
        let mut game = played("e2e4 e7e5");
        assert!(game.passes() && game.side() == Color::White);
        game.pass();
        assert!(!game.passes() && game.side() == Color::Black);
        let game = played("e2e4 e7e5 g8f6");
        assert!(!game.passes());
        assert_eq!((game.half_moves(), game.side()), (4, Color::White));
    }

    #[test]
    fn moves_and_passes_are_taken_back_one_by_one() {
        let mut game = played("e2e4 e7e5 g8f6");
        assert!(game.undo());
        assert_eq!((game.last(), game.game().moves().len()), (Some(None), 2));
        assert!(game.undo() && game.passes());
        assert!(game.undo() && game.undo() && !game.undo());
    }

    #[test]
    fn a_turn_is_taken_back_with_its_passes() {
        let mut game = played("e2e4 e7e5 g8f6 d2d4 d4e5");
        assert!(game.take_back(Color::White));
        assert_eq!((game.game().moves().len(), game.half_moves()), (3, 4));
        assert!(game.take_back(Color::White));
        assert_eq!(game.half_moves(), 0);
        assert!(!game.take_back(Color::White));
    }
}
