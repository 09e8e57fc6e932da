//! The layers of the house: arrows run downwards, and what belongs to one layer stays there.
//!
//! `docs/architecture.md` tells what the layers are.

use std::path::{Path, PathBuf};

use crescendo::rules::variants;

/// The layers from the bottom up; each may use those before it. `lib.rs` and `main.rs` stand above
/// them all.
const LAYERS: [&str; 9] =
    ["board", "rules", "position", "notation", "search", "book", "engine", "protocol", "tools"];

/// What `lib.rs` exports again under a shorter name.
const OF_POSITION: [&str; 5] = ["Game", "Move", "Position", "Series", "Setup"];

/// The one exception below `engine`: threads that end before the call that started them does.
const WITH_SCOPED_THREADS: &str = "search/threads.rs";

/// No file may be longer, in lines.
const LONGEST_FILE: usize = 600;

/// A source file of a layer.
struct Source {
    /// The path below `src`.
    name: String,
    layer: &'static str,
    /// How many modules deep it lies: 1 for the root of a layer.
    depth: usize,
    text: String,
}

impl Source {
    /// The lines that are no comments, without the module of tests at the end.
    fn code(&self) -> impl Iterator<Item = &str> {
        let end = self.text.find("\n#[cfg(test)]\nmod tests {").unwrap_or(self.text.len());
        self.text[..end].lines().filter(|line| !line.trim_start().starts_with("//"))
    }

    fn assert_without(&self, words: &[&str]) {
        for line in self.code() {
            for word in words {
                assert!(!line.contains(word), "{}: {word} in '{}'", self.name, line.trim());
            }
        }
    }
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn source_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every source file of every layer.
fn sources() -> Vec<Source> {
    let root = source_folder();
    let mut paths = Vec::new();
    files_below(&root, &mut paths);
    let mut sources = Vec::new();
    for path in paths {
        let below = path.strip_prefix(&root).expect("a file of src").with_extension("");
        let mut modules: Vec<&str> =
            below.iter().map(|part| part.to_str().expect("an ASCII name")).collect();
        modules.pop_if(|last| *last == "mod");
        if modules == ["lib"] || modules == ["main"] {
            continue;
        }
        let layer = LAYERS.into_iter().find(|layer| *layer == modules[0]);
        let layer = layer.unwrap_or_else(|| panic!("{} belongs to no layer", below.display()));
        let (name, depth) = (format!("{}.rs", below.display()), modules.len());
        let text = std::fs::read_to_string(&path).expect("a source file");
        sources.push(Source { name, layer, depth, text });
    }
    let missing = LAYERS.iter().find(|layer| sources.iter().all(|source| source.layer != **layer));
    assert_eq!(missing, None, "a layer without files");
    sources
}

fn rank(layer: &str) -> usize {
    let found = LAYERS.iter().position(|known| *known == layer);
    found.unwrap_or_else(|| panic!("'{layer}' is no layer"))
}

/// The layers that a text names by paths that begin with `crate::`.
fn used_layers(text: &str) -> Vec<String> {
    let mut layers = Vec::new();
    for path in text.split("crate::").skip(1) {
        match path.strip_prefix('{') {
            Some(list) => layers.extend(first_words_of_list(list)),
            None => layers.push(first_word(path)),
        }
    }
    layers.iter_mut().filter(|name| OF_POSITION.contains(&name.as_str())).for_each(|name| {
        *name = "position".to_string();
    });
    layers
}

fn first_word(path: &str) -> String {
    path.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The first words of the members of a list whose opening brace has been read.
fn first_words_of_list(list: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                words.push(first_word(&list[start..at]));
                start = at + 1;
            }
            _ => {}
        }
        if c == '}' && depth == 0 && start > at {
            break;
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn paths_are_read_whole() {
    assert_eq!(used_layers("use crate::board::{Color, Role};"), ["board"]);
    assert_eq!(
        used_layers("use crate::{Position, rules::{A, b::C}, search};\nuse std::{fmt};"),
        ["position", "rules", "search"]
    );
    assert_eq!(
        used_layers("let a = crate::board::mix(crate::engine::NUMBER);"),
        ["board", "engine"]
    );
    assert_eq!(used_layers("use std::fmt; // in this crate"), [""; 0]);
}

#[test]
fn arrows_run_downwards() {
    let mut arrows = 0;
    for source in sources() {
        for used in used_layers(&source.text) {
            let (from, to) = (rank(source.layer), rank(&used));
            assert!(to <= from, "{} uses {used}, which stands above it", source.name);
            arrows += usize::from(to < from);
        }
    }
    assert!(arrows > 100, "only {arrows} arrows found");
}

/// Where paths begin with `super` only, a file does not reach beyond its own layer.
#[test]
fn nobody_climbs_out_of_his_layer() {
    for source in sources() {
        let too_far = "super::".repeat(source.depth);
        source.assert_without(&[&too_far]);
    }
}

#[test]
fn nothing_below_the_engine_has_threads_channels_or_output() {
    for source in sources().iter().filter(|source| rank(source.layer) < rank("engine")) {
        source.assert_without(&["crossbeam", "mpsc", "println!", "print!(", "stdout", "stderr"]);
        source.assert_without(&["std::io", "std::fs", "std::process", "std::env"]);
        if source.name == WITH_SCOPED_THREADS {
            source.assert_without(&["thread::spawn", ".spawn("]);
        } else {
            source.assert_without(&["std::thread", "thread::"]);
        }
    }
}

#[test]
fn vampirc_is_known_to_the_protocol_alone() {
    let (protocol, others): (Vec<_>, Vec<_>) =
        sources().into_iter().partition(|source| source.layer == "protocol");
    others.iter().for_each(|source| source.assert_without(&["vampirc"]));
    assert!(protocol.iter().any(|source| source.text.contains("vampirc_uci")));
}

#[test]
fn position_and_search_ask_the_rules_and_name_no_variant() {
    let mut names: Vec<String> =
        variants::ALL.iter().map(|rules| format!("\"{}\"", rules.name)).collect();
    names.push("variants::".to_string());
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for source in sources() {
        if matches!(source.layer, "board" | "position" | "search") {
            source.assert_without(&names);
            source.assert_without(&["rules.name =="]);
        }
    }
}

/// The page tells for all that threads share why any order is right.
#[test]
fn what_threads_share_is_accounted_for() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let page = std::fs::read_to_string(page).expect("a document");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let told = |name: &str| {
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let names = [format!("`{name}`"), format!("`{folder}/`")];
        rows.iter().any(|row| names.iter().any(|name| row.contains(name)))
    };
    let shared = |line: &str| {
        let words =
            ["Atomic", "Mutex", "RwLock", "Condvar", "OnceLock", "LazyLock", "thread_local"];
        words.iter().any(|word| line.contains(word)) && !line.trim_start().starts_with("use ")
    };
    let with_state: Vec<Source> =
        sources().into_iter().filter(|source| source.code().any(shared)).collect();
    assert!(with_state.len() >= 5);
    for source in with_state {
        assert!(
            told(&source.name),
            "docs/architecture.md does not tell what {} shares",
            source.name
        );
    }
}

#[test]
fn no_file_is_too_long() {
    let mut paths = Vec::new();
    files_below(&source_folder(), &mut paths);
    for path in paths {
        let lines = std::fs::read_to_string(&path).expect("a source file").lines().count();
        assert!(lines <= LONGEST_FILE, "{} has {lines} lines", path.display());
    }
}

/// The code that is looked at ends where the tests of a file begin.
#[test]
fn tests_stand_at_the_end_of_a_file() {
    for source in sources() {
        let parts: Vec<&str> = source.text.split("\n#[cfg(test)]\n").collect();
        assert!(parts.len() <= 2, "{} has test code in several places", source.name);
        if let [_, tests] = parts[..] {
            let end = tests.trim_end().strip_suffix("\n}");
            let whole = tests.starts_with("mod tests {") && end.is_some_and(|t| !t.contains("\n}"));
            assert!(whole, "{} goes on behind its tests", source.name);
        }
    }
}
