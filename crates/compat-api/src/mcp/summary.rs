//! The tool that summarises a recording.

use std::time::Duration;

use rmcp::schemars;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slovo_api::jobs::analysis::AnalysisBody;
use slovo_api::jobs::analysis::create;
use slovo_api::jobs::analysis::create::Error;
use slovo_app::http::{Problem, in_words};
use slovo_db::jobs::Job;
use slovo_db::texts::analyses;
use slovo_rules::analysis::{AnalysisStatus, Outcome, Part, PartRequest};
use slovo_rules::transcript::rounded;
use slovo_work::analysis::text;
use tokio::time::{Instant, sleep};

use super::tools::{ToolError, Tools};

/// How long a call waits for a summary that is being made: clients give up after 60 s, and requests
/// end after 30.
const WAIT: Duration = Duration::from_secs(20);
/// How often the state of a summary is read while a call waits.
const POLL: Duration = Duration::from_millis(500);

/// Which recording to summarise.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SummaryParams {
    /// Id of the recording, from search_transcripts or list_recordings.
    recording_id: String,
}

/// A summary, or how far it is.
#[derive(Serialize, JsonSchema)]
pub(super) struct SummaryAnswer {
    /// `done`, or `running`: then call again after half a minute.
    status: &'static str,
    /// 0 to 100.
    percent: f64,
    /// The sentences; null while it is running.
    summary: Option<Vec<Sentence>>,
    /// Whether the sentences are quoted from the transcript.
    is_quoted: bool,
    /// The page where the user can read it.
    url: String,
}

/// A sentence of a summary.
#[derive(Serialize, JsonSchema)]
struct Sentence {
    text: String,
    /// Seconds: the moments of the recording that support it.
    moments: Vec<f64>,
}

impl Tools {
    pub(super) async fn summary(&self, params: SummaryParams) -> Result<SummaryAnswer, ToolError> {
        let job = self.job(&params.recording_id).await?;
        let mut newest = self.newest(&job).await?;
        let is_there = |found: &AnalysisBody| match found.status {
            AnalysisStatus::Done => !found.is_stale,
            AnalysisStatus::Waiting | AnalysisStatus::Running => true,
            AnalysisStatus::Failed | AnalysisStatus::Held => false,
        };
        if !newest.as_ref().is_some_and(is_there) {
            self.check_transcribe()?;
            let request = PartRequest::plain(Part::Summary);
            let user = &self.caller.user_id;
            match create::queue(&self.state, user, job.id, &request).await {
                Ok(queued) => newest = Some(queued),
                // Another call was faster.
                Err(Error::Running) => newest = self.newest(&job).await?,
                Err(error) => return Err(error.into()),
            }
        }
        let until = Instant::now() + WAIT;
        loop {
            let Some(found) = newest else {
                return Err(Problem::not_found().into());
            };
            let is_over = !found.status.is_active() || Instant::now() >= until;
            if is_over {
                return self.answer(&job, found);
            }
            sleep(POLL).await;
            newest = self.newest(&job).await?;
        }
    }

    /// The newest summary of the current text.
    async fn newest(&self, job: &Job) -> Result<Option<AnalysisBody>, ToolError> {
        let mut connection = self.state.db.read().await?;
        let opened = text::open(&mut connection, job.id, None).await?;
        let opened = opened.ok_or(Error::NotReady)?;
        let version = i64::from(opened.transcript.version);
        let all = analyses::list(&mut connection, job.id, Some(version)).await?;
        let summary = all.into_iter().find(|it| it.part == Part::Summary);
        let print = text::print(&opened.text);
        Ok(summary.map(|it| AnalysisBody::of(it, opened.transcript.seq, &print)))
    }

    fn answer(&self, job: &Job, found: AnalysisBody) -> Result<SummaryAnswer, ToolError> {
        let answer = |status, percent| SummaryAnswer {
            status,
            percent,
            summary: None,
            is_quoted: false,
            url: self.page(job.id),
        };
        match (found.status, found.outcome) {
            (AnalysisStatus::Done, Some(Outcome::Summary(made))) => Ok(SummaryAnswer {
                is_quoted: made.extractive,
                summary: Some(made.sentences.into_iter().map(Sentence::from).collect()),
                ..answer("done", 100.0)
            }),
            (AnalysisStatus::Waiting | AnalysisStatus::Running, _) => {
                Ok(answer("running", found.percent))
            }
            _ => {
                let code = found.error.unwrap_or_else(|| "internal".to_owned());
                let reason = in_words(&code, &std::collections::BTreeMap::new());
                Err(ToolError::new(format!("The summary failed: {reason}.")))
            }
        }
    }
}

impl From<slovo_rules::analysis::SummarySentence> for Sentence {
    fn from(sentence: slovo_rules::analysis::SummarySentence) -> Self {
        Self {
            text: sentence.text,
            moments: sentence
                .moments
                .iter()
                .map(|moment| rounded(moment.start))
                .collect(),
        }
    }
}
