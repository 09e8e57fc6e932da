//! What there is to find out about one game.

use crate::position::{Game, Move, Position};
use crate::rules::{Outcome, RuleSet, WinReason, variants};
use crate::search::Control;
use crate::search::solver::{Solver, Verdict};
use crate::tools::wins_now;

/// A game that has been examined.
pub(super) struct Examined {
    pub variant: &'static str,
    pub outcome: Option<Outcome>,
    /// Its turns, as far as they were finished.
    pub turns: Vec<Turn>,
    /// The win that ended it, if one did.
    pub win: Option<Win>,
}

/// A finished turn.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Turn {
    pub number: u16,
    pub chance: Chance,
}

/// Whether a turn could be won, and was.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Chance {
    /// It was won.
    Taken,
    /// There was a winning series, and another one was played.
    Missed,
    /// There was none: proved.
    None,
    /// The limit came first.
    Unknown,
}

/// The win at the end of a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Win {
    pub reason: WinReason,
    /// Whether it came with the last move of a full series.
    pub full: bool,
    pub other: Other,
}

/// Whether the winner of a turn would have won it too if the other rule of checks had been in force.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Other {
    /// Yes, with the series that was played.
    Same,
    /// Yes, but only with another series.
    Another,
    /// No: proved.
    None,
    /// Not with this series; the limit came before the others were known.
    Unknown,
    /// The catalogue has no variant that differs in this rule alone.
    NoSuchRule,
}

impl Other {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Other::Same => "same",
            Other::Another => "another",
            Other::None => "none",
            Other::Unknown => "unknown",
            Other::NoSuchRule => "-",
        }
    }
}

impl Examined {
    /// The number of the last finished turn; 0 if there is none.
    pub fn last_turn(&self) -> u16 {
        self.turns.last().map_or(0, |turn| turn.number)
    }

    /// The turns with this chance.
    pub fn turns_with(&self, chance: Chance) -> impl Iterator<Item = u16> {
        self.turns.iter().filter(move |turn| turn.chance == chance).map(|turn| turn.number)
    }
}

/// Examines games, each question within a number of nodes.
pub(super) struct Examiner {
    solver: Solver,
    control: Control,
}

impl Examiner {
    /// An examiner with so many MiB for tables, who looks at so many nodes for each question.
    pub fn new(megabytes: usize, nodes: u64) -> Examiner {
        let control = Control::unlimited().within_nodes(nodes);
        Examiner { solver: Solver::new(megabytes), control }
    }

    /// Finds out everything about a game.
    pub fn examine(&mut self, game: &Game) -> Examined {
        let (mut turns, mut win) = (Vec::new(), None);
        let mut position = *game.start();
        for series in finished_turns(game) {
            let begin = position;
            series.iter().for_each(|&mv| position.play_unchecked(mv));
            let chance = match position.outcome() {
                Some(Outcome::Win(_, reason)) => {
                    let full = series.len() == usize::from(begin.allowance());
                    win = Some(Win { reason, full, other: self.other(&begin, series) });
                    Chance::Taken
                }
                _ => self.chance(&begin),
            };
            turns.push(Turn { number: begin.turn(), chance });
        }
        let variant = game.start().rules().name;
        Examined { variant, outcome: game.outcome(wins_now), turns, win }
    }

    /// The chance at the start of a turn that was not won.
    fn chance(&mut self, begin: &Position) -> Chance {
        match self.solver.find(begin, &self.control) {
            Verdict::Found(_) => Chance::Missed,
            Verdict::None => Chance::None,
            Verdict::Unknown => Chance::Unknown,
        }
    }

    /// What the other rule would have made of a turn that was won with `series`.
    fn other(&mut self, begin: &Position, series: &[Move]) -> Other {
        let rules = other_rule(begin.rules());
        let Some(begin) = rules.and_then(|rules| Position::from_pfen(&begin.pfen(), rules).ok())
        else {
            return Other::NoSuchRule;
        };
        let mut end = begin;
        let legal = series.iter().all(|&mv| end.side() == begin.side() && end.play(mv).is_ok());
        if legal && end.side() != begin.side() && end.is_lost() {
            return Other::Same;
        }
        match self.solver.find(&begin, &self.control) {
            Verdict::Found(_) => Other::Another,
            Verdict::None => Other::None,
            Verdict::Unknown => Other::Unknown,
        }
    }
}

/// The variant that differs in nothing but when a check may be given.
fn other_rule(rules: &RuleSet) -> Option<&'static RuleSet> {
    variants::ALL.iter().find(|other| {
        let RuleSet { name, summary, check, .. } = *rules;
        other.check != check && RuleSet { name, summary, check, ..**other } == *rules
    })
}

/// The series of a game turn by turn. The last one is left out if it was broken off.
fn finished_turns(game: &Game) -> Vec<&[Move]> {
    let (mut position, mut turns, mut begin) = (*game.start(), Vec::new(), 0);
    for (index, &mv) in game.moves().iter().enumerate() {
        position.play_unchecked(mv);
        if position.at_boundary() || position.outcome().is_some() {
            turns.push(&game.moves()[begin..=index]);
            begin = index + 1;
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_rule_is_the_nearest_relative() {
        let other = |name| {
            let rules = variants::find(name).expect("a variant");
            other_rule(rules).map(|rules| rules.name)
        };
        assert_eq!(other("scottish"), Some("italian"));
        assert_eq!(other("italian"), Some("scottish"));
        assert_eq!(other("italian-logical"), Some("logical"));
        assert_eq!(other("scottish-circe"), Some("italian-circe"));
        assert_eq!(other("english"), None);
        assert_eq!(other("takeall"), None);
        assert_eq!(other("marseillais"), None);
    }
}
