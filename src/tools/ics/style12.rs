//! The board as chess servers send it to programs: "style 12", one line with everything that a
//! board with clocks shows. The help file `style12` of the Free Internet Chess Server describes it.

use std::fmt;
use std::time::Duration;

use crate::board::{Color, Piece, Role, Square};
use crate::notation::Letters;
use crate::position::{Move, Position, Wing};
use crate::tools::alternation::Alternation;

/// What a line shows besides the game itself.
pub struct Frame<'n> {
    /// The number of the game.
    pub number: u32,
    /// Who plays, by colour.
    pub names: [&'n str; 2],
    /// Who looks at it.
    pub viewer: Color,
    /// The time at the start and what a series adds; nothing where no clock runs.
    pub control: [Duration; 2],
    /// What the clocks show, by colour.
    pub clocks: [Duration; 2],
    /// Whether a clock runs.
    pub ticking: bool,
    /// How long the last move has taken.
    pub elapsed: Duration,
    /// Whether times are told in thousandths of a second.
    pub milliseconds: bool,
}

/// A line of style 12.
pub struct Style12<'a> {
    pub game: &'a Alternation,
    pub frame: &'a Frame<'a>,
}

impl fmt::Display for Style12<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Style12 { game, frame } = self;
        let position = game.position();
        f.write_str("<12> ")?;
        for rank in (0..8).rev() {
            let letter =
                |file| position.board().piece_at(Square::at(file, rank)).map_or('-', Piece::letter);
            write!(f, "{} ", (0..8).map(letter).collect::<String>())?;
        }
        let side = if game.side() == Color::White { 'W' } else { 'B' };
        write!(f, "{side} {} ", en_passant_file(game).map_or(-1, |file| file as i32))?;
        for color in Color::ALL {
            for wing in Wing::ALL {
                write!(f, "{} ", u8::from(position.castling().has(color, wing)))?;
            }
        }
        let [white, black] = frame.names;
        let relation = if game.side() == frame.viewer { 1 } else { -1 };
        write!(f, "{} {} {white} {black} {relation} ", position.quiet_turns(), frame.number)?;
        let [base, increment] = frame.control;
        // Programs take a game of less than a minute for one without clocks.
        write!(f, "{} {} ", base.as_secs().div_ceil(60), increment.as_secs())?;
        for color in Color::ALL {
            write!(f, "{} ", strength(position, color))?;
        }
        for left in frame.clocks {
            // A second that has begun is shown whole.
            let milliseconds = left.as_millis();
            let unit = if frame.milliseconds { 1 } else { 1000 };
            write!(f, "{} ", milliseconds.div_ceil(unit))?;
        }
        let (verbose, pretty) = last_move(game);
        write!(f, "{} {verbose} ({}) {pretty} ", game.half_moves() / 2 + 1, frame.time_taken())?;
        let flip = u8::from(frame.viewer == Color::Black);
        write!(f, "{flip} {} 0", u8::from(frame.ticking))
    }
}

impl Frame<'_> {
    /// The time for the last move, `0:01` or `0:01.234`: its form tells the unit of the clocks.
    fn time_taken(&self) -> String {
        let (minutes, seconds) = (self.elapsed.as_secs() / 60, self.elapsed.as_secs() % 60);
        let whole = format!("{minutes}:{seconds:02}");
        if self.milliseconds {
            format!("{whole}.{:03}", self.elapsed.subsec_millis())
        } else {
            whole
        }
    }
}

/// The file on which a pawn may be taken en passant now: that of the last move if it is one, for
/// the line has room for no more.
fn en_passant_file(game: &Alternation) -> Option<usize> {
    let targets = game.position().en_passant_targets();
    let stepped = game.last().flatten().map(|mv| mv.to.file());
    let files = || targets.into_iter().map(Square::file);
    files().find(|&file| Some(file) == stepped).or_else(|| files().next())
}

/// The men of a side as beginners count them.
fn strength(position: &Position, color: Color) -> u32 {
    let worth = [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5)];
    let men = |role| position.board().pieces(color, role).len();
    worth.into_iter().map(|(role, worth)| worth * men(role)).sum::<u32>() + 9 * men(Role::Queen)
}

/// The last move in long and in short form, both as programs read them.
fn last_move(game: &Alternation) -> (String, String) {
    match game.last() {
        None => ("none".to_string(), "none".to_string()),
        Some(None) => ("@@@@".to_string(), "--".to_string()),
        Some(Some(mv)) => {
            let before = game.before_last_move();
            let san = before.san(mv, Letters::english());
            (verbose(&before, mv, &san), without_rebirth(&san))
        }
    }
}

/// `P/e2-e4`, `P/e7-e8=Q`, `o-o`.
fn verbose(before: &Position, mv: Move, san: &str) -> String {
    if san.starts_with("O-O") {
        return san.trim_end_matches(['+', '#']).to_ascii_lowercase();
    }
    let letter = |role: Role| role.letter().to_ascii_uppercase();
    let unit = before.board().role_at(mv.from).map_or('-', letter);
    let promotion = mv.promotion.map_or(String::new(), |role| format!("={}", letter(role)));
    format!("{unit}/{}-{}{promotion}", mv.from, mv.to)
}

/// A move in short form without the man reborn, which stands in brackets.
fn without_rebirth(san: &str) -> String {
    match san.split_once('(') {
        Some((head, tail)) => {
            let sign = tail.split_once(')').map_or("", |(_, sign)| sign);
            format!("{head}{sign}")
        }
        None => san.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;

    fn frame() -> Frame<'static> {
        let control = [Duration::from_secs(600), Duration::from_secs(10)];
        Frame {
            number: 7,
            names: ["human", "Crescendo"],
            viewer: Color::White,
            control,
            clocks: [control[0]; 2],
            ticking: true,
            elapsed: Duration::from_millis(1234),
            milliseconds: false,
        }
    }

    fn game(variant: &str, pfen: &str, moves: &str) -> Alternation {
        let rules = variants::find(variant).unwrap();
        let mut game = Alternation::new(Position::from_pfen(pfen, rules).unwrap());
        for mv in moves.split_whitespace() {
            match mv {
                "--" => game.pass(),
                mv => game.play(mv.parse().unwrap()).unwrap(),
            }
        }
        game
    }

    fn line(game: &Alternation, frame: &Frame) -> String {
        Style12 { game, frame }.to_string()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_line_is_that_of_the_servers() {
        let start = game("scottish", START, "");
        assert_eq!(
            line(&start, &Frame { elapsed: Duration::ZERO, ..frame() }),
            "<12> rnbqkbnr pppppppp -------- -------- -------- -------- PPPPPPPP RNBQKBNR W -1 1 1 \
             1 1 0 7 human Crescendo 1 10 10 39 39 600 600 1 none (0:00) none 0 1 0"
        );
        let first = game("scottish", START, "e2e4");
        let millis = Frame { milliseconds: true, viewer: Color::Black, ..frame() };
        assert_eq!(
            line(&first, &millis),
            "<12> rnbqkbnr pppppppp -------- -------- ----P--- -------- PPPP-PPP RNBQKBNR B 4 1 1 \
             1 1 0 7 human Crescendo 1 10 10 39 39 600000 600000 1 P/e2-e4 (0:01.234) e4 1 1 0"
        );
    }

    #[test]
    fn a_pass_is_a_move_of_the_other_side() {
        let passed = game("scottish", START, "e2e4 e7e5 --");
        let shown = line(&passed, &frame());
        assert!(shown.contains(" B -1 1 1 1 1 0 7 human Crescendo -1 "), "{shown}");
        assert!(shown.contains(" 600 600 2 @@@@ (0:01) -- 0 "), "{shown}");
    }

    #[test]
    fn moves_are_told_in_full_and_in_short() {
        let castling = game("scottish", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1");
        assert_eq!(last_move(&castling), ("o-o".to_string(), "O-O".to_string()));
        let promotion = game("scottish", "8/P3k3/8/8/8/8/8/K7 w - - 0 1", "a7a8n");
        assert_eq!(last_move(&promotion), ("P/a7-a8=N".to_string(), "a8=N".to_string()));
        let rebirth = game("scottish-circe", "4k3/8/8/8/4n3/8/8/K3R3 w - - 0 1", "e1e4");
        assert_eq!(last_move(&rebirth), ("R/e1-e4".to_string(), "Rxe4+".to_string()));
        assert!(line(&rebirth, &frame()).starts_with("<12> ----k-n- "));
    }
}
