//! The options, and what the machine has.

use std::process::Stdio;

use rustix::process::{Resource, getrlimit};
use slovo_engine::models::{self, Fit, MachineResources};
use slovo_platform::disk::free_bytes;
use slovo_rules::settings::TranscriptionType;
use slovo_storage::RESERVE;
use tokio::process::Command;

use super::Finding;
use crate::config::Config;
use crate::state::engine::engine_config;
use crate::state::mail::smtp_server;

/// Bytes below which the disk is nearly full: five gigabytes, an hour of video or two.
const LITTLE: u64 = 5_000_000_000;
/// Open files that a small server needs.
const FILES: u64 = 1024;

/// Options that `slovo serve` refuses.
pub(super) fn options(config: &Config) -> Vec<Finding> {
    let checks = [
        config.check_values(),
        config.openid.provider().map(drop),
        config.openid.read_mark().map(drop),
        config.analysis.endpoint().map(drop),
        config.backups.recipients().map(drop),
        config.mail.sender(&config.public_url()).map(drop),
        smtp_server(&config.mail).map(drop),
    ];
    let faults = checks.into_iter().filter_map(Result::err);
    let faults: Vec<_> = faults
        .map(|error| {
            let remedy = "correct the option or the variable; `slovo serve --help` describes it";
            Finding::fault("configuration", format!("{error:#}"), remedy)
        })
        .collect();
    match faults.is_empty() {
        true => vec![Finding::ok("configuration", "every option can be used")],
        false => faults,
    }
}

/// The space on the disk of the data folder.
pub(super) fn disk(config: &Config) -> Finding {
    let data = config.data();
    let existing = data.ancestors().find(|folder| folder.is_dir());
    let Some(free) = existing.and_then(free_bytes) else {
        return Finding::ok("disk", "it does not say how much space is free");
    };
    let message = format!("{:.1} GB are free for {}", gigabytes(free), data.display());
    let remedy = "remove files from the disk, or move the data folder to a larger one (--data)";
    match free {
        free if free < RESERVE => Finding::fault("disk", message, remedy),
        free if free < LITTLE => Finding::warning("disk", message, remedy),
        _ => Finding::ok("disk", message),
    }
}

/// The models of both modes.
pub(super) fn models(config: &Config) -> Vec<Finding> {
    let engine = match engine_config(&config.engine) {
        Ok(engine) => engine,
        Err(error) => {
            let remedy = "correct the option that the message names";
            return vec![Finding::fault("models", format!("{error:#}"), remedy)];
        }
    };
    let machine = MachineResources::this();
    let modes = [
        (TranscriptionType::Full, &engine.full_model),
        (TranscriptionType::Lite, &engine.lite_model),
    ];
    let findings = modes.map(|(mode, id)| {
        let mode = match mode {
            TranscriptionType::Full => "Full",
            TranscriptionType::Lite => "Lite",
        };
        let Some(model) = models::find(id) else {
            return Finding::ok("models", format!("{mode} uses {id}"));
        };
        let file = engine.models_dir.join(model.file_name());
        let length = std::fs::metadata(&file).map(|found| found.len());
        let pull = format!("slovo models pull {id}");
        match length {
            Err(_) => Finding::fault(
                "models",
                format!(
                    "{mode} uses {id}, which is not in {}",
                    engine.models_dir.display()
                ),
                pull,
            ),
            // A converted file differs by a few bytes; `slovo models verify` compares digests.
            Ok(length) if length + length / 100 < model.bytes() => Finding::fault(
                "models",
                format!(
                    "{} is incomplete: it has {length} bytes instead of {}",
                    file.display(),
                    model.bytes()
                ),
                pull,
            ),
            Ok(_) => match machine.as_ref().map(|machine| model.fit(machine)) {
                Some(Fit::TooLarge) => Finding::warning(
                    "models",
                    format!("{mode} uses {id}, which needs more memory than this machine has"),
                    "slovo models recommend",
                ),
                _ => Finding::ok("models", format!("{mode} uses {id}")),
            },
        }
    });
    findings.into()
}

/// The limit on open files.
pub(super) fn open_files(config: &Config) -> Finding {
    let limit = getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX);
    let wanted = config.http.connections.max(FILES);
    let message = match limit {
        u64::MAX => "there is no limit".to_owned(),
        limit => format!("this process may open {limit}"),
    };
    if limit >= wanted {
        return Finding::ok("open_files", message);
    }
    Finding::warning(
        "open_files",
        format!(
            "{message}, which is too few for {} connections",
            config.http.connections
        ),
        format!(
            "LimitNOFILE={} in the unit of systemd, or `ulimit -n {wanted}`",
            2 * wanted
        ),
    )
}

/// The program that reads rare formats.
pub(super) fn ffmpeg() -> Finding {
    if slovo_engine::media::has_external_decoder() {
        return Finding::ok("ffmpeg", "ffmpeg and ffprobe are installed");
    }
    Finding::warning(
        "ffmpeg",
        "it is not installed: avi, wma, amr, aiff and others cannot be read",
        "apt install ffmpeg",
    )
}

/// The program that finds recordings in web pages.
pub(super) async fn yt_dlp(config: &Config) -> Finding {
    if let Err(error) = config.fetch.check() {
        let remedy = "correct --yt-dlp, or leave it out to use the one in PATH";
        return Finding::fault("yt_dlp", format!("{error:#}"), remedy);
    }
    let remedy = "pipx install yt-dlp";
    let Some(program) = config.fetch.downloader() else {
        let message =
            "it is not installed: addresses of web pages with recordings are not understood";
        return Finding::warning("yt_dlp", message, remedy);
    };
    let mut command = Command::new(&program);
    command
        .arg("--version")
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let asked = tokio::time::timeout(std::time::Duration::from_secs(20), command.output()).await;
    match asked {
        Ok(Ok(output)) if output.status.success() => {
            let version = String::from_utf8_lossy(&output.stdout);
            Finding::ok("yt_dlp", format!("version {}", version.trim()))
        }
        _ => Finding::warning(
            "yt_dlp",
            format!("{} does not run", program.display()),
            remedy,
        ),
    }
}

#[expect(clippy::cast_precision_loss, reason = "for a message")]
fn gigabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e9
}
