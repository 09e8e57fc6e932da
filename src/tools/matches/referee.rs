//! One game under our rules: who may move, whether a series is right, and how it all ends.

use std::time::Duration;

use super::contestant::Limit;
use super::forfeit::{Forfeit, Offence, Trouble};
use super::player::{Patience, Player};
use super::record::Step;
use super::thought::Thought;
use crate::board::Color;
use crate::position::{Game, Move, Position, join};
use crate::rules::Outcome;
use crate::tools::wins_now;

/// How a game of a match has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By the rules of the variant.
    Ruled(Outcome),
    /// Undecided at the last turn that the match allows.
    TurnLimit,
    /// By what this side did or failed to do; it loses.
    Forfeit(Color, Forfeit),
}

impl Ending {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub fn score(&self) -> &'static str {
        match self {
            Ending::Ruled(outcome) => outcome.score(),
            Ending::TurnLimit => "1/2-1/2",
            Ending::Forfeit(loser, _) => Outcome::score_of_win(!*loser),
        }
    }

    /// The reason in one word: that of the protocol, `draw-turn-limit` or `forfeit-<offence>`.
    pub fn reason(&self) -> String {
        match self {
            Ending::Ruled(outcome) => outcome.to_string(),
            Ending::TurnLimit => "draw-turn-limit".to_string(),
            Ending::Forfeit(_, forfeit) => format!("forfeit-{}", forfeit.offence),
        }
    }
}

/// A finished game, and what the engines told.
pub struct Played {
    pub game: Game,
    pub ending: Ending,
    /// One for each turn that was finished.
    pub steps: Vec<Step>,
}

/// Somebody at the board.
pub struct Seat<'p> {
    pub player: &'p mut Player,
    pub limit: Limit,
    /// What is left on the clock, if there is one.
    clock: Option<Duration>,
}

impl<'p> Seat<'p> {
    /// A seat with a full clock.
    pub fn new(player: &'p mut Player, limit: Limit) -> Seat<'p> {
        Seat { player, limit, clock: limit.clock() }
    }

    /// How long the next series may take; `None` where no clock runs.
    fn allowed(&self) -> Option<Duration> {
        match self.limit {
            Limit::MoveTime(time) => Some(time),
            Limit::Clock(_) => self.clock,
            Limit::Nodes(_) => None,
        }
    }

    fn spend(&mut self, time: Duration) {
        if let (Limit::Clock(control), Some(clock)) = (self.limit, &mut self.clock) {
            *clock = clock.saturating_sub(time) + control.increment;
        }
    }
}

/// What holds for every game of a match.
pub struct Terms {
    /// The number of the last turn; what is undecided after it is a draw.
    pub last_turn: u16,
    pub patience: Patience,
}

/// The match is being stopped, and the game with it.
pub struct Stopped;

/// Plays a game to its end between the seats of White and Black.
///
/// # Errors
/// The match is being stopped.
pub fn play(start: Position, seats: &mut [Seat; 2], terms: &Terms) -> Result<Played, Stopped> {
    let (mut game, mut steps) = (Game::new(start), Vec::new());
    let mut begun = Color::ALL.map(|color| seats[color as usize].player.new_game(&terms.patience));
    let ending = loop {
        let (side, turn) = (game.position().side(), game.position().turn());
        if let Some(outcome) = game.outcome(wins_now) {
            break Ending::Ruled(outcome);
        }
        if turn > terms.last_turn {
            break Ending::TurnLimit;
        }
        let ready = std::mem::replace(&mut begun[side as usize], Ok(()));
        match ready.and_then(|()| take_turn(&mut game, seats, terms)) {
            Ok(thought) => steps.push(Step::new(turn, &thought)),
            Err(Trouble::Forfeit(forfeit)) => break Ending::Forfeit(side, forfeit),
            Err(Trouble::Stopped) => return Err(Stopped),
        }
    };
    Ok(Played { game, ending, steps })
}

/// Lets the side to move think, and makes its series.
fn take_turn(game: &mut Game, seats: &mut [Seat; 2], terms: &Terms) -> Result<Thought, Trouble> {
    let side = game.position().side();
    let clocks = [seats[0].clock, seats[1].clock];
    let seat = &mut seats[side as usize];
    let position = seat.player.position_command(&game.start().pfen(), &join(game.moves()));
    let go = seat.limit.go(side, clocks);
    let thought = seat.player.think(&position, &go, seat.allowed(), &terms.patience)?;
    seat.spend(thought.time);
    play_series(game, &thought.series)?;
    Ok(thought)
}

/// Makes a series if it is one: every move legal, and ending where the rules end it. The legal
/// moves of a series that is none are taken back.
///
/// # Errors
/// What is wrong with the series.
pub fn play_series(game: &mut Game, series: &[String]) -> Result<(), Forfeit> {
    let mut after = game.clone();
    let (side, allowance) = (after.position().side(), after.position().allowance());
    let goes_on = |game: &Game| game.position().side() == side && game.position().has_legal_move();
    for (index, text) in series.iter().enumerate() {
        let number = index + 1;
        if !goes_on(&after) {
            let detail = format!("the series ends after {index} moves, and {text} follows");
            return Err(Forfeit::new(Offence::Length, detail));
        }
        let shown: String = text.chars().filter(|c| !c.is_control()).take(16).collect();
        let mv: Move = text.parse().map_err(|error| {
            Forfeit::new(Offence::Illegal, format!("move {number}: '{shown}' is {error}"))
        })?;
        after.play(mv).map_err(|illegal| {
            Forfeit::new(Offence::Illegal, format!("move {number}: {illegal}"))
        })?;
    }
    if goes_on(&after) {
        let detail = format!("{} moves in place of {allowance}", series.len());
        return Err(Forfeit::new(Offence::Length, detail));
    }
    *game = after;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;

    fn judged(variant: &str, game: &str, series: &str) -> Result<(), String> {
        let mut state = Game::new(Position::start(variants::find(variant).unwrap()));
        game.split_whitespace().for_each(|mv| state.play(mv.parse().unwrap()).unwrap());
        let words: Vec<String> = series.split_whitespace().map(str::to_string).collect();
        let before = state.moves().len();
        let judged = play_series(&mut state, &words);
        assert!(judged.is_ok() || state.moves().len() == before);
        judged.map_err(|forfeit| format!("{}: {}", forfeit.offence, forfeit.detail))
    }

    #[test]
    fn series_are_judged() {
        assert_eq!(judged("scottish", "e2e4", "e7e5 g8f6"), Ok(()));
        let wrong = |series, reason: &str| {
            assert_eq!(judged("scottish", "e2e4", series), Err(reason.to_string()));
        };
        wrong("", "length: 0 moves in place of 2");
        wrong("e7e5", "length: 1 moves in place of 2");
        wrong("e7e5 g8f6 b8c6", "length: the series ends after 2 moves, and b8c6 follows");
        wrong("e7e5 e5e4", "illegal: move 2: e5e4 is illegal: a pawn cannot go there");
        wrong("Nf6", "illegal: move 1: 'Nf6' is not a move like e2e4 or e7e8q");
    }

    #[test]
    fn a_check_ends_the_series_where_it_does() {
        let game = "e2e4 f7f6 g7g5";
        assert_eq!(judged("scottish", game, "d1h5"), Ok(()));
        assert!(judged("scottish", game, "d1h5 a2a3 b2b3").unwrap_err().starts_with("length: "));
        assert!(judged("italian", game, "d1h5").unwrap_err().starts_with("illegal: "));
        assert_eq!(judged("italian", game, "a2a3 b2b3 d1h5"), Ok(()));
    }
}
