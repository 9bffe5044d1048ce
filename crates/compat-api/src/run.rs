//! Has a recording recognised, and follows the job until its text is there.

use std::collections::VecDeque;

use slovo_api::jobs::creation::{self, Cause, Created, WantedJob};
use slovo_api::jobs::default_languages;
use slovo_api::jobs::events::AccessCheck;
use slovo_api::jobs::idempotency::RepeatKey;
use slovo_api::uploads::arriving::StoredRecording;
use slovo_app::auth::Caller;
use slovo_app::http::Problem;
use slovo_app::state::AppState;
use slovo_db::jobs::Job;
use slovo_db::plans::ledger;
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_rules::edit::EditedTranscript;
use slovo_rules::job::JobStatus;
use slovo_rules::job_plan;
use slovo_rules::media::Fault;
use slovo_rules::plan::PlanFeature;
use slovo_rules::settings::{Source, TranscriptionSettings};
use slovo_rules::transcript::Segment;
use slovo_work::jobs::watch::{JobEvent, Watch};

use crate::request::SpeechRequest;

/// Why there is no text.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The request was refused, or the server failed.
    Problem(Problem),
    /// The job failed.
    Failed(Fault),
    /// The job was cancelled or deleted.
    Cancelled,
    /// The server stops; the job goes on after its restart.
    Stopping,
    /// The key was revoked, the session ended, or the account was blocked.
    AccessLost,
}

impl<E: Into<Problem>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Problem(error.into())
    }
}

/// A recognised recording.
#[derive(Debug)]
pub(crate) struct Recognised {
    /// The job.
    pub job: Job,
    /// Its text; without segments if nothing was said.
    pub text: EditedTranscript,
}

/// A job that is followed.
pub(crate) struct Running {
    state: AppState,
    job: Job,
    watch: Watch,
    rights: AccessCheck,
    waiting: VecDeque<JobEvent>,
    /// Whether the plan shows the text during recognition.
    realtime: bool,
}

/// What has become of a job.
pub(crate) enum Progress {
    /// The whole text so far, which may still change.
    All(Vec<Segment>),
    /// More text, which may still change.
    More(Vec<Segment>),
    /// The text.
    Done(Box<Recognised>),
}

/// Creates the job.
///
/// # Errors
/// The request is refused; then the recording is removed.
pub(crate) async fn start(
    state: &AppState,
    caller: &Caller,
    recording: StoredRecording,
    request: &SpeechRequest,
    repeat: Option<RepeatKey>,
) -> Result<Running, Failure> {
    let settings = settings(state, caller, request).await?;
    let wanted = wanted(&settings, Source::File, repeat)?;
    let created = creation::of_upload(state, caller, recording.id(), wanted).await;
    let Created { job, is_repeated } = created.map_err(Problem::from)?;
    if !is_repeated {
        recording.take();
    }
    follow(state, caller, job).await
}

/// Creates a job whose recording is fetched from an address.
///
/// # Errors
/// The request is refused.
pub(crate) async fn start_url(
    state: &AppState,
    caller: &Caller,
    url: String,
    request: &SpeechRequest,
    repeat: Option<RepeatKey>,
) -> Result<Running, Failure> {
    let job = create_of_url(state, caller, url, request, repeat).await?;
    follow(state, caller, job).await
}

/// Creates a job whose recording is fetched from an address, without following it.
///
/// # Errors
/// The request is refused.
pub(crate) async fn create_of_url(
    state: &AppState,
    caller: &Caller,
    url: String,
    request: &SpeechRequest,
    repeat: Option<RepeatKey>,
) -> Result<Job, Problem> {
    let mut settings = settings(state, caller, request).await?;
    settings.url = url;
    let wanted = wanted(&settings, Source::Url, repeat)?;
    let created = creation::of_url(state, caller, wanted).await;
    Ok(created.map_err(Problem::from)?.job)
}

/// The settings of the job that a request makes.
///
/// # Errors
/// The database failed.
pub(crate) async fn settings(
    state: &AppState,
    caller: &Caller,
    request: &SpeechRequest,
) -> Result<TranscriptionSettings, Problem> {
    let mut settings = request.settings();
    if settings.detects_language() && request.languages.is_none() {
        settings.languages = default_languages::find(state, caller, None).await?;
    }
    Ok(settings)
}

fn wanted(
    settings: &TranscriptionSettings,
    source: Source,
    repeat: Option<RepeatKey>,
) -> Result<WantedJob, Problem> {
    Ok(WantedJob {
        plan: job_plan::validate(settings, source).map_err(Problem::from)?,
        audio_track: None,
        cause: Cause {
            repeat,
            ..Cause::default()
        },
    })
}

async fn follow(state: &AppState, caller: &Caller, job: Job) -> Result<Running, Failure> {
    let owner = Some(caller.user_id.as_str());
    let shutdown = state.shutdown.clone();
    let watch = Watch::begin(state.db.clone(), &state.jobs, owner, job.id, shutdown).await?;
    let (watch, first) = watch.ok_or(Failure::Cancelled)?;
    let mut connection = state.db.read().await?;
    let now = state.clock.now_ms();
    let balance = ledger::read_balance(&mut connection, &caller.user_id, now).await?;
    Ok(Running {
        state: state.clone(),
        job,
        watch,
        rights: AccessCheck::new(state, &caller.credential),
        waiting: first.into(),
        realtime: balance.has(PlanFeature::Realtime),
    })
}

impl Running {
    /// Waits for more text, or for the end.
    ///
    /// # Errors
    /// [`Failure`].
    pub(crate) async fn next(&mut self) -> Result<Progress, Failure> {
        loop {
            match self.waiting.pop_front() {
                Some(JobEvent::Ended(job)) => {
                    let text = recognised(&self.state, *job).await?;
                    return Ok(Progress::Done(Box::new(text)));
                }
                Some(JobEvent::State { segments, .. }) if self.realtime => {
                    return Ok(Progress::All(segments));
                }
                Some(JobEvent::Segments(segments)) if self.realtime => {
                    return Ok(Progress::More(segments));
                }
                Some(_) => {}
                None => {
                    let more = tokio::select! {
                        more = self.watch.next() => more?,
                        () = self.rights.end() => return Err(Failure::AccessLost),
                    };
                    self.waiting.extend(more.ok_or_else(|| self.gone())?);
                }
            }
        }
    }

    /// Waits for the end.
    ///
    /// # Errors
    /// [`Failure`].
    pub(crate) async fn finish(mut self) -> Result<Recognised, Failure> {
        loop {
            if let Progress::Done(done) = self.next().await? {
                return Ok(*done);
            }
        }
    }

    fn gone(&self) -> Failure {
        if self.state.shutdown.is_cancelled() {
            return Failure::Stopping;
        }
        tracing::debug!(job = %self.job.id, "a job was deleted while a client waited");
        Failure::Cancelled
    }
}

/// The text of a job that has ended. A recording in which nobody speaks has a text without
/// segments.
async fn recognised(state: &AppState, job: Job) -> Result<Recognised, Failure> {
    match job.status {
        JobStatus::Completed => {
            let mut connection = state.db.read().await?;
            let point = HistoryPoint::default();
            let text = projection::read(&mut connection, job.id, point).await?;
            let text = text.ok_or(Failure::Cancelled)?;
            Ok(Recognised { job, text })
        }
        JobStatus::Cancelled => Err(Failure::Cancelled),
        _ => {
            let fault = job.error.unwrap_or_else(|| Fault::new("internal"));
            Err(Failure::Failed(fault))
        }
    }
}
