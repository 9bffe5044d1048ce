//! A recording made of utterances in several languages, by turns of changing length.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::super::{Recordings, Row};
use crate::bench::bytes;
use crate::step::command;

/// Samples per second.
const RATE: usize = 16_000;

/// Seconds of silence between the utterances of a turn.
const WITHIN: f64 = 0.4;

/// Seconds of silence between turns, one after the other.
const BETWEEN: [f64; 4] = [0.5, 1.2, 0.8, 2.4];

/// Seconds of silence between utterances of running speech.
const RUNNING: f64 = 0.05;

/// Samples below this share of the loudest one are silence.
const SILENT: i16 = 30;

/// Utterances of a turn, one after the other.
const UTTERANCES: [usize; 6] = [2, 1, 4, 2, 1, 3];

/// Speech in one language.
#[derive(Debug, PartialEq)]
pub struct Turn {
    /// Language code.
    pub language: String,
    /// Seconds in the recording, in the middle of the silence before it.
    pub start: f64,
    /// Seconds in the recording, in the middle of the silence after it.
    pub end: f64,
    /// What is said, by utterance.
    pub utterances: Vec<String>,
}

impl Turn {
    /// The same turn as a recording of its own.
    pub fn alone(&self) -> Self {
        Self {
            language: self.language.clone(),
            start: 0.0,
            end: self.end - self.start,
            utterances: self.utterances.clone(),
        }
    }
}

/// The made recording.
pub struct Mix {
    /// The turns in order.
    pub turns: Vec<Turn>,
    samples: Vec<i16>,
}

impl Mix {
    /// Takes `seconds` of speech from each folder, in the order of the manifest. Folders are named
    /// after their language.
    pub fn make(recordings: &Recordings, folders: &[&str], seconds: f64) -> Result<Self> {
        let mut queues = Vec::new();
        for folder in folders {
            let mut queue = utterances(recordings, folder, seconds);
            queue.reverse();
            queues.push((folder.split('/').next().unwrap_or(folder), queue));
        }
        let mut mix = Self {
            turns: Vec::new(),
            samples: vec![0; samples(BETWEEN[0])],
        };
        for turn in 0.. {
            let place = turn % queues.len();
            let (language, queue) = &mut queues[place];
            let count = UTTERANCES[turn % UTTERANCES.len()].min(queue.len());
            let taken: Vec<&Row> = queue.drain(queue.len() - count..).rev().collect();
            if !taken.is_empty() {
                mix.push(recordings, language, &taken, BETWEEN[turn % BETWEEN.len()])?;
            }
            if queues.iter().all(|(_, queue)| queue.is_empty()) {
                break;
            }
        }
        Ok(mix)
    }

    /// A recording of a speaker who hardly pauses: utterances without the silence at their ends.
    pub fn running(recordings: &Recordings, folder: &str, seconds: f64) -> Result<Self> {
        let mut mix = Self {
            turns: Vec::new(),
            samples: vec![0; samples(BETWEEN[0])],
        };
        let language = folder.split('/').next().unwrap_or(folder);
        for row in utterances(recordings, folder, seconds) {
            let start = mix.seconds();
            let text = row.transcript.clone().unwrap_or_default();
            let sound = decoded(&recordings.path(row))?;
            mix.samples.extend_from_slice(without_silence(&sound));
            mix.rest(RUNNING);
            mix.turns.push(Turn {
                language: language.to_owned(),
                start,
                end: mix.seconds(),
                utterances: vec![text],
            });
        }
        Ok(mix)
    }

    /// The texts of all utterances, in order.
    pub fn utterances(&self) -> Vec<String> {
        let utterances = self.turns.iter().flat_map(|turn| &turn.utterances);
        utterances.cloned().collect()
    }

    /// Length in seconds.
    pub fn seconds(&self) -> f64 {
        self.samples.len() as f64 / RATE as f64
    }

    /// Writes the recording as a WAV file.
    pub fn write(&self, file: &Path) -> Result<()> {
        write_wav(file, &self.samples)
    }

    /// Writes one turn as a WAV file.
    pub fn write_turn(&self, turn: &Turn, file: &Path) -> Result<()> {
        let end = samples(turn.end).min(self.samples.len());
        write_wav(file, &self.samples[samples(turn.start)..end])
    }

    fn push(
        &mut self,
        recordings: &Recordings,
        language: &str,
        rows: &[&Row],
        pause: f64,
    ) -> Result<()> {
        let start = self.turns.last().map_or(0.0, |turn| turn.end);
        let mut texts = Vec::new();
        for row in rows {
            if !texts.is_empty() {
                self.rest(WITHIN);
            }
            self.samples.extend(decoded(&recordings.path(row))?);
            texts.push(row.transcript.clone().unwrap_or_default());
        }
        self.rest(pause);
        self.turns.push(Turn {
            language: language.to_owned(),
            start,
            end: self.seconds() - pause / 2.0,
            utterances: texts,
        });
        Ok(())
    }

    fn rest(&mut self, seconds: f64) {
        self.samples
            .resize(self.samples.len() + samples(seconds), 0);
    }
}

/// Utterances with a text, until there are `seconds` of them.
fn utterances<'a>(recordings: &'a Recordings, folder: &str, seconds: f64) -> Vec<&'a Row> {
    let mut sum = 0.0;
    let rows = recordings.rows.iter().filter(|row| {
        row.file
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
            && row.transcript.is_some()
    });
    rows.take_while(|row| {
        sum += row.seconds.unwrap_or_default();
        sum <= seconds
    })
    .collect()
}

/// The samples of a recording.
fn decoded(file: &Path) -> Result<Vec<i16>> {
    let mut ffmpeg = command(Path::new("."), "ffmpeg");
    ffmpeg.args(["-v", "error", "-nostdin", "-i"]).arg(file);
    ffmpeg.args(["-ac", "1", "-ar", "16000", "-f", "s16le", "-"]);
    let raw = bytes(&mut ffmpeg)?;
    if raw.is_empty() {
        bail!("{} has no sound", file.display());
    }
    let (pairs, _) = raw.as_chunks::<2>();
    Ok(pairs.iter().map(|pair| i16::from_le_bytes(*pair)).collect())
}

/// The sound from its first sample that is not silent to its last one.
fn without_silence(sound: &[i16]) -> &[i16] {
    let loudest = sound.iter().map(|sample| sample.saturating_abs()).max();
    let limit = loudest.unwrap_or_default() / SILENT;
    let is_loud = |sample: &i16| sample.saturating_abs() > limit;
    let first = sound.iter().position(is_loud).unwrap_or_default();
    let last = sound
        .iter()
        .rposition(is_loud)
        .map_or(first, |last| last + 1);
    &sound[first..last]
}

/// Writes mono samples with a header as in <http://soundfile.sapp.org/doc/WaveFormat/>.
fn write_wav(file: &Path, sound: &[i16]) -> Result<()> {
    let length = u32::try_from(sound.len() * 2)?;
    let rate = u32::try_from(RATE)?;
    let mut wav = Vec::with_capacity(sound.len() * 2 + 44);
    wav.extend(b"RIFF");
    wav.extend((length + 36).to_le_bytes());
    wav.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    wav.extend(rate.to_le_bytes());
    wav.extend((rate * 2).to_le_bytes());
    wav.extend(b"\x02\0\x10\0data");
    wav.extend(length.to_le_bytes());
    wav.extend(sound.iter().flat_map(|sample| sample.to_le_bytes()));
    let mut out = std::fs::File::create(file).with_context(|| file.display().to_string())?;
    out.write_all(&wav)?;
    Ok(())
}

fn samples(seconds: f64) -> usize {
    (seconds * RATE as f64).round() as usize
}
