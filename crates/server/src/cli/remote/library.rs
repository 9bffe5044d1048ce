//! `slovo remote list`, `export` and `search`.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use reqwest::{Method, header};
use serde::Deserialize;
use serde_json::Value;

use super::client::Client;
use super::watch::{Job, job_path, print};
use crate::cli::failure::Failure;

/// Largest page of the server.
const PAGE: usize = 100;
/// Largest page of search results.
const SEARCH_PAGE: usize = 50;

/// Which transcriptions to list.
#[derive(Args)]
pub struct ListOptions {
    /// Only those whose name contains this
    #[arg(long)]
    name: Option<String>,
    /// Only those in this state
    #[arg(long, value_parser = ["pending", "processing", "completed", "error", "cancelled"])]
    status: Option<String>,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Print one line of JSON for each of them
    #[arg(long)]
    json: bool,
}

#[derive(Deserialize)]
struct Page<T> {
    items: Vec<T>,
    next_cursor: Option<String>,
}

/// Lists transcriptions.
///
/// # Errors
/// The server refuses, or cannot be reached.
pub async fn list(client: &Client, options: ListOptions) -> Result<ExitCode> {
    let (mut left, mut cursor) = (options.limit, None);
    while left > 0 {
        let mut query = vec![("limit", left.min(PAGE).to_string())];
        query.extend(options.name.clone().map(|name| ("q", name)));
        query.extend(options.status.clone().map(|status| ("status", status)));
        query.extend(cursor.take().map(|cursor| ("cursor", cursor)));
        let page: Page<Job> = client.get("/api/v1/jobs", &query).await?;
        left = left.saturating_sub(page.items.len());
        for job in &page.items {
            print(job, client, options.json)?;
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What to write.
#[derive(Args)]
pub struct ExportOptions {
    /// Ids of transcriptions
    #[arg(required = true)]
    ids: Vec<String>,
    /// txt, srt, vtt, json, csv, md, docx, pdf, ttml or stl
    #[arg(long, value_name = "FORMAT", default_value = "txt")]
    format: String,
    /// A file, a folder, or - for standard output; the current folder if absent
    #[arg(long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

/// Writes texts to files, which the server names.
///
/// # Errors
/// The server refuses, or a file cannot be written.
pub async fn export(client: &Client, options: ExportOptions) -> Result<ExitCode> {
    let output = options.output.unwrap_or_else(|| PathBuf::from("."));
    let is_stdout = output == Path::new("-");
    if options.ids.len() > 1 && !is_stdout && !output.is_dir() {
        let message = "--output: several texts need an existing folder";
        return Err(Failure::usage(message).into());
    }
    for id in &options.ids {
        let path = format!("{}/export", job_path(id));
        let query = [("format", options.format.clone())];
        let answer = client
            .send(|| client.request(Method::GET, &path).query(&query))
            .await?;
        let name = file_name(&answer);
        let name = name.unwrap_or_else(|| format!("{id}.{}", options.format));
        let content = answer.bytes().await?;
        if is_stdout {
            let mut stdout = std::io::stdout().lock();
            if stdout.is_terminal() && std::str::from_utf8(&content).is_err() {
                let message = format!("{} is not text: name a file with --output", options.format);
                return Err(Failure::usage(message).into());
            }
            stdout.write_all(&content)?;
            continue;
        }
        let file = if output.is_dir() {
            output.join(name)
        } else {
            output.clone()
        };
        write(&file, &content, options.force)?;
        writeln!(std::io::stdout(), "{}", file.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write(file: &Path, content: &[u8], force: bool) -> Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    let opened = options.open(file).with_context(|| {
        let hint = if file.exists() {
            " (--force replaces it)"
        } else {
            ""
        };
        format!("{}{hint}", file.display())
    });
    opened?.write_all(content)?;
    Ok(())
}

/// The name that the server gives to a file (RFC 6266), without folders.
fn file_name(answer: &reqwest::Response) -> Option<String> {
    let value = answer.headers().get(header::CONTENT_DISPOSITION)?;
    name_in(value.to_str().ok()?)
}

fn name_in(disposition: &str) -> Option<String> {
    let encoded = disposition.split("filename*=UTF-8''").nth(1)?;
    let encoded = encoded.split(';').next()?.trim();
    let name = percent_encoding::percent_decode_str(encoded)
        .decode_utf8()
        .ok()?;
    let name = Path::new(&*name).file_name()?.to_str()?;
    (!name.starts_with('.')).then(|| name.to_owned())
}

/// What to search for.
#[derive(Args)]
pub struct SearchOptions {
    /// Words that must all occur; in quotation marks, exactly as written
    #[arg(required = true)]
    words: Vec<String>,
    /// At most so many transcriptions
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// Print one line of JSON for each of them
    #[arg(long)]
    json: bool,
}

/// Searches texts; exits with 1 if nothing is found, as `grep` does.
///
/// # Errors
/// The server refuses, or cannot be reached.
pub async fn search(client: &Client, options: SearchOptions) -> Result<ExitCode> {
    let words = options.words.join(" ");
    let (mut left, mut cursor, mut found) = (options.limit, None, false);
    let mut output = std::io::stdout();
    while left > 0 {
        let mut query = vec![
            ("q", words.clone()),
            ("limit", left.min(SEARCH_PAGE).to_string()),
        ];
        query.extend(cursor.take().map(|cursor| ("cursor", cursor)));
        let page: Page<Value> = client.get("/api/v1/search", &query).await?;
        left = left.saturating_sub(page.items.len());
        found |= !page.items.is_empty();
        for item in &page.items {
            if options.json {
                writeln!(output, "{item}")?;
            } else {
                print_found(&mut output, item)?;
            }
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    Ok(if found {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn print_found(output: &mut impl Write, item: &Value) -> Result<()> {
    let job: Job = serde_json::from_value(item["job"].clone())?;
    writeln!(output, "{}\t{}", job.my_job_id, job.name())?;
    for hit in item["hits"].as_array().into_iter().flatten() {
        let start = hit["start"].as_f64().unwrap_or_default().max(0.0) as u64;
        let speaker = hit["speaker"].as_str();
        let speaker = speaker.map_or(String::new(), |speaker| format!("{speaker}: "));
        let text = hit["text"].as_str().unwrap_or_default();
        writeln!(
            output,
            "  {}:{:02}:{:02} {speaker}{text}",
            start / 3600,
            start / 60 % 60,
            start % 60
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::name_in;

    #[test]
    fn the_servers_name_of_a_file_stays_in_the_folder() {
        for (header, expected) in [
            (
                "attachment; filename=\"a.txt\"; filename*=UTF-8''%D0%B0.txt",
                Some("а.txt"),
            ),
            (
                "attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd",
                Some("passwd"),
            ),
            ("attachment; filename*=UTF-8''.bashrc", None),
            ("attachment; filename*=UTF-8''%2F", None),
            ("attachment; filename=\"a.txt\"", None),
            ("attachment", None),
        ] {
            assert_eq!(name_in(header).as_deref(), expected, "{header}");
        }
    }
}
