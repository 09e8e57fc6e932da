//! The catalogue: every variant Crescendo plays, in one table.
//!
//! To add a recombination, add a row here: a constant that names its parent, and its place in
//! [`ALL`].

use super::{Allowance, Balance, CheckRule, DrawRule, EnPassant, Goal, Rebirth, RuleSet};

/// Scottish: a check ends the series.
pub const SCOTTISH: RuleSet = RuleSet {
    name: "scottish",
    summary: "a check may come at any move and ends the series",
    goal: Goal::Checkmate,
    check: CheckRule::EndsSeries,
    balance: Balance::Free,
    rebirth: Rebirth::Never,
    allowance: Allowance::Progressive,
    draws: DrawRule::TenQuietTurns,
    en_passant: EnPassant::FirstMove,
    castling: true,
    double_step: true,
};

/// Italian: a check only with the last move of a full series.
pub const ITALIAN: RuleSet = RuleSet {
    name: "italian",
    summary: "a check may come only with the last move of a full series",
    check: CheckRule::LastMoveOnly,
    ..SCOTTISH
};

/// English as the encyclopedia tells it: who lags behind catches up.
pub const ENGLISH: RuleSet = RuleSet {
    name: "english",
    summary: "a unit moves again only when no other that can move has moved less; no en passant",
    balance: Balance::CatchUp,
    en_passant: EnPassant::Never,
    ..SCOTTISH
};

/// English as AISE played it: in rounds.
pub const ENGLISH_AISE: RuleSet = RuleSet {
    name: "english-aise",
    summary: "the series runs in rounds, in each of which a unit moves once; no en passant",
    balance: Balance::Rounds,
    ..ENGLISH
};

/// Logical: no castling, no double step.
pub const LOGICAL: RuleSet = RuleSet {
    name: "logical",
    summary: "scottish without castling, double steps and en passant",
    en_passant: EnPassant::Never,
    castling: false,
    double_step: false,
    ..SCOTTISH
};

/// Italian and logical.
pub const ITALIAN_LOGICAL: RuleSet = RuleSet {
    name: "italian-logical",
    summary: "italian without castling, double steps and en passant",
    check: CheckRule::LastMoveOnly,
    ..LOGICAL
};

/// Take-all: the goal is to take everything.
pub const TAKEALL: RuleSet = RuleSet {
    name: "takeall",
    summary: "take every enemy unit, the king too; there is no check",
    goal: Goal::TakeAll,
    ..SCOTTISH
};

/// Scottish with rebirth.
pub const SCOTTISH_CIRCE: RuleSet = RuleSet {
    name: "scottish-circe",
    summary: "scottish, and taken units are reborn on their home squares",
    rebirth: Rebirth::Home,
    ..SCOTTISH
};

/// Italian with rebirth, the usual Circe game.
pub const ITALIAN_CIRCE: RuleSet = RuleSet {
    name: "italian-circe",
    summary: "italian, and taken units are reborn on their home squares",
    check: CheckRule::LastMoveOnly,
    ..SCOTTISH_CIRCE
};

/// English with rebirth.
pub const ENGLISH_CIRCE: RuleSet = RuleSet {
    name: "english-circe",
    summary: "english, and taken units are reborn on their home squares",
    rebirth: Rebirth::Home,
    ..ENGLISH
};

/// Marseillais, balanced: one move, then always two.
pub const MARSEILLAIS: RuleSet = RuleSet {
    name: "marseillais",
    summary: "two moves a turn, one in the first; a check ends the turn",
    allowance: Allowance::OneThenTwo,
    draws: DrawRule::RepetitionOrFifty,
    en_passant: EnPassant::FirstMoveAndRepeat,
    ..SCOTTISH
};

/// Marseillais as first played: always two moves.
pub const MARSEILLAIS_CLASSIC: RuleSet = RuleSet {
    name: "marseillais-classic",
    summary: "two moves in every turn; a check ends the turn",
    allowance: Allowance::Two,
    ..MARSEILLAIS
};

/// Every variant, the default first.
pub static ALL: [RuleSet; 12] = [
    SCOTTISH,
    ITALIAN,
    ENGLISH,
    ENGLISH_AISE,
    LOGICAL,
    ITALIAN_LOGICAL,
    TAKEALL,
    SCOTTISH_CIRCE,
    ITALIAN_CIRCE,
    ENGLISH_CIRCE,
    MARSEILLAIS,
    MARSEILLAIS_CLASSIC,
];

/// Other names under which a variant is found: the alias first.
static ALIASES: [(&str, &str); 1] = [("scottish-logical", "logical")];

/// The variant that is meant where none is named.
pub fn default() -> &'static RuleSet {
    &ALL[0]
}

/// The variant of this name, in any case; `None` if the catalogue has none.
pub fn find(name: &str) -> Option<&'static RuleSet> {
    let name = name.to_ascii_lowercase();
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name.as_str(), |(_, of)| of);
    ALL.iter().find(|rules| rules.name == name)
}

/// The variant of this name, in any case.
///
/// # Errors
/// One sentence: the catalogue has none.
pub fn named(name: &str) -> Result<&'static RuleSet, String> {
    find(name).ok_or_else(|| format!("there is no variant '{name}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for rules in &ALL {
            assert_eq!(find(rules.name), Some(rules));
            assert_eq!(find(&rules.name.to_uppercase()), Some(rules));
        }
        assert_eq!(find("scottish-logical"), Some(&LOGICAL));
        assert_eq!(find("orthodox"), None);
        assert_eq!(default().name, "scottish");
    }
}
