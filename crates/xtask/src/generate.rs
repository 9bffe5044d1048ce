//! `cargo xtask gen`: files that are made from others and checked in.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::step::{command, execute, step};
use crate::up::{run_cargo, target_folder};
use crate::{arrows, setup, wasm, web};

/// Draws the arrows, writes `web/openapi.json` from the server and the browser's API types from that.
pub fn run(root: &Path) -> Result<()> {
    setup::require_node()?;
    step("Drawing of the arrows", "", || arrows::write(root))?;
    step("OpenAPI document", "", || write_openapi(root))?;
    wasm::build(root, wasm::Way::Quick)?;
    web::install(&root.join("web"))?;
    step("Types of the API", "", || {
        execute(command(&root.join("web"), "npm").args(["run", "--silent", "gen:api"]))
    })
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
