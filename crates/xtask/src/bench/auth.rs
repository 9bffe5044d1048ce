//! `cargo xtask bench auth`: the costs of signing in and of checking a token.
//!
//! Baselines, in the same run: one argon2 hash for a sign-in; the same server's action without a
//! session for one that only checks the token; and a sign-in to an unknown account for a sign-in
//! with a wrong password, which must be indistinguishable.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use argon2::{Algorithm, Argon2, Params, Version};
use serde::Deserialize;

use super::{output, verdict};
use crate::cargo::target_folder;
use crate::step::{command, execute, step};

/// Cost of a hash with the server's defaults: KiB, passes, lanes.
const COST: (u32, u32, u32) = (19 * 1024, 2, 1);

/// Hashes that are timed alone.
const HASHES: usize = 100;

/// Most time that checking a token may add to a request, in microseconds.
const TOKEN_US: f64 = 50.0;

/// Most time of a sign-in besides its hash, in microseconds: network stack, database commit to
/// disk.
const SIGN_IN_US: f64 = 5000.0;

/// Standard score of the rank sum from which two samples count as different.
const SCORE: f64 = 3.0;

#[derive(Deserialize)]
struct Figures {
    without_us: f64,
    with_us: f64,
    known_us: f64,
    unknown_us: f64,
    right_us: f64,
    score: f64,
}

/// Runs the benchmark.
pub fn run(root: &Path) -> Result<()> {
    step("Building the server (release)", "", || {
        execute(command(root, "cargo").args(["build", "--release", "--package", "slovo-server"]))
    })?;
    let hash = single_hash_time()?;
    let printed = output(
        command(root, "python3")
            .arg(root.join("crates/xtask/src/bench/auth.py"))
            .arg(target_folder(root).join("release/slovo")),
    )?;
    print(
        hash,
        &serde_json::from_str(&printed).context("the script printed no figures")?,
    );
    Ok(())
}

/// Median time of one hash alone, in microseconds.
fn single_hash_time() -> Result<f64> {
    let (memory, passes, lanes) = COST;
    let params = Params::new(memory, passes, lanes, None).map_err(|error| anyhow!("{error}"))?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let mut times = Vec::with_capacity(HASHES);
    for _ in 0..HASHES {
        let started = Instant::now();
        let mut hash = [0; 32];
        argon2
            .hash_password_into(b"Correct-Horse-7", b"sixteen bytes...", &mut hash)
            .map_err(|error| anyhow!("{error}"))?;
        times.push(started.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[HASHES / 2])
}

fn print(hash: f64, figures: &Figures) {
    let Figures {
        without_us,
        with_us,
        known_us,
        unknown_us,
        right_us,
        score,
    } = figures;
    println!(
        "one hash {hash:.0} µs; sign-in: right {right_us:.0}, wrong {known_us:.0}, unknown address {unknown_us:.0} µs"
    );
    println!("a request without a session {without_us:.0} µs, with one {with_us:.0} µs");
    let added = with_us - without_us;
    verdict(
        added <= TOKEN_US,
        &format!("checking the token adds {added:.0} µs (goal {TOKEN_US} µs)"),
    );
    verdict(
        right_us - hash <= SIGN_IN_US,
        &format!(
            "a sign-in takes {:.2} of one hash, {:.1} ms more (goal {} ms)",
            right_us / hash,
            (right_us - hash) / 1000.0,
            SIGN_IN_US / 1000.0
        ),
    );
    verdict(
        score.abs() <= SCORE,
        &format!(
            "wrong password and unknown address differ by a standard score of {score:+.1} (goal within {SCORE})"
        ),
    );
}
