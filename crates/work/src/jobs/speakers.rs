//! The stage that identifies speakers. If it fails the job only gets a warning.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use slovo_db::jobs::queue::Progress;
use slovo_db::jobs::stages;
use slovo_db::texts::recognition;
use slovo_engine::EngineError;
use slovo_rules::job::Stage;
use slovo_rules::job_plan::SpeakersPlan;
use slovo_rules::transcript::{Transcript, Warning};

use super::background;
use super::digest;
use super::failure::Failure;
use super::run::Run;
use crate::analysis::speakers::SpeakersInput;
use crate::webhooks::recognition::is_of_service;

/// Code of the warning.
const FAILED: &str = "speakers_failed";

/// Earlier estimates would fluctuate too much.
const FIRST_ESTIMATE: Duration = Duration::from_secs(2);

/// Remaining time at the average speed so far; `None` while it is unknown.
fn seconds_left(elapsed: Duration, percent: f64) -> Option<f64> {
    let is_known = elapsed >= FIRST_ESTIMATE && percent >= 1.0;
    is_known.then(|| elapsed.as_secs_f64() * (100.0 - percent).max(0.0) / percent)
}

/// Output of the stage besides its segments.
#[derive(Debug, Default, Serialize, Deserialize)]
struct StoredOutcome {
    warning: Option<Warning>,
    /// The speaker of each removed passage.
    #[serde(default)]
    removed: Vec<Option<String>>,
}

impl Run {
    /// The transcript with speakers, if they were requested.
    pub(super) async fn with_speakers(
        &self,
        mut transcript: Transcript,
        model: &str,
    ) -> Result<Transcript, Failure> {
        let Some(plan) = self.job.plan.speakers else {
            return Ok(transcript);
        };
        let has_speakers = || {
            transcript
                .segments
                .iter()
                .any(|passage| passage.speaker.is_some())
        };
        if transcript.segments.is_empty()
            || ((self.job.plan.multichannel || is_of_service(model)) && has_speakers())
        {
            return Ok(transcript);
        }
        let (db, id, version) = (&self.jobs.0.db, self.job.id, self.job.version);
        let digest = digest::speakers(&self.job, plan, model);
        let stored_stage =
            stages::find::<StoredOutcome>(&mut *db.read().await?, id, version, Stage::Speakers)
                .await?;
        if let Some(row) = stored_stage
            && row.input_digest == digest
            && let Some(stored) = row.output
        {
            // The stored segments already have speakers.
            transcript.warnings.extend(stored.warning);
            for (passage, speaker) in transcript.removed.iter_mut().zip(stored.removed) {
                passage.speaker = speaker;
            }
            return Ok(transcript);
        }
        self.begin(Stage::Speakers, &digest).await?;
        let result = self.speakers_of(plan, transcript.clone()).await?;
        let mut outcome = StoredOutcome::default();
        match result {
            Ok(with_speakers) => {
                transcript = with_speakers;
                let removed = transcript.removed.iter();
                outcome.removed = removed.map(|passage| passage.speaker.clone()).collect();
                for (index, segment) in (0..).zip(&mut transcript.segments) {
                    segment.index = index;
                }
            }
            Err(reason) => {
                tracing::warn!(job = %id, reason, "the speakers could not be identified");
                outcome.warning = Some(Warning::new(FAILED).with("reason", reason));
            }
        }
        transcript.warnings.extend(outcome.warning.clone());
        let segments = &transcript.segments;
        let now = self.jobs.0.clock.now_ms();
        let mut transaction = db.write().await?;
        let lease = &self.lease;
        let still_leased =
            recognition::replace_segments(&mut transaction, lease, version, segments).await?
                && stages::finish(
                    &mut transaction,
                    lease,
                    version,
                    Stage::Speakers,
                    &outcome,
                    now,
                )
                .await?;
        self.commit(transaction, still_leased).await?;
        Ok(transcript)
    }

    /// The transcript with speakers, or the code of why there are none.
    async fn speakers_of(
        &self,
        plan: SpeakersPlan,
        transcript: Transcript,
    ) -> Result<Result<Transcript, String>, Failure> {
        let Some(speakers) = self.jobs.0.analyses.engines().speakers.clone() else {
            return Ok(Err("feature_unavailable".to_owned()));
        };
        let file = self.open_recording().await?;
        let request = SpeakersInput {
            file: file.path().to_owned(),
            audio_track: self.job.audio_track.map(|track| track as usize),
            plan,
        };
        let (jobs, id) = (self.jobs.clone(), self.job.id);
        let (cancel, trace) = (self.running.cancel.clone(), Arc::clone(&self.trace));
        let nice = self.jobs.0.nice;
        let work = background::spawn("speakers", nice, move || {
            let started = Instant::now();
            let mut report = |percent: f64| {
                let progress = Progress {
                    stage: Stage::Speakers,
                    percent,
                    seconds_left: seconds_left(started.elapsed(), percent),
                };
                trace.set_progress(progress);
                jobs.0.live.progress(id, progress);
            };
            report(0.0);
            let identified = speakers.identify_speakers(&request, transcript, &cancel, &mut report);
            drop(file);
            identified
        });
        match work.await {
            Ok(Ok(transcript)) => Ok(Ok(transcript)),
            Ok(Err(error @ EngineError::Cancelled)) => {
                Err(Failure::of(&error, self.jobs.0.shutdown.is_cancelled()))
            }
            Ok(Err(error)) => Ok(Err(error.code().to_owned())),
            Err(_) => Ok(Err("recognition_failed".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_unknown_until_the_speed_is_known() {
        let left = |seconds, percent| seconds_left(Duration::from_secs(seconds), percent);
        assert_eq!(left(1, 50.0), None);
        assert_eq!(left(60, 0.5), None);
        assert_eq!(left(10, 25.0), Some(30.0));
        assert_eq!(left(10, 100.0), Some(0.0));
    }
}
