//! Shared by the measurements of words: the recordings with their reference texts, the engine that
//! transcribes them one by one, and the alignment of reference words with its output.

pub mod invented;
pub mod languages;
mod onset;
pub mod sentences;
pub mod times;
pub mod vocabulary;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::{default_models, shared};
use crate::cargo::target_folder;
use crate::step::{command, execute, step};

/// Common options of these benchmarks.
#[derive(clap::Args)]
pub struct Options {
    /// Only recordings whose path contains this.
    #[arg(long)]
    only: Option<String>,
    /// The model that recognises.
    #[arg(long, default_value = "base-q8_0")]
    model: String,
    /// Folder of our models.
    #[arg(long, env = "SLOVO_MODELS")]
    models: Option<PathBuf>,
}

impl Options {
    fn includes(&self, file: &str) -> bool {
        self.only.as_deref().is_none_or(|only| file.contains(only))
    }
}

/// A line of the manifest.
#[derive(Clone, Deserialize)]
struct Row {
    file: String,
    language: Option<String>,
    transcript: Option<String>,
    #[serde(default)]
    keywords: Vec<String>,
    truth: Option<String>,
    expect: Option<String>,
    seconds: Option<f64>,
}

/// A stretch of speech in a made recording; times in seconds.
#[derive(Clone, Deserialize)]
struct SpeechSpan {
    start: f64,
    end: f64,
    text: String,
}

/// The recordings with their references.
struct Recordings {
    folder: PathBuf,
    rows: Vec<Row>,
}

impl Recordings {
    /// `None`, with a message, if they are missing.
    fn open(root: &Path) -> Result<Option<Self>> {
        let folder = shared(root).join("audio");
        let Ok(manifest) = std::fs::read_to_string(folder.join("manifest.jsonl")) else {
            println!(
                "The recordings are missing: {} has no manifest.\nSet SLOVO_SHARED to the folder that holds audio; nothing was measured.",
                folder.display()
            );
            return Ok(None);
        };
        let rows = manifest.lines().map(serde_json::from_str);
        let rows = rows.collect::<Result<_, _>>();
        let rows = rows.context("the manifest has an invalid line")?;
        Ok(Some(Self { folder, rows }))
    }

    fn path(&self, row: &Row) -> PathBuf {
        self.folder.join(&row.file)
    }

    /// The stretches of speech of a synthetic recording, if it is one.
    fn stretches(&self, row: &Row) -> Result<Option<Vec<SpeechSpan>>> {
        #[derive(Deserialize)]
        struct ReferenceText {
            #[serde(alias = "turns")]
            segments: Vec<SpeechSpan>,
        }
        let Some(truth) = &row.truth else {
            return Ok(None);
        };
        let text = std::fs::read_to_string(self.folder.join(truth))?;
        let truth: ReferenceText = serde_json::from_str(&text).with_context(|| truth.clone())?;
        Ok(Some(truth.segments))
    }
}

/// A recording as input of the engine.
#[derive(Serialize)]
struct Order<'a> {
    file: &'a Path,
    language: Option<&'a str>,
    vocabulary: &'a [String],
}

/// A recognised word; times in seconds.
#[derive(Clone, Deserialize)]
struct Word {
    start: f64,
    end: f64,
    text: String,
    /// Of its segment, or of the passage.
    #[serde(default)]
    language: Option<String>,
}

/// A passage that was removed.
#[derive(Deserialize)]
struct RemovedPassage {
    start: f64,
    text: String,
    reason: String,
    voiced: f64,
    confidence: f64,
    compression: f64,
}

/// The engine's result for a recording.
#[derive(Deserialize)]
struct Recognition {
    words: Vec<Word>,
    /// The words as the model wrote them, before repairs, by window.
    #[serde(default)]
    written: Vec<Vec<Word>>,
    removed: Vec<RemovedPassage>,
    /// The recording's main language; missing without speech.
    language: Option<String>,
    /// Seconds of processor time.
    cpu: f64,
    error: Option<String>,
}

/// The engine in a separate process.
struct Listener {
    child: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Listener {
    fn start(root: &Path, options: &Options) -> Result<Self> {
        Self::start_with(root, options, &[])
    }

    /// With more arguments of the program.
    fn start_with(root: &Path, options: &Options, more: &[&str]) -> Result<Self> {
        let models = options.models.clone().map_or_else(default_models, Ok)?;
        // Times are not measured here, and numeric code is optimised in every profile.
        step("Building the engine", "", || {
            let mut cargo = command(root, "cargo");
            cargo.args(["build", "--package", "slovo-engine"]);
            execute(cargo.args(["--example", "bench_words"]))
        })?;
        let example = target_folder(root).join("debug/examples/bench_words");
        let mut child = command(root, example)
            .arg(models)
            .arg(&options.model)
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the engine")?;
        let orders = child.stdin.take().context("the engine has no input")?;
        let answers = child.stdout.take().context("the engine has no output")?;
        Ok(Self {
            child,
            orders,
            answers: BufReader::new(answers),
        })
    }

    fn recognise(&mut self, order: &Order<'_>) -> Result<Recognition> {
        eprintln!("   {} …", order.file.display());
        writeln!(self.orders, "{}", serde_json::to_string(order)?)?;
        self.orders.flush()?;
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            bail!("the engine ended: {}", self.child.wait()?);
        }
        Ok(serde_json::from_str(&line)?)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // It ends when its input does; this is for an aborted run.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Words in lower case, letters and digits only. Numbers written in digits are kept: such a word
/// counts as neither right nor wrong below.
fn plain(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| c.is_whitespace() || matches!(c, '-' | '–' | '—'));
    let words = parts.map(|word| {
        // One form of the apostrophe counts as a letter.
        let letters = word.chars().filter(|&c| c.is_alphanumeric() && c != 'ʼ');
        letters.flat_map(char::to_lowercase).collect()
    });
    words.filter(|word: &String| !word.is_empty()).collect()
}

/// An operation of the alignment of two texts with the fewest differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The same word, at these positions.
    Same(usize, usize),
    /// A substituted word.
    Other,
    /// A missing reference word.
    Missing,
    /// An inserted word, at this position.
    More(usize),
}

/// Aligns a text with the reference.
fn align(truth: &[String], written: &[String]) -> Vec<Step> {
    let width = written.len() + 1;
    let mut costs: Vec<u32> = (0..width).map(|at| at as u32).collect();
    for (row, expected) in truth.iter().enumerate() {
        costs.push(row as u32 + 1);
        for (column, word) in written.iter().enumerate() {
            let above = row * width + column;
            let other = costs[above] + u32::from(word != expected);
            let cheapest = other
                .min(costs[above + 1] + 1)
                .min(costs[costs.len() - 1] + 1);
            costs.push(cheapest);
        }
    }
    let (mut row, mut column) = (truth.len(), written.len());
    let mut steps = Vec::new();
    while row > 0 || column > 0 {
        let cost = costs[row * width + column];
        let differs = row > 0 && column > 0 && truth[row - 1] != written[column - 1];
        if row > 0
            && column > 0
            && costs[(row - 1) * width + column - 1] + u32::from(differs) == cost
        {
            (row, column) = (row - 1, column - 1);
            steps.push(if differs {
                Step::Other
            } else {
                Step::Same(row, column)
            });
        } else if column > 0 && costs[row * width + column - 1] + 1 == cost {
            column -= 1;
            steps.push(Step::More(column));
        } else {
            row -= 1;
            steps.push(Step::Missing);
        }
    }
    steps.reverse();
    steps
}

/// The number of occurrences of each word.
fn counts(words: &[String]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for word in words {
        *counts.entry(word.as_str()).or_default() += 1;
    }
    counts
}

/// The engine's words one by one: one of its words may be two in the plain text.
fn each_plain(words: &[Word]) -> Vec<(String, &Word)> {
    let each = words
        .iter()
        .flat_map(|word| plain(&word.text).into_iter().map(move |text| (text, word)));
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_aligned_with_the_reference() {
        let (truth, written) = (
            plain("one two three four"),
            plain("One, two! too four more"),
        );
        assert_eq!(
            align(&truth, &written),
            [
                Step::Same(0, 0),
                Step::Same(1, 1),
                Step::Other,
                Step::Same(3, 3),
                Step::More(4)
            ]
        );
        assert_eq!(align(&truth[..1], &[]), [Step::Missing]);
        assert_eq!(align(&[], &written[..1]), [Step::More(0)]);
    }
}
