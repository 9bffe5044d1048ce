//! `cargo xtask bench invented`: words recognised where nobody speaks (hallucinations), and correct
//! words that the guards remove.
//!
//! Nobody speaks in the silent and noisy recordings and in those made here (hums, chords, beats,
//! hiss, clicks): every word is invented. In recordings with pauses a word is invented if it is in
//! a pause, or in a run of three or more that are not in the reference. A correct word counts as
//! removed if the text with the removed passages matches more of the reference than without.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{
    Listener, Options, Order, Recognition, Recordings, Row, SpeechSpan, Step, Word, align,
    each_plain, plain,
};
use crate::bench::verdict;
use crate::step::{command, execute};

/// How far a word may extend into a pause, in seconds: the pauses in the reference are bounded by
/// the files that were joined.
const EDGE: f64 = 0.5;

/// This many consecutive words that are not in the reference were invented; fewer are misheard.
const ROW: usize = 3;

/// Most words that a misheard word may become: "Merneptah" is "Murna at the path" to the small
/// model.
const PIECES: usize = 4;

/// Largest share of correct words that may be removed.
const REMOVED: f64 = 0.001;

/// Sounds without speech, as ffmpeg filters.
const MADE: [(&str, &str); 10] = [
    ("silence", "anullsrc=r=16000:cl=mono:d=40"),
    ("white", "anoisesrc=r=16000:c=white:a=0.2:s=1:d=40"),
    ("pink_loud", "anoisesrc=r=16000:c=pink:a=0.8:s=2:d=40"),
    ("brown", "anoisesrc=r=16000:c=brown:a=0.9:s=3:d=40"),
    (
        "clicks",
        "aevalsrc=0.9*lt(mod(t\\,0.37)\\,0.002)*(2*random(0)-1):s=16000:d=40",
    ),
    (
        "hum",
        "aevalsrc=0.3*sin(314*t)+0.15*sin(942*t)+0.05*random(0):s=16000:d=40",
    ),
    (
        "chords",
        "aevalsrc=0.15*(sin(2*PI*220*(1+0.26*mod(floor(t/1.6)\\,3))*t)+sin(2*PI*277*(1+0.26*mod(floor(t/1.6)\\,3))*t)+sin(2*PI*330*(1+0.26*mod(floor(t/1.6)\\,3))*t)):s=16000:d=40",
    ),
    (
        "melody",
        "aevalsrc=0.3*exp(-3*mod(t\\,0.4))*(sin(2*PI*262*pow(1.0595\\,mod(7*floor(t/0.4)\\,12))*t)+0.5*sin(4*PI*262*pow(1.0595\\,mod(7*floor(t/0.4)\\,12))*t)):s=16000:d=40",
    ),
    (
        "beat",
        "aevalsrc=0.8*exp(-18*mod(t\\,0.5))*sin(2*PI*60*mod(t\\,0.5))+0.4*exp(-40*mod(t+0.25\\,0.5))*(2*random(0)-1):s=16000:d=40",
    ),
    (
        "vibrato_voice_like",
        "aevalsrc=0.2*(0.5+0.5*sin(2*PI*3*t))*(sin(2*PI*150*t+3*sin(2*PI*5*t))+0.6*sin(2*PI*600*t+3*sin(2*PI*5*t))+0.4*sin(2*PI*1200*t)):s=16000:d=40",
    ),
];

/// Runs the benchmark.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let Some(recordings) = Recordings::open(root)? else {
        return Ok(());
    };
    let sounds = make_sounds(root)?;
    let mut listener = Listener::start(root, options)?;
    let mut sums = Sums::default();
    for path in sounds
        .iter()
        .filter(|path| options.includes(&path.to_string_lossy()))
    {
        for language in [Some("en"), None] {
            let recognised = listener.recognise(&Order {
                file: path,
                language,
                vocabulary: &[],
            })?;
            sums.add_without_speech(&name(path), &recognised);
        }
    }
    for row in recordings
        .rows
        .iter()
        .filter(|row| options.includes(&row.file))
    {
        let Some(kind) = kind(row) else { continue };
        let path = recordings.path(row);
        let language = row
            .language
            .as_deref()
            .filter(|language| language.len() == 2);
        let recognised = listener.recognise(&Order {
            file: &path,
            language,
            vocabulary: &[],
        })?;
        match kind {
            Kind::Nobody => sums.add_without_speech(&row.file, &recognised),
            Kind::Pausing => {
                let stretches = recordings.stretches(row)?.unwrap_or_default();
                sums.add_pausing(&row.file, &recognised, &stretches);
            }
            Kind::Speech => {
                sums.add_speech(
                    &row.file,
                    &recognised,
                    row.transcript.as_deref().unwrap_or_default(),
                );
            }
        }
    }
    sums.report();
    Ok(())
}

enum Kind {
    Nobody,
    Pausing,
    Speech,
}

/// The use of a recording; those of containers repeat one utterance.
fn kind(row: &Row) -> Option<Kind> {
    let expects_nothing = row
        .expect
        .as_deref()
        .is_some_and(|expect| expect.starts_with("empty transcript"));
    // Ten hours of silence belong to another benchmark.
    let is_long_silence = row.file.contains("silence_10h");
    if row.file.starts_with("hostile/") {
        return (expects_nothing && !is_long_silence).then_some(Kind::Nobody);
    }
    if row.file.starts_with("containers/") {
        return None;
    }
    if row.truth.is_some() {
        return Some(Kind::Pausing);
    }
    let has_text = row
        .transcript
        .as_deref()
        .is_some_and(|text| !text.is_empty());
    // A synthetic voice is not representative speech.
    (has_text && !row.file.starts_with("uk/synthetic")).then_some(Kind::Speech)
}

fn make_sounds(root: &Path) -> Result<Vec<PathBuf>> {
    let folder = crate::cargo::target_folder(root).join("bench-invented");
    std::fs::create_dir_all(&folder)?;
    let mut sounds = Vec::new();
    for (name, source) in MADE {
        let path = folder.join(format!("{name}.wav"));
        let mut ffmpeg = command(root, "ffmpeg");
        ffmpeg.args(["-v", "error", "-y", "-f", "lavfi", "-i", source]);
        execute(ffmpeg.arg(&path))?;
        sounds.push(path);
    }
    Ok(sounds)
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    format!("made/{}", name.to_string_lossy())
}

#[derive(Default)]
struct Sums {
    silent_files: usize,
    pausing_files: usize,
    invented: usize,
    true_words: usize,
    true_removed: usize,
    removed: usize,
}

impl Sums {
    fn add_without_speech(&mut self, file: &str, recognised: &Recognition) {
        self.silent_files += 1;
        self.print_error(file, recognised);
        if !recognised.words.is_empty() {
            println!("  {file}: invented \"{}\"", text(recognised.words.iter()));
        }
        self.invented += recognised.words.len();
        self.print_removed(file, recognised);
    }

    fn add_pausing(&mut self, file: &str, recognised: &Recognition, stretches: &[SpeechSpan]) {
        self.pausing_files += 1;
        let truth: Vec<&str> = stretches
            .iter()
            .map(|stretch| stretch.text.as_str())
            .collect();
        self.add_speech(file, recognised, &truth.join(" "));
        let words = each_plain(&recognised.words);
        let written: Vec<String> = words.iter().map(|(text, _)| text.clone()).collect();
        let mut invented: Vec<usize> = rows(&align(&plain(&truth.join(" ")), &written));
        let in_pause = |word: &Word| {
            let touches = |stretch: &SpeechSpan| {
                word.end > stretch.start - EDGE && word.start < stretch.end + EDGE
            };
            !stretches.iter().any(touches)
        };
        invented.extend((0..words.len()).filter(|&at| in_pause(words[at].1)));
        invented.sort_unstable();
        invented.dedup();
        if !invented.is_empty() {
            let said: Vec<String> = invented
                .iter()
                .map(|&at| format!("{}@{:.1}", words[at].0, words[at].1.start))
                .collect();
            println!("  {file}: invented {}", said.join(" "));
        }
        self.invented += invented.len();
    }

    fn add_speech(&mut self, file: &str, recognised: &Recognition, truth: &str) {
        self.print_error(file, recognised);
        let truth = plain(truth);
        self.true_words += truth.len();
        let retained: Vec<String> = each_plain(&recognised.words)
            .into_iter()
            .map(|(text, _)| text)
            .collect();
        let more = matching_words(&truth, &with_removed(recognised))
            .saturating_sub(matching_words(&truth, &retained));
        if more > 0 {
            println!("  {file}: {more} true words removed");
        }
        self.true_removed += more;
        self.print_removed(file, recognised);
    }

    fn print_error(&self, file: &str, recognised: &Recognition) {
        if let Some(error) = &recognised.error {
            println!("  {file}: not recognised: {error}");
        }
    }

    fn print_removed(&mut self, file: &str, recognised: &Recognition) {
        for passage in &recognised.removed {
            println!(
                "  {file}: removed at {:.1} s, {}: \"{}\" (voice {:.2}, probability {:.2}, compression {:.1})",
                passage.start,
                passage.reason,
                passage.text,
                passage.voiced,
                passage.confidence,
                passage.compression
            );
        }
        self.removed += recognised.removed.len();
    }

    fn report(&self) {
        println!(
            "\n{} recordings in which nobody speaks, {} with pauses, {} true words; {} passages removed.",
            self.silent_files, self.pausing_files, self.true_words, self.removed
        );
        verdict(
            self.invented == 0,
            &format!("{} words invented (goal 0)", self.invented),
        );
        let share = self.true_removed as f64 / self.true_words.max(1) as f64;
        verdict(
            share < REMOVED,
            &format!(
                "{} true words removed, {:.3}% (goal under {}%)",
                self.true_removed,
                100.0 * share,
                100.0 * REMOVED
            ),
        );
    }
}

/// Words that are not in the reference, [`ROW`] or more in a row, minus those that misheard words
/// have become.
fn rows(steps: &[Step]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut row = Vec::new();
    let (mut written, mut misheard) = (0, 0);
    for step in steps.iter().chain([&Step::Same(0, 0)]) {
        match step {
            Step::More(at) => {
                row.push(*at);
                written += 1;
            }
            Step::Other => (written, misheard) = (written + 1, misheard + 1),
            Step::Missing => misheard += 1,
            Step::Same(..) => {
                if written >= ROW + PIECES * misheard {
                    found.append(&mut row);
                }
                row.clear();
                (written, misheard) = (0, 0);
            }
        }
    }
    found
}

fn matching_words(truth: &[String], written: &[String]) -> usize {
    let steps = align(truth, written);
    steps
        .iter()
        .filter(|step| matches!(step, Step::Same(..)))
        .count()
}

/// The words merged with the removed ones by time.
fn with_removed(recognised: &Recognition) -> Vec<String> {
    let mut all: Vec<(f64, Vec<String>)> = recognised
        .words
        .iter()
        .map(|word| (word.start, plain(&word.text)))
        .collect();
    all.extend(
        recognised
            .removed
            .iter()
            .map(|passage| (passage.start, plain(&passage.text))),
    );
    all.sort_by(|first, second| first.0.total_cmp(&second.0));
    all.into_iter().flat_map(|(_, words)| words).collect()
}

fn text<'a>(words: impl Iterator<Item = &'a Word>) -> String {
    words
        .map(|word| word.text.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_invented_words_are_found_but_misheard_words_are_not() {
        let truth = plain("one two three");
        let found = |written: &str| rows(&align(&truth, &plain(written)));
        assert_eq!(found("one two three thanks for watching"), [3, 4, 5]);
        assert!(found("one two and a three").is_empty());
        assert!(found("won to free").is_empty());
        assert!(
            found("one tea woo an a three").is_empty(),
            "a misheard word in pieces"
        );
    }
}
