//! `cargo xtask bench vocabulary`: how many rare names are recognised correctly with and without
//! the user's vocabulary, and whether it causes terms to be recognised that nobody said.

use std::path::Path;

use anyhow::Result;

use super::{Listener, Options, Order, Recordings, Row, counts, plain};
use crate::bench::verdict;

/// Rare names and terms of the English recordings as a user would list them.
const SPOKEN: [&str; 14] = [
    "Quilter",
    "Hale",
    "Thornton",
    "Helstone",
    "Merneptah",
    "Ephraim",
    "Manasseh",
    "Judah",
    "Newberg",
    "Delmonico",
    "Gutenberg",
    "apomorphine",
    "rigor mortis",
    "ComfyUI",
];

/// Terms that occur in none of them.
const UNSPOKEN: [&str; 10] = [
    "Nebuchadnezzar",
    "Kierkegaard",
    "Ozymandias",
    "Kubernetes",
    "Szczecin",
    "Grafana",
    "Thessaloniki",
    "ibuprofen",
    "Okonkwo",
    "Przewalski",
];

/// Runs the benchmark.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let Some(recordings) = Recordings::open(root)? else {
        return Ok(());
    };
    let mut listener = Listener::start(root, options)?;
    let terms: Vec<String> = SPOKEN
        .iter()
        .chain(&UNSPOKEN)
        .map(|&term| term.to_owned())
        .collect();
    let mut sums = Sums::default();
    for row in recordings
        .rows
        .iter()
        .filter(|row| options.includes(&row.file))
    {
        let Some(truth) = truth(row) else { continue };
        let path = recordings.path(row);
        let mut hear = |vocabulary: &[String]| -> Result<Vec<String>> {
            let recognised = listener.recognise(&Order {
                file: &path,
                language: Some("en"),
                vocabulary,
            })?;
            Ok(recognised
                .words
                .iter()
                .flat_map(|word| plain(&word.text))
                .collect())
        };
        let spoken = SPOKEN.iter().any(|term| times(&truth.words, term) > 0);
        let without = if spoken { hear(&[])? } else { Vec::new() };
        let with = hear(&terms)?;
        sums.add(&row.file, &truth, &without, &with);
    }
    sums.report();
    Ok(())
}

/// The reference of a recording.
struct ReferenceWords {
    words: Vec<String>,
    /// Whether these are all words, or the keywords only.
    whole: bool,
}

/// The reference of an English recording, or of one without speech.
fn truth(row: &Row) -> Option<ReferenceWords> {
    let is_english = row.file.starts_with("en/")
        || row.file.starts_with("noisy/")
        || row.file.contains("hotwords");
    let is_empty = row.file.starts_with("hostile/")
        && row.transcript.as_deref() == Some("")
        && !row.file.contains("10h");
    match &row.transcript {
        Some(text) if is_english || is_empty => Some(ReferenceWords {
            words: plain(text),
            whole: true,
        }),
        // The frequency of a keyword is unknown; other terms must not occur.
        None if is_english && !row.keywords.is_empty() => Some(ReferenceWords {
            words: plain(&row.keywords.join(" ")),
            whole: false,
        }),
        _ => None,
    }
}

/// The number of occurrences of a term in a text.
fn times(text: &[String], term: &str) -> usize {
    let term = plain(term);
    text.windows(term.len())
        .filter(|some| *some == term)
        .count()
}

#[derive(Default)]
struct Sums {
    spoken: usize,
    without: usize,
    with: usize,
    inserted: usize,
    recordings: usize,
}

impl Sums {
    fn add(&mut self, file: &str, truth: &ReferenceWords, without: &[String], with: &[String]) {
        self.recordings += 1;
        for term in SPOKEN {
            let spoken = times(&truth.words, term);
            if spoken == 0 {
                continue;
            }
            let (before, after) = (
                times(without, term).min(spoken),
                times(with, term).min(spoken),
            );
            self.spoken += spoken;
            self.without += before;
            self.with += after;
            println!("  {term:<14} {before} -> {after} of {spoken}   {file}");
        }
        // Words of terms beyond those that were said; this also detects a list that was written
        // out.
        let in_truth = counts(&truth.words);
        let written = counts(with);
        for term in SPOKEN.iter().chain(&UNSPOKEN) {
            for word in plain(term) {
                let spoken = in_truth.get(word.as_str()).copied().unwrap_or(0);
                let found = written.get(word.as_str()).copied().unwrap_or(0);
                if found > spoken && (truth.whole || spoken == 0) {
                    println!("  {file}: \"{word}\" inserted");
                    self.inserted += found - spoken;
                }
            }
        }
    }

    fn report(&self) {
        println!(
            "\n{} recordings, {} rare names in them: {} right without the vocabulary, {} with it.",
            self.recordings, self.spoken, self.without, self.with
        );
        verdict(self.with > self.without, "the vocabulary helps");
        verdict(
            self.inserted == 0,
            &format!("{} terms inserted that nobody said (goal 0)", self.inserted),
        );
    }
}
