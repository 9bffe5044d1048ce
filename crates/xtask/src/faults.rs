//! `cargo xtask faults`: users work while processes are killed at random moments.

use std::path::Path;

use anyhow::Result;
use clap::Args;

use crate::models;
use crate::step::{command, execute, step};

/// Options of `cargo xtask faults`.
#[derive(Args)]
pub struct Options {
    /// How many users work at the same time
    #[arg(long, default_value_t = 20)]
    users: u32,
    /// Jobs of each user
    #[arg(long, default_value_t = 10)]
    jobs: u32,
    /// How long the database is away at the beginning, in seconds
    #[arg(long, default_value_t = 60)]
    outage: u32,
    /// Decides what is killed when [default: another one each time]
    #[arg(long)]
    seed: Option<u64>,
}

/// Runs the test that every change runs with a few users, with as many as asked for, and again with an
/// object store if one is installed, and prints what was killed.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    models::run(root, &models::Options::default())?;
    // Different for each run, which is all that is needed.
    let seed = options.seed.unwrap_or_else(|| std::process::id().into());
    let Options {
        users,
        jobs,
        outage,
        ..
    } = options;
    println!("To see the same again: cargo xtask faults --seed {seed}");
    step("Users at work while processes are killed", "", || {
        execute(
            command(root, "cargo")
                .args(["test", "--workspace", "--locked", "--test", "killed"])
                // One after the other: each needs the cores for itself.
                .args(["--", "faults::", "--nocapture", "--test-threads=1"])
                .env(
                    "SLOVO_TEST_FAULTS",
                    format!("{users},{jobs},{outage},{seed}"),
                ),
        )
    })
}
