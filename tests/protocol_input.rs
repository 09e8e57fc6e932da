//! Whatever is sent, the engine lives, answers, and says in one line what it does not understand.

mod client;
mod dice;

use client::Client;
use dice::Dice;

/// Lines from which others are made by cutting, joining and spoiling.
const GOOD: [&str; 20] = [
    "uci",
    "debug on",
    "setoption name MultiPV value 3",
    "setoption name UCI_Variant value italian-circe",
    "setoption name Move Overhead value 10",
    "setoption name SeriesLength value 4",
    "ucinewgame",
    "position startpos moves e2e4 e7e5 g8f6",
    "position startpos variant takeall series 5 moves e2e4 / e7e5 | g8f6",
    "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 3",
    "position fen r3k2r/8/8/8/3Pp3/8/8/R3K2R b KQkq d3 2 4 variant italian",
    "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 | series=3 quiet=2 progressive_ep=-",
    "go nodes 1 searchmoves e2e4 d2d4",
    "go movetime 1 depth 1",
    "fen",
    "legal",
    "status",
    "eval",
    "d",
    "help",
];

const SPOILERS: [&str; 14] = [
    "-1",
    "99999999999999999999999999",
    "256",
    "moves",
    "series",
    "variant",
    "|",
    "/",
    "e7e8k",
    "0000",
    "é",
    "\u{0}",
    "name",
    "value",
];

/// One of the good lines, mangled.
fn mangled(dice: &mut Dice) -> Vec<u8> {
    let mut words: Vec<&str> = GOOD[dice.roll(GOOD.len())].split(' ').collect();
    let other: Vec<&str> = GOOD[dice.roll(GOOD.len())].split(' ').collect();
    match dice.roll(5) {
        0 => words.truncate(dice.roll(words.len()) + 1),
        1 => words.extend(other),
        2 => words.insert(dice.roll(words.len() + 1), SPOILERS[dice.roll(SPOILERS.len())]),
        3 => {
            let at = dice.roll(words.len());
            words[at] = SPOILERS[dice.roll(SPOILERS.len())];
        }
        _ => words.reverse(),
    }
    let mut bytes = words.join(" ").into_bytes();
    if dice.roll(3) == 0 {
        let at = dice.roll(bytes.len());
        bytes[at] = dice.roll(256) as u8;
    }
    // Line ends would make two lines of one.
    bytes.retain(|&byte| byte != b'\n');
    bytes
}

#[test]
fn twenty_thousand_mangled_lines_leave_it_alive_and_right() {
    let mut dice = Dice(20);
    let mut client = Client::start();
    for _ in 0..100 {
        let mut lines = Vec::new();
        for _ in 0..200 {
            let line = mangled(&mut dice);
            // These would start something endless, or end the session.
            let text = String::from_utf8_lossy(&line).to_lowercase();
            if !["infinite", "ponder", "quit", "perft", "solve"].iter().any(|w| text.contains(w)) {
                lines.extend(line);
                lines.push(b'\n');
            }
        }
        client.send_bytes(&lines);
        client.ask(&["stop"]);
    }
    client.send("position startpos variant scottish series 1 moves e2e4 e7e5\nfen");
    let boundary = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 2";
    client.send("position startpos variant scottish series 1\nperft 2");
    let counts = "perft 8902 distinct 5362 mates 0 italianmates 0 stalemates 0 checks 12 time ";
    let lines = client.end();
    let [.., fen, perft] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(fen, &format!("fen {boundary} moves e7e5"));
    assert!(perft.starts_with(counts), "{perft}");
}

#[test]
fn garbage_is_one_line_of_answer_for_one_line() {
    let mut client = Client::start();
    for garbage in [
        &b"\x00\x01\x02\xff\xfe"[..],
        b"\x7fELF\x02\x01\x01\x00",
        b"GET / HTTP/1.1",
        "\u{feff}uci".as_bytes(),
        b"go\0infinite",
        b"\x1b[31mred",
        "позиция".as_bytes(),
    ] {
        client.send_bytes(garbage);
        let answer = client.ask(&[""]);
        assert_eq!(answer.len(), 1, "{answer:?}");
        assert!(answer[0].starts_with("info string error: "), "{}", answer[0]);
        assert!(!answer[0].contains(char::is_control), "{:?}", answer[0]);
    }
}

#[test]
fn a_line_of_megabytes_is_only_a_line() {
    let mut client = Client::start();
    for start in
        ["", "position fen ", "position startpos moves ", "setoption name ", "go ", "perft "]
    {
        let line = format!("{start}{}", "x".repeat(1 << 20));
        let answer = client.ask(&[&line]);
        let error = answer.iter().find(|line| line.starts_with("info string error: "));
        assert!(error.is_some_and(|line| line.len() < 250), "{start}: {answer:?}");
        client.ask(&["stop"]);
    }
    let words = client.ask(&[&"move ".repeat(400_000)]);
    assert_eq!(words.len(), 1);
    let game = format!(
        "position fen 7k/8/8/8/8/8/8/K7 w - - 0 1 variant marseillais-classic moves {}",
        "a1a2 a2a1 h8h7 h7h8 ".repeat(50_000)
    );
    assert_eq!(client.ask(&[&game]), [""; 0]);
    assert!(client.line("status").ends_with("result draw-dead"));
}

#[test]
fn blanks_tabs_and_line_ends_of_any_kind() {
    let mut client = Client::start();
    client.send_bytes(b"  isready \r\n\tPosition startpos   moves\te2e4\r\nfen\r\n");
    assert_eq!(client.next().unwrap(), "readyok");
    assert!(client.next().unwrap().starts_with("fen rnbqkbnr/pppppppp/8/8/4P3/"));
    assert_eq!(client.end(), [""; 0]);
}

#[test]
fn the_last_line_needs_no_end() {
    let mut client = Client::start();
    client.send_bytes(b"isready");
    assert_eq!(client.end(), ["readyok"]);
}
