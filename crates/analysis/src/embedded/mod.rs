//! What is made of a text without a generative model, by a model of sentences' meanings
//! inside the program: nothing is written that was not said, and nothing leaves the machine.
//!
//! A text longer than about two hours of speech is looked at in samples (see `units`), so
//! that its length bounds neither time nor memory. Keywords are counted in all of it.

mod acts;
mod cache;
mod candidates;
mod keywords;
mod labels;
pub mod model;
mod moods;
mod scores;
mod summary;
mod units;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use slovo_rules::analysis::{EngineKind, EngineName, Moment, Outcome, Part};

use crate::{AnalysisError, Analyst, Progress, Stop, Task, Text};
use cache::{Prepared, SentenceCache};
use model::{Embedder, Kind, Vector};
use units::Segmenters;

/// The model, as it is shown beside its answers.
pub const MODEL_NAME: &str = "multilingual-e5-small";

/// What the engine makes of a text, in every language: the model knows about a hundred, and of
/// another one it still knows names and borrowed words.
pub const PARTS: [Part; 4] = [
    Part::Summary,
    Part::Sentiment,
    Part::Classification,
    Part::Keywords,
];

/// Share of a task's time that reading the text takes.
const READING: f64 = 0.9;

/// A sentence of a text that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Quote {
    /// Where it was said.
    pub moment: Moment,
    /// The sentence.
    pub text: String,
    /// How close it is to the question, and how much it says: to be compared among those of
    /// one question only.
    pub closeness: f64,
}

/// The embedded engine. One serves all threads; the texts looked at last are kept in it.
pub struct Embedded {
    embedder: Arc<Embedder>,
    segmenters: Segmenters,
    cache: SentenceCache,
    moods: OnceLock<Vec<Vector>>,
    cues: OnceLock<Vec<Vector>>,
    none: OnceLock<Vec<Vector>>,
}

impl std::fmt::Debug for Embedded {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Embedded").finish_non_exhaustive()
    }
}

impl Embedded {
    /// An engine with this model.
    #[must_use]
    pub fn new(embedder: Arc<Embedder>) -> Self {
        Self {
            embedder,
            segmenters: Segmenters::new(),
            cache: SentenceCache::default(),
            moods: OnceLock::new(),
            cues: OnceLock::new(),
            none: OnceLock::new(),
        }
    }

    /// An engine with the model in this file.
    ///
    /// # Errors
    /// [`AnalysisError::Model`].
    pub fn load(path: &Path) -> Result<Self, AnalysisError> {
        Ok(Self::new(Arc::new(Embedder::load(path)?)))
    }

    /// The `most` sentences of a text that are closest to a question, the closest first.
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

    /// How close each of these texts is to a question, in their order, about -1 to 1.
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

    /// The text with its vectors: those kept, or new ones.
    fn prepared(
        &self,
        text: &Text,
        stop: &dyn Stop,
        progress: Progress<'_>,
    ) -> Result<Arc<Prepared>, AnalysisError> {
        let units = units::units(text, self.segmenters);
        if units.is_empty() {
            return Err(AnalysisError::EmptyText);
        }
        if let Some(kept) = self.cache.find(&units) {
            return Ok(kept);
        }
        // What is said again and again ("Yes.") is read once.
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
        let prepared = Arc::new(Prepared { units, vectors });
        self.cache.keep(prepared.clone());
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

    /// Vectors that every text is compared with: made when they are first needed.
    fn standing<'a>(
        &self,
        place: &'a OnceLock<Vec<Vector>>,
        sentences: &[&str],
        kind: Kind,
        stop: &dyn Stop,
    ) -> Result<&'a [Vector], AnalysisError> {
        if place.get().is_none() {
            let vectors = self.embedded(sentences, kind, stop)?;
            // Another thread may have been quicker, with the same vectors.
            let _ = place.set(vectors);
        }
        Ok(place.get().map(Vec::as_slice).unwrap_or_default())
    }

    fn moods(&self, stop: &dyn Stop) -> Result<&[Vector], AnalysisError> {
        self.standing(&self.moods, &moods::sentences(), Kind::Passage, stop)
    }

    fn classification(
        &self,
        labels: &[String],
        text: &Prepared,
        stop: &dyn Stop,
    ) -> Result<Outcome, AnalysisError> {
        let labels = labels::distinct(labels);
        let vectors = self.embedded(&labels, Kind::Query, stop)?;
        let standing = labels::Standing {
            // The sentences whose moods are known are about all and nothing.
            background: self.moods(stop)?,
            none: self.standing(&self.none, &labels::NONE, Kind::Query, stop)?,
        };
        let answer = labels::classification(&labels, &vectors, standing, text);
        Ok(Outcome::Classification(answer))
    }

    fn keywords(
        &self,
        text: &Text,
        prepared: &Prepared,
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

    fn does(&self, part: Part, _language: &str) -> bool {
        PARTS.contains(&part)
    }

    fn run(
        &self,
        text: &Text,
        task: &Task,
        stop: &dyn Stop,
        progress: Progress<'_>,
    ) -> Result<Outcome, AnalysisError> {
        if !self.does(task.part(), &text.language) {
            return Err(AnalysisError::Unsupported);
        }
        let prepared = self.prepared(text, stop, &mut |share| progress(share * READING))?;
        progress(READING);
        let outcome = match task {
            Task::Summary { words } => {
                let cues = self.standing(&self.cues, &summary::CUES, Kind::Passage, stop)?;
                Outcome::Summary(summary::summary(&prepared, cues, *words))
            }
            Task::Sentiment => Outcome::Sentiment(moods::sentiment(self.moods(stop)?, &prepared)),
            Task::Classification { labels } => self.classification(labels, &prepared, stop)?,
            Task::Keywords => self.keywords(text, &prepared, stop)?,
            _ => return Err(AnalysisError::Unsupported),
        };
        progress(1.0);
        Ok(outcome)
    }
}
