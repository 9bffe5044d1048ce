//! `cargo xtask bench sentences`: how well sentences are divided, with and without the style prompt,
//! and what the repairs of the text change.
//!
//! The end of an utterance ends a sentence, even if its reference has no full stop there.

mod changes;
mod score;

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::languages::mix::Mix;
use super::{Listener, Options, Order, Recognition, Recordings};
use crate::bench::verdict;
use crate::cargo::target_folder;
use changes::Changes;
use score::Score;

/// The long recording, with its language.
const LONG: (&str, &str) = ("long/long_uk_10min.opus", "uk");

/// Folders of utterances, from which recordings with pauses are made, by language.
const PAUSED: [(&str, &str); 5] = [
    ("ru", "ru/asterisk"),
    ("es", "es/asterisk"),
    ("fr", "fr/asterisk"),
    ("it", "it/asterisk"),
    ("de", "de/thorsten"),
];

/// The same for recordings without pauses, in which windows end within sentences.
const RUNNING: [(&str, &str); 3] = [
    ("uk", "uk/glados"),
    ("ru", "ru/asterisk"),
    ("en", "en/ljspeech"),
];

/// Seconds of utterances in a made recording, at most.
const SECONDS: f64 = 600.0;

/// Goal: percentage points of word errors that the style may cost.
const GOAL_COST: f64 = 1.0;

/// A recording with the texts of its utterances.
struct Case {
    name: String,
    language: &'static str,
    file: PathBuf,
    texts: Vec<String>,
}

/// Runs the benchmark.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let Some(recordings) = Recordings::open(root)? else {
        return Ok(());
    };
    let folder = target_folder(root).join("bench-sentences");
    std::fs::create_dir_all(&folder)?;
    let cases = cases(&recordings, options, &folder)?;
    let mut styled = Listener::start(root, options)?;
    let mut unstyled = Listener::start_with(root, options, &["unstyled"])?;
    let mut changes = Changes::default();
    let mut lines = Vec::new();
    for case in &cases {
        let without = recognise(&mut unstyled, case)?;
        let with = recognise(&mut styled, case)?;
        changes.add(&case.texts, &without);
        changes.add(&case.texts, &with);
        lines.push((case, Score::of(case, &without), Score::of(case, &with)));
    }
    println!(
        "\nrecording        word errors %     right ends of    false ends   small first letters"
    );
    for (case, without, with) in &lines {
        println!(
            "{:<16} {:>5.1} -> {:>5.1} {:>6} -> {:>3} {:>3} {:>5} -> {:>3} {:>9} -> {:>3}",
            case.name,
            without.errors,
            with.errors,
            without.right,
            with.right,
            with.ends,
            without.wrong,
            with.wrong,
            without.small,
            with.small
        );
    }
    let is_cheap =
        |(_, without, with): &(_, Score, Score)| with.errors - without.errors <= GOAL_COST;
    verdict(
        lines.iter().all(is_cheap),
        "the style costs at most a point of word errors",
    );
    verdict(
        lines.iter().all(|(_, _, with)| with.small == 0),
        "no small first letters",
    );
    changes.report();
    Ok(())
}

/// The recordings, made where needed.
fn cases(recordings: &Recordings, options: &Options, folder: &Path) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    let (file, language) = LONG;
    if let Some(row) = recordings.rows.iter().find(|row| row.file == file)
        && options.includes(file)
        && let Some(stretches) = recordings.stretches(row)?
    {
        cases.push(Case {
            name: format!("{language}, long"),
            language,
            file: recordings.path(row),
            texts: stretches.into_iter().map(|stretch| stretch.text).collect(),
        });
    }
    let paused = PAUSED.map(|(language, from)| (language, from, "paused"));
    let running = RUNNING.map(|(language, from)| (language, from, "running"));
    for (language, from, kind) in paused.into_iter().chain(running) {
        let name = format!("{language}, {kind}");
        if !options.includes(&name) {
            continue;
        }
        let mix = match kind {
            "paused" => Mix::make(recordings, &[from], SECONDS)?,
            _ => Mix::running(recordings, from, SECONDS)?,
        };
        let file = folder.join(format!("{language}-{kind}.wav"));
        mix.write(&file)?;
        cases.push(Case {
            name,
            language,
            file,
            texts: mix.utterances(),
        });
    }
    Ok(cases)
}

fn recognise(listener: &mut Listener, case: &Case) -> Result<Recognition> {
    let answer = listener.recognise(&Order {
        file: &case.file,
        language: Some(case.language),
        vocabulary: &[],
    })?;
    match &answer.error {
        Some(error) => anyhow::bail!("{}: {error}", case.name),
        None => Ok(answer),
    }
}
