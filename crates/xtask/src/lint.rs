//! `cargo xtask lint`: what can be judged without running the program.

use std::path::Path;

use anyhow::Result;

use crate::step::{command, execute, step};
use crate::up::run_cargo;
use crate::{arrows, setup, wasm, web};

/// Every check, quickest first.
pub fn run_all(root: &Path) -> Result<()> {
    step(
        "Arrows between crates",
        "docs/architecture.md draws what is allowed",
        || arrows::check(root),
    )?;
    step("Formatting", "cargo fmt", || {
        run_cargo(root, &["fmt", "--all", "--check"])
    })?;
    step("Clippy", "the message above says what to change", || {
        run_cargo(
            root,
            &[
                "clippy",
                "--quiet",
                "--workspace",
                "--all-targets",
                "--locked",
                "--",
                "-D",
                "warnings",
            ],
        )
    })?;
    web_checks(root)
}

/// Lints, types, locales and unused code of the web app.
pub fn web_checks(root: &Path) -> Result<()> {
    let web_folder = root.join("web");
    wasm::build(root)?;
    web::install(&web_folder)?;
    for (title, script) in [
        ("Web: lint and arrows", "lint"),
        ("Web: types", "typecheck"),
        ("Web: locales", "check:locales"),
        ("Web: unused code", "check:unused"),
    ] {
        step(title, "", || {
            execute(command(&web_folder, "npm").args(["run", "--silent", script]))
        })?;
    }
    Ok(())
}

/// [`run_all`], and the checks of dependencies where their tools are there.
pub fn run(root: &Path) -> Result<()> {
    setup::require_node()?;
    run_all(root)?;
    if setup::on_path("cargo-deny") {
        step(
            "Licences and sources of crates",
            "deny.toml says what is allowed",
            || run_cargo(root, &["deny", "check", "bans", "licenses", "sources"]),
        )?;
    } else {
        println!("\n   skipped: cargo-deny is not installed (cargo install --locked cargo-deny)");
    }
    step(
        "Known holes in npm packages",
        "npm audit fix in web/",
        || execute(command(&root.join("web"), "npm").args(["audit", "--audit-level=low"])),
    )
}
