//! `docs/dependencies.md` lists what `Cargo.toml` has, and every crate that is built has a licence
//! that asks for no more than to be named.

mod transcript;

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;
use transcript::document;

/// Licences under which anything may be built in.
const ALLOWED: [&str; 5] =
    ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0", "Zlib"];

/// The names below a heading of `Cargo.toml`, in order.
fn named(section: &str) -> Vec<String> {
    let manifest = document("Cargo.toml");
    let text = manifest.split(&format!("\n[{section}]\n")).nth(1).expect("a section");
    let own = text.split("\n[").next().unwrap_or_default();
    let mut names: Vec<String> =
        own.lines().filter_map(|line| Some(line.split_once('=')?.0.trim().to_string())).collect();
    names.sort();
    names
}

/// The rows of the two tables of the document: crate and licence.
fn shown() -> [Vec<(String, String)>; 2] {
    let text = document("docs/dependencies.md");
    let parts: Vec<&str> = text.split("|---|---|---|\n").skip(1).collect();
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        (cells[0].trim_matches('`').to_string(), cells[1].to_string())
    };
    let rows = |part: &&str| -> Vec<(String, String)> {
        part.lines().take_while(|line| line.starts_with('|')).map(row).collect()
    };
    let tables: Vec<_> = parts.iter().map(rows).collect();
    tables.try_into().expect("two tables")
}

/// The licence of every crate that is built on this machine, by name; the last version's.
fn licences() -> BTreeMap<String, String> {
    let cargo = std::env::var("CARGO").unwrap_or("cargo".to_string());
    let version = Command::new(&cargo).arg("-vV").output().expect("cargo runs");
    let version = String::from_utf8(version.stdout).expect("text");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let mut command = Command::new(&cargo);
    command.args(["metadata", "--offline", "--locked", "--format-version", "1"]);
    command.args(["--filter-platform", host]).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.output().expect("cargo runs");
    let read: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let field = |package: &Value, name: &str| package[name].as_str().unwrap_or("").to_string();
    let packages = read["packages"].as_array().expect("packages");
    packages.iter().map(|package| (field(package, "name"), field(package, "license"))).collect()
}

#[test]
fn the_tables_have_what_is_built_in() {
    for (table, section) in shown().iter().zip(["dependencies", "dev-dependencies"]) {
        let names: Vec<&str> = table.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, named(section), "{section}");
    }
}

#[test]
fn licences_are_as_shown_and_allowed() {
    let licences = licences();
    for (name, licence) in shown().concat() {
        assert_eq!(licences.get(&name), Some(&licence), "{name}");
    }
    let allows = |choice: &str| {
        choice.replace('/', " OR ").split(" OR ").any(|one| ALLOWED.contains(&one.trim()))
    };
    for (name, licence) in &licences {
        let mut parts = licence.split(" AND ").map(|part| part.trim_matches(['(', ')']));
        assert!(parts.all(allows), "{name}: {licence}");
    }
}
