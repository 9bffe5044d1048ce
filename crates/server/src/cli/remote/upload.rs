//! `slovo remote upload`.

use std::io::{SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio::time::sleep;

use super::client::{Client, checked};
use super::uploads::Unfinished;
use super::watch::{self, Job};
use super::{RECORDING, files};
use crate::cli::failure::{self, Failure};

/// Bytes of a file that are sent at once: what is lost if the connection breaks.
const PIECE: usize = 8 * 1024 * 1024;
/// Breaks of the connection in a row after which an upload is given up until the next run.
const BREAKS: u32 = 6;
/// Version of the protocol (tus.io).
const TUS: (&str, &str) = ("tus-resumable", "1.0.0");

/// What to upload, and how to transcribe it.
#[derive(Args)]
pub struct Options {
    /// Recordings, and folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Language of the speech (ISO 639-1), or auto to detect it
    #[arg(long, value_name = "CODE", default_value = "auto")]
    language: String,
    /// full or lite
    #[arg(long, value_name = "full|lite", default_value = "full", value_parser = ["full", "lite"])]
    mode: String,
    /// Tell speakers apart
    #[arg(long)]
    diarize: bool,
    /// Number of speakers, or a range such as 2-4
    #[arg(long, value_name = "N|A-B", requires = "diarize")]
    speakers: Option<String>,
    /// Follow the transcriptions until they end
    #[arg(long)]
    watch: bool,
    /// Print one line of JSON for each recording
    #[arg(long)]
    json: bool,
}

impl Options {
    fn settings(&self) -> Value {
        json!({
            "transcription_type": self.mode,
            "language_code": self.language,
            "diarization": self.diarize,
            "speakers": self.speakers.clone().unwrap_or_default(),
        })
    }
}

/// Uploads the recordings one after the other, and follows them if that is wanted. A recording that
/// cannot be uploaded does not stop the others.
///
/// # Errors
/// No recording is found.
pub async fn run(client: &Client, options: Options) -> Result<ExitCode> {
    let files = files(&options.paths);
    if files.is_empty() {
        return Err(Failure::usage("there is no recording in these folders").into());
    }
    let (mut jobs, mut worst) = (Vec::new(), ExitCode::SUCCESS);
    for file in &files {
        match transcribe(client, file, &options.settings()).await {
            Ok(job) => {
                if !options.watch {
                    watch::print(&job, client, options.json)?;
                }
                jobs.push(job.my_job_id);
            }
            Err(error) => {
                let error = error.context(file.display().to_string());
                let code = failure::report(&error);
                if worst == ExitCode::SUCCESS {
                    worst = code;
                }
                if failure::code(&error) == Some(super::NO_ACCESS) {
                    return Ok(worst);
                }
            }
        }
    }
    if options.watch && !jobs.is_empty() {
        let watched = watch::run(client, &jobs, options.json).await?;
        if worst == ExitCode::SUCCESS {
            worst = watched;
        }
    }
    Ok(worst)
}

/// Uploads a file and creates its job.
async fn transcribe(client: &Client, file: &Path, settings: &Value) -> Result<Job> {
    let unfinished = Unfinished::of(client.server(), file)?;
    let location = send(client, file, &unfinished).await?;
    let upload_id = location.rsplit('/').next().unwrap_or_default();
    let body = json!({ "upload_id": upload_id, "settings": settings });
    let answer = client
        .send(|| {
            let request = client.request(Method::POST, "/api/v1/jobs").json(&body);
            // If the answer is lost, the same job is answered again.
            request.header("idempotency-key", format!("{}-{upload_id}", unfinished.id))
        })
        .await;
    if answer.is_ok() {
        unfinished.end();
    }
    Ok(answer?.json().await?)
}

/// Sends what the server does not have yet; returns the path of the upload.
async fn send(client: &Client, file: &Path, unfinished: &Unfinished) -> Result<String> {
    let mut source = File::open(file).await?;
    let size = source.metadata().await?.len();
    let known = match unfinished.location() {
        Some(location) => offset(client, &location).await?.map(|at| (location, at)),
        None => None,
    };
    let (location, mut at) = match known {
        Some(known) => known,
        None => (begin(client, file, size, unfinished).await?, 0),
    };
    let bar = bar(file, size);
    let (mut piece, mut breaks) = (vec![0; PIECE], 0);
    while at < size {
        bar.set_position(at);
        source.seek(SeekFrom::Start(at)).await?;
        let length = PIECE.min(usize::try_from(size - at).unwrap_or(PIECE));
        let part = &mut piece[..length];
        source
            .read_exact(part)
            .await
            .context("the file has become shorter")?;
        let request = client
            .request(Method::PATCH, &location)
            .header(TUS.0, TUS.1)
            .header(header::CONTENT_TYPE, "application/offset+octet-stream")
            .header("upload-offset", at)
            .body(part.to_vec());
        match request.send().await {
            Ok(answer) if answer.status().is_success() => {
                at = offset_of(&answer).unwrap_or(at + length as u64);
                breaks = 0;
                continue;
            }
            Ok(answer) if answer.status() == StatusCode::CONFLICT => {}
            Ok(answer) if answer.status().is_client_error() => {
                unfinished.end();
                checked(answer).await?;
            }
            // The server or the network failed: ask what has arrived.
            _ => {}
        }
        breaks += 1;
        if breaks > BREAKS {
            let hint = "the connection breaks again and again; the next run continues here";
            anyhow::bail!(hint);
        }
        sleep(Duration::from_secs(1 << breaks)).await;
        let gone = || Failure::new(RECORDING, "the server no longer has the upload");
        at = offset(client, &location).await?.ok_or_else(gone)?;
    }
    bar.finish_and_clear();
    Ok(location)
}

/// Announces a file; returns the path of its upload.
async fn begin(client: &Client, file: &Path, size: u64, unfinished: &Unfinished) -> Result<String> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = BASE64_STANDARD.encode(name.as_bytes());
    let answer = client
        .send(|| {
            client
                .request(Method::POST, "/api/v1/uploads")
                .header(TUS.0, TUS.1)
                .header("upload-length", size)
                .header("upload-metadata", format!("filename {name}"))
        })
        .await?;
    let location = answer.headers().get(header::LOCATION);
    let location = location.and_then(|location| location.to_str().ok());
    let location = location.context("the server did not say where to send the file")?;
    let path = location.strip_prefix(client.server()).unwrap_or(location);
    unfinished.begin(path)?;
    Ok(path.to_owned())
}

/// How many bytes the server has; `None` if it does not know the upload.
async fn offset(client: &Client, location: &str) -> Result<Option<u64>> {
    let asked = client
        .send(|| client.request(Method::HEAD, location).header(TUS.0, TUS.1))
        .await;
    match asked {
        Ok(answer) => Ok(offset_of(&answer)),
        Err(error) if failure::code(&error) == Some(RECORDING) => Ok(None),
        Err(error) => Err(error),
    }
}

fn offset_of(answer: &reqwest::Response) -> Option<u64> {
    let value = answer.headers().get("upload-offset")?;
    value.to_str().ok()?.parse().ok()
}

fn bar(file: &Path, size: u64) -> ProgressBar {
    let bar = ProgressBar::new(size);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    if bar.is_hidden() {
        let _ = writeln!(std::io::stderr(), "{name}: sending {size} bytes");
    }
    bar.set_prefix(name.into_owned());
    let style = "{prefix}: {bar:30} {bytes}/{total_bytes} {bytes_per_sec}, {eta} left";
    bar.set_style(ProgressStyle::with_template(style).unwrap_or(ProgressStyle::default_bar()));
    bar
}
