//! `cargo xtask mail`: previews of every mail.

use std::path::Path;

use anyhow::Result;

use crate::cargo::{run_cargo, target_folder};
use crate::step::{command, execute, step};

/// Builds the server, which then writes all mails below the target folder.
pub fn run(root: &Path) -> Result<()> {
    step("Building the server", "", || {
        run_cargo(root, &["build", "--quiet", "--package", "slovo-server"])
    })?;
    let binary = target_folder(root).join("debug/slovo");
    let folder = target_folder(root).join("mail");
    step("Mails (open this in a browser)", "", || {
        execute(
            command(root, binary)
                .args(["mail", "preview", "--out"])
                .arg(&folder),
        )
    })
}
