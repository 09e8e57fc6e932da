//! `crescendo play`: a game in the terminal against the engine, a whole series on one line.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::common::{StartArgs, earlier_turn, wins_now};
use super::lines::{LONGEST, too_long};
use super::times::parse_move_time;
use crate::board::{Board, Color, Piece, Square};
use crate::book;
use crate::notation::{Letters, Style};
use crate::protocol::{Found, next_line};
use crate::rules::{DrawReason, Outcome, WinReason};
use crate::search::{Control, Limits, Request, Searcher, TimePlan};
use crate::{Game, Move, Position};

/// Play against the engine in the terminal
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
The board is shown from your side. Write the whole series of a turn on one line, in short or long
algebraic notation: Bc4 Qh5 Qxf7, or f1c4 d1h5 h5f7. It may be shorter only if the rules end it.
Other lines are commands; 'help' lists them.

Example:
  crescendo play --variant italian --color black --movetime 1000")]
pub struct Args {
    #[command(flatten)]
    pub start: StartArgs,
    /// The side that you play
    #[arg(long, value_enum, default_value_t = Seat::White)]
    pub color: Seat,
    /// How long the engine thinks about a series, in milliseconds
    #[arg(long, value_name = "MS", default_value = "3000", value_parser = parse_move_time)]
    pub movetime: Duration,
    /// Think about the first turns too, in place of playing them from the book
    #[arg(long)]
    pub no_book: bool,
}

/// Which side somebody plays.
#[derive(clap::ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum Seat {
    White,
    Black,
    Random,
}

impl Seat {
    /// The colour; of [`Seat::Random`] another one each time.
    pub fn color(self) -> Color {
        match self {
            Seat::White => Color::White,
            Seat::Black => Color::Black,
            Seat::Random if RandomState::new().hash_one(0).is_multiple_of(2) => Color::White,
            Seat::Random => Color::Black,
        }
    }
}

/// Plays a game between the standard input and the engine.
///
/// # Errors
/// One sentence: the position given is illegal, or the terminal fails.
pub fn run(args: Args) -> Result<(), String> {
    let start = &args.start;
    let game = Game::new(start.at.position()?);
    let engine = Engine::new(args.movetime, !args.no_book);
    let mut table = Table::new(game, args.color.color(), start.notation, engine);
    table
        .play(io::stdin().lock(), &mut io::stdout().lock())
        .map_err(|error| format!("the terminal fails: {error}"))
}

/// Somebody who knows what to play.
pub trait Player {
    /// A complete series for the side to move; empty for want of an answer.
    fn choose(&mut self, game: &Game) -> Vec<Move>;
}

/// The engine at a fixed time for each series.
struct Engine {
    searcher: Searcher,
    move_time: Duration,
    own_book: bool,
}

impl Engine {
    const TABLE_MEGABYTES: usize = 64;

    fn new(move_time: Duration, own_book: bool) -> Engine {
        Engine { searcher: Searcher::new(Engine::TABLE_MEGABYTES), move_time, own_book }
    }
}

impl Player for Engine {
    fn choose(&mut self, game: &Game) -> Vec<Move> {
        let limits = Limits { move_time: Some(self.move_time), ..Limits::default() };
        let plan = TimePlan::new(&limits, game.position().side(), Instant::now(), Duration::ZERO);
        let control = Control::unlimited().until(Instant::now() + self.move_time);
        let request = Request { limits, plan, multi_pv: 1, threads: 1 };
        if self.own_book
            && let Some((_, choice)) = book::answer(game, &request)
        {
            return choice.series;
        }
        self.searcher.choose(game, &request, &control, &mut |_| {}).series
    }
}

/// How a game at the table has ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Ending {
    Ruled(Outcome),
    /// The loser.
    Resigned(Color),
}

/// A board with a human on one side of it and somebody else on the other.
pub struct Table<P> {
    game: Game,
    human: Color,
    letters: &'static Letters,
    other: P,
    ending: Option<Ending>,
    /// The other player had no answer here.
    stuck: bool,
}

const HELP: &str = "\
Write a whole series on one line, such as: Bc4 Qh5 Qxf7
legal      every legal first move
hint       what the engine would play
undo       take back the last turn of both sides
resign     give up
save FILE  write the game to a file, as 'crescendo check' reads it
quit       leave";

impl<P: Player> Table<P> {
    /// Sits down at `game`; moves are written with `letters`.
    pub fn new(game: Game, human: Color, letters: &'static Letters, other: P) -> Table<P> {
        let mut table = Table { game, human, letters, other, ending: None, stuck: false };
        table.settle();
        table
    }

    /// Plays with the human behind `input` and `output` until he leaves or `input` ends.
    ///
    /// # Errors
    /// Reading or writing fails.
    pub fn play(&mut self, mut input: impl BufRead, output: &mut impl Write) -> io::Result<()> {
        let name = self.game.position().rules().name;
        writeln!(output, "Crescendo, {name}. You play {}; 'help' explains.", self.human)?;
        writeln!(output, "{}", self.view())?;
        let mut bytes = Vec::new();
        loop {
            self.let_other_play(output)?;
            write!(output, "{}> ", self.game.position().side())?;
            output.flush()?;
            match next_line(&mut input, LONGEST, &mut bytes)? {
                Found::Line => {}
                Found::EndlessLine => {
                    writeln!(output, "Refused: {}.", too_long())?;
                    continue;
                }
                Found::End => return writeln!(output),
            }
            match self.obey(String::from_utf8_lossy(&bytes).trim()) {
                ControlFlow::Continue(answer) if answer.is_empty() => {}
                ControlFlow::Continue(answer) => writeln!(output, "{answer}")?,
                ControlFlow::Break(()) => return Ok(()),
            }
        }
    }

    /// Does what a line of the human says, and answers him.
    fn obey(&mut self, line: &str) -> ControlFlow<(), String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        ControlFlow::Continue(match (word, rest.trim()) {
            ("", _) => String::new(),
            ("help", "") => HELP.to_string(),
            ("legal", "") => self.legal(),
            ("hint", "") => self.hint(),
            ("undo", "") => self.undo(),
            ("resign", "") => self.resign(),
            ("save", "") => "Write the name of the file behind 'save'.".to_string(),
            ("save", file) => self.save(file),
            ("quit", "") => return ControlFlow::Break(()),
            _ => self.enter(line),
        })
    }

    /// Plays the series of a line, or says why not.
    fn enter(&mut self, line: &str) -> String {
        if self.ending.is_some() {
            return "The game is over: undo, save FILE or quit.".to_string();
        }
        let moves = match self.game.position().read_series(line, self.letters) {
            Ok(moves) => moves,
            Err(error) => return format!("Refused at {error}."),
        };
        match self.after(&moves) {
            Ok(game) => self.go_on_with(game),
            Err(Refusal::Missing(missing)) => {
                let moves = if missing == 1 { "move is" } else { "moves are" };
                format!("Refused: {missing} {moves} missing; write the whole series on one line.")
            }
            Err(Refusal::Illegal) => "Refused: the series is illegal.".to_string(),
        }
    }

    /// The game after a series, which must be complete.
    fn after(&self, series: &[Move]) -> Result<Game, Refusal> {
        let mut game = self.game.clone();
        for &mv in series {
            game.play(mv).map_err(|_| Refusal::Illegal)?;
        }
        let position = game.position();
        let complete = game.moves().len() > self.game.moves().len() && position.at_boundary();
        if complete || game.outcome(wins_now).is_some() {
            Ok(game)
        } else {
            Err(Refusal::Missing(position.moves_left()))
        }
    }

    /// Replaces the game and shows it.
    fn go_on_with(&mut self, game: Game) -> String {
        self.game = game;
        self.settle();
        self.view()
    }

    /// Takes note of what the game has come to.
    fn settle(&mut self) {
        self.ending = self.game.outcome(wins_now).map(Ending::Ruled);
        self.stuck = false;
    }

    /// Lets the other player move if it is his turn. Where he has no answer, the human may move for
    /// him.
    fn let_other_play(&mut self, output: &mut impl Write) -> io::Result<()> {
        let position = *self.game.position();
        if position.side() == self.human || self.ending.is_some() || self.stuck {
            return Ok(());
        }
        let series = self.other.choose(&self.game);
        match self.after(&series) {
            Ok(game) => {
                let words = position.write_series(&series, Style::San(self.letters));
                writeln!(output, "{}.{words}", position.turn())?;
                writeln!(output, "{}", self.go_on_with(game))
            }
            Err(_) => {
                self.stuck = true;
                writeln!(output, "The engine has no answer: move for it, undo, save FILE or quit.")
            }
        }
    }

    fn legal(&self) -> String {
        let position = self.game.position();
        if self.ending.is_some() {
            return "The game is over.".to_string();
        }
        let mut moves: Vec<String> =
            position.legal_moves().iter().map(|&mv| position.san(mv, self.letters)).collect();
        moves.sort();
        moves.join(" ")
    }

    fn hint(&mut self) -> String {
        if self.ending.is_some() {
            return "The game is over.".to_string();
        }
        let series = self.other.choose(&self.game);
        match self.after(&series) {
            Ok(_) => self.game.position().write_series(&series, Style::San(self.letters)),
            Err(_) => "The engine has no suggestion.".to_string(),
        }
    }

    /// Takes back a resignation, or goes back to the last turn that the human began.
    fn undo(&mut self) -> String {
        if matches!(self.ending, Some(Ending::Resigned(_))) {
            return self.go_on_with(self.game.clone());
        }
        match earlier_turn(&self.game, self.human) {
            Some(game) => self.go_on_with(game),
            None => "There is no turn of yours to take back.".to_string(),
        }
    }

    fn resign(&mut self) -> String {
        if self.ending.is_some() {
            return "The game is over.".to_string();
        }
        self.ending = Some(Ending::Resigned(self.human));
        self.result_line()
    }

    fn save(&self, file: &str) -> String {
        match std::fs::write(file, self.record()) {
            Ok(()) => format!("Saved to {file}."),
            Err(error) => format!("Cannot write {file}: {error}."),
        }
    }

    /// The game as a file of one score, with a header that `crescendo check` skips.
    fn record(&self) -> String {
        let (start, letters) = (self.game.start(), self.letters);
        let mut options = format!("--notation {}", letters.language);
        if *start != Position::start(start.rules()) {
            options.push_str(&format!(" --fen '{}'", start.pfen()));
        }
        let seat = |color| if color == self.human { "human" } else { "Crescendo" };
        let (white, black) = (seat(Color::White), seat(Color::Black));
        let result = match self.ending {
            None => "*",
            Some(Ending::Ruled(outcome)) => outcome.score(),
            Some(Ending::Resigned(loser)) => Outcome::score_of_win(!loser),
        };
        let (variant, score) = (start.rules().name, self.game.score(Style::San(letters)));
        format!(
            "# {white} (White) against {black} (Black), {variant}\n\
             # Read it with: crescendo check {options} FILE\n\
             {variant}: {score} {result}\n"
        )
    }

    /// The board and the state of the game.
    fn view(&self) -> String {
        let board = board_text(self.game.position().board(), self.human, self.letters);
        let line = if self.ending.is_some() { self.result_line() } else { self.state_line() };
        format!("{board}{line}")
    }

    fn state_line(&self) -> String {
        let position = self.game.position();
        let (turn, side, left) = (position.turn(), name(position.side()), position.moves_left());
        let moves = if left == 1 { "move" } else { "moves" };
        let check = if position.in_check() { ", in check" } else { "" };
        format!("Turn {turn}: {side} has {left} {moves}{check}.")
    }

    fn result_line(&self) -> String {
        match self.ending {
            None => String::new(),
            Some(Ending::Ruled(outcome)) => in_words(outcome),
            Some(Ending::Resigned(loser)) => {
                format!("{} resigns: {} wins.", name(loser), name(!loser))
            }
        }
    }
}

/// Why a series is not played.
enum Refusal {
    /// This many moves are missing.
    Missing(u8),
    Illegal,
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The result for people.
pub(super) fn in_words(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(winner, reason) => {
            let winner = name(winner);
            match reason {
                WinReason::Checkmate => format!("Checkmate: {winner} wins."),
                WinReason::ProgressiveCheckmate => format!(
                    "Progressive checkmate, for every parry would be an early check: {winner} wins."
                ),
                WinReason::TakeAll => format!("Everything is taken: {winner} wins."),
            }
        }
        Outcome::Draw(reason) => match reason {
            DrawReason::Stalemate => "Stalemate: a draw.",
            DrawReason::Quiet => "Ten turns without capture or pawn move: a draw.",
            DrawReason::Dead => "Nobody can mate any more: a draw.",
            DrawReason::Repetition => "The position occurs for the third time: a draw.",
            DrawReason::Fifty => "Fifty turns of each side without capture or pawn move: a draw.",
        }
        .to_string(),
    }
}

/// The board as `viewer` sees it, with coordinates.
fn board_text(board: &Board, viewer: Color, letters: &Letters) -> String {
    // White sees the eighth rank on top, Black the h-file on the left.
    let (mut ranks, mut files) = ([7, 6, 5, 4, 3, 2, 1, 0], [0, 1, 2, 3, 4, 5, 6, 7]);
    if viewer == Color::Black {
        ranks.reverse();
        files.reverse();
    }
    let mut text = String::new();
    for rank in ranks {
        text.push_str(&(rank + 1).to_string());
        for file in files {
            let man = board.piece_at(Square::at(file, rank));
            text.extend([' ', man.map_or('·', Piece::symbol)]);
        }
        text.push('\n');
    }
    text.push(' ');
    text.extend(files.map(|file| [' ', letters.file(file)]).as_flattened());
    text.push('\n');
    text
}
