//! The list of transducers, which are put into the models folder by hand.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use slovo_engine::models::{Choice, Measurements, TRANSDUCERS, Transducer};
use slovo_rules::settings::TranscriptionType;

use crate::cli::model_table::{Measured, write_measured};

/// One transducer.
#[derive(Serialize)]
pub struct Row {
    id: &'static str,
    /// Size of its files; null for one that everybody exports.
    bytes: Option<u64>,
    /// `unverified` (its files are there, with their published lengths) or `missing`.
    state: &'static str,
    /// The modes that use it: `full`.
    used_by: Vec<&'static str>,
    /// Codes of its languages; Whisper recognises the others.
    languages: &'static [&'static str],
    licence: &'static str,
    note: String,
    /// What was measured on this machine with `slovo models measure`, by language.
    measured: Vec<Measured>,
}

/// All transducers, or only those in the folder.
pub fn rows(dir: &Path, choice: &Choice, installed: bool) -> Vec<Row> {
    let measurements = Measurements::load(dir);
    TRANSDUCERS
        .iter()
        .map(|model| row(dir, choice, &measurements, model))
        .filter(|row| !installed || row.state != "missing")
        .collect()
}

fn row(dir: &Path, choice: &Choice, measurements: &Measurements, model: &Transducer) -> Row {
    let serves = choice.model(TranscriptionType::Full) == model.id;
    Row {
        id: model.id,
        bytes: model.files.iter().map(|file| file.bytes).sum(),
        state: match model.check(dir) {
            Ok(()) => "unverified",
            Err(_) => "missing",
        },
        used_by: serves.then_some("full").into_iter().collect(),
        languages: model.languages,
        licence: model.licence,
        note: model.note(),
        measured: measurements
            .of(model.id)
            .iter()
            .map(Measured::from)
            .collect(),
    }
}

/// Prints them below the table of models, and how to install them.
pub fn write_table(rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\nTransducers for Full (Whisper recognises other languages):"
    )?;
    for row in rows {
        let state = match row.state {
            "missing" => "not installed",
            _ => "unverified",
        };
        let used = if row.used_by.is_empty() {
            ""
        } else {
            ", used by full"
        };
        let languages = row.languages.join(" ");
        writeln!(out, "{} ({state}{used}; {})", row.id, row.licence)?;
        writeln!(out, "  languages: {languages}")?;
        writeln!(out, "  {}", row.note)?;
        write_measured(&row.measured, out)?;
    }
    writeln!(
        out,
        "To install one, put its files into a folder of that name in the models folder (see \
         docs/transducers.md), then run `slovo models use full ID`."
    )
}
