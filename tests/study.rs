//! `study`: which mates games have, which were missed, and what the other rule would have made of
//! them.

mod arena;

use std::path::Path;

use arena::Arena;

/// The games of `tests/data/study.txt`.
fn games() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/study.txt");
    path.to_str().expect("a name in Unicode").to_string()
}

/// What is printed by a study that succeeds.
fn study(arena: &Arena, arguments: &[&str]) -> String {
    let output = arena.command("study", arguments).output().expect("it runs");
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// What is found out about the games, in columns as in the CSV.
const FOUND: &str = "\
line,variant,result,last,mate,full,other,missed,unknown
3,scottish,white-checkmate,3,checkmate,yes,same,,
4,scottish,black-checkmate,4,checkmate,yes,same,,
5,scottish,black-checkmate,6,checkmate,yes,same,,
8,italian,white-progressive-checkmate,7,progressive-checkmate,yes,another,,
9,scottish,none,7,,,,7,
10,scottish,white-checkmate,3,checkmate,no,another,,
11,scottish,white-checkmate,2,checkmate,no,none,,
12,scottish,none,3,,,,3,
13,english,none,2,,,,,
14,takeall,white-takeall,3,takeall,yes,-,,
15,scottish,none,0,,,,,
16,italian,none,1,,,,,
17,,illegal,,,,,,
";

const SUMS: &str = "\
games: 12, and 1 illegal
results: white 5, black 2, draws 0, open 5
wins: 7: 5 by mate, 1 by Italian mate, 1 by taking everything; 5 with the last move of a full series
wins under the other rule of checks: 3 by the same series, 2 by another alone, 1 not at all, \
0 unknown, 1 without such a rule
turns: won 7, missed 2, none 29, unknown 0
(unknown: not decided within 2000000 nodes)
";

#[test]
fn every_game_is_told_and_the_sums_are_those_of_the_games() {
    let arena = Arena::new("study");
    let told = study(&arena, &[&games(), "--csv", "games.csv"]);
    assert_eq!(arena.read("games.csv"), FOUND);
    let lines: Vec<&str> = told.lines().collect();
    for (line, row) in lines.iter().zip(FOUND.lines()) {
        // Turns are listed with blanks, but no game here has more than one.
        let cells: Vec<&str> = line.split_whitespace().collect();
        let expected: Vec<&str> =
            row.split(',').map(|cell| if cell.is_empty() { "-" } else { cell }).collect();
        assert_eq!(cells, expected);
    }
    let (_, sums) = told.split_once("\n\n").expect("an empty line");
    assert!(sums.starts_with(SUMS), "{sums}");
    let (_, turns) = sums.split_once("\n\n").expect("another");
    let row = |number: &str| -> Vec<&str> {
        let of_turn = |line: &&str| line.split_whitespace().next() == Some(number);
        turns.lines().find(of_turn).expect("a turn").split_whitespace().collect()
    };
    let heads = ["turn", "white", "black", "draws", "open", "won", "missed", "none", "unknown"];
    assert_eq!(row("turn"), heads);
    assert_eq!(row("3"), ["3", "3", "0", "0", "1", "3", "1", "4", "0"]);
    assert_eq!(row("7"), ["7", "1", "0", "0", "1", "1", "1", "0", "0"]);
}

/// With too few nodes nothing is said that is not known: what is played is all there is.
#[test]
fn what_is_not_decided_is_unknown() {
    let arena = Arena::new("study-unknown");
    let told = study(&arena, &[&games(), "--nodes", "1", "--csv", "games.csv"]);
    let (few, enough) = (arena.read("games.csv"), FOUND);
    let cells = |text: &str| -> Vec<Vec<String>> {
        text.lines().map(|line| line.split(',').map(str::to_string).collect()).collect()
    };
    for (few, enough) in cells(&few).iter().zip(&cells(enough)) {
        assert_eq!(few[..6], enough[..6]);
        assert!(few[6] == enough[6] || few[6] == "unknown", "{few:?}");
        let missed_or_unknown = few[7] == enough[7] || few[8].ends_with(&enough[7]);
        assert!(missed_or_unknown, "{few:?}");
    }
    assert_eq!(cells(&few)[4][6], "unknown");
    assert_eq!(cells(&few)[4][8], "4 5 6");
    assert!(told.contains("\nturns: won 7, missed 0, none "), "{told}");
    assert!(told.contains("(unknown: not decided within 1 nodes)"));
}

#[test]
fn the_picture_has_a_bar_for_every_number() {
    let arena = Arena::new("study-plot");
    study(&arena, &[&games(), "--plot", "turns.svg"]);
    let svg = arena.read("turns.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    let bars = |name: &str| -> u64 {
        let title = format!("<title>{name} ");
        let counts = svg.split(&title).skip(1);
        counts.map(|rest| rest.split('<').next().unwrap().parse::<u64>().unwrap()).sum()
    };
    let drawn = ["white", "black", "draws", "open", "won", "missed", "none", "unknown"].map(bars);
    assert_eq!(drawn, [5, 2, 0, 5, 7, 2, 0, 0]);
}

#[test]
fn no_games_make_an_empty_table() {
    let arena = Arena::new("study-empty");
    arena.write("none.txt", "# nothing\n");
    let told = study(&arena, &["none.txt", "--csv", "games.csv", "--plot", "turns.svg"]);
    assert!(told.contains("\ngames: 0, and 0 illegal\n"), "{told}");
    assert_eq!(arena.read("games.csv").lines().count(), 1);
    assert!(arena.read("turns.svg").ends_with("</svg>\n"));
}

/// The engine's own games, in both forms in which a match writes them.
#[test]
fn games_of_a_match_are_studied_in_either_form() {
    let arena = Arena::new("study-match");
    let engine = format!("{};name=A;option.Hash=16", arena::CRESCENDO);
    let files = ["--jsonl", "games.jsonl", "--pgn", "games.pgn"];
    arena.run(&[&["--engine", &engine, "--games", "2", "--nodes", "200"], &files[..]].concat());
    let sums = |file| {
        let told = study(&arena, &[file, "--nodes", "20000"]);
        told.split_once("\n\n").expect("an empty line").1.to_string()
    };
    let (json, pgn) = (sums("games.jsonl"), sums("games.pgn"));
    assert!(json.starts_with("games: 2, and 0 illegal\n"), "{json}");
    // PGN begins with the normal array, JSON where the engines began.
    assert_eq!(json.lines().nth(1), pgn.lines().nth(1));
}

#[test]
fn wrong_files_are_one_sentence_and_left_alone() {
    let arena = Arena::new("study-wrong");
    arena.write("games.txt", "1.e4\n");
    for (arguments, reason) in [
        (&["none.txt"][..], "cannot open none.txt: "),
        (&["games.txt", "--csv", "./games.txt"], "./games.txt has the games"),
        (&["games.txt", "--plot", "games.txt"], "games.txt has the games"),
        (&["games.txt", "--csv", "no/such/folder"], "cannot write no/such/folder: "),
        (&["games.txt", "--nodes", "0"], "'0'"),
        (&["games.txt", "--series", "0"], "the turn '0'"),
    ] {
        let output = arena.command("study", arguments).output().expect("it runs");
        let error = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.lines().count() == 1 && error.contains(reason), "{error}");
    }
    assert_eq!(arena.read("games.txt"), "1.e4\n");
}

#[test]
fn an_endless_line_is_an_illegal_game() {
    let arena = Arena::new("study-endless");
    let score = "1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#";
    arena.write("games.txt", &format!("1.e4{}\n{score}\n", " ".repeat(3 << 20)));
    let told = study(&arena, &["games.txt"]);
    let result = |line: &str| line.split_whitespace().nth(2).map(str::to_string);
    let results: Vec<String> = told.lines().skip(1).take(2).filter_map(result).collect();
    assert_eq!(results, ["illegal", "white-checkmate"], "{told}");
}
