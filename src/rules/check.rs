//! When a series may give check, and what a check does to it.

/// What a check means for the series that gives it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CheckRule {
    /// Any move may check, and the check ends the series (Scottish).
    EndsSeries,
    /// Only the last move of a full series may check (Italian).
    LastMoveOnly,
}

impl CheckRule {
    /// Whether a move that checks is legal when it is not the last of a full series.
    #[inline]
    pub const fn allows_early_check(self) -> bool {
        matches!(self, CheckRule::EndsSeries)
    }
}
