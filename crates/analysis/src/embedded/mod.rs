//! Analysis with a local sentence-embedding model instead of a generative one: results consist only
//! of what was said, and nothing leaves the machine.
//!
//! Of a text longer than about two hours of speech only a sample is analysed (see `units`), so that
//! time and memory stay bounded. Keywords are counted in the whole text.

mod cache;
mod candidates;
mod keywords;
mod labels;
pub mod model;
mod scores;
mod sentiment;
mod speech_acts;
mod summary;
mod units;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use slovo_rules::analysis::{EngineKind, EngineName, Moment, Outcome, Part};

use crate::{AnalysisError, Analyst, Progress, Stop, Task, Text};
use cache::{EmbeddedText, SentenceCache};
use model::{Embedder, Kind, Vector};
use units::Segmenters;

/// The model's name, shown with its results.
pub const MODEL_NAME: &str = "multilingual-e5-small";

/// The parts that the engine supports, in every language: the model was trained on about a hundred,
/// and in others it still recognises names and loanwords.
pub const PARTS: [Part; 4] = [
    Part::Summary,
    Part::Sentiment,
    Part::Classification,
    Part::Keywords,
];

/// Share of a task's time for embedding the text, for the progress.
const READING: f64 = 0.9;

/// A sentence of a text, found by a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Quote {
    /// Its place in the recording.
    pub moment: Moment,
    /// The sentence.
    pub text: String,
    /// Similarity to the question, adjusted by how much it says; comparable only among the results
    /// of one question.
    pub closeness: f64,
}

/// The embedded engine. One instance serves all threads and caches the most recent texts.
pub struct Embedded {
    embedder: Arc<Embedder>,
    segmenters: Segmenters,
    cache: SentenceCache,
    sentiment_references: OnceLock<Vec<Vector>>,
    cues: OnceLock<Vec<Vector>>,
    none: OnceLock<Vec<Vector>>,
}

impl std::fmt::Debug for Embedded {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Embedded").finish_non_exhaustive()
    }
}

impl Embedded {
    /// Creates an engine with this model.
    #[must_use]
    pub fn new(embedder: Arc<Embedder>) -> Self {
        Self {
            embedder,
            segmenters: Segmenters::new(),
            cache: SentenceCache::default(),
            sentiment_references: OnceLock::new(),
            cues: OnceLock::new(),
            none: OnceLock::new(),
        }
    }

    /// Creates an engine with the model in this file.
    ///
    /// # Errors
    /// [`AnalysisError::Model`].
    pub fn load(path: &Path) -> Result<Self, AnalysisError> {
        Ok(Self::new(Arc::new(Embedder::load(path)?)))
    }

    /// The `most` sentences of a text that are closest to a question, closest first.
    ///
    /// # Errors
    /// [`AnalysisError::EmptyText`] and [`AnalysisError::Stopped`].
    pub fn closest(
        &self,
        text: &Text,
        question: &str,
        most: usize,
        stop: &dyn Stop,
    ) -> Result<Vec<Quote>, AnalysisError> {
        let text = self.prepared(text, stop, &mut |_| ())?;
        let question = self
            .embedder
            .embed(&[question], Kind::Query, stop, &mut |_| ())?;
        let Some(question) = question.first() else {
            return Ok(Vec::new());
        };
        let mut quotes: Vec<Quote> = text
            .units
            .iter()
            .zip(&text.vectors)
            .map(|(unit, vector)| Quote {
                moment: unit.moment.clone(),
                text: unit.text.clone(),
                closeness: question.similarity(vector) + unit.content(),
            })
            .collect();
        quotes.sort_by(|a, b| b.closeness.total_cmp(&a.closeness));
        quotes.truncate(most);
        Ok(quotes)
    }

    /// The similarity of each text to a question, in order, about -1 to 1.
    ///
    /// # Errors
    /// [`AnalysisError::Stopped`].
    pub fn closeness(
        &self,
        question: &str,
        texts: &[&str],
        stop: &dyn Stop,
    ) -> Result<Vec<f32>, AnalysisError> {
        let question = self
            .embedder
            .embed(&[question], Kind::Query, stop, &mut |_| ())?;
        let Some(question) = question.first() else {
            return Ok(Vec::new());
        };
        let vectors = self
            .embedder
            .embed(texts, Kind::Passage, stop, &mut |_| ())?;
        #[expect(clippy::cast_possible_truncation, reason = "only their order counts")]
        let close = |vector: &Vector| question.similarity(vector) as f32;
        Ok(vectors.iter().map(close).collect())
    }

    /// The text with its vectors, from the cache or new.
    fn prepared(
        &self,
        text: &Text,
        stop: &dyn Stop,
        progress: Progress<'_>,
    ) -> Result<Arc<EmbeddedText>, AnalysisError> {
        let units = units::units(text, self.segmenters);
        if units.is_empty() {
            return Err(AnalysisError::EmptyText);
        }
        if let Some(cached) = self.cache.find(&units) {
            return Ok(cached);
        }
        // Repeated sentences ("Yes.") are embedded once.
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut sentences: Vec<&str> = Vec::new();
        for unit in &units {
            places.entry(&unit.text).or_insert_with(|| {
                sentences.push(&unit.text);
                sentences.len() - 1
            });
        }
        let distinct = self
            .embedder
            .embed(&sentences, Kind::Passage, stop, progress)?;
        let vectors = units
            .iter()
            .map(|unit| distinct[places[unit.text.as_str()]].clone());
        let vectors = vectors.collect();
        let prepared = Arc::new(EmbeddedText { units, vectors });
        self.cache.insert(prepared.clone());
        Ok(prepared)
    }

    fn embedded(
        &self,
        texts: &[&str],
        kind: Kind,
        stop: &dyn Stop,
    ) -> Result<Vec<Vector>, AnalysisError> {
        self.embedder.embed(texts, kind, stop, &mut |_| ())
    }

    /// Reference vectors that every text is compared with; computed when first needed.
    fn standing<'a>(
        &self,
        place: &'a OnceLock<Vec<Vector>>,
        sentences: &[&str],
        kind: Kind,
        stop: &dyn Stop,
    ) -> Result<&'a [Vector], AnalysisError> {
        if place.get().is_none() {
            let vectors = self.embedded(sentences, kind, stop)?;
            // Another thread may have stored the same vectors first.
            let _ = place.set(vectors);
        }
        Ok(place.get().map(Vec::as_slice).unwrap_or_default())
    }

    fn sentiment_references(&self, stop: &dyn Stop) -> Result<&[Vector], AnalysisError> {
        self.standing(
            &self.sentiment_references,
            &sentiment::sentences(),
            Kind::Passage,
            stop,
        )
    }

    fn classification(
        &self,
        labels: &[String],
        text: &EmbeddedText,
        stop: &dyn Stop,
    ) -> Result<Outcome, AnalysisError> {
        let labels = labels::distinct(labels);
        let vectors = self.embedded(&labels, Kind::Query, stop)?;
        let standing = labels::ReferenceVectors {
            // The sentences of known mood have mixed topics.
            background: self.sentiment_references(stop)?,
            none: self.standing(&self.none, &labels::NONE, Kind::Query, stop)?,
        };
        let answer = labels::classification(&labels, &vectors, standing, text);
        Ok(Outcome::Classification(answer))
    }

    fn keywords(
        &self,
        text: &Text,
        prepared: &EmbeddedText,
        stop: &dyn Stop,
    ) -> Result<Outcome, AnalysisError> {
        let candidates = candidates::candidates(text, self.segmenters);
        let texts: Vec<&str> = candidates
            .iter()
            .map(|candidate| candidate.text.as_str())
            .collect();
        let vectors = self.embedded(&texts, Kind::Query, stop)?;
        Ok(Outcome::Keywords(keywords::keywords(
            candidates, &vectors, prepared,
        )))
    }
}

impl Analyst for Embedded {
    fn name(&self) -> EngineName {
        EngineName {
            kind: EngineKind::Embedded,
            model: MODEL_NAME.to_owned(),
        }
    }

    fn supports(&self, part: Part, _language: &str) -> bool {
        PARTS.contains(&part)
    }

    fn run(
        &self,
        text: &Text,
        task: &Task,
        stop: &dyn Stop,
        progress: Progress<'_>,
    ) -> Result<Outcome, AnalysisError> {
        if !self.supports(task.part(), &text.language) {
            return Err(AnalysisError::Unsupported);
        }
        let prepared = self.prepared(text, stop, &mut |share| progress(share * READING))?;
        progress(READING);
        let outcome = match task {
            Task::Summary { words } => {
                let cues = self.standing(&self.cues, &summary::CUES, Kind::Passage, stop)?;
                Outcome::Summary(summary::summary(&prepared, cues, *words))
            }
            Task::Sentiment => Outcome::Sentiment(sentiment::sentiment(
                self.sentiment_references(stop)?,
                &prepared,
            )),
            Task::Classification { labels } => self.classification(labels, &prepared, stop)?,
            Task::Keywords => self.keywords(text, &prepared, stop)?,
            _ => return Err(AnalysisError::Unsupported),
        };
        progress(1.0);
        Ok(outcome)
    }
}
