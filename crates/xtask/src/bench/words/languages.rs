//! `cargo xtask bench languages`: recordings in which the language changes, and short ones, with
//! `auto`.
//!
//! Peers in the same run: the same speech cut by hand where the language changes, each piece with
//! `auto`, and each piece in its known language. The cost of `auto` is measured on recordings of
//! one language, beside a run in that language.

pub(super) mod mix;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use super::{Listener, Options, Order, Recognition, Recordings, Row, Step, align, plain};
use crate::bench::verdict;
use crate::cargo::target_folder;
use mix::{Mix, Turn};

/// Made recordings: name, and the folders of their languages' utterances.
const MIXES: [(&str, &[&str]); 2] = [
    ("uk ru en", &["uk/glados", "ru/asterisk", "en/librispeech"]),
    ("es fr it", &["es/asterisk", "fr/asterisk", "it/asterisk"]),
];

/// Seconds of speech of each language in a made recording.
const SECONDS_EACH: f64 = 180.0;

/// Recordings of one language, for the cost of `auto`.
const LONG: [(&str, &str); 2] = [
    ("long/long_uk_10min.opus", "uk"),
    ("long/long_en_12min.opus", "en"),
];

/// The short clips: their folder, language, number, and lengths in seconds.
const CLIPS: (&str, &str, usize, std::ops::Range<f64>) = ("uk/glados", "uk", 25, 1.5..4.0);

/// Goal: the share of the words that cutting by hand gets right, for each language.
const GOAL_SHARE: f64 = 0.9;

/// Goal: processor time of `auto` as a multiple of a known language's.
const GOAL_COST: f64 = 1.3;

/// Goal: short clips whose language is right.
const GOAL_CLIPS: usize = 24;

/// Runs the benchmark.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let Some(recordings) = Recordings::open(root)? else {
        return Ok(());
    };
    let folder = target_folder(root).join("bench-languages");
    std::fs::create_dir_all(&folder)?;
    let mut listener = Listener::start(root, options)?;
    for (name, languages) in MIXES {
        if options.includes(name) {
            let mix = Mix::make(&recordings, languages, SECONDS_EACH)?;
            mixed(&mut listener, name, &mix, &folder)?;
        }
    }
    if options.includes("clips") {
        clips(&mut listener, &recordings)?;
    }
    for (file, language) in LONG {
        if options.includes(file) {
            cost(&mut listener, &recordings.folder.join(file), file, language)?;
        }
    }
    Ok(())
}

/// The words of one language: how many there are, and how many each way of recognising got right.
#[derive(Default)]
struct CorrectWords {
    words: usize,
    auto: usize,
    /// Of those, in a segment with the right language.
    named: usize,
    by_hand: usize,
    known: usize,
}

/// A recording in which the language changes.
fn mixed(listener: &mut Listener, name: &str, mix: &Mix, folder: &Path) -> Result<()> {
    let file = folder.join("mix.wav");
    mix.write(&file)?;
    let auto = transcribe(listener, &file, None)?;
    let mut all: BTreeMap<&str, CorrectWords> = BTreeMap::new();
    for turn in &mix.turns {
        let piece = folder.join("piece.wav");
        mix.write_turn(turn, &piece)?;
        let by_hand = transcribe(listener, &piece, None)?;
        let known = transcribe(listener, &piece, Some(&turn.language))?;
        let right = all.entry(&turn.language).or_default();
        let truth = plain(&turn.text);
        right.words += truth.len();
        let (found, named) = right_words(&truth, &auto, turn);
        right.auto += found;
        right.named += named;
        right.by_hand += right_words(&truth, &by_hand, &turn.alone()).0;
        right.known += right_words(&truth, &known, &turn.alone()).0;
    }
    println!(
        "\n══ {name}, {} turns, {:.1} minutes, {:.1} s of processor time\n",
        mix.turns.len(),
        mix.seconds() / 60.0,
        auto.cpu
    );
    println!("language  words  auto %  with its language %  by hand %  known %  auto / by hand");
    for (language, right) in &all {
        let percent = |count: usize| 100.0 * count as f64 / right.words as f64;
        println!(
            "{language:<8} {:>6} {:>7.1} {:>20.1} {:>10.1} {:>8.1} {:>15.2}",
            right.words,
            percent(right.auto),
            percent(right.named),
            percent(right.by_hand),
            percent(right.known),
            right.auto as f64 / right.by_hand.max(1) as f64
        );
    }
    let reached = all
        .values()
        .all(|right| right.auto as f64 >= GOAL_SHARE * right.by_hand as f64);
    verdict(reached, "90 % of cutting by hand, in each language");
    Ok(())
}

/// The number of a turn's words that are right, and of those in a segment with the right language.
fn right_words(truth: &[String], answer: &Recognition, turn: &Turn) -> (usize, usize) {
    let words: Vec<(String, &str)> = answer
        .words
        .iter()
        .filter(|word| {
            let middle = f64::midpoint(word.start, word.end);
            (turn.start..turn.end).contains(&middle)
        })
        .flat_map(|word| {
            let language = word.language.as_deref().unwrap_or_default();
            plain(&word.text)
                .into_iter()
                .map(move |text| (text, language))
        })
        .collect();
    let written: Vec<String> = words.iter().map(|(text, _)| text.clone()).collect();
    let same = align(truth, &written)
        .into_iter()
        .filter_map(|step| match step {
            Step::Same(_, place) => Some(place),
            _ => None,
        });
    let places: Vec<usize> = same.collect();
    let named = places.iter().filter(|&&at| words[at].1 == turn.language);
    (places.len(), named.count())
}

/// Short clips, each a recording of its own.
fn clips(listener: &mut Listener, recordings: &Recordings) -> Result<()> {
    let (folder, language, count, lengths) = CLIPS;
    let is_clip = |row: &&Row| {
        row.file.starts_with(folder) && row.seconds.is_some_and(|length| lengths.contains(&length))
    };
    let mut wrong = Vec::new();
    let mut tried = 0;
    for row in recordings.rows.iter().filter(is_clip).take(count) {
        let answer = transcribe(listener, &recordings.path(row), None)?;
        tried += 1;
        if answer.language.as_deref() != Some(language) {
            let found = answer.language.unwrap_or_else(|| "no speech".to_owned());
            wrong.push(format!("{}: {found}", row.file));
        }
    }
    println!(
        "\n══ {tried} short clips in {language}: {} right",
        tried - wrong.len()
    );
    wrong.iter().for_each(|line| println!("   {line}"));
    verdict(tried - wrong.len() >= GOAL_CLIPS, "24 of 25 short clips");
    Ok(())
}

/// The cost of `auto` on a recording of one language.
fn cost(listener: &mut Listener, file: &Path, name: &str, language: &str) -> Result<()> {
    let known = transcribe(listener, file, Some(language))?;
    let auto = transcribe(listener, file, None)?;
    let ratio = auto.cpu / known.cpu;
    let text = |answer: &Recognition| -> Vec<String> {
        answer.words.iter().map(|word| word.text.clone()).collect()
    };
    let (known_text, auto_text) = (text(&known), text(&auto));
    let same = align(&known_text, &auto_text);
    let same = same
        .iter()
        .filter(|step| matches!(step, Step::Same(..)))
        .count();
    println!(
        "\n══ {name}: {:.1} s in {language}, {:.1} s with auto, {ratio:.2}; {:.1} % of the words are the same",
        known.cpu,
        auto.cpu,
        100.0 * same as f64 / known_text.len().max(1) as f64
    );
    verdict(ratio <= GOAL_COST, "at most 1.3 of a known language");
    Ok(())
}

fn transcribe(listener: &mut Listener, file: &Path, language: Option<&str>) -> Result<Recognition> {
    let answer = listener.recognise(&Order {
        file,
        language,
        vocabulary: &[],
    })?;
    match &answer.error {
        Some(error) => anyhow::bail!("{}: {error}", file.display()),
        None => Ok(answer),
    }
}
