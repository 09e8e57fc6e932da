//! One game between the client and the engine: the board, the clocks, and how it has ended.

use std::time::{Duration, Instant};

use super::clocks::Clocks;
use super::style12::{Frame, Style12};
use crate::board::Color;
use crate::position::{IllegalMove, Move, Position};
use crate::rules::{DrawReason, Outcome, WinReason};
use crate::tools::alternation::Alternation;
use crate::tools::times::TimeControl;
use crate::tools::wins_now;

/// How the engine is called on boards.
pub const ENGINE_NAME: &str = "Crescendo";

/// How a game has ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    Ruled(Outcome),
    /// The loser.
    Resigned(Color),
    /// Whose flag has fallen.
    OutOfTime(Color),
    Agreed,
    Aborted,
}

/// A game under way.
pub struct Table {
    number: u32,
    /// By colour.
    names: [String; 2],
    human: Color,
    game: Alternation,
    clocks: Option<Clocks>,
    /// When the last move was made, and how long it took.
    moved: Instant,
    elapsed: Duration,
}

impl Table {
    /// A game that begins now. `number` tells it from the games before, `name` is the client's.
    pub fn new(
        number: u32,
        name: &str,
        human: Color,
        start: Position,
        control: Option<TimeControl>,
    ) -> Table {
        let (moved, elapsed) = (Instant::now(), Duration::ZERO);
        let mut clocks = control.map(Clocks::new);
        if let Some(clocks) = &mut clocks {
            clocks.start(start.side(), moved);
        }
        let name_of = |color| if color == human { name } else { ENGINE_NAME }.to_string();
        let names = Color::ALL.map(name_of);
        let game = Alternation::new(start);
        Table { number, names, human, game, clocks, moved, elapsed }
    }

    /// The side of the client.
    pub fn human(&self) -> Color {
        self.human
    }

    /// The game.
    pub fn game(&self) -> &Alternation {
        &self.game
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Whether the client has to move.
    pub fn is_humans_turn(&self) -> bool {
        self.position().side() == self.human
    }

    /// The clocks, where there are any.
    pub fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    /// Makes a move, and lets the clock run of whose turn it is then.
    ///
    /// # Errors
    /// Why the move is illegal; nothing has changed.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let (mover, now) = (self.position().side(), Instant::now());
        self.game.play(mv)?;
        self.elapsed = now.saturating_duration_since(self.moved);
        self.moved = now;
        let side = self.position().side();
        if let Some(clocks) = &mut self.clocks
            && side != mover
        {
            clocks.reward(mover);
            clocks.start(side, now);
        }
        Ok(())
    }

    /// Lets the other side pass, if the series goes on; whether it did.
    pub fn pass(&mut self) -> bool {
        let passes = self.game.passes();
        if passes {
            self.elapsed = Duration::ZERO;
            self.game.pass();
        }
        passes
    }

    /// Stops the clock: the engine has decided and only shows its series.
    pub fn stop_clock(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            clocks.stop(Instant::now());
        }
    }

    /// Goes back to a turn that the client began; whether there was one.
    pub fn take_back(&mut self) -> bool {
        let changed = self.game.take_back(self.human);
        if changed {
            (self.moved, self.elapsed) = (Instant::now(), Duration::ZERO);
            if let Some(clocks) = &mut self.clocks {
                clocks.start(self.human, self.moved);
            }
        }
        changed
    }

    /// How the game has ended by the rules, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.game().outcome(wins_now)
    }

    /// Whose flag has fallen.
    pub fn out_of_time(&self) -> Option<Color> {
        let falls = self.clocks.as_ref()?.flag_falls()?;
        (falls <= Instant::now()).then(|| self.position().side())
    }

    /// The board in style 12.
    pub fn board(&self, milliseconds: bool) -> String {
        let now = Instant::now();
        let [white, black] = &self.names;
        let control = self.clocks.as_ref().map(Clocks::control);
        let frame = Frame {
            number: self.number,
            names: [white, black],
            viewer: self.human,
            control: control.map_or([Duration::ZERO; 2], |one| [one.base, one.increment]),
            clocks: Color::ALL.map(|color| {
                self.clocks.as_ref().map_or(Duration::ZERO, |clocks| clocks.left(color, now))
            }),
            ticking: self.clocks.as_ref().is_some_and(Clocks::is_running),
            elapsed: self.elapsed,
            milliseconds,
        };
        Style12 { game: &self.game, frame: &frame }.to_string()
    }

    /// What servers say when a game begins.
    pub fn opening_lines(&self) -> String {
        let control = match self.clocks.as_ref().map(Clocks::control) {
            Some(TimeControl { base, increment }) => {
                format!("{} {}", base.as_secs().div_ceil(60), increment.as_secs())
            }
            None => "0 0".to_string(),
        };
        let name = &self.names[self.human as usize];
        format!(
            "Creating: {name} (++++) {ENGINE_NAME} (++++) unrated standard {control}\r\n\
             {{{} Creating unrated standard match.}}",
            self.title()
        )
    }

    /// What servers say when a game ends.
    pub fn closing_line(&self, ending: Ending) -> String {
        let name = |color: Color| &self.names[color as usize];
        let (words, score) = match ending {
            Ending::Ruled(outcome @ Outcome::Win(winner, reason)) => {
                let what = match reason {
                    WinReason::Checkmate => "checkmated",
                    WinReason::ProgressiveCheckmate => {
                        "checkmated, for every parry would be an early check"
                    }
                    WinReason::TakeAll => "has lost everything",
                };
                (format!("{} {what}", name(!winner)), outcome.score())
            }
            Ending::Ruled(Outcome::Draw(reason)) => (draw_in_words(reason).to_string(), "1/2-1/2"),
            Ending::Resigned(loser) => {
                (format!("{} resigns", name(loser)), Outcome::score_of_win(!loser))
            }
            Ending::OutOfTime(loser) => {
                (format!("{} forfeits on time", name(loser)), Outcome::score_of_win(!loser))
            }
            Ending::Agreed => ("Game drawn by mutual agreement".to_string(), "1/2-1/2"),
            Ending::Aborted => ("Game aborted by mutual agreement".to_string(), "*"),
        };
        format!("{{{} {words}}} {score}", self.title())
    }

    fn title(&self) -> String {
        let [white, black] = &self.names;
        format!("Game {} ({white} vs. {black})", self.number)
    }

    /// The clocks in words.
    pub fn time_line(&self) -> String {
        let now = Instant::now();
        match &self.clocks {
            None => "No clock runs in this game.".to_string(),
            Some(clocks) => {
                let [white, black] = Color::ALL.map(|color| {
                    let left = clocks.left(color, now).as_secs();
                    format!("{}:{:02}", left / 60, left % 60)
                });
                format!("White {white}, Black {black}")
            }
        }
    }

    /// The game in one line.
    pub fn summary(&self) -> String {
        let position = self.position();
        let (name, turn, side) = (position.rules().name, position.turn(), position.side());
        format!("{}: {name}, turn {turn}, {side} to move", self.title())
    }
}

fn draw_in_words(reason: DrawReason) -> &'static str {
    match reason {
        DrawReason::Stalemate => "Game drawn by stalemate",
        DrawReason::Quiet => "Game drawn by ten turns without capture or pawn move",
        DrawReason::Dead => "Neither player has mating material",
        DrawReason::Repetition => "Game drawn by repetition",
        DrawReason::Fifty => "Game drawn by the 50 move rule",
    }
}
