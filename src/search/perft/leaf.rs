//! Counting last moves without making most of them.

use super::Counts;
use super::keys::KeySet;
use crate::board::Role;
use crate::position::{Batch, Position};
use crate::rules::{Outcome, WinReason};

/// What is known of the next player before the last move is made.
pub struct Survey {
    /// No ordinary move that gives no check can leave the next player without a move.
    surely_mobile: bool,
    /// The same holds for moves of the king.
    king_may_move: bool,
}

impl Survey {
    /// Looks at a position whose next move may be the last.
    pub fn new(position: &Position) -> Survey {
        Survey {
            surely_mobile: position.opponent_stays_mobile(),
            king_may_move: position.rules().check.allows_early_check(),
        }
    }

    /// Whether no move of the batch that gives no check can be stalemate.
    fn excludes_stalemate(&self, position: &Position, batch: &Batch) -> bool {
        let ordinary = match batch.role {
            Role::King => self.king_may_move && position.castling_moves(batch).is_empty(),
            Role::Pawn => (position.en_passant_targets() & batch.to).is_empty(),
            _ => true,
        };
        self.surely_mobile && ordinary
    }
}

/// The totals so far.
pub struct Leaves {
    counts: Counts,
    keys: Option<KeySet>,
}

impl Leaves {
    /// Nothing counted yet; `keys` tells final positions apart if that is asked for.
    pub fn new(keys: Option<KeySet>) -> Leaves {
        Leaves { counts: Counts::default(), keys }
    }

    /// Sequences counted so far.
    pub fn count(&self) -> u128 {
        self.counts.count
    }

    /// What has been counted.
    pub fn into_counts(self, limit: usize) -> Counts {
        let distinct = self.keys.map(|mut keys| keys.len()).filter(|&keys| keys < limit);
        Counts { distinct: distinct.map(|keys| keys as u64), ..self.counts }
    }

    /// Adds the moves of a batch, each of which ends the series.
    pub fn add(&mut self, position: &Position, survey: &Survey, batch: Batch, paths: u128) {
        if batch.to.is_empty() {
            return;
        }
        add(&mut self.counts.count, paths, batch.to.len());
        let checks = batch.checks & batch.to;
        add(&mut self.counts.checks, paths, checks.len());
        let wins = position.winning_captures(&batch);
        add(&mut self.counts.mates, paths, wins.len());
        let judged = if survey.excludes_stalemate(position, &batch) { checks } else { batch.to };
        for to in judged - wins {
            let mut next = *position;
            next.play_batch(&batch, to);
            self.judge(&next, paths);
        }
        if self.keys.is_some() {
            for to in batch.to {
                self.add_key(position.key_after(&batch, to));
            }
        }
    }

    /// Adds the moves of a batch, none of which ends the series: the count ends inside it.
    pub fn add_inside(&mut self, position: &Position, batch: Batch, paths: u128) {
        add(&mut self.counts.count, paths, batch.to.len());
        for to in batch.to {
            let mut next = *position;
            next.play_batch(&batch, to);
            if !next.has_legal_move() {
                add(&mut self.counts.stalemates, paths, 1);
            }
            self.add_key(next.key());
        }
    }

    /// Adds sequences that end in a stalemate inside their last series.
    pub fn add_stuck(&mut self, paths: u128) {
        add(&mut self.counts.count, paths, 1);
        add(&mut self.counts.stalemates, paths, 1);
    }

    /// Adds the root itself: a count of depth nought.
    pub fn add_root(&mut self, root: &Position) {
        self.counts.count = 1;
        self.add_key(root.key());
    }

    /// Tells mates and stalemates of a position in which a turn begins.
    fn judge(&mut self, next: &Position, paths: u128) {
        match next.outcome() {
            Some(Outcome::Win(_, reason)) => {
                add(&mut self.counts.mates, paths, 1);
                if reason == WinReason::ProgressiveCheckmate {
                    add(&mut self.counts.italian_mates, paths, 1);
                }
            }
            Some(Outcome::Draw(_)) => add(&mut self.counts.stalemates, paths, 1),
            None => {}
        }
    }

    fn add_key(&mut self, key: u64) {
        if let Some(keys) = &mut self.keys
            && !keys.insert(key)
        {
            self.keys = None;
        }
    }
}

/// Adds `paths` for each of `times` moves, stopping at the largest number there is.
fn add(total: &mut u128, paths: u128, times: u32) {
    *total = total.saturating_add(paths.saturating_mul(times.into()));
}
