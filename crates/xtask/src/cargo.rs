//! The cargo that started this program, and where it builds.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::step::{command, execute};

/// Runs the cargo that started this program.
pub fn run_cargo(root: &Path, arguments: &[&str]) -> Result<()> {
    execute(command(root, cargo()).args(arguments))
}

/// The cargo that started this program.
pub fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Cargo's target folder.
pub fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}
