//! `known_speaker_names[]` and `known_speaker_references[]`: speakers are called by their names if their
//! voices are like the samples that were sent. The samples are removed at once; the names stay in the
//! transcript. If the client goes away before the end, nobody is named.

use axum::body::Bytes;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use slovo_app::auth::Caller;
use slovo_app::http::Problem;
use slovo_app::state::AppState;
use slovo_db::texts::edits as stored_edits;
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_engine::EngineError;
use slovo_engine::speakers::Voice;
use slovo_rules::edit::{self, Edit, EditOp, MAX_SPEAKER_NAME};
use slovo_transcripts::edits::{self, Author, EditError};

use crate::fields::Fields;
use crate::refusal::Refusal;
use crate::run::{Failure, Recognised};
use slovo_api::uploads::arriving::{Arriving, receive_from};

const NAMES: &str = "known_speaker_names";
/// Name of the field with the samples.
pub(super) const REFERENCES: &str = "known_speaker_references";

/// Most known speakers.
const MAX_SPEAKERS: usize = 4;
/// Shortest and longest sample, in seconds, with some tolerance: OpenAI says 2 to 10.
const SAMPLE_SECONDS: (f64, f64) = (1.5, 15.0);

/// Known speakers: their names and voices.
pub(super) struct KnownSpeakers {
    state: AppState,
    user_id: String,
    speakers: Vec<(String, Voice)>,
}

/// A name with the bytes of a sample.
#[derive(Debug, PartialEq, Eq)]
struct Sent {
    name: String,
    sample: Vec<u8>,
}

impl KnownSpeakers {
    /// Reads the names and samples of a form.
    ///
    /// # Errors
    /// A field cannot be used, or a sample is no recording of the right length with speech.
    pub(super) async fn receive(
        state: &AppState,
        caller: &Caller,
        fields: &[(String, String)],
        diarizes: bool,
    ) -> Result<Self, Refusal> {
        let mut speakers = Vec::new();
        for Sent { name, sample } in read(&Fields(fields), diarizes)? {
            speakers.push((name, voice_of(state, caller, sample.into()).await?));
        }
        Ok(Self {
            state: state.clone(),
            user_id: caller.user_id.clone(),
            speakers,
        })
    }

    /// Names the known speakers of a text, in the library, too. A text whose speakers cannot be
    /// compared stays as it is.
    ///
    /// # Errors
    /// The database failed, or the server stops.
    pub(super) async fn name(&self, done: Recognised) -> Result<Recognised, Failure> {
        if self.speakers.is_empty() {
            return Ok(done);
        }
        let (state, job) = (&self.state, &done.job);
        let found = state
            .jobs
            .recognise_speakers(job, &done.text, &self.speakers);
        let found = match found.await {
            Ok(found) => found,
            Err(EngineError::Cancelled) if state.shutdown.is_cancelled() => {
                return Err(Failure::Stopping);
            }
            Err(error) => {
                tracing::warn!(job = %job.id, %error, "known speakers were not looked for");
                return Ok(done);
            }
        };
        if !found.is_empty() {
            self.rename(&done, found).await?;
        }
        // Somebody may have edited it meanwhile.
        let mut connection = state.db.read().await?;
        let named = projection::read(&mut connection, job.id, HistoryPoint::default()).await?;
        let text = named.ok_or(Failure::Cancelled)?;
        Ok(Recognised {
            job: done.job,
            text,
        })
    }

    /// Stores names, as an edit of the account, unless the text was edited meanwhile.
    async fn rename(&self, done: &Recognised, names: Vec<(String, String)>) -> Result<(), Failure> {
        let (state, job) = (&self.state, &done.job);
        let edits: Vec<_> = names
            .into_iter()
            .map(|(speaker, name)| Edit {
                edit_id: state.new_id(),
                op: EditOp::RenameSpeaker {
                    speaker,
                    name: Some(name),
                },
            })
            .collect();
        let valid = edit::validate(&edits).map_err(Problem::from)?;
        let author = Author {
            job: job.id,
            version: job.version,
            client: state.new_id().parse().map_err(Problem::internal)?,
            user_id: self.user_id.clone(),
            visitor: None,
            now: state.clock.now_ms(),
        };
        let mut transaction = state.db.write().await?;
        let seq = stored_edits::lock(&mut transaction, job.id, job.version).await?;
        if seq != Some(done.text.seq) {
            return Ok(());
        }
        match edits::save(&mut transaction, &author, &valid).await {
            Ok(_) => {
                transaction.commit().await?;
                state.jobs.live().stored(job.id);
                Ok(())
            }
            Err(EditError::Storage(error)) => Err(error.into()),
            // It was deleted meanwhile.
            Err(_) => Ok(()),
        }
    }
}

/// The voice of a sample, which is removed afterwards.
async fn voice_of(state: &AppState, caller: &Caller, sample: Bytes) -> Result<Voice, Refusal> {
    let of_sample = |problem: Problem| Refusal::from(problem).field(REFERENCES);
    let stored = receive_from(state, caller, None, Whole(Some(sample))).await;
    let stored = stored.map_err(of_sample)?;
    let inspected = stored.inspected().await.map_err(of_sample)?;
    let seconds = inspected.media.and_then(|media| media.duration);
    let (least, most) = SAMPLE_SECONDS;
    // A file that does not state its length is read up to the longest sample.
    if !seconds.is_none_or(|seconds| (least..=most).contains(&seconds)) {
        let message = "Each sample has to be between 2 and 10 seconds long.";
        return Err(Refusal::invalid(REFERENCES, message));
    }
    let voice = state.jobs.describe_sample(inspected.id).await;
    let voice = voice.map_err(|error| Refusal::of_engine(&error).field(REFERENCES))?;
    voice.ok_or_else(|| Refusal::invalid(REFERENCES, "A sample has too little speech."))
}

/// The names and samples of a form.
fn read(form: &Fields<'_>, diarizes: bool) -> Result<Vec<Sent>, Refusal> {
    let names: Vec<String> = form.all(NAMES).map(edit::clean).collect();
    let references: Vec<&str> = form.all(REFERENCES).map(str::trim).collect();
    // Some clients send the fields of all their settings.
    if names.iter().all(String::is_empty) && references.iter().all(|url| url.is_empty()) {
        return Ok(Vec::new());
    }
    if !diarizes {
        return Err(Refusal::invalid(
            NAMES,
            "It needs the response_format diarized_json, or a model that tells speakers apart.",
        ));
    }
    if names.len() != references.len() {
        return Err(Refusal::invalid(REFERENCES, "Each name needs one sample."));
    }
    if names.len() > MAX_SPEAKERS {
        let message = format!("There may be at most {MAX_SPEAKERS} known speakers.");
        return Err(Refusal::invalid(NAMES, message));
    }
    let mut sent: Vec<Sent> = Vec::new();
    for (name, reference) in names.into_iter().zip(references) {
        if !(1..=MAX_SPEAKER_NAME).contains(&name.chars().count()) {
            let message = format!("A name has 1 to {MAX_SPEAKER_NAME} characters.");
            return Err(Refusal::invalid(NAMES, message));
        }
        if sent.iter().any(|before| before.name == name) {
            return Err(Refusal::invalid(NAMES, "The names have to differ."));
        }
        let sample = data_of(reference).ok_or_else(|| {
            Refusal::invalid(REFERENCES, "Each sample has to be a data URL in base64.")
        })?;
        sent.push(Sent { name, sample });
    }
    Ok(sent)
}

/// The content of a data URL (RFC 2397) in base64.
fn data_of(url: &str) -> Option<Vec<u8>> {
    let (head, data) = url.trim().split_once(',')?;
    let is_base64 = head.get(..5)?.eq_ignore_ascii_case("data:") && head.ends_with(";base64");
    let data = is_base64.then(|| STANDARD.decode(data.trim()).ok())??;
    (!data.is_empty()).then_some(data)
}

/// A sample as it is stored.
struct Whole(Option<Bytes>);

impl Arriving for Whole {
    async fn piece(&mut self) -> Result<Option<Bytes>, Problem> {
        Ok(self.0.take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(names: &[&str], references: &[&str]) -> Vec<(String, String)> {
        let names = names
            .iter()
            .map(|name| (format!("{NAMES}[]"), (*name).to_owned()));
        let references = references.iter();
        let references = references.map(|url| (format!("{REFERENCES}[]"), (*url).to_owned()));
        names.chain(references).collect()
    }

    fn refused(names: &[&str], references: &[&str], diarizes: bool) -> Option<String> {
        let fields = fields(names, references);
        let refusal = read(&Fields(&fields), diarizes).err()?;
        refusal.first_field(|name| name)
    }

    #[test]
    fn names_and_samples_are_read_in_pairs() {
        let fields = fields(
            &[" Ada ", "Юля"],
            &["data:audio/wav;base64,UklGRg==", "DATA:;base64,AAA="],
        );
        let sent = read(&Fields(&fields), true).expect("pairs");
        assert_eq!(
            (sent[0].name.as_str(), sent[0].sample.as_slice()),
            ("Ada", &b"RIFF"[..])
        );
        assert_eq!((sent[1].name.as_str(), sent[1].sample.len()), ("Юля", 2));
        assert_eq!(read(&Fields(&[]), false).expect("none"), []);
        let empty = self::fields(&[""], &[]);
        assert_eq!(read(&Fields(&empty), false).expect("none"), []);
    }

    #[test]
    fn wrong_names_and_samples_are_refused_at_their_field() {
        let url = "data:audio/wav;base64,UklGRg==";
        let long = "a".repeat(MAX_SPEAKER_NAME + 1);
        for (names, references, field) in [
            (&["Ada"][..], &[][..], REFERENCES),
            (&[], &[url], REFERENCES),
            (&["Ada", "Ada"], &[url, url], NAMES),
            (&["\u{202e}"], &[url], NAMES),
            (&["Ada", "Ada "], &[url, url], NAMES),
            (&[&long], &[url], NAMES),
            (&["a", "b", "c", "d", "e"], &[url; 5], NAMES),
            (&["Ada"], &["https://example.com/a.wav"], REFERENCES),
            (&["Ada"], &["data:audio/wav,RIFF"], REFERENCES),
            (&["Ada"], &["data:audio/wav;base64,???"], REFERENCES),
            (&["Ada"], &["data:;base64,"], REFERENCES),
            (&["Ada"], &["дані"], REFERENCES),
        ] {
            assert_eq!(
                refused(names, references, true).as_deref(),
                Some(field),
                "{names:?}"
            );
        }
        assert_eq!(refused(&["Ada"], &[url], false).as_deref(), Some(NAMES));
    }
}
