//! Writing one move in short algebraic notation.

use super::Letters;
use crate::board::{Bitboard, Piece, Role, Square};
use crate::position::{Move, Position, Wing};

impl Position {
    /// A legal move in short algebraic notation.
    ///
    /// The square left is told as far as legal moves of this variant need it. A man reborn follows
    /// in brackets, `Rxe8(Ng8)`. `+` stands behind a move that checks, `#` behind one that wins:
    /// by mate, orthodox or progressive, or by taking the last man where that is the goal.
    ///
    /// ```
    /// use crescendo::{Position, notation::Letters, rules::variants};
    ///
    /// let position = Position::start(variants::default());
    /// let german = Letters::find("german").unwrap();
    /// assert_eq!(position.san("g1f3".parse()?, german), "Sf3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn san(&self, mv: Move, letters: &Letters) -> String {
        let Some(role) = self.board().role_at(mv.from) else { return mv.to_string() };
        let mut text = match self.castling_wing(mv) {
            Some(Wing::King) => "O-O".to_string(),
            Some(Wing::Queen) => "O-O-O".to_string(),
            None => self.unit_san(role, mv, letters),
        };
        let mut after = *self;
        after.play_unchecked(mv);
        if after.is_lost() {
            text.push('#');
        } else if after.in_check() {
            text.push('+');
        }
        text
    }

    fn unit_san(&self, role: Role, mv: Move, letters: &Letters) -> String {
        let takes = self.captured(mv).is_some();
        let mut text: String = letters.of(role).into_iter().collect();
        if role == Role::Pawn && takes {
            text.push(letters.file(mv.from.file()));
        } else if role != Role::Pawn {
            text.push_str(&self.origin(role, mv, letters));
        }
        if takes {
            text.push('x');
        }
        text.push_str(&letters.square(mv.to));
        if let Some(letter) = mv.promotion.and_then(|role| letters.of(role)) {
            text.extend(['=', letter]);
        }
        if let Some((role, home)) = self.reborn(mv) {
            text.push('(');
            text.extend(letters.of(role));
            text.push_str(&letters.square(home));
            text.push(')');
        }
        text
    }

    /// As much of the square left as tells the unit from others of its kind.
    fn origin(&self, role: Role, mv: Move, letters: &Letters) -> String {
        let mut rivals = Bitboard::EMPTY;
        self.for_each_batch(|batch| {
            let same = batch.role == role && batch.from != mv.from && batch.to.has(mv.to);
            if same && self.castling_wing(batch.move_to(mv.to)).is_none() {
                rivals |= batch.from.bitboard();
            }
        });
        let shared =
            |same: fn(Square, Square) -> bool| rivals.into_iter().any(|rival| same(rival, mv.from));
        let (file, rank) = (letters.file(mv.from.file()), mv.from.rank() + 1);
        if rivals.is_empty() {
            String::new()
        } else if !shared(|rival, own| rival.file() == own.file()) {
            file.to_string()
        } else if !shared(|rival, own| rival.rank() == own.rank()) {
            rank.to_string()
        } else {
            format!("{file}{rank}")
        }
    }

    /// The wing to which `mv` castles, if it does.
    pub(super) fn castling_wing(&self, mv: Move) -> Option<Wing> {
        let castles = self.board().role_at(mv.from) == Some(Role::King)
            && mv.from.file().abs_diff(mv.to.file()) == 2;
        castles.then(|| Wing::of_king_to(mv.to))
    }

    /// The man that a legal move takes, and where it stands.
    pub(super) fn captured(&self, mv: Move) -> Option<(Piece, Square)> {
        let pawn = self.board().role_at(mv.from) == Some(Role::Pawn);
        match self.board().piece_at(mv.to) {
            Some(piece) => Some((piece, mv.to)),
            None if pawn && mv.from.file() != mv.to.file() => {
                Some((Piece { color: !self.side(), role: Role::Pawn }, mv.to.behind(self.side())))
            }
            None => None,
        }
    }

    /// The man that a legal move brings back, and where.
    pub(super) fn reborn(&self, mv: Move) -> Option<(Role, Square)> {
        let (piece, square) = self.captured(mv)?;
        let home = self.rules().rebirth.home(piece, square)?;
        let occupied = (self.board().occupied() - mv.from.bitboard()) | mv.to.bitboard();
        (!occupied.has(home)).then_some((piece.role, home))
    }
}
