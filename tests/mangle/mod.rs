//! Texts that are almost right: the seeds of `tests/corpus`, cut, joined and spoilt at random.
//!
//! Proptest draws what is done to a seed, so a text that breaks something is shown with as few
//! changes as possible. `PROPTEST_CASES` sets how many are tried, and `PROPTEST_RNG_SEED` which.
#![allow(dead_code, reason = "each test file needs a part of this")]

use std::path::Path;

use proptest::prelude::*;

/// As many cases as a normal run has, or as the environment asks for.
pub fn config(cases: u32) -> ProptestConfig {
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    let defaults = ProptestConfig {
        failure_persistence: None,
        // Long runs reject in proportion.
        max_local_rejects: u32::MAX,
        max_global_rejects: u32::MAX,
        ..ProptestConfig::default()
    };
    if asked { defaults } else { ProptestConfig { cases, ..defaults } }
}

/// What is put into texts: edges of numbers, signs of all formats, letters of several bytes.
const STRANGE: [&str; 36] = [
    "-1",
    "0",
    "256",
    "9999",
    "65536",
    "99999999999999999999",
    "1e9",
    "é",
    "Ρ",
    "\u{feff}",
    "\u{2028}",
    "\u{1F600}",
    "\0",
    "\t",
    "\n",
    "\r\n",
    "\x1b[31m",
    " ",
    "/",
    "|",
    "-",
    "+",
    "=",
    ".",
    ":",
    ";",
    ",",
    "(",
    ")",
    "{",
    "}",
    "[",
    "\"",
    "\\",
    "$",
    "%",
];

/// Something done to a text; the numbers say where and how, counted round and round.
#[derive(Clone, Debug)]
enum Change {
    /// Another byte in place of one.
    Byte(usize, u8),
    /// Something strange put in.
    Insert(usize, usize),
    /// Bytes taken out.
    Remove(usize, usize),
    /// Bytes repeated.
    Repeat(usize, usize),
    /// A word in place of another, both of this text.
    Word(usize, usize),
    /// The end of another seed in place of the own.
    Graft(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let at = 0usize..1 << 16;
    prop_oneof![
        (at.clone(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        (at.clone(), 0..STRANGE.len()).prop_map(|(at, which)| Change::Insert(at, which)),
        (at.clone(), 1usize..20).prop_map(|(at, length)| Change::Remove(at, length)),
        (at.clone(), 1usize..20).prop_map(|(at, length)| Change::Repeat(at, length)),
        (at.clone(), at.clone()).prop_map(|(at, of)| Change::Word(at, of)),
        (at.clone(), at).prop_map(|(at, of)| Change::Graft(at, of)),
    ]
}

impl Change {
    fn apply(&self, text: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        let length = text.len().max(1);
        match *self {
            Change::Byte(at, byte) => {
                text.iter_mut().skip(at % length).take(1).for_each(|old| *old = byte);
            }
            Change::Insert(at, which) => {
                let at = (at % length).min(text.len());
                text.splice(at..at, STRANGE[which].bytes());
            }
            Change::Remove(at, count) => {
                let at = (at % length).min(text.len());
                text.drain(at..(at + count).min(text.len()));
            }
            Change::Repeat(at, count) => {
                let at = (at % length).min(text.len());
                let part = text[at..(at + count).min(text.len())].repeat(3);
                text.splice(at..at, part);
            }
            Change::Word(at, of) => {
                let mut words: Vec<&[u8]> = text.split(|&byte| byte == b' ').collect();
                let count = words.len();
                words[at % count] = words[of % count];
                *text = words.join(&b' ');
            }
            Change::Graft(at, of) => {
                let other = &seeds[of % seeds.len()];
                text.truncate(at % length);
                text.extend(&other[of % other.len().max(1)..]);
            }
        }
    }
}

/// The seeds of a file of the corpus, which lines of three dashes separate.
pub fn seeds(name: &str) -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.trim_end().split("\n---\n").map(|seed| seed.as_bytes().to_vec()).collect()
}

/// Bytes that are shown as text when a test fails.
#[derive(Clone)]
pub struct Text(pub Vec<u8>);

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

/// Seeds of a file, each with some changes or none.
pub fn mangled(name: &str) -> impl Strategy<Value = Text> + use<> {
    let seeds = seeds(name);
    let changes = proptest::collection::vec(change(), 0..6);
    (0..seeds.len(), changes).prop_map(move |(which, changes)| {
        let mut text = seeds[which].clone();
        changes.iter().for_each(|change| change.apply(&mut text, &seeds));
        Text(text)
    })
}

/// The same as text; what is no UTF-8 becomes the replacement character.
pub fn mangled_text(name: &str) -> impl Strategy<Value = String> + use<> {
    mangled(name).prop_map(|text| String::from_utf8_lossy(&text.0).into_owned())
}

/// Whether a message is one line that may be shown anywhere.
pub fn is_one_line(message: &str) -> bool {
    !message.is_empty() && message.len() < 500 && !message.contains(char::is_control)
}
