//! What all games have in common: numbers by turn, and the table of them.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::examine::{Chance, Examined, Other};
use crate::board::Color;
use crate::rules::{Outcome, WinReason};

/// The sums over all games examined.
#[derive(Default)]
pub(super) struct Totals {
    pub games: u64,
    /// Games that could not be followed.
    pub illegal: u64,
    /// By number of the turn, in order.
    pub turns: BTreeMap<u16, TurnTotals>,
    /// Wins by reason: mates, Italian mates, everything taken.
    wins: [u64; 3],
    /// Of them, those given with the last move of a full series.
    full: u64,
    other: BTreeMap<Other, u64>,
}

/// The sums over one turn of all games.
#[derive(Default)]
pub(super) struct TurnTotals {
    /// Games that ended here: won by White, won by Black, drawn, or left open.
    pub ended: [u64; 4],
    /// Sides that won here, missed a win, had none, or of which it is unknown.
    pub chances: [u64; 4],
}

impl TurnTotals {
    /// The words for `ended`.
    pub const ENDED: [&str; 4] = ["white", "black", "draws", "open"];
    /// The words for `chances`.
    pub const CHANCES: [&str; 4] = ["won", "missed", "none", "unknown"];
}

impl Totals {
    /// Adds a game.
    pub fn add(&mut self, game: &Examined) {
        self.games += 1;
        let ended = match game.outcome {
            Some(Outcome::Win(Color::White, _)) => 0,
            Some(Outcome::Win(Color::Black, _)) => 1,
            Some(Outcome::Draw(_)) => 2,
            None => 3,
        };
        self.turns.entry(game.last_turn()).or_default().ended[ended] += 1;
        for turn in &game.turns {
            let chance = match turn.chance {
                Chance::Taken => 0,
                Chance::Missed => 1,
                Chance::None => 2,
                Chance::Unknown => 3,
            };
            self.turns.entry(turn.number).or_default().chances[chance] += 1;
        }
        if let Some(win) = game.win {
            let reason = match win.reason {
                WinReason::Checkmate => 0,
                WinReason::ProgressiveCheckmate => 1,
                WinReason::TakeAll => 2,
            };
            self.wins[reason] += 1;
            self.full += u64::from(win.full);
            *self.other.entry(win.other).or_default() += 1;
        }
    }

    /// Everything for people.
    pub fn table(&self, nodes: u64) -> String {
        let Totals { games, illegal, wins, full, .. } = self;
        let ended = self.sum(|turn| &turn.ended);
        let chances = self.sum(|turn| &turn.chances);
        let mut text = format!("games: {games}, and {illegal} illegal\n");
        let _ = writeln!(text, "results: {}", listed(&TurnTotals::ENDED, &ended));
        let (all, [mates, italian, takeall]) = (wins.iter().sum::<u64>(), wins);
        let _ = writeln!(
            text,
            "wins: {all}: {mates} by mate, {italian} by Italian mate, {takeall} by taking \
             everything; {full} with the last move of a full series"
        );
        let other = |other| self.other.get(&other).copied().unwrap_or(0);
        let _ = writeln!(
            text,
            "wins under the other rule of checks: {} by the same series, {} by another alone, \
             {} not at all, {} unknown, {} without such a rule",
            other(Other::Same),
            other(Other::Another),
            other(Other::None),
            other(Other::Unknown),
            other(Other::NoSuchRule)
        );
        let _ = writeln!(text, "turns: {}", listed(&TurnTotals::CHANCES, &chances));
        let _ = writeln!(text, "(unknown: not decided within {nodes} nodes)\n");
        let heads = TurnTotals::ENDED.iter().chain(&TurnTotals::CHANCES);
        let _ =
            writeln!(text, "turn{}", heads.map(|head| format!("{head:>9}")).collect::<String>());
        for (number, turn) in &self.turns {
            let cells = turn.ended.iter().chain(&turn.chances);
            let cells: String = cells.map(|count| format!("{count:>9}")).collect();
            let _ = writeln!(text, "{number:>4}{cells}");
        }
        text
    }

    /// The sum over all turns.
    fn sum(&self, part: impl Fn(&TurnTotals) -> &[u64; 4]) -> [u64; 4] {
        self.turns.values().map(part).fold([0; 4], |mut sum, counts| {
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            sum
        })
    }
}

/// `white 3, black 2, draws 0, open 1`
fn listed(names: &[&str; 4], counts: &[u64; 4]) -> String {
    let words = names.iter().zip(counts).map(|(name, count)| format!("{name} {count}"));
    words.collect::<Vec<_>>().join(", ")
}
