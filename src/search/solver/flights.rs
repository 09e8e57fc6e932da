//! Steps that the enemy king has left after a last move, seen before the move is made.

use crate::board::{Bitboard, Color, Role, Square, attacks};
use crate::position::{Batch, Position};
use crate::rules::{Goal, Rebirth};

/// Where the enemy king may step as the men stand, if he has to.
pub(super) struct Flights {
    us: Color,
    /// No unit of ours strikes these squares, and no man of his stands there.
    squares: Bitboard,
    /// A unit that leaves one of these squares may open a line to a flight.
    lines: Bitboard,
}

impl Flights {
    /// The flights of `position`; none are named where what follows does not hold.
    pub fn new(position: &Position) -> Flights {
        let (rules, board, us) = (position.rules(), position.board(), position.side());
        let mut flights = Flights { us, squares: Bitboard::EMPTY, lines: Bitboard::EMPTY };
        let plain = rules.goal == Goal::Checkmate
            && rules.rebirth == Rebirth::Never
            && position.en_passant_targets().is_empty();
        let (Some(own), Some(king)) = (board.king(us), board.king(!us)) else { return flights };
        if !plain
            || !rules.check.allows_early_check() && king_may_uncover_check(position, own, king)
        {
            return flights;
        }
        let occupied = board.occupied() - king.bitboard();
        flights.squares = (attacks::king(king) - board.color(!us))
            .into_iter()
            .filter(|&flight| board.attackers(us, flight, occupied).is_empty())
            .collect();
        for flight in flights.squares {
            for slider in board.sliders_in_line(us, flight) {
                flights.lines |= attacks::between(slider, flight);
            }
        }
        flights
    }

    /// Whether the king surely has a step after the move of `batch` to `to`: it neither covers all
    /// flights from there, on an empty board, nor opens a line to one.
    #[inline]
    pub fn remain(&self, batch: &Batch, to: Square) -> bool {
        let becomes = batch.promotion.unwrap_or(batch.role);
        let castles = batch.role == Role::King && !attacks::king(batch.from).has(to);
        let covered = attacks::on_empty(becomes, self.us, to);
        (self.squares - covered).any() && !self.lines.has(batch.from) && !castles
    }
}

/// Whether a step of the enemy king may check ours: where that is forbidden it is no flight.
fn king_may_uncover_check(position: &Position, own: Square, king: Square) -> bool {
    let (board, them) = (position.board(), !position.side());
    let sliders = board.straight_sliders(them) | board.diagonal_sliders(them);
    (attacks::line(own, king) & sliders).any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;

    /// Whether a step surely remains after the move, of a series of one, that is told as `mv`.
    fn remains(pfen: &str, mv: &str) -> bool {
        let position = Position::from_pfen(pfen, variants::default()).unwrap();
        let (mv, flights) = (mv.parse::<crate::position::Move>().unwrap(), Flights::new(&position));
        let mut remains = None;
        position.for_each_batch(|batch| {
            if batch.from == mv.from && batch.checks.has(mv.to) {
                remains = Some(flights.remain(&batch, mv.to));
            }
        });
        remains.unwrap()
    }

    #[test]
    fn a_flight_remains_unless_the_move_may_cover_it() {
        assert!(remains("4k3/3ppp2/8/3N4/8/8/8/7K w - - 0 1", "d5c7"));
        // From the last rank the rook strikes f8 and, through the king, h8.
        assert!(!remains("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"));
    }

    /// The knight on g8 stands between its rook and f8.
    #[test]
    fn a_flight_may_be_covered_by_a_line_that_opens() {
        let pfen = "3rk1NR/3ppp2/8/3N4/8/8/8/7K w - - 0 1";
        assert!(!remains(pfen, "g8f6"));
        assert!(remains(pfen, "d5c7"));
    }
}
