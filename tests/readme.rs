//! What the documents show is true: the game and the commands of `README.md`, its table of
//! variants, and the counts of `docs/perft.md`. (`protocol_doc.rs` plays the sessions.)

mod common;
mod transcript;

use clap::Subcommand;
use common::{rows, text};
use crescendo::notation::Letters;
use crescendo::rules::variants;
use crescendo::tools::Tool;
use crescendo::tools::play::{Player, Table};
use crescendo::{Game, Move, Position, board::Color};
use transcript::{Block, assert_answers, blocks, document};

/// The cells of the rows of a table that begin with a name in backticks.
fn table_rows(text: &str) -> Vec<Vec<&str>> {
    text.lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// The rows of the table in a section of `README.md`.
fn table_of<'t>(readme: &'t str, section: &str) -> Vec<Vec<&'t str>> {
    let heading = format!("{section}\n");
    let found = readme.split("\n## ").find(|section| section.starts_with(&heading));
    table_rows(found.expect("a section"))
}

#[test]
fn the_table_of_subcommands_is_whole() {
    let readme = document("README.md");
    let mut shown: Vec<String> = table_of(&readme, "Subcommands")
        .iter()
        .map(|cells| cells[0].trim_matches('`').replace("crescendo ", ""))
        .collect();
    shown.sort();
    let command = Tool::augment_subcommands(clap::Command::new("crescendo"));
    let mut known: Vec<String> =
        command.get_subcommands().map(|tool| tool.get_name().to_string()).collect();
    known.sort();
    assert_eq!(shown, known);
}

#[test]
fn the_table_of_variants_is_the_catalogue() {
    let readme = document("README.md");
    let shown: Vec<(String, &str)> = table_of(&readme, "Variants")
        .into_iter()
        .map(|cells| (cells[0].trim_matches('`').to_string(), cells[1]))
        .collect();
    let catalogue: Vec<(String, &str)> =
        variants::ALL.iter().map(|rules| (rules.name.to_string(), rules.summary)).collect();
    assert_eq!(shown, catalogue);
}

/// The engine of a game that has been played already.
struct Script<'t> {
    series: std::vec::IntoIter<&'t str>,
}

impl Player for Script<'_> {
    fn choose(&mut self, game: &Game) -> Vec<Move> {
        let series = self.series.next().expect("the transcript has a series for each turn");
        let letters = Letters::find("english").expect("a language");
        game.position().read_series(series, letters).expect("a legal series")
    }
}

/// What the human types at the prompts of `color`, line by line.
fn typed(block: &Block, color: Color) -> Vec<&str> {
    let prompt = format!("{color}> ");
    block.lines.iter().filter_map(|line| line.strip_prefix(&prompt)).collect()
}

#[test]
fn the_game_was_played_like_this() {
    let readme = document("README.md");
    let block = &blocks(&readme, "console")[0];
    assert_eq!(block.lines[0], "$ crescendo play --color black");
    let numbered = |line: &&str| line.split_once('.').is_some_and(|(n, _)| n.parse::<u8>().is_ok());
    let series: Vec<&str> = block.lines.iter().map(String::as_str).filter(numbered).collect();
    assert_eq!(series.len(), 2);
    let script = Script { series: series.into_iter() };
    let human = Color::Black;
    let game = Game::new(Position::start(variants::default()));
    let letters = Letters::find("english").expect("a language");
    let input = typed(block, human);
    let mut output = Vec::new();
    let mut table = Table::new(game, human, letters, script);
    table.play(input.join("\n").as_bytes(), &mut output).expect("a game");
    // A terminal shows what is typed behind the prompt.
    let output = String::from_utf8(output).expect("text");
    let mut shown = String::new();
    for (part, typed) in output.split("black> ").zip(input.iter().map(Some).chain([None])) {
        shown.push_str(part);
        shown.extend(typed.map(|typed| format!("black> {typed}\n")));
    }
    let patterns: Vec<&str> = block.lines[1..].iter().map(String::as_str).collect();
    assert_answers("README.md", &patterns, &shown.lines().collect::<Vec<_>>());
}

/// A shell runs the commands, with the binary on its path and nothing to read.
#[cfg(unix)]
#[test]
fn the_commands_answer_like_this() {
    use std::process::{Command, Stdio};

    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_crescendo"));
    let folder = binary.parent().expect("a folder").display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let readme = document("README.md");
    let mut answered = 0;
    for block in &blocks(&readme, "console")[1..] {
        let command = block.lines[0].strip_prefix("$ ").expect("a command");
        let mut shell = Command::new("sh");
        let run = shell.args(["-c", command]).env("PATH", &path).stdin(Stdio::null());
        let output = run.output().expect("a shell");
        assert!(output.status.success(), "{command}: {output:?}");
        let said = String::from_utf8(output.stdout).expect("text");
        if let [_, expected @ ..] = &block.lines[..]
            && !expected.is_empty()
        {
            let patterns: Vec<&str> = expected.iter().map(String::as_str).collect();
            assert_answers(command, &patterns, &said.lines().collect::<Vec<_>>());
            answered += 1;
        }
    }
    assert!(answered >= 3);
}

/// The table of `docs/perft.md` has a row for each variant and turn, and those of them that an
/// independent implementation has counted agree.
#[test]
fn the_counts_shown_are_the_reference_counts() {
    let document = document("docs/perft.md");
    let shown = table_rows(&document);
    let expected: Vec<(String, String)> = variants::ALL
        .iter()
        .flat_map(|rules| (1..=3).map(|turn| (format!("`{}`", rules.name), turn.to_string())))
        .collect();
    let named: Vec<(String, String)> =
        shown.iter().map(|cells| (cells[0].to_string(), cells[1].to_string())).collect();
    assert_eq!(named, expected);
    let mut compared = 0;
    for row in rows("perft.jsonl").iter().filter(|row| text(row, "kind") == "perft") {
        let rules = variants::find(text(row, "variant")).expect("a variant");
        if Position::from_pfen(text(row, "fen"), rules) != Ok(Position::start(rules)) {
            continue;
        }
        let (name, turn) = (format!("`{}`", rules.name), row["turns"].to_string());
        let cells = shown.iter().find(|cells| cells[0] == name && cells[1] == turn);
        let shown: Vec<String> =
            cells.expect("a row")[2..7].iter().map(|cell| cell.replace(' ', "")).collect();
        let fields = ["count", "distinct", "mates", "stalemates", "checks"];
        assert_eq!(shown, fields.map(|field| row[field].to_string()), "{name} {turn}");
        compared += 1;
    }
    assert!(compared >= 25, "only {compared} rows compared");
}

#[test]
fn links_between_documents_lead_somewhere() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut followed = 0;
    for name in [
        "README.md",
        "clients/python/README.md",
        "cluster/README.md",
        "protocol.md",
        "docs/architecture.md",
        "docs/batch.md",
        "docs/dependencies.md",
        "docs/gui.md",
        "docs/counts.md",
        "docs/perft.md",
        "docs/player.md",
        "docs/reliability.md",
        "docs/solver.md",
        "docs/strength.md",
        "docs/study.md",
        "docs/testing.md",
    ] {
        let folder = root.join(name);
        let folder = folder.parent().expect("a folder");
        for link in document(name).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if !file.contains("://") {
                assert!(folder.join(file).exists(), "{name}: {link}");
                followed += 1;
            }
        }
    }
    assert!(followed >= 8, "only {followed} links found");
}
