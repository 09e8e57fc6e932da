//! Draws by adjudication: when nothing happens for too long.

/// Which long stretches of play are drawn.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum DrawRule {
    /// Ten quiet turns in a row, unless the side to move mates (or takes all) in this very turn.
    TenQuietTurns,
    /// A position occurs for the third time at the start of a turn, or fifty quiet turns of each
    /// side: for games whose series do not grow.
    RepetitionOrFifty,
}

impl DrawRule {
    /// The number of quiet turns in a row, of both sides together, at which the rule speaks.
    pub const fn quiet_limit(self) -> u16 {
        match self {
            DrawRule::TenQuietTurns => 10,
            DrawRule::RepetitionOrFifty => 100,
        }
    }
}
