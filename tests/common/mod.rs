//! What several test files share: reading the data files beside them.

use std::path::Path;

use serde_json::Value;

/// The rows of a file of JSON lines in `tests/data`.
pub fn rows(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// The text of a field.
pub fn text<'v>(row: &'v Value, field: &str) -> &'v str {
    row[field].as_str().unwrap_or_else(|| panic!("no text '{field}' in {row}"))
}
