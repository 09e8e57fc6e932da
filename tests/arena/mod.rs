//! A folder of its own in which a tool runs, and what it leaves there.
#![allow(dead_code, reason = "each test file needs a part of this")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// The engine under test, as a contestant.
pub const CRESCENDO: &str = env!("CARGO_BIN_EXE_crescendo");

/// An engine that misbehaves.
pub fn stub(misdeed: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/stub-engine.sh");
    format!("sh '{}' {misdeed}", script.display())
}

/// A folder that is there while the test runs.
pub struct Arena(PathBuf);

impl Arena {
    pub fn new(name: &str) -> Arena {
        let folder = format!("arena-{name}-{}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
        fs::create_dir_all(&path).expect("a folder");
        Arena(path)
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    pub fn write(&self, file: &str, text: &str) {
        fs::write(self.path(file), text).expect("a file");
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_default()
    }

    /// A run of a tool in this folder.
    pub fn command(&self, tool: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(CRESCENDO);
        command.arg(tool).args(arguments).current_dir(&self.0);
        command
    }

    /// Starts a match and does not wait for it.
    pub fn start(&self, arguments: &[&str]) -> Child {
        self.command("match", arguments).stdout(Stdio::piped()).spawn().expect("it runs")
    }

    fn output(&self, tool: &str, arguments: &[&str]) -> Output {
        self.command(tool, arguments).output().expect("it runs")
    }

    /// The output of a match that succeeds.
    pub fn run(&self, arguments: &[&str]) -> String {
        let output = self.output("match", arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// The error of a match that does not begin.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let output = self.output("match", arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).expect("text")
    }

    /// What `check` says of the games of a file, without the numbers of the lines.
    pub fn checked(&self, file: &str) -> Vec<String> {
        let output = self.output("check", &[file]);
        let text = String::from_utf8(output.stdout).expect("text");
        text.lines().filter_map(|line| Some(line.split_once(": ")?.1.to_string())).collect()
    }

    /// The finished games in `games.jsonl`.
    pub fn games(&self) -> Vec<Value> {
        let text = self.read("games.jsonl");
        text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // What is left behind does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}
