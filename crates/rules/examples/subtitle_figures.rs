//! Measures the readability of an hour of subtitles: `cargo run --release -p slovo-rules --example
//! subtitle_figures -- TRANSCRIPT.json …`.
//!
//! Each file is a transcript from `slovo transcribe --format json`, or any JSON with `segments` of
//! `start`, `end`, `speaker` and `text`. They are concatenated until they fill an hour. Segments
//! without words get simulated word times: by length, with pauses after punctuation, and uneven as
//! in speech.

use std::error::Error;
use std::fs;

use serde_json::Value;
use slovo_rules::subtitles::cues::{Cue, SpokenSegment, cues};
use slovo_rules::subtitles::lines;
use slovo_rules::transcript::{Segment, Word};

/// Seconds.
const HOUR: f64 = 3600.0;
/// Maximum words of a sentence in a text without punctuation.
const MAX_WORDS: usize = 16;

/// A pseudorandom generator with the same results on all platforms.
struct Rng(u64);

impl Rng {
    /// From 0 to 1.
    fn roll(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        f64::from(u32::try_from(self.0 >> 33).unwrap_or(0)) / f64::from(u32::MAX >> 1)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut texts = Vec::new();
    for path in std::env::args().skip(1) {
        texts.push(serde_json::from_str::<Value>(&fs::read_to_string(path)?)?);
    }
    let segments = hour(&texts);
    let duration = segments.last().map_or(0.0, |last| last.end);
    let layout = cues(segments.iter().map(SpokenSegment::from), duration);
    report(&segments, &layout);
    Ok(())
}

/// The texts concatenated, repeatedly if needed, until they fill an hour.
fn hour(texts: &[Value]) -> Vec<Segment> {
    let mut dice = Rng(7);
    let mut names: Vec<String> = Vec::new();
    let mut segments = Vec::new();
    let mut from = 0.0;
    while from < HOUR && !texts.is_empty() {
        for text in texts {
            let listed = text["segments"].as_array().map_or(&[][..], Vec::as_slice);
            let mut to = from;
            for segment in listed {
                let start = from + segment["start"].as_f64().unwrap_or(0.0);
                let end = from + segment["end"].as_f64().unwrap_or(0.0);
                if start >= HOUR {
                    return segments;
                }
                to = end.max(to);
                let words = words(segment, from, start, end, &mut dice);
                let speaker = segment["speaker"]
                    .as_str()
                    .map(|name| label(name, &mut names));
                sentences(words, speaker.as_deref(), &mut segments);
            }
            from = to + 1.0;
        }
    }
    segments
}

/// `SPEAKER_n` for a name.
fn label(name: &str, names: &mut Vec<String>) -> String {
    let position = names.iter().position(|entry| entry == name);
    let number = position.unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    });
    format!("SPEAKER_{number}")
}

/// The words of a segment: its own, or with simulated times.
fn words(segment: &Value, from: f64, start: f64, end: f64, dice: &mut Rng) -> Vec<Word> {
    let listed = segment["words"].as_array().map_or(&[][..], Vec::as_slice);
    if !listed.is_empty() {
        let words = listed.iter().map(|word| Word {
            start: from + word["start"].as_f64().unwrap_or(0.0),
            end: from + word["end"].as_f64().unwrap_or(0.0),
            text: word["text"].as_str().unwrap_or_default().to_owned(),
            confidence: 1.0,
        });
        return words.collect();
    }
    let texts: Vec<&str> = segment["text"]
        .as_str()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    // A word's duration is proportional to its length, a pause lasts as half a word to two words;
    // both vary by half.
    let mut shares = Vec::new();
    for text in &texts {
        let speech = (1.5 + count(text.chars().count())) * (0.6 + 0.8 * dice.roll());
        let pause = match text.chars().last() {
            Some('.' | '?' | '!') => 7.0 * (0.5 + dice.roll()),
            Some(',' | ';' | ':' | '—') => 3.0 * (0.5 + dice.roll()),
            _ => 0.2,
        };
        shares.push((speech, pause));
    }
    let silence = 0.15_f64.min((end - start) / 8.0);
    let all: f64 = shares.iter().map(|(speech, pause)| speech + pause).sum();
    let unit = (end - start - 2.0 * silence) / all.max(1.0);
    let mut at = start + silence;
    let timed = texts.iter().zip(shares).map(|(text, (speech, pause))| {
        let word_start = at;
        at += (speech + pause) * unit;
        Word {
            start: word_start,
            end: word_start + speech * unit,
            text: (*text).to_owned(),
            confidence: 1.0,
        }
    });
    timed.collect()
}

/// Sentences made of words, as recognition returns them.
fn sentences(words: Vec<Word>, speaker: Option<&str>, segments: &mut Vec<Segment>) {
    let mut sentence: Vec<Word> = Vec::new();
    let many = words.len();
    for (at, word) in words.into_iter().enumerate() {
        let ends = word.text.ends_with(['.', '?', '!']) || sentence.len() + 1 >= MAX_WORDS;
        sentence.push(word);
        let (Some(first), Some(last)) = (sentence.first(), sentence.last()) else {
            continue;
        };
        if ends || at + 1 == many {
            segments.push(Segment {
                index: 0,
                start: first.start,
                end: last.end,
                speaker: speaker.map(str::to_owned),
                language: None,
                text: sentence
                    .iter()
                    .map(|word| word.text.as_str())
                    .collect::<Vec<_>>()
                    .join(" "),
                words: std::mem::take(&mut sentence),
            });
        }
    }
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// A cue formatted as in SRT.
fn displayed_text(cue: &Cue) -> String {
    match &cue.speaker {
        Some(name) if cue.speaker_changes => format!("{name}: {}", cue.text),
        _ => cue.text.clone(),
    }
}

fn report(segments: &[Segment], cues: &[Cue]) {
    let all = cues.len();
    let percent = |part: usize| 100.0 * count(part) / count(all.max(1));
    let print = |what: &str, part: usize| println!("{what:<40} {part:>6} {:>6.2} %", percent(part));
    println!("segments {}, cues {all}", segments.len());
    let speed = |cue: &Cue| count(displayed_text(cue).chars().count()) / (cue.end - cue.start);
    print(
        "over 17 characters per second",
        cues.iter().filter(|cue| speed(cue) > 17.001).count(),
    );
    print(
        "over 20 characters per second",
        cues.iter().filter(|cue| speed(cue) > 20.001).count(),
    );
    let wide = |cue: &&Cue| {
        let text = lines::break_lines(&displayed_text(cue));
        text.lines().any(|line| lines::columns(line) > 42) && displayed_text(cue).contains(' ')
    };
    print(
        "a line over 42 columns with a break",
        cues.iter().filter(wide).count(),
    );
    print(
        "shorter than 1 s",
        cues.iter()
            .filter(|cue| cue.end - cue.start < 0.9995)
            .count(),
    );
    print(
        "longer than 7 s",
        cues.iter()
            .filter(|cue| cue.end - cue.start > 7.0005)
            .count(),
    );
    let pairs = || cues.windows(2);
    print(
        "nearer than 2 frames to the next",
        pairs()
            .filter(|pair| pair[1].start - pair[0].end < 0.0795)
            .count(),
    );
    let late = |cue: &Cue| cue.words.first().map_or(0.0, |word| cue.start - word.start);
    print(
        "more than 0.3 s late",
        cues.iter().filter(|cue| late(cue) > 0.3).count(),
    );
    print(
        "more than 0.3 s early",
        cues.iter().filter(|cue| late(cue) < -0.3).count(),
    );
    let shortest = cues
        .iter()
        .map(|cue| cue.end - cue.start)
        .fold(f64::INFINITY, f64::min);
    println!("shortest {shortest:.3} s");
}
