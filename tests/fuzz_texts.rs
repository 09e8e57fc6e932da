//! Texts of positions and games that are almost right: they are read or refused in one line, never
//! misread; and what is read comes back when it is written.

mod mangle;

use crescendo::notation::{self, Letters, Style, pgn};
use crescendo::rules::{MAX_TURN, RuleSet, variants};
use crescendo::tools::{PositionArgs, StartArgs, check};
use crescendo::{Game, Position, Setup};
use mangle::{config, is_one_line, mangled, mangled_text};
use proptest::prelude::*;

fn any_rules() -> impl Strategy<Value = &'static RuleSet> {
    proptest::sample::select(&variants::ALL[..])
        .prop_map(|rules| variants::find(rules.name).expect("a name of the catalogue"))
}

fn any_letters() -> impl Strategy<Value = &'static Letters> {
    (0..notation::ALL.len()).prop_map(|index| &notation::ALL[index])
}

/// What `check` says of a text.
fn checked(text: &[u8], rules: &'static RuleSet, letters: &'static Letters) -> Vec<String> {
    let at = PositionArgs { variant: rules, fen: None, series: None };
    let (start, mut output) = (StartArgs { at, notation: letters }, Vec::new());
    check::check(text, &mut output, &start).expect("an answer");
    String::from_utf8(output).expect("text").lines().map(str::to_string).collect()
}

/// The squares and the side of a position text; empty squares are dots, however they were counted.
fn men(text: &str) -> String {
    let words = text.replace('|', " ");
    let letters = words.split_whitespace().take(2).flat_map(str::chars);
    let spelt = letters.map(|letter| match letter.to_digit(10) {
        Some(empty) => ".".repeat(empty as usize),
        None => letter.to_string(),
    });
    spelt.collect()
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn position_text_is_read_back_or_refused(text in mangled_text("pfen.txt")) {
        let setup: Setup = match text.parse() {
            Ok(setup) => setup,
            Err(error) => {
                prop_assert!(is_one_line(&error.to_string()), "{}", error);
                return Ok(());
            }
        };
        for rules in &variants::ALL {
            let Ok(position) = Position::from_setup(&setup, rules) else { continue };
            let pfen = position.pfen();
            let again = Position::from_pfen(&pfen, rules);
            prop_assert_eq!(again, Ok(position), "{}", pfen);
            prop_assert_eq!(men(&pfen), men(&text));
            for mv in position.legal_moves() {
                let mut next = position;
                prop_assert!(next.play(mv).is_ok(), "{} in {}", mv, pfen);
                // Setups have a highest number; play goes on behind it.
                let told = next.turn() <= rules.allowance.last_turn() && next.quiet_turns() <= MAX_TURN;
                if next.at_boundary() && !next.is_lost() && told {
                    let after = next.pfen();
                    prop_assert_eq!(Position::from_pfen(&after, rules), Ok(next), "{}", after);
                }
            }
        }
    }

    #[test]
    fn scores_are_read_and_written_back(
        text in mangled_text("scores.txt"), rules in any_rules(), letters in any_letters(),
    ) {
        let mut game = Game::new(Position::start(rules));
        if let Err(error) = game.play_score(&text, letters) {
            prop_assert!(is_one_line(&error.to_string()), "{}", error);
        }
        for style in [Style::San(letters), Style::Long] {
            let score = game.score(style);
            let mut again = Game::new(*game.start());
            prop_assert_eq!(again.play_score(&score, letters), Ok(()), "{}", score);
            prop_assert_eq!(again.moves(), game.moves());
        }
        let written = pgn::write(&game, &[("Result", "*"), ("Event", &text)]);
        let read = pgn::read(&written);
        prop_assert_eq!(read.len(), 1, "{}", written);
        let again = read[0].replay(*game.start()).expect("a game");
        prop_assert_eq!(again.moves(), game.moves(), "{}", written);
    }

    #[test]
    fn pgn_is_read_and_written_back(text in mangled_text("games.txt"), rules in any_rules()) {
        for read in pgn::read(&text) {
            let start = match read.start() {
                Some(pfen) => Position::from_pfen(pfen, rules),
                None => Ok(Position::start(rules)),
            };
            let Ok(start) = start else { continue };
            match read.replay(start) {
                Ok(game) => {
                    let written = pgn::write(&game, &[]);
                    let again = pgn::read(&written)[0].replay(start).expect("a game");
                    prop_assert_eq!(again.moves(), game.moves(), "{}", written);
                }
                Err(error) => prop_assert!(is_one_line(&error.to_string()), "{}", error),
            }
        }
    }

    #[test]
    fn every_score_of_a_file_has_its_answer(
        lines in proptest::collection::vec(mangled("scores.txt"), 1..4),
        rules in any_rules(), letters in any_letters(),
    ) {
        let lines: Vec<Vec<u8>> = lines.into_iter().map(|line| line.0).collect();
        let text = lines.join(&b'\n');
        let answers = checked(&text, rules, letters);
        let known = [": legal, ", ": illegal at turn ", ": illegal: "];
        for answer in &answers {
            prop_assert!(is_one_line(answer), "{}", answer);
            prop_assert!(known.iter().any(|known| answer.contains(known)), "{}", answer);
        }
        let lossy = String::from_utf8_lossy(&text).into_owned();
        let meant = |line: &&str| {
            let line = line.trim_start_matches('\u{feff}').trim();
            !line.is_empty() && !line.starts_with('#')
        };
        if !lossy.split('\n').find(meant).is_some_and(|line| pgn::begins(line.trim())) {
            prop_assert_eq!(answers.len(), lossy.split('\n').filter(meant).count(), "{}", lossy);
        }
    }

    #[test]
    fn any_file_of_games_is_answered(text in mangled("games.txt"), rules in any_rules()) {
        for answer in checked(&text.0, rules, Letters::english()) {
            prop_assert!(is_one_line(&answer), "{}", answer);
        }
    }
}
