//! `slovo remote watch`.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::sleep;

use super::client::Client;
use super::{NO_SPEECH, RECORDING};

/// How often a transcription is asked for.
const POLL: Duration = Duration::from_secs(2);

/// What is used of a job.
#[derive(Debug, Serialize, Deserialize)]
pub struct Job {
    pub my_job_id: String,
    pub original_filename: String,
    pub title: Option<String>,
    pub status: String,
    pub created_at: String,
    pub duration: Option<f64>,
    pub language: Option<String>,
    pub progress: Option<Progress>,
    pub error: Option<Fault>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Progress {
    pub stage: String,
    pub percent: f64,
    pub seconds_left: Option<f64>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Fault {
    pub code: String,
}

/// How a transcription ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Done,
    NoSpeech,
    Failed,
}

impl Job {
    /// Its title, otherwise the file's name.
    pub fn name(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.original_filename)
    }

    fn outcome(&self) -> Option<Outcome> {
        let has_speech = self
            .error
            .as_ref()
            .is_none_or(|error| error.code != "no_speech");
        match self.status.as_str() {
            "pending" | "processing" => None,
            "completed" => Some(Outcome::Done),
            _ if has_speech => Some(Outcome::Failed),
            _ => Some(Outcome::NoSpeech),
        }
    }
}

/// Follows transcriptions until all have ended. The exit code is that of the first one without a
/// text.
///
/// # Errors
/// One of them does not exist, or the server cannot be reached.
pub async fn run(client: &Client, ids: &[String], json: bool) -> Result<ExitCode> {
    let mut worst = Outcome::Done;
    for id in ids {
        let outcome = follow(client, id, json).await?;
        if worst == Outcome::Done {
            worst = outcome;
        }
    }
    Ok(exit_code(worst))
}

fn exit_code(outcome: Outcome) -> ExitCode {
    match outcome {
        Outcome::Done => ExitCode::SUCCESS,
        Outcome::NoSpeech => ExitCode::from(NO_SPEECH),
        Outcome::Failed => ExitCode::from(RECORDING),
    }
}

async fn follow(client: &Client, id: &str, json: bool) -> Result<Outcome> {
    let path = job_path(id);
    let bar = ProgressBar::new(100);
    let style = "{prefix}: {bar:30} {percent}% {msg}";
    bar.set_style(ProgressStyle::with_template(style).unwrap_or(ProgressStyle::default_bar()));
    let mut told = String::new();
    loop {
        let job: Job = client.get(&path, &[]).await?;
        if let Some(outcome) = job.outcome() {
            bar.finish_and_clear();
            print(&job, client, json)?;
            return Ok(outcome);
        }
        bar.set_prefix(job.name().to_owned());
        if let Some(progress) = &job.progress {
            bar.set_position(progress.percent.clamp(0.0, 100.0) as u64);
            let left = progress.seconds_left;
            let left = left.map_or(String::new(), |left| format!(", {left:.0} s left"));
            bar.set_message(format!("{}{left}", progress.stage));
            if bar.is_hidden() && told != progress.stage {
                told.clone_from(&progress.stage);
                writeln!(std::io::stderr(), "{}: {told}", job.name())?;
            }
        }
        sleep(POLL).await;
    }
}

/// The path of a job; the id comes from the command line.
pub fn job_path(id: &str) -> String {
    let id = percent_encoding::utf8_percent_encode(id, percent_encoding::NON_ALPHANUMERIC);
    // Hyphens of UUIDs stay as they are.
    format!("/api/v1/jobs/{}", id.to_string().replace("%2D", "-"))
}

/// Prints a job to standard output: id, state and name, or a line of JSON.
///
/// # Errors
/// Standard output is closed.
pub fn print(job: &Job, client: &Client, json: bool) -> Result<()> {
    let mut output = std::io::stdout().lock();
    if json {
        let url = format!("{}/transcription/{}", client.server(), job.my_job_id);
        let mut line = json!(job);
        line["url"] = url.into();
        writeln!(output, "{line}")?;
    } else {
        let reason = job.error.as_ref().map(|error| error.code.replace('_', " "));
        let reason = reason.map_or(String::new(), |reason| format!(" ({reason})"));
        writeln!(
            output,
            "{}\t{}{reason}\t{}",
            job.my_job_id,
            job.status,
            job.name()
        )?;
    }
    Ok(())
}
