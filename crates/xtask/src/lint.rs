//! `cargo xtask lint`: static checks.

use std::path::Path;

use anyhow::{Result, bail};

use crate::cargo::run_cargo;
use crate::step::{command, execute, print_line, step};
use crate::{arrows, generate, setup, statements, wasm, web};

/// Checks that take a second: arrows between crates and modules, names of statements, and
/// formatting.
pub fn quick(root: &Path) -> Result<()> {
    all([
        step(
            "Arrows between crates and modules",
            "docs/architecture.md lists what is allowed and draws the current state",
            || arrows::check(root),
        ),
        step(
            "Names of SQL statements",
            "crates/db/src/core/statement.rs says how they are defined",
            || statements::check(root),
        ),
        step("Formatting", "cargo fmt", || {
            run_cargo(
                root,
                &["fmt", "--all", "--check", "--", "--files-with-diff"],
            )
        }),
    ])
}

/// Clippy as a separate run, which checks all dependencies again. The suite runs the lints during
/// its build instead ([`crate::suite`]).
pub fn clippy(root: &Path) -> Result<()> {
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
    step("Clippy", "the message above says what to change", || {
        run_cargo(root, clippy)
    })
}

/// The web app's lints, types, locales, unused code, copies of rules, and API types. Its packages
/// and the browser's rules must be installed.
pub fn web(root: &Path) -> Result<()> {
    let folder = root.join("web");
    all([
        ("Web: lint and arrows", "lint"),
        ("Web: types", "typecheck"),
        ("Web: locales", "check:locales"),
        ("Web: unused code", "check:unused"),
        ("Web: copies of the rules", "check:copies"),
        ("Web: types of the API are current", "check:api"),
    ]
    .map(|(title, script)| {
        step(title, "", || {
            execute(command(&folder, "npm").args(["run", "--silent", script]))
        })
    }))
}

/// Combines all failures, so that one run shows everything that needs fixing.
fn all(outcomes: impl IntoIterator<Item = Result<()>>) -> Result<()> {
    let failed: Vec<String> = outcomes
        .into_iter()
        .filter_map(Result::err)
        .map(|error| format!("{error:#}"))
        .collect();
    if failed.is_empty() {
        return Ok(());
    }
    bail!("{}", failed.join("; "))
}

/// `cargo xtask lint`: every check, and those of dependencies if their tools are installed.
pub fn run(root: &Path) -> Result<()> {
    setup::require_node()?;
    wasm::build(root, wasm::BuildMode::Quick, wasm::Lints::Denied)?;
    web::install(&root.join("web"))?;
    let constants = step("Constants of the rules", "cargo xtask gen", || {
        generate::check_constants(root)
    });
    all([
        quick(root),
        clippy(root),
        constants,
        web(root),
        dependencies(root),
    ])
}

/// Checks licences, sources and known vulnerabilities of dependencies.
pub fn dependencies(root: &Path) -> Result<()> {
    let crates = if setup::on_path("cargo-deny") {
        step(
            "Licences and sources of crates",
            "deny.toml says what is allowed",
            || run_cargo(root, &["deny", "check", "bans", "licenses", "sources"]),
        )
    } else {
        print_line("\n   skipped: cargo-deny is not installed (cargo install --locked cargo-deny)");
        Ok(())
    };
    let packages = step(
        "Known vulnerabilities of npm packages",
        "npm audit fix in web/",
        || execute(command(&root.join("web"), "npm").args(["audit", "--audit-level=low"])),
    );
    all([crates, packages])
}
