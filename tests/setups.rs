//! Which positions can be set up, and why others cannot.

use crescendo::Position;
use crescendo::rules::variants;

fn set_up(variant: &str, pfen: &str) -> Result<Position, String> {
    let rules = variants::find(variant).unwrap();
    Position::from_pfen(pfen, rules).map_err(|error| error.to_string())
}

#[test]
fn what_is_wrong_is_said() {
    for (pfen, complaint) in [
        ("", "the board field is missing"),
        ("8/8/8/8/8/8/8/8", "the side field is missing"),
        ("8/8/8/8/8/8/8 w - - 0 1", "is not eight ranks"),
        ("8/8/8/8/8/8/8/9 w - - 0 1", "is not eight ranks"),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "is not eight ranks"),
        ("4k3/8/8/8/8/8/8/4X3 w - - 0 1", "is not eight ranks"),
        ("4k3/8/8/8/8/8/8/4K3 white - - 0 1", "neither w nor b"),
        ("4k3/8/8/8/8/8/8/4K2R w Kx - 0 1", "castling field 'Kx'"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling field 'KK'"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling right K"),
        ("4k3/8/8/8/8/8/8/R4K2 w Q - 0 1", "castling right Q"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d 0 3", "en passant field 'd'"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6d6 0 3", "en passant field 'd6d6'"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - e6 0 3", "can have skipped e6"),
        ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 3", "can have skipped d6"),
        ("4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 3", "can have skipped e3"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "quiet turns '-1'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "turn '0'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 256", "turn '256'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 1", "nothing is expected at '1'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 | moves=3", "'moves=3'"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on a8"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "black has 0 kings"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "white has 2 kings"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "black has just moved and is in check"),
    ] {
        let error = set_up("scottish", pfen).expect_err(pfen);
        assert!(error.contains(complaint), "{pfen}: {error}");
        assert!(!error.contains('\n'));
    }
}

#[test]
fn each_variant_reads_what_means_something_to_it() {
    let odd = "4k3/8/8/3pP3/8/8/8/4K3 w KQ e6 0 3";
    assert!(set_up("scottish", odd).is_err());
    assert_eq!(set_up("logical", odd).unwrap().pfen(), "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 3");
    let marseillais = "4k3/8/8/8/8/8/8/4K3 w - - 0 300";
    assert!(set_up("marseillais", marseillais).is_ok());
    let kings = "k6k/8/8/8/8/8/8/8 w - - 0 1";
    assert_eq!(set_up("takeall", kings).unwrap_err(), "white has no unit");
    assert!(set_up("takeall", "k6k/8/8/8/8/8/8/N7 w - - 0 1").is_ok());
    let unmoved = "4k3/8/8/8/8/8/8/4K2R w Ke - 0 3";
    assert_eq!(set_up("italian-circe", unmoved).unwrap().pfen(), unmoved);
    assert_eq!(set_up("italian", unmoved).unwrap().pfen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 3");
    let many = "4k3/8/8/8/QQQQQQQQ/QQQQQQQ1/8/K1Q5 b - - 0 2";
    assert!(set_up("scottish", many).is_ok());
    assert_eq!(
        set_up("english", many).unwrap_err(),
        "white has 17 units, and at most 16 are counted"
    );
}

#[test]
fn short_and_foreign_texts_are_read_too() {
    let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b";
    for (text, pfen) in [
        (board.to_string(), format!("{board} - - 0 2")),
        (format!("{board} KQkq e3"), format!("{board} KQkq e3 0 2")),
        (format!("{board} KQkq e3 3 7"), format!("{board} KQkq e3 3 7")),
        (format!("{board} KQkq - | series=4 quiet=1"), format!("{board} KQkq - 1 4")),
        (format!("{board} KQkq - 0 1|series=2 progressive_ep=e3"), format!("{board} KQkq e3 0 2")),
    ] {
        assert_eq!(set_up("scottish", &text).unwrap().pfen(), pfen, "{text}");
    }
}
