//! The texts of a job as they are sent: transcript, subtitles, and analysis results.

use anyhow::Context as _;
use serde_json::{Map, Value};
use slovo_db::jobs;
use slovo_db::texts::analyses;
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_export::{Format, Options};
use slovo_rules::analysis::{AnalysisStatus, Outcome};
use slovo_rules::edit::EditedTranscript;
use slovo_rules::settings::MadeFile;
use slovo_transcripts::exports;
use uuid::Uuid;

use super::run::RunError;
use crate::Parts;

/// The fields that hold texts of unlimited length.
pub const TEXTS: [&str; 7] = [
    "full_text",
    "file_content",
    "srt_content",
    "summary",
    "overall_sentiment",
    "overall_classification",
    "custom_prompt_result",
];

/// The texts of a job; `None` if it has none or no longer exists.
///
/// # Errors
/// When the database fails or a file cannot be made.
pub async fn texts(parts: &Parts, local_id: &str) -> Result<Option<Map<String, Value>>, RunError> {
    let Ok(id) = local_id.parse::<Uuid>() else {
        return Ok(None);
    };
    let (job, transcript, all_analyses, stored_file) = {
        let mut connection = parts.db.read().await?;
        let Some(job) = jobs::find_any(&mut connection, id).await? else {
            return Ok(None);
        };
        let read = projection::read(&mut connection, id, HistoryPoint::default()).await?;
        let Some(transcript) = read else {
            return Ok(None);
        };
        let version = i64::from(transcript.version);
        let all_analyses = analyses::list(&mut connection, id, Some(version)).await?;
        let stored_file = jobs::files::content(&mut connection, id, MadeFile::Txt).await?;
        (job, transcript, all_analyses, stored_file)
    };
    let mut texts: Map<String, Value> = TEXTS
        .iter()
        .map(|name| ((*name).to_owned(), Value::Null))
        .collect();
    let mut put = |name: &str, text: String| {
        if !text.is_empty() {
            texts.insert(name.to_owned(), Value::from(text));
        }
    };
    put("full_text", plain(&transcript));
    for analysis in all_analyses
        .iter()
        .filter(|entry| entry.status == AnalysisStatus::Done)
    {
        match &analysis.outcome {
            Some(Outcome::Summary(summary)) => {
                let sentences = summary
                    .sentences
                    .iter()
                    .map(|sentence| sentence.text.as_str());
                put("summary", sentences.collect::<Vec<_>>().join(" "));
            }
            Some(Outcome::Sentiment(sentiment)) => {
                put("overall_sentiment", sentiment.mood.as_str().to_owned());
            }
            Some(Outcome::Classification(found)) => {
                let labels = found.labels.iter().map(|label| (&label.label, label.score));
                let labels = labels.map(|(label, score)| format!("{label}: {score:.2}"));
                put(
                    "overall_classification",
                    labels.collect::<Vec<_>>().join("\n"),
                );
            }
            Some(Outcome::Prompt(answer)) => {
                put("custom_prompt_result", answer.markdown.clone());
            }
            _ => {}
        }
    }
    let options = Options::from_plan(&job.plan);
    if let Some(stored_file) = stored_file {
        put("file_content", stored_file);
    } else if job.plan.files.contains(&MadeFile::Txt) {
        // For jobs from before files were stored.
        put(
            "file_content",
            file(Format::Txt, options, &job, &transcript).await?,
        );
    }
    put(
        "srt_content",
        file(Format::Srt, options, &job, &transcript).await?,
    );
    Ok(Some(texts))
}

/// The plain text, without speakers and times.
fn plain(transcript: &EditedTranscript) -> String {
    let texts = transcript
        .segments
        .iter()
        .map(|segment| segment.text.trim());
    texts.collect::<Vec<_>>().join(" ")
}

async fn file(
    format: Format,
    options: Options,
    job: &jobs::Job,
    transcript: &EditedTranscript,
) -> Result<String, RunError> {
    let content = exports::make(format, options, job, transcript.clone()).await;
    let content =
        content.with_context(|| format!("the {format:?} of job {} cannot be made", job.id))?;
    Ok(String::from_utf8_lossy(&content).into_owned())
}
