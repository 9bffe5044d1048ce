//! `cargo xtask bench word-times`: the error of the start times of words.
//!
//! The reference is that of the synthetic long recordings: their utterances are at known times, and
//! the first word of each starts with its first sound. All follow a pause; those after a pause of
//! over two seconds and those in a recording's last minute are reported separately. MP3 files with
//! unusual headers, made from the first minutes of one recording, are measured likewise.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::onset::at_first_sound;
use super::{
    Listener, Options, Order, Recognition, Recordings, Row, SpeechSpan, Step, align, each_plain,
    plain,
};
use crate::bench::verdict;
use crate::step::{command, execute};

/// Mean absolute error that is allowed, in milliseconds.
const GOAL: f64 = 120.0;

/// Minimum length of a long pause, in seconds.
const LONG_PAUSE: f64 = 2.0;

/// Length of the end of a recording, in seconds.
const LAST: f64 = 60.0;

/// The part of a long recording that the MP3 files contain, in seconds.
const PART: f64 = 90.0;

/// Start of the part in the stream that is cut in the middle, in seconds.
const CUT: f64 = 20.0;

/// Runs the benchmark.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let Some(recordings) = Recordings::open(root)? else {
        return Ok(());
    };
    let mut listener = Listener::start(root, options)?;
    let mut all = Errors::default();
    let mut after_pauses = Errors::default();
    let mut at_the_end = Errors::default();
    println!("\nErrors at word starts in milliseconds:");
    let long = recordings
        .rows
        .iter()
        .filter(|row| row.file.starts_with("long/"));
    for row in long.filter(|row| options.includes(&row.file)) {
        let truth = truth_of(root, &recordings, row)?;
        let path = recordings.path(row);
        let recognised = listener.recognise(&Order {
            file: &path,
            language: row.language.as_deref(),
            vocabulary: &[],
        })?;
        let found = starts(&truth, &recognised);
        Errors(found.iter().map(Start::error).collect()).print(&row.file, truth.len());
        let end = truth.last().map_or(0.0, |stretch| stretch.end);
        all.0.extend(found.iter().map(Start::error));
        let long = found.iter().filter(|start| start.pause >= LONG_PAUSE);
        after_pauses.0.extend(long.map(Start::error));
        let last = found.iter().filter(|start| start.truth >= end - LAST);
        at_the_end.0.extend(last.map(Start::error));
    }
    all.print("all long recordings", all.0.len());
    after_pauses.print("of them after a pause of over 2 s", after_pauses.0.len());
    at_the_end.print("of them in the last minute", at_the_end.0.len());
    let odd = odd_headers(root, options, &recordings, &mut listener)?;
    for (name, errors) in [
        ("all words", &all),
        ("after long pauses", &after_pauses),
        ("in the last minute", &at_the_end),
        ("in MP3 files with odd headers", &odd),
    ] {
        verdict(
            errors.mean() <= GOAL,
            &format!(
                "{name}: {:.0} ms on average (goal {GOAL} ms)",
                errors.mean()
            ),
        );
    }
    Ok(())
}

/// The utterances of a long recording, each starting at its first sound.
fn truth_of(root: &Path, recordings: &Recordings, row: &Row) -> Result<Vec<SpeechSpan>> {
    let stretches = recordings.stretches(row)?;
    let stretches = stretches.context("a long recording without reference")?;
    at_first_sound(root, &recordings.path(row), &stretches)
}

/// MP3 files of the same sound whose headers are wrong, missing or very large.
fn odd_headers(
    root: &Path,
    options: &Options,
    recordings: &Recordings,
    listener: &mut Listener,
) -> Result<Errors> {
    let mut errors = Errors::default();
    let row = recordings
        .rows
        .iter()
        .find(|row| row.file == "long/long_en_12min.opus");
    let Some(row) = row.filter(|_| options.only.is_none()) else {
        return Ok(errors);
    };
    let truth = truth_of(root, recordings, row)?;
    let truth: Vec<SpeechSpan> = truth
        .into_iter()
        .filter(|stretch| stretch.end < PART)
        .collect();
    for (name, path, offset) in make_mp3(root, &recordings.path(row))? {
        let recognised = listener.recognise(&Order {
            file: &path,
            language: Some("en"),
            vocabulary: &[],
        })?;
        if let Some(error) = &recognised.error {
            println!("  {name}: not recognised: {error}");
        }
        let moved: Vec<SpeechSpan> = truth
            .iter()
            .filter(|stretch| stretch.start > offset)
            .map(|stretch| SpeechSpan {
                start: stretch.start - offset,
                end: stretch.end - offset,
                text: stretch.text.clone(),
            })
            .collect();
        let found = starts(&moved, &recognised);
        let some = Errors(found.iter().map(Start::error).collect());
        some.print(name, moved.len());
        errors.0.extend(some.0);
    }
    Ok(errors)
}

/// Creates the files; returns each with its name and the seconds of sound that it skips.
fn make_mp3(root: &Path, from: &Path) -> Result<Vec<(&'static str, PathBuf, f64)>> {
    let folder = crate::cargo::target_folder(root).join("bench-word-times");
    std::fs::create_dir_all(&folder)?;
    let encode = |name: &str, arguments: &[&str]| -> Result<PathBuf> {
        let path = folder.join(name);
        let mut ffmpeg = command(root, "ffmpeg");
        ffmpeg
            .args(["-v", "error", "-y", "-t", &PART.to_string(), "-i"])
            .arg(from);
        execute(ffmpeg.args(arguments).arg(&path))?;
        Ok(path)
    };
    let plain = encode("plain.mp3", &["-ar", "44100", "-b:a", "64k"])?;
    let bare = encode(
        "bare.mp3",
        &[
            "-ar",
            "44100",
            "-b:a",
            "64k",
            "-write_xing",
            "0",
            "-id3v2_version",
            "0",
        ],
    )?;
    let variable = encode(
        "vbr_bare.mp3",
        &["-ar", "24000", "-q:a", "6", "-write_xing", "0"],
    )?;
    let narrow = encode("8k.mp3", &["-ar", "8000", "-b:a", "16k"])?;
    let plain_bytes = std::fs::read(&plain)?;
    let bare_bytes = std::fs::read(&bare)?;
    let write = |name: &str, bytes: &[u8]| -> Result<PathBuf> {
        let path = folder.join(name);
        std::fs::write(&path, bytes)?;
        Ok(path)
    };
    let lying = write("xing_lies.mp3", &with_wrong_length(plain_bytes))?;
    let tagged = write("id3_1mb.mp3", &[id3(1 << 20), bare_bytes.clone()].concat())?;
    let two_tags = write(
        "id3_twice.mp3",
        &[id3(5000), id3(70_000), bare_bytes.clone()].concat(),
    )?;
    let junk = write(
        "junk_first.mp3",
        &[vec![0x55; 3000], bare_bytes.clone()].concat(),
    )?;
    // 64 kbit/s are 8,000 bytes per second; the cut is inside a frame.
    let cut = write("cut.mp3", &bare_bytes[(CUT * 8000.0) as usize..])?;
    Ok(vec![
        ("plain", plain, 0.0),
        ("no header of length", bare, 0.0),
        ("variable rate, no header", variable, 0.0),
        ("8 kHz", narrow, 0.0),
        ("header says ten hours", lying, 0.0),
        ("1 MB of tags", tagged, 0.0),
        ("two tags", two_tags, 0.0),
        ("junk before the first frame", junk, 0.0),
        ("cut in the middle of a frame", cut, CUT),
    ])
}

/// An ID3 tag with this many bytes of padding.
fn id3(size: usize) -> Vec<u8> {
    let seven = |shift: usize| ((size >> shift) & 0x7f) as u8;
    let mut tag = b"ID3\x04\x00\x00".to_vec();
    tag.extend([seven(21), seven(14), seven(7), seven(0)]);
    tag.resize(10 + size, 0);
    tag
}

/// Writes ten hours of frames into the length header; its other fields stay.
fn with_wrong_length(mut bytes: Vec<u8>) -> Vec<u8> {
    let at = bytes
        .windows(4)
        .position(|four| four == b"Xing" || four == b"Info");
    if let Some(at) = at
        && let Some(frames) = bytes.get_mut(at + 8..at + 12)
    {
        frames.copy_from_slice(&1_378_125_u32.to_be_bytes());
    }
    bytes
}

/// The first word of an utterance, matched in the output.
struct Start {
    /// Seconds.
    truth: f64,
    found: f64,
    /// Length of the preceding pause, in seconds.
    pause: f64,
}

impl Start {
    /// Error in milliseconds, negative if too early.
    fn error(&self) -> f64 {
        1000.0 * (self.found - self.truth)
    }
}

/// The utterances whose first word was recognised.
fn starts(truth: &[SpeechSpan], recognised: &Recognition) -> Vec<Start> {
    let written = each_plain(&recognised.words);
    let texts: Vec<String> = written.iter().map(|(text, _)| text.clone()).collect();
    let mut expected = Vec::new();
    let mut firsts = std::collections::BTreeMap::new();
    for (number, stretch) in truth.iter().enumerate() {
        firsts.insert(expected.len(), number);
        expected.extend(plain(&stretch.text));
    }
    let steps = align(&expected, &texts).into_iter();
    let found = steps.filter_map(|step| {
        let Step::Same(row, column) = step else {
            return None;
        };
        let number = *firsts.get(&row)?;
        let before = number
            .checked_sub(1)
            .map_or(0.0, |before| truth[before].end);
        Some(Start {
            truth: truth[number].start,
            found: written[column].1.start,
            pause: truth[number].start - before,
        })
    });
    found.collect()
}

/// Errors in milliseconds.
#[derive(Default)]
struct Errors(Vec<f64>);

impl Errors {
    fn sorted(&self) -> Vec<f64> {
        let mut sizes: Vec<f64> = self.0.iter().map(|error| error.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        sizes
    }

    /// 0 if nothing was measured.
    fn mean(&self) -> f64 {
        self.sorted().iter().sum::<f64>() / self.0.len().max(1) as f64
    }

    fn print(&self, name: &str, total: usize) {
        let sizes = self.sorted();
        let at = |share: f64| {
            let place = (sizes.len() as f64 * share) as usize;
            sizes
                .get(place.min(sizes.len().saturating_sub(1)))
                .copied()
                .unwrap_or(0.0)
        };
        let lean = self.0.iter().sum::<f64>() / self.0.len().max(1) as f64;
        println!(
            "  {name:<36} {:>4} of {total:>4} words: mean {:>4.0}, median {:>4.0}, p95 {:>5.0}, lean {lean:>+5.0}",
            sizes.len(),
            self.mean(),
            at(0.5),
            at(0.95),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::Word;
    use super::*;

    #[test]
    fn first_words_are_matched_and_their_timing_errors_measured() {
        let stretch = |start: f64, text: &str| SpeechSpan {
            start,
            end: start + 1.0,
            text: text.to_owned(),
        };
        let truth = [
            stretch(1.0, "one two"),
            stretch(5.0, "three"),
            stretch(9.0, "two"),
        ];
        let word = |start: f64, text: &str| Word {
            start,
            end: start + 0.2,
            text: text.to_owned(),
            language: None,
        };
        let words = vec![
            word(1.1, "One"),
            word(1.5, "two."),
            word(5.4, "tree"),
            word(8.9, "Two."),
        ];
        let recognised = Recognition {
            words,
            written: Vec::new(),
            removed: Vec::new(),
            language: None,
            cpu: 0.0,
            error: None,
        };
        let found = starts(&truth, &recognised);
        let errors: Vec<i64> = found
            .iter()
            .map(|start| start.error().round() as i64)
            .collect();
        assert_eq!(errors, [100, -100]);
        assert!((found[1].pause - 3.0).abs() < 1e-9);
    }
}
