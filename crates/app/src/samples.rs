//! The sample recording of a new account: one of those that come with Slovo, in the account's
//! language, as a completed job.
//!
//! It is created when the user first lists their jobs, so sign-up does not wait for it. The file is
//! written before the rows: a process killed in between leaves an orphaned file, which is swept,
//! and the next request creates the sample.

use anyhow::{Context, Result};
use serde::Deserialize;
use slovo_db::Database;
use slovo_db::accounts::preferences;
use slovo_db::texts::samples::{self, NewSample};
use slovo_platform::clock::Clock;
use slovo_platform::random::Random;
use slovo_rules::job_plan;
use slovo_rules::locale::Locale;
use slovo_rules::settings::{Source, TranscriptionSettings, TranscriptionType};
use slovo_rules::transcript::{Segment, Transcript, Word, speaker_name};
use slovo_site::{Clip, ClipWord};
use slovo_storage::Storage;
use uuid::Uuid;

/// The dependencies of samples, borrowed for one request.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    /// The database.
    pub db: &'a Database,
    /// The time.
    pub clock: &'a dyn Clock,
    /// Randomness, for new ids.
    pub random: &'a dyn Random,
    /// Holds the recording.
    pub storage: &'a Storage,
    /// Whether new accounts get a sample.
    pub is_on: bool,
}

impl Parts<'_> {
    fn new_id(&self) -> Result<Uuid> {
        Ok(self.random.uuid_at(self.clock.now_ms()).parse()?)
    }
}

/// MIME type of the recordings.
const CONTENT_TYPE: &str = "audio/mpeg";

/// The audio of [`Clip::of`] for this language.
fn sound(locale: Locale) -> &'static [u8] {
    match locale {
        Locale::Uk => include_bytes!("../../../web/public/demo/slovo-uk.mp3"),
        Locale::En => include_bytes!("../../../web/public/demo/inaugural-1961.mp3"),
    }
}

/// The part of the locale file about the recording.
#[derive(Deserialize)]
struct Texts {
    recording: RecordingTexts,
}

/// The name of the recording and of its speaker.
#[derive(Deserialize)]
struct RecordingTexts {
    name: String,
    speaker: String,
}

fn named(locale: Locale) -> Result<RecordingTexts> {
    let file = match locale {
        Locale::Uk => include_str!("../../../web/src/locales/uk/sample.json"),
        Locale::En => include_str!("../../../web/src/locales/en/sample.json"),
    };
    let texts: Texts = serde_json::from_str(file).context("sample.json cannot be read")?;
    Ok(texts.recording)
}

/// Creates the sample of an account that has not got it yet, in the language of the account, else
/// in `reader`, the language of the page. A failure is only logged, and tried again on the next
/// request.
pub async fn create_if_due(parts: Parts<'_>, user_id: &str, reader: Locale) {
    if !parts.is_on {
        return;
    }
    if let Err(error) = create_sample(parts, user_id, reader).await {
        tracing::error!(
            user = user_id,
            error = format!("{error:#}"),
            "the sample of a new account could not be created"
        );
    }
}

async fn create_sample(parts: Parts<'_>, user_id: &str, reader: Locale) -> Result<()> {
    let mut connection = parts.db.read().await?;
    if !samples::is_due(&mut connection, user_id).await? {
        return Ok(());
    }
    let chosen = preferences::get(&mut connection, user_id).await?;
    drop(connection);
    let locale = chosen.map_or(reader, |chosen| chosen.locale);
    let sound = sound(locale);
    // On a full disk the sample is not important.
    if !parts.storage.has_room(sound.len() as u64) {
        return Ok(());
    }
    let sample = new_sample(parts, user_id, locale)?;
    let created = match parts.storage.put_media(sample.media_id, sound).await {
        Ok(()) => rows(parts, &sample).await,
        Err(error) => Err(error.into()),
    };
    if !matches!(created, Ok(true)) {
        parts.storage.remove(sample.media_id).await?;
    }
    created.map(drop)
}

/// Whether this request created it; another one may have been faster. A failed commit may still
/// have stored the rows: the file stays with them, or is swept.
async fn rows(parts: Parts<'_>, sample: &NewSample) -> Result<bool> {
    let mut transaction = parts.db.write().await?;
    if !samples::insert_sample(&mut transaction, sample).await? {
        return Ok(false);
    }
    if let Err(error) = transaction.commit().await {
        tracing::error!(%error, "the sample of a new account may not have been stored");
    }
    Ok(true)
}

fn new_sample(parts: Parts<'_>, user_id: &str, locale: Locale) -> Result<NewSample> {
    let RecordingTexts { name, speaker } = named(locale)?;
    let settings = TranscriptionSettings {
        language_code: locale.as_str().to_owned(),
        word_level_timestamps: true,
        ..TranscriptionSettings::default()
    };
    Ok(NewSample {
        id: parts.new_id()?,
        user_id: user_id.to_owned(),
        media_id: parts.new_id()?,
        original_filename: name,
        content_type: CONTENT_TYPE,
        file_size: sound(locale).len() as u64,
        plan: job_plan::validate(&settings, Source::File)
            .context("the settings of the sample are not valid")?,
        transcript: transcript(Clip::of(locale)),
        speaker,
        now: parts.clock.now_ms(),
    })
}

/// The transcript in the form that recognition produces. Only recognised texts name a model.
fn transcript(clip: &Clip) -> Transcript {
    let ends = |word: &ClipWord| word.text.ends_with(['.', '?', '!']);
    let sentences = clip.words.split_inclusive(ends);
    let model = clip.made_by.as_ref().map(|made_by| made_by.model.clone());
    Transcript {
        language: clip.lang.as_str().to_owned(),
        duration: clip.duration,
        mode: TranscriptionType::Full,
        model: model.unwrap_or_default(),
        segments: (0..).zip(sentences).map(segment).collect(),
        warnings: Vec::new(),
        removed: Vec::new(),
    }
}

/// A sentence; the recordings have one speaker each.
fn segment((index, words): (u32, &[ClipWord])) -> Segment {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    Segment {
        index,
        start: words.first().map_or(0.0, |word| word.start),
        end: words.last().map_or(0.0, |word| word.end),
        speaker: Some(speaker_name(0)),
        language: None,
        text: texts.join(" "),
        words: words.iter().map(word).collect(),
    }
}

/// Prepared words have full confidence.
fn word(word: &ClipWord) -> Word {
    Word {
        start: word.start,
        end: word.end,
        text: word.text.clone(),
        confidence: word.confidence.unwrap_or(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_a_sample_recording_and_transcript() {
        for locale in Locale::ALL {
            let clip = Clip::of(*locale);
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/public/demo");
            let file = std::fs::read(format!("{folder}/{}", clip.file)).unwrap();
            assert_eq!(sound(*locale), file);
            let text = transcript(clip);
            assert_eq!(text.language, locale.as_str());
            let words: usize = text
                .segments
                .iter()
                .map(|segment| segment.words.len())
                .sum();
            assert_eq!(words, clip.words.len());
            for (index, segment) in (0..).zip(&text.segments) {
                assert_eq!(segment.index, index);
                assert!(segment.text.ends_with('.') && segment.end > segment.start);
            }
            let RecordingTexts { name, speaker } = named(*locale).unwrap();
            assert!(name.ends_with(".mp3") && !speaker.is_empty());
        }
    }
}
