//! Runs the real program.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// Returns the program with `arguments` and all streams piped.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damero"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program with `input` on its standard input and waits for its end.
pub fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    finish(command(arguments).spawn().unwrap(), input)
}

/// The same in another working directory.
pub fn run_in(folder: &Path, arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    finish(command(arguments).current_dir(folder).spawn().unwrap(), input)
}

fn finish(mut child: Child, input: impl AsRef<[u8]>) -> Output {
    // A program that ends early closes the pipe; that does not fail the test.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
}

/// Runs the program, which must succeed, and returns its standard output.
pub fn output(arguments: &[&str], input: impl AsRef<[u8]>) -> String {
    let output = run(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The path of a temporary file, removed on drop.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// Chooses a path that ends in `name` and is used by this process only.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("damero-test-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Self(path)
    }

    /// Returns the path as text.
    pub fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
