//! Counting last moves without making most of them.

use super::Counts;
use super::keys::KeySet;
use crate::board::{Bitboard, Role};
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

/// Moves of one position that end the series.
#[derive(Default)]
pub struct Tally {
    moves: u32,
    checks: u32,
    /// Those that take the last enemy unit where that wins.
    wins: u32,
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

    /// Adds every move of a position in which the last move of the count is to be made. Returns
    /// whether there is one.
    pub fn add_all(&mut self, position: &Position, paths: u128) -> bool {
        let survey = Survey::new(position);
        let mut tally = Tally::default();
        position.for_each_batch(|batch| self.add(position, &survey, &mut tally, batch, paths));
        let any = tally.moves > 0;
        self.add_tally(tally, paths);
        any
    }

    /// Adds the moves of a batch, each of which ends the series, to a tally of their position; only
    /// mates and stalemates of positions that have to be judged are counted at once.
    #[inline(always)]
    pub fn add(
        &mut self,
        position: &Position,
        survey: &Survey,
        tally: &mut Tally,
        batch: Batch,
        paths: u128,
    ) {
        let checks = batch.checks & batch.to;
        let wins = position.winning_captures(&batch);
        tally.moves += batch.to.len();
        if (checks | wins).any() {
            tally.checks += checks.len();
            tally.wins += wins.len();
        }
        let judged = if survey.excludes_stalemate(position, &batch) { checks } else { batch.to };
        if (judged - wins).any() {
            self.judge_all(position, &batch, judged - wins, paths);
        }
        if self.keys.is_some() {
            for to in batch.to {
                self.add_key(position.key_after(&batch, to));
            }
        }
    }

    /// Adds the moves of a position to which so many paths lead.
    pub fn add_tally(&mut self, tally: Tally, paths: u128) {
        add(&mut self.counts.count, paths, tally.moves);
        add(&mut self.counts.checks, paths, tally.checks);
        add(&mut self.counts.mates, paths, tally.wins);
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

    /// Counts the mates and stalemates among some moves of a batch.
    #[inline(never)]
    fn judge_all(&mut self, position: &Position, batch: &Batch, judged: Bitboard, paths: u128) {
        for to in judged {
            let mut next = *position;
            next.play_batch(batch, to);
            self.judge(&next, paths);
        }
    }

    /// Counts a position in which a turn begins, if that is mate or stalemate.
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
