//! The embedded model in the models folder. It is loaded when the first text needs it, because most
//! runs of the program do not use it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use slovo_analysis::embedded::Embedded;
use slovo_analysis::{AnalysisError, Analyst, Progress, Stop, Task, Text};
use slovo_rules::analysis::{EngineKind, EngineName, Moment, Outcome, Part};

use super::assistant::Passages;

/// Passages quoted in an answer.
const QUOTES: usize = 5;

/// The model, loaded on first use.
pub struct EmbeddedModel {
    file: PathBuf,
    read: Mutex<Option<Arc<Embedded>>>,
}

impl EmbeddedModel {
    /// The model in this file; `None` if there is no such file.
    #[must_use]
    pub fn find(file: PathBuf) -> Option<Self> {
        file.is_file().then(|| Self {
            file,
            read: Mutex::default(),
        })
    }

    /// Loads the model once. A failed load is tried again on the next call, because the file may
    /// have been replaced.
    fn model(&self) -> Result<Arc<Embedded>, AnalysisError> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = &*read {
            return Ok(Arc::clone(model));
        }
        let model = Arc::new(Embedded::load(&self.file)?);
        *read = Some(Arc::clone(&model));
        Ok(model)
    }

    /// The similarity of each text to a question; `None` if the model cannot compute it.
    #[must_use]
    pub fn closeness(&self, question: &str, texts: &[&str], stop: &dyn Stop) -> Option<Vec<f32>> {
        self.model().ok()?.closeness(question, texts, stop).ok()
    }
}

impl Analyst for EmbeddedModel {
    fn name(&self) -> EngineName {
        EngineName {
            kind: EngineKind::Embedded,
            model: slovo_analysis::embedded::MODEL_NAME.to_owned(),
        }
    }

    fn supports(&self, part: Part, _language: &str) -> bool {
        slovo_analysis::embedded::PARTS.contains(&part)
    }

    fn run(
        &self,
        text: &Text,
        task: &Task,
        stop: &dyn Stop,
        progress: Progress<'_>,
    ) -> Result<Outcome, AnalysisError> {
        self.model()?.run(text, task, stop, progress)
    }
}

impl Passages for EmbeddedModel {
    fn name(&self) -> EngineName {
        Analyst::name(self)
    }

    fn closest(
        &self,
        text: &Text,
        question: &str,
        stop: &dyn Stop,
    ) -> Result<Vec<Moment>, AnalysisError> {
        let quotes = self.model()?.closest(text, question, QUOTES, stop)?;
        let mut moments: Vec<Moment> = Vec::with_capacity(quotes.len());
        for quote in quotes {
            // Two sentences of one passage are one quote.
            if moments
                .iter()
                .all(|known| known.segment != quote.moment.segment)
            {
                moments.push(quote.moment);
            }
        }
        Ok(moments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_model_is_none_and_a_damaged_one_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.bin");
        assert!(EmbeddedModel::find(file.clone()).is_none());
        std::fs::write(&file, b"not a model").unwrap();
        let model = EmbeddedModel::find(file).unwrap();
        assert!(matches!(model.model(), Err(AnalysisError::Model(_))));
    }
}
