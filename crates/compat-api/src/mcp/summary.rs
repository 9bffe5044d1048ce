//! The tool that summarises a recording.

use std::time::Duration;

use rmcp::schemars;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slovo_api::jobs::analysis::AnalysisBody;
use slovo_api::jobs::analysis::create;
use slovo_api::jobs::analysis::create::Error;
use slovo_app::http::in_words;
use slovo_db::jobs::Job;
use slovo_db::texts::analyses::{self, Analysis};
use slovo_rules::analysis::{AnalysisStatus, Outcome, Part, PartRequest};
use slovo_rules::transcript::rounded;
use slovo_work::analysis::text;
use tokio::time::{Instant, sleep};

use super::context::{ToolError, Tools};

/// How long a call waits for a summary that is being made: clients give up after 60 s, and requests
/// end after 30.
const WAIT: Duration = Duration::from_secs(20);
/// Words of a summary for which no number was given.
const USUAL_WORDS: u32 = 150;
/// How often the state of a summary is read while a call waits.
const POLL: Duration = Duration::from_millis(500);

/// Which recording to summarise.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SummaryParams {
    /// Id of the recording, from search_transcripts or list_recordings.
    recording_id: String,
    /// About how many words it has, 1 to 1000. If absent, any summary that is there will do, and a new
    /// one has 150.
    #[schemars(with = "Option<i64>", range(min = 1, max = 1000))]
    words: Option<u32>,
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
        let until = Instant::now() + WAIT;
        let mut found = match self.known(&job, params.words).await? {
            Some(known) => known,
            None => self.requested(&job, params.words).await?,
        };
        while found.status.is_active() && Instant::now() < until {
            sleep(POLL).await;
            let mut connection = self.state.db.read().await?;
            let again = analyses::find(&mut connection, job.id, found.id).await?;
            found = again.ok_or_else(|| ToolError::new("The summary was deleted."))?;
        }
        let is_other = params.words.is_some() && found.params.words != params.words;
        if found.status == AnalysisStatus::Done && is_other {
            return Err(ToolError::new(
                "A summary of another length was being made. Call again for this one.",
            ));
        }
        self.answer(&job, found)
    }

    /// The newest summary of the current text that can be used: one that is being made, or a finished
    /// one of this length.
    async fn known(&self, job: &Job, words: Option<u32>) -> Result<Option<Analysis>, ToolError> {
        let mut connection = self.state.db.read().await?;
        let opened = text::open(&mut connection, job.id, None).await?;
        let opened = opened.ok_or(Error::NotReady)?;
        let (version, seq) = (opened.transcript.version, opened.transcript.seq);
        let print = text::print(&opened.text);
        let all = analyses::list(&mut connection, job.id, Some(i64::from(version))).await?;
        let can_be_used = |found: &Analysis| {
            let has_length = words.is_none() || found.params.words == words;
            let is_current = || !AnalysisBody::of(found.clone(), seq, &print).is_stale;
            found.status.is_active()
                || (found.status == AnalysisStatus::Done && has_length && is_current())
        };
        let mut summaries = all.into_iter().filter(|it| it.part == Part::Summary);
        Ok(summaries.find(can_be_used))
    }

    /// A new summary.
    async fn requested(&self, job: &Job, words: Option<u32>) -> Result<Analysis, ToolError> {
        self.check_transcribe()?;
        let request = PartRequest {
            words: Some(words.unwrap_or(USUAL_WORDS)),
            ..PartRequest::plain(Part::Summary)
        };
        let queued = create::queue(&self.state, &self.caller.user_id, job.id, &request).await;
        let id = match queued {
            Ok(queued) => queued.id,
            // Another call was faster.
            Err(Error::Running) => {
                let other = self.known(job, words).await?;
                return other.ok_or_else(|| Error::Running.into());
            }
            Err(error) => return Err(error.into()),
        };
        let mut connection = self.state.db.read().await?;
        let found = analyses::find(&mut connection, job.id, id).await?;
        found.ok_or_else(|| ToolError::new("The summary was deleted."))
    }

    fn answer(&self, job: &Job, found: Analysis) -> Result<SummaryAnswer, ToolError> {
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
                Ok(answer("running", rounded(found.percent)))
            }
            (AnalysisStatus::Held, _) => Err(ToolError::new(
                "No engine of this server makes summaries in this language at the moment.",
            )),
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
