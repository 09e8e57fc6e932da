//! What follows `position`: where the game began, and the moves since.

use super::command::parse_number;
use super::options::Options;
use crate::position::{Game, Move, Position, Setup};
use crate::rules::{MAX_TURN, variants};

/// Reads `[startpos | fen <PFEN>] [variant <name>] [series <n>] [moves <m1> ...]`; the options say
/// what counts where variant or series are missing.
///
/// # Errors
/// The first thing that is wrong, in one sentence; for a move its number and text.
pub fn read(text: &str, options: &Options) -> Result<Game, String> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let (mut setup, mut rest) = base(&words)?;
    let (mut rules, mut turn) = (None, None);
    let moves = loop {
        rest = match rest {
            [] => break rest,
            ["moves", moves @ ..] => break moves,
            ["variant", name, tail @ ..] => {
                once("variant", rules.replace(variants::named(name)?))?;
                tail
            }
            ["series", number, tail @ ..] => {
                let number = parse_number("series", number, 1..=u64::from(MAX_TURN))?;
                once("series", turn.replace(number as u16))?;
                tail
            }
            [word @ ("variant" | "series")] => return Err(format!("{word} needs a value")),
            [word, ..] => return Err(format!("'{word}' is not understood")),
        };
    };
    let rules = rules.unwrap_or(options.variant);
    setup.turn = turn.or(options.series_length).unwrap_or(setup.turn);
    let start = Position::from_setup(&setup, rules).map_err(|error| error.to_string())?;
    play_moves(start, moves)
}

/// The game that begins with the normal array, under the given options.
pub fn initial(options: &Options) -> Option<Game> {
    read("startpos", options).ok()
}

/// Refuses a second value for a word: which of them counts would be a guess.
fn once<T>(word: &str, earlier: Option<T>) -> Result<(), String> {
    earlier.map_or(Ok(()), |_| Err(format!("{word} is given twice")))
}

/// Reads the first position; what is left follows it.
fn base<'w>(words: &'w [&'w str]) -> Result<(Setup, &'w [&'w str]), String> {
    match words {
        ["startpos", rest @ ..] => Ok((Setup::start(), rest)),
        ["fen", rest @ ..] => {
            let ends = |word: &&str| matches!(*word, "variant" | "series" | "moves");
            let (fen, rest) = rest.split_at(rest.iter().position(ends).unwrap_or(rest.len()));
            let setup = fen.join(" ").parse().map_err(|error| format!("fen: {error}"))?;
            Ok((setup, rest))
        }
        ["variant" | "series" | "moves", ..] => Ok((Setup::start(), words)),
        [] => Err("position needs startpos or fen".to_string()),
        [word, ..] => Err(format!("'{word}' is neither startpos nor fen")),
    }
}

/// Plays the moves, flat and in long algebraic form, and checks that separators stand where series
/// end.
///
/// # Errors
/// The first thing that is wrong, in one sentence with the number of the move and its text.
pub fn play_moves(start: Position, words: &[&str]) -> Result<Game, String> {
    let mut game = Game::new(start);
    let mut separated = 0;
    for part in words.iter().flat_map(|word| word.split_inclusive(SEPARATORS)) {
        let text = part.trim_end_matches(SEPARATORS);
        let index = game.moves().len() + 1;
        if !text.is_empty() {
            let mv: Move = text.parse().map_err(|e| format!("move {index}: '{text}' is {e}"))?;
            game.play(mv).map_err(|error| format!("move {index}: {error}"))?;
        }
        if text.len() < part.len() {
            let made = game.moves().len();
            if !game.position().at_boundary() || made == separated {
                return Err(misplaced(&game, &part[text.len()..]));
            }
            separated = made;
        }
    }
    Ok(game)
}

const SEPARATORS: [char; 2] = ['/', '|'];

/// Why a separator is wrong here.
fn misplaced(game: &Game, separator: &str) -> String {
    let (position, made) = (game.position(), game.moves().len());
    if position.at_boundary() {
        return format!("'{separator}' after move {made} ends a series without moves");
    }
    let (played, allowance) = (position.played(), position.allowance());
    format!("'{separator}' after move {made}, but the series has {played} of {allowance} moves")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_default(text: &str) -> Result<Game, String> {
        read(text, &Options::default())
    }

    #[test]
    fn separators_stand_between_series() {
        for moves in [
            "e2e4 / e7e5 g8f6 / d2d4",
            "e2e4/e7e5 g8f6|d2d4",
            "e2e4 | e7e5 g8f6 |",
            "e2e4 / d7d5 g8f6 / f1b5 / c7c6 c6b5", // A check ends the series.
        ] {
            let text = format!("startpos moves {moves}");
            assert!(read_default(&text).is_ok(), "{text}: {:?}", read_default(&text).err());
        }
        for (moves, reason) in [
            ("e2e4 e7e5 / g8f6", "after move 2, but the series has 1 of 2 moves"),
            ("/ e2e4", "ends a series without moves"),
            ("e2e4 / / e7e5", "ends a series without moves"),
            ("e2e4 // e7e5", "ends a series without moves"),
        ] {
            let error = read_default(&format!("startpos moves {moves}")).unwrap_err();
            assert!(error.contains(reason), "{moves}: {error}");
        }
    }

    #[test]
    fn words_may_be_missing() {
        let game = read_default("series 4 moves e2e4 d2d4").unwrap();
        assert_eq!((game.position().turn(), game.position().played()), (4, 2));
        let game = read_default("variant italian").unwrap();
        assert_eq!(game.position().rules().name, "italian");
        assert!(read_default("").is_err());
    }

    #[test]
    fn options_fill_the_gaps() {
        let options = Options { series_length: Some(8), ..Options::default() };
        assert_eq!(read("startpos", &options).unwrap().position().turn(), 8);
        assert_eq!(read("startpos series 3", &options).unwrap().position().turn(), 3);
    }

    #[test]
    fn errors_name_the_guilty_word() {
        for (text, named) in [
            ("startpos moves e2e4 e7e5 e7e5", "move 3: e7e5 is illegal"),
            ("startpos moves e2e4 xyz", "move 2: 'xyz' is not a move"),
            ("startpos moves e2e4 e7e5 0000", "move 3: '0000' is not a move"),
            ("startpos series 0", "series: '0'"),
            ("startpos series 300", "turn '300'"),
            ("startpos series", "series needs a value"),
            ("startpos variant chess", "'chess'"),
            ("startpos variant italian variant italian", "variant is given twice"),
            ("startpos series 3 variant italian series 4", "series is given twice"),
            ("startpos e2e4", "'e2e4' is not understood"),
            ("here", "'here'"),
            ("fen", "board field is missing"),
            ("fen 8/8/8/8/8/8/8/8 w - - 0 1", "0 kings"),
        ] {
            let error = read_default(text).unwrap_err();
            assert!(error.contains(named), "{text}: {error}");
        }
    }
}
