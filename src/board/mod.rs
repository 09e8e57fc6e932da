//! Squares, men and the board they stand on. Nothing here knows a rule of any variant.

pub mod attacks;
mod bitboard;
mod keys;
mod piece;
mod square;

pub use bitboard::{Bitboard, BitboardIter};
pub use keys::{castling_key, en_passant_key, mix, piece_key, side_key};
pub use piece::{Color, Piece, Role};
pub use square::{Square, SquareParseError};

/// Who stands where: one set of squares for each role and each colour, and a hash of it all that
/// every change keeps up to date.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Board {
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
    hash: u64,
}

impl Board {
    /// A board with nobody on it.
    pub fn empty() -> Board {
        Board::default()
    }

    /// Every man of this role, of both sides.
    #[inline]
    pub fn role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// Every man of this side.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// The men of this side and role.
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.color(color) & self.role(role)
    }

    /// The men of this side that strike along ranks and files.
    #[inline]
    pub fn straight_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.role(Role::Rook) | self.role(Role::Queen))
    }

    /// The men of this side that strike along diagonals.
    #[inline]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.role(Role::Bishop) | self.role(Role::Queen))
    }

    /// Every occupied square.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The role of the man on `square`, if one stands there.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.role(role).has(square))
    }

    /// The man on `square`, if one stands there.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let role = self.role_at(square)?;
        let color = if self.color(Color::White).has(square) { Color::White } else { Color::Black };
        Some(Piece { color, role })
    }

    /// The first king of `color`; in variants with royal kings, the only one.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color, Role::King).first()
    }

    /// Puts a man on an empty square, or takes it off the square where it stands.
    #[inline]
    pub fn toggle(&mut self, color: Color, role: Role, square: Square) {
        self.roles[role as usize] ^= square.bitboard();
        self.colors[color as usize] ^= square.bitboard();
        self.hash ^= keys::piece_key(color, role, square);
    }

    /// The hash of the men and their squares; equal boards have equal hashes.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The men of `color` that strike `square` when `occupied` are the squares that block lines.
    #[inline]
    pub fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let leapers = attacks::knight(square) & self.role(Role::Knight)
            | attacks::king(square) & self.role(Role::King)
            | attacks::pawn(!color, square) & self.role(Role::Pawn);
        leapers & self.color(color)
            | attacks::rook(square, occupied) & self.straight_sliders(color)
            | attacks::bishop(square, occupied) & self.diagonal_sliders(color)
    }

    /// Whether `color` strikes `square` as the men stand.
    #[inline]
    pub fn is_attacked(&self, color: Color, square: Square) -> bool {
        self.attackers(color, square, self.occupied()).any()
    }

    /// The sliders of `color` that would strike `target` on an empty board.
    #[inline]
    pub fn sliders_in_line(&self, color: Color, target: Square) -> Bitboard {
        attacks::rook_rays(target) & self.straight_sliders(color)
            | attacks::bishop_rays(target) & self.diagonal_sliders(color)
    }

    /// The men of `own` that alone stand between `target` and a slider of `sliders_of`: pinned if
    /// `target` is their own king, ready to uncover a check if it is the enemy's.
    #[inline]
    pub fn sole_blockers(&self, target: Square, sliders_of: Color, own: Color) -> Bitboard {
        let occupied = self.occupied();
        let mut blockers = Bitboard::EMPTY;
        for sniper in self.sliders_in_line(sliders_of, target) {
            let between = attacks::between(target, sniper) & occupied;
            if between.is_single() {
                blockers |= between & self.color(own);
            }
        }
        blockers
    }
}
