//! A finished game as it is kept: one line of JSON, from which everything else can be made again.

use serde::{Deserialize, Serialize};

use super::referee::{Ending, Played};
use super::schedule::Slot;
use super::thought::{Thought, Told};
use crate::notation::pgn;
use crate::position::{Game, Position, join};
use crate::rules::RuleSet;
use crate::search::Safety;

/// What an engine told about one of its turns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The number of the turn.
    pub turn: u16,
    /// Milliseconds from the question to the answer.
    pub time: u64,
    #[serde(flatten)]
    pub told: Told,
}

impl Step {
    /// The turn with this number, and the thought about it.
    pub fn new(turn: u16, thought: &Thought) -> Step {
        let time = u64::try_from(thought.time.as_millis()).unwrap_or(u64::MAX);
        Step { turn, time, told: thought.info.clone() }
    }
}

/// Proofs that the opponent does not win in his next turn.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Proofs {
    /// So many engines told of.
    pub told: u64,
    /// After so many of them he won all the same.
    pub belied: u64,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The number of the game in the schedule, from 1.
    pub game: u64,
    pub variant: String,
    /// The position text of the position from which the engines played.
    pub fen: String,
    /// The moves of the engines, flat.
    pub moves: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// The result in the word of the protocol, `draw-turn-limit`, or `forfeit-<offence>`.
    pub reason: String,
    /// What happened, if the game was forfeited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    pub white: String,
    pub black: String,
    /// The limits of White and Black.
    pub limits: [String; 2],
    /// The moves that led from the normal array to `fen`, flat; empty if it was set up.
    pub opening: String,
    /// The number of the turn that was on, or would have been, at the end.
    pub turn: u16,
    pub info: Vec<Step>,
}

impl Record {
    /// The record of a game that was played in a slot of the schedule.
    pub fn new(slot: &Slot, names: [&str; 2], limits: [String; 2], played: Played) -> Record {
        let Played { game, ending, steps } = played;
        let detail = match &ending {
            Ending::Forfeit(_, forfeit) => Some(forfeit.detail.clone()),
            Ending::Ruled(_) | Ending::TurnLimit => None,
        };
        Record {
            game: slot.number,
            variant: game.start().rules().name.to_string(),
            fen: game.start().pfen(),
            moves: join(game.moves()),
            result: ending.score().to_string(),
            reason: ending.reason(),
            detail,
            white: names[0].to_string(),
            black: names[1].to_string(),
            limits,
            opening: slot.opening.moves(),
            turn: game.position().turn(),
            info: steps,
        }
    }

    /// What White has won, in half points; `None` if the result is none.
    pub fn white_half_points(&self) -> Option<usize> {
        ["0-1", "1/2-1/2", "1-0"].iter().position(|result| *result == self.result)
    }

    /// How many turns their engines called proved to be safe, and how many of these the opponent's
    /// next turn belied.
    pub fn proofs(&self) -> Proofs {
        let word = Some(Safety::Proved.to_string());
        let proved = |step: &&Step| step.told.safe == word;
        let last_but_one = self.info.len().checked_sub(2).and_then(|index| self.info.get(index));
        let mated = self.offence().is_none() && self.result != "1/2-1/2";
        Proofs {
            told: self.info.iter().filter(proved).count() as u64,
            belied: u64::from(mated && last_but_one.as_ref().is_some_and(proved)),
        }
    }

    /// The offence, if the game was forfeited.
    pub fn offence(&self) -> Option<&str> {
        self.reason.strip_prefix("forfeit-")
    }

    /// The game as PGN, from the normal array if it began there.
    ///
    /// # Errors
    /// One sentence: the moves are not those of a game.
    pub fn pgn(&self, rules: &'static RuleSet) -> Result<String, String> {
        let wrong = |error: String| format!("game {}: {error}", self.game);
        let start = if self.opening.is_empty() {
            Position::from_pfen(&self.fen, rules).map_err(|error| wrong(error.to_string()))?
        } else {
            Position::start(rules)
        };
        let mut game = Game::new(start);
        for text in self.opening.split_whitespace().chain(self.moves.split_whitespace()) {
            let mv = text.parse().map_err(|error| wrong(format!("{text} is {error}")))?;
            game.play(mv).map_err(|error| wrong(error.to_string()))?;
        }
        let round = self.game.to_string();
        let termination = match self.offence() {
            None if self.reason == "draw-turn-limit" => "adjudication",
            None => "normal",
            Some("time" | "hang") => "time forfeit",
            Some("crash") => "abandoned",
            Some(_) => "rules infraction",
        };
        let mut tags = vec![
            ("Event", super::files::EVENT),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", &round),
            ("White", &self.white),
            ("Black", &self.black),
            ("Result", &self.result),
            ("Termination", termination),
            (pgn::RESULT_TAG, &self.reason),
        ];
        tags.extend(self.detail.iter().map(|detail| ("ResultDetail", detail.as_str())));
        Ok(pgn::write(&game, &tags))
    }
}
