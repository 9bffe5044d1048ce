//! `cargo xtask gen`: generated files that are checked in.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::cargo::{cargo, run_cargo, target_folder};
use crate::step::{command, execute, step};
use crate::{arrows, setup, wasm, web};

/// The test that generates and checks the browser's constants of the rules.
const CONSTANTS: [&str; 6] = [
    "test",
    "--quiet",
    "--package",
    "slovo-rules",
    "--test",
    "web_constants",
];

/// Draws the arrows, writes `web/openapi.json` from the server, the browser's constants from the rules and that
/// document, and the browser's API types from the document.
pub fn run(root: &Path) -> Result<()> {
    setup::require_node()?;
    step("Drawing of the arrows", "", || arrows::write(root))?;
    step("OpenAPI document", "", || write_openapi(root))?;
    step("Constants of the rules", "", || write_constants(root))?;
    wasm::build(root, wasm::BuildMode::Quick, wasm::Lints::Skipped)?;
    web::install(&root.join("web"))?;
    step("Types of the API", "", || {
        execute(command(&root.join("web"), "npm").args(["run", "--silent", "gen:api"]))
    })
}

/// Fails if the browser's constants do not match the rules.
pub fn check_constants(root: &Path) -> Result<()> {
    run_cargo(root, &CONSTANTS)
}

fn write_constants(root: &Path) -> Result<()> {
    execute(
        command(root, cargo())
            .args(CONSTANTS)
            .env("SLOVO_WRITE_CONSTANTS", "1"),
    )
}

fn write_openapi(root: &Path) -> Result<()> {
    run_cargo(root, &["build", "--quiet", "--package", "slovo-server"])?;
    let output = command(root, target_folder(root).join("debug/slovo"))
        .arg("openapi")
        .output()
        .context("cannot start slovo")?;
    if !output.status.success() {
        bail!("slovo openapi: {}", String::from_utf8_lossy(&output.stderr));
    }
    fs::write(root.join("web/openapi.json"), output.stdout).context("cannot write web/openapi.json")
}
