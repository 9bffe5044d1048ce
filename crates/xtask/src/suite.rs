//! `cargo xtask test`: the whole suite in a clone with nothing beside it.
//!
//! Every part runs even when an earlier one failed, so that one run shows all there is to mend;
//! the last line counts tests over all parts.

use std::path::Path;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use crate::postgres::Cluster;
use crate::step::{command, execute, execute_and_collect, step};
use crate::up::{cargo, run_cargo, target_folder};
use crate::{lint, nocodb, setup, wasm, web};

/// What to run; everything without options.
#[derive(Args)]
pub struct Options {
    /// Only these parts.
    #[arg(value_enum)]
    parts: Vec<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Formatting, lints, arrows, types, locales.
    Lint,
    /// All Rust tests, on SQLite and on a private PostgreSQL.
    Rust,
    /// The npm package of the rules, in Node.
    Wasm,
    /// The web app's own tests.
    Web,
    /// A real browser against the real server.
    E2e,
    /// The real NocoDB; only when it is named, alone.
    Nocodb,
}

/// How many tests a part ran, and whether all passed.
#[derive(Default)]
struct Tally {
    passed: u64,
    failed: u64,
    /// Of the passed ones, those that needed a second try.
    flaky: u64,
    broken_parts: Vec<&'static str>,
}

/// Runs the asked parts and fails when any test did.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    if options.parts.contains(&Part::Nocodb) {
        if options.parts.len() > 1 {
            bail!("nocodb is tested alone: `cargo xtask test nocodb`");
        }
        setup::ensure(&[setup::RUN])?;
        return nocodb::test(root);
    }
    let wanted = |part: Part| options.parts.is_empty() || options.parts.contains(&part);
    step(
        "What the machine needs",
        "install what is named above, then run this again",
        || {
            setup::require_node()?;
            setup::ensure(&[setup::RUN, setup::TEST])
        },
    )?;
    say_wider_runs(root);
    step("Rules for the browser (WASM)", "", || wasm::build(root))?;
    step("Packages of the web app", "is the network there?", || {
        web::install(&root.join("web"))
    })?;
    let mut tally = Tally::default();
    if wanted(Part::Lint) {
        tally.note("lint", step("Checks", "", || lint::run_all(root)));
    }
    if wanted(Part::Wasm) {
        tally.part("wasm", npm_test(&root.join("wasm-pkg"), "test"));
    }
    if wanted(Part::Web) {
        tally.part("web", npm_test(&root.join("web"), "test"));
    }
    if wanted(Part::Rust) || wanted(Part::E2e) {
        // The tests make the program, too, though of dependencies with more features: built on
        // its own before them, half of everything would be compiled twice.
        let build: &[&str] = if wanted(Part::Rust) {
            &["test", "--workspace", "--locked", "--no-run"]
        } else {
            &["build", "--locked", "--package", "slovo-server"]
        };
        step("Building the server", "", || run_cargo(root, build))?;
        step(
            "Speech models",
            "`slovo models list` shows where they come from",
            || {
                execute(
                    command(root, target_folder(root).join("debug/slovo")).args(["models", "pull"]),
                )
            },
        )?;
    }
    if wanted(Part::Rust) {
        tally.part("rust", rust_tests(root));
    }
    if wanted(Part::E2e) {
        step("Web app", "", || web::build(root))?;
        tally.part("e2e", npm_test(&root.join("web"), "e2e"));
    }
    tally.conclude()
}

/// Says whether this run takes in the wider set of recordings.
fn say_wider_runs(root: &Path) {
    let shared = root.join("../shared/audio/manifest.jsonl");
    if shared.is_file() {
        println!("   wider runs: shared/audio is there, its files are tested, too");
    } else {
        println!("   wider runs: shared/audio is not there, only the default runs are made");
    }
    println!("   wider runs: `cargo xtask llm --test` asks a real chat endpoint; not part of this");
    println!("   wider runs: `cargo xtask test nocodb` asks a real NocoDB; not part of this");
}

fn rust_tests(root: &Path) -> Result<(bool, Vec<String>)> {
    step("Rust tests", "", || {
        let cluster = Cluster::start()?;
        execute_and_collect(
            command(root, cargo())
                .args(["test", "--workspace", "--locked", "--no-fail-fast"])
                .env("SLOVO_TEST_POSTGRES", cluster.url()),
        )
    })
}

fn npm_test(folder: &Path, script: &str) -> Result<(bool, Vec<String>)> {
    step(
        &format!("npm run {script} in {}", folder.display()),
        "",
        || {
            web::install(folder)?;
            execute_and_collect(
                command(folder, "npm")
                    .args(["run", "--silent", script])
                    .env("NO_COLOR", "1"),
            )
        },
    )
}

impl Tally {
    fn note(&mut self, part: &'static str, outcome: Result<()>) {
        if let Err(error) = outcome {
            println!("   {error:#}");
            self.broken_parts.push(part);
        }
    }

    fn part(&mut self, part: &'static str, outcome: Result<(bool, Vec<String>)>) {
        match outcome {
            Ok((ok, lines)) => {
                let before = self.passed + self.failed;
                for line in &lines {
                    let (passed, failed) = counts(line);
                    self.passed += passed;
                    self.failed += failed;
                    self.flaky += flaky(line);
                }
                if self.passed + self.failed == before {
                    println!("   {part}: no test was run");
                    self.broken_parts.push(part);
                } else if !ok {
                    self.broken_parts.push(part);
                }
            }
            Err(error) => {
                println!("   {error:#}");
                self.broken_parts.push(part);
            }
        }
    }

    fn conclude(&self) -> Result<()> {
        println!("\n{} passed, {} failed", self.passed, self.failed);
        if self.flaky > 0 {
            println!("{} of them in a second try only", self.flaky);
        }
        if !self.broken_parts.is_empty() || self.failed > 0 {
            bail!("failed: {}", self.broken_parts.join(", "));
        }
        Ok(())
    }
}

/// Passed and failed tests named by the closing line of one of the runners in use.
fn counts(line: &str) -> (u64, u64) {
    let line = line.trim();
    let number_before = |word: &str| -> u64 {
        line.split(word)
            .next()
            .filter(|_| line.contains(word))
            .and_then(|head| head.trim_end().rsplit([' ', '(']).next()?.parse().ok())
            .unwrap_or(0)
    };
    // cargo test: `test result: ok. 12 passed; 0 failed; …`
    if line.starts_with("test result:") {
        return (number_before(" passed;"), number_before(" failed;"));
    }
    // node --test: `ℹ pass 12`, `# fail 0`
    for mark in ["ℹ ", "# "] {
        if let Some(rest) = line.strip_prefix(mark) {
            let mut words = rest.split(' ');
            let count = |text: Option<&str>| text.and_then(|text| text.parse().ok()).unwrap_or(0);
            return match words.next() {
                Some("pass") => (count(words.next()), 0),
                Some("fail") => (0, count(words.next())),
                _ => (0, 0),
            };
        }
    }
    // vitest: `Tests  1 failed | 12 passed (13)`; not `Test Files  …`
    if let Some(rest) = line.strip_prefix("Tests ") {
        let pick = |word: &str| {
            rest.split('|')
                .find_map(|part| {
                    part.trim()
                        .split(' ')
                        .collect::<Vec<_>>()
                        .windows(2)
                        .find_map(|pair| (pair[1] == word).then(|| pair[0].parse().ok()).flatten())
                })
                .unwrap_or(0)
        };
        return (pick("passed"), pick("failed"));
    }
    // Playwright: `12 passed (34.5s)`, `1 failed`, `1 flaky`
    let words: Vec<&str> = line.split(' ').collect();
    match words.as_slice() {
        [count, "passed", rest] if rest.starts_with('(') => (count.parse().unwrap_or(0), 0),
        [count, "failed"] => (0, count.parse().unwrap_or(0)),
        _ => (flaky(line), 0),
    }
}

/// Tests that passed in their second try, as Playwright names them: `1 flaky`.
fn flaky(line: &str) -> u64 {
    line.trim()
        .strip_suffix(" flaky")
        .and_then(|count| count.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{counts, flaky};

    #[test]
    fn closing_lines_of_every_runner_are_read() {
        let cargo =
            "test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; finished in 1s";
        assert_eq!(counts(cargo), (12, 3));
        assert_eq!(counts("ℹ pass 7"), (7, 0));
        assert_eq!(counts("# fail 2"), (0, 2));
        assert_eq!(counts("      Tests  1 failed | 41 passed (42)"), (41, 1));
        assert_eq!(counts("      Tests  41 passed (41)"), (41, 0));
        assert_eq!(counts(" Test Files  3 passed (3)"), (0, 0));
        assert_eq!(counts("  9 passed (1.2m)"), (9, 0));
        assert_eq!((counts("  2 flaky"), flaky("  2 flaky")), ((2, 0), 2));
        assert_eq!(counts("  2 failed"), (0, 2));
    }

    #[test]
    fn other_lines_count_nothing() {
        for line in [
            "",
            "running 3 tests",
            "test a ... ok",
            "ℹ tests 9",
            "all passed",
        ] {
            assert_eq!(counts(line), (0, 0), "{line}");
        }
    }
}
