//! From what the engine has to say to the lines that say it.
//!
//! `bestmove` and the search lines are written here, for they hold whole series and numbers that
//! the types of `vampirc-uci` cannot.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use vampirc_uci::{UciInfoAttribute, UciMessage};

use super::options;
use crate::board::Square;
use crate::engine::{Progress, Solved};
use crate::position::{Game, Move, join};
use crate::rules::Outcome;
use crate::search::perft::Counts;
use crate::search::solver::{Stage, Verdict};
use crate::search::{Choice, Report, Score};

/// What precedes the answer to whether a series is safe.
pub const SAFE: &str = "info string safe: ";

/// Something to tell the client: one line, or a few for `uci`, `d`, `eval` and `help`.
pub enum Reply<'r> {
    /// Who this is and what it offers.
    Handshake,
    ReadyOk,
    /// A line of a search, or of a job that lists.
    Progress(&'r Progress),
    /// The choice, as much of it as the client takes.
    BestMove(&'r Choice),
    Solved(Solved),
    /// How far a job that solves has come, and how long it has taken.
    Solving(Stage, Duration),
    /// Counts, and what they took.
    Counted(&'r Counts, Duration),
    /// The game as position text.
    Fen(&'r Game),
    /// The legal moves.
    Legal(&'r Game),
    /// The state of the game, and its result if it has one.
    Status(&'r Game, Option<Outcome>),
    /// All of this for people.
    Board(&'r Game, Option<Outcome>),
    /// The terms of the evaluation.
    Eval(Vec<(String, i32)>),
    Help,
    /// A remark.
    Note(&'r str),
    /// A remark about something wrong.
    Error(&'r str),
}

impl Display for Reply<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Reply::Handshake => handshake(f),
            Reply::ReadyOk => write!(f, "{}", UciMessage::ReadyOk),
            Reply::Progress(progress) => write_progress(f, progress),
            Reply::BestMove(choice) => best_move(f, choice),
            Reply::Solved(solved) => {
                let Solved { count, complete, nodes, elapsed } = solved;
                let word = if *complete { "solved" } else { "unsolved" };
                write!(f, "{word} {count} nodes {nodes} time {}", elapsed.as_millis())
            }
            Reply::Solving(stage, elapsed) => solving(f, stage, *elapsed),
            Reply::Counted(counts, elapsed) => counted(f, counts, *elapsed),
            Reply::Fen(game) => write!(f, "fen {}", position_text(game)),
            Reply::Legal(game) => {
                let mut moves: Vec<String> =
                    game.position().legal_moves().iter().map(Move::to_string).collect();
                moves.sort();
                words(f, "legal", moves)
            }
            Reply::Status(game, outcome) => status(f, game, *outcome),
            Reply::Board(game, outcome) => board(f, game, *outcome),
            Reply::Eval(terms) => eval(f, terms),
            Reply::Help => f.write_str(HELP.trim_end()),
            Reply::Note(text) => note(f, text),
            Reply::Error(text) => note(f, &format!("error: {text}")),
        }
    }
}

fn handshake(f: &mut Formatter) -> fmt::Result {
    let name = concat!("Crescendo ", env!("CARGO_PKG_VERSION")).to_string();
    let author = "the Crescendo developers".to_string();
    writeln!(f, "{}", UciMessage::Id { name: Some(name), author: None })?;
    writeln!(f, "{}", UciMessage::Id { name: None, author: Some(author) })?;
    for option in options::offered() {
        writeln!(f, "{option}")?;
    }
    write!(f, "{}", UciMessage::UciOk)
}

/// `first`, and then `words`, with a blank before each.
fn words(f: &mut Formatter, first: &str, words: Vec<String>) -> fmt::Result {
    f.write_str(first)?;
    words.iter().try_for_each(|word| write!(f, " {word}"))
}

fn write_progress(f: &mut Formatter, progress: &Progress) -> fmt::Result {
    match progress {
        Progress::Report(report) => info(f, report),
        Progress::FromBook => note(f, "book"),
        Progress::NoWin(Verdict::None) => note(f, "mate 1: proved that there is none"),
        Progress::NoWin(_) => note(f, "mate 1: unknown, stopped before it was decided"),
        Progress::Solution(series) => write!(f, "solution {}", join(series)),
        Progress::Divided(mv, count) => write!(f, "{mv}: {count}"),
    }
}

fn info(f: &mut Formatter, report: &Report) -> fmt::Result {
    let Report { depth, seldepth, multipv, score, nodes, hashfull, elapsed, pv, safety } = report;
    if let Some(safety) = safety {
        writeln!(f, "{SAFE}{safety}")?;
    }
    write!(f, "info depth {depth} seldepth {seldepth} multipv {multipv} score ")?;
    match score {
        Score::Centipawns(value) => write!(f, "cp {value}")?,
        Score::Mate(turns) => write!(f, "mate {turns}")?,
    }
    let (time, nps) = (elapsed.as_millis(), per_second(u128::from(*nodes), *elapsed));
    write!(f, " nodes {nodes} nps {nps} hashfull {hashfull} time {time}")?;
    if pv.is_empty() { Ok(()) } else { write!(f, " pv {}", join(pv)) }
}

fn solving(f: &mut Formatter, stage: &Stage, elapsed: Duration) -> fmt::Result {
    let Stage { length, done, all, nodes } = stage;
    let (time, nps) = (elapsed.as_millis(), per_second(u128::from(*nodes), elapsed));
    write!(f, "info depth 1 seldepth {length} nodes {nodes} nps {nps} time {time} ")?;
    write!(f, "string {done} of {all} first moves")
}

/// How many a second, if `count` took `elapsed`.
fn per_second(count: u128, elapsed: Duration) -> u128 {
    count.saturating_mul(1_000_000) / elapsed.as_micros().max(1)
}

fn best_move(f: &mut Formatter, choice: &Choice) -> fmt::Result {
    if choice.series.is_empty() {
        return f.write_str("bestmove (none)");
    }
    write!(f, "bestmove {}", join(&choice.series))?;
    if choice.ponder.is_empty() { Ok(()) } else { write!(f, " ponder {}", join(&choice.ponder)) }
}

fn counted(f: &mut Formatter, counts: &Counts, elapsed: Duration) -> fmt::Result {
    let Counts { count, distinct, mates, italian_mates, stalemates, checks } = counts;
    write!(f, "perft {count}")?;
    if let Some(distinct) = distinct {
        write!(f, " distinct {distinct}")?;
    }
    write!(f, " mates {mates} italianmates {italian_mates} stalemates {stalemates}")?;
    let (time, nps) = (elapsed.as_millis(), per_second(*count, elapsed));
    write!(f, " checks {checks} time {time} nps {nps}")
}

/// The start of the turn as position text, and the moves made since.
fn position_text(game: &Game) -> String {
    let (boundary, series) = (game.boundary().pfen(), game.series());
    if series.is_empty() { boundary } else { format!("{boundary} moves {}", join(series)) }
}

fn status(f: &mut Formatter, game: &Game, outcome: Option<Outcome>) -> fmt::Result {
    let position = game.position();
    let check = if position.in_check() { "yes" } else { "no" };
    let (turn, side) = (position.turn(), position.side());
    let (allowance, played) = (position.allowance(), position.played());
    write!(f, "status turn {turn} side {side} allowance {allowance} played {played} ")?;
    let result = outcome.map_or_else(|| "none".to_string(), |outcome| outcome.to_string());
    write!(f, "check {check} result {result}")
}

fn board(f: &mut Formatter, game: &Game, outcome: Option<Outcome>) -> fmt::Result {
    let position = game.position();
    for rank in (0..8).rev() {
        write!(f, "{} ", rank + 1)?;
        for file in 0..8 {
            let piece = position.board().piece_at(Square::at(file, rank));
            write!(f, " {}", piece.map_or('.', |piece| piece.letter()))?;
        }
        writeln!(f)?;
    }
    writeln!(f, "   a b c d e f g h")?;
    writeln!(f, "variant {}: {}", position.rules().name, position.rules().summary)?;
    writeln!(f, "fen {}", position_text(game))?;
    status(f, game, outcome)
}

fn eval(f: &mut Formatter, terms: &[(String, i32)]) -> fmt::Result {
    for (name, value) in terms {
        writeln!(f, "eval {name}: {value}")?;
    }
    write!(f, "eval total: {}", terms.iter().map(|(_, value)| value).sum::<i32>())
}

/// The most characters of a remark that stand at its beginning and at its end; what is between
/// them is left out. Remarks quote what was sent, and that may be anything.
const REMARK: (usize, usize) = (80, 60);

fn note(f: &mut Formatter, text: &str) -> fmt::Result {
    let clean = |letter: char| if letter.is_control() { '?' } else { letter };
    let letters: Vec<char> = text.chars().map(clean).collect();
    let (head, tail) = REMARK;
    let text: String = if letters.len() <= head + tail + 5 {
        letters.into_iter().collect()
    } else {
        let end = letters.iter().skip(letters.len() - tail);
        letters.iter().take(head).chain(&[' ', '.', '.', '.', ' ']).chain(end).collect()
    };
    write!(f, "{}", UciMessage::Info(vec![UciInfoAttribute::String(text)]))
}

const HELP: &str = "\
info string position [startpos | fen <PFEN>] [variant <name>] [series <n>] [moves <m1> ...]
info string go [depth n] [movetime ms] [wtime ms] [btime ms] [nodes n] [mate n] [infinite] ...
info string solve [all | count] [max n] [movetime ms] [nodes n]
info string perft <turns> | perft moves <n>, with divide, distinct, nodistinct
info string d, fen, legal, status, eval: the current position
info string uci, isready, setoption, ucinewgame, stop, ponderhit, quit: as in UCI
info string protocol.md tells the whole protocol
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Safety;

    #[test]
    fn remarks_are_one_short_line_of_printable_letters() {
        let long = "\0\n\x1b".repeat(1000);
        let line = Reply::Error(&format!("unknown command '{long}'")).to_string();
        assert!(line.starts_with("info string error: unknown command '???"), "{line}");
        assert!(line.ends_with("???'") && line.len() < 170, "{line}");
        assert_eq!(line.lines().count(), 1);
    }

    #[test]
    fn a_search_line_has_every_field_in_order() {
        let report = Report {
            depth: 300,
            seldepth: 1000,
            multipv: 2,
            score: Score::Mate(-200),
            nodes: 5000,
            hashfull: 7,
            elapsed: Duration::from_millis(2500),
            pv: vec!["a7a8k".parse().unwrap()],
            safety: None,
        };
        let line = "info depth 300 seldepth 1000 multipv 2 score mate -200 nodes 5000 nps 2000 \
                    hashfull 7 time 2500 pv a7a8k";
        let told = |report: &Report| Reply::Progress(&Progress::Report(report.clone())).to_string();
        assert_eq!(told(&report), line);
        let last = Report { safety: Some(Safety::Unproved), ..report };
        assert_eq!(told(&last), format!("info string safe: not proved\n{line}"));
    }

    #[test]
    fn the_progress_of_a_solver_has_the_form_of_a_search_line() {
        let stage = Stage { length: 9, done: 4, all: 31, nodes: 5000 };
        let line = "info depth 1 seldepth 9 nodes 5000 nps 2000 time 2500 \
                    string 4 of 31 first moves";
        let told = Reply::Solving(stage, Duration::from_millis(2500)).to_string();
        assert_eq!(told, line);
    }

    #[test]
    fn a_choice_is_a_whole_series() {
        let moves = |text: &str| text.split(' ').map(|mv| mv.parse().unwrap()).collect();
        let choice = Choice { series: moves("e7e5 g8f6"), ponder: moves("g1f3 f3e5 e5f7") };
        let line = "bestmove e7e5 g8f6 ponder g1f3 f3e5 e5f7";
        assert_eq!(Reply::BestMove(&choice).to_string(), line);
        assert_eq!(Reply::BestMove(&Choice::default()).to_string(), "bestmove (none)");
    }
}
