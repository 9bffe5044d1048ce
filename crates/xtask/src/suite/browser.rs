//! The parts in a real browser, each a project of `web/playwright.config.ts`.

use std::path::Path;

use anyhow::Result;

use super::results::Case;
use super::rust::RECOGNITION;
use super::{Part, finished_cases, report};
use crate::step::{command, step, succeeds};

/// Playwright projects: the tests of the first mock the server, those of the second run a server
/// for every worker.
const PAGES: &str = "pages";
const SERVER: &str = "server";

/// The part's name in the results.
pub fn label(part: Part) -> &'static str {
    if part == Part::Pages { "pages" } else { "e2e" }
}

/// Runs the tests of [`Part::Pages`] or [`Part::E2e`] against the built page.
pub fn tests(root: &Path, part: Part) -> Result<Vec<Case>> {
    let (title, project) = match part {
        Part::Pages => ("Browser tests against mocked responses", PAGES),
        _ => ("Browser tests against the server", SERVER),
    };
    playwright(root, title, &["--project", project], &[])
}

/// Runs Playwright with additional arguments and variables.
pub fn playwright(
    root: &Path,
    title: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Result<Vec<Case>> {
    step(title, "", || {
        let report = report(root, "browser.xml")?;
        let passed = succeeds(
            command(&root.join("web"), "npm")
                .args(["run", "--silent", "e2e", "--"])
                .args(arguments)
                .envs(variables.iter().copied())
                .envs(RECOGNITION)
                .env("NO_COLOR", "1")
                .env("SLOVO_JUNIT", &report),
        )?;
        finished_cases(passed, &report)
    })
}
