//! `cargo xtask lint`: what can be judged without running the program.

use std::path::Path;

use anyhow::{Result, bail};

use crate::step::{command, execute, step};
use crate::up::run_cargo;
use crate::{arrows, setup, wasm, web};

/// Every check, quickest first. All of them run, so that one run shows all there is to mend.
pub fn run_all(root: &Path) -> Result<()> {
    let clippy: &[&str] = &[
        "clippy",
        "--quiet",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "-D",
        "warnings",
    ];
    let mut failed = Vec::new();
    let mut judge = |outcome: Result<()>| {
        if let Err(error) = outcome {
            println!("   {error:#}");
            failed.push(format!("{error}"));
        }
    };
    judge(step(
        "Arrows between crates",
        "docs/architecture.md draws what is allowed",
        || arrows::check(root),
    ));
    judge(step("Formatting", "cargo fmt", || {
        run_cargo(
            root,
            &["fmt", "--all", "--check", "--", "--files-with-diff"],
        )
    }));
    judge(step(
        "Clippy",
        "the message above says what to change",
        || run_cargo(root, clippy),
    ));
    let web_folder = root.join("web");
    wasm::build(root)?;
    web::install(&web_folder)?;
    for (title, script) in [
        ("Web: lint and arrows", "lint"),
        ("Web: types", "typecheck"),
        ("Web: locales", "check:locales"),
        ("Web: unused code", "check:unused"),
    ] {
        judge(step(title, "", || {
            execute(command(&web_folder, "npm").args(["run", "--silent", script]))
        }));
    }
    if failed.is_empty() {
        return Ok(());
    }
    bail!("{}", failed.join("; "))
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
