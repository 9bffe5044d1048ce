//! The list of models, as a table and as JSON.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use slovo_engine::models::{
    self, Choice, Fit, Kind, MODELS, MachineResources, Measurement, Measurements, Model, Precision,
    SENTENCES, State, VOICE_ACTIVITY,
};
use slovo_rules::settings::TranscriptionType;

use crate::cli::hints;

/// Recommended when base is not accurate enough.
const RECOMMENDED: &str = "large-v3-turbo-q5_0";

/// One model.
#[derive(Serialize)]
pub struct Row {
    id: &'static str,
    bytes: u64,
    /// `installed`, `unverified` (present, but not installed by this program) or `missing`.
    state: &'static str,
    /// The modes that use it: `full`, `lite`, `voice_activity`.
    used_by: Vec<&'static str>,
    multilingual: bool,
    /// Estimated memory in bytes, with one state per core.
    memory_bytes: u64,
    /// `fits`, `tight`, `too_large`; null if the machine's memory is unknown.
    fit: Option<&'static str>,
    /// Estimated seconds for one hour of speech on this machine.
    seconds_per_hour: Option<u64>,
    note: &'static str,
    /// What was measured on this machine with `slovo models measure`, by language.
    measured: Vec<Measured>,
}

/// A measurement on this machine.
#[derive(Serialize)]
pub struct Measured {
    /// Word error rate in percent.
    percent: f64,
    /// Seconds of speech recognised in a second.
    speed: f64,
    #[serde(flatten)]
    measurement: Measurement,
}

impl From<&Measurement> for Measured {
    fn from(measurement: &Measurement) -> Self {
        Self {
            percent: measurement.percent(),
            speed: measurement.speed(),
            measurement: measurement.clone(),
        }
    }
}

/// All models, or only those in the folder.
pub fn rows(dir: &Path, choice: &Choice, installed: bool) -> Vec<Row> {
    let machine = MachineResources::this();
    let measurements = Measurements::load(dir);
    MODELS
        .iter()
        .map(|model| Row {
            measured: measurements
                .of(model.id)
                .iter()
                .map(Measured::from)
                .collect(),
            ..row(dir, choice, machine.as_ref(), model)
        })
        .filter(|row| !installed || row.state != "missing")
        .collect()
}

fn row(dir: &Path, choice: &Choice, machine: Option<&MachineResources>, model: &Model) -> Row {
    let mut used_by = Vec::new();
    if choice.model(TranscriptionType::Full) == model.id {
        used_by.push("full");
    }
    if choice.model(TranscriptionType::Lite) == model.id {
        used_by.push("lite");
    }
    if model.id == VOICE_ACTIVITY {
        used_by.push("voice_activity");
    }
    if matches!(
        model.kind,
        Kind::SpeakerSegmentation | Kind::SpeakerEmbedding
    ) {
        used_by.push("speakers");
    }
    if model.id == SENTENCES {
        used_by.push("analysis");
    }
    let cores = machine.map_or(1, |machine| machine.cores);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate, positive and small"
    )]
    let seconds_per_hour = model
        .seconds_per_hour(cores)
        .map(|seconds| seconds.round() as u64);
    Row {
        id: model.id,
        bytes: model.bytes(),
        state: match models::state(dir, model) {
            State::Missing => "missing",
            State::Installed(_) => "installed",
            State::Unknown => "unverified",
        },
        used_by,
        multilingual: model.serves(TranscriptionType::Full),
        memory_bytes: model.memory(cores.clamp(1, 4)),
        fit: machine.map(|machine| match model.fit(machine) {
            Fit::Fits => "fits",
            Fit::Tight => "tight",
            Fit::TooLarge => "too_large",
        }),
        seconds_per_hour,
        note: note(model),
        measured: Vec::new(),
    }
}

/// The model's quality. Figures are word error rates measured with greedy decoding; without a
/// measurement there is no figure.
fn note(model: &Model) -> &'static str {
    let precision = match model.kind {
        Kind::Speech { precision, .. } => precision,
        Kind::SpeakerSegmentation => {
            return "finds where someone speaks; needed to identify speakers";
        }
        Kind::SpeakerEmbedding => return "recognises voices; needed to identify speakers",
        Kind::VoiceActivity => return "finds speech; needed by every mode",
        Kind::Sentences => return "understands sentences; for summaries, sentiment, labels",
    };
    let size = model.id.split(['-', '.']).next().unwrap_or_default();
    match (size, model.id.contains("turbo"), precision) {
        _ if model.id == RECOMMENDED => "recommended for Ukrainian and other languages",
        _ if model.id.ends_with("tdrz") => "English, marks speaker changes",
        ("tiny", _, _) => "rough; for English and quick drafts",
        ("base", _, _) if model.id.contains(".en") => "English",
        ("base", _, _) => "fair in English (12% of words wrong), poor in Ukrainian (45%)",
        ("large", true, _) => "close to large-v3, with a small decoder",
        (_, _, Precision::F16) => "full precision: larger than q5 and q8, nearly the same text",
        _ => "",
    }
}

/// Prints the list as a table.
pub fn write_table(dir: &Path, rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "{:<20} {:>8}  {:<10} {:<10} {:>8}  {:<9} {:>9}  NOTE",
        "MODEL", "SIZE", "STATE", "USED BY", "MEMORY", "MACHINE", "1 H TAKES"
    )?;
    for row in rows {
        let line = format!(
            "{:<20} {:>8}  {:<10} {:<10} {:>8}  {:<9} {:>9}  {}",
            row.id,
            size(row.bytes),
            if row.state == "missing" {
                "-"
            } else {
                row.state
            },
            row.used_by.join(",").replace("voice_activity", "both"),
            size(row.memory_bytes),
            row.fit.unwrap_or("?").replace('_', " "),
            row.seconds_per_hour.map_or_else(|| "-".to_owned(), minutes),
            row.note
        );
        writeln!(out, "{}", line.trim_end())?;
        write_measured(&row.measured, out)?;
    }
    writeln!(out, "\nFolder: {}", dir.display())?;
    writeln!(
        out,
        "MEMORY and 1 H TAKES (one hour of speech on this machine's cores) are estimates from the base model."
    )?;
    writeln!(
        out,
        "For better transcripts in Ukrainian: `{} --use full`.",
        hints::pull(RECOMMENDED, dir)
    )
}

/// Prints what was measured of a model on this machine, a line for each language.
pub fn write_measured(all: &[Measured], out: &mut impl Write) -> io::Result<()> {
    for Measured {
        percent,
        speed,
        measurement,
    } in all
    {
        let (language, words) = (measurement.language.as_str(), measurement.words);
        writeln!(
            out,
            "  measured here, {language}: {percent:.1}% of {words} words wrong, {speed:.1} times as \
             fast as speech"
        )?;
    }
    Ok(())
}

/// Bytes in MB or GB.
pub fn size(bytes: u64) -> String {
    if bytes >= 1_000_000_000 {
        format!("{}.{} GB", bytes / 1_000_000_000, bytes / 100_000_000 % 10)
    } else {
        format!("{} MB", bytes.div_ceil(1_000_000))
    }
}

/// A duration in minutes or hours.
pub fn minutes(seconds: u64) -> String {
    let minutes = seconds.div_ceil(60);
    if minutes < 60 {
        format!("{minutes} min")
    } else {
        format!("{} h {:02}", minutes / 60, minutes % 60)
    }
}
