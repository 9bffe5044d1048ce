//! Manual pages and completions, from the options themselves.

use std::fs;
use std::path::Path;

use anyhow::Result;
use clap::Command;
use clap_complete::{Shell, generate, generate_to};

/// The shells of packages.
const SHELLS: [Shell; 3] = [Shell::Bash, Shell::Zsh, Shell::Fish];

/// Prints the completions of a shell.
pub fn completions(mut command: Command, shell: Shell) {
    generate(shell, &mut command, "slovo", &mut std::io::stdout());
}

/// Writes `man/slovo.1`, a page for each command, and `completions/`.
pub fn write(mut command: Command, folder: &Path) -> Result<()> {
    let (man, completions) = (folder.join("man"), folder.join("completions"));
    fs::create_dir_all(&man)?;
    fs::create_dir_all(&completions)?;
    for shell in SHELLS {
        generate_to(shell, &mut command, "slovo", &completions)?;
    }
    clap_mangen::generate_to(command, man)?;
    Ok(())
}
