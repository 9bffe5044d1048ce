//! Computes the voices that accounts remember, and compares the speakers of texts with them. One
//! task at a time, at low priority; a task that is interrupted by a crash is taken again after
//! [`CLAIM_MS`].

mod known_speakers;
mod matching;

use std::time::Duration;

use slovo_db::jobs;
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_db::texts::voices::{self, ComputedSample, Task, TaskKind};
use slovo_engine::speakers::{MIN_VOICE_SECONDS, Voice, VoicesRequest};
use slovo_engine::{CancelToken, EngineError};
use slovo_rules::edit::EditedTranscript;
use slovo_rules::media::Fault;
use slovo_storage::LocalFile;
use tokio::time::{MissedTickBehavior, interval};

use super::failure::{Failure, NO_ROOM_MS, RECORDING_MISSING, backoff_ms};
use super::{Jobs, background};

/// How long a claim lasts unless it is renewed, in milliseconds.
const CLAIM_MS: i64 = 60_000;
/// How often a claim is renewed.
const RENEWAL: Duration = Duration::from_secs(15);
/// How often tasks of other processes and those that wait for their next attempt are looked for.
const POLL: Duration = Duration::from_secs(5);
/// Claims after which a task is given up.
const MAX_ATTEMPTS: i64 = 3;

/// Error code: less than five seconds of speech.
const TOO_LITTLE_SPEECH: &str = "too_little_speech";
/// Error code: the recording cannot be read, or the computation failed repeatedly.
const RECOGNITION_FAILED: &str = "recognition_failed";
/// Error code: the speaker models are not installed.
const FEATURE_UNAVAILABLE: &str = "feature_unavailable";

/// The speakers of a text with their voices.
struct Described {
    owner: String,
    voices: Vec<(String, Option<Voice>)>,
}

impl Jobs {
    /// Looks for voices to be computed or compared; call it after the commit.
    pub fn wake_voices(&self) {
        self.0.voices.notify_one();
    }

    /// Works until the server stops.
    pub(super) async fn work_on_voices(&self) {
        loop {
            match self.claim_voice_task().await {
                Ok(Some(task)) => {
                    self.run_voice_task(&task).await;
                    continue;
                }
                Ok(None) => {}
                Err(error) => {
                    self.0.condition.note(&error);
                    tracing::error!(%error, "no voice could be claimed");
                }
            }
            tokio::select! {
                () = self.0.voices.notified() => {}
                () = tokio::time::sleep(POLL) => {}
                () = self.0.shutdown.cancelled() => return,
            }
        }
    }

    async fn claim_voice_task(&self) -> slovo_db::Result<Option<Task>> {
        if self.0.shutdown.is_cancelled() {
            return Ok(None);
        }
        let now = self.0.clock.now_ms();
        // A read needs no write lock, and mostly nothing waits.
        if !voices::waiting(&mut *self.0.db.read().await?, now).await? {
            return Ok(None);
        }
        let mut transaction = self.0.db.write().await?;
        let backend = self.0.db.backend();
        let task = voices::claim(&mut transaction, backend, now, now + CLAIM_MS).await?;
        transaction.commit().await?;
        Ok(task)
    }

    async fn run_voice_task(&self, task: &Task) {
        let cancel = CancelToken::new();
        let ended = tokio::select! {
            ended = self.compute_voices(task, &cancel) => ended,
            // Returns only by stopping the run, which then ends by itself.
            () = self.keep_claim(task, &cancel) => unreachable!("it never ends"),
        };
        let stored = match ended {
            Ok(()) => Ok(()),
            Err(failure) => self.end_voice_task(task, failure).await,
        };
        // The claim expires and the task is taken again.
        if let Err(error) = stored {
            self.0.condition.note(&error);
            tracing::error!(?task, %error, "a voice could not be stored");
        }
    }

    async fn compute_voices(&self, task: &Task, cancel: &CancelToken) -> Result<(), Failure> {
        if task.attempts > MAX_ATTEMPTS {
            return Err(Failure::input(RECOGNITION_FAILED));
        }
        let described = self.describe(task, cancel).await?;
        let now = self.0.clock.now_ms();
        match &task.kind {
            TaskKind::Sample { id, .. } => {
                let voice = described.voices.into_iter().find_map(|(_, voice)| voice);
                let voice = voice.ok_or_else(|| Failure::input(TOO_LITTLE_SPEECH))?;
                let computed = ComputedSample {
                    embedding: &voice.embedding,
                    vector: &voice.vector,
                    seconds: voice.seconds,
                };
                let mut transaction = self.0.db.write().await?;
                voices::finish_sample(&mut transaction, *id, &computed, now).await?;
                transaction.commit().await?;
            }
            TaskKind::Comparison => {
                let job = task.job.ok_or(Failure::Lost)?;
                // Vectors of many voices are long to read, so not while writes wait. What is deleted
                // or declined meanwhile is left out when the proposals are stored.
                let mut connection = self.0.db.read().await?;
                let samples = voices::of_account(&mut connection, &described.owner).await?;
                let declined = voices::declined(&mut connection, job, task.version).await?;
                drop(connection);
                let proposals = matching::proposals(&described.voices, &samples, &declined);
                let (version, proposals) = (task.version, proposals.as_slice());
                let mut transaction = self.0.db.write().await?;
                voices::finish_comparison(&mut transaction, job, version, proposals, now).await?;
                transaction.commit().await?;
            }
        }
        Ok(())
    }

    /// The voices of the speakers that a task is about.
    async fn describe(&self, task: &Task, cancel: &CancelToken) -> Result<Described, Failure> {
        let missing = || Failure::input(RECORDING_MISSING);
        let job_id = task.job.ok_or_else(missing)?;
        let mut connection = self.0.db.read().await?;
        let job = jobs::find_any(&mut connection, job_id).await?;
        // After a rerun, the audio track is no longer that of this text.
        let job = job.filter(|job| job.version == task.version);
        let job = job.ok_or_else(missing)?;
        let point = HistoryPoint {
            version: Some(task.version),
            at: None,
        };
        let text = projection::read(&mut connection, job_id, point).await?;
        drop(connection);
        let text = text.ok_or_else(missing)?;
        let speakers = match &task.kind {
            TaskKind::Sample { speaker, .. } => vec![speaker.clone()],
            TaskKind::Comparison => unnamed(&text),
        };
        let voices = if speakers.is_empty() {
            Vec::new()
        } else {
            let opened = self.0.storage.open_local(job.media_id).await;
            let file = opened.map_err(|error| Failure::of_missing_recording(&error))?;
            let track = job.audio_track.map(|track| track as usize);
            let request = request(&file, track, &text, &speakers);
            self.voices(request, file, speakers.len(), cancel).await?
        };
        let owner = job.user_id;
        Ok(Described {
            owner,
            voices: speakers.into_iter().zip(voices).collect(),
        })
    }

    /// The voices of the first `count` speakers of a request.
    async fn voices(
        &self,
        request: VoicesRequest,
        file: LocalFile,
        count: usize,
        cancel: &CancelToken,
    ) -> Result<Vec<Option<Voice>>, Failure> {
        let engines = self.0.analyses.engines();
        let Some(speakers) = engines.speakers.clone() else {
            return Err(Failure::input(FEATURE_UNAVAILABLE));
        };
        let cancel = cancel.clone();
        let work = background::spawn("voices", self.0.nice, move || {
            let voices = speakers.describe_voices(&request, &cancel);
            drop(file);
            voices
        });
        match work.await {
            Ok(Ok(mut voices)) => {
                voices.truncate(count);
                Ok(voices)
            }
            Ok(Err(EngineError::NoSpeech)) => Ok(vec![None; count]),
            Ok(Err(error)) => Err(Failure::of(&error, self.0.shutdown.is_cancelled())),
            Err(_) => Err(Failure::Transient(Fault::new(RECOGNITION_FAILED))),
        }
    }

    /// Stores why a task has failed, or the time of its next attempt.
    async fn end_voice_task(&self, task: &Task, failure: Failure) -> slovo_db::Result<()> {
        let now = self.0.clock.now_ms();
        let mut transaction = self.0.db.write().await?;
        match failure {
            Failure::Lost => {}
            Failure::Stopped => voices::retry(&mut transaction, task, now).await?,
            Failure::NoStorage => voices::retry(&mut transaction, task, now + NO_ROOM_MS).await?,
            Failure::Transient(_) if task.attempts < MAX_ATTEMPTS => {
                let next = now + backoff_ms(task.attempts);
                voices::retry(&mut transaction, task, next).await?;
            }
            Failure::Input(fault) | Failure::Transient(fault) | Failure::External { fault, .. } => {
                let known = slovo_rules::voice::VOICE_FAILURES.contains(&fault.code.as_str());
                let code = if known {
                    &fault.code
                } else {
                    RECOGNITION_FAILED
                };
                tracing::info!(?task, code = fault.code, "a voice could not be computed");
                voices::fail(&mut transaction, task, code, now).await?;
            }
        }
        transaction.commit().await
    }

    /// Renews the claim, and stops the run when the server stops.
    async fn keep_claim(&self, task: &Task, cancel: &CancelToken) {
        let mut ticker = interval(RENEWAL);
        ticker.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticker.tick().await;
        loop {
            tokio::select! {
                _ = ticker.tick() => {}
                () = self.0.shutdown.cancelled() => {
                    cancel.cancel();
                    std::future::pending::<()>().await;
                }
            }
            if let Err(error) = self.renew_claim(task).await {
                self.0.condition.note(&error);
                tracing::error!(?task, %error, "the claim was not renewed");
            }
        }
    }

    async fn renew_claim(&self, task: &Task) -> slovo_db::Result<()> {
        let until = self.0.clock.now_ms() + CLAIM_MS;
        let mut transaction = self.0.db.write().await?;
        voices::retry(&mut transaction, task, until).await?;
        transaction.commit().await
    }
}

/// The speakers of a text whom nobody has named.
fn unnamed(text: &EditedTranscript) -> Vec<String> {
    let unnamed = text
        .speakers
        .iter()
        .filter(|speaker| speaker.name.is_none());
    unnamed.map(|speaker| speaker.id.clone()).collect()
}

/// Asks for the voices of these speakers. All others follow, so that parts in which they speak at
/// the same time are left out.
fn request(
    file: &LocalFile,
    audio_track: Option<usize>,
    text: &EditedTranscript,
    asked: &[String],
) -> VoicesRequest {
    let mut ids: Vec<&str> = asked.iter().map(String::as_str).collect();
    let mut speakers: Vec<Vec<(f64, f64)>> = vec![Vec::new(); ids.len()];
    for segment in &text.segments {
        let id = segment.speaker.as_deref().unwrap_or_default();
        let place = ids.iter().position(|known| *known == id);
        let place = place.unwrap_or_else(|| {
            ids.push(id);
            speakers.push(Vec::new());
            ids.len() - 1
        });
        speakers[place].push((segment.start, segment.end));
    }
    VoicesRequest {
        input: file.path().to_owned(),
        audio_track,
        speakers,
        least_seconds: MIN_VOICE_SECONDS,
    }
}

#[cfg(test)]
mod tests {
    use slovo_rules::voice::VOICE_FAILURES;

    use super::*;

    #[test]
    fn own_codes_are_listed() {
        let own = [
            TOO_LITTLE_SPEECH,
            RECORDING_MISSING,
            RECOGNITION_FAILED,
            FEATURE_UNAVAILABLE,
        ];
        assert_eq!(own, VOICE_FAILURES);
    }
}
